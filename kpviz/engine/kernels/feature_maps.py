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

MOST_DEGREE = 10_000  # The largest degree of a kernel, so that loops over degrees end soon.
# The weights of the monomials in k(u, v), (dim,), whose square roots stand in φ; and the exponents
# of each monomial, (dim, d).
Terms = tuple[FloatArray, NDArray[np.int64]]


class FeatureMap(Protocol):
    """A φ with φ(u)·φ(v) = k(u, v), whose entries are monomials with weights."""

    def dimension(self, d: int) -> int:
        """Return the exact number of entries."""
        ...

    def terms(self, d: int) -> Terms:
        """Return the weights and exponents of the entries.

        They are ordered by degree, then alphabetically, unless the kernel is a sum or a product.
        """
        ...

    def multiplications(self, d: int) -> int:
        """Return how many multiplications one φ(x) takes.

        A monomial takes one, since it is a monomial of one degree less times a coordinate; a weight
        that is not always 1 takes one more.
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
        # Each is the tuple of its coordinates: x₀²x₁ is (0, 0, 1).
        monomials = [
            monomial
            for degree in range(0 if c else q, q + 1)
            for monomial in combinations_with_replacement(range(d), degree)
        ]
        exponents = _exponents(monomials, d)
        # In how many orders the q factors of the product (u·v + c)⋯(u·v + c) give a monomial.
        multinomials = [
            math.factorial(q) // math.prod(map(math.factorial, [*powers, q - sum(powers)]))
            for powers in exponents.tolist()
        ]
        weights = [
            multinomial * c ** (q - len(monomial))
            for multinomial, monomial in zip(multinomials, monomials, strict=True)
        ]
        return np.array(weights, dtype=np.float64), exponents

    def multiplications(self, d: int) -> int:
        q = self.q
        # All of the degrees 2 to q: those of degree q are made of the others.
        monomials = math.comb(d + q, q) - 1 - d
        # All of the degrees 1 to q − 1, whose weights have a power of c.
        weighted = math.comb(d + q - 1, q - 1) - 1 if self.c else 0
        # All of degree q except the d pure powers x_i^q, whose weight is 1.
        weighted_of_degree_q = math.comb(d + q - 1, q) - d
        return monomials + weighted + weighted_of_degree_q


@dataclass(frozen=True)
class Subsets:
    """The map of Π (1 + u_i v_i): the product of each subset of the coordinates."""

    def dimension(self, d: int) -> int:
        return int(2**d)

    def terms(self, d: int) -> Terms:
        subsets = [subset for size in range(d + 1) for subset in combinations(range(d), size)]
        return np.ones(len(subsets)), _exponents(subsets, d)

    def multiplications(self, d: int) -> int:
        # The empty product and the coordinates themselves take none.
        return int(2**d) - 1 - d


@dataclass(frozen=True)
class Joined:
    """The map of a sum of kernels: the entries of both."""

    first: FeatureMap
    second: FeatureMap

    def dimension(self, d: int) -> int:
        return self.first.dimension(d) + self.second.dimension(d)

    def terms(self, d: int) -> Terms:
        weights, exponents = self.first.terms(d)
        more_weights, more_exponents = self.second.terms(d)
        return (
            np.concatenate([weights, more_weights]),
            np.concatenate([exponents, more_exponents]),
        )

    def multiplications(self, d: int) -> int:
        return self.first.multiplications(d) + self.second.multiplications(d)


@dataclass(frozen=True)
class Crossed:
    """The map of a product of kernels: each entry of the one times each entry of the other.

    Entries with equal monomials stay apart.
    """

    first: FeatureMap
    second: FeatureMap

    def dimension(self, d: int) -> int:
        return self.first.dimension(d) * self.second.dimension(d)

    def terms(self, d: int) -> Terms:
        weights, exponents = self.first.terms(d)
        other_weights, other_exponents = self.second.terms(d)
        all_exponents = exponents[:, None] + other_exponents
        return np.multiply.outer(weights, other_weights).ravel(), all_exponents.reshape(-1, d)

    def multiplications(self, d: int) -> int:
        # The entries of both maps are made, and each product of two takes one more.
        return self.first.multiplications(d) + self.second.multiplications(d) + self.dimension(d)


def _exponents(monomials: Sequence[tuple[int, ...]], d: int) -> NDArray[np.int64]:
    """Return how often each of d coordinates stands in each monomial, (dim, d)."""
    counts = [np.bincount(np.array(factors, dtype=np.intp), minlength=d) for factors in monomials]
    return np.array(counts, dtype=np.int64)
