"""The share of errors at the end of each epoch, as curves on the timeline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from kpviz.engine import predictors
from kpviz.engine.checks import FloatArray
from kpviz.engine.run import Run
from kpviz.views import style

_MOST = 0.6  # share of errors at the top


@dataclass(frozen=True, eq=False)
class Errors:
    """Training errors solid, held-out errors dashed.

    Parameters
    ----------
    ends : (n_epochs,) the instants at which the epochs end.
    training, held_out : (n_epochs,) shares of errors there.
    """

    ends: NDArray[np.int64]
    training: FloatArray
    held_out: FloatArray
    theme: str = "light"

    @classmethod
    def of(cls, run: Run, X: FloatArray, y: FloatArray, *, predictor: str = "last", theme: str = "light") -> Errors:
        """Compute the curves of a run, (X, y) being the examples held out."""
        both = [predictors.errors_per_epoch(run, Z, labels, predictor) for Z, labels in ((run.X, run.y), (X, y))]
        return cls(np.append(run.epoch_start[1:], run.n_steps), *both, theme)

    def draw(self, ax: Axes) -> None:
        """Draw the curves on a timeline's axes, and their last values above it."""
        if not len(self.training):
            return
        paint = style.colours(self.theme)
        curves = ((self.training, "ink", 1.2, "solid"), (self.held_out, "accent", 1.6, "dashed"))
        for shares, colour, width, line in curves:
            height = np.minimum(shares, _MOST) / _MOST
            dot = "o" if len(shares) == 1 else ""
            pen = {"linewidth": style.pen(width), "markersize": style.pen(5), "zorder": 3.0}
            ax.plot(self.ends, height, color=paint[colour], linestyle=line, marker=dot, clip_on=False, **pen)
        text = f"held-out error {self.held_out[-1]:.0%} (dashed) · training error {self.training[-1]:.0%}"
        ax.set_title(text.replace("%", " %"), loc="right", fontsize="small", color=paint["accent"], pad=style.pen(3))
