"""A kernel of graphs with labels: the neighbourhoods that two graphs have in common.

A graph is written as the labels of its vertices, one letter each, and its edges by numbers from 1:
"CCO 1-2 2-3".

Tests: tests/engine/test_objects.py.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray, Range
from kpviz.engine.kernels.objects.counting import (
    Counting,
    Counts,
    Parts,
    Sketch,
    counted,
    placed,
    shortened,
    written,
)

MOST_VERTICES = 12
_NEIGHBOURHOODS = '''\
def neighbourhoods(graph, rounds):
    """Count the labels of all rounds: in each, a vertex gets that of its own and, sorted, \
those of its neighbours."""
    letters, *edges = graph.split()
    labels, joined = list(letters), [[] for _ in letters]
    for edge in edges:
        a, b = (int(number) - 1 for number in edge.split("-"))
        joined[a].append(b)
        joined[b].append(a)
    counts = Counter((0, label) for label in labels)
    for number in range(1, rounds + 1):
        around = [",".join(sorted(labels[j] for j in others)) for others in joined]
        labels = [f"{label}({others})" for label, others in zip(labels, around)]
        counts.update((number, label) for label in labels)
    return counts'''
_EDGE = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
# Characters of a neighbourhood; of a longer one the digest is taken, as it grows with each round.
_WRITTEN_OUT = 64
_STEPS = 120
_STARTS = 8
_MOST_ROUNDS = 100
_SAME = 1e-6  # A smaller share of the size of a drawing may be rounding.


class Graph(NamedTuple):
    """The labels of the vertices, and the edges between them, each with the smaller number first,
    from 0.
    """

    labels: str
    edges: tuple[tuple[int, int], ...]

    @property
    def neighbours(self) -> list[list[int]]:
        """The neighbours of each vertex."""
        result: list[list[int]] = [[] for _ in self.labels]
        for a, b in self.edges:
            result[a].append(b)
            result[b].append(a)
        return result

    def __str__(self) -> str:
        return " ".join([self.labels, *(f"{a + 1}-{b + 1}" for a, b in self.edges)])


def read_graph(text: str) -> Graph:
    """Return the graph of a text; ValueError, of one sentence, if it is none.

    >>> read_graph("CCO 2-3 2-1")
    Graph(labels='CCO', edges=((0, 1), (1, 2)))
    """
    labels, *edge_texts = text.split() or [""]
    if not (labels.isascii() and labels.isalpha()):
        raise ValueError(
            f"it begins with {shortened(labels)}, but first come its labels, one letter for each "
            f"vertex."
        )
    if len(labels) > MOST_VERTICES:
        raise ValueError(f"it has {len(labels)} vertices, and at most {MOST_VERTICES} are allowed.")
    edges: list[tuple[int, int]] = []
    for edge_text in edge_texts:
        match = _EDGE.fullmatch(edge_text)
        if match is None:
            raise ValueError(
                f"{shortened(edge_text)} is not an edge: write the numbers of two vertices, "
                "such as 1-2."
            )
        a, b = sorted((int(match[1]), int(match[2])))
        if not 1 <= a <= b <= len(labels):
            raise ValueError(
                f"edge {edge_text} leads to no vertex: they have the numbers 1 to {len(labels)}."
            )
        if a == b:
            raise ValueError(
                f"edge {edge_text} joins vertex {a} with itself, and it must join two."
            )
        if (a - 1, b - 1) in edges:
            raise ValueError(f"edge {a}-{b} is there twice, and once is enough.")
        edges.append((a - 1, b - 1))
    return Graph(labels, tuple(sorted(edges)))


@dataclass(frozen=True)
class WeisfeilerLehman(Counting):
    """Vertices with the same neighbourhood: labels are refined in rounds, and counted in each
    round.

    In a round, each vertex gets the label that is made of its own and those of its neighbours,
    sorted. The kernel is the inner product of the counts of all labels, those of the beginning
    included; it does not depend on how the vertices are numbered. `rounds` is a whole number, 0 to
    100.

    Source: N. Shervashidze, P. Schweitzer, E. J. van Leeuwen, K. Mehlhorn, K. M. Borgwardt,
    "Weisfeiler-Lehman graph kernels", JMLR 12 (2011).

    Parameters
    ----------
    rounds : how often labels are refined, 0 to 100.

    Examples
    --------
    >>> WeisfeilerLehman(rounds=1)(["CCO 1-2 2-3"], ["CCO 1-2 2-3", "CCO 1-2 1-3", "OC 1-2"])
    array([[8., 8., 4.]])
    """

    rounds: int = 2
    compares: ClassVar[str] = "graphs"
    one: ClassVar[str] = "graph"
    name: ClassVar[str] = "Weisfeiler–Lehman"
    formula: ClassVar[str] = r"\sum_{r=0}^{h} \sum_{\ell} n_{r,\ell}(u)\, n_{r,\ell}(v)"
    ranges: ClassVar[dict[str, Range]] = {
        "rounds": Range(0, 4, 2, "h", "rounds of refining the labels", integer=True)
    }

    python: ClassVar[Counts] = Counts(
        "Σ n_l(u) n_l(v) over all labels l of all rounds",
        "lambda graph: neighbourhoods(graph, {rounds})",
        _NEIGHBOURHOODS,
    )

    def __post_init__(self) -> None:
        checks.integer("rounds", self.rounds, low=0, high=_MOST_ROUNDS)

    def check(self, value: object, name: str) -> str:
        text = written(value, name, self.one)
        try:
            return str(_graph(text))
        except ValueError as error:
            raise ValueError(f"{name} is not a graph: {error}") from None

    def features(self, value: str) -> dict[str, int]:
        return counted(label for labels in self._refined(_graph(value)) for label in labels)

    def sketch(self, value: str, parts: Parts) -> Sketch:
        graph = _graph(value)
        return placed(
            parts,
            graph.labels,
            places(graph),
            list(zip(*self._refined(graph), strict=True)),
            graph.edges,
        )

    def _refined(self, graph: Graph) -> Iterator[list[str]]:
        """Yield the labels of all vertices after 0, 1, … rounds, each beginning with the number of
        the round.
        """
        labels = list(graph.labels)
        neighbours = graph.neighbours
        yield [f"0:{label}" for label in labels]
        for number in range(1, self.rounds + 1):
            labels = [
                _short(f"{label}({','.join(sorted(labels[other] for other in around))})")
                for label, around in zip(labels, neighbours, strict=True)
            ]
            yield [f"{number}:{label}" for label in labels]


@lru_cache(maxsize=2048)
def places(graph: Graph) -> tuple[tuple[float, float], ...]:
    """Return where the vertices are drawn, in [0, 1]: distances on paper follow those along edges,
    in a zigzag.

    Stress is lowered by majorization (Gansner, Koren & North 2004) from a few starts, always the
    same; then the longer side is laid across.

    >>> places(read_graph("CC 1-2"))
    ((0.0, 0.5), (1.0, 0.5))
    """
    n = len(graph.labels)
    if n == 1:
        return ((0.5, 0.5),)
    steps = _steps_between(graph)
    # These are the lengths of a path whose angles are 120°, as in a molecule.
    lengths = np.sqrt(0.75 * steps**2 + 0.25 * (steps % 2))
    weight = np.where(lengths > 0, 1.0 / np.maximum(lengths, 1.0) ** 2, 0.0)
    inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    at = np.random.default_rng(0).normal(size=(_STARTS, n, 2))
    angle = 2.0 * np.pi * np.arange(n) / n
    # A ring that is numbered in order is there already.
    at[0] = np.column_stack([np.cos(angle), np.sin(angle)])
    at *= lengths.max() / 2.0
    for _ in range(_STEPS):
        apart = _distances(at)
        pull = np.where(apart > 0, weight * lengths / np.where(apart > 0, apart, 1.0), 0.0)
        at = inverse @ (pull.sum(axis=2)[..., None] * at - pull @ at)
    stress = (weight * (_distances(at) - lengths) ** 2).sum(axis=(1, 2))
    # The first of mirror images is taken, as rounding must not choose.
    best = int(np.flatnonzero(stress <= 1.001 * stress.min())[0])
    return _fitted(at[best])


def _steps_between(graph: Graph) -> FloatArray:
    """Return the lengths of shortest paths, (n, n); parts that are not joined lie a little further
    apart.
    """
    n = len(graph.labels)
    steps = np.full((n, n), np.inf)
    np.fill_diagonal(steps, 0.0)
    for a, b in graph.edges:
        steps[a, b] = steps[b, a] = 1.0
    for through in range(n):
        steps = np.minimum(steps, steps[:, through, None] + steps[None, through])
    furthest = steps[np.isfinite(steps)].max()
    return np.where(np.isfinite(steps), steps, furthest + 1.0)


def _distances(at: FloatArray) -> FloatArray:
    """Return the distances between the vertices of each drawing, (starts, n, n)."""
    return np.asarray(np.linalg.norm(at[:, :, None] - at[:, None], axis=3))


def _fitted(at: FloatArray) -> tuple[tuple[float, float], ...]:
    """Return places in [0, 1], the longer side across, the first vertex to the left of the middle
    and below it.
    """
    z = (at - at.mean(axis=0)) @ (1, 1j)
    size = np.abs(z)
    longest = (z**2).sum()  # This is its square, as a direction.
    # In a ring the first vertex decides, as rounding must not.
    if abs(longest) <= _SAME * (size**2).sum():
        longest = z[(size > _SAME * size.max()).argmax()] ** 2
    z *= np.exp(-0.5j * np.angle(longest))
    at = np.column_stack([z.real, z.imag])
    # This is the first vertex that is not on the axis.
    off = (np.abs(at) > _SAME * size.max()).argmax(axis=0)
    at *= np.where(at[off, [0, 1]] > 0, -1.0, 1.0)
    at -= (at.max(axis=0) + at.min(axis=0)) / 2.0
    span = float((at.max(axis=0) - at.min(axis=0)).max()) or 1.0
    return tuple((x, y) for x, y in np.round(0.5 + at / span, 4).tolist())


def _short(label: str) -> str:
    return (
        label
        if len(label) <= _WRITTEN_OUT
        else hashlib.blake2b(label.encode(), digest_size=16).hexdigest()
    )


@lru_cache(maxsize=2048)
def _graph(text: str) -> Graph:
    return read_graph(text)
