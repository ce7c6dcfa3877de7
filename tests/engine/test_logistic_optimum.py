"""The optimum of kernel logistic regression, against its equation, scikit-learn and a general optimiser."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from textbook import random_data

import kpviz
from kpviz.engine.kernels import AllSubsets, Gaussian, Linear, Polynomial
from kpviz.engine.theory import logistic_optimum


def sigmoid(z):
    return np.array(
        [1 / (1 + math.exp(-value)) if value > 0 else math.exp(value) / (1 + math.exp(value)) for value in z]
    )


def loss(gram, y, strength, coef):
    """The penalised loss, summed example by example."""
    f = gram @ coef
    return sum(math.log1p(math.exp(-label * score)) for label, score in zip(y, f, strict=True)) + (
        strength / 2 * coef @ gram @ coef
    )


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 40),
    strength=st.sampled_from([1e-3, 0.03, 1.0, 10.0, 1e4]),
    kernel=st.sampled_from([Linear(), Polynomial(3, 1.0), AllSubsets(), Gaussian(0.3), Gaussian(3.0)]),
)
def test_every_coefficient_is_what_the_probability_misses(seed, n, strength, kernel):
    X, y = random_data(seed, n)
    gram = kernel(X, X)
    coef = logistic_optimum(gram, y, strength)
    missed = (1 + y) / 2 - sigmoid(gram @ coef)
    assert np.abs(strength * coef - missed).max() <= 2e-10
    assert coef.shape == (n,)
    assert (y * coef > 0)[np.abs(missed) > 1e-9].all()
    assert (np.abs(coef) < 1 / strength).all()


@pytest.mark.parametrize("strength", [0.1, 1.0, 20.0])
@pytest.mark.parametrize("seed", range(3))
def test_it_is_scikit_learns_on_the_features_themselves(strength, seed):
    X, y = random_data(seed, n=60, columns=4)
    theirs = LogisticRegression(C=1 / strength, fit_intercept=False, tol=1e-12, max_iter=10_000).fit(X, y)
    weights = X.T @ logistic_optimum(X @ X.T, y, strength)
    assert_allclose(weights, theirs.coef_[0], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("kernel", [Gaussian(0.5), Polynomial(2, 1.0)], ids=["gaussian", "polynomial"])
def test_no_general_optimiser_finds_less(kernel):
    X, y = random_data(4, n=15)
    gram = kernel(X, X)
    ours = logistic_optimum(gram, y, 0.3)
    found = minimize(lambda coef: loss(gram, y, 0.3, coef), np.zeros(15), method="BFGS", options={"gtol": 1e-9})
    assert loss(gram, y, 0.3, ours) <= found.fun + 1e-9
    assert_allclose(gram @ ours, gram @ found.x, atol=1e-3)
    for step in np.vstack([np.eye(15), -np.eye(15)]):
        assert loss(gram, y, 0.3, ours + 1e-3 * step) > loss(gram, y, 0.3, ours)


def test_twins_share_a_coefficient_and_count_as_one_of_weight_two():
    X, y = random_data(7, n=10)
    doubled, labels = np.vstack([X, X]), np.concatenate([y, y])
    twins = logistic_optimum(Gaussian(0.5)(doubled, doubled), labels, 2.0)
    single = logistic_optimum(Gaussian(0.5)(X, X), y, 1.0)
    assert_allclose(twins[:10], twins[10:], atol=1e-9)
    assert_allclose(twins[:10] + twins[10:], single, atol=1e-9)


def test_alike_examples_of_both_classes_leave_nothing_but_half():
    coef = logistic_optimum(np.ones((2, 2)), [1, -1], 0.5)
    assert_allclose(coef, [1.0, -1.0], atol=1e-9)


def test_strong_regularization_is_the_first_gradient_and_weak_one_separates():
    X, y = kpviz.make_dataset("xor", n_samples=40, noise=0.05)
    gram = Gaussian(0.5)(X, X)
    assert_allclose(1e8 * logistic_optimum(gram, y, 1e8), y / 2, atol=1e-5)
    norms = [coef @ gram @ coef for coef in (logistic_optimum(gram, y, s) for s in (10.0, 1.0, 0.1, 0.01))]
    assert norms == sorted(norms)
    assert (y * (gram @ logistic_optimum(gram, y, 0.01)) > 0).all()


def test_all_labels_alike_have_an_optimum_too():
    X, _ = random_data(1, n=8)
    gram = Gaussian(0.5)(X, X)
    assert_allclose(logistic_optimum(gram, np.ones(8), 0.5), -logistic_optimum(gram, -np.ones(8), 0.5), atol=1e-10)


def test_huge_scores_do_not_overflow():
    X, y = random_data(3, n=20)
    gram = 1e6 * Linear()(X, X)
    coef = logistic_optimum(gram, y, 1.0)
    assert np.abs(coef - ((1 + y) / 2 - sigmoid(gram @ coef))).max() < 1e-6


def test_five_hundred_examples_are_no_trouble():
    X, y = kpviz.make_dataset("moons", n_samples=500, noise=0.3)
    gram = Gaussian(0.3)(X, X)
    coef = logistic_optimum(gram, y, 0.1)
    assert np.abs(0.1 * coef - ((1 + y) / 2 - sigmoid(gram @ coef))).max() <= 2e-10
