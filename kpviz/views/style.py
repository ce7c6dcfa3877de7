"""What all panels share: the theme's colours, the frame of a panel, and settings that no one's own style disturbs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

import matplotlib as mpl
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.ticker import MaxNLocator

from kpviz import tokens
from kpviz.engine import checks

READINGS = {"last": "f", "averaged": "mean f", "voted": "vote"}

TEXT, SMALL = 12.0, 10.0  # points, on a page of 12.8 x 7.2 inches

_SHADES = 257  # an odd number has a middle: f = 0 is exactly white


_ONE_AT_A_TIME = RLock()  # matplotlib's settings belong to the process, and a server draws in several threads


@contextmanager
def sheet(scale: float = 1.0) -> Iterator[None]:
    """Return a context with matplotlib's defaults and our type, whatever style the notebook has set."""
    ours = {
        "font.family": [tokens.FONTS["figure"]],
        "font.size": TEXT * scale,
        "svg.fonttype": "path",  # the slides' machine may lack the font
        "svg.hashsalt": "kpviz",  # the same picture is the same file
    }
    with _ONE_AT_A_TIME, style.context(["default", ours]):
        yield


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


def side(label: float) -> str:
    """Return the key of a label's colour and shape in `kpviz.tokens`."""
    return "positive" if label > 0 else "negative"


def pixels(ax: Axes) -> tuple[float, float]:
    """Return width and height of the axes in pixels of the page 1280 pixels wide on which type has its usual size."""
    unit = pen(ax.figure.dpi / 100)
    return float(ax.bbox.width / unit), float(ax.bbox.height / unit)


def panel(ax: Axes, theme: str, heading: str = "") -> None:
    """Give axes a quiet frame: a tinted ground, small tick labels, and a title at the left."""
    paint = colours(theme)
    ax.set_facecolor(paint["panel"])
    ax.tick_params(length=0, pad=pen(4), colors=paint["quiet"], labelsize="small")
    for spine in ax.spines.values():
        spine.set_visible(False)
    if heading:
        title(ax, theme, heading)


def title(ax: Axes, theme: str, text: str) -> None:
    """Write a panel's title above it, at the left."""
    ax.set_title(text, loc="left", fontsize="medium", color=colours(theme)["ink"], pad=pen(6), parse_math=False)


def aside(ax: Axes, theme: str, text: str) -> None:
    """Write something quiet and small above a panel, at the right."""
    quiet: dict[str, Any] = {"loc": "right", "fontsize": "small", "color": colours(theme)["quiet"]}
    ax.set_title(text, pad=pen(6), parse_math=False, **quiet)


def outline(ax: Axes, theme: str) -> None:
    """Draw the frame of a panel whose ground may be as white as the page."""
    for spine in ax.spines.values():
        spine.set(visible=True, color=colours(theme)["rule"], linewidth=pen(1.0))


def whole_numbers(ax: Axes, highest: int) -> None:
    """Put a few whole numbers above 0 and up to the highest on the vertical axis."""
    numbers = MaxNLocator(nbins=3, integer=True, min_n_ticks=1).tick_values(0, highest)
    ax.set_yticks([number for number in numbers if 0 < number <= highest])


def hint(ax: Axes, theme: str, text: str) -> None:
    """Write a quiet sentence in the middle of a panel that is empty, but for lines behind it."""
    middle: dict[str, Any] = {"ha": "center", "va": "center", "transform": ax.transAxes, "zorder": 5}
    ax.text(0.5, 0.5, text, color=colours(theme)["quiet"], parse_math=False, path_effects=halo(theme), **middle)


def halo(theme: str) -> list[AbstractPathEffect]:
    """Return what keeps text on a panel clear of what is drawn behind it."""
    return [withStroke(linewidth=pen(4.0), foreground=colours(theme)["panel"])]
