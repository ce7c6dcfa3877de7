"""The score of the example of each change once it is made, as it is written, and in few bytes.

Often all margins move by the same amount. So the browser gets what each change adds to the margin,
one number if it is the same for all, as long as score and gain, both float32, add up to the digits
that are written.

Tests: tests/player/test_readers.py, tests/test_explain.py.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.run.predictors import Progress, scores_after
from kpviz.engine.run.run import Run

_SMALLEST = np.finfo(np.float32).smallest_subnormal
_PLAIN = 1e-4  # A smaller number is written with an exponent.
# By so much a number may differ from what is written: in all, and of a smaller one.
_CLOSE = 1e-6
_RELATIVE = 1e-3

# By run: the scores as they are written, and the array that the browser gets.
_of_run: WeakKeyDictionary[Run, tuple[FloatArray, dict[str, NDArray[Any]]]] = WeakKeyDictionary()


def after(run: Run) -> FloatArray:
    """Return the score of the example of each change once it is made, (n_changes,)."""
    return _scores(run)[0]


def sent(run: Run, progress: Progress | None = None) -> dict[str, NDArray[Any]]:
    """Return the same for the browser.

    `marginGain`, what each change adds to y f(x_i), or else `scoreAfter`.

    With `gainOf`, the place of each change's gain, those are the different ones; one gain stands
    for all. `progress` is called as by `scores_after`.
    """
    return _scores(run, progress)[1]


def as_sent(values: ArrayLike) -> NDArray[np.float32]:
    """Return float32 values as the browser has them.

    What is not zero stays so, since a zero has its own words.
    """
    exact = np.asarray(values, dtype=float)
    with np.errstate(over="ignore"):  # Infinity means that a number is too large.
        lost = (exact != 0.0) & (exact.astype(np.float32) == 0.0)
        return np.where(lost, np.copysign(_SMALLEST, exact), exact).astype(np.float32)


def _scores(
    run: Run, progress: Progress | None = None
) -> tuple[FloatArray, dict[str, NDArray[Any]]]:
    if run not in _of_run:
        exact = scores_after(run, progress)
        before = run.score[run.changes.step]
        with np.errstate(all="ignore"):  # Numbers may be far too large.
            gain = as_sent(exact - before)
            added = np.add(as_sent(before), gain, dtype=np.float64)
            far = np.abs(added - exact) > np.where(
                np.abs(exact) < _PLAIN, _RELATIVE * np.abs(exact), _CLOSE
            )
        if far.any() or not np.isfinite(added).all():
            plain = as_sent(exact)
            _of_run[run] = np.asarray(plain, dtype=float), {"scoreAfter": plain}
        else:
            gain *= run.y[run.index[run.changes.step]].astype(np.float32)
            _of_run[run] = added, _in_few_bytes(gain)
    return _of_run[run]


def _in_few_bytes(gain: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Return the gains, or the different ones and which of them each change has."""
    values, which = np.unique(gain, return_inverse=True)
    places = which.astype(np.min_scalar_type(max(len(values) - 1, 0)))
    if len(values) == 1:
        return {"marginGain": values}
    return (
        {"marginGain": values, "gainOf": places}
        if values.nbytes + places.nbytes < gain.nbytes
        else {"marginGain": gain}
    )
