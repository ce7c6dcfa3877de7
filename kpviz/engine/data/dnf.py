"""Boolean functions in disjunctive normal form: an "or" of "ands", read from a line of text.

Legend: a literal is a bit or a negated bit, +j for x_j and -j for !x_j; a term is the conjunction of some literals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray

MOST_BITS = 8
LONGEST = 1000  # characters: what a link can hold
Term = tuple[int, ...]

_TOKEN = re.compile(
    r"(?P<bit>[xX](?P<number>[0-9₀-₉]{1,3})(?P<primes>['’′]*))"
    r"|(?P<negation>[!¬~])"
    r"|(?P<prime>['’′])"
    r"|(?P<conjunction>&&?|[∧*·×])"
    r"|(?P<disjunction>\|\|?|[∨+])"
    r"|(?P<open>\()"
    r"|(?P<close>\))"
    r"|(?P<word>[A-Za-z]+)"
)
_WORDS = {"not": "negation", "and": "conjunction", "or": "disjunction", "true": "constant", "false": "constant"}
_ONE_BIT = "only a single bit can be negated: write !x1 | !x2 in place of !(x1 & x2)."
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_CONSTANTS: dict[str, tuple[Term, ...]] = {"true": ((),), "false": ()}


class DnfError(ValueError):
    """A text that is not a DNF: one sentence, and `at`, the index (from 0) of the character that is wrong."""

    def __init__(self, at: int, words: str) -> None:
        super().__init__(f"At character {at + 1}: {words}")
        self.at = at


@dataclass(frozen=True)
class Dnf:
    """A disjunction of terms, each a tuple of literals in the order of their bits; no terms: never true.

    A term of no literals is always true. The same term is never there twice.

    >>> dnf = Dnf.read("x1 x2' + x3")
    >>> str(dnf), dnf.terms, dnf.values([[1, 0, 0], [1, 1, 0]]).tolist()
    ('x1 & !x2 | x3', ((1, -2), (3,)), [1.0, -1.0])
    """

    terms: tuple[Term, ...]

    @classmethod
    def read(cls, text: str, n: int = MOST_BITS) -> Dnf:
        """Return the function of a text such as "x1 & !x2 | x3", over at most n bits.

        "And" is `&`, `∧`, `*`, `and` or nothing; "or" is `|`, `∨`, `+` or `or`; "not" is `!`, `¬`, `~` or `not`
        before a bit, or `'` after it. A bracket may hold one term. `true` and `false` stand alone.

        Raises
        ------
        DnfError
            A ValueError of one sentence that names the character: if the text is not a DNF, names a bit beyond x_n, or
            holds a term with x_j and !x_j, which is never true.
        """
        if not isinstance(text, str) or len(text) > LONGEST:
            found = f"{len(text):,} characters long" if isinstance(text, str) else "not text"
            raise ValueError(f"The Boolean function is {found}: it must be a text of at most {LONGEST:,} characters.")
        return cls(tuple(dict.fromkeys(_terms(text, n))))

    def __str__(self) -> str:
        return " | ".join(map(_term, self.terms)) or "false"

    @property
    def n_bits(self) -> int:
        """The highest bit that occurs, 0 if none does."""
        return max((abs(literal) for term in self.terms for literal in term), default=0)

    @property
    def is_monotone(self) -> bool:
        """Whether no literal is negated."""
        return all(literal > 0 for term in self.terms for literal in term)

    def values(self, X: ArrayLike) -> FloatArray:
        """Return +1 where the function is true and -1 where not, (m,), for bits X of shape (m, n), each 0 or 1."""
        X = checks.matrix("X", X)
        if X.shape[1] < self.n_bits:
            raise ValueError(f"X has {X.shape[1]} columns: x{self.n_bits} needs at least {self.n_bits}.")
        if not np.isin(X, (0.0, 1.0)).all():
            raise ValueError("X holds something else than bits: every entry must be 0 or 1.")
        true = np.zeros(len(X), dtype=np.bool_)
        for term in self.terms:
            true |= np.all([X[:, abs(literal) - 1] == (literal > 0) for literal in term] or True, axis=0)
        return np.where(true, 1.0, -1.0)


class _Token(NamedTuple):
    kind: str
    at: int
    text: str
    literal: int


def _terms(text: str, n: int) -> Iterator[Term]:
    """Yield the terms as they are written."""
    tokens = list(_tokens(text, n))
    if len(tokens) == 1 and tokens[0].kind == "constant":
        yield from _CONSTANTS[tokens[0].text.lower()]
        return
    term: dict[int, int] = {}  # bit -> literal
    opened: list[int] = []  # where the brackets are that are not closed yet
    sign, wanted = 1, True
    for token in [*tokens, _Token("disjunction", len(text), "", 0)]:
        kind, at = token.kind, token.at
        if kind == "constant":
            raise DnfError(at, f"{token.text} stands alone: a function is {token.text}, or made of bits.")
        if kind == "close" and not opened:
            raise DnfError(at, "this bracket was never opened.")
        if kind in ("conjunction", "disjunction", "close") and wanted:
            raise DnfError(at, "a bit is missing here, such as x1.")
        if kind == "disjunction" and opened:
            problem = "a bracket holds one term only, so that the whole stays an 'or' of 'ands'."
            raise DnfError(at, problem) if token.text else DnfError(opened[-1], "this bracket is never closed.")
        match kind:
            case "negation":
                sign, wanted = -sign if wanted else -1, True
            case "bit":
                _add(term, sign * token.literal, at)
                sign, wanted = 1, False
            case "open":
                if sign < 0:
                    raise DnfError(at, _ONE_BIT)
                opened.append(at)
                wanted = True
            case "close":
                opened.pop()
            case "conjunction":
                wanted = True
            case "disjunction":
                yield tuple(term[bit] for bit in sorted(term))
                term, wanted = {}, True


def _tokens(text: str, n: int) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = _TOKEN.match(text, at)
        kind = (match.lastgroup or "") if match else ""
        if match is None or (kind == "word" and match[0].lower() not in _WORDS):
            found = match[0] if match else text[at]
            raise DnfError(at, f"{found!r} is not understood: write bits such as x1 with &, | and !.")
        if kind == "prime":
            raise DnfError(at, _ONE_BIT)
        bit = int(match["number"].translate(_DIGITS)) if kind == "bit" else 0
        if kind == "bit" and not 1 <= bit <= n:
            raise DnfError(at, f"x{bit} is not one of the {n} bits: they are x1 to x{n}.")
        literal = -bit if kind == "bit" and len(match["primes"]) % 2 else bit
        yield _Token(_WORDS.get(match[0].lower(), kind), at, match[0], literal)
        at = match.end()


def _add(term: dict[int, int], literal: int, at: int) -> None:
    bit = abs(literal)
    if term.setdefault(bit, literal) != literal:
        raise DnfError(at, f"x{bit} and !x{bit} in one term are never true together, so leave this term out.")


def _term(term: Term) -> str:
    return " & ".join(f"{'!' * (literal < 0)}x{abs(literal)}" for literal in term) or "true"
