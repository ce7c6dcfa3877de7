"""The ways from the lab into the player, which has the same settings, and to what shows something by itself."""

from __future__ import annotations

import streamlit as st

from kpviz.app import switch
from kpviz.app.lab.state import LabSession
from kpviz.picture.lab import functions

WATCH = "Watch it in the player →"
# What is to be seen in the player: on the button, and as a link.
SIGHTS = {
    "lift": ("Circles, lifted into space →", "play?v=1&data=circles&kernel=monomial&degree=2&show=alpha.lift.margins"),
    "sides": (
        "Kernel and explicit map, side by side →",
        "play?v=1&data=circles&kernel=polynomial&degree=2&show=alpha.primal&t=40",
    ),
    "part": (
        "Where rounding drives them apart →",
        "play?v=1&data=xor&n=4&noise=0&kernel=monomial&degree=2&show=alpha.primal&t=2",
    ),
}


def watch(session: LabSession, text: str = "") -> None:
    """Offer to watch the perceptron learn with a formula as its kernel, "" for the current one."""
    if st.button(WATCH, key="lab-watch", type="secondary" if text else "tertiary"):
        settings = session.settings.replace(**functions.settings_of(text)) if text else session.settings
        switch.go("play", settings.link())


def sights() -> None:
    """Offer what is to be seen in the player of feature spaces."""
    with st.container(horizontal=True, key="lab-sights"):
        for name, (label, link) in SIGHTS.items():
            offer(label, f"lab-{name}", link)


def offer(label: str, key: str, link: str, *, quiet: bool = False) -> None:
    """Offer to open a link, a page's name in `switch.pages` and a query; Back leads to the lab again."""
    if st.button(label, key=key, type="tertiary" if quiet else "secondary"):
        page, _, query = link.partition("?")
        switch.go(page, query)
