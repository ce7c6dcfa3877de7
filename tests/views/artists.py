"""What has been drawn, read back from matplotlib's artists."""

from typing import NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.image import AxesImage

from kpviz import tokens


class Bar(NamedTuple):
    """A bar from the base line 0; its height is below 0 where it hangs."""

    left: float
    right: float
    height: float
    face: str
    edge: str | None


def panel(figure, name):
    """The axes of a panel."""
    (ax,) = [ax for ax in figure.axes if ax.get_label() == name]
    return ax


def bars(ax):
    """The bars on the axes, in the order in which they are drawn."""
    found = []
    for drawn in ax.collections:
        if not isinstance(drawn, PolyCollection) or not all(
            (path.vertices[:, 1] == 0).any() for path in drawn.get_paths()
        ):
            continue  # bricks float
        faces, edges = drawn.get_facecolor(), drawn.get_edgecolor()
        for k, path in enumerate(drawn.get_paths()):
            left, right = path.vertices[:, 0].min(), path.vertices[:, 0].max()
            height = path.vertices[np.argmax(np.abs(path.vertices[:, 1])), 1]
            edge = to_hex(edges[k % len(edges)]) if len(edges) else None
            found.append(Bar(left, right, height, to_hex(faces[k % len(faces)]), edge))
    return found


def image(ax):
    """The one image of the axes."""
    (found,) = [artist for artist in ax.images if isinstance(artist, AxesImage)]
    return found


def gradient(share, theme="light"):
    """The colours of shares from -1 to 1 of the scale: straight from zero's colour to that of either end."""
    paint = tokens.THEMES[theme]
    negative, zero, positive = (255 * np.array(to_rgb(paint[f"field_{k}"])) for k in ("negative", "zero", "positive"))
    share = np.clip(np.asarray(share, dtype=float), -1.0, 1.0)[..., None]
    return zero + np.abs(share) * (np.where(share < 0, negative, positive) - zero)


def pixels(ax):
    """The colours of the image on the axes as they are drawn, rows upwards, and the place of each pixel's middle."""
    canvas = FigureCanvasAgg(ax.figure)
    colours, left, bottom, _ = image(ax).make_image(canvas.get_renderer())
    high, wide = colours.shape[:2]
    x = left + np.arange(wide) + 0.5
    y = bottom + np.arange(high) + 0.5
    places = [ax.transData.inverted().transform(np.column_stack([at, at])) for at in (x, y)]
    return colours, places[0][:, 0], places[1][:, 1]
