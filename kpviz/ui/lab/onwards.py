"""The ways from the lab into the player, which has the same settings."""

from __future__ import annotations

import streamlit as st

from kpviz.canvas.extras import EXTRAS
from kpviz.canvas.player import ViewState
from kpviz.ui import switch
from kpviz.ui.lab import functions
from kpviz.ui.lab.state import LabSession

_LIFT = ("alpha", "lift", "margins")
WATCH = "Watch it in the player →"


def watch(here: LabSession, text: str = "") -> None:
    """Offer to watch the perceptron learn with a formula as its kernel, "" for the current one."""
    if not text:
        switch.to_player(WATCH)
    elif st.button(WATCH, key="lab-watch"):
        here.player.set(**functions.settings_of(text))
        switch.go("play")


def lift(here: LabSession) -> None:
    """Offer two circles, which a plane separates in the space of degree 2."""
    if st.button("Circles, lifted into space, in the player →", key="lab-lift"):
        here.player.set(data="circles", kernel="monomial", degree=2, combine="none", normalize="off")
        here.player.view = ViewState(0, _LIFT)
        here.player.asked |= frozenset(EXTRAS) & frozenset(_LIFT)
        switch.go("play")
