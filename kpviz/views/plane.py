"""What is on the map at an instant: f, the examples, what lies above them, and the scale beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpviz import tokens
from kpviz.engine import primal_shown
from kpviz.engine.checks import FloatArray
from kpviz.engine.ground import Ground
from kpviz.engine.primal_shown import Arrow as Reach
from kpviz.engine.run import Run
from kpviz.views import similar
from kpviz.views.arrivals import Arrivals, Dial
from kpviz.views.arrow import Arrow
from kpviz.views.boundaries import Boundaries
from kpviz.views.display import Display
from kpviz.views.look import Look
from kpviz.views.map import Bump, Map
from kpviz.views.places import Places
from kpviz.views.points import Points
from kpviz.views.similar import Similar


@dataclass(frozen=True)
class Said:
    """What a cue brings: words in place of the sentence, examples and panels that light up.

    `others` are words in place of what the pinned runs say; empty: what they say.
    """

    words: str = ""
    examples: tuple[int, ...] = ()
    panels: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


NOTHING = Said()


@dataclass(frozen=True, eq=False)
class Motion:
    """How far a step has happened: the field between before and after, the bump, and the ring's spread.

    Without a bump nothing happens. `others` are the motions of the pinned runs.
    """

    field: FloatArray | None
    bump: Bump | None
    spread: float | None
    others: tuple[Motion | None, ...] = ()


def plane(run: Run, t: int, look: Look, said: Said = NOTHING, motion: Motion | None = None) -> dict[str, Display]:
    """Return what is on the map."""
    theme = look.theme
    where = look.ground_of(run)
    field, points = (_field if where.is_plane else _at_places)(run, t, look, motion), _points(run, t, look, said, where)
    if motion is not None:
        points = replace(points, spread=motion.spread)
    found: dict[str, Display] = {"map": field, "map/points": points}
    if look.asks("primal") and len(run.y) and (where_w := reach(run, look)):
        found["map/arrow"] = Arrow.of(run, t, where_w, theme=theme)
    if look.turned is not None:
        found["map/dial"] = Dial(float(look.turned[max(t - 1, 0)]), theme)
    title = run.kernel.label if run.kernel is not None else ""
    return {**found, "map/legend": look.legend(run, title), "scale": field.scale}


def _field(run: Run, t: int, look: Look, motion: Motion | None) -> Map:
    """Return f on the plane."""
    options: dict[str, Any] = {"limit": look.limit, "features": look.features, "own": look.own}
    lines = (look.margins or look.asks("lines")) and not look.stream and len(run.y) > 0
    options |= {"margins": lines, "predictor": look.predictor, "theme": look.theme}
    shown = look.ground_of(run).shown
    if look.predictor == "voted":  # counted on from the instant before
        options["known"] = look.readings_of(run).field(t, *shown.axes(tokens.GRID), "voted")
    field = Map.of(run, t, extent=shown, **options)
    field = replace(field, outlines=look.ground_of(run).outlines)
    if look.stream:
        field = replace(field, optimum=None)  # which weighs all examples at once
    if motion is not None and motion.field is not None:
        field = replace(field, field=motion.field, bump=motion.bump)
    if look.asks("similar") and not look.stream:
        held = look.held_out(run)
        return Similar.over(field, run, t, run.X if held is None else np.concatenate([run.X, held[0]]))
    if look.asks("readings") and look.has(run, "readings"):
        return Boundaries.over(field, look.readings_of(run), t, look.predictor, look.ground_of(run).places)
    return field


def _at_places(run: Run, t: int, look: Look, motion: Motion | None) -> Places:
    """Return f at the examples, which have no plane."""
    held = look.held_out(run)
    X_test, where = run.X[:0] if held is None else held[0], look.ground_of(run)
    places = Places.of(run, t, where, X_test, predictor=look.predictor, limit=look.limit, theme=look.theme)
    if not look.ask and "remembered" in look.page(run).shown:
        places = replace(places, current="")  # which is written there
    if look.asks("similar"):
        return similar.at_places(places, run, t, X_test if len(where.places) > len(run.X) else None)
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


def reach(run: Run, look: Look) -> Reach | None:
    """Return where w is on the map; None where it is no vector of the plane."""
    where, told = look.ground_of(run), primal_shown.shown(run)
    return Reach.of(told.path, where.shown) if told.plane and where.is_plane else None
