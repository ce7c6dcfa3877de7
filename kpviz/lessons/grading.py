"""What a file of results is worth.

Each answer is checked again by the engine, and contradictions are named.

Tests: tests/commands/test_grade.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from textwrap import shorten
from typing import Any

from kpviz.lessons.explain import counted, example
from kpviz.lessons.file.kinds.statements import LETTERS
from kpviz.lessons.file.lesson import Lesson, Task
from kpviz.lessons.file.links import Link
from kpviz.lessons.results import Results, SavedAnswer, TaskRecord

Place = tuple[int, int]  # Scene and task, counted from 0.

SECONDS = 120.0  # One file may take so long.
_UNGRADED = "explain"
_OF_LINKS = ("reach", "draw", "puzzle")  # A link answers these tasks.
# These are about the run of their own link.
_OF_START = ("predict", "number", "click", "perform")
_ROOM = 80  # In characters: an answer in a few words.
_LONGEST = 5_000  # In characters: so much of a text is kept.


@dataclass(frozen=True)
class Mark:
    """What a student gets for a task.

    Attributes
    ----------
    right : what the engine says of the last answer that counts; None if the task is not graded, or
        was not answered.
    tries : as reported: how many answers there are. text : of what is not graded.
    wrong : the wrong answers among those that count, each once.
    """

    right: bool | None
    tries: int = 0
    text: str = ""
    wrong: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """One point for a task that is right."""
        return int(self.right is True)


@dataclass(frozen=True)
class Grade:
    """What a student gets for a lesson.

    Attributes
    ----------
    begun : when the first answer was given, as reported, "" if that is not said.
    """

    marks: Mapping[Place, Mark]
    notes: tuple[str, ...]
    begun: str

    @property
    def points(self) -> int:
        """The points of all tasks."""
        return sum(mark.points for mark in self.marks.values())


def graded(lesson: Lesson) -> list[Place]:
    """Return the places of the tasks that give a point."""
    return [place for place, task in places(lesson).items() if task.kind != _UNGRADED]


def places(lesson: Lesson) -> dict[Place, Task]:
    """Return the tasks by their places."""
    return {
        (s, t): task for s, scene in enumerate(lesson.scenes) for t, task in enumerate(scene.tasks)
    }


def grade(results: Results, lesson: Lesson) -> Grade:
    """Check all answers again, and say what contradicts itself."""
    known = places(lesson)
    ends = time.monotonic() + SECONDS
    marks: dict[Place, Mark] = {}
    notes = (
        []
        if results.title == lesson.title
        else [f"It is for another lesson, {_quoted(results.title)}."]
    )
    for done in results.tasks:
        place = done.scene, done.task
        where = f"Task {named(place)}"
        if place not in known:
            notes.append(f"{where} is not in the lesson.")
        elif place in marks:
            notes.append(f"{where} stands twice.")
        else:
            marks[place], task_notes = _marked(done, known[place], ends)
            notes += [f"{where}: {what}." for what in dict.fromkeys(task_notes)]
    answers = [saved_answer for done in results.tasks for saved_answer in done.answers]
    if any(saved_answer.signed for saved_answer in answers):
        notes.append("Its answers are signed, but signatures are no longer looked at.")
    begun = min(
        (
            (saved_answer.time, saved_answer.at)
            for saved_answer in answers
            if saved_answer.time is not None
        ),
        default=(None, ""),
    )[1]
    return Grade(marks, tuple(notes), begun)


def named(place: Place) -> str:
    """Return how a task is called: scene and task, counted from 1."""
    return f"{place[0] + 1}.{place[1] + 1}"


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:59]}…")


def _marked(done: TaskRecord, task: Task, ends: float) -> tuple[Mark, list[str]]:
    """Return what a task gets, and what contradicts itself."""
    notes = list(_contradictions(done, task))
    last: bool | None = None
    wrong: list[str] = []
    allowed = (
        done.answers if task.tries is None or task.kind == _UNGRADED else done.answers[: task.tries]
    )
    for number, saved_answer in enumerate(allowed, 1):
        if time.monotonic() > ends:
            notes.append(f"answers from {number} on are not checked: it takes too long")
            last = last or None
            break
        is_right, why = _checked(task, saved_answer)
        notes += [f"{what} (answer {number})" for what in why]
        last = None if is_right is None else last is True or is_right
        wrong += [in_brief(saved_answer.answer)] if is_right is False else []
    text = _text(done) if task.kind == _UNGRADED else ""
    return Mark(last, len(done.answers), text, tuple(dict.fromkeys(filter(None, wrong)))), notes


_WORDS: Mapping[str, Callable[[Any], str]] = {  # An answer is written by its key.
    "choices": lambda choice: LETTERS[choice],
    "examples": example,
    "verdicts": str,
    "number": "{:g}".format,
    "link": str,
}


def in_brief(answer: Any) -> str:
    """Return an answer in a few words, "" for one that has none.

    >>> in_brief({"choices": [0, 2]}), in_brief({"number": 0.5})
    ('A, C', '0.5')
    >>> in_brief({"verdicts": ["mistake", "correct"]})
    'mistake, correct'
    """
    key, values = (
        next(iter(answer.items())) if isinstance(answer, Mapping) and answer else ("", None)
    )
    try:
        return shorten(
            ", ".join(map(_WORDS[key], values if isinstance(values, list) else [values])),
            _ROOM,
            placeholder=" …",
        )
    # It is of another kind, or no page sends it.
    except (KeyError, IndexError, TypeError, ValueError):
        return ""


def _checked(task: Task, saved_answer: SavedAnswer) -> tuple[bool | None, list[str]]:
    """Check one answer; return whether it is right, and what contradicts it."""
    notes = list(_linked(task, saved_answer))
    try:
        verdict = task.check(saved_answer.answer, saved_answer.tried)
    except ValueError as error:  # The author made a fault.
        return False, [*notes, f"it cannot be checked, as {' '.join(str(error).split())}"]
    except Exception as error:  # Whatever hostile data bring about, the other files are graded.
        return False, [*notes, f"it cannot be checked ({type(error).__name__})"]
    if verdict.right != saved_answer.right:
        file_says = _verdict(saved_answer.right)
        engine_says = _verdict(verdict.right)
        notes.append(f"the file says {file_says}, the engine says {engine_says}")
    return verdict.right, notes


def _verdict(right: bool | None) -> str:
    return "not graded" if right is None else "right" if right else "wrong"


def _linked(task: Task, saved_answer: SavedAnswer) -> Iterator[str]:
    """Say what is wrong with the link beside an answer."""
    try:
        link = Link.read(saved_answer.link)
    except ValueError:
        yield "its link is not a link of kpviz"
        return
    if link.problems:
        yield "its link cannot be used as it is"
    if (
        task.kind in _OF_START
        and link.settings.without_cues != task.start_of(saved_answer.tried).settings.without_cues
    ):
        yield "its link shows another run than the task"
    own_link = saved_answer.answer.get("link") if isinstance(saved_answer.answer, Mapping) else None
    if task.kind not in _OF_LINKS or not isinstance(own_link, str):
        return
    try:
        answered = Link.read(own_link.strip())
    except ValueError:
        return  # The check says so.
    if answered.page != link.page or answered.settings.without_cues != link.settings.without_cues:
        yield "its link is not the one that was answered"


def _contradictions(done: TaskRecord, task: Task) -> Iterator[str]:
    """Say where counts, times and verdicts of a file contradict each other."""
    answers = done.answers
    if done.tries != len(answers):
        yield f"{_tries(done.tries)} said, {counted(len(answers), 'answer')} given"
    if [saved_answer.tried for saved_answer in answers] != list(range(len(answers))):
        yield "the tries are not numbered in order"
    if task.tries is not None and task.kind != _UNGRADED and len(answers) > task.tries:
        yield f"{_tries(len(answers))} made, {task.tries} allowed"
    if answers and done.right != answers[-1].right:
        yield (
            f"the file says {_verdict(done.right)} of the task, {_verdict(answers[-1].right)} "
            "of the last answer"
        )
    if done.right and not answers:
        yield "the file says right, without an answer"
    times = [saved_answer.time for saved_answer in answers]
    if None in times:
        yield "a time cannot be read"
    if any(one > other for one, other in pairwise(time for time in times if time is not None)):
        yield "the times are not in order"
    if any(saved_answer.right for saved_answer in answers[:-1]):
        yield "more answers follow a right one"


def _tries(count: int) -> str:
    return f"{count:,} {'try' if count == 1 else 'tries'}"


def _text(done: TaskRecord) -> str:
    """Return what was written in own words."""
    answer = done.answers[-1].answer if done.answers else None
    text = answer.get("text") if isinstance(answer, Mapping) else None
    return text[:_LONGEST] if isinstance(text, str) else ""
