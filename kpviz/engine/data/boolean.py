"""Boolean functions of a few bits: all inputs, where these are drawn, and a mistake bound for the
perceptron.

Legend: n bits; X all 2^n inputs, one per row; l the terms of a DNF; u the weights that separate.

Tests: tests/engine/test_boolean.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.data.dnf import LONGEST, MOST_BITS, Dnf

FEWEST_BITS = 2
# The app starts with these.
USUAL = "three"
USUAL_BITS = 4
CLASSES = ("false", "true")
_TURN = 0.4 + 0.2j  # It turns two bits to the next two: no edge runs through a corner.


@dataclass(frozen=True)
class BooleanPreset:
    """A Boolean function by name: what to look for in it, the fewest bits that it needs, and its
    DNF over n bits.
    """

    title: str
    look_for: str
    fewest: int
    make: Callable[[int], Dnf]


def bits(n: int) -> FloatArray:
    """Return all inputs, (2^n, n) of 0 and 1, in the order of a truth table: the first bit is the
    slowest.

    >>> bits(2).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    places = np.arange(_checked(n) - 1, -1, -1)
    return np.asarray(np.arange(2**n)[:, None] >> places & 1, dtype=np.float64)


def function(text: str, n: int) -> Dnf:
    """Return the DNF of a text over n bits: the name of one of `PRESETS`, or what `Dnf.read`
    understands; ValueError, of one sentence, if it is neither, or needs more bits.
    """
    preset = PRESETS.get(text.strip()) if isinstance(text, str) else None
    if preset is None:
        return Dnf.read(text, _checked(n))
    if _checked(n) < preset.fewest:
        raise ValueError(
            f"n={n} is too few bits for {text.strip()}: n must be between {preset.fewest} and "
            f"{MOST_BITS}."
        )
    return preset.make(n)


def canonical(text: str) -> str:
    """Return the canonical form of a function: the name of a preset, or its DNF; ValueError, of one
    sentence, if it is neither, or if its DNF is longer than `Dnf.read` takes.

    >>> canonical("x1 x2' + x3")
    'x1 & !x2 | x3'
    """
    if text.strip() in PRESETS:
        return text.strip()
    written = str(Dnf.read(text))
    if len(written) > LONGEST:
        raise ValueError(
            f"Written out the Boolean function is {len(written):,} characters long: it may have "
            f"at most {LONGEST:,}."
        )
    return written


def fewest(text: str) -> int:
    """Return how many bits a function needs at least; ValueError if there is no such function."""
    preset = PRESETS.get(text.strip())
    return max(Dnf.read(text).n_bits, FEWEST_BITS) if preset is None else preset.fewest


def load(text: str, n: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Return all inputs X, (2^n, n), and the values y in {-1., +1.} of the function of a text.

    Seed 0 keeps the order of a truth table, in which parity errs once on every input and a literal
    twice; any other seed shuffles.

    >>> X, y = load("x1 & !x2 | x2 & !x1", 2)
    >>> y.tolist()
    [-1.0, 1.0, 1.0, -1.0]
    """
    X = bits(n)
    y = function(text, n).values(X)
    if checks.integer("seed", seed, low=0) == 0:
        return X, y
    order = np.random.default_rng(seed).permutation(len(X))
    return X[order], y[order]


def corners(n: int) -> FloatArray:
    """Return where the inputs of `bits` are drawn, (2^n, 2) within [-1, 1]: neighbours by edges of
    equal direction.

    Each pair of bits spans a square, smaller and turned by the same amount from one pair to the
    next: a square, a cube, a tesseract, and so on. All are distinct, and no edge runs through
    another corner.

    >>> corners(2).tolist()
    [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]
    """
    directions = np.array([_TURN ** (j // 2) * (1j if j % 2 else 1.0) for j in range(_checked(n))])
    at = bits(n) @ directions
    places = np.column_stack([at.real, at.imag])
    places -= (places.max(axis=0) + places.min(axis=0)) / 2.0
    return np.asarray(places / np.abs(places).max())


def edges(n: int) -> NDArray[np.intp]:
    """Return the pairs of rows of `bits` that differ in one bit, (n 2^(n-1), 2), the smaller row
    first.

    >>> edges(2).tolist()
    [[0, 2], [1, 3], [0, 1], [2, 3]]
    """
    rows = np.arange(2 ** _checked(n))
    pairs = [
        np.column_stack([rows, rows | 1 << place])[rows >> place & 1 == 0]
        for place in range(n - 1, -1, -1)
    ]
    return np.concatenate(pairs).astype(np.intp)


def parity(n: int) -> Dnf:
    """Return the DNF of "an odd number of bits is 1": 2^(n-1) terms of n literals, and there is
    none of fewer terms.
    """
    odd = [row for row in bits(n).astype(int).tolist() if sum(row) % 2]
    return Dnf(tuple(tuple(j + 1 if on else -j - 1 for j, on in enumerate(row)) for row in odd))


def majority(n: int) -> Dnf:
    """Return the DNF of "more than half of the bits are 1": one term for each smallest majority."""
    return Dnf(tuple(combinations(range(1, _checked(n) + 1), n // 2 + 1)))


def multiplexer(n: int) -> Dnf:
    """Return the DNF of "the data bit that the address bits select": 1 + 2 bits, 2 + 4
    from n = 6.
    """
    address = 1 if _checked(n) < 6 else 2
    return Dnf(
        tuple(
            (
                *(j + 1 if number >> (address - 1 - j) & 1 else -j - 1 for j in range(address)),
                address + 1 + number,
            )
            for number in range(2**address)
        )
    )


PRESETS: dict[str, BooleanPreset] = {
    "literal": BooleanPreset(
        "A single bit", "Two mistakes are enough in the order of the table; see what another "
            "order costs.", 2,
        lambda n: Dnf(((1,),)),
    ),
    "parity": BooleanPreset(
        "Parity", "All subsets of literals learn it by heart; shuffle the inputs, and it costs "
            "far more.", 2, parity
    ),
    "majority": BooleanPreset("Majority", "No literal is negated: the plain subsets learn it "
        "too.", 2, majority),
    "three": BooleanPreset(
        "Three terms", "True unless the first three bits agree: far fewer mistakes than the bound "
            "allows.", 3,
        lambda n: Dnf(((1, -2), (2, -3), (-1, 3))),
    ),
    "multiplexer": BooleanPreset("Multiplexer", "The first bits say which of the others "
        "counts.", 3, multiplexer),
}  # fmt: skip


def _checked(n: int) -> int:
    return checks.integer("n", n, low=FEWEST_BITS, high=MOST_BITS)
