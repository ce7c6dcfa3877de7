"""Tasks about the steps that come next: predict says what each will be, perform also what it
changes.

Tests: tests/lessons/test_tasks.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from kpviz.lessons.explain import COLOURS, MINUS, class_words, example, label, number, verdict
from kpviz.lessons.file.kinds.question import (
    Answer,
    Block,
    CheckResult,
    Question,
    Solution,
    UnreadableAnswerError,
)
from kpviz.lessons.file.links import Case, Link, NoRunError

MISTAKE = "mistake"
CORRECT = "correct"
MOST_PREDICTED = 20
MOST_PERFORMED = 60
_NEAR = 0.005  # A change may be off by this share.


@dataclass(frozen=True)
class Predict(Question):
    """The next `count` verdicts, from the step of the link, else from the start."""

    keys: ClassVar[tuple[str, ...]] = ("count",)
    count: int = 1

    @classmethod
    def read(cls, block: Block) -> Self:
        return cls(block.whole("count", 1, MOST_PREDICTED, 1) or 1)

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        case, _ = _case_and_count(start, self.count)
        verdicts = answer.get("verdicts")
        if (
            not isinstance(verdicts, list)
            or len(verdicts) != self.count
            or not all(verdict in (MISTAKE, CORRECT) for verdict in verdicts)
        ):
            what = f'The answer is a list of {self.count} verdicts, each "mistake" or "correct".'
            raise UnreadableAnswerError(what)
        for step, (predicted, is_so) in enumerate(
            zip(verdicts, self._verdicts(case), strict=True), case.t
        ):
            if predicted != is_so:
                return CheckResult(False, _contradicted(case, step), {"step": step + 1})
        return CheckResult(True, _as_predicted(case, self.count))

    def solve(self, start: Link) -> Solution:
        case, _ = _case_and_count(start, self.count)
        steps = range(case.t, case.t + self.count)
        return Solution(
            {"verdicts": self._verdicts(case)},
            tuple(f"Step {step + 1:,}: {_foreseen(case, step)}." for step in steps),
        )

    @property
    def plain(self) -> dict[str, Any]:
        return {"count": self.count}

    def packed(self, start: Link) -> dict[str, Any]:
        case, _ = _case_and_count(start, self.count)
        why_not = [_contradicted(case, case.t + k) for k in range(self.count)]
        return {
            "t": case.t,
            "right": self._verdicts(case),
            "said": why_not,
            "yes": _as_predicted(case, self.count),
        }

    def _verdicts(self, case: Case) -> list[str]:
        return [
            MISTAKE if wrong else CORRECT
            for wrong in case.run.mistake[case.t : case.t + self.count]
        ]


def _case_and_count(start: Link, count: int | None) -> tuple[Case, int]:
    """Return the run of a link at its step, else at the start, and how many steps are asked for;
    None: to the end of the epoch; NoRunError if fewer follow.
    """
    case = Case.of(start, default_t=0)
    if count is None:
        ends = case.run.epoch_ends
        end = int(ends[np.searchsorted(ends, case.t, side="right")]) if len(ends) else case.t
        count = min(end - case.t, MOST_PERFORMED)
    if not count or case.t + count > case.run.n_steps:
        raise NoRunError(
            f"{count} steps are asked for, but {case.run.n_steps - case.t} follow step {case.t}."
        )
    return case, count


def _as_predicted(case: Case, count: int) -> str:
    return "All as predicted." if count > 1 else f"{_foreseen(case, case.t)}."


def _foreseen(case: Case, step: int) -> str:
    """Say what a presentation, from 0, was, and why: by the colour of the ground where the map
    shows that.
    """
    run = case.run
    classes = case.split.source.classes
    x = example(case.run.index[step])
    y = run.y[run.index[step]]
    f = float(run.score[step])
    wrong = bool(run.mistake[step])
    if not (case.shows_colours and f and wrong == (f * y < 0)):
        return f"{verdict(run, step + 1, classes)}{'' if wrong else ': right'}"
    ground = COLOURS[int(f > 0)]
    own_colour = COLOURS[int(y > 0)]
    what = f"but {x} is {own_colour}: a mistake" if wrong else f"as {x} is: right"
    return f"The ground under {x} is {ground}, {what} (score {'+' if f > 0 else ''}{number(f)})"


def _contradicted(case: Case, step: int, first: int | None = None) -> str:
    """Say what a presentation, from 0, was, and why, to one who said the opposite and was right
    about those from `first` on.
    """
    run = case.run
    before = step - (case.t if first is None else first)
    predicted = "right" if run.mistake[step] else "a mistake"
    right = (
        ""
        if not before
        else "The first is right. "
        if before == 1
        else f"The first {before} are right. "
    )
    return f"{right}You said {predicted} at step {step + 1:,}. {_foreseen(case, step)}."


def decided(case: Case, step: int) -> str:
    """Say what a presentation, from 0, was, with the numbers that decide."""
    run = case.run
    i = int(run.index[step])
    f = float(run.score[step])
    what = "a mistake" if run.mistake[step] else "correct"
    return f"Step {step + 1:,}: f({example(i)}) = {number(f)} and y = {label(run.y[i])}: {what}."


@dataclass(frozen=True)
class Step:
    """What one presentation is and does: its verdict, what each α gains, what b gains."""

    verdict: str
    bricks: Mapping[int, float]
    b: float = 0.0

    @property
    def plain(self) -> dict[str, Any]:
        """As an answer gives it."""
        intercept = {"b": self.b} if self.b else {}
        return {
            "verdict": self.verdict,
            "bricks": [[i, gain] for i, gain in self.bricks.items()],
            **intercept,
        }

    @property
    def words(self) -> str:
        """What changes."""
        parts = [f"α of {example(i)} {_signed(gain)}" for i, gain in self.bricks.items()]
        parts += [f"b {_signed(self.b)}"] if self.b else []
        return ", ".join(parts) if parts else "nothing"


@dataclass(frozen=True)
class Perform(Question):
    """The next `count` presentations, from the step of the link, else from the start; None: to the
    end of the epoch.

    Its colours would tell each verdict: the board shows no field until all steps are done, unless
    scores are to be read off it.
    """

    keys: ClassVar[tuple[str, ...]] = ("count", "field")
    count: int | None = None
    shows_field: bool = False

    @classmethod
    def read(cls, block: Block) -> Self:
        field = block.text("field").lower()
        if field not in ("", "shown"):
            block.fault(
                block.line_of("field"),
                "field is shown, where scores are read off the map; else leave it out.",
            )
        return cls(block.whole("count", 1, MOST_PERFORMED), field == "shown")

    def check(self, start: Link, answer: Answer, tried: int = 0) -> CheckResult:
        case, count = _case_and_count(start, self.count)
        plain_steps = answer.get("steps")
        if not isinstance(plain_steps, list) or len(plain_steps) > count:
            raise UnreadableAnswerError(f"The answer is a list of at most {count} steps.")
        performed = [_step(plain_step) for plain_step in plain_steps]
        right = steps(case, count)
        for step, (step_written, is_so) in enumerate(zip(performed, right, strict=False), case.t):
            why = _difference(case, step, step_written, is_so)
            if why is not None:
                return CheckResult(False, why, {"step": step + 1})
        if len(performed) < count:
            missing = case.t + len(performed) + 1
            return CheckResult(False, f"Right so far; step {missing:,} is next.", {"step": missing})
        return CheckResult(
            True,
            f"All {count} steps are those of the run."
            if count > 1
            else "It is the step of the run.",
        )

    def solve(self, start: Link) -> Solution:
        case, count = _case_and_count(start, self.count)
        right_steps = steps(case, count)
        lines = (
            f"{decided(case, case.t + k)} Change: {step.words}."
            for k, step in enumerate(right_steps)
        )
        return Solution({"steps": [step.plain for step in right_steps]}, tuple(lines))

    @property
    def plain(self) -> dict[str, Any]:
        return {"count": self.count, "covers": [] if self.shows_field else ["f"]}


def steps(case: Case, count: int) -> list[Step]:
    """Return what the next `count` presentations are and do."""
    run = case.run
    states = [run.state_at(t) for t in range(case.t, case.t + count + 1)]
    steps_done = []
    for before, after, wrong in zip(
        states, states[1:], run.mistake[case.t : case.t + count], strict=False
    ):
        gains = after.alpha - before.alpha
        bricks = {int(i): float(f"{gains[i]:.12g}") for i in np.flatnonzero(np.abs(gains) > 1e-12)}
        shift = float(f"{after.intercept - before.intercept:.12g}")
        steps_done.append(Step(MISTAKE if wrong else CORRECT, bricks, shift))
    return steps_done


def _difference(case: Case, step: int, written: Step, right: Step) -> str | None:
    """Return what is different about a step, None if nothing is."""
    if written.verdict != right.verdict:
        return _contradicted(case, step, step)
    for i in sorted({*written.bricks, *right.bricks}):
        if not _same(written.bricks.get(i, 0.0), right.bricks.get(i, 0.0)):
            alpha = f"α of {example(i)}"
            gain = written.bricks.get(i)
            if (
                gain is not None
                and _same(gain, -right.bricks.get(i, 0.0))
                and case.run.learner.about.counts
            ):
                return f"Step {step + 1:,}: {_why_unsigned(case, i, right.bricks[i])}"
            wrote = f"did not change {alpha}" if gain is None else f"wrote {alpha} {_signed(gain)}"
            return f"Step {step + 1:,}: you {wrote}; the rule changes {right.words}."
    if not _same(written.b, right.b):
        return (
            f"Step {step + 1:,}: you wrote b {_signed(written.b)}; the rule changes {right.words}."
        )
    return None


def _why_unsigned(case: Case, i: int, gain: float) -> str:
    """Say to one who gave a gain the sign of the class why it has none."""
    class_word = class_words(case.split.source.classes)[int(case.run.y[i] > 0)]
    x = example(i)
    return (
        f"α counts mistakes, so α of {x} goes up by {_signed(gain).removeprefix('+')}. That "
        f"{x} is {class_word} is in y."
    )


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_NEAR, abs_tol=1e-9)


def _signed(value: float) -> str:
    text = f"{abs(value):g}" if float(value).is_integer() else number(abs(value))
    return f"{MINUS if value < 0 else '+'}{text}"


def _step(plain_step: Any) -> Step:
    """Read a step of an answer."""
    match plain_step:
        case {"verdict": "mistake" | "correct" as verdict}:
            bricks = plain_step.get("bricks", [])
            b = plain_step.get("b", 0)
        case _:
            raise UnreadableAnswerError('Each step has a verdict, "mistake" or "correct".')
    if not isinstance(bricks, list) or not all(map(_is_brick, bricks)) or not _is_number(b):
        raise UnreadableAnswerError(
            "The bricks of a step are pairs of an example and what its α gains."
        )
    if len({i for i, _ in bricks}) < len(bricks):
        raise UnreadableAnswerError("A step names an example twice.")
    return Step(verdict, {i: float(gain) for i, gain in bricks}, float(b))


def _is_brick(pair: Any) -> bool:
    match pair:
        case [int(i), gain]:
            return type(i) is int and i >= 0 and _is_number(gain)
    return False


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e12
