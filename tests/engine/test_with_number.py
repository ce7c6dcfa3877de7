"""Kernels times, plus and to the power of numbers: kernels that know the kernel within."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import kpviz
from kpviz.engine.kernels import (
    Formula,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Polynomial,
    Power,
    Scaled,
    Shifted,
    WordSets,
)
from kpviz.engine.kernels.formula import formula_of

LEAVES = st.sampled_from(
    [Linear(), Gaussian(0.5), Laplacian(0.7), Polynomial(2, 1.0), Formula("dot(u, v)**2")]
)
NUMBERS = st.sampled_from([0.5, 1, 2, 0.1, np.float64(3.0)])
COMBINED = st.recursive(
    LEAVES,
    lambda parts: st.one_of(
        st.builds(Scaled, parts, NUMBERS),
        st.builds(Shifted, parts, NUMBERS),
        st.builds(Power, parts, st.sampled_from([1, 2, 3])),
    ),
    max_leaves=3,
)
X = np.random.default_rng(0).uniform(-1, 1, (6, 2))


def by_hand(kernel, U, V):
    match kernel:
        case Scaled():
            return float(kernel.factor) * by_hand(kernel.kernel, U, V)
        case Shifted():
            return by_hand(kernel.kernel, U, V) + float(kernel.summand)
        case Power():
            return by_hand(kernel.kernel, U, V) ** kernel.power
    return kernel(U, V)


@given(COMBINED)
def test_its_values_are_those_of_the_kernel_within_and_its_formula_is_the_same_kernel(kernel):
    assert_allclose(kernel(X, X), by_hand(kernel, X, X), rtol=1e-12)
    assert_allclose(kernel.diag(X), np.diag(kernel(X, X)), rtol=1e-12)
    same = Formula(formula_of(kernel, named=True))
    assert_allclose(same(X, X), kernel(X, X), rtol=1e-12)
    assert same.psd == kernel.psd == "yes"
    for other in (
        pickle.loads(pickle.dumps(kernel)),
        copy.deepcopy(kernel),
        kernel.with_params(),
        clone(kernel),
    ):
        assert (other, hash(other), repr(other)) == (kernel, hash(kernel), repr(kernel))


@given(COMBINED)
def test_each_parameter_is_named_and_can_be_set(kernel):
    for name, value in kernel.get_params().items():
        assert kernel.with_params(**{name: value}) == kernel
        if name.endswith("sigma"):
            changed = kernel.with_params(**{name: 0.9})
            assert changed.get_params()[name] == 0.9
            assert not np.allclose(changed(X, X), kernel(X, X))


@pytest.mark.parametrize(
    ("kernel", "names"),
    [
        (2 * Gaussian(0.5), {"kernel__sigma", "factor"}),
        (Gaussian(0.5) + 1, {"kernel__sigma", "summand"}),
        (Gaussian(0.5) ** 2, {"kernel__sigma", "power"}),
        (2 * Gaussian(0.5) + Linear(), {"first__kernel__sigma", "first__factor"}),
        ((2 * Gaussian(0.5) + Linear()).normalized(), {"kernel__first__kernel__sigma"}),
        (3 * (2 * Gaussian(0.5) + 1), {"kernel__kernel__kernel__sigma"}),
        (Gaussian(0.5) * Laplacian(1.0), {"first__sigma", "second__sigma"}),
    ],
    ids=lambda value: "-".join(sorted(value)) if isinstance(value, set) else repr(value),
)
def test_a_width_can_be_searched_wherever_it_is_within_a_kernel(kernel, names):
    assert names <= set(kernel.get_params())
    grid = {f"kernel__{name}": [0.3, 0.6] for name in names if name.endswith("sigma")}
    y = np.sign(X[:, 0] * X[:, 1])
    search = GridSearchCV(kpviz.KernelPerceptron(kernel, max_iter=20), grid, cv=2).fit(
        np.tile(X, (3, 1)), np.tile(y, 3)
    )
    for name, value in search.best_params_.items():
        assert search.best_estimator_.get_params()[name] == value


@pytest.mark.parametrize(
    "kernel",
    [
        2 * Gaussian(0.5),
        Gaussian(0.5) + 1,
        Gaussian(0.5) ** 3,
        2 * Gaussian(0.5) + Linear(),
        2 * Linear() + 1,
    ],
)
def test_a_run_with_it_has_a_link_that_makes_the_same_run(kernel):
    examples, y = kpviz.make_dataset("xor", n_samples=30)
    run = kpviz.train(kpviz.learners.Perceptron(), examples, y, kernel=kernel, epochs=5)
    again = kpviz.load(run.link)
    assert np.array_equal(again.score, run.score)


def test_what_has_no_formula_has_multiples_sums_and_powers_too():
    class Own(Kernel):
        def evaluate(self, U, V):
            return U @ V.T

    gram = X @ X.T
    assert_allclose((3 * Own() ** 2 + 1)(X, X), 3 * gram**2 + 1)
    texts = ["what a goal", "a goal, a goal", "boil the rice"]
    assert_allclose((WordSets() ** 2)(texts, texts), WordSets()(texts, texts) ** 2)
    assert (2 * WordSets()).compares == "texts"
    assert (2 * Own()).psd == (Own() ** 2).psd == "unknown"
    assert (2 * WordSets()).psd == "yes"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (
            lambda: -1 * Gaussian(0.5),
            "factor=-1 is out of range: factor must be between 0 and 1e\\+12",
        ),
        (lambda: Gaussian(0.5) + -1, "summand=-1 is out of range"),
        (lambda: Gaussian(0.5) ** 0, "power=0 is out of range: power must be between 1 and 100"),
        (lambda: Scaled(Gaussian(0.5), "2"), "factor='2' is not a number"),
        (lambda: Scaled(2, 2), "kernel=2 is not a kernel"),
        (lambda: (2 * Gaussian(0.5)).with_params(kernel__sigma=0), "sigma=0 is out of range"),
    ],
)
def test_what_would_not_be_a_kernel_is_refused_in_a_sentence(make, why):
    with pytest.raises(ValueError, match=why):
        make()
