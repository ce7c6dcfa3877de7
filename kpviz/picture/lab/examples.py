"""The examples that the lab looks at: those of the player, or a few points that everyone can compute with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.checks import FloatArray
from kpviz.engine.data.tables import Table
from kpviz.engine.kernels import Kernel
from kpviz.engine.kernels.validity import FIVE, HALVED
from kpviz.engine.run.example_positions import written
from kpviz.settings import Settings
from kpviz.settings.lab_link import LabView

MOST = 300  # that are looked at: eigenvalues of more take too long for a page that answers at once
_POINTS = {"five": FIVE, "halved": HALVED}


@dataclass(frozen=True, eq=False)
class Looked:
    """Examples, (n, ...), with their labels, (n,), None for points that have none; `left` says what is left out."""

    X: NDArray[Any]
    y: FloatArray | None
    left: str = ""


def places(kernel: Kernel, settings: Settings) -> tuple[str, ...]:
    """Return on what the function can be examined: a formula compares no texts, a text kernel no points."""
    own = compares(settings)
    return (("data",) if kernel.compares == own else ()) + (tuple(_POINTS) if kernel.compares == "vectors" else ())


def compares(settings: Settings) -> str:
    """Return what the player's examples are: "vectors", "texts", "trees" or "graphs"."""
    return experiment.kernel(settings).compares


def looked_at(view: LabView, kernel: Kernel, settings: Settings, table: Table | None = None) -> Looked:
    """Return the examples; ValueError (of one sentence) if there are none for this function."""
    offered = places(kernel, settings)
    on = view.on if view.on in offered else offered[0]
    return of_data(settings, table) if on == "data" else Looked(np.array(_POINTS[on]), None)


def of_data(settings: Settings, table: Table | None = None) -> Looked:
    """Return the first training examples of the player; ValueError (of one sentence) if there are none.

    `table` is needed when the data are a file's.
    """
    split = experiment.prepare(settings, table)
    if not len(split.y):
        raise ValueError("There are no points yet: draw some in the player, or choose other data.")
    left = f"Of {len(split.y):,} training examples the first {MOST} are looked at." if len(split.y) > MOST else ""
    return Looked(split.X[:MOST], split.y[:MOST], left)


def as_text(x: Any) -> str:
    """Return how an example is written: (1, 0), or the text that it is."""
    if isinstance(x, str):
        return x
    if len(x) > 2 and written(x):
        return written(x)
    return "(" + ", ".join(f"{value:.3g}".replace("-", "−") for value in x.tolist()) + ")"
