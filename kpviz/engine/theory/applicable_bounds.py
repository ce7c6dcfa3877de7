"""Which bound applies to a run, with its quantities, its conditions checked, and whether it says anything.

Legend: T instants of the run; counts (T, n) how often each example was presented before each; M the mistakes made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.learners import Forgetron, Perceptron
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.engine.run.run import Run
from kpviz.engine.theory import comparators, mistake_bounds
from kpviz.engine.theory.comparators import Comparator
from kpviz.engine.theory.geometry import max_margin, radius, root

INDEFINITE = "This kernel is not positive semidefinite on these examples, so there is no feature space and no margin."
RESUMED = "Training went on from an earlier state, and the theorem counts the mistakes made from a zero start."
NO_EXAMPLES = "There are no examples yet."
_ROUNDING = 1 + 1e-9  # a bound that is a whole number must not be cut to the one before

Times = NDArray[np.int64]


class Quantity(NamedTuple):
    """A number of a formula: its symbol there, what it is, its value."""

    symbol: str
    words: str
    value: float


@dataclass(frozen=True, eq=False)
class Bound:
    """A bound on the mistakes of a run, or ("voted") on the probability of an error.

    Attributes
    ----------
    key : "plain", "unit", "radius", "nonseparable", "hinge", "forgetron", "voted", "dnf" (of Boolean functions), or
        None if no theorem is known.
    name, formula, source : in words, as a formula, and its authors. quantities : the formula's numbers, at t.
    value : at t; infinite where it does not apply.
    applies : whether the theorem's conditions hold. vacuous : whether it says no more than is certain anyway (not
        more mistakes than presentations, no probability above 1); True where it does not apply.
    why : one sentence where it does not apply or is vacuous, else empty.
    times, values : the bound after so many presentations, both (T,), the last being t.
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


def bound_of(run: Run, t: int | None = None, predictor: str = "last", times: Sequence[int] | None = None) -> Bound:
    """Return the bound to show beside the mistakes of a run: the first of `bounds_of`.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Polynomial(degree=2, coef0=1.0))
    >>> bound = bound_of(run)
    >>> bound.key, bound.formula, round(bound.value, 6), bound.vacuous, int(run.mistake.sum())
    ('plain', 'R²/γ²', 4.5, False, 4)

    No line separates XOR, so every presentation may be a mistake:

    >>> bound = bound_of(kpviz.train(kpviz.learners.Perceptron(), X, y, epochs=50))
    >>> bound.applies, bound.vacuous, bound.why
    (True, True, 'It says nothing here: only 200 presentations were made, so there can be no more mistakes than that.')
    """
    return bounds_of(run, t, predictor, times)[0]


def bounds_of(
    run: Run, t: int | None = None, predictor: str = "last", times: Sequence[int] | None = None
) -> tuple[Bound, ...]:
    """Return every bound known for the learner of a run, the one to show first.

    For a perceptron: Novikoff's, in the form for its intercept, and the two for examples that are not separable. The
    first is Novikoff's if it is finite, else the lesser of the others. With the predictor "voted" the bound on the
    vote's error comes before them. A learner without a theorem gets one Bound with key None.

    Parameters
    ----------
    t : after so many presentations; None means all.
    times : instants for `values`, those below t are kept; None means the end of each epoch. t is always the last.

    Raises
    ------
    ValueError
        If t or one of times is not an instant of the run, or predictor is unknown.
    """
    checks.choice("predictor", predictor, PREDICTORS)
    at = run.n_steps if t is None else run.time(t)
    inner = run.epoch_start[1:].tolist() if times is None else [run.time(time) for time in times]
    case = _Case(run, np.unique([*(time for time in inner if time < at), at]).astype(np.int64))
    if not len(run.y):
        return (case.refused(Bound(None), NO_EXAMPLES),)
    theorem = THEOREMS.get(type(run.learner), _unknown)
    found = theorem(case)
    return (_voted(case, found), *found) if predictor == "voted" else found


@dataclass(frozen=True, eq=False)
class _Case:
    """A run up to its last instant, and what the theorems ask of it."""

    run: Run
    times: Times

    @property
    def t(self) -> int:
        return int(self.times[-1])

    @cached_property
    def gram(self) -> FloatArray:
        """The Gram matrix with the intercept's constant feature."""
        gram = self.run.gram
        shift = {"unit": 1.0, "radius": float(gram.diagonal().max())}.get(self.intercept, 0.0)
        return np.asarray(gram + shift) if shift else gram

    @property
    def intercept(self) -> str:
        return self.run.learner.intercept

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """(T, n) presentations of each example."""
        n, t = len(self.run.y), self.t
        row = np.searchsorted(self.times, np.arange(t), side="right")
        cells = np.bincount(row * n + self.run.index[:t], minlength=len(self.times) * n)
        return np.asarray(cells.reshape(len(self.times), n).cumsum(axis=0))

    @cached_property
    def comparators(self) -> list[Comparator]:
        return comparators.candidates(self.run, self.gram, self.counts)

    @cached_property
    def mistakes(self) -> Quantity:
        return Quantity("M", "mistakes made so far", float(self.run.mistake[: self.t].sum()))

    @property
    def resumed(self) -> bool:
        start = self.run.start
        return start is not None and bool(start.coef.any() or start.intercept)

    def judged(self, bound: Bound, values: FloatArray) -> Bound:
        """The bound with its values, and whether it says anything about mistakes."""
        values = values * _ROUNDING
        value = float(values[-1])
        vacuous = value >= self.t
        shown = "1 presentation was" if self.t == 1 else f"{self.t:,} presentations were"
        word = (
            "yet" if bound.key in ("plain", "unit", "radius") else "here"
        )  # Novikoff's stays, however long it goes on
        why = f"It says nothing {word}: only {shown} made, so there can be no more mistakes than that."
        return replace(
            bound,
            quantities=(*bound.quantities, self.mistakes),
            value=value,
            applies=True,
            vacuous=vacuous,
            why=why if vacuous else "",
            times=self.times,
            values=values,
        )

    def refused(self, bound: Bound, why: str) -> Bound:
        """The bound of a theorem whose conditions do not hold."""
        return replace(bound, why=why, times=self.times, values=np.full(len(self.times), math.inf))


PLAIN = Bound("plain", "Novikoff's mistake bound", "R²/γ²", "Novikoff (1962)")
UNIT = Bound("unit", "Novikoff's mistake bound, unit intercept", "(R² + 1)/γ²", "Novikoff (1962)")
RADIUS = Bound("radius", "Novikoff's mistake bound, radius intercept", "(2R/γ)²", "Cristianini & Shawe-Taylor (2000)")
DEVIATION = Bound("nonseparable", "Mistake bound for any examples", "((R + D)/γ)²", "Freund & Schapire (1999)")
HINGE = Bound("hinge", "Mistake bound by hinge loss", "((R/γ + √(R²/γ² + 4L))/2)²", "Mohri & Rostamizadeh (2013)")
FORGETRON = Bound("forgetron", "The Forgetron's mistake bound", "2‖g‖² + 4L", "Dekel, Shalev-Shwartz & Singer (2008)")
VOTED = Bound("voted", "Error of the vote on fresh examples", "2 E[M]/(m + 1)", "Freund & Schapire (1999)")


def _perceptron(case: _Case) -> tuple[Bound, ...]:
    frame = {"unit": UNIT, "radius": RADIUS}.get(case.intercept, PLAIN)
    if case.resumed:
        return (case.refused(frame, RESUMED),)
    try:
        novikoff = _radius_intercept(case) if frame is RADIUS else _novikoff(case, frame)
    except ValueError:
        return (case.refused(frame, INDEFINITE),)
    others = sorted((_deviation(case), _hinge(case)), key=lambda bound: bound.value)
    return (novikoff, *others) if novikoff.applies else (*others, novikoff)


def _novikoff(case: _Case, frame: Bound) -> Bound:
    """R²/γ² in the space with the constant feature."""
    margin = max_margin(case.gram, case.run.y)
    place = "with the constant feature 1" if frame is UNIT else "through the origin of the feature space"
    if margin == 0.0:
        return case.refused(frame, f"No margin {place} was found on these examples.")
    size = radius(case.run.gram)
    value = (radius(case.gram) / margin) ** 2
    quantities = (
        Quantity("R", "radius: the largest ‖φ(x)‖", size),
        Quantity("γ", f"best margin {place}", margin),
    )
    return case.judged(replace(frame, quantities=quantities), np.full(len(case.times), value))


def _radius_intercept(case: _Case) -> Bound:
    gram, y = case.run.gram, case.run.y
    margin = mistake_bounds.radius_margin(gram, y)
    if margin == 0.0:
        return case.refused(RADIUS, "No margin was found on these examples, whatever the intercept.")
    quantities = (
        Quantity("R", "radius: the largest ‖φ(x)‖", radius(gram)),
        Quantity("γ", "best margin, with an intercept", margin),
        Quantity("2R²/γ₊²", "the same with R as a constant feature", mistake_bounds.mistake_bound(case.gram, y)),
    )
    value = (2 * radius(gram) / margin) ** 2
    return case.judged(replace(RADIUS, quantities=quantities), np.full(len(case.times), value))


def _deviation(case: _Case) -> Bound:
    size = radius(case.gram)
    values, margin, best = _least(case, lambda u: mistake_bounds.least_deviation_bound(u, case.counts, size))
    short = np.maximum(0.0, margin - best.margins)
    quantities = (
        *_comparison(case, margin, best),
        Quantity(
            "D",
            f"shortfall: D² sums max(0, γ − y⟨u, φ(x)⟩)² over all {case.t:,} presentations",
            math.sqrt(float(case.counts[-1] @ short**2)),
        ),
    )
    return case.judged(replace(DEVIATION, quantities=quantities), values)


def _hinge(case: _Case) -> Bound:
    size = radius(case.gram)
    values, margin, best = _least(case, lambda u: mistake_bounds.least_hinge_bound(u, case.counts, size))
    losses = np.maximum(0.0, 1 - best.margins / margin)
    quantities = (
        *_comparison(case, margin, best),
        Quantity(
            "L",
            f"hinge loss: sums max(0, 1 − y⟨u, φ(x)⟩/γ) over all {case.t:,} presentations",
            float(case.counts[-1] @ losses),
        ),
    )
    return case.judged(replace(HINGE, quantities=quantities), values)


def _comparison(case: _Case, margin: float, best: Comparator) -> tuple[Quantity, Quantity]:
    constant = "" if case.intercept == "none" else ", with the constant feature"
    return (
        Quantity("R", f"radius: the largest ‖φ(x)‖{constant}", radius(case.gram)),
        Quantity("γ", f"margin asked of u, {best.words}", margin),
    )


def _forgetron(case: _Case) -> tuple[Bound, ...]:
    """The same theorem for the self-tuned and the basic variant."""
    gram, budget = case.run.gram, case.run.learner.capacity or 0
    least = mistake_bounds.FORGETRON_BUDGET
    if case.resumed:
        return (case.refused(FORGETRON, RESUMED),)
    if budget < least:
        return (case.refused(FORGETRON, f"The theorem needs a budget of at least {least}: here it is {budget}."),)
    if gram.diagonal().max() > 1 + 1e-9:
        return (case.refused(FORGETRON, "The theorem needs k(x, x) ≤ 1: normalize the kernel."),)
    try:
        root(gram)
    except ValueError:
        return (case.refused(FORGETRON, INDEFINITE),)
    values, norm, best = _least(case, lambda u: mistake_bounds.least_forgetron_bound(u, case.counts, budget))
    losses = np.maximum(0.0, 1 - norm * best.margins)
    quantities = (
        Quantity(
            "U",
            "largest norm that g may have at this budget, ¼√((B + 1)/log(B + 1))",
            mistake_bounds.forgetron_radius(budget),
        ),
        Quantity("‖g‖", f"norm of the comparator g, {best.words}", norm),
        Quantity("L", f"hinge loss of g over all {case.t:,} presentations", float(case.counts[-1] @ losses)),
    )
    return (case.judged(replace(FORGETRON, quantities=quantities), values),)


def _least(
    case: _Case, bound: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
) -> tuple[FloatArray, float, Comparator]:
    """Return the least values over the comparators, and what gave the last: it holds for each, so for the best."""
    found = [bound(u.margins) for u in case.comparators]
    values = np.array([values for values, _ in found])
    best = int(values[:, -1].argmin())
    return values.min(axis=0), float(found[best][1][-1]), case.comparators[best]


def _voted(case: _Case, found: tuple[Bound, ...]) -> Bound:
    """The vote after one pass, with the best mistake bound for these examples in place of the expected mistakes."""
    known = [bound for bound in found if bound.applies]
    if case.run.learner.tie != "mistake":
        return case.refused(VOTED, "The theorem is for the rule that counts a zero score as a mistake.")
    if not known:
        return case.refused(VOTED, "It needs a bound on the mistakes, and none applies here.")
    single_pass = case.counts.max(axis=1) <= 1
    mistakes = np.minimum(np.min([bound.values for bound in known], axis=0), case.times)
    values = np.where(single_pass, 2 * mistakes / (case.times + 1), math.inf)
    if not single_pass[-1]:
        why = "The theorem is about one pass over independent examples: nothing is guaranteed for more."
        return replace(case.refused(VOTED, why), values=values)
    quantities = (
        Quantity("E[M]", "mistakes expected in one pass: here the bound for these examples", float(mistakes[-1])),
        Quantity("m", "examples seen, each once, taken to be drawn independently", float(case.t)),
        case.mistakes,
    )
    value = float(values[-1])
    vacuous = value >= 1.0
    return replace(
        VOTED,
        quantities=quantities,
        value=value,
        applies=True,
        vacuous=vacuous,
        why="It says nothing here: no probability exceeds 1." if vacuous else "",
        times=case.times,
        values=values,
    )


def _unknown(case: _Case) -> tuple[Bound, ...]:
    return (case.refused(Bound(None), case.run.learner.about.bound),)


THEOREMS: dict[type, Callable[[_Case], tuple[Bound, ...]]] = {Perceptron: _perceptron, Forgetron: _forgetron}
