"""While a number is asked nothing tells it: no drawn word, no pointing, no word for a screen reader.

Of the tasks that cover the same one is asked; `KPVIZ_TASKS_COUNT=all` asks all of them.
"""

import os
import re

import pytest
from answering import Lesson
from test_every_task import places

from kpviz.lessons import shelf
from kpviz.lessons.file.links import PLAY, Case

COUNT = os.environ.get("KPVIZ_TASKS_COUNT", "one")
# All that is drawn, heard, and shown beside the board, each with where it stands.
TOLD = """(() => {
  const told = [];
  const add = (where, text) => text?.trim() && told.push([where, text.trim()]);
  for (const { name, marks } of s.board.panels) {
    for (const { kind, text } of marks) if (kind === "text") add(name, text);
  }
  for (const node of r.querySelectorAll("[aria-label], [title]")) {
    for (const name of ["aria-label", "title"]) add(name, node.getAttribute(name));
  }
  add("title of the window", document.title);
  const walk = document.createTreeWalker(r, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { parentElement: element, textContent } = walk.currentNode;
    const isSeen = !element.closest("style, .question, .prose") && element.checkVisibility();
    if (isSeen) add("page", textContent);
  }
  for (const [name, { x, y, w, h }] of Object.entries(s.layout.panels)) {
    const step = Math.max(7, Math.sqrt((w * h) / 150));
    for (let px = x + 2; px < x + w; px += step) {
      for (let py = y + 2; py < y + h; py += step) {
        s.point({ px, py });
        for (const line of s.touch.lines) add(`pointed at ${name}`, line);
      }
    }
  }
  s.point(null);
  return told;
})()"""
# Numbers in words that count what the lesson itself asks to count, or that settings have.
COUNTED = {
    "mistakes": r"\b{0} mistakes?\b|mistakes so far: {0}\b",
    "support": r"\b{0} (remembered|in memory)|support: {0}\b|remembered {0}\b",
    "heldout": r"\b{0} of {1}\b|\b{0} wrong\b",
}
AXES = ("margins", "own", "norm", "readings", "primal")
NUMBER = re.compile(r"[-−]?[0-9][0-9,]*(?:\.[0-9]+)?")


def tasks():
    """Tasks for a number of a run: all, or one for all that cover the same."""
    numbers = [place for place in places() if place[3].kind == "number"]
    if COUNT != "all":
        numbers = list({tuple(place[3].plain["covers"]): place for place in numbers}.values())
    return [
        pytest.param(*place, id=f"{place[0]}-{place[1] + 1}.{place[2] + 1}") for place in numbers
    ]


def tells(where, text, value, task):
    """Whether a text tells a number: by two digits at least, a whole one as what is counted."""
    if value == round(value):
        counted = f"{value:,.0f}"
        held_out = len(Case.of(task.start_of()).split.y_test)
        of_kind = [COUNTED[name] for name in task.plain["covers"] if name in COUNTED]
        is_top = where in AXES and text == counted and value > 9
        return is_top or any(re.search(words.format(counted, held_out), text) for words in of_kind)
    for written in NUMBER.findall(text):
        decimals = len(written.partition(".")[2])
        digits = len(written.strip("-−0.").replace(".", "").lstrip("0"))
        number = float(written.replace("−", "-").replace(",", ""))
        is_close = abs(number - value) <= 0.5 * 10.0**-decimals * (1 + 1e-9)
        if decimals and (digits > 1 or decimals > 1) and is_close:
            return True
    return False


@pytest.mark.parametrize(("name", "at", "k", "task"), tasks())
def test_nothing_tells_the_number_that_is_asked(player, name, at, k, task):
    page = shelf.read(name).scenes[at].link.page
    player.wear(1366, 768).anew("/?v=1")
    opened = Lesson(player).named(name, at + 1, page=page)
    opened.task(k)
    player.settle()
    value = task.solve().answer["number"]
    told = player.js(TOLD)
    assert len(told) > 20
    # What would be hidden is away, and what asks of no run offers none to play.
    assert [text for where, text in told if text.startswith("Hidden")] == []
    asks_for_value = "k" in task.plain["covers"] or task.plain["covers"] == ["sum"]
    plays = player.js("r.classList.contains('plays-task')")
    assert plays == (task.start.t is None and not asks_for_value and page == PLAY)
    if task.start.t is None:  # One may play it, by keys if not by buttons.
        player.press("End").settle()
        told += player.js(TOLD)
    told = {(where, text) for where, text in told if text not in task.ask}
    assert sorted(entry for entry in told if tells(*entry, value, task)) == []


ASKS_FOR_NEXT = [
    pytest.param(*place, id=f"{place[0]}-{place[3].kind}")
    for place in places()
    if place[0] == "lesson-01-first-steps"
    and (place[3].kind == "predict" or getattr(place[3].question, "what", "") == "next mistake")
]


@pytest.mark.parametrize(("name", "at", "k", "task"), ASKS_FOR_NEXT)
def test_no_score_is_told_while_it_is_asked_what_comes_next(player, name, at, k, task):
    player.wear(1366, 768).anew("/?v=1")
    opened = Lesson(player).named(name, at + 1)
    opened.task(k)
    player.settle()
    lines = [text for where, text in player.js(TOLD) if where.startswith("pointed at map")]
    assert any(text.startswith("x₁") for text in lines)
    assert [text for text in lines if "score" in text] == []
    opened.answer(k, task)
    opened.until_over(k)
    player.settle()
    assert any("score" in text for _, text in player.js(TOLD))
