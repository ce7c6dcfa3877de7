"""What is known of margins, mistakes and optima, from a Gram matrix or a run: one door to all of
it.

Margins and norms are in `geometry.py`, whether classes can be separated in `separability.py`, the
bounds as formulas in `mistake_bounds.py`, the bounds that apply to a run in `applicable_bounds.py`,
the optimum of logistic regression in `logistic.py`.

Tests: tests/engine/test_theory.py.
"""

from __future__ import annotations

from kpviz.engine.theory.applicable_bounds import Bound, Quantity, bound_of, bounds_of
from kpviz.engine.theory.geometry import (
    geometric_margins,
    margins,
    max_margin,
    max_margin_with_intercept,
    radius,
    rkhs_norm,
)
from kpviz.engine.theory.logistic import logistic_optimum
from kpviz.engine.theory.mistake_bounds import (
    deviation_bound,
    dnf_bound,
    forgetron_bound,
    forgetron_radius,
    hinge_bound,
    least_deviation_bound,
    least_forgetron_bound,
    least_hinge_bound,
    mistake_bound,
    radius_mistake_bound,
    voted_bound,
)
from kpviz.engine.theory.separability import is_separable

__all__ = [
    "Bound",
    "Quantity",
    "bound_of",
    "bounds_of",
    "deviation_bound",
    "dnf_bound",
    "forgetron_bound",
    "forgetron_radius",
    "geometric_margins",
    "hinge_bound",
    "is_separable",
    "least_deviation_bound",
    "least_forgetron_bound",
    "least_hinge_bound",
    "logistic_optimum",
    "margins",
    "max_margin",
    "max_margin_with_intercept",
    "mistake_bound",
    "radius",
    "radius_mistake_bound",
    "rkhs_norm",
    "voted_bound",
]
