"""The session of the lab; with ui/state.py and ui/fisher_state.py the only file that touches Streamlit's session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from kpviz.app import state
from kpviz.app.lab import functions, link
from kpviz.app.lab.functions import NAMED
from kpviz.app.lab.link import LabView
from kpviz.app.session import Session


@dataclass
class LabSession:
    """What one browser tab has chosen in the lab; `player` is its session on the player's page."""

    view: LabView
    player: Session
    notice: str | None = None
    problem: str | None = None  # with the last step of building

    def set(self, **changes: Any) -> None:
        """Change what is chosen."""
        self.view = self.view.set(**changes)

    @property
    def text(self) -> str:
        """The formula that stands in the lab."""
        return functions.typed_in(self.view, self.player.settings)

    @property
    def query(self) -> str:
        """The link to what is shown, without the question mark."""
        return "&".join(part for part in (self.player.settings.link(), self.view.query()) if part)


def lab_session() -> LabSession:
    """Return this tab's session in the lab; the first call reads the link."""
    if "lab" not in st.session_state:
        query = {key: st.query_params[key] for key in st.query_params}
        view, notice = link.read(query, tuple(NAMED))
        st.session_state["lab"] = LabSession(view, state.session(besides=link.NAMES), notice)
    return st.session_state["lab"]  # type: ignore[no-any-return]


def bind(name: str) -> dict[str, Any]:
    """Return key and callback of the widget that sets `name` of the lab."""
    key = f"lab-{name}"
    session = lab_session()
    st.session_state[key] = session.text if name == "text" else getattr(session.view, name)
    return {"key": key, "on_change": _from_widget, "args": (name, key)}


def _from_widget(name: str, key: str) -> None:
    if st.session_state[key] is not None:  # a pill that is clicked again says None
        lab_session().set(**{name: st.session_state[key]})
