"""Present: the stage alone, in type for the back row, in every shape; light, blank, clicker, and cues that hold."""

import json

import pytest
from lecture import LECTURE
from test_layout import outside, overlap

from kpviz.player.envelope import STAGES

DEFAULT = "v=1&t=12"
LINKS = [
    DEFAULT,
    "v=1&t=12&show=alpha.code.margins.own",
    "v=1&learner=forgetron&t=40",
    "v=1&data=breast_cancer&held=0.3&t=150",
    "v=1&stream=on&t=150",
    "v=1&kernel=linear&t=3000",
    "v=1&t=30&show=alpha.bound.readings",
    "v=1&data=moons&n=60&noise=0.15&held=0.3&pins=1&p1.kernel=linear&t=30",
    LECTURE.removeprefix("/?") + "&t=3",
]
SHAPES = list(STAGES)
SHOWN = [
    (DEFAULT, SHAPES),
    *((link, [SHAPES[k % len(SHAPES) - 1], SHAPES[k % len(SHAPES)]]) for k, link in enumerate(LINKS) if k),
]
OFF = [*"dkgno1tzxpia", "Shift+G", "Shift+Z", "Shift+E", "Shift+P", "Delete"]
RATIOS = {"16x9": 16 / 9, "4x3": 4 / 3, "1x1": 1, "9x16": 9 / 16}
TEXTS = """JSON.stringify(s.board.panels.flatMap((p) => p.marks.filter((m) => m.kind === "text").map((m) => ({
  panel: p.name, text: m.text, size: m.size, x: m.x, y: m.y, align: m.align ?? "left",
  baseline: m.baseline ?? "", width:
  (() => {
    const c = (window.measuring ??= document.createElement("canvas").getContext("2d"));
    c.font = `${m.weight ?? 400} ${m.size}px ${m.code ? s.palette.fonts.code : s.palette.fonts.canvas}`;
    return c.measureText(m.text).width; })() }))))"""


def present(player, link, shape="window", size=(1920, 1080)):
    """Open a link that presents; return the player at rest."""
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    player.anew(f"/?{link}&stage={shape}").until("s.present.on && innerWidth === arg[0]", list(size))
    if "alpha.bound" in link:
        player.until("s.run.header.extras.bound && s.run.header.extras.readings")
    return player.rest()


def colour(player, x, y):
    """The levels of a pixel of the canvas."""
    return player.js("[...s.context.getImageData(arg[0], arg[1], 1, 1).data].slice(0, 3)", [x, y])


def texts(player):
    return json.loads(player.js(TEXTS))


def boxes(player):
    """What each text covers: its panel, its words and its box."""
    found = []
    for text in texts(player):
        left = text["x"] - {"left": 0, "center": text["width"] / 2, "right": text["width"]}[text["align"]]
        high = (0.4 if text["baseline"] == "middle" else 0.7) * text["size"]
        box = {"x": left + 1, "y": text["y"] - high, "w": text["width"] - 2, "h": 0.75 * text["size"]}
        found.append((text["panel"], text["text"], box))
    return found


# ---- type and shapes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("link", "shapes"), SHOWN)
def test_all_type_is_24_px_at_1080_and_none_is_cut_or_lies_over_another(player, link, shapes):
    present(player, link, shapes[0])
    for shape in shapes:
        if shape != shapes[0]:
            player.press("j").until("s.present.shape === arg", shape).rest()
        texts_shown = texts(player)
        assert len(texts_shown) > 8, shape
        assert [(one["panel"], one["text"]) for one in texts_shown if one["size"] < 24] == [], shape
        assert outside(player, slack=5) == [], shape
        if "pins" not in link:
            assert player.sentence == player.js("s.scenes().map.sentence"), shape
        covered = boxes(player)
        twice = [(a, b) for k, (_, a, p) in enumerate(covered) for _, b, q in covered[k + 1 :] if overlap(p, q)]
        assert twice == [], shape
        panels = player.js("Object.entries(s.layout.panels)")
        assert [(a, b) for k, (a, p) in enumerate(panels) for b, q in panels[k + 1 :] if overlap(p, q)] == [], shape


def test_type_grows_with_the_stage(player):
    for size, least in (((1280, 720), 16), ((1366, 768), 17), ((3840, 2160), 48)):
        present(player, DEFAULT, "16x9", size)
        assert min(one["size"] for one in texts(player)) == pytest.approx(least, abs=0.1)


def test_what_is_on_is_shown_as_far_as_it_fits_and_a_wide_stage_has_room_for_the_usual(player):
    present(player, "v=1&t=12&show=alpha.code.margins.own", "16x9")
    assert {"map", "words", "alpha", "margins", "code", "timeline"} == set(player.js("Object.keys(s.layout.panels)"))
    present(player, "v=1&learner=forgetron&t=40", "16x9")
    assert {"map", "words", "alpha", "margins", "own", "timeline"} == set(player.js("Object.keys(s.layout.panels)"))
    present(player, DEFAULT, "9x16")
    assert player.js("s.layout.without") == ["margins"]
    assert player.js("[...s.shown].sort()") == ["alpha", "margins", "own"]


def test_the_sentence_and_the_counter_are_those_of_the_board(player):
    before = player.open(f"/?{DEFAULT}").sentence, player.counter
    present(player, DEFAULT, "16x9")
    assert (player.sentence, player.counter) == before


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


def test_the_ground_of_the_stage_is_opaque_paper(player):
    for scheme, paper in (("light", [255, 255, 255]), ("dark", [18, 22, 29])):
        present(player.wear(color_scheme=scheme), DEFAULT, "16x9", (1366, 768))
        alpha = player.js(
            "Array.from(s.context.getImageData(0, 0, s.canvas.width, 12).data).filter((v, k) => k % 4 === 3)"
        )
        assert set(alpha) == {255}
        assert colour(player, 2, 2) == paper


# ---- nothing else --------------------------------------------------------------------------------------------------

UNDER = """() => [[2, 2], [innerWidth - 3, 2], [innerWidth / 2, 20], [2, innerHeight - 3],
  [innerWidth - 3, innerHeight - 3]].map(([x, y]) => {
    const host = document.elementFromPoint(x, y);
    const inner = host.shadowRoot?.elementFromPoint(x, y);
    return Boolean(inner?.closest(".kpviz"));
  })"""


def test_w_fills_the_screen_with_the_stage_alone_and_w_ends_it(player):
    before = player.open(f"/?{DEFAULT}").js("Object.keys(s.layout.panels).length")
    player.press("w").until("s.present.full && document.fullscreenElement !== null").rest()
    assert player.js("[s.board.width, s.layout.height]") == [1366, 768]
    assert not player.page.locator(".kpviz .bar").is_visible()
    assert player.page.evaluate(UNDER) == [True] * 5
    player.press("w").until("!s.present.on && document.fullscreenElement === null").rest()
    assert player.page.locator(".kpviz .bar").is_visible()
    assert player.js("Object.keys(s.layout.panels).length") == before
    player.until("Math.abs(r.getBoundingClientRect().bottom - innerHeight) < 15")


def test_where_full_screen_is_refused_it_covers_the_window_and_esc_ends_it(player):
    player.open(f"/?{DEFAULT}").js("(() => { r.requestFullscreen = () => Promise.reject(new TypeError()); })()")
    player.press("w").until("s.present.on").rest()
    assert player.page.evaluate("document.fullscreenElement") is None
    assert player.page.evaluate(UNDER) == [True] * 5
    player.press("h").press("Escape")
    assert player.js("[s.present.on, s.controls.open]") == [True, False]
    player.press("Escape").until("!s.present.on").rest()
    assert player.page.evaluate(UNDER)[:2] == [False] * 2


def test_leaving_the_full_screen_by_the_browser_ends_it_and_v_does_not(player):
    player.open(f"/?{DEFAULT}").press("w").until("s.present.full")
    player.press("v").until("document.fullscreenElement === null && !s.present.full").rest()
    assert player.js("s.present.on")
    player.press("v").until("s.present.full")
    player.page.evaluate("document.exitFullscreen()")
    player.until("!s.present.on")


def test_the_button_and_the_menu_present_too(player):
    player.open(f"/?{DEFAULT}").button("present").click()
    player.until("s.present.full").press("w").until("!s.present.on && document.fullscreenElement === null").rest()
    player.press("h").page.locator(".kpviz .menu.panels [data-do=shape-1x1]").click()
    player.until("s.present.on && s.present.shape === '1x1'").rest()
    assert player.js("s.board.width === s.layout.height")


def test_the_menu_offers_each_shape_that_a_link_may_name(player):
    names = player.open().js("[...r.querySelectorAll('[data-do^=shape-]')].map((e) => e.dataset.do.slice(6))")
    assert names == list(STAGES)


def test_a_finger_finds_a_way_out(player_with):
    player = present(player_with(has_touch=True, is_mobile=True), DEFAULT, "9x16", (390, 844))
    player.page.touchscreen.tap(*player.at(100, 300))
    player.page.locator(".kpviz .leave").tap()
    player.until("!s.present.on").rest()


# ---- links and reloads ---------------------------------------------------------------------------------------------


def test_a_link_presents_and_a_reload_comes_back_to_the_same_step(player):
    present(player, "v=1&data=moons&t=4", "4x3", (1366, 768))
    player.press("ArrowRight", "ArrowRight").rest().reload()
    assert player.js("[s.present.on, s.present.shape, s.t]") == [True, "4x3", 6]
    player.page.wait_for_url("**stage=4x3**")
    player.press("Escape").until("!s.present.on").rest()
    player.page.wait_for_function("!location.search.includes('stage')")
    assert not player.reload().js("s.present.on")


def test_a_reload_of_a_full_screen_is_full_again_at_the_next_key(player):
    player.open(f"/?{DEFAULT}").press("w").until("s.present.full").rest()
    player.page.wait_for_url("**stage=window**")
    player.reload()
    assert player.js("s.present.on")
    player.press("ArrowRight").until("document.fullscreenElement !== null").rest()
    assert player.t == 13


def test_a_link_with_a_shape_that_is_not_known_opens_as_usual(player):
    player.open(f"/?{DEFAULT}&stage=round")
    assert not player.js("s.present.on")


# ---- the clicker and the keys --------------------------------------------------------------------------------------


def test_keys_that_change_data_or_settings_are_off(player):
    present(player, DEFAULT, "16x9", (1366, 768))
    sent = player.js("s.session.socket.n")
    for key in OFF:
        player.js("(() => { s.controls.statusLine.textContent = ''; })()")
        player.press(key)
        assert player.js("s.controls.statusLine.textContent") == "Off while presenting: W ends it.", key
    assert player.js("[s.session.socket.n, s.editing.on, s.dock.open !== null]") == [sent, False, False]
    player.press("Escape").until("!s.present.on").press("k").until("s.session.socket.n > arg", sent).settle()


def test_presenting_ends_editing(player):
    player.open().edit().press("w").until("s.present.on && !s.editing.on")


def test_a_blank_stage_comes_back_with_any_key_which_does_nothing_else(player):
    present(player, DEFAULT, "16x9", (1366, 768))
    for t, key in ((12, "."), (13, "b")):
        shown = player.picture()
        player.press(key).rest()
        assert len({tuple(pixel) for row in player.pixels()[::40, ::40] for pixel in row}) == 1, key
        player.press("ArrowRight").rest()
        assert player.t == t, key
        assert player.picture() == shown, key
        player.press("ArrowRight").rest()
        assert player.t == t + 1, key


def test_page_keys_go_from_mistake_to_mistake_without_cues(player):
    present(player, "v=1", "16x9", (1366, 768))
    steps = []
    for key in ("PageDown", "PageDown", "PageDown", "PageDown", "PageUp"):
        player.press(key)
        steps.append(player.t)
    assert steps == [*player.js("[...s.run.trace.mistakeSteps].slice(0, 4).map((step) => step + 1)"), steps[2]]


def test_the_clicker_plays_on_to_the_next_cue_jumps_there_and_comes_back(player):
    player.open(f"{LECTURE}&stage=16x9").until("s.present.on").rest()
    first, second, end = player.js("s.cues.placed.map((cue) => cue.t).slice(1)")
    assert player.sentence == "Hello, class."
    player.press("PageDown").until("s.clock.playing || s.t > 0").until("!s.clock.playing").rest()
    assert player.t == first
    player.press("PageDown").until("s.clock.playing")
    player.press("PageDown").rest()
    assert (player.t, player.js("s.clock.playing")) == (second, False)
    player.press("PageDown", "PageDown").rest()
    assert player.t == end
    for t in (second, first, 0, 0):
        player.press("PageUp").rest()
        assert player.t == t


# ---- cues, presenting or not ---------------------------------------------------------------------------------------


def test_playing_holds_at_each_cue_until_space(player):
    player.open(LECTURE).js("s.faster(8)")
    for cue in player.js("s.cues.placed.map((cue) => cue.t).slice(1)"):
        player.press(" ").until("s.t > 0 && !s.clock.playing").rest()
        assert player.t == cue
    player.press(" ").rest()
    assert player.t == 0  # the cue at the start holds when it begins anew


def test_a_cue_is_said_to_who_listens(player):
    t = player.open(LECTURE).js("s.cues.placed[1].t")
    player.go(t)
    assert player.sentence == "Look where the boundary goes."
    assert player.js("s.controls.live.textContent") == "Look where the boundary goes."


# ---- the light -----------------------------------------------------------------------------------------------------


def brightness(player, x, y):
    ratio = player.js("s.size.ratio")
    return sum(colour(player, round(x * ratio), round(y * ratio))) / 3


def test_the_light_dims_all_but_a_disc_that_follows_the_pointer_and_the_wheel_sizes(player):
    present(player, DEFAULT, "16x9", (1366, 768))
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


def test_holding_the_button_is_a_light_while_it_is_held(player):
    present(player, DEFAULT, "16x9", (1366, 768))
    player.hold(player.on_map(0.3, 0.7)).until("s.present.spotlight.on").rest()
    assert player.marks("over")[0]["name"] == "spotlight"
    player.page.mouse.up()
    player.until("!s.present.spotlight.on").rest()
    assert player.marks("over") == []


def test_a_pointer_at_rest_hides_and_its_tip_goes_with_the_next_key(player):
    present(player, DEFAULT, "16x9", (1366, 768))
    player.point(*player.on_map(0.5, 0.5))
    assert player.tip != []
    player.until("getComputedStyle(s.canvas).cursor === 'none'")
    player.press("ArrowRight").rest()
    assert player.tip == []
    player.point(*player.on_map(0.4, 0.5))
    assert player.js("getComputedStyle(s.canvas).cursor") != "none"
