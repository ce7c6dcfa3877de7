"""Choose: one says which of some statements are true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kpviz.lessons.file import words
from kpviz.lessons.file.case import Case
from kpviz.lessons.file.conditions import Condition, ConditionError
from kpviz.lessons.file.errors import LessonError
from kpviz.lessons.file.kinds.question import Answer, Block, Question, Solution, UnreadableError, Verdict, whole_list
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.words import Tree

LETTERS = "ABCDEFGHIJ"


@dataclass(frozen=True)
class Choose(Question):
    """Statements to choose from; those that are true are told by conditions on the run, or by the author's letters.

    Attributes
    ----------
    choices : Markdown of one paragraph each. when : the condition under which each is true, () where letters tell.
    answer : the true ones, by index; None where conditions tell, or the copy is for students.
    """

    keys: ClassVar[tuple[str, ...]] = ("choice", "when", "answer")
    secret: ClassVar[tuple[str, ...]] = ("when", "answer")
    several: ClassVar[tuple[str, ...]] = ("choice", "when")
    choices: tuple[str, ...] = ()
    when: tuple[Condition, ...] = ()
    answer: tuple[int, ...] | None = None

    @classmethod
    def read(cls, block: Block) -> Self:
        choices = block.all("choice")
        if not 2 <= len(choices) <= len(LETTERS):
            block.fault(block.line, f"A choice is made among 2 to {len(LETTERS)} lines that begin with choice:.")
        for text, line in choices[: len(LETTERS)]:
            try:
                words.inline(text, line)
            except LessonError as error:
                block.faults.extend(error.faults)
        when, answer = _conditions(block, len(choices)), _letters(block, len(choices))
        if not when and answer is None and not block.students and not block.faults:
            block.fault(block.line, "Say which choice is right: answer: A, or a line when: converged under each.")
        return cls(tuple(text for text, _ in choices), when, answer)

    def check(self, start: Link, answer: Answer) -> Verdict:
        given = set(whole_list(answer, "choices", "choices"))
        if not given <= set(range(len(self.choices))):
            raise UnreadableError(f"The choices are numbered from 0 to {len(self.choices) - 1}.")
        right = self._right(start)
        if given == right:
            return Verdict(True, "Right.")
        if given < right:
            return Verdict(False, "What is chosen is true, but it is not all.", {"missing": len(right - given)})
        return Verdict(False, "Something that is chosen is not true." if given else "Nothing is chosen.")

    def solve(self, start: Link) -> Solution:
        right = self._right(start)
        if self.when and self.answer is not None and right != set(self.answer):
            raise ValueError(f"The answer is {_named(self.answer)}, but the conditions hold of {_named(right)}.")
        if not right:
            raise ValueError("None of the choices is true: let one be.")
        return Solution({"choices": sorted(right)}, tuple(f"{LETTERS[k]}: {self.choices[k]}" for k in sorted(right)))

    def revealed(self, start: Link) -> tuple[Tree, ...]:
        return tuple(words.inline(self.choices[k]) for k in sorted(self._right(start)))

    @property
    def plain(self) -> dict[str, Any]:
        return {"choices": [list(words.inline(text)) for text in self.choices]}

    def packed(self, start: Link) -> dict[str, Any]:
        return {"right": sorted(self._right(start))}

    def _right(self, start: Link) -> set[int]:
        if self.when:
            case = Case.of(start)
            return {k for k, condition in enumerate(self.when) if condition.holds(case)}
        if self.answer is None:
            raise ValueError("This copy of the lesson has no answers.")
        return set(self.answer)


def _named(choices: Any) -> str:
    return ", ".join(LETTERS[k] for k in sorted(choices)) or "none"


def _conditions(block: Block, count: int) -> tuple[Condition, ...]:
    given = block.all("when")
    if not given:
        return ()
    order = [key for key, _, _ in block.values if key in ("choice", "when")]
    if order != ["choice", "when"] * count:
        block.fault(given[0][1], "Each choice needs one line when: under it, or none of them has one.")
        return ()
    found = []
    for text, line in given:
        try:
            found.append(Condition.read(text))
        except ConditionError as error:
            block.fault(line, f"when cannot be read. {error}")
    return tuple(found) if len(found) == count else ()


def _letters(block: Block, count: int) -> tuple[int, ...] | None:
    text = block.text("answer")
    if not text:
        return None
    letters = [part.strip().upper() for part in text.split(",")]
    known = LETTERS[:count]
    if not all(len(letter) == 1 and letter in known for letter in letters) or len(set(letters)) < len(letters):
        block.fault(block.line_of("answer"), f"answer is one or more of {', '.join(known)}, with commas between them.")
        return None
    return tuple(sorted(known.index(letter) for letter in letters))
