"""The ways from the lab into the player, which has the same settings, and to what shows something by itself."""

from __future__ import annotations

from urllib.parse import parse_qsl

import streamlit as st

from kpviz.app import fisher_state, switch
from kpviz.app.lab import functions
from kpviz.app.lab.state import LabSession
from kpviz.player import envelope
from kpviz.player.extras import EXTRAS
from kpviz.settings import from_query

WATCH = "Watch it in the player →"
# What is to be seen in the player: on the button, and as a link.
SIGHTS = {
    "lift": ("Circles, lifted into space →", "play?v=1&data=circles&kernel=monomial&degree=2&show=alpha.lift.margins"),
    "sides": (
        "Kernel and explicit map, side by side →",
        "play?v=1&data=circles&kernel=polynomial&degree=2&show=alpha.primal&t=40",
    ),
    "part": (
        "Where rounding makes them part →",
        "play?v=1&data=xor&n=4&noise=0&kernel=monomial&degree=2&show=alpha.primal&t=2",
    ),
}


def watch(session: LabSession, text: str = "") -> None:
    """Offer to watch the perceptron learn with a formula as its kernel, "" for the current one."""
    if not text:
        switch.to_player(WATCH)
    elif st.button(WATCH, key="lab-watch"):
        session.player.set(**functions.settings_of(text))
        switch.go("play")


def sights(session: LabSession) -> None:
    """Offer what is to be seen in the player of feature spaces."""
    with st.container(horizontal=True, key="lab-sights"):
        for name, (label, link) in SIGHTS.items():
            offer(session, label, f"lab-{name}", link)


def offer(session: LabSession, label: str, key: str, link: str, *, quiet: bool = False) -> None:
    """Offer to open a link, a page's name in `switch.pages` and a query; it can be undone in the player."""
    if not st.button(label, key=key, type="tertiary" if quiet else "secondary"):
        return
    page, _, text = link.partition("?")
    query = dict(parse_qsl(text, keep_blank_values=True))
    if page == "fisher":
        fisher_state.open_link(query)
    else:
        session.player.put(from_query(query)[0])
        session.player.view = envelope.read_view(query)[0]
        session.player.asked |= frozenset(EXTRAS) & frozenset(session.player.view.show or ())
    switch.go(page)
