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
        self.session = Session(Settings.of(n=20))
        self.moments, self.at, self.seed, self.gesture = [moment(self.session)], 0, 0, 0

    def changed(self):
        """A step of its own, if anything is different."""
        if self.session.settings != self.moments[self.at][0]:
            self.moments[self.at + 1 :] = [moment(self.session)]
            self.at += 1

    @rule(steps=st.integers(1, 4))
    def drag(self, steps):
        self.gesture += 1
        for step in range(steps):
            self.seed += 1
            edit(self.session, self.seed, gesture=self.gesture, last=step == steps - 1)
        self.changed()

    @rule(sigma=st.sampled_from([0.1, 0.3, 0.7]))
    def turn_sigma(self, sigma):
        turn(self.session, "sigma", sigma)
        self.changed()

    @rule(order=st.permutations(range(5)))
    def put_in_order(self, order):
        send(self.session, "order", order)
        self.changed()

    @rule(kernel=st.sampled_from(["linear", "gaussian"]))
    def choose_a_kernel(self, kernel):
        self.session.set(kernel=kernel)
        self.changed()

    @rule(name=st.sampled_from(["xor", "moons", "circles"]))
    def choose_data(self, name):
        self.session.set(data=name)
        self.changed()

    @rule()
    def go_back_to_the_original(self):
        send(self.session, "original")
        self.changed()

    @rule(name=st.sampled_from(["points", "tune", "order", "nothing"]), value=st.sampled_from([None, {}, [1], "x"]))
    def send_nonsense(self, name, value):
        send(self.session, name, value, gesture=self.gesture)

    @precondition(lambda self: self.at > 0)
    @rule()
    def undo(self):
        send(self.session, "undo")
        self.at -= 1

    @precondition(lambda self: self.at < len(self.moments) - 1)
    @rule()
    def redo(self):
        send(self.session, "redo")
        self.at += 1

    @invariant()
    def the_session_is_where_the_list_is(self):
        assert moment(self.session) == self.moments[self.at]
        assert (len(self.session.past), len(self.session.future)) == (self.at, len(self.moments) - 1 - self.at)

    @invariant()
    def there_is_a_way_back_exactly_from_points_of_ones_own(self):
        assert (self.session.origin is not None) == (self.session.settings.data == DRAWN)

    @invariant()
    def nothing_is_under_way(self):
        assert not self.session.live


class TestUndoing(Undoing.TestCase):
    settings = settings(max_examples=100, stateful_step_count=30, deadline=None)


def test_two_hundred_steps_can_be_undone_and_done_again():
    session = Session(Settings.of(n=20))
    moments = [moment(session)]
    for seed in range(250):
        edit(session, seed)
        moments.append(moment(session))
    for expected in reversed(moments[50:-1]):
        send(session, "undo")
        assert moment(session) == expected
    send(session, "undo")
    assert moment(session) == moments[50]
    for expected in moments[51:]:
        send(session, "redo")
        assert moment(session) == expected
    send(session, "redo")
    assert moment(session) == moments[-1]


def test_a_new_change_forgets_what_was_undone():
    session = Session(Settings.of(n=20))
    edit(session, 1)
    edit(session, 2)
    send(session, "undo")
    edit(session, 3)
    send(session, "redo")
    assert session.settings.points == code(3)
    send(session, "undo")
    assert session.settings.points == code(1)


# ---- gestures -------------------------------------------------------------------------------------


@given(st.lists(st.booleans(), max_size=20))
@settings(max_examples=50, deadline=None)
def test_a_drag_is_one_step_and_ends_like_one_message_whatever_is_lost_on_the_way(arrived):
    session, at_once = Session(Settings.of(n=20)), Session(Settings.of(n=20))
    for seed, arrives in enumerate(arrived, start=1):
        if arrives:
            edit(session, seed, gesture=7, last=False)
    edit(session, 99, gesture=7, last=True)
    edit(at_once, 99)
    assert moment(session) == moment(at_once)
    assert session.past == at_once.past
    send(session, "undo")
    assert session.settings == Settings.of(n=20)


def test_two_drags_are_two_steps():
    session = Session(drawn(0))
    for gesture in (1, 2):
        for seed in range(3):
            edit(session, 10 * gesture + seed, gesture=gesture, last=seed == 2)
    send(session, "undo")
    assert session.settings == drawn(12)
    send(session, "undo")
    assert session.settings == drawn(0)


def test_a_gesture_that_ends_where_it_began_is_no_step():
    session = Session(drawn(0))
    edit(session, 5)
    before, past = moment(session), list(session.past)
    for seed, last in ((6, False), (5, False), (7, False), (5, True)):
        edit(session, seed, gesture=1, last=last)
    assert (moment(session), session.past, session.live) == (before, past, False)


def test_a_message_that_is_repeated_or_out_of_date_does_nothing():
    session = Session(drawn(0))
    log = [{"n": n, "name": "points", "value": {"code": code(n)}, "gesture": n, "last": True} for n in (1, 2, 3)]
    commands.carry_out(session, log)
    before = everything(session)
    for late in (log, log[:1], log[1:], log[::-1]):
        commands.carry_out(session, late)
        assert everything(session) == before
    assert (session.settings.points, session.carried_out) == (code(3), 3)


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
    session = Session(drawn(0))
    edit(session, 1, **more)
    assert session.live is live


@pytest.mark.parametrize("then", ["undo", "original", "kernel", "data"])
def test_a_gesture_that_is_broken_off_is_under_way_no_more(then):
    session = Session(Settings.of(n=20))
    edit(session, 1, gesture=1, last=False)
    assert session.live
    send(session, then)
    assert not session.live


def test_a_message_that_makes_no_sense_ends_the_gesture():
    session = Session(drawn(0))
    edit(session, 1, gesture=1, last=False)
    send(session, "points", {"code": "?"}, gesture=1, last=True)
    assert not session.live


# ---- the same data, or others ---------------------------------------------------------------------


def test_the_player_keeps_its_place_exactly_while_the_data_are_the_same_or_edited():
    session = Session(Settings.of(n=20))
    first = session.data_id
    edit(session, 1)
    assert session.data_id == first
    session.set(kernel="linear")
    session.set(learner="oldest")
    turn(session, "budget", 7)
    send(session, "order", [1, 0, 2, 3, 4])
    edit(session, 2)
    assert session.data_id == first
    session.set(data="moons")
    second = session.data_id
    assert second != first
    edit(session, 3)
    turn(session, "budget", 8)
    assert session.data_id == second
    for data_id in (second, second, first):
        send(session, "undo")
        assert session.data_id == data_id


def test_turning_the_noise_keeps_the_place_although_the_examples_change():
    session = Session(Settings.of(n=20))
    first = session.data_id
    turn(session, "noise", 0.4)
    assert (session.settings, session.data_id) == (Settings.of(n=20, noise=0.4), first)


@pytest.mark.parametrize("data", SOURCES)
def test_an_edit_makes_the_data_ones_own_and_there_is_a_way_back(data):
    before = Settings.of(data=data, held=0.2, seed=3)
    session = Session(before)
    points = experiment.drawn(before, experiment.prepare(before))
    send(session, "points", {"code": points.code})
    assert (session.settings.data, session.settings.points) == (DRAWN, points.code)
    assert experiment.prepare(session.settings).source.features == experiment.prepare(before).source.features
    edit(session, 5)
    send(session, "original")
    assert (session.settings, session.origin) == (before, None)
    send(session, "undo")
    assert (session.settings.points, session.origin) == (code(5), before)


def test_without_an_original_there_is_no_way_back():
    for start in (drawn(0), Settings.of()):
        session = Session(start)
        before = everything(session)
        send(session, "original")
        assert everything(session) == before


def test_editing_keeps_model_and_names():
    before = Settings.of(data="iris", kernel="linear", learner="oldest", budget=7, epochs=9, predictor="averaged")
    session = Session(before)
    edit(session, 1)
    edit(session, 2)
    names = experiment.names(experiment.prepare(before)).code
    assert session.settings == drawn(
        2, names=names, kernel="linear", learner="oldest", budget=7, epochs=9, predictor="averaged"
    )


# ---- cancelled, or refused ------------------------------------------------------------------------


@pytest.mark.parametrize("home", [False, True], ids=["cancelled", "brought back"])
def test_a_gesture_that_comes_to_nothing_leaves_what_can_be_undone_and_done_again(home):
    session = Session(Settings.of(n=20))
    for seed in (1, 2):
        edit(session, seed)
    send(session, "undo")
    before, past, future = moment(session), list(session.past), list(session.future)
    edit(session, 3, gesture=1, last=False)
    if home:
        edit(session, 1, gesture=1, last=True)
    else:
        send(session, "cancel", 1)
    assert (moment(session), session.past, session.future, session.live) == (before, past, future, False)


def test_a_gesture_that_was_cancelled_is_cancelled_once():
    session = Session(Settings.of(n=20))
    edit(session, 1)
    edit(session, 2, gesture=1, last=False)
    for _ in range(2):
        send(session, "cancel", 1)
    assert session.settings == drawn(1)


def test_retracting_goes_back_to_what_was_shown_and_forgets_the_way():
    session = Session(Settings.of(n=20))
    edit(session, 1)
    session.previous, shown, past = session.settings, moment(session), list(session.past)
    session.set(data="moons")
    session.set(kernel="linear")
    session.retract()
    assert (moment(session), session.past) == (shown, past)


def test_retracting_within_a_gesture_keeps_the_steps_before_it():
    session = Session(Settings.of(n=20))
    edit(session, 1)
    edit(session, 2)
    edit(session, 3, gesture=1, last=False)
    session.previous, shown = session.settings, moment(session)
    edit(session, 4, gesture=1, last=False)
    session.retract()
    assert moment(session) == shown
    for expected in (drawn(2), drawn(1), Settings.of(n=20)):
        send(session, "undo")
        assert session.settings == expected


def test_retracting_what_was_undone_keeps_the_steps_before_it():
    session = Session(Settings.of(n=20))
    for seed in (1, 2, 3):
        edit(session, seed)
    session.previous = session.settings
    send(session, "undo")
    session.retract()
    assert session.settings == drawn(3)
    send(session, "undo")
    assert session.settings == drawn(1)


def test_retracting_the_first_settings_of_all_leads_to_the_usual_ones():
    session = Session(drawn(0))
    session.retract()
    assert moment(session) == (Settings.of(), envelope.data_id(Settings.of()), None)
