"""The panels by keyboard: one stop of Tab for each, arrows from object to object, said and shown as by pointer."""

import pytest

LINK = "/?v=1&t=60&show=alpha.margins.gram.sequence"
PANELS = {
    "alpha": "Mistakes on each example",
    "margins": "margins",
    "gram": "Gram matrix",
    "sequence": "order",
    "timeline": "timeline",
}


def spoken(player):
    return player.page.locator(".kpviz .live").text_content()


def stop(player, name):
    """Give a panel the focus."""
    player.js("s.objects.stops.get(arg).focus()", name)
    return player


def told_there(player):
    """What is told at the place that the keyboard stands on, and what the pointer is told there."""
    px, py = player.js("[s.player.pointer.px, s.player.pointer.py]")
    by_key = player.js("[s.player.touch.lines, [...s.player.touch.hot], s.player.touch.time]")
    player.js("s.objects.leave()")
    player.point(px, py)
    return by_key, player.js("[s.player.touch.lines, [...s.player.touch.hot], s.player.touch.time]")


def test_tab_stops_once_at_each_panel(player):
    player.open(LINK).button("play").focus()
    found = []
    for _ in range(len(PANELS)):
        player.press("Shift+Tab")
        found.append(player.js("[...s.objects.stops].find(([, e]) => e === r.getRootNode().activeElement)?.[0]"))
    assert sorted(found) == sorted(PANELS)
    player.press("Shift+Tab")
    assert player.js("r.getRootNode().activeElement === s.canvas")
    for name, words in PANELS.items():
        stop(player, name)
        label = player.js("r.getRootNode().activeElement.getAttribute('aria-label')")
        assert words.lower() in label.lower()
        assert "Enter does what a click does, Escape leaves" in label


@pytest.mark.parametrize("name", PANELS)
def test_arrows_go_from_object_to_object_and_tell_what_the_pointer_is_told(player, name):
    stop(player.open(LINK), name).press("ArrowRight", "ArrowRight", "ArrowDown").rest()
    assert player.t == 60
    assert spoken(player) == f"{', '.join(player.js('s.player.touch.lines'))}."
    assert player.marks("tip")
    before = player.js("s.player.pointer.px")
    player.press("ArrowRight")
    assert player.js("s.player.pointer.px") > before
    player.press("Home")
    assert player.js("s.player.pointer.px") < before
    by_key, by_pointer = told_there(player)
    assert by_key == by_pointer
    assert by_key[0]


def test_enter_does_what_a_click_does_and_escape_leaves(player):
    stop(player.open(LINK), "alpha").press("ArrowRight", "ArrowRight").rest()
    t = player.js("s.player.touch.time")
    player.press("Enter").rest()
    assert player.t == t
    stop(player, "timeline").press("End").press("ArrowRight", "ArrowLeft", "Enter").rest()
    assert player.t == player.js("s.player.touch.time")
    assert player.js("s.run.trace.mistake[s.t - 1]") == 1
    stop(player, "gram").press("ArrowRight", "ArrowRight", "ArrowDown", "Enter", "Escape").rest()
    assert player.js("s.player.pinned.lines[0]").startswith("k(x")
    assert player.js("r.getRootNode().activeElement") is None
    assert player.js("s.objects.ring.hidden && s.player.pointer === null")


def test_the_ring_lies_on_the_object_and_is_seen_in_any_colours(player):
    for look in ({"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}):
        player.open(LINK).page.emulate_media(**look)
        player.button("play").focus()
        player.press("Shift+Tab", "ArrowRight", "ArrowRight").rest()
        ring, at = player.js(
            "(({ x, y, width: w, height: h }, canvas, { px, py }) =>"
            " [[x + w / 2 - canvas.x, y + h / 2 - canvas.y], [px, py]])"
            "(s.objects.ring.getBoundingClientRect(), s.canvas.getBoundingClientRect(), s.player.pointer)"
        )
        assert ring == pytest.approx(at, abs=1)
        outlines = player.js(
            "[s.objects.ring, r.getRootNode().activeElement].map((e) => getComputedStyle(e))"
            ".map(({ outlineStyle, outlineWidth, outlineColor }) => [outlineStyle, outlineWidth, outlineColor])"
        )
        ground = player.js("getComputedStyle(r).backgroundColor")
        assert all(style == "solid" and width == "2px" and colour != ground for style, width, colour in outlines)
    player.page.emulate_media(forced_colors="none", color_scheme="null")


def test_shift_and_an_arrow_look_at_any_place_of_the_map(player):
    player.open(LINK)
    player.js("s.canvas.focus()")
    player.press("Shift+ArrowRight", "Shift+ArrowUp").rest()
    assert player.t == 60
    lines = player.js("s.player.touch.lines")
    assert lines[0].startswith("f(")
    assert any("from x" in line for line in lines)
    assert spoken(player) == f"{', '.join(lines)}."
    player.press("Enter", "Escape").rest()
    assert player.js("s.player.pinned.lines") == lines


def test_while_one_predicts_the_timeline_does_not_go_ahead(player):
    player.open("/?v=1&t=20").press("q").rest()
    t = player.t
    stop(player, "timeline").press("ArrowRight", "End").rest()
    assert player.js("s.player.touch.time") <= t


def test_while_one_presents_there_is_no_stop(player):
    player.open("/?v=1&t=20&stage=window")
    assert player.js("s.objects.box.hidden")
