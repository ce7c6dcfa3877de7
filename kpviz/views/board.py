"""The board of one instant on one page: map, sentence, bricks, the learner's own, margins, timeline."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from kpviz import explain
from kpviz.engine import checks, grid
from kpviz.engine.checks import FloatArray
from kpviz.engine.predictors import PREDICTORS
from kpviz.engine.run import Run
from kpviz.views import style, words
from kpviz.views.bars import Bars
from kpviz.views.bricks import Bricks
from kpviz.views.errors import Errors
from kpviz.views.histogram import Histogram
from kpviz.views.map import Ends, Map
from kpviz.views.own import Own
from kpviz.views.page import Page
from kpviz.views.points import Points
from kpviz.views.timeline import TICKS, Timeline

# The date that a file would carry, by format: the same picture is the same file on any day.
_DATES: dict[str, dict[str, str | None]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
FORMATS = tuple(_DATES)
_INDENT = 16.0  # pixels of the sentence, from the bar whose colour says how the step went


class Picture(Figure):
    """A figure that a notebook shows by itself: a plain one is shown only once pyplot is loaded, which we never do."""

    def _repr_png_(self) -> bytes:
        return save(self, "png", dpi=self.get_dpi())


def figure(
    run: Run,
    t: int,
    *,
    predictor: str = "last",
    theme: str = "light",
    X_test: FloatArray | None = None,
    y_test: FloatArray | None = None,
    features: tuple[str, str] = ("x₁", "x₂"),
    own: Ends | None = None,
    shown: grid.Extent | None = None,
    size: tuple[float, float] = (12.8, 7.2),
    dpi: float = 100,
    limit: float | None = None,
    margins: bool = False,
    transparent: bool = False,
) -> Figure:
    """Draw the instant t of a run.

    Parameters
    ----------
    predictor : the reading that map, margins and errors show; bricks and words are those of the run itself.
    X_test, y_test : held-out examples, drawn hollow, with the errors on them; None or empty for none.
    own : (lows, highs) in the features' own unit, which the axes show, where the data were scaled to -1 to 1.
    shown : the part of the plane; None: what all examples need.
    size : of the page in inches; type and marks grow with it.
    limit : f of the strongest colour; None for `grid.limit`.
    margins : draw the lines through the smallest margin as well, where it is above 0.
    transparent : leave out the page's ground.
    """
    checks.choice("predictor", predictor, PREDICTORS)
    about = explain.about_of(run)
    page, ground = Page(size, own=bool(about.parts)), "none" if transparent else style.colours(theme)["paper"]
    reading: dict[str, Any] = {"predictor": predictor, "theme": theme}
    held = _held_out(run, X_test, y_test)
    with style.sheet(page.scale):
        picture = Picture(figsize=size, dpi=dpi, facecolor=ground, label=explain.counter(run, t))
        if reason := no_map(run):
            _draw_reason(picture, page, reason, theme)
        else:
            part = shown or grid.extent(run.X if held is None else np.concatenate([run.X, held[0]]))
            field = Map.of(run, t, extent=part, limit=limit, features=features, own=own, margins=margins, **reading)
            _draw_plane(picture, page, field, Points.of(run, t, held_out=held, theme=theme), run)
        if len(run.y):  # else there is nothing to count
            (Bricks if about.counts else Bars).of(run, t, theme=theme).draw(page.axes(picture, "bricks"))
            if about.parts:
                Own.of(run, t, theme=theme).draw(page.axes(picture, "own"))
            Histogram.of(run, t, **reading).draw(page.axes(picture, "margins"))
        errors = None if held is None else Errors.of(run, *held, **reading)
        _draw_time(picture, page, Timeline.of(run, t, theme=theme), errors)
        _draw_words(picture, page, run, t, theme)
    return picture


def save(figure: Figure, format: str, *, dpi: float = 200) -> bytes:
    """Return the file of a figure, "png", "svg" or "pdf"; text becomes outlines in SVG."""
    metadata = _DATES[checks.choice("format", format, FORMATS)]
    if figure.get_label():
        metadata = {"Title": str(figure.get_label()), **metadata}
    file = BytesIO()
    with style.sheet():
        figure.savefig(file, format=format, dpi=dpi, metadata=metadata, facecolor=figure.get_facecolor())
    return file.getvalue()


def no_map(run: Run) -> str:
    """Return why there is no map of a run, "" where there is one."""
    if run.kernel is None:
        return "No map: the kernel was given as a matrix, so there is no plane to draw."
    if (n := run.X.shape[1]) != 2:
        return f"No map: each example has {explain.counted(n, 'feature')}, and a plane shows two."
    return ""


def _held_out(run: Run, X: FloatArray | None, y: FloatArray | None) -> tuple[FloatArray, FloatArray] | None:
    if X is None or y is None or len(X) == 0:
        return None
    X = checks.matrix("X_test", X, columns=run.X.shape[1])
    return X, checks.labels(y, len(X))


def _draw_plane(picture: Figure, page: Page, field: Map, points: Points, run: Run) -> None:
    ax = page.axes(picture, "map")
    field.draw(ax)
    points.draw(ax)
    points.draw_legend(ax)
    field.draw_scale(page.axes(picture, "scale"))
    room = page.boxes["map"].width - (250 if points.held_out is not None else 120)  # the legend's
    label = run.kernel.label if run.kernel is not None else ""
    style.title(ax, field.theme, words.shortened(label, style.TEXT, page.points(room)))


def _draw_reason(picture: Figure, page: Page, reason: str, theme: str) -> None:
    ax = page.axes(picture, "map")
    style.panel(ax, theme)
    ax.set(xticks=[], yticks=[])
    style.hint(ax, theme, words.wrapped(reason, style.TEXT, page.points(0.7 * page.boxes["map"].width)))


def _draw_time(picture: Figure, page: Page, timeline: Timeline, errors: Errors | None) -> None:
    ax = page.axes(picture, "timeline")
    timeline.draw(ax, free=1.0 if errors is None else 0.55)
    if errors is not None:
        errors.draw(ax, floor=TICKS)


def _draw_words(picture: Figure, page: Page, run: Run, t: int, theme: str) -> None:
    paint, box, line = style.colours(theme), page.boxes["sentence"], page.boxes["counter"]
    count = explain.counter(run, t)
    size = style.TEXT * min(page.points(line.width) / words.width(count, style.TEXT), 1.0)
    quiet: dict[str, Any] = {"color": paint["quiet"], "fontsize": size * page.scale, "parse_math": False}
    picture.text(*page.place(line.left, line.bottom + 8), count, **quiet)
    sentence, wide, high = explain.explain(run, t).sentence, box.width - _INDENT, page.points(box.height)
    lines, size = words.fitted(sentence, page.points(wide), high, largest=20.0, smallest=11.0)
    type_: dict[str, Any] = {"fontsize": size * page.scale, "linespacing": words.LINE, "color": paint["ink"]}
    picture.text(*page.place(box.left + _INDENT, box.top), lines, va="top", parse_math=False, **type_)
    tone = paint["accent" if t == 0 else "warning" if run.mistake[t - 1] else "good"]
    height = (lines.count("\n") + 1) * words.LINE * size / page.points(1.0)
    mark: dict[str, Any] = {"facecolor": tone, "linewidth": 0.0, "transform": picture.transFigure}
    picture.add_artist(Rectangle(page.place(box.left, box.top - height), *page.place(4.0, height), **mark))
