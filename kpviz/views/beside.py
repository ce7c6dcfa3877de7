"""A map among others: its run's letter and name above it, shaded where the runs disagree, its scale within it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from kpviz import explain, tokens
from kpviz.engine.checks import FloatArray
from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.field import FieldImage
from kpviz.views.map import Ends, Map, Scale
from kpviz.views.places import Places
from kpviz.views.points import KINDS, Legend, draw_marks

SHADE = 84 / 255  # how opaque it is where the runs disagree
_LETTER, _NAME = 13.0, 11.0  # points
_INDENT = 15.0  # points from the letter to the name
_ENDS = 0.1, 0.5, 0.9  # of the map: numbers at the outer two, the feature's name between them
_UPRIGHT = 24.0  # points of a feature's name that stands upright at the left
_RAMP = 98.0, 8.0  # pixels
_APART = 10.0  # pixels from the map's edges
_ROW = 18.0  # pixels of a line of the legend
_OPAQUE = 0.93, 0.8  # the ground of the scale, and that of the legend
_USUAL, _LEAST = 340.0, 0.75  # pixels of a map on which lines have their usual width, and the least share of it
_OVER = 2.6  # zorder of both: above the lines of f, below examples and rings, which are always seen
_HATCH = "////"  # on paper, where a grey shade would look like f


def disagreement(fields: Sequence[FloatArray]) -> NDArray[np.bool_]:
    """Return where some fields are below 0 and others above it.

    >>> disagreement([np.array([1.0, -1.0, 0.0]), np.array([2.0, 1.0, -1.0])])
    array([False,  True, False])
    """
    return np.asarray((np.min(fields, axis=0) < 0) & (np.max(fields, axis=0) > 0))


@dataclass(frozen=True)
class Caption(Display):
    """The letter of a run, and what tells it from the others."""

    letter: str
    name: str
    theme: str = "light"

    def frame(self, ax: Axes) -> None:
        """Write both on one line, the name's end left out where it is too long."""
        ax.set_axis_off()
        paint = style.colours(self.theme)
        foot: dict[str, Any] = {"transform": ax.transAxes, "va": "baseline"}
        bold: dict[str, Any] = {"fontsize": style.pen(_LETTER), "fontweight": "bold", "color": paint["accent"]}
        style.beside(ax, self.letter, (0.0, 0.0), (0.0, 6.0), **bold, **foot)
        name = words.shortened(self.name, _NAME, 0.72 * style.pixels(ax)[0] - _INDENT)
        style.beside(ax, name, (0.0, 0.0), (_INDENT, 6.0), fontsize=style.pen(_NAME), color=paint["ink"], **foot)


@dataclass(frozen=True, eq=False)
class Shaded(Display):
    """The ground of a map, shaded where the runs disagree.

    Parameters
    ----------
    ground : what the map shows. shade : at the nodes whether they disagree, None where f has no plane.
    numbered : whether the second feature has its numbers at the left.
    """

    ground: Map | Places
    shade: NDArray[np.bool_] | None = None
    numbered: bool = True

    @property
    def still(self) -> Hashable:
        """What the frame depends on."""
        return self.ground.still

    def frame(self, ax: Axes) -> None:
        """Draw ground and axes, with two numbers and the feature's name on one line."""
        self.ground.frame(ax)
        if not isinstance(self.ground, Map):
            return
        ax.set(xlabel="", ylabel="")
        room = 0.72 * 0.5 * style.pixels(ax)[0]
        axes = zip((ax.xaxis, ax.yaxis), self._ends, self.ground.features, (True, self.numbered), strict=True)
        for axis, (nodes, low, high), name, seen in axes:
            places = [float(nodes[0] + share * (nodes[-1] - nodes[0])) for share in _ENDS]
            numbers = [low + (place + 1) / 2 * (high - low) for place in places]
            told = [_brief(numbers[0]), words.shortened(name, style.SMALL, room), _brief(numbers[2])]
            axis.set_ticks(places if seen else [], told if seen else [])
            for label in axis.get_ticklabels():
                label.set_parse_math(False)
        if self.numbered and words.width(self.ground.features[1], style.SMALL) > _UPRIGHT:
            ax.get_yticklabels()[1].set(rotation=90, va="center")

    def marks(self, ax: Axes) -> None:
        """Draw the ground's marks, and the shade between the field and what a step adds."""
        with style.sheet(style.pen(max(min(style.pixels(ax)[0] / _USUAL, 1.0), _LEAST))):
            self.ground.marks(ax)
        if self.shade is None or not isinstance(self.ground, Map) or not self.shade.any():
            return
        for image in ax.images[1:]:
            image.set_zorder(0.2)
        if self.ground.theme == tokens.PRINT:
            self._hatch(ax, self.ground)
            return
        shade = FieldImage(ax, self.shade.astype(float), self._paint)
        shade.set_zorder(0.1)
        ax.add_image(shade)

    def _hatch(self, ax: Axes, ground: Map) -> None:
        shade: Any = self.shade
        how: dict[str, Any] = {"levels": [0.5, 1.5], "colors": "none", "hatches": [_HATCH], "zorder": 0.1}
        lines = ax.contourf(ground.x1, ground.x2, shade.astype(float), **how)
        lines.set_edgecolor(style.colours(ground.theme)["on_map"])
        lines.set_linewidth(0.0)

    @property
    def _ends(self) -> list[tuple[FloatArray, float, float]]:
        """The nodes of each axis, and the feature's own values at −1 and at 1."""
        field: Any = self.ground
        own: Ends = field.own if field.own is not None else ((-1.0, -1.0), (1.0, 1.0))
        return [(nodes, low, high) for nodes, low, high in zip((field.x1, field.x2), *own, strict=True)]

    def _paint(self, share: NDArray[Any]) -> NDArray[np.uint8]:
        colours = np.empty((*share.shape, 4), dtype=np.uint8)
        colours[..., :3] = np.rint(255 * np.array(to_rgb(style.colours(self.ground.theme)["on_map"])))
        colours[..., 3] = np.rint(255 * SHADE * share)
        return colours


@dataclass(frozen=True)
class Inside(Display):
    """What stands in the upper corners of a map: its scale, and on the first one what the marks mean."""

    scale: Scale
    legend: Legend | None = None
    halo: bool = False
    theme: str = "light"

    def marks(self, ax: Axes) -> None:
        """Draw both above field and lines."""
        wide, high = style.pixels(ax)
        across, thick = _RAMP
        left, top = wide - across - _APART, high - _APART
        low, name, upper = self._words
        self._ground(ax, left - 6, top - 27 + 5, across + 12, 27, _OPAQUE[0])
        table = (style.kernel_table if self.scale.kernel else style.field_table)(self.theme)
        extent = (left / wide, (left + across) / wide, (top - thick) / high, top / high)
        ramp = AxesImage(ax, extent=extent, transform=ax.transAxes, zorder=_OVER + 0.1, interpolation="nearest")
        ramp.set_data(table[None])
        ax.add_image(ramp)
        size = min(0.9 * style.SMALL, style.SMALL * 0.72 * across / (words.width(low + name + upper, style.SMALL) + 12))
        told = ((left, low, "left"), (left + across / 2, name, "center"), (left + across, upper, "right"))
        for x, text, side in told:
            self._write(ax, text, x, top - 18, size, ha=side, va="baseline")
        if self.legend is not None:
            self._draw_legend(ax, self.legend, left - 12)

    @property
    def _words(self) -> tuple[str, str, str]:
        """The scale's ends, and between them what it shows."""
        low, high = self.scale.low, self.scale.high
        if self.scale.kernel or low == 0.0:  # a kernel, or a probability
            return _brief(low), self.scale.name, _brief(high)
        said = f"halo: {self.scale.name}" if self.halo else self.scale.name
        return _short(low), said, f"+{_short(high)}"

    def _draw_legend(self, ax: Axes, legend: Legend, room: float) -> None:
        paint, (wide, high) = style.colours(self.theme), style.pixels(ax)
        classes = legend.classes[1] == "+1"
        names = [f"class {name}" if classes else name for name in legend.names]
        rows = [*zip(KINDS, names, strict=True), *([("hollow", f"hollow: {legend.hollow}")] if legend.held_out else [])]
        taken = [_ROW + 10 + words.width(name, style.SMALL) / 0.72 for _, name in rows]
        if max(taken[:2]) > room:  # the scale is there
            return
        for row, (kind, name) in enumerate(rows):
            x, y = 15.0, high - 5 - _ROW * (row + 0.5)
            self._ground(ax, 4, y - _ROW / 2, taken[row], _ROW, _OPAQUE[1])
            faces, rims = style.points(self.theme, [-1.0 if kind == "negative" else 1.0])
            if kind == "hollow":
                faces, rims = ["none"], [paint["on_map"]]
            mark: dict[str, Any] = {"facecolors": faces, "edgecolors": rims, "linewidths": style.pen(1.0)}
            y_label = np.array([-1.0 if kind == "negative" else 1.0])
            radius = np.array([5.2]) * 600.0 / min(wide, high)
            at = ax.transLimits.inverted().transform([[x / wide, y / high]])
            draw_marks(ax, at, y_label, radius, zorder=_OVER + 0.1, **mark)
            self._write(ax, name, 15.0 + 11.0, y, style.SMALL, ha="left", va="center_baseline")

    def _ground(self, ax: Axes, left: float, bottom: float, across: float, tall: float, opaque: float) -> None:
        wide, high = style.pixels(ax)
        paint: dict[str, Any] = {"facecolor": style.colours(self.theme)["field_zero"], "alpha": opaque, "linewidth": 0}
        corner = left / wide, bottom / high
        ax.add_artist(Rectangle(corner, across / wide, tall / high, transform=ax.transAxes, zorder=_OVER, **paint))

    def _write(self, ax: Axes, text: str, x: float, y: float, size: float, **place: Any) -> None:
        wide, high = style.pixels(ax)
        ink: dict[str, Any] = {"color": style.colours(self.theme)["on_map"], "fontsize": style.pen(size)}
        ink |= {"zorder": _OVER + 0.2, "parse_math": False}
        ax.text(x / wide, y / high, text, transform=ax.transAxes, **ink, **place)


def _brief(value: float) -> str:
    """Write a number without decimals that say nothing.

    >>> [_brief(value) for value in (0.5, -1.2, 12.0, 3.2e-7)]
    ['0.5', '−1.2', '12', '3.2e−7']
    """
    text = explain.number(value)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def _short(value: float) -> str:
    whole, _, decimals = (text := explain.number(value)).partition(".")
    return whole if decimals == "00" else text
