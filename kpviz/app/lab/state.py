"""What one browser tab looks at in the lab; with session.py the only file that touches Streamlit's session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import streamlit as st

from kpviz.app import session
from kpviz.picture.lab import functions
from kpviz.picture.lab.functions import NAMED
from kpviz.service import links
from kpviz.service.state import State
from kpviz.settings import Settings
from kpviz.settings import lab_link as link
from kpviz.settings.lab_link import LabView

CHIPS = "lab-chips"
_KEY = "lab"


@dataclass
class LabSession:
    """What one browser tab has chosen in the lab; `state` are the settings of its chips, which the browser holds.

    `id` tells this session from the one of a server that is gone. `left`: another page was shown since.
    """

    view: LabView
    state: State
    notices: tuple[str, ...] = ()
    problem: str | None = None  # with the last step of building
    left: bool = False
    id: str = field(default_factory=lambda: uuid4().hex)

    @property
    def settings(self) -> Settings:
        """The settings of the chips."""
        return self.state.settings

    def set(self, **changes: Any) -> None:
        """Change what is chosen."""
        self.view = self.view.set(**changes)

    @property
    def text(self) -> str:
        """The formula that stands in the lab."""
        return functions.typed_in(self.view, self.settings)


def lab_session() -> LabSession:
    """Return this tab's session in the lab; it reads the link when one comes to the page."""
    lab: LabSession | None = st.session_state.get(_KEY)
    if lab is None or lab.left:
        query = {key: st.query_params[key] for key in st.query_params}
        opened = _opened(query)
        if lab is None:
            lab = st.session_state[_KEY] = opened
        else:
            view = opened.view if link.NAMES & query.keys() else lab.view
            lab.view, lab.state, lab.notices, lab.left = view, opened.state, opened.notices, False
    return lab


def leave() -> None:
    """Another page is shown."""
    if _KEY in st.session_state:
        st.session_state[_KEY].left = True


def _opened(query: Mapping[str, str]) -> LabSession:
    view, notice = link.read(query, tuple(NAMED))
    found = links.read({key: value for key, value in query.items() if key not in link.NAMES})
    return LabSession(view, found, () if notice is None else (notice,))  # the chips say what is wrong with settings


# ---- what the chips send ------------------------------------------------------------------------------


def on_link() -> None:
    """Take the settings that the chips have now."""
    if value := _sent("link"):
        lab_session().state = links.read(links.pairs(str(value.get("link") or "")))


def on_restore() -> None:
    """Open what the browser has, if the server that knew it is gone."""
    value = _sent("restore")
    if value and value.get("id") != lab_session().id:
        restored = _opened(links.pairs(str(value.get("query") or "")))
        restored.id = str(value.get("id") or restored.id)
        st.session_state[_KEY] = restored


def _sent(name: str) -> Mapping[str, Any]:
    """Return what the chips sent, once the tables and drawings that it names are here."""
    chips = st.session_state.get(CHIPS)  # none where the page was left meanwhile
    value = chips.get(name) if chips else None
    if not isinstance(value, Mapping):
        return {}
    session.keep(value.get("bring"))
    return value


# ---- widgets ------------------------------------------------------------------------------------------


def bind(name: str) -> dict[str, Any]:
    """Return key and callback of the widget that sets `name` of the lab."""
    key = f"lab-{name}"
    lab = lab_session()
    st.session_state[key] = lab.text if name == "text" else getattr(lab.view, name)
    return {"key": key, "on_change": _from_widget, "args": (name, key)}


def _from_widget(name: str, key: str) -> None:
    if st.session_state[key] is not None:  # a pill that is clicked again says None
        lab_session().set(**{name: st.session_state[key]})
