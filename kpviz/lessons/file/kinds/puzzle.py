"""A puzzle: a board, what one may change of it, and one number, as large or as small as it can be.

Tests: tests/lessons/test_puzzles.py.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.lessons.explain import counted
from kpviz.lessons.file.arithmetic import typed
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds.board import (
    POINTS,
    Draw,
    Limit,
    Reach,
    answered_link,
    points_of,
    read_limits,
)
from kpviz.lessons.file.kinds.question import Answer, Block, CheckResult
from kpviz.lessons.file.links import Case, Link
from kpviz.lessons.file.names import shown_as
from kpviz.settings import Settings

ALWAYS = Condition.read("0 < 1")
_NO_NUMBER = Condition.read_number("0")
_MOST_HEIGHTS = 50
_CLOSE = 1e-6  # So close to a multiple of the grid's step, relative to it, is on it.
# Numbers that differ by no more, relative to par, are alike: a bound is rounded upwards.
_SAME = 1e-6
# What may be counted, and what it is called where there is one.
_PLURAL = re.compile(r"\b(mistake|brick|example|epoch|point|step|vote)s\b")
# Who plays need not know the word.
_PLAINLY = {"not converged": "the last epoch still has mistakes"}
_OUTSIDE = "A point lies outside the part of the plane that is shown: move it back."
_FINE = 0.01  # The step of a line's heights where the file gives no grid.
_BEST = re.compile(r"([^,]+), *(.+)")
_LESSON = re.compile(r"[\w-]{1,80}")


@dataclass(frozen=True)
class Puzzle(Draw):
    """A board of which a number is to be as large or as small as it can be.

    Attributes
    ----------
    within, until, solution : as of `Draw`; a board on which `until` does not hold does not count.
    number : what is counted. more : whether more of it is better.
    par : what one should reach. best : what cannot be surpassed, None where nobody knows; known :
        how it is known, a phrase.
    grid : what is placed or turned lies at multiples of it, None for anywhere.
    line : the line in one's hand has so many heights, 0 where there is none.
    lesson : the name of the lesson to which it leads, "" for none. best_line : where best stands.
    called_unit : what the author calls what is counted, "" for its usual name.
    """

    keys: ClassVar[tuple[str, ...]] = (
        "within",
        "until",
        "solution",
        "most",
        "least",
        "par",
        "best",
        "grid",
        "line",
        "lesson",
        "unit",
    )
    secret: ClassVar[tuple[str, ...]] = ("solution", "best")
    number: Condition = _NO_NUMBER
    more: bool = True
    par: float = 0.0
    best: float | None = None
    known: str = ""
    grid: float | None = None
    line: int = 0
    lesson: str = ""
    best_line: int = 1
    called_unit: str = ""

    @classmethod
    def read(cls, block: Block) -> Self:
        line = block.whole("line", 2, _MOST_HEIGHTS, 0) or 0
        text = block.text("within", needed="" if line else "within: added 0 to 3, removed 0 to 0")
        within: tuple[Limit, ...] = ()
        try:
            within = read_limits(text, points=True) if text else ()
        except ValueError as error:
            block.fault(block.line_of("within"), f"within cannot be read. {error}")
        until = block.condition("until")
        solution = block.link(
            "solution", needed="" if block.is_for_students else "solution: v=1&data=xor&sigma=0.5"
        )
        more = bool(block.all("most"))
        if more == bool(block.all("least")):
            block.fault(
                block.line,
                "A puzzle has one number: write a line such as most: mistakes, or least: n.",
            )
        number = block.condition("most" if more else "least", number=True)
        best, known = _best(block)
        return cls(
            within,
            until or ALWAYS,
            solution,
            number or _NO_NUMBER,
            more,
            _number(block, "par", block.text("par", needed="par: 20")) or 0.0,
            best,
            known,
            _step(block),
            line,
            _lesson(block),
            block.line_of("best"),
            block.text("unit"),
        )

    def value_of(self, start: Link, link: Link) -> float:
        """Return the number of a board; ValueError, of one sentence, where the board breaks a rule
        of the puzzle.
        """
        case = self.board(start, link)
        if not self.until.holds(case):
            clauses = self.until.clauses(case)
            missing = [_PLAINLY.get(words, words) for is_so, words in clauses if not is_so]
            raise ValueError(f"This does not count: {', '.join(missing)}.")
        value = self.number.value(case)
        # A bound is rounded upwards: one of 2 is shown as 2, and not as 2.00.
        is_whole = math.isfinite(value) and abs(value - round(value)) <= _SAME
        return float(round(value)) if is_whole else value

    def is_as_good(self, value: float, other: float) -> bool:
        """Whether a value is at least as good as another one."""
        gain = value - other if self.more else other - value
        return gain >= -_SAME * max(1.0, abs(other))

    def reaches_best(self, value: float) -> bool:
        """Whether nothing is better than a value."""
        return self.best is not None and self.is_as_good(value, self.best)

    def called(self, value: float) -> str:
        """Return a value with what it is called.

        >>> puzzle = Puzzle(number=Condition.read_number("mistakes"))
        >>> puzzle.called(31), puzzle.called(1)
        ('31 mistakes', '1 mistake')
        """
        return f"{shown_as(value)} {self.unit_of(value)}"

    @property
    def unit(self) -> str:
        """What is counted."""
        if self.called_unit:
            return self.called_unit
        return self.number.parts[0].quantity.named() if self.number.parts else ""

    def unit_of(self, value: float) -> str:
        """Return what is counted, in the singular where there is one of it."""
        return _PLURAL.sub(r"\1", self.unit, count=1) if value == 1 else self.unit

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        link = answered_link(answer)
        try:
            value = self.value_of(start, link)
        except ValueError as error:
            return CheckResult(False, " ".join(str(error).split()))
        reached = self.is_as_good(value, self.par)
        par = "and par is reached" if reached else f"and par is {shown_as(self.par)}"
        detail = {"value": value, "shown": shown_as(value)}
        why = f"{self.called(value)}, {par}."
        if not self.reaches_best(value):
            return CheckResult(reached, why, detail)
        best = f"That is the best there is: {self.known}."
        return CheckResult(reached, f"{why} {best}", {**detail, "best": best})

    def is_met_at(self, start: Link) -> bool:
        try:
            return self.is_as_good(self.value_of(start, start), self.par)
        except ValueError:
            return False

    def problems(self, start: Link) -> Iterator[tuple[int, str]]:
        """Yield what is not so of par and best, each fault with its line."""
        if self.best is None:
            return
        best = shown_as(self.best)
        if not self.is_as_good(self.best, self.par):
            yield (
                self.best_line,
                f"best is {best}, and par is {shown_as(self.par)}, which is better: give par a "
                "value that can be reached.",
            )
        if self.solution is None:
            return
        with contextlib.suppress(ValueError):  # Then the solution itself has a fault.
            value = self.value_of(start, self.solution)
            if not self.is_as_good(self.best, value):
                yield (
                    self.best_line,
                    f"best is {best}, but the solution has {self.called(value)}: correct best.",
                )

    def board(self, start: Link, link: Link) -> Case:
        case = super().board(start, link)
        if len(link.heights) != self.line:
            raise ValueError(
                f"The line has {counted(len(link.heights), 'height')}, and {self.line} are wanted."
                if self.line
                else "No line is drawn in this puzzle: leave it out."
            )
        visible = case.split.extent
        heights = np.array(link.heights)
        if ((heights < visible.low_2) | (heights > visible.high_2)).any():
            raise ValueError("The line leaves the part of the plane that is shown.")
        problem = self._off_grid(heights, "The line")
        if problem is not None:
            raise ValueError(problem)
        return case

    def broken(self, before: Settings, after: Settings) -> str | None:
        if self.places_points:
            return super().broken(before, after) or self._misplaced(before, after)
        return Reach.broken(self, before, after) or self._off_steps(after)

    @property
    def places_points(self) -> bool:
        """Whether there are points in one's hand."""
        return any(limit.name in POINTS for limit in self.within)

    def _off_steps(self, after: Settings) -> str | None:
        """Return which setting is between two steps of the grid, in one sentence."""
        for limit in self.within:
            if limit.low is not None:
                problem = self._off_grid(np.array([after.values[limit.name]]), limit.called)
                if problem is not None:
                    return problem
        return None

    def _misplaced(self, before: Settings, after: Settings) -> str | None:
        """Return which points are not where they may be, in one sentence."""
        old = points_of(before)
        new = points_of(after)
        if new.axes != old.axes:
            return _OUTSIDE
        placed = new.X
        if new.held:
            return "A point is held out here: all of them are to be learnt."
        if any(limit.name == "removed" and limit.high == 0 for limit in self.within):
            # Who shows the old points later has another order, which is not in the hand.
            stays = np.array_equal(new.cells[: old.n], old.cells)
            if not (stays and np.array_equal(new.y[: old.n], old.y)):
                return "The points that were there come first, in their order."
            placed = new.X[old.n :]
        visible = old.visible
        low = (visible.low_1, visible.low_2)
        high = (visible.high_1, visible.high_2)
        if ((placed < low) | (placed > high)).any():
            return _OUTSIDE
        return self._off_grid(placed, "Each point")

    def _off_grid(self, values: FloatArray, what: str) -> str | None:
        """Return a sentence where values are not multiples of the grid's step."""
        if self.grid is None:
            return None
        steps = values / self.grid
        is_on_grid = np.abs(steps - np.rint(steps)) <= _CLOSE
        return None if is_on_grid.all() else f"{what} must lie on multiples of {self.grid:g}."

    def allowed_changes(self, start: Link) -> str:
        """Say what is in one's hand."""
        if self.line:
            return f"Draw a line by its {self.line} heights, from left to right."
        if self.places_points:
            return super().allowed_changes(start)
        return Reach.allowed_changes(self, start)

    def on_page(self, starts: Sequence[Link]) -> dict[str, Any]:
        """Return the number of the start, and where points or the heights of a line may lie."""
        start = starts[0]
        return {"first": self._first(start), **self._room_for_points(start), **self._room(start)}

    def _first(self, start: Link) -> str:
        """Return the number of the start, "" where that does not count."""
        with contextlib.suppress(ValueError):
            return shown_as(self.value_of(start, start))
        return ""

    def _room_for_points(self, start: Link) -> dict[str, int]:
        """Return how many points stay where they are, and how many there may be."""
        if not self.places_points:
            return {}
        n = points_of(start.settings).n
        room = {"placed": n, "fixed": 0}
        for limit in self.within:
            if limit.name in ("points", "added") and limit.high is not None:
                most = int(limit.high) + (n if limit.name == "added" else 0)
                room["most"] = min(most, room.get("most", most))
            elif limit.name == "removed" and limit.high == 0:
                room["fixed"] = n
        return room

    def _room(self, start: Link) -> dict[str, Any]:
        """Return from where to where the heights of a line may be, and their step."""
        if not self.line:
            return {}
        visible = Case.of(start).split.extent
        step = self.grid or _FINE
        low = math.ceil(visible.low_2 / step - _CLOSE) * step
        high = math.floor(visible.high_2 / step + _CLOSE) * step
        return {"heights": [round(low, 6), round(high, 6)], "grid": step}

    @property
    def plain(self) -> dict[str, Any]:
        return {
            **super().plain,
            "unit": self.unit,
            "unitOfOne": self.unit_of(1),
            "more": self.more,
            "par": shown_as(self.par),
            "grid": self.grid,
            "line": self.line,
            "lesson": self.lesson,
        }


def _number(block: Block, key: str, text: str) -> float | None:
    """Return the number that stands under a key, None where there is none."""
    value = typed(text) if text else None
    if text and value is None:
        block.fault(block.line_of(key), f"{key} begins with a number, and not with {text[:20]!r}.")
    return value


def _best(block: Block) -> tuple[float | None, str]:
    text = block.text("best")
    match = _BEST.fullmatch(text)
    if text and match is None:
        block.fault(
            block.line_of("best"),
            "best says how it is known: write as in best: 44, each of the 40,320 orders was tried.",
        )
    return (None, "") if match is None else (_number(block, "best", match[1]), match[2])


def _step(block: Block) -> float | None:
    step = _number(block, "grid", block.text("grid"))
    if step is not None and not 0.001 <= step <= 1.0:
        block.fault(block.line_of("grid"), "grid is a step from 0.001 to 1, such as 0.1.")
        return None
    return step


def _lesson(block: Block) -> str:
    name = block.text("lesson")
    if name and not _LESSON.fullmatch(name):
        block.fault(block.line_of("lesson"), "lesson is the name of a file without .kpviz.md.")
        return ""
    return name
