"""Numbers of sliders and of the board, and where the settings lie beside the map,
without a page.
"""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpviz.engine import powers
from kpviz.lessons import explain
from kpviz.lessons.file import names
from kpviz.lessons.file.kinds import question
from kpviz.picture import bridge
from kpviz.player import modules
from kpviz.settings import PROPERTIES, Settings


class Modules(bridge.Engine):
    """Modules of the player that need no page."""

    def __init__(self, *paths):
        super().__init__()
        for path in paths:
            script = modules.script(path)
            last = re.findall(r"^const (\$\w+) = \(\(\) =>", script, re.MULTILINE)[-1]
            self._js.eval(f"(() => {{ {script}\nObject.assign(globalThis, {last}); }})(); 0")

    def call(self, function, *args):
        return json.loads(
            str(self._js.eval(f"JSON.stringify({function}({', '.join(map(json.dumps, args))}))"))
        )


@pytest.fixture(scope="module")
def page():
    return Modules("page/dock/numbers.js", "board/layout.js")


def ranges():
    """The range of each property that has one, as a slider gets it."""
    settings = Settings.of()
    for prop in PROPERTIES:
        if prop.range is not None:
            found = prop.range_for(settings.values)
            step = None if found.log else 1 if found.integer else found.step or 0.01
            yield pytest.param(
                {
                    "low": found.low,
                    "high": found.high,
                    "log": found.log,
                    "integer": found.integer,
                    "step": step,
                },
                id=prop.name,
            )


@pytest.mark.parametrize("limits", list(ranges()))
def test_every_notch_is_a_value_of_the_range_and_the_ends_are_its_ends(page, limits):
    values = page.call(
        "((limits, n = notchesOf(limits)) => Array.from({ length: n + 1 }, (_, k) => "
        "valueAt(limits, k / n)))",
        limits,
    )
    notches = len(values) - 1
    assert values == sorted(values)
    assert values[0] == pytest.approx(limits["low"])
    assert values[-1] == pytest.approx(limits["high"])
    for k in (0, notches // 3, notches):
        assert round(notches * page.call("shareOf", limits, values[k])) == pytest.approx(
            k, abs=notches * 0.02
        )


@given(value=st.integers(1, 1000), towards=st.sampled_from([-1, 1]))
def test_an_arrow_reaches_another_whole_number_or_the_end(page, value, towards):
    limits = {"low": 1, "high": 1000, "log": True, "integer": True, "step": None}
    start = round(200 * page.call("shareOf", limits, value))
    if 0 < start < 200:
        notch = page.call("nextNotch", limits, start + towards, start)
        before, after = (page.call("valueAt", limits, k / 200) for k in (start, notch))
        assert (after - before) * towards > 0


@pytest.mark.parametrize(
    ("typed", "percent", "value"),
    [
        ("0.25", False, 0.25),
        ("0,25", False, 0.25),
        ("25", True, 0.25),
        ("\u22123", False, 0),
        ("9", False, 0.5),
        ("0,512", False, 0.5),
        ("1,234", True, 0.01234),
        ("", False, "Write a number, such as 0.25."),
        ("x", False, "Write a number, such as 0.25."),
        ("-1,234 ", False, "-1,234 can mean −1234 or −1.234: write it without a comma."),
    ],
)
def test_what_is_typed_is_a_number_of_the_range(page, typed, percent, value):
    limits = {"low": 0, "high": 0.5, "integer": False, "percent": percent}
    assert page.call("typedValue", typed, limits) == value


# ---- the board, with the settings beside the map ------------------------------------------------

USUAL = ("alpha", "margins")


def boards(page, width, height, runs=1):
    """The board without and with settings."""
    shape = {"width": width, "height": height, "runs": runs, "knob": True}
    return [
        page.call(
            "((names, shape) => layoutOf(new Set(names), shape))", USUAL, {**shape, "slot": slot}
        )
        for slot in ("", "settings")
    ]


def right(rect):
    return rect["x"] + rect["w"]


@given(width=st.integers(900, 2600), height=st.integers(420, 1500), runs=st.integers(1, 4))
def test_settings_never_lie_on_a_map_nor_on_what_is_said(page, width, height, runs):
    before, after = boards(page, width, height, runs=runs)
    dock, panels = after["dock"], after["panels"]
    maps = [name for name in panels if re.match(r"map(-|$)", name)]
    assert before["dock"] is None
    assert 0 <= dock["x"] <= right(dock) <= width
    assert all(right(panels[name]) <= dock["x"] for name in maps)
    if runs == 1:
        said = panels.get("words") or panels["short"]
        bar = after["bar"]
        assert (bar["x"], bar["y"]) == (before["bar"]["x"], before["bar"]["y"]), (before, after)
        assert right(bar) <= dock["x"] or dock["y"] + dock["h"] <= bar["y"]
        assert all(panels[name] == before["panels"][name] for name in maps)
        assert said["y"] + said["h"] <= dock["y"]
        beside = "alpha" in panels
        assert not beside or right(panels["alpha"]) <= dock["x"]


@pytest.mark.parametrize(
    ("width", "height"), [(366, 760), (366, 580), (336, 556), (296, 484), (576, 600), (776, 820)]
)
def test_in_a_narrow_window_settings_are_a_sheet_under_map_words_and_buttons(page, width, height):
    _, after = boards(page, width, height)
    assert after["sheet"]
    dock, found, words = after["dock"], after["panels"]["map"], after["panels"]["short"]
    assert found["y"] + found["h"] <= words["y"]
    assert words["y"] + words["h"] <= after["bar"]["y"]
    assert after["bar"]["y"] + after["bar"]["h"] <= dock["y"] + 1 or found["w"] == 178
    assert dock["y"] + dock["h"] == height
    assert dock["h"] >= 180


def test_in_a_low_window_settings_take_the_place_of_the_panel_beside_the_map(page):
    before, after = boards(page, 820, 340)
    assert after["panels"]["map"] == before["panels"]["map"]
    assert not after.get("sheet")
    dock, said = after["dock"], after["panels"]["short"]
    assert dock["x"] >= right(after["panels"]["map"])
    assert said["y"] + said["h"] <= dock["y"]


@pytest.mark.parametrize(
    ("limits", "value"), [({"high": 9999, "integer": True}, 1234), ({"high": 10}, 1.234)]
)
def test_a_range_decides_what_a_comma_is(page, limits, value):
    assert page.call("typedValue", "1,234", {"low": 0, "integer": False, **limits}) == value
    what = "whole number" if limits.get("integer") else "number, such as 0.25"
    assert (
        page.call("typedValue", "wide", {"low": 0, "integer": False, **limits})
        == f"Write a {what}."
    )


def test_a_number_is_typed_as_it_is_written_on_the_board():
    typed = Modules("page/typed_number.js")
    read = {
        "8.1×10⁷": 8.1e7,
        "−3.2×10⁻⁷": -3.2e-7,
        "2 · 10^3": 2e3,
        "1.5*10^-2": 0.015,
        "0,5": 0.5,
        "1e-3": 1e-3,
    }
    read |= {
        "1/2": 0.5,
        "−1/4": -0.25,
        "½": 0.5,
        "1 ½": 1.5,
        "- ⅛": -0.125,
        "0,5/2": 0.25,
        "3 / 0.5": 6,
    }
    assert {text: typed.call("readings", text) for text in read} == {
        text: [value] for text, value in read.items()
    }
    plain = {text: value for text, value in read.items() if not set(text) & set("×·*")}
    assert {
        text: question.typed(text) for text in plain
    } == plain  # a file of results holds them so, too
    assert typed.call("readings", "1/0") == typed.call("readings", "1/2/") == []
    assert [
        typed.call("readings", text) for text in ("8.1×", "×10⁷", "8×10", "8×107", "x", "1.234,5")
    ] == [[]] * 6


# ---- numbers as they are written and read, in Python and in the player ---------------------------

VALUES = [1000.0, 5792.64, -5792.64, 12_345.0, -99_999.5, 123_456.0, 999_999.0]


def test_player_and_python_write_every_number_alike(engine):
    rng = np.random.default_rng(0)
    ties = np.concatenate(
        [
            [0.125, 0.375, 2.5, 0.005, 1.005, 0.00015, 0.1, 0.0001, 1e-7, 1e-30, 1e-45, 1e-60],
            np.arange(40) / 8,
        ]
    )
    wide = rng.normal(size=1500) * 10.0 ** rng.uniform(-12, 7, size=1500)
    ends = [
        999_999.0,
        999_999.5,
        999_999.96,
        999_999.99,
        1e6,
        1_000_001.0,
        1_049_999.0,
        1_050_000.0,
        9.99e8,
        1e9,
    ]
    values = [
        0.0,
        *ends,
        *ties,
        *-ties,
        *wide,
        *np.round(rng.normal(size=500), 3),
        *(rng.integers(-999, 999, 500) / 1000),
    ]
    theirs = engine.call(
        "(values) => values.map(load('run/words.js').number)", [float(v) for v in values]
    )
    different = [
        (v, ours, text)
        for v, text in zip(values, theirs, strict=True)
        if (ours := explain.number(v)) != text
    ]
    assert different == []


def test_player_and_python_tell_two_numbers_apart_alike(engine):
    rng = np.random.default_rng(1)
    was = np.concatenate(
        [rng.normal(size=400) * 10.0 ** rng.uniform(-9, 8, size=400), [0.0, 0.1, 0.0001, 1e6, 0.0]]
    )
    gap = 10.0 ** rng.uniform(-9, 0, size=len(was)) * np.abs(was)
    pairs = [
        [0.0, 0.0],
        *([float(np.float32(a)), float(a + d)] for a, d in zip(was, gap, strict=True)),
    ]
    theirs = engine.call(
        "(pairs) => pairs.map(([a, b]) => load('run/words.js').toldApart(a, b))",
        pairs,
    )
    ours = [list(explain.told_apart(*pair)) for pair in pairs]
    assert [(pair, a, b) for pair, a, b in zip(pairs, ours, theirs, strict=True) if a != b] == []
    assert any(now == "" for _, now in ours)


@pytest.mark.parametrize("name", ["number", "signed", "exactly", "typeset"])
def test_every_way_in_which_the_player_writes_a_number_parts_thousands(name):
    words = Modules("run/words.js")
    for value in VALUES:
        text = words.call(name, str(value) if name == "typeset" else value)
        assert re.fullmatch(r"[+−]?\d{1,3}(,\d{3})*(\.\d+)?", text), text


def test_every_way_in_which_python_writes_a_number_parts_thousands():
    for value in VALUES:
        for text in (explain.number(value), names.shown_as(value), powers.significant(value, 6)):
            assert re.fullmatch(r"−?\d{1,3}(,\d{3})*(\.\d+)?", text), text


def test_a_number_that_parts_thousands_is_read_so_and_a_decimal_comma_as_one():
    typed = Modules("page/typed_number.js")
    for text, values in {
        "5,792": [5792, 5.792],
        "5,792.64": [5792.64],
        "−12,345,678": [-12_345_678],
        "0,512": [0.512],
        "5,79": [5.79],
    }.items():
        assert typed.call("readings", text) == values
    words = "5,792 can mean 5792 or 5.792: write it without a comma."
    assert typed.call("whyNot", "5,792", [5792, 5.792]) == words
