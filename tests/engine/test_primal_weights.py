"""The weights w of a run: a loop that decides by them makes the same mistakes, and ties are told."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from primal_runs import trained
from textbook import integer_data, primal_perceptron, random_data, rows_of

import kpviz
from kpviz.engine.kernels import (
    AllSubsets,
    Linear,
    Monomial,
    Polynomial,
)
from kpviz.engine.learners import Perceptron
from kpviz.engine.theory import primal


@pytest.mark.parametrize("intercept", ["none", "unit", "radius"])
@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
def test_a_loop_that_decides_by_its_own_w_makes_the_same_mistakes(degree, intercept):
    for seed, kernel in enumerate([Monomial(degree), Polynomial(degree, 1.0)]):
        X, y = random_data(10 * degree + seed, n=30)
        run = trained(kernel, X, y, intercept, eta=0.3, seed=seed)
        phi = primal.features(kernel, X)
        bias = {"none": 0.0, "unit": 1.0, "radius": max(kernel.diag(X))}[intercept]
        mistakes, w, b = primal_perceptron(phi, y, rows_of(run), bias=bias)
        assert run.mistake.tolist() == mistakes
        reading = primal.read(run)
        assert reading.agrees.all()
        assert reading.first_parting is None
        assert reading.why == ""
        assert_allclose(reading.score, run.score, rtol=1e-7, atol=1e-9 * np.abs(run.score).max())
        assert_allclose(reading.w_at(run.n_steps), 0.3 * w, rtol=1e-8, atol=1e-9 * np.abs(w).max())
        assert_allclose(reading.intercepts[-1], 0.3 * b)


@pytest.mark.parametrize("block", [1, 64, 1 << 20])
def test_w_and_its_scores_are_those_of_every_instant(block, monkeypatch):
    monkeypatch.setattr(primal, "_BLOCK", block)
    X, y = random_data(5, n=25)
    run = trained(Polynomial(3, 1.0), X, y, "radius", eta=0.5)
    reading = primal.read(run)
    path, phi = reading.path(), reading.phi
    assert path.shape == (len(run.changes) + 1, reading.dimension) == (len(reading.intercepts), len(reading.names))
    chosen = reading.columns_shown(4)
    assert_array_equal(reading.path(chosen), path[:, chosen])
    last = np.abs(reading.w_at(run.n_steps))
    assert len(chosen) == 4
    assert last[chosen].min() >= np.delete(last, chosen).max()
    for t in range(run.n_steps):
        state, done = run.state_at(t), run.changes.before(t)
        w = sum((a * row for a, row in zip(state.coef, phi, strict=True)), np.zeros(len(path[0])))
        assert_allclose(path[done], w, rtol=1e-9, atol=1e-9)
        assert_allclose(reading.w_at(t), w, rtol=1e-9, atol=1e-9)
        assert_allclose(reading.intercepts[done], state.intercept)
        assert_allclose(reading.score[t], w @ phi[run.index[t]] + state.intercept, rtol=1e-9, atol=1e-8)


def test_a_run_that_goes_on_is_read_from_where_it_began():
    X, y = random_data(8, n=25)
    first = trained(Polynomial(2, 1.0), X, y, "unit", eta=0.5)
    more = trained(Polynomial(2, 1.0), X, y, "unit", eta=0.5, start=first.state_at(40), seed=3)
    assert len(more.changes)
    reading = primal.read(more)
    assert reading.agrees.all()
    assert_allclose(reading.score, more.score, rtol=1e-9, atol=1e-8)
    assert_allclose(reading.path()[0], primal.read(first).w_at(40))
    assert_allclose(reading.path()[-1], reading.w_at(more.n_steps))
    held = set(first.state_at(40).support)
    recorded = primal.costs(more).support
    for t in range(more.n_steps + 1):
        assert recorded[t] == len(held | set(more.changes.index[: more.changes.before(t)].tolist()))


@pytest.mark.parametrize("seed", range(5))
def test_integers_and_whole_weights_give_the_same_numbers_even_at_ties(seed):
    X, y = integer_data(seed)
    for kernel in (Linear(), AllSubsets(), Polynomial(1, 1.0), Polynomial(1, 4.0)):
        run = trained(kernel, X, y, "unit", order="cyclic")
        assert (run.score == 0).sum() > 1
        assert_array_equal(primal.read(run).score, run.score)


def test_root_two_breaks_a_tie_and_the_sentence_says_so():
    X, y = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([1.0, -1.0])
    run = kpviz.train(Perceptron(), X, y, kernel=Monomial(2))
    assert run.mistake.tolist()[:2] == [True, True]
    assert run.score[1] == 0.0
    reading = primal.read(run)
    mistakes, _, _ = primal_perceptron(reading.phi, y, [[0, 1]])
    assert mistakes == [True, False]
    assert reading.agrees.tolist() == [True, False, *[True] * (run.n_steps - 2)]
    assert reading.first_parting == 1
    assert -1e-15 < reading.score[1] < 0
    assert reading.why == (
        "Step 2: the kernel’s score is 0, a tie, and that of w is −4.44×10⁻¹⁶. They part because √2 in φ is rounded."
    )


@pytest.mark.parametrize("tie", ["mistake", "positive", "negative"])
def test_they_part_only_where_a_score_is_zero(tie):
    parted = 0
    for seed in range(30):
        X, y = integer_data(seed)
        run = trained(Polynomial(2, 1.0), X, y, tie=tie, order="cyclic")
        reading = primal.read(run)
        assert_array_equal(run.score[~reading.agrees], 0.0)
        assert_array_equal(reading.agrees, run.learner.mistakes(y[run.index], reading.score) == run.mistake)
        assert_allclose(reading.score, run.score, atol=1e-11 * max(1.0, np.abs(run.score).max()))
        parted += (~reading.agrees).sum()
    assert parted > 0
