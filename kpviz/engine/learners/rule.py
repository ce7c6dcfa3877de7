"""A learner as Python code, for scripts that avoid kpviz where possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from textwrap import indent
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kpviz.engine.learners.protocol import Learner

COUNTS = "alpha = np.zeros(n, dtype=int)  # mistakes on each example"
WEIGHTS = "alpha = np.zeros(n)"
MISTAKE = "if y[i] * f[i] <= 0:\n    mistakes.append((step, i))"
ADD = r"y_i f(x_i) \le 0 \quad\Rightarrow\quad \alpha_i \leftarrow \alpha_i + 1"


@dataclass(frozen=True)
class Rule:
    """A learner as code: the engine's operations in the engine's order, so that the same bits come out.

    In the code are n examples; K[i, j] = k(x_i, x_j), possibly with further columns for examples that are not trained
    on; f, the scores of all columns, b included; step, which counts presentations from 1; mistakes, a list of (step,
    example); and y, -1 or +1.

    Attributes
    ----------
    formulas : the rule for a formula renderer.
    start : code that runs before the first example. shown : what happens when example i is shown.
    parameters : what the code reads, by name.
    keeps : the array that is learnt, "alpha" or "coef" = y * alpha.
    quiet : what is counted in an epoch and is 0 in the last one, "mistakes" or "changes"; "" if there is no such epoch.
    intercept : whether there is a b. unit : code for what alpha and b are multiplied with in the end, "" for 1.
    forgets : whether entries are removed again, which leaves rounding errors up to `rest`.
    draws : whether the learner itself draws, from `luck`.
    converged : where the learner chooses the next example, when it stops; "" if there is an order.
    function : a function that the code calls. imports : lines that import, besides that of numpy.
    """

    formulas: str
    start: str
    shown: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    keeps: str = "alpha"
    quiet: str = "mistakes"
    intercept: bool = False
    unit: str = ""
    forgets: bool = False
    draws: bool = False
    converged: str = ""
    function: str = ""
    imports: tuple[str, ...] = ()


def joined(*parts: str | tuple[str, bool]) -> str:
    """Return the lines, those with a condition only where it holds."""
    return "\n".join(part if isinstance(part, str) else part[0] for part in parts if isinstance(part, str) or part[1])


def rounding(*, wide: bool) -> str:
    """Return code for `rest`, the largest rounding error that forgetting leaves in a score."""
    return f"rest = 1e-12 * np.abs({'K[:, :n]' if wide else 'K'}).max()"


def summed_anew(weight: str, unpacked: str, memory: str = "memory") -> str:
    """Return code that sums a score anew where what was forgotten may have left rounding errors that break a tie."""
    return (
        "if abs(f[i]) < rest:  # perhaps only rounding, left by what was forgotten: sum anew\n"
        "    f[i] = 0.0\n"
        f"    for {unpacked} in {memory}:\n"
        f"        f[i] += {weight} * K[i, j]"
    )


_ADDED = "(j, weight) for parts in added.values() for j, weight in parts"
_APPLIED = """\
    indices, deltas, shift, shrink, evicted = change
    coef *= shrink
    f *= shrink
    f += b - shrink * b  # b does not shrink
    for j, delta in zip(indices, deltas):
        coef[j] += delta
        f += delta * K[j]"""
_EVICTED = f"""\
    added = {{at: [(j, shrink * weight) for j, weight in parts] for at, parts in added.items()}}
    if indices:
        added[step - 1] = list(zip(indices, deltas))
    for r, lost in added.pop(evicted, []):
        coef[r] = sum(weight for j, weight in [{_ADDED}] if j == r)
        f -= lost * K[r]
    if not added:
        f[:] = b"""


def of_any(learner: Learner, *, judges: bool, wide: bool) -> Rule:
    """Return the rule of a learner that defines none: the loop asks the learner, which is imported, what changes.

    `judges`: whether it has its own idea of a mistake.
    """
    scores, gram = ("f[:n]", "K[:, :n]") if wide else ("f", "K")
    margin, kind = learner.update_margin, type(learner)
    judged = "learner.mistakes(y[i], f[i])" if judges else "y[i] * f[i] <= 0"
    asked = f"learner.change(memory, step - 1, i, {scores}, coef)"
    asked += "" if margin is None else f" if y[i] * f[i] <= {margin!r} else None"
    choice = f"i = learner.choose(memory, {scores})"
    return Rule(
        formulas=r"(\alpha, b) \leftarrow \text{what the learner answers}",
        start=joined(
            f"learner = {_made(learner)}",
            f"memory = learner.start({gram}, y, luck)",
            "coef, b = np.zeros(n), 0.0",
            (f"added = {{}}  # step: what it added, as much as is left of it\n{rounding(wide=wide)}", learner.evicts),
            (choice, learner.chooses),
        ),
        shown=joined(
            (summed_anew("weight", "j, weight", f"[{_ADDED}]") + "\n    f[i] += b", learner.evicts),
            f"if {judged}:\n    mistakes.append((step, i))",
            f"change = {asked}",
            f"if change is not None:\n{_APPLIED}",
            (_EVICTED, learner.evicts),
            indent("b += shift\nf += shift", "    "),
            ("    changes += 1", not (learner.chooses or learner.always_changes)),
            (choice, learner.chooses),
        ),
        keeps="coef",
        quiet="" if learner.always_changes else "changes",
        intercept=True,
        unit="" if learner.unit == 1.0 else repr(learner.unit),
        forgets=learner.evicts,
        draws=True,
        converged="i is None" if learner.chooses else "",
        imports=(f"from {kind.__module__} import {kind.__name__}",),
    )


def _made(learner: object) -> str:
    """Return code that makes a learner with the same settings."""
    names = [part.name for part in fields(learner)] if is_dataclass(learner) else getattr(learner, "__dict__", {})
    return f"{type(learner).__name__}({', '.join(f'{name}={getattr(learner, name)!r}' for name in names)})"
