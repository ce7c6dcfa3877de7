"""The share of errors at the end of each epoch, as curves on the timeline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.readings import Readings
from kpviz.views import style
from kpviz.views.display import Display

SAID = 400.0  # pixels: the errors in words above the timeline, and a gap beside them
_MOST = 0.6  # share of errors at the top


@dataclass(frozen=True, eq=False)
class Errors(Display):
    """Training errors solid, held-out errors dashed.

    Parameters
    ----------
    ends : (n_epochs,) the instants at which the epochs end.
    training, held_out : (n_epochs,) shares of errors there.
    floor : where on the axes 0 is; 1 is the top.
    """

    ends: NDArray[np.int64]
    training: FloatArray
    held_out: FloatArray
    theme: str = "light"
    floor: float = 0.0

    @classmethod
    def of(
        cls,
        readings: Readings,
        *,
        predictor: str = "last",
        theme: str = "light",
        floor: float = 0.0,
    ) -> Errors:
        """Read the curves of a run that has examples held out."""
        training, held_out = readings.shares(predictor)
        return cls(readings.run.epoch_ends, training, held_out, theme, floor)

    def frame(self, ax: Axes) -> None:
        """Draw the curves on a timeline's axes, and their last values above it."""
        if not len(self.training):
            return
        paint = style.colours(self.theme)
        curves = ((self.training, "ink", 1.2, "solid"), (self.held_out, "accent", 1.6, "dashed"))
        for shares, colour, width, line in curves:
            height = self.floor + (1 - self.floor) * np.minimum(shares, _MOST) / _MOST
            dot = "o" if len(shares) == 1 else ""
            pen: dict[str, Any] = {"linewidth": style.pen(width), "markersize": style.pen(5), "zorder": 3.0}
            ax.plot(self.ends, height, color=paint[colour], linestyle=line, marker=dot, clip_on=False, **pen)
        held_out, training = (f"{int(100 * shares[-1] + 0.5001)} %" for shares in (self.held_out, self.training))
        text = f"held-out error {held_out} (dashed) · training error {training}"
        place: dict[str, Any] = {"ha": "right", "va": "bottom", "fontsize": "small", "transform": ax.transAxes}
        ax.text(1.0, 1.06, text, color=paint["accent"], **place)
