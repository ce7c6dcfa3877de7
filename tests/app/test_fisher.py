"""Fisher's page as Streamlit opens it: every data set, every widget, bad links, and its board's commands."""

import pytest
from streamlit.testing.v1 import AppTest

from kpviz.app import fisher_state
from kpviz.engine.fisher.data import SETS
from kpviz.player import fisher, payload
from kpviz.player.fisher_link import FisherSettings

SCRIPT = """
import streamlit as st
from kpviz.app.screens import discriminant
st.navigation([st.Page(discriminant.page, title="Fisher")], position="hidden").run()
"""


@pytest.fixture(autouse=True)
def _no_link_to_a_page_that_is_not_there(monkeypatch):
    monkeypatch.setattr("kpviz.app.switch.show", lambda session: None)


def page(**query):
    at = AppTest.from_string(SCRIPT, default_timeout=60)
    at.query_params.update(query)
    return at


def ran(at):
    at.run()
    assert not at.exception, at.exception[0].message
    return at


def opened(**query):
    return ran(page(**query))


def with_open_chip(**query):
    at = page(**query)
    at.session_state["chip-fisher-data"] = True
    return ran(at)


def sent(at):
    """The envelope, and the packet behind it."""
    data = bytes(at.get("bidi_component")[0].proto.bytes)
    envelope, _ = payload.unpack(data)
    return envelope, data[data.rindex(payload.MAGIC) :]


@pytest.mark.parametrize("name", SETS)
def test_every_data_set_opens_from_its_link(name):
    at = opened(v="1", data=name)
    envelope, packet = sent(at)
    assert packet == fisher.encode(FisherSettings.of(data=name))
    assert envelope["view"] == {"angle": None, "threshold": None}
    assert len(at.toast) == 0


def test_the_page_opens_on_long_clouds():
    at = opened()
    assert sent(at)[1] == fisher.encode(FisherSettings.of(data="clouds"))
    assert [popover.proto.popover.label for popover in at.get("popover")] == ["Long clouds · 80 points · seed 0"]


def test_a_link_says_where_f_points_and_where_the_threshold_is():
    at = opened(data="moons", seed="3", angle="200.5", threshold="0.25")
    envelope, packet = sent(at)
    assert envelope["view"] == {"angle": 200.5, "threshold": 0.25}
    assert packet == fisher.encode(FisherSettings.of(data="moons", seed=3))


@pytest.mark.parametrize(
    "query",
    [
        {"data": "nothing"},
        {"data": "<script>alert(1)</script>", "angle": "up"},
        {"v": "99", "n": "-5", "noise": "1e999", "seed": "x"},
        {"threshold": "1", "data": "wine"},
        {f"key{k}": "A" * 40 for k in range(60)},
    ],
)
def test_a_bad_link_opens_with_one_notice(query):
    at = opened(**query)
    assert len(at.toast) == 1
    assert sent(at)[0]["view"] == {"angle": None, "threshold": None}
    at.run()
    assert len(at.toast) == 0


def test_every_widget_sets_what_it_says():
    at = with_open_chip(data="iris")
    at.get_by_key("fisher-n").set_value(60)
    at.get_by_key("fisher-noise").set_value(0.1)
    at.get_by_key("fisher-seed").set_value(7)
    at.get_by_key("fisher-x").set_value(0)
    at.get_by_key("fisher-pair").set_value("01")
    ran(at)
    expected = FisherSettings.of(data="iris", n=60, noise=0.1, seed=7, x=0, pair="01")
    assert sent(at)[1] == fisher.encode(expected)
    at.get_by_key("fisher-new").click()
    assert sent(ran(at))[1] == fisher.encode(expected.replace(seed=8))


@pytest.mark.parametrize("name", SETS)
def test_the_chip_chooses_each_data_set(name):
    at = with_open_chip()
    at.get_by_key("fisher-data").set_value(name)
    assert sent(ran(at))[1] == fisher.encode(FisherSettings.of(data=name))
    drawn = not SETS[name].many
    assert len(at.slider) == (2 if drawn else 0)
    assert any(button.key == "fisher-new" for button in at.button) == drawn


def commanded(monkeypatch, log, query=None):
    """The session after a log of the board's commands; None is what Streamlit gives before any."""
    session = fisher_state.FisherSession(FisherSettings.of(**(query or {})))
    monkeypatch.setattr(
        fisher_state.st,
        "session_state",
        {"fisher-session": session, fisher_state.FISHER_STAGE: {"command": log}},
        raising=False,
    )
    fisher_state.on_fisher_command()
    return session


def test_commands_are_carried_out_once_and_in_order(monkeypatch):
    entries = [{"n": 5, "name": "redraw", "t": 0}, {"n": 6, "name": "redraw", "t": 0}]
    session = commanded(monkeypatch, {"log": entries})
    assert (session.settings.seed, session.carried_out) == (2, 6)
    fisher_state.on_fisher_command()
    assert session.settings.seed == 2


def test_the_data_command_walks_through_all_sets(monkeypatch):
    seen = []
    name = "clouds"
    for _ in SETS:
        name = commanded(monkeypatch, {"log": [{"n": 1, "name": "data"}]}, {"data": name}).settings.data
        seen.append(name)
    assert sorted(seen) == sorted(SETS)


@pytest.mark.parametrize(
    "log",
    [
        None,
        [],
        {},
        {"log": 3},
        {"log": [1, None, {}, {"n": "1", "name": "data"}]},
        {"log": [{"n": True, "name": "data"}]},
        "x",
    ],
)
def test_nonsense_from_the_board_does_nothing(monkeypatch, log):
    session = commanded(monkeypatch, log)
    assert session == fisher_state.FisherSession(FisherSettings.of())
