"""Formulas in LaTeX as MathML, which the browser sets: those of lessons and those beside the settings."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_WHERE = r", \quad "  # in a formula before what a letter stands for
_CODE = re.compile(r"&#x([0-9A-F]+);")
_COMMAND = re.compile(r"<m\w+>(\\[^<]*)</m\w+>")


@lru_cache(maxsize=1024)
def mathml(latex: str) -> tuple[str, ...]:
    r"""Return LaTeX as MathML; what its letters stand for has a line each, for the browser breaks no formula.

    >>> len(mathml(r"k(u, v) = e^{-d}, \quad d = u - v"))
    2
    """
    from latex2mathml.converter import convert

    def character(code: re.Match[str]) -> str:
        found = chr(int(code[1], 16))
        return code[0] if found in '<>&"' else found  # what is markup stays a reference

    return tuple(_CODE.sub(character, convert(line)) for line in latex.split(_WHERE))


def problem(latex: str) -> str | None:
    r"""Return what is wrong with a formula, in one sentence, None if nothing is.

    >>> problem(r"\frac{1}{m} \sum_i x_i"), problem(r"\fraq{1}{m}")
    (None, '\\fraq is not a command of LaTeX that is known here.')
    """
    try:
        unknown = [found for line in mathml(latex) for found in _COMMAND.findall(line)]
    except Exception:  # each of its own kind
        return f"The formula ${latex[:40]}$ cannot be read: does each brace have its partner?"
    return f"{unknown[0]} is not a command of LaTeX that is known here." if unknown else None


def set_formulas(plain: Any) -> Any:
    """Return plain data in which each formula among the words comes with its MathML, if it can be read."""
    if isinstance(plain, list | tuple):
        return [set_formulas(each) for each in plain]
    if not isinstance(plain, dict):
        return plain
    if plain.get("kind") == "math" and problem(plain["text"]) is None:
        return {**plain, "mathml": list(mathml(plain["text"]))}
    return {key: set_formulas(each) for key, each in plain.items()}
