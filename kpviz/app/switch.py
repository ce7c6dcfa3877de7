"""The pages, and the ways between them: each takes its link along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from kpviz.service import links

HERE = Path(__file__).parent
ICON = str(HERE / "icon.png")


def pages() -> dict[str, Any]:
    """Return the pages by name, as `st.Page` makes them."""
    from kpviz.app.screens import lessons, play  # here: the pages lead to each other

    return {
        "play": st.Page(play.page, title="Play", default=True),
        "lab": st.Page(play.kernels, title="Kernels", url_path="lab"),
        "fisher": st.Page(play.fisher, title="Fisher", url_path="fisher"),
        "lessons": st.Page(lessons.page, title="Lessons", url_path="lessons"),
    }


def go(name: str, query: str = "") -> None:
    """Open a page now, with a link of its own."""
    st.switch_page(pages().get(name, pages()["play"]), query_params=links.pairs(query))
