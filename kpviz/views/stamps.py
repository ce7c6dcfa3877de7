"""Texts drawn before, as pictures: most of a frame's words were in the frame before, and letters are slow to draw."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform
from numpy.typing import NDArray

from kpviz.views.writing import Line

_MOST = 2000  # pictures that are kept
_FINE = 64  # parts of a pixel that letters are placed by
_ROOM = 3.0  # heights of the type about a text


class Stamps:
    """Draws texts as matplotlib does, from pictures of those that it has drawn before."""

    def __init__(self, figure: Figure) -> None:
        self._figure = figure
        self._known: OrderedDict[Hashable, tuple[int, int, NDArray[np.uint8]]] = OrderedDict()

    def draw(self, text: Text, renderer: Any) -> None:
        """Draw a text, one that is plain from its picture."""
        if isinstance(text, Line):
            for word, across in text.parts:
                self._draw(text, word, across, renderer)
        elif text.get_path_effects() or text.get_rotation() or "\n" in text.get_text() or text.get_clip_on():
            text.draw(renderer)
        else:
            self._draw(text, text.get_text(), 0.0, renderer)

    def _draw(self, text: Text, word: str, across: float, renderer: Any) -> None:
        x, y = text.get_transform().transform(text.get_position())
        column, row = int(np.floor(x + across)), int(np.floor(y))
        within = (round((x + across - column) * _FINE), round((y - row) * _FINE))
        font = text.get_fontproperties()
        look = (font.get_size_in_points(), font.get_weight(), *font.get_family(), str(text.get_color()))
        key = (word, within, look, text.get_horizontalalignment(), text.get_verticalalignment())
        if key not in self._known:
            self._known[key] = self._picture(text, word, within)
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        left, bottom, picture = self._known[key]
        if picture.size:
            renderer.draw_image(renderer.new_gc(), column + left, row + bottom, picture)

    def _picture(self, text: Text, word: str, within: tuple[int, int]) -> tuple[int, int, NDArray[np.uint8]]:
        """Return a picture of a text, and where its lowest left pixel is, seen from that of the text's place."""
        points = text.get_fontproperties().get_size_in_points() * self._figure.dpi / 72
        across = int(points * (len(word) + 2 * _ROOM))
        high = int(2 * _ROOM * points) + 2
        renderer: Any = RendererAgg
        scratch = renderer(2 * across, high, self._figure.dpi)
        alone = Text(across + within[0] / _FINE, high // 2 + within[1] / _FINE, word)
        alone.update_from(text)
        alone.set(transform=IdentityTransform(), figure=self._figure, clip_on=False, parse_math=text.get_parse_math())
        alone.draw(scratch)
        seen = np.asarray(scratch.buffer_rgba())[::-1]  # from the lowest row
        rows, columns = (np.flatnonzero(seen[..., 3].any(axis=axis)) for axis in (1, 0))
        if not len(rows):
            return 0, 0, seen[:0]
        part = seen[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()
        return int(columns[0]) - across, int(rows[0]) - high // 2, part
