"""Data of one's own on the page: drawn, pasted, and the columns of a file."""

import numpy as np
import pytest
from own_data import POINTS, TABLE, chip, examples, is_a_sentence, query_of, sent, uploaded
from own_data import here as session
from playing import opened, ran

from kpviz import experiment
from kpviz.app import shared
from kpviz.engine.data.drawn import Drawn
from kpviz.lessons.comparison import Pin
from kpviz.player import payload
from kpviz.settings import DRAWN, FILE, Settings

THREE = "u,v,w,kind\n" + "".join(f"{7 * i % 61},{i * i % 17},{i % 5},{'abc'[i % 3]}\n" for i in range(60))


def editing(at):
    """What the player is told of what can be undone and gone back to."""
    return payload.unpack(sent(at))[0]["editing"]


# ---- drawing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", [{}, {"data": "iris", "kernel": "linear"}, {"stream": "on", "n": "100"}])
def test_drawing_begins_with_an_empty_map_and_the_pencil(query):
    at = opened("data", **query)
    before = session(at).settings
    session(at).pins = (Pin.of(Settings.of(kernel="linear")),)
    ran(at, at.button(key="draw").click())
    made = session(at).settings
    assert (made.data, made.points, made.stream, made.kernel) == (DRAWN, "", "off", before.kernel)
    assert (editing(at)["pencil"], editing(at)["origin"]) == (1, experiment.title(before))
    assert session(at).pins == ()  # a comparison cannot be edited
    assert chip(at) == "My own points · 0"
    assert at.session_state["chip-data"] is False
    session(at).undo()
    assert session(at).settings == before


def test_drawing_again_goes_on_with_what_is_drawn():
    at = opened("data", data=DRAWN, points=POINTS.code)
    before = session(at).settings
    ran(at, at.button(key="draw").click())
    assert session(at).settings == before
    assert (editing(at)["pencil"], editing(at)["undo"]) == (1, 0)
    assert chip(at) == "My own points · 4"


def test_the_data_before_drawing_are_one_button_away():
    at = opened("data", data="moons", seed="3", noise="0.2", held="0.25", sigma="0.3")
    before = session(at).settings
    assert "original" not in [button.key for button in at.button]
    ran(at, at.button(key="draw").click())
    at.session_state["chip-data"] = True
    ran(at)
    assert at.button(key="original").label == "Back to Moons"
    ran(at, at.button(key="original").click())
    assert session(at).settings == before


@pytest.mark.parametrize("held", range(4))
def test_the_last_of_the_drawn_points_are_held_out(held):
    at = opened("data", data=DRAWN, points=Drawn(POINTS.cells, POINTS.y, 1, POINTS.axes).code)
    slider = at.slider(key="drawn-held")
    assert (slider.min, slider.max, slider.value) == (0, 3, 1)
    place = session(at).data_id
    ran(at, slider.set_value(held))
    split = experiment.prepare(session(at).settings)
    np.testing.assert_array_equal(np.concatenate([split.X, split.X_test]), POINTS.X)
    assert len(split.X_test) == held
    assert session(at).data_id == place  # the player stays where it is


def test_points_that_are_all_held_out_can_be_let_in_again():
    at = opened("data", data=DRAWN, points=Drawn(POINTS.cells, POINTS.y, 4, POINTS.axes).code)
    slider = at.slider(key="drawn-held")
    assert (slider.max, slider.value) == (4, 4)
    ran(at, slider.set_value(0))
    assert len(experiment.prepare(session(at).settings).X) == 4


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
    session(at).set(scale="none")
    data = examples(session(at).settings)
    assert dict(zip(map(tuple, data.X.tolist()), data.y.tolist(), strict=True)) == EXPECTED
    assert chip(at).startswith("what was pasted · ")
    assert not at.error
    session(at).undo()
    session(at).undo()
    assert session(at).settings == Settings.of()


@pytest.mark.parametrize(
    "text", ["hello", "1 2 3", "a\tb\tc", "x\ty\tclass\n1\t2\tyes", "\x00\x01", "1\t2\t3\n" * 5, '"', "{}", "é" * 5000]
)
def test_what_is_no_table_leaves_everything_and_is_explained(text):
    at = opened("data", data="moons", t="7")
    before, label = sent(at), chip(at)
    ran(at, at.text_area(key="pasted").set_value(text))
    assert (sent(at), chip(at), session(at).past) == (before, label, [])
    (error,) = (each.value for each in at.error)
    assert is_a_sentence(error)
    assert at.text_area(key="pasted").value == text  # to be mended
    ran(at, at.text_area(key="pasted").set_value(PASTED["as CSV"]))
    assert not at.error
    assert session(at).settings.data == FILE


# ---- columns ----------------------------------------------------------------------------------------


def test_two_principal_components_take_the_place_of_many_columns_and_are_called_so():
    at = uploaded(THREE)
    ran(at, at.button_group(key="set-reduce").set_value("on"))
    assert any("first two principal components of 3 columns" in info.value for info in at.info)
    ran(at, at.button_group(key="set-scale").set_value("none"))
    data = examples(session(at).settings)
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
        again = opened(**query_of(session(at).settings))
        assert session(again).settings == session(at).settings
        assert payload.unpack(sent(again))[0]["id"] == payload.unpack(sent(at))[0]["id"]
        assert len(again.toast) == 0


def test_another_file_begins_with_columns_of_its_own():
    """What was chosen for one file makes no other one wrong."""
    at = uploaded(THREE)
    ran(at, at.button_group(key="set-reduce").set_value("on"))
    uploaded("row,height,kind\n" + "".join(f"{i},{i * i % 7},{'ab'[i % 2]}\n" for i in range(9)), at, "two.csv")
    assert not at.error
    assert examples(session(at).settings).features == ("height", "row")


def test_a_link_whose_file_is_gone_says_so_and_works_again_when_it_is_opened():
    link = query_of(session(uploaded(TABLE)).settings)
    shared.tables.clear()
    at = opened("data", **link)
    (toast,) = (each.value for each in at.toast)
    assert is_a_sentence(toast.replace(". ", " "))
    assert "open the file again under Data" in toast
    assert session(at).settings == Settings.of()
    uploaded(TABLE, at)
    assert query_of(session(at).settings) == link
