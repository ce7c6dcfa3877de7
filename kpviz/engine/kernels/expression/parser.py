"""Text to formula: Python's grammar, of which a few nodes are allowed; nothing is executed.

Legend: `named` are the kernels that a text may call, by name; the parameters of a kernel are the
arguments of its call.

Tests: tests/engine/test_formula.py.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Protocol

from kpviz.engine.checks import Range
from kpviz.engine.kernels.expression.nodes import (
    ELEMENTWISE,
    FUNCTIONS,
    MAX_COMPONENT,
    MAX_EXPONENT,
    MAX_LENGTH,
    MAX_NESTING,
    NORMALIZED,
    PAIRWISE,
    REDUCTIONS,
    VECTORS,
    KernelNode,
    Leaf,
    Node,
    number,
)
from kpviz.engine.syntax import NAME, Language, LanguageError, ParsedText, shortened


class FormulaError(LanguageError):
    """A text that is not a formula of a kernel, in one sentence; `at` is the 0-based place in the
    text.

    >>> str(FormulaError("a number is missing.", 6))
    'At character 7: a number is missing.'
    """


class NamedKernel(Protocol):
    """A class of kernels that a formula may call: from its parameters it makes a kernel, or raises
    a ValueError.
    """

    @property
    def ranges(self) -> Mapping[str, Range]:
        """The parameters that it takes, in their order."""
        ...

    def __call__(self, *arguments: Any, **parameters: Any) -> Leaf: ...


Named = Mapping[str, NamedKernel]
# They bind tighter than **, as a component does, and no one can type them so.
_SUPERSCRIPTS = {
    "²": "['2']",
    "³": "['3']",
}
_NAMES = {"π": "pi", "√": "sqrt"}
_SIGNS = {sign: sign for sign in ("+", "-", "*", "/", "**", "(", ")", "[", "]", ",")}
LANGUAGE = Language(
    "formula",
    FormulaError,
    signs=_SIGNS | _SUPERSCRIPTS | {"^": "**", "−": "-", "×": "*", "·": "@"},
    operand="a number, u, v or a function",
    operator="an operator such as *",
    postfixes=tuple(_SUPERSCRIPTS.values()),
    names=f"{NAME}|π|√",
    code=lambda name: _NAMES.get(name, name),
    most=MAX_LENGTH,
    nesting=MAX_NESTING,
)
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.MatMult: "·",
    ast.Pow: "**",
}
_COMPONENT_WORDS = f"a component is a whole number from 1 to {MAX_COMPONENT}, as in u[1]."


def parse(text: str, named: Named) -> Node:
    """Return the tree of a formula that may call `named` kernels.

    Raises
    ------
    FormulaError
        If the text is not a formula, with the place of the first character that is wrong.

    >>> str(parse("exp(−norm(u-v)²/2) + 0.1*(u·v)", {}))
    'exp(-norm(u - v)**2/2) + 0.1*dot(u, v)'
    >>> parse("0.1 dot(u, v)", {})
    Traceback (most recent call last):
    kpviz.engine.kernels.expression.parser.FormulaError: At character 5: an operator such as * is
    missing before dot.
    """
    return _read(text, named, {})


@lru_cache(maxsize=256)
def with_parameters(written: str, parameters: tuple[tuple[str, float, str], ...]) -> Node:
    """Return the tree of a kernel as it is `written`, with its parameters by name, value and
    symbol.

    >>> parameters = (("degree", 3, "q"), ("coef0", 0.5, "c"))
    >>> str(with_parameters("(dot(u, v) + {coef0})**{degree}", parameters))
    '(dot(u, v) + 0.5)**3'
    """
    values = {
        name: replace(number(float(value)), parameter=(name, symbol))
        for name, value, symbol in parameters
    }
    return _read(written.format_map({name: name for name in values}), {}, values)


def _read(text: str, named: Named, parameters: Mapping[str, Node]) -> Node:
    tree = LANGUAGE.read(text)
    node = _FormulaReader(tree, named, parameters).node(tree.body)
    if node.kind == "vector":
        raise FormulaError(
            "the result is a vector, but a kernel gives a number, as dot(u, v) does.", 0
        )
    written = str(node)
    if len(written) > MAX_LENGTH:
        raise FormulaError(
            f"Written out the formula has {len(written)} characters: at most {MAX_LENGTH} are read."
        )
    if sum(map(written.count, ("(", "-", "**"))) > MAX_NESTING:  # Fewer cannot be nested too deep.
        try:
            LANGUAGE.tokens(written)  # A link will hold it as it is written here.
        except FormulaError:
            raise FormulaError(
                f"Written out the formula is nested more than {MAX_NESTING} deep."
            ) from None
    return node


class _FormulaReader:
    """Makes nodes of those of Python."""

    def __init__(self, tree: ParsedText, named: Named, parameters: Mapping[str, Node]) -> None:
        self._tree = tree
        self._named = named
        self._parameters = parameters
        self._functions = (*FUNCTIONS, *named)

    def node(self, tree: ast.expr) -> Node:
        """Return what a node of Python means, unless it means nothing."""
        match tree:
            case ast.Constant(float() | int() as value):
                return Node("number", value=float(value))
            case ast.Name(name) if name in VECTORS:
                return Node(name)
            case ast.Name(name) if name in self._parameters:
                return self._parameters[name]
            case ast.Name("pi"):
                return Node("number", value=math.pi)
            case ast.UnaryOp(ast.USub(), operand):
                return Node("-", (self.node(operand),))
            case ast.Subscript(ast.Subscript(_, ast.Constant(str())), ast.Constant(str())):
                problem = "write a power of several digits as **, as in x**12."
                raise FormulaError(problem, self._tree.sign_at(tree.value))
            case ast.Subscript(base, ast.Constant(str(digit))):
                return self._finite(
                    Node("**", (self.node(base), number(float(digit)))), self._tree.sign_at(base)
                )
            case ast.Subscript(ast.Name(name), ast.Constant(int(index))) if name in VECTORS:
                if 1 <= index <= MAX_COMPONENT:
                    return Node(name, value=float(index))
                raise FormulaError(_COMPONENT_WORDS, self._at(tree.slice))
            case ast.Subscript(ast.Name(name), index):
                known = name in VECTORS
                problem = _COMPONENT_WORDS if known else "only u and v have components, as in u[1]."
                raise FormulaError(problem, self._at(index if known else tree.value))
            case ast.BinOp(left, operator, right):
                return self._joined(_OPERATORS[type(operator)], left, right)
            case ast.Call(ast.Name(name), arguments) if name in self._functions:
                return self._call(tree, name, arguments)
            case ast.Name(name) | ast.Call(ast.Name(name)):
                raise FormulaError(
                    self._misnamed(name, called=isinstance(tree, ast.Call)), self._at(tree)
                )
        raise FormulaError("this cannot stand in a formula.", self._at(tree))

    def _at(self, tree: ast.expr) -> int:
        return self._tree.token(tree).at

    def _misnamed(self, name: str, *, called: bool) -> str:
        if name in self._functions:
            return f"{name} takes what follows in parentheses, as in {self._example(name)}."
        if called and name in VECTORS:
            return f"{name} is an example, not a function: write {name}[1] for a component."
        match = re.fullmatch(r"([uvxz])_?([0-9]{1,3})", name)
        if match:
            return (
                f"{name} is unknown; a component is written as in "
                f"{match[1].replace('x', 'u').replace('z', 'v')}[1]."
            )
        near = get_close_matches(name.lower(), (*VECTORS, "pi", *self._functions), 1)
        if near:
            return f"{shortened(name)} is unknown; did you mean {near[0]}?"
        known = "there are u, v, pi and functions such as dot, norm, exp, min and gaussian."
        return f"{shortened(name)} is unknown; {known}"

    def _joined(self, sign: str, of_left: ast.expr, of_right: ast.expr) -> Node:
        left = self.node(of_left)
        at = self._tree.sign_at(of_left)
        right = self.node(of_right)
        kinds = (left.kind, right.kind)
        if sign == "·":
            if kinds == ("vector", "vector"):
                return Node("dot", (left, right))
            sign = "*"
        if sign in "+-" and kinds[0] != kinds[1]:
            joined = "added to" if sign == "+" else "subtracted from"
            pair = (
                ("a vector is", "a number") if kinds[1] == "vector" else ("a number is", "a vector")
            )
            raise FormulaError(f"{pair[0]} {joined} {pair[1]}, which has no meaning.", at)
        if sign == "/" and kinds[1] == "vector":
            raise FormulaError(
                "one cannot divide by a vector; divide by its norm, or by a component.", at
            )
        if sign == "**" and right.constant is None:
            raise FormulaError(
                "an exponent is a number; for others write exp(… * log(…)).", self._at(of_right)
            )
        if (
            sign == "**"
            and not any(right.parameter)
            and not abs(right.constant or 0.0) <= MAX_EXPONENT
        ):
            problem = f"an exponent is a number from -{MAX_EXPONENT:g} to {MAX_EXPONENT:g}."
            raise FormulaError(problem, self._at(of_right))
        return self._finite(Node(sign, (left, right)), at)

    def _call(self, tree: ast.Call, name: str, of_arguments: list[ast.expr]) -> Node:
        at = self._at(tree)
        parts = tuple(map(self.node, of_arguments))
        n_arguments = self._arity(name)
        if len(parts) != n_arguments:
            how_many = (
                "nothing"
                if n_arguments == 0
                else f"{n_arguments} argument{'s' if n_arguments > 1 else ''}"
            )
            raise FormulaError(
                f"{name} takes {how_many}, as in {self._example(name)}, not {len(parts)}.", at
            )
        takes = (
            "vector"
            if name in REDUCTIONS
            else "number"
            if name in self._named or name == NORMALIZED
            else ""
        )
        for part, argument in zip(parts, of_arguments, strict=True):
            place = self._at(argument)
            if takes and part.kind != takes:
                raise FormulaError(
                    f"{name} takes a {takes}, as in {self._example(name)}, but this is a "
                    f"{part.kind}.",
                    place,
                )
            if name in PAIRWISE and part.kind != parts[0].kind:
                raise FormulaError(
                    f"{name} takes two numbers or two vectors, not one of each.", place
                )
            if name in self._named and part.constant is None:
                problem = (
                    f"{name} takes numbers, as in {self._example(name)}, not functions of u and v."
                )
                raise FormulaError(problem, place)
        if name not in self._named:
            return self._finite(Node(name, parts), at)
        try:
            return call(name, parts, self._named)
        except ValueError as error:
            raise FormulaError(
                str(error), self._at(of_arguments[0]) if of_arguments else at
            ) from None

    def _finite(self, node: Node, at: int) -> Node:
        """Return the node, unless it is a constant like 1/0."""
        if node.constant is not None and not math.isfinite(node.constant):
            raise FormulaError(f"{shortened(str(node))} is not a finite number.", at)
        return node

    def _arity(self, name: str) -> int:
        if name in self._named:
            return len(self._named[name].ranges)
        return REDUCTIONS.get(name, 2 if name in PAIRWISE else 1)

    def _example(self, name: str) -> str:
        if name in self._named:
            return f"{name}({', '.join(['2', '1'][: self._arity(name)])})"
        if name in REDUCTIONS:
            return f"{name}(u, v)" if self._arity(name) == 2 else f"{name}(u - v)"
        return (
            f"{name}({'dot(u, v)' if name in ELEMENTWISE or name == NORMALIZED else 'u[1], v[1]'})"
        )


def call(name: str, arguments: tuple[Node, ...], named: Named) -> KernelNode:
    """Return the kernel that a call such as gaussian(0.5) names; ValueError for a number out of its
    range.
    """
    kind = named[name]
    values = {
        parameter: argument.constant or 0.0
        for parameter, argument in zip(kind.ranges, arguments, strict=True)
    }
    if values.get("sigma", 1.0) <= 0.0:
        raise ValueError(
            f"σ = {values['sigma']:g} is out of range: σ must be above 0.".replace("-", "−")
        )
    for parameter, limits in kind.ranges.items():
        if not limits.integer:
            continue
        if values[parameter] > MAX_EXPONENT:
            raise ValueError(
                f"{parameter}={values[parameter]:g} is out of range: {parameter} must be between "
                f"1 and "
                f"{MAX_EXPONENT:g}."
            )
        if values[parameter].is_integer():
            values[parameter] = int(values[parameter])
    return KernelNode(name=name, parts=arguments, kernel=kind(**values))


@lru_cache(maxsize=256)
def written_out(leaf: KernelNode) -> Node:
    """Return a kernel within a formula as a formula without its name, the leaf itself where it has
    none.

    >>> from kpviz.engine.kernels.formula import parse
    >>> str(written_out(parse("gaussian(0.5)")))
    'exp(-norm(u - v)**2/(2*0.5**2))'
    """
    return parse(str(leaf.kernel.tree), {}) if leaf.kernel.written else leaf
