"""What gives the page a name where no player does: a Streamlit component that shows nothing."""

from __future__ import annotations

import streamlit as st

_mount = st.components.v2.component("kpviz.lessons", js="shell/lessons.js")


def name() -> None:
    """Name the page's landmark."""
    _mount(key="landmark")
