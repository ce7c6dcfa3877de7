"""Where the panels of a board lie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Pixels of a page of 1280 x 720, which every page is a multiple of, wider or higher.
WIDE, HIGH = 1280.0, 720.0
_EDGE = 40.0
_LEFT = 84.0  # of the map: its axis' name and numbers
_BETWEEN = 124.0  # map and right column: the colour bar with its numbers
_COLUMN = 420.0  # the right column is at least as wide
_TOP, _MAP_BOTTOM = 50.0, 180.0
_TIMELINE = (42.0, 62.0)  # bottom and height
# Panels of the right column: bottom and height as shares of the map's.
_USUAL = {"sentence": (0.725, 0.265), "bricks": (0.37, 0.29), "margins": (0.0, 0.235)}
_WITH_OWN = {"sentence": (0.75, 0.24), "bricks": (0.552, 0.14), "own": (0.205, 0.24), "margins": (0.0, 0.135)}


@dataclass(frozen=True)
class Box:
    """A rectangle; left, bottom, width and height in pixels of the page."""

    left: float
    bottom: float
    width: float
    height: float

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.bottom + self.height


@dataclass(frozen=True)
class Page:
    """A page of any size in inches; `own`: with the learner's own panel."""

    size: tuple[float, float]
    own: bool = False

    @property
    def scale(self) -> float:
        """How much larger than usual marks and type are."""
        return min(self.size[0] / WIDE, self.size[1] / HIGH) * 100

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The panels by name; where a page is too high for its width, what is left over is free above and below."""
        width, height = (100 * side / self.scale for side in self.size)
        side = min(height - _TOP - _MAP_BOTTOM, width - _LEFT - _BETWEEN - _COLUMN - _EDGE)
        bottom = _MAP_BOTTOM + (height - _TOP - _MAP_BOTTOM - side) / 2
        left = _LEFT + side + _BETWEEN
        column, top = width - left - _EDGE, bottom + side
        shares = _WITH_OWN if self.own else _USUAL
        stack = {name: Box(left, bottom + at * side, column, high * side) for name, (at, high) in shares.items()}
        return {
            "map": Box(_LEFT, bottom, side, side),
            "scale": Box(_LEFT + side + 14, bottom, 14, side),
            "counter": Box(left, top, column, 28),
            **stack,
            "timeline": Box(_LEFT, bottom - _MAP_BOTTOM + _TIMELINE[0], width - _LEFT - _EDGE, _TIMELINE[1]),
        }

    def axes(self, figure: Figure, name: str) -> Axes:
        """Put a panel's axes on the figure."""
        box = self.boxes[name]
        return figure.add_axes((*self.place(box.left, box.bottom), *self.place(box.width, box.height)))

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return pixels as parts of the page."""
        return x * self.scale / 100 / self.size[0], y * self.scale / 100 / self.size[1]

    @staticmethod
    def points(pixels: float) -> float:
        """Return pixels of a usual page as points, the unit of type."""
        return 0.72 * pixels
