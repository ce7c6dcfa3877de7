"""Click: one points at the support examples, the next mistake, or the example that is forgotten next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from kpviz.lessons.explain import counted
from kpviz.lessons.explain import example as name_of
from kpviz.lessons.file.case import Case
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds.question import Answer, Block, Question, Solution, UnreadableError, Verdict, whole_list
from kpviz.lessons.file.links import Link


def _support(case: Case) -> set[int]:
    return set(case.state.support.tolist())


def _next_mistake(case: Case) -> set[int]:
    later = np.flatnonzero(case.run.mistake[case.t :])
    return {int(case.run.index[case.t + later[0]])} if len(later) else set()


def _forgotten(case: Case) -> set[int]:
    changes = case.run.changes
    later = np.flatnonzero((changes.step >= case.t) & (changes.evicted >= 0))
    return {int(case.run.index[changes.evicted[later[0]]])} if len(later) else set()


@dataclass(frozen=True)
class What:
    """What may be asked for: how it is found, what it is where the link names no step, and why there may be none."""

    find: Callable[[Case], set[int]]
    unnamed: int | None
    none: str


WHATS = {
    "support": What(_support, None, "There is no support example at this step."),
    "next mistake": What(_next_mistake, 0, "No mistake follows this step."),
    "forgotten": What(_forgotten, 0, "No example is forgotten after this step."),
}
_LISTED = ", ".join(WHATS)


@dataclass(frozen=True)
class Click(Question):
    """Examples on the map: those of `what`, or all of which the condition `where` holds, example by example."""

    keys: ClassVar[tuple[str, ...]] = ("what", "where")
    what: str = ""
    where: Condition | None = None

    @classmethod
    def read(cls, block: Block) -> Self:
        what, where = block.text("what").lower(), block.condition("where", each=True)
        if what and what not in WHATS:
            block.fault(block.line_of("what"), f"what is one of {_LISTED}; write where: margin(i) < 1 for others.")
        if bool(what) == bool(block.all("where")):
            block.fault(block.line, f"Write either what: one of {_LISTED}, or where: a condition on example i.")
        return cls(what, where)

    def check(self, start: Link, answer: Answer) -> Verdict:
        given = set(whole_list(answer, "examples", "examples"))
        case, right = self._found(start)
        if strangers := [i for i in given if i >= len(case.run.y)]:
            raise UnreadableError(
                f"{name_of(strangers[0])} is not an example: the last is {name_of(len(case.run.y) - 1)}."
            )
        if given == right:
            return Verdict(True, "Right.")
        wrong, missing = sorted(given - right), len(right - given)
        detail = {"wrong": wrong, "missing": missing}
        if wrong:
            return Verdict(False, f"{name_of(wrong[0])} does not belong to them.", detail)
        return Verdict(
            False, f"{counted(missing, 'example')} more {'belongs' if missing == 1 else 'belong'} to them.", detail
        )

    def solve(self, start: Link) -> Solution:
        _, right = self._found(start)
        return Solution({"examples": sorted(right)}, (", ".join(map(name_of, sorted(right))),))

    @property
    def plain(self) -> dict[str, Any]:
        return {"one": self.what in ("next mistake", "forgotten")}

    def packed(self, start: Link) -> dict[str, Any]:
        case, right = self._found(start)
        return {"right": sorted(right), "count": len(case.run.y)}

    def _found(self, start: Link) -> tuple[Case, set[int]]:
        what = WHATS.get(self.what)
        case = Case.of(start, unnamed=what.unnamed if what else None)
        if what is not None:
            right, none = what.find(case), what.none
        else:
            where = self.where
            right = {i for i in range(len(case.run.y)) if where is not None and where.holds(case, i)}
            none = "The condition holds of no example."
        if not right:
            raise ValueError(none)
        return case, right
