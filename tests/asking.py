"""A page's side of the run service's websocket, and a server to ask, for tests."""

import json
import socket
import threading
import time
from contextlib import contextmanager

import uvicorn
from websockets.sync.client import connect

from kpviz.player import payload

PATIENCE = 60  # s


class Asker:
    """Asks as a page does."""

    def __init__(self, socket):
        self._socket = socket

    def send(self, **message):
        self._socket.send(json.dumps(message))

    def raw(self, message):
        self._socket.send(message)

    def received(self):
        """The next message: of progress, or the header of an answer."""
        message = self._socket.recv(PATIENCE)
        return json.loads(message) if isinstance(message, str) else payload.unpack(message)[0]

    def ask(self, **message):
        self.send(**message)
        return self.answered()

    def answered(self):
        message = self.received()
        while "progress" in message:
            message = self.received()
        return message


@contextmanager
def asking(address, origin=None):
    with connect(
        f"ws://{address}", origin=origin, max_size=None, open_timeout=PATIENCE, proxy=None
    ) as socket:
        yield Asker(socket)


@contextmanager
def served(app, port=0):
    """Serve an ASGI application in a thread, at a free port or at this one; yield host and port.

    Its websockets are not pinged: a ping draws from ``random``, and Hypothesis takes that for its
    own."""
    listening = socket.create_server(("localhost", port))
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=100_000_000,
        ws_ping_interval=None,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield f"localhost:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
