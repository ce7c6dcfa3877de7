"""Data of one's own on the page: drawn, pasted, opened as a file, dropped, or edited as a table of numbers."""

import base64
import json
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from playing import opened, ran

from kpviz import experiment
from kpviz.canvas import payload
from kpviz.comparison import Pin
from kpviz.engine.drawn import Drawn
from kpviz.engine.tables import read_table
from kpviz.export import settings_file
from kpviz.settings import DRAWN, FILE, MAX_POINTS, Settings
from kpviz.ui import commands, shared
from kpviz.ui.session import Session

POINTS = Drawn.of(np.array([[0.0, 0.5], [0.5, -0.5], [1.0, 0.0], [-1.0, 0.25]]), np.array([1.0, -1.0, 1.0, -1.0]))
TABLE = "width,height,kind\n" + "".join(f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(40))
THREE = "u,v,w,kind\n" + "".join(f"{7 * i % 61},{i * i % 17},{i % 5},{'abc'[i % 3]}\n" for i in range(60))


def here(at):
    return at.session_state["session"]


def query_of(settings):
    return {key: unquote(value) for key, _, value in (part.partition("=") for part in settings.link().split("&"))}


def sent(at):
    return bytes(at.get("bidi_component")[0].proto.bytes)


def editing(at):
    """What the player is told of what can be undone and gone back to."""
    return payload.unpack(sent(at))[0]["editing"]


def chip(at):
    return at.get("popover")[0].proto.popover.label


def examples(settings):
    split = experiment.prepare(settings, shared.table(settings))
    return split.source


def is_a_sentence(text):
    return text.endswith(".") and "\n" not in text and "Traceback" not in text and len(text) < 300


# ---- drawing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", [{}, {"data": "iris", "kernel": "linear"}, {"stream": "on", "n": "100"}])
def test_drawing_begins_with_an_empty_map_and_the_pencil(query):
    at = opened("data", **query)
    before = here(at).settings
    here(at).pins = (Pin.of(Settings.of(kernel="linear")),)
    ran(at, at.button(key="draw").click())
    made = here(at).settings
    assert (made.data, made.points, made.stream, made.kernel) == (DRAWN, "", "off", before.kernel)
    assert (editing(at)["pencil"], editing(at)["origin"]) == (1, experiment.title(before))
    assert here(at).pins == ()  # a comparison cannot be edited
    assert chip(at) == "My own points · 0"
    assert at.session_state["chip-data"] is False
    here(at).undo()
    assert here(at).settings == before


def test_drawing_again_goes_on_with_what_is_drawn():
    at = opened("data", data=DRAWN, points=POINTS.code)
    before = here(at).settings
    ran(at, at.button(key="draw").click())
    assert here(at).settings == before
    assert (editing(at)["pencil"], editing(at)["undo"]) == (1, 0)
    assert chip(at) == "My own points · 4"


def test_the_data_before_drawing_are_one_button_away():
    at = opened("data", data="moons", seed="3", noise="0.2", held="0.25", sigma="0.3")
    before = here(at).settings
    assert "original" not in [button.key for button in at.button]
    ran(at, at.button(key="draw").click())
    at.session_state["chip-data"] = True
    ran(at)
    assert at.button(key="original").label == "Back to Moons"
    ran(at, at.button(key="original").click())
    assert here(at).settings == before


@pytest.mark.parametrize("held", range(4))
def test_the_last_of_the_drawn_points_are_held_out(held):
    at = opened("data", data=DRAWN, points=Drawn(POINTS.cells, POINTS.y, 1, POINTS.axes).code)
    slider = at.slider(key="drawn-held")
    assert (slider.min, slider.max, slider.value) == (0, 3, 1)
    place = here(at).data_id
    ran(at, slider.set_value(held))
    split = experiment.prepare(here(at).settings)
    np.testing.assert_array_equal(np.concatenate([split.X, split.X_test]), POINTS.X)
    assert len(split.X_test) == held
    assert here(at).data_id == place  # the player stays where it is


def test_points_that_are_all_held_out_can_be_let_in_again():
    at = opened("data", data=DRAWN, points=Drawn(POINTS.cells, POINTS.y, 4, POINTS.axes).code)
    slider = at.slider(key="drawn-held")
    assert (slider.max, slider.value) == (4, 4)
    ran(at, slider.set_value(0))
    assert len(experiment.prepare(here(at).settings).X) == 4


def test_a_stream_is_too_long_to_be_edited_as_a_table():
    assert opened("data", stream="on", n="100").button(key="edit-table").disabled
    assert not opened("data").button(key="edit-table").disabled


# ---- pasting ----------------------------------------------------------------------------------------

EXPECTED = {(0.5, 1.25): -1, (2.5, 3.0): 1, (1.5, -2.0): -1, (4.0, 0.5): 1}
PASTED = {
    "with a header": "x1\tx2\tclass\n0.5\t1.25\tno\n2.5\t3\tyes\n1.5\t-2\tno\n4\t0.5\tyes\n",
    "without a header": "0.5\t1.25\tno\n2.5\t3\tyes\n1.5\t-2\tno\n4\t0.5\tyes\n",
    "with decimal commas": "x1\tx2\tclass\n0,5\t1,25\tno\n2,5\t3\tyes\n1,5\t-2\tno\n4\t0,5\tyes\n",
    "as CSV": "x1,x2,class\n0.5,1.25,no\n2.5,3,yes\n1.5,-2,no\n4,0.5,yes\n",
}


@pytest.mark.parametrize("text", PASTED.values(), ids=PASTED)
def test_a_pasted_table_becomes_the_data(text):
    at = opened("data", scale="none")
    ran(at, at.text_area(key="pasted").set_value(text))
    here(at).set(scale="none")
    data = examples(here(at).settings)
    assert dict(zip(map(tuple, data.X.tolist()), data.y.tolist(), strict=True)) == EXPECTED
    assert chip(at).startswith("what was pasted · ")
    assert not at.error
    here(at).undo()
    here(at).undo()
    assert here(at).settings == Settings.of()


@pytest.mark.parametrize(
    "text", ["hello", "1 2 3", "a\tb\tc", "x\ty\tclass\n1\t2\tyes", "\x00\x01", "1\t2\t3\n" * 5, '"', "{}", "é" * 5000]
)
def test_what_is_no_table_leaves_everything_and_is_explained(text):
    at = opened("data", data="moons", t="7")
    before, label = sent(at), chip(at)
    ran(at, at.text_area(key="pasted").set_value(text))
    assert (sent(at), chip(at), here(at).past) == (before, label, [])
    (error,) = (each.value for each in at.error)
    assert is_a_sentence(error)
    assert at.text_area(key="pasted").value == text  # to be mended
    ran(at, at.text_area(key="pasted").set_value(PASTED["as CSV"]))
    assert not at.error
    assert here(at).settings.data == FILE


# ---- columns ----------------------------------------------------------------------------------------


def uploaded(text, at=None, name="mine.csv", **query):
    at = at or opened("data", **query)
    return ran(at, at.file_uploader(key="upload").set_value((name, text.encode(), "text/csv")))


def test_two_principal_components_take_the_place_of_many_columns_and_are_called_so():
    at = uploaded(THREE)
    ran(at, at.button_group(key="set-reduce").set_value("on"))
    assert any("first two principal components of 3 columns" in info.value for info in at.info)
    ran(at, at.button_group(key="set-scale").set_value("none"))
    data = examples(here(at).settings)
    assert data.features == ("PC 1", "PC 2")

    rows = [line.split(",") for line in THREE.splitlines()[1:] if line[-1] in "ab"]
    columns = np.array([row[:3] for row in rows], dtype=float)
    standard = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    scores = np.abs(standard @ np.linalg.svd(standard)[2][:2].T)
    np.testing.assert_allclose(sorted(map(tuple, np.abs(data.X))), sorted(map(tuple, scores)), rtol=1e-9, atol=1e-9)


def test_a_link_to_columns_of_a_file_opens_the_same_run_while_the_server_has_it():
    at = uploaded(THREE)
    ran(at, at.selectbox(key="file-x2").set_value("w"))
    for reduce in ("off", "on"):
        ran(at, at.button_group(key="set-reduce").set_value(reduce))
        again = opened(**query_of(here(at).settings))
        assert here(again).settings == here(at).settings
        assert payload.unpack(sent(again))[0]["id"] == payload.unpack(sent(at))[0]["id"]
        assert len(again.toast) == 0


def test_another_file_begins_with_columns_of_its_own():
    """What was chosen for one file makes no other one wrong."""
    at = uploaded(THREE)
    ran(at, at.button_group(key="set-reduce").set_value("on"))
    uploaded("row,height,kind\n" + "".join(f"{i},{i * i % 7},{'ab'[i % 2]}\n" for i in range(9)), at, "two.csv")
    assert not at.error
    assert examples(here(at).settings).features == ("height", "row")


def test_a_link_whose_file_is_gone_says_so_and_works_again_when_it_is_opened():
    link = query_of(here(uploaded(TABLE)).settings)
    shared.tables.clear()
    at = opened("data", **link)
    (toast,) = (each.value for each in at.toast)
    assert is_a_sentence(toast.replace(". ", " "))
    assert "open the file again under Data" in toast
    assert here(at).settings == Settings.of()
    uploaded(TABLE, at)
    assert query_of(here(at).settings) == link


# ---- files, uploaded and dropped -------------------------------------------------------------------


def upload(session, content, name):
    """What the uploader does with a file; returns what is said in the popover."""
    from kpviz.ui import opening

    session.problem = opening.open_file(session, content, name)
    return session.problem


def drop(session, content, name):
    """What the board does with a file that is dropped; returns what is said in a toast."""
    value = {"name": name, "data": base64.b64encode(content).decode()}
    send(session, "open", value)
    return session.notice


def send(session, name, value=None):
    commands.carry_out(session, [{"n": session.carried_out + 1, "name": name, "t": 0, "value": value}])


def with_table():
    session = Session(Settings.of())
    assert upload(session, TABLE.encode(), "mine.csv") is None
    return session.settings.replace(scale="none", kernel="linear")


KEPT = {
    "built in": lambda: Settings.of(data="iris", kernel="polynomial", degree=4, held=0.25),
    "drawn": lambda: Settings.of(data=DRAWN, points=POINTS.code, sigma=0.3),
    "of a file": with_table,
}
WRONG = {
    "nothing": (b"", "none.csv"),
    "bytes": (b"\x00\x01\x02\xff", "picture.csv"),
    "a PDF": (b"%PDF-1.7\n", "paper.pdf"),
    "words": (b"to be or not to be", "words.txt"),
    "one column": (b"a\n1\n2\n", "a.csv"),
    "another JSON": (b'{"name": "something", "version": 1}', "package.json"),
    "half of a JSON": (b'{"kpviz": "settings", "set', "half.json"),
    "a list": (b"[1, 2, 3]", "list.json"),
    "points that are none": (b'{"kpviz": "settings", "points": [[1, 2]]}', "points.json"),
    "a file that is not in it": (b'{"kpviz": "settings", "settings": {"data": "file"}}', "file.json"),
}


@pytest.mark.parametrize("bring", [upload, drop])
@pytest.mark.parametrize("settings", KEPT.values(), ids=KEPT)
def test_a_settings_file_brings_back_its_settings(settings, bring):
    kept = settings()
    before = examples(kept)
    text = settings_file.write(kept, shared.table(kept))
    shared.tables.clear()  # as on another server
    session = Session(Settings.of(data="moons", order="random"))
    assert bring(session, text.encode(), "kept.json") is None
    if kept.data != FILE:
        assert session.settings == kept
    after = examples(session.settings)
    assert sorted(map(tuple, after.X.tolist())) == sorted(map(tuple, before.X.tolist()))
    assert experiment.kernel(session.settings) == experiment.kernel(kept)
    session.undo()
    assert session.settings == Settings.of(data="moons", order="random")


@pytest.mark.parametrize("bring", [upload, drop])
@pytest.mark.parametrize(("content", "name"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_opened_leaves_everything_and_is_explained(content, name, bring):
    session = Session(Settings.of(data="moons", sigma=0.3), pins=(Pin.of(Settings.of()),))
    before = (session.settings, session.data_id, session.pins)
    assert is_a_sentence(bring(session, content, name))
    assert (session.settings, session.data_id, session.pins) == before
    assert session.past == []


def test_parts_of_a_dropped_file_that_cannot_be_used_are_named():
    session = Session(Settings.of())
    said = drop(session, b'{"kpviz": "settings", "settings": {"sigma": 0.2, "colour": "red"}}', "s.json")
    assert session.settings == Settings.of(sigma=0.2)
    assert "colour is not a setting" in said


def test_a_dropped_table_says_which_rows_are_shown_and_takes_away_an_older_problem():
    session = Session(Settings.of(), problem="The last file was none.")
    many = "u,v,kind\n" + "".join(f"{i % 97},{i * i % 89},{'ab'[i % 2]}\n" for i in range(3000))
    assert "1,000 of 3,000 rows are shown" in drop(session, many.encode(), "many.csv")
    assert session.problem is None
    session = Session(Settings.of())
    assert drop(session, TABLE.encode(), "mine.csv") is None  # there is nothing to say
    send(session, "undo")
    assert session.settings == Settings.of()
    send(session, "redo")
    assert session.settings.file.startswith("mine.csv~")


@pytest.mark.parametrize("name", ["", "a\u200bb\n.csv", "x" * 300, "my~file.csv", "../etc/<b>", "naïve *1*.csv"])
def test_a_file_opens_whatever_it_is_called(name):
    session = Session(Settings.of())
    assert drop(session, TABLE.encode(), name) is None
    assert shared.table(session.settings) is not None
    assert here(opened(**query_of(session.settings))).settings == session.settings


def test_the_uploader_opens_settings_and_says_what_is_wrong_in_the_popover():
    kept = Settings.of(data=DRAWN, points=POINTS.code, sigma=0.3)
    at = uploaded(settings_file.write(kept, None), name="kept.json")
    assert here(at).settings == kept
    uploaded('{"kpviz": "run"}', at, "run.json")
    (error,) = (each.value for each in at.error)
    assert "holds a run, not settings" in error
    assert here(at).settings == kept


# ---- the table --------------------------------------------------------------------------------------


@pytest.fixture
def edited(monkeypatch):
    """Return a function that opens the table of a page, changes it as a hand would, and uses it; and what was shown."""
    shown = []

    def press(at, change=lambda frame: frame):
        def editor(frame, **_):
            shown.append(frame.copy())
            return change(frame.copy())

        monkeypatch.setattr(st, "data_editor", editor)
        here(at).dialog = "table"
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
        more = pd.DataFrame(rows, columns=frame.columns, index=range(len(frame) + 1, len(frame) + 1 + len(rows)))
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
    measured = {(*row[2:], iris.target_names[kind]) for row, kind in zip(iris.data, iris.target, strict=True)}
    _, frame = edited(opened(data="iris", held="0.2"))
    assert list(frame.columns) == ["petal length (cm)", "petal width (cm)", "class", "held out"]
    assert set(frame.iloc[:, :3].itertuples(index=False, name=None)) <= measured
    assert len(frame) == 100
    assert frame["held out"].tolist() == [False] * 80 + [True] * 20
    assert frame.index.tolist() == list(range(1, 101))  # the numbers by which sentences call them


@pytest.mark.parametrize("query", [{}, {"data": "iris", "held": "0.2"}, {"data": DRAWN, "points": POINTS.code}])
def test_a_table_that_is_used_as_it_is_changes_nothing(edited, query):
    at = opened(**query)
    before = sent(at)
    edited(at)
    assert (sent(at), here(at).past, here(at).dialog) == (before, [], None)


@pytest.mark.parametrize("query", [{}, {"data": "iris", "held": "0.2"}, {"data": DRAWN, "points": POINTS.code}])
def test_what_is_written_into_the_table_arrives_on_the_map(edited, query):
    at = opened(t="5", **query)
    before = here(at).settings
    X, y = numbers(before)
    middle = X.mean(axis=0)
    names = examples(before).classes

    def change(frame):
        frame.iloc[0, :2] = middle
        frame.iloc[1, 2] = names[0]
        frame = frame.drop(index=3)
        return added([*(middle / 2 + X.min(axis=0) / 2), names[1], None])(frame)

    edited(at, change)
    made = here(at).settings
    assert (made.data, here(at).dialog) == (DRAWN, None)
    assert chip(at) == f"My own points · {len(X)}"
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
    assert here(at).data_id == Session(before).data_id  # the player keeps its place
    here(at).undo()
    assert here(at).settings == before


def test_rows_that_are_held_out_are_put_last_in_their_order(edited):
    at, frame = edited(opened(n="6", held="0"), lambda frame: frame.assign(**{"held out": [True, False] * 3}))
    after, _ = numbers(here(at).settings)
    order = [1, 3, 5, 0, 2, 4]
    np.testing.assert_allclose(after, frame.iloc[order, :2], atol=0.001)
    assert len(experiment.prepare(here(at).settings).y_test) == 3


def test_a_number_outside_the_map_widens_it(edited):
    at = opened(data=DRAWN, points=POINTS.code)
    assert experiment.prepare(here(at).settings).shown.high_1 < 2
    edited(at, cell(2, 0, 100.0))
    shown = experiment.prepare(here(at).settings).shown
    assert shown.low_1 < -1 < 100 < shown.high_1
    moved = POINTS.X
    moved[1, 0] = 100.0
    np.testing.assert_allclose(numbers(here(at).settings)[0], moved, atol=0.05)


def test_an_empty_table_is_an_empty_map(edited):
    at, _ = edited(opened(data=DRAWN, points=POINTS.code), lambda frame: frame.iloc[:0])
    assert experiment.prepare(here(at).settings).source.X.shape == (0, 2)
    assert here(at).dialog is None


FAULTS = {
    "no number": (cell(3, 0, None), "Row 3 has no number for x₁"),
    "not a number": (cell(2, 1, float("nan")), "Row 2 has no number for x₂"),
    "infinite": (cell(2, 1, float("inf")), "Row 2 has no number for x₂"),
    "no class": (cell(4, 2, None), "Row 4 has no class"),
    "a class of its own": (cell(4, 2, "maybe"), "Row 4 has no class"),
    "a new row without numbers": (added([None, None, "+1", False]), "Row 5 has no number for x₁"),
    "a row behind one that was removed": (lambda frame: cell(2, 0, None)(frame.drop(index=1)), "Row 3 has no number"),
    "far too large": (cell(1, 0, 1e90), "too large"),
    "too many": (added(*[[0.0, 0.0, "+1", False]] * (MAX_POINTS - 3)), "1,001 rows"),
}


@pytest.mark.parametrize(("change", "words"), FAULTS.values(), ids=FAULTS)
def test_a_table_that_cannot_be_used_stays_open_with_one_sentence(edited, change, words):
    at = opened(data=DRAWN, points=POINTS.code)
    before = sent(at)
    edited(at, change)
    (error,) = (each.value for each in at.error)
    assert words in error
    assert is_a_sentence(error)
    assert (sent(at), here(at).past, here(at).dialog) == (before, [], "table")


@pytest.mark.parametrize("names", ["class~held out~a~b", "same~same~a~b", "x~y~same~same", "class~class~same~same"])
def test_names_that_are_the_same_do_not_confuse_the_table(edited, names):
    at = opened(data=DRAWN, points=POINTS.code, names=names)
    edited(at, cell(1, 0, -0.25))
    wanted = POINTS.X
    wanted[0, 0] = -0.25
    X, y = numbers(here(at).settings)
    np.testing.assert_allclose(X, wanted, atol=0.001)
    assert y.tolist() == POINTS.y.tolist()


def test_a_table_of_a_file_keeps_its_names_and_units(edited):
    at, frame = edited(uploaded(TABLE), cell(1, 0, 12.5))
    read = read_table(TABLE.encode())
    shown = set(frame.iloc[:, :3].itertuples(index=False, name=None))
    assert shown == set(zip(*(read.values[name] for name in read.numeric), read.cells["kind"], strict=True))
    data = examples(here(at).settings)
    assert (data.features, data.classes) == (("width", "height"), ("a", "b"))
    assert numbers(here(at).settings)[0][0, 0] == pytest.approx(12.5, abs=0.02)
    assert json.loads(settings_file.write(here(at).settings, None))["points"]
