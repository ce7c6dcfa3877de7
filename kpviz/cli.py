"""The command line: `kpviz app` opens the player in the browser."""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import kpviz

_PORT = 8501
_ENTRY = Path(__file__).parent / "ui" / "app.py"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    options = _parser().parse_args(arguments)
    if options.command is None:
        _parser().print_help()
        return 0
    try:
        return _app(options)
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kpviz", description="Watch a kernel perceptron learn.")
    parser.add_argument("--version", action="version", version=f"kpviz {kpviz.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    app = commands.add_parser(
        "app",
        help="open the player in the browser",
        description="Start the player on this machine and open it in the browser.",
        epilog="Example: kpviz app --lan --port 8600   (the class opens the address that is printed)",
    )
    app.add_argument("--lan", action="store_true", help="let the others in this network open it too")
    app.add_argument("--name", metavar="HOST", help="the name that others open, where a web server passes them on")
    app.add_argument("--port", type=_port, help="where to listen, 1024 to 65535 (default: the first free from 8501)")
    app.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    return parser


def _port(text: str) -> int:
    try:
        port = int(text)
    except ValueError:
        port = 0
    if not 1024 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: give a whole number from 1024 to 65535.")
    return port


def _app(options: argparse.Namespace) -> int:
    if importlib.util.find_spec("streamlit") is None:
        print("kpviz: streamlit is not installed: run `pip install kpviz` again.", file=sys.stderr)
        return 1
    host = "0.0.0.0" if options.lan else "localhost"
    first, tries = (options.port or _PORT), (1 if options.port or options.name else 10)
    port = _free_port(first, tries)
    if port is None:
        taken = f"port {first} is" if tries == 1 else f"ports {first} to {first + tries - 1} are"
        print(f"kpviz: {taken} taken: choose another with --port.", file=sys.stderr)
        return 1
    name = options.name or (_lan_address() if options.lan else "localhost")
    address = f"https://{name}" if options.name and not options.lan else f"http://{name}:{port}"
    print(f"kpviz is at {address}   (Ctrl+C stops it)", flush=True)
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and so the server ends with us
    return subprocess.call(command(host, port, browser=not options.no_browser, name=name), env=_environment())


def _environment() -> dict[str, str]:
    """Return the environment of the server: sessions share the processors better than one's linear algebra would."""
    return {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **os.environ}


def command(host: str, port: int, *, browser: bool, name: str = "localhost") -> list[str]:
    """Return the command that starts the server; the theme and the rest stand in kpviz/ui/.streamlit/config.toml.

    `name` is the host that the browser's address bar shows: the server answers no other, and so it need not ask the
    network for its own address.
    """
    return [
        *(sys.executable, "-m", "streamlit", "run", str(_ENTRY)),
        f"--server.address={host}",
        f"--server.port={port}",
        f"--server.headless={'false' if browser else 'true'}",
        "--browser.gatherUsageStats=false",
        f"--browser.serverAddress={name}",
        "--logger.hideWelcomeMessage=true",
    ]


def _free_port(first: int, tries: int) -> int | None:
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


def _lan_address() -> str:
    """Return this machine's address in the network; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address kept for documentation
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


if __name__ == "__main__":
    sys.exit(main())
