"""What the player sends while one edits: all points at once, a number that is turned, an order by hand.

Each message holds the whole of what it changes, so that one that is lost or overtaken by a later one does no harm.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from kpviz import experiment
from kpviz.app.session import Session
from kpviz.app.shared import table
from kpviz.engine.data import sequence
from kpviz.engine.data.drawn import Drawn
from kpviz.settings import BY_NAME, DRAWN, HAND, MAX_POINTS, Settings, conditions, names_of
from kpviz.settings.cues import LONGEST, Cues

_LONGEST = 8000  # signs of a message
_TURNED = ("noise", "flipped", "drift")  # besides the parameters of kernels and learners


def carry_out(session: Session, name: str, entry: Mapping[str, Any]) -> None:
    """Carry out one message; what makes no sense is passed over."""
    gesture = entry.get("gesture")
    gesture = gesture if type(gesture) is int else None  # True is an int, too
    candidate = EDITS[name](session, entry.get("value"))
    session.live = candidate is not None and gesture is not None and entry.get("last") is not True
    if candidate is not None:
        session.problem = None
        session.put(candidate, gesture=gesture, keep_instant=True)


def back(session: Session) -> None:
    """Go back to the data that were there before they were edited; the model stays as it is."""
    origin = session.origin
    if origin is not None:
        data = {name: origin.values[name] for name in names_of("data") if origin.reason_against(name) is None}
        session.put(session.settings.replace(**data), keep_instant=True)


def cancel(session: Session, gesture: Any) -> None:
    """Go back to where a gesture began, unless it is there already."""
    if type(gesture) is int and session.gesture == gesture:
        session.abandon()


def with_points(session: Session, points: Drawn) -> Settings:
    """Return the settings with these points in place of the data."""
    settings = session.settings
    names = settings.names if settings.data == DRAWN else experiment.names(_split(settings)).code
    return settings.replace(data=DRAWN, points=points.code, names=names, stream="off")


def knobs(settings: Settings) -> list[dict[str, Any]]:
    """Return the numbers that can be turned under these settings: name, label, range and value."""
    found = []
    for prop in BY_NAME.values():
        if _turns(prop.name, settings):
            limits = prop.range_for(settings.values)
            found.append(
                {
                    "name": prop.name,
                    "label": prop.label,
                    "low": limits.low,
                    "high": limits.high,
                    "log": limits.log,
                    "integer": limits.integer,
                    "value": settings.values[prop.name],
                }
            )
    return found


def _turns(name: str, settings: Settings) -> bool:
    prop = BY_NAME[name]
    return (
        prop.range is not None
        and (prop.group in ("kernel", "learner") or name in _TURNED)
        and settings.reason_against(name) is None
    )


def _points(session: Session, value: Any) -> Settings | None:
    if not isinstance(value, Mapping) or not isinstance(value.get("code"), str):
        return None
    movable = session.settings.stream != "on" and conditions.has_plane(session.settings.values)
    if not movable or len(value["code"]) > _LONGEST:
        return None
    try:
        made = with_points(session, Drawn.read(value["code"], MAX_POINTS))
    except ValueError:
        return None
    order = value.get("order")
    return _ordered(made, order) if isinstance(order, list) and made.order == HAND else made


def _tune(session: Session, value: Any) -> Settings | None:
    if not isinstance(value, Mapping) or not isinstance(value.get("name"), str) or value["name"] not in BY_NAME:
        return None
    name: str = value["name"]
    number: Any = value.get("to")
    numeric = isinstance(number, (int, float)) and not isinstance(number, bool)
    if not numeric or not abs(number) <= sys.float_info.max or not _turns(name, session.settings):
        return None
    return session.settings.replace(**{name: number})


def _order(session: Session, value: Any) -> Settings | None:
    if session.settings.reason_against("order") is not None or not isinstance(value, list):
        return None
    return _ordered(session.settings, value)


def _ordered(settings: Settings, order: list[Any]) -> Settings | None:
    if len(order) > MAX_POINTS or not all(type(i) is int for i in order) or sorted(order) != list(range(len(order))):
        return None
    return settings.replace(order=HAND, sequence=sequence.encode(order))


def _split(settings: Settings) -> experiment.Split:
    return experiment.prepare(settings, table(settings))


def _cues(session: Session, value: Any) -> Settings | None:
    with suppress(ValueError):
        cues = Cues.of(value)
        if len(cues.code) <= LONGEST:
            return session.settings.replace(cues=cues.code)
    return None


EDITS: dict[str, Callable[[Session, Any], Settings | None]] = {
    "points": _points,
    "tune": _tune,
    "order": _order,
    "cues": _cues,
}
