"""`kpviz lesson grade`: the results that a class handed in are computed again.

It writes a table of points, and a report.

Tests: tests/commands/test_grade.py.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from textwrap import shorten
from typing import NamedTuple

from kpviz.commands import CommandError, output, quoted
from kpviz.commands.inputs import path_of
from kpviz.commands.lesson import read_file
from kpviz.commands.work import Progress
from kpviz.lessons import grading, results, shelf
from kpviz.lessons.explain import counted
from kpviz.lessons.file import words
from kpviz.lessons.file.lesson import Lesson
from kpviz.lessons.grading import Grade, Place

_ROOM = 60  # In characters: so much of a question stands in the head of a column.
# The place before a sign that begins a formula, a full-width one too, where a cell may begin: at
# the start of a text, after a line's end or a tab, and after a semicolon. Where decimals have a
# comma, a spreadsheet splits a table that is opened by a double click at semicolons.
_FORMULA = re.compile(r"(^|[;\t\r\n])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])")


class StudentRow(NamedTuple):
    """One student, the file, the lesson that it is for, and what it gets.

    `fault` where it cannot be graded.
    """

    student: str
    id: str
    file: str
    lesson: Lesson | None
    grade: Grade | None
    fault: str = ""


def grade(options: argparse.Namespace) -> int:
    """Grade every file of a folder; return 1 if one could not be."""
    report = _report_of(options)
    targets = [options.out, *([report] if report else [])]
    folder = Path(options.folder)
    if not os.path.isdir(options.folder):
        raise CommandError(
            f"{quoted(options.folder)} is not a folder: name the one with the files of your "
            "students."
        )
    files = sorted(path for path in folder.rglob("*.json") if path.is_file())
    shelf_folder = _folder_of(options.lesson)
    shelf_paths = shelf.paths_in(shelf_folder) if options.lesson is None or shelf_folder else {}
    output.check(options, targets, [*files, *shelf_paths.values()])
    _check_outside(folder, targets)
    lessons = _lessons(options.lesson)
    if not files:
        raise CommandError(f"There are no files of results (.json) in {quoted(options.folder)}.")
    with Progress() as progress:
        rows = [
            _row(path, path.relative_to(folder).as_posix(), lessons)
            for path in progress.over(files, "file")
        ]
    output.write(options.out, _table(rows))
    if report:
        output.write(report, _report(rows))
    failed = [row for row in rows if row.fault]
    for row in failed:
        print(f"kpviz: {quoted(row.file)}: {row.fault}", file=sys.stderr)
    noted = sum(bool(row.grade and row.grade.notes) for row in rows)
    counts = f"{len(rows) - len(failed)} graded, {noted} with notes, {len(failed)} not readable"
    output.say(options, options.out, f": {counts}")
    if report:
        output.say(options, report, ": averages, wrong answers, and what was written in own words")
    return int(bool(failed))


def _report_of(options: argparse.Namespace) -> str | None:
    """Return the file of the report: the one that is named, else beside the table; None where that
    is printed.
    """
    named: str | None = options.report
    if named is not None or options.out == output.STANDARD:
        return named
    return str(Path(options.out).with_suffix(".report.md"))


def _check_outside(folder: Path, targets: Sequence[str]) -> None:
    """Refuse a name under which the next grading would take a table for results of a student."""
    for target in targets:
        place = Path(target).resolve()
        if place.suffix.lower() == ".json" and place.is_relative_to(folder.resolve()):
            raise CommandError(
                f"{quoted(target)} would be taken for the results of a student: name a file "
                "elsewhere."
            )


def _folder_of(lesson_name: str | None) -> Path | None:
    return Path(lesson_name) if lesson_name is not None and os.path.isdir(lesson_name) else None


def _lessons(lesson_name: str | None) -> dict[str, Lesson] | Lesson:
    """Return the lesson of all files, or those of a folder and of kpviz by name and title."""
    folder = _folder_of(lesson_name)
    if lesson_name is not None and folder is None:
        return _lesson(path_of(lesson_name))
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
        raise CommandError(
            f"{quoted(str(path))} is a copy without solutions: name the lesson itself."
        )
    return lesson


def _row(path: Path, name: str, lessons: dict[str, Lesson] | Lesson) -> StudentRow:
    """Grade one file; whatever is wrong with it is said in its row."""
    # The name of the file says it where the file does not.
    student = name.removesuffix(".json").removesuffix(".results")
    number = ""
    try:
        with path.open("rb") as file:
            handed_in = results.read(file.read(results.MAX_BYTES + 1))
        student = handed_in.student or student
        number = handed_in.id
        lesson = (
            lessons.get(handed_in.lesson) or lessons.get(handed_in.title)
            if isinstance(lessons, dict)
            else lessons
        )
        if lesson is None:
            why = f"There is no lesson named {quoted(handed_in.lesson)}: name its file by --lesson."
            return StudentRow(student, number, name, None, None, why)
        return StudentRow(student, number, name, lesson, grading.grade(handed_in, lesson))
    except OSError as error:
        return StudentRow(
            student, number, name, None, None, f"It cannot be read: {error.strerror}."
        )
    except ValueError as error:
        return StudentRow(student, number, name, None, None, str(error))
    except RecursionError:
        return StudentRow(student, number, name, None, None, "It is nested too deeply.")


def _table(rows: Sequence[StudentRow]) -> str:
    """Return one table as CSV, which a gradebook reads.

    A line for each file, with the points of each task.
    """
    lessons = _lessons_of(rows)
    places = _graded(lessons)
    has_ids = any(row.id for row in rows)
    head = ["student", *(["id"] if has_ids else []), "points", "of"]
    for place in places:
        named = grading.named(place)
        head += [f"{named} points: {_task_words(place, lessons)}", f"{named} tries (reported)"]
    table: list[list[str | float]] = [[*head, "begun (reported)", "lesson", "file", "notes"]]
    for row in rows:
        grade = row.grade
        lesson = row.lesson
        line: list[str | float] = [row.student, *([row.id] if has_ids else [])]
        line += (grade.points, len(grading.graded(lesson))) if grade and lesson else ("", "")
        for mark in (grade.marks.get(place) if grade else None for place in places):
            line += (
                ["", ""]
                if mark is None
                else ["" if mark.right is None else mark.points, mark.tries]
            )
        notes = " ".join(grade.notes) if grade else row.fault
        table.append(
            [*line, grade.begun if grade else "", lesson.title if lesson else "", row.file, notes]
        )
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [[_harmless(cell) if isinstance(cell, str) else cell for cell in line] for line in table]
    )
    return text.getvalue()


def _lessons_of(rows: Sequence[StudentRow]) -> list[Lesson]:
    return list({id(row.lesson): row.lesson for row in rows if row.lesson is not None}.values())


def _graded(lessons: Sequence[Lesson]) -> list[Place]:
    return sorted({place for lesson in lessons for place in grading.graded(lesson)})


# ---- the report ---


def _report(rows: Sequence[StudentRow]) -> str:
    """Return what the class did, in Markdown.

    Averages, wrong answers, what is to be looked at, and all own words.
    """
    lessons = _lessons_of(rows)
    places = _graded(lessons)
    written = sorted(
        {place for lesson in lessons for place in grading.places(lesson)} - set(places)
    )
    grades = [row.grade for row in rows if row.grade]
    parts = [
        f"# {_plain(' / '.join(dict.fromkeys(lesson.title for lesson in lessons)) or 'Results')}"
    ]
    if grades:
        average = fmean(grade.points for grade in grades)
        parts.append(f"{counted(len(grades), 'file')} graded. Average: {average:.2f} points.")
        heads = ("Task", "Answered", "Right", "Tries on average", "Wrong answer given most")
        lines = [_task_line(place, grades, lessons) for place in places]
        parts.append("\n".join([_cells(heads), _cells(["---"] * len(heads)), *lines]))
    noted = [
        (row, note) for row in rows for note in (row.grade.notes if row.grade else (row.fault,))
    ]
    if noted:
        lines = [
            f"- {_plain(row.student)} ({_plain(row.file)}): {_plain(note)}" for row, note in noted
        ]
        parts += ["## To be looked at", "\n".join(lines)]
    for place in written:
        texts = [
            (row, row.grade.marks[place].text)
            for row in rows
            if row.grade and place in row.grade.marks
        ]
        if texts:
            parts.append(f"## {grading.named(place)} {_plain(_task_words(place, lessons))}")
            parts += _same_words(texts)
            parts += [f"**{_plain(row.student)}**\n\n{_quoted(text)}" for row, text in texts]
    return "\n\n".join(parts) + "\n"


def _task_line(place: Place, grades: Sequence[Grade], lessons: Sequence[Lesson]) -> str:
    """Return a task's row of the report, of those who answered it."""
    marks = [grade.marks[place] for grade in grades if place in grade.marks]
    counts = Counter(answer for mark in marks for answer in mark.wrong)
    most = ", ".join(f"{_plain(answer)} ({count})" for answer, count in counts.most_common(1))
    right = f"{fmean(mark.points for mark in marks):.0%}" if marks else ""
    tries = f"{fmean(mark.tries for mark in marks):.2f}" if marks else ""
    return _cells(
        [
            f"{grading.named(place)} {_plain(_task_words(place, lessons))}",
            str(len(marks)),
            right,
            tries,
            most,
        ]
    )


def _cells(texts: Sequence[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _same_words(texts: Sequence[tuple[StudentRow, str]]) -> list[str]:
    """Say who wrote the same words, whatever their blanks and capitals."""
    writers: dict[str, list[str]] = {}
    for row, text in texts:
        writers.setdefault(" ".join(text.split()).casefold(), []).append(row.student)
    return [
        f"The same words: {', '.join(map(_plain, students))}."
        for text, students in writers.items()
        if text and len(students) > 1
    ]


def _plain(text: str) -> str:
    r"""Return a text that Markdown shows as it is, on one line.

    >>> print(_plain("a|b <c> [d]"))
    a\|b \<c\> \[d\]
    """
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", line)


def _quoted(text: str) -> str:
    return "\n".join(f"> {_plain(line)}".rstrip() for line in text.splitlines() or [""])


def _task_words(place: Place, lessons: Sequence[Lesson]) -> str:
    """Return what the task of a place asks, as far as a head has room, with its lesson where there
    are several.
    """
    tasks = [
        grading.places(lesson).get(place)
        for lesson in sorted(lessons, key=lambda lesson: lesson.title)
    ]
    texts = [words.plain(words.inline(task.ask)) for task in tasks if task is not None]
    return " / ".join(dict.fromkeys(shorten(text, _ROOM, placeholder=" …") for text in texts))


def _harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula, nor any part of it.

    >>> _harmless("=1+1"), _harmless("Ada"), _harmless("Ada;=1+1")
    ("'=1+1", 'Ada', "Ada;'=1+1")
    """
    text = _FORMULA.sub(r"\1'", cell)
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)
