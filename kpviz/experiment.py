"""From settings to a run: the one door for pages, command line and notebooks. Read this file first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kpviz.engine import datasets, streams, theory
from kpviz.engine.checks import FloatArray
from kpviz.engine.datasets import Dataset
from kpviz.engine.kernels import KERNELS, Kernel, Product, Sum
from kpviz.engine.learners import LEARNERS
from kpviz.engine.learners.protocol import Learner
from kpviz.engine.run import Run
from kpviz.engine.tables import Choice, Table
from kpviz.engine.train import Progress, train
from kpviz.settings import FILE, Settings, learner_values

COLUMN_SEPARATOR = "~"


@dataclass(frozen=True, eq=False)
class Split:
    """The examples to learn from, the examples held out, and the names that belong to them."""

    X: FloatArray
    y: FloatArray
    X_test: FloatArray
    y_test: FloatArray
    source: Dataset


def run(settings: Settings, split: Split | None = None, progress: Progress | None = None) -> Run:
    """Train what the settings describe; `split` spares drawing the data again.

    >>> run(Settings.of(data="xor")).mistakes_per_epoch
    array([8, 3, 0])
    """
    data = prepare(settings) if split is None else split
    return train(
        learner(settings),
        data.X,
        data.y,
        kernel=kernel(settings),
        order=settings.order,
        epochs=settings.epochs,
        seed=settings.oseed,
        progress=progress,
    )


def prepare(settings: Settings, table: Table | None = None) -> Split:
    """Draw or read the examples and hold out the last `held` share of them, at least one, if it is above 0.

    `table` is needed when the data are a file's; ValueError (of one sentence) where they cannot be used.
    """
    data = _from_table(settings, table) if settings.data == FILE else _from_source(settings)
    n = len(data.y)
    held = min(max(round(settings.held * n), 1), n - 2) if settings.held > 0 else 0
    cut = n - held
    return Split(data.X[:cut], data.y[:cut], data.X[cut:], data.y[cut:], data)


def kernel(settings: Settings) -> Kernel:
    """Return the kernel, or the sum or product of two; normalized if the settings say so."""
    result = _one_kernel(settings, "")
    if settings.combine != "none":
        result = (Sum if settings.combine == "sum" else Product)(result, _one_kernel(settings, "2"))
    return result.normalized() if settings.normalize == "on" else result


def learner(settings: Settings) -> Learner:
    """Return the learner."""
    made: Learner = LEARNERS[settings.learner](**learner_values(settings.values))
    return made


def columns(settings: Settings) -> Choice | None:
    """Return the columns and classes that a link names for a file, None if it names none."""
    parts = settings.cols.split(COLUMN_SEPARATOR)
    if len(parts) != 5:
        return None
    return Choice(features=(parts[0], parts[1]), label=parts[2], classes=(parts[3], parts[4]))


def _one_kernel(settings: Settings, suffix: str) -> Kernel:
    kind = KERNELS[settings.values[f"kernel{suffix}"]]
    return kind(**{name: settings.values[name + suffix] for name in kind.ranges})


def _from_source(settings: Settings) -> Dataset:
    if settings.stream == "on":
        return streams.load(
            settings.data,
            settings.n,
            settings.noise,
            settings.seed,
            flipped=settings.flipped,
            balance=settings.balance,
            drift=settings.drift,
            moves=settings.moves,
        )
    real = datasets.SOURCES[settings.data].is_real
    return datasets.load(
        settings.data,
        settings.n,
        settings.noise,
        settings.seed,
        flipped=settings.flipped,
        balance=settings.balance,
        features=(settings.x, settings.y) if real else None,
        classes=[int(digit) for digit in settings.pair] if settings.data == "iris" else None,
    )


def _from_table(settings: Settings, table: Table | None) -> Dataset:
    if table is None:
        raise ValueError("The file that this link was made with is not here: open it again under Data, My own file.")
    choice = columns(settings) or table.guess()
    examples = table.examples(choice, seed=settings.seed, limit=settings.n)
    order = np.random.default_rng(settings.seed).permutation(len(examples.y))
    values, frame = datasets.scale(examples.X, examples.features, examples.classes)
    scaled = settings.scale == "fit"
    X = values if scaled else examples.X
    return Dataset(
        X[order],
        examples.y[order],
        frame.features,
        frame.classes,
        scaled,
        frame.lows,
        frame.highs,
        tuple(examples.notices),
    )


def bounds(settings: Settings, run: Run) -> tuple[theory.Bound, ...]:
    """Return the mistake bounds of a run that may apply, the one to show first; each says why if it does not."""
    return theory.bounds_of(run, predictor=settings.predictor)
