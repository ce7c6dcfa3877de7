"""The mistake bound of Boolean functions, 2ⁿ(4l + 1), for a run on inputs of a few bits; and all bounds of a run."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from kpviz.engine.data import boolean
from kpviz.engine.data.dnf import Dnf
from kpviz.engine.kernels import AllSubsets, Kernel
from kpviz.engine.learners import Perceptron
from kpviz.engine.run.run import Run
from kpviz.engine.theory import applicable_bounds
from kpviz.engine.theory.applicable_bounds import SILENT, Bound, Quantity, made

_NAME = "A DNF of l terms, by all subsets"
_FORMULA = "2ⁿ(4l + 1)"
_SOURCE = "Novikoff (1962), with ‖u‖² = l + 1/4"
_KERNEL = "It holds for all subsets, not normalized: 2ⁿ is the largest k(x, x) of that kernel."
_LEARNER = "It holds for the plain perceptron without intercept."
_NEGATED = "This DNF negates a literal, and the plain subsets have no feature for that: take the negated literals."

# The bounds of runs, by predictor and function: some take seconds, and player, pictures and films ask for them.
_found: WeakKeyDictionary[Run, dict[tuple[str, Dnf | None], tuple[Bound, ...]]] = WeakKeyDictionary()


def bounds_of(run: Run, predictor: str = "last", dnf: Dnf | None = None) -> tuple[Bound, ...]:
    """Return every bound known for a run, the one to show first; cached.

    Of a run that learns the Boolean function `dnf`, whose examples are rows of bits, that is `bound_of`; the rest are
    those of `applicable_bounds.bounds_of`.
    """
    known = _found.setdefault(run, {})
    if (predictor, dnf) not in known:
        own = () if dnf is None else (bound_of(run, dnf, run.X.shape[1]),)
        known[predictor, dnf] = (*own, *applicable_bounds.bounds_of(run, predictor=predictor))
    return known[predictor, dnf]


def bound_of(run: Run, dnf: Dnf, n: int) -> Bound:
    """Return the bound for a perceptron that learns `dnf`, a function of n bits, by all subsets (of literals).

    Where the theorem does not apply, `why` of the bound says so.

    Every term is one feature. With u = 1 at each term and −1/2 at the constant feature, which is easily forgotten,
    the margin is 1/2 and ‖u‖² = l + 1/4; R² = max k(x, x) = 2ⁿ.
    """
    if why := _LEARNER if run.start is not None else why_not(run.learner, run.kernel, dnf):
        return Bound("dnf", _NAME, _FORMULA, _SOURCE, why=why)
    value = float(boolean.bound(n, len(dnf.terms)))
    quantities = (
        Quantity("n", "bits", float(n)),
        Quantity("2ⁿ", "inputs that there are, and R²", 2.0**n),
        Quantity("l", "terms of the DNF", float(len(dnf.terms))),
        Quantity("‖u‖²", "l, and 1/4 for the constant feature −1/2", len(dnf.terms) + 0.25),
        Quantity("M", "mistakes made", float(run.mistake.sum())),
    )
    vacuous = value >= run.n_steps
    why = SILENT.format(made=made(run.n_steps)) if vacuous else ""
    times = np.array([*run.epoch_start[1:], run.n_steps], dtype=np.int64)
    values = np.full(len(times), value)
    return Bound("dnf", _NAME, _FORMULA, _SOURCE, quantities, value, True, vacuous, why, times, values, SILENT)


def why_not(learner: object, kernel: Kernel | None, dnf: Dnf) -> str:
    """Return why the bound says nothing of a learner with a kernel, in a sentence; "" where it holds."""
    if not isinstance(learner, Perceptron) or learner.intercept != "none":
        return _LEARNER
    subsets = _subsets(kernel)
    if subsets is None:
        return _KERNEL
    return "" if boolean.applies(dnf, negated=subsets.negated) else _NEGATED


def _subsets(kernel: Kernel | None) -> AllSubsets | None:
    """Return the kernel if it is one of all subsets, or a multiple of it: normalized, that of literals is k/2ⁿ."""
    if kernel == AllSubsets(negated=True).normalized():
        return AllSubsets(negated=True)
    return kernel if isinstance(kernel, AllSubsets) else None
