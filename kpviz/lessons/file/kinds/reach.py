"""Reach: settings within limits until a condition holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from kpviz.lessons.file.case import Case, NoRunError
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds import limits
from kpviz.lessons.file.kinds.limits import Limit
from kpviz.lessons.file.kinds.question import Answer, Block, Question, Solution, UnreadableError, Verdict
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.names import NoValueError
from kpviz.lessons.file.words import Tree
from kpviz.settings import Settings

NEVER = Condition.read("1 < 0")


@dataclass(frozen=True)
class Reach(Question):
    """Settings `within` limits of which `until` holds at the end of the run; `solution` is one of them."""

    keys: ClassVar[tuple[str, ...]] = ("within", "until", "solution")
    secret: ClassVar[tuple[str, ...]] = ("solution",)
    within: tuple[Limit, ...] = ()
    until: Condition = NEVER
    solution: Link | None = None

    @classmethod
    def read(cls, block: Block) -> Self:
        within = read_limits(block, needed="within: sigma 0.1 to 3")
        until = block.condition("until", needed="until: converged and mistakes <= 10")
        return cls(within, until or NEVER, read_solution(block))

    def check(self, start: Link, answer: Answer) -> Verdict:
        link = link_of(answer)
        if (problem := unusable(link)) is not None:
            return Verdict(False, problem)
        if (broken := self._broken(start.settings, link.settings)) is not None:
            return Verdict(False, broken)
        return held(self.until, link, start)

    def solve(self, start: Link) -> Solution:
        return own_solution(self.solution, start)

    def revealed(self, start: Link) -> tuple[Tree, ...]:
        if self.solution is None:
            return ()
        query = own_solution(self.solution, start).lines[0].removeprefix("/")
        return (({"kind": "link", "href": query, "children": ["a solution"]},),)

    @property
    def plain(self) -> dict[str, Any]:
        return {"within": [limit.plain for limit in self.within]}

    def _broken(self, before: Settings, after: Settings) -> str | None:
        """Say which limit is not kept, None if all are."""
        return limits.broken(self.within, before, after)


def read_limits(block: Block, *, needed: str = "", points: bool = False) -> tuple[Limit, ...]:
    """Return the limits of a block."""
    text = block.text("within", needed=needed)
    try:
        return limits.read(text, points=points) if text else ()
    except ValueError as error:
        block.fault(block.line_of("within"), f"within cannot be read. {error}")
        return ()


def read_solution(block: Block) -> Link | None:
    """Return the solution of a block, which a copy for students has not."""
    return block.link("solution", needed="" if block.students else "solution: v=1&data=xor&sigma=0.5")


def own_solution(solution: Link | None, start: Link) -> Solution:
    """Return the author's solution as an answer to the data of `start`."""
    if solution is None:
        raise ValueError("This copy of the lesson has no solutions.")
    seed = start.pairs.get("seed", "")
    link = solution.with_seed(int(seed)) if seed.isdigit() and "seed" not in solution.pairs else solution
    return Solution({"link": link.query}, (link.address,))


def link_of(answer: Answer) -> Link:
    """Return the link that was handed in; UnreadableError if it is none."""
    text = answer.get("link")
    if not isinstance(text, str):
        raise UnreadableError("The answer is a link.")
    try:
        return Link.read(text.strip())
    except ValueError as error:
        raise UnreadableError(str(error)) from None


def unusable(link: Link) -> str | None:
    """Return why a link cannot be an answer, None if it can."""
    if link.page != "play":
        return "The answer is a link of the player."
    return link.problems[0] if link.problems else None


def held(until: Condition, link: Link, start: Link) -> Verdict:
    """Say whether a condition holds at the end of a link's run, and what its names are there; `start`: of the task."""
    try:
        case = replace(Case.of(link).end, started=start)
        holds = until.holds(case)
    except (NoRunError, NoValueError) as error:
        return Verdict(False, str(error))
    except ValueError as error:  # of the kernel, the learner or the data
        return Verdict(False, " ".join(str(error).split()))
    shown = until.described(case)
    words = "It holds" if holds else "It does not hold yet"
    return Verdict(holds, f"{words}: {shown}." if shown else f"{words}.", {"values": until.values(case)})
