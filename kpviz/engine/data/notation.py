"""Numbers as tables write them: decimal marks, groups of thousands, and units.

A comma or a point may be a decimal mark, or may part thousands. Most numbers say which: ``1,5`` and
``0,125`` have decimal commas, ``1,234,567`` and ``1,234.5`` do not. A number with three digits
after its only mark, as ``12,345``, is open: the other numbers of its column decide, then those of
the whole table. Where all of them leave it open, the likelier reading is taken, and the table says
so.

Tests: tests/engine/test_tables.py.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from math import nan

import numpy as np

from kpviz.engine.checks import FloatArray
from kpviz.engine.data.cells import Cells, blocks_of

LARGEST = 1e100  # Products of larger numbers overflow.
DECIMAL_MARKS = {"point": ".", "comma": ","}

_MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "?"})
# A no-break, a figure, a thin and a narrow space are among them.
_SPACES = " \u00a0\u2007\u2009\u202f"
_SIGN = r"[+\-−]?"
_EXPONENT = r"(?:[eE][+\-−]?\d+)?"
_SPACED = rf"\d{{1,3}}(?:[{_SPACES}'’]\d{{3}})+"  # These never are decimal marks.
_ONE_MARK = rf"{_SIGN}(?:\d*|{_SPACED})(?P<mark>[.,])\d*{_EXPONENT}"
_GROUPS = r"\d{1,3}(?P<group>[.,])\d{2,3}(?:(?P=group)\d{2,3})*"  # Groups have two digits in India.
_TWO_MARKS = rf"{_SIGN}{_GROUPS}(?!(?P=group))(?P<last>[.,])\d*"
_MANY_GROUPS = rf"{_SIGN}{_GROUPS.replace('group', 'part')}(?P=part)\d{{3}}"
_OPEN_NUMBER = rf"{_SIGN}[1-9]\d{{0,2}}(?P<open>[.,])\d{{3}}"
_OPEN = re.compile(rf"^{_OPEN_NUMBER}$", re.MULTILINE)
_PROOF = re.compile(
    rf"^(?!{_OPEN_NUMBER}$)(?!{_SIGN}[.,]{_EXPONENT}$)(?:{_ONE_MARK}|{_TWO_MARKS}|{_MANY_GROUPS})$",
    re.MULTILINE,
)
_SMALL = re.compile(rf"^{_SIGN}\d{{1,3}}$", re.MULTILINE)
_LARGE = re.compile(rf"^{_SIGN}[1-9]\d{{3,}}$", re.MULTILINE)
# They are code points, since the typeface need not have all of them.
_CURRENCIES = r"$¢£¤¥\u20a0-\u20bf"
_CURRENCY = rf"[A-Z]{{0,3}}[{_CURRENCIES}]"
_CODE = "[A-Z]{3}"  # The code of a currency stands before a space.
_BODY = rf"{_SIGN}[.,]?\d(?:[\d.,'’{_SPACES}]*\d)?"
_AFTER = rf"[%‰{_CURRENCIES}]|[°µμΩ℃]?[^\W\d_][^\s,;]{{0,11}}|[°℃Ω]"
_WITH_UNIT = re.compile(
    rf"(?P<sign>{_SIGN})(?P<before>{_CURRENCY}|{_CODE}(?=[{_SPACES}]))?[{_SPACES}]*"
    rf"(?P<body>{_BODY})[{_SPACES}]*(?P<after>{_AFTER})?"
)
_DIGIT = re.compile(r"\d")
_CELLS_TRIED = 100  # A unit is looked for in so many cells of a column.


def _number_with(mark: str) -> re.Pattern[str]:
    """Return what a number looks like that has this decimal mark."""
    other = re.escape(_other(mark))
    grouped = rf"\d{{1,3}}(?:{other}\d{{2,3}})*{other}\d{{3}}|{_SPACED}"
    return re.compile(
        rf"{_SIGN}(?:(?:\d+|{grouped})(?:{re.escape(mark)}\d*)?|{re.escape(mark)}\d+){_EXPONENT}"
    )


def _other(mark: str) -> str:
    return "." if mark == "," else ","


_NUMBERS = {mark: _number_with(mark) for mark in DECIMAL_MARKS.values()}
_LINES = {
    mark: re.compile(f"^(?:({number.pattern})|.*)$", re.MULTILINE)
    for mark, number in _NUMBERS.items()
}
_NO_GROUPS = {mark: f"{_SPACES}'’{_other(mark)}" for mark in DECIMAL_MARKS.values()}


@dataclass(frozen=True)
class Reading:
    """How the cells of a column are read as numbers.

    Attributes
    ----------
    decimal : the decimal mark, a point or a comma; the other one parts thousands.
    unit : what stands before or after each number, as "%" or "cm"; "" for nothing.
    """

    decimal: str = "."
    unit: str = ""

    def value(self, cell: str) -> float:
        """Return the number that a cell holds, NaN if it holds none up to `LARGEST`.

        >>> Reading(",").value("1.234,5"), Reading(".").value("1,234.5")
        (1234.5, 1234.5)
        >>> Reading(".", "cm").value("170 cm")
        170.0
        """
        if self.unit:
            unit, cell = split_unit(cell)
            if unit != self.unit:
                return nan
        # Words are many. Python reads 1_000, which no table writes.
        if cell[:1].isalpha() or "_" in cell:
            return nan
        value = self._written_by_programs(cell)
        if value is None:
            value = float(self._plain(cell)) if _NUMBERS[self.decimal].fullmatch(cell) else nan
        return value if abs(value) <= LARGEST else nan

    def values(self, cells: Cells) -> FloatArray:
        """Return the numbers of a column, shape (n,); NaN for a cell that holds none."""
        blocks = blocks_of(cells.text) if cells.count else ()
        read = np.fromiter(chain.from_iterable(map(self._numbers, blocks)), np.float64, cells.count)
        return np.where(np.abs(read) <= LARGEST, read, nan)

    def _numbers(self, text: str) -> list[float]:
        """Return the numbers of the lines of a text, NaN for a line that is none."""
        if self.unit:
            text = _without_unit(text, self.unit)
        # Most columns hold plain numbers only.
        if "_" not in text and (self.decimal == "." or "." not in text):
            with suppress(ValueError):
                return list(
                    map(
                        float, (text.replace(",", ".") if self.decimal == "," else text).split("\n")
                    )
                )
        if _DIGIT.search(text) is None:
            return [nan] * (text.count("\n") + 1)
        numbers = "\n".join(_LINES[self.decimal].findall(text))
        return [float(number) if number else nan for number in self._plain(numbers).split("\n")]

    def _written_by_programs(self, cell: str) -> float | None:
        """Return a number without groups of thousands; None if it is not written like that."""
        if self.decimal == ",":
            if "." in cell:
                return None
            cell = cell.replace(",", ".")
        try:
            return float(cell)
        except ValueError:
            return None

    def _plain(self, text: str) -> str:
        """Return numbers as Python writes them."""
        for character in _NO_GROUPS[self.decimal]:
            text = text.replace(character, "")
        return text.replace(",", ".").replace("−", "-")


def _without_unit(text: str, unit: str) -> str:
    """Return the numbers of the lines that have the unit, and blank lines in place of
    the others.
    """
    return "\n".join(map("".join, _lines_with(unit).findall(text)))


def _without_units(text: str, usual: str) -> str:
    """Return lines without their units, of which the usual one is taken off at once."""
    bodies = _without_unit(text, usual).split("\n")
    if "" in bodies:
        cells = text.split("\n")
        bodies = [body or split_unit(cell)[1] for body, cell in zip(bodies, cells, strict=True)]
    return "\n".join(bodies)


@lru_cache(maxsize=64)
def _lines_with(unit: str) -> re.Pattern[str]:
    """Return what any line is, in groups the sign and the body of a number that has the unit before
    or after it.
    """
    before, _, after = unit.partition(" ")
    pairs = [(before, after)] if after else [(unit, ""), ("", unit)]
    forms = [_form_with(*pair) for pair in pairs if _is_unit(*pair)]
    return re.compile(rf"^(?:{'|'.join(forms)}|.*)$", re.MULTILINE)


def _is_unit(before: str, after: str) -> bool:
    """Whether these may stand before and after a number."""
    return (
        re.fullmatch(rf"{_CURRENCY}|{_CODE}", before) is not None
        if before
        else re.fullmatch(_AFTER, after) is not None
    )


def _form_with(before: str, after: str) -> str:
    """Return what a number with this before and after it looks like."""
    is_code = before.isascii() and before.isalpha()
    start = re.escape(before) + (rf"(?=[{_SPACES}])" if is_code else "")
    return rf"({_SIGN}){start}[{_SPACES}]*(?!0\d)({_BODY})[{_SPACES}]*{re.escape(after)}"


@dataclass(frozen=True)
class Notation:
    """How the columns of a table are read as numbers.

    Attributes
    ----------
    readings : of each column.
    open_cell : a number that has another reading, which nothing in the table excludes; "" where
        there is none.
    decimal : the mark with which such numbers are read.
    """

    readings: tuple[Reading, ...]
    open_cell: str
    decimal: str

    @classmethod
    def of(cls, columns: Sequence[Cells], separator: str, decimal: str = "") -> "Notation":
        """Decide what the commas and points of a table's columns mean.

        Parameters
        ----------
        columns : the cells of each column, without its name.
        separator : what parts the fields of the file.
        decimal : the mark with which open numbers are read; "": the likelier one.
        """
        units = [unit_of(cells) for cells in columns]
        evidence = [_Evidence.of(cells, unit) for cells, unit in zip(columns, units, strict=True)]
        proven = {column.proven for column in evidence if column.proven}
        is_open = [column for column in evidence if column.open_cell and not column.proven]
        if len(proven) == 1:
            (of_table,) = proven
            is_open = []
        else:
            of_table = decimal or _likely(is_open, separator)
        if (
            separator == ","
            and not decimal
            and not any(column.is_mixed or column.mark == "," for column in is_open)
        ):
            is_open = []  # Where commas part the fields, a point is a decimal one.
        readings = tuple(
            Reading(column.proven or of_table, unit)
            for column, unit in zip(evidence, units, strict=True)
        )
        return cls(readings, is_open[0].open_cell if is_open else "", of_table)


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.lower() in _MISSING


def number(cell: str) -> float:
    """Return the number of a cell with a decimal point, NaN if it holds none up to `LARGEST`."""
    return Reading().value(cell)


def split_unit(cell: str) -> tuple[str, str]:
    """Return the unit of a cell, and the number without it; "" where there is no unit.

    >>> split_unit("−$900.00"), split_unit("45 %"), split_unit("170cm"), split_unit("class 2")
    (('$', '−900.00'), ('%', '45'), ('cm', '170'), ('', 'class 2'))
    """
    match = _WITH_UNIT.fullmatch(cell)
    if match is None:
        return "", cell
    unit = " ".join(part for part in (match["before"], match["after"]) if part)
    body = match["body"]
    is_code = body[:1] == "0" and body[1:2].isdigit()
    if not unit or is_code:
        return "", cell
    return unit, match["sign"] + body


def unit_of(cells: Iterable[str]) -> str:
    """Return the unit that at least half of the first cells of a column have that are not missing,
    "" for none.
    """
    tried = list(islice((cell for cell in cells if not is_missing(cell)), _CELLS_TRIED))
    units = Counter(
        split_unit(cell)[0] for cell in tried if not any(map(_is_number, _NUMBERS, (cell, cell)))
    )
    units.pop("", None)
    if not units:
        return ""
    unit, count = units.most_common(1)[0]
    return unit if 2 * count >= len(tried) else ""


def _is_number(mark: str, cell: str) -> bool:
    return _NUMBERS[mark].fullmatch(cell) is not None


# ---- decimal marks -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Evidence:
    """What the numbers of a column say of its decimal mark.

    Attributes
    ----------
    proven : the decimal mark that one of its numbers must have; "" where none says so.
    open_cell : its first number that is open, and ``mark``, the one that it has.
    has_small, has_large : whether there are whole numbers without a mark below, and from, 1000.
    """

    proven: str = ""
    open_cell: str = ""
    mark: str = ""
    has_small: bool = False
    has_large: bool = False

    @classmethod
    def of(cls, cells: Cells, unit: str) -> "_Evidence":
        """Look for numbers in a column that say what its decimal mark is."""
        if "," not in cells.text and "." not in cells.text:
            return cls()
        open_number = None
        has_small = False
        has_large = False
        for block in blocks_of(cells.text):
            text = _without_units(block, unit) if unit else block
            proof = _PROOF.search(text)
            if proof is not None:
                return cls(proven=proof["mark"] or proof["last"] or _other(proof["part"]))
            open_number = open_number or _OPEN.search(text)
            has_small = has_small or _SMALL.search(text) is not None
            has_large = has_large or _LARGE.search(text) is not None
        if open_number is None:
            return cls()
        return cls("", open_number[0], open_number["open"], has_small, has_large)

    @property
    def is_mixed(self) -> bool:
        """Whether only the numbers from 1000 on have a mark, as thousands do."""
        return self.has_small and not self.has_large


def _likely(columns: Sequence[_Evidence], separator: str) -> str:
    """Return the likelier decimal mark of columns whose numbers are all open."""
    for column in columns:
        # A number without a mark is large, so the marks do not part thousands.
        if column.has_large:
            return column.mark
        if column.has_small:
            return _other(column.mark)
    # Semicolons part the fields where the comma is decimal; elsewhere the point is.
    return "," if separator == ";" else "."
