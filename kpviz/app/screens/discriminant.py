"""The page on Fisher's discriminant."""

from __future__ import annotations

import streamlit as st

from kpviz.app import player
from kpviz.app.switch import HERE


def page() -> None:
    """The board."""
    st.html(HERE / "style.css")
    player.show_fisher()
