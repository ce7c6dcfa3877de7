"""Curves over a setting, as their panel gets them: the sweep of one property, averaged over seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from kpviz.engine.run.predictors import Progress
from kpviz.lessons import sweep as sweeps
from kpviz.lessons.sweep import Sweep, Task
from kpviz.player.subject import Subject
from kpviz.settings import BY_NAME, FILE, Settings, names_of

SEEDS = 5  # that a curve is averaged over, if one likes
_FIRST = ("kernel", "learner", "data", "order")  # groups of properties
_FLAT = ("eta",)  # of the perceptron it changes nothing
_PERCENT = ("flipped", "balance", "held")
_NO_SETTINGS = (
    "Of a run that was made in Python there are no such curves: kpviz.sweep has the numbers, kpviz plot draws a link's."
)


def choices(settings: Settings) -> list[str]:
    """Return the properties that a curve may run over, the default one first."""
    return sorted(sweeps.names(settings), key=lambda name: (name in _FLAT, _FIRST.index(BY_NAME[name].group)))


def tasks(settings: Settings, name: str, seeds: int, **given: Any) -> list[Task]:
    """Return the runs of a curve, the same whatever the value of its property is; see `sweep.tasks`."""
    return sweeps.tasks(settings, name, sweeps.values_of(settings, name), seeds, **given)


def numbers(
    settings: Settings, name: str, todo: Sequence[Task], offered: Sequence[str], progress: Progress | None = None
) -> dict[str, Any]:
    """Train the runs of a curve, and return all that its panel shows."""
    points = []
    for done, task in enumerate(todo):
        points.append(task.point(None if progress is None else _told(progress, done, len(todo))))
        if progress is not None:
            progress(done + 1, len(todo))  # raises where the work is cancelled, which a training hides
    found, limits = Sweep(name, tuple(points)), BY_NAME[name].range_for(settings.values)
    means = {key: [_finite(value) for value in column] for key, column in found.means.items()}
    return {
        "why": "",
        "name": name,
        "label": label(name),
        "log": limits.log,
        "percent": name in _PERCENT,
        "default": BY_NAME[name].default_for(settings.values),
        "seeds": len(points) // len(means["value"]),
        "most": SEEDS if sweeps.seed_names(settings, name) else 1,
        "choices": [[each, label(each)] for each in offered],
        "values": means["value"],
        "mistakes": means["mistakes"],
        "support": means["support"],
        "train": means["train_error"],
        "test": means["test_error"],
    }


def curve(subject: Subject, progress: Progress | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the curve over the first of the properties, for pictures; in the app the service answers for it."""
    settings = subject.settings
    if settings is None:
        return {"why": _NO_SETTINGS}, {}
    offered = choices(settings)
    if settings.data == FILE:  # its rows are not here
        offered = [name for name in offered if name not in names_of("data")]
    todo = tasks(settings, offered[0], 1, split=subject.split)
    return numbers(settings, offered[0], todo, offered, progress), {}


def label(name: str) -> str:
    """Return what a property is called on the axis."""
    prop = BY_NAME[name]
    short = prop.label if len(prop.label) <= 3 else prop.name
    return {"held": "held out"}.get(name, f"{short}₂" if name.endswith("2") else short)


def _told(progress: Progress, done: int, limit: int) -> Progress:
    return lambda _done, _limit: progress(done, limit)


def _finite(value: np.float64) -> float | None:
    return None if math.isnan(value) else float(value)
