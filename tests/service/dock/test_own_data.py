"""Data of one's own in the controls: Boolean functions, objects, drawn points, files and their columns."""

import numpy as np
import pytest
from reading import by_name, fields, flat, of_kind, texts

from kpviz import experiment
from kpviz.engine.data import boolean
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.data.tables import read_table
from kpviz.service.dock import Draft
from kpviz.service.dock.data import columns, columns_with
from kpviz.settings import DRAWN, FILE, Settings, from_query

NEW = {"texts": "the keeper cuts onions", "trees": "(S (W who) (VP (V ran)))", "graphs": "CCON 1-2 2-3 3-4"}
THREE = read_table(
    ("u,v,w,kind\n" + "".join(f"{7 * i % 61},{i * i % 17},{i % 5},{'abc'[i % 3]}\n" for i in range(60))).encode()
)
TWO = read_table(("u,v,kind\n" + "".join(f"{7 * i % 61},{i * i % 17},{'ab'[i % 2]}\n" for i in range(60))).encode())
OPENED = Settings.of(data=FILE, file="mine.csv~12ab")


def drawn(n, held=0):
    i = np.arange(n)
    points = Drawn.of(np.column_stack([0.25 * i, 0.5 - i % 2]), 1.0 - 2.0 * (i % 2))
    return Settings.of(data=DRAWN, points=Drawn(points.cells, points.y, held, points.axes).code)


# ---- Boolean functions --------------------------------------------------------------------------


@pytest.mark.parametrize("name", boolean.PRESETS)
def test_a_function_is_one_of_the_known_ones_and_its_bound_is_said(name):
    found = fields(Settings.of(data="bits", function=name, bits=6), "data")
    (choice,) = of_kind(found, "choice")
    assert (choice["name"], choice["value"]) == ("function", name)
    assert choice["options"] == [[key, preset.title] for key, preset in boolean.PRESETS.items()]
    assert of_kind(found, "text")[0]["value"] == ""
    terms = len(boolean.PRESETS[name].make(6).terms)
    assert texts(found)[0] == experiment.look_for(Settings.of(data="bits", function=name, bits=6))
    assert f"l = {terms} term" in texts(found)[1]
    assert f"= {64 * (4 * terms + 1):,} mistakes" in texts(found)[1]


@pytest.mark.parametrize("kernel", ["linear", "gaussian", "subsets"])
@pytest.mark.parametrize("learner", ["perceptron", "norma", "forgetron"])
@pytest.mark.parametrize("given", [{}, {"negated": "off"}, {"intercept": "unit"}, {"normalize": "on"}], ids=str)
def test_the_mistakes_at_most_are_told_only_where_that_is_proven(kernel, learner, given):
    made, _ = from_query({"data": "bits", "function": "parity", "kernel": kernel, "learner": learner, **given})
    (bound,) = [text for text in texts(fields(made, "data")) if "2ⁿ(4l + 1)" in text]
    first = experiment.bounds(made, experiment.run(made))[0]
    assert ("mistakes, more than" in bound) == (first.key == "dnf" and first.applies)
    assert first.applies or first.why in bound


def test_a_function_of_ones_own_is_none_of_the_known_ones_and_needs_its_bits():
    found = fields(Settings.of(data="bits", function="x1 & !x2 | x6"), "data")
    assert of_kind(found, "choice")[0]["value"] is None
    assert of_kind(found, "text")[0]["value"] == "x1 & !x2 | x6"
    assert by_name(found)["bits"]["low"] == 6
    assert "bits" not in by_name(fields(Settings.of(data="bits", function="x1 & x8"), "data"))


def test_a_wrong_function_stays_in_its_field():
    draft = Draft("x1 &", "At character 5: a bit is missing here, such as x1.", 4)
    (field,) = of_kind(fields(Settings.of(data="bits"), "data", drafts={"function": draft}), "text")
    assert field["draft"] == {"text": "x1 &", "why": draft.why, "at": 4}


# ---- texts, trees and graphs --------------------------------------------------------------------


@pytest.mark.parametrize("data", NEW)
def test_objects_can_be_asked_about_added_and_taken_away(data):
    negative, positive = OBJECTS[data].classes
    others, _ = OBJECTS[data].examples()
    settings = Settings.of(data=data, ask=NEW[data], added=f"+{others[0]};-{NEW[data]}")
    found = fields(settings, "data")
    asked, (add,), (listed,) = of_kind(found, "text"), of_kind(found, "add"), of_kind(found, "list")
    assert [(field["name"], field["value"], field["command"]) for field in asked] == [("ask", settings.ask, "type")]
    assert add["classes"] == [[1, f"+{positive}"], [-1, f"−{negative}"]]
    assert [(item["title"], item["text"], item["command"], item["value"]) for item in listed["items"]] == [
        (positive, others[0], "away", 0),
        (negative, NEW[data], "away", 1),
    ]


@pytest.mark.parametrize("data", NEW)
def test_what_is_wrong_with_an_object_is_said_at_its_field(data):
    drafts = {"ask": Draft("(S", "Still open."), "example": Draft("", "There is nothing to add yet.")}
    found = fields(Settings.of(data=data), "data", drafts=drafts)
    assert of_kind(found, "text")[0]["draft"] == {"text": "(S", "why": "Still open.", "at": None}
    assert of_kind(found, "add")[0]["draft"]["why"] == "There is nothing to add yet."
    assert of_kind(found, "list") == []


# ---- drawn points -------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "held", "most"), [(4, 1, 3), (4, 0, 3), (4, 4, 4), (2, 0, 1)])
def test_the_last_of_the_drawn_points_can_be_held_out(n, held, most):
    slider = by_name(fields(drawn(n, held), "data"))["hold"]
    assert (slider["command"], slider["low"], slider["high"], slider["value"]) == ("hold", 0, most, held)


def test_one_point_cannot_be_held_out():
    assert "hold" not in by_name(fields(drawn(1), "data"))
    assert "hold" not in by_name(fields(Settings.of(data=DRAWN), "data"))


def test_the_data_before_drawing_are_one_button_away():
    assert [button["command"] for button in of_kind(fields(Settings.of(), "data"), "button")] == ["draw"]
    buttons = of_kind(fields(drawn(3), "data", origin=Settings.of(data="moons")), "button")
    assert [(button["command"], button["label"]) for button in buttons][1] == ("original", "Back to Moons")


def test_a_stream_is_too_long_to_be_edited_as_a_table():
    (dialog,) = of_kind(fields(Settings.of(stream="on"), "data"), "dialog")
    assert dialog["disabled"] == "In a stream each example arrives once."
    assert of_kind(fields(Settings.of(), "data"), "dialog")[0]["disabled"] is None


# ---- files --------------------------------------------------------------------------------------


def test_the_part_for_files_is_open_where_there_is_one_or_something_is_wrong():
    def more(settings, **given):
        return of_kind(fields(settings, "data", **given), "more")[0]

    assert not more(Settings.of())["open"]
    assert more(OPENED)["open"]
    wrong = more(Settings.of(), drafts={"paste": Draft("hello", "This is not a table.")})
    assert wrong["open"]
    assert of_kind(wrong["fields"], "paste")[0]["draft"]["text"] == "hello"
    assert [field["kind"] for field in flat(more(OPENED)["fields"])] == ["file", "paste"]  # its file is not here


def test_columns_and_classes_of_a_file_are_those_that_are_used():
    found = by_name(fields(OPENED, "data", table=THREE))
    assert (
        [found[key]["value"] for key in ("x1", "x2", "label", "negative", "positive")]
        == [*columns(OPENED, THREE)]
        == ["u", "v", "kind", "a", "b"]
    )
    assert all(found[key]["key"] == key for key in ("x1", "x2", "label", "negative", "positive"))
    assert [value for value, _ in found["x1"]["options"]] == ["u", "v", "w"]
    assert [value for value, _ in found["positive"]["options"]] == ["a", "b", "c"]
    assert found["reduce"]["value"] == "off"
    assert found["scale"]["options"] == [["fit", "to ±1"], ["none", "as in the file"]]


def test_principal_components_take_the_place_of_two_columns():
    found = fields(OPENED.replace(reduce="on"), "data", table=THREE)
    assert not {"x1", "x2"} & set(by_name(found))
    assert any("first two principal components of 3 columns" in text for text in texts(found, "info"))
    assert "reduce" not in by_name(fields(OPENED, "data", table=TWO))  # there are but two


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("x1", "w", ("w", "v", "kind", "a", "b")),
        ("x1", "v", ("v", "u", "kind", "a", "b")),
        ("x2", "u", ("v", "u", "kind", "a", "b")),
        ("x2", "v", ("u", "v", "kind", "a", "b")),
        ("negative", "c", ("u", "v", "kind", "c", "b")),
        ("negative", "b", ("u", "v", "kind", "b", "a")),
        ("positive", "a", ("u", "v", "kind", "b", "a")),
        ("label", "w", ("u", "v", "w", "0", "1")),
    ],
)
def test_what_is_taken_changes_places_and_a_label_brings_its_classes(key, value, expected):
    assert columns_with(OPENED, THREE, key, value) == expected
