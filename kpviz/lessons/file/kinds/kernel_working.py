"""How one comes to k of two examples, to R and to γ: numbers put into formulas, with digits that give the result."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel
from kpviz.engine.kernels.formula import formula_of, parse
from kpviz.engine.kernels.formula.nodes import Binary, Call, Negative, Node, number
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


@dataclass(frozen=True)
class _Inner:
    """What u and v enter a formula by: its name with the examples in it, how it is written with numbers, its value."""

    name: str
    written: Callable[[list[str], list[str]], str]
    value: Callable[[FloatArray, FloatArray], float]


def _dot(u: list[str], v: list[str]) -> str:
    return " + ".join(f"{factor(a)} · {factor(b)}" for a, b in zip(u, v, strict=True))


def _squared(u: list[str], v: list[str]) -> str:
    return " + ".join(f"({a} − {factor(b)})²" for a, b in zip(u, v, strict=True))


def _absolute(u: list[str], v: list[str]) -> str:
    return " + ".join(f"|{a} − {factor(b)}|" for a, b in zip(u, v, strict=True))


_INNER = {
    "dot(u, v)": _Inner("{}·{}", _dot, lambda u, v: float(u @ v)),
    "norm(u - v)**2": _Inner("‖{} − {}‖²", _squared, lambda u, v: float(((u - v) ** 2).sum())),
    "norm(u - v)": _Inner(
        "‖{} − {}‖", lambda u, v: f"√({_squared(u, v)})", lambda u, v: math.sqrt(((u - v) ** 2).sum())
    ),
    "norm1(u - v)": _Inner("‖{} − {}‖₁", _absolute, lambda u, v: float(np.abs(u - v).sum())),
}
_LONGEST = 160  # signs of a formula with its numbers put in


def of_kernel(case: Case, i: int, j: int) -> tuple[str, ...]:
    """Return the working of k(x_i, x_j), one line each."""
    run, value = case.run, float(case.run.gram[i, j])
    kernel, asked = run.kernel, f"k({example(i)}, {example(j)})"
    points = [(example(each), run.X[each]) for each in dict.fromkeys((i, j))]
    if kernel and kernel.factors_by_component:
        product = _product(kernel.factors_by_component, run.X[i], run.X[j])
        return _named(points), f"{asked} = {product} = {result(value)}"
    tree = kernel and _formula(kernel)
    if not tree:
        return (f"{asked} = {result(value)}",)
    digits, inner = _entering(tree, run.X[i], run.X[j], value)
    u, v = ([decimal(x, digits) for x in run.X[each]] for each in (i, j))
    names = {name: _INNER[name].name.format(example(i), example(j)) for name in inner}
    lines = (f"{names[name]} = {_INNER[name].written(u, v)} = {decimal(z, digits)}" for name, z in inner.items())
    steps = dict.fromkeys((_text(_with(tree, inner)), result(value)))
    return _named(points, digits), *lines, f"{asked} = {' = '.join(steps)}"


def _named(points: list[tuple[str, FloatArray]], digits: int = _MOST) -> str:
    return "; ".join(f"{name} = ({', '.join(decimal(x, digits) for x in point)})" for name, point in points)


def _formula(kernel: Kernel) -> Node | None:
    """Return a kernel's formula where u and v enter it by the numbers of `_INNER` alone, and it is not long."""
    try:
        tree = parse(formula_of(kernel))
    except ValueError:
        return None
    put_in = _with(tree, dict.fromkeys(_INNER, 0.0))
    plain = not put_in.sides and not any(isinstance(node, Call) and node.name == "normalized" for node in tree.walk())
    return tree if plain and len(str(tree)) <= _LONGEST else None


def _with(node: Node, values: Mapping[str, float]) -> Node:
    """Return a formula with numbers in place of what u and v enter it by."""
    if (name := str(node)) in values:
        return number(values[name])
    if isinstance(node, Negative):
        return Negative(_with(node.of, values))
    if isinstance(node, Binary):
        return Binary(node.sign, _with(node.left, values), _with(node.right, values))
    return Call(node.name, tuple(_with(each, values) for each in node.arguments)) if isinstance(node, Call) else node


def _entering(tree: Node, u: FloatArray, v: FloatArray, value: float) -> tuple[int, dict[str, float]]:
    """Return the fewest decimals that give a kernel's value, and with these the numbers that u and v enter it by."""
    for digits in range(_FEWEST, _MOST):
        inner = _numbers(tree, np.round(u, digits), np.round(v, digits), digits)
        found = _with(tree, inner).constant
        if found is not None and math.isfinite(found) and result(found) == result(value):
            return digits, inner
    return _MOST, _numbers(tree, u, v, _MOST)


def _numbers(tree: Node, u: FloatArray, v: FloatArray, digits: int) -> dict[str, float]:
    found: dict[str, float] = {}

    def seek(node: Node) -> None:
        if (name := str(node)) in _INNER:
            found[name] = round(_INNER[name].value(u, v), digits)
        else:
            for part in node.parts:
                seek(part)

    seek(tree)
    return found


def _text(node: Node) -> str:
    """Return a formula of numbers as one reads it.

    >>> _text(parse("exp(-0.5**2/(2*0.25**2))*(1 + sqrt(3)*0.0001)**1"))
    'exp(−0.5² / (2 · 0.25²)) · (1 + √3 · 0.0001)'
    """
    text = re.sub(r"\*\*(\d+)(?![.\de])", lambda match: "" if match[1] == "1" else raised(int(match[1])), str(node))
    text = re.sub(r"[\d.]+(e-?\d+)?", lambda match: decimal(float(match[0])), text)
    text = re.sub(r"sqrt\(([\d.]+)\)", r"√\1", text)
    return text.replace("**", "^").replace("*", " · ").replace("/", " / ").replace("-", MINUS).replace("pi", "π")


def _product(factors: tuple[str, ...], u: FloatArray, v: FloatArray) -> str:
    """Return the factors of a kernel for each component, with the component's numbers put in."""
    texts = []
    for a, b in zip(u, v, strict=True):
        at = {"u": factor(decimal(a)), "v": factor(decimal(b))}
        texts += [f"({text.format(**at)})" for text in factors]
    return " · ".join(texts)


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
