"""Every task of every lesson that comes along is answered as a student does, wrongly in up to three
ways and then rightly: nothing moves away while it explains, and what comes next can be pressed.

One task of each kind is answered; `KPVIZ_TASKS_COUNT=all` answers all of them. The wrong answers
are made from the lesson's own file.
"""

import os
import random

import pytest
from answering import Lesson
from near_misses import NEAR

from kpviz.lessons import shelf
from kpviz.lessons.file.links import Case

COUNT = os.environ.get("KPVIZ_TASKS_COUNT", "one")
SEED = os.environ.get("KPVIZ_TASKS_SEED", "1")
WAYS_TO_FAIL = 3
WINDOWS = ((1366, 640), (1280, 720), (1366, 768))
# What a screen reader is told: the texts of all live regions that changed.
LISTEN = """(() => {
  window.heard = [];
  const isLive = (node) => node.closest?.("[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]");
  window.listening?.disconnect();
  window.listening = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const live = isLive(target.nodeType === 1 ? target : target.parentElement);
      const words = live?.textContent.trim();
      if (words && words !== "…" && heard.at(-1) !== words) heard.push(words);
    }
  });
  listening.observe(r, { subtree: true, childList: true, characterData: true });
  return 0;
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
    return [
        pytest.param(name, at, k, task, id=f"{name}-{at + 1}.{k + 1}-{task.kind}")
        for name, at, k, task in tasks
    ]


def wrong_answers(task, tried):
    """Answers to a try that can be given and are wrong, each in another way."""
    if task.kind == "explain":
        return []
    misses = NEAR[task.kind](task, task.solve(tried).answer, tried)
    if task.kind == "draw":
        misses = misses[:1]  # Nothing is drawn yet: with the same points the others are right.
    if task.kind == "choose" and len(task.solve(tried).answer["choices"]) == 1:
        misses = [{"choices": [number]} for number in range(len(task.question.choices))]
    if task.kind == "click":
        asks_for_one = task.question.plain.get("one")
        singles = [{"examples": [i]} for i in range(len(Case.of(task.start_of(tried)).run.y))]
        misses = singles if asks_for_one else [miss for miss in misses if miss["examples"]]
    return [miss for miss in misses if is_wrong(task, miss, tried)]


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
    )


def check_that_one_can_go_on(opened, k, what):
    """In each window the next thing to press is in sight."""
    player = opened.player
    for size in WINDOWS:
        player.wear(*size).settle()
        assert is_in_sight(player, opened.next_thing(k)), (what, size)


@pytest.mark.parametrize(("name", "at", "k", "task"), chosen())
def test_a_task_is_answered_wrongly_and_rightly_and_nothing_moves_away(player, name, at, k, task):
    scene = shelf.read(name).scenes[at]
    player.wear(1366, 768).anew("/?v=1")
    opened = Lesson(player).named(name, at + 1, page=scene.link.page)
    opened.task(k)
    check_that_one_can_go_on(opened, k, "asked")
    most = WAYS_TO_FAIL if task.tries is None else min(WAYS_TO_FAIL, task.tries)
    tried = 0
    while tried < most and tried < len(wrong_answers(task, tried)):
        miss = wrong_answers(task, tried)[tried]
        points = player.js(POINTS)
        player.js(LISTEN)
        opened.give(k, task, miss)
        tried += 1
        opened.until_tried(k, tried)
        said = opened.said(k)
        assert said, miss
        if task.kind != "reach":
            assert player.js(POINTS) == points, miss  # They stay while it explains.
        assert is_heard_once(player, task, said), (miss, player.js("heard"))
        if tried == 1:
            check_that_one_can_go_on(opened, k, miss)
            opened.reload()
            assert (opened.tries[k], opened.said(k)) == (tried, said)
        opened.try_again(k)
    if task.tries == tried:
        assert opened.over[k]
        return
    player.js(LISTEN)
    opened.answer(k, task, tried)
    opened.until_over(k)
    said = opened.said(k)
    assert opened.is_right(k) or task.kind == "explain"
    assert is_heard_once(player, task, said), player.js("heard")
    check_that_one_can_go_on(opened, k, "right")
    opened.reload()
    assert opened.over[k]
    assert opened.said(k) == said


def is_heard_once(player, task, said):
    """Whether what was said of the answer was told once, of a prediction one for each step; where
    the board is the answer it may be told what the board says, too.
    """
    heard = player.js("heard")
    told = [words for words in heard if said.splitlines()[0] in words]
    if task.kind in ("reach", "draw", "perform"):
        return len(told) == 1
    return len(told) == 1 and len(heard) == (task.question.count if task.kind == "predict" else 1)
