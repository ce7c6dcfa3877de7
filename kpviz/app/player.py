"""The player as a Streamlit component: files served from the package. It asks the run service, not Streamlit."""

from __future__ import annotations

import streamlit as st

from kpviz.app import session
from kpviz.app.session import Session

_mount = st.components.v2.component(
    "kpviz.stage", html='<div class="kpviz"></div>', css="shell/app.css", js="shell/index.js", isolate_styles=True
)


def show_fisher() -> None:
    """Mount the same as the board of Fisher's page, which its address tells it."""
    _mount(key="fisher-stage", data={})


def show(current: Session, dialogs: frozenset[str]) -> None:
    """Mount the player once, hand it the command with which a dialog ended, and open the dialog that it asks for."""
    _mount(
        key=session.STAGE,
        data={"reply": current.reply, "closed": current.closed},
        on_dialog_change=lambda: None,
    )
    session.on_dialog(dialogs)  # not when it changes: a server that was started again has seen no player that could
