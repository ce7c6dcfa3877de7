"""How large feature spaces are, what a kernel costs instead, and how much each degree of a polynomial weighs.

Legend: n features of x; q a degree; c the constant of (u·v + c)^q.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kpviz.engine import checks
from kpviz.engine.kernels import AllSubsets, Gaussian
from kpviz.engine.powers import times_ten
from kpviz.engine.theory.primal import dimension, growth, kernel_multiplications

MOST_FEATURES = 1000
MOST_DEGREE = 20


@dataclass(frozen=True)
class Space:
    """One row of the table of feature spaces.

    Attributes
    ----------
    kernel : its formula. space : what its features are. formula : of their number.
    dimension : the exact number of features, None for infinitely many.
    multiplications : of one k(u, v), exp counted as 1, additions as 0.
    """

    kernel: str
    space: str
    formula: str
    dimension: int | None
    multiplications: int


def spaces(n: int, q: int) -> tuple[Space, ...]:
    """Return the feature spaces of x with n features, against the cost of k; exact numbers.

    With negated literals k is the product of n factors (1 + u_i v_i)(1 + (1 - u_i)(1 - v_i)), four multiplications
    each, except for the last one of the first factor.

    Raises
    ------
    ValueError
        If n is not from 1 to `MOST_FEATURES`, or q not from 1 to `MOST_DEGREE`.

    Examples
    --------
    >>> [row.dimension for row in spaces(8, 3)], [row.multiplications for row in spaces(8, 3)]
    ([120, 165, 256, 65536, None], [10, 10, 15, 31, 10])
    """
    n = checks.integer("n", n, low=1, high=MOST_FEATURES)
    q = checks.integer("q", q, low=1, high=MOST_DEGREE)
    (power,) = growth([q], [n])
    subsets = kernel_multiplications(AllSubsets(), n)
    return (
        Space("(u·v)^q", f"monomials of degree exactly {q}", "C(n+q−1, q)", power.exactly, power.kernel),
        Space("(u·v + c)^q", f"monomials up to degree {q}", "C(n+q, q)", power.up_to, power.kernel),
        Space("Π (1 + uᵢvᵢ)", "all subsets of the inputs", "2ⁿ", dimension(AllSubsets(), n), subsets),
        Space("Π (1 + uᵢvᵢ)(1 + (1−uᵢ)(1−vᵢ))", "all subsets of literals", "4ⁿ", 4**n, 4 * n - 1),
        Space("exp(−‖u − v‖²/(2σ²))", "power series", "∞", None, kernel_multiplications(Gaussian(), n)),
    )


@dataclass(frozen=True)
class Weight:
    """The block of degree j in (u·v + c)^q: weight = C(q, j) c^(q-j), the factor of (u·v)^j; share of their sum."""

    degree: int
    weight: float
    share: float


def degree_weights(q: int, c: float) -> tuple[Weight, ...]:
    """Return the weight of each degree from 0 to q in (u·v + c)^q; a larger c, less weight on high degrees.

    ValueError unless q is from 1 to `MOST_DEGREE` and c is at least 0 (a negative c makes negative weights: no kernel).

    >>> [(row.degree, row.weight, row.share) for row in degree_weights(2, 1.0)]
    [(0, 1.0, 0.25), (1, 2.0, 0.5), (2, 1.0, 0.25)]
    """
    q = checks.integer("q", q, low=1, high=MOST_DEGREE)
    c = checks.number("c", c, low=0.0, high=1e6)
    weights = [math.comb(q, j) * c ** (q - j) for j in range(q + 1)]
    total = math.fsum(weights)
    return tuple(Weight(j, weight, weight / total) for j, weight in enumerate(weights))


def in_words(count: int | None) -> str:
    """Return a number of features as one reads it: all digits up to nine of them, else its leading ones; ∞ for None.

    >>> in_words(308505), in_words(4**60), in_words(None)
    ('308,505', '1.33×10³⁶', '∞')
    """
    if count is None:
        return "∞"
    if count < 10**9:
        return f"{count:,}"
    digits = str(count)
    leading = round(int(digits[:4]) / 10)
    power = len(digits) - 1
    if leading == 1000:
        leading, power = 100, power + 1
    return times_ten(f"{leading // 100}.{leading % 100:02d}", power)
