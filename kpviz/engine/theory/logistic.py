"""The optimum that kernel logistic regression converges to.

Tests: tests/engine/test_theory.py.
"""

from __future__ import annotations

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.theory.geometry import in_range, root, square

_RESIDUAL = 1e-10
_UNRELIABLE = 1e-6  # Rounding leaves this much only where K / regularization exceeds about 1e10.
_MOST_STEPS = 200
_MOST_HALVINGS = 40


def logistic_optimum(gram: FloatArray, y: FloatArray, regularization: float) -> FloatArray:
    """Return the coef, shape (n,), at which the penalised logistic loss is least.

    With f = K coef (no intercept) it minimizes  sum log(1 + exp(-y_i f_i)) + (regularization / 2)
    coefᵀ K coef. There regularization * coef = t - p with t = (1 + y) / 2 and p = 1 / (1 +
    exp(-f)): no coefficient is 0 (some may underflow), each has its label's sign and a size below 1
    / regularization. This equation is solved to 1e-10 (or to what rounding allows, if
    regularization is tiny compared to K), also where K does not have full rank: then only f is
    unique at the minimum, and the equation singles out one coef.

    Newton's method, as iteratively reweighted least squares: (W K + regularization I) coef = W z
    with W = diag(p (1 - p)) and W z = W f + t - p; a step that does not lower the loss is halved.

    Parameters
    ----------
    gram : K(X, X) of the training examples, (n, n).
    y : their labels, (n,), -1 or +1.
    regularization : above 0; scikit-learn's `LogisticRegression(C=1 / regularization,
        fit_intercept=False)`.

    Raises
    ------
    ValueError
        If regularization is not above 0 or too small for double precision, or gram is not square,
        symmetric and positive semidefinite (on an indefinite one the loss has no minimum).

    Notes
    -----
    Source: T. Hastie, R. Tibshirani, J. Friedman, "The Elements of Statistical Learning" (2009);
    J. Zhu, T. Hastie, "Kernel logistic regression and the import vector machine" (2005).

    Examples
    --------
    On XOR with (u·v + 1)² all four coefficients have one size a, where 8a is f and a = 1 - p:

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> gram = kpviz.kernels.Polynomial(degree=2, coef0=1.0)(X, X)
    >>> y * logistic_optimum(gram, y, regularization=1.0).round(4)
    array([0.1852, 0.1852, 0.1852, 0.1852])
    """
    gram, y = square(gram, y)
    strength = checks.number("regularization", regularization, above=0.0)
    root(in_range(gram)[0])
    with np.errstate(over="ignore", invalid="ignore"):  # A Gram matrix may be too large.
        coef, largest_gap = _solved(gram, y, strength)
    if not largest_gap <= _UNRELIABLE:  # NaN is not reliable, either.
        raise ValueError(
            f"regularization={strength:g} is too small compared to gram for double precision: "
            f"make it larger."
        )
    return coef


def _solved(gram: FloatArray, y: FloatArray, strength: float) -> tuple[FloatArray, float]:
    """Return coef, and by how much it misses the equation."""
    coef = np.zeros(len(y))
    scores = np.zeros(len(y))
    for _ in range(_MOST_STEPS):
        gap = _missing(y, scores) - strength * coef
        if np.abs(gap).max() <= _RESIDUAL:
            break
        better = _step(gram, y, strength, coef, scores, gap)
        if better is None:
            break
        coef, scores = better
    return coef, float(np.abs(gap).max())


def _missing(y: FloatArray, scores: FloatArray) -> FloatArray:
    """Return t - p = y σ(-y f), without cancellation."""
    return np.asarray(y * np.exp(-np.logaddexp(0.0, y * scores)))


def _step(
    gram: FloatArray,
    y: FloatArray,
    strength: float,
    coef: FloatArray,
    scores: FloatArray,
    gap: FloatArray,
) -> tuple[FloatArray, FloatArray] | None:
    """Return coef and scores after a Newton step, halved until it helps; None if none does."""
    share = np.abs(_missing(y, scores))
    system = (share * (1 - share))[:, None] * gram
    system[np.diag_indices_from(system)] += strength
    try:
        direction = np.linalg.solve(system, gap)
    except np.linalg.LinAlgError:
        return None
    change = gram @ direction
    before = _loss(y, strength, coef, scores)
    for halving in range(_MOST_HALVINGS):
        length = 0.5**halving
        new = coef + length * direction
        reached = scores + length * change
        residual = np.abs(_missing(y, reached) - strength * new).max()
        if _loss(y, strength, new, reached) < before or residual < 0.5 * np.abs(gap).max():
            return new, gram @ new
    return None


def _loss(y: FloatArray, strength: float, coef: FloatArray, scores: FloatArray) -> float:
    return float(np.logaddexp(0.0, -y * scores).sum() + strength / 2 * coef @ scores)
