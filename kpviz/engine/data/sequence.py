"""An order of examples by hand, and the short text that holds it in a link.

A text names the examples that come first, two characters each; the rest follow in turn.

Tests: tests/engine/test_sequence.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.data.drawn import ALPHABET


def encode(order: Sequence[int]) -> str:
    """Return the shortest text of a permutation of 0, 1, … and so on.

    >>> encode([2, 0, 1, 3]), encode([0, 1, 2])
    ('AC', '')
    """
    first = max(len(order) - 1, 0)  # The examples that come in turn begin here.
    while first and order[first - 1] < order[first]:
        first -= 1
    return "".join(ALPHABET[i >> 6] + ALPHABET[i & 63] for i in order[:first])


def read(code: str, n: int) -> NDArray[np.intp]:
    """Return the permutation of n examples that a text names; what names no example, or one twice,
    is left out.

    >>> read("ACAA", 4).tolist(), read("not one", 3).tolist()
    ([2, 0, 1, 3], [0, 1, 2])
    """
    if any(sign not in ALPHABET for sign in code):
        return np.arange(n)
    pairs = zip(code[::2], code[1::2], strict=False)
    numbers = dict.fromkeys((ALPHABET.index(a) << 6) + ALPHABET.index(b) for a, b in pairs)
    first = [i for i in numbers if i < n]
    return np.array([*first, *sorted(set(range(n)) - set(first))], dtype=np.intp)
