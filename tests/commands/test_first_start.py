"""The first start of a new account: nothing is asked, nothing is kept, and the browser opens."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from started import free_port

pty = pytest.importorskip("pty", reason="no pseudo-terminals on this system")

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # s
BROWSER = '#!/bin/sh\necho "$1" > "{seen}.part" && mv "{seen}.part" "{seen}"\n'
STARTS = {
    "kpviz app": [
        "-c",
        "from kpviz.cli import main; raise SystemExit(main(['app', '--port', '{port}']))",
    ],
    "streamlit run": ["-m", "streamlit", "run", str(ROOT / "app.py"), "--server.port", "{port}"],
}


@pytest.fixture
def account(folder):
    """A new account: an empty home, and a browser that only notes its address, under all names one
    is started by.
    """
    home, programs, seen = folder / "home", folder / "programs", folder / "seen"
    home.mkdir()
    programs.mkdir()
    for name in ("browser", "xdg-open", "open"):
        (programs / name).write_text(BROWSER.format(seen=seen))
        (programs / name).chmod(0o755)
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("STREAMLIT_", "XDG_"))
    }
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    mine = {"HOME": str(home), "PATH": path, "BROWSER": str(programs / "browser"), "DISPLAY": ":0"}
    return home, seen, {**kept, **mine, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def terminal():
    ours, theirs = pty.openpty()
    yield theirs
    os.close(theirs)
    os.close(ours)


@pytest.mark.parametrize("start", STARTS)
def test_a_new_account_is_asked_nothing_and_the_browser_opens(start, account, terminal, folder):
    home, seen, environment = account
    port, log = free_port(), folder / "log.txt"
    command = [sys.executable, *(part.format(port=port) for part in STARTS[start])]
    where = ROOT if start == "streamlit run" else folder
    with log.open("w") as out:
        process = subprocess.Popen(
            command,
            stdin=terminal,
            stdout=out,
            stderr=out,
            env=environment,
            cwd=where,
            start_new_session=True,
        )
    try:
        ends = time.monotonic() + PATIENCE
        while not seen.exists() and process.poll() is None and time.monotonic() < ends:
            time.sleep(0.05)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)
    output = log.read_text()
    assert seen.exists(), output
    assert seen.read_text().strip() == f"http://localhost:{port}"
    assert "Email" not in output
    assert "usage statistics" not in output
    assert list(home.rglob("*")) == []
