"""`kpviz app`: start the server, and open the player in the browser.

Tests: tests/server/test_started.py, tests/server/test_opened_file.py.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

from kpviz import packages
from kpviz.commands import CommandError, interruptible
from kpviz.lessons import shelf
from kpviz.server import OPENED, OPENED_FILE, OPENED_TOKEN, names
from kpviz.service import join

_PORT = 8501
_EVERYWHERE = "0.0.0.0"
_ENTRY = Path(__file__).parents[1] / "app" / "main.py"


def app(options: argparse.Namespace) -> int:
    """Run the server until it ends; return its exit code."""
    lacking = packages.missing("The app", "app", "plot", "sklearn")
    if lacking:
        raise CommandError(lacking)
    host = _EVERYWHERE if options.lan else "localhost"
    first = options.port or _PORT
    tries = 1 if options.port or options.name else 10
    port = free_port(first, tries)
    if port is None:
        taken = f"port {first} is" if tries == 1 else f"ports {first} to {first + tries - 1} are"
        raise CommandError(f"{taken} taken: choose another with --port.")
    name = options.name or (names.lan_address() if options.lan else "localhost")
    address = f"https://{name}" if options.name and not options.lan else f"http://{name}:{port}"
    base = options.base_path or ""
    address += base
    place, opened = _opened(options.place)
    print(f"kpviz is at {address}{place}   (Ctrl+C stops it)", flush=True)
    served = {OPENED: address + place}
    served |= {} if options.lessons is None else {shelf.FOLDER: str(options.lessons.resolve())}
    served |= {shelf.NOTES: "yes"} if options.notes else {}
    served |= {} if options.class_folder is None else {join.CLASS: options.class_folder}
    served |= opened
    served |= {} if name == "localhost" else {join.ADDRESS: address}
    # Sessions share the processors better than algebra.
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    started = command(host, port, browser=not options.no_browser, name=name, base=base)
    # A file of 15 MB is several blocks of memory, which go back to the system when they are free,
    # as long as the C library does not raise this limit by itself.
    memory = {"MALLOC_MMAP_THRESHOLD_": "1000000"}
    return become(started, {**threads, **memory, **os.environ, **served})


def _opened(link_or_path: str | Path | None) -> tuple[str, dict[str, str]]:
    """Return the page and query that the browser opens, and what the server is told of a file."""
    if not isinstance(link_or_path, Path):
        return link_or_path or "", {}
    # They load the engine here, which the server starts without.
    from kpviz.commands import inputs, lesson

    if link_or_path.name.lower().endswith(shelf.SUFFIX):
        lesson.read_file(str(link_or_path))
    else:
        name = str(link_or_path)
        inputs.read(f"./{name}" if inputs.is_link(name) else name)  # A path has lost its ./.
    token = secrets.token_urlsafe(12)
    query = urlencode({"v": "1", "open": f"{token}/{link_or_path.name}"})
    return f"/?{query}", {OPENED_FILE: str(link_or_path.resolve()), OPENED_TOKEN: token}


def become(command: list[str], environment: dict[str, str]) -> int:
    """Put the server in the place of this process, so that whatever ends `kpviz app` ends it.

    Return its exit code.
    """
    if sys.platform != "win32":  # There a new process would be left alone with the terminal.
        # Ctrl+C waits until `interruptible` takes it
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        os.execve(command[0], command, environment)
    return subprocess.call(command, env=environment)


def command(
    host: str, port: int, *, browser: bool, name: str = "localhost", base: str = ""
) -> list[str]:
    """Return the command that starts the server.

    The theme and the rest stand in kpviz/app/.streamlit/config.toml.

    `base` is the path below which all pages are, and `name` the host that the browser's address bar
    shows. Told this, the server need not ask the network for its own address. It answers under the
    names that it knows of itself: another site could give its own name to this machine's address,
    and ask in its visitor's place.
    """
    hosts = names.own_names(host, name)
    return [
        *(sys.executable, "-m", interruptible.__name__, "streamlit", "run", str(_ENTRY)),
        f"--server.address={host}",
        f"--server.port={port}",
        f"--server.baseUrlPath={base}",
        *(f"--server.allowedHosts={allowed_host}" for allowed_host in sorted(hosts)),
        f"--server.headless={'false' if browser else 'true'}",
        # A new account would be asked, and its answer kept in its home.
        "--server.showEmailPrompt=false",
        "--browser.gatherUsageStats=false",
        f"--browser.serverAddress={name}",
        "--logger.hideWelcomeMessage=true",
    ]


def free_port(first: int, tries: int) -> int | None:
    """Return the first free one of so many ports."""
    for port in range(first, min(first + tries, 65536)):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    return None
