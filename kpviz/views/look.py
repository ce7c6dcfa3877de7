"""How the settings of a run are drawn."""

from __future__ import annotations

from typing import Any

from kpviz import conditions
from kpviz.engine import streams
from kpviz.experiment import Split
from kpviz.settings import BOOLEAN, Settings


def options(settings: Settings, split: Split) -> dict[str, Any]:
    """Return the fields of `board.Look` that the settings and their examples decide."""
    source = split.source
    stream = settings.stream == "on"
    moves = stream and settings.drift != 0.0
    return {
        "predictor": settings.predictor,
        "X_test": split.X_test,
        "y_test": split.y_test,
        "features": source.features,
        "classes": source.classes,
        "own": (source.lows, source.highs) if source.scaled else None,
        "shown": split.shown if conditions.has_plane(settings.values) else None,
        "bits": settings.data == BOOLEAN,
        "ask": "" if conditions.no_objects(settings.values) else settings.ask,
        "stream": stream,
        "turned": streams.angles(settings.n, settings.drift, settings.moves) if moves else None,
        "flipped": settings.flipped if stream else 0.0,
    }
