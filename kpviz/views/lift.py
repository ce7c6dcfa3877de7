"""The features of degree 2 in space, with the plane that separates them there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from numpy.typing import NDArray

from kpviz import explain, tokens
from kpviz.engine import lift as space
from kpviz.engine.box import EDGES, Box
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.points import Points
from kpviz.views.symbols import draw_symbols

TITLE = "φ(x) in space, and its plane"
_NOT_LIFTED = "Only points of a plane are lifted into space, and these examples are none."
_FOOT = 40.0  # px of the two lines below
_SMALLER, _LEAST, _WIDE = 0.8, 0.45, 340.0  # points next to those of a map of 600 px; in a panel narrower than this, px


@dataclass(frozen=True, eq=False)
class Lift(Display):
    """Points of space, seen from one side.

    Parameters
    ----------
    phi, y, radius : (n, 3), (n,) and (n,) features, labels and sizes of the training examples, then those held out.
    w, b : the plane is w·φ + b = 0. current : the example with a ring, None for none.
    held : how many of the examples, the last ones, are held out. why : why there is nothing to see, "" where there is.
    angles : by how many degrees the space is turned and tilted.
    """

    phi: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    y: FloatArray = field(default_factory=lambda: np.zeros(0))
    radius: FloatArray = field(default_factory=lambda: np.zeros(0))
    w: FloatArray = field(default_factory=lambda: np.zeros(3))
    b: float = 0.0
    current: int | None = None
    held: int = 0
    why: str = ""
    theme: str = "light"
    angles: tuple[float, float] = (tokens.LIFT["turn"], tokens.LIFT["tilt"])

    @classmethod
    def of(
        cls,
        run: Run,
        t: int,
        *,
        held_out: tuple[FloatArray, FloatArray] | None = None,
        theme: str = "light",
        angles: tuple[float, float] | None = None,
    ) -> Lift:
        """Read the features of a run, and the plane of an instant."""
        flat = run.X.ndim == 2 and run.X.shape[1] == 2
        if why := space.missing(run.kernel) or ("" if flat else _NOT_LIFTED):
            return cls(why=why, theme=theme)
        X, y = (run.X[:0], run.y[:0]) if held_out is None else held_out
        phi, points, state = space.phi(np.concatenate([run.X, X])), Points.of(run, t), run.state_at(t)
        radius = np.concatenate([points.radius(), np.full(len(y), 4.2)])
        w, b = space.plane(phi[: len(run.y)], state.coef, state.intercept)
        found = cls(phi, np.concatenate([run.y, y]), radius, w, b, points.current, len(y), theme=theme)
        return found if angles is None else replace(found, angles=angles)

    @property
    def box(self) -> Box:
        """What holds all points."""
        return Box.around(self.phi)

    def seen(self, points: FloatArray) -> FloatArray:
        """Return points as they are seen: across, up, and towards whoever looks."""
        return self.box.seen(points, *self.angles)

    @property
    def before(self) -> NDArray[np.bool_]:
        """Whether each point is on the side of the plane that whoever looks is on, (n,)."""
        sight = self.seen(np.vstack([np.zeros(3), np.eye(3)]))[:, 2]
        looks = float((sight[1:] - sight[0]) @ self.w)
        return np.asarray((self.phi @ self.w + self.b) * looks >= 0.0)

    def places(self, ax: Axes, points: FloatArray) -> FloatArray:
        """Return where points are on the panel, (n, 2), in its pixels from the upper left corner."""
        wide, high = style.pixels(ax)
        reach = min(wide, 1.12 * (high - _FOOT)) / 2
        across, up, _ = self.seen(points).T
        return np.column_stack([wide / 2 + reach * across, (high - _FOOT) / 2 - reach * up])

    def smaller(self, ax: Axes) -> float:
        """Return how much smaller points are than those of the map."""
        return _SMALLER * min(max(min(style.pixels(ax)) / _WIDE, _LEAST), 1.0)

    def frame(self, ax: Axes) -> None:
        """Draw title, box, axes and the note."""
        style.panel(ax, self.theme, TITLE)
        wide, high = style.pixels(ax)
        ax.set(xlim=(0.0, wide), ylim=(high, 0.0), xticks=[], yticks=[])
        if self.why:
            style.hint(ax, self.theme, words.wrapped(self.why, style.TEXT, 0.72 * 0.8 * wide))
            return
        paint, corners = style.colours(self.theme), self.box.corners
        at = self.places(ax, corners)
        edges = LineCollection([at[list(edge)] for edge in EDGES], colors=paint["rule"], linewidths=style.pen(0.9))
        ax.add_collection(edges, autolim=False)
        ends = np.concatenate([np.diag(self.box.low), np.diag(self.box.high)])
        tips, origin = self.places(ax, ends), self.places(ax, np.zeros((1, 3)))[0]
        axes = LineCollection(
            list(tips.reshape(2, 3, 2).transpose(1, 0, 2)), colors=paint["quiet"], linewidths=style.pen(1.3)
        )
        ax.add_collection(axes, autolim=False)
        for name, tip in zip(space.AXES, tips[3:], strict=True):
            away = (tip - origin) / max(float(np.linalg.norm(tip - origin)), 1.0)
            middle: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": "small", "parse_math": False}
            x, y = tip + away * (16.0, 12.0)
            ax.text(x, y, name, color=paint["ink"], path_effects=style.halo(self.theme), **middle)
        small: dict[str, Any] = {"color": paint["quiet"], "fontsize": "small", "va": "bottom", "parse_math": False}
        ax.text(6.0, high - 3.0, words.shortened(space.NOTE, style.SMALL, 0.72 * (wide - 12.0)), **small)

    def marks(self, ax: Axes) -> None:
        """Draw the points behind the plane, the plane, the points before it, the ring, and w in numbers."""
        if self.why:
            return
        paint, (wide, high) = style.colours(self.theme), style.pixels(ax)
        before = self.before
        self._draw_points(ax, ~before, 3.0)
        corners = self.box.cut(self.w, self.b)
        if len(corners):
            fill: dict[str, Any] = {"facecolors": paint["accent"], "alpha": tokens.LIFT["plane"], "linewidths": 0.0}
            ax.add_collection(PolyCollection([self.places(ax, corners)], zorder=3.1, **fill), autolim=False)
        self._draw_points(ax, before, 3.2)
        if self.current is not None:
            ring: dict[str, Any] = {"hollow": True, "colour": paint["ink"], "width": 1.8, "zorder": 3.3}
            at, radius = self.places(ax, self.phi[[self.current]]), self.radius[[self.current]] * self.smaller(ax) + 4.0
            draw_symbols(ax, self.theme, at, np.ones(1), radius, **ring)
        text: dict[str, Any] = {"color": paint["ink"], "fontsize": "small", "va": "bottom", "parse_math": False}
        told = words.shortened(self.told, style.SMALL, 0.72 * (wide - 12.0))
        ax.text(6.0, high - 20.0, told, **text)

    @property
    def told(self) -> str:
        """The plane in numbers."""
        if not self.w.any():
            return "w = 0: there is no plane yet."
        told = f"w = ({', '.join(explain.number(value) for value in self.w)})"
        return f"{told}, b = {explain.number(self.b)}" if self.b else told

    def _draw_points(self, ax: Axes, which: NDArray[np.bool_], zorder: float) -> None:
        """Draw some of the points, the farthest first; those held out are hollow."""
        nearness = self.seen(self.phi)[:, 2]
        hollow = np.arange(len(self.y)) >= len(self.y) - self.held
        for part in (hollow, ~hollow):
            shown = np.flatnonzero(which & part)
            shown = shown[np.argsort(nearness[shown], kind="stable")]
            if len(shown):
                places, radius = self.places(ax, self.phi[shown]), self.radius[shown] * self.smaller(ax)
                draw_symbols(
                    ax, self.theme, places, self.y[shown], radius, hollow=bool(hollow[shown[0]]), zorder=zorder
                )
