"""The switch between the pages."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage


def pages() -> dict[str, StreamlitPage]:
    """Return the pages by name."""
    from kpviz.ui.screens import discriminant, play  # here: the pages show this switch

    return {
        "play": st.Page(play.page, title="Play", default=True),
        "fisher": st.Page(discriminant.page, title="Fisher", url_path="fisher"),
    }


_LABELS = {"play": "Perceptron", "fisher": "Fisher’s discriminant"}


def show(here: str) -> None:
    """Show links from the page `here` to the others."""
    for name, page in pages().items():
        if name != here:
            st.page_link(page, label=f"{_LABELS[name]} →")
