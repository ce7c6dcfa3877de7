"""The interface between the loop in `kpviz.engine.run.train` and a learner, and the types they
exchange.

Tests: tests/engine/test_learners.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.read_only import ReadOnlyArrays

Details = dict[str, NDArray[Any]]
_COMPACT: dict[type, type] = {int: np.int32, bool: np.bool_}


def label_list(y: FloatArray) -> list[float]:
    """Return labels as a list, which loops read faster: of two numbers, so that it takes a quarter
    of the memory.

    >>> label_list(np.array([1.0, -1.0, 1.0]))
    [1.0, -1.0, 1.0]
    """
    return [1.0 if is_positive else -1.0 for is_positive in (y > 0.0).tolist()]


class DetailLog:
    """Details by presentation: one row for each presentation with new values.

    Between rows an event (such as a victim) falls back to its default; everything else keeps its
    last value.
    """

    def __init__(
        self, first: Mapping[str, float], events: Mapping[str, float] | None = None
    ) -> None:
        self.first = dict(first)
        self.events = dict(events or {})
        self.steps: list[int] = []
        self.rows: list[tuple[float, ...]] = []

    def add(self, t: int, *row: float) -> None:
        """Record the values after presentation t: first the lasting ones, then the events."""
        self.steps.append(t)
        self.rows.append(row)

    def arrays(self, n_steps: int) -> Details:
        """Return one array of length n_steps for each detail."""
        names = [*self.first, *self.events]
        rows = np.array(self.rows, dtype=float).reshape(-1, len(names))
        steps = np.array(self.steps, dtype=np.intp)
        is_in_run = steps < n_steps
        rows = rows[is_in_run]
        steps = steps[is_in_run]
        latest = np.searchsorted(steps, np.arange(n_steps), side="right")
        result: Details = {}
        for column, (name, first) in enumerate(self.first.items()):
            result[name] = np.concatenate([[first], rows[:, column]])[latest]
        for column, (name, default) in enumerate(self.events.items(), start=len(self.first)):
            result[name] = np.full(n_steps, default, dtype=_COMPACT.get(type(default), np.float64))
            result[name][steps] = rows[:, column]
        return result


@dataclass(frozen=True)
class PanelPart:
    """One part of a learner's panel.

    `kind` is ``"ages"``: what each remembered presentation still weighs, oldest first; ``"line"``:
    the particular `detail` over time, with the particular or number `limit` beside it; ``"pair"``:
    two coefficients in their box;
    ``"curve"``: how much is added for each margin, with the present step on it and the number
    `limit`, what the perceptron would add. A line may have values `at` all steps or at mistakes
    only, and be on a logarithmic scale.
    """

    kind: str
    label: str
    detail: str = ""
    limit: str | float | None = None
    at: str = "steps"
    logarithmic: bool = False


@dataclass(frozen=True)
class About:
    """What a learner is called, and what of it is shown. What is said of its steps:
    `kpviz.lessons.learner_words`.

    Attributes
    ----------
    title : the name in menus. idea : one sentence, which shortcoming of the perceptron it
        addresses.
    bound : where its mistake bound is, or that none is known.
    parts : of its panel, whose title is `panel`; none: no panel.
    grain : what the middle grain of stepping stops at, "mistake" or "update".
    counts : whether alpha counts mistakes, so that bricks show it.
    probability : whether σ(f) is the probability of class +1.
    """

    title: str
    idea: str
    bound: str
    panel: str = ""
    parts: tuple[PanelPart, ...] = ()
    grain: str = "mistake"
    counts: bool = False
    probability: bool = False


class Change(NamedTuple):
    """What one presentation changes, in the learner's unit.

    In this order: ``coef *= shrink``, then ``coef[indices] += deltas``, then what presentation
    `evicted` added (shrunk since) is subtracted, and ``b += shift``. An example without entries has
    a coefficient of exactly 0.

    Parameters
    ----------
    indices : examples whose coefficients change.
    deltas : what is added to each.
    shift : what is added to b.
    shrink : what all coefficients are multiplied by first.
    evicted : the presentation that is forgotten; None for none.
    """

    indices: tuple[int, ...] = ()
    deltas: tuple[float, ...] = ()
    shift: float = 0.0
    shrink: float = 1.0
    evicted: int | None = None


class Gains(NamedTuple):
    """What `change` does, where presentation, example and margin decide it alone; in the learner's
    unit.

    Where the margin is at most the learner's `update_margin`, alpha_i gains `gain(t, i, margin)`
    times `scale`, and b y_i·lift times as much; a gain of 0 is no change. It is called once for
    each such presentation, in order.
    """

    gain: Callable[[int, int, float], float]
    lift: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class Entries(ReadOnlyArrays):
    """What remains of the additions to coefficients by earlier presentations, oldest first: three
    arrays of one length.

    `step` is the presentation (below 0: before the training was resumed), `index` the example,
    `weight` signed.
    """

    step: NDArray[np.int64]
    index: NDArray[np.int64]
    weight: FloatArray

    def rows(self) -> list[tuple[int, int, float]]:
        """Return (step, index, weight) of each."""
        return list(zip(self.step.tolist(), self.index.tolist(), self.weight.tolist(), strict=True))


@dataclass(frozen=True)
class ResumeState:
    """What a resumed training knows of the one before, for `Learner.resume`.

    `t` presentations were made; `entries` are left of them (if the learner evicts, or tells what
    `joined`), with steps below -1, and `born` holds the presentation, of the `t`, at which each was
    added; `details` are the last ones.
    """

    t: int
    entries: Entries
    born: NDArray[np.int64]
    details: Mapping[str, float]


class Learner:
    """Frozen settings and a rule: a subclass defines `start` and `change` (or `gains`); everything
    else has a default.

    All mutable state is in the memory that `start` returns.

    Attributes
    ----------
    ranges, choices : the parameters that become settings, links and widgets: numbers by their
        range, others by their choices. unused : by parameter, what tells from the settings why it
        has no effect, "" where it has one.
    default_epochs : of the settings. effort : time of a presentation for each
        example of the training set, in 0.1 µs, roughly.
    needs_unit_diagonal : whether k(x, x) must be at most 1. chooses : whether `choose` takes the
        place of an order.
    takes_mistake_orders : whether it may be shown mistakes alone; not where it acts at every
        presentation.
    projects : whether what a mistake adds may cancel coefficients, so that a score near 0 must be
        summed anew.
    takes_initial : whether a fixed f₀ may be added to its scores. reads_learnt_scores : whether
        `change` is given the scores without it, since its rule is about ‖f‖ of what is learnt.
    reads_own_score : whether `change`, in the same class, reads no other score than that of the
        example shown and those of `others`: then a training on many examples need not know the
        scores of all of them at each step.
    ages_matter : whether `resume` must know when examples were shown. capacity : most presentations
        remembered, None for all.
    intercept, tie : how b moves, and who wins at f(x) = 0, see `Perceptron`. regularization : λ,
    see `Norma`.
    """

    ranges: ClassVar[dict[str, Range]] = {}
    choices: ClassVar[dict[str, tuple[Any, ...]]] = {}
    unused: ClassVar[dict[str, Callable[[Mapping[str, Any]], str]]] = {}
    default_epochs: ClassVar[int] = 50
    effort: ClassVar[float] = 0.05
    needs_unit_diagonal: ClassVar[bool] = False
    chooses: ClassVar[bool] = False
    takes_mistake_orders: ClassVar[bool] = True
    projects: ClassVar[bool] = False
    takes_initial: ClassVar[bool] = True
    reads_learnt_scores: ClassVar[bool] = False
    reads_own_score: ClassVar[bool] = False
    ages_matter: ClassVar[bool] = False
    intercept: str = "none"
    tie: str = "mistake"
    regularization: float = 0.0

    def __repr__(self) -> str:
        """Its class and settings; dataclasses write their own."""
        values = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({values})"

    @property
    def name(self) -> str:
        """What messages call it."""
        return type(self).__name__

    @property
    def unit(self) -> float:
        """Factor of coefficients, scores and b: multiplied in only when they are read, so ties stay
        exact.
        """
        return 1.0

    @property
    def update_margin(self) -> float | None:
        """The loop asks for a change only when y f(x) is at most this (in units); None: always."""
        return None

    @property
    def evicts(self) -> bool:
        """Whether changes may evict."""
        return False

    @property
    def capacity(self) -> int | None:
        """Most presentations remembered, None for all."""
        return None

    @property
    def always_changes(self) -> bool:
        """Whether every presentation changes f, so that no pass is ever clean."""
        return False

    @property
    def about(self) -> About:
        """Words and panels of the player."""
        return About(
            title=self.name,
            idea="A learner of your own.",
            bound=f"No mistake bound is known that applies to {self.name}.",
            grain="update",
        )

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> Any:
        """Return the memory of a fresh training."""
        raise checks.lacks(self, "start(gram, y, rng)", "returns the memory of a fresh training")

    def change(
        self, memory: Any, t: int, i: int, scores: FloatArray, coef: FloatArray
    ) -> Change | None:
        """Return what showing example i as presentation t changes: by default what `gains` says.

        `scores` (f on all examples) and `coef` are in units and must not be written to.
        """
        gains = self.gains(memory)
        if gains is None:
            raise checks.lacks(
                self, "change(memory, t, i, scores, coef)", "returns what showing example i changes"
            )
        label = memory.y[i]
        step = label * gains.gain(t, i, label * scores.item(i)) * gains.scale
        return Change((i,), (step,), gains.lift * step) if step else None

    def others(self, memory: Any) -> Sequence[int]:
        """Return the remembered examples whose scores `change` reads next, besides that of the one
        shown.
        """
        return ()

    def gains(self, memory: Any) -> Gains | None:
        """Return the rule where the margin decides alone, which is a faster loop; the memory then
        has labels `y`.
        """
        return None

    def choose(self, memory: Any, scores: FloatArray) -> int | None:
        """Return which example is shown next, where the learner `chooses`; None: converged."""
        raise checks.lacks(
            self, "choose(memory, scores)", "returns the example that is shown next, or None"
        )

    def turning_margin(self, memory: Any) -> float:
        """Return the margin, besides 0, at which the rule turns: one that is only rounding away
        from it is made it.
        """
        return self.update_margin or 0.0

    def added(self, margin: float) -> float:
        """Return what alpha gains at this margin, for a part of the kind "curve"."""
        raise checks.lacks(self, "added(margin)", "returns what alpha gains at a margin")

    def resume(self, memory: Any, before: ResumeState) -> None:
        """Take over the final state of an earlier training, besides coefficients and b.

        What the memory counts is a detail of its `log`, so that it is found in `before.details`:
        the log goes on from there once its `first` has that value.
        """

    def joined(self, details: Details) -> NDArray[np.bool_] | None:
        """Return at which presentations an example joined what is remembered, (n_steps,), by the
        details of a run; None where the coefficients tell: a learner needs this if it remembers
        examples whose coefficient is 0.
        """
        return None

    def details(self, memory: Any, n_steps: int) -> Details:
        """Return arrays of length n_steps by name: those of the memory's `log`, if it has one."""
        log = getattr(memory, "log", None)
        return log.arrays(n_steps) if isinstance(log, DetailLog) else {}

    def mistakes(self, y: FloatArray, score: FloatArray) -> NDArray[np.bool_]:
        """Return which scores count as mistakes: y f(x) <= 0."""
        return np.asarray(y * score <= 0)


def checked_rates(learning_rate: float, regularization: float) -> None:
    """Refuse what would turn coefficients round: a step of gradient descent shrinks them by
    1 - learning_rate * regularization.
    """
    checks.number("learning_rate", learning_rate, above=0.0)
    checks.number("regularization", regularization, low=0.0)
    if learning_rate * regularization >= 1.0:
        raise ValueError(
            f"regularization={regularization!r} is too large for "
            f"learning_rate={learning_rate!r}: their product must be below 1."
        )


@dataclass(frozen=True)
class BudgetLearner(Learner):
    """At most `budget` presentations are remembered, at least 1; a mistake above it evicts one."""

    budget: int = 10

    ranges: ClassVar[dict[str, Range]] = {
        "budget": Range(1, 200, 10, "B", "most examples remembered", integer=True, log=True)
    }
    update_margin: ClassVar[float] = 0.0
    evicts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checks.integer("budget", self.budget, low=1, high=checks.LARGEST_COUNT)

    @property
    def capacity(self) -> int:
        """The budget."""
        return self.budget
