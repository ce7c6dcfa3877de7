"""The one loop over presentations.

Legend: n examples; t presentations so far; i the example shown; f its score; m the length of an epoch.
Everything is in the learner's unit until it is recorded (counts for the perceptron), so that ties stay exact.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel, Linear, as_kernel
from kpviz.engine.learners.adapter import as_learner
from kpviz.engine.learners.protocol import Learner
from kpviz.engine.run import Run, State
from kpviz.engine.training import Indices, Training

ORDERS = ("cyclic", "shuffled", "random")
Progress = Callable[[int, int], Any]
Choose = Callable[[Any, FloatArray], int | None]

_SECONDS_BETWEEN_PROGRESS = 0.05
_NEAR = 64
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
    learner = as_learner(learner)
    _check_parts(learner, len(y), start, progress)
    if learner.chooses and not (isinstance(order, str) and order == "cyclic"):
        raise ValueError(f"order={_brief(order)} is not for {learner.name}: it chooses itself who is shown.")
    if learner.chooses and start is not None:
        raise ValueError(f"start is not for {learner.name}: it must begin at zero.")
    may_end = stop_when_clean and not (isinstance(order, str) and order == "random")
    training = Training(learner, gram, y, seed, start)
    if learner.chooses:
        rows, may_end = _chosen(learner.choose, training, limit), False
    began = time.perf_counter()
    end = _present(training, rows, limit, may_end, progress)
    seconds = time.perf_counter() - began
    index, score, epoch_start, changes = training.record()
    details = learner.details(training.memory, len(score))
    record = (index, score, epoch_start, changes, end, seed, learner.unit, start, details, seconds)
    return Run(learner, used, X, y, *record, order if isinstance(order, str) else "by hand")


def _chosen(choose: Choose, training: Training, limit: int) -> Iterator[Indices]:
    """Yield whom the learner chooses, one at a time, until it is content."""
    for _ in range(limit):
        i = choose(training.memory, training.scores)
        if i is None:
            training.content = True
            return
        yield np.array([i])


def _present(training: Training, rows: Iterator[Indices], limit: int, may_end: bool, progress: Progress | None) -> str:
    """Show row after row; return how it ended. A row is an epoch, or one example where the learner chooses.

    Examples are looked at one by one while mistakes are close together, else in blocks that grow.
    """
    n, shown = len(training.y), training.score
    closely, together = _closely(training), _together(training)
    chosen = training.learner.chooses
    due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS
    t = ahead = 0
    for row in rows:
        training.shown.append(row)
        if not chosen or t % n == 0:
            training.epoch_start.append(t)
        order, begin, end, changed = row.tolist(), t, t + len(row), len(training.step)
        while t < end:
            if progress is not None and time.perf_counter() >= due:
                if not _goes_on(progress, t, limit):
                    return "cancelled"
                due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS
            if ahead:
                passed = together(row[t - begin : t - begin + ahead])
                ahead = min(2 * ahead, _LONGEST) if passed else 0
            else:
                ahead = _SHORTEST if closely(order[t - begin : t - begin + _NEAR]) else 0
            t = len(shown)
        if len(training.fresh) > _LONGEST:
            training.write_down()
        if may_end and len(training.step) == changed and len(set(order)) == n:
            return "clean"
    return "tolerance" if training.content else "limit"


def _closely(training: Training) -> Callable[[list[int]], bool]:
    """Return what shows examples one by one, and says whether all of them were quiet."""
    learner, change_of, memory = training.learner, training.learner.change, training.memory
    quiet = math.inf if learner.update_margin is None else learner.update_margin
    scores, coef, label_of = training.scores, training.coef, training.y.tolist()
    score_of = cast("memoryview[float]", scores.data)
    shown, write, apply = training.score, training.score.append, training.apply
    stock, rest = training.stock, _rest(training)

    def show(examples: list[int]) -> bool:
        all_quiet = True
        for i in examples:
            score = score_of[i]
            if stock is not None and -rest < score < rest:
                score = score_of[i] = training.summed(i, stock)
            write(score)
            if score * label_of[i] <= quiet:
                all_quiet, t = False, len(shown) - 1
                change = change_of(memory, t, i, scores, coef)
                if change is not None:
                    apply(change, t)
        return all_quiet

    return show


def _together(training: Training) -> Callable[[Indices], bool]:
    """Return what shows the examples of a block up to the first that is not quiet, and says whether there was none."""
    above = training.learner.update_margin
    quiet = np.array(max(math.inf if above is None else above, _rest(training)))  # compared faster than a float
    every_score, label_of, write = training.scores, training.y, training.score.frombytes

    def show(block: Indices) -> bool:
        scores = every_score[block]
        asked = scores * label_of[block] <= quiet
        first = int(asked.argmax())
        if not asked[first]:
            write(scores.tobytes())
            return True
        write(scores[:first].tobytes())
        return False

    return show


def _rest(training: Training) -> float:
    """Return how near to zero a score may be a rest of subtractions: what is evicted is subtracted."""
    return _ROUNDING * float(np.abs(training.gram).max()) if training.stock is not None else 0.0


def _goes_on(progress: Progress, done: int, limit: int) -> bool:
    try:
        progress(done, limit)
    except Exception:
        return False
    return True


def _check_parts(learner: Learner, n: int, start: object, progress: object) -> None:
    """Refuse what would fail later, or look like a cancelled run."""
    if start is not None and not isinstance(start, State):
        raise ValueError(f"start is of type {type(start).__name__}: it must be a State, as Run.state_at returns it.")
    if isinstance(start, State) and start.coef.shape != (n,):
        raise ValueError(f"start has {len(start.coef)} coefficients: it must have one for each of {n} examples.")
    if isinstance(start, State) and not (np.isfinite(start.coef).all() and math.isfinite(start.intercept)):
        raise ValueError("start holds NaN or infinite coefficients: every one must be a finite number.")
    _check_room(learner, start)
    if progress is not None and not callable(progress):
        raise ValueError(f"progress={progress!r} is not a function: it must be called as progress(done, limit).")


def _check_room(learner: Learner, start: object) -> None:
    """Refuse a state that remembers more than the learner may: it forgets one at a time."""
    room = learner.capacity
    if room is None or not isinstance(start, State):
        return
    held = len(start.support if start.entries is None else start.entries.step)
    if start.entries is None and held and learner.ages_matter:
        raise ValueError(
            "start does not say when its examples were shown: truncation needs a State of the same learner."
        )
    if held > room:
        raise ValueError(f"start remembers {held} presentations: {learner.name} has room for {room}.")


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
