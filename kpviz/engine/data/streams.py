"""Streams: examples that arrive once, from a toy geometry whose target may turn while they come.

Legend: t an example's place in the stream; a turn is 2π; blocks of _BLOCK examples are drawn one
after the other, each by a generator of its own, so that a prefix of a longer stream is the same
stream.

Tests: tests/engine/test_streams.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.data.datasets import (
    LARGEST_NOISE,
    MOST_SAMPLES,
    SOURCES,
    Dataset,
    Points,
    remember,
)
from kpviz.engine.run.fold import Walk

if TYPE_CHECKING:
    from kpviz.engine.run.run import Run

MOVES = ("turn", "switch")
PER = 1000  # `drift` counts turns in so many examples.
BETWEEN = 250  # So many examples come between two switches.

_BLOCK = 100
_FASTEST = 1e6  # Floating point would not tell apart the angles of more turns in 1,000 examples.
_MIDDLES = {"shifted": (3.0, 3.0)}  # The plane turns about these points instead of the origin.
ROUND = ("circles",)  # They are the same however they are turned.

STREAMS = tuple(name for name, source in SOURCES.items() if not source.is_real)


def make_stream(
    name: str,
    n_samples: int = PER,
    noise: float | None = None,
    seed: int = 0,
    *,
    flipped: float = 0.0,
    balance: float = 0.5,
    drift: float = 0.0,
    moves: str = "turn",
) -> tuple[FloatArray, FloatArray]:
    """Return X of shape (n_samples, 2) and y in {-1., +1.}, each row drawn afresh, in the order of
    arrival.

    The same arguments give the same examples, and a shorter stream is the beginning of a longer
    one.

    Parameters
    ----------
    name : a key of `datasets.SOURCES` that is drawn, not measured.
    n_samples : 1 to 10,000,000.
    noise : standard deviation of the jitter, at least 0, in data units; None means the geometry's
        default.
    seed : at least 0.
    flipped : probability that a label is flipped, 0 to 0.5.
    balance : probability of class +1, 0.05 to 0.95.
    drift : turns of the target in 1,000 examples, at most a million, about the middle of the
        geometry, anticlockwise; below 0 clockwise.
    moves : ``"turn"``: the target turns steadily; ``"switch"``: it stays, and every 250 examples it
        turns at once by as much as it would have turned meanwhile.

    Raises
    ------
    ValueError
        One sentence that names the argument, its value and what is allowed.

    Examples
    --------
    Half a turn, after which the classes have changed sides:

    >>> X, y = make_stream("linear", 1000, drift=0.5)
    >>> on_its_side = y * (X @ [0.6, 0.8]) > 0
    >>> X.shape, int(on_its_side[:100].sum()), int(on_its_side[-100:].sum())
    ((1000, 2), 100, 1)
    """
    data = load(
        name, n_samples, noise, seed, flipped=flipped, balance=balance, drift=drift, moves=moves
    )
    data_settings = {
        "data": name,
        "n": n_samples,
        "seed": seed,
        "flipped": flipped,
        "balance": balance,
        "stream": "on",
    }
    noise = SOURCES[name].noise if noise is None else noise
    remember(data, data_settings | {"noise": noise, "drift": drift, "moves": moves})
    return data.X, data.y


def load(
    name: str,
    n_samples: int = PER,
    noise: float | None = None,
    seed: int = 0,
    *,
    flipped: float = 0.0,
    balance: float = 0.5,
    drift: float = 0.0,
    moves: str = "turn",
) -> Dataset:
    """Return the examples of `make_stream`, which describes the arguments, with names."""
    checks.choice("name", name, STREAMS)
    n = checks.integer("n_samples", n_samples, low=1, high=MOST_SAMPLES)
    seed = checks.integer("seed", seed, low=0)
    noise = (
        SOURCES[name].noise
        if noise is None
        else checks.number("noise", noise, low=0.0, high=LARGEST_NOISE)
    )
    checks.number("flipped", flipped, low=0.0, high=0.5)
    checks.number("balance", balance, low=0.05, high=0.95)
    blocks = [
        _block(name, noise, flipped, balance, [seed, number]) for number in range(-(-n // _BLOCK))
    ]
    X, y = (np.concatenate(parts)[:n] for parts in zip(*blocks, strict=True))
    return Dataset(_turned(X, angles(n, drift, moves), _MIDDLES.get(name, (0.0, 0.0))), y)


def angles(n_samples: int, drift: float, moves: str = "turn") -> FloatArray:
    """Return by how much the target has turned when each example arrives, in radians, shape
    (n_samples,).
    """
    checks.number("drift", drift, low=-_FASTEST, high=_FASTEST)
    checks.choice("moves", moves, MOVES)
    t = np.arange(n_samples)
    return 2.0 * np.pi * drift * (t if moves == "turn" else t // BETWEEN * BETWEEN) / PER


def look_for(drift: float, moves: str = "turn") -> str:
    """Return the line that says what to look for in a stream."""
    if drift == 0.0:
        return "Each example comes once, and the target stays: watch the memory grow."
    how = "turns as they come" if moves == "turn" else "switches now and then"
    return f"Each example is seen once, while the target {how}: old knowledge becomes wrong."


def support_sizes(run: Run) -> NDArray[np.int64]:
    """Return how many examples have a coefficient other than 0 after 0, 1, …, n_steps
    presentations: (n_steps + 1,).
    """
    walk = Walk(run)
    after = [np.count_nonzero(walk.coef)]
    for change in range(len(run.changes)):
        walk.advance(change)
        after.append(np.count_nonzero(walk.coef))
    return np.array(after)[np.searchsorted(run.changes.step, np.arange(run.n_steps + 1))]


def _block(
    name: str, noise: float, flipped: float, balance: float, seed: list[int]
) -> tuple[Points, FloatArray]:
    """Draw examples independently of all other blocks; whose label is turned does not depend on how
    many are.
    """
    rng = np.random.default_rng(seed)
    positive = rng.random(_BLOCK) < balance
    turned = rng.random(_BLOCK) < flipped
    draw = SOURCES[name].draw
    assert draw is not None
    negatives, positives = draw(int((~positive).sum()), int(positive.sum()), noise, rng)
    X = np.empty((_BLOCK, 2))
    X[positive] = rng.permutation(positives)
    X[~positive] = rng.permutation(negatives)
    return X, np.where(positive != turned, 1.0, -1.0)


def _turned(X: Points, angle: FloatArray, middle: tuple[float, float]) -> Points:
    if not angle.any():
        return X
    across, up = (X - middle).T
    cos = np.cos(angle)
    sin = np.sin(angle)
    return np.column_stack([cos * across - sin * up, sin * across + cos * up]) + middle
