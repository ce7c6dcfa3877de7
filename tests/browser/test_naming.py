"""Names in a lesson's words ring what they name: by pointing, by one stop of Tab, by touch."""

import pytest
from answering import Lesson

TEXT = """---
title: Names
---
## One
link: v=1&data=xor&n=16&noise=0&t=6&show=alpha

Look at x₃, at x₅ and at the bricks, but not at x₉₉.

```task choose
ask: Is x₃ above x₅?
choice: x₃ is.
choice: x₅ is.
choice: Neither.
answer: C
```
"""
RINGED = """(() => {
  const scene = load("board/scene.js").sceneOf(s.player, 0);
  return [scene.pointedOut, scene.light];
})()"""
POINTED = "[s.player.pointer?.name ?? null][0]"


def rung(player):
    return sorted({mark["i"] for mark in player.rest().marks("map", name="pointed") if "i" in mark})


@pytest.fixture
def opened(player):
    player.anew("/?v=1")
    return Lesson(player).read(TEXT)


def test_a_name_that_is_pointed_at_rings_its_example_and_a_panels_word_its_panel(opened):
    player = opened.player
    names = player.page.locator(".lesson .prose .naming:visible")
    assert names.all_inner_texts() == ["x₃", "x₅", "bricks", "x₉₉"]
    for number, examples in ((0, [3]), (1, [5]), (3, [])):
        names.nth(number).hover()
        assert rung(player) == examples
        assert not player.js("s.touch.lines.length")  # Nothing is told of it.
    names.nth(2).hover()
    assert player.rest().marks("light", name="light")
    player.page.locator(".lesson .question").hover(position={"x": 300, "y": 4})
    player.rest()
    assert (rung(player), player.js("s.player.pointer")) == ([], None)
    choice = player.page.locator(".lesson .answers button .naming").first
    choice.hover()  # Pointed at, it is a name; pressed, it answers.
    assert rung(player) == [3]
    choice.click()
    opened.until_tried(0)


def test_by_keys_all_names_are_one_stop_in_which_arrows_go_on(opened):
    player = opened.player
    opened.focus()
    t = player.t
    seen = []
    player.press("Tab")
    for _ in range(4):
        seen.append(player.js("s.player.pointer.name"))
        player.press("ArrowRight")
    assert seen == ["x3", "x5", "alpha", "x99"]
    assert player.t == t
    focused = "r.getRootNode().activeElement.className"
    player.press("Tab")
    assert "naming" not in player.js(focused)
    assert player.js("s.player.pointer") is None


def test_enter_on_a_name_says_it_again_and_checks_no_answer(opened):
    player = opened.player
    words, *_ = TEXT.partition("```")
    opened.read(f"{words}```task number\nask: How many mistakes?\nvalue: mistakes\n```\n")
    player.page.locator(".lesson .task input").fill("99")
    opened.focus()
    player.press("Tab").rest()
    heard = player.js("s.spoken.live.textContent")
    assert heard.startswith("x₃")
    player.js(
        "(globalThis.said = [], new MutationObserver(() => said.push(s.spoken.live.textContent))"
        ".observe(s.spoken.live, { childList: true }))"
    )
    player.press("Enter").rest()
    assert player.js("said") == [heard]
    assert opened.tries == [0]


def test_a_tap_on_a_name_rings_it_until_one_taps_elsewhere(phone):
    phone.anew("/?v=1")
    Lesson(phone).read(TEXT)
    phone.page.locator(".lesson .prose .naming").first.tap()
    assert rung(phone) == [3]
    phone.page.locator(".lesson .question").tap(position={"x": 2, "y": 2})
    assert rung(phone) == []
