"""The learners as code, see `kpviz.export.rule.Rule`.

A function takes a learner, and whether there are columns besides those of the examples.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Any

from kpviz.engine.learners import (
    SVM,
    Forgetron,
    KernelLogistic,
    Norma,
    Perceptron,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)
from kpviz.engine.learners.protocol import Learner
from kpviz.export.rule import Rule

_WRONG = {
    "mistake": "y[i] * f[i] <= 0:",
    "correct": "y[i] * f[i] < 0:  # a zero score counts as correct",
    "positive": "y[i] != (1 if f[i] >= 0 else -1):  # sign(0) = +1",
    "negative": "y[i] != (1 if f[i] > 0 else -1):  # sign(0) = -1",
}
_COUNTS = "alpha = np.zeros(n, dtype=int)  # mistakes on each example"
_WEIGHTS = "alpha = np.zeros(n)"
_ADD = r"y_i f(x_i) \le 0 \quad\Rightarrow\quad \alpha_i \leftarrow \alpha_i + 1"


def rule(learner: Learner, *, wide: bool) -> Rule:
    """Return the learner as code; `wide`: there are columns for examples that only look on.

    ValueError, of one sentence, for a learner without one.
    """
    found = _RULES.get(type(learner))
    if found is None:
        raise ValueError(f"There is no script for {type(learner).__name__} yet: take the run along as a table.")
    return found(learner, wide)


def _perceptron(learner: Perceptron, wide: bool) -> Rule:
    start, added, formulas = _COUNTS, [], r"\alpha_i \leftarrow \alpha_i + \eta"
    if learner.intercept != "none":
        shift = "y[i]" if learner.intercept == "unit" else "y[i] * R2"
        start += "\nb = 0.0" + ("" if shift == "y[i]" else "\nR2 = K.diagonal().max()")
        added = [f"b += {shift}", f"f += {shift}"]
        formulas += r",\; b \leftarrow b + \eta\,y_i" + ("" if shift == "y[i]" else r"\,R^2")
    update = ["mistakes.append((step, i))", "alpha[i] += 1", "f += y[i] * K[i]", *added]
    return Rule(
        formulas=rf"y_i f(x_i) \le 0 \quad\Rightarrow\quad {formulas}",
        start=start,
        shown=f"if {_WRONG[learner.tie]}\n" + indent("\n".join(update), "    "),
        parameters={} if learner.unit == 1.0 else {"learning_rate": learner.learning_rate},
        intercept=learner.intercept != "none",
        unit=learner.unit,
    )


# ---- budgets --------------------------------------------------------------------------------------


def _forgetful(weight: str, unpacked: str, memory: str = "memory") -> str:
    """Code that sums a score anew where what was forgotten may have left rounding errors that break a tie."""
    return (
        "if abs(f[i]) < rest:  # perhaps only rounding, left by what was forgotten: sum anew\n"
        "    f[i] = 0.0\n"
        f"    for {unpacked} in {memory}:\n"
        f"        f[i] += {weight} * K[i, j]"
    )


def _rest(wide: bool) -> str:
    return f"rest = 1e-12 * np.abs({'K[:, :n]' if wide else 'K'}).max()"


def _oldest(learner: RemoveOldest, wide: bool) -> Rule:
    return Rule(
        formulas=_ADD + r"; \quad \text{above the budget, the oldest of those remembered is forgotten.}",
        start=f"{_COUNTS} that are remembered\nmemory = []  # examples, oldest first\n{_rest(wide)}",
        shown=_forgetful("y[j]", "j")
        + """
if y[i] * f[i] <= 0:
    mistakes.append((step, i))
    memory.append(i)
    alpha[i] += 1
    f += y[i] * K[i]
    if len(memory) > budget:
        r = memory.pop(0)
        alpha[r] -= 1
        f -= y[r] * K[r]""",
        parameters={"budget": learner.budget},
        forgets=True,
    )


def _randomized(learner: RandomizedBudget, wide: bool) -> Rule:
    return Rule(
        formulas=_ADD + r"; \quad \text{if the memory is full, one of it, drawn at random, is forgotten.}",
        start=f"{_COUNTS} that are remembered\nmemory = []  # examples\n{_rest(wide)}",
        shown=_forgetful("y[j]", "j")
        + """
if y[i] * f[i] <= 0:
    mistakes.append((step, i))
    alpha[i] += 1
    f += y[i] * K[i]
    if len(memory) == budget:
        r = memory.pop(luck.integers(budget))
        alpha[r] -= 1
        f -= y[r] * K[r]
    memory.append(i)""",
        parameters={"budget": learner.budget},
        forgets=True,
        draws=True,
    )


_TUNED = """\
    phi = 1.0
    if len(memory) > budget:  # the largest phi that keeps the damage Q at most 15/32 of the mistakes
        r, _, before_r = memory[0]
        oldest = shrunk / before_r  # its weight, rounded as in the run
        mu = y[r] * (f[r] + y[i] * K[i, r])
        limit = 15 / 32 * len(mistakes)
        p, q, c = oldest * (oldest - 2 * mu), 2 * oldest, Q - limit
        d = q * q - 4 * p * c
        if p >= 0 or (d > 0 and (-q - math.sqrt(d)) / (2 * p) > 1):
            phi = min(1.0, -2 * c / (q + math.sqrt(d)))
        Q = min(Q + phi * (p * phi + q), limit)
    shrunk *= phi"""
_BASIC = """\
    squared_norm = (y * alpha) @ {f} + 2 * y[i] * f[i] + K[i, i]
    phi = min(most, U / math.sqrt(squared_norm)) if squared_norm > 0 else most"""
_SHRINK = """\
    alpha *= phi
    alpha[i] += phi
    f *= phi
    f += phi * y[i] * K[i]
    for entry in memory:
        entry[1] *= phi
    if len(memory) > budget:
        r, weight{rest} = memory.pop(0)
        alpha[r] = sum(w for j, w{rest} in memory if j == r)
        f -= y[r] * weight * K[r]"""
_RENEW = """\
    if shrunk < 1e-200:
        for entry in memory:
            entry[2] /= shrunk
        shrunk = 1.0"""
_BASIC_START = """\
memory = []  # [example, weight], oldest first
size = budget + 1
most, U = size ** (-0.5 / size), 0.25 * math.sqrt(size / math.log(size))"""
_TUNED_START = """\
memory = []  # [example, weight, product of all phi before it], oldest first
shrunk, Q = 1.0, 0.0  # the product of all phi, and the damage done"""


def _forgetron(learner: Forgetron, wide: bool) -> Rule:
    tuned = learner.variant == "self-tuned"
    rest = ", _" if tuned else ""
    return Rule(
        formulas=r"y_i f(x_i) \le 0 \quad\Rightarrow\quad \alpha_i \leftarrow \alpha_i + 1, \quad "
        r"\text{then all } \alpha \leftarrow \varphi\,\alpha; \quad "
        r"\text{above the budget, the oldest of those remembered is forgotten.}",
        start=_kept(_WEIGHTS, _TUNED_START if tuned else _BASIC_START, _rest(wide)),
        shown=_kept(
            _forgetful("y[j] * weight", f"j, weight{rest}"),
            "if y[i] * f[i] <= 0:\n    mistakes.append((step, i))",
            f"    memory.append([i, 1.0{', shrunk' * tuned}])",
            _TUNED if tuned else _BASIC.format(f="f[:n]" if wide else "f"),
            _SHRINK.format(rest=rest),
            (_RENEW, tuned),
        ),
        parameters={"budget": learner.budget},
        forgets=True,
        imports=("math",),
    )


def _projectron(learner: Projectron, wide: bool) -> Rule:
    row = "K[i, :n]" if wide else "K[i]"
    return Rule(
        formulas=r"y_i f(x_i) \le 0: \quad \delta \le \delta_0 \;\Rightarrow\; "
        r"\beta_S \leftarrow \beta_S + y_i K_{SS}^{-1} k_i, \quad "
        r"\text{else } \beta_i \leftarrow \beta_i + y_i \quad (\beta_i = y_i \alpha_i)",
        start="coef = np.zeros(n)  # y * alpha\nsupport = []\n"
        "basis = np.zeros((0, n))  # coordinates of all examples, along an orthonormal basis of the support's span",
        shown=f"""\
if y[i] * f[i] <= 0:
    mistakes.append((step, i))
    squared = K[i, i] - basis[:, i] @ basis[:, i]  # distance from the span, squared
    spanned = math.sqrt(max(squared, 0.0)) <= threshold or squared <= 1e-10 * abs(K[i, i])
    if i not in support and spanned:
        d = y[i] * np.linalg.solve(np.triu(basis[:, support]), basis[:, i])
        for j, part in zip(support, d):
            coef[j] += part
            f += part * K[j]
    else:
        if i not in support:
            basis = np.vstack([basis, ({row} - basis[:, i] @ basis) / math.sqrt(squared)])
            support.append(i)
        coef[i] += y[i]
        f += y[i] * K[i]""",
        parameters={"threshold": learner.threshold},
        keeps="coef",
        imports=("math",),
    )


# ---- descent --------------------------------------------------------------------------------------


def _norma(learner: Norma, wide: bool) -> Rule:
    learnt, forgets = learner.nu is not None, learner.truncation is not None
    shrinks, slows = learner.regularization > 0.0, learner.schedule != "constant"
    rate = "rate" if slows else "learning_rate"
    formulas = r"\alpha \leftarrow (1 - \eta\lambda)\,\alpha; \quad y_i f(x_i) \le \rho \;\Rightarrow\; "
    formulas += r"\alpha_i \leftarrow \alpha_i + \eta" + (r",\; b \leftarrow b + \eta\,y_i" * learner.fit_intercept)
    used = {"regularization": shrinks, "margin": not learnt, "nu": learnt, "truncation": forgets}
    return Rule(
        formulas=formulas,
        start=_kept(
            _WEIGHTS,
            ("b = 0.0", learner.fit_intercept),
            ("rho = 0.0", learnt),
            ("errors = 0", learnt and not slows),
            (f"memory = {{}}  # step: [example, weight]\n{_rest(wide)}", forgets),
        ),
        shown=_norma_shown(learner, rate),
        parameters={
            "learning_rate": learner.learning_rate,
            **{name: getattr(learner, name) for name, is_used in used.items() if is_used},
        },
        quiet="" if shrinks or learnt else "changes",
        intercept=learner.fit_intercept,
        forgets=forgets,
        imports=("math",) if slows else (),
    )


def _norma_shown(learner: Norma, rate: str) -> str:
    learnt, forgets, has_b = learner.nu is not None, learner.truncation is not None, learner.fit_intercept
    shrinks, slows = learner.regularization > 0.0, learner.schedule != "constant"
    counts = not shrinks and not learnt
    shift = f"b += {rate} * y[i]\nf += {rate} * y[i]"
    return _kept(
        (_forgetful("y[j] * weight", "j, weight", "memory.values()"), forgets),
        ("    f[i] += b", forgets and has_b),
        ("rate = learning_rate / math.sqrt(step)", slows),
        f"error = y[i] * f[i] <= {'rho' if learnt else 'margin'}",
        "if y[i] * f[i] <= 0:\n    mistakes.append((step, i))",
        ("errors += error\nrho = learning_rate * (nu * step - errors)", learnt and not slows),
        ("rho += rate * (nu - 1 if error else nu)", learnt and slows),
        (f"shrink = 1 - {rate} * regularization\nalpha *= shrink\nf *= shrink", shrinks),
        ("f += b - shrink * b  # b does not shrink", shrinks and has_b),
        ("for entry in memory.values():\n    entry[1] *= shrink", shrinks and forgets),
        f"if error:\n    alpha[i] += {rate}\n    f += {rate} * y[i] * K[i]",
        ("    changes += 1", counts),
        (f"    memory[step] = [i, {rate}]", forgets),
        (indent(shift, "    "), has_b and not forgets),
        (_TOO_OLD + ("b" if has_b else "0.0"), forgets),
        ("    changes += 1", counts and forgets),
        ("if error:\n" + indent(shift, "    "), has_b and forgets),
    )


_TOO_OLD = """\
if step - truncation in memory:
    r, weight = memory.pop(step - truncation)
    alpha[r] = sum(w for j, w in memory.values() if j == r)
    f -= y[r] * weight * K[r]
    if not memory:
        f[:] = """


def _logistic(learner: KernelLogistic, wide: bool) -> Rule:
    shrinks = learner.regularization > 0.0
    return Rule(
        formulas=r"\alpha \leftarrow (1 - \eta\lambda)\,\alpha, \quad "
        r"\alpha_i \leftarrow \alpha_i + \eta\,\sigma(-y_i f(x_i)), \quad \sigma(z) = \frac{1}{1 + e^{-z}}",
        start=_kept(_WEIGHTS, ("shrink = 1 - learning_rate * regularization", shrinks)),
        shown=_kept(
            "if y[i] * f[i] <= 0:\n    mistakes.append((step, i))",
            "gain = learning_rate * sigmoid(-y[i] * f[i])",
            ("alpha *= shrink\nf *= shrink", shrinks),
            "alpha[i] += gain\nf += y[i] * gain * K[i]",
        ),
        parameters={
            "learning_rate": learner.learning_rate,
            **({"regularization": learner.regularization} if shrinks else {}),
        },
        quiet="",
        function="def sigmoid(z):\n"
        '    """1 / (1 + exp(-z)), whose exp never overflows."""\n'
        "    return 1 / (1 + math.exp(-z)) if z >= 0 else math.exp(z) / (1 + math.exp(z))",
        imports=("math",),
    )


_LOOK = """\
may_rise, may_fall = coef < high - slack, coef > low + slack
m = pull.max(where=may_rise, initial=-np.inf)
M = pull.min(where=may_fall, initial=np.inf)"""
_MOVE = """\
gain = pull[i] - pull
curvature = np.maximum(K[i, i] + K.diagonal() - 2 * {row_i}, 1e-12)
j = np.argmax(np.where(may_fall & (gain > 0), gain * gain / curvature, -1))
if y[i] * f[i] <= 0:
    mistakes.append((step, i))
up, down = high[i] - coef[i], coef[j] - low[j]
delta = min(gain[j] / curvature[j], up, down)
rise, fall = (room if abs(room - delta) <= slack else delta for room in (up, down))
coef[i] += rise
coef[j] -= fall
pull -= rise * {row_i} - fall * {row_j}
f += rise * K[i]
f -= fall * K[j]
{look}
free = may_rise & may_fall
before, b = b, pull[free].mean() if free.any() else (m + M) / 2
f += b - before"""


def _svm(learner: SVM, wide: bool) -> Rule:
    rows = {"row_i": "K[i, :n]", "row_j": "K[j, :n]"} if wide else {"row_i": "K[i]", "row_j": "K[j]"}
    return Rule(
        formulas=r"i = \arg\max_{\beta_i \text{ may rise}} (y_i - f_i), \quad "
        r"j = \arg\max_{\beta_j \text{ may fall}} \frac{(y_i - f_i - y_j + f_j)^2}{K_{ii} + K_{jj} - 2 K_{ij}}, \quad "
        r"\beta_i \leftarrow \beta_i + \delta,\; \beta_j \leftarrow \beta_j - \delta \quad (\beta_i = y_i \alpha_i)",
        start="coef = np.zeros(n)  # y * alpha, which may be from low to high\n"
        "low, high = np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)\nslack = 1e-12 * C\n"
        f"pull = y.copy()  # y - f, without b\nb = 0.0\n{_LOOK}",
        content="m - M < tol",
        chooses="i = np.argmax(np.where(may_rise, pull, -np.inf))",
        shown=_MOVE.format(**rows, look=_LOOK),
        parameters={"C": learner.C, "tol": learner.tol},
        keeps="coef",
        intercept=True,
    )


_RULES: dict[type, Callable[[Any, bool], Rule]] = {
    Perceptron: _perceptron,
    RemoveOldest: _oldest,
    RandomizedBudget: _randomized,
    Forgetron: _forgetron,
    Projectron: _projectron,
    Norma: _norma,
    SVM: _svm,
    KernelLogistic: _logistic,
}


def _kept(*parts: str | tuple[str, bool]) -> str:
    """Return the lines, those with a condition only where it holds."""
    return "\n".join(part if isinstance(part, str) else part[0] for part in parts if isinstance(part, str) or part[1])
