"""One engine for the tests of a worker; each test opens its links on a bench of its own."""

import pytest
from headless import Bench, Engine


@pytest.fixture(scope="session")
def engine():
    """The player's modules without a browser."""
    return Engine()


@pytest.fixture
def player(engine):
    """A player to open a link in."""
    return Bench(engine)
