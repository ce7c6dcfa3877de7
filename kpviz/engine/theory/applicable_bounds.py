"""Which bound applies to a run, with its quantities, its conditions checked, and whether it says
anything.

At the end Novikoff's proof, mistake by mistake, and the bound of Boolean functions.

Legend: T instants of the run; counts (T, n) how often each example was presented before each; u a
direction in the feature space, of which only its margins y_i ⟨u, φ(x_i)⟩, (n,), are read; M the
mistakes made.

Tests: tests/engine/test_bounds.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.data.dnf import Dnf
from kpviz.engine.kernels import AllSubsets, Kernel
from kpviz.engine.learners import Forgetron, PassiveAggressive, Perceptron
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.engine.run.run import Run, checked_run, checked_time
from kpviz.engine.theory import mistake_bounds
from kpviz.engine.theory.geometry import (
    NearestPointError,
    best_margins,
    candidates,
    has_squares,
    max_margin,
    radius_of,
    root,
)

_ROWS = 256  # A bound is worked out at so many instants at once.
_NOISE = 1e-12  # A shortfall below this share of the largest margin is only rounding.
# A bound that is a whole number must not be cut to the one before: directions are known to 1e-8.
_ROUNDING = 1 + 5e-8

INDEFINITE = (
    "This kernel is not positive semidefinite on these examples, so there is no feature "
    "space and no margin."
)
RESUMED = (
    "Training went on from an earlier state, and the theorem counts the mistakes made from "
    "a zero start."
)
FIXED = "A fixed f₀ is added to every score, and the theorem is about a start at f = 0."
NO_EXAMPLES = "There are no examples yet."
OUT_OF_RANGE = (
    "Numbers of the Gram matrix are too large or too small to be squared, so scale the examples."
)
SILENT = "It says nothing here: only {made} made, so there can be no more mistakes than that."
# Novikoff's bound does not grow with the run, so that it may say something later.
SILENT_YET = SILENT.replace("here:", "yet:")

Times = NDArray[np.int64]


class Quantity(NamedTuple):
    """A number of a formula: its symbol there, what it is, its value, and, if it varies, those at a
    bound's `times`.

    Parameters
    ----------
    symbol : how it is written.
    words : what it is.
    value : its number at the end.
    values : its number at each of the times that were asked for.
    """

    symbol: str
    words: str
    value: float
    values: tuple[float, ...] = ()

    @classmethod
    def over(cls, symbol: str, words: str, values: FloatArray) -> Quantity:
        """Return a quantity that varies in time."""
        return cls(symbol, words, float(values[-1]), tuple(values.tolist()))


@dataclass(frozen=True, eq=False)
class Bound:
    """A bound on the mistakes of a run, or ("voted") an estimate of one on the probability of an
    error.

    Attributes
    ----------
    key : "plain", "unit", "radius", "nonseparable", "forgetron", "pa", "pa-i", "pa-ii", "voted",
        "dnf" (of Boolean functions), or None where no bound is worked out: `why` says whether one
        is known. "voted" is an estimate: the theorem's E[M] is over all samples, and only the
        mistakes in this one are bounded.
    name, formula, source : in words, as a formula, and its authors.
    quantities : the formula's numbers, at t.
    value : at t; infinite where it does not apply.
    applies : whether the theorem's conditions hold.
    vacuous : whether it says no more than is certain anyway (not
        more mistakes than presentations, no probability above 1); True where it does not apply.
    why : one sentence where it does not apply or is vacuous, else empty.
    silent : the sentence that says so of any instant at which it is vacuous, with a place for how
        many presentations were {made}.
    times, values : the bound after so many presentations, both (T,), the last being t. The board
        shows at an instant what holds at the first of these times that is not before it.
    """

    key: str | None
    name: str = ""
    formula: str = ""
    source: str = ""
    quantities: tuple[Quantity, ...] = ()
    value: float = math.inf
    applies: bool = False
    vacuous: bool = True
    why: str = ""
    times: Times = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    values: FloatArray = field(default_factory=lambda: np.zeros(0))
    silent: str = ""

    def thinned(self, times: Times) -> Bound:
        """Return the bound at some of its times."""
        is_chosen = np.isin(self.times, times)
        quantities = tuple(
            Quantity.over(quantity.symbol, quantity.words, np.array(quantity.values)[is_chosen])
            if quantity.values
            else quantity
            for quantity in self.quantities
        )
        return replace(
            self, quantities=quantities, times=self.times[is_chosen], values=self.values[is_chosen]
        )

    def at(self, t: int) -> float:
        """Return the value that the board shows at the instant t: infinite where the bound does not
        apply.
        """
        if not len(self.values):
            return self.value
        first_not_before = int(np.searchsorted(self.times, t))
        return float(self.values[min(first_not_before, len(self.values) - 1)])


def made(steps: int) -> str:
    """Return what `Bound.silent` has a place for.

    >>> made(1), made(1200)
    ('1 step was', '1,200 steps were')
    """
    return "1 step was" if steps == 1 else f"{steps:,} steps were"


def bound_of(
    run: Run, t: int | None = None, predictor: str = "last", times: Sequence[int] | None = None
) -> Bound:
    """Return the bound to show beside the mistakes of a run: the first of `bounds_of`.

    Parameters
    ----------
    run : what `kpviz.train` returns.
    t : presentations made; None: all.
    predictor : "last", "averaged" or "voted".
    times : instants at which its quantities are wanted, too.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = kpviz.kernels.Polynomial(degree=2, coef0=1.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel)
    >>> bound = bound_of(run)
    >>> bound.key, bound.formula, round(bound.value, 6), bound.vacuous, int(run.mistake.sum())
    ('plain', 'R²/γ²', 4.5, False, 4)

    No line separates XOR, so every presentation may be a mistake:

    >>> bound = bound_of(kpviz.train(kpviz.learners.Perceptron(), X, y, epochs=50))
    >>> bound.applies, bound.vacuous, bound.why
    (True, True, 'It says nothing here: only 200 steps were made, so there can be no more
    mistakes than that.')
    """
    return bounds_of(run, t, predictor, times)[0]


def bounds_of(
    run: Run, t: int | None = None, predictor: str = "last", times: Sequence[int] | None = None
) -> tuple[Bound, ...]:
    """Return every bound known for the learner of a run, the one to show first.

    For a perceptron: Novikoff's, in the form for its intercept, and the one for examples that are
    not separable; the first is Novikoff's if it is finite. With the predictor "voted" the bound on
    the vote's error, which is a probability, comes before them. A learner without a theorem gets
    one Bound with key None.

    Parameters
    ----------
    run : what `kpviz.train` returns.
    predictor : "last", "averaged" or "voted".
    t : after so many presentations; None means all.
    times : instants for `values`, those below t are kept; None means the end of each epoch, and for
        the vote, whose bound falls as examples come, each instant until an example comes again. t
        is always the last.

    Raises
    ------
    ValueError
        If t or one of times is not an instant of the run, or predictor is unknown.
    """
    checked_run(run)
    checks.choice("predictor", predictor, PREDICTORS)
    at = run.n_steps if t is None else checked_time(run, t)
    instants = run.epoch_start[1:].tolist() if times is None else _checked_instants(run, times)
    case = _BoundCase(run, _until(at, instants))
    if not len(run.y):
        return (case.refused(Bound(None), NO_EXAMPLES),)
    theorem = THEOREMS.get(type(run.learner), _unknown)
    too_large = "" if run.kernel is None else checks.too_large(len(run.y))
    if theorem is not _unknown and too_large:
        return (case.refused(Bound(None), too_large),)
    if theorem is not _unknown and not has_squares(run.gram):
        return (case.refused(Bound(None), OUT_OF_RANGE),)
    if predictor != "voted":
        return theorem(case)
    voted_case = case if times is not None else _BoundCase(run, _until(at, _pass_and_ends(run, at)))
    bounds = theorem(voted_case)
    return _voted(voted_case, bounds), *(bound.thinned(case.times) for bound in bounds)


def _pass_and_ends(run: Run, at: int) -> list[int]:
    """Return the instants for the vote: each until an example comes again, and the ends of epochs.

    The vote's bound is about one pass, so that it says nothing once an example has come again.
    """
    _, first_presentations = np.unique(run.index, return_index=True)
    repetitions = np.setdiff1d(np.arange(at), first_presentations)
    end_of_pass = int(repetitions[0]) + 1 if len(repetitions) else at
    return [*range(end_of_pass), *run.epoch_start[1:].tolist()]


def _checked_instants(run: Run, times: Sequence[int]) -> list[int]:
    return checks.integers("times", times, low=0, high=run.n_steps, most=run.n_steps + 1)


def _until(t: int, times: Sequence[int]) -> Times:
    """Return those of some instants that are before t, ascending, and t as the last."""
    return np.unique([*(time for time in times if time < t), t]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class _BoundCase:
    """A run up to its last instant, and what the theorems ask of it."""

    run: Run
    times: Times

    @property
    def t(self) -> int:
        return int(self.times[-1])

    @cached_property
    def gram(self) -> FloatArray:
        """The Gram matrix with the intercept's constant feature, 1 or R."""
        gram = self.run.gram
        if self.intercept == "unit":
            return np.asarray(gram + 1.0)
        if self.intercept == "radius":
            return np.asarray(gram + float(gram.diagonal().max()))
        return gram

    @property
    def intercept(self) -> str:
        return self.run.learner.intercept

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each example was presented before each instant, (T, n)."""
        n = len(self.run.y)
        t = self.t
        # The first instant after each presentation counts it; the sum then hands it on to later
        # ones.
        instant_of_step = np.searchsorted(self.times, np.arange(t), side="right")
        cells = np.bincount(instant_of_step * n + self.run.index[:t], minlength=len(self.times) * n)
        return np.asarray(cells.reshape(len(self.times), n).cumsum(axis=0))

    @cached_property
    def comparators(self) -> list[FloatArray]:
        """The margins of the directions u that are tried, each (n,)."""
        return candidates(self.run, self.gram)

    @cached_property
    def mistakes(self) -> Quantity:
        return Quantity("M", "mistakes made so far", float(self.run.mistake[: self.t].sum()))

    @property
    def why_not_from_zero(self) -> str:
        """Why f was not 0 before the first example, in a sentence; "" where it was."""
        start = self.run.start
        if start is not None and bool(start.coef.any() or start.intercept):
            return RESUMED
        return "" if self.run.initial is None else FIXED

    def at_all_times(self, value: float) -> FloatArray:
        """Return the values of a bound that is the same at each instant."""
        return np.full(len(self.times), value * _ROUNDING)

    def judged(self, bound: Bound, values: FloatArray) -> Bound:
        """The bound with its values, and whether it says anything about mistakes."""
        value = float(values[-1])
        vacuous = value >= self.t  # There cannot be more mistakes than presentations.
        stays_as_run_grows = bound.key in (*NOVIKOFF, "pa")  # PA's bound is Novikoff's, too.
        silent = SILENT_YET if stays_as_run_grows else SILENT
        return replace(
            bound,
            quantities=(*bound.quantities, self.mistakes),
            value=value,
            applies=True,
            vacuous=vacuous,
            why=silent.format(made=made(self.t)) if vacuous else "",
            times=self.times,
            values=values,
            silent=silent,
        )

    def refused(self, bound: Bound, why: str) -> Bound:
        """The bound of a theorem whose conditions do not hold."""
        return replace(bound, why=why, times=self.times, values=np.full(len(self.times), math.inf))


# Templates, which are bounds without the numbers of a run: `judged` and `refused` fill in a copy.
PLAIN = Bound("plain", "Novikoff’s mistake bound", "R²/γ²", "Novikoff (1962)")
UNIT = Bound("unit", "Novikoff’s mistake bound, unit intercept", "(R² + 1)/γ²", "Novikoff (1962)")
RADIUS = Bound(
    "radius",
    "Novikoff’s mistake bound, radius intercept",
    "(2R/γ)²",
    "Cristianini & Shawe-Taylor (2000)",
)
NOVIKOFF = "plain", "unit", "radius"
DEVIATION = Bound(
    "nonseparable", "Mistake bound for any examples", "((R + D)/θ)²", "Freund & Schapire (1999)"
)
FORGETRON = Bound(
    "forgetron",
    "The Forgetron’s mistake bound",
    "2‖g‖² + 4L",
    "Dekel, Shalev-Shwartz & Singer (2008)",
)
CRAMMER = "Crammer et al. (2006)"
PASSIVE_AGGRESSIVE = {
    "PA": Bound("pa", "Mistake bound of PA", "R²/γ²", CRAMMER),
    "PA-I": Bound("pa-i", "Mistake bound of PA-I", "max(R², 1/C)·(‖u‖² + 2C·L)", CRAMMER),
    "PA-II": Bound("pa-ii", "Mistake bound of PA-II", "(R² + 1/(2C))·(‖u‖² + 2C·S)", CRAMMER),
}
VOTED = Bound(
    "voted",
    "Error of the vote on new examples, estimated",
    "2 E[M]/(m + 1)",
    "Freund & Schapire (1999)",
    silent="It says nothing here: no probability exceeds 1.",
)
# The formulas as functions of the quantities, by their symbols: a panel lets one set the quantities
# by hand (player/extras.py).
BY_HAND: dict[str, Callable[[dict[str, float]], float]] = {
    "plain": lambda q: (q["R"] / q["γ"]) ** 2,
    "unit": lambda q: (q["R"] ** 2 + 1) / q["γ"] ** 2,
    "radius": lambda q: (2 * q["R"] / q["γ"]) ** 2,
    "nonseparable": lambda q: ((q["R"] + q["D"]) / q["θ"]) ** 2,
    "forgetron": lambda q: 2 * q["‖g‖"] ** 2 + 4 * q["L"],
    "pa": lambda q: (q["R"] / q["γ"]) ** 2,
    "pa-i": lambda q: max(q["R"] ** 2, 1 / q["C"]) * (q["‖u‖"] ** 2 + 2 * q["C"] * q["L"]),
    "pa-ii": lambda q: (q["R"] ** 2 + 1 / (2 * q["C"])) * (q["‖u‖"] ** 2 + 2 * q["C"] * q["S"]),
    "voted": lambda q: 2 * q["E[M]"] / (q["m"] + 1),
}


def _perceptron(case: _BoundCase) -> tuple[Bound, ...]:
    """Novikoff's bound for the intercept, first if it is finite, and the one for any examples."""
    match case.intercept:
        case "unit":
            template = UNIT
        case "radius":
            template = RADIUS
        case _:
            template = PLAIN
    if case.why_not_from_zero:
        return (case.refused(template, case.why_not_from_zero),)
    try:
        novikoff = _radius_intercept(case) if template is RADIUS else _novikoff(case, template)
    except ValueError:
        return (case.refused(template, INDEFINITE),)
    bounds = novikoff, _deviation(case)
    return bounds if novikoff.applies else bounds[::-1]


def _novikoff(case: _BoundCase, template: Bound) -> Bound:
    """R²/γ² in the space with the constant feature."""
    try:
        margin = max_margin(case.gram, case.run.y)
    except NearestPointError as error:
        return case.refused(template, str(error))
    place = (
        "with the constant feature 1"
        if template is UNIT
        else "through the origin of the feature space"
    )
    if margin == 0.0:
        return case.refused(template, f"No margin above R/10⁶ {place} was found on these examples.")
    value = (radius_of(case.gram) / margin) ** 2
    quantities = (
        Quantity("R", "radius: the largest ‖φ(x)‖", radius_of(case.run.gram)),
        Quantity("γ", f"best margin {place}", margin),
    )
    return case.judged(replace(template, quantities=quantities), case.at_all_times(value))


def _radius_intercept(case: _BoundCase) -> Bound:
    """(2R/γ)², where γ is the best margin with an intercept."""
    gram = case.run.gram
    y = case.run.y
    try:
        margin = mistake_bounds.radius_margin(gram, y)
    except NearestPointError as error:
        return case.refused(RADIUS, str(error))
    if margin == 0.0:
        return case.refused(
            RADIUS, "No margin above R/10⁶ was found on these examples, whatever the intercept."
        )
    quantities = (
        Quantity("R", "radius: the largest ‖φ(x)‖", radius_of(gram)),
        Quantity("γ", "best margin, with an intercept", margin),
        Quantity(
            "2R²/γ₊²",
            "the same with R as a constant feature",
            mistake_bounds.mistake_bound(case.gram, y),
        ),
    )
    value = (2 * radius_of(gram) / margin) ** 2
    return case.judged(replace(RADIUS, quantities=quantities), case.at_all_times(value))


def _deviation(case: _BoundCase) -> Bound:
    """((R + D)/θ)² of the direction u and the margin θ that make it least."""
    radius = radius_of(case.gram)
    values, margin, margins_of_best = _least_bound(
        case, lambda u, counts: mistake_bounds.least_deviation_bound(u, counts, radius)
    )
    shortfalls = _shortfalls(margin, margins_of_best)
    constant = "" if case.intercept == "none" else ", with the constant feature"
    quantities = (
        Quantity("R", f"radius: the largest ‖φ(x)‖{constant}", radius),
        Quantity.over(
            "θ", "margin asked of u, the best direction tried in the feature space", margin
        ),
        Quantity.over(
            "D",
            "shortfall: D² sums max(0, θ − y⟨u, φ(x)⟩)² over these steps",
            np.sqrt((case.counts * shortfalls**2).sum(axis=1)),
        ),
    )
    return case.judged(replace(DEVIATION, quantities=quantities), values)


def _forgetron(case: _BoundCase) -> tuple[Bound, ...]:
    """The same theorem for the self-tuned and the basic variant."""
    gram = case.run.gram
    budget = case.run.learner.capacity or 0
    least = mistake_bounds.FORGETRON_BUDGET
    if case.why_not_from_zero:
        return (case.refused(FORGETRON, case.why_not_from_zero),)
    if budget < least:
        return (
            case.refused(
                FORGETRON, f"The theorem needs a budget of at least {least}: here it is {budget}."
            ),
        )
    if gram.diagonal().max() > 1 + 1e-9:
        return (case.refused(FORGETRON, "The theorem needs k(x, x) ≤ 1: normalize the kernel."),)
    try:
        root(gram)  # It raises a ValueError if the kernel is not positive semidefinite.
    except ValueError:
        return (case.refused(FORGETRON, INDEFINITE),)
    values, norm, margins_of_best = _least_bound(
        case, lambda u, counts: mistake_bounds.least_forgetron_bound(u, counts, budget)
    )
    # The hinge loss of g = ‖g‖·u is max(0, 1 − ‖g‖·margin).
    losses = norm[:, None] * _shortfalls(1 / norm, margins_of_best)
    quantities = (
        Quantity(
            "U",
            "largest norm that g may have at this budget, ¼√((B + 1)/log(B + 1))",
            mistake_bounds.forgetron_radius(budget),
        ),
        Quantity.over("‖g‖", "norm of g, a function along the best direction tried", norm),
        Quantity.over("L", "hinge loss of g over these steps", (case.counts * losses).sum(axis=1)),
    )
    return (case.judged(replace(FORGETRON, quantities=quantities), values),)


def _passive_aggressive(case: _BoundCase) -> tuple[Bound, ...]:
    """The bound of the learner's variant.

    PA's is Novikoff's, since the best u without loss is the direction of the best margin γ, with
    norm 1/γ.
    """
    learner: Any = case.run.learner
    template = PASSIVE_AGGRESSIVE[learner.variant]
    if case.why_not_from_zero:
        return (case.refused(template, case.why_not_from_zero),)
    try:
        root(case.gram)  # It raises a ValueError if the kernel is not positive semidefinite.
    except ValueError:
        return (case.refused(template, INDEFINITE),)
    if learner.variant == "PA":
        return (_novikoff(case, template),)
    radius = radius_of(case.gram)
    C = learner.C
    is_squared = learner.variant == "PA-II"
    bound = partial(
        mistake_bounds.least_passive_aggressive_bound, radius=radius, C=C, squared=is_squared
    )
    values, norm, margins_of_best = _least_bound(case, bound)
    # The hinge loss of a function of this norm is max(0, 1 − norm·margin).
    losses = norm[:, None] * _shortfalls(1 / norm, margins_of_best)
    symbol = "L"
    words = "its hinge loss"
    if is_squared:
        losses = losses**2
        symbol = "S"
        words = "its squared hinge loss"
    quantities = (
        Quantity("R", "radius: the largest ‖φ(x)‖", radius),
        Quantity("C", learner.ranges["C"].words, C),
        Quantity.over("‖u‖", "norm of u, the best direction tried in the feature space", norm),
        Quantity.over(symbol, f"{words} over these steps", (case.counts * losses).sum(axis=1)),
    )
    return (case.judged(replace(template, quantities=quantities), values),)


def _shortfalls(required: FloatArray, margins: FloatArray) -> FloatArray:
    """Return how much each of the margins, (T, n), is below what is required at its instant, (T,).

    It is 0 where it is only rounding.
    """
    shortfalls = required[:, None] - margins
    is_more_than_noise = shortfalls > _NOISE * np.abs(margins).max(initial=0.0)
    return np.where(is_more_than_noise, shortfalls, 0.0)


def _least_bound(
    case: _BoundCase,
    bound: Callable[[FloatArray, NDArray[np.int64]], tuple[FloatArray, FloatArray]],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a bound at each instant, (T,), for the direction u that makes it least; and the number
    (θ or a norm), (T,), and the margins, (T, n), of this u.

    A bound holds for each direction, so at each instant for the best.

    Parameters
    ----------
    bound : takes the margins of a direction, (n,), and some rows of the counts. It returns for each
        row the least value, and the number that gives it.
    """
    rows = np.array_split(case.counts, len(case.times) // _ROWS + 1)
    bounds = [np.hstack([bound(u, counts) for counts in rows]) for u in case.comparators]
    values, numbers = (np.array(column) for column in zip(*bounds, strict=True))
    best = values.argmin(axis=0)
    instants = np.arange(len(best))
    margins_of_best = np.array(case.comparators)[best]
    return values[best, instants] * _ROUNDING, numbers[best, instants], margins_of_best


def _voted(case: _BoundCase, bounds: tuple[Bound, ...]) -> Bound:
    """The vote after one pass, with the best mistake bound for these examples in place of the
    expected mistakes.
    """
    known = [bound for bound in bounds if bound.applies]
    if case.run.learner.tie != "mistake":
        return case.refused(
            VOTED, "The theorem is for the rule that counts a zero score as a mistake."
        )
    if case.run.shows_only_mistakes:
        return case.refused(
            VOTED,
            "The theorem is about one pass over independent examples, not over mistakes alone.",
        )
    if not known:
        return case.refused(VOTED, "It needs a bound on the mistakes, and none applies here.")
    # The theorem's E[M] is over one example more than were seen, so it is at most their number.
    mistakes = np.minimum(np.min([bound.values for bound in known], axis=0), case.times + 1)
    # Before the first example nothing can be estimated: that one may be a mistake.
    mistakes[case.times == 0] = 1.0
    is_single_pass = case.counts.max(axis=1) <= 1
    values = np.where(is_single_pass, 2 * mistakes / (case.times + 1), math.inf)
    quantities = (
        Quantity.over(
            "E[M]",
            "mistakes expected in one pass: estimated by the bound for these examples",
            mistakes,
        ),
        Quantity.over(
            "m",
            "examples seen, each once, taken to be drawn independently",
            case.times.astype(float),
        ),
        case.mistakes,
    )
    value = float(values[-1])
    vacuous = value >= 1.0
    why = VOTED.silent if vacuous else ""
    if not is_single_pass[-1]:
        why = (
            "The theorem is about one pass over independent examples: nothing is guaranteed for "
            "more."
        )
    return replace(
        VOTED,
        quantities=quantities,
        value=value,
        applies=bool(is_single_pass[-1]),
        vacuous=vacuous,
        why=why,
        times=case.times,
        values=values,
    )


def _unknown(case: _BoundCase) -> tuple[Bound, ...]:
    """What the learner itself says of bounds."""
    return (case.refused(Bound(None), case.run.learner.about.bound),)


THEOREMS: dict[type, Callable[[_BoundCase], tuple[Bound, ...]]] = {
    Perceptron: _perceptron,
    Forgetron: _forgetron,
    PassiveAggressive: _passive_aggressive,
}


@dataclass(frozen=True, eq=False)
class Proof:
    """Novikoff's proof, mistake by mistake: ⟨w, u⟩ from below, ‖w‖ from above.

    u is the unit vector of the best margin γ, R the radius, η the learning rate, k counts mistakes.
    A mistake on x_i adds η·y_i·φ(x_i) to w, so ⟨w, u⟩ grows by at least η·γ, and ‖w‖² by at most
    η²·R², since y_i f(x_i) <= 0:

        k γ <= ⟨w, u⟩/η <= ‖w‖/η <= √k R, hence k <= R²/γ² (Novikoff 1962).

    Attributes
    ----------
    margin, radius : γ and R, in the feature space with the constant feature that the intercept
        adds.
    along, norm : ⟨w, u⟩/η and ‖w‖/η after k = 0, 1, … mistakes, both (k + 1,).
    constant : the feature that the intercept adds, in words; "" for none.
    why : one sentence where the proof says nothing of the run, else "".
    """

    margin: float = 0.0
    radius: float = 0.0
    along: FloatArray = field(default_factory=lambda: np.zeros(1))
    norm: FloatArray = field(default_factory=lambda: np.zeros(1))
    constant: str = ""
    why: str = ""

    @property
    def bound(self) -> float:
        """R²/γ², where the two sides meet; infinite without a margin."""
        return (self.radius / self.margin) ** 2 if self.margin > 0.0 else np.inf


def proof_of(run: Run) -> Proof:
    """Return Novikoff's proof for a run, or one that says why there is none.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = kpviz.kernels.Polynomial(degree=2, coef0=1.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel)
    >>> proof = proof_of(run)
    >>> round(proof.margin, 4), proof.radius, round(proof.bound, 6)
    (1.4142, 3.0, 4.5)
    >>> proof.along.round(2).tolist(), proof.norm.round(2).tolist()
    ([0.0, 1.41, 2.83, 4.24, 5.66], [0.0, 3.0, 4.0, 5.0, 5.66])
    """
    learner = run.learner
    case = _BoundCase(run, np.array([run.n_steps]))
    if type(learner) is not Perceptron:
        how = f"{learner.about.title} changes w in another way"
        return Proof(
            why=f"The proof is about the perceptron, which adds η·y·φ(x) to w on a mistake: {how}."
        )
    if not len(run.y):
        return Proof(why=NO_EXAMPLES)
    if case.why_not_from_zero:
        return Proof(why=case.why_not_from_zero)
    constant = ""
    if learner.intercept == "unit":
        constant = "the constant feature 1"
    elif learner.intercept == "radius":
        constant = "the constant feature R"
    gram = case.gram
    try:
        margins = best_margins(gram, run.y)
    except ValueError:
        return Proof(why=INDEFINITE)
    if margins is None:
        where = f" with {constant}" if constant else ""
        why = (
            f"No margin above R/10⁶ was found on these examples{where}: no direction u is known "
            f"in which w must grow."
        )
        return Proof(constant=constant, why=why)
    mistaken = run.index[run.mistake]
    # A mistake adds η·y·φ(x) to w, so ‖w‖²/η² grows by 2·y·f(x)/η + k(x, x).
    margins_of_mistakes = run.y[mistaken] * run.score[run.mistake]
    growth = 2.0 * margins_of_mistakes / learner.learning_rate + gram.diagonal()[mistaken]
    return Proof(
        margin=float(margins.min()),
        radius=radius_of(gram),
        along=np.concatenate([[0.0], margins[mistaken].cumsum()]),
        norm=np.sqrt(np.maximum(np.concatenate([[0.0], growth.cumsum()]), 0.0)),
        constant=constant,
    )


DNF = Bound(
    "dnf", "A DNF of l terms, by all subsets", "2ⁿ(4l + 1)", "Novikoff (1962), with ‖u‖² = l + 1/4"
)
_KERNEL = "It holds for all subsets, not normalized: 2ⁿ is the largest k(x, x) of that kernel."
_LEARNER = "It holds for the plain perceptron without intercept."
_NEGATED = (
    "This DNF negates a literal, and the plain subsets have no feature for that: take the "
    "negated literals."
)


def boolean_bound(run: Run, dnf: Dnf, n: int) -> Bound:
    """Return the bound for a perceptron that learns `dnf`, a function of n bits, by all subsets (of
    literals).

    Where the theorem does not apply, `why` of the bound says so.

    Every term is one feature. With u = 1 at each term and −1/2 at the constant feature, which is
    easily forgotten, the margin is 1/2 and ‖u‖² = l + 1/4; R² = max k(x, x) = 2ⁿ.
    """
    why = why_no_boolean_bound(run.learner, run.kernel, dnf)
    if run.start is not None:
        why = _LEARNER  # The theorem is about a perceptron that begins at 0.
    elif run.initial is not None:
        why = FIXED
    if why:
        return replace(DNF, why=why)
    value = float(mistake_bounds.dnf_bound(n, len(dnf.terms)))
    quantities = (
        Quantity("n", "bits", float(n)),
        Quantity("2ⁿ", "inputs that there are, and R²", 2.0**n),
        Quantity("l", "terms of the DNF", float(len(dnf.terms))),
        Quantity("‖u‖²", "l, and 1/4 for the constant feature −1/2", len(dnf.terms) + 0.25),
    )
    times = np.array([*run.epoch_start[1:], run.n_steps], dtype=np.int64)
    return _BoundCase(run, times).judged(
        replace(DNF, quantities=quantities), np.full(len(times), value)
    )


def why_no_boolean_bound(learner: object, kernel: Kernel | None, dnf: Dnf) -> str:
    """Return why the bound says nothing of a learner with a kernel, in a sentence; "" where it
    holds.
    """
    if not isinstance(learner, Perceptron) or learner.intercept != "none":
        return _LEARNER
    if kernel == AllSubsets(negated=True).normalized():  # It is a multiple of the DNF kernel: k/2ⁿ.
        return ""
    if not isinstance(kernel, AllSubsets):
        return _KERNEL
    return "" if kernel.negated or dnf.is_monotone else _NEGATED


# The bounds of runs, by predictor and function: some take seconds, and player, pictures and films
# ask for them.
_bounds_of_runs: WeakKeyDictionary[Run, dict[tuple[str, Dnf | None], tuple[Bound, ...]]] = (
    WeakKeyDictionary()
)


def all_bounds(run: Run, predictor: str = "last", dnf: Dnf | None = None) -> tuple[Bound, ...]:
    """Return every bound known for a run, the one to show first; cached.

    Of a run that learns the Boolean function `dnf`, whose examples are rows of bits, that is
    `boolean_bound`; the rest are those of `bounds_of`.
    """
    known = _bounds_of_runs.setdefault(run, {})
    if (predictor, dnf) not in known:
        dnf_bounds = () if dnf is None else (boolean_bound(run, dnf, run.X.shape[1]),)
        known[predictor, dnf] = (*dnf_bounds, *bounds_of(run, predictor=predictor))
    return known[predictor, dnf]
