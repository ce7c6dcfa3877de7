"""Who is let in: which names a server answers to, which origins it talks to, and how many at once.

Another site could give its own name to this server's address, and then ask as if its visitors had.
So a request must name the server by a name that it knows of itself. This is asked before Streamlit
sees the request: for an origin that it does not know, Streamlit would ask a server on the internet
for its own address.

Tests: tests/server/test_admission.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kpviz.server.names import HERE

# A program that watches over a server asks here by its address, and is told of no visitor.
_WELL = ("/health", "/_stcore/health")
_FOREIGN_HOST = (
    "kpviz does not know the name in your address bar as its own. Whoever runs the server can add "
    "it: "
    "by --name of kpviz app, or by --server.allowedHosts of streamlit run."
)
_FOREIGN_ORIGIN = "This server does not talk to pages of other sites."
_FULL = "This server has as many pages open as it may: try again in a minute."


@dataclass(frozen=True)
class Rules:
    """Who is let in.

    Parameters
    ----------
    hosts : names and addresses without ports; ``*`` stands for all, ``*.example.org`` for all below
        it.
    origins : addresses of pages, or their names, that may connect besides the server's own.
    all_origins : whether pages of all sites may.
    """

    hosts: Collection[str]
    origins: Collection[str] = ()
    all_origins: bool = False

    def allow_host(self, host: str | None) -> bool:
        """Return whether this is a name of the server, as the header *Host* has it."""
        name = _name_of(host)
        return name is not None and any(_stands_for(pattern, name) for pattern in self.hosts)

    def allow_origin(self, origin: str | None, host: str | None) -> bool:
        """Return whether a page of this origin may connect; only browsers say their origin."""
        if origin is None or self.all_origins:
            return True
        parts = _split(origin)
        if parts is None or parts.hostname is None:
            return False
        names = {_hostname(other if "//" in other else f"//{other}") for other in self.origins}
        return parts.netloc == host or parts.hostname.rstrip(".") in HERE | names


class Admission:
    """Middleware: refuses foreign hosts and origins, and more websockets than there may be.

    Parameters
    ----------
    rules : returns who is let in; the options are only known when the server has read them.
    most : the number of websockets that may be open at once; a page has two.
    base : the first part of the address, as a server behind a proxy has it.
    """

    def __init__(
        self,
        app: ASGIApp,
        rules: Callable[[], Rules],
        most: int,
        base: Callable[[], str] = lambda: "",
    ) -> None:
        self._app = app
        self._rules = rules
        self._most = most
        self._base = base
        self._open = 0  # The number of websockets that are open.

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it in a sentence."""
        if scope["type"] == "websocket":
            await self._admit(scope, receive, send)
        elif scope["type"] == "http" and not self._asks_for_health(scope["path"]):
            host = Headers(scope=scope).get("Host")
            if self._rules().allow_host(host):
                await self._app(scope, receive, send)
            else:
                await PlainTextResponse(_FOREIGN_HOST, 403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _asks_for_health(self, path: str) -> bool:
        base = self._base().strip("/")
        prefix = f"/{base}" if base else ""
        return path in {f"{prefix}{one}" for one in _WELL}

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host = headers.get("Host")
        rules = self._rules()
        if not rules.allow_host(host):
            await _refuse(PlainTextResponse(_FOREIGN_HOST, 403), scope, receive, send)
        elif not rules.allow_origin(headers.get("Origin"), host):
            await _refuse(PlainTextResponse(_FOREIGN_ORIGIN, 403), scope, receive, send)
        elif self._open >= self._most:
            full = PlainTextResponse(_FULL, 503, headers={"Retry-After": "60"})
            await _refuse(full, scope, receive, send)
        else:
            # Streamlit asks the internet for this server's address before it looks at the origins
            # that are named.
            known = [pair for pair in scope["headers"] if pair[0] != b"origin"]
            self._open += 1
            try:
                await self._app({**scope, "headers": known}, receive, send)
            finally:
                self._open -= 1


async def _refuse(response: PlainTextResponse, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a websocket in a sentence, where the server can send one."""
    if "websocket.http.response" in scope.get("extensions", {}):
        await response(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1008})


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, None where it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # It raises unless the port is a number in its range.
    except ValueError:
        return None
    return parts


def _name_of(host: str | None) -> str | None:
    """Return the name in a header *Host*, None where it is nothing else than a name with a port."""
    parts = _split(f"//{host or ''}")
    if (
        parts is None
        or parts.hostname is None
        or parts.netloc != host
        or parts.username is not None
    ):
        return None
    return parts.hostname.rstrip(".")


def _stands_for(pattern: str, name: str) -> bool:
    known_name = pattern.strip().lower().rstrip(".").removeprefix("[").removesuffix("]")
    return known_name in {"*", name} or (
        known_name.startswith("*.") and name.endswith(known_name[1:])
    )


def _hostname(url: str) -> str:
    parts = _split(url.strip())
    return "" if parts is None else (parts.hostname or "").rstrip(".")
