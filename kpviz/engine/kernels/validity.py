"""Is it a kernel? What a sample of examples can show: it can refute, never prove.

k is a kernel if k(u, v) = k(v, u) and cᵀKc >= 0 for every Gram matrix K of any examples and all
numbers c, that is, if no eigenvalue of any K is below 0: then it is an inner product in some space
(Moore and Aronszajn 1950). One K with one below 0 refutes it. A K with none says nothing about
other examples.

Legend: n examples; K (n, n) their Gram matrix; c (n,) numbers, one for each example; λ an
eigenvalue of K.

Tests: tests/engine/test_validity.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.expression.rounding_errors import errors_of_gram
from kpviz.engine.kernels.function import as_kernel
from kpviz.engine.kernels.trees import tree_of
from kpviz.engine.powers import significant

Indices = NDArray[np.intp]

FIVE = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0))
"""Five points of the plane on which tanh(u·v - 1), (u·v - 1)² and -‖u - v‖² are refuted."""
HALVED = tuple((x / 2, y / 2) for x, y in FIVE)
"""The same five, half as far apart: here exp(-‖u - v‖⁴) is refuted, too, unlike on `FIVE`."""
OTHERS = "Others may still refute it."
"""What is said of examples that were not looked at, where no proof is known."""

_ALL_TRIPLES = 40  # Among more examples, not every three are tried.
_WHOLE = (1, 2, 3, 5)  # Whole numbers in c may be so large.
# Whole numbers are preferred if they reach this share of the smallest eigenvalue.
_SHARE = 0.5
_FEW = 4  # For so few examples all whole numbers are tried.
_ROUNDED = 1e-12  # Two orders of summing may differ by this share of the largest |k|.
CLEAR = 0.01
"""The least `CounterExample.clarity` of a sum whose sign three digits of each number show."""
_DIGITS = range(4, 17)  # As many digits of each number are printed as make the printed sum true.


@dataclass(frozen=True, eq=False)
class Validity:
    """What the Gram matrix of some examples shows about a function k.

    Attributes
    ----------
    points : the n examples. gram : (n, n) their K.
    eigenvalues : (n,) λ in descending order, of (K + Kᵀ)/2, which is all that cᵀKc sees.
    tolerance : n · eps · max |λ|, eps = 2.2e-16: what rounding alone can make of an eigenvalue that
        is 0.
    rounding : what the rounding of the entries of K themselves can have made of `value`, 0 where no
        more than that; only asked for where an eigenvalue is below -tolerance.
    c : (n,) of length 1, the eigenvector of the smallest eigenvalue, its largest entry positive.
    value : cᵀKc, summed anew from c and K.
    errors : (n, n) bounds of that rounding for each entry, None where they are not asked for.
    parted : the two examples where k(u, v) and k(v, u) differ most, None if k is symmetric here.
    """

    points: NDArray[Any]
    gram: FloatArray
    eigenvalues: FloatArray
    tolerance: float
    c: FloatArray
    value: float
    parted: tuple[int, int] | None = None
    errors: FloatArray | None = None

    @property
    def rounding(self) -> float:
        """See above."""
        return 0.0 if self.errors is None else _blurred(self.c, self.errors)

    @property
    def negative(self) -> bool:
        """Whether an eigenvalue is below -tolerance, by more than the rounding of K."""
        return bool(self.eigenvalues[-1] < -self.tolerance - self.rounding)

    @property
    def blurred(self) -> bool:
        """Whether an eigenvalue is below -tolerance, but may be so by the rounding of K."""
        return bool(self.eigenvalues[-1] < -self.tolerance) and not self.negative

    @property
    def refuted(self) -> bool:
        """Whether these examples prove that k is not a kernel."""
        return self.negative or self.parted is not None

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.parted is not None:
            return f"Refuted: {_parting(self.gram, self.parted)}, and a kernel is symmetric."
        if self.negative:
            smallest = float(self.gram.diagonal().min())
            if smallest < -self.tolerance - self.rounding:
                return (
                    f"Refuted: k(x, x) would be the square of a length, and it is "
                    f"{significant(smallest, 3)} for some x."
                )
            return (
                "Refuted: the smallest eigenvalue is below 0. It is cᵀKc for a c of length 1, "
                "which for a kernel is "
                "never negative."
            )
        examples = "this one example" if len(self.c) == 1 else f"these {len(self.c):,} examples"
        if self.blurred:
            return (
                f"An eigenvalue is below −tolerance on {examples}, but by no more than k itself "
                f"is rounded: not "
                f"refuted. {OTHERS}"
            )
        return (
            f"No counter-example among {examples}: no eigenvalue is below 0, up to rounding. "
            f"{OTHERS}"
        )


@dataclass(frozen=True, eq=False)
class CounterExample:
    """Few examples and a c that prove that k is not a kernel, to be checked by hand.

    `indices` (m,) are their indices among the examples, `points` the examples themselves, `gram`
    (m, m) their K; `c` (m,) is of whole numbers, small ones where some do, `value` = cᵀKc < 0.
    Where k is not symmetric, the two examples are it, and c is of zeros: there is nothing to weigh.
    """

    indices: Indices
    points: NDArray[Any]
    gram: FloatArray
    c: FloatArray
    value: float

    @property
    def symmetric(self) -> bool:
        """Whether it is c that refutes, not k(u, v) ≠ k(v, u)."""
        return bool(self.c.any())

    @property
    def clarity(self) -> float:
        """-cᵀKc as a share of what its terms would add up to if none cancelled another, 0 to 1."""
        size = float(np.abs(self.c) @ np.abs(self.gram) @ np.abs(self.c))
        return -self.value / size if size else 0.0

    @property
    def coefficients(self) -> str:
        """The numbers of c as they are printed, whole ones in full."""
        return ", ".join(_printed(value, self._digits) for value in self.c.tolist())

    @property
    def sentence(self) -> str:
        """What refutes k, in words."""
        if not self.symmetric:
            return f"{_parting(self.gram, (0, 1))}: a kernel is symmetric."
        value = significant(self.value, 3)
        return (
            f"cᵀKc = {value} < 0 with c = ({self.coefficients}): for a kernel it is never below 0."
        )

    @property
    def sum(self) -> str:
        """cᵀKc written out: the squares, then twice each pair, with as many digits as
        make it true; the result is that of the numbers as they are printed.
        """
        digits = self._digits
        signed = []
        for a, b in self._pairs():
            k = float(self.gram[a, b])
            factors = self._factors(a, b)
            term = self._factor(factors) + _printed(abs(k), digits)
            signed.append((bool(np.prod(np.sign([*factors, k])) < 0), term))
        result = significant(self._value_printed(digits), digits)
        return f"{_joined(signed)} = {result}"

    def combination(self, names: Sequence[str]) -> str:
        """Return Σ cᵢφ(xᵢ) written out, whose squared length cᵀKc would be."""
        return _joined(
            (weight < 0, self._factor([weight]) + f"φ({name})")
            for weight, name in zip(self.c.tolist(), names, strict=True)
            if weight
        )

    def terms(self, names: Sequence[str]) -> str:
        """Return cᵀKc written out, in the order of `sum`, with k of names in place of numbers."""
        signed = []
        for a, b in self._pairs():
            factors = self._factors(a, b)
            term = self._factor(factors) + f"k({names[a]}, {names[b]})"
            signed.append((bool(np.prod(factors) < 0), term))
        return _joined(signed)

    def _factors(self, a: int, b: int) -> list[float]:
        """Return what an entry of K is multiplied by, in one number where that is whole."""
        factors = [1.0 if a == b else 2.0, float(self.c[a]), float(self.c[b])]
        if all(_is_whole(factor) for factor in factors):
            return [float(np.prod(factors))]
        return factors

    def _factor(self, factors: Iterable[float]) -> str:
        """Return the sizes of factors as they stand before something, without a 1."""
        sizes = [abs(factor) for factor in factors if abs(factor) != 1]
        return "".join(f"{_printed(size, self._digits)}·" for size in sizes)

    def _pairs(self) -> list[tuple[int, int]]:
        """Return the entries of K that cᵀKc needs, the diagonal first and each other one once."""
        used = np.flatnonzero(self.c).tolist()
        return [(a, a) for a in used] + list(combinations(used, 2))

    @property
    def _digits(self) -> int:
        """How many digits of each number it takes until the sum of what is printed has the printed
        value.
        """
        value = significant(self.value, 3)
        return next(
            (n for n in _DIGITS if significant(self._value_printed(n), 3) == value), _DIGITS[-1]
        )

    def _value_printed(self, digits: int) -> float:
        """Return cᵀKc of the numbers as they are printed, exactly."""
        c = [_as_printed(value, digits) for value in self.c.tolist()]
        total = Fraction(0)
        for a, b in self._pairs():
            total += (
                (2 if a != b else 1) * c[a] * c[b] * _as_printed(float(self.gram[a, b]), digits)
            )
        return float(total)


def examine(
    kernel: Kernel | Callable[[FloatArray, FloatArray], FloatArray], X: ArrayLike
) -> Validity:
    """Examine the Gram matrix of the examples X, shape (n, ...), which may refute that `kernel` is
    one.

    Raises
    ------
    ValueError
        If X does not hold examples for this kernel, or it has no finite value for two of them.

    Examples
    --------
    >>> from kpviz.engine.kernels import Polynomial, Sigmoid
    >>> examine(Sigmoid(gamma=1.0, coef0=-1.0), FIVE).sentence
    'Refuted: k(x, x) would be the square of a length, and it is −0.762 for some x.'
    >>> examine(Polynomial(degree=2), FIVE).sentence
    'No counter-example among these 5 examples: no eigenvalue is below 0, up to rounding. Others may
    still refute it.'
    """
    kernel = as_kernel(kernel)
    points = kernel.examples("X", X)
    checks.whole_gram(len(points))
    gram = _finite(kernel.evaluate(points, points))
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    c = vectors[:, 0] * np.sign(vectors[np.abs(vectors[:, 0]).argmax(), 0])
    errors = None
    if values[0] < -_tolerance(values) and kernel.compares == "vectors":
        errors = errors_of_gram(tree_of(kernel, named=True), points, gram)
    return Validity(
        points,
        gram,
        values[::-1],
        _tolerance(values),
        c,
        float(c @ gram @ c),
        _parted(gram),
        errors,
    )


def smaller(verdict: Validity) -> CounterExample | None:
    """Return few of the examples that still refute a kernel, with a c to check by hand; None if
    they do not refute it.

    One example and every two are tried, every three of at most 40; of more, examples are left out
    one by one as long as the rest refutes: then none of those that are left can be spared.

    >>> found = smaller(examine(lambda X, Z: (X @ Z.T - 1) ** 2, FIVE))
    >>> found.points.tolist(), found.c.tolist(), found.value
    ([[1.0, 0.0], [0.0, 1.0]], [1.0, -1.0], -2.0)
    """
    if verdict.parted is not None:
        indices = np.array(verdict.parted)
        return _example(verdict, indices, np.zeros(2))
    if not verdict.negative:
        return None
    gram = (verdict.gram + verdict.gram.T) / 2
    errors = np.zeros_like(gram) if verdict.errors is None else verdict.errors
    indices = _fewest(gram, errors, verdict.c)
    part = np.ix_(indices, indices)
    return _example(verdict, indices, _by_hand(verdict.gram[part], errors[part]))


def _example(verdict: Validity, indices: Indices, c: FloatArray) -> CounterExample:
    gram = verdict.gram[np.ix_(indices, indices)]
    return CounterExample(indices, verdict.points[indices], gram, c, _without_rounding(c, gram))


def _without_rounding(c: FloatArray, gram: FloatArray) -> float:
    """Return cᵀKc as by hand: its terms may cancel to the last digits, which differ from processor
    to processor.
    """
    exact = [Fraction(value) for value in c.tolist()]
    terms = zip(exact, gram.tolist(), strict=True)
    return float(
        sum(a * b * Fraction(k) for a, row in terms for b, k in zip(exact, row, strict=True))
    )


def _finite(gram: FloatArray) -> FloatArray:
    if np.isfinite(gram).all():
        return gram
    a, b = np.argwhere(~np.isfinite(gram))[0].tolist()
    raise ValueError(
        f"k has no finite value for examples {a + 1} and {b + 1}: it must have one for all of them."
    )


def _tolerance(values: NDArray[Any]) -> float:
    return float(len(values) * np.finfo(np.float64).eps * np.abs(values).max())


def _blurred(c: FloatArray, errors: FloatArray) -> float:
    """Return by how much cᵀKc may be wrong if each entry of K may be by its bound."""
    weights = np.abs(c)
    # 0 times inf is avoided.
    return float(weights @ np.where(np.outer(weights, weights) > 0.0, errors, 0.0) @ weights)


def _parted(gram: FloatArray) -> tuple[int, int] | None:
    """Return the first two examples for which k differs most from itself, if by more
    than rounding.
    """
    gap = np.abs(gram - gram.T)
    if gap.max() <= _ROUNDED * np.abs(gram).max():
        return None
    a, b = np.unravel_index(int(gap.argmax()), gap.shape)
    return int(a), int(b)


def _parting(gram: FloatArray, parted: tuple[int, int]) -> str:
    a, b = parted
    return (
        f"k(u, v) = {significant(float(gram[a, b]), 3)}, but k(v, u) = "
        f"{significant(float(gram[b, a]), 3)}"
    )


def _is_whole(value: float) -> bool:
    return value.is_integer() and abs(value) < 1e16


def _joined(signed: Iterable[tuple[bool, str]]) -> str:
    """Return terms as a sum, each with whether it is subtracted."""
    written = "".join((" − " if negative else " + ") + term for negative, term in signed)
    first = "−" if written.startswith(" −") else ""
    return f"{first}{written[3:]}"


def _printed(value: float, digits: int) -> str:
    """Return a number with so many digits, a whole one in full and without groups of thousands."""
    if _is_whole(value):
        return f"{value:.0f}".replace("-", "−")
    return significant(value, digits)


def _as_printed(value: float, digits: int) -> Fraction:
    """Return the number that `_printed` shows."""
    return Fraction(value) if _is_whole(value) else Fraction(f"{value:.{digits}g}")


# ---- few examples -------------------------------------------------------------------------------


def _fewest(gram: FloatArray, errors: FloatArray, c: FloatArray) -> Indices:
    """Return the ascending indices of few examples whose part of the symmetric K has an eigenvalue
    below 0.
    """
    n = len(gram)
    for size in (1, 2, 3):
        if size > n or (size == 3 and n > _ALL_TRIPLES):
            break
        indices = _best(gram, errors, np.array(list(combinations(range(n), size))))
        if indices is not None:
            return indices
    by_weight = np.argsort(-np.abs(c), kind="stable")
    size = min(4, n)
    while size < n and not _negative(gram, errors, by_weight[:size]):
        size = min(2 * size, n)
    return _spare(gram, errors, by_weight[:size])


def _best(gram: FloatArray, errors: FloatArray, subsets: Indices) -> Indices | None:
    """Return the one of the subsets, (many, size), with the smallest eigenvalue, if that is below
    -tolerance.
    """
    parts = subsets[:, :, None], subsets[:, None, :]
    values = np.linalg.eigvalsh(gram[parts])
    limits = subsets.shape[1] * np.finfo(np.float64).eps * np.abs(values).max(axis=1)
    # No eigenvalue moves by more than the largest sum of a row.
    limits += errors[parts].sum(axis=2).max(axis=1)
    below = values[:, 0] < -limits
    return subsets[np.where(below, values[:, 0], np.inf).argmin()] if below.any() else None


def _negative(gram: FloatArray, errors: FloatArray, chosen: Indices) -> bool:
    part = np.ix_(chosen, chosen)
    values, vectors = np.linalg.eigh(gram[part])
    return bool(values[0] < -_tolerance(values) - _blurred(vectors[:, 0], errors[part]))


def _spare(gram: FloatArray, errors: FloatArray, chosen: Indices) -> Indices:
    """Leave out examples, those that weigh least first, until none can be spared."""
    indices = np.sort(chosen)
    while True:
        weights = np.abs(np.linalg.eigh(gram[np.ix_(indices, indices)])[1][:, 0])
        smaller_sets = (np.delete(indices, at) for at in np.argsort(weights, kind="stable"))
        fewer = next((fewer for fewer in smaller_sets if _negative(gram, errors, fewer)), None)
        if fewer is None:
            return indices
        indices = fewer


def _by_hand(gram: FloatArray, errors: FloatArray) -> FloatArray:
    """Return a c with cᵀKc < 0 for a K with an eigenvalue below 0: of small whole numbers if such
    do.
    """
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    limit = -_tolerance(values)
    c = vectors[:, 0]
    best: tuple[float, FloatArray] = (0.0, c)
    for largest in _WHOLE:
        tried = _whole_numbers(c, largest)
        most = _quadratic(tried, gram) + _quadratic(np.abs(tried), errors)
        shares = most / np.einsum("ki,ki->k", tried, tried)
        at = int(shares.argmin())
        if shares[at] < min(best[0], limit):
            best = float(shares[at]), tried[at]
        if best[0] < _SHARE * values[0]:
            break
    chosen = best[1] if best[0] < 0 else _rounded(gram, errors, c, limit)
    # + 0.0 makes 0.0 of -0.0.
    return np.asarray(chosen * np.sign(chosen[np.flatnonzero(chosen)[0]]) + 0.0)


def _quadratic(c: FloatArray, gram: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ki,ij,kj->k", c, gram, c))


def _whole_numbers(c: FloatArray, largest: int) -> FloatArray:
    """Return the c of whole numbers to try, (many, m): all up to the largest, or the nearest to c
    if m is large.
    """
    if len(c) <= _FEW:
        every = np.array(
            list(product(range(-largest, largest + 1), repeat=len(c))), dtype=np.float64
        )
        order = np.lexsort((np.abs(every).sum(axis=1), np.abs(every).max(axis=1)))
        return np.asarray(every[order][1:])  # Zero is left out, and small numbers come first.
    return np.asarray(np.rint(largest * c / np.abs(c).max())[None])


def _rounded(gram: FloatArray, errors: FloatArray, c: FloatArray, limit: float) -> FloatArray:
    """Return the smallest multiple of c that still refutes when it is rounded to whole numbers; c
    itself if none.
    """
    for largest in (*range(1, 101), *(10**power for power in range(3, 16))):
        whole = np.rint(largest * c / np.abs(c).max())
        if whole @ gram @ whole + _blurred(whole, errors) < limit * (whole @ whole):
            return np.asarray(whole)
    return c
