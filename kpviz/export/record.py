"""The run as a table and as JSON, and its examples as a table: every number in full precision.

Tests: tests/export/test_record.py.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.data.datasets import Dataset
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.settings import PROPERTIES, Settings

VERSION = 1
# In steps: the nearest is last, since the last that fits is taken.
_AROUND = (-4, 4, -3, 3, -2, 2, -1, 1, 0)
_FORMULA = re.compile(
    r"(?![+-][\d.]+(e[+-]?\d+)?$)[=+\-@\uff1d\uff0b\uff0d\uff20\t\r].",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
_HALF_STEP = 2.0**-54  # As a share of the span: half the rounding of a number between -1 and 1.


class Row(NamedTuple):
    """One presentation.

    `step` and `epoch` count from 1, `example` is an index, `f` the score before the change,
    `margin` y f, and `alpha` that of the example after the step.
    """

    step: int
    epoch: int
    example: int
    y: int
    f: float
    margin: float
    mistake: int
    alpha: float


def rows(run: Run) -> Iterator[Row]:
    """Yield the presentations of a run, in their order.

    >>> import kpviz
    >>> X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    >>> kernel = kpviz.kernels.Monomial(degree=2)
    >>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel)
    >>> next(rows(run))
    Row(step=1, epoch=1, example=0, y=-1, f=0.0, margin=0.0, mistake=1, alpha=1.0)
    """
    table = run.table()
    columns = {name: table[name] for name in Row._fields}
    columns |= {name: table[name].astype(np.int64) for name in ("y", "mistake")}
    return map(Row._make, zip(*(column.tolist() for column in columns.values()), strict=True))


def to_csv(run: Run, lines: NDArray[np.int64] | None = None) -> str:
    """Return the run as CSV, one row for each presentation below the names of `Row`.

    `lines`, (n,) or longer, has the line of each example in its file; then it is the last column.
    """
    texts = [f"{a},{b},{c},{d},{f!r},{g!r},{h},{i!r}" for a, b, c, d, f, g, h, i in rows(run)]
    names = ",".join(Row._fields)
    if lines is not None:
        names += ",line"
        texts = [
            f"{text},{line}" for text, line in zip(texts, lines[run.index].tolist(), strict=True)
        ]
    return "".join(f"{text}\n" for text in [names, *texts])


def to_json(run: Run, settings: Settings, split: Split) -> str:
    """Return the run as JSON: its settings, the examples, what was shown when, and where it ended;
    ValueError where a score is infinite, which JSON cannot hold.
    """
    final = run.state_at(run.n_steps)
    content = {
        "kpviz": "run",
        "version": VERSION,
        "link": settings.link(),
        "settings": {
            prop.name: settings.values[prop.name]
            for prop in PROPERTIES
            if not prop.not_applicable(settings.values)
        },
        "features": split.source.columns,
        "classes": split.source.classes,
        "X": run.X.tolist(),
        "y": run.y.astype(int).tolist(),
        "X_test": split.X_test.tolist(),
        "y_test": split.y_test.astype(int).tolist(),
        **_lines(split),
        "index": run.index.tolist(),
        "score": run.score.tolist(),
        "mistake": run.mistake.astype(int).tolist(),
        "epoch_start": run.epoch_start.tolist(),
        "mistakes_per_epoch": run.mistakes_per_epoch.tolist(),
        "end": run.end,
        "alpha": _unsigned(final.alpha).tolist(),
        "coef": _unsigned(final.coef).tolist(),
        "intercept": final.intercept,
        **_initial(run),
    }
    try:
        return json.dumps(content, allow_nan=False, ensure_ascii=False)
    except ValueError:
        raise ValueError(
            "Some scores are too large for JSON: let the features be scaled, or use CSV."
        ) from None


def _initial(run: Run) -> dict[str, Any]:
    """Return the fixed f₀ that is added to every score; nothing where there is none."""
    if run.initial is None:
        return {}
    w0, b0 = run.initial
    return {"initial": {"w0": None if w0 is None else w0.tolist(), "b0": b0}}


def _lines(split: Split) -> dict[str, list[int]]:
    """Return the line of each example in its file, nothing where there is no file."""
    if split.lines is None:
        return {}
    n = len(split.y)
    return {"line": split.lines[:n].tolist(), "line_test": split.lines[n:].tolist()}


def data_csv(split: Split) -> str:
    """Return the examples as CSV.

    Features in their own units (or bits, or the text), class, who is held out.

    Examples of a file have their line in it, last.

    Points are read again by kpviz as they are. What a spreadsheet would take for a formula begins
    with an apostrophe.

    >>> from kpviz import experiment
    >>> print(data_csv(experiment.prepare(Settings.of(data="trees", held=0.1))).splitlines()[0])
    text,class,held_out
    """
    source = split.source
    held = len(split.y_test)
    names = tuple(map(_not_computed, _class_names(source)))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    more = [*(["held_out"] if held else []), *(["line"] if source.lines is not None else [])]
    writer.writerow([*map(_not_computed, source.columns), "class", *more])
    first_held = len(source.y) - held
    for at, (cells, y) in enumerate(zip(_cells(source), source.y.tolist(), strict=True)):
        more = [("no", "yes")[at >= first_held]] if held else []
        if source.lines is not None:
            more.append(str(source.lines[at]))
        writer.writerow([*cells, names[y > 0], *more])
    return text.getvalue()


def _cells(source: Dataset) -> Iterator[list[str]]:
    """Yield the cells of each example: its text, its bits, or its features in their own units."""
    if source.X.ndim == 1:
        return ([_not_computed(text)] for text in source.X.tolist())
    if source.are_bits:
        return ([f"{bit:g}" for bit in row] for row in source.X.tolist())
    return (list(map(repr, row)) for row in in_own_units(source).tolist())


def _not_computed(text: str) -> str:
    """Return a text as a spreadsheet shows it.

    One that it would take for a formula begins with an apostrophe.

    >>> _not_computed("=1+1"), _not_computed("-1"), _not_computed("+")
    ("'=1+1", '-1', '+')
    """
    return f"'{text}" if _FORMULA.match(text) else text


def in_own_units(source: Dataset) -> FloatArray:
    """Return X as it was before it was scaled: of the numbers that are scaled to the same, one with
    few digits.
    """
    if not source.scaled:
        return _unsigned(source.X)
    lows = np.array(source.lows)
    span = np.array(source.highs) - np.array(source.lows)
    span[span == 0.0] = 1.0
    exact = nearest = np.asarray(lows + (source.X + 1.0) / 2.0 * span)
    next_one = np.spacing(np.abs(nearest))
    half = span * _HALF_STEP
    # A step of 1.5 numbers would pass over one.
    step = np.where(half < 2.0 * next_one, next_one, half)
    around = [nearest + k * step for k in _AROUND]  # Scaling and its inverse round.
    for candidate in (*around, _rounded(nearest, 16), _rounded(nearest, 15)):
        exact = np.where(2.0 * (candidate - lows) / span - 1.0 == source.X, candidate, exact)
    # The ends must be exact, since they scale all others.
    ends = np.where(source.X == -1.0, lows, np.where(source.X == 1.0, source.highs, exact))
    return _unsigned(ends)


def _rounded(values: FloatArray, digits: int) -> FloatArray:
    return np.array([float(f"{value:.{digits}g}") for value in values.ravel().tolist()]).reshape(
        values.shape
    )


def _class_names(source: Dataset) -> tuple[str, str]:
    """Return what names -1 and +1: "-1" and "1" where the data have no names of their own."""
    stripped = (source.classes[0].strip(), source.classes[1].strip())
    plain = source.classes == Dataset.classes
    return ("-1", "1") if plain or stripped[0] == stripped[1] or not all(stripped) else stripped


def _unsigned(values: FloatArray) -> FloatArray:
    """Return the values with 0 for -0."""
    return np.asarray(values + 0.0)
