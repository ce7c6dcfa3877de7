"""What goes out is bounded: bytes that a browser has not taken yet are counted over all websockets.

A server writes an answer as soon as it has it, and keeps in memory what the browser does not take.
A browser on a slow line goes on as long as it takes anything; one that takes nothing for a minute
is cut off. If all together leave more than the limit, the connection is cut off that has left most
bytes for longest. A page that was cut off opens its connection again by itself, and asks again.

Tests: tests/server/test_outflow.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Iterator
from functools import partial

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LIMIT = 200_000_000  # In bytes: over all websockets.
PATIENCE = 60.0  # In seconds: a browser must take something in this time.
_AHEAD = 1_000_000  # In bytes: with more on the way to a browser, nothing more is computed for it.
_PIECE = 65_536  # In bytes: so much of a response over http is written at once.
# In bytes: the system may hold back so much for a connection; more would hide whether it takes any.
_UNSENT = 131_072
_LOOKS = 12  # Within the patience, connections are looked at so many times.
_FIRST_WAIT = 0.02  # In seconds.
_LONGEST_WAIT = 1.0
_CODE = 1013  # It means: try again later.
_REASON = "Nothing of an answer was taken for a minute."
_CONNECTION = "kpviz.connection"  # The scope of a websocket has it under this name.


class Connection:
    """A websocket, and what is on its way to the browser.

    Parameters
    ----------
    transport : what the server writes to; it knows how many bytes the system has not taken yet.
    send : sends a message, and waits while much is unread.
    """

    def __init__(self, transport: asyncio.Transport, send: Send) -> None:
        self._transport = transport
        self._send = send
        self._handed_over = 0  # In bytes: of all messages.
        self._waiting = 0  # In bytes: of the messages that are not written yet.
        self._taken = 0  # In bytes: the most that was ever taken.
        self._is_ended = False
        self.unread_since = 0.0  # The time when it began to have unread bytes.
        self.silent_since = 0.0  # The time when the browser last took some.
        with contextlib.suppress(AttributeError, OSError):  # Some systems know no such limit.
            connected = transport.get_extra_info("socket")
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT)

    @property
    def unread(self) -> int:
        """Bytes that are written, or wait to be, and that the browser has not taken."""
        return 0 if self._is_ended else self._waiting + self._transport.get_write_buffer_size()

    @contextlib.contextmanager
    def holding(self, size: int) -> Iterator[None]:
        """Count the bytes of a message that waits to be written.

        One that is given up was never there.
        """
        self._handed_over += size
        self._waiting += size
        try:
            yield
        except BaseException:
            self._handed_over -= size
            raise
        finally:
            self._waiting -= size

    async def send(self, message: Message) -> None:
        """Send a message."""
        if self._is_ended:
            raise OSError("The connection was cut off.")
        await self._send(message)

    def look(self, now: float) -> None:
        """Note whether the browser has taken something since the last look."""
        taken = self._handed_over - self.unread
        if taken > self._taken:
            self._taken = taken
            self.silent_since = now

    async def room(self) -> None:
        """Wait until so little is on its way that the browser can take an answer soon."""
        wait = _FIRST_WAIT
        while self.unread > _AHEAD:
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)

    def abort(self) -> None:
        """Cut it off, and forget what is unread."""
        self._is_ended = True
        self._transport.abort()

    async def close(self, seconds: float) -> None:
        """Say why it ends if the browser takes that within some seconds; cut it off otherwise."""
        self._is_ended = True
        try:
            async with asyncio.timeout(seconds):
                await self._send({"type": "websocket.close", "code": _CODE, "reason": _REASON})
                while self._transport.get_write_buffer_size():
                    await asyncio.sleep(seconds / 10)
        except (OSError, RuntimeError):
            # A timeout is an OSError; the others say that it has ended already.
            self._transport.abort()


class Outflow:
    """Middleware: bounds what is unread over all websockets, and sends http responses in pieces.

    It stands before all others: only there `send` is the server's own, which has the transport.

    Parameters
    ----------
    limit : bytes that may be unread over all websockets.
    patience : seconds after which a browser is cut off that took nothing of what is sent to it.
    """

    def __init__(self, app: ASGIApp, limit: int = LIMIT, patience: float = PATIENCE) -> None:
        self._app = app
        self._limit = limit
        self._patience = patience
        # These connections had unread bytes when they were last looked at.
        self._unread: set[Connection] = set()
        self._closing: set[asyncio.Task[None]] = set()
        self._watching: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a websocket."""
        if scope["type"] == "http":
            await self._app(scope, receive, partial(_send_in_pieces, send))
            return
        transport = getattr(getattr(send, "__self__", None), "transport", None)
        if scope["type"] != "websocket" or transport is None:
            await self._app(scope, receive, send)
            return
        connection = Connection(transport, send)
        try:
            await self._app(
                {**scope, _CONNECTION: connection}, receive, partial(self._send, connection)
            )
        finally:
            self._unread.discard(connection)

    async def _send(self, connection: Connection, message: Message) -> None:
        size = len(message.get("bytes") or message.get("text") or b"")
        if not connection.unread:
            connection.unread_since = time.monotonic()
            connection.silent_since = connection.unread_since
        with connection.holding(size):
            self._unread.add(connection)
            self._make_room()
            if self._watching is None or self._watching.done():
                self._watching = asyncio.create_task(self._watch())
            await connection.send(message)

    def _make_room(self) -> None:
        """Cut connections off until what is unread is below the limit."""
        now = time.monotonic()
        self._unread = {connection for connection in self._unread if connection.unread}
        total = sum(connection.unread for connection in self._unread)
        while total > self._limit:
            worst = max(self._unread, key=lambda one: one.unread * (now - one.unread_since))
            total -= worst.unread
            self._unread.discard(worst)
            worst.abort()

    async def _watch(self) -> None:
        """Look at the connections with unread bytes while there are some."""
        pause = self._patience / _LOOKS
        while self._unread:
            await asyncio.sleep(pause)
            now = time.monotonic()
            for connection in list(self._unread):
                connection.look(now)
                if connection.unread and now - connection.silent_since > self._patience:
                    self._unread.discard(connection)
                    closing = asyncio.create_task(connection.close(pause))
                    self._closing.add(closing)
                    closing.add_done_callback(self._closing.discard)
            self._make_room()


async def room(scope: Scope) -> None:
    """Wait until the browser at the other end of a websocket can take an answer soon."""
    connection = scope.get(_CONNECTION)
    if connection is not None:  # There is none where no `Outflow` stands before.
        await connection.room()


async def _send_in_pieces(send: Send, message: Message) -> None:
    """Send a message; a long body is copied piece by piece, as the browser takes it."""
    body = message.get("body", b"")
    if message["type"] != "http.response.body" or len(body) <= _PIECE:
        await send(message)
        return
    for start in range(0, len(body), _PIECE):
        is_last = start + _PIECE >= len(body)
        more_body = message.get("more_body", False) or not is_last
        await send({**message, "body": body[start : start + _PIECE], "more_body": more_body})
