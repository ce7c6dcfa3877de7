"""Kernel logistic regression, online and at its optimum, against a slow loop and scikit-learn."""

from itertools import product

import numpy as np
import pytest
from covering import in_turn
from numpy.testing import assert_allclose, assert_array_equal
from oracles import assert_matches, kernel_logistic, weighted_monomials
from scipy.special import expit
from sklearn.linear_model import LogisticRegression, SGDClassifier
from textbook import KERNELS, TOYS, random_data, rows_of

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import KernelLogistic
from kpviz.engine.theory import logistic_optimum

POSITIVE = {name: kernel for name, kernel in KERNELS.items() if name != "sigmoid"}  # not positive semidefinite


# Both rates, and each order
RATES_AND_ORDERS = (((0.5, 0.02), "cyclic"), ((0.9, 0.0), "shuffled"), ((0.5, 0.02), "random"), ((0.9, 0.0), "cyclic"))


@in_turn(list(product(KERNELS, TOYS)), lambda name, toy: name)
def test_the_online_rule_is_the_slow_loop(name, toy):
    kernel = KERNELS[name]
    X, y = kpviz.make_dataset(toy, n_samples=15, noise=0.13, seed=3, flipped=0.1)
    for (eta, lam), order in RATES_AND_ORDERS:
        learner = KernelLogistic(learning_rate=eta, regularization=lam)
        run = kpviz.train(learner, X, y, kernel=kernel, order=order, epochs=3, seed=5)
        assert_matches(run, kernel_logistic(kernel(X, X), y, rows_of(run), eta, lam))
        assert_array_equal(run.changes.step, np.arange(run.n_steps))  # every presentation is a change
        assert run.state_at(run.n_steps).intercept == 0.0
        assert_allclose(run.details["probability"], expit(run.score), rtol=1e-12)


@pytest.mark.parametrize("epochs", [1, 8])
@pytest.mark.parametrize(("eta", "lam"), [(0.1, 0.01), (1.0, 0.3), (0.4, 0.0001)])
def test_with_the_linear_kernel_the_online_rule_is_scikit_learns_log_loss(eta, lam, epochs):
    for seed in range(5):
        X, y = random_data(seed, n=40, columns=3)
        theirs = SGDClassifier(
            loss="log_loss", penalty="l2", alpha=lam, learning_rate="constant", eta0=eta, shuffle=False,
            max_iter=epochs, tol=None, fit_intercept=False,
        )  # fmt: skip
        theirs.fit(X, y)
        learner = KernelLogistic(learning_rate=eta, regularization=lam)
        run = kpviz.train(learner, X, y, kernel=Linear(), epochs=epochs)
        assert_allclose(X.T @ run.state_at(run.n_steps).coef, theirs.coef_[0], rtol=1e-10, atol=1e-12)
        Z, _ = random_data(seed + 50, n=9, columns=3)
        probability = expit(run.decision_function(Z))
        assert_allclose(probability, theirs.predict_proba(Z)[:, 1], rtol=1e-10, atol=1e-12)


def test_scores_far_from_zero_neither_overflow_nor_stop_the_learner():
    X, y = np.array([[40.0], [30.0], [-50.0]]), np.array([1.0, -1.0, 1.0])
    run = kpviz.train(KernelLogistic(learning_rate=1.0, regularization=0.0), X, y, kernel=Linear(), epochs=5)
    assert np.abs(run.score).max() > 800
    assert np.isfinite(run.score).all()
    assert_allclose(run.details["probability"], expit(run.score), rtol=1e-12)


@pytest.mark.parametrize("kernel", POSITIVE.values(), ids=POSITIVE.keys())
@pytest.mark.parametrize("lam", [0.03, 1.0, 20.0])
def test_at_the_optimum_the_coefficients_are_the_residuals(kernel, lam):
    for toy in TOYS:
        X, y = kpviz.make_dataset(toy, n_samples=40, seed=2, flipped=0.1)
        gram = kernel(X, X)
        coef = logistic_optimum(gram, y, lam)
        assert coef.shape == (40,)
        assert_allclose(lam * coef, (y + 1) / 2 - expit(gram @ coef), rtol=1e-6, atol=1e-9)
        assert (y * coef > 0).all()  # every coefficient is there, and pulls to its own side


FEATURES = {
    "linear": (Linear(), lambda X: X),
    "square": (Polynomial(2, 1.0), lambda X: weighted_monomials(X, 2, 1.0)),
    "cube": (Polynomial(3, 0.5), lambda X: weighted_monomials(X, 3, 0.5)),
}


@pytest.mark.parametrize(("kernel", "features"), FEATURES.values(), ids=FEATURES.keys())
@pytest.mark.parametrize("lam", [0.05, 1.0, 10.0])
def test_the_optimum_is_scikit_learns_on_explicit_features(kernel, features, lam):
    for seed in range(4):
        X, y = random_data(seed, n=50)
        phi = features(X)
        assert_allclose(phi @ phi.T, kernel(X, X), rtol=1e-9, atol=1e-9)
        theirs = LogisticRegression(C=1 / lam, fit_intercept=False, solver="newton-cholesky", tol=1e-12, max_iter=1000)
        theirs.fit(phi, y)
        coef = logistic_optimum(kernel(X, X), y, lam)
        assert_allclose(phi.T @ coef, theirs.coef_[0], rtol=1e-6, atol=1e-7)


def test_the_optimum_is_lower_than_every_neighbour():
    X, y = kpviz.make_dataset("moons", n_samples=30, noise=0.2, seed=1)
    gram = Gaussian(0.5)(X, X)
    coef = logistic_optimum(gram, y, 0.1)

    def loss(a):
        return np.logaddexp(0, -y * (gram @ a)).sum() + 0.05 * a @ gram @ a

    rng = np.random.default_rng(0)
    for _ in range(50):
        assert loss(coef) < loss(coef + 0.1 * rng.standard_normal(30))


def test_the_online_rule_comes_near_the_optimum():
    X, y = kpviz.make_dataset("moons", n_samples=30, noise=0.2, seed=1)
    kernel, lam, n = Gaussian(0.5), 1.0, 30
    best = kernel(X, X) @ logistic_optimum(kernel(X, X), y, lam)
    learner = KernelLogistic(learning_rate=0.002, regularization=lam / n)  # online, lambda is paid n times an epoch
    run = kpviz.train(learner, X, y, kernel=kernel, order="shuffled", epochs=1500)
    assert_allclose(run.margins_at(run.n_steps), y * best, atol=0.02)
    assert np.abs(best).max() > 0.5
