"""How a text, a tree or a graph is drawn, with the parts that its kernel counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Node:
    """One character, word or vertex of a drawing, and what it stands for.

    Attributes
    ----------
    text : what is written there. x, y : where. Of a text, x is the position in reading order, from 0, and y is 0; else
        both are in [0, 1], and y grows upwards.
    ids : the numbers of the parts of which it is one, from the most common kind of part to the most particular.
    """

    text: str
    x: float
    y: float
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Sketch:
    """The drawing of one object: its nodes, and pairs of nodes that are joined.

    >>> one = Sketch((Node("a", 0.0, 0.0, (0,)), Node("b", 1.0, 0.0, (1, 2))))
    >>> one.shared(Sketch((Node("b", 0.0, 0.0, (1, 3)),)))
    (0, 1)
    """

    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int], ...] = ()

    @property
    def ids(self) -> frozenset[int]:
        """The numbers of all parts."""
        return frozenset(i for node in self.nodes for i in node.ids)

    def shared(self, other: Sketch) -> tuple[int, ...]:
        """Return of each node how many of its parts the other object has, too: it is lit if that is not 0."""
        theirs = other.ids
        return tuple(sum(i in theirs for i in node.ids) for node in self.nodes)


@dataclass
class Parts:
    """The numbers of parts, in the order in which they were first met: one such dictionary for a whole data set."""

    numbers: dict[str, int] = field(default_factory=dict)

    def ids(self, parts: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of parts, new ones for those never met."""
        return tuple(self.numbers.setdefault(part, len(self.numbers)) for part in parts)

    @property
    def names(self) -> tuple[str, ...]:
        """The parts by number."""
        return tuple(self.numbers)


def placed(
    parts: Parts,
    texts: Sequence[str],
    places: Sequence[tuple[float, float]],
    of_nodes: Sequence[Sequence[str]],
    edges: Iterable[tuple[int, int]] = (),
) -> Sketch:
    """Return the drawing of nodes with these texts, places and parts."""
    nodes = (
        Node(text, float(x), float(y), parts.ids(own))
        for text, (x, y), own in zip(texts, places, of_nodes, strict=True)
    )
    return Sketch(tuple(nodes), tuple(edges))


def of_bits(x: Iterable[float]) -> Sketch:
    """Return the drawing of a row of bits; a bit's part is its literal: which bit it is, and what it says.

    >>> of_bits([1.0, 0.0]).shared(of_bits([1.0, 1.0]))
    (1, 0)
    """
    return Sketch(tuple(Node(f"{bit:.0f}", float(j), 0.0, (2 * j + int(bit),)) for j, bit in enumerate(x)))
