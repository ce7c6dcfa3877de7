"""What the server offers beside Streamlit's pages.

The run service, safe headers, and the start of the browser.

`streamlit run` serves it only where the very file that it is given says `app = st.App(…)`:
app/main.py and, at the top of the repository, app.py.

Tests: tests/server/test_started.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from kpviz.server import OPENED, names, opened_file, threads
from kpviz.server.admission import Admission, Rules
from kpviz.server.compression import Compression
from kpviz.server.front import Component, Front, SafeHeaders, bundle
from kpviz.server.health import Health, Lag
from kpviz.server.outflow import Outflow
from kpviz.server.pool import Pool
from kpviz.server.route import Answer, Service

_FRAMED_BY = "KPVIZ_FRAME_ANCESTORS"  # The environment variable.
# So many may be open at once: a page has two, one of Streamlit's and one of the run service.
_MOST_SOCKETS = 6000
_STYLES = (
    "page/app.css",
    "page/stage.css",
    "page/asking.css",
    "page/lesson/puzzle.css",
    "page/dialog.css",
    "page/dock/dock.css",
    "page/dock/thumbnails.css",
    "page/lesson/lesson.css",
)
_STAGE = Component("kpviz.stage", "page/index.js", _STYLES)
# The keys are the addresses of the pages: the place Kernels leads to the player, and in the list of
# lessons one is opened.
_COMPONENTS = {
    "": _STAGE,
    "lab": _STAGE,
    "fisher": _STAGE,
    "lessons": Component(_STAGE.name, _STAGE.module),
    "puzzles": Component(_STAGE.name, _STAGE.module),
}
_TURNS = 0.0005  # In seconds: then a thread that loads lets those run that send the page's files.
_LOADED = ("kpviz.service.work", "kpviz.player.payload")  # Each process of the pool loads them.


def options(*, any_host: bool = False) -> dict[str, Any]:
    """Return the arguments of `st.App`.

    With `any_host` a platform gives the server its name by itself.
    """
    # The command says where the server is.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
    # It does without a folder that cannot be written.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    pool = Pool(_LOADED)
    service = Service(pool, _answer, base=_base)
    lag = Lag()

    def rules() -> Rules:
        return replace(_rules(), hosts=["*"]) if any_host else _rules()

    @contextlib.asynccontextmanager
    async def lifespan(_: st.App) -> AsyncIterator[None]:
        _allow_open_files(_MOST_SOCKETS + 1000)
        gc.freeze()  # What is imported stays: no collection need look at it.
        threading.Thread(target=_load, daemon=True).start()
        _open_browser()
        watching = asyncio.create_task(lag.watch())
        try:
            with threads.lent(pool):
                yield
        finally:
            watching.cancel()
            for end in threads.at_end:
                await asyncio.to_thread(end)
            await pool.close()

    return {
        "script_path": Path(__file__).with_name("pages.py"),
        "routes": [service.route(), opened_file.route(_base)],
        "middleware": [
            Middleware(Outflow),
            Middleware(
                SafeHeaders, framed_by=lambda: os.environ.get(_FRAMED_BY, ""), is_closed=_is_closed
            ),
            Middleware(Admission, rules=rules, most=_MOST_SOCKETS, base=_base),
            Middleware(Health, pool=pool, lag=lag, answering=lambda: service.answering, base=_base),
            Middleware(Front, components=_COMPONENTS, base=_base),
            Middleware(Compression, base=_base),
        ],
        "lifespan": lifespan,
    }


def _option(name: str) -> str:
    return str(st.get_option(name) or "")


def _base() -> str:
    return _option("server.baseUrlPath").strip("/")


def _answer() -> Answer:
    with threads.LOCK:
        from kpviz.service.answer import answer  # It is imported here, so the server starts sooner.

    return answer


def _load() -> None:
    """Load what the first visitor needs, while the browser loads Streamlit's page."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURNS)
    try:
        bundle(_STAGE.module)
        with threads.LOCK:
            from kpviz.app import screens  # noqa: F401

            _answer()
    finally:
        sys.setswitchinterval(usual)
    gc.freeze()


def _allow_open_files(limit: int) -> None:
    """Let the process have more open files.

    Each websocket is one, and many systems give 1,024 unless more is asked.
    """
    if sys.platform == "win32":
        return
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY:
        limit = min(limit, most)
    if now != resource.RLIM_INFINITY and now < limit:
        with contextlib.suppress(ValueError, OSError):  # The system allows less than it says.
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))


def _rules() -> Rules:
    """Return who is let in.

    Whom Streamlit's options name, or without such options whom `kpviz app` would let in.
    """
    own_name = _option("browser.serverAddress")
    hosts = st.get_option("server.allowedHosts") or names.own_names(
        _option("server.address"), own_name
    )
    origins = [name for name in (own_name, *st.get_option("server.corsAllowedOrigins")) if name]
    return Rules(hosts, origins, all_origins=not st.get_option("server.enableCORS"))


def _is_closed(path: str) -> bool:
    """Return whether a path is closed: what is measured of the server, to others in the network."""
    return (
        path.rstrip("/").endswith("/_stcore/metrics")
        and _option("server.address") not in names.HERE
    )


def _open_browser() -> None:
    """Open the browser, as Streamlit does for a plain script."""
    if not st.get_option("server.headless"):
        scheme = "https" if _option("server.sslCertFile") else "http"
        port = _option("server.port")
        address = f"{scheme}://{_option('browser.serverAddress')}:{port}/{_base()}".rstrip("/")
        host = _option("server.address")
        place = "localhost" if host in ("", "0.0.0.0", "::") else host, int(port)
        threading.Thread(
            target=_opened, args=(place, os.environ.get(OPENED, address)), daemon=True
        ).start()


def _opened(place: tuple[str, int], address: str) -> None:
    """Open an address as soon as the server listens at its host and port."""
    while True:
        time.sleep(0.1)
        with contextlib.suppress(OSError), socket.create_connection(place, 1):
            break
    webbrowser.open(address)
