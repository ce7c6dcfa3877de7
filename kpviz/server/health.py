"""The address at which a web server asks whether this server is well, and how busy it is.

Tests: tests/server/test_health.py.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

import kpviz
from kpviz.server.pool import Pool

PATH = "/health"


_EVERY = 0.5  # In seconds: the time between two looks at the event loop.
_LOOKS = 120  # So many are remembered: those of a minute.


class Lag:
    """How long the event loop let something wait that was due: all visitors wait as long."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=_LOOKS)

    @property
    def seconds(self) -> float:
        """The longest of the last minute."""
        return max(self._seconds, default=0.0)

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            due = time.monotonic() + _EVERY
            await asyncio.sleep(_EVERY)
            self._seconds.append(max(0.0, time.monotonic() - due))


class Health:
    """Middleware: answers at `PATH` with numbers alone, and with 503 where the pool does no jobs.

    It is no route, since the base is only known when the server has read its options, and Streamlit
    has a ``/_stcore/health`` of its own.

    Parameters
    ----------
    lag : that of the event loop.
    answering : returns how many questions are being answered.
    base : the first part of the address, as a server behind a proxy has it.
    """

    def __init__(
        self,
        app: ASGIApp,
        pool: Pool,
        lag: Lag,
        answering: Callable[[], int],
        base: Callable[[], str] = lambda: "",
    ) -> None:
        self._app = app
        self._pool = pool
        self._lag = lag
        self._answering = answering
        self._base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        base = self._base().strip("/")
        is_asked = scope["type"] == "http" and scope["path"] == (f"/{base}{PATH}" if base else PATH)
        await (self._answer() if is_asked else self._app)(scope, receive, send)

    def _answer(self) -> JSONResponse:
        load, is_well = load_of(self._pool)
        report = {
            "status": "ok" if is_well else "unavailable",
            "version": kpviz.__version__,
            **load,
            "answering": self._answering(),
            "lag": round(self._lag.seconds, 3),
        }
        return JSONResponse(report, 200 if is_well else 503, headers={"Cache-Control": "no-store"})


def load_of(pool: Pool) -> tuple[dict[str, float], bool]:
    """Return how busy a pool is, and whether it does jobs.

    Some worker for long ones is there, and not stuck.
    """
    now = time.monotonic()
    stuck = [
        worker.since > 0 and now - worker.since > 2 * pool.seconds for worker in pool.workers[1:]
    ]
    load = {
        "workers": len(pool.workers),
        "busy": sum(worker.since > 0 for worker in pool.workers),
        "waiting": sum(pending.place is not None for pending in pool.pending),
        "oldest": round(now - min((pending.asked_at for pending in pool.pending), default=now), 1),
        "done": pool.done,
    }
    return load, not all(stuck)
