"""What is wrong with a text that is not a formula, and where."""

from __future__ import annotations

_WINDOW = 72  # characters of a long text that are shown around the place


class FormulaError(ValueError):
    """A text that is not a formula of a kernel, in one sentence; `at` is the 0-based place in the text.

    >>> str(FormulaError("a number is missing.", 6))
    'At character 7: a number is missing.'
    """

    def __init__(self, what: str, at: int | None = None) -> None:
        super().__init__(what if at is None else f"At character {at + 1:,}: {what}")
        self.at = at or 0


def pointer(text: str, at: int) -> str:
    """Return the text and, in a second line, a caret under its character `at` (0-based).

    What would break the line is shown as a blank; of a long text only the characters around the place are shown.

    >>> print(pointer("nrom(u)", 0))
    nrom(u)
    ^
    """
    start = max(0, min(at - _WINDOW // 2, len(text) - _WINDOW))
    shown = "".join(sign if sign.isprintable() else " " for sign in text[start : start + _WINDOW])
    return f"{shown}\n{' ' * (at - start)}^"
