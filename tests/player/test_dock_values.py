"""Numbers of sliders, and where the settings lie beside the map, without a page."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        return json.loads(str(self._js.eval(f"JSON.stringify({function}({', '.join(map(json.dumps, args))}))")))


@pytest.fixture(scope="module")
def page():
    return Modules("dock/numbers.js", "model/layout.js")


def ranges():
    """The range of each property that has one, as a slider gets it."""
    settings = Settings.of()
    for prop in PROPERTIES:
        if prop.range is not None:
            found = prop.range_for(settings.values)
            step = None if found.log else 1 if found.integer else found.step or 0.01
            yield pytest.param(
                {"low": found.low, "high": found.high, "log": found.log, "integer": found.integer, "step": step},
                id=prop.name,
            )


@pytest.mark.parametrize("limits", list(ranges()))
def test_every_notch_is_a_value_of_the_range_and_the_ends_are_its_ends(page, limits):
    values = page.call(
        "((limits, n = notchesOf(limits)) => Array.from({ length: n + 1 }, (_, k) => valueAt(limits, k / n)))", limits
    )
    notches = len(values) - 1
    assert values == sorted(values)
    assert values[0] == pytest.approx(limits["low"])
    assert values[-1] == pytest.approx(limits["high"])
    for k in (0, notches // 3, notches):
        assert round(notches * page.call("shareOf", limits, values[k])) == pytest.approx(k, abs=notches * 0.02)


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
    """The board without and with settings that end 12 px right of it, where the window does."""
    arguments = f"{width}, {height}, new Set({json.dumps(USUAL)}), 'words'"
    return [
        page.call(f"((edge) => layout({arguments}, {{ runs: {runs}, edge }}))", edge) for edge in (None, width + 12)
    ]


def right(rect):
    return rect["x"] + rect["w"]


@pytest.mark.parametrize(("window", "column"), [((1366, 768), 434), ((1366, 640), 535), ((1920, 1080), 690)])
def test_settings_beside_the_map_narrow_the_column_and_leave_the_map(page, window, column):
    width, height = window[0] - 24, window[1] - 54
    before, after = boards(page, width, height)
    assert after["panels"]["map"] == before["panels"]["map"]
    assert after["panels"]["timeline"] == before["panels"]["timeline"]
    assert after["bar"] == before["bar"]
    assert after["panels"]["words"]["w"] >= column
    dock = after["dock"]
    assert right(dock) == window[0] - 12
    assert 280 <= dock["w"] <= 300
    assert all(right(after["panels"][name]) <= dock["x"] for name in ("words", *USUAL))
    assert dock["y"] + dock["h"] <= after["panels"]["timeline"]["y"]
    assert before["dock"] is None


@given(width=st.integers(900, 2600), height=st.integers(420, 1500), runs=st.integers(1, 4))
def test_settings_never_lie_on_a_map_nor_on_a_column_that_is_seen(page, width, height, runs):
    before, after = boards(page, width, height, runs=runs)
    dock, panels = after["dock"], after["panels"]
    maps = [name for name in panels if re.match(r"map(-|$)", name)]
    assert all(panels[name] == before["panels"][name] for name in maps)
    assert all(right(panels[name]) <= dock["x"] for name in maps)
    column = panels["words" if runs == 1 else "table"]
    beside = right(column) <= dock["x"]
    assert beside == (column["w"] != before["panels"]["words" if runs == 1 else "table"]["w"])
    assert not beside or column["w"] >= 434


@pytest.mark.parametrize(("width", "height"), [(366, 740), (776, 820), (366, 560)])
def test_in_a_narrow_window_settings_are_a_sheet_under_the_map_at_most_half_as_high(page, width, height):
    before, after = boards(page, width, height)
    assert after["panels"] == before["panels"]
    assert (after["sheet"], before["sheet"]) == (True, False)
    dock, found = after["dock"], after["panels"]["map"]
    assert dock["y"] >= found["y"] + found["h"] or dock["h"] == 180
    assert dock["y"] + dock["h"] == height
    assert dock["h"] <= height / 2 or dock["h"] == 180


@pytest.mark.parametrize(("width", "height"), [(366, 760), (366, 580), (336, 556), (351, 583), (296, 484), (576, 600)])
def test_in_a_narrow_window_map_and_words_have_room_together(page, width, height):
    before, _ = boards(page, width, height)
    words = before["panels"]["words"]
    assert words["y"] + words["h"] <= height + 6  # which the page has below
    assert before["strip"] == (before["bar"]["h"] == 46)


def test_in_a_low_window_settings_take_the_place_of_the_panel_beside_the_map(page):
    before, after = boards(page, 820, 340)
    assert after["panels"] == before["panels"]
    assert not after["sheet"]
    assert after["dock"]["x"] >= right(after["panels"]["map"])
    assert after["dock"]["h"] == after["panels"]["map"]["h"]


@pytest.mark.parametrize(("limits", "value"), [({"high": 9999, "integer": True}, 1234), ({"high": 10}, 1.234)])
def test_a_range_decides_what_a_comma_is(page, limits, value):
    assert page.call("typedValue", "1,234", {"low": 0, "integer": False, **limits}) == value
    what = "whole number" if limits.get("integer") else "number, such as 0.25"
    assert page.call("typedValue", "wide", {"low": 0, "integer": False, **limits}) == f"Write a {what}."


def test_a_number_is_typed_as_it_is_written_on_the_board():
    typed = Modules("shell/typed_number.js")
    read = {"8.1×10⁷": 8.1e7, "−3.2×10⁻⁷": -3.2e-7, "2 · 10^3": 2e3, "1.5*10^-2": 0.015, "0,5": 0.5, "1e-3": 1e-3}
    assert {text: typed.call("readings", text) for text in read} == {text: [value] for text, value in read.items()}
    assert [typed.call("readings", text) for text in ("8.1×", "×10⁷", "8×10", "8×107", "x", "1.234,5")] == [[]] * 6
