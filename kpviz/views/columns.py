"""What bricks and bars share: one column for each support example, in index order."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine.checks import FloatArray
from kpviz.views import style, words

WIDEST = 46.0  # pixels of a column
SMALLEST = 3.0  # pixels; below it bars take the place of bricks
GAP = 2.0  # pixels between columns, but at most a quarter of them


def draw_columns(ax: Axes, theme: str, heights: FloatArray, y: FloatArray, wide: float) -> None:
    """Draw bars in the colours of the labels `y`; a column is `wide` pixels wide."""
    paint = style.colours(theme)
    width = 1.0 if wide < 2 * SMALLEST else 1.0 - min(GAP / wide, 0.25)
    ax.bar(np.arange(len(heights)), heights, width, color=[paint[style.side(label)] for label in y])


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
    ax.set_xticks([*named, *lit], [names[j] for j in [*named, *lit]])
    strong: dict[str, Any] = {"color": style.colours(theme)["ink"], "fontweight": "bold"}
    for label in ax.get_xticklabels()[len(named) :]:
        label.set(**strong)
