"""Data sets of things that are not vectors, and the short text that holds the user's own examples.

The user's own examples are one line: "+the goal;-boil the rice". Each begins with its class, and
`;` stands between them.

Tests: tests/engine/test_objects.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpviz.engine import checks
from kpviz.engine.checks import FloatArray
from kpviz.engine.data import boolean
from kpviz.engine.data.object_examples import GRAPHS, TEXTS, TREES
from kpviz.engine.kernels.objects.counting import Counting
from kpviz.engine.kernels.objects.graphs import WeisfeilerLehman
from kpviz.engine.kernels.objects.texts import WordSets
from kpviz.engine.kernels.objects.trees import Subtrees

MOST_ADDED = 40
LONGEST_ADDED = 200
_BETWEEN = ";"
_LABELS = {"+": 1.0, "-": -1.0, "−": -1.0}
_SIGNS = {1.0: "+", -1.0: "-"}

_READERS: dict[str, Counting] = {
    "texts": WordSets(),
    "trees": Subtrees(),
    "graphs": WeisfeilerLehman(),
}


@dataclass(frozen=True)
class ObjectSource:
    """A data set by name: what to look for in it, of what kind its examples are, and which kernels
    compare them.

    `kind` is "texts", "trees", "graphs" or "bits"; `kernels` are names, the first is the default;
    `classes` names -1 and +1. `lines` holds the examples, those of class -1 first, then an empty
    line; bits need none.
    """

    title: str
    look_for: str
    kind: str
    kernels: tuple[str, ...]
    classes: tuple[str, str]
    lines: str = ""

    def examples(self) -> tuple[list[str], FloatArray]:
        """Return the canonical texts of the examples and their labels in {-1., +1.}, class -1
        first.
        """
        blocks = (
            [block.splitlines() for block in self.lines.strip().split("\n\n")]
            if self.lines
            else [[], []]
        )
        reader = _READERS.get(self.kind)
        (negatives, positives) = blocks
        examples = (
            [reader.check(line, self.title) for line in negatives + positives] if reader else []
        )
        return examples, np.repeat([-1.0, 1.0], [len(negatives), len(positives)])


OBJECTS: dict[str, ObjectSource] = {
    "texts": ObjectSource(
        "Sentences",
        "Each shared word doubles k: without “normalized” two long sentences outvote all the "
        "short ones.",
        "texts",
        ("words", "spectrum"),
        ("kitchen", "football"),
        TEXTS,
    ),
    "trees": ObjectSource(
        "Parse trees",
        "The same words tell and ask: what counts is which subtrees two sentences share.",
        "trees",
        ("subtrees",),
        ("statement", "question"),
        TREES,
    ),
    "graphs": ObjectSource(
        "Molecules",
        "Without a round of refining, a ring and a chain of the same atoms are alike.",
        "graphs",
        ("graph",),
        ("no ring", "ring"),
        GRAPHS,
    ),
    "bits": ObjectSource(
        "Truth tables",
        "All inputs of n bits: count the mistakes against 2ⁿ(4l + 1), for a formula of l terms.",
        "bits",
        ("subsets", "linear", "polynomial", "monomial", "gaussian"),
        boolean.CLASSES,
    ),
}


def load(name: str, seed: int = 0, added: str = "") -> tuple[NDArray[Any], FloatArray]:
    """Return X and y of a data set of `OBJECTS`; the same arguments give the same examples.

    X holds canonical texts, an array of shape (n,) and dtype object; y is (n,) in {-1., +1.}. The
    examples are shuffled by `seed`; those `added`, as `parse` reads them, come last, in their
    order. "bits" are `boolean.load` of its default function, numbers of shape (n, d), to which
    nothing can be added.

    >>> X, y = load("texts", added="+what a goal!")
    >>> X.shape, X[-1], float(y[-1])
    ((33,), 'what a goal', 1.0)
    """
    source = OBJECTS[checks.choice("name", name, OBJECTS)]
    checks.integer("seed", seed, low=0)
    if source.kind == "bits":
        if added:
            raise ValueError(
                f"added={added!r:.60} is not for bits: all their inputs are there already."
            )
        return boolean.load(boolean.USUAL, boolean.USUAL_BITS, seed)
    examples, y = source.examples()
    order = np.random.default_rng(seed).permutation(len(examples))
    added_examples = parse(added, source.kind)
    texts = [*(examples[i] for i in order), *(text for text, _ in added_examples)]
    X = np.empty(len(texts), dtype=object)
    X[:] = texts
    return X, np.concatenate([y[order], [label for _, label in added_examples]])


def parse(added: str, kind: str) -> list[tuple[str, float]]:
    """Return the examples of one line, each in canonical text and with its label.

    Raises
    ------
    ValueError
        One sentence that says which example cannot be read, and why; or that there are more than
        40, or one of more than 200 characters.

    Examples
    --------
    >>> parse("+ Two goals; -boil the rice", "texts")
    [('two goals', 1.0), ('boil the rice', -1.0)]
    """
    reader = _READERS[checks.choice("kind", kind, _READERS)]
    if not isinstance(added, str):
        raise ValueError(f"added={added!r:.60} is not a text: write +one example;-another.")
    entries = [entry.strip() for entry in added.split(_BETWEEN)]
    entries = [entry for entry in entries if entry]
    if len(entries) > MOST_ADDED:
        raise ValueError(
            f"There are {len(entries):,} added {kind}: at most {MOST_ADDED} can be added."
        )
    return [
        _read(entry, reader, f"Added {reader.one} {i}") for i, entry in enumerate(entries, start=1)
    ]


def reader(kind: str) -> Counting:
    """Return a kernel that can read objects of a kind: "texts", "trees" or "graphs"."""
    return _READERS[checks.choice("kind", kind, _READERS)]


def code(pairs: Iterable[tuple[str, float]]) -> str:
    """Return the line that `parse` reads as these examples and labels.

    >>> code([("two goals", 1.0), ("boil the rice", -1.0)])
    '+two goals;-boil the rice'
    """
    return _BETWEEN.join(_SIGNS[label] + text for text, label in pairs)


def _read(entry: str, reader: Counting, name: str) -> tuple[str, float]:
    if len(entry) > LONGEST_ADDED:
        raise ValueError(
            f"{name} is {len(entry):,} characters long: at most {LONGEST_ADDED} are allowed."
        )
    label = _LABELS.get(entry[0])
    if label is None:
        raise ValueError(f"{name} begins with {entry[0]!r}: it must begin with its class, + or -.")
    written = reader.check(entry[1:], name)
    if len(written) >= LONGEST_ADDED:  # With its class it could not be read again.
        raise ValueError(
            f"Written out {name[0].lower()}{name[1:]} is {len(written) + 1:,} characters long: at "
            f"most "
            f"{LONGEST_ADDED} are allowed."
        )
    return written, label
