"""Settings as a file that people can read, with what a link has no room for.

Drawn points, and the rows of a file.

JSON: {"kpviz": "settings", "version": 1, "settings": {…what differs from the defaults…}} and, for
drawn points, "points": [[x1, x2, label], …], of which the last "held_out" are held out, and the
"axes" of their grid, as level, low and width (see `kpviz.engine.data.drawn.Axis`); for a file,
"csv": its rows and columns that are used.

Tests: tests/export/test_settings_file.py.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from typing import Any

import numpy as np

from kpviz import experiment
from kpviz.engine.data.drawn import Axis, Drawn
from kpviz.engine.data.tables import (
    COLUMN_SEPARATOR,
    Choice,
    Table,
    TableError,
    TableExamples,
    read_table,
)
from kpviz.formats import FORMATS, is_newer, newer_sentence
from kpviz.settings import BY_NAME, DRAWN, FILE, MAX_POINTS, PROPERTIES, Settings
from kpviz.settings.combined_kernels import as_one_kernel

VERSION = FORMATS["settings"]
MAX_BYTES = 20_000_000
_KEYS = ("kpviz", "version", "settings", "points", "held_out", "axes", "csv")
# Each part is for these data.
_OF = {"points": DRAWN, "held_out": DRAWN, "axes": DRAWN, "csv": FILE}
_PLAIN = ("x1", "x2", "class", "-1", "1")
_LONGEST_NAME = 40  # In characters: the longest name of a column, a class or a file.


class SettingsFileError(ValueError):
    """Why a settings file cannot be written or read, in one sentence."""


# ---- writing -------------------------------------------------------------------------------------


def write(settings: Settings, table: Table | None = None) -> str:
    """Return the file of the settings; `table` is needed when the data are a file's.

    Of a table only the rows and columns in use are kept, so that the same examples are prepared
    from them.

    >>> print(write(Settings.of(kernel="gaussian", sigma=0.25)))
    {
      "kpviz": "settings",
      "version": 1,
      "settings": {"sigma": 0.25}
    }
    """
    parts: dict[str, str] = {}
    if settings.data == DRAWN:
        parts = _drawn_parts(Drawn.read(settings.points, MAX_POINTS))
    elif settings.data == FILE:
        settings, text = _with_rows(settings, table)
        parts = {"csv": _json(text)}
    chosen = {
        prop.name: settings.values[prop.name]
        for prop in PROPERTIES
        if not settings.is_default(prop.name)
    }
    chosen.pop("points", None)
    parts = {
        "kpviz": _json("settings"),
        "version": _json(VERSION),
        "settings": _json(chosen),
        **parts,
    }
    return "{\n" + ",\n".join(f"  {_json(key)}: {value}" for key, value in parts.items()) + "\n}\n"


def _drawn_parts(drawn: Drawn) -> dict[str, str]:
    rows = zip(drawn.X.tolist(), drawn.y.astype(int).tolist(), strict=True)
    points = ",\n".join(f"    {_json([*x, y])}" for x, y in rows)
    parts = {"points": f"[\n{points}\n  ]" if points else "[]"}
    if drawn.held:
        parts["held_out"] = _json(drawn.held)
    if drawn.axes != Drawn().axes:
        parts["axes"] = _json([[axis.level, axis.low, axis.width] for axis in drawn.axes])
    return parts


def _with_rows(settings: Settings, table: Table | None) -> tuple[Settings, str]:
    """Return the settings for, and the text of, a table of the examples only."""
    if table is None:
        raise SettingsFileError("The file that these settings need is not here: open it first.")
    choice = experiment.choice(settings, table)
    examples = table.examples(choice, seed=settings.seed, limit=settings.n)
    full_names = (*examples.features, choice.label, *examples.classes)
    names = tuple(map(_short, full_names))
    # 1.0 is read as 1, and long names may be read as others
    for candidate in (names, _as_read(examples, names), _PLAIN):
        if candidate is not None and _as_read(examples, candidate) == candidate:
            columns = COLUMN_SEPARATOR.join(candidate)
            text = _csv(examples, candidate)
            # Principal components are columns of their own now.
            return settings.replace(
                cols=columns, file=_file_name(settings.file, text), reduce="off"
            ), text
    raise SettingsFileError(
        "These rows cannot be kept in a file of settings: take them along as CSV instead."
    )


def _csv(examples: TableExamples, names: tuple[str, ...]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names[:3])
    for x, y in zip(examples.X.tolist(), examples.y.tolist(), strict=True):
        writer.writerow([repr(x[0]), repr(x[1]), names[4 if y > 0 else 3]])
    return text.getvalue()


def _as_read(examples: TableExamples, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what columns and classes are called once they are read again; None if other examples
    are found there.
    """
    try:
        table = read_table(_csv(examples, names).encode())
        first, second, label = table.columns
        classes = table.classes(label)
        for minus, plus in ((classes[0], classes[1]), (classes[1], classes[0])):
            choice = Choice((first, second), label, (minus, plus))
            again = table.examples(choice, limit=len(examples.y))
            if np.array_equal(again.X, examples.X) and np.array_equal(again.y, examples.y):
                return (first, second, label, minus, plus)
    except (TableError, IndexError):
        return None
    return None


def _short(name: str) -> str:
    printable = "".join(sign for sign in name if sign.isprintable())
    return printable.replace(COLUMN_SEPARATOR, "-").strip()[:_LONGEST_NAME]


def _file_name(name: str, text: str) -> str:
    """Return the file's name with a mark of its content.

    Other content is another file, whatever it is called.
    """
    mark = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:12]
    return f"{_short(name.partition(COLUMN_SEPARATOR)[0])}{COLUMN_SEPARATOR}{mark}"


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=False)


# ---- reading -------------------------------------------------------------------------------------


def read(content: str | bytes) -> tuple[Settings, Table | None, str | None]:
    """Read a settings file.

    Returns the settings, the table if the data are a file's, and one sentence about the parts that
    could not be used (None: all could).

    Raises
    ------
    SettingsFileError
        The content is not a settings file, or its points or rows cannot be used.
    """
    file = _parsed(content)
    values, problems = _values(file.get("settings", {}))
    problems += [f"{_named(key)} is not a part of it" for key in file if key not in _KEYS]
    version = file.get("version", VERSION)
    newer = is_newer("settings", version)
    if not newer and (version != VERSION or isinstance(version, bool)):
        problems.insert(0, "its version is not one that this kpviz knows")
    data = values.setdefault(
        "data", DRAWN if "points" in file else FILE if "csv" in file else BY_NAME["data"].default
    )
    problems += [
        f"{key} is not for data={_named(str(data))}"
        for key, of in _OF.items()
        if key in file and data != of
    ]
    table = None
    if data == DRAWN and "points" in file:
        values["points"] = _drawn(file).code
    elif data == FILE:
        values["file"], table = table_of(file.get("csv"), str(values.get("file", "")))
    values, lost = as_one_kernel(values)
    settings, more = Settings.repaired(values)
    if table is not None:
        _check(settings, table)
    repaired = [settings.with_value_used(problem) for problem in more]
    return settings, table, _notice(problems + lost + repaired, newer=newer)


def csv_of(content: str | bytes) -> str:
    """Return the rows of a settings file that could be read."""
    return str(_parsed(content)["csv"])


def _parsed(content: str | bytes) -> dict[str, Any]:
    if len(content) > MAX_BYTES:
        raise SettingsFileError(
            f"The settings file is larger than {MAX_BYTES // 1_000_000} MB: choose a smaller one."
        )
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        file = json.loads(text, parse_constant=_refuse_constant)
    # It is not UTF-8, not JSON, or has numbers of thousands of digits.
    except (ValueError, RecursionError):
        raise SettingsFileError(
            "This is not JSON that can be read: choose a settings file that kpviz wrote."
        ) from None
    kind = file.get("kpviz") if isinstance(file, dict) else None
    if kind == "run":
        raise SettingsFileError(
            "This file holds a run, not settings: choose the settings file that was saved with it."
        )
    if kind != "settings" or not isinstance(file.get("settings", {}), dict):
        raise SettingsFileError(
            "This JSON holds no settings of kpviz: choose a settings file that kpviz wrote."
        )
    return dict(file)


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _values(written: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the values that may be settings, and what is wrong with the others."""
    right = {
        name: value
        for name, value in written.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    }
    problems = [
        f"{_named(name)} is neither a number nor a text" for name in written if name not in right
    ]
    return right, problems


def _named(key: str) -> str:
    return (
        key
        if key.isascii() and key.isidentifier() and len(key) <= 24
        else "a part without a plain name"
    )


def _drawn(file: dict[str, Any]) -> Drawn:
    """Return the points of a file, on its axes; on others if they lie outside."""
    rows = file["points"]
    held = file.get("held_out", 0)
    if not isinstance(rows, list) or not all(map(_is_point, rows)):
        raise SettingsFileError(
            "Not every point is written as [x1, x2, label] with a label of -1 or 1: mend the "
            "others."
        )
    if len(rows) > MAX_POINTS:
        raise SettingsFileError(
            f"There are {len(rows):,} points, more than {MAX_POINTS:,}: use fewer."
        )
    if isinstance(held, bool) or not isinstance(held, int) or not 0 <= held <= len(rows):
        raise SettingsFileError(
            f"held_out is not a whole number from 0 to {len(rows)}, the number of points."
        )
    values = np.array(rows, dtype=np.float64).reshape(len(rows), 3)
    X = values[:, :2]
    y = values[:, 2]
    axes = _axes(file["axes"]) if "axes" in file else Drawn().axes
    cells = np.column_stack([axis.cells(X[:, k]) for k, axis in enumerate(axes)])
    exact = Drawn(cells, y, held, axes)
    try:
        return exact if np.array_equal(exact.X, X) else Drawn(axes=axes).with_points(X, y, held)
    except ValueError as error:
        raise SettingsFileError(str(error)) from None


def _is_point(row: Any) -> bool:
    if not isinstance(row, list) or len(row) != 3:
        return False
    numbers = all(
        isinstance(part, int | float) and not isinstance(part, bool) and abs(part) <= 1e100
        for part in row
    )
    return numbers and row[2] in (-1, 1)


def _axes(written: Any) -> tuple[Axis, Axis]:
    try:
        if not all(
            isinstance(part, int) and not isinstance(part, bool)
            for axis in written
            for part in axis
        ):
            raise TypeError
        first, second = (Axis(*axis) for axis in written)
    except (TypeError, ValueError):
        raise SettingsFileError(
            "axes is not as kpviz writes it, [[level, low, width], […]]: leave it out."
        ) from None
    return first, second


def table_of(text: Any, name: str) -> tuple[str, Table]:
    """Return the name that settings have for a file's rows, and the table that they make.

    SettingsFileError if none.
    """
    if not isinstance(text, str):
        raise SettingsFileError(
            "These settings are for a file whose rows they do not hold: open that file instead."
        )
    short = _short(name.partition(COLUMN_SEPARATOR)[0])
    try:
        return _file_name(name, text), read_table(
            text.encode(errors="replace"), short or "the file"
        )
    except TableError as error:
        raise SettingsFileError(str(error)) from None


def _check(settings: Settings, table: Table) -> None:
    try:
        experiment.prepare(settings, table)
    except ValueError as error:
        raise SettingsFileError(str(error)) from None


def _notice(problems: list[str], *, newer: bool) -> str | None:
    sentences = [newer_sentence("settings")] if newer else []
    if problems:
        named = "; ".join(problems[:3]) + (
            f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
        )
        sentences.append(f"Parts of this file could not be used as they are: {named}.")
    return " ".join(sentences) or None
