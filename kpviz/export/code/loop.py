"""The training loop of some settings as Python: the learner's rule, in the order of the settings, for a predictor."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz import experiment
from kpviz.engine.learners.rule import Rule
from kpviz.settings import Settings

_ORDERS = {"cyclic": "range(n)", "shuffled": "rng.permutation(n)", "random": "rng.integers(0, n, size=n)"}
_INNER = "    " * 2


@dataclass(frozen=True, eq=False)
class Loop:
    """The training of some settings as code.

    It reads X, y, K and the values of `parameters`, and leaves alpha or coef, b where there is an intercept, mistakes,
    step, and what the predictor needs: the sums alpha_sum (or coef_sum) and b_sum, or votes.

    `order` is by hand, (n,), None where it is not; `wide`: K has columns for examples that only look on.
    """

    settings: Settings
    rule: Rule
    order: NDArray[np.intp] | None
    wide: bool

    @classmethod
    def of(cls, settings: Settings, n: int, *, wide: bool) -> Loop:
        """Return the loop over n examples; ValueError, of one sentence, if there is none."""
        if not n:
            raise ValueError("There are no examples to learn from: add one, and the script can show how it is learnt.")
        order = experiment.order_of(settings, n)
        rule = experiment.learner(settings).rule(wide=wide)
        return cls(settings, rule, None if isinstance(order, str) else order, wide)

    @property
    def parameters(self) -> dict[str, Any]:
        """The values that the code reads."""
        draws = self.rule.draws or "rng" in self._order
        return {
            **self.rule.parameters,
            **({"seed": self.settings.oseed} if draws else {}),
            "epochs": self.settings.epochs,
        }

    @property
    def may_end(self) -> bool:
        """Whether training can be over before the limit."""
        return bool(self.rule.converged or (self.rule.quiet and self.settings.order != "random"))

    @property
    def epochs_made(self) -> str:
        """Code for the number of epochs after the loop."""
        return "-(-step // n)" if self.rule.converged else "epoch"

    @property
    def scaling(self) -> list[str]:
        """Lines after the loop that make alpha, and b, what they are in data units."""
        rule, lines = self.rule, []
        if rule.unit:
            lines.append(f"{rule.keeps} = {rule.unit} * {rule.keeps}  # only now: it scales f and changes no mistake")
            lines += [f"b = {rule.unit} * b"] * rule.intercept
        return [*lines, *(["alpha = y * coef"] * (rule.keeps == "coef"))]

    @property
    def reading(self) -> tuple[list[str], str]:
        """Lines after these that make coef, which the predictor reads, and what its b is called, "" if it has none."""
        rule = self.rule
        if self.settings.predictor != "averaged":
            return ["coef = y * alpha"] * (rule.keeps == "alpha"), "b" * rule.intercept
        scale = f"{rule.unit} * " * bool(rule.unit)
        steps = "max(step, 1)" if rule.converged else "step"
        total = "y * alpha_sum" if rule.keeps == "alpha" else "coef_sum"
        lines = [f"coef = {scale}{total} / {steps}  # the mean over all steps"]
        return [*lines, *([f"b_mean = {scale}b_sum / {steps}"] * rule.intercept)], "b_mean" * rule.intercept

    def code(self) -> str:
        """Return the code, from the first zeros to the last example."""
        return "\n".join([*self._start(), self._choosing() if self.rule.converged else self._online()])

    def _start(self) -> list[str]:
        keeps, predictor = self.rule.keeps, self.settings.predictor
        size = "K.shape[1]" if self.wide else "n"
        of = "each column of K" if self.wide else "each example"
        lines = ["luck = np.random.default_rng([seed, 1])  # the learner's own draws"] * self.rule.draws
        lines += [f"f = np.zeros({size})  # the score f(x) of {of}, kept up to date", self.rule.start]
        if predictor == "averaged":
            lines.append(f"{keeps}_sum = np.zeros(n)" + ("\nb_sum = 0.0" if self.rule.intercept else ""))
        if predictor == "voted":
            lines.append(f"votes = np.zeros({size}, dtype=int)")
        if "rng" in self._order:
            lines.append("rng = np.random.default_rng([seed, 0])  # draws the order")
        if self.may_end:
            lines.append("converged = False")
        return [*lines, "mistakes = []  # (step, example), steps counted from 1", "step = 0"]

    def _online(self) -> str:
        inner = "\n".join(["step += 1", self.rule.shown, *self._reading()])
        by_mistakes = self.rule.quiet == "mistakes"
        lines = ["for epoch in range(1, epochs + 1):"]
        lines += ["    before = len(mistakes)"] * (self.may_end and by_mistakes)
        lines += ["    changes = 0"] * (self.rule.quiet == "changes")
        lines += [f"    for i in {self._order}:", indent(inner, _INNER)]
        nothing = "len(mistakes) == before" if by_mistakes else "changes == 0"
        return "\n".join([*lines, *(self._ending(nothing) if self.may_end else [])])

    def _choosing(self) -> str:
        inner = "\n".join(["step += 1", self.rule.shown, *self._reading()])
        return "\n".join(["while step < epochs * n:", *self._ending(self.rule.converged), indent(inner, "    ")])

    @staticmethod
    def _ending(condition: str) -> list[str]:
        return [f"    if {condition}:", f"{_INNER}converged = True", f"{_INNER}break"]

    def _reading(self) -> list[str]:
        """Lines after each presentation, for predictors that read every state."""
        keeps, predictor = self.rule.keeps, self.settings.predictor
        if predictor == "averaged":
            return [f"{keeps}_sum += {keeps}", *(["b_sum += b"] if self.rule.intercept else [])]
        if predictor == "voted":
            least = "-rest" if self.rule.forgets else "0"
            return [f"votes += np.where(f >= {least}, 1, -1)  # sign(0) = +1"]
        return []

    @property
    def _order(self) -> str:
        if self.rule.converged:
            return ""
        return "order" if self.order is not None else _ORDERS[self.settings.order]
