"""Who was wrong twice may be shown what is right, and it is said that it was shown."""

import json

import pytest
from answering import Lesson
from test_every_task import LISTEN, wrong_answers

from kpviz.lessons import grading, results
from kpviz.lessons.file import format
from kpviz.service.packing import lesson_page

TEXT = """---
title: Looked for
---
## First
link: v=1&data=xor&n=16&noise=0

```task choose
ask: What is the number of mistakes?
choice: It is 4.
choice: It is 5.
choice: It is 6.
answer: C
why: Each tick is one.
```

```task choose
ask: What is true?
choice: It ends.
choice: It goes on for ever.
choice: There are mistakes.
answer: A, C
```

```task number
ask: How many mistakes at the end?
value: mistakes
```

```task number
ask: What is R²?
start: v=1&data=drawn&points=n0n0vogAYMvo.w&kernel=linear
value: radius * radius
```

```task click
ask: The next mistake?
what: next mistake
start: v=1&data=xor&n=16&noise=0&t=2
```

```task perform
ask: Two steps.
start: v=1&data=xor&n=16&noise=0
count: 2
```

```task reach
ask: No mistake at the end.
start: v=1&data=xor&n=16&noise=0&sigma=3
within: sigma 0.1 to 3
until: training_error == 0
solution: v=1&data=xor&n=16&noise=0&sigma=0.4
```
"""
PLACES = range(7)
KINDS = [task.kind for task in format.read(TEXT).scenes[0].tasks]


@pytest.fixture
def opened(player):
    player.anew("/?v=1")
    return Lesson(player).read(TEXT)


def show_button(opened, k):
    return opened.button(k, "Show me")


def answer_wrongly(opened, k, task, tries=(0, 1)):
    for tried in tries:
        opened.try_again(k)
        opened.give(k, task, list(wrong_answers(task, tried))[tried])
        opened.until_tried(k, tried + 1)


@pytest.mark.parametrize("k", PLACES, ids=[f"{k}-{kind}" for k, kind in enumerate(KINDS)])
def test_who_was_wrong_twice_is_shown_what_is_right_on_the_map(opened, k):
    player = opened.player
    task = format.read(TEXT).scenes[0].tasks[k]
    assert show_button(opened, k).is_hidden()
    answer_wrongly(opened, k, task, [0])
    assert show_button(opened, k).is_hidden()
    answer_wrongly(opened, k, task, [1])
    player.js(LISTEN)
    show_button(opened, k).focus()
    player.press("Enter").until("s.lesson.tasks[arg].showsRight", k)
    opened.arrive()
    assert (opened.verdict(k), opened.over[k], opened.is_right(k)) == ("Shown.", True, False)
    assert len(player.js("window.heard")) <= 1  # By ear it is said once.
    assert opened.leads(k)
    focused = player.js("r.getRootNode().activeElement.textContent")
    assert focused == "Next"
    right = task.solve().answer
    if task.kind == "reach":
        assert "sigma=0.4" in player.query
        assert player.rest().t == player.js("s.runs.end")
    elif task.kind == "perform":
        assert player.rest().t == 2
    elif task.kind == "click":
        assert player.js("s.lesson.task.ringed") == [
            {"i": i, "was": "asked"} for i in right["examples"]
        ]
    elif task.kind == "number":
        assert float(opened.fields(k)[0]) == pytest.approx(right["number"], rel=1e-3)
        assert opened.said(k) == f"What is right: {opened.fields(k)[0]}."
    else:
        assert player.js("s.lesson.task.fields.read()") == right
    if k == 3:
        assert {figure["kind"] for figure in player.js("s.lesson.figures()")} == {"arrow"}
    if k == 0:
        assert opened.because(k) == ["Each tick is one."]
        assert not opened.task(k).locator(".answers .right").count()  # A tick is the person's.
    state = "[s.lesson.task.fields.read(), s.lesson.figures(), s.lesson.answered(), s.t]"
    before = player.rest().js(state), opened.said(k), opened.fields(k)
    opened.reload()
    opened.task(k)
    assert (player.rest().js(state), opened.said(k), opened.fields(k)) == before
    assert (opened.verdict(k), opened.over[k], opened.leads(k)) == ("Shown.", True, True)
    assert show_button(opened, k).is_hidden()
    opened.try_again(k)  # It is for practice.
    opened.answer(k, task)
    assert opened.verdict(k) == "You were right."


def test_the_file_for_the_teacher_says_that_it_was_shown_and_gives_no_point(opened):
    task = format.read(TEXT).scenes[0].tasks[2]
    answer_wrongly(opened, 2, task)
    show_button(opened, 2).click()
    opened.until_over(2).try_again(2)
    opened.answer(2, task)
    _, path = opened.save()
    (record,) = json.loads(path.read_text("utf-8"))["tasks"]
    assert (record["shown"], record["right"], len(record["answers"])) == (True, False, 2)
    grade = grading.grade(results.read(path.read_bytes()), format.read(TEXT))
    assert (grade.points, grade.notes) == (0, ())


def test_a_copy_for_students_shows_nobody_what_is_right(player):
    player.anew("/?v=1")
    read = format.read(TEXT)
    opened = Lesson(player).read(read.for_students)
    answer_wrongly(opened, 2, read.scenes[0].tasks[2])
    assert show_button(opened, 2).is_hidden()


@pytest.mark.parametrize("k", range(5))
def test_a_page_of_its_own_shows_what_is_right_without_a_server(alone, tmp_path, k):
    alone.forget()
    path = tmp_path / "looked-for.html"
    path.write_text(lesson_page(format.read(TEXT), "looked-for"), encoding="utf-8")
    alone.wear().page.goto(path.as_uri())
    opened = Lesson(alone.ready()).arrive()
    try:
        task = format.read(TEXT).scenes[0].tasks[k]
        answer_wrongly(opened, k, task)
        show_button(opened, k).click()
        assert (opened.verdict(k), opened.leads(k)) == ("Shown.", True)
        before = opened.fields(k), opened.said(k)
        opened.reload()
        assert (opened.fields(k), opened.said(k), opened.verdict(k)) == (*before, "Shown.")
    finally:
        alone.js("(localStorage.clear(), sessionStorage.clear(), 0)")


# ---- where there were two answers, and it is over ------------------------------------------------

PREDICT = """---
title: Over
---
## One
link: v=1&data=moons&n=16&noise=0&seed=2

```task predict
ask: The first three?
count: 3
seeds: 2, 3
```
"""
# Which instants the board shows, one after the other.
INSTANTS = "(window.instants = [], s.state.subscribe(() => instants.push(s.t)), 0)"


def test_a_wrong_answer_of_two_leaves_next_its_step_once_more_and_new_points(player):
    player.anew("/?v=1")
    opened = Lesson(player).read(PREDICT)
    (task,) = format.read(PREDICT).scenes[0].tasks
    others = {"correct": "mistake", "mistake": "correct"}
    right, *later = task.solve().answer["verdicts"]
    opened.predict(0, [right])
    assert opened.button(0, "Show it again").is_hidden()  # It was right.
    player.press("Enter").js(INSTANTS)
    for at, verdict in enumerate(later, 2):
        opened.task(0).locator(".answers button").nth(
            ["correct", "mistake"].index(others[verdict])
        ).click()
        player.until("s.t === arg", at).js("(instants.length = 0)")
        said = opened.said(0)
        opened.button(0, "Show it again").wait_for()
        player.press("ArrowLeft").until("instants.length > 0 && s.t === arg", at)
        assert player.js("instants") == [at - 1, at]
        opened.button(0, "Show it again").click()
        player.until("instants.length > 2 && s.t === arg", at).rest()
        assert (opened.said(0), opened.verdict(0)) == (said, "Not this time.")
        if at < 3:
            player.press("Enter")
    opened.until_tried(0)
    buttons = opened.task(0).locator(".goes-on button:visible").all_inner_texts()
    assert buttons == ["Next", "Show it again", "Try new points"]
    player.press("n")
    opened.arrive()
    assert "seed=3" in player.until_set("seed=3").query
    assert not any(opened.fields(0))


def test_in_guess_first_a_wrong_answer_leaves_its_step_once_more_and_new_points(player):
    player.open("/?v=1&t=20").press("q").rest()
    wrong = "ArrowRight" if player.js("s.run.trace.score[s.t]") > 0 else "ArrowLeft"
    player.press(wrong).until("s.standing.question.phase === 'answered'").rest()
    box = player.page.locator(".kpviz .asking")
    buttons = box.locator(".goes-on button")
    assert buttons.all_inner_texts() == ["Next", "Show it again", "Try new points"]
    t = player.js(INSTANTS) or player.t
    player.press("ArrowLeft").until("instants.length > 0 && s.t === arg", t)
    assert player.js("[instants, s.standing.question.phase]") == [[t - 1, t], "answered"]
    buttons.nth(1).click()
    player.until("instants.length > 2 && s.t === arg", t).rest()
    buttons.nth(2).click()
    player.until_set("seed=1")
    assert player.js("[s.standing.question.phase, s.standing.question.answers.size]") == ["ask", 0]
    assert player.t < 5  # From the start of the new points.
    right = "ArrowLeft" if player.js("s.run.trace.score[s.t]") > 0 else "ArrowRight"
    player.press(right).until("s.standing.question.phase === 'answered'").rest()
    assert buttons.all_inner_texts() == ["Next"]


def test_with_reduced_motion_the_picture_of_before_is_seen_once_more_and_next_goes_on(player):
    player.wear(reduced_motion="reduce").open("/?v=1").press("q").rest()
    t = player.js("s.standing.question.questions.find((t) => s.run.trace.mistake[t])")
    player.js("(s.standing.question.predictFrom(arg), 0)", t)
    player.until("s.t === arg", t)
    player.press("ArrowRight" if player.js("s.run.trace.score[s.t]") > 0 else "ArrowLeft").rest()
    shown = """(() => {
      s.standing.question.replay();
      const { map } = s.scenes();
      const seen = [s.t, [...(map.happening.field ?? s.run.reading(s.t).field)], map.beat?.name];
      s.standing.question.nextQuestion();
      return seen;
    })()"""
    before, after = (player.js("[...s.run.reading(arg).field]", at) for at in (t, t + 1))
    assert before != after
    assert player.js(shown) == [t + 1, before, "example"]
    assert (player.rest().t, player.js("s.standing.question.phase")) == (
        player.js("s.standing.question.next(arg)", t + 1),
        "ask",
    )
