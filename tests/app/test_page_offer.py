"""The page that plays itself, as the app offers it: made only when asked for, from what is on the board."""

import base64
import gzip
import html
import json
import re

import pytest
import streamlit as st
from playing import about
from playing import part_ran as ran
from streamlit.testing.v1 import AppTest

from kpviz.app import runs
from kpviz.export.page import page as exported
from kpviz.lessons import presets
from kpviz.player import payload
from kpviz.settings import DRAWN, Settings


def script():
    import streamlit as st

    from kpviz.app import page_offer

    page_offer.offer(st.session_state["here"])


@pytest.fixture
def offered(monkeypatch):
    """A function that draws the offer; it returns the script's page, and what the button was given."""
    made = {}

    def button(label, data, name, mime, **options):
        made.update(label=label, data=data, name=name, mime=mime, options=options)

    monkeypatch.setattr(st, "download_button", button)

    def draw(settings, **more):
        at = AppTest.from_function(script, default_timeout=60)
        at.session_state["here"] = about(settings, **more)
        return ran(at), made

    return draw


def read(text):
    """The options in a page, and the header of what its player is sent."""
    options = json.loads(re.search(r'<script type="application/json" id="run">(.*?)</script>', text).group(1))
    return options, payload.unpack(gzip.decompress(base64.b64decode(options["run"])))[0]


def test_the_page_is_of_the_run_the_panels_and_the_cues_on_the_board(offered):
    settings = Settings.of(n=20, cues="start hold 2: Look.|>Mine.")
    at, made = offered(settings, picture=7, address=f"{settings.link()}&t=7&show=alpha.code")
    assert (made["name"], made["mime"], made["options"]["on_click"]) == (
        "kpviz-xor-gaussian.html",
        "text/html",
        "ignore",
    )
    options, header = read(made["data"]())
    assert (header["view"]["t"], header["view"]["show"]) == (0, ["alpha", "code"])
    assert (options["autoplay"], options["loop"], options["address"]) == (True, False, None)
    assert options["holds"] == {"0": 2.0}
    assert "notes are not in it" in at.caption[0].value


def test_what_is_chosen_is_in_the_page(offered):
    at, made = offered(Settings.of(n=20), picture=7)
    at.segmented_control(key="page-theme").select("dark")
    at.segmented_control(key="page-opens").select("this step")
    at.toggle(key="page-loop").set_value(True)
    ran(at)
    text = made["data"]()
    options, header = read(text)
    assert header["view"]["t"] == 7
    assert options["loop"] is True
    assert "prefers-color-scheme" not in text.partition("<script")[0]
    at.toggle(key="page-autoplay").set_value(False)
    ran(at)
    options, _ = read(made["data"]())
    assert (options["autoplay"], options["loop"]) == (False, False)


def test_nothing_is_trained_before_it_is_asked_for(offered, monkeypatch):
    def never(*_, **__):
        raise AssertionError("trained")

    monkeypatch.setattr(runs, "lineup_of", never)
    monkeypatch.setattr(exported, "page_of", never)
    offered(Settings.of(n=20))


def test_pinned_runs_come_along(offered):
    settings, pins = presets.PRESETS["budget"].settings()
    at, made = offered(settings, pins=pins)
    _, header = read(made["data"]())
    assert len(header["runs"]) == 1 + len(pins)
    assert "pinned runs are in it" in at.caption[0].value


def test_without_examples_there_is_a_sentence_and_no_button(offered):
    at, made = offered(Settings.of(data=DRAWN, points=""))
    assert made == {}
    assert "nothing to play" in at.info[0].value


def test_the_line_for_slides_names_the_file(offered):
    at, made = offered(Settings.of(n=20))
    assert f'src="{html.escape(made["name"])}"' in at.code[0].value
