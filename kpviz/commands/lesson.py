"""`kpviz lesson check`, `students`, `join`, `list` and `copy`: the files of lessons.

Tests: tests/commands/test_lesson.py.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from difflib import get_close_matches

from kpviz import packages
from kpviz.commands import CommandError, inputs, output, quoted
from kpviz.lessons import shelf
from kpviz.lessons.explain import counted
from kpviz.lessons.file import Fault, LessonError, format
from kpviz.lessons.file.check import faults, notes
from kpviz.lessons.file.lesson import BREAK, Lesson

_MAX_BYTES = 2_000_000


def read_file(name: str) -> Lesson:
    """Return the lesson in a file; CommandError, of one sentence, if there is none."""
    try:
        return format.read(_text(name))
    except LessonError:
        raise CommandError(
            f"{quoted(name)} is not a lesson without faults: kpviz lesson check names them."
        ) from None


def _text(name: str) -> str:
    """Return the text of a lesson's file; LessonError where it is none."""
    path = inputs.path_of(name)
    if not os.path.lexists(path):
        known = shelf.files()
        near = [
            known_name for known_name in known if name and name in known_name
        ] or get_close_matches(name, known, 1)
        advice = (
            f"give {' or '.join(near[:3])}."
            if near
            else "kpviz lesson list names those that there are."
        )
        raise CommandError(f"There is no lesson {quoted(name)}: {advice}")
    content = inputs.content(str(path), "The lesson", _MAX_BYTES)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise LessonError([Fault(line, "The file is not in UTF-8: save it so.")]) from None


def check(options: argparse.Namespace) -> int:
    """Try all that files say, and name each fault with its line; return 1 if something is wrong.

    A note is no fault.
    """
    checked = [_checked(name, quiet=options.quiet) for name in options.files]
    return int(None in checked)


def _checked(name: str, *, quiet: bool) -> Lesson | None:
    """Name all that is wrong with a file; return its lesson if nothing is."""
    lesson: Lesson | None = None
    mistakes: list[Fault] = []
    try:
        text = _text(name)
        mistakes = faults(text)
        lesson = format.read(text)
    except LessonError as error:
        mistakes = mistakes or list(error.faults)
    if lesson is not None:
        mistakes += _unlit(lesson, name, say_why_not=not mistakes)
    for fault in sorted(mistakes):
        print(f"{name}:{fault.line}: {fault.what}")
    if mistakes or lesson is None:
        return None
    if not quiet:
        for note in notes(lesson):
            print(f"{name}:{note.line}: note: {note.what}")
        parts = counted(len(lesson.scenes), "scene"), counted(len(list(lesson.tasks)), "task")
        print(f"{name}: {' and '.join(parts)}, and nothing is wrong.")
    return lesson


def _unlit(lesson: Lesson, name: str, *, say_why_not: bool) -> list[Fault]:
    """Return what cues light that is not shown; nothing where that cannot be tried."""
    try:
        with packages.needs("A picture", "plot"):
            from kpviz.export import scenes  # It loads what draws.

        return scenes.unlit(lesson)
    except ValueError as error:
        if say_why_not:
            print(
                f"kpviz: Whether {quoted(name)} lights only what is shown was not tried: {error}",
                file=sys.stderr,
            )
        return []


def students(options: argparse.Namespace) -> int:
    """Write the copy for students of a lesson with which nothing is wrong."""
    output.check(options, [options.out])
    lesson = _checked(options.file, quiet=True)
    if lesson is None:
        return 1
    return output.write_all(options, [(options.out, lesson.for_students)])


def join(options: argparse.Namespace) -> int:
    """Write scenes of several lessons, in this order, under one header, and try what they say."""
    output.check(options, [options.out])
    lessons: list[Lesson] = []
    minutes: list[float | None] = []
    objectives: list[str] = []
    parts: list[str] = []
    for part in options.files:
        name, scene_numbers = inputs.scenes_of(part)
        lesson = read_file(name)
        lines = re.split(BREAK, lesson.text.removeprefix("\ufeff"))
        begins = [scene.line - 1 for scene in lesson.scenes] + [len(lines)]
        if lesson.students or not lines[begins[0]].startswith("##"):
            raise CommandError(
                f"{quoted(name)} is a copy without solutions, or cues: name a lesson."
            )
        lessons.append(lesson)
        numbers = _numbers(name, scene_numbers) if scene_numbers else list(range(1, len(begins)))
        if set(numbers) >= set(range(1, len(begins))):
            # If only some scenes are chosen, they bring the objectives that stand in them.
            objectives += lesson.objectives
        for number in numbers:
            if not 1 <= number < len(begins):
                raise CommandError(
                    f"{quoted(name)} has {counted(len(begins) - 1, 'scene')}, and no scene "
                    f"{number}."
                )
            scene = lesson.scenes[number - 1]
            (heading, *body) = lines[begins[number - 1] : begins[number]]
            inherited = (
                [f"link: {scene.link.address}"]
                if scene.link.query and scene.link.line < scene.line
                else []
            )
            parts.append("\n".join([heading, *inherited, *body]).rstrip() + "\n")
            minutes.append(scene.minutes)
    text = "\n".join([_header(options.title, lessons, objectives, minutes), *parts])
    mistakes = faults(text)
    if mistakes:
        raise CommandError(f"These scenes are no lesson together: {mistakes[0].what}")
    return output.write_all(options, [(options.out, text)])


def _numbers(name: str, text: str) -> list[int]:
    """Return the numbers of scenes, given as in 3-8,10."""
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if last and not (last.isdigit() and int(first) <= int(last)):
            raise CommandError(
                f"{quoted(name)} has no scenes {part}: write the smaller number first."
            )
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def _header(
    title: str | None, lessons: list[Lesson], objectives: list[str], minutes: list[float | None]
) -> str:
    """Return the header of scenes of several lessons, with all authors and the minutes in sum."""
    authors = ", ".join(dict.fromkeys(lesson.author for lesson in lessons if lesson.author))
    lines = [f"title: {lessons[0].title if title is None else ' '.join(title.split())}"]
    lines += [f"author: {authors}"] if authors else []
    lines += [f"language: {lessons[0].language}"]
    lines += [] if None in minutes else [f"minutes: {sum(entry for entry in minutes if entry):g}"]
    lines += (
        ["objectives:", *(f"- {entry}" for entry in dict.fromkeys(objectives))]
        if objectives
        else []
    )
    return "\n".join(["---", *lines, "---", ""])


def listed(options: argparse.Namespace) -> int:
    """List lessons by name, title and minutes, and below each its scenes by their numbers."""
    paths = shelf.paths_in(options.lessons)
    for name in sorted(paths):
        lesson = read_file(str(paths[name]))
        print(f"{name}  {lesson.title}{_minutes(lesson.minutes)}")
        for number, scene in enumerate(lesson.scenes, 1):
            print(f"  {number:>2}  {scene.heading}{_minutes(scene.minutes)}")
    return 0


def _minutes(value: float | None) -> str:
    return "" if value is None else f" ({value:g} min)"


def copy(options: argparse.Namespace) -> int:
    """Write the file of a lesson that comes with kpviz; one that somebody has worked on stays."""
    output.check(options, [options.out])
    text = read_file(options.file).text
    if os.path.isfile(options.out):
        before = inputs.content(options.out, "The file", _MAX_BYTES)
        copies = [text.encode(), *(path.read_bytes() for path in shelf.paths_in(None).values())]
        if before not in copies:
            raise CommandError(
                f"{quoted(options.out)} is there, and is no lesson as it comes with kpviz: name "
                "another file, or remove "
                "that one first."
            )
    return output.write_all(options, [(options.out, text)])
