"""The link of the page on Fisher's discriminant: what is shown, and where F points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from kpviz.engine.checks import Range
from kpviz.engine.fisher.data import SETS
from kpviz.settings import BY_NAME, VERSION, Property
from kpviz.settings.property_type import NAMELESS, shown

_MOST = 400  # points
_SHOWN = 3  # problems that the notice names


def _drawn_examples(values: Mapping[str, Any]) -> str | None:
    """Examples that are drawn at random."""
    return "all examples are shown as they were measured" if SETS[values["data"]].many else None


PROPERTIES: tuple[Property, ...] = (
    Property("data", "Data set", "clouds", choices=tuple(SETS)),
    Property(
        "n",
        "Points",
        lambda values: SETS[values["data"]].n,
        range=lambda values: Range(
            8, min(_MOST, SETS[values["data"]].available), 80, "n", "number of points", integer=True
        ),
        needs=_drawn_examples,
    ),
    Property(
        "noise",
        "Noise",
        lambda values: SETS[values["data"]].noise,
        range=Range(0.0, 0.5, 0.05, "noise", "standard deviation of the jitter, in data units", step=0.01),
        needs=_drawn_examples,
    ),
    Property("seed", "Data seed", 0, range=Range(0, 9999, 0, "", "seed", integer=True), needs=_drawn_examples),
    *(BY_NAME[name] for name in ("pair", "x", "y")),
)


@dataclass(frozen=True)
class FisherSettings:
    """A value for each of `PROPERTIES`; equal exactly when the links are.

    >>> FisherSettings.repaired({"data": "moons", "seed": 3, "noise": 9})
    (FisherSettings(data='moons', n=80, noise=0.5, seed=3, pair='12', x=0, y=1), ['noise=9 is outside 0 to 0.5'])
    """

    data: str
    n: int
    noise: float
    seed: int
    pair: str
    x: int
    y: int

    @classmethod
    def of(cls, **given: Any) -> FisherSettings:
        """Return settings with the given values, repaired where they are not allowed, and defaults elsewhere."""
        return cls.repaired(given)[0]

    @classmethod
    def repaired(cls, given: Mapping[str, Any]) -> tuple[FisherSettings, list[str]]:
        """Return settings from any values, and what had to be repaired, one phrase each."""
        values: dict[str, Any] = {}
        known = {prop.name for prop in PROPERTIES}
        problems = [f"{shown(name) or NAMELESS} is not a setting" for name in given if name not in known]
        for prop in PROPERTIES:
            values[prop.name] = prop.default_for(values)
            if prop.name in given and prop.not_applicable(values) is None:
                values[prop.name], problem = prop.repair(given[prop.name], values)
                if problem:
                    problems.append(f"{prop.name}={shown(given[prop.name])} {problem}")
        if values["x"] == values["y"]:
            if "y" in given:
                problems.append(f"y={shown(given['y'])} is the first feature too")
            values["y"] = 1 if values["x"] == 0 else 0
        return cls(**values), problems

    @property
    def values(self) -> dict[str, Any]:
        """All values by name."""
        return dict(vars(self))

    def applies(self, name: str) -> bool:
        """Whether a property has a meaning under these settings."""
        return _prop(name).not_applicable(self.values) is None

    def replace(self, **changes: Any) -> FisherSettings:
        """Return settings with some values changed; what was the default becomes the new default."""
        return FisherSettings.of(**{**self._chosen(), **changes})

    def query(self) -> str:
        """Return the canonical query: the version, and what differs from the defaults."""
        chosen = ((name, value if isinstance(value, str) else f"{value:g}") for name, value in self._chosen().items())
        return "&".join([f"v={VERSION}", *(f"{name}={quote(text)}" for name, text in chosen)])

    def _chosen(self) -> dict[str, Any]:
        values = self.values
        return {
            prop.name: values[prop.name]
            for prop in PROPERTIES
            if prop.not_applicable(values) is None and values[prop.name] != prop.default_for(values)
        }


@dataclass(frozen=True)
class FisherView:
    """Where the page opens: F's angle in degrees, "best" or None (the default), and a threshold moved by hand."""

    angle: float | str | None = None
    threshold: float | None = None


def read_link(query: Mapping[str, str]) -> tuple[FisherSettings, FisherView, str | None]:
    """Return what a link says, and one sentence about the parts that could not be used (None: all could)."""
    given = {name: value for name, value in query.items() if not name.startswith("embed")}
    version, angle, threshold = given.pop("v", str(VERSION)), given.pop("angle", None), given.pop("threshold", None)
    settings, problems = FisherSettings.repaired(given)
    if version != str(VERSION):
        problems.insert(0, f"v={shown(version)} is not a version that this kpviz knows")
    view = FisherView(_angle(angle), _number(threshold))
    if angle is not None and view.angle is None:
        problems.append(f"angle={shown(angle)} is not an angle from 0 to 360, or best")
    if threshold is not None and (view.threshold is None or SETS[settings.data].many):
        problems.append(f"threshold={shown(threshold)} is not a threshold")
        view = FisherView(view.angle)
    if not problems:
        return settings, view, None
    more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
    return (
        settings,
        view,
        f"Parts of this link could not be used and were replaced: {'; '.join(problems[:_SHOWN])}{more}.",
    )


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


def _prop(name: str) -> Property:
    return next(prop for prop in PROPERTIES if prop.name == name)
