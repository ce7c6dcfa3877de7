"""Present: the stage alone, in every shape; light, blank, clicker, cues that hold, and the
lecturer's window.

`tests/player/test_stage.py` has the type for the back row.
"""

from urllib.parse import urlsplit

import numpy as np
import pytest
import segno
from answering import Lesson
from cueing import box, link, save, words
from lecture import LECTURE

from kpviz.engine.data.drawn import Drawn
from kpviz.lessons import shelf
from kpviz.lessons.file import format
from kpviz.service import join
from kpviz.settings import Settings
from kpviz.settings.view import STAGES

DEFAULT = "v=1&t=12"
RATIOS = {"16x9": 16 / 9, "4x3": 4 / 3, "1x1": 1, "9x16": 9 / 16}
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def present(player, link=DEFAULT, shape="16x9", size=(1366, 768)):
    """Open a link that presents; return the player at rest."""
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    return (
        player.anew(f"/?{link}&stage={shape}")
        .until("s.present.on && innerWidth === arg[0]", list(size))
        .rest()
    )


def colour(player, x, y):
    """The levels of a pixel of the canvas."""
    return player.js("[...s.context.getImageData(arg[0], arg[1], 1, 1).data].slice(0, 3)", [x, y])


# ---- the stage -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1920, 1080), (1000, 900)])
def test_each_shape_lies_in_the_middle_of_the_window(player, size):
    present(player, DEFAULT, "window", size)
    assert player.js("[s.layout.height, s.board.width]") == [size[1], size[0]]
    for shape, ratio in RATIOS.items():
        player.press("j").until("s.present.shape === arg", shape).rest()
        box = player.js("s.canvas.getBoundingClientRect().toJSON()")
        assert box["width"] / box["height"] == pytest.approx(ratio, rel=0.01)
        assert max(box["width"] / size[0], box["height"] / size[1]) > 0.99
        assert box["x"] == pytest.approx(size[0] - box["right"], abs=1.1)
        assert box["y"] == pytest.approx(size[1] - box["bottom"], abs=1.1)
        assert player.js("[s.canvas.width % 2, s.canvas.height % 2]") == [0, 0]
    assert (
        min(mark["size"] for mark in player.marks("words", kind="text"))
        >= 24 * size[1] / 1080 - 0.1
    )


def test_the_ground_of_the_stage_is_opaque_paper(player):
    for scheme, paper in (("light", [255, 255, 255]), ("dark", [18, 22, 29])):
        present(player.wear(color_scheme=scheme))
        alpha = player.js(
            "Array.from(s.context.getImageData(0, 0, s.canvas.width, 12).data).filter((v, k) => k "
            "% 4 === 3)"
        )
        assert set(alpha) == {255}
        assert colour(player, 2, 2) == paper


# ---- nothing else --------------------------------------------------------------------------------

UNDER = """() => [[2, 2], [innerWidth - 3, 2], [innerWidth / 2, 20], [2, innerHeight - 3],
  [innerWidth - 3, innerHeight - 3]].map(([x, y]) => {
    const host = document.elementFromPoint(x, y);
    const inner = host.shadowRoot?.elementFromPoint(x, y) ?? host;
    return inner.closest(".kpviz") !== null;
  })"""
BEHIND = "r.getRootNode().querySelector('.topbar nav').closest('[inert]') !== null"


def test_w_fills_the_screen_with_the_stage_alone_and_w_ends_it(player):
    panels = sorted(player.open(f"/?{DEFAULT}").edit().panels())
    player.press("w").until(
        "s.present.full && !s.standing.edit.on && document.fullscreenElement !== null"
    ).rest()
    assert player.js("[s.board.width, s.layout.height]") == [1366, 768]
    assert not player.page.locator(".kpviz .bar").is_visible()
    assert player.page.evaluate(UNDER) == [True] * 5
    assert player.press("Tab").js(BEHIND)  # the focus does not go behind the stage
    assert player.js("s.objects.box.hidden")
    player.leave()
    assert not player.js(BEHIND)
    assert player.page.locator(".kpviz .bar").is_visible()
    assert sorted(player.panels()) == panels
    player.until("Math.abs(r.getBoundingClientRect().bottom - innerHeight) < 15")


def test_without_a_full_screen_it_covers_the_window_v_turns_that_and_leaving_it_by_the_browser_ends_it(
    player,
):
    player.open(f"/?{DEFAULT}").press("w").until("s.present.full")
    player.press("v").until("document.fullscreenElement === null && !s.present.full").rest()
    assert player.presents
    player.press("v").until("s.present.full")
    player.page.evaluate("document.exitFullscreen()")
    player.until("!s.present.on").js(
        "(() => { document.documentElement.requestFullscreen = () => Promise.reject(new "
        "TypeError()); })()"
    )
    player.present()
    assert player.page.evaluate("document.fullscreenElement") is None
    assert player.page.evaluate(UNDER) == [True] * 5
    player.press("h").press("Escape")
    assert player.js("[s.present.on, s.controls.open]") == [True, False]
    player.press("Escape").until("!s.present.on").rest()
    assert player.page.evaluate(UNDER)[:2] == [False] * 2


def test_the_button_and_the_menu_present_in_each_shape_that_a_link_may_name(player):
    names = player.open(f"/?{DEFAULT}").js(
        "[...r.querySelectorAll('[data-do^=shape-]')].map((e) => e.dataset.do)"
    )
    assert [name.removeprefix("shape-") for name in names] == list(STAGES)
    player.button("present").click()
    player.until("s.present.full").leave()
    player.press("h").page.get_by_text("For a class", exact=True).click()
    player.page.locator(".kpviz .menu.panels [data-do=shape-1x1]").click()
    player.until("s.present.on && s.present.shape === '1x1'").rest()
    assert player.js("s.board.width === s.layout.height")
    player.open(f"/?{DEFAULT}&stage=round")
    assert not player.presents


def test_a_finger_steps_plays_and_finds_a_way_out(phone):
    player = present(phone, "v=1&t=5", "window", (390, 844))
    tap = lambda share: player.page.touchscreen.tap(390 * share, 200)  # noqa: E731
    tap(0.8)
    assert player.rest().t == 6
    # The hint stands beside the buttons, in the row under the timeline.
    player.js("s.say('Tap right to go on, left to go back.', { persist: true })")
    left, top, right, _ = player.box(".status")
    timeline = player.js("s.layout.panels.timeline")
    assert left >= 0
    assert top >= timeline["y"] + timeline["h"]
    assert right <= min(player.box(".go")[0], player.box(".leave")[0])
    assert timeline["w"] > 0.9 * 390
    tap(0.2)
    tap(0.2)
    assert player.rest().t == 4
    player.page.get_by_role("button", name="Play or pause").tap()
    player.until("s.t > 5")
    player.page.get_by_role("button", name="Play or pause").tap()
    player.until_paused().page.locator(".kpviz .leave").tap()
    player.until("!s.present.on").rest()


LESSON = "v=1&lesson=lesson-01-first-steps"


def test_on_a_slide_it_is_said_first_how_one_goes_on(player):
    player.open(f"/?{LESSON}").until("s.lesson.open && !s.lesson.arriving").press("w")
    player.until("s.present.slides.full").rest()
    assert player.status.startswith("→: go on")
    left, right = (player.box(css)[edge] for css, edge in ((".slides .sheet", 0), (".status", 2)))
    assert round(right) == round(1366 - left)  # It ends where the slide's lines may end.
    player.press("ArrowRight")
    player.until("s.present.slides.page === 1 || !s.present.slides.full")


def test_on_a_slide_for_fingers_it_is_said_in_line_with_the_words(phone):
    phone.open(f"/?{LESSON}").until("s.lesson.open && !s.lesson.arriving").press("w")
    phone.until("s.present.slides.full").js("(s.say('Tap right.', { persist: true }), 0)")
    phone.rest()
    status, sheet = (phone.box(css) for css in (".status", ".slides .sheet"))
    assert abs(status[0] - sheet[0]) < 1
    assert status[2] <= phone.box(".go")[0]


# ---- reloads -------------------------------------------------------------------------------------


def test_a_reload_of_what_presents_comes_back_to_the_same_step_and_is_full_again_at_the_next_key(
    player,
):
    present(player, "v=1&data=moons&t=4", "4x3")
    player.press("ArrowRight", "ArrowRight").rest().reload()
    assert player.js("[s.present.on, s.present.shape, s.t]") == [True, "4x3", 6]
    player.page.wait_for_url("**stage=4x3**")
    player.press("Escape").until("!s.present.on").rest()
    player.page.wait_for_function("!location.search.includes('stage')")
    assert not player.reload().presents
    player.press("w").until("s.present.full").rest()
    player.page.wait_for_url("**stage=window**")
    assert player.reload().presents
    player.press("ArrowRight").until("document.fullscreenElement !== null").rest()
    assert player.t == 7


# From now on the address is not written at rest.
WRITES_NO_ADDRESS = "(stage) => { stage.kpviz.link.write = () => {}; }"


def test_a_reload_before_the_address_is_written_at_rest_stays_on_the_stage(player):
    address = f"{player.base}/?lesson=lecture-1-perceptron&scene=1&stage=window"
    player.page.goto(address, wait_until="commit")
    player.page.wait_for_selector(".kpviz", state="attached").evaluate(WRITES_NO_ADDRESS)
    player.ready().until("s.lesson?.open && !s.lesson.arriving").rest()
    assert player.reload().until("s.lesson?.open && !s.lesson.arriving").rest().presents
    player.js("(s.link.write = () => {}, s.lesson.go(1))")
    player.until("!s.lesson.arriving && location.search.includes('scene=2')").rest().reload()
    player.until("s.lesson?.open && !s.lesson.arriving").rest()
    assert player.js("[s.present.on, s.lesson.at]") == [True, 1]
    player.js("(s.link.write = () => {}, s.lesson.go(0))")  # These settings are known.
    player.until("!s.lesson.arriving && location.search.includes('scene=1')").rest().reload()
    player.until("s.lesson?.open && !s.lesson.arriving").rest()
    assert player.js("[s.present.on, s.lesson.at]") == [True, 0]


def test_a_reload_while_it_plays_is_where_one_went_last(player):
    player.open("/?v=1&data=xor&noise=0.2&epochs=20")
    player.press("w").until("s.present.on").rest()
    player.js("(s.link.write = () => {}, 0)")
    player.press("Space").until("s.clock.playing").press("w").until("!s.present.on")
    assert not player.reload().presents
    player.js("(s.link.write = () => {}, 0)")
    player.press("Space").until("s.clock.playing").press("w").until("s.present.on")
    assert player.reload().presents


# ---- the clicker and the keys --------------------------------------------------------------------


def test_keys_change_settings_and_points_backspace_restores(player):
    present(player, "v=1&t=12&sigma=0.4")
    for key, changed in (
        ("d", "data=circles"), ("n", "seed=1"), ("k", "kernel=linear"), ("g", "sigma=0.494"), ("o", "order=shuffled"),
    ):  # fmt: skip
        assert changed in player.press(key).settle().query, key
        assert player.press("z").settle().settings.query() == "v=1&sigma=0.4", key
    assert "sigma=0.331" in player.press("Shift+G").settle().query
    player.js("s.go(12)")
    player.press("Shift+E").click(*player.on_map(0.5, 0.5)).settle()
    assert (player.settings.data, player.presents, player.js("s.run.n")) == ("drawn", True, 61)
    player.press("Backspace").settle()
    assert (player.settings.query(), player.js("s.standing.edit.on"), player.t) == (
        "v=1&sigma=0.4",
        False,
        12,
    )
    assert player.press("Backspace").said == "Nothing has been changed."
    own = player.shown
    player.js("(s.actions.show('bound', true), s.actions.show('margins', false), 0)")
    assert player.rest().shown != own
    assert player.press("Backspace").rest().shown == own


def test_escape_ends_one_thing_at_a_time(player):
    present(player, "v=1&t=12")
    player.press("Shift+E").until("s.standing.edit.on").press("Shift+D").until("s.dock.open").rest()
    states = []
    for _ in range(3):
        player.press("Escape").rest()
        states.append(player.js("[Boolean(s.dock.open), s.standing.edit.on, s.present.on]"))
    assert states == [[False, True, True], [False, False, True], [False, False, False]]
    present(player, "v=1&t=12")
    player.press("q").until("s.standing.question.on").press("l").rest()
    for expected in ([False, True, True], [False, False, True], [False, False, False]):
        player.press("Escape").rest()
        assert (
            player.js("[s.standing.question.on, s.present.spotlight.on, s.present.on]") == expected
        )


def test_the_help_of_the_stage_names_what_keys_do_there(player):
    present(player, "v=1&t=12").press("?")
    keys = player.page.locator(".menu.help .keys")
    assert "Keys while presenting" in keys.inner_text()
    rows = dict(
        zip(keys.locator("dt").all_inner_texts(), keys.locator("dd").all_inner_texts(), strict=True)
    )
    assert rows["PageDown / PageUp"] == "next / previous mistake or update"
    assert rows["Backspace"] == "back to the settings and panels you began with"
    assert {"J", "L", ". or B", "Y", "W", "Esc", "V"} <= set(rows)
    assert "X" not in rows  # there is no lesson whose words it would show
    player.press("Escape").press("Escape").until("!s.present.on").press("?")
    assert "Keys while presenting" not in keys.inner_text()


def test_settings_that_change_before_a_class_are_not_said(player):
    present(player, "v=1&t=12").press("k").settle()
    assert player.js(
        "s.controls.statusLine.hidden || !s.controls.statusLine.textContent.includes('·')"
    )


def test_settings_lie_over_the_edge_of_the_stage_in_large_type_and_are_closed_where_it_begins(
    player,
):
    player.open("/?v=1&t=12").press("Shift+K").until("s.dock.open === 'kernel'").button(
        "present"
    ).click()
    assert player.js("s.dock.open") is None
    map_before = player.rest().panel("map")
    player.press("Shift+K").until("s.dock.open === 'kernel'").rest()
    left, top, right, bottom = player.box(".dock")
    size = player.page.viewport_size
    assert (round(right), top, bottom) == (size["width"], 0, size["height"])
    assert (left > map_before["x"] + map_before["w"], player.panel("map")) == (True, map_before)
    assert (
        player.js("parseFloat(getComputedStyle(s.dock.element).fontSize)") >= 0.019 * size["height"]
    )
    player.press("Escape").until("!s.dock.open")
    assert player.presents


def test_the_stage_is_entered_without_the_tip_of_the_pointer_and_left_with_the_focus_as_it_was(
    player,
):
    player.open(f"/?{DEFAULT}").point(*player.on_map(0.5, 0.5))
    player.button("present").focus()
    assert player.tip != []
    assert player.press("w").until("s.present.on").rest().tip == []
    assert player.leave().focused() == "present"


def test_a_blank_stage_comes_back_with_any_key_which_does_nothing_else(player):
    present(player)
    for t, key in ((12, "."), (13, "b")):
        shown = player.picture()
        player.press(key).rest()
        assert len({tuple(pixel) for row in player.pixels()[::40, ::40] for pixel in row}) == 1, key
        player.press("ArrowRight").rest()
        assert (player.t, player.picture()) == (t, shown), key
        assert player.press("ArrowRight").rest().t == t + 1, key


def test_a_clicker_plays_on_to_the_next_cue_jumps_there_and_comes_back_and_space_holds_at_each(
    player,
):
    player.open(f"{LECTURE}&stage=16x9").until("s.present.on").pace(60).rest()
    first, second, end = player.js("s.cues.placed.map((cue) => cue.t).slice(1)")
    assert player.sentence == "Hello, class."
    player.press("PageDown").until("s.clock.playing || s.t > 0").until_paused()
    assert (player.t, player.spoken) == (first, "Look where the boundary goes.")
    player.pace(0.25).press("PageDown").until("s.clock.playing").press("PageDown").rest()
    assert (player.t, player.playing) == (second, False)
    assert player.press("PageDown", "PageDown").rest().t == end
    for t in (second, first, 0, 0):
        assert player.press("PageUp").rest().t == t
    for cue in (first, second, end):
        assert player.pace(60).press(" ").until("s.t > 0 && !s.clock.playing").rest().t == cue
    assert player.press(" ").rest().t == 0  # the cue at the start holds when it begins anew


# ---- the light -----------------------------------------------------------------------------------


def brightness(player, x, y):
    ratio = player.js("s.size.ratio")
    return sum(colour(player, round(x * ratio), round(y * ratio))) / 3


def test_the_light_dims_all_but_a_disc_that_follows_the_pointer_and_the_wheel_sizes(player):
    present(player)
    (x, y), (far_x, far_y) = player.on_map(0.3, 0.7), player.on_map(0.85, 0.12)
    here, there = brightness(player, x, y), brightness(player, far_x, far_y)
    player.point(x, y).press("l").rest()
    assert brightness(player, x, y) == pytest.approx(here, abs=2)
    assert brightness(player, far_x, far_y) < 0.5 * there
    assert player.tip == []
    player.point(far_x, far_y).rest()
    assert brightness(player, far_x, far_y) == pytest.approx(there, abs=2)
    assert brightness(player, x, y) < 0.5 * here
    radius = player.marks("over")[0]["r"]
    player.page.mouse.wheel(0, -300)
    player.until("s.board.panels.at(-1).marks[0].r > 1.2 * arg", radius)
    player.press("l").rest()
    assert player.marks("over") == []
    assert player.tip != []
    player.hold((x, y)).until("s.present.spotlight.on").rest()  # while the button is held
    assert player.marks("over")[0]["name"] == "spotlight"
    player.page.mouse.up()
    player.until("!s.present.spotlight.on").rest()
    assert player.marks("over") == []


def test_a_pointer_at_rest_hides_and_its_tip_with_it(player):
    present(player)
    with player.in_haste():
        player.point(*player.on_map(0.5, 0.5))
        player.until("getComputedStyle(s.canvas).cursor === 'none'")
    assert player.rest().tip == []
    player.point(*player.on_map(0.4, 0.5))
    assert player.js("getComputedStyle(s.canvas).cursor") != "none"


# ---- the lecturer's window -----------------------------------------------------------------------


def notes(player):
    with player.page.expect_popup() as opened:
        player.press("Shift+N")
    opened.value.locator("main").wait_for()
    return opened.value


def until_shown(page, text):
    page.get_by_text(text, exact=True).wait_for()


def texts(page):
    second = "section:nth-of-type(2)"
    parts = ("h1", ".notes", "section:nth-of-type(1) p", f"{second} h2", f"{second} p")
    return [page.locator(part).inner_text() for part in parts]


def test_the_notes_window_follows_the_stage_and_closes_with_the_page(player):
    page = notes(player.open(link()))
    assert texts(page) == [
        "Notes: cue 1 of 4, start",
        "Ask: which side will it be on?",
        "No straight line separates these.",
        "Next: mistake 3, step 3",
        "Look where the boundary goes.",
    ]
    assert page.locator("header p").inner_text() == player.counter
    player.press("ArrowRight").rest()
    until_shown(page, "Notes since cue 1 of 4, start")
    assert page.locator("section p").first.inner_text() == player.sentence
    player.press("End").rest()
    until_shown(page, "No further cue.")
    assert texts(page)[:2] == ["Notes: cue 4 of 4, end", "No notes at this cue."]
    player.press("k").until_set("laplacian").press("Home").rest()
    until_shown(page, "Ask: which side will it be on?")  # through a run of the server
    words(box(player), "Notes for me").fill("Other notes.")
    save(player)
    until_shown(page, "Other notes.")
    player.present().press(".")
    until_shown(page, "Nothing: it is blank.")
    player.press(".").leave()
    with page.expect_event("close"):
        player.page.goto("about:blank")


FORMULAS = r"""---
title: Formulas
---
## One
link: v=1&n=8

Let $k(u, v) = \frac{1}{2}$.

> notes: Say $\alpha_i$ aloud.
"""


def test_the_notes_window_sets_the_formulas_of_words_and_notes_as_the_board_has_them(player):
    player.open("/?v=1&n=8").js("s.lesson.read({ text: arg })", FORMULAS)
    page = notes(player.until("s.lesson.open && !s.lesson.arriving").settle())
    page.locator(".words mfrac").wait_for()
    page.locator("main .notes msub").wait_for()
    assert "\\" not in page.locator("body").inner_text()


def test_the_notes_leave_the_full_screen_and_not_the_presentation_and_the_next_key_on_the_stage_fills_it_again(
    player,
):
    page = notes(player.open(link()).press("w").until("s.present.full").rest())
    player.page.wait_for_function("document.fullscreenElement === null")
    assert player.presents
    page.keyboard.press("ArrowRight")
    assert player.rest().t == 1
    player.press("ArrowRight").until("s.present.full && document.fullscreenElement !== null").rest()
    assert player.t == 2
    player.leave()


def test_keys_pressed_in_the_notes_window_move_the_stage_and_it_stays_when_a_key_reloads_the_page(
    player,
):
    page = notes(player.open(link("end")))
    for key, t in {
        "ArrowRight": 1,
        "End": 180,
        "ArrowLeft": 179,
        "Home": 0,
        "ArrowDown": 60,
    }.items():
        page.keyboard.press(key)
        assert player.t == t, key
    query = player.query
    for key in ("d", "k", "n", "z", "g", "o", "x", "u", "r", "c"):
        page.keyboard.press(key)
    assert (player.t, player.settle().query) == (60, query)
    elapsed = page.locator("header button")
    player.js("s.notes.started = Date.now() - 3_725_000")
    until_shown(page, "1:02:05")
    elapsed.click()  # the time begins again, and the keys go on
    assert elapsed.inner_text() == "0:00"
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    player.pace(60).until("s.t > 1")
    page.keyboard.press(" ")
    player.until_paused().press("End").rest().js("s.notes.started -= 60_000")
    player.page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'F5' }))")
    player.reload()  # as the browser does for that key
    until_shown(page, "Notes: cue 1 of 1, end")
    assert elapsed.inner_text().startswith("1:")
    page.keyboard.press("Home")
    assert player.t == 0
    with page.expect_event("close"):
        player.page.reload()  # by the browser's button
    page = notes(player.ready())
    page.close()
    assert not player.press("ArrowRight").rest().js("s.notes.isOpen")


def test_the_notes_window_has_the_colours_of_the_theme_and_what_a_stranger_wrote_stays_text(player):
    grounds = []
    style = "(e) => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
    for scheme in ("light", "dark"):
        player.wear(color_scheme=scheme).open(
            link(f"title: {HOSTILE}|start: {HOSTILE}|>{HOSTILE}|1: {HOSTILE}")
        )
        page = notes(player)
        page.evaluate("(c) => Object.assign(document.body.style, { backgroundColor: c[0], color: "
            "c[1] })",
                      player.js("[s.palette.paper, s.palette.ink]"))  # fmt: skip
        grounds.append(page.locator("html").evaluate(style))
        assert page.locator("body").evaluate(style) == grounds[-1]
        assert texts(page)[1:3] == [HOSTILE, HOSTILE]
        assert page.locator("img, script").count() == 0
        page.close()
    assert grounds[0] != grounds[1]
    found = box(player)
    assert words(found).input_value() == HOSTILE
    assert found.locator("img, script").count() == 0
    assert player.dialogs == []
    player.press("Escape").page.evaluate("window.open = () => null")
    assert "allow pop-ups" in player.press("Shift+N").status


# ---- lectures ------------------------------------------------------------------------------------

LECTURES = [name for name in shelf.paths() if name.startswith("lecture-")]
# Of the words that fill the stage: how many parts reach beyond it, their type, their text, their
# formulas.
SLIDE = """(() => {
  const { sheet, element, full } = s.present.slides;
  const texts = [...sheet.querySelectorAll("*")].filter((e) => !e.closest("math") || e.matches("math"));
  const [far, low] = [window.innerWidth, window.innerHeight];
  const beyond = texts.map((e) => e.getBoundingClientRect()).filter((b) => b.right > far + 0.5 || b.bottom > low + 0.5);
  const size = parseFloat(getComputedStyle(element).fontSize);
  const where = parseFloat(getComputedStyle(element.lastElementChild).fontSize);
  return { at: s.lesson.at, full, beyond: beyond.length, scrolls: sheet.scrollHeight - sheet.clientHeight > 1, size,
    where, text: sheet.textContent.replace(/\\s/g, ""), formulas: sheet.querySelectorAll("math").length };
})()"""
# Of a scene: the texts of its words, and how many formulas there are.
WORDS = """s.lesson.lesson.scenes.map(({ heading, words }) => {
  const texts = [heading], all = { formulas: 0 };
  const walk = (word) => {
    if (typeof word === "string") texts.push(word);
    else if (word.kind === "math") all.formulas += 1;
    else if ("text" in word) texts.push(word.text);
    else if ("children" in word) word.children.forEach(walk);
  };
  words.forEach(walk);
  return { texts: texts.map((text) => text.replace(/\\s/g, "")), ...all };
})"""


def told(scenes, slides):
    """Every word of every scene was on the stage, within it and in type for the back row."""
    for at, scene in enumerate(scenes):
        seen = [slide for slide in slides if slide["at"] == at and slide["full"]]
        text = "".join(slide["text"] for slide in seen)
        assert [each for each in scene["texts"] if each not in text] == [], at
        assert sum(slide["formulas"] for slide in seen) == scene["formulas"]
        assert [slide for slide in seen if slide["beyond"] or slide["scrolls"]] == [], at
        assert min(slide["size"] for slide in seen) >= 34, at
        assert min(slide["where"] for slide in seen) >= 24, at


def test_page_down_alone_presents_every_word_of_every_scene_and_board(player):
    whole = shelf.paths()[LECTURES[-1]].read_text(encoding="utf-8")
    text = "\n## ".join(whole.split("\n## ")[:4])  # three scenes
    read = format.read(text)
    player.wear(1920, 1080)
    Lesson(player.open("/?v=1")).read(text)
    player.present().pace(60)
    slides, boards, questions = [], set(), set()
    for _ in range(40 * len(read.scenes)):
        player.until("!s.lesson.arriving || s.present.slides.full")
        slide = player.until("s.present.classVotes.state.kind !== 'coming' || !s.present.classVotes.on").js(SLIDE)  # fmt: skip
        if slide["full"]:
            if slide not in slides[-1:]:  # While the next scene arrives a press turns nothing.
                slides.append(slide)
        elif player.js("s.present.classVotes.on"):
            questions.add((slide["at"], *player.js("[s.present.classVotes.at, s.present.classVotes.state.kind]")))  # fmt: skip
        else:
            boards.add(slide["at"])
            heading = player.js(
                "s.board.panels.find(({ name }) => name === 'heading').marks[0].text"
            )
            assert heading == read.scenes[slide["at"]].heading
        if player.press("PageDown").said == "This is the last scene.":
            break
    told(player.js(WORDS), slides)
    assert boards == set(range(len(read.scenes)))
    asked = {(at, task) for at, scene in enumerate(read.scenes) for task in range(len(scene.tasks))}
    assert asked == {(at, task) for at, task, kind in questions if kind == "shown"}


def test_the_words_of_all_lectures_fit_on_their_slides(player):
    for name in LECTURES:
        present(player.anew("/?v=1"), f"lesson={name}&scene=1", "window", (1920, 1080))
        player.until("s.lesson?.open").settle()
        player.js(
            "(s.session.socket.ask = () => new Promise(() => {}), 0)"
        )  # their runs are not needed
        scenes, slides = player.js(WORDS), []
        for at in range(len(scenes)):
            player.js("s.lesson.go(arg)", at)
            slides.append(player.js(SLIDE))
            while player.js("s.present.slides.turn(1)"):
                slides.append(player.js(SLIDE))
        told(scenes, slides)


def test_y_lays_the_code_to_join_over_the_stage_or_says_how_others_can(player, monkeypatch):
    shown = present(player).page.locator(".kpviz .join")
    player.press("y").page.get_by_text("kpviz app --lan").wait_for()
    assert not shown.is_visible()  # it is a notice: the class goes on seeing the board
    assert player.press("Escape").presents
    assert player.notices.count() == 0
    monkeypatch.setenv(join.ADDRESS, "http://192.0.2.7:8501")
    address = f"192.0.2.7:8501{urlsplit(player.base).path}/?v=1&t=12"
    player.press("y").page.get_by_text(address).wait_for()
    squares = shown.locator("path").get_attribute("d").count("M")
    code = segno.make(f"http://{address}", error="l", micro=False)
    assert squares == sum(map(sum, code.matrix))
    assert player.press("ArrowRight").rest().t == 13
    assert not shown.is_visible()


DROPPED = """---
title: Dropped
---
## One
link: v=1&data=xor&n=16

Words.

## Two
link: v=1&data=moons&n=16

```cues
start: A lecture has many such words, which are no part of a code for phones.
```

Others.
"""
POINTS = Drawn.of(np.linspace(-1, 1, 400).reshape(200, 2), np.repeat([-1.0, 1.0], 100))
LONG = Settings.of(
    data="drawn", points=POINTS.code, kernel="formula", formula=f"dot(u,v){'+1' * 100}"
).link()
# What is on the stage: a link, a dropped text if there is one, and what was done before Y.
CODES = {
    "a run": ("v=1&data=moons", None, None),
    "a scene": ("v=1&lesson=lesson-07-width&scene=2", None, None),
    "a scene whose settings were turned": (
        "v=1&lesson=lesson-07-width&scene=2",
        None,
        "s.session.command('replace', { link: 'v=1&sigma=0.07', origin: null })",
    ),
    "a scene with settings too long for a code": (
        "v=1&lesson=lesson-07-width&scene=2",
        None,
        f"s.session.command('replace', {{ link: '{LONG}', origin: null }})",
    ),
    "a dropped lesson": ("v=1", DROPPED, None),
    "a dropped lesson whose settings were turned": (
        "v=1",
        DROPPED,
        "s.session.command('replace', { link: 'v=1&data=moons&sigma=0.07', origin: null })",
    ),
    "a dropped lesson with a fault": ("v=1", f"{DROPPED}\n> note: This is seen.\n", None),
}


@pytest.mark.parametrize("case", CODES)
def test_the_code_is_whole_on_every_stage_and_leads_to_what_is_shown(
    player, another, monkeypatch, case
):
    link, text, done = CODES[case]
    monkeypatch.setenv(join.ADDRESS, "http://192.0.2.7:8501")
    present(player, link, "window", (1920, 1080))
    if text:
        player.js("s.lesson.read({ text: arg }, 1)", text)
        player.until("s.lesson.at === 1")
    if "run" not in case:
        player.until("s.lesson.open && !s.lesson.arriving")
    player.settle()
    if done:
        player.js(f"({done}, 0)")
        player.settle()
    player.js("(s.present.slides.hide(), 0)")
    player.press("y")
    code = player.page.locator(".kpviz .join")
    code.wait_for()
    assert code.locator(".said").count() == case.endswith(("too long for a code", "with a fault"))
    for width, height in ((1920, 1080), (1024, 768), (844, 390), (390, 844)):
        player.page.set_viewport_size({"width": width, "height": height})
        parts = [code.locator("svg"), *code.locator("p").all()]
        boxes = [part.bounding_box() for part in parts]
        for part in boxes:
            assert part["x"] >= 0
            assert part["y"] >= 0
            assert part["x"] + part["width"] <= width
            assert part["y"] + part["height"] <= height
        squares = boxes[0]
        assert min(squares["width"], squares["height"]) >= 0.5 * min(width, height)
        assert all(box["y"] >= squares["y"] + squares["height"] for box in boxes[1:])
    address = player.js("s.present.join.address")
    assert len(address) <= 900
    drawn = code.locator("path").get_attribute("d").count("M")
    assert drawn == sum(map(sum, segno.make(address, error="l", micro=False).matrix))
    place = "http://192.0.2.7:8501" + urlsplit(another.base).path
    another.open(address.removeprefix(place))
    if "lesson=" in address:
        another.until("s.lesson.open && !s.lesson.arriving").settle()
        assert another.js("[s.lesson.lesson.title, s.lesson.at]") == player.js(
            "[s.lesson.lesson.title, s.lesson.at]"
        )
    if not case.endswith("too long for a code"):
        query = player.js("s.player.run.header.settings.query")
        another.until("s.player.run?.header.settings.query === arg", query)
    assert another.notices.count() == 0


def test_a_class_whose_server_lost_a_lesson_reads_what_to_do(player):
    player.open("/?lesson=~abcdefghijkl&scene=2")
    player.page.get_by_text("let the code be shown again on the stage").wait_for()
