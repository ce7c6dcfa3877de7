"""Slips that are easily made, corrected where one meets them; the lesson of this name has them all.

Tests: tests/test_misconceptions.py.
"""

from __future__ import annotations

MISCONCEPTIONS: dict[str, str] = {
    "zero": (
        "The rule is easily written with a strict <: a mistake only if y·f(x) < 0. From a zero "
        "start f is 0 "
        "everywhere, so no example is ever a mistake and nothing is learnt: it must be ≤."
    ),
    "margin": (
        "y·f(x) is easily taken for the distance to the boundary. It grows with ‖f‖: twice the "
        "weights, twice the "
        "margin. Only y·f(x)/‖f‖ is a distance, signed and in the feature space."
    ),
    "intercept": (
        "An intercept b is easily forgotten in the dual rule, which then updates alpha alone. "
        "Then b stays 0: a "
        "mistake must change b as well, by η·y·s, with s = 1 or R²."
    ),
    "cost": (
        "One easily says that the kernel perceptron takes O(n) per update, for n features. It "
        "takes one evaluation of "
        "k for each support example to score one example, each of which costs about n "
        "multiplications; the update "
        "itself adds one number."
    ),
}
