"""Boolean functions in disjunctive normal form: an "or" of "ands", read from a line of text.

Legend: a literal is a bit or a negated bit, +j for x_j and -j for !x_j; a term is the conjunction
of some literals.

Tests: tests/engine/test_boolean.py.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.syntax import Language, LanguageError, ParsedText

MOST_BITS = 8
LONGEST = 1000  # In characters: a link can hold so many.
Term = tuple[int, ...]


class DnfError(LanguageError):
    """A text that is not a DNF: one sentence, and `at`, the index (from 0) of the character that is
    wrong.
    """


_BIT = re.compile(r"x([0-9₀-₉]{1,3})(['’′]*)")
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_SIGNS = {"~": "! ¬ ~ not", "&": "& && ∧ * · × and", "|": "| || ∨ + or", "(": "(", ")": ")"}


def _bit(name: str) -> str:
    match = _BIT.fullmatch(name)
    return f"{'~' * len(match[2])}x{match[1].translate(_DIGITS)}" if match else name


LANGUAGE = Language(
    "Boolean function",
    DnfError,
    signs={typed: sign for sign, typed_as in _SIGNS.items() for typed in typed_as.split()},
    operand="a bit, such as x1,",
    operator="an operator such as &",
    prefixes=("~",),
    between="&",
    names=rf"{_BIT.pattern}|[a-z]+",
    code=_bit,
    calls=False,
    most=LONGEST,
    nesting=100,
)


@dataclass(frozen=True)
class Dnf:
    """A disjunction of terms, each a tuple of literals in the order of their bits; no terms: never
    true.

    A term of no literals is always true. The same term is never there twice.

    >>> dnf = Dnf.read("x1 x2' + x3")
    >>> str(dnf), dnf.terms, dnf.values([[1, 0, 0], [1, 1, 0]]).tolist()
    ('x1 & !x2 | x3', ((1, -2), (3,)), [1.0, -1.0])
    """

    terms: tuple[Term, ...]

    @classmethod
    def read(cls, text: str, n: int = MOST_BITS) -> Dnf:
        """Return the function of a text such as "x1 & !x2 | x3", over at most n bits.

        "And" is `&`, `∧`, `*`, `and` or nothing; "or" is `|`, `∨`, `+` or `or`; "not" is `!`, `¬`,
        `~` or `not` before a bit, or `'` after it. A bracket may hold one term. `true` and `false`
        stand alone.

        Raises
        ------
        DnfError
            A ValueError of one sentence that names the character: if the text is not a DNF, names a
            bit beyond x_n, or holds a term with x_j and !x_j, which is never true.
        """
        tree = LANGUAGE.read(text.lower() if isinstance(text, str) else text)
        if isinstance(tree.body, ast.Name) and tree.body.id in ("true", "false"):
            return cls(((),) if tree.body.id == "true" else ())
        terms = (_literals(tree, term, n) for term in _joined(tree.body, ast.BitOr))
        return cls(tuple(dict.fromkeys(terms)))

    def __str__(self) -> str:
        terms = (
            " & ".join(f"{'!' * (literal < 0)}x{abs(literal)}" for literal in term)
            for term in self.terms
        )
        return " | ".join(term or "true" for term in terms) or "false"

    @property
    def n_bits(self) -> int:
        """The highest bit that occurs, 0 if none does."""
        return max((abs(literal) for term in self.terms for literal in term), default=0)

    @property
    def is_monotone(self) -> bool:
        """Whether no literal is negated."""
        return all(literal > 0 for term in self.terms for literal in term)

    def values(self, X: ArrayLike) -> FloatArray:
        """Return +1 where the function is true and -1 where not, (m,), for bits X of shape (m, n),
        each 0 or 1.
        """
        X = checks.matrix("X", X)
        if X.shape[1] < self.n_bits:
            raise ValueError(
                f"X has {X.shape[1]} columns: x{self.n_bits} needs at least {self.n_bits}."
            )
        if not np.isin(X, (0.0, 1.0)).all():
            raise ValueError("X holds something else than bits: every entry must be 0 or 1.")
        true = np.zeros(len(X), dtype=np.bool_)
        for term in self.terms:
            true |= np.all(
                [X[:, abs(literal) - 1] == (literal > 0) for literal in term] or True, axis=0
            )
        return np.where(true, 1.0, -1.0)


def _joined(node: ast.expr, sign: type[ast.operator]) -> list[ast.expr]:
    """Return what a sign joins, in order; there may be too many for a recursion."""
    operands = []
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.BinOp) and isinstance(node.op, sign):
            pending += [node.right, node.left]
        else:
            operands.append(node)
    return operands


def _literals(tree: ParsedText, node: ast.expr, n: int) -> Term:
    """Return a term of one literal for each of its bits."""
    term: dict[int, int] = {}
    for operand in _joined(node, ast.BitAnd):
        sign = 1
        token = tree.token(operand)
        part = operand
        while isinstance(part, ast.UnaryOp):
            sign = -sign
            part = part.operand
        name = part.id if isinstance(part, ast.Name) else ""
        if isinstance(part, ast.BinOp):
            one_term = "a bracket holds one term only, so that the whole stays an 'or' of 'ands'."
            one_bit = "only a single bit can be negated: write !x1 | !x2 in place of !(x1 & x2)."
            raise DnfError(
                one_term if part is operand else one_bit,
                tree.sign_at(part.left) if part is operand else token.at,
            )
        if name in ("true", "false"):
            raise DnfError(f"{name} stands alone: a function is {name}, or made of bits.", token.at)
        if not re.fullmatch("x[0-9]+", name):
            raise DnfError(
                f"{token.text!r} is not understood: write bits such as x1 with &, | and !.",
                token.at,
            )
        bit = int(name[1:])
        if not 1 <= bit <= n:
            raise DnfError(f"x{bit} is not one of the {n} bits: they are x1 to x{n}.", token.at)
        if term.setdefault(bit, sign * bit) != sign * bit:
            never = (
                f"x{bit} and !x{bit} in one term are never true together, so leave this term out."
            )
            raise DnfError(never, token.at)
    return tuple(term[bit] for bit in sorted(term))
