"""What a student may change, and how far: "sigma 0.1 to 3, kernel gaussian or polynomial, added 0 to 2"."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any

from kpviz.lessons.explain import MINUS
from kpviz.lessons.file.names import called
from kpviz.settings import BY_NAME, PROPERTIES, Settings

POINTS = {  # what is counted of drawn points
    "points": "points in all",
    "added": "points that were added or moved",
    "removed": "points that were removed or moved",
}
_BY_ORDER = ("order", "oseed", "sequence")
_FREE = ("cues",)
_NUMBER = r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)"
_ITEM = re.compile(rf"([A-Za-z_]\w{{0,30}})(?: +(?:{_NUMBER} +to +{_NUMBER}|(.+)))?")


@dataclass(frozen=True)
class Limit:
    """A setting, or a count of `POINTS`, and what it may be: from `low` to `high`, one of `choices`, or anything."""

    name: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        """Whether it may be so."""
        if self.choices:
            return str(value) in self.choices
        if self.low is None or self.high is None:
            return True
        return isinstance(value, (int, float)) and self.low <= value <= self.high

    @property
    def plain(self) -> dict[str, Any]:
        """What the page shows: with the name that stands beside the board."""
        label = self.called
        return {**asdict(self), "label": f"{label} ({self.name})" if len(label) == 1 else label}

    @property
    def called(self) -> str:
        """What the page calls it."""
        return POINTS.get(self.name) or called(self.name)

    @property
    def allowed(self) -> str:
        """What it may be."""
        if self.choices:
            return " or ".join(self.choices)
        return "anything" if self.low is None or self.high is None else f"{_shown(self.low)} to {_shown(self.high)}"


def read(text: str, *, points: bool = False) -> tuple[Limit, ...]:
    """Return limits; `points`: those of drawn points may be among them.

    Raises
    ------
    ValueError
        One sentence: what cannot be read.

    >>> [f"{limit.called}: {limit.allowed}" for limit in read("sigma 0.1 to 3, kernel gaussian or linear, tie")]
    ['σ: 0.1 to 3', 'Kernel: gaussian or linear', 'A zero score is: anything']
    """
    found = [_limit(item.strip(), points=points) for item in text.split(",")]
    if len({limit.name for limit in found}) < len(found):
        raise ValueError("A name stands twice: give each setting one limit.")
    return tuple(found)


def _limit(item: str, *, points: bool) -> Limit:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise ValueError(f"{item[:40]!r} cannot be read: write as in sigma 0.1 to 3, kernel gaussian or linear.")
    name, low, high, words = match.groups()
    known = (*(prop.name for prop in PROPERTIES), *(POINTS if points else ()))
    if name not in known:
        near = get_close_matches(name, known, 2)
        raise ValueError(f"{name!r} is not a setting" + (f": did you mean {' or '.join(near)}?" if near else "."))
    chosen = () if words is None else tuple(part.strip() for part in re.split(r" or ", words))
    own = BY_NAME[name].choices if name in BY_NAME else ()
    if chosen and (wrong := [each for each in chosen if each not in own]):
        advice = f"give one of {', '.join(own)}" if own else f"write {name} 1 to 2"
        raise ValueError(f"{name} cannot be {wrong[0][:24]!r}: {advice}.")
    if low is None:
        return Limit(name, choices=chosen)
    if own:
        raise ValueError(f"{name} is one of several names: write as in {name} {own[0]} or {own[-1]}.")
    if float(low) > float(high):
        raise ValueError(f"{name} cannot go from {low} to {high}: write the smaller number first.")
    return Limit(name, float(low), float(high))


def broken(limits: tuple[Limit, ...], start: Settings, found: Settings, *, free: tuple[str, ...] = ()) -> str | None:
    """Return what of settings goes beyond the limits, in one sentence; None: nothing does. `free` may be anything."""
    allowed = {limit.name: limit for limit in limits}
    if "order" in allowed:
        free = (*free, *_BY_ORDER[1:])
    for prop in PROPERTIES:
        name = prop.name
        if name in (*free, *_FREE) or found.reason_against(name) is not None:
            continue
        limit = allowed.get(name)
        if limit is None:
            if _changed(name, start, found):
                may = ", ".join(each.called for each in limits) or "no setting"
                return f"This may not be changed here: {called(name)}. What may: {may}."
        elif not limit.allows(found.values[name]):
            value = _shown(found.values[name])
            return f"{limit.called} {value} is not allowed here. What is: {limit.allowed}."
    return None


def _changed(name: str, start: Settings, found: Settings) -> bool:
    """Whether a setting that applies was changed, and not only follows from another that was."""
    if start.reason_against(name) is not None:
        return not found.is_default(name)
    if start.is_default(name) and found.is_default(name):
        return False
    return bool(start.values[name] != found.values[name])


def _shown(value: object) -> str:
    return f"{value:g}".replace("-", MINUS) if isinstance(value, (int, float)) else str(value)[:24]
