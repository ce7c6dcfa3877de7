"""The arguments of `kpviz.train`, checked: examples and kernel, learner and start, and the order of examples."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels import Function, Kernel, Linear, as_kernel
from kpviz.engine.learners.protocol import Learner
from kpviz.engine.run.record import State

ORDERS = ("cyclic", "shuffled", "random")
_SINGLE = 1e-5  # by how much, of the largest, sums in single precision may differ
AnyKernel = Kernel | Callable[[FloatArray, FloatArray], FloatArray] | Literal["precomputed"] | None


def compared(kernel: AnyKernel, X: ArrayLike) -> tuple[Kernel | None, NDArray[Any]]:
    """Return the kernel fitted to these examples, None for "precomputed", and the checked examples.

    They are copied, so that a Run does not change with the caller's arrays.
    """
    if isinstance(kernel, str) and kernel == "precomputed":
        gram = checks.matrix("X", X).copy()
        if gram.shape[0] != gram.shape[1]:
            raise ValueError(f"X has shape {gram.shape}: a precomputed Gram matrix must be square.")
        return None, symmetric("X", gram)
    used = Linear() if kernel is None else as_kernel(cast(Kernel, kernel))
    examples = used.examples("X", X).copy()
    return used.fitted(examples), examples


def gram_matrix(kernel: Kernel, X: FloatArray) -> FloatArray:
    """Return K(X, X), of finite numbers."""
    with np.errstate(over="ignore", invalid="ignore"):
        gram = kernel.evaluate(X, X)
    if not np.isfinite(gram).all():
        raise ValueError("kernel is infinite or NaN on X: every k(u, v) must be a finite number, so scale X down.")
    return symmetric("kernel", gram) if isinstance(kernel, Function) else gram


def symmetric(name: str, gram: FloatArray) -> FloatArray:
    """Return a Gram matrix; ValueError where k(u, v) and k(v, u) differ by more than single precision explains.

    An update adds the row of its example to the scores, and f(x) is read from the row of x.
    """
    with np.errstate(over="ignore"):  # of numbers whose difference is infinite
        apart = np.abs(gram - gram.T).max()
    if apart > _SINGLE * np.abs(gram).max():
        raise ValueError(f"{name} is not symmetric: k(u, v) must equal k(v, u).")
    return gram


def epochs_of(order: str | ArrayLike, n: int, epochs: int, seed: int) -> tuple[Iterator[array[int]], int]:
    """Return the examples of each epoch, drawn when they are needed, and the most presentations there can be."""
    if isinstance(order, str):
        checks.choice("order", order, ORDERS)
        if order == "cyclic":
            return repeat(array("i", range(n)), epochs), n * epochs
        rng = np.random.default_rng([seed, 0])
        if order == "shuffled":
            return (_indices(rng.permutation(n)) for _ in range(epochs)), n * epochs
        return (_indices(rng.integers(0, n, size=n, dtype=np.intp)) for _ in range(epochs)), n * epochs
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
    rows = rows[:epochs]
    return map(_indices, rows), rows.size


def _indices(row: NDArray[Any]) -> array[int]:
    return array("i", row.astype(np.int32).tobytes())  # loops and records read it faster than numpy's


def check_parts(learner: Learner, n: int, order: object, start: object, progress: object) -> None:
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
    if learner.chooses and not (isinstance(order, str) and order == "cyclic"):
        raise ValueError(f"order={_brief(order)} is not for {learner.name}: it selects the next example itself.")
    if learner.chooses and start is not None:
        raise ValueError(f"start is not for {learner.name}: it must begin at zero.")


def _check_room(learner: Learner, start: object) -> None:
    """Reject a state with more entries than the learner's budget: it evicts one at a time."""
    room = learner.capacity
    if room is None or not isinstance(start, State):
        return
    held = len(start.support if start.entries is None else start.entries.step)
    if start.entries is None and held and learner.ages_matter:
        raise ValueError(
            "start does not record when its examples were shown: truncation needs a State of the same learner."
        )
    if held > room:
        raise ValueError(f"start remembers {held} presentations: {learner.name} has room for {room}.")


def _brief(value: object) -> str:
    """Return an order as error messages show it."""
    return repr(value) if isinstance(value, str) else f"an array of {np.size(cast(Any, value))} indices"
