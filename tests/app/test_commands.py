"""What the player asks for by keys and buttons: it is done once, in order, and what makes no sense does nothing."""

from functools import cache

import pytest
from kinds import NAMES as DATA
from playing import of_page, opened
from streamlit.testing.v1 import AppTest

from kpviz.engine.data.datasets import SOURCES
from kpviz.player.extras import EXTRAS
from kpviz.settings import Settings


def commanded():
    """A page without a page: carry out the log under "sent-log" as the player's message."""
    import streamlit as st

    from kpviz.app import state

    st.session_state[state.STAGE] = st.session_state["sent-log"]
    state.session()
    state.on_command()


@cache
def shared():
    """One page for all tests: making it costs more than all that it is asked."""
    return AppTest.from_function(commanded, default_timeout=30)


def after(log, at=None, **query):
    if at is None:
        at = shared()
        at.query_params.clear()
        at.query_params.update(query)
        if "session" in at.session_state:
            del at.session_state["session"]
    at.session_state["sent-log"] = log
    at.run()
    assert not at.exception, at.exception[0].message
    return at


def log_of(*names, first=1, t=0):
    return {"command": {"log": [{"n": first + i, "name": name, "t": t} for i, name in enumerate(names)]}}


@pytest.mark.parametrize(
    ("query", "names", "expected"),
    [
        ({}, ["kernel"], {"kernel": "laplacian"}),
        ({}, ["kernel"] * 4, {}),
        ({"kernel": "sigmoid"}, ["kernel"], {"kernel": "linear"}),
        ({"seed": "4"}, ["data"], {"data": "circles"}),
        ({}, ["data"] * len(SOURCES), {"data": "texts"}),
        ({}, ["data"] * len(DATA), {}),
        ({"data": "bits", "seed": "3"}, ["data"], {}),
        ({"data": "texts"}, ["kernel"], {"data": "texts", "kernel": "spectrum"}),
        ({"data": "texts", "kernel": "spectrum"}, ["kernel"], {"data": "texts"}),
        ({"data": "trees"}, ["kernel"], {"data": "trees"}),
        ({"data": "bits"}, ["kernel"] * 4, {"data": "bits", "kernel": "gaussian"}),
        ({"data": "bits"}, ["kernel"] * 5, {"data": "bits"}),
        ({"data": "trees"}, ["redraw"], {"data": "trees", "seed": 1}),
        ({"data": "graphs"}, ["reorder"], {"data": "graphs", "order": "shuffled"}),
        ({}, ["wider"], {"sigma": 0.625}),
        ({}, ["wider", "narrower"], {}),
        ({"sigma": "9.9"}, ["wider"] * 3, {"sigma": 10.0}),
        ({"sigma": "0.02"}, ["narrower"], {"sigma": 0.02}),
        ({"kernel": "linear"}, ["wider"], {"kernel": "linear"}),
        ({}, ["redraw", "redraw"], {"seed": 2}),
        ({"seed": "9999"}, ["redraw"], {}),
        ({}, ["reorder"], {"order": "shuffled"}),
        ({}, ["reorder"] * 3, {"order": "shuffled", "oseed": 2}),
        ({"order": "random", "oseed": "9999"}, ["reorder"], {"order": "random"}),
    ],
)
def test_commands_change_the_settings(query, names, expected):
    assert of_page(after(log_of(*names), **query)) == Settings.of(**expected)


def test_a_command_is_carried_out_once_however_often_it_is_sent():
    at = after(log_of("redraw"))
    after(log_of("redraw"), at)
    assert of_page(at).seed == 1
    after(log_of("redraw", "redraw"), at)
    assert of_page(at).seed == 2
    after(log_of("redraw", first=1), at)
    assert of_page(at).seed == 2


def test_the_bound_and_the_picture_are_asked_for():
    for name in EXTRAS:
        at = after(log_of(f"with {name}"))
        assert at.session_state["session"].asked == {name}
        after(log_of(f"without {name}", first=2), at)
        assert at.session_state["session"].asked == set()
    after(log_of("without bound", "with bound", "with bound", "with nothing"), at := after(log_of()))
    assert at.session_state["session"].asked == {"bound"}
    at = after(log_of("picture", t=12))
    assert at.session_state["session"].picture == 12


@pytest.mark.parametrize(
    "message",
    [
        {}, {"command": None}, {"command": "redraw"}, {"command": 3}, {"command": []}, {"command": {"log": None}},
        {"command": {"log": "redraw"}}, {"command": {"log": {"n": 1}}},
        {"command": {"log": [None, 3, "redraw", [], {}]}},
        {"command": {"log": [{"n": "1", "name": "redraw"}]}}, {"command": {"log": [{"n": 1.5, "name": "redraw"}]}},
        {"command": {"log": [{"n": None, "name": "redraw"}]}}, {"command": {"log": [{"n": -1, "name": "redraw"}]}},
        {"command": {"log": [{"n": 1, "name": ["redraw"]}]}}, {"command": {"log": [{"n": 1, "name": {}}]}},
        {"command": {"log": [{"n": 1, "name": None}]}}, {"command": {"log": [{"n": 1, "name": "__init__"}]}},
        {"command": {"log": [{"n": 1}]}}, {"command": {"log": [{"name": "redraw"}]}},
        {"command": {"log": [{"n": 1, "name": "picture"}]}},
        {"command": {"log": [{"n": 1, "name": "picture", "t": -3}]}},
        {"command": {"log": [{"n": 1, "name": "picture", "t": "soon"}]}},
        {"command": {"log": [{"n": 1, "name": "picture", "t": True}]}},
        {"command": {"log": [{"n": True, "name": "redraw"}]}},
    ],
)  # fmt: skip
def test_a_malformed_command_changes_nothing(message):
    at = after(message)
    session = at.session_state["session"]
    assert (session.settings, session.asked, session.dialog) == (Settings.of(), frozenset(), None)
    after(log_of("redraw", first=10), at)
    assert of_page(at).seed == 1


def test_of_a_long_log_the_newest_count():
    at = after(log_of(*["redraw"] * 150))
    assert of_page(at).seed == 100
    after({"command": {"log": log_of(*["redraw"] * 150)["command"]["log"] + [{"n": 151, "name": "reorder"}]}}, at)
    assert of_page(at) == Settings.of(seed=100, order="shuffled")


def test_cancelling_goes_back_to_what_was_shown_before():
    at = opened(sigma="0.3")
    session = at.session_state["session"]
    session.settings = session.settings.replace(n=1000, epochs=1000)

    def cancelling():
        from kpviz.app import state

        state.cancel()

    again = AppTest.from_function(cancelling)
    again.session_state["session"] = session
    again.run()
    assert session.settings == Settings.of(sigma=0.3)
