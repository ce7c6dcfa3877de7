"""The dialog that shows it elsewhere draws the panels of the player, and offers alone only what there is."""

import pytest
import streamlit as st
from drawing import drawn, png
from playing import about
from streamlit.testing.v1 import AppTest

from kpviz.picture import figure, storyboard
from kpviz.settings import Settings


def script():
    import streamlit as st

    from kpviz.app import picture

    picture.dialog(st.session_state["here"])


def opened(settings, *, address="", tab="Picture", **state):
    at = AppTest.from_function(script, default_timeout=60)
    at.session_state["here"] = about(settings, picture=7, dialog="picture", address=address)
    for key, value in {"picture-tab": tab, **state}.items():
        at.session_state[key] = value
    at.run()
    assert not at.exception, at.exception[0].message
    return at


@pytest.mark.parametrize(("tab", "door"), [("Picture", figure), ("Storyboard", storyboard)])
def test_picture_and_storyboard_show_the_panels_of_the_player(monkeypatch, tab, door):
    asked = []
    draw = door.draw
    monkeypatch.setattr(door, "draw", lambda *a, **o: asked.append(a[2].panels) or draw(*a, **o))
    monkeypatch.setattr(st, "download_button", lambda *a, **o: None)
    settings = Settings.of(n=20)
    opened(settings, tab=tab, address=f"{settings.link()}&t=7&show=code.lines.margins.normed")
    opened(settings, tab=tab, address=settings.link())
    assert asked == [("code", "lines", "margins", "normed"), None]


@pytest.mark.parametrize(
    ("values", "missing"),
    [
        ({}, set()),
        ({"learner": "svm"}, {"The order of the examples"}),
        ({"data": "drawn"}, {"Mistake bounds", "The order of the examples"}),
    ],
)
def test_rule_bounds_and_order_are_offered_where_there_is_something_to_show(values, missing):
    options = opened(Settings.of(n=20, **values) if "data" not in values else Settings.of(**values)).selectbox(
        key="picture-panel"
    )
    words = {"Pseudo-code", "Mistake bounds", "The order of the examples"}
    assert words - set(options.options) == missing


def test_a_panel_alone_is_that_of_the_command_line(monkeypatch):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, name, mime, **o: files.update({name: data}))
    settings = Settings.of(n=20)
    opened(settings, **{"picture-panel": "sequence"})
    assert files["kpviz-xor-gaussian-step-7-sequence.png"]() == png(drawn(settings, 7, only="sequence"))


def test_a_curve_alone_runs_over_the_setting_that_the_player_shows(monkeypatch):
    files = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, name, mime, **o: files.update({name: data}))
    settings = Settings.of(n=10, epochs=2)
    opened(settings, address=f"{settings.link()}&show=curve&over=noise", **{"picture-panel": "curve"})
    drawn_here = files["kpviz-xor-gaussian-step-7-curve.png"]()
    assert drawn_here == png(drawn(settings, 7, only="curve", over="noise"))
    assert drawn_here != png(drawn(settings, 7, only="curve"))
