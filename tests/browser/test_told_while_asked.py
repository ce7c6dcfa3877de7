"""While something is asked nothing tells it: no drawn word or mark, no pointing, no word for a
screen reader.

Of the numbers that cover the same one is asked, and one task of each other kind;
`KPVIZ_TASKS_COUNT=all` asks all of them.
"""

import os
import re

import numpy as np
import pytest
from answering import Lesson, missing_points
from test_every_task import places

from kpviz.lessons import shelf
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.links import PLAY, Case, Link, NoRunError

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
# What is said of each example of the map that is pointed at.
SAID_OF_EXAMPLES = """[...s.run.y].slice(0, s.run.n).map((_, i) => {
  s.point({ px: s.view.x(s.run.X[2 * i]), py: s.view.y(s.run.X[2 * i + 1]) });
  const { lines } = s.touch;
  s.point(null);
  return lines;
})"""
ENDS = r"converge|without a mistake|for ever|no (line|f) |separat"
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


# ---- what is no number ---------------------------------------------------------------------------


def of_kind(*kinds):
    """Tasks of some kinds: all, or one for all that ask for the same."""
    chosen = [place for place in places() if place[3].kind in kinds]
    if COUNT != "all":
        what = [(task.kind, getattr(task.question, "what", "")) for *_, task in chosen]
        chosen = list(dict(zip(what, chosen, strict=True)).values())
    return [
        pytest.param(*place, id=f"{place[0]}-{place[1] + 1}.{place[2] + 1}-{place[3].kind}")
        for place in chosen
    ]


def asked(player, name, at, k):
    """A task as it is asked on its page."""
    page = shelf.read(name).scenes[at].link.page
    player.wear(1366, 768).anew("/?v=1")
    opened = Lesson(player).named(name, at + 1, page=page)
    opened.task(k)
    player.settle()
    return opened


def letters_of(line):
    """What is said apart from names, numbers and classes."""
    words = re.sub("x[₀-₉]+|orange|blue", "", line)
    return "".join(re.findall("[^\\W\\d_]+", words))


@pytest.mark.parametrize(("name", "at", "k", "task"), of_kind("click"))
def test_no_words_are_said_of_the_asked_examples_alone(player, name, at, k, task):
    asked(player, name, at, k)
    right = set(task.solve().answer["examples"])
    said = [{letters_of(line) for line in lines} for lines in player.js(SAID_OF_EXAMPLES)]
    assert all(said)
    of_others = set().union(*(words for i, words in enumerate(said) if i not in right))
    assert [i for i in right if said[i] - of_others] == []
    others_say_the_same = [said[i] for i in range(len(said)) if i not in right]
    if task.question.what:
        assert all(said[i] in others_say_the_same for i in right)
        ringed = [mark for mark in player.marks("map") if mark.get("i") in right]
        named = {mark["name"] for mark in ringed if "name" in mark}
        others = [mark for mark in player.marks("map") if mark.get("i") not in {*right, None}]
        assert named <= {mark.get("name") for mark in others}
    if task.question.what == "support":
        told = [text for where, text in player.js(TOLD) if not where.startswith("pointed")]
        assert [text for text in told if re.search("emembered: .*x[₀-₉]", text)] == []


def shows_no_field(player):
    return player.js("s.player.hidesF") and player.marks("map", name="boundary") == []


@pytest.mark.parametrize(("name", "at", "k", "task"), of_kind("predict", "perform"))
def test_neither_a_score_nor_what_comes_is_told_while_a_step_is_asked(player, name, at, k, task):
    opened = asked(player, name, at, k)
    if task.kind == "perform" and not task.question.shows_field:
        assert shows_no_field(player)
        opened.put(k, 0, task.solve().answer["steps"][0])
        opened.until_performed(k, 1)
        player.rest()
        assert player.t == 1
        assert shows_no_field(player)
    told = player.js(TOLD)
    is_score = re.compile(r"\bscore [+−0-9]|\bf = |margin [−0-9]")
    of_map = [text for where, text in told if where in ("map", "pointed at map")]
    assert [text for text in of_map if is_score.search(text)] == []
    assert not {"timeline", "margins"} & set(player.panels())


@pytest.mark.parametrize(("name", "at", "k", "task"), of_kind("draw"))
def test_no_mark_stands_where_a_point_is_to_be_drawn(player, name, at, k, task):
    asked(player, name, at, k)
    link = task.solve().answer["link"]
    places_of_marks = [
        (mark["x"], mark["y"])
        for mark in player.marks("map")
        if {"x", "y"} <= mark.keys() and mark["kind"] in ("circle", "text", "shape")
    ]
    for point, _ in missing_points(player, link) if "points=" in link else ():
        spot = player.js("[s.view.x(arg[0]), s.view.y(arg[1])]", point.tolist())
        near = [place for place in places_of_marks if np.hypot(*np.subtract(place, spot)) < 12]
        assert near == []


def counts_at_the_end(link):
    """How often a run is wrong, in the words that count it: what few others are."""
    try:
        mistakes = Case.of(link).run.mistake.sum()
    except NoRunError:
        return set()  # Nothing is drawn yet.
    return {f"{mistakes:,} mistakes", f"mistakes so far: {mistakes:,}"} if mistakes > 9 else set()


def texts_with(told, words):
    """The texts that have one of some words, about the whole run."""
    found = [text for _, text in told if any(word in text for word in words)]
    return [text for text in found if not text.startswith("In epoch")]


def held_out_errors(case):
    share = Condition.read_number("heldout_error").value(case.end)
    return round(share * len(case.split.y_test))


@pytest.mark.parametrize(("name", "at", "k", "task"), of_kind("reach", "draw"))
def test_nothing_tells_what_the_sought_board_has(player, name, at, k, task):
    asked(player, name, at, k)
    start = task.start_of()
    sought = Link.read(task.solve().answer["link"])
    case = Case.of(sought)
    told = player.js(TOLD)
    if len(case.split.y_test):
        errors = held_out_errors(case)
        before = held_out_errors(Case.of(start))
        words = f"{errors} of {len(case.split.y_test)}"
        assert errors == before or texts_with(told, [words]) == []
    assert texts_with(told, counts_at_the_end(sought) - counts_at_the_end(start)) == []


@pytest.mark.parametrize(("name", "at", "k", "task"), of_kind("choose"))
def test_nothing_tells_which_choice_is_right(player, name, at, k, task):
    asked(player, name, at, k)
    told = [entry for entry in player.js(TOLD) if entry[0] != "page"]
    right = [task.question.choices[number] for number in task.solve().answer["choices"]]
    own_words = [re.sub(r"[^\w ]", "", choice).lower() for choice in right]
    plain = {re.sub(r"[^\w ]", "", text).lower() for _, text in told}
    assert [words for words in own_words if len(words) > 4 and words in plain] == []
    conditions = [part.quantity.name for when in task.question.when for part in when.parts]
    is_about_unplayed_end = task.start.t is None and conditions
    if is_about_unplayed_end:
        assert texts_with(told, counts_at_the_end(task.start_of())) == []
        if "converged" in conditions:
            assert [text for _, text in told if re.search(ENDS, text)] == []
