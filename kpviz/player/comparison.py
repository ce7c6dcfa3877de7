"""A comparison: the current run, and those pinned beside it.

Tests: tests/test_comparison.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from kpviz import experiment
from kpviz.engine.run.predictors import Progress
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.lessons import comparison, presets
from kpviz.lessons.comparison import LETTERS, Pin
from kpviz.player import payload
from kpviz.player.experiment import Experiment
from kpviz.player.extras import EXTRAS
from kpviz.player.payload import Packed
from kpviz.settings import Settings
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState


@dataclass(frozen=True, eq=False)
class Comparison:
    """The current run, and those pinned beside it, with names where there are several."""

    current: Experiment
    pinned: tuple[Experiment, ...] = ()
    pins: tuple[Pin, ...] = ()

    @classmethod
    def of(
        cls,
        settings: Settings,
        split: Split,
        run: Run,
        pins: Sequence[Pin] = (),
        progress: Progress | None = None,
    ) -> Comparison:
        """Train the pinned models on the same examples; `progress` is called as by `train`."""
        current = Experiment.of(settings, split, run)
        if not len(split.y):
            return cls(current)
        made = [pin.on(settings.without_cues) for pin in pins]
        pinned = tuple(
            Experiment.of(settings_of_pin, split, experiment.run(settings_of_pin, split, progress))
            for settings_of_pin in made
        )
        return cls(current, pinned, tuple(pins))

    @classmethod
    def trained(
        cls,
        settings: Settings,
        split: Split,
        pins: Sequence[Pin] = (),
        progress: Progress | None = None,
    ) -> Comparison:
        """Train a run and those pinned beside it; ValueError, of one sentence, where one cannot be
        computed.
        """
        return cls.of(settings, split, experiment.run(settings, split, progress), pins, progress)

    @property
    def all(self) -> tuple[Experiment, ...]:
        """All runs in the order of their letters, the current one last."""
        return (*self.pinned, self.current)

    @property
    def end(self) -> int:
        """The instant at which the longest run ends."""
        return max(experiment.run.n_steps for experiment in self.all)

    @property
    def letters(self) -> str:
        """A letter for each run."""
        return LETTERS[: len(self.all)]

    @property
    def alone(self) -> Comparison:
        """The current run without the pinned ones."""
        return Comparison(self.current)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the models are called, "" for one that stands alone."""
        settings = self.current.settings
        return (
            tuple(comparison.names(self.pins, settings))
            if self.pins and settings is not None
            else ()
        )

    def packed(
        self,
        view: ViewState,
        cues: Cues,
        extra_names: Collection[str] = (),
        progress: Progress | None = None,
    ) -> bytes:
        """Return what the app would send its player.

        `extra_names` are panels whose numbers go along.
        """
        return self.enclosed(self.runs(extra_names, progress, over=view.over), view, cues)

    def runs(
        self,
        extra_names: Collection[str] = (),
        progress: Progress | None = None,
        *,
        over: str | None = None,
        name: str = "run",
    ) -> list[Packed]:
        """Return the runs as bytes; a player that has one of this `name` already keeps that.

        `over`: of the curve.
        """
        numbers = EXTRAS.keys() & extra_names
        settings = None if self.current.settings is None else self.current.settings.without_cues
        current_shown = replace(self.current, settings=settings, over=over or self.current.over)
        current = payload.encode(current_shown, extra_names=numbers, progress=progress)
        pinned = (payload.encode(experiment) for experiment in self.pinned)
        return [
            Packed(name, current),
            *(Packed(f"{name}-pin-{number}", data) for number, data in enumerate(pinned)),
        ]

    def enclosed(self, packed: Sequence[Packed], view: ViewState, cues: Cues) -> bytes:
        """Return packed runs with what is said of them, and where the player opens."""
        current = self.current
        settings = self.current.settings
        return payload.envelope(
            packed,
            names=self.names,
            pins="" if settings is None else presets.query(settings, self.pins),
            comparison=None if settings is None else presets.plain(settings, self.pins),
            data="" if settings is None else payload.data_id(settings),
            view=replace(view, t=min(view.t, current.run.n_steps)),
            cues=cues,
        )
