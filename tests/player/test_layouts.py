"""The laws of all layouts, at thirteen sizes of the window and in each state: the map never moves,
nothing lies on anything or leaves the page, and map, words and buttons are in one view.
"""

import itertools
from functools import cache

import pytest
from board_laws import FINGER, room_in
from covering import in_turn
from test_dock_values import Modules
from windows import TOUCHED

from kpviz.panels import BY_NAME

# The side of the map at each size on the board, and of each map where two and four runs are
# compared.
SIDES = {
    (320, 256): (178, 150, 150),
    (683, 384): (312, 216, 160),
    (390, 844): (374, 239, 183),
    (844, 390): (314, 220, 194),
    (768, 1024): (689, 372, 322),
    (1024, 600): (502, 329, 235),
    (1024, 768): (563, 427, 272),
    (1280, 720): (622, 449, 310),
    (1366, 640): (542, 446, 275),
    (1366, 768): (670, 497, 331),
    (1440, 900): (792, 551, 349),
    (1920, 1080): (942, 701, 465),
    (2560, 1440): (1256, 938, 621),
}
TINY = (320, 256)
UPRIGHT = {(320, 256), (390, 844), (768, 1024)}
USUAL = ["alpha", "margins"]
STATES = {
    "board": (USUAL, {}),
    "four panels": ([*USUAL, "bound", "gram"], {}),
    "settings": (USUAL, {"slot": "settings"}),
    "question": (USUAL, {"tools": 44}),
    "reading": (["alpha"], {"slot": "reading", "lit": ["alpha"]}),
    "stream": (USUAL, {"stream": True}),
    "votes": ([*USUAL, "readings"], {}),
    "compare 2": (["alpha"], {"runs": 2, "question": [40, 60]}),
    "compare 4": (["alpha"], {"runs": 4, "question": [40, 60]}),
    "fisher": (["projections", "criterion", "scatter"], {"knob": False}),
    "minute": (["map", "timeline"], {"kind": "question", "head": 100, "say": 180}),
}


@cache
def modules():
    return Modules("board/layout.js")


def layout_of(names, shape):
    return modules().call("((names, shape) => layoutOf(new Set(names), shape))", names, shape)


def board_in(size):
    width, height, around = room_in(size)
    return {"width": width, "height": height, "knob": True, **around}


@cache
def laid_out(size, state):
    """The layout of a state, and the shape that it was made for; both are only read."""
    names, more = STATES[state]
    shape = {**board_in(size), **more}
    return layout_of(names, shape), shape


def rects_of(layout, state):
    """All that has a place, by its name; a sheet lies over the page."""
    rects = {name: rect for name, rect in layout["panels"].items() if not name.startswith("gutter")}
    for name in ("bar", "knob", "tools", "turn", "next", "dock"):
        if layout.get(name) and not (name == "dock" and layout.get("sheet")):
            rects[name] = layout[name]
    if state == "minute":
        say = layout["say"]
        rects["say"] = {"x": say["x"], "y": say["y"], "w": say["w"], "h": 180}
        if say["mapWidth"]:  # The question is beside the map, the answers are under it.
            under = layout["panels"]["map"]["y"] + layout["panels"]["map"]["h"] - say["y"]
            rects["say"] = {**rects["say"], "y": say["y"] + under, "h": 180 - under}
    return {name: rect for name, rect in rects.items() if rect["h"] > 0 and rect["w"] > 0}


def overlaps(one, other):
    return all(
        min(one[at] + one[side], other[at] + other[side]) - max(one[at], other[at]) > 1
        for at, side in (("x", "w"), ("y", "h"))
    )


def size_alone(size, *_):
    return size


in_each_state = in_turn(itertools.product(SIDES, STATES), key=size_alone)


@in_each_state
def test_nothing_lies_on_anything_or_leaves_the_page(size, state):
    layout, shape = laid_out(size, state)
    rects = rects_of(layout, state)
    pairs = itertools.combinations(rects.items(), 2)
    assert [(a, b) for (a, one), (b, other) in pairs if overlaps(one, other)] == []
    for name, rect in rects.items():
        assert -1 <= rect["x"] <= rect["x"] + rect["w"] <= shape["width"] + 1, name
        assert -1 <= rect["y"] <= rect["y"] + rect["h"] <= layout["height"] + 1, name
    for name, rect in layout["panels"].items():
        if name.startswith("gutter"):
            assert rect["x"] >= -1, name
        if name.startswith("map"):
            assert rect["w"] == rect["h"] > 0


@pytest.mark.parametrize(
    "state", ["board", "four panels", "settings", "votes", "compare 2", "compare 4"]
)
@pytest.mark.parametrize("size", sorted(set(SIDES) - UPRIGHT))
def test_a_notice_lies_on_nothing_and_has_its_room_from_panels_that_can_spare_it(size, state):
    usual, shape = laid_out(size, state)
    for high in (34, 60):
        layout = layout_of(STATES[state][0], {**shape, "notices": high})
        notice = {"notice": layout["notices"]} if layout.get("notices") else {}
        rects = {**rects_of(layout, state), **notice}
        pairs = itertools.combinations(rects.items(), 2)
        on = [(a, b) for (a, one), (b, other) in pairs if overlaps(one, other)]
        if state.startswith("compare") and high == 60:  # In the width of a board it has one line.
            assert "timeline" not in str(on)
        elif not (state == "compare 4" and size[1] < 400):
            assert on == []
        if size in ((1366, 768), (1920, 1080)) and high == 34 and "words" in usual["panels"]:
            assert layout["panels"]["words"] == usual["panels"]["words"]
            assert layout["pages"] == usual["pages"]


@in_each_state
def test_map_words_and_buttons_are_in_one_view_and_nothing_scrolls_on_a_desk(size, state):
    layout, shape = laid_out(size, state)
    if size[0] >= 900 and size[1] >= 600:
        assert layout["height"] == shape["height"]
    if state.startswith("compare") and size == TINY:
        return  # Two maps are in a view there.
    begins = layout["panels"]["strip"]["h"] if size == TINY else 0
    ends = begins + (shape["view"] if size == TINY else shape["height"])
    is_in_brief = size == TINY or (state == "settings" and "words" not in layout["panels"])
    sentence = "short" if is_in_brief else "words"
    seen = ["map"] if state.startswith("compare") or state == "minute" else ["map", sentence]
    rects = [layout["panels"][name] for name in seen]
    if state != "minute":
        rects.append(layout["bar"])
    for rect in rects:
        assert begins - 1 <= rect["y"] <= rect["y"] + rect["h"] <= ends + 1
    if state == "reading" and size != TINY:
        dock = layout["dock"]
        assert dock["h"] >= 100
        assert dock["y"] + dock["h"] <= ends + 1
    if state == "settings" and layout.get("sheet"):
        assert layout["bar"]["y"] + layout["bar"]["h"] <= layout["dock"]["y"] + 1


def test_below_the_view_of_a_tiny_window_the_sentence_stands_in_full():
    layout, _ = laid_out(TINY, "board")
    bar = layout["bar"]
    assert layout["panels"]["words"]["y"] >= bar["y"] + bar["h"]
    assert layout["panels"]["words"]["h"] > 3 * layout["panels"]["short"]["h"]


@pytest.mark.parametrize("size", SIDES)
def test_the_map_never_moves(size):
    places = {}
    for state in ("board", "settings", "question", "reading", "minute"):
        layout, _ = laid_out(size, state)
        panels = layout["panels"]
        places[state] = [panels.get(name) for name in ("map", "strip", "axis", "gutter")]
    if size in UPRIGHT:  # A lesson's panel, a question and the settings take from it there.
        if size == (320, 256):  # There a question and its answers are in view under a small map.
            small = places["minute"][0]
            assert 100 <= small["w"] == small["h"] < places["board"][0]["w"]
        else:
            assert places["minute"] == places["board"]
        return
    assert all(place == places["board"] for place in places.values()), places


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1366, 640), (1366, 768)])
def test_the_panel_in_which_one_answers_is_in_view_with_the_question(size):
    shape = board_in(size)
    asked = {"kind": "question", "say": 150, "hand": "sequence"}
    layout = layout_of(["map", "sequence"], {**shape, **asked})
    for rect in (layout["panels"]["sequence"], layout["say"]):
        assert rect["y"] + rect["h"] <= shape["height"]
    assert layout["panels"]["map"]["w"] >= 250


@pytest.mark.parametrize("say", range(100, 900, 100))
@pytest.mark.parametrize("size", SIDES)
def test_under_a_question_the_timeline_is_whole_or_left_out(size, say):
    shape = {**board_in(size), "kind": "question", "say": say, "bar": True}
    layout = layout_of(["map", "timeline"], shape)
    panels = layout["panels"]
    bar = layout["bar"]
    asked = layout["say"]
    asked_until = asked["y"] + asked["h"]
    assert asked["h"] >= say
    assert asked_until <= bar["y"]
    assert bar["y"] + bar["h"] <= layout["height"]
    if "timeline" not in panels:
        without = {**shape, "bar": False}
        taken = layout_of(["map"], without)["say"]["y"] + say
        assert taken + 54 + bar["h"] > shape["height"]  # It would lie under the buttons.
        return
    timeline = panels["timeline"]
    assert asked_until <= timeline["y"]
    assert timeline["y"] + timeline["h"] <= bar["y"]
    if size[0] >= 900:
        assert layout["height"] == shape["height"]


@pytest.mark.parametrize("runs", [2, 3, 4])
@pytest.mark.parametrize("size", [(1366, 640), (1366, 768), (1920, 1080)])
def test_a_lesson_asks_beside_the_maps_that_are_compared(size, runs):
    shape = {**board_in(size), "kind": "question", "runs": runs, "slot": "reading", "say": 300}
    layout = layout_of(["map", "timeline"], {**shape, "bar": True})
    say = layout["say"]
    maps = [rect for name, rect in layout["panels"].items() if name.startswith("map")]
    assert len(maps) == runs
    assert all(rect["x"] + rect["w"] < say["x"] for rect in maps)
    assert say["w"] >= 400
    assert layout["height"] == shape["height"]


@pytest.mark.parametrize("size", SIDES)
def test_maps_are_as_large_as_promised(size):
    sides = [
        laid_out(size, state)[0]["panels"]["map"]["w"]
        for state in ("board", "compare 2", "compare 4")
    ]
    assert [side >= least for side, least in zip(sides, SIDES[size], strict=True)] == [True] * 3, (
        sides
    )


@in_each_state
def test_each_panel_has_the_room_that_it_needs_or_stands_on_a_further_page(size, state):
    names, more = STATES[state]
    layout, _ = laid_out(size, state)
    unit = layout["unit"]
    stream = more.get("stream", False)
    for name in names:
        panel = BY_NAME.get(name)
        rect = layout["panels"].get(name)
        if panel is None or rect is None or state.startswith("compare") or state == "minute":
            continue
        high = panel.rows * (panel.stream_share if stream else 1) * 11.25 * unit
        assert rect["h"] >= int(high) - 1, name
    if "pages" in layout and state != "reading" and layout.get("dock") is None:
        assert sorted(name for page in layout["pages"] for name in page) == sorted(names)


@pytest.mark.parametrize("size", sorted(set(SIDES) - UPRIGHT))
@pytest.mark.parametrize("lit", [[], ["alpha"]])
def test_each_panel_has_a_page_under_a_scene_which_keeps_its_room(size, lit):
    names = [*USUAL, "bound"]
    shape = {**board_in(size), "slot": "reading", "lit": lit}
    pages = layout_of(names, shape)["pages"]
    assert sorted(name for page in pages for name in page) == sorted(names)
    for page, page_names in enumerate(pages):
        layout = layout_of(names, {**shape, "page": page})
        assert layout["page"] == page
        assert set(names) & set(layout["panels"]) == set(page_names)
        assert layout["dock"]["h"] >= 100 or page > 0
        rects = rects_of(layout, "reading")
        pairs = itertools.combinations(rects.items(), 2)
        assert [(a, b) for (a, one), (b, other) in pairs if overlaps(one, other)] == []
        assert all(rect["y"] >= 0 for rect in rects.values())


@in_each_state
def test_larger_type_of_the_reader_makes_all_larger_as_far_as_it_has_room(size, state):
    names, more = STATES[state]
    shape = {**board_in(size), **more}
    usual, _ = laid_out(size, state)
    larger = layout_of(names, {**shape, "text": 1.5})
    assert larger["height"] == usual["height"]
    assert usual["unit"] <= larger["unit"] <= 1.5 * usual["unit"] + 1e-9
    if size[0] >= 1280 and size[1] >= 700 and state != "minute":
        assert larger["unit"] >= 1.3 * usual["unit"]
    rects = rects_of(larger, state)
    pairs = itertools.combinations(rects.items(), 2)
    assert [(a, b) for (a, one), (b, other) in pairs if overlaps(one, other)] == []


@in_each_state
def test_a_finger_has_room_on_each_row_of_buttons(size, state):
    if size not in TOUCHED or state == "minute":
        return
    layout, _ = laid_out(size, state)
    for name in ("bar", "knob", "turn"):
        if layout.get(name):
            assert layout[name]["h"] >= FINGER, name


@pytest.mark.parametrize("size", [(844, 390), (683, 384)])
def test_what_turns_pages_on_a_low_board_keeps_clear_of_timeline_and_buttons(size):
    layout, _ = laid_out(size, "board")
    turn = layout["turn"]
    timeline = layout["panels"]["timeline"]
    assert turn["w"] >= 2 * FINGER + 50  # two buttons and what stands between them
    assert timeline["x"] + timeline["w"] + 12 <= turn["x"]
    assert turn["y"] + turn["h"] + 4 <= layout["bar"]["y"]


@pytest.mark.parametrize("runs", [3, 4])
def test_compared_runs_have_a_legend_in_a_low_window(runs):
    layout = layout_of(["map"], {**board_in((844, 390)), "runs": runs})
    assert layout["panels"]["strip"]["h"] >= 18
    assert layout["panels"]["map"]["w"] >= 198


@pytest.mark.parametrize("size", SIDES)
def test_the_sentence_keeps_its_place_while_settings_are_open(size):
    board, settings = (laid_out(size, state)[0] for state in ("board", "settings"))
    # Where there is little room the sentence is in short, in one line, and the map stays.
    if size in UPRIGHT | {(844, 390), (683, 384)}:
        assert settings["panels"]["short"]["h"] > 0
    else:
        assert settings["panels"]["words"] == board["panels"]["words"]
    if size not in UPRIGHT or size == (390, 844):
        assert settings["panels"]["map"] == board["panels"]["map"]
    if size == (844, 390):
        assert settings["dock"]["h"] > 200


# While one presents: panels that are on, and what else the stage shows.
PRESENTED = {
    "usual": (USUAL, {}),
    "four panels": ([*USUAL, "bound", "gram"], {}),
    "lecture": (USUAL, {"heading": 30, "together": [["alpha"], USUAL]}),
    "stream": (USUAL, {"stream": True}),
    "votes": ([*USUAL, "readings"], {}),
    "fisher": (["projections", "scatter"], {}),
    "no panel": ([], {}),
    **{name: ([name], {}) for name in ("code", "own", "primal", "proof", "remembered", "lift")},
}
STAGES = [*SIDES, (1280, 800)]


@cache
def on_stage(size, state):
    names, more = PRESENTED[state]
    shape = {"kind": "projector", "width": size[0], "height": size[1], **more}
    shape["touch"] = size in TOUCHED
    pages = range(len(layout_of(names, shape)["pages"]))
    return [layout_of(names, {**shape, "page": page}) for page in pages]


@in_turn(itertools.product(STAGES, PRESENTED), key=size_alone)
def test_on_a_stage_the_map_has_at_most_half_of_the_width_and_a_column_beside_it(size, state):
    width, height = size
    places = []
    for layout in on_stage(size, state):
        panels = layout["panels"]
        rects = rects_of(layout, state)
        pairs = itertools.combinations(rects.items(), 2)
        assert [(a, b) for (a, one), (b, other) in pairs if overlaps(one, other)] == []
        for name, rect in rects.items():
            assert 0 <= rect["x"] <= rect["x"] + rect["w"] <= width, name
            assert 0 <= rect["y"] <= rect["y"] + rect["h"] <= height, name
        place = panels["map"]
        assert place["w"] == place["h"] > 0
        assert layout["bar"]["h"] == 0
        right = place["x"] + place["w"]
        others = [panels["words"], *(panels[name] for name in layout["pages"][layout["page"]])]
        if width >= height:
            assert place["w"] <= 0.5 * width
            assert all(other["x"] > right for other in others)
            assert place["w"] >= 0.9 * min(0.5 * width, 0.8 * height) or width < 1.3 * height
        else:
            assert all(other["y"] > place["y"] + place["h"] for other in others)
        assert panels["timeline"]["y"] >= max(other["y"] + other["h"] for other in others)
        places.append([panels[name] for name in ("map", "strip", "words")])
    # The map stays where it is while one turns pages.
    assert all(place[:2] == places[0][:2] for place in places)
    assert places[0][0]["w"] > 0


# Of the height of a stage: the least type of a panel's title; 12 px on a phone held sideways.
TYPE = {
    (1280, 720): 0.037,
    (1366, 768): 0.037,
    (1920, 1080): 0.037,
    (2560, 1440): 0.037,
    (1280, 800): 0.037,
    (1440, 900): 0.037,
    (1024, 768): 0.033,
    (844, 390): 12 / 390,
}


@in_turn(itertools.product(TYPE, PRESENTED), key=size_alone)
def test_panels_of_a_stage_are_read_by_its_height(size, state):
    for layout in on_stage(size, state):
        if layout["pages"][layout["page"]]:
            assert 14 * layout["panelUnit"] >= TYPE[size] * size[1]


@in_turn(itertools.product(sorted(TOUCHED), PRESENTED), key=size_alone)
def test_on_a_stage_that_fingers_touch_the_buttons_to_play_and_to_end_cover_nothing(size, state):
    width, height = size
    buttons = {"x": width - 180, "y": height - 52, "w": 172, "h": 44}
    for layout in on_stage(size, state):
        rects = rects_of(layout, state)
        assert [name for name, rect in rects.items() if overlaps(rect, buttons)] == []
        # An upright stage has them in a row of their own.
        if width < 0.8 * height:
            assert layout["panels"]["timeline"]["w"] > 0.9 * width


def test_a_tiny_stage_has_the_map_and_the_sentence_alone():
    (layout,) = on_stage((320, 256), "usual")
    assert layout["panels"]["map"]["w"] >= 120
    assert not {"alpha", "margins"} & layout["panels"].keys()


@pytest.mark.parametrize("name", ["bound", "code", "own", "proof", "sequence"])
def test_on_a_phone_a_panel_that_was_asked_for_is_in_view_before_all_others(name):
    shape = {"kind": "board", "width": 374, "height": 796, "touch": True, "knob": True}
    layout = layout_of([*USUAL, name], shape)
    panels = layout["panels"]
    asked = panels[name]
    assert layout["bar"]["y"] + layout["bar"]["h"] <= asked["y"]
    assert asked["y"] + asked["h"] <= 796
    assert asked["y"] < layout["knob"]["y"] < panels["alpha"]["y"]
    assert panels["map"]["w"] >= 290


def test_on_a_phone_what_is_said_of_three_runs_stands_where_a_fourth_map_would():
    panels = layout_of(USUAL, {"kind": "board", "width": 374, "height": 796, "runs": 3})["panels"]
    third = panels["map"]
    said = panels["sentences"]
    assert said["x"] > third["x"] + third["w"]
    assert said["y"] == third["y"]  # Higher, it would read as the last number of the map above it.
    assert said["y"] + said["h"] <= panels["timeline"]["y"]
