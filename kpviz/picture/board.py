"""A board as plain data: panels with the marks that the player describes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kpviz.picture.bridge import Parcel

Mark = dict[str, Any]


@dataclass(frozen=True)
class Rect:
    """A rectangle in CSS pixels from the upper left corner."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, eq=False)
class Layer:
    """Marks under those that move; None where they are those of the board before. It ends at x = `up_to`."""

    name: str
    marks: list[Mark] | None
    up_to: float | None = None


@dataclass(frozen=True, eq=False)
class Panel:
    """A panel: its layers from the lowest to the highest, the marks above them, and where these are cut off.

    `lively`: while a step happens it changes from one frame to the next.
    """

    name: str
    rect: Rect | None
    clip: Rect | None
    layers: tuple[Layer, ...]
    moving: list[Mark]
    lively: bool = False


@dataclass(frozen=True, eq=False)
class Board:
    """All panels of an instant, from the lowest to the highest, on a ground of a colour; None for a clear one."""

    width: float
    height: float
    ground: str | None
    panels: tuple[Panel, ...]

    @property
    def lively(self) -> bool:
        """Whether the next frame is another one, of the same instant too."""
        return any(panel.lively for panel in self.panels)

    @classmethod
    def of(cls, parcel: Parcel) -> Board:
        """Read a parcel; points and images become arrays."""
        plain = parcel.plain
        panels = tuple(_panel(each, parcel) for each in plain["panels"])
        return cls(plain["width"], plain["height"], plain.get("ground"), panels)


def _panel(plain: dict[str, Any], parcel: Parcel) -> Panel:
    layers = tuple(Layer(still["name"], _marks(still["marks"], parcel), still["upTo"]) for still in plain["still"])
    moving = _marks(plain["moving"], parcel) or []
    return Panel(plain["name"], _rect(plain["rect"]), _rect(plain["clip"]), layers, moving, plain["lively"])


def _rect(plain: dict[str, float] | None) -> Rect | None:
    return None if plain is None else Rect(plain["x"], plain["y"], plain["w"], plain["h"])


def _marks(marks: list[Mark] | None, parcel: Parcel) -> list[Mark] | None:
    for mark in marks or ():
        if points := mark.get("points"):
            mark["points"] = _points(points, parcel)
        if lines := mark.get("lines"):
            mark["lines"] = [_points(line, parcel) for line in lines]
        if image := mark.get("image"):
            first, wide, high = image
            mark["image"] = parcel.pixels[first : first + 4 * wide * high].reshape(high, wide, 4)
    return marks


def _points(place: list[int], parcel: Parcel) -> Any:
    first, length = place
    return parcel.numbers[first : first + length].reshape(-1, 2)
