"""From the bytes of a CSV file to named columns of text, and from text to numbers.

The separator, decimal commas and the header are found. What is no such table is refused: a `TableError` is one sentence
that says what is wrong and what to do, with the table's own words quoted, short and on one line.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

THE_FILE, PASTED = "the file", "what was pasted"  # what a table without a name is called
MAX_BYTES = 20_000_000  # a larger file is refused
MAX_COLUMNS = 1000
WIDEST = 20_000  # columns with the blank ones on the right: spreadsheets have up to 16,384
MAX_NAME = 40  # characters of a column's name
ROWS_COMPARED = 1000  # rows that the first line is compared with
LARGEST = 1e100  # products of larger numbers overflow
MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "?"})
NEEDED = "choose a table with two numeric columns and a label column"
NOT_TEXT = re.compile(  # spreadsheets and archives, PDF, pictures, web pages, JSON
    rb"PK\x03\x04|\xd0\xcf\x11\xe0|%PDF|\x89PNG|\xff\xd8\xff|GIF8|\x1f\x8b"
    rb"""|(\xef\xbb\xbf)?\s*(<|\{|\[\s*[\[{"\d-])"""
)


class TableError(ValueError):
    """What is wrong with a table and what to do, in one sentence for the person who chose it."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """Named columns of text."""

    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]  # of each column, without surrounding white space
    lines: NDArray[np.int64]  # shape (n_rows,), the line on which each row starts, counted from 1
    separator: str
    notices: tuple[str, ...]  # one sentence for each guess that may surprise


def read(data: bytes, file: str) -> Sheet:
    """Read a CSV file; ``file`` is what a sentence about it begins with.

    Raises
    ------
    TableError
        The file is not a table with three columns and a row.
    """
    text = _text(data, file)
    separator = _separator(text[:1_000_000])
    lines, columns = _columns(_records(text, separator), file)
    if len(columns) < 3:
        raise TableError(f"The first line has {counted(len(columns), 'column')}: separate three or more by commas, "
                         "semicolons or tabs.")  # fmt: skip
    if len(columns) > MAX_COLUMNS:
        raise _too_wide(file, len(columns))
    names = [column[0] for column in columns]
    notices: tuple[str, ...] = ()
    start = int(_has_header(columns, separator))
    if not start:
        names = [""] * len(columns)
        called = f"the columns are called 'column 1' to 'column {len(columns)}'"
        notices = (f"There is no line of column names: the first line is read as an example, and {called}.",)
    elif len(lines) == 1:
        raise TableError(f"{file} has a header but no rows: add one line per example below it.")
    cells = tuple(column[start:] for column in columns)
    return Sheet(_names(names), cells, np.array(lines[start:], dtype=np.int64), separator, notices)


def number(cell: str) -> float:
    """Return the number that a cell holds, NaN if it holds none up to `LARGEST`.

    >>> [number(cell) for cell in ("1e3", "−2.5", "12 345.5", "1_000", "two", "inf")]
    [1000.0, -2.5, nan, nan, nan, nan]
    """
    if cell[:1].isalpha() or "_" in cell:  # words are many; Python reads 1_000, tables do not write it
        return nan
    try:
        value = float(cell.replace("−", "-"))
    except ValueError:
        return nan
    return value if abs(value) <= LARGEST else nan


def numbers(cells: Sequence[str], separator: str) -> NDArray[np.float64]:
    """Return the numbers of a column, shape (n,); NaN for a cell that holds none up to `LARGEST`.

    Commas are decimal, unless a comma is the separator or a number of the column has a point.

    Parameters
    ----------
    cells : text without surrounding white space.
    separator : the character between the columns.

    Examples
    --------
    >>> numbers(["0,5", "1,25", "x"], ";").tolist(), numbers(["1,234", "5.5"], ";").tolist()
    ([0.5, 1.25, nan], [nan, 5.5])
    """
    if separator != "," and not any("." in cell and isfinite(number(cell)) for cell in cells):
        cells = [cell.replace(",", ".") for cell in cells]
    with suppress(ValueError):  # most columns hold plain numbers only
        read = np.fromiter(map(float, cells), np.float64, len(cells))
        if not any("_" in cell for cell in cells):
            return np.where(np.abs(read) <= LARGEST, read, nan)
    known = {cell: number(cell) for cell in set(cells)}
    return np.fromiter(map(known.__getitem__, cells), np.float64, len(cells))


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


def is_missing(cell: str) -> bool:
    """Whether a cell marks a missing value."""
    return cell.lower() in MISSING


def mostly(cells: Sequence[str], values: NDArray[np.float64]) -> bool:
    """Whether at least half of the cells that are not missing are numbers, and any is."""
    count = int(np.isfinite(values).sum())
    words = sum(not is_missing(cells[i]) for i in np.flatnonzero(np.isnan(values)).tolist())
    return 0 < count >= words


def subject(name: str) -> str:
    """Return what a sentence about a table begins with.

    >>> subject("cats.csv"), subject("the file")
    ("'cats.csv'", 'The file')
    """
    return name.capitalize() if name in (THE_FILE, PASTED) else quoted(name)


def shortened(text: str, width: int = 30) -> str:
    """Text on one line, without unprintable characters, cut to ``width``."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * width]).split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """Shortened text in quotation marks."""
    return f"'{shortened(text)}'"


def listed(names: Sequence[str]) -> str:
    """Return the first five names, quoted, and whether there are others."""
    return ", ".join(quoted(name) for name in names[:5]) + (" and others" if len(names) > 5 else "")


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def _text(data: bytes, file: str) -> str:
    """Decode, with every end of line as a newline."""
    if len(data) > MAX_BYTES:
        raise TableError(f"{file} is larger than {MAX_BYTES // 1_000_000} MB: choose a smaller file or fewer rows.")
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = "\0"  # what remains of bytes that no encoding explains
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252", "latin-1"):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            break
    if NOT_TEXT.match(data) or "\0" in text or len(re.findall(r"[\x01-\x08\x0e-\x1f\x7f]", text)) > len(text) // 100:
        raise TableError(f"{file} is not a table as text: save the table that it holds as CSV first.")
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n\x1a")
    return re.sub(r"\Asep=.(?=\n|\Z)", "", text)  # a spreadsheet's note to itself


def _separator(text: str) -> str:
    """Separator that cuts most of the first lines as the very first, then the one that cuts into three fields."""
    fits = {}
    for separator in "\t;|,":  # of a tie the first: beside another separator, a comma is likely a decimal one
        widths: list[int] = []
        with suppress(TableError):  # the lines before a fault still count; reading will report it
            widths.extend(len(fields) for _, fields in islice(_records(text, separator), 50))
        if widths and widths[0] > 1:
            fits[separator] = (widths.count(widths[0]) / len(widths), min(widths[0], 3))
    return max(fits, key=fits.__getitem__, default=",")


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which it starts and the fields of every record that is not blank."""
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=True)
    line = 1
    try:
        for fields in reader:
            if _used(fields):
                yield line, fields
            line = reader.line_num + 1
    except csv.Error:
        fault = f"Line {line} has a quotation mark out of place or a field without end"
        raise TableError(f"{fault}: close the quotation and double the marks inside it.") from None


def _used(fields: Sequence[str]) -> int:
    """Fields up to the last one that is not blank."""
    used = len(fields)
    while used and not fields[used - 1].strip():
        used -= 1
    return used


def _columns(records: Iterable[tuple[int, list[str]]], file: str) -> tuple[list[int], list[tuple[str, ...]]]:
    """Return where each row starts, and the columns up to the last one that is not blank.

    Programs differ in how many separators they write behind the last cell of a row.
    """
    lines: list[int] = []
    flat: list[str] = []  # a list for each row would keep the garbage collector busy for longer than the reading takes
    odd: list[tuple[int, int]] = []  # line and fields of rows that lack some, and of the first with too many
    most = 0
    for line, fields in records:
        if not lines:
            most = len(fields)
            if most < 3:
                break  # no table; a fault in a later line need not be named
            if most > WIDEST:  # checked before a list is made for each
                raise _too_wide(file, most)
        if len(fields) != most:
            if len(fields) < most or _used(fields) > most:
                odd.append((line, len(fields)))
            if _used(fields) > most:
                break
            fields = [*fields[:most], *[""] * (most - len(fields))]
        lines.append(line)
        flat.extend(fields)
    if not most:
        raise TableError(f"{file} is empty: {NEEDED}.")
    columns = [tuple(map(str.strip, flat[place::most])) for place in range(most)]
    while lines and not any(columns[-1]):
        columns.pop()
    for line, count in odd:
        if not len(columns) <= count <= most:
            found = f"{counted(count, 'field')} where the first line has {most}"
            raise TableError(f"Line {line} has {found}: give every line as many fields.")
    return lines, columns


def _too_wide(file: str, width: int) -> TableError:
    return TableError(f"{file} has {width:,} columns: keep the ones you need, at most {MAX_COLUMNS:,}.")


def _has_header(columns: Sequence[Sequence[str]], separator: str) -> bool:
    """Whether the first line holds column names rather than an example.

    A word above numbers is a name, a word that occurs again below it is a label, and a number is that of an example.
    """
    names = labels = figures = 0
    for head, *below in (column[: 1 + ROWS_COMPARED] for column in columns):
        if isfinite(numbers([head], separator)[0]):
            figures += 1
        elif not is_missing(head):
            above_numbers = mostly(below, numbers(below, separator))
            names += above_numbers
            labels += not above_numbers and head in below
    return names > (figures if labels else 0) if names or labels else not figures


def _names(header: Sequence[str]) -> tuple[str, ...]:
    """Column names fit to be shown: short, none empty, no two alike."""
    names: dict[str, None] = {}
    for position, text in enumerate(header, 1):
        name = base = shortened(text, MAX_NAME) or f"column {position}"
        copy = 1
        while name in names:
            copy += 1
            mark = f" ({copy})"
            name = shortened(base, MAX_NAME - len(mark)) + mark
        names[name] = None
    return tuple(names)
