"""How the fast loop learns: what an update does to the margins y·f of all examples, which decide who is asked next."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, NamedTuple, cast

import numpy as np

from kpviz.engine.checks import FloatArray, IntArray
from kpviz.engine.learners.protocol import FixedUpdates, Learner, MarginUpdates
from kpviz.engine.run.record import Changes
from kpviz.engine.run.recorder import single_changes
from kpviz.engine.run.training import Training

Watch = Callable[[int], None]


class Updates(NamedTuple):
    """What happens where the margin of an example is not above `threshold`; above it, nothing changes.

    `update` is called with t and i; it learns from example i and keeps the margins up to date. `changes` is called at
    the end with the example of each presentation.
    """

    threshold: float
    update: Callable[[int, int], None]
    changes: Callable[[IntArray], Changes]


def updates_of(learner: Learner, training: Training, watch: Watch) -> Updates | None:
    """Return how a learner updates `training.margins`, None where no constant decides whether it does."""
    threshold = learner.update_margin
    if threshold is None or learner.chooses:
        return None
    np.multiply(training.scores, training.y, training.margins)
    if fixed := _described(learner, "fixed_updates", training.memory):
        return _fixed(threshold, training, fixed)
    if by_margin := _described(learner, "margin_updates", training.memory):
        return _by_margin(threshold, training, by_margin)
    return _asked(threshold, training, learner, watch)


def _described(learner: Learner, name: str, memory: Any) -> Any:
    """Return what the learner says of its updates, None if nothing.

    Who overrides `change` without saying it again may have changed the rule.
    """
    makes = next((owner for owner in type(learner).__mro__ if "change" in vars(owner)), None)
    return vars(makes)[name](learner, memory) if makes and name in vars(makes) else None


def _fixed(threshold: float, training: Training, fixed: FixedUpdates) -> Updates:
    """Add rows of the signed Gram matrix to the margins; what was added is written down at the end."""
    y, margins, steps = training.y, training.margins, training.changes.step
    signed, add, note = _SignedRows(training, fixed.deltas), np.add, steps.append

    def update(t: int, i: int) -> None:
        add(margins, signed[i], margins)
        note(t)

    def changes(index: IntArray) -> Changes:
        i = index[steps]
        return single_changes(steps, i, fixed.deltas[i], fixed.shifts[i])

    if fixed.at_threshold.all() and not fixed.shifts.any():
        return Updates(threshold, update, changes)
    lifts, at_threshold = _multiples(y, fixed.shifts), fixed.at_threshold.tolist()
    margin_of = cast("memoryview[float]", margins.data)

    def update_and_lift(t: int, i: int) -> None:
        if at_threshold[i] or margin_of[i] < threshold:
            add(margins, signed[i], margins)
            add(margins, lifts[i], margins)
            note(t)

    return Updates(threshold, update_and_lift, changes)


def _by_margin(threshold: float, training: Training, message: MarginUpdates) -> Updates:
    """Add multiples of rows of the signed Gram matrix to the margins."""
    y, margins, product, factor = training.y, training.margins, training.product, training.factor
    add, multiply, steps, gains, gain_of = np.add, np.multiply, training.changes.step, array("d"), message.gain
    signed, lifts = _SignedRows(training, y), _multiples(y, y) if message.shifts else None
    margin_of = cast("memoryview[float]", margins.data)

    def update(t: int, i: int) -> None:
        gain = gain_of(t, i, margin_of[i])
        if gain:
            factor[()] = gain
            add(margins, multiply(signed[i], factor, product), margins)
            if lifts is not None:
                add(margins, multiply(lifts[i], factor, product), margins)
            steps.append(t)
            gains.append(gain)

    def changes(index: IntArray) -> Changes:
        i = index[steps]
        deltas = y[i] * gains
        return single_changes(steps, i, deltas, deltas if message.shifts else np.zeros_like(deltas))

    return Updates(threshold, update, changes)


def _asked(threshold: float, training: Training, learner: Learner, watch: Watch) -> Updates:
    """Ask the learner for each change, and take the margins anew from the scores."""
    memory, scores, coef, y, margins = training.memory, training.scores, training.coef, training.y, training.margins

    def update(t: int, i: int) -> None:
        change = learner.change(memory, t, i, scores, coef)
        if change is not None:
            training.apply(change, t)
            np.multiply(scores, y, margins)
        watch(t + 1)

    def changes(index: IntArray) -> Changes:
        return training.changes.changes()

    if training.active is None:
        return Updates(threshold, update, changes)
    score_of, shown, label = training.score_of, training.presentations.score, y.tolist()
    margin_of, error = cast("memoryview[float]", margins.data), training.cancellation_error

    def update_if_exact(t: int, i: int) -> None:
        if abs(margin_of[i]) < error:  # it may be what a subtraction left
            shown[t] = margin_of[i] = label[i] * score_of(i)
        if not margin_of[i] > threshold:
            update(t, i)

    return Updates(max(threshold, error), update_if_exact, changes)


class _SignedRows(dict[int, FloatArray]):
    """Rows delta_i y_j k(x_i, x_j) of the signed Gram matrix, each made when it is first needed."""

    def __init__(self, training: Training, deltas: FloatArray) -> None:
        self._gram, self._signs = training.rows, _multiples(training.y, deltas)

    def __missing__(self, i: int) -> FloatArray:
        row: FloatArray = np.multiply(self._signs[i], self._gram[i])
        self[i] = row
        return row


def _multiples(y: FloatArray, factors: FloatArray) -> list[FloatArray]:
    """Return factor · y for each factor; equal ones share an array, which stays in the processor's cache."""
    made = {factor: factor * y for factor in set(factors.tolist())}
    return [made[factor] for factor in factors.tolist()]
