"""The page on Fisher's discriminant."""

from __future__ import annotations

import streamlit as st

from kpviz.app import fisher, fisher_state, state
from kpviz.app.widgets import plain


def page() -> None:
    """Chips and board."""
    st.html(state.HERE / "style.css")
    here = fisher_state.fisher_session()
    fisher.chips(here)
    if here.notice:
        st.toast(plain(here.notice), icon="⚠️", duration="infinite")
        here.notice = None
    fisher.show(fisher_state.fisher_data(here))
