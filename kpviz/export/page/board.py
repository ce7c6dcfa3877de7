"""The board without a server, as a folder of pages with Python in them.

The board and Fisher's page show what is packed in them at once; Python comes when somebody turns
what only it knows. All addresses are relative, so that the folder works below any path.

Tests: tests/commands/test_board_site.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import kpviz
from kpviz.export.page import cards
from kpviz.export.page.page import (
    NO_SCRIPT,
    digest,
    document,
    frame,
    json_script,
    loaded_script,
    still,
    style_of,
    typeface,
)
from kpviz.export.page.pythons import Python
from kpviz.lessons import comparison, shelf
from kpviz.lessons.file.lesson import Lesson
from kpviz.player import modules
from kpviz.settings import BY_NAME, VIEW_KEYS
from kpviz.settings.combined_kernels import FORMER_NAMES
from kpviz.settings.fisher_link import FisherSettings

PLAYER = "kpviz.js"
KEEPER = "keeper.js"
HEIGHT = 420  # In CSS pixels, of a figure.
PLACES = {"": "index.html", "lab": "index.html", "fisher": "fisher.html"}
COURSE = {"lessons": "lessons.html", "puzzles": "puzzles.html"}
_ENTRY = "alone/page.js"
_STYLES = (
    "page/stage.css",
    "page/asking.css",
    "page/class_question.css",
    "page/lesson/puzzle.css",
    "page/dialog.css",
    "page/voting_card.css",
    "page/dock/dock.css",
    "page/dock/thumbnails.css",
    "page/lesson/lesson.css",
)
_TITLES = {"play": "kpviz – kernel perceptron", "fisher": "kpviz – Fisher’s discriminant"}
_PLACE_WORDS = {"": "Board", "lessons": "Lessons", "puzzles": "Puzzles", "fisher": "Fisher"}
_LIST_STYLE = (
    "body { font-size: 16px; line-height: 1.45; } h1 { margin: 8px 0 16px; font-size: 28px; } "
    ".kpviz-lessons > nav { display: flex; gap: 16px; padding: 8px 0; } "
    ".kpviz-lessons > nav a { color: inherit; } "
    ".puzzles header { height: auto; overflow: visible; white-space: normal; } "
    "h1:has(+ .puzzles) { position: absolute; clip-path: inset(50%); } "
    ".kpviz-lessons > nav [aria-current] { color: var(--accent); font-weight: 600; }"
)
_START = """
document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
const root = document.querySelector(".kpviz");
root.textContent = "";
start(root, JSON.parse(document.getElementById("run").textContent));
"""
# What a link to a board may have in it, but for models that are pinned.
_NAMES = sorted(
    {"v", "angle", "threshold", "pins", comparison.READY, *VIEW_KEYS, *FORMER_NAMES, *BY_NAME}
    | FisherSettings.known.keys()
)
_FIRST_ANSWERS = 2  # So many come before the player: that of the first scene is among them.


class PackedLesson(NamedTuple):
    """A lesson as its pages hold it.

    Attributes
    ----------
    content : it and what answers to its tasks are compared with, as JSON, compressed.
    answers : by the page that shows them, "play" or "fisher", what it puts on the board.
    """

    name: str
    title: str
    content: str
    answers: Mapping[str, Sequence[dict[str, Any]]]

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses of its pages: the first page has its name."""
        first, *others = self.answers
        return {first: f"{self.name}.html", **{page: f"{self.name}-{page}.html" for page in others}}


def files(
    python: Python,
    answers: Mapping[str, Sequence[dict[str, Any]]],
    *,
    course: Sequence[PackedLesson] = (),
) -> Iterator[tuple[str, bytes]]:
    """Yield the names of the files and what is in each.

    Parameters
    ----------
    answers : what is packed in the page of the board, "play", and in Fisher's, "fisher".
    course : lessons and puzzles that come with kpviz.
    """
    places = {**PLACES, **(COURSE if course else {})}
    addresses = {"play": PLACES[""], "fisher": PLACES["fisher"]}
    contents = {PLAYER: player().encode(), **python.files}
    for name, packed in answers.items():
        contents[addresses[name]] = page(python, name, packed, places).encode()
    for lesson in course:
        for name, packed in lesson.answers.items():
            text = page(python, name, packed, places, lesson)
            contents[lesson.addresses[name]] = text.encode()
    if course:
        contents |= _lists(places)
    yield from contents.items()
    yield KEEPER, keeper(contents).encode()


def keeper(contents: Mapping[str, bytes]) -> str:
    """Return the service worker of a folder, which knows the versions of its files."""
    digests = {name: hashlib.sha256(content).hexdigest()[:16] for name, content in contents.items()}
    known_files = f"const FILES = {json.dumps(digests, sort_keys=True)};"
    return modules.frontend(f"alone/{KEEPER}").replace("const FILES = {};", known_files)


def _lists(places: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield the list of lessons and that of puzzles; each leads to its page."""
    names = shelf.paths_in(None)
    lessons: dict[str, Lesson | str] = {name: shelf.read(name) for name in names}
    shelves = shelf.arrange({name: shelf.read(name).lecture for name in names}, ())
    puzzles = {name: shelf.read(name) for name in shelf.shipped_puzzles()}
    listed = {
        "lessons": cards.listing(lessons, shelves, "{}.html"),
        "puzzles": cards.puzzles(puzzles, "{}.html"),
    }
    script = cards.script()
    for here, listing in listed.items():
        anchors = "".join(
            f"<a href='{places[name]}'{' aria-current=page' if name == here else ''}>{words}</a>"
            for name, words in _PLACE_WORDS.items()
        )
        body = (
            f"<main><div class='kpviz-lessons auto' style='{cards.accent()}'>"
            f"<nav aria-label='Pages'>{anchors}</nav><h1>{here.title()}</h1>{listing}</div></main>"
            f"\n<script>{script}</script>"
        )
        text = document(
            body,
            title=f"kpviz – {here}",
            theme="auto",
            style=f"{typeface()}\n{cards.style()}\n{_LIST_STYLE}",
            script=digest(script),
        )
        yield places[here], text.encode()


@cache
def player() -> str:
    """Return the player with all its settings as one script, with styles and typeface."""
    style = json.dumps(f"{typeface()}\n{style_of(_STYLES)}", ensure_ascii=False)
    script = f"{modules.script(_ENTRY)}\nconst STYLE = {style};{_START}"
    return f'// kpviz {kpviz.__version__}\n(() => {{\n"use strict";\n{script}\n}})();\n'


def page(
    python: Python,
    name: str,
    packed: Sequence[dict[str, Any]],
    places: Mapping[str, str] = PLACES,
    lesson: PackedLesson | None = None,
) -> str:
    """Return a page of the folder.

    Parameters
    ----------
    name : "play" or "fisher", whose board it is. packed : the answers that are in the page.
    places : the addresses of the places that there are, by their names.
    lesson : the one that opens in it.
    """
    options = {
        "python": python.told,
        "page": name,
        "places": dict(places),
        "answers": [*packed[:_FIRST_ANSWERS]],
        "keeper": KEEPER,
        "names": _NAMES,
    }
    if lesson is not None:
        options["lesson"] = {
            "name": lesson.name,
            "content": lesson.content,
            "addresses": lesson.addresses,
        }
    title = _TITLES[name] if lesson is None else lesson.title
    return _page(options, python.origins, title=title, later=packed[_FIRST_ANSWERS:])


def figure(
    python: Python,
    packed: dict[str, Any],
    *,
    folder: str,
    title: str,
    height: int = HEIGHT,
    picture: str = "",
    alt: str = "",
) -> str:
    """Return the html of a frame within another page: the board, with all its settings.

    It shows what is packed, and Python comes when somebody turns a setting. All figures of a
    document share one.

    Parameters
    ----------
    packed : the answer that it shows, of the player.
    folder : where the folder of the board is, seen from the page around: "" or "board/".
    title : what a screen reader says of the frame. height : in CSS pixels.
    picture, alt : the address of a picture that stands there without JavaScript, and what it shows.
    """
    told = {
        name: f"{folder}{value}" if isinstance(value, str) and "://" not in value else value
        for name, value in python.told.items()
    }
    options = {
        "python": told,
        "page": "play",
        "places": {"": f"{folder}{PLACES['']}"},
        "answers": [packed],
        "opening": packed["link"],
    }
    instead = still(picture, alt or title) if picture else ""
    text = _page(options, python.origins, title=title, folder=folder, instead=instead)
    return frame(text, title=title, height=height)


def _page(
    options: dict[str, Any],
    origins: Sequence[str],
    *,
    title: str,
    folder: str = "",
    instead: str = "",
    later: Sequence[dict[str, Any]] = (),
) -> str:
    """Return a page that hands its options to the player of a folder.

    `instead` : the picture that stands there without JavaScript. `later` : answers for which the
        first picture does not wait.
    """
    allowed, brings = loaded_script(player(), folder + PLAYER)
    body = (
        f'<main><div class="kpviz"><noscript>{instead or NO_SCRIPT}</noscript></div></main>\n'
        f"{json_script(options, 'run')}\n{brings}{''.join(map(json_script, later))}"
    )
    sources = " ".join(("'self'", *origins))
    return document(
        body,
        title=title,
        theme="auto",
        style="",
        script=allowed,
        pictures=bool(instead),
        more=f"; worker-src 'self'; connect-src {sources}",
    )
