"""The board of one instant: map, sentence, bricks, margins and timeline on one page, as on the screen."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kpviz import explain, tokens
from kpviz.engine import checks, grid
from kpviz.engine.checks import FloatArray
from kpviz.engine.predictors import PREDICTORS
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.bricks import Bricks
from kpviz.views.histogram import Histogram
from kpviz.views.map import Map
from kpviz.views.points import Points
from kpviz.views.timeline import Timeline

FORMATS = ("png", "svg", "pdf")
NO_DATE = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}


class Picture(Figure):
    """A figure that a notebook shows although pyplot, which would register figures with it, is not loaded."""

    def _repr_png_(self) -> bytes:
        return save(self, "png", dpi=round(self.get_dpi()))


def figure(
    run: Run,
    t: int,
    *,
    predictor: str = "last",
    theme: str = "light",
    X_test: FloatArray | None = None,
    y_test: FloatArray | None = None,
    features: tuple[str, str] = ("x₁", "x₂"),
    size: tuple[float, float] = (12.8, 7.2),
    dpi: float = 100,
    limit: float | None = None,
    transparent: bool = False,
) -> Figure:
    """Draw the instant t of a run.

    Parameters
    ----------
    predictor : whose field the map shows; bricks, margins and words are always those of the run itself.
    X_test, y_test : held-out examples, drawn hollow.
    size : of the page in inches; type and marks grow with it.
    limit : f of the strongest colour, `map.scale_limit` when None.
    transparent : leave out the page's ground.
    """
    checks.choice("predictor", predictor, PREDICTORS)
    run.time(t)
    page = _Page(size)
    paint = style.colours(theme)
    with style.sheet(page.scale):
        picture = Picture(figsize=size, dpi=dpi, facecolor="none" if transparent else paint["paper"], layout="none")
    ...
