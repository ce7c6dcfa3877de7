"""The score of the example of each change once that change is made: beside `Run.score`, which was before it.

Legend: change j shows example i; f its score before, b the intercept before; `own` entries add to i itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.run import fold
from kpviz.engine.run.votes import Progress

if TYPE_CHECKING:
    from kpviz.engine.run.run import Run

_BLOCK = 64  # changes whose kernel values are computed together: of a long stream only those near each other
_ROUNDING = 1e-12  # what is less, beside what was added up to it, is zero


def scores_after(run: Run, progress: Progress | None = None) -> FloatArray:
    """Return f(x_i) after each change, (n_changes,), i being the example that was shown.

    `progress` is called now and then, as progress(done, limit) with changes; its exceptions propagate.

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Polynomial(2, 1.0), epochs=1)
    >>> run.score[run.changes.step], scores_after(run)
    (array([ 0., -1.,  0.,  1.]), array([-9.,  8.,  9., -8.]))
    """
    changes, unit = run.changes, run.unit
    shown = run.index[changes.step].astype(np.intp)
    owner, index, weight = _entries(run)
    added = np.multiply(weight, _kernel(run, shown[owner], index, owner, progress))
    b = fold.start_in_units(run)[1] + np.cumsum(changes.shift) - changes.shift
    with np.errstate(over="ignore", invalid="ignore"):  # of numbers far too large, which are refused later
        kept = (run.score[changes.step] / unit - b) * changes.shrink
        parts = np.stack([kept, b, changes.shift, np.bincount(owner, added, len(changes))])
        sizes = np.abs(parts[:3]).sum(axis=0) + np.bincount(owner, np.abs(added), len(changes))
        total = parts.sum(axis=0)
        return np.where(np.abs(total) <= _ROUNDING * sizes, 0.0, total * unit)


def _entries(run: Run) -> tuple[NDArray[np.intp], NDArray[np.intp], FloatArray]:
    """Return what changes add and, with its sign turned, take away: change, example and weight of each entry."""
    changes = run.changes
    owner = np.repeat(np.arange(len(changes)), np.diff(changes.pointer))
    added = owner, changes.index.astype(np.intp), changes.delta
    if not changes.evicts:
        return added
    left = np.cumsum(np.log(changes.shrink))
    before = fold.entries_before(run.start, run.unit)
    steps = np.concatenate([before.step, changes.step[owner]])
    order = np.argsort(steps, kind="stable")
    taken = np.flatnonzero(changes.evicted != -1)
    entry = order[np.searchsorted(steps, changes.evicted[taken], sorter=order)]
    weights = np.concatenate([before.weight, changes.delta])[entry]
    since = np.concatenate([np.zeros(len(before.step)), left[owner]])[entry]
    examples = np.concatenate([before.index, changes.index])[entry]
    gone = taken, examples.astype(np.intp), -weights * np.exp(left[taken] - since)
    first, second, third = (np.concatenate(pair) for pair in zip(added, gone, strict=True))
    return first, second, third


def _kernel(
    run: Run, shown: NDArray[np.intp], index: NDArray[np.intp], owner: NDArray[np.intp], progress: Progress | None
) -> FloatArray:
    """Return k of each pair of examples."""
    values = np.empty(len(index))
    own = shown == index
    values[own] = _diagonal(run)[index[own]]
    others = np.flatnonzero(~own)
    ranked = others[np.argsort(owner[others], kind="stable")]
    for at in np.split(ranked, np.flatnonzero(np.diff(owner[ranked] // _BLOCK)) + 1) if len(ranked) else ():
        rows, row = np.unique(shown[at], return_inverse=True)
        columns, column = np.unique(index[at], return_inverse=True)
        values[at] = run.columns(run.X[rows], columns)[row, column]
        if progress is not None:
            progress(int(owner[at[-1]]), len(run.changes))
    return values


def _diagonal(run: Run) -> FloatArray:
    if run.kernel is None:
        return np.asarray(run.X.diagonal())
    return run.kernel.diag(run.X) if len(run.X) else np.zeros(0)
