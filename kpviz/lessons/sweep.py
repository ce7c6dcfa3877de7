"""Curves over a setting.

The numbers of a run at its end, for each value of one property and for each seed.

Tests: tests/test_sweep.py.
"""

from __future__ import annotations

import bisect
import contextlib
import difflib
import math
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment, packages, processes
from kpviz.engine import checks
from kpviz.engine.data.tables import Table
from kpviz.engine.run.predictors import Progress
from kpviz.experiment import Split
from kpviz.lessons import comparison
from kpviz.settings import BY_NAME, PROPERTIES, Settings, names_of

_SEEDS = ("seed", "oseed")
_MOST_SEEDS = 1000
_MANY = 32  # So many values of a range are tried.
_ALL_UP_TO = 51  # If a slider has no more values, all of them are taken.
_DIGITS = 3  # A value on a logarithmic scale has so many, as on a slider.
# As a share of the stretch between two values: what is so near another one says nothing new.
_CLOSE = 0.25
_OF_DATA = names_of("data")


@dataclass(frozen=True)
class Point:
    """What one run came to, read by the predictor of its settings.

    `seed` is that of the data, or of the order.

    `train_error` is NaN for a stream, whose target may have moved on, `test_error` where nothing is
    held out.
    """

    value: float
    seed: int
    mistakes: int
    epochs: int
    end: str
    converged: bool
    support: int
    train_error: float
    test_error: float


COLUMNS = tuple(column.name for column in fields(Point))
MEASURES = ("mistakes", "support", "train_error", "test_error")


@dataclass(frozen=True)
class Sweep:
    """The runs of a property's values, by value and then by seed: what `kpviz.sweep` returns.

    It iterates over its points, so that pandas.DataFrame(sweep) has a row for each.
    """

    name: str
    points: tuple[Point, ...]

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __repr__(self) -> str:
        values = self.means["value"]
        seeds = len(self) // len(values)
        return (
            f"<Sweep of {self.name} from {values[0]:g} to {values[-1]:g}: {len(values)} "
            f"values, seeds: {seeds}>"
        )

    @cached_property
    def table(self) -> dict[str, NDArray[Any]]:
        """The columns by name, each an array of length len(self)."""
        return {name: np.array([getattr(point, name) for point in self.points]) for name in COLUMNS}

    @cached_property
    def means(self) -> dict[str, NDArray[np.float64]]:
        """The values, and the mistakes, support and errors of each, averaged over the seeds."""
        values, place = np.unique(self.table["value"], return_inverse=True)
        counts = np.bincount(place)
        return {
            "value": values,
            **{name: np.bincount(place, self.table[name]) / counts for name in MEASURES},
        }


@dataclass(frozen=True)
class SweepTask:
    """One run of a sweep, which any process can do."""

    settings: Settings
    split: Split
    value: float
    seed: int

    def point(self, progress: Progress | None = None) -> Point:
        """Train, and return the numbers at the end."""
        run = experiment.run(self.settings, self.split, progress)
        summary = comparison.summary(self.settings, self.split, run)
        return Point(
            value=self.value,
            seed=self.seed,
            mistakes=int(run.mistake.sum()),
            epochs=run.n_epochs,
            end=run.end,
            converged=run.converged,
            support=summary.support,
            train_error=math.nan if summary.train_error is None else summary.train_error,
            test_error=math.nan if summary.test_error is None else summary.test_error,
        )


def sweep(
    settings: Settings,
    name: str,
    values: Iterable[float] | None = None,
    *,
    seeds: int = 1,
    n_jobs: int | None = None,
    progress: bool | None = None,
    table: Table | None = None,
) -> Sweep:
    """Train once for each value and seed, see `kpviz.sweep`.

    `table` is needed when the data are a file's.
    """
    with packages.needs("A sweep", "sklearn"):  # An import of kpviz should not load them.
        from tqdm import tqdm

    todo = tasks(settings, name, values, seeds, table)
    hidden = None if progress is None else not progress  # None: shown on a terminal
    with contextlib.closing(_points(todo, n_jobs)) as points:
        return Sweep(
            name, tuple(tqdm(points, name, len(todo), unit="run", leave=False, disable=hidden))
        )


def _points(todo: Sequence[SweepTask], n_jobs: int | None) -> Generator[Point, None, None]:
    """Do all runs where joblib is told to; its processes must not outlive a killed program."""
    from joblib import Parallel, delayed
    from joblib.parallel import get_active_backend

    backend, usual = get_active_backend()
    count = backend.effective_n_jobs(usual if n_jobs is None else n_jobs)
    if type(backend).__name__ == "LokyBackend" and min(count, len(todo)) > 1:
        yield from processes.mapped(SweepTask.point, todo, count)
    else:
        yield from Parallel(n_jobs=n_jobs, return_as="generator")(
            delayed(SweepTask.point)(task) for task in todo
        )


def tasks(
    settings: Settings,
    name: str,
    values: Iterable[float] | None,
    seeds: int,
    table: Table | None = None,
    split: Split | None = None,
) -> list[SweepTask]:
    """Return the runs of a sweep, by value and then by seed; ValueError, of one sentence, where
    there is none.

    `split` are the examples of the settings, if somebody has them already.
    """
    settings = settings.without_cues
    drawn = _seeds(settings, name, seeds)
    splits = {} if split is None else {_data(settings): split}
    all_tasks = []
    for value in checked(settings, name, values):
        for seed, changes in drawn:
            made = settings.replace(**{**changes, name: value})
            data = _data(made)
            if data not in splits:
                splits[data] = experiment.prepare(made, table)
            all_tasks.append(SweepTask(made, splits[data], value, seed))
    if not len(all_tasks[0].split.y):
        raise ValueError("There are no examples to learn from: draw some in the app first.")
    return all_tasks


def _data(settings: Settings) -> tuple[Any, ...]:
    return tuple(settings.values[name] for name in _OF_DATA)


def names(settings: Settings) -> list[str]:
    """Return the properties over which a curve can be drawn: numbers that apply, except seeds."""
    return [
        prop.name
        for prop in PROPERTIES
        if prop.range is not None
        and prop.name not in (*_SEEDS, "x", "y")
        and settings.reason_against(prop.name) is None
        and _limits(settings, prop.name).low < _limits(settings, prop.name).high
    ]


def values_of(settings: Settings, name: str, many: int = _MANY) -> list[float]:
    """Return about as many values of a property's range, logarithmic where its slider is."""
    limits = _limits(settings, name)
    low = limits.low
    high = limits.high
    step = 1 if limits.integer else limits.step
    if limits.log:
        spread = np.array(
            [float(f"{value:.{_DIGITS}g}") for value in np.geomspace(low, high, many)]
        )
    elif step is not None and (high - low) / step < min(_ALL_UP_TO, many * _ALL_UP_TO / _MANY):
        spread = low + step * np.arange(round((high - low) / step) + 1)
    else:
        spread = np.linspace(low, high, many)
        spread = spread if step is None else low + np.round((spread - low) / step) * step
    read = [
        BY_NAME[name].repair(round(value) if limits.integer else value, settings.values)[0]
        for value in spread
    ]
    return sorted({float(value) for value in read})


def _with_value(values: list[float], value: float, is_log: bool) -> list[float]:
    """Return the values with one more, in the place of one that is close beside it, unless that is
    an end.

    Two runs that differ by a hair would make a curve look broken there.
    """
    place = bisect.bisect(values, value)
    around = values[max(place - 1, 0) : place + 1]
    scale = math.log if is_log else float
    close = _CLOSE * (scale(around[-1]) - scale(around[0]))
    inner = [other for other in values[1:-1] if abs(scale(other) - scale(value)) >= close]
    return sorted({values[0], *inner, values[-1], value})


def seed_names(settings: Settings, name: str) -> list[str]:
    """Return the seeds that a sweep over a property may vary: those of data and order, where they
    apply.
    """
    return [kind for kind in _SEEDS if settings.reason_against(kind) is None and kind != name]


def _limits(settings: Settings, name: str) -> checks.Range:
    return BY_NAME[name].range_for(settings.values)


def _seeds(settings: Settings, name: str, seeds: int) -> list[tuple[int, dict[str, int]]]:
    """Return each seed, and what it changes."""
    seeds = checks.integer("seeds", seeds, low=1, high=_MOST_SEEDS)
    kinds = seed_names(settings, name)
    if seeds > 1 and not kinds:
        raise ValueError(
            f"seeds={seeds} would give the same run {seeds} times: nothing here is drawn by a seed."
        )
    first = settings.values[kinds[0] if kinds else "seed"]
    changes = [{kind: (settings.values[kind] + k) % 10_000 for kind in kinds} for k in range(seeds)]
    return [((first + k) % 10_000, changes[k]) for k in range(seeds)]


def checked(settings: Settings, name: str, values: Iterable[float] | None) -> list[float]:
    """Return the values, ascending; ValueError if the property has no numbers, or not these."""
    if name not in BY_NAME:
        near = difflib.get_close_matches(str(name), BY_NAME, 1)
        advice = (
            f"did you mean {near[0]!r}?" if near else f"give one of {', '.join(names(settings))}."
        )
        raise ValueError(f"name={name!r} is not a setting: {advice}")
    prop = BY_NAME[name]
    if prop.range is None:
        raise ValueError(
            f"name={name!r} is not a number to turn: give one of {', '.join(names(settings))}."
        )
    reason = settings.reason_against(name)
    if reason is not None:
        raise ValueError(f"name={name!r} does not apply, because {reason}.")
    if values is None:
        limits = _limits(settings, name)
        return _with_value(values_of(settings, name), float(settings.values[name]), limits.log)
    taken = set()
    for value in values:
        allowed, problem = prop.repair(checks.number(name, value), settings.values)
        if problem is not None:
            raise ValueError(f"{name}={value:g} {problem}.")
        taken.add(float(allowed))
    if not taken:
        raise ValueError("values is empty: give at least one, or leave it out.")
    return sorted(taken)
