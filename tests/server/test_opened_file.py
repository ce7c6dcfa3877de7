"""The file of `kpviz app FILE` is sent to whoever knows its token, and to nobody else."""

import argparse
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from asking import served
from starlette.applications import Starlette

from kpviz.commands import CommandError, serve
from kpviz.server import OPENED_FILE, OPENED_TOKEN, opened_file

TABLE = "width,height,kind\n1,2,rose\n2,1,iris\n3,4,rose\n0,1,iris\n"


def got(address, path):
    """Status and text of a response."""
    try:
        with urllib.request.urlopen(f"http://{address}{path}") as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


@pytest.mark.parametrize("base", ["", "/courses/kpviz"])
def test_only_the_token_opens_the_file(tmp_path, monkeypatch, base):
    path = tmp_path / "a b.csv"
    path.write_text(TABLE, encoding="utf-8")
    refused = (404, "")
    place = f"{base}/opened-file"
    with served(Starlette(routes=[opened_file.route(lambda: base)])) as address:
        monkeypatch.setenv(OPENED_FILE, str(path))
        assert got(address, f"{place}/None/a%20b.csv") == refused
        monkeypatch.setenv(OPENED_TOKEN, "secret")
        assert got(address, f"{place}/secret/a%20b.csv") == (200, TABLE)
        assert got(address, f"{place}/secret/another-name") == (
            200,
            TABLE,
        )  # the name is for the page
        assert got(address, f"{place}/wrong/a%20b.csv") == refused
        assert got(address, f"/elsewhere{place}/secret/a%20b.csv") == refused
        path.unlink()
        assert got(address, f"{place}/secret/a%20b.csv") == refused


def started_by(monkeypatch, place):
    """What the command tells the server."""
    told = {}
    monkeypatch.setattr(serve, "become", lambda command, environment: told.update(environment) or 0)
    options = {
        "lan": False,
        "port": None,
        "name": None,
        "base_path": None,
        "lessons": None,
        "notes": False,
        "class_folder": None,
    }
    serve.app(argparse.Namespace(place=place, no_browser=True, **options))
    return told


def test_the_address_names_the_file_by_its_token(tmp_path, monkeypatch):
    path = tmp_path / "a b.csv"
    path.write_text(TABLE, encoding="utf-8")
    told = started_by(monkeypatch, path)
    token, name = parse_qs(urlsplit(told["KPVIZ_OPENED"]).query)["open"][0].split("/")
    assert (told[OPENED_FILE], told[OPENED_TOKEN], name) == (str(path), token, "a b.csv")
    assert len(token) >= 16
    assert token != started_by(monkeypatch, path)[OPENED_TOKEN]
    assert OPENED_FILE not in started_by(monkeypatch, "/?v=1")


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.csv", "", "a.csv"),
        ("a.json", "{", "not"),
        ("a.kpviz.md", "nothing", "is not a lesson without faults: kpviz lesson check names them"),
    ],
)
def test_a_file_that_cannot_be_opened_is_refused_before_the_server_starts(
    tmp_path, monkeypatch, name, text, why
):
    path = Path(tmp_path / name)
    path.write_text(text, encoding="utf-8")
    with pytest.raises((CommandError, ValueError), match=why):
        started_by(monkeypatch, path)
