"""A formula for a formula renderer."""

from __future__ import annotations

import math

from kpviz.engine.kernels.formula.named import written_out
from kpviz.engine.kernels.formula.nodes import Binary, Call, Component, Negative, Node, Number, Vector
from kpviz.engine.kernels.formula.words import NAMED

_SUM, _INNER, _PRODUCT, _POWER, _ATOM = range(1, 6)  # how tightly it holds together, loosest first

_BARS = {"norm": (r"\|", r"\|"), "norm1": (r"\|", r"\|_1"), "abs": (r"\left|", r"\right|")}


def latex(node: Node, *, index: bool = False) -> str:
    r"""Return LaTeX; with `index`, of a vector's component i.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> print(latex(parse("exp(-norm(u - v)**2/2) + 0.1*dot(u, v)")))
    \exp\left(-\frac{\|u - v\|^{2}}{2}\right) + 0.1\, u \cdot v
    """
    return _written(node, index)[0]


def _written(node: Node, index: bool) -> tuple[str, int]:
    """Return the LaTeX and how tightly it holds together."""
    if isinstance(node, Number):
        return (r"\pi" if node.value == math.pi else _number(str(node))), _ATOM
    if isinstance(node, Vector):
        return (f"{node.name}_i" if index else node.name), _ATOM
    if isinstance(node, Component):
        return f"{node.name}_{{{node.index}}}", _ATOM
    if isinstance(node, Negative):
        return f"-{_within(node.of, _INNER, index)}", _SUM
    if isinstance(node, Binary):
        return _binary(node, index)
    assert isinstance(node, Call)
    return _call(node, index)


def _within(node: Node, least: int, index: bool) -> str:
    text, strength = _written(node, index)
    return text if strength >= least else rf"\left({text}\right)"


def _binary(node: Binary, index: bool) -> tuple[str, int]:
    left, right = node.left, node.right
    if node.sign in "+-":
        after = _SUM if node.sign == "+" and not isinstance(right, Negative) else _INNER
        return f"{_within(left, _SUM, index)} {node.sign} {_within(right, after, index)}", _SUM
    if node.sign == "**":
        base = _within(left, _ATOM, index)
        return f"{base}^{{{latex(right)}}}", _POWER
    if node.sign == "/":
        if isinstance(left, Negative):
            return f"-{_binary(Binary('/', left.of, right), index)[0]}", _SUM
        return rf"\frac{{{latex(left, index=index)}}}{{{latex(right, index=index)}}}", _PRODUCT
    if isinstance(left, Negative):
        return f"-{_binary(Binary('*', left.of, right), index)[0]}", _SUM
    after = _INNER if isinstance(left, Number) else _PRODUCT
    factors = _within(left, _PRODUCT, index), _within(right, after, index)
    if left.kind == right.kind == "vector" and not index:
        return r" \odot ".join(factors), _PRODUCT
    between = r" \cdot " if factors[1][0].isdigit() else r"\, "
    return between.join(factors), _PRODUCT


def _call(node: Call, index: bool) -> tuple[str, int]:
    name, arguments = node.name, node.arguments
    if name in NAMED:
        plain = written_out(node)
        return (NAMED[name].formula, _ATOM) if plain is node else _written(plain, index)
    if name == "dot":
        return r" \cdot ".join(_within(part, _POWER, False) for part in arguments), _INNER
    if name == "sum":
        return rf"\sum_i {_within(arguments[0], _PRODUCT, True)}", _INNER
    if name == "equal":
        return rf"\left|\{{i : {' = '.join(latex(part, index=True) for part in arguments)}\}}\right|", _ATOM
    if name == "normalized":
        return rf"\operatorname{{normalized}}\left({latex(arguments[0])}\right)", _ATOM
    shown = [latex(argument, index=index) for argument in arguments]
    if name in _BARS:
        opened, closed = _BARS[name]
        return f"{opened}{shown[0]}{closed}", _ATOM
    if name == "sqrt":
        return rf"\sqrt{{{shown[0]}}}", _ATOM
    return rf"\{name}\left({', '.join(shown)}\right)", _ATOM


def _number(text: str) -> str:
    mantissa, _, exponent = text.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else text
