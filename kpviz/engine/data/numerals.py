"""Numbers as people write them in tables: decimal commas, groups of three digits, the typesetter's minus sign."""

import re
from collections.abc import Sequence
from contextlib import suppress
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

LARGEST = 1e100  # products of larger numbers overflow
MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "?"})

# A space or an apostrophe between groups of three digits can be nothing else; a point or a comma could be decimal.
_GROUPED = re.compile(r"[-+]?\d{1,3}([ \xa0\u2009\u202f'’])\d{3}(\1\d{3})*(\.\d*)?")
_THOUSANDS = re.compile(r"[-+−]?\d{1,3}(,\d{3})+")


def is_missing(cell: str) -> bool:
    """Whether a cell marks a missing value."""
    return cell.lower() in MISSING


def number(cell: str) -> float:
    """Return the number that a cell holds, NaN if it holds none up to `LARGEST`.

    >>> [number(cell) for cell in ("1e3", "−2.5", "12 345.5", "1_000", "two", "inf")]
    [1000.0, -2.5, 12345.5, nan, nan, nan]
    """
    if cell[:1].isalpha() or "_" in cell:  # words are many; Python reads 1_000, tables do not write it
        return nan
    try:
        value = float(cell)
    except ValueError:
        value = _typeset(cell)
    return value if abs(value) <= LARGEST else nan


def pair(text: str) -> tuple[float, float]:
    """Return the two numbers that a text holds, as coordinates are written; ValueError if it does not hold two.

    >>> [pair(text) for text in ("0.5, −1.2", "(0.5,-1.2)", "0,5; -1,2")]
    [(0.5, -1.2), (0.5, -1.2), (0.5, -1.2)]
    """
    bare = text.strip().removeprefix("(").removesuffix(")").strip()
    cells = re.split(r"\s*;\s*|\s*,\s+|\s+", bare)
    cells = [cell.replace(",", ".") for cell in cells] if len(cells) == 2 else bare.split(",")
    values = [number(cell.strip()) for cell in cells]
    if len(values) != 2 or not all(map(isfinite, values)):
        raise ValueError(f"{text!r} is not a point: write two numbers, as 0.5, −1.2.")
    return values[0], values[1]


def numbers(cells: Sequence[str], separator: str) -> NDArray[np.float64]:
    r"""Return the numbers of a column, shape (n,); NaN for a cell that holds none up to `LARGEST`.

    Commas are decimal where no number of the column has a point. In a file separated by commas, one of them must
    be at a place where none parts thousands.

    Parameters
    ----------
    cells : text without surrounding white space and without "\0".
    separator : the character between the columns.

    Examples
    --------
    >>> numbers(["0,5", "1 234,25", "x"], ";").tolist()
    [0.5, 1234.25, nan]
    >>> numbers(["1,234", "5,678"], ",").tolist()
    [nan, nan]
    """
    whole = "\0".join(cells)  # one search is faster than many
    if "," in whole and _has_decimal_commas(cells, separator):
        whole = whole.replace(",", ".")
        cells = whole.split("\0")
    if "_" not in whole:
        with suppress(ValueError):  # most columns hold plain numbers only
            read = np.fromiter(map(float, cells), np.float64, len(cells))
            return np.where(np.abs(read) <= LARGEST, read, nan)
    known = {cell: number(cell) for cell in set(cells)}
    return np.fromiter(map(known.__getitem__, cells), np.float64, len(cells))


def mostly(cells: Sequence[str], values: NDArray[np.float64]) -> bool:
    """Whether at least half of the cells that are not missing are numbers, and any is."""
    count = int(np.isfinite(values).sum())
    words = sum(not is_missing(cells[i]) for i in np.flatnonzero(np.isnan(values)).tolist())
    return 0 < count >= words


def _typeset(cell: str) -> float:
    cell = cell.replace("−", "-")
    if match := _GROUPED.fullmatch(cell):
        cell = cell.replace(match[1], "")
    with suppress(ValueError):
        return float(cell)
    return nan


def _has_decimal_commas(cells: Sequence[str], separator: str) -> bool:
    commas = [cell for cell in cells if "," in cell]
    if not commas or any("." in cell and isfinite(number(cell)) for cell in cells):
        return False
    decimal = (cell for cell in commas if isfinite(number(cell.replace(",", "."))))
    return separator != "," or any(not _THOUSANDS.fullmatch(cell) for cell in decimal)
