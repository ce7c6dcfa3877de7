"""`kpviz site` and `kpviz lesson site`: board and lessons without a server, for any web space.

Tests: tests/commands/test_site.py, tests/commands/test_board_site.py.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from kpviz import packages
from kpviz.commands import CommandError, inputs, lesson, output, page_python, quoted
from kpviz.commands.work import Progress
from kpviz.export.page import board
from kpviz.export.page.board import PackedLesson
from kpviz.export.page.page import plain_address
from kpviz.export.page.site import Course, list_files, shipped_course
from kpviz.lessons import shelf
from kpviz.lessons.explain import counted
from kpviz.lessons.file.lesson import Lesson
from kpviz.service.packing import Place, packed_boards, packed_lesson

_NO_LESSONS = (
    "--handout, --slides, --back, --address and --no-solutions are about lessons, which --board "
    "leaves out: add --course."
)


def site(options: argparse.Namespace) -> int:
    """Write the board, a course, or both, which nobody has to ask for."""
    output.check_folder(options.out)
    is_whole = not options.board and options.course is None
    said_of_lessons = [options.papers, options.back, options.address, not options.has_solutions]
    if options.board and options.course is None and any(said_of_lessons):
        raise CommandError(_NO_LESSONS)
    course = None
    if is_whole or options.course is not None:
        course = _course(options.course or [], "Lessons", with_shipped=True)
    return _write(options, course, is_opened_by_board=is_whole or options.board)


def lesson_site(options: argparse.Namespace) -> int:
    """Write the lessons that are named, or all that come with kpviz."""
    output.check_folder(options.out)
    course = _course(options.sources, options.title or "", with_shipped=not options.sources)
    if options.title is None:
        course = course._replace(title="Lectures and lessons" if course.has_lectures else "Lessons")
    return _write(options, course, is_opened_by_board=False, first="wasi")


def _write(
    options: argparse.Namespace,
    course: Course | None,
    *,
    is_opened_by_board: bool,
    first: str = "pyodide",
) -> int:
    """Write the folder, all of it or nothing."""
    if options.address is not None:
        options.address = plain_address(options.address)
    with Progress() as progress:
        progress.bar(0, 2, "Python")
        python = page_python.chosen(options, first)
        progress.bar(1, 2, "pages")
        answers = packed_boards()
    if course is None:
        files = board.files(python, answers)
        return output.write_folder(options, options.out, files)
    own_lessons = {
        name: course.lessons[name] for name in course.own_names if name in course.lessons
    }
    course = course._replace(
        back=options.back,
        pictures=_made("picture", "No pictures", _picture, own_lessons) if own_lessons else {},
        papers=_papers(options, course.lessons),
    )
    places = {**board.PLACES, "lessons": board.LISTS["lessons"]}
    if course.puzzles:
        places["puzzles"] = board.LISTS["puzzles"]
    if not is_opened_by_board:
        places |= board.OF_COURSE
    files = board.files(
        python,
        answers,
        places=places,
        course=_packed(options, course),
        others=dict(list_files(course, places)),
    )
    shelves = {"lesson": course.lessons, "puzzle": course.puzzles}
    about = "".join(f"{counted(len(on), kind)}, " for kind, on in shelves.items() if on)
    return output.write_folder(options, options.out, files, about)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Say of which lesson a sentence about its scenes is."""
    try:
        yield
    except packages.MissingPackageError:
        raise
    except ValueError as error:
        raise CommandError(f"The lesson {name!r}: {error}") from None


def _packed(options: argparse.Namespace, course: Course) -> Iterator[PackedLesson]:
    names = list(course.all)
    with Progress() as progress:
        for name in progress.over(names, "lesson"):
            own_lesson = course.all[name] if name in course.own_names else None
            place = Place(names, course.after(name), options.address, not options.has_solutions)
            with _named(name):
                lesson_pages = packed_lesson(name, own_lesson, place=place)
            yield lesson_pages


def _course(sources: Sequence[str], title: str, *, with_shipped: bool) -> Course:
    """Return the lessons and puzzles that are named, before those that come with kpviz.

    A source is a folder of lessons, a file, or the name of a lesson that comes with kpviz.
    """
    own_names: list[str] = []
    lessons: dict[str, Lesson] = {}
    for name, path in (named for source in sources for named in _files_of(source)):
        if name in lessons:
            raise CommandError(f"Two lessons are called {name!r}: give one another name.")
        lessons[name] = lesson.read_file(str(path))
        if shelf.files().get(name) != path:
            own_names.append(name)
    for name, shipped in (shipped_course().all if with_shipped else {}).items():
        lessons.setdefault(name, shipped)
    puzzles = {name: lessons.pop(name) for name in [*lessons] if lessons[name].is_puzzle}
    return Course(lessons, puzzles, own_names, title)


def _files_of(source: str) -> list[tuple[str, Path]]:
    """Return the lessons of a source by their names."""
    folder = Path(source)
    if folder.is_dir():
        # With a dot before their names, some systems leave files of their own beside each.
        paths = sorted(folder.glob(f"[!.]*{shelf.SUFFIX}"))
        if not paths:
            raise CommandError(
                f"{quoted(source)} holds no lesson: their names end in {shelf.SUFFIX}."
            )
    else:
        paths = [inputs.path_of(source)]
    named = [(path.name.removesuffix(shelf.SUFFIX), path) for path in paths]
    for name, path in named:
        if path.is_file() and not shelf.NAME.fullmatch(name):
            raise CommandError(
                f"{quoted(str(path))} cannot be the name of a page: take letters, digits, - and _, "
                f"and then {shelf.SUFFIX}."
            )
    return named


def _papers(
    options: argparse.Namespace, lessons: Mapping[str, Lesson]
) -> dict[str, dict[str, bytes]]:
    """Return the PDFs of each lesson by what links to them say."""
    papers: dict[str, dict[str, bytes]] = {name: {} for name in lessons}
    for words, make in _PAPERS.items():
        if words.lower() in options.papers:
            for name, paper in _made(words.lower(), f"{words} left out", make, lessons).items():
                papers[name][words] = paper
    return papers


def _made(
    kind: str, without: str, make: Callable[[Lesson], bytes], lessons: Mapping[str, Lesson]
) -> dict[str, bytes]:
    """Make something of each lesson.

    Where the extra that it takes is not installed, say so in a sentence.
    """
    names = list(lessons)
    made: dict[str, bytes] = {}
    try:
        with Progress() as progress:
            for name in progress.over(names, kind):
                with _named(name):
                    made[name] = make(lessons[name])
    except packages.MissingPackageError as error:
        print(f"kpviz: {without}: {error}", file=sys.stderr)
    return made


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
