"""Open an address in the browser as soon as the server of `kpviz app` listens: a process of its own."""

from __future__ import annotations

import signal
import socket
import sys
import time

_PATIENCE = 600  # tenths of a second until the server listens


def main(port: int, address: str) -> None:
    """Wait for the server, and open the address."""
    for _ in range(_PATIENCE):
        time.sleep(0.1)
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if probe.connect_ex(("localhost", port)) == 0:
                import webbrowser  # not before Ctrl+C is taken care of: it takes its time

                webbrowser.open(address)
                return


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C ends it without a traceback
    main(int(sys.argv[1]), sys.argv[2])
