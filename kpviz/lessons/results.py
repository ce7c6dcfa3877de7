"""The file of results that a student hands in: what was answered, when, and at which try.

Anyone can write such a file: it is read with care, and what it says of itself is believed by
nobody. `grading.py` computes it again.

Tests: tests/commands/test_grade.py, tests/browser/test_lesson_answers.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from kpviz.formats import FORMATS, is_newer, newer_sentence

MAX_BYTES = 2_000_000
# A file has answers of so many tasks, and so many answers of one task.
_MOST_TASKS = 500
_MOST_ANSWERS = 200
_LONGEST_NAME = 100  # In characters: a student's name, and an ID.
_NO_FILE = "It is not a file of results, which the page of a lesson saves."


class ResultsError(ValueError):
    """Why a file cannot be graded, in one sentence."""


@dataclass(frozen=True)
class SavedAnswer:
    """An answer, and what the file says of it.

    Attributes
    ----------
    right : what the page was told, None for what is not graded. link : what was on the board.
    at : an ISO time. tried : which try it was, from 0. signed : whether it has a signature, as
        servers once gave them.
    """

    answer: Any
    right: bool | None
    link: str
    at: str
    tried: int
    signed: bool = False

    @property
    def time(self) -> datetime | None:
        """When it was given, None if that is not a time."""
        try:
            time = datetime.fromisoformat(self.at)
        except ValueError:
            return None
        return time if time.tzinfo is not None else None


@dataclass(frozen=True)
class TaskRecord:
    """What was done of a task; scene and task are counted from 0."""

    scene: int
    task: int
    tries: int
    right: bool | None
    answers: tuple[SavedAnswer, ...]


@dataclass(frozen=True)
class Results:
    """What a file holds: the lesson's name, each task that was begun, the student's name and ID."""

    lesson: str
    title: str
    tasks: tuple[TaskRecord, ...]
    student: str = ""
    id: str = ""


def read(content: bytes) -> Results:
    """Read a file.

    Raises
    ------
    ResultsError
        One sentence: it is not a file of results, or larger than one can be.

    >>> read(b'{"kpviz": "results", "version": 1, "lesson": "xor", "title": "XOR", "tasks": []}')
    Results(lesson='xor', title='XOR', tasks=(), student='', id='')
    """
    if len(content) > MAX_BYTES:
        raise ResultsError(
            f"It is larger than {MAX_BYTES // 1_000_000} MB, which no file of results is."
        )
    try:
        content_read = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        # It is not UTF-8 or not JSON, has a number with thousands of digits, or is too deep.
        raise ResultsError(
            "It is not JSON, or it is damaged: ask for the file once more."
        ) from None
    if not isinstance(content_read, dict) or content_read.get("kpviz") != "results":
        raise ResultsError(_NO_FILE)
    version = content_read.get("version", 1)
    if is_newer("results", version):
        raise ResultsError(newer_sentence("results"))
    if version != FORMATS["results"] or isinstance(version, bool):
        raise ResultsError("Its version is not one that kpviz writes: ask for the file once more.")
    lesson, title, tasks = _values(
        content_read, {"lesson": _is_text, "title": _is_text, "tasks": _is_list_of(_MOST_TASKS)}
    )
    student = _name(content_read.get("student"))
    return Results(lesson, title, tuple(map(_done, tasks)), student, _name(content_read.get("id")))


def _name(value: Any) -> str:
    """Return a name on one line, "" where an older file has none."""
    return " ".join(value.split())[:_LONGEST_NAME] if isinstance(value, str) else ""


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _done(record: Any) -> TaskRecord:
    kinds = {"scene": _is_place, "task": _is_place, "tries": _is_count, "right": _is_verdict}
    scene, task, tries, right, answers = _values(
        record, {**kinds, "answers": _is_list_of(_MOST_ANSWERS)}
    )
    return TaskRecord(scene - 1, task - 1, tries, right, tuple(map(_saved_answer, answers)))


def _saved_answer(record: Any) -> SavedAnswer:
    kinds = {"right": _is_verdict, "link": _is_text, "at": _is_text, "try": _is_count}
    right, link, at, tried = _values(record, kinds)
    return SavedAnswer(record.get("answer"), right, link, at, tried, signed="signature" in record)


def _values(record: Any, kinds: Mapping[str, Callable[[Any], bool]]) -> list[Any]:
    """Return the values of an object by these keys; ResultsError where one is not of its kind."""
    if not isinstance(record, dict) or not all(
        is_of_kind(record.get(key)) for key, is_of_kind in kinds.items()
    ):
        raise ResultsError(_NO_FILE)
    return [record.get(key) for key in kinds]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 10**6


def _is_place(value: Any) -> bool:
    return _is_count(value) and value > 0


def _is_verdict(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def _is_list_of(most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and len(value) <= most
