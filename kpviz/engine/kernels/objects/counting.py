"""What kernels of texts, trees and graphs have in common: they count parts, and compare
the counts.

Tests: tests/engine/test_objects.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.kernels.base import Kernel, simple_kernels
from kpviz.engine.kernels.form import Form


@dataclass(frozen=True)
class SketchNode:
    """One character, word or vertex of a drawing, and what it stands for.

    Attributes
    ----------
    text : what is written there. x, y : where. Of a text, x is the position in reading order, from
        0, and y is 0; else both are in [0, 1], and y grows upwards.
    ids : the numbers of the parts of which it is one, from the most common kind of part to the most
    particular.
    """

    text: str
    x: float
    y: float
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Sketch:
    """The drawing of one object: its nodes, and pairs of nodes that are joined.

    >>> one = Sketch((SketchNode("a", 0.0, 0.0, (0,)), SketchNode("b", 1.0, 0.0, (1, 2))))
    >>> one.shared(Sketch((SketchNode("b", 0.0, 0.0, (1, 3)),)))
    (0, 1)
    """

    nodes: tuple[SketchNode, ...]
    edges: tuple[tuple[int, int], ...] = ()

    @property
    def ids(self) -> frozenset[int]:
        """The numbers of all parts."""
        return frozenset(i for node in self.nodes for i in node.ids)

    def shared(self, other: Sketch) -> tuple[int, ...]:
        """Return of each node how many of its parts the other object has, too: it is lit if that is
        not 0.
        """
        theirs = other.ids
        return tuple(sum(i in theirs for i in node.ids) for node in self.nodes)


@dataclass
class Parts:
    """The numbers of parts, in the order in which they were first met: one such dictionary for a
    whole data set.
    """

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
        SketchNode(text, float(x), float(y), parts.ids(node_parts))
        for text, (x, y), node_parts in zip(texts, places, of_nodes, strict=True)
    )
    return Sketch(tuple(nodes), tuple(edges))


def of_bits(x: Iterable[float]) -> Sketch:
    """Return the drawing of a row of bits; a bit's part is its literal: which bit it is, and what
    it says.

    >>> of_bits([1.0, 0.0]).shared(of_bits([1.0, 1.0]))
    (1, 0)
    """
    return Sketch(
        tuple(
            SketchNode(f"{bit:.0f}", float(j), 0.0, (2 * j + int(bit),)) for j, bit in enumerate(x)
        )
    )


LONGEST = 2000  # In characters: the longest object.
_AT_ONCE = 4096  # The counts of all parts need not fit into memory.
_INNER = '''\
def inner(parts, U, V):
    """The inner product of the counts parts(u) and parts(v), for each u of U and v of V."""
    U, V = [parts(u) for u in U], [parts(v) for v in V]
    return np.array([[sum(n * v[part] for part, n in u.items()) for v in V] for u in U], \
dtype=float)'''


@dataclass(frozen=True)
class Counts:
    """What a script counts: a formula, `of`, code for the function that counts, and the code of
    that function.

    `power`: whether k is 2 to the inner product. All counts are whole numbers, so that no order of
    adding them rounds.
    """

    formula: str
    of: str
    function: str
    power: bool = False
    imports: tuple[str, ...] = ()

    @property
    def form(self) -> Form:
        """The kernel as Python."""
        matrix = f"inner({self.of}, U, V)"
        square = f"inner({self.of}, U, U)"
        if self.power:
            matrix = f"np.exp2({matrix})"
            square = f"np.exp2({square})"
        imports = ("from collections import Counter", *self.imports)
        return Form(
            self.formula,
            matrix,
            f"np.diag({square})",
            imports=imports,
            helpers=(self.function, _INNER),
        )


class Counting(Kernel):
    """A kernel of objects that are written as texts, made of how often each part occurs in them.

    A kernel of its own brings `check`, `features` and `sketch`. The inner product of the counts is
    its value, unless it brings `of_counts`, too. `python` is how a script counts.
    """

    proof: ClassVar[tuple[str, str]] = (
        "inner product of features",
        "a feature for each part: how often it occurs.",
    )
    one: ClassVar[str]  # An example is a "text", "tree" or "graph".
    python: ClassVar[Counts | None] = None

    def check(self, value: object, name: str) -> str:
        """Return the canonical text of an object; ValueError, of one sentence, if it is none."""
        raise checks.lacks(self, "check(value, name)", "returns the canonical text of an object")

    def features(self, value: str) -> dict[str, int]:
        """Return how often each part occurs in an object."""
        raise checks.lacks(
            self, "features(value)", "returns how often each part occurs in an object"
        )

    def sketch(self, value: str, parts: Parts) -> Sketch:
        """Return how an object is drawn, its parts numbered as in `parts`."""
        raise checks.lacks(self, "sketch(value, parts)", "returns how an object is drawn")

    def of_counts(self, product: FloatArray) -> FloatArray:
        """Return the values of the kernel, for inner products of counts."""
        return product

    def form(self) -> Form:
        return super().form() if self.python is None else self.python.form

    def examples(
        self, name: str, value: ArrayLike, like: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Return the canonical texts of n objects, an array of shape (n,) and dtype object;
        ValueError if not.
        """
        checks.unmasked(name, value)
        try:
            array = np.asarray(value, dtype=object)
        except Exception:  # An object's own code may raise anything.
            array = np.empty((), dtype=object)
        if array.ndim != 1 or not len(array):
            raise ValueError(
                f"{name} has shape {array.shape}: it must be a list of one or more {self.compares}."
            )
        result = np.empty(len(array), dtype=object)
        result[:] = [
            self.check(example, f"{name}[{i}]") for i, example in enumerate(array.tolist())
        ]
        return result

    def evaluate(self, X: NDArray[Any], Z: NDArray[Any]) -> FloatArray:
        first = [self.features(example) for example in X.tolist()]
        second = first if Z is X else [self.features(example) for example in Z.tolist()]
        common = set[str]().union(*first).intersection(set[str]().union(*second))
        product = np.zeros((len(X), len(Z)))
        for columns in _blocks(sorted(common)):
            counts = _table(first, columns)
            product += counts @ (counts if second is first else _table(second, columns)).T
        return self.of_counts(product)

    def diag(self, X: ArrayLike) -> FloatArray:
        examples = self.examples("X", X)
        squares = [
            sum(count * count for count in self.features(example).values())
            for example in examples.tolist()
        ]
        return self.of_counts(np.array(squares, dtype=np.float64))


def counting(kernel: Kernel | None) -> Counting | None:
    """Return the kernel that counts parts: itself, or the first of those that it is made of; None
    if there is none.

    >>> from kpviz.engine.kernels.objects.texts import WordSets
    >>> counting(WordSets().normalized())
    WordSets()
    """
    parts = () if kernel is None else simple_kernels(kernel)
    return next((part for part in parts if isinstance(part, Counting)), None)


def sketches(kernel: Kernel, X: ArrayLike) -> tuple[Sketch, ...]:
    """Return the drawings of objects, (n,), in which the same part has the same number.

    The parts are those of the kernel; of a normalized, summed or multiplied one, of the first that
    counts parts. ValueError if there is none, or if one of the objects is none.
    """
    used = counting(kernel)
    if used is None:
        raise ValueError(
            f"kernel={kernel.name!r} compares {kernel.compares}: only texts, trees and graphs are "
            f"sketched."
        )
    parts = Parts()
    return tuple(used.sketch(example, parts) for example in used.examples("X", X).tolist())


def counted(parts: Iterable[str]) -> dict[str, int]:
    """Return how often each part occurs, in the order of their first occurrence."""
    counts: dict[str, int] = {}
    for part in parts:
        counts[part] = counts.get(part, 0) + 1
    return counts


def written(value: object, name: str, one: str) -> str:
    """Return `value` if it is a text that is not too long; ValueError, of one sentence, if not."""
    if not isinstance(value, str):
        raise ValueError(f"{name}={checks.text_of(value)} is not a {one}: it must be a text.")
    if len(value) > LONGEST:
        raise ValueError(
            f"{name} is {len(value):,} characters long: a {one} may have at most {LONGEST:,}."
        )
    return value


def shortened(value: str) -> str:
    """Return the text in quotes, cut where it is long, for a message."""
    return repr(value if len(value) <= 40 else value[:39] + "…")


def _blocks(parts: list[str]) -> Iterator[list[str]]:
    return (parts[at : at + _AT_ONCE] for at in range(0, len(parts), _AT_ONCE))


def _table(counts: list[dict[str, int]], columns: list[str]) -> FloatArray:
    """Return how often each part occurs in each object, (n, len(columns))."""
    place = {part: j for j, part in enumerate(columns)}
    table = np.zeros((len(counts), len(columns)))
    for row, part_counts in zip(table, counts, strict=True):
        for part, count in part_counts.items():
            j = place.get(part)
            if j is not None:
                row[j] = count
    return table
