"""Examples as Python literals, and names that a stranger may have chosen as comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.data.datasets import Dataset
from kpviz.engine.kernels.form import array
from kpviz.experiment import Split

__all__ = ["are_bits", "array", "columns", "constants", "data", "one_line", "texts"]

_LONGEST_NAME = 60


def data(split: Split) -> str:
    """Return the assignments of X, y and, where examples are held out, X_test and y_test, with what they mean.

    Every number is written so that it is read as the same float; texts, trees and graphs are a list of str.
    """
    parts = [*_words(split.source), *_examples("X", "y", split.X, split.y)]
    if len(split.y_test):
        parts += ["# Held out: not learnt from.", *_examples("X_test", "y_test", split.X_test, split.y_test)]
    return "\n".join(parts)


def texts(name: str, values: NDArray[Any]) -> str:
    """Return the assignment of a list of texts, a line for each.

    >>> print(texts("X", np.array(["a hot pan", "a goal"], dtype=object)))
    X = [
        'a hot pan',
        'a goal',
    ]
    """
    return "\n".join([f"{name} = [", *(f"    {text!r}," for text in values.tolist()), "]"])


def columns(source: Dataset) -> tuple[str, ...]:
    """Return what the columns of X are called: the features, the bits of an input, or "text" where it has no columns.

    >>> columns(Dataset(np.eye(3), np.ones(3), ("", "")))
    ('x1', 'x2', 'x3')
    """
    if source.X.ndim == 1:
        return ("text",)
    return tuple(f"x{j}" for j in range(1, source.X.shape[1] + 1)) if are_bits(source) else source.features


def are_bits(source: Dataset) -> bool:
    """Return whether the columns of X have no names, and hold nothing but 0 and 1."""
    return source.X.ndim == 2 and not any(source.features) and _only_bits(source.X)


def constants(values: Mapping[str, Any]) -> list[str]:
    """Return an assignment for each of the values."""
    return [f"{name} = {value!r}" for name, value in values.items()]


def one_line(text: str) -> str:
    r"""Return a text as it may stand in a comment: printable, on one line, and not endless.

    >>> one_line("width\nimport os")
    'width import os'
    """
    plain = "".join(sign if sign.isprintable() else " " for sign in text)
    return plain if len(plain) <= _LONGEST_NAME else plain[: _LONGEST_NAME - 1] + "…"


def _examples(X: str, y: str, rows: NDArray[Any], labels: FloatArray) -> list[str]:
    return [_rows(X, rows), array(y, labels.astype(int), ", dtype=float")]


def _rows(name: str, rows: NDArray[Any]) -> str:
    if rows.ndim == 1:
        return texts(name, rows)
    return array(name, rows.astype(int), ", dtype=float") if _only_bits(rows) else array(name, rows)


def _only_bits(rows: NDArray[Any]) -> bool:
    return bool(np.isin(rows, (0.0, 1.0)).all()) and not np.signbit(rows).any()


def _words(source: Dataset) -> Iterator[str]:
    *others, last = map(one_line, columns(source))
    if source.X.ndim == 2:
        yield f"# The columns of X: {', '.join(others)} and {last}."
    if source.classes != Dataset.classes:
        minus, plus = map(one_line, source.classes)
        yield f"# y = -1: {minus}. y = +1: {plus}."
    if source.scaled:
        yield f"# Each column was scaled to -1 to 1, from low = {list(source.lows)!r} to high = {list(source.highs)!r}."
        yield "# In its own units it is low + (x + 1) / 2 * (high - low)."
