"""Separable or not: decided as by linear programming, and each decision brings a proof that holds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from kpviz import experiment, kernels
from kpviz.engine.kernels.features import features
from kpviz.engine.theory.separability import decide
from kpviz.settings import Settings

FINITE = [
    kernels.Linear(),
    kernels.Monomial(degree=2),
    kernels.Polynomial(degree=2, coef0=1.0),
    kernels.Polynomial(degree=3, coef0=0.5),
    kernels.AllSubsets(),
    kernels.Linear() + kernels.Monomial(degree=2),
]
POINTS = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([-1.0, 1.0])), min_size=1, max_size=12
)


def by_programming(phi, y, *, intercept):
    """Whether w (and b) exist with y (phi w + b) >= 1: another method, of another library."""
    rows = np.column_stack([phi, np.ones(len(y))]) if intercept else phi
    found = linprog(np.zeros(rows.shape[1]), A_ub=-y[:, None] * rows, b_ub=-np.ones(len(y)), bounds=(None, None))
    assert found.status in (0, 2)
    return found.status == 0


def check(found, phi, y, gram, *, intercept):
    """The proof of a decision, by its definition."""
    if found.separable:
        assert (y * (gram @ found.coef + found.intercept) > 0).all()
        assert intercept or found.intercept == 0.0
    else:
        weights = found.weights
        assert (weights >= 0).all()
        assert weights.sum() == pytest.approx(1.0)
        assert np.abs((weights * y) @ phi).max() <= 1e-9 * max(np.abs(phi).max(), 1.0)
        if intercept:
            assert weights[y > 0].sum() == pytest.approx(0.5)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("kernel", FINITE, ids=lambda kernel: kernel.label)
@given(points=POINTS)
@settings(max_examples=60, deadline=None)
def test_it_is_decided_as_by_linear_programming_and_proven(kernel, intercept, points):
    X, y = np.array([point[:2] for point in points], dtype=float), np.array([point[2] for point in points])
    gram, phi = kernel(X, X), features(kernel, X)
    found = decide(X, y, kernel, gram, intercept=intercept)
    assert found.separable is by_programming(phi, y, intercept=intercept)
    check(found, phi, y, gram, intercept=intercept)


@pytest.mark.parametrize("name", ["gaussian", "laplacian", "matern32", "matern52"])
@given(points=POINTS, sigma=st.sampled_from([0.1, 1.0, 10.0]))
@settings(max_examples=40, deadline=None)
def test_a_kernel_that_separates_all_distinct_points_does(name, points, sigma):
    X, y = np.array([point[:2] for point in points], dtype=float), np.array([point[2] for point in points])
    kernel = experiment.kernel(Settings.of(kernel=name, sigma=sigma))
    gram = kernel(X, X)
    found = decide(X, y, kernel, gram)
    distinct = len({(*point[:2],) for point in points}) == len(set(points))
    assert found.separable is distinct
    if found.coef is not None:
        assert (y * (gram @ found.coef) > 0).all()
    assert found.same_place is not distinct


@pytest.mark.parametrize("data", ["xor", "circles", "spirals", "shifted", "texts", "trees", "graphs", "bits"])
def test_what_a_clean_pass_proves_is_never_denied(data):
    for name in kernels.__all__:
        given = Settings.of(data=data, kernel=name.lower())
        run = experiment.run(given)
        if run.end == "clean" and run.kernel.psd == "yes":
            assert decide(run.X, run.y, run.kernel, run.gram).separable, given


def test_what_rounding_may_hide_is_left_open():
    """A Gaussian written as a formula is not known to separate everything, and most of its eigenvalues are tiny."""
    formula = experiment.kernel(Settings.of(kernel="formula", formula="exp(-dot(u-v,u-v)/200)"))
    X = np.random.default_rng(0).uniform(-1.0, 1.0, (60, 2))
    y = np.where(np.random.default_rng(1).random(60) < 0.5, -1.0, 1.0)
    assert decide(X, y, formula, formula(X, X)).separable is not False


def test_without_a_feature_space_nothing_is_decided():
    gram = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert decide(np.eye(2), np.array([1.0, -1.0]), None, gram).separable is None


def test_one_class_alone_is_separable_by_an_intercept():
    X, y = np.array([[-1.0], [1.0]]), np.array([1.0, 1.0])
    gram = kernels.Linear()(X, X)
    assert decide(X, y, kernels.Linear(), gram).separable is False
    assert decide(X, y, kernels.Linear(), gram, intercept=True).separable is True
    assert decide(X[:0], y[:0], kernels.Linear(), gram[:0, :0]).separable is True
