"""The cells of a column as one text, a line each: a string for every cell would take ten times the
memory of the file.

Whoever needs strings takes them block by block, and forgets them again.

Tests: tests/engine/test_tables.py, tests/engine/test_large_tables.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 16  # In characters: so many are taken apart at a time.
_BREAK = "\x00"  # It stands for a line break inside of a cell; no table has one of its own.


@dataclass(frozen=True)
class Cells:
    """The cells of a column.

    Attributes
    ----------
    text : the cells, parted by line breaks.
    count : how many they are.
    """

    text: str
    count: int

    @classmethod
    def of(cls, cells: Iterable[str]) -> Cells:
        r"""Return cells as one text.

        >>> cells = Cells.of(["1", "two\nlines", ""])
        >>> cells.count, list(cells), cells.head(1), cells.below(1).head(2)
        (3, ['1', 'two\nlines', ''], ['1'], ['two\nlines', ''])
        """
        listed = list(cells)
        text = "\n".join(listed)
        if listed and text.count("\n") != len(listed) - 1:
            text = "\n".join(cell.replace("\n", _BREAK) for cell in listed)
        return cls(text, len(listed))

    @classmethod
    def joined(cls, parts: Iterable[Cells]) -> Cells:
        """Return the cells of all parts, one after the other."""
        listed = [part for part in parts if part.count]
        return cls("\n".join(part.text for part in listed), sum(part.count for part in listed))

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[str]:
        for block in self.blocks():
            yield from block

    def blocks(self) -> Iterator[list[str]]:
        """Yield all cells, some thousands at a time."""
        if self.count:
            for block in blocks_of(self.text):
                cells = block.split("\n")
                yield [cell.replace(_BREAK, "\n") for cell in cells] if _BREAK in block else cells

    def head(self, count: int) -> list[str]:
        """Return the first cells, at most so many."""
        if not self.count:
            return []
        cells = self.text.split("\n", count)[:count]
        return [cell.replace(_BREAK, "\n") for cell in cells]

    def at(self, places: NDArray[np.intp]) -> list[str]:
        """Return the cells at some places, which ascend."""
        chosen: list[str] = []
        start = 0
        for block in self.blocks() if len(places) else ():
            first, end = np.searchsorted(places, (start, start + len(block)))
            chosen.extend(block[place] for place in (places[first:end] - start).tolist())
            start += len(block)
        return chosen

    def below(self, count: int) -> Cells:
        """Return the cells without the first ones."""
        if count >= self.count:
            return Cells("", 0)
        return Cells(
            self.text.split("\n", count)[count] if count else self.text, self.count - count
        )


def blocks_of(text: str) -> Iterator[str]:
    r"""Yield a text in blocks of whole lines, without the line break after each.

    >>> list(blocks_of("1\n2\n")), list(blocks_of(""))
    (['1\n2\n'], [''])
    """
    start = 0
    while True:
        end = text.find("\n", start + BLOCK)
        if end < 0:
            yield text[start:]
            return
        yield text[start:end]
        start = end + 1
