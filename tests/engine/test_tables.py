"""Laws of reading a table of one's own: exact numbers, names, classes and samples, or one sentence;
nothing is lost.
"""

import csv
import gzip
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from kpviz.engine.checks import FloatArray
from kpviz.engine.data import encodings
from kpviz.engine.data.notation import is_missing
from kpviz.engine.data.tables import (
    ENCODINGS,
    LARGEST,
    MAX_BYTES,
    Choice,
    Table,
    TableError,
    TableExamples,
    principal_components,
    read_table,
    read_text,
)

GOOD = "x1,x2,kind\n0,1.5,a\n1,-2.25,b\n2,1e-3,a\n4,7,b\n"
GOOD_X = [[0.0, 1.5], [1.0, -2.25], [2.0, 0.001], [4.0, 7.0]]
JARGON = re.compile(
    r"Traceback|Exception|Error|dtype|NaN|None\b|token|codec|byte 0x|csv\.|<|\\x|object", re.ASCII
)


def shown(text: bytes | str, choice: Choice | None = None) -> TableExamples:
    """The examples of a choice, or of the guess."""
    table = read_table(text if isinstance(text, bytes) else text.encode())
    return table.examples(choice or table.guess())


def rows_of(pattern: str, count: int) -> str:
    return "x,y,kind\n" + "".join(pattern.format(i=i, kind="ab"[i % 2]) for i in range(count))


def sentence_of(error: TableError) -> str:
    """The error's text, one sentence of at most 300 characters that says what is wrong and what to
    do.
    """
    text = str(error)
    assert re.fullmatch(r"[A-Z'][^\n\r\t]*[^.\s]\.", text), text
    own = re.sub(r"'.*'", "''", text)  # the file's words stand in quotes
    assert not re.search(r"[.!?] ", own), text
    assert not JARGON.search(own), text
    assert ": " in text, text
    assert len(text) <= 300, text
    return text


# ---- what is read --------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_encoding_end_of_line_separator_and_decimal_commas_make_no_difference(
    encoding: str, end: str, separator: str
) -> None:
    text = "größe,höhe,Blüte\n0,1.5,weiß\n1,-2.25,rot\n".replace(",", separator).replace("\n", end)
    for written in (text, text.replace(".", ",")) if separator != "," else (text,):
        table = read_table(written.encode(encoding))
        assert table.columns == ("größe", "höhe", "Blüte")
        assert table.guess() == Choice(("größe", "höhe"), "Blüte", ("rot", "weiß"))
        assert table.examples(table.guess()).X.tolist() == GOOD_X[:2]
        assert table.lines.tolist() == [2, 3]


# What a column says of its numbers, below the names "a" and "kind", and what they are. A last part
# "?" says that both readings are possible.
NUMBERS = [
    (
        "\t",
        "12,345 950 31,299 4,100",
        [12345, 950, 31299, 4100],
        "12,345",
    ),  # Iowa must not be the largest state
    (";", "12.345 950 31.299 4.100", [12345, 950, 31299, 4100], "12.345"),
    (",", "12.345 950 31.299 4.100", [12345, 950, 31299, 4100], "12.345"),
    (";", "12.345 6.020", [12345, 6020], "12.345"),
    (
        ";",
        "12,345 6,020",
        [12.345, 6.02],
        "12,345",
    ),  # semicolons part fields where the comma is decimal
    ("\t", "12,345 6,020", [12345, 6020], "12,345"),
    ("\t", "12.345 6.020", [12.345, 6.02], "12.345"),
    (",", "12.345 6.020", [12.345, 6.02], ""),
    (",", "12,345 6,020", [12345, 6020], "12,345"),
    (
        "\t",
        "12,345 1500 1200",
        [12.345, 1500, 1200],
        "12,345",
    ),  # thousands would be parted there, too
    (",", "34,942 1,234,567", [34942, 1234567], ""),
    (";", "34.942 1.234.567", [34942, 1234567], ""),
    (",", "12,34,567 1,234", [1234567, 1234], ""),
    ("\t", "1,234.5 12,345", [1234.5, 12345], ""),
    ("\t", "1.234,5 12.345", [1234.5, 12345], ""),
    ("\t", "1,234 1.5 2.5", [1234, 1.5, 2.5], ""),
    ("\t", "0,125 1,250", [0.125, 1.25], ""),
    ("\t", "-0,125 1,250", [-0.125, 1.25], ""),
    ("\t", ",5 1,250", [0.5, 1.25], ""),
    ("\t", "1,25 1,250", [1.25, 1.25], ""),
    ("\t", "1234,567 1,250", [1234.567, 1.25], ""),
    ("\t", "1,250e2 1,250", [125, 1.25], ""),
    (",", "12'345 950", [12345, 950], ""),
    (",", "12\u2019345.5 950", [12345.5, 950], ""),
    (",", "12\u00a0345 1\u202f234\u202f567 9\u2009999", [12345, 1234567, 9999], ""),
    ("\t", "12\u00a0345,678 1,250", [12345.678, 1.25], ""),
    (",", "45% 50% 5.5%", [45, 50, 5.5], ""),
    (",", "$900.00 $1,200.50 -$5.00 \u2212$7.00", [900, 1200.5, -5, -7], ""),
    ("\t", "900,00\u00a0€ 1.200,50\u00a0€", [900, 1200.5], ""),
    (",", "170cm 165.5cm", [170, 165.5], ""),
    (",", "20°C -5.5°C", [20, -5.5], ""),
]


@pytest.mark.parametrize(("separator", "cells", "values", "open_number"), NUMBERS)
def test_a_column_says_what_its_commas_and_points_mean(
    separator: str, cells: str, values: list[float], open_number: str
) -> None:
    rows = [["a", "b", "kind"]]
    rows += [[cell, str(place), "uv"[place % 2]] for place, cell in enumerate(cells.split(" "))]
    table = read_table(written(rows, separator, csv.QUOTE_MINIMAL, "\n", "utf-8"))
    assert table.values["a"].tolist() == values
    assert table.open_number == open_number


def test_the_other_numbers_of_a_table_decide_where_a_column_leaves_it_open() -> None:
    table = read_table(b"town;people;price;coast\nA;12.345;1,50;yes\nB;950;2,25;no\n")
    assert (table.values["people"].tolist(), table.open_number) == ([12345.0, 950.0], "")
    table = read_table(b"town\tpeople\tprice\tcoast\nA\t12,345\t1,50\tyes\nB\t950\t2,25\tno\n")
    assert (table.values["people"].tolist(), table.open_number) == ([12.345, 950.0], "")


def test_what_may_be_read_in_two_ways_is_said_and_can_be_read_in_the_other() -> None:
    text = "state\tactive\treserve\tgrew\nOhio\t12,345\t1,247\tyes\nIowa\t950\t310\tno\n"
    table = read_text(text)
    (reading,) = table.readings()
    assert (reading.words, reading.others) == ("12,345 is read as 12345.", {"comma": "12.345"})
    other = table.read_as(decimal="comma")
    assert other.values["active"].tolist() == [12.345, 950.0]
    (reading,) = other.readings()
    assert (reading.words, reading.others) == ("12,345 is read as 12.345.", {"point": "12345"})
    again = other.read_as(decimal="point")
    assert [column.tolist() for column in again.values.values()] == [
        column.tolist() for column in table.values.values()
    ]
    assert table.read_as() is table


def test_units_are_left_off_and_other_units_are_named_with_their_row() -> None:
    table = read_table(b"height,share,kind\n170 cm,45%,a\n1.6 m,50%,b\n158,55%,a\n155 cm,60 %,b\n")
    assert table.notices == (
        "Numbers are read without their units: 'cm' in 'height', '%' in 'share'.",
    )
    read = table.examples(table.guess())
    assert read.X.tolist() == [[170, 45], [155, 60]]
    assert read.notices == (
        "2 rows left out: line 3 has '1.6 m' in 'height', line 4 has '158' in 'height'.",
    )


@pytest.mark.parametrize(
    "cells", ["class1 class2 class3", "1st 2nd 3rd", "Q1 Q2 Q3", "2020-01-01 2020-01-02"]
)
def test_a_word_with_a_digit_is_no_number_with_a_unit(cells: str) -> None:
    rows = "".join(f"{i},{i * i},{cell}\n" for i, cell in enumerate(cells.split()))
    assert read_table(f"x,y,kind\n{rows}".encode()).numeric == ("x", "y")


FORMS = {  # what programs write, with rows of 1 2 a and 3 4.5 b
    "a trailing comma in the first line": "x,y,kind,\n1,2,a\n3,4.5,b\n",
    "trailing commas in the rows": "x,y,kind\n1,2,a,\n3,4.5,b,\n",
    "two trailing commas in the first line": "x,y,kind,,\n1,2,a\n3,4.5,b\n",
    "two trailing commas in the rows": "x,y,kind\n1,2,a,,\n3,4.5,b,,\n",
    "R with row names": '"x","y","kind"\n"1",1,2,"a"\n"2",3,4.5,"b"\n',
    "R as it does by itself": '"x" "y" "kind"\n"1" 1 2 "a"\n"2" 3 4.5 "b"\n',
    "a line for Excel": "sep=;\nx;y;kind\n1;2;a\n3;4.5;b\n",
    "a line for Excel that is quoted": '"sep=;"\nx;y;kind\n1;2;a\n3;4.5;b\n',
    "bars": "x|y|kind\n1|2|a\n3|4.5|b\n",
    "bars and decimal commas": "x|y|kind\n1,0|2,0|a\n3,0|4,5|b\n",
    "runs of spaces": "  x   y  kind\n  1   2  a\n  3  4.5 b  \n",
    "runs of tabs and spaces": "x \t y\t\tkind\n1\t\t2 a\n3 \t4.5\t b\n",
    "spaces and decimal commas": "x y kind\n1,0 2,0 a\n3,0 4,5 b\n",
    "comments before the names": "# made by hand\n# 12 May\nx,y,kind\n1,2,a\n3,4.5,b\n",
    "names in a comment": "# x y kind\n# in cm\n1 2 a\n3 4.5 b\n",
    "the end of a file in DOS": "x,y,kind\r\n1,2,a\r\n3,4.5,b\r\n\x1a",
    "a title": "Table 1\n\nx,y,kind\n1,2,a\n3,4.5,b\n",
    "UTF-16": "x,y,kind\n1,2,a\n3,4.5,b\n".encode("utf-16"),
    "UTF-16 with the larger byte first": b"\xfe\xff"
    + "x,y,kind\n1,2,a\n3,4.5,b\n".encode("utf-16-be"),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_that_programs_write_are_read(name: str) -> None:
    text = FORMS[name]
    table = read_table(text if isinstance(text, bytes) else text.encode())
    guess = table.guess()
    assert guess == Choice(("x", "y"), "kind", ("a", "b"))
    read = table.examples(guess)
    assert (read.X.tolist(), read.y.tolist()) == ([[1, 2], [3, 4.5]], [-1, 1])
    text = text.decode("utf-16") if isinstance(text, bytes) else text
    lines = text.splitlines()
    assert [lines[row - 1].replace(",0", "").strip('"')[-1:] in "ab,' \t" for row in read.rows] == [
        True,
        True,
    ]


@pytest.mark.parametrize("head", ["<=50K", "[cm]", "{a}", "<LOD", "[1;2)", "<b>"])
def test_a_cell_that_begins_as_markup_does_is_a_cell(head: str) -> None:
    table = read_table(f"{head},39,1\n>50K,50,2\n{head},38,3\n>50K,33,4\n".encode())
    assert head in table.classes("column 1")
    table = read_table(f"{head},x,kind\n1,2,a\n3,4,b\n".encode())
    assert table.columns == (head, "x", "kind")


def test_odd_lines_are_left_out_and_named() -> None:
    rows = "".join(f"{i},{i * i},{'ab'[i % 2]}\n" for i in range(8))
    read = read_table(f'x,y,kind\n9,9\n{rows}1,2,3,a\n1,2,"a\n# a comment\n'.encode())
    faults = (
        "line 2 has 2 fields instead of 3, line 11 has 4 fields instead of 3, line 12 has a "
        "quotation mark out of place"
    )
    assert read.notices == (f"3 lines left out: {faults}.",)
    assert read.lines.tolist() == list(range(3, 11))
    with pytest.raises(
        TableError, match="Most lines are not alike, as line 3 has 2 fields instead of 3 and line 4"
    ):
        read_table(b"x,y,kind\n1,2,a\n" + b"3,4\n" * 4)


# ---- encodings -----------------------------------------------------------------------------------

WESTERN = [
    "höhe,größe,Blüte weiß,rot", "espèce,a,b é,à", "título,año,región niño,niña", "température,été,x été,hiver",
    "fargé,størrelse,x blå,grønn", "väri,pituus,x sää,hyvä", "name,city,x São,Brasília", "name,x,y Müller,Björk",
    "prix(£),coût(€),x oui,non", "ÉTÉ,HIVER,TYPE ÉTÉ,HIVER", "naïve,café,œuvre œuf,bœuf", "îles,où,ça là,dès",
    "x,y,é 1,è", "Länge(µm),Temperatur(°C),Typ A,B", "„x“,‘y’,“z” –,—", "señal,peña,ñu sí,no", "ä,ö,ü Ä,Ö",
]  # fmt: skip
FOREIGN = {
    "Shift-JIS": [
        "身長 体重 区分 成人 小人",
        "品種 がく片の長さ 花弁 あやめ きく",
        "x y 結果 合格 不合格",
    ],
    "EUC-JP": ["品種 がく片の長さ 花弁 あやめ きく", "名前 テスト 結果 タナカ スズキ"],
    "GB18030": ["身高 体重 性别 男 女", "城市 温度 类别 北京 上海", "年龄 收入 购买 是 否"],
    "Big5": ["身高 體重 性別 男 女", "城市 溫度 類別 台北 高雄"],
    "EUC-KR": ["키 몸무게 성별 남자 여자", "도시 온도 종류 서울 부산"],
    "Windows-1251": [
        "рост вес пол м ж",
        "город температура класс Москва Киев",
        "x y вид кошка собака",
    ],
    "KOI8-R": ["рост вес пол м ж", "город температура класс Москва Киев", "x y вид кошка собака"],
}


def foreign_table(words: str) -> str:
    first, second, label, minus, plus = words.split()
    return (
        f"{first},{second},{label}\n170,65,{minus}\n158,50,{minus}\n120,25,{plus}\n115,22,{plus}\n"
    )


@pytest.mark.parametrize(
    ("encoding", "words"), [(name, words) for name, many in FOREIGN.items() for words in many]
)
def test_tables_of_other_scripts_keep_their_names_and_classes(encoding: str, words: str) -> None:
    text = foreign_table(words)
    table = read_table(text.encode(ENCODINGS[encoding]))
    first, second, label, minus, plus = words.split()
    assert table.encoding == encoding
    assert table.columns == (first, second, label)
    assert set(table.classes(label)) == {minus, plus}
    assert table.readings()[0].words == f"Read as {encoding}."
    assert table.read_as(encoding=encoding).classes(label) == table.classes(label)
    with pytest.raises(
        TableError, match=r"^The file is not UTF-8 in line [13]: choose another encoding\.$"
    ):
        table.read_as(encoding="UTF-8")


@pytest.mark.parametrize("words", WESTERN)
@pytest.mark.parametrize("rows", ["", "\n1,2,3\n4,5,6\n"])
def test_western_words_are_read_as_windows_1252(words: str, rows: str) -> None:
    text = words.replace(" ", "\n") + rows
    decoded = encodings.decode(text.encode("cp1252"), "", "The file")
    assert (decoded.text, decoded.encoding, decoded.is_certain) == (text, "Windows-1252", False)


@settings(deadline=None, max_examples=200)
@given(
    words=st.lists(
        st.text(st.characters(codec="cp1252", categories=["Ll"]), min_size=2, max_size=9),
        min_size=3,
    )
)
def test_words_of_western_letters_with_some_plain_ones_never_become_another_script(
    words: list[str],
) -> None:
    text = "\n".join(f"e{word}n" for word in words)
    data = text.encode("cp1252")
    decoded = encodings.decode(data, "", "The file")
    assert decoded.text == text or data.decode("utf-8", "ignore") == decoded.text


def test_without_the_detector_other_bytes_are_windows_1252(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encodings, "find_spec", lambda name: None)
    assert read_table(foreign_table("рост вес пол м ж").encode("cp1251")).encoding == "Windows-1252"


@settings(deadline=None, max_examples=100)
@given(one=st.binary(min_size=1, max_size=4), other=st.binary(min_size=1, max_size=4))
def test_two_names_never_become_one_by_their_bytes(one: bytes, other: bytes) -> None:
    one, other = (
        re.sub(rb"[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]", b"", word) for word in (one, other)
    )
    assume(one != other and one and other)
    decoded = encodings.decode(b"\xe9\xff," + one + b"\n" + other, "", "The file")
    first, second = decoded.text.split("\n")
    assert first.split(",", 1)[1] != second


def test_halves_of_characters_that_were_pasted_stay_two_names() -> None:
    table = read_text("x\ty\tkind\n1\t2\ta\ud800\n3\t4\ta\udc00\n")
    assert len(table.classes("kind")) == 2


def test_names_are_made_short_distinct_and_never_empty() -> None:
    table = read_table(
        f"x,x,,x (2),{'long ' * 99},two\u200b\x0bwords,,{'long ' * 9}\n1,2,3,4,5,6,a,7\n".encode()
    )
    assert table.columns[:4] == ("x", "x (2)", "column 3", "x (2) (2)")
    assert table.columns[4].startswith("long long")
    assert table.columns[5:7] == ("two words", "column 7")
    assert table.columns[7].endswith("… (2)")
    assert all(len(name) <= 40 for name in table.columns)


@pytest.mark.parametrize(
    ("text", "X"),
    [
        ("1,2,0\n3,4,1\n", [[1, 2], [3, 4]]),
        ("5.1,3.5,setosa\n4.9,3,virginica\n", [[5.1, 3.5], [4.9, 3]]),
        ("1,5;2,5;3\n2,5;1,5;4\n", [[1.5, 2.5], [2.5, 1.5]]),
        ("1,5\t2,5\tja\r\n2,5\t−1,5\tnein\r\n", [[1.5, 2.5], [2.5, -1.5]]),
        ("\ufeff\n\n-1e3,2,a\n3,4,b\n", [[-1000, 2], [3, 4]]),
        (",5.5,a\n1,2,b\n3,4,a\n", [[1, 2], [3, 4]]),
    ],
)
def test_a_first_line_of_numbers_is_an_example_and_the_columns_are_numbered(
    text: str, X: list[list[float]]
) -> None:
    table = read_table(text.encode())
    assert table.columns == ("column 1", "column 2", "column 3")
    assert "the columns are called 'column 1' to 'column 3'." in table.notices[0]
    assert table.examples(table.guess()).X.tolist() == X
    assert table.lines[-1] == text.rstrip().count("\n") + 1


@pytest.mark.parametrize(
    "header", ["x1,x2,kind", ",x2,kind", "dose,0.5,kind", "id,2019,kind", "x1,x2,a", "?,x2,kind"]
)
def test_a_word_above_numbers_makes_the_first_line_names(header: str) -> None:
    table = read_table(f"{header}\n1,2,a\n3,4,b\n5,6.5,a\n".encode())
    assert (table.n_rows, table.notices) == (3, ())
    assert table.columns == tuple(
        name or f"column {i}" for i, name in enumerate(header.split(","), 1)
    )


def test_a_sentence_calls_the_table_by_its_name() -> None:
    assert read_text("x\ty\tkind\n1\t2\ta\n").name == "what was pasted"
    for text, name, begins in [
        ("", "cats.csv", "'cats.csv' is"),
        (" \n", "what was pasted", "What was pasted is"),
    ]:
        with pytest.raises(TableError, match=rf"^{begins} empty"):
            read_text(text, name)


def test_a_column_is_numeric_when_half_of_what_is_there_are_numbers() -> None:
    table = read_table(b"a,b,c,d,kind\n1,1,1,?,k\nu,u,,?,l\n2,v,NA,1,k\nw,,n/a,?,l\n3,2,null,?,k\n")
    assert table.numeric == ("a", "b", "c", "d")
    assert read_table(b"a,b,c,kind\n1,2,1,k\n3,4,u,l\n5,6,v,l\n").numeric == ("a", "b")


def test_bad_cells_are_reported_by_line_after_blank_lines_and_quoted_newlines() -> None:
    text = 'x1,x2,kind\n\n1,2,a\n3,4,"b\n\nb"\n,5,a\n\n,,\n6,abc,a\n7,8,\n,,\n9,inf,"b\n\nb"\n1e400,1,a\n2,2,a\n'
    read = shown(text, Choice(("x1", "x2"), "kind", ("a", "b\n\nb")))
    assert read.rows.tolist() == [3, 4, 17]
    assert read.notices == (
        "5 rows left out: line 7 has no value in 'x1', line 10 has 'abc' in 'x2', line 11 has no "
        "label, "
        "line 13 has 'inf' in 'x2', line 16 has '1e400' in 'x1'.",
    )


def test_numbers_that_are_equal_are_one_class_and_classes_come_by_frequency_at_most_fifty() -> None:
    table = read_table(b"x1,x2,label\n1,5,1\n2,6,1.0\n3,8, 01 \n4,9,0\n5,9,-0.0\n6,9,other\n7,2,\n")
    assert table.classes("label") == ("1", "0", "other")
    assert table.examples(Choice(("x1", "x2"), "label", ("0", "1"))).y.tolist() == [
        1.0,
        1.0,
        1.0,
        -1.0,
        -1.0,
    ]
    assert read_table(b"x,y,kind\n1,2,c\n3,4, b\n5,6,b \n7,8,a\n").classes("kind") == (
        "b",
        "c",
        "a",
    )
    assert read_table(rows_of("{i},{i},c{i}\n", 80).encode()).classes("kind") == tuple(
        f"c{i}" for i in range(50)
    )


PLUS = (
    "0 1|-1 1|2 10|1.5 2.25|No YES|false true|negative positive|- +|low high|Control "
    "Case|Zebra ähnlich"
)


@pytest.mark.parametrize("pair", PLUS.split("|"))
def test_the_class_one_looks_for_is_plus_one(pair: str) -> None:
    minus, plus = pair.split()
    for order in ((minus, plus), (plus, minus), (plus, minus, plus)):
        text = "x1,x2,kind\n" + "".join(f"{i}.5,{i * i},{kind}\n" for i, kind in enumerate(order))
        assert read_table(text.encode()).guess().classes == (minus, plus)


@pytest.mark.parametrize(
    ("header", "rows", "features", "label"),
    [
        ("kind,x1,x2", "a,1,5 b,2,6 a,4,9", "x1 x2", "kind"),
        ("target,x1,x2", "0,1,5 1,2,6 0,4,9", "x1 x2", "target"),
        ("y,x1,x2", "0,1,5 1,2,6 0,4,9", "x1 x2", "y"),
        ("x,y,group", "0,0,0 0,1,1 1,0,1 1,1,0", "x y", "group"),
        ("id,x1,x2,diagnosis", "7,1,5,M 3,2,6,B 9,4,9,B", "x1 x2", "diagnosis"),
        (",x1,x2,kind", "0,1,5,a 1,2,6,b 2,4,9,a", "x1 x2", "kind"),
        ("patient_id,x1,x2,kind", "5,1,5,a 3,2,6,b 9,4,9,a", "x1 x2", "kind"),
        ("nr,flat,x1,x2,kind", "1,3,1,5,a 2,3,2,6,b 3,3,4,9,a", "x1 x2", "kind"),
        ("x1,x2,species,note", "1,5,a,u 2,6,b,v 4,9,a,u", "x1 x2", "species"),
        ("time,x2,kind", "1,5,a 2,6,b 3,9,a", "x2 time", "kind"),
        (
            "code,x1,x2",
            "0,1,5 1,2,6 " + " ".join(f"0,{i}.5,{i * i}" for i in range(20)),
            "x1 x2",
            "code",
        ),
        (
            "survived,pclass,age,class",
            "0,3,22,C 1,1,38,A 1,3,26,C 0,2,35,B",
            "pclass age",
            "survived",
        ),
        ("quality,x1,x2,colour", "5,1,5,red 6,2,6,white 5,4,9,red", "x1 x2", "quality"),
        ("Purchased?,x1,x2,town", "no,1,5,u yes,2,6,v no,4,9,u", "x1 x2", "Purchased?"),
        # The most frequent classes have one year only; two others do not.
        ("year,mass,place", "9,1,u 9,2,u 9,,v 9,,v 9,,v 8,5,w 7,6,w", "year mass", "place"),
        ("flat,x1,x2,kind", "3,1,5,a 3,2,6,a 3,4,9,b 4,1,1,c", "x1 x2", "kind"),
        ("x1,x2,kind,other", "1,5,a,u 2,6,a,v ,,b,u 3,9,a,v", "x1 x2", "other"),
        (
            "x1,x2,letter",
            " ".join(f"{i}.5,{i * i},l{i % 26}" for i in range(300)),
            "x1 x2",
            "letter",
        ),
    ],
)
def test_a_guess_finds_the_label_and_two_features(
    header: str, rows: str, features: str, label: str
) -> None:
    guess = read_table("\n".join([header, *rows.split()]).encode()).guess()
    assert (" ".join(guess.features), guess.label, guess.reduce) == (features, label, False)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), limit=st.integers(2, 1500))
def test_a_sample_is_drawn_by_seed_in_the_order_of_the_file_and_keeps_both_classes(
    seed: int, limit: int
) -> None:
    table = read_table((rows_of("{i},{i}.5,a\n", 1999) + "7,7,b\n").encode())
    read = table.examples(table.guess(), seed=seed, limit=limit)
    assert (len(read.y), (read.y == 1).sum()) == (limit, 1)
    assert (np.diff(read.rows) > 0).all()
    assert read.notices == (
        f"{limit:,} of 2,000 rows are shown, drawn at random with seed {seed}.",
    )
    assert_array_equal(read.rows, table.examples(table.guess(), seed=seed, limit=limit).rows)
    assert (read.rows != table.examples(table.guess(), seed=seed + 1, limit=limit).rows).any()


# ---- what is refused -----------------------------------------------------------------------------

TOWNS = "x1,x2,kind,one,none,town,size\n" + "".join(
    f"{i},{i * i},{'ab'[i % 2]},same,,town{i},{i / 7}\n" for i in range(300)
)
WHOLE = Choice(("x", "y"), "kind", ("a", "b"), reduce=True)
X1, AB = ("x1", "x2"), ("a", "b")
FAULTS: list[tuple[bytes | str, Choice | None, str]] = [
    (b"", None, "The file is empty"),
    (b",,,\n,,,\n", None, "The file is empty"),
    (b"x1,x2,kind\n\n  \n,,\n", None, "has a header but no rows"),
    (b"kind\na\nb\n", None, "only 1 column"),
    (b"x1  x2\n1  2\n3  4\n", None, "at least 3 are needed, separated by commas"),
    (b"5.1,3.5,1.4,setosa\n4.9,3.0,1.4,setosa\n", None, "No column can be the label"),
    (b"1.5,2,a\n2.5,3\n", None, "Line 2 has 2 fields instead of 3"),
    (b"x1,x2,kind\n1,2,a\n\n3,4,b,c\n", None, "Line 4 has 4 fields instead of 3"),
    (b"x1,x2,kind\n1,5,2,5,a\n", None, "Line 2 has 5 fields instead of 3"),
    (b"a,b,c" + b"," * 100_000 + b"\n1,2,x\n", None, "100,003 columns"),
    (b"name,town,kind\nAnn,Bonn,a\nBob,Rome,b\n", None, "no numeric column"),
    (b"x1,x2,kind\n1_0,2_0,a\n3_0,4_0,b\n", None, "no numeric column"),
    (b"x1,x2,kind\n1,u,a\n2,v,b\n3,5,a\n", None, "only one numeric column, 'x1'"),
    (b"x1,x2,kind\n1e101,1,a\n-1e400,2,b\n", None, "only one numeric column, 'x2'"),
    (b'x1,x2,kind\n1,2,"a\n3,4,"b\n5,6,a\n', None, "Line 2 has a quotation mark out of place"),
    (
        b"x1,x2,kind\n1,2," + b"a" * 200_000,
        None,
        "Line 2 has a field of more than 131,072 characters",
    ),
    (b"PK\x03\x04\x14\x00\x06\x00", None, "is not a table as text: save the table"),
    (b"%PDF-1.7\n%\xe2\xe3", None, "is not a table as text"),
    (gzip.compress(GOOD.encode()), None, "is not a table as text"),
    (b"\xef\xbb\xbf\n<table><tr></tr></table>", None, "is not a table as text"),
    (b'{"x1": [1, 2], "x2": [3, 4]}', None, "is not a table as text"),
    (GOOD.encode("utf-16-le"), None, "is not a table as text"),
    (b"x" * (MAX_BYTES + 1), None, "larger than 20 MB"),
    (rows_of("{i},{i}.5,name{i}\n", 300), None, "No column can be the label"),
    (b"x1,x2,kind\n1,5,\n2,6,NA\n3,7,\n", None, "No column can be the label"),
    (b"x1,x2,kind\n3,1,a\n3,2,b\n3,3,a\n", None, "not two numeric columns that vary"),
    (
        b"x1,x2,kind\n3,1,a\n3,2,b\n3,3,a\n3,4,b\n4,5,c\n",
        Choice(("x1", "x2"), "kind", ("a", "b")),
        "has 3 in 'x1'",
    ),
    (b"x1,x2,kind\n0,1,a\n1e-200,2,b\n0,3,b\n", None, "has 0 in 'x1'"),
    (b"x1,x2,kind\n1,2,a\n3,4,a\n,6,b\n7,x,b\n", None, "No row of class 'b' is usable (line 4"),
    (TOWNS, Choice(("x1", "x9"), "kind", AB), "There is no column 'x9': choose one of 'x1'"),
    (TOWNS, Choice(X1, "Kind", AB), "There is no column 'Kind'"),
    (TOWNS, Choice(("x1", "a\nb" + "z" * 999), "kind", AB), "There is no column 'a bzzz"),
    (TOWNS, Choice(("x1", "x1"), "kind", AB), "The feature 'x1' is chosen twice"),
    (TOWNS, Choice(X1, "x2", ("1", "4")), "'x2' is both label and feature"),
    (TOWNS, Choice(("x1", "town"), "kind", AB), "'town' does not hold numbers"),
    (TOWNS, Choice(X1, "town", ("town1", "town2")), "has more than 100 different values"),
    (TOWNS, Choice(X1, "one", ("same", "other")), "has one class only, 'same'"),
    (TOWNS, Choice(X1, "none", AB), "has no value in any row"),
    (TOWNS, Choice(X1, "kind", ("a", "c")), "'kind' has no class 'c': choose one of 'a', 'b'"),
    (TOWNS, Choice(X1, "kind", ("b", "b")), "The class 'b' is chosen twice"),
    ("x,y,kind\n1,3,a\n2,3,b\n4,3,a\n5,7,c\n", WHOLE, "only 'x' holds measurements that vary"),
    ("y,x,kind\n4,3,a\n4,3,b\n4,3,a\n", WHOLE, "no column holds measurements that vary"),
    ("x,y,kind\n1,2,a\n2,4,b\n4,8,a\n", WHOLE, "lie on a line"),
    (
        "x,y,kind\n1,2,a\n,4,b\n4,7,a\n",
        WHOLE,
        "No row of class 'b' is usable (line 3 has no value in 'x')",
    ),
]


@pytest.mark.parametrize(
    ("data", "choice", "fragment"), FAULTS, ids=[fragment for _, _, fragment in FAULTS]
)
def test_what_cannot_be_used_gets_one_sentence_that_says_why(
    data: bytes | str, choice: Choice | None, fragment: str
) -> None:
    with pytest.raises(TableError) as caught:
        shown(data, choice)
    assert fragment in sentence_of(caught.value)


# ---- whatever a file holds -----------------------------------------------------------------------

WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn"]),
    min_size=1,
    max_size=12,
)
PLAIN = st.one_of(
    st.floats(-LARGEST, LARGEST).map(repr),
    st.integers(-9, 9).map(str),
    st.floats(-99, 99).map("{:.2f}".format),
)
COMMAS = st.floats(-99, 99).map(lambda value: f"{value:.2f}".replace(".", ","))
BARE = "NA nan inf 1e999 1e101 =1+1 ٣ שלום 😀 −2 1_0 a;b a,b 1,234 1.234,5 ' 0 1 00 ² # { <"
ODD = st.sampled_from(
    [*BARE.split(), "", " x ", "\xa0", "\ufeff", 'a"b', '"', "a\tb", "two\nlines"]
)
LABELS = st.sampled_from(["a", "b", "c", "", "0", "1", "yes", "no"])
NAMES = WORDS | ODD | st.sampled_from(["x", "y", "label", "id", "2019", "0.5", "column 9"]) | PLAIN


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """Rows of cells below names, now and then without names."""
    kinds = draw(
        st.lists(
            st.sampled_from([PLAIN, PLAIN, COMMAS, LABELS, LABELS, ODD, WORDS]),
            min_size=2,
            max_size=6,
        )
    )
    rows = [[draw(kind) for kind in kinds] for _ in range(draw(st.integers(0, 12)))]
    return ([[draw(NAMES) for _ in kinds]] if draw(st.integers(0, 3)) else []) + rows


def written(
    rows: Sequence[Sequence[str]], separator: str, quoting: int, end: str, encoding: str
) -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end).writerows(rows)  # type: ignore[arg-type]
    return out.getvalue().encode(encoding, errors="replace")


SEPARATORS, ENDS = st.sampled_from(",;\t"), st.sampled_from(["\n", "\r\n", "\r"])
QUOTING = st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
CODECS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])
FILES = st.builds(written, tables(), SEPARATORS, QUOTING, ENDS, CODECS)
CSV_LIKE = st.text(
    st.sampled_from("0123456789.,;\t|\"' \n\r-+eEx_abNAinf[{<\x00\x1a\ufeff−é"), max_size=120
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from([GOOD.encode(), rows_of('{i},{i}.5,"{kind}\n"\n', 12).encode()]))
    for _ in range(draw(st.integers(0, 4))):
        start, length = draw(st.integers(0, 400)), draw(st.integers(0, 4))
        data = (
            data[:start]
            + draw(st.binary(max_size=4) | CSV_LIKE.map(str.encode))
            + data[start + length :]
        )
    return data


@settings(deadline=None, max_examples=200)
@given(data=FILES | damaged() | st.binary(max_size=200) | CSV_LIKE.map(str.encode))
@example(data=b"0,00\t100,5\n" + 9 * b"0,00\t0,5\n")
@example(data=b"a,b,c\n" + b"1" * 5000 + b",2,3\n")
@example(data=b"%s,%s,kind\n1,2,a\n" % (b"n" * 40, b"n" * 40))
def test_every_file_gives_finite_examples_of_both_classes_or_a_sentence(data: bytes) -> None:
    try:
        table = read_table(data)
        choice = table.guess()
    except TableError as error:
        sentence_of(error)
        return
    assert all(len(table.classes(column)) <= 50 for column in table.columns)
    for each in (choice, replace(choice, reduce=True)):
        try:
            read = table.examples(each, limit=5)
        except TableError as error:
            sentence_of(error)
            continue
        assert read.X.shape == (len(read.y), 2)
        assert 2 <= len(read.y) <= 5
        assert np.isfinite(read.X).all()
        assert set(read.y.tolist()) == {-1.0, 1.0}
        assert all(
            re.fullmatch(r"[A-Z0-9][^\n]*[^.]\.", notice)
            for notice in (*table.notices, *read.notices)
        )
        assert set(read.rows.tolist()) <= set(table.lines.tolist())


@settings(deadline=None, max_examples=100)
@given(
    rows=tables(), separator=SEPARATORS, end=ENDS, encoding=st.sampled_from(["utf-8", "utf-8-sig"])
)
def test_no_cell_is_lost_or_changed_except_for_white_space_round_it(
    rows: list[list[str]], separator: str, end: str, encoding: str
) -> None:
    try:
        table = read_table(written(rows, separator, csv.QUOTE_ALL, end, encoding))
    except TableError:
        assume(False)
    filled = [row for row in ([cell.strip() for cell in row] for row in rows) if any(row)]
    assert len(filled) - table.n_rows in (0, 1)
    cells = dict(zip(table.columns, zip(*filled[-table.n_rows :], strict=True), strict=True))
    for name in set(table.columns) - set(table.numeric):
        assert list(classes_of_rows(table, name)) == [
            "" if is_missing(cell) else cell for cell in cells[name]
        ]
    for name in set(table.numeric) - table.units.keys():
        for cell, value in zip(cells[name], table.values[name].tolist(), strict=True):
            assert value != value or value in readings_of(cell)


@pytest.mark.parametrize("space", [" ", "  ", "\t"])
def test_spaces_after_a_separator_make_no_other_class(space: str) -> None:
    after = (f",{space}", ",")
    rows = [after[i % 2].join((f"{i}", f"{i * i % 7}", "ab"[i % 3 > 0])) for i in range(400)]
    table = read_table("\n".join(["x1,x2,kind", *rows]))
    assert set(classes_of_rows(table, "kind")) == {"a", "b"}
    assert table.numeric == ("x1", "x2")


def classes_of_rows(table: Table, column: str) -> Iterator[str]:
    """The class of every row, "" where it is missing."""
    classes = table.classes_of[column]
    assert classes.codes is not None
    return (dict(enumerate(classes.names)).get(code, "") for code in classes.codes.tolist())


def readings_of(cell: str) -> set[float]:
    """The numbers that a cell may hold: with a comma, or a point, that is decimal or parts
    thousands.
    """
    cell = cell.replace("−", "-")
    found = set()
    for text in (
        cell.replace(",", "."),
        cell.replace(",", ""),
        cell.replace(".", "").replace(",", "."),
    ):
        with suppress(ValueError):
            found.add(float(text))
    return found


SPACE = "\u202f"


@st.composite
def dialects(draw: st.DrawFn) -> tuple[bytes, list[list[float]], list[str]]:
    """A table in a way that some program writes it, its numbers, and the class of each row."""
    mark, group = draw(st.sampled_from([".,", ",.", ".'", f",{SPACE}", f".{SPACE}", "._", ",_"]))
    separator = draw(st.sampled_from([";", "\t", "|", ","] if mark == "." else [";", "\t", "|"]))
    rows = draw(
        st.lists(
            st.tuples(st.integers(-(10**8), 10**8), st.integers(-(10**7), 10**7)),
            min_size=3,
            max_size=9,
        )
    )
    classes = [draw(st.sampled_from(["ja", "nein"])) for _ in rows]
    parts = str.maketrans({",": group.replace("_", ""), ".": mark})
    prefix, suffix = draw(st.sampled_from([("", ""), ("$", ""), ("", " €"), ("", "%")]))

    def number(value: int, decimals: int) -> str:
        text = f"{abs(value) / 10**decimals:,.{decimals}f}".translate(parts)
        return f"{'-' if value < 0 else ''}{prefix}{text}{suffix}"

    lines = [["Größe", "Länge", "Art"]]
    lines += [
        [number(a, 2), number(b, 1), name] for (a, b), name in zip(rows, classes, strict=True)
    ]
    if draw(st.booleans()):  # names of rows, as R has them
        lines = [lines[0], *([str(k), *line] for k, line in enumerate(lines[1:], 1))]
    elif draw(st.booleans()):
        lines[0].append("")
    end = draw(ENDS)
    data = written(lines, separator, draw(QUOTING), end, draw(CODECS) if group == "," else "utf-8")
    numbers = [[a / 100, b / 10] for a, b in rows]
    return data, numbers, classes


@settings(deadline=None, max_examples=300)
@given(dialects())
def test_a_table_in_any_dialect_holds_the_same_numbers(
    made: tuple[bytes, list[list[float]], list[str]],
) -> None:
    data, numbers, classes = made
    table = read_table(data)
    assert {"Größe", "Länge", "Art"} <= set(table.columns)
    assert np.column_stack([table.values["Größe"], table.values["Länge"]]).tolist() == numbers
    assert list(classes_of_rows(table, "Art")) == classes
    assert table.open_number == ""


@settings(deadline=None)
@given(*[st.sampled_from(["x1", "x2", "kind", "a", "b", "0", ""]) | st.text(max_size=5)] * 5)
def test_every_choice_is_followed_or_refused_in_a_sentence(
    a: str, b: str, label: str, c: str, d: str
) -> None:
    try:
        read = shown(GOOD, Choice((a, b), label, (c, d)))
    except TableError as error:
        sentence_of(error)
    else:
        assert (read.features, read.classes) == ((a, b), (c, d))


# ---- principal components ------------------------------------------------------------------------

FLOWERS = load_iris()
SHORT = ["sepal length", "sepal width", "petal length", "petal width"]
REDUCED = Choice(("", ""), "species", ("setosa", "virginica"), reduce=True)
TWO = FLOWERS.target != 1


def cloud(seed: int, n: int, d: int) -> FloatArray:
    """Columns with very different variances along axes of their own, so that the components are
    well apart.
    """
    rng = np.random.default_rng(seed)
    mixed: FloatArray = (
        rng.normal(size=(n, d)) * 2.0 ** -np.arange(d) @ np.linalg.qr(rng.normal(size=(d, d)))[0]
    )
    return mixed


@pytest.mark.parametrize(
    "X", [FLOWERS.data, load_wine().data, cloud(0, 3, 2), cloud(1, 50, 3), cloud(2, 30, 60)]
)
def test_components_are_those_of_scikit_learn_with_the_largest_loading_positive(
    X: FloatArray,
) -> None:
    Z, axes, share = principal_components(X)
    pca = PCA(2, svd_solver="full").fit(scaled := StandardScaler().fit_transform(X))
    signs = np.sign((axes * pca.components_.T).sum(axis=0))
    assert_allclose(axes, pca.components_.T * signs, atol=1e-9)
    assert_allclose(Z, pca.transform(scaled) * signs, atol=1e-8)
    assert share == pytest.approx(pca.explained_variance_ratio_.sum(), abs=1e-12)
    sizes = np.abs(axes)
    first = (sizes > sizes.max(axis=0) - 1e-9).argmax(axis=0)  # of two that load equally
    assert (axes[first, [0, 1]] > 0).all()


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10**6), st.lists(st.integers(-90, 90), min_size=4, max_size=4), st.floats(-5, 5)
)
def test_units_and_places_of_the_columns_do_not_matter(
    seed: int, exponents: list[int], shift: float
) -> None:
    X = cloud(seed, 25, 4)
    (plain, _, share), copy = principal_components(X), X.copy()
    moved, _, moved_share = principal_components((X + shift) * 10.0 ** np.array(exponents))
    assert_allclose(moved, plain, atol=1e-5)
    assert moved_share == pytest.approx(share, abs=1e-9)
    assert_array_equal(X, copy)


def iris(extra: str = "", **columns: list[object]) -> Table:
    """Read scikit-learn's Iris as a file, with further columns in front and rows behind."""
    lines = [",".join([*columns, *SHORT, "species"])]
    for i, (row, target) in enumerate(zip(FLOWERS.data.tolist(), FLOWERS.target, strict=True)):
        added = [cells[i] for cells in columns.values()]
        lines.append(",".join(map(str, [*added, *row, FLOWERS.target_names[target]])))
    return read_table(("\n".join(lines) + "\n" + extra).encode())


def test_a_choice_may_ask_for_components_of_all_measurements_of_the_rows_shown() -> None:
    flag = [int(target == 1) for target in FLOWERS.target]  # which does not vary in the rows shown
    read = iris("5,5,3,,1,setosa\n5,5,x,1,1,virginica\n", flag=flag).examples(
        REDUCED, seed=3, limit=40
    )
    assert_allclose(read.X, principal_components(FLOWERS.data[read.rows - 2])[0], atol=1e-12)
    assert_array_equal(read.y, np.where(FLOWERS.target[read.rows - 2] == 2, 1.0, -1.0))
    assert (read.features, read.classes) == (("PC 1", "PC 2"), REDUCED.classes)
    assert [notice[:38] for notice in read.notices] == [
        "2 rows left out: line 152 has no value",
        "Rows of other classes ('versicolor') l",
        "40 of 100 rows are shown, drawn at ran",
        "Shown are the first two principal comp",
    ]
    assert "of 4 columns ('sepal length', 'sepal width'" in read.notices[-1]


def test_running_numbers_constants_labels_and_mostly_empty_columns_are_no_measurements() -> None:
    n = len(FLOWERS.data)
    table = iris(
        nr=[7] * n,
        patient_id=[(i * 7) % 31 for i in range(n)],
        row_count=list(range(40, 40 + n)),
        same=[2.5] * n,
        rare=[i % 7 if i % 3 == 0 else "" for i in range(n)],
        town=[f"town {i}" for i in range(n)],
        group=[i % 2 for i in range(n)],
    )
    assert table.measurements("species") == ("group", *SHORT)
    assert table.measurements("group") == tuple(SHORT)
    assert_array_equal(
        table.examples(replace(REDUCED, label="group", classes=("0", "1"))).y[:4], [-1, 1, -1, 1]
    )


@given(st.integers(2, 60), st.integers(0, 60), st.integers(0, 99))
@example(20, 0, 0)
@example(21, 21, 0)
@example(21, 20, 0)
def test_a_label_has_at_most_20_classes_or_two_rows_for_each(classes, more, seed):
    kinds = [*range(classes), *np.random.default_rng(seed).integers(0, classes, more)]
    rows = "".join(f"{row},{row * row % 97},kind{kind}\n" for row, kind in enumerate(kinds))
    table = read_table(f"x1,x2,kind\n{rows}".encode())
    choice = Choice(("x1", "x2"), "kind", ("kind0", "kind1"))
    if classes <= max(20, len(kinds) // 2):
        table.examples(choice)
    else:
        with pytest.raises(TableError, match=f"has {classes} different values"):
            table.examples(choice)
