"""Formulas in LaTeX as MathML, which the browser sets: those of lessons and those beside the
settings.

Tests: tests/service/test_mathml.py.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element, tostring

_WHERE = r", \quad "  # After it a formula says what its letters stand for.
_CODE = re.compile(r"&#x([0-9A-Fa-f]{1,5});")
# These stay: blanks of some width, and marks of which MathML shows nothing.
_SPACES = "\u00a0\u2002\u2003\u2004\u2005\u2009\u200a\u2061\u2062\u2063\u2064"
_SIGN = re.compile(r"(?<=[(⟨,=]</mo>)<mo>(?=[−+])")
_NAME = re.compile(r"<mo>(\w{2,})</mo>")
_COMMAND = re.compile(r"<m\w+>(\\[^<]*)</m\w+>")


_LOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₖₜ", "0123456789+-=()ijkt")
_HIGH = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀ", "0123456789+-=()niT")
_SIGNS = {
    "−": "-", "·": "cdot", "Σ": "sum", "Π": "prod", "‖": "|", "⟨": "langle", "⟩": "rangle",
    "∩": "cap", "∝": "propto", "←": "leftarrow", "→": "to", "≤": "le", "≥": "ge", "×": "times",
    "∞": "infty", "≠": "ne", "∈": "in",
}  # fmt: skip
_SPELLED = (  # Each has what one types in characters, and what it is in LaTeX.
    (re.compile(r"[₀-₉₊₋₌₍₎ᵢⱼₖₜ]+"), lambda match: f"_{{{match[0].translate(_LOW)}}}"),
    (re.compile(r"[⁰¹²³⁴-⁹⁺⁻⁼⁽⁾ⁿⁱᵀ]+"), lambda match: f"^{{{match[0].translate(_HIGH)}}}"),
    (
        re.compile(r"√\(((?:[^()]|\([^()]*\))*)\)|√(\w)"),
        lambda match: rf"\sqrt{{{match[1] or match[2]}}}",
    ),
    (
        re.compile(r"(?<![\\A-Za-z])(?:exp|log|max|min|sin|cos|tanh)(?![A-Za-z])"),
        lambda match: rf"\{match[0]}",
    ),
    (
        re.compile(r"(?<![\\A-Za-z])(?:sign|Tr)(?![A-Za-z])"),
        lambda match: rf"\operatorname{{{match[0]}}}",
    ),
    (
        re.compile(f"[{''.join(_SIGNS)}]"),
        lambda match: "-" if match[0] == "−" else rf"\{_SIGNS[match[0]]} ",
    ),
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
    r"""Return LaTeX as MathML.

    What its letters stand for has a line each, for the browser breaks no formula.

    >>> len(mathml(r"k(u, v) = e^{-d}, \quad d = u - v"))
    2
    >>> [sign in mathml(r"\exp(-\max(0, x))")[0] for sign in ('<mo form="prefix">−', "<mi>max")]
    [True, True]
    """
    from latex2mathml.converter import convert_to_element

    lines = [_written(convert_to_element(line)) for line in latex.split(_WHERE)]
    # No room is left before the bracket of max(…).
    named = [_NAME.sub(r"<mi>\1</mi>", line) for line in lines]
    # A sign before a number is not one between two numbers.
    return tuple(_SIGN.sub('<mo form="prefix">', line) for line in named)


def _written(element: Element) -> str:
    r"""Return an element as XML.

    The converter writes some characters as references, and has those of markup in \text{…} as they
    are.

    >>> "<mtext>&lt;b&gt; &amp; x</mtext>" in mathml(r"\text{<b> & x}")[0].replace("\u00a0", " ")
    True
    """
    for part in element.iter():
        if part.text:
            part.text = _plain(part.text)
        for name, value in part.attrib.items():
            part.set(name, _plain(value))
    return tostring(element, encoding="unicode", short_empty_elements=True)


def _plain(text: str) -> str:
    """Return a text with characters for references, and blanks for what is not printed, such as
    marks that turn the direction of all that follows.
    """
    characters = _CODE.sub(lambda code: chr(int(code[1], 16)), text)
    return "".join(ch if ch.isprintable() or ch in _SPACES else " " for ch in characters)


def problem(latex: str) -> str | None:
    r"""Return what is wrong with a formula, in one sentence, None if nothing is.

    >>> problem(r"\frac{1}{m} \sum_i x_i"), problem(r"\fraq{1}{m}")
    (None, '\\fraq is not a command of LaTeX that is known here.')
    """
    try:
        unknown = [command for line in mathml(spelled(latex)) for command in _COMMAND.findall(line)]
    except Exception:  # The converter raises errors of many kinds.
        return f"The formula ${latex[:40]}$ cannot be read: does each brace have its partner?"
    return f"{unknown[0]} is not a command of LaTeX that is known here." if unknown else None


def set_formulas(plain: Any) -> Any:
    """Return plain data in which each formula that can be read comes with its MathML."""
    if isinstance(plain, list | tuple):
        return [set_formulas(part) for part in plain]
    if not isinstance(plain, dict):
        return plain
    if plain.get("kind") == "math" and problem(plain["text"]) is None:
        return {**plain, "mathml": list(mathml(spelled(plain["text"])))}
    return {key: set_formulas(part) for key, part in plain.items()}
