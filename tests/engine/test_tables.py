"""Laws of reading a table of one's own: exact numbers, names, classes and samples."""

import csv
import gzip
import io
import json
import tracemalloc

import numpy as np
import pytest
from table_checks import GOOD, GOOD_X, check_bytes, rows_of, sentence_of, shown

from kpviz.engine.data.csv_reader import MAX_BYTES
from kpviz.engine.data.tables import MAX_ROWS_SHOWN, Choice, TableError, read_table, read_text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_encoding_and_end_of_line_gives_the_same_table(encoding: str, end: str) -> None:
    text = "größe,höhe,Blüte\n0,1.5,weiß\n1,-2.25,rot\n".replace("\n", end)
    table = read_table(text.encode(encoding))
    assert table.columns == ("größe", "höhe", "Blüte")
    assert table.guess() == Choice(("größe", "höhe"), "Blüte", ("rot", "weiß"))
    assert table.examples(table.guess()).X.tolist() == GOOD_X[:2]
    assert [table.line(0), table.line(1)] == [2, 3]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("quoted", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_every_separator_gives_the_same_numbers(separator: str, quoted: int) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=quoted).writerows(csv.reader(io.StringIO(GOOD)))  # type: ignore[arg-type]
    assert shown(out.getvalue()).X.tolist() == GOOD_X


@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_commas_are_read_beside_semicolons_and_tabs(separator: str) -> None:
    text = GOOD.replace(",", separator).replace(".", ",")
    assert shown(text).X.tolist() == GOOD_X


def test_a_comma_for_thousands_is_not_taken_for_a_decimal_comma() -> None:
    read = shown("x1\tx2\tkind\n1,234\t1\ta\n1.5\t2\ta\n2.5\t3\tb\n3.5\t4\tb\n")
    assert read.X[:, 0].tolist() == [1.5, 2.5, 3.5]
    assert read.notices == ("1 row left out: line 2 has '1,234' in 'x1'.",)


def test_a_separator_inside_names_and_quotes_does_not_mislead() -> None:
    table = read_table(b'"width, cm";"height, cm";"kind, guessed"\n1,5;2,5;"a;b, c"\n3,5;4,5;d\n')
    assert table.columns == ("width, cm", "height, cm", "kind, guessed")
    assert table.examples(table.guess()).X.tolist() == [[1.5, 2.5], [3.5, 4.5]]


def test_a_spreadsheet_note_on_the_separator_is_skipped_but_counted() -> None:
    read = shown("sep=;\nx1;x2;kind\n1;2;a\n3;4;b\n")
    assert read.rows.tolist() == [3, 4]


def test_names_are_made_short_distinct_and_never_empty() -> None:
    table = read_table(f"x,x,,x (2),{'long ' * 99},two\u200b\x07words,\n1,2,3,4,5,6,a\n".encode())
    assert table.columns[:4] == ("x", "x (2)", "column 3", "x (2) (2)")
    assert table.columns[4].startswith("long long")
    assert len(table.columns[4]) <= 40
    assert table.columns[5:] == ("two words", "column 7")


NUMBERED = ("column 1", "column 2", "column 3")
UNNAMED = "the columns are called 'column 1' to 'column 3'."


@pytest.mark.parametrize(
    ("text", "X"),
    [
        ("1,2,0\n3,4,1\n", [[1, 2], [3, 4]]),
        ("1,2,a\n3,4,b\n5,6,a\n", [[1, 2], [3, 4], [5, 6]]),
        ("5.1,3.5,setosa\n4.9,3,virginica\n", [[5.1, 3.5], [4.9, 3]]),
        ("1,5;2,5;3\n2,5;1,5;4\n", [[1.5, 2.5], [2.5, 1.5]]),
        ("1,5;2,5;0,0\n2,5;1,5;1,0\n", [[1.5, 2.5], [2.5, 1.5]]),
        ("1,5\t2,5\tja\r\n2,5\t−1,5\tnein\r\n", [[1.5, 2.5], [2.5, -1.5]]),
        ("-1,2,a\n3,4,b\n", [[-1, 2], [3, 4]]),
        ("1e3,2,a\n3,4,b\n", [[1000, 2], [3, 4]]),
        ("\ufeff\n\n1,2,0\n3,4,1\n", [[1, 2], [3, 4]]),
        ("0,1,2\n3,4,5\n", [[0, 1], [3, 4]]),
        (",5.5,a\n1,2,b\n3,4,a\n", [[1, 2], [3, 4]]),
        ("n.d.,5.5,a\n1,2,b\n3,4,a\n", [[1, 2], [3, 4]]),
    ],
)
def test_a_first_line_of_numbers_is_an_example_and_the_columns_are_numbered(text: str, X: list[list[float]]) -> None:
    table = read_table(text.encode())
    assert table.columns == NUMBERED
    assert table.notices[0].startswith("There is no line of column names")
    assert table.notices[0].endswith(UNNAMED)
    read = table.examples(table.guess())
    assert read.X.tolist() == X
    assert [table.line(row) for row in range(table.n_rows)][-1] == text.rstrip().count("\n") + 1


@pytest.mark.parametrize(
    "header",
    [
        "x1,x2,kind",
        ",x2,kind",
        "dose,0.5,kind",  # a word stands above numbers
        "id,2019,kind",
        "x1,x2,a",  # the second column's name may be a class
        "?,x2,kind",
    ],
)
def test_a_word_above_numbers_makes_the_first_line_names(header: str) -> None:
    table = read_table(f"{header}\n1,2,a\n3,4,b\n5,6.5,a\n".encode())
    assert table.n_rows == 3
    assert table.notices == ()
    assert table.columns == tuple(name or f"column {i}" for i, name in enumerate(header.split(","), 1))


def test_blank_columns_and_rows_behind_the_table_are_left_out_without_a_word() -> None:
    text = "x1,x2,kind,,\n1,2,a,,\n3,4,b\n5,6,a,,,,\n,,,,\n , \n"
    table = read_table(text.encode())
    assert table.columns == ("x1", "x2", "kind")
    assert table.cells["kind"] == ("a", "b", "a")
    assert table.notices == ()


def test_a_blank_column_within_the_table_stays() -> None:
    assert read_table(b"x1,,x2,kind\n1,,2,a\n3,,4,b\n").columns == ("x1", "column 2", "x2", "kind")
    assert read_table(b"x1,x2,kind,\n1,2,a,\n3,4,b,z\n").columns == ("x1", "x2", "kind", "column 4")


def test_what_is_pasted_is_read_as_a_file_is() -> None:
    pasted = "\ufeffgröße\thöhe\tArt\t\r\n1,5\t2\tweiß\t\r\n0,5\t3\trot\t\r\n\t\t\t\r\n"
    table = read_text(pasted)
    assert (table.name, table.columns) == ("what was pasted", ("größe", "höhe", "Art"))
    assert table.examples(table.guess()).X.tolist() == [[1.5, 2.0], [0.5, 3.0]]
    with pytest.raises(TableError, match=r"^What was pasted is empty"):
        read_text(" \n")
    with pytest.raises(TableError, match=r"^'my notes' is not a table as text"):
        read_text('{"x": 1}', "my notes")


def test_a_column_is_numeric_when_half_of_what_is_there_are_numbers() -> None:
    table = read_table(b"a,b,c,d,kind\n1,1,1,?,k\nu,u,,?,l\n2,v,NA,1,k\nw,,n/a,?,l\n3,2,null,?,k\n")
    assert table.numeric == ("a", "b", "c", "d")
    assert read_table(b"a,b,c,kind\n1,2,1,k\n3,4,u,l\n5,6,v,l\n").numeric == ("a", "b")


def test_bad_cells_are_reported_by_line_after_blank_lines_and_quoted_newlines() -> None:
    text = 'x1,x2,kind\n\n1,2,a\n3,4,"b\n\nb"\n,5,a\n\n\n6,abc,a\n7,8,\n,,\n9,inf,"b\n\nb"\n1e400,1,a\n2,2,a\n'
    table = read_table(text.encode())
    read = table.examples(Choice(("x1", "x2"), "kind", ("a", "b\n\nb")))
    assert read.rows.tolist() == [3, 4, 17]
    assert read.notices == (
        "5 rows left out: line 7 has no value in 'x1', line 10 has 'abc' in 'x2', line 11 has no label, "
        "line 13 has 'inf' in 'x2', line 16 has '1e400' in 'x1'.",
    )
    lines = text.split("\n")
    assert [lines[table.line(row) - 1].split(",")[0] for row in range(table.n_rows)] == list(table.cells["x1"])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("limit", [2, 3, 50])
def test_a_sample_keeps_both_classes_however_rare_one_is(seed: int, limit: int) -> None:
    text = rows_of("{i},{i}.5,a\n", 999) + "7,7,b\n"
    table = read_table(text.encode())
    read = table.examples(table.guess(), seed=seed, limit=limit)
    assert len(read.y) == limit
    assert (read.y == 1).sum() == 1


def test_numbers_that_are_equal_are_one_class() -> None:
    table = read_table(b"x1,x2,label\n1,5,1\n2,6,1.0\n3,8, 01 \n4,9,0\n5,9,-0.0\n6,9,other\n7,2,\n")
    assert table.classes("label") == ("1", "0", "other")
    read = table.examples(Choice(("x1", "x2"), "label", ("0", "1")))
    assert read.y.tolist() == [1.0, 1.0, 1.0, -1.0, -1.0]


def test_classes_come_by_frequency_then_as_first_seen_and_at_most_fifty() -> None:
    table = read_table(b"x,y,kind\n1,2,c\n3,4, b\n5,6,b \n7,8,a\n9,9,\n")
    assert table.classes("kind") == ("b", "c", "a")
    many = read_table(rows_of("{i},{i},c{i}\n", 80).encode())
    assert many.classes("kind") == tuple(f"c{i}" for i in range(50))


@pytest.mark.parametrize(
    ("minus", "plus"),
    [
        ("0", "1"),
        ("-1", "1"),
        ("2", "10"),
        ("1.5", "2.25"),
        ("no", "yes"),
        ("No", "YES"),
        ("false", "true"),
        ("False", "True"),
        ("negative", "positive"),
        ("benign", "malignant"),
        ("B", "M"),
        ("-", "+"),
        ("low", "high"),
        ("Control", "Case"),
        ("setosa", "virginica"),
        ("Zebra", "ähnlich"),
    ],
)
def test_the_class_one_looks_for_is_plus_one(minus: str, plus: str) -> None:
    for order in ((minus, plus), (plus, minus), (plus, minus, plus)):
        text = "x1,x2,kind\n" + "".join(f"{i}.5,{i * i},{kind}\n" for i, kind in enumerate(order))
        assert read_table(text.encode()).guess().classes == (minus, plus)


@pytest.mark.parametrize(
    ("header", "rows", "features", "label"),
    [
        ("x1,x2,kind", ["1,5,a", "2,6,b", "4,9,a"], ("x1", "x2"), "kind"),
        ("kind,x1,x2", ["a,1,5", "b,2,6", "a,4,9"], ("x1", "x2"), "kind"),
        ("target,x1,x2", ["0,1,5", "1,2,6", "0,4,9"], ("x1", "x2"), "target"),
        ("y,x1,x2", ["0,1,5", "1,2,6", "0,4,9"], ("x1", "x2"), "y"),
        ("x,y,group", ["0,0,0", "0,1,1", "1,0,1", "1,1,0"], ("x", "y"), "group"),
        ("id,x1,x2,diagnosis", ["7,1,5,M", "3,2,6,B", "9,4,9,B"], ("x1", "x2"), "diagnosis"),
        (",x1,x2,kind", ["0,1,5,a", "1,2,6,b", "2,4,9,a"], ("x1", "x2"), "kind"),
        ("Unnamed: 0,x1,x2,kind", ["5,1,5,a", "3,2,6,b", "9,4,9,a"], ("x1", "x2"), "kind"),
        ("patient_id,x1,x2,kind", ["5,1,5,a", "3,2,6,b", "9,4,9,a"], ("x1", "x2"), "kind"),
        ("nr,flat,x1,x2,kind", ["1,3,1,5,a", "2,3,2,6,b", "3,3,4,9,a"], ("x1", "x2"), "kind"),
        ("x1,x2,species,note", ["1,5,a,u", "2,6,b,v", "4,9,a,u"], ("x1", "x2"), "species"),
        ("time,x2,kind", ["1,5,a", "2,6,b", "3,9,a"], ("x2", "time"), "kind"),
        ("code,x1,x2", ["0,1,5", "1,2,6"] + [f"0,{i}.5,{i * i}" for i in range(20)], ("x1", "x2"), "code"),
    ],
)
def test_a_guess_finds_the_label_and_two_features(
    header: str, rows: list[str], features: tuple[str, str], label: str
) -> None:
    guess = read_table("\n".join([header, *rows]).encode()).guess()
    assert (guess.features, guess.label) == (features, label)


def test_a_guess_takes_a_label_of_many_classes_where_there_is_no_other() -> None:
    table = read_table(("x1,x2,letter\n" + "".join(f"{i}.5,{i * i},l{i % 26}\n" for i in range(300))).encode())
    assert table.guess().classes == ("l0", "l1")


def test_a_large_table_is_sampled_by_seed_in_the_order_of_the_file() -> None:
    rng = np.random.default_rng(0)
    values, rare = rng.normal(size=(20_000, 3)).round(6), rng.random(20_000) < 0.001
    rows = zip(values.tolist(), rare, strict=True)
    table = read_text("a,b,c,kind\n" + "".join(f"{x},{y},{z},{'yn'[int(odd)]}\n" for (x, y, z), odd in rows))
    first, again, other = (table.examples(table.guess(), seed=seed) for seed in (0, 0, 1))
    assert len(first.y) == MAX_ROWS_SHOWN == len(np.unique(first.rows))
    assert set(first.y.tolist()) == {-1.0, 1.0}
    assert (np.diff(first.rows) > 0).all()
    assert first.notices == ("1,000 of 20,000 rows are shown, drawn at random with seed 0.",)
    assert np.array_equal(first.X, values[first.rows - 2, :2])
    assert (first.rows == again.rows).all()
    assert (first.rows != other.rows).any()


# ---- what is odd, and what is refused ---------------------------------------------------------------

PAIR = "x1,x2,kind\n{},a\n{},b\n"
ROWS = "x1,x2,kind\n0,1,a\n2,5,b\n3,1,a\n7,4,b\n"
ROWS_X = [[0, 1], [2, 5], [3, 1], [7, 4]]

# What is odd about the file, its text, the points that it holds.
ODD = {
    "formulas are words": (ROWS + "=1+1,5,a\n=A2,@x,b\n", ROWS_X),
    "infinite and missing numbers": (ROWS + "nan,1,a\ninf,2,b\n-inf,3,a\n1e999,4,b\n", ROWS_X),
    "digits of other scripts": (PAIR.format("١,٢", "３,४"), [[1, 2], [3, 4]]),
    "words from right to left": ("רוחב,גובה,סוג\n1,2,חתול\n3,5,כלב\n", [[1, 2], [3, 5]]),
    "points on one another": (PAIR.format("1,2", "1,2") + "3,4,a\n3,4,b\n", [[1, 2], [1, 2], [3, 4], [3, 4]]),
    "names for none of the columns but one": (",,kind\n1,2,a\n3,5,b\n1,2,a\n", [[1, 2], [3, 5], [1, 2]]),
    "the largest numbers": (PAIR.format("1e100,-1e100", "-1e100,1e100"), [[1e100, -1e100], [-1e100, 1e100]]),
    "the least differences": (PAIR.format("0,1e-99", "1e-99,0"), [[0, 1e-99], [1e-99, 0]]),
    "numbers of a thousand digits": (PAIR.format("0." + "3" * 1000 + ",2", "1,5"), [[1 / 3, 2], [1, 5]]),
    "spaces round fields": (" x1 , x2, kind \n 1 ,\t2 , a\n3,−4e−2, b  \n", [[1, 2], [3, -0.04]]),
    "names of several lines": ('"x\n1","x\n2",kind\n1,2,a\n3,5,b\n', [[1, 2], [3, 5]]),
    "marks within marks": ('x1,x2,kind\n1,2,"say ""a"""\n3,5,"b, or ""c"", d"\n', [[1, 2], [3, 5]]),
    "the header again in the middle": (ROWS + ROWS, ROWS_X * 2),
    "columns without a name": (",,\n", None),
    "one row": ("x1,x2,kind\n1,2,a\n", None),
    "one class": ("x1,x2,kind\n1,2,a\n3,4,a\n", None),
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


# What the file is, its bytes, what its sentence says.
FAULTS = {
    "no bytes": (b"", "The file is empty"),
    "a byte order mark only": (b"\xff\xfe", "The file is empty"),
    "separators only": (b",,,\n,,,\n", "The file is empty"),
    "a header only": (b"x1,x2,kind\n\n  \n,,\n", "has a header but no rows"),
    "one column": (b"kind\na\nb\n", "1 column"),
    "two columns and blank ones": (b"x1,kind,,\n1,a,,\n2,b,,\n", "2 columns"),
    "columns aligned by spaces": (b"x1  x2  kind\n1  2  a\n3  4  b\n", "separate three or more by commas"),
    "no header, one class": (b"5.1,3.5,1.4,setosa\n4.9,3.0,1.4,setosa\n", "No column can be the label"),
    "no header, a row too short": (b"1.5,2,a\n2.5,3\n", "Line 2 has 2 fields where the first line has 3"),
    "a row that goes on behind blanks": (b"x1,x2,kind\n1,2,a,,,\n3,4,b,,,c\n", "Line 3 has 6 fields where"),
    "a row too short before one too long": (b"x1,x2,kind\n1,2,a\n3,4\n5,6,b,c\n", "Line 3 has 2 fields where"),
    "a row too long": (b"x1,x2,kind\n1,2,a\n\n3,4,b,c\n", "Line 4 has 4 fields where the first line has 3"),
    "decimal commas between commas": (b"x1,x2,kind\n1,5,2,5,a\n", "Line 2 has 5 fields where"),
    "a thousand and one columns": ((",".join(f"c{i}" for i in range(1001)) + "\n").encode(), "1,001 columns"),
    "no numbers": (b"name,town,kind\nAnn,Bonn,a\nBob,Rome,b\n", "no numeric column"),
    "numbers with units": (b"x1,x2,kind\n1 cm,2 cm,a\n3 cm,4 cm,b\n", "no numeric column"),
    "quoted thousands": (b'x1,x2,kind\n"1,000","2,500",a\n"3,000","4,500",b\n', "no numeric column"),
    "numbers with underscores": (b"x1,x2,kind\n1_0,2_0,a\n3_0,4_0,b\n", "no numeric column"),
    "mostly words in a column": (b"x1,x2,kind\n1,u,a\n2,v,b\n3,5,a\n", "only one numeric column, 'x1'"),
    "absurdly large numbers": (b"x1,x2,kind\n1e101,1,a\n-1e400,2,b\n", "only one numeric column, 'x2'"),
    "every number missing": (b"x1,x2,kind\n,1,a\nNA,2,b\n", "only one numeric column, 'x2'"),
    "a quotation without end": (b'x1,x2,kind\n1,2,a\n3,4,"b\n5,6,a\n', "Line 3 has a quotation mark out of place"),
    "a quotation within a quotation": (b'x1,x2,kind\n1,2,"a"b"\n', "Line 2 has a quotation mark out of place"),
    "a field without end": (b"x1,x2,kind\n1,2," + b"a" * 200_000, "Line 2 has a quotation mark out of place"),
    "a spreadsheet": (b"PK\x03\x04\x14\x00\x06\x00", "is not a table as text: save the table"),
    "an old spreadsheet": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is not a table as text"),
    "a PDF document": (b"%PDF-1.7\n%\xe2\xe3", "is not a table as text"),
    "a PNG picture": (b"\x89PNG\r\n\x1a\n\x00\x00", "is not a table as text"),
    "a JPEG picture": (b"\xff\xd8\xff\xe0\x10JFIF", "is not a table as text"),
    "a compressed table": (gzip.compress(GOOD.encode()), "is not a table as text"),
    "a web page": (b"\xef\xbb\xbf\n<table><tr></tr></table>", "is not a table as text"),
    "JSON, an object": (json.dumps({"x1": [1, 2], "x2": [3, 4]}).encode(), "is not a table as text"),
    "JSON, bare rows": (b"[[1, 2, 0], [3, 4, 1]]", "is not a table as text"),
    "a zero byte": (b"x1,x2,kind\n1,\x002,a\n3,4,b\n", "is not a table as text"),
    "UTF-16 without its mark": (GOOD.encode("utf-16-le"), "is not a table as text"),
    "UTF-16 of an odd length": (GOOD.encode("utf-16")[:-1], "is not a table as text"),
    "machine code": (bytes(range(1, 32)) * 20, "is not a table as text"),
    "too many bytes": (b"x" * (MAX_BYTES + 1), "larger than 20 MB"),
    "no label column": (rows_of("{i},{i}.5,{i}.25\n", 60).replace("kind", "z").encode(), "No column can be the label"),
    "a label without values": (b"x1,x2,kind\n1,5,\n2,6,NA\n3,7,\n", "No column can be the label"),
    "names for labels": (rows_of("{i},{i}.5,name{i}\n", 300).encode(), "No column can be the label"),
    "features that never vary": (b"x1,x2,kind\n3,1,a\n3,2,b\n3,3,a\n", "not two numeric columns that vary"),
    "a feature constant in both classes": (b"x1,x2,kind\n3,1,a\n3,2,b\n3,3,a\n3,4,b\n4,5,c\n", "has 3 in 'x1'"),
    "a feature that varies too little": (b"x1,x2,kind\n0,1,a\n1e-200,2,b\n0,3,b\n", "has 0 in 'x1'"),
    "a class without numbers": (b"x1,x2,kind\n1,2,a\n3,4,a\n,6,b\n7,x,b\n", "No row of class 'b' is usable (line 4"),
}


@pytest.mark.parametrize(("data", "fragment"), FAULTS.values(), ids=FAULTS)
def test_a_wrong_file_gets_one_sentence_that_says_what_is_wrong(data: bytes, fragment: str) -> None:
    with pytest.raises(TableError) as caught:
        shown(data)
    assert fragment in sentence_of(caught.value)


TOWNS = "x1,x2,kind,one,none,town,size\n" + "".join(
    f"{i},{i * i},{'ab'[i % 2]},same,,town{i},{i / 7}\n" for i in range(300)
)
CHOICE_FAULTS = [
    (("x1", "x9"), "kind", ("a", "b"), "There is no column 'x9': choose one of 'x1'"),
    (("x1", "x2"), "Kind", ("a", "b"), "There is no column 'Kind'"),
    (("x1", "a\nb" + "z" * 999), "kind", ("a", "b"), "There is no column 'a bzzz"),
    (("x1", "x1"), "kind", ("a", "b"), "The feature 'x1' is chosen twice"),
    (("x1", "x2"), "x2", ("1", "4"), "'x2' is both label and feature"),
    (("x1", "town"), "kind", ("a", "b"), "'town' does not hold numbers"),
    (("x1", "x2"), "town", ("town1", "town2"), "has 300 different values"),
    (("x1", "x2"), "size", ("0", "1"), "looks like a number or a name, not a class"),
    (("x1", "x2"), "one", ("same", "other"), "has one class only, 'same'"),
    (("x1", "x2"), "none", ("a", "b"), "has no value in any row"),
    (("x1", "x2"), "kind", ("a", "c"), "'kind' has no class 'c': choose one of 'a', 'b'"),
    (("x1", "x2"), "kind", ("b", "b"), "The class 'b' is chosen twice"),
]


@pytest.mark.parametrize(("features", "label", "classes", "fragment"), CHOICE_FAULTS)
def test_a_wrong_choice_gets_one_sentence_that_says_what_is_wrong(
    features: tuple[str, str], label: str, classes: tuple[str, str], fragment: str
) -> None:
    with pytest.raises(TableError) as caught:
        shown(TOWNS, Choice(features, label, classes))
    assert fragment in sentence_of(caught.value)


def test_a_sentence_names_the_file_where_one_was_given() -> None:
    with pytest.raises(TableError, match=r"^'cats\.csv' is empty"):
        read_table(b"", "cats.csv")
    with pytest.raises(TableError, match="There is no column 'colour'"):
        read_table(GOOD.encode()).classes("colour")


def test_a_hundred_thousand_blank_columns_are_refused_before_they_fill_the_memory() -> None:
    content = b"a,b,c" + b"," * 100_000 + b"\n1,2,x\n"
    tracemalloc.start()
    with pytest.raises(TableError, match="has 100,003 columns"):
        read_table(content)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40 * len(content)
    assert read_table(ROWS.replace("\n", "," * 5000 + "\n").encode()).columns == ("x1", "x2", "kind")
