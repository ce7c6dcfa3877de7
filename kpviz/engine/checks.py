"""Ranges of parameters and the sentences that refuse bad values."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]


@dataclass(frozen=True)
class Range:
    """Numbers that a control offers for a parameter.

    What the mathematics allows may be wider: each kernel and learner checks that itself. `off` is the number that
    stands for None.
    """

    low: float
    high: float
    default: float
    symbol: str
    words: str
    integer: bool = False
    log: bool = False
    step: float | None = None
    off: float | None = None


def flag(name: str, value: Any) -> bool:
    """Return `value` if it is True or False, or raise a one-sentence ValueError."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}={value!r} is not a switch: {name} must be True or False.")
    return bool(value)


def number(
    name: str,
    value: Any,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float | None = None,
) -> float:
    """Return `value` as a float, or raise a one-sentence ValueError.

    `low` and `high` are allowed themselves; `above` is not.
    """
    allowed = _words_for(low, high, above)
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ValueError(f"{name}={value!r} is not a number: {name} must be {allowed}.")
    result = float(value)
    if not math.isfinite(result) or not low <= result <= high or (above is not None and result <= above):
        raise ValueError(f"{name}={value!r} is out of range: {name} must be {allowed}.")
    return result


def integer(name: str, value: Any, *, low: int, high: int | None = None) -> int:
    """Return `value` as an int, or raise a one-sentence ValueError."""
    upper = math.inf if high is None else high
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{name}={value!r} is not a whole number: {name} must be {_words_for(low, upper)}.")
    if not low <= value <= upper:
        raise ValueError(f"{name}={value!r} is out of range: {name} must be {_words_for(low, upper)}.")
    return int(value)


def pair(name: str, value: Any, *, above: float | None = None) -> tuple[float, float]:
    """Return `value` as two floats, or raise a one-sentence ValueError."""
    try:
        first, second = value
        return number(name, first, above=above), number(name, second, above=above)
    except (TypeError, ValueError):
        more = "" if above is None else f" above {above:g}"
        raise ValueError(f"{name}={value!r} is not possible: {name} must be two numbers{more}.") from None


def choice(name: str, value: Any, allowed: Collection[str]) -> str:
    """Return `value` if it is one of `allowed`, or raise a one-sentence ValueError."""
    if not isinstance(value, str) or value not in allowed:
        options = ", ".join(repr(option) for option in allowed)
        raise ValueError(f"{name}={value!r} is unknown: {name} must be one of {options}.")
    return value


def unmasked(name: str, value: Any) -> None:
    """Refuse masked values: NumPy would take what is behind the mask."""
    parts = value if isinstance(value, list | tuple) else (value,)
    if any(np.ma.is_masked(part) for part in parts):
        raise ValueError(f"{name} holds masked values: leave their rows out, or fill them in.")


def lacks(owner: object, method: str, purpose: str) -> NotImplementedError:
    """Return the error of one sentence that says which method a subclass must define.

    >>> lacks(object(), "change(t)", "returns what changes").args
    ('object lacks change(t), which returns what changes.',)
    """
    return NotImplementedError(f"{type(owner).__name__} lacks {method}, which {purpose}.")


def matrix(name: str, value: ArrayLike, *, columns: int | None = None) -> FloatArray:
    """Return `value` as a finite float64 matrix with at least one row and column."""
    _real(name, value)
    unmasked(name, value)
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} holds something that is not a number: it must be a table of numbers.") from None
    if array.ndim == 2 and not len(array):
        raise ValueError(f"{name} has no rows: give at least one example.")
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"{name} has shape {array.shape}: it must be two-dimensional, one row an example.")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or infinite values: every entry must be a finite number.")
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{name} has {array.shape[1]} columns: it must have {columns}.")
    return array


def labels(y: ArrayLike, n: int) -> FloatArray:
    """Return `y` as n float64 labels, each -1 or +1."""
    _real("y", y)
    unmasked("y", y)
    try:
        array = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("y holds something that is not a number: every label must be -1 or +1.") from None
    if array.shape != (n,):
        raise ValueError(f"y has shape {array.shape}: it must have one label for each of the {n} examples.")
    if not (np.abs(array) == 1.0).all():
        raise ValueError("y holds labels other than -1 and +1: every label must be -1 or +1.")
    return array


def _real(name: str, value: ArrayLike) -> None:
    """Refuse complex numbers: NumPy would drop their imaginary parts."""
    try:
        is_complex = np.iscomplexobj(value)
    except ValueError:  # of rows of different lengths, which are refused for that
        return
    if is_complex:
        raise ValueError(f"{name} holds complex numbers: every entry must be a real number.")


def _words_for(low: float, high: float, above: float | None = None) -> str:
    if above is not None:
        return f"a number above {above:g}" + (f" and at most {high:g}" if math.isfinite(high) else "")
    if math.isfinite(low) and math.isfinite(high):
        return f"between {low:g} and {high:g}"
    return f"at least {low:g}" if math.isfinite(low) else "a finite number"
