"""The theorems on mistakes, as formulas: margins of a comparator and counts of presentations in, a
number out.

Legend: u a unit vector of the feature space, the *comparator*; margins its y_i ⟨u, φ(x_i)⟩, shape
(n,); counts how often each example was presented, shape (n,), or (T, n) for T instants at once; M
the mistakes made; R² = max k(x, x). An intercept is a constant feature: the kernel is k + 1
("unit") or k + R² ("radius"), R² and the margins are its own.

Tests: tests/engine/test_bounds.py.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.theory.geometry import (
    max_margin,
    max_margin_with_intercept,
    radius_of,
    square,
)

FORGETRON_BUDGET = 83  # The theorem is proven for no smaller budget.
_GRID = 96  # So many margins are tried besides those of the examples.
_MOST_BITS = 10_000  # Python can still print a bound of so many bits.
_MOST_MISTAKES = 1e300
_SMALLEST = 1e-300  # A smaller radius counts as 0: shares of it would not be floats.
# Margins are tried up to so many radii: there the bound is near the number of presentations.
_WIDEST = 300.0


def mistake_bound(gram: FloatArray, y: FloatArray) -> float:
    """Return Novikoff's bound R²/margin² (1962) on the mistakes of a perceptron without intercept.

    Infinite if the examples are not separable through the origin of the feature space. It holds for
    any order and any number of epochs, from a zero start. With the unit or radius intercept it
    holds for gram + 1 or gram + R². ValueError as for `max_margin`.

    Parameters
    ----------
    gram : K(X, X) of the training examples, (n, n).
    y : their labels, (n,), -1 or +1.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> round(mistake_bound(kpviz.kernels.Polynomial(degree=2, coef0=1.0)(X, X), y), 6)
    4.5
    """
    gram, y = square(gram, y)
    margin = max_margin(gram, y)
    return math.inf if margin == 0.0 else (radius_of(gram) / margin) ** 2


def radius_mistake_bound(gram: FloatArray, y: FloatArray) -> float:
    """Return (2R/margin)², the bound on the mistakes of a perceptron with the radius intercept (b
    += y R²).

    The margin is the best of u *and* b. As |b| <= R in a best pair, (u, b/R) has norm at most √2 in
    the feature space of k + R², whose radius is √2 R: Novikoff's bound there is at most (√2 R √2 /
    margin)². So `mistake_bound(gram + R², y)` is never larger; this form speaks of a margin that
    can be seen. If all labels are alike the margin is that of the best u and b = ±R. Infinite if no
    u and b separate the examples. ValueError as for `max_margin`.

    Source: N. Cristianini, J. Shawe-Taylor, "An Introduction to Support Vector Machines" (2000),
    chapter 2.

    Parameters
    ----------
    gram : K(X, X) of the training examples, (n, n).
    y : their labels, (n,), -1 or +1.

    Examples
    --------
    >>> line = np.array([[1.0], [2.0], [4.0]])
    >>> round(radius_mistake_bound(line @ line.T, np.array([-1.0, -1.0, 1.0])), 3)
    64.0
    """
    gram, y = square(gram, y)
    margin = radius_margin(gram, y)
    return math.inf if margin == 0.0 else (2 * radius_of(gram) / margin) ** 2


def radius_margin(gram: FloatArray, y: FloatArray) -> float:
    """Return the best margin over all u of length at most 1 and |b| <= R; of one class u = 0
    reaches R.
    """
    margin = max_margin_with_intercept(gram, y)
    return radius_of(gram) + max_margin(gram, y) if math.isinf(margin) else margin


def deviation_bound(
    margins: FloatArray, counts: NDArray[Any], radius: float, margin: float
) -> float:
    """Return ((R + D)/margin)², D² = sum of counts_i max(0, margin - margins_i)², for any margin
    above 0.

    It bounds the mistakes of the perceptron on *any* sequence, separable or not, for every unit u
    and every margin: give each presentation a feature of its own, worth margin, and Novikoff's
    bound applies. D sums over every presentation made; with one epoch's D it is not a bound for
    two. ValueError unless margin is above 0.

    Source: Y. Freund, R. E. Schapire, "Large margin classification using the perceptron algorithm"
    (1999).

    Parameters
    ----------
    margins : y_i u(x_i) of some u in the feature space with ‖u‖ = 1, (n,).
    counts : how often each example was shown, (n,).
    radius : R, the root of the largest k(x, x).
    margin : γ, the margin that is wanted, above 0.

    Examples
    --------
    Three examples, ten epochs; one is on the wrong side by 0.1, where a margin of 0.5 is asked for:

    >>> margins = np.array([0.5, 0.7, -0.1])
    >>> round(deviation_bound(margins, np.array([10, 10, 10]), radius=1.0, margin=0.5), 2)
    33.58
    """
    margins, counts, radius = _checked(margins, counts, radius)
    margin = checks.number("margin", margin, above=0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        short = np.maximum(0.0, margin - margins)
        deviation = np.sqrt(_single(counts) @ short**2)
        return _finite(((radius + deviation) / np.float64(margin)) ** 2)


def hinge_bound(margins: FloatArray, counts: NDArray[Any], radius: float, margin: float) -> float:
    """Return ((R/margin + √(R²/margin² + 4L))/2)², L = sum of counts_i max(0, 1 - margins_i /
    margin).

    It bounds the mistakes of the perceptron on any sequence: every mistake adds at least margin (1
    - its loss) to ⟨u, f⟩, and ‖f‖ <= R √M, so M <= L + (R/margin) √M. (L over the mistakes alone
    would do; that L is known only afterwards. Here it sums over every presentation.) ValueError
    unless margin is above 0.

    Source: M. Mohri, A. Rostamizadeh, "Perceptron mistake bounds" (2013), arXiv:1305.0208.

    Parameters
    ----------
    margins : y_i u(x_i) of some u in the feature space with ‖u‖ = 1, (n,).
    counts : how often each example was shown, (n,).
    radius : R, the root of the largest k(x, x).
    margin : γ, the margin that is wanted, above 0.

    Examples
    --------
    >>> margins = np.array([0.5, 0.7, -0.1])
    >>> round(hinge_bound(margins, np.array([10, 10, 10]), radius=1.0, margin=0.5), 2)
    21.21
    """
    margins, counts, radius = _checked(margins, counts, radius)
    margin = checks.number("margin", margin, above=0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        losses = np.maximum(0.0, 1.0 - margins / margin)
        ratio = radius / np.float64(margin)
        return _finite(((ratio + np.sqrt(ratio**2 + 4 * (_single(counts) @ losses))) / 2) ** 2)


def least_deviation_bound(
    margins: FloatArray, counts: NDArray[Any], radius: float
) -> tuple[FloatArray, FloatArray]:
    """Return the least `deviation_bound` over margins tried, and the margin of each: two arrays
    (T,) for counts (T, n).

    The examples' own margins are tried, and a grid. As the margin grows the bound goes to the
    number of presentations.

    Parameters
    ----------
    margins : y_i u(x_i) of some u in the feature space with ‖u‖ = 1, (n,).
    counts : how often each example was shown by each of T instants, (T, n).
    radius : R, the root of the largest k(x, x).
    """
    margins, counts, radius = _checked(margins, counts, radius)
    with np.errstate(over="ignore", invalid="ignore"):
        tried = _tried(margins, radius)
        _, squares = _shortfalls(margins, counts, tried)
        return _least(((radius + np.sqrt(squares)) / tried) ** 2, tried)


def least_hinge_bound(
    margins: FloatArray, counts: NDArray[Any], radius: float
) -> tuple[FloatArray, FloatArray]:
    """Return the least `hinge_bound` over margins tried, and the margin of each: two arrays (T,)
    for counts (T, n).

    Parameters
    ----------
    margins : y_i u(x_i) of some u in the feature space with ‖u‖ = 1, (n,).
    counts : how often each example was shown by each of T instants, (T, n).
    radius : R, the root of the largest k(x, x).
    """
    margins, counts, radius = _checked(margins, counts, radius)
    with np.errstate(over="ignore", invalid="ignore"):
        tried = _tried(margins, radius)
        sums, _ = _shortfalls(margins, counts, tried)
        ratio = radius / tried
        return _least(((ratio + np.sqrt(ratio**2 + 4 * sums / tried)) / 2) ** 2, tried)


def forgetron_radius(budget: int) -> float:
    """Return U = ¼ √((B + 1) / log(B + 1)), the largest norm that the Forgetron's bound lets a
    comparator have.

    B is the budget; ValueError unless it is at least 1.

    Parameters
    ----------
    budget : B, how many examples are remembered at most.

    Examples
    --------
    >>> round(forgetron_radius(83), 3), round(forgetron_radius(1000), 3)
    (1.089, 3.009)
    """
    entries = checks.integer("budget", budget, low=1, high=checks.LARGEST_COUNT) + 1
    return math.sqrt(entries / math.log(entries)) / 4


def forgetron_bound(margins: FloatArray, counts: NDArray[Any], norm: float) -> float:
    """Return 2‖g‖² + 4 sum of counts_i max(0, 1 - y_i g(x_i)) for the comparator g = norm * u.

    It bounds the mistakes of the Forgetron, self-tuned or basic, on any sequence with k(x, x) <= 1,
    if its budget is at least 83 and norm at most `forgetron_radius(budget)`; this function checks
    neither. At norm 0 it is 4 times the number of presentations, so it says something only where a
    short g is nearly without loss. ValueError if norm is below 0.

    Source: O. Dekel, S. Shalev-Shwartz, Y. Singer, "The Forgetron: a kernel-based perceptron on a
    budget", SIAM Journal on Computing 37 (2008).

    Parameters
    ----------
    margins : y_i u(x_i) of some u in the feature space with ‖u‖ = 1, (n,).
    counts : how often each example was shown, (n,).
    norm : ‖g‖, at most U.

    Examples
    --------
    >>> round(forgetron_bound(np.array([0.9, 0.95]), np.array([50, 50]), norm=1.08), 3)
    7.933
    """
    margins, counts, _ = _checked(margins, counts)
    norm = checks.number("norm", norm, low=0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        losses = np.maximum(0.0, 1.0 - norm * margins)
        return _finite(2 * np.float64(norm) ** 2 + 4 * (_single(counts) @ losses))


def least_forgetron_bound(
    margins: FloatArray, counts: NDArray[Any], budget: int
) -> tuple[FloatArray, FloatArray]:
    """Return the least `forgetron_bound` over norms up to U, and the norm of each: two arrays (T,).

    Parameters
    ----------
    margins : y_i u(x_i) of some u in the feature space with ‖u‖ = 1, (n,).
    counts : how often each example was shown by each of T instants, (T, n).
    budget : B, how many examples are remembered at most.
    """
    margins, counts, _ = _checked(margins, counts)
    largest = forgetron_radius(budget)
    kinks = 1.0 / margins[margins > 1.0 / largest]
    norms = np.concatenate([kinks, np.linspace(0.0, largest, _GRID + 1)[1:]])
    with np.errstate(over="ignore", invalid="ignore"):
        sums, _ = _shortfalls(margins, counts, 1.0 / norms)
        return _least(2 * norms**2 + 4 * norms * sums, norms)


def least_passive_aggressive_bound(
    margins: FloatArray, counts: NDArray[Any], radius: float, C: float, *, squared: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the least of PA-I's bound, or of PA-II's (squared), over norms tried, and the norm of
    each: arrays (T,).

    PA-I makes at most max(R², 1/C)·(‖u‖² + 2C Σ loss) mistakes on any sequence, and PA-II at most
    (R² + 1/(2C))·(‖u‖² + 2C Σ loss²), for every u, where loss = max(0, 1 - y_i ⟨u, φ(x_i)⟩) of
    every presentation.

    Source: K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer, "Online
    passive-aggressive algorithms", Journal of Machine Learning Research 7 (2006).

    Parameters
    ----------
    margins : y_i u(x_i) of some u in the feature space with ‖u‖ = 1, (n,).
    counts : how often each example was shown by each of T instants, (T, n).
    radius : R, the root of the largest k(x, x).
    C : how aggressive a step may be.
    squared : whether losses are squared.
    """
    norms = 1.0 / _tried(margins, radius)
    sums, squares = _shortfalls(margins, counts, 1.0 / norms)
    if squared:
        return _least((radius**2 + 0.5 / C) * norms**2 * (1.0 + 2.0 * C * squares), norms)
    return _least(max(radius**2, 1.0 / C) * norms * (norms + 2.0 * C * sums), norms)


def dnf_bound(n_bits: int, n_terms: int) -> int:
    """Return 2ⁿ (4l + 1): at most so many mistakes are made on a function of n bits, a DNF of l
    terms, in any order.

    Novikoff's R²‖u‖²/γ², for a perceptron without intercept on `AllSubsets(negated=True)`, or on
    `AllSubsets()` if no literal of the DNF is negated. Every term is a feature that is 0 or 1; with
    u 1 at each of them and -1/2 at the constant feature, which is easily forgotten, u·φ(x) is at
    least 1 - 1/2 where one term or more is true, and -1/2 where none is. So γ = 1/2, ‖u‖² = l +
    1/4, and R² = max k(x, x) = 2ⁿ. It is a worst case: Khardon, Roth & Servedio (2001) show that
    the perceptron can come near to it.

    Parameters
    ----------
    n_bits : n, 1 to 10,000.
    n_terms : l, at least 0.

    Raises
    ------
    ValueError
        One sentence: one of them is not such a whole number.

    Examples
    --------
    >>> dnf_bound(n_bits=4, n_terms=8)  # parity of 4 bits, which costs 16
    528
    """
    bits = checks.integer("n_bits", n_bits, low=1, high=_MOST_BITS)
    terms = checks.integer("n_terms", n_terms, low=0)
    return int(2**bits * (4 * terms + 1))


def voted_bound(mistakes: float, examples: int) -> float:
    """Return 2 E[M]/(m + 1), a bound on the probability that the vote after one pass errs on a
    fresh example.

    `mistakes` is E[M], the mistakes expected in one pass over m + 1 examples drawn independently
    from one distribution, or a bound on it. The probability is over the draw of the m examples and
    the fresh one. A vote errs only where at least half of its voters do, and the average voter errs
    E[M]/(m + 1) of the time, as a fresh example is as good as the next. Vacuous from 1 on; nothing
    is guaranteed for more passes than one.

    Source: Freund & Schapire (1999), after D. P. Helmbold, M. K. Warmuth, "On weak learning"
    (1995).

    Parameters
    ----------
    mistakes : made in training.
    examples : of the training set.

    Examples
    --------
    >>> voted_bound(4.5, examples=99)
    0.09
    """
    expected = checks.number("mistakes", mistakes, low=0.0, high=_MOST_MISTAKES)
    return (
        2 * expected / (checks.integer("examples", examples, low=0, high=checks.LARGEST_COUNT) + 1)
    )


def _checked(
    margins: ArrayLike, counts: ArrayLike, radius: float = 0.0
) -> tuple[FloatArray, FloatArray, float]:
    """Return the arguments that the bounds share, or raise a one-sentence ValueError."""
    margins = checks.vector("margins", margins)
    return (
        margins,
        checks.counts("counts", counts, len(margins)),
        checks.number("radius", radius, low=0.0),
    )


def _single(counts: NDArray[Any]) -> NDArray[Any]:
    """Return counts of one instant; a bound of several has a function of its own."""
    if counts.ndim != 1:
        raise ValueError(f"counts has shape {counts.shape}: it must be {counts.shape[-1:]}.")
    return counts


def _finite(value: Any) -> float:
    """Return a bound, or raise a one-sentence ValueError."""
    if not math.isfinite(value):
        raise ValueError(
            "margins, counts, radius, margin and norm make a bound that is too large for floating "
            "point."
        )
    return float(value)


def _tried(margins: FloatArray, radius: float) -> FloatArray:
    """Margins worth trying, all above 0: the deviation has its kinks at the examples' own."""
    unit = radius if radius > _SMALLEST else 1.0
    example_margins = margins[margins > 1e-9 * unit]
    return np.concatenate([example_margins, np.geomspace(1e-4 * unit, _WIDEST * unit, _GRID)])


def _least(values: FloatArray, tried: FloatArray) -> tuple[FloatArray, FloatArray]:
    # NaN comes of numbers that are too large
    best = np.where(np.isnan(values), math.inf, values).argmin(axis=1)
    least = values[np.arange(len(values)), best]
    if not np.isfinite(least).all():
        raise ValueError("margins and radius are too large: a bound is not a finite number.")
    return least, tried[best]


def _shortfalls(
    margins: FloatArray, counts: NDArray[Any], tried: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the counted sums of max(0, m - margins) and of its square, both (T, len(tried)), for
    each m tried.

    Sums over the examples below m are running sums over sorted margins: all m cost one sort.
    """
    order = np.argsort(margins)
    ranked = margins[order]
    sorted_counts = np.atleast_2d(counts)[:, order]
    below = np.searchsorted(ranked, tried, side="left")
    running = [np.cumsum(sorted_counts * ranked**power, axis=1) for power in range(3)]
    powers = [np.pad(sums, ((0, 0), (1, 0)))[:, below] for sums in running]
    sums = tried * powers[0] - powers[1]
    squares = tried**2 * powers[0] - 2 * tried * powers[1] + powers[2]
    return np.maximum(sums, 0.0), np.maximum(squares, 0.0)
