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


@contextmanager
def started(log, base=""):
    """Start a server; yield its address. It must not have written a traceback by the end."""
    port = free_port()
    command = [*serve.command("localhost", port, browser=False), f"--server.baseUrlPath={base}"]
    with log.open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    address = f"http://localhost:{port}{base}"
    try:
        _wait_for_health(address, process, log)
        yield address
    finally:
        process.terminate()
        process.wait(20)
    assert "Traceback" not in log.read_text(), log.read_text()


def _wait_for_health(address, process, log):
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
                return
        except OSError:
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
    raise AssertionError(f"The server did not start: {log.read_text()}")
