"""How one comes to the counts of a run, and to b: its mistakes, its support, what is on the wrong side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.lessons.explain import MINUS, counted, example
from kpviz.lessons.file.case import Case
from kpviz.lessons.file.kinds.kernel_working import decimal, result
from kpviz.lessons.file.names import said

_LISTED = 12  # steps, examples or epochs that are named
_HUNDRED = 100  # steps: a stream is one epoch
_FEWEST, _MOST = 3, 15  # decimals of what is added


def of_mistakes(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of the mistakes so far: their steps, or how many each epoch has, of a stream each hundred."""
    run, t = case.run, case.t
    last = f"mistakes = {said(value)}"
    if value <= _LISTED:
        return _at_steps(case, 0), last
    starts = [int(at) for at in run.epoch_start if at < t]
    each = "epoch"
    if len(starts) == 1:
        starts, each = list(range(0, t, _HUNDRED)), "hundred steps"
    counts = [int(run.mistake[at:end].sum()) for at, end in zip(starts, [*starts[1:], t], strict=True)]
    first, rest = counts[:_LISTED], counts[_LISTED:]
    summed = [*map(str, first), *([str(sum(rest))] if rest else [])]
    tail = f", and {sum(rest):,} in the {len(rest)} after them" if rest else ""
    written = f"{' + '.join(summed)} = " if len(summed) > 1 else ""
    return f"Mistakes in each {each}: {', '.join(map(str, first))}{tail}", f"mistakes = {written}{said(value)}"


def of_last_mistakes(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of the mistakes in the last epoch."""
    last = f"last_mistakes = {said(value)}"
    starts = case.run.epoch_start[case.run.epoch_start < case.t]
    first = int(starts[-1]) if len(starts) else 0
    steps = f"The last epoch is steps {first + 1} to {case.t}"
    return (steps, _at_steps(case, first), last) if value <= _LISTED else (steps, last)


def _at_steps(case: Case, first: int) -> str:
    steps = first + np.flatnonzero(case.run.mistake[first : case.t])
    return f"Mistakes at steps {_listed([f'{t + 1} ({example(int(case.run.index[t]))})' for t in steps.tolist()])}"


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {rest:,} more" if rest > 0 else "") if names else "none"


def of_support(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of the support: which examples it is, or how many mistakes were on new ones."""
    run, support = case.run, case.state.support
    last = f"support = {said(value)}"
    erred = run.index[: case.t][run.mistake[: case.t]]
    if len(support) <= _LISTED or set(erred.tolist()) != set(support.tolist()):
        return f"α is not 0 for {_listed(list(map(example, support.tolist())))}", last
    again = len(erred) - len(support)
    if not again:
        return f"{counted(len(erred), 'mistake')}, each on another example", last
    on_old = f"{counted(len(erred), 'mistake')}, {again:,} of them on examples that had a brick already"
    return on_old, f"support = {len(erred):,} − {again:,} = {said(value)}"


def of_bricks(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of the bricks: how many lie on each example, where few have any."""
    support = case.state.support.tolist()
    last = f"bricks = {said(value)}"
    if len(support) > _LISTED:
        return (last,)
    return _listed([f"α of {example(i)} = {said(case.state.alpha[i] / case.run.unit)}" for i in support]), last


def of_wrong(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of the examples on the wrong side: which they are."""
    return _on_wrong_side(case), f"wrong = {said(value)}"


def of_training_error(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of the share of them."""
    n = len(case.run.y)
    return _on_wrong_side(case), f"training_error = {round(value * n)} / {n} = {result(value)}"


def _on_wrong_side(case: Case) -> str:
    if case.settings.predictor == "voted":
        return f"{case.wrong(case.run.X, case.run.y)} of {len(case.run.y)} examples are on the wrong side"
    wrong: NDArray[np.intp] = np.flatnonzero(case.margins <= 0.0)
    return f"On the wrong side, or with f = 0: {_listed(list(map(example, wrong.tolist())))}"


def of_heldout_error(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of the share of those held out that are on the wrong side."""
    n = len(case.split.y_test)
    wrong = round(value * n)
    return (
        f"{wrong} of the {n} held out {'is' if wrong == 1 else 'are'} on the wrong side",
        f"heldout_error = {wrong} / {n} = {result(value)}",
    )


def of_intercept(case: Case, value: float) -> tuple[str, ...]:
    """Return the working of b: what each step adds, where these are few and nothing else changes it."""
    run, changes = case.run, case.run.changes
    shift = np.array(changes.shift[: changes.before(case.t)])
    moved = np.flatnonzero(shift)
    if not 0 < len(moved) <= _LISTED or changes.shrinks or case.settings.predictor != "last" or run.start is not None:
        return (f"b = {result(value)}",)
    steps = changes.step[moved].tolist()
    digits = _digits(shift[moved], value)
    added = [f"{MINUS if each < 0 else '+'}{decimal(abs(each), digits)}" for each in shift[moved]]
    named = [f"{each} at step {t + 1} ({example(int(run.index[t]))})" for t, each in zip(steps, added, strict=True)]
    return f"b is changed by {_listed(named)}", f"b = {' '.join(added)} = {result(value)}".replace("b = +", "b = ")


def _digits(terms: FloatArray, value: float) -> int:
    """Return the fewest decimals of the terms that give what is shown of their sum."""
    return next(
        (digits for digits in range(_FEWEST, _MOST) if result(float(np.round(terms, digits).sum())) == result(value)),
        _MOST,
    )
