"""The changes of a run as they are sent: what can be counted off, or was sent already, is left out.

Legend: change j, its entries p from pointer[j] up to pointer[j + 1], as in `Changes` of
kpviz/engine/run/run.py. The other side of this contract is kpviz/player/web/run/trace.js.

changeStep     the presentation of each change; left out where each presentation made one, or each
               mistake.
changePointer  left out where each change adds one entry.
changeLike     which of the distinct changes each one is, where they repeat; pointer, index and
               delta are then theirs.
changeIndex    the place in the support of each entry. changeDelta: what it adds; or, where the
               header's `changed.after` says so, the coefficient after it, so that what comes back
               to zero is zero.
startIndex     the place in the support of what a resumed run began with, oldest first; startWeight:
               its weights; startDies: the change that evicts each. The header's `changed.b` is the
               b that it began with.
changeShift    what is added to b, or b after the change. changeShrink: one value where all are
               alike. changeDies: the change that evicts what this one added.

Tests: tests/player/test_readers.py, tests/player/test_payload.py.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.run import fold
from kpviz.engine.run.run import Changes, Run

Arrays = dict[str, NDArray[Any]]
_OFTEN = 2  # Where a change has more entries, changes may repeat.


def when(run: Run) -> str:
    """Return which presentations made the changes.

    "each", "mistakes", or "listed" in `changeStep`.
    """
    if len(run.changes) == run.n_steps:
        return "each"
    return "mistakes" if np.array_equal(run.changes.step, np.flatnonzero(run.mistake)) else "listed"


def after(run: Run) -> bool:
    """Whether coefficients and b are sent as they are after each change, not what is added."""
    changes = run.changes
    simple = not changes.shrinks and not changes.evicts and not _repeats(changes)
    return simple and not _is_small(changes.delta)


def header(run: Run) -> dict[str, Any]:
    """Return the header's part about the arrays."""
    return {
        "count": len(run.changes),
        "when": when(run),
        "after": after(run),
        "b": fold.start_in_units(run)[1],
    }


def arrays(run: Run, place: NDArray[np.intp]) -> Arrays:
    """Return the arrays; `place` is the place of each example in the support."""
    changes = run.changes
    pointer = changes.pointer
    index = changes.index
    delta = changes.delta
    shift = changes.shift
    result = _start(run, place)
    precise = exactly if cancels(run) else single
    if when(run) == "listed":
        result["changeStep"] = whole(changes.step)
    if _repeats(changes):
        like, first_of_kind = _distinct(changes)
        result["changeLike"] = whole(like)
        sizes = np.diff(pointer)[first_of_kind]
        entries = np.concatenate([np.arange(pointer[j], pointer[j + 1]) for j in first_of_kind])
        pointer = np.concatenate([[0], np.cumsum(sizes)])
        index = index[entries]
        delta = delta[entries]
    if (np.diff(pointer) != 1).any():
        result["changePointer"] = whole(pointer)
    with np.errstate(over="ignore"):
        if after(run):
            coef, b = fold.start_in_units(run)
            delta = _running(coef, index, delta)
            shift = precise(b + shift.cumsum())
        result["changeIndex"] = whole(place[index])
        result["changeDelta"] = delta.astype(np.int8) if _is_small(delta) else precise(delta)
    if changes.shift.any():
        result["changeShift"] = shift.copy()
    if changes.shrinks:
        constant = (changes.shrink[0] == changes.shrink).all()
        # An entry that is evicted lives for a few hundred changes: float32 holds their product well
        # enough.
        short = np.float32 if changes.evicts and not constant else np.float64
        result["changeShrink"] = changes.shrink[: 1 if constant else None].astype(short)
    if changes.evicts:
        result["changeDies"] = whole(changes.dies)
    return result


def _start(run: Run, place: NDArray[np.intp]) -> Arrays:
    """Return what a resumed run began with."""
    if run.start is None:
        return {}
    if not run.learner.evicts:
        coef, _ = fold.start_in_units(run)
        return {"startIndex": whole(place[np.flatnonzero(coef)]), "startWeight": coef[coef != 0.0]}
    active = fold.ActiveEntries.of(run)
    result = {"startIndex": whole(place[active.alive.index]), "startWeight": active.alive.weight}
    return result | ({"startDies": whole(active.dies)} if run.changes.evicts else {})


def sparse(values: NDArray[Any], run: Run) -> dict[str, Any] | None:
    """Return {first, lasts} if the values change with the changes only, else None.

    Between changes a value is the one of the last change if it `lasts`, else, as before the first
    change, `first`.
    """
    changed = np.zeros(run.n_steps, dtype=bool)
    changed[run.changes.step] = True
    if changed.all():
        return None
    first = values[~changed][0]
    latest = np.concatenate([[first], values[changed]])[changed.cumsum()]
    if np.array_equal(latest, values):
        return {"first": first.item(), "lasts": True}
    return {"first": first.item(), "lasts": False} if (values[~changed] == first).all() else None


def whole(values: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers from 0 in the smallest type that holds them."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def single(values: FloatArray) -> NDArray[Any]:
    """Return numbers as float32, unless that loses some."""
    large = np.abs(values).max(initial=0.0) > np.finfo(np.float32).max
    return values.copy() if large or loses(values) else values.astype(np.float32)


def cancels(run: Run) -> bool:
    """Whether scores may be 0 as decimals are.

    Those of hills cancel only where k is the same, as in float32.
    """
    return run.kernel is None or not run.kernel.hill


def exactly(values: FloatArray) -> NDArray[Any]:
    """Return numbers as float32 where that holds each of them exactly, else as they are.

    Zeros of sums depend on it.
    """
    with np.errstate(over="ignore"):
        short = values.astype(np.float32)
    return short if np.array_equal(short, values) else values.copy()


def loses(values: FloatArray) -> bool:
    """Whether float32 would make 0 of some numbers that are not."""
    return bool(((values != 0.0) & (np.abs(values) < np.finfo(np.float32).tiny)).any())


def _is_small(values: FloatArray) -> bool:
    """Whether one byte holds each."""
    with np.errstate(invalid="ignore"):  # Numbers far too large do not fit a byte.
        return bool((values.astype(np.int8) == values).all())


def _repeats(changes: Changes) -> bool:
    return (
        len(changes.index) > _OFTEN * len(changes) and len(_distinct(changes)[1]) < len(changes) / 2
    )


def _distinct(changes: Changes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which distinct change each one is, and where each distinct one is first."""
    number_of: dict[bytes, int] = {}
    pointer = changes.pointer.tolist()
    delta = changes.delta
    parts = [changes.index[a:b].tobytes() + delta[a:b].tobytes() for a, b in pairwise(pointer)]
    like = [number_of.setdefault(part, len(number_of)) for part in parts]
    places = np.array(like, dtype=np.intp)
    return places, np.unique(places, return_index=True)[1]


def _running(start: FloatArray, index: NDArray[Any], delta: FloatArray) -> FloatArray:
    """Return the coefficient after each entry, added up as the learner does."""
    coef = start.tolist()
    result = []
    for i, added in zip(index.tolist(), delta.tolist(), strict=True):
        coef[i] += added
        result.append(coef[i])
    return np.array(result)
