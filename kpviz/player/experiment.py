"""An experiment: a run with its data, and the settings that made it, if any; what the player shows.

Tests: tests/player/test_payload.py, tests/test_experiment.py.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz import experiment, tokens
from kpviz.engine import checks
from kpviz.engine.data.datasets import Dataset
from kpviz.engine.data.dnf import Dnf
from kpviz.engine.learners.protocol import About
from kpviz.engine.run import example_positions, fold, grid, predictors
from kpviz.engine.run.example_positions import ExamplePositions
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.engine.run.run import Run, comparable_examples
from kpviz.engine.theory.applicable_bounds import NOVIKOFF, Bound, all_bounds
from kpviz.experiment import Split
from kpviz.lessons import explain
from kpviz.player import contributions
from kpviz.settings import BOOLEAN, DRAWN, Settings, conditions
from kpviz.settings.kernel_words import kernel_label

_FEATURES = ("x₁", "x₂")
_CLASSES = ("−1", "+1")
_PRECOMPUTED = "precomputed"
_PRESS = re.compile(r" ?Press →[^:.]*(?:\.|: (f )?(\S))")
_ROUNDING = 1e-9
_VOTES = 3  # The votes of so many changes are counted in the time of one addition to the field.
_TRUNCATED = 8  # A factorisation that is cut off costs so many times as much as an exact one.


def _unasked(press: re.Match[str]) -> str:
    """Return how a sentence goes on without "Press →: ", with a capital unless by a symbol."""
    symbol = press.group(1) or ""
    first = press.group(2) or ""
    return symbol + first if symbol else first.upper()


@dataclass(frozen=True, eq=False)
class Experiment:
    """A run, its examples, and the settings that it was made from; None for a run made in Python.

    Parameters
    ----------
    predictor : the reading that is shown, one of `PREDICTORS`.
    over : the setting that curves run over; None: the first that they can.
    """

    run: Run
    split: Split
    predictor: str = "last"
    settings: Settings | None = None
    over: str | None = None

    @classmethod
    def of(cls, settings: Settings, split: Split, run: Run) -> Experiment:
        """Return the experiment of settings and their run."""
        return cls(run, split, settings.predictor, settings)

    @classmethod
    def from_run(
        cls,
        run: Run,
        predictor: str = "last",
        *,
        X_test: ArrayLike | None = None,
        y_test: ArrayLike | None = None,
        features: tuple[str, str] = _FEATURES,
        classes: tuple[str, str] = _CLASSES,
    ) -> Experiment:
        """Return the experiment of a run that was made in Python, perhaps with held-out examples.

        Raises
        ------
        ValueError
            One sentence: there is no such predictor, or the held-out examples do not go with the
            run's or are too large for its kernel.
        """
        checks.choice("predictor", predictor, PREDICTORS)
        if (X_test is None) != (y_test is None):
            raise ValueError("X_test and y_test belong together: give both, or neither.")
        held = run.X[:0]
        labels = run.y[:0]
        if X_test is not None and y_test is not None:
            if run.kernel is None:
                raise ValueError(
                    "X_test has no place where X is a Gram matrix: leave out X_test and y_test."
                )
            held = comparable_examples(run, "X_test", X_test)
            support = fold.ever_in_support(run)
            with np.errstate(over="ignore", invalid="ignore"):
                values = np.abs(predictors.kernel_columns(run, held, support)).sum(axis=1)
                largest = values * (1 + run.n_steps)  # No sum on the way to a score is above it.
            if not np.isfinite(largest).all():
                raise ValueError("X_test is too large for the kernel of this run: scale it down.")
            labels = checks.labels(y_test, len(held), "y_test")
        source = Dataset(run.X, run.y, features, classes)
        return cls(run, Split(run.X, run.y, held, labels, source), predictor)

    @property
    def stream(self) -> bool:
        """Whether the examples come only once."""
        return self.settings is not None and self.settings.stream == "on"

    @cached_property
    def nodes(self) -> int:
        """How many nodes each axis of the grid has."""
        run = self.run
        terms = len(fold.ever_in_support(self.run))
        if self.predictor == "voted":
            terms = max(terms, len(run.changes) // _VOTES)
        if (
            terms
            and run.kernel is not None
            and self.where.is_plane
            and not contributions.is_exact(run.kernel)
        ):
            terms *= _TRUNCATED
        return grid.nodes(run.kernel, self.where.visible, tokens.GRID, terms)

    @property
    def coarse(self) -> float | None:
        """How many nodes of the grid a width of the kernel has, if too few to see its hills; None
        if enough.
        """
        nodes_per_width = (
            grid.per_width(self.run.kernel, self.where.visible, self.nodes)
            if self.where.is_plane
            else math.inf
        )
        return None if nodes_per_width >= grid.PER_WIDTH * (1 - _ROUNDING) else nodes_per_width

    @property
    def bits(self) -> bool:
        """Whether the examples are rows of bits."""
        return self.settings is not None and self.settings.data == BOOLEAN

    @cached_property
    def where(self) -> ExamplePositions:
        """Where the examples are shown."""
        if self.settings is not None:
            return experiment.positions(self.settings, self.split, self.run)
        return example_positions.of(self.run, self.split.X_test)

    @property
    def title(self) -> str:
        """What the data are called, "" where nobody named them."""
        return "" if self.settings is None else experiment.title(self.settings)

    def model(self, under: str = "") -> str:
        """Return data, kernel and learner in one line, without the data where it stands `under`
        their name.
        """
        if self.settings is not None:
            return experiment.about(self.settings, under)
        return " · ".join(part for part in (self.kernel, self.about.title) if part)

    @property
    def look_for(self) -> str:
        """What to look for in the data, in a sentence; "" where nobody knows."""
        return "" if self.settings is None else experiment.look_for(self.settings)

    @property
    def offer(self) -> str:
        """What one may do with these points where they can be changed, in a sentence; "" with any
        others.
        """
        if not len(self.run.y):
            return "Press Draw, then put points on the map."
        drawn = self.settings is not None and self.settings.data == DRAWN
        return "Move one point and see what follows." if drawn else ""

    @property
    def kernel(self) -> str:
        """What the kernel is called."""
        if self.run.kernel is None:
            return _PRECOMPUTED
        return kernel_label(
            self.run.kernel if self.settings is None else experiment.kernel(self.settings)
        )

    @property
    def function(self) -> Dnf | None:
        """The Boolean function that is learnt, None for other data."""
        return None if self.settings is None else experiment.boolean_function(self.settings)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The mistake bounds that may apply, the one to show first, without one that adds nothing
        to Novikoff's.
        """
        bounds = all_bounds(self.run, self.predictor, self.function)
        novikoff = next(
            (bound for bound in bounds if bound.key in NOVIKOFF and bound.applies), None
        )
        adds = [
            novikoff is None
            or other.key != "nonseparable"
            or int(other.value) < int(novikoff.value)
            for other in bounds
        ]
        return tuple(compress(bounds, adds))

    @property
    def asked_object(self) -> NDArray[Any]:
        """The object that is asked about, (1,), or nothing, (0,)."""
        if self.settings is None or conditions.objects(self.settings.values):
            return self.run.X[:0]
        return experiment.asked_object(self.settings, self.run)

    @property
    def opening(self) -> str:
        """What is said before the first step where nobody has a key to press."""
        sentence = _PRESS.sub(_unasked, explain.explain(self.run, 0).sentence)
        return f"{self.look_for} {sentence}".strip()

    @property
    def about(self) -> About:
        """The learner's description."""
        return self.run.learner.about
