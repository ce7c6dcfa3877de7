"""From settings to a run: the one entry point for pages, command line and notebooks.

Read this file first.

Tests: tests/test_experiment.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import theory
from kpviz.engine.checks import FloatArray
from kpviz.engine.data import boolean, datasets, objects, sequence, streams, weights
from kpviz.engine.data.datasets import SOURCES, Dataset, DataSource
from kpviz.engine.data.dnf import Dnf
from kpviz.engine.data.drawn import Drawn, Names
from kpviz.engine.data.objects import OBJECTS, ObjectSource
from kpviz.engine.data.tables import Choice, Table, quoted
from kpviz.engine.kernels import KERNELS, AllSubsets, Kernel
from kpviz.engine.kernels.formula import Formula
from kpviz.engine.learners import LEARNERS
from kpviz.engine.learners.protocol import Learner
from kpviz.engine.run import example_positions, grid
from kpviz.engine.run.example_positions import ExamplePositions
from kpviz.engine.run.grid import Extent
from kpviz.engine.run.predictors import Progress
from kpviz.engine.run.run import Run, comparable_examples, run_of_nothing
from kpviz.engine.run.train import train
from kpviz.engine.syntax import shortened
from kpviz.engine.theory import applicable_bounds
from kpviz.settings import (
    AUTO,
    BOOLEAN,
    DRAWN,
    FILE,
    HAND,
    MAX_POINTS,
    Settings,
    conditions,
    learner_values,
)
from kpviz.settings.kernel_words import kernel_label

_LONGEST = 24  # In characters: so much of a Boolean function stands in a title.
_FEWEST_SORTED = 5  # From so many examples on one says that they are sorted by their label.


@dataclass(frozen=True, eq=False)
class Split:
    """The examples to learn from, the examples held out, and the names that belong to them.

    `drawn_on` is the part of the plane on which points were drawn by hand, None for other data.
    """

    X: NDArray[Any]
    y: FloatArray
    X_test: NDArray[Any]
    y_test: FloatArray
    source: Dataset
    drawn_on: Extent | None = None

    @property
    def lines(self) -> NDArray[np.int64] | None:
        """The line in the file of each example, those to learn from first, (n + n_test,); None
        without a file.
        """
        return self.source.lines

    @property
    def everything(self) -> NDArray[Any]:
        """All examples, those to learn from first."""
        return np.concatenate([self.X, self.X_test])

    @property
    def extent(self) -> Extent:
        """The part of the plane that is shown: the one on which points were drawn, else what all
        examples need.
        """
        return grid.extent(self.everything) if self.drawn_on is None else self.drawn_on


def run(settings: Settings, split: Split | None = None, progress: Progress | None = None) -> Run:
    """Train what the settings describe; `split` spares drawing the data again.

    >>> run(Settings.of(data="xor")).mistakes_per_epoch
    array([8, 3, 0])
    """
    data = prepare(settings) if split is None else split
    if not len(data.y):
        return run_of_nothing(learner(settings), kernel(settings), data.X)
    order = order_of(settings, len(data.y))
    return train(
        learner(settings),
        data.X,
        data.y,
        kernel=kernel(settings),
        order=order if isinstance(order, str) else np.tile(order, (settings.epochs, 1)),
        epochs=settings.epochs,
        seed=settings.oseed,
        progress=progress,
        initial=initial(settings),
    )


def initial(settings: Settings) -> tuple[list[float] | None, float] | None:
    """Return what is added to every score, w₀ and b₀, None for nothing."""
    w0 = settings.w0 if settings.reason_against("w0") is None else ""
    b0 = float(settings.b0) if settings.reason_against("b0") is None else 0.0
    if not w0 and not b0:
        return None
    return (weights.read(w0, conditions.features(settings.values)) if w0 else None), b0


def may_be_scaled(settings: Settings) -> bool:
    """Whether the features that a kernel compares may be other numbers than those of the data."""
    if settings.data == FILE:
        return bool(settings.scale != "none")
    if settings.data == DRAWN:
        # Drawn points keep the ranges of the data that they were made from, if these were scaled.
        return bool((Names.read(settings.names) or Names()).lows)
    # Measurements are always scaled, points drawn at random never.
    return settings.data in SOURCES and SOURCES[settings.data].is_real


def order_of(settings: Settings, n: int) -> str | NDArray[np.intp]:
    """Return the order of n examples by its name, or that of every epoch, by hand, (n,)."""
    return str(settings.order) if settings.order != HAND else sequence.read(settings.sequence, n)


def prepare(settings: Settings, table: Table | None = None, *, all_rows: bool = False) -> Split:
    """Draw or read the examples and hold out a share `held` of them, at least one if it is above 0.

    The last ones are held out. Of a file the seed draws which; both parts keep the file's order.

    `table` is needed when the data are a file's; ValueError (of one sentence) where they cannot be
    used. `all_rows` takes all of its rows, however many are shown.
    """
    if settings.data == DRAWN:
        return _from_hand(settings)
    if settings.data in OBJECTS:
        data = _of_objects(settings)
    else:
        data = (
            _from_table(settings, table, all_rows)
            if settings.data == FILE
            else _from_source(settings)
        )
    return _split(data, _n_held(settings, len(data.y)))


def _split(data: Dataset, held: int, drawn_on: Extent | None = None) -> Split:
    cut = len(data.y) - held
    return Split(data.X[:cut], data.y[:cut], data.X[cut:], data.y[cut:], data, drawn_on)


def positions(settings: Settings, split: Split, run: Run) -> ExamplePositions:
    """Return the positions at which the examples are shown."""
    has_bits = boolean_function(settings) is not None
    extent = None if has_bits or split.X.ndim == 1 else split.extent
    return example_positions.of(run, split.X_test, visible=extent, bits=has_bits)


def title(settings: Settings) -> str:
    """Return the title of the data."""
    if settings.data == DRAWN:
        return "My own points"
    if settings.data == BOOLEAN:
        preset = boolean.PRESETS.get(settings.function)
        return (
            f"{preset.title if preset else shortened(settings.function, _LONGEST)}, "
            f"{settings.bits} bits"
        )
    return "My own file" if settings.data == FILE else source(settings.data).title


def source(name: str) -> DataSource | ObjectSource:
    """Return the description of a data set by its name."""
    return OBJECTS[name] if name in OBJECTS else SOURCES[name]


def about(settings: Settings, under: str = "") -> str:
    """Return data, kernel and learner in one line, without the data where it stands `under` their
    title.
    """
    data = [] if under == title(settings) else [title(settings)]
    return " · ".join([*data, kernel_label(kernel(settings)), learner(settings).about.title])


def look_for(settings: Settings) -> str:
    """Return what to look for in the data, in a sentence; "" where nobody knows."""
    if settings.stream == "on":
        return streams.look_for(settings.drift, settings.moves)
    if settings.data == BOOLEAN:
        preset = boolean.PRESETS.get(settings.function)
        return preset.look_for if preset else source(settings.data).look_for
    if settings.data in (FILE, DRAWN) or (
        settings.data in SOURCES and not _has_described_classes(settings, SOURCES[settings.data])
    ):
        return ""
    return source(settings.data).look_for


def _has_described_classes(settings: Settings, data_source: DataSource) -> bool:
    """Whether what a source says of its classes is so of these examples.

    It is of at least `holds_from` examples of the default columns, classes and balance, with no
    more than the default noise and no flipped labels.
    """
    if not data_source.holds_from:  # It says nothing of them.
        return True
    default_values = Settings.of(data=settings.data).values
    has_defaults = all(
        settings.values[name] == default_values[name] for name in ("x", "y", "pair", "balance")
    )
    return (
        has_defaults
        and settings.n >= data_source.holds_from
        and settings.noise <= data_source.noise
        and not settings.flipped
    )


def kernel(settings: Settings) -> Kernel:
    """Return the kernel, normalized if the settings say so."""
    kind = KERNELS[settings.kernel]
    parameters = {name: settings.values[name] for name in kind.ranges}
    if kind is AllSubsets:
        parameters["negated"] = settings.negated == "on"
    elif kind is Formula:
        parameters["text"] = settings.formula
    result = kind(**parameters)
    return result.normalized() if settings.normalize == "on" else result


def learner(settings: Settings) -> Learner:
    """Return the learner."""
    made: Learner = LEARNERS[settings.learner](**learner_values(settings.values))
    return made


def as_set(settings: Settings, table: Table) -> Table:
    """Return a table read with the encoding and the decimal mark of the settings; TableError where
    it is none.
    """
    encoding, decimal = reading(settings)
    return table.read_as(encoding=encoding, decimal=decimal)


def reading(settings: Settings) -> tuple[str, str]:
    """Return the encoding and the decimal mark with which the settings have a table read; "": what
    is found out.
    """
    encoding = str(settings.encoding)
    decimals = str(settings.decimals)
    return "" if encoding == AUTO else encoding, "" if decimals == AUTO else decimals


def choice(settings: Settings, table: Table) -> Choice:
    """Return which columns and classes of a table are used; TableError if none can be guessed."""
    return replace(columns(settings) or table.guess(), reduce=settings.reduce == "on")


def columns(settings: Settings) -> Choice | None:
    """Return the columns and classes that a link names for a file, None if it names none."""
    return Choice.read(settings.cols)


def _of_objects(settings: Settings) -> Dataset:
    if settings.data == BOOLEAN:
        X, y = boolean.load(settings.function, settings.bits, settings.seed)
        return Dataset(X, y, ("", ""), boolean.CLASSES)
    texts, y = objects.load(settings.data, settings.seed, settings.added)
    return Dataset(texts, y, ("", ""), OBJECTS[settings.data].classes)


def asked_object(settings: Settings, run: Run) -> NDArray[Any]:
    """Return the object that is asked about, (1,), or nothing, (0,); ValueError if the kernel
    cannot read it.
    """
    return comparable_examples(run, "ask", [settings.ask]) if settings.ask else run.X[:0]


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
    real = SOURCES[settings.data].is_real
    return datasets.load(
        settings.data,
        settings.n,
        settings.noise,
        settings.seed,
        flipped=settings.flipped,
        balance=settings.balance,
        features=(settings.x, settings.y) if real else None,
        classes=datasets.classes_of(settings.pair) if settings.data == "iris" else None,
    )


def drawn(settings: Settings, split: Split) -> Drawn:
    """Return the examples as points on the grid of drawn ones: those that were drawn, or the
    nearest to others.
    """
    if settings.data == DRAWN:
        return Drawn.read(settings.points, MAX_POINTS)
    return Drawn.of(split.source.X, split.source.y, len(split.y_test), split.extent)


def as_shown(values: FloatArray, source: Dataset) -> FloatArray:
    """Return points that are in the data's own units as the plane has them, shape (n, 2): scaled to
    ±1 where the data are.
    """
    if not source.scaled:
        return values
    lows = np.array(source.lows)
    highs = np.array(source.highs)
    return np.asarray(2.0 * (values - lows) / (highs - lows) - 1.0)


def names(split: Split) -> Names:
    """Return the names of features and classes, and the ranges if these were scaled: drawn points
    keep them of the data that they are made from.
    """
    source = split.source
    ends = (source.lows, source.highs) if source.scaled else (None, None)
    return Names(source.features, source.classes, *ends)


def _from_hand(settings: Settings) -> Split:
    points = Drawn.read(settings.points, MAX_POINTS)
    names_kept = Names.read(settings.names) or Names()
    data = Dataset(points.X, points.y, names_kept.features, names_kept.classes)
    if names_kept.lows is not None and names_kept.highs is not None:
        data = replace(data, scaled=True, lows=names_kept.lows, highs=names_kept.highs)
    return _split(data, points.held, points.visible)


def _from_table(settings: Settings, table: Table | None, all_rows: bool) -> Dataset:
    """Return the examples in the order of the file, those that are held out after the others."""
    if table is None:
        raise ValueError(
            "The file that this link was made with is not here: open it again under Data, My own "
            "file."
        )
    limit = table.n_rows if all_rows else settings.n
    examples = table.examples(choice(settings, table), seed=settings.seed, limit=limit)
    n = len(examples.y)
    shuffled = np.random.default_rng(settings.seed).permutation(n)
    n_learnt = n - _n_held(settings, n)
    order = np.concatenate([np.sort(shuffled[:n_learnt]), np.sort(shuffled[n_learnt:])])
    scaled_X, frame = datasets.scale(examples.X, examples.features, examples.classes)
    is_scaled = datasets.is_scaled(examples.X, settings.scale)
    X = scaled_X if is_scaled else examples.X
    return Dataset(
        X[order],
        examples.y[order],
        frame.features,
        frame.classes,
        is_scaled,
        frame.lows,
        frame.highs,
        tuple(examples.notices),
        examples.rows[order],
    )


def _n_held(settings: Settings, n: int) -> int:
    """Return how many of n examples are held out.

    A share of them, at least one, if it is above 0; at least two remain to learn from.
    """
    return min(max(round(settings.held * n), 1), n - 2) if settings.held > 0 else 0


def scaling_note(settings: Settings, source: Dataset) -> str:
    """Return what there is to say of the scale of a file's features, "" where there is nothing."""
    if settings.data != FILE:
        return ""
    if source.scaled:
        return "Features are scaled to ±1: k and w are of scaled values."
    return "Features are taken as they are in the file." if settings.scale == "none" else ""


def sorted_note(settings: Settings, split: Split) -> str:
    """Return a sentence where the examples of a file are shown sorted by their label, "" elsewhere.

    Fewer than five examples are often so by chance, as the truth table of a sheet is.
    """
    is_read_in_order = settings.order == "cyclic" and settings.reason_against("order") is None
    if settings.data != FILE or not is_read_in_order or len(split.y) < _FEWEST_SORTED:
        return ""
    if np.count_nonzero(np.diff(split.y)) != 1:
        return ""
    first, last = (quoted(split.source.classes[int(y > 0)]) for y in (split.y[0], split.y[-1]))
    return (
        f"The file is sorted by its label: all examples of class {first} come before those of "
        f"class {last}."
    )


def bounds(settings: Settings, run: Run) -> tuple[theory.Bound, ...]:
    """Return the mistake bounds of a run that may apply, the one to show first.

    Each says why if it does not.
    """
    return applicable_bounds.all_bounds(run, settings.predictor, boolean_function(settings))


def boolean_function(settings: Settings) -> Dnf | None:
    """Return the Boolean function that is learnt, None for other data."""
    return boolean.function(settings.function, settings.bits) if settings.data == BOOLEAN else None


def provided(settings: Settings) -> set[str]:
    """Return what a run of these settings provides, of what `kpviz.panels.Panel.requires` names."""
    facts = {
        "parts": bool(learner(settings).about.parts),
        "training set": settings.stream != "on",
        "order": settings.reason_against("order") is None,
    }
    return {name for name, holds in facts.items() if holds}
