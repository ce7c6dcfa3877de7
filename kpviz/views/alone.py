"""One panel that fills a picture, with large type."""

from __future__ import annotations

from dataclasses import dataclass

from kpviz.engine import checks
from kpviz.views.page import ALL, Box, Page

# Pixels of the page on which type has its usual size: the smaller they are, the larger is the type.
_SHAPES: dict[str, tuple[float, float]] = {
    "map": (560.0, 520.0),
    "alpha": (600.0, 310.0),
    "margins": (600.0, 310.0),
    "own": (600.0, 310.0),
    "gram": (560.0, 470.0),
    "lift": (560.0, 500.0),
    "remembered": (600.0, 420.0),
    "code": (480.0, 270.0),
    "bound": (640.0, 480.0),
    "readings": (600.0, 420.0),
    "primal": (600.0, 520.0),
    "sequence": (560.0, 330.0),
    "timeline": (720.0, 200.0),
    "words": (640.0, 280.0),
}
NAMES = tuple(_SHAPES)
_EDGE = 36.0
_LEFT, _RIGHT, _BELOW, _ABOVE = 84.0, 92.0, 64.0, 50.0  # of the map: axis, colour bar, axis, title
_NUMBERS, _NAMES = 60.0, 44.0  # left of a panel, and below it
_PLAIN = ("code", "bound", "readings", "primal", "sequence")  # panels that have neither
_STRIP = 120.0  # the timeline is at most as high


@dataclass(frozen=True)
class Alone(Page):
    """A page of any size in inches with the panel `name`, one of `NAMES`, in its natural shape."""

    name: str = "map"

    @classmethod
    def of(cls, name: str, size: tuple[float, float]) -> Alone:
        """Return the page of a panel; ValueError if there is none of this name."""
        checks.choice("panel", name, NAMES)
        return cls(size, (name,) if name in ALL else (), name=name)

    @property
    def scale(self) -> float:
        """How much larger than usual marks and type are."""
        wide, high = _SHAPES[self.name]
        return min(self.size[0] / wide, self.size[1] / high) * 100

    @property
    def boxes(self) -> dict[str, Box]:
        """The panel, and what belongs to it."""
        width, height = (100 * side / self.scale for side in self.size)
        if self.name == "map":
            side = min(width - _LEFT - _RIGHT, height - _BELOW - _ABOVE)
            left = _LEFT + (width - _LEFT - _RIGHT - side) / 2
            bottom = _BELOW + (height - _BELOW - _ABOVE - side) / 2
            return {"map": Box(left, bottom, side, side), "scale": Box(left + side + 14, bottom, 14, side)}
        if self.name == "words":
            return {
                "counter": Box(_EDGE, height - _EDGE - 28, width - 2 * _EDGE, 28),
                "sentence": Box(_EDGE, _EDGE, width - 2 * _EDGE, height - 2 * _EDGE - 32),
            }
        if self.name == "timeline":
            high = min(height - _NAMES - _ABOVE, _STRIP)
            bottom = _NAMES + (height - _NAMES - _ABOVE - high) / 2
            return {"timeline": Box(_EDGE, bottom, width - 2 * _EDGE, high)}
        left, below = (_EDGE, _EDGE) if self.name in _PLAIN else (_NUMBERS, _NAMES)
        return {self.name: Box(left, below, width - left - _EDGE, height - below - _ABOVE)}


def shape(name: str) -> tuple[float, float]:
    """Return the size in inches of a picture that a panel just fills; ValueError if there is none of this name."""
    checks.choice("panel", name, NAMES)
    wide, high = _SHAPES[name]
    return 12.8, 12.8 * high / wide
