"""A folder of its own for each test, and the command line in it."""

import io
import sys

import pytest

from kpviz import cli


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def kpviz(capfd):
    """Run the command line; return the exit code, what it prints and what it complains about."""

    def run(*arguments):
        try:
            code = cli.main(arguments)
        except SystemExit as left:
            code = left.code
        return code, *capfd.readouterr()

    return run


@pytest.fixture
def typed(monkeypatch):
    """Put bytes on standard input."""

    def put(content):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))

    return put
