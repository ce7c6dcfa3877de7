"""What a step costs in either form: loops whose numbers count say the same."""

from collections import Counter
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from covering import in_turn
from numpy.testing import assert_allclose, assert_array_equal
from textbook import random_data

import kpviz
from kpviz.engine.kernels import (
    AllSubsets,
    Gaussian,
    Laplacian,
    Linear,
    Monomial,
    Polynomial,
)
from kpviz.engine.learners import Perceptron
from kpviz.engine.theory import primal


class Number:
    """A number that counts how often it is multiplied; additions are free."""

    multiplied = 0

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Number(self.value + getattr(other, "value", other))

    __radd__ = __add__

    def __mul__(self, other):
        Number.multiplied += 1
        return Number(self.value * getattr(other, "value", other))

    __rmul__ = __mul__

    def exp(self):
        Number.multiplied += 1
        return Number(np.exp(self.value))


def to_the_power(a, q):
    """Square and multiply, from the highest binary digit down."""
    result = a
    for digit in bin(q)[3:]:
        result = result * result
        if digit == "1":
            result = result * a
    return result


def added(numbers):
    return sum(numbers, Number(0.0))


def multiplied(numbers):
    first, *others = numbers
    for other in others:
        first = first * other
    return first


def polynomial(q, c):
    return lambda u, v: to_the_power(added(a * b for a, b in zip(u, v, strict=True)) + c, q)


def gaussian(u, v):
    return (added((d := a + -b.value) * d for a, b in zip(u, v, strict=True)) * -2.0).exp()


def laplacian(u, v):
    return (added(Number(abs(a.value - b.value)) for a, b in zip(u, v, strict=True)) * -2.0).exp()


def subsets(u, v):
    return multiplied([1.0 + a * b for a, b in zip(u, v, strict=True)])


def monomials_built(x, q, c):
    """φ by hand for (u·v + c)^q: each monomial from one of a degree less, then times its weight."""
    kept = {(): Number(1.0)} | {(j,): a for j, a in enumerate(x)}
    layer = [(j,) for j in range(len(x))]
    for _ in range(q - 1):
        layer = [(*m, j) for m in layer for j in range(m[-1], len(x))]
        for m in layer:
            kept[m] = kept[m[:-1]] * x[m[-1]]
    ways = Counter(tuple(sorted(j for j in choice if j >= 0)) for choice in product(range(-1, len(x)), repeat=q))
    phi = []
    for m, value in kept.items():
        weight = sqrt(ways[m] * c ** (q - len(m)))
        if weight:
            phi.append(Number(weight) if not m else value if weight == 1.0 else value * weight)
    return phi


def subsets_built(x):
    phi = {(): Number(1.0)} | {(j,): a for j, a in enumerate(x)}
    for m in list(phi)[1:]:
        grow = [m]
        while grow:
            m = grow.pop()
            for j in range(m[-1] + 1, len(x)):
                phi[*m, j] = phi[m] * x[j]
                grow.append((*m, j))
    return list(phi.values())


COUNTED = {
    "linear": (Linear(), polynomial(1, 0.0), lambda x: x),
    "quadratic": (Monomial(2), polynomial(2, 0.0), lambda x: monomials_built(x, 2, 0.0)),
    "cubic": (Polynomial(3, 1.0), polynomial(3, 1.0), lambda x: monomials_built(x, 3, 1.0)),
    "fifth": (Monomial(5), polynomial(5, 0.0), lambda x: monomials_built(x, 5, 0.0)),
    "sixth": (Polynomial(6, 2.0), polynomial(6, 2.0), lambda x: monomials_built(x, 6, 2.0)),
    "affine": (Polynomial(1, 1.0), polynomial(1, 1.0), lambda x: monomials_built(x, 1, 1.0)),
    "affine 2": (Polynomial(1, 0.3), polynomial(1, 0.3), lambda x: monomials_built(x, 1, 0.3)),
    "subsets": (AllSubsets(), subsets, subsets_built),
    "gaussian": (Gaussian(0.5), gaussian, None),
    "laplacian": (Laplacian(0.5), laplacian, None),
    "sum": (
        Linear() + Monomial(2),
        lambda u, v: polynomial(1, 0.0)(u, v) + polynomial(2, 0.0)(u, v),
        lambda x: [*x, *monomials_built(x, 2, 0.0)],
    ),
    "product": (
        Linear() * Monomial(2),
        lambda u, v: polynomial(1, 0.0)(u, v) * polynomial(2, 0.0)(u, v),
        lambda x: [a * b for a, b in product(x, monomials_built(x, 2, 0.0))],
    ),
}


def counted(run, k, phi_of):
    """Both textbook algorithms on numbers that count: (n_steps + 1,) rows of stored and multiplied, dual and primal."""
    X = [[Number(a) for a in row] for row in run.X.tolist()]
    has_b = run.learner.intercept != "none"
    support, w = {}, None
    spent, rows = [0, 0], []
    dim = len(phi_of(X[0])) if phi_of else 0
    w = [Number(0.0)] * dim
    added_up = [0, 0]
    rows.append((has_b, dim + has_b, 0, 0, 0, 0))
    for i, mistake in zip(run.index.tolist(), run.mistake.tolist(), strict=True):
        Number.multiplied = 0
        f = added(coef * k(X[j], X[i]) for j, coef in support.items())
        spent[0] += Number.multiplied
        if phi_of:
            Number.multiplied = 0
            phi = phi_of(X[i])
            g = added(a * b for a, b in zip(w, phi, strict=True))
            spent[1] += Number.multiplied
            assert_allclose(f.value, g.value, rtol=1e-9, atol=1e-8)
        if mistake:
            y = float(run.y[i])
            support[i] = support.get(i, Number(0.0)) + y
            added_up[0] += 1 + has_b
            if phi_of:
                w = [a + y * b.value for a, b in zip(w, phi, strict=True)]
                added_up[1] += len(w) + has_b
        stored = sum(1 + len(X[j]) for j in support) + has_b
        rows.append((stored, dim + has_b, *spent, *added_up))
    return np.array(rows, dtype=float).T


@in_turn(product(COUNTED, (1, 2, 3), ("none", "unit")), lambda name, *_: name)
def test_costs_are_those_of_loops_whose_numbers_count(name, columns, intercept):
    kernel, k, phi_of = COUNTED[name]
    X, y = random_data(columns, n=12, columns=columns)
    run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=kernel, epochs=3)
    ours = primal.costs(run)
    stored, dim, dual, multiplied, dual_added, primal_added = counted(run, k, phi_of)
    assert_array_equal(ours.dual.stored, stored)
    assert_array_equal(ours.dual.multiplications, dual)
    assert_array_equal(ours.dual.additions, dual_added)
    assert ours.support.tolist() == [len(run.state_at(t).support) for t in range(run.n_steps + 1)]
    if phi_of is None:
        assert (ours.primal, ours.dimension, ours.per_presentation, ours.break_even) == (None, None, None, None)
        return
    assert ours.primal is not None
    assert_array_equal(ours.primal.stored, dim)
    assert_array_equal(ours.primal.multiplications, multiplied)
    assert_array_equal(ours.primal.additions, primal_added)
    assert ours.dimension == dim[0] - (intercept != "none")
    assert ours.break_even == pytest.approx(ours.per_presentation / ours.per_example)


def test_the_table_of_growth_is_exact_and_shows_what_the_kernel_saves():
    rows = primal.growth()
    assert [(row.n_features, row.degree) for row in rows] == list(product((2, 10, 100, 784), range(1, 11)))
    for row in rows:
        d, q = row.n_features, row.degree
        assert (row.exactly, row.up_to) == (comb(d + q - 1, q), comb(d + q, q))
        assert row.kernel == primal.kernel_multiplications(Polynomial(q, 1.0), d) <= d + 5
        assert row.primal == row.up_to + primal.map_multiplications(Polynomial(q, 1.0), d)
    cheap = next(row for row in rows if row.n_features == row.degree == 2)
    assert (cheap.up_to, cheap.kernel, cheap.primal) == (6, 3, 12)
