"""The panels by keyboard: one stop of Tab for each, arrows from object to object, said and shown as by pointer."""

import pytest

LINK = "/?v=1&t=60&show=alpha.margins.gram.sequence"
LIFTED = "/?v=1&data=circles&kernel=monomial&degree=2&n=30&t=20&show=lift"
CURVE = "s.player.curve.answer && s.player.curve.answered === s.player.curve.key"
MORE = {  # what has a panel, and when it is there
    "votes": ("/?v=1&t=60&show=alpha.readings", "s.layout.panels.votes"),
    "lift": (LIFTED, "s.run.header.extras.lift"),
    "curve": ("/?v=1&n=20&epochs=3&t=20&show=curve", CURVE),
    "remembered": ("/?v=1&n=30&t=60&show=remembered", "s.run.header.extras.remembered"),
    "primal": ("/?v=1&data=linear&kernel=linear&t=20&show=primal", "s.run.header.extras.primal"),
}
PANELS = {
    "alpha": "Weight of each example",
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


@pytest.mark.parametrize("name", MORE)
def test_in_the_panels_that_one_adds_arrows_tell_what_the_pointer_is_told(player, name):
    link, there = MORE[name]
    stop(player.open(link).until(there).rest(), name).press("ArrowRight").rest()
    assert player.t == int(link.partition("&t=")[2].partition("&")[0])
    told = [spoken(player)]
    for key in ("ArrowRight", "ArrowDown", "End", "ArrowLeft", "Home"):
        player.press(key).rest()
        by_key = player.js("s.player.touch.lines")
        assert spoken(player) == f"{', '.join(by_key)}."
        told.append(spoken(player))
    assert len(set(told)) > 2
    by_key, by_pointer = told_there(player)
    assert by_key == by_pointer
    assert by_key[0]


def test_a_panel_with_nothing_to_show_says_why(player):
    stop(player.open("/?v=1&t=20&show=primal").until("s.run.header.extras.primal").rest(), "primal").press("ArrowRight")
    assert player.page.locator(".kpviz .status").text_content() == player.words("primal", "why")
    player.open("/?v=1&t=20&show=lift").until("s.run.header.extras.lift").rest()
    stop(player, "lift").press("ArrowRight").rest()
    offer = spoken(player)
    assert offer.endswith("Click here to choose it.")
    player.press("ArrowRight").rest()
    assert spoken(player) == f"{', '.join(player.js('s.player.touch.lines'))}."  # of the first point in space
    player.press("ArrowLeft").rest()
    assert spoken(player) == offer
    player.press("Enter").until("s.run.header.settings.query.includes('monomial')")


def test_a_term_of_the_memory_is_told_and_the_sum_stays(player):
    link, there = MORE["remembered"]
    player.open(link).until(there).rest()
    before = player.marks("remembered")
    term, value = player.marks("remembered", name="term")[1], player.marks("remembered", name="value")[1]
    player.point(term["x"] + 4, term["y"] - 3).rest()
    assert player.tip[0] == f"{value['text']} from {term['text']}"
    assert player.marks("remembered") == before


def test_escape_leads_from_a_button_to_the_board(player):
    focus = "r.getRootNode().activeElement"
    player.open(LINK).button("edit").focus()
    player.press("Escape")
    assert player.js(f"{focus} === s.canvas")
    player.button("help").focus()
    player.press("Enter", "Escape")
    assert player.js(f"{focus}.dataset.do") == "help"  # it closed the help
    player.press("Escape")
    assert player.js(f"{focus} === s.canvas")
    player.press("Escape")
    assert player.js(f"{focus} === r")  # from where → steps
    t = player.t
    assert player.press("ArrowRight").rest().t == t + 1
    player.edit().page.locator(".kpviz [data-edit=brush]").focus()
    player.press("Escape")
    assert player.js(f"s.editing.on && {focus} === s.canvas")
    player.press("Escape")
    assert not player.js("s.editing.on")


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
    assert player.js("r.getRootNode().activeElement === r")
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
