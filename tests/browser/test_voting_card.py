"""A phone as a voting card: what fills its screen, the ways in and out, and that nothing is sent."""

import pytest

from kpviz.lessons import shelf
from kpviz.service.packing import lesson_page

LESSON = "/?v=1&lesson=lesson-07-width&scene={}"
TEXT = """---
title: Votes
---
## Sides
link: v=1&n=16&noise=0

```task choose
ask: Which side is x₀ on?
choice: The blue side.
choice: The orange side.
answer: B
```

## Next
link: v=1&n=16&noise=0

```task predict
ask: And x₀?
```

```task choose
ask: What is true?
choice: It *ends*.
choice: It goes on.
choice: Neither.
choice: Both.
choice: Nobody knows.
answer: A
```

## Nothing is asked
link: v=1

## Several are true
link: v=1&n=16&noise=0

```task choose
ask: What is true?
choice: It ends.
choice: It goes on.
choice: It began.
answer: A, C
stage: B, C
```
"""


QUIET = 1000  # In ms: after so long nothing of the scene that was opened is on its way.


def opened(player, scene=0, size=(390, 844)):
    player.page.set_viewport_size({"width": size[0], "height": size[1]})
    return voting(player.open("/?v=1"), scene)


def voting(player, scene):
    """The card of a scene, of a page that is open."""
    player.js("(s.lesson.read({ text: arg[0] }, arg[1]), 0)", [TEXT, scene])
    player.until("s.lesson.open && !s.lesson.arriving").settle()
    player.page.get_by_role("button", name="Vote", exact=True).press("Enter")
    return Card(player)


class Card:
    def __init__(self, player):
        self.player = player
        self.element = player.page.locator(".voting-card")
        self.held = self.element.locator(".held")
        self.answers = self.element.locator(".answers button")

    @property
    def words(self):
        return [words.replace("\n", " ") for words in self.answers.all_inner_texts()]


@pytest.fixture(params=["served", "packed"])
def card(request, player, tmp_path):
    """The card of a scene whose task asks a class two of its three choices, of either page."""
    player.page.set_viewport_size({"width": 390, "height": 844})
    if request.param == "served":
        player.open(LESSON.format(1)).until("s.lesson.open && !s.lesson.arriving").settle()
    else:
        path = tmp_path / "lesson.html"
        path.write_text(lesson_page(shelf.read("lesson-07-width"), "lesson-07-width"))
        player.page.goto(path.as_uri())
        player.page.locator(".lesson h3").wait_for()
    player.page.get_by_role("button", name="Vote", exact=True).press("Enter")
    return Card(player)


def test_an_answer_is_chosen_fills_the_screen_and_is_left_by_tap_escape_and_back(card):
    page = card.player.page
    assert [words[0] for words in card.words] == ["A", "B"]
    for leave in (
        lambda: card.held.click(),
        lambda: page.keyboard.press("Escape"),
        lambda: page.go_back(wait_until="commit"),
    ):
        card.answers.nth(1).click()
        box = card.held.bounding_box()
        assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
        assert card.held.inner_text().startswith("B")
        leave()
        card.held.wait_for(state="hidden")
        assert card.element.is_visible()
    page.keyboard.press("Escape")
    card.element.wait_for(state="hidden")
    page.get_by_role("button", name="Vote", exact=True).press("Enter")
    card.element.wait_for()
    page.go_back(wait_until="commit")
    card.element.wait_for(state="hidden")
    assert page.locator(".lesson h3").is_visible()  # the lesson is where it was


def test_back_goes_as_ever_on_a_page_that_is_opened_while_the_card_is_on_the_one_before(player):
    opened(player)
    player.anew("/?v=1&n=16")
    player.js("(s.lesson.read({ text: arg }), 0)", TEXT)
    player.until("s.lesson.open && !s.lesson.arriving").settle()
    player.page.go_back()
    player.until("!s.lesson.open")


def test_nothing_is_sent_and_nothing_is_kept(card):
    page = card.player.page
    kept = "JSON.stringify([{...localStorage}, {...sessionStorage}])"
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.evaluate("""() => {
      window.sends = 0;
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (...data) { window.sends += 1; send.apply(this, data); };
      navigator.sendBeacon = () => { window.sends += 1; };
    }""")
    page.wait_for_timeout(QUIET)
    sent.clear()
    before = page.evaluate(f"(window.sends = 0, {kept})")
    for number in "12":
        page.keyboard.press(number)
        card.held.wait_for()
        page.keyboard.press("Escape")
        card.held.wait_for(state="hidden")
    assert sent == []
    assert page.evaluate("window.sends") == 0
    assert page.evaluate(kept) == before


def test_keys_choose_walk_and_leave_and_the_board_hears_of_none(player):
    card = opened(player, 1)
    page = player.page
    assert card.words == ["A right", "B a mistake"]
    t = player.t
    for pressed, at in (("ArrowDown", 1), ("ArrowRight", 0), ("ArrowUp", 1)):
        page.keyboard.press(pressed)
        assert card.answers.nth(at).evaluate("(each) => each.matches(':focus')")
    page.keyboard.press("Enter")
    assert card.held.inner_text().startswith("B")
    page.keyboard.press("1")  # another answer, at once
    assert card.held.inner_text().startswith("A")
    page.keyboard.press("Enter")
    card.held.wait_for(state="hidden")
    assert card.answers.nth(0).evaluate("(each) => each.matches(':focus')")
    page.keyboard.press("w")
    assert (player.t, player.presents) == (t, False)


def test_by_ear_there_are_the_question_its_answers_and_what_is_held_up(player):
    card = opened(player, 1)
    assert card.element.get_attribute("aria-labelledby") == "voting-question"
    assert card.element.locator("#voting-question").inner_text() == "And x₀?"
    card.element.get_by_role("button", name="B a mistake").press("Enter")
    assert card.held.evaluate("(each) => each.matches(':focus')")
    assert card.element.get_by_role("button", name="B tap to change · a mistake").count() == 1


def test_a_scene_that_asks_for_a_class_has_both_others_have_letters_and_several_take_turns(player):
    card = opened(player, 0)
    assert card.words == ["blue", "orange"]
    page = player.page
    page.keyboard.press("2")
    card.held.wait_for()
    light = player.js("s.player.run.header.tokens.themes.light.positive")
    shown = card.held.evaluate("(each) => getComputedStyle(each).backgroundColor")
    assert shown == "rgb({}, {}, {})".format(*(int(light[k : k + 2], 16) for k in (1, 3, 5)))
    assert card.held.locator("circle").count() == 1
    card = opened(player, 1)
    card.element.get_by_role("button", name="Next question").click()
    assert card.words[:2] == ["A It ends.", "B It goes on."]
    assert len(card.words) == 5
    assert opened(player, 2).words == ["A", "B", "C", "D", "E", "blue", "orange"]


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (360, 640), (1366, 768)])
def test_each_letter_is_as_high_as_two_thirds_of_the_shorter_side_and_inside(player, size):
    card = opened(player, 2, size)
    for number in range(1, 8):
        player.page.keyboard.press(f"{number}")
        card.held.wait_for()
        type_size, letter, shape = card.held.evaluate("""(held) => {
          const of = (css) => held.querySelector(css).getBoundingClientRect().toJSON();
          return [parseFloat(getComputedStyle(held.querySelector("b")).fontSize), of("b"), of("svg")];
        }""")
        if number <= 5:  # capitals are 0.66 of their type
            assert 0.66 * type_size >= 0.67 * min(size)
        words = card.held.locator("small").bounding_box()
        for box in (letter, shape, words):
            assert box["x"] >= 0
            assert box["y"] >= 0
            assert box["x"] + box["width"] <= size[0]
            assert box["y"] + box["height"] <= size[1]
        assert not (
            letter["x"] < shape["x"] + shape["width"]
            and shape["x"] < letter["x"] + letter["width"]
            and letter["y"] < shape["y"] + shape["height"]
            and shape["y"] < letter["y"] + letter["height"]
        )
        player.page.keyboard.press("Escape")
        card.held.wait_for(state="hidden")


def test_the_screen_is_kept_awake_while_the_card_is_open_or_the_page_says_that_it_may_dim(player):
    fake = """(allowed) => {
      window.locks = [];
      const lock = () => ({ release: () => window.locks.push("released") });
      const request = async () => {
        if (!allowed) throw new Error("no battery");
        window.locks.push("asked");
        return lock();
      };
      Object.defineProperty(navigator, "wakeLock", { value: { request }, configurable: true });
    }"""
    player.open("/?v=1").page.evaluate(fake, True)
    card = voting(player, 2)
    player.until("window.locks.length === 1")
    assert "dark" not in card.element.locator(".how").inner_text()
    player.page.keyboard.press("Escape")
    player.until("window.locks.join() === 'asked,released'")
    player.page.evaluate(fake, False)
    player.page.get_by_role("button", name="Vote", exact=True).press("Enter")
    card.element.get_by_text("may let the screen go dark").wait_for()
    player.page.evaluate("delete navigator.wakeLock")


def test_of_a_question_with_several_true_answers_it_has_those_that_the_stage_asks(player):
    assert opened(player, scene=3).words == ["A It goes on.", "B It began."]
