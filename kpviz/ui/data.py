"""The popover of the data: what to learn from."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from kpviz import experiment
from kpviz.engine import datasets, streams
from kpviz.engine.datasets import SOURCES
from kpviz.engine.drawn import Drawn
from kpviz.engine.learners import LEARNERS
from kpviz.settings import BY_NAME, DRAWN, FILE, MAX_POINTS, Settings
from kpviz.ui import shared, state
from kpviz.ui.session import Session
from kpviz.ui.widgets import slider, tile


def label(settings: Settings) -> str:
    """Return what the chip says."""
    if settings.data == DRAWN:
        return f"{experiment.title(settings)} · {Drawn.read(settings.points, MAX_POINTS).n}"
    title = settings.file.partition("~")[0] if settings.data == FILE else SOURCES[settings.data].title
    held = f", {settings.held:.0%} held out" if settings.held else ""
    points = "" if settings.data == FILE else f" · {settings.n} points"  # a file may hold fewer
    if settings.stream == "on":
        drift = f" · drift {settings.drift:g}" if settings.drift else ""
        return f"{title} · stream of {settings.n:,}{drift} · seed {settings.seed}"
    return f"{title}{points}{held} · seed {settings.seed}"


def popover(here: Session) -> None:
    """Show the data sets, one's own file, and what applies to the chosen one."""
    settings = here.settings
    with st.container(horizontal=True, key="tiles-data"):
        for name, source in SOURCES.items():
            tile("data", name, source.title, source.look_for, chosen=settings.data == name)
    with st.expander("My own file (CSV)", expanded=settings.data == FILE or here.problem is not None):
        _file(here)
    if settings.data not in (FILE, DRAWN):
        streaming = settings.stream == "on"
        words = streams.look_for(settings.drift, settings.moves) if streaming else SOURCES[settings.data].look_for
        st.caption(words)
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
    here = state.session()
    before = here.settings.learner
    here.set(stream="on" if on else "off")
    if here.settings.learner != before:
        title = LEARNERS[before]().about.title
        here.notice = f"{title} needs all examples at once, so the perceptron takes its place in the stream."


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


def _file(here: Session) -> None:
    settings = here.settings
    st.file_uploader(
        "A header line, two columns of numbers and a column of labels",
        type=["csv", "tsv", "txt"],
        key="upload",
        on_change=state.uploaded,
        args=("upload",),
    )
    if here.problem:
        st.error(here.problem, icon=":material/error:")
    table = shared.table(settings)
    if table is None:
        return
    chosen = experiment.columns(settings) or table.guess()
    now = (*chosen.features, chosen.label, *chosen.classes)

    def put(place: int) -> Callable[[str], None]:
        return lambda value: _put_column(now, place, value)

    left, right = st.columns(2)
    with left:
        st.selectbox("x₁", table.numeric, **state.bind_text("file", "x1", now[0], put(0)))
        st.selectbox("x₂", table.numeric, **state.bind_text("file", "x2", now[1], put(1)))
        st.segmented_control(
            "Scale",
            ["fit", "none"],
            format_func={"fit": "to ±1", "none": "as in the file"}.__getitem__,
            **state.bind("scale"),
        )
    with right:
        st.selectbox("Label", table.columns, **state.bind_text("file", "label", now[2], put(2)))
        classes = table.classes(now[2])
        st.selectbox("Class −1", classes, **state.bind_text("file", "negative", now[3], put(3)))
        st.selectbox("Class +1", classes, **state.bind_text("file", "positive", now[4], put(4)))
    for notice in experiment.prepare(settings, table).source.notices:
        st.info(notice)


def _put_column(now: tuple[str, ...], place: int, value: str) -> None:
    """Change one of the five; a new label brings its own classes, a class that is taken changes places."""
    chosen = list(now)
    if value in chosen[3:] and place >= 3:
        chosen[3], chosen[4] = chosen[4], chosen[3]
    elif value in chosen[:2] and place < 2:
        chosen[0], chosen[1] = chosen[1], chosen[0]
    else:
        chosen[place] = value
    if place == 2:
        table = shared.table(state.session().settings)
        chosen[3:] = (*(table.classes(value) if table else ()), "", "")[:2]
    state.try_columns((chosen[0], chosen[1], chosen[2], chosen[3], chosen[4]))
