"""`kpviz lesson grade`: the results that a class handed in, computed again, as a table."""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from textwrap import shorten
from typing import NamedTuple

from kpviz.commands import CommandError, output, shown
from kpviz.commands.lesson import path_of, read_file
from kpviz.commands.work import Progress
from kpviz.lessons import grading, results, shelf
from kpviz.lessons.file import words
from kpviz.lessons.file.lesson import Lesson
from kpviz.lessons.grading import Grade, Place

_ROOM = 60  # characters of a question in the head of a column
# With what a spreadsheet would begin to compute, at the start of a cell, and of what it may take for one: where the
# comma is for decimals, a table that is opened by a double click is split at semicolons.
_FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")  # full-width, too


class Row(NamedTuple):
    """One student, the file, the lesson that it is for, and what it gets; `fault` where it cannot be graded."""

    student: str
    file: str
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
    with Progress() as progress:
        rows = [_row(path, path.relative_to(folder).as_posix(), lessons) for path in progress.over(files, "file")]
    output.write(options.out, _table(rows))
    failed = [row for row in rows if row.fault]
    for row in failed:
        print(f"kpviz: {shown(row.file)}: {row.fault}", file=sys.stderr)
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
    student = name.removesuffix(".json").removesuffix(".results")  # where the file does not say
    try:
        with path.open("rb") as file:
            found = results.read(file.read(results.MAX_BYTES + 1))
        student = found.student or student
        lesson = lessons.get(found.lesson) or lessons.get(found.title) if isinstance(lessons, dict) else lessons
        if lesson is None:
            why = f"There is no lesson named {shown(found.lesson)}: name its file by --lesson."
            return Row(student, name, None, None, why)
        return Row(student, name, lesson, grading.grade(found, lesson))
    except OSError as error:
        return Row(student, name, None, None, f"It cannot be read: {error.strerror}.")
    except ValueError as error:
        return Row(student, name, None, None, str(error))
    except RecursionError:
        return Row(student, name, None, None, "It is nested too deeply.")


def _table(rows: Sequence[Row]) -> str:
    """Return the table as CSV: all points, two columns for each task that is graded, and below it what the class did.

    What was written in own words follows as a list, from the first task to the last.
    """
    lessons = list({id(row.lesson): row.lesson for row in rows if row.lesson is not None}.values())
    places = sorted({place for lesson in lessons for place in grading.graded(lesson)})
    written = sorted({place for lesson in lessons for place in grading.places(lesson)} - set(places))
    table: list[list[str | float]] = [["student", "points", "of"]]
    for place in places:
        table[0] += [
            f"{grading.named(place)} right: {_asked(place, lessons)}",
            f"{grading.named(place)} tries (reported)",
        ]
    table[0] += ["begun (reported)", "lesson", "file", "notes"]
    for row in rows:
        grade, lesson = row.grade, row.lesson
        line: list[str | float] = [
            row.student,
            *((grade.points, len(grading.graded(lesson))) if grade and lesson else ("", "")),
        ]
        for mark in (grade.marks.get(place) if grade else None for place in places):
            line += [
                "" if mark is None or mark.right is None else "yes" if mark.right else "no",
                mark.tries if mark else "",
            ]
        notes = " ".join(grade.notes) if grade else row.fault
        table.append([*line, grade.begun if grade else "", lesson.title if lesson else "", row.file, notes])
    if grades := [row.grade for row in rows if row.grade]:
        table += [_average(grades, places), _most(grades, places)]
    texts = [(place, row) for place in written for row in rows if row.grade and place in row.grade.marks]
    table += [[]] * bool(texts)
    for place, row in texts:
        assert row.grade
        task = f"{grading.named(place)} {_asked(place, lessons)}"
        table.append([task, row.student, row.grade.marks[place].text])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [[_harmless(cell) if isinstance(cell, str) else cell for cell in line] for line in table]
    )
    return text.getvalue()


def _average(grades: Sequence[Grade], places: Sequence[Place]) -> list[str | float]:
    """Return the row of averages, of those who answered: points, and of each task how many are right, and tries."""
    line: list[str | float] = ["average", round(fmean(grade.points for grade in grades), 2), ""]
    for place in places:
        marks = [grade.marks[place] for grade in grades if place in grade.marks]
        line += (
            [f"{fmean(mark.points for mark in marks):.0%}", round(fmean(mark.tries for mark in marks), 2)]
            if marks
            else ["", ""]
        )
    return line


def _most(grades: Sequence[Grade], places: Sequence[Place]) -> list[str | float]:
    """Return the row of the wrong answer that most students gave, with their number."""
    line: list[str | float] = ["wrong answer given most", "", ""]
    for place in places:
        counts = Counter(said for grade in grades if place in grade.marks for said in grade.marks[place].wrong)
        line += [f"{said} ({count})" for said, count in counts.most_common(1)] or [""]
        line.append("")
    return line


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
