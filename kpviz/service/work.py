"""What takes time: training a run and packing it. A process of its own may do it: all it needs is in one `Work`."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import ClassVar, Protocol

from kpviz import experiment
from kpviz.engine.run.predictors import Progress
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.service import stored
from kpviz.settings import FILE, Settings

_START = 0.004  # seconds that every run takes
_PRESENTATION = 5e-6  # seconds for each, packed
_EXAMPLE = 1e-7  # seconds for each presentation and example of the training set, of a learner whose effort is 1


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

    `split` are the examples of a file, whose table stays where it is. `rough`: in fewer bytes, for a picture in motion.
    """

    settings: Settings
    asked: frozenset[str]
    split: experiment.Split | None = None
    rough: bool = False

    @classmethod
    def of(cls, settings: Settings, asked: Collection[str], *, rough: bool = False) -> RunWork:
        """Return what is to be done for settings; ValueError, of one sentence, where a file cannot be used."""
        split = experiment.prepare(settings, stored.table(settings)) if settings.data == FILE else None
        return cls(settings.without_cues, frozenset(asked), split, rough)

    @property
    def id(self) -> str:
        return "&".join([self.settings.query(), *sorted(self.asked), *(["rough"] if self.rough else [])])

    @property
    def seconds(self) -> float:
        """Nobody knows when a learner converges."""
        return estimate(self.settings) * (2 if self.asked else 1)

    def trained(self, progress: Progress | None = None) -> Experiment:
        """Return the run, with its examples."""
        split = experiment.prepare(self.settings) if self.split is None else self.split
        return Experiment.of(self.settings, split, experiment.run(self.settings, split, progress))

    def compute(self, progress: Progress | None = None) -> bytes:
        return payload.encode(self.trained(progress), asked=self.asked, progress=progress, rough=self.rough)


@dataclass(frozen=True)
class VerdictWork:
    """A run that is looked into. Whatever else is asked for comes first."""

    run: RunWork
    seconds: ClassVar[float] = math.inf

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"verdict?{self.run.id}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Train the run, and find out what can be known of it."""
        return payload.encode_verdict(self.run.trained(progress), progress)


def estimate(settings: Settings) -> float:
    """Return the seconds that a run may take."""
    presentations = settings.n * (1 if settings.stream == "on" else settings.epochs)
    effort = experiment.learner(settings).effort
    return float(_START + presentations * (_PRESENTATION + settings.n * effort * _EXAMPLE))
