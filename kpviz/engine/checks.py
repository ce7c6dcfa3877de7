"""Ranges of parameters and the sentences that refuse bad values.

Tests: tests/engine/test_numbers.py, tests/engine/test_refused.py.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_LARGEST = 1_000_000_000  # In bytes: the largest whole Gram matrix.

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]

LARGEST_COUNT = 2**31 - 1  # The records of a run hold integers of 32 bits.
_LONGEST_VALUE = 60  # In characters: so much of a value stands in a sentence.
_REAL = (int, float, np.integer, np.floating)
_NOT_REAL = (bool, np.bool_, np.timedelta64)  # Python or NumPy take these for numbers.
_LIKE_NUMBERS = (str, bytes, complex, np.complexfloating, np.datetime64, np.timedelta64)
_NO_NUMBERS = {  # These are known by the kind of their dtype.
    "c": "complex numbers",
    "m": "durations",
    "M": "dates",
    "S": "text",
    "T": "text",
    "U": "text",
}


@dataclass(frozen=True)
class Range:
    """Numbers that a control offers for a parameter.

    What the mathematics allows may be wider: each kernel and learner checks that itself. `off` is
    the number that stands for None.
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


def text_of(value: object) -> str:
    """Return how a sentence shows a value that is refused: on one line and shortened, whatever it
    is.

    >>> text_of(-0.5), text_of(10**400)[-3:], text_of(10**5000), text_of([[1.0],
    ...     [2.0]])
    ('-0.5', '00…', '<int>', '[[1.0], [2.0]]')
    """
    if isinstance(value, np.ndarray) and value.ndim:
        return f"<array of shape {value.shape}>"
    plain = value.item() if isinstance(value, np.generic) else value  # 1.0, not np.float64(1.0)
    try:
        text = " ".join(repr(plain).split())
    except Exception:
        # Python writes no integer of 4,300 digits, and an object's own code may raise anything
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def instance(name: str, value: Any, kind: type, words: str) -> None:
    """Refuse what is not of this class by a one-sentence ValueError; `words` say what
    it must be.
    """
    if not isinstance(value, kind):
        raise ValueError(f"{name}={text_of(value)} is not {words}.")


def flag(name: str, value: Any) -> bool:
    """Return `value` if it is True or False, or raise a one-sentence ValueError."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name}={text_of(value)} is not a switch: {name} must be True or False.")
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
    if isinstance(value, _NOT_REAL) or not isinstance(value, _REAL):
        raise ValueError(f"{name}={text_of(value)} is not a number: {name} must be {allowed}.")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if (
        not math.isfinite(result)
        or not low <= result <= high
        or (above is not None and result <= above)
    ):
        raise ValueError(f"{name}={text_of(value)} is out of range: {name} must be {allowed}.")
    return result


def integer(name: str, value: Any, *, low: int, high: int | None = None) -> int:
    """Return `value` as an int, or raise a one-sentence ValueError.

    `high` is None only for what costs nothing however large it is, such as a seed: a count that is
    looped over or that something is made of needs an upper limit.
    """
    upper = math.inf if high is None else high
    allowed = _words_for_integers(low, high)
    if isinstance(value, _NOT_REAL) or not isinstance(value, (int, np.integer)):
        raise ValueError(
            f"{name}={text_of(value)} is not a whole number: {name} must be {allowed}."
        )
    if not low <= value <= upper:
        raise ValueError(f"{name}={text_of(value)} is out of range: {name} must be {allowed}.")
    return int(value)


def integers(name: str, value: Any, *, low: int, high: int, most: int) -> list[int]:
    """Return a sequence of at most `most` integers as a list, or raise a one-sentence
    ValueError.
    """
    sequence = (list, tuple, range, np.ndarray)
    if not isinstance(value, sequence):
        raise ValueError(f"{name}={text_of(value)} is not a list of whole numbers.")
    unmasked(name, value)
    items = list(value[: most + 1])
    if len(items) > most:
        raise ValueError(f"{name} has too many entries: it may have at most {most:,}.")
    return [integer(name, item, low=low, high=high) for item in items]


def pair(name: str, value: Any, *, above: float | None = None) -> tuple[float, float]:
    """Return `value` as two floats, or raise a one-sentence ValueError."""
    try:
        first, second = value
        return number(name, first, above=above), number(name, second, above=above)
    except (TypeError, ValueError):
        more = "" if above is None else f" above {above:g}"
        raise ValueError(
            f"{name}={text_of(value)} is not possible: {name} must be two numbers{more}."
        ) from None


def choice(name: str, value: Any, allowed: Collection[str]) -> str:
    """Return `value` if it is one of `allowed`, or raise a one-sentence ValueError."""
    if not isinstance(value, str) or value not in allowed:
        options = ", ".join(repr(option) for option in allowed)
        raise ValueError(f"{name}={text_of(value)} is unknown: {name} must be one of {options}.")
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


def numbers(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as an array of float64, of any shape, not necessarily finite.

    A one-sentence ValueError refuses what NumPy would make numbers of that nobody meant: complex
    numbers, dates, texts, masked values, sparse matrices, and integers beyond floating point.
    """
    if callable(getattr(value, "toarray", None)):
        raise ValueError(f"{name} is a sparse matrix: give {name}.toarray(), which has its zeros.")
    unmasked(name, value)
    try:
        array = np.asarray(value)
    except MemoryError:
        raise
    except Exception:  # An object's own code may raise anything.
        raise ValueError(f"{name} has rows of different lengths, or is no array at all.") from None
    refuse_kinds(name, array)
    try:
        with np.errstate(over="ignore"):  # Numbers of more digits become infinite.
            return array.astype(np.float64, copy=False)
    except OverflowError:
        raise ValueError(f"{name} holds a number that is too large for floating point.") from None
    except MemoryError:
        raise
    except Exception:
        raise ValueError(f"{name} holds something that is not a number.") from None


def refuse_kinds(name: str, array: NDArray[Any], *, but: str = "") -> None:
    """Refuse an array that holds what NumPy would make real numbers of, except kinds of dtypes in
    `but`.
    """
    kinds = [array.dtype.kind]
    if kinds == ["O"]:
        kinds = [
            np.asarray(entry).dtype.kind for entry in array.flat if isinstance(entry, _LIKE_NUMBERS)
        ]
    for kind in kinds:
        if kind in _NO_NUMBERS and kind not in but:
            raise ValueError(
                f"{name} holds {_NO_NUMBERS[kind]}: every entry must be a real number."
            )


def matrix(name: str, value: ArrayLike, *, columns: int | None = None) -> FloatArray:
    """Return `value` as a finite float64 matrix with at least one row and column."""
    array = numbers(name, value)
    if array.ndim == 2 and not len(array):
        raise ValueError(f"{name} has no rows: give at least one example.")
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(
            f"{name} has shape {array.shape}: it must be two-dimensional, one row an example."
        )
    _check_finite(name, array)
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{name} has {array.shape[1]} columns: it must have {columns}.")
    return array


def vector(name: str, value: ArrayLike, n: int | None = None) -> FloatArray:
    """Return `value` as finite float64 numbers, (n,), or as many as there are if n is None."""
    array = numbers(name, value)
    required_shape = "one-dimensional" if n is None else f"({n},), one number for each example"
    if array.ndim != 1 or (n is not None and len(array) != n):
        raise ValueError(f"{name} has shape {array.shape}: it must be {required_shape}.")
    _check_finite(name, array)
    return array


def counts(name: str, value: ArrayLike, n: int) -> FloatArray:
    """Return how often each of n examples was shown, (n,), or (T, n) by each of T instants."""
    array = numbers(name, value)
    if array.ndim not in (1, 2) or array.shape[-1] != n:
        raise ValueError(
            f"{name} has shape {array.shape}: it must be ({n},) or (T, {n}), as margins has {n}."
        )
    if not ((array >= 0.0) & (array == np.floor(array)) & (array <= LARGEST_COUNT)).all():
        raise ValueError(
            f"{name} holds what is no count: every entry must be between 0 and {LARGEST_COUNT:,}."
        )
    return array


def square_matrix(name: str, value: ArrayLike) -> FloatArray:
    """Return `value` as a finite float64 matrix with as many rows as columns."""
    array = matrix(name, value)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} has shape {array.shape}: a Gram matrix must be square.")
    return array


def labels(y: ArrayLike, n: int, name: str = "y") -> FloatArray:
    """Return `y` as n float64 labels, each -1 or +1."""
    array = numbers(name, y)
    if array.shape != (n,):
        raise ValueError(
            f"{name} has shape {array.shape}: it must have one label for each of the {n} examples."
        )
    if not (np.abs(array) == 1.0).all():
        raise ValueError(f"{name} holds labels other than -1 and +1: every label must be -1 or +1.")
    return array


def _check_finite(name: str, array: FloatArray) -> None:
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name} holds NaN or infinite values: every entry must be a finite number."
        )


def _words_for_integers(low: int, high: int | None) -> str:
    return f"at least {low}" if high is None else f"between {low} and {high:,}"


def _words_for(low: float, high: float, above: float | None = None) -> str:
    if above is not None:
        return f"a number above {above:g}" + (
            f" and at most {high:g}" if math.isfinite(high) else ""
        )
    if math.isfinite(low) and math.isfinite(high):
        return f"between {low:g} and {high:g}"
    return f"at least {low:g}" if math.isfinite(low) else "a finite number"


def too_large(n: int) -> str:
    """Return one sentence on why no Gram matrix of n examples is made, which takes more than 1 GB;
    "" where one is.

    >>> too_large(11_180), too_large(20_000).partition(":")[0]
    ('', 'This needs the whole Gram matrix, which takes 3.2 GB for 20,000 examples')
    """
    size = 8 * n * n
    if size <= _LARGEST:
        return ""
    return (
        f"This needs the whole Gram matrix, which takes {size / 1e9:,.1f} GB for {n:,} examples: "
        f"draw a sample of "
        f"at most {math.isqrt(_LARGEST // 8):,} of them."
    )


def whole_gram(n: int) -> None:
    """Refuse to make a Gram matrix that is too large: ValueError of one sentence."""
    words = too_large(n)
    if words:
        raise ValueError(words)
