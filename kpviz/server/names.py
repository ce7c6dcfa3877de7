"""The names by which browsers reach a server, as its address says.

Without Streamlit, since commands read them, too.

Tests: tests/server/test_admission.py.
"""

from __future__ import annotations

import socket

HERE = frozenset({"localhost", "127.0.0.1", "::1"})
# A server that listens to the whole network has these addresses.
EVERYWHERE = frozenset({"0.0.0.0", "::", ""})


def own_names(address: str, name: str = "") -> set[str]:
    """Return the names under which a server at an address is reached, and the one it was given."""
    names = {*HERE, name, address} - EVERYWHERE
    if address in EVERYWHERE:
        names |= {lan_address(), socket.gethostname(), f"{socket.gethostname()}.local"}
    return names


def lan_address() -> str:
    """Return this machine's address in the network; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # The address is kept for documentation.
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
