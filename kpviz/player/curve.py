"""Curves over a setting, as their panel gets them: the sweep of one property, averaged over seeds.

Tests: tests/service/test_curve.py, tests/player/test_curve_panel.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from kpviz.engine.run.predictors import Progress
from kpviz.engine.theory.applicable_bounds import NO_EXAMPLES
from kpviz.lessons import sweep
from kpviz.lessons.sweep import Point, Sweep, SweepTask
from kpviz.player.experiment import Experiment
from kpviz.settings import BY_NAME, FILE, Settings, names_of

SEEDS = 5  # A curve may be averaged over so many.
# Groups of properties are offered in this order.
_GROUP_ORDER = ("kernel", "learner", "data", "order")
_OFFERED_LAST = ("eta",)  # It changes no verdict of the perceptron.
# A textbook sets its starting weight to one value; `kpviz.sweep` has a curve over it all the same.
_NOT_OFFERED = ("b0",)
_PERCENT = ("flipped", "balance", "held")
_NO_SETTINGS = (
    "Of a run that was made in Python there are no such curves: kpviz.sweep has the "
    "numbers, kpviz plot draws a link’s."
)


def choices(settings: Settings) -> list[str]:
    """Return the properties that a curve may run over, the default one first."""
    offered = [name for name in sweep.names(settings) if name not in _NOT_OFFERED]
    return sorted(
        offered,
        key=lambda name: (name in _OFFERED_LAST, _GROUP_ORDER.index(BY_NAME[name].group)),
    )


def points(todo: Sequence[SweepTask], progress: Progress | None = None) -> list[Point]:
    """Train some runs of a curve.

    `progress` is called during each training with the presentations of that training, and after it
    with how many runs are done. What it raises during a training only ends that training; what it
    raises after one ends the curve.
    """
    trained = []
    for done, task in enumerate(todo, start=1):
        trained.append(task.point(progress))
        if progress is not None:
            progress(done, len(todo))
    return trained


def numbers(
    settings: Settings, name: str, points: Sequence[Point], offered: Sequence[str]
) -> dict[str, Any]:
    """Return all that the panel shows of the runs of a curve."""
    averaged = Sweep(name, tuple(points))
    limits = BY_NAME[name].range_for(settings.values)
    means = {
        key: [None if math.isnan(value) else float(value) for value in column]
        for key, column in averaged.means.items()
    }
    return {
        "why": "",
        "name": name,
        "label": label(name),
        "log": limits.log,
        "percent": name in _PERCENT,
        "default": BY_NAME[name].default_for(settings.values),
        "seeds": len(points) // len(means["value"]),  # Each value is trained with each seed.
        "most": SEEDS if sweep.seed_names(settings, name) else 1,
        "choices": [[choice, label(choice)] for choice in offered],
        "values": means["value"],
        "mistakes": means["mistakes"],
        "support": means["support"],
        "train": means["train_error"],
        "test": means["test_error"],
    }


def curve(
    experiment: Experiment, progress: Progress | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the curve over a property, for pictures and pages, and no arrays.

    This pair is what each `Extra` of player/extras.py returns. In the app the service makes the
    curve.
    """
    settings = experiment.settings
    if settings is None:
        return {"why": _NO_SETTINGS}, {}
    if not len(experiment.split.y):
        return {"why": NO_EXAMPLES}, {}
    offered = choices(settings)
    # The rows of a file are not here, so other examples cannot be drawn from it.
    if settings.data == FILE:
        offered = [name for name in offered if name not in names_of("data")]
    name = experiment.over if experiment.over in offered else offered[0]
    todo = sweep.tasks(settings, name, values=None, seeds=1, split=experiment.split)
    return numbers(settings, name, points(todo, progress), offered), {}


def label(name: str) -> str:
    """Return what a property is called on the axis."""
    prop = BY_NAME[name]
    if name == "held":
        return "held out"
    # A label of at most three characters is a symbol, as σ.
    return prop.label if len(prop.label) <= 3 else prop.name
