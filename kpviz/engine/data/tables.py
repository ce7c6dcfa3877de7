"""A table of one's own: from the cells of a CSV file to two features and labels of -1 and +1.

Whatever is wrong with a table or a choice of columns ends in one `TableError`, a sentence that states what is
wrong and what to do.  Rows that cannot be used are left out and named by their line in the file.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.data import csv_reader
from kpviz.engine.data.components import principal_components
from kpviz.engine.data.csv_reader import (
    NEEDED,
    PASTED,
    THE_FILE,
    TableError,
    counted,
    is_missing,
    listed,
    mostly,
    number,
    numbers,
    quoted,
    subject,
)

__all__ = ["Choice", "Examples", "Table", "TableError", "read_table", "read_text"]

MAX_ROWS_SHOWN = 1000  # examples the app trains on
MAX_CLASSES = 50  # classes offered for a label
SMALLEST_SPREAD = 1e-100  # squares of smaller differences vanish
COMPONENTS = ("PC 1", "PC 2")

LABEL_NAMES = ("class", "label", "labels", "target", "species", "diagnosis", "outcome", "category", "y")
ID_NAMES = frozenset({"id", "index", "idx", "nr", "row", "unnamed", "unnamed: 0"})
# Alphabetical order puts "yes", "true", "positive" and "malignant" second by itself, but not these.
SECOND_IS_PLUS = {("-", "+"), ("control", "case"), ("low", "high"), ("normal", "abnormal")}


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

    X: NDArray[np.float64]  # shape (n, 2), as in the file, not scaled, or components of scaled columns
    y: NDArray[np.float64]  # shape (n,), -1.0 for classes[0] and +1.0 for classes[1]
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
    values: dict[str, NDArray[np.float64]] = field(repr=False)  # of numeric columns; NaN: no number up to LARGEST
    notices: tuple[str, ...] = ()  # one sentence if it was not plain whether the first line holds names

    @property
    def n_rows(self) -> int:
        """Rows below the header, blank lines not counted."""
        return len(self.lines)

    @property
    def nbytes(self) -> int:
        """How much memory it takes, most of it for the text of cells."""
        text = sum(sys.getsizeof(column) + sum(map(sys.getsizeof, column)) for column in self.cells.values())
        return text + sum(array.nbytes for array in (self.lines, *self.values.values()))

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

    def _usable(self, choice: Choice, names: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.float64], list[str]]:
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
            notices.append(f"{counted(faults.size, 'row')} left out: {self._reasons(faults, names, most=5)}.")
        if others := self.n_rows - len(usable) - len(faults):
            rest = [name for name in self._counts(choice.label) if name not in choice.classes]
            notices.append(f"Rows of other classes ({listed(rest)}) left out: {others:,}.")
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
                raise TableError(f"'{name}' does not hold numbers: choose one of {listed(self.numeric)}.")
        counts = self._counts(label)
        if (many := len(counts)) > min(2 * MAX_CLASSES, max(20, self.n_rows // 2)):
            unlike = f"has {many:,} different values, so it looks like a number or a name, not a class"
            raise TableError(f"The label '{label}' {unlike}: choose another label.")
        if many < 2:
            held = f"one class only, {listed([*counts])}" if counts else "no value in any row"
            raise TableError(f"The label '{label}' has {held}: choose a label with two or more classes.")
        for name in classes:
            if name not in counts:
                raise TableError(f"'{label}' has no class {quoted(name)}: choose one of {listed([*counts])}.")

    def _find(self, column: str) -> None:
        if column not in self.cells:
            raise TableError(f"There is no column {quoted(column)}: choose one of {listed(self.columns)}.")

    def _labels(self, column: str) -> list[str]:
        """Class of every row, '' where it is missing; '1' and '1.0' are one class of a numeric column."""
        cells = self.cells[column]
        values = self.values[column].tolist() if column in self.values else [nan] * len(cells)
        names = {
            cell: "" if is_missing(cell) else f"{value + 0.0:.15g}" if isfinite(value) else cell
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
        by_name = [named[name] for name in reversed(LABEL_NAMES) if name in named]
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
                    lacks = f"{'no value' if is_missing(cell) else quoted(cell)} in '{name}'"
            named.append(f"line {self.line(row)} has {lacks}")
        more = len(rows) - len(named)
        return ", ".join(named) + (f" and {more:,} more" if more else "")


def read_table(data: bytes, name: str = THE_FILE) -> Table:
    r"""Read a CSV file: one row per line, and column names in the first line if it has any.

    The encoding may be UTF-8, UTF-16 with a byte order mark or Windows-1252; the separator a comma, semicolon,
    tab or bar.  Between the three others, a column may be written with decimal commas.

    Parameters
    ----------
    data : the bytes of the file, at most `csv_reader.MAX_BYTES`.
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
    file = subject(name)
    sheet = csv_reader.read(data, file)
    cells = dict(zip(sheet.columns, sheet.cells, strict=True))
    values = {column: numbers(cells[column], sheet.separator) for column in sheet.columns}
    values = {column: read for column, read in values.items() if mostly(cells[column], read)}
    if len(values) < 2:
        found = f"only one numeric column, '{next(iter(values))}'" if values else "no numeric column"
        raise TableError(f"{file} has {found}: {NEEDED}.")
    return Table(name, sheet.columns, tuple(values), sheet.lines, cells, values, sheet.notices)


def read_text(text: str, name: str = PASTED) -> Table:
    r"""Read a table that was pasted, as `read_table` reads a file.

    >>> read_text("1,5\t2\tapple\n0,5\t3\tpear\n2,5\t1\tapple\n").columns
    ('column 1', 'column 2', 'column 3')
    """
    return read_table(text.encode(errors="replace"), name)


def _reduced(X: NDArray[np.float64], names: Sequence[str], label: str) -> tuple[NDArray[np.float64], str]:
    """Return the first two principal components of the columns that vary, and a notice about them."""
    varying = np.ptp(X, axis=0) >= SMALLEST_SPREAD
    names = [name for name, varies in zip(names, varying, strict=True) if varies]
    if len(names) < 2:
        raise _too_few(names, label)
    found = principal_components(X[:, varying])
    shown = f"Shown are the first two principal components of {len(names)} columns ({listed(names)}), each scaled"
    return found.Z, f"{shown} to mean 0 and variance 1: together they hold {found.share:.0%} of the variance."


def _too_few(names: Sequence[str], label: str) -> TableError:
    found = f"only {listed(names)} holds" if names else "no column holds"
    why = f"Beside the label '{label}' {found} measurements that vary, and principal components need two"
    return TableError(f"{why}: choose two columns or another label.")


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
    wrong = number(low) > number(high) or (high.casefold(), low.casefold()) in SECOND_IS_PLUS
    return (high, low) if wrong else (low, high)
