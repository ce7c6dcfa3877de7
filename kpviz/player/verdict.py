"""What is known of a run with mistakes to its end, packed: words, rings, and a boundary that separates."""

from __future__ import annotations

from typing import Any

import numpy as np

from kpviz import tokens
from kpviz.engine.run import grid
from kpviz.engine.run.predictors import Progress
from kpviz.lessons import verdict as verdicts
from kpviz.player import payload
from kpviz.player.subject import Subject


def encode(subject: Subject, progress: Progress | None = None) -> bytes:
    """Return a packet: `words`, the settings to `set` as they advise, or None, `ringed` examples with their `weights`.

    Its array `separating` holds, where it is known, an f that makes no mistake, on `grid` nodes along each axis.
    """
    assert subject.settings is not None
    run, where = subject.run, subject.where
    found = verdicts.of(subject.settings, subject.split, run, progress, drawn=where.is_plane)
    header: dict[str, Any] = {
        "words": found.words,
        "set": None if found.advice is None else dict(found.advice.changes),
        "ringed": [],
        "weights": [],
        "grid": tokens.GRID,
    }
    arrays: payload.Arrays = {}
    separability = found.separability
    if separability is not None and separability.weights is not None:
        ringed = np.flatnonzero(separability.weights)
        header |= {"ringed": ringed.tolist(), "weights": separability.weights[ringed].tolist()}
    if separability is not None and separability.coef is not None and where.is_plane:
        axes = where.shown.axes(tokens.GRID)
        field = grid.expansion(run, separability.coef, separability.intercept, *axes)
        arrays["separating"] = field
    return payload.pack(header, arrays)
