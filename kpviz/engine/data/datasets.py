"""Toy data sets in the plane, and two real ones.

Each generator draws the examples of class -1 and of class +1; `load` mixes, shuffles and flips.

Tests: tests/engine/test_datasets.py.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from kpviz import packages
from kpviz.engine import checks
from kpviz.engine.checks import FloatArray

_REMEMBERED = 100
LARGEST_AS_IT_IS = 10.0  # Features of a table with larger numbers are scaled.
MOST_SAMPLES = 10_000_000  # They take some 200 MB.
LARGEST_NOISE = 1e300  # A point stays far from infinity.
Points = FloatArray
BothClasses = tuple[Points, Points]  # The negative ones first.
Draw = Callable[[int, int, float, Generator], BothClasses]


@dataclass(frozen=True)
class DataSource:
    """A data set by name: how to draw it, what to look for in it, and its defaults.

    `noise`, `n` and `balance` are what the app starts with; `available` is how many examples there
    are. What `look_for` says of the classes is so of `holds_from` examples on, with this balance,
    no more noise than this and no flipped labels; 0: it says nothing of them.
    """

    title: str
    look_for: str
    draw: Draw | None = None
    noise: float = 0.0
    n: int = 60
    balance: float = 0.5
    available: int = 100_000
    holds_from: int = 0

    @property
    def is_real(self) -> bool:
        """Whether the examples were measured, not drawn."""
        return self.draw is None


def axis_name(column: str) -> str:
    """Return what the axis of a column is called, which is never the name of an example.

    >>> axis_name("x₁"), axis_name("x12"), axis_name("petal length")
    ('feature 1', 'feature 12', 'petal length')
    """
    match = re.fullmatch("x_?([0-9]{1,9})", unicodedata.normalize("NFKC", column))
    return f"feature {match[1]}" if match else column


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples with the names that belong to them.

    X is (n, 2), of bits (n, n_bits), of texts (n,); y is (n,) in {-1., +1.}; `classes` names -1 and
    +1. `scaled` says that each feature was mapped from its own range to [-1, 1], and `lows`,
    `highs` are the ends of that range. `lines`, (n,), has the line of each example in the file that
    it comes from, counted from 1; None without a file.
    """

    X: NDArray[Any]
    y: FloatArray
    features: tuple[str, str] = ("x₁", "x₂")
    classes: tuple[str, str] = ("−1", "+1")
    scaled: bool = False
    lows: tuple[float, float] = (-1.0, -1.0)
    highs: tuple[float, float] = (1.0, 1.0)
    notices: tuple[str, ...] = ()
    lines: NDArray[np.int64] | None = None

    @property
    def are_bits(self) -> bool:
        """Whether the columns of X have no names, and hold nothing but 0 and 1."""
        return (
            self.X.ndim == 2 and not any(self.features) and bool(np.isin(self.X, (0.0, 1.0)).all())
        )

    @property
    def axis_names(self) -> tuple[str, str]:
        """What a reader sees the features called; in files they are `columns`."""
        return axis_name(self.features[0]), axis_name(self.features[1])

    @property
    def columns(self) -> tuple[str, ...]:
        """What the columns of X are called in files: the features, the bits of an input, or
        "text" where it has no columns.

        >>> Dataset(np.eye(3), np.ones(3), ("", "")).columns
        ('x1', 'x2', 'x3')
        """
        if self.X.ndim == 1:
            return ("text",)
        return (
            tuple(f"x{j}" for j in range(1, self.X.shape[1] + 1))
            if self.are_bits
            else self.features
        )


@dataclass(frozen=True)
class RealTable:
    """A measured data set as scikit-learn ships it."""

    values: FloatArray
    target: FloatArray
    features: tuple[str, ...]
    classes: tuple[str, ...]


DatasetName = Literal[
    "xor",
    "circles",
    "spirals",
    "moons",
    "blobs",
    "checkerboard",
    "linear",
    "shifted",
    "iris",
    "breast_cancer",
]


def make_dataset(
    name: DatasetName,
    n_samples: int | None = None,
    noise: float | None = None,
    seed: int = 0,
    *,
    flipped: float = 0.0,
    balance: float | None = None,
    features: Sequence[int] | None = None,
    classes: Sequence[int | None] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return X of shape (n_samples, 2) and y in {-1., +1.}; the same arguments give the same
    examples.

    Parameters
    ----------
    name : a key of `SOURCES`: xor, circles, spirals, moons, blobs, checkerboard, linear, shifted,
        iris, breast_cancer.
    n_samples : 2 to 10,000,000; None means 200, or all examples of a real data set.
    noise : standard deviation of the jitter, at least 0, in data units (the spread of `blobs`);
        None means the data set's default.
    seed : at least 0.
    flipped : share of labels that are flipped, 0 to 0.5.
    balance : share of class +1, 0.05 to 0.95; None means one half, or as measured for a real data
        set.
    features, classes : two indices each, for the real data sets only; in the place of class -1 None
        means all others.

    Raises
    ------
    ValueError
        One sentence that names the argument, its value and what is allowed.

    Examples
    --------
    >>> X, y = make_dataset("xor", n_samples=4, noise=0.0)
    >>> X.tolist(), y.tolist()
    ([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [-1.0, 1.0, 1.0, -1.0])
    """
    data = load(
        name,
        n_samples,
        noise,
        seed,
        flipped=flipped,
        balance=balance,
        features=features,
        classes=classes,
    )
    noise = SOURCES[name].noise if noise is None else noise
    data_settings = {
        "data": name,
        "n": len(data.y),
        "noise": noise,
        "seed": seed,
        "flipped": flipped,
    }
    data_settings |= {} if balance is None else {"balance": balance}
    data_settings |= {} if features is None else {"x": features[0], "y": features[1]}
    remember(data, data_settings | ({} if classes is None else {"pair": code_of(classes)}))
    return data.X, data.y


# The settings of what was made lately are known by its bytes.
_made: dict[bytes, dict[str, Any]] = {}


def remember(data: Dataset, settings: dict[str, Any]) -> None:
    """Keep the settings that make some examples, so that a run of these has a link."""
    while len(_made) >= _REMEMBERED:
        del _made[next(iter(_made))]
    _made[_digest(data.X, data.y)] = settings


def origin(X: NDArray[Any], y: FloatArray) -> dict[str, Any] | None:
    """Return the settings that make exactly these examples, if `make_dataset` or `make_stream` made
    them lately.

    >>> X, y = make_dataset("xor", n_samples=40, seed=3)
    >>> origin(X.copy(), y)
    {'data': 'xor', 'n': 40, 'noise': 0.05, 'seed': 3, 'flipped': 0.0}
    """
    return _made.get(_digest(X, y))


def _digest(X: NDArray[Any], y: FloatArray) -> bytes:
    return hashlib.blake2b(repr((X.shape, X.dtype)).encode() + X.tobytes() + y.tobytes()).digest()


def load(
    name: str,
    n_samples: int | None = None,
    noise: float | None = None,
    seed: int = 0,
    *,
    flipped: float = 0.0,
    balance: float | None = None,
    features: Sequence[int] | None = None,
    classes: Sequence[int | None] | None = None,
) -> Dataset:
    """Return the examples of `make_dataset`, which describes the arguments, with names
    and scaling.
    """
    checks.choice("name", name, SOURCES)
    source = SOURCES[name]
    rng = np.random.default_rng(checks.integer("seed", seed, low=0))
    noise = (
        source.noise
        if noise is None
        else checks.number("noise", noise, low=0.0, high=LARGEST_NOISE)
    )
    flipped = checks.number("flipped", flipped, low=0.0, high=0.5)
    if balance is not None:
        checks.number("balance", balance, low=0.05, high=0.95)
    if source.draw is None:
        return _real(name, n_samples, noise, rng, flipped, balance, features, classes)
    if features is not None or classes is not None:
        argument = "features" if features is not None else "classes"
        raise ValueError(
            f"{argument} is for iris and breast_cancer: {name} is drawn in the plane with two "
            f"classes."
        )
    n = checks.integer(
        "n_samples", 200 if n_samples is None else n_samples, low=2, high=MOST_SAMPLES
    )
    positive = _count_of_positive(n, 0.5 if balance is None else balance)
    negatives, positives = source.draw(n - positive, positive, noise, rng)
    X = np.concatenate([negatives, positives])
    y = np.repeat([-1.0, 1.0], [n - positive, positive])
    if name == "xor" and n == 4 and noise == 0.0 and positive == 2:
        order = np.array([0, 2, 3, 1])  # Every book lists the four corners in this order.
    else:
        order = rng.permutation(n)
    return Dataset(X[order], _flip(y[order], flipped, rng))


def is_scaled(values: FloatArray, how: str) -> bool:
    """Whether the features of a table are scaled: always ("fit"), never ("none"), or by its numbers
    ("auto").
    """
    return how == "fit" or (how == "auto" and float(np.abs(values).max()) > LARGEST_AS_IT_IS)


def scale(
    values: FloatArray, features: tuple[str, str], classes: tuple[str, str]
) -> tuple[FloatArray, Dataset]:
    """Map each column of `values` from its own range to [-1, 1]; return it, and a Dataset without
    examples.
    """
    lows = values.min(axis=0)
    highs = values.max(axis=0)
    span = np.where(highs > lows, highs - lows, 1.0)
    scaled = 2.0 * (values - lows) / span - 1.0
    low = (float(lows[0]), float(lows[1]))
    high = (float(highs[0]), float(highs[1]))
    return scaled, Dataset(scaled[:0], scaled[:0, 0], features, classes, True, low, high)


@lru_cache(maxsize=2)
def real_table(name: str) -> RealTable:
    """Return iris or breast_cancer from scikit-learn, which is imported here."""
    with packages.needs(f"The data set {name}", "sklearn"):
        from sklearn import datasets

    bunch = datasets.load_iris() if name == "iris" else datasets.load_breast_cancer()
    return RealTable(
        np.asarray(bunch.data, dtype=np.float64),
        np.asarray(bunch.target, dtype=np.float64),
        tuple(map(str, bunch.feature_names)),
        tuple(map(str, bunch.target_names)),
    )


REAL_DEFAULTS = {"iris": ((2, 3), (1, 2)), "breast_cancer": ((0, 1), (1, 0))}


def _real(
    name: str,
    n_samples: int | None,
    noise: float,
    rng: Generator,
    flipped: float,
    balance: float | None,
    features: Sequence[int] | None,
    classes: Sequence[int | None] | None,
) -> Dataset:
    table = real_table(name)
    first, second = _pair(
        "features", REAL_DEFAULTS[name][0] if features is None else features, len(table.features)
    )
    negative, positive = (
        REAL_DEFAULTS[name][1] if classes is None else _classes(classes, len(table.classes))
    )
    is_positive = table.target == positive
    is_negative = ~is_positive if negative is None else table.target == negative
    rows = [rng.permutation(np.flatnonzero(these)) for these in (is_negative, is_positive)]
    available = len(rows[0]) + len(rows[1])
    n = (
        available
        if n_samples is None
        else checks.integer("n_samples", n_samples, low=2, high=available)
    )
    share = len(rows[1]) / available if balance is None else balance
    n_positive = _count_of_positive(n, share)
    n_positive = min(max(n_positive, n - len(rows[0])), len(rows[1]))
    chosen = np.concatenate([rows[0][: n - n_positive], rows[1][:n_positive]])
    y = np.repeat([-1.0, 1.0], [n - n_positive, n_positive])
    both = np.concatenate(rows)
    values, frame = scale(
        table.values[both][:, [first, second]],
        (table.features[first], table.features[second]),
        (
            f"not {table.classes[positive]}" if negative is None else table.classes[negative],
            table.classes[positive],
        ),
    )
    place = {int(row): at for at, row in enumerate(both)}
    order = rng.permutation(n)
    X = values[[place[int(row)] for row in chosen]][order] + noise * rng.standard_normal((n, 2))
    y = _flip(y[order], flipped, rng)
    return Dataset(X, y, frame.features, frame.classes, True, frame.lows, frame.highs)


def _pair(name: str, pair: Sequence[int | None], n: int) -> tuple[int, int]:
    first, second = _two(name, pair)
    if first is second or (isinstance(first, int | np.integer) and first == second):
        raise ValueError(
            f"{name}={checks.text_of(pair)} is not a pair: it must be two different whole numbers."
        )
    return checks.integer(name, first, low=0, high=n - 1), checks.integer(
        name, second, low=0, high=n - 1
    )


def _classes(classes: Sequence[int | None], n: int) -> tuple[int | None, int]:
    negative, positive = _two("classes", classes)
    if negative is None:
        return None, checks.integer("classes", positive, low=0, high=n - 1)
    return _pair("classes", classes, n)


def _two(name: str, pair: Any) -> tuple[Any, Any]:
    """Return the two parts of what should be a pair, or raise a one-sentence ValueError."""
    if not isinstance(pair, list | tuple | np.ndarray) or len(pair) != 2:
        raise ValueError(
            f"{name}={checks.text_of(pair)} is not a pair: it must be two different whole numbers."
        )
    return pair[0], pair[1]


def code_of(classes: Sequence[int | None]) -> str:
    """Return how a link writes two classes, as in "12", or one against all others, as in "r2"."""
    return "".join("r" if digit is None else str(digit) for digit in classes)


def classes_of(code: str) -> list[int | None]:
    """Return the classes that a link writes.

    >>> classes_of("12"), classes_of("r2")
    ([1, 2], [None, 2])
    """
    return [None if character == "r" else int(character) for character in code]


def _count_of_positive(n: int, balance: float) -> int:
    return min(max(round(n * balance), 1), n - 1)


def _flip(y: FloatArray, share: float, rng: Generator) -> FloatArray:
    turned = rng.permutation(len(y))[: round(share * len(y))]
    y = y.copy()
    y[turned] *= -1.0
    return y


def _jitter(X: Points, noise: float, rng: Generator) -> Points:
    return X + noise * rng.standard_normal(X.shape)


def _xor(negative: int, positive: int, noise: float, rng: Generator) -> BothClasses:
    """Opposite quadrants share a class: label -sign(u₁u₂), 0.1 <= |u₁|, |u₂| <= 1."""

    def quadrants(n: int, sign: float) -> Points:
        side = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
        if negative == positive == 2 and noise == 0.0:
            return np.column_stack([side, sign * side])
        size = rng.uniform(0.1, 1.0, (n, 2))
        return _jitter(np.column_stack([side, sign * side]) * size, noise, rng)

    return quadrants(negative, 1.0), quadrants(positive, -1.0)


def _circles(negative: int, positive: int, noise: float, rng: Generator) -> BothClasses:
    def ring(n: int, radius: float) -> Points:
        angle = rng.uniform(0.0, 2.0 * np.pi, n)
        return _jitter(radius * np.column_stack([np.cos(angle), np.sin(angle)]), noise, rng)

    return ring(negative, 1.0), ring(positive, 0.45)


def _spirals(negative: int, positive: int, noise: float, rng: Generator) -> BothClasses:
    def arm(n: int, turn: float) -> Points:
        way = np.sqrt(rng.uniform(0.02, 1.0, n))
        angle = 1.6 * 2.0 * np.pi * way + turn
        return _jitter((way * np.vstack([np.cos(angle), np.sin(angle)])).T, noise, rng)

    return arm(negative, 0.0), arm(positive, np.pi)


def _moons(negative: int, positive: int, noise: float, rng: Generator) -> BothClasses:
    def moon(n: int, side: float) -> Points:
        angle = rng.uniform(0.0, np.pi, n)
        arc = np.column_stack([np.cos(angle) - 0.5, np.sin(angle) - 0.25]) * side
        return _jitter(arc / 1.5, noise, rng)

    return moon(negative, 1.0), moon(positive, -1.0)


def _blobs(negative: int, positive: int, noise: float, rng: Generator) -> BothClasses:
    def blob(n: int, centre: float) -> Points:
        return _jitter(np.full((n, 2), centre), noise, rng)

    return blob(negative, -0.45), blob(positive, 0.45)


def _checkerboard(negative: int, positive: int, noise: float, rng: Generator) -> BothClasses:
    """Four by four cells of side 1/2; examples keep away from the edges of their cell."""

    def cells(n: int, parity: int) -> Points:
        row = rng.integers(0, 4, n)
        column = rng.integers(0, 2, n)
        corner = np.column_stack([2 * column + (row + parity) % 2, row])
        return _jitter((corner + rng.uniform(0.08, 0.92, (n, 2))) / 2.0 - 1.0, noise, rng)

    return cells(negative, 1), cells(positive, 0)


def _linear(negative: int, positive: int, noise: float, rng: Generator) -> BothClasses:
    """On the two sides of a line through the origin, at least 0.1 from it before the noise."""
    normal = np.array([0.6, 0.8])
    along = np.array([-0.8, 0.6])

    def side(n: int, sign: float) -> Points:
        distance = sign * rng.uniform(0.1, 0.9, n)
        return _jitter(
            np.outer(distance, normal) + np.outer(rng.uniform(-0.9, 0.9, n), along), noise, rng
        )

    return side(negative, -1.0), side(positive, 1.0)


def _shifted(negative: int, positive: int, noise: float, rng: Generator) -> BothClasses:
    """Left and right of the line u₁ = 3 about (3, 3): no line through the origin separates them.

    The unit intercept needs several times the mistakes of the radius intercept, R² being about 25.
    """

    def half(n: int, sign: float) -> Points:
        across = sign * rng.uniform(0.15, 0.9, n)
        along = rng.uniform(-0.9, 0.9, n)
        return _jitter(np.column_stack([3.0 + across, 3.0 + along]), noise, rng)

    return half(negative, -1.0), half(positive, 1.0)


SOURCES: dict[str, DataSource] = {
    "xor": DataSource("XOR", "Each class has two opposite corners.", _xor, 0.05, holds_from=20),
    "circles": DataSource(
        "Circles",
        "A ring in a ring: one class lies around the other.",
        _circles,
        0.06,
        80,
        holds_from=20,
    ),
    "spirals": DataSource(
        "Spirals",
        "A narrow Gaussian follows the arms within a few epochs; a wide one needs very many.",
        _spirals,
        0.02,
        120,
    ),
    "moons": DataSource(
        "Moons", "Two crescents, each with a tip inside the other.", _moons, 0.06, 80, holds_from=20
    ),
    "blobs": DataSource(
        "Blobs",
        "Turn the noise up until the clouds overlap: then no straight boundary is free of "
        "mistakes.",
        _blobs,
        0.25,
        80,
    ),
    "checkerboard": DataSource(
        "Checkerboard",
        "Many mistakes, many support examples: memory, not a rule.",
        _checkerboard,
        n=160,
    ),
    "linear": DataSource(
        "Linear", "A line is enough; see what a richer kernel does with it.", _linear, holds_from=20
    ),
    "shifted": DataSource(
        "Shifted",
        "Separable, but not through the origin: a linear kernel needs the intercept.",
        _shifted,
        holds_from=20,
    ),
    "iris": DataSource(
        "Iris",
        "Measured petals: the two kinds overlap, and two flowers even have the same measurements.",
        n=100,
        available=100,
        holds_from=100,
    ),
    "breast_cancer": DataSource(
        "Breast cancer",
        "Measured cells: hold some out and watch the error on them.",
        n=200,
        balance=0.37,
        available=569,
    ),
}
