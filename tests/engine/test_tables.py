"""Laws of reading a table of one's own: exact numbers, names, classes and samples."""

import csv
import io

import numpy as np
import pytest
from table_checks import GOOD, GOOD_CHOICE, GOOD_X, rows_of, shown

from kpviz.engine.data.tables import MAX_ROWS_SHOWN, Choice, TableError, read_table, read_text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_encoding_and_end_of_line_gives_the_same_table(encoding: str, end: str) -> None:
    text = "größe,höhe,Blüte\n0,1.5,weiß\n1,-2.25,rot\n".replace("\n", end)
    table = read_table(text.encode(encoding))
    assert table.columns == ("größe", "höhe", "Blüte")
    assert table.guess() == Choice(("größe", "höhe"), "Blüte", ("rot", "weiß"))
    assert table.examples(table.guess()).X.tolist() == GOOD_X[:2]
    assert [table.line(0), table.line(1)] == [2, 3]


def test_utf_16_is_read_in_either_byte_order() -> None:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        assert shown(mark + GOOD.encode(encoding)).X.tolist() == GOOD_X


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


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        ("1 234 567,5|−2 000|0,25", [1234567.5, -2000.0, 0.25]),
        ("1\xa0234,5|12\u202f345|1\u2009000", [1234.5, 12345.0, 1000.0]),
        ("1'234.5|12’345.25|9", [1234.5, 12345.25, 9.0]),
        ("\xa01,5\xa0|\u20092|3", [1.5, 2.0, 3.0]),
    ],
)
def test_groups_of_three_digits_are_read_where_the_sign_between_them_is_no_decimal_one(
    cells: str, values: list[float]
) -> None:
    text = "x1\tx2\tkind\n" + "".join(f"{cell}\t{i}\t{'ab'[i % 2]}\n" for i, cell in enumerate(cells.split("|")))
    assert shown(text).X[:, 0].tolist() == values


def test_quoted_decimal_commas_are_read_between_commas_where_none_can_part_thousands() -> None:
    assert shown('x1,x2,kind\n"1,5","0,125",a\n"2,25","0,5",b\n').X.tolist() == [[1.5, 0.125], [2.25, 0.5]]
    assert read_table(b'x1,x2,x3,kind\n"1,500",1,2,a\n"2,250",3,4,b\n').numeric == ("x2", "x3")


def test_a_separator_inside_names_and_quotes_does_not_mislead() -> None:
    table = read_table(b'"width, cm";"height, cm";"kind, guessed"\n1,5;2,5;"a;b, c"\n3,5;4,5;d\n')
    assert table.columns == ("width, cm", "height, cm", "kind, guessed")
    assert table.examples(table.guess()).X.tolist() == [[1.5, 2.5], [3.5, 4.5]]


def test_a_spreadsheet_note_on_the_separator_is_skipped_but_counted() -> None:
    read = shown("sep=;\nx1;x2;kind\n1;2;a\n3;4;b\n")
    assert read.rows.tolist() == [3, 4]


def test_spaces_round_fields_do_not_matter() -> None:
    read = shown(' x1 , x2, kind \n 1 ,\t2 , "a" \n'.replace('"a" ', '"a"') + "3,4, b  \n")
    assert read.X.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert (read.features, read.classes) == (("x1", "x2"), ("a", "b"))


def test_the_minus_sign_of_typesetters_is_read() -> None:
    assert shown("x1,x2,kind\n−1.5,2,a\n3,−4e−2,b\n").X.tolist() == [[-1.5, 2.0], [3.0, -0.04]]


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
        ("1 234,5\t2,5\tja\r\n2,5\t1,5\tnein\r\n", [[1234.5, 2.5], [2.5, 1.5]]),
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


@pytest.mark.parametrize(
    "text", ["2019,2020,kind\n1,2,a\n3,4,b\n", "0,1,2\n0.5,1.5,0\n2.5,3.5,1\n", "1,2,3\n0.5,1.5,0\n2.5,3.5,1\n"]
)
def test_whole_numbers_that_look_like_names_are_names_and_a_notice_says_so(text: str) -> None:
    table = read_table(text.encode())
    assert table.columns == tuple(text.partition("\n")[0].split(","))
    assert table.n_rows == 2
    line = ", ".join(f"'{name}'" for name in table.columns)
    assert table.notices == (
        f"The first line is read as column names, {line}: add a line of names above it if it is none.",
    )


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
    with pytest.raises(TableError, match=r"^'my notes' looks like JSON"):
        read_text('{"x": 1}', "my notes")


def test_a_sign_that_no_encoding_writes_is_read_as_a_question_mark() -> None:
    assert read_text("x1,x2,kind\n1,2,a\ud800\n3,4,b\n").cells["kind"] == ("a?", "b")


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


def test_only_the_first_five_bad_rows_are_named() -> None:
    read = shown(GOOD + "9,,a\n" * 1200)
    assert read.notices[0].startswith("1,200 rows left out: line 6 has no value in 'x2', line 7")
    assert read.notices[0].endswith("line 10 has no value in 'x2' and 1,195 more.")


def test_other_classes_are_counted_and_their_bad_cells_are_not() -> None:
    read = shown(GOOD + "5,5,c\n6,,c\n", GOOD_CHOICE)
    assert read.notices == ("Rows of other classes ('c') left out: 2.",)


def test_a_clean_file_gives_no_notices_and_keeps_its_order() -> None:
    read = shown(GOOD)
    assert read.X.tolist() == GOOD_X
    assert read.y.tolist() == [-1.0, 1.0, -1.0, 1.0]
    assert read.rows.tolist() == [2, 3, 4, 5]
    assert (read.features, read.classes, read.notices) == (("x1", "x2"), ("a", "b"), ())
    assert (read.X.dtype, read.y.dtype, read.X.shape) == (np.float64, np.float64, (4, 2))


def test_a_bad_cell_of_any_text_makes_a_notice_of_one_line() -> None:
    read = shown(GOOD + '5,"two\nlines and ' + "more " * 99 + '",a\n')
    assert "\n" not in read.notices[0]
    assert len(read.notices[0]) < 100


LARGE = rows_of("{i},{i}.5,{kind}\n", 5000)


def test_a_large_table_is_sampled_by_seed_in_the_order_of_the_file() -> None:
    table = read_table(LARGE.encode())
    choice = Choice(("x", "y"), "kind", ("a", "b"))
    first, again, other = (table.examples(choice, seed=seed) for seed in (0, 0, 1))
    assert len(first.X) == MAX_ROWS_SHOWN == len(np.unique(first.rows))
    assert (np.diff(first.rows) > 0).all()
    assert (first.X[:, 0] == first.rows - 2).all()
    assert (first.rows == again.rows).all()
    assert (first.rows != other.rows).any()
    assert first.notices == ("1,000 of 5,000 rows are shown, drawn at random with seed 0.",)
    assert 0.4 < (first.y > 0).mean() < 0.6


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


def test_choices_are_hashable_and_tables_are_frozen() -> None:
    assert hash(GOOD_CHOICE) == hash(Choice(("x1", "x2"), "kind", ("a", "b")))
    with pytest.raises(AttributeError):
        read_table(GOOD.encode()).name = "other"  # type: ignore[misc]


def test_reading_examples_leaves_the_table_as_it_was() -> None:
    table = read_table(GOOD.encode())
    table.examples(GOOD_CHOICE).X[:] = 99.0
    assert table.examples(GOOD_CHOICE).X.tolist() == GOOD_X
