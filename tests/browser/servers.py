"""The servers that all browsers open, each one for the tests of a worker."""

import bare
import pytest
from asking import served
from started import started


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of a server started as `kpviz app` starts it."""
    with started(tmp_path_factory.mktemp("server") / "log.txt") as address:
        yield address


@pytest.fixture(scope="session")
def bare_server():
    """The address of a server that has the player and the run service without Streamlit."""
    with served(bare.app()) as address:
        yield f"http://{address}"
