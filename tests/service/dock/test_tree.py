"""The tree of the controls: complete, accepted by the settings, small, and plain data."""

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from covering import covering, in_turn
from kinds import NAMES, data_for, kernels_for
from reading import GROUPS, everything, fields, strings, tree

import kpviz
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.data.tables import read_table
from kpviz.engine.kernels import KERNELS
from kpviz.engine.learners import LEARNERS
from kpviz.lessons.comparison import Pin
from kpviz.lessons.presets import PRESETS
from kpviz.settings import BY_NAME, DRAWN, FILE, HAND, PROPERTIES, Settings

TABLE = read_table(
    ("u,v,w,kind\n" + "".join(f"{7 * i % 61},{i * i % 17},{i % 5},{'abc'[i % 3]}\n" for i in range(60))).encode()
)
OF_FILE = {"data": FILE, "file": "mine.csv~0123"}
POINTS = Drawn.of(np.array([[0.0, 0.5], [0.5, -0.5], [1.0, 0.0]]), np.array([1.0, -1.0, 1.0]))
OF_HAND = {"data": DRAWN, "points": POINTS.code}
ON_THE_BOARD = {"points", "names", "sequence", "cues", "file"}  # set on the map, in the order's panel, by opening
BY_COMMAND = {"added", "cols"}  # an example that is added; five lists, one for each column and class

COVERING = [
    {"data": data, "learner": learner, "combine": combine, "stream": stream, "order": order, "normalize": normalize}
    for data, learner, combine, stream, order, normalize in covering(
        NAMES, LEARNERS, ["none", "sum", "product"], ["off", "on"], ["cyclic", "random", HAND], ["off", "on"]
    )
]
SINGLE = [
    *({"data": data_for(kernel), "kernel": kernel, "combine": "sum", "kernel2": kernel} for kernel in KERNELS),
    {"learner": "pa", "variant": "PA-I"},
    {"learner": "norma", "nu": 0.2},
    {"data": "circles", "stream": "on"},
    {"data": "moons", "stream": "on", "drift": 0.0},
    {"data": "bits", "function": "x1 & x8"},
    OF_FILE,
    {**OF_FILE, "reduce": "on"},
    OF_HAND,
]
CASES = COVERING + SINGLE


def of_learner(case):
    return case.get("learner", "perceptron")


over_cases = in_turn([(case,) for case in CASES], of_learner)


def shown(case):
    """Settings, and the tree of all groups."""
    settings = Settings.of(**case)
    table = TABLE if settings.data == FILE else None
    return settings, tree(settings, table=table)


@over_cases
def test_each_property_that_applies_is_there_once_and_no_other(case):
    settings, found = shown(case)
    named = [field for field in everything(found) if "name" in field]
    count = Counter(field["name"] for field in named if field.get("command", "set") in ("set", "type"))
    applying = {prop.name for prop in PROPERTIES if settings.reason_against(prop.name) is None}
    fixed = {
        prop.name for prop in PROPERTIES if prop.name in applying and prop.range and len({*span(prop, settings)}) == 1
    }
    assert set(count) == applying - ON_THE_BOARD - BY_COMMAND - fixed
    twice = {"function"} & applying  # by name, and as a formula
    assert {name for name, n in count.items() if n > 1} == twice
    assert ("added" in applying) == any(field.get("command") == "example" for field in everything(found))
    assert ("cols" in applying) == any(field.get("command") == "columns" for field in everything(found))


def span(prop, settings):
    limits = prop.range_for(settings.values)
    return limits.low, limits.high


@in_turn([(case,) for case in COVERING[::5] + SINGLE], of_learner)
def test_every_value_that_is_offered_is_the_one_that_is_set(case):
    settings, found = shown(case)
    for field in everything(found):
        if field.get("command", "set") != "set" or "name" not in field:
            continue
        name = field["name"]
        assert field["value"] is None or settings.values[name] in (
            field["value"],
            {True: "on", False: "off"}.get(field["value"]),
        ), name
        for value in offered(field):
            made = settings.replace(**{name: value})
            assert made.values[name] == value, (name, value)


def offered(field):
    if field["kind"] == "tiles":
        return [option["value"] for option in field["options"]]
    if field["kind"] in ("choice", "select"):
        return [value for value, _ in field["options"]]
    if field["kind"] == "toggle":
        return [field["on"], field["off"]]
    return [field["low"], field["high"]]


@over_cases
def test_labels_and_words_are_there_and_each_value_is_one_of_those_offered(case):
    settings, found = shown(case)
    chips = [*found["chips"], *found["buttons"]]
    assert all(chip["label"] and chip["tip"] for chip in chips)
    for field in everything(found):
        for part in ("label", "text", "title", "placeholder"):
            assert field.get(part) != "" or (part, field["kind"]) == ("placeholder", "text")
        if field["kind"] == "words":  # no names of the code, no formula that is not typeset
            assert not re.search(r"`|Σ_|\b[a-z]+_[a-z]+\b", field["text"]), field["text"]
        if field["kind"] in ("tiles", "choice", "select"):
            values = offered(field)
            assert len(set(values)) == len(values) > ("kernel" not in field["name"])  # one alone compares trees
            elsewhere = field["name"] == "data" and settings.data in (FILE, DRAWN)
            assert field["value"] in values or elsewhere or field["value"] is None
        if field["kind"] == "slider":
            assert field["low"] <= field["value"] <= field["high"]
            assert (field["step"] is None) == field["log"]
            assert not field["log"] or field["low"] > 0


@over_cases
def test_the_tree_is_plain_and_small(case):
    _, found = shown(case)
    for group in found["groups"].values():
        written = json.dumps(group, allow_nan=False, ensure_ascii=False)
        assert json.loads(written) == group
        assert len(written.encode()) < 20_000
    assert len(json.dumps({**found, "groups": {}}).encode()) < 2_000


def test_the_longest_formulas_make_a_small_group_too():
    longest = "+".join(["u[1]*v[1]"] * 24)
    settings = Settings.of(kernel="formula", formula=longest, combine="sum", kernel2="formula", formula2=longest)
    assert settings.formula == settings.formula2 != Settings.of(kernel="formula").formula
    assert len(json.dumps(tree(settings)["groups"]["kernel"], ensure_ascii=False).encode()) < 20_000


def test_only_the_groups_that_are_wanted_are_made():
    assert list(tree(Settings.of(), ["kernel", "nothing"])["groups"]) == ["kernel"]
    empty = tree(Settings.of(), [])
    assert empty["groups"] == {}
    assert [chip["group"] for chip in empty["chips"]] == list(GROUPS)
    assert [button["command"] for button in empty["buttons"]] == ["redraw", "reorder"]


def test_every_picture_is_in_the_style_sheet():
    css = (Path(kpviz.__file__).parent / "player" / "web" / "dock" / "thumbnails.css").read_text(encoding="utf-8")
    drawn = set(re.findall(r"^\.([\w-]+) \{ background-image", css, re.MULTILINE))
    used = {
        option["image"]
        for data in NAMES
        for field in everything(tree(Settings.of(data=data)))
        for option in field.get("options", ())
        if isinstance(option, dict)
    }
    assert used <= drawn
    assert len(used) == len(NAMES) + len(KERNELS) + len(LEARNERS) + len(PRESETS)


HOSTILE = ["<img src=x onerror=alert(1)>", "**bold** `code`", "a&amp;b", "\"'", "$x$ :red[a]"]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_files_and_columns_pass_through_as_they_are(name):
    quoted = name.replace('"', '""')
    text = f'"{quoted}",v,"kind{quoted}"\n' + "".join(f'{i},{i * i % 7},"{"ab"[i % 2]}{quoted}"\n' for i in range(12))
    settings, table = Settings.of(data=FILE, file=f"{name}~0123"), read_table(text.encode())
    found = tree(settings, table=table, origin=settings)
    assert found["chips"][0]["label"].startswith(settings.file.partition("~")[0])
    values = strings(found["groups"]["data"])
    for written in (name, f"kind{name}", f"a{name}", f"b{name}"):
        assert written in values


def test_pins_are_told_apart_in_plain_words():
    settings = Settings.of(kernel="formula", formula="u[1]*v[1] + 1")
    listed = fields(settings, "compare", pins=(Pin.of(settings), Pin.of(Settings.of(kernel="linear"))))
    (items,) = [field["items"] for field in listed if field["kind"] == "list"]
    assert [item["title"] for item in items] == ["A", "B"]
    assert items[0]["text"] == "k = u[1]*v[1] + 1"
    assert items[1]["text"] == "Linear"
    assert [(item["command"], item["value"]) for item in items] == [("unpin", {"number": 0}), ("unpin", {"number": 1})]
    assert BY_NAME["formula"].text >= len(settings.formula)


def test_the_kernels_offered_are_those_that_compare_the_examples():
    for data in NAMES:
        (tiles,) = [field for field in fields(Settings.of(data=data), "kernel") if field["kind"] == "tiles"]
        assert [option["value"] for option in tiles["options"]] == kernels_for(data)
        assert all("hidden" in option["tip"] for option in tiles["options"])
