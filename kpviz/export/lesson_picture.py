"""The small picture of a lesson for lists.

The map of the link that its header names, else of its first scene.

Tests: tests/test_lesson_pictures.py.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from kpviz import tokens
from kpviz.export import scenes
from kpviz.lessons.file.lesson import Lesson, Scene
from kpviz.lessons.file.links import FISHER, Link
from kpviz.picture import bridge
from kpviz.picture.painter import Painter
from kpviz.picture.stage import Board, RenderOptions, Stage
from kpviz.player import fisher
from kpviz.settings import fisher_link

SIDE = 208  # In pixels: the picture is shown half as large.
# Points and lines are larger than on a board, since the picture is so much smaller.
_LARGER = 2.0
_SHAPES = {"circle", "square", "line", "lines", "polygon", "image"}
_LOOK = tokens.THEMES["light"]
_BOARD = {"x": 0.0, "y": 0.0, "w": 520.0, "h": 520.0}


def picture(lesson: Lesson) -> bytes:
    """Return the file of a lesson's picture."""
    link = lesson.picture or lesson.scenes[0].link
    board = _of_fisher(link) if link.page == FISHER else _of_map(link)
    place = board.panels[0].rect
    assert place is not None
    canvas = FigureCanvasAgg(Figure(figsize=(1, 1), dpi=SIDE))
    renderer: Any = canvas.get_renderer()  # type: ignore[no-untyped-call]
    scale = SIDE / place.w
    painter = Painter(renderer, SIDE, scale, (-place.x * scale, -place.y * scale))
    painter.marks(list(_marks(board)))
    file = io.BytesIO()
    page = Image.new("RGBA", (SIDE, SIDE), _LOOK["paper"])
    page.alpha_composite(Image.fromarray(np.array(renderer.buffer_rgba())))
    page.convert("RGB").save(file, "webp", quality=82, method=6)
    return file.getvalue()


def _of_map(link: Link) -> Board:
    made = scenes.stage(1, Scene("", link))
    assert made.experiments is not None
    look = RenderOptions("light", made.view.show, "map", edge=0.0)
    at = made.experiments.end if made.t is None else made.t
    return Stage(made.experiments.alone, look, (1, 1)).board(at)


def _of_fisher(link: Link) -> Board:
    settings, view, _ = fisher_link.read_link(link.pairs)
    options = {**RenderOptions("light").options, "width": _BOARD["w"], "height": _BOARD["h"]}
    opened = bridge.engine().open(fisher.envelope(fisher.encode(settings), settings, view), options)
    return Board.of(opened.make("mapAndTimeline", _BOARD, 1.0))


def _marks(board: Board) -> Iterator[dict[str, Any]]:
    """Yield what can be seen in a small picture.

    The ground, the boundary and the examples, without signs and words.
    """
    plane = board.panels[0]
    for marks in [layer.marks or [] for layer in plane.layers] or [plane.moving]:
        for mark in marks:
            if mark["kind"] == "text":
                break  # The legend begins with the first text.
            if mark["kind"] in _SHAPES:
                yield {
                    **mark,
                    **{key: mark[key] * _LARGER for key in ("r", "width") if key in mark},
                }
