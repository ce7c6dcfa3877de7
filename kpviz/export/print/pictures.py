"""Pictures for paper: panels of an instant in colour, the points alone, Fisher's page.

No type is below 7 points.

Tests: tests/export/test_sheets.py.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from kpviz import panels, tokens
from kpviz.lessons.explain import example
from kpviz.picture import figure
from kpviz.picture.card import board_drawing
from kpviz.picture.stage import Board, Layer, Mark, PlacedPanel, RenderOptions, Stage
from kpviz.player.comparison import Comparison
from kpviz.settings.cues import Cues
from kpviz.settings.fisher_link import FisherSettings, FisherView
from kpviz.settings.view import ViewState

POINT = 0.7  # A CSS pixel has so many points on paper, where a panel's smallest type has 10.
_MILLIMETRE = 72 / 25.4  # In points.
_EDGE = 5.0  # In CSS pixels: so much is free about a panel.
_BELOW = 24.0  # So much is free under the last line of a panel of words.
LEAST = 10.0  # In CSS pixels: the smallest type.
# Here are the lines that say what is drawn; those of the field are left out.
_UNDER = 75.0
_NAME_GAP = 4.0  # So much is free between a point and its name.
_NAME = 12.0


def pixels(millimetres: float) -> float:
    """Return how many CSS pixels a picture of a width has."""
    return round(millimetres * _MILLIMETRE / POINT)


def panel(
    experiments: Comparison,
    t: int,
    name: str,
    size: tuple[float, float],
    view: ViewState,
    cues: Cues,
) -> bytes:
    """Return a panel of an instant as SVG, `size` in CSS pixels.

    One of words is no higher than they are.
    """
    look = RenderOptions("light", view.show, name, angles=view.turn, over=view.over, edge=_EDGE)
    board = Stage(experiments, look, size, cues, scale=1.0).board(t)
    if panels.BY_NAME[name].text:
        width, high = size
        words = [mark["y"] for mark in _marks(board.panels[0]) if mark["kind"] == "text"]
        low = max(words, default=high)
        board = Stage(
            experiments, look, (width, min(high, round(low + _BELOW))), cues, scale=1.0
        ).board(t)
    return _svg(board)


def fisher(settings: FisherSettings, view: FisherView, size: tuple[float, float]) -> bytes:
    """Return the plane of Fisher's page with F and J as SVG, `size` in CSS pixels."""
    width, height = size
    room = {"x": 0.0, "y": 0.0, "w": width, "h": height}
    return _svg(board_drawing(settings, view, RenderOptions(), width, height, room, LEAST))


def points(
    experiments: Comparison, t: int, named: Collection[int], width: float, theme: str = "light"
) -> bytes:
    """Return the map of an instant as SVG; `named`: the examples whose names stand beside them."""
    look = RenderOptions(theme, None, "map", transparent=True, edge=_EDGE)
    side = pixels(width)
    board = Stage(experiments, look, (side, side), scale=1.0).board(t)
    return _svg(
        Board(
            board.width,
            board.height,
            None,
            tuple(_panel(board_panel, named, theme) for board_panel in board.panels),
        )
    )


def _svg(board: Board) -> bytes:
    inches = (board.width * POINT / 72, board.height * POINT / 72)
    look = RenderOptions(transparent=board.background is None)
    return figure.save(figure.of_board(board, inches, look, ""), "svg")


def _marks(panel: PlacedPanel) -> list[Mark]:
    return [*(mark for layer in panel.layers for mark in layer.marks or ()), *panel.moving]


def _panel(panel: PlacedPanel, named: Collection[int], theme: str) -> PlacedPanel:
    paper, ink = (tokens.THEMES[theme][name] for name in ("paper", "ink"))
    layers = [
        Layer(
            layer.name, [_white(m, paper) for m in layer.marks or () if _is_drawn(m)], layer.up_to
        )
        for layer in panel.layers
    ]
    marks = [mark for layer in layers for mark in layer.marks or () if mark.get("i") in named]
    right = 0.0 if panel.rect is None else panel.rect.x + panel.rect.w - 40.0
    return replace(
        panel, layers=tuple(layers), moving=[_named(mark, right, paper, ink) for mark in marks]
    )


def _is_drawn(mark: Mark) -> bool:
    """Return whether a mark is drawn: nothing of the field and of its scale is."""
    if mark["kind"] == "image" or mark.get("name") in ("halo", "scale", "kernel"):
        return False
    if mark["kind"] == "rect":
        return "stroke" in mark and mark["w"] == mark["h"]
    return not (mark["kind"] == "text" and (mark["text"].startswith("f = 0") or _of_scale(mark)))


def _of_scale(mark: Mark) -> bool:
    return "halo" not in mark and mark["y"] < _UNDER


def _white(mark: Mark, paper: str) -> Mark:
    return {**mark, "halo": paper} if "halo" in mark else mark


def _named(mark: Mark, right: float, paper: str, ink: str) -> Mark:
    """Return the name of a point, on its left where there is no room on its right."""
    left = mark["x"] > right
    aside = mark["r"] + _NAME_GAP
    return {
        "kind": "text",
        "x": mark["x"] + (-aside if left else aside),
        "y": mark["y"],
        "align": "right" if left else "left",
        "baseline": "middle",
        "size": _NAME,
        "weight": 600,
        "fill": ink,
        "halo": paper,
        "text": example(mark["i"]),
    }
