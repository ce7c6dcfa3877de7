"""`kpviz lesson site`: lectures and lessons as a folder of pages, to be put on any web space.

Tests: tests/commands/test_site.py.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from kpviz import packages
from kpviz.commands import CommandError, lesson, output, quoted
from kpviz.commands.work import Progress
from kpviz.export import writing
from kpviz.export.page.site import files
from kpviz.lessons import shelf
from kpviz.lessons.explain import counted
from kpviz.lessons.file.lesson import Lesson


def site(options: argparse.Namespace) -> int:
    """Write the site of a folder of lessons, all of it or nothing."""
    writing.check_folder(options.out)
    paths = _paths(options.folder)
    lessons = {name: lesson.read_file(str(paths[name])) for name in sorted(paths)}
    own_names = set() if options.folder is None else set(lessons)
    papers: dict[str, dict[str, bytes]] = {name: {} for name in lessons}
    for words, make in _PAPERS.items():
        if words.lower() in options.papers:
            for name, paper in _made(words.lower(), f"{words} left out", make, lessons).items():
                papers[name][words] = paper
    pictures = _made("picture", "No pictures", _picture, lessons) if own_names else None
    site_files = files(
        lessons,
        title=options.title,
        own_names=own_names,
        pictures=pictures,
        papers=papers,
        address=options.address,
        back=options.back,
    )

    def encoded_files() -> Iterator[tuple[str, bytes]]:
        pages = 0
        with Progress() as progress:
            for name, content in site_files:
                yield name, content.encode() if isinstance(content, str) else content
                pages += name.endswith(".html")
                progress.bar(pages, len(lessons) + 1, f"{pages} of {len(lessons) + 1} pages")

    about = f"{counted(len(lessons), 'lesson')}, "
    return output.write_folder(options, options.out, encoded_files(), about)


def _paths(folder: Path | None) -> dict[str, Path]:
    """Return the lessons of a folder, or those that come with kpviz."""
    paths = shelf.paths_in(folder)
    if folder is not None:
        paths = {name: path for name, path in paths.items() if path.parent == folder}
    if not paths:
        raise CommandError(
            f"{quoted(str(folder))} holds no lesson: their names end in {shelf.SUFFIX}."
        )
    return paths


def _made(
    kind: str, without: str, make: Callable[[Lesson], bytes], lessons: Mapping[str, Lesson]
) -> dict[str, bytes]:
    """Make something of each lesson.

    Where the extra that it takes is not installed, say so in a sentence.
    """
    names = list(lessons)
    try:
        with Progress() as progress:
            return {name: make(lessons[name]) for name in progress.over(names, kind)}
    except packages.MissingPackageError as error:
        print(f"kpviz: {without}: {error}", file=sys.stderr)
        return {}


def _handout(lesson: Lesson) -> bytes:
    with packages.needs("A handout", "print"):
        from kpviz.export.print import typeset
        from kpviz.export.print.handout import Handout

        return typeset.pdf(Handout(lesson).sheet())


def _slides(lesson: Lesson) -> bytes:
    with packages.needs("A PDF of slides", "plot"):
        from kpviz.export import scenes
        from kpviz.picture import figure
        from kpviz.picture.stage import RenderOptions

        made = scenes.slides(
            lesson, list(scenes.staged(lesson)), RenderOptions("light"), (12.8, 7.2)
        )
        return figure.pages([drawn for _, drawn in made], lesson.title, dpi=100)


def _picture(lesson: Lesson) -> bytes:
    with packages.needs("A picture", "plot"):
        from kpviz.export import lesson_picture

        return lesson_picture.picture(lesson)


_PAPERS: dict[str, Callable[[Lesson], bytes]] = {"Handout": _handout, "Slides": _slides}
