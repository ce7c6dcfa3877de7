"""What is on the board while pinned runs stand beside the current one: maps, what each says, the table, a timeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from kpviz.comparison import LETTERS, Summary
from kpviz.engine import grid
from kpviz.engine.run import Run
from kpviz.views.beside import Caption, Inside, Shaded, disagreement
from kpviz.views.compared import Compared
from kpviz.views.course import Course, switches
from kpviz.views.display import Display
from kpviz.views.errors import SAID, Errors
from kpviz.views.lanes import Courses, Lanes
from kpviz.views.map import Map
from kpviz.views.numbers import Numbers
from kpviz.views.page import usual
from kpviz.views.places import Places
from kpviz.views.saying import Counter, Sentence
from kpviz.views.sayings import Sayings
from kpviz.views.similar import Similar

if TYPE_CHECKING:
    from kpviz.views.look import Look
    from kpviz.views.plane import Motion, Said

_WORDED = 300.0  # pixels of a map whose dial has its angle in words
_ROUNDED = 1e-9  # of a map's limit: f is 0 everywhere but for rounding, as it is on a map at rest
_POINTS = 420.0  # pixels of a map below which its points no longer shrink: `pointScale` of the player

# From the run, the instant, the look, what a cue brings and the motion to what is on a map, as `plane.plane`.
Plane = Callable[[Run, int, "Look", "Said", "Motion | None"], dict[str, Display]]
# Of each run what the names of its panels end with, the run and its look.
Runs = Sequence[tuple[str, Run, "Look"]]


@dataclass(frozen=True, eq=False)
class Pinned:
    """A run beside the current one, and how its settings are drawn."""

    run: Run
    look: Look


@dataclass(frozen=True, eq=False)
class Others:
    """The pinned runs in the order of their letters, and what the table needs of all.

    Parameters
    ----------
    pinned : the runs, from one to three.
    names : what tells each model from the others, the current one the last. ends : the numbers of each at its end.
    reference : those of scikit-learn's SVC with this `cost`, None where it has none.
    """

    pinned: tuple[Pinned, ...]
    names: tuple[str, ...]
    ends: tuple[Summary, ...]
    reference: Summary | None = None
    cost: float = 1.0

    @property
    def letters(self) -> str:
        """Those of all runs, the current one the last."""
        return LETTERS[: len(self.pinned) + 1]

    @property
    def runs(self) -> tuple[Run, ...]:
        """The pinned runs."""
        return tuple(each.run for each in self.pinned)

    def end(self, run: Run) -> int:
        """Return the instant at which the longest run ends; `run` is the current one."""
        return max(run.n_steps, *(each.n_steps for each in self.runs))

    def all(self, run: Run, look: Look) -> list[tuple[str, Run, Look]]:
        """Return of each run what the names of its panels end with, the run and its look; the current one the last."""
        lines = tuple(name for name in look.panels or () if name == "lines")
        similar = tuple(name for name in look.panels or () if name == "similar")
        shared: dict[str, Any] = {"theme": look.theme, "margins": look.margins}
        pinned = [(f"-{k}", each.run, replace(each.look, panels=lines, **shared)) for k, each in enumerate(self.pinned)]
        return [*pinned, ("", run, replace(look, others=None, panels=(*lines, *similar)))]

    def found_out(self) -> Others:
        """Return the others with places and scales, which need be found out only once."""
        pinned = tuple(Pinned(each.run, each.look.on(each.run)) for each in self.pinned)
        return replace(self, pinned=pinned)


@dataclass(frozen=True)
class Draws:
    """What draws a map, and the panels by name: those of `board`, which imports from here."""

    plane: Plane
    panels: dict[str, Callable[[Run, int, Look], Display]]


def page(run: Run, look: Look, others: Others) -> Compared:
    """Return where the panels lie."""
    wanted = usual(plane=look.ground_of(run).is_plane) if look.panels is None else look.panels
    under = "margins" if look.stream else "alpha"
    shown = under if under in wanted and look.has(run, under) else ""
    return Compared(look.size, (), look.words, runs=len(others.letters), under=shown)


def describe(run: Run, t: int, look: Look, others: Others, said: Said, draws: Draws) -> dict[str, Display]:
    """Return what is on the board at an instant of the longest run, by "panel" or "panel/what".

    The panels of pinned runs are "map-0", "alpha-0" and so on; a run that has ended stays at its end.
    """
    place, runs = page(run, look, others), others.all(run, look)
    found = _maps(runs, t, said, draws.plane, place)
    for (suffix, _, _), letter, name in zip(runs, others.letters, others.names, strict=True):
        found[f"caption{suffix}"] = Caption(letter, name, look.theme)
    if place.under in place.boxes:
        found |= _below(runs, t, place.under, draws)
    found |= _timeline(run, t, look, others, place)
    return {**found, "sayings": _sayings(runs, t, others, said, place), "table": _table(runs, t, others, look.theme)}


def moved(
    run: Run, t: int, look: Look, others: Others, said: Said, motion: Motion, shown: dict[str, Display], plane: Plane
) -> dict[str, Display]:
    """Return what changes on the maps while a step is shown happening; `shown` is the board at rest.

    Where the runs disagree changes on every map, with the fields that are seen.
    """
    found: dict[str, Display] = {}
    runs, at_rest = others.all(run, look), cast("dict[str, Any]", shown)
    grounds: list[Any] = [at_rest[f"map{suffix}"].ground for suffix, _, _ in runs]
    for k, moving in enumerate([*motion.others, motion]):
        suffix, each, own = runs[k]
        if moving is not None and moving.bump is not None:
            larger = at_rest[f"map{suffix}/points"].larger
            marks = _larger(plane(each, min(t, each.n_steps), own, _lit(said), moving), larger)
            grounds[k], found[f"map{suffix}/points"] = _level(marks["map"]), marks["map/points"]
    shade = _shade(runs, t, grounds)
    for (suffix, _, _), ground in zip(runs, grounds, strict=True):
        shaded = None if isinstance(ground, Similar) else shade
        found[f"map{suffix}"] = replace(at_rest[f"map{suffix}"], ground=ground, shade=shaded)
    return found


def _maps(runs: Runs, t: int, said: Said, plane: Plane, place: Compared) -> dict[str, Display]:
    """Return the maps of all runs; the first one says what the marks mean."""
    drawn: list[dict[str, Any]] = [plane(run, min(t, run.n_steps), own, _lit(said), None) for _, run, own in runs]
    shade = _shade(runs, t, [marks["map"] for marks in drawn])
    first = min(place.boxes[f"map{suffix}"].left for suffix, _, _ in runs)
    found: dict[str, Display] = {}
    for (suffix, _, own), marks in zip(runs, drawn, strict=True):
        ground, box = marks["map"], place.boxes[f"map{suffix}"]
        large = _larger(marks, max(_POINTS / box.width, 1.0))
        shown = None if isinstance(ground, Similar) else shade
        found[f"map{suffix}"] = Shaded(large["map"], shown, box.left == first)
        legend = marks["map/legend"] if suffix == runs[0][0] else None
        found[f"map{suffix}/inside"] = Inside(marks["scale"], legend, isinstance(ground, Places), own.theme)
        found[f"map{suffix}/points"] = large["map/points"]
        if "map/dial" in marks:
            found[f"map{suffix}/dial"] = replace(marks["map/dial"], worded=box.width >= _WORDED)
    return found


def _below(runs: Runs, t: int, name: str, draws: Draws) -> dict[str, Display]:
    """Return the panel below each map; the courses of streams share their scales."""
    panels: list[Any] = [draws.panels[name](run, min(t, run.n_steps), own) for _, run, own in runs]
    if isinstance(panels[0], Course):
        panels = Course.beside(panels)
    return {f"{name}{suffix}": panel for (suffix, _, _), panel in zip(runs, panels, strict=True)}


def _larger(marks: dict[str, Any], times: float) -> dict[str, Any]:
    """Return what is on a small map, its points and halos so many times larger."""
    ground, points = marks["map"], replace(marks["map/points"], larger=times)
    return {"map": replace(ground, larger=times) if isinstance(ground, Places) else ground, "map/points": points}


def _level(ground: Any) -> Any:
    """Return a map on which f is 0 where it is so but for rounding."""
    if isinstance(ground, Map) and np.abs(ground.field).max() < _ROUNDED * ground.limit:
        return replace(ground, field=np.zeros_like(ground.field))
    return ground


def _lit(said: Said) -> Said:
    """What a cue lights on every map."""
    return replace(said, words="", panels=(), others=())


def _shade(runs: Runs, t: int, grounds: Sequence[Display]) -> NDArray[np.bool_] | None:
    """Return where the runs disagree at the nodes, None where f has no plane."""
    fields = []
    for (_, run, look), ground in zip(runs, grounds, strict=True):
        if not isinstance(ground, Map):
            return None
        own = isinstance(ground, Similar)  # which shows no f
        at = min(t, run.n_steps)
        fields.append(grid.field(run, at, ground.x1, ground.x2, look.predictor) if own else ground.field)
    return disagreement(fields)


def _sayings(runs: Runs, t: int, others: Others, said: Said, place: Compared) -> Sayings:
    """Return what each run says; the words of a cue, and those that are said of all runs, stand alone."""
    spoken = [*(said.others or [""] * len(others.pinned)), said.words]
    counters, sentences = [], []
    for (_, run, look), words in zip(runs, spoken, strict=True):
        own = min(t, run.n_steps)
        counters.append(Counter.of(run, own, stream=look.stream, theme=look.theme))
        sentences.append(Sentence.of(run, own, said=words, stream=look.stream, theme=look.theme))
    if said.words and set(said.others) <= {said.words}:
        sentences = sentences[-1:]
    shown = sentences if place.words else []
    return Sayings(others.letters, counters, shown, place.said_columns, runs[-1][2].theme)


def _table(runs: Runs, t: int, others: Others, theme: str) -> Numbers:
    mistakes = [int(run.mistake[:t].sum()) for _, run, _ in runs]
    support = [len(run.state_at(min(t, run.n_steps)).support) for _, run, _ in runs]
    return Numbers(others.letters, mistakes, support, others.ends, others.reference, others.cost, theme)


def _timeline(run: Run, t: int, look: Look, others: Others, place: Compared) -> dict[str, Display]:
    runs = [*others.runs, run]
    how: dict[str, Any] = {"floor": place.floor, "theme": look.theme}
    held, wide = look.held_out(run), place.boxes["timeline"].width
    if look.stream:
        return {"timeline": Courses.beside(runs, others.letters, t, switches=switches(look.turned), **how)}
    if held is None:
        return {"timeline": Lanes.beside(runs, others.letters, t, **how)}
    lanes = Lanes.beside(runs, others.letters, t, free=1.0 - SAID / wide, **how)
    return {"timeline": lanes, "timeline/errors": Errors.of(look.readings_of(run), predictor=look.predictor, **how)}
