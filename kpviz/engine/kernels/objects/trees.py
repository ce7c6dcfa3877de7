"""A kernel of trees: the complete subtrees that two trees have in common.

A tree is written with brackets, "(S (NP you) (VP sing))": a label and its children, in order; a
leaf is a bare label.

Tests: tests/engine/test_objects.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from kpviz.engine.kernels.objects.counting import (
    Counting,
    Counts,
    Parts,
    Sketch,
    counted,
    placed,
    written,
)

DEEPEST = 40  # So deep may brackets lie within brackets.
_SUBTREES = '''\
def subtrees(tree):
    """Count the complete subtrees: each vertex with all that is below it."""
    counts, begun = Counter(), []
    for sign in re.finditer(r"\\([^ ()]+|[^ ()]+|\\)", tree):
        if sign[0] == ")":
            counts[tree[begun.pop() : sign.end()]] += 1
        elif sign[0].startswith("("):
            begun.append(sign.start())
        else:
            counts[sign[0]] += 1
    return counts'''
_TOKEN = re.compile(r"[()]|[^\s();]+|;")


class Tree(NamedTuple):
    """The vertices of a tree, parents before their children, children in order: the root is vertex
    0.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]  # The root has -1.

    @property
    def children(self) -> list[list[int]]:
        """The children of each vertex, in order."""
        result: list[list[int]] = [[] for _ in self.labels]
        for child, parent in enumerate(self.parents[1:], start=1):
            result[parent].append(child)
        return result

    @property
    def subtrees(self) -> list[str]:
        """The complete subtree at each vertex, that is the vertex with all below it, in canonical
        text.
        """
        result = [""] * len(self.labels)
        children = self.children
        for vertex in reversed(range(len(self.labels))):
            below = [result[child] for child in children[vertex]]
            result[vertex] = (
                f"({' '.join([self.labels[vertex], *below])})" if below else self.labels[vertex]
            )
        return result


def read_tree(text: str) -> Tree:
    """Return the tree of a text; ValueError, of one sentence that names the character, if it is
    none.

    >>> read_tree("(S (NP you) sing)")
    Tree(labels=('S', 'NP', 'you', 'sing'), parents=(-1, 0, 1, 0))
    """
    labels: list[str] = []
    parents: list[int] = []
    path: list[int] = []  # The vertices whose brackets are open.
    begun = -1  # A bracket was opened here that has no label yet.
    for token in _TOKEN.finditer(text):
        sign = token[0]
        at = token.start()
        if sign == ")" and not path and begun < 0:
            raise ValueError(f"at character {at + 1} a bracket is closed that was never opened.")
        if labels and not path and begun < 0:
            raise ValueError(
                f"at character {at + 1} the tree is complete already: put one bracket around all "
                f"of it."
            )
        if sign == ";" or (sign in "()" and begun >= 0):
            problem = (
                "a ';' stands, which separates trees"
                if sign == ";"
                else "a label is missing, as S in (S you sing)"
            )
            raise ValueError(f"at character {at + 1} {problem}.")
        if sign == "(":
            begun = at
        elif sign == ")":
            path.pop()
        else:
            labels.append(sign)
            parents.append(path[-1] if path else -1)
            if begun >= 0:
                path.append(len(labels) - 1)
                begun = -1
        if len(path) > DEEPEST:
            raise ValueError(
                f"at character {at + 1} it is more than {DEEPEST} brackets deep, which is too deep."
            )
    if path or begun >= 0:
        missing = len(path) + (begun >= 0)
        raise ValueError(
            f"at its end {missing} bracket{'s are' * (missing > 1) or ' is'} still open."
        )
    if not labels:
        raise ValueError("it is empty, so write a label, or a bracket such as (S you sing).")
    return Tree(tuple(labels), tuple(parents))


@dataclass(frozen=True)
class Subtrees(Counting):
    """The pairs of vertices, one in each tree, below which everything is the same: common complete
    subtrees.

    A complete subtree is a vertex with all that is below it, so a leaf is one, too. The order of
    children counts.

    Source: S. V. N. Vishwanathan, A. J. Smola, "Fast kernels for string and tree matching", NIPS 15
    (2002).

    >>> Subtrees()(["(S (NP you) (VP sing))"], ["(S (NP I) (VP sing))", "(NP you)"])
    array([[2., 2.]])
    """

    compares: ClassVar[str] = "trees"
    one: ClassVar[str] = "tree"
    name: ClassVar[str] = "Subtrees"
    formula: ClassVar[str] = r"\sum_{s} n_s(u)\, n_s(v)"
    python: ClassVar[Counts] = Counts(
        "Σ n_s(u) n_s(v) over all complete subtrees s",
        "subtrees",
        _SUBTREES,
        imports=("import re",),
    )

    def check(self, value: object, name: str) -> str:
        text = written(value, name, self.one)
        try:
            return _tree(text).subtrees[0]
        except ValueError as error:
            raise ValueError(f"{name} is not a tree: {error}") from None

    def features(self, value: str) -> dict[str, int]:
        return counted(_tree(value).subtrees)

    def sketch(self, value: str, parts: Parts) -> Sketch:
        tree = _tree(value)
        edges = [(parent, child) for child, parent in enumerate(tree.parents) if parent >= 0]
        return placed(
            parts, tree.labels, _places(tree), [[subtree] for subtree in tree.subtrees], edges
        )


def _places(tree: Tree) -> list[tuple[float, float]]:
    """Return leaves side by side, parents above the middle of their children; the root
    is on top.
    """
    children = tree.children
    n = len(tree.labels)
    depth = [0] * n
    for vertex in range(1, n):
        depth[vertex] = depth[tree.parents[vertex]] + 1
    leaves = [vertex for vertex in range(n) if not children[vertex]]
    across = [0.0] * n
    for i, vertex in enumerate(leaves):
        across[vertex] = (i + 0.5) / len(leaves)
    for vertex in reversed(range(n)):
        if children[vertex]:
            across[vertex] = (across[children[vertex][0]] + across[children[vertex][-1]]) / 2.0
    deepest = max(depth)
    return [(x, 1.0 - d / deepest if deepest else 0.5) for x, d in zip(across, depth, strict=True)]


@lru_cache(maxsize=2048)
def _tree(text: str) -> Tree:
    return read_tree(text)
