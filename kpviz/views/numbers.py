"""The table of several runs: one row for each number, one column for each run, and one of scikit-learn's SVC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from kpviz import explain
from kpviz.comparison import Summary
from kpviz.views import style, words
from kpviz.views.display import Display

SO_FAR = ("mistakes so far", "support so far")
AT_THE_END = "at the end:"
_HIGHEST = 25.0  # pixels of a row
_LARGEST, _TYPE = 11.0, 0.52  # points of its type, and as a share of the row's height in pixels
_LEGIBLE = 9.0  # points: where type would be smaller, names of rows are short
_SHORT = {"training error (0 is wrong)": "training error"}
_LAST = 5.0  # pixels from a number to the right end of its column


def whole(value: int) -> str:
    """Write a number of things."""
    return f"{value:,}"


def percent(share: float) -> str:
    """Write a share as the player does, which rounds a half up.

    >>> [percent(share) for share in (0.1225, 0.0, 1.0)]
    ['12.3 %', '0.0 %', '100.0 %']
    """
    return f"{Decimal(100 * share).quantize(Decimal('0.1'), ROUND_HALF_UP)} %"


# Names of the rows at the end; the time of training, which no two runs share, is not in pictures.
ENDS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "mistakes": ("mistakes", whole),
    "epochs": ("epochs", whole),
    "support": ("support", whole),
    "margin": ("margin y·f/‖f‖", explain.number),
    "norm": ("norm ‖f‖", explain.number),
    "train_error": ("training error (0 is wrong)", percent),
    "test_error": ("held-out error", percent),
}
LABELS = (*SO_FAR, AT_THE_END, *(label for label, _ in ENDS.values()))


@dataclass(frozen=True, eq=False)
class Numbers(Display):
    """The columns of the runs in the order of their letters, and that of the SVC.

    Parameters
    ----------
    letters : of each run. mistakes, support : of each run up to now.
    ends : the numbers of each at its end. reference : those of the SVC with this `cost`, None where it has none.
    """

    letters: str
    mistakes: Sequence[int]
    support: Sequence[int]
    ends: Sequence[Summary]
    reference: Summary | None = None
    cost: float = 1.0
    theme: str = "light"

    def frame(self, ax: Axes) -> None:
        """Write the heads, the names of the rows, and what is known of the end."""
        ax.set_axis_off()
        paint = style.colours(self.theme)
        sheet = _Sheet.of(ax, len(self.letters) + (self.reference is not None))
        for row in range(1, len(LABELS), 2):
            band: dict[str, Any] = {"facecolor": paint["panel"], "linewidth": 0.0, "transform": ax.transAxes}
            ax.add_artist(Rectangle((0.0, sheet.share(row + 2)), 1.0, sheet.high / sheet.tall, **band))
        bold: dict[str, Any] = {"fontweight": "bold"}
        for column, letter in enumerate(self.letters):
            sheet.write(ax, letter, 0, column, paint["accent"], **bold)
        if self.reference is not None:
            long = f"SVC, C = {self.cost:g}"
            fits = words.width(long, 1.2 * sheet.size) < 0.72 * (sheet.wide - _LAST)
            sheet.write(ax, long if fits else "SVC", 0, len(self.letters), paint["quiet"], **bold)
        for row, label in enumerate(sheet.names, start=1):
            sheet.write(ax, label, row, None, paint["quiet"], **(bold if label == AT_THE_END else {}))
        for row, texts in enumerate(self.rows, start=1 + len(SO_FAR) + 1):
            for column, text in enumerate(texts):
                sheet.write(ax, text, row, column, paint["ink"])

    def marks(self, ax: Axes) -> None:
        """Write what happened so far."""
        ink = style.colours(self.theme)["ink"]
        sheet = _Sheet.of(ax, len(self.letters) + (self.reference is not None))
        for row, values in enumerate((self.mistakes, self.support), start=1):
            for column, value in enumerate(values):
                sheet.write(ax, whole(value), row, column, ink)

    @property
    def rows(self) -> list[list[str]]:
        """The numbers at the end as they are written, row by row."""
        columns = [*self.ends, *([] if self.reference is None else [self.reference])]
        return [[_shown(getattr(each, key), form) for each in columns] for key, (_, form) in ENDS.items()]


@dataclass(frozen=True)
class _Sheet:
    """How the table lies in its panel, in pixels: `high` is a row, `head` where columns begin, `wide` one of them."""

    high: float
    tall: float
    across: float
    head: float
    wide: float
    size: float
    names: tuple[str, ...]

    @classmethod
    def of(cls, ax: Axes, columns: int) -> _Sheet:
        """Return the places of a table with so many columns."""
        across, tall = style.pixels(ax)
        high = min(tall / (len(LABELS) + 1), _HIGHEST)
        widest = words.width("100.0 %", 1.0) + 0.8  # points of a column, for type of size 1
        for names in (LABELS, tuple(_SHORT.get(name, name) for name in LABELS)):
            longest = max(words.width(name, 1.0) for name in names)
            size = min(_LARGEST, _TYPE * high, 0.72 * (across - 2 * _LAST) / (longest + columns * widest))
            if size > _LEGIBLE:
                break
        head = longest * size / 0.72 + 2 * _LAST
        return cls(high, tall, across, head, (across - head) / columns, size, names)

    def share(self, row: int) -> float:
        """Return the upper edge of a row as a share of the panel's height; row 0 has the heads."""
        return 1.0 - row * self.high / self.tall

    def write(self, ax: Axes, text: str, row: int, column: int | None, colour: str, **font: Any) -> None:
        """Write a cell; `column` is None for the name of the row."""
        right = self.head + (0 if column is None else column + 1) * self.wide - _LAST
        x = _LAST if column is None else right
        place: dict[str, Any] = {"ha": "left" if column is None else "right", "va": "center_baseline"}
        place |= {"fontsize": style.pen(self.size), "parse_math": False, "transform": ax.transAxes}
        y = self.share(row) - 0.5 * self.high / self.tall
        ax.text(x / self.across, y, text, color=colour, **place, **font)


def _shown(value: Any, form: Callable[[Any], str]) -> str:
    return "–" if value is None else form(value)
