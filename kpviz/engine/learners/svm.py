"""The support vector machine by sequential minimal optimization: two coefficients at a time,
exactly.

Tests: tests/engine/test_svm.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.learners.protocol import About, Change, DetailLog, Learner, PanelPart
from kpviz.engine.powers import significant

# A pair has at least this curvature, where the Gram matrix is not positive definite.
_FLATTEST = 1e-12
_AT_BOUND = 1e-12  # This is relative to C.
# What is equal differs in its last digits, on each processor otherwise: sums by this share of what
# was added up, quotients by this share of themselves.
_TIE = 1e-12
_TIE_OF_QUOTIENTS = 1e-9
_MOST_DOUBT = 0.25  # No more than this share of the gap, or of what a pair gains, is a tie.


@dataclass
class _SvmMemory:
    gram: FloatArray
    diagonal: FloatArray
    low: FloatArray  # The lowest value of each coefficient is 0 or -C.
    high: FloatArray
    residual: FloatArray  # y - f without b
    size: FloatArray  # What is added up for it, without the signs.
    coef: FloatArray
    log: DetailLog
    b: float = 0.0
    gap: float = math.inf
    may_rise: NDArray[np.bool_] = field(init=False)
    may_fall: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        self.look()

    def look(self) -> None:
        """Find out which coefficients are at a bound."""
        slack = _AT_BOUND * (self.high - self.low)
        self.may_rise = self.coef < self.high - slack
        self.may_fall = self.coef > self.low + slack


@dataclass(frozen=True)
class SVM(Learner):
    """Until convergence, change the pair that promises the largest gain, as far as the box 0 <=
    alpha <= C allows.

    Parameters
    ----------
    C : above 0, the largest alpha: how much a margin error may cost.
    tol : above 0: done when m - M < tol, where m is the largest y - f(x) among the coefficients
        that may rise and M the smallest among those that may fall (f without b).

    Notes
    -----
    Minimises ½ coefᵀ K coef - yᵀ coef with 0 <= y coef <= C and sum coef = 0. i has the largest y -
    f of those that may rise, j the largest second-order gain of those that may fall, each the first
    of those that are equal but for rounding; coef_i rises and coef_j falls by the same. b is the
    mean of y - f over the coefficients strictly in their box, or (m + M)/2. The learner selects the
    next example: there is no order, and an epoch is n pair steps. Where C k(x, x) is above some
    10¹⁵ tol, rounding errors keep m - M above tol, and the run ends at its limit: scale the
    examples, or raise tol. Of one class alone no pair can change, and f stays 0. It makes no online
    mistakes in the sense of a bound; y f(x_i) <= 0 is counted.
    `details`: "partner" (j), "b" after each step, "gap" (m - M before it), "moved" (by how much
    coef_i rose). Source: J. C. Platt, "Fast training of support vector machines using sequential
    minimal optimization" (1998); R.-E. Fan, P.-H. Chen, C.-J. Lin, "Working set selection using
    second order information for training support vector machines", Journal of Machine Learning
    Research 6 (2005).
    """

    C: float = 1.0
    tol: float = 1e-5

    ranges: ClassVar[dict[str, Range]] = {
        "C": Range(0.01, 1000.0, 1.0, "C", "largest α: what a margin error may cost", log=True),
        "tol": Range(1e-6, 0.1, 1e-5, "ε", "tolerance m − M", log=True),
    }
    chooses: ClassVar[bool] = True
    takes_mistake_orders: ClassVar[bool] = False
    takes_initial: ClassVar[bool] = False
    default_epochs: ClassVar[int] = 20
    effort: ClassVar[float] = 3.0

    def __post_init__(self) -> None:
        checks.number("C", self.C, above=0.0)
        checks.number("tol", self.tol, above=0.0)

    @property
    def about(self) -> About:
        """What the player shows of it."""
        return About(
            title="Support vector machine",
            idea="The perceptron stops at any boundary that separates; this one seeks the widest "
            "margin.",
            bound="No mistake bound: it is a batch method. The larger C, the nearer its margin to "
            "the best there is, "
            "if the classes are separable.",
            panel="The pair in its box",
            parts=(
                PanelPart(
                    "pair",
                    "α of the two (dashed: before the step); each box ends at C",
                    "partner",
                    self.C,
                ),
                PanelPart(
                    "line",
                    f"largest gap of y − f, logarithmic (dashed: it ends at "
                    f"{significant(self.tol, 2)})",
                    "gap",
                    self.tol,
                    logarithmic=True,
                ),
            ),
            grain="update",
        )

    def start(self, gram: FloatArray, y: FloatArray, rng: np.random.Generator) -> _SvmMemory:
        """Return the box and the gradient at zero."""
        low = np.where(y > 0, 0.0, -self.C)
        high = np.where(y > 0, self.C, 0.0)
        log = DetailLog({"b": 0.0}, {"partner": -1, "gap": 0.0, "moved": 0.0})
        return _SvmMemory(
            gram, gram.diagonal(), low, high, y.copy(), np.abs(y), np.zeros(len(y)), log
        )

    def choose(self, memory: _SvmMemory, scores: FloatArray) -> int | None:
        """Return the example that violates most, or None within the tolerance."""
        most, least = self._ends(memory)
        memory.gap = most - least
        if not memory.gap >= self.tol:
            return None
        best = most - 2.0 * _doubt(memory)
        return int(np.argmax(memory.may_rise & (memory.residual >= best)))

    def change(
        self, memory: _SvmMemory, t: int, i: int, scores: FloatArray, coef: FloatArray
    ) -> Change:
        """Move coef_i up and coef_j down, to the optimum along the pair or to the box."""
        gain = memory.residual[i] - memory.residual
        curvature = np.maximum(
            memory.diagonal[i] + memory.diagonal - 2.0 * memory.gram[i], _FLATTEST
        )
        worth = np.where(memory.may_fall & (gain > 0.0), gain * gain / curvature, -1.0)
        doubt = min(_TIE_OF_QUOTIENTS + 8.0 * _doubt(memory) / memory.gap, _MOST_DOUBT)
        j = int(np.argmax(worth >= (1.0 - doubt) * worth.max()))
        up = memory.high[i] - memory.coef[i]
        down = memory.coef[j] - memory.low[j]
        delta = min(gain[j] / curvature[j], up, down)
        # A coefficient so near to its bound ends at it: exactly 0 is not in the support.
        near = _AT_BOUND * self.C
        rise, fall = (float(room if abs(room - delta) <= near else delta) for room in (up, down))
        pair = [i, j]
        before = np.abs(memory.coef[pair])
        memory.coef[pair] += (rise, -fall)
        memory.residual -= rise * memory.gram[i] - fall * memory.gram[j]
        memory.size += (np.abs(memory.coef[pair]) - before) @ np.abs(memory.gram[pair])
        memory.look()
        b_before = memory.b
        memory.b = self._intercept(memory)
        memory.log.add(t, memory.b, j, memory.gap, rise)
        return Change((i, j), (rise, -fall), memory.b - b_before)

    def _ends(self, memory: _SvmMemory) -> tuple[float, float]:
        """Return m and M."""
        most = memory.residual.max(where=memory.may_rise, initial=-np.inf)
        return float(most), float(memory.residual.min(where=memory.may_fall, initial=np.inf))

    def _intercept(self, memory: _SvmMemory) -> float:
        free = memory.may_rise & memory.may_fall
        if free.any():
            return float(memory.residual[free].mean())
        most, least = self._ends(memory)
        return (most + least) / 2.0 if math.isfinite(most) and math.isfinite(least) else memory.b


def _doubt(memory: _SvmMemory) -> float:
    """Return how much of y - f is rounding, at most.

    After a step the two of a pair violate alike; which of them does more is a matter of last
    digits, and so would be all steps that follow.
    """
    return float(min(_TIE * memory.size.max(), _MOST_DOUBT * memory.gap))
