"""A table of one's own: from the bytes of a CSV file to two features and labels of -1 and +1.

Encoding, separator, header and the notation of numbers are found out (`encodings`, `layout`,
`notation`), and what could be otherwise is said. Whatever is wrong with a table or a choice of
columns ends in one `TableError`, a sentence that states what is wrong and what to do. Rows that
cannot be used are left out and named by their line in the file.

Tests: tests/engine/test_tables.py, tests/engine/test_large_tables.py.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.checks import FloatArray
from kpviz.engine.data import encodings
from kpviz.engine.data.cells import Cells
from kpviz.engine.data.columns import (
    MISSING,
    MOST_CLASSES,
    ColumnClasses,
    CompressedSource,
    NumericColumns,
)
from kpviz.engine.data.encodings import ENCODINGS, MAX_BYTES, Decoded
from kpviz.engine.data.layout import NEEDED, read_layout
from kpviz.engine.data.notation import DECIMAL_MARKS, LARGEST, Notation, Reading, is_missing, number
from kpviz.engine.data.table_errors import TableError, counted, listed, quoted, shortened

__all__ = [
    "COLUMN_SEPARATOR",
    "COMPONENTS",
    "DECIMAL_MARKS",
    "ENCODINGS",
    "LARGEST",
    "MAX_BYTES",
    "MAX_CLASSES",
    "MAX_ROWS_SHOWN",
    "PASTED",
    "THE_FILE",
    "Choice",
    "Table",
    "TableError",
    "TableExamples",
    "pair",
    "principal_components",
    "quoted",
    "read_table",
    "read_text",
    "shortened",
]

# A table without a name is called so.
THE_FILE = "the file"
PASTED = "what was pasted"
MAX_ROWS_SHOWN = 1000  # The app trains on so many examples.
MAX_CLASSES = 50  # So many classes are offered for a label.
SMALLEST_SPREAD = 1e-100  # Squares of smaller differences vanish.
COMPONENTS = ("PC 1", "PC 2")
COLUMN_SEPARATOR = "~"  # Links join the names of columns by it.

_LONGEST_NAME = 40
_ROWS_COMPARED = 1000  # The first line is compared with so many rows.
# Columns with these names are likely labels, the likeliest first. Names are compared without
# punctuation and blanks.
_LABEL_NAMES = (
    "target",
    "label",
    "labels",
    "survived",
    "diagnosis",
    "outcome",
    "purchased",
    "approved",
    "churn",
    "churned",
    "exited",
    "attrition",
    "default",
    "fraud",
    "spam",
    "class",
    "species",
    "quality",
    "result",
    "type",
    "category",
    "variety",
    "kind",
    "response",
    "passed",
    "admitted",
    "group",
    "y",
)
_ID_NAMES = frozenset({"id", "index", "idx", "nr", "row", "line", "unnamed", "unnamed: 0"})
# Alphabetical order puts "yes", "true", "positive" and "malignant" second by itself, but not these.
_SECOND_IS_PLUS = {("-", "+"), ("control", "case"), ("low", "high"), ("normal", "abnormal")}
_FLAT = 1e-12  # Below this share of the first component's variance a second one is rounding error.
# A guess tries pairs of so many.
_CLASSES_TRIED = 6
_FEATURES_TRIED = 12
_FEW_CLASSES = 10  # A column with no more classes is a likelier label than one with more.


@dataclass(frozen=True)
class Choice:
    """Two features, a label column and two of its classes; ``classes[1]`` is +1.

    With ``reduce``, the first two principal components of all `Table.measurements` take the place
    of the features.
    """

    features: tuple[str, str]
    label: str
    classes: tuple[str, str]
    reduce: bool = False

    @classmethod
    def read(cls, code: str) -> "Choice | None":
        """Return the choice that a link names, None if it names none.

        >>> Choice.read("width~height~kind~cat~dog").features, Choice.read("")
        (('width', 'height'), None)
        """
        parts = code.split(COLUMN_SEPARATOR)
        if len(parts) != 5:
            return None
        return cls((parts[0], parts[1]), parts[2], (parts[3], parts[4]))


@dataclass(frozen=True, eq=False)
class TableExamples:
    """The usable rows of a choice."""

    # Its shape is (n, 2): as in the file, not scaled, or components of scaled columns.
    X: FloatArray
    y: FloatArray  # Its shape is (n,): -1.0 for classes[0] and +1.0 for classes[1].
    # Its shape is (n,): the line of each example in the file, counted from 1.
    rows: NDArray[np.int64]
    features: tuple[str, str]
    classes: tuple[str, str]
    # One sentence for each kind of row that was left out, and for what is shown.
    notices: tuple[str, ...]


@dataclass(frozen=True)
class OpenReading:
    """Something that was taken for granted in reading a table.

    Attributes
    ----------
    argument : of `Table.read_as`, by which it is read otherwise.
    words : what was taken, in a sentence.
    others : the other values of the argument, and what each leads to.
    """

    argument: str
    words: str
    others: dict[str, str]


@dataclass(frozen=True, eq=False)
class KindExamples:
    """The usable rows of several classes, with all measurements."""

    X: FloatArray  # Its shape is (n, p): as in the file, not scaled.
    labels: NDArray[np.intp]  # Its shape is (n,): from 0 to K - 1.
    # Its shape is (n,): the line of each example in the file, counted from 1.
    rows: NDArray[np.int64]
    features: tuple[str, ...]  # p names
    classes: tuple[str, ...]  # K names
    notices: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """A CSV file as `read_table` read it, or what was pasted as `read_text` did."""

    name: str
    columns: tuple[str, ...]
    # In these columns at least half of the cells that are not missing are numbers.
    numeric: tuple[str, ...]
    # Its shape is (n_rows,): the line at which each row starts, counted from 1.
    lines: NDArray[np.int32] = field(repr=False)
    classes_of: dict[str, ColumnClasses] = field(repr=False)  # Each column can be the label.
    values: NumericColumns = field(repr=False)  # NaN stands for what is no number up to LARGEST.
    notices: tuple[str, ...] = ()  # One sentence for each thing to say of its form.
    encoding: str = "UTF-8"
    is_encoding_certain: bool = True  # It is, where the bytes themselves say it.
    # A number such as 12,345, whose comma may be a decimal mark or part thousands; "" if there is
    # none.
    open_number: str = ""
    decimal: str = "point"  # The decimal mark with which such a number is read.
    # Only columns whose cells have a unit are listed.
    units: dict[str, str] = field(default_factory=dict, repr=False)
    # The bytes may also be written in these, unless the encoding is certain.
    other_encodings: tuple[str, ...] = ()
    # The table was read from it.
    source: CompressedSource = field(default=CompressedSource(), repr=False)
    requested: tuple[str, str] = ("", "")  # The encoding and the decimal mark that were asked for.

    @property
    def n_rows(self) -> int:
        """Rows below the header, blank lines not counted."""
        return len(self.lines)

    @property
    def nbytes(self) -> int:
        """How much memory it takes: no cell is kept, and of a number no more bytes than its text
        has.
        """
        classes = sum(column.nbytes for column in self.classes_of.values())
        return self.lines.nbytes + classes + self.values.nbytes + self.source.nbytes

    def read_as(self, *, encoding: str = "", decimal: str = "") -> "Table":
        """Return the table that the same file is with another encoding or decimal mark; "": what is
        found out.

        A `TableError` says where it is none.
        """
        if (encoding, decimal) == self.requested:
            return self
        return _read(self.source.content, self.name, encoding, decimal)

    def readings(self) -> tuple["OpenReading", ...]:
        """Return what was taken for granted in reading the table, and could be otherwise."""
        made = []
        if not self.is_encoding_certain:
            others = {name: name for name in self.other_encodings}
            made.append(OpenReading("encoding", f"Read as {self.encoding}.", others))
        if self.open_number:
            values = {
                name: Reading(mark).value(self.open_number) for name, mark in DECIMAL_MARKS.items()
            }
            texts = {name: f"{value:.15g}" for name, value in values.items()}
            taken = texts.pop(self.decimal)
            made.append(OpenReading("decimal", f"{self.open_number} is read as {taken}.", texts))
        return tuple(made)

    def classes(self, label: str) -> tuple[str, ...]:
        """At most `MAX_CLASSES` values of a column, frequent ones first; of a tie, the one seen
        first.
        """
        self._require(label)
        return self.classes_of[label].by_frequency[:MAX_CLASSES]

    def guess(self) -> Choice:
        """Choose columns and classes that make sense, for a start.

        The label is a column with a telling name, else the last one of 2 to 10 classes that is not
        needed as a feature. The classes are the two most frequent, the larger number being +1. The
        features are the first two numeric columns that vary within these classes, running numbers
        only if there is nothing else. Where there are no such columns, two other classes are tried,
        then another label. A `TableError` says what the table lacks.
        """
        return self._guessed

    @cached_property
    def _guessed(self) -> Choice:
        candidates = sorted(filter(self._varies, self.numeric), key=self._is_running_number)
        labels = self._likely_labels(candidates)
        for label in labels:
            choice = self._guess_with(label, [name for name in candidates if name != label])
            if choice is not None:
                return choice
        label = labels[0]
        features = [name for name in candidates if name != label]
        if len(features) < 2:
            raise TableError(
                f"Beside the label '{label}' there are not two numeric columns that vary: {NEEDED}."
            )
        # Its examples say what is wrong with it.
        return Choice((features[0], features[1]), label, _ordered(*self.classes(label)[:2]))

    def _guess_with(self, label: str, features: Sequence[str]) -> Choice | None:
        """Return two features and two classes of a label with usable rows; None if
        there are none.
        """
        classes = self.classes_of[label]
        for first, second in combinations(self.classes(label)[:_CLASSES_TRIED], 2):
            is_first = classes.are(first)
            is_second = classes.are(second)
            usable = []
            for feature in features:
                values = np.where(is_first | is_second, self.values[feature], nan)
                if _is_usable(values, is_first, is_second):
                    usable.append((feature, values))
                if len(usable) == _FEATURES_TRIED:
                    break
            for (one, one_values), (other, other_values) in combinations(usable, 2):
                complete = np.isfinite(one_values) & np.isfinite(other_values)
                columns = [np.where(complete, values, nan) for values in (one_values, other_values)]
                if all(_is_usable(values, is_first, is_second) for values in columns):
                    return Choice((one, other), label, _ordered(first, second))
        return None

    def measurements(self, label: str) -> tuple[str, ...]:
        """Columns that principal components are made of.

        They are numeric and vary, hold a number in at least half of the rows, and are neither
        ``label`` nor running numbers.
        """
        return tuple(
            name
            for name in self.numeric
            if name != label
            and self._varies(name)
            and not self._is_running_number(name)
            and np.isfinite(self.values[name]).mean() >= 0.5
        )

    def examples(
        self, choice: Choice, *, seed: int = 0, limit: int = MAX_ROWS_SHOWN
    ) -> TableExamples:
        """Rows of the two classes with a number in both features, in the order of the file.

        With ``choice.reduce``: with a number in all `measurements`, and the features are the first
        two principal components of the rows returned, each column scaled to mean 0 and variance 1.

        Parameters
        ----------
        seed : decides which rows are drawn when more than ``limit`` are usable.
        limit : most rows to return, at least 2; both classes are always among them.

        Raises
        ------
        TableError
            The choice does not fit the table, no row of a class is usable, a feature does not vary
            or there are no two components.
        """
        names = self._names_of(choice)
        usable, y, notices = self._usable(choice, names)
        drawn = _draw(y, limit, seed)
        if len(drawn) < len(usable):
            notices.append(
                f"{len(drawn):,} of {len(usable):,} rows are shown, drawn at random with seed "
                f"{seed}."
            )
        rows = usable[drawn]
        X = np.column_stack([self.values[name][rows] for name in names])
        if choice.reduce:
            X, notice = _reduced(X, names, choice.label)
            notices.append(notice)
        else:
            for name, spread, value in zip(names, np.ptp(X, axis=0), X[0], strict=True):
                if spread < SMALLEST_SPREAD:
                    raise TableError(
                        f"Every usable row has {value:.6g} in '{name}': choose a feature that "
                        f"varies."
                    )
        features = COMPONENTS if choice.reduce else choice.features
        lines = self.lines[rows].astype(np.int64)
        return TableExamples(X, y[drawn], lines, features, choice.classes, tuple(notices))

    def count_usable(self, choice: Choice) -> int:
        """Return how many rows `examples` can draw from; TableError where the choice does not fit
        the table.
        """
        return len(self._usable(choice, self._names_of(choice))[0])

    def _names_of(self, choice: Choice) -> Sequence[str]:
        """Return the columns that the features are made of."""
        self._check(choice)
        names = self.measurements(choice.label) if choice.reduce else choice.features
        if len(names) < 2:
            raise _too_few(names, choice.label)
        return names

    def kinds(
        self, label: str, *, most: int, seed: int = 0, limit: int = MAX_ROWS_SHOWN
    ) -> KindExamples:
        """Rows of up to ``most`` classes, the frequent ones, with a number in all `measurements`,
        in the file's order.

        Raises
        ------
        TableError
            There are not two measurements, or fewer than two classes with usable rows.
        """
        names = self.measurements(label)
        if len(names) < 2:
            raise _too_few(names, label)
        complete = np.all([np.isfinite(self.values[name]) for name in names], axis=0)
        all_classes = self.classes_of[label]
        codes = all_classes.codes
        if codes is None:
            raise _too_many(label)
        has_label = codes != MISSING
        usable_codes = codes[complete & has_label]
        distinct, first_seen, counts = np.unique(
            usable_codes, return_index=True, return_counts=True
        )
        frequent = distinct[np.lexsort((first_seen, -counts))][:most]
        classes = tuple(all_classes.names[code] for code in frequent.tolist())
        if len(classes) < 2:
            raise TableError(
                f"The label '{label}' has fewer than two classes with usable rows: choose another "
                f"label."
            )
        is_chosen = np.isin(codes, frequent)
        usable = np.flatnonzero(complete & is_chosen)
        if len(usable) > limit:
            usable = np.sort(np.random.default_rng(seed).permutation(usable)[:limit])
        # Rows of a chosen class that lack a number, and rows without a label.
        faults = np.flatnonzero((is_chosen & ~complete) | ~has_label)
        notices = self._left_out(faults, names)
        others = [name for name in all_classes.by_frequency if name not in classes]
        if others:
            count = int((has_label & ~is_chosen).sum())
            notices.append(f"Rows of other classes ({listed(others)}) left out: {count:,}.")
        label_of_code = np.zeros(MISSING, dtype=np.intp)  # All codes of classes are below it.
        label_of_code[frequent] = np.arange(len(frequent))
        X = np.column_stack([self.values[name][usable] for name in names])
        rows = self.lines[usable].astype(np.int64)
        return KindExamples(X, label_of_code[codes[usable]], rows, names, classes, tuple(notices))

    def _usable(
        self, choice: Choice, names: Sequence[str]
    ) -> tuple[NDArray[np.intp], FloatArray, list[str]]:
        """Rows of the two classes with a number in all columns ``names``, their y, and a sentence
        on the others.
        """
        classes = self.classes_of[choice.label]
        minus_class, plus_class = choice.classes
        is_minus = classes.are(minus_class)
        is_plus = classes.are(plus_class)
        is_chosen = is_minus | is_plus
        complete = np.all([np.isfinite(self.values[name]) for name in names], axis=0)
        # Rows of a chosen class that lack a number, and rows without a label. `_check` refuses a
        # label without codes.
        faults = np.flatnonzero((is_chosen & ~complete) | (classes.codes == MISSING))
        usable = np.flatnonzero(is_chosen & complete)
        for name, is_of_class in ((minus_class, is_minus), (plus_class, is_plus)):
            if not is_of_class[usable].any():
                why = self._reasons(faults[is_of_class[faults]], names, most=1)
                raise TableError(
                    f"No row of class {quoted(name)} is usable ({why}): choose other columns or "
                    f"classes."
                )
        notices = self._left_out(faults, names)
        others = self.n_rows - len(usable) - len(faults)
        if others:
            other_classes = [name for name in classes.by_frequency if name not in choice.classes]
            notices.append(f"Rows of other classes ({listed(other_classes)}) left out: {others:,}.")
        return usable, np.where(is_plus[usable], 1.0, -1.0), notices

    def _left_out(self, faults: NDArray[np.intp], names: Sequence[str]) -> list[str]:
        """Return the sentence about rows that cannot be used, none if there are no such rows."""
        if not faults.size:
            return []
        why = self._reasons(faults, names, most=5)
        return [f"{counted(faults.size, 'row')} left out: {why}."]

    def _check(self, choice: Choice) -> None:
        """Raise the sentence for a choice that does not fit the table."""
        label = choice.label
        classes = choice.classes
        features: tuple[str, ...] = () if choice.reduce else choice.features
        for name in (label, *features):
            self._require(name)
        if label in features:
            raise TableError(
                f"'{label}' is both label and feature: choose another column for one of them."
            )
        for kind, chosen in (("feature", features), ("class", classes)):
            if len(set(chosen)) < len(chosen):
                raise TableError(
                    f"The {kind} {quoted(chosen[0])} is chosen twice: choose two different ones."
                )
        for name in features:
            if name not in self.values:
                raise TableError(
                    f"'{name}' does not hold numbers: choose one of {listed(self.numeric)}."
                )
        self._check_label(label)
        names = self.classes_of[label].by_frequency
        for name in classes:
            if name not in names:
                raise TableError(
                    f"'{label}' has no class {quoted(name)}: choose one of {listed(names)}."
                )

    def _check_label(self, label: str) -> None:
        """Raise the sentence for a column that cannot be the label."""
        classes = self.classes_of[label]
        many = len(classes.names)
        if classes.codes is None or many > max(20, self.n_rows // 2):
            raise _too_many(label, None if classes.codes is None else many)
        if many < 2:
            held = f"one class only, {listed(classes.names)}" if many else "no value in any row"
            raise TableError(
                f"The label '{label}' has {held}: choose a label with two or more classes."
            )

    def _require(self, column: str) -> None:
        """Refuse a column that is not there."""
        if column not in self.classes_of:
            raise TableError(
                f"There is no column {quoted(column)}: choose one of {listed(self.columns)}."
            )

    def _varies(self, column: str) -> bool:
        """Whether a numeric column has two different values."""
        return bool(np.nanmin(self.values[column]) < np.nanmax(self.values[column]))

    def _is_running_number(self, column: str) -> bool:
        """Whether a column only numbers the rows, by its name or by its values."""
        name = column.lower()
        values = self.values[column]
        counts = len(values) > 2 and values[0] % 1 == 0 and (np.diff(values) == 1).all()
        return name in _ID_NAMES or name.endswith("_id") or bool(counts)

    def _likely_labels(self, numeric: Sequence[str]) -> list[str]:
        """Return the columns that may be the label, the likeliest first; a `TableError` if there is
        none.
        """
        sizes = {
            column: len(classes.names)
            for column, classes in self.classes_of.items()
            if classes.codes is not None  # Else there are too many to be told apart.
        }
        with_few_classes = [column for column, size in sizes.items() if 2 <= size <= _FEW_CLASSES]
        # With more classes than half of the rows it would be a number or a name.
        most = min(MAX_CLASSES, self.n_rows // 2)
        with_many_classes = [
            column for column, size in sizes.items() if _FEW_CLASSES < size <= most
        ]
        named = {re.sub(r"[\W_]", "", column.lower()): column for column in with_few_classes}
        if "x" in map(str.lower, self.columns):
            named.pop("y", None)  # Beside an x it is a coordinate.
        by_name = [named[name] for name in _LABEL_NAMES if name in named]
        # A column that is not needed as a feature comes first; of more than two numeric columns any
        # may be the label, since two others remain.
        last_first = with_few_classes[::-1]
        not_needed = [column for column in last_first if column not in numeric[:2]]
        replaceable = last_first if len(numeric) > 2 else []
        likeliest_first = [*by_name, *not_needed, *replaceable, *reversed(with_many_classes)]
        labels = list(dict.fromkeys(likeliest_first))
        if not labels:
            raise TableError(
                "No column can be the label: add a column with two or more classes, such as yes "
                "and no."
            )
        return labels

    def _reasons(self, rows: NDArray[np.intp], names: Sequence[str], most: int) -> str:
        """Say why rows cannot be used, the first of them one by one."""
        reasons = []
        for row in rows[:most].tolist():
            lacks = "no label"
            for name in names:
                if np.isnan(self.values[name][row]):
                    cell = self.values.word(name, row)
                    lacks = f"{'no value' if is_missing(cell) else quoted(cell)} in '{name}'"
                    break
            reasons.append(f"line {self.lines[row]} has {lacks}")
        more = len(rows) - len(reasons)
        return ", ".join(reasons) + (f" and {more:,} more" if more else "")


def read_table(
    data: bytes, name: str = THE_FILE, *, encoding: str = "", decimal: str = ""
) -> Table:
    r"""Read a CSV file: one row per line, and column names in the first line if it has any.

    Commas, semicolons, tabs, bars or spaces part the fields, or what a first line as ``sep=;``
    says. A few lines with another number of fields are left out; a header with one field more or
    less than all rows is read as spreadsheets and R mean it. Numbers may have decimal commas,
    groups of thousands and units.

    Parameters
    ----------
    data : the bytes of the file, at most `MAX_BYTES`.
    name : what sentences call the file.
    encoding : a key of `ENCODINGS`; "": UTF-8, UTF-16 with a mark, or what the bytes look like.
    decimal : "point" or "comma", the mark of numbers as 12,345 where nothing in the table says what
        they mean; "": the likelier one.

    Raises
    ------
    TableError
        The file is not such a table, or not written in that encoding.

    Examples
    --------
    >>> table = read_table(b"size;weight;kind\n1,5;2;apple\n0,5;3;pear\n")
    >>> table.guess()
    Choice(features=('size', 'weight'), label='kind', classes=('apple', 'pear'), reduce=False)
    >>> table.examples(table.guess()).X.tolist()
    [[1.5, 2.0], [0.5, 3.0]]
    """
    return _read(data, name, encoding, decimal)


def read_text(text: str, name: str = PASTED) -> Table:
    r"""Read a table that was pasted, as `read_table` reads a file.

    >>> read_text("1,5\t2\tapple\n0,5\t3\tpear\n2,5\t1\tapple\n").columns
    ('column 1', 'column 2', 'column 3')
    """
    return _read(text, name, "", "")


def _read(source: bytes | str, name: str, encoding: str, decimal: str) -> Table:
    """Read a table from the bytes of a file, or from a text that was pasted."""
    file = name.capitalize() if name in (THE_FILE, PASTED) else quoted(name)
    decoded = (
        encodings.decode(source, encoding, file)
        if isinstance(source, bytes)
        else _pasted(source, file)
    )
    layout = read_layout(decoded.text, file)
    mark = DECIMAL_MARKS.get(decimal, "")
    notices = layout.notices
    # The layout knows whether the first line holds names where that has one field more or less than
    # the rows; else the cells tell. Names may also stand in a comment above (`layout.header`).
    if layout.has_names or _are_names(layout.columns, layout.separator):
        names: Sequence[str] = [column.head(1)[0] for column in layout.columns]
        lines = layout.lines[1:]
        below = [column.below(1) for column in layout.columns]
        if not len(lines):
            raise TableError(f"{file} has a header but no rows: add one line per example below it.")
    else:
        names = layout.header or [""] * len(layout.columns)
        lines = layout.lines
        below = layout.columns
        if layout.header is None:
            called = f"the columns are called 'column 1' to 'column {len(names)}'"
            words = (
                f"There is no line of column names: the first line is read as an example, and "
                f"{called}."
            )
            notices = (*notices, words)
    notation = Notation.of(below, layout.separator, mark)
    columns = _distinct(names)
    numeric = NumericColumns()
    classes = {}
    for column, cells, reading in zip(columns, below, notation.readings, strict=True):
        values = reading.values(cells)
        others = cells.at(np.flatnonzero(np.isnan(values)))
        is_numeric = _mostly(values, others)
        if is_numeric:
            numeric.add(column, values, cells, others)
        classes[column] = ColumnClasses.of(
            cells, values if is_numeric and not reading.unit else None
        )
    if len(numeric) < 2:
        numeric_columns = (
            f"only one numeric column, '{next(iter(numeric))}'" if numeric else "no numeric column"
        )
        raise TableError(f"{file} has {numeric_columns}: {NEEDED}.")
    units = {
        column: reading.unit
        for column, reading in zip(columns, notation.readings, strict=True)
        if reading.unit and column in numeric
    }
    if units:
        left_off = ", ".join(
            f"{quoted(unit)} in {quoted(column)}" for column, unit in islice(units.items(), 3)
        )
        more = f" and {len(units) - 3:,} more" if len(units) > 3 else ""
        notices = (*notices, f"Numbers are read without their units: {left_off}{more}.")
    return Table(
        name,
        columns,
        tuple(numeric),
        lines,
        classes,
        numeric,
        notices,
        encoding=decoded.encoding,
        is_encoding_certain=decoded.is_certain,
        open_number=notation.open_cell,
        decimal="comma" if notation.decimal == "," else "point",
        units=units,
        other_encodings=_other_encodings(source, decoded),
        source=CompressedSource.of(source),
        requested=(encoding, decimal),
    )


def _other_encodings(source: bytes | str, decoded: Decoded) -> tuple[str, ...]:
    """Return in which other encodings the bytes of a file may be written, which do not say it."""
    if decoded.is_certain or isinstance(source, str):
        return ()
    return tuple(name for name in encodings.possible(source) if name != decoded.encoding)


def _pasted(text: str, file: str) -> Decoded:
    """Return a text as a file is decoded. Halves of characters, which no encoding has, are shown by
    their numbers.
    """
    if len(text) > MAX_BYTES:
        raise encodings.too_large(file)
    return Decoded(text.encode("utf-8", "backslashreplace").decode(), "UTF-8", True)


def pair(text: str) -> tuple[float, float]:
    """Return the two numbers that a text holds, as coordinates are written; ValueError if it does
    not hold two.

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


def _are_names(columns: Sequence[Cells], separator: str) -> bool:
    """Whether the first line holds column names: words above numbers, and no more numbers than such
    words.
    """
    heads = []
    below = []
    for column in columns:
        head, *compared = column.head(1 + _ROWS_COMPARED)
        heads.append(head)
        below.append(Cells.of(compared))
    names = 0
    numbers = 0
    for head, cells, reading in zip(
        heads, below, Notation.of(below, separator).readings, strict=True
    ):
        if isfinite(reading.value(head)):
            numbers += 1
        elif not is_missing(head):
            values = reading.values(cells)
            names += _mostly(values, cells.at(np.flatnonzero(np.isnan(values))))
    return names >= numbers


def _distinct(header: Sequence[str]) -> tuple[str, ...]:
    """Return column names that can be shown: short, none empty, no two alike."""
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


def _mostly(values: FloatArray, others: Sequence[str]) -> bool:
    """Whether at least half of the cells that are not missing are numbers, and at least one is.

    ``others`` are the cells that hold no number.
    """
    count = int(np.isfinite(values).sum())
    return count > 0 and count >= sum(not is_missing(cell) for cell in others)


def principal_components(X: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Project on the two eigenvectors of the correlation matrix with the largest eigenvalues
    (Pearson, 1901).

    Returns the rows along the two axes, (n, 2), in units of the columns scaled to mean 0 and
    variance 1; the axes, (d, 2), of length 1, of which the loading largest in size is positive; and
    their share of the variance.

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
    variances, axes = np.linalg.eigh(scaled.T @ scaled / len(X))  # Variances ascend.
    if len(variances) < 2 or variances[-2] <= _FLAT * variances[-1]:
        raise TableError(
            "The scaled rows lie on a line, so that there is one component only: choose two "
            "columns."
        )
    axes = axes[:, [-1, -2]]
    sizes = np.abs(axes)
    # Two columns load equally, up to rounding.
    largest = (sizes >= sizes.max(axis=0) * (1 - 1e-9)).argmax(axis=0)
    # The signs do not depend on the linear algebra.
    axes = np.where(axes[largest, [0, 1]] < 0, -axes, axes)
    return scaled @ axes, axes, float(variances[-2:].sum() / variances.sum())


def _reduced(X: FloatArray, names: Sequence[str], label: str) -> tuple[FloatArray, str]:
    """Return the first two principal components of the columns that vary, and a notice
    about them.
    """
    varying = np.ptp(X, axis=0) >= SMALLEST_SPREAD
    names = [name for name, varies in zip(names, varying, strict=True) if varies]
    if len(names) < 2:
        raise _too_few(names, label)
    Z, _, share = principal_components(X[:, varying])
    description = (
        f"Shown are the first two principal components of {len(names)} columns "
        f"({listed(names)}), each scaled"
    )
    return (
        Z,
        f"{description} to mean 0 and variance 1: together they hold {share:.0%} of the variance.",
    )


def _too_many(label: str, count: int | None = None) -> TableError:
    """Return the error of a label with too many classes; None: they were not counted."""
    many = f"more than {MOST_CLASSES}" if count is None else f"{count:,}"
    unlike = f"has {many} different values, so it looks like a number or a name, not a class"
    return TableError(f"The label '{label}' {unlike}: choose another label.")


def _too_few(names: Sequence[str], label: str) -> TableError:
    """Return the error of a table with fewer than two measurements."""
    usable_columns = f"only {listed(names)} holds" if names else "no column holds"
    why = (
        f"Beside the label '{label}' {usable_columns} measurements that vary, and principal "
        "components need two"
    )
    return TableError(f"{why}: choose two columns or another label.")


def _is_usable(
    values: FloatArray, is_first: NDArray[np.bool_], is_second: NDArray[np.bool_]
) -> bool:
    """Whether a feature varies over the rows where it is finite, and both classes are
    among these.
    """
    has_value = np.isfinite(values)
    if not (has_value & is_first).any() or not (has_value & is_second).any():
        return False
    return bool(np.ptp(values[has_value]) >= SMALLEST_SPREAD)


def _draw(y: FloatArray, limit: int, seed: int) -> NDArray[np.intp]:
    """At most ``limit`` ascending indices, the first drawn of each class among them."""
    if len(y) <= limit:
        return np.arange(len(y))
    order = np.random.default_rng(seed).permutation(len(y))
    first = [np.argmax(y[order] < 0), np.argmax(y[order] > 0)]
    return np.sort(np.concatenate([order[first], np.delete(order, first)])[:limit])


def _ordered(first: str, second: str) -> tuple[str, str]:
    """Put +1 second: the larger number, the word that is looked for, else the later in the
    alphabet.
    """
    low, high = sorted((first, second), key=lambda name: (name.casefold(), name))
    is_wrong = number(low) > number(high) or (high.casefold(), low.casefold()) in _SECOND_IS_PLUS
    return (high, low) if is_wrong else (low, high)
