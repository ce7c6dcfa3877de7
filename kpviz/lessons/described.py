"""A step in words, which come before its formula: x₂₄ is blue, but the score +0.48 says orange: a mistake.

The sentences are templates, as those of `explain.py` are, and are filled with the same numbers. A learner brings its
own (`About.described`); one that does not is told by its formulas.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kpviz.engine.data.datasets import Dataset

if TYPE_CHECKING:
    from kpviz.engine.learners.about import About
    from kpviz.engine.run.run import Run

COLOURS = ("blue", "orange")  # of the classes −1 and +1, where they have no names
IN_GREY = ("class −1", "class +1")  # the same, in print

# What the score said of an example: it is {what}, {other} is the other class, {signed} is the score.
VERDICTS = {
    "mistake": "{x} is {what}, but the score {signed} says {other}: a mistake",
    "mistake_zero": "{x} is {what}, and a score of 0 counts as a mistake",
    "correct": "{x} is {what}, and the score {signed} says so too",
    "correct_zero": "{x} is {what}, and a score of 0 counts as correct",
    # A learner may say itself what a mistake is.
    "mistake_right": "{x} is {what}, and so says the score {signed}, which counts as a mistake all the same",
    "correct_wrong": "{x} is {what}, but the score {signed} says {other}, which counts as no mistake",
}

# Of a pair that changes together: the coefficient of the first rises, that of the second falls; by their labels −1, +1.
RISES = ("less towards {negative}", "more towards {positive}")
FALLS = ("more towards {negative}", "less towards {positive}")

SCORES = "the score was {was}, is {now}"  # before the change and after it
HARDLY = "hardly different"  # where no digits that are written tell them apart

# {verdict} is one of these, {adds} what a mistake adds, {scores} what this does to the score.
DESCRIBED = {
    "mistake": "{verdict}. {adds}: {scores}.",
    "mistake_zero": "{verdict}. {adds}: {scores}.",
    "correct": "{verdict}: nothing changes.",
    "correct_zero": "{verdict}: nothing changes.",
    "look": "{x} is shown next, and is {what}. What will the score say?",
}


def templates(about: About, formulas: Mapping[str, str]) -> dict[str, str]:
    """Return the words by key: the learner's own before those of all, and its formulas where it has no words."""
    return {**formulas, **DESCRIBED, **about.words, **about.described}


def class_words(classes: tuple[str, str]) -> tuple[str, str]:
    """Return what the classes −1 and +1 are called in a sentence.

    >>> class_words(("setosa", "2")), class_words(Dataset.classes)
    (('class “setosa”', 'class 2'), ('blue', 'orange'))
    """
    if classes == Dataset.classes:
        return COLOURS
    first, second = (f"class “{name}”" if name[:1].isalpha() else f"class {name}" for name in classes)
    return first, second


def what(name: str) -> str:
    """Return what an example of a class is, by what the class is called.

    >>> what("blue"), what("class 2")
    ('blue', 'of class 2')
    """
    return name if name in COLOURS else f"of {name}"


def adds_words(run: Run) -> str:
    """Return what a mistake adds, with places for the example's class and for its hill."""
    hill = run.kernel is not None and run.kernel.hill
    shift = ", and the intercept moves that way too" if run.learner.intercept != "none" else ""
    return ("Its {hill} is added" if hill else "It now pulls more towards {own}") + shift


def added(run: Run, name: str) -> str:
    """Return what a mistake on an example of a class adds."""
    hill = f"{name} hill" if name in COLOURS else f"hill for {name}"
    return adds_words(run).format(own=name, hill=hill)


def verdict_key(margin: float, *, mistake: bool) -> str:
    """Return which of the verdicts was given of an example with this margin."""
    if margin == 0:
        return "mistake_zero" if mistake else "correct_zero"
    if mistake:
        return "mistake" if margin < 0 else "mistake_right"
    return "correct" if margin > 0 else "correct_wrong"
