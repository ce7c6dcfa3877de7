"""A second formula language that shares no code with kpviz: texts, each with its value on two examples.

Values carry a bound of their own rounding error, so that one knows how far two honest evaluations may differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

EPS = 2.0**-52


class NoValueError(Exception):
    """The formula has no finite value here."""


class UnclearError(Exception):
    """Rounding decides whether there is a value."""


@dataclass
class Value:
    """A number and how far rounding may have moved it."""

    x: float
    error: float = 0.0

    def __post_init__(self):
        if not (math.isfinite(self.x) and math.isfinite(self.error)):
            raise NoValueError
        if abs(self.x) > 1e290 or self.error > 1e280:
            raise UnclearError
        self.error += 4 * EPS * abs(self.x) + 1e-300


@dataclass
class Piece:
    """A text, a "number" or a "vector", and its value for lists u and v: a Value, or one for each component."""

    text: str
    kind: str
    value: Callable


def add(a, b):
    return Value(a.x + b.x, a.error + b.error)


def minus(a, b):
    return Value(a.x - b.x, a.error + b.error)


def times(a, b):
    return Value(a.x * b.x, abs(a.x) * b.error + abs(b.x) * a.error + a.error * b.error)


def over(a, b):
    if b.x == 0.0 and b.error < 1e-299:
        raise NoValueError
    if abs(b.x) <= 4 * b.error:
        raise UnclearError
    return Value(a.x / b.x, 2 * (a.error + abs(a.x / b.x) * b.error) / abs(b.x))


def positive(a, least):
    """Refuse what is out of the domain; what is near its end is unclear, unless it is exactly there."""
    if a.error < 1e-299 and a.x == 0.0:
        if least == 0.0:
            return
        raise NoValueError
    if abs(a.x) <= 4 * a.error:
        raise UnclearError
    if a.x < 0.0:
        raise NoValueError


def smooth(function, slope):
    """A function with a bound of its slope near x."""

    def apply(a):
        if a.error > 0.01:
            raise UnclearError
        try:
            return Value(function(a.x), 2 * slope(a.x) * a.error)
        except OverflowError:
            raise NoValueError from None

    return apply


def logarithm(a):
    positive(a, least=1.0)
    return Value(math.log(a.x), 2 * a.error / a.x)


def root(a):
    positive(a, least=0.0)
    return Value(math.sqrt(a.x), a.error / math.sqrt(a.x) if a.x else 0.0)


def power(a, exponent):
    if exponent == 0:
        return Value(1.0)
    if exponent < 0:
        return over(Value(1.0), power(a, -exponent))
    if exponent != int(exponent):
        positive(a, least=0.0)
        if a.x == 0.0:
            return Value(0.0)
        return Value(
            math.exp(exponent * math.log(a.x)), 2 * exponent * a.x ** (exponent - 1) * a.error + 1e-14 * a.x**exponent
        )
    result = Value(1.0)
    for _ in range(int(exponent)):
        result = times(result, a)
    return result


FUNCTIONS = {
    "abs": lambda a: Value(abs(a.x), a.error),
    "exp": smooth(math.exp, lambda x: math.exp(min(x, 700.0))),
    "log": logarithm,
    "sqrt": root,
    "tanh": smooth(math.tanh, lambda x: 1.0),
    "sin": smooth(math.sin, lambda x: 1.0),
    "cos": smooth(math.cos, lambda x: 1.0),
}


def total(values):
    result = Value(0.0)
    for value in values:
        result = add(result, value)
    return result


def inner(a, b):
    return total(times(x, y) for x, y in zip(a, b, strict=True))


def length(a):
    squared = inner(a, a)
    if squared.x == 0.0:
        return Value(0.0, math.sqrt(squared.error))
    return Value(math.sqrt(squared.x), squared.error / math.sqrt(squared.x))


def extreme(choose):
    return lambda a, b: Value(choose(a.x, b.x), max(a.error, b.error))


# ---- pieces ----


def spaced(draw, *parts):
    return draw(st.sampled_from(["", " ", "  "])).join(parts)


def both(operation, a, b):
    """Apply to two numbers, to two vectors component by component, or to a number and each component."""

    def apply(u, v):
        x, y = a.value(u, v), b.value(u, v)
        if a.kind == b.kind == "number":
            return operation(x, y)
        xs = x if a.kind == "vector" else [x] * len(u)
        ys = y if b.kind == "vector" else [y] * len(u)
        return [operation(p, q) for p, q in zip(xs, ys, strict=True)]

    return apply


@st.composite
def constants(draw):
    choice = draw(st.integers(0, 3))
    if choice == 0:
        return Piece(draw(st.sampled_from(["pi", "π"])), "number", lambda u, v: Value(math.pi))
    number = draw(st.integers(0, 9)) if choice == 1 else draw(st.floats(0.01, 9).map(lambda x: round(x, 3)))
    return Piece(str(number), "number", lambda u, v: Value(float(number)))


def component(name, index):
    return Piece(f"{name}[{index}]", "number", lambda u, v: Value((u if name == "u" else v)[index - 1]))


VECTORS = [
    Piece("u", "vector", lambda u, v: [Value(x) for x in u]),
    Piece("v", "vector", lambda u, v: [Value(x) for x in v]),
]
COMPONENTS = [component(name, index) for name in "uv" for index in (1, 2)]


def leaves(kind):
    return st.sampled_from(VECTORS) if kind == "vector" else constants() | st.sampled_from(COMPONENTS)


@st.composite
def pieces(draw, kind="number", depth=3):
    """Draw a piece: every binary part is in parentheses, so that its text needs no rule of precedence."""
    if depth == 0:
        return draw(leaves(kind))
    make = draw(st.sampled_from(MAKERS[kind]))
    return make(draw, depth - 1)


def binary(kinds, signs, operation):
    def make(draw, depth):
        chosen = draw(st.sampled_from(kinds))
        a, b = (draw(pieces(kind, depth)) for kind in chosen)
        kind = "vector" if "vector" in chosen else "number"
        return Piece(f"({spaced(draw, a.text, draw(st.sampled_from(signs)), b.text)})", kind, both(operation, a, b))

    return make


def negative(kind):
    def make(draw, depth):
        a = draw(pieces(kind, depth))
        flip = both(minus, Piece("0", "number", lambda u, v: Value(0.0)), a)
        return Piece(f"(-{a.text})", kind, flip)

    return make


def raised(kind):
    def make(draw, depth):
        a = draw(pieces(kind, depth))
        exponent, text = draw(
            st.sampled_from(
                [(2, "**2"), (2, "²"), (3, "³"), (3, "^3"), (0.5, "**0.5"), (1, "**(1)"), (-1, "**-1"), (4, "** 4")]
            )
        )
        value = both(lambda x, _: power(x, exponent), a, Piece("", "number", lambda u, v: Value(0.0)))
        return Piece(f"(({a.text}){text})", kind, value)

    return make


def applied(kind):
    def make(draw, depth):
        a, name = draw(pieces(kind, depth)), draw(st.sampled_from(sorted(FUNCTIONS)))
        value = both(lambda x, _: FUNCTIONS[name](x), a, Piece("", "number", lambda u, v: Value(0.0)))
        return Piece(f"{name}({a.text})", kind, value)

    return make


def extremes(kind):
    def make(draw, depth):
        a, b = draw(pieces(kind, depth)), draw(pieces(kind, depth))
        name = draw(st.sampled_from(["min", "max"]))
        return Piece(
            f"{name}({spaced(draw, a.text, ',', b.text)})", kind, both(extreme({"min": min, "max": max}[name]), a, b)
        )

    return make


def reduction(name, value):
    def make(draw, depth):
        a = draw(pieces("vector", depth))
        return Piece(f"{name}({a.text})", "number", lambda u, v: value(a.value(u, v)))

    return make


def inner_product(draw, depth):
    a, b = draw(pieces("vector", depth)), draw(pieces("vector", depth))
    text = draw(st.sampled_from([f"dot({a.text},{b.text})", f"(({a.text})·({b.text}))"]))
    return Piece(text, "number", lambda u, v: inner(a.value(u, v), b.value(u, v)))


def just_leaf(kind):
    return lambda draw, depth: draw(leaves(kind))


MAKERS = {
    "number": [
        binary([("number", "number")], ["+"], add),
        binary([("number", "number")], ["-", "−"], minus),
        binary([("number", "number")], ["*", "×"], times),
        binary([("number", "number")], ["/"], over),
        negative("number"),
        raised("number"),
        applied("number"),
        extremes("number"),
        reduction("norm", length),
        reduction("norm1", lambda a: total(FUNCTIONS["abs"](x) for x in a)),
        reduction("sum", total),
        inner_product,
        just_leaf("number"),
    ],
    "vector": [
        binary([("vector", "vector")], ["+"], add),
        binary([("vector", "vector")], ["-", "−"], minus),
        binary([("vector", "vector"), ("number", "vector"), ("vector", "number")], ["*", "×"], times),
        binary([("vector", "number")], ["/"], over),
        negative("vector"),
        raised("vector"),
        applied("vector"),
        extremes("vector"),
        just_leaf("vector"),
    ],
}
