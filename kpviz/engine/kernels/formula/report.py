"""What is known of a formula: whether it is symmetric, proven to be a kernel, refuted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.formula import evaluate, rounding, structure
from kpviz.engine.kernels.formula.derivation import Derivation
from kpviz.engine.kernels.formula.nodes import Call, Node
from kpviz.engine.kernels.formula.parser import parse
from kpviz.engine.kernels.formula.proof import derive, why_not
from kpviz.engine.kernels.formula.refutation import describe, refute, samples
from kpviz.engine.kernels.formula.scanner import example, shortened
from kpviz.engine.kernels.formula.words import NORMALIZED
from kpviz.engine.kernels.validity import CounterExample

Answer = Literal["yes", "no", "unknown"]

_PAIRS = 40  # on which k(u, v) is compared with k(v, u)
_EQUAL = 1e-9  # relative
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Asymmetry:
    """Two examples (d,) for which k(u, v) is not k(v, u); nan where there is no finite value."""

    u: FloatArray
    v: FloatArray
    value: float
    swapped: float

    def __str__(self) -> str:
        u, v = (example(point.tolist()) for point in (self.u, self.v))
        there, back = (
            f"{name} = {value:.4g}" if np.isfinite(value) else f"{name} has no finite value"
            for name, value in (("k(u, v)", self.value), ("k(v, u)", self.swapped))
        )
        return f"{there} but {back} for u = {u} and v = {v}: a kernel is the same both ways."


@dataclass(frozen=True, eq=False)
class Report:
    """What is known of a formula.

    `unfit` is what keeps it from being used at all ("" if nothing does), `asymmetry` the two examples behind that
    where there are such. `derivation` proves that it is a kernel, `refutation` that it is none; where neither is there,
    nothing is known. `symmetric`, `proven` and `refuted` say each in a sentence.
    """

    tree: Node
    unfit: str
    asymmetry: Asymmetry | None
    derivation: Derivation | None
    refutation: CounterExample | None
    symmetric: str
    proven: str
    refuted: str

    @property
    def psd(self) -> Answer:
        """Whether it is a kernel."""
        return "yes" if self.derivation else "no" if self.refutation else "unknown"


def tested(text: str) -> Report:
    """Return what is known of a formula.

    Raises
    ------
    FormulaError
        If the text is not a formula.

    >>> tested("dot(u, v) + 1").proven
    'Proven: it is a kernel for all data.'
    >>> tested("dot(u, v) - 2").refuted
    'Refuted: for the point (0, 0) and c = (1), cᵀKc = −2 is negative.'
    >>> tested("norm(u)").unfit
    'The formula uses u but not v: a kernel compares two examples.'
    """
    return _known(parse(text))


def report_on(tree: Node) -> Report:
    """Return what is known of a formula that has been read."""
    structural = structure.is_symmetric(tree)
    compared, asymmetry = _compared(tree)
    tried = samples(max(2, structure.components(tree)))
    unfit = _unfit(tree, compared, asymmetry) or _rootless(tree, tried)
    if unfit:
        return Report(tree, unfit, asymmetry, None, None, unfit, "", "")
    derivation = derive(tree) if structural else None
    refutation = None if derivation else refute(_Unnamed(tree), tried)
    symmetric = "Symmetric: exchanging u and v gives the same formula."
    if not structural:
        symmetric = f"Symmetric as far as was tried: k(u, v) = k(v, u) for {compared} pairs of examples."
    where = "on all data for which it has values" if structure.is_partial(tree) else "for all data"
    if derivation:
        proven, refuted = f"Proven: it is a kernel {where}.", "Not refuted: it is a kernel."
    elif refutation:
        proven, refuted = "Proven: it is not a kernel.", describe(refutation)
    else:
        proven, refuted = why_not(tree), f"Not refuted by {len(tried)} samples, which proves nothing."
    return Report(tree, unfit, asymmetry, derivation, refutation, symmetric, proven, refuted)


_known = lru_cache(maxsize=256)(report_on)


@dataclass(frozen=True)
class _Unnamed(Kernel):
    """A formula of which nothing is known yet."""

    tree: Node

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return evaluate.matrix(self.tree, X, Z)

    def rounding(self, X: FloatArray, gram: FloatArray) -> FloatArray | None:
        return rounding.rounding(self.tree, X, gram)


def _rootless(tree: Node, tried: list[FloatArray]) -> str:
    """Return the sentence that refuses normalized(k) where k(u, u) is below 0 for an example tried, "" if none is."""
    found = [part for part in tree.walk() if isinstance(part, Call) and part.name == NORMALIZED]
    for part in found:
        if part.arguments[0] in found:  # which is 0 or 1 for u = v
            continue
        for X in tried:
            try:
                own = evaluate.diagonal(part.arguments[0], X)
            except ValueError:
                continue
            i = int(own.argmin())
            point = X[i : i + 1]
            if own[i] >= 0.0:
                continue
            exact = rounding.bounded(part.arguments[0], point, point)
            if float((exact.x + exact.e)[0, 0]) < 0.0:
                u = example(X[i].tolist()).replace("-", "−")
                shown = f"{shortened(str(part), 60)} needs roots of k(u, u), but k(u, u) = −{-own[i]:.4g} < 0"
                return f"{shown} for u = {u}, and nothing negative has a root."
    return ""


def _unfit(tree: Node, compared: int, asymmetry: Asymmetry | None) -> str:
    """Return the sentence that refuses a formula, "" if nothing is against it."""
    if tree.constant is not None and tree.constant < 0:
        return f"The formula is the constant {tree.constant:g}: a constant is a kernel only if it is at least 0."
    if len(tree.sides) == 1:
        (used,) = tree.sides
        return f"The formula uses {used} but not {'v' if used == 'u' else 'u'}: a kernel compares two examples."
    if asymmetry:
        return str(asymmetry)
    if compared == 0:
        return "The formula has no finite value for any examples tried: look at its logarithms, roots and divisions."
    return ""


def _compared(tree: Node) -> tuple[int, Asymmetry | None]:
    """Return for how many pairs k has values, and the first where k(u, v) and k(v, u) differ."""
    rng = np.random.default_rng(7)
    columns = max(2, structure.components(tree))
    U, V = (np.round(rng.standard_normal((_PAIRS, columns)), 1) for _ in "uv")
    U[::2], V[::2] = np.abs(U[::2]), np.abs(V[::2])  # for logarithms and roots
    U[:8], V[:8] = np.round(2 * U[:8]), np.round(2 * V[:8])  # readable where these tell
    found = 0
    for u, v in zip(U, V, strict=True):
        there, back = _value(tree, u, v), _value(tree, v, u)
        found += there is not None and back is not None
        if there is None and back is None:
            continue
        if there is None or back is None:
            return found, Asymmetry(u, v, np.nan if there is None else there, np.nan if back is None else back)
        if abs(there - back) > _EQUAL * max(abs(there), abs(back)) + _ROUNDING:
            return found, Asymmetry(u, v, there, back)
    return found, None


def _value(tree: Node, u: FloatArray, v: FloatArray) -> float | None:
    try:
        return float(evaluate.matrix(tree, u[None], v[None])[0, 0])
    except ValueError:
        return None
