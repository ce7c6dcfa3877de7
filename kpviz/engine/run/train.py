"""The one loop over presentations, as in the textbooks, and the same, faster, where a margin decides what changes.

Legend: t presentations so far; i the example shown; f its score. Everything is in the learner's unit until it is read
(counts for the perceptron), so ties stay exact.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.learners.protocol import Gains, Learner
from kpviz.engine.run.arguments import AnyKernel, check_parts, compared, epochs_of, gram_matrix
from kpviz.engine.run.record import State
from kpviz.engine.run.run import Run
from kpviz.engine.run.training import Training

Progress = Callable[[int, int], Any]
Watch = Callable[[int], None]

_SECONDS_BETWEEN_PROGRESS = 0.05


def one_by_one(
    learner: Learner, training: Training, epochs: Iterable[Iterable[int]], may_end: bool, watch: Watch
) -> bool:
    """Show the examples one by one to any learner; return whether a pass was clean."""
    memory, scores, coef, y = training.memory, training.scores, training.coef, training.y.tolist()
    score_of, shown, changes = training.score_of, training.presentations, training.changes
    show, write = shown.index.append, shown.score.append
    threshold = math.inf if learner.update_margin is None else learner.update_margin
    for epoch in epochs:  # repeat: show each example (xᵢ, yᵢ)
        watch(shown.begin_epoch())
        before = len(changes)
        for i in epoch:
            f = score_of(i)  # f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ) + b
            show(i)
            write(f)
            if y[i] * f > threshold:
                continue  # if f has the sign of yᵢ: nothing
            t = len(shown.score) - 1
            change = learner.change(memory, t, i, scores, coef)
            if change is not None:
                training.apply(change, t)  # else: αᵢ ← αᵢ + η, b ← b + η yᵢ
            watch(t + 1)
        if may_end and len(changes) == before and set(epoch) == set(range(len(y))):
            return True  # until a pass makes no mistake
    return False


def by_margins(
    learner: Learner, gains: Gains, training: Training, epochs: Iterable[array[int]], may_end: bool, watch: Watch
) -> bool:
    """Do the same in half the time: keep the margins y·f, and pass quickly over those above the threshold."""
    (gain_of, lift, scale), y, rows, shown = gains, training.y, training.rows, training.presentations
    margins, product, factor = y * training.scores, np.empty(len(y)), np.zeros(())
    margin_of = cast("memoryview[float]", margins.data)  # the same numbers, read twice as fast
    signs = {1.0: scale * y, -1.0: -scale * y}
    lifts = {label: (lift * signed,) if lift else () for label, signed in signs.items()}
    parts: dict[int, tuple[FloatArray, ...]] = {}  # what a gain of 1 on an example adds to all margins
    threshold, labels, in_turn = cast(float, learner.update_margin), y.tolist(), array("i", range(len(y)))
    steps, gained, score = array("i"), array("d"), shown.score
    write, note, keep, add, multiply = score.append, steps.append, gained.append, np.add, np.multiply
    try:
        for epoch in epochs:
            begun, before = shown.begin_epoch(), len(steps)
            watch(begun)
            shown.index.extend(epoch)
            straight = epoch.tobytes() == in_turn.tobytes()
            for margin in margin_of if straight else map(margin_of.__getitem__, epoch):  # each as it is by then
                write(margin)
                if margin > threshold:
                    continue
                t = len(score) - 1
                i = epoch[t - begun]
                gain = gain_of(t, i, margin)
                if not gain:
                    continue
                note(t)
                keep(gain)
                if i not in parts:
                    parts[i] = (signs[labels[i]] * rows[i], *lifts[labels[i]])
                if gain != 1.0:
                    factor[()] = gain
                for part in parts[i]:
                    add(margins, part if gain == 1.0 else multiply(part, factor, product), margins)
            if may_end and len(steps) == before and set(epoch) == set(in_turn):
                return True
        return False
    finally:
        index = np.array(shown.index[: len(score)], dtype=np.intp)
        shown.score = array("d", (y[index] * score).tobytes())
        deltas = scale * y[index[steps]] * gained
        training.changes.extend(steps, index[steps], deltas, lift * deltas)


def train(
    learner: Learner,
    X: ArrayLike,
    y: ArrayLike,
    *,
    kernel: AnyKernel = None,
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
    learner : an object of `kpviz.learners`, or one that extends `Learner`.
    X : (n, n_features) finite numbers, or the (n, n) Gram matrix when kernel is "precomputed"; n texts for a kernel
        of texts, trees or graphs.
    y : (n,) labels -1 or +1.
    kernel : a kernel object, a function k(X, Z), or "precomputed"; None means linear. k(u, v) must equal k(v, u).
    order : "cyclic"; "shuffled": a fresh permutation each epoch, from `seed`; "random": drawn with replacement,
        which never ends early; or an integer array with one row of indices for each epoch.
    epochs : at most this many, at least 1.
    seed : of the order, at least 0; what the learner itself draws comes from another generator.
    stop_when_clean : end after the first epoch that shows every example and changes nothing.
    progress : called about every 50 ms as progress(done, limit), in presentations. An Exception raised in it
        cancels: the run so far is returned, with end "cancelled".
    start : resume from this state, one coefficient for each row of X, instead of from zero; pictures begin there, too.
        Steps and mistakes are counted from here, and so are the averaged and voted predictors.

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
    used, X = compared(kernel, X)
    y = checks.labels(y, len(X)).copy()
    seed = checks.integer("seed", seed, low=0)
    gram = X if used is None else gram_matrix(used, X)
    epochs = checks.integer("epochs", epochs, low=1)
    if not isinstance(learner, Learner):
        raise ValueError(
            f"learner={learner!r} is not a learner: it must be an object that extends Learner, as Perceptron()."
        )
    rows, limit = epochs_of(order, len(X), epochs, seed)
    check_parts(learner, len(y), order, start, progress)
    named = order if isinstance(order, str) else "by hand"
    began = time.perf_counter()
    training = Training(learner, gram, y, seed, start)
    watch = _watch(progress, limit)
    gains = gains_of(learner, training.memory)
    loop = partial(one_by_one, learner) if gains is None else partial(by_margins, learner, gains)
    shown: Any = _chosen(learner, training, epochs) if learner.chooses else rows
    may_end = stop_when_clean and not learner.chooses and named != "random"
    end = _end(partial(loop, training, shown, may_end, watch), training, limit)
    index, score, epoch_start = training.presentations.arrays()
    score = score * learner.unit + 0.0  # no -0.0
    changes = training.changes.changes()
    seconds = time.perf_counter() - began
    details = learner.details(training.memory, len(score))
    record = (index, score, epoch_start, changes, end, seed, learner.unit, start, details, seconds, named)
    return Run(learner, used, X, y, *record)


def gains_of(learner: Learner, memory: Any) -> Gains | None:
    """Return what margins add, None where they do not decide alone, or `change` is overridden without its `gains`."""
    owner = next(kind for kind in type(learner).__mro__ if "change" in vars(kind))
    return learner.gains(memory) if "gains" in vars(owner) and learner.update_margin is not None else None


def _chosen(learner: Any, training: Training, epochs: int) -> Iterator[Iterable[int]]:
    """Yield epochs of the examples that the learner chooses, each when it is its turn, until convergence."""
    choices = iter(lambda: learner.choose(training.memory, training.scores), None)
    for _ in range(epochs):
        first = next(choices, None)
        if first is None:
            return
        yield chain([first], islice(choices, len(training.y) - 1))


def _end(loop: Callable[[], bool], training: Training, limit: int) -> str:
    """Run a loop, and return how it ended."""
    try:
        clean = loop()
    except _CancelledError:
        return "cancelled"
    return "clean" if clean else "tolerance" if len(training.presentations.score) < limit else "limit"


class _CancelledError(Exception):
    """Raised by the watch when `progress` raises."""


def _watch(progress: Progress | None, limit: int) -> Watch:
    """Return a function that calls `progress` about every 50 ms."""
    if progress is None:
        return lambda done: None
    due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS

    def watch(done: int) -> None:
        nonlocal due
        if time.perf_counter() < due:
            return
        try:
            progress(done, limit)
        except Exception:
            raise _CancelledError from None
        due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS

    return watch
