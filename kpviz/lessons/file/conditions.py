"""Conditions and numbers over a run, as an author writes them in a lesson.

A condition is an expression of Python of few kinds, which is never executed: numbers, names and
functions of `names.py`, also of the run with which a task started, as in first.mistakes; the
arithmetic of `arithmetic.py`; one comparison; and, or, not.

Signs that Python lacks are others in the tree, which bind as tightly: √x is ~x (`ast.Invert`), and
x² is x['2'] (`ast.Subscript`).

Tests: tests/lessons/test_conditions.py.
"""

from __future__ import annotations

import ast
import contextlib
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from kpviz.engine.powers import raised
from kpviz.engine.syntax import NAME, Language, LanguageError, ParsedText
from kpviz.lessons.explain import MINUS
from kpviz.lessons.figures import Figure
from kpviz.lessons.file import arithmetic
from kpviz.lessons.file.arithmetic import NoValueError
from kpviz.lessons.file.links import Case
from kpviz.lessons.file.names import (
    EXAMPLE,
    FUNCTIONS,
    NAMES,
    Kind,
    Name,
    Value,
    exact,
    figures_of,
    shown_as,
)


class ConditionError(LanguageError):
    """A text that is not a condition, in one sentence."""


_FIRST = "first"
_KINDS = {"number": "a number", "truth": "true or false", "word": "a name"}
_HYPHENATED = "|".join(
    sorted(choice for name in NAMES.values() for choice in name.choices if "-" in choice)
)
_COMPARED: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], bool]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
}
_LIMIT_WORDS = {
    ast.Lt: "less than ",
    ast.LtE: "at most ",
    ast.Gt: "more than ",
    ast.GtE: "at least ",
    ast.NotEq: "not ",
}
_SQUARES = {sign: f"['{digit}']" for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
LANGUAGE = Language(
    "condition",
    ConditionError,
    signs={sign: sign for sign in ("<", "<=", ">", ">=", "==", "!=", ",")}
    | {"and": "and", "or": "or", "not": "not"}
    | {"≤": "<=", "≥": ">=", "≠": "!=", "=": "=="}
    | arithmetic.SIGNS
    | _SQUARES,
    operand="a number or a name",
    operator="an operator such as and",
    prefixes=("-", "not", arithmetic.ROOT),
    postfixes=tuple(_SQUARES.values()),
    names=rf"(?:{_HYPHENATED})(?![A-Za-z_0-9])|(?:{_FIRST}\.)?{NAME}|π|'[^']{{0,40}}'|\"[^\"]{{0,40}}\"",
    code=lambda name: _code(name),
    nesting=20,
)


def _code(name: str) -> str:
    """Return what Python writes for a name, or for a word in quotation marks."""
    if name == "π":
        return "pi"
    return repr(name.strip("'\"")) if "-" in name or name[0] in "'\"" else name


@dataclass(frozen=True)
class ConditionPart:
    """A name or a function in a condition; `first`: of the run with which the task started."""

    node: ast.expr
    quantity: Name
    arguments: tuple[ast.expr, ...] = ()
    first: bool = False

    @property
    def text(self) -> str:
        """How it is written."""
        return ast.unparse(self.node)

    def value(self, case: Case, i: int | None = None) -> Value:
        """Return its value for a run, with example i where each is looked at; NoValueError where it
        has none.
        """
        if self.first and case.first is None:
            raise NoValueError(
                f"{self.text} compares with the run at the start of a task: it belongs to until:."
            )
        case = case.first if self.first and case.first is not None else case
        case.hurry()
        return self.quantity.value(
            case, *(_value(argument, case, i) for argument in self.arguments)
        )

    def described(self, case: Case, i: int | None = None, limit: float | None = None) -> str:
        """Return what it is for a run, as students read it; `limit`: what it is compared with."""
        arguments = [_value(argument, case, i) for argument in self.arguments]
        words = self.quantity.described(self.value(case, i), arguments, limit)
        return f"{words} at the start" if self.first else words

    def figures(self, case: Case, *, told: bool) -> list[Figure]:
        """Return what it looks like on the map; `told`: with its numbers."""
        arguments = [int(float(_value(argument, case, None))) for argument in self.arguments]
        return figures_of(self.quantity.name, arguments, case, told=told)

    def named(self, case: Case) -> str:
        """Return what it is called where students read it."""
        return self.quantity.named([_value(argument, case, None) for argument in self.arguments])


@dataclass(frozen=True)
class Condition:
    """A condition or a number, with its text.

    `parts` are the names and functions in it.

    >>> from kpviz.lessons.file.links import Link
    >>> Condition.read("converged and mistakes <= 20").holds(Case.of(Link(query="v=1&data=xor")))
    True
    """

    text: str
    tree: ast.expr = field(repr=False, compare=False)
    parts: tuple[ConditionPart, ...] = field(repr=False, compare=False)

    @classmethod
    def read(cls, text: str, *, per_example: bool = False) -> Condition:
        """Read a condition; `per_example`: it is asked of each example, whose index is `i`.

        Raises
        ------
        ConditionError
            One sentence, with the place of the first character that is wrong.
        """
        return cls._read(text, "truth", per_example=per_example)

    @classmethod
    def read_number(cls, text: str) -> Condition:
        """Read what has a number as its value; ConditionError as of `read`."""
        return cls._read(text, "number")

    @classmethod
    def _read(cls, text: str, kind_needed: Kind, *, per_example: bool = False) -> Condition:
        reader = _ConditionReader(LANGUAGE.read(text), per_example=per_example)
        kind = reader.kind(reader.tree.body)
        if kind != kind_needed and kind_needed == "truth":
            raise ConditionError(
                "This is a number, and a condition is true or false: compare it, as in mistakes "
                "<= 10."
            )
        if kind != kind_needed:
            raise ConditionError(
                "This is true or false, and a number is wanted, as f(0.5, -1) or mistakes."
            )
        return cls(text, reader.tree.body, tuple(_parts(reader.tree.body)))

    def holds(self, case: Case, i: int | None = None) -> bool:
        """Whether it is true of a run; NoValueError where a name has no value."""
        return bool(_value(self.tree, case, i))

    def value(self, case: Case) -> float:
        """Return the number; NoValueError where it has none."""
        return float(_value(self.tree, case, None))

    @property
    def is_constant(self) -> bool:
        """Whether it is a plain number, which no calculation leads to."""
        tree = self.tree.operand if isinstance(self.tree, ast.UnaryOp) else self.tree
        return isinstance(tree, ast.Constant)

    def values(self, case: Case) -> dict[str, str]:
        """Return what the names and functions in it are, as they are shown.

        What has no value is left out.
        """
        values: dict[str, str] = {}
        for part in self.parts:
            with contextlib.suppress(ValueError):
                values[part.text] = shown_as(part.value(case))
        return values

    def described(self, case: Case, i: int | None = None) -> str:
        """Return the same in the words of the board."""
        return _described(self.parts, case, i)

    def clauses(self, case: Case) -> list[tuple[bool, str]]:
        """Return whether each part that `and` joins holds, what is so, and what is required."""
        tree = self.tree
        nodes = (
            tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
        )
        clauses = []
        for node in nodes:
            holds = bool(_value(node, case, None))
            requirement = "" if holds else _limit_words(node)
            words = _measured(node, case) if requirement else _described(tuple(_parts(node)), case)
            clauses.append((holds, f"{words} (wanted: {requirement})" if requirement else words))
        return clauses

    def in_words(self, case: Case) -> str:
        """Return the condition itself as students read it.

        >>> from kpviz.lessons.file.links import Link
        >>> case = Case.of(Link(query="v=1&n=4"))
        >>> text = "training_error == 0 and mistakes <= 25 and not converged"
        >>> Condition.read(text).in_words(case)
        'training error: 0%, mistakes: at most 25, not converged'
        """
        return _in_words(self.tree, case)

    def written(self, case: Case) -> str:
        """Return a number as students read it, with what its names are called.

        >>> from kpviz.lessons.file.links import Link
        >>> number = Condition.read_number("radius * radius + last_mistakes")
        >>> number.written(Case.of(Link(query="v=1&n=4")))
        'R² + mistakes in the last epoch'
        """
        return _written(self.tree, case)


def _described(parts: tuple[ConditionPart, ...], case: Case, i: int | None = None) -> str:
    descriptions: list[str] = []
    for part in parts:
        with contextlib.suppress(ValueError):
            descriptions.append(part.described(case, i))
    return ", ".join(dict.fromkeys(descriptions))


def _measured(node: ast.expr, case: Case) -> str:
    """Return what a compared name is, with as many digits as tell it from what is required."""
    assert isinstance(node, ast.Compare)
    part = _part(node.left)
    limit = _constant(node.comparators[0]) if part.quantity.kind == "number" else None
    return part.described(case, limit=limit)


def _in_words(node: ast.expr, case: Case) -> str:
    match node:
        case ast.BoolOp(sign, parts):
            words = [_in_words(part, case) for part in parts]
            if isinstance(sign, ast.And):
                return ", ".join(words)
            return " or ".join(f"({text})" if ", " in text else text for text in words)
        case ast.UnaryOp(ast.Not(), part) if _is_named(part):
            truth = _part(part)
            return f"{truth.quantity.not_called}{' at the start' if truth.first else ''}"
        case ast.UnaryOp(ast.Not(), part):
            return f"not ({_in_words(part, case)})"
        case ast.Compare(left, [sign], [right]) if _is_named(left) and (
            requirement := _limit_words(node)
        ):
            return f"{_written(left, case)}: {requirement}"
        case ast.Compare(left, [sign], [right]):
            compared = {"<=": "≤", ">=": "≥", "==": "=", "!=": "≠"}.get(_COMPARED[type(sign)][0])
            return (
                f"{_written(left, case)} {compared or _COMPARED[type(sign)][0]} "
                f"{_written(right, case)}"
            )
    stated = _part(node)
    called = stated.quantity.called or stated.quantity.words
    return f"{called}{' at the start' if stated.first else ''}"


def _limit_words(node: ast.expr) -> str:
    """Return what a name is compared with, in words; "" where both sides are more than that."""
    match node:
        case ast.Compare(left, [sign], [right]) if _is_named(left):
            value = _word(right) if _is_word(left) else _constant(right)
            if value is not None:
                text = (
                    _part(left).quantity.exact(value)
                    if isinstance(value, float)
                    else shown_as(value)
                )
                return f"{_LIMIT_WORDS.get(type(sign), '')}{text}"
    return ""


def _constant(node: ast.expr) -> float | None:
    """Return the number that a part is whatever the run, None where it is not one."""
    named = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    if any(part.id not in (*arithmetic.CONSTANTS, *arithmetic.FUNCTIONS) for part in named):
        return None
    try:
        return float(_value(node, None, None))
    except ValueError:
        return None


def _written(node: ast.expr, case: Case) -> str:
    match node:
        case ast.BinOp(left, ast.Mult(), right) if ast.unparse(left) == ast.unparse(
            right
        ) and _is_named(left):
            return f"{_written(left, case)}²"
        case ast.BinOp(left, ast.Pow(), right):
            power = _whole(right)
            base = _grouped(left, case, True, True)
            return (
                f"{base}{raised(power)}"
                if power is not None
                else f"{base}^{_grouped(right, case, True, True)}"
            )
        case ast.Subscript(part, ast.Constant(str(digit))):
            return f"{_grouped(part, case, True, True)}{raised(int(digit))}"
        case ast.Call(ast.Name(name), [argument]) if name in arithmetic.FUNCTIONS:
            return f"{name}({_written(argument, case)})"
        case ast.Name(name) if name in arithmetic.CONSTANTS:
            return "π" if name == "pi" else name
        case ast.UnaryOp(ast.Invert(), part):
            return f"√{_grouped(part, case, True, True)}"
        case ast.BinOp(left, sign, right):
            written = {ast.Sub: MINUS, ast.Mult: "·"}.get(
                type(sign), arithmetic.OPERATORS[type(sign)][0]
            )
            loose = isinstance(sign, ast.Mult | ast.Div)
            parts = [_grouped(part, case, loose, part is right) for part in (left, right)]
            return f" {written} ".join(parts)
        case ast.UnaryOp(_, part):
            return f"{MINUS}{_grouped(part, case, True, True)}"
        case ast.Constant(int() | float() as value):
            return exact(value)
    named = _part(node)
    return f"{named.named(case)}{' at the start' if named.first else ''}"


def _whole(node: ast.expr) -> int | None:
    """Return the whole number that an exponent is, None where it is another one."""
    value = _constant(node)
    return int(value) if value is not None and value.is_integer() and abs(value) < 100 else None


def _grouped(node: ast.expr, case: Case, loose: bool, last: bool) -> str:
    """Return a part of a product or a sum, in brackets where it would be torn apart."""
    words = _written(node, case)
    is_power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    torn = (
        isinstance(node, ast.BinOp)
        and (last or (loose and isinstance(node.op, ast.Add | ast.Sub)))
        and not is_power
    )
    return f"({words})" if torn else words


def _is_named(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Call)


def _part(node: ast.expr) -> ConditionPart:
    """Return the name or function that a node is, which it is known to be."""
    named = node.func if isinstance(node, ast.Call) else node
    assert isinstance(named, ast.Name | ast.Attribute)
    name = named.id if isinstance(named, ast.Name) else named.attr
    arguments = tuple(node.args) if isinstance(node, ast.Call) else ()
    quantity = FUNCTIONS[name] if isinstance(node, ast.Call) else NAMES[name]
    return ConditionPart(node, quantity, arguments, isinstance(named, ast.Attribute))


def _value(node: ast.expr, case: Case | None, i: int | None) -> Value:
    match node:
        case ast.Call(ast.Name(name), [argument]) if name in arithmetic.FUNCTIONS:
            return arithmetic.applied(name, float(_value(argument, case, i)))
        case ast.Name(name) if name in arithmetic.CONSTANTS:
            return arithmetic.CONSTANTS[name]
        case ast.Subscript(part, ast.Constant(str(digit))):
            return arithmetic.joined(ast.Pow(), float(_value(part, case, i)), float(digit))
        case ast.UnaryOp(ast.Invert(), part):
            return arithmetic.applied("sqrt", float(_value(part, case, i)))
        case ast.Constant(int() | float() as value):
            return float(value)
        case ast.BoolOp(sign, parts):
            decided = isinstance(sign, ast.Or)
            return (
                decided
                if any(bool(_value(part, case, i)) == decided for part in parts)
                else not decided
            )
        case ast.UnaryOp(ast.Not(), part):
            return not _value(part, case, i)
        case ast.UnaryOp(_, part):
            return -float(_value(part, case, i))
        case ast.Compare(left, [sign], [right]):
            other = _word(right) if _is_word(left) else _value(right, case, i)
            return _COMPARED[type(sign)][1](_value(left, case, i), other)
        case ast.BinOp(left, sign, right):
            return arithmetic.joined(
                sign, float(_value(left, case, i)), float(_value(right, case, i))
            )
        case ast.Name(name) if name == EXAMPLE:
            return float(i or 0)
    assert case is not None
    return _part(node).value(case, i)


def _is_word(node: ast.expr) -> bool:
    """Whether it is a setting with choices, and what it is compared with one of them."""
    return isinstance(node, ast.Name) and node.id in NAMES and NAMES[node.id].kind == "word"


def _word(node: ast.expr) -> str:
    return (
        node.id
        if isinstance(node, ast.Name)
        else str(node.value)
        if isinstance(node, ast.Constant)
        else ""
    )


def _parts(node: ast.AST) -> Iterator[ConditionPart]:
    """Yield the names and functions, in the order of the text."""
    if isinstance(node, ast.Call) and _is_arithmetic(node.func):
        yield from _parts(node.args[0])
        return
    if isinstance(node, ast.Name | ast.Attribute | ast.Call):
        if not (isinstance(node, ast.Name) and (node.id == EXAMPLE or _is_arithmetic(node))):
            yield _part(node)
        return
    chosen = isinstance(node, ast.Compare) and _is_word(node.left)
    for part in (
        [node.left] if isinstance(node, ast.Compare) and chosen else ast.iter_child_nodes(node)
    ):
        yield from _parts(part)


def _is_arithmetic(node: ast.expr) -> bool:
    """Whether a name is a function or a number of arithmetic."""
    return isinstance(node, ast.Name) and node.id in (*arithmetic.FUNCTIONS, *arithmetic.CONSTANTS)


class _ConditionReader:
    """Refuses what means nothing."""

    def __init__(self, tree: ParsedText, *, per_example: bool) -> None:
        self.tree = tree
        self._per_example = per_example

    def kind(self, node: ast.expr) -> Kind:
        """Return whether a part is a number, true or false, or a word."""
        match node:
            case ast.Constant(int() | float()):
                return "number"
            case ast.BoolOp(sign, parts):
                self._want("truth", "and" if isinstance(sign, ast.And) else "or", *parts)
                return "truth"
            case ast.UnaryOp(ast.Not(), part):
                self._want("truth", "not", part)
                return "truth"
            case ast.UnaryOp(sign, part):
                self._want("number", "√" if isinstance(sign, ast.Invert) else "-", part)
                return "number"
            case ast.Subscript(ast.Subscript(), ast.Constant(str())):
                raise ConditionError(
                    "write a power of several digits as ^, as in 2^12.",
                    self.tree.sign_at(node.value),
                )
            case ast.Subscript(part, ast.Constant(str(digit))):
                self._want("number", f"a power of {digit}", part)
                return "number"
            case ast.BinOp(left, sign, right):
                self._want("number", arithmetic.OPERATORS[type(sign)][0], left, right)
                return "number"
            case ast.Call(ast.Name(name), arguments) if name in arithmetic.FUNCTIONS:
                self._want("number", name, *arguments)
                if len(arguments) != 1:
                    raise ConditionError(
                        f"{name} takes one number, as in {name}(2).", self._at(node)
                    )
                return "number"
            case ast.Name(name) if name in arithmetic.CONSTANTS:
                return "number"
            case ast.Name(name) if name in arithmetic.FUNCTIONS:
                raise ConditionError(f"{name} is a function: write {name}(2).", self._at(node))
            case ast.Compare(left, [sign], [right]):
                if _is_word(left):
                    self._choice(left, sign, right)
                else:
                    self._want("number", _COMPARED[type(sign)][0], left, right)
                return "truth"
            case ast.Compare(_, _, parts):
                problem = "a second comparison follows: join two by and, as in 2 < n and n < 9."
                raise ConditionError(problem, self.tree.sign_at(parts[0]))
            case ast.Name(name) if name == EXAMPLE and self._per_example:
                return "number"
        kind = self._named(node)
        if kind == "word":
            raise ConditionError(
                "a setting with choices is compared, as in kernel == gaussian.", self._at(node)
            )
        return kind

    def _at(self, node: ast.expr) -> int:
        return self.tree.token(node).at

    def _quoted(self, node: ast.expr) -> str:
        return repr(self.tree.token(node).text.removeprefix(f"{_FIRST}.")[:24])

    def _want(self, kind: Kind, sign: str, *parts: ast.expr) -> None:
        for part in parts:
            part_kind = self.kind(part)
            if part_kind != kind:
                raise ConditionError(
                    f"{sign} takes {_KINDS[kind]}, and this is {_KINDS[part_kind]}.", self._at(part)
                )

    def _choice(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> None:
        name = NAMES[_word(left)]
        if not isinstance(sign, ast.Eq | ast.NotEq):
            problem = f"{name.name} is one of several names: compare it by == or !=."
            raise ConditionError(problem, self.tree.sign_at(left))
        if _word(right) not in name.choices:
            problem = (
                f"{self._quoted(right)} is not a value of {name.name}: "
                f"{_near(_word(right), name.choices)}"
            )
            raise ConditionError(problem, self._at(right))

    def _named(self, node: ast.expr) -> Kind:
        named = node.func if isinstance(node, ast.Call) else node
        first = isinstance(named, ast.Attribute)
        at = self._at(node)
        name = (
            named.attr
            if isinstance(named, ast.Attribute)
            else named.id
            if isinstance(named, ast.Name)
            else ""
        )
        at_name = at + len(f"{_FIRST}.") * first
        if isinstance(node, ast.Call):
            if name not in FUNCTIONS:
                known = (*FUNCTIONS, *arithmetic.FUNCTIONS)
                problem = f"{self._quoted(named)} is not a function: {_near(name, known)}"
                raise ConditionError(problem, at_name)
            function = FUNCTIONS[name]
            self._want("number", name, *node.args)
            if len(node.args) != len(function.arguments):
                raise ConditionError(f"{name} is written as {function.example}.", at_name)
        elif name in FUNCTIONS and name not in NAMES:
            raise ConditionError(f"{name} is a function: write {FUNCTIONS[name].example}.", at_name)
        elif name == EXAMPLE:
            problem = "i has a meaning only where each example is looked at: write a number."
            raise ConditionError(problem, at_name)
        elif name not in NAMES:
            problem = f"{self._quoted(node)} is not a name: {_near(name, (*NAMES, *FUNCTIONS))}"
            raise ConditionError(problem, at_name)
        kind: Kind = "number" if isinstance(node, ast.Call) else NAMES[name].kind
        if first and kind == "word":
            problem = "first. stands before a number or a truth, as in mistakes < first.mistakes."
            raise ConditionError(problem, at)
        return kind


def _near(text: str, allowed: tuple[str, ...]) -> str:
    near = get_close_matches(text, allowed, 3)
    return (
        f"did you mean {' or '.join(near)}?" if near else f"write one of {', '.join(allowed[:12])}."
    )
