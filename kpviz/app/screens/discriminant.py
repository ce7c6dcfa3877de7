"""The page on Fisher's discriminant."""

from __future__ import annotations

import streamlit as st

from kpviz.app import fisher, switch
from kpviz.app.session import current
from kpviz.app.switch import HERE


def page() -> None:
    """The board."""
    st.html(HERE / "style.css")
    session = current()
    if session.go is not None:
        switch.follow(session)
    fisher.show()
