"""The primal perceptron (Rosenblatt) beside the dual: the weight vector, its scores, and what each
form costs.

φ(x), a vector with φ(u)·φ(v) = k(u, v), is in `kernels/features.py`.

Legend: n examples; d their features; q a degree; c a constant; dim the entries of φ; w = sum of
coef_i φ(x_i). "In units": coefficients, b, and w made of them are counted in units of the learning
step, `run.unit`, so that they are often whole numbers and ties stay exact; run.unit times as much
is their value.

Tests: tests/engine/test_primal.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import (
    AllSubsets,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern32,
    Matern52,
    Monomial,
    Polynomial,
    Product,
    Sum,
)
from kpviz.engine.kernels.feature_maps import MOST_DEGREE
from kpviz.engine.kernels.features import (
    LARGEST,
    MOST_FEATURES,
    dimension,
    feature_map,
    feature_names,
    features,
    missing,
    number,
    number_of_features,
)
from kpviz.engine.learners.perceptron import Perceptron
from kpviz.engine.powers import times_ten
from kpviz.engine.rounding import without_rounding
from kpviz.engine.run import fold, predictors
from kpviz.engine.run.grid import Extent
from kpviz.engine.run.run import Run, checked_run, checked_time
from kpviz.engine.theory.applicable_bounds import NO_EXAMPLES

__all__ = [
    "LARGEST",
    "SHOWN",
    "Cost",
    "Costs",
    "Growth",
    "PrimalReading",
    "costs",
    "dimension",
    "feature_names",
    "features",
    "growth",
    "kernel_multiplications",
    "map_multiplications",
    "missing",
    "read",
]

_MOST_ROWS = 1000  # A table has no more rows.
SHOWN = 15  # A panel has room for so many entries of w.
_BLOCK = 1 << 20  # So many entries of w, at several presentations, are made at once.


@dataclass(frozen=True, eq=False)
class PrimalReading:
    """The run of a perceptron as the primal algorithm sees it: the same changes, but scores from w.

    Attributes
    ----------
    run : the run that is read.
    phi : (n, dim) features of the training examples.
    names : of its dim columns.
    score : (n_steps,) ⟨w, φ(x)⟩ + b at each presentation, computed from w as it then was.
    agrees : (n_steps,) whether this score gives the verdict (mistake or not) that the kernel gave.
    """

    run: Run
    phi: FloatArray
    names: tuple[str, ...]
    score: FloatArray
    agrees: NDArray[np.bool_]

    @property
    def dimension(self) -> int:
        """Number of entries of w."""
        return len(self.names)

    def w_at(self, t: int) -> FloatArray:
        """Return w after t presentations, shape (dim,); ValueError outside the run."""
        coef, _, unit = predictors.coefficients_in_units(
            self.run, [checked_time(self.run, t)], "last"
        )
        learnt = np.asarray(_weighted(coef[0], self.phi) * unit[0])
        return learnt + start_w(self.run) if starts_at_w0(self.run) else learnt

    def path(self, columns: ArrayLike | None = None) -> FloatArray:
        """Return w before the first change and after each: (n_changes + 1, dim), or only some
        columns of it.
        """
        chosen = slice(None) if columns is None else self._columns(columns)
        phi = self.phi[:, chosen]
        path = _sums(self.run, _start(self.run, phi), phi, slice(None)) * self.run.unit
        if not starts_at_w0(self.run):
            return path
        return path + start_w(self.run)[chosen]

    def _columns(self, columns: ArrayLike) -> NDArray[np.intp]:
        places = checks.integers("columns", columns, low=0, high=self.dimension - 1, most=LARGEST)
        return np.array(places, dtype=np.intp)

    @cached_property
    def intercepts(self) -> FloatArray:
        """(n_changes + 1,) b before the first change and after each, without a b₀ that is only a
        part of f₀, see `starts_at_w0`.
        """
        learnt = _intercepts(self.run) * self.run.unit
        fixed = self.run.initial
        return learnt + fixed.b0 if fixed is not None and starts_at_w0(self.run) else learnt

    @property
    def first_parting(self) -> int | None:
        """The first presentation on which the two verdicts differ, None if none does."""
        return None if self.agrees.all() else int(np.argmin(self.agrees))

    @property
    def why(self) -> str:
        """Why they part, in words; "" where they do not."""
        t = self.first_parting
        if t is None:
            return ""
        dual = float(self.run.score[t])
        primal = number(float(self.score[t]))
        if dual == 0:
            scores = f"0, a tie, and that of w is {primal}"
        else:
            scores = f"{number(dual)} and that of w, both zero except for rounding, is {primal}"
        roots = [part for name in self.names for part in name.split("·") if part.startswith("√")]
        cause = "sums in another order are rounded differently"
        if roots:
            cause = f"{roots[0]} in φ is rounded"
        return f"Step {t + 1:,}: the kernel’s score is {scores}. They part because {cause}."


def read(run: Run, columns: Sequence[str] | None = None) -> PrimalReading:
    """Read the run of a plain perceptron in the primal: no second training, a fold of the same
    changes.

    `columns` names the features of x. ValueError for other learners and kernels without a finite
    map (`missing`).

    Parameters
    ----------
    run : what `kpviz.train` returns.
    columns : what the features of the examples are called; None: u₁, u₂, ….

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = kpviz.kernels.Monomial(degree=2)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel)
    >>> reading = read(run)
    >>> reading.names, reading.w_at(run.n_steps).round(4)
    (('u₁²', '√2·u₁u₂', 'u₂²'), array([ 0.    , -2.8284,  0.    ]))
    """
    _perceptron(run)
    d = run.X.shape[1]
    names = feature_names(run.kernel, d if columns is None else columns)
    if columns is not None and len(columns) != d:
        raise ValueError(
            f"columns has {len(columns)} names: it must have one for each of {d} features."
        )
    phi = features(run.kernel, run.X)
    score = _scores(run, phi)
    agrees = run.learner.mistakes(run.y[run.index], score) == run.mistake
    return PrimalReading(run, phi, names, score, agrees)


@dataclass(frozen=True, eq=False)
class Cost:
    """What one form has spent after t presentations: arrays of length n_steps + 1, exact up to 2⁵³.

    Parameters
    ----------
    stored : numbers that are kept.
    multiplications : of all scores so far.
    additions : of all updates so far; scores add as often as they multiply.
    """

    stored: FloatArray
    multiplications: FloatArray
    additions: FloatArray


@dataclass(frozen=True, eq=False)
class Costs:
    """Both forms' costs; `primal` and what belongs to it are None where φ is infinite or unknown.

    Parameters
    ----------
    support : how many examples have a coefficient other than 0 after t presentations,
        (n_steps + 1,).
    dual : what the form with a coefficient for each example has spent.
    primal : what the form with a weight vector has spent.
    per_example : multiplications of the dual form for one example of the support at one
        presentation.
    per_presentation : multiplications of the primal form at one presentation.
    dimension : of the feature space.
    """

    support: NDArray[np.int64]
    dual: Cost
    primal: Cost | None
    per_example: int
    per_presentation: int | None
    dimension: int | None

    @property
    def break_even(self) -> float | None:
        """Size of the support at which a dual score costs as much as a primal one; below it the
        kernel saves.
        """
        return None if self.per_presentation is None else self.per_presentation / self.per_example


def costs(run: Run) -> Costs:
    """Count the textbook algorithms on a run of a plain perceptron.

    Dual: a coefficient and d coordinates for each support example; each presentation evaluates k
    with each of them and multiplies by its coefficient. Primal: dim weights; each presentation
    computes φ(x) and multiplies by w. An update adds one number there and dim here; b is one number
    more in both. kpviz itself looks k up in a Gram matrix computed once, up to 2,048 examples, and
    so multiplies less; that asks for n² numbers.

    ValueError for other learners and kernels that `kernel_multiplications` cannot count.

    Parameters
    ----------
    run : what `kpviz.train` returns.
    """
    b = int(_perceptron(run).intercept != "none")
    if run.kernel is not None and run.kernel.compares != "vectors":
        raise ValueError(
            f"run compares {run.kernel.compares}: multiplications are counted for vectors alone."
        )
    d = run.X.shape[1]
    per_example = kernel_multiplications(run.kernel, d) + 1
    times = np.arange(run.n_steps + 1)
    updates = np.searchsorted(run.changes.step, times).astype(np.float64)
    # An example joins the support with its first change, unless a resumed run began with it.
    support_before = np.zeros(0, dtype=np.intp) if run.start is None else run.start.support
    changed, first_change = np.unique(run.changes.index, return_index=True)
    is_new = ~np.isin(changed, support_before)
    joining_steps = np.sort(run.changes.step[first_change[is_new]])
    support = np.searchsorted(joining_steps, times) + len(support_before)
    multiplications = (np.cumsum(np.append(0, support[:-1])) * per_example).astype(np.float64)
    dual = Cost(support * (d + 1.0) + b, multiplications, updates * (1 + b))
    if missing(run.kernel):
        return Costs(support, dual, None, per_example, None, None)
    dim = dimension(run.kernel, d)
    per_presentation = map_multiplications(run.kernel, d) + dim
    primal = Cost(
        np.full(len(times), float(dim + b)),
        np.multiply(times, float(per_presentation), dtype=np.float64),
        updates * float(dim + b),
    )
    return Costs(support, dual, primal, per_example, per_presentation, dim)


def kernel_multiplications(kernel: Kernel | None, n_features: int) -> int:
    """Return the multiplications of one k(u, v): exp and additions are counted as 1 and 0.

    Linear d; (u·v + c)^q d and repeated squaring; Gaussian d squares, one scale, one exp; Laplacian
    one scale, one exp; all subsets 2d - 1; a sum as many as both kernels, a product one more.
    ValueError for a kernel that has no count, and unless n_features is at least 1.

    Parameters
    ----------
    kernel : an object of `kpviz.kernels`.
    n_features : of the examples.

    Examples
    --------
    >>> kernel_multiplications(Polynomial(degree=10, coef0=1.0), 784)
    788
    """
    d = number_of_features(n_features)
    if kernel is not None:
        checks.instance("kernel", kernel, Kernel, "a kernel object such as Gaussian(sigma=0.5)")
    count = None if kernel is None else _multiplications(kernel, d)
    if count is not None:
        return count
    name = "precomputed" if kernel is None else kernel.name
    raise ValueError(f"kernel={name!r} cannot be counted: how it multiplies is not known.")


def _multiplications(kernel: Kernel, d: int) -> int | None:
    """Return the multiplications of one k(u, v) of d features; None where they are not known."""
    match kernel:
        case Linear():
            return d
        case Polynomial() | Monomial():
            # The power is made by repeated squaring.
            squarings = kernel.degree.bit_length() - 1
            return d + squarings + kernel.degree.bit_count() - 1
        case Gaussian():
            return d + 2
        case Laplacian():
            return 2
        case Matern32():
            return d + 4
        case Matern52():
            return d + 6
        case AllSubsets(negated=False):
            return 2 * d - 1
        case Sum() | Product():
            first = _multiplications(kernel.first, d)
            second = _multiplications(kernel.second, d)
            if first is None or second is None:
                return None
            return first + second + isinstance(kernel, Product)
    return None


def map_multiplications(kernel: Kernel | None, n_features: int) -> int:
    """Return the multiplications of one φ(x), without building it.

    A monomial of degree 2 or more is one of a degree less times a coordinate, and is multiplied by
    its weight where that is not 1 for all c; the constant is stored. A product of kernels
    multiplies each feature of one by each of the other. ValueError for kernels without a finite
    map.

    Parameters
    ----------
    kernel : an object of `kpviz.kernels`.
    n_features : of the examples.

    Examples
    --------
    >>> map_multiplications(Monomial(degree=2), 2)
    4
    """
    return feature_map(kernel).multiplications(number_of_features(n_features))


@dataclass(frozen=True)
class Growth:
    """One row of `growth`: how many features φ has, and how many multiplications k(u, v) and
    ⟨w, φ(x)⟩ take, for the kernel (u·v + 1)^degree.

    Parameters
    ----------
    degree : of the kernel.
    n_features : of the examples.
    exactly : features of this degree alone, those of (u·v)^degree.
    up_to : features up to this degree.
    kernel : multiplications of one k(u, v).
    primal : multiplications of one w·φ(x).
    """

    degree: int
    n_features: int
    exactly: int
    up_to: int
    kernel: int
    primal: int


def growth(
    degrees: Sequence[int] = range(1, 11), dimensions: Sequence[int] = (2, 10, 100, 784)
) -> tuple[Growth, ...]:
    """Return what the kernel saves as degree and dimension grow, for (u·v)^q and (u·v + 1)^q; exact
    integers.

    Parameters
    ----------
    degrees : of the kernels that are compared: at most 1,000, each 1 to 10,000.
    dimensions : numbers of features: at most 1,000, each 1 to 1,000,000.

    Raises
    ------
    ValueError
        One sentence: one of the two does not hold such whole numbers.

    Examples
    --------
    >>> growth([2], [784])
    (Growth(degree=2, n_features=784, exactly=307720, up_to=308505, kernel=785, primal=923945),)
    """
    degrees = checks.integers("degrees", degrees, low=1, high=MOST_DEGREE, most=_MOST_ROWS)
    dimensions = checks.integers(
        "dimensions", dimensions, low=1, high=MOST_FEATURES, most=_MOST_ROWS
    )
    return tuple(_growth(q, d) for d in dimensions for q in degrees)


def _growth(q: int, d: int) -> Growth:
    kernel = Polynomial(q, 1.0)
    dim = dimension(kernel, d)
    primal = map_multiplications(kernel, d) + dim
    return Growth(q, d, dimension(Monomial(q), d), dim, kernel_multiplications(kernel, d), primal)


def _perceptron(run: Run) -> Perceptron:
    """Return the learner of a run, or raise a ValueError if it is not the plain perceptron."""
    checked_run(run)
    if isinstance(run.learner, Perceptron):
        return run.learner
    raise ValueError(
        f"run is of {type(run.learner).__name__}: the primal form is that of the plain Perceptron."
    )


def _start(run: Run, phi: FloatArray) -> FloatArray:
    """Return w that the run started from, in units."""
    if run.start is None:
        return np.zeros(phi.shape[1])
    return _weighted(fold.start_in_units(run)[0], phi)


def _weighted(coef: FloatArray, phi: FloatArray) -> FloatArray:
    """Return w, the sum of coef_i φ(x_i), with 0 where entries cancel."""
    terms = coef[:, None] * phi
    return without_rounding(terms.sum(axis=0), np.abs(terms).sum(axis=0))


def starts_at_w0(run: Run) -> bool:
    """Whether the run began with weights of its own, w₀ and b₀, which w and b have from the start:
    with the linear kernel, whose φ(x) is x itself.

    With another kernel f₀(x) = w₀·x + b₀ is added to the scores, and is no part of w and b.
    """
    return run.initial is not None and isinstance(run.kernel, Linear)


def start_w(run: Run) -> FloatArray:
    """Return w₀ of a run with the linear kernel, (n_features,)."""
    w0 = None if run.initial is None else run.initial.w0
    return np.zeros(run.X.shape[1]) if w0 is None else w0


def _intercepts(run: Run) -> FloatArray:
    """Return b, in units, before the first change and after each, (n_changes + 1,)."""
    return np.cumsum(np.append(fold.start_in_units(run)[1], run.changes.shift))


def _sums(run: Run, w: FloatArray, phi: FloatArray, changes_slice: slice) -> FloatArray:
    """Return w, in units, before the changes of a slice and after each; `w` is that before them."""
    changes = run.changes
    additions = changes.delta[changes_slice, None] * phi[changes.index[changes_slice]]
    return np.cumsum(np.vstack([w, additions]), axis=0)


def _scores(run: Run, phi: FloatArray) -> FloatArray:
    """Return ⟨w, φ(x)⟩ + b at each presentation: many at once, w being summed change by change."""
    changes = run.changes
    intercepts = _intercepts(run)
    roots = np.sqrt(feature_map(run.kernel).terms(run.X.shape[1])[0])
    # With other roots a score that is 0 by hand need not be, since no float is such a root.
    has_whole_roots = bool((roots == np.rint(roots)).all())
    score = np.empty(run.n_steps)
    w = _start(run, phi)
    size_before = np.abs(w)  # What w before these steps was added up of, without signs.
    n_at_once = max(1, _BLOCK // phi.shape[1])
    for begin in range(0, run.n_steps, n_at_once):
        steps = np.arange(begin, min(begin + n_at_once, run.n_steps))
        n_changes = np.searchsorted(changes.step, np.append(steps, steps[-1] + 1))
        ws = _sums(run, w, phi, slice(n_changes[0], n_changes[-1]))
        row = n_changes[:-1] - n_changes[0]  # Each step is scored by this w.
        features = phi[run.index[steps]]
        b = intercepts[n_changes[:-1]]
        score[steps] = (ws[row] * features).sum(axis=1) + b
        if has_whole_roots:
            steps_of_w = np.abs(np.diff(ws, axis=0, prepend=ws[:1]))
            sizes = size_before + np.cumsum(steps_of_w, axis=0)
            size_of_score = (sizes[row] * np.abs(features)).sum(axis=1) + np.abs(b)
            score[steps] = without_rounding(score[steps], size_of_score)
            size_before = sizes[-1]
        w = ws[-1]
    learnt = score * run.unit
    return learnt if run.initial is None else learnt + run.initial.scores(run.X)[run.index]


# The longest w of a run reaches over at most the first of these shares of the map; if it does over
# no more than the second, it is drawn larger.
_REACH = 0.4
_LEAST_REACH = 0.1

# The reading of a run, or why there is none.
_readings: WeakKeyDictionary[Run, PrimalReading | str] = WeakKeyDictionary()


@dataclass(frozen=True)
class Arrow:
    """How w is drawn on the map.

    Attributes
    ----------
    start : where it begins: 0, or the middle of the map if that does not show 0.
    scale : its length on the map per unit.
    moved : whether it begins in the middle.
    """

    start: tuple[float, float]
    scale: float
    moved: bool

    @classmethod
    def of(cls, path: FloatArray, extent: Extent) -> Arrow:
        """Return one arrow for all w of a run, (n_changes + 1, 2).

        By its scale the longest fits into the map and is seen; it is 1 where that is so anyway.
        """
        low = np.array([extent.low_1, extent.low_2])
        high = np.array([extent.high_1, extent.high_2])
        longest = float(np.linalg.norm(path, axis=1).max(initial=0.0))
        moved = bool(((low > 0.0) | (high < 0.0)).any())
        first, second = (low + high) / 2.0 if moved else np.zeros(2)
        side = float((high - low).min())
        fits = longest == 0.0 or _LEAST_REACH * side <= longest <= _REACH * side
        scale = 1.0 if fits else _REACH * side / longest
        return cls((float(first), float(second)), scale, moved)


def reading_or_why_not(run: Run) -> PrimalReading | str:
    """Return the reading of a run, worked out once, or a sentence that says why there is none."""
    if run not in _readings:
        try:
            _readings[run] = why_not(run) or read(run)
        except ValueError as error:  # Features may be too large to be written out.
            _readings[run] = str(error)
    return _readings[run]


def why_not(run: Run) -> str:
    """Return in a sentence why a run has no primal form that is shown, "" where its features
    decide.
    """
    if isinstance(run.learner, Perceptron):
        return missing(run.kernel) or ("" if len(run.y) else NO_EXAMPLES)
    title = run.learner.about.title
    return (
        f"Only the plain perceptron has a primal form here: {title} changes its weights by "
        f"another rule."
    )


# The table of growth has these rows and columns.
_DEGREES = (2, 3, 5, 10)
_DIMENSIONS = (2, 10, 100, 784)
_EXACT = 10**6  # Larger numbers are given by their order of magnitude.


def growth_table() -> dict[str, Any]:
    """Entries of φ for (u·v + 1)^q, a row for each degree, and multiplications of one such kernel;
    in words.

    >>> growth_table()["rows"][0]
    ['2', ['6', '66', '5,151', '308,505']]
    """
    rows = {(row.degree, row.n_features): row for row in growth(_DEGREES, _DIMENSIONS)}
    return {
        "dimensions": [size(d) for d in _DIMENSIONS],
        "rows": [[size(q), [size(rows[q, d].up_to) for d in _DIMENSIONS]] for q in _DEGREES],
        "kernel": [size(rows[_DEGREES[-1], d].kernel) for d in _DIMENSIONS],
    }


def size(value: int) -> str:
    """Return an exact number, or one of two digits and a power of ten; JavaScript rounds whole
    numbers above 2⁵³.

    >>> size(308505), size(26 * 10**21)
    ('308,505', '2.6×10²²')
    """
    if value < _EXACT:
        return f"{value:,}"
    digits, power = f"{value:.1e}".split("e")
    return times_ten(digits, int(power))
