"""What numbers of a run look like on its map: an arrow, a strip, a circle, lines between examples.

A figure is plain data in the coordinates of the map; panels/figures.js of the player draws it.

Tests: tests/lessons/test_figures.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from kpviz.engine import theory
from kpviz.engine.kernels import Linear
from kpviz.engine.run.run import Run
from kpviz.engine.theory.geometry import best_margins
from kpviz.lessons.explain import example

Figure = dict[str, Any]
_MOST_RINGS = 40  # More of them are no figure.


def _written(value: float) -> str:
    """Return a number with four digits at most, and no zeros at its end.

    >>> _written(1.1180339), _written(0.5), _written(1.0)
    ('1.118', '0.5', '1')
    """
    return f"{value:.4g}"


def has_arrows(run: Run) -> bool:
    """Whether φ(x) is the arrow from the origin of the map to x."""
    is_plane = run.X.ndim == 2 and run.X.shape[1] == 2 and run.X.dtype.kind == "f"
    return is_plane and isinstance(run.kernel, Linear)


def arrow(run: Run, i: int, label: str = "", *, told: bool = True) -> list[Figure]:
    """Return the arrow to an example with its two sides; `told`: with its length."""
    if not has_arrows(run):
        return []
    x1, x2 = (float(value) for value in run.X[i])
    name = label or f"‖{example(i)}‖"
    length = f" = {_written(math.hypot(x1, x2))}" if told else ""
    return [
        {
            "kind": "arrow",
            "i": int(i),
            "label": f"{name}{length}",
            "sides": [_written(abs(x1)), _written(abs(x2))],
        }
    ]


def radius(run: Run, *, told: bool = True) -> list[Figure]:
    """Return R as the arrow to the example that is farthest from the origin.

    A ring about that, where φ(x) is no arrow of the map.
    """
    farthest = int(np.argmax(np.diagonal(run.gram)))
    return arrow(run, farthest, "R", told=told) or rings([farthest])


def circle(run: Run) -> list[Figure]:
    """Return R as the circle about the origin that holds all examples."""
    if not has_arrows(run) or not len(run.y):
        return []
    R = theory.radius(run.gram)
    return [{"kind": "circle", "radius": R, "label": f"R = {_written(R)}"}]


def strip(run: Run, *, told: bool = True) -> list[Figure]:
    """Return γ as the strip about the line that keeps farthest from all examples, nothing where no
    line through the origin separates them.
    """
    if not has_arrows(run) or not len(run.y) or run.learner.intercept != "none":
        return []
    margins = best_margins(run.gram, run.y)
    if margins is None:
        return []
    direction = np.linalg.lstsq(run.X * run.y[:, None], margins, rcond=None)[0]
    margin = float(margins.min())
    unit = direction / np.linalg.norm(direction)
    label = f"γ = {_written(margin)}" if told else "γ"
    return [{"kind": "strip", "normal": [float(u) for u in unit], "margin": margin, "label": label}]


def between(run: Run, i: int, j: int) -> list[Figure]:
    """Return the line between two examples of the plane with its length."""
    if run.X.ndim != 2 or run.X.shape[1] != 2 or run.X.dtype.kind != "f" or i == j:
        return []
    distance = float(np.linalg.norm(run.X[i] - run.X[j]))
    return [{"kind": "between", "i": int(i), "j": int(j), "label": _written(distance)}]


def rings(examples: Iterable[int]) -> list[Figure]:
    """Return rings about examples, those that a number counts; nothing about very many."""
    indices = sorted({int(i) for i in examples})
    return [{"kind": "ring", "i": i} for i in indices] if len(indices) <= _MOST_RINGS else []


def of_bound(run: Run) -> list[Figure]:
    """Return R and γ, of which a mistake bound is made."""
    return [*circle(run), *strip(run)]
