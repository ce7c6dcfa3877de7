"""Explain: free text, which is kept and not graded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from kpviz.lessons.file.kinds.question import Answer, Block, Question, Solution, UnreadableError, Verdict
from kpviz.lessons.file.links import Link

LONGEST = 4000  # characters


@dataclass(frozen=True)
class Explain(Question):
    """A text in one's own words."""

    @classmethod
    def read(cls, block: Block) -> Self:
        return cls()

    def check(self, start: Link, answer: Answer) -> Verdict:
        text = answer.get("text")
        if not isinstance(text, str) or not text.strip():
            raise UnreadableError("The answer is a text.")
        if len(text) > LONGEST:
            raise UnreadableError(f"The answer has {len(text):,} characters: write at most {LONGEST:,}.")
        return Verdict(None, "It is kept, and not graded.")

    def packed(self, start: Link) -> dict[str, Any]:
        return {}

    def solve(self, start: Link) -> Solution:
        return Solution(None)
