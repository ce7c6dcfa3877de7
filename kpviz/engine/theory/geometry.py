"""Margins, norms and radii of a feature space, from a Gram matrix.

Notation: K the (n, n) Gram matrix, y its labels, f = sum of coef_i k(x_i, ·) without intercept.

Tests: tests/engine/test_theory.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kpviz import packages
from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.rounding import weighted_sums

if TYPE_CHECKING:
    from kpviz.engine.run.run import Run


# A Gram matrix above it, or below its inverse, is scaled: products of its entries must be floats.
_RANGE = 1e100
_SMALLEST = 1e-6  # A best margin below this share of the radius counts as no margin.
_HEAVY = 1e3  # It costs so many radii if the classes do not weigh the same.


def margins(
    gram: FloatArray, y: FloatArray, coef: FloatArray, intercept: float = 0.0
) -> FloatArray:
    """Return y f(x) of each example, shape (n,), for coef of shape (n,); ValueError if gram is not
    square and symmetric, y does not hold n labels -1 or +1, coef does not hold n numbers, or they
    are so large that a margin is not a finite number.

    Parameters
    ----------
    gram : K(X, X) of the training examples, (n, n).
    y : their labels, (n,), -1 or +1.
    coef : signed coefficients y * alpha, (n,).
    intercept : b.
    """
    gram, y = square(gram, y)
    coef = checks.vector("coef", coef, len(gram))
    intercept = checks.number("intercept", intercept)
    with np.errstate(over="ignore", invalid="ignore"):
        result = np.asarray(y * weighted_sums(coef, gram, intercept))
    if not np.isfinite(result).all():
        raise ValueError("gram, coef and intercept are too large: a margin is not a finite number.")
    return result


def rkhs_norm(gram: FloatArray, coef: FloatArray) -> float:
    """Return ‖f‖, the square root of coefᵀ K coef.

    On an indefinite Gram matrix coefᵀ K coef may be negative; then there is no norm and NaN is
    returned. ValueError if gram is not square, coef does not hold n numbers, or the norm is not a
    finite number.

    Parameters
    ----------
    gram : K(X, X) of the training examples, (n, n).
    coef : signed coefficients y * alpha, (n,).
    """
    gram = checks.square_matrix("gram", gram)
    coef = checks.vector("coef", coef, len(gram))
    gram, gram_root = in_range(gram)
    exponent = math.frexp(float(np.abs(coef).max()))[1]
    with np.errstate(over="ignore"):
        norm = float(np.ldexp(_norm(gram, np.ldexp(coef, -exponent)), exponent) * gram_root)
    if math.isinf(norm):
        raise ValueError("gram and coef are too large: ‖f‖ is not a finite number.")
    return norm


def _norm(gram: FloatArray, coef: FloatArray) -> float:
    """Return what `rkhs_norm` returns, of arguments that are checked and not too large."""
    squared = float(coef @ gram @ coef)
    total = float(np.abs(coef).sum())
    # A power would raise where it overflows.
    tolerance = 1e-12 * float(np.abs(gram).max(initial=0.0)) * total * total
    if squared < -tolerance:
        return math.nan
    return math.sqrt(max(squared, 0.0))


def geometric_margins(run: Run, t: int | None = None) -> FloatArray:
    """Return y f(x)/‖f‖ of each training example after t presentations, (n,): its distance from the
    boundary, signed.

    The distance is that in the feature space, from the hyperplane f = 0, whose normal vector is f
    without b.

    Parameters
    ----------
    run : what `kpviz.train` returned.
    t : presentations made, 0 to n_steps; None: all.

    Raises
    ------
    ValueError
        One sentence: t is not an instant of the run, f is 0 (there is no hyperplane), or has no
        norm.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = kpviz.kernels.Monomial(degree=2)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel)
    >>> geometric_margins(run).round(6)
    array([1.414214, 1.414214, 1.414214, 1.414214])
    """
    from kpviz.engine.run.run import checked_run

    checked_run(run)
    at = run.n_steps if t is None else t
    norm = rkhs_norm(run.gram, run.state_at(at).coef)
    if math.isnan(norm):
        raise ValueError(
            f"t={at}: ‖f‖² is below 0, so f has no norm: the kernel is not positive semidefinite."
        )
    if norm == 0.0:
        raise ValueError(f"t={at}: f is 0, so it has no geometric margins.")
    return run.margins_at(at) / norm


def radius(gram: FloatArray) -> float:
    """Return R, the square root of the largest k(x, x); ValueError if gram is not square.

    Parameters
    ----------
    gram : K(X, X) of the training examples, (n, n).
    """
    return radius_of(checks.square_matrix("gram", gram))


def radius_of(gram: FloatArray) -> float:
    """Return what `radius` returns, of a Gram matrix that is checked."""
    return math.sqrt(max(float(np.diagonal(gram).max()), 0.0))


def max_margin(gram: FloatArray, y: FloatArray) -> float:
    """Return the best margin that a unit vector of the feature space reaches on all examples,
    without intercept.

    It is the distance from the origin to the convex hull of the y_i φ(x_i), a small quadratic
    programme, and 0.0 if the examples are not separable through the origin (or by less than a
    millionth of the radius); infinite if there are none.

    Parameters
    ----------
    gram : K(X, X) of the training examples, (n, n).
    y : their labels, (n,), -1 or +1.

    Raises
    ------
    ValueError
        If gram is not square, symmetric and positive semidefinite (there is no feature space to
        measure in), or y does not hold n labels -1 or +1.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> gram = kpviz.kernels.Polynomial(degree=2, coef0=1.0)(X, X)
    >>> round(max_margin(gram, y), 6)
    1.414214
    """
    margins = best_margins(gram, y)
    return 0.0 if margins is None else float(margins.min(initial=math.inf))


def best_margins(gram: FloatArray, y: FloatArray) -> FloatArray | None:
    """Return y_i ⟨u, φ(x_i)⟩ of each example for the unit vector u of `max_margin`, (n,); None if
    there is none; ValueError as for `max_margin`.
    """
    gram, y = square(gram, y)
    gram, gram_root = in_range(gram)
    signed = gram * np.outer(y, y)
    weights = nearest_point(root(signed))
    achieved = signed @ weights  # The vector that the weights build has these margins.
    norm = math.sqrt(max(float(weights @ achieved), 0.0))
    least = _SMALLEST * radius_of(gram)
    if norm <= least:
        return None
    margins = np.asarray(achieved / norm)
    return gram_root * margins if float(margins.min()) > least else None


def max_margin_with_intercept(gram: FloatArray, y: FloatArray) -> float:
    """Return the best margin min y_i (⟨u, φ(x_i)⟩ + b) over unit vectors u and any intercept b.

    It is half the distance between the convex hulls of the two classes; 0.0 if they are not
    separable (or by less than a millionth of the radius), and infinite if there is only one class.
    What is returned is the margin of a vector that was found: never too large, and within a
    millionth of the best where the problem is well scaled.

    Parameters
    ----------
    gram : K(X, X) of the training examples, (n, n).
    y : their labels, (n,), -1 or +1.

    Raises
    ------
    ValueError
        As for `max_margin`.

    Examples
    --------
    >>> line = np.array([[1.0], [2.0], [4.0]])
    >>> round(max_margin_with_intercept(line @ line.T, np.array([-1.0, -1.0, 1.0])), 5)
    1.0
    """
    gram, y = square(gram, y)
    gram, gram_root = in_range(gram)
    points = root(gram)
    if (y == y[0]).all():
        return math.inf
    points -= points.mean(axis=1, keepdims=True)  # The margin does not depend on the origin.
    spread = float(np.sqrt((points**2).sum(axis=0)).max())
    if spread <= _SMALLEST * radius_of(gram):
        return 0.0
    weights = _balanced(points, y)
    u = points @ (weights * y)
    norm = float(np.linalg.norm(u))
    if norm <= _SMALLEST * spread:
        return 0.0
    scores = u @ points
    margin = float(scores[y > 0].min() - scores[y < 0].max()) / (2 * norm)
    return gram_root * margin if margin > _SMALLEST * spread else 0.0


def _balanced(points: FloatArray, y: FloatArray) -> FloatArray:
    """Return weights of the shortest difference between the classes, given as columns: each class
    weighs the same.
    """
    # The margin does not depend on the origin.
    points = points - points.mean(axis=1, keepdims=True)
    spread = float(np.sqrt((points**2).sum(axis=0)).max()) or 1.0
    return nearest_point(np.vstack([_HEAVY * y, y * points / spread]), scale=1.0)


def square(gram: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a symmetric Gram matrix and its labels, or raise a one-sentence ValueError."""
    gram = checks.square_matrix("gram", gram)
    rounding = 1e-10 * float(np.abs(gram).max())
    with np.errstate(over="ignore"):  # The difference of large numbers may be infinite.
        is_symmetric = np.allclose(gram, gram.T, rtol=1e-8, atol=rounding)
    if not is_symmetric:
        raise ValueError("gram is not symmetric: k(u, v) must equal k(v, u).")
    return gram, checks.labels(y, len(gram))


def has_squares(gram: FloatArray) -> bool:
    """Whether products of the entries of a Gram matrix are floats."""
    largest = float(np.abs(gram).max())
    return largest == 0.0 or 1.0 / _RANGE < largest < _RANGE


def in_range(gram: FloatArray) -> tuple[FloatArray, float]:
    """Return a Gram matrix whose entries can be multiplied with each other, and the root of what it
    was divided by.

    That is a power of 4, so that scaling does not round.

    >>> in_range(np.array([[4.0**300]]))
    (array([[1.]]), 2.037035976334486e+90)
    """
    if has_squares(gram):
        return gram, 1.0
    exponent = math.frexp(float(np.abs(gram).max()))[1] // 2
    return np.ldexp(gram, -2 * exponent), math.ldexp(1.0, exponent)


def root(gram: FloatArray) -> FloatArray:
    """Return A with AᵀA = gram, without the directions that rounding alone makes; ValueError if it
    is indefinite.
    """
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    largest = float(np.abs(values).max())
    if values[0] < -1e-9 * largest:
        raise ValueError(
            f"gram has the negative eigenvalue {values[0]:.3g}: without a positive semidefinite "
            f"kernel there is no "
            "margin and no mistake bound."
        )
    is_positive = values > 1e-13 * largest
    return np.asarray(np.sqrt(values[is_positive])[:, None] * vectors[:, is_positive].T)


def nearest_point(A: FloatArray, scale: float | None = None) -> FloatArray:
    """Weights, at least 0 with sum 1, of the point of the convex hull of A's columns nearest to the
    origin.

    Least squares with non-negative weights on A w = 0, sum w = s, rescaled (Lawson & Hanson 1974,
    chapter 23).
    """
    with packages.needs("The largest margin", "sklearn"):
        from scipy.optimize import nnls

    if scale is None:
        scale = float(np.sqrt((A**2).sum(axis=0)).max(initial=0.0)) or 1.0
    stacked = np.vstack([A / scale, np.ones(A.shape[1])])
    target = np.zeros(len(stacked))
    target[-1] = 1.0
    try:
        weights, _ = nnls(stacked, target, maxiter=30 * A.shape[1])
    except RuntimeError:  # It gave up, as SciPy before 1.15 did for some small matrices.
        raise NearestPointError(
            "gram is too hard for non-negative least squares in double precision: its largest "
            "margin was not found."
        ) from None
    return np.asarray(weights / weights.sum())


class NearestPointError(ValueError):
    """The nearest point of a convex hull was not found."""


_STEPS = 8


def candidates(run: Run, gram: FloatArray) -> list[FloatArray]:
    """Return the margins y_i ⟨u, φ(x_i)⟩, each (n,), of directions u that may do well.

    They are the run's last f, the difference of the classes, and two near the best: of all its
    presentations, and of the first n.
    """
    y = run.y
    coefficients = [run.state_at(run.n_steps).coef, y]
    for presented in (run.index, run.index[: len(y)])[: 1 + (run.n_steps > len(y))]:
        coefficients.append(regularized(gram, y, np.bincount(presented, minlength=len(y))))
    margins = [_margins(gram, y, coef) for coef in coefficients]
    unit = [at_unit_length for at_unit_length in margins if at_unit_length is not None]
    return unit or [np.zeros(len(y))]  # 0 is at right angles to every example.


def regularized(gram: FloatArray, y: FloatArray, counts: NDArray[np.integer]) -> FloatArray:
    """Return coefficients near the least of R‖w‖ + √(sum of counts_i max(0, 1 - y_i ⟨w, φ(x_i)⟩)²).

    For u = w/‖w‖ and margin 1/‖w‖ this is the root of the deviation bound. Its least w is a support
    vector machine's with squared hinge loss and λ = R D/‖w‖: a few Newton steps on the examples
    that fall short, λ following.
    """
    size = radius_of(gram)
    coef = np.zeros(len(y))
    strength = size**2 * math.sqrt(max(int(counts.sum()), 1))
    short = np.flatnonzero(counts)
    for _ in range(_STEPS):
        if not len(short) or not strength:
            break
        ridge = np.diag(strength / counts[short])
        solved = np.linalg.solve(gram[np.ix_(short, short)] + ridge, y[short])
        coef = np.zeros(len(y))
        coef[short] = solved
        scores = gram[:, short] @ solved
        norm = math.sqrt(max(float(coef @ scores), 0.0))
        losses = np.maximum(0.0, 1 - y * scores)
        before = short
        short = np.flatnonzero((losses > 0) & (counts > 0))
        deviation = math.sqrt(float(counts @ losses**2))
        last = strength
        strength = size * max(deviation / norm, 1e-9 * size) if norm else 0.0
        if np.array_equal(before, short) and abs(strength - last) <= 0.01 * last:
            break
    return coef


def _margins(gram: FloatArray, y: FloatArray, coef: FloatArray) -> FloatArray | None:
    """Margins of the unit vector along coef, None if it has no direction."""
    norm = _norm(gram, coef)
    # Less is rounding.
    smallest = 1e-6 * float(np.abs(coef) @ np.sqrt(np.maximum(gram.diagonal(), 0.0)))
    return np.asarray(y * (gram @ coef) / norm) if norm > smallest else None
