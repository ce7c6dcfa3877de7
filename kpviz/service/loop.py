"""An event loop for a Python that has neither sockets nor threads: what is awaited is done in turn.

Tests: tests/service/test_inpage.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class Loop(asyncio.BaseEventLoop):
    """Runs what is ready, and never waits for anything outside."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    def select(self, timeout: float | None = None) -> tuple[()]:
        """Return that nothing happened outside."""
        return ()

    def run_in_executor(  # type: ignore[override]  # Its types name how many arguments there are.
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Do it at once: there is no thread that could."""
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    def _process_events(self, events: Any) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody waits who could be woken."""
