"""A learner as Python code, for scripts that avoid kpviz where possible.

Tests: tests/test_explain.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kpviz.engine.rounding import ROUNDING

COUNTS = "alpha = np.zeros(n, dtype=int)  # mistakes on each example"
WEIGHTS = "alpha = np.zeros(n)"
MISTAKE = "if y[i] * f[i] <= 0:\n    mistakes.append((step, i))"
ADD = r"y_i f(x_i) \le 0 \quad\Rightarrow\quad \alpha_i \leftarrow \alpha_i + 1"


@dataclass(frozen=True)
class Rule:
    """A learner as code: the engine's operations in the engine's order, so the same bits come out.

    In the code are n examples; K[i, j] = k(x_i, x_j); f, the scores of all, b included; step, which
    counts presentations from 1; mistakes, a list of (step, example); and y, -1 or +1. Where the
    code reads size, that is what the terms of f[i] add up to without their signs.

    Attributes
    ----------
    formulas : the rule for a formula renderer.
    start : code that runs before the first example. on_example : what happens when example i is
        shown; "" where a learner brings no code, so that scripts import it.
    parameters : what the code reads, by name.
    keeps : the array that is learnt, "alpha" or "coef" = y * alpha.
    quiet : what is counted in an epoch and is 0 in the last one, "mistakes" or "changes"; "" if
        there is no such epoch.
    intercept : whether there is a b. unit : code for what alpha and b are multiplied with in the
        end, "" for 1.
    resum : code that sums f[i] anew from what is remembered, where entries are removed again or
        cancel; "" of others.
    draws : whether the learner itself draws, from `luck`.
    converged : where the learner chooses the next example, when it stops; "" if there is an order.
    wrong : which scores of all examples are mistakes, for orders that show only mistakes.
    function : a function that the code calls. imports : lines that import, besides that of numpy.
    """

    formulas: str
    start: str = ""
    on_example: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    keeps: str = "alpha"
    quiet: str = "mistakes"
    intercept: bool = False
    unit: str = ""
    resum: str = ""
    draws: bool = False
    converged: str = ""
    wrong: str = "y * f <= 0"
    function: str = ""
    imports: tuple[str, ...] = ()


def joined(*parts: str | tuple[str, bool]) -> str:
    """Return the lines, those with a condition only where it holds."""
    return "\n".join(
        part if isinstance(part, str) else part[0]
        for part in parts
        if isinstance(part, str) or part[1]
    )


def summed_anew(weight: str, unpacked: str, memory: str = "memory") -> str:
    """Return code that sums a score anew, without the rounding errors of what was forgotten."""
    return f"f[i] = 0.0\nfor {unpacked} in {memory}:\n    f[i] += {weight} * K[i, j]"


def without_rounding_error(size: str) -> str:
    """Return code that makes the score of example i 0 where it is only a rounding error."""
    return f"f[i] = f[i] if abs(f[i]) >= {ROUNDING} * {size} else 0.0  # no rounding error"


LEARNER_ANSWERS = Rule(
    formulas=r"(\alpha, b) \leftarrow \text{what the learner answers}",
    quiet="changes",
    intercept=True,
)
