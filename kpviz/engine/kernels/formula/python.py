"""A formula as Python: the operations of `evaluate.py` in the same order.

Legend: U and V are matrices of examples. u is U.T[:, :, None] and v is V.T[:, None], so that the first axis is that of
the components, u[0] being u[1] of the formula, and all pairs come of themselves. Where each example is paired with
itself, u and v are both U.T.
"""

from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass

from kpviz.engine.kernels.form import Form
from kpviz.engine.kernels.formula.named import kernel_of
from kpviz.engine.kernels.formula.nodes import Binary, Call, Component, Negative, Node, Vector
from kpviz.engine.kernels.formula.structure import rounds_alike
from kpviz.engine.kernels.formula.words import NAMED

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(1, 6)  # how tightly Python holds together, loosest first
_STRENGTH = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}
_FUNCTIONS = {"min": "minimum", "max": "maximum"}

_EVENED = '''\
def evened(values, same):
    """Return the values; where U and V are the same, the mean of k(u, v) and k(v, u), which may round otherwise."""
    return (values + values.T) / 2 if same else values'''
_INVERSE_ROOT = '''\
def inverse_root(squared):
    """1 / √squared; 0 where it is not above 0."""
    return np.where(squared > 0, 1 / np.sqrt(np.where(squared > 0, squared, 1)), 0)'''

Written = tuple[str, int]  # Python, and how tightly it holds together


def form(tree: Node) -> Form:
    """Return the form of a formula.

    >>> from kpviz.engine.kernels.formula.parser import parse
    >>> form(parse("exp(-norm(u - v)**2/2)")).matrix
    'np.exp(-sum((u - v) ** 2) / 2)'
    """
    matrix, diagonal = _whole(tree, _PAIRS, "(len(U), len(V))"), _whole(tree, _ITSELF, "len(U)")
    same_rounding = rounds_alike(tree)
    named = [kernel_of(part).form() for part in tree.walk() if isinstance(part, Call) and part.name in NAMED]
    helpers = [_EVENED] * (not same_rounding) + [_INVERSE_ROOT] * ("inverse_root" in matrix)
    return Form(
        str(tree),
        matrix if same_rounding else f"evened({matrix}, U is V)",
        diagonal,
        before="u, v = U.T[:, :, None], V.T[:, None]" if _reads(matrix) else "",
        before_diagonal="u = v = U.T" if _reads(diagonal) else "",
        imports=tuple(line for each in named for line in each.imports),
        helpers=(*helpers, *(line for each in named for line in each.helpers)),
    )


@dataclass(frozen=True)
class _Sides:
    """What u and v, and the matrices that they are rows of, are called; `paired`: each u with its own v."""

    u: str
    v: str
    U: str
    V: str
    paired: bool

    def of(self, name: str) -> str:
        """Return what u or v is called."""
        return self.u if name == "u" else self.v


_PAIRS = _Sides("u", "v", "U", "V", paired=False)
_ITSELF = _Sides("u", "v", "U", "U", paired=True)
_ALONE = {side: _Sides(f"{side}.T", f"{side}.T", side, side, paired=True) for side in ("U", "V")}


def _reads(code: str) -> bool:
    """Whether code reads u or v."""
    return re.search(r"\b[uv]\b", code) is not None


def _whole(tree: Node, sides: _Sides, shape: str) -> str:
    if tree.constant is not None:
        return f"np.full({shape}, {tree.constant!r})"
    return _written(tree, sides)[0]


def _written(node: Node, sides: _Sides) -> Written:
    if node.constant is not None:
        return _value(node.constant)
    if isinstance(node, Vector):
        return sides.of(node.name), _ATOM
    if isinstance(node, Component):
        return f"{sides.of(node.name)}[{node.index - 1}]", _ATOM
    if isinstance(node, Negative):
        return f"-{_within(node.of, sides, _POWER)}", _SIGN
    if isinstance(node, Binary):
        return _power(node, sides) if node.sign == "**" else _binary(node, sides)
    assert isinstance(node, Call)
    return _call(node, sides)


def _within(node: Node, sides: _Sides, least: int) -> str:
    """Return it in brackets if it is too loose."""
    return _tight(_written(node, sides), least)


def _tight(written: Written, least: int) -> str:
    text, strength = written
    return text if strength >= least else f"({text})"


def _value(value: float) -> Written:
    """Return a number; a constant part is one already, as in the engine."""
    if value == math.pi:
        return "np.pi", _ATOM
    text = repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return text, _SIGN if text.startswith("-") else _ATOM


def _binary(node: Binary, sides: _Sides) -> Written:
    strength = _STRENGTH[node.sign]
    left, right = _within(node.left, sides, strength), _within(node.right, sides, strength + 1)
    return f"{left} {node.sign} {right}", strength


def _power(node: Binary, sides: _Sides) -> Written:
    base, exponent = node.left, node.right.constant or 0.0
    written = _written(base, sides)
    if isinstance(base, Call) and base.name == "norm" and exponent > 0 and (exponent / 2).is_integer():
        written, exponent = _squares(base, sides), exponent / 2  # no root that is squared again
    if exponent == 1.0:
        return written
    if exponent == 0.5:
        return f"np.sqrt({written[0]})", _ATOM
    if exponent == -1.0:
        return f"1 / {_tight(written, _POWER)}", _PRODUCT
    return f"{_tight(written, _ATOM)} ** {_tight(_value(exponent), _SIGN)}", _POWER


def _call(node: Call, sides: _Sides) -> Written:
    name, arguments = node.name, node.arguments
    if name in NAMED:
        return _named(node, sides)
    if name == "normalized":
        return _normalized(arguments[0], sides)
    if name == "dot":
        return _dot(arguments[0], arguments[1], sides)
    if name == "equal":
        return f"sum(1.0 * ({' == '.join(_within(part, sides, _SUM) for part in arguments)}))", _ATOM
    if name == "norm":
        return f"np.sqrt({_squares(node, sides)[0]})", _ATOM
    inner = ", ".join(_written(part, sides)[0] for part in arguments)
    if name == "norm1":
        return f"sum(np.abs({inner}))", _ATOM
    return (f"sum({inner})" if name == "sum" else f"np.{_FUNCTIONS.get(name, name)}({inner})"), _ATOM


def _squares(norm: Call, sides: _Sides) -> Written:
    return f"sum({_within(norm.arguments[0], sides, _ATOM)} ** 2)", _ATOM


def _dot(a: Node, b: Node, sides: _Sides) -> Written:
    """Return a·b: one product of matrices where each is made of one side, as its rounding is that of no sum."""
    if sides.paired or {a.sides, b.sides} != {frozenset("u"), frozenset("v")}:
        return f"sum({_within(a, sides, _PRODUCT)} * {_within(b, sides, _SIGN)})", _ATOM
    u, v = (a, b) if a.sides == {"u"} else (b, a)
    left = "U" if isinstance(u, Vector) else f"{_within(u, _ALONE['U'], _ATOM)}.T"
    return f"{left} @ {_within(v, _ALONE['V'], _ATOM)}", _PRODUCT


def _named(node: Call, sides: _Sides) -> Written:
    """Return a built-in kernel."""
    kernel = kernel_of(node)
    own = kernel.form()
    text = (own.diagonal if sides.paired else own.matrix).format_map(kernel.parameters)
    return re.sub(r"\bU\b", sides.U, text), _strength(text)


def _strength(text: str) -> int:
    """Return how tightly an expression holds together."""
    whole = ast.parse(text, mode="eval").body
    if not isinstance(whole, ast.BinOp):
        return _ATOM
    if isinstance(whole.op, ast.Add | ast.Sub):
        return _SUM
    return _POWER if isinstance(whole.op, ast.Pow) else _PRODUCT


def _normalized(node: Node, sides: _Sides) -> Written:
    """Return k(u, v) / √(k(u, u) k(v, v)), 0 where k(u, u) is not above 0."""
    if sides.paired:
        return f"np.where({_within(node, sides, _SUM)} > 0, 1.0, 0.0)", _ATOM
    of_u, of_v = (f"inverse_root({_written(node, _ALONE[side])[0]})" for side in "UV")
    return f"{_within(node, sides, _PRODUCT)} * np.outer({of_u}, {of_v})", _PRODUCT
