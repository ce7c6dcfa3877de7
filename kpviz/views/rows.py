"""Panels of words and numbers: lines of type, and parts of such lines that stand below each other as there is room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from matplotlib.axes import Axes

from kpviz.views import style, words

EDGE = 9.0  # px within the panel
LINE, APART = 1.36, 0.45  # of a line, and between parts, in sizes of the type
_BOLD = 1.15  # times as wide as plain type, at most

# Draws something below a height, in pixels from the panel's upper edge, in so many lines.
Draw = Callable[[float, float], None]


@dataclass(frozen=True)
class Phrase:
    """A line of words, and how it is written; `gid` names what it is."""

    text: str
    gid: str = ""
    colour: str = "ink"
    bold: bool = False


def nothing(top: float, rows: float) -> None:
    """Draw nothing."""


@dataclass(frozen=True)
class Part:
    """Some lines of a panel, left out where there is no room for the `least` of them.

    `still` draws what no instant changes, `moving` the rest.
    """

    least: float
    rows: float
    still: Draw = nothing
    moving: Draw = nothing


@dataclass(frozen=True)
class Pen:
    """Writes on axes that have pixels from the upper left corner: `size` is that of the type, `wide` that of lines."""

    ax: Axes
    size: float
    wide: float
    paint: dict[str, str]

    @property
    def line(self) -> float:
        """The height of a line."""
        return LINE * self.size

    def base(self, top: float, row: float) -> float:
        """Return the baseline of a row below `top`."""
        return top + self.line * (row + 0.8)

    def width(self, text: str, *, bold: bool = False) -> float:
        """Return how wide a text is, in pixels."""
        return words.width(text, 0.72 * self.size) / 0.72 * (_BOLD if bold else 1.0)

    def write(self, x: float, base: float, phrase: Phrase, *, scale: float = 1.0, **more: Any) -> None:
        """Write a phrase so many pixels from the left; one that is seldom the same again, `anew`, word by word."""
        look: dict[str, Any] = {"color": self.paint[phrase.colour], "gid": phrase.gid or None}
        look |= {"fontsize": style.pen(0.72 * self.size * scale), "fontweight": "bold" if phrase.bold else "normal"}
        if more.pop("anew", False):
            style.row(self.ax, EDGE + x, base, phrase.text, **look, **more)
        else:
            self.ax.text(EDGE + x, base, phrase.text, va="baseline", parse_math=False, **look, **more)

    def wrapped(self, *phrases: Phrase) -> list[Phrase]:
        """Return phrases in lines that fit."""
        found = []
        for phrase in phrases:
            room = 0.72 * self.wide / (_BOLD if phrase.bold else 1.0)
            lines = words.wrapped(phrase.text, 0.72 * self.size, room).split("\n") if phrase.text else []
            found += [replace(phrase, text=line) for line in lines]
        return found

    def write_all(self, lines: Sequence[Phrase], top: float, *, anew: bool = False) -> None:
        """Write lines below each other."""
        for k, phrase in enumerate(lines):
            self.write(0.0, self.base(top, k), phrase, anew=anew)

    def said(self, *phrases: Phrase) -> Part:
        """Return phrases that stay as they are, shown whole or not at all."""
        lines = self.wrapped(*phrases)
        return Part(len(lines), len(lines), lambda top, rows: self.write_all(lines, top))
