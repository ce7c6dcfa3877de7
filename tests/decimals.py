"""Cases whose zeros rounding would break: drawn decimals, kernels by hand, and links, each with its
right count.
"""

from fractions import Fraction

import fractions_by_hand
import numpy as np

from kpviz.kernels import AllSubsets, Linear, Monomial, Polynomial

KERNELS = {
    "linear": (Linear(), fractions_by_hand.kernel_by_hand("power")),
    "monomial": (Monomial(3), fractions_by_hand.kernel_by_hand("power", 3)),
    "polynomial": (
        Polynomial(2, 0.1),
        fractions_by_hand.kernel_by_hand("power", 2, Fraction(1, 10)),
    ),
    "subsets": (AllSubsets(), fractions_by_hand.kernel_by_hand("subsets")),
}


def drawn(seed, grid):
    """Points on a grid of short decimals, as they are drawn and typed."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 7))
    high = 10 if grid == 10 else 200
    X = np.array(
        [
            [float(Fraction(int(k), grid)) for k in row]
            for row in rng.integers(-high, high + 1, (n, 2))
        ]
    )
    return X, rng.choice([-1.0, 1.0], n)


LINKS = {  # settings, instant, reading: examples that are wrong or on the boundary, by hand
    "two points at a right angle": (
        {"data": "drawn", "points": "ksq8q8bU.w", "kernel": "linear"},
        2,
        "last",
        0,
    ),
    "trees": ({"data": "trees", "normalize": "off", "eta": 0.1}, 20, "last", 7),
    "graphs": ({"data": "graphs", "intercept": "radius", "epochs": 5, "eta": 0.01}, 55, "last", 11),
    "graphs, larger steps": (
        {"data": "graphs", "intercept": "radius", "epochs": 5, "eta": 0.1},
        55,
        "last",
        11,
    ),
    "parity": (
        {"data": "bits", "function": "parity", "bits": 4, "kernel": "linear", "epochs": 10},
        7,
        "averaged",
        16,
    ),
}
