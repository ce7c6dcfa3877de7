"""The card that a film begins with: what the run is called, who shows it, and what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from kpviz.views import style, words
from kpviz.views.page import Page

_TITLE, _LEAST, _BY, _ABOUT = 44.0, 20.0, 20.0, 15.0  # points
_ROOM = 0.8  # of the page's width


@dataclass(frozen=True)
class Card:
    """A title page.

    Parameters
    ----------
    title : what stands large. by : a line below it. about : the run in one line, quiet.
    """

    title: str
    by: str = ""
    about: str = ""
    theme: str = "light"

    def draw(self, figure: Figure, page: Page) -> None:
        """Write title and lines in the middle of the page."""
        paint = style.colours(self.theme)
        wide, high = (100 * side / page.scale for side in page.size)
        room = 0.72 * _ROOM * wide
        title, size = words.fitted(self.title, room, 0.72 * 0.4 * high, largest=_TITLE, smallest=_LEAST)
        left = (1 - _ROOM) / 2
        place: dict[str, Any] = {"linespacing": words.LINE, "parse_math": False}
        bold: dict[str, Any] = {"fontsize": style.pen(size), "color": paint["ink"], "va": "bottom"}
        figure.text(left, 0.5, title, **bold, **place)
        rule: dict[str, Any] = {"facecolor": paint["accent"], "linewidth": 0.0, "transform": figure.transFigure}
        figure.add_artist(Rectangle((left, 0.475), 0.12, 5 / high, **rule))
        for at, text, points, colour in ((0.44, self.by, _BY, "ink"), (0.37, self.about, _ABOUT, "quiet")):
            lines, points = words.fitted(text, room, 0.72 * 0.2 * high, largest=points, smallest=11.0)
            small: dict[str, Any] = {"fontsize": style.pen(points), "color": paint[colour], "va": "top"}
            figure.text(left, at, lines, **small, **place)
