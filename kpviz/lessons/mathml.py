"""Formulas in LaTeX as MathML, which the browser sets: those of lessons and those beside the settings."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_WHERE = r", \quad "  # in a formula before what a letter stands for
_CODE = re.compile(r"&#x([0-9A-F]+);")
_SIGN = re.compile(r"(?<=[(⟨,=]</mo>)<mo>(?=[−+])")
_NAME = re.compile(r"<mo>(\w{2,})</mo>")
_COMMAND = re.compile(r"<m\w+>(\\[^<]*)</m\w+>")


_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₖₜ", "0123456789+-=()ijkt")
_HIGH = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀ", "0123456789+-=()niT")
_SIGNS = {"−": "-", "·": "cdot", "Σ": "sum", "Π": "prod", "‖": "|", "⟨": "langle", "⟩": "rangle", "∩": "cap"} | {
    "∝": "propto", "←": "leftarrow", "→": "to", "≤": "le", "≥": "ge", "×": "times", "∞": "infty", "≠": "ne", "∈": "in",
}  # fmt: skip
_SPELLED = (  # what one types in characters, and what it is in LaTeX
    (re.compile(r"[₀-₉₊₋₌₍₎ᵢⱼₖₜ]+"), lambda found: f"_{{{found[0].translate(_LOW)}}}"),
    (re.compile(r"[⁰¹²³⁴-⁹⁺⁻⁼⁽⁾ⁿⁱᵀ]+"), lambda found: f"^{{{found[0].translate(_HIGH)}}}"),
    (re.compile(r"√\(((?:[^()]|\([^()]*\))*)\)|√(\w)"), lambda found: rf"\sqrt{{{found[1] or found[2]}}}"),
    (re.compile(r"(?<![\\A-Za-z])(?:exp|log|max|min|sin|cos|tanh)(?![A-Za-z])"), lambda found: rf"\{found[0]}"),
    (re.compile(r"(?<![\\A-Za-z])(?:sign|Tr)(?![A-Za-z])"), lambda found: rf"\operatorname{{{found[0]}}}"),
    (re.compile(f"[{''.join(_SIGNS)}]"), lambda found: "-" if found[0] == "−" else rf"\{_SIGNS[found[0]]} "),
)


@lru_cache(maxsize=1024)
def spelled(formula: str) -> str:
    r"""Return a formula with commands of LaTeX for the characters in it.

    >>> print(spelled("f(x) = Σ αᵢ yᵢ k(xᵢ, x)²"))
    f(x) = \sum  α_{i} y_{i} k(x_{i}, x)^{2}
    """
    for pattern, latex in _SPELLED:
        formula = pattern.sub(latex, formula)
    return formula


@lru_cache(maxsize=1024)
def mathml(latex: str) -> tuple[str, ...]:
    r"""Return LaTeX as MathML; what its letters stand for has a line each, for the browser breaks no formula.

    >>> len(mathml(r"k(u, v) = e^{-d}, \quad d = u - v"))
    2
    >>> [sign in mathml(r"\exp(-\max(0, x))")[0] for sign in ('<mo form="prefix">−', "<mi>max")]
    [True, True]
    """
    from latex2mathml.converter import convert

    def character(code: re.Match[str]) -> str:
        found = chr(int(code[1], 16))
        return code[0] if found in '<>&"' else found  # what is markup stays a reference

    lines = [_CODE.sub(character, convert(line)) for line in latex.split(_WHERE)]
    named = [_NAME.sub(r"<mi>\1</mi>", line) for line in lines]  # max(…) has no room before its bracket
    return tuple(_SIGN.sub('<mo form="prefix">', line) for line in named)  # of a number, not between two


def problem(latex: str) -> str | None:
    r"""Return what is wrong with a formula, in one sentence, None if nothing is.

    >>> problem(r"\frac{1}{m} \sum_i x_i"), problem(r"\fraq{1}{m}")
    (None, '\\fraq is not a command of LaTeX that is known here.')
    """
    try:
        unknown = [found for line in mathml(spelled(latex)) for found in _COMMAND.findall(line)]
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
        return {**plain, "mathml": list(mathml(spelled(plain["text"])))}
    return {key: set_formulas(each) for key, each in plain.items()}
