"""Texts, trees and graphs as they are drawn in a panel; the parts that another one has, too, are lit.

The axes have pixels of the panel, from its upper left corner; `size` is that of the type, in these pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import FancyBboxPatch, Rectangle
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.objects.sketch import Node, Sketch
from kpviz.views import style, words

DRAWING = 5.4  # height of a tree or a graph, in sizes of its type
_LINE, _FIRST, _OVER = 1.35, 1.25, 0.5  # of a text: from line to line, to the first baseline, and left over
_ROUNDED = 1.03  # on a screen each letter is as wide as whole pixels
_NODE, _LABEL = 0.62, 0.78  # radius of a node, and its type
_EACH = 2.6  # a drawing is at most so wide for each of its nodes
_SMALLER = (1.0, 0.92, 0.85, 0.78, 0.71, 0.64, 0.57, 0.5, 0.43, 0.36)  # type, until no two labels meet
_LIT, _LEAST, _MORE = 0.24, 0.18, 0.4  # how strong the ground is: of words; of nodes, and by the share of their parts


class Box(NamedTuple):
    """Where a drawing lies: left, top, width and height."""

    x: float
    y: float
    w: float
    h: float


def shares(sketch: Sketch, other: Sketch | None) -> FloatArray:
    """Return of each node the share of its parts that the other object has, too, (n_nodes,)."""
    if other is None:
        return np.zeros(len(sketch.nodes))
    counts = zip(sketch.shared(other), sketch.nodes, strict=True)
    return np.array([count / len(node.ids) if node.ids else 0.0 for count, node in counts])


def across(text: str, size: float) -> float:
    """Return how far text goes, so that the next sign may begin."""
    return _ROUNDED * size * (words.advance(text) - words.advance(""))


def write(ax: Axes, theme: str, sketch: Sketch, other: Sketch | None, box: Box, size: float, *, most: int) -> float:
    """Write a text in at most so many lines, with a ground under what is lit; return how high it is."""
    found = _words(sketch.nodes, shares(sketch, other) > 0.0)
    dots, space = across("…", size), across(" ", size)
    at, line = box.x, 0
    for number, (word, lit) in enumerate(found):
        wide = across(word, size)
        reserved = dots + space if line == most - 1 and number < len(found) - 1 else 0.0
        if at > box.x and at + wide > box.x + box.w - reserved:
            if line == most - 1:
                _say(ax, theme, (at, box.y + size * (_FIRST + _LINE * line)), size, "…", "quiet")
                break
            at, line = box.x, line + 1
        base = box.y + size * (_FIRST + _LINE * line)
        shown = words.shortened(word, 0.72 * size, 0.72 * (box.x + box.w - at))
        for start, end in _stretches(lit[: len(shown)]):
            _light(ax, theme, at + across(shown[:start], size), base, across(shown[start:end], size), size)
        _say(ax, theme, (at, base), size, shown)
        at += wide + space
    return size * (_OVER + _LINE * (line + 1))


def _words(nodes: Sequence[Node], lit: NDArray[np.bool_]) -> list[tuple[str, list[bool]]]:
    """Return the words with whether each sign is lit: nodes are words, or signs that spaces part."""
    if any(len(node.text) > 1 for node in nodes):
        return [(node.text, [bool(on)] * len(node.text)) for node, on in zip(nodes, lit, strict=True)]
    found: list[tuple[str, list[bool]]] = [("", [])]
    for node, on in zip(nodes, lit, strict=True):
        if node.text == " ":
            found.append(("", []))
        else:
            found[-1] = (found[-1][0] + node.text, [*found[-1][1], bool(on)])
    return [word for word in found if word[0]]


def _stretches(lit: Sequence[bool]) -> list[tuple[int, int]]:
    """Return from where to where signs are lit.

    >>> _stretches([True, True, False, True])
    [(0, 2), (3, 4)]
    """
    edges = np.flatnonzero(np.diff([0, *map(int, lit), 0]))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def _light(ax: Axes, theme: str, x: float, base: float, wide: float, size: float) -> None:
    ground: dict[str, Any] = {"facecolor": style.colours(theme)["accent"], "alpha": _LIT, "linewidth": 0.0}
    ax.add_patch(Rectangle((x - 1.0, base - 0.95 * size), wide + 2.0, 1.25 * size, gid="shared", **ground))


def _say(ax: Axes, theme: str, at: tuple[float, float], size: float, text: str, colour: str = "ink") -> None:
    paint: dict[str, Any] = {"color": style.colours(theme)[colour], "fontsize": style.pen(0.72 * size)}
    ax.text(*at, text, va="baseline", parse_math=False, **paint)


def join(ax: Axes, theme: str, sketch: Sketch, other: Sketch | None, box: Box, size: float) -> float:
    """Draw a tree or a graph, the more of a node's parts are shared the stronger its ground; return how high it is."""
    places, half, radius, label = _placed(sketch, box, size)
    paint = style.colours(theme)
    edges = [places[list(edge)] for edge in sketch.edges]
    lines = LineCollection(edges, colors=paint["quiet"], linewidths=style.pen(0.72), zorder=1.0)
    ax.add_collection(lines, autolim=False)
    for node, share, (x, y), reach in zip(sketch.nodes, shares(sketch, other), places, half, strict=True):
        shape = f"round,pad=0,rounding_size={radius:.4f}"
        paints: list[dict[str, Any]] = [
            {"facecolor": paint["panel"], "edgecolor": paint["rule"], "linewidth": style.pen(0.72), "zorder": 1.2}
        ]
        if share:
            alpha = _LEAST + _MORE * share
            paints.append(
                {"facecolor": paint["accent"], "alpha": alpha, "linewidth": 0.0, "zorder": 1.3, "gid": "shared"}
            )
        for each in paints:
            ax.add_patch(FancyBboxPatch((x - reach, y - radius), 2 * reach, 2 * radius, boxstyle=shape, **each))
        middle: dict[str, Any] = {"ha": "center", "va": "center_baseline", "parse_math": False}
        ax.text(x, y, node.text, color=paint["ink"], fontsize=style.pen(0.72 * label), **middle)
    return box.h


def _placed(sketch: Sketch, box: Box, size: float) -> tuple[FloatArray, FloatArray, float, float]:
    """Return places (n, 2), half widths (n,) and radius of the nodes, and their type, at which none meets another."""
    u, v = np.array([[node.x, node.y] for node in sketch.nodes]).T
    for factor in _SMALLER:
        radius, label = _NODE * size * factor, _LABEL * size * factor
        half = np.array([max(across(node.text, label) / 2 + 3.0, radius) for node in sketch.nodes])
        wide = max(min(box.w - 2 * half.max(), len(u) * _EACH * size), 1.0)
        places = np.column_stack([box.x + half.max() + u * wide, box.y + radius + (1 - v) * (box.h - 2.6 * radius)])
        apart = np.abs(places[:, None] - places)
        near = (apart[..., 0] < half[:, None] + half) & (apart[..., 1] < 2 * radius)
        if near.sum() == len(u):  # each is near itself
            break
    return places, half, radius, label
