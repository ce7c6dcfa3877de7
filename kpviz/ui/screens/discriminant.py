"""The page on Fisher's discriminant."""

from __future__ import annotations

import streamlit as st

from kpviz.ui import fisher, state


def page() -> None:
    """Chips and board."""
    st.html(state.HERE / "style.css")
    here = state.fisher_session()
    fisher.chips(here)
    if here.notice:
        st.toast(here.notice, icon="⚠️", duration="infinite")
        here.notice = None
    fisher.show(state.fisher_data(here))
