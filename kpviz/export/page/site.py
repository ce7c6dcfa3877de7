"""The lists of a folder of pages: its lessons, with which a course begins, and its puzzles.

All files lie side by side and name each other by relative addresses, so that the folder works from
a disk, below any path of a web space, and in a frame.

Tests: tests/commands/test_site.py, tests/browser/test_site.py.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from kpviz.export.page import cards
from kpviz.export.page.page import digest, document, typeface
from kpviz.lessons import shelf
from kpviz.lessons.file.lesson import Lesson
from kpviz.lessons.languages import translate
from kpviz.player import modules

_UNKEPT = (
    "Your progress is not kept here: this page is in a frame in which the browser stores nothing. "
    "Open it in a window of its own to keep it."
)
_PLACE_WORDS = {"": "Board", "lessons": "Lessons", "puzzles": "Puzzles", "fisher": "Fisher"}
_STYLE = (
    "body { font-size: 16px; line-height: 1.45; } h1 { margin: 8px 0 16px; font-size: 28px; "
    "line-height: 1.25; } "
    ".kpviz-lessons > nav { display: flex; flex-wrap: wrap; gap: 0 16px; padding: 8px 0; } "
    ".kpviz-lessons > nav a { color: inherit; } "
    ".kpviz-lessons > nav [aria-current] { color: var(--accent); font-weight: 600; } "
    ".puzzles header { height: auto; overflow: visible; white-space: normal; } "
    "h1:has(+ .unkept + .puzzles) { position: absolute; clip-path: inset(50%); }"
)


class Course(NamedTuple):
    """The lessons and puzzles of a folder.

    Attributes
    ----------
    lessons, puzzles : by name, in their order. own_names : those that did not come with kpviz.
    title : of the list of lessons. pictures : of one's own lessons as webp, by name.
    papers : PDFs by what links to them say, by the name of the lesson.
    back : where a link above the lists leads, if one does.
    """

    lessons: Mapping[str, Lesson]
    puzzles: Mapping[str, Lesson]
    own_names: Collection[str] = ()
    title: str = "Lessons"
    pictures: Mapping[str, bytes] = {}
    papers: Mapping[str, Mapping[str, bytes]] = {}
    back: str | None = None

    @property
    def all(self) -> dict[str, Lesson]:
        """Lessons and puzzles."""
        return {**self.lessons, **self.puzzles}

    @property
    def shelves(self) -> shelf.Shelves:
        """The order of the lessons."""
        lectures = {name: lesson.lecture for name, lesson in self.lessons.items()}
        return shelf.arrange(lectures, self.own_names)

    @property
    def has_lectures(self) -> bool:
        """Whether lectures are among the lessons, each with its own."""
        _, lectures, _ = self.shelves
        return bool(lectures)

    def after(self, name: str) -> dict[str, str] | None:
        """Return name and title of what comes after a lesson or a puzzle, None after the last."""
        puzzles = list(self.puzzles)
        if name in self.puzzles:
            after = next(iter(puzzles[puzzles.index(name) + 1 :]), None)
        else:
            after = shelf.following(name, self.shelves)
        return None if after is None else {"name": after, "title": self.all[after].title}


def shipped_course() -> Course:
    """Return all lessons and puzzles that come with kpviz."""
    lessons = {name: shelf.read(name) for name in sorted(shelf.paths_in(None))}
    puzzles = {name: shelf.read(name) for name in shelf.shipped_puzzles()}
    return Course(lessons, puzzles)


def list_files(course: Course, places: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield the names of the lists and of the PDFs, and what is in each.

    `places` : the addresses of the places that there are, by their names.
    """
    languages = {lesson.language for lesson in course.lessons.values()}
    language = languages.pop() if len(languages) == 1 else "en"
    papers = {
        name: "".join(
            f"<a class='paper' href='{html.escape(_paper(name, words))}'>"
            f"{html.escape(translate(words, language))}</a> "
            for words in made
        )
        for name, made in course.papers.items()
    }
    listed = {"lessons": (course.title, language)}
    listed |= {"puzzles": ("Puzzles", "en")} if course.puzzles else {}
    for here, (title, spoken) in listed.items():
        listing = (
            cards.puzzles(course.puzzles, "{}.html", "Puzzles")
            if here == "puzzles"
            else cards.listing(
                course.lessons,
                course.shelves,
                "{}.html",
                heading="Lessons" if course.has_lectures else "",  # The title is above them.
                pictures=course.pictures,
                links_of=papers,
                language=spoken,
            )
        )
        yield places[here], _page(listing, title, here, course.back, places, spoken).encode()
    for name, made in course.papers.items():
        for words, content in made.items():
            yield _paper(name, words), content


def _paper(name: str, words: str) -> str:
    return f"{name}-{words.lower()}.pdf"


def _page(
    listing: str,
    title: str,
    here: str,
    back: str | None,
    places: Mapping[str, str],
    language: str,
) -> str:
    """Return the page of a list, with the way to the other places."""
    framed = modules.script("page/framed.js")
    script = f"{cards.script(language)}(() => {{\n{framed}\nstart();\n}})();"
    anchors = "".join(
        f"<a href='{places[name]}'{' aria-current=page' if name == here else ''}>"
        f"{translate(words, language)}</a>"
        for name, words in _PLACE_WORDS.items()
        if name in places
    )
    back_words = f"← {translate('Back', language)}"
    way_back = "" if back is None else f"<a href='{html.escape(back)}'>{back_words}</a>"
    title = translate(title, language)
    body = (
        f"<main><div class='kpviz-lessons auto' style='{cards.accent()}'>"
        f"<nav aria-label='Pages'>{way_back}{anchors}</nav><h1>{html.escape(title)}</h1>"
        "<p class='unkept' role='status' "
        f"hidden>{translate(_UNKEPT, language)}</p>{listing}</div></main>\n"
        f"<script>{script}</script>"
    )
    return document(
        body,
        title=title,
        theme="auto",
        style=f"{typeface()}\n{cards.style()}\n{_STYLE}",
        allowed_script=digest(script),
        language=language,
    )
