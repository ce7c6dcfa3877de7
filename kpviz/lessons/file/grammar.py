"""The grammar of conditions: text to tree; nothing is ever executed.

condition  = and { "or" and }
and        = not { "and" not }
not        = "not" not | comparison
comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
           | name ("==" | "!=") choice                    of a setting with choices
sum        = product { ("+" | "-") product }
product    = signed { ("*" | "/") signed }
signed     = "-" signed | atom
atom       = number | [ "first." ] ( name | function "(" sum { "," sum } ")" ) | "(" condition ")"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import NamedTuple

from kpviz.lessons.file.expressions import (
    COMPARED,
    FIRST,
    WORDS,
    Binary,
    Call,
    Each,
    Expression,
    First,
    Literal,
    Named,
    Negative,
    Not,
)
from kpviz.lessons.file.names import EACH, FUNCTIONS, NAMES, Kind

MAX_LENGTH = 300  # characters
MAX_NESTING = 20
MAX_NUMBER = 1e12

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)"
    r"|(?P<name>(?:first\.)?[A-Za-z_][A-Za-z_0-9]*(?:-[A-Za-z]+)?(?![A-Za-z_0-9]))"
    r"|(?P<sign><=|>=|==|!=|[-+*/()<>,=≤≥≠−×·])"
    r"|(?P<quoted>'[^']{0,40}'|\"[^\"]{0,40}\"))"
)
_WRITTEN_AS = {"≤": "<=", "≥": ">=", "≠": "!=", "−": "-", "×": "*", "·": "*", "=": "=="}
_HYPHENATED = {choice for name in NAMES.values() for choice in name.choices if "-" in choice}
_KINDS = {"number": "a number", "truth": "true or false", "word": "a name"}


class ConditionError(ValueError):
    """A text that is not a condition, in one sentence."""

    def __init__(self, what: str, at: int | None = None) -> None:
        super().__init__(what if at is None else f"At character {at + 1}, {what}")


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def parse(text: str, wanted: Kind, *, each: bool = False) -> Expression:
    """Return the tree of a text that is `wanted` to be a truth or a number; ConditionError if it is none."""
    reader = _Reader(_tokens(text), each=each)
    tree = reader.either()
    reader.finish()
    if tree.kind == wanted:
        return tree
    if wanted == "truth":
        raise ConditionError("This is a number, and a condition is true or false: compare it, as in mistakes <= 10.")
    raise ConditionError("This is true or false, and a number is wanted, as f(0.5, -1) or mistakes.")


def _tokens(text: str) -> list[_Token]:
    if len(text) > MAX_LENGTH:
        raise ConditionError(f"The condition has {len(text):,} characters: write at most {MAX_LENGTH}.")
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            while text[at].isspace():
                at += 1
            raise ConditionError(f"{text[at]!r} has no meaning in a condition.", at)
        kind = match.lastgroup or ""
        found.extend(_parts(kind, match[kind], match.start(kind)))
        at = match.end()
    return [*found, _Token("end", "", len(text))]


def _parts(kind: str, text: str, at: int) -> list[_Token]:
    """Return a token, or three of a difference without blanks, as n-support."""
    if kind == "name" and "-" in text and text not in _HYPHENATED:
        head, _, rest = text.partition("-")
        end = at + len(head)
        return [_Token("name", head, at), _Token("sign", "-", end), _Token("name", rest, end + 1)]
    if kind == "number" and float(text) > MAX_NUMBER:
        raise ConditionError(f"{text[:20]} is too large: numbers go up to 1e12.", at)
    if kind == "quoted":
        return [_Token("quoted", text[1:-1], at)]
    return [_Token("sign" if text in WORDS else kind, _WRITTEN_AS.get(text, text), at)]


class _Reader:
    """The tokens, how far they are read, and how deep the place is nested."""

    def __init__(self, found: list[_Token], *, each: bool) -> None:
        self._tokens, self._next, self._depth, self._each = found, 0, 0, each

    @property
    def token(self) -> _Token:
        """The token to be read next."""
        return self._tokens[self._next]

    def finish(self) -> None:
        """Refuse what follows a whole condition."""
        token = self.token
        if token.kind == "end":
            return
        if token.text in COMPARED:
            raise ConditionError("a second comparison follows: join two by and, as in 2 < n and n < 9.", token.at)
        if token.text in (")", ","):
            raise ConditionError(f'"{token.text}" belongs to nothing.', token.at)
        raise ConditionError(f"an operator such as and is missing before {_shown(token)}.", token.at)

    def either(self) -> Expression:
        """Read what "or" joins."""
        return self._joined("or", lambda: self._joined("and", self._negated))

    def _joined(self, word: str, part: Callable[[], Expression]) -> Expression:
        at = self.token.at
        left = part()
        while self.token.text == word and self.token.kind == "sign":
            _want(left, "truth", word, at)
            self._advance()
            at = self.token.at
            right = part()
            _want(right, "truth", word, at)
            left = Binary("truth", word, left, right)
        return left

    def _negated(self) -> Expression:
        token = self.token
        if token.text != "not" or token.kind != "sign":
            return self._comparison()
        self._advance()
        self._enter(token.at)
        part = self._negated()
        self._depth -= 1
        _want(part, "truth", "not", token.at)
        return Not("truth", part)

    def _comparison(self) -> Expression:
        at = self.token.at
        left = self._sum()
        sign = self.token
        if sign.text not in COMPARED:
            if left.kind == "word":
                raise ConditionError("a setting with choices is compared, as in kernel == gaussian.", at)
            return left
        self._advance()
        if left.kind == "word":
            return self._chosen(left, sign)
        right_at = self.token.at
        right = self._sum()
        for part, place in ((left, at), (right, right_at)):
            _want(part, "number", sign.text, place)
        return Binary("truth", sign.text, left, right)

    def _chosen(self, left: Expression, sign: _Token) -> Expression:
        assert isinstance(left, Named)
        token, choices = self._advance(), left.name.choices
        if sign.text not in ("==", "!="):
            raise ConditionError(f"{left.name.name} is one of several names: compare it by == or !=.", sign.at)
        if token.text not in choices:
            raise ConditionError(
                f"{_shown(token)} is not a value of {left.name.name}: {_near(token.text, choices)}", token.at
            )
        return Binary("truth", sign.text, left, Literal("word", token.text))

    def _sum(self) -> Expression:
        return self._calculated(("+", "-"), lambda: self._calculated(("*", "/"), self._signed))

    def _calculated(self, signs: tuple[str, str], part: Callable[[], Expression]) -> Expression:
        at = self.token.at
        left = part()
        while self.token.text in signs and self.token.kind == "sign":
            sign = self._advance()
            right_at = self.token.at
            right = part()
            for each, place in ((left, at), (right, right_at)):
                _want(each, "number", sign.text, place)
            left = Binary("number", sign.text, left, right)
        return left

    def _signed(self) -> Expression:
        token = self.token
        if token.text != "-":
            return self._atom()
        self._advance()
        self._enter(token.at)
        part = self._signed()
        self._depth -= 1
        _want(part, "number", "-", token.at)
        return Negative("number", part)

    def _atom(self) -> Expression:
        token = self._advance()
        if token.kind == "number":
            return Literal("number", float(token.text))
        if token.text == "(":
            self._enter(token.at)
            part = self.either()
            self._close(token)
            return part
        if token.kind != "name":
            what = "at the end" if token.kind == "end" else f"before {_shown(token)}"
            raise ConditionError(f"a number or a name is missing {what}.", token.at)
        if token.text.startswith(FIRST):
            return self._first(token)
        return self._named(token)

    def _first(self, token: _Token) -> Expression:
        at = token.at + len(FIRST)
        part = self._named(_Token("name", token.text.removeprefix(FIRST), at))
        if not isinstance(part, Named | Call) or part.kind == "word":
            raise ConditionError("first. stands before a number or a truth, as in mistakes < first.mistakes.", token.at)
        return First(part.kind, part)

    def _named(self, token: _Token) -> Expression:
        if self.token.text == "(":
            return self._call(token)
        if token.text == EACH and self._each:
            return Each("number")
        if token.text not in NAMES:
            raise ConditionError(_unknown(token, self._each), token.at)
        name = NAMES[token.text]
        return Named(name.kind, name)

    def _call(self, token: _Token) -> Expression:
        if token.text not in FUNCTIONS:
            raise ConditionError(f"{_shown(token)} is not a function: {_near(token.text, tuple(FUNCTIONS))}", token.at)
        function, opened = FUNCTIONS[token.text], self._advance()
        self._enter(opened.at)
        arguments: list[Expression] = []
        while self.token.text != ")" or arguments:
            at = self.token.at
            arguments.append(self._sum())
            _want(arguments[-1], "number", function.name, at)
            if self.token.text != ",":
                break
            self._advance()
        self._close(opened)
        if len(arguments) != len(function.arguments):
            raise ConditionError(f"{function.name} is written as {function.example}.", token.at)
        return Call("number", function, tuple(arguments))

    def _advance(self) -> _Token:
        token = self.token
        self._next += token.kind != "end"
        return token

    def _enter(self, at: int) -> None:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise ConditionError(f"the condition is nested more than {MAX_NESTING} deep.", at)

    def _close(self, opened: _Token) -> None:
        token = self._advance()
        if token.text != ")":
            raise ConditionError(f'")" is missing, which closes character {opened.at + 1}.', token.at)
        self._depth -= 1


def _want(part: Expression, kind: Kind, sign: str, at: int) -> None:
    if part.kind != kind:
        raise ConditionError(f"{sign} takes {_KINDS[kind]}, and this is {_KINDS[part.kind]}.", at)


def _shown(token: _Token) -> str:
    return "the end" if token.kind == "end" else repr(token.text[:24])


def _near(text: str, allowed: tuple[str, ...]) -> str:
    near = get_close_matches(text, allowed, 3)
    return f"did you mean {' or '.join(near)}?" if near else f"write one of {', '.join(allowed[:12])}."


def _unknown(token: _Token, each: bool) -> str:
    if token.text in FUNCTIONS:
        return f"{token.text} is a function: write {FUNCTIONS[token.text].example}."
    if token.text == EACH and not each:
        return "i has a meaning only where each example is looked at: write a number."
    return f"{_shown(token)} is not a name: {_near(token.text, (*NAMES, *FUNCTIONS))}"
