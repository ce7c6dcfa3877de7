"""The Gram matrix of the training examples, ordered by class; beside each row what was learnt from its example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine import scales
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.engine.similarity import Scale, by_class
from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.points import KINDS
from kpviz.views.symbols import draw_symbols

TITLE, SHORT = "Gram matrix", "Gram"
MOST = 1000  # examples
_EDGE, _BARS, _GAP = 18.0, 0.42, 7.0  # px beside the matrix, the bars' width as a share of its side, and a gap
_FEWEST = 4  # mistakes that the bars have room for
_RAMP = (56.0, 9.0)  # px


@dataclass(frozen=True, eq=False)
class Gram(Display):
    """Cells in colour, and a bar for each row.

    Parameters
    ----------
    order : (n,) the examples by place, those of +1 first. gram : (n, n) by place; y, alpha : (n,) by place.
    scale : of the colours. most : where the bars end, one for the run.
    current : the place of the current example, None for none; name : what it is called.
    """

    order: NDArray[np.intp]
    gram: FloatArray
    y: FloatArray
    alpha: FloatArray
    scale: Scale
    most: float
    current: int | None = None
    name: str = ""
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Gram:
        """Read the matrix of a run, and its bars at an instant: mistakes, where alpha counts these."""
        order = by_class(run.y)
        unit = run.unit if explain.about_of(run).counts else 1.0
        high = scales.alpha_scale(run).high / unit
        i = int(run.index[t - 1]) if t else None
        current = None if i is None else int(np.flatnonzero(order == i)[0])
        return cls(
            order,
            run.gram[np.ix_(order, order)],
            run.y[order],
            run.state_at(t).alpha[order] / unit,
            Scale.of(run.gram),
            max(high, _FEWEST) if unit == run.unit else high,
            current,
            "" if i is None else explain.example(i),
            theme,
        )

    @property
    def colours(self) -> NDArray[np.uint8]:
        """The (n, n, 4) colours of the cells."""
        return style.shades(self.theme, self.gram, self.scale.limit, signed=self.scale.signed)

    def box(self, ax: Axes) -> tuple[float, float, float]:
        """Return left, top and side of the matrix in pixels of the panel, from its upper left corner."""
        wide, high = style.pixels(ax)
        side = min(high - _EDGE - 2.0, (wide - _EDGE - _GAP) / (1.0 + _BARS))
        return _EDGE, _EDGE, side

    def frame(self, ax: Axes) -> None:
        """Draw title, scale, cells and classes."""
        ends = sum(words.width(end, style.SMALL) for end in self._ends)
        style.panel(ax, self.theme, TITLE, SHORT, besides=ends + 0.72 * (_RAMP[0] + 20.0))
        wide, high = style.pixels(ax)
        left, top, side = self.box(ax)
        cells: dict[str, Any] = {"interpolation": "nearest", "aspect": "auto"}
        ax.imshow(self.colours, extent=(left, left + side, top + side, top), **cells)
        self._draw_scale(ax, wide)
        self._draw_classes(ax)
        ax.set(xlim=(0.0, wide), ylim=(high, 0.0), xticks=[], yticks=[])

    @property
    def _ends(self) -> tuple[str, str]:
        """The ends of the scale of colours."""
        return words.short(-self.scale.limit) if self.scale.signed else "0", words.short(self.scale.limit)

    def _draw_scale(self, ax: Axes, wide: float) -> None:
        """Draw the scale of colours above the panel, at the right."""
        limit, signed = self.scale.limit, self.scale.signed
        low, high = self._ends
        ends = np.linspace(-limit if signed else 0.0, limit, 64)[None]
        ramp = style.shades(self.theme, ends, limit, signed=signed)
        right = wide - words.width(high, style.SMALL) / 0.72 - 5.0
        across, tall = _RAMP
        ax.imshow(ramp, extent=(right - across, right, -9.0, -9.0 - tall), aspect="auto", clip_on=False)
        quiet: dict[str, Any] = {"color": style.colours(self.theme)["quiet"], "fontsize": "small", "va": "center"}
        ax.text(wide, -9.0 - tall / 2, high, ha="right", **quiet)
        ax.text(right - across - 5.0, -9.0 - tall / 2, low, ha="right", **quiet)

    def _draw_classes(self, ax: Axes) -> None:
        """Draw a strip and the shape of each class along the left and the upper side."""
        left, top, side = self.box(ax)
        cell, first = side / max(len(self.y), 1), int((self.y > 0).sum())
        for kind, start, end in zip(KINDS, (0, first), (first, len(self.y)), strict=True):
            if start == end:
                continue
            fill: dict[str, Any] = {"facecolor": style.colours(self.theme)[kind], "linewidth": 0.0}
            at, long, middle = start * cell, (end - start) * cell, (start + end) / 2 * cell
            ax.add_patch(Rectangle((left - 5.0, top + at), 3.0, long, **fill))
            ax.add_patch(Rectangle((left + at, top - 5.0), long, 3.0, **fill))
            places = np.array([[left - 11.0, top + middle], [left + middle, top - 11.0]])
            draw_symbols(ax, self.theme, places, np.full(2, 1.0 if kind == KINDS[0] else -1.0), np.full(2, 4.2))

    def marks(self, ax: Axes) -> None:
        """Draw bars, ticks of the support, and the row of the current example."""
        paint, (left, top, side) = style.colours(self.theme), self.box(ax)
        cell = side / max(len(self.y), 1)
        rows = np.flatnonzero(self.alpha)
        if len(rows):
            right, gap = left + side, 1.0 if cell > 6 else 0.0
            tick = _bars(top + rows * cell, np.full(len(rows), 3.0), right + 1.0, cell)
            ax.add_collection(PolyCollection(tick, facecolors=paint["ink"], linewidths=0.0), autolim=False)
            lengths = np.abs(self.alpha[rows]) / self.most * _BARS * side
            bars = _bars(top + rows * cell + gap / 2, lengths, right + _GAP, cell - gap)
            narrow = cell < 3.0
            ax.add_collection(
                PolyCollection(bars, **style.fills(self.theme, self.y[rows], narrow=narrow)), autolim=False
            )
        if self.current is not None:
            self._draw_current(ax, top + self.current * cell, cell)

    def _draw_current(self, ax: Axes, y: float, cell: float) -> None:
        paint, (left, top, side) = style.colours(self.theme), self.box(ax)
        size: dict[str, Any] = {"width": side + 2.0, "height": cell + 2.0}
        row: dict[str, Any] = {"xy": (left - 1.0, y - 1.0), "fill": False, "zorder": 5.0, **size}
        for colour, width in ((paint["field_zero"], 3.4), (paint["on_map"], 1.6)):
            ax.add_patch(Rectangle(**row, edgecolor=colour, linewidth=style.pen(width)))
        above = y > top + 18.0
        at: dict[str, Any] = {"ha": "right", "va": "bottom" if above else "top", "fontsize": "small", "zorder": 5.1}
        around = style.halo(self.theme, "field_zero")
        ax.text(
            left + side - 4.0,
            y - 2.0 if above else y + cell + 2.0,
            self.name,
            color=paint["on_map"],
            path_effects=around,
            **at,
        )


def _bars(top: NDArray[Any], lengths: NDArray[Any], left: float, tall: float) -> list[NDArray[Any]]:
    """Return rectangles to the right of `left`, each (4, 2)."""
    y = np.stack([top, top, top + tall, top + tall])
    x = left + np.stack([0.0 * lengths, lengths, lengths, 0.0 * lengths])
    return list(np.stack([x, y], axis=-1).transpose(1, 0, 2))
