"""What each response says of its safety, and which addresses are closed."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class SafeHeaders:
    """Middleware: a file is what its type says, no other site is told a link, and pages are framed by who is named.

    Parameters
    ----------
    framed_by : returns the origins whose pages may frame the app, as in ``frame-ancestors``; "" leaves it to all, for
        the pages of courses that embed it.
    is_closed : whether nothing is to be found at a path.
    """

    def __init__(
        self,
        app: ASGIApp,
        framed_by: Callable[[], str] = lambda: "",
        is_closed: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self._app, self._framed_by, self._is_closed = app, framed_by, is_closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the headers added."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"  # links hold what was drawn and written
                if framed_by := " ".join(self._framed_by().split()):
                    headers.append("Content-Security-Policy", f"frame-ancestors {framed_by}")
            await send(message)

        closed = self._is_closed(scope["path"])
        await (PlainTextResponse("Not Found", 404) if closed else self._app)(scope, receive, sent)
