"""Streamlit's own scripts and styles go compressed.

Two megabytes less for whoever opens kpviz for the first time.

Streamlit sends them as they are, since to compress them for each visitor would cost more than it
saves. Here each file is compressed once, when it is first asked for, and kept: the files of a first
visit take 0.7 MB, all of them 7 MB.

Tests: tests/server/test_compression.py.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_FOLDER = "static/"  # Streamlit serves the files of its own page there.
_ENDINGS = (".js", ".css", ".json", ".svg")  # Fonts and pictures are compressed already.
_HEADERS = ("Content-Type", "Cache-Control")  # A compressed file keeps these headers.


@dataclass(frozen=True)
class CompressedFile:
    """A file as it is sent: its bytes, compressed, and its headers."""

    body: bytes
    headers: dict[str, str]


class Compression:
    """Middleware: sends Streamlit's own files compressed to browsers that take them so.

    Parameters
    ----------
    base : the first part of the address, as a server behind a proxy has it.
    """

    def __init__(self, app: ASGIApp, base: Callable[[], str] = lambda: "") -> None:
        self._app = app
        self._base = base
        self._files: dict[str, asyncio.Task[CompressedFile | None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if (
            scope["type"] != "http"
            or scope["method"] not in {"GET", "HEAD"}
            or not self._is_file(scope["path"])
        ):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        file = None
        if "Range" not in headers and takes_gzip(headers):  # A range is one of the file as it is.
            file = await self._compressed(scope)
        if file is None:
            await self._app(scope, receive, _varying(send))
        elif names_tag(headers, file.headers["ETag"]):
            await Response(status_code=304, headers=file.headers)(scope, receive, send)
        else:
            await Response(file.body, headers=file.headers | {"Content-Encoding": "gzip"})(
                scope, receive, send
            )

    def _is_file(self, path: str) -> bool:
        base = self._base().strip("/")
        folder = f"/{base}/{_FOLDER}" if base else f"/{_FOLDER}"
        return path.startswith(folder) and path.endswith(_ENDINGS)

    async def _compressed(self, scope: Scope) -> CompressedFile | None:
        """Return a file, which is compressed once however many ask for it; None where there is no
        such file.
        """
        path = scope["path"]
        if path not in self._files:
            self._files[path] = asyncio.create_task(self._compress(scope))
        task = self._files[path]
        try:
            file = await asyncio.shield(task)
        except Exception:  # Streamlit answers for the file, and for what is wrong with it
            file = None
        # What does not exist is not kept: anybody could fill the memory with names.
        if file is None:
            self._files.pop(path, None)
        return file

    async def _compress(self, scope: Scope) -> CompressedFile | None:
        """Ask Streamlit for the whole file, and compress it."""
        host_headers = [pair for pair in scope["headers"] if pair[0] == b"host"]
        messages: list[Message] = []

        async def take(message: Message) -> None:
            messages.append(message)

        await self._app({**scope, "method": "GET", "headers": host_headers}, _never, take)
        start = messages[0]
        headers = Headers(raw=start["headers"])
        # Streamlit answers with its page where a file does not exist.
        is_page = headers.get("Content-Type", "").startswith("text/html")
        if start["status"] != 200 or is_page or "Content-Encoding" in headers:
            return None
        plain = b"".join(message.get("body", b"") for message in messages[1:])
        tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}-gzip"'
        body = await asyncio.to_thread(gzip.compress, plain, 6)
        file_headers = {name: headers[name] for name in _HEADERS if name in headers}
        return CompressedFile(body, file_headers | {"ETag": tag, "Vary": "Accept-Encoding"})


async def _never() -> Message:
    """Wait for what will not come: nobody leaves while a file is compressed for all."""
    message: Message = await asyncio.get_running_loop().create_future()
    return message


def _varying(send: Send) -> Send:
    """Return what sends a response that says on what it depends.

    Others get the same address compressed.
    """

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).add_vary_header("Accept-Encoding")
        await send(message)

    return sent


def takes_gzip(headers: Headers) -> bool:
    """Return whether a browser takes what is compressed by gzip.

    A weight of zero says that it does not.
    """
    weights: dict[str, float] = {}
    for part in ",".join(headers.getlist("Accept-Encoding")).split(","):
        name, _, parameter = part.partition(";")
        weight = parameter.strip().lower().removeprefix("q=") or "1"
        try:
            weights[name.strip().lower()] = float(weight)
        except ValueError:  # The weight is not a number.
            weights[name.strip().lower()] = 0.0
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def names_tag(headers: Headers, tag: str) -> bool:
    """Return whether a browser has the version of a file that this tag marks."""
    tags = [one.strip().removeprefix("W/") for one in headers.get("If-None-Match", "").split(",")]
    return tag in tags or tags == ["*"]
