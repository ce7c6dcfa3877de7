"""What happened in each of several runs in this step, one below the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.saying import Counter, Sentence

LARGEST, SMALLEST = 15.0, 8.5  # points of the sentences
_INDENT, _BAR = 14.0, 4.0  # pixels: of the sentence, from the bar whose colour says how the step went
_LETTER = 16.0  # pixels from the letter to the counter
_LINE = 18.0  # pixels from counter to counter where a sentence stands below all of them
_HEAD, _FOOT, _BETWEEN = 20.0, 10.0, 24.0  # pixels: of the counter, below a sentence, between two columns


@dataclass(frozen=True, eq=False)
class Sayings(Display):
    """Each run's letter and counter, and below them its sentence, if there is one.

    Parameters
    ----------
    letters : of each run. counters, sentences : of each run; `sentences` is empty where none is shown, and one that
        is said of all runs is the only one: it stands below all counters.
    columns : in how many columns they stand.
    """

    letters: str
    counters: Sequence[Counter]
    sentences: Sequence[Sentence]
    columns: int = 1
    theme: str = "light"

    @property
    def still(self) -> Hashable:
        """What the frame depends on: where the letters stand."""
        return self._alone

    @property
    def _alone(self) -> bool:
        """Whether a sentence is said of all runs."""
        return len(self.sentences) == 1 < len(self.letters)

    def frame(self, ax: Axes) -> None:
        """Leave the page as it is, with the letters."""
        ax.set_axis_off()
        for k, letter in enumerate(self.letters):
            x, y, _, _ = self._place(ax, k)
            bold: dict[str, Any] = {"fontweight": "bold", "fontsize": "small", "va": "baseline"}
            by = (0.72 * x, -0.72 * (y + 13.0))
            style.beside(
                ax, letter, (0.0, 1.0), by, transform=ax.transAxes, color=style.colours(self.theme)["accent"], **bold
            )

    def marks(self, ax: Axes) -> None:
        """Write the counters, and the sentences, each as large as there is room for."""
        quiet = style.colours(self.theme)["quiet"]
        for k, counter in enumerate(self.counters):
            x, y, wide, _ = self._place(ax, k)
            size = style.SMALL * min(0.72 * (wide - _LETTER) / words.width(counter.text, style.SMALL), 1.0)
            style.write(ax, counter.text, (0.72 * (x + _LETTER), -0.72 * (y + 13.0)), size, quiet)
        if self._alone:
            across, tall = style.pixels(ax)
            down = _LINE * (self._rows - 1)
            self._write(ax, self.sentences[0], 0.0, down, across, tall - down)
            return
        for k, sentence in enumerate(self.sentences):
            self._write(ax, sentence, *self._place(ax, k))

    def _write(self, ax: Axes, sentence: Sentence, x: float, y: float, wide: float, high: float) -> None:
        """Write a sentence below its counter, with a bar beside it."""
        paint, (across, tall) = style.colours(self.theme), style.pixels(ax)
        room = 0.72 * (high - _HEAD - _FOOT)
        text, size = words.fitted(
            sentence.text, 0.72 * (wide - _INDENT), room, largest=min(LARGEST, room / words.LINE), smallest=SMALLEST
        )
        lines = text.split("\n")
        for number, line in enumerate(lines):
            down = 0.72 * (y + _HEAD) + size * (words.LINE * number + 1.0)
            style.write(ax, line, (0.72 * (x + _INDENT), -down), size, paint["ink"])
        bar = len(lines) * words.LINE * size / 0.72
        corner = x / across, 1.0 - (y + _HEAD + bar) / tall
        fill: dict[str, Any] = {"facecolor": paint[sentence.tone], "linewidth": 0.0, "transform": ax.transAxes}
        ax.add_artist(Rectangle(corner, _BAR / across, bar / tall, clip_on=False, **fill))

    def _place(self, ax: Axes, k: int) -> tuple[float, float, float, float]:
        """Return where a run stands, in pixels from the upper left corner, and how wide and high its place is."""
        across, tall = style.pixels(ax)
        wide = (across - _BETWEEN * (self.columns - 1)) / self.columns
        each = _LINE if self._alone else tall / self._rows
        return (k % self.columns) * (wide + _BETWEEN), (k // self.columns) * each, wide, each

    @property
    def _rows(self) -> int:
        return -(-len(self.letters) // self.columns)
