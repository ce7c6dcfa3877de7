"""Boards as matplotlib figures: for files, and for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from kpviz.engine import checks
from kpviz.lessons import explain
from kpviz.picture.board import Board
from kpviz.picture.painter import Painter
from kpviz.picture.render_options import RenderOptions, natural
from kpviz.picture.stage import Stage
from kpviz.player.lineup import Lineup
from kpviz.settings.cues import Cues

# The date that a file would carry, by format: the same picture is the same file on any day.
_DATES: dict[str, dict[str, str | None]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
FORMATS = tuple(_DATES)
_SAME: dict[Any, Any] = {"svg.hashsalt": "kpviz", "svg.image_inline": True, "pdf.compression": 6}
_INCHES = (12.8, 7.2)
_WIDE = 12.8  # inches of a panel in its natural shape


class Picture(Figure):
    """A figure that a notebook shows by itself: a plain one is shown only once pyplot is loaded, which we never do."""

    def _repr_png_(self) -> bytes:
        return save(self, "png", dpi=self.get_dpi())


class BoardArtist(Artist):
    """A board that fills its figure."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def draw(self, renderer: Any) -> None:
        """Draw all panels."""
        figure: Any = self.get_figure(root=True)
        high = figure.bbox.height
        Painter(renderer, high, high / self.board.height).board(self.board)


def draw(
    lineup: Lineup,
    t: int,
    look: RenderOptions,
    size: tuple[float, float] | None = None,
    dpi: float = 100,
    crowded: Callable[[Sequence[str]], Any] = lambda panels: None,
    cues: Cues | None = None,
) -> Picture:
    """Draw the instant t of some runs, the whole board or one panel.

    Parameters
    ----------
    size : of the page in inches; None: 12.8 × 7.2, or the natural shape of the one panel.
    crowded : called with the panels that were asked for and find no room, if there are any.
    cues : what is said and lights up there; None: what the run itself says.

    Raises
    ------
    ValueError
        One sentence: there is nothing to show in the one panel, or the embedded engine is missing.
    """
    inches = shape(look) if size is None else size
    shown = lineup.alone if look.only else lineup
    stage = Stage(shown, look, inches, cues)
    if without := stage.crowded_out(t):
        crowded(without)
    run = lineup.current.run
    label = explain.counter(run, min(t, run.n_steps), stream=lineup.current.stream)
    return of_board(stage.board(t), inches, look, label, dpi)


def of_board(board: Board, inches: tuple[float, float], look: RenderOptions, label: str, dpi: float = 100) -> Picture:
    """Return the figure of a board; `label` is the title that its files carry."""
    ground = "none" if look.transparent else look.colours["paper"]
    figure = Picture(figsize=inches, dpi=dpi, facecolor=ground, label=label)
    figure.add_artist(BoardArtist(board))
    return figure


def shape(look: RenderOptions) -> tuple[float, float]:
    """Return the size in inches of a picture that nobody gave one."""
    if not look.only:
        return _INCHES
    wide, high = natural(look.only)
    return _WIDE, _WIDE * high / wide


def save(figure: Figure, format: str, *, dpi: float = 200, ground: str | None = None) -> bytes:
    """Return the file of a figure, "png", "svg" or "pdf", on a ground of its own or another; text becomes outlines."""
    metadata = _DATES[checks.choice("format", format, FORMATS)]
    if figure.get_label():
        metadata = {"Title": str(figure.get_label()), **metadata}
    file = BytesIO()
    with mpl.rc_context(_SAME):
        figure.savefig(file, format=format, dpi=dpi, metadata=metadata, facecolor=ground or figure.get_facecolor())
    return file.getvalue()
