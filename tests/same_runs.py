"""Whether two answers to a question say the same, though two Pythons on two processors gave them:
the same order, verdicts, counts and words; α, f and all other numbers to their last digits.

A learner that chooses its examples may choose between two that are equally good but for rounding,
and learns from another one after that: then all is the same until there.
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kpviz import experiment
from kpviz.player import payload
from kpviz.settings import from_query

NEAR = 1e-7  # So much of the largest number of its kind is the last digits of one.
NEAR_ROOT = 1e-6  # A distance is the root of a difference, of which rounding leaves more.
ROOTS = {"detail_distance"}
NEAR_ZERO = 1e-9  # What is smaller in a header is 0 but for rounding.
A_TIE = 1e-9  # So much of the better of two choices is rounding.
OF_THE_LAYOUT = {"arrays", "size"}  # Where the bytes of an answer are.
# What repeats is sent once, by arrays that say which it is.
REPEATED = {"changeLike", "changePointer", "changeIndex", "changeDelta", "marginGain", "gainOf"}


class Packed(NamedTuple):
    header: dict
    arrays: dict


class Compared(NamedTuple):
    """What two answers say differently, how many runs are in them, and how many of these part at a
    tie.
    """

    faults: list
    runs: int
    parted: int


def compared(ours, other):
    """Compare two answers, as bytes."""
    answer, *runs = _parts(ours)
    other_answer, *other_runs = _parts(other)
    faults = list(_different(answer.header, other_answer.header))
    if len(runs) != len(other_runs):
        return Compared([*faults, f"{len(runs)} runs, {len(other_runs)}"], len(runs), 0)
    parted = 0
    for number, pair in enumerate(zip(runs, other_runs, strict=True)):
        run_faults = list(_run_faults(*pair))
        step = _parts_at(*pair) if run_faults else None
        if step is not None:
            run_faults = list(_faults_until(step, *pair))
            parted += 1
        faults += [f"run {number}: {fault}" for fault in run_faults]
    return Compared(faults, len(runs), parted)


def _parts(data):
    """An answer, and each run behind it."""
    yield Packed(*payload.unpack(data))
    sizes = [run["size"] for run in payload.unpack(data)[0].get("runs", ())]
    ends = np.cumsum([len(data) - sum(sizes), *sizes]).tolist()
    for start, end in pairwise(ends):
        yield Packed(*payload.unpack(data[start:end]))


# ---- what differs --------------------------------------------------------------------------------


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


# ---- a learner that chooses ----------------------------------------------------------------------


def _parts_at(ours, other):
    """The step at which a learner chose otherwise, if it had a tie there."""
    if "detail_partner" not in ours.arrays:
        return None
    choices = _choices(ours)
    other_choices = _choices(other)
    both = min(len(choices), len(other_choices))
    steps = np.flatnonzero((choices[:both] != other_choices[:both]).any(axis=1))
    if not len(steps):
        return None
    step = int(steps[0])
    return step if _is_tie(ours, step, choices[step], other_choices[step]) else None


def _choices(run):
    """The example and the partner that each step chose."""
    partners = run.arrays["detail_partner"]
    in_turn = np.arange(len(partners)) % run.header["n"]
    order = run.arrays.get("index", in_turn)[: len(partners)]
    return np.column_stack([order, partners]).astype(int)


def _is_tie(packed_run, step, ours, other):
    """Whether two choices of a support vector machine are equally good, from its state before."""
    settings = from_query(packed_run.header["settings"]["query"])[0]
    run = experiment.run(settings, experiment.prepare(settings))
    coef = run.state_at(step).coef
    residual = run.y - run.gram @ coef
    size = 1.0 + np.abs(run.gram) @ np.abs(coef)
    first, partner = ours
    other_first, other_partner = other
    if first != other_first:
        return abs(residual[first] - residual[other_first]) <= A_TIE * size[first]
    diagonal = run.gram.diagonal()
    gain = residual[first] - residual
    # The machine takes no curvature to be less.
    curvature = np.maximum(diagonal[first] + diagonal - 2.0 * run.gram[first], 1e-12)
    worth = gain * gain / curvature
    return math.isclose(worth[partner], worth[other_partner], rel_tol=A_TIE)


def _faults_until(step, ours, other):
    """What differs of the steps before one."""
    for name in ("mistake", "score"):
        if not _is_same(name, ours.arrays[name][:step], other.arrays[name][:step]):
            yield f"{name} before step {step}"
