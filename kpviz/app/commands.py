"""What the player asks for: one function for each command, in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kpviz.app import editing, opening
from kpviz.app.session import Session
from kpviz.engine.checks import Range
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS
from kpviz.lessons import comparison
from kpviz.lessons.comparison import Pin
from kpviz.player.extras import EXTRAS
from kpviz.settings import BY_NAME, DRAWN, FILE

_CYCLE = ("linear", "polynomial", "gaussian", "laplacian")  # what K walks through
_WIDER = 1.25
_LONGEST = 100  # commands of a log
DIALOGS = ("picture", "table", "take home", "lecture")


def carry_out(session: Session, log: Any) -> None:
    """Carry out the commands of a log that are new; what is not a command is ignored."""
    for entry in log[-_LONGEST:] if isinstance(log, list) else []:
        number, name, t = map(entry.get, ("n", "name", "t")) if isinstance(entry, dict) else (None, None, None)
        if type(number) is not int or not isinstance(name, str) or number <= session.carried_out:
            continue
        session.carried_out = number
        if name in COMMANDS:
            COMMANDS[name](session)
        elif name in editing.EDITS:
            editing.carry_out(session, name, entry)
        elif name == "cancel":
            editing.cancel(session, entry.get("value"))
        elif name == "open":
            opening.dropped(session, entry.get("value"))
        elif name in DIALOGS and type(t) is int and t >= 0:
            session.dialog, session.picture = name, t
            session.address = str(entry.get("value") or "")


def pin(session: Session) -> None:
    """Pin the model as it is, if there is room."""
    if len(session.pins) < comparison.MOST:
        session.pins = (*session.pins, Pin.of(session.settings))
    else:
        session.notice = (
            "Three runs are pinned, and there is room for no more: let go of one under Compare, or press Shift P."
        )


def unpin(session: Session, number: int | None = None) -> None:
    """Let go of one pin, or of all."""
    session.pins = () if number is None else (*session.pins[:number], *session.pins[number + 1 :])


def _next_kernel(session: Session) -> None:
    now, data = session.settings.kernel, session.settings.data
    names = OBJECTS[data].kernels if data in OBJECTS else _CYCLE
    if names == (now,):
        session.notice = f"One kernel alone compares these examples here: {KERNELS[now].name}."
        return
    at = names.index(now) if now in names else -1
    session.set(kernel=names[(at + 1) % len(names)])


def _next_data(session: Session) -> None:
    names = [name for name in BY_NAME["data"].choices if name not in (FILE, DRAWN)]
    at = names.index(session.settings.data) if session.settings.data in names else -1
    session.set(data=names[(at + 1) % len(names)], seed=0)


def _width(factor: float) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        if session.settings.reason_against("sigma") is None:
            limits: Range = KERNELS[session.settings.kernel].ranges["sigma"]
            sigma = min(max(session.settings.sigma * factor, limits.low), limits.high)
            session.set(sigma=float(f"{sigma:.3g}"))

    return change


def _asking(name: str, on: bool) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        session.asked = session.asked | {name} if on else session.asked - {name}

    return change


def _reseed(name: str) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        session.set(**{name: (session.settings.values[name] + 1) % 10_000})

    return change


def new_order(session: Session) -> None:
    """Draw another order, or shuffle one that was not drawn."""
    if session.settings.reason_against("oseed") is None:
        _reseed("oseed")(session)
    else:
        session.set(order="shuffled")


def _square(session: Session) -> None:
    """Choose the kernel whose features can be seen in space."""
    session.set(kernel="monomial", degree=2, combine="none", normalize="off")


new_data = _reseed("seed")


COMMANDS: dict[str, Callable[[Session], None]] = {
    "undo": Session.undo,
    "redo": Session.redo,
    "original": editing.back,
    "kernel": _next_kernel,
    "data": _next_data,
    "wider": _width(_WIDER),
    "narrower": _width(1.0 / _WIDER),
    "redraw": new_data,
    "reorder": new_order,
    "square": _square,
    "pin": pin,
    "unpin": unpin,
    **{f"with {name}": _asking(name, True) for name in EXTRAS},
    **{f"without {name}": _asking(name, False) for name in EXTRAS},
}
