"""What takes time: training a run and packing it.

A process of its own may do it: all it needs is in one `Work`.

Tests: tests/service/test_answer.py, tests/server/test_pool.py.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from kpviz import experiment
from kpviz.engine.run.predictors import Progress
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.service import stored
from kpviz.settings import FILE, Settings

_START = 0.004  # In seconds: every run takes so long.
_PRESENTATION = 5e-6  # In seconds: each presentation takes so long, packed.
# In seconds: each presentation and example of the training set takes so long, of a learner whose
# effort is 1.
_EXAMPLE = 1e-7
_CHARACTER = 3e-5  # In seconds: each example and character of a formula takes so long.
_COMPONENT = 2e-4  # In seconds: each example and component of a mixture takes so long.
_SOLVING = {"bound", "proof"}  # These panels solve a problem over all pairs of examples.
_SOLVED = 5e-9  # In seconds, times n cubed, for each of them.
_GUESSED_EXAMPLES = 100  # Where nothing says how many there are.


class Work(Protocol):
    """What can be computed for a page."""

    @property
    def id(self) -> str:
        """What tells it from others."""

    @property
    def seconds(self) -> float:
        """An estimate of how long it takes, from above."""

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return what is sent; ValueError, of one sentence, where that is not possible."""


Compute = Callable[[Work], Awaitable[bytes]]


@dataclass(frozen=True)
class RunWork:
    """A run that is to be packed: settings without cues, and the extras that panels ask for.

    `split` are the examples of a file, whose table stays where it is. `rough`: in fewer bytes, for
    a picture in motion.
    """

    settings: Settings
    extra_names: frozenset[str]
    split: experiment.Split | None
    rough: bool

    @classmethod
    def of(
        cls, settings: Settings, extra_names: Collection[str], *, rough: bool = False
    ) -> RunWork:
        """Return what is to be done for settings; ValueError, of one sentence, where a file cannot
        be used.
        """
        split = stored.split(settings) if settings.data == FILE else None
        return cls(settings.without_cues, frozenset(extra_names), split, rough)

    @property
    def id(self) -> str:
        return "&".join(
            [self.settings.query(), *sorted(self.extra_names), *(["rough"] if self.rough else [])]
        )

    @property
    def seconds(self) -> float:
        """An estimate: nobody knows when a learner converges, or how many examples were drawn."""
        panels = len(_SOLVING & self.extra_names) * _SOLVED * self._examples**3
        # The extras are taken to last as long as the run.
        return estimate(self.settings) * (2 if self.extra_names else 1) + panels

    @property
    def _examples(self) -> int:
        """How many examples there are, as far as that is known."""
        if self.split is not None:
            return len(self.split.everything)
        return self.settings.n if self.settings.reason_against("n") is None else _GUESSED_EXAMPLES

    def trained(self, progress: Progress | None = None) -> Experiment:
        """Return the run, with its examples."""
        split = experiment.prepare(self.settings) if self.split is None else self.split
        return Experiment.of(self.settings, split, experiment.run(self.settings, split, progress))

    def compute(self, progress: Progress | None = None) -> bytes:
        with np.errstate(all="ignore"):  # Values that are not finite are refused in a sentence.
            return payload.encode(
                self.trained(progress),
                extra_names=self.extra_names,
                progress=progress,
                rough=self.rough,
            )


@dataclass(frozen=True)
class VerdictWork:
    """A run of which is found out what can be known. Its estimate is infinite, so that whatever
    else is asked for comes first.
    """

    run: RunWork
    seconds: ClassVar[float] = math.inf

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"verdict?{self.run.id}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Train the run, and find out what can be known of it."""
        with np.errstate(all="ignore"):
            return payload.encode_verdict(self.run.trained(progress), progress)


def estimate(settings: Settings) -> float:
    """Return the seconds that a run may take."""
    presentations = settings.n * (1 if settings.stream == "on" else settings.epochs)
    effort = experiment.learner(settings).effort
    training = presentations * (_PRESENTATION + settings.n * effort * _EXAMPLE)
    return float(_START + training + settings.n * _estimate_of_kernel(settings))


def _estimate_of_kernel(settings: Settings) -> float:
    """Return the seconds for each example of kernels that are slow to evaluate or to fit."""
    if settings.kernel == "formula":
        return _CHARACTER * len(settings.formula)
    return _COMPONENT * settings.components if settings.kernel == "mixture" else 0.0
