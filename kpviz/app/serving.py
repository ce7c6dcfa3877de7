"""What the server offers beside Streamlit's pages: the run service, safe headers, and the start of the browser.

`streamlit run` serves it only where the very file that it is given says `app = st.App(…)`: app/main.py and, at the top
of the repository, app.py.
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
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.middleware import Middleware
from starlette.websockets import WebSocket
from streamlit import cli_util
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.web.server import server_util

from kpviz.server import loading, threads
from kpviz.server.front import Front, Part, bundle
from kpviz.server.headers import SafeHeaders
from kpviz.server.pool import Pool
from kpviz.server.route import Answer, Service

_FRAMED_BY = "KPVIZ_FRAME_ANCESTORS"  # the environment variable
_HERE = {"localhost", "127.0.0.1", "::1"}
_STYLES = (
    "shell/app.css",
    "shell/stage.css",
    "shell/panel_pictures.css",
    "dock/dock.css",
    "dock/thumbnails.css",
    "lesson/lesson.css",
)
_PARTS = {  # by the addresses of the pages
    "": Part("kpviz.stage", "shell/index.js", _STYLES),
    "lab": Part("kpviz.lab", "shell/lab.js", _STYLES),
    "fisher": Part("kpviz.fisher", "fisher/index.js", _STYLES),
    "lessons": Part("kpviz.stage", "shell/index.js"),  # where a lesson is opened
}
_MANIFEST = Path(__file__).parents[1] / "pyproject.toml"
_TURNS = 0.0005  # seconds after which a thread that loads lets those run that send the page's files
_LOADED = ("kpviz.service.work", "kpviz.player.payload")  # in each process of the pool


def options() -> dict[str, Any]:
    """Return the arguments of `st.App`."""
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # the command says where the server is
    manifest_scanner.scan_component_manifests = _components
    pool = Pool(_LOADED)
    service = Service(pool, _answer, is_allowed=_is_allowed, base=lambda: _option("server.baseUrlPath"))

    @contextlib.asynccontextmanager
    async def lifespan(_: st.App) -> AsyncIterator[None]:
        gc.freeze()  # what is imported stays: no collection need look at it
        _send_at_once()
        threading.Thread(target=_load, daemon=True).start()
        _open_browser()
        try:
            with threads.lent(pool):
                yield
        finally:
            await pool.close()

    return {
        "script_path": Path(__file__).with_name("pages.py"),
        "routes": [service.route()],
        "middleware": [
            Middleware(SafeHeaders, framed_by=_framed_by, is_closed=_is_closed),
            Middleware(Front, parts=_PARTS, base=lambda: _option("server.baseUrlPath")),
        ],
        "lifespan": lifespan,
    }


def _components(max_workers: int | None = None) -> list[tuple[ComponentManifest, Path]]:
    """Return the components of kpviz: to find them, Streamlit reads what every package here says of itself."""
    listed = tomllib.loads(_MANIFEST.read_text(encoding="utf-8"))["tool"]["streamlit"]["component"]["components"]
    components = [ComponentConfig(**each) for each in listed]
    return [(ComponentManifest(name="kpviz", version="0", components=components), _MANIFEST.parent)]


def _option(name: str) -> str:
    return str(st.get_option(name) or "")


def _answer() -> Answer:
    with loading.LOCK:
        from kpviz.service.answer import answer  # not with this module: the server starts sooner

    return answer


def _send_at_once() -> None:
    """Let the sockets of the server wait for nothing: the rest of an answer waited for 40 ms for what came before it.

    asyncio sees to that where a socket names its protocol; the one that Streamlit listens on does not.
    """
    loop = asyncio.get_running_loop()
    create = loop.create_server

    def create_server(*args: Any, sock: socket.socket, **options: Any) -> Any:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # connections take it from what listens
        return create(*args, sock=sock, **options)

    loop.create_server = create_server  # type: ignore[method-assign, assignment]


def _load() -> None:
    """Load what the first visitor needs, while the browser loads Streamlit's page."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_TURNS)
    try:
        bundle(_PARTS[""].module)
        with loading.LOCK:
            from kpviz.app.screens import play  # noqa: F401

            _answer()
    finally:
        sys.setswitchinterval(usual)
    gc.freeze()


def _is_allowed(websocket: WebSocket) -> bool:
    """Return whether Streamlit would let this connection in: its own pages, and the origins that its options name."""
    origin, host = websocket.headers.get("Origin"), websocket.headers.get("Host")
    try:
        from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

        if not is_host_allowed(host):
            return False
    except ImportError:  # of another version, which may not have it
        pass
    if origin is None or urlsplit(origin).netloc == host:
        return True
    return server_util.is_url_from_allowed_origins(origin)


def _framed_by() -> str:
    return os.environ.get(_FRAMED_BY, "")


def _is_closed(path: str) -> bool:
    """Return whether a path is closed: what is measured of the server, to others in the network."""
    return path.rstrip("/").endswith("/_stcore/metrics") and _option("server.address") not in _HERE


def _open_browser() -> None:
    """Open the browser, as Streamlit does for a plain script."""
    if not st.get_option("server.headless"):
        address = _option("browser.serverAddress") or _option("server.address")
        cli_util.open_browser(server_util.get_url(server_util.get_display_address(address)))
