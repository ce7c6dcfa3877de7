"""Work out par and best of the puzzles that come along, with loops of their own.

Par of a puzzle in which points, an order or a line are drawn is the best number that at least one
blind try in a hundred reaches, of 1,500 tries drawn with a seed. Best is the best number of all
that the rules allow. `python scripts/puzzles.py` prints both; with `--all` it also tries the 14
million boards of the first puzzle, which takes a minute. tests/lessons/puzzles.txt has what
`--all` printed. tests/lessons/test_puzzles.py holds the files to these numbers, and these loops to
the engine.

Legend: a board is a row of arrays. gram (boards, n, n); y (boards, n) in {-1, 1}; values (boards,),
NaN where a board does not count; an orange row of a line is where f is above 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import (
    chain,
    combinations,
    combinations_with_replacement,
    pairwise,
    permutations,
    product,
)
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import kpviz
from kpviz import experiment
from kpviz.experiment import Split
from kpviz.lessons.file import format
from kpviz.lessons.file.lesson import Task

FOLDER = Path(kpviz.__file__).parent / "lessons" / "puzzles"
TRIES = 1500
SEED = 41
ONE_IN = 100
_CLOSE = 1e-9  # A margin so near to 0 is looked at more closely.
_ROUNDING = 1e-13  # Where terms cancel to a smaller share of their sizes, the sum is 0.

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@cache
def task_of(name: str) -> Task:
    """Return the puzzle of a file whose name begins so."""
    (path,) = FOLDER.glob(f"{name}*{format.ENDING}")
    return format.read(path.read_text(encoding="utf-8")).scenes[0].tasks[0]


def start_of(name: str) -> Split:
    """Return the examples with which a puzzle starts."""
    return experiment.prepare(task_of(name).start.settings)


def mistakes(gram: Floats, y: Floats, epochs: int) -> Floats:
    """Return how many mistakes the kernel perceptron makes on each board until a clean epoch.

    NaN where there is none.
    """
    values = np.full(len(y), np.nan)
    alive = np.arange(len(y))
    scores = np.zeros(y.shape)
    sizes = np.zeros(y.shape)
    counts = np.zeros(len(y))
    for _ in range(epochs):
        in_epoch = np.zeros(len(alive))
        for i in range(y.shape[1]):
            is_zero = np.abs(scores[:, i]) < _ROUNDING * sizes[:, i]
            wrong = np.flatnonzero(is_zero | (scores[:, i] * y[:, i] <= 0.0))
            scores[wrong] += y[wrong, i, None] * gram[wrong, i]
            sizes[wrong] += np.abs(gram[wrong, i])
            in_epoch[wrong] += 1
        counts += in_epoch
        clean = in_epoch == 0
        values[alive[clean]] = counts[clean]
        alive, scores, sizes, counts, gram, y = (
            array[~clean] for array in (alive, scores, sizes, counts, gram, y)
        )
    return values


def gaussian(X: Floats, sigma: float) -> Floats:
    """Return the Gram matrix of each board, X (boards, n, 2)."""
    squares = ((X[:, :, None, :] - X[:, None, :, :]) ** 2).sum(axis=-1)
    return np.asarray(np.exp(-squares / (2.0 * sigma**2)))


def grid(step: float, side: float) -> Floats:
    """Return the points whose coordinates are multiples of a step from -side to side, (n, 2)."""
    count = round(side / step)
    steps = np.arange(-count, count + 1)
    return np.array([(a * step, b * step) for a in steps for b in steps])


def par_of(values: Floats, *, more: bool) -> float:
    """Return the best value that at least one try in a hundred reaches."""
    counted = np.sort(values[~np.isnan(values)])
    n_reaching = -(-len(values) // ONE_IN)
    return float(counted[-n_reaching] if more else counted[n_reaching - 1])


# ---- 1: eight points and up to three more ---


def _with_added(places: Whole, labels: Floats) -> tuple[Floats, Floats]:
    """Return points and labels of boards, of the places on the grid of points that are added."""
    start = start_of("puzzle-01")
    count = len(places)
    X = np.concatenate([np.broadcast_to(start.X, (count, 8, 2)), grid(0.2, 1.0)[places]], axis=1)
    return X, np.concatenate([np.broadcast_to(start.y, (count, 8)), labels], axis=1)


def broken(places: Whole, labels: Floats) -> Floats:
    """Return the mistakes with points added at places of the grid, (boards, added)."""
    X, y = _with_added(places, labels)
    return mistakes(gaussian(X, 0.4), y, 20)


def tries_of_break_it() -> tuple[Whole, Floats]:
    """Return places and labels of 1,500 blind tries, each of three points."""
    rng = np.random.default_rng(SEED)
    places = rng.integers(0, 121, (TRIES, 3))
    return places, rng.choice([-1.0, 1.0], (TRIES, 3))


def best_of_break_it(firsts: Iterable[int] = range(242)) -> tuple[float, int]:
    """Return the most mistakes of all ways to put up to three points, and how many were tried.

    Of three points only those are tried whose first is one of `firsts`: a place of the grid, twice,
    and one more for orange.
    """
    kinds = np.arange(242)
    every = [np.zeros((0, 1), dtype=np.int64), kinds[None]]
    every.append(np.stack(np.meshgrid(kinds, kinds, indexing="ij")).reshape(2, -1))
    two = every[2]
    with_a_third = (np.vstack([np.full_like(two[:1], first), two]) for first in firsts)
    best = 0.0
    tried = 0
    for chosen in chain(every, with_a_third):
        values = _broken_by(chosen // 2, chosen % 2 * 2.0 - 1.0)
        best = max(best, float(np.nanmax(values)))
        tried += chosen.shape[1]
    return best, tried


def _broken_by(places: Whole, labels: Floats) -> Floats:
    """Return what `broken` does of arrays (added, boards), many times faster.

    All boards take the same steps, and a board that made no mistake adds 0. Where a margin comes so
    near to 0 that the order of a sum may decide, `broken` counts.
    """
    start = start_of("puzzle-01")
    gram = gaussian(np.vstack([start.X, grid(0.2, 1.0)])[None], 0.4)[0]
    spots = [*(np.array([i]) for i in range(8)), *(8 + places)]
    y = [*(np.array([label]) for label in start.y), *labels]
    n = len(y)
    gains = [[y[i] * y[j] * gram[spots[i], spots[j]] for j in range(n)] for i in range(n)]
    margins = np.zeros((n, places.shape[1]))
    counts = np.zeros(places.shape[1])
    values = np.full(places.shape[1], np.nan)
    is_close = np.zeros(places.shape[1], dtype=bool)
    alive = np.arange(places.shape[1])
    for epoch in range(20):
        in_epoch = np.zeros(len(alive))
        for i in range(n):
            if epoch or i:  # The first of all margins is 0.
                is_close[alive[np.abs(margins[i]) < _CLOSE]] = True
            mistake = (margins[i] <= 0.0).astype(np.float64)
            in_epoch += mistake
            for j in range(n):
                margins[j] += mistake * gains[i][j]
        counts += in_epoch
        goes_on = in_epoch > 0.0
        values[alive[~goes_on]] = counts[~goes_on]
        alive = alive[goes_on]
        counts = counts[goes_on]
        margins = margins[:, goes_on]
        gains = [[gain if len(gain) == 1 else gain[goes_on] for gain in row] for row in gains]
    if is_close.any():
        values[is_close] = broken(places.T[is_close], labels.T[is_close])
    return values


# ---- 2: the width alone ---


def best_of_repair_it() -> tuple[float, int]:
    """Return the fewest mistakes of all widths, and how many widths were tried."""
    start = start_of("puzzle-02")
    sigmas = np.arange(1, 41) * 0.05
    grams = np.concatenate([gaussian(start.X[None], sigma) for sigma in sigmas])
    values = mistakes(grams, np.broadcast_to(start.y, (40, len(start.y))), 50)
    return float(np.nanmin(values)), len(sigmas)


# ---- 3: points that no line parts ---


def tries_of_no_line() -> list[tuple[Whole, Floats]]:
    """Return 1,500 boards of 1 to 9 points, their coordinates in tenths, with their labels."""
    rng = np.random.default_rng(SEED)
    tries = []
    for _ in range(TRIES):
        count = int(rng.integers(1, 10))
        tries.append((rng.integers(-12, 13, (count, 2)), rng.choice([-1.0, 1.0], count)))
    return tries


def is_parted(points: Whole, y: Floats) -> bool:
    """Whether some line parts the two colours, in whole numbers.

    Two sets can be parted exactly if any four of their points can (Kirchberger 1903).
    """
    for size in (2, 3, 4):
        for subset in combinations(range(len(y)), size):
            chosen = list(subset)
            if not _part_of_four(points[chosen].tolist(), y[chosen].tolist()):
                return False
    return True


def _part_of_four(points: list[list[int]], labels: list[float]) -> bool:
    ones = [point for point, label in zip(points, labels, strict=True) if label > 0]
    others = [point for point, label in zip(points, labels, strict=True) if label < 0]
    fewer, more = sorted((ones, others), key=len)
    if not fewer:
        return True
    if len(fewer) == 2:
        return not _cross(*fewer, *more)
    if len(more) == 3:
        sides = [_turn(more[k], more[(k + 1) % 3], fewer[0]) for k in range(3)]
        if _turn(*more) and (min(sides) >= 0 or max(sides) <= 0):
            return False
        return not any(_lies_on(fewer[0], a, b) for a, b in combinations(more, 2))
    return not any(_lies_on(fewer[0], a, b) for a in more for b in more)


def _turn(a: list[int], b: list[int], c: list[int]) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _lies_on(point: list[int], a: list[int], b: list[int]) -> bool:
    between = all(min(a[k], b[k]) <= point[k] <= max(a[k], b[k]) for k in (0, 1))
    return between and _turn(a, b, point) == 0


def _cross(a: list[int], b: list[int], c: list[int], d: list[int]) -> bool:
    """Whether the segments ab and cd have a point in common."""
    if any(_lies_on(p, *ends) for p, ends in ((a, (c, d)), (b, (c, d)), (c, (a, b)), (d, (a, b)))):
        return True
    crosses_cd = _turn(c, d, a) * _turn(c, d, b) < 0
    return crosses_cd and _turn(a, b, c) * _turn(a, b, d) < 0


def _no_line() -> Floats:
    return np.array(
        [np.nan if is_parted(points, y) else float(len(y)) for points, y in tries_of_no_line()]
    )


# ---- 4: two points ---


def _two_points(points: Whole, y: Floats) -> Floats:
    """Return the mistakes on two points each, (boards, 2, 2), in whole numbers."""
    gram = np.einsum("bik,bjk->bij", points, points).astype(float)
    return mistakes(gram, y, 20)


def tries_of_two_points() -> tuple[Whole, Floats]:
    """Return 1,500 pairs of points in tenths, with their labels."""
    rng = np.random.default_rng(SEED)
    return rng.integers(-12, 13, (TRIES, 2, 2)), rng.choice([-1.0, 1.0], (TRIES, 2))


def best_of_two_points() -> tuple[float, int]:
    """Return the most mistakes of all pairs of points and labels, and how many were tried."""
    places = np.rint(grid(0.1, 1.2) * 10).astype(np.int64)
    n = len(places)
    first, second = np.divmod(np.arange(n * n), n)
    best = 0.0
    for labels in ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)):
        points = np.stack([places[first], places[second]], axis=1)
        values = _two_points(points, np.broadcast_to(labels, (n * n, 2)))
        best = max(best, float(np.nanmax(values)))
    return best, 4 * n * n


# ---- 5: the order ---


def mistakes_in_order(orders: Whole) -> Floats:
    """Return the mistakes on the eight points in each order, (orders, 8)."""
    start = start_of("puzzle-05")
    gram = (start.X @ start.X.T + 1.0) ** 2
    return mistakes(gram[orders[:, :, None], orders[:, None, :]], start.y[orders], 50)


def tries_of_worst_order() -> Whole:
    """Return 1,500 orders."""
    rng = np.random.default_rng(SEED)
    return np.array([rng.permutation(8) for _ in range(TRIES)])


def best_of_worst_order() -> tuple[float, int]:
    """Return the most mistakes of all orders, and how many there are."""
    orders = np.array(list(permutations(range(8))))
    return float(np.nanmax(mistakes_in_order(orders))), len(orders)


# ---- 6: the bound ---


def tries_of_small_bound() -> Whole:
    """Return 1,500 times four points in halves, of which the last two are blue."""
    return np.random.default_rng(SEED).integers(-2, 3, (TRIES, 4, 2))


def best_of_small_bound() -> tuple[float, int]:
    """Return the least bound of all four points on the grid, and how many boards these are.

    The bound is that of the set of all y·x. The grid has -x for each x, so all sets of four of its
    points come up, and each is tried once.
    """
    places = [list(place) for place in product(range(-2, 3), repeat=2)]
    bounds = [_bound_of_turned(list(four)) for four in combinations_with_replacement(places, 4)]
    return float(np.nanmin(bounds)), len(places) ** 4


def bound(points: Whole) -> float:
    """Return R²/γ² of four points without an intercept, NaN where no line through 0 parts them."""
    return _bound_of_turned((points * np.array([[1], [1], [-1], [-1]])).tolist())


def _bound_of_turned(turned: list[list[int]]) -> float:
    """Return R²/γ² of the points y·x.

    γ is the distance from the origin to their hull: to one of them, or to a side.
    """
    distances = [sqrt(x * x + y * y) for x, y in turned]
    if _holds_origin(turned):
        return float("nan")
    gamma = min([*distances, *(_distance_to_side(a, b) for a, b in combinations(turned, 2))])
    return round((max(distances) / gamma) ** 2, 12)


def _holds_origin(points: list[list[int]]) -> bool:
    """Whether 0 lies in the hull of points, that is in one of their triangles or on a side."""
    zero = [0, 0]
    if any(_lies_on(zero, a, b) for a, b in combinations(points, 2)):
        return True
    for triple in combinations(points, 3):
        sides = [_turn(triple[k], triple[(k + 1) % 3], zero) for k in range(3)]
        if _turn(*triple) and (min(sides) >= 0 or max(sides) <= 0):
            return True
    return False


def _distance_to_side(a: list[int], b: list[int]) -> float:
    along = [b[0] - a[0], b[1] - a[1]]
    length = along[0] ** 2 + along[1] ** 2
    if not length:
        return sqrt(a[0] ** 2 + a[1] ** 2)
    share = min(max(-(a[0] * along[0] + a[1] * along[1]) / length, 0.0), 1.0)
    return sqrt((a[0] + share * along[0]) ** 2 + (a[1] + share * along[1]) ** 2)


# ---- 10: the line ---

_PLACES = 100
_SIDE = 1.25
HEIGHTS = np.arange(-12, 13) * 0.1


@cache
def orange_map() -> NDArray[np.bool_]:
    """Return where f of the ten points is above 0, (columns, rows) from low to high."""
    start = start_of("puzzle-10")
    gram = gaussian(start.X[None], 0.5)[0]
    alpha = np.zeros(10)
    for _ in range(50):
        before = alpha.sum()
        for i in range(10):
            alpha[i] += start.y[i] * (gram[i] @ (alpha * start.y)) <= 0.0
        if alpha.sum() == before:
            break
    middles = _middles()
    places = np.stack(np.meshgrid(middles, middles, indexing="ij"), axis=-1)
    squares = ((places[:, :, None, :] - start.X) ** 2).sum(axis=-1)
    return np.asarray(np.exp(-squares / 0.5) @ (alpha * start.y) > 0.0)


def _middles() -> Floats:
    return ((np.arange(_PLACES) + 0.5) / _PLACES * 2.0 - 1.0) * _SIDE


def tries_of_guess_the_line() -> Floats:
    """Return 1,500 lines by their heights, (1500, 7)."""
    rng = np.random.default_rng(SEED)
    return HEIGHTS[rng.integers(0, len(HEIGHTS), (TRIES, 7))]


def agreement(heights: Floats) -> float:
    """Return the percent of the map where a line agrees with f, rounded down."""
    columns = np.linspace(-_SIDE, _SIDE, len(heights))
    rows = np.interp(_middles(), columns, heights)
    is_above = _middles()[None, :] > rows[:, None]
    agreeing = int((is_above == orange_map()).sum())
    return float(max(agreeing, _PLACES**2 - agreeing) * 100 // _PLACES**2)


def best_of_guess_the_line() -> tuple[float, list[float]]:
    """Return the best agreement of all lines with seven heights on the grid, and such a line.

    A piece between two heights agrees by itself, so the best line up to each height is found from
    left to right (dynamic programming).
    """
    columns = np.linspace(-_SIDE, _SIDE, 7)
    best: tuple[float, list[float]] = (-1.0, [])
    for is_orange_above in (True, False):
        agrees_above = orange_map() == is_orange_above
        scores = np.zeros(len(HEIGHTS))
        lines: list[list[float]] = [[float(height)] for height in HEIGHTS]
        for left, right in pairwise(columns):
            gains = _piece(agrees_above, left, right)
            totals = scores[:, None] + gains
            before = totals.argmax(axis=0)
            scores = totals.max(axis=0)
            lines = [[*lines[k], float(height)] for k, height in zip(before, HEIGHTS, strict=True)]
        end = int(scores.argmax())
        if scores[end] > best[0]:
            best = (float(scores[end]), lines[end])
    return best[0] * 100 // _PLACES**2, [round(height, 1) for height in best[1]]


def _piece(agrees_above: NDArray[np.bool_], left: float, right: float) -> Floats:
    """Return how many places agree between two columns, by the heights at both, (25, 25)."""
    middles = _middles()
    inside = (middles >= left) & (middles < right)
    share = (middles[inside] - left) / (right - left)
    rows = HEIGHTS[:, None, None] * (1.0 - share) + HEIGHTS[None, :, None] * share
    is_above = middles > rows[..., None]
    return np.asarray((is_above == agrees_above[inside]).sum(axis=(2, 3)), dtype=np.float64)


# ---- all of them ---

BLIND: dict[str, tuple[bool, Callable[[], Floats]]] = {
    "puzzle-01": (True, lambda: broken(*tries_of_break_it())),
    "puzzle-03": (False, _no_line),
    "puzzle-04": (True, lambda: _two_points(*tries_of_two_points())),
    "puzzle-05": (True, lambda: mistakes_in_order(tries_of_worst_order())),
    "puzzle-06": (False, lambda: np.array([bound(points) for points in tries_of_small_bound()])),
    "puzzle-10": (
        True,
        lambda: np.array([agreement(heights) for heights in tries_of_guess_the_line()]),
    ),
}
"""Whether more is better, and what gives the numbers of the blind tries."""

BEST: dict[str, Callable[[], tuple[object, ...]]] = {
    "puzzle-02": best_of_repair_it,
    "puzzle-04": best_of_two_points,
    "puzzle-05": best_of_worst_order,
    "puzzle-06": best_of_small_bound,
    "puzzle-10": best_of_guess_the_line,
}
SLOW: dict[str, Callable[[], tuple[object, ...]]] = {"puzzle-01": best_of_break_it}


def printed(*, whole: bool) -> Iterator[str]:
    """Yield par and best of the puzzles, a line each; `whole`: the first one's best, too."""
    for name, (more, values_of) in BLIND.items():
        yield f"{name}: par {par_of(values_of(), more=more):.6g}"
    for name, find in {**BEST, **(SLOW if whole else {})}.items():
        yield " ".join([f"{name}: best", *map(str, find())])


if __name__ == "__main__":
    for line in printed(whole="--all" in sys.argv):
        print(line, flush=True)
