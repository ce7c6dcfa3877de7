"""The learner's rule as pseudo-code, with the line that the step has come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from kpviz import explain, tokens
from kpviz.engine.run import Run
from kpviz.views import style
from kpviz.views.display import Display

TITLE = "The rule"
_LARGEST = 15.5  # px of the type, beside a title of 12 points
_LETTER = 0.602  # width of a letter of this type, in its size
_ROW, _LOWEST = 1.75, 1.4  # height of a line, in sizes of the type, and where there is little room
_MIDDLE = 0.375  # of those, from the middle of a line down to what it stands on
_LEFT, _EDGE, _BAR = 12.0, 8.0, 3.0  # px: before the lines, about them, and the bar at the active one


@dataclass(frozen=True, eq=False)
class Code(Display):
    """Lines of pseudo-code, one of them active.

    Parameters
    ----------
    lines : of the rule. line : the active one. live : the numbers of the step, "" before the first.
    """

    lines: tuple[str, ...]
    line: int = 0
    live: str = ""
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, stream: bool = False, theme: str = "light") -> Code:
        """Read the rule, and where it is at an instant; `stream` says that the examples come only once."""
        line = explain.explain(run, t, stream=stream).line
        return cls(explain.code(run, stream=stream), line, explain.live(run, t), theme)

    def frame(self, ax: Axes) -> None:
        """Draw ground and title."""
        style.panel(ax, self.theme, TITLE)
        wide, high = style.pixels(ax)
        ax.set(xlim=(0.0, wide), ylim=(high, 0.0), xticks=[], yticks=[])

    def marks(self, ax: Axes) -> None:
        """Draw the lines, the active one lit, and the numbers of the step below the last."""
        paint, wide = style.colours(self.theme), style.pixels(ax)[0]
        _, row = self.type(ax)
        for width, colour in ((wide, "paper"), (_BAR, "accent")):
            place = (0.0, _EDGE + row * self.line)
            ax.add_artist(Rectangle(place, width, row, facecolor=paint[colour], linewidth=0.0))
        for number, text in enumerate(self.lines):
            on = number == self.line
            self._write(ax, number, text, paint["ink" if on else "quiet"], fontweight="bold" if on else "normal")
        self._write(ax, len(self.lines), self.live, paint["accent"])

    def type(self, ax: Axes) -> tuple[float, float]:
        """Return the size of the type and the height of a line, in px: none is cut, and one is left for the numbers."""
        wide, high = style.pixels(ax)
        longest = max(*map(len, self.lines), 1)
        across = (wide - _LEFT - _EDGE) / (_LETTER * longest)
        room = (high - 2 * _EDGE) / (len(self.lines) + 1)
        size = min(_LARGEST, across, room / _LOWEST)
        return size, min(_ROW * size, room)

    def _write(self, ax: Axes, number: int, text: str, colour: str, **paint: Any) -> None:
        size, row = self.type(ax)
        family = [tokens.FONTS["figure_code"], tokens.FONTS["figure"]]
        how: dict[str, Any] = {"fontsize": style.pen(0.72 * size), "family": family, "parse_math": False, **paint}
        base = _EDGE + row * (number + 0.5) + _MIDDLE * size
        ax.text(_LEFT, base, text, color=colour, va="baseline", **how)
