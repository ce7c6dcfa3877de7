"""Every task of every lesson that comes along is answered as a student does, wrongly in up to three
ways and then rightly: nothing moves away while it explains, the example in question has its ring,
the answer is told once, what comes next can be pressed, and a reload changes nothing.

One task of each kind is answered, by the mouse and in a page of its own, and one by keys and by
touch, of which the same is kept; `KPVIZ_TASKS_COUNT=all` answers all of them, by the mouse. The wrong answers are made from
the lesson's own file.
"""

import os
import random
import re
from functools import cache
from itertools import islice

import pytest
from answering import Lesson
from hands import Keying, Touching
from near_misses import NEAR

from kpviz.lessons import shelf
from kpviz.lessons.file.links import Case
from kpviz.service.packing import lesson_page

COUNT = os.environ.get("KPVIZ_TASKS_COUNT", "one")
SEED = os.environ.get("KPVIZ_TASKS_SEED", "1")
WAYS_TO_FAIL = 3
WINDOWS = ((1366, 640), (1280, 720), (1366, 768))
PACKED = ("predict", "choose", "number", "click", "explain")  # A page of its own has no engine.
# Tasks that can be answered by keys and by touch with few presses, of each kind one.
BY_HAND = [
    ("lesson-01-first-steps", 0, 0),
    ("lesson-01-first-steps", 1, 0),
    ("lesson-01-first-steps", 1, 1),
    ("lesson-01-first-steps", 3, 0),
    ("lesson-01-first-steps", 3, 1),
    ("lesson-01b-sum-of-votes", 0, 0),
    ("lesson-02-be-the-perceptron", 0, 0),
    ("lesson-03-xor-and-cycles", 1, 0),
    ("lesson-05-intercept-and-zero", 0, 0),
]
IN_WORDS = ("lesson-03-xor-and-cycles", 0, 2)
EIGHT_STEPS = ("lesson-04-scores-by-hand", 2, 0)  # The row of its steps is the longest.
# What a screen reader is told: the texts of all live regions that changed. A name in the words says
# what it names when Tab comes to it: that alone is told of the focus, and not of an answer.
LISTEN = """(() => {
  window.heard = [];
  const isLive = (node) => node.closest?.("[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]");
  window.listening?.disconnect();
  window.listening = new MutationObserver((changes) => {
    const name = r.getRootNode().activeElement?.closest(".naming")?.dataset.names ?? "";
    const written = name.replace(/[0-9]/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
    const isOfName = (words) => name && words.startsWith(`${written}  `);
    for (const { target } of changes) {
      const live = isLive(target.nodeType === 1 ? target : target.parentElement);
      const words = live?.textContent.trim();
      if (words && words !== "…" && !isOfName(words) && heard.at(-1) !== words) heard.push(words);
    }
  });
  listening.observe(r, { subtree: true, childList: true, characterData: true });
  return 0;
})()"""
IS_MEASURED = "s.lesson.tasks[arg].measured?.link === s.lesson.tasks[arg].host.link()"
IS_UNCOVERED = """(button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  return button.contains(button.getRootNode().elementFromPoint(x + width / 2, y + height / 2));
}"""
# Whether what comes next is a scene that another page shows.
LEADS_ELSEWHERE = """(() => {
  const { at, lesson, page, stops, stopAt } = s.lesson;
  const next = stops[stopAt + 1] ? lesson.scenes[at] : lesson.scenes[at + 1];
  return next !== undefined && !("elsewhere" in next) && next.link.page !== page;
})()"""
# The question that the focus is told with, and the one that is asked.
FOCUSED_GROUP = """(() => {
  const group = r.getRootNode().activeElement.closest("[role=group]");
  const label = r.querySelector(`#${group?.getAttribute("aria-labelledby")}`);
  return [label?.textContent, s.lesson.view.question.textContent];
})()"""
POINTS = "s.run && !s.run.fisher ? [...s.run.X].map((x) => x.toFixed(6)).join() : ''"


def places():
    """Where the tasks are: lesson, scene and number within it, with the task itself."""
    for name in sorted(shelf.paths_in(None)):
        for at, scene in enumerate(shelf.read(name).scenes):
            for k, task in enumerate(scene.tasks):
                yield name, at, k, task


def chosen():
    """All of them, or one of each kind."""
    tasks = list(places())
    if COUNT != "all":
        random.Random(SEED).shuffle(tasks)
        tasks = list({task.kind: (name, at, k, task) for name, at, k, task in tasks}.values())
    return parameters(tasks)


def packed():
    """A task of each kind that a page of its own checks, of few lessons: to pack one takes longest."""
    tasks = [place for place in places() if place[-1].kind in PACKED]
    kinds = {}
    for name, _, _, task in tasks:
        kinds.setdefault(name, set()).add(task.kind)
    random.Random(SEED).shuffle(tasks)
    tasks.sort(key=lambda place: len(kinds[place[0]]))
    return parameters({task.kind: (name, at, k, task) for name, at, k, task in tasks}.values())


def by_hand(*more):
    return parameters(place for place in places() if place[:3] in [*BY_HAND, *more])


def parameters(tasks):
    return [
        pytest.param(name, at, k, task, id=f"{name}-{at + 1}.{k + 1}-{task.kind}")
        for name, at, k, task in tasks
    ]


def wrong_answers(task, tried):
    """Answers to a try that can be given and are wrong, each in another way."""
    if task.kind == "explain":
        return
    misses = NEAR[task.kind](task, task.solve(tried).answer, tried)
    if task.kind == "draw":
        misses = misses[:1]  # Nothing is drawn yet: with the same points the others are right.
    if task.kind == "choose" and len(task.solve(tried).answer["choices"]) == 1:
        misses = [{"choices": [number]} for number in range(len(task.question.choices))]
    if task.kind == "click":
        asks_for_one = task.plain.get("one")
        singles = [{"examples": [i]} for i in range(len(Case.of(task.start_of(tried)).run.y))]
        misses = singles if asks_for_one else [miss for miss in misses if miss["examples"]]
    yield from (miss for miss in misses if is_wrong(task, miss, tried))


def is_wrong(task, answer, tried):
    result = task.check(answer, tried)
    return result.right is False and not result.detail.get("unreadable")


def is_in_sight(player, button):
    box = button.bounding_box()
    width, height = player.page.viewport_size.values()
    return (
        box is not None
        and box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= width + 0.5
        and box["y"] + box["height"] <= height + 0.5
        and button.evaluate(IS_UNCOVERED)
    )


def check_that_one_can_go_on(opened, k, what):
    """In each window the next thing to press is in sight, and one button at most is filled."""
    player = opened.player
    assert len(opened.filled(k)) <= 1, what
    for size in opened.windows or WINDOWS:
        player.wear(*size).settle()
        assert is_in_sight(player, opened.next_thing(k)), (what, size)


# ---- the example in question ---------------------------------------------------------------------


def examples_in(words):
    """The examples that are named in some words."""
    return {
        int("".join(str("₀₁₂₃₄₅₆₇₈₉".index(digit)) for digit in digits))
        for digits in re.findall("x([₀-₉]+)", words)
    }


def subject_of(opened, k, task):
    """The example that a task asks about, None where it asks about none, or several."""
    if task.kind in ("predict", "perform"):
        return opened.player.js("s.run.trace.index[s.t]")
    examples = examples_in(opened.question(k))
    is_one = task.kind in ("number", "choose") and len(examples) == 1
    return examples.pop() if is_one else None


def check_what_is_ringed_while_asked(opened, k, task):
    if not opened.player.js("s.lesson.tasks[arg].isHere", k):
        return  # Another page shows it.
    rings = opened.rings
    subject = subject_of(opened, k, task)
    assert rings.pop("asked", []) == ([] if subject is None else [subject])
    named = set(rings.pop("named", []))
    assert not rings
    if opened.player.js("Boolean(s.run.plane)") and task.kind != "predict":
        assert examples_in(opened.question(k)) <= named | {subject}


def check_what_is_ringed_once_answered(opened, k, task, answer, result, tried):
    """✓ and ✗ stand at the examples that the answer is about."""
    rings = opened.rings
    marked = {was: rings.get(was, []) for was in ("right", "wrong")}
    index = opened.player.js("[...(s.run?.trace?.index ?? [])]")
    subject = subject_of(opened, k, task) if task.kind in ("number", "choose") else None
    outcome = "right" if result.right else "wrong"
    if task.kind == "predict":
        step = (task.start.t or 0) + len(answer["verdicts"]) - 1
        is_right = answer["verdicts"][-1] == task.solve(tried).answer["verdicts"][-1]
        assert marked == {**NONE, "right" if is_right else "wrong": [index[step]]}
    elif task.kind == "click":
        assert {*marked["right"], *marked["wrong"]} == set(answer["examples"])
        assert set(marked["wrong"]) == (set() if result.right else wrong_of(answer, result))
    elif task.kind == "perform":
        first = task.start.t or 0
        steps = range(first, first + len(answer["steps"]))
        step = result.detail.get("step")
        assert marked["wrong"] == ([] if result.right else [index[step - 1]])
        assert {*marked["right"], *marked["wrong"]} <= {index[step] for step in steps}
        assert not result.right or set(marked["right"]) == {index[step] for step in steps}
    elif subject is not None:
        assert marked == {**NONE, outcome: [subject]}
    else:
        assert marked == NONE


NONE = {"right": [], "wrong": []}


def wrong_of(answer, result):
    return set(answer["examples"]) & set(result.detail.get("wrong", ()))


# ---- the law -------------------------------------------------------------------------------------


def give_and_listen(opened, k, task, answer):
    """Give an answer, and note what is told of it: of one that is checked by a button, from then on."""
    player = opened.player
    if task.kind in ("predict", "choose", "perform"):
        player.js(LISTEN)
        opened.give(k, task, answer)
        return
    opened.fill_in(k, task, answer)
    player.settle()
    if task.kind in ("reach", "draw"):  # What the board is then is told before it is checked.
        player.until(IS_MEASURED, k).settle()
    player.js(LISTEN)
    opened.check(k)


def check_what_was_heard(opened, k, task, answer):
    heard = opened.player.js("heard")
    judged = {"predict": "verdicts", "perform": "steps"}.get(task.kind)
    count = len(answer[judged]) if judged else 1
    told = [" ".join(words.split()) for words in heard]
    assert told[-1:] == [opened.told(k)], heard
    assert len(told) <= count if task.kind == "perform" else len(told) == count, heard


def check_that_a_reload_changes_nothing(opened, k):
    before = opened.seen(k)
    opened.reload()
    opened.task(k)
    assert opened.seen(k) == before


def check_what_comes_next(opened):
    """The next question is told by the focus alone, which whoever uses keys has at its answers."""
    player = opened.player
    if player.js(LEADS_ELSEWHERE):
        at = opened.at
        with player.page.expect_navigation():
            opened.press_next()
        opened.player.ready()
        assert opened.arrive().at == at + 1
        return
    player.js(LISTEN)
    opened.go_on()
    if player.js("Boolean(s.lesson.task) && !s.lesson.task.isOver"):
        assert player.js("heard") == []
        if opened.has_focus:
            group, question = player.js(FOCUSED_GROUP)
            assert group == question


def check_the_law(opened, k, task, ways=WAYS_TO_FAIL, *, reloads=True):
    """Answer a task wrongly in so many ways, and rightly; `reloads`: what is kept of it as well."""
    player = opened.player
    check_that_one_can_go_on(opened, k, "asked")
    check_what_is_ringed_while_asked(opened, k, task)
    most = ways if task.tries is None else min(ways, task.tries)
    tried = 0
    while tried < most:
        miss = next(islice(wrong_answers(task, tried), tried, None), None)
        if miss is None:
            break
        result = task.check(miss, tried)
        points = player.js(POINTS)
        give_and_listen(opened, k, task, miss)
        tried += 1
        opened.until_tried(k, tried)
        assert opened.said(k), miss
        if task.kind != "reach":
            assert player.js(POINTS) == points, miss  # They stay while it explains.
        check_what_was_heard(opened, k, task, miss)
        check_what_is_ringed_once_answered(opened, k, task, miss, result, tried - 1)
        if tried == 1:
            check_that_one_can_go_on(opened, k, miss)
            if reloads:
                check_that_a_reload_changes_nothing(opened, k)
        opened.try_again(k)
    if task.tries == tried:
        assert opened.over[k]
        return
    answer = right_answer(task, tried)
    give_and_listen(opened, k, task, answer)
    opened.until_over(k)
    assert opened.is_right(k) or task.kind == "explain"
    assert opened.told(k) or opened.because(k)
    check_what_was_heard(opened, k, task, answer)
    result = task.check(answer, tried)
    check_what_is_ringed_once_answered(opened, k, task, answer, result, tried)
    check_that_one_can_go_on(opened, k, "right")
    if reloads:
        check_that_a_reload_changes_nothing(opened, k)
    check_what_comes_next(opened)


def right_answer(task, tried):
    return {"text": "No line does."} if task.kind == "explain" else task.solve(tried).answer


@pytest.mark.parametrize(("name", "at", "k", "task"), chosen())
def test_a_task_is_answered_wrongly_and_rightly_and_nothing_moves_away(player, name, at, k, task):
    page = shelf.read(name).scenes[at].link.page
    player.wear(1366, 768)
    check_the_law(Lesson(player).named(name, at + 1, page=page), k, task)


@pytest.mark.parametrize(("name", "at", "k", "task"), by_hand())
def test_a_task_is_answered_by_keys_alone(player, name, at, k, task):
    player.wear(1366, 768)
    check_the_law(Keying(player).named(name, at + 1), k, task, ways=1, reloads=False)


@pytest.mark.parametrize(("name", "at", "k", "task"), by_hand(EIGHT_STEPS, IN_WORDS))
def test_a_task_is_answered_by_touch(phone, name, at, k, task):
    check_the_law(Touching(phone).named(name, at + 1), k, task, ways=1, reloads=False)


@cache
def page_of(name):
    """The page of a lesson."""
    return lesson_page(shelf.read(name), name)


class Reading(Lesson):
    """Who has the page of a lesson, and a mouse."""

    windows = WINDOWS[:1]  # The lowest; in the others tasks are looked at in the app.


@pytest.mark.parametrize(("name", "at", "k", "task"), packed())
def test_a_task_is_answered_in_a_page_of_its_own(alone, tmp_path, name, at, k, task):
    path = tmp_path / f"{name}.html"
    path.write_text(page_of(name), encoding="utf-8")
    alone.forget()
    alone.wear(*WINDOWS[0]).page.goto(path.as_uri())
    opened = Reading(alone.ready()).arrive()
    try:
        check_the_law(opened.go(at), k, task)
    finally:
        alone.js("(localStorage.clear(), sessionStorage.clear(), 0)")
