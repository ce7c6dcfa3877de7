"""The board of one instant: map, sentence, bricks, the learner's own, margins, timeline. Figures and films draw it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kpviz import explain
from kpviz.engine import checks
from kpviz.engine.predictors import PREDICTORS
from kpviz.engine.run import Run
from kpviz.views import comparing, style
from kpviz.views.alone import shape
from kpviz.views.bars import Bars
from kpviz.views.bounds import Bounds
from kpviz.views.bricks import Bricks
from kpviz.views.code import Code
from kpviz.views.comparing import Draws
from kpviz.views.course import Course, Mistakes
from kpviz.views.display import Display
from kpviz.views.errors import SAID, Errors
from kpviz.views.gram import Gram
from kpviz.views.histogram import Histogram
from kpviz.views.lift import Lift
from kpviz.views.look import Look
from kpviz.views.own import Own
from kpviz.views.page import Page
from kpviz.views.plane import NOTHING, Motion, Said, plane, reach
from kpviz.views.primal import Primal
from kpviz.views.readings import Errors as ReadingErrors
from kpviz.views.remembered import Remembered
from kpviz.views.saying import LARGEST, Counter, Sentence
from kpviz.views.sequence import Sequence
from kpviz.views.timeline import TICKS, Timeline
from kpviz.views.votes import Votes

# The date that a file would carry, by format: the same picture is the same file on any day.
_DATES: dict[str, dict[str, str | None]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
FORMATS = tuple(_DATES)
_ALONE = 30.0  # points of the sentence where no other panel is beside the map


class Picture(Figure):
    """A figure that a notebook shows by itself: a plain one is shown only once pyplot is loaded, which we never do."""

    def _repr_png_(self) -> bytes:
        return save(self, "png", dpi=self.get_dpi())


def figure(run: Run, t: int, *, dpi: float = 100, said: Said = NOTHING, **look: Any) -> Figure:
    """Draw the instant t of a run; `said` is what a cue brings, the rest are the fields of `Look`."""
    how = Look(**look).on(run)
    checks.choice("predictor", how.predictor, PREDICTORS)
    style.colours(how.theme)
    page = how.page(run)
    with style.sheet(page.scale):
        told = explain.counter(run, t if how.others is None else min(t, run.n_steps), stream=how.stream)
        picture = Picture(figsize=how.size, dpi=dpi, facecolor=how.ground, label=told)
        for place, display in describe(run, t, how, said).items():
            display.draw(axes_of(picture, page, place))
    return picture


def panel(run: Run, t: int, name: str, *, size: tuple[float, float] | None = None, **options: Any) -> Figure:
    """Draw one panel alone, with large type, in its natural shape or on a page of a size in inches.

    Parameters
    ----------
    name : one of `alone.NAMES`.
    options : those of `figure`.

    Raises
    ------
    ValueError
        One sentence: there is no such panel, this learner has none of its own, or a stream has no readings.
    """
    natural = shape(name)
    if name == "own" and not explain.about_of(run).parts:
        raise ValueError("This learner has no panel of its own: choose another panel or another learner.")
    if name == "readings" and options.get("stream"):
        raise ValueError("A stream has no errors on a training set to compare: choose another panel than readings.")
    return figure(run, t, size=natural if size is None else size, alone=name, **options)


def save(figure: Figure, format: str, *, dpi: float = 200, ground: str | None = None) -> bytes:
    """Return the file of a figure, "png", "svg" or "pdf", on a ground of its own or another; text becomes outlines."""
    metadata = _DATES[checks.choice("format", format, FORMATS)]
    if figure.get_label():
        metadata = {"Title": str(figure.get_label()), **metadata}
    file = BytesIO()
    with style.sheet():
        figure.savefig(file, format=format, dpi=dpi, metadata=metadata, facecolor=ground or figure.get_facecolor())
    return file.getvalue()


def describe(run: Run, t: int, look: Look, said: Said = NOTHING) -> dict[str, Display]:
    """Return what is on the board at an instant, from the lowest to the highest, by "panel" or "panel/what"."""
    page, theme = look.page(run), look.theme
    if look.others is not None and not look.alone:
        found = comparing.describe(run, t, look, look.others, said, Draws(plane, PANELS))
        return found | {f"{name}/light": Light(theme) for name in said.panels if name in found}
    found = dict(plane(run, t, look, said)) if "map" in page.boxes else {}
    found |= {name: PANELS[name](run, t, look) for name in page.shown}
    if strip := page.boxes.get("timeline"):
        found |= _timeline(run, t, look, strip.width)
    if "votes" in page.boxes:
        found["votes"] = Votes.of(run, t, theme=theme)
    found["counter"] = Counter.of(run, t, stream=look.stream, theme=theme)
    if look.words:
        largest = _ALONE if page.words_above or not page.shown else LARGEST
        found["sentence"] = Sentence.of(run, t, said=said.words, stream=look.stream, theme=theme, largest=largest)
    found |= {f"{name}/light": Light(theme) for name in said.panels if name in found}
    return {place: display for place, display in found.items() if place.partition("/")[0] in page.boxes}


def _alpha(run: Run, t: int, look: Look) -> Display:
    """Return the mistakes on each example, or its weight where that is no number of mistakes."""
    return (Bricks if explain.about_of(run).counts else Bars).of(run, t, theme=look.theme)


def _own(run: Run, t: int, look: Look) -> Display:
    return Own.of(run, t, theme=look.theme)


def _gram(run: Run, t: int, look: Look) -> Display:
    return Gram.of(run, t, theme=look.theme)


def _lift(run: Run, t: int, look: Look) -> Display:
    return Lift.of(run, t, held_out=look.held_out(run), theme=look.theme, angles=look.angles)


def _remembered(run: Run, t: int, look: Look) -> Display:
    how: dict[str, Any] = {"bits": look.bits, "own": look.own, "predictor": look.predictor, "theme": look.theme}
    return Remembered.of(run, t, ask=look.ask, **how)


def _margins(run: Run, t: int, look: Look) -> Display:
    """Return the margins of all examples; of a stream, whose examples come only once, its course."""
    if look.stream:
        return Course.of(run, t, turned=look.turned, flipped=look.flipped, theme=look.theme)
    return Histogram.of(run, t, predictor=look.predictor, normed=look.asks("normed"), theme=look.theme)


def _code(run: Run, t: int, look: Look) -> Display:
    return Code.of(run, t, stream=look.stream, theme=look.theme)


def _bound(run: Run, t: int, look: Look) -> Display:
    return Bounds.of(run, t, predictor=look.predictor, dnf=look.function, theme=look.theme)


def _sequence(run: Run, t: int, look: Look) -> Display:
    return Sequence.of(run, t, order=look.order, why=look.order_why, theme=look.theme)


def _readings(run: Run, t: int, look: Look) -> Display:
    return ReadingErrors.of(look.readings_of(run), t, predictor=look.predictor, theme=look.theme)


def _primal(run: Run, t: int, look: Look) -> Display:
    """Return the primal form; its words are of the arrow on the map, whether the map is on the page or not."""
    return Primal.of(run, t, arrow=reach(run, look), predictor=look.predictor, theme=look.theme)


# What draws each panel; those of the player that have no line here are left out.
PANELS: dict[str, Callable[[Run, int, Look], Display]] = {
    "alpha": _alpha,
    "own": _own,
    "margins": _margins,
    "gram": _gram,
    "lift": _lift,
    "remembered": _remembered,
    "code": _code,
    "bound": _bound,
    "readings": _readings,
    "primal": _primal,
    "sequence": _sequence,
}


def _timeline(run: Run, t: int, look: Look, wide: float) -> dict[str, Display]:
    """Return what is on the timeline, which is so many pixels wide."""
    held, theme = look.held_out(run), look.theme
    if look.stream:
        return {"timeline": Mistakes.of_stream(run, t, turned=look.turned, theme=theme)}
    if held is None:
        return {"timeline": Timeline.of(run, t, theme=theme)}
    errors = Errors.of(look.readings_of(run), predictor=look.predictor, theme=theme, floor=TICKS)
    return {"timeline": Timeline.of(run, t, theme=theme, free=1.0 - SAID / wide), "timeline/errors": errors}


def moved(run: Run, t: int, look: Look, said: Said, motion: Motion, shown: dict[str, Display]) -> dict[str, Display]:
    """Return what changes on the maps of the board `shown` while a step happens."""
    if look.others is not None and not look.alone:
        return comparing.moved(run, t, look, look.others, said, motion, shown, plane)
    return plane(run, t, look, said, motion)


def axes_of(figure: Figure, page: Page, place: str) -> Axes:
    """Return the axes of a panel, made where they are not there yet."""
    name = place.partition("/")[0]
    known = {str(ax.get_label()): ax for ax in figure.axes}
    return known.get(name) or page.axes(figure, name)


@dataclass(frozen=True)
class Light(Display):
    """A frame about a panel that a cue speaks of."""

    theme: str = "light"

    def marks(self, ax: Axes) -> None:
        """Draw it."""
        style.light(ax, self.theme)
