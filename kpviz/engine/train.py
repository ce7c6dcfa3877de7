"""The one loop over presentations.

Legend: n examples; t presentations so far; i the example shown; f its score; m the length of an epoch.
Everything is in the learner's unit until it is recorded (counts for the perceptron), so that ties stay exact.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, chain, repeat
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.fold import entries_before
from kpviz.engine.kernels import Kernel, Linear, as_kernel
from kpviz.engine.learners.protocol import Change, Entries, Learner, Past
from kpviz.engine.run import Changes, Run, State

ORDERS = ("cyclic", "shuffled", "random")
add, multiply, subtract = np.add, np.multiply, np.subtract
Indices = NDArray[np.intp]
Progress = Callable[[int, int], Any]
Choose = Callable[[Any, FloatArray], int | None]

_SECONDS_BETWEEN_PROGRESS = 0.05
_NEAR = 64
_MANY = 4  # coefficients changed at once, from which one product is faster than a sum of rows
_ROUNDING = 1e-12  # of the largest k(u, v): a score so near to zero may be a rest of subtractions
_SHORTEST, _LONGEST = 64, 1024  # how many are looked at together


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
    X : (n, n_features) finite numbers, or the (n, n) Gram matrix when kernel is "precomputed"; n texts for a kernel
        of texts, trees or graphs.
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
    used, X = _compared(kernel, X)
    y = checks.labels(y, len(X)).copy()
    seed = checks.integer("seed", seed, low=0)
    gram = X if used is None else _gram(used, X)
    epochs = checks.integer("epochs", epochs, low=1)
    rows, limit = _rows(order, len(X), epochs, seed)
    _check_parts(learner, len(y), start, progress)
    choose = getattr(learner, "choose", None)
    if choose is not None and not (isinstance(order, str) and order == "cyclic"):
        raise ValueError(f"order={_brief(order)} is not for {type(learner).__name__}: it chooses itself who is shown.")
    if choose is not None and start is not None:
        raise ValueError(f"start is not for {type(learner).__name__}: it must begin at zero.")
    may_end = stop_when_clean and not (isinstance(order, str) and order == "random")
    training = _Training(learner, gram, y, seed, start)
    if choose is not None:
        rows, may_end = _chosen(choose, training, limit), False
    began = time.perf_counter()
    end = _present(training, rows, limit, may_end, progress)
    seconds = time.perf_counter() - began
    index, score, epoch_start, changes = training.record()
    tell = getattr(learner, "details", None)
    details = tell(training.memory, len(score)) if tell else {}
    record = (index, score, epoch_start, changes, end, seed, learner.unit, start, details, seconds)
    return Run(learner, used, X, y, *record, order if isinstance(order, str) else "by hand")


class _Training:
    """The state while it is being trained, and the record as it grows."""

    def __init__(self, learner: Learner, gram: FloatArray, y: FloatArray, seed: int, start: State | None) -> None:
        self.learner, self.gram, self.y = learner, gram, y
        self.memory = learner.start(gram, y, np.random.default_rng([seed, 1]))
        coef, self.b = (np.zeros(len(y)), 0.0) if start is None else start.in_units(learner.unit)
        self.both = np.zeros((2, len(y)))  # coef and scores shrink together
        self.coef, self.scores = self.both
        self.coef[:] = coef
        self.factor = np.zeros(())  # an array multiplies faster than a float
        before = entries_before(start, learner.unit)
        self.stock = _Stock(before, len(y)) if getattr(learner, "evicts", False) else None
        if start is not None and hasattr(learner, "resume"):
            born = before.step if start.entries is None else start.entries.step
            learner.resume(self.memory, Past(start.t, before, born, start.details))
        if start is not None:
            self.scores[:] = gram @ self.coef + self.b
        self.rows, self.product = list(gram), np.empty(len(y))
        self.coef_of = cast("memoryview[float]", self.coef.data)  # the same numbers, read and written twice as fast
        self.shown: list[Indices] = []
        self.epoch_start, self.score = array("i"), array("d")
        self.fresh: list[Change] = []  # not yet written down: many at once cost a third
        self.step, self.length, self.index = array("i"), array("i"), array("i")
        self.delta, self.shift, self.shrink = array("d"), array("d"), array("d")
        self.evicted = array("i")
        self.content = False  # a learner that chooses has nothing left to choose

    def apply(self, change: Change, t: int) -> None:
        """Change the state, and remember how."""
        indices, deltas, shift, shrink, evicted = change
        scores, rows, coef_of = self.scores, self.rows, self.coef_of
        factor = self.factor
        if shrink != 1.0:
            factor[()] = shrink
            multiply(self.both, factor, self.both)
            if self.b:
                factor[()] = self.b - shrink * self.b
                add(scores, factor, scores)
        many = len(indices) > _MANY
        if many:
            scores += np.array(deltas) @ self.gram[list(indices)]
        for i, delta in zip(indices, deltas):  # noqa: B905 - strict costs a tenth of a mistake
            coef_of[i] += delta
            if many:
                continue
            if delta == 1.0:  # spares a product per example; the sums are the same
                add(scores, rows[i], scores)
            elif delta == -1.0:
                subtract(scores, rows[i], scores)
            else:
                factor[()] = delta
                add(scores, multiply(rows[i], factor, self.product), scores)
        if self.stock is not None:
            self.stock.add(t, indices, deltas, shrink)
            if evicted is not None:
                self._evict(self.stock, evicted)
        if shift:
            self.b += shift
            factor[()] = shift
            add(scores, factor, scores)
        self.step.append(t)
        self.fresh.append(change)

    def _evict(self, stock: _Stock, step: int) -> None:
        """Take away what is left of what presentation `step` added."""
        scores, rows, coef_of = self.scores, self.rows, self.coef_of
        for i, weight in stock.take(step):
            if weight == 1.0:
                subtract(scores, rows[i], scores)
            elif weight == -1.0:
                add(scores, rows[i], scores)
            else:
                self.factor[()] = weight
                subtract(scores, multiply(rows[i], self.factor, self.product), scores)
            coef_of[i] = coef_of[i] - weight if stock.alive[i] else 0.0
        if not stock.added:
            scores.fill(self.b)  # exactly, not the rest of a subtraction

    def summed(self, i: int, stock: _Stock) -> float:
        """Return f(x_i) as the sum of what is there: subtracting what was evicted leaves rests that break ties."""
        f = 0.0
        for indices, deltas, born in stock.added.values():
            since = stock.shrinks[born:]
            for j, delta in zip(indices, deltas, strict=True):
                f += math.prod(since, start=delta) * self.gram[i, j]  # as `take` has it
        return float(f) + self.b

    def write_down(self) -> None:
        """Add the fresh changes to the flat columns."""
        if self.fresh:
            indices, deltas, shifts, shrinks, evicted = zip(*self.fresh, strict=True)
            self.length.extend(map(len, indices))
            self.index.extend(chain.from_iterable(indices))
            self.delta.extend(chain.from_iterable(deltas))
            self.shift.extend(shifts)
            self.shrink.extend(shrinks)
            self.evicted.extend(-1 if step is None else step for step in evicted)
            self.fresh.clear()

    def record(self) -> tuple[NDArray[np.int32], FloatArray, NDArray[np.int32], Changes]:
        """Return index, score, epoch_start and changes."""
        n_steps = len(self.score)
        index = np.concatenate([*self.shown, np.zeros(0, dtype=np.intp)])[:n_steps].astype(np.int32)
        starts = np.array(self.epoch_start, dtype=np.int32)
        self.write_down()
        changes = Changes(
            step=np.array(self.step, dtype=np.int32),
            pointer=np.array([0, *accumulate(self.length)], dtype=np.int32),
            index=np.array(self.index, dtype=np.int32),
            delta=_compact(self.delta),
            shift=_compact(self.shift),
            shrink=_compact(self.shrink),
            evicted=_compact(self.evicted),
        )
        score = np.array(self.score) * self.learner.unit
        return index, score, starts[starts < n_steps], changes  # an epoch cancelled before it began is none


class _Stock:
    """What each presentation added, as much as is left of it: for learners that evict."""

    def __init__(self, before: Entries, n: int) -> None:
        self.alive = np.bincount(before.index, minlength=n).tolist()
        self.added: dict[int, tuple[tuple[int, ...], tuple[float, ...], int]] = {
            step: ((i,), (weight,), 0) for step, i, weight in before.rows()
        }
        self.shrinks = array("d")  # those that shrink, and so change a product

    def add(self, t: int, indices: tuple[int, ...], deltas: tuple[float, ...], shrink: float) -> None:
        """Remember what presentation t adds."""
        if shrink != 1.0:
            self.shrinks.append(shrink)
        if indices:
            self.added[t] = indices, deltas, len(self.shrinks)
            for i in indices:
                self.alive[i] += 1

    def take(self, step: int) -> Iterable[tuple[int, float]]:
        """Take away what presentation `step` added; return it as it is now, shrunk since."""
        indices, deltas, born = self.added.pop(step, ((), (), 0))
        for i in indices:
            self.alive[i] -= 1
        if born == len(self.shrinks):
            return zip(indices, deltas, strict=True)
        since = self.shrinks[born:]
        return [(i, math.prod(since, start=delta)) for i, delta in zip(indices, deltas, strict=True)]


def _chosen(choose: Choose, training: _Training, limit: int) -> Iterator[Indices]:
    """Yield whom the learner chooses, one at a time, until it is content."""
    for _ in range(limit):
        i = choose(training.memory, training.scores)
        if i is None:
            training.content = True
            return
        yield np.array([i])


def _present(training: _Training, rows: Iterator[Indices], limit: int, may_end: bool, progress: Progress | None) -> str:
    """Show row after row; return how it ended. A row is an epoch, or one example where the learner chooses.

    Examples are looked at one by one while mistakes are close together, else in blocks that grow.
    """
    learner, change_of, memory = training.learner, training.learner.change, training.memory
    quiet = math.inf if learner.quiet_above is None else learner.quiet_above
    scores, coef, label_of = training.scores, training.coef, training.y.tolist()
    score_of = cast("memoryview[float]", scores.data)
    shown, write, apply = training.score, training.score.append, training.apply
    stock = training.stock
    rest = _ROUNDING * float(np.abs(training.gram).max()) if stock is not None else 0.0
    quiet_of_block = np.array(max(quiet, rest))  # an array is compared faster than a float
    chosen = hasattr(learner, "choose")
    due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS
    t = ahead = 0
    for row in rows:
        training.shown.append(row)
        if not chosen or t % len(label_of) == 0:
            training.epoch_start.append(t)
        order, begin, end, changed = row.tolist(), t, t + len(row), len(training.step)
        while t < end:
            if progress is not None and time.perf_counter() >= due:
                if not _goes_on(progress, t, limit):
                    return "cancelled"
                due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS
            if ahead:
                block = row[t - begin : t - begin + ahead]
                passed = _pass(training, block, quiet_of_block)
                t += passed
                ahead = min(2 * ahead, _LONGEST) if passed == len(block) else 0
                continue
            ahead = _SHORTEST
            for i in order[t - begin : t - begin + _NEAR]:
                score = score_of[i]
                if stock is not None and -rest < score < rest:
                    score = score_of[i] = training.summed(i, stock)
                write(score)
                if score * label_of[i] <= quiet:
                    ahead, t = 0, len(shown) - 1
                    change = change_of(memory, t, i, scores, coef)
                    if change is not None:
                        apply(change, t)
            t = len(shown)
        if len(training.fresh) > _LONGEST:
            training.write_down()
        if may_end and len(training.step) == changed and len(set(order)) == len(label_of):
            return "clean"
    return "tolerance" if training.content else "limit"


def _pass(training: _Training, block: Indices, quiet: FloatArray) -> int:
    """Write down the scores of a block's examples up to the first that is not quiet; return how many."""
    scores = training.scores[block]
    asked = scores * training.y[block] <= quiet
    first = int(asked.argmax())
    passed = first if asked[first] else len(block)
    training.score.frombytes(scores[:passed].tobytes())
    return passed


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
    if isinstance(start, State) and not (np.isfinite(start.coef).all() and math.isfinite(start.intercept)):
        raise ValueError("start holds NaN or infinite coefficients: every one must be a finite number.")
    _check_room(learner, start)
    if progress is not None and not callable(progress):
        raise ValueError(f"progress={progress!r} is not a function: it must be called as progress(done, limit).")


def _check_room(learner: object, start: object) -> None:
    """Refuse a state that remembers more than the learner may: it forgets one at a time."""
    room = getattr(learner, "budget", None) or getattr(learner, "truncation", None)
    if room is None or not isinstance(start, State):
        return
    held = len(start.support if start.entries is None else start.entries.step)
    if start.entries is None and held and hasattr(learner, "truncation"):
        raise ValueError(
            "start does not say when its examples were shown: truncation needs a State of the same learner."
        )
    if held > room:
        raise ValueError(f"start remembers {held} presentations: {type(learner).__name__} has room for {room}.")


def _gram(kernel: Kernel, X: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        gram = kernel.evaluate(X, X)
    if not np.isfinite(gram).all():
        raise ValueError("kernel is infinite or NaN on X: every k(u, v) must be a finite number, so scale X down.")
    return gram


def _compared(kernel: object, X: ArrayLike) -> tuple[Kernel | None, NDArray[Any]]:
    """Return the kernel object as it is for these examples, None for "precomputed"; and the examples, checked.

    They are copied: a Run stays as it is, whatever becomes of the caller's arrays.
    """
    if isinstance(kernel, str) and kernel == "precomputed":
        gram = checks.matrix("X", X).copy()
        if gram.shape[0] != gram.shape[1]:
            raise ValueError(f"X has shape {gram.shape}: a precomputed Gram matrix must be square.")
        return None, gram
    used = Linear() if kernel is None else as_kernel(cast(Kernel, kernel))
    examples = used.examples("X", X).copy()
    return used.fitted(examples), examples


def _rows(order: str | ArrayLike, n: int, epochs: int, seed: int) -> tuple[Iterator[Indices], int]:
    """Return the indices of each epoch, made when they are needed, and the most presentations there can be."""
    if isinstance(order, str):
        checks.choice("order", order, ORDERS)
        if order == "cyclic":
            return repeat(np.arange(n), epochs), n * epochs
        rng = np.random.default_rng([seed, 0])
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


def _brief(value: object) -> str:
    return repr(value) if isinstance(value, str) else f"an array of {np.size(cast(Any, value))} indices"


def _compact(column: array[Any]) -> NDArray[Any]:
    """Return the column as an array, which takes no memory when all values are equal."""
    values = np.array(column, dtype=column.typecode)
    if column and column.count(column[0]) == len(column):
        return np.broadcast_to(values[0], values.shape)
    return values
