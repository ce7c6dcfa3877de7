"""For those who do not see the board, or use no pointer: what is said, the focus, the panels by
keyboard, colours.
"""

import itertools
import re

import pytest
from answering import TEXT, Lesson

from kpviz.lessons import verdict

# ---- without sight -------------------------------------------------------------------------------


def test_the_board_can_be_read_in_words_which_follow_steps_panels_and_questions(player):
    player.open("/?v=1&t=12&show=bound")
    region = player.page.get_by_role("region", name="The board in words")
    assert region.get_by_role("heading").all_text_contents()[0] == "The map"
    assert "12 of 60 examples, first epoch" in region.text_content()
    player.press("ArrowRight").rest()
    assert "13 of 60 examples, first epoch" in region.text_content()
    player.until("s.spoken.element.textContent.includes('At most 64 mistakes')")
    assert "At feature 2 = " in region.text_content()
    assert region.get_by_role("heading", name="Margins").count() == 1
    player.press("q").rest()
    for answers in range(6):  # At the first four the colours of f are seen; no number is ever told.
        assert player.js("s.standing.question.answers.size") == answers
        assert ("At feature 2 = " in region.text_content()) == (answers < 4)
        assert region.get_by_role("heading", name="Margins").count() == 0
        player.press("ArrowLeft").rest().press("ArrowRight").rest()


def test_each_change_is_said_once_before_the_sentence(player):
    sentence = player.open("/?v=1&t=12").spoken
    assert player.press("g").until_set("sigma").spoken.startswith("Now: Gaussian, σ = ")
    player.press("ArrowRight").rest()
    assert not player.spoken.startswith("Now")
    assert player.spoken != sentence
    assert player.press("e").rest().spoken.startswith("Now: k(x, ·) shown")
    player.js("s.actions.show('alpha', false)")
    assert player.rest().spoken.startswith("Now: Weights hidden")
    assert player.press("n").until_set("seed").spoken.startswith("Now: Data seed ")
    assert player.press("p").until_pinned(1).spoken.startswith("Now: 1 run pinned beside this one")
    assert player.press("f").spoken == "10 examples a second"  # as the bar has it
    assert player.press("m").spoken == "Slow motion"
    assert player.press("m").spoken.endswith(" examples a second")
    assert player.press("Shift+I").said.startswith("Not started")


def test_while_it_plays_fast_it_says_where_it_is_every_two_seconds_at_most(player):
    player.open("/?v=1").pace(60).js("""(() => {
      window.heard = [];
      const live = r.querySelector(".live");
      new MutationObserver(() => heard.push([performance.now(), live.textContent])).observe(live, { childList: true });
    })()""")
    player.press(" ").until("s.t === s.run.nSteps && !s.clock.playing").rest()
    heard = player.page.evaluate("heard")
    while_playing = [(when, words) for when, words in heard if " of 60 examples, " in words]
    assert while_playing
    assert all(
        after - before >= 1990 for (before, _), (after, _) in itertools.pairwise(while_playing)
    )
    assert len(heard) <= len(while_playing) + 2


# ---- the focus -----------------------------------------------------------------------------------


def test_keys_of_one_character_can_be_turned_off_for_good(player):
    box = player.open("/?v=1&t=3").press(",").page.get_by_role("checkbox", name="Single keys")
    box.uncheck()
    assert player.press("Escape", "m", "?", "ArrowRight").t == 4
    assert not player.js("s.clock.slow || s.controls.open")
    assert not player.reload().press("m").js("s.clock.slow")
    player.more("preferences")
    box.check()
    assert player.press("Escape", "m").js("s.clock.slow")


def test_page_down_stays_with_texts_and_dialogs(player):
    player.open("/?v=1&t=3").press("u")
    player.page.locator(".menu.cue textarea").first.focus()
    assert player.press("PageDown").t == 3
    player.press("Escape")
    player.page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<div role=dialog tabindex=0>text</div>')"
    )
    player.page.locator("body > [role=dialog]").focus()
    assert player.press("PageDown", "PageUp", "End").t == 3


def test_menus_say_whether_they_are_open_and_what_the_help_covers_is_not_stopped_at(player):
    player.open()
    for name, key in (("panels", "h"), ("preferences", ","), ("help", "?")):
        assert player.button(name).get_attribute("aria-expanded") == "false"
        assert player.press(key).button(name).get_attribute("aria-expanded") == "true"
        player.press("Escape")
    beneath = """(() => {
      const active = r.getRootNode().activeElement, help = r.querySelector(".menu.help");
      const one = active === document.body ? null : active;
      const a = one?.getBoundingClientRect(), b = help.getBoundingClientRect();
      const apart = a && (a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom);
      return a && !apart && !help.contains(one) && one !== help ? one.outerHTML.slice(0, 80) : null;
    })()"""
    for key, times in (("Tab", 12), ("Shift+Tab", 40)):
        player.press("?")
        for _ in range(times):
            assert player.press(key).js(beneath) is None
        player.press("Escape")
    assert not player.js("r.querySelector('canvas').inert")


def test_tab_comes_from_the_line_above_to_the_lesson_and_then_to_the_board(player):
    Lesson(player.open("/?v=1")).read(TEXT)
    player.page.locator(".topbar [data-do=help]").focus()
    inside = "r.querySelector('.lesson').contains(r.getRootNode().activeElement)"
    assert player.press("Tab").js(inside)
    while player.press("Tab").js(inside):
        pass
    assert player.on_board()


# ---- the board and its panels by keyboard --------------------------------------------------------

LINK = "/?v=1&t=60&show=alpha.margins.gram.sequence"
STOPS = {  # what the stop of each panel is called
    "alpha": "Weight of each example",
    "margins": "margins",
    "gram": "Gram matrix",
    "sequence": "order",
    "timeline": "timeline",
}
ELSEWHERE = {
    "votes": "/?v=1&t=60&show=alpha.readings",
    "lift": "/?v=1&data=circles&kernel=monomial&degree=2&n=30&t=20&show=lift",
    "curve": "/?v=1&n=20&epochs=3&t=20&show=curve",
    "remembered": "/?v=1&n=30&t=60&show=remembered",
    "primal": "/?v=1&data=linear&kernel=linear&t=20&show=primal",
}
THERE = (
    "s.objects.stops.has(arg) && (arg !== 'curve' || s.player.curve.answered === "
    "s.player.curve.key)"
)


def to_board(player):
    """Give the board the focus as the Tab key does: it stands before the panels and the buttons."""
    player.button("play").focus()
    while not player.on_board():
        player.press("Shift+Tab")
    return player.rest()


def stop(player, name):
    """Give a panel the focus."""
    player.js("s.objects.stops.get(arg).focus()", name)
    return player


def lines(player):
    """What is told at the pointer, or where the keyboard stands."""
    return player.js("s.player.touch.lines")


def hot(player):
    """The examples that are lit."""
    return player.js("[...s.player.touch.hot]")


def test_the_arrows_walk_over_examples_and_what_is_remembered_and_enter_keeps_one(player):
    player.open("/?v=1&t=40").click(100, 100)
    assert player.press("ArrowRight").t == 41  # a click leaves the arrows to the player
    to_board(player.press("ArrowLeft")).press("ArrowRight", "ArrowRight", "ArrowRight").rest()
    assert (player.t, hot(player)) == (40, [2])
    told = lines(player)
    assert player.spoken == f"{', '.join(told)}."
    player.point(*player.spots()[2].tolist())
    assert lines(player) == told
    to_board(player.anew("/?v=1&t=40")).press("ArrowDown", "ArrowDown").rest()
    support = player.js(
        "[...s.run.trace.support].filter((i) => s.run.alphaOf(i, s.t)).sort((a, b) => a - b)"
    )
    assert hot(player) == [support[1]]
    player.press("Enter", "Escape").rest()
    assert not player.on_board()
    assert player.js("[...s.player.pinnedTouch.hot]") == [support[1]]
    assert player.page.get_by_role("button", name="Copy these numbers").is_visible()
    to_board(player.anew("/?v=1&t=40")).press(
        "Shift+ArrowRight", "Shift+ArrowUp"
    ).rest()  # to any place of the map
    told = lines(player)
    assert told[0].startswith("f(")
    assert any("from x" in line for line in told)
    assert player.press("Enter", "Escape").rest().js("s.player.pinnedTouch.lines") == told
    assert player.press("ArrowRight").t == 41


def test_tab_stops_once_at_each_panel_and_arrows_tell_there_what_the_pointer_is_told(player):
    player.open(LINK).until_extra("gram").button("play").focus()
    found = []
    for _ in STOPS:
        player.press("Shift+Tab")
        found.append(
            player.js(
                "[...s.objects.stops].find(([, e]) => e === r.getRootNode().activeElement)?.[0]"
            )
        )
    assert sorted(found) == sorted(STOPS)
    player.press("Shift+Tab")
    assert player.on_board()
    for name, words in STOPS.items():
        stop(player, name)
        label = player.js("r.getRootNode().activeElement.getAttribute('aria-label')")
        assert words.lower() in label.lower()
        assert "Enter does what a click does, Escape leaves" in label
        walk(player)
    for name, link in ELSEWHERE.items():
        walk(stop(player.anew(link).until(THERE, name).rest(), name))


def walk(player):
    """Walk over what lies in the panel that has the focus, by keys: each is said, and the pointer
    finds the same.
    """
    t, told = player.t, []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "End", "ArrowLeft", "Home"):
        player.press(key).rest()
        assert player.spoken == f"{', '.join(lines(player))}."
        told.append(player.spoken)
    assert player.t == t
    assert len(set(told)) > 2
    places = "[s.player.touch.lines, [...s.player.touch.hot], s.player.touch.time]"
    (px, py), by_key = player.js("[s.player.pointer.px, s.player.pointer.py]"), player.js(places)
    player.js("s.objects.leave()")
    player.point(px, py)
    assert player.js(places) == by_key
    assert by_key[0]
    player.away()


def test_a_panel_with_nothing_to_show_says_why(player):
    stop(player.open("/?v=1&t=20&show=primal").until_extra("primal"), "primal").press("ArrowRight")
    assert player.said == player.words("primal", "why")
    player.anew("/?v=1&t=20&show=lift").until_extra("lift")
    offer = stop(player, "lift").press("ArrowRight").rest().spoken
    assert offer.endswith("Use this kernel")
    player.press("ArrowRight").rest()
    assert player.spoken == f"{', '.join(lines(player))}."  # of the first point in space
    assert player.press("ArrowLeft").rest().spoken == offer
    player.press("Enter").until_set("monomial")


def test_escape_leads_from_a_button_to_the_board(player):
    player.open(LINK).button("next-example").focus()
    assert player.press("Escape").on_board()
    player.button("reorder").focus()
    assert player.press("Escape").focused() == "opens more"  # it closed More
    assert player.press("Escape").on_board()
    player.button("help").focus()
    assert player.press("Enter", "Escape").focused() == "help"  # it closed the help
    assert player.press("Escape").on_board()
    assert player.press("Escape").js("r.getRootNode().activeElement === r")  # from where → steps
    t = player.t
    assert player.press("ArrowRight").rest().t == t + 1
    player.edit().page.locator(".kpviz [data-edit=brush]").focus()
    assert player.press("Escape").on_board()
    assert player.js("s.standing.edit.on")
    assert not player.press("Escape").js("s.standing.edit.on")


def test_enter_does_what_a_click_does_and_escape_leaves(player):
    stop(player.open(LINK), "alpha").press("ArrowRight", "ArrowRight").rest()
    t = player.js("s.player.touch.time")
    assert player.press("Enter").rest().t == t
    stop(player, "timeline").press("End").press("ArrowRight", "ArrowLeft", "Enter").rest()
    assert player.t == player.js("s.player.touch.time")
    assert player.js("s.run.trace.mistake[s.t - 1]") == 1
    stop(player, "gram").press("ArrowRight", "ArrowRight", "ArrowDown", "Enter", "Escape").rest()
    assert player.js("s.player.pinnedTouch.lines[0]").startswith("k(x")
    assert player.js("r.getRootNode().activeElement === r")
    assert player.js("s.objects.ring.hidden && s.player.pointer === null")
    assert player.press("q").rest().js("s.objects.stops.size") == 0  # no panel tells an answer


# ---- in other colours, by touch ------------------------------------------------------------------


def test_the_ring_lies_on_the_object_and_is_seen_in_any_colours(player):
    player.open(LINK)
    for look in ({"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}):
        player.page.emulate_media(**look)
        player.button("play").focus()
        player.press("Shift+Tab", "ArrowRight", "ArrowRight").rest()
        ring, at = player.js(
            "(({ x, y, width: w, height: h }, canvas, { px, py }) =>"
            " [[x + w / 2 - canvas.x, y + h / 2 - canvas.y], [px, py]])"
            "(s.objects.ring.getBoundingClientRect(), s.canvas.getBoundingClientRect(), "
            "s.player.pointer)"
        )
        assert ring == pytest.approx(at, abs=1)
        outlines = player.js(
            "[s.objects.ring, r.getRootNode().activeElement].map((e) => getComputedStyle(e))"
            ".map(({ outlineStyle, outlineWidth, outlineColor }) => [outlineStyle, outlineWidth, "
            "outlineColor])"
        )
        ground = player.js("getComputedStyle(r).backgroundColor")
        assert all(
            style == "solid" and width == "2px" and colour != ground
            for style, width, colour in outlines
        )
    player.page.emulate_media(forced_colors="none", color_scheme="null")


def test_in_colours_of_ones_own_what_is_on_or_chosen_is_seen(player):
    player.open("/?v=1").page.emulate_media(forced_colors="active")
    colour = "getComputedStyle(r.querySelector('[data-do=slow]')).backgroundColor"
    before = player.js(colour)
    player.press("m").until(f"{colour} !== arg", before)  # at the next frame
    player.edit()
    icons = player.js(
        "[...r.querySelectorAll('.classes i')].map((e) => getComputedStyle(e).backgroundColor)"
    )
    grounds = player.js(
        "[...r.querySelectorAll('.classes button')].map((e) => getComputedStyle(e).backgroundColor)"
    )
    assert all(icon != ground for icon, ground in zip(icons, grounds, strict=True))
    tiles = player.press("Shift+E").show("data").locator(".options input + .seen")
    grounds = [
        tile.evaluate("(e) => getComputedStyle(e).backgroundColor") for tile in tiles.all()[:4]
    ]
    player.page.emulate_media(forced_colors="none")
    assert grounds[0] not in grounds[1:]


def test_in_colours_of_ones_own_the_classes_keep_their_marks_in_questions(player_with):
    player = player_with(visited=False, forced_colors="active").open("/")
    player.until("s.standing.firstMinute.phase === 'ask'").rest()
    player.press("1", "Enter").until("s.standing.firstMinute.phase === 'ask' && s.t === 2")
    colour = "(css) => getComputedStyle(r.querySelector(css)).backgroundColor"
    grounds = {
        css: player.js(f"({colour})(arg)", css)
        for css in (".answers .orange i", ".answers .blue i", ".bricks i", ".answers button")
    }
    ground = grounds.pop(".answers button")
    assert ground not in grounds.values()


def test_on_paper_there_is_the_whole_board_and_what_is_read_and_nothing_to_press(player):
    lesson = Lesson(player.open("/?v=1"))
    lesson.read(TEXT)
    player.rest().page.emulate_media(media="print")
    canvas = player.page.locator(".kpviz canvas").bounding_box()
    words = player.page.locator(".kpviz .lesson").bounding_box()
    assert canvas["x"] + canvas["width"] <= player.page.viewport_size["width"]
    assert words["y"] >= canvas["y"] + canvas["height"]
    answers = player.page.locator(".lesson .answers")
    assert answers.locator("button:visible").count() == 2  # One reads what one may answer.
    assert player.page.locator(".kpviz button:visible:not(.answers > *)").count() == 0
    assert player.page.locator(".topbar:visible, .knob:visible, .bar:visible").count() == 0
    player.page.emulate_media(media="null")


def test_what_a_sheet_covers_comes_into_sight_with_the_focus(phone):
    player = phone.open("/?v=1&t=20").press("Shift+K")
    player.page.locator(".dock .field").first.wait_for()
    top = player.rest().box(".dock")[1]
    player.page.locator(".topbar .settings").focus()
    for _ in range(60):
        player.press("Tab")
        middle = player.js("""((e) => {
          if (!e || e.closest(".dock") || e === s.canvas) return 0;
          const { top, bottom } = e.getBoundingClientRect();
          return (top + bottom) / 2;
        })(r.getRootNode().activeElement)""")
        assert middle <= top, player.focused()


NUMBER = f"""---
title: Numbers
---
## One
link: v=1&n=8

{10 * "Some words, which take a line or two of the sheet in which they stand. "}

```task number
ask: How many bricks are there?
value: bricks
```
"""


def test_the_field_in_which_one_types_stays_in_sight_when_a_keyboard_takes_room(player_with):
    player = player_with(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    field = Lesson(player.open("/?v=1&n=8")).read(NUMBER).field(0)
    field.focus()
    player.page.set_viewport_size({"width": 390, "height": 480})
    player.rest()
    box = field.bounding_box()
    scene = player.box(".lesson .scene")
    assert scene[1] <= box["y"]
    assert box["y"] + box["height"] <= scene[3]


# Of the buttons of the bar those that something else lies over.
COVERED = """(() => {
  const bar = r.querySelector(".bar.floating");
  const buttons = [...bar.querySelectorAll("button")].filter((button) => button.checkVisibility());
  return buttons.filter((button) => {
    const { left, right, top } = button.getBoundingClientRect();
    return !bar.contains(r.getRootNode().elementFromPoint((left + right) / 2, top + 2));
  }).map((button) => button.ariaLabel ?? button.textContent);
})()"""


def test_the_column_of_a_task_scrolls_under_the_bar_of_a_phone(phone):
    lesson = Lesson(phone).named("lesson-03-xor-and-cycles", 1)
    lesson.check_button(0).evaluate("(button) => button.scrollIntoView({ block: 'end' })")
    assert phone.rest().js(COVERED) == []


def test_a_tap_leaves_no_button_as_if_it_were_pointed_at(phone):
    player = phone.open("/?v=1&t=3")
    ground = "getComputedStyle(r.querySelector('[data-do=next-example]')).backgroundColor"
    before = player.js(ground)
    player.button("next-example").tap()
    assert player.rest().t == 4
    assert player.js(ground) == before


def test_after_ten_sentences_one_is_offered_to_hear_fewer(player):
    player.open("/?v=1&t=20")
    offers = ["only what changes" in player.press("ArrowRight").rest().spoken for _ in range(12)]
    assert offers == [k == 9 for k in range(12)]


def test_buttons_are_as_large_as_a_finger_needs_and_the_help_shows_it_no_keys(phone):
    player = phone.open("/?v=1&t=3")
    for opens in ((), (".topbar .does .opens",), (".bar .more",)):
        for each in opens:
            player.page.locator(each).tap()
        found = player.page.locator(
            ".topbar :is(a:not(.skip), button):visible, .bar button:visible"
        )
        heights = {one.text_content(): one.bounding_box()["height"] for one in found.all()}
        assert min(heights.values()) >= 43.5, heights
    player.press("Shift+S").page.get_by_role("button", name="Pin this run", exact=True).wait_for()
    found = player.page.locator(
        ".dock :is(button, select, input[type=range], input.number):visible"
    )
    heights = {one.text_content(): one.bounding_box()["height"] for one in found.all()}
    assert min(heights.values()) >= 43.5, heights
    player.press("Escape").press("?")
    assert player.page.locator(".menu.help dt:visible").count() > 5
    assert player.page.locator(".menu.help .keys dt:visible").count() == 0
    player.page.locator(".menu.help summary:visible").click()
    told = player.page.locator(".menu.help").inner_text()
    told += player.press("Escape", "u").page.locator(".menu.cue").inner_text()
    assert "Dotted words" in told
    assert "Save" in told
    assert not re.search(r"\b(Tab|Enter|Shift|keys)\b|⏎", told)


# The buttons in a part of the page of which a finger has less than 44 px, both ways, with what it
# has. One px is left to rounding; tabs, which stand close, are not looked at.
SMALL = """(() => {
  const root = r.getRootNode();
  const css = "button:not(.term, [role=tab]), summary, select, .quick input, .panel";
  const seen = [...root.querySelectorAll(`${arg} :is(${css})`)].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) && !one.closest("[inert]"));
  const found = seen.map((one) => {
    one.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const steps = Array.from({ length: 60 }, (_, k) => k / 2);
    const reach = (across, down) => steps.findIndex((step) => !one.contains(root.elementFromPoint(
      (left + right) / 2 + across * step, (top + bottom) / 2 + down * step))) / 2;
    const [wide, high] = [[reach(-1, 0), reach(1, 0)], [reach(0, -1), reach(0, 1)]].map(
      (both) => both.reduce((sum, length) => sum + (length < 0 ? 30 : length), 0));
    return [one.ariaLabel ?? one.textContent, wide, high];
  });
  return found.filter(([, wide, high]) => Math.min(wide, high) < 43);
})()"""
BOARD = ":is(.topbar, .kpviz)"


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_finger_has_enough_of_what_is_seen_small(phone, size, monkeypatch):
    monkeypatch.setattr(verdict, "SECONDS", 60.0)
    player = phone.wear(*size).open("/?v=1").rest()
    assert player.page.locator(".what-next button").count() == 3
    assert player.js(SMALL, BOARD) == []
    for key, opens in (("h", ".chooser"), ("?", ".menu.help"), ("w", ".presenting")):
        player.press(key).page.locator(opens).wait_for()
        assert player.rest().js(SMALL, opens) == []
        player.press("Escape")
    player.anew("/?v=1&kernel=linear").press("End").until("s.verdicts.advice !== null").rest()
    folds = player.page.locator(".folds button:visible").all_inner_texts()
    assert folds == ["Why?", "What helps?"]
    assert player.js(SMALL, BOARD) == []
    player.anew("/?v=1").js("s.standing.firstMinute.again()")
    player.until("s.standing.firstMinute.phase === 'first'").rest()
    assert player.js(SMALL, ".asking") == []
    player.press("Enter", "Enter", "1", "Enter", "1", "Enter", "1", "Enter", "1", "Enter")
    player.press("PageDown").until("s.standing.firstMinute.phase === 'done'").rest()
    assert player.page.get_by_role("button", name="The whole board", exact=True).is_visible()
    assert player.js(SMALL, ".asking") == []


def test_what_a_finger_has_no_key_for_has_the_name_of_its_button(phone):
    player = phone.open("/?v=1")
    button = player.page.get_by_role("button", name="Next example")
    words = player.words("words")
    assert "Tap Example" in words
    assert button.inner_text().split() == ["Next", "Example"]  # in a short bar the first is hidden
    assert "›" not in player.words("words")
    assert "Press" not in player.words("words")
    assert "pinch-zoom" in player.js("getComputedStyle(s.canvas).touchAction")


# What opens, and the keys that open it.
OPENS = {
    ".dock:not(.lesson)": ["Shift+K"],
    ".chooser": ["h"],
    ".menu.help": ["?"],
    ".menu.preferences": [","],
    ".menu.cue": ["u"],
    "dialog.export": ["a"],
}
# Label, sign and size of the button that closes a thing, how far it is from its upper right corner,
# and how round the buttons of the page are: tabs and cards aside, and halves of a pair.
CLOSING = """(() => {
  const root = r.getRootNode();
  const seen = [...root.querySelectorAll("button")].filter((e) => e.offsetWidth);
  const box = root.querySelector(arg);
  const [close, ...others] = seen.filter((e) => box.contains(e) && e.textContent === "×");
  const outer = box.getBoundingClientRect();
  const inner = close.getBoundingClientRect();
  const buttons = seen.filter((e) => !e.matches("[role=tab], .groups *, .term, .cards *, .kinds *"));
  const rounds = new Set(buttons.map((e) => getComputedStyle(e).borderRadius));
  return [close.ariaLabel, inner.width, inner.height, outer.right - inner.right, inner.top - outer.top,
    others.length, ...rounds];
})()"""


def is_closed_by_the_cross(player, box):
    label, width, height, right, top, others, *rounds = player.rest().js(CLOSING, box)
    assert (label, width, height) == ("Close", 34, 34), box
    assert 5 <= right <= 8, box
    assert 5 <= top <= 8, box
    assert (others, len(rounds)) == (0, 1), (box, rounds)


def test_whatever_opens_is_closed_by_one_cross_in_its_corner_and_by_escape(player):
    player.open("/?v=1&t=12")
    for box, keys in OPENS.items():
        player.press(*keys).page.locator(box).wait_for()
        player.settle()
        is_closed_by_the_cross(player, box)
        player.press("Escape").page.locator(box).wait_for(state="hidden")
    Lesson(player).read(TEXT)
    is_closed_by_the_cross(player, ".lesson")
    player.press("Escape").page.locator(".lesson").wait_for(state="hidden")
    player.page.locator(".terms .term").first.click()
    is_closed_by_the_cross(player, ".explained")
    player.anew("/?v=1&pins=1&p1.kernel=linear&t=12").page.locator(
        ".bar > [data-do=numbers]"
    ).click()
    is_closed_by_the_cross(player, ".menu.numbers")
    player.press("Escape").page.locator(".menu.numbers").wait_for(state="hidden")
