"""What bricks and bars share: one column for each support example, in index order."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine.checks import FloatArray
from kpviz.views import style, words

WIDEST = 46.0  # pixels of a column
SMALLEST = 3.0  # pixels; below it bars take the place of bricks
GAP = 2.0  # pixels between columns, but at most a quarter of them


def draw_columns(ax: Axes, theme: str, heights: FloatArray, y: FloatArray, wide: float) -> None:
    """Draw bars in the colours of the labels `y`; a column is `wide` pixels wide."""
    narrow = wide < 2 * SMALLEST
    width = 1.0 if narrow else 1.0 - min(GAP / wide, 0.25)
    left = np.arange(len(heights)) - width / 2
    draw_bars(ax, left, heights, width, **style.fills(theme, y, narrow=narrow))


def draw_bars(ax: Axes, left: NDArray[Any], heights: NDArray[Any], width: float, **paint: Any) -> None:
    """Draw bars from 0, as one collection: bars of their own take matplotlib ten times as long."""
    x = np.array([left, left + width, left + width, left])
    places = np.stack([x, np.outer([0.0, 0.0, 1.0, 1.0], heights)], axis=-1).transpose(1, 0, 2)
    ax.add_collection(PolyCollection(list(places), zorder=1, **paint), autolim=False)


def name_columns(
    ax: Axes, theme: str, index: NDArray[np.intp], seen: NDArray[np.bool_], current: int | None, wide: float
) -> None:
    """Name as many of the columns `seen` as there is room for, and the current example's, which is lit."""
    names = [explain.example(int(i)) for i in index]
    every = int(np.ceil(1.4 * max(words.width(name, style.SMALL) for name in names) / (0.72 * wide)))
    lit = [int(j) for j in np.flatnonzero(index == current) if seen[j]]
    named: list[int] = []
    for j in np.flatnonzero(seen).tolist():
        if all(abs(j - k) >= every for k in (*named[-1:], *lit)):
            named.append(j)
    paint = style.colours(theme)
    below: dict[str, Any] = {"ha": "center", "va": "top", "fontsize": "small", "transform": ax.get_xaxis_transform()}
    for j in named:
        style.beside(ax, names[j], (j, 0.0), (0.0, -4.0), color=paint["quiet"], **below)
    for j in lit:
        style.beside(ax, names[j], (j, 0.0), (0.0, -4.0), color=paint["ink"], fontweight="bold", **below)
