"""`kpviz grade`: the results that a class handed in, computed again, as a table."""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import shorten

from kpviz.commands import CommandError, output, shown
from kpviz.commands.lesson import read_file
from kpviz.lessons import grading, results, shelf
from kpviz.lessons.file import words
from kpviz.lessons.file.lesson import Lesson
from kpviz.lessons.grading import Grade, Place

_ROOM = 60  # characters of a question in the head of a column
# With what a spreadsheet would begin to compute, at the start of a cell, and of what it may take for one: where the
# comma is for decimals, a table that is opened by a double click is split at semicolons.
_FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")  # full-width, too


@dataclass(frozen=True)
class Row:
    """One student: the file's name, the lesson that it is for, and what it gets; `fault` where it cannot be graded."""

    student: str
    lesson: Lesson | None
    grade: Grade | None
    fault: str = ""


def grade(options: argparse.Namespace) -> int:
    """Grade every file of a folder; return 1 if one could not be."""
    output.check(options.out)
    folder = Path(options.folder)
    if not folder.is_dir():
        raise CommandError(f"{shown(options.folder)} is not a folder: name the one with the files of your students.")
    lessons = _Lessons(options.lesson, options.lessons)
    files = sorted(path for path in folder.rglob("*.json") if path.is_file())
    if not files:
        raise CommandError(f"There are no files of results (.json) in {shown(options.folder)}.")
    rows = [_row(path, _student(path, folder), lessons) for path in files]
    output.write(options.out, _table(rows))
    failed = [row for row in rows if row.fault]
    for row in failed:
        print(f"kpviz: {shown(row.student)}: {row.fault}", file=sys.stderr)
    if not options.quiet and options.out != output.STANDARD:
        noted = sum(bool(row.grade and row.grade.notes) for row in rows)
        print(f"wrote {options.out}: {len(rows) - len(failed)} graded, {noted} with notes, {len(failed)} not readable")
    return int(bool(failed))


class _Lessons:
    """Where the lessons are: one file for all, or a folder and what comes with kpviz."""

    def __init__(self, file: str | None, folder: str | None) -> None:
        if folder is not None and not Path(folder).is_dir():
            raise CommandError(f"{shown(folder)} is not a folder: name one that holds lessons (*{shelf.SUFFIX}).")
        self._folder = None if folder is None else Path(folder)
        self._only = None if file is None else _lesson(Path(file))

    def of(self, found: results.Results) -> Lesson:
        """Return the lesson of some results, by the name or the title that they give."""
        if self._only is not None:
            return self._only
        lesson = self._all.get(found.lesson) or self._all.get(found.title)
        if lesson is None:
            raise ValueError(f"There is no lesson named {shown(found.lesson)}: name its file by --lesson.")
        return lesson

    @cached_property
    def _all(self) -> dict[str, Lesson]:
        """The lessons by the names of their files and by their titles; of the same name the folder's own counts."""
        read: dict[str, Lesson] = {}
        for name, path in shelf.paths_in(self._folder).items():
            try:
                read[name] = _lesson(path)
            except ValueError as error:
                print(f"kpviz: {error}", file=sys.stderr)
        return {**{lesson.title: lesson for lesson in reversed(read.values())}, **read}


def _lesson(path: Path) -> Lesson:
    lesson = read_file(str(path))
    if lesson.students:
        raise CommandError(f"{shown(str(path))} is a copy without solutions: name the lesson itself.")
    return lesson


def _student(path: Path, folder: Path) -> str:
    """Return the name of a file in its folder, without its ending."""
    return path.relative_to(folder).as_posix().removesuffix(".json").removesuffix(".results")


def _row(path: Path, student: str, lessons: _Lessons) -> Row:
    """Grade one file; whatever is wrong with it is said in its row."""
    try:
        with path.open("rb") as file:
            found = results.read(file.read(results.MAX_BYTES + 1))
        lesson = lessons.of(found)
        grade = grading.grade(found, lesson)
    except OSError as error:
        return Row(student, None, None, f"It cannot be read: {error.strerror}.")
    except ValueError as error:
        return Row(student, None, None, str(error))
    except RecursionError:
        return Row(student, None, None, "It is nested too deeply.")
    return Row(student, lesson, grade)


def _table(rows: Sequence[Row]) -> str:
    """Return the table as CSV."""
    lessons = list({id(row.lesson): row.lesson for row in rows if row.lesson is not None}.values())
    places = sorted({place for lesson in lessons for place in grading.places(lesson)})
    texts = {place for lesson in lessons for place in grading.places(lesson) if place not in grading.graded(lesson)}
    heads = [_heads(place, _asked(place, lessons), texts) for place in places]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    last = ["points", "of", "begun (reported)", "notes"]
    writer.writerow(["student", "lesson", *(head for each in heads for head in each), *last])
    for row in rows:
        cells = [cell for place in places for cell in _cells(row, place, texts)]
        grade = row.grade
        total = [grade.points, len(grading.graded(row.lesson)), grade.begun] if grade and row.lesson else [""] * 3
        title = row.lesson.title if row.lesson else ""
        line = [row.student, title, *cells, *total, " ".join(grade.notes) if grade else row.fault]
        writer.writerow([_harmless(cell) if isinstance(cell, str) else cell for cell in line])
    return text.getvalue()


def _asked(place: Place, lessons: Sequence[Lesson]) -> str:
    """Return what the task of a place asks, as far as a head has room; of each lesson, where there are several."""
    found = [grading.places(lesson).get(place) for lesson in sorted(lessons, key=lambda each: each.title)]
    texts = [words.plain(words.inline(task.ask)) for task in found if task is not None]
    return " / ".join(dict.fromkeys(shorten(text, _ROOM, placeholder=" …") for text in texts))


def _heads(place: Place, asked: str, texts: set[Place]) -> list[str]:
    name = grading.named(place)
    own = [f"{name} text"] if place in texts else []
    return [f"{name} right: {asked}", f"{name} tries (reported)", f"{name} answered (reported)", f"{name} points", *own]


def _cells(row: Row, place: Place, texts: set[Place]) -> list[str | int]:
    mark = row.grade.marks.get(place) if row.grade else None
    is_graded = row.lesson is not None and place in grading.graded(row.lesson)
    empty: list[str | int] = [""] * (5 if place in texts else 4)
    if mark is None:
        return [*empty[:3], 0, *empty[4:]] if is_graded else empty
    right = "" if mark.right is None else "yes" if mark.right else "no"
    own = [mark.text] if place in texts else []
    return [right, mark.tries, mark.at, mark.points if is_graded else "", *own]


def _harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula, nor any part of it.

    >>> _harmless("=1+1"), _harmless("Ada"), _harmless("Ada;=1+1")
    ("'=1+1", 'Ada', "Ada;'=1+1")
    """
    text = _FORMULA.sub(r"\1'", cell)
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)
