"""Open an address in the browser as soon as the server of `kpviz app` listens: a process of its own."""

from __future__ import annotations

import socket
import sys
import time
import webbrowser

_PATIENCE = 600  # tenths of a second until the server listens


def main(port: int, address: str) -> None:
    """Wait for the server, and open the address."""
    for _ in range(_PATIENCE):
        time.sleep(0.1)
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if probe.connect_ex(("localhost", port)) == 0:
                webbrowser.open(address)
                return


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
