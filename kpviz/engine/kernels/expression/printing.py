"""A formula for a formula renderer, in characters, and as Python: the operations of `evaluate.py`
in the same order.

Legend of Python: U and V are matrices of examples. u is U.T[:, :, None] and v is V.T[:, None], so
that the first axis is that of the components, u[0] being u[1] of the formula, and all pairs come of
themselves. Where each example is paired with itself, u and v are both U.T.

Tests: tests/engine/test_formula.py.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from kpviz.engine.kernels.expression import evaluate
from kpviz.engine.kernels.expression.evaluate import Interpreter, rounds_alike
from kpviz.engine.kernels.expression.nodes import VECTORS, KernelNode, Node, occurs_only_in
from kpviz.engine.kernels.expression.parser import written_out
from kpviz.engine.kernels.form import ONES, Form
from kpviz.engine.powers import raised
from kpviz.engine.rounding import MOST_COLUMNS, ROUNDING

# So tightly LaTeX holds together, the loosest first.
_SUM, _INNER, _PRODUCT, _POWER, _ATOM = range(1, 6)
_DISTANCES = ("norm(u - v)", "norm1(u - v)")
_LONG = 20  # In characters: a part so long that occurs twice is worth a name.
_BARS = {"norm": (r"\|", r"\|"), "norm1": (r"\|", r"\|_1"), "abs": (r"\left|", r"\right|")}


def latex(node: Node, *, index: bool = False) -> str:
    r"""Return LaTeX; with `index`, of a vector's component i.

    >>> from kpviz.engine.kernels.formula import parse
    >>> print(latex(parse("exp(-norm(u - v)**2/2) + 0.1*dot(u, v)")))
    \exp\left(-\frac{\|u - v\|^{2}}{2}\right) + 0.1\, u \cdot v
    """
    return _latex(node, index)[0]


def _latex(node: Node, index: bool) -> tuple[str, int]:
    """Return the LaTeX and how tightly it holds together."""

    def within(part: Node, least: int, index: bool = index) -> str:
        text, strength = _latex(part, index)
        return text if strength >= least else rf"\left({text}\right)"

    symbol = node.parameter[1]
    if symbol:
        return symbol, _ATOM
    match node:
        case Node("number"):
            mantissa, _, exponent = str(node).partition("e")
            number = rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa
            return (r"\pi" if node.value == math.pi else number), _ATOM
        case Node("u" | "v" as name, _, component):
            return (
                f"{name}_{{{int(component)}}}" if component else f"{name}_i" if index else name,
                _ATOM,
            )
        case Node("-", (part,)):
            return f"-{within(part, _INNER)}", _SUM
        case Node("*" | "/" as sign, (Node("-", (left,)), right)):
            return f"-{_latex(Node(sign, (left, right)), index)[0]}", _SUM
        case Node("+" | "-" as sign, (left, right)):
            negative = right.name == "-" and len(right.parts) == 1
            return (
                f"{within(left, _SUM)} {sign} "
                f"{within(right, _INNER if sign == '-' or negative else _SUM)}",
                _SUM,
            )
        case Node("**", (base, exponent)):
            return f"{within(base, _ATOM)}^{{{latex(exponent)}}}", _POWER
        case Node("/", (left, right)):
            return rf"\frac{{{latex(left, index=index)}}}{{{latex(right, index=index)}}}", _PRODUCT
        case Node("*", (left, right)):
            factors = (
                within(left, _PRODUCT),
                within(right, _INNER if left.name == "number" else _PRODUCT),
            )
            elementwise = left.kind == right.kind == "vector" and not index
            joint = r" \odot " if elementwise else r" \cdot " if factors[1][0].isdigit() else r"\, "
            return joint.join(factors), _PRODUCT
        case Node("dot", (a, b)):
            return (
                rf"{within(a, _POWER, index=False)} \cdot {within(b, _POWER, index=False)}",
                _INNER,
            )
        case Node("sum", (part,)):
            return rf"\sum_i {within(part, _PRODUCT, index=True)}", _INNER
        case Node("equal", (a, b)):
            return rf"\left|\{{i : {latex(a, index=True)} = {latex(b, index=True)}\}}\right|", _ATOM
        case Node("normalized", (part,)):
            return rf"\operatorname{{normalized}}\left({latex(part)}\right)", _ATOM
    if isinstance(node, KernelNode):
        return (
            _latex(written_out(node), index)
            if node.kernel.written
            else (node.kernel.formula, _ATOM)
        )
    of = ", ".join(latex(part, index=index) for part in node.parts)
    if node.name in _BARS:
        return of.join(_BARS[node.name]), _ATOM
    return rf"\sqrt{{{of}}}" if node.name == "sqrt" else rf"\{node.name}\left({of}\right)", _ATOM


# ---- characters ----

_SET = (
    # Alone, an inner product needs no brackets.
    (re.compile(r"(?:^|(?<=\())dot\((\w+), (\w+)\)(?=\)|$)"), r"\1·\2"),
    (re.compile(r"\bdot\(([^()]*)\)"), r"⟨\1⟩"),
    (re.compile(r"\bnorm(1?)\(([^()]*)\)"), lambda match: f"‖{match[2]}‖{'₁' * len(match[1])}"),
    (re.compile(r"\*\*(\d)(?![\d.])"), lambda match: raised(int(match[1]))),
    (re.compile(r"(\d)e(-\d+)"), lambda match: f"{match[1]}·10{raised(int(match[2]))}"),
    (re.compile(r"\b(?:gaussian|laplacian)\b"), lambda match: match[0].capitalize()),
    (re.compile(r"\(\)"), ""),
    (re.compile(r"(?<!\*)\*(?!\*)"), "·"),
    (re.compile("-"), "−"),
)


def in_characters(formula: str) -> str:
    """Return a formula as one would write it down, as far as characters can.

    >>> in_characters("normalized(gaussian(1)*linear()) + 0.1*exp(dot(u, v)) - norm(u - v)**2/2")
    'normalized(Gaussian(1)·linear) + 0.1·exp(u·v) − ‖u − v‖²/2'
    """
    for pattern, written in _SET:
        formula = pattern.sub(written, formula)
    return formula


# ---- Python ----

_EVENED = '''\
def evened(values, same):
    """Return the values; where U and V are the same, the mean of k(u, v) and k(v, u), \
which may round otherwise."""
    return (values + values.T) / 2 if same else values'''
_INVERSE_ROOT = '''\
def inverse_root(squared):
    """1 / √squared; 0 where it is not above 0."""
    return np.where(squared > 0, 1 / np.sqrt(np.where(squared > 0, squared, 1)), 0)'''
_DOT = f'''\
def dot(U, V):
    """u·v of all rows, added up one by one, as by hand; 0 where only a rounding error is left."""
    def summed(U, V):
        return U @ V.T if U.shape[1] > {MOST_COLUMNS} else \
sum(u[:, None] * v for u, v in zip(U.T, V.T))

    total = summed(U, V)
    return np.where(abs(total) < {ROUNDING} * summed(abs(U), abs(V)), 0, total)'''
_FUNCTIONS = {"min": "minimum", "max": "maximum"}


class Code(NamedTuple):
    """Python, and how tightly it holds together."""

    text: str
    strength: int

    def within(self, least: int) -> str:
        """Return it in brackets if it is too loose."""
        return self.text if self.strength >= least else f"({self.text})"


# So tightly Python holds together, the loosest first.
_ADDED, _MULTIPLIED, _SIGNED, _RAISED, _WHOLE = range(1, 6)
_STRENGTH = {"+": _ADDED, "-": _ADDED, "*": _MULTIPLIED, "/": _MULTIPLIED}


def form(tree: Node, text: str = "") -> Form:
    """Return the form of a formula; `text` is how readers see it.

    >>> from kpviz.engine.kernels.formula import parse
    >>> form(parse("exp(-norm(u - v)**2/2)")).matrix
    'np.exp(-sum((u - v) ** 2) / 2)'
    """
    plain = tree.rebuilt(lambda part: written_out(part) if isinstance(part, KernelNode) else None)
    twice = [
        part for part, count in Counter(tree.walk()).items() if count > 1 and len(part.sides) > 1
    ]
    longest = max(twice, key=lambda part: len(str(part)), default=tree)
    before = (
        f"s = {_PAIRS.value(longest).text}"
        if longest is not tree and len(str(longest)) >= _LONG
        else ""
    )
    pairs = _Programs("u", "v", "U", paired=False, known={longest: "s"}) if before else _PAIRS
    matrix = _whole(tree, pairs, "(len(U), len(V))")
    diagonal = _whole(tree, _ITSELF, "len(U)")
    if occurs_only_in(plain, _DISTANCES) and evaluate.diagonal(plain, np.zeros((1, 1)))[0] == 1.0:
        diagonal = ONES
    same_rounding = rounds_alike(tree)
    leaves = [part.kernel.form() for part in plain.walk() if isinstance(part, KernelNode)]
    helpers = [_EVENED] * (not same_rounding) + [_INVERSE_ROOT] * (
        "inverse_root" in before + matrix
    )
    helpers += [_DOT] * ("dot(" in before + matrix)
    return Form(
        text or str(tree),
        matrix if same_rounding else f"evened({matrix}, U is V)",
        diagonal,
        before=(
            "u, v = U.T[:, :, None], V.T[:, None]\n"
            if re.search(r"\b[uv]\b", before + matrix)
            else ""
        )
        + before,
        before_diagonal="u = v = U.T" if re.search(r"\b[uv]\b", diagonal) else "",
        imports=tuple(line for leaf in leaves for line in leaf.imports),
        helpers=(*helpers, *(line for leaf in leaves for line in leaf.helpers)),
    )


def _whole(tree: Node, programs: _Programs, shape: str) -> str:
    return (
        f"np.full({shape}, {tree.constant!r})"
        if tree.constant is not None
        else programs.value(tree).text
    )


class _Programs(Interpreter[Code]):
    """What u and v, and the matrices that they are rows of, are called; `paired`: each u with its
    own v.

    `known` are parts that have a name.
    """

    def __init__(
        self, u: str, v: str, U: str, *, paired: bool, known: Mapping[Node, str] | None = None
    ) -> None:
        self._names = {"u": u, "v": v}
        self._U = U
        self._paired = paired
        self._known = known or {}

    def value(self, node: Node, column: int | None = None) -> Code:
        if node in self._known:
            return Code(self._known[node], _WHOLE)
        name = node.parts[1].parameter[0] if node.name == "**" else ""
        if name:
            return Code(
                f"{self.value(node.parts[0], column).within(_WHOLE)} ** {{{name}}}", _RAISED
            )
        return super().value(node, column)

    def constant(self, node: Node) -> Code | None:
        """Return a number; a constant part is one already, as in the engine, unless it is a
        parameter or a root.
        """
        name = node.parameter[0]
        if name:
            return Code(f"{{{name}}}", _WHOLE)
        if (
            node.constant is None
            or node.name == "sqrt"
            or any(part.parameter[0] for part in node.walk())
        ):
            return None
        return _number(node.constant)

    def component(self, side: str, column: int | None) -> Code:
        name = self._names[side]
        return Code(name if column is None else f"{name}[{column}]", _WHOLE)

    def apply(self, name: str, *operands: Code) -> Code:
        if name == "==":
            return Code(
                f"1.0 * ({' == '.join(operand.within(_ADDED) for operand in operands)})",
                _MULTIPLIED,
            )
        if name not in _STRENGTH:
            arguments = ", ".join(operand.text for operand in operands)
            return Code(f"np.{_FUNCTIONS.get(name, name)}({arguments})", _WHOLE)
        if len(operands) == 1:
            return Code(f"-{operands[0].within(_RAISED)}", _SIGNED)
        strength = _STRENGTH[name]
        left, right = operands
        return Code(f"{left.within(strength)} {name} {right.within(strength + 1)}", strength)

    def power(self, base: Code, exponent: float) -> Code:
        if exponent == 1.0:
            return base
        if exponent == 0.5:
            return Code(f"np.sqrt({base.text})", _WHOLE)
        if exponent == -1.0:
            return Code(f"1 / {base.within(_RAISED)}", _MULTIPLIED)
        return Code(f"{base.within(_WHOLE)} ** {_number(exponent).within(_SIGNED)}", _RAISED)

    def sum(self, term: Callable[[int | None], Code]) -> Code:
        return Code(f"sum({term(None).text})", _WHOLE)

    def inner(self, a: Node, b: Node) -> Code | None:
        """Return a·b: by a function of its own where each is made of one side, as a sum leaves its
        rounding error.
        """
        if self._paired or {a.sides, b.sides} != {frozenset("u"), frozenset("v")}:
            return None
        u, v = (a, b) if a.sides == {"u"} else (b, a)
        left, right = (
            side
            if part.name in VECTORS
            else f"np.broadcast_to({_ALONE[side].value(part).text}, {side}.T.shape).T"
            for side, part in (("U", u), ("V", v))
        )
        return Code(f"dot({left}, {right})", _WHOLE)

    def leaf(self, node: KernelNode) -> Code:
        if node.kernel.written:
            return self.value(written_out(node))
        form = node.kernel.form()
        return Code(
            re.sub(r"\bU\b", self._U, form.diagonal if self._paired else form.matrix), _WHOLE
        )

    def normalized(self, node: Node) -> Code:
        if self._paired:
            return Code(f"np.where({self.value(node).within(_ADDED)} > 0, 1.0, 0.0)", _WHOLE)
        of_u, of_v = (f"inverse_root({_ALONE[side].value(node).text})" for side in "UV")
        return Code(
            f"{self.value(node).within(_MULTIPLIED)} * np.outer({of_u}, {of_v})", _MULTIPLIED
        )


def _number(value: float) -> Code:
    if value == math.pi:
        return Code("np.pi", _WHOLE)
    text = repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return Code(text, _SIGNED if text.startswith("-") else _WHOLE)


_PAIRS = _Programs("u", "v", "U", paired=False)
_ITSELF = _Programs("u", "v", "U", paired=True)
_ALONE = {side: _Programs(f"{side}.T", f"{side}.T", side, paired=True) for side in ("U", "V")}
