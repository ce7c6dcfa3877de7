"""The card that a film begins with, and the page of a scene that is words, with a picture beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from matplotlib.figure import Figure

from kpviz.picture import figure
from kpviz.picture.board import Board, Rect
from kpviz.picture.figure import Picture
from kpviz.picture.stage import Stage


class Beside(Protocol):
    """What stands beside words."""

    def draw(self, page: Figure, board: Board, rect: Rect, theme: str) -> None:
        """Draw it at a place of a page that shows a board."""


@dataclass(frozen=True)
class Card:
    """A title page: what stands large, a line below it, and what it is, in a quiet line.

    With `words` these stand below a heading; `beside` is a picture beside them.
    """

    title: str
    by: str = ""
    about: str = ""
    words: str = ""
    beside: Beside | None = None

    def board(self, stage: Stage) -> Board:
        """Return its board, of the shape and look of a stage."""
        beside = self.beside is not None
        return stage.card(title=self.title, by=self.by, about=self.about, words=self.words, beside=beside)

    def page(self, stage: Stage, inches: tuple[float, float], dpi: float = 100) -> Picture:
        """Return the figure of its board with the picture beside the words."""
        board = self.board(stage)
        page = figure.of_board(board, inches, stage.look, self.title, dpi)
        place = next((panel.rect for panel in board.panels if panel.name == "beside"), None)
        if self.beside and place:
            self.beside.draw(page, board, place, stage.look.theme)
        return page
