"""A course as a folder of pages.

An index of lectures and lessons, a page for each, and the one player that they share.

All files lie side by side and name each other by relative addresses, so that the folder works from
a disk, below any path of a web space, and in a frame.

Tests: tests/commands/test_site.py, tests/browser/test_site.py.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator, Mapping

from kpviz.export.page import cards
from kpviz.export.page.lesson import lesson_page
from kpviz.export.page.page import Place, digest, document, shared_player, typeface
from kpviz.lessons import shelf
from kpviz.lessons.file.lesson import Lesson
from kpviz.lessons.languages import translate
from kpviz.lessons.shelf import Shelves
from kpviz.player import modules

PLAYER = "kpviz.js"
INDEX = "index.html"
TITLE = "Lectures and lessons"
_UNKEPT = (
    "Your progress is not kept here: this page is in a frame in which the browser stores nothing. "
    "Open it in a window of its own to keep it."
)
_STYLE = (
    "body { font-size: 16px; line-height: 1.45; } h1 { margin: 8px 0 16px; font-size: 28px; "
    "line-height: 1.25; }"
)


def files(
    lessons: Mapping[str, Lesson],
    *,
    title: str = TITLE,
    own_names: Collection[str] = (),
    pictures: Mapping[str, bytes] | None = None,
    papers: Mapping[str, Mapping[str, bytes]] | None = None,
    address: str | None = None,
    back: str | None = None,
) -> Iterator[tuple[str, str | bytes]]:
    """Yield the names of the files of a course and what is in each, one lesson after the other.

    Parameters
    ----------
    lessons : by name, in their order. own_names : those that did not come with kpviz.
    title : of the index. pictures : as webp, by name; None: those that came with kpviz.
    papers : PDFs by what links to them say, by the name of the lesson.
    address : where kpviz is, for what a page cannot do itself. back : where a link above the index
        leads, if one does.

    Raises
    ------
    ValueError
        One sentence: a lesson has no solutions, or a link of it has no run.
    """
    yield PLAYER, shared_player()
    papers = papers or {}
    papers_of = {
        name: [(words, f"{name}-{words.lower()}.pdf") for words in papers.get(name, {})]
        for name in lessons
    }
    shelves = shelf.arrange(
        {name: lesson_named.lecture for name, lesson_named in lessons.items()}, own_names
    )
    for name, lesson in lessons.items():
        after = shelf.following(name, shelves)
        following = None if after is None else {"name": after, "title": lessons[after].title}
        links = [(title, INDEX), *papers_of[name]]
        spoken = [(translate(words, lesson.language), to) for words, to in links]
        place = Place(PLAYER, tuple(spoken))
        try:
            text = lesson_page(lesson, name, address=address, place=place, following=following)
        except ValueError as error:
            raise ValueError(f"The lesson {name!r}: {error}") from None
        yield f"{name}.html", text
        for words, content in papers.get(name, {}).items():
            yield f"{name}-{words.lower()}.pdf", content
    yield INDEX, _index(lessons, title, shelves, pictures, papers_of, back)


def _index(
    lessons: Mapping[str, Lesson],
    title: str,
    shelves: Shelves,
    pictures: Mapping[str, bytes] | None,
    papers_of: Mapping[str, list[tuple[str, str]]],
    back: str | None,
) -> str:
    languages = {lesson.language for lesson in lessons.values()}
    language = languages.pop() if len(languages) == 1 else "en"
    script = (
        f"{cards.script(language)}(() => {{\n{modules.script('page/framed.js')}\nstart();\n}})();"
    )
    papers = {
        name: "".join(
            f"<a class='paper' href='{html.escape(to)}'>"
            f"{html.escape(translate(words, language))}</a> "
            for words, to in links
        )
        for name, links in papers_of.items()
    }
    listed = cards.listing(
        lessons,
        shelves,
        "{}.html",
        heading="Lessons",
        pictures=pictures,
        links_of=papers,
        language=language,
    )
    back_words = f"← {translate('Back', language)}"
    way_back = "" if back is None else f"<nav><a href='{html.escape(back)}'>{back_words}</a></nav>"
    title = translate(title, language)
    body = (
        "<main><div class='kpviz-lessons auto' "
        f"style='{cards.accent()}'>{way_back}<h1>{html.escape(title)}</h1>"
        "<p class='unkept' role='status' "
        f"hidden>{translate(_UNKEPT, language)}</p>{listed}</div></main>\n<script>{script}</script>"
    )
    style = f"{typeface()}\n{cards.style()}\n{_STYLE}"
    return document(
        body, title=title, theme="auto", style=style, script=digest(script), language=language
    )
