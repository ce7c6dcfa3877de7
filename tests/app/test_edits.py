"""Numbers that are turned, orders by hand, and messages of any kind: nonsense does nothing."""

import copy
import math

import pytest
from edits import code, drawn, edit, everything, send, turn
from hypothesis import given, settings
from hypothesis import strategies as st
from kinds import data_for

from kpviz import experiment
from kpviz.app import commands, editing
from kpviz.app.session import Session
from kpviz.engine.data import sequence
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.settings import BY_NAME, DRAWN, HAND, PROPERTIES, Settings

# ---- numbers that are turned ----------------------------------------------------------------------


def of_data(kernel):
    data = data_for(kernel)
    return {} if data == "xor" else {"data": data}


def settings_to_turn():
    streams = [{"stream": "on"}, {"stream": "on", "learner": "norma", "nu": 0.2}]
    models = [{"kernel": name, "learner": learner, **of_data(name)} for name in KERNELS for learner in LEARNERS]
    return [*models, *streams, {"combine": "sum", "kernel2": "polynomial"}, {"data": DRAWN}, {"data": "iris"}]


@pytest.mark.parametrize("given", settings_to_turn(), ids=str)
def test_exactly_the_numbers_of_the_model_and_of_the_noise_turn(given):
    before = Settings.of(**given)
    knobs = {knob["name"]: knob for knob in editing.knobs(before)}
    for prop in PROPERTIES:
        for end in ("low", "high"):
            session = Session(before)
            turn(session, prop.name, knobs[prop.name][end] if prop.name in knobs else 1)
            if prop.name in knobs:
                assert session.settings == before.replace(**{prop.name: knobs[prop.name][end]})
                assert session.settings.values[prop.name] == knobs[prop.name][end]
            else:
                assert (session.settings, session.past) == (before, [])
    for name, knob in knobs.items():
        assert knob["low"] <= knob["value"] <= knob["high"]
        assert knob["value"] == before.values[name]
        assert knob["label"] == BY_NAME[name].label


@pytest.mark.parametrize(
    ("given", "turning"),
    [
        ({}, {"noise", "flipped", "sigma", "eta"}),
        ({"kernel": "polynomial"}, {"noise", "flipped", "degree", "coef0", "eta"}),
        ({"learner": "oldest", "kernel": "linear"}, {"noise", "flipped", "budget"}),
        ({"stream": "on"}, {"noise", "flipped", "drift", "sigma", "eta"}),
        ({"data": DRAWN}, {"sigma", "eta"}),
        ({"learner": "svm"}, {"noise", "flipped", "sigma", "C", "tol"}),
    ],
)
def test_what_can_be_turned(given, turning):
    assert {knob["name"] for knob in editing.knobs(Settings.of(**given))} == turning


def test_a_number_beyond_its_range_is_turned_to_the_end():
    session = Session(Settings.of())
    limits = BY_NAME["sigma"].range_for(session.settings.values)
    for to, expected in ((1e9, limits.high), (-3, limits.low)):
        turn(session, "sigma", to)
        assert session.settings.sigma == expected


# ---- orders by hand -------------------------------------------------------------------------------


def test_an_order_by_hand_is_that_of_the_run():
    session = Session(drawn(0))
    send(session, "order", [4, 1, 3, 0, 2])
    assert (session.settings.order, session.settings.sequence) == (HAND, sequence.encode([4, 1, 3, 0, 2]))
    assert experiment.run(session.settings).index[:5].tolist() == [4, 1, 3, 0, 2]
    send(session, "points", {"code": code(1, n=6), "order": [4, 1, 3, 0, 2, 5]})
    assert experiment.run(session.settings).index[:6].tolist() == [4, 1, 3, 0, 2, 5]
    send(session, "order", [0, 1, 2, 3, 4, 5])
    assert (session.settings.order, session.settings.sequence) == (HAND, "")


def test_an_order_with_the_points_counts_only_where_the_order_is_by_hand():
    session = Session(drawn(0))
    send(session, "points", {"code": code(1), "order": [4, 1, 3, 0, 2]})
    assert session.settings == drawn(1)


@pytest.mark.parametrize("given", [{"learner": "svm"}, {"stream": "on"}], ids=str)
def test_what_has_no_order_is_given_none(given):
    session = Session(Settings.of(**given))
    send(session, "order", [1, 0])
    assert session.settings == Settings.of(**given)


# ---- nonsense -------------------------------------------------------------------------------------


WRONG = (
    None, True, 0, -1, 1.5, math.nan, math.inf, 10**400, "", "points", "x" * 10_000_000, [], {}, [[]], [{}], [None],
    {"code": None}, {"code": 5}, {"code": ["AAAA.A"]}, {"code": "AAAA"}, {"code": "?"}, {"code": "A" * 10_000_000},
    {"code": "AAAA" * 1001 + "." + "A" * 167}, {"code": "j6QY.A.9"}, {"code": "\ud800"}, {"code": "j6QY.A..9_9_9"},
    {"name": None, "to": 1}, {"name": ["sigma"], "to": 1}, {"name": {}, "to": 1}, {"name": "nothing", "to": 1},
    {"name": "__class__", "to": 1}, {"name": "kernel", "to": "linear"}, {"name": "n", "to": 5},
    {"name": "seed", "to": 5}, {"name": "degree", "to": 3}, {"name": "sigma"}, {"name": "sigma", "to": None},
    {"name": "sigma", "to": "0.1"},
    {"name": "sigma", "to": math.nan}, {"name": "sigma", "to": math.inf}, {"name": "sigma", "to": -math.inf},
    {"name": "sigma", "to": 10**400}, {"name": "sigma", "to": True}, {"name": "sigma", "to": [0.1]},
    [0, 0], [1], [0, 2], [-1, 0], ["0", "1"], ["1", "0"], [1.0, 0.0], [True, False], [0, [1]], [None, None], [math.nan],
    list(range(1001)), list(range(10**5)), "10", {"0": 1},
)  # fmt: skip
OPENED = {
    "usual": Settings.of(n=20),
    "drawn": drawn(0),
    "by hand": drawn(0, order=HAND, sequence="AC"),
    "stream": Settings.of(stream="on"),
}


def means_something(name, value):
    return name == "order" and value == []  # of no examples


@pytest.mark.parametrize("opened", OPENED)
@pytest.mark.parametrize("name", editing.EDITS)
def test_a_message_that_cannot_be_used_changes_nothing(name, opened):
    session = Session(OPENED[opened])
    before = everything(session)
    for value in WRONG:
        if not means_something(name, value):
            for more in ({}, {"gesture": 3}, {"gesture": value, "last": value}):
                send(session, name, value, **more)
                assert everything(session) == before, str(value)[:60]


@pytest.mark.parametrize("gesture", [True, 1.0, "1"])
def test_what_is_not_a_whole_number_is_no_gesture(gesture):
    session = Session(OPENED["usual"])
    turn(session, "sigma", 0.3, gesture=gesture)
    assert not session.live
    turn(session, "sigma", 0.4, gesture=1)
    send(session, "cancel", gesture)
    assert session.settings.sigma == 0.4


@pytest.mark.parametrize("order", [[0, 0], ["4", "1", "3", "0", "2"], [4.0, 1.0, 3.0, 0.0, 2.0], list(range(1001))])
def test_points_with_an_order_that_cannot_be_used_change_nothing(order):
    session = Session(drawn(0, order=HAND, sequence="AC"))
    before = everything(session)
    send(session, "points", {"code": code(1), "order": order})
    assert everything(session) == before


@pytest.mark.parametrize("data", OBJECTS)
def test_examples_that_are_no_points_cannot_be_edited(data):
    session = Session(Settings.of(data=data))
    edit(session, 1)
    assert session.settings == Settings.of(data=data)
    assert session.past == []


def test_the_examples_of_a_stream_cannot_be_edited():
    session = Session(Settings.of(stream="on"))
    edit(session, 1)
    assert session.settings == Settings.of(stream="on")


PLAIN = st.sampled_from([None, True, False, "sigma", "AAAA.A"]) | st.integers() | st.floats() | st.text(max_size=8)
JSON = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["code", "order", "name", "to", "gesture"]), inner, max_size=4)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(["n", "name", "t", "value", "gesture", "last"])
ENTRY = st.fixed_dictionaries(
    {"n": st.integers(1, 50) | JSON, "name": st.sampled_from([*editing.EDITS, "undo", "redo", "original"]) | JSON},
    optional={"t": JSON, "value": JSON, "gesture": JSON, "last": JSON},
)


@given(st.lists(ENTRY | JSON | st.dictionaries(KEYS, JSON), max_size=6) | JSON, st.sampled_from(sorted(OPENED)))
@settings(max_examples=400, deadline=None)
def test_any_message_leaves_settings_that_a_link_could_hold(log, opened):
    session, sent = Session(OPENED[opened]), copy.deepcopy(log)
    commands.carry_out(session, log)
    assert repr(log) == repr(sent)
    assert session.settings.replace() == session.settings
    for _ in range(len(session.past)):
        send(session, "undo")
    assert session.settings == OPENED[opened]
