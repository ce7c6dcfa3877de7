"""Fisher's discriminant (Fisher 1936; many classes: Rao 1948): the direction in which classes lie
apart.

Notation: m the mean of all n examples, m_k that of the n_k examples of class k, F a direction. S_W
= Σ_k Σ_{i in k} (x_i - m_k)(x_i - m_k)ᵀ, S_B = Σ_k n_k (m_k - m)(m_k - m)ᵀ, S_T = Σ_i (x_i - m)(x_i
- m)ᵀ. All three are sums over the examples (or all divided by n): then S_T = S_W + S_B. J(F) =
FᵀS_B F / FᵀS_W F.

Of two classes FᵀS_B F = n₀n₁/n (Fᵀm₁ - Fᵀm₀)²: J is n₀n₁/n times (Fᵀm₁ - Fᵀm₀)²/(s₀ + s₁), s_k the
scatter of class k along F, which is J without the sizes. The best directions are the same.

S_B has rank at most K - 1: it is built from K means, and m is their weighted mean, so only K - 1 of
their differences are independent. Hence at most K - 1 directions have J > 0.

Tests: tests/engine/test_fisher.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray

Codes = NDArray[np.intp]

RIDGE = 1e-6  # Where S_W is singular, it is added to S_W in units in which diag(S_T) = 1.
# So much rounding is left of what adds up to 0, over what was added.
_ROUNDING = 64 * float(np.finfo(np.float64).eps)
_LEAST_SPREAD = 1e-200  # A feature's squares add up to no less, unless it never varies.
# S_W is singular if its smallest eigenvalue is below this share of the largest, in these units.
_SINGULAR = 1e-10


@dataclass(frozen=True, eq=False)
class Scatter:
    """The scatter of n examples of K classes with p features.

    counts (K,) n_k; means (K, p) m_k; mean (p,) m; within, between, total (p, p) S_W, S_B, S_T.
    `ridge` is 0.0, or, where S_W is singular, what J adds to it: FᵀS_W F becomes Fᵀ(S_W + ridge
    D)F, D the diagonal of S_T.
    """

    counts: Codes
    means: FloatArray
    mean: FloatArray
    within: FloatArray
    between: FloatArray
    total: FloatArray

    @property
    def n_directions(self) -> int:
        """How many directions there are at most with J > 0: min(K - 1, p)."""
        return min(len(self.counts) - 1, len(self.mean))

    @cached_property
    def units(self) -> FloatArray:
        """The square root of the diagonal of S_T, shape (p,), and 1 for a feature that never
        varies.
        """
        spread = np.sqrt(np.diagonal(self.total))
        return np.where(spread > 0.0, spread, 1.0)

    @cached_property
    def ridge(self) -> float:
        values = np.linalg.eigvalsh(self.within / np.outer(self.units, self.units))
        return (
            0.0 if values[0] > _SINGULAR * max(float(values[-1]), 1.0 / len(self.units)) else RIDGE
        )

    @property
    def denominator(self) -> FloatArray:
        """S_W with its ridge, shape (p, p): what J divides by."""
        return self.within + self.ridge * np.diag(self.units**2)


def scatter(X: ArrayLike, labels: Codes) -> Scatter:
    """Return the scatter of X, shape (n, p), whose classes are numbered 0 to K - 1 in `labels`,
    shape (n,).

    Raises
    ------
    ValueError
        If there are fewer than two classes, one of the numbers below the largest is missing, or X
        is so large or so small that its squares are not floats.

    Examples
    --------
    >>> S = scatter([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 3.0]], np.array([0, 0, 1, 1]))
    >>> S.within.tolist(), S.between.tolist(), S.total.tolist()
    ([[4.0, 2.0], [2.0, 2.0]], [[0.0, 0.0], [0.0, 4.0]], [[4.0, 2.0], [2.0, 6.0]])
    """
    X = checks.matrix("X", X)
    labels = np.asarray(labels, dtype=np.intp)
    if labels.shape != (len(X),) or labels.min(initial=0) < 0:
        raise ValueError(
            f"labels has shape {labels.shape}: it must number the class of each of the {len(X)} "
            f"examples."
        )
    counts = np.bincount(labels)
    if len(counts) < 2 or not counts.all():
        raise ValueError(
            f"labels has {counts.tolist()} examples of its classes: it must have some of two or "
            f"more."
        )
    member = np.eye(len(counts))[labels]
    with np.errstate(over="ignore", invalid="ignore"):
        means = (member.T @ X) / counts[:, None]
        mean = X.mean(axis=0)
        inner = X - means[labels]
        outer = means - mean
        whole = X - mean
        sums = [inner.T @ inner, (counts * outer.T) @ outer, whole.T @ whole]
    spreads = np.diagonal(sums[2])
    if not np.isfinite(sums).all() or (spreads > 1.0 / _LEAST_SPREAD).any():
        raise ValueError(
            "X is too large: the squares of its entries add up to infinity, so scale X down."
        )
    if ((spreads > 0.0) & (spreads < _LEAST_SPREAD)).any():
        raise ValueError(
            "X is too small: the squares of its entries are lost in double precision, so scale X "
            "up."
        )
    sizes = np.sqrt(spreads)
    rounding = _ROUNDING * np.outer(sizes, sizes)
    return Scatter(counts, means, mean, *(np.where(np.abs(S) <= rounding, 0.0, S) for S in sums))


def criterion(S: Scatter, F: ArrayLike) -> FloatArray:
    """Return J(F) of a direction (p,), or of each column of F, shape (p, m).

    >>> S = scatter([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 3.0]], np.array([0, 0, 1, 1]))
    >>> criterion(S, [0.0, 1.0]).item(), criterion(S, [-1.0, 2.0]).item()
    (2.0, 4.0)
    """
    above, below = parts(S, F)
    return np.asarray(above / below)


def parts(S: Scatter, F: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return FᵀS_B F and FᵀS_W F, with the ridge if there is one, for a direction or each column of
    F.
    """
    F = np.asarray(F, dtype=np.float64)
    between, within = (np.einsum("i...,ij,j...->...", F, M, F) for M in (S.between, S.denominator))
    return np.asarray(between), np.asarray(within)


def directions(S: Scatter) -> tuple[FloatArray, FloatArray]:
    """Return the best directions and their J, the largest first: shapes (p, r) and (r,), r = min(K
    - 1, p).

    They solve S_B F = J S_W F. Columns are scaled so that FᵀS_W F = 1, are S_W-orthogonal to each
    other, and point from the first class towards the last. With two classes the one column is
    proportional to S_W⁻¹(m₁ - m₀).
    """
    shape = S.denominator / np.outer(S.units, S.units)
    values, vectors = np.linalg.eigh(shape)
    whiten = vectors / np.sqrt(values) / S.units[:, None]
    outer = np.sqrt(S.counts)[:, None] * (S.means - S.mean)
    _, singular, turned = np.linalg.svd(outer @ whiten, full_matrices=True)
    r = S.n_directions
    F = whiten @ turned[:r].T
    backwards = (S.means[-1] - S.means[0]) @ F < 0.0
    J = singular[:r] ** 2
    J[_ROUNDING * J[0] >= J] = 0.0
    return F * np.where(backwards, -1.0, 1.0), np.asarray(J)


def thresholds(means: ArrayLike) -> FloatArray:
    """Return the middles between neighbours of the projected class means, shape (K,) or (K, m): (K
    - 1, ...), rising.

    The nearest projected mean decides, as if all classes were equally frequent. Fisher's criterion
    itself names no threshold.
    """
    ranked = np.sort(np.asarray(means, dtype=np.float64), axis=0)
    return np.asarray((ranked[1:] + ranked[:-1]) / 2.0)


@dataclass(frozen=True, eq=False)
class Turn:
    """What there is to know of m directions of the plane, at `angles` (m,) in degrees: F = (cos,
    sin).

    J, between FᵀS_B F, within FᵀS_W F: (m,). means (m, K) and thresholds (m, K - 1) on the axis
    x·F. wrong (m, K) counts the examples of each class whose projection lies nearer another class;
    with two classes wrong[:, 0] are the false positives, wrong[:, 1] the false negatives. low, high
    (m,) bound the axis, of the same length everywhere.
    """

    angles: FloatArray
    J: FloatArray
    between: FloatArray
    within: FloatArray
    means: FloatArray
    thresholds: FloatArray
    wrong: Codes
    low: FloatArray
    high: FloatArray


def turn(X: ArrayLike, labels: Codes, angles: ArrayLike) -> Turn:
    """Project X, shape (n, 2), onto each of the directions at `angles`, in degrees."""
    X = checks.matrix("X", X, columns=2)
    angles = np.asarray(angles, dtype=np.float64)
    S = scatter(X, labels)
    F = np.stack([np.cos(np.radians(angles)), np.sin(np.radians(angles))])
    between, within = parts(S, F)
    means = S.means @ F
    cuts = thresholds(means)
    verdict = classify(X @ F, means, cuts)
    wrong = np.stack(
        [(verdict[labels == k] != k).sum(axis=0) for k in range(len(S.counts))], axis=1
    )
    reach = 1.05 * float(np.linalg.norm(X - S.mean, axis=1).max()) or 1.0
    middle = S.mean @ F
    low = middle - reach
    high = middle + reach
    return Turn(angles, between / within, between, within, means.T, cuts.T, wrong, low, high)


def classify(values: FloatArray, means: FloatArray, cuts: FloatArray) -> Codes:
    """Return the class of each projected value, shape (n, m), from projected means (K, m) and
    thresholds (K - 1, m).

    The stretches between thresholds belong to the classes in the order of their means. A value on a
    threshold belongs to the class with the smaller number.
    """
    ranked = np.argsort(means, axis=0, kind="stable")
    place = np.zeros(values.shape, dtype=np.intp)
    for rank, cut in enumerate(cuts):
        rising = ranked[rank] < ranked[rank + 1]
        place += np.where(rising, values > cut, values >= cut)
    return np.take_along_axis(ranked, place, axis=0)
