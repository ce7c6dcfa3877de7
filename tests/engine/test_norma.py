"""NORMA against a slow loop, scikit-learn's stochastic gradient descent and the perceptron."""

import numpy as np
import pytest
from covering import covering, in_turn
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import assert_matches, norma
from sklearn.linear_model import SGDClassifier
from textbook import KERNELS, integer_data, random_data, rows_of

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import Norma, Perceptron

TOYS = ("xor", "spirals", "moons")
ORDERS = ("cyclic", "shuffled", "random")
SETTINGS = {
    "usual": {},
    "nu": {"nu": 0.3},
    "slower": {"schedule": "inverse-sqrt"},
    "slower nu": {"schedule": "inverse-sqrt", "nu": 0.6},
    "short": {"truncation": 6},
    "short nu": {"truncation": 9, "nu": 0.4, "schedule": "inverse-sqrt"},
    "one term": {"truncation": 1},
    "no intercept": {"fit_intercept": False},
    "narrow": {"margin": 0.2, "truncation": 25, "fit_intercept": False},
}


RATES = ((0.37, 0.11), (0.9, 0.0), (0.05, 0.013))


@in_turn(covering(KERNELS, SETTINGS, list(zip(TOYS, ORDERS, strict=True)), RATES), lambda name, *_: name)
def test_norma_is_the_slow_loop(name, kind, shown, rates):
    kernel, more, (toy, order), (eta, lam) = KERNELS[name], SETTINGS[kind], shown, rates
    X, y = kpviz.make_dataset(toy, n_samples=15, noise=0.13, seed=4, flipped=0.1)
    learner = Norma(learning_rate=eta, regularization=lam, **more)
    run = kpviz.train(learner, X, y, kernel=kernel, order=order, epochs=3, seed=6, stop_when_clean=False)
    tale = norma(kernel(X, X), y, rows_of(run), eta, lam, may_end=False, **more)
    assert_matches(run, tale, entries=True)


@pytest.mark.parametrize("schedule", ["constant", "inverse-sqrt"])
def test_without_shrinking_norma_ends_after_an_epoch_without_margin_errors(schedule):
    X, y = kpviz.make_dataset("moons", n_samples=30, noise=0.05, seed=2)
    learner = Norma(learning_rate=0.7, regularization=0.0, schedule=schedule)
    run = kpviz.train(learner, X, y, kernel=Gaussian(0.4), epochs=200)
    rows = [range(30)] * 200
    assert run.end == "clean"
    assert_matches(run, norma(Gaussian(0.4)(X, X), y, rows, 0.7, 0.0, schedule=schedule), entries=True)
    assert (run.margins_at(run.n_steps) > 1).all()


@pytest.mark.parametrize("epochs", [1, 7])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(("eta", "lam"), [(0.1, 0.01), (0.03, 0.5), (1.3, 0.2), (0.5, 0.0001)])
def test_with_the_linear_kernel_norma_is_scikit_learns_hinge(eta, lam, fit_intercept, epochs):
    for seed in range(5):
        X, y = random_data(seed, n=40, columns=3)
        theirs = SGDClassifier(
            loss="hinge", penalty="l2", alpha=lam, learning_rate="constant", eta0=eta, shuffle=False,
            max_iter=epochs, tol=None, fit_intercept=fit_intercept,
        )  # fmt: skip
        theirs.fit(X, y)
        learner = Norma(learning_rate=eta, regularization=lam, fit_intercept=fit_intercept)
        run = kpviz.train(learner, X, y, kernel=Linear(), epochs=epochs, stop_when_clean=False)
        state = run.state_at(run.n_steps)
        assert_allclose(X.T @ state.coef, theirs.coef_[0], rtol=1e-12, atol=1e-12)
        assert_allclose(state.intercept, theirs.intercept_[0], rtol=1e-12, atol=1e-12)
        Z, _ = random_data(seed + 50, n=9, columns=3)
        assert_allclose(run.decision_function(Z), theirs.decision_function(Z), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 1.0), Gaussian(0.5)], ids=["linear", "square", "gaussian"])
@pytest.mark.parametrize("order", ORDERS)
def test_without_margin_and_shrinking_norma_is_the_perceptron_with_unit_intercept(kernel, order):
    learner = Norma(learning_rate=1.0, regularization=0.0, margin=0.0)
    for seed in range(8):
        X, y = integer_data(seed)  # ties are exact and frequent
        run = kpviz.train(learner, X, y, kernel=kernel, order=order, epochs=12, seed=seed)
        plain = kpviz.train(Perceptron(intercept="unit"), X, y, kernel=kernel, order=order, epochs=12, seed=seed)
        assert_array_equal(run.index, plain.index)
        assert_array_equal(run.mistake, plain.mistake)
        assert_array_equal(run.changes.step, plain.changes.step)
        assert_allclose(run.score, plain.score, rtol=1e-12, atol=1e-12)
        ours, theirs = run.state_at(run.n_steps), plain.state_at(plain.n_steps)
        assert_array_equal(ours.coef, theirs.coef)
        assert ours.intercept == theirs.intercept
        assert run.end == plain.end


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    eta=st.floats(0.01, 1.0),
    lam=st.floats(0.0, 0.9),
    nu=st.floats(0.01, 0.99),
    order=st.sampled_from(ORDERS),
)
def test_rho_counts_the_margin_errors(seed, eta, lam, nu, order):
    X, y = random_data(seed, n=20)
    learner = Norma(learning_rate=eta, regularization=lam, nu=nu)
    run = kpviz.train(learner, X, y, kernel=Gaussian(0.8), order=order, epochs=3, seed=seed, stop_when_clean=False)
    rho = run.details["rho"]
    before = np.append(0.0, rho[:-1])
    errors = np.cumsum(y[run.index] * run.score <= before)
    assert_allclose(rho, eta * (nu * np.arange(1, run.n_steps + 1) - errors), rtol=1e-9, atol=1e-9 * eta)


def test_nu_is_roughly_the_share_of_margin_errors_in_the_long_run():
    X, y = kpviz.make_dataset("moons", n_samples=100, noise=0.2, seed=1)
    for nu in (0.2, 0.5):
        learner = Norma(learning_rate=0.1, regularization=0.05, nu=nu)
        run = kpviz.train(learner, X, y, kernel=Gaussian(0.5), order="random", epochs=40, seed=3)
        rho = run.details["rho"]
        errors = y[run.index] * run.score <= np.append(0.0, rho[:-1])
        assert abs(errors.mean() - nu) < 0.02


def test_with_nu_the_margin_is_ignored():
    X, y = random_data(5)
    one, other = (
        kpviz.train(Norma(learning_rate=0.3, regularization=0.1, margin=m, nu=0.4), X, y, epochs=3) for m in (1.0, 0.1)
    )
    assert_array_equal(one.score, other.score)
    assert_array_equal(one.details["rho"], other.details["rho"])


def test_without_nu_the_margin_stays():
    X, y = random_data(5)
    run = kpviz.train(Norma(learning_rate=0.3, regularization=0.1, margin=0.7), X, y, epochs=3)
    assert_array_equal(run.details["rho"], np.full(run.n_steps, 0.7))
    assert_array_equal(run.details["victim"], np.full(run.n_steps, -1))


def test_the_rate_is_constant_or_falls_with_the_root_of_the_presentations():
    X, y = random_data(6)
    run = kpviz.train(Norma(learning_rate=0.3, regularization=0.1), X, y, epochs=3)
    assert_array_equal(run.details["rate"], np.full(60, 0.3))
    run = kpviz.train(Norma(learning_rate=0.3, regularization=0.1, schedule="inverse-sqrt"), X, y, epochs=3)
    assert_allclose(run.details["rate"], [0.3 / (t + 1) ** 0.5 for t in range(60)], rtol=1e-14)


@pytest.mark.parametrize("truncation", [1, 4, 17])
def test_truncation_remembers_the_last_presentations_only(truncation):
    X, y = random_data(7, n=15)
    learner = Norma(learning_rate=0.4, regularization=0.1, truncation=truncation)
    run = kpviz.train(learner, X, y, kernel=Gaussian(0.5), order="random", epochs=6)
    forgotten = 0
    for t in range(run.n_steps + 1):
        entries = run.entries_at(t)
        assert len(entries.step) <= truncation
        assert (entries.step >= t - truncation).all()
        forgotten += t > 0 and run.details["victim"][t - 1] >= 0
    assert forgotten > 10
    endless = Norma(learning_rate=0.4, regularization=0.1, truncation=1000)
    whole = Norma(learning_rate=0.4, regularization=0.1)
    one, other = (kpviz.train(x, X, y, kernel=Gaussian(0.5), order="random", epochs=6) for x in (endless, whole))
    assert_array_equal(one.score, other.score)
