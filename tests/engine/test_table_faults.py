"""A table that cannot be read, or a choice that it does not have: one sentence that says what is wrong."""

import gzip
import json

import pytest
from table_checks import GOOD, rows_of, sentence_of, shown

from kpviz.engine.data.csv_reader import MAX_BYTES
from kpviz.engine.data.tables import Choice, TableError, read_table

UNDECODABLE = b"\xff\xfe" + "x,y,k\n".encode("utf-16-le") + b"\x00\xd8a"
WIDE_HEADER = ",".join(f"c{i}" for i in range(1001)) + "\n"

# What the file is, its bytes, what its sentence says.
FAULTS: list[tuple[str, bytes, str]] = [
    ("no bytes", b"", "The file is empty"),
    ("white space only", b" \n\t\n \r\n", "The file is empty"),
    ("a byte order mark only", b"\xef\xbb\xbf", "The file is empty"),
    ("a wide byte order mark only", b"\xff\xfe", "The file is empty"),
    ("separators only", b",,,\n,,,\n", "The file is empty"),
    ("a separator note only", b"sep=;\n", "The file is empty"),
    ("a header only", b"x1,x2,kind\n", "has a header but no rows"),
    ("a header and blank lines", b"x1,x2,kind\n\n  \n,,\n", "has a header but no rows"),
    ("one word", b"hello", "1 column"),
    ("one column", b"kind\na\nb\n", "1 column"),
    ("one column of numbers", b"1\n2\n3\n", "1 column"),
    ("two columns", b"x1,kind\n1,a\n2,b\n", "2 columns"),
    ("columns aligned by spaces", b"x1  x2  kind\n1  2  a\n3  4  b\n", "separate three or more by commas"),
    ("prose", b"Dear reader,\nthis is a letter.\nYours\n", "2 columns"),
    ("no header, one class", b"5.1,3.5,1.4,setosa\n4.9,3.0,1.4,setosa\n", "No column can be the label"),
    ("no header, one line", b"5.1,3.5,setosa\n", "No column can be the label"),
    ("no header, a row too short", b"1.5,2,a\n2.5,3\n", "Line 2 has 2 fields where the first line has 3"),
    ("two columns and blank ones", b"x1,kind,,\n1,a,,\n2,b,,\n", "2 columns"),
    ("a row that goes on behind blank fields", b"x1,x2,kind\n1,2,a,,,\n3,4,b,,,c\n", "Line 3 has 6 fields where"),
    ("a row too short before one too long", b"x1,x2,kind\n1,2,a\n3,4\n5,6,b,c\n", "Line 3 has 2 fields where"),
    ("a thousand and one columns", WIDE_HEADER.encode(), "1,001 columns"),
    ("no numbers", b"name,town,kind\nAnn,Bonn,a\nBob,Rome,b\n", "no numeric column"),
    ("one numeric column", b"x1,town,kind\n1,Bonn,a\n2,Rome,b\n", "only one numeric column, 'x1'"),
    ("mostly words in a column", b"x1,x2,kind\n1,u,a\n2,v,b\n3,5,a\n", "only one numeric column, 'x1'"),
    ("numbers in a currency", b"x1,x2,kind\n$1,$2,a\n$3,$4,b\n", "no numeric column"),
    ("numbers with units", b"x1,x2,kind\n1 cm,2 cm,a\n3 cm,4 cm,b\n", "no numeric column"),
    ("quoted thousands", b'x1,x2,kind\n"1,000","2,500",a\n"3,000","4,500",b\n', "no numeric column"),
    ("groups that are not of three digits", b"x1,x2,kind\n1 00,2 5000,a\n3 00,4 5000,b\n", "no numeric column"),
    ("numbers with underscores", b"x1,x2,kind\n1_0,2_0,a\n3_0,4_0,b\n", "no numeric column"),
    ("dates", b"day,x2,kind\n2024-01-01,2,a\n2024-01-02,4,b\n", "only one numeric column, 'x2'"),
    ("infinite numbers only", b"x1,x2,kind\ninf,1,a\n-inf,2,b\n", "only one numeric column, 'x2'"),
    ("numbers beyond every float", b"x1,x2,kind\n1e400,1,a\n1e999,2,b\n", "only one numeric column, 'x2'"),
    ("absurdly large numbers", b"x1,x2,kind\n1e101,1,a\n-1e300,2,b\n", "only one numeric column, 'x2'"),
    ("every number missing", b"x1,x2,kind\n,1,a\nNA,2,b\n", "only one numeric column, 'x2'"),
    ("a row too short", b"x1,x2,kind\n1,2,a\n3,4\n5,6,b\n", "Line 3 has 2 fields where the first line has 3"),
    ("a row of one field", b"x1,x2,kind\n1,2,a\nend\n", "Line 3 has 1 field where the first line has 3"),
    ("a row too long", b"x1,x2,kind\n1,2,a\n\n3,4,b,c\n", "Line 4 has 4 fields where the first line has 3"),
    ("decimal commas between commas", b"x1,x2,kind\n1,5,2,5,a\n", "Line 2 has 5 fields where the first line has 3"),
    ("a remark above the header", b"# made by hand\nx1,x2,kind\n1,2,a\n3,4,b\n", "1 column"),
    ("a quotation without end", b'x1,x2,kind\n1,2,a\n3,4,"b\n5,6,a\n', "Line 3 has a quotation mark out of place"),
    ("a quotation within a quotation", b'x1,x2,kind\n1,2,"a"b"\n', "Line 2 has a quotation mark out of place"),
    ("a field without end", b"x1,x2,kind\n1,2," + b"a" * 200_000, "Line 2 has a quotation mark out of place"),
    ("a spreadsheet", b"PK\x03\x04\x14\x00\x06\x00", "looks like a spreadsheet"),
    ("an old spreadsheet", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "looks like a spreadsheet"),
    ("a PDF document", b"%PDF-1.7\n%\xe2\xe3", "looks like a PDF document"),
    ("a PNG picture", b"\x89PNG\r\n\x1a\n\x00\x00", "looks like a picture"),
    ("a JPEG picture", b"\xff\xd8\xff\xe0\x00\x10JFIF", "looks like a picture"),
    ("a compressed table", gzip.compress(GOOD.encode()), "looks like a compressed file"),
    ("a web page", b"<!DOCTYPE html>\n<html><body>404</body></html>", "looks like a web page"),
    ("a web page with a byte order mark", b"\xef\xbb\xbf\n<table><tr></tr></table>", "looks like a web page"),
    ("XML", b'<?xml version="1.0"?><a/>', "looks like a web page or XML"),
    ("JSON, an object", json.dumps({"x1": [1, 2], "x2": [3, 4]}).encode(), "looks like JSON"),
    ("JSON, a list", json.dumps([{"x1": 1, "x2": 2, "kind": "a"}], indent=1).encode(), "looks like JSON"),
    ("JSON, bare rows", b"[[1, 2, 0], [3, 4, 1]]", "looks like JSON"),
    ("a zero byte", b"x1,x2,kind\n1,\x002,a\n3,4,b\n", "bytes that are not text"),
    ("UTF-16 without its mark", GOOD.encode("utf-16-le"), "bytes that are not text"),
    ("broken UTF-16", UNDECODABLE, "bytes that are not text"),
    ("UTF-16 of an odd length", GOOD.encode("utf-16")[:-1], "bytes that are not text"),
    ("machine code", bytes(range(1, 32)) * 20, "bytes that are not text"),
    ("too many bytes", b"x" * (MAX_BYTES + 1), "larger than 20 MB"),
    ("no label column", rows_of("{i},{i}.5,{i}.25\n", 60).replace("kind", "z").encode(), "No column can be the label"),
    ("a label of one class", b"x1,x2,kind\n1,5,a\n2,6,a\n3,7,a\n", "No column can be the label"),
    ("a label without values", b"x1,x2,kind\n1,5,\n2,6,NA\n3,7,\n", "No column can be the label"),
    ("names for labels", rows_of("{i},{i}.5,name{i}\n", 300).encode(), "No column can be the label"),
    ("features that never vary", b"x1,x2,kind\n3,1,a\n3,2,b\n3,3,a\n", "there are not two numeric columns that vary"),
    ("a feature constant in both classes", b"x1,x2,kind\n3,1,a\n3,2,b\n3,3,a\n3,4,b\n4,5,c\n", "has 3 in 'x1'"),
    ("a feature that varies too little", b"x1,x2,kind\n0,1,a\n1e-200,2,b\n0,3,b\n", "has 0 in 'x1'"),
    ("a class without numbers", b"x1,x2,kind\n1,2,a\n3,4,a\n,6,b\n7,x,b\n", "No row of class 'b' is usable (line 4"),
    ("no usable row at all", b"x1,x2,kind\n1,,a\n,2,b\n2,,a\n,1,b\n", "No row of class 'a' is usable"),
]


@pytest.mark.parametrize(("data", "fragment"), [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS])
def test_a_wrong_file_gets_one_sentence_that_says_what_is_wrong(data: bytes, fragment: str) -> None:
    with pytest.raises(TableError) as caught:
        shown(data)
    assert fragment in sentence_of(caught.value)


def test_there_are_at_least_forty_named_faults() -> None:
    assert len({name for name, _, _ in FAULTS}) == len(FAULTS) >= 40


TOWNS = "x1,x2,kind,one,none,town\n" + "".join(f"{i},{i * i},{'ab'[i % 2]},same,,town{i}\n" for i in range(300))
CHOICE_FAULTS = [
    ("an unknown feature", Choice(("x1", "x9"), "kind", ("a", "b")), "There is no column 'x9': choose one of 'x1'"),
    ("an unknown label", Choice(("x1", "x2"), "Kind", ("a", "b")), "There is no column 'Kind'"),
    ("a hostile name", Choice(("x1", "a\nb" + "z" * 999), "kind", ("a", "b")), "There is no column 'a bzzz"),
    ("one feature twice", Choice(("x1", "x1"), "kind", ("a", "b")), "The feature 'x1' is chosen twice"),
    ("a feature as the label", Choice(("x1", "x2"), "x2", ("1", "4")), "'x2' is both label and feature"),
    ("words as a feature", Choice(("x1", "town"), "kind", ("a", "b")), "'town' does not hold numbers"),
    ("names as the label", Choice(("x1", "x2"), "town", ("town1", "town2")), "has 300 different values"),
    ("one class only", Choice(("x1", "x2"), "one", ("same", "other")), "has one class only, 'same'"),
    ("no class at all", Choice(("x1", "x2"), "none", ("a", "b")), "has no value in any row"),
    ("an absent class", Choice(("x1", "x2"), "kind", ("a", "c")), "'kind' has no class 'c': choose one of 'a', 'b'"),
    ("one class twice", Choice(("x1", "x2"), "kind", ("b", "b")), "The class 'b' is chosen twice"),
]


@pytest.mark.parametrize(("choice", "fragment"), [pytest.param(*fault[1:], id=fault[0]) for fault in CHOICE_FAULTS])
def test_a_wrong_choice_gets_one_sentence_that_says_what_is_wrong(choice: Choice, fragment: str) -> None:
    with pytest.raises(TableError) as caught:
        shown(TOWNS, choice)
    assert fragment in sentence_of(caught.value)


def test_measurements_are_no_label() -> None:
    table = read_table(("x,y,z\n" + "".join(f"{i},{i * i},{i / 7}\n" for i in range(300))).encode())
    with pytest.raises(TableError, match="looks like a number or a name, not a class"):
        table.examples(Choice(("x", "y"), "z", ("0", "1")))


def test_the_classes_of_an_unknown_column_are_a_sentence() -> None:
    with pytest.raises(TableError) as caught:
        read_table(GOOD.encode()).classes("colour")
    assert "There is no column 'colour'" in sentence_of(caught.value)


def test_a_sentence_names_the_file_where_one_was_given() -> None:
    with pytest.raises(TableError, match=r"^'cats\.csv' is empty"):
        read_table(b"", "cats.csv")
