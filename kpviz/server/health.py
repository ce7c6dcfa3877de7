"""The address at which a web server or a container asks whether this server is well, and how busy it is."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

import kpviz
from kpviz.server.pool import Pool

PATH = "/health"


class Health:
    """Middleware: answers at `PATH` with numbers of the pool alone, and with status 503 where it does no jobs.

    It is no route, since the base is only known when the server has read its options, and Streamlit has a
    ``/_stcore/health`` of its own.

    Parameters
    ----------
    base : the first part of the address, as a server behind a proxy has it.
    """

    def __init__(self, app: ASGIApp, pool: Pool, base: Callable[[], str] = lambda: "") -> None:
        self._app, self._pool, self._base = app, pool, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        base = self._base().strip("/")
        is_asked = scope["type"] == "http" and scope["path"] == (f"/{base}{PATH}" if base else PATH)
        await (self._said() if is_asked else self._app)(scope, receive, send)

    def _said(self) -> JSONResponse:
        load, is_well = load_of(self._pool)
        said = {"status": "ok" if is_well else "unavailable", "version": kpviz.__version__, **load}
        return JSONResponse(said, 200 if is_well else 503, headers={"Cache-Control": "no-store"})


def load_of(pool: Pool) -> tuple[dict[str, int], bool]:
    """Return how busy a pool is, and whether it does jobs: some worker for long ones is there, and not stuck."""
    now = time.monotonic()
    stuck = [worker.since > 0 and now - worker.since > 2 * pool.seconds for worker in pool.workers[1:]]
    load = {
        "workers": len(pool.workers),
        "busy": sum(worker.since > 0 for worker in pool.workers),
        "waiting": sum(asked.place is not None for asked in pool.asked),
        "done": pool.done,
    }
    return load, not all(stuck)
