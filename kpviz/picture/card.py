"""The card that a film begins with, and the page of a scene's words with a picture beside them.

Tests: tests/export/test_scenes.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kpviz.picture import bridge, figure, formula
from kpviz.picture.figure import BoardArtist, Picture
from kpviz.picture.stage import Board, RenderOptions, Stage
from kpviz.player import fisher
from kpviz.settings.cues import reading_time
from kpviz.settings.fisher_link import FisherSettings, FisherView

# In seconds: a card is seen so long in a film, at least and at most.
_LEAST = 3.0
_MOST = 60.0
# CSS pixels of the smallest type on a page whose shorter side is 720: it is read from the back row
_TYPE = 16.0


# The characters that stand in a card's words for its formulas, in their order.
FORMULAS = range(0xE000, 0xF8FF)


@dataclass(frozen=True)
class CardFormula:
    """A formula among the words of a card.

    Parameters
    ----------
    latex : the formula. text : the same as a line of text. display : whether it has a line of its
        own.
    """

    latex: str
    text: str
    display: bool = False

    @property
    def plain(self) -> dict[str, Any]:
        """What the player needs to find room for it, and the painter to draw it."""
        outline = formula.outline(self.latex, display=self.display)
        room = {"width": outline.width, "above": outline.above, "below": outline.below}
        return {"latex": self.latex, "display": self.display, "text": self.text, **room}


@dataclass(frozen=True)
class Card:
    """A title page: what stands large, a line below it, and what it is, in a quiet line.

    With `words` these stand below a heading; `fisher_board` is Fisher's page, whose plane with F
    and J stand beside them. `set_words` are the words with a character of `FORMULAS` in place of
    each formula.
    """

    title: str
    by: str = ""
    about: str = ""
    words: str = ""
    set_words: str = ""
    formulas: tuple[CardFormula, ...] = ()
    fisher_board: tuple[FisherSettings, FisherView] | None = None

    @property
    def seconds(self) -> float:
        """How long it stays in a film: as long as reading its words takes, within bounds."""
        return min(max(reading_time(self.words), _LEAST), _MOST) if self.words else _LEAST

    def board(self, stage: Stage) -> Board:
        """Return its board, of the shape and look of a stage."""
        formulas = self.formulas if formula.can_set() else ()
        return stage.card(
            title=self.title,
            by=self.by,
            about=self.about,
            words=self.set_words if formulas else self.words,
            formulas=[one.plain for one in formulas],
            has_board=self.fisher_board is not None,
        )

    def page(self, stage: Stage, inches: tuple[float, float], dpi: float = 100) -> Picture:
        """Return the figure of its board with the picture beside the words."""
        board = self.board(stage)
        page = figure.of_board(board, inches, stage.look, self.title, dpi)
        place = next((panel.rect for panel in board.panels if panel.name == "beside"), None)
        if self.fisher_board and place:
            least = _TYPE * min(board.width, board.height) / 720
            look = RenderOptions(stage.look.theme)
            page.add_artist(
                BoardArtist(
                    board_drawing(
                        *self.fisher_board, look, board.width, board.height, vars(place), least
                    )
                )
            )
        return page


def board_drawing(
    settings: FisherSettings,
    view: FisherView,
    look: RenderOptions,
    width: float,
    height: float,
    room: dict[str, float],
    least: float,
) -> Board:
    """Return the plane of Fisher's page with F and J, in the `room` of a page.

    `least`: the smallest type.
    """
    options = {**look.options, "width": width, "height": height}
    stage = bridge.engine().open(fisher.envelope(fisher.encode(settings), settings, view), options)
    return Board.of(stage.make("mapAndTimeline", room, least))
