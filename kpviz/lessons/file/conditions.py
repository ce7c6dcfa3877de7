"""Conditions and numbers over a run, as an author writes them in a lesson."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field

from kpviz.lessons.file.case import Case
from kpviz.lessons.file.expressions import Expression, number, parts_of
from kpviz.lessons.file.grammar import ConditionError, parse
from kpviz.lessons.file.names import said

__all__ = ["Condition", "ConditionError"]


@dataclass(frozen=True)
class Condition:
    """A condition or a number, with its text.

    >>> from kpviz.lessons.file.links import Link
    >>> Condition.read("converged and mistakes <= 20").holds(Case.of(Link(query="v=1&data=xor")))
    True
    """

    text: str
    tree: Expression = field(repr=False)

    @classmethod
    def read(cls, text: str, *, each: bool = False) -> Condition:
        """Read a condition; `each`: it is asked of each example, whose index is `i`.

        Raises
        ------
        ConditionError
            One sentence, with the place of the first character that is wrong.
        """
        return cls(text, parse(text, "truth", each=each))

    @classmethod
    def read_number(cls, text: str) -> Condition:
        """Read what has a number as its value; ConditionError as of `read`."""
        return cls(text, parse(text, "number"))

    def holds(self, case: Case, i: int | None = None) -> bool:
        """Whether it is true of a run; NoValueError where a name has no value."""
        return bool(self.tree.of(case, i))

    def value(self, case: Case) -> float:
        """Return the number; NoValueError where it has none."""
        return number(self.tree.of(case))

    def values(self, case: Case) -> dict[str, str]:
        """Return what the names and functions in it are, as they are shown; what has no value is left out."""
        found: dict[str, str] = {}
        for part in parts_of(self.tree):
            with contextlib.suppress(ValueError):
                value = part.of(case)
                found[str(part)] = said(value)
        return found

    def described(self, case: Case) -> str:
        """Return the same in the words of the board."""
        found: list[str] = []
        for part in parts_of(self.tree):
            with contextlib.suppress(ValueError):
                found.append(part.described(case))
        return ", ".join(dict.fromkeys(found))

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The names and functions in it."""
        return tuple(parts_of(self.tree))
