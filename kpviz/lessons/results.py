"""The file of results that a student hands in: what was answered, when, and at which try.

Anyone can write such a file: it is read with care, and what it says of itself is believed by nobody. `grading.py`
computes it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

MAX_BYTES = 2_000_000
_VERSION = 1
_MOST_TASKS, _MOST_ANSWERS = 500, 200  # answers of one task
_NO_FILE = "It is not a file of results, which the page of a lesson saves."


class ResultsError(ValueError):
    """Why a file cannot be graded, in one sentence."""


@dataclass(frozen=True)
class Given:
    """An answer, and what the file says of it.

    Attributes
    ----------
    right : what the page was told, None for what is not graded. link : what was on the board.
    at : an ISO time. tried : which try it was, from 0. signed : whether it has a signature, as servers once gave them.
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
            found = datetime.fromisoformat(self.at)
        except ValueError:
            return None
        return found if found.tzinfo is not None else None


@dataclass(frozen=True)
class Done:
    """What was done of a task; scene and task are counted from 0."""

    scene: int
    task: int
    tries: int
    right: bool | None
    answers: tuple[Given, ...]


@dataclass(frozen=True)
class Results:
    """What a file holds: the name of its lesson, and each task that was begun."""

    lesson: str
    title: str
    tasks: tuple[Done, ...]


def read(content: bytes) -> Results:
    """Read a file.

    Raises
    ------
    ResultsError
        One sentence: it is not a file of results, or larger than one can be.

    >>> read(b'{"kpviz": "results", "version": 1, "lesson": "xor", "title": "XOR", "tasks": []}')
    Results(lesson='xor', title='XOR', tasks=())
    """
    if len(content) > MAX_BYTES:
        raise ResultsError(f"It is larger than {MAX_BYTES // 1_000_000} MB, which no file of results is.")
    try:
        found = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):  # not UTF-8, not JSON, a number with thousands of digits, too deep
        raise ResultsError("It is not JSON, or it is damaged: ask for the file once more.") from None
    if not isinstance(found, dict) or found.get("kpviz") != "results":
        raise ResultsError(_NO_FILE)
    if found.get("version") != _VERSION:
        raise ResultsError("It was saved by another version of kpviz: grade it with that one.")
    tasks = _list(found.get("tasks"), _MOST_TASKS)
    return Results(_text(found.get("lesson")), _text(found.get("title")), tuple(map(_done, tasks)))


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _done(found: Any) -> Done:
    each = _mapping(found)
    answers = _list(each.get("answers"), _MOST_ANSWERS)
    scene, task = _whole(each.get("scene")) - 1, _whole(each.get("task")) - 1
    if min(scene, task) < 0:
        raise ResultsError(_NO_FILE)
    return Done(scene, task, _whole(each.get("tries")), _verdict(each.get("right")), tuple(map(_given, answers)))


def _given(found: Any) -> Given:
    each = _mapping(found)
    right, tried = _verdict(each.get("right")), _whole(each.get("try"))
    link, at = _text(each.get("link")), _text(each.get("at"))
    return Given(each.get("answer"), right, link, at, tried, signed="signature" in each)


def _mapping(found: Any) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise ResultsError(_NO_FILE)
    return found


def _list(found: Any, most: int) -> list[Any]:
    if not isinstance(found, list) or len(found) > most:
        raise ResultsError(_NO_FILE)
    return found


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise ResultsError(_NO_FILE)
    return found


def _whole(found: Any) -> int:
    if type(found) is not int or not 0 <= found < 10**6:
        raise ResultsError(_NO_FILE)
    return found


def _verdict(found: Any) -> bool | None:
    if found is not None and not isinstance(found, bool):
        raise ResultsError(_NO_FILE)
    return found
