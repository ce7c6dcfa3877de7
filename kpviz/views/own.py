"""What is particular to the learner: the parts that it asks for (`About.parts`), one below the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from kpviz import explain
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.parts import Ages, Curve, Line, Pair, Part

KINDS: dict[str, Any] = {"ages": Ages, "line": Line, "pair": Pair, "curve": Curve}
_LABEL, _BELOW = 17.0, 5.0  # pixels: the line above a part, the gap below it
_BOLD = 1.3  # times as wide as plain type, at most


@dataclass(frozen=True, eq=False)
class Own(Display):
    """A title and the parts below it, each with its label and the number of the instant."""

    title: str
    parts: tuple[Part, ...]
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, t: int, *, theme: str = "light") -> Own:
        """Read the parts of an instant; a learner may have none."""
        about = explain.about_of(run)
        return cls(about.panel, tuple(KINDS[part.kind].of(run, t, part, theme=theme) for part in about.parts), theme)

    def frame(self, ax: Axes) -> None:
        """Give each part its axes, as high as the others."""
        style.panel(ax, self.theme, self.title)
        ax.set_axis_off()
        high = style.pixels(ax)[1]
        each = 1.0 / max(len(self.parts), 1)
        label, below = (min(size / high, each / 3) for size in (_LABEL, _BELOW))
        for k, part in enumerate(self.parts):
            top, gap = 1.0 - k * each, below if k + 1 < len(self.parts) else 0.0
            inner = ax.inset_axes((0.0, top - each + gap, 1.0, each - label - gap))
            style.panel(inner, self.theme)
            part.frame(inner)
            inner.set(xticks=[], yticks=[])

    def marks(self, ax: Axes) -> None:
        """Draw the parts, and above each its label and number."""
        inner: list[Any] = ax.child_axes
        for k, (part, below) in enumerate(zip(self.parts, inner, strict=True)):
            part.marks(below)
            self._draw_label(ax, part, 1.0 - k / len(self.parts))

    def _draw_label(self, ax: Axes, part: Part, top: float) -> None:
        paint, wide = style.colours(self.theme), 0.72 * style.pixels(ax)[0]
        place: dict[str, Any] = {"transform": ax.transAxes, "va": "top", "parse_math": False}
        strong: dict[str, Any] = {"color": paint["ink"], "fontweight": "bold", "fontsize": "small"}
        ax.text(1.0, top, part.value, ha="right", **place, **strong)
        room = wide - _BOLD * words.width(part.value, style.SMALL) - style.SMALL
        size = style.SMALL * min(room / words.width(part.label, style.SMALL), 1.0)
        ax.text(0.0, top, part.label, color=paint["quiet"], fontsize=style.pen(size), **place)
