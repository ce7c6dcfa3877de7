"""All examples as a table of numbers that can be edited.

Tests: tests/app/test_table.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from kpviz import experiment
from kpviz.app import runs
from kpviz.app.session import Session, close
from kpviz.app.text import plain
from kpviz.engine.data.datasets import Dataset
from kpviz.engine.data.drawn import Drawn
from kpviz.experiment import Split
from kpviz.export.record import in_own_units
from kpviz.settings import BOOLEAN, MAX_POINTS, Settings, conditions

if TYPE_CHECKING:
    from pandas import DataFrame

_HELD = "held out"
_ROW = "i"
_LINE = "line"  # The line of the file.
_ROWS = "Row i is the example xᵢ; those held out come last."
_LARGEST = 1e100


@st.dialog("The examples", width="large", on_dismiss=close)
def dialog(session: Session) -> None:
    """Show the numbers in their own units; what is changed becomes one's own points.

    Others are only shown.
    """
    split = runs.split_of(session.settings)
    if not conditions.has_plane(session.settings.values):
        _only_shown(session.settings, split)
        return
    try:
        source = split.source
        points = experiment.drawn(session.settings, split)
    except ValueError as error:  # It is too far from zero for the grid.
        st.info(plain(str(error)))
        return
    frame = _frame(points, source)
    classes = _classes(source)
    first, second = frame.columns[:2]
    edited = st.data_editor(
        frame,
        num_rows="dynamic",
        key="numbers",
        hide_index=False,
        height=420,
        column_config={
            first: st.column_config.NumberColumn(format="%.6g"),
            second: st.column_config.NumberColumn(format="%.6g"),
            "class": st.column_config.SelectboxColumn(options=list(classes), default=classes[1]),
            _HELD: st.column_config.CheckboxColumn(default=False),
            _LINE: st.column_config.NumberColumn(
                format="%d", help="in the file, its header counted"
            ),
        },
        disabled=[_LINE],
    )
    st.caption(
        f"{_ROWS} Rounded to {_step(points, source)}. Rows can be pasted from a spreadsheet, with "
        "decimal points."
    )
    with st.container(horizontal=True):
        if st.button("Use these numbers", type="primary", key="use-numbers"):
            try:
                made = None if edited.equals(frame) else read(edited, points, source)
            except ValueError as error:
                st.error(plain(str(error)))
            else:
                if made is None:
                    session.close()
                else:
                    session.end("points", {"code": made.code})
                st.rerun()


def _only_shown(settings: Settings, split: Split) -> None:
    """Show examples that are not points, and say where they are changed."""
    import pandas as pd

    bits = settings.data == BOOLEAN
    other = "write another function" if bits else "add examples of your own"
    st.info(f"These examples are not points, so they are not edited here: {other} under Data.")
    source = split.source
    cells = source.X.reshape(len(source.y), -1)
    named = dict(zip(source.columns, (cells.astype(int) if bits else cells).T, strict=True))
    held = {_HELD: np.arange(len(source.y)) >= len(split.y)} if len(split.y_test) else {}
    classes = [source.classes[int(label > 0)] for label in source.y]
    rows = pd.RangeIndex(len(source.y), name=_ROW)
    st.dataframe(pd.DataFrame({**named, "class": classes, **held}, index=rows), height=420)
    st.caption(_ROWS)


def _frame(points: Drawn, source: Dataset) -> DataFrame:
    """Return the examples as a table, rows counted from 0 as examples are."""
    import pandas as pd

    (first, second) = _columns(source)
    values = in_own_units(source)
    classes = _classes(source)
    return pd.DataFrame(
        {
            first: values[:, 0],
            second: values[:, 1],
            "class": [classes[int(label > 0)] for label in points.y],
            _HELD: np.arange(points.n) >= points.n - points.held,
            **({} if source.lines is None else {_LINE: source.lines}),
        },
        index=pd.RangeIndex(points.n, name=_ROW),
    )


def read(edited: DataFrame, before: Drawn, source: Dataset) -> Drawn:
    """Return the points of an edited table; ValueError, of one sentence, where a row cannot be
    used.

    Its columns are those of the two features, in their own units, the class and whether it is held
    out; that of the lines of a file is passed over.
    """
    if len(edited) > MAX_POINTS:
        raise ValueError(f"The table has {len(edited):,} rows: keep at most {MAX_POINTS:,}.")
    names = list(edited.columns)
    classes = _classes(source)
    for row, *cells in edited.itertuples():
        for name, value in zip(names[:2], cells[:2], strict=True):
            if value is None or not np.isfinite(value) or abs(value) > _LARGEST:
                raise ValueError(
                    f"Row {row} has no number for {name}: fill it in, or remove the row."
                )
        if cells[2] not in classes:
            raise ValueError(f"Row {row} has no class: choose {classes[0]} or {classes[1]}.")
    values = edited[names[:2]].to_numpy(dtype=np.float64).reshape(-1, 2)
    y = np.where(edited["class"].to_numpy() == classes[1], 1.0, -1.0)
    held = edited[_HELD].eq(True).to_numpy(dtype=bool)  # A new row may have none.
    order = np.argsort(held, kind="stable")
    return before.with_points(experiment.as_shown(values, source)[order], y[order], int(held.sum()))


def _columns(source: Dataset) -> tuple[str, str]:
    """The names of the features, different from each other and from the other columns."""
    names = ["class", _HELD, _LINE]
    for name in source.axis_names:
        while name in names:
            name += " "
        names.append(name)
    return names[-2], names[-1]


def _classes(source: Dataset) -> tuple[str, str]:
    """The names of the classes, which a table needs to differ."""
    return Dataset.classes if source.classes[0] == source.classes[1] else source.classes


def _step(points: Drawn, source: Dataset) -> str:
    scale: Any = (
        (np.array(source.highs) - np.array(source.lows)) / 2.0 if source.scaled else np.ones(2)
    )
    first, second = (
        f"{axis.step * size:.2g}" for axis, size in zip(points.axes, scale, strict=True)
    )
    return first if first == second else f"{first} and {second}"
