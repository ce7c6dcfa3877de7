"""A table of one's own: from the bytes of a CSV file to two features and labels of -1 and +1.

Whatever is wrong with a file or a choice of columns ends in one `TableError`, a sentence that says what is
wrong and what to do.  Rows that cannot be used are left out and named by their line in the file.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

MAX_BYTES = 20_000_000  # a larger file is refused
MAX_ROWS_SHOWN = 1000  # examples the app trains on
MAX_COLUMNS = 1000
MAX_CLASSES = 50  # classes offered for a label
LARGEST = 1e100  # products of larger numbers overflow
SMALLEST_SPREAD = 1e-100  # squares of smaller differences vanish

MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "?"})
LABEL_NAMES = ("class", "label", "labels", "target", "species", "diagnosis", "outcome", "category", "y")
ID_NAMES = frozenset({"id", "index", "idx", "nr", "row", "unnamed", "unnamed: 0"})
# Alphabetical order puts "yes", "true", "positive" and "malignant" second by itself, but not these.
SECOND_IS_PLUS = {("-", "+"), ("control", "case"), ("low", "high"), ("normal", "abnormal")}

NEEDED = "choose a CSV file with a header line, two numeric columns and a label column"
LOOKS_LIKE = {
    rb"PK\x03\x04|\xd0\xcf\x11\xe0": "a spreadsheet or an archive: open it and save the table as CSV first",
    rb"%PDF": "a PDF document: choose the table it was made from, saved as CSV",
    rb"\x89PNG|\xff\xd8\xff|GIF8": "a picture: choose a CSV file",
    rb"\x1f\x8b": "a compressed file: unpack it and choose the CSV file inside",
    rb"(\xef\xbb\xbf)?\s*<": "a web page or XML: save the table in it as CSV first",
    rb"""(\xef\xbb\xbf)?\s*(\{|\[\s*[\[{"\d-])""": "JSON: save the table in it as CSV first",
}


class TableError(ValueError):
    """What is wrong with a table and what to do, in one sentence for the person who chose it."""


@dataclass(frozen=True)
class Choice:
    """Two features, a label column and two of its classes; ``classes[1]`` is +1."""

    features: tuple[str, str]
    label: str
    classes: tuple[str, str]


@dataclass(frozen=True, eq=False)
class Examples:
    """The usable rows of a choice."""

    X: NDArray[np.float64]  # shape (n, 2), as in the file, not scaled
    y: NDArray[np.float64]  # shape (n,), -1.0 for classes[0] and +1.0 for classes[1]
    rows: NDArray[np.int64]  # shape (n,), the line of each example in the file, counted from 1
    features: tuple[str, str]
    classes: tuple[str, str]
    notices: tuple[str, ...]  # one sentence for each kind of row that was left out


@dataclass(frozen=True, eq=False)
class Table:
    """A CSV file as `read_table` read it."""

    name: str
    columns: tuple[str, ...]
    numeric: tuple[str, ...]  # columns where at least half of the cells that are not missing are numbers
    lines: NDArray[np.int64] = field(repr=False)  # shape (n_rows,), where each row starts, counted from 1
    cells: dict[str, tuple[str, ...]] = field(repr=False)  # text without surrounding white space
    values: dict[str, NDArray[np.float64]] = field(repr=False)  # of numeric columns; NaN: no number up to LARGEST

    @property
    def n_rows(self) -> int:
        """Rows below the header, blank lines not counted."""
        return len(self.lines)

    def line(self, row: int) -> int:
        """Line of the file, counted from 1, on which row ``row``, counted from 0, starts."""
        return int(self.lines[row])

    def classes(self, label: str) -> tuple[str, ...]:
        """At most `MAX_CLASSES` values of a column, frequent ones first; of a tie, the one seen first."""
        return tuple(self._counts(label))[:MAX_CLASSES]

    def guess(self) -> Choice:
        """Choose columns and classes that make sense, for a start.

        The label is a column with a telling name (`LABEL_NAMES`), else the last one of 2 to 10 classes that
        is not needed as a feature.  The features are the first two numeric columns that vary, running numbers
        only if there is nothing else.  The classes are the two most frequent, the larger number being +1.
        A `TableError` says which of them the table lacks.
        """
        vary = [name for name in self.numeric if np.nanmin(self.values[name]) < np.nanmax(self.values[name])]
        candidates = sorted(vary, key=self._is_running_number)
        label = self._guess_label(candidates)
        features = [name for name in candidates if name != label]
        if len(features) < 2:
            raise TableError(f"Beside the label '{label}' there are not two numeric columns that vary: {NEEDED}.")
        return Choice((features[0], features[1]), label, _ordered(*self.classes(label)[:2]))

    def examples(self, choice: Choice, *, seed: int = 0, limit: int = MAX_ROWS_SHOWN) -> Examples:
        """Rows of the two classes with a number in both features, in the order of the file.

        Parameters
        ----------
        seed : decides which rows are drawn when more than ``limit`` are usable.
        limit : most rows to return, at least 2; both classes are always among them.

        Raises
        ------
        TableError
            The choice does not fit the table, no row of a class is usable or a feature does not vary.
        """
        self._check(choice)
        labels = np.array(self._labels(choice.label), dtype=object)
        minus, plus = (labels == name for name in choice.classes)
        values = np.column_stack([self.values[name] for name in choice.features])
        numbers = np.isfinite(values).all(axis=1)
        faults = np.flatnonzero(((minus | plus) & ~numbers) | (labels == ""))
        usable = np.flatnonzero((minus | plus) & numbers)
        for name in choice.classes:
            if name not in labels[usable]:
                why = self._reasons(faults[labels[faults] == name], choice)
                raise TableError(f"No row of class {_quoted(name)} is usable ({why}): choose other columns or classes.")
        y = np.where(plus[usable], 1.0, -1.0)
        drawn = _draw(y, limit, seed)
        X, rows = values[usable[drawn]], self.lines[usable[drawn]]
        for name, spread, value in zip(choice.features, np.ptp(X, axis=0), X[0], strict=True):
            if spread < SMALLEST_SPREAD:
                raise TableError(f"Every usable row has {value:.6g} in '{name}': choose a feature that varies.")
        notices = []
        if faults.size:
            notices.append(f"{_count(faults.size, 'row')} left out: {self._reasons(faults, choice)}.")
        if others := self.n_rows - len(usable) - len(faults):
            notices.append(f"Rows of other classes left out: {others:,}.")
        if len(rows) < len(usable):
            notices.append(f"{len(rows):,} of {len(usable):,} rows are shown, drawn at random with seed {seed}.")
        return Examples(X, y[drawn], rows, choice.features, choice.classes, tuple(notices))

    def _check(self, choice: Choice) -> None:
        """Raise the sentence for a choice that does not fit the table."""
        label, classes, features = choice.label, choice.classes, choice.features
        self._find(label, *features)
        if label in features:
            raise TableError(f"'{label}' is both label and feature: choose another column for one of them.")
        for kind, (first, second) in {"feature": features, "class": classes}.items():
            if first == second:
                raise TableError(f"The {kind} {_quoted(first)} is chosen twice: choose two different ones.")
        for name in features:
            if name not in self.values:
                raise TableError(f"'{name}' does not hold numbers: choose one of {_listed(self.numeric)}.")
        counts = self._counts(label)
        if (many := len(counts)) > min(2 * MAX_CLASSES, max(20, self.n_rows // 2)):
            unlike = f"has {many:,} different values, so it looks like a number or a name, not a class"
            raise TableError(f"The label '{label}' {unlike}: choose another label.")
        if many < 2:
            held = f"one class only, {_listed([*counts])}" if counts else "no value in any row"
            raise TableError(f"The label '{label}' has {held}: choose a label with two or more classes.")
        for name in classes:
            if name not in counts:
                raise TableError(f"'{label}' has no class {_quoted(name)}: choose one of {_listed([*counts])}.")

    def _find(self, *columns: str) -> None:
        for name in columns:
            if name not in self.cells:
                raise TableError(f"There is no column {_quoted(name)}: choose one of {_listed(self.columns)}.")

    def _labels(self, column: str) -> list[str]:
        """Class of every row, '' where it is missing; '1' and '1.0' are one class of a numeric column."""
        cells = self.cells[column]
        numbers = self.values[column].tolist() if column in self.values else [nan] * len(cells)
        names = {
            cell: "" if cell.lower() in MISSING else f"{number + 0.0:.15g}" if isfinite(number) else cell
            for cell, number in dict(zip(cells, numbers, strict=True)).items()
        }
        return [names[cell] for cell in cells]

    def _counts(self, column: str) -> dict[str, int]:
        self._find(column)
        return {name: count for name, count in Counter(self._labels(column)).most_common() if name}

    def _is_running_number(self, column: str) -> bool:
        name, values = column.lower(), self.values[column]
        counts = len(values) > 2 and values[0] % 1 == 0 and (np.diff(values) == 1).all()
        return name in ID_NAMES or name.endswith("_id") or bool(counts)

    def _guess_label(self, numeric: Sequence[str]) -> str:
        sizes = {}
        for column in self.columns:
            # Naming the many values of a measurement would only take time.
            if column not in self.values or len(np.unique(self.values[column])) <= 2 * MAX_CLASSES:
                sizes[column] = len(self._counts(column))
        few = [column for column, size in sizes.items() if 2 <= size <= 10]
        many = [column for column, size in sizes.items() if 10 < size <= min(MAX_CLASSES, self.n_rows // 2)]
        named = {column.lower(): column for column in few}
        if "x" in map(str.lower, self.columns):
            named.pop("y", None)  # beside an x it is a coordinate
        telling = [named[name] for name in reversed(LABEL_NAMES) if name in named]
        spare = [column for column in few if column not in numeric[:2]]
        for candidates in (telling, spare, few if len(numeric) > 2 else [], many):
            if candidates:
                return candidates[-1]
        raise TableError("No column can be the label: add a column with two or more classes, such as yes and no.")

    def _reasons(self, rows: NDArray[np.int64], choice: Choice) -> str:
        named = [self._reason(int(row), choice) for row in rows[:5]]
        more = len(rows) - len(named)
        return ", ".join(named) + (f" and {more:,} more" if more else "")

    def _reason(self, row: int, choice: Choice) -> str:
        for name in choice.features:
            if np.isnan(self.values[name][row]):
                cell = self.cells[name][row]
                found = "no value" if cell.lower() in MISSING else _quoted(cell)
                return f"line {self.line(row)} has {found} in '{name}'"
        return f"line {self.line(row)} has no label"


def read_table(data: bytes, name: str = "the file") -> Table:
    r"""Read a CSV file: column names in the first line, then one row per line.

    The encoding may be UTF-8, UTF-16 with a byte order mark or Windows-1252; the separator a comma, semicolon,
    tab or bar.  Beside semicolons and tabs, a column may be written with decimal commas.

    Parameters
    ----------
    data : the bytes of the file, at most `MAX_BYTES`.
    name : what sentences call the file.

    Raises
    ------
    TableError
        The file is no such table.

    Examples
    --------
    >>> table = read_table(b"size;weight;kind\n1,5;2;apple\n0,5;3;pear\n")
    >>> table.guess()
    Choice(features=('size', 'weight'), label='kind', classes=('apple', 'pear'))
    >>> table.examples(table.guess()).X.tolist()
    [[1.5, 2.0], [0.5, 3.0]]
    """
    file = "The file" if name == "the file" else _quoted(name)
    text = _text(data, file)
    separator = _separator(text[:1_000_000])
    records = _records(text, separator)
    columns = _columns(next(records, (1, []))[1], separator, file)
    lines: list[int] = []
    flat: list[str] = []
    for line, fields in records:
        if len(fields) != len(columns):
            found = f"{_count(len(fields), 'field')} where the header has {len(columns)}"
            raise TableError(f"Line {line} has {found}: give every line as many fields as the header.")
        lines.append(line)
        flat.extend(fields)
    if not lines:
        raise TableError(f"{file} has a header but no rows: add one line per example below it.")
    cells = {name: tuple(map(str.strip, flat[i :: len(columns)])) for i, name in enumerate(columns)}
    values = {name: _numbers(cells[name], decimal_comma=separator in ";\t") for name in columns}
    values = {name: numbers for name, numbers in values.items() if _mostly_numbers(cells[name], numbers)}
    if len(values) < 2:
        found = f"only one numeric column, '{next(iter(values))}'" if values else "no numeric column"
        raise TableError(f"{file} has {found}: {NEEDED}.")
    return Table(name, columns, tuple(values), np.array(lines, dtype=np.int64), cells, values)


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
    """Separator that cuts most of the first lines as the header, then the one that cuts into most fields."""
    fits = {}
    for separator in "\t;|,":
        widths: list[int] = []
        with suppress(TableError):  # the lines before a fault still count; reading will report it
            widths.extend(len(fields) for _, fields in islice(_records(text, separator), 50))
        if widths and widths[0] > 1:
            fits[separator] = (widths.count(widths[0]) / len(widths), widths[0])
    return max(fits, key=fits.__getitem__, default=",")


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which it starts and the fields of every record that is not blank."""
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=True)
    line = 1
    try:
        for fields in reader:
            if any(map(str.strip, fields)):
                yield line, fields
            line = reader.line_num + 1
    except csv.Error:
        fault = f"Line {line} has a quotation mark out of place or a field without end"
        raise TableError(f"{fault}: close the quotation and double the marks inside it.") from None


def _columns(header: list[str], separator: str, file: str) -> tuple[str, ...]:
    """Column names fit to be shown: short, none empty, no two alike."""
    if not header:
        raise TableError(f"{file} is empty: {NEEDED}.")
    if len(header) > MAX_COLUMNS:
        raise TableError(f"{file} has {len(header):,} columns, more than {MAX_COLUMNS:,}: keep the ones you need.")
    numbers = np.isfinite(_numbers(header, decimal_comma=separator in ";\t"))
    measured = [not name.strip().isdigit() for name, number in zip(header, numbers, strict=True) if number]
    if sum(measured) >= 2 or len(measured) == len([name for name in header if name.strip()]):
        raise TableError("The first line holds numbers, not column names: add a header such as x1,x2,label.")
    if len(header) < 3:
        found = _count(len(header), "column")
        raise TableError(f"The header has {found}: separate three or more by commas, semicolons or tabs.")
    names: dict[str, None] = {}
    for position, text in enumerate(header, 1):
        name = base = _shown(text, 40) or f"column {position}"
        copy = 1
        while name in names:
            copy += 1
            name = f"{base} ({copy})"
        names[name] = None
    return tuple(names)


def _numbers(cells: Sequence[str], *, decimal_comma: bool) -> NDArray[np.float64]:
    """Numbers of a column, NaN for what is none; commas are decimal only where no number has a point."""
    numbers = {cell: _number(cell) for cell in set(cells)}
    if decimal_comma and not any("." in cell and isfinite(number) for cell, number in numbers.items()):
        numbers = {cell: _number(cell.replace(",", ".")) for cell in numbers}
    return np.fromiter(map(numbers.__getitem__, cells), np.float64, len(cells))


def _number(cell: str) -> float:
    try:
        number = nan if "_" in cell else float(cell.replace("−", "-"))
    except ValueError:
        return nan
    return number if abs(number) <= LARGEST else nan


def _mostly_numbers(cells: Sequence[str], numbers: NDArray[np.float64]) -> bool:
    present = sum(cell.lower() not in MISSING for cell in cells)
    return bool(0 < present <= 2 * np.isfinite(numbers).sum())


def _draw(y: NDArray[np.float64], limit: int, seed: int) -> NDArray[np.intp]:
    """At most ``limit`` ascending indices, the first drawn of each class among them."""
    if len(y) <= limit:
        return np.arange(len(y))
    order = np.random.default_rng(seed).permutation(len(y))
    first = [np.argmax(y[order] < 0), np.argmax(y[order] > 0)]
    return np.sort(np.concatenate([order[first], np.delete(order, first)])[:limit])


def _ordered(first: str, second: str) -> tuple[str, str]:
    """Put +1 second: the larger number, the word that is looked for, else the later in the alphabet."""
    low, high = sorted((first, second), key=lambda name: (name.casefold(), name))
    wrong = _number(low) > _number(high) or (high.casefold(), low.casefold()) in SECOND_IS_PLUS
    return (high, low) if wrong else (low, high)


def _shown(text: str, width: int = 30) -> str:
    """Text on one line, without signs that cannot be seen, cut to ``width``."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * width]).split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"


def _quoted(text: str) -> str:
    return f"'{_shown(text)}'"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(_quoted(name) for name in names[:5]) + (" and others" if len(names) > 5 else "")
