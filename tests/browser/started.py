"""The app in a process of its own, started as `kpviz app` starts it, or otherwise."""

import signal
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager

from kpviz.commands import serve


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


class Server:
    """A server as `kpviz app` or a `command` for a port starts it; which can be killed and started
    again there.
    """

    def __init__(self, log, base="", command=None):
        self.port = free_port()
        self.log = log
        command = command or (
            lambda port: serve.command("localhost", port, browser=False, base=base)
        )
        self.command = command(self.port)
        self.address = f"http://localhost:{self.port}{base}"

    def start(self):
        with self.log.open("w") as out:
            self.process = subprocess.Popen(self.command, stdout=out, stderr=subprocess.STDOUT)
        return self

    def wait(self):
        """Wait until it answers."""
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=5):
                    return self
            except OSError:
                assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.05)
        raise AssertionError(f"The server did not start: {self.log.read_text()}")

    def kill(self):
        self.process.kill()
        self.process.wait(20)


@contextmanager
def running(server, end=signal.SIGTERM):
    """Start a server; yield it once it answers. It must not have written a traceback by the end."""
    try:
        yield server.start().wait()
    finally:
        server.process.send_signal(end)
        server.process.wait(60)
    assert "Traceback" not in server.log.read_text(), server.log.read_text()


@contextmanager
def started(log, base=""):
    """Start the app, and yield its address."""
    with running(Server(log, base)) as server:
        yield server.address
