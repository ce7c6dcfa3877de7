"""The one loop over presentations: as in the textbooks, and the same, faster, for updates that are fixed.

Legend: t presentations so far; i the example shown; f its score. Everything is in the learner's unit until it is read
(counts for the perceptron), so ties stay exact.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from kpviz.engine import checks
from kpviz.engine.learners.adapter import as_learner
from kpviz.engine.learners.protocol import FixedUpdates, Learner
from kpviz.engine.run.arguments import ORDERS as ORDERS
from kpviz.engine.run.arguments import AnyKernel, brief, check_parts, compared, epochs_of, gram_matrix
from kpviz.engine.run.record import State
from kpviz.engine.run.recorder import fixed_changes
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
                training.apply(change, t)  # else: αᵢ ← αᵢ + η,  b ← b + η yᵢ s
            watch(t + 1)
        if may_end and len(changes) == before and set(epoch) == set(range(len(y))):
            return True  # until a pass makes no mistake
    return False


def by_margins(
    learner: Learner, training: Training, epochs: Iterable[array[int]], may_end: bool, watch: Watch, fixed: FixedUpdates
) -> bool:
    """Do the same where updates are fixed: keep all margins y·f, and add a row of the signed Gram matrix to them."""
    y, shown, steps = training.y, training.presentations, training.changes.step
    margins = training.scores * y
    margin_of = cast("memoryview[float]", margins.data)  # the same numbers, read twice as fast
    signed = np.outer(fixed.deltas, y)
    signed *= training.gram
    rows = list(signed)
    lifts = list(np.outer(fixed.shifts, y)) if fixed.shifts.any() else None
    at_threshold, threshold = fixed.at_threshold.tolist(), cast(float, learner.update_margin)
    add, score = np.add, shown.score
    write = score.append
    in_turn = array("i", range(len(y)))
    for epoch in epochs:
        begun, before = shown.begin_epoch(), len(steps)
        watch(begun)
        for margin in (
            margin_of if epoch == in_turn else map(margin_of.__getitem__, epoch)
        ):  # each read when its turn comes
            write(margin)
            if margin <= threshold:
                t = len(score) - 1
                i = epoch[t - begun]
                if margin == threshold and not at_threshold[i]:
                    continue
                add(margins, rows[i], margins)
                if lifts is not None:
                    add(margins, lifts[i], margins)
                steps.append(t)
        shown.index.extend(epoch)
        if may_end and len(steps) == before and set(epoch) == set(range(len(y))):
            return True
    return False


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
    start : resume from this state instead of from zero.

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
    learner = as_learner(learner)
    rows, limit = epochs_of(order, len(X), epochs, seed)
    check_parts(learner, len(y), start, progress)
    if learner.chooses and not (isinstance(order, str) and order == "cyclic"):
        raise ValueError(f"order={brief(order)} is not for {learner.name}: it selects the next example itself.")
    if learner.chooses and start is not None:
        raise ValueError(f"start is not for {learner.name}: it must begin at zero.")
    may_end = stop_when_clean and not learner.chooses and not (isinstance(order, str) and order == "random")
    began = time.perf_counter()
    training = Training(learner, gram, y, seed, start)
    watch, fixed = _watch(progress, limit), _fixed_updates(learner, training.memory)
    try:
        if fixed is not None:
            clean = by_margins(learner, training, rows, may_end, watch, fixed)
        else:
            shown = _chosen(learner, training, epochs) if learner.chooses else rows
            clean = one_by_one(learner, training, shown, may_end, watch)
        end = "clean" if clean else "tolerance" if len(training.presentations.score) < limit else "limit"
    except _CancelledError:
        end = "cancelled"
    index, score, epoch_start = training.presentations.arrays()
    if fixed is None:
        changes = training.changes.changes()
    else:
        score, changes = score * y[index] + 0.0, fixed_changes(training.changes.step, index, fixed)  # no -0.0
    seconds = time.perf_counter() - began
    details = learner.details(training.memory, len(score))
    record = (index, score * learner.unit, epoch_start, changes, end, seed, learner.unit, start, details, seconds)
    return Run(learner, used, X, y, *record, order if isinstance(order, str) else "by hand")


def _fixed_updates(learner: Learner, memory: Any) -> FixedUpdates | None:
    """Return what every update of the learner adds, None where it varies or the learner does not declare it.

    A class that overrides `change` without declaring it again may have changed the rule.
    """
    makes = next((owner for owner in type(learner).__mro__ if "change" in vars(owner)), None)
    return vars(makes)["fixed_updates"](learner, memory) if makes and "fixed_updates" in vars(makes) else None


def _chosen(learner: Any, training: Training, epochs: int) -> Iterator[Iterable[int]]:
    """Yield epochs of the examples that the learner chooses, each when it is its turn, until convergence."""
    choices = iter(lambda: learner.choose(training.memory, training.scores), None)
    for _ in range(epochs):
        first = next(choices, None)
        if first is None:
            return
        yield chain([first], islice(choices, len(training.y) - 1))


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
