"""What the player needs for editing the points: the cells of the grid that they are in, and the grid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.experiment import Split
from kpviz.settings import MAX_POINTS, Settings, conditions

_NO_PLANE = "These examples are not points that could be moved: add examples, or ask about one, under the data."
_OF_PYTHON = "These examples were made in Python: no link could hold a change."
_COMES_ONCE = "The examples of a stream come only once: turn the stream off to edit them."


def encode(settings: Settings | None, split: Split) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header's part, which says `why` not if they cannot be edited, and the cells, (n + n_test, 2)."""
    if settings is None:
        return {"why": _OF_PYTHON}, {}
    if settings.stream == "on":
        return {"why": _COMES_ONCE}, {}
    if not conditions.has_plane(settings.values):
        return {"why": _NO_PLANE}, {}
    try:
        points = experiment.drawn(settings, split)
    except ValueError as error:
        return {"why": str(error)}, {}
    axes = [{"origin": axis.origin, "step": axis.step} for axis in points.axes]
    part = {"why": "", "axes": axes, "frame": points.frame, "most": MAX_POINTS}
    return part, {"cells": points.cells.astype(np.uint16)}
