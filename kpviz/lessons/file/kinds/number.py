"""Number: one works out f at a point, a margin, an α, a bound."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from kpviz.engine.kernels.formula import formula_of
from kpviz.lessons.explain import MINUS
from kpviz.lessons.file.case import Case
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.kinds.question import Answer, Block, Question, Solution, Verdict, number
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.names import Function, said

_USUAL = 0.005  # of the value
_WHOLE = 1e-9
_NONE = Condition.read_number("0")
_OF_K = ("k", "f", "score", "margin")
_SHOWN = 4  # significant digits: an answer may be half a percent off


@dataclass(frozen=True)
class Number(Question):
    """A number of the run, at the step of the link, else at its end.

    Attributes
    ----------
    value : what is asked for. tolerance : how far off an answer may be; None: half a percent, and a whole number not
        at all. relative : whether it is a share of the value.
    """

    keys: ClassVar[tuple[str, ...]] = ("value", "tolerance")
    value: Condition = _NONE
    tolerance: float | None = None
    relative: bool = False

    @classmethod
    def read(cls, block: Block) -> Self:
        value = block.condition("value", needed="value: f(0.5, -1)", number=True)
        text = block.text("tolerance")
        if not text:
            return cls(value or _NONE)
        match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(%?)", text)
        if match is None:
            block.fault(block.line_of("tolerance"), "tolerance is a number, as 0.01, or a share of the value, as 2%.")
            return cls(value or _NONE)
        relative = match[2] == "%"
        return cls(value or _NONE, float(match[1]) / (100.0 if relative else 1.0), relative)

    def check(self, start: Link, answer: Answer) -> Verdict:
        given, value = number(answer, "number"), self._value(Case.of(start))
        allowed = self._allowed(value)
        if abs(given - value) <= allowed * (1 + _WHOLE):
            return Verdict(True, f"{said(given)} is right.")
        near = abs(given - value) <= _near(value, allowed)
        if given and math.isclose(given, -value, abs_tol=allowed):
            return Verdict(False, "The size is right, and the sign is not.", {"near": "sign"})
        return Verdict(False, "It is near, but not near enough." if near else "It is another number.", {"near": near})

    def solve(self, start: Link) -> Solution:
        case = Case.of(start)
        value = self._value(case)
        return Solution({"number": value}, (*self._kernel(case), f"{self.value.text} = {_written(value)}"))

    def packed(self, start: Link) -> dict[str, Any]:
        value = self._value(Case.of(start))
        allowed = self._allowed(value)
        return {"value": value, "allowed": allowed, "near": _near(value, allowed)}

    def _kernel(self, case: Case) -> tuple[str, ...]:
        """Return a line that names the kernel, with its formula if it has one, where the number is made of k."""
        kernel = case.run.kernel
        is_of_k = any(isinstance(part.of, Function) and part.of.name in _OF_K for part in self.value.parts)
        if kernel is None or not is_of_k:
            return ()
        try:
            return (f"{kernel.label}: k(u, v) = {formula_of(kernel)}",)
        except ValueError:
            return (f"The kernel is {kernel.label}.",)

    def _value(self, case: Case) -> float:
        value = self.value.value(case)
        if not math.isfinite(value):
            raise ValueError(f"{self.value.text} is not finite in this run: ask for another number.")
        return value

    def _allowed(self, value: float) -> float:
        if self.tolerance is not None:
            return self.tolerance * (abs(value) if self.relative else 1.0)
        return _WHOLE if abs(value - round(value)) < _WHOLE else _USUAL * abs(value)


def _near(value: float, allowed: float) -> float:
    """Return how far off a number may be that is called near."""
    return 10.0 * max(allowed, _USUAL * abs(value))


def _written(value: float) -> str:
    """Return a number so that it is right as an answer.

    >>> _written(0.60653), _written(128.0), _written(-12345.678), _written(0.000012345)
    ('0.6065', '128', '−12350', '1.234e−05')
    """
    if value == round(value) and abs(value) < 1e12:
        return said(float(round(value)))
    small = 0.0 < abs(value) < 1e-4
    text = f"{value:.{_SHOWN}g}" if small else np.format_float_positional(value, _SHOWN, fractional=False, trim="-")
    return text.replace("-", MINUS)
