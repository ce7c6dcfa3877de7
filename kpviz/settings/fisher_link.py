"""The link of the page on Fisher's discriminant: what is shown, and where F points.

Tests: tests/player/test_fisher.py, tests/service/test_answer.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from kpviz.engine.checks import Range
from kpviz.engine.data import datasets
from kpviz.engine.data.drawn import Drawn, Names
from kpviz.engine.data.tables import Choice, Table
from kpviz.engine.fisher import data, discriminant
from kpviz.engine.fisher.data import SETS, FisherSource, Plane
from kpviz.settings import BY_NAME, DRAWN, FILE, MAX_POINTS, Property, Settings, conditions, read
from kpviz.settings.cues import Cue, Cues
from kpviz.settings.properties import beginning
from kpviz.settings.view import STAGES

_MOST = 400  # In points.
FROM_USER = {
    DRAWN: FisherSource("My own points", "", available=MAX_POINTS),
    FILE: FisherSource("My own file", "", available=MAX_POINTS),
}
FISHER_SOURCES = {**SETS, **FROM_USER}
FILE_IS_NOT_HERE = "The file that this link was made with is not here: open it again under Data."


def _drawn_examples(values: Mapping[str, Any]) -> str | None:
    """Examples that are drawn at random."""
    if values["data"] in FROM_USER:
        return "your own data are shown as they are"
    return "all examples are shown as they were measured" if SETS[values["data"]].many else None


PROPERTIES: tuple[Property, ...] = (
    Property("data", "Data set", "clouds", choices=tuple(FISHER_SOURCES)),
    Property(
        "n",
        "Points",
        lambda values: FISHER_SOURCES[values["data"]].n,
        range=lambda values: Range(
            8,
            min(_MOST, FISHER_SOURCES[values["data"]].available),
            80,
            "n",
            "number of points",
            integer=True,
        ),
        needs=_drawn_examples,
    ),
    Property(
        "noise",
        "Noise",
        lambda values: FISHER_SOURCES[values["data"]].noise,
        range=Range(
            0.0, 0.5, 0.05, "noise", "standard deviation of the jitter, in data units", step=0.01
        ),
        needs=_drawn_examples,
    ),
    Property(
        "seed",
        "Data seed",
        0,
        range=Range(0, 9999, 0, "", "seed", integer=True),
        needs=_drawn_examples,
    ),
    Property("kinds", "Classes", "all", choices=("all", "two"), needs=conditions.data(FILE)),
    *(
        BY_NAME[name]
        for name in (
            "pair",
            "x",
            "y",
            "file",
            "encoding",
            "decimals",
            "cols",
            "scale",
            "points",
            "names",
            "cues",
        )
    ),
)


class FisherSettings(Settings):
    """A value for each of `PROPERTIES`.

    >>> FisherSettings.of(data="moons", seed=3, noise=9).query()
    'v=1&data=moons&noise=0.5&seed=3'
    """

    known: ClassVar[Mapping[str, Property]] = {prop.name: prop for prop in PROPERTIES}


@dataclass(frozen=True)
class FisherView:
    """Where the page opens.

    F's angle in degrees, "best" or None (the default), and a threshold moved by hand.

    `stage`: the shape of the stage if it presents.
    """

    angle: float | str | None = None
    threshold: float | None = None
    stage: str | None = None


def read_link(query: Mapping[str, str]) -> tuple[FisherSettings, FisherView, str | None]:
    """Return what a link says, and one sentence about what could not be used (None: nothing)."""
    pairs = {name: value for name, value in query.items() if not name.startswith("embed")}
    angle, threshold, stage = (pairs.pop(name, None) for name in ("angle", "threshold", "stage"))
    problems = [f"stage is not one of {', '.join(STAGES)}"] if stage not in (None, *STAGES) else []
    view = FisherView(_angle(angle), _number(threshold), stage if stage in STAGES else None)
    if angle is not None and view.angle is None:
        problems.append(f"angle={beginning(angle)} is not an angle from 0 to 360, or best")
    if threshold is not None and (
        view.threshold is None or FISHER_SOURCES[FisherSettings.repaired(pairs)[0].data].many
    ):
        problems.append(f"threshold={beginning(threshold)} is not a threshold")
        view = replace(view, threshold=None)
    settings, notice = read(FisherSettings, pairs, problems)
    return settings, view, notice


def plane_of(settings: FisherSettings, table: Table | None = None) -> Plane:
    """Return the plane that is shown; `table` is needed when the data are a file's; ValueError, of
    one sentence, where one's own data cannot be shown.
    """
    if settings.data == DRAWN:
        names = Names.read(settings.names) or Names()
        return data.see(data.of_points(Drawn.read(settings.points, MAX_POINTS), names))
    if settings.data == FILE:
        if table is None:
            raise ValueError(FILE_IS_NOT_HERE)
        choice = Choice.read(settings.cols) or table.guess()
        every = settings.kinds == "all"
        return data.see(data.of_table(table, choice, all_classes=every, scale=settings.scale))
    examples = data.load(
        settings.data,
        settings.n,
        settings.noise,
        settings.seed,
        features=None if settings.reason_against("x") else (settings.x, settings.y),
        classes=None if settings.reason_against("pair") else datasets.classes_of(settings.pair),
    )
    return data.see(examples)


def special_angles(plane: Plane) -> tuple[float, float]:
    """Return the angle of the best direction, in degrees from 0 to 360, and of the second button's.

    For two classes that is the line from the mean of class 0 to that of class 1, for many the
    second direction.
    """
    if plane.is_of_many:
        return 0.0, 90.0
    F = discriminant.directions(plane.scatter)[0][:, 0]
    gap = plane.scatter.means[1] - plane.scatter.means[0]
    return math.degrees(math.atan2(F[1], F[0])) % 360.0, math.degrees(
        math.atan2(gap[1], gap[0])
    ) % 360.0


def held(settings: FisherSettings, cues: Cues) -> dict[float, Cue]:
    """Return the cues by the angles of F at which they stand, in the order of the angles."""
    cue_at: dict[float, Cue] = {}
    for cue in cues.cues:
        angle = angle_of(settings, cue.place)
        if angle is not None:
            cue_at.setdefault(angle, cue)
    return dict(sorted(cue_at.items()))


def angle_of(settings: FisherSettings, place: str) -> float | None:
    """Return the angle of F at the place of a cue, None for one that only runs have."""
    kind, _, degrees = place.partition(" ")
    if kind == "angle":
        return float(degrees) % 360.0 if float(degrees) <= 360.0 else None
    plane = plane_of(settings)
    best, other = special_angles(plane)
    if place == "start":
        return best if plane.is_of_many else other
    return best if place == "best" else None


def _angle(text: str | None) -> float | str | None:
    if text == "best":
        return text
    value = _number(text)
    return round(2.0 * value) / 2.0 % 360.0 if value is not None and 0.0 <= value <= 360.0 else None


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None and len(text) <= 24 and text.isascii() else math.nan
    except ValueError:
        return None
    return value if abs(value) < 1e6 else None
