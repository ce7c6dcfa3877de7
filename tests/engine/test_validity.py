"""Is it a kernel: eigenvalues, counter-examples that a loop confirms, and words that never claim a
proof.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from textbook import REFUTED
from written import added_up, exact_numbers

from kpviz.engine.kernels import (
    AllSubsets,
    Gaussian,
    Laplacian,
    Linear,
    Monomial,
    Polynomial,
    Sigmoid,
    validity,
)
from kpviz.settings.kernel_words import kernel_label

VALID = [
    Monomial(8),
    Polynomial(8, 5.0),
    Gaussian(0.5),
    Gaussian(10.0),
    Laplacian(1.0),
    AllSubsets(),
    Gaussian(1.0) * Polynomial(3, 1.0) + Linear(),
    Polynomial(8, 5.0).normalized(),
]


def gram_of(kernel, X):
    """K, pair by pair."""
    return np.array([[float(kernel(u[None], v[None])[0, 0]) for v in X] for u in X])


def summed(c, gram):
    """cᵀKc, term by term."""
    return sum(c[a] * c[b] * gram[a][b] for a in range(len(c)) for b in range(len(c)))


@pytest.mark.parametrize(
    ("name", "points", "smallest"),
    [
        ("sigmoid", validity.FIVE, -1.95),
        ("shifted square", validity.FIVE, -1.08),
        ("negative distance", validity.FIVE, -8.66),
        ("fourth power", validity.HALVED, -0.19),
    ],
)
def test_the_named_functions_have_the_named_eigenvalues(name, points, smallest):
    verdict = validity.examine(REFUTED[name], points)
    assert_allclose(verdict.eigenvalues[-1], smallest, atol=0.005)
    assert verdict.refuted
    assert_allclose(summed(verdict.c, verdict.gram), verdict.value)
    assert_allclose(verdict.value, verdict.eigenvalues[-1])
    assert_allclose(np.linalg.norm(verdict.c), 1.0)
    negative = verdict.gram.diagonal().min() < -1e-9
    assert verdict.sentence.startswith(
        f"Refuted: {'k(x, x) would be' if negative else 'the smallest eigenvalue is below'}"
    )
    assert validity.examine(REFUTED[name], validity.FIVE).refuted == (name != "fourth power")
    if name == "shifted square":
        found = validity.smaller(verdict)
        assert (found.value, found.sum) == (-2.0, "0 + 0 − 2·1 = −2")


@pytest.mark.parametrize("kernel", VALID, ids=kernel_label)
@settings(max_examples=30, deadline=None)
@given(
    n=st.integers(1, 25),
    seed=st.integers(0, 10**6),
    size=st.sampled_from([0.01, 0.3, 1.0, 3.0, 100.0]),
)
def test_no_kernel_is_ever_refuted(kernel, n, seed, size):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * size
    X = np.concatenate([X, np.round(X, 1), X[:1]])  # alike, and almost alike
    verdict = validity.examine(kernel, X)
    assert not verdict.refuted
    assert validity.smaller(verdict) is None
    assert verdict.sentence.endswith(validity.OTHERS)


@pytest.mark.parametrize("name", REFUTED)
@settings(max_examples=25, deadline=None)
@given(n=st.integers(1, 40), seed=st.integers(0, 10**6))
def test_a_counter_example_is_there_exactly_when_refuted_and_a_loop_confirms_it(name, n, seed):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    verdict = validity.examine(REFUTED[name], X)
    found = validity.smaller(verdict)
    assert (found is not None) == verdict.refuted
    if found is not None:
        assert_array_equal(found.points, X[found.indices])
        assert_allclose(found.gram, gram_of(REFUTED[name], X[found.indices]), atol=1e-12)
        assert summed(found.c, found.gram) < -verdict.tolerance * 1e-3
        assert_allclose(summed(found.c, found.gram), found.value)
        assert found.c[np.flatnonzero(found.c)[0]] > 0
        assert (found.c == np.rint(found.c)).all()
        for fewer in range(1, len(found.indices)):  # none refute
            parts = np.array(
                [verdict.gram[np.ix_(part, part)] for part in combinations(range(n), fewer)]
            )
            assert (np.linalg.eigvalsh(parts)[:, 0] >= -1e-12 * np.abs(verdict.gram).max()).all()


@pytest.mark.parametrize(
    "kernel",
    [
        *(
            pytest.param(Sigmoid(gamma, coef0))
            for gamma in (0.1, 1.0, 3.0)
            for coef0 in (-1.0, 2.0, 5.0)
        ),
        *(pytest.param(function, id=name) for name, function in REFUTED.items()),
    ],
)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.sampled_from([0.01, 0.3, 1.0, 30.0]))
def test_the_sum_that_is_printed_is_true_of_the_numbers_that_are_printed(kernel, seed, size):
    points = np.random.default_rng(seed).normal(size=(12, 2)) * size
    found = validity.smaller(validity.examine(kernel, points))
    if found is None or not found.symmetric:
        return
    terms, _, result = found.sum.partition(" = ")
    total = added_up(terms)
    assert total < 0
    (value,) = exact_numbers(result)
    assert abs(total - value) <= abs(value) * Fraction(6, 10_000)
    assert exact_numbers(found.coefficients) == [Fraction(number) for number in found.c.tolist()]


def test_of_many_examples_none_of_those_left_can_be_spared():
    X = (
        np.random.default_rng(3).normal(size=(120, 2)) * 0.02
    )  # so near together that few refute nothing
    found = validity.smaller(validity.examine(REFUTED["fourth power"], X))
    m = len(found.indices)
    assert 3 <= m <= 10
    for a in range(m):
        rest = np.delete(np.arange(m), a)
        values = np.linalg.eigvalsh(found.gram[np.ix_(rest, rest)])
        assert values[0] >= -len(rest) * np.finfo(float).eps * np.abs(values).max()
    assert summed(found.c, found.gram) < 0


def test_a_function_that_is_not_symmetric_is_refuted_by_two_examples():
    def first_only(X, Z):
        return X[:, :1] + 0.0 * Z[:, 0]

    verdict = validity.examine(first_only, [[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]])
    found = validity.smaller(verdict)
    assert verdict.refuted
    assert set(verdict.parted) == {0, 2}
    assert found.points.tolist() == [[0.0, 0.0], [3.0, 0.0]]
    assert not found.symmetric
    assert "k(u, v) = 0, but k(v, u) = 3" in verdict.sentence
    assert "symmetric" in found.sentence


def test_the_tolerance_is_relative_to_the_largest_eigenvalue():
    X = np.random.default_rng(0).normal(size=(7, 2))
    small, large = (validity.examine(lambda U, V, s=s: s * (U @ V.T), X) for s in (1.0, 2.0**40))
    assert_allclose(small.tolerance, 7 * np.finfo(float).eps * small.eigenvalues[0])
    assert_allclose(large.tolerance, 2.0**40 * small.tolerance)
    for scale in (0.0, 1.0):
        assert (
            "No counter-example"
            in validity.examine(lambda U, V, s=scale: s * (U @ V.T), [[1.0, 2.0]]).sentence
        )
