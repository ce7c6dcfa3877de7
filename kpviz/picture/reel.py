"""Boards drawn one after the other, for films.

What stands still is drawn when it changes, all else above it.

Tests: tests/export/test_films.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from numpy.typing import NDArray

from kpviz.picture.card import Card
from kpviz.picture.painter import Painter, rgb
from kpviz.picture.stage import Board, Layer, PlacedPanel, Rect, Stage

_REACH = 5  # CSS px round a panel that are its own: half of what is between two
_DPI = 72.0

Pixels = NDArray[np.uint8]


class Reel:
    """Frames of `size` pixels, each the picture of a stage's board."""

    def __init__(self, stage: Stage, size: tuple[int, int]) -> None:
        self._stage = stage
        self._reader = stage.reader()
        look = stage.look
        (width, height) = size
        self._base, self._page = (
            Page(width, height, look.scale(*size), look.colours["paper"]) for _ in range(2)
        )
        # It has all but the panels on which a step happens.
        self._under = np.zeros_like(self._base.pixels)
        self._under_at: int | None = None
        self._layers: dict[str, Layer] = {}
        self._base_layers: dict[str, list[str]] = {}  # The layers on the base are kept by panel.
        # These are the places of the panels on the board, as another page has them elsewhere.
        self._places: dict[str, Rect] = {}

    def frame(self, t: int, gone: float | None = None) -> Pixels:
        """Return the picture of an instant, `gone` milliseconds after its step began."""
        return self.painted(t, self.board(t, gone))

    def board(
        self,
        t: int,
        gone: float | None = None,
        playing: tuple[float, float] | None = None,
        board_words: str | None = None,
    ) -> Board:
        """Return what the next picture shows, see `Stage.board`.

        It may be made while the one before is painted.
        """
        return self._stage.board(t, gone, self._reader, playing=playing, board_words=board_words)

    def painted(self, t: int, board: Board) -> Pixels:
        """Return the picture of an instant's board, (height, width, 4).

        All boards are painted, in their order.

        The next call writes over it.
        """
        changed = self._take(board)
        lively = [panel for panel in board.panels if panel.lively]
        if changed or not lively or self._under_at != t:
            self._page.pixels[:] = self._base.pixels
            self._draw(
                panel for panel in board.panels if not panel.lively and panel.rect is not None
            )
            if lively:
                self._under[:] = self._page.pixels
            self._under_at = t if lively else None
        else:
            for panel in lively:
                part = self._page.part(panel.rect)
                self._page.pixels[part] = self._under[part]
        self._draw(panel for panel in board.panels if panel.lively or panel.rect is None)
        return self._page.pixels

    def card(self, card: Card) -> Pixels:
        """Return the picture of a title page."""
        self._page.clear(None)
        if card.fisher_board is None:
            self._page.painter.board(card.board(self._stage))
        else:
            high, wide = self._page.pixels.shape[:2]
            made: Any = FigureCanvasAgg(card.page(self._stage, (wide / _DPI, high / _DPI), _DPI))
            made.draw()
            self._page.pixels[:] = np.asarray(made.buffer_rgba())
        self._under_at = None
        return self._page.pixels

    def _draw(self, panels: Iterable[PlacedPanel]) -> None:
        """Draw what moves on some panels, and layers that are not shown whole."""
        for panel in panels:
            cut = [layer for layer in panel.layers if layer.up_to is not None]
            self._page.painter.panel(
                panel, [replace(self._layers[one.name], up_to=one.up_to) for one in cut]
            )

    def _take(self, board: Board) -> bool:
        """Keep new layers, and draw those that are shown whole on the base.

        Return whether that has changed.
        """
        places = {panel.name: panel.rect for panel in board.panels if panel.rect is not None}
        changed = places != self._places
        if changed:
            self._base.clear(None)
            self._places = places
            self._base_layers = {}
        for panel in board.panels:
            new = [layer for layer in panel.layers if layer.marks is not None]
            self._layers |= {layer.name: layer for layer in new}
            whole = [layer.name for layer in panel.layers if layer.up_to is None]
            if whole != self._base_layers.get(panel.name, []) or any(
                layer.name in whole for layer in new
            ):
                self._base.clear(panel.rect)
                for name in whole:
                    self._base.painter.layer(self._layers[name], panel.clip)
                self._base_layers[panel.name] = whole
                changed = True
        return changed


class Page:
    """Pixels with a background, and the painter that draws on them."""

    def __init__(self, width: int, height: int, scale: float, background: str) -> None:
        made: Any = RendererAgg
        renderer = made(width, height, _DPI)
        self.pixels: Pixels = np.asarray(renderer.buffer_rgba())
        self.painter = Painter(renderer, height, scale)
        self._scale = scale
        # A pixel is one number: written twenty times as fast as four.
        self._whole = self.pixels.view(np.uint32)[..., 0]
        self._colour = np.array(
            [*(round(255 * part) for part in rgb(background)), 255], np.uint8
        ).view(np.uint32)[0]
        self.clear(None)

    def clear(self, rect: Rect | None) -> None:
        """Paint the background over a panel, or over everything."""
        self._whole[self.part(rect)] = self._colour

    def part(self, rect: Rect | None) -> tuple[slice, slice]:
        """Return the rows and columns of a panel with what reaches out of it."""
        if rect is None:
            return slice(None), slice(None)
        left, top = ((side - _REACH) * self._scale for side in (rect.x, rect.y))
        right, low = ((side + _REACH) * self._scale for side in (rect.x + rect.w, rect.y + rect.h))
        return slice(max(round(top), 0), round(low)), slice(max(round(left), 0), round(right))
