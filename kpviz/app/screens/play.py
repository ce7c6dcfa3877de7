"""The page of the player, and its dialogs."""

from __future__ import annotations

import streamlit as st

from kpviz.app import lecture, picture, player, table, take_home
from kpviz.app.session import current, say_notice
from kpviz.app.switch import HERE

_DIALOGS = {"picture": picture.dialog, "table": table.dialog, "take home": take_home.dialog, "lecture": lecture.dialog}


def page() -> None:
    """The player, and the dialog that it asked for."""
    st.html(HERE / "style.css")
    session = current()
    player.show(session, frozenset(_DIALOGS))
    say_notice(session)
    if session.dialog is not None:
        _DIALOGS[session.dialog](session)
    elif session.job is not None:  # nobody waits for the film any more
        session.job.cancel()
        session.job = None
