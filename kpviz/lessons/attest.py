"""Signatures of what a server checked, by which `kpviz grade` knows tries and times that nobody changed.

A signature says: this server checked this answer to this task of this lesson, as that try, at that time, after the
answer with that signature, and this was its verdict. So no answer can be taken out from between others afterwards. It
does not say who gave it, nor that none was thrown away before the next one was given, nor that a student did not begin
the lesson anew: to know that, a server would have to know who asks and to keep what everyone answered. It keeps
nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kpviz.lessons.file.lesson import Lesson

FILE = "kpviz.key"
_BYTES = 32


def key_of(folder: Path) -> bytes | None:
    """Return the key of a folder of lessons, made where there is none yet; None if it cannot be read or made."""
    path = folder / FILE
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path)
    except OSError:
        return None
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{secrets.token_hex(_BYTES)}\n")
    return _read(path)


def read_key(path: Path) -> bytes:
    """Return the key in a file; ValueError, of one sentence, if there is none."""
    key = _read(path)
    if key is None:
        raise ValueError(f"{str(path)[-60:]!r} is not a key: a server makes {FILE} in its folder of lessons.")
    return key


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            text = file.read(10 * _BYTES).decode("ascii").strip()
        key = bytes.fromhex(text)
    except (OSError, ValueError):
        return None
    return key if len(key) == _BYTES else None


@dataclass(frozen=True)
class Checked:
    """What a server signs.

    Attributes
    ----------
    place : scene and task, counted from 0. tried : which try it was, from 0.
    answer, right : plain data as they came, and what the engine says of them. at : an ISO time.
    after : the signature of the answer before, "" for the first.
    """

    place: tuple[int, int]
    tried: int
    answer: Any
    right: bool | None
    at: str
    after: str = ""


def now() -> str:
    """Return the time as it is signed."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def sign(key: bytes, lesson: Lesson, checked: Checked) -> str:
    """Return the signature of what was checked."""
    said = [_mark(lesson), *checked.place, checked.tried, checked.answer, checked.right, checked.at, checked.after]
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def verify(key: bytes, lesson: Lesson, checked: Checked, signature: str) -> bool:
    """Return whether a signature is that of the key's server for all of this."""
    return hmac.compare_digest(sign(key, lesson, checked).encode(), signature.encode())


def _mark(lesson: Lesson) -> str:
    """Return what tells a lesson from others: its text, whatever ends its lines."""
    text = "\n".join(lesson.text.removeprefix("\ufeff").splitlines())
    return hashlib.sha256(text.encode()).hexdigest()
