"""Editing by a finger, on a phone too, and by the keyboard alone."""

import numpy as np
import pytest
from driver import Player

from kpviz.settings import from_query

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}
SCREENS = {"phone": PHONE, "tablet": TABLET}
REST = 900  # ms, longer than a finger must rest


class Finger:
    """A finger on the glass, as the browser's own emulation has it."""

    def __init__(self, player):
        self.player = player
        self.session = player.page.context.new_cdp_session(player.page)

    def _send(self, kind, *places):
        points = [dict(zip("xy", self.player.at(*place), strict=True), id=k) for k, place in enumerate(places)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, *places):
        self._send("touchStart", *places)

    def move(self, *places):
        self._send("touchMove", *places)

    def up(self):
        self._send("touchEnd")

    def tap(self, place):
        self.down(place)
        self.up()

    def drag(self, *places):
        self.down(places[0])
        for place in places[1:]:
            self.move(place)
        self.up()


def near(player):
    """How far from a place of the canvas a point may lie, in data units: a pixel and half a step."""
    left, right = player.js("s.run.header.extent")[:2]
    return 1.2 * (right - left) / player.js("s.layout.panels.map.w")


def coordinates(player, spot):
    return player.js("s.view.place(arg[0], arg[1])", list(spot))


@pytest.fixture(scope="module")
def screen(request, chromium, bare_server):
    """A touch screen."""
    context = chromium.new_context(**SCREENS[request.param])
    player = Player(context.new_page(), bare_server)
    yield player
    context.close()
    assert player.errors == []


@pytest.fixture
def touched(screen):
    """A touch screen in edit mode, begun by the pencil."""
    screen.anew("/?v=1&n=20&t=5").button("edit").tap()
    return screen.until("s.editing.on").rest()


# ---- by a finger ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("screen", SCREENS, indirect=True)
def test_a_tap_adds_a_long_press_removes_and_a_drag_moves(touched):
    player, finger = touched, Finger(touched)
    before = player.numbers()
    gap = player.gap()
    finger.tap(gap)
    assert player.settle().drawn.n == 21
    assert player.drawn.X[-1] == pytest.approx(coordinates(player, gap), abs=near(player))
    assert player.drawn.y[-1] == 1

    i, lonely = player.lonely()
    cells = player.drawn.cells
    finger.down(lonely)
    player.page.wait_for_timeout(REST)
    finger.up()
    assert player.settle().drawn.cells.tolist() == np.delete(cells, i, axis=0).tolist()

    (i, lonely), gap = player.lonely(), player.gap()
    finger.drag(lonely, *np.linspace(lonely, gap, 8)[1:].tolist())
    assert player.settle().drawn.n == 20
    assert player.drawn.X[i] == pytest.approx(coordinates(player, gap), abs=near(player))
    player.agrees()

    for left in (2, 1, 0):
        player.page.locator(".kpviz [data-edit=undo]").tap()
        player.until("s.session.counts.undo === arg", left).settle()
        assert player.js("s.session.counts") == {"undo": left, "redo": 3 - left}
    assert player.numbers() == before


@pytest.mark.parametrize("screen", ["phone"], indirect=True)
def test_the_class_and_the_brush_are_chosen_by_the_tools(touched):
    player, finger = touched, Finger(touched)
    player.page.locator(".kpviz [data-edit=minus]").tap()
    finger.tap(player.gap())
    assert player.settle().drawn.y[-1] == -1
    player.page.locator(".kpviz [data-edit=brush]").tap()
    x, y = player.gap()
    finger.drag(*[(x + 8 * k, y) for k in range(9)])
    player.settle()
    assert player.drawn.n >= 24
    assert (player.drawn.y[21:] == -1).all()
    player.agrees()


@pytest.mark.parametrize("screen", ["tablet"], indirect=True)
def test_a_second_finger_neither_adds_nor_moves(touched):
    player, finger = touched, Finger(touched)
    (i, lonely), gap = player.lonely(), player.gap()
    there = np.array(lonely) + 0.5 * (np.array(gap) - lonely)
    finger.down(lonely)
    finger.move(there.tolist())
    finger.down(there.tolist(), gap)
    finger.move(gap, lonely)
    finger.up()
    player.settle()
    assert player.drawn.n == 20
    assert player.drawn.X[i] == pytest.approx(coordinates(player, gap), abs=near(player))


@pytest.mark.parametrize("screen", ["phone"], indirect=True)
def test_a_touch_that_becomes_a_system_gesture_changes_nothing(touched):
    player, finger = touched, Finger(touched)
    _, lonely = player.lonely()
    for path in ([player.gap()], [lonely, player.gap()]):
        finger.down(path[0])
        for place in path[1:]:
            finger.move(place)
        finger.session.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
        player.page.wait_for_timeout(REST)
        assert player.settle().settings == from_query("v=1&n=20")[0]


@pytest.mark.parametrize("screen", ["phone"], indirect=True)
def test_without_the_mode_a_finger_edits_nothing(screen):
    player = screen.open("/?v=1&n=20&t=5")
    finger = Finger(player)
    (_, lonely), gap = player.lonely(), player.gap()
    player.sent.clear()
    finger.tap(gap)
    finger.drag(lonely, gap)
    finger.down(lonely)
    player.page.wait_for_timeout(REST)
    finger.up()
    player.page.wait_for_timeout(300)
    assert player.query == "v=1&n=20"
    assert player.sent == []


@pytest.mark.parametrize("screen", ["phone"], indirect=True)
def test_on_a_phone_all_tools_are_in_sight_and_large_enough_for_a_finger(touched):
    player = touched
    Finger(player).tap(player.gap())
    player.settle()
    width = player.js("s.size.width")
    boxes = [tool.bounding_box() for tool in player.page.locator(".kpviz .tools [data-edit]:visible").all()]
    assert len(boxes) == 9
    left = player.at(0, 0)[0]
    for box in boxes:
        assert box["x"] >= left
        assert box["x"] + box["width"] <= left + width + 1
        assert box["height"] >= 32
    bar = player.page.locator(".kpviz .bar").bounding_box()
    assert min(box["y"] for box in boxes) >= bar["y"] + bar["height"] - 1
    tabs = player.page.locator(".kpviz .tabs").bounding_box()
    assert max(box["y"] + box["height"] for box in boxes) <= tabs["y"] + 1


# ---- by the keyboard ------------------------------------------------------------------------------------------------


def focused_canvas(player):
    """Edit mode, with the focus on the canvas as Tab brings it there."""
    player.edit()
    for _ in range(60):
        player.press("Tab")
        if player.js("r.getRootNode().activeElement === s.canvas"):
            return player.rest()
    raise AssertionError("Tab does not lead to the canvas")


def steps(player, key, times):
    return player.press(*[key] * times)


def test_tab_leads_to_the_map_which_has_a_cursor_only_while_one_edits_and_shows_the_focus(player):
    player.open("/?v=1&n=20")
    reached = []
    for _ in range(20):
        player.press("Tab")
        reached.append(player.js("r.getRootNode().activeElement === s.canvas"))
    assert reached.count(True) == 1
    assert player.js("s.editing.spot") is None
    focused_canvas(player)
    assert player.js("getComputedStyle(s.canvas).outlineStyle") == "solid"
    assert player.js("s.editing.spot") == list(player.on_map(0.5, 0.5))


def test_arrows_move_the_cursor_enter_adds_and_shift_enter_the_other_class(player):
    focused_canvas(player.open("/?v=1&data=drawn"))
    steps(player, "ArrowLeft", 8)
    steps(player, "ArrowUp", 4)
    assert player.js("s.editing.spot") == pytest.approx(player.on_map(0.3, 0.6))
    player.press("Enter").settle()
    steps(player, "Shift+ArrowRight", 50)
    player.press("Shift+Enter").settle()
    steps(player, "ArrowDown", 4)
    player.press("x", "Enter").settle()
    points = player.drawn
    assert points.y.tolist() == [1, -1, -1]
    for made, spot in zip(points.X, ((0.3, 0.6), (0.5, 0.6), (0.5, 0.5)), strict=True):
        assert made == pytest.approx(coordinates(player, player.on_map(*spot)), abs=2e-3)
    player.agrees()


def test_a_point_is_picked_up_carried_and_put_down_and_escape_brings_it_back(player):
    focused_canvas(player.open("/?v=1&data=drawn"))
    player.press("Enter").settle()
    before = player.query
    player.press("Enter")
    steps(player, "ArrowRight", 6)
    player.press("Enter").settle()
    assert player.drawn.X[0] == pytest.approx(coordinates(player, player.on_map(0.65, 0.5)), abs=2e-3)
    assert player.js("s.session.counts.undo") == 2
    player.press("z").settle()
    assert player.query == before
    player.press("Shift+Z").settle()
    moved = player.query
    player.press("Enter")
    steps(player, "ArrowUp", 3)
    player.press("Escape").settle()
    assert player.query == moved
    assert player.js("s.editing.on")


def test_l_and_delete_act_at_the_cursor(player):
    focused_canvas(player.open("/?v=1&data=drawn"))
    player.press("Enter").settle().press("l").settle()
    assert player.drawn.y.tolist() == [-1]
    steps(player, "ArrowRight", 2)
    player.press("Delete").settle()
    assert player.drawn.n == 0


def test_arrows_step_again_when_the_canvas_or_the_mode_is_left(player):
    focused_canvas(player.open("/?v=1&n=20&t=5"))
    player.press("ArrowRight")
    assert player.t == 5
    player.press("PageDown", "PageUp")
    kept = player.t
    player.press("Tab", "ArrowRight").rest()
    assert player.t == kept + 1
    focused_canvas(player.press("Shift+E"))
    player.press("Escape", "ArrowRight").rest()
    assert player.t == kept + 2
    assert player.query == "v=1&n=20"
