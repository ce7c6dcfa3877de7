"""For those who do not see the board, or use no pointer: what is said, the focus, room for fingers and large type."""

import itertools

import pytest
from answering import TEXT

# ---- without sight --------------------------------------------------------------------------------------------------


def spoken(player):
    return player.page.locator(".kpviz .live").text_content()


def test_the_board_can_be_read_in_words_at_any_time(player):
    player.open("/?v=1&t=12")
    region = player.page.get_by_role("region", name="The board in words")
    assert region.get_by_role("heading").all_text_contents()[0] == "Map"
    assert "step 12 of 180" in region.text_content()
    player.press("ArrowRight").rest()
    assert "step 13 of 180" in region.text_content()


def test_each_change_is_said_once_before_the_sentence(player):
    player.open("/?v=1&t=12")
    sentence = spoken(player)
    player.press("g").until("s.run.header.settings.query.includes('sigma')").rest()
    assert spoken(player).startswith("Now: Gaussian, σ = ")
    player.press("ArrowRight").rest()
    assert not spoken(player).startswith("Now")
    assert spoken(player) != sentence
    player.press("n").until("s.run.header.settings.query.includes('seed')").rest()
    assert spoken(player).startswith("Now: Data seed ")
    player.press("p").until("s.runs.pinned.length === 1").rest()
    assert spoken(player).startswith("Now: 1 run pinned beside this one")


def test_a_panel_that_is_shown_or_hidden_is_said(player):
    player.open("/?v=1&t=12").press("e").rest()
    assert spoken(player).startswith("Now: k(x, ·) shown")
    player.js("s.actions.show('alpha', false)")
    player.rest()
    assert spoken(player).startswith("Now: Weights hidden")


def test_while_it_plays_fast_it_says_where_it_is_every_two_seconds_at_most(player):
    player.open("/?v=1").press("f", "f")
    player.page.evaluate("""() => {
      window.heard = [];
      const live = document.querySelector(".host").shadowRoot.querySelector(".live");
      new MutationObserver(() => heard.push([performance.now(), live.textContent])).observe(live, { childList: true });
    }""")
    player.press(" ").until("s.t > 60")
    player.press(" ").rest()
    heard = player.page.evaluate("heard")
    while_playing = [(when, words) for when, words in heard if words.startswith("step ")]
    assert while_playing
    assert all(after - before >= 1990 for (before, _), (after, _) in itertools.pairwise(while_playing))
    assert len(heard) <= len(while_playing) + 2


def test_a_key_says_where_the_player_is(player):
    player.open("/?v=1&t=12").press("Shift+I")
    status = player.page.locator(".kpviz .status").text_content()
    assert status.startswith("step 12 of 180, epoch 1 of 3, ")


def test_the_board_in_words_follows_panels_and_questions(player):
    player.open("/?v=1&t=12&show=bound")
    words = player.page.locator(".kpviz .account")
    player.until("s.spoken.element.textContent.includes('At most 64 mistakes')")
    assert "At x₂ = " in words.text_content()
    player.press("q").rest()
    assert "At x₂ = " not in words.text_content()


def test_a_key_that_changes_the_pace_says_it(player):
    player.open("/?v=1&t=12").press("f")
    assert spoken(player) == f"{player.js('s.player.clock.rate'):.2f} examples a second"
    assert spoken(player.press("m")) == "Slow motion"
    assert spoken(player.press("m")).endswith(" examples a second")


# ---- by keyboard ----------------------------------------------------------------------------------------------------


def on_board(player):
    return player.js("r.getRootNode().activeElement === s.canvas")


def to_board(player):
    """Give the board the focus as the Tab key does: it stands before the panels and the buttons."""
    player.button("play").focus()
    while not on_board(player):
        player.press("Shift+Tab")
    return player.rest()


def test_the_arrows_walk_from_example_to_example_and_say_what_pointing_says(player):
    player.open("/?v=1&t=40")
    to_board(player)
    assert on_board(player)
    player.press("ArrowRight", "ArrowRight", "ArrowRight").rest()
    assert player.js("[...s.player.touch.hot]") == [2]
    lines = player.js("s.player.touch.lines")
    assert spoken(player) == f"{', '.join(lines)}."
    player.point(*player.js("[s.view.x(s.run.X[4]), s.view.y(s.run.X[5])]"))
    assert player.js("s.player.touch.lines") == lines
    assert player.t == 40


def test_up_and_down_walk_over_what_is_remembered_and_enter_keeps_one(player):
    player.open("/?v=1&t=40")
    to_board(player).press("ArrowDown", "ArrowDown").rest()
    support = player.js("[...s.run.trace.support].filter((i) => s.run.alphaOf(i, s.t)).sort((a, b) => a - b)")
    assert player.js("[...s.player.touch.hot]") == [support[1]]
    player.press("Enter", "Escape").rest()
    assert not on_board(player)
    assert player.js("[...s.player.pinned.hot]") == [support[1]]
    assert player.page.get_by_role("button", name="Copy these numbers").is_visible()
    player.press("ArrowRight")
    assert player.t == 41


def test_a_click_on_the_board_leaves_the_arrows_to_the_player(player):
    player.open("/?v=1&t=3").click(100, 100)
    player.press("ArrowRight")
    assert player.t == 4


def test_keys_of_one_character_can_be_turned_off_for_good(player):
    player.open("/?v=1&t=3").press(",")
    box = player.page.get_by_role("dialog", name="Preferences").get_by_role("checkbox", name="Keys of one")
    box.uncheck()
    player.press("Escape", "m", "?", "ArrowRight")
    assert player.t == 4
    assert not player.js("s.clock.slow || s.controls.open")
    player.reload().press("m")
    assert not player.js("s.clock.slow")
    player.open("/fisher").press("b", "?")
    assert not player.page.locator(".menu.help").is_visible()
    player.page.get_by_role("button", name="Preferences").click()
    player.page.get_by_role("checkbox", name="Keys of one").check()
    player.press("Escape", "?")
    assert player.page.locator(".menu.help").is_visible()


def test_page_down_stays_with_texts_and_dialogs(player):
    player.open("/?v=1&t=3").press("u")
    player.page.locator(".menu.cue textarea").first.focus()
    player.press("PageDown")
    assert player.t == 3
    player.press("Escape")
    player.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div role=dialog tabindex=0>text</div>')")
    player.page.locator("body > [role=dialog]").focus()
    player.press("PageDown", "PageUp", "End")
    assert player.t == 3


def test_the_help_and_the_panels_say_whether_they_are_open(player):
    player.open()
    for name, key in (("help", "?"), ("panels", "h"), ("preferences", ",")):
        assert player.button(name).get_attribute("aria-expanded") == "false"
        player.press(key)
        assert player.button(name).get_attribute("aria-expanded") == "true"
        player.press("Escape")


def test_what_the_help_covers_is_not_stopped_at_while_it_is_open(player):
    player.open().press("?")
    beneath = """(() => {
      const one = r.getRootNode().activeElement, help = r.querySelector(".menu.help");
      const a = one?.getBoundingClientRect(), b = help.getBoundingClientRect();
      const apart = a && (a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom);
      return a && !apart && !help.contains(one) && one !== help ? one.outerHTML.slice(0, 80) : null;
    })()"""
    for _ in range(12):
        assert player.press("Tab").js(beneath) is None
    player.press("Escape").press("?")
    for _ in range(40):
        assert player.press("Shift+Tab").js(beneath) is None
    player.press("Escape")
    assert not player.js("r.querySelector('canvas').inert")


def test_tab_comes_from_the_line_above_to_the_lesson_and_then_to_the_board(player):
    player.open("/?v=1").js("s.lesson.read({ text: arg })", TEXT)
    player.until("s.lesson.open && !s.lesson.arriving").settle()
    player.page.locator(".chips a").last.focus()
    inside = "r.querySelector('.lesson').contains(r.getRootNode().activeElement)"
    assert player.press("Tab").js(inside)
    while player.press("Tab").js(inside):
        pass
    assert player.js("r.getRootNode().activeElement === s.canvas")


# ---- in small, by touch, in other colours ---------------------------------------------------------------------------

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("width", [320, 344, 375, 390, 430, 600, 700])  # 320: 1280 at 400 %
def test_on_a_narrow_window_nothing_lies_on_the_buttons_or_beyond_the_edge(player, width):
    player.wear(width, 844).open("/?v=1&t=12")
    boxes = """[...r.querySelectorAll('.bar > *, .tabs > *'),
        ...r.getRootNode().querySelectorAll('.chips :is(.chip, a)')].map((e) => e.getBoundingClientRect())
        .filter(({ width }) => width).map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
    found = player.js(boxes)
    over = [
        (a, b)
        for k, a in enumerate(found)
        for b in found[k + 1 :]
        if min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1
    ]
    assert over == []
    assert all(left >= 0 and right <= width for left, _, right, _ in found)
    assert player.page.evaluate("document.querySelector('.stMain').scrollWidth <= innerWidth")
    small = (
        "[...r.querySelectorAll('button:not(.term)')]"
        ".filter((e) => e.offsetWidth && Math.min(e.offsetWidth, e.offsetHeight) < 24)"
    )
    assert player.js(f"{small}.length") == 0


@pytest.mark.parametrize(("size", "side"), [((390, 844), 300), ((390, 664), 260), ((360, 640), 240), ((320, 568), 180)])
def test_on_a_phone_map_and_sentence_are_seen_together(player, size, side):
    player.wear(*size).open("/?v=1&t=12")
    top = player.js("s.canvas.getBoundingClientRect().top")
    assert top + max(mark["y"] for mark in player.marks("words", kind="text")) < size[1]
    assert player.js("s.player.layout.panels.map.h") >= side
    tabs = player.page.locator(".kpviz .tabs button").all_text_contents()
    assert "Learner" not in tabs


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_one_steps_while_settings_or_a_lesson_cover_the_rest(player, size):
    player.wear(*size).open("/?v=1&t=12").press("Shift+K")
    sheet = player.page.locator(".dock.sheet").bounding_box()
    bar = player.page.locator(".kpviz .bar").bounding_box()
    assert bar["y"] + bar["height"] <= sheet["y"] + 1
    assert bar["y"] >= player.js("s.canvas.getBoundingClientRect().top + s.player.layout.panels.map.h") - 1
    player.button("next-example").click()
    assert player.t == 13


@pytest.mark.parametrize("size", [(683, 384), (342, 192)])  # 1366 × 768 at 200 % and at 400 %
def test_a_row_of_buttons_that_is_too_long_says_so_and_each_comes_into_view(player, size):
    player.wear(*size).open("/?v=1&t=12")
    on = player.page.locator(".kpviz .bar .more.on")
    assert on.is_visible()
    on.click()
    player.page.locator(".kpviz .bar .more.back").wait_for()
    stood = """(() => {
      const one = r.getRootNode().activeElement, { x, y, width, height } = one.getBoundingClientRect();
      return one.contains(r.getRootNode().elementFromPoint(x + width / 2, y + height / 2)) && one.dataset.do;
    })()"""
    player.button("play").focus()
    found = ["play"]
    while found[-1] != "help" and len(found) < 40:
        found.append(player.press("Tab").rest().js(stood))
    assert found[-1] == "help"
    assert False not in found
    assert len(found) >= 20
    on.wait_for(state="hidden")


def test_numbers_are_copied_from_below_the_map_and_not_from_over_the_sentence(player):
    player.wear(390, 844).open("/?v=1&t=12").click(100, 100)
    copy = player.page.get_by_role("button", name="Copy these numbers")
    box, left = copy.bounding_box(), player.js("s.canvas.getBoundingClientRect().top")
    assert box["y"] + box["height"] <= left + player.js("s.player.layout.panels.map.h")


def test_what_a_finger_has_no_key_for_has_the_name_of_its_button(player_with):
    player = player_with(**PHONE).open("/?v=1")
    assert "Tap example ›" in player.words("words")
    assert "Press" not in player.words("words")
    assert "pinch-zoom" in player.js("getComputedStyle(s.canvas).touchAction")


def test_a_finger_steps_and_plays_while_one_presents(player_with):
    player = player_with(**PHONE).open("/?v=1&t=5&stage=window")
    tap = lambda share: player.page.touchscreen.tap(390 * share, 200)  # noqa: E731
    tap(0.8)
    player.rest()
    assert player.t == 6
    tap(0.2)
    tap(0.2)
    player.rest()
    assert player.t == 4
    player.page.get_by_role("button", name="Play or pause").tap()
    player.until("s.t > 5")


def test_the_box_at_the_pointer_does_not_lie_under_the_buttons(player):
    player.open("/?v=1&t=60")
    timeline = player.js("s.player.layout.panels.timeline")
    player.point(timeline["x"] + 200, timeline["y"] + timeline["h"] - 2)
    (box,) = [mark for mark in player.marks("tip") if mark["kind"] == "rect"]
    assert box["y"] + box["h"] <= player.js("s.player.layout.bar.y")


def test_while_one_presents_the_focus_does_not_go_behind_the_stage(player):
    player.open("/?v=1&stage=window").press("Tab")
    assert player.page.evaluate("document.querySelector('.host').shadowRoot.querySelector('.chips .groups').inert")
    player.press("w")
    assert not player.page.evaluate("document.querySelector('.host').shadowRoot.querySelector('.chips .groups').inert")


def test_in_forced_colours_the_dock_shows_what_is_chosen(player):
    player.open("/?v=1").page.emulate_media(forced_colors="active")
    player.page.locator(".chip[data-group=data]").click()
    tiles = player.page.locator(".dock .options input + .seen")
    tiles.nth(3).wait_for()
    grounds = [tile.evaluate("(e) => getComputedStyle(e).backgroundColor") for tile in tiles.all()[:4]]
    player.page.emulate_media(forced_colors="none")
    assert grounds[0] not in grounds[1:]


def test_in_colours_of_ones_own_what_is_on_is_seen(player):
    player.open("/?v=1").page.emulate_media(forced_colors="active")
    colour = "getComputedStyle(r.querySelector('[data-do=slow]')).backgroundColor"
    before = player.js(colour)
    player.press("m").until(f"{colour} !== arg", before)  # at the next frame
    player.edit()
    icons = player.js("[...r.querySelectorAll('.classes i')].map((e) => getComputedStyle(e).backgroundColor)")
    grounds = player.js("[...r.querySelectorAll('.classes button')].map((e) => getComputedStyle(e).backgroundColor)")
    assert all(icon != ground for icon, ground in zip(icons, grounds, strict=True))
    player.page.emulate_media(forced_colors="none")


@pytest.mark.in_app
def test_a_dialog_gives_the_focus_back_to_the_button_that_opened_it(player):
    player.open("/?v=1&t=12").button("home").focus()
    player.press("Enter")
    player.page.locator("[role=dialog] button").first.wait_for()
    player.press("Escape").until("r.getRootNode().activeElement?.dataset.do === 'home'")
    player.press("Shift+U").page.locator("[role=dialog] textarea").fill("start: Hello.")
    player.page.locator(".st-key-lecture-apply button").press("Enter")
    player.until("r.getRootNode().activeElement?.dataset.do === 'home'")


@pytest.mark.in_app
def test_no_frame_lies_round_all_after_a_click_and_a_key(player):
    player.open("/?v=1").click(20, 20)
    player.page.evaluate("document.querySelector('.stMain').focus()")
    player.press("ArrowRight")
    style = player.page.evaluate(
        "(({ outlineStyle: a, boxShadow: b }) => [a, b])(getComputedStyle(document.querySelector('.stMain')))"
    )
    assert style == ["none", "none"]
