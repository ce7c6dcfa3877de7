"""What is kept of a table's columns: the class of each row, its numbers, and the bytes of the file,
compressed.

A table of 15 MB has millions of cells, and a Python string for each would take 150 MB. Of a column
only what examples are made from is kept: a byte a row for its classes, and for its numbers no more
than their text has.

Tests: tests/engine/test_tables.py, tests/engine/test_large_tables.py.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.data.cells import Cells
from kpviz.engine.data.notation import is_missing

MOST_CLASSES = 100  # A column with more is no label, and its classes are not told apart.
MISSING = 255  # The code of a row without a class.

_AT_A_TIME = 1000  # The classes of so many cells are looked at before the next ones.
_LONGEST_WORD = 120  # In characters: so much of a cell stands in a sentence.
_FLOAT = 8  # In bytes: the length of a number.
_MOST_CODES = 1 << 16


@dataclass(frozen=True, eq=False)
class ColumnClasses:
    """The values of a column as classes.

    Attributes
    ----------
    names : the classes, in the order in which they come; of more than `MOST_CLASSES`, the first
        ones.
    codes : shape (n_rows,), the place of each row's class in ``names``, or `MISSING`; None where
    there are too many.
    """

    names: tuple[str, ...]
    codes: NDArray[np.uint8] | None

    @classmethod
    def of(cls, cells: Cells, values: FloatArray | None) -> ColumnClasses:
        """Tell the classes of a column apart, and give up where they are too many.

        Parameters
        ----------
        values : shape (n_rows,), the numbers of a numeric column, of which '1' and '1.0' are one
            class; else None.

        Examples
        --------
        >>> classes = ColumnClasses.of(Cells.of(["b", "a", "", "b"]), None)
        >>> classes.names, classes.codes.tolist()
        (('b', 'a'), [0, 1, 255, 0])
        """
        places: dict[str, int] = {}
        codes: dict[str, int] = {}
        parts = []
        start = 0
        for block in cells.blocks():
            for first in range(0, len(block), _AT_A_TIME):
                some = block[first : first + _AT_A_TIME]
                if not codes.keys() >= set(some):
                    numbers = (
                        [nan] * len(some)
                        if values is None
                        else values[start : start + len(some)].tolist()
                    )
                    for cell, number in dict(zip(some, numbers, strict=True)).items():
                        if cell not in codes:
                            name = _class_of(cell, number)
                            codes[cell] = places.setdefault(name, len(places)) if name else MISSING
                            if len(places) > MOST_CLASSES:
                                return cls(tuple(places), None)
                parts.append(np.fromiter((codes[cell] for cell in some), np.uint8, len(some)))
                start += len(some)
        return cls(tuple(places), np.concatenate(parts))

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        return sum(map(len, self.names)) + (0 if self.codes is None else self.codes.nbytes)

    @cached_property
    def by_frequency(self) -> tuple[str, ...]:
        """The classes, frequent ones first; of a tie, the one seen first."""
        if self.codes is None:
            return self.names
        counts = np.bincount(self.codes, minlength=len(self.names))[: len(self.names)]
        return tuple(self.names[place] for place in np.argsort(-counts, kind="stable").tolist())

    def are(self, name: str) -> NDArray[np.bool_]:
        """Return which rows are of a class, shape (n_rows,)."""
        assert self.codes is not None
        place = self.names.index(name) if name in self.names else MOST_CLASSES
        return np.equal(self.codes, place)


def _class_of(cell: str, number: float) -> str:
    """Return the class that a cell names, "" where it is missing."""
    if is_missing(cell):
        return ""
    return f"{number + 0.0:.15g}" if isfinite(number) else cell


@dataclass(frozen=True, eq=False)
class _Numbers:
    """The numbers of a column.

    Attributes
    ----------
    distinct : the different ones, or all where there is nothing to win.
    codes : the place of each row's number in ``distinct``; None where these are the rows' own.
    words : the cells that hold no number, a line each, in UTF-8.
    """

    distinct: FloatArray
    codes: NDArray[np.uint8] | NDArray[np.uint16] | None
    words: bytes

    @classmethod
    def of(cls, values: FloatArray, cells: Cells, words: list[str]) -> _Numbers:
        lines = "\n".join(word[:_LONGEST_WORD].replace("\n", " ") for word in words).encode()
        if len(cells.text) >= _FLOAT * len(values):
            return cls(values, None, lines)
        bits = values.view(np.int64)  # Bits are compared, so that -0.0 stays what it is.
        distinct = bits[:0]
        for start in range(0, len(bits), _MOST_CODES):
            # They are sorted, as numpy's own hashes of whole numbers as floats collide.
            ordered = np.sort(np.concatenate([distinct, bits[start : start + _MOST_CODES]]))
            distinct = ordered[np.append(True, ordered[1:] != ordered[:-1])]
            if len(distinct) > _MOST_CODES:
                return cls(values, None, lines)
        places = np.searchsorted(distinct, bits)
        codes = places.astype(np.uint8) if len(distinct) <= 256 else places.astype(np.uint16)
        return cls(distinct.view(np.float64), codes, lines)

    def all(self) -> FloatArray:
        return self.distinct if self.codes is None else self.distinct[self.codes]

    @property
    def nbytes(self) -> int:
        return (
            self.distinct.nbytes
            + (0 if self.codes is None else self.codes.nbytes)
            + len(self.words)
        )


class NumericColumns(Mapping[str, FloatArray]):
    """The numbers of the numeric columns by their names, NaN where a cell holds none."""

    def __init__(self) -> None:
        self._columns: dict[str, _Numbers] = {}

    def add(self, name: str, values: FloatArray, cells: Cells, words: list[str]) -> None:
        """Add a column; ``words`` are its cells that hold no number."""
        self._columns[name] = _Numbers.of(values, cells, words)

    def __getitem__(self, name: str) -> FloatArray:
        return self._columns[name].all()

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def word(self, name: str, row: int) -> str:
        """Return the cell of a row that holds no number."""
        before = np.count_nonzero(np.isnan(self[name][:row]))
        return self._columns[name].words.decode().split("\n")[before]

    @property
    def nbytes(self) -> int:
        """How much memory they take."""
        return sum(numbers.nbytes for numbers in self._columns.values())


@dataclass(frozen=True)
class CompressedSource:
    r"""The bytes of a file, or a text that was pasted, compressed.

    >>> CompressedSource.of("1,2\n").content, CompressedSource.of(b"1,2\n").content
    ('1,2\n', b'1,2\n')
    """

    data: bytes = zlib.compress(b"")
    is_text: bool = False

    @classmethod
    def of(cls, content: bytes | str) -> CompressedSource:
        """Compress a file or a text."""
        is_text = isinstance(content, str)
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        return cls(zlib.compress(data, 1), is_text)

    @property
    def content(self) -> bytes | str:
        """The file or the text."""
        data = zlib.decompress(self.data)
        return data.decode("utf-8", "surrogatepass") if self.is_text else data

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        return len(self.data)
