"""Fisher's board to the eye, the pointer and the keys: room, shapes and colours, and what pointing tells."""

import itertools

import pytest

from kpviz.lessons.explain import number
from kpviz.player import fisher as page
from kpviz.player import payload
from kpviz.settings.fisher_link import read_link

SIZES = [(1366, 768), (1366, 640), (1920, 1080), (1024, 768)]


@pytest.mark.in_app
def test_nothing_scrolls_and_every_panel_has_room(board):
    for link, sizes in (("v=1", SIZES[:2]), ("v=1&data=wine", SIZES[1:])):
        board.open(link)
        for width, height in sizes:
            board.page.set_viewport_size({"width": width, "height": height})
            board.until("innerWidth === arg && s.board.width === r.clientWidth", width)
            board.until("Math.abs(r.getBoundingClientRect().bottom - innerHeight) < 15").rest()
            scrolls = board.page.evaluate(
                "[document.documentElement, document.querySelector('.stMain')].some("
                "(e) => e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth)"
            )
            assert not scrolls, (link, width, height)
            panels = board.js("Object.entries(s.layout.panels)")
            for name, rect in panels:
                assert rect["w"] > 40, (name, link, width, height)
                assert rect["h"] > 40, (name, link, width, height)
                assert rect["x"] + rect["w"] <= width, (name, link, width, height)
            assert board.page.evaluate("(m) => m.every((t) => t.size >= 6)", board.marks("words", kind="text"))


def test_a_narrow_window_stacks_the_panels(board):
    board.page.set_viewport_size({"width": 700, "height": 900})
    board.open("v=1&data=wine")
    rects = sorted(board.js("Object.values(s.layout.panels)"), key=lambda rect: rect["y"])
    assert all(a["y"] + a["h"] <= b["y"] for a, b in itertools.pairwise(rects))
    assert not board.page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_classes_differ_by_shape_and_colour_in_both_themes(board):
    for scheme in ("light", "dark"):
        board.wear(color_scheme=scheme).open("v=1&data=wine")
        assert board.js("s.palette.dark") == (scheme == "dark")
        assert board.js("new Set(s.colour.map).size === 3 && new Set(s.colour.page).size === 3")
        marks = [mark for mark in board.marks("map") if "i" in mark and "class" in mark]
        shapes = {k: {mark["kind"] for mark in marks if mark["class"] == k} for k in range(3)}
        assert shapes == {0: {"square"}, 1: {"circle"}, 2: {"line"}}


def test_every_entry_of_a_matrix_can_be_read(board):
    board.open("v=1&data=wine")
    place = board.marks("scatter", name="cell")[5]
    board.point(place["x"] + place["w"] / 2, place["y"] + place["h"] / 2)
    _, arrays = payload.unpack(page.encode(read_link({"data": "wine"})[0]))
    first, second = board.tip
    assert first == f"SW, within: {number(float(arrays['SW'][0, 5]))}"
    assert second == "alcohol with total phenols"


def test_pointing_at_a_point_says_where_it_is_projected(board):
    board.open()
    x, y = board.js("[s.view.x(s.table.X[0]), s.view.y(s.table.X[1])]")
    board.point(x, y)
    assert board.js("s.hot") == 0
    first, second = board.tip
    assert first.startswith("x₀")
    assert number(board.js("s.reading.values[0]")) in second
    assert len([mark for mark in board.marks("lanes") if mark.get("lit") == 0]) == 1


def test_by_the_keyboard_what_pointing_tells_is_said(board):
    focus = "r.getRootNode().activeElement"
    board.open("v=1&data=wine").button("back-1").focus()
    while board.js(f"{focus} !== s.canvas"):
        board.press("Shift+Tab")
    angle, sentence = board.angle, board.sentence
    board.press("ArrowRight", "ArrowRight").rest()
    assert (board.js("s.hot"), board.angle) == (1, angle)
    assert board.sentence == ": ".join(board.tip)
    assert board.tip[0].startswith("x₁")
    board.press("End").rest()
    assert board.tip[0].startswith("ST, total: ")
    board.press("ArrowRight", "Home").rest()
    assert board.tip[0].startswith("x₀")
    board.press("Escape").rest()
    assert (board.js(f"{focus} === r"), board.js("s.hot"), board.sentence) == (True, None, sentence)
    assert board.press("ArrowRight").rest().angle != angle
    x, y = board.mean()
    board.page.mouse.click(*board.at(x + 40, y))
    turned = board.rest().angle
    assert board.press("ArrowLeft").rest().angle == (turned - 1) % 360  # a click leaves the arrows to F


def test_the_handle_of_the_threshold_stands_below_what_is_said_of_it(board):
    for size in [(1280, 720), (1366, 768), (1920, 1080)]:
        board.wear(*size).open("v=1")
        (handle,) = board.marks("lanes", name="handle")
        (note,) = [mark for mark in board.marks("lanes", name="threshold") if mark["kind"] == "text"]
        assert handle["y"] - handle["r"] > note["y"] + 0.2 * note["size"]


@pytest.mark.parametrize("link", ["v=1", "v=1&data=wine", "v=1&data=iris"])
def test_no_bar_reaches_the_name_of_its_class(board, link):
    board.open(link)
    marks = board.marks("lanes")
    names = [mark for mark in marks if mark["kind"] == "text" and mark.get("weight") == 600][1:]
    for bar in (mark for mark in marks if "bin" in mark):
        assert bar["y"] >= max(name["y"] for name in names if name["y"] < bar["y"] + bar["h"])


@pytest.mark.parametrize("size", [(1366, 640), (1920, 1080)], ids=str)
def test_the_help_is_no_higher_than_what_it_says(board, size):
    board.wear(*size).open("v=1")
    board.page.keyboard.press("?")
    box = board.page.locator(".menu.help")
    box.wait_for()
    low = box.locator("dd").evaluate_all("(all) => Math.max(...all.map((e) => e.getBoundingClientRect().bottom))")
    place = box.bounding_box()
    assert place["y"] >= 0
    assert low <= place["y"] + place["height"] <= low + 60
    board.page.keyboard.press("Escape")
