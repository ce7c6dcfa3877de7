"""The one loop over presentations, as in the textbooks (`one_by_one`), and the same again, faster
(`by_margins`).

Legend: t presentations so far; i the example shown; f its score. Everything is in the learner's
unit until it is read (counts for the perceptron), so ties stay exact.

Tests: tests/engine/test_run.py, tests/engine/test_learners.py.
"""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Kernel, Linear, as_kernel
from kpviz.engine.learners.protocol import Gains, Learner
from kpviz.engine.rounding import ROUNDING
from kpviz.engine.run import gram
from kpviz.engine.run.bar import Bar
from kpviz.engine.run.blocks import TrainingInBlocks, reads_all_scores
from kpviz.engine.run.initial import checked_initial
from kpviz.engine.run.predictors import Progress
from kpviz.engine.run.run import Run, State
from kpviz.engine.run.training import Training

MISTAKE_ORDERS = ("first-mistake", "random-mistake")  # They show only what is a mistake now.
ORDERS = ("cyclic", "shuffled", "random", *MISTAKE_ORDERS)
AnyKernel = Kernel | Callable[[FloatArray, FloatArray], FloatArray] | Literal["precomputed"] | None
Watch = Callable[[int], None]

_SECONDS_BETWEEN_PROGRESS = 0.05


def one_by_one(
    learner: Learner,
    training: Training,
    epochs: Iterable[Iterable[int]],
    may_end: bool,
    watch: Watch,
) -> bool:
    """Show the examples one by one to any learner; return whether a pass was clean. Comments: the
    perceptron's rule.
    """
    memory = training.memory
    scores = training.scores
    coef = training.coef
    y = training.labels
    score_of = training.score_of
    presentations = training.presentations
    changes = training.changes
    show = presentations.index.append
    write = presentations.score.append
    threshold = math.inf if learner.update_margin is None else learner.update_margin
    for epoch in epochs:  # repeat: show each example (xᵢ, yᵢ)
        watch(presentations.begin_epoch())
        before = len(changes)
        for i in chain.from_iterable(training.blocks(epoch)):
            f = score_of(i)  # f ← Σⱼ αⱼ yⱼ k(xⱼ, xᵢ) + b
            show(i)
            write(f)
            if y[i] * f > threshold:
                continue  # if f has the sign of yᵢ: nothing
            t = len(presentations.score) - 1
            if training.in_blocks:
                training.read(learner.others(memory))
            known = training.learnt_scores() if learner.reads_learnt_scores else scores
            change = learner.change(memory, t, i, known, coef)
            if change is not None:
                training.apply(change, t)  # else: αᵢ ← αᵢ + η, b ← b + η yᵢ
            watch(t + 1)
        if may_end and len(changes) == before and _shows_all(epoch, len(y)):
            return True  # until an epoch has no mistake
    return False


def by_margins(
    learner: Learner,
    gains: Gains,
    training: Training,
    epochs: Iterable[array[int]],
    may_end: bool,
    watch: Watch,
) -> bool:
    """Do the same in half the time: keep the margins y·f, and pass quickly over those above the
    threshold.
    """
    (gain_of, lift, scale) = gains
    y = training.y
    rows = training.rows
    presentations = training.presentations
    margins = y * training.scores
    product = np.empty(len(y))
    factor = np.zeros(())
    margin_of = cast("memoryview[float]", margins.data)  # It reads the same numbers twice as fast.
    coef_of = training.coef_of
    signs = {1.0: scale * y, -1.0: -scale * y}
    lifts = {label: (lift * signed,) if lift else () for label, signed in signs.items()}
    # A gain of 1 on an example adds these to all margins.
    parts: dict[int, tuple[FloatArray, ...]] = {}
    threshold = cast(float, learner.update_margin)
    labels = y.tolist()
    in_turn = array("i", range(len(y)))
    steps = array("i")
    gained = array("d")
    score = presentations.score
    write = score.append
    note = steps.append
    keep = gained.append
    add = np.add
    multiply = np.multiply
    # How far rounding errors may have moved a margin, at most: what is further above the threshold
    # is passed over.
    rounding = training.doubtful_below + ROUNDING * threshold
    more_rounding = ROUNDING * scale * (training.largest + abs(lift))
    passed_above = threshold + rounding
    # Gains that the coefficients of `training` have: only scores that may be rounding errors ask
    # for these.
    added = 0

    def add_gains() -> None:
        nonlocal added
        for j in range(added, len(gained)):
            i = presentations.index[steps[j]]
            delta = scale * labels[i] * gained[j]
            coef_of[i] += delta
            training.b += lift * delta
        added = len(gained)

    try:
        for epoch in epochs:
            begun = presentations.begin_epoch()
            before = len(steps)
            watch(begun)
            presentations.index.extend(epoch)
            straight = epoch.tobytes() == in_turn.tobytes()
            # Each margin is read as it is by then.
            for margin in margin_of if straight else (margin_of[i] for i in epoch):
                write(margin)
                if margin > passed_above:
                    continue
                t = len(score) - 1
                i = epoch[t - begun]
                if (
                    -rounding < margin
                    and margin
                    and (margin < rounding or -rounding < margin - threshold)
                ):
                    add_gains()
                    label = labels[i]
                    margin = label * training.settled(i, label * margin, label * threshold)
                    score[t] = margin_of[i] = margin
                    if margin > threshold:
                        continue
                gain = gain_of(t, i, margin)
                if not gain:
                    continue
                note(t)
                keep(gain)
                rounding += more_rounding * gain
                passed_above = threshold + rounding
                if i not in parts:
                    parts[i] = (signs[labels[i]] * rows[i], *lifts[labels[i]])
                if gain != 1.0:
                    factor[()] = gain
                for part in parts[i]:
                    add(margins, part if gain == 1.0 else multiply(part, factor, product), margins)
            if may_end and len(steps) == before and _shows_all(epoch, len(y)):
                return True
        return False
    finally:
        index = np.array(presentations.index[: len(score)], dtype=np.intp)
        presentations.score = array("d", (y[index] * score).tobytes())
        # Ctrl+C may fall between a step and its gain
        at = np.array(steps[: len(gained)], dtype=np.intp)
        deltas = scale * y[index[at]] * gained
        training.changes.extend(at, index[at], deltas, lift * deltas)


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
    progress: Progress | bool | None = None,
    start: State | None = None,
    initial: tuple[ArrayLike | None, float] | None = None,
) -> Run:
    """Show the examples to the learner, one after the other, and record what changes.

    `kpviz.train`, which makes of the record what one can look at, describes the arguments and what
    is refused.
    """
    began = time.perf_counter()
    used, X = compared(kernel, X)
    y = checks.labels(y, len(X)).copy()
    seed = checks.integer("seed", seed, low=0)
    epochs = checks.integer("epochs", epochs, low=1, high=checks.LARGEST_COUNT // len(X))
    if not isinstance(learner, Learner):
        raise ValueError(
            f"learner={learner!r} is not a learner: it must be an object that extends Learner, as "
            f"Perceptron()."
        )
    rows, limit = epochs_of(order, len(X), epochs, seed)
    check_parts(learner, len(y), order, start, progress)
    if start is not None:
        start = _of_floats(start)
    fixed = checked_initial(initial, X, used, learner)
    named = order if isinstance(order, str) else "by hand"
    only_mistakes = named in MISTAKE_ORDERS
    as_chosen = learner.chooses or only_mistakes
    training = _training(learner, used, X, y, seed, start, limit, needs_all=as_chosen)
    if fixed is not None:
        with np.errstate(over="ignore", invalid="ignore"):
            training.add_fixed(fixed.scores(X) / learner.unit, fixed.sizes(X) / learner.unit)
    bar = Bar() if progress is True else None
    watch = _watch(bar or cast("Progress | None", progress), limit)
    training.pause = lambda: watch(len(training.presentations.score))
    is_whole = isinstance(training.gram, np.ndarray)
    gains = None if as_chosen or not is_whole else gains_of(learner, training.memory)
    loop = partial(one_by_one, learner) if gains is None else partial(by_margins, learner, gains)
    order_of_epochs: Any = rows
    if only_mistakes:
        order_of_epochs = _chosen(
            _choice_of_mistakes(learner, training, named, seed), len(y), epochs
        )
    elif learner.chooses:
        order_of_epochs = _chosen(
            partial(learner.choose, training.memory, training.scores), len(y), epochs
        )
    may_end = stop_when_clean and not as_chosen and named != "random"
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # Numbers far too large are refused.
            end = _end(partial(loop, training, order_of_epochs, may_end, watch), training, limit)
    finally:
        if bar is not None:
            bar.close()
    _check_finite(training)
    if only_mistakes and end != "cancelled":
        end = "limit" if len(_mistakes_now(learner, training)) else "clean"
    index, score, epoch_start = training.presentations.arrays()
    score = score * learner.unit + 0.0  # + 0.0 makes 0.0 of -0.0.
    changes = training.changes.changes()
    seconds = time.perf_counter() - began
    details = learner.details(training.memory, len(score))
    record = (
        index,
        score,
        epoch_start,
        changes,
        end,
        seed,
        learner.unit,
        start,
        details,
        seconds,
        named,
        fixed,
    )
    return Run(learner, used, X, y, *record)


def _check_finite(training: Training) -> None:
    """Refuse a training whose numbers have become too large for floating point."""
    if not (np.isfinite(training.presentations.score).all() and np.isfinite(training.both).all()):
        raise ValueError(
            "X gives scores or coefficients that are infinite or NaN: scale X, so that every k(u, "
            "v) is "
            "neither too large nor too small, or choose other numbers for initial and for the "
            "learner."
        )


def _training(
    learner: Learner,
    kernel: Kernel | None,
    X: NDArray[Any],
    y: FloatArray,
    seed: int,
    start: State | None,
    limit: int,
    *,
    needs_all: bool,
) -> Training:
    """Return the state before anything is shown: with the whole Gram matrix while that is small,
    else in blocks.
    """
    if kernel is None:
        return Training(learner, X, y, seed, start)
    if not gram.is_large(len(X)):
        return Training(learner, gram.gram_matrix(kernel, X), y, seed, start)
    matrix = gram.KernelMatrix(kernel, X)
    if needs_all or reads_all_scores(learner):
        return Training(learner, matrix, y, seed, start)
    return TrainingInBlocks(learner, matrix, y, seed, start, limit)


def _shows_all(epoch: Iterable[int], n: int) -> bool:
    """Say whether each of n examples is in an epoch."""
    return bool(np.bincount(np.asarray(epoch, dtype=np.intp), minlength=n).all())


def gains_of(learner: Learner, memory: Any) -> Gains | None:
    """Return what margins add, None where they do not decide alone, or `change` is overridden
    without its `gains`.
    """
    owner = next(kind for kind in type(learner).__mro__ if "change" in vars(kind))
    return (
        learner.gains(memory)
        if "gains" in vars(owner) and learner.update_margin is not None
        else None
    )


def _chosen(choose: Callable[[], int | None], n: int, epochs: int) -> Iterator[Iterable[int]]:
    """Yield epochs of n examples, each chosen when it is its turn, until there is nothing to
    choose.
    """
    choices = iter(choose, None)
    for _ in range(epochs):
        first = next(choices, None)
        if first is None:
            return
        yield chain([first], islice(choices, n - 1))


def _mistakes_now(learner: Learner, training: Training) -> NDArray[np.intp]:
    """Return the examples that would be mistakes if they were shown now, ascending."""
    return np.flatnonzero(learner.mistakes(training.y, training.current_scores()))


def _choice_of_mistakes(
    learner: Learner, training: Training, order: str, seed: int
) -> Callable[[], int | None]:
    """Return what chooses the first example that is a mistake now, or one of them at random; None
    where none is.
    """
    rng = np.random.default_rng([seed, 0])

    def choose() -> int | None:
        mistakes = _mistakes_now(learner, training)
        if not len(mistakes):
            return None
        place = rng.integers(len(mistakes)) if order == "random-mistake" else 0
        return int(mistakes[place])

    return choose


def _end(loop: Callable[[], bool], training: Training, limit: int) -> str:
    """Run a loop, and return how it ended."""
    try:
        clean = loop()
    except _ProgressError:
        return "cancelled"
    return (
        "clean" if clean else "tolerance" if len(training.presentations.score) < limit else "limit"
    )


class _ProgressError(Exception):
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
            raise _ProgressError from None
        due = time.perf_counter() + _SECONDS_BETWEEN_PROGRESS

    return watch


# ---- the arguments of `train`, checked


def compared(kernel: AnyKernel, X: ArrayLike) -> tuple[Kernel | None, NDArray[Any]]:
    """Return the kernel fitted to these examples, None for "precomputed", and the checked examples.

    They are copied, so that a Run does not change with the caller's arrays.
    """
    if isinstance(kernel, str) and kernel == "precomputed":
        precomputed = checks.matrix("X", X).copy()
        if precomputed.shape[0] != precomputed.shape[1]:
            raise ValueError(
                f"X has shape {precomputed.shape}: a precomputed Gram matrix must be square."
            )
        return None, gram.symmetric("X", precomputed)
    used = Linear() if kernel is None else as_kernel(cast(Kernel, kernel))
    examples = used.examples("X", X).copy()
    return used.fitted(examples), examples


def epochs_of(
    order: str | ArrayLike, n: int, epochs: int, seed: int
) -> tuple[Iterator[array[int]], int]:
    """Return the examples of each epoch, drawn when they are needed, and the most presentations
    there can be.
    """
    if isinstance(order, str):
        checks.choice("order", order, ORDERS)
        # These are chosen as the training goes on.
        if order == "cyclic" or order in MISTAKE_ORDERS:
            return repeat(array("i", range(n)), epochs), n * epochs
        rng = np.random.default_rng([seed, 0])
        if order == "shuffled":
            return (_indices(rng.permutation(n)) for _ in range(epochs)), n * epochs
        return (
            _indices(rng.integers(0, n, size=n, dtype=np.intp)) for _ in range(epochs)
        ), n * epochs
    checks.unmasked("order", order)
    try:
        rows = np.atleast_2d(np.asarray(order))
    except Exception:  # An object's own code may raise anything.
        raise ValueError(
            "order has rows of different lengths: give each epoch the same number of indices."
        ) from None
    if rows.ndim != 2 or rows.size == 0 or rows.dtype.kind not in "iu":
        raise ValueError(
            f"order has shape {rows.shape} and type {rows.dtype}: it must be one of "
            f"{', '.join(ORDERS)}, "
            "or an integer array with one row of indices for each epoch."
        )
    if rows.min() < 0 or rows.max() >= n:
        raise ValueError(
            f"order holds an index outside 0 to {n - 1}: each must be the index of an example."
        )
    rows = rows[:epochs]
    return map(_indices, rows), rows.size


def _indices(row: NDArray[Any]) -> array[int]:
    # Loops and records read it faster than numpy's arrays.
    return array("i", row.astype(np.int32).tobytes())


def check_parts(learner: Learner, n: int, order: object, start: object, progress: object) -> None:
    """Refuse what would fail later, or look like a cancelled run."""
    if isinstance(start, State):
        _check_start(learner, n, start)
    elif start is not None:
        raise ValueError(
            f"start is of type {type(start).__name__}: it must be a State, as Run.state_at "
            f"returns it."
        )
    if progress is not None and progress is not True and not callable(progress):
        raise ValueError(
            f"progress={progress!r} is not a function: it must be called as progress(done, limit), "
            "or be True for a bar."
        )
    if learner.chooses and not (isinstance(order, str) and order == "cyclic"):
        brief = (
            repr(order)
            if isinstance(order, str)
            else f"an array of {np.size(cast(Any, order))} indices"
        )
        raise ValueError(
            f"order={brief} is not for {learner.name}: it selects the next example itself."
        )
    if isinstance(order, str) and order in MISTAKE_ORDERS and not learner.takes_mistake_orders:
        raise ValueError(
            f"order={order!r} is not for {learner.name}: it acts at every presentation, not on "
            f"mistakes alone, so "
            "choose 'cyclic', 'shuffled' or 'random'."
        )
    if learner.chooses and start is not None:
        raise ValueError(f"start is not for {learner.name}: it must begin at zero.")


def _of_floats(start: State) -> State:
    """Return a state whose numbers are floats, as those of `Run.state_at` are."""
    coef = np.asarray(start.coef, dtype=np.float64)
    alpha = np.asarray(start.alpha, dtype=np.float64)
    intercept = float(start.intercept)
    if coef is start.coef and alpha is start.alpha and isinstance(start.intercept, float):
        return start
    return replace(start, coef=coef, alpha=alpha, intercept=intercept)


def _check_start(learner: Learner, n: int, start: State) -> None:
    """Reject coefficients that do not fit, and more entries than a budget has room for: it evicts
    one at a time.
    """
    for name in ("coef", "alpha"):
        checks.vector(f"{name} of start", getattr(start, name), n)
    checks.number("intercept of start", start.intercept)
    checks.integer("t of start", start.t, low=0, high=checks.LARGEST_COUNT)
    if learner.capacity is None:
        return
    held = len(start.support if start.entries is None else start.entries.step)
    if start.entries is None and held and learner.ages_matter:
        raise ValueError(
            "start does not record when its examples were shown: truncation needs a State of the "
            "same learner."
        )
    if held > learner.capacity:
        raise ValueError(
            f"start remembers {held} presentations: {learner.name} has room for {learner.capacity}."
        )
