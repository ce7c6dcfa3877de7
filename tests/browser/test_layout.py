"""Where things lie: nothing scrolls on a usual screen, no word is cut off, and a narrow window still works."""

import pytest
from driver import MODULES

LOWEST = (1366, 640)
SIZES = [(1366, 768), (1920, 1080), (1024, 768), LOWEST]
STATES = [  # link, and keys that bring up the most words
    ("v=1", []),
    ("v=1&t=100&show=alpha.bound.code.lines.margins.normed", []),
    ("v=1&kernel=linear&intercept=unit&t=3000&show=alpha.bound.code.margins", []),
    ("v=1&n=500&noise=0.3&flipped=0.2&epochs=20&held=0.2&t=4000&order=shuffled", []),
    ("v=1&data=breast_cancer&kernel=sigmoid&epochs=10&held=0.2&t=50&show=none", ["q"]),
    ("v=1&t=40&show=alpha.code.margins", ["q", "ArrowRight"]),
]
# Texts that lie outside their panel or the canvas by more than arg px: [panel, text, how far].
OUTSIDE = """(() => {
  const { width: w, height: h, panels } = s.board, { fonts } = s.palette;
  const context = document.createElement("canvas").getContext("2d");
  const over = (rect, { text, size, weight, code, x, y, align = "left", baseline }) => {
    context.font = `${weight ?? 400} ${size}px ${code ? fonts.code : fonts.canvas}`;
    const { width } = context.measureText(text);
    const left = x - { left: 0, center: width / 2, right: width }[align];
    const [high, low] = baseline === "middle" ? [0.5 * size, 0.5 * size] : [0.75 * size, 0.2 * size];
    return Math.max(...[rect, { x: 0, y: 0, w, h }].filter(Boolean).flatMap((box) =>
      [box.x - left, left + width - box.x - box.w, box.y - y + high, y + low - box.y - box.h]));
  };
  const texts = (panel) => panel.marks.filter(({ kind }) => kind === "text");
  return panels.flatMap((panel) => texts(panel).map((mark) => [panel.name, mark.text, over(panel.rect, mark)]))
    .filter(([, , far]) => !(far <= arg));
})()"""


def scrolled(player):
    return player.page.evaluate("""() => {
        const e = document.documentElement, main = document.querySelector(".stMain");
        return [e.scrollHeight > innerHeight, e.scrollWidth > innerWidth, main.scrollHeight > main.clientHeight,
                main.scrollWidth > main.clientWidth];
    }""")


def outside(player, slack=3):
    """Texts that lie outside their panel or the canvas: [panel, text, how far]."""
    return player.js(OUTSIDE, slack)


def test_nothing_scrolls_nothing_overlaps_and_every_word_is_inside_its_panel(player):
    for k, (link, keys) in enumerate(STATES):
        player.anew(f"/?{link}").press(*keys).rest()
        if "bound" in link:
            player.until("s.run.header.extras.bound").rest()
        for width, height in (SIZES[k % 3], LOWEST):
            resize(player, width, height)
            assert scrolled(player) == [False] * 4, (link, width, height)
            assert outside(player) == [], (link, width, height)
            panels = player.js("Object.entries(s.layout.panels)")
            assert all(rect["w"] > 40 and rect["h"] > 40 for _, rect in panels), (link, width, height)
            assert [(a, b) for k, (a, p) in enumerate(panels) for b, q in panels[k + 1 :] if overlap(p, q)] == []
            assert height - 14 <= player.js("r.getBoundingClientRect().bottom") <= height


@pytest.mark.in_app
def test_nothing_scrolls_with_the_app_round_it(player):
    player.open()
    for width, height in SIZES:
        resize(player, width, height)
        assert scrolled(player) == [False] * 4, (width, height)


def resize(player, width, height):
    player.page.set_viewport_size({"width": width, "height": height})
    player.until("innerWidth === arg[0] && innerHeight === arg[1] && s.board.width === r.clientWidth", [width, height])
    if width > 960:  # in a narrow window the page scrolls
        player.until("Math.abs(r.getBoundingClientRect().bottom - innerHeight) < 15")
    return player.rest()


def overlap(p, q):
    across = min(p["x"] + p["w"], q["x"] + q["w"]) - max(p["x"], q["x"])
    down = min(p["y"] + p["h"], q["y"] + q["h"]) - max(p["y"], q["y"])
    return across > 0 and down > 0


def test_the_dark_theme_lies_as_the_light_one(player):
    player.wear(color_scheme="dark").open(f"/?{STATES[1][0]}")
    player.until("s.run.header.extras.bound").rest()
    assert player.js("s.palette.dark")
    for width, height in SIZES:
        resize(player, width, height)
        assert scrolled(player) == [False] * 4
        assert outside(player) == []


def test_the_map_is_about_as_large_as_promised(player):
    player.open()
    for height, side in ((768, 560), (640, 440)):
        resize(player, 1366, height)
        assert player.js("s.layout.panels.map.w") >= side


@pytest.mark.parametrize("width", [390, 800])
def test_a_narrow_window_shows_map_player_and_tabs_in_this_order(player, width):
    player.wear(width, 844).open("/?v=1&t=30&show=alpha.code.margins")
    rows = [
        player.js("s.layout.panels.map.y + s.layout.panels.map.h"),
        player.js("s.layout.bar.y"),
        player.js("s.layout.tabs.y"),
        player.js("s.layout.panels[s.tab].y"),
    ]
    assert rows == sorted(rows)
    assert player.page.evaluate("document.querySelector('.stMain').scrollWidth <= innerWidth")
    for name, panel in (("Weights", "alpha"), ("Margins", "margins"), ("Rule", "code"), ("Step", "words")):
        player.page.locator(".kpviz .tabs").get_by_text(name, exact=True).click()
        player.until("s.tab === arg && s.board.panels.some((p) => p.name === arg)", panel).rest()
        assert outside(player) == [], panel
        names = player.js("s.board.panels.map((p) => p.name)")
        assert {"map", "timeline", panel} == set(names)
    buttons = player.js(
        "[...r.querySelectorAll('.bar button, .bar input, .tabs button')].map((e) => {"
        " const b = e.getBoundingClientRect(); return [b.left, b.right, b.width]; })"
    )
    assert all(left >= -1 and right <= width + 1 for left, right, wide in buttons if wide)


@pytest.mark.parametrize("size", [(900, 560), (844, 390), (640, 480), (500, 300)])
def test_a_low_window_shows_the_map_beside_its_panel_and_the_buttons_in_view(player, size):
    width, height = size
    player.wear(width, height).open("/?v=1&t=30")
    map_, words, tabs = (player.js(f"s.layout.{name}") for name in ("panels.map", "panels.words", "tabs"))
    assert map_["x"] + map_["w"] <= min(words["x"], tabs["x"])
    assert words["x"] + words["w"] <= width
    assert map_["w"] == map_["h"] >= height / 2
    assert outside(player) == []
    for name in ("play", "next-example", "next-mistake"):
        box = player.button(name).bounding_box()
        assert 0 <= box["y"] <= height - box["height"]
        assert 0 <= box["x"] <= width - box["width"]
    player.page.locator(".kpviz .tabs").get_by_text("Margins", exact=True).click()
    player.until("s.board.panels.some((p) => p.name === 'margins')").rest()
    assert outside(player) == []


def test_the_buttons_stay_in_view_while_a_low_page_is_scrolled(player):
    player.wear(500, 300).open("/?v=1&t=30")
    for top in (0, 60, 9999):
        player.js("r.getRootNode().host.closest('.stMain').scrollTo(0, arg)", top)
        player.page.wait_for_timeout(50)
        box = player.button("play").bounding_box()
        assert 0 <= box["y"] <= 300 - box["height"]


def test_a_sentence_breaks_between_words_and_never_before_the_dot_of_a_kernel(player):
    player.open()
    text = "f(x₁₁) = −0.05: a mistake. We add y·k(x₁₁, ·), then y·k(x₂, ·): mistake 1 on it."
    script = """async ([base, text, widths, fonts]) => {
      const { wrap } = await import(base + "model/measure.js");
      return widths.map((width) => wrap(text, width, 16, fonts));
    }"""
    widths = list(range(40, 700, 3))
    broken = player.page.evaluate(script, [player.base + MODULES, text, widths, player.js("s.palette.fonts")])
    assert [lines for lines in broken if " ".join(lines) != text] == []
    assert [lines for lines in broken if any(line.startswith("·") for line in lines)] == []
    assert len({len(lines) for lines in broken}) > 8


def test_the_tip_stays_on_the_canvas(player):
    player.open("/?v=1&t=900&noise=0.2&epochs=20")
    rect = player.js("s.layout.panels.map")
    for across, down in ((0.02, 0.98), (0.98, 0.98), (0.98, 0.15), (0.5, 0.5)):
        player.point(rect["x"] + across * rect["w"], rect["y"] + down * rect["h"])
        (box,) = player.marks("tip", kind="rect")
        width, height = player.js("[s.board.width, s.board.height]")
        assert box["x"] >= 0
        assert box["x"] + box["w"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["h"] <= height
        assert outside(player) == []


def test_the_bar_shows_every_button_on_a_wide_screen(player):
    player.open()
    boxes = player.js(
        "[...r.querySelectorAll('.bar button:not(.more)')].map((e) => [e.title, e.getBoundingClientRect().toJSON()])"
    )
    assert len(boxes) >= 16
    for title, box in boxes:
        assert box["width"] >= 30, title
        assert box["left"] >= 0, title
        assert box["right"] <= 1366, title
        assert box["bottom"] <= 768, title


def test_the_help_fits_or_scrolls_within_itself(player):
    player.open().press("?")
    box = player.page.locator(".kpviz .menu.help").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 768
    assert scrolled(player) == [False] * 4


# ---- more panels than there is room for -----------------------------------------------------------------------------

MANY = "/?v=1&n=30&t=45&show=alpha.bound.code.gram.lift.margins.norm.primal.readings.remembered.sequence"


def test_panels_that_have_no_room_on_one_page_are_turned_by_key_and_by_button(player):
    player.wear(1366, 768).open(MANY)
    pages = player.js("s.layout.pages")
    assert len(pages) > 1
    control = player.page.get_by_role("group", name="Pages of panels")
    assert control.locator("output").inner_text() == f"1 / {len(pages)}"
    player.press("0").rest()
    assert control.locator("output").inner_text() == f"2 / {len(pages)}"
    assert set(pages[1]) <= set(player.js("s.board.panels.map(({ name }) => name)"))
    player.press("9").rest()
    control.get_by_role("button", name="Previous").click()
    assert control.locator("output").inner_text() == f"{len(pages)} / {len(pages)}"
    box = control.bounding_box()
    assert all(each.bounding_box()["height"] >= 24 for each in control.get_by_role("button").all())
    assert box["x"] >= player.js("s.layout.panels.map.w")
    player.open("/?v=1")
    assert not control.is_visible()


@pytest.mark.parametrize(("size", "keys"), [((1366, 768), []), ((1920, 1080), ["w"])])
def test_what_turns_pages_is_as_large_as_the_type_beside_it_and_lies_in_its_room(player, size, keys):
    player.wear(*size).open(MANY).press(*keys).rest()
    control = player.page.get_by_role("group", name="Pages of panels")
    unit, turn = player.js("[s.layout.unit, s.layout.turn]")
    for part in (control.locator("output"), control.get_by_role("button").first):
        assert float(part.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")) >= 12.5 * unit - 0.1
        assert part.bounding_box()["height"] <= turn["h"]
    assert outside(player) == []


def test_a_panel_that_is_switched_on_is_seen_on_whatever_page_it_is(player):
    player.wear(1366, 768).open(MANY)
    player.js("(s.actions.show('norm', false), s.actions.show('norm', true), 0)")
    player.rest()
    assert player.js("s.layout.panels.norm !== undefined")


def test_a_lecture_turns_the_same_pages(player):
    player.wear(1366, 768).open(MANY).press("w").rest()
    first = player.js("Object.keys(s.layout.panels)")
    player.press("0").rest()
    assert player.page.get_by_role("group", name="Pages of panels").locator("output").inner_text().startswith("2 / ")
    assert player.js("Object.keys(s.layout.panels)") != first


@pytest.mark.parametrize("width", [360, 390, 768])
def test_a_phone_shows_the_whole_name_of_each_page(player, width):
    player.wear(width, 844).open("/?v=1&t=30")
    links = player.page.locator(".chips nav a")
    assert links.count() == 3
    cut = "(a) => a.scrollWidth > a.clientWidth + 1 || a.getBoundingClientRect().right > innerWidth"
    assert not any(link.evaluate(cut) for link in links.all())


@pytest.mark.parametrize("name", ["probability", "averaged"])
def test_the_kernel_s_chip_says_its_width_where_the_line_of_chips_is_full(player, name):
    player.wear(1366, 768).open(f"/?compare={name}")
    chip = player.page.locator('.chips .chip[data-group="kernel"] span')
    assert chip.inner_text() == "Gaussian, σ = 0.5"
    assert chip.evaluate("(e) => e.scrollWidth <= e.clientWidth")


@pytest.mark.parametrize(
    "kernel", ["formula", "formula&formula=exp(-norm(u-v)**2)*(1%2Bdot(u,v))", "sigmoid", "gaussian"]
)
def test_a_long_formula_of_the_kernel_is_set_in_smaller_type(player, kernel):
    player.wear(1366, 768).open(f"/?v=1&kernel={kernel}").press("Shift+K")
    math = player.page.locator(".dock .math")
    math.wait_for()
    assert math.evaluate("(e) => [e.scrollWidth <= e.clientWidth, e.querySelector('math') !== null]") == [True, True]
    size = math.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")
    assert size == 16 if kernel in {"sigmoid", "gaussian"} else 10.5 <= size < 16


# ---- what is said until it is closed --------------------------------------------------------------------------------

WRONG = "foo=bar&kernel=nope&sigma=abc&degree=zz&epochs=many&eta=none&C=all"


def covered(player):
    """What a notice lies on: panels of the board, and buttons."""
    return player.js("""(() => {
      const { left, top } = r.querySelector("canvas").getBoundingClientRect();
      const panels = Object.entries(s.layout.panels).map(([name, { x, y, w, h }]) =>
        [name, { left: left + x, top: top + y, right: left + x + w, bottom: top + y + h }]);
      const buttons = [...r.querySelectorAll(".bar > *, .tabs > *, .tools > *, .pager > *, .chips *")]
        .map((e) => [e.outerHTML.slice(0, 60), e.getBoundingClientRect()]).filter(([, { width }]) => width !== 0);
      const shared = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
      const over = (a, b) => shared(a, b, "left", "right") > 1 && shared(a, b, "top", "bottom") > 1;
      return [...r.querySelectorAll(".notices p")].flatMap((e) =>
        [...panels, ...buttons].filter(([, box]) => over(box, e.getBoundingClientRect())).map(([name]) => name));
    })()""")


@pytest.mark.parametrize(
    ("size", "stage"),
    [
        ((1366, 768), ""),
        ((1920, 1080), "&pins=1&p1.kernel=linear"),
        ((1000, 700), "&stage=window"),
        ((1000, 700), ""),
        ((844, 390), "&pins=1&p1.kernel=linear"),
        ((390, 844), "&stage=window"),
        ((390, 844), ""),
    ],
)
def test_what_is_said_until_it_is_closed_covers_nothing_and_leaves_its_room_when_it_goes(player, size, stage):
    player.wear(*size).open(f"/?v=1&t=60{stage}")
    before = player.js("s.layout.panels")
    player.anew(f"/?v=1&t=60&{WRONG}{stage}")
    notice = player.page.locator(".notices p")
    notice.wait_for()
    player.rest()
    assert covered(player) == []
    assert outside(player) == []
    box = notice.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size[0]
    if size[0] > 900:
        assert scrolled(player) == [False] * 4
        assert box["y"] + box["height"] <= size[1]
    notice.get_by_role("button", name="Close").click()
    assert player.rest().js("s.layout.panels") == before


@pytest.mark.parametrize(
    ("size", "stage"),
    [
        ((1366, 768), "&stage=window"),
        ((1920, 1080), ""),
        ((900, 700), "&pins=1&p1.kernel=linear"),
        ((400, 800), ""),
        ((400, 800), "&stage=window"),
    ],
)
def test_what_is_said_while_no_server_answers_covers_nothing_and_leaves_its_room_when_one_does(player, size, stage):
    player.wear(*size).open(f"/?v=1&t=60{stage}").rest()
    before = player.js("s.layout.panels")
    player.js("(s.notices.patience = 0, s.away(true))")
    notice = player.page.locator(".notices p", has_text="No answer from kpviz’s server")
    notice.wait_for()
    player.rest()
    assert covered(player) == []
    assert outside(player) == []
    player.press("ArrowRight").rest()
    assert notice.is_visible()
    player.js("s.away(false)")
    assert player.rest().js("s.layout.panels") == before
