"""`kpviz lesson check`: what is wrong with the files of lessons, and their copies for students; reading such files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kpviz.commands import CommandError, output, shown

if TYPE_CHECKING:  # they are loaded when a lesson is checked
    from kpviz.lessons.file.errors import Fault
    from kpviz.lessons.file.lesson import Lesson

_MAX_BYTES = 2_000_000


def check(options: argparse.Namespace) -> int:
    """Check each file, and write the copy for students of one that is right; return 1 if something is wrong."""
    from kpviz.lessons.file import served

    if options.students is not None:
        _check_target(options.files, options.students)
    contents = [(name, _content(name)) for name in options.files]
    wrong = False
    for name, content in contents:
        lesson, faults = _checked(content)
        if lesson is not None and not faults:
            faults = _unlit(name, lesson)
        wrong = wrong or bool(faults)
        for fault in faults:
            print(f"{name}:{fault.line}: {fault.what}")
        if lesson is None or faults:
            continue
        if options.students is not None:
            output.write(options.students, served.students(lesson))
        if not options.quiet:
            print(f"{name}: {_summary(lesson)}", file=sys.stderr if options.students == output.STANDARD else sys.stdout)
    return int(wrong)


def _check_target(files: list[str], target: str) -> None:
    if len(files) > 1:
        raise CommandError("--students writes one copy: give one file.")
    if output.same(files[0], target):
        raise CommandError("The copy for students would take the place of the file with the solutions: name another.")
    output.check(target)


def _content(name: str) -> bytes:
    try:
        with Path(name).open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{shown(name)} cannot be read: {error.strerror}.") from None
    if len(content) > _MAX_BYTES:
        raise CommandError(f"{shown(name)} is larger than a lesson can be: name a file such as lecture.kpviz.md.")
    return content


def read_file(name: str) -> Lesson:
    """Return the lesson in a file; CommandError, of one sentence, if there is none."""
    from kpviz.lessons.file import format

    try:
        return format.read(_content(name).decode("utf-8-sig"))
    except CommandError:
        raise
    except ValueError:  # not in UTF-8, or with faults
        raise CommandError(f"{shown(name)} is not a lesson without faults: kpviz lesson check names them.") from None


def _checked(content: bytes) -> tuple[Lesson | None, list[Fault]]:
    """Return a lesson, None where it cannot be read, and what is wrong with it."""
    from kpviz.lessons.file import check, format
    from kpviz.lessons.file.errors import Fault, LessonError

    try:
        lesson = format.read(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return None, [Fault(content[: error.start].count(b"\n") + 1, "The file is not in UTF-8: save it so.")]
    except LessonError as error:
        return None, list(error.faults)
    return lesson, check.check(lesson)


def _unlit(name: str, lesson: Lesson) -> list[Fault]:
    """Return which cues light what is not on the board; where nothing can be drawn, say so."""
    from kpviz.export import scenes

    try:
        return scenes.unlit(lesson)
    except ValueError as error:
        print(f"kpviz: Whether {shown(name)} lights only what is shown was not tried: {error}", file=sys.stderr)
        return []


def _summary(lesson: Lesson) -> str:
    from kpviz.lessons.explain import counted

    scenes, tasks = counted(len(lesson.scenes), "scene"), counted(len(list(lesson.tasks)), "task")
    return f"{scenes} and {tasks}, and nothing is wrong."
