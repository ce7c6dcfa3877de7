"""What Fisher's discriminant is shown on: two classes in the plane, or many classes of measured
examples.

Tests: tests/engine/test_fisher.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kpviz import packages
from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.data import datasets
from kpviz.engine.data.datasets import SOURCES, axis_name
from kpviz.engine.data.drawn import Drawn, Names
from kpviz.engine.data.tables import Choice, Table
from kpviz.engine.fisher import discriminant
from kpviz.engine.fisher.discriminant import Codes

SCALED = "each feature is scaled to [−1, 1]"
STANDARDIZED = "each feature is standardized: mean 0, standard deviation 1"
MOST_KINDS = 3  # So many classes of a table are shown at a time: more have no colour.


@dataclass(frozen=True)
class FisherSource:
    """A data set by name: its title, one line of what to look for, and what the page
    starts with.
    """

    title: str
    look_for: str
    noise: float = 0.0
    n: int = 80
    many: bool = False
    available: int = 100_000


def _of_source(name: str, look_for: str, n: int = 80) -> FisherSource:
    source = SOURCES[name]
    return FisherSource(
        source.title, look_for, source.noise, min(n, source.available), available=source.available
    )


SETS: dict[str, FisherSource] = {
    "clouds": FisherSource(
        "Long clouds",
        "Long clouds: the line between their means is a bad guess.",
        0.12,
    ),
    "blobs": _of_source("blobs", "Round clouds: the line between the means is nearly the best."),
    "linear": _of_source("linear", "A slab on each side of a line: the best F stands across it."),
    "shifted": _of_source("shifted", "Far from the origin: scatter is about the means, and stays."),
    "moons": _of_source("moons", "Two bent classes: F does what means and scatter allow."),
    "xor": _of_source("xor", "Both means are almost at the same place: no direction helps."),
    "circles": _of_source("circles", "A ring in a ring: the means coincide, so J stays almost 0."),
    "spirals": _of_source("spirals", "Two arms round one centre: on any line they mix."),
    "checkerboard": _of_source(
        "checkerboard", "Cells of both classes all over: the means almost coincide.", 160
    ),
    "iris": _of_source(
        "iris",
        "Two kinds of iris: a slanted F beats either measurement.",
        100,
    ),
    "breast_cancer": _of_source(
        "breast_cancer", "Measured cells: no direction is without errors.", 200
    ),
    "iris_kinds": FisherSource(
        "Iris, 3 kinds",
        "Three kinds, four measurements, two directions.",
        many=True,
        n=150,
        available=150,
    ),
    "wine": FisherSource(
        "Wine, 3 cultivars",
        "Three cultivars, thirteen measurements, two directions.",
        many=True,
        n=178,
        available=178,
    ),
}


@dataclass(frozen=True, eq=False)
class Examples:
    """X (n, p), labels (n,) from 0 to K - 1, and their names.

    `scaling` says in words what was done to the features; where each was mapped from its own range
    to [-1, 1], `lows` and `highs` (2,) are its ends. `lines` (n,): of examples of a file the line
    of each. `notices` are sentences on the rows that are not shown.
    """

    X: FloatArray
    labels: Codes
    features: tuple[str, ...]
    classes: tuple[str, ...]
    scaling: str = ""
    lows: tuple[float, float] | None = None
    highs: tuple[float, float] | None = None
    lines: NDArray[np.int64] | None = None
    notices: tuple[str, ...] = ()

    @property
    def axis_names(self) -> tuple[str, ...]:
        """What a reader sees the features called."""
        return tuple(map(axis_name, self.features))


@dataclass(frozen=True, eq=False)
class Plane:
    """Examples seen in two directions.

    Z (n, 2): for many classes their place in the discriminant plane, in which S_W / n is the
    identity; else X itself. `components` (n, 2): their first two principal components, of the same
    features; None for two classes. `scatter` is of X, with all p features; criterion (p,): J of the
    best directions, exactly 0 after the first min(K - 1, p);
    `components_criterion`: J of the principal components, None for two classes.
    """

    examples: Examples
    scatter: discriminant.Scatter
    Z: FloatArray
    criterion: FloatArray
    components: FloatArray | None = None
    components_criterion: FloatArray | None = None

    @property
    def is_of_many(self) -> bool:
        """Whether there are more than two classes."""
        return self.components is not None


def load(
    name: str,
    n_samples: int | None = None,
    noise: float | None = None,
    seed: int = 0,
    *,
    features: tuple[int, int] | None = None,
    classes: Sequence[int | None] | None = None,
) -> Examples:
    """Return a data set of `SETS`; n_samples, noise and seed are for two classes, the last two for
    real ones.

    Measured examples of two classes are scaled to [-1, 1], those of many classes standardized: each
    feature less its mean, divided by its standard deviation. ValueError, of one sentence, if an
    argument is out of range.
    """
    data_set = SETS[checks.choice("name", name, SETS)]
    if data_set.many:
        return _standardized(name)
    n = data_set.n if n_samples is None else n_samples
    noise = data_set.noise if noise is None else noise
    if name == "clouds":
        return _clouds(checks.integer("n_samples", n, low=4), noise, seed)
    data = datasets.load(name, n, noise, seed, features=features, classes=classes)
    labels = (data.y > 0).astype(np.intp)
    if not data.scaled:
        return Examples(data.X, labels, data.features, data.classes)
    return Examples(data.X, labels, data.features, data.classes, SCALED, data.lows, data.highs)


def of_points(drawn: Drawn, names: Names) -> Examples:
    """Return drawn points as examples; ValueError, of one sentence, where a class has none."""
    labels = (drawn.y > 0).astype(np.intp)
    if len(np.unique(labels)) < 2:
        raise ValueError(
            "Fisher’s discriminant needs points of both classes: add one of the other class."
        )
    scaling = SCALED if names.lows is not None else ""
    return Examples(
        drawn.X, labels, names.features, names.classes, scaling, names.lows, names.highs
    )


def of_table(
    table: Table, choice: Choice, *, all_classes: bool, scale: str, seed: int = 0
) -> Examples:
    """Return the rows of a table: those of three classes with all measurements, else those of two
    with two features.

    Three classes, the most frequent ones, are shown if there are more than two and `all_classes` is
    wanted. `scale` is for two classes: "auto", "fit" or "none". ValueError, of one sentence, where
    the table cannot be used.
    """
    if (
        all_classes
        and len(table.classes(choice.label)) > 2
        and len(table.measurements(choice.label)) > 1
    ):
        kinds = table.kinds(choice.label, most=MOST_KINDS, seed=seed)
        if len(kinds.classes) > 2:
            X = (kinds.X - kinds.X.mean(axis=0)) / _spread(kinds.X)
            return Examples(
                X,
                kinds.labels,
                kinds.features,
                kinds.classes,
                STANDARDIZED,
                None,
                None,
                kinds.rows,
                kinds.notices,
            )
    rows = table.examples(choice, seed=seed)
    labels = (rows.y > 0).astype(np.intp)
    if not datasets.is_scaled(rows.X, scale):
        return Examples(
            rows.X, labels, rows.features, rows.classes, "", None, None, rows.rows, rows.notices
        )
    X, frame = datasets.scale(rows.X, rows.features, rows.classes)
    return Examples(
        X,
        labels,
        rows.features,
        rows.classes,
        SCALED,
        frame.lows,
        frame.highs,
        rows.rows,
        rows.notices,
    )


def _spread(X: FloatArray) -> FloatArray:
    """Return the standard deviation of each column, 1 for one that does not vary."""
    spread = X.std(axis=0)
    return np.where(spread > 0.0, spread, 1.0)


def see(examples: Examples) -> Plane:
    """Return the plane in which the examples are drawn, and what it was made from."""
    S = discriminant.scatter(examples.X, examples.labels)
    F, best = discriminant.directions(S)
    J = np.zeros(examples.X.shape[1])
    J[: len(best)] = best
    if len(examples.classes) == 2:
        return Plane(examples, S, examples.X, J)
    centred = examples.X - S.mean
    axes = np.linalg.svd(centred, full_matrices=False)[2][:2].T
    axes *= np.where((S.means[-1] - S.means[0]) @ axes < 0.0, -1.0, 1.0)
    Z = centred @ F[:, :2] * np.sqrt(len(centred))
    return Plane(examples, S, Z, J, centred @ axes, discriminant.criterion(S, axes))


def _clouds(n: int, noise: float, seed: int) -> Examples:
    """Two clouds along u₁ = u₂ whose means lie beside each other; `noise` is their
    spread across.
    """
    rng = np.random.default_rng(checks.integer("seed", seed, low=0))
    labels = rng.permutation(np.arange(n) % 2)
    along = 0.42 * rng.standard_normal(n)
    across = checks.number("noise", noise, low=0.0) * rng.standard_normal(n)
    X = np.column_stack([along - across, along + across]) / np.sqrt(2.0)
    return Examples(
        X + np.where(labels[:, None] == 1, 1.0, -1.0) * [0.3, -0.02],
        labels,
        ("x₁", "x₂"),
        ("−1", "+1"),
    )


@lru_cache(maxsize=2)
def _standardized(name: str) -> Examples:
    with packages.needs(f"The data set {name}", "sklearn"):
        import sklearn.datasets

    loaders = {"iris_kinds": sklearn.datasets.load_iris, "wine": sklearn.datasets.load_wine}
    bunch = loaders[name]()
    X = np.asarray(bunch.data, dtype=np.float64)
    names = tuple(str(feature).replace("_", " ") for feature in bunch.feature_names)
    kinds = tuple(str(kind).replace("class_", "cultivar ") for kind in bunch.target_names)
    return Examples(
        (X - X.mean(axis=0)) / X.std(axis=0),
        np.asarray(bunch.target, dtype=np.intp),
        names,
        kinds,
        STANDARDIZED,
    )
