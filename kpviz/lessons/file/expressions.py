"""What a condition is made of: a tree of numbers, truths and words, and what each is worth for a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kpviz.lessons.file.case import Case
from kpviz.lessons.file.names import EACH, Function, Kind, Name, NoValueError, Value

COMPARED: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
WORDS = ("and", "or", "not")
FIRST = "first."


@dataclass(frozen=True)
class Expression:
    """A part of a condition: a number, a truth or a word."""

    kind: Kind

    def of(self, case: Case, i: int | None = None) -> Value:
        """Return its value for a run, with example i where each is looked at; NoValueError where it has none."""
        raise NotImplementedError

    def described(self, case: Case) -> str:
        """Return what it is for a run, as students read it; only names and functions are told."""
        raise NotImplementedError

    @property
    def parts(self) -> tuple[Expression, ...]:
        """What it is made of."""
        return ()


@dataclass(frozen=True)
class Literal(Expression):
    """A number or a word."""

    value: Value

    def of(self, case: Case, i: int | None = None) -> Value:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:g}" if isinstance(self.value, float) else str(self.value)


@dataclass(frozen=True)
class Each(Expression):
    """The index of the example that is looked at."""

    def of(self, case: Case, i: int | None = None) -> Value:
        return float(i or 0)

    def __str__(self) -> str:
        return EACH


@dataclass(frozen=True)
class Named(Expression):
    """What a name of the table says of a run."""

    name: Name

    def of(self, case: Case, i: int | None = None) -> Value:
        case.hurry()
        return self.name.value(case)

    def described(self, case: Case) -> str:
        return self.name.described(self.of(case))

    def __str__(self) -> str:
        return self.name.name


@dataclass(frozen=True)
class Call(Expression):
    """A function of numbers."""

    function: Function
    arguments: tuple[Expression, ...]

    def of(self, case: Case, i: int | None = None) -> Value:
        case.hurry()
        return self.function.value(case, *(each.of(case, i) for each in self.arguments))

    def described(self, case: Case) -> str:
        return self.function.described([number(each.of(case)) for each in self.arguments], number(self.of(case)))

    def __str__(self) -> str:
        return f"{self.function.name}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class First(Expression):
    """The same of the run with which the task started."""

    part: Expression

    def of(self, case: Case, i: int | None = None) -> Value:
        if case.first is None:
            raise NoValueError(f"{self} compares with the run at the start of a task: it belongs to until:.")
        return self.part.of(case.first, i)

    def described(self, case: Case) -> str:
        return self.part.described(case) if case.first is None else f"{self.part.described(case.first)} at the start"

    def __str__(self) -> str:
        return f"{FIRST}{self.part}"


@dataclass(frozen=True)
class Negative(Expression):
    """-part."""

    part: Expression

    def of(self, case: Case, i: int | None = None) -> Value:
        return -number(self.part.of(case, i))

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.part,)

    def __str__(self) -> str:
        return f"-{self.part}"


@dataclass(frozen=True)
class Not(Expression):
    """The opposite of a truth."""

    part: Expression

    def of(self, case: Case, i: int | None = None) -> Value:
        return not self.part.of(case, i)

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.part,)


@dataclass(frozen=True)
class Binary(Expression):
    """left sign right, the sign being one of + - * /, a comparison, "and" or "or"."""

    sign: str
    left: Expression
    right: Expression

    def of(self, case: Case, i: int | None = None) -> Value:
        left = self.left.of(case, i)
        if self.sign in WORDS:
            decided = bool(left) == (self.sign == "or")
            return bool(left) if decided else bool(self.right.of(case, i))
        right = self.right.of(case, i)
        if isinstance(left, str):
            return (left == right) == (self.sign == "==")
        one, other = number(left), number(right)
        if self.sign in COMPARED:
            return COMPARED[self.sign](one, other)
        return _calculated(self.sign, one, other)

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.left, self.right

    def __str__(self) -> str:
        return f"({self.left} {self.sign} {self.right})"


def number(value: Value) -> float:
    """Return a value as a number."""
    return float(value)


def _calculated(sign: str, one: float, other: float) -> float:
    if sign == "/" and other == 0.0:
        raise NoValueError("It divides by 0.")
    value = {"+": one + other, "-": one - other, "*": one * other}.get(sign)
    value = one / other if value is None else value
    if math.isnan(value):
        raise NoValueError("It has no value: it is infinity minus infinity.")
    return value


def parts_of(tree: Expression) -> Iterator[Expression]:
    """Yield the names and functions in a tree."""
    if isinstance(tree, Named | Call | First):
        yield tree
    for part in tree.parts:
        yield from parts_of(part)
