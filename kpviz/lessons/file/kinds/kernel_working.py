"""How one comes to k of two examples, to R and to γ: numbers put into formulas, with digits that give the result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import AllSubsets, Gaussian, Kernel, Laplacian, Linear, Monomial, Polynomial, Sigmoid
from kpviz.engine.powers import raised
from kpviz.engine.theory import geometry
from kpviz.lessons.explain import MINUS, example
from kpviz.lessons.file.case import Case
from kpviz.lessons.file.names import said

_SHOWN = 4  # significant digits of a result: an answer may be half a percent off
_FEWEST, _MOST = 3, 15  # decimals of what is put in
_MOST_WEIGHTS, _MOST_SUMMED = 12, 4  # examples whose weights are listed, and whose terms are


def result(value: float) -> str:
    """Return a result as it is written: whole, or with so many digits that it is right as an answer.

    >>> result(0.60653), result(128.0), result(-12345.678), result(0.000012345)
    ('0.6065', '128', '−12350', '1.234e−05')
    """
    if value == round(value) and abs(value) < 1e12:
        return said(float(round(value)))
    small = 0.0 < abs(value) < 1e-4
    text = f"{value:.{_SHOWN}g}" if small else np.format_float_positional(value, _SHOWN, fractional=False, trim="-")
    return text.replace("-", MINUS)


def decimal(value: float, digits: int = _MOST) -> str:
    """Return a number with at most so many decimals, without zeros at its end."""
    text = f"{value + 0.0:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return ("0" if text == "-0" else text).replace("-", MINUS)


def factor(text: str) -> str:
    """Return a number as a factor: in brackets where it is below 0."""
    return f"({text})" if text.startswith(MINUS) else text


def _dot(u: list[str], v: list[str]) -> str:
    return " + ".join(f"{factor(a)} · {factor(b)}" for a, b in zip(u, v, strict=True))


def _squared(u: list[str], v: list[str]) -> str:
    return " + ".join(f"({a} − {factor(b)})²" for a, b in zip(u, v, strict=True))


def _absolute(u: list[str], v: list[str]) -> str:
    return " + ".join(f"|{a} − {factor(b)}|" for a, b in zip(u, v, strict=True))


@dataclass(frozen=True)
class _Over:
    """What a kernel is a function of: its name with the examples in it, how it is written with numbers, its value."""

    name: str
    written: Callable[[list[str], list[str]], str]
    value: Callable[[FloatArray, FloatArray], float]


_DOT = _Over("{}·{}", _dot, lambda u, v: float(u @ v))
_DISTANCE = _Over("‖{} − {}‖²", _squared, lambda u, v: float(((u - v) ** 2).sum()))
_ABSOLUTE = _Over("‖{} − {}‖₁", _absolute, lambda u, v: float(np.abs(u - v).sum()))


@dataclass(frozen=True)
class _Form:
    """A kernel as a function of one number: how it is written and its value, both of the kernel and that number."""

    over: _Over
    written: Callable[[Any, str], str]
    value: Callable[[Any, float], float]


def _power(degree: int) -> str:
    return "" if degree == 1 else raised(degree)


_FORMS: dict[type, _Form] = {
    Linear: _Form(_DOT, lambda k, z: z, lambda k, z: z),
    Polynomial: _Form(
        _DOT, lambda k, z: f"({z} + {decimal(k.coef0)}){_power(k.degree)}", lambda k, z: (z + k.coef0) ** k.degree
    ),
    Monomial: _Form(_DOT, lambda k, z: f"{factor(z)}{_power(k.degree)}", lambda k, z: z**k.degree),
    Sigmoid: _Form(
        _DOT,
        lambda k, z: f"tanh({decimal(k.gamma)} · {factor(z)} + {factor(decimal(k.coef0))})",
        lambda k, z: math.tanh(k.gamma * z + k.coef0),
    ),
    Gaussian: _Form(
        _DISTANCE,
        lambda k, z: f"exp(−{z} / (2 · {decimal(k.sigma)}²))",
        lambda k, z: math.exp(-z / (2.0 * k.sigma**2)),
    ),
    Laplacian: _Form(_ABSOLUTE, lambda k, z: f"exp(−{z} / {decimal(k.sigma)})", lambda k, z: math.exp(-z / k.sigma)),
}


def of_kernel(case: Case, i: int, j: int) -> tuple[str, ...]:
    """Return the working of k(x_i, x_j), one line each."""
    run, value = case.run, float(case.run.gram[i, j])
    kernel, asked = run.kernel, f"k({example(i)}, {example(j)})"
    form = _FORMS.get(type(kernel))
    if kernel is None or not (form or isinstance(kernel, AllSubsets)):
        return (f"{asked} = {result(value)}",)
    points = [(example(each), run.X[each]) for each in dict.fromkeys((i, j))]
    if isinstance(kernel, AllSubsets):
        return _named(points), f"{asked} = {_product(kernel, run.X[i], run.X[j])} = {result(value)}"
    assert form is not None
    digits, inner = _inner(form, kernel, run.X[i], run.X[j], value)
    u, v = ([decimal(x, digits) for x in run.X[each]] for each in (i, j))
    z = decimal(inner, digits)
    steps = dict.fromkeys((form.written(kernel, z), result(value)))
    return (
        _named(points, digits),
        f"{form.over.name.format(example(i), example(j))} = {form.over.written(u, v)} = {z}",
        f"{asked} = {' = '.join(steps)}",
    )


def _named(points: list[tuple[str, FloatArray]], digits: int = _MOST) -> str:
    return "; ".join(f"{name} = ({', '.join(decimal(x, digits) for x in point)})" for name, point in points)


def _inner(form: _Form, kernel: Kernel, u: FloatArray, v: FloatArray, value: float) -> tuple[int, float]:
    """Return the fewest decimals that give a kernel's value, and with these what it is a function of."""
    for digits in range(_FEWEST, _MOST):
        inner = round(form.over.value(np.round(u, digits), np.round(v, digits)), digits)
        if result(form.value(kernel, inner)) == result(value):
            return digits, inner
    return _MOST, form.over.value(u, v)


def _product(kernel: AllSubsets, u: FloatArray, v: FloatArray) -> str:
    """Return the factors of a kernel over subsets, one for each component."""
    factors = []
    for a, b in zip(u, v, strict=True):
        one = f"(1 + {factor(decimal(a))} · {factor(decimal(b))})"
        other = f"(1 + {factor(decimal(1 - a))} · {factor(decimal(1 - b))})"
        factors.append(f"{one} · {other}" if kernel.negated else one)
    return " · ".join(factors)


def of_radius(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of R."""
    own = np.diagonal(case.run.gram)
    i = int(own.argmax())
    first = f"R² is the largest k(xᵢ, xᵢ): that of {example(i)}."
    return first, *of_kernel(case, i, i), f"R = √{result(float(own[i]))} = {result(value)}"


def of_best_margin(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of γ: the shortest vector that the examples make, and its length."""
    run, intercept = case.run, case.run.learner.intercept != "none"
    weights = geometry.shortest(run.gram, run.y, intercept=intercept)
    signed = run.gram * np.outer(run.y, run.y)
    digits, terms, total = _length(signed, weights, value * (2.0 if intercept else 1.0))
    sums, own = ("Σ wᵢ = 1 in each class", "half its length") if intercept else ("Σ wᵢ = 1", "its length")
    first = f"u = Σ wᵢ yᵢ φ(xᵢ) is the shortest with wᵢ ≥ 0 and {sums}; γ is {own}."
    kept = [i for i in np.argsort(-weights, kind="stable").tolist() if round(weights[i], digits)]
    listed = ", ".join(f"w of {example(i)} = {decimal(weights[i], digits)}" for i in kept[:_MOST_WEIGHTS])
    rest = len(kept) - _MOST_WEIGHTS
    listed += f", and {rest} more" if rest > 0 else "; of all others 0" if len(kept) < len(weights) else ""
    if value == 0.0:
        return first, listed, "This u is 0, so no f has all examples on their sides: γ = 0"
    squared = "‖u‖² = Σ wᵢ wⱼ yᵢ yⱼ k(xᵢ, xⱼ)"
    length = f"√{decimal(total, digits)}" + (" / 2" if intercept else "")
    ends = [squared, *terms, f"‖u‖² = {decimal(total, digits)}"] if terms else [f"{squared} = {decimal(total, digits)}"]
    return first, listed, *ends, f"γ = {length} = {result(value)}"


def _length(signed: FloatArray, weights: FloatArray, length: float) -> tuple[int, list[str], float]:
    """Return the fewest decimals that give a length, the terms of its square where they are few, and the square."""
    digits, total = _MOST, length**2
    terms: list[str] = []
    for digits in range(_FEWEST, _MOST):
        rounded = np.round(weights, digits)
        if np.count_nonzero(rounded) > _MOST_SUMMED:
            terms, total = [], round(float(rounded @ np.round(signed, digits) @ rounded), digits)
        else:
            both = list(_terms(np.round(signed, digits), rounded, digits))
            terms, total = [text for text, _ in both], sum(product for _, product in both)
        if total > 0.0 and result(math.sqrt(total)) == result(length):
            break
    return digits, terms, total


def _terms(signed: FloatArray, weights: FloatArray, digits: int) -> Iterator[tuple[str, float]]:
    """Yield the terms of a squared length, each as a line and as a number."""
    support = np.flatnonzero(weights).tolist()
    for place, i in enumerate(support):
        for j in support[place:]:
            numbers = [*([2.0] if i != j else []), weights[i], weights[j], signed[i, j]]
            product = round(math.prod(map(float, numbers)), digits)
            factors = " · ".join(factor(decimal(each, digits)) for each in numbers)
            yield f"{example(i)}, {example(j)}: {factors} = {decimal(product, digits)}", product
