"""Training that goes on from an earlier state, tells its progress, or is stopped."""

import importlib

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from textbook import contradictory, integer_data

import kpviz
from kpviz.engine.kernels import Gaussian, Polynomial
from kpviz.engine.learners import Perceptron
from kpviz.engine.learners.perceptron import INTERCEPTS

loop = importlib.import_module("kpviz.engine.run.train")


@pytest.mark.parametrize("intercept", INTERCEPTS)
@pytest.mark.parametrize("eta", [1.0, 0.1, 0.7])
def test_two_halves_are_one_run(eta, intercept):
    for seed in range(8):
        X, y = integer_data(seed)
        learner, kernel = Perceptron(eta, intercept), Polynomial(2, 1.0)
        rows = np.random.default_rng(seed).permuted(np.tile(np.arange(len(y)), (6, 1)), axis=1)
        whole = kpviz.train(learner, X, y, kernel=kernel, order=rows, stop_when_clean=False)
        first = kpviz.train(learner, X, y, kernel=kernel, order=rows[:3], stop_when_clean=False)
        second = kpviz.train(
            learner, X, y, kernel=kernel, order=rows[3:], stop_when_clean=False, start=first.state_at(first.n_steps)
        )
        half = first.n_steps
        assert_array_equal(whole.index, np.append(first.index, second.index))
        assert_array_equal(whole.mistake, np.append(first.mistake, second.mistake))
        assert_array_equal(whole.score, np.append(first.score, second.score))
        for t in (0, 1, half // 2, half):
            ours, theirs = second.state_at(t), whole.state_at(half + t)
            assert_array_equal(ours.coef, theirs.coef)
            assert ours.intercept == theirs.intercept


def test_a_run_that_goes_on_from_a_clean_end_stays_clean():
    X, y = kpviz.make_dataset("moons", n_samples=60, seed=1)
    first = kpviz.train(Perceptron(intercept="radius"), X, y, kernel=Gaussian(0.4))
    state = first.state_at(first.n_steps)
    again = kpviz.train(first.learner, X, y, kernel=Gaussian(0.4), start=state)
    assert first.end == again.end == "clean"
    assert again.n_epochs == 1
    assert not len(again.changes)
    assert_array_equal(again.state_at(again.n_steps).coef, state.coef)
    assert_allclose(again.decision_function(X), first.decision_function(X))


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(loop, "_SECONDS_BETWEEN_PROGRESS", 0.0)


@pytest.mark.usefixtures("impatient")
def test_progress_is_told_how_far_training_is():
    X, y = contradictory()
    described = []
    run = kpviz.train(Perceptron(), X, y, epochs=6, progress=lambda done, limit: described.append((done, limit)))
    done = [pair[0] for pair in described]
    assert done == sorted(done)
    assert {pair[1] for pair in described} == {6 * len(y)}
    assert max(done) <= run.n_steps
    assert len(described) >= 6
    without = kpviz.train(Perceptron(), X, y, epochs=6)
    assert_array_equal(run.score, without.score)


def test_progress_is_told_now_and_then_not_at_every_presentation():
    X, y = contradictory()
    described = []
    kpviz.train(Perceptron(), X, y, epochs=3, progress=lambda *pair: described.append(pair))
    assert len(described) < 39


@pytest.mark.usefixtures("impatient")
def test_an_exception_in_progress_cancels_and_leaves_a_consistent_run():
    X, y = contradictory(60)
    whole = kpviz.train(Perceptron(intercept="unit"), X, y, epochs=4)
    calls_of_whole_run = []
    kpviz.train(Perceptron(intercept="unit"), X, y, epochs=4, progress=lambda *pair: calls_of_whole_run.append(pair))
    lengths = set()
    for last in range(len(calls_of_whole_run)):
        calls = iter(range(last))
        run = kpviz.train(Perceptron(intercept="unit"), X, y, epochs=4, progress=lambda *pair, calls=calls: next(calls))
        n = run.n_steps
        lengths.add(n)
        assert (run.end, run.converged) == ("cancelled", False)
        assert n == calls_of_whole_run[last][0]
        assert len(run.index) == len(run.score) == len(run.mistake) == n
        assert_array_equal(run.score, whole.score[:n])
        assert_array_equal(run.epoch_start, np.arange(0, n, len(y)))
        assert run.mistakes_per_epoch.sum() == run.mistake.sum() == len(run.changes)
        assert len(run.mistakes_per_epoch) == run.n_epochs == -(-n // len(y))
        assert_array_equal(run.state_at(n).coef, whole.state_at(n).coef)
        for predictor in ("last", "averaged", "voted"):
            expected = whole.decision_function(X, t=n, predictor=predictor)
            assert_allclose(run.decision_function(X, predictor=predictor), expected)
    assert {0, 61, 122} < lengths


@pytest.mark.usefixtures("impatient")
def test_ctrl_c_is_not_swallowed():
    def interrupt(done, limit):
        raise KeyboardInterrupt

    X, y = contradictory()
    with pytest.raises(KeyboardInterrupt):
        kpviz.train(Perceptron(), X, y, progress=interrupt)
