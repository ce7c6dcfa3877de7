"""The session, the link it was opened by, and what all sessions share. The only file that touches them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from kpviz import comparison, experiment
from kpviz.canvas import fisher as fisher_payload
from kpviz.canvas import fisher_link, player
from kpviz.canvas.extras import EXTRAS
from kpviz.canvas.fisher_link import FisherSettings, FisherView
from kpviz.canvas.player import ViewState
from kpviz.comparison import Pin
from kpviz.engine import fisher_data as fisher_data_sets
from kpviz.engine.checks import Range
from kpviz.engine.kernels import KERNELS
from kpviz.engine.tables import TableError, read_table
from kpviz.settings import BY_NAME, FILE, Settings, from_query
from kpviz.ui.shared import packed, payloads, table, tables

HERE = Path(__file__).parent
ICON = str(HERE / "icon.png")
STAGE = "stage"

_CYCLE = ("linear", "polynomial", "gaussian", "laplacian")  # what K walks through
_WIDER = 1.25


@dataclass
class Session:
    """What one browser tab has set. `previous` is where Cancel goes back to."""

    settings: Settings
    view: ViewState = field(default_factory=ViewState)
    notice: str | None = None
    problem: str | None = None
    previous: Settings | None = None
    asked: frozenset[str] = frozenset()  # extras that panels show
    pins: tuple[Pin, ...] = ()
    lesson: str | None = None  # what to look for, said once
    picture: int | None = None
    carried_out: int = 0

    def set(self, **changes: Any) -> None:
        """Change settings; what was as usual stays as usual for the new data or kernel.

        Where a file cannot be used like that, its settings stay and a notice says why.
        """
        candidate = self.settings.replace(**changes)
        self.problem = None
        if (why := why_not(candidate)) is None:
            self.settings = candidate
        else:
            self.notice = why


def session() -> Session:
    """Return this tab's session; the first call reads the link."""
    if "session" not in st.session_state:
        st.session_state["session"] = _opened({key: st.query_params[key] for key in st.query_params})
    return st.session_state["session"]  # type: ignore[no-any-return]


def _opened(query: dict[str, str]) -> Session:
    view, view_problems = player.read_view(query)
    known = {key: value for key, value in query.items() if not key.startswith("embed")}
    settings, notice = from_query({key: value for key, value in known.items() if not comparison.is_key(key)})
    pins, pin_problems = comparison.read(known, settings)
    view_problems += pin_problems
    if view_problems:
        extra = f"Parts of this link could not be used: {'; '.join(view_problems)}."
        notice = extra if notice is None else f"{notice} {extra}"
    opened = Session(settings, view, notice, asked=frozenset(EXTRAS) & frozenset(view.show or ()), pins=pins)
    if settings.data == FILE and table(settings) is None:
        opened.settings = settings.replace(data="xor")
        opened.notice = (
            "This link was made with a file that is not here: open the file again under Data, My own file. "
            "Until then you see XOR."
        )
    elif (why := why_not(settings)) is not None:
        opened.settings, opened.notice = settings.replace(data="xor"), f"{why} Until then you see XOR."
    return opened


# ---- widgets ------------------------------------------------------------------------------------


def bind(name: str) -> dict[str, Any]:
    """Return key and callback of the widget that sets the property `name`."""
    key = f"set-{name}"
    st.session_state[key] = session().settings.values[name]
    return {"key": key, "on_change": _from_widget, "args": (name, key)}


def bind_text(name: str, key: str, value: Any, apply: Callable[[Any], None]) -> dict[str, Any]:
    """Return key and callback of a widget that shows `value` and hands a new one to `apply`."""
    key = f"{name}-{key}"
    st.session_state[key] = value
    return {"key": key, "on_change": lambda: apply(st.session_state[key])}


def _from_widget(name: str, key: str) -> None:
    if st.session_state[key] is not None:  # a segmented control that is clicked again says None
        session().set(**{name: st.session_state[key]})


def uploaded(key: str) -> None:
    """Take the file of an uploader; a wrong one leaves the data as they are."""
    upload = st.session_state[key]
    if upload is None:
        return
    here = session()
    try:
        content = upload.getvalue()
        table = read_table(content, upload.name)
        name = f"{upload.name[:40]}~{hashlib.sha256(content).hexdigest()[:12]}"
        most = BY_NAME["n"].range_for({"data": FILE, "stream": "off"}).high
        candidate = here.settings.replace(data=FILE, file=name, cols="", n=most)
        experiment.prepare(candidate, table)
    except (TableError, ValueError) as error:
        here.problem = str(error)
        return
    tables().put(name, table)
    here.settings, here.problem = candidate, None


def try_columns(columns: tuple[str, str, str, str, str]) -> None:
    """Choose other columns or classes of the file, if they can be used."""
    here = session()
    candidate = here.settings.replace(cols=experiment.COLUMN_SEPARATOR.join(columns))
    here.problem = why_not(candidate)
    if here.problem is None:
        here.settings = candidate


def why_not(settings: Settings) -> str | None:
    """Return why a file cannot be used as the settings say, in a sentence; None if it can."""
    if settings.data != FILE:
        return None
    try:
        experiment.prepare(settings, table(settings))
    except ValueError as error:
        return str(error)
    return None


# ---- commands of the player ---------------------------------------------------------------------


def on_command() -> None:
    """Carry out the commands of the player that are new."""
    here = session()
    value = st.session_state[STAGE].get("command") or {}
    log = value.get("log") if isinstance(value, dict) else None
    for entry in log[-100:] if isinstance(log, list) else []:
        number, name, t = map(entry.get, ("n", "name", "t")) if isinstance(entry, dict) else (None, None, None)
        if not isinstance(number, int) or not isinstance(name, str) or number <= here.carried_out:
            continue
        here.carried_out = number
        if name in _COMMANDS:
            _COMMANDS[name](here)
        elif name == "picture" and isinstance(t, int) and t >= 0:
            here.picture = t


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


def compare(here: Session, preset: str) -> None:
    """Open a comparison that is a lesson."""
    lesson = comparison.PRESETS[preset]
    here.settings, here.pins = lesson.settings()
    here.problem, here.lesson = None, lesson.words
    st.session_state["chip-compare"] = False  # the board is what one wants to see now


def _next_kernel(here: Session) -> None:
    now = here.settings.kernel
    at = _CYCLE.index(now) if now in _CYCLE else -1
    here.set(kernel=_CYCLE[(at + 1) % len(_CYCLE)])


def _next_data(here: Session) -> None:
    names = [name for name in BY_NAME["data"].choices if name != FILE]
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
    """Shuffle the order if it was cyclic, else draw another."""
    if here.settings.order == "cyclic":
        here.set(order="shuffled")
    else:
        _reseed("oseed")(here)


new_data = _reseed("seed")

_COMMANDS: dict[str, Callable[[Session], None]] = {
    "kernel": _next_kernel,
    "data": _next_data,
    "wider": _width(_WIDER),
    "narrower": _width(1.0 / _WIDER),
    "redraw": new_data,
    "reorder": new_order,
    "pin": pin,
    "unpin": unpin,
    **{f"with {name}": _asking(name, True) for name in EXTRAS},
    **{f"without {name}": _asking(name, False) for name in EXTRAS},
}


def cancel() -> None:
    """Go back to the settings before the ones that take so long."""
    here = session()
    here.settings = here.previous or Settings.of()


def refuse(why: str) -> None:
    """Go back to the settings before the ones that cannot be shown, and say why."""
    here = session()
    here.settings = Settings.of() if here.previous in (None, here.settings) else here.previous
    here.notice = why


# ---- what the player is sent ----------------------------------------------------------------------


def stage_data(here: Session, progress: Callable[[int, int], Any]) -> bytes:
    """Return what the player is sent for the session's settings; equal bytes while nothing changes or is asked for."""
    compared = {"summary", "reference"} if here.pins else set()
    current = packed(here.settings, here.asked | compared, progress)
    pinned = [packed(each.on(here.settings), frozenset({"summary"}), progress) for each in here.pins]
    names = comparison.names(here.pins, here.settings) if here.pins else []
    here.previous = here.settings
    return player.envelope(
        current,
        pinned,
        names=names,
        pins=comparison.query(here.pins),
        settings=here.settings,
        view=here.view,
        ack=here.carried_out,
    )


# ---- the page on Fisher's discriminant ----------------------------------------------------------

FISHER_STAGE = "fisher-stage"


@dataclass
class FisherSession:
    """What one browser tab has set on that page."""

    settings: FisherSettings
    view: FisherView = field(default_factory=FisherView)
    notice: str | None = None
    carried_out: int = 0


def fisher_session() -> FisherSession:
    """Return this tab's session on that page; the first call reads the link."""
    if "fisher-session" not in st.session_state:
        st.session_state["fisher-session"] = FisherSession(
            *fisher_link.read_link({key: st.query_params[key] for key in st.query_params})
        )
    return st.session_state["fisher-session"]  # type: ignore[no-any-return]


def bind_fisher(name: str) -> dict[str, Any]:
    """Return key and callback of the widget that sets the property `name` of that page."""
    key = f"fisher-{name}"
    st.session_state[key] = fisher_session().settings.values[name]
    return {"key": key, "on_change": _from_fisher_widget, "args": (name, key)}


def _from_fisher_widget(name: str, key: str) -> None:
    if st.session_state[key] is not None:  # a pill that is clicked again says None
        here = fisher_session()
        here.settings = here.settings.replace(**{name: st.session_state[key]})


def on_fisher_command() -> None:
    """Carry out the commands of that page's board that are new."""
    here = fisher_session()
    value = st.session_state[FISHER_STAGE].get("command") or {}
    log = value.get("log") if isinstance(value, dict) else None
    for entry in log[-100:] if isinstance(log, list) else []:
        number, name = map(entry.get, ("n", "name")) if isinstance(entry, dict) else (None, None)
        if isinstance(number, int) and number > here.carried_out:
            here.carried_out = number
            if name == "redraw":
                new_fisher_data()
            elif name == "data":
                _next_fisher_data(here)


def new_fisher_data() -> None:
    """Draw the next seed's examples."""
    here = fisher_session()
    here.settings = here.settings.replace(seed=(here.settings.seed + 1) % 10_000)


def _next_fisher_data(here: FisherSession) -> None:
    names = list(fisher_data_sets.SETS)
    here.settings = FisherSettings.of(data=names[(names.index(here.settings.data) + 1) % len(names)])


def fisher_data(here: FisherSession) -> bytes:
    """Return what that page's board is sent; equal bytes while nothing changes."""
    name = f"fisher?{here.settings.query()}"
    data = payloads().get(name)
    if data is None:
        data = fisher_payload.encode(here.settings)
        payloads().put(name, data)
    return fisher_payload.envelope(data, name=name, view=here.view, ack=here.carried_out)
