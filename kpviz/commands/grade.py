"""`kpviz lesson grade`: the results that a class handed in, computed again, as a table."""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

from kpviz.commands import CommandError, output, shown
from kpviz.commands.lesson import path_of, read_file
from kpviz.lessons import grading, results, shelf
from kpviz.lessons.file import words
from kpviz.lessons.file.lesson import Lesson
from kpviz.lessons.grading import Grade, Place

_ROOM = 60  # characters of a question in the head of a column
# With what a spreadsheet would begin to compute, at the start of a cell, and of what it may take for one: where the
# comma is for decimals, a table that is opened by a double click is split at semicolons.
_FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")  # full-width, too


class Row(NamedTuple):
    """One student: the file's name, the lesson that it is for, and what it gets; `fault` where it cannot be graded."""

    student: str
    lesson: Lesson | None
    grade: Grade | None
    fault: str = ""


def grade(options: argparse.Namespace) -> int:
    """Grade every file of a folder; return 1 if one could not be."""
    output.check([options.out])
    folder = Path(options.folder)
    if not folder.is_dir():
        raise CommandError(f"{shown(options.folder)} is not a folder: name the one with the files of your students.")
    lessons = _lessons(options.lesson)
    files = sorted(path for path in folder.rglob("*.json") if path.is_file())
    if not files:
        raise CommandError(f"There are no files of results (.json) in {shown(options.folder)}.")
    rows = [_row(path, path.relative_to(folder).as_posix(), lessons) for path in files]
    output.write(options.out, _table(rows))
    failed = [row for row in rows if row.fault]
    for row in failed:
        print(f"kpviz: {shown(row.student)}: {row.fault}", file=sys.stderr)
    noted = sum(bool(row.grade and row.grade.notes) for row in rows)
    counts = f"{len(rows) - len(failed)} graded, {noted} with notes, {len(failed)} not readable"
    output.say(options, options.out, f": {counts}")
    return int(bool(failed))


def _lessons(given: str | None) -> dict[str, Lesson] | Lesson:
    """Return the lesson that all files are for, or those of a folder and of kpviz by their names and titles."""
    folder = Path(given) if given is not None and Path(given).is_dir() else None
    if given is not None and folder is None:
        return _lesson(path_of(given))
    read: dict[str, Lesson] = {}
    for name, path in shelf.paths_in(folder).items():
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


def _row(path: Path, name: str, lessons: dict[str, Lesson] | Lesson) -> Row:
    """Grade one file; whatever is wrong with it is said in its row."""
    student = name.removesuffix(".json").removesuffix(".results")
    try:
        with path.open("rb") as file:
            found = results.read(file.read(results.MAX_BYTES + 1))
        lesson = lessons.get(found.lesson) or lessons.get(found.title) if isinstance(lessons, dict) else lessons
        if lesson is None:
            return Row(
                student, None, None, f"There is no lesson named {shown(found.lesson)}: name its file by --lesson."
            )
        return Row(student, lesson, grading.grade(found, lesson))
    except OSError as error:
        return Row(student, None, None, f"It cannot be read: {error.strerror}.")
    except ValueError as error:
        return Row(student, None, None, str(error))
    except RecursionError:
        return Row(student, None, None, "It is nested too deeply.")


def _table(rows: Sequence[Row]) -> str:
    """Return the table as CSV: four columns for each task, a fifth for what is written in own words."""
    lessons = list({id(row.lesson): row.lesson for row in rows if row.lesson is not None}.values())
    places = sorted({place for lesson in lessons for place in grading.places(lesson)})
    texts = {place for lesson in lessons for place in grading.places(lesson) if place not in grading.graded(lesson)}
    heads = ["student", "lesson"]
    for place in places:
        name = grading.named(place)
        heads += [f"{name} right: {_asked(place, lessons)}", f"{name} tries (reported)", f"{name} answered (reported)"]
        heads += [f"{name} points", *([f"{name} text"] if place in texts else [])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*heads, "points", "of", "begun (reported)", "notes"])
    for row in rows:
        line: list[str | int] = [row.student, row.lesson.title if row.lesson else ""]
        graded = grading.graded(row.lesson) if row.lesson else []
        for place in places:
            mark = row.grade.marks.get(place) if row.grade else None
            right = "" if mark is None or mark.right is None else "yes" if mark.right else "no"
            line += [right, *((mark.tries, mark.at) if mark else ("", ""))]
            line.append((mark.points if mark else 0) if place in graded else "")
            line += [mark.text if mark else ""] if place in texts else []
        grade = row.grade
        line += [grade.points, len(graded), grade.begun, " ".join(grade.notes)] if grade else ["", "", "", row.fault]
        writer.writerow([_harmless(cell) if isinstance(cell, str) else cell for cell in line])
    return text.getvalue()


def _asked(place: Place, lessons: Sequence[Lesson]) -> str:
    """Return what the task of a place asks, as far as a head has room; of each lesson, where there are several."""
    found = [grading.places(lesson).get(place) for lesson in sorted(lessons, key=lambda each: each.title)]
    texts = [words.plain(words.inline(task.ask)) for task in found if task is not None]
    return " / ".join(dict.fromkeys(shorten(text, _ROOM, placeholder=" …") for text in texts))


def _harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula, nor any part of it.

    >>> _harmless("=1+1"), _harmless("Ada"), _harmless("Ada;=1+1")
    ("'=1+1", 'Ada', "Ada;'=1+1")
    """
    text = _FORMULA.sub(r"\1'", cell)
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)
