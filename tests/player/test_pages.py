"""Any set of panels at any size: none lies on another, none is smaller than it needs, none is
missing.
"""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_dock_values import Modules

from kpviz.panels import BY_NAME, PANELS

BESIDE = [panel.name for panel in PANELS if panel.group in ("default", "more") and not panel.page]
LETTER = 11.25
SETS = st.sets(st.sampled_from(BESIDE))
SLOTS = st.sampled_from(["", "settings"])


@pytest.fixture(scope="module")
def modules():
    return Modules("board/shown_panels.js", "board/layout.js")


def laid(modules, width, height, shown, **around):
    shape = {"width": width, "height": height, **around}
    return modules.call("((names, shape) => layoutOf(new Set(names), shape))", sorted(shown), shape)


def presented(modules, width, height, shown, **around):
    return laid(modules, width, height, shown, kind="projector", **around)


def apart(one, other):
    return (
        one["x"] + one["w"] <= other["x"] + 0.5
        or other["x"] + other["w"] <= one["x"] + 0.5
        or one["y"] + one["h"] <= other["y"] + 0.5
        or other["y"] + other["h"] <= one["y"] + 0.5
    )


def overlaps(found):
    """The pairs of rectangles that lie on one another, the control that turns pages among them."""
    rects = {
        **found["panels"],
        **{name: found[name] for name in ("turn", "dock") if found.get(name)},
    }
    pairs = itertools.combinations(rects.items(), 2)
    return [(one, other) for (one, a), (other, b) in pairs if not apart(a, b)]


def cramped(found, unit, *, stream):
    """The panels that are smaller than they need."""
    small = []
    for name in set(found["panels"]) & set(BESIDE):
        panel, rect = BY_NAME[name], found["panels"][name]
        high = panel.rows * (panel.stream_share if stream else 1.0) * LETTER * unit
        if rect["h"] < int(high) - 1 or rect["w"] < int(panel.columns * LETTER * unit) - 1:
            small.append((name, rect, high))
    return small


@given(
    width=st.integers(900, 2600),
    height=st.integers(420, 1500),
    shown=SETS,
    stream=st.booleans(),
    slot=SLOTS,
    tools=st.sampled_from([0, 40]),
)
def test_the_board_shows_every_panel_on_a_page_with_the_room_that_it_needs(
    modules, width, height, shown, stream, slot, tools
):
    around = {"stream": stream, "tools": tools, "slot": slot}
    first = laid(modules, width, height, shown, **around)
    seen = []
    for number in range(len(first["pages"])):
        found = laid(modules, width, height, shown, page=number, **around)
        assert overlaps(found) == []
        if slot and found["pages"] == [[]]:
            return  # the settings are in the place of the panels
        assert cramped(found, found["unit"], stream=stream) == []
        assert sorted(found["pages"][number]) == sorted(set(found["panels"]) & set(BESIDE))
        assert (found["turn"] is None) == (len(first["pages"]) == 1)
        assert found["low"] or found["panels"]["words"]["h"] >= 72
        seen += found["pages"][number]
    assert seen == [name for name in BESIDE if name in shown]


@given(
    width=st.integers(640, 2600),
    height=st.integers(400, 1500),
    shown=SETS,
    stream=st.booleans(),
    turns=st.booleans(),
    together=st.lists(SETS, max_size=2),
)
def test_the_stage_of_a_lecture_and_paper_show_every_panel_on_a_page_or_name_it(
    modules, width, height, shown, stream, turns, together
):
    around = {"stream": stream, "together": [sorted(group) for group in together]}
    around["turns"] = turns
    pages = presented(modules, width, height, shown, **around)["pages"]
    seen = set()
    for number, page in enumerate(pages):
        found = presented(modules, width, height, shown, page=number, **around)
        assert (found["pages"], turns or found["turn"] is None) == (
            pages,
            True,
        )  # paper has no control that turns them
        assert overlaps(found) == []
        assert cramped(found, found["unit"], stream=stream) == []
        there = {*found["panels"]} & {*BESIDE}
        assert {*page} == there
        assert {*found["without"]} == shown - there
        assert together or not there & seen
        if any(
            there <= {*other} for k, other in enumerate(pages) if k != number
        ):  # a large one that is lit alone
            (name,) = there
            assert BY_NAME[name].share >= 1.6
            assert {name} in [group & shown for group in together]
            assert shown <= set().union(*together)
        seen |= there
    for name in (
        shown - seen
    ):  # not even on a page of its own, above the votes that come with the readings
        own = presented(modules, width, height, {name} | shown & {"readings"}, stream=stream)
        assert all(name not in page for page in own["pages"])


def test_a_large_panel_that_is_lit_alone_has_the_column_and_a_cue_that_lights_nothing_gives_it_back(
    modules,
):
    lit = [["gram"], ["alpha", "gram"], []]
    first, second = (
        presented(modules, 1920, 1080, {"alpha", "gram"}, together=lit, page=k) for k in (0, 1)
    )
    assert first["pages"] == [["alpha", "gram"], ["gram"]]
    assert second["panels"]["gram"]["h"] > 1.3 * first["panels"]["gram"]["h"]
    shown = [
        modules.call(f"(([names, page]) => pageWith(names, {first['pages']}, page))", each)
        for each in ([["gram"], 0], [["gram", "alpha"], 1], [["map"], 1], [[], 1], [["alpha"], 0])
    ]
    assert shown == [1, 0, 0, 0, 0]

    def pages(together, *, turns):
        around = {"together": together, "turns": turns}
        return presented(modules, 1920, 1080, {"alpha", "gram"}, **around)["pages"]

    # On paper alpha would never be seen otherwise; on a stage one turns to it, in large type.
    assert pages([["gram"]], turns=False) == [["alpha", "gram"]]
    assert pages([["gram"]], turns=True) == [["gram"], ["alpha"]]
    assert pages([["gram"], ["alpha"]], turns=False) == first["pages"]
    assert pages([["gram"], ["alpha"]], turns=True) == [["gram"], ["alpha"]]
    for turns in (False, True):
        assert pages([["alpha"], ["alpha", "gram"]], turns=turns) == [["alpha", "gram"]]


@pytest.mark.parametrize(("width", "height"), [(720, 720), (720, 1280), (960, 720), (1280, 720)])
@pytest.mark.parametrize("name", BESIDE)
def test_each_panel_has_a_page_on_a_stage_of_any_shape(modules, width, height, name):
    found = presented(modules, width, height, {name}, turns=False)
    assert found["without"] == []
    assert min(found["panels"]["map"].values()) > 0
    assert found["panels"]["map"]["w"] >= 0.3 * min(width, height) - 20


@given(width=st.integers(280, 899), height=st.integers(200, 1200), shown=SETS)
def test_in_a_narrow_window_all_panels_are_on_the_page_and_lie_on_nothing(
    modules, width, height, shown
):
    found = laid(modules, width, height, shown)
    assert overlaps(found) == []
    if found["narrow"]:
        assert cramped(found, 1, stream=False) == [] or width < 400
        assert {*found["panels"]} >= shown


@pytest.mark.parametrize(
    ("width", "height", "pages"), [(1342, 714, 6), (1896, 1026, 4), (1342, 586, 8)]
)
def test_all_panels_at_once_take_a_few_pages(modules, width, height, pages):
    assert len(laid(modules, width, height, BESIDE)["pages"]) <= pages
    assert laid(modules, width, height, ["alpha", "margins"])["turn"] is None


@given(
    width=st.integers(960, 2600),
    ratio=st.sampled_from([16 / 9, 4 / 3]),
    words=st.tuples(st.integers(10, 60), st.integers(10, 140)),
    heading=st.integers(5, 60),
)
def test_the_heading_of_a_scene_lies_on_nothing_of_a_comparison(
    modules, width, ratio, words, heading
):
    height = round(width / ratio)
    found = presented(modules, width, height, set(), runs=2, question=list(words), heading=heading)
    at, least = found["heading"], found["least"]
    panels = dict(found["panels"])
    if at["right"]:  # beside the question
        assert panels.pop("question")["w"] >= (1.3 * words[0] + heading) * 0.6 * least
    assert all(apart(at, other) for other in panels.values())


@pytest.mark.parametrize(
    ("size", "words", "heading", "is_beside"),
    [
        ((1024, 768), (60, 140), 5, True),
        ((1024, 768), (60, 140), 60, False),
        ((1920, 1080), (60, 140), 5, True),
        ((1920, 1080), (60, 140), 60, False),
        ((1920, 1080), (20, 60), 20, False),  # a brief question stands beside the maps
    ],
)
def test_a_heading_stands_beside_a_question_only_where_both_have_room_on_one_line(
    modules, size, words, heading, is_beside
):
    found = presented(modules, *size, set(), runs=2, question=list(words), heading=heading)
    question = found["panels"]["question"]
    assert (found["heading"]["right"], found["heading"]["y"] == question["y"]) == (
        is_beside,
        is_beside,
    )


@given(
    width=st.integers(960, 2600),
    ratio=st.sampled_from([16 / 9, 16 / 10, 1366 / 768, 4 / 3]),
    runs=st.integers(2, 4),
    question=st.sampled_from([None, [40, 90]]),
)
def test_compared_maps_are_nearly_as_large_before_a_class_as_on_the_board_or_fill_the_room(
    modules, width, ratio, runs, question
):
    height = round(width / ratio)
    on_stage = presented(modules, width, height, set(), runs=runs, question=question)
    on_board = laid(modules, width - 24, height - 54, set(), runs=runs, question=question)["panels"]
    panels = on_stage["panels"]
    assert overlaps(on_stage) == []
    # Large words above the maps leave them the height that there is.
    share = panels["map"]["w"] / on_board["map"]["w"]
    if runs > 2:
        as_wide_as_there_is_room = runs * panels["map"]["w"] > 0.93 * width
        assert share > 0.85 or as_wide_as_there_is_room
    elif question is None:
        assert share >= 0.85
    for suffix in ["", *(f"-{k}" for k in range(runs - 1))]:
        map_, decide = panels[f"map{suffix}"], panels[f"decide{suffix}"]
        assert (decide["x"], decide["w"]) == (map_["x"], map_["w"])
        assert decide["y"] == map_["y"] + map_["h"]
    assert (
        panels["sentences"]["h"] > 5 * on_stage["least"]
    )  # test_stage.py: what is said there has room


def test_a_default_panel_stands_above_one_on_request_where_there_is_height(modules):
    without = laid(modules, 1342, 714, {"alpha", "code"})["panels"]
    assert without["alpha"]["y"] + without["alpha"]["h"] < without["code"]["y"]
    assert without["alpha"]["w"] == without["code"]["w"] == without["words"]["w"]


@given(
    width=st.integers(280, 899),
    height=st.integers(300, 1200),
    runs=st.integers(1, 4),
    question=st.sampled_from([None, [5, 10], [40, 90]]),
    tools=st.sampled_from([0, 40]),
)
def test_in_a_narrow_window_no_two_panels_overlap_however_many_runs_there_are(
    modules, width, height, runs, question, tools
):
    found = laid(modules, width, height, set(), runs=runs, question=question, tools=tools)
    assert overlaps(found) == []
    maps = [name for name in found["panels"] if name == "map" or name.startswith("map-")]
    assert len(maps) == runs
    for rect in found["panels"].values():
        assert rect["x"] >= -0.5
        assert rect["x"] + rect["w"] <= width + 0.5
