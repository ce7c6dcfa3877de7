"""The dropped lessons that a server keeps, so that a class can open what a lecturer shows.

A lesson is kept for a day, under a short name that is made of its contents. It is a cache: whoever
shows the code sends the lesson again, and a server that lacks it says so in a sentence.

Tests: tests/service/test_kept_lessons.py.
"""

from __future__ import annotations

import base64
import hashlib
import time
from dataclasses import dataclass
from typing import ClassVar

from kpviz.engine.run.predictors import Progress
from kpviz.service.caches import LruCache
from kpviz.service.making import mark
from kpviz.service.work import Compute

PREFIX = "~"  # No file of a server's folder has such a name.
LARGEST = 1_000_000  # In bytes.
_ALL = 64_000_000  # In bytes: so much is kept of all lessons, which are longest unused last.
_MOST = 10_000  # In lessons.
_DAY = 24 * 60 * 60  # In seconds.
_NAME_LENGTH = 12  # In characters of 5 bits: nobody guesses one, or writes another such lesson.
_CHARACTERS = 4_000  # So many characters at least are checked in a second.
_TOO_LARGE = "A server keeps lessons of up to {:,} bytes for a class, and this one has {:,}."
_FAULT = (
    "This lesson has a fault in line {:,}, so the server does not keep it for a class: kpviz "
    "lesson check says which."
)
_GONE = (
    "The server does not have this lesson any more: let the code be shown again on the stage (Y), "
    "then load this page again."
)


@dataclass(frozen=True)
class KeptLesson:
    """The text of a lesson as UTF-8, and the time, in seconds, until which it is kept."""

    data: bytes
    until: float


_lessons: LruCache[KeptLesson] = LruCache(_MOST, _ALL, lambda lesson: len(lesson.data))


@dataclass(frozen=True)
class CheckingWork:
    """A lesson that is tried as `kpviz lesson check` does, before others can open it."""

    text: str
    remedy: ClassVar[str] = "choose a shorter lesson"

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"lesson check?{mark(self.text)}"

    @property
    def seconds(self) -> float:
        """An estimate: nobody has read the lesson."""
        return 1.0 + len(self.text) / _CHARACTERS

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return nothing; ValueError, of one sentence, where the lesson has a fault."""
        from kpviz.lessons.file import check

        faults = check.faults(self.text)
        if faults:
            raise ValueError(_FAULT.format(faults[0].line))
        return b""


async def keep(text: str, compute: Compute) -> str:
    """Keep a lesson for a day from now on; return its name.

    Raises
    ------
    ValueError
        One sentence: it is too large, or has a fault.
    """
    data = text.encode()
    if len(data) > LARGEST:
        raise ValueError(_TOO_LARGE.format(LARGEST, len(data)))
    name = _name_of(data)
    if _lessons.get(name) is None:
        await compute(CheckingWork(text))
    _lessons.put(name, KeptLesson(data, time.monotonic() + _DAY))
    return name


def read(name: str) -> str:
    """Return the text of a lesson by the name under which it is kept.

    Raises
    ------
    ValueError
        One sentence: it is not here, or not any more.
    """
    lesson = _lessons.get(name)
    if lesson is None or lesson.until < time.monotonic():
        raise ValueError(_GONE)
    return lesson.data.decode()


def _name_of(data: bytes) -> str:
    digest = base64.b32encode(hashlib.sha256(data).digest()).decode().lower()
    return PREFIX + digest[:_NAME_LENGTH]
