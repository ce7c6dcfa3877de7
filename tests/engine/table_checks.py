"""What holds of every sentence about a table, and of every table, whatever was read."""

import re
from dataclasses import replace

import numpy as np
import pytest

from kpviz.engine.data.tables import Choice, Examples, Table, TableError, read_table

GOOD = "x1,x2,kind\n0,1.5,a\n1,-2.25,b\n2,1e-3,a\n4,7,b\n"
GOOD_X = [[0.0, 1.5], [1.0, -2.25], [2.0, 0.001], [4.0, 7.0]]
GOOD_CHOICE = Choice(("x1", "x2"), "kind", ("a", "b"))
JARGON = re.compile(
    r"Traceback|Exception|Error|dtype|NaN|None\b|pandas|DataFrame|token|codec|byte 0x|utf-8|csv\.|<|\\x|object",
    re.ASCII,
)


def shown(data: bytes | str, choice: Choice | None = None) -> Examples:
    """The examples of a choice, or of the guess."""
    table = read_table(data if isinstance(data, bytes) else data.encode())
    return table.examples(choice or table.guess())


def rows_of(pattern: str, count: int) -> str:
    """A table of ``count`` rows of a pattern with {i} and {kind}."""
    return "x,y,kind\n" + "".join(pattern.format(i=i, kind="ab"[i % 2]) for i in range(count))


def sentence_of(error: TableError) -> str:
    """The error's text, one sentence of at most 300 characters that says what is wrong and what to do."""
    text = str(error)
    assert re.fullmatch(r"[A-Z'][^\n\r\t]*[^.\s]\.", text), text
    own = re.sub(r"'.*'", "''", text)  # the file's words stand in quotes
    assert not re.search(r"[.!?] ", own), text
    assert not JARGON.search(own), text
    assert ": " in text, f"says what is wrong but not what to do: {text}"
    assert len(text) <= 300, text
    return text


def check_bytes(data: bytes) -> Table | None:
    """Walk through all that a page does with a file; only a `TableError` may end any of it, and then always."""
    try:
        table = read_table(data)
    except TableError as error:
        sentence = sentence_of(error)
        with pytest.raises(TableError, match=re.escape(sentence)):
            read_table(data)
        return None
    again = read_table(data)
    assert (table.columns, table.cells, table.notices) == (again.columns, again.cells, again.notices)
    assert all(re.fullmatch(r"[A-Z][^\n]*[^.]\.", notice) for notice in table.notices)
    assert all(len(table.classes(column)) <= 50 for column in table.columns)
    try:
        choice = table.guess()
    except TableError as error:
        sentence_of(error)
        return table
    check_examples(table, choice)
    check_examples(table, replace(choice, reduce=True))
    return table


def check_examples(table: Table, choice: Choice) -> None:
    """The examples of a choice are finite and of both classes, or there is a sentence."""
    try:
        read: Examples = table.examples(choice, limit=5)
    except TableError as error:
        sentence_of(error)
        return
    assert read.X.shape == (len(read.y), 2)
    assert 2 <= len(read.y) <= 5
    assert np.isfinite(read.X).all()
    assert set(read.y.tolist()) == {-1.0, 1.0}
    assert all(re.fullmatch(r"[A-Z0-9][^\n]*[^.]\.", notice) for notice in read.notices)
    assert set(read.rows.tolist()) <= set(table.lines.tolist())
    np.testing.assert_array_equal(read.X, table.examples(choice, limit=5).X)
