"""Laws of what is kept of a table: the same examples and sentences as all its cells would give, in
bounded memory.
"""

import gc
import pickle
import tracemalloc
from collections import Counter
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpviz.engine.data import cells as cells_module
from kpviz.engine.data import columns, layout
from kpviz.engine.data.cells import Cells
from kpviz.engine.data.columns import ColumnClasses
from kpviz.engine.data.notation import Reading, is_missing
from kpviz.engine.data.tables import Choice, Table, TableError, read_table

NUMBERS = [str(k) for k in range(-3, 8)] + ["0.25", "1e-3", "-0.0", "+4", "12.50", "1e999", "inf"]
ODD_LINES = ["", '"', ",,,", "1,2", "#", '"1,2', "x\ny"]
CELLS = st.sampled_from([*NUMBERS, *NUMBERS, "", "NA", "?", "word", "a b", "1.2.3", "é", "日本"])


@st.composite
def wholes(draw: st.DrawFn) -> list[list[str]]:
    """The rows of a table: two columns that are mostly numbers, one of anything, and a label."""
    count = draw(st.integers(3, 60))
    mostly = st.sampled_from(NUMBERS) | CELLS
    label = st.sampled_from(["yes", "no", "yes", "no", "perhaps", "NA"])
    return [[draw(mostly), draw(mostly), draw(CELLS), draw(label)] for _ in range(count)]


def written(rows: list[list[str]], end: str = "\n") -> bytes:
    return end.join(["width,height,note,kind", *map(",".join, rows), ""]).encode()


def with_blocks_of(size: int, data: bytes) -> Table | str:
    """The table that is read in blocks of so many characters, or the sentence that says why there
    is none.
    """
    with mock.patch.object(cells_module, "BLOCK", size), mock.patch.object(layout, "BLOCK", size):
        try:
            return read_table(data)
        except TableError as error:
            return str(error)


def plain(
    rows: list[list[str]], classes: tuple[str, str], seed: int, limit: int
) -> tuple[list[list[float]], ...]:
    """The examples of the first two columns, taken from all cells one by one."""
    reading = Reading()
    usable = []
    for line, row in enumerate(rows, 2):
        values = [reading.value(cell) for cell in row[:2]]
        if row[3] in classes and all(map(np.isfinite, values)):
            usable.append([*values, 1.0 if row[3] == classes[1] else -1.0, line])
    if len(usable) > limit:
        drawn = np.random.default_rng(seed).permutation(len(usable)).tolist()
        signs = [usable[place][2] for place in drawn]
        first = [drawn[signs.index(-1.0)], drawn[signs.index(1.0)]]
        others = [place for place in drawn if place not in first]
        usable = [usable[place] for place in sorted([*first, *others][:limit])]
    return [row[:2] for row in usable], [row[2:] for row in usable]


@settings(deadline=None, max_examples=150)
@given(wholes(), st.integers(0, 99), st.integers(2, 20), st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_examples_are_those_that_all_cells_give(
    rows: list[list[str]], seed: int, limit: int, end: str
) -> None:
    classes = ("no", "yes")
    try:
        table = read_table(written(rows, end))
        read = table.examples(Choice(("width", "height"), "kind", classes), seed=seed, limit=limit)
    except TableError:
        return
    X, labels = plain(rows, classes, seed, limit)
    assert [list(map(float.hex, row)) for row in read.X.tolist()] == [
        list(map(float.hex, row)) for row in X
    ]
    assert [list(row) for row in zip(read.y.tolist(), read.rows.tolist(), strict=True)] == labels
    counts = Counter(row[3] for row in rows if not is_missing(row[3]))
    assert table.classes("kind") == tuple(name for name, _ in counts.most_common())
    faults = [
        (line, row)
        for line, row in enumerate(rows, 2)
        if is_missing(row[3])
        or (row[3] in classes and not all(map(np.isfinite, map(Reading().value, row[:2]))))
    ]
    if faults:
        line, row = faults[0]
        lacks = [cell for cell in row[:2] if not np.isfinite(Reading().value(cell))]
        why = (
            "no label"
            if not lacks
            else "no value in"
            if is_missing(lacks[0])
            else f"'{lacks[0]}' in"
        )
        assert f"left out: line {line} has {why}" in read.notices[0]


@settings(deadline=None, max_examples=60)
@given(
    wholes(),
    st.sampled_from([1, 7, 40]),
    st.sampled_from(["", '"', ",,,", "1,2", "#", '"1,2', "x\ny"]),
    st.integers(0, 50),
)
def test_where_a_file_is_cut_into_blocks_changes_nothing(
    rows: list[list[str]], size: int, odd: str, place: int
) -> None:
    lines = written(rows).decode().split("\n")
    lines.insert(min(place, len(lines)), odd)
    data = "\n".join(lines).encode()
    in_blocks = with_blocks_of(size, data)
    whole = with_blocks_of(1 << 16, data)
    if isinstance(whole, str) or isinstance(in_blocks, str):
        assert in_blocks == whole
        return
    assert (in_blocks.columns, in_blocks.notices, in_blocks.open_number) == (
        whole.columns,
        whole.notices,
        whole.open_number,
    )
    assert in_blocks.lines.tolist() == whole.lines.tolist()
    assert [in_blocks.values[name].tobytes() for name in in_blocks.numeric] == [
        whole.values[name].tobytes() for name in whole.numeric
    ]
    for name in whole.columns:
        assert in_blocks.classes(name) == whole.classes(name)


def test_a_table_is_the_same_after_it_came_from_another_process() -> None:
    table = read_table(
        written([["1", "2.5", "x", "yes"], ["3", "word", "y", "no"], ["4", "1", "z", "no"]])
    )
    again = pickle.loads(pickle.dumps(table))
    for choice in (table.guess(), replace(table.guess(), classes=("yes", "no"))):
        assert again.examples(choice).X.tolist() == table.examples(choice).X.tolist()
        assert again.examples(choice).notices == table.examples(choice).notices


@pytest.mark.parametrize(("count", "n_names"), [(100, 100), (101, 101), (100_000, 101)])
def test_classes_are_told_apart_up_to_the_hundredth_and_no_further(
    count: int, n_names: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = []
    of_cell = columns._class_of

    def count_cells(cell: str, number: float) -> str:
        looked_at.append(cell)
        return of_cell(cell, number)

    monkeypatch.setattr(columns, "_class_of", count_cells)
    classes = ColumnClasses.of(Cells.of([f"class {k}" for k in range(count)] * 2), None)
    assert len(classes.names) == len(looked_at) == n_names
    assert (classes.codes is None) == (count > 100)


def test_a_label_of_many_classes_is_refused_in_a_sentence() -> None:
    table = read_table(
        b"x,y,name\n" + b"".join(b"%d,%d,name %d\n" % (k % 7, k % 5, k) for k in range(3000))
    )
    choice = Choice(("x", "y"), "name", ("name 0", "name 1"))
    for refused in (lambda: table.examples(choice), lambda: table.kinds("name", most=3)):
        with pytest.raises(TableError, match="The label 'name' has more than 100 different values"):
            refused()
    with pytest.raises(TableError, match="No column can be the label"):
        table.guess()


MADE = {
    "numbers": lambda k: (
        f"{k * 7919 % 1000003 / 1000003:.6f},{k * 104729 % 1000003 / 1000003:.6f},{'ab'[k % 2]}\n"
    ),
    "digits": lambda k: f"{k % 10},{k % 7},{'ab'[k % 2]}\n",
    "names": lambda k: f"{k % 89},{k % 97},name {k}\n",
    "thousands": lambda k: f'"{k * 7919 % 1000003:,}","{k * 104729 % 1000003:,}",{"ab"[k % 2]}\n',
    "units": lambda k: f"{k % 1000 / 10} cm,${k % 977},{'ab'[k % 2]}\n",
    "words between numbers": lambda k: (
        f"{k if k % 2 else f'word {k}'},{k % 1000 / 7:.4f},{'ab'[k // 2 % 2]}\n"
    ),
    "characters of four bytes": lambda k: f"{k % 10},{k % 7},{'😀😎'[k % 2]}\n",
}


@pytest.mark.parametrize("name", MADE)
def test_a_table_keeps_no_more_than_twice_the_bytes_of_its_file(name: str) -> None:
    data = ("x,y,kind\n" + "".join(map(MADE[name], range(15_000)))).encode()
    read_table(data[: data.index(b"\n", 2000) + 1])  # what is made once
    gc.collect()
    tracemalloc.start()
    try:
        table = read_table(data)
        gc.collect()
        now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert table.n_rows == 15_000
    assert now <= 2 * len(data) + 100_000
    assert abs(table.nbytes - now) <= 0.1 * now + 100_000
    assert peak <= 14 * len(data) + 12_000_000  # blocks of it, as strings
