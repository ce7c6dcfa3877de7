"""What all kinds of tasks share.

How a block is read, what a verdict is, and what a kind must define.

Tests: tests/lessons/test_tasks.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from kpviz.engine import checks
from kpviz.lessons.file import Fault, LessonError, words
from kpviz.lessons.file.arithmetic import typed
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.words import Tree

Answer = Mapping[str, Any]
_NUMERALS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class CheckResult:
    """Whether an answer is right (None: not graded), a sentence why, and `detail` for the page."""

    right: bool | None
    why: str
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Solution:
    """A right answer as a student may give it (None: there is none), and in words, line by line."""

    answer: Answer | None
    lines: tuple[str, ...] = ()


class UnreadableAnswerError(ValueError):
    """An answer that is not one of this kind, in one sentence."""


class Block:
    """The values of a task's block by their keys, each with its line.

    What is wrong is collected in `faults`.

    Parameters
    ----------
    line : of the file, where the block begins.
    values : each key, its value, and the line of that.
    is_for_students : whether the file is a copy for students, in which answers are missing.
    """

    def __init__(
        self, line: int, values: Sequence[tuple[str, str, int]], *, is_for_students: bool = False
    ) -> None:
        self.line = line
        self.is_for_students = is_for_students
        self.values = tuple(values)
        self.faults: list[Fault] = []

    def all(self, key: str) -> list[tuple[str, int]]:
        """Return the values of a key with their lines."""
        return [(value, line) for name, value, line in self.values if name == key]

    def text(self, key: str, *, needed: str = "") -> str:
        """Return the value of a key that stands once; "" if there is none, a fault if it is
        `needed`.
        """
        entries = self.all(key)
        if not entries:
            if needed:
                self.fault(self.line, f"The task has no {key}: write a line such as {needed!r}.")
            return ""
        if len(entries) > 1:
            self.fault(entries[1][1], f"{key} stands twice in this task: write it once.")
        return entries[0][0]

    def line_of(self, key: str) -> int:
        """Return the line of a key, that of the block where it has none."""
        entries = self.all(key)
        return entries[0][1] if entries else self.line

    def whole(self, key: str, low: int, high: int, otherwise: int | None = None) -> int | None:
        """Return a whole number, `otherwise` where there is none."""
        text = self.text(key)
        if not text:
            return otherwise
        if text.isascii() and text.isdigit() and len(text) < 9 and low <= int(text) <= high:
            return int(text)
        self.fault(
            self.line_of(key),
            f"{key} is a whole number from {low} to {high}, and not {text[:20]!r}.",
        )
        return otherwise

    def condition(
        self, key: str, *, needed: str = "", per_example: bool = False, number: bool = False
    ) -> Condition | None:
        """Return a condition, or (`number`) an expression for a number, which is a `Condition` as
        well; None where there is none.
        """
        text = self.text(key, needed=needed)
        return (
            self.read_condition(
                key, text, self.line_of(key), per_example=per_example, number=number
            )
            if text
            else None
        )

    def read_condition(
        self, key: str, text: str, line: int, *, per_example: bool = False, number: bool = False
    ) -> Condition | None:
        """Return the condition or number in a line, None where it cannot be read."""
        try:
            return (
                Condition.read_number(text)
                if number
                else Condition.read(text, per_example=per_example)
            )
        except ValueError as error:
            self.fault(line, f"{key} cannot be read. {error}")
            return None

    def link(self, key: str, *, needed: str = "") -> Link | None:
        """Return a link, None where there is none."""
        text = self.text(key, needed=needed)
        try:
            return Link.read(text, self.line_of(key)) if text else None
        except ValueError as error:
            self.fault(self.line_of(key), str(error))
            return None

    def check_words(self, text: str, line: int, warnings: list[Fault]) -> None:
        """Note what is wrong with Markdown of one paragraph, and in `warnings` what was hardly
        meant.
        """
        try:
            words.inline(text, line, warnings)
        except LessonError as error:
            self.faults.extend(error.faults)

    def fault(self, line: int, what: str) -> None:
        """Note what is wrong."""
        self.faults.append(Fault(line, what))


@dataclass(frozen=True)
class Question:
    """What a block says besides what all tasks have.

    A subclass defines `read`, `check` and `solve`. In all methods `start` is the link of the board
    on which the task begins.

    Attributes
    ----------
    keys : what may stand in its block besides the keys of all tasks. secret : those that give
        answers away, so that copies for students do not have them.
    """

    keys: ClassVar[tuple[str, ...]] = ()
    secret: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def read(cls, block: Block) -> Self:
        """Read a block, noting its faults there."""
        raise NotImplementedError(
            f"{cls.__name__} lacks read(block), which reads a block, noting its faults there."
        )

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        """Say whether an answer is right.

        `tried` is which try it is, from 0: a later one may be told more.

        Raises
        ------
        UnreadableAnswerError
            If it is not an answer of this kind.
        ValueError
            If the link itself has no run: the author's fault.
        """
        raise checks.lacks(self, "check(start, answer)", "says whether an answer is right")

    def is_met_at(self, start: Link) -> bool:
        """Whether there is nothing left to do at the start."""
        return False

    def solve(self, start: Link) -> Solution:
        """Return a right answer; ValueError, of one sentence, where there is none."""
        raise checks.lacks(self, "solve(start)", "returns a right answer")

    def revealed(self, start: Link) -> tuple[Tree, ...]:
        """Return what is right, for one who has no more tries: lines, each a tree of words."""
        return tuple((line,) for line in self.solve(start).lines)

    @property
    def plain(self) -> dict[str, Any]:
        """What the page needs to ask, without the answer."""
        return {}

    def problems(self, start: Link) -> Iterator[tuple[int | str, str]]:
        """Yield what is wrong with the words for this start, each fault with its line or its key
        ("" for the block).
        """
        yield from ()

    def allowed_changes(self, start: Link) -> str:
        """Say what one may change on the board, "" where that is not what is asked."""
        return ""

    def on_page(self, starts: Sequence[Link]) -> dict[str, Any]:
        """Return what the page needs besides, which the runs at the starts of the tries tell."""
        return {}

    def packed(self, start: Link) -> dict[str, Any] | None:
        """Return what a page without Python needs to check answers as `check` does; None: it takes
        the engine.

        `page/lesson/checking.js` of the player reads it. ValueError, of one sentence, where there
        is no answer.
        """
        return None


def numeral(count: int) -> str:
    """Return a count as a word, in digits from eleven on."""
    return _NUMERALS[count] if count < len(_NUMERALS) else str(count)


def missing_words(count: int, one: str, several: str, tried: int) -> str:
    """Say that something is missing in a choice, and how much of it after the second try.

    >>> missing_words(2, "One answer is missing.", "{} answers are missing.", tried=0)
    'That is not all.'
    >>> missing_words(2, "One answer is missing.", "{} answers are missing.", tried=1)
    '2 answers are missing.'
    """
    if tried < 1:
        return "That is not all."
    return one if count == 1 else several.format(count)


def whole_list(answer: Answer, key: str, what: str) -> list[int]:
    """Return a list of different whole numbers of at least 0, or raise UnreadableAnswerError."""
    numbers = answer.get(key)
    fits = isinstance(numbers, list) and len(numbers) <= 2000
    if not fits or not all(
        isinstance(item, int) and not isinstance(item, bool) and item >= 0 for item in numbers or []
    ):
        raise UnreadableAnswerError(f"The answer is a list of {what}, each a whole number.")
    if len(set(numbers or [])) < len(numbers or []):
        raise UnreadableAnswerError(f"The answer names one of the {what} twice.")
    return list(numbers or [])


def number(answer: Answer, key: str) -> float:
    """Return a finite number, also one that is a text, or raise UnreadableAnswerError."""
    value = answer.get(key)
    value = typed(value) if isinstance(value, str) else value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e300:
        raise UnreadableAnswerError("The answer is a number.")
    return float(value)
