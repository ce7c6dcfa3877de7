"""What is said of an instant: the counter, and a sentence as large as fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from kpviz import explain
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.display import Display

_INDENT = 16.0  # pixels of the sentence, from the bar whose colour says how the step went
_BAR = 4.0  # pixels
LARGEST, SMALLEST = 20.0, 11.0  # points of the sentence


@dataclass(frozen=True, eq=False)
class Counter(Display):
    """Which step of the run this is."""

    text: str
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, stream: bool = False, theme: str = "light") -> Counter:
        """Count what is behind."""
        return cls(explain.counter(run, t, stream=stream), theme)

    def frame(self, ax: Axes) -> None:
        """Leave the page as it is."""
        ax.set_axis_off()

    def marks(self, ax: Axes) -> None:
        """Write it on one line, smaller where it is long."""
        wide, high = style.pixels(ax)
        size = style.TEXT * min(0.72 * wide / words.width(self.text, style.TEXT), 1.0)
        style.write(ax, self.text, (0.0, 0.72 * (8 - high)), size, style.colours(self.theme)["quiet"])


@dataclass(frozen=True, eq=False)
class Sentence(Display):
    """What the step did, or what a lecturer says of it.

    Parameters
    ----------
    tone : the colour of the bar beside it.
    largest : the size of type that is not exceeded, in points.
    """

    text: str
    tone: str = "accent"
    theme: str = "light"
    largest: float = LARGEST

    @classmethod
    def of(
        cls,
        run: Run,
        t: int,
        *,
        said: str = "",
        stream: bool = False,
        theme: str = "light",
        largest: float = LARGEST,
    ) -> Sentence:
        """Return the sentence of an instant, or what is `said` in its place."""
        if said:
            return cls(said, "accent", theme, largest)
        tone = "accent" if t == 0 else "warning" if run.mistake[t - 1] else "good"
        return cls(explain.explain(run, t, stream=stream).sentence, tone, theme, largest)

    def frame(self, ax: Axes) -> None:
        """Leave the page as it is."""
        ax.set_axis_off()

    def marks(self, ax: Axes) -> None:
        """Write it from the top, as large as there is room for."""
        paint, (wide, high) = style.colours(self.theme), style.pixels(ax)
        room = 0.72 * (wide - _INDENT)
        text, size = words.fitted(self.text, room, 0.72 * high, largest=self.largest, smallest=SMALLEST)
        lines = text.split("\n")
        for number, line in enumerate(lines):
            down = size * (words.LINE * number + 1.0)
            style.write(ax, line, (0.72 * _INDENT, -down), size, paint["ink"])
        tall = len(lines) * words.LINE * size / (0.72 * high)
        bar: dict[str, Any] = {"facecolor": paint[self.tone], "linewidth": 0.0, "transform": ax.transAxes}
        ax.add_artist(Rectangle((0.0, 1.0 - tall), _BAR / wide, tall, clip_on=False, **bar))
