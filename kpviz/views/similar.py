"""A kernel as similarity: k(x_i, ·) of the current example in place of f."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from kpviz import explain
from kpviz.engine import grid, ground
from kpviz.engine.run import Run
from kpviz.engine.similarity import Scale, scale_of_map
from kpviz.views import lines, style
from kpviz.views.map import Map
from kpviz.views.map import Scale as Bar
from kpviz.views.places import Places

NAME = "k(x, ·)"
BEGIN = "Each step shows k(x, ·) of its example."
_LEVELS = (0.25, 0.5, 0.75)  # of the limit, drawn as lines


@dataclass(frozen=True, eq=False)
class Similar(Map):
    """The map with k(x_i, ·) in `field`, its scale from 0, or from -limit where it is `signed`; `title` says whose."""

    signed: bool = False
    title: str = BEGIN

    @classmethod
    def over(cls, field: Map, run: Run, t: int, X: NDArray[Any]) -> Similar:
        """Return k of the example of step t on the nodes of a map; X are the examples whose scale it shares."""
        x1, x2 = field.x1, field.x2
        scale = scale_of_map(run, X, x1, x2)
        coef, values, title = np.zeros(len(run.y)), np.zeros((len(x2), len(x1))), BEGIN
        if t:
            i = int(run.index[t - 1])
            coef[i] = 1.0
            values, title = grid.expansion(run, coef, 0.0, x1, x2), f"k({explain.example(i)}, ·)"
        return cls(
            x1,
            x2,
            values,
            scale.limit,
            NAME,
            field.features,
            field.own,
            theme=field.theme,
            signed=scale.signed,
            title=title,
        )

    @property
    def ends(self) -> tuple[float, float]:
        """What the first and the last colour stand for."""
        return (-self.limit if self.signed else 0.0, self.limit)

    @property
    def scale(self) -> Bar:
        """The colour bar."""
        return replace(super().scale, kernel=not self.signed)

    def _paint(self, shown: NDArray[Any]) -> NDArray[np.uint8]:
        """Return the colours of some values, (…, 4)."""
        return style.shades(self.theme, shown, self.limit, signed=self.signed)

    def _draw_lines(self, ax: Axes) -> None:
        paint = style.colours(self.theme)
        dashed: dict[str, Any] = {"linewidths": style.pen(0.9), "linestyles": "dashed", "alpha": 0.55}
        for share in (*_LEVELS, *(-share for share in _LEVELS if self.signed)):
            lines.draw(ax, self.x1, self.x2, self.field, share * self.limit, colors=paint["on_map"], **dashed)
        around = [withStroke(linewidth=style.pen(4.0), foreground=paint["field_zero"])]
        place: dict[str, Any] = {"ha": "right", "va": "top", "transform": ax.transAxes, "zorder": 4}
        ax.text(0.985, 0.975, self.title, color=paint["on_map"], path_effects=around, **place)


def at_places(places: Places, run: Run, t: int, X_test: NDArray[Any] | None) -> Places:
    """Return examples without a plane, each in the colour of k(x_i, ·) there, x_i being that of step t.

    `X_test` are the held-out ones among them. A Gram matrix says nothing of these, so that f stays.
    """
    if run.kernel is None:
        return places
    values = ground.similar(run, X_test)
    scale, shown = Scale.of(values), values[run.index[t - 1]] if t else np.zeros(len(values))
    told = places.current if t else BEGIN
    return replace(places, scores=shown, limit=scale.limit, signed=scale.signed, name=NAME, current=told)
