"""Examples as small marks on a panel that is no map."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes

from kpviz import tokens
from kpviz.engine.checks import FloatArray
from kpviz.views import style
from kpviz.views.points import SIDE, draw_marks


def draw_symbols(
    ax: Axes,
    theme: str,
    places: FloatArray,
    y: FloatArray,
    radius: FloatArray,
    *,
    hollow: bool = False,
    colour: str | None = None,
    width: float = 1.3,
    zorder: float = 3.0,
) -> None:
    """Draw the shapes of the classes `y` at places (n, 2), radii in pixels of the panel.

    `hollow` ones have a rim only, of the colour of their class or of `colour`; in print those of −1 are hollow anyway.
    """
    paint = style.colours(theme)
    pen: dict[str, Any]
    if hollow:
        rims = colour if colour is not None else [paint[style.side(label)] for label in y]
        pen = {"facecolors": "none", "edgecolors": rims, "linewidths": style.pen(width)}
    else:
        rim = paint["positive"] if theme == tokens.PRINT else paint["paper"]
        faces = style.fills(theme, y)["facecolors"]
        pen = {"facecolors": faces, "edgecolors": rim, "linewidths": style.pen(0.7)}
    scale = SIDE / min(style.pixels(ax))  # what a map's marks are made smaller by here is taken back
    draw_marks(ax, places, y, scale * radius, zorder=zorder, **pen)
