"""What the player sends while one edits: each gesture is one step, and every step can be undone."""

import pytest
from edits import code, drawn, edit, everything, moment, send, turn
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kpviz import experiment
from kpviz.app import commands
from kpviz.app.session import Session
from kpviz.engine.data.datasets import SOURCES
from kpviz.player import envelope
from kpviz.settings import DRAWN, Settings

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
    assert moment(here) == (Settings.of(), envelope.data_id(Settings.of()), None)
