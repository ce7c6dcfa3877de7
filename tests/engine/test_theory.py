"""Margins, norms and the bound, against scikit-learn's SVC, exact cases and the perceptron itself."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.svm import SVC
from textbook import KERNELS, random_data

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import Perceptron
from kpviz.engine.theory import margins, max_margin, max_margin_with_intercept, mistake_bound, radius, rkhs_norm

XOR, LABELS = kpviz.make_dataset("xor", n_samples=4, noise=0.0)


def margin_of_svc(gram, y):
    """The hard margin through the origin: every example and its reflection, so that the intercept is 0."""
    doubled = np.block([[gram, -gram], [-gram, gram]])
    labels = np.concatenate([y, -y])
    svc = SVC(kernel="precomputed", C=1e10, tol=1e-8).fit(doubled, labels)
    coef = svc.dual_coef_[0]
    return 1.0 / math.sqrt(coef @ doubled[np.ix_(svc.support_, svc.support_)] @ coef)


def separable(seed, n=20, gap=0.1, columns=2):
    """Random points on the two sides of a random plane through the origin."""
    rng = np.random.default_rng(seed)
    w = rng.standard_normal(columns)
    w /= np.linalg.norm(w)
    X = rng.standard_normal((n, columns))
    y = np.where(X @ w >= 0, 1.0, -1.0)
    return X + gap * y[:, None] * w, y


@pytest.mark.parametrize("seed", range(6))
def test_the_best_margin_is_that_of_a_hard_svm_through_the_origin(seed):
    for X, y in (separable(seed), separable(seed, gap=0.5, columns=4)):
        assert_allclose(max_margin(X @ X.T, y), margin_of_svc(X @ X.T, y), rtol=1e-5)
    X, y = random_data(seed, n=16)
    for kernel in (Gaussian(0.7), Gaussian(0.2), KERNELS["laplacian"]):
        gram = kernel(X, X)
        assert_allclose(max_margin(gram, y), margin_of_svc(gram, y), rtol=1e-4)


@pytest.mark.parametrize("seed", range(6))
def test_the_best_margin_with_an_intercept_is_that_of_a_hard_svm(seed):
    X, y = separable(seed)
    for points in (X, X + np.array([3.0, -7.0])):
        for kernel in (Linear(), Gaussian(0.7), Polynomial(2, 1.0)):
            gram = kernel(points, points)
            svc = SVC(kernel="precomputed", C=1e10, tol=1e-8).fit(gram, y)
            coef = svc.dual_coef_[0]
            theirs = 1.0 / math.sqrt(coef @ gram[np.ix_(svc.support_, svc.support_)] @ coef)
            assert_allclose(max_margin_with_intercept(gram, y), theirs, rtol=1e-4)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(2, 25), gap=st.sampled_from([0.02, 0.3, 2.0]))
def test_an_intercept_never_costs_margin_and_does_not_mind_a_shift(seed, n, gap):
    X, y = separable(seed, n, gap)
    assume(len(set(y)) == 2)
    gram = X @ X.T
    margin = max_margin_with_intercept(gram, y)
    assert margin >= max_margin(gram, y) * (1 - 1e-5)
    moved = X + np.array([30.0, -100.0])
    assert_allclose(max_margin_with_intercept(moved @ moved.T, y), margin, rtol=1e-4)
    closest = min(np.linalg.norm(u - v) for u in X[y > 0] for v in X[y < 0])
    assert margin <= closest / 2 * (1 + 1e-9)


def test_a_class_of_one_far_from_the_others_has_its_margin_too():
    """Two of 101 decide, and the mean is far from the plane: (0, 0) and (4, 3) are 5 apart."""
    rng = np.random.default_rng(0)
    many = np.array([-4.0, -3.0]) * rng.random((99, 1)) + 2 * np.array([-3.0, 4.0]) * rng.uniform(-1, 1, (99, 1))
    X = np.vstack([[0.0, 0.0], many, [4.0, 3.0]])
    y = np.array([-1.0] * 100 + [1.0])
    for points in (X, X + 100.0, -1e-3 * X):
        scale = np.linalg.norm(points[0] - points[-1]) / 5
        assert_allclose(max_margin_with_intercept(points @ points.T, y), 2.5 * scale, rtol=1e-5)


def test_small_cases_with_an_intercept_are_exact():
    line = np.array([[1.0], [2.0], [6.0]])
    assert_allclose(max_margin_with_intercept(line @ line.T, [-1, -1, 1]), 2.0, rtol=1e-5)
    assert_allclose(max_margin_with_intercept(1e-9 * line @ line.T, [-1, -1, 1]), 2e-4 / math.sqrt(10), rtol=1e-5)
    assert max_margin_with_intercept(line @ line.T, [-1, 1, -1]) == 0.0
    assert max_margin_with_intercept(line @ line.T, [1, 1, 1]) == math.inf
    assert max_margin_with_intercept(np.ones((2, 2)), [1, -1]) == 0.0
    assert max_margin_with_intercept(XOR @ XOR.T, LABELS) == 0.0
    assert max_margin_with_intercept(np.zeros((2, 2)), [1, -1]) == 0.0


def test_xor_has_margin_root_two_and_bound_four_and_a_half():
    gram = Polynomial(2, 1.0)(XOR, XOR)
    assert_allclose([max_margin(gram, LABELS), radius(gram), mistake_bound(gram, LABELS)], [math.sqrt(2), 3.0, 4.5])


def test_small_cases_are_exact():
    assert_allclose(max_margin(np.array([[4.0]]), [1]), 2.0)
    assert_allclose(max_margin(np.array([[4.0]]), [-1]), 2.0)
    assert_allclose(mistake_bound(np.array([[4.0]]), [-1]), 1.0)
    assert_allclose(max_margin(np.eye(4), [1, -1, 1, -1]), 0.5)
    assert_allclose(mistake_bound(np.eye(4), [1, -1, 1, -1]), 4.0)
    two = np.array([[3.0, 0.0], [4.0, 0.0]])
    assert_allclose(max_margin(two @ two.T, [1, 1]), 3.0)
    assert_allclose(mistake_bound(two @ two.T, [1, 1]), 16 / 9)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_margins_grow_with_the_data_and_the_bound_does_not(scale):
    X, y = separable(3)
    assert_allclose(max_margin(scale**2 * X @ X.T, y), scale * max_margin(X @ X.T, y), rtol=1e-6)
    assert_allclose(mistake_bound(scale**2 * X @ X.T, y), mistake_bound(X @ X.T, y), rtol=1e-6)


def test_what_no_plane_through_the_origin_separates_has_margin_zero_and_no_bound():
    twins = np.vstack([XOR, XOR])
    X, y = kpviz.make_dataset("shifted", n_samples=60)
    cases = [
        (XOR @ XOR.T, LABELS),
        (Gaussian(0.5)(twins, twins), np.concatenate([LABELS, -LABELS])),
        (X @ X.T, y),
        (np.zeros((2, 2)), np.array([1.0, -1.0])),
        (np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([1.0, -1.0])),
    ]
    for gram, labels in cases:
        assert max_margin(gram, labels) == 0.0
        assert mistake_bound(gram, labels) == math.inf


def test_a_constant_feature_separates_what_is_shifted():
    X, y = kpviz.make_dataset("shifted", n_samples=60)
    assert max_margin(X @ X.T + 1.0, y) > 0


@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0])
def test_five_hundred_examples_under_a_gaussian_are_no_trouble(sigma):
    X, y = kpviz.make_dataset("moons", n_samples=500, seed=1, noise=0.2)
    gram = Gaussian(sigma)(X, X)
    margin = max_margin(gram, y)
    assert 0.0 <= margin <= 1.0
    if sigma == 0.05:
        assert_allclose(margin, margin_of_svc(gram, y), rtol=1e-3)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), columns=st.integers(1, 5))
def test_the_norm_is_that_of_the_explicit_weights(seed, columns):
    X, coef = random_data(seed, 15, columns)[0], random_data(seed + 1, 15, 1)[0][:, 0]
    assert_allclose(rkhs_norm(X @ X.T, coef), np.linalg.norm(X.T @ coef), rtol=1e-7)


def test_the_norm_is_zero_for_nothing_and_nan_where_there_is_none():
    gram = Gaussian(0.5)(XOR, XOR)
    assert rkhs_norm(gram, np.zeros(4)) == 0.0
    line = np.array([[1.0], [2.0], [4.0]])
    assert rkhs_norm(line @ line.T, np.array([2.0, 1.0, -1.0])) == 0.0
    assert math.isnan(rkhs_norm(-np.eye(2), np.ones(2)))


def test_margins_are_those_of_the_run():
    X, y = random_data(2)
    run = kpviz.train(Perceptron(intercept="unit"), X, y, kernel=Gaussian(0.5), epochs=3)
    state = run.state_at(30)
    ours = margins(run.gram, y, state.coef, state.intercept)
    assert_allclose(ours, run.margins_at(30))
    assert_allclose(ours, y * run.decision_function(X, t=30))
    assert radius(run.gram) == 1.0
