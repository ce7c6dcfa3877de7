"""The two loops: the one of the textbooks, and the faster one for updates that are always the same."""

import inspect
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from textbook import integer_data, random_data

import kpviz
from kpviz.engine.kernels import Gaussian, Polynomial
from kpviz.engine.learners import LEARNERS, Norma, Perceptron
from kpviz.engine.run.train import one_by_one

INTERCEPTS = ("none", "unit", "radius")
TIES = ("mistake", "correct", "positive", "negative")
ORDERS = ("cyclic", "shuffled", "random")
FIXED = [
    *(Perceptron(rate, intercept, tie) for rate in (1.0, 0.3) for intercept in INTERCEPTS for tie in TIES),
    *(
        Norma(rate, 0.0, margin, fit_intercept=b)
        for rate in (1.0, 0.37)
        for margin in (0.0, 1.0)
        for b in (True, False)
    ),
]


def asked(learner):
    """The same learner, whose rule the loop cannot know in advance, since it has a `change` of its own."""
    kind = type(learner)

    class Asked(kind):
        def change(self, *situation):
            calls.append(situation[1])
            return super().change(*situation)

    calls = []
    return Asked(**asdict(learner)), calls


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


def both(learner, X, y, **how):
    other, calls = asked(learner)
    fast, slow = kpviz.train(learner, X, y, **how), kpviz.train(other, X, y, **how)
    assert set(slow.changes.step) <= set(calls)
    assert_same_bits(fast, slow)
    return fast


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("learner", FIXED, ids=repr)
def test_both_loops_give_the_same_run_bit_for_bit(learner, order):
    for data, kernel in ((integer_data(3), Polynomial(2, 1.0)), (random_data(4), Gaussian(0.6))):
        first = both(learner, *data, kernel=kernel, order=order, epochs=5, seed=2)
        both(learner, *data, kernel=kernel, order=order, epochs=3, start=first.state_at(first.n_steps // 2))


@settings(max_examples=150, deadline=None)
@given(
    learner=st.sampled_from(FIXED),
    seed=st.integers(0, 10_000),
    n=st.integers(1, 20),
    whole=st.booleans(),
    rows=st.lists(st.lists(st.integers(0, 10**6), min_size=7, max_size=7), min_size=1, max_size=6),
    stop=st.booleans(),
)
def test_any_order_by_hand_is_shown_the_same_in_both_loops(learner, seed, n, whole, rows, stop):
    X, y = integer_data(seed, n) if whole else random_data(seed, n)
    both(learner, X, y, kernel=Polynomial(2, 1.0), order=np.array(rows) % n, stop_when_clean=stop)


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_that_names_fixed_updates_makes_them(name):
    for options in ({}, {"regularization": 0.0}) if name == "norma" else ({},):
        X, y = random_data(5, n=30)
        both_ways = both(LEARNERS[name](**options), X, y, kernel=Gaussian(0.5), epochs=3)
        assert both_ways.n_steps


def test_a_subclass_with_a_rule_of_its_own_is_asked_for_every_change():
    class Twice(Perceptron):
        def change(self, memory, t, i, scores, coef):
            change = super().change(memory, t, i, scores, coef)
            return change and change._replace(deltas=(2 * change.deltas[0],))

    X, y = random_data(1)
    run = kpviz.train(Twice(), X, y, kernel=Gaussian(0.5), epochs=2)
    assert set(np.abs(run.changes.delta)) == {2.0}


def test_updates_of_a_rate_that_falls_are_not_fixed():
    X, y = random_data(1)
    run = both(Norma(regularization=0.0, schedule="inverse-sqrt"), X, y, kernel=Gaussian(0.5), epochs=3)
    assert len(set(np.abs(run.changes.delta))) > 2
    forgets = both(replace(run.learner, schedule="constant", truncation=4), X, y, kernel=Gaussian(0.5), epochs=3)
    assert forgets.changes.evicts


def test_the_loop_says_what_the_pseudo_code_says():
    lines = (line.partition("#")[2].strip() for line in inspect.getsource(one_by_one).splitlines() if "  # " in line)
    code = [line.strip().removeprefix("else: ") for line in Perceptron().about.code]
    assert [line.removeprefix("else: ") for line in lines] == code
