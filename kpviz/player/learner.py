"""What the player needs of a run's learner: its panel, its particulars, and how large its coefficients get."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.run import alpha_scale
from kpviz.engine.run.run import Run
from kpviz.lessons import explain, scores
from kpviz.player import changes

_CERTAIN, _CHANCES = (-16.0, 16.0), 513  # scores between which probabilities are looked up, and how many of them


def about(run: Run) -> dict[str, Any]:
    """Return what the header says of the learner."""
    description = explain.about_of(run)
    return {
        "title": description.title,
        "grain": description.grain,
        "counts": alpha_scale.counts(run),
        "probability": description.probability,
        "panel": description.panel,
        "parts": [vars(part) for part in description.parts],
        "details": {name: changes.sparse(run.details[name], run) for name in sorted(_named(run))},
        "chances": list(_CERTAIN),
    }


def sizes(run: Run) -> dict[str, Any]:
    """Return how points and bars are scaled."""
    scale = alpha_scale.alpha_scale(run)
    return {"pointGain": scale.gain, "alphaUnit": scale.unit, "alphaLimit": scale.high, "alphaLow": scale.low}


def particulars(run: Run, *, batch: bool = True) -> dict[str, NDArray[Any]]:
    """Return the arrays of the learner's panel and words, and, if `batch`, the optimum to compare it with."""
    arrays = {f"detail_{name}": _compact(run.details[name], run) for name in sorted(_named(run))}
    description = explain.about_of(run)
    if any(part.kind == "curve" for part in description.parts):
        arrays["curve"] = alpha_scale.added_by_margin(run)
    if description.probability:
        if batch:
            arrays["optimum"] = alpha_scale.optimum(run)
        arrays["chances"] = 1.0 / (1.0 + np.exp(-np.linspace(*_CERTAIN, _CHANCES)))
    return arrays


def _named(run: Run) -> set[str]:
    parts = {name for part in explain.about_of(run).parts for name in (part.detail, part.limit)}
    if run.changes.evicts:
        parts.add("victim")  # its name stands beside the ages
    return {name for name in (*parts, *explain.particulars(run)) if isinstance(name, str) and name in run.details}


def _compact(values: NDArray[Any], run: Run) -> NDArray[Any]:
    """Return the values at the changes, if they are all that is to be known, whole ones in a small type."""
    sent = values if changes.sparse(values, run) is None else values[run.changes.step]
    if sent.dtype.kind == "f":
        return scores.as_sent(sent)
    return sent.astype(np.uint8 if sent.dtype == np.bool_ else np.int16)
