"""The two loops: the one of the textbooks, and the faster one for learners of which the margin decides everything."""

import inspect
from itertools import product

import numpy as np
import pytest
from covering import in_turn
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from textbook import integer_data, random_data

import kpviz
from kpviz.engine.kernels import Gaussian, Polynomial
from kpviz.engine.learners import Forgetron, Norma, PassiveAggressive, Perceptron, RandomizedBudget, RemoveOldest
from kpviz.engine.learners.passive_aggressive import VARIANTS
from kpviz.engine.run import train

INTERCEPTS = ("none", "unit", "radius")
TIES = ("mistake", "correct", "positive", "negative")
ORDERS = ("cyclic", "shuffled", "random")
LEARNT_FAST = [
    *(Perceptron(rate, intercept, tie) for rate in (1.0, 0.3) for intercept in INTERCEPTS for tie in TIES),
    *(
        Norma(rate, 0.0, margin, fit_intercept=b)
        for rate in (1.0, 0.37)
        for margin in (0.0, 1.0)
        for b in (True, False)
    ),
    *(Norma(rate, 0.0, 0.5, schedule="inverse-sqrt", fit_intercept=b) for rate in (1.0, 0.37) for b in (True, False)),
    *(PassiveAggressive(variant, 0.3) for variant in VARIANTS),
]


EXACT_TIES = Polynomial(2, 1.0)  # its values on whole numbers are whole numbers


def assert_same_bits(one, other):
    for name in ("index", "score", "epoch_start"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.dtype == theirs.dtype
        assert ours.tobytes() == theirs.tobytes(), name
    for name, ours in vars(one.changes).items():
        theirs = vars(other.changes)[name]
        assert (ours.dtype, ours.tobytes()) == (theirs.dtype, theirs.tobytes()), name
    assert one.details.keys() == other.details.keys()
    for name, values in one.details.items():
        assert_array_equal(values, other.details[name])
    assert one.end == other.end


def by_the_textbook(learner, X, y, **how):
    """What the loop of the textbooks gives, which asks the learner for each change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(train, "gains_of", lambda *_: None)
        return kpviz.train(learner, X, y, **how)


def both(learner, X, y, **how):
    fast = kpviz.train(learner, X, y, **how)
    assert_same_bits(fast, by_the_textbook(learner, X, y, **how))
    return fast


@in_turn(product(LEARNT_FAST, ORDERS), lambda learner, _: repr(learner))
def test_both_loops_give_the_same_run_bit_for_bit(learner, order):
    for data, kernel in ((integer_data(3), EXACT_TIES), (random_data(4), Gaussian(0.6))):
        first = both(learner, *data, kernel=kernel, order=order, epochs=5, seed=2)
        both(learner, *data, kernel=kernel, order=order, epochs=3, start=first.state_at(first.n_steps // 2))


@settings(max_examples=150, deadline=None)
@given(
    learner=st.sampled_from(LEARNT_FAST),
    seed=st.integers(0, 10_000),
    n=st.integers(1, 20),
    whole=st.booleans(),
    rows=st.lists(st.lists(st.integers(0, 10**6), min_size=7, max_size=7), min_size=1, max_size=6),
    stop=st.booleans(),
)
def test_any_order_by_hand_is_shown_the_same_in_both_loops(learner, seed, n, whole, rows, stop):
    X, y = integer_data(seed, n) if whole else random_data(seed, n)
    both(learner, X, y, kernel=EXACT_TIES, order=np.array(rows) % n, stop_when_clean=stop)


def test_a_learner_that_says_its_gains_needs_no_loop_of_the_textbook(monkeypatch):
    monkeypatch.setattr(train, "one_by_one", None)
    X, y = random_data(5, n=30)
    for learner in LEARNT_FAST:
        assert kpviz.train(learner, X, y, kernel=Gaussian(0.5), epochs=3).n_steps


def test_a_score_near_zero_is_that_of_the_entries_left_not_what_subtracting_left():
    X, y = random_data(6, n=12)
    X, y, kernel = np.r_[X, X], np.r_[y, -y], Gaussian(0.2)
    for learner in (RemoveOldest(1), RemoveOldest(2), RandomizedBudget(2), Forgetron(2)):
        run = kpviz.train(learner, X, y, kernel=kernel, order="shuffled", epochs=5)
        small = np.flatnonzero((np.abs(run.score) < 1e-12) & (run.score != 0.0)).tolist()
        assert small
        for t in small:
            entries = run.entries_at(t)
            assert run.score[t] == pytest.approx(
                entries.weight @ run.gram[entries.index, run.index[t]], rel=1e-9, abs=0
            )


def test_a_subclass_with_a_rule_of_its_own_is_asked_for_every_change():
    class Twice(Perceptron):
        def change(self, memory, t, i, scores, coef):
            change = super().change(memory, t, i, scores, coef)
            return change and change._replace(deltas=(2 * change.deltas[0],))

    X, y = random_data(1)
    run = kpviz.train(Twice(), X, y, kernel=Gaussian(0.5), epochs=2)
    assert set(np.abs(run.changes.delta)) == {2.0}


def test_no_coefficient_is_minus_zero():
    for learner, order in product(LEARNT_FAST, ORDERS):
        X, y = integer_data(3)
        run = kpviz.train(learner, X, y, kernel=EXACT_TIES, order=order, epochs=2)
        state = run.state_at(run.n_steps)
        for values in (run.score, run.changes.shift, state.coef, state.alpha):
            assert not np.signbit(values[values == 0.0]).any()


def test_an_exception_in_progress_leaves_a_consistent_run_in_the_midst_of_a_pass(monkeypatch):
    monkeypatch.setattr(train, "_SECONDS_BETWEEN_PROGRESS", 0.0)
    X, y = random_data(7, n=20)

    def cancel(done, limit):
        if done > 27:
            raise RuntimeError

    run = kpviz.train(RemoveOldest(3), X, y, kernel=Gaussian(0.5), progress=cancel)
    assert run.end == "cancelled"
    assert len(run.index) == len(run.score) == run.n_steps
    assert 20 < run.n_steps < 60
    assert int(run.changes.step[-1]) == run.n_steps - 1, "it was cancelled after a change"


def test_the_loop_says_what_the_pseudo_code_says():
    lines = (
        line.partition("#")[2].strip() for line in inspect.getsource(train.one_by_one).splitlines() if "  # " in line
    )
    code = [line.strip().removeprefix("else: ") for line in Perceptron(intercept="unit").about.code]
    assert [line.removeprefix("else: ") for line in lines] == code
