"""Whether two answers to a question say the same, though two Pythons on two processors gave them:
the same order, verdicts, counts and words; α, f and all other numbers to their last digits.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kpviz.player import payload

NEAR = 1e-7  # So much of the largest number of its kind is the last digits of one.
NEAR_ROOT = 1e-6  # A distance is the root of a difference, of which rounding leaves more.
ROOTS = {"detail_distance"}
NEAR_ZERO = 1e-9  # What is smaller in a header is 0 but for rounding.
OF_THE_LAYOUT = {"arrays", "size"}  # Where the bytes of an answer are.
# What repeats is sent once, by arrays that say which it is.
REPEATED = {"changeLike", "changePointer", "changeIndex", "changeDelta", "marginGain", "gainOf"}


class Packed(NamedTuple):
    header: dict
    arrays: dict


class Compared(NamedTuple):
    """What two answers say differently, and how many runs are in them."""

    faults: list
    runs: int


def compared(ours, other):
    """Compare two answers, as bytes."""
    answer, *runs = _parts(ours)
    other_answer, *other_runs = _parts(other)
    faults = list(_different(answer.header, other_answer.header))
    if len(runs) != len(other_runs):
        return Compared([*faults, f"{len(runs)} runs, {len(other_runs)}"], len(runs))
    for number, pair in enumerate(zip(runs, other_runs, strict=True)):
        faults += [f"run {number}: {fault}" for fault in _run_faults(*pair)]
    return Compared(faults, len(runs))


def _parts(data):
    """An answer, and each run behind it."""
    yield Packed(*payload.unpack(data))
    sizes = [run["size"] for run in payload.unpack(data)[0].get("runs", ())]
    ends = np.cumsum([len(data) - sum(sizes), *sizes]).tolist()
    for start, end in pairwise(ends):
        yield Packed(*payload.unpack(data[start:end]))


def _different(ours, other, place="header"):
    """Where two headers differ."""
    if isinstance(ours, dict) and isinstance(other, dict):
        if ours.keys() != other.keys():
            yield f"{place}: {sorted(ours.keys() ^ other.keys())} are in one"
        for name in (ours.keys() & other.keys()) - OF_THE_LAYOUT:
            yield from _different(ours[name], other[name], f"{place}.{name}")
    elif isinstance(ours, list) and isinstance(other, list) and len(ours) == len(other):
        for k, values in enumerate(zip(ours, other, strict=True)):
            yield from _different(*values, f"{place}[{k}]")
    elif isinstance(ours, float) and isinstance(other, float):
        if not math.isclose(ours, other, rel_tol=NEAR, abs_tol=NEAR_ZERO):
            yield f"{place}: {ours}, {other}"
    elif ours != other:
        yield f"{place}: {ours!r:.200}, {other!r:.200}"


def _run_faults(ours, other):
    yield from _different(ours.header, other.header)
    arrays = _plain(ours.arrays)
    other_arrays = _plain(other.arrays)
    if arrays.keys() != other_arrays.keys():
        yield f"arrays: {sorted(arrays.keys() ^ other_arrays.keys())} are in one"
    for name in arrays.keys() & other_arrays.keys():
        if not _is_same(name, arrays[name], other_arrays[name]):
            yield name


def _plain(arrays):
    """The arrays, with what repeats written out."""
    plain = {name: values for name, values in arrays.items() if name not in REPEATED}
    gain = arrays.get("marginGain")
    if gain is not None:
        plain["gain"] = gain[arrays["gainOf"]] if "gainOf" in arrays else gain
    if "changeIndex" in arrays:
        index = arrays["changeIndex"]
        pointer = arrays.get("changePointer", np.arange(len(index) + 1)).astype(int)
        kinds = arrays.get("changeLike", np.arange(len(pointer) - 1))
        places = [np.arange(pointer[kind], pointer[kind + 1]) for kind in kinds.astype(int)]
        entries = np.concatenate([np.zeros(0, dtype=int), *places])
        plain["sizes of changes"] = np.diff(pointer)[kinds]
        plain["index of entries"] = index[entries]
        plain["α"] = arrays["changeDelta"][entries]
    return plain


def _is_same(name, ours, other):
    if ours.shape != other.shape:
        return False
    if ours.dtype.kind in "iub" and other.dtype.kind in "iub":
        return np.array_equal(ours, other)
    largest = np.abs(ours, dtype=float).max(initial=0.0)
    near = (NEAR_ROOT if name in ROOTS else NEAR) * largest
    return np.allclose(ours, other, rtol=0.0, atol=near, equal_nan=True)
