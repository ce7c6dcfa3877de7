"""A table of one's own: from the bytes of a CSV file to two features and labels of -1 and +1.

The separator, decimal commas and the header are found; everything else is refused (pandas' fast reader pads short rows
silently). Whatever is wrong with a table or a choice of columns ends in one `TableError`, a sentence that states what
is wrong and what to do. Rows that cannot be used are left out and named by their line in the file.
"""

import csv
import io
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray

THE_FILE, PASTED = "the file", "what was pasted"  # what a table without a name is called
MAX_BYTES = 20_000_000  # a larger file is refused
MAX_COLUMNS = 1000
MAX_ROWS_SHOWN = 1000  # examples the app trains on
MAX_CLASSES = 50  # classes offered for a label
LARGEST = 1e100  # products of larger numbers overflow
SMALLEST_SPREAD = 1e-100  # squares of smaller differences vanish
COMPONENTS = ("PC 1", "PC 2")
NEEDED = "choose a table with two numeric columns and a label column"

_LONGEST_NAME = 40
_ROWS_COMPARED = 1000  # rows that the first line is compared with
_MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "?"})
_LABEL_NAMES = ("class", "label", "labels", "target", "species", "diagnosis", "outcome", "category", "y")
_ID_NAMES = frozenset({"id", "index", "idx", "nr", "row", "line", "unnamed", "unnamed: 0"})
# Alphabetical order puts "yes", "true", "positive" and "malignant" second by itself, but not these.
_SECOND_IS_PLUS = {("-", "+"), ("control", "case"), ("low", "high"), ("normal", "abnormal")}
_FLAT = 1e-12  # share of the first component's variance below which a second one is rounding error


class TableError(ValueError):
    """What is wrong with a table and what to do, in one sentence for the person who chose it."""


@dataclass(frozen=True)
class Choice:
    """Two features, a label column and two of its classes; ``classes[1]`` is +1.

    With ``reduce``, the first two principal components of all `Table.measurements` take the place of the features.
    """

    features: tuple[str, str]
    label: str
    classes: tuple[str, str]
    reduce: bool = False


@dataclass(frozen=True, eq=False)
class Examples:
    """The usable rows of a choice."""

    X: FloatArray  # shape (n, 2), as in the file, not scaled, or components of scaled columns
    y: FloatArray  # shape (n,), -1.0 for classes[0] and +1.0 for classes[1]
    rows: NDArray[np.int64]  # shape (n,), the line of each example in the file, counted from 1
    features: tuple[str, str]
    classes: tuple[str, str]
    notices: tuple[str, ...]  # one sentence for each kind of row that was left out, and for what is shown


@dataclass(frozen=True, eq=False)
class Table:
    """A CSV file as `read_table` read it, or what was pasted as `read_text` did."""

    name: str
    columns: tuple[str, ...]
    numeric: tuple[str, ...]  # columns where at least half of the cells that are not missing are numbers
    lines: NDArray[np.int64] = field(repr=False)  # shape (n_rows,), where each row starts, counted from 1
    cells: dict[str, tuple[str, ...]] = field(repr=False)  # text without surrounding white space
    values: dict[str, FloatArray] = field(repr=False)  # of numeric columns; NaN: no number up to LARGEST
    notices: tuple[str, ...] = ()  # one sentence if the first line does not hold names

    @property
    def n_rows(self) -> int:
        """Rows below the header, blank lines not counted."""
        return len(self.lines)

    @property
    def nbytes(self) -> int:
        """How much memory it takes, most of it for the text of cells."""
        text = sum(sys.getsizeof(column) + sum(map(sys.getsizeof, column)) for column in self.cells.values())
        return text + sum(array.nbytes for array in (self.lines, *self.values.values()))

    def classes(self, label: str) -> tuple[str, ...]:
        """At most `MAX_CLASSES` values of a column, frequent ones first; of a tie, the one seen first."""
        return tuple(self._counts(label))[:MAX_CLASSES]

    def guess(self) -> Choice:
        """Choose columns and classes that make sense, for a start.

        The label is a column with a telling name, else the last one of 2 to 10 classes that is not needed as a
        feature. The features are the first two numeric columns that vary, running numbers only if there is nothing
        else. The classes are the two most frequent, the larger number being +1. A `TableError` says which of them the
        table lacks.
        """
        candidates = sorted(filter(self._varies, self.numeric), key=self._is_running_number)
        label = self._guess_label(candidates)
        features = [name for name in candidates if name != label]
        if len(features) < 2:
            raise TableError(f"Beside the label '{label}' there are not two numeric columns that vary: {NEEDED}.")
        return Choice((features[0], features[1]), label, _ordered(*self.classes(label)[:2]))

    def measurements(self, label: str) -> tuple[str, ...]:
        """Columns that principal components are made of.

        They are numeric and vary, hold a number in at least half of the rows, and are neither ``label`` nor running
        numbers.
        """
        return tuple(
            name
            for name in self.numeric
            if name != label
            and self._varies(name)
            and not self._is_running_number(name)
            and np.isfinite(self.values[name]).mean() >= 0.5
        )

    def examples(self, choice: Choice, *, seed: int = 0, limit: int = MAX_ROWS_SHOWN) -> Examples:
        """Rows of the two classes with a number in both features, in the order of the file.

        With ``choice.reduce``: with a number in all `measurements`, and the features are the first two principal
        components of the rows returned, each column scaled to mean 0 and variance 1.

        Parameters
        ----------
        seed : decides which rows are drawn when more than ``limit`` are usable.
        limit : most rows to return, at least 2; both classes are always among them.

        Raises
        ------
        TableError
            The choice does not fit the table, no row of a class is usable, a feature does not vary or there are no
            two components.
        """
        self._check(choice)
        names = self.measurements(choice.label) if choice.reduce else choice.features
        if len(names) < 2:
            raise _too_few(names, choice.label)
        usable, y, notices = self._usable(choice, names)
        drawn = _draw(y, limit, seed)
        if len(drawn) < len(usable):
            notices.append(f"{len(drawn):,} of {len(usable):,} rows are shown, drawn at random with seed {seed}.")
        rows = usable[drawn]
        X = np.column_stack([self.values[name][rows] for name in names])
        if choice.reduce:
            X, notice = _reduced(X, names, choice.label)
            notices.append(notice)
        else:
            for name, spread, value in zip(names, np.ptp(X, axis=0), X[0], strict=True):
                if spread < SMALLEST_SPREAD:
                    raise TableError(f"Every usable row has {value:.6g} in '{name}': choose a feature that varies.")
        features = COMPONENTS if choice.reduce else choice.features
        return Examples(X, y[drawn], self.lines[rows], features, choice.classes, tuple(notices))

    def _usable(self, choice: Choice, names: Sequence[str]) -> tuple[NDArray[np.intp], FloatArray, list[str]]:
        """Rows of the two classes with a number in all columns ``names``, their y, and a sentence on the others."""
        labels = np.array(self._labels(choice.label), dtype=object)
        minus, plus = (labels == name for name in choice.classes)
        complete = np.all([np.isfinite(self.values[name]) for name in names], axis=0)
        faults = np.flatnonzero(((minus | plus) & ~complete) | (labels == ""))
        usable = np.flatnonzero((minus | plus) & complete)
        for name in choice.classes:
            if name not in labels[usable]:
                why = self._reasons(faults[labels[faults] == name], names, most=1)
                raise TableError(f"No row of class {quoted(name)} is usable ({why}): choose other columns or classes.")
        notices = []
        if faults.size:
            rows = f"{faults.size:,} row{'s' if faults.size != 1 else ''}"
            notices.append(f"{rows} left out: {self._reasons(faults, names, most=5)}.")
        if others := self.n_rows - len(usable) - len(faults):
            rest = [name for name in self._counts(choice.label) if name not in choice.classes]
            notices.append(f"Rows of other classes ({_listed(rest)}) left out: {others:,}.")
        return usable, np.where(plus[usable], 1.0, -1.0), notices

    def _check(self, choice: Choice) -> None:
        """Raise the sentence for a choice that does not fit the table."""
        label, classes = choice.label, choice.classes
        features: tuple[str, ...] = () if choice.reduce else choice.features
        for name in (label, *features):
            self._find(name)
        if label in features:
            raise TableError(f"'{label}' is both label and feature: choose another column for one of them.")
        for kind, (first, *others) in (("feature", features or (None,)), ("class", classes)):
            if first in others:
                raise TableError(f"The {kind} {quoted(str(first))} is chosen twice: choose two different ones.")
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
                raise TableError(f"'{label}' has no class {quoted(name)}: choose one of {_listed([*counts])}.")

    def _find(self, column: str) -> None:
        if column not in self.cells:
            raise TableError(f"There is no column {quoted(column)}: choose one of {_listed(self.columns)}.")

    def _labels(self, column: str) -> list[str]:
        """Class of every row, '' where it is missing; '1' and '1.0' are one class of a numeric column."""
        cells = self.cells[column]
        values = self.values[column].tolist() if column in self.values else [nan] * len(cells)
        names = {
            cell: "" if _is_missing(cell) else f"{value + 0.0:.15g}" if isfinite(value) else cell
            for cell, value in dict(zip(cells, values, strict=True)).items()
        }
        return [names[cell] for cell in cells]

    def _counts(self, column: str) -> dict[str, int]:
        self._find(column)
        return {name: count for name, count in Counter(self._labels(column)).most_common() if name}

    def _varies(self, column: str) -> bool:
        return bool(np.nanmin(self.values[column]) < np.nanmax(self.values[column]))

    def _is_running_number(self, column: str) -> bool:
        name, values = column.lower(), self.values[column]
        counts = len(values) > 2 and values[0] % 1 == 0 and (np.diff(values) == 1).all()
        return name in _ID_NAMES or name.endswith("_id") or bool(counts)

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
        by_name = [named[name] for name in reversed(_LABEL_NAMES) if name in named]
        spare = [column for column in few if column not in numeric[:2]]
        for candidates in (by_name, spare, few if len(numeric) > 2 else [], many):
            if candidates:
                return candidates[-1]
        raise TableError("No column can be the label: add a column with two or more classes, such as yes and no.")

    def _reasons(self, rows: NDArray[np.intp], names: Sequence[str], most: int) -> str:
        """Say why rows cannot be used, the first of them one by one."""
        named = []
        for row in rows[:most].tolist():
            lacks = "no label"
            for name in reversed(names):
                if np.isnan(self.values[name][row]):
                    cell = self.cells[name][row]
                    lacks = f"{'no value' if _is_missing(cell) else quoted(cell)} in '{name}'"
            named.append(f"line {self.lines[row]} has {lacks}")
        more = len(rows) - len(named)
        return ", ".join(named) + (f" and {more:,} more" if more else "")


def read_table(data: bytes, name: str = THE_FILE) -> Table:
    r"""Read a CSV file: one row per line, and column names in the first line if it has any.

    The encoding is UTF-8 or Windows-1252, the separator a comma, a semicolon or a tab. Between the two others, a column
    may be written with decimal commas.

    Parameters
    ----------
    data : the bytes of the file, at most `MAX_BYTES`.
    name : what sentences call the file.

    Raises
    ------
    TableError
        The file is not such a table.

    Examples
    --------
    >>> table = read_table(b"size;weight;kind\n1,5;2;apple\n0,5;3;pear\n")
    >>> table.guess()
    Choice(features=('size', 'weight'), label='kind', classes=('apple', 'pear'), reduce=False)
    >>> table.examples(table.guess()).X.tolist()
    [[1.5, 2.0], [0.5, 3.0]]
    """
    file = name.capitalize() if name in (THE_FILE, PASTED) else quoted(name)
    text = _text(data, file)
    separator = _separator(text)
    lines, columns = _columns(text, separator, file)
    names: Sequence[str] = [column[0] for column in columns]
    notices: tuple[str, ...] = ()
    start = int(_has_header(columns, separator))
    if not start:
        names = [""] * len(columns)
        called = f"the columns are called 'column 1' to 'column {len(columns)}'"
        notices = (f"There is no line of column names: the first line is read as an example, and {called}.",)
    elif len(lines) == 1:
        raise TableError(f"{file} has a header but no rows: add one line per example below it.")
    cells = dict(zip(_distinct(names), (column[start:] for column in columns), strict=True))
    values = {column: _numbers(held, separator) for column, held in cells.items()}
    values = {column: read for column, read in values.items() if _mostly(cells[column], read)}
    if len(values) < 2:
        found = f"only one numeric column, '{next(iter(values))}'" if values else "no numeric column"
        raise TableError(f"{file} has {found}: {NEEDED}.")
    return Table(name, tuple(cells), tuple(values), np.array(lines[start:], dtype=np.int64), cells, values, notices)


def read_text(text: str, name: str = PASTED) -> Table:
    r"""Read a table that was pasted, as `read_table` reads a file.

    >>> read_text("1,5\t2\tapple\n0,5\t3\tpear\n2,5\t1\tapple\n").columns
    ('column 1', 'column 2', 'column 3')
    """
    return read_table(text.encode(errors="replace"), name)


def pair(text: str) -> tuple[float, float]:
    """Return the two numbers that a text holds, as coordinates are written; ValueError if it does not hold two.

    >>> [pair(text) for text in ("0.5, −1.2", "(0.5,-1.2)", "0,5; -1,2")]
    [(0.5, -1.2), (0.5, -1.2), (0.5, -1.2)]
    """
    bare = text.strip().removeprefix("(").removesuffix(")").strip()
    cells = re.split(r"\s*;\s*|\s*,\s+|\s+", bare)
    cells = [cell.replace(",", ".") for cell in cells] if len(cells) == 2 else bare.split(",")
    values = [_number(cell.strip()) for cell in cells]
    if len(values) != 2 or not all(map(isfinite, values)):
        raise ValueError(f"{text!r} is not a point: write two numbers, as 0.5, −1.2.")
    return values[0], values[1]


def shortened(text: str, width: int = 30) -> str:
    """Text on one line, without unprintable characters, cut to ``width``."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * width]).split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """Shortened text in quotation marks."""
    return f"'{shortened(text)}'"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(quoted(name) for name in names[:5]) + (" and others" if len(names) > 5 else "")


def _text(data: bytes, file: str) -> str:
    """Decode, with every end of line as a newline."""
    if len(data) > MAX_BYTES:
        raise TableError(f"{file} is larger than {MAX_BYTES // 1_000_000} MB: choose a smaller file or fewer rows.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    if re.search(r"[\x00-\x08\x0e-\x1f\x7f]", text) or re.match(r"%PDF|\s*[<{[]", text):
        raise TableError(f"{file} is not a table as text: save the table that it holds as CSV in UTF-8 first.")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _separator(text: str) -> str:
    """The first of tab, semicolon and comma that cuts the first line into three fields, else the comma."""
    for separator in "\t;":  # beside another separator, a comma is likely a decimal one
        with suppress(TableError):  # reading will report it
            if len(next(_records(text, separator), (0, []))[1]) > 2:
                return separator
    return ","


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


def _columns(text: str, separator: str, file: str) -> tuple[list[int], list[tuple[str, ...]]]:
    """Return where each row starts, and the columns, all of one length."""
    lines: list[int] = []
    flat: list[str] = []  # a list for each row would keep the garbage collector busy for longer than the reading takes
    width = 0
    for line, fields in _records(text, separator):
        if not lines:
            width = len(fields)
            if width < 3:
                columns = f"{width} column{'s' if width > 1 else ''}"
                raise TableError(f"The first line has {columns}: separate three or more by commas, semicolons or tabs.")
            if width > MAX_COLUMNS:
                raise TableError(f"{file} has {width:,} columns: keep the ones you need, at most {MAX_COLUMNS:,}.")
        if len(fields) != width:
            found = f"{len(fields):,} field{'s' if len(fields) > 1 else ''} where the first line has {width}"
            raise TableError(f"Line {line} has {found}: give every line as many fields.")
        lines.append(line)
        flat.extend(fields)
    if not lines:
        raise TableError(f"{file} is empty: {NEEDED}.")
    return lines, [tuple(map(str.strip, flat[place::width])) for place in range(width)]


def _has_header(columns: Sequence[Sequence[str]], separator: str) -> bool:
    """Whether the first line holds column names: words above numbers, and no more numbers than such words."""
    names = figures = 0
    for head, *below in (column[: 1 + _ROWS_COMPARED] for column in columns):
        if isfinite(_numbers([head], separator)[0]):
            figures += 1
        elif not _is_missing(head):
            names += _mostly(below, _numbers(below, separator))
    return names >= figures


def _distinct(header: Sequence[str]) -> tuple[str, ...]:
    """Column names fit to be shown: short, none empty, no two alike."""
    names: dict[str, None] = {}
    for position, text in enumerate(header, 1):
        name = base = shortened(text, _LONGEST_NAME) or f"column {position}"
        copy = 1
        while name in names:
            copy += 1
            mark = f" ({copy})"
            name = shortened(base, _LONGEST_NAME - len(mark)) + mark
        names[name] = None
    return tuple(names)


def _number(cell: str) -> float:
    """Return the number that a cell holds, NaN if it holds none up to `LARGEST`."""
    if cell[:1].isalpha() or "_" in cell:  # words are many; Python reads 1_000, tables do not write it
        return nan
    try:
        value = float(cell.replace("−", "-"))
    except ValueError:
        return nan
    return value if abs(value) <= LARGEST else nan


def _numbers(cells: Sequence[str], separator: str) -> FloatArray:
    """Return the numbers of a column, shape (n,); NaN for a cell that holds none.

    Commas are decimal, unless a comma is the separator or a number of the column has a point.
    """
    if separator != "," and not any("." in cell and isfinite(_number(cell)) for cell in cells):
        cells = [cell.replace(",", ".") for cell in cells]
    with suppress(ValueError):  # most columns hold plain numbers only
        read = np.fromiter(map(float, cells), np.float64, len(cells))
        if not any("_" in cell for cell in cells):
            return np.where(np.abs(read) <= LARGEST, read, nan)
    known = {cell: _number(cell) for cell in set(cells)}
    return np.fromiter(map(known.__getitem__, cells), np.float64, len(cells))


def _is_missing(cell: str) -> bool:
    return cell.lower() in _MISSING


def _mostly(cells: Sequence[str], values: FloatArray) -> bool:
    """Whether at least half of the cells that are not missing are numbers, and any is."""
    count = int(np.isfinite(values).sum())
    words = sum(not _is_missing(cells[i]) for i in np.flatnonzero(np.isnan(values)).tolist())
    return 0 < count >= words


def principal_components(X: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Project on the two eigenvectors of the correlation matrix with the largest eigenvalues (Pearson, 1901).

    Returns the rows along the two axes, (n, 2), in units of the columns scaled to mean 0 and variance 1; the axes,
    (d, 2), of length 1, of which the loading largest in size is positive; and their share of the variance.

    Parameters
    ----------
    X : shape (n, d), finite; no column is constant.

    Raises
    ------
    TableError
        The scaled rows lie on a line, as those of a single column do.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0, 5.0], [1.0, 1.0, 2.0], [2.0, 4.0, 3.0], [4.0, 3.0, 0.0]])
    >>> _, axes, share = principal_components(X)
    >>> axes.round(2).tolist(), round(share, 2)
    ([[0.65, -0.11], [0.5, 0.81], [-0.58, 0.58]], 0.99)
    """
    scaled = X - X.min(axis=0)
    scaled -= scaled.mean(axis=0)
    scaled /= scaled.std(axis=0)
    variances, axes = np.linalg.eigh(scaled.T @ scaled / len(X))  # ascending
    if len(variances) < 2 or variances[-2] <= _FLAT * variances[-1]:
        raise TableError("The scaled rows lie on a line, so that there is one component only: choose two columns.")
    axes = axes[:, [-1, -2]]
    sizes = np.abs(axes)
    largest = (sizes >= sizes.max(axis=0) * (1 - 1e-9)).argmax(axis=0)  # two columns load equally, up to rounding
    axes = np.where(axes[largest, [0, 1]] < 0, -axes, axes)  # whatever the linear algebra returned
    return scaled @ axes, axes, float(variances[-2:].sum() / variances.sum())


def _reduced(X: FloatArray, names: Sequence[str], label: str) -> tuple[FloatArray, str]:
    """Return the first two principal components of the columns that vary, and a notice about them."""
    varying = np.ptp(X, axis=0) >= SMALLEST_SPREAD
    names = [name for name, varies in zip(names, varying, strict=True) if varies]
    if len(names) < 2:
        raise _too_few(names, label)
    Z, _, share = principal_components(X[:, varying])
    shown = f"Shown are the first two principal components of {len(names)} columns ({_listed(names)}), each scaled"
    return Z, f"{shown} to mean 0 and variance 1: together they hold {share:.0%} of the variance."


def _too_few(names: Sequence[str], label: str) -> TableError:
    found = f"only {_listed(names)} holds" if names else "no column holds"
    why = f"Beside the label '{label}' {found} measurements that vary, and principal components need two"
    return TableError(f"{why}: choose two columns or another label.")


def _draw(y: FloatArray, limit: int, seed: int) -> NDArray[np.intp]:
    """At most ``limit`` ascending indices, the first drawn of each class among them."""
    if len(y) <= limit:
        return np.arange(len(y))
    order = np.random.default_rng(seed).permutation(len(y))
    first = [np.argmax(y[order] < 0), np.argmax(y[order] > 0)]
    return np.sort(np.concatenate([order[first], np.delete(order, first)])[:limit])


def _ordered(first: str, second: str) -> tuple[str, str]:
    """Put +1 second: the larger number, the word that is looked for, else the later in the alphabet."""
    low, high = sorted((first, second), key=lambda name: (name.casefold(), name))
    wrong = _number(low) > _number(high) or (high.casefold(), low.casefold()) in _SECOND_IS_PLUS
    return (high, low) if wrong else (low, high)
