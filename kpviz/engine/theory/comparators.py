"""Unit vectors to compare a learner with: a bound that holds for every u holds for the best of a few.

Legend: gram K with the intercept's constant feature; a comparator is u = sum of a_i φ(x_i) / ‖·‖.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.theory.geometry import radius, rkhs_norm

if TYPE_CHECKING:
    from kpviz.engine.run.run import Run

_STEPS = 8


def candidates(run: Run, gram: FloatArray, counts: NDArray[np.integer]) -> list[FloatArray]:
    """Return the margins y_i ⟨u, φ(x_i)⟩, each (n,), of directions u that may do well.

    They are the run's last f, the difference of the classes, and two near the best.
    """
    y = run.y
    found = [
        run.state_at(run.n_steps).coef,
        y,
        regularized(gram, y, counts[-1]),
    ]
    if len(counts) > 1:
        found.append(regularized(gram, y, counts[0]))
    unit = [margins for coef in found if (margins := _margins(gram, y, coef)) is not None]
    return unit or [np.zeros(len(y))]  # at right angles to every example


def regularized(gram: FloatArray, y: FloatArray, counts: NDArray[np.integer]) -> FloatArray:
    """Return coefficients near the least of R‖w‖ + √(sum of counts_i max(0, 1 - y_i ⟨w, φ(x_i)⟩)²).

    For u = w/‖w‖ and margin 1/‖w‖ this is the root of the deviation bound. Its least w is a support vector machine's
    with squared hinge loss and λ = R D/‖w‖: a few Newton steps on the examples that fall short, λ following.
    """
    size, coef = radius(gram), np.zeros(len(y))
    strength = size**2 * math.sqrt(max(int(counts.sum()), 1))
    short = np.flatnonzero(counts)
    for _ in range(_STEPS):
        if not len(short) or not strength:
            break
        ridge = np.diag(strength / counts[short])
        solved = np.linalg.solve(gram[np.ix_(short, short)] + ridge, y[short])
        coef = np.zeros(len(y))
        coef[short] = solved
        scores = gram[:, short] @ solved
        norm = math.sqrt(max(float(coef @ scores), 0.0))
        losses = np.maximum(0.0, 1 - y * scores)
        before, short = short, np.flatnonzero((losses > 0) & (counts > 0))
        deviation = math.sqrt(float(counts @ losses**2))
        last, strength = strength, size * max(deviation / norm, 1e-9 * size) if norm else 0.0
        if np.array_equal(before, short) and abs(strength - last) <= 0.01 * last:
            break
    return coef


def _margins(gram: FloatArray, y: FloatArray, coef: FloatArray) -> FloatArray | None:
    """Margins of the unit vector along coef, None if it has no direction."""
    norm = rkhs_norm(gram, coef)
    smallest = 1e-6 * float(np.abs(coef) @ np.sqrt(np.maximum(gram.diagonal(), 0.0)))  # less is rounding
    return np.asarray(y * (gram @ coef) / norm) if norm > smallest else None
