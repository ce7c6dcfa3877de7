"""The popover of the data: what to learn from."""

from __future__ import annotations

import streamlit as st

from kpviz import experiment
from kpviz.app import objects, own_data, state
from kpviz.app.session import Session
from kpviz.app.widgets import slider, tile
from kpviz.engine.data import datasets
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.learners import LEARNERS
from kpviz.settings import BY_NAME, DRAWN, FILE, MAX_POINTS, Settings, conditions


def label(settings: Settings) -> str:
    """Return what the chip says."""
    if settings.data == DRAWN:
        return f"{experiment.title(settings)} · {Drawn.read(settings.points, MAX_POINTS).n}"
    if not conditions.has_plane(settings.values):
        return objects.label(settings)
    title = settings.file.partition("~")[0] if settings.data == FILE else SOURCES[settings.data].title
    held = f", {settings.held:.0%} held out" if settings.held else ""
    points = "" if settings.data == FILE else f" · {settings.n} points"  # a file may hold fewer
    if settings.stream == "on":
        drift = f" · drift {settings.drift:g}" if settings.drift else ""
        return f"{title} · stream of {settings.n:,}{drift} · seed {settings.seed}"
    return f"{title}{points}{held} · seed {settings.seed}"


def popover(session: Session) -> None:
    """Show the data sets, one's own file, and what applies to the chosen one."""
    settings = session.settings
    with st.container(horizontal=True, key="tiles-data"):
        for name in (*SOURCES, *OBJECTS):
            source = experiment.source(name)
            tile("data", name, source.title, source.look_for, chosen=settings.data == name)
    plane = conditions.has_plane(settings.values)
    if plane:
        own_data.show(session)
    if settings.data not in (FILE, DRAWN):
        st.caption(experiment.look_for(settings))
    objects.show(session)
    _stream(settings)
    left, middle, right = st.columns(3)
    with left:
        slider("n", settings)
        slider("held", settings, percent=True)
    with middle:
        slider("noise", settings)
        slider("flipped", settings, percent=True)
    with right:
        slider("balance", settings, percent=True)
        if settings.reason_against("seed") is None:
            st.number_input(BY_NAME["seed"].label, 0, 9999, **state.bind("seed"))
    _real_choices(settings)
    if not plane:
        own_data.show(session)


def _stream(settings: Settings) -> None:
    """The switch, and how the target moves."""
    if settings.reason_against("stream") is not None:
        return
    on = settings.stream == "on"
    st.toggle("Stream: examples arrive once", **state.bind_text("data", "stream", on, _put_stream))
    if on and (why := settings.reason_against("drift")):
        st.caption(f"No drift: {why}.")
    elif on:
        left, right = st.columns([2, 1])
        with left:
            slider("drift", settings)
        if settings.reason_against("moves") is None:
            words = {"turn": "turns steadily", "switch": "switches"}
            prop = BY_NAME["moves"]
            right.segmented_control(prop.label, prop.choices, format_func=words.__getitem__, **state.bind("moves"))


def _put_stream(on: bool) -> None:
    session = state.session()
    before = session.settings.learner
    session.set(stream="on" if on else "off")
    if session.settings.learner != before:
        title = LEARNERS[before]().about.title
        session.notice = f"{title} needs all examples at once, so the perceptron takes its place in the stream."


def _real_choices(settings: Settings) -> None:
    if settings.reason_against("x") is not None:
        return
    table = datasets.real_table(settings.data)
    columns = st.columns(3 if settings.data == "iris" else 2)
    for column, name in zip(columns, ("x", "y"), strict=False):
        with column:
            st.selectbox(
                BY_NAME[name].label,
                range(len(table.features)),
                format_func=table.features.__getitem__,
                **state.bind(name),
            )
    if settings.data == "iris":
        with columns[2]:
            words = {
                pair: " − / ".join(table.classes[int(digit)] for digit in pair) + " +" for pair in ("12", "02", "01")
            }
            st.selectbox("Classes", list(words), format_func=words.__getitem__, **state.bind("pair"))
