"""Whatever a file or a paste holds: a table whose examples can be learnt from, or one sentence; and nothing lost."""

import csv
import io
import re
import tracemalloc
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from table_checks import GOOD, GOOD_CHOICE, check_bytes, check_written_again, rows_of, sentence_of, shown

from kpviz.engine.data.numerals import LARGEST
from kpviz.engine.data.tables import MAX_ROWS_SHOWN, Choice, TableError, read_table, read_text

# ---- by hand --------------------------------------------------------------------------------------

PAIR = "x1,x2,kind\n{},a\n{},b\n"
ROWS = "x1,x2,kind\n0,1,a\n2,5,b\n3,1,a\n7,4,b\n"

# What is odd about the file, its text, the points that it holds.
ODD = {
    "formulas are words": (ROWS + "=1+1,5,a\n=A2,@x,b\n", [[0, 1], [2, 5], [3, 1], [7, 4]]),
    "infinite and missing numbers": (
        ROWS + "nan,1,a\ninf,2,b\n-inf,3,a\n1e999,4,b\n",
        [[0, 1], [2, 5], [3, 1], [7, 4]],
    ),
    "digits of other scripts": (PAIR.format("١,٢", "３,४"), [[1, 2], [3, 4]]),
    "words from right to left": ("רוחב,גובה,סוג\n1,2,חתול\n3,5,כלב\n", [[1, 2], [3, 5]]),
    "labels in pictures": ("x,z,😀\n1,2,🐱\n3,5,🐶\n", [[1, 2], [3, 5]]),
    "points on one another": (PAIR.format("1,2", "1,2") + "3,4,a\n3,4,b\n", [[1, 2], [1, 2], [3, 4], [3, 4]]),
    "two columns of one name": ("x,x,kind\n1,2,a\n3,5,b\n", [[1, 2], [3, 5]]),
    "columns without a name": (",,\n", None),
    "names for none of the columns but one": (",,kind\n1,2,a\n3,5,b\n1,2,a\n", [[1, 2], [3, 5], [1, 2]]),
    "the largest numbers": (PAIR.format("1e100,-1e100", "-1e100,1e100"), [[1e100, -1e100], [-1e100, 1e100]]),
    "the least differences": (PAIR.format("0,1e-99", "1e-99,0"), [[0, 1e-99], [1e-99, 0]]),
    "numbers of a thousand digits": (PAIR.format("0." + "3" * 1000 + ",2", "1,5"), [[1 / 3, 2], [1, 5]]),
    "zeros of a thousand digits in a header": ("0" * 5000 + ",1,2\n0.5,1.5,0\n2.5,3.5,1\n", [[0.5, 1.5], [2.5, 3.5]]),
    "a long line": (ROWS + f"5,6,{'word ' * 20_000}\n", [[0, 1], [2, 5], [3, 1], [7, 4]]),
    "names of several lines": ('"x\n1","x\n2",kind\n1,2,a\n3,5,b\n', [[1, 2], [3, 5]]),
    "marks within marks": ('x1,x2,kind\n1,2,"say ""a"""\n3,5,"b, or ""c"", d"\n', [[1, 2], [3, 5]]),
    "the header again in the middle": (ROWS + ROWS, [[0, 1], [2, 5], [3, 1], [7, 4]] * 2),
    "one row": ("x1,x2,kind\n1,2,a\n", None),
    "one class": ("x1,x2,kind\n1,2,a\n3,4,a\n", None),
    "lines of blanks": ("\n  \n\t\n\n", None),
}


@pytest.mark.parametrize(("text", "X"), ODD.values(), ids=ODD)
def test_an_odd_file_gives_its_points_or_a_sentence(text: str, X: list[list[float]] | None) -> None:
    table = check_bytes(text.encode())
    if X is None:
        with pytest.raises(TableError):
            read_text(text).guess()
        return
    assert table is not None
    assert table.examples(table.guess()).X.tolist() == X
    check_written_again(text.encode())


def test_a_file_of_a_hundred_megabytes_is_refused_at_once() -> None:
    with pytest.raises(TableError, match="larger than 20 MB"):
        read_table(bytes(100_000_000))


@pytest.mark.parametrize("row", ["", "1," * 4999 + "a\n"])
def test_five_thousand_columns_are_refused(row: str) -> None:
    header = ",".join(f"c{i}" for i in range(5000)) + "\n"
    with pytest.raises(TableError, match=r"^The file has 5,000 columns: keep the ones you need, at most 1,000\.$"):
        read_table((header + row * 3).encode())


def test_a_hundred_thousand_blank_columns_are_refused_before_they_fill_the_memory() -> None:
    content = b"a,b,c" + b"," * 100_000 + b"\n1,2,x\n"
    tracemalloc.start()
    with pytest.raises(TableError, match="has 100,003 columns"):
        read_table(content)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40 * len(content)


def test_five_thousand_blank_columns_behind_a_table_are_no_columns() -> None:
    blank = "," * 5000 + "\n"
    assert read_table(ROWS.replace("\n", blank).encode()).columns == ("x1", "x2", "kind")


def test_a_sentence_stays_short_where_all_that_it_names_is_long() -> None:
    long = [f"{kind} {'of a part that has a long name ' * 3}" for kind in "0123456789"]
    rows = [[cell] * 9 + [label * 99] for cell, label in (("1", "a"), ("2", "a"), ("no " * 50, "b"))]
    table = read_text("\n".join(map(",".join, [long, *rows])))
    names = table.columns
    for choice in [
        Choice((names[0], names[1]), names[9], ("a" * 99, "b" * 99)),
        Choice((names[0], names[1]), names[9], ("a" * 99, "c" * 99)),
        Choice((names[0], names[9]), names[8], ("1", "2")),
        Choice((names[0], names[0]), names[9], ("a" * 99, "b" * 99)),
        Choice((names[0], long[0]), names[9], ("a" * 99, "b" * 99)),
    ]:
        with pytest.raises(TableError) as caught:
            table.examples(choice)
        assert len(sentence_of(caught.value)) > 80


# ---- a large file -----------------------------------------------------------------------------------


def test_five_megabytes_of_a_hundred_thousand_rows_are_read_and_sampled() -> None:
    rng = np.random.default_rng(0)
    values, kinds = rng.normal(size=(100_000, 5)), rng.random(100_000) < 0.001
    lines = (",".join(map("{:.6f}".format, row)) for row in values.tolist())
    text = "a,b,c,d,e,kind\n" + "".join(
        f"{line},{'no' if rare else 'yes'}\n" for line, rare in zip(lines, kinds, strict=True)
    )
    data = text.encode()
    assert 4.5e6 < len(data) < 5.5e6
    table = read_table(data)
    read = table.examples(table.guess())
    assert len(read.y) == MAX_ROWS_SHOWN
    assert set(read.y.tolist()) == {-1.0, 1.0}
    assert read.notices == ("1,000 of 100,000 rows are shown, drawn at random with seed 0.",)
    assert np.array_equal(read.X, np.round(values[read.rows - 2, :2], 6))


# ---- tables written by others -----------------------------------------------------------------------

NUMBERS = st.floats(-LARGEST, LARGEST, allow_nan=False)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"]), min_size=1, max_size=12)
PLAIN = st.one_of(NUMBERS.map(repr), st.integers(-9, 9).map(str), st.floats(-99, 99).map("{:.2f}".format))
COMMAS = st.floats(-99, 99).map(lambda value: f"{value:.2f}".replace(".", ","))
THOUSANDS = st.integers(0, 10**8).map(lambda value: f"{value:,}".replace(",", "\xa0") + ",5")
BARE = "NA nan inf -inf 1e999 1e101 =1+1 ٣ שלום 😀 −2 1_0 a;b a,b a|b 1,234 1.234,5 1e5,2 ' 0 1 00 ² # sep=; { <"
ODD_CELLS = st.sampled_from([*BARE.split(), "", " x ", "\xa0", "\ufeff", 'a"b', '"', "a\tb", "two\nlines"])
LABELS = st.sampled_from(["a", "b", "c", "", "0", "1", "yes", "no"])
COLUMNS = st.sampled_from([PLAIN, PLAIN, COMMAS, THOUSANDS, LABELS, LABELS, ODD_CELLS, WORDS])
NAMES = st.one_of(WORDS, ODD_CELLS, st.sampled_from(["x", "y", "label", "id", "2019", "0.5", "column 9"]), PLAIN)
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252", "latin-1"]


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
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    return (mark + out.getvalue()).encode(encoding, errors="replace")


FILES = st.builds(
    written,
    tables(),
    st.sampled_from(",;\t|"),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(ENCODINGS),
)


@settings(deadline=None, max_examples=300)
@given(data=FILES)
def test_every_table_that_a_program_writes_gives_examples_or_a_sentence(data: bytes) -> None:
    check_bytes(data)


@settings(deadline=None, max_examples=300)
@given(data=FILES)
@example(data=b"0,00\t100,5\n" + 9 * b"0,00\t0,5\n")
@example(data=b"x,x,%s,kind\n1,2,3,a\n" % (b"name " * 20))
@example(data=b"%s,%s,kind\n1,2,a\n" % (b"n" * 40, b"n" * 40))
def test_what_was_read_and_written_out_is_read_again(data: bytes) -> None:
    check_written_again(data)


@settings(deadline=None, max_examples=100)
@given(rows=tables(), separator=st.sampled_from(",;\t|"), end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_no_cell_is_lost_or_changed_but_for_white_space_round_it(
    rows: list[list[str]], separator: str, end: str
) -> None:
    """Every cell in quotation marks, so that no other separator fits."""
    assume(len(rows) > 1 and len(rows[0]) >= 3)
    try:
        table = read_table(written(rows, separator, csv.QUOTE_ALL, end, "utf-8"))
    except TableError:
        return
    stripped = [[cell.strip() for cell in row] for row in rows]
    filled = [row for row in stripped if any(row)]
    width = max(max(place + 1 for place, cell in enumerate(row) if cell) for row in filled)
    below = filled[-table.n_rows :]
    assert len(filled) - table.n_rows in (0, 1)
    assert list(zip(*table.cells.values(), strict=True)) == [tuple(row[:width]) for row in below]


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(NUMBERS, NUMBERS, st.booleans()), min_size=2, max_size=30),
    separator=st.sampled_from(",;\t|"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    names=st.tuples(WORDS, WORDS).map(lambda pair: tuple("k" + name.strip() for name in pair)),
)
def test_what_was_written_is_read_back_exactly(
    rows: list[tuple[float, float, bool]], separator: str, encoding: str, names: tuple[str, str]
) -> None:
    assume(names[0] != names[1])
    assume(len({kind for _, _, kind in rows}) == 2)
    assume(all(np.ptp(column) > 1e-50 for column in list(zip(*rows, strict=True))[:2]))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator)
    writer.writerow(["x1", "x2", "kind"])
    writer.writerows([repr(a), repr(b), names[kind]] for a, b, kind in rows)
    read = shown(out.getvalue().encode(encoding), Choice(("x1", "x2"), "kind", names))
    assert read.X.tolist() == [[a, b] for a, b, _ in rows]
    assert read.y.tolist() == [1.0 if kind else -1.0 for *_, kind in rows]
    assert read.notices == ()


@settings(deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["1.5", "2", "", "NA", "abc", "inf"]), st.sampled_from(["a", "b", "c", ""])),
        min_size=1,
        max_size=40,
    )
)
def test_every_row_is_an_example_or_accounted_for(rows: list[tuple[str, str]]) -> None:
    good = "0,0,a\n1,1,b\n" * 20  # enough for x1 to stay a column of numbers
    text = "x1,x2,kind\n" + good + "".join(f"{cell},3,{kind}\n" for cell, kind in rows)
    read = shown(text, GOOD_CHOICE)
    usable = 40 + sum(cell in ("1.5", "2") and kind in ("a", "b") for cell, kind in rows)
    others = sum(kind == "c" for _, kind in rows)
    assert len(read.X) == usable
    numbers = re.findall(r"^([\d,]+) rows? left out|left out: ([\d,]+)\.$", "\n".join(read.notices), re.MULTILINE)
    assert sum(int(a or b) for a, b in numbers) + usable == len(rows) + 40
    assert (f"Rows of other classes ('c') left out: {others}." in read.notices) == (others > 0)


CSV_LIKE = st.text(st.sampled_from("0123456789.,;\t|\"' \n\r-+eEx_abNAinf[{<\x00\x1a\ufeff−é"), max_size=120)


@settings(deadline=None, max_examples=300)
@given(data=st.binary(max_size=200) | CSV_LIKE.map(str.encode) | CSV_LIKE.map(lambda text: text.encode("utf-16")))
@example(data=b'"')
@example(data=b"\x1a")
@example(data=b"a,b,c\n" + b"1" * 5000 + b",2,3\n")
def test_no_bytes_whatever_end_in_anything_but_a_sentence(data: bytes) -> None:
    check_bytes(data)


EDITS = st.lists(
    st.tuples(st.integers(0, 400), st.integers(0, 4), st.binary(max_size=4) | CSV_LIKE.map(str.encode)), max_size=4
)
WHOLE = [
    GOOD.encode(),
    rows_of('{i},{i}.5,"{kind}\n"\n', 12).encode(),
    rows_of("{i},{i}.5,{kind}\n", 12).replace(",", ";").replace(".", ",").encode("utf-16"),
    b"id\tx\tx\t\n" + b"".join(b"%d\t%d\t%d\tc%d\n" % (i, i * i, -i, i % 3) for i in range(12)),
]


@settings(deadline=None, max_examples=300)
@given(data=st.sampled_from(WHOLE), edits=EDITS)
def test_no_damage_to_a_good_file_ends_in_anything_but_a_sentence(
    data: bytes, edits: list[tuple[int, int, bytes]]
) -> None:
    for start, length, new in edits:
        data = data[:start] + new + data[start + length :]
    check_bytes(data)


@settings(deadline=None)
@given(
    features=st.tuples(st.text(max_size=5), st.text(max_size=5))
    | st.tuples(*[st.sampled_from(["x1", "x2", "kind"])] * 2),
    label=st.sampled_from(["x1", "x2", "kind"]) | st.text(max_size=5),
    classes=st.tuples(*[st.sampled_from(["a", "b", "0", ""]) | st.text(max_size=5)] * 2),
)
def test_no_choice_whatever_ends_in_anything_but_a_sentence(
    features: tuple[str, str], label: str, classes: tuple[str, str]
) -> None:
    choice = Choice(features, label, classes)
    try:
        read = shown(GOOD, choice)
    except TableError as error:
        sentence_of(error)
    else:
        assert read.features == features
        assert read.classes == classes
