"""The pointer on the board: what it touches lights up everywhere and tells its numbers, and clicks go to steps."""


def test_dragging_on_the_timeline_scrubs(player):
    player.open("/?v=1")
    rect = player.js("s.layout.panels.timeline")
    y = rect["y"] + rect["h"] / 2
    at = {t: rect["x"] + 8 + t / 180 * (rect["w"] - 16) for t in (20, 60, 100, 180)}
    player.page.mouse.move(*player.at(at[20], y))
    player.page.mouse.down()
    for t in (60, 100, 60):
        player.page.mouse.move(*player.at(at[t], y))
        assert player.t == t
    player.page.mouse.move(*player.at(at[100], y - 200))  # off the timeline, the button still held
    assert player.t == 100
    player.page.mouse.move(*player.at(at[180] + 300, y))
    assert player.t == 180
    player.page.mouse.up()
    player.page.mouse.move(*player.at(at[60], y))
    assert player.t == 180


def test_a_click_pins_the_sum_and_its_numbers_can_be_copied(player):
    player.open("/?v=1&t=100")
    rect = player.js("s.layout.panels.map")
    player.point(rect["x"] + 0.5 * rect["w"], rect["y"] + 0.47 * rect["h"])
    tip = player.tip
    copy = player.page.locator(".kpviz .copy")
    assert not copy.is_visible()
    player.click(rect["x"] + 0.5 * rect["w"], rect["y"] + 0.47 * rect["h"])
    player.point(rect["x"] + 0.8 * rect["w"], rect["y"] + 0.8 * rect["h"])
    assert player.tip == tip
    copy.click()
    player.page.locator(".kpviz .status").wait_for()
    text = player.page.evaluate("navigator.clipboard.readText()")
    assert text == player.js("s.pinned.probe.full")
    assert text.startswith("f(")
    player.press("Escape").rest()
    assert not copy.is_visible()
    assert player.js("s.pinned") is None
