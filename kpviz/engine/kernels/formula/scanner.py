"""A text cut into numbers, names and operators; anything else is an error at its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from kpviz.engine.kernels.formula.errors import FormulaError
from kpviz.engine.kernels.formula.words import MAX_LENGTH, MAX_NUMBER

SUPERSCRIPTS = {"²": 2.0, "³": 3.0}
DOT = "·"

_BLANKS = " \t\r\n\u00a0"
_SIGNS = ("**", "+", "-", "*", "/", "(", ")", "[", "]", ",", DOT, *SUPERSCRIPTS)
_WRITTEN_AS = {"^": "**", "−": "-", "×": "*"}
_NAMES = {"π": "pi", "√": "sqrt"}
_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_SHOWN = 6  # components of an example in a sentence


class Token(NamedTuple):
    """A "number", "name", "sign" or the "end", and where it begins."""

    kind: str
    text: str
    at: int


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text, the last being the end.

    Raises
    ------
    FormulaError
        If the text is not a text, is too long, or holds a character that formulas do not use.

    >>> [token.text for token in tokens("2 × u[1]²")]
    ['2', '*', 'u', '[', '1', ']', '²', '']
    """
    if not isinstance(text, str):
        raise FormulaError(f"A formula is a text such as dot(u, v), not an object of type {type(text).__name__}.")
    if len(text) > MAX_LENGTH:  # before anything reads it
        raise FormulaError(f"The formula has {len(text):,} characters: at most {MAX_LENGTH} are read.")
    found, at = [], 0
    while at < len(text):
        if text[at] in _BLANKS:
            at += 1
            continue
        token, after = _token(text, at)
        found.append(token)
        at = after
    return [*found, Token("end", "", len(text))]


def _token(text: str, at: int) -> tuple[Token, int]:
    """Return the token that begins at a place, and the place after it."""
    if match := _NUMBER.match(text, at):
        if float(match[0]) > MAX_NUMBER:
            raise FormulaError(f"{shortened(match[0])} is too large: numbers go up to 1e12.", at)
        return Token("number", match[0], at), match.end()
    if match := _NAME.match(text, at):
        return Token("name", match[0], at), match.end()
    if text[at] in _NAMES:
        return Token("name", _NAMES[text[at]], at), at + 1
    if text[at] in _WRITTEN_AS:
        return Token("sign", _WRITTEN_AS[text[at]], at), at + 1
    for sign in _SIGNS:
        if text.startswith(sign, at):
            return Token("sign", sign, at), at + len(sign)
    raise FormulaError(f"{_described(text[at])} has no meaning in a formula.", at)


def _described(sign: str) -> str:
    """Return a character in quotation marks, with its name where it is easily confused or invisible."""
    if " " < sign <= "~":
        return f'"{sign}"'
    name = unicodedata.name(sign, f"character number {ord(sign)}").lower()
    return f'"{sign}" ({name})' if sign.isprintable() else f"An invisible character ({name})"


def example(components: Sequence[float]) -> str:
    """Return an example as sentences show it: its first components, with four digits.

    >>> example([0.5, -1.0]), example(range(9))
    ('(0.5, -1)', '(0, 1, 2, 3, 4, 5, …)')
    """
    shown = [f"{value:.4g}" for value in components[:_SHOWN]]
    return f"({', '.join(shown + ['…'] * (len(components) > _SHOWN))})"


def shortened(text: str, most: int = 24) -> str:
    """Return a text of at most so many characters.

    >>> shortened("a_name_that_does_not_end", 8)
    'a_name_…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"
