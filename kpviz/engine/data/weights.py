"""The starting weights of a textbook, and the short text that holds them in a link.

Tests: tests/engine/test_conventions.py.
"""

from __future__ import annotations

import math


def read(text: str, features: int) -> list[float]:
    """Return the weights that a text names, one for each feature; all 0 if it is empty, ValueError
    if it is not so.

    >>> read("0.1, \N{MINUS SIGN}0.2", 2), read("", 2)
    ([0.1, -0.2], [0.0, 0.0])
    """
    plain = (
        text.replace("\N{MINUS SIGN}", "-")
        .strip()
        .strip("()[]")
        .replace(",", " ")
        .replace(";", " ")
    )
    parts = plain.split()
    if not parts:
        return [0.0] * features
    try:
        weights = [float(part) for part in parts]
    except ValueError:
        weights = [math.nan]
    if not all(math.isfinite(weight) for weight in weights):
        raise ValueError(f"“{text}” is not a list of numbers: write them as 0.1, -0.2.")
    if len(weights) != features:
        raise ValueError(
            f"There must be one weight for each of {features} features, and “{text}” has "
            f"{len(weights)}."
        )
    return [float(f"{weight:.6g}") + 0.0 for weight in weights]


def written(weights: list[float]) -> str:
    """Return the shortest text of some weights, "" where all are 0.

    >>> written([0.1, -2.0]), written([0.0, 0.0])
    ('0.1,-2', '')
    """
    return ",".join(f"{weight:.6g}" for weight in weights) if any(weights) else ""
