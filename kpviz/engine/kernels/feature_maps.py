"""The maps φ of kernels whose features can be counted: each entry of φ is a monomial with a weight.

Legend: n examples; d their features; q a degree; c a constant; dim the entries of φ.

Tests: tests/engine/test_primal.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray

MOST_DEGREE = 10_000
# (dim,) weights, the squares of those in φ, and (dim, d) exponents
Terms = tuple[FloatArray, NDArray[np.int64]]


class FeatureMap(Protocol):
    """A φ with φ(u)·φ(v) = k(u, v), whose entries are monomials with weights."""

    def dimension(self, d: int) -> int:
        """Return the exact number of entries."""
        ...

    def terms(self, d: int) -> Terms:
        """Return the entries, ordered by degree, then alphabetically."""
        ...

    def multiplications(self, d: int) -> int:
        """Return the multiplications of one φ(x): each monomial is one of a degree less, times a
        coordinate.
        """
        ...


@dataclass(frozen=True)
class Powers:
    """The map of (u·v + c)^q: monomials of degree q, or of each degree up to q where c is not 0."""

    q: int
    c: float = 0.0

    def dimension(self, d: int) -> int:
        return math.comb(d + self.q, self.q) if self.c else math.comb(d + self.q - 1, self.q)

    def terms(self, d: int) -> Terms:
        q = self.q
        c = self.c
        chosen = [
            m
            for j in range(0 if c else q, q + 1)
            for m in combinations_with_replacement(range(d), j)
        ]
        exponents = _exponents(chosen, d)
        orders = [
            math.factorial(q) // math.prod(map(math.factorial, [*e, q - sum(e)]))
            for e in exponents.tolist()
        ]
        weights = [ways * c ** (q - len(m)) for ways, m in zip(orders, chosen, strict=True)]
        return np.array(weights, dtype=np.float64), exponents

    def multiplications(self, d: int) -> int:
        """Degree exactly q needs the degrees below it, too; a weight costs one where it is not 1
        for all c.
        """
        q = self.q
        # These are all monomials of the degrees 1 to q - 1.
        weighted = math.comb(d + q - 1, q - 1) - 1 if self.c else 0
        return math.comb(d + q, q) - 1 - d + weighted + math.comb(d + q - 1, q) - d


@dataclass(frozen=True)
class Subsets:
    """The map of Π (1 + u_i v_i): the product of each subset of the coordinates."""

    def dimension(self, d: int) -> int:
        return int(2**d)

    def terms(self, d: int) -> Terms:
        chosen = [subset for size in range(d + 1) for subset in combinations(range(d), size)]
        return np.ones(len(chosen)), _exponents(chosen, d)

    def multiplications(self, d: int) -> int:
        return int(2**d) - 1 - d


@dataclass(frozen=True)
class Joined:
    """The map of a sum of kernels: the entries of both."""

    first: FeatureMap
    second: FeatureMap

    def dimension(self, d: int) -> int:
        return self.first.dimension(d) + self.second.dimension(d)

    def terms(self, d: int) -> Terms:
        first = self.first.terms(d)
        second = self.second.terms(d)
        return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])

    def multiplications(self, d: int) -> int:
        return self.first.multiplications(d) + self.second.multiplications(d)


@dataclass(frozen=True)
class Crossed:
    """The map of a product of kernels: all products of an entry of each (equal monomials stay
    apart).
    """

    first: FeatureMap
    second: FeatureMap

    def dimension(self, d: int) -> int:
        return self.first.dimension(d) * self.second.dimension(d)

    def terms(self, d: int) -> Terms:
        first = self.first.terms(d)
        second = self.second.terms(d)
        return np.multiply.outer(first[0], second[0]).ravel(), (
            first[1][:, None] + second[1]
        ).reshape(-1, d)

    def multiplications(self, d: int) -> int:
        return self.first.multiplications(d) + self.second.multiplications(d) + self.dimension(d)


def _exponents(chosen: Sequence[tuple[int, ...]], d: int) -> NDArray[np.int64]:
    """Return how often each of d coordinates stands in each monomial."""
    return np.array(
        [np.bincount(np.array(m, dtype=np.intp), minlength=d) for m in chosen], dtype=np.int64
    )
