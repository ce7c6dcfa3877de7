"""What the commands do: `kpviz app`, `train`, `sweep`, `plot`, `render`, `lesson`, `grade` and `worksheet`."""

from __future__ import annotations

import signal
import sys
import threading

_asked: list[int] = []  # signals that ask us to end


def until_terminated() -> None:
    """Let a program that ends us leave nothing behind, as Ctrl+C does."""
    if threading.current_thread() is threading.main_thread():
        _asked.clear()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _end)


def _end(number: int, _: object) -> None:
    _asked.append(number)
    go_on()


def go_on() -> None:
    """End if that was asked for: Python drops what is raised while it tidies up, and so may drop a first attempt."""
    if signal.SIGINT in _asked:
        raise KeyboardInterrupt
    if _asked:
        sys.exit(143)


class CommandError(ValueError):
    """Why a command cannot be carried out, in one sentence for the person who typed it."""


def shown(text: str) -> str:
    """Return at most 60 characters of a text that was typed, quoted, without control characters."""
    return repr(text if len(text) <= 60 else text[:59] + "…")
