"""A kernel as Python code, for scripts that avoid kpviz where possible.

Legend: U and V are examples, u and v one of each: rows of a matrix, or texts.

Tests: tests/export/test_scripts.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from numpy.typing import NDArray

WIDTH = 116
ONES = "np.ones(len(U))"


@dataclass(frozen=True)
class Form:
    """A kernel as expressions with its parameters in braces: the engine's operations in the
    engine's order.

    `matrix` is k(u, v) of all examples of U and V, `diagonal` k(u, u) of U's; `formula` is for
    readers. `before` and `before_diagonal` are lines that are needed first, if any. `imports` are
    lines that import, besides that of numpy; `helpers` functions and values that are read.
    """

    formula: str
    matrix: str
    diagonal: str
    before: str = ""
    before_diagonal: str = ""
    imports: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()


def array(name: str, values: NDArray[Any], more: str = "") -> str:
    """Return the assignment of an array; `more` are further arguments.

    >>> import numpy as np
    >>> print(array("order", np.array([2, 0, 1])))
    order = np.array([2, 0, 1])
    """
    items = [repr(row) for row in values.tolist()]
    whole = f"{name} = np.array([{', '.join(items)}]{more})"
    if len(whole) <= WIDTH:
        return whole
    return "\n".join([f"{name} = np.array([", *_wrapped(items), f"]{more})"])


def _wrapped(items: Iterable[str]) -> Iterator[str]:
    line = "   "
    for item in items:
        if len(item) > WIDTH - 8:
            yield from ([line] if line.strip() else [])
            yield fill(
                f"{item},",
                WIDTH,
                initial_indent="    ",
                subsequent_indent="     ",
                break_long_words=False,
            )
            line = "   "
            continue
        if len(line) + len(item) + 2 > WIDTH:
            yield line
            line = "   "
        line += f" {item},"
    if line.strip():
        yield line
