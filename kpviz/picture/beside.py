"""What stands beside words on a card: the picture of a link to Fisher's page."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.figure import Figure

from kpviz.picture import bridge
from kpviz.picture.board import Board, Rect
from kpviz.picture.figure import BoardArtist
from kpviz.picture.render_options import RenderOptions
from kpviz.player import fisher
from kpviz.settings.fisher_link import FisherSettings, FisherView

_TYPE = 16.0  # CSS pixels of the smallest type on a page whose shorter side is 720: it is read from the back row


@dataclass(frozen=True)
class Fisher:
    """The plane with F, and J of all directions."""

    settings: FisherSettings
    view: FisherView

    def draw(self, page: Figure, board: Board, rect: Rect, theme: str) -> None:
        """Draw it at a place of a page that shows a board."""
        data = fisher.envelope(fisher.encode(self.settings), self.settings, self.view)
        options = {**RenderOptions(theme).options, "width": board.width, "height": board.height}
        least = _TYPE * min(board.width, board.height) / 720
        parcel = bridge.engine().open(data, options).make("beside", vars(rect), least)
        page.add_artist(BoardArtist(Board.of(parcel)))
