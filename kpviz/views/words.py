"""Making text fit: matplotlib wraps at the page's edge only."""

from __future__ import annotations

import re
from functools import lru_cache

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import text_to_path

from kpviz import tokens

LINE = 1.4  # height of a line, in sizes of its type
_SCORE = ",\N{NO-BREAK SPACE}·)"  # the end of k(x, ·), which stays in one piece
_ROUNDED = 1.04  # on a screen each letter is as wide as whole pixels


@lru_cache(maxsize=4096)
def width(text: str, size: float) -> float:
    """Return how wide one line of text is at most; in points, as the size of its type."""
    font = FontProperties(family=tokens.FONTS["figure"], size=size)
    outlines = text_to_path.get_text_width_height_descent(text, font, False)[0]
    return float(outlines * _ROUNDED)


@lru_cache(maxsize=4096)
def advance(word: str, weight: str = "normal") -> float:
    """Return how far the next word begins after the beginning of this one, for type of size 1."""
    font = FontProperties(family=tokens.FONTS["figure"], weight=weight, size=100.0)
    with_next, following = (
        text_to_path.get_text_width_height_descent(text, font, False)[0] for text in (f"{word} |", "|")
    )
    return float(with_next - following) / 100.0


@lru_cache(maxsize=4096)
def wrapped(text: str, size: float, wide: float) -> str:
    """Break the text between words, but not about = and ≤, into lines at most `wide` points wide."""
    room = wide / (size * _ROUNDED) + advance("")  # a line ends without its last space
    lines: list[list[str]] = [[]]
    taken = 0.0
    parted = re.sub(r" ([=≤]) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text).replace(", ·)", _SCORE).split(" ")
    for word in (part for whole in parted for part in _broken(whole, room)):
        across = advance(word)
        if lines[-1] and taken + across > room:
            lines.append([])
            taken = 0.0
        lines[-1].append(word)
        taken += across
    return "\n".join(" ".join(line) for line in lines).replace("\N{NO-BREAK SPACE}", " ")


def _broken(word: str, room: float) -> list[str]:
    """Return a word in parts that fit a line: Chinese has no spaces."""
    parts = [""]
    for sign in word if advance(word) > room and "\N{NO-BREAK SPACE}" not in word else [word]:
        if parts[-1] and advance(parts[-1] + sign) > room:
            parts.append("")
        parts[-1] += sign
    return parts


def lacking(text: str) -> str:
    """Return the signs of a text that the font of figures has not.

    >>> lacking("f(x₁₂) = −0.37 ≤ 0: 漢字")
    '漢字'
    """
    signs = get_font(findfont(FontProperties(family=tokens.FONTS["figure"]))).get_charmap()
    return "".join(dict.fromkeys(sign for sign in text if ord(sign) not in signs and not sign.isspace()))


def fitted(text: str, wide: float, high: float, *, largest: float, smallest: float) -> tuple[str, float]:
    """Return the text in lines, and the largest size of type with which it fits a box; sizes in points.

    Longer than fits with the smallest, it overflows downwards: nothing is left out of a sentence.
    """
    size = largest
    lines = wrapped(text, size, wide)
    while size > smallest and (lines.count("\n") + 1) * LINE * size > high:
        size = max(size - largest / 32, smallest)
        lines = wrapped(text, size, wide)
    return lines, size


def shortened(text: str, size: float, wide: float) -> str:
    """Return one line at most `wide` points wide, its end left out where it is too long."""
    text = " ".join(text.split())
    if width(text, size) <= wide:
        return text
    while text and width(text + "…", size) > wide:
        text = text[:-1]
    return text.rstrip() + "…"


def short(value: float) -> str:
    """Write a number in few characters: 0.05, 12, 1.2e5."""
    mantissa, _, exponent = f"{abs(value):g}".partition("e")
    if not exponent and abs(value) >= 1e4:
        mantissa, _, exponent = f"{abs(value):.1e}".partition("e")
    power = f"e{int(exponent)}".replace("-", "−") if exponent else ""
    return ("−" if value < 0 else "") + mantissa + power
