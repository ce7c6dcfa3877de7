"""Slips that some lecture notes make, corrected where one meets them; the lesson *Slips in notes* has them all."""

from __future__ import annotations

MISCONCEPTIONS: dict[str, str] = {
    "zero": (
        "Some notes call it a mistake only if y·f(x) < 0. From a zero start f is 0 everywhere, so no example is ever "
        "a mistake and nothing is learnt: it must be ≤."
    ),
    "margin": (
        "Some notes read y·f(x) as the distance to the boundary. It grows with ‖f‖: twice the weights, twice the "
        "margin. Only y·f(x)/‖f‖ is a distance, in the feature space."
    ),
    "intercept": (
        "Some notes predict with an intercept b, but give a dual rule that updates alpha alone. Then b stays 0: a "
        "mistake must change b as well, by η·y·s, with s = 1 or R²."
    ),
    "cost": (
        "Some notes say that the kernel perceptron takes O(n) per update, for n features. It takes one evaluation of "
        "k for each support example to score one example, each of which costs about n multiplications; the update "
        "itself adds one number."
    ),
}
