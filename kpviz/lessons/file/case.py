"""What a task is about: the run of a link, at an instant. Trained once, and refused where that takes too long."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import cycling, predictors
from kpviz.engine.run.run import Run, State
from kpviz.engine.theory import separability
from kpviz.experiment import Split
from kpviz.lessons.file.links import PLAY, Link
from kpviz.settings import Settings

SECONDS = 20.0  # that a run may take, and what is asked about it


class NoRunError(ValueError):
    """Why a link has no run for a task, in one sentence."""


@dataclass(frozen=True, eq=False)
class Case:
    """A run, what it was made from, and the instant that is asked about."""

    settings: Settings
    split: Split
    run: Run
    t: int
    started: Link | None = None  # where the task started, if this is what was made of it
    ends: float = field(default_factory=lambda: time.monotonic() + SECONDS)  # when it has taken too long

    @classmethod
    def of(cls, link: Link, *, unnamed: int | None = None) -> Case:
        """Return the run of a link at the instant that it names, else at `unnamed`; None: the end.

        Raises
        ------
        NoRunError
            If the link is not for the player, cannot be used as it is, or its run has no examples or takes too long.
        """
        if link.page != PLAY:
            raise NoRunError("A task needs a run: give a link of the player, as v=1&data=xor.")
        if link.problems:
            raise NoRunError(link.problems[0])
        settings = link.settings.without_cues
        split, run = _trained(settings)
        t = link.t
        if t is not None and t > run.n_steps:
            raise NoRunError(f"The link names step {t:,}, but its run has {run.n_steps:,} steps.")
        t = unnamed if t is None else t
        return cls(settings, split, run, run.n_steps if t is None else t)

    def hurry(self) -> None:
        """Refuse to work out more of it once that has taken too long: NoRunError."""
        if time.monotonic() > self.ends:
            why = f"It takes more than {SECONDS:g} seconds to work out; ask for less, or of a smaller run."
            raise NoRunError(why)

    @property
    def end(self) -> Case:
        """The same run at its end."""
        return replace(self, t=self.run.n_steps)

    @cached_property
    def first(self) -> Case | None:
        """The end of the run with which the task started; None where an answer is about that run itself."""
        return None if self.started is None else Case.of(self.started).end

    @cached_property
    def state(self) -> State:
        """The state at the instant."""
        return self.run.state_at(self.t)

    @cached_property
    def scores(self) -> FloatArray:
        """The score of each training example, by the predictor of the settings: (n,)."""
        return self.read(self.run.X)

    @cached_property
    def margins(self) -> FloatArray:
        """Y f(x) of each training example, (n,)."""
        return np.asarray(self.run.y * self.scores)

    @cached_property
    def separability(self) -> separability.Separability:
        """Whether the classes can be separated by this kernel."""
        run = self.run
        intercept = run.learner.intercept != "none" or bool(run.changes.shift.any())
        return separability.decide(run.X, run.y, run.kernel, run.gram, intercept=intercept)

    @cached_property
    def cycle(self) -> cycling.Cycle | None:
        """How the run repeats itself."""
        return cycling.cycle(self.run)

    def read(self, Z: NDArray[np.float64]) -> FloatArray:
        """Return f of each row of Z, by the predictor of the settings."""
        return self.run.decision_function(Z, self.t, self.settings.predictor)

    def wrong(self, X: FloatArray, y: FloatArray) -> int:
        """Return how many of (X, y) f is on the wrong side of, or 0; the vote's sign of 0 is +1."""
        f = self.read(X)
        wrong = np.where(f >= 0.0, 1.0, -1.0) != y if self.settings.predictor == "voted" else f * y <= 0.0
        return int(wrong.sum())

    @property
    def intercept(self) -> float:
        """What is added to the sum: b."""
        return float(predictors.coefficients(self.run, [self.t], self.settings.predictor)[1][0])


@lru_cache(maxsize=8)
def _trained(settings: Settings) -> tuple[Split, Run]:
    ends = time.monotonic() + SECONDS

    def watched(done: int, limit: int) -> None:
        if time.monotonic() > ends:
            raise TimeoutError  # which cancels

    split = experiment.prepare(settings)
    if not len(split.y):
        raise NoRunError("The link has no examples to learn from: draw some.")
    run = experiment.run(settings, split, watched)
    if run.end == "cancelled":
        raise NoRunError(f"The run takes more than {SECONDS:g} seconds: use fewer examples or epochs.")
    return split, run
