"""The page on Fisher's discriminant."""

from __future__ import annotations

import streamlit as st

from kpviz.app import fisher, fisher_state, state
from kpviz.app.widgets import plain


def page() -> None:
    """Chips and board."""
    st.html(state.HERE / "style.css")
    session = fisher_state.fisher_session()
    fisher.chips(session)
    if session.notice:
        st.toast(plain(session.notice), icon="⚠️", duration="infinite")
        session.notice = None
    fisher.show(fisher_state.fisher_data(session))
