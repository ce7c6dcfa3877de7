"""The part of the data's popover for one's own: points drawn by hand, files, and tables that are pasted."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from kpviz import experiment
from kpviz.app import commands, editing, opening, shared, state
from kpviz.app.session import Session
from kpviz.app.widgets import plain
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.tables import Table
from kpviz.settings import DRAWN, FILE, MAX_POINTS, Settings

_OPENED = ["csv", "tsv", "txt", "json"]


def show(session: Session) -> None:
    """Show how to draw, edit, open and paste."""
    settings = session.settings
    with st.container(horizontal=True):
        st.button(
            "Draw my own points",
            key="draw",
            icon=":material/draw:",
            on_click=_draw,
            args=(session,),
            help="An empty map, and the pencil: Shift E.",
        )
        st.button(
            "Edit the numbers",
            key="edit-table",
            icon=":material/table_edit:",
            on_click=_edit_table,
            args=(session,),
            disabled=settings.stream == "on",
            help="All examples as a table: edit, paste, download.",
        )
        if session.origin is not None:
            title = plain(experiment.title(session.origin))
            st.button(f"Back to {title}", key="original", on_click=commands.COMMANDS["original"], args=(session,))
    if settings.data == DRAWN:
        _held_out(session)
    expanded = settings.data == FILE or session.problem is not None
    with st.expander("My own file or table (CSV), or a file of kpviz", expanded=expanded):
        _file(session)


def _draw(session: Session) -> None:
    """Begin on an empty map, or go on with what is drawn already."""
    session.set(data=DRAWN, stream="off")
    session.pins = ()
    session.pencil += 1
    state.close("data")


def _edit_table(session: Session) -> None:
    session.dialog = "table"
    state.close("data")


def _held_out(session: Session) -> None:
    points = Drawn.read(session.settings.points, MAX_POINTS)
    if points.n > 1 or points.held:
        most = max(points.n - 1, points.held)  # a link or a table may hold out all
        st.slider("Held out: the last points", 0, most, **state.bind_text("drawn", "held", points.held, _hold))


def _hold(held: int) -> None:
    session = state.session()
    points = Drawn.read(session.settings.points, MAX_POINTS)
    kept = Drawn(points.cells, points.y, min(held, points.n), points.axes)
    session.put(editing.with_points(session, kept), keep_instant=True)


def _file(session: Session) -> None:
    """Ways to bring a table; if there is one, what of it is used."""
    left, right = st.columns(2)
    with left:
        st.file_uploader(
            "Columns of numbers, and a column of labels",
            type=_OPENED,
            key="upload",
            on_change=state.uploaded,
            args=("upload",),
        )
    with right:
        st.text_area(
            "Or paste from a spreadsheet",
            key="pasted",
            height=90,
            placeholder="x1\tx2\tclass\n0.5\t1.2\tyes",
            on_change=state.pasted,
            args=("pasted",),
            help="Copy the cells there, paste them here, and press Ctrl+Enter.",
        )
    if session.problem:
        st.error(plain(session.problem), icon=":material/error:")
    table = shared.table(session.settings)
    if table is not None:
        _columns(session.settings, table)


def _columns(settings: Settings, table: Table) -> None:
    """Which columns and classes of the table are used, and what there is to say about its rows."""
    chosen = experiment.choice(settings, table)
    now = (*chosen.features, chosen.label, *chosen.classes)

    def put(place: int) -> Callable[[str], None]:
        return lambda value: _put_column(now, place, value)

    left, right = st.columns(2)
    with left:
        reduced = settings.reduce == "on"
        if reduced or len(table.measurements(chosen.label)) > 2:
            st.segmented_control(
                "Features",
                ["off", "on"],
                format_func={"off": "two columns", "on": "principal components"}.__getitem__,
                help="Two of the columns of numbers, or the two directions along which all of them vary most.",
                **state.bind("reduce"),
            )
        if not reduced:
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
    for notice in opening.notices(settings, table):
        st.info(plain(notice))


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
