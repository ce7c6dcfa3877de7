"""Where things lie: nothing scrolls on a usual screen, nothing covers anything, and narrow and low
windows still work.

`tests/player/test_board_laws.py` and `test_stage.py` look at all that is on the canvas.
"""

import re

import pytest
from driver import SCROLLS
from windows import WINDOWS

LOWEST = (1366, 640)
SIZES = [(1366, 768), (1920, 1080), (1024, 768), LOWEST]
MANY = "/?v=1&n=30&t=45&show=alpha.bound.code.gram.lift.margins.norm.primal.readings.remembered.sequence"


def scrolled(player):
    return player.page.evaluate(f"""() => {{
        const e = document.documentElement, main = {SCROLLS};
        return [e.scrollHeight > innerHeight, e.scrollWidth > innerWidth, main.scrollHeight > main.clientHeight,
                main.scrollWidth > main.clientWidth];
    }}""")


def resize(player, width, height):
    player.page.set_viewport_size({"width": width, "height": height})
    player.until(
        "innerWidth === arg[0] && innerHeight === arg[1] && s.board.width === r.clientWidth",
        [width, height],
    )
    if width > 960:  # in a narrow window the page scrolls
        player.until("Math.abs(r.getBoundingClientRect().bottom - innerHeight) < 15")
    return player.rest()


def apart(one, other):
    """Whether two boxes, left, top, right and bottom, have nothing in common but a pixel."""
    across, down = (
        min(one[2], other[2]) - max(one[0], other[0]),
        min(one[3], other[3]) - max(one[1], other[1]),
    )
    return across <= 1 or down <= 1


def edges(player, css):
    """Left, top, right and bottom of all elements that are seen."""
    script = """[...r.getRootNode().querySelectorAll(arg)]
        .filter((e) => getComputedStyle(e.closest('.name') ?? e).clipPath === 'none')
        .map((e) => e.getBoundingClientRect())
        .filter(({ width }) => width).map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
    return player.js(script, css)


# ---- a usual screen ------------------------------------------------------------------------------


def fills_the_window(player, sizes):
    for width, height in sizes:
        resize(player, width, height)
        assert scrolled(player) == [False] * 4, (width, height)
        assert height - 14 <= player.js("r.getBoundingClientRect().bottom") <= height


@pytest.mark.in_app
def test_nothing_scrolls_with_the_app_round_it(player):
    fills_the_window(player.open(), SIZES)


def test_nothing_scrolls_and_the_bar_shows_every_button_with_many_words_and_panels(player):
    for k, link in enumerate(("t=100", "kernel=linear&intercept=unit&t=3000")):
        player.anew(f"/?v=1&{link}&show=alpha.bound.code.margins").until_extra("bound")
        fills_the_window(player, (SIZES[2 * k], LOWEST))
    player.wear(color_scheme="dark").anew(f"{MANY}")
    fills_the_window(player, SIZES[:2])
    player.open("/?v=1")
    found = edges(
        resize(player, 1366, 768),
        ".topbar :is(a:not(.skip), button), .bar :is(button, input[type=range])",
    )
    assert len(found) <= 20
    for left, _, right, bottom in found:
        assert right - left >= 30
        assert 0 <= left <= right <= 1366
        assert bottom <= 768
    assert all(apart(one, other) for k, one in enumerate(found) for other in found[k + 1 :])
    player.page.locator(".kpviz .bar .more").click()
    behind = edges(player, ".bar .popover :is(button, input)")
    assert len(behind) >= 9  # the epochs are in the row
    assert all(
        0 <= left <= right <= 1366 and 0 <= top <= bottom <= 768
        for left, top, right, bottom in behind
    )


def test_the_help_begins_with_what_one_sees_and_ten_keys_and_unfolds_the_others(player):
    player.open()
    for size in [(1366, 640), (1280, 720), (1920, 1080)]:
        resize(player, *size).press("?")
        left, top, right, bottom = player.box(".menu.help")
        assert 0 <= left <= right <= size[0]
        assert 0 <= top <= bottom <= size[1]
        high, whole = player.js(
            "(({ clientHeight: a, scrollHeight: b }) => [a, b])(r.querySelector('.menu.help'))"
        )
        assert whole <= high
        assert player.page.locator(".menu.help h2").first.inner_text() == "What you see"
        assert player.page.locator(".menu.help .keys dt:visible").count() == 10
        (close,) = edges(player, ".menu.help > .close")
        assert close[2] > right - 60
        assert close[3] < top + 60
        player.page.locator(".menu.help").evaluate(
            "(e) => e.querySelectorAll('details').forEach((d) => (d.open = true))"
        )
        assert not player.page.locator(".kpviz > .bar").is_visible()
        # What is unfolded begins at the top of the sheet, or the sheet has come to its end, which
        # is that of the words: a shade promises no more than there is. No title stands over it.
        for fold in player.page.locator(".menu.help details").all():
            fold.evaluate("(e) => e.scrollIntoView()")
            left_below = player.js(
                "((e) => e.scrollHeight - e.clientHeight - e.scrollTop)(r.querySelector('.menu.help'))"
            )
            assert abs(fold.bounding_box()["y"] - top) < 60 or left_below <= 1
            if left_below <= 1:
                *_, bottom = player.box(".menu.help")
                assert bottom - max(row[3] for row in edges(player, ".menu.help dd")) < 60
            for title in player.page.locator(".menu.help section > h2").all():
                place = title.bounding_box()
                assert place["y"] + place["height"] <= fold.bounding_box()["y"] + 1
        keys = player.js("[...r.querySelectorAll('.menu.help dt')].map((e) => e.textContent)")
        assert {"U / Shift U", "Shift N"} <= set(keys)
        terms, descriptions = edges(player, ".menu.help dt"), edges(player, ".menu.help dd")
        assert len(terms) == len(descriptions) == len(set(keys)) > 50
        for term, row in zip(terms, descriptions, strict=True):
            assert abs(term[1] - row[1]) < 2  # beside its key
            assert term[2] <= row[0]
        player.page.locator(".menu.help").evaluate(
            "(e) => e.querySelectorAll('details').forEach((d) => (d.open = false))"
        )
        player.press("Escape")


def test_panels_that_have_no_room_on_one_page_are_turned_by_key_and_by_button_before_a_class_too(
    player,
):
    player.open(MANY)
    pages, control = (
        player.js("s.layout.pages"),
        player.page.get_by_role("group", name="Pages of panels"),
    )

    def page():
        return control.locator("output").inner_text().replace("\u00a0", " ")

    assert len(pages) > 1
    assert page() == f"panels 1 / {len(pages)}"
    player.press("0").rest()
    assert page() == f"panels 2 / {len(pages)}"
    assert set(pages[1]) <= set(player.panels())
    player.press("9").rest()
    control.get_by_role("button", name="Previous").click()
    assert page() == f"panels {len(pages)} / {len(pages)}"
    player.js("(s.actions.show('norm', false), s.actions.show('norm', true), 0)")
    assert "norm" in player.rest().panels()  # what is switched on is seen
    for keys in ([], ["w"]):
        first = player.press(*keys).rest().panels()
        unit, turn = player.js("[s.layout.unit, s.layout.turn]")
        box = control.bounding_box()
        assert box["x"] >= player.panel("map")["w"]
        for part in (control.locator("output"), control.get_by_role("button").first):
            assert (
                float(part.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)"))
                >= 12.5 * unit - 0.1
            )
            assert part.bounding_box()["height"] <= turn["h"]
        assert all(
            each.bounding_box()["height"] >= 24 for each in control.get_by_role("button").all()
        )
        assert player.press("0").rest().panels() != first
    player.leave().open("/?v=1")
    assert not control.is_visible()


def test_settings_take_the_place_of_a_further_page_and_leave_it_as_it_was(player):
    player.wear(1100, 700).open(MANY)
    panels = player.press("0").rest().panels()
    for is_told in (False, True):
        if is_told:
            player.lose_connection()
        player.settings_button.click()
        places = player.rest().js("s.layout")
        assert places["dock"]["h"] > 200
        assert places["pages"] == [[]]
        player.settings_button.click()
        assert player.rest().panels() == panels


def test_formulas_have_their_room(player):
    for kernel, small in (
        ("formula&formula=exp(-norm(u-v)**2)*(1%2Bdot(u,v))", True),
        ("gaussian", False),
    ):
        math = player.anew(f"/?v=1&kernel={kernel}").press("Shift+K").page.locator(".dock .math")
        math.wait_for()
        fits = "(e) => [e.scrollWidth <= e.clientWidth, e.querySelector('math') !== null]"
        assert math.evaluate(fits) == [True, True]
        size = math.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")
        assert 10.5 <= size <= 16 if small else size == 16


# ---- narrow and low windows ----------------------------------------------------------------------


def test_in_a_narrow_window_map_words_buttons_and_panels_follow_each_other_and_lie_on_nothing(
    player,
):
    player.wear(390, 844).open("/?v=1&t=30&show=alpha.code.margins")
    for width in (320, 375, 430, 700):  # 320: 1280 at 400 %
        resize(player, width, 844)
        map_, words, alpha = player.panel("map"), player.panel("words"), player.panel("alpha")
        bar, knob = player.js("[s.layout.bar, s.layout.knob]")
        rows = [
            *(edge for row in (map_, words, bar, knob) for edge in (row["y"], row["y"] + row["h"])),
            alpha["y"],
        ]
        assert rows == sorted(rows)
        assert player.js("s.canvas.getBoundingClientRect().top") + bar["y"] + bar["h"] <= 844
        assert {"map", "timeline", "words", "alpha", "code", "margins"} <= set(player.panels())
        found = edges(player, ".bar > *, .knob > *, .topbar :is(button, a:not(.skip))")
        assert all(apart(one, other) for k, one in enumerate(found) for other in found[k + 1 :])
        assert all(left >= 0 and right <= width for left, _, right, _ in found)
        assert player.page.evaluate(f"{SCROLLS}.scrollWidth <= innerWidth")
        sides = "[...r.querySelectorAll('button:not(.term)')].filter((e) => e.offsetWidth)"
        assert min(player.js(f"{sides}.map((e) => Math.min(e.offsetWidth, e.offsetHeight))")) >= 24
        cut = "(a) => a.scrollWidth > a.clientWidth + 1"
        assert not any(link.evaluate(cut) for link in player.page.locator(".topbar nav a").all())
    resize(player, 390, 664)
    top = player.js("s.canvas.getBoundingClientRect().top")
    # The sentence is seen.
    assert top + max(mark["y"] for mark in player.marks("words", kind="text")) < 664


def test_on_a_phone_the_other_pages_are_behind_the_name_of_this_one(player):
    player.wear(390, 844).open("/?v=1&t=30")
    here = player.page.locator(".topbar .here")
    assert here.inner_text() == "Board"
    assert edges(player, ".topbar nav a") == []
    here.click()
    links = edges(player, ".topbar nav a")
    assert len(links) == 5
    assert all(0 <= left <= right <= 390 for left, _, right, _ in links)
    player.press("Escape")
    assert edges(player, ".topbar nav a") == []


def test_what_is_set_is_told_in_whole_words_however_narrow_its_button_is(player):
    parts = """(said) => {
      const line = said.getBoundingClientRect();
      const seen = [...said.children].filter((part) => part.checkVisibility() && part.offsetTop < said.offsetTop + line.height / 2);
      return [seen.map((part) => part.textContent), seen.every((part) => part.getBoundingClientRect().right <= line.right + 1)];
    }"""
    for link, width, words in (
        ("/?v=1", 390, ["XOR", "· Gaussian"]),
        ("/?v=1&learner=forgetron", 390, ["XOR ·", "Forgetron"]),
        ("/?v=1&learner=svm", 390, ["Support vector machine"]),
        ("/?v=1&learner=svm&kernel=linear", 844, ["XOR ·", "Linear ·", "Support vector machine"]),
        ("/?v=1&data=breast_cancer", 390, ["Breast cancer", "· Gaussian"]),
        ("/?v=1", 844, ["XOR", "· Gaussian", "· Perceptron"]),
        (
            "/?compare=probability",
            1366,
            ["Moons ·", "Gaussian ·", "Logistic regression ·", "2 runs"],
        ),
    ):
        said = player.wear(width, 390 if width > 400 else 844).anew(link).page.locator(".set")
        assert said.evaluate(parts) == [words, True], link


def test_a_low_window_shows_the_map_beside_words_and_one_panel_and_the_buttons_in_view(player):
    for width, height in ((900, 540), (500, 300)):
        player.wear(width, height).anew("/?v=1&t=30")
        map_, words, alpha = player.panel("map"), player.panel("words"), player.panel("alpha")
        assert map_["x"] + map_["w"] <= min(words["x"], alpha["x"])
        assert words["x"] + words["w"] <= width
        assert map_["w"] == map_["h"] >= height / 2
        for top in (0, 60, 9999):  # of a page that is scrolled
            player.js(f"{SCROLLS}.scrollTo(0, arg)", top)
            player.rest()
            for name in ("play", "next-example", "next-mistake", "next-epoch"):
                left, high, right, low = player.box(f".bar [data-do={name}]")
                assert 0 <= high <= low <= height
                assert 0 <= left <= right <= width
        player.page.get_by_role("group", name="Pages of panels").get_by_role(
            "button", name="Next"
        ).click()
        player.until("s.board.panels.some((p) => p.name === 'margins')").rest()


def test_no_label_of_the_bar_is_wider_than_its_button_in_any_window(player):
    cut = """[...r.querySelectorAll('.bar > button, .bar .step button, .bar .more button')]
        .filter((e) => e.offsetWidth && e.scrollWidth > e.clientWidth + 1)
        .map((e) => e.textContent.trim())"""
    for link in ("/?v=1&t=12", "/?v=1&pins=1&p1.kernel=linear&t=12", "/fisher?v=1"):
        player.wear(1366, 768).open(link)
        for size in (*WINDOWS, (1600, 900), (1680, 1050), (1280, 1024)):
            player.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            player.rest().rest()
            assert (link, size, player.js(cut)) == (link, size, [])


def test_of_a_low_window_fishers_buttons_are_in_one_row_and_its_directions_behind_more(player):
    player.wear(320, 568).open("/fisher?v=1")  # 1280 at 400 %
    found = edges(player, ".bar > *")
    assert all(apart(one, other) for k, one in enumerate(found) for other in found[k + 1 :])
    assert all(0 <= left <= right <= 320 for left, _, right, _ in found)
    assert (
        player.js(
            "[...r.querySelectorAll('.bar > button')].filter((e) => e.scrollWidth > e.clientWidth "
            "+ 1)"
        )
        == []
    )
    player.page.get_by_role("button", name="More").click()
    player.page.get_by_role("button", name="The best direction (End)").click()
    player.rest()
    assert player.page.locator(".kpviz .bar .popover [data-do=best]").is_disabled()


def test_of_a_low_window_the_buttons_are_in_one_row_and_the_others_behind_more(player):
    player.wear(342, 192).open("/?v=1&t=12")  # 1366 × 768 at 400 %
    found = edges(player, ".bar > button, .bar .step, .bar .more")
    assert len(found) == 5
    assert max(top for _, top, _, _ in found) - min(top for _, top, _, _ in found) < 8
    assert all(0 <= left <= right <= 342 for left, _, right, _ in found)
    stood = """(() => {
      const one = r.getRootNode().activeElement, { x, y, width, height } = one.getBoundingClientRect();
      return one.contains(r.getRootNode().elementFromPoint(x + width / 2, y + height / 2)) && one.dataset.do;
    })()"""
    player.page.locator(".kpviz .bar .more").focus()
    found = [player.press("Enter").rest().js(stood)]
    while len(found) < 40 and (now := player.press("ArrowDown").rest().js(stood)) != found[0]:
        found.append(now)
    assert {"edit", "panels", "present", "help", "preferences", "back-epoch"} <= set(found)
    assert found.count(None) == 1  # the slider of the speed
    player.press("Escape")
    assert "more" in player.js("r.getRootNode().activeElement.className")
    assert not player.js("s.controls.open")


def test_on_a_phone_one_steps_while_settings_cover_the_rest_and_copies_and_answers_beside_the_map(
    player,
):
    player.wear(390, 844).open("/?v=1&t=12").press("Shift+K")
    sheet, bar = player.page.locator(".dock.sheet").bounding_box(), player.box(".bar")
    map_, top = player.panel("map"), player.js("s.canvas.getBoundingClientRect().top")
    assert top + map_["h"] - 1 <= bar[1] <= bar[3] <= sheet["y"] + 1
    player.button("next-example").click()
    assert player.t == 13
    player.press("Escape").click(100, 100)
    copy = player.page.get_by_role("button", name="Copy these numbers").bounding_box()
    assert copy["y"] + copy["height"] <= top + map_["h"]
    player.press("Escape", "q").rest()
    for kind, number in (("side", 2), ("margin", 4)):
        player.page.locator(f".kpviz [data-ask={kind}]").click()
        answers = edges(player.rest(), ".asking .answers button")
        assert len(answers) == number
        assert all(
            right - left >= 80 and bottom - top >= 44 for left, top, right, bottom in answers
        )
        assert all(left >= 0 and right <= 390 for left, _, right, _ in answers)
        assert player.box(".asking .where")[1] >= top + map_["h"] - 1
        assert player.box(".asking .question")[3] < 844


# ---- what lies over the canvas -------------------------------------------------------------------

WRONG = "foo=bar&kernel=nope&sigma=abc&degree=zz&epochs=many&eta=none&C=all"
PANELS = "Object.values(s.layout.panels).map(({ x, y, w, h }) => [x, y, w, h])"
WRITTEN = """(() => {
  const { fonts } = s.palette, measure = document.createElement("canvas").getContext("2d");
  const board = r.querySelector("canvas").getBoundingClientRect();
  return s.board.panels.flatMap(({ marks }) => marks).filter(({ kind, text }) => kind === "text" && text)
    .map(({ text, x, y, size, align, weight }) => {
      measure.font = `${weight ?? 400} ${size}px ${fonts.canvas}`;
      const w = measure.measureText(text).width;
      const left = board.left + x - { center: w / 2, right: w }[align] || board.left + x;
      return [left, board.top + y - 0.7 * size, left + w, board.top + y];
    });
})()"""


def covered(player):
    """What a notice lies on: panels of the board and what stands round its map, and buttons."""
    left, top = player.at(0, 0)
    panels = [(left + x, top + y, left + x + w, top + y + h) for x, y, w, h in player.js(PANELS)]
    found = [
        *panels,
        *edges(
            player, ".bar > *, .knob > *, .tools > *, .pager > *, .topbar :is(button, a:not(.skip))"
        ),
    ]
    return [
        box for notice in edges(player, ".notices p") for box in found if not apart(box, notice)
    ]


def fixed_places(layout):
    """Where that lies which no notice moves on a desk: the maps and what is about them, timeline,
    buttons, and of one run its words.
    """
    fixed = re.compile("map|strip|axis|gutter|caption|decide|words|timeline")
    panels = {name: place for name, place in layout["panels"].items() if fixed.match(name)}
    return {**panels, "bar": layout["bar"], "knob": layout["knob"]}


@pytest.mark.parametrize(
    ("size", "stage"),
    [
        ((1366, 768), ""),
        ((1920, 1080), "&pins=1&p1.kernel=linear"),
        ((1366, 768), "&pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.sigma=1"),
        ((1000, 700), "&stage=window"),
        ((844, 390), "&pins=1&p1.kernel=linear"),
        ((390, 844), ""),
    ],
)
def test_what_is_said_until_it_is_closed_covers_neither_panels_nor_words_nor_buttons(
    player, size, stage
):
    player.wear(*size).open(f"/?v=1&t=60{stage}")
    before = player.js("s.layout")
    player.lose_connection()
    notice = player.page.locator(".notices p", has_text="Connection lost")
    notice.wait_for()
    assert covered(player.rest()) == []
    # On a desk the first panels under it leave it room. So does all of a stage, and on a phone,
    # whose map may have scrolled away, all that is under it lies lower.
    is_desk = "stage" not in stage and size[0] > 400
    after = player.press("ArrowRight").rest().js("s.layout")
    assert (fixed_places(after) == fixed_places(before)) == is_desk
    assert notice.is_visible()
    assert player.find_connection().rest().js("s.layout") == before
    player.anew(f"/?v=1&t=60&{WRONG}{stage}")
    player.notices.wait_for()
    assert covered(player.rest()) == []
    left, _, right, bottom = player.box(".notices p")
    assert 0 <= left <= right <= size[0]
    if size[0] > 900:
        assert scrolled(player) == [False] * 4
        assert bottom <= size[1]
    player.notices.get_by_role("button", name="Close").click()
    assert player.rest().js("s.layout") == before


DIALOGS = {
    ".menu.preferences": ",",
    ".menu.cue": "u",
    ".menu.help": "?",
    ".menu.chooser": "h",
    ".dialog.export": "a",
}


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (2560, 1440)])
def test_the_box_of_a_cue_fills_the_column_from_its_first_panel_to_the_buttons(player, size):
    player.wear(*size).open("/?v=1&t=12").press("u")
    left, top, right, bottom = player.box(".menu.cue")
    panel = player.panel("alpha")
    x, y = player.at(0, 0)
    assert (left, right) == pytest.approx((x + panel["x"], x + panel["x"] + panel["w"]), abs=2)
    assert top == pytest.approx(y + panel["y"], abs=3)
    assert player.box(".bar")[1] - 12 <= bottom <= player.box(".bar")[1] + 1


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (2560, 1440)])
def test_the_preferences_are_as_wide_as_the_column_that_they_lie_on(player, size):
    player.wear(*size).open("/?v=1&t=12").press(",")
    left, _, right, _ = player.box(".menu.preferences")
    panel = player.panel("alpha")
    x, _ = player.at(0, 0)
    assert left <= x + panel["x"] + 2
    assert right == pytest.approx(x + panel["x"] + panel["w"], abs=2)


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (2560, 1440), (390, 844)])
def test_the_words_of_a_dialog_are_as_large_as_those_of_the_settings(player, size):
    player.wear(*size).open("/?v=1&t=12")
    sizes = {}
    for dialog, key in DIALOGS.items():
        found = player.press(key).page.locator(dialog)
        sizes[dialog] = found.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")
        texts = found.evaluate("""(e) => [...e.querySelectorAll("*")]
            .filter((one) => one.checkVisibility() && [...one.childNodes].some(
              ({ nodeType, textContent }) => nodeType === 3 && textContent.trim()))
            .map((one) => parseFloat(getComputedStyle(one).fontSize))""")
        assert min(texts) >= 0.85 * sizes[dialog], dialog
        player.press("Escape")
    player.settings_button.click()
    words = player.page.locator(".dock .label").first
    settings = words.evaluate("(e) => parseFloat(getComputedStyle(e).fontSize)")
    assert sizes == dict.fromkeys(DIALOGS, settings)


# What one can press or turn, dotted words apart, and how many of these there are.
# The name at the head is a link on every page, and looks like the name it is: it is none of the twenty.
CONTROLS = """(() => {
  const isSeen = (e) => e.offsetWidth > 2 && e.checkVisibility() && !getComputedStyle(e).clipPath.includes("50%");
  const all = [...r.getRootNode().querySelectorAll("button, a, input, select, summary, [role=button]")];
  const isTerm = (e) => e.matches(".term");
  return [all.filter((e) => isSeen(e) && !isTerm(e) && !e.closest(".name")).map((e) => e.ariaLabel ?? e.textContent), all.filter((e) => isSeen(e) && isTerm(e)).length];
})()"""


def test_an_opened_link_has_twenty_controls_and_ten_dotted_words_at_most(player):
    pinned = "v=1&pins=3&p1.kernel=linear&p2.kernel=polynomial&p3.learner=svm&t=60"
    steps = ("v=1", "v=1&t=12", "v=1&t=99999", "v=1&kernel=linear&t=99999", "v=1&data=texts&t=30")
    many = "v=1&t=45&held=0.3&show=alpha.bound.gram.margins.norm.readings"
    for link in (*steps, many, pinned, "v=1&learner=forgetron&t=60&show=own.alpha"):
        controls, dotted = player.anew(f"/?{link}").rest().js(CONTROLS)
        assert 10 <= len(controls) <= 20, (link, controls)
        assert 1 <= dotted <= 10, link
    assert len(player.anew("/fisher?v=1").rest().js(CONTROLS)[0]) <= 20


RESCALED = [
    "data=circles&kernel=polynomial&t=40",
    "n=4&noise=0&kernel=polynomial&t=3",
    "compare=widths&t=9999",
]


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (844, 390), (390, 844)])
def test_the_button_that_rescales_lies_beside_the_map_and_on_no_word(player, size):
    for link in RESCALED[: 3 if size[0] > 900 else 2]:
        player.wear(*size).anew(f"/?v=1&{link}").page.locator(".kpviz .rescale").wait_for()
        button = player.rest().box(".rescale")
        across, down = player.at(0, 0)
        boxes = [
            (across + x, down + y, across + x + w, down + y + h)
            for x, y, w, h in player.js(
                "s.maps.map(({ view: { rect: { x, y, w, h } } }) => [x, y, w, h])"
            )
        ]
        for box in [*boxes, *player.js(WRITTEN)]:
            assert apart(button, box), (link, button, box)


def test_away_from_the_scale_the_button_says_what_it_rescales(player):
    for size, words in (((844, 390), "Rescale the colours"), ((1366, 768), "Rescale")):
        player.wear(*size).open("/?v=1&data=linear&kernel=linear&t=60&show=proof").rest()
        assert player.page.locator(".kpviz .rescale").inner_text() == words


def test_a_message_stands_clear_of_the_words_of_a_low_window(player):
    player.wear(844, 390).open("/?v=1&t=12").lose_connection()
    player.page.locator(".notices p", has_text="Connection lost").wait_for()
    left, top, *_ = player.rest().box(".notices p")
    above = [box[3] for box in player.js(WRITTEN) if box[0] > left and box[3] <= top + 1]
    assert top - max(above) >= 4


def test_what_is_said_for_a_moment_covers_no_word(player):
    for size in ((1366, 768), (1920, 1080)):
        player.wear(*size)
        for link in ("v=1&t=9999", "v=1&t=9999&stage=window", "compare=ties&t=9999&stage=window"):
            player.anew(f"/?{link}").js(
                "s.say('This run has 9,999 steps: here is its end.', { persist: true })"
            )
            box = player.rest().box(".status")
            assert 0 <= box[0] < box[2] <= size[0]
            for words in player.js(WRITTEN):
                assert (
                    words[1] >= box[3]
                    or words[3] <= box[1]
                    or words[0] >= box[2]
                    or words[2] <= box[0]
                ), words


def test_the_panels_to_choose_from_never_lie_on_the_map_and_every_target_is_large_enough(player):
    for width, height in ((1366, 768), (375, 667)):
        player.wear(width, height).anew("/?v=1&t=12").press("h")
        chooser, view, canvas = (
            player.box(".menu.panels"),
            player.panel("map"),
            player.box("canvas"),
        )
        assert (
            chooser[0] >= canvas[0] + view["x"] + view["w"]
            or chooser[1] >= canvas[1] + view["y"] + view["h"]
        )
        assert 0 <= chooser[0] <= chooser[2] <= width + 1
        assert chooser[3] <= height + 1
        rows = player.page.locator(".kpviz .menu.panels details[open] label.panel")
        assert (
            min(rows.evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().height)"))
            >= 24
        )


def test_advice_stands_under_what_is_said_of_compared_runs_and_not_on_a_map(player):
    player.open("/?v=1&kernel=linear&pins=1&p1.kernel=gaussian&t=3000").rest()
    player.page.get_by_role("button", name="Try a Gaussian kernel").wait_for()
    box, said = (
        player.page.get_by_role("button", name="Try a Gaussian kernel").bounding_box(),
        player.panel("sentences"),
    )
    left, top = player.at(said["x"], said["y"] + said["h"])
    assert left <= box["x"] <= box["x"] + box["width"] <= left + said["w"]
    assert (
        top <= box["y"] <= box["y"] + box["height"] <= player.at(0, player.panel("alpha-0")["y"])[1]
    )


def test_a_sentence_has_the_type_of_its_font_however_late_that_comes(player):
    def sizes():
        return [mark["size"] for mark in player.marks("words", name="sentence")]

    link = "/?v=1&learner=svm&t=60&show=own.alpha"
    arrived = "document.fonts.dispatchEvent(new Event('loadingdone'))"
    player.page.set_viewport_size({"width": 320, "height": 844})
    player.open(link)
    came_in_time = sizes()
    faces = player.page.evaluate_handle("[...document.fonts]")
    player.page.route("**/*.woff2*", lambda route: route.abort())
    player.page.evaluate(f"document.fonts.clear(), {arrived}")
    player.anew(link)
    player.page.unroute("**/*.woff2*")
    player.page.evaluate(
        f"(faces) => {{ for (const f of faces) document.fonts.add(f); {arrived} }}", faces
    )
    player.rest()
    player.errors.clear()  # that the files were not there
    assert sizes() == came_in_time != []


def test_the_names_on_the_board_are_hidden_while_a_list_is_open(player):
    player.open("/?v=1&t=25").rest()
    terms = "getComputedStyle(r.querySelector('.terms')).visibility"
    for button in (".kpviz .bar .more", ".topbar .does .opens"):
        assert player.js(terms) == "visible"
        player.page.locator(button).click()
        player.until(f"{terms} === 'hidden'")
        player.press("Escape").until(f"{terms} === 'visible'")


def test_notices_lie_over_an_open_sheet_of_settings(phone):
    phone.open("/?v=1")
    position = "getComputedStyle(r.querySelector('.notices')).position"
    assert phone.js(position) == "absolute"
    phone.show("kernel")
    phone.until(f"r.querySelector('.dock.sheet:not([hidden])') && {position} === 'fixed'")
