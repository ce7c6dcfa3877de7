"""Tasks: whether an answer is right, and what a right one is. The engine tells, never a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kpviz.lessons.file import words
from kpviz.lessons.file.kinds.question import Solution, UnreadableError, Verdict
from kpviz.lessons.file.lesson import Task
from kpviz.lessons.file.words import Node

__all__ = ["Solution", "Verdict", "check", "reasons", "solve"]


def check(task: Task, answer: Any, tried: int = 0) -> Verdict:
    r"""Say whether an answer is right.

    Parameters
    ----------
    answer : plain data, as they come from the page: an object, by kind {"verdicts": ["mistake", "correct"]},
        {"choices": [0]}, {"number": 0.5}, {"examples": [3]}, {"link": "v=1&…"} (reach, draw), {"steps": [{"verdict":
        "mistake", "bricks": [[3, 1]]}]} (perform; with "b" where b changes), {"text": "…"}.
    tried : which try it is, from 0: another may have other data.

    Raises
    ------
    ValueError
        If the author's link has no such run, or the copy has no answers: one sentence.

    >>> from kpviz.lessons.file.format import read
    >>> text = "---\ntitle: T\n---\n## S\nlink: v=1&data=xor\n```task predict\nask: And the first?\n```"
    >>> (_, task), = read(text).tasks
    >>> check(task, {"verdicts": ["mistake"]})
    Verdict(right=True, why='Step 1: f(x₀) = 0 and y = +1: a mistake.', detail={})
    """
    if not isinstance(answer, Mapping):
        return Verdict(False, "The answer cannot be read.", {"unreadable": True})
    try:
        return task.question.check(task.start_of(tried), answer)
    except UnreadableError as error:
        return Verdict(False, str(error), {"unreadable": True})


def solve(task: Task, tried: int = 0) -> Solution:
    """Return a right answer; ValueError, of one sentence, where there is none."""
    return task.question.solve(task.start_of(tried))


def reasons(task: Task, tried: int = 0, *, missed: bool = False) -> list[Node]:
    """Return what is told once a task is over: the author's reason.

    `missed`: the last try was wrong, so that what is right is told before it.
    """
    revealed = task.question.revealed(task.start_of(tried)) if missed else ()
    items: list[Node] = [{"kind": "item", "children": [*line]} for line in revealed]
    right: list[Node] = ["What is right:", {"kind": "list", "ordered": False, "children": items}] if items else []
    return [*right, *(words.inline(task.why) if task.why else ())]
