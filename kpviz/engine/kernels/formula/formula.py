"""The kernel that is a formula, and what is known of it.

A formula is symmetric, proven to be a kernel, or refuted by examples: by numbers c with cᵀKc < 0.
None proves that a function is a kernel.

Tests: tests/engine/test_formula.py, tests/engine/test_formula_proof.py.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar, Literal

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel
from kpviz.engine.kernels.expression import evaluate
from kpviz.engine.kernels.expression.evaluate import as_printed, example
from kpviz.engine.kernels.expression.nodes import NORMALIZED, KernelNode, Node
from kpviz.engine.kernels.expression.parser import FormulaError
from kpviz.engine.kernels.expression.rounding_errors import bounded
from kpviz.engine.kernels.formula.proof import Derivation, derive, is_symmetric, why_not
from kpviz.engine.kernels.trees import parse
from kpviz.engine.kernels.validity import CLEAR, FIVE, HALVED, CounterExample, examine, smaller
from kpviz.engine.powers import significant
from kpviz.engine.syntax import shortened

EXAMPLE = "exp(-norm(u - v)**2/2) + 0.1*dot(u, v)"


@dataclass(frozen=True)
class Formula(Kernel):
    """A typed formula, such as exp(-norm(u - v)**2/2) + 0.1*dot(u, v): parsed by Python's grammar,
    never executed.

    `psd` is "yes" where rules of closure prove it, "no" where a sample refutes it, else "unknown".

    Parameters
    ----------
    text : of u and v, in Python's notation.

    Raises
    ------
    FormulaError
        If the text is not a formula, uses only one of u and v, or is not symmetric.

    Examples
    --------
    >>> import numpy as np
    >>> Formula("dot(u, v)**2 + 1")(np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]]))
    array([[2.]])
    >>> Formula("dot(u, v)**2 + 1").psd, Formula("dot(u, v)**2 - 1").psd
    ('yes', 'no')
    """

    text: str = EXAMPLE
    name: ClassVar[str] = "Formula"

    def __post_init__(self) -> None:
        if self.report.unfit:
            raise FormulaError(self.report.unfit)

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return evaluate.matrix(self.tree, X, Z)

    def diag(self, X: FloatArray) -> FloatArray:
        return evaluate.diagonal(self.tree, checks.matrix("X", X))

    @cached_property
    def report(self) -> Report:
        """What is known of it."""
        return tested(self.text)

    @property
    def tree(self) -> Node:
        """The formula as a tree."""
        return self.report.tree

    @property
    def psd(self) -> str:  # type: ignore[override]
        return self.report.psd

    @property
    def derivation(self) -> Derivation | None:
        """Why it is a kernel, None where nothing is proven."""
        return self.report.derivation

    @property
    def written(self) -> str:  # type: ignore[override]
        return str(self.tree)

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The built-in kernels that it calls by their names."""
        leaves = (node.kernel for node in self.tree.walk() if isinstance(node, KernelNode))
        return tuple(kernel for kernel in leaves if isinstance(kernel, Kernel))


def is_at_most_1(node: Node) -> bool:
    """Whether a formula is a product of built-in kernels whose k(u, u) is at most 1 for all data.

    >>> is_at_most_1(parse("gaussian(1)*laplacian(2)"))
    True
    >>> is_at_most_1(parse("gaussian(1) + linear()"))
    False
    """
    if node.name == "*":
        return all(map(is_at_most_1, node.parts))
    return (
        isinstance(node, KernelNode) and isinstance(node.kernel, Kernel) and node.kernel.at_most_1
    )


# ---- what is known of a formula ----

Answer = Literal["yes", "no", "unknown"]

_PAIRS = 40  # k(u, v) is compared with k(v, u) on so many.
_EQUAL = 1e-9  # The difference is relative.
_ROUNDING = 1e-12


REFUTED: dict[str, str] = {
    "sigmoid": "tanh(dot(u, v) - 1)",
    "distance": "-norm(u - v)**2",
    "square": "(dot(u, v) - 1)**2",
    "fourth": "exp(-norm(u - v)**4)",
}
"""Functions that are often taken for kernels, and are none, by their names in links."""


@dataclass(frozen=True, eq=False)
class Report:
    """What is known of a formula.

    `unfit` is what keeps it from being used at all ("" if nothing does). `derivation` proves that
    it is a kernel, `refutation` that it is none; where neither is there, nothing is known. `proven`
    and `refuted` say each in a sentence.
    """

    tree: Node
    unfit: str
    derivation: Derivation | None = None
    refutation: CounterExample | None = None
    proven: str = ""
    refuted: str = ""

    @property
    def psd(self) -> Answer:
        """Whether it is a kernel."""
        return "yes" if self.derivation else "no" if self.refutation else "unknown"


def tested(text: str) -> Report:
    """Return what is known of a formula, as `reports` says: by default it is read and tried here.

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
    return reports.get()(text)


def _report(text: str) -> Report:
    return report_on(parse(text))


reports: ContextVar[Callable[[str], Report]] = ContextVar("reports", default=_report)
"""Where `tested` has its reports from: a server, in which many wait for one another, has them made
elsewhere."""


@lru_cache(maxsize=256)
def report_on(tree: Node) -> Report:
    """Return what is known of a formula that has been read."""
    compared, asymmetry = _compared(tree)
    tried = samples(max(2, evaluate.components(tree)))
    unfit = _unfit(tree, compared, asymmetry) or _rootless(tree, tried)
    if unfit:
        return Report(tree, unfit)
    derivation = derive(tree) if is_symmetric(tree) else None
    refutation = None if derivation else refute(_Unnamed(tree), tried)
    if derivation:
        where = "on all data for which it has values" if _is_partial(tree) else "for all data"
        proven = f"Proven: it is a kernel {where}."
        refuted = "Not refuted: it is a kernel."
    elif refutation:
        proven = "Proven: it is not a kernel."
        refuted = describe(refutation)
    else:
        proven = why_not(tree)
        refuted = f"Not refuted by {len(tried)} samples, which proves nothing."
    return Report(tree, unfit, derivation, refutation, proven, refuted)


@dataclass(frozen=True)
class _Unnamed(Kernel):
    """A formula of which nothing is known yet."""

    node: Node
    written: ClassVar[str] = "k(u, v)"

    @property
    def tree(self) -> Node:
        return self.node

    def evaluate(self, X: FloatArray, Z: FloatArray) -> FloatArray:
        return evaluate.matrix(self.node, X, Z)


def _is_partial(node: Node) -> bool:
    """Return whether it may have no value for some examples: it has logarithms, roots, divisions or
    such powers.
    """
    exponent = node.parts[1].constant if node.name == "**" else 1.0
    whole = exponent is not None and exponent >= 0 and exponent.is_integer()
    of_examples = bool(node.parts) and bool(node.parts[-1 if node.name == "/" else 0].sides)
    here = of_examples and (node.name in ("log", "sqrt", "/") or not whole)
    return here or any(map(_is_partial, node.parts))


def _unfit(tree: Node, compared: int, asymmetry: str) -> str:
    """Return the sentence that refuses a formula, "" if nothing is against it."""
    if tree.constant is not None and tree.constant < 0:
        return (
            f"The formula is the constant {tree.constant:g}: a constant is a kernel only if it "
            f"is at least 0."
        )
    if len(tree.sides) == 1:
        (used,) = tree.sides
        return (
            f"The formula uses {used} but not {'v' if used == 'u' else 'u'}: a kernel compares "
            f"two examples."
        )
    if asymmetry:
        return asymmetry
    if compared == 0:
        return (
            "The formula has no finite value for any examples tried: look at its logarithms, "
            "roots and divisions."
        )
    return ""


def _rootless(tree: Node, tried: list[FloatArray]) -> str:
    """Return the sentence that refuses normalized(k) where k(u, u) is below 0 for an example tried,
    "" if none is.
    """
    normalized = [part for part in tree.walk() if part.name == NORMALIZED]
    for part in normalized:
        if part.parts[0] in normalized:  # It is 0 or 1 for u = v.
            continue
        for X in tried:
            try:
                diagonal = evaluate.diagonal(part.parts[0], X)
            except ValueError:
                continue
            i = int(diagonal.argmin())
            point = X[i : i + 1]
            if diagonal[i] >= 0.0:
                continue
            k = bounded(part.parts[0], point, point)
            if float((k.value + k.error)[0, 0]) < 0.0:
                u = example(X[i].tolist()).replace("-", "−")
                sentence = (
                    f"{shortened(str(part), 60)} needs roots of k(u, u), but k(u, u) = "
                    f"−{-diagonal[i]:.4g} < 0"
                )
                return f"{sentence} for u = {u}, and nothing negative has a root."
    return ""


def _compared(tree: Node) -> tuple[int, str]:
    """Return for how many pairs k has values, and a sentence on the first where k(u, v) and k(v, u)
    differ.
    """
    rng = np.random.default_rng(7)
    columns = max(2, evaluate.components(tree))
    U, V = (np.round(rng.standard_normal((_PAIRS, columns)), 1) for _ in "uv")
    # Logarithms and roots need numbers above 0.
    U[::2] = np.abs(U[::2])
    V[::2] = np.abs(V[::2])
    # Numbers are readable where these tell enough.
    U[:8] = np.round(2 * U[:8])
    V[:8] = np.round(2 * V[:8])
    n_compared = 0
    for u, v in zip(U, V, strict=True):
        there = _value(tree, u, v)
        back = _value(tree, v, u)
        n_compared += there is not None and back is not None
        if there is None and back is None:
            continue
        if (
            there is None
            or back is None
            or abs(there - back) > _EQUAL * max(abs(there), abs(back)) + _ROUNDING
        ):
            one, other = (
                f"{name} has no finite value" if value is None else f"{name} = {value:.4g}"
                for name, value in (("k(u, v)", there), ("k(v, u)", back))
            )
            places = f"u = {example(u.tolist())} and v = {example(v.tolist())}"
            return n_compared, f"{one} but {other} for {places}: a kernel is the same both ways."
    return n_compared, ""


def _value(tree: Node, u: FloatArray, v: FloatArray) -> float | None:
    try:
        return float(evaluate.matrix(tree, u[None], v[None])[0, 0])
    except ValueError:
        return None


# ---- refutation ----


def refute(kernel: Kernel, samples: list[FloatArray]) -> CounterExample | None:
    """Return what refutes that k is a kernel, by the first sample that does so clearly; None if
    none does.

    Where none does so clearly, the clearest is returned. Samples without finite values show
    nothing, nor do those that refute by no more than rounding.
    """
    clearest = None
    for X in samples:
        try:
            counter_example = smaller(examine(kernel, X))
        except ValueError:
            continue
        if counter_example is None or not counter_example.symmetric:
            continue
        if clearest is None or counter_example.clarity > clearest.clarity:
            clearest = counter_example
        if clearest.clarity >= CLEAR:
            break
    return clearest


def describe(counter_example: CounterExample) -> str:
    """Return what refutes in one sentence."""
    value = significant(counter_example.value, 4)
    return f"Refuted: for {points_and_c(counter_example)}, cᵀKc = {value} is negative."


def points_and_c(counter_example: CounterExample) -> str:
    """Return what refutes, by its points and its c."""
    coordinates = ", ".join(example(point.tolist()) for point in counter_example.points)
    plural = "s" if len(counter_example.c) > 1 else ""
    points = f"the point{plural} {coordinates}".replace("-", "−")
    return f"{points} and c = ({counter_example.coefficients})"


def samples(columns: int) -> list[FloatArray]:
    """Return the samples that are tried: five points of the plane, points on curves, and fixed
    random ones.

    Their coordinates are what `describe` prints of them, so that whoever computes with the printed
    points refutes, too.

    >>> [len(X) for X in samples(2)][:3]
    [5, 5, 8]
    """
    point_sets = []
    for five in (FIVE, HALVED):
        point_sets.append(np.zeros((len(five), max(2, columns))))
        point_sets[-1][:, :2] = five
    steps = np.arange(1.0, 9.0)[:, None] / 4  # Logarithms and roots need numbers above 0.
    point_sets.append(steps * np.linspace(1.0, 2.0, columns) ** np.arange(8)[:, None])
    rng = np.random.default_rng(6)
    for size in (0.1, 0.5, 1.0, 2.0, 5.0):
        point_sets += [size * rng.standard_normal((n, columns)) for n in (4, 12, 30)]
        point_sets.append(size * np.abs(rng.standard_normal((12, columns))))
    return [as_printed(points) for points in point_sets]
