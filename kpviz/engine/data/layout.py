"""From the text of a file to its columns: what parts the fields, which lines are rows, and which one holds names.

Files of spreadsheets, R, numpy and old collections differ in it. What every row does is a form of
its own and is read; a few lines that do otherwise are left out, and named.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from math import isfinite

from kpviz.engine.data.notation import number
from kpviz.engine.data.table_errors import TableError, counted

MAX_COLUMNS = 1000
NEEDED = "choose a table with two numeric columns and a label column"

_LINES_TRIED = 200  # that say what parts the fields, and how many of them a row has
_FEWEST_FIELDS = 3
_LINES_NAMED = 3  # of those left out
_SEPARATORS = "\t;|, "  # beside another separator, a comma is likely a decimal one
_SEPARATOR_LINE = re.compile(r"\s*sep=([,;|\t])\s*", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_MARKUP = re.compile(r"\s*<(?:[!?]|(?P<name>[A-Za-z][\w:.-]*)[^<>]*>)")
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\d-])")
_COMMA_DECIMALS = re.compile(r"[+\-−]?\d+,\d+")
_ADVICE = "separate three or more by commas, semicolons, tabs, bars or spaces"


@dataclass(frozen=True)
class Layout:
    """The fields of a file.

    Attributes
    ----------
    separator : what parts them; a space stands for runs of spaces and tabs.
    lines : where each row starts, counted from 1.
    columns : the fields of each column, without white space round them, all of one length.
    has_names : whether the first row holds names for sure, as it has another number of fields.
    header : names that stand in a comment; None where none do.
    notices : what there is to say of its form, a sentence each.
    """

    separator: str
    lines: list[int]
    columns: list[tuple[str, ...]]
    has_names: bool
    header: list[str] | None
    notices: tuple[str, ...]


def read_layout(text: str, file: str) -> Layout:
    """Find the columns of a text; TableError where there are none."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\x1a")  # the end of a file in DOS
    if _CONTROL.search(text) or text.startswith("%PDF") or _is_markup(text) or _is_json(text):
        raise TableError(f"{file} is not a table as text: save the table that it holds as CSV in UTF-8 first.")
    text, comments = _without_comments(text)
    separator, text = _separator_of_line(text)
    if not separator:
        separator = _likely_separator(text)
    if separator == " ":
        text = _evenly_spaced(text)
    rows = _rows(text, separator, file)
    notices = rows.notices()
    width = rows.form.width
    columns = [tuple(map(str.strip, rows.flat[place::width])) for place in range(width)]
    header = _names_in(comments, separator, width)
    return Layout(separator, rows.lines, columns, rows.form.first is not None, header, tuple(notices))


def _is_markup(text: str) -> bool:
    """Whether a text is HTML or XML, and not a table whose first cell begins with <."""
    match = _MARKUP.match(text)
    if match is None:
        return False
    name = match["name"]
    return name is None or name.lower() in ("html", "table", "svg") or f"</{name}>" in text[-200:]


def _is_json(text: str) -> bool:
    """Whether a text is JSON, and not a table whose first cell begins with a bracket."""
    if not _JSON.match(text):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return re.match(r"\s*(?:\{\s*\"[^\"]*\"\s*:|\[\s*\{\s*\")", text) is not None
    return True


def _without_comments(text: str) -> tuple[str, list[str]]:
    """Return a text with blank lines in place of the comments before its table, and these without their #."""
    lines = text.split("\n", _LINES_TRIED)
    count = 0
    while count < len(lines) and (lines[count].startswith("#") or not lines[count].strip()):
        count += 1
    if count == len(lines) or not any(line.strip() for line in lines[:count]):
        return text, []
    comments = [line.lstrip("#").strip(" ") for line in lines[:count] if line.strip()]
    return "\n" * count + "\n".join(lines[count:]), comments


def _separator_of_line(text: str) -> tuple[str, str]:
    """Return the separator that the first line names, as Excel's do, and the text with a blank line in its place."""
    start = len(text) - len(text.lstrip("\n"))
    line, end, remainder = text[start:].partition("\n")
    match = _SEPARATOR_LINE.fullmatch(line.strip('"'))
    return (match[1], text[:start] + end + remainder) if match else ("", text)


def _likely_separator(text: str) -> str:
    """Return what parts the first lines into the same number of fields, three or more; else the comma."""
    lines = [line for line in text.split("\n", 2 * _LINES_TRIED)[: 2 * _LINES_TRIED] if line.strip()][:_LINES_TRIED]
    widths = {separator: _widths(lines, separator) for separator in _SEPARATORS}
    for is_like_it in (_are_equal, _are_alike, _are_mostly_alike_from_the_first, _are_mostly_alike):
        for separator in _SEPARATORS:
            if is_like_it(widths[separator]):
                return " " if separator == "," and _are_spaced_decimals(lines) else separator
    return ","


def _usual(widths: Sequence[int]) -> int:
    """Return the number of fields that most lines have; 0 where they have less than three."""
    width = Counter(widths).most_common(1)[0][0] if widths else 0
    return width if width >= _FEWEST_FIELDS else 0


def _are_equal(widths: Sequence[int]) -> bool:
    return _usual(widths) > 0 and len(set(widths)) == 1


def _are_alike(widths: Sequence[int]) -> bool:
    """Whether all rows have as many fields, and the first line at most one more or less."""
    width = _usual(widths[1:] or widths)
    return width > 0 and set(widths[1:]) <= {width} and abs(widths[0] - width) <= 1


def _are_mostly_alike_from_the_first(widths: Sequence[int]) -> bool:
    return _are_mostly_alike(widths) and abs(widths[0] - _usual(widths)) <= 1


def _are_mostly_alike(widths: Sequence[int]) -> bool:
    width = _usual(widths)
    return width > 0 and 2 * widths.count(width) > len(widths)


def _widths(lines: Sequence[str], separator: str) -> list[int]:
    """Return how many fields each line has, as far as they can be read."""
    if separator == " ":
        lines = [_evenly_spaced(line) for line in lines]
    widths = []
    try:
        for fields in _reader("\n".join(lines), separator):
            widths.append(len(fields))
    except csv.Error:
        return widths  # reading will report it
    return widths


def _are_spaced_decimals(lines: Sequence[str]) -> bool:
    """Whether commas are those of decimal numbers that spaces part."""
    widths = set(_widths(lines, " "))
    if len(widths) != 1 or min(widths) < _FEWEST_FIELDS:
        return False
    fields = [field for line in lines[1:] for field in line.split()]
    with_comma = [field for field in fields if "," in field]
    return bool(with_comma) and all(map(_COMMA_DECIMALS.fullmatch, with_comma))


def _evenly_spaced(text: str) -> str:
    """Return lines without spaces at their ends, and spaces in place of tabs."""
    return "\n".join(line.strip() for line in text.replace("\t", " ").split("\n"))


def _reader(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=True)


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which it starts and the fields of every record that is not blank."""
    reader = _reader(text, separator)
    line = 1
    try:
        for fields in reader:
            if any(map(str.strip, fields)):
                yield line, fields
            line = reader.line_num + 1  # type: ignore[attr-defined]
    except csv.Error:
        raise _QuotationError(line) from None


def _records_by_line(text: str, separator: str) -> Iterator[tuple[int, list[str] | None]]:
    """Yield the same where no record is longer than a line, and None for a line whose quotation marks are wrong."""
    for line, content in enumerate(text.split("\n"), 1):
        try:
            fields = next(_reader(content, separator), [])
        except csv.Error:
            yield line, None
            continue
        if any(map(str.strip, fields)):
            yield line, fields


class _QuotationError(TableError):
    """A quotation that does not end, or not where a field does."""

    def __init__(self, line: int) -> None:
        fault = f"Line {line} has a quotation mark out of place or a field without end"
        super().__init__(f"{fault}: close the quotation and double the marks inside it.")


@dataclass(frozen=True)
class _Form:
    """What the rows of a file have in common.

    Attributes
    ----------
    width : how many columns there are.
    first : the names that the first line holds, where it has another number of fields than the rows; else None.
    pads : whether each row is one field short of the columns.
    drops : how many empty fields each row has after them.
    notice : what there is to say of it.
    """

    width: int
    first: list[str] | None = None
    pads: bool = False
    drops: int = 0
    notice: str = ""

    @property
    def written(self) -> int:
        """How many fields a row is written with."""
        return self.width - self.pads + self.drops


def _are_blank(fields: Sequence[str]) -> bool:
    return not any(map(str.strip, fields))


def _form_of(head: Sequence[list[str]], file: str) -> _Form:
    """Return what the rows have in common, of the first records of a file."""
    first, *rows = head
    usual = Counter(map(len, rows)).most_common(1)[0][0] if len(rows) > 1 else len(first)
    if max(usual, len(first)) < _FEWEST_FIELDS:
        raise TableError(f"The first line has {counted(len(first), 'column')}: {_ADVICE}.")
    if usual > MAX_COLUMNS:
        raise TableError(f"{file} has {usual:,} columns: keep the ones you need, at most {MAX_COLUMNS:,}.")
    if any(len(row) == len(first) for row in rows):
        usual = len(first)
    usual_rows = [row for row in rows if len(row) == usual]
    holds_names = 2 * sum(isfinite(number(cell.strip())) for cell in first) < len(first)
    if 2 * len(usual_rows) > len(rows) and holds_names:
        if len(first) == usual + 1:
            words = "The first line has one field more than the rows: the last column is empty."
            return _Form(usual + 1, first, pads=True, notice=words)
        if len(first) > usual and _are_blank(first[usual:]):
            return _Form(usual, first[:usual])
        if len(first) < usual and all(_are_blank(row[len(first) :]) for row in usual_rows):
            return _Form(len(first), first, drops=usual - len(first))
        if len(first) == usual - 1:
            words = "The first line has one field less than the rows: their first column holds the names of the rows."
            return _Form(usual, ["row", *first], notice=words)
    return _Form(usual)


class _Rows:
    """The rows of a file."""

    def __init__(self, records: Iterable[tuple[int, list[str] | None]], file: str) -> None:
        remaining = iter(records)
        head = list(islice(remaining, _LINES_TRIED))
        readable = [fields for _, fields in head if fields is not None]
        if not readable:
            raise TableError(f"{file} is empty: {NEEDED}.")
        self.form = _form_of(readable, file)
        self.lines: list[int] = []
        # A list for each row would keep the garbage collector busy for longer than the reading takes.
        self.flat: list[str] = []
        self.odd: list[tuple[int, list[str] | None]] = []
        if self.form.first is not None:
            place = next(place for place, (_, fields) in enumerate(head) if fields is not None)
            self.lines.append(head.pop(place)[0])
            self.flat.extend(self.form.first)
        self._collect(chain(head, remaining))

    def _collect(self, records: Iterable[tuple[int, list[str] | None]]) -> None:
        form = self.form
        written = form.written
        for line, fields in records:
            if fields is None or len(fields) != written or (form.drops and not _are_blank(fields[form.width :])):
                self.odd.append((line, fields))
                continue
            self.lines.append(line)
            self.flat.extend(fields[: form.width] if form.drops else fields)
            if form.pads:
                self.flat.append("")

    def notices(self) -> list[str]:
        """Return what there is to say; TableError where too few lines are alike."""
        # A line that begins with # and is no row is a comment.
        odd = [(line, fields) for line, fields in self.odd if fields is None or not fields[0].startswith("#")]
        said = [self.form.notice] if self.form.notice else []
        if not odd:
            return said
        if len(odd) > len(self.lines):
            examples = " and ".join(self._fault(line, fields) for line, fields in odd[:2])
            raise TableError(f"Most lines are not alike, as {examples}: give every line as many fields.")
        if 2 * len(odd) >= len(self.lines) and odd[0][1] is None:
            raise _QuotationError(odd[0][0])
        if 2 * len(odd) >= len(self.lines):
            fault = self._fault(*odd[0]).replace("line", "Line", 1)
            raise TableError(f"{fault}: give every line as many fields.")
        faults = [self._fault(line, fields) for line, fields in odd[:_LINES_NAMED]]
        more = f" and {len(odd) - _LINES_NAMED:,} more" if len(odd) > _LINES_NAMED else ""
        return [*said, f"{counted(len(odd), 'line')} left out: {', '.join(faults)}{more}."]

    def _fault(self, line: int, fields: list[str] | None) -> str:
        if fields is None:
            return f"line {line} has a quotation mark out of place"
        return f"line {line} has {counted(len(fields), 'field')} instead of {self.form.written}"


def _rows(text: str, separator: str, file: str) -> _Rows:
    """Return the rows of a text. A quotation mark out of place spoils no more than its line."""
    try:
        return _Rows(_records(text, separator), file)
    except _QuotationError:
        rows = _Rows(_records_by_line(text, separator), file)
        if len(rows.lines) < 2:
            raise
        return rows


def _names_in(comments: Sequence[str], separator: str, width: int) -> list[str] | None:
    """Return the names of the columns that the last comment holds that has so many words; None if none has."""
    for comment in reversed(comments):
        with suppress(csv.Error):
            fields = next(_reader(_evenly_spaced(comment) if separator == " " else comment, separator), [])
            if len(fields) == width and not any(isfinite(number(cell.strip())) for cell in fields):
                return [field.strip() for field in fields]
    return None
