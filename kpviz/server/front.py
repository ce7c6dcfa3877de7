"""What the server answers besides Streamlit's pages and the websocket.

Each page names what it will load, the player comes as one script, headers are safe; where no page
is, a sentence says so.

Streamlit's page knows nothing of the player until the server has run a script for it. Without this
the browser would begin only then to load a hundred modules, each of which names the next ones.

Tests: tests/server/test_front.py.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kpviz.player import modules
from kpviz.server.compression import names_tag, takes_gzip
from kpviz.tokens import THEMES

_AT = "_stcore/bidi-components/"  # Streamlit serves the files of components there.
# Streamlit runs its page anew when one goes back, even to other settings of the same board. A
# window calls its listeners in the order in which they came, so this one comes before Streamlit's,
# and calls the player's, which sets `kpvizWent` (service/link.js).
_WENT_BACK = """<script>
window.addEventListener("popstate", (event) => window.kpvizWent?.(event));
</script>"""
# In a frame whose origin is opaque the browser refuses all further scripts, and the page would stay
# white.
_IN_SANDBOX = """<script>
if (window.origin === "null") document.addEventListener("DOMContentLoaded", () => {
  document.body.textContent =
    "The frame around kpviz has a sandbox without allow-same-origin, so it cannot start: \
open it in a tab of its own.";
});
</script>"""
# Streamlit asks for its icons, 375 kB, before there is one. Those of a dialog come when it is
# opened.
_ICONS_LATER = """<script>
{
  const load = document.fonts.load;
  document.fonts.load = function (font, ...text) {
    if (!font.includes("Material Symbols")) return load.call(this, font, ...text);
    document.fonts.load = load;
    return Promise.resolve([]);
  };
}
</script>"""
# It loads the page again if one of its files did not come.
_MEND = f"<script>{files('kpviz.server').joinpath('mend.js').read_text(encoding='utf-8')}</script>"
# The pages of the app, by the last part of their addresses.
PLACES = {
    "": "Board",
    "lessons": "Lessons",
    "puzzles": "Puzzles",
    "lab": "Kernels",
    "fisher": "Fisher",
}
# Streamlit would show the board there, and a dialog over it that leads nowhere. It looks as the
# page of lessons does, whose styles are in kpviz/app/style.css.
_UNKNOWN = files("kpviz.server").joinpath("unknown.html").read_text(encoding="utf-8")
# The first folders of Streamlit's and our own files; "" is the board, which is a component.
_NO_PAGES = {"", "_stcore", "app", "component", "media", "opened-file", "static"}
_HEAD_ENDS = re.compile(rb"(?=</head>)")


@dataclass(frozen=True)
class Component:
    """A component of Streamlit's: its name, and the module and the style sheets with which it
    begins.
    """

    name: str
    module: str
    styles: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Where the browser finds the module, from the base of the app."""
        return f"{_AT}{self.name}/{self.module}"

    @property
    def lines(self) -> bytes:
        """The lines that the head of a page with this component gets."""
        styles = (
            f'<link rel="preload" as="style" href="./{_AT}{self.name}/{name}">'
            for name in self.styles
        )
        module = f'<link rel="modulepreload" href="./{self.address}">'
        return "\n".join(
            [_MEND, _WENT_BACK, _IN_SANDBOX, _ICONS_LATER, module, *styles, ""]
        ).encode()


class Front:
    """Middleware: adds to each page what it will load, and answers for the player's modules.

    Parameters
    ----------
    components : the component of each page, by what follows the base in its address.
    base : the first part of the address, as a server behind a proxy has it.
    """

    def __init__(
        self,
        app: ASGIApp,
        components: Mapping[str, Component],
        base: Callable[[], str] = lambda: "",
    ) -> None:
        self._app = app
        self._components = components
        self._base = base
        self._modules = {component.address: component.module for component in components.values()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
            await self._app(scope, receive, send)
            return
        base = self._base().strip("/")
        name = str(scope["path"]).removeprefix("/")
        headers = Headers(scope=scope)
        if base:  # A path outside the base keeps its slash, so that it is no name of a page.
            name = "" if name == base else f"/{name}".removeprefix(f"/{base}/")
        # A module goes to pages of this origin alone; to others Streamlit answers, which knows whom
        # it lets in.
        origin = headers.get("Origin")
        is_ours = origin is None or urlsplit(origin).netloc == headers.get("Host")
        if name in self._modules and is_ours:
            await _module(self._modules[name], headers)(scope, receive, send)
        elif name in self._components:
            # The page must come whole and uncompressed, so that lines can be added to it.
            headers_for_whole_page = [
                (key, value)
                for key, value in scope["headers"]
                if not key.startswith((b"if-", b"accept-encoding"))
            ]
            asked_whole = {**scope, "headers": headers_for_whole_page}
            await self._app(asked_whole, receive, _adding(send, self._components[name].lines))
        elif _is_page(name, headers):
            page = self._unknown(f"/{base}" if base else "")
            await HTMLResponse(page, 404)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _unknown(self, base: str) -> str:
        """The page that says that there is none at this address."""
        anchors = "".join(
            f'<a href="{base}/{name}">{title}</a>'
            for name, title in PLACES.items()
            if name in self._components
        )
        return Template(_UNKNOWN).substitute(
            places=anchors,
            fonts=f"{base}/{_AT}{self._components[''].name}/fonts/",
            light=_colours("light"),
            dark=_colours("dark"),
            base=base,
        )


def _colours(theme: str) -> str:
    """Return the colours of a theme as css."""
    colours = THEMES[theme]
    return " ".join(
        f"--{name}: {colours[name]};" for name in ("ink", "paper", "panel", "quiet", "accent")
    )


def _is_page(name: str, headers: Headers) -> bool:
    """Return whether somebody asks for a page of this name: not for a file, or outside the base."""
    is_file = "." in name or _NO_PAGES & {*name.split("/")}
    return "text/html" in headers.get("Accept", "") and not is_file


def _module(module: str, request_headers: Headers) -> Response:
    """Return the answer to a request for a module: with all that it imports, compressed once."""
    version, plain, compressed = bundle(module)
    headers = {"Cache-Control": "no-cache", "ETag": version, "Vary": "Accept-Encoding"}
    if names_tag(request_headers, version):
        return Response(status_code=304, headers=headers)
    if takes_gzip(request_headers):
        return Response(
            compressed, headers=headers | {"Content-Encoding": "gzip"}, media_type="text/javascript"
        )
    return Response(plain, headers=headers, media_type="text/javascript")


@cache
def bundle(module: str) -> tuple[str, bytes, bytes]:
    """Return the ETag of a module with all that it imports, its text, and the text compressed."""
    # The script of a module defines its default export, which is called `start`, without exporting
    # it.
    plain = f"{modules.script(module)}\nexport default start;\n".encode()
    return f'"{hashlib.sha256(plain).hexdigest()[:16]}"', plain, gzip.compress(plain, 6)


def _adding(send: Send, lines: bytes) -> Send:
    """Return what sends a page with lines added to its head, and anything else as it is.

    The start of a page waits until all of its body has come, since it says how long that is.
    """
    start: Message | None = None
    body = b""

    async def sent(message: Message) -> None:
        nonlocal start, body
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            is_html = headers.get("Content-Type", "").startswith("text/html")
            if message["status"] == 200 and is_html and "Content-Encoding" not in headers:
                start = message
                return
        if start is None or message["type"] != "http.response.body":
            await send(message)
            return
        body += message.get("body", b"")
        if message.get("more_body", False):
            return
        headers = MutableHeaders(scope=start)
        for name in ("ETag", "Last-Modified"):  # They are those of the page without the lines.
            del headers[name]
        if body:  # There is none where only the headers were asked for.
            body = _HEAD_ENDS.sub(lambda _: lines, body, count=1)
            headers["Content-Length"] = str(len(body))
        await send(start)
        await send({"type": "http.response.body", "body": body})

    return sent


class SafeHeaders:
    """Middleware: files are what their type says, links stay private, frames need permission.

    Parameters
    ----------
    framed_by : returns the origins whose pages may frame the app, as in ``frame-ancestors``; ""
        leaves it to all, for the pages of courses that embed it.
    is_closed : whether nothing is to be found at a path.
    """

    def __init__(
        self,
        app: ASGIApp,
        framed_by: Callable[[], str] = lambda: "",
        is_closed: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self._app = app
        self._framed_by = framed_by
        self._is_closed = is_closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the headers added."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"  # Links hold what was drawn and written.
                framed_by = " ".join(self._framed_by().split())
                if framed_by:
                    headers.append("Content-Security-Policy", f"frame-ancestors {framed_by}")
            await send(message)

        is_closed = self._is_closed(scope["path"])
        app = PlainTextResponse("Not Found", 404) if is_closed else self._app
        await app(scope, receive, sent)
