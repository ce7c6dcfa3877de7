"""From the bytes of a CSV file to named columns of text, whatever program wrote it."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.data.numerals import is_missing, mostly, numbers
from kpviz.engine.data.table_words import TableError, counted, listed, shortened

MAX_BYTES = 20_000_000  # a larger file is refused
MAX_COLUMNS = 1000
WIDEST = 20_000  # columns with the blank ones on the right: spreadsheets have up to 16,384
MAX_NAME = 40  # characters of a column's name
ROWS_COMPARED = 1000  # rows that the first line is compared with

NEEDED = "choose a table with two numeric columns and a label column"
LOOKS_LIKE = {
    rb"PK\x03\x04|\xd0\xcf\x11\xe0": "a spreadsheet or an archive: open it and save the table as CSV first",
    rb"%PDF": "a PDF document: choose the table it was made from, saved as CSV",
    rb"\x89PNG|\xff\xd8\xff|GIF8": "a picture: choose a CSV file",
    rb"\x1f\x8b": "a compressed file: unpack it and choose the CSV file inside",
    rb"(\xef\xbb\xbf)?\s*<": "a web page or XML: save the table in it as CSV first",
    rb"""(\xef\xbb\xbf)?\s*(\{|\[\s*[\[{"\d-])""": "JSON: save the table in it as CSV first",
}


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
    records = _records(text, separator)
    first = next(records, None)
    if first is None:
        raise TableError(f"{file} is empty: {NEEDED}.")
    if len(first[1]) < 3:  # reported before an error in a later line: this is not a table
        raise _too_narrow(len(first[1]))
    if len(first[1]) > WIDEST:  # checked before a list is made for each
        raise _too_wide(file, len(first[1]))
    lines, columns = _columns(chain([first], records), len(first[1]))
    if len(columns) < 3:
        raise _too_narrow(len(columns))
    if len(columns) > MAX_COLUMNS:
        raise _too_wide(file, len(columns))
    has_names, notices = _first_line(columns, separator)
    if has_names and len(lines) == 1:
        raise TableError(f"{file} has a header but no rows: add one line per example below it.")
    start = 1 if has_names else 0
    return Sheet(
        _names([column[0] if has_names else "" for column in columns]),
        tuple(column[start:] for column in columns),
        np.array(lines[start:], dtype=np.int64),
        separator,
        notices,
    )


def _text(data: bytes, file: str) -> str:
    """Decode, with every end of line as a newline."""
    if len(data) > MAX_BYTES:
        raise TableError(f"{file} is larger than {MAX_BYTES // 1_000_000} MB: choose a smaller file or fewer rows.")
    for start, kind in LOOKS_LIKE.items():
        if re.match(start, data):
            raise TableError(f"{file} looks like {kind}.")
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = "\0"  # what remains of bytes that no encoding explains
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252", "latin-1"):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            break
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n\x1a")
    if "\0" in text or len(re.findall(r"[\x01-\x08\x0e-\x1f\x7f]", text)) > len(text) // 100:
        raise TableError(f"{file} holds bytes that are not text: save the table as CSV in UTF-8 first.")
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


def _columns(records: Iterable[tuple[int, list[str]]], most: int) -> tuple[list[int], list[tuple[str, ...]]]:
    """Return where each row starts, and the columns up to the last one that is not blank.

    Programs differ in how many separators they write behind the last cell of a row.
    """
    lines: list[int] = []
    flat: list[str] = []  # a list for each row would keep the garbage collector busy for longer than the reading takes
    odd: list[tuple[int, int]] = []  # line and fields of rows that lack some, and of the first with too many
    for line, fields in records:
        if len(fields) != most:
            if len(fields) < most or _used(fields) > most:
                odd.append((line, len(fields)))
            if _used(fields) > most:
                break
            fields = [*fields[:most], *[""] * (most - len(fields))]
        lines.append(line)
        flat.extend(fields)
    columns = [tuple(map(str.strip, flat[place::most])) for place in range(most)]
    while not any(columns[-1]):
        columns.pop()
    for line, count in odd:
        if not len(columns) <= count <= most:
            found = f"{counted(count, 'field')} where the first line has {most}"
            raise TableError(f"Line {line} has {found}: give every line as many fields.")
    return lines, columns


def _too_narrow(width: int) -> TableError:
    found = counted(width, "column")
    return TableError(f"The first line has {found}: separate three or more by commas, semicolons or tabs.")


def _too_wide(file: str, width: int) -> TableError:
    return TableError(f"{file} has {width:,} columns: keep the ones you need, at most {MAX_COLUMNS:,}.")


def _first_line(columns: Sequence[Sequence[str]], separator: str) -> tuple[bool, tuple[str, ...]]:
    """Whether the first line holds column names rather than an example, and a notice about it.

    A word above numbers is a name; a word that occurs again below it is a label.  Where there is neither, numbers
    are names if they are whole and stand beside words (years), or count columns of decimals.
    """
    kinds = Counter(_kind(column[0], column[1 : 1 + ROWS_COMPARED], separator) for column in columns)
    figures = [column[0] for column in columns if _is_number(column[0], separator)]
    if kinds["name"] or kinds["label"]:
        has_names = kinds["name"] > (kinds["figure"] if kinds["label"] else 0)
    else:
        has_names = all(map(str.isdecimal, figures))
        if figures and not kinds["word"]:
            has_names &= _counts_columns(figures, columns, separator)
    if not has_names:
        called = f"the columns are called 'column 1' to 'column {len(columns)}'"
        return False, (f"There is no line of column names: the first line is read as an example, and {called}.",)
    if figures and not kinds["name"]:
        line = listed([column[0] for column in columns])
        return True, (f"The first line is read as column names, {line}: add a line of names above it if it is none.",)
    return True, ()


def _kind(head: str, below: Sequence[str], separator: str) -> str:
    """Return what the first cell of a column is, compared to the cells below it."""
    if is_missing(head):
        return "nothing"
    if _is_number(head, separator):
        return "figure"
    if mostly(below, numbers(below, separator)):
        return "name"
    return "label" if head in below else "word"


def _is_number(cell: str, separator: str) -> bool:
    return bool(np.isfinite(numbers([cell], separator)[0]))


def _counts_columns(figures: Sequence[str], columns: Sequence[Sequence[str]], separator: str) -> bool:
    """Whether the figures are 0, 1, … or 1, 2, … while at least two columns hold decimals for the most part."""
    places = numbers(figures, separator).tolist()
    if len(columns[0]) < 2 or places not in ([*range(len(places))], [*range(1, len(places) + 1)]):
        return False
    below = (numbers(column[1 : 1 + ROWS_COMPARED], separator) for column in columns)
    return sum(bool(np.mean(np.isfinite(values) & (values % 1 != 0)) > 0.5) for values in below) > 1


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
