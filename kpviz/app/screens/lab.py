"""The page of the kernel lab."""

from __future__ import annotations

import streamlit as st

from kpviz.app import table
from kpviz.app.lab import build, chips, misconceptions, space, valid
from kpviz.app.lab.state import LabSession, bind, lab_session
from kpviz.app.session import current, say_notice
from kpviz.app.switch import HERE
from kpviz.app.text import plain, warn
from kpviz.engine.kernels.formula import FormulaError, pointer
from kpviz.settings.lab_link import TABS

_DIALOGS = {"table": table.dialog}
_SHOWN = {"valid": valid.tab, "build": build.tab, "space": space.tab, "slips": misconceptions.tab}


def page() -> None:
    """Chips, and the tab that is chosen."""
    st.html(HERE / "style.css")
    session, opened = lab_session(), current()
    chips.show(session, frozenset(_DIALOGS))
    for notice in session.notices:
        warn(notice)
    session.notices = ()
    say_notice(opened)
    st.segmented_control(
        "What to look at", list(TABS), format_func=TABS.__getitem__, label_visibility="collapsed", **bind("tab")
    )
    with st.container(key="lab"):
        _tab(session)
    if opened.dialog in _DIALOGS:
        _DIALOGS[opened.dialog](opened)


def _tab(session: LabSession) -> None:
    """Show the tab; what cannot be shown is said in a sentence."""
    try:
        _SHOWN[session.view.tab](session)
    except FormulaError as error:
        st.warning(plain(str(error)))
        st.code(pointer(session.text, error.at), language=None)
    except ValueError as error:  # of data that cannot be used, or for which k has no finite value
        st.warning(plain(str(error)))
