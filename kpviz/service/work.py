"""What takes time: training a run and packing it. A process of its own may do it: all it needs is in one `Work`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from kpviz import experiment
from kpviz.engine.data.tables import Table
from kpviz.player import payload
from kpviz.settings import Settings

_START = 0.004  # seconds that every run takes
_PRESENTATION = 2e-6  # seconds for each, of a learner that compares one margin


@dataclass(frozen=True)
class Work:
    """A run that is to be packed: settings without cues, the extras that panels ask for, and the table of a file.

    `rough`: in fewer bytes, for a picture in motion.
    """

    settings: Settings
    asked: frozenset[str]
    table: Table | None = None
    rough: bool = False

    @property
    def id(self) -> str:
        """What tells a run, with what is asked for besides, from others."""
        return "&".join([self.settings.query(), *sorted(self.asked), *(["rough"] if self.rough else [])])

    @property
    def seconds(self) -> float:
        """An estimate of how long it takes, from above: nobody knows when a learner converges."""
        settings = self.settings
        presentations = settings.n * (1 if settings.stream == "on" else settings.epochs)
        effort = experiment.learner(settings).effort
        return float(_START + presentations * _PRESENTATION * effort * (1 if not self.asked else 2))


def work(settings: Settings, asked: Collection[str], table: Table | None, *, rough: bool = False) -> Work:
    """Return what is to be done for settings."""
    return Work(settings.without_cues, frozenset(asked), table, rough)


def packed(work: Work, progress: Callable[[int, int], Any] | None = None) -> bytes:
    """Train and pack a run; ValueError, of one sentence, where it cannot be computed or sent."""
    split = experiment.prepare(work.settings, work.table)
    run = experiment.run(work.settings, split, progress)
    return payload.encode(work.settings, split, run, asked=work.asked, progress=progress, rough=work.rough)
