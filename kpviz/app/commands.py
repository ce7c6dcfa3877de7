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


def carry_out(here: Session, log: Any) -> None:
    """Carry out the commands of a log that are new; what is no command is passed over."""
    for entry in log[-_LONGEST:] if isinstance(log, list) else []:
        number, name, t = map(entry.get, ("n", "name", "t")) if isinstance(entry, dict) else (None, None, None)
        if type(number) is not int or not isinstance(name, str) or number <= here.carried_out:
            continue
        here.carried_out = number
        if name in COMMANDS:
            COMMANDS[name](here)
        elif name in editing.EDITS:
            editing.carry_out(here, name, entry)
        elif name == "cancel":
            editing.cancel(here, entry.get("value"))
        elif name == "open":
            opening.dropped(here, entry.get("value"))
        elif name in DIALOGS and type(t) is int and t >= 0:
            here.dialog, here.picture = name, t
            here.address = str(entry.get("value") or "")


def pin(here: Session) -> None:
    """Pin the model as it is, if there is room."""
    if len(here.pins) < comparison.MOST:
        here.pins = (*here.pins, Pin.of(here.settings))
    else:
        here.notice = (
            "Three runs are pinned, and there is room for no more: let go of one under Compare, or press Shift P."
        )


def unpin(here: Session, number: int | None = None) -> None:
    """Let go of one pin, or of all."""
    here.pins = () if number is None else (*here.pins[:number], *here.pins[number + 1 :])


def _next_kernel(here: Session) -> None:
    now, data = here.settings.kernel, here.settings.data
    names = OBJECTS[data].kernels if data in OBJECTS else _CYCLE
    if names == (now,):
        here.notice = f"One kernel alone compares these examples here: {KERNELS[now].name}."
        return
    at = names.index(now) if now in names else -1
    here.set(kernel=names[(at + 1) % len(names)])


def _next_data(here: Session) -> None:
    names = [name for name in BY_NAME["data"].choices if name not in (FILE, DRAWN)]
    at = names.index(here.settings.data) if here.settings.data in names else -1
    here.set(data=names[(at + 1) % len(names)], seed=0)


def _width(factor: float) -> Callable[[Session], None]:
    def change(here: Session) -> None:
        if here.settings.reason_against("sigma") is None:
            limits: Range = KERNELS[here.settings.kernel].ranges["sigma"]
            sigma = min(max(here.settings.sigma * factor, limits.low), limits.high)
            here.set(sigma=float(f"{sigma:.3g}"))

    return change


def _asking(name: str, on: bool) -> Callable[[Session], None]:
    def change(here: Session) -> None:
        here.asked = here.asked | {name} if on else here.asked - {name}

    return change


def _reseed(name: str) -> Callable[[Session], None]:
    def change(here: Session) -> None:
        here.set(**{name: (here.settings.values[name] + 1) % 10_000})

    return change


def new_order(here: Session) -> None:
    """Draw another order, or shuffle one that was not drawn."""
    if here.settings.reason_against("oseed") is None:
        _reseed("oseed")(here)
    else:
        here.set(order="shuffled")


def _square(here: Session) -> None:
    """Choose the kernel whose features can be seen in space."""
    here.set(kernel="monomial", degree=2, combine="none", normalize="off")


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
