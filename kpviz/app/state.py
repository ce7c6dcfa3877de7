"""The session, its link, and what the player is sent; fisher_state.py and lab/state.py touch Streamlit's, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from kpviz import experiment
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
        settings, notice = settings.with_usual_kernel, f"{error} {_USUAL}"
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
        here = session()
        here.problem = opening.open_file(here, upload.getvalue(), upload.name)


def chosen(key: str, take: Callable[[bytes], None]) -> None:
    """Hand the file of an uploader to `take`."""
    upload = st.session_state[key]
    if upload is not None:
        take(upload.getvalue())


def pasted(key: str) -> None:
    """Take a table that was pasted; a wrong one leaves the data as they are."""
    if st.session_state[key].strip():
        here = session()
        here.problem = opening.open_text(here, st.session_state[key])


def try_columns(columns: tuple[str, str, str, str, str]) -> None:
    """Choose other columns or classes of the file, if they can be used."""
    here = session()
    candidate = here.settings.replace(cols=experiment.COLUMN_SEPARATOR.join(columns))
    here.problem = why_not(candidate)
    if here.problem is None:
        here.put(candidate)


# ---- commands of the player ---------------------------------------------------------------------


def on_command() -> None:
    """Carry out the commands of the player that are new."""
    here = session()
    value = st.session_state[STAGE].get("command") or {}
    commands.carry_out(here, value.get("log") if isinstance(value, dict) else None)


def close(chip: str) -> None:
    """Close a chip's popover: the board is what one wants to see now."""
    st.session_state[f"chip-{chip}"] = False


def compare(here: Session, preset: str) -> None:
    """Open a ready comparison."""
    found = comparison.PRESETS[preset]
    settings, pins = found.settings()
    here.put(settings)
    here.pins = pins
    here.problem, here.look_for = None, found.words
    close("compare")


def cancel() -> None:
    """Go back to the settings before the ones that take so long."""
    session().retract()


def refuse(why: str) -> None:
    """Go back to the settings before the ones that cannot be shown, and say why."""
    here = session()
    if here.previous == here.settings:  # what was shown can be shown no more
        here.previous = None
    if here.previous is None and here.pins and here.latest is not None:  # a link: it is the pins that fail
        here.pins = ()
        here.notice = f"{why} The pinned runs are left out."
        return
    usual = here.settings.with_usual_kernel
    if here.previous is None and usual != here.settings:  # a link: the rest of it may do
        here.settings = usual
        here.notice = f"{why} {_USUAL}"
        return
    here.retract()
    here.notice = why


# ---- what the player is sent ----------------------------------------------------------------------


def stage_data(here: Session, progress: Callable[[int, int], Any]) -> bytes:
    """Return what the player is sent for the session's settings; equal bytes while nothing changes or is asked for."""
    compared = {"summary", "reference"} if here.pins else set()
    if not conditions.has_plane(here.settings.values):
        compared |= {"gram", "remembered"}  # which are usual there (layout.js)
    keep = not here.live
    if here.latest is None or here.latest.id != run_id(here.settings, here.asked | compared):
        here.latest = packed(here.settings, here.asked | compared, progress, keep=keep)
    pinned = [packed(each.on(here.settings), frozenset({"summary"}), progress, keep=keep) for each in here.pins]
    names = comparison.names(here.pins, here.settings) if here.pins else []
    here.previous = here.settings
    if here.settings.stored_name is not None and keep:
        many_points().put(here.settings.stored_name, here.settings.points)
    return envelope.envelope(
        here.latest,
        pinned,
        names=names,
        pins=comparison.query(here.pins),
        data=here.data_id,
        view=here.view,
        ack=here.carried_out,
        editing={
            "knobs": editing.knobs(here.settings),
            "undo": len(here.past),
            "redo": len(here.future),
            "pencil": here.pencil,
            "origin": None if here.origin is None else experiment.title(here.origin),
        },
        cues=Cues.of_code(here.settings.cues),
    )
