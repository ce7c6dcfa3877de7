"""Kernels against scikit-learn, double loops and the properties they claim."""

from itertools import combinations
from math import exp, prod, sqrt, tanh
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics import pairwise
from textbook import KERNELS as SAMPLES
from textbook import random_data

import kpviz
from kpviz.engine.kernels import (
    KERNELS,
    AllSubsets,
    Density,
    Formula,
    Function,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Mixture,
    Monomial,
    Polynomial,
    Sigmoid,
    WordSets,
    as_kernel,
)
from kpviz.engine.kernels.formula import formula_of

# kernel, the formula for one pair, scikit-learn's matrix
FORMULAS = {
    "linear": (Linear(), lambda u, v: sum(u * v), pairwise.linear_kernel),
    "polynomial": (
        Polynomial(3, 0.5),
        lambda u, v: (sum(u * v) + 0.5) ** 3,
        lambda X, Z: pairwise.polynomial_kernel(X, Z, degree=3, gamma=1.0, coef0=0.5),
    ),
    "monomial": (
        Monomial(4),
        lambda u, v: sum(u * v) ** 4,
        lambda X, Z: pairwise.polynomial_kernel(X, Z, degree=4, gamma=1.0, coef0=0.0),
    ),
    "gaussian": (
        Gaussian(0.6),
        lambda u, v: exp(-sum((u - v) ** 2) / (2 * 0.6**2)),
        lambda X, Z: pairwise.rbf_kernel(X, Z, gamma=1 / (2 * 0.6**2)),
    ),
    "laplacian": (
        Laplacian(0.6),
        lambda u, v: exp(-sum(abs(u - v)) / 0.6),
        lambda X, Z: pairwise.laplacian_kernel(X, Z, gamma=1 / 0.6),
    ),
    "sigmoid": (
        Sigmoid(0.7, -0.3),
        lambda u, v: tanh(0.7 * sum(u * v) - 0.3),
        lambda X, Z: pairwise.sigmoid_kernel(X, Z, gamma=0.7, coef0=-0.3),
    ),
    "matern32": (
        Matern32(0.8),
        lambda u, v: (1 + sqrt(3 * sum((u - v) ** 2)) / 0.8) * exp(-sqrt(3 * sum((u - v) ** 2)) / 0.8),
        Matern(length_scale=0.8, nu=1.5),
    ),
    "matern52": (
        Matern52(0.8),
        lambda u, v: (
            (1 + sqrt(5 * sum((u - v) ** 2)) / 0.8 + 5 * sum((u - v) ** 2) / (3 * 0.8**2))
            * exp(-sqrt(5 * sum((u - v) ** 2)) / 0.8)
        ),
        Matern(length_scale=0.8, nu=2.5),
    ),
    "formula": (
        Formula("exp(-norm(u - v)**2/(2*0.6**2)) + 0.1*dot(u, v)"),
        lambda u, v: exp(-sum((u - v) ** 2) / (2 * 0.6**2)) + 0.1 * sum(u * v),
        lambda X, Z: pairwise.rbf_kernel(X, Z, gamma=1 / (2 * 0.6**2)) + 0.1 * pairwise.linear_kernel(X, Z),
    ),
    "subsets": (
        AllSubsets(),
        lambda u, v: sum(
            prod(u[i] * v[i] for i in chosen)
            for size in range(len(u) + 1)
            for chosen in combinations(range(len(u)), size)
        ),
        lambda X, Z: np.prod(1 + X[:, None] * Z[None], axis=2),
    ),
}
# kernels that learn from the training examples: the kernel, and the formula for one pair once it is fitted
FITTED = {
    "density": (Density(2), lambda p, weights, u, v: (weights @ p(u)) * (weights @ p(v))),
    "mixture": (Mixture(3), lambda p, weights, u, v: sum(weights * p(u) * p(v))),
}
# kernels of what is no vector: the file that tests each
ELSEWHERE = {
    "words": "test_texts.py",
    "spectrum": "test_texts.py",
    "subtrees": "test_trees.py",
    "graph": "test_graphs.py",
}


def test_every_registered_kernel_is_tested_here_or_in_a_file_of_its_own():
    here = {**FORMULAS, **FITTED}
    entry = "a kernel of vectors needs an entry in FORMULAS or FITTED, any other in ELSEWHERE"
    assert sorted([*here, *ELSEWHERE]) == sorted(KERNELS), entry
    assert all(type(here[name][0]) is KERNELS[name] for name in here)
    for name, file in ELSEWHERE.items():
        assert KERNELS[name].compares != "vectors"
        assert f"{KERNELS[name].__name__}(" in Path(__file__).with_name(file).read_text()


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("name", FITTED)
def test_a_fitted_kernel_is_its_formula_pair_by_pair(name, columns):
    kernel, formula = FITTED[name]
    X, Z = random_data(1, 12, columns)[0], random_data(2, 5, columns)[0]
    kernel = kernel.fitted(X)
    components = [multivariate_normal(*each) for each in zip(kernel.means, kernel.covariances, strict=True)]
    weights = np.array(kernel.weights)

    def p(x):
        return np.array([component.pdf(x) for component in components])

    expected = [[formula(p, weights, u, v) for v in Z] for u in X]
    assert_allclose(kernel(X, Z), expected, rtol=1e-9, atol=1e-12)
    assert_allclose(kernel.diag(X), np.diagonal(kernel(X, X)), rtol=1e-12)
    assert np.linalg.matrix_rank(kernel(X, X)) <= len(components)


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("name", FORMULAS)
def test_a_kernel_is_its_formula_pair_by_pair_and_scikit_learns(name, columns):
    kernel, formula, theirs = FORMULAS[name]
    X, Z = random_data(1, 7, columns)[0], random_data(2, 5, columns)[0]
    values = kernel(X, Z)
    assert values.shape == (7, 5)
    assert values.dtype == np.float64
    assert_allclose(values, [[formula(u, v) for v in Z] for u in X], rtol=1e-9, atol=1e-12)
    assert_allclose(values, theirs(X, Z), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kernel", SAMPLES.values(), ids=SAMPLES.keys())
def test_a_gram_is_exactly_symmetric_and_diag_is_its_diagonal(kernel):
    X = random_data(3, 30)[0]
    gram = kernel(X, X)
    assert_array_equal(gram, gram.T)
    assert_allclose(kernel.diag(X), np.diagonal(gram), rtol=1e-12)


@pytest.mark.parametrize("kernel", [Gaussian(0.3), Laplacian(0.3)])
def test_a_point_is_exactly_as_similar_as_can_be_to_itself(kernel):
    X = 1e3 + random_data(3, 30)[0]
    assert_array_equal(np.diagonal(kernel(X, X)), 1.0)
    assert_array_equal(kernel.diag(X), 1.0)
    assert kernel(X, X).max() == 1.0


def test_sums_and_products_add_and_multiply_and_nest():
    X, Z = random_data(4, 6)[0], random_data(5, 8)[0]
    a, b, c = Gaussian(0.5), Polynomial(2, 1.0), AllSubsets()
    assert_allclose((a + b)(X, Z), a(X, Z) + b(X, Z))
    assert_allclose((a * b)(X, Z), a(X, Z) * b(X, Z))
    assert_allclose((a + b * c)(X, Z), a(X, Z) + b(X, Z) * c(X, Z))
    assert_allclose(((a + b) * c).diag(X), (a.diag(X) + b.diag(X)) * c.diag(X))
    assert (a + b, a * b) == (Gaussian(0.5) + Polynomial(2, 1.0), Gaussian(0.5) * Polynomial(2, 1.0))
    for other in (True, "linear", None):
        with pytest.raises(TypeError):
            a + other
        with pytest.raises(TypeError):
            a * other
        with pytest.raises(TypeError):
            a**other


class Cauchy(Kernel):
    def evaluate(self, X, Z):
        return 1 / (1 + ((X[:, None] - Z) ** 2).sum(axis=2))


@pytest.mark.parametrize("kernel", [Gaussian(0.5), Gaussian(0.5) + Linear(), Cauchy(), Formula("dot(u, v)")], ids=repr)
def test_numbers_multiply_are_added_and_raise_to_a_power(kernel):
    X, Z = random_data(4, 6)[0], random_data(5, 8)[0]
    k = kernel(X, Z)
    for made, expected in (
        (2 * kernel, 2 * k),
        (kernel * np.float64(0.5), k / 2),
        (np.int64(2) * kernel, 2 * k),
        (kernel + 1, k + 1),
        (1 + kernel, 1 + k),
        (kernel**2, k * k),
        (kernel**1, k),
        (3 * kernel**2 + 1, 3 * k * k + 1),
    ):
        assert_allclose(made(X, Z), expected)
        assert_allclose(made.diag(X), made(X, X).diagonal())
        assert made.psd == kernel.psd
    for refused, name in (
        (lambda: -1 * kernel, "factor"),
        (lambda: kernel + -1, "summand"),
        (lambda: kernel**0, "power"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}=[^\n]+\.$"):
            refused()


def test_a_kernel_in_two_lines_has_a_name_and_says_what_it_lacks():
    assert (Cauchy().name, Cauchy().label, repr(Cauchy())) == ("Cauchy", "Cauchy", "Cauchy()")
    assert Cauchy().latex == r"\text{Cauchy}(u, v)"

    class Wider(Cauchy):
        pass

    assert (Wider().name, Wider().latex) == ("Wider", r"\text{Wider}(u, v)")

    class Empty(Kernel):
        pass

    with pytest.raises(NotImplementedError, match=r"^Empty lacks evaluate\(X, Z\), .*\.$"):
        Empty()(np.ones((1, 1)), np.ones((1, 1)))


def test_words_take_numbers_too():
    words = WordSets()
    K = words(["a b", "b"], ["b c"])
    assert_allclose((2 * words**2 + 1)(["a b", "b"], ["b c"]), 2 * K * K + 1)


@pytest.mark.parametrize("kernel", SAMPLES.values(), ids=SAMPLES.keys())
def test_a_normalized_kernel_is_the_cosine_of_its_features(kernel):
    X, Z = random_data(1)[0], random_data(2, n=7)[0]
    if kernel.psd == "yes":
        cosine = kernel.normalized()
        sizes = np.sqrt(np.outer(kernel.diag(X), kernel.diag(Z)))
        assert_allclose(cosine(X, Z), kernel(X, Z) / sizes, rtol=1e-10, atol=1e-14)
        assert_allclose(cosine.diag(X), np.ones(len(X)), rtol=1e-12)
        assert_allclose(np.diag(cosine(X, X)), np.ones(len(X)), rtol=1e-12)
    small = 1e-4 * X  # of which only that of the origin is no direction
    assert_array_equal(Linear().normalized().diag(np.vstack([small, [[0.0, 0.0]]])), [*np.ones(len(X)), 0.0])


@pytest.mark.parametrize("kind", [Matern32, Matern52])
def test_a_matern_kernel_is_proven_by_name_sent_as_a_table_and_0_very_far_away(kind):
    X, _ = random_data(3, n=40)
    formula = Formula(formula_of(kind(0.4), named=True))
    assert (formula.psd, formula.derivation.rule) == ("yes", "Matérn")
    assert_allclose(formula(X, X), kind(0.4)(X, X), rtol=1e-14)
    assert_allclose(Formula(formula_of(kind(0.4)))(X, X), kind(0.4)(X, X), rtol=1e-12)
    far = np.array([[1e152, 1e152], [-1e300, 1e300], [0.76, 0.0]])
    assert kind(1e-3)(np.zeros((1, 2)), far).tolist() == [[0.0, 0.0, 0.0]]
    assert kind(1e-3)(np.zeros((1, 2)), np.array([[0.1, 0.0]])) > 0.0
    assert kind(0.5).multiplications(7) == kind(0.5).multiplications(2) + 5
    X, y = kpviz.make_dataset("spirals", n_samples=60, seed=0)
    assert kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kind(0.2)).end == "clean"


# -- positive semidefinite, or not ------------------------------------------------------------------------------------


def smallest(gram):
    values = np.linalg.eigvalsh(gram)
    return values[0] / np.abs(values).max()


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 25),
    kernel=st.sampled_from(
        [
            Linear(),
            Polynomial(3, 0.0),
            Polynomial(5, 2.0),
            Monomial(3),
            Gaussian(0.3),
            Gaussian(3.0),
            Laplacian(0.5),
            AllSubsets(),
            Gaussian(0.3) + Monomial(2),
            Laplacian(0.4) * Polynomial(2, 1.0),
        ]
    ),
)
def test_a_kernel_that_says_yes_has_no_negative_eigenvalue(seed, n, kernel):
    assert kernel.psd == "yes"
    X = random_data(seed, n)[0]
    assert smallest(kernel(X, X)) > -1e-10


def test_the_flag_says_what_is_proven():
    assert Sigmoid().psd == "no"
    assert Function(lambda U, V: U @ V.T).psd == "unknown"
    assert (Sigmoid() + Gaussian()).psd == (Gaussian() * Sigmoid()).psd == "unknown"
    assert (Gaussian() + Linear() * Laplacian()).psd == "yes"


# -- what a kernel says of itself -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_the_default_of_each_parameter_is_the_default_of_its_control(name):
    kernel = KERNELS[name]()
    for parameter, offered in kernel.ranges.items():
        assert getattr(kernel, parameter) == offered.default
        assert offered.low <= offered.default <= offered.high
        for value in (offered.low, offered.high):
            KERNELS[name](**{parameter: int(value) if offered.integer else value})
    assert kernel.parameters == {parameter: getattr(kernel, parameter) for parameter in kernel.ranges}
    assert kernel.name
    assert kernel.latex


def falls_all_around(kernel):
    """Whether k(x, ·) falls towards 0 in every direction from x, wherever x is."""
    angles, far = np.linspace(0.0, 2 * np.pi, 16, endpoint=False), np.linspace(0.0, 3.0, 31)
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    places = random_data(4, 6)[0]
    along = np.array([[kernel(x[None], x + far[:, None] * way)[0] for way in ways] for x in places])
    return bool((np.diff(along) < 0).all() and (along >= 0).all())


@pytest.mark.parametrize("name", [*FORMULAS, *FITTED])
def test_a_kernel_is_called_a_hill_if_it_falls_all_around_the_example(name):
    kernel = KERNELS[name]().fitted(random_data(3, 30)[0])
    if name == "formula":  # what it is depends on the formula
        assert not kernel.hill
    else:
        assert kernel.hill == falls_all_around(kernel), "hill, on the class of the kernel"


def test_labels_name_the_kernel_and_its_values():
    assert Gaussian(0.5).label == "Gaussian, σ = 0.5"
    assert Sigmoid(1.0, -1.0).label == "Sigmoid, γ = 1, c = −1"
    assert Linear().label == "Linear"
    assert (Linear() + Polynomial(3, 0.0)).label == "Linear + Polynomial, q = 3, c = 0"
    assert (Linear() * Gaussian(2.0)).label == "(Linear) × (Gaussian, σ = 2)"


def test_kernels_are_values():
    assert Gaussian(0.5) == Gaussian(0.5) != Gaussian(0.6)
    assert len({Gaussian(0.5), Gaussian(0.5), Laplacian(0.5), Sigmoid()}) == 3
    with pytest.raises(AttributeError):
        Gaussian(0.5).sigma = 1.0


def test_a_function_becomes_a_kernel_and_a_kernel_stays_itself():
    kernel = Gaussian(0.4)
    assert as_kernel(kernel) is kernel
    X = random_data(1, 5)[0]
    function = as_kernel(pairwise.rbf_kernel)
    assert isinstance(function, Kernel)
    assert_array_equal(function(X, X[:2]), pairwise.rbf_kernel(X, X[:2]))
    assert_array_equal(function.diag(X), np.ones(5))
