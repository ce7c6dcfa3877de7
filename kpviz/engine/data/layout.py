"""From the text of a file to its columns: what parts the fields, which lines are rows, and which
one holds names.

Files of spreadsheets, R, numpy and old collections differ in it. What every row does is a form of
its own and is read; a few lines that do otherwise are left out, and named.

Tests: tests/engine/test_tables.py, tests/engine/test_large_tables.py.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.data.cells import BLOCK, Cells, blocks_of
from kpviz.engine.data.notation import number
from kpviz.engine.data.table_errors import TableError, counted

MAX_COLUMNS = 1000
NEEDED = "choose a table with two numeric columns and a label column"

_LINES_TRIED = 200  # These say what parts the fields, and how many of them a row has.
_FEWEST_FIELDS = 3
_LINES_NAMED = 3  # So many of the lines that are left out are named.
_MANY_ODD = 100_000  # After so many lines that are no rows a file with fewer rows is given up.
_SEPARATORS = "\t;|, "  # Beside another separator, a comma is likely a decimal one.
_SEPARATOR_LINE = re.compile(r"\s*sep=([,;|\t])\s*", re.IGNORECASE)
_CONTROL = [chr(code) for code in (*range(9), *range(14, 32), 127)]
_MARKUP = re.compile(r"\s*<(?:[!?]|(?P<name>[A-Za-z][\w:.-]*)[^<>]*>)")
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\"\d-])")
_WHITE_SPACE = "".join(character for character in map(chr, range(0x3001)) if character.isspace())
_COMMA_DECIMALS = re.compile(r"[+\-−]?\d+,\d+")
_ADVICE = "at least 3 are needed, separated by commas, semicolons, tabs, bars or spaces"


@dataclass(frozen=True)
class Layout:
    """The fields of a file.

    Attributes
    ----------
    separator : what parts them; a space stands for runs of spaces and tabs.
    lines : shape (n_rows,), where each row starts, counted from 1.
    columns : the fields of each column, without white space round them, all of one length.
    has_names : whether the first row holds names for sure, as it has another number of fields.
    header : names that stand in a comment; None where none do.
    notices : what there is to say of its form, a sentence each.
    """

    separator: str
    lines: NDArray[np.int32]
    columns: list[Cells]
    has_names: bool
    header: list[str] | None
    notices: tuple[str, ...]


def read_layout(text: str, file: str) -> Layout:
    """Find the columns of a text; TableError where there are none."""
    # DOS ends a file with this character.
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\x1a")
    if (
        any(character in text for character in _CONTROL)
        or text.startswith("%PDF")
        or _is_markup(text)
        or _is_json(text)
    ):
        raise TableError(
            f"{file} is not a table as text: save the table that it holds as CSV in UTF-8 first."
        )
    text, comments = _without_comments(text)
    separator, text = _separator_of_line(text)
    if not separator:
        separator = _likely_separator(text)
    if separator == " ":
        text = _evenly_spaced(text)
    rows = _rows(text, separator, file)
    notices = rows.notices()
    header = _names_in(comments, separator, rows.form.width)
    columns = rows.columns()
    return Layout(
        separator, rows.lines(), columns, rows.form.first is not None, header, tuple(notices)
    )


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
    """Return a text with blank lines in place of the comments before its table, and these without
    their #.
    """
    lines = text.split("\n", _LINES_TRIED)
    count = 0
    while count < len(lines) and (lines[count].startswith("#") or not lines[count].strip()):
        count += 1
    if count == len(lines) or not any(line.strip() for line in lines[:count]):
        return text, []
    comments = [line.lstrip("#").strip(" ") for line in lines[:count] if line.strip()]
    return "\n" * count + "\n".join(lines[count:]), comments


def _separator_of_line(text: str) -> tuple[str, str]:
    """Return the separator that the first line names, as Excel's do, and the text with a blank line
    in its place.
    """
    start = len(text) - len(text.lstrip("\n"))
    line, end, remainder = text[start:].partition("\n")
    match = _SEPARATOR_LINE.fullmatch(line.strip('"'))
    return (match[1], text[:start] + end + remainder) if match else ("", text)


def _likely_separator(text: str) -> str:
    """Return what parts the first lines into the same number of fields, three or more; else the
    comma.
    """
    lines = [
        line for line in text.split("\n", 2 * _LINES_TRIED)[: 2 * _LINES_TRIED] if line.strip()
    ][:_LINES_TRIED]
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
        return widths  # Reading will report it.
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


def _with_single_spaces(text: str) -> str:
    return re.sub(" {2,}", " ", text) if "  " in text else text


def _reader(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=True)


@dataclass(frozen=True)
class _Record:
    """A row of a file, or a line that is none.

    Attributes
    ----------
    line : where it starts, counted from 1.
    width : how many fields it has, 0 where they cannot be read.
    fields : the fields; None where nobody needs them.
    fault : why they cannot be read, "" where they can.
    is_comment : whether it begins as comments do.
    """

    line: int
    width: int
    fields: list[str] | None = None
    fault: str = ""
    is_comment: bool = False

    @classmethod
    def of(cls, line: int, fields: list[str]) -> "_Record":
        return cls(line, len(fields), fields, is_comment=fields[0].startswith("#"))


_OUT_OF_PLACE = "a quotation mark out of place"
_TOO_LONG = "a field of more than {:,} characters"


def _records(text: str, separator: str) -> Iterator[_Record]:
    """Yield every record of a text that is not blank; `_UnreadableLineError` where one
    cannot be read.
    """
    reader = _reader(text, separator)
    line = 1
    try:
        for fields in reader:
            if any(map(str.strip, fields)):
                yield _Record.of(line, fields)
            line = reader.line_num + 1  # type: ignore[attr-defined]
    except csv.Error as error:
        raise _UnreadableLineError(_unreadable(line, error)) from None


def _unreadable(line: int, error: csv.Error) -> _Record:
    is_too_long = str(error).startswith("field larger")
    return _Record(
        line, 0, fault=_TOO_LONG.format(csv.field_size_limit()) if is_too_long else _OUT_OF_PLACE
    )


def _records_by_line(block: str, first_line: int, separator: str) -> Iterator[_Record]:
    """Yield every record of some lines that are not blank, where none is longer than a line."""
    longest = csv.field_size_limit()
    blank = separator + _WHITE_SPACE
    for line, content in enumerate(block.split("\n"), first_line):
        if not content.strip(blank):
            continue
        if '"' in content:
            try:
                fields = next(
                    csv.reader([content], delimiter=separator, skipinitialspace=True, strict=True)
                )
            except csv.Error as error:
                yield _unreadable(line, error)
                continue
            if any(map(str.strip, fields)):
                yield _Record.of(line, fields)
            continue
        fields = (_with_single_spaces(content) if separator == " " else content).split(separator)
        if len(content) > longest and max(map(len, fields)) > longest:
            yield _Record(line, 0, fault=_TOO_LONG.format(longest))
            continue
        fields[0] = fields[0].lstrip(" ")
        yield _Record.of(line, fields)


class _UnreadableLineError(TableError):
    """A quotation that does not end, or not where a field does, or a field that is too long."""

    def __init__(self, record: _Record) -> None:
        if record.fault == _OUT_OF_PLACE:
            fault = "has a quotation mark out of place or a field without end"
            advice = "close the quotation and double the marks inside it"
        else:
            fault = f"has {record.fault}"
            advice = "part its fields, or leave the line out"
        super().__init__(f"Line {record.line} {fault}: {advice}.")


@dataclass(frozen=True)
class _RowShape:
    """What the rows of a file have in common.

    Attributes
    ----------
    width : how many columns there are.
    first : the names that the first line holds, where it has another number of fields than the
        rows; else None.
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


def _are_blank(fields: Iterable[str]) -> bool:
    return not any(map(str.strip, fields))


def _form_of(head: Sequence[list[str]], file: str) -> _RowShape:
    """Return what the rows have in common, of the first records of a file."""
    first, *rows = head
    usual = Counter(map(len, rows)).most_common(1)[0][0] if len(rows) > 1 else len(first)
    if max(usual, len(first)) < _FEWEST_FIELDS:
        raise TableError(f"The first line has only {counted(len(first), 'column')}: {_ADVICE}.")
    if usual > MAX_COLUMNS:
        raise TableError(
            f"{file} has {usual:,} columns: keep the ones you need, at most {MAX_COLUMNS:,}."
        )
    if any(len(row) == len(first) for row in rows):
        usual = len(first)
    usual_rows = [row for row in rows if len(row) == usual]
    holds_names = 2 * sum(isfinite(number(cell.strip())) for cell in first) < len(first)
    if 2 * len(usual_rows) > len(rows) and holds_names:
        if len(first) == usual + 1:
            words = "The first line has one field more than the rows: the last column is empty."
            return _RowShape(usual + 1, first, pads=True, notice=words)
        if len(first) > usual and _are_blank(first[usual:]):
            return _RowShape(usual, first[:usual])
        if len(first) < usual and all(_are_blank(row[len(first) :]) for row in usual_rows):
            return _RowShape(len(first), first, drops=usual - len(first))
        if len(first) == usual - 1:
            words = (
                "The first line has one field less than the rows: their first column holds "
                "the names of the rows."
            )
            return _RowShape(usual, ["row", *first], notice=words)
    return _RowShape(usual)


class _Rows:
    """The rows of a file, collected column by column.

    Parameters
    ----------
    head : the first records, which say what rows look like.
    """

    def __init__(self, head: Sequence[_Record], file: str) -> None:
        readable = [record.fields for record in head if record.fields is not None]
        if not readable:
            raise (
                _UnreadableLineError(head[0]) if head else TableError(f"{file} is empty: {NEEDED}.")
            )
        self.form = _form_of(readable, file)
        self._n_flushed = 0
        self._lines: list[NDArray[np.int32]] = []
        self._parts: list[list[Cells]] = [[] for _ in range(self.form.width)]
        self._n_odd = 0
        self._first_odd: list[_Record] = []
        # Rows that were taken one by one, until they are many: their lines, and their fields in a
        # row, since a list for each row would keep the garbage collector busy for longer than the
        # reading takes.
        self._taken_lines: list[int] = []
        self._taken_fields: list[str] = []
        first = self.form.first
        if first is not None:
            names = next(record for record in head if record.fields is not None)
            self._take(names.line, first)
            head = [record for record in head if record is not names]
        self.collect(head)

    @property
    def n_rows(self) -> int:
        """How many rows were taken."""
        return self._n_flushed + len(self._taken_lines)

    def collect(self, records: Iterable[_Record]) -> None:
        """Take records one by one."""
        form = self.form
        written = form.written
        for record in records:
            fields = record.fields
            if (
                fields is None
                or len(fields) != written
                or (form.drops and not _are_blank(fields[form.width :]))
            ):
                self._leave_out(record)
                continue
            if form.drops:
                fields = fields[: form.width]
            elif form.pads:
                fields.append("")
            self._take(record.line, fields)

    def collect_block(self, block: str, first_line: int, separator: str) -> bool:
        """Take lines without quotation marks at once; return False where they are not all rows that
        are alike.
        """
        form = self.form
        if separator == " ":
            block = _with_single_spaces(block)
        if not _are_all_of_width(block, separator, form.written):
            return False
        fields = block.replace("\n", separator).split(separator)
        longest = csv.field_size_limit()
        if len(block) > longest and max(map(len, fields)) > longest:
            return False
        columns = [fields[place :: form.written] for place in range(form.written)]
        if not (block.isascii() and not any(space in block for space in " \t\v\f")):
            columns = [list(map(str.strip, column)) for column in columns]
        # Perhaps a line is blank.
        if "" in columns[0] or not all(map(_are_blank, columns[form.width :])):
            return False
        if form.pads:
            columns.append([""] * len(columns[0]))
        self._flush()
        self._append(
            np.arange(first_line, first_line + len(columns[0]), dtype=np.int32),
            columns[: form.width],
        )
        return True

    def _take(self, line: int, fields: Iterable[str]) -> None:
        self._taken_lines.append(line)
        self._taken_fields.extend(map(str.strip, fields))
        if len(self._taken_fields) > BLOCK:
            self._flush()

    def _flush(self) -> None:
        if self._taken_lines:
            columns = [
                self._taken_fields[place :: self.form.width] for place in range(self.form.width)
            ]
            self._append(np.array(self._taken_lines, dtype=np.int32), columns)
            self._taken_lines = []
            self._taken_fields = []

    def _append(self, lines: NDArray[np.int32], columns: Sequence[Sequence[str]]) -> None:
        self._n_flushed += len(lines)
        self._lines.append(lines)
        for parts, column in zip(self._parts, columns, strict=True):
            parts.append(Cells.of(column))

    def _leave_out(self, record: _Record) -> None:
        """Count a line that is no row; a `TableError` once there are so many that no later one can
        make up for it.
        """
        if record.is_comment:
            return
        self._n_odd += 1
        if len(self._first_odd) < _LINES_NAMED:
            self._first_odd.append(replace(record, fields=None))
        if self._n_odd > _MANY_ODD:
            self._refuse_if_most_are_odd()

    def _refuse_if_most_are_odd(self) -> None:
        if self._n_odd > self.n_rows:
            examples = " and ".join(map(self._fault, self._first_odd[:2]))
            raise TableError(
                f"Most lines are not alike, as {examples}: give every line as many fields."
            )
        if 2 * self._n_odd >= self.n_rows and self._first_odd[0].fault:
            raise _UnreadableLineError(self._first_odd[0])
        if 2 * self._n_odd >= self.n_rows:
            fault = self._fault(self._first_odd[0]).replace("line", "Line", 1)
            raise TableError(f"{fault}: give every line as many fields.")

    def notices(self) -> list[str]:
        """Return what there is to say; TableError where too few lines are alike."""
        sentences = [self.form.notice] if self.form.notice else []
        if not self._n_odd:
            return sentences
        self._refuse_if_most_are_odd()
        faults = ", ".join(map(self._fault, self._first_odd))
        more = f" and {self._n_odd - _LINES_NAMED:,} more" if self._n_odd > _LINES_NAMED else ""
        return [*sentences, f"{counted(self._n_odd, 'line')} left out: {faults}{more}."]

    def _fault(self, record: _Record) -> str:
        if record.fault:
            return f"line {record.line} has {record.fault}"
        return (
            f"line {record.line} has {counted(record.width, 'field')} instead of "
            f"{self.form.written}"
        )

    def columns(self) -> list[Cells]:
        """Return the cells of each column."""
        self._flush()
        columns = []
        for parts in self._parts:
            columns.append(Cells.joined(parts))
            parts.clear()
        return columns

    def lines(self) -> NDArray[np.int32]:
        """Return where each row starts, counted from 1."""
        self._flush()
        return np.concatenate(self._lines) if self._lines else np.zeros(0, dtype=np.int32)


def _are_all_of_width(block: str, separator: str, width: int) -> bool:
    """Whether all lines have as many fields, where none has quotation marks."""
    characters = np.frombuffer(block.encode(), np.uint8)
    is_end = characters == ord("\n")
    # The end of each field says if a line ends there.
    ends = np.append(is_end[is_end | (characters == ord(separator))], True)
    if len(ends) % width:
        return False
    by_line = ends.reshape(-1, width)
    return bool(by_line[:, -1].all() and not by_line[:, :-1].any())


def _rows(text: str, separator: str, file: str) -> _Rows:
    """Return the rows of a text. A quotation mark out of place spoils no more than its line."""
    if '"' not in text:
        return _rows_by_line(text, separator, file)
    try:
        records = _records(text, separator)
        rows = _Rows(list(islice(records, _LINES_TRIED)), file)
        rows.collect(records)
    except _UnreadableLineError:
        rows = _rows_by_line(text, separator, file)
        if rows.n_rows < 2:
            raise
    return rows


def _rows_by_line(text: str, separator: str, file: str) -> _Rows:
    """Return the rows of a text, where none is longer than a line."""
    rows: _Rows | None = None
    head: list[_Record] = []
    line = 1
    for block in blocks_of(text):
        if not block or block.isspace():
            pass
        elif rows is None:
            head.extend(_records_by_line(block, line, separator))
            if len(head) >= _LINES_TRIED:
                rows = _Rows(head[:_LINES_TRIED], file)
                rows.collect(head[_LINES_TRIED:])
        elif '"' in block or not rows.collect_block(block, line, separator):
            rows.collect(_records_by_line(block, line, separator))
        line += block.count("\n") + 1
    return _Rows(head, file) if rows is None else rows


def _names_in(comments: Sequence[str], separator: str, width: int) -> list[str] | None:
    """Return the names of the columns that the last comment holds that has so many words; None if
    none has.
    """
    for comment in reversed(comments):
        with suppress(csv.Error):
            fields = next(
                _reader(_evenly_spaced(comment) if separator == " " else comment, separator), []
            )
            if len(fields) == width and not any(isfinite(number(cell.strip())) for cell in fields):
                return [field.strip() for field in fields]
    return None
