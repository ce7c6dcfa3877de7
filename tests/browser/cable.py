"""A way to a server that can be cut: then nothing arrives any more, and nobody is told."""

import contextlib
import socket
import threading


class Cable:
    """Carries connections to a port of this machine; what was sent while it was cut arrives once it is mended."""

    def __init__(self, port):
        self._port = port
        self._whole = threading.Event()
        self._whole.set()
        self._listening = socket.create_server(("localhost", 0))
        self.port = self._listening.getsockname()[1]
        self._begin(self._accept)

    def cut(self):
        self._whole.clear()

    def mend(self):
        self._whole.set()

    def close(self):
        self.mend()
        self._listening.close()

    def _begin(self, work, *given):
        threading.Thread(target=work, args=given, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):  # it was closed
            while True:
                here, _ = self._listening.accept()
                there = socket.create_connection(("localhost", self._port))
                self._begin(self._carry, here, there)
                self._begin(self._carry, there, here)

    def _carry(self, source, target):
        with contextlib.suppress(OSError):  # the other way has ended
            while data := source.recv(1 << 16):
                self._whole.wait()
                target.sendall(data)
            self._whole.wait()
            target.shutdown(socket.SHUT_WR)
