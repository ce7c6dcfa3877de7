"""What the commands do: `kpviz app`, `train`, `plot` and `render`."""

from __future__ import annotations

import signal
import sys
import threading


def until_terminated() -> None:
    """Let a program that ends us leave nothing behind, as Ctrl+C does."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


class CommandError(ValueError):
    """Why a command cannot be carried out, in one sentence for the person who typed it."""


def shown(text: str) -> str:
    """Return at most 60 characters of a text that was typed, quoted, without signs that a terminal obeys."""
    return repr(text if len(text) <= 60 else text[:59] + "…")
