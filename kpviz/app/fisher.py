"""The board of the page on Fisher's discriminant, with its chips. It asks the run service, not Streamlit."""

from __future__ import annotations

import streamlit as st

_mount = st.components.v2.component(
    "kpviz.fisher", html='<div class="kpviz"></div>', css="shell/app.css", js="fisher/index.js", isolate_styles=True
)


def show() -> None:
    """Mount the board once."""
    _mount(key="fisher-stage", data={})
