"""Streams: each example once, the same for the same arguments, and a target that turns as it
should.
"""

import cmath

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from test_datasets import TARGETS

from kpviz.engine.data import streams
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.streams import MOVES, STREAMS, angles, make_stream

MIDDLES = {"shifted": 3 + 3j}


def turned_back(X, turns, middle=0j):
    """The examples as they were before the target turned, one by one, as complex numbers."""
    points = [complex(*x) - middle for x in X]
    back = [
        point * cmath.exp(-2j * cmath.pi * turn) + middle
        for point, turn in zip(points, turns, strict=True)
    ]
    return np.array([[point.real, point.imag] for point in back])


def turns_of(n, drift, moves):
    """By how many turns the target has turned, from the definition."""
    return [drift * (t if moves == "turn" else 250 * (t // 250)) / 1000 for t in range(n)]


# ---- what is drawn -------------------------------------------------------------------------------


def test_every_geometry_that_is_drawn_can_stream_and_no_measured_one():
    assert set(STREAMS) == {name for name, source in SOURCES.items() if not source.is_real}
    for name in STREAMS:
        X, y = make_stream(name, 123)
        assert (X.shape, y.shape, X.dtype, y.dtype) == ((123, 2), (123,), np.float64, np.float64)
        assert set(y) == {-1.0, 1.0}
        assert np.isfinite(X).all()


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("moves", MOVES)
def test_a_shorter_stream_is_the_beginning_of_a_longer_one(name, moves):
    given = {"seed": 3, "flipped": 0.2, "drift": 0.7, "moves": moves}
    X, y = make_stream(name, 612, **given)
    for n in (1, 99, 100, 101, 250, 611):
        shorter, labels = make_stream(name, n, **given)
        assert_array_equal(shorter, X[:n])
        assert_array_equal(labels, y[:n])


def test_equal_arguments_give_equal_streams_and_each_seed_its_own():
    first = make_stream("moons", 300, seed=5, drift=0.5)
    again = make_stream("moons", 300, seed=5, drift=0.5)
    other = make_stream("moons", 300, seed=6, drift=0.5)
    assert_array_equal(first[0], again[0])
    assert_array_equal(first[1], again[1])
    assert not np.isin(other[0], first[0]).any()


@pytest.mark.parametrize("name", STREAMS)
def test_no_example_comes_twice(name):
    X, _ = make_stream(name, 2000, noise=0.0 if name != "blobs" else None)
    assert len(np.unique(X, axis=0)) == 2000


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("moves", MOVES)
def test_the_label_is_that_of_the_turned_target(name, moves):
    X, y = make_stream(name, 900, noise=0.0, seed=1, drift=0.8, moves=moves)
    before = turned_back(X, turns_of(900, 0.8, moves), MIDDLES.get(name, 0j))
    assert_array_equal(TARGETS[name](*before.T), y)
    if name not in streams.ROUND:
        assert (TARGETS[name](*X.T) != y).mean() > 0.15


@pytest.mark.parametrize("name", STREAMS)
def test_turned_back_a_stream_is_the_one_without_drift(name):
    still, labels = make_stream(name, 400, seed=2)
    for moves in MOVES:
        X, y = make_stream(name, 400, seed=2, drift=-1.3, moves=moves)
        assert_array_equal(y, labels)
        assert_allclose(
            turned_back(X, turns_of(400, -1.3, moves), MIDDLES.get(name, 0j)), still, atol=1e-12
        )


def test_a_switch_catches_up_with_the_steady_turn_and_stays_in_between():
    steady, sudden = angles(1000, 1.0, "turn"), angles(1000, 1.0, "switch")
    assert_allclose(steady, [2 * cmath.pi * t / 1000 for t in range(1000)])
    assert_array_equal(np.flatnonzero(np.diff(sudden)) + 1, [250, 500, 750])
    assert_allclose(sudden[[0, 250, 500, 750]], steady[[0, 250, 500, 750]])
    assert_allclose(sudden[250], cmath.pi / 2)


def test_both_classes_fill_their_geometry_in_any_order():
    X, y = make_stream("xor", 1000, noise=0.0)
    quadrants = {
        (float(a), float(b)): ((np.sign(X) == [a, b]).all(axis=1)).mean()
        for a in (-1, 1)
        for b in (-1, 1)
    }
    assert all(0.2 < share < 0.3 for share in quadrants.values())
    assert (np.abs(X) >= 0.1).all()
    assert (np.abs(X) <= 1.0).all()
    repeats = (y[1:] == y[:-1]).mean()
    assert 0.45 < repeats < 0.55  # neither sorted nor alternating


def test_label_noise_turns_its_share_of_labels_and_nothing_else():
    X, clean = make_stream("xor", 4000, seed=4)
    turned_before = np.zeros(4000, dtype=bool)
    for flipped in (0.05, 0.1, 0.3):
        same, y = make_stream("xor", 4000, seed=4, flipped=flipped)
        assert_array_equal(same, X)
        turned = y != clean
        assert abs(turned.mean() - flipped) < 4 * np.sqrt(flipped * (1 - flipped) / 4000)
        assert (turned[turned_before]).all()  # more noise turns these, and others besides
        turned_before = turned


def test_balance_is_the_probability_of_the_positive_class():
    for balance in (0.1, 0.5, 0.9):
        _, y = make_stream("blobs", 4000, balance=balance)
        assert abs((y > 0).mean() - balance) < 4 * np.sqrt(balance * (1 - balance) / 4000)
