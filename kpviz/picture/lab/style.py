"""What the lab's plots share: colours, the frame of a plot, and settings that no one's own style disturbs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Rectangle
from matplotlib.transforms import ScaledTranslation
from numpy.typing import NDArray

from kpviz import fonts, tokens
from kpviz.engine import checks

TEXT = 12.0  # points, at a scale of 1

_ONE_AT_A_TIME = RLock()  # matplotlib's settings belong to the process, and a server draws in several threads


class Display:
    """A plot of arrays already computed."""

    def draw(self, ax: Axes) -> None:
        """Draw it on axes of their own."""
        raise NotImplementedError


@contextmanager
def sheet(scale: float = 1.0) -> Iterator[None]:
    """Return a context with matplotlib's defaults and our type, whatever style the notebook has set."""
    with _ONE_AT_A_TIME, mpl.rc_context():
        mpl.rcParams.update(_settings(scale))
        yield


@cache
def _settings(scale: float) -> dict[Any, Any]:
    fonts.register()
    ours = {"font.family": list(fonts.TEXT_FAMILIES), "font.size": TEXT * scale}
    with style.context(["default", ours]):
        return {name: value for name, value in dict.items(mpl.rcParams) if not name.startswith("backend")}


def pen(points: float) -> float:
    """Return the width of a line or gap, which goes with the type: `points` at the default size of type."""
    return points * float(mpl.rcParams["font.size"]) / TEXT


def colours(theme: str) -> dict[str, str]:
    """Return the theme's colours; ValueError for a theme that there is not."""
    return tokens.THEMES[checks.choice("theme", theme, tuple(tokens.THEMES))]


def panel(ax: Axes, theme: str, title: str) -> None:
    """Give axes a quiet frame: a tinted ground, small tick labels, and a title at the left."""
    paint = colours(theme)
    ax.set_facecolor(paint["panel"])
    ax.tick_params(length=0, pad=pen(4), colors=paint["quiet"], labelsize="small")
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_title(title, loc="left", fontsize=pen(TEXT), color=paint["ink"], pad=pen(6), parse_math=False)


def aside(ax: Axes, theme: str, text: str, size: str = "small") -> None:
    """Write something quiet above a plot, at the right."""
    quiet: dict[str, Any] = {"fontsize": size, "color": colours(theme)["quiet"], "ha": "right", "va": "baseline"}
    beside(ax, text, (1.0, 1.0), (0.0, 6.0), transform=ax.transAxes, **quiet)


def beside(ax: Axes, text: str, at: tuple[float, float], by: tuple[float, float], **paint: Any) -> None:
    """Write text so many points beside a place, right and up at the default size of type."""
    transform = paint.pop("transform", ax.transData)
    own: Any = ax.figure
    apart = ScaledTranslation(pen(by[0]) / 72, pen(by[1]) / 72, own.dpi_scale_trans)
    ax.text(*at, text, transform=transform + apart, parse_math=False, **paint)


def outline(ax: Axes, theme: str) -> None:
    """Draw the frame of a plot whose ground may be as white as the page."""
    edge: dict[str, Any] = {"edgecolor": colours(theme)["rule"], "linewidth": pen(1.0), "facecolor": "none"}
    ax.add_artist(Rectangle((0, 0), 1, 1, transform=ax.transAxes, clip_on=False, zorder=2.5, **edge))


def bars(ax: Axes, left: NDArray[Any], heights: NDArray[Any], width: float, **paint: Any) -> None:
    """Draw bars from 0, as one collection: bars of their own take matplotlib ten times as long."""
    x = np.array([left, left + width, left + width, left])
    places = np.stack([x, np.outer([0.0, 0.0, 1.0, 1.0], heights)], axis=-1).transpose(1, 0, 2)
    ax.add_collection(PolyCollection(list(places), zorder=1, **paint), autolim=False)
