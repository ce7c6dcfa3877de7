"""A formula for a formula renderer, in characters, and as Python: the operations of `evaluate.py`
in the same order.

Legend of Python: U and V are matrices of examples. u is U.T[:, :, None] and v is V.T[:, None], so
that the first axis is that of the components, u[0] being u[1] of the formula, and all pairs come of
themselves. Where each example is paired with itself, u and v are both U.T. Parameters of kernels
stay in braces, as `{sigma}`: a script fills in their names.

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

# So tightly LaTeX holds together, the loosest first; of Python see `_ADDED`.
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

    _, symbol = node.parameter
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
            if elementwise:
                joint = r" \odot "
            elif factors[1][0].isdigit():  # A digit after a factor needs a dot between them.
                joint = r" \cdot "
            else:
                joint = r"\, "
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
    arguments = ", ".join(latex(part, index=index) for part in node.parts)
    if node.name in _BARS:
        return arguments.join(_BARS[node.name]), _ATOM
    if node.name == "sqrt":
        return rf"\sqrt{{{arguments}}}", _ATOM
    return rf"\{node.name}\left({arguments}\right)", _ATOM


# ---- characters ----

_REPLACEMENTS = (
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
    for pattern, replacement in _REPLACEMENTS:
        formula = pattern.sub(replacement, formula)
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
    """Return the form of a formula, with its parameters in braces; `text` is how readers see it.

    >>> from kpviz.engine.kernels.formula import parse
    >>> form(parse("exp(-norm(u - v)**2/2)")).matrix
    'np.exp(-sum((u - v) ** 2) / 2)'
    """
    plain = tree.rebuilt(lambda part: written_out(part) if isinstance(part, KernelNode) else None)
    repeated = _repeated_part(tree)
    if repeated is None:
        before = ""
        pair_writer = _PAIR_WRITER
    else:
        before = f"s = {_PAIR_WRITER.value(repeated).text}"
        pair_writer = _PythonWriter("u", "v", "U", paired=False, known={repeated: "s"})
    matrix = _whole(tree, pair_writer, "(len(U), len(V))")
    diagonal = _whole(tree, _DIAGONAL_WRITER, "len(U)")
    # If k is made of distances alone, k(u, u) is the same for all u: it is looked at for u = 0.
    if occurs_only_in(plain, _DISTANCES) and evaluate.diagonal(plain, np.zeros((1, 1)))[0] == 1.0:
        diagonal = ONES
    leaves = [part.kernel.form() for part in plain.walk() if isinstance(part, KernelNode)]
    pairs_code = before + matrix
    same_rounding = rounds_alike(tree)
    helpers = []
    if not same_rounding:
        helpers.append(_EVENED)
    if "inverse_root" in pairs_code:
        helpers.append(_INVERSE_ROOT)
    if "dot(" in pairs_code:
        helpers.append(_DOT)
    if re.search(r"\b[uv]\b", pairs_code):
        before = f"u, v = U.T[:, :, None], V.T[:, None]\n{before}"
    return Form(
        text or str(tree),
        matrix if same_rounding else f"evened({matrix}, U is V)",
        diagonal,
        before=before,
        before_diagonal="u = v = U.T" if re.search(r"\b[uv]\b", diagonal) else "",
        imports=tuple(line for leaf in leaves for line in leaf.imports),
        helpers=(*helpers, *(line for leaf in leaves for line in leaf.helpers)),
    )


def _repeated_part(tree: Node) -> Node | None:
    """Return the longest part of both u and v that occurs more than once; None where none has
    _LONG characters.
    """
    repeated = [
        part for part, count in Counter(tree.walk()).items() if count > 1 and len(part.sides) > 1
    ]
    longest = max(repeated, key=lambda part: len(str(part)), default=None)
    return longest if longest is not None and len(str(longest)) >= _LONG else None


def _whole(tree: Node, writer: _PythonWriter, shape: str) -> str:
    """Return the code of a formula; of a constant it is an array of this shape."""
    return (
        f"np.full({shape}, {tree.constant!r})"
        if tree.constant is not None
        else writer.value(tree).text
    )


class _PythonWriter(Interpreter[Code]):
    """Writes a formula as numpy code, by the operations that `Interpreter` asks for.

    Parameters
    ----------
    u_name, v_name : what the arrays of u and of v are called.
    matrix_name : what the matrix is called whose rows are u, for kernels that have code of their
        own.
    paired : whether each u is paired with one v, as for k(u, u), and not with all.
    known : variables that hold parts of the formula.
    """

    def __init__(
        self,
        u_name: str,
        v_name: str,
        matrix_name: str,
        *,
        paired: bool,
        known: Mapping[Node, str] | None = None,
    ) -> None:
        self._names = {"u": u_name, "v": v_name}
        self._matrix_name = matrix_name
        self._paired = paired
        self._known = known or {}

    def value(self, node: Node, column: int | None = None) -> Code:
        if node in self._known:
            return Code(self._known[node], _WHOLE)
        if node.name == "**":
            base, exponent = node.parts
            exponent_name, _ = exponent.parameter
            if exponent_name:
                base_code = self.value(base, column).within(_WHOLE)
                return Code(f"{base_code} ** {{{exponent_name}}}", _RAISED)
        return super().value(node, column)

    def constant(self, node: Node) -> Code | None:
        """Return a number; a constant part is one already, as in the engine, unless it is a
        parameter or a root.
        """
        parameter_name, _ = node.parameter
        if parameter_name:
            return Code(f"{{{parameter_name}}}", _WHOLE)
        if node.constant is None or node.name == "sqrt":
            return None
        names_within = [name for name, _ in (part.parameter for part in node.walk())]
        return None if any(names_within) else _number(node.constant)

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
        """Return a·b as a call of `dot`, which removes its rounding error.

        None where one of them has both u and v, or each u has its own v: then a sum is written.
        """
        if self._paired or {a.sides, b.sides} != {frozenset("u"), frozenset("v")}:
            return None
        u, v = (a, b) if a.sides == {"u"} else (b, a)
        left, right = (
            side
            if part.name in VECTORS
            else f"np.broadcast_to({_ONE_SIDE_WRITERS[side].value(part).text}, {side}.T.shape).T"
            for side, part in (("U", u), ("V", v))
        )
        return Code(f"dot({left}, {right})", _WHOLE)

    def leaf(self, node: KernelNode) -> Code:
        if node.kernel.written:
            return self.value(written_out(node))
        form = node.kernel.form()
        return Code(
            re.sub(r"\bU\b", self._matrix_name, form.diagonal if self._paired else form.matrix),
            _WHOLE,
        )

    def normalized(self, node: Node) -> Code:
        if self._paired:
            return Code(f"np.where({self.value(node).within(_ADDED)} > 0, 1.0, 0.0)", _WHOLE)
        of_u, of_v = (f"inverse_root({_ONE_SIDE_WRITERS[side].value(node).text})" for side in "UV")
        return Code(
            f"{self.value(node).within(_MULTIPLIED)} * np.outer({of_u}, {of_v})", _MULTIPLIED
        )


def _number(value: float) -> Code:
    if value == math.pi:
        return Code("np.pi", _WHOLE)
    text = repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return Code(text, _SIGNED if text.startswith("-") else _WHOLE)


# It writes k(u, v) of all pairs, the next one k(u, u) of each row of U.
_PAIR_WRITER = _PythonWriter("u", "v", "U", paired=False)
_DIAGONAL_WRITER = _PythonWriter("u", "v", "U", paired=True)
# They write the values of a part that only one side has, for each row of U or of V.
_ONE_SIDE_WRITERS = {
    side: _PythonWriter(f"{side}.T", f"{side}.T", side, paired=True) for side in ("U", "V")
}
