"""What each command does; kpviz/cli.py has what can be typed.

Tests: tests/commands/test_signals.py.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import NamedTuple

_ENDING = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
# In seconds: the time between two looks whether a module is still being imported.
_IMPORTING = 0.02
_requested: list[int] = []  # These signals ask us to end.
_waiting: set[int] = set()  # These came while a module was imported.
_outermost: list[FrameType] = []  # The frame that waits for a command, if one is carried out.


class CommandError(ValueError):
    """Why a command cannot be carried out, in one sentence for the person who typed it."""


class MissingFileError(CommandError, FileNotFoundError):
    """There is no such file: what Python itself raises for that, too."""


class Target(NamedTuple):
    """What is written, as "csv", and the name of its file; "-" is standard output."""

    kind: str
    name: str


def quoted(text: str) -> str:
    """Return at most 60 characters of a text that was typed, quoted, without control characters."""
    return repr(text if len(text) <= 60 else text[:59] + "…")


@contextlib.contextmanager
def until_terminated() -> Iterator[None]:
    """Let a program or a terminal that ends us meanwhile leave nothing behind, as Ctrl+C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _requested.clear()
    _waiting.clear()
    _outermost[:] = [sys._getframe(2)]  # The caller is behind this generator and contextlib.
    before = {
        number: signal.signal(number, _end)
        for number in _ENDING
        # A signal that is ignored stays so, as nohup has it.
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    except Exception:
        go_on()  # Whatever an interruption broke may complain in words of its own.
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _outermost.clear()


def _end(number: int, frame: FrameType | None) -> None:
    is_first = not _requested
    if number not in _waiting:
        _requested.append(number)
    if is_importing(frame):
        if number not in _waiting:
            _waiting.add(number)
            # A Thread takes locks, which the import may hold.
            _thread.start_new_thread(_ask_again, (number,))
        return
    is_first = is_first or number in _waiting
    _waiting.discard(number)
    if number == signal.SIGINT or is_first:  # The end of a group may come twice, while we tidy up.
        go_on()


def is_importing(frame: FrameType | None) -> bool:
    """Return whether a module is being imported.

    NumPy, interrupted there, says that its installation is bad.
    """
    while frame is not None and frame not in _outermost:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _ask_again(number: int) -> None:
    time.sleep(_IMPORTING)
    while number in _waiting:
        if sys.platform == "win32":
            _thread.interrupt_main(signal.Signals(number))
        else:  # It wakes the main thread, whatever that waits for.
            signal.pthread_kill(threading.main_thread().ident or 0, number)
        time.sleep(_IMPORTING)


def go_on() -> None:
    """End if that was asked for.

    Python drops what is raised while it tidies up, and so may drop a first attempt.
    """
    if signal.SIGINT in _requested:
        raise KeyboardInterrupt
    if _requested:
        sys.exit(128 + _requested[0])
