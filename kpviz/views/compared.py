"""Where the panels lie while several runs stand side by side: a map for each, what they say, the table, a timeline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kpviz.views.page import Box, Page

_LEFT, _EDGE, _TOP = 54.0, 22.0, 14.0  # pixels of the page: the numbers of the first map, and about the page
_GAP = 16.0  # between two maps
_CAPTION, _AXIS = 30.0, 24.0  # above a map, and the numbers below it
_TITLE, _NAMES = 34.0, 20.0  # of the panel below a map: its title, and the names of its columns
_UNDER = {False: 84.0, True: 120.0}  # that panel's least height, and that of a stream's course
_BESIDE = 16.0  # between the maps and what is said
_SHARE = 0.67  # of a wide page, at most, that the maps get
_WORDS = 330.0  # the words beside the maps of a page that is not wide
_RATHER = 1.15  # words stand beside the maps of a wide page unless these are so many times larger above them
_BROAD = 2.2  # width over height from which what four runs say stands in two columns
_SAID, _COUNTED = 104.0, 26.0  # of each run: what it says, and its counter alone
_BELOW = 78.0  # what each says, below the maps
_TABLE = 232.0  # the table's least height
_NUMBERS, _STRIP, _LANE, _EPOCHS = 30.0, 44.0, 14.0, 26.0  # below, of and above the timeline; each run adds a lane
_FEW = 4  # so many maps leave no room for a panel below each
_MORE = 1.6  # times its least height, at most, that this panel gets


@dataclass(frozen=True)
class Compared(Page):
    """A page of any size in inches with a map for each run, the current one last.

    Parameters
    ----------
    runs : how many there are, from two to four.
    under : the panel below each map where there is room: "alpha", of a stream "margins"; "" for none.
    """

    runs: int = 2
    under: str = ""

    @property
    def floor(self) -> float:
        """The part of the timeline's height that the lanes take."""
        return _LANE * self.runs / self._strip

    @property
    def said_columns(self) -> int:
        """In how many columns stands what the runs say."""
        box = self.boxes["sayings"]
        return 2 if self.runs == _FEW and box.width > _BROAD * box.height else 1

    @cached_property
    def boxes(self) -> dict[str, Box]:
        """The panels by name: those of a pinned run end with its number, those of the current run are as on a board."""
        width, height = (100 * side / self.scale for side in self.size)
        area = Box(_LEFT, 0.0, width - _LEFT - _EDGE, height - _NUMBERS - self._strip - _EPOCHS)
        words = (1 - _SHARE) * area.width if self.wide else _WORDS
        beside, above = self._in_columns(area, words), self._in_rows(area)
        rather = _RATHER if self.wide else 1.0
        found = beside if beside["map"].width * rather > above["map"].width else above
        found["timeline"] = Box(_LEFT, height - _NUMBERS - self._strip, area.width, self._strip)
        return {name: Box(box.left, height - box.top, box.width, box.height) for name, box in found.items()}

    # In what follows pixels count from the top: the `bottom` of a box is its upper edge.

    @property
    def _strip(self) -> float:
        return _STRIP + _LANE * self.runs

    @property
    def _said(self) -> float:
        """How much height a run needs for what it says."""
        return _SAID if self.words else _COUNTED

    def _suffix(self, k: int) -> str:
        return "" if k == self.runs - 1 else f"-{k}"

    def _side(self, columns: int, width: float, height: float) -> float:
        """Return how large the maps may be in so many columns."""
        rows = -(-self.runs // columns)
        below = self._panel if rows == 1 else 0.0
        return min((width - _GAP * (columns - 1)) / columns, (height - below) / rows - _CAPTION - _AXIS)

    @property
    def _panel(self) -> float:
        return _TITLE + _UNDER[self.under == "margins"] + _NAMES if self.under and self.runs < _FEW else 0.0

    def _in_columns(self, area: Box, words: float) -> dict[str, Box]:
        """What the runs say, and below it the table, beside the maps."""
        room = area.width - words - _BESIDE
        high = area.height - _TOP
        columns = 2 if self._side(2, room, high) > self._side(self.runs, room, high) else self.runs
        side = self._side(columns, room, high)
        found = self._maps(columns, side, area.left, _TOP, high)
        left = area.left + columns * (side + _GAP) - _GAP + _BESIDE + _EDGE
        wide = area.left + area.width - left
        said = min(self._said * self.runs, 0.5 * high)
        found["sayings"] = Box(left, _TOP, wide, said)
        found["table"] = Box(left, _TOP + said + _GAP, wide, high - said - _GAP)
        return found

    def _in_rows(self, area: Box) -> dict[str, Box]:
        """The maps above what the runs say and the table, which are side by side where there is room."""
        high = area.height - _TOP - _GAP
        columns = self.runs if self._low else 2
        need = self._needed
        side = self._side(columns, area.width, high - need)
        rows = -(-self.runs // columns)
        each = side + _CAPTION + _AXIS
        free = high - need - rows * each
        below = min(free, _MORE * self._panel) if rows == 1 and self._panel else 0.0
        across = columns * (side + _GAP) - _GAP
        left = area.left + (area.width - across) / 2
        found = self._maps(columns, side, left, _TOP, rows * each + below)
        top = _TOP + rows * each + below + (free - below) / 2 + _GAP
        rest = Box(area.left, top, area.width, area.height - top)
        if self._in_grid:
            found["sayings"] = Box(left + side + _GAP, _TOP + each, side, side + _CAPTION)
            return {**found, "table": rest}
        return found | self._told(rest)

    @property
    def _low(self) -> bool:
        """Whether there is room for all maps in a row, and for words and table side by side."""
        return self.wide or self.square

    @property
    def _in_grid(self) -> bool:
        """Whether what the runs say has the fourth place of two rows of two maps."""
        return not self._low and self.runs == _FEW - 1

    @property
    def _needed(self) -> float:
        """How much height what is below the maps needs."""
        in_two = self.runs == _FEW
        said = (_BELOW if self.words else _COUNTED) * self.runs / (2 if in_two else 1)
        if self._low:
            return max(said, _TABLE)
        return _TABLE if self._in_grid else said + _GAP + _TABLE

    def _told(self, rest: Box) -> dict[str, Box]:
        """What the runs say and the table, side by side or one above the other."""
        if self._low:
            each = rest.width / 2 - _GAP
            sayings = Box(rest.left, rest.bottom, each, rest.height)
            return {"sayings": sayings, "table": Box(rest.left + each + 2 * _GAP, rest.bottom, each, rest.height)}
        said = (rest.height - _GAP) * (self._needed - _GAP - _TABLE) / (self._needed - _GAP)
        table = Box(rest.left, rest.bottom + said + _GAP, rest.width, rest.height - said - _GAP)
        return {"sayings": Box(rest.left, rest.bottom, rest.width, said), "table": table}

    def _maps(self, columns: int, side: float, left: float, top: float, high: float) -> dict[str, Box]:
        """Return captions, maps, and the panels below them, in so many columns and what they are high."""
        found = {}
        rows = -(-self.runs // columns)
        each = side + _CAPTION + _AXIS
        below = high - each - _TITLE - _NAMES if self._panel and rows == 1 else 0.0
        slack = 0.0 if below else max(high - rows * each, 0.0) / 2
        for k in range(self.runs):
            x, y = left + (k % columns) * (side + _GAP), top + slack + (k // columns) * each
            found[f"caption{self._suffix(k)}"] = Box(x, y, side, _CAPTION)
            found[f"map{self._suffix(k)}"] = Box(x, y + _CAPTION, side, side)
            if below:
                found[f"{self.under}{self._suffix(k)}"] = Box(x, y + each + _TITLE, side, below)
        return found
