"""The plane: the field, or its probabilities, as colour and the boundary as a line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from kpviz import explain, tokens
from kpviz.engine import grid, scales
from kpviz.engine.checks import FloatArray
from kpviz.engine.grid import Extent
from kpviz.engine.run import Run
from kpviz.views import lines, style, words
from kpviz.views.display import Display
from kpviz.views.field import FieldImage

Ends = tuple[tuple[float, float], tuple[float, float]]
PROBABILITY = "P(+1)"
NO_BOUNDARY = "f = 0 everywhere: no boundary yet"
_FLAT = 1e-12  # of a bump: nothing to see
_ROUNDED = 1e-9  # of the limit, as in the player: f is 0 everywhere but for rounding


@dataclass(frozen=True, eq=False)
class Bump:
    """What a step adds, while it is shown happening.

    Parameters
    ----------
    ghost : the field before the step, whose boundary stays for a while.
    kernel : k(x_i, ·) at the nodes, None where the reading is not f itself. y : the label of x_i.
    opacity : where the kernel is largest.
    """

    ghost: FloatArray
    kernel: FloatArray | None = None
    y: float = 1.0
    opacity: float = 0.0

    @property
    def share(self) -> FloatArray:
        """k(x_i, ·) over its largest absolute value, at the nodes."""
        kernel = np.zeros((2, 2)) if self.kernel is None else self.kernel
        return np.asarray(kernel / max(np.abs(kernel).max(), _FLAT))

    def paint(self, share: NDArray[Any], *, theme: str) -> NDArray[np.uint8]:
        """Return the colour of the sign of y·k, as opaque as its share of the largest value."""
        table = style.field_table(theme)
        colours = np.where((share[..., None] < 0) == (self.y < 0), table[-1], table[0])
        colours[..., 3] = 255 * self.opacity * np.abs(share)
        return np.asarray(colours, dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Map(Display):
    """The field on the nodes of a grid.

    Parameters
    ----------
    x1, x2 : the nodes along each axis. field : (len(x2), len(x1)), in colours from -limit to limit.
    name : what the colour bar says. features : the names of the axes.
    own : (lows, highs) in the features' own unit, which the axes show, where the data were scaled to -1 to 1.
    margin : draws the lines f = ±margin as well; 0 for none.
    probable : whether the colours show σ(f), from 0 to 1, in place of f.
    optimum : the field of the batch optimum, whose boundary is dotted; None for none.
    bump : while a step is shown happening what it adds to f; None for none.
    outlines : (n, points, 2) closed lines: the components of a mixture.
    """

    x1: FloatArray
    x2: FloatArray
    field: FloatArray
    limit: float
    name: str = "f"
    features: tuple[str, str] = ("x₁", "x₂")
    own: Ends | None = None
    margin: float = 0.0
    theme: str = "light"
    probable: bool = False
    optimum: FloatArray | None = None
    bump: Bump | None = None
    outlines: FloatArray | None = None

    @classmethod
    def of(
        cls,
        run: Run,
        t: int,
        *,
        predictor: str = "last",
        extent: Extent | None = None,
        limit: float | None = None,
        features: tuple[str, str] = ("x₁", "x₂"),
        own: Ends | None = None,
        margins: bool = False,
        theme: str = "light",
        known: FloatArray | None = None,
    ) -> Map:
        """Compute the map of an instant; `margins` asks for the lines through the smallest margin, if it is above 0.

        `known` is the reading at the nodes, (len(x2), len(x1)), where it is worked out already.
        """
        shown = grid.extent(run.X) if extent is None else extent
        x1, x2 = shown.axes(tokens.GRID)
        scale = grid.limit(run, shown, tokens.GRID, predictor) if limit is None else limit
        margin = _smallest_margin(run, t, predictor) if margins else 0.0
        field = grid.field(run, t, x1, x2, predictor) if known is None else known
        if np.abs(field).max() < _ROUNDED * scale:  # what is left of a sum that is 0
            field = np.zeros_like(field)
        probable = explain.about_of(run).probability and predictor != "voted"
        name = PROBABILITY if probable else style.READINGS[predictor]
        best = scales.optimum(run)
        optimum = grid.expansion(run, best, 0.0, x1, x2) if len(best) else None
        return cls(x1, x2, field, scale, name, features, own, margin, theme, probable, optimum)

    @property
    def shown(self) -> FloatArray:
        """What the colours show at the nodes."""
        return np.asarray(np.exp(-np.logaddexp(0.0, -self.field))) if self.probable else self.field

    @property
    def ends(self) -> tuple[float, float]:
        """What the first and the last colour stand for."""
        return (0.0, 1.0) if self.probable else (-self.limit, self.limit)

    @property
    def colours(self) -> NDArray[np.uint8]:
        """The colours at the nodes, (len(x2), len(x1), 4)."""
        return self._paint(self.shown)

    def _paint(self, shown: NDArray[Any]) -> NDArray[np.uint8]:
        """Return the colours of some values, (…, 4)."""
        low, high = self.ends
        table = style.field_table(self.theme)
        most = len(table) - 1
        place = np.clip((shown - low) * (most / (high - low)) + 0.5, 0, most).astype(np.int16)
        return np.asarray(table.view(np.uint32)[:, 0][place].view(np.uint8).reshape(*shown.shape, 4))

    def frame(self, ax: Axes) -> None:
        """Draw ground and axes."""
        style.panel(ax, self.theme)
        ax.set(xlim=self.x1[[0, -1]], ylim=self.x2[[0, -1]])
        self._name_axes(ax)

    def marks(self, ax: Axes) -> None:
        """Draw field, boundary and outline."""
        ax.add_image(FieldImage(ax, self.shown, self._paint))
        if self.bump is not None and self.bump.kernel is not None:
            ax.add_image(FieldImage(ax, self.bump.share, partial(self.bump.paint, theme=self.theme)))
        self._draw_lines(ax)
        style.outline(ax, self.theme)

    @property
    def scale(self) -> Scale:
        """The colour bar."""
        return Scale(*self.ends, self.name, self.theme)

    def _draw_lines(self, ax: Axes) -> None:
        paint = style.colours(self.theme)
        around = [withStroke(linewidth=style.pen(4.0), foreground=paint["field_zero"])]
        if self.bump is not None:
            before: dict[str, Any] = {"linewidths": style.pen(1.7), "linestyles": [(0, (2.1, 2.1))], "alpha": 0.9}
            lines.draw(ax, self.x1, self.x2, self.bump.ghost, colors=paint["ghost"], **before)
        if not self._draw_boundary(ax) and not self.field.any():
            place: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": "small", "transform": ax.transAxes}
            ax.text(0.5, 0.02, NO_BOUNDARY, color=paint["on_map"], zorder=4, path_effects=around, **place)
        if self.optimum is not None:
            dotted: dict[str, Any] = {"linewidths": style.pen(1.6), "linestyles": "dotted"}
            lines.draw(ax, self.x1, self.x2, self.optimum, colors=paint["accent"], **dotted)
        if self.outlines is not None and len(self.outlines):
            thin: dict[str, Any] = {"linewidths": style.pen(0.9), "linestyles": "dashed", "alpha": 0.6}
            ax.add_collection(LineCollection(list(self.outlines), colors=paint["on_map"], zorder=2, **thin))
        for level in (-self.margin, self.margin) if self.margin > 0 else ():
            dashed: dict[str, Any] = {"linewidths": style.pen(1.2), "linestyles": [(0, (2.1, 4.3))]}
            lines.draw(ax, self.x1, self.x2, self.field, level, colors=paint["on_map"], **dashed)

    def _draw_boundary(self, ax: Axes) -> bool:
        """Draw where f = 0; return whether there is such a place."""
        paint = style.colours(self.theme)
        around = [withStroke(linewidth=style.pen(4.0), foreground=paint["field_zero"])]
        solid: dict[str, Any] = {"linewidths": style.pen(2.0), "colors": paint["on_map"], "path_effects": around}
        return lines.draw(ax, self.x1, self.x2, self.field, **solid)

    def _name_axes(self, ax: Axes) -> None:
        quiet, room = style.colours(self.theme)["quiet"], 0.6 * min(style.pixels(ax))
        first, second = (words.shortened(name, style.TEXT, room) for name in self.features)
        ax.set_xlabel(first, color=quiet, labelpad=style.pen(2), parse_math=False)
        upright: dict[str, Any] = {"rotation": 0, "ha": "right", "va": "center"} if len(second) < 3 else {}
        ax.set_ylabel(second, color=quiet, labelpad=style.pen(2), parse_math=False, **upright)
        lows, highs = self.own if self.own is not None else ((-1.0, -1.0), (1.0, 1.0))
        for axis, nodes, low, high in zip((ax.xaxis, ax.yaxis), (self.x1, self.x2), lows, highs, strict=True):
            ends = low + (nodes[[0, -1]] + 1) / 2 * (high - low)
            ticks = MaxNLocator(nbins=5, steps=[1, 2, 5, 10]).tick_values(*ends)
            ticks = ticks[(ends[0] <= ticks) & (ticks <= ends[1])]
            places = 2 * (ticks - low) / (high - low) - 1
            axis.set_ticks(places, [words.short(float(tick)) for tick in ticks])


def _smallest_margin(run: Run, t: int, predictor: str) -> float:
    """Return the smallest margin of the reading that the map shows, 0 where one is not above 0."""
    scores = run.decision_function(run.X, t, predictor)
    if predictor == "voted":
        scores = scores / max(t, 1)
    return max(float((run.y * scores).min()), 0.0)


@dataclass(frozen=True)
class Scale(Display):
    """The colour bar: what the colours from `low` to `high` stand for; those of a `kernel` are of one hue."""

    low: float
    high: float
    name: str
    theme: str = "light"
    kernel: bool = False

    @property
    def table(self) -> NDArray[np.uint8]:
        """The colours from `low` to `high`, (n, 4) from 0 to 255."""
        return (style.kernel_table if self.kernel else style.field_table)(self.theme)

    def frame(self, ax: Axes) -> None:
        """Draw it, with its ends and its middle."""
        style.panel(ax, self.theme)
        style.outline(ax, self.theme)
        low, high = self.low, self.high
        ends = (low, (low + high) / 2, high)
        ax.imshow(self.table[:, None], origin="lower", aspect="auto", extent=(0.0, 1.0, low, high))
        if self.theme == tokens.PRINT and not self.kernel:
            ax.axhline((low + high) / 2, color=style.colours(self.theme)["on_map"], linewidth=style.pen(1.6))
        ax.set_xticks([])
        ax.set_yticks(ends, [words.short(value) for value in ends])
        ax.yaxis.tick_right()
        lowest, _, highest = ax.get_yticklabels()
        lowest.set_verticalalignment("bottom")
        highest.set_verticalalignment("top")
        style.title(ax, self.theme, self.name)
