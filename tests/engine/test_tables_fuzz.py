"""Whatever a file holds: a table whose examples can be learnt from, or one sentence; and nothing lost."""

import csv
import io
from collections.abc import Sequence

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from table_checks import GOOD, check_bytes, rows_of, sentence_of, shown

from kpviz.engine.data.csv_reader import LARGEST
from kpviz.engine.data.tables import Choice, TableError, read_table

NUMBERS = st.floats(-LARGEST, LARGEST, allow_nan=False)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"]), min_size=1, max_size=12)
PLAIN = st.one_of(NUMBERS.map(repr), st.integers(-9, 9).map(str), st.floats(-99, 99).map("{:.2f}".format))
COMMAS = st.floats(-99, 99).map(lambda value: f"{value:.2f}".replace(".", ","))
BARE = "NA nan inf -inf 1e999 1e101 =1+1 ٣ שלום 😀 −2 1_0 a;b a,b a|b 1,234 1.234,5 1e5,2 ' 0 1 00 ² # sep=; { <"
ODD_CELLS = st.sampled_from([*BARE.split(), "", " x ", "\xa0", "\ufeff", 'a"b', '"', "a\tb", "two\nlines"])
LABELS = st.sampled_from(["a", "b", "c", "", "0", "1", "yes", "no"])
COLUMNS = st.sampled_from([PLAIN, PLAIN, COMMAS, LABELS, LABELS, ODD_CELLS, WORDS])
NAMES = st.one_of(WORDS, ODD_CELLS, st.sampled_from(["x", "y", "label", "id", "2019", "0.5", "column 9"]), PLAIN)


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """Rows of cells below names, now and then without names, with odd cells here and there."""
    kinds = draw(st.lists(COLUMNS, min_size=2, max_size=6))
    count = draw(st.integers(0, 12))
    rows = [[draw(kind) for kind in kinds] for _ in range(count)]
    for _ in range(draw(st.integers(0, 2)) if rows else 0):
        draw(st.sampled_from(rows))[draw(st.integers(0, len(kinds) - 1))] = draw(ODD_CELLS)
    header = [[draw(NAMES) for _ in kinds]] if draw(st.integers(0, 3)) else []
    return header + rows


def written(rows: Sequence[Sequence[str]], separator: str, quoting: int, end: str, encoding: str) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end).writerows(rows)  # type: ignore[arg-type]
    return out.getvalue().encode(encoding, errors="replace")


SEPARATORS, ENDS = st.sampled_from(",;\t|"), st.sampled_from(["\n", "\r\n", "\r"])
QUOTING = st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
CSV_LIKE = st.text(st.sampled_from("0123456789.,;\t|\"' \n\r-+eEx_abNAinf[{<\x00\x1a\ufeff−é"), max_size=120)
WHOLE = [
    GOOD.encode(),
    rows_of('{i},{i}.5,"{kind}\n"\n', 12).encode(),
    rows_of("{i},{i}.5,{kind}\n", 12).replace(",", ";").replace(".", ",").encode("utf-16"),
    b"id\tx\tx\t\n" + b"".join(b"%d\t%d\t%d\tc%d\n" % (i, i * i, -i, i % 3) for i in range(12)),
]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(WHOLE))
    for _ in range(draw(st.integers(0, 4))):
        start, length = draw(st.integers(0, 400)), draw(st.integers(0, 4))
        data = data[:start] + draw(st.binary(max_size=4) | CSV_LIKE.map(str.encode)) + data[start + length :]
    return data


FILES = st.builds(written, tables(), SEPARATORS, QUOTING, ENDS, ENCODINGS)


@settings(deadline=None, max_examples=600)
@given(data=FILES | damaged() | st.binary(max_size=200) | CSV_LIKE.map(str.encode))
@example(data=b'"')
@example(data=b"\x1a")
@example(data=b"0,00\t100,5\n" + 9 * b"0,00\t0,5\n")
@example(data=b"a,b,c\n" + b"1" * 5000 + b",2,3\n")
@example(data=b"%s,%s,kind\n1,2,a\n" % (b"n" * 40, b"n" * 40))
def test_every_file_gives_examples_or_a_sentence(data: bytes) -> None:
    check_bytes(data)


@settings(deadline=None, max_examples=100)
@given(rows=tables(), separator=SEPARATORS, end=ENDS, encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_no_cell_is_lost_or_changed_but_for_white_space_round_it(
    rows: list[list[str]], separator: str, end: str, encoding: str
) -> None:
    """Every cell in quotation marks, so that no other separator fits."""
    assume(len(rows) > 1 and len(rows[0]) >= 3)
    try:
        table = read_table(written(rows, separator, csv.QUOTE_ALL, end, encoding))
    except TableError:
        return
    filled = [row for row in ([cell.strip() for cell in row] for row in rows) if any(row)]
    width = max(max(place + 1 for place, cell in enumerate(row) if cell) for row in filled)
    below = filled[-table.n_rows :]
    assert len(filled) - table.n_rows in (0, 1)
    assert list(zip(*table.cells.values(), strict=True)) == [tuple(row[:width]) for row in below]
    for name in table.numeric:
        for cell, value in zip(table.cells[name], table.values[name].tolist(), strict=True):
            if value == value:  # a number, which is that of the cell
                assert float(cell.replace("−", "-").replace(",", ".")) == value


@settings(deadline=None)
@given(
    features=st.tuples(*[st.sampled_from(["x1", "x2", "kind"]) | st.text(max_size=5)] * 2),
    label=st.sampled_from(["x1", "x2", "kind"]) | st.text(max_size=5),
    classes=st.tuples(*[st.sampled_from(["a", "b", "0", ""]) | st.text(max_size=5)] * 2),
)
def test_no_choice_whatever_ends_in_anything_but_a_sentence(
    features: tuple[str, str], label: str, classes: tuple[str, str]
) -> None:
    try:
        read = shown(GOOD, Choice(features, label, classes))
    except TableError as error:
        sentence_of(error)
    else:
        assert (read.features, read.classes) == (features, classes)
