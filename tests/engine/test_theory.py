"""Margins, norms, the logistic optimum and separability, against scikit-learn, scipy, exact cases
and definitions.
"""

import math

import numpy as np
import pytest
from drawn_runs import SEEDS
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import linprog, minimize
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from textbook import KERNELS, random_data

import kpviz
from kpviz import experiment, kernels
from kpviz.engine.kernels import AllSubsets, Gaussian, Linear, Monomial, Polynomial
from kpviz.engine.kernels.features import features
from kpviz.engine.learners import Perceptron
from kpviz.engine.theory import (
    logistic_optimum,
    margins,
    max_margin,
    max_margin_with_intercept,
    mistake_bound,
    radius,
    rkhs_norm,
)
from kpviz.engine.theory.separability import decide
from kpviz.settings import Settings
from kpviz.settings.kernel_words import kernel_label

XOR, LABELS = kpviz.make_dataset("xor", n_samples=4, noise=0.0)


def margin_of_svc(gram, y):
    """The margin of a hard support vector machine."""
    svc = SVC(kernel="precomputed", C=1e10, tol=1e-8).fit(gram, y)
    coef = svc.dual_coef_[0]
    return 1.0 / math.sqrt(coef @ gram[np.ix_(svc.support_, svc.support_)] @ coef)


def through_the_origin(gram, y):
    """The same for every example and its reflection, so that the intercept is 0."""
    return margin_of_svc(np.block([[gram, -gram], [-gram, gram]]), np.concatenate([y, -y]))


def separable(seed, n=20, gap=0.1, columns=2):
    """Random points on the two sides of a random plane through the origin."""
    rng = np.random.default_rng(seed)
    w = rng.standard_normal(columns)
    w /= np.linalg.norm(w)
    X = rng.standard_normal((n, columns))
    y = np.where(X @ w >= 0, 1.0, -1.0)
    return X + gap * y[:, None] * w, y


# ---- margins and norms


@pytest.mark.parametrize("seed", range(4))
def test_the_best_margin_is_that_of_a_hard_svm(seed):
    for X, y in (separable(seed), separable(seed, gap=0.5, columns=4)):
        assert_allclose(max_margin(X @ X.T, y), through_the_origin(X @ X.T, y), rtol=1e-5)
        for points in (X, X + 5.0):
            for kernel in (Linear(), Gaussian(0.7), Polynomial(2, 1.0)):
                gram = kernel(points, points)
                assert_allclose(
                    max_margin_with_intercept(gram, y), margin_of_svc(gram, y), rtol=1e-4
                )
    X, y = random_data(seed, n=16)
    for kernel in (Gaussian(0.7), Gaussian(0.2), KERNELS["laplacian"]):
        assert_allclose(max_margin(kernel(X, X), y), through_the_origin(kernel(X, X), y), rtol=1e-4)


@settings(max_examples=40, deadline=None)
@given(
    SEEDS, st.integers(2, 25), st.sampled_from([0.02, 0.3, 2.0]), st.sampled_from([1e-6, 1.0, 1e6])
)
def test_an_intercept_never_costs_margin_shifts_do_not_matter_and_margins_grow_with_the_data(
    seed, n, gap, scale
):
    X, y = separable(seed, n, gap)
    assume(len(set(y)) == 2)
    gram = X @ X.T
    margin = max_margin_with_intercept(gram, y)
    assert margin >= max_margin(gram, y) * (1 - 1e-5)
    moved = X + np.array([30.0, -100.0])
    assert_allclose(max_margin_with_intercept(moved @ moved.T, y), margin, rtol=1e-4)
    assert margin <= min(np.linalg.norm(u - v) for u in X[y > 0] for v in X[y < 0]) / 2 * (1 + 1e-9)
    assert_allclose(max_margin(scale**2 * gram, y), scale * max_margin(gram, y), rtol=1e-6)
    assert_allclose(mistake_bound(scale**2 * gram, y), mistake_bound(gram, y), rtol=1e-6)


def test_a_class_of_one_far_from_the_others_has_its_margin_too():
    """Two of 101 decide, and the mean is far from the plane: (0, 0) and (4, 3) are 5 apart."""
    rng = np.random.default_rng(0)
    many = np.array([-4.0, -3.0]) * rng.random((99, 1)) + 2 * np.array([-3.0, 4.0]) * rng.uniform(
        -1, 1, (99, 1)
    )
    X = np.vstack([[0.0, 0.0], many, [4.0, 3.0]])
    for points, scale in ((X, 1.0), (X + 100.0, 1.0), (-1e-3 * X, 1e-3)):
        y = np.array([-1.0] * 100 + [1.0])
        assert_allclose(max_margin_with_intercept(points @ points.T, y), 2.5 * scale, rtol=1e-5)


def test_small_cases_are_exact():
    gram = Polynomial(2, 1.0)(XOR, XOR)
    assert_allclose(
        [max_margin(gram, LABELS), radius(gram), mistake_bound(gram, LABELS)],
        [math.sqrt(2), 3.0, 4.5],
    )
    two = np.array([[3.0, 0.0], [4.0, 0.0]])
    for K, y, margin, bound in (
        (np.array([[4.0]]), [-1], 2.0, 1.0),
        (np.eye(4), [1, -1, 1, -1], 0.5, 4.0),
        (two @ two.T, [1, 1], 3.0, 16 / 9),
    ):
        assert_allclose([max_margin(K, y), mistake_bound(K, y)], [margin, bound])
    line = np.array([[1.0], [2.0], [6.0]])
    assert_allclose(max_margin_with_intercept(line @ line.T, [-1, -1, 1]), 2.0, rtol=1e-5)
    assert_allclose(
        max_margin_with_intercept(1e-9 * line @ line.T, [-1, -1, 1]),
        2e-4 / math.sqrt(10),
        rtol=1e-5,
    )
    assert max_margin_with_intercept(line @ line.T, [1, 1, 1]) == math.inf
    for K, y in (
        (line @ line.T, [-1, 1, -1]),
        (np.ones((2, 2)), [1, -1]),
        (np.zeros((2, 2)), [1, -1]),
    ):
        assert max_margin_with_intercept(K, y) == 0.0
    assert max_margin_with_intercept(XOR @ XOR.T, LABELS) == 0.0


def test_what_no_plane_through_the_origin_separates_has_margin_zero_and_no_bound():
    twins = np.vstack([XOR, XOR])
    X, y = kpviz.make_dataset("shifted", n_samples=60)
    for gram, labels in (
        (XOR @ XOR.T, LABELS),
        (Gaussian(0.5)(twins, twins), np.concatenate([LABELS, -LABELS])),
        (X @ X.T, y),
        (np.zeros((2, 2)), np.array([1.0, -1.0])),
    ):
        assert (max_margin(gram, labels), mistake_bound(gram, labels)) == (0.0, math.inf)
    assert max_margin(X @ X.T + 1.0, y) > 0


def test_five_hundred_examples_are_no_trouble():
    X, y = kpviz.make_dataset("moons", n_samples=500, seed=1, noise=0.2)
    gram = Gaussian(0.05)(X, X)
    assert_allclose(max_margin(gram, y), through_the_origin(gram, y), rtol=1e-3)
    assert 0.0 <= max_margin(Gaussian(1.0)(X, X), y) <= 1.0
    assert (
        np.abs(missed(gram, y, coef := logistic_optimum(gram, y, 0.1)) - 0.1 * coef).max() <= 2e-10
    )


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(1, 5))
def test_the_norm_is_that_of_the_explicit_weights_and_margins_are_those_of_the_run(seed, columns):
    X, y = random_data(seed, 15, columns)
    run = kpviz.train(Perceptron(intercept="unit"), X, y, epochs=3)
    state = run.state_at(run.n_steps)
    assert_allclose(rkhs_norm(X @ X.T, state.coef), np.linalg.norm(X.T @ state.coef), rtol=1e-7)
    assert_allclose(margins(run.gram, y, state.coef, state.intercept), y * run.decision_function(X))


def test_the_norm_is_zero_for_nothing_and_nan_where_there_is_none():
    line = np.array([[1.0], [2.0], [4.0]])
    assert (
        rkhs_norm(line @ line.T, np.zeros(3))
        == rkhs_norm(line @ line.T, np.array([2.0, 1.0, -1.0]))
        == 0.0
    )
    assert math.isnan(rkhs_norm(-np.eye(2), np.ones(2)))


# ---- the optimum of logistic regression


def missed(gram, y, coef):
    """What the probability of each label misses, signed."""
    return (1 + y) / 2 - expit(gram @ coef)


@settings(max_examples=80, deadline=None)
@given(
    SEEDS,
    st.integers(1, 40),
    st.sampled_from([1e-3, 1.0, 1e4]),
    st.booleans(),
    st.sampled_from([Linear(), Polynomial(3, 1.0), AllSubsets(), Gaussian(0.3), Gaussian(3.0)]),
)
def test_every_coefficient_is_what_the_probability_misses(seed, n, strength, alike, kernel):
    X, y = random_data(seed, n)
    y = np.ones(n) if alike else y
    gram = kernel(X, X)
    coef = logistic_optimum(gram, y, strength)
    assert np.abs(strength * coef - (gaps := missed(gram, y, coef))).max() <= 2e-10
    assert (y * coef > 0)[np.abs(gaps) > 1e-9].all()
    assert (np.abs(coef) < 1 / strength).all()


@pytest.mark.parametrize("strength", [0.1, 1.0, 20.0])
def test_it_is_scikit_learns_on_the_features_themselves_and_no_optimiser_finds_less(strength):
    X, y = random_data(4, n=40, columns=4)
    theirs = LogisticRegression(
        C=1 / strength, fit_intercept=False, tol=1e-12, max_iter=10_000
    ).fit(X, y)
    assert_allclose(
        X.T @ logistic_optimum(X @ X.T, y, strength), theirs.coef_[0], rtol=1e-5, atol=1e-7
    )
    X, y = random_data(4, n=15)
    gram = Gaussian(0.5)(X, X)

    def loss(coef):
        return np.logaddexp(0, -y * (gram @ coef)).sum() + strength / 2 * coef @ gram @ coef

    ours = logistic_optimum(gram, y, strength)
    assert (
        loss(ours) <= minimize(loss, np.zeros(15), method="BFGS", options={"gtol": 1e-9}).fun + 1e-9
    )
    assert all(
        loss(ours + 1e-3 * step) > loss(ours) for step in np.vstack([np.eye(15), -np.eye(15)])
    )


def test_twins_count_as_one_of_weight_two_and_huge_scores_do_not_overflow():
    X, y = random_data(7, n=10)
    doubled, labels = np.vstack([X, X]), np.concatenate([y, y])
    twins = logistic_optimum(Gaussian(0.5)(doubled, doubled), labels, 2.0)
    assert_allclose(twins[:10], twins[10:], atol=1e-9)
    assert_allclose(
        twins[:10] + twins[10:], logistic_optimum(Gaussian(0.5)(X, X), y, 1.0), atol=1e-9
    )
    assert_allclose(logistic_optimum(np.ones((2, 2)), [1, -1], 0.5), [1.0, -1.0], atol=1e-9)
    X, y = random_data(3, n=20)
    gram = 1e6 * Linear()(X, X)
    assert np.abs(missed(gram, y, coef := logistic_optimum(gram, y, 1.0)) - coef).max() < 1e-6


# ---- separability

FINITE = [
    Linear(),
    Monomial(2),
    Polynomial(2, 1.0),
    Polynomial(3, 0.5),
    AllSubsets(),
    Linear() + Monomial(2),
]
POINTS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([-1.0, 1.0])),
    min_size=1,
    max_size=12,
).map(
    lambda points: (
        np.array([each[:2] for each in points], dtype=float),
        np.array([each[2] for each in points]),
    )
)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("kernel", FINITE, ids=kernel_label)
@given(POINTS)
@settings(max_examples=25, deadline=None)
def test_it_is_decided_as_by_linear_programming_and_proven(kernel, intercept, points):
    X, y = points
    gram, phi = kernel(X, X), features(kernel, X)
    found = decide(X, y, kernel, gram, intercept=intercept)
    rows = np.column_stack([phi, np.ones(len(y))]) if intercept else phi
    theirs = linprog(
        np.zeros(rows.shape[1]), A_ub=-y[:, None] * rows, b_ub=-np.ones(len(y)), bounds=(None, None)
    )
    assert found.separable is {0: True, 2: False}[theirs.status]
    if found.separable:
        assert (y * (gram @ found.coef + found.intercept) > 0).all()
        assert intercept or found.intercept == 0.0
        return
    weights = found.weights
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1.0)
    assert np.abs((weights * y) @ phi).max() <= 1e-9 * max(np.abs(phi).max(), 1.0)
    assert not intercept or weights[y > 0].sum() == pytest.approx(0.5)


@given(
    SEEDS,
    st.sampled_from(FINITE),
    st.integers(13, 50),
    st.sampled_from([0, 0, 1, 5]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_on_grams_of_low_rank_it_is_decided_as_by_linear_programming(
    seed, kernel, n, flipped, intercept
):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, (n, 2))
    phi = features(kernel, X)
    assert phi.shape[1] < n
    shift = rng.normal() * intercept
    y = np.where(phi @ rng.normal(size=phi.shape[1]) + shift > 0, 1.0, -1.0)
    y[rng.choice(n, flipped, replace=False)] *= -1.0
    rows = np.column_stack([phi, np.ones(n)]) if intercept else phi
    theirs = linprog(
        np.zeros(rows.shape[1]), A_ub=-y[:, None] * rows, b_ub=-np.ones(n), bounds=(None, None)
    )
    expected = {0: True, 2: False}[theirs.status]
    gram = kernel(X, X)
    assert decide(X, y, kernel, gram, intercept=intercept).separable is expected
    if np.linalg.cond(phi) < 1e3:  # else a root of the Gram matrix alone may lose a direction
        assert kpviz.theory.is_separable(gram, y, intercept=intercept) is expected


@pytest.mark.parametrize("name", ["gaussian", "laplacian", "matern32", "matern52"])
@given(POINTS, st.sampled_from([0.1, 1.0, 10.0]), st.data())
@settings(max_examples=60, deadline=None)
def test_a_kernel_that_separates_all_distinct_points_does(name, points, sigma, draw):
    X, y = points
    kernel = experiment.kernel(Settings.of(kernel=name, sigma=sigma))
    kernel = draw.draw(
        st.sampled_from([kernel, Linear() + kernel, kernel * kernel, kernel.normalized()])
    )
    gram = kernel(X, X)
    found = decide(X, y, kernel, gram)
    labelled = {(*row, label) for row, label in zip(X.tolist(), y.tolist(), strict=True)}
    distinct = len(labelled) == len(np.unique(X, axis=0))
    assert (found.separable, found.same_place) == (distinct, not distinct)
    assert found.coef is None or (y * (gram @ found.coef) > 0).all()


@pytest.mark.parametrize(
    "data", ["xor", "circles", "spirals", "shifted", "texts", "trees", "graphs", "bits"]
)
def test_what_a_clean_pass_proves_is_never_denied(data):
    for name in kernels.__all__:
        settings = Settings.of(data=data, kernel=name.lower())
        run = experiment.run(settings)
        if run.end == "clean" and run.kernel.psd == "yes":
            assert decide(run.X, run.y, run.kernel, run.gram).separable, settings


@given(
    st.lists(
        st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([-1.0, 1.0])),
        min_size=2,
        max_size=8,
    ),
    st.integers(6, 13),
    st.integers(0, 7),
    st.sampled_from([-1, 0, 1]),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
@example([(1, 1, 1.0), (1, -1, -1.0)], 11, 0, 0, False)
def test_a_near_miss_is_no_crossing_and_a_narrow_gap_no_separation(
    points, power, moved, direction, intercept
):
    """Points of whole numbers whose second coordinate is tiny, one of them moved: decided as by
    whole numbers.
    """
    tiny = 2.0**-power * 1e-8
    whole = np.array([point[:2] for point in points])
    whole[moved % len(points), 1] += direction
    y = np.array([point[2] for point in points])
    X = whole * np.array([1.0, tiny])
    rows = np.column_stack([whole, np.ones(len(y))]) if intercept else whole
    theirs = linprog(
        np.zeros(rows.shape[1]), A_ub=-y[:, None] * rows, b_ub=-np.ones(len(y)), bounds=(None, None)
    )
    found = decide(X, y, Linear(), Linear()(X, X), intercept=intercept)
    assert found.separable in ({0: True, 2: False}[theirs.status], None)


def test_a_product_with_a_kernel_that_is_0_at_the_origin_separates_nothing_there():
    X = np.array([[0.0, 0.0], [1.0, 0.0]])
    kernel = kernels.Gaussian(1.0) * Linear()
    assert decide(X, np.array([1.0, -1.0]), kernel, kernel(X, X)).separable is not True


def test_what_separates_by_a_hair_is_separated():
    y = np.array([1.0, -1.0])
    for gap in (1e-3, 1e-8, 1e-11, 1e-14):
        X = np.array([[1.0, gap], [1.0, -gap]])
        assert decide(X, y, Linear(), Linear()(X, X)).separable is True, gap
        X = np.array([[1.0, gap], [3.0, 3.0 * gap]])
        assert decide(X, y, Linear(), Linear()(X, X)).separable is False, gap


def test_what_rounding_may_hide_is_left_open_and_without_a_feature_space_nothing_is_decided():
    formula = experiment.kernel(Settings.of(kernel="formula", formula="exp(-dot(u-v,u-v)/200)"))
    X = np.random.default_rng(0).uniform(-1.0, 1.0, (60, 2))
    y = np.where(np.random.default_rng(1).random(60) < 0.5, -1.0, 1.0)
    assert decide(X, y, formula, formula(X, X)).separable is not False
    indefinite = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert decide(np.eye(2), np.array([1.0, -1.0]), None, indefinite).separable is None
    assert decide(X[:0], y[:0], Linear(), indefinite[:0, :0]).separable is True


# ---- names for what the app says, too


@settings(max_examples=40)
@given(SEEDS)
def test_separable_is_what_has_a_margin(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (6, 2)).astype(float)
    y = rng.choice([-1.0, 1.0], 6)
    for kernel in (kpviz.kernels.Linear(), kpviz.kernels.Polynomial(degree=2, coef0=1.0)):
        gram = kernel(X, X)
        through_origin = kpviz.theory.is_separable(gram, y)
        if through_origin is not None:
            assert through_origin == (kpviz.theory.max_margin(gram, y) > 0.0)
        with_intercept = kpviz.theory.is_separable(gram, y, intercept=True)
        if with_intercept is not None:
            assert with_intercept == (kpviz.theory.max_margin_with_intercept(gram, y) > 0.0)
            assert with_intercept or not through_origin


def test_that_a_gram_matrix_is_none_is_said_before_separability():
    with pytest.raises(ValueError, match=r"^gram has the negative eigenvalue"):
        kpviz.theory.is_separable(-np.eye(2), np.array([1.0, -1.0]))
    with pytest.raises(ValueError, match=r"^gram has shape \(2, 3\)"):
        kpviz.theory.is_separable(np.ones((2, 3)), np.array([1.0, -1.0]))


def test_geometric_margins_are_distances_from_the_line():
    X, y = separable(3)
    run = kpviz.train(Perceptron(), X, y)
    w = run.state_at(run.n_steps).coef @ X
    assert_allclose(kpviz.theory.geometric_margins(run), y * (X @ w) / np.linalg.norm(w))
    with pytest.raises(ValueError, match=r"^t=0: f is 0, so it has no geometric margins\.$"):
        kpviz.theory.geometric_margins(run, 0)
    with pytest.raises(ValueError, match="t=-1 is out of range"):
        kpviz.theory.geometric_margins(run, -1)
    indefinite = kpviz.train(
        Perceptron(), -np.eye(2), np.array([1.0, -1.0]), kernel="precomputed", epochs=1
    )
    with pytest.raises(ValueError, match="f has no norm"):
        kpviz.theory.geometric_margins(indefinite, 1)


def test_the_bound_of_a_dnf_is_its_formula():
    assert kpviz.theory.dnf_bound(3, 2) == 8 * 9
    for arguments in ((0, 2), (3, -1), (3.0, 1)):
        with pytest.raises(ValueError, match=r"^n_"):
            kpviz.theory.dnf_bound(*arguments)


@given(SEEDS, st.sampled_from(FINITE), st.integers(13, 30), st.integers(-40, 40))
@settings(max_examples=40, deadline=None)
def test_of_a_gram_without_its_kernel_the_unit_decides_nothing(seed, kernel, n, exponent):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, (n, 2))
    y = rng.choice([-1.0, 1.0], n)
    gram = kernel(X, X)
    found = decide(X, y, None, gram).separable
    assert decide(X, y, None, 2.0**exponent * gram).separable is found
