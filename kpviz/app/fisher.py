"""Chips and board of the page on Fisher's discriminant."""

from __future__ import annotations

import streamlit as st

from kpviz.app import fisher_state, switch
from kpviz.app.fisher_state import FisherSession
from kpviz.engine.data import datasets
from kpviz.engine.fisher.data import SETS
from kpviz.player.fisher_link import PROPERTIES

_BY_NAME = {prop.name: prop for prop in PROPERTIES}

_mount = st.components.v2.component(
    "kpviz.fisher", html='<div class="kpviz"></div>', css="shell/stage.css", js="fisher/index.js", isolate_styles=True
)


def show(data: bytes) -> None:
    """Mount the board once, and send it data."""
    _mount(key=fisher_state.FISHER_STAGE, data=data, on_command_change=fisher_state.on_fisher_command)


def chips(session: FisherSession) -> None:
    """Show the line of chips."""
    with st.container(horizontal=True, key="chips", vertical_alignment="center"):
        st.html('<span class="kpviz-name">kpviz</span>')
        popover = st.popover(_label(session), key="chip-fisher-data", on_change="rerun", help="What to look at")
        if popover.open:
            with popover:
                _data(session)
        if session.settings.applies("seed"):
            st.button(
                "New data", key="fisher-new", on_click=fisher_state.new_fisher_data, help="The next data seed (N)"
            )
        switch.show("fisher")


def _label(session: FisherSession) -> str:
    settings = session.settings
    title = SETS[settings.data].title
    if SETS[settings.data].many:
        return f"{title} · {SETS[settings.data].n} examples"
    return f"{title} · {settings.n} points · seed {settings.seed}"


def _data(session: FisherSession) -> None:
    settings = session.settings
    st.pills("Data set", list(SETS), format_func=lambda name: SETS[name].title, **fisher_state.bind_fisher("data"))
    st.caption(SETS[settings.data].look_for)
    if not settings.applies("n"):
        return
    left, middle, right = st.columns(3)
    limits = _BY_NAME["n"].range_for(settings.values)
    left.slider("Points", int(limits.low), int(limits.high), step=1, **fisher_state.bind_fisher("n"))
    middle.slider("Noise", 0.0, 0.5, step=0.01, **fisher_state.bind_fisher("noise"))
    right.number_input("Data seed", 0, 9999, **fisher_state.bind_fisher("seed"))
    if settings.applies("x"):
        _real(settings.data)


def _real(name: str) -> None:
    table = datasets.real_table(name)
    columns = st.columns(3 if name == "iris" else 2)
    for column, feature in zip(columns, ("x", "y"), strict=False):
        column.selectbox(
            _BY_NAME[feature].label,
            range(len(table.features)),
            format_func=table.features.__getitem__,
            **fisher_state.bind_fisher(feature),
        )
    if name == "iris":
        pairs = {pair: " − / ".join(table.classes[int(digit)] for digit in pair) + " +" for pair in ("12", "02", "01")}
        columns[2].selectbox("Classes", list(pairs), format_func=pairs.__getitem__, **fisher_state.bind_fisher("pair"))
