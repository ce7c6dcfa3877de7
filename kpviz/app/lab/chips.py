"""The lab's line of chips with their dock: the browser holds the settings, and writes the link."""

from __future__ import annotations

import streamlit as st

from kpviz.app import session
from kpviz.app.lab import state
from kpviz.app.lab.state import LabSession
from kpviz.settings import lab_link as link

_mount = st.components.v2.component(
    "kpviz.lab", html='<div class="kpviz lab"></div>', css="shell/app.css", js="shell/lab.js", isolate_styles=True
)


def show(lab: LabSession, dialogs: frozenset[str]) -> None:
    """Mount the chips once, tell them what the lab adds to the link, and with what a dialog ended."""
    _mount(
        key=state.CHIPS,
        data={
            "query": lab.view.query(),
            "names": sorted(link.NAMES),
            "link": lab.state.link,
            "id": lab.id,
            "reply": session.current().reply,
            "closed": session.current().closed,
        },
        on_link_change=state.on_link,
        on_restore_change=state.on_restore,
        on_dialog_change=lambda: session.on_dialog(dialogs, state.CHIPS),
    )
