"""Kernels against scikit-learn, their own formulas and the properties they claim."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.gaussian_process.kernels import Matern
from sklearn.metrics import pairwise
from textbook import KERNELS as SAMPLES
from textbook import random_data

from kpviz.engine.kernels import (
    KERNELS,
    AllSubsets,
    Formula,
    Function,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Monomial,
    Polynomial,
    Sigmoid,
    WordSets,
    as_kernel,
)
from kpviz.engine.kernels.distances import by_matrix_products, squared_distances
from kpviz.engine.kernels.formula import formula_of
from kpviz.settings.kernel_words import kernel_label


def of_subsets(X, Z):
    """One feature for each subset of the components."""
    chosen = [
        list(c) for size in range(X.shape[1] + 1) for c in combinations(range(X.shape[1]), size)
    ]
    return sum(np.outer(X[:, c].prod(axis=1), Z[:, c].prod(axis=1)) for c in chosen)


# kernel, the same by an oracle
ORACLES = {
    "linear": (Linear(), pairwise.linear_kernel),
    "polynomial": (
        Polynomial(3, 0.5),
        lambda X, Z: pairwise.polynomial_kernel(X, Z, degree=3, gamma=1.0, coef0=0.5),
    ),
    "monomial": (
        Monomial(4),
        lambda X, Z: pairwise.polynomial_kernel(X, Z, degree=4, gamma=1.0, coef0=0.0),
    ),
    "gaussian": (Gaussian(0.6), lambda X, Z: pairwise.rbf_kernel(X, Z, gamma=1 / (2 * 0.6**2))),
    "laplacian": (Laplacian(0.6), lambda X, Z: pairwise.laplacian_kernel(X, Z, gamma=1 / 0.6)),
    "sigmoid": (
        Sigmoid(0.7, -0.3),
        lambda X, Z: pairwise.sigmoid_kernel(X, Z, gamma=0.7, coef0=-0.3),
    ),
    "matern32": (Matern32(0.8), Matern(length_scale=0.8, nu=1.5)),
    "matern52": (Matern52(0.8), Matern(length_scale=0.8, nu=2.5)),
    "formula": (
        Formula("exp(-norm(u - v)**2/(2*0.6**2)) + 0.1*dot(u, v)"),
        lambda X, Z: (
            pairwise.rbf_kernel(X, Z, gamma=1 / (2 * 0.6**2)) + 0.1 * pairwise.linear_kernel(X, Z)
        ),
    ),
    "subsets": (AllSubsets(), of_subsets),
}
# the file that tests each of the other kernels
ELSEWHERE = {
    "density": "test_generative.py",
    "mixture": "test_generative.py",
    "words": "test_objects.py",
    "spectrum": "test_objects.py",
    "subtrees": "test_objects.py",
    "graph": "test_objects.py",
}


def test_every_registered_kernel_is_tested_here_or_in_a_file_of_its_own():
    entry = "a kernel of vectors needs an entry in ORACLES, any other in ELSEWHERE"
    assert sorted([*ORACLES, *ELSEWHERE]) == sorted(KERNELS), entry
    assert all(type(kernel) is KERNELS[name] for name, (kernel, _) in ORACLES.items())
    assert all(
        KERNELS[name].__name__ in Path(__file__).with_name(file).read_text()
        for name, file in ELSEWHERE.items()
    )


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("name", ORACLES)
def test_a_kernel_is_that_of_an_oracle_and_what_it_is_written_as(name, columns):
    kernel, theirs = ORACLES[name]
    X, Z = random_data(1, 7, columns)[0], random_data(2, 5, columns)[0]
    values = kernel(X, Z)
    assert (values.shape, values.dtype) == ((7, 5), np.float64)
    assert_allclose(values, theirs(X, Z), rtol=1e-9, atol=1e-12)
    for named in (True, False):
        written = Formula(formula_of(kernel, named=named))
        for mine, other in ((written(X, Z), values), (written.diag(X), kernel.diag(X))):
            assert_allclose(mine, other, rtol=1e-12, atol=1e-13)
    if KERNELS[name].written:  # however fast it is, its script rounds as it does
        assert_array_equal(Formula(formula_of(kernel))(X, Z), values)


@pytest.mark.parametrize("kernel", SAMPLES.values(), ids=SAMPLES.keys())
def test_a_gram_is_exactly_symmetric_diag_is_its_diagonal_and_a_normalized_kernel_the_cosine(
    kernel,
):
    X, Z = random_data(3, 30)[0], random_data(2, 7)[0]
    gram = kernel(X, X)
    assert_array_equal(gram, gram.T)
    assert_allclose(kernel.diag(X), np.diagonal(gram), rtol=1e-12)
    if kernel.psd == "yes":
        cosine = kernel.normalized()
        assert_allclose(
            cosine(X, Z),
            kernel(X, Z) / np.sqrt(np.outer(kernel.diag(X), kernel.diag(Z))),
            rtol=1e-10,
            atol=1e-14,
        )
        assert_allclose(cosine.diag(X), np.ones(len(X)), rtol=1e-12)


@settings(max_examples=30)
@given(
    st.integers(1, 130), st.integers(0, 99), st.sampled_from([0.0, 1.0, 1e3, 1e6]), st.booleans()
)
def test_squared_distances_are_sums_of_squared_differences(columns, seed, away, by_products):
    """By products of matrices, too, and of examples that lie far from the origin."""
    rng = np.random.default_rng(seed)
    U = away + rng.normal(size=(6, columns))
    V = away + rng.normal(size=(4, columns))
    exact = np.square(U[:, None] - V[None]).sum(axis=2)
    if by_products:
        with by_matrix_products():
            computed = squared_distances(U, V)
    else:
        computed = squared_distances(U, V)
    assert_allclose(computed, exact, rtol=1e-9)


def test_only_the_origin_has_no_direction():
    X = np.vstack([1e-4 * random_data(1)[0], [[0.0, 0.0]]])
    assert_array_equal(Linear().normalized().diag(X), [*np.ones(len(X) - 1), 0.0])


@pytest.mark.parametrize("kernel", [Gaussian(0.3), Laplacian(0.3), Matern32(0.3), Matern52(0.3)])
def test_a_point_is_exactly_as_similar_as_can_be_to_itself_and_not_at_all_to_what_is_very_far_away(
    kernel,
):
    X = 1e3 + random_data(3, 30)[0]
    assert_array_equal(np.diagonal(kernel(X, X)), 1.0)
    assert_array_equal(kernel.diag(X), 1.0)
    assert kernel(X, X).max() == 1.0
    far = np.array([[1e145, 1e145], [-1e300, 1e300], [1e155, 1e100], [-1.7e308, 1.7e308]])
    assert not type(kernel)(1e-3)(np.zeros((1, 2)), far).any()
    assert type(kernel)(1e-3)(np.zeros((1, 2)), np.array([[0.01, 0.0]])) > 0.0


class Cauchy(Kernel):
    def evaluate(self, X, Z):
        return 1 / (1 + ((X[:, None] - Z) ** 2).sum(axis=2))


@pytest.mark.parametrize(
    "kernel", [Gaussian(0.5), Gaussian(0.5) + Linear(), Cauchy(), Formula("dot(u, v)")], ids=repr
)
def test_kernels_and_numbers_add_multiply_and_raise_to_a_power(kernel):
    X, Z, other = random_data(4, 6)[0], random_data(5, 8)[0], AllSubsets()
    k, l = kernel(X, Z), other(X, Z)  # noqa: E741
    for made, expected in (
        (kernel + other, k + l),
        (kernel + other * kernel, k + l * k),
        (2 * kernel, 2 * k),
        (kernel * np.float64(0.5), k / 2),
        (np.int64(2) * kernel, 2 * k),
        (1 + kernel, 1 + k),
        (kernel**1, k),
        (3 * kernel**2 + 1, 3 * k * k + 1),
    ):
        assert_allclose(made(X, Z), expected)
        assert_allclose(made.diag(X), made(X, X).diagonal())
        assert made.psd == kernel.psd
    assert kernel + other == kernel + other != kernel * other
    for refused, name in (
        (lambda: -1 * kernel, "factor"),
        (lambda: kernel + -1, "summand"),
        (lambda: kernel**0, "power"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}=[^\n]+\.$"):
            refused()
    for operation in (lambda x: kernel + x, lambda x: kernel * x, lambda x: kernel**x):
        for thing in (True, "linear", None):
            with pytest.raises(TypeError):
                operation(thing)


def test_a_kernel_that_is_written_needs_nothing_else_and_is_exactly_symmetric():
    written = type("Written", (Kernel,), {"written": "exp(dot(3*u, v)/7)*dot(3*u, v/7)"})()
    X = random_data(6, 60)[0]
    gram = written(X, X)
    assert_array_equal(gram, gram.T)
    assert_allclose(written.diag(X), np.diagonal(gram))
    assert_allclose(gram, np.exp(3 * X @ X.T / 7) * (3 * X @ X.T / 7))


def test_words_take_numbers_too():
    K = WordSets()(["a b", "b"], ["b c"])
    assert_allclose((2 * WordSets() ** 2 + 1)(["a b", "b"], ["b c"]), 2 * K * K + 1)


def test_a_kernel_in_two_lines_has_a_name_and_says_what_it_lacks():
    assert (Cauchy().name, kernel_label(Cauchy()), repr(Cauchy())) == (
        "Cauchy",
        "Cauchy",
        "Cauchy()",
    )
    wider = type("Wider", (Cauchy,), {})()
    assert (Cauchy().latex, wider.latex) == (r"\text{Cauchy}(u, v)", r"\text{Wider}(u, v)")
    with pytest.raises(NotImplementedError, match=r"^Empty lacks evaluate\(X, Z\), .*\.$"):
        type("Empty", (Kernel,), {})()(np.ones((1, 1)), np.ones((1, 1)))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 25),
    kernel=st.sampled_from(
        [Linear(), Polynomial(3, 0.0), Polynomial(5, 2.0), Monomial(3), Gaussian(0.3), Gaussian(3.0), Laplacian(0.5),
         Matern32(), Matern52(2.0), AllSubsets(), Gaussian(0.3) + Monomial(2), Laplacian(0.4) * Polynomial(2, 1.0)]
    ),
)  # fmt: skip
def test_a_kernel_that_says_yes_has_no_negative_eigenvalue(seed, n, kernel):
    assert kernel.psd == "yes"
    X = random_data(seed, n)[0]
    values = np.linalg.eigvalsh(kernel(X, X))
    assert values[0] > -1e-10 * np.abs(values).max()


def test_what_is_not_proven_is_no_or_unknown():
    assert Sigmoid().psd == "no"
    assert {
        each.psd for each in (Function(Linear()), Sigmoid() + Gaussian(), Gaussian() * Sigmoid())
    } == {"unknown"}


# -- what a kernel says of itself -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [name for name, kind in KERNELS.items() if kind.compares == "vectors"]
)
def test_a_kernel_is_called_a_hill_if_it_falls_all_around_the_example(name):
    kernel = KERNELS[name]().fitted(random_data(3, 30)[0])
    angles, far = np.linspace(0.0, 2 * np.pi, 16, endpoint=False), np.linspace(0.0, 3.0, 31)
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    along = np.array(
        [[kernel(x[None], x + far[:, None] * way)[0] for way in ways] for x in random_data(4, 6)[0]]
    )
    falls = bool((np.diff(along) < 0).all() and (along >= 0).all())
    assert kernel.hill == (falls and name != "formula"), "hill, on the class of the kernel"


@pytest.mark.parametrize("name", ORACLES)
def test_only_a_kernel_that_says_so_never_exceeds_1(name):
    X = 3 * random_data(5, 50)[0]
    assert KERNELS[name].at_most_1 == bool(KERNELS[name]().diag(X).max() <= 1.0)


def test_labels_and_formulas_name_the_kernel_and_its_values():
    assert kernel_label(Gaussian(0.5)) == "Gaussian, σ = 0.5"
    assert kernel_label(Sigmoid(1.0, -1.0)) == "Sigmoid, γ = 1, c = −1"
    assert kernel_label(Linear() + Polynomial(3, 0.0)) == "Linear + Polynomial, q = 3, c = 0"
    assert kernel_label(Linear() * Gaussian(2.0)) == "(Linear) × (Gaussian, σ = 2)"
    assert Sigmoid(1.0, -1.0).latex == r"\tanh\left(\gamma\, u \cdot v + c\right)"
    assert (Gaussian() + Monomial(3)).latex == (
        r"\exp\left(-\frac{\|u - v\|^{2}}{2\, \sigma^{2}}\right) + \left(u \cdot v\right)^{q}"
    )


def test_a_function_becomes_a_kernel_and_a_kernel_stays_itself():
    kernel, X = Gaussian(0.4), random_data(1, 5)[0]
    function = as_kernel(pairwise.rbf_kernel)
    assert as_kernel(kernel) is kernel
    assert isinstance(function, Kernel)
    assert_array_equal(function(X, X[:2]), pairwise.rbf_kernel(X, X[:2]))
    assert_array_equal(function.diag(X), np.ones(5))
