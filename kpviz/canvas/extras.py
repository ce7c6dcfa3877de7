"""What the player is sent only when its panel asks for it: each a part of the header, and arrays.

A new one is a function here and a line in EXTRAS; its panel has the same name (frontend/layout.js).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any

from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.predictors import Progress
from kpviz.engine.run import Run
from kpviz.experiment import Split
from kpviz.settings import Settings

Extra = tuple[Any, dict[str, NDArray[Any]]]


def encode(
    names: Collection[str], settings: Settings, split: Split, run: Run, progress: Progress | None
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header's parts by name, and all arrays."""
    parts: dict[str, Any] = {}
    arrays: dict[str, NDArray[Any]] = {}
    for name in EXTRAS:
        if name in names:
            parts[name], more = EXTRAS[name](settings, split, run, progress)
            arrays |= more
    return parts, arrays


def _bounds(settings: Settings, split: Split, run: Run, progress: Progress | None) -> Extra:
    """The mistake bounds that may apply, and why some do not."""
    told = [
        {
            "name": bound.name,
            "key": bound.key,
            "formula": bound.formula,
            "source": bound.source,
            "quantities": [[part.symbol, part.words, _finite(part.value)] for part in bound.quantities],
            "value": _finite(bound.value),
            "applies": bound.applies,
            "vacuous": bound.vacuous,
            "why": bound.why,
            "times": [int(time) for time in bound.times],
            "values": [_finite(value) for value in bound.values],
        }
        for bound in experiment.bounds(settings, run)
    ]
    return told, {}


def _finite(value: float) -> float | str:
    return float(value) if math.isfinite(value) else "infinite"


EXTRAS: dict[str, Callable[[Settings, Split, Run, Progress | None], Extra]] = {"bound": _bounds}
