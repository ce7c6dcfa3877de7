"""The page of the kernel lab."""

from __future__ import annotations

import streamlit as st

from kpviz.app import controls, state
from kpviz.app.lab import address, build, misconceptions, space, valid
from kpviz.app.lab.link import TABS
from kpviz.app.lab.state import LabSession, bind, lab_session
from kpviz.app.widgets import plain
from kpviz.engine.kernels.formula.errors import FormulaError, pointer

_SHOWN = {"valid": valid.tab, "build": build.tab, "space": space.tab, "slips": misconceptions.tab}


def page() -> None:
    """Chips, the tab that is chosen, and the address of both."""
    st.html(state.HERE / "style.css")
    st.html(state.HERE / "thumbnails.css")
    session = lab_session()
    controls.chips_of_lab(session.player)
    for notice in (session.notice, session.player.notice):
        if notice:
            st.toast(plain(notice), icon="⚠️", duration="infinite")
    session.notice = session.player.notice = None
    st.segmented_control(
        "What to look at", list(TABS), format_func=TABS.__getitem__, label_visibility="collapsed", **bind("tab")
    )
    with st.container(key="lab"):
        _tab(session)
    address.show(session.query)


def _tab(session: LabSession) -> None:
    """Show the tab; what cannot be shown is said in a sentence."""
    try:
        _SHOWN[session.view.tab](session)
    except FormulaError as error:
        st.warning(plain(str(error)))
        st.code(pointer(session.text, error.at), language=None)
    except ValueError as error:  # of data that cannot be used, or for which k has no finite value
        st.warning(plain(str(error)))
