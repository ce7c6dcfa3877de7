"""What a learner brings to a script: its rule as code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Rule:
    """A learner as code: the engine's operations in the engine's order, so that the same bits come out.

    In the code are n examples; K[i, j] = k(x_i, x_j), beside which may stand columns for examples that only look on; f,
    the scores of all columns, b included; step, which counts presentations from 1; mistakes, a list of (step, example);
    and y, -1 or +1.

    Attributes
    ----------
    formulas : the rule for a formula renderer.
    start : what is there before the first example. shown : what happens when example i is shown.
    parameters : what the code reads, by name.
    keeps : the array that is learnt, "alpha" or "coef" = y * alpha.
    quiet : what is counted in an epoch and is 0 in the last one, "mistakes" or "changes"; "" if there is no such epoch.
    intercept : whether there is a b. unit : what alpha and b are multiplied with in the end.
    forgets : whether something is taken away again, which leaves rounding errors up to `rest`.
    draws : whether the learner itself draws, from `luck`.
    chooses : how it finds whom to show, "" if there is an order; content : when it no longer looks.
    function : a function that the code calls. imports : modules besides numpy.
    """

    formulas: str
    start: str
    shown: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    keeps: str = "alpha"
    quiet: str = "mistakes"
    intercept: bool = False
    unit: float = 1.0
    forgets: bool = False
    draws: bool = False
    chooses: str = ""
    content: str = ""
    function: str = ""
    imports: tuple[str, ...] = ()
