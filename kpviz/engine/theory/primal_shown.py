"""What is shown of the primal perceptron: the features with the largest weights, both scores, both costs.

Legend: m shown entries of w; φ, dim and the costs are those of `primal.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners import Perceptron
from kpviz.engine.powers import times_ten
from kpviz.engine.run.grid import Extent
from kpviz.engine.run.run import Run
from kpviz.engine.theory import primal
from kpviz.engine.theory.applicable_bounds import NO_EXAMPLES
from kpviz.engine.theory.primal import Costs

_DEGREES, _DIMENSIONS = (2, 3, 5, 10), (2, 10, 100, 784)  # of the table of growth
_EXACT = 10**6  # larger numbers are given by their order of magnitude
_REACH = 0.4  # of the map, for the longest w of a run

_known: WeakKeyDictionary[Run, Shown] = WeakKeyDictionary()  # a film asks at every step


@dataclass(frozen=True, eq=False)
class Shown:
    """The run of a perceptron in the primal form, as far as panels show it; or `why` there is none, "" where there is.

    Attributes
    ----------
    dimension : entries of φ. columns : (m,) which of them are shown. names : theirs.
    phi : (n, m) these features of the training examples.
    path : (n_changes + 1, m) w before the first change and after each. intercepts : (n_changes + 1,) b likewise.
    plane : whether φ(x) is x itself, a point of the plane, so that w is an arrow there.
    score : (n_steps,) from w at each presentation. agrees : (n_steps,) whether its verdict is that of the kernel.
    apart : why they part, "" where they do not. costs : of both forms; None where there is a `why`.
    b : whether the learner has an intercept.
    """

    why: str = ""
    dimension: int = 0
    columns: NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    names: tuple[str, ...] = ()
    phi: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))
    path: FloatArray = field(default_factory=lambda: np.zeros((1, 0)))
    intercepts: FloatArray = field(default_factory=lambda: np.zeros(1))
    plane: bool = False
    score: FloatArray = field(default_factory=lambda: np.zeros(0))
    agrees: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    apart: str = ""
    costs: Costs | None = None
    b: bool = False

    @property
    def largest(self) -> float:
        """The largest |w_j| of the run, 1.0 where nothing was learnt: bars share its scale."""
        return float(np.abs(self.path).max(initial=0.0)) or 1.0


@dataclass(frozen=True)
class Arrow:
    """Where w begins on the map, its length there per unit, and whether that is the middle since 0 is not shown."""

    start: tuple[float, float]
    scale: float
    moved: bool

    @classmethod
    def of(cls, path: FloatArray, shown: Extent) -> Arrow:
        """Return one scale for all w of a run, (n_changes + 1, 2), by which the longest fits into the map."""
        low, high = np.array([shown.low_1, shown.low_2]), np.array([shown.high_1, shown.high_2])
        longest = float(np.linalg.norm(path, axis=1).max(initial=0.0))
        moved = bool(((low > 0.0) | (high < 0.0)).any())
        first, second = (low + high) / 2.0 if moved else np.zeros(2)
        reach = _REACH * float((high - low).min())
        return cls((float(first), float(second)), reach / longest if longest else 1.0, moved)


def shown(run: Run) -> Shown:
    """Return what is shown of a run, worked out once.

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Monomial(degree=2))
    >>> shown(run).names, shown(run).path[-1].round(4)
    (('x₁²', '√2·x₁x₂', 'x₂²'), array([ 0.    , -2.8284,  0.    ]))
    """
    if run not in _known:
        _known[run] = _read(run)
    return _known[run]


def _read(run: Run) -> Shown:
    if why := why_not(run):
        return Shown(why)
    try:
        reading = primal.read(run)
    except ValueError as error:  # of features too large to be written out
        return Shown(str(error))
    columns = reading.columns_shown()
    return Shown(
        dimension=reading.dimension,
        columns=columns,
        names=tuple(reading.names[column] for column in columns),
        phi=reading.phi[:, columns],
        path=reading.path(columns),
        intercepts=reading.intercepts,
        plane=reading.names == ("x₁", "x₂"),
        score=reading.score,
        agrees=reading.agrees,
        apart=reading.why,
        costs=primal.costs(run),
        b=run.learner.intercept != "none",
    )


def why_not(run: Run) -> str:
    """Return in a sentence why a run has no primal form that is shown, "" where its features decide."""
    if isinstance(run.learner, Perceptron):
        return primal.missing(run.kernel) or ("" if len(run.y) else NO_EXAMPLES)
    title = run.learner.about.title
    return f"Only the plain perceptron has a primal form here: {title} changes its weights by another rule."


def growth() -> dict[str, Any]:
    """Entries of φ for (u·v + 1)^q, a row for each degree, and multiplications of one such kernel; in words.

    >>> growth()["rows"][0]
    ['2', ['6', '66', '5,151', '308,505']]
    """
    rows = {(row.degree, row.n_features): row for row in primal.growth(_DEGREES, _DIMENSIONS)}
    return {
        "dimensions": [size(d) for d in _DIMENSIONS],
        "rows": [[size(q), [size(rows[q, d].up_to) for d in _DIMENSIONS]] for q in _DEGREES],
        "kernel": [size(rows[_DEGREES[-1], d].kernel) for d in _DIMENSIONS],
    }


def size(value: int) -> str:
    """Return an exact number, or one of two digits and a power of ten; JavaScript rounds whole numbers above 2⁵³.

    >>> size(308505), size(26 * 10**21)
    ('308,505', '2.6×10²²')
    """
    if value < _EXACT:
        return f"{value:,}"
    digits, power = f"{value:.1e}".split("e")
    return times_ten(digits, int(power))
