"""The server as it is started: the run service stands beside Streamlit's pages, and nothing is left
at the end.
"""

import http.client
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from asking import PATIENCE, asking
from processes import lives
from started import Server, running

from kpviz.app import serving
from kpviz.commands import serve

ROOT = Path(__file__).parents[2]
MODULE = "_stcore/bidi-components/kpviz.stage/page/index.js"
HEADLESS = ["--server.headless=true", "--server.showEmailPrompt=false"]
OWN = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py"), *HEADLESS]


def by_kpviz(port, host="localhost"):
    return serve.command(host, port, browser=False)


def by_streamlit(port, *options):
    return [*OWN, f"--server.port={port}", *options]


def let_in(address, host, path):
    """Whether a page of this host, which has the server's address, is let in."""
    name, port = address.split(":")
    headers = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Host": host,
    }
    connection = http.client.HTTPConnection(name, int(port), timeout=PATIENCE)
    try:
        connection.request(
            "GET",
            path,
            headers=headers | {"Sec-WebSocket-Key": "a" * 22 + "==", "Origin": f"http://{host}"},
        )
        return connection.getresponse().status == 101
    finally:
        connection.close()


def status(url, host=None):
    request = urllib.request.Request(url, headers={} if host is None else {"Host": host})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def text(url):
    with urllib.request.urlopen(url) as response:
        return response.read().decode()


def workers_of(pid):
    """The processes that a server has started."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return [
        int(row[0]) for row in rows if int(row[1]) == pid and "import kpviz.processes" in row[-1]
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals, and no ps")
@pytest.mark.parametrize(
    ("command_for", "end"), [(by_kpviz, signal.SIGINT), (by_streamlit, signal.SIGTERM)]
)
def test_both_commands_serve_it_with_its_processes_which_end_with_it(command_for, end, tmp_path):
    with running(Server(tmp_path / "log.txt", command=command_for), end) as server:
        address, process = server.address.removeprefix("http://"), server.process
        assert (
            text(f"http://{address}/").count(f'<link rel="modulepreload" href="./{MODULE}">') == 1
        )
        assert text(f"http://{address}/{MODULE}").endswith("export default start;\n")
        for path in ("/kpviz/service", "/_stcore/stream"):
            assert let_in(address, address, path)
            assert not let_in(address, "evil.example", path)
        for path in ("/", "/lessons", f"/{MODULE}", "/_stcore/host-config", "/static/js/none.js"):
            assert status(f"http://{address}{path}", "evil.example") == 403
        assert status(f"http://{address}/health", "evil.example") == 200
        with asking(f"{address}/kpviz/service") as page:
            answer = page.ask(n=3, page="play", link="v=1&data=xor", shown=False)
            assert (answer["n"], answer.get("failed")) == (3, None)
            ends = time.monotonic() + PATIENCE
            while len(workers := workers_of(process.pid)) < 2:
                assert time.monotonic() < ends
                time.sleep(0.05)
            assert page.ask(n=4, link="v=1&data=moons&seed=3")["n"] == 4
    if command_for is by_kpviz:
        assert process.returncode == 130
        assert (tmp_path / "log.txt").read_text() == ""
    ends = time.monotonic() + PATIENCE
    while any(map(lives, workers)):
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_it_stands_where_streamlit_is_told_to_stand_and_metrics_are_closed_to_a_network(tmp_path):
    def command(port):
        return by_streamlit(port, "--server.address=0.0.0.0", "--server.baseUrlPath=/courses/k")

    with running(Server(tmp_path / "log.txt", "/courses/k", command)) as server:
        with asking(f"{server.address.removeprefix('http://')}/kpviz/service") as page:
            page.raw("nothing")
            assert page.answered()["failed"]
        assert status(f"{server.address}/_stcore/metrics") == 404
        assert status(f"{server.address}/_stcore/health") == 200
        assert status(f"{server.address}/health") == 200
        assert status(f"{server.address.removesuffix('/courses/k')}/health") == 404


def test_a_server_for_this_machine_keeps_its_metrics_open(monkeypatch):
    monkeypatch.setattr(serving, "_option", lambda name: "localhost")
    assert not serving._is_closed("/_stcore/metrics")
    monkeypatch.setattr(serving, "_option", lambda name: "0.0.0.0")
    assert serving._is_closed("/_stcore/metrics")
    assert not serving._is_closed("/_stcore/health")
