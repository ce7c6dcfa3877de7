"""Three readings of one run: last, averaged and voted (Freund & Schapire 1999).

A "place" of `Votes` is any point at which f is read: an example, or a point of the map.

Tests: tests/engine/test_run.py, tests/engine/test_run_readings.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, IntArray
from kpviz.engine.kernels.distances import by_matrix_products
from kpviz.engine.rounding import ROUNDING, weighted_sums, without_rounding
from kpviz.engine.run import fold
from kpviz.engine.run.gram import is_large

if TYPE_CHECKING:
    from kpviz.engine.run.run import Run


Columns = Callable[[NDArray[np.intp]], FloatArray]
Progress = Callable[[int, int], Any]  # It is called with what is done and with the limit.

PredictorName = Literal["last", "averaged", "voted"]
PREDICTORS = ("last", "averaged", "voted")
_MOST_VALUES = 1 << 22  # So many values of k are made at once: 32 MB.
_CHUNK = 2048  # So many places are voted on at once.
_OFTEN = 2048  # So many changes come between two calls of `progress`.
# Less than this share of the last terms of f may be the rounding of all the others.
_DOUBTFUL = 1e-6
# Changes whose kernel values are computed together: of a long stream only those near each other.
_BLOCK = 64


def predictor_named(name: str) -> PredictorName:
    """Return the name of a predictor, or raise a one-sentence ValueError."""
    return cast(PredictorName, checks.choice("predictor", name, PREDICTORS))


def coefficients(
    run: Run, times: Sequence[int], predictor: str = "last", progress: Progress | None = None
) -> tuple[FloatArray, FloatArray]:
    """Fold the changes up to each of the ascending times.

    Returns coef of shape (len(times), n) and the intercepts (len(times),), in data units, not in
    `run.unit`. "averaged" is the mean over the states after each presentation; before the first one
    it is 0. `progress` is called where it takes long, as progress(time, steps); its exceptions
    propagate.
    """
    coef, intercept, scale = coefficients_in_units(run, times, predictor, progress)
    return coef * scale[:, None], intercept * scale


def coefficients_in_units(
    run: Run, times: Sequence[int], predictor: str, progress: Progress | None = None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the same before it is multiplied, and the factors, (len(times),).

    The coefficients are whole numbers where they count mistakes. Who multiplies only the sums of
    them gets 0 where they cancel, at any learning rate. The factor is `run.unit`; of "averaged",
    whose coefficients are sums over the presentations, it is divided by the time.
    """
    averaged = predictor == "averaged"
    scale = run.unit / np.maximum(times, 1) if averaged else np.full(len(times), run.unit)
    if not run.changes.shrinks and not run.changes.evicts and run.start is None:
        coef, intercept = _sums(run, times, averaged=averaged)
        if progress is not None:
            progress(run.n_steps, run.n_steps)
        return coef, intercept, scale
    coef = np.empty((len(times), len(run.X)))
    intercept = np.empty(len(times))
    states = fold.sums(run, times) if averaged else fold.states(run, times)
    for row, (time, coef_then, b) in enumerate(states):
        coef[row] = coef_then
        intercept[row] = b
        if progress is not None:
            progress(time, run.n_steps)
    return coef, intercept, scale


def scores(
    run: Run,
    Z: FloatArray,
    times: Sequence[int],
    predictor: str = "last",
    progress: Progress | None = None,
) -> FloatArray:
    """Return the predictor's score of each row of Z at each of the ascending times: (len(times),
    n_Z).

    `progress` is called now and then, as progress(done, limit); its exceptions propagate.
    """
    checks.choice("predictor", predictor, PREDICTORS)
    if not len(Z):
        return np.zeros((len(times), 0))
    if predictor == "voted":
        size = min(_CHUNK, max(_MOST_VALUES // max(len(fold.ever_in_support(run)), 1), 1))
        parts = [
            _votes(run, Z[low : low + size], times, progress) for low in range(0, len(Z), size)
        ]
        return np.concatenate(parts, axis=1)
    coef, intercept, scale = coefficients_in_units(run, times, predictor, progress)
    support = np.flatnonzero((coef != 0).any(axis=0))
    weights = coef[:, support]
    # The terms of f₀ are added up with all others, so that what cancels by hand is 0.
    if run.initial is not None:
        n_terms = len(run.initial.terms(Z[:1]))
        weights = np.hstack([weights, np.repeat(1.0 / scale[:, None], n_terms, axis=1)])
    parts = []
    for part in _parts(run, Z, len(support)):
        columns = kernel_columns(run, part, support).T
        if run.initial is not None:
            columns = np.vstack([columns, run.initial.terms(part)])
        parts.append(weighted_sums(weights, columns, intercept) * scale[:, None])
        if progress is not None:
            progress(run.n_steps, run.n_steps)
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


def _parts(run: Run, Z: NDArray[Any], columns: int) -> Iterator[NDArray[Any]]:
    """Yield examples in parts, whose values of k with so many others are made at once."""
    size = max(_MOST_VALUES // max(columns, 1), 1)
    if len(Z) <= size:
        yield Z
        return
    for low in range(0, len(Z), size):
        yield Z[low : low + size]


# K(X, X[changed]) of the examples that changes name, which all readings of a run on its own
# examples need.
_changed_columns: WeakKeyDictionary[Run, tuple[NDArray[np.intp], FloatArray]] = WeakKeyDictionary()


def kernel_columns(run: Run, Z: FloatArray, support: NDArray[np.intp]) -> FloatArray:
    """Return K(Z, X[support]), shape (n_Z, len(support)), for any examples Z and some of the
    training examples.
    """
    if run.kernel is None:
        return np.asarray(Z[:, support])
    if not len(support):
        return np.zeros((len(Z), 0))  # A function may refuse an empty set.
    if Z is run.X and not is_large(len(Z)):
        if run not in _changed_columns:
            _changed_columns[run] = _columns_of_changed(run)
        changed, columns = _changed_columns[run]
        # The support may have examples that the run began with, which no change names.
        place = np.searchsorted(changed, support)
        if place.max() < len(changed) and np.array_equal(changed[place], support):
            return columns[:, place]
    if not is_large(len(run.X)):
        return run.kernel.evaluate(Z, run.X[support])
    with by_matrix_products():
        return run.kernel.evaluate(Z, run.X[support])


def _columns_of_changed(run: Run) -> tuple[NDArray[np.intp], FloatArray]:
    """Return the examples that changes name, ascending, and k of all examples with each."""
    changed = np.unique(run.changes.index).astype(np.intp)
    if run.kernel is None or not len(changed):
        return changed, np.zeros((len(run.X), 0))
    return changed, run.kernel.evaluate(run.X, run.X[changed])


def errors_per_epoch(
    run: Run,
    Z: FloatArray,
    y: FloatArray,
    predictor: str = "last",
    progress: Progress | None = None,
) -> FloatArray:
    """Return the share of wrong signs on (Z, y), n_Z > 0, at the end of each epoch, (n_epochs,); a
    zero is wrong.

    A vote has no zero: sign(0) = +1 within it, and a tied vote predicts +1.
    """
    times = run.epoch_ends.tolist()
    if not times:
        return np.zeros(0)
    values = scores(run, Z, times, predictor, progress)
    if predictor == "voted":
        values = np.where(values >= 0, 1.0, -1.0)
    return np.asarray((values * y <= 0).mean(axis=1))


def all_errors_per_epoch(
    run: Run, X: FloatArray, y: FloatArray, progress: Progress | None = None
) -> FloatArray:
    """Return the share of errors on (X, y) of each predictor at the end of each epoch, (3,
    n_epochs).
    """
    return np.array([errors_per_epoch(run, X, y, kind, progress) for kind in PREDICTORS])


def averaging_verdict(errors: FloatArray, n: int) -> str:
    """Return a sentence if exactly one of the last hypothesis and the mean separates the training
    set, else "".

    `errors`, (3, n_epochs), are shares of the n training examples.

    >>> averaging_verdict(np.array([[0.0], [0.1], [0.2]]), 20)
    'Averaging lost the separation: at the end f makes no error on the training set, its mean
    makes 2 and the vote 4.'
    """
    if not errors.size:
        return ""
    last, averaged, voted = (round(float(share) * n) for share in errors[:, -1])
    if last == 0 < averaged:
        return (
            f"Averaging lost the separation: at the end f makes no error on the training set, its "
            f"mean makes {averaged}"
            f" and the vote {voted}."
        )
    if averaged == 0 < last:
        errors_made = f"{last} error{'s' * (last != 1)}"
        return (
            f"At the end the mean of all f separates the training set; the last f does not: it "
            f"makes {errors_made}."
        )
    return ""


def _sums(run: Run, times: Sequence[int], *, averaged: bool) -> tuple[FloatArray, FloatArray]:
    """Return coef and b in units at each time, or, `averaged`, their sums over the presentations.

    All changes between two times are added at once, which is right where nothing shrinks. A change
    at presentation s is in the states after s + 1, …, t presentations, that is in t − s of t: its
    sum is t·delta − s·delta.
    """
    changes = run.changes
    times_reached = np.asarray(times)
    # The first of the times that comes after each change; later ones get it by `cumsum`. One row
    # more takes the changes after the last time.
    row = np.searchsorted(times_reached, changes.step, side="right")
    owner = np.repeat(np.arange(len(changes)), np.diff(changes.pointer))

    def sums(weight: IntArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Sum weight·delta and weight·shift up to each time, and weight·|shift|."""
        total = np.zeros((len(times) + 1, len(run.X)))
        shifts = np.zeros((2, len(times) + 1))  # They are added with their signs and without.
        weights = np.broadcast_to(weight, len(changes))
        np.add.at(total, (row[owner], changes.index), changes.delta * weights[owner])
        np.add.at(shifts[0], row, changes.shift * weights)
        np.add.at(shifts[1], row, np.abs(changes.shift) * weights)
        b, size = shifts[:, :-1].cumsum(axis=1)
        return total[:-1].cumsum(axis=0), b, size

    coef, b, size = sums(1.0)
    if averaged:
        coef_by_step, b_by_step, size_by_step = sums(changes.step)
        coef = times_reached[:, None] * coef - coef_by_step
        b = times_reached * b - b_by_step
        size = times_reached * size + size_by_step
    return coef, without_rounding(b, size)


def _votes(run: Run, Z: FloatArray, times: Sequence[int], progress: Progress | None) -> FloatArray:
    """Return the sum of the votes for each row of Z at each time, (len(times), n_Z)."""
    support = fold.ever_in_support(run)
    place = np.zeros(len(run.X), dtype=np.intp)
    place[support] = np.arange(len(support))
    columns = np.ascontiguousarray(kernel_columns(run, Z, support).T)
    fixed = None
    if run.initial is not None:
        fixed = (run.initial.scores(Z) / run.unit, run.initial.sizes(Z) / run.unit)
    votes = Votes(run, lambda index: columns[place[index]], len(Z), fixed)
    return np.array([votes.at(time, progress) for time in times]).reshape(len(times), len(Z))


class Votes:
    """The votes sign(f) of the states after 1, …, t presentations, sign(0) = +1, counted
    incrementally.

    Parameters
    ----------
    columns : returns k(x_i, ·) at the places for some examples i, (len(i), size).
    size : how many places there are.
    fixed : f₀ at the places, in units, and what its terms amount to without their signs; None for
        none.

    Where f of a place may be a rounding error it is added up again, and is 0 where it is nothing
    else.
    """

    def __init__(
        self,
        run: Run,
        columns: Columns,
        size: int,
        fixed: tuple[FloatArray, FloatArray] | None = None,
    ) -> None:
        self._run = run
        self._columns = columns
        self._size = size
        self._fixed, self._fixed_size = (np.zeros(size), np.zeros(size)) if fixed is None else fixed
        self._begin()

    def at(self, t: int, progress: Progress | None = None) -> FloatArray:
        """Return the sum of the votes of the first t presentations at each place, (size,).

        An instant before the last one asked for is counted from the start. `progress` is called now
        and then, as progress(done, limit) with changes; its exceptions propagate.
        """
        changes = self._run.changes
        if t < self._counted:
            self._begin()
        while self._done < len(changes) and changes.step[self._done] < t:
            self._count(int(changes.step[self._done]))
            self._advance()
            if progress is not None and self._done % _OFTEN == 0:
                progress(self._done, len(changes))
        self._count(t)
        return self._votes.copy()

    def _begin(self) -> None:
        """Go back to the start."""
        self._walk = fold.Walk(self._run)
        # f at the places without b and f₀, in units; and the sum of what was added, without signs.
        self._f, self._added = self._sums(slice(None))
        self._votes = np.zeros(self._size)
        self._done = 0  # So many changes are in f.
        self._counted = 0  # So many presentations have voted.

    def _sums(self, places: slice | NDArray[np.intp]) -> tuple[FloatArray, FloatArray]:
        """Return f and the sum without signs at some places, from the coefficients."""
        support = np.flatnonzero(self._walk.coef)
        coef = self._walk.coef[support]
        columns = self._columns(support)[:, places]
        return coef @ columns, np.abs(coef) @ np.abs(columns)

    def _count(self, t: int) -> None:
        """Let the hypothesis in force vote for the presentations up to t."""
        n_votes = t - self._counted
        self._counted = t
        if n_votes:
            score, size = self._score_and_size()
            self._votes += np.where(score >= -ROUNDING * size, n_votes, -n_votes)

    def _score_and_size(self) -> tuple[FloatArray, FloatArray]:
        """Return the score at each place, and what its terms amount to without their signs."""
        score = self._f + (self._walk.b + self._fixed)
        return score, self._added + abs(self._walk.b) + self._fixed_size

    def _advance(self) -> None:
        """Apply the next change."""
        changes = self._run.changes
        self._f *= changes.shrink[self._done]
        index, weights = self._walk.advance(self._done)
        columns = self._columns(np.asarray(index, dtype=np.intp))
        for weight, column in zip(weights, columns, strict=True):
            term = weight * column
            self._f += term
            self._added += np.abs(term, out=term)
        if changes.evicts or self._run.learner.projects:
            self._sum_again()
        self._done += 1

    def _sum_again(self) -> None:
        """Add f up again where it may be only what a subtraction has left."""
        score, size = self._score_and_size()
        doubtful = np.flatnonzero(np.abs(score) < ROUNDING * size)
        if len(doubtful):
            self._f[doubtful], self._added[doubtful] = self._sums(doubtful)


def scores_after(run: Run, progress: Progress | None = None) -> FloatArray:
    """Return f(x_i) after each change, (n_changes,), i being the example that was shown.

    `progress` is called now and then, as progress(done, limit) with changes; its exceptions
    propagate.

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = kpviz.kernels.Polynomial(2, 1.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=1)
    >>> run.score[run.changes.step], scores_after(run)
    (array([ 0., -1.,  0.,  1.]), array([-9.,  8.,  9., -8.]))
    """
    changes = run.changes
    unit = run.unit
    presented = run.index[changes.step].astype(np.intp)
    owner, index, weight = _entries(run)
    added = weight * _kernel_of_pairs(run, presented[owner], index, owner, progress)
    # b before each change.
    b = fold.start_in_units(run)[1] + np.cumsum(changes.shift) - changes.shift
    if run.initial is not None:
        b = b + run.initial.scores(run.X[presented]) / unit  # Nothing shrinks f₀, either.
    with np.errstate(over="ignore", invalid="ignore"):  # Numbers far too large are refused later.
        carried_over = (run.score[changes.step] / unit - b) * changes.shrink
        added_up = np.bincount(owner, added, len(changes))
        total = carried_over + b + changes.shift + added_up
        parts = (
            np.abs(carried_over)
            + np.abs(b)
            + np.abs(changes.shift)
            + np.bincount(owner, np.abs(added), len(changes))
        )
        doubtful = np.flatnonzero((total != 0.0) & (np.abs(total) < _DOUBTFUL * parts))
        for block in np.array_split(doubtful, len(doubtful) // _BLOCK + 1):
            total[block] = _settled_after(run, block, total[block])
        return np.where(total == 0.0, 0.0, total * unit)


def _settled_after(run: Run, changes: NDArray[np.intp], scores: FloatArray) -> FloatArray:
    """Return scores after some changes, in units: 0 where they are only the rounding of all that is
    added up in f.
    """
    times = run.changes.step[changes] + 1
    coef, b, _ = coefficients_in_units(run, times.tolist(), "last")
    sizes = np.empty(len(times))
    for row, i in enumerate(run.index[times - 1].tolist()):
        support = np.flatnonzero(coef[row])
        k = kernel_columns(run, run.X[i : i + 1], support)[0]
        sizes[row] = np.abs(coef[row, support]) @ np.abs(k) + abs(b[row])
        if run.initial is not None:
            sizes[row] += run.initial.sizes(run.X[i : i + 1])[0] / run.unit
    return without_rounding(scores, sizes)


def _entries(run: Run) -> tuple[NDArray[np.intp], NDArray[np.intp], FloatArray]:
    """Return what changes add to coefficients, and what they evict with its sign turned: change,
    example and weight of each entry, in units.
    """
    changes = run.changes
    owner = np.repeat(np.arange(len(changes)), np.diff(changes.pointer))
    added = owner, changes.index.astype(np.intp), changes.delta
    if not changes.evicts:
        return added
    # Between two changes an entry shrinks by the ratio of these products, which are kept as
    # logarithms, since they may vanish.
    log_products = np.cumsum(np.log(changes.shrink))
    # Each entry that may be evicted is the only one of its presentation.
    before = fold.entries_before(run.start, run.unit)
    steps = np.concatenate([before.step, changes.step[owner]])
    order = np.argsort(steps, kind="stable")
    evicting = np.flatnonzero(changes.evicted != -1)
    entry = order[np.searchsorted(steps, changes.evicted[evicting], sorter=order)]
    weights = np.concatenate([before.weight, changes.delta])[entry]
    log_product_at_birth = np.concatenate([np.zeros(len(before.step)), log_products[owner]])[entry]
    weights *= np.exp(log_products[evicting] - log_product_at_birth)
    examples = np.concatenate([before.index, changes.index])[entry]
    evicted = evicting, examples.astype(np.intp), -weights
    owners, indices, all_weights = (
        np.concatenate(pair) for pair in zip(added, evicted, strict=True)
    )
    return owners, indices, all_weights


def _kernel_of_pairs(
    run: Run,
    presented: NDArray[np.intp],
    index: NDArray[np.intp],
    owner: NDArray[np.intp],
    progress: Progress | None,
) -> FloatArray:
    """Return k of each pair (presented, index); `owner` is the change to which the pair belongs.

    The pairs of `_BLOCK` changes are computed together, as a matrix of the examples among them.
    """
    values = np.empty(len(index))
    is_same = presented == index
    values[is_same] = _diagonal(run)[index[is_same]]
    others = np.flatnonzero(~is_same)
    if not len(others):
        return values
    by_owner = others[np.argsort(owner[others], kind="stable")]
    ends_of_blocks = np.flatnonzero(np.diff(owner[by_owner] // _BLOCK)) + 1
    for pairs in np.split(by_owner, ends_of_blocks):
        rows, row = np.unique(presented[pairs], return_inverse=True)
        columns, column = np.unique(index[pairs], return_inverse=True)
        values[pairs] = kernel_columns(run, run.X[rows], columns)[row, column]
        if progress is not None:
            progress(int(owner[pairs[-1]]), len(run.changes))
    return values


def _diagonal(run: Run) -> FloatArray:
    """Return k(x, x) of each example, (n,)."""
    if run.kernel is None:
        return np.asarray(run.X.diagonal())
    return run.kernel.diag(run.X) if len(run.X) else np.zeros(0)
