"""The player as a Streamlit component: files served from the package."""

import streamlit as st

from kpviz.app import state

_mount = st.components.v2.component(
    "kpviz.stage", html='<div class="kpviz"></div>', css="shell/app.css", js="shell/index.js", isolate_styles=True
)


def show(data: bytes) -> None:
    """Mount the player once, and send it data."""
    _mount(key=state.STAGE, data=data, on_command_change=state.on_command)
