"""Text to tree, by a small grammar; nothing is ever executed.

formula  = sum
sum      = product { ("+" | "-") product }
product  = signed { ("*" | "/" | "·") signed }          · of two vectors is their inner product
signed   = "-" signed | power
power    = atom [ ("²" | "³") | "**" signed ]            ** may be ^; the exponent is a constant
atom     = number | "pi" | "(" sum ")" | ("u" | "v") [ "[" number "]" ] | name "(" [ sum { "," sum } ] ")"
"""

from __future__ import annotations

import math
import re
from difflib import get_close_matches

from kpviz.engine.kernels.formula.errors import FormulaError
from kpviz.engine.kernels.formula.named import kernel_of
from kpviz.engine.kernels.formula.nodes import Binary, Call, Component, Negative, Node, Number, Vector
from kpviz.engine.kernels.formula.scanner import DOT, SUPERSCRIPTS, Token, shortened, tokens
from kpviz.engine.kernels.formula.words import (
    FUNCTIONS,
    MAX_COMPONENT,
    MAX_EXPONENT,
    MAX_LENGTH,
    MAX_NESTING,
    NAMED,
    NORMALIZED,
    PAIRWISE,
    PI,
    REDUCTIONS,
    VECTORS,
    arity,
)

_SUM, _PRODUCT, _POWER = 1, 2, 4
_STRENGTH = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, DOT: _PRODUCT, "**": _POWER}
_STRENGTH.update(dict.fromkeys(SUPERSCRIPTS, _POWER))
_OPENING = ("(", "-", "**")  # each leads at most one level deeper
_KNOWN = (*VECTORS, PI, *FUNCTIONS)
_COMPONENT_WORDS = f"a component is a whole number from 1 to {MAX_COMPONENT}, as in u[1]."


def parse(text: str) -> Node:
    """Return the tree of a formula.

    Raises
    ------
    FormulaError
        If the text is not a formula, with the place of the first character that is wrong.

    >>> str(parse("exp(−norm(u-v)²/2) + 0.1*(u·v)"))
    'exp(-norm(u - v)**2/2) + 0.1*dot(u, v)'
    >>> parse("0.1 dot(u, v)")
    Traceback (most recent call last):
    kpviz.engine.kernels.formula.errors.FormulaError: At character 5: an operator such as * is missing before dot.
    """
    node = _read(text)
    if node.kind == "vector":
        raise FormulaError("the result is a vector, but a kernel gives a number, as dot(u, v) does.", 0)
    written = str(node)
    if len(written) > MAX_LENGTH:
        raise FormulaError(f"Written out the formula has {len(written)} characters: at most {MAX_LENGTH} are read.")
    if sum(map(written.count, _OPENING)) > MAX_NESTING:  # fewer cannot be nested too deep
        try:
            _read(written)  # as a link will hold it
        except FormulaError:
            raise FormulaError(f"Written out the formula is nested more than {MAX_NESTING} deep.") from None
    return node


def _read(text: str) -> Node:
    reader = _Reader(tokens(text))
    node = reader.expression(_SUM)
    reader.finish()
    return node


class _Reader:
    """The tokens, how far they are read, and how deep the place is nested."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._next = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """The token to be read next."""
        return self._tokens[self._next]

    def expression(self, lowest: int) -> Node:
        """Read as far as operators of at least this strength join."""
        node = self._prefix()
        while (strength := _STRENGTH.get(self.token.text, 0)) >= lowest:
            sign = self._advance()
            node = self._power(node, sign) if strength == _POWER else self._joined(node, sign, strength)
        return node

    def finish(self) -> None:
        """Refuse what follows a whole formula."""
        token = self.token
        if token.kind == "end":
            return
        if token.kind != "sign" or token.text == "(":
            raise FormulaError(f"an operator such as * is missing before {shortened(token.text)}.", token.at)
        if token.text == "[":
            raise FormulaError("only u and v have components, as in u[1].", token.at)
        if token.text == ",":
            raise FormulaError("a comma stands only between the arguments of a function.", token.at)
        raise FormulaError(f'"{token.text}" closes nothing.', token.at)

    # ---- operators ----

    def _joined(self, left: Node, sign: Token, strength: int) -> Node:
        right = self.expression(strength + 1)
        kinds = (left.kind, right.kind)
        if sign.text == DOT:
            if kinds == ("vector", "vector"):
                return Call("dot", (left, right))
            return self._finite(Binary("*", left, right), sign.at)
        if sign.text in "+-" and kinds[0] != kinds[1]:
            joined = "added to" if sign.text == "+" else "subtracted from"
            pair = ("a vector is", "a number") if kinds[1] == "vector" else ("a number is", "a vector")
            raise FormulaError(f"{pair[0]} {joined} {pair[1]}, which has no meaning.", sign.at)
        if sign.text == "/" and kinds[1] == "vector":
            raise FormulaError("one cannot divide by a vector; divide by its norm, or by a component.", sign.at)
        return self._finite(Binary(sign.text, left, right), sign.at)

    def _power(self, base: Node, sign: Token) -> Node:
        if sign.text in SUPERSCRIPTS:
            if self.token.text in SUPERSCRIPTS:
                raise FormulaError("write a power of several digits as **, as in x**12.", self.token.at)
            return self._finite(Binary("**", base, Number(SUPERSCRIPTS[sign.text])), sign.at)
        at = self.token.at
        self._enter(sign.at)
        exponent = self.expression(_POWER)
        self._depth -= 1
        if exponent.constant is None:
            raise FormulaError("an exponent is a number; for others write exp(… * log(…)).", at)
        if not abs(exponent.constant) <= MAX_EXPONENT:
            raise FormulaError(f"an exponent is a number from -{MAX_EXPONENT:g} to {MAX_EXPONENT:g}.", at)
        return self._finite(Binary("**", base, exponent), sign.at)

    # ---- atoms ----

    def _prefix(self) -> Node:
        token = self._advance()
        if token.text == "-":
            self._enter(token.at)
            node = self.expression(_POWER)
            self._depth -= 1
            return Negative(node)
        if token.kind == "number":
            return Number(float(token.text))
        if token.text == "(":
            self._enter(token.at)
            node = self.expression(_SUM)
            self._close(")", token)
            return node
        if token.kind == "name":
            return self._named(token)
        if token.kind == "end":
            before = self._tokens[self._next - 1] if self._next else None
            after = f' after "{before.text}"' if before else ""
            raise FormulaError(f"a number, u, v or a function is missing{after}.", token.at)
        raise FormulaError(f'a number, u, v or a function is missing before "{token.text}".', token.at)

    def _named(self, token: Token) -> Node:
        name = token.text
        called = self.token.text == "("
        if name in VECTORS:
            if called:
                raise FormulaError(f"{name} is an example, not a function: write {name}[1] for a component.", token.at)
            return self._component(token) if self.token.text == "[" else Vector(name)
        if name == PI and not called:
            return Number(math.pi)
        if name not in FUNCTIONS:
            raise FormulaError(_unknown(name), token.at)
        if not called:
            raise FormulaError(f"{name} takes what follows in parentheses, as in {_example(name)}.", token.at)
        return self._call(token)

    def _component(self, token: Token) -> Node:
        opened = self._advance()
        index = self._advance()
        if index.kind != "number" or not re.fullmatch("[0-9]+", index.text) or len(index.text) > 9:
            raise FormulaError(_COMPONENT_WORDS, index.at)
        if not 1 <= int(index.text) <= MAX_COMPONENT:
            raise FormulaError(_COMPONENT_WORDS, index.at)
        self._close("]", opened, nested=False)
        return Component(token.text, int(index.text))

    def _call(self, token: Token) -> Node:
        opened = self._advance()
        self._enter(opened.at)
        arguments: list[Node] = []
        places: list[int] = []
        while self.token.text != ")" or arguments:
            places.append(self.token.at)
            arguments.append(self.expression(_SUM))
            if self.token.text != ",":
                break
            self._advance()
        self._close(")", opened)
        call = Call(token.text, tuple(arguments))
        wanted = arity(token.text)
        if len(arguments) != wanted:
            how_many = "nothing" if wanted == 0 else f"{wanted} argument{'s' if wanted > 1 else ''}"
            raise FormulaError(
                f"{token.text} takes {how_many}, as in {_example(token.text)}, not {len(arguments)}.", token.at
            )
        _check_kinds(call, places, token.at)
        return call if call.name in NAMED else self._finite(call, token.at)

    # ---- reading ----

    def _advance(self) -> Token:
        token = self.token
        self._next += token.kind != "end"
        return token

    def _enter(self, at: int) -> None:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise FormulaError(f"the formula is nested more than {MAX_NESTING} deep.", at)

    def _close(self, sign: str, opened: Token, *, nested: bool = True) -> None:
        token = self._advance()
        if token.text != sign:
            what = "the end" if token.kind == "end" else f'"{shortened(token.text)}"'
            raise FormulaError(f'"{sign}" is missing before {what}: it closes character {opened.at + 1}.', token.at)
        self._depth -= nested

    def _finite(self, node: Node, at: int) -> Node:
        """Return the node, unless it is a constant like 1/0."""
        if node.constant is not None and not math.isfinite(node.constant):
            raise FormulaError(f"{shortened(str(node))} is not a finite number.", at)
        return node


def _check_kinds(call: Call, places: list[int], at: int) -> None:
    """Refuse arguments of the wrong kind, where they begin."""
    name, kinds = call.name, [argument.kind for argument in call.arguments]
    wanted = "vector" if name in REDUCTIONS else "number" if name in NAMED or name == NORMALIZED else None
    for place, kind in zip(places, kinds, strict=True):
        if wanted and kind != wanted:
            raise FormulaError(f"{name} takes a {wanted}, as in {_example(name)}, but this is a {kind}.", place)
    if name in PAIRWISE and kinds[0] != kinds[1]:
        raise FormulaError(f"{name} takes two numbers or two vectors, not one of each.", places[1])
    if name in NAMED:
        for place, argument in zip(places, call.arguments, strict=True):
            if argument.constant is None:
                raise FormulaError(f"{name} takes numbers, as in {_example(name)}, not functions of u and v.", place)
        try:
            kernel_of(call)
        except ValueError as error:
            raise FormulaError(str(error), places[0] if places else at) from None


def _example(name: str) -> str:
    if name in NAMED:
        return {0: f"{name}()", 1: f"{name}(2)", 2: f"{name}(2, 1)"}[arity(name)]
    if name in REDUCTIONS:
        return f"{name}(u, v)" if arity(name) == 2 else f"{name}(u - v)"
    return f"{name}(u[1], v[1])" if name in PAIRWISE else f"{name}(dot(u, v))"


def _unknown(name: str) -> str:
    """Return the hint for an unknown name: the nearest known one, or all of them."""
    if match := re.fullmatch(r"([uvxz])_?([0-9]{1,3})", name):
        return f"{name} is unknown; a component is written as in {match[1].replace('x', 'u').replace('z', 'v')}[1]."
    near = get_close_matches(name.lower(), _KNOWN, 1)
    if near:
        return f"{shortened(name)} is unknown; did you mean {near[0]}?"
    return f"{shortened(name)} is unknown; there are u, v, pi and functions such as dot, norm, exp, min and gaussian."
