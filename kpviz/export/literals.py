"""Examples as Python literals, and names that a stranger may have chosen as comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.datasets import Dataset
from kpviz.experiment import Split

_WIDTH = 116
_LONGEST_NAME = 60


def data(split: Split) -> str:
    """Return the assignments of X, y and, where examples are held out, X_test and y_test, with what they mean.

    Every number is written so that it is read as the same float.
    """
    parts = [*_words(split.source), *_examples("X", "y", split.X, split.y)]
    if len(split.y_test):
        parts += ["# Held out: not learnt from.", *_examples("X_test", "y_test", split.X_test, split.y_test)]
    return "\n".join(parts)


def array(name: str, values: NDArray[Any], more: str = "") -> str:
    """Return the assignment of an array; `more` are further arguments.

    >>> import numpy as np
    >>> print(array("order", np.array([2, 0, 1])))
    order = np.array([2, 0, 1])
    """
    items = [repr(row) for row in values.tolist()]
    whole = f"{name} = np.array([{', '.join(items)}]{more})"
    if len(whole) <= _WIDTH:
        return whole
    return "\n".join([f"{name} = np.array([", *_wrapped(items), f"]{more})"])


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


def _examples(X: str, y: str, rows: FloatArray, labels: FloatArray) -> list[str]:
    return [array(X, rows), array(y, labels.astype(int), ", dtype=float")]


def _words(source: Dataset) -> Iterator[str]:
    first, second = map(one_line, source.features)
    yield f"# The columns of X: {first} and {second}."
    if source.classes != Dataset.classes:
        minus, plus = map(one_line, source.classes)
        yield f"# y = -1: {minus}. y = +1: {plus}."
    if source.scaled:
        yield f"# Each column was scaled to -1 to 1, from low = {list(source.lows)!r} to high = {list(source.highs)!r}."
        yield "# In its own units it is low + (x + 1) / 2 * (high - low)."


def _wrapped(items: Iterable[str]) -> Iterator[str]:
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > _WIDTH:
            yield line
            line = "   "
        line += f" {item},"
    yield line
