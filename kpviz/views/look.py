"""How a run is drawn: all that does not change from one instant to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kpviz import comparison, conditions, experiment, explain, tokens
from kpviz.comparison import Pin
from kpviz.engine import checks, grid, ground, streams
from kpviz.engine.checks import FloatArray
from kpviz.engine.dnf import Dnf
from kpviz.engine.ground import Ground
from kpviz.engine.predictors import Progress
from kpviz.engine.readings import Readings
from kpviz.engine.run import Run
from kpviz.experiment import Split
from kpviz.settings import BOOLEAN, Settings
from kpviz.views import comparing, style
from kpviz.views.alone import Alone
from kpviz.views.comparing import Others, Pinned
from kpviz.views.gram import MOST
from kpviz.views.map import Ends
from kpviz.views.page import ALL, Page, usual
from kpviz.views.points import Legend

_NOT_OF_STREAMS = ("alpha", "gram", "lift", "remembered", "readings")


@dataclass(frozen=True, eq=False)
class Look:
    """How a run is drawn: all that does not change from one instant to the next.

    Parameters
    ----------
    predictor : the reading that map, margins and errors show; bricks and words are those of the run itself.
    X_test, y_test : held-out examples, drawn hollow, with the errors on them; None or empty for none.
    classes : what −1 and +1 are called.
    own : (lows, highs) in the features' own unit, which the axes show, where the data were scaled to -1 to 1.
    size : of the page in inches; type and marks grow with it.
    limit : f of the strongest colour; None for `grid.limit`.
    margins : draw the lines through the smallest margin as well, where it is above 0.
    transparent : leave out the page's ground.
    panels : those of `page.ALL` that are shown, None: `page.usual`, with what the player has among its panels besides:
        "similar": the map shows k(x_i, ·) of the current example; "lines": `margins`; "normed": the histogram's
        margins are divided by ‖f‖. words : whether the sentence is shown.
    ask : a text, tree or graph that is asked about: of it "remembered" tells, else of the current example.
    angles : by how many degrees the space of "lift" is turned and tilted; None: as the player has it at first.
    alone : the one panel that fills the page, of `alone.NAMES`; "" for the whole board.
    shown : the part of the plane that is shown, None: what the examples need.
    bits : whether the examples are rows of bits.
    where : where the examples are shown; None: it is found out, see `on`.
    stream : whether the examples come only once: shown are the last arrivals and what is in memory, and the course.
    turned : by how much the target of a stream has turned at each example, in radians; None: it stays.
    flipped : the share of a stream's labels that are turned.
    order, order_why : that in which examples are shown, as settings name it, "" if unknown; why there is none.
    function : the Boolean function that is learnt, whose bound is told first; None for none.
    readings : all three readings of the run, worked out as far as they are asked for; None: by `on`.
    others : the pinned runs beside this one, see `look.others`; None for none. A panel `alone` is this run's.
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
    angles: tuple[float, float] | None = None
    words: bool = True
    alone: str = ""
    stream: bool = False
    turned: FloatArray | None = None
    flipped: float = 0.0
    order: str = ""
    order_why: str = ""
    function: Dnf | None = None
    others: Others | None = None
    readings: Readings | None = None

    def asks(self, name: str) -> bool:
        """Whether a name, as "similar", "lines" or "normed", is among the panels."""
        return name in (self.panels or ())

    def page(self, run: Run) -> Page:
        """Return where the panels lie."""
        if self.alone:
            return Alone.of(self.alone, self.size)
        if self.others is not None:
            return comparing.page(run, self, self.others)
        return Page.fitting(self.size, self._wanted(run), self.words)

    def _wanted(self, run: Run) -> tuple[str, ...]:
        wanted = usual(plane=self.ground_of(run).is_plane) if self.panels is None else self.panels
        return tuple(name for name in ALL if name in wanted and self.has(run, name))

    def crowded_out(self, run: Run) -> tuple[str, ...]:
        """Return the panels of the board for which there is no room."""
        if self.alone or self.others is not None:
            return ()
        there = self.page(run).shown
        return tuple(name for name in self._wanted(run) if name not in there)

    def has(self, run: Run, name: str) -> bool:
        """Whether there is something to show in a panel of `page.ALL`."""
        if name == "code":
            return any(explain.code(run))
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
        others = None if self.others is None else self.others.found_out()
        found = replace(self, where=self.ground_of(run), others=others, readings=self.readings_of(run))
        return found if self.limit is not None else replace(found, limit=limit(run, found))

    def readings_of(self, run: Run) -> Readings:
        """Return the three readings of a run."""
        return self.readings or Readings(run, self.held_out(run))

    def ground_of(self, run: Run) -> Ground:
        """Return where the examples are shown."""
        held = self.held_out(run)
        return self.where or ground.of(run, None if held is None else held[0], shown=self.shown, bits=self.bits)


def limit(run: Run, look: Look) -> float:
    """Return the end of the colour scale, fixed for the run: on the map, or at the examples where there is none."""
    where = look.ground_of(run)
    if where.is_plane:
        return grid.limit(run, where.shown, tokens.GRID, look.predictor)
    return grid.margin_limit(run, look.predictor)


def options(settings: Settings, split: Split) -> dict[str, Any]:
    """Return the fields of `Look` that the settings and their examples decide."""
    source = split.source
    stream = settings.stream == "on"
    moves = stream and settings.drift != 0.0
    return {
        "predictor": settings.predictor,
        "X_test": split.X_test,
        "y_test": split.y_test,
        "features": source.features,
        "classes": source.classes,
        "own": (source.lows, source.highs) if source.scaled else None,
        "shown": split.shown if conditions.has_plane(settings.values) else None,
        "bits": settings.data == BOOLEAN,
        "ask": settings.ask if conditions.is_object(settings.values) else "",
        "stream": stream,
        "turned": streams.angles(settings.n, settings.drift, settings.moves) if moves else None,
        "flipped": settings.flipped if stream else 0.0,
        "order": settings.order,
        "order_why": settings.reason_against("order") or "",
        "function": experiment.function(settings),
    }


def others(
    settings: Settings, split: Split, run: Run, pins: Sequence[Pin], progress: Progress | None = None
) -> Others | None:
    """Train the pinned models on the same examples; return them as `Look.others`, None where there is none.

    `progress` is called as by `train`.
    """
    if not pins or not len(split.y):
        return None
    made = [pin.on(settings) for pin in pins]
    runs = [experiment.run(each, split, progress) for each in made]
    ends = [comparison.summary(each, split, of) for each, of in zip((*made, settings), (*runs, run), strict=True)]
    pinned = [Pinned(of, Look(**options(each, split))) for each, of in zip(made, runs, strict=True)]
    cost = comparison.cost(settings)
    names, reference = comparison.names(pins, settings), comparison.reference(settings, split, cost)
    return Others(tuple(pinned), tuple(names), tuple(ends), reference, cost)
