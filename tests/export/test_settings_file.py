"""Settings as a file: what is written is read again exactly, and what strangers write ends in one
sentence.
"""

import csv
import io
import json

import numpy as np
import pytest
import strategies
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.engine.data.cells import Cells
from kpviz.engine.data.columns import ColumnClasses, NumericColumns
from kpviz.engine.data.drawn import Axis, Drawn, Names
from kpviz.engine.data.tables import Table, read_table
from kpviz.export import settings_file
from kpviz.export.settings_file import SettingsFileError
from kpviz.settings import BY_NAME, FILE, PROPERTIES, Settings

TEXTS = ("file", "cols", "points", "names", "sequence")
FLOWERS = b"id,width,height,colour,kind\n" + b"".join(
    b"%d,%d.5,%d,%d,%s\n" % (i, i * 7 % 11, i * 5 % 13, i * 3 % 4, b"rose" if i % 3 else b"iris")
    for i in range(90)
)


def is_one_sentence(text):
    ends = text.endswith(".") and "\n" not in text and text.isprintable()
    return ends and text[:1].isalpha() and 20 < len(text) < 400


def read_or_message(text):
    """What is read, or the sentence that refuses it."""
    try:
        return settings_file.read(text)
    except SettingsFileError as error:
        return str(error)


# ---- strategies ----------------------------------------------------------------------------------


CHOSEN = strategies.given_of([prop for prop in PROPERTIES if not prop.text])
NAMES = st.just("") | st.builds(
    lambda a, b, ends: Names((a, b), ("no", "yes"), *ends).code,
    st.text(max_size=50),
    st.text(max_size=5),
    st.sampled_from([(None, None), ((-1.5, 0.1), (7.0, 1e9))]),
)


@st.composite
def settings_by_hand(draw):
    drawn = draw(strategies.drawings())
    first = sequence.encode(draw(st.permutations(range(drawn.n))))
    order = {"order": "hand", "sequence": first} if draw(st.booleans()) else {}
    return Settings.of(
        **{**draw(CHOSEN), "data": "drawn", "points": drawn.code, "names": draw(NAMES), **order}
    )


NUMBERS = st.floats(-1e9, 1e9) | st.integers(-5, 5).map(float)
CLASSES = [
    ("a", "b"),
    ("1", "2"),
    ("no", "yes"),
    ("1.0", "2.0"),
    ("x~y", "x-y"),
    ("0", "zero"),
    ("é" * 60, "é" * 61),
]


@st.composite
def tables(draw):
    """A CSV file of two features, a text, and a label; and settings that can be used with it."""
    names = draw(
        st.lists(st.text(max_size=50).filter(str.isprintable), min_size=2, max_size=2, unique=True)
    )
    classes = draw(st.sampled_from(CLASSES))
    rows = draw(
        st.lists(
            st.tuples(NUMBERS, NUMBERS, st.sampled_from([*classes, "else"])),
            min_size=4,
            max_size=30,
        )
    )
    rows += [(0.0, 1.0, classes[0]), (1.0, 0.0, classes[1])] * 2
    text = io.StringIO()
    csv.writer(text).writerows([["note", *(f"{name} cm" for name in names), "class"]])
    csv.writer(text).writerows([["-", repr(x1), repr(x2), label] for x1, x2, label in rows])
    return read_table(text.getvalue().encode()), classes


RNG = np.random.default_rng(0)
MOST = Drawn(
    RNG.integers(0, 4096, (1000, 2)),
    RNG.choice([-1.0, 1.0], 1000),
    300,
    (Axis(-20, -9, 4000), Axis(7, 5, 3)),
)

# ---- round trips ---------------------------------------------------------------------------------


OBJECTS = (
    {"data": "texts", "added": "+l’été à la plage;-fry 2 eggs", "ask": "a cup of tea", "held": 0.2},
    {"data": "texts", "kernel": "spectrum", "length": 5, "normalize": "off"},
    {"data": "trees", "added": '+(S "a, b" $);-(S (A a))', "ask": "(S x)", "seed": 4},
    {"data": "graphs", "rounds": 4, "added": "+CCO 1-2 2-3"},
    {"data": "bits", "function": "x1 & !x2 | x3", "bits": 5, "seed": 9, "held": 0.1},
    {"kernel": "formula", "formula": "exp(-norm(u - v)**2/3) + dot(u, v)**2"},
    {"kernel": "mixture", "components": 5},
    {"kernel": "subsets", "negated": "on"},
)


@example(Settings.of(data="drawn", points=MOST.code))
@given(
    CHOSEN.filter(lambda chosen: chosen.get("data") != FILE).map(
        lambda chosen: Settings.of(**chosen)
    )
    | settings_by_hand()
    | st.sampled_from(OBJECTS).map(lambda given: Settings.of(**given))
)
def test_settings_are_read_as_they_were_written(made):
    assert settings_file.read(settings_file.write(made)) == (made, None, None)


def same_examples(left, right):
    return all(
        np.array_equal(getattr(left, name), getattr(right, name))
        for name in ("X", "y", "X_test", "y_test")
    )


@settings(deadline=None)
@given(tables(), CHOSEN, st.integers(4, 20), st.booleans())
def test_of_a_file_the_same_examples_are_prepared(case, chosen, n, guessed):
    table, classes = case
    cols = "" if guessed else "~".join([*table.numeric[:2], "class", *classes])
    made = Settings.of(
        **{**chosen, "data": FILE, "file": "flowers.csv~0123456789ab", "cols": cols, "n": n}
    )
    try:
        split = experiment.prepare(made, table)
    except ValueError:  # a feature does not vary, or its name is one that a link cannot hold
        reject()
    again, small, notice = settings_file.read(settings_file.write(made, table))
    assert notice is None
    assert same_examples(experiment.prepare(again, small), split)
    assert again.file.startswith("flowers.csv~")
    assert again.reduce == "off"  # principal components are kept as columns
    assert again.replace(file=made.file, cols=made.cols, reduce=made.reduce) == made
    assert settings_file.read(settings_file.write(again, small))[0] == again


def test_classes_that_are_read_as_other_names_are_written_as_they_are_read():
    kinds, values = ["1.0", "2.0", "1.0", "2.0"], np.array([0.0, 1.0, 2.0, 3.0])
    numbers = NumericColumns()
    classes = {"class": ColumnClasses.of(Cells.of(kinds), None)}
    for name, column in {"a": values, "b": values[::-1]}.items():
        cells = Cells.of(list(map(str, column)))
        numbers.add(name, column, cells, [])
        classes[name] = ColumnClasses.of(cells, column)
    table = Table("numbers", ("a", "b", "class"), ("a", "b"), np.arange(2, 6), classes, numbers)
    made = Settings.of(data=FILE, file="numbers.csv~0123456789ab", cols="a~b~class~1.0~2.0", n=4)
    again, small, _ = settings_file.read(settings_file.write(made, table))
    assert settings_file.read(settings_file.write(again, small))[0] == again
    assert again.cols == "a~b~class~1~2"


@pytest.mark.parametrize(
    ("chosen", "columns"),
    [
        ({"cols": "width~height~kind~iris~rose"}, ("width", "height", "kind")),
        ({"reduce": "on"}, ("PC 1", "PC 2", "kind")),
    ],
)
def test_only_the_rows_and_columns_in_use_are_kept(chosen, columns):
    table, made = (
        read_table(FLOWERS),
        Settings.of(data=FILE, file="flowers.csv~0", n=40, held=0.3, **chosen),
    )
    again, small, _ = settings_file.read(settings_file.write(made, table))
    assert ([*small.columns], small.n_rows) == ([*columns], 40)
    assert same_examples(experiment.prepare(again, small), experiment.prepare(made, table))


def test_other_rows_are_another_file_whatever_it_is_called():
    made = Settings.of(data=FILE, file="flowers.csv~0")
    file = json.loads(settings_file.write(made, read_table(FLOWERS)))
    honest = settings_file.read(json.dumps(file))[0].file
    forged = settings_file.read(json.dumps({**file, "csv": file["csv"] + "1,2,rose\n"}))[0].file
    assert honest == file["settings"]["file"]
    assert forged.startswith("flowers.csv~")
    assert forged != honest


def test_a_file_is_written_for_people():
    made = Settings.of(
        data="drawn",
        points=Drawn.of(np.array([[0.25, -1.0], [0.5, 0.125]]), np.array([-1.0, 1.0]), 1).code,
    )
    assert settings_file.write(made.replace(sigma=0.2)) == (
        '{\n  "kpviz": "settings",\n  "version": 1,\n  "settings": {"data": "drawn", "sigma": '
        "0.2},\n"
        '  "points": [\n    [0.25, -1.0, -1],\n    [0.5, 0.125, 1]\n  ],\n  "held_out": 1\n}\n'
    )


def test_a_file_written_by_hand_needs_no_more_than_its_points():
    found, _, notice = settings_file.read(
        '{"kpviz": "settings", "points": [[0, 0, 1], [3, -40, -1], [3.14159, 2, 1]]}'
    )
    split = experiment.prepare(found)
    assert notice is None
    assert_array_equal(split.X, [[0, 0], [3, -40], [3.142, 2]])  # as near as 12 bits let them
    assert split.y.tolist() == [1, -1, 1]


def test_bytes_with_a_mark_of_their_order_are_read_too():
    assert settings_file.read(b'\xef\xbb\xbf{"kpviz": "settings", "settings": {"seed": 3}}')[
        0
    ] == Settings.of(seed=3)


# ---- what cannot be used -------------------------------------------------------------------------


def of_parts(**parts):
    return json.dumps({"kpviz": "settings", "version": 1, **parts})


REFUSED = {
    "": "is not JSON",
    "x": "is not JSON",
    "{": "is not JSON",
    "[" * 100_000: "is not JSON",
    '{"kpviz": "settings", "settings": {"sigma": NaN}}': "is not JSON",
    '{"kpviz": "settings", "settings": {"sigma": ' + "9" * 5000 + "}}": "is not JSON",
    "null": "no settings of kpviz",
    "[1, 2]": "no settings of kpviz",
    '{"kpviz": "run"}': "holds a run, not settings",
    '{"a": 1}': "no settings of kpviz",
    '{"kpviz": ["settings"]}': "no settings of kpviz",
    of_parts(settings=[]): "no settings of kpviz",
    of_parts(settings={"data": "file"}): "rows they do not hold",
    of_parts(csv=[1]): "rows they do not hold",
    of_parts(csv=""): "is empty",
    of_parts(csv="a,b,c\n"): "no rows",
    of_parts(csv="a,b,c\n1,1,x\n1,2,y\n"): "choose|vary",
    of_parts(csv="a,b,c\n1,1,x\n2,2,y\n", settings={"cols": "a~b~d~x~y"}): "no column 'd'",
    of_parts(points={}): "Not every point",
    of_parts(points=[[1, 2]]): "Not every point",
    of_parts(points=[[1, 2, 0]]): "Not every point",
    of_parts(points=[[1, True, 1]]): "Not every point",
    of_parts(points=[[1, "2", 1]]): "Not every point",
    of_parts(points=[[1, 2, 1, 1]]): "Not every point",
    '{"kpviz": "settings", "points": [[1e999, 0, 1]]}': "Not every point",
    of_parts(points=[[0, 0, 1]] * 1001): "more than 1,000",
    of_parts(points=[[0, 0, 1]], held_out=2): "held_out",
    of_parts(points=[[0, 0, 1]], held_out=True): "held_out",
    of_parts(points=[[0, 0, 1]], held_out=0.5): "held_out",
    of_parts(points=[[0, 0, 1]], axes=3): "axes",
    of_parts(points=[[0, 0, 1]], axes=[[0, 0, 1]]): "axes",
    of_parts(points=[[0, 0, 1]], axes=[[0, 0, 1.5], [0, 0, 1]]): "axes",
    of_parts(points=[[0, 0, 1]], axes=[[99, 0, 1], [0, 0, 1]]): "axes",
    of_parts(points=[[0, 0, 1], [1e90, 1, 1]]): "too large",
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.items(), ids=[text[:60] for text in REFUSED])
def test_what_is_no_settings_file_is_refused_in_one_sentence(text, expected):
    with pytest.raises(SettingsFileError, match=expected) as refused:
        settings_file.read(text)
    assert is_one_sentence(str(refused.value))


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe{", b'{"kpviz": "\xe9"}', b"\x00" * 50, " " * 20_000_001, b" " * 20_000_001],
)
def test_other_bytes_and_a_huge_file_are_refused_in_one_sentence(content):
    with pytest.raises(
        SettingsFileError, match="larger than 20 MB" if len(content) > 50 else "is not JSON"
    ):
        settings_file.read(content)


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ({"settings": {"sigma": 99}}, "sigma=99 is outside"),
        ({"settings": {"sigma": "abc"}}, "sigma=abc is not a number"),
        ({"settings": {"sigma": None}}, "sigma is neither a number nor a text"),
        ({"settings": {"kernel": ["linear"]}}, "kernel is neither a number nor a text"),
        ({"settings": {"seed": True}}, "seed is neither a number nor a text"),
        ({"settings": {"sgima": 1}}, "sgima is not a setting"),
        ({"settings": {"<b>": 1}}, "is not a setting"),
        ({"settings": {}, "version": 2}, "was saved by a newer kpviz: update this one."),
        ({"settings": {}, "version": True}, "version"),
        ({"settings": {}, "extra": 1}, "extra is not a part of it"),
        ({"settings": {}, "a b": 1}, "a part without a plain name"),
        ({"settings": {"data": "moons"}, "points": [[0, 0, 1]]}, "points is not for data=moons"),
        ({"settings": {"data": "drawn"}, "csv": "a"}, "csv is not for data=drawn"),
        ({"settings": {}, "held_out": 1}, "held_out is not for data=xor"),
        (
            {"settings": {"data": "bits", "function": "x1 & (x2 | x3)"}},
            "At character 10: a bracket holds one term",
        ),
        ({"settings": {"data": "texts", "added": "+a;b"}}, "Added text 2 begins with 'b'"),
        ({"settings": {"data": "graphs", "ask": "CCO 1-9"}}, "edge 1-9 leads to no vertex"),
        (
            {"settings": {"kernel": "formula", "formula": "nrom(u - v)"}},
            "At character 1: nrom is unknown",
        ),
        (
            {"settings": {"kernel": "words"}},
            "kernel=words compares texts, and these data are vectors",
        ),
        ({"settings": {f"k{i}": [] for i in range(20_000)}}, "and 19997 more"),
    ],
)
def test_what_can_be_used_in_part_is_opened_with_one_sentence(parts, named):
    found, _, notice = settings_file.read(json.dumps({"kpviz": "settings", **parts}))
    assert named in notice
    assert is_one_sentence(notice)
    assert found == Settings.of(**{name: found.values[name] for name in BY_NAME})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
PARTS = st.sampled_from(["version", "settings", "points", "held_out", "axes", "csv", "other"])
GOOD_PARTS = {
    "settings": {"data": "drawn"},
    "points": [[0, 0, 1]],
    "held_out": 0,
    "axes": [[-9, -9, 99], [-9, -9, 99]],
}


@settings(deadline=None, max_examples=150)
@given(
    st.dictionaries(PARTS, JSON, max_size=3),
    st.dictionaries(st.sampled_from(sorted(BY_NAME)), JSON),
    st.booleans(),
)
def test_whatever_json_is_given_it_is_opened_or_refused_in_one_sentence(parts, values, good):
    file = {"kpviz": "settings", **(GOOD_PARTS if good else {"settings": values}), **parts}
    outcome = read_or_message(json.dumps(file))
    if isinstance(outcome, str):
        assert is_one_sentence(outcome)
        return
    found, table, notice = outcome
    assert notice is None or is_one_sentence(notice)
    assert settings_file.read(settings_file.write(found, table))[0].replace(
        file=""
    ) == found.replace(file="")


def test_rows_that_are_not_here_cannot_be_written():
    with pytest.raises(SettingsFileError, match=r"is not here: .*\.$"):
        settings_file.write(Settings.of(data=FILE, file="flowers.csv~0"))
