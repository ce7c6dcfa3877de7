"""How one comes to a number: a sum of terms whose digits give its own by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kpviz import experiment
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Linear
from kpviz.engine.powers import significant
from kpviz.engine.theory.by_hand import FORMULAS, rounded
from kpviz.lessons import explain
from kpviz.lessons.explain import MINUS
from kpviz.lessons.file.case import Case
from kpviz.lessons.file.conditions import Condition
from kpviz.lessons.file.expressions import Call, Expression, number
from kpviz.lessons.file.kinds import run_working
from kpviz.lessons.file.kinds.kernel_working import decimal, factor, of_best_margin, of_kernel, of_radius, result
from kpviz.lessons.file.names import said

_SHOWN = 3  # significant digits of the result
_MOST_DIGITS = 15
_TERMS = 12


def of(case: Case, asked: Condition, value: float) -> tuple[str, ...]:
    """Return the working of a number, one line each; the last line is the number."""
    found = dict.fromkeys(line for part in asked.parts for line in _part(case, part))
    return tuple(found) if str(asked.tree) in map(str, asked.parts) else (*found, f"{asked.text} = {result(value)}")


def _part(case: Case, part: Expression) -> tuple[str, ...]:
    """Return the working of a name or of a function."""
    value = number(part.of(case))
    if isinstance(part, Call):
        name, arguments = part.function.name, [float(each.of(case)) for each in part.arguments]
        if name == "alpha":
            return _alpha(case, int(arguments[0]), value)
        if name == "k":
            return of_kernel(case, int(arguments[0]), int(arguments[1]))
        if name in ("f", "score", "margin") and case.settings.predictor != "voted":
            return _score(case, name, arguments)
    own = _OWN.get(str(part))
    return own(case, value) if own is not None else (f"{part} = {result(value)}",)


def _score(case: Case, name: str, arguments: list[float]) -> tuple[str, ...]:
    run = case.run
    point = np.array([arguments]) if name == "f" else run.X[[int(arguments[0])]]
    shown = (
        ", ".join(significant(value, 6) for value in arguments) if name == "f" else explain.example(int(arguments[0]))
    )
    terms, b = case.terms(point), case.intercept
    digits = _digits(terms, b)
    lines = [f"f({shown}) = Σ coefᵢ k(xᵢ, x)" + (" + b" if b else "")]
    total = 0.0
    for i, coef, k in _ordered(terms):
        coef, k = round(coef, digits), round(k, digits)
        total += coef * k
        if len(lines) <= _TERMS:
            lines.append(f"{explain.example(i)}: {_signed(coef)} · {_written(k, digits)} = {_signed(coef * k, digits)}")
    if len(terms) > _TERMS:
        rest = sum(round(coef, digits) * round(k, digits) for _, coef, k in _ordered(terms)[_TERMS:])
        lines.append(f"{len(terms) - _TERMS} more: {_signed(rest, digits)}")
    if b:
        lines.append(f"b: {_signed(b, digits)}")
        total += round(b, digits)
    lines += _by_weights(case, terms, point[0], total - (round(b, digits) if b else 0.0), b)
    lines.append(f"f({shown}) = {_result(total)}")
    if name == "margin":
        label = float(run.y[int(arguments[0])])
        lines.append(f"y·f({shown}) = {_signed(label)} · {_result(total)} = {_result(label * total)}")
    return tuple(lines)


def _by_weights(
    case: Case, terms: Sequence[tuple[int, float, float]], x: FloatArray, dot: float, b: float
) -> list[str]:
    """Return the same sum as w·x, where the kernel is linear and points have two coordinates: one line."""
    if not (isinstance(case.run.kernel, Linear) and x.shape == (2,) and terms):
        return []
    w = np.array([coef for _, coef, _ in terms]) @ case.run.X[[i for i, _, _ in terms]]
    for digits in range(_SHOWN, _MOST_DIGITS):
        if _result(float(np.round(w, digits) @ np.round(x, digits)) + b) == _result(dot + b):
            break
    w_written, x_written = ([decimal(each, digits) for each in vector] for vector in (w, x))
    product = " + ".join(f"{factor(one)} · {factor(other)}" for one, other in zip(w_written, x_written, strict=True))
    rest = " + b" if b else ""
    return [f"or by w = Σ coefᵢ xᵢ = ({', '.join(w_written)}), w·x{rest} = {product}{rest}"]


def _ordered(terms: list[tuple[int, float, float]]) -> list[tuple[int, float, float]]:
    return sorted(terms, key=lambda term: -abs(term[1] * term[2]))


def _digits(terms: list[tuple[int, float, float]], b: float) -> int:
    """Return the fewest decimals of the terms that give the shown digits of their sum."""
    exact = _result(sum(coef * k for _, coef, k in terms) + b)
    for digits in range(_SHOWN, _MOST_DIGITS):
        total = sum(round(coef, digits) * round(k, digits) for _, coef, k in terms) + round(b, digits)
        if _result(total) == exact and _result(_by_hand(terms, b, digits)) == exact:
            return digits
    return _MOST_DIGITS


def _by_hand(terms: list[tuple[int, float, float]], b: float, digits: int) -> float:
    """Return the sum of the products as they are written."""
    products = [round(round(coef, digits) * round(k, digits), digits) for _, coef, k in _ordered(terms)]
    if len(products) > _TERMS:
        products = [*products[:_TERMS], round(sum(products[_TERMS:]), digits)]
    return sum(products) + round(b, digits)


def _alpha(case: Case, i: int, value: float) -> tuple[str, ...]:
    run = case.run
    name = explain.example(i)
    steps = np.flatnonzero((run.index[: case.t] == i) & run.mistake[: case.t]) + 1
    if not np.isclose(len(steps) * run.unit, value):  # it does not count mistakes, or some are forgotten
        return (f"α of {name} = {said(value)}",)
    listed = f" at {'step' if len(steps) == 1 else 'steps'} {', '.join(map(str, steps.tolist()))}" if len(steps) else ""
    counted = explain.counted(len(steps), "mistake")
    rate = f", each adds η = {run.unit:g}" if run.unit != 1.0 else ""
    return (f"{name}: {counted}{listed}{rate}", f"α of {name} = {said(value)}")


def _bound(case: Case, value: float) -> tuple[str, ...]:
    found = experiment.bounds(case.settings, case.run)[0]
    used = [part for part in found.quantities if part.symbol in found.formula]
    digits = _digits_of(found.key, {part.symbol: part.value for part in used}, value)
    parts = [f"{part.symbol} = {part.value:.{digits}g} ({part.words})" for part in used]
    return (*parts, f"{found.formula} = {said(value)}")


def _digits_of(key: str | None, parts: Mapping[str, float], value: float) -> int:
    """Return the fewest significant digits of a bound's quantities that give what is shown of it."""
    formula = FORMULAS.get(key or "")
    for digits in range(_SHOWN, _MOST_DIGITS):
        given = {symbol: rounded(np.array([part]), digits) for symbol, part in parts.items()}
        if formula is None or said(float(formula(given)[0])) == said(value):
            return digits
    return _MOST_DIGITS


def _written(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}".replace("-", MINUS)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _signed(value: float, digits: int = _MOST_DIGITS) -> str:
    return f"{MINUS if value < 0 else '+'}{_written(abs(value), digits)}"


def _result(value: float) -> str:
    return f"{value + 0.0:.{_SHOWN}g}".replace("-", MINUS)


_OWN = {
    "bound": _bound,
    "radius": of_radius,
    "best_margin": of_best_margin,
    "mistakes": run_working.of_mistakes,
    "last_mistakes": run_working.of_last_mistakes,
    "support": run_working.of_support,
    "bricks": run_working.of_bricks,
    "wrong": run_working.of_wrong,
    "training_error": run_working.of_training_error,
    "heldout_error": run_working.of_heldout_error,
    "b": run_working.of_intercept,
}
