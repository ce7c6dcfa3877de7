"""The ground of examples that have no plane: edges between them, and f as a halo about each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, LineCollection
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine import grid
from kpviz.engine.checks import FloatArray
from kpviz.engine.ground import Ground, written
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.display import Display
from kpviz.views.map import Bump, Scale

_SIDE = 600.0  # pixels of the map that the halo is meant for
_HALO = 15.0  # of those, its radius
_LABEL = 1.06  # of the map's width, how wide the words below it may be
_BUMP = 1.35  # how much larger what a step adds is


@dataclass(frozen=True, eq=False)
class Places(Display):
    """Where examples are, and f, or k(x_i, ·), at each of them.

    Parameters
    ----------
    ground : the places, training examples first. scores : (n + n_test,) f there, in colours from -limit to limit;
        where they are not `signed`, a kernel's values, in colours from 0.
    name : what the colour bar says. current : how the current example is written, "" for none.
    bump : while a step is shown happening, k(x_i, ·) at all examples as its kernel; None for none.
    larger : how much larger halos are than the map's size asks for.
    """

    ground: Ground
    scores: FloatArray
    limit: float
    name: str = "f"
    current: str = ""
    theme: str = "light"
    bump: Bump | None = None
    larger: float = 1.0
    signed: bool = True

    @classmethod
    def of(
        cls,
        run: Run,
        t: int,
        ground: Ground,
        X_test: NDArray[Any],
        *,
        predictor: str = "last",
        limit: float | None = None,
        theme: str = "light",
    ) -> Places:
        """Compute f at all examples at an instant."""
        everything = run.X if len(ground.places) == len(run.X) else np.concatenate([run.X, X_test])
        scores = run.decision_function(everything, t, predictor)
        if predictor == "voted":
            scores = scores / max(t, 1)
        scale = grid.margin_limit(run, predictor) if limit is None else limit
        named = _named(run, int(run.index[t - 1])) if t else ""
        return cls(ground, scores, scale, style.READINGS[predictor], named, theme)

    def frame(self, ax: Axes) -> None:
        """Draw ground and what the places mean."""
        style.panel(ax, self.theme)
        paint, shown = style.colours(self.theme), self.ground.shown
        ax.set_facecolor(paint["field_zero"])
        ax.set(xlim=(shown.low_1, shown.high_1), ylim=(shown.low_2, shown.high_2), xticks=[], yticks=[])
        room = 0.72 * _LABEL * style.pixels(ax)[0] / max(words.width(self.ground.told, style.TEXT), 1.0)
        label: dict[str, Any] = {"labelpad": style.pen(4), "fontsize": style.pen(style.TEXT * min(room, 1.0))}
        ax.set_xlabel(self.ground.told, color=paint["quiet"], parse_math=False, **label)

    def marks(self, ax: Axes) -> None:
        """Draw edges, a halo about each example, and the current one as it is written."""
        joined = self.ground.places[self.ground.edges]
        thin: dict[str, Any] = {"colors": style.colours(self.theme)["on_map"], "linewidths": style.pen(0.8)}
        ax.add_collection(LineCollection(list(joined), alpha=0.22, zorder=1, **thin), autolim=False)  # below the halos
        colours = style.shades(self.theme, self.scores, self.limit, signed=self.signed)
        self._discs(ax, colours / 255.0, 1.0, edgecolors=style.colours(self.theme)["rule"])
        if self.bump is not None and self.bump.kernel is not None:
            self._discs(ax, self.bump.paint(self.bump.share[None], theme=self.theme)[0] / 255.0, _BUMP)
        if self.current:
            room = 0.72 * 0.94 * style.pixels(ax)[0]
            at: dict[str, Any] = {"ha": "left", "va": "bottom", "transform": ax.transAxes, "zorder": 2}
            text = words.wrapped(self.current, style.TEXT, room)
            ax.text(0.02, 0.02, text, color=style.colours(self.theme)["on_map"], parse_math=False, **at)
        style.outline(ax, self.theme)

    @property
    def scale(self) -> Scale:
        """The colour bar."""
        low = -self.limit if self.signed else 0.0
        return Scale(low, self.limit, self.name, self.theme, kernel=not self.signed)

    def _discs(self, ax: Axes, colours: NDArray[Any], times: float, **paint: Any) -> None:
        across = 2.0 * times * self.larger * _HALO * 0.72 * style.pen(min(style.pixels(ax)) / _SIDE)
        wide = np.full(len(self.ground.places), across)
        options: dict[str, Any] = {"offsets": self.ground.places, "offset_transform": ax.transData, "zorder": 1.5}
        options |= {"facecolors": colours, "linewidths": style.pen(0.8) if paint else 0.0, **paint}
        ax.add_collection(EllipseCollection(wide, wide, np.zeros(len(wide)), units="points", **options), autolim=False)


def _named(run: Run, i: int) -> str:
    text = written(run.X[i]) if run.kernel is not None else ""
    return f"{explain.example(i)} = {text}" if text else ""
