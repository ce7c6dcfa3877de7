"""Predict: one says which of the next examples will be mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kpviz.lessons.explain import example, number
from kpviz.lessons.file.case import Case, NoRunError
from kpviz.lessons.file.kinds.question import Answer, Block, Question, Solution, UnreadableError, Verdict
from kpviz.lessons.file.links import Link

MISTAKE, CORRECT = "mistake", "correct"
MOST = 20


@dataclass(frozen=True)
class Predict(Question):
    """The next `count` verdicts, from the step of the link, else from the start."""

    keys: ClassVar[tuple[str, ...]] = ("count",)
    count: int = 1

    @classmethod
    def read(cls, block: Block) -> Self:
        return cls(block.whole("count", 1, MOST, 1) or 1)

    def check(self, start: Link, answer: Answer) -> Verdict:
        case = self._case(start)
        given = verdicts(answer.get("verdicts"), self.count)
        for step, (said, is_so) in enumerate(zip(given, self._verdicts(case), strict=True), case.t):
            if said != is_so:
                return Verdict(False, decided(case, step), {"step": step + 1})
        return Verdict(True, "All as predicted." if self.count > 1 else decided(case, case.t))

    def solve(self, start: Link) -> Solution:
        case = self._case(start)
        steps = range(case.t, case.t + self.count)
        return Solution({"verdicts": self._verdicts(case)}, tuple(decided(case, step) for step in steps))

    @property
    def plain(self) -> dict[str, Any]:
        return {"count": self.count}

    def packed(self, start: Link) -> dict[str, Any]:
        case = self._case(start)
        said = [decided(case, case.t + k) for k in range(self.count)]
        return {"t": case.t, "right": self._verdicts(case), "said": said}

    def _case(self, start: Link) -> Case:
        return with_steps(start, self.count)

    def _verdicts(self, case: Case) -> list[str]:
        return [MISTAKE if wrong else CORRECT for wrong in case.run.mistake[case.t : case.t + self.count]]


def with_steps(start: Link, count: int) -> Case:
    """Return the run of a link at its step, else at the start; NoRunError if fewer than `count` steps follow."""
    case = Case.of(start, unnamed=0)
    if case.t + count > case.run.n_steps:
        left = case.run.n_steps - case.t
        raise NoRunError(f"{count} steps are asked for, but {left} follow step {case.t} of this run.")
    return case


def verdicts(found: Any, count: int) -> list[str]:
    """Return verdicts; UnreadableError if they are none, or not so many."""
    if not isinstance(found, list) or len(found) != count or not all(each in (MISTAKE, CORRECT) for each in found):
        raise UnreadableError(f'The answer is a list of {count} verdicts, each "mistake" or "correct".')
    return list(found)


def decided(case: Case, step: int) -> str:
    """Say what a presentation, from 0, was, with the numbers that decide."""
    run = case.run
    i, f = int(run.index[step]), float(run.score[step])
    label = "+1" if run.y[i] > 0 else "−1"
    what = "a mistake" if run.mistake[step] else "correct"
    return f"Step {step + 1:,}: f({example(i)}) = {number(f)} and y = {label}: {what}."
