"""What each command does; kpviz/cli.py has what can be typed."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from typing import NamedTuple

_asked: list[int] = []  # signals that ask us to end


class CommandError(ValueError):
    """Why a command cannot be carried out, in one sentence for the person who typed it."""


class MissingFileError(CommandError, FileNotFoundError):
    """There is no such file: what Python itself raises for that, too."""


class Target(NamedTuple):
    """What is written, as "csv", and the name of its file; "-" is standard output."""

    kind: str
    name: str


def shown(text: str) -> str:
    """Return at most 60 characters of a text that was typed, quoted, without control characters."""
    return repr(text if len(text) <= 60 else text[:59] + "…")


@contextlib.contextmanager
def until_terminated() -> Iterator[None]:
    """Let a program that ends us meanwhile leave nothing behind, as Ctrl+C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _asked.clear()
    before = {number: signal.signal(number, _end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(number: int, _: object) -> None:
    _asked.append(number)
    if number == signal.SIGINT or len(_asked) == 1:  # the end of a group may come twice, while we tidy up
        go_on()


def go_on() -> None:
    """End if that was asked for: Python drops what is raised while it tidies up, and so may drop a first attempt."""
    if signal.SIGINT in _asked:
        raise KeyboardInterrupt
    if _asked:
        sys.exit(143)
