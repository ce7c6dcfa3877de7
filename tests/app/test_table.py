"""The examples as a table of numbers: what is written there is learnt from, and what cannot be
stays to be mended.
"""

import json

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from playing import opened as page_with
from playing import ran, replied
from playing import session_of as session
from visitor import Page, file_of

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.tables import read_table
from kpviz.export import settings_file
from kpviz.service import stored
from kpviz.settings import DRAWN, MAX_POINTS, Settings

POINTS = Drawn.of(
    np.array([[0.0, 0.5], [0.5, -0.5], [1.0, 0.0], [-1.0, 0.25]]), np.array([1.0, -1.0, 1.0, -1.0])
)
TABLE = "width,height,kind\n" + "".join(
    f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(40)
)


def opened(**given):
    return page_with(settings=Settings.of(**given))


def examples(settings):
    return experiment.prepare(settings, stored.table(settings)).source


def is_a_sentence(text):
    return text.endswith(".") and "\n" not in text and "Traceback" not in text and len(text) < 300


@pytest.fixture
def edited(monkeypatch):
    """Return a function that opens the table of a page, changes it as a hand would, and uses it;
    and what was shown.
    """
    shown = []

    def press(at, change=lambda frame: frame):
        def editor(frame, **_):
            shown.append(frame.copy())
            return change(frame.copy())

        monkeypatch.setattr(st, "data_editor", editor)
        session(at).dialog = "table"
        ran(at)
        ran(at, at.button(key="use-numbers").click())
        return at, shown[0]

    return press


def cell(row, column, value):
    """A change of one cell; rows count from 1, columns from 0."""

    def change(frame):
        frame = frame.astype({frame.columns[column]: object})
        frame.iloc[row - 1, column] = value
        return frame

    return change


def added(*rows):
    def change(frame):
        more = pd.DataFrame(
            rows, columns=frame.columns, index=range(len(frame), len(frame) + len(rows))
        )
        return pd.concat([frame.astype(object), more.astype(object)])

    return change


def numbers(settings):
    """The examples in their own units, as rounded as the grid makes them, with their labels."""
    data = examples(settings)
    low, span = np.array(data.lows), np.subtract(data.highs, data.lows)
    return (low + (data.X + 1) / 2 * span if data.scaled else data.X), data.y


def test_the_table_shows_measurements_as_they_were_measured(edited):
    from sklearn.datasets import load_iris

    iris = load_iris()
    measured = {
        (*row[2:], iris.target_names[kind])
        for row, kind in zip(iris.data, iris.target, strict=True)
    }
    _, frame = edited(opened(data="iris", held=0.2))
    assert list(frame.columns) == ["petal length (cm)", "petal width (cm)", "class", "held out"]
    assert set(frame.iloc[:, :3].itertuples(index=False, name=None)) <= measured
    assert len(frame) == 100
    assert frame["held out"].tolist() == [False] * 80 + [True] * 20
    assert frame.index.tolist() == list(range(100))  # row i is xᵢ


@pytest.mark.parametrize(
    "query", [{}, {"data": "iris", "held": 0.2}, {"data": DRAWN, "points": POINTS.code}]
)
def test_what_is_written_into_the_table_arrives_on_the_map_and_nothing_else(edited, query):
    at = opened(**query)
    edited(at)
    assert (session(at).reply, session(at).dialog) == (None, None)  # it was used as it is
    before = session(at).settings
    X, y = numbers(before)
    middle = X.mean(axis=0)
    names = examples(before).classes

    def change(frame):
        frame.iloc[0, :2] = middle
        frame.iloc[1, 2] = names[0]
        frame = frame.drop(index=2)
        return added([*(middle / 2 + X.min(axis=0) / 2), names[1], None])(frame)

    edited(at, change)
    page = replied(at)
    made = page.settings
    assert (made.data, session(at).dialog) == (DRAWN, None)
    after, labels = numbers(made)
    held = round(0.2 * len(X)) if before.held else 0
    last = len(X) - held - 1  # the new row is put before those that are held out
    wanted = np.delete(X, 2, axis=0)
    wanted[0] = middle
    wanted = np.insert(wanted, last, middle / 2 + X.min(axis=0) / 2, axis=0)
    span = np.ptp(X, axis=0)
    assert np.abs((after - wanted) / span).max() < 1 / 1000  # half a step of the grid
    signs = np.delete(y, 2)
    signs[1] = -1
    assert labels.tolist() == np.insert(signs, last, 1).tolist()
    assert len(experiment.prepare(made).y_test) == held
    assert examples(made).features == examples(before).features
    assert page.state.data_id == Page(before.link()).state.data_id  # the player keeps its place
    page.undo()
    assert page.settings == before


def test_rows_that_are_held_out_are_put_last_in_their_order(edited):
    at, frame = edited(opened(n=6), lambda frame: frame.assign(**{"held out": [True, False] * 3}))
    after, _ = numbers(replied(at).settings)
    order = [1, 3, 5, 0, 2, 4]
    np.testing.assert_allclose(after, frame.iloc[order, :2], atol=0.001)
    assert len(experiment.prepare(replied(at).settings).y_test) == 3


FAULTS = {
    "no number": (cell(3, 0, None), "Row 2 has no number for feature 1"),
    "not a number": (cell(2, 1, float("nan")), "Row 1 has no number for feature 2"),
    "infinite": (cell(2, 1, float("inf")), "Row 1 has no number for feature 2"),
    "no class": (cell(4, 2, None), "Row 3 has no class"),
    "a class of its own": (cell(4, 2, "maybe"), "Row 3 has no class"),
    "a new row without numbers": (
        added([None, None, "+1", False]),
        "Row 4 has no number for feature 1",
    ),
    "a row behind one that was removed": (
        lambda frame: cell(2, 0, None)(frame.drop(index=0)),
        "Row 2 has no number",
    ),
    "far too large": (cell(1, 0, 1e90), "too large"),
    "too many": (added(*[[0.0, 0.0, "+1", False]] * (MAX_POINTS - 3)), "1,001 rows"),
}


@pytest.mark.parametrize(("change", "words"), FAULTS.values(), ids=FAULTS)
def test_a_table_that_cannot_be_used_stays_open_with_one_sentence(edited, change, words):
    at = opened(data=DRAWN, points=POINTS.code)
    edited(at, change)
    (error,) = (each.value for each in at.error)
    assert words in error
    assert is_a_sentence(error)
    assert (session(at).reply, session(at).dialog) == (None, "table")


@pytest.mark.parametrize(
    "names", ["class~held out~a~b", "same~same~a~b", "x~y~same~same", "class~class~same~same"]
)
def test_names_that_are_the_same_do_not_confuse_the_table(edited, names):
    at = opened(data=DRAWN, points=POINTS.code, names=names)
    edited(at, cell(1, 0, -0.25))
    wanted = POINTS.X
    wanted[0, 0] = -0.25
    X, y = numbers(replied(at).settings)
    np.testing.assert_allclose(X, wanted, atol=0.001)
    assert y.tolist() == POINTS.y.tolist()


def opened_file():
    page = Page()
    page.do(file_of(TABLE))
    return page_with(settings=page.settings)


def test_a_table_of_a_file_keeps_its_names_and_units(edited):
    at, frame = edited(opened_file(), cell(1, 0, 12.5))
    read = read_table(TABLE.encode())
    kinds = [line.rpartition(",")[2] for line in TABLE.splitlines()[1:]]
    shown = set(frame.iloc[:, :3].itertuples(index=False, name=None))
    assert shown == set(zip(*(read.values[name] for name in read.numeric), kinds, strict=True))
    assert frame["line"].tolist() == list(range(2, 42))
    data = examples(replied(at).settings)
    assert (data.features, data.classes) == (("width", "height"), ("a", "b"))
    assert numbers(replied(at).settings)[0][0, 0] == pytest.approx(12.5, abs=0.02)
    assert json.loads(settings_file.write(replied(at).settings, None))["points"]
