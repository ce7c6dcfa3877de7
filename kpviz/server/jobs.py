"""How a worker does a job, and what it says of it, in a process and in a thread."""

from __future__ import annotations

import enum
import pickle
import struct
import time
import traceback
from collections.abc import Callable
from typing import Any

HEAD = struct.Struct("<QQ")  # the lengths of a message: of its pickle, and of the bytes that follow
_OFTEN = 0.05  # seconds between two reports of progress

Report = Callable[[int, int], None]


class Kind(enum.Enum):
    """What a worker says of a job."""

    READY = enum.auto()  # for the first
    PROGRESS = enum.auto()
    DONE = enum.auto()
    REFUSED = enum.auto()
    TOO_LARGE = enum.auto()
    FAILED = enum.auto()
    CANCELLED = enum.auto()


Outcome = tuple[Kind, Any]


class JobCancelledError(Exception):
    """Raised in a job when nobody waits for it any more."""


def message(content: object, beside: bytes = b"") -> bytes:
    """Return a message as it is sent; the bytes beside it are to be sent next, which spares copying them."""
    data = pickle.dumps(content, protocol=5)
    return HEAD.pack(len(data), len(beside)) + data


def attempt(function: Callable[..., Any], args: tuple[Any, ...], progress: Report) -> Outcome:
    """Do a job; return how it ended, and its result or the words."""
    try:
        return Kind.DONE, function(*args, progress)
    except JobCancelledError:
        return Kind.CANCELLED, None
    except ValueError as error:
        return Kind.REFUSED, str(error)
    except MemoryError:
        return Kind.TOO_LARGE, None
    except Exception:
        return Kind.FAILED, traceback.format_exc()


def watched(report: Report, is_cancelled: Callable[[], bool]) -> Report:
    """Return what a job calls with its progress: it raises if the job was cancelled, and reports now and then."""
    reported = 0.0

    def progress(done: int, limit: int) -> None:
        nonlocal reported
        if is_cancelled():
            raise JobCancelledError
        now = time.monotonic()
        if now - reported > _OFTEN:
            reported = now
            report(done, limit)

    return progress
