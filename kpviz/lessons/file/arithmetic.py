"""Numbers as people write them: in answers such as exp(-0.5), and in the conditions of a lesson.

`page/typed_number.js` of the player reads answers by the same grammar: + - * / ^, brackets,
functions of one number, π and e; a product may leave its sign out, as in 2π.

Tests: tests/player/test_typed_numbers.py, tests/lessons/test_conditions.py.
"""

from __future__ import annotations

import ast
import math
import re
import unicodedata
from collections.abc import Callable

from kpviz.engine.syntax import NAME, Language, LanguageError, Token

LONGEST = 100  # In characters.
CONSTANTS: dict[str, float] = {"e": math.e, "pi": math.pi}
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "cos": math.cos,
    "exp": math.exp,
    "ln": math.log,
    "log": math.log,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tanh": math.tanh,
}
OPERATORS: dict[type[ast.operator], tuple[str, Callable[[float, float], float]]] = {
    ast.Add: ("+", lambda one, other: one + other),
    ast.Sub: ("-", lambda one, other: one - other),
    ast.Mult: ("*", lambda one, other: one * other),
    ast.Div: ("/", lambda one, other: one / other),
    ast.Pow: ("^", math.pow),
}
ROOT = "~"  # Python writes it for √, since it has that operator and no other use for it here.
SIGNS = {sign: sign for sign in ("+", "-", "*", "/", "**", "(", ")")} | {
    "^": "**",
    "√": ROOT,
    **dict.fromkeys("−–", "-"),
    **dict.fromkeys("×·⋅", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
}
_LANGUAGE = Language(
    "number",
    LanguageError,
    signs=SIGNS,
    operand="a number",
    operator="an operator such as *",
    prefixes=("-", ROOT),
    between="*",
    names=f"{NAME}|π",
    code=lambda name: "pi" if name == "π" else name,
    most=10 * LONGEST,
    nesting=LONGEST,
)
_LEAD = re.compile(r"[=≈]?\s*\+?")
# 8×107: a power of ten whose exponent was lost
_LOST_POWER = re.compile(r"[-−–]?[0-9.]+\s*[×·⋅*]\s*10[0-9]*")
_HALF_TYPED = re.compile(r"[0-9.]e(?![-−–+0-9^*a-z_])")  # 1e, where a power was to follow
_SUPERSCRIPT = re.compile("([⁻⁺]?)([⁰¹²³⁴-⁹]+)")
_FRACTION = re.compile("([0-9]*) *([¼-¾⅐-⅞])")


class NoValueError(ValueError):
    """Why something has no value, in one sentence."""


def joined(operator: ast.operator, left: float, right: float) -> float:
    """Return the result of an operation on two numbers; NoValueError where it has none."""
    sign, calculate = OPERATORS[type(operator)]
    if sign == "/" and right == 0.0:
        raise NoValueError("It divides by 0.")
    try:
        value = calculate(left, right)
    except OverflowError:
        raise NoValueError("It has no value: it is too large.") from None
    except ValueError:
        raise NoValueError(
            f"It has no value: {left:g} to the power of {right:g} is not a number."
        ) from None
    if math.isnan(value):
        raise NoValueError("It has no value: it is infinity minus infinity.")
    return value


def applied(name: str, argument: float) -> float:
    """Return a function's value; NoValueError where it has none."""
    try:
        return FUNCTIONS[name](argument)
    except OverflowError:
        raise NoValueError("It has no value: it is too large.") from None
    except ValueError:
        raise NoValueError(f"It has no value: {name} takes no {argument:g}.") from None


def typed(text: str) -> float | None:
    """Return a number as one types it; None where it is none.

    >>> texts = ("0,5", "1/2", "½", "−1 ½", "1e-3", "2^5", "√4/2", "4⁻¹", "25%", "1/0", "x", "1 2")
    >>> [typed(text) for text in texts]
    [0.5, 0.5, 0.5, -1.5, 0.001, 32.0, 1.0, 0.25, 0.25, None, None, None]
    >>> [f"{typed(text):.4f}" for text in ("exp(-0.5)", "e^-0.5", "e^(−1/2)", "2π", "2 × 10⁻¹")]
    ['0.6065', '0.6065', '0.6065', '6.2832', '0.2000']
    """
    if len(text) > LONGEST:
        return None
    plain = text.strip().lower().replace(",", ".").replace("\u202f", " ").replace("\u2009", " ")
    plain = plain[_LEAD.match(plain).end() :]  # type: ignore[union-attr]
    plain, percent = (plain[:-1], True) if plain.endswith("%") else (plain, False)
    if _LOST_POWER.fullmatch(plain) or _HALF_TYPED.search(plain):
        return None
    plain = _SUPERSCRIPT.sub(_power, re.sub("e[−–]([0-9])", r"e-\1", plain))
    plain = _FRACTION.sub(_mixed, plain)
    try:
        if _is_ambiguous(_LANGUAGE.tokens(plain)):
            return None
        value = _number(_LANGUAGE.read(plain).body)
    except ValueError:  # A LanguageError is one, too.
        return None
    return value / 100.0 if percent else value


def _power(match: re.Match[str]) -> str:
    digits = "".join(str(unicodedata.digit(character)) for character in match[2])
    return f"^({'-' if match[1] == '⁻' else ''}{digits})"


def _mixed(match: re.Match[str]) -> str:
    above, below = unicodedata.normalize("NFKC", match[2]).split("⁄")
    return f"({match[1] or 0}+{above}/{below})"


def _is_ambiguous(tokens: list[Token]) -> bool:
    """Whether the sign of a product is left out where nobody knows what was meant.

    In 1 2, and in 1/2π.
    """
    for place, token in enumerate(tokens):
        if token.kind == "sign" and not token.text:
            after_division = place >= 2 and tokens[place - 2].code == "/"
            if after_division or tokens[place + 1].kind == "number":
                return True
    return False


def _number(node: ast.expr) -> float:
    match node:
        case ast.Constant(int() | float() as value):
            return float(value)
        case ast.Name(name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.Call(ast.Name(name), [argument]) if name in FUNCTIONS:
            return applied(name, _number(argument))
        case ast.UnaryOp(ast.USub(), part):
            return -_number(part)
        case ast.UnaryOp(ast.Invert(), part):
            return applied("sqrt", _number(part))
        case ast.BinOp(left, operator, right):
            return joined(operator, _number(left), _number(right))
    raise NoValueError("This is not a number.")
