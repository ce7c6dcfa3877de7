"""Dimensions by enumeration, weights of degrees by multiplying out, and the lift by its own formula."""

from itertools import combinations, combinations_with_replacement, product
from math import comb, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose
from written import read

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Monomial, Polynomial, lift
from kpviz.engine.theory.spaces import degree_weights, in_words, spaces


@pytest.mark.parametrize("n", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("q", [1, 2, 3, 5])
def test_dimensions_are_the_numbers_of_enumerated_features(n, q):
    exactly, up_to, subsets, literals, gaussian = spaces(n, q)
    assert exactly.dimension == len(list(combinations_with_replacement(range(n), q)))
    assert up_to.dimension == sum(len(list(combinations_with_replacement(range(n), j))) for j in range(q + 1))
    assert subsets.dimension == sum(len(list(combinations(range(n), size))) for size in range(n + 1))
    assert literals.dimension == len(list(product(["left out", "x", "not x", "both"], repeat=n)))
    assert gaussian.dimension is None


def test_large_dimensions_are_exact_whole_numbers():
    rows = spaces(1000, 20)
    assert rows[0].dimension == comb(1019, 20)
    assert rows[1].dimension == comb(1020, 20)
    assert rows[2].dimension == 2**1000
    assert rows[3].dimension == 4**1000
    assert all(isinstance(row.multiplications, int) and row.multiplications < 4001 for row in rows)


class Counted:
    """A number that counts how often it is multiplied."""

    multiplied = 0

    def __init__(self, value):
        self.value = value

    def __mul__(self, other):
        Counted.multiplied += 1
        return Counted(self.value * other.value)

    def __add__(self, other):
        return Counted(self.value + getattr(other, "value", other))

    def __rsub__(self, other):
        return Counted(other - self.value)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_multiplications_of_literals_are_those_of_the_product(n):
    u, v = ([Counted(bit) for bit in bits] for bits in ([1, 0, 1, 1, 0, 0, 1, 0][:n], [1, 1, 0, 1, 0, 1, 1, 0][:n]))
    Counted.multiplied = 0
    result = None
    for a, b in zip(u, v, strict=True):
        for factor in (a * b + 1, (1 - a) * (1 - b) + 1):
            result = factor if result is None else result * factor
    assert Counted.multiplied == spaces(n, 2)[3].multiplications
    assert result.value == 2 ** sum(a.value == b.value for a, b in zip(u, v, strict=True))


@pytest.mark.parametrize("q", [1, 2, 3, 7])
@pytest.mark.parametrize("c", [0.0, 0.5, 1.0, 3.0])
def test_weights_of_degrees_are_the_coefficients_of_the_power(q, c):
    rows = degree_weights(q, c)
    assert_allclose([row.weight for row in rows][::-1], np.poly1d([1.0, c]) ** q)
    assert [row.degree for row in rows] == list(range(q + 1))
    assert_allclose(sum(row.share for row in rows), 1.0)
    assert_allclose([row.share for row in rows], [row.weight / (1.0 + c) ** q for row in rows])


@pytest.mark.parametrize("count", [0, 7, 999_999_999, 10**9, 12345678901, 99_999_999_999, 4**100])
def test_numbers_in_words_are_right_to_three_digits(count):
    text = in_words(count)
    if "×" in text:
        assert abs(read(text) / count - 1) < 0.006
    else:
        assert int(text.replace(",", "")) == count


# ---- the lift -----------------------------------------------------------------------------------


def test_the_lift_is_its_formula_and_its_products_are_the_kernel():
    X = np.random.default_rng(0).normal(size=(12, 2))
    lifted = lift.phi(X)
    assert_allclose(lifted, [[a * a, sqrt(2) * a * b, b * b] for a, b in X])
    assert_allclose(lifted @ lifted.T, [[(u @ v) ** 2 for v in X] for u in X])
    assert lift.AXES == ("x₁²", "√2·x₁x₂", "x₂²")


@pytest.mark.parametrize("intercept", ["none", "unit"])
def test_the_plane_gives_the_scores_of_the_run(intercept):
    X, y = kpviz.make_dataset("circles", n_samples=30, seed=0)
    run = kpviz.train(kpviz.learners.Perceptron(0.5, intercept=intercept), X, y, kernel=Monomial(2))
    for t in (0, 1, run.n_steps // 2, run.n_steps):
        state = run.state_at(t)
        w, b = lift.plane(lift.phi(X), state.coef, state.intercept)
        assert w.shape == (3,)
        assert_allclose(lift.phi(X) @ w + b, run.decision_function(X, t), atol=1e-9)


def test_only_the_monomials_of_degree_two_are_lifted():
    assert lift.missing(Monomial(2)) == ""
    for kernel in (Monomial(3), Polynomial(2, 1.0), Linear(), Gaussian(0.5), Monomial(2).normalized(), None):
        assert "degree 2" in lift.missing(kernel)
    with pytest.raises(ValueError, match="3 columns: it must have 2"):
        lift.phi(np.ones((2, 3)))
