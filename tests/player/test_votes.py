"""What a class says, without a browser: counts and their bars, and what a class is asked of a task."""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.lessons.file import format
from kpviz.service.lesson import plain
from kpviz.settings import from_query

BALLOT = """(() => {
  const { Ballot } = load("modes/ballot.js"), ballot = new Ballot();
  const does = { "-": (k) => ballot.take(k), "+": (k) => ballot.add(k), 0: () => ballot.clear(), a: () => ballot.again() };
  const said = arg.map(([what, k]) => does[what](k) ?? null);
  const { counts, first, total, mostly, isEmpty } = ballot;
  return { counts, first, total, mostly, isEmpty, said, bars: [0, 1, 2].map((k) => ballot.barsOf(k)) };
})()"""


def ballot(player, keys):
    """The ballot after these keys: 1 to 5 and A to E for the same with Shift, 0, a."""
    does = [
        ["+", int(key) - 1] if key in "12345" else ["-", "ABCDE".index(key)] if key in "ABCDE" else [key, 0]
        for key in keys
    ]  # fmt: skip
    return player.js(BALLOT, does)


def test_one_press_says_mostly_and_a_second_one_makes_counts(player):
    player.open("/?v=1")
    assert ballot(player, "")["isEmpty"]
    one = ballot(player, "2")
    assert (one["mostly"], one["bars"][1]) == (1, {"first": None, "last": None})
    two = ballot(player, "22")
    assert (two["mostly"], two["counts"]) == (None, [0, 2])
    assert ballot(player, "21")["counts"] == [1, 1]
    assert ballot(player, "22B")["mostly"] == 1


def test_shift_takes_a_vote_away_but_none_that_is_not_there_and_0_clears(player):
    player.open("/?v=1")
    assert ballot(player, "1123AC")["counts"] == [1, 1, 0]
    assert ballot(player, "BB")["total"] == 0
    assert ballot(player, "11230")["isEmpty"]


def test_what_was_said_at_first_stays_beside_what_is_said_after_talking(player):
    player.open("/?v=1")
    votes = ballot(player, "1222a1122")
    assert (votes["first"], votes["counts"]) == ([1, 3], [2, 2])
    assert votes["bars"][0] == {
        "first": {"count": 1, "share": 1 / 3},
        "last": {"count": 2, "share": 2 / 3},
    }
    assert votes["bars"][2] == {
        "first": {"count": 0, "share": 0},
        "last": {"count": 0, "share": 0},
    }
    assert ballot(player, "a")["said"] == [False]
    assert ballot(player, "12a13a3")["first"] == [1, 1]
    cleared = ballot(player, "12a130")
    assert (cleared["first"], cleared["total"], cleared["isEmpty"]) == ([1, 1], 0, False)
    assert ballot(player, "12a1300")["isEmpty"]


# ---- what is asked -------------------------------------------------------------------------------

QUESTION = """(() => {
  const { classQuestion } = load("modes/class_question.js");
  const { textOf } = load("page/lesson/words.js");
  const { answers, ...asked } = classQuestion(arg.task, s.run, arg.solution, arg.heard);
  const told = answers.map(({ words, ...answer }) => ({ ...answer, words: textOf(words) }));
  return { ...asked, ask: textOf(asked.ask), answers: told };
})()"""


def asked(player, block, link="v=1&seed=3", heard=(), *, known=True):
    """What a class is asked of a task."""
    player.open(f"/?{link}")
    text = f"---\ntitle: T\n---\n## S\nlink: {link}\n```task {block}\n```"
    opened = format.read(text)
    ((_, task),) = opened.tasks
    packed = {"because": task.reasons(), **(task.question.packed(task.start) or {})}
    asked_task = plain(opened)["scenes"][0]["tasks"][0]
    solution = packed if known else None
    return player.js(QUESTION, {"task": asked_task, "solution": solution, "heard": list(heard)})


def test_of_several_steps_the_one_is_asked_about_whose_ground_is_seen_best(player):
    question = asked(player, "predict\nask: Which?\ncount: 4\nwhy: The fourth is a mistake.")
    run = experiment.run(from_query("v=1&seed=3")[0])
    step = int(np.abs(run.score[:4]).argmax())
    i = int(run.index[step])
    assert (question["t"], question["until"], question["rings"]) == (step, step + 1, [i])
    assert question["ask"].startswith(f"{explain.example(i)} comes next.")
    assert [answer["right"] for answer in question["answers"]] == [not run.mistake[step], run.mistake[step]]  # fmt: skip
    assert question["because"] == []
    one = asked(player, "predict\nask: And x₀?\nstart: v=1&seed=3&t=5\ncount: 1\nwhy: So it is.")
    assert (one["ask"], one["t"], one["because"]) == ("And x₀?", 5, ["So it is."])


CHOICES = "choose\nask: What?\nchoice: One.\nchoice: Two.\nchoice: Three.\n"


def test_a_choice_with_one_true_answer_is_voted_on_and_of_several_the_form_for_the_stage(player):
    question = asked(player, f"{CHOICES}answer: B")
    assert [answer["words"] for answer in question["answers"]] == ["One.", "Two.", "Three."]
    assert [answer["right"] for answer in question["answers"]] == [False, True, False]
    assert (question["t"], question["isVoted"], question["until"]) == (0, True, None)  # Infinity
    assert asked(player, f"{CHOICES}answer: A, B")["isVoted"] is False
    form = asked(player, f"{CHOICES}answer: A, B\nstage: B, C")
    assert [answer["words"] for answer in form["answers"]] == ["Two.", "Three."]
    unknown = asked(player, f"{CHOICES}answer: B", known=False)
    assert [answer["right"] for answer in unknown["answers"]] == [None] * 3


def test_a_number_has_the_answers_that_were_heard(player):
    block = "number\nask: How many?\nvalue: mistakes\nslip epochs: Those are epochs."
    assert asked(player, block)["answers"] == []
    run = experiment.run(from_query("v=1&seed=3")[0])
    mistakes = int(run.mistake.sum())
    question = asked(player, block, heard=["1", f"{mistakes},0", "exp(-2)"])
    assert [answer["right"] for answer in question["answers"]] == [False, True, False]
    assert (question["value"], question["takesValues"], question["until"]) == (mistakes, True, None)
    assert asked(player, "number\nask: k?\nvalue: exp(-2)")["until"] == 0


@pytest.mark.parametrize(
    ("what", "link"),
    [
        ("next mistake", "v=1&seed=3&t=5"),
        ("forgotten", "v=1&learner=oldest&budget=4&t=20"),
        ("support", "v=1&seed=3&t=40"),
    ],
)
def test_an_example_to_click_is_one_of_five_that_are_ringed(player, what, link):
    question = asked(player, f"click\nask: Which?\nwhat: {what}", link)
    right = [answer for answer in question["answers"] if answer["right"]]
    assert (len(question["answers"]), len(right)) == (5, 1)
    assert question["rings"] == [answer["example"] for answer in question["answers"]]
    assert question["until"] > question["t"]


@pytest.mark.parametrize("block", ["explain\nask: Why?", "perform\nask: Two?\ncount: 2"])
def test_what_cannot_be_voted_on_is_words(player, block):
    question = asked(player, block)
    assert (question["isVoted"], question["answers"]) == (False, [])
