"""A lesson as hands use it: left and found again, in two windows, with wrong answers, and by keys alone."""

import pytest
from answering import TEXT, answer, check, form

from kpviz.lessons.file import format, tasks

PERFORM = """---
title: Steps
---
## One
link: v=1&data=xor&n=16&noise=0

```task perform
ask: Four steps.
start: v=1&data=xor&n=16&noise=0&t=0
count: 4
tries: 2
why: It is the rule.
```

```task explain
ask: Why?
```

## Two
link: v=1&data=moons&n=16
"""
SEEDED = PERFORM.replace("tries: 2", "tries: 3\nseeds: 0, 3")
FIELDS = """[...r.querySelectorAll(".lesson form")[arg].querySelectorAll("input, textarea")].map((each) =>
  each.type === "radio" ? each.checked : each.value)"""
FOCUSED = """(() => {
  const { activeElement } = r.getRootNode();
  return activeElement && (activeElement.className || activeElement.type || activeElement.tagName.toLowerCase());
})()"""


def opened(player, text=TEXT, path="/?v=1"):
    player.open(path)
    player.js("s.lesson.read({ text: arg })", text)
    player.until("s.lesson.open && !s.lesson.arriving").settle()
    return player


def went(player, way, heading):
    player.page.evaluate(f"history.{way}()")
    if heading is None:
        player.until("!s.lesson.open").settle()
    else:
        player.until("s.lesson.open && s.lesson.body.querySelector('h3').textContent === arg", heading).settle()


def put(player, k, step, *, verdict=None, changes=None):
    """Fill the fields of a step."""
    row = form(player, 0).locator("fieldset").nth(k)
    row.locator(f"input[value={verdict or step['verdict']}]").check()
    written = ", ".join(f"x{i} {gain:+g}" for i, gain in step["bricks"])
    row.locator("input[type=text]").fill(written if changes is None else changes)


def steps_of(text, tried=0):
    return tasks.solve(format.read(text).scenes[0].tasks[0], tried).answer["steps"]


def test_a_lesson_that_is_closed_while_an_answer_is_checked_is_closed(player):
    opened(player)
    form(player, 1).locator("input").fill("6")
    player.js("(r.querySelectorAll('.lesson form')[1].querySelector('[type=submit]').click(), s.lesson.close(), 0)")
    player.until("!s.lesson.lessons.waiting.length").settle()
    assert not player.js("s.lesson.open")
    opened(player)
    assert player.js("s.lesson.forms[1].isOver")


def test_a_lesson_dropped_on_another_one_begins_with_its_own_scene(player):
    opened(player)
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving").settle()
    player.js("s.lesson.read({ text: arg })", PERFORM.replace("noise=0\n", "noise=0&kernel=linear\n", 1))
    player.until("s.lesson.lesson.title === 'Steps' && !s.lesson.arriving").settle()
    assert player.settings.kernel == "linear"
    player.until("location.search.includes('scene=1')")


def test_a_lesson_closed_while_a_scene_is_on_its_way_leaves_nothing_to_come(player):
    opened(player)
    player.js("(s.lesson.go(1), s.lesson.close(), 0)")
    player.settle()
    assert player.js("s.lesson.arriving") is None
    player.until("!location.search.includes('lesson')")


def test_back_opens_a_lesson_again_that_was_closed_and_closes_it_where_there_was_none(player):
    opened(player, path="/?v=1&n=20")
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving").settle()
    player.page.locator(".lesson .close").click()
    player.until("!location.search.includes('lesson')")
    went(player, "back", "First")
    went(player, "back", None)
    assert player.query == "v=1&n=20"
    went(player, "forward", "First")


def test_back_shows_a_scene_as_it_opens_with_its_own_panels(player):
    opened(
        player, TEXT.replace("&t=6", "&t=6&show=primal", 1).replace("noise=0\n\nWords", "noise=0&show=gram\n\nWords")
    )
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving").settle()
    player.js("s.player.cursor.go(9)")
    went(player, "back", "First")
    assert (player.js("[...s.player.shown]"), player.t) == (["gram"], 0)
    went(player, "forward", "Second")
    assert (player.js("[...s.player.shown]"), player.t) == (["primal"], 6)


def test_steps_that_were_right_are_there_after_a_reload_and_when_one_comes_back(player):
    opened(player, PERFORM)
    right = steps_of(PERFORM)
    for k in range(2):
        put(player, k, right[k])
        assert check(player, 0) == f"Right so far; step {k + 2} is next."
    form(player, 1).locator("textarea").fill("Because")
    before = player.js(FIELDS, 0)
    assert len(before) == 9
    player.reload().until("s.lesson.open").settle()
    assert (player.js(FIELDS, 0), player.js(FIELDS, 1)) == (before, ["Because"])
    assert form(player, 0).locator(".verdict").inner_text() == "Right so far; step 3 is next."
    for at in (1, 0):
        player.js("s.lesson.go(arg)", at)
        player.until("!s.lesson.arriving").settle()
    assert player.js(FIELDS, 0) == before
    for k in (2, 3):
        put(player, k, right[k])
        said = check(player, 0)
    assert said == "All 4 steps are those of the run."
    assert player.js("s.lesson.progress.of(0, 0).tries") == 1


WRONG = [
    (1, {"verdict": "mistake"}, "Step 2: f(x₁) ="),
    (2, {"changes": "x3 +1"}, "Step 3: α of x₂ is not changed in your answer; the rule changes α of x₂ +1."),
    (2, {"changes": "x2 -1"}, "Step 3: α of x₂ is −1 in your answer; the rule changes α of x₂ +1."),
    (2, {"changes": "x2 +1, b +1"}, "Step 3: b is +1 in your answer; the rule changes α of x₂ +1."),
]


def test_a_wrong_step_is_a_try_and_can_be_put_right(player):
    opened(player, PERFORM.replace("tries: 2", f"tries: {len(WRONG) + 1}"))
    for k, step in enumerate(steps_of(PERFORM)):
        for at, how, said in WRONG:
            if at == k:
                put(player, k, step, **how)
                assert check(player, 0).startswith(said)
        put(player, k, step)
        said = check(player, 0)
    assert said == "All 4 steps are those of the run."
    assert player.js("[s.lesson.progress.of(0, 0).right, s.lesson.progress.of(0, 0).tries]") == [True, len(WRONG) + 1]


def test_changes_that_cannot_be_read_cost_no_try(player):
    opened(player, PERFORM)
    for written in ("three", "x3 + + 1", "x0 +1, x0 +1", "x99999 1e99"):
        put(player, 0, {"verdict": "mistake", "bricks": []}, changes=written)
        assert check(player, 0)
    assert player.js("s.lesson.progress.of(0, 0).tries") == 0


def test_the_first_sentence_does_not_tell_what_a_task_asks(player):
    opened(player, PERFORM)
    assert player.words().endswith("x₀ is shown next, and is orange. What will the score say?")
    put(player, 0, steps_of(PERFORM)[0], changes="x1 +1")
    for _ in range(2):
        check(player, 0)
    assert "a mistake" in player.settle().words()


def test_after_the_last_try_the_reason_is_there_and_stays(player):
    opened(player, PERFORM)
    right = steps_of(PERFORM)
    for changes in ("x1 +1", "x2 +1"):
        put(player, 0, right[0], changes=changes)
        said = check(player, 0)
    assert said.endswith("There are no more tries.")
    player.reload().until("s.lesson.open").settle()
    assert form(player, 0).locator(".verdict").inner_text() == said
    because = form(player, 0).locator(".because").inner_text().splitlines()
    assert (because[0], because[-1]) == ("What is right:", "It is the rule.")
    assert because[1:-1] == list(tasks.solve(format.read(PERFORM).scenes[0].tasks[0]).lines)
    assert player.js(FIELDS, 0) == [True, False, "x2 +1"]
    assert form(player, 0).locator("input:enabled").count() == 0


def test_a_try_with_other_data_begins_with_empty_fields(player):
    opened(player, SEEDED)
    right = steps_of(SEEDED)
    put(player, 0, right[0])
    check(player, 0)
    put(player, 1, right[1], changes="x7 +1")
    assert check(player, 0).endswith("2 more tries.")
    assert player.js(FIELDS, 0) == [False, False, ""]
    form(player, 0).get_by_role("button", name="Show its start").click()
    player.settle()
    for k, step in enumerate(steps_of(SEEDED, 1)):
        put(player, k, step)
        said = check(player, 0)
    assert said == "All 4 steps are those of the run."


def test_steps_have_the_names_of_their_examples_wherever_one_looks(player):
    opened(player, PERFORM)
    player.js("s.player.cursor.go(1)")
    player.settle()
    put(player, 0, steps_of(PERFORM)[0])
    check(player, 0)
    assert form(player, 0).locator("legend").all_inner_texts() == ["Step 1: x₀", "Step 2: x₁"]


def test_what_is_answered_in_another_window_is_answered_here(player, another):
    for window in (player, another):
        opened(window)
    player.page.bring_to_front()
    answer(player, 0, format.read(TEXT).scenes[0].tasks[0])
    form(player, 1).locator("input").fill("6")
    check(player, 1)
    another.page.bring_to_front()
    another.until("s.lesson.forms.every((form) => form.isOver)")
    assert form(another, 1).locator(".verdict").inner_text() == "6 is right."
    assert another.page.locator(".lesson > .ways button", has_text="Next").is_visible()


LAB = TEXT.replace("## Second\nlink: v=1&data=xor&n=16&noise=0&t=6", "## Kernels\nlink: /lab?tab=build\n\nSums.")
CARD = "s.board.panels.map(({ name }) => name)"


def test_while_a_scene_of_another_page_is_announced_the_board_says_its_heading_and_nothing_else(player):
    opened(player, LAB)
    player.press("w").until("s.present.on").rest()
    player.js("s.lesson.go(1)")
    assert player.settle().js(CARD) == ["card"]
    assert player.words("card") == "Kernels In the kernel lab"
    account = player.page.locator(".kpviz .account")
    assert account.text_content() == "KernelsIn the kernel lab."
    player.press("PageUp").until("s.lesson.at === 0 && !s.lesson.arriving").settle()
    assert "words" in player.js(CARD)
    assert account.text_content().startswith("Map")


def test_a_lesson_that_begins_on_another_page_does_not_show_a_run_until_one_asks_for_it(player):
    player.open("/?lesson=lecture-3-which-are-kernels").until("s.lesson.open").settle()
    assert player.words("card") == "What we ask of a kernel In the kernel lab"
    assert player.js("s.controls.live.textContent") == "What we ask of a kernel. In the kernel lab."
    room = (
        player.page.locator(".dock.lesson").bounding_box()["x"]
        - player.page.locator("canvas").first.bounding_box()["x"]
    )
    assert all(mark["x"] == pytest.approx(0.1 * room, rel=0.05) for mark in player.marks("card", kind="text"))
    player.press("ArrowRight").settle()
    assert "words" in player.js(CARD)
    player.press("ArrowLeft").settle()
    assert player.js(CARD) == ["card"]
    player.page.locator(".chip[data-group=kernel]").click()
    player.until("s.dock.open").settle()
    assert "words" in player.js(CARD)
    player.js("(s.lesson.close(), s.dock.close?.(), 0)")
    assert "words" in player.settle().js(CARD)


def test_a_task_of_such_a_scene_shows_its_start(player):
    opened(player, LAB)
    player.js("s.lesson.go(1)")
    player.until("s.lesson.at === 1").settle()
    form(player, 1).get_by_role("button", name="Show its start").click()
    player.until("!s.lesson.arriving").settle()
    assert "words" in player.js(CARD)


def test_what_stands_lower_or_higher_in_a_formula_is_set_so(player):
    opened(player, TEXT.replace("Words in", r"The $S_W$ of $(u·v + c)^q$, $\sum_i \alpha_i$. Words in"))
    first = player.page.locator(".lesson .scene p").nth(1)
    assert first.inner_text().startswith("The SW of (u·v + c)q, Σᵢ αᵢ. Words in")
    assert (first.locator("sub").inner_text(), first.locator("sup").inner_text()) == ("W", "q")


# ---- keys alone ----


def typed(player, *keys):
    for key in keys:
        player.page.keyboard.press(key) if len(key) > 1 or key == " " else player.page.keyboard.type(key)
    return player


def test_fields_are_filled_by_keys_alone_and_the_focus_is_never_lost(player):
    opened(player)
    player.js("(s.lesson.body.focus(), 0)")
    typed(player, "Tab", "Tab", " ", "Tab", " ", "ArrowDown", "Enter")  # over the link: a mistake, right
    player.until("s.lesson.forms[0].done.tries === 1")
    assert player.js("s.lesson.forms[0].isOver")
    assert player.js(FOCUSED) == "verdict"
    typed(player, "Tab", "Tab", "5", "Enter")
    player.until("s.lesson.forms[1].done.tries === 1")
    typed(player, "Tab", "Tab", "Enter", "Enter")  # both hints
    assert player.js(FOCUSED) == "submit"
    typed(player, "Shift+Tab", "Backspace", "6", "Tab", "Enter")
    player.until("s.lesson.forms[1].isOver")
    assert player.js(FOCUSED) == "verdict"
    typed(player, "Tab", "Enter")
    player.until("s.lesson.at === 1 && !s.lesson.arriving").settle()
    assert player.js(FOCUSED) == "scene"


def test_a_button_that_checks_keeps_the_focus(player):
    opened(player)
    form(player, 1).locator("input").fill("5")
    player.js("(r.querySelectorAll('.lesson form')[1].querySelector('[type=submit]').focus(), 0)")
    typed(player, "Enter")
    player.until("s.lesson.forms[1].done.tries === 1")
    assert player.js(FOCUSED) == "submit"


def test_words_that_are_too_long_are_scrolled_by_keys(player):
    long = "A line.\n\n" * 60
    opened(player, TEXT.replace("Words in", f"{long}Words in").replace("two?", "two?\nstart: v=1&data=moons"))
    player.js("(s.lesson.body.focus(), 0)")
    typed(player, "End")
    player.until("s.lesson.body.scrollTop > 100")
    assert player.t == 0
    typed(player, "ArrowRight")
    player.until("s.t === 1")


def test_tasks_of_each_other_kind_are_done_by_keys_alone(player):
    opened(player)
    player.js("s.lesson.go(1)")
    player.until("!s.lesson.arriving").settle()
    lesson = format.read(TEXT)
    support, _, chosen = (tasks.solve(task).answer for task in lesson.scenes[1].tasks)
    player.js("(s.lesson.body.focus(), 0)")
    typed(player, "Tab", *", ".join(map(str, support["examples"])), "Enter")
    player.until("s.lesson.forms[0].isOver")
    player.js("(r.querySelectorAll('.lesson form')[2].querySelector('input').focus(), 0)")
    assert chosen["choices"] == [0]
    typed(player, " ", "Tab", "Tab", "Enter")
    player.until("s.lesson.forms[2].isOver")
    player.js("s.lesson.go(2)")
    player.until("!s.lesson.arriving").settle()
    player.js("(s.lesson.body.focus(), 0)")
    typed(player, "Shift+k")  # the kernels, in the lesson's place
    player.until("s.dock.open").settle()
    assert player.js("s.dock.element.contains(r.getRootNode().activeElement)")
    typed(player, "Escape")
    player.until("!s.dock.open").settle()
    while player.settings.kernel != "gaussian":
        typed(player, "k")
        player.settle()
    player.js("(s.lesson.body.focus(), 0)")
    typed(player, "Tab", "Enter")
    player.until("s.lesson.forms[0].isOver")
    typed(player, "Tab", *"It bends", "Tab", "Enter")
    player.until("s.lesson.forms[1].isOver")


DRAW = """---
title: Draw
---
## One
link: v=1&data=drawn&kernel=linear

```task draw
ask: Two points.
within: points 2 to 2
until: n == 2
solution: v=1&data=drawn&points=vovoQYn0.o&kernel=linear
```
"""


def test_points_are_drawn_for_a_task_by_keys_alone(player):
    opened(player, DRAW)
    player.page.locator(".lesson button[type=submit]").focus()
    typed(player, "Enter")
    player.until("s.lesson.forms[0].done.tries === 1")
    assert form(player, 0).locator(".verdict").inner_text() == "Points in all: 0, and what is allowed is 2 to 2."
    typed(player, "Shift+E")
    player.until("s.player.editing.on").settle()
    player.js("(s.canvas.focus(), 0)")
    typed(player, "Enter", "ArrowRight", "ArrowRight", "ArrowRight", "Enter")
    player.settle()
    player.page.locator(".lesson button[type=submit]").focus()
    typed(player, "Enter")
    player.until("s.lesson.forms[0].isOver")
