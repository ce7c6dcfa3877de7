"""Lessons beside the board: opened by name or by drop, read scene by scene, each task answered as a
student does.
"""

import json
import re

import pytest
from answering import TEXT, Lesson, left_unvoted, places_on_stage
from driver import SCROLLS

from kpviz.lessons import shelf
from kpviz.lessons.file import format


@pytest.fixture
def lesson(player):
    """Return a function that opens a lesson, a text, in a player that is at a link."""

    def open_lesson(text=TEXT, path="/?v=1"):
        player.anew(path)
        return Lesson(player).read(text)

    return open_lesson


def steps_of(text, tried=0):
    """The steps of the performance that comes first in a lesson."""
    return format.read(text).scenes[0].tasks[0].solve(tried).answer["steps"]


def test_what_was_done_is_there_after_a_reload_and_forgotten_with_everything_else(player, lesson):
    opened = lesson()
    opened.answer(0, format.read(TEXT).scenes[0].tasks[0])
    told = opened.said(0)
    opened.reload()
    assert (opened.said(0), opened.over) == (told, [True, False])
    player.js("s.session.keep.forget()")
    player.open("/?v=1")
    assert not opened.is_open
    assert opened.read(TEXT).said(0) == ""


def test_each_kind_of_task_is_answered_and_the_way_goes_on_when_all_are_right(player, lesson):
    read, opened = format.read(TEXT), lesson()
    for at, scene in enumerate(read.scenes):
        player.until("s.lesson.at === arg", at)
        assert opened.heading == scene.heading
        for k, task in enumerate(scene.tasks):
            assert not opened.leads(k)
            opened.answer(k, task)
            assert opened.over[k], (scene.heading, task.kind)
        if at < 2:
            opened.next()
    name, path = opened.save()
    results = json.loads(path.read_text(encoding="utf-8"))
    assert (name, results["student"]) == ("Ada-L-All-kinds.results.json", "Ada L.")
    assert [(each["scene"], each["task"], each["right"]) for each in results["tasks"]] == [
        (1, 1, True), (1, 2, True), (2, 1, True), (2, 2, True), (2, 3, True), (3, 1, True), (3, 2, None),
    ]  # fmt: skip
    for each in results["tasks"]:
        task = read.scenes[each["scene"] - 1].tasks[each["task"] - 1]
        assert task.check(each["answers"][-1]["answer"]).right == each["right"]


LIMITS = """---
title: Limits
---
## First
link: v=1&data=drawn&kernel=linear

The $S_W$ of $(u·v + c)^q$, $\\sum_i \\alpha_i$.

> notes: Wait for *questions*.

```task draw
ask: Draw, [or not](?v=1&data=xor&n=16&noise=0&seed=3).
within: points 2 to 2, removed 0 to 0, sigma 0.1 to 3, kernel linear or gaussian, tie
until: n == 2
solution: v=1&data=drawn&points=vovoQYn0.o&kernel=linear
```
"""


def test_words_formulas_limits_and_links_of_a_scene_are_set_and_points_are_drawn_by_keys_alone(
    player, lesson
):
    opened = lesson(LIMITS)
    words = player.page.locator(".lesson .scene p").first
    assert words.locator("math").all_text_contents() == ["SW", "(u·v+c)q", "∑iαi"]
    scripts = (
        "[...r.querySelectorAll('.lesson :is(msub, msup)')].map((each) => "
        "each.children[1].textContent)"
    )
    assert player.js(scripts) == ["W", "q", "i", "i"]
    assert len(opened.task(0).locator("p.may").all_inner_texts()) == 1
    assert player.js("s.lesson.lessonScene.notes") == "Wait for questions.\n"
    opened.check_button(0).focus()
    player.press("Enter")
    opened.until_tried(0)
    assert "There are 0 points in all" in opened.said(0)
    opened.button(0, "Draw orange").focus()
    player.press("Enter").until("s.standing.edit.on")
    player.press("Enter", "ArrowRight", "ArrowRight", "ArrowRight", "Enter").settle()
    opened.check_button(0).focus()
    player.press("Enter")
    opened.until_over(0)
    opened.task(0).get_by_role("link", name="or not").click()
    opened.arrive()
    assert "seed=3" in player.query
    assert opened.at == 0


def test_hints_come_in_their_order_and_the_reason_after_the_last_try_that_could_be_read(lesson):
    opened = lesson()
    hints = ["Hint: Count the ticks.", "Hint: There are fewer than ten."]
    for k in range(2):
        assert opened.hint(1).hints(1) == hints[: k + 1]
    assert not opened.button(1, "int").is_visible()
    for unread in ("six", "1e"):
        assert "number" in opened.write(1, unread)
    opened.write(1, 99)
    assert opened.tries[1] == 1
    assert not opened.because(1)
    opened.write(1, 98)
    assert opened.because(1)[-2:] == ["mistakes = 6", "Each tick is one."]
    assert opened.over == [False, True]
    assert not opened.check_button(1).is_visible()


def test_after_the_second_wrong_answer_the_first_hint_opens_by_itself(lesson):
    opened = lesson(TEXT.replace("tries: 2", "tries: 4"))
    opened.write(1, 99)
    assert opened.hints(1) == []
    opened.write(1, 98)
    assert opened.hints(1) == ["Hint: Count the ticks."]


def test_what_is_no_lesson_or_no_scene_is_told_and_nothing_is_lost(player):
    for query, file, part in (
        ("&lesson=%ZZ", None, "lesson"),
        ("&lesson=..%2Fx&scene=abc", None, "lesson"),
        ("", "---\ntitle: T\n---\nno scene", "line 4"),
    ):
        player.anew(f"/?v=1&n=20{query}").js("arg && s.lesson.read({ text: arg })", file)
        player.until("s.notices.box.textContent.toLowerCase().includes(arg)", part)
        assert not Lesson(player).is_open
        assert player.query == "v=1&n=20"
    name = "lecture-2-dual-and-kernels"
    for scene, at in (("-1", 0), ("99", len(shelf.read(name).scenes) - 1)):
        player.anew(f"/?lesson={name}&scene={scene}")
        assert Lesson(player).arrive().at == at


CHECKED = """[3, 6].forEach((number) => {
  const task = { scene: 0, task: 1, tried: 0, answer: { number } };
  const take = ({ checked }) => (window.verdicts ??= []).push([number, checked.right]);
  s.lesson.lessons.check({ text: arg }, task, take);
})"""


def test_answers_on_their_way_are_all_checked_also_when_the_lesson_is_closed_meanwhile(
    player, lesson
):
    opened = lesson()
    player.js(CHECKED, TEXT)
    player.until("window.verdicts?.length === 2")
    assert player.js("verdicts") == [[3, False], [6, True]]
    opened.field(1).fill("6")
    opened.check_button(1).evaluate("(button) => button.click()")
    opened.close()
    player.until("!s.lesson.lessons.waiting.length").settle()
    assert not opened.is_open
    assert opened.read(TEXT).over[1]
    player.js("(s.lesson.go(1), s.lesson.close(), 0)")
    player.settle().until("!s.lesson.arriving && !location.search.includes('lesson')")


def test_the_settings_take_its_place_and_give_it_back_and_another_lesson_begins_with_its_own_scene(
    player, lesson
):
    opened = lesson()
    pane = player.page.locator(".lesson")
    before = pane.bounding_box()
    player.show("kernel")
    assert not pane.is_visible()
    # The board lies under them as without a lesson: its map where it was, its buttons in sight.
    height = player.js("innerHeight")
    map_ends = before["x"] - 1
    for css in (".bar", ".dock:not(.lesson)"):
        left, _, _, bottom = player.box(css)
        assert (left >= map_ends, bottom <= height) == (True, True), css
    player.page.locator(".dock:not(.lesson) .close").click()
    assert pane.bounding_box() == before
    opened.go(1).read(PERFORM.replace("noise=0", "noise=0&kernel=linear"))
    assert player.settings.kernel == "linear"
    player.until("location.search.includes('scene=1')")


def test_on_a_phone_the_settings_lie_over_the_question_and_give_it_back(phone):
    opened = Lesson(phone.open("/?v=1")).read(TEXT)
    question = phone.page.locator(".lesson .question").first
    assert question.is_visible()
    phone.show("kernel")
    phone.until("s.player.layout.sheet && s.player.layout.dock")
    assert not question.is_visible()
    _, top, _, bottom = phone.box(".dock.sheet")
    assert phone.box(".bar")[3] <= top < bottom <= phone.js("innerHeight")
    phone.page.locator(".dock.sheet .close").tap()
    phone.settle()
    assert question.is_visible()
    assert opened.is_open


def test_enter_on_an_example_that_one_walked_to_is_an_answer_and_says_so(player, lesson):
    opened = lesson().go(1)
    field = opened.field(0)
    player.js("s.canvas.focus()")
    player.press("ArrowRight", "ArrowRight", "ArrowRight", "Enter").rest()
    assert (field.input_value(), player.said) == ("x₂", "Your answer: x₂.")
    assert player.js("s.player.pinned") is None
    player.press("ArrowRight", "Enter").rest()
    assert (field.input_value(), player.said) == ("x₂, x₃", "Your answer: x₂, x₃.")
    player.press("Enter", "ArrowLeft", "Enter").rest()
    assert (field.input_value(), player.said) == ("", "Your answer: none.")


def test_the_one_example_that_a_question_names_is_looked_at_and_not_taken_for_the_answer(
    player, lesson
):
    asked = TEXT.replace("The support examples?", "Point at x₂. Who votes there?")
    assert asked != TEXT
    field = lesson(asked).go(1).field(0)
    player.js("s.canvas.focus()")
    player.press("ArrowRight", "ArrowRight", "ArrowRight", "Enter").rest()
    assert (field.input_value(), player.js("s.player.pinned !== null")) == ("", True)
    player.press("ArrowRight", "Enter").rest()
    assert field.input_value() == "x₃"


# ---- steps that are performed --------------------------------------------------------------------

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
HELD = "A task asks what comes next: answer it, then the run goes on."


def test_the_board_follows_a_performance_step_by_step_goes_no_further_and_tells_nothing(
    player, lesson
):
    opened, right = lesson(PERFORM), steps_of(PERFORM)
    assert player.words() == ""  # The task asks, and nothing else.
    for k, step in enumerate(right):
        for key in ("ArrowRight", "PageDown", "End", "ArrowDown", " "):
            player.press(key).until_paused()
            assert (player.t, player.said) == (k, HELD), key
        player.js("(s.player.page.say(''), 0)")
        assert player.press("Home").rest().t == 0
        if k == 1:
            assert opened.steps(0) == ["Step 1: x₀", "Step 2: x₁"]
            opened.put(0, k, step, changes="x7 +1")
            assert player.rest().t == 2  # the board shows what is wrong about it
            opened.go(1)
            assert player.press("End").rest().t == player.js("s.run.nSteps")  # another run
            opened.go(0)
            assert player.t == 2  # as it was left
            player.press("Home").rest()
            opened.start(0).arrive()
            assert player.t == 2
        opened.put(0, k, step)
        assert player.rest().t == k + 1
    assert player.press("End").rest().t == player.js("s.run.nSteps")


def test_a_performance_is_done_by_keys_alone_from_one_step_to_the_next(player, lesson):
    opened = lesson(PERFORM)
    opened.verdict_of_step(0, 0, "mistake").focus()
    for number, step in enumerate(steps_of(PERFORM)):
        assert player.js("r.getRootNode().activeElement.value") == "mistake", number
        player.page.keyboard.press("Space")
        if step["verdict"] == "correct":
            player.page.keyboard.press("ArrowRight")
        player.page.keyboard.press("Tab")
        player.page.keyboard.type(", ".join(f"x{i} {gain:+g}" for i, gain in step["bricks"]))
        player.page.keyboard.press("Enter")
        opened.until_over(0) if number == 3 else opened.until_performed(0, number + 1)
    assert opened.said(0).startswith("All 4 steps")


def test_a_performance_is_done_by_taps_alone(phone):
    text = PERFORM.replace("noise=0&t=0", "noise=0&intercept=unit").replace(
        "noise=0\n\n", "noise=0&intercept=unit\n\n"
    )
    opened = Lesson(phone.open("/?v=1&n=8")).read(text)

    def tap(i):
        phone.js("(s.scrollTo(0), 0)")
        phone.page.touchscreen.tap(*phone.at(*phone.spots()[i]))
        phone.rest()

    for number, step in enumerate(steps_of(text)):
        opened.verdict_of_step(0, number, step["verdict"]).tap()
        field = opened.step_field(0, number)
        moves = opened.button(0, "b", exact=True)
        for changes in ("x₇ +1", "x₇ −1", ""):  # once, twice, and back
            tap(7)
            assert field.input_value() == changes
        for i, gain in [*step["bricks"], *([[None, step["b"]]] if step.get("b") else [])]:
            for _ in range(1 if gain > 0 else 2):
                tap(i) if i is not None else moves.tap()
        opened.check_button(0).tap()
        opened.until_over(0) if number == 3 else opened.until_performed(0, number + 1)
    assert opened.said(0) == "All 4 steps are those of the run."


def test_steps_that_were_right_are_there_after_a_reload_and_a_wrong_one_is_a_try_and_can_be_put_right(
    player, lesson
):
    text = PERFORM.replace("tries: 2", "tries: 3")
    opened, right = lesson(text), steps_of(text)
    for unread in ("three", "x3 + + 1", "x99999 1e99"):
        assert opened.put(0, 0, {"verdict": "mistake", "bricks": []}, changes=unread)
    for k in range(2):
        assert opened.put(0, k, right[k]).startswith("Right so far")
    assert opened.tries[0] == 0
    opened.field(1).fill("Because")
    before = opened.fields(0)
    opened.reload()
    assert (opened.fields(0), opened.fields(1)) == (before, ["Because"])
    assert opened.said(0).startswith("Right so far")
    opened.go(1).go(0)
    assert opened.fields(0) == before
    assert opened.put(0, 2, right[2], changes="x2 -1").startswith(
        "Step 3: α counts mistakes, so α of x₂ goes up by 1."
    )
    assert opened.tries[0] == 1
    for k in (2, 3):
        opened.put(0, k, right[k])
    assert opened.over[0]
    assert player.js("[s.lesson.progress.of(0, 0).right, s.lesson.progress.of(0, 0).tries]") == [
        True,
        2,
    ]


def test_after_the_last_try_the_reason_stays_and_a_try_with_other_data_begins_with_empty_fields(
    player, lesson
):
    text = PERFORM.replace("tries: 2", "tries: 3\nseeds: 0, 3")
    opened, right = lesson(text), steps_of(text)
    opened.put(0, 0, right[0])
    opened.put(0, 1, right[1], changes="x7 +1")
    assert opened.is_locked(0)  # Its points stay until one asks for others.
    assert "seed=3" not in player.query
    opened.again_button(0).click()
    opened.arrive()
    assert opened.fields(0) == [False, False, ""]
    for k, step in enumerate(steps_of(text, 1)):
        opened.put(0, k, step)
    assert opened.over[0]
    opened.read(PERFORM)
    for changes in ("x1 +1", "x2 +1"):
        said = opened.put(0, 0, right[0], changes=changes)
    assert player.settle().t == 1
    opened.reload()
    assert opened.said(0) == said
    assert opened.because(0)[1:] == [
        *format.read(PERFORM).scenes[0].tasks[0].solve().lines,
        "It is the rule.",
    ]
    assert opened.fields(0) == [True, False, "x2 +1"]
    assert opened.is_locked(0)


# ---- what a task asks, and the board -------------------------------------------------------------

PREDICT = """---
title: Ahead
---
## One
link: v=1&data=xor&n=16&noise=0&t=2

```task predict
ask: And now?
```

## Two
link: v=1&data=moons&n=16&t=9

```task predict
ask: And then?
start: v=1&data=moons&n=16&t=4
```
"""


def test_one_predicts_before_the_board_shows_it_and_while_one_presents_nothing_is_held(
    player, lesson
):
    opened = lesson(PREDICT)
    for key in ("End", "q"):
        player.press(key).rest()
        assert (player.t, player.said, player.js("s.standing.question.on")) == (2, HELD, False)
    assert player.present().press("x", "ArrowRight").rest().t == 3
    player.leave()
    opened.go(1)
    assert player.rest().t == 4  # where the task starts, which is not where the scene opens
    assert player.press("Home", "End").rest().t == 4


def test_two_answers_are_given_by_arrows_or_numbers_and_each_question_stands_alone(player, lesson):
    opened = lesson(SEEDS)
    verdicts = format.read(SEEDS).scenes[0].tasks[0].solve().answer["verdicts"]
    for number, verdict in enumerate(verdicts):
        assert f"x{'₀₁'[number]} comes next" in opened.question(0)
        assert player.t == number
        is_mistake = verdict == "mistake"
        player.press("ArrowRight" if is_mistake else "ArrowLeft")
        assert player.rest().t == number + 1
        assert opened.verdict(0) == "You were right."
        if number + 1 < len(verdicts):
            player.press("Enter")
    opened.until_over(0)
    assert opened.tries[0] == 1
    opened.read(SEEDS.replace("title: Seeds", "title: Numbers"))
    player.press("2" if verdicts[0] == "mistake" else "1")
    assert opened.verdict(0) == "You were right."


SEEDS = """---
title: Seeds
---
## First
link: v=1&data=xor&n=16&noise=0&t=0

```task predict
ask: The first two?
count: 2
seeds: 0, 3
tries: 3
```

```task reach
ask: No mistake at the end.
within: sigma 0.1 to 3
until: last_mistakes == 0
solution: v=1&data=xor&n=16&noise=0
```

```task explain
ask: What is shown there?
start: /fisher?v=1
```
"""


def test_a_hint_goes_with_its_question_and_the_next_question_has_its_own(player, lesson):
    text = SEEDS.replace("tries: 3", "tries: 3\nhint: Look under it.\nhint: Is that its colour?")
    opened = lesson(text)
    verdicts = format.read(text).scenes[0].tasks[0].solve().answer["verdicts"]
    assert opened.hint(0).hint(0).hints(0) == ["Hint: Look under it.", "Hint: Is that its colour?"]
    assert not opened.hint_button.is_visible()
    player.press("2" if verdicts[0] == "mistake" else "1").rest()
    assert len(opened.hints(0)) == 2  # It stands while one reads what came of its question.
    player.press("Enter").rest()
    assert "x₁ comes next" in opened.question(0)
    assert opened.hints(0) == []
    assert opened.hint_button.inner_text() == "Hint"
    assert opened.hint(0).hints(0) == ["Hint: Look under it."]
    assert opened.reload().hints(0) == ["Hint: Look under it."]


def test_points_stay_when_an_answer_was_wrong_and_new_ones_come_by_a_button(player, lesson):
    opened, task = lesson(SEEDS), format.read(SEEDS).scenes[0].tasks[0]
    named = [mark["text"] for mark in player.marks("map", name="named") if "text" in mark]
    assert named == ["x₀"]  # One example, one question.
    opened.until_asked_ahead(0)
    others = {"correct": "mistake", "mistake": "correct"}
    opened.predict(0, [others[verdict] for verdict in task.solve().answer["verdicts"]])
    assert opened.check(0).startswith("x₁ is ")
    assert opened.verdict(0) == "Not this time."
    opened.until_asked_ahead(0, False)
    assert ("seed" in player.query, player.rest().t) == (False, 2)
    before = opened.fields(0)
    opened.reload()
    assert (opened.fields(0), opened.verdict(0)) == (before, "Not this time.")
    assert ("seed" in player.query, player.rest().t) == (False, 2)
    opened.button(0, "Try new points").click()
    opened.arrive()
    assert ("seed=3" in player.query, player.rest().t) == (True, 0)
    assert not any(opened.fields(0))  # What was chosen is about the old points.
    player.press("k").settle()  # Another kernel, by hand.
    assert opened.start_button(0).is_visible()
    assert not opened.start_button(2).is_visible()  # It is about none.
    opened.answer(0, task, 1)
    opened.until_asked_ahead(0, False)


def test_what_a_task_names_is_ringed_and_said_and_a_count_that_it_asks_for_is_not_told(
    player, lesson
):
    def ringed():
        return [mark["text"] for mark in player.rest().marks("map", name="named") if "text" in mark]

    opened, scene = lesson(), format.read(TEXT).scenes[0]
    assert ringed() == ["x₀"]
    player.until("r.querySelector('.account').textContent.includes('The task names x₀')")
    opened.answer(0, scene.tasks[0])
    player.press("End").rest()
    counted = ("6 mistakes", "5 mistakes", "in epoch 1")
    opened.task(1)
    player.press("End").rest()
    account = "r.querySelector('.account').textContent"
    words = player.js(account) + " ".join(mark.get("text", "") for mark in player.marks("timeline"))
    assert not [each for each in counted if each in words.lower()], words
    opened.write(1, 6)
    assert "6 mistakes" in player.rest().js(account)
    assert not player.js("r.querySelector('.account').textContent.includes('The task names')")
    opened.go(1).field(0).fill("3, 5")
    assert ringed() == ["x₃", "x₅"]
    beside = TEXT.replace("n=16&noise=0\n", "n=16&noise=0&show=alpha\n")
    for value, is_told in (("mistakes", True), ("support", False)):
        lesson(beside.replace("value: mistakes", f"value: {value}")).task(1)
        player.press("End").rest()
        assert ("support:" in str(player.marks("alpha"))) == is_told


def test_after_the_last_try_one_goes_on_for_practice_and_what_counts_stays(player, lesson):
    opened = lesson(SEEDS.replace("tries: 3", "tries: 1"))
    again = opened.again_button(0)
    task = format.read(SEEDS).scenes[0].tasks[0]
    assert not again.is_visible()
    first, last = task.solve().answer["verdicts"]
    opened.predict(0, [first, "correct" if last == "mistake" else "mistake"]).check(0)
    assert opened.over[0]
    assert opened.is_locked(0)
    again.click()
    opened.arrive()
    assert "seed=3" in player.query
    opened.until_asked_ahead(0).predict(0, task.solve(1).answer["verdicts"])
    opened.until_checked()
    assert opened.is_right(0)
    assert player.js(
        "[s.lesson.progress.of(0, 0).right, s.lesson.progress.of(0, 0).answers.length]"
    ) == [False, 1]
    assert not again.is_visible()


TURNED = """---
title: Turned
---
## One
link: v=1&data=xor&n=16&noise=0&sigma=2

```task reach
ask: No mistake at the end.
start: v=1&data=xor&n=16&noise=0&sigma=3
within: sigma 0.4 to 3, kernel linear or gaussian, intercept
until: training_error == 0 and sigma < 0.5
solution: v=1&data=xor&n=16&noise=0&sigma=0.45
tries: 9
```

```task draw
ask: Draw.
start: v=1&data=drawn&kernel=linear
until: n == 2
solution: v=1&data=drawn&points=vovoQYn0.o&kernel=linear
```
"""


def test_what_may_change_is_turned_in_the_task_from_its_own_start(player, lesson):
    opened = lesson(TURNED)
    assert "sigma=3" in player.query  # where the task starts, not where the scene opens
    slider = opened.slider(0, "σ")
    kernels = opened.task(0).locator(".tiles .title").all_inner_texts()
    assert kernels == ["Linear", "Gaussian"]
    options = (
        "[...r.querySelectorAll('.lesson .field.choice .title')].map((e) => [e.offsetWidth, "
        "e.offsetHeight])"
    )
    assert all(width > height for width, height in player.js(options))
    assert opened.check(0).startswith("✓ training error: 0%.\n✗ σ: 3 (wanted: less than 0.50)")
    assert opened.verdict(0) == "Not yet."
    assert player.rest().t == player.js("s.run.nSteps")
    assert opened.goals(0) == ["✓ training error: 0%", "✗ σ: 3 (wanted: less than 0.50)"]
    assert not opened.is_ready(0)
    slider.focus()
    player.press("Home").settle()
    player.until("s.session.state.link.includes('sigma=0.4')")
    player.until("s.lesson.task.measured?.areMet === true")
    assert opened.goals(0) == ["✓ training error: 0%", "✓ σ: 0.40"]
    assert opened.is_ready(0)
    assert opened.tries[0] == 1  # To see how far one is costs no try.
    assert opened.check(0).startswith("It holds")
    opened.button(1, "Draw blue").click()
    player.until("s.standing.edit.on && s.standing.edit.label === -1")


def test_a_link_to_a_scene_whose_settings_are_turned_shows_its_run_which_is_no_solution(player):
    opened = Lesson(player).named("lesson-01-first-steps", 4)
    assert "sigma=2" in player.query
    opened.check(0)
    assert opened.verdict(0) == "Not yet."


def test_after_a_wrong_answer_its_buttons_are_in_sight_with_what_was_said(player):
    lesson = Lesson(player).named("lesson-01-first-steps", 2)
    lesson.write(0, 2)
    boxes = [each.bounding_box() for each in (lesson.check_button(0), lesson.hint_button)]
    assert max(box["y"] + box["height"] for box in boxes) <= 768


def test_the_names_of_ringed_examples_that_are_near_each_other_stand_apart(player):
    Lesson(player).named("lesson-01-first-steps", 2)
    names = [mark for mark in player.rest().marks("map", name="named") if "text" in mark]
    width = 1.6 * names[0]["size"]
    assert not any("align" in mark for mark in names)  # Each begins at its x.
    corners = [(mark["x"], mark["y"]) for mark in names]
    for k, (x, y) in enumerate(corners):
        for other_x, other_y in corners[:k]:
            assert abs(x - other_x) >= width or abs(y - other_y) >= names[0]["size"], names[k][
                "text"
            ]


def test_in_a_low_window_a_lesson_stands_beside_the_map_and_the_last_scene_leads_on(player, lesson):
    first, second, *_ = [name for name in sorted(shelf.paths()) if name.startswith("lesson-")]
    opened = Lesson(player.anew(f"/?lesson={first}")).arrive()
    player.wear(700, 400).settle()
    map_ = player.panel("map")
    box = player.page.locator(".lesson .answers").bounding_box()
    assert box["x"] >= player.at(map_["x"] + map_["w"], 0)[0]
    assert box["y"] + box["height"] <= 400
    player.wear(1366, 768).settle()
    opened.go(len(shelf.read(first).scenes) - 1)
    opened.end()
    player.page.get_by_role("button", name=f"Next lesson: {shelf.read(second).title}").click()
    player.until("s.lesson.source.name === arg", second)
    opened.arrive()


ASKED = """---
title: Asked
---
## One
link: v=1&data=xor&kernel=linear&held=0.3&epochs=3&show=alpha.readings&t=0

```task number
ask: How many mistakes?
value: mistakes
```

```task number
ask: How many support examples?
value: support
```

```task number
ask: How many held-out examples are wrong?
value: heldout_error * heldout
```
"""
TOLD = [r"\d\s+mistakes?\b", r"support: \d", r"held-out error \d|\d of 18( held out)?\b"]


def test_what_tasks_ask_for_is_not_said_by_the_board_until_it_is_answered(player, lesson):
    opened = lesson(ASKED)
    texts = "s.board.panels.flatMap(({ marks }) => marks).map(({ text }) => text ?? '').join('\\n')"

    def told():
        player.until("s.spoken.element.textContent.includes('42 of 42')").rest()
        pages = [player.press(key).rest().js(texts) for key in ("9", "0")]
        said = "".join(
            [*pages, player.page.get_by_role("region", name="The board in words").text_content()]
        )
        return [bool(re.search(each, said)) for each in TOLD]

    player.press("End").rest()
    assert told() == [False, False, False]
    # While support examples are counted, mistakes would tell most of their number.
    told_after = [[False, False, False], [True, True, False], [True, True, True]]
    tasks = format.read(ASKED).scenes[0].tasks
    for k, (task, expected) in enumerate(zip(tasks, told_after, strict=True)):
        opened.answer(k, task)
        player.press("End").rest()
        assert told() == expected


def test_neither_does_the_headline_of_an_end(player, lesson):
    lesson(
        ASKED.split("\n```task number\nask: How many support")[0].replace(
            "held=0.3&epochs=3", "n=4&noise=0"
        )
    )
    player.press("End").until("s.verdicts.at(s.run, s.run.nSteps)?.why").rest()
    assert "mistakes in the last" not in player.sentence


EMPTY = """---
title: Empty at first
---
## One
link: v=1&data=moons&n=20&seed=84&show=alpha.margins

```task choose
ask: How will it end?
choice: It converges.
when: converged
choice: It does not converge.
when: not converged
but: its last epoch has no mistake.
```
"""


def test_under_a_question_are_no_panels_that_have_nothing_to_show_yet(player, lesson):
    lesson(EMPTY)
    panels = "['alpha', 'margins', 'timeline'].filter((name) => name in s.layout.panels)"
    assert player.rest().js(panels) == ["timeline"]
    player.press("ArrowRight").until("s.player.t === 1").rest()
    assert player.js(panels) == ["alpha", "margins", "timeline"]


def test_an_open_lesson_is_at_the_lessons_and_board_leads_out_of_it(player, lesson):
    here = player.page.locator(".topbar [aria-current]")
    player.open("/?v=1")
    assert here.text_content() == "Board"
    lesson(BY_HAND)
    assert here.text_content() == "Lessons"
    player.page.get_by_role("link", name="Board", exact=True).click()
    player.until("!s.lesson.open && !location.search.includes('lesson=')").rest()
    assert here.text_content() == "Board"


BY_HAND = """---
title: By hand
---
## One
link: v=1&data=drawn&points=gAgAn0gAvogA.o&sigma=0.5&t=2&show=remembered.gram

```task number
ask: What is k(x₀, x₁)?
value: k(0, 1)
```

```task number
ask: What is the score of x₂?
value: score(2)
```
"""


def test_a_number_by_hand_is_not_read_off_the_board(player, lesson):
    """Neither a cell of the Gram matrix nor f, under the pointer or in colours, gives it away.

    A panel that would be hidden whole is away until then.
    """
    opened = lesson(BY_HAND)
    player.wear(1366, 1000).settle()  # Both panels have room under the scene.

    def told():
        player.rest()
        there = player.js("s.board.panels.map(({ name }) => name)")
        x, y = player.js("[s.player.maps[0].view.x(1), s.player.maps[0].view.y(0)]")
        card = " ".join(player.point(x, y).rest().tip)
        said = player.page.get_by_role("region", name="The board in words").text_content()
        shown = ["gram" in there, "remembered" in there, "f = " in card]
        return [*shown, "the score +0.61" in said]

    assert told() == [False] * 4
    first, second = format.read(BY_HAND).scenes[0].tasks
    opened.answer(0, first)
    assert told() == [True, False, False, False]
    opened.answer(1, second)
    assert told() == [True] * 4


VOTED = """---
title: Votes
symbols: no
---
## One
link: v=1&data=moons&n=20&seed=84&t=40&show=none

```task number
ask: Four vote on x₁₄. What is its score?
votes: x14
value: score(14)
tolerance: 0.015
```
"""


def test_votes_that_are_to_be_added_up_stand_on_the_map_and_in_words_and_their_sum_does_not(
    player, lesson
):
    opened = lesson(VOTED)
    numbers = ["−0.91", "−0.23", "+0.23", "+0.21"]

    def votes():
        marks = player.rest().marks("map", name="vote")
        lines = [mark for mark in marks if "text" not in mark]
        return len(lines), [mark["text"] for mark in marks if "text" in mark]

    def said():
        pointed = player.point(*player.spots()[14]).rest().tip
        in_words = player.page.get_by_role("region", name="The board in words").text_content()
        return [*pointed, in_words]

    assert votes() == (4, numbers)
    assert (
        "Votes on x₁₄: −0.91  from x₁₁; −0.23  from x₀; +0.23  from x₄; +0.21  from x₁₉."
        in (said()[-1])
    )
    assert not any("0.71" in words for words in said())
    assert not player.js("s.player.hidesF")
    opened.answer(0, format.read(VOTED).scenes[0].tasks[0])
    assert any("0.71" in words for words in said())
    # The explanation adds them up, and no second number stands on their lines.
    player.away()
    assert votes() == (4, numbers)
    assert player.rest().marks("map", name="figure") == []


def test_no_line_ends_within_a_formula(player, lesson):
    lesson(shelf.paths()["lesson-02-be-the-perceptron"].read_text(encoding="utf-8"))
    lines = """[...r.querySelectorAll('.lesson .unbroken')].map((e) => [e.textContent, e.getClientRects().length,
        Math.round(e.offsetHeight / parseFloat(getComputedStyle(e).fontSize))])"""
    found = player.js(lines)
    assert ["x₁ = (−1, 0.5),", 1, 1] in found
    assert all(each[1:] == [1, 1] for each in found), found


def test_a_lesson_for_beginners_has_a_board_without_symbols(player, lesson):
    first = shelf.paths()["lesson-01-first-steps"].read_text(encoding="utf-8")
    opened = lesson(first)
    for at in range(len(format.read(first).scenes)):
        opened.go(at)
        player.point(
            *player.js("[s.player.maps[0].view.x(s.run.X[0]), s.player.maps[0].view.y(s.run.X[1])]")
        ).rest()
        # While what comes next is asked, its score would tell the answer.
        is_told = player.js("s.lesson.conceals()") != "numbers"
        assert any(line.startswith("score") for line in player.tip) == is_told
        said = " ".join(
            player.js("s.board.panels.flatMap(({ marks }) => marks).map(({ text }) => text ?? '')")
        )
        assert "score" in said
        assert not re.search(r"\b[fyk]\b|[αΣ‖]", said), said
        names = [mark["text"] for mark in player.marks("map") if "text" in mark]
        assert (names.count("x₁"), names.count("x₂")) == (
            (1, 0) if at == 0 else (1, 1) if at == 1 else (0, 0)
        )  # no axis is called like them
    player.press("Home").rest()
    assert "score 0 everywhere" in player.words("strip")


WALKED = """---
title: Walked
---
## One
link: v=1&data=xor&n=16&noise=0

Words.

```task predict
ask: The first?
```

```cues
start: Look here.
mistake 2: A blue hill.
end: It ends.
```

More words.

```task number
ask: How many mistakes at the end?
value: mistakes
```

## Two
link: v=1&data=moons&n=16
"""


def test_alone_next_goes_from_cue_to_cue_after_what_is_asked_above_them_and_on_to_what_is_below(
    player, lesson
):
    opened = lesson(WALKED)
    player.pace(60)
    predicted, counted = format.read(WALKED).scenes[0].tasks
    opened.answer(0, predicted)
    opened.go_on()
    second = player.js(
        "s.run.trace.mistake.findIndex((m, k, all) => m && all.slice(0, k).includes(1)) + 1"
    )
    end = player.js("s.run.nSteps")
    seen = []
    for _ in range(3):
        player.until_paused().rest()
        seen.append((opened.cue, player.t, opened.sentence))
        opened.go_on()
    assert seen == [
        ("1/3", 0, "Look here."),
        ("2/3", second, "A blue hill."),
        ("3/3", end, "It ends."),
    ]
    assert "More words." in opened.task(1).inner_text()
    opened.answer(1, counted)
    opened.go_on()
    player.until("s.lesson.at === 1")
    opened.back().way("Back").click()
    assert opened.arrive().cue == "3/3"
    opened.way("Back").click()
    assert (player.rest().t, opened.sentence) == (second, "A blue hill.")


# ---- presented -----------------------------------------------------------------------------------


def test_a_clicker_goes_from_cue_to_cue_and_through_all_questions_to_the_next_scene_and_back(
    player, lesson
):
    opened = lesson()
    player.present().pace(60)
    end = player.js("s.run.nSteps")
    second = player.js(
        "s.run.trace.mistake.findIndex((m, k, all) => m && all.slice(0, k).includes(1)) + 1"
    )
    title, first, words = (
        "All kinds5 minutesYou will be able to:try each",
        "FirstWords in bold, code, and a link.",
        "Second",
    )
    there = [
        *places_on_stage(0, title, first, 0, second, *left_unvoted(0), *left_unvoted(1)),
        *places_on_stage(1, words, 6, *left_unvoted(0), "1 shown", *left_unvoted(2)),
        *places_on_stage(2, "Third", 0, "0 shown", "1 shown"),
    ]
    back = [
        *places_on_stage(2, "0 shown", 3000, 0, "Third"),  # from the end of its run
        *places_on_stage(1, "2 shown", "2 asked", "1 shown", "0 shown", "0 asked", end, 0, words),
        *places_on_stage(0, "1 shown", "1 asked", "0 shown", "0 asked", end, second, 0, first),
    ]
    seen = [opened.on_stage]
    seen += opened.clicked(["PageDown"] * (len(there) - 1) + ["PageUp"] * len(back))
    assert seen == there + back


def test_while_one_presents_keys_turn_the_knobs_of_a_scene_and_change_the_kernel(player, lesson):
    opened = lesson(TEXT.replace("## First\n", "## First\nknobs: sigma, noise\n"))
    player.press("?")
    rows = player.js(
        "[...r.querySelectorAll('.menu.help dt')].map((e) => [e.textContent, "
        "e.nextSibling.textContent])"
    )
    turning = "presenting: turn the first number up / down · turn the second number up / down"
    assert dict(rows)["G / Shift G · T / Shift T"] == turning
    player.press("Escape").present().press("x")
    before = player.settings
    assert player.sentence == "Look here."
    player.press("g").settle()
    assert player.settings.sigma > before.sigma
    assert player.sentence != "Look here."  # words of cues are about the run of the scene
    assert player.press("Shift+g").settle().sentence == "Look here."
    assert player.press("t").settle().settings.noise > before.noise
    turned = player.press("g").settle().settings
    assert player.press("k").settle().settings.kernel == "linear"
    assert player.press("k").settle().settings == turned
    assert player.press("Backspace").settle().sentence == "Look here."
    assert player.settings == before
    opened.go(1)
    assert (
        player.press("Shift+g").settle().settings.sigma == 0.405
    )  # where no scene names knobs; 0.494 is hardly another
    assert player.js("s.present.slides.over") is None  # what one changes is seen
    player.press("t").page.get_by_text("have no number to turn").wait_for()
    assert player.js(
        "parseFloat(getComputedStyle(r.querySelector('.notices p')).fontSize) >= 0.022 * "
        "innerHeight"
    )
    assert player.press("Home").page.get_by_text("have no number to turn").count() == 0
    assert player.press("Backspace").settle().settings.sigma == 0.5
    assert player.press("Backspace").status == "These are the scene’s own settings and panels."
    own = player.shown
    player.js("(s.actions.show('bound', true), s.actions.show('alpha', false), 0)")
    assert player.rest().shown != own
    assert player.press("Backspace").rest().shown == own
    for kernel in ("linear", "gaussian"):  # where no scene names knobs, too
        assert player.press("k").settle().settings.kernel == kernel


TWICE = """---
title: Twice
---
## First
link: v=1&data=xor&n=16&noise=0

```cues
start: Look here.
mistake 2: And here.
```

## The same points
link: v=1&data=xor&n=16&noise=0&show=alpha

```cues
start: Begin again.
mistake 3: Not yet.
```

## Compared
link: v=1&compare=widths

## Fourth
link: v=1
"""
PRESSED = """arg.forEach((key) =>
  document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""


def test_a_key_pressed_while_a_scene_is_on_its_way_does_not_take_its_first_words_away(
    player, lesson
):
    for impatient in ("PageDown", " "):
        lesson(TWICE)
        player.pace(60).present().press("x", "PageDown").until(
            "s.t > 0 && !s.clock.playing"
        ).settle()
        player.js(PRESSED, ["PageDown", impatient])
        player.until("s.lesson.at === 1 && !s.lesson.arriving")
        assert not player.playing
        if player.js("s.present.slides.full"):
            player.press("PageDown")
        assert player.settle().t == 0
        assert "Begin again." in player.words()


def test_a_clicker_plays_a_comparison_to_its_end_and_the_last_scene_says_that_it_is_and_leads_back(
    player, lesson
):
    opened = lesson(TWICE).go(2)
    player.present().press("PageDown")
    end = player.js("s.runs.end")
    player.pace(60).press("PageDown").until("s.clock.playing")
    player.press("PageDown").until_paused()
    assert (opened.at, player.t) == (2, end)
    player.press("PageDown").until("s.lesson.at === 3 && !s.lesson.arriving")
    while player.press("PageDown").until_paused().said != "This is the last scene.":
        pass
    before = player.t
    assert (player.press("PageDown").rest().t, opened.at, player.presents) == (before, 3, True)
    while opened.at == 3:
        player.press("PageUp").until("!s.lesson.arriving").settle()
    assert opened.at == 2


# ---- keys alone ----------------------------------------------------------------------------------


def test_fields_are_filled_by_keys_alone_and_the_focus_is_never_lost(player, lesson):
    opened = lesson().focus()
    player.press(*["Tab"] * 4, "Enter")  # over a link, the names and "right": a mistake
    assert player.focused() == "main"  # what goes on
    player.press("Enter", "Enter")  # the next question: right
    opened.until_over(0)
    assert player.focused() == "main"
    player.press("Enter", "5", "Enter")
    opened.until_tried(1)
    player.press("Tab", "Tab", "Tab", "Enter", "Enter")  # over Check and Back to both hints
    assert player.focused() == "text"
    player.press("Backspace", "6", "Enter")
    opened.until_over(1)
    assert player.focused() == "main"
    player.press("Enter").settle()
    assert player.focused() == "scene"  # the board with its cues
    player.press("Enter").until_paused().press("Enter").until("s.lesson.at === 1")
    opened.arrive()
    assert player.focused() == "text"  # its first answer


def test_tasks_of_each_other_kind_are_done_by_keys_alone(player, lesson):
    opened, scene = lesson().go(1), format.read(TEXT).scenes[1]
    support, _, chosen = (task.solve().answer for task in scene.tasks)
    opened.focus()
    player.press("Tab")
    player.page.keyboard.type(", ".join(map(str, support["examples"])))
    player.press("Enter")
    opened.until_over(0)
    opened.choice(2, 0).focus()
    assert chosen["choices"] == [0]
    player.press(" ")  # One is true: that is the answer.
    opened.until_over(2).go(2).focus()
    player.press("Shift+k").until("s.dock.open").settle()  # the kernels, in the lesson's place
    assert player.js("s.dock.element.contains(r.getRootNode().activeElement)")
    player.press("Escape").until("!s.dock.open").settle()
    while player.settings.kernel != "gaussian":
        player.press("k").settle()
    opened.check_button(0).focus()
    player.press("Enter")
    opened.until_over(0)
    opened.field(1).focus()
    player.page.keyboard.type("It bends")
    player.press("Tab", "Enter")
    opened.until_over(1)


def test_words_that_are_too_long_are_scrolled_by_keys(player, lesson):
    long = "A line.\n\n" * 60
    lesson(
        TEXT.replace("Words in", f"{long}Words in").replace("two?", "two?\nstart: v=1&data=moons")
    ).focus()
    player.press("End").until(f"{SCROLLS}.scrollTop > 100")
    assert player.t == 0
    player.press("ArrowRight").until("s.t === 1")
