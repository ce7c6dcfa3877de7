"""The one loop over presentations.

Legend: n examples; t presentations so far; i the example shown; f its score; m the length of an epoch.
Everything is in the learner's unit until it is recorded (counts for the perceptron), so that ties stay exact.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel, Linear, as_kernel
from kpviz.engine.learners.protocol import Change, Learner
from kpviz.engine.run import Changes, Run, State

ORDERS = ("cyclic", "shuffled", "random")
Indices = NDArray[np.intp]
Progress = Callable[[int, int], Any]

_SECONDS_BETWEEN_PROGRESS = 0.05
_SHORTEST, _LONGEST = 8, 1024  # how many presentations are looked at together


def train(
    learner: Learner,
    X: ArrayLike,
    y: ArrayLike,
    *,
    kernel: Kernel | Callable[[FloatArray, FloatArray], FloatArray] | Literal["precomputed"] | None = None,
    order: str | ArrayLike = "cyclic",
    epochs: int = 50,
    seed: int = 0,
    stop_when_clean: bool = True,
    progress: Progress | None = None,
    start: State | None = None,
) -> Run:
    """Show the examples to the learner, one after the other, and record what changes.

    Parameters
    ----------
    X : (n, n_features) finite numbers, or the (n, n) Gram matrix when kernel is "precomputed".
    y : (n,) labels -1 or +1.
    kernel : a kernel object, a function k(X, Z), or "precomputed"; None means linear.
    order : "cyclic"; "shuffled": a fresh permutation each epoch, from `seed`; "random": drawn with replacement,
        which never ends early; or an integer array with one row of indices for each epoch.
    epochs : at most this many, at least 1.
    seed : of the order, at least 0; what the learner itself draws comes from another generator.
    stop_when_clean : end after the first epoch that shows every example and changes nothing.
    progress : called about every 50 ms as progress(done, limit), in presentations. An Exception raised in it
        cancels: the run so far is returned, with end "cancelled".
    start : go on from this state instead of from zero.

    Raises
    ------
    ValueError
        One sentence that names the argument, its value and what is allowed.

    Examples
    --------
    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Polynomial(degree=2, coef0=1.0))
    >>> run.end, run.n_epochs, int(run.mistake.sum()), run.state_at(run.n_steps).alpha
    ('clean', 2, 4, array([1., 1., 1., 1.]))
    """
    X = checks.matrix("X", X).copy()  # a Run stays as it is, whatever becomes of the caller's arrays
    y = checks.labels(y, len(X)).copy()
    seed = checks.integer("seed", seed, low=0)
    used = _kernel(kernel, X)
    gram = X if used is None else _gram(used, X)
    rows, limit = _rows(order, len(X), checks.integer("epochs", epochs, low=1), seed)
    _check_parts(learner, len(y), start, progress)
    may_end = stop_when_clean and not (isinstance(order, str) and order == "random")
    training = _Training(learner, gram, y, seed, start)
    end = _present(training, rows, limit, may_end, progress)
    return Run(learner, used, X, y, *training.record(), end, seed, learner.unit, start)


class _Training:
    """The state while it is being trained, and the record as it grows."""

    def __init__(self, learner: Learner, gram: FloatArray, y: FloatArray, seed: int, start: State | None) -> None:
        self.learner, self.gram, self.y = learner, gram, y
        self.memory = learner.start(gram, y, np.random.default_rng([seed, 1]))
        self.coef, self.b = (np.zeros(len(y)), 0.0) if start is None else start.in_units(learner.unit)
        self.scores = np.zeros(len(y)) if start is None else gram @ self.coef + self.b
        self.shown: list[Indices] = []
        self.seen: list[FloatArray] = []
        self.step, self.pointer, self.index = array("i"), array("i", [0]), array("i")
        self.delta, self.shift, self.shrink = array("d"), array("d"), array("d")

    def apply(self, change: Change, t: int) -> None:
        """Change the state, and write it down."""
        indices, deltas, shift, shrink = change
        scores, gram = self.scores, self.gram
        if shrink != 1.0:
            self.coef *= shrink
            scores -= self.b
            scores *= shrink
            scores += self.b
        for i, delta in zip(indices, deltas, strict=True):
            self.coef[i] += delta
            self.index.append(i)
            self.delta.append(delta)
            if delta == 1.0:  # spares a product per example; the sums are the same
                scores += gram[i]
            elif delta == -1.0:
                scores -= gram[i]
            else:
                scores += delta * gram[i]
        if shift:
            self.b += shift
            scores += shift
        self.step.append(t)
        self.pointer.append(len(self.index))
        self.shift.append(shift)
        self.shrink.append(shrink)

    def record(self) -> tuple[NDArray[np.int32], FloatArray, NDArray[np.int32], Changes]:
        """Return index, score, epoch_start and changes."""
        lengths = [len(row) for row in self.seen if len(row)]  # one cancelled before it began is no epoch
        shown = [row[:length].astype(np.int32) for row, length in zip(self.shown, lengths, strict=False)]
        index = np.concatenate([np.zeros(0, np.int32), *shown])
        score = np.concatenate([np.zeros(0), *self.seen]) * self.learner.unit
        epoch_start = (np.cumsum([0, *lengths])[:-1]).astype(np.int32)
        changes = Changes(
            step=np.array(self.step, dtype=np.int32),
            pointer=np.array(self.pointer, dtype=np.int32),
            index=np.array(self.index, dtype=np.int32),
            delta=_compact(np.array(self.delta)),
            shift=_compact(np.array(self.shift)),
            shrink=_compact(np.array(self.shrink)),
        )
        return index, score, epoch_start, changes


def _present(training: _Training, rows: Iterator[Indices], limit: int, may_end: bool, progress: Progress | None) -> str:
    """Show epoch after epoch; return how it ended."""
    learner, y, n = training.learner, training.y, len(training.y)
    quiet, change_of, memory = learner.quiet_above, learner.change, training.memory
    scores, coef = training.scores, training.coef
    due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS
    t, ahead = 0, _SHORTEST
    for row in rows:
        signs, seen, m, at, changed = y[row], np.empty(len(row)), len(row), 0, len(training.step)
        training.shown.append(row)
        training.seen.append(seen)
        while at < m:
            if progress is not None and time.perf_counter() >= due:
                if not _goes_on(progress, t + at, limit):
                    training.seen[-1] = seen[:at]
                    return "cancelled"
                due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS
            stop = min(at + ahead, m)
            scored = scores.take(row[at:stop])
            if quiet is None:
                first = 0
            else:  # correct examples change nothing, so look for the first that is not
                wrong = scored * signs[at:stop] <= quiet
                first = int(wrong.argmax())
                if not wrong[first]:
                    seen[at:stop] = scored
                    at, ahead = stop, min(2 * ahead, _LONGEST)
                    continue
            asked = at + first
            seen[at : asked + 1] = scored[: first + 1]
            change = change_of(memory, t + asked, int(row[asked]), scores, coef)
            if change is not None:
                training.apply(change, t + asked)
            at, ahead = asked + 1, max(_SHORTEST, 2 * first)
        t += m
        if may_end and len(training.step) == changed and len(np.unique(row)) == n:
            return "clean"
    return "limit"


def _goes_on(progress: Progress, done: int, limit: int) -> bool:
    try:
        progress(done, limit)
    except Exception:
        return False
    return True


def _check_parts(learner: object, n: int, start: object, progress: object) -> None:
    """Refuse what would fail later, or look like a cancelled run."""
    if isinstance(learner, type) or not callable(getattr(learner, "change", None)):
        raise ValueError(f"learner={learner!r} is not a learner: it must be an object such as Perceptron().")
    if start is not None and not isinstance(start, State):
        raise ValueError(f"start is of type {type(start).__name__}: it must be a State, as Run.state_at returns it.")
    if isinstance(start, State) and start.coef.shape != (n,):
        raise ValueError(f"start has {len(start.coef)} coefficients: it must have one for each of {n} examples.")
    if progress is not None and not callable(progress):
        raise ValueError(f"progress={progress!r} is not a function: it must be called as progress(done, limit).")


def _gram(kernel: Kernel, X: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        gram = kernel.evaluate(X, X)
    if not np.isfinite(gram).all():
        raise ValueError("kernel is infinite or NaN on X: every k(u, v) must be a finite number, so scale X down.")
    return gram


def _kernel(kernel: object, X: FloatArray) -> Kernel | None:
    """Return the kernel object, or None for "precomputed"."""
    if kernel is None:
        return Linear()
    if isinstance(kernel, str) and kernel == "precomputed":
        if X.shape[0] != X.shape[1]:
            raise ValueError(f"X has shape {X.shape}: a precomputed Gram matrix must be square.")
        return None
    return as_kernel(cast(Kernel, kernel))


def _rows(order: str | ArrayLike, n: int, epochs: int, seed: int) -> tuple[Iterator[Indices], int]:
    """Return the indices of each epoch, made when they are needed, and the most presentations there can be."""
    if isinstance(order, str):
        checks.choice("order", order, ORDERS)
        rng = np.random.default_rng([seed, 0])
        if order == "cyclic":
            return repeat(np.arange(n), epochs), n * epochs
        if order == "shuffled":
            return (rng.permutation(n) for _ in range(epochs)), n * epochs
        return (rng.integers(0, n, size=n, dtype=np.intp) for _ in range(epochs)), n * epochs
    try:
        rows = np.atleast_2d(np.asarray(order))
    except ValueError:
        raise ValueError("order has rows of different lengths: give each epoch the same number of indices.") from None
    if rows.ndim != 2 or rows.size == 0 or not np.issubdtype(rows.dtype, np.integer):
        raise ValueError(
            f"order has shape {rows.shape} and type {rows.dtype}: it must be one of {', '.join(ORDERS)}, "
            "or an integer array with one row of indices for each epoch."
        )
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError(f"order holds an index outside 0 to {n - 1}: each must be the index of an example.")
    rows = rows[:epochs].astype(np.intp)
    return iter(rows), rows.size


def _compact(values: FloatArray) -> FloatArray:
    """Return the same values, in no memory when they are all equal."""
    if len(values) and (values == values[0]).all():
        return np.broadcast_to(values[0], values.shape)
    return values
