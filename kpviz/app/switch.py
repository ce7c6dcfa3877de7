"""The switch between the pages."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage


def pages() -> dict[str, StreamlitPage]:
    """Return the pages by name."""
    from kpviz.app.screens import discriminant, lab, play  # here: the pages show this switch

    return {
        "play": st.Page(play.page, title="Play", default=True),
        "lab": st.Page(lab.page, title="Kernel lab", url_path="lab"),
        "fisher": st.Page(discriminant.page, title="Fisher", url_path="fisher"),
    }


_LABELS = {"play": "Perceptron", "lab": "Kernel lab", "fisher": "Fisher’s discriminant"}


def show(session: str) -> None:
    """Show links from the page `session` to the others."""
    for name, page in pages().items():
        if name != session:
            st.page_link(page, label=f"{_LABELS[name]} →")


def to_player(label: str) -> None:
    """Show a link to the player, which has the same settings."""
    st.page_link(pages()["play"], label=label)


def go(name: str) -> None:
    """Open a page now."""
    st.switch_page(pages()[name])
