"""The session, its link, and what the player is sent; fisher_state.py and lab/state.py touch Streamlit's, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from kpviz import experiment, panels
from kpviz.app import commands, editing, opening
from kpviz.app.session import Session, why_not
from kpviz.app.shared import many_points, packed, run_id, table
from kpviz.lessons import comparison
from kpviz.player import envelope
from kpviz.player.extras import EXTRAS
from kpviz.settings import DRAWN, ELSEWHERE, FILE, conditions, from_query
from kpviz.settings.cues import Cues

HERE = Path(__file__).parent
ICON = str(HERE / "icon.png")
STAGE = "stage"
_USUAL = "The usual kernel takes its place."


def session(besides: frozenset[str] = frozenset()) -> Session:
    """Return this tab's session; the first call reads the link, but for the keys that the page has `besides`."""
    if "session" not in st.session_state:
        st.session_state["session"] = _opened(
            {key: st.query_params[key] for key in st.query_params if key not in besides}
        )
    return st.session_state["session"]  # type: ignore[no-any-return]


def _opened(query: dict[str, str]) -> Session:
    view, view_problems = envelope.read_view(query)
    known = {key: value for key, value in query.items() if not key.startswith("embed")}
    lost = _fetch_points(known)
    settings, notice = from_query({key: value for key, value in known.items() if not comparison.is_key(key)})
    try:
        experiment.kernel(settings)
    except ValueError as error:
        settings, notice = settings.with_default_kernel, f"{error} {_USUAL}"
    notice = lost or notice
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


def _fetch_points(query: dict[str, str]) -> str | None:
    """Put many drawn points into the query that only names them; say so if they are not here."""
    name = query.get("points", "")
    if not name.startswith(ELSEWHERE):
        return None
    del query["points"]
    if query.get("data") != DRAWN:
        return None
    code = many_points().get(name)
    if code is not None:
        query["points"] = code
    else:
        del query["data"]
        return (
            "This link was made with more drawn points than a link holds, and they are not here: open their file under "
            "Data. Until then you see XOR."
        )
    return None


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


def typed(key: str, text: str | None = None) -> str:
    """Return what stands in a widget without a property; or put `text` there."""
    if text is not None:
        st.session_state[key] = text
    return str(st.session_state.get(key) or "")


def _from_widget(name: str, key: str) -> None:
    if st.session_state[key] is not None:  # a segmented control that is clicked again says None
        session().set(**{name: st.session_state[key]})


def uploaded(key: str) -> None:
    """Take the file of an uploader; a wrong one leaves the data as they are."""
    upload = st.session_state[key]
    if upload is not None:
        current = session()
        current.problem = opening.open_file(current, upload.getvalue(), upload.name)


def chosen(key: str, take: Callable[[bytes], None]) -> None:
    """Hand the file of an uploader to `take`."""
    upload = st.session_state[key]
    if upload is not None:
        take(upload.getvalue())


def pasted(key: str) -> None:
    """Take a table that was pasted; a wrong one leaves the data as they are."""
    if st.session_state[key].strip():
        current = session()
        current.problem = opening.open_text(current, st.session_state[key])


def try_columns(columns: tuple[str, str, str, str, str]) -> None:
    """Choose other columns or classes of the file, if they can be used."""
    current = session()
    candidate = current.settings.replace(cols=experiment.COLUMN_SEPARATOR.join(columns))
    current.problem = why_not(candidate)
    if current.problem is None:
        current.put(candidate)


# ---- commands of the player ---------------------------------------------------------------------


def on_command() -> None:
    """Carry out the commands of the player that are new."""
    current = session()
    value = st.session_state[STAGE].get("command") or {}
    commands.carry_out(current, value.get("log") if isinstance(value, dict) else None)


def close(chip: str) -> None:
    """Close a chip's popover: the board is what one wants to see now."""
    st.session_state[f"chip-{chip}"] = False


def compare(current: Session, preset: str) -> None:
    """Open a ready comparison."""
    found = comparison.PRESETS[preset]
    settings, pins = found.settings()
    current.put(settings)
    current.pins = pins
    current.problem, current.look_for = None, found.words
    close("compare")


def cancel() -> None:
    """Go back to the settings before the ones that take so long."""
    session().retract()


def refuse(why: str) -> None:
    """Go back to the settings before the ones that cannot be shown, and say why."""
    current = session()
    if current.previous == current.settings:  # what was shown can be shown no more
        current.previous = None
    if current.previous is None and current.pins and current.latest is not None:  # a link: it is the pins that fail
        current.pins = ()
        current.notice = f"{why} The pinned runs are left out."
        return
    usual = current.settings.with_default_kernel
    if current.previous is None and usual != current.settings:  # a link: the rest of it may do
        current.settings = usual
        current.notice = f"{why} {_USUAL}"
        return
    current.retract()
    current.notice = why


# ---- what the player is sent ----------------------------------------------------------------------


def stage_data(current: Session, progress: Callable[[int, int], Any]) -> bytes:
    """Return what the player is sent for the session's settings; equal bytes while nothing changes or is asked for."""
    compared = {"summary", "reference"} if current.pins else set()
    if not conditions.has_plane(current.settings.values):
        compared |= EXTRAS.keys() & set(panels.shown_by_default(plane=False))
    keep = not current.live
    if current.latest is None or current.latest.id != run_id(current.settings, current.asked | compared):
        current.latest = packed(current.settings, current.asked | compared, progress, keep=keep)
    pinned = [packed(each.on(current.settings), frozenset({"summary"}), progress, keep=keep) for each in current.pins]
    names = comparison.names(current.pins, current.settings) if current.pins else []
    current.previous = current.settings
    if current.settings.stored_name is not None and keep:
        many_points().put(current.settings.stored_name, current.settings.points)
    return envelope.envelope(
        current.latest,
        pinned,
        names=names,
        pins=comparison.query(current.pins),
        data=current.data_id,
        view=current.view,
        ack=current.carried_out,
        editing={
            "knobs": editing.knobs(current.settings),
            "undo": len(current.past),
            "redo": len(current.future),
            "pencil": current.pencil,
            "origin": None if current.origin is None else experiment.title(current.origin),
        },
        cues=Cues.of_code(current.settings.cues),
    )
