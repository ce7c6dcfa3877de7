"""Editing by a finger, on a phone too, and by the keyboard alone."""

import numpy as np
import pytest

from kpviz.settings import from_query

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
REST = 600  # ms, longer than a finger must rest


class Finger:
    """A finger on the glass, as the browser's own emulation has it."""

    def __init__(self, player):
        self.player = player
        self.session = player.page.context.new_cdp_session(player.page)

    def _send(self, kind, *places):
        points = [
            dict(zip("xy", self.player.at(*place), strict=True), id=k)
            for k, place in enumerate(places)
        ]
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


def is_at(player, made, spot, near=None):
    """Whether a point was made at a place of the canvas, to a pixel and half a step or as near as
    is said.
    """
    left, right = player.js("s.run.header.extent")[:2]
    wanted = player.js("s.view.place(arg[0], arg[1])", list(spot))
    return made == pytest.approx(
        wanted, abs=near or 1.2 * (right - left) / player.js("s.layout.panels.map.w")
    )


@pytest.fixture
def touched(phone):
    """A touch screen in edit mode, begun by the pencil."""
    phone.open("/?v=1&n=20&t=5").button("edit").tap()
    return phone.until("s.standing.edit.on").rest()


# ---- by a finger ---------------------------------------------------------------------------------


def test_a_tap_adds_a_long_press_removes_and_a_drag_moves(touched):
    player, finger = touched, Finger(touched)
    before = player.numbers()
    gap = player.gap()
    finger.tap(gap)
    assert player.settle().drawn.n == 21
    assert is_at(player, player.drawn.X[-1], gap)
    assert player.drawn.y[-1] == 1

    i, lonely = player.lonely()
    cells = player.drawn.cells
    finger.down(lonely)
    player.wait_in_page(REST)
    finger.up()
    assert player.settle().drawn.cells.tolist() == np.delete(cells, i, axis=0).tolist()

    (i, lonely), gap = player.lonely(), player.gap()
    finger.drag(lonely, *np.linspace(lonely, gap, 8)[1:].tolist())
    assert player.settle().drawn.n == 20
    assert is_at(player, player.drawn.X[i], gap)
    player.agrees()

    for left in (2, 1, 0):
        player.page.locator(".kpviz [data-edit=undo]").tap()
        player.until("s.session.counts.undo === arg", left).settle()
        assert player.counts() == {"undo": left, "redo": 3 - left}
    assert player.numbers() == before


def test_class_and_brush_are_chosen_by_tools_that_are_in_sight_and_large_enough(touched):
    player, finger = touched, Finger(touched)
    assert (
        player.sentence
        == "Draw points: tap on the map; a long press removes one. Can you make it fail?"
    )
    assert player.box(".bar")[3] <= player.page.viewport_size["height"]
    assert not player.page.locator(".kpviz .status").is_visible()
    buttons = player.page.locator(".kpviz .tools [data-edit]:visible").all()
    tools = [button.bounding_box() for button in buttons]
    assert len(tools) >= 8
    assert len({box["y"] for box in tools}) == 2
    left = player.at(0, 0)[0]
    right = left + player.js("s.size.width") + 1
    assert [button.get_attribute("data-edit") for button in buttons[:4]] == [
        "done", "plus", "minus", "brush",
    ]  # fmt: skip
    for box in tools:
        assert box["height"] >= 44
        assert left <= box["x"] <= box["x"] + box["width"] <= right
    words = player.panel("words")
    assert min(box["y"] for box in tools) >= player.at(0, words["y"] + words["h"])[1] - 1
    assert max(box["y"] + box["height"] for box in tools) <= player.box(".bar")[1] + 1
    player.page.locator(".kpviz [data-edit=minus]").tap()
    finger.tap(player.gap())
    assert player.settle().drawn.y[-1] == -1
    assert "Draw points" not in player.sentence
    player.page.locator(".kpviz [data-edit=brush]").tap()
    x, y = player.gap()
    finger.drag(*[(x + 8 * k, y) for k in range(9)])
    player.settle()
    assert player.drawn.n >= 24
    assert (player.drawn.y[21:] == -1).all()
    player.agrees()


def test_a_second_finger_and_a_touch_that_becomes_a_system_gesture_change_nothing(touched):
    player, finger = touched, Finger(touched)
    _, lonely = player.lonely()
    for path in ([player.gap()], [lonely, player.gap()]):
        finger.down(path[0])
        for place in path[1:]:
            finger.move(place)
        finger.session.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
        player.wait_in_page(REST)
        assert player.settle().settings == from_query("v=1&n=20")[0]
    (i, lonely), gap = player.lonely(), player.gap()
    there = np.array(lonely) + 0.5 * (np.array(gap) - lonely)
    finger.down(lonely)
    finger.move(there.tolist())
    finger.down(there.tolist(), gap)
    finger.move(gap, lonely)
    finger.up()
    player.settle()
    assert player.drawn.n == 20
    assert is_at(player, player.drawn.X[i], gap)


def test_without_the_mode_a_finger_edits_nothing(phone):
    player = phone.open("/?v=1&n=20&t=5")
    finger = Finger(player)
    (_, lonely), gap = player.lonely(), player.gap()
    player.sent.clear()
    finger.tap(gap)
    finger.drag(lonely, gap)
    finger.down(lonely)
    player.wait_in_page(REST)
    finger.up()
    assert player.settle().query == "v=1&n=20"
    assert player.sent == []


# ---- by the keyboard -----------------------------------------------------------------------------


def focused_canvas(player):
    """Edit mode, with the focus on the canvas as Tab brings it there."""
    player.edit()
    for _ in range(60):
        player.press("Tab")
        if player.on_board():
            return player.rest()
    raise AssertionError("Tab does not lead to the canvas")


def test_arrows_move_a_cursor_enter_adds_a_point_of_either_class_or_carries_one_and_keys_change_it(
    player,
):
    player.open("/?v=1&data=drawn")
    assert player.js("s.standing.edit.spot") is None
    focused_canvas(player)
    assert player.js("getComputedStyle(s.canvas).outlineStyle") == "solid"
    assert player.js("s.standing.edit.spot") == list(player.on_map(0.5, 0.5))
    player.press(*["ArrowLeft"] * 8, *["ArrowUp"] * 4, "Enter").settle()
    player.press(*["Shift+ArrowRight"] * 50, "Shift+Enter").settle()
    player.press(*["ArrowDown"] * 4, "x", "Enter").settle()
    assert player.drawn.y.tolist() == [1, -1, -1]
    for made, spot in zip(player.drawn.X, ((0.3, 0.6), (0.5, 0.6), (0.5, 0.5)), strict=True):
        assert is_at(player, made, player.on_map(*spot), 2e-3)
    player.agrees()
    before = player.numbers()
    player.press("Enter", *["ArrowRight"] * 6, "Enter").settle()  # picked up, carried and put down
    assert is_at(player, player.drawn.X[2], player.on_map(0.65, 0.5), 2e-3)
    assert player.counts()["undo"] == 4
    moved = player.query
    player.turns_back(player.numbers(), before).press("Enter", *["ArrowUp"] * 3, "Escape").settle()
    assert player.query == moved
    assert player.js("s.standing.edit.on")
    assert player.press(*["ArrowDown"] * 3, "l").settle().drawn.y.tolist() == [1, -1, 1]
    assert player.press("Delete").settle().drawn.n == 2


def test_arrows_step_again_when_the_canvas_or_the_mode_is_left(player):
    focused_canvas(player.open("/?v=1&n=20&t=5"))
    assert player.press("ArrowRight").t == 5
    kept = player.press("PageDown", "PageUp").t
    assert player.press("Tab", "ArrowRight").rest().t == kept + 1
    focused_canvas(player.press("Shift+E"))
    assert player.press("Escape", "ArrowRight").rest().t == kept + 2
    assert player.query == "v=1&n=20"
