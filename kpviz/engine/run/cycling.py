"""What a function that is not a kernel does to a learner: "‖f‖²" below zero, and epochs that repeat
for ever.

With a kernel ‖f‖² = coefᵀ K coef is a squared length. On an indefinite Gram matrix the same number
may turn negative: then there is no space in which f is a vector, and Novikoff's proof, which needs
one, says nothing.

Legend: n examples; t presentations so far; δ (n,) what one period adds to coef; g = Kδ (and b's
share) what it adds to the score of each example.

Tests: tests/engine/test_cycling.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.learners.perceptron import Perceptron
from kpviz.engine.rounding import without_rounding
from kpviz.engine.run import fold
from kpviz.engine.run.run import Run

_ROUNDING = 1e-12  # It is that of `geometry.rkhs_norm`.
_TIMES = 3  # What happens so many times running is called a repetition.

# ‖f‖² of runs in which it turns negative, before the first change and after each; None of others.
_norms: WeakKeyDictionary[Run, FloatArray | None] = WeakKeyDictionary()


def squared_norms(run: Run) -> FloatArray:
    """Return ‖f‖² = coefᵀ K coef, f without b, before the first change and after each: (n_changes +
    1,).

    Summed change by change: adding δ to coef_i adds 2·δ·f(x_i) + δ²·K_ii. Negative values are
    returned as they are.

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = lambda U, V: (U @ V.T) - 4.0
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=1)
    >>> squared_norms(run)
    array([  0.,  -2., -16.])
    """
    walk = fold.Walk(run)
    changes = run.changes
    gram = run.gram
    f = gram @ walk.coef
    norm = float(walk.coef @ f)
    norms = [norm]
    for j in range(len(changes)):
        if changes.shrink[j] != 1.0:
            f *= changes.shrink[j]
            norm *= float(changes.shrink[j]) ** 2
        for i, delta in zip(*walk.advance(j), strict=True):
            norm += float(delta * (2.0 * f[i] + delta * gram[i, i]))
            f += delta * gram[i]
        if changes.evicts and not walk.coef.any():
            # This is exact, unlike what a subtraction leaves.
            f[:] = 0.0
            norm = 0.0
        norms.append(norm)
    return np.array(norms) * run.unit**2


def negative_from(run: Run, norms: FloatArray | None = None) -> int | None:
    """Return after how many presentations "‖f‖²" is first below zero, by more than rounding; None
    if it never is.

    `norms` are those of `squared_norms`, where they are known.
    """
    norms = squared_norms(run) if norms is None else norms
    before = 0.0 if run.start is None else float(np.abs(run.start.coef).sum())
    added = np.concatenate([[0.0], np.cumsum(np.abs(run.changes.delta))])[run.changes.pointer]
    weight = before + added * run.unit  # It is at least the sum of |coef|.
    below = norms < -_ROUNDING * float(np.abs(run.gram).max(initial=0.0)) * weight**2
    if not below.any():
        return None
    first = int(below.argmax())
    return 0 if first == 0 else int(run.changes.step[first - 1]) + 1


def norms_below_zero(run: Run) -> FloatArray | None:
    """Return ‖f‖² before the first change and after each, (n_changes + 1,), if it is ever negative,
    else None.

    For a kernel it is a squared length, so that it cannot be.
    """
    if run not in _norms:
        _norms[run] = None
        is_kernel = run.kernel is not None and run.kernel.psd == "yes"
        if len(run.y) and not is_kernel:
            norms = squared_norms(run)
            if negative_from(run, norms) is not None:
                _norms[run] = norms
    return _norms[run]


@dataclass(frozen=True)
class Cycle:
    """The end of a run that repeats its mistakes: in the last epochs, over and over, the same
    examples err.

    Attributes
    ----------
    period : epochs after which the mistakes are the same again. epochs : all epochs of the run.
    grows : whether each period adds something to the scores; else f is back where it was.
    for_ever : whether it is proven, up to rounding, that no further epoch differs; never where the
        order is drawn. Each example's score moves by the same gain from one period to the next, so
        it is if no gain ever moves a score towards the other verdict. Where mistakes alone are
        shown, the scores of all others decide, too, so that it is only if no score moves at all.
    """

    period: int
    epochs: int
    grows: bool
    for_ever: bool

    @property
    def sentence(self) -> str:
        """What repeats, and whether it will for ever."""
        e = self.epochs
        p = self.period
        if p == 1:
            finding = (
                f"The mistakes of epoch {e} are those of epoch {e - 1}, and of {e - 2}: "
                "it repeats itself."
            )
        else:
            finding = (
                f"The mistakes of epochs {e - p + 1} to {e} are those of the {p} epochs before, "
                f"and of the {p} before those: it repeats itself."
            )
        if not self.for_ever:
            return finding
        if self.grows:
            return (
                f"{finding} Each time every score moves by the same amount, "
                "never towards the other verdict: it repeats for ever."
            )
        return f"{finding} Each time f is back where it was: it repeats for ever."


def cycle(run: Run) -> Cycle | None:
    """Return how the last epochs of a plain perceptron repeat the same mistakes, None if they do
    not (or make none).

    An epoch repeats another if it shows the same examples in the same order and the same ones are
    mistakes; this must have happened three times running. The coefficients may differ: they grow by
    the same δ each time.

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=60, seed=0)
    >>> kernel = kpviz.kernels.Sigmoid(1.0, -1.0)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=12)
    >>> cycle(run).sentence
    'The mistakes of epoch 12 are those of epoch 11, and of 10: it repeats itself. Each time every
    score moves by the same amount, never towards the other verdict: it repeats for ever.'
    """
    n = len(run.y)
    if not isinstance(run.learner, Perceptron) or not run.n_epochs:
        return None
    if run.n_steps - run.epoch_start[-1] != n:  # The last epoch is not whole.
        return None
    starts = run.epoch_start.tolist()
    epochs = [run.index[s : s + n].tobytes() + run.mistake[s : s + n].tobytes() for s in starts]
    for period in range(1, len(epochs) // _TIMES + 1):
        if epochs[-_TIMES * period : -period] == epochs[-(_TIMES - 1) * period :]:
            return _cycle(run, period)
    return None


def _cycle(run: Run, period: int) -> Cycle | None:
    """Return the cycle of so many epochs, None if they make no mistake."""
    last_period = slice(run.n_steps - period * len(run.y), None)
    if not run.mistake[last_period].any():
        return None
    moves, gain = _moves(run, last_period)
    for_ever = _repeats_for_ever(run, last_period, moves, gain)
    return Cycle(period, run.n_epochs, bool(gain.any()), for_ever)


def _moves(run: Run, last_period: slice) -> tuple[FloatArray, FloatArray]:
    """Return by how much the last period moves the score of each example, (n,), and the same with 0
    for what may be only rounding.
    """
    changes = run.changes
    is_last = changes.step >= last_period.start
    # A change of the perceptron adds to one coefficient.
    index = changes.index[changes.pointer[:-1][is_last]]
    delta = np.bincount(index, changes.delta[is_last], len(run.y))
    shift = float(changes.shift[is_last].sum())
    size = np.abs(run.gram) @ np.abs(delta) + abs(shift)
    moves = without_rounding(run.gram @ delta + shift, size)
    rounding = _ROUNDING * (float(np.abs(run.gram).max()) * np.abs(delta).sum() + abs(shift))
    return moves, np.where(np.abs(moves) <= rounding, 0.0, moves)


def _repeats_for_ever(run: Run, last_period: slice, moves: FloatArray, gain: FloatArray) -> bool:
    """Say whether no further epoch can differ: `gain` are the moves without those that are only
    rounding.
    """
    if run.order == "first-mistake":  # All scores decide which example is shown next.
        return not moves.any()
    if run.order in ("shuffled", "random", "random-mistake"):  # The next epoch may differ.
        return False
    index = run.index[last_period]
    score = run.score[last_period]
    towards_label = run.y[index] * gain[index]
    is_steady = np.where(run.mistake[last_period], towards_label <= 0.0, towards_label >= 0.0)
    # Only rounding moves these scores: one that is next to 0 may come to the other side.
    is_at_rest = gain[index] == 0.0
    weight = float(np.abs(run.state_at(run.n_steps).coef).sum())
    fixed = 0.0 if run.initial is None else _ROUNDING * run.initial.sizes(run.X)[index]
    is_near_zero = np.abs(score) - fixed <= _ROUNDING * float(np.abs(run.gram).max()) * weight
    may_move = (score != 0.0) | (moves[index] != 0.0)
    is_in_doubt = is_at_rest & is_near_zero & may_move
    return bool(is_steady.all() and not is_in_doubt.any())
