"""What the player sends while one edits: each gesture is one step, every step can be undone, nonsense does nothing."""

import copy
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from kinds import data_for
from playing import opened, parts_sent, ran

from kpviz import experiment
from kpviz.canvas import payload, player
from kpviz.engine import sequence
from kpviz.engine.datasets import SOURCES
from kpviz.engine.drawn import Drawn
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.engine.objects.sources import OBJECTS
from kpviz.settings import BY_NAME, DRAWN, HAND, MOST_IN_LINKS, PROPERTIES, Settings
from kpviz.ui import commands, editing, shared
from kpviz.ui.session import Session


def scattered(n, seed=0, held=0):
    draw = np.random.default_rng(seed)
    return Drawn.of(draw.uniform(-1.0, 1.0, (n, 2)), draw.choice([-1.0, 1.0], n), held)


def code(seed, n=5):
    return scattered(n, seed).code


def drawn(seed=0, n=5, **more):
    return Settings.of(data=DRAWN, points=code(seed, n), **more)


def moment(here):
    return here.settings, here.data_id, here.origin


def everything(here):
    return moment(here), list(here.past), list(here.future), here.asked, here.pins, here.notice, here.dialog, here.live


def send(here, name, value=None, **more):
    """One message, newer than all before."""
    commands.carry_out(here, [{"n": here.carried_out + 1, "name": name, "t": 0, "value": value, **more}])


def edit(here, seed, **more):
    send(here, "points", {"code": code(seed)}, **more)


def turn(here, name, to, **more):
    send(here, "tune", {"name": name, "to": to}, **more)


# ---- undo -----------------------------------------------------------------------------------------


class Undoing(RuleBasedStateMachine):
    """A session beside a list of the moments that were, and a place in it."""

    def __init__(self):
        super().__init__()
        self.here = Session(Settings.of(n=20))
        self.moments, self.at, self.seed, self.gesture = [moment(self.here)], 0, 0, 0

    def changed(self):
        """A step of its own, if anything is different."""
        if self.here.settings != self.moments[self.at][0]:
            self.moments[self.at + 1 :] = [moment(self.here)]
            self.at += 1

    @rule(steps=st.integers(1, 4))
    def drag(self, steps):
        self.gesture += 1
        for step in range(steps):
            self.seed += 1
            edit(self.here, self.seed, gesture=self.gesture, last=step == steps - 1)
        self.changed()

    @rule(sigma=st.sampled_from([0.1, 0.3, 0.7]))
    def turn_sigma(self, sigma):
        turn(self.here, "sigma", sigma)
        self.changed()

    @rule(order=st.permutations(range(5)))
    def put_in_order(self, order):
        send(self.here, "order", order)
        self.changed()

    @rule(kernel=st.sampled_from(["linear", "gaussian"]))
    def choose_a_kernel(self, kernel):
        self.here.set(kernel=kernel)
        self.changed()

    @rule(name=st.sampled_from(["xor", "moons", "circles"]))
    def choose_data(self, name):
        self.here.set(data=name)
        self.changed()

    @rule()
    def go_back_to_the_original(self):
        send(self.here, "original")
        self.changed()

    @rule(name=st.sampled_from(["points", "tune", "order", "nothing"]), value=st.sampled_from([None, {}, [1], "x"]))
    def send_nonsense(self, name, value):
        send(self.here, name, value, gesture=self.gesture)

    @precondition(lambda self: self.at > 0)
    @rule()
    def undo(self):
        send(self.here, "undo")
        self.at -= 1

    @precondition(lambda self: self.at < len(self.moments) - 1)
    @rule()
    def redo(self):
        send(self.here, "redo")
        self.at += 1

    @invariant()
    def the_session_is_where_the_list_is(self):
        assert moment(self.here) == self.moments[self.at]
        assert (len(self.here.past), len(self.here.future)) == (self.at, len(self.moments) - 1 - self.at)

    @invariant()
    def there_is_a_way_back_exactly_from_points_of_ones_own(self):
        assert (self.here.origin is not None) == (self.here.settings.data == DRAWN)

    @invariant()
    def nothing_is_under_way(self):
        assert not self.here.live


class TestUndoing(Undoing.TestCase):
    settings = settings(max_examples=100, stateful_step_count=30, deadline=None)


def test_two_hundred_steps_can_be_undone_and_done_again():
    here = Session(Settings.of(n=20))
    moments = [moment(here)]
    for seed in range(250):
        edit(here, seed)
        moments.append(moment(here))
    for expected in reversed(moments[50:-1]):
        send(here, "undo")
        assert moment(here) == expected
    send(here, "undo")
    assert moment(here) == moments[50]
    for expected in moments[51:]:
        send(here, "redo")
        assert moment(here) == expected
    send(here, "redo")
    assert moment(here) == moments[-1]


def test_a_new_change_forgets_what_was_undone():
    here = Session(Settings.of(n=20))
    edit(here, 1)
    edit(here, 2)
    send(here, "undo")
    edit(here, 3)
    send(here, "redo")
    assert here.settings.points == code(3)
    send(here, "undo")
    assert here.settings.points == code(1)


# ---- gestures -------------------------------------------------------------------------------------


@given(st.lists(st.booleans(), max_size=20))
@settings(max_examples=50, deadline=None)
def test_a_drag_is_one_step_and_ends_like_one_message_whatever_is_lost_on_the_way(arrived):
    here, at_once = Session(Settings.of(n=20)), Session(Settings.of(n=20))
    for seed, arrives in enumerate(arrived, start=1):
        if arrives:
            edit(here, seed, gesture=7, last=False)
    edit(here, 99, gesture=7, last=True)
    edit(at_once, 99)
    assert moment(here) == moment(at_once)
    assert here.past == at_once.past
    send(here, "undo")
    assert here.settings == Settings.of(n=20)


def test_two_drags_are_two_steps():
    here = Session(drawn(0))
    for gesture in (1, 2):
        for seed in range(3):
            edit(here, 10 * gesture + seed, gesture=gesture, last=seed == 2)
    send(here, "undo")
    assert here.settings == drawn(12)
    send(here, "undo")
    assert here.settings == drawn(0)


def test_a_gesture_that_ends_where_it_began_is_no_step():
    here = Session(drawn(0))
    edit(here, 5)
    before, past = moment(here), list(here.past)
    for seed, last in ((6, False), (5, False), (7, False), (5, True)):
        edit(here, seed, gesture=1, last=last)
    assert (moment(here), here.past, here.live) == (before, past, False)


def test_a_message_that_is_repeated_or_out_of_date_does_nothing():
    here = Session(drawn(0))
    log = [{"n": n, "name": "points", "value": {"code": code(n)}, "gesture": n, "last": True} for n in (1, 2, 3)]
    commands.carry_out(here, log)
    before = everything(here)
    for late in (log, log[:1], log[1:], log[::-1]):
        commands.carry_out(here, late)
        assert everything(here) == before
    assert (here.settings.points, here.carried_out) == (code(3), 3)


@pytest.mark.parametrize(
    ("more", "live"),
    [
        ({"gesture": 1, "last": False}, True),
        ({"gesture": 1}, True),
        ({"gesture": 1, "last": 1}, True),
        ({"gesture": 1, "last": True}, False),
        ({}, False),
        ({"last": False}, False),
        ({"gesture": "1", "last": False}, False),
    ],
)
def test_a_gesture_is_under_way_until_its_last_message(more, live):
    here = Session(drawn(0))
    edit(here, 1, **more)
    assert here.live is live


@pytest.mark.parametrize("then", ["undo", "original", "kernel", "data"])
def test_a_gesture_that_is_broken_off_is_under_way_no_more(then):
    here = Session(Settings.of(n=20))
    edit(here, 1, gesture=1, last=False)
    assert here.live
    send(here, then)
    assert not here.live


def test_a_message_that_makes_no_sense_ends_the_gesture():
    here = Session(drawn(0))
    edit(here, 1, gesture=1, last=False)
    send(here, "points", {"code": "?"}, gesture=1, last=True)
    assert not here.live


# ---- the same data, or others ---------------------------------------------------------------------


def test_the_player_keeps_its_place_exactly_while_the_data_are_the_same_or_edited():
    here = Session(Settings.of(n=20))
    first = here.data_id
    edit(here, 1)
    assert here.data_id == first
    here.set(kernel="linear")
    here.set(learner="oldest")
    turn(here, "budget", 7)
    send(here, "order", [1, 0, 2, 3, 4])
    edit(here, 2)
    assert here.data_id == first
    here.set(data="moons")
    second = here.data_id
    assert second != first
    edit(here, 3)
    turn(here, "budget", 8)
    assert here.data_id == second
    for data_id in (second, second, first):
        send(here, "undo")
        assert here.data_id == data_id


def test_turning_the_noise_keeps_the_place_although_the_examples_change():
    here = Session(Settings.of(n=20))
    first = here.data_id
    turn(here, "noise", 0.4)
    assert (here.settings, here.data_id) == (Settings.of(n=20, noise=0.4), first)


@pytest.mark.parametrize("data", SOURCES)
def test_an_edit_makes_the_data_ones_own_and_there_is_a_way_back(data):
    before = Settings.of(data=data, held=0.2, seed=3)
    here = Session(before)
    points = experiment.drawn(before, experiment.prepare(before))
    send(here, "points", {"code": points.code})
    assert (here.settings.data, here.settings.points) == (DRAWN, points.code)
    assert experiment.prepare(here.settings).source.features == experiment.prepare(before).source.features
    edit(here, 5)
    send(here, "original")
    assert (here.settings, here.origin) == (before, None)
    send(here, "undo")
    assert (here.settings.points, here.origin) == (code(5), before)


def test_without_an_original_there_is_no_way_back():
    for start in (drawn(0), Settings.of()):
        here = Session(start)
        before = everything(here)
        send(here, "original")
        assert everything(here) == before


def test_editing_keeps_model_and_names():
    before = Settings.of(data="iris", kernel="linear", learner="oldest", budget=7, epochs=9, predictor="averaged")
    here = Session(before)
    edit(here, 1)
    edit(here, 2)
    names = experiment.names(experiment.prepare(before)).code
    assert here.settings == drawn(
        2, names=names, kernel="linear", learner="oldest", budget=7, epochs=9, predictor="averaged"
    )


# ---- cancelled, or refused ------------------------------------------------------------------------


@pytest.mark.parametrize("home", [False, True], ids=["cancelled", "brought back"])
def test_a_gesture_that_comes_to_nothing_leaves_what_can_be_undone_and_done_again(home):
    here = Session(Settings.of(n=20))
    for seed in (1, 2):
        edit(here, seed)
    send(here, "undo")
    before, past, future = moment(here), list(here.past), list(here.future)
    edit(here, 3, gesture=1, last=False)
    if home:
        edit(here, 1, gesture=1, last=True)
    else:
        send(here, "cancel", 1)
    assert (moment(here), here.past, here.future, here.live) == (before, past, future, False)


def test_a_gesture_that_was_cancelled_is_cancelled_once():
    here = Session(Settings.of(n=20))
    edit(here, 1)
    edit(here, 2, gesture=1, last=False)
    for _ in range(2):
        send(here, "cancel", 1)
    assert here.settings == drawn(1)


def test_retracting_goes_back_to_what_was_shown_and_forgets_the_way():
    here = Session(Settings.of(n=20))
    edit(here, 1)
    here.previous, shown, past = here.settings, moment(here), list(here.past)
    here.set(data="moons")
    here.set(kernel="linear")
    here.retract()
    assert (moment(here), here.past) == (shown, past)


def test_retracting_within_a_gesture_keeps_the_steps_before_it():
    here = Session(Settings.of(n=20))
    edit(here, 1)
    edit(here, 2)
    edit(here, 3, gesture=1, last=False)
    here.previous, shown = here.settings, moment(here)
    edit(here, 4, gesture=1, last=False)
    here.retract()
    assert moment(here) == shown
    for expected in (drawn(2), drawn(1), Settings.of(n=20)):
        send(here, "undo")
        assert here.settings == expected


def test_retracting_what_was_undone_keeps_the_steps_before_it():
    here = Session(Settings.of(n=20))
    for seed in (1, 2, 3):
        edit(here, seed)
    here.previous = here.settings
    send(here, "undo")
    here.retract()
    assert here.settings == drawn(3)
    send(here, "undo")
    assert here.settings == drawn(1)


def test_retracting_the_first_settings_of_all_leads_to_the_usual_ones():
    here = Session(drawn(0))
    here.retract()
    assert moment(here) == (Settings.of(), player.data_id(Settings.of()), None)


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
            here = Session(before)
            turn(here, prop.name, knobs[prop.name][end] if prop.name in knobs else 1)
            if prop.name in knobs:
                assert here.settings == before.replace(**{prop.name: knobs[prop.name][end]})
                assert here.settings.values[prop.name] == knobs[prop.name][end]
            else:
                assert (here.settings, here.past) == (before, [])
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
    here = Session(Settings.of())
    limits = BY_NAME["sigma"].range_for(here.settings.values)
    for to, expected in ((1e9, limits.high), (-3, limits.low)):
        turn(here, "sigma", to)
        assert here.settings.sigma == expected


# ---- orders by hand -------------------------------------------------------------------------------


def test_an_order_by_hand_is_that_of_the_run():
    here = Session(drawn(0))
    send(here, "order", [4, 1, 3, 0, 2])
    assert (here.settings.order, here.settings.sequence) == (HAND, sequence.encode([4, 1, 3, 0, 2]))
    assert experiment.run(here.settings).index[:5].tolist() == [4, 1, 3, 0, 2]
    send(here, "points", {"code": code(1, n=6), "order": [4, 1, 3, 0, 2, 5]})
    assert experiment.run(here.settings).index[:6].tolist() == [4, 1, 3, 0, 2, 5]
    send(here, "order", [0, 1, 2, 3, 4, 5])
    assert (here.settings.order, here.settings.sequence) == (HAND, "")


def test_an_order_with_the_points_counts_only_where_the_order_is_by_hand():
    here = Session(drawn(0))
    send(here, "points", {"code": code(1), "order": [4, 1, 3, 0, 2]})
    assert here.settings == drawn(1)


@pytest.mark.parametrize("given", [{"learner": "svm"}, {"stream": "on"}], ids=str)
def test_what_has_no_order_is_given_none(given):
    here = Session(Settings.of(**given))
    send(here, "order", [1, 0])
    assert here.settings == Settings.of(**given)


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
    here = Session(OPENED[opened])
    before = everything(here)
    for value in WRONG:
        if not means_something(name, value):
            for more in ({}, {"gesture": 3}, {"gesture": value, "last": value}):
                send(here, name, value, **more)
                assert everything(here) == before, str(value)[:60]


@pytest.mark.parametrize("order", [[0, 0], ["4", "1", "3", "0", "2"], [4.0, 1.0, 3.0, 0.0, 2.0], list(range(1001))])
def test_points_with_an_order_that_cannot_be_used_change_nothing(order):
    here = Session(drawn(0, order=HAND, sequence="AC"))
    before = everything(here)
    send(here, "points", {"code": code(1), "order": order})
    assert everything(here) == before


@pytest.mark.parametrize("data", OBJECTS)
def test_examples_that_are_no_points_cannot_be_edited(data):
    here = Session(Settings.of(data=data))
    edit(here, 1)
    assert here.settings == Settings.of(data=data)
    assert here.past == []


def test_the_examples_of_a_stream_cannot_be_edited():
    here = Session(Settings.of(stream="on"))
    edit(here, 1)
    assert here.settings == Settings.of(stream="on")


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
    here, sent = Session(OPENED[opened]), copy.deepcopy(log)
    commands.carry_out(here, log)
    assert repr(log) == repr(sent)
    assert here.settings.replace() == here.settings
    for _ in range(len(here.past)):
        send(here, "undo")
    assert here.settings == OPENED[opened]


# ---- the page -------------------------------------------------------------------------------------


def envelope_and_run(at):
    envelope, run = parts_sent(at)
    return envelope, payload.unpack(run)


def chips(at):
    return [popover.proto.popover.label for popover in at.get("popover")]


@pytest.mark.parametrize(
    ("labels", "held"), [([], 0), ([1], 0), ([1, -1], 0), ([1, 1, 1], 0), ([-1, -1], 0), ([1, -1], 1), ([1, -1], 2)]
)
def test_the_page_opens_with_however_few_points_are_drawn(labels, held):
    points = np.linspace(-0.5, 0.5, 2 * len(labels)).reshape(-1, 2)
    made = Drawn.of(points, np.array(labels, dtype=float), held)
    at = opened(data=DRAWN, points=made.code)
    assert len(at.toast) == 0
    assert chips(at)[0] == f"My own points · {len(labels)}"
    assert at.button(key="new-data").disabled
    assert not at.button(key="new-order").disabled
    envelope, (header, arrays) = envelope_and_run(at)
    assert (header["n"], header["nTest"]) == (len(labels) - held, held)
    assert header["drawing"]["why"] == ""
    assert arrays["cells"].tolist() == made.cells.tolist()
    assert envelope["editing"]["origin"] is None


@pytest.mark.parametrize("chip", ["data", "kernel", "learner", "compare"])
@pytest.mark.parametrize("n", [0, 1, 30])
def test_each_chip_opens_beside_drawn_points(chip, n):
    at = opened(chip, data=DRAWN, points=code(0, n))
    shown = {widget.key for widget in [*at.slider, *at.select_slider, *at.number_input]}
    assert not shown & {f"set-{name}" for name in ("n", "noise", "flipped", "balance", "seed", "held")}


def test_the_player_is_told_what_can_be_undone_turned_and_gone_back_to():
    at = opened(n="20")
    here = at.session_state["session"]
    edit(here, 1)
    turn(here, "sigma", 0.3)
    send(here, "undo")
    envelope, (header, arrays) = envelope_and_run(ran(at))
    told = envelope["editing"]
    assert (told["undo"], told["redo"], told["origin"]) == (1, 1, "XOR")
    assert told["knobs"] == editing.knobs(drawn(1))
    assert (envelope["ack"], envelope["dataId"]) == (3, player.data_id(Settings.of(n=20)))
    assert arrays["cells"].tolist() == scattered(5, 1).cells.tolist()
    assert header["settings"]["query"] == drawn(1).link()


def test_while_a_gesture_is_under_way_its_runs_are_not_kept():
    at = opened(n="20")
    here = at.session_state["session"]
    edit(here, 31, gesture=1, last=False)
    ran(at)
    assert shared.payloads().get(shared.run_id(here.settings, set())) is None
    edit(here, 32, gesture=1, last=True)
    ran(at)
    assert shared.payloads().get(shared.run_id(here.settings, set())) is not None


def test_a_link_that_names_many_points_opens_them_while_this_server_has_them():
    n = MOST_IN_LINKS + 1
    made = drawn(8, n=n, epochs=1)
    at = opened(n="20", epochs="1")
    send(at.session_state["session"], "points", {"code": made.points})
    ran(at)
    again = opened(data=DRAWN, points=made.stored_name, epochs="1")
    assert again.session_state["session"].settings == made
    assert len(again.toast) == 0


def test_a_link_that_names_points_that_are_lost_opens_with_one_notice():
    at = opened(data=DRAWN, points="~0123456789ab", kernel="linear")
    assert len(at.toast) == 1
    assert at.toast[0].value.endswith(".")
    assert at.session_state["session"].settings == Settings.of(kernel="linear")


@pytest.mark.parametrize("query", [{}, {"data": "moons"}], ids=str)
def test_points_that_are_named_beside_other_data_are_left_out_without_a_word(query):
    at = opened(points="~0123456789ab", **query)
    assert len(at.toast) == 0
    assert at.session_state["session"].settings == Settings.of(**query)
