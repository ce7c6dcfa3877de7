"""The session on the page of Fisher's discriminant. With state.py the only file that touches the session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from kpviz.app.shared import payloads
from kpviz.engine.fisher import data as fisher_data_sets
from kpviz.player import fisher as fisher_payload
from kpviz.player import fisher_link
from kpviz.player.fisher_link import FisherSettings, FisherView

FISHER_STAGE = "fisher-stage"


@dataclass
class FisherSession:
    """What one browser tab has set on that page."""

    settings: FisherSettings
    view: FisherView = field(default_factory=FisherView)
    notice: str | None = None
    carried_out: int = 0


def fisher_session() -> FisherSession:
    """Return this tab's session on that page; the first call reads the link."""
    if "fisher-session" not in st.session_state:
        st.session_state["fisher-session"] = FisherSession(
            *fisher_link.read_link({key: st.query_params[key] for key in st.query_params})
        )
    return st.session_state["fisher-session"]  # type: ignore[no-any-return]


def open_link(query: dict[str, str]) -> None:
    """Show what a link of that page says, in the session that there may be already."""
    found = FisherSession(*fisher_link.read_link(query))
    known = st.session_state.setdefault("fisher-session", found)
    known.settings, known.view, known.notice = found.settings, found.view, found.notice


def bind_fisher(name: str) -> dict[str, Any]:
    """Return key and callback of the widget that sets the property `name` of that page."""
    key = f"fisher-{name}"
    st.session_state[key] = fisher_session().settings.values[name]
    return {"key": key, "on_change": _from_fisher_widget, "args": (name, key)}


def _from_fisher_widget(name: str, key: str) -> None:
    if st.session_state[key] is not None:  # a pill that is clicked again says None
        session = fisher_session()
        session.settings = session.settings.replace(**{name: st.session_state[key]})


def on_fisher_command() -> None:
    """Carry out the commands of that page's board that are new."""
    value = st.session_state[FISHER_STAGE].get("command") or {}
    carry_out(fisher_session(), value.get("log") if isinstance(value, dict) else None)


def carry_out(session: FisherSession, log: Any) -> None:
    """Carry out the commands of a log that are new; what is no command is passed over."""
    for entry in log[-100:] if isinstance(log, list) else []:
        number, name = map(entry.get, ("n", "name")) if isinstance(entry, dict) else (None, None)
        if type(number) is int and number > session.carried_out:
            session.carried_out = number
            if name == "redraw":
                _redraw(session)
            elif name == "data":
                _next_fisher_data(session)


def new_fisher_data() -> None:
    """Draw the next seed's examples."""
    _redraw(fisher_session())


def _redraw(session: FisherSession) -> None:
    session.settings = session.settings.replace(seed=(session.settings.seed + 1) % 10_000)


def _next_fisher_data(session: FisherSession) -> None:
    names = list(fisher_data_sets.SETS)
    session.settings = FisherSettings.of(data=names[(names.index(session.settings.data) + 1) % len(names)])


def fisher_data(session: FisherSession) -> bytes:
    """Return what that page's board is sent; equal bytes while nothing changes."""
    name = f"fisher?{session.settings.query()}"
    data = payloads().get(name)
    if data is None:
        data = fisher_payload.encode(session.settings)
        payloads().put(name, data)
    return fisher_payload.envelope(data, name=name, view=session.view, ack=session.carried_out)
