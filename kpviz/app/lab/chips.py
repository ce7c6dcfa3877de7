"""The lab's line of chips with their dock, and its address: the browser holds the settings, and writes the link."""

from __future__ import annotations

import streamlit as st

from kpviz.app.lab import state
from kpviz.app.lab.state import LabSession

_mount = st.components.v2.component(
    "kpviz.lab", html='<div class="kpviz"></div>', css="shell/app.css", js="shell/lab.js", isolate_styles=True
)


def show(session: LabSession) -> None:
    """Mount the chips once, and tell them what the lab adds to the link."""
    _mount(
        key=state.CHIPS,
        data={"query": session.view.query(), "id": session.id},
        on_link_change=state.on_link,
        on_restore_change=state.on_restore,
        on_go_change=state.on_go,
    )
