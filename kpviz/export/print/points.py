"""The map on paper: points, their names and the boundary, without the field, so that one can draw on it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from kpviz import tokens
from kpviz.lessons.explain import example
from kpviz.picture import figure
from kpviz.picture.board import Board, Layer, Mark, Panel
from kpviz.picture.render_options import RenderOptions
from kpviz.picture.stage import Stage
from kpviz.player.lineup import Lineup

_LOOK = RenderOptions("print", None, "map")
_PAPER, _INK = (tokens.THEMES[tokens.PRINT][name] for name in ("paper", "ink"))
_SIZE = (5.0, 5.0)  # inches
_UNDER = 75.0  # CSS pixels of the lines that say what is drawn: those of the field are left out
_BESIDE = 5.0  # between a point and its name


def drawn(lineup: Lineup, t: int, named: Collection[int] = ()) -> bytes:
    """Return the map of an instant as SVG; `named`: the examples whose names stand beside them."""
    stage = Stage(lineup, _LOOK, _SIZE)
    board = stage.board(t)
    panels = tuple(_panel(panel, named) for panel in board.panels)
    plain = Board(board.width, board.height, None, panels)
    return figure.save(figure.of_board(plain, _SIZE, replace(_LOOK, transparent=True), ""), "svg")


def _panel(panel: Panel, named: Collection[int]) -> Panel:
    layers = [
        Layer(layer.name, [_white(m) for m in layer.marks or () if _kept(m)], layer.up_to) for layer in panel.layers
    ]
    points = [mark for layer in layers for mark in layer.marks or () if mark.get("i") in named]
    right = 0.0 if panel.rect is None else panel.rect.x + panel.rect.w - 40.0
    return replace(panel, layers=tuple(layers), moving=[_name(mark, right) for mark in points])


def _kept(mark: Mark) -> bool:
    """Return whether a mark is drawn: nothing of the field and of its scale is."""
    if mark["kind"] == "image" or mark.get("name") in ("halo", "scale", "kernel"):
        return False
    if mark["kind"] == "rect":
        return "stroke" in mark and mark["w"] == mark["h"]
    return not (mark["kind"] == "text" and (mark["text"].startswith("f = 0") or _of_scale(mark)))


def _of_scale(mark: Mark) -> bool:
    return "halo" not in mark and mark["y"] < _UNDER


def _white(mark: Mark) -> Mark:
    return {**mark, "halo": _PAPER} if "halo" in mark else mark


def _name(mark: Mark, right: float) -> Mark:
    """Return the name of a point, on its left where there is no room on its right."""
    left = mark["x"] > right
    aside = mark["r"] + _BESIDE
    return {
        "kind": "text",
        "x": mark["x"] + (-aside if left else aside),
        "y": mark["y"],
        "align": "right" if left else "left",
        "baseline": "middle",
        "size": 13.0,
        "weight": 600,
        "fill": _INK,
        "halo": _PAPER,
        "text": example(mark["i"]),
    }
