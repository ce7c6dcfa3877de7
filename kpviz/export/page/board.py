"""The board without a server, as a folder of pages with Python in them.

The board and Fisher's page show what is packed in them at once; Python comes when somebody turns
what only it knows. All addresses are relative, so that the folder works below any path.

Tests: tests/commands/test_board_site.py, tests/browser/test_alone.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from kpviz.export.page.page import (
    NO_SCRIPT,
    THEMES,
    digest,
    document,
    frame,
    json_script,
    late,
    loaded_script,
    one_script,
    still,
)
from kpviz.export.page.pythons import Python, version
from kpviz.lessons import comparison
from kpviz.player import modules
from kpviz.settings import BY_NAME, VIEW_KEYS
from kpviz.settings.combined_kernels import FORMER_NAMES
from kpviz.settings.fisher_link import FisherSettings

PLAYER = "kpviz.js"
KEEPER = "keeper.js"
HEIGHT = 420  # In CSS pixels, of a figure.
# The addresses of the places, by their names: the folder opens with the board, or with the course.
PLACES = {"": "index.html", "lab": "index.html", "fisher": "fisher.html"}
LISTS = {"lessons": "lessons.html", "puzzles": "puzzles.html"}
OF_COURSE = {"": "board.html", "lab": "board.html", "lessons": "index.html"}
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
# As those of the app, so that all lies where it does there.
_MARGINS = """body { padding: 4px 8px 0; }
@media (max-height: 559px), (max-width: 899px) { body { padding-top: 0; } }"""
_TITLES = {"play": "kpviz – kernel perceptron", "fisher": "kpviz – Fisher’s discriminant"}
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
    language: str = "en"

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses of its pages: the first page has its name."""
        first, *others = self.answers
        return {first: f"{self.name}.html", **{page: f"{self.name}-{page}.html" for page in others}}

    @property
    def told(self) -> dict[str, Any]:
        """What its pages are told of it."""
        return {"name": self.name, "content": self.content, "addresses": self.addresses}


def files(
    python: Python,
    answers: Mapping[str, Sequence[dict[str, Any]]],
    *,
    places: Mapping[str, str] = PLACES,
    course: Iterable[PackedLesson] = (),
    others: Mapping[str, bytes] | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Yield the names of the files and what is in each.

    Parameters
    ----------
    answers : what is packed in the page of the board, "play", and in Fisher's, "fisher".
    places : the addresses of the places that there are. course : the lessons and puzzles.
    others : the files of the lists, and what lies beside them, by their names.

    Raises
    ------
    ValueError
        One sentence: two files would have the same name, or one but for capitals, which some disks
        do not tell apart.
    """
    contents = {PLAYER: player().encode(), **python.files, **(others or {})}
    taken = {name.lower(): name for name in contents}

    def add(name: str, text: str) -> None:
        other = taken.setdefault(name.lower(), name)
        if name in contents or other != name:
            raise ValueError(f"Two files would be called {other}: give the lesson another name.")
        contents[name] = text.encode()

    for name, packed in answers.items():
        add(places["" if name == "play" else name], page(python, name, packed, places))
    for lesson in course:
        for name, packed in lesson.answers.items():
            add(lesson.addresses[name], page(python, name, packed, places, lesson))
    yield from contents.items()
    yield KEEPER, keeper(contents).encode()


def keeper(contents: Mapping[str, bytes]) -> str:
    """Return the service worker of a folder, which knows the versions of its files."""
    versions = {name: version(content) for name, content in contents.items()}
    known_files = f"const FILES = {json.dumps(versions, sort_keys=True)};"
    return modules.frontend(f"alone/{KEEPER}").replace("const FILES = {};", known_files)


@cache
def player() -> str:
    """Return the player with all its settings as one script, with styles and typeface."""
    return one_script(_ENTRY, _STYLES)


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
    title = _TITLES[name]
    language = "en"
    if lesson is not None:
        options["lesson"] = lesson.told
        title = lesson.title
        language = lesson.language
    later = packed[_FIRST_ANSWERS:]
    return _page(options, python.origins, title=title, language=language, later=later)


def lesson_page(
    lesson: PackedLesson, instead: str, *, theme: str = "auto", address: str | None = None
) -> str:
    """Return the page of a lesson as one file, with the player and without Python.

    `instead` : what it says of all that takes Python. `address` : where kpviz is, if that is known.
    """
    if theme not in THEMES:
        raise ValueError(f"theme is {theme!r}: give one of {', '.join(THEMES)}.")
    packed = lesson.answers["play"]
    options = {
        "python": {"worker": "", "size": 0},
        "page": "play",
        "places": {"": address or ""},
        "answers": [*packed[:_FIRST_ANSWERS]],
        "lesson": {**lesson.told, "addresses": {}},
        "instead": instead,
        "names": _NAMES,
    }
    later = packed[_FIRST_ANSWERS:]
    return _page(options, title=lesson.title, language=lesson.language, theme=theme, later=later)


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
    origins: Sequence[str] | None = None,
    *,
    title: str,
    folder: str = "",
    instead: str = "",
    later: Sequence[dict[str, Any]] = (),
    language: str = "en",
    theme: str = "auto",
) -> str:
    """Return a page that hands its options to the player of a folder.

    `origins` : the other hosts that it asks; None: it asks nobody, and has the player in it.
    `instead` : the picture that stands there without JavaScript. `later` : answers for which the
        first picture does not wait.
    """
    if origins is None:
        script = f"\n{player()}"
        allowed = digest(script)
        element = f"<script>{script}</script>"
        more = ""
        missing = ""
    else:
        nonce, element = loaded_script(player(), folder + PLAYER)
        # The page keeps what Python was compiled to, which Firefox takes for running it.
        allowed = f"{nonce}' 'wasm-unsafe-eval"
        missing = late(folder + PLAYER)
        hosts = " ".join(("'self'", *origins))
        more = f"; worker-src 'self'; connect-src {hosts}"
    main = "<main>" if language == "en" else '<main lang="en">'
    without = f"<noscript>{instead or NO_SCRIPT}</noscript>{missing}"
    body = (
        f'{main}<div class="kpviz">{without}</div></main>\n'
        f"{json_script(options, 'run')}\n{element}{''.join(map(json_script, later))}"
    )
    return document(
        body,
        title=title,
        theme=theme,
        style=_MARGINS,
        allowed_script=allowed,
        pictures=bool(instead),
        language=language,
        more=more,
    )
