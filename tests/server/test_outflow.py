"""What goes out: browsers that take nothing, slow ones, and so many that all together leave too
much.
"""

import contextlib
import http.client
import json
import socket
import time

import pytest
from apart import awaited
from asking import PATIENCE, served
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kpviz.app import serving
from kpviz.player import payload
from kpviz.server import outflow, route
from kpviz.server.admission import Admission
from kpviz.server.front import SafeHeaders
from kpviz.server.outflow import Outflow
from kpviz.server.pool import Pool
from kpviz.server.route import Service

ANSWER = 8_000_000  # bytes
END = outflow._REASON.encode()
ANSWER_TO_END = bytes([0x88, 0x80, 0, 0, 0, 0])  # a closing frame without a reason
LENGTH = ANSWER + len(payload.pack({"n": 1}, {}))


class Answering:
    """A service whose answers have a given size, and which counts them."""

    def __init__(self):
        self.begun = 0

    async def answer(self, question, compute):
        self.begun += 1
        return payload.pack({"n": question["n"]}, {}) + bytes(question["size"])


@contextlib.contextmanager
def service(**options):
    """An application with the service behind `Outflow`; yield its address, its answers and the
    middleware.
    """
    answering = Answering()
    pool = Pool()
    made = []

    def bounded(app):
        made.append(Outflow(app, **options))
        return made[0]

    @contextlib.asynccontextmanager
    async def lifespan(_):
        yield
        await pool.close()

    routes = [Service(pool, lambda: answering.answer).route()]
    app = Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(bounded)])
    with served(app) as address:
        yield address, answering, made


class Page:
    """A websocket of which nothing is read until somebody says so: usual clients read as soon as
    something comes.
    """

    def __init__(self, address):
        host, port = address.split(":")
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        self._socket.settimeout(PATIENCE)
        self._socket.connect((host, int(port)))
        head = [
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Host: {address}",
        ]
        key = f"Sec-WebSocket-Key: {'a' * 22}=="
        self._socket.sendall(
            "\r\n".join([f"GET {route.PATH} HTTP/1.1", *head, key, "", ""]).encode()
        )
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += self._socket.recv(1)
        assert b" 101 " in answer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def ask(self, n=1, kind="run", size=ANSWER):
        text = json.dumps({"n": n, "kind": kind, "size": size}).encode()
        self._socket.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)

    def read(self, count):
        """So many bytes, or at least one."""
        data = self._socket.recv(count)
        if not data:
            raise EOFError("The connection was cut off.")
        return data

    def exactly(self, count):
        data = bytearray()
        while len(data) < count:
            data += self.read(count - len(data))
        return bytes(data)

    def answered(self):
        """The number of the next answer, and how long it is."""
        while True:
            kind, length = self.exactly(2)
            if length > 125:
                length = int.from_bytes(self.exactly(2 if length == 126 else 8))
            data = self.exactly(length)
            if kind & 15 == 2:  # the others tell of progress
                return payload.unpack(data)[0]["n"], length

    def is_cut_off(self):
        """Whether the connection ends; what came before is read, and its end answered, for which
        a server waits ten seconds.
        """
        try:
            while True:
                if self.read(1_000_000).endswith(END):
                    self._socket.sendall(ANSWER_TO_END)
        except (EOFError, ConnectionResetError):
            return True


def until(holds):
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)


def unread(made):
    return sum(connection.unread for connection in list(made[0]._unread)) if made else 0


@pytest.mark.parametrize("kinds", [["run"], ["run", "curve", "verdict", "lesson", "join"]])
def test_a_browser_that_takes_nothing_is_cut_off_and_its_bytes_are_given_back(kinds):
    with service(patience=3) as (address, answering, made), Page(address) as page:
        for kind in kinds:
            page.ask(kind=kind)
        until(lambda: unread(made) > 0.8 * ANSWER)
        until(lambda: not unread(made))
        assert page.is_cut_off()
        assert 1 <= answering.begun <= len(kinds)


def test_who_asks_on_without_taking_anything_is_cut_off_as_well():
    with service(patience=3) as (address, _, made), Page(address) as page:
        page.ask()
        until(lambda: unread(made) > 0.8 * ANSWER)
        n = 1
        with contextlib.suppress(OSError):
            while n < 600:  # each takes the place of the one before
                n += 1
                page.ask(n=n)
                page.ask(n=n, kind="curve")
                time.sleep(0.05)
        assert n < 600
        assert unread(made) == 0


def test_one_that_takes_again_in_time_reads_the_whole_answer_and_another():
    with service(patience=4) as (address, _, made), Page(address) as page:
        page.ask()
        until(lambda: unread(made) > 0.8 * ANSWER)
        time.sleep(1)
        assert page.answered() == (1, LENGTH)
        time.sleep(5)  # nothing is on its way: it may be silent for as long as it likes
        page.ask(n=2)
        assert page.answered() == (2, LENGTH)


def test_a_slow_browser_goes_on_for_longer_than_the_patience():
    with service(patience=2) as (address, _, _), Page(address) as page:
        page.ask(size=5_000_000)
        began = time.monotonic()
        taken = 0
        while taken < 5_000_000:
            taken += len(page.read(20_000))
            time.sleep(0.02)
        assert time.monotonic() - began > 4


def test_where_all_leave_too_much_the_one_goes_that_left_most_for_longest():
    with service(limit=3 * ANSWER) as (address, _, made), contextlib.ExitStack() as stack:
        greedy = stack.enter_context(Page(address))
        greedy.ask(size=2 * ANSWER)
        until(lambda: unread(made) > 1.8 * ANSWER)
        pages = [stack.enter_context(Page(address)) for _ in range(6)]
        for page in pages:
            page.ask(size=ANSWER // 2)
            time.sleep(0.1)
        assert unread(made) <= 3 * ANSWER
        assert greedy.is_cut_off()
        for page in pages[-5:]:
            assert page.answered()[1] > ANSWER // 2


def test_thirty_that_read_nothing_leave_no_more_than_the_limit_and_others_are_answered():
    with service(limit=3 * ANSWER) as (address, _, made), contextlib.ExitStack() as stack:
        most = 0
        for _ in range(30):
            stack.enter_context(Page(address)).ask()
            time.sleep(0.02)
            most = max(most, unread(made))
        reader = stack.enter_context(Page(address))
        reader.ask(n=7, size=10_000)
        assert reader.answered()[0] == 7
        assert ANSWER / 2 < most < 4.1 * ANSWER  # the limit, and the answer for which room is made


def test_nothing_is_computed_for_a_browser_that_has_not_taken_the_answer_before(monkeypatch):
    arrived = []
    room = outflow.room

    async def noted(scope):
        arrived.append(scope)
        await room(scope)

    monkeypatch.setattr(outflow, "room", noted)
    with service() as (address, answering, made), Page(address) as page:
        page.ask()
        until(lambda: unread(made) > 0.8 * ANSWER)
        for n in range(2, 7):
            page.ask(n=n, kind="curve")
            until(lambda n=n: len(arrived) == n)
        assert answering.begun == 1
        assert page.answered() == (1, LENGTH)
        assert page.answered() == (6, LENGTH)
        assert answering.begun == 2


def test_of_a_page_that_comes_back_in_the_last_moment_it_is_said_why_it_ended():
    """It began to take again while the server was about to cut it off."""

    class Transport:
        size = 50_000
        is_aborted = False

        def get_extra_info(self, name):
            return None

        def get_write_buffer_size(self):
            return self.size

        def abort(self):
            self.is_aborted = True

    async def close(reads):
        transport = Transport()
        sent = []

        async def send(message):
            sent.append(message)
            if reads:
                transport.size = 0

        connection = outflow.Connection(transport, send)
        await connection.close(0.1)
        with pytest.raises(OSError, match="cut off"):
            await connection.send({"type": "websocket.send", "text": "more"})
        return sent, transport.is_aborted

    for reads in (True, False):
        sent, is_aborted = awaited(close(reads))
        assert [(message["type"], message["code"]) for message in sent] == [
            ("websocket.close", 1013)
        ]
        assert sent[0]["reason"] == "Nothing of an answer was taken for a minute."
        assert is_aborted == (not reads)


def test_a_response_over_http_is_whole_and_copied_piece_by_piece():
    body = bytes(range(256)) * 20_000
    pieces = []

    async def page(_):
        return Response(body)

    def noted(app):
        async def call(scope, receive, send):
            async def sent(message):
                pieces.append(len(message.get("body", b"")))
                await send(message)

            await app(scope, receive, sent if scope["type"] == "http" else send)

        return call

    app = Starlette(routes=[Route("/", page)], middleware=[Middleware(noted), Middleware(Outflow)])
    with served(app) as address:
        for method, expected in (("GET", body), ("HEAD", b"")):
            connection = http.client.HTTPConnection(address)
            connection.request(method, "/")
            response = connection.getresponse()
            assert (response.status, response.headers["Content-Length"]) == (200, str(len(body)))
            assert response.read() == expected
            connection.close()
    assert max(pieces) == 65_536


def test_a_transport_is_found_whatever_websockets_uvicorn_speaks():
    """Without it nothing would be bounded."""
    seen = []

    async def talk(websocket):
        seen.append(outflow._CONNECTION in websocket.scope)
        await websocket.accept()
        await websocket.close()

    app = Starlette(routes=[WebSocketRoute("/", talk)], middleware=[Middleware(Outflow)])
    with (
        served(app) as address,
        connect(f"ws://{address}/", proxy=None) as page,
        pytest.raises(ConnectionClosed),
    ):
        page.recv(PATIENCE)
    assert seen == [True]


def test_in_the_app_it_stands_before_all_others_and_so_bounds_streamlits_socket_too():
    assert [one.cls for one in serving.options()["middleware"]][:3] == [
        Outflow,
        SafeHeaders,
        Admission,
    ]
