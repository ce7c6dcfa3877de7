"""Where the panels of a board lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from matplotlib.axes import Axes
from matplotlib.figure import Figure

PANELS = ("alpha", "own", "margins")  # those that can be left out
ASKED = ("gram", "lift", "remembered")  # those that are there only when they are asked for, or without a plane
TOLD = ("code", "bound", "readings", "primal", "sequence")  # words and numbers, only when they are asked for
ALL = (*PANELS, *ASKED, *TOLD)


def usual(*, plane: bool) -> tuple[str, ...]:
    """Return the panels that are shown unless one chooses others: those of the player (`usual` of layout.js).

    >>> usual(plane=False)
    ('alpha', 'own', 'margins', 'gram', 'remembered')
    """
    return PANELS if plane else (*PANELS, "gram", "remembered")


# Pixels of a page of 1280 x 720, which every page is a multiple of, wider or higher; pages that are not wider than
# high have a width of their own.
WIDE, HIGH = 1280.0, 720.0
_SQUARE, _UPRIGHT = 960.0, 720.0
_EDGE = 40.0
_LEFT = 84.0  # of the map: its axis' name and numbers
_BETWEEN = 124.0  # map and right column: the colour bar with its numbers
_COLUMN = 420.0  # the right column is at least as wide
_TOP, _MAP_BOTTOM = 50.0, 180.0
_TIMELINE = (42.0, 62.0)  # bottom and height
_VOTES = (10.0, 27.0, 30.0)  # below it, with the readings: bottom and height, and how much higher all else is
_TITLE, _NAMES = 0.065, 0.07  # a panel's title, and alpha's names below it, as shares of the map's height
# Heights of the right column's panels as shares of the map's, where all are there.
_USUAL = {"remembered": 0.8, "lift": 0.8, "gram": 0.8, "margins": 0.235, "alpha": 0.29, "sentence": 0.265}
_WITH_OWN = {
    "remembered": 0.7,
    "lift": 0.7,
    "gram": 0.7,
    "margins": 0.135,
    "own": 0.24,
    "alpha": 0.14,
    "sentence": 0.24,
}
_STACK = 0.99  # of the map's height
# Of pages that are not wide, in their pixels.
_COUNTER, _SAID = 64.0, 0.11  # the words above the map: from the page's top, and a share of its height
_WORDS = 280.0  # the words beside the map are at least as wide
_HEADING, _UNDER = 36.0, 60.0  # the map's title, and its axis below it
_ABOVE, _BELOW, _GAP = 36.0, 30.0, 60.0  # a panel's title, its names, and what is between two in a row
_LEAST = {
    "alpha": 60.0,
    "margins": 60.0,
    "own": 110.0,
    "gram": 160.0,
    "lift": 160.0,
    "remembered": 200.0,
    "code": 130.0,
    "bound": 130.0,
    "readings": 190.0,
    "primal": 190.0,
    "sequence": 90.0,
}
_SMALLEST = 260.0  # the map is at least as large where there are many panels
_LOW = 260.0  # so high are those that need width at least where there is none
_MORE = 80.0  # a panel is at most as much higher, while the map may still grow
# Where two of the panels that need width as well are shown: beside the map, in pixels.
_PAIR, _SINGLE = 624.0, 584.0  # of two columns, and of one
_BROAD = 1.55  # width over height from which there are two
_SENTENCE = (78.0, 0.13)  # its least height, and as a share of what is beside the map
_LETTERED = 400.0  # px of a column in which a learner's own panel has letters of full size, and so needs its height
_FIRST = 0.42  # of two columns, the share of the first
_NAMED = ("alpha", "margins", "own")  # panels with names or numbers below them
_SHARES = {
    "alpha": 1.0,
    "own": 1.7,
    "gram": 2.4,
    "margins": 1.0,
    "lift": 3.4,
    "remembered": 3.2,
    "code": 2.3,
    "bound": 1.9,
    "readings": 2.6,
    "primal": 2.6,
    "sequence": 1.3,
}  # in their order
_ONE_COLUMN = 3  # so many panels have room in one
_ROOM, _TIGHT = 16.0, 0.5  # px of the lowest panel, and of one of words a share of its least: below, it says nothing


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
    """A page of any size in inches with the panels of `shown`, and the sentence if there are `words`."""

    size: tuple[float, float]
    shown: tuple[str, ...] = PANELS
    words: bool = True

    @property
    def wide(self) -> bool:
        """Whether there is room for a column beside the map."""
        return self.size[0] >= 1.2 * self.size[1]

    @property
    def square(self) -> bool:
        """Whether there is room for two panels in a row, but not for a column beside the map."""
        return not self.wide and self.size[0] > 0.62 * self.size[1]

    @property
    def scale(self) -> float:
        """How much larger than usual marks and type are."""
        if self.wide:
            return min(self.size[0] / WIDE, self.size[1] / HIGH) * 100
        return self.size[0] / (_SQUARE if self.square else _UPRIGHT) * 100

    @classmethod
    def fitting(cls, size: tuple[float, float], shown: tuple[str, ...], words: bool = True) -> Page:
        """Return a page with as many of the panels, in their order, as there is room for."""
        page = cls(size, shown, words)
        while page.shown and not page._has_room:
            last = next(name for name in reversed(_SHARES) if name in page.shown)
            page = cls(size, tuple(name for name in page.shown if name != last), words)
        return page

    @property
    def _has_room(self) -> bool:
        least = {name: _TIGHT * _LEAST[name] if name in TOLD else _ROOM for name in self.shown}
        return all(min(self.boxes[name].width, self.boxes[name].height) >= high for name, high in least.items())

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The panels by name; where a page is too high for its width, what is left over is free above and below."""
        found = self._beside() if self.wide else self._below()
        if "readings" in self.shown:
            strip = found["timeline"]
            found["votes"] = Box(strip.left, _VOTES[0], strip.width, _VOTES[1])
        return found

    @property
    def crowded(self) -> bool:
        """Whether there are panels of words, or two that need width as well as height."""
        return self._square > 1 or any(name in TOLD for name in self.shown)

    @property
    def _foot(self) -> float:
        """How high the votes lift all that is above them."""
        return _VOTES[2] if "readings" in self.shown else 0.0

    @property
    def _square(self) -> int:
        return sum(name in ASKED for name in self.shown)

    def _beside(self) -> dict[str, Box]:
        if self.crowded:
            return self._beside_columns()
        width, height = (100 * side / self.scale for side in self.size)
        side = min(height - _TOP - _MAP_BOTTOM, width - _LEFT - _BETWEEN - _COLUMN - _EDGE)
        bottom = _MAP_BOTTOM + (height - _TOP - _MAP_BOTTOM - side) / 2
        left = _LEFT + side + _BETWEEN
        column = width - left - _EDGE
        stack = {
            name: Box(left, bottom + at * side, column, share * side) for name, (at, share) in self._shares().items()
        }
        return {
            **_map(_LEFT, bottom, side),
            "counter": Box(left, bottom + side, column, 28),
            **stack,
            "timeline": Box(_LEFT, bottom - _MAP_BOTTOM + _TIMELINE[0], width - _LEFT - _EDGE, _TIMELINE[1]),
        }

    def _beside_columns(self) -> dict[str, Box]:
        """The words above one or two columns, a smaller map, and alpha below it where there is room."""
        width, height = (100 * side / self.scale for side in self.size)
        names = [name for name in _SHARES if name in self.shown]
        many = self._square > 1 or len(names) > _ONE_COLUMN
        foot = _MAP_BOTTOM + self._foot
        room, broad = height - _TOP - foot, many and width > _BROAD * height
        side = min(room, width - _LEFT - _BETWEEN - _EDGE - (_PAIR if broad else _SINGLE))
        left = _LEFT + side + _BETWEEN
        column, top = width - left - _EDGE, height - _TOP
        said = max(_SENTENCE[0], _SENTENCE[1] * room) if self.words else 0.0
        boxes = {
            **_map(_LEFT, top - side, side),
            "counter": Box(left, top, column, 28),
            "sentence": Box(left, top - said, column, said),
            "timeline": Box(_LEFT, _TIMELINE[0] + self._foot, width - _LEFT - _EDGE, _TIMELINE[1]),
        }
        under = Box(_LEFT, foot, side, room - side - _UNDER)
        most = max(int((under.height + _BELOW) // (_ABOVE + _LEAST["alpha"] + _BELOW)), 0)
        below = [name for name in ("alpha", "margins") if name in names][:most]
        boxes |= _stacked(below, under)
        beside = Box(left, foot, column, top - said - foot)
        return boxes | _columns([name for name in names if name not in below], beside, two=broad)

    def _shares(self) -> dict[str, tuple[float, float]]:
        """Bottom and height of the panels beside the map, from the lowest to the highest, as shares of its height."""
        own = "own" in self.shown
        heights = {
            name: high
            for name, high in (_WITH_OWN if own else _USUAL).items()
            if name in self.shown or (name == "sentence" and self.words)
        }
        names = 0.0 if "alpha" not in heights else 0.045 if own else _NAMES
        first = next(iter(heights), "")
        lowest = first == "alpha"
        numbers = _NAMES if "margins" in heights and first != "margins" else 0.0  # where there is a panel below them
        free = _STACK - _TITLE * (len(heights) - self.words) - names - numbers
        taller = free / max(sum(heights.values()), 1e-9)
        at, stack = names if lowest else 0.0, {}
        for name, high in heights.items():
            at += names if name == "alpha" and not lowest else numbers if name == "margins" else 0.0
            stack[name] = (at, taller * high)
            at += taller * high + _TITLE
        return stack

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The panels below the map, in rows."""
        low, high = (
            [name for name in names if name in self.shown] for names in (("alpha", "margins", "own"), (*ASKED, *TOLD))
        )
        if self.crowded:
            return (*_rows(low, 3 if self.square else 2), *_rows(high, 2))
        return _rows([*low, *high], 2 if self.square else 1)

    @property
    def words_above(self) -> bool:
        """Whether the words are above the map, which they are unless the map is larger with words beside it."""
        return not self.wide and 1.1 * self._largest(above=True) >= self._largest(above=False)

    def _largest(self, *, above: bool) -> float:
        """Return how large the map of a page that is not wide may be, with words above or beside it."""
        width, room = 100 * self.size[0] / self.scale, self._room(above=above)
        beside = 0.0 if above else _WORDS + _EDGE
        return min(width - _LEFT - _BETWEEN - beside, room - sum(self._needs()))

    def _room(self, *, above: bool) -> float:
        """Return how high map and rows may be together."""
        height = 100 * self.size[1] / self.scale
        words = _COUNTER + _SAID * height + _HEADING if above else _TOP
        return height - words - _UNDER - sum(_TIMELINE) - self._foot - _ABOVE

    def _needs(self) -> list[float]:
        """Return the heights that the rows have at least, lower ones where they would leave no room for the map."""
        narrow = self.crowded and not self.square
        least = {name: _LOW if narrow and name in (*ASKED, *TOLD) else high for name, high in _LEAST.items()}
        needs = [max(least[name] for name in row) + _ABOVE + _BELOW for row in self.rows]
        lower = min((self._room(above=False) - _SMALLEST) / max(sum(needs), 1.0), 1.0) if self.crowded else 1.0
        return [lower * need for need in needs]

    def _below(self) -> dict[str, Box]:
        """Words above the map or beside it, the other panels in rows below it."""
        width, height = (100 * side / self.scale for side in self.size)
        above = self.words_above
        side, needs = self._largest(above=above), self._needs()
        free = self._room(above=above) - side - sum(needs)
        more = min(free / max(len(needs), 1), _MORE)
        bottom = sum(_TIMELINE) + self._foot + _ABOVE + sum(needs) + more * len(needs) + _UNDER
        bottom += (free - more * len(needs)) / 2
        boxes = {"timeline": Box(_LEFT, _TIMELINE[0] + self._foot, width - _LEFT - _EDGE, _TIMELINE[1])}
        if above:
            said = _SAID * height
            boxes |= _map((width - side - _BETWEEN + _LEFT) / 2, bottom, side)
            boxes["counter"] = Box(_EDGE, height - _COUNTER, width - 2 * _EDGE, 28)
            boxes["sentence"] = Box(_EDGE, height - _COUNTER - said, width - 2 * _EDGE, said)
        else:
            left = _LEFT + side + _BETWEEN
            boxes |= _map(_LEFT, bottom, side)
            boxes["counter"] = Box(left, bottom + side, width - left - _EDGE, 28)
            boxes["sentence"] = Box(left, bottom, width - left - _EDGE, _STACK * side)
        top = bottom - _UNDER
        for row, need in zip(self.rows, needs, strict=True):
            top -= need + more
            boxes |= self._across(row, top + _BELOW, need + more - _ABOVE - _BELOW)
        return boxes

    def _across(self, row: tuple[str, ...], bottom: float, high: float) -> dict[str, Box]:
        """Return panels side by side."""
        width = 100 * self.size[0] / self.scale - _LEFT - _EDGE
        each = (width - _GAP * (len(row) - 1)) / len(row)
        return {name: Box(_LEFT + k * (each + _GAP), bottom, each, high) for k, name in enumerate(row)}

    def axes(self, figure: Figure, name: str) -> Axes:
        """Put a panel's axes on the figure."""
        box = self.boxes[name]
        return figure.add_axes((*self.place(box.left, box.bottom), *self.place(box.width, box.height)), label=name)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return pixels as parts of the page."""
        return x * self.scale / 100 / self.size[0], y * self.scale / 100 / self.size[1]

    @staticmethod
    def points(pixels: float) -> float:
        """Return pixels of a usual page as points, the unit of type."""
        return 0.72 * pixels


def _rows(names: Sequence[str], each: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(names[k : k + each]) for k in range(0, len(names), each))


def _columns(names: Sequence[str], within: Box, *, two: bool) -> dict[str, Box]:
    """Return panels in one column or two."""
    second = {"remembered", *TOLD} | ({"lift"} if "gram" in names else set())  # of the two columns
    first, other = (sum(_SHARES[name] for name in names if (name in second) == it) for it in (False, True))
    second |= {"margins"} if first >= other else set()
    right = [name for name in names if name in second]
    left = [name for name in names if name not in right]
    if not (two and left and right):
        return _stacked(names, within)
    free = within.width - _GAP
    narrow = Box(within.left, within.bottom, _FIRST * free, within.height)
    rest = Box(narrow.left + narrow.width + _GAP, within.bottom, free - narrow.width, within.height)
    return _stacked(left, narrow) | _stacked(right, rest)


def _stacked(names: Sequence[str], within: Box) -> dict[str, Box]:
    """Return panels below each other, each with its title above it and its names below it, but for the last."""
    below = [_BELOW if name in _NAMED else 0.0 for name in names]
    free = within.height - sum(below[:-1]) - _ABOVE * len(names)
    shares = {name: _SHARES[name] for name in names}
    if "own" in names and within.width > _LETTERED:
        others = sum(shares.values()) - shares["own"]
        shares["own"] = max(shares["own"], others * _LEAST["own"] / max(free - _LEAST["own"], _LEAST["own"]))
    every = sum(shares.values())
    top, found = within.top, {}
    for name, under in zip(names, below, strict=True):
        high = free * shares[name] / every
        found[name] = Box(within.left, top - _ABOVE - high, within.width, high)
        top -= _ABOVE + high + under
    return found


def _map(left: float, bottom: float, side: float) -> dict[str, Box]:
    return {"map": Box(left, bottom, side, side), "scale": Box(left + side + 14, bottom, 14, side)}
