"""Texts that people type, such as formulas, conditions and Boolean functions, as trees of Python's
grammar.

A text is cut into tokens, of which operands and operators must take turns; its length and nesting
are limited. Then it is written with the signs of Python and parsed by `ast`. Nothing is executed:
what a tree may hold, its language says.

Tests: tests/engine/test_formula.py, tests/lessons/test_conditions.py.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from keyword import iskeyword
from typing import NamedTuple

NAME = r"[A-Za-z_][A-Za-z_0-9]*"
MAX_NUMBER = 1e12
_BLANKS = " \t\r\n\u00a0"
_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_CLOSING = {"(": ")", "[": "]"}
_WINDOW = 72  # In characters: so much of a long text is shown around the place.


class LanguageError(ValueError):
    """A text that is not of its language, in one sentence; `at` is the 0-based place in the text.

    >>> str(LanguageError("a number is missing.", 6))
    'At character 7: a number is missing.'
    """

    def __init__(self, what: str, at: int | None = None) -> None:
        super().__init__(what if at is None else f"At character {at + 1:,}: {what}")
        self.at = at or 0


def pointer(text: str, at: int) -> str:
    """Return the text and, in a second line, a caret under its character `at` (0-based).

    What would break the line is shown as a blank; of a long text only the characters around the
    place are shown.

    >>> print(pointer("nrom(u)", 0))
    nrom(u)
    ^
    """
    start = max(0, min(at - _WINDOW // 2, len(text) - _WINDOW))
    excerpt = "".join(sign if sign.isprintable() else " " for sign in text[start : start + _WINDOW])
    return f"{excerpt}\n{' ' * (at - start)}^"


def shortened(text: str, most: int = 24) -> str:
    """Return a text of at most so many characters.

    >>> shortened("a_name_that_does_not_end", 8)
    'a_name_…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


class Token(NamedTuple):
    """A "number", "name" or "sign": as it is typed, where it begins, and what Python
    writes for it.
    """

    kind: str
    text: str
    at: int
    code: str


class ParsedText(NamedTuple):
    """An expression of Python, and the tokens that it was made of, with the columns where they
    begin in Python.
    """

    body: ast.expr
    tokens: dict[int, Token]

    def token(self, node: ast.expr) -> Token:
        """Return the first token of a node."""
        return self.tokens[node.col_offset]

    def sign_at(self, left: ast.expr) -> int:
        """Return the place of the operator behind an operand."""
        behind = (t for column, t in self.tokens.items() if column >= (left.end_col_offset or 0))
        return next(token.at for token in behind if token.code != ")")


@dataclass(frozen=True)
class Language:
    """What may be typed, and what Python writes for it.

    Attributes
    ----------
    what : what a text is called. error : what is raised.
    signs : operators, brackets and words such as "and". prefixes, postfixes : those before and
        behind one operand.
    operand, operator : what may be missing, in words. between : the sign that may be left out
        between operands.
    names, code : a pattern, and what Python writes for a name. calls : whether names have
        arguments.
    most : characters. nesting : of brackets, prefixes and powers.
    """

    what: str
    error: type[LanguageError]
    signs: Mapping[str, str]
    operand: str
    operator: str
    prefixes: tuple[str, ...] = ("-",)
    postfixes: tuple[str, ...] = ()
    between: str = ""
    names: str = NAME
    code: Callable[[str], str] = str
    calls: bool = True
    most: int = 300
    nesting: int = 30

    def read(self, text: str) -> ParsedText:
        """Return the tree of a text; `error`, with the place of the first character that is wrong,
        if it is none.
        """
        columns: dict[int, Token] = {}
        column = 0
        for token in self.tokens(text):
            columns[column] = token
            column += len(token.code) + 1
        try:
            body = ast.parse(" ".join(token.code for token in columns.values()), mode="eval").body
        except SyntaxError as error:
            wrong_token = columns.get((error.offset or 1) - 1, columns[0])
            raise self.error(
                f'"{shortened(wrong_token.text)}" cannot stand here.', wrong_token.at
            ) from None
        _restore(body)
        return ParsedText(body, columns)

    def tokens(self, text: str) -> list[Token]:
        """Return the tokens of a text in which operands and operators take turns, and brackets are
        closed.
        """
        tokens: list[Token] = []
        opened: list[Token] = []
        nested = [0]  # Prefixes and powers are counted in each bracket.
        needs_operand = True
        for token in self._scanned(text):
            sign = token.code if token.kind == "sign" else ""
            last = tokens[-1] if tokens else None
            named = self.calls and last is not None and last.kind == "name"
            if sign == "[" and not named:
                raise self.error("only u and v have components, as in u[1].", token.at)
            if sign in ("(", "[") and named and not needs_operand:
                needs_operand = True
                opened.append(token._replace(kind="call" if sign == "(" else "component"))
                nested.append(0)
            elif (
                not sign
                or sign == "("
                or (sign in self.prefixes and (needs_operand or sign != "-"))
            ):
                if not needs_operand and not self.between:
                    raise self.error(
                        f"{self.operator} is missing before {shortened(token.text)}.", token.at
                    )
                if not needs_operand:
                    tokens.append(Token("sign", "", token.at, self.between))
                needs_operand = bool(sign)
                if sign == "(":
                    opened.append(token)
                    nested.append(0)
                elif sign:
                    nested[-1] += 1
            elif sign in _CLOSING.values():
                if not opened:
                    raise self.error(f'"{token.text}" closes nothing.', token.at)
                if sign != _CLOSING[opened[-1].code]:
                    raise self._unclosed(opened[-1], f'"{token.text}"', token.at)
                if needs_operand and not (
                    opened[-1].kind == "call" and last and last.at == opened[-1].at
                ):
                    raise self.error(f'{self.operand} is missing before "{token.text}".', token.at)
                opened.pop()
                nested.pop()
                needs_operand = False
            else:
                if needs_operand:
                    raise self.error(
                        f'{self.operand} is missing before "{shortened(token.text)}".', token.at
                    )
                if sign == "," and not (opened and opened[-1].kind == "call"):
                    raise self.error(
                        "a comma stands only between the arguments of a function.", token.at
                    )
                needs_operand = sign not in self.postfixes
                if needs_operand:
                    nested[-1] = nested[-1] + 1 if sign == "**" else 0
            if len(opened) + sum(nested) > self.nesting:
                raise self.error(
                    f"the {self.what} is nested more than {self.nesting} deep.", token.at
                )
            tokens.append(token)
        if needs_operand:
            after = f' after "{shortened(tokens[-1].text)}"' if tokens else ""
            raise self.error(f"{self.operand} is missing{after}.", len(text))
        if opened:
            raise self._unclosed(opened[-1], "the end", len(text))
        return tokens

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        signs = sorted(
            (sign for sign in self.signs if not sign[0].isalpha()), key=len, reverse=True
        )
        sign = "|".join(map(re.escape, signs))
        return re.compile(
            f"[{_BLANKS}]*(?:(?P<number>{_NUMBER})|(?P<name>{self.names})|(?P<sign>{sign}))"
        )

    def _unclosed(self, bracket: Token, before: str, at: int) -> LanguageError:
        closing = _CLOSING[bracket.code]
        return self.error(
            f'"{closing}" is missing before {before}: it closes character {bracket.at + 1}.', at
        )

    def _scanned(self, text: str) -> list[Token]:
        if not isinstance(text, str):
            raise self.error(
                f"A {self.what} is a text, not an object of type {type(text).__name__}."
            )
        if len(text) > self.most:  # A longer text is refused before anything reads it.
            raise self.error(
                f"The {self.what} has {len(text):,} characters: at most {self.most:,} are read."
            )
        tokens = []
        at = 0
        end = len(text.rstrip(_BLANKS))
        while at < end:
            match = self._pattern.match(text, at)
            if match is None:
                at = next(place for place in range(at, end) if text[place] not in _BLANKS)
                raise self.error(f"{_described(text[at])} has no meaning in a {self.what}.", at)
            kind = match.lastgroup or ""
            typed = match[kind]
            at = match.start(kind)
            if kind == "number" and float(typed) > MAX_NUMBER:
                raise self.error(f"{shortened(typed)} is too large: numbers go up to 1e12.", at)
            if kind == "number":
                code = str(int(typed)) if typed.isdigit() else repr(float(typed))
            elif typed in self.signs:
                kind = "sign"
                code = self.signs[typed]
            else:
                code = self.code(typed)
                code = ".".join(f"{part}_" if iskeyword(part) else part for part in code.split("."))
            tokens.append(Token(kind, typed, at, code))
            at = match.end()
        return tokens


def _restore(node: ast.AST) -> None:
    """Call by their names again what Python has words for, as lambda."""
    if isinstance(node, ast.Name) and iskeyword(node.id[:-1]):
        node.id = node.id[:-1]
    elif isinstance(node, ast.Attribute) and iskeyword(node.attr[:-1]):
        node.attr = node.attr[:-1]
    for child in ast.iter_child_nodes(node):
        _restore(child)


def _described(sign: str) -> str:
    """Return a character in quotation marks, with its name where it is easily confused or
    invisible.
    """
    if " " < sign <= "~":
        return f'"{sign}"'
    name = unicodedata.name(sign, f"character number {ord(sign)}").lower()
    return f'"{sign}" ({name})' if sign.isprintable() else f"An invisible character ({name})"
