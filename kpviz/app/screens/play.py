"""The page of the player."""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st

from kpviz.app import controls, lecture, picture, player, state, table, take_home
from kpviz.app.session import Session, why_not
from kpviz.app.widgets import plain

_DIALOGS = {"picture": picture.dialog, "table": table.dialog, "take home": take_home.dialog, "lecture": lecture.dialog}
_PATIENCE = 0.5  # seconds before work shows its progress


def page() -> None:
    """Chips, player, and what was asked for besides."""
    st.html(state.HERE / "style.css")
    st.html(state.HERE / "thumbnails.css")
    session = state.session()
    controls.chips(session)
    if session.notice:
        st.toast(plain(session.notice), icon="⚠️", duration="infinite")
        session.notice = None
    if session.look_for:
        st.toast(session.look_for, icon=":material/lightbulb:", duration=15)
        session.look_for = None
    working = st.empty()
    try:
        data = state.stage_data(session, _progress(working))
    except ValueError as error:  # numbers of a file that are too large for this kernel, or to be drawn
        state.refuse(str(error))
        st.rerun()
    player.show(data)
    working.empty()
    if session.dialog is not None:
        _open(session, session.dialog)
    elif session.job is not None:  # nobody waits for the film any more
        session.job.cancel()
        session.job = None


def _open(session: Session, dialog: str) -> None:
    """Open a dialog, unless it is about a file that is gone: the run may still be there to be watched."""
    why = why_not(session.settings)
    if why is None:
        _DIALOGS[dialog](session)
    else:
        session.dialog = None
        st.toast(plain(why), icon="⚠️", duration="infinite")


def _progress(place: st.delta_generator.DeltaGenerator) -> Callable[[int, int], None]:
    """Return a callback that shows progress and a way to cancel once the work has taken a while."""
    started = time.monotonic()
    shown: list[st.delta_generator.DeltaGenerator] = []

    def progress(done: int, limit: int) -> None:
        if time.monotonic() - started < _PATIENCE:
            return
        if not shown:
            box = place.container(key="working")
            shown.append(box.empty())
            box.button("Cancel", on_click=state.cancel)
        gone = time.monotonic() - started
        left = gone * (limit - done) / max(done, 1)
        shown[0].progress(done / limit, f"Working: {done:,} of at most {limit:,} steps, about {left:.0f} s left")

    return progress
