"""Training: the engine's loop against textbook loops and scikit-learn."""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import pytest
from covering import covering, in_turn
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Perceptron as SklearnPerceptron
from textbook import (
    KERNELS,
    TOYS,
    contradictory,
    dual_perceptron,
    integer_data,
    primal_perceptron,
    random_data,
    rows_of,
)

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import Perceptron

INTERCEPTS = ("none", "unit", "radius")
TIES = ("mistake", "correct", "positive", "negative")
ORDERS = ("cyclic", "shuffled", "random")


def assert_same(run, story):
    assert_array_equal(run.index, story.index)
    assert_array_equal(run.mistake, story.mistake)
    scale = 1.0 + np.abs(story.score).max()
    assert_allclose(run.score, story.score, rtol=1e-9, atol=1e-11 * scale)
    state = run.state_at(run.n_steps)
    assert_allclose(state.coef, story.coef, rtol=1e-12)
    assert_allclose(state.intercept, story.b, rtol=1e-12, atol=1e-12)
    assert run.end == story.end


@in_turn([(name, toy) for name in KERNELS for toy in TOYS], lambda name, toy: name)
def test_every_run_is_the_textbook_loop(name, toy):
    kernel = KERNELS[name]
    X, y = kpviz.make_dataset(toy, n_samples=20, seed=3, flipped=0.1)
    gram = kernel(X, X)
    for intercept, tie, order in covering(INTERCEPTS, TIES, ORDERS):
        learner = Perceptron(learning_rate=0.3, intercept=intercept, tie=tie)
        run = kpviz.train(learner, X, y, kernel=kernel, order=order, epochs=3, seed=5)
        rows = rows_of(run) if order != "cyclic" else [range(20)] * 3
        assert_same(
            run,
            dual_perceptron(gram, y, rows, eta=0.3, intercept=intercept, tie=tie, may_end=order != "random"),
        )


@pytest.mark.parametrize("name", ["iris", "breast_cancer"])
def test_measured_data_train_as_in_the_textbook(name):
    X, y = kpviz.make_dataset(name, n_samples=60, seed=1)
    run = kpviz.train(Perceptron(intercept="unit"), X, y, kernel=Gaussian(0.3), epochs=4)
    assert_same(run, dual_perceptron(Gaussian(0.3)(X, X), y, [range(60)] * 4, intercept="unit"))


@pytest.mark.parametrize("intercept", INTERCEPTS)
def test_a_long_run_with_blocks_of_every_length_is_the_textbook_loop(intercept):
    X, y = kpviz.make_dataset("moons", n_samples=150, noise=0.12, seed=2)
    run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=Gaussian(0.5), order="shuffled", epochs=25)
    assert_same(run, dual_perceptron(Gaussian(0.5)(X, X), y, rows_of(run), intercept=intercept))


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_linear_kernel_is_scikit_learns_perceptron(seed, bias):
    X, y = random_data(seed, n=40, columns=3)
    theirs = SklearnPerceptron(penalty=None, shuffle=False, tol=None, max_iter=7, fit_intercept=bias).fit(X, y)
    learner = Perceptron(intercept="unit" if bias else "none")
    run = kpviz.train(learner, X, y, kernel=Linear(), epochs=7, stop_when_clean=False)
    state = run.state_at(run.n_steps)
    assert_allclose(X.T @ state.coef, theirs.coef_[0], rtol=1e-9, atol=1e-9)
    assert_allclose(state.intercept, theirs.intercept_[0] if bias else 0.0)
    Z, _ = random_data(seed + 100, n=10, columns=3)
    assert_allclose(run.decision_function(Z), theirs.decision_function(Z), rtol=1e-9, atol=1e-9)


def monomials(X, degree, coef0):
    """Features whose inner product is (u·v + coef0)^degree: each monomial with the root of its multinomial weight."""
    extended = np.column_stack([X, np.full(len(X), np.sqrt(coef0))])
    columns = []
    for chosen in combinations_with_replacement(range(extended.shape[1]), degree):
        weight = factorial(degree) / prod(factorial(chosen.count(j)) for j in set(chosen))
        columns.append(np.sqrt(weight) * extended[:, chosen].prod(axis=1))
    return np.column_stack(columns)


@pytest.mark.parametrize("degree", [2, 3, 4])
@pytest.mark.parametrize("coef0", [0.0, 1.0, 2.5])
def test_polynomial_kernel_is_a_linear_perceptron_on_explicit_features(degree, coef0):
    X, y = random_data(degree, n=30)
    features = monomials(X, degree, coef0)
    kernel = Polynomial(degree, coef0)
    assert_allclose(features @ features.T, kernel(X, X), rtol=1e-9, atol=1e-9)
    run = kpviz.train(Perceptron(), X, y, kernel=kernel, epochs=5, stop_when_clean=False)
    mistakes, w, _ = primal_perceptron(features, y, [range(30)] * 5)
    assert_array_equal(run.mistake, mistakes)
    assert_allclose(features.T @ run.state_at(run.n_steps).coef, w, rtol=1e-8, atol=1e-8)
    theirs = SklearnPerceptron(penalty=None, shuffle=False, tol=None, max_iter=5, fit_intercept=False)
    assert_allclose(theirs.fit(features, y).coef_[0], w, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_dual_is_the_primal_mistake_by_mistake_even_where_ties_are_exact(seed, bias):
    X, y = integer_data(seed)
    learner = Perceptron(intercept="unit" if bias else "none")
    run = kpviz.train(learner, X, y, kernel=Linear(), order="shuffled", epochs=6, seed=seed)
    mistakes, w, b = primal_perceptron(X, y, rows_of(run), bias=bias)
    assert_array_equal(run.mistake, mistakes)
    assert_array_equal(X.T @ run.state_at(run.n_steps).coef, w)
    assert run.state_at(run.n_steps).intercept == b
    assert (run.score == 0).sum() > 1


def test_xor_takes_one_mistake_at_each_corner():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    run = kpviz.train(Perceptron(), X, y, kernel=Polynomial(degree=2, coef0=1.0))
    assert (run.end, run.converged, run.n_epochs, run.n_steps) == ("clean", True, 2, 8)
    assert_array_equal(run.mistake, [True] * 4 + [False] * 4)
    assert_array_equal(run.mistakes_per_epoch, [4, 0])
    assert_array_equal(run.state_at(8).alpha, np.ones(4))
    assert_array_equal(run.margins_at(8), np.full(4, 8.0))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    eta=st.sampled_from([0.1, 0.3, 1e-3, 0.7, 7.0]),
    intercept=st.sampled_from(INTERCEPTS),
    tie=st.sampled_from(TIES),
    kernel=st.sampled_from([Linear(), Polynomial(2, 1.0), kpviz.kernels.AllSubsets()]),
)
def test_the_learning_rate_changes_no_mistake(seed, eta, intercept, tie, kernel):
    X, y = integer_data(seed)
    one, other = (
        kpviz.train(Perceptron(rate, intercept, tie), X, y, kernel=kernel, order="shuffled", epochs=8, seed=seed)
        for rate in (1.0, eta)
    )
    assert_array_equal(one.mistake, other.mistake)
    assert_array_equal(one.index, other.index)
    assert_array_equal(one.state_at(one.n_steps).coef * eta, other.state_at(other.n_steps).coef)
    assert_array_equal(one.score * eta, other.score)


@pytest.mark.parametrize(
    ("tie", "expected"),
    [
        ("mistake", [True, True]),
        ("correct", [False, False]),
        ("positive", [False, True]),
        ("negative", [True, False]),
    ],
)
def test_a_zero_score_counts_as_the_tie_rule_says(tie, expected):
    run = kpviz.train(Perceptron(tie=tie), np.eye(2), [1, -1], kernel=Linear(), epochs=1)
    assert_array_equal(run.score, [0.0, 0.0])
    assert_array_equal(run.mistake, expected)
    assert_array_equal(run.state_at(2).alpha, expected)


@pytest.mark.parametrize("toy", TOYS)
def test_from_zero_nothing_is_learnt_if_a_zero_score_counts_as_correct(toy):
    X, y = kpviz.make_dataset(toy, n_samples=30)
    run = kpviz.train(Perceptron(tie="correct", intercept="unit"), X, y, kernel=Gaussian(0.5))
    assert (run.end, run.n_epochs, len(run.changes)) == ("clean", 1, 0)
    assert not run.mistake.any()
    assert not run.state_at(run.n_steps).support.size


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
@pytest.mark.parametrize("intercept", ["unit", "radius"])
def test_an_intercept_is_a_constant_feature(kernel, intercept):
    for X, y in (random_data(1), integer_data(2)):
        constant = 1.0 if intercept == "unit" else kernel.diag(X).max()
        learner, plain = Perceptron(intercept=intercept), Perceptron()
        run = kpviz.train(learner, X, y, kernel=kernel, epochs=6)
        other = kpviz.train(plain, X, y, kernel=lambda U, V, c=constant: kernel(U, V) + c, epochs=6)
        assert_array_equal(run.mistake, other.mistake)
        assert_array_equal(run.state_at(run.n_steps).coef, other.state_at(other.n_steps).coef)
        assert_allclose(run.decision_function(X), other.decision_function(X), rtol=1e-9, atol=1e-9)


def test_the_radius_is_read_from_the_diagonal_even_if_a_larger_number_stands_beside_it():
    run = kpviz.train(Perceptron(intercept="radius"), [[2.0, 5.0], [5.0, 1.0]], [1, -1], kernel="precomputed", epochs=1)
    assert run.state_at(1).intercept == 2.0


# -- the order ----------------------------------------------------------------------------------------------------


def test_cyclic_shows_the_examples_as_they_come():
    X, y = contradictory()
    run = kpviz.train(Perceptron(), X, y, order="cyclic", epochs=3)
    assert_array_equal(run.index, np.tile(np.arange(len(y)), 3))
    assert_array_equal(run.epoch_start, [0, 13, 26])


def test_shuffled_is_a_fresh_permutation_each_epoch_from_the_seed():
    X, y = contradictory()
    first, again, other = (kpviz.train(Perceptron(), X, y, order="shuffled", epochs=5, seed=s) for s in (1, 1, 2))
    assert_array_equal(first.index, again.index)
    assert not np.array_equal(first.index, other.index)
    rows = rows_of(first)
    assert all(sorted(row) == list(range(len(y))) for row in rows)
    assert len({tuple(row) for row in rows}) == 5


def test_random_draws_with_replacement_and_never_ends_early():
    X, y = kpviz.make_dataset("linear", n_samples=10)
    first, again, other = (kpviz.train(Perceptron(), X, y, order="random", epochs=40, seed=s) for s in (1, 1, 2))
    assert_array_equal(first.index, again.index)
    assert not np.array_equal(first.index, other.index)
    assert (first.end, first.n_epochs, first.n_steps) == ("limit", 40, 400)
    assert first.mistakes_per_epoch[-5:].sum() == 0
    assert any(len(set(row)) < 10 for row in rows_of(first))


def test_an_explicit_order_is_shown_as_given_and_caps_the_epochs():
    X, y = contradictory()
    rows = np.random.default_rng(3).integers(0, len(y), (4, 7))
    run = kpviz.train(Perceptron(), X, y, order=rows, epochs=50)
    assert_array_equal(run.index, rows.ravel())
    assert_array_equal(run.epoch_start, [0, 7, 14, 21])
    assert_array_equal(kpviz.train(Perceptron(), X, y, order=rows, epochs=2).index, rows[:2].ravel())
    assert_array_equal(kpviz.train(Perceptron(), X, y, order=rows[0].tolist()).index, rows[0])
    assert_same(run, dual_perceptron(Linear()(X, X), y, rows))


def test_an_incomplete_row_is_never_a_clean_pass():
    X, y = kpviz.make_dataset("linear", n_samples=6)
    incomplete = np.tile([0, 1, 2, 3, 4, 4], (30, 1))
    run = kpviz.train(Perceptron(), X, y, order=incomplete)
    assert (run.end, run.n_epochs) == ("limit", 30)
    longer = np.tile([0, 1, 2, 3, 4, 4, 5], (30, 1))
    run = kpviz.train(Perceptron(), X, y, order=longer)
    assert run.end == "clean"
    assert run.n_epochs < 30


def test_training_goes_on_after_a_clean_pass_if_told_to():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    run = kpviz.train(Perceptron(), X, y, kernel=Polynomial(2, 1.0), epochs=9, stop_when_clean=False)
    assert (run.end, run.converged, run.n_epochs, run.n_steps) == ("limit", False, 9, 36)


def test_the_seed_of_the_order_is_not_the_learners():
    class Drawing(Perceptron):
        def start(self, gram, y, rng):
            self.drawn.append(rng.integers(0, 1000, 5))
            return super().start(gram, y, rng)

        drawn = []  # noqa: RUF012

    X, y = contradictory()
    plain = kpviz.train(Perceptron(), X, y, order="shuffled", seed=4, epochs=5)
    drawing = kpviz.train(Drawing(), X, y, order="shuffled", seed=4, epochs=5)
    assert_array_equal(plain.index, drawing.index)
    assert not np.array_equal(Drawing.drawn[0], np.random.default_rng([4, 0]).integers(0, 1000, 5))
