"""The app in a process of its own, started as `kpviz app` starts it."""

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
    """A server as `kpviz app` starts it, which can be killed and started again at the same address."""

    def __init__(self, log, base=""):
        self.port = free_port()
        self.log = log
        self.command = [*serve.command("localhost", self.port, browser=False), f"--server.baseUrlPath={base}"]
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
def started(log, base=""):
    """Start a server; yield its address. It must not have written a traceback by the end."""
    server = Server(log, base).start()
    try:
        yield server.wait().address
    finally:
        server.process.terminate()
        server.process.wait(20)
    assert "Traceback" not in log.read_text(), log.read_text()
