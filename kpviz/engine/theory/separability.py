"""Whether a hyperplane of the feature space separates the classes: decided, with what proves it.

Either there is an f = Σ_i coef_i k(x_i, ·) + b with y f > 0 on all examples, or the classes cross:
some weights of at least 0 make the weighted sum of the y_i φ(x_i) vanish, and with an intercept
each class weighs the same, so that the two weighted means are one point (Gordan's theorem of the
alternative, 1873; for the convex hulls Minkowski, 1896).

Legend: n examples; K their Gram matrix; R the square root of its largest diagonal entry; A a matrix
with AᵀA = K.

Tests: tests/engine/test_theory.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel, Normalized, Product, Sum
from kpviz.engine.kernels.features import LARGEST, features
from kpviz.engine.theory import geometry

# If the features are a root of K, a nearest point within this share of R is the origin.
_CROSSES = 1e-10
# With so few examples the f of the widest margin, which is the smoothest, is soon found.
_FEW = 200
_LARGE = 1e-9  # A larger share of the largest eigenvalue is not what rounding makes of 0.
# Share of the largest weight: a smaller one is rounding, and its example no part of a crossing.
_NOTHING = 1e-12
# Each term of a score, its k(u, v) included, has this relative error.
_ROUNDING = 4.0 * float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class Separability:
    """What was decided, and the proof.

    Attributes
    ----------
    separable : None where rounding leaves it open, or there is no feature space.
    coef, intercept : (n,) and b, of an f that separates; None where it is known that there is one,
        and none was found.
    weights : (n,) where the classes cross, at least 0 with sum 1; only examples on which it depends
        are above 0.
    same_place : whether the crossing is two examples at one place with different labels.
    """

    separable: bool | None
    coef: FloatArray | None = None
    intercept: float = 0.0
    weights: FloatArray | None = None
    same_place: bool = False


def decide(
    X: NDArray[Any],
    y: FloatArray,
    kernel: Kernel | None,
    gram: FloatArray,
    *,
    intercept: bool = False,
) -> Separability:
    """Decide whether the classes can be separated in the feature space; `kernel` is None where only
    K is known.

    Parameters
    ----------
    X, y : (n, ...) examples and (n,) labels, +1 or -1.
    gram : (n, n) kernel(X, X).
    intercept : whether f may have one.

    Examples
    --------
    >>> import kpviz
    >>> X = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])
    >>> y = np.array([1.0, 1.0, -1.0, -1.0])
    >>> linear, square = kpviz.kernels.Linear(), kpviz.kernels.Monomial(degree=2)
    >>> decide(X, y, linear, linear(X, X), intercept=True).weights
    array([0.25, 0.25, 0.25, 0.25])
    >>> decide(X, y, square, square(X, X)).separable
    True
    """
    if not len(y):
        return Separability(True, np.zeros(0))
    y = checks.labels(y, len(gram))
    pair = same_place(X, y)
    if pair is not None:
        weights = np.zeros(len(y))
        weights[list(pair)] = 0.5
        return Separability(False, weights=weights, same_place=True)
    separates = _Separates(gram, y, intercept=intercept)
    if kernel is not None and _separates_any(kernel):
        if len(y) <= _FEW:
            widest = separates.by_nearest_point(geometry.root(gram), are_features=False)
            if widest.separable:
                return widest
        return separates.by_solving() or Separability(True)
    phi = None if kernel is None else _features(X, kernel)
    try:
        points = geometry.root(gram) if phi is None else phi.T
    except ValueError:  # K is not positive semidefinite, so there is no feature space.
        return Separability(None)
    separability = separates.by_nearest_point(points, are_features=phi is not None)
    if separability.separable is None:
        return separates.by_solving() or separability
    # A root of K may lose what separates the classes: then that they cross is not believed.
    if separability.separable or phi is not None or _has_clear_rank(gram):
        return separability
    return Separability(None)


def is_separable(gram: FloatArray, y: FloatArray, *, intercept: bool = False) -> bool | None:
    """Return whether a hyperplane of the feature space has all examples of each class on one side
    of its own.

    It is decided by an f that separates, or by weights by which the classes cross. None where
    rounding leaves it open.

    Parameters
    ----------
    gram : K(X, X) of the examples, (n, n).
    y : their labels, (n,), -1 or +1.
    intercept : whether f may have an intercept: without one the hyperplane goes through the origin.

    Raises
    ------
    ValueError
        If gram is not square, symmetric and positive semidefinite (there is no feature space), or y
        does not hold n labels -1 or +1.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> linear, square = kpviz.kernels.Linear(), kpviz.kernels.Monomial(degree=2)
    >>> is_separable(linear(X, X), y, intercept=True), is_separable(square(X, X), y)
    (False, True)
    """
    gram, y = geometry.square(gram, y)
    gram, _ = geometry.in_range(gram)
    geometry.root(gram)  # It refuses what is not positive semidefinite.
    return decide(gram, y, None, gram, intercept=checks.flag("intercept", intercept)).separable


@dataclass(frozen=True, eq=False)
class _Separates:
    """Looks for f, and believes only what its scores prove."""

    gram: FloatArray
    y: FloatArray
    intercept: bool

    def by_solving(self) -> Separability | None:
        """Let f be y on the examples; None where rounding is too large."""
        largest = float(self.gram.diagonal().max(initial=0.0))
        for ridge in (0.0, 1e-14, 1e-12, 1e-10):
            try:
                coef: NDArray[Any] = np.linalg.solve(
                    self.gram + ridge * largest * np.eye(len(self.y)), self.y
                )
            except np.linalg.LinAlgError:
                continue
            if self._holds(coef, 0.0):
                return Separability(True, coef)
        return None

    def by_nearest_point(self, points: FloatArray, *, are_features: bool) -> Separability:
        """Find the point of the convex hull of the y_i φ(x_i) that is nearest to the origin: f, or
        the crossing.

        `are_features` says that each entry of `points` is exact except for its own rounding, which
        a root of K is not.
        """
        lengths = np.sqrt((points**2).sum(axis=0))
        radius = float(lengths.max(initial=0.0)) or 1.0
        if self.intercept:
            points = np.vstack([points, np.full(points.shape[1], radius)])
        signed = points * self.y
        try:
            weights = geometry.nearest_point(signed)
        except geometry.NearestPointError:
            return Separability(None)
        coef = weights * self.y
        shift = radius**2 * float(coef.sum()) if self.intercept else 0.0
        if self._holds(coef, shift):
            return Separability(True, coef, shift)
        if are_features:
            weights = _polished(signed, weights, radius)
            if _is_positive_on_all(signed @ weights, signed):
                return Separability(True)
            crosses = _vanishes(signed, weights)
        else:
            crosses = bool(np.linalg.norm(signed @ weights) <= _CROSSES * radius)
        if not crosses:
            return Separability(None)
        return Separability(
            False, weights=np.where(weights > _NOTHING * weights.max(), weights, 0.0)
        )

    def _holds(self, coef: NDArray[Any], shift: float) -> bool:
        terms = len(coef) + 1
        rounding = terms * _ROUNDING * (np.abs(self.gram) @ np.abs(coef) + abs(shift))
        return bool((self.y * (self.gram @ coef + shift) > rounding).all())


def _is_positive_on_all(direction: FloatArray, signed: FloatArray) -> bool:
    """Whether w·(y_i φ(x_i)) > 0 for all columns of `signed`, by more than the rounding of its
    terms.
    """
    terms = len(direction) + 1
    rounding = terms * _ROUNDING * (np.abs(signed).T @ np.abs(direction))
    return bool((signed.T @ direction > rounding).all())


def _vanishes(signed: FloatArray, weights: FloatArray) -> bool:
    """Whether the weighted sum of the columns is 0, except for the rounding of its terms."""
    terms = int((weights > 0.0).sum()) + 1
    return bool((np.abs(signed @ weights) <= terms * _ROUNDING * (np.abs(signed) @ weights)).all())


def _polished(signed: FloatArray, weights: FloatArray, radius: float) -> FloatArray:
    """Return weights whose sum of the columns is as near to 0 as rounding lets it be, if it can be
    0.
    """
    active = np.flatnonzero(weights > _NOTHING * weights.max())
    rows = np.vstack([signed[:, active], np.full(len(active), radius)])
    target = np.append(np.zeros(len(signed)), radius)
    solved = np.linalg.lstsq(rows, target, rcond=None)[0]
    solved += np.linalg.lstsq(rows, target - rows @ solved, rcond=None)[0]
    if (solved < 0.0).any():
        return weights
    polished = np.zeros_like(weights)
    polished[active] = solved / solved.sum()
    return polished


def _features(X: NDArray[Any], kernel: Kernel) -> FloatArray | None:
    """Return φ of each example, (n, dim), None where it cannot be written out."""
    factors = kernel.factors(X)
    if factors is not None:
        return factors
    if isinstance(kernel, Normalized):
        phi = _features(X, kernel.kernel)
        if phi is None:
            return None
        lengths = np.sqrt((phi**2).sum(axis=1, keepdims=True))
        return np.asarray(phi / np.where(lengths > 0.0, lengths, 1.0))
    written = kernel.feature_map
    if written is None or kernel.compares != "vectors" or written.dimension(X.shape[1]) > LARGEST:
        return None
    return features(kernel, X)


def _has_clear_rank(gram: FloatArray) -> bool:
    """Whether all eigenvalues are either large or what rounding makes of 0: else a root of K loses
    some.
    """
    values = np.linalg.eigvalsh(gram)
    share = np.abs(values) / float(np.abs(values).max(initial=0.0) or 1.0)
    return bool(((share > _LARGE) | (share < len(gram) * _ROUNDING)).all())


def _separates_any(kernel: Kernel) -> bool:
    """Whether any labels of any distinct points are separated: by a strict kernel, with a sum and a
    product of such.

    The product theorem is Schur's (1911).
    """
    match kernel:
        case Normalized():
            return _separates_any(kernel.kernel)
        case Sum():
            return kernel.psd == "yes" and (
                _separates_any(kernel.first) or _separates_any(kernel.second)
            )
        case Product():
            return _separates_any(kernel.first) and _separates_any(kernel.second)
    return kernel.strict


def same_place(X: NDArray[Any], y: FloatArray) -> tuple[int, int] | None:
    """Return the first two examples that differ only in their labels, None if there are none."""
    rows = map(tuple, X.tolist()) if X.ndim > 1 else X.tolist()
    first: dict[tuple[Any, float], int] = {}
    for i, (at, label) in enumerate(zip(rows, y.tolist(), strict=True)):
        first.setdefault((at, label), i)
        other = first.get((at, -label))
        if other is not None:
            return min(i, other), max(i, other)
    return None
