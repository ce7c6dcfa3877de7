"""What all panels share: the theme's colours, the frame of a panel, and settings that no one's own style disturbs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager, style
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.views import words
from kpviz.views.writing import Line

READINGS = {"last": "f", "averaged": "mean f", "voted": "vote"}

_LOW = 45.0  # px of a panel that has no room for more than one number beside it
TEXT, SMALL = 12.0, 10.0  # points, on a page of 12.8 x 7.2 inches

_SHADES = 511  # an odd number has a middle: f = 0 is exactly white


_ONE_AT_A_TIME = RLock()  # matplotlib's settings belong to the process, and a server draws in several threads


@contextmanager
def sheet(scale: float = 1.0) -> Iterator[None]:
    """Return a context with matplotlib's defaults and our type, whatever style the notebook has set."""
    with _ONE_AT_A_TIME, mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")  # a box says so
        params: Any = mpl.rcParams
        dict.update(params, _settings(scale))  # checked already: once more for each frame would take longest
        yield


@cache
def _settings(scale: float) -> dict[str, Any]:
    family = tokens.FONTS["figure"]
    if family not in font_manager.get_font_names():
        raise ValueError(f"The font {family} is missing; it comes with matplotlib: install matplotlib anew.")
    ours = {
        "font.family": [family],
        "font.size": TEXT * scale,
        "svg.fonttype": "path",  # the slides' machine may lack the font
        "svg.hashsalt": "kpviz",  # the same picture is the same file
    }
    with style.context(["default", ours]):
        return {name: value for name, value in dict.items(mpl.rcParams) if not name.startswith("backend")}


def pen(points: float) -> float:
    """Return the width of a line or gap, which goes with the type: `points` where type has its usual size."""
    return points * float(mpl.rcParams["font.size"]) / TEXT


def colours(theme: str) -> dict[str, str]:
    """Return the theme's colours; ValueError for a theme that there is not."""
    return tokens.THEMES[checks.choice("theme", theme, tuple(tokens.THEMES))]


def field_colours(theme: str) -> LinearSegmentedColormap:
    """Return the scale from the field's colour of -1 over white to that of +1."""
    paint = colours(theme)
    ends = [paint["field_negative"], paint["field_zero"], paint["field_positive"]]
    return LinearSegmentedColormap.from_list(f"field_{theme}", ends, N=_SHADES)


@cache
def field_table(theme: str) -> NDArray[np.uint8]:
    """Return the colours of that scale, (n, 4) from 0 to 255, from -1 to +1; the middle one is that of 0."""
    return np.asarray(np.rint(255 * field_colours(theme)(np.arange(_SHADES))), dtype=np.uint8)


@cache
def kernel_table(theme: str) -> NDArray[np.uint8]:
    """Return the colours of a kernel that is never below 0, (n, 4) from 0 to 255, from 0 to the largest value."""
    paint = colours(theme)
    scale = LinearSegmentedColormap.from_list(f"kernel_{theme}", [paint["similar_zero"], paint["similar"]], N=_SHADES)
    return np.asarray(np.rint(255 * scale(np.arange(_SHADES))), dtype=np.uint8)


def shades(theme: str, values: NDArray[Any], limit: float, *, signed: bool) -> NDArray[np.uint8]:
    """Return the colours, (…, 4), of a kernel's values from 0 to the limit, or from -limit where it is signed."""
    table = field_table(theme) if signed else kernel_table(theme)
    low, most = (-limit if signed else 0.0), len(table) - 1
    return np.asarray(table[np.clip((values - low) * (most / (limit - low)) + 0.5, 0, most).astype(np.intp)])


def side(label: float) -> str:
    """Return the key of a label's colour and shape in `kpviz.tokens`."""
    return "positive" if label > 0 else "negative"


def fills(theme: str, y: Sequence[float] | FloatArray, *, narrow: bool = False) -> dict[str, Any]:
    """Return how shapes are filled in the colours of the labels `y`; in print those of -1 are hollow, but if narrow."""
    paint = colours(theme)
    if theme != tokens.PRINT or narrow:
        return {"facecolors": [paint[side(label)] for label in y], "linewidths": 0.0}
    faces = [paint["positive" if label > 0 else "paper"] for label in y]
    return {"facecolors": faces, "edgecolors": paint["positive"], "linewidths": pen(0.8)}


def points(theme: str, y: Sequence[float] | FloatArray) -> tuple[list[str], list[str]]:
    """Return the colours of examples on the map, within and at the rim; in print those of -1 are hollow."""
    paint = colours(theme)
    if theme != tokens.PRINT:
        return [tokens.MAP_POINTS[side(label)] for label in y], [paint["on_mark"] for _ in y]
    black, white = paint["on_map"], paint["on_mark"]
    return [black if label > 0 else white for label in y], [white if label > 0 else black for label in y]


def pixels(ax: Axes) -> tuple[float, float]:
    """Return width and height of the axes in pixels of the page 1280 pixels wide on which type has its usual size."""
    unit = pen(ax.figure.dpi / 100)
    return float(ax.bbox.width / unit), float(ax.bbox.height / unit)


def panel(ax: Axes, theme: str, *headings: str, besides: float = 0.0) -> None:
    """Give axes a quiet frame: a tinted ground, small tick labels, and a title at the left.

    Of the headings, from long to short, the first stands that leaves room for `besides` points; the last one is cut.
    """
    paint = colours(theme)
    ax.set_facecolor(paint["panel"])
    ax.tick_params(length=0, pad=pen(4), colors=paint["quiet"], labelsize="small")
    for spine in ax.spines.values():
        spine.set_visible(False)
    if any(headings):
        room = 0.72 * pixels(ax)[0] - besides
        fitting = (text for text in headings if words.width(text, TEXT) <= room)
        title(ax, theme, next(fitting, words.shortened(headings[-1], TEXT, room)))


def title(ax: Axes, theme: str, text: str, size: float = TEXT) -> None:
    """Write a panel's title above it, at the left."""
    ax.set_title(text, loc="left", fontsize=pen(size), color=colours(theme)["ink"], pad=pen(6), parse_math=False)


def aside(ax: Axes, theme: str, text: str, size: str = "small") -> None:
    """Write something quiet above a panel, at the right."""
    quiet: dict[str, Any] = {"fontsize": size, "color": colours(theme)["quiet"], "ha": "right", "va": "baseline"}
    beside(ax, text, (1.0, 1.0), (0.0, 6.0), transform=ax.transAxes, **quiet)


def beside(ax: Axes, text: str, at: tuple[float, float], by: tuple[float, float], **paint: Any) -> None:
    """Write text so many points beside a place, right and up where type has its usual size."""
    transform = paint.pop("transform", ax.transData)
    ax.text(*at, text, transform=transform + _apart(ax, by), parse_math=False, **paint)


def write(ax: Axes, text: str, by: tuple[float, float], size: float, colour: str) -> None:
    """Write a line so many points beside the upper left corner."""
    paint: dict[str, Any] = {"fontsize": pen(size), "color": colour, "parse_math": False}
    ax.add_artist(Line(0.0, 1.0, text, transform=ax.transAxes + _apart(ax, by), clip_on=False, **paint))


def row(ax: Axes, x: float, y: float, text: str, **paint: Any) -> None:
    """Write a line that begins at a place of the panel: films draw its words from pictures."""
    ax.add_artist(Line(x, y, text, transform=ax.transData, clip_on=False, parse_math=False, **paint))


def _apart(ax: Axes, by: tuple[float, float]) -> Any:
    inches: Any = ax.figure.dpi_scale_trans
    return ScaledTranslation(pen(by[0]) / 72, pen(by[1]) / 72, inches)


def outline(ax: Axes, theme: str) -> None:
    """Draw the frame of a panel whose ground may be as white as the page."""
    edge: dict[str, Any] = {"edgecolor": colours(theme)["rule"], "linewidth": pen(1.0), "facecolor": "none"}
    ax.add_artist(Rectangle((0, 0), 1, 1, transform=ax.transAxes, clip_on=False, zorder=2.5, **edge))


def light(ax: Axes, theme: str) -> None:
    """Draw a frame about a panel that a cue speaks of."""
    edge: dict[str, Any] = {"edgecolor": colours(theme)["accent"], "linewidth": pen(3.0), "facecolor": "none"}
    ax.add_artist(Rectangle((0, 0), 1, 1, transform=ax.transAxes, clip_on=False, zorder=6, **edge))


def whole_numbers(ax: Axes, theme: str, highest: int) -> None:
    """Write a few whole numbers above 0 and up to the highest beside the vertical axis."""
    fewest = pixels(ax)[1] < _LOW
    numbers = MaxNLocator(nbins=1 if fewest else 3, integer=True, min_n_ticks=1).tick_values(0, highest)
    quiet: dict[str, Any] = {"ha": "right", "va": "center_baseline", "fontsize": "small"}
    for number in [number for number in numbers if 0 < number <= highest]:
        beside(
            ax,
            f"{number:.0f}",
            (0.0, number),
            (-4.0, 0.0),
            transform=ax.get_yaxis_transform(),
            color=colours(theme)["quiet"],
            **quiet,
        )


def hint(ax: Axes, theme: str, text: str) -> None:
    """Write a quiet sentence in the middle of a panel that is empty, but for lines behind it."""
    middle: dict[str, Any] = {"ha": "center", "va": "center", "transform": ax.transAxes, "zorder": 5}
    if "\n" not in text:
        text = words.wrapped(text, TEXT, 0.72 * 0.94 * pixels(ax)[0])
    ax.text(0.5, 0.5, text, color=colours(theme)["quiet"], parse_math=False, path_effects=halo(theme), **middle)


def halo(theme: str, ground: str = "panel") -> list[AbstractPathEffect]:
    """Return what keeps text clear of what is drawn behind it, on a panel or on another ground."""
    return [withStroke(linewidth=pen(4.0), foreground=colours(theme)[ground])]
