"""What the map shows of a stream: the last arrivals, what is kept in memory, and how the target has turned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.patches import Ellipse
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine import scales
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style
from kpviz.views.display import Display
from kpviz.views.points import Points, draw_marks

_RADIUS = 19.0  # pixels of the dial
_ASIDE, _ABOVE = 12.0, 48.0  # pixels from the map's edges to the dial; below its words the map may say something
_WORDS = 34.0  # pixels from the map's lower edge to the words below the dial


@dataclass(frozen=True, eq=False)
class Arrivals(Points):
    """Of all examples of a stream those that are seen at an instant; `level` is 1 for those in memory, else 0.

    Parameters
    ----------
    memory : indices of those in memory that came earlier than lately, hollow.
    weight : of each, how opaque it is.
    lately : indices of the last arrivals, the newest last.
    age : of each, how opaque it is.
    """

    memory: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    weight: FloatArray = field(default_factory=lambda: np.zeros(0))
    lately: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    age: FloatArray = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def of_stream(cls, run: Run, t: int, *, theme: str = "light") -> Arrivals:
        """Read what is seen at an instant; a memory that weighs next to nothing is not."""
        look, alpha = tokens.STREAM, run.state_at(t).alpha
        share = np.abs(alpha) / scales.alpha_scale(run).high if not scales.counts(run) else (alpha != 0).astype(float)
        lately = np.asarray(run.index[max(t - int(look["lately"]), 0) : t], dtype=np.intp)
        memory = np.setdiff1d(np.flatnonzero(share > look["forgotten"]), lately)
        weight = look["weak"] + (look["strong"] - look["weak"]) * np.minimum(share[memory], 1.0)
        age = np.asarray(1.0 - (1.0 - look["faintest"]) * np.arange(len(lately))[::-1] / look["lately"], dtype=float)
        current = int(run.index[t - 1]) if t else None
        level = (alpha != 0).astype(float)
        return cls(run.X, run.y, level, current, theme=theme, memory=memory, weight=weight, lately=lately, age=age)

    def radius(self) -> FloatArray:
        """Return the (n,) radius of each point, in pixels of a map 600 pixels wide."""
        return np.asarray(tokens.POINT["radius"] * np.where(self.level > 0, tokens.STREAM["grown"], 1.0))

    def draw_examples(self, ax: Axes) -> None:
        """Draw the memory, hollow, and above it the last arrivals, fading with age."""
        if len(those := self.memory):
            y = self.y[those]
            radius = np.full(len(y), self.larger * tokens.STREAM["memory"])
            rims = style.points(self.theme, np.abs(y) if self.theme == tokens.PRINT else y)[0]
            hollow: dict[str, Any] = {"facecolors": "none", "linewidths": style.pen(1.3)}
            draw_marks(ax, self.X[those], y, radius, edgecolors=to_rgba_array(rims, self.weight), **hollow)
        if len(those := self.lately):
            faces, rims = style.points(self.theme, self.y[those])
            width = style.pen(1.2 if self.theme == tokens.PRINT else 0.8)
            paint = {"facecolors": to_rgba_array(faces, self.age), "edgecolors": to_rgba_array(rims, self.age)}
            draw_marks(ax, self.X[those], self.y[those], self.larger * self.radius()[those], linewidths=width, **paint)


@dataclass(frozen=True)
class Dial(Display):
    """How far the target has turned, in radians: the plane's axes as they were, dashed, and as they are.

    `worded` says whether the angle is written below.
    """

    angle: float
    theme: str = "light"
    worded: bool = True

    @property
    def text(self) -> str:
        """What is written below it."""
        return f"target turned by {int(np.floor(np.degrees(self.angle) + 0.5))}°"

    def marks(self, ax: Axes) -> None:
        """Draw it at the map's lower right corner."""
        paint, (wide, high) = style.colours(self.theme), style.pixels(ax)
        place: dict[str, Any] = {"transform": ax.transAxes, "zorder": 4.5}
        across, up = wide - _RADIUS - _ASIDE, _RADIUS + (_ABOVE if self.worded else _ASIDE)
        ground: dict[str, Any] = {"facecolor": paint["field_zero"], "edgecolor": paint["on_map"], "alpha": 0.9}
        size: dict[str, Any] = {"width": 2 * _RADIUS / wide, "height": 2 * _RADIUS / high, "linewidth": style.pen(0.72)}
        ax.add_artist(Ellipse((across / wide, up / high), **size, **ground, **place))

        def line(ends: list[tuple[float, float]], colour: str, width: float, dash: Any = "solid") -> None:
            """Draw a line through places given by their share of the radius and their angle."""
            share, angle = np.array(ends).T
            x, y = across + _RADIUS * share * np.cos(angle), up + _RADIUS * share * np.sin(angle)
            ax.plot(x / wide, y / high, color=paint[colour], linewidth=style.pen(0.72 * width), linestyle=dash, **place)

        a, half = self.angle, np.pi / 2
        line([(1.0, 0.0), (1.0, np.pi)], "ghost", 1.0, (0, (2, 3)))
        line([(1.0, half), (1.0, -half)], "ghost", 1.0, (0, (2, 3)))
        line([(0.9, a - np.pi), (0.9, a)], "on_map", 2.0)
        line([(0.55, a + half), (0.55, a - half)], "on_map", 1.2)
        line([(0.62, a + 0.34), (0.9, a), (0.62, a - 0.34)], "on_map", 2.0)
        if self.worded:
            around = [withStroke(linewidth=style.pen(4.0), foreground=paint["field_zero"])]
            words_at: dict[str, Any] = {"ha": "right", "va": "baseline", "fontsize": "small", "path_effects": around}
            style.beside(
                ax, self.text, (1.0, 0.0), (-0.72 * _ASIDE, 0.72 * _WORDS), color=paint["on_map"], **words_at, **place
            )
