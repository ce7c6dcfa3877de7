"""The plane: the field as colour and the boundary as a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.lib.stride_tricks import sliding_window_view

from kpviz import tokens
from kpviz.engine import grid
from kpviz.engine.checks import FloatArray
from kpviz.engine.grid import Extent
from kpviz.engine.run import Run
from kpviz.views import style, words

FIELDS = {"last": "f", "averaged": "mean f", "voted": "vote"}


@dataclass(frozen=True, eq=False)
class Map:
    """The field on the nodes of a grid.

    Parameters
    ----------
    x1, x2 : the nodes along each axis. field : (len(x2), len(x1)), in colours from -limit to limit.
    name : what the colour bar says. features : the names of the axes.
    margin : draws the lines f = ±margin as well; 0 for none.
    """

    x1: FloatArray
    x2: FloatArray
    field: FloatArray
    limit: float
    name: str = "f"
    features: tuple[str, str] = ("x₁", "x₂")
    margin: float = 0.0
    theme: str = "light"

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
        margins: bool = False,
        theme: str = "light",
    ) -> Map:
        """Compute the map of an instant; `margins` asks for the lines through the smallest margin, if it is above 0."""
        shown = grid.extent(run.X) if extent is None else extent
        x1, x2 = shown.axes(tokens.GRID)
        scale = scale_limit(run, predictor, shown) if limit is None else limit
        margin = max(float(run.margins_at(t).min()), 0.0) if margins and predictor == "last" else 0.0
        field = grid.field(run, t, x1, x2, predictor)
        return cls(x1, x2, field, scale, FIELDS[predictor], features, margin, theme)

    def draw(self, ax: Axes) -> None:
        """Draw field, boundary and frame."""
        low1, high1, low2, high2 = self.x1[0], self.x1[-1], self.x2[0], self.x2[-1]
        half1, half2 = (self.x1[1] - low1) / 2, (self.x2[1] - low2) / 2  # a pixel's middle lies on its node
        ax.imshow(
            self.field,
            cmap=style.field_colours(self.theme),
            vmin=-self.limit,
            vmax=self.limit,
            origin="lower",
            aspect="auto",
            interpolation="bilinear",
            extent=(low1 - half1, high1 + half1, low2 - half2, high2 + half2),
        )
        self._draw_lines(ax)
        style.panel(ax, self.theme)
        style.outline(ax, self.theme)
        self._name_axes(ax)
        ax.set(xlim=(low1, high1), ylim=(low2, high2))

    def draw_scale(self, ax: Axes) -> None:
        """Draw the colour bar."""
        style.panel(ax, self.theme)
        style.outline(ax, self.theme)
        ends = (-self.limit, 0.0, self.limit)
        ramp = np.linspace(-self.limit, self.limit, 256)[:, None]
        place = (0.0, 1.0, -self.limit, self.limit)
        ax.imshow(ramp, cmap=style.field_colours(self.theme), origin="lower", aspect="auto", extent=place)
        ax.set_xticks([])
        ax.set_yticks(ends, [_short(value) for value in ends])
        ax.yaxis.tick_right()
        for label, inwards in zip(ax.get_yticklabels(), ("bottom", "center", "top"), strict=True):
            label.set_verticalalignment(inwards)
        style.title(ax, self.theme, self.name)

    def _draw_lines(self, ax: Axes) -> None:
        ink = style.colours(self.theme)["on_map"]
        if _crosses(self.field, 0.0):
            ax.contour(
                self.x1, self.x2, without_plateaus(self.field), levels=[0.0], colors=[ink], linewidths=style.pen(2.4)
            )
        for level in (-self.margin, self.margin) if self.margin > 0 else ():
            if _crosses(self.field, level):
                dashed: dict[str, Any] = {"linewidths": style.pen(1.2), "linestyles": "dashed"}
                ax.contour(self.x1, self.x2, self.field, levels=[level], colors=[ink], **dashed)

    def _name_axes(self, ax: Axes) -> None:
        quiet, room = style.colours(self.theme)["quiet"], 0.6 * min(style.pixels(ax))
        first, second = (words.shortened(name, style.TEXT, room) for name in self.features)
        ax.set_xlabel(first, color=quiet, labelpad=style.pen(2), parse_math=False)
        upright: dict[str, Any] = {"rotation": 0, "ha": "right", "va": "center"} if len(second) < 3 else {}
        ax.set_ylabel(second, color=quiet, labelpad=style.pen(2), parse_math=False, **upright)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))


def scale_limit(run: Run, predictor: str = "last", extent: Extent | None = None) -> float:
    """Return the value of the strongest colour: one for the whole run, so that a bump looks as high as it is.

    The largest |f| on the map at the end, to two significant digits; 1 for votes, and where f is 0 everywhere.
    """
    if predictor == "voted":
        return 1.0
    axes = (grid.extent(run.X) if extent is None else extent).axes(tokens.GRID)
    largest = float(np.abs(grid.field(run, run.n_steps, *axes, predictor)).max())
    return float(f"{largest:.2g}") or 1.0


def without_plateaus(field: FloatArray) -> np.ma.MaskedArray[tuple[int, int], np.dtype[np.float64]]:
    """Mask where f is exactly 0 over an area (a narrow bump that ran out of digits): its rim is no boundary."""
    zero = field == 0
    inside = sliding_window_view(np.pad(zero, 1, constant_values=True), (3, 3)).all(axis=(2, 3))
    beside = sliding_window_view(np.pad(inside, 1), (3, 3)).any(axis=(2, 3))
    return np.ma.masked_array(field, zero & beside)


def _crosses(field: FloatArray, level: float) -> bool:
    return bool(field.min() < level < field.max())


def _short(value: float) -> str:
    """Write a limit in few characters: 0.05, 12, 1.2e5."""
    mantissa, _, exponent = f"{abs(value):g}".partition("e")
    if not exponent and abs(value) >= 1e4:
        mantissa, _, exponent = f"{abs(value):.1e}".partition("e")
    power = f"e{int(exponent)}".replace("-", "−") if exponent else ""
    return ("−" if value < 0 else "") + mantissa + power
