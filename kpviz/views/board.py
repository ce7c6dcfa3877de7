"""The board of one instant: map, sentence, bricks, the learner's own, margins, timeline. Figures and films draw it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from kpviz import explain, tokens
from kpviz.engine import checks, grid, ground
from kpviz.engine.checks import FloatArray
from kpviz.engine.ground import Ground
from kpviz.engine.predictors import PREDICTORS
from kpviz.engine.run import Run
from kpviz.views import style
from kpviz.views.alone import Alone, shape
from kpviz.views.arrivals import Arrivals, Dial
from kpviz.views.bars import Bars
from kpviz.views.bricks import Bricks
from kpviz.views.course import Course, Mistakes
from kpviz.views.display import Display
from kpviz.views.errors import SAID, Errors
from kpviz.views.gram import MOST, Gram
from kpviz.views.histogram import Histogram
from kpviz.views.lift import Lift
from kpviz.views.map import Bump, Ends, Map
from kpviz.views.own import Own
from kpviz.views.page import ALL, Page, usual
from kpviz.views.places import Places
from kpviz.views.points import Legend, Points
from kpviz.views.remembered import Remembered
from kpviz.views.saying import LARGEST, Counter, Sentence
from kpviz.views.similar import Similar
from kpviz.views.timeline import TICKS, Timeline

# The date that a file would carry, by format: the same picture is the same file on any day.
_DATES: dict[str, dict[str, str | None]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
FORMATS = tuple(_DATES)
_ALONE = 30.0  # points of the sentence where no other panel is beside the map


class Picture(Figure):
    """A figure that a notebook shows by itself: a plain one is shown only once pyplot is loaded, which we never do."""

    def _repr_png_(self) -> bytes:
        return save(self, "png", dpi=self.get_dpi())


@dataclass(frozen=True, eq=False)
class Look:
    """How a run is drawn: all that does not change from one instant to the next.

    Parameters
    ----------
    predictor : the reading that map, margins and errors show; bricks and words are those of the run itself.
    X_test, y_test : held-out examples, drawn hollow, with the errors on them; None or empty for none.
    classes : what −1 and +1 are called.
    own : (lows, highs) in the features' own unit, which the axes show, where the data were scaled to -1 to 1.
    shown : the part of the plane; None: what all examples need.
    size : of the page in inches; type and marks grow with it.
    limit : f of the strongest colour; None for `grid.limit`.
    margins : draw the lines through the smallest margin as well, where it is above 0.
    transparent : leave out the page's ground.
    panels : those of `page.ALL` that are shown, None: `page.usual`;
        "similar": the map shows k(x_i, ·) of the current example. words : whether the sentence is.
    ask : a text, tree or graph that is asked about: of it "remembered" tells, else of the current example.
    alone : the one panel that fills the page, of `alone.NAMES`; "" for the whole board.
    shown : the part of the plane that is shown, None: what the examples need. bits : whether they are rows of bits.
    where : where the examples are shown; None: it is found out, see `on`.
    stream : whether the examples come only once: shown are the last arrivals and what is in memory, and the course.
    turned : by how much the target of a stream has turned at each example, in radians; None: it stays.
    flipped : the share of a stream's labels that are turned.
    """

    predictor: str = "last"
    theme: str = "light"
    X_test: FloatArray | None = None
    y_test: FloatArray | None = None
    features: tuple[str, str] = ("x₁", "x₂")
    classes: tuple[str, str] = ("−1", "+1")
    own: Ends | None = None
    shown: grid.Extent | None = None
    bits: bool = False
    where: Ground | None = None
    size: tuple[float, float] = (12.8, 7.2)
    limit: float | None = None
    margins: bool = False
    transparent: bool = False
    panels: tuple[str, ...] | None = None
    ask: str = ""
    words: bool = True
    alone: str = ""
    stream: bool = False
    turned: FloatArray | None = None
    flipped: float = 0.0

    def page(self, run: Run) -> Page:
        """Return where the panels lie."""
        if self.alone:
            return Alone.of(self.alone, self.size)
        wanted = usual(plane=self.ground_of(run).is_plane) if self.panels is None else self.panels
        shown = tuple(name for name in ALL if name in PANELS and name in wanted and self.has(run, name))
        return Page(self.size, shown, self.words)

    def has(self, run: Run, name: str) -> bool:
        """Whether there is something to show in a panel of `page.ALL`."""
        if not len(run.y):
            return False
        if name == "own":
            return bool(explain.about_of(run).parts)
        if self.stream and name in _NOT_OF_STREAMS:
            return False
        return name != "gram" or len(run.y) <= MOST

    def legend(self, run: Run, title: str = "") -> Legend:
        """Return the map's title, and what its marks mean."""
        hollow = self.stream or self.held_out(run) is not None
        return Legend(title, hollow, self.theme, "in memory" if self.stream else "held out", self.classes)

    @property
    def ground(self) -> str:
        """The colour of the page."""
        return "none" if self.transparent else style.colours(self.theme)["paper"]

    def held_out(self, run: Run) -> tuple[FloatArray, FloatArray] | None:
        """Return the held-out examples, checked."""
        if self.X_test is None or self.y_test is None or len(self.X_test) == 0:
            return None
        X = run.examples("X_test", self.X_test)
        return X, checks.labels(self.y_test, len(X))

    def on(self, run: Run) -> Look:
        """Return the look with the places of a run's examples and its scale, which need be found out only once."""
        found = replace(self, where=self.ground_of(run))
        return found if self.limit is not None else replace(found, limit=limit(run, found))

    def ground_of(self, run: Run) -> Ground:
        """Return where the examples are shown."""
        held = self.held_out(run)
        return self.where or ground.of(run, None if held is None else held[0], shown=self.shown, bits=self.bits)


@dataclass(frozen=True)
class Said:
    """What a cue brings: words in place of the sentence, examples and panels that light up."""

    words: str = ""
    examples: tuple[int, ...] = ()
    panels: tuple[str, ...] = ()


NOTHING = Said()


def figure(run: Run, t: int, *, dpi: float = 100, said: Said = NOTHING, **look: Any) -> Figure:
    """Draw the instant t of a run; `said` is what a cue brings, the rest are the fields of `Look`."""
    how = Look(**look).on(run)
    checks.choice("predictor", how.predictor, PREDICTORS)
    style.colours(how.theme)
    page = how.page(run)
    with style.sheet(page.scale):
        picture = Picture(
            figsize=how.size, dpi=dpi, facecolor=how.ground, label=explain.counter(run, t, stream=how.stream)
        )
        for place, display in describe(run, t, how, said).items():
            display.draw(axes_of(picture, page, place))
    return picture


def panel(run: Run, t: int, name: str, *, size: tuple[float, float] | None = None, **options: Any) -> Figure:
    """Draw one panel alone, with large type, in its natural shape or on a page of a size in inches.

    Parameters
    ----------
    name : one of "map", "alpha", "margins", "own", "gram", "lift", "remembered", "timeline" and "words".
    options : those of `figure`.

    Raises
    ------
    ValueError
        One sentence: there is no such panel, or this learner has none of its own.
    """
    natural = shape(name)
    if name == "own" and not explain.about_of(run).parts:
        raise ValueError("This learner has no panel of its own: choose another panel or another learner.")
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


def limit(run: Run, look: Look) -> float:
    """Return the end of the colour scale, fixed for the run: on the map, or at the examples where there is none."""
    where = look.ground_of(run)
    if where.is_plane:
        return grid.limit(run, where.shown, tokens.GRID, look.predictor)
    return grid.margin_limit(run, look.predictor)


def describe(run: Run, t: int, look: Look, said: Said = NOTHING, motion: Motion | None = None) -> dict[str, Display]:
    """Return what is on the board at an instant, from the lowest to the highest, by "panel" or "panel/what".

    In `motion` the step that led to t is shown happening.
    """
    page, theme = look.page(run), look.theme
    found: dict[str, Display] = dict(plane(run, t, look, said, motion)) if "map" in page.boxes else {}
    found |= {name: PANELS[name](run, t, look) for name in page.shown}
    if strip := page.boxes.get("timeline"):
        found |= _timeline(run, t, look, strip.width)
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
    return Lift.of(run, t, held_out=look.held_out(run), theme=look.theme)


def _remembered(run: Run, t: int, look: Look) -> Display:
    how: dict[str, Any] = {"bits": look.bits, "own": look.own, "predictor": look.predictor, "theme": look.theme}
    return Remembered.of(run, t, ask=look.ask, **how)


def _margins(run: Run, t: int, look: Look) -> Display:
    """Return the margins of all examples; of a stream, whose examples come only once, its course."""
    if look.stream:
        return Course.of(run, t, turned=look.turned, flipped=look.flipped, theme=look.theme)
    return Histogram.of(run, t, predictor=look.predictor, theme=look.theme)


# What draws each panel; those of the player that have no line here are left out.
PANELS: dict[str, Callable[[Run, int, Look], Display]] = {
    "alpha": _alpha,
    "own": _own,
    "margins": _margins,
    "gram": _gram,
    "lift": _lift,
    "remembered": _remembered,
}
_NOT_OF_STREAMS = ("alpha", "gram", "lift", "remembered")


def _timeline(run: Run, t: int, look: Look, wide: float) -> dict[str, Display]:
    """Return what is on the timeline, which is so many pixels wide."""
    held, theme = look.held_out(run), look.theme
    if look.stream:
        return {"timeline": Mistakes.of_stream(run, t, turned=look.turned, theme=theme)}
    if held is None:
        return {"timeline": Timeline.of(run, t, theme=theme)}
    errors = Errors.of(run, *held, floor=TICKS, predictor=look.predictor, theme=theme)
    return {"timeline": Timeline.of(run, t, theme=theme, free=1.0 - SAID / wide), "timeline/errors": errors}


@dataclass(frozen=True, eq=False)
class Motion:
    """How far a step has happened: the field between before and after, the bump, and the ring's spread."""

    field: FloatArray | None
    bump: Bump
    spread: float | None


def plane(run: Run, t: int, look: Look, said: Said = NOTHING, motion: Motion | None = None) -> dict[str, Display]:
    """Return what is on the map."""
    theme = look.theme
    where = look.ground_of(run)
    field, points = (_field if where.is_plane else _at_places)(run, t, look, motion), _points(run, t, look, said, where)
    if motion is not None:
        points = replace(points, spread=motion.spread)
    found: dict[str, Display] = {"map": field, "map/points": points}
    if look.turned is not None:
        found["map/dial"] = Dial(float(look.turned[max(t - 1, 0)]), theme)
    title = run.kernel.label if run.kernel is not None else ""
    return {**found, "map/legend": look.legend(run, title), "scale": field.scale}


def _field(run: Run, t: int, look: Look, motion: Motion | None) -> Map:
    """Return f on the plane."""
    options: dict[str, Any] = {"limit": look.limit, "features": look.features, "own": look.own}
    options |= {"margins": look.margins, "predictor": look.predictor, "theme": look.theme}
    field = Map.of(run, t, extent=look.ground_of(run).shown, **options)
    field = replace(field, outlines=look.ground_of(run).outlines)
    if look.stream:
        field = replace(field, optimum=None)  # which weighs all examples at once
    if motion is not None and motion.field is not None:
        field = replace(field, field=motion.field, bump=motion.bump)
    if "similar" in (look.panels or ()) and not look.stream:
        held = look.held_out(run)
        return Similar.over(field, run, t, run.X if held is None else np.concatenate([run.X, held[0]]))
    return field


def _at_places(run: Run, t: int, look: Look, motion: Motion | None) -> Places:
    """Return f at the examples, which have no plane."""
    held = look.held_out(run)
    X_test, where = run.X[:0] if held is None else held[0], look.ground_of(run)
    places = Places.of(run, t, where, X_test, predictor=look.predictor, limit=look.limit, theme=look.theme)
    if not look.ask and "remembered" in look.page(run).shown:
        places = replace(places, current="")  # which is written there
    return places if motion is None else replace(places, bump=motion.bump)


def _points(run: Run, t: int, look: Look, said: Said, where: Ground) -> Points:
    """Return the examples that are seen; of a stream only such as have arrived."""
    if look.stream:
        lit = tuple(i for i in said.examples if i < t)
        return replace(Arrivals.of_stream(run, t, theme=look.theme), lit=lit)
    held, n = look.held_out(run), len(run.y)
    hollow = None if held is None or len(where.places) == n else (where.places[n:], held[1])
    points = Points.of(run, t, held_out=hollow, places=where.places[:n], theme=look.theme)
    return replace(points, lit=tuple(i for i in said.examples if i < len(run.y)))


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
