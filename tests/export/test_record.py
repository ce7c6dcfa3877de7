"""The run as CSV and JSON, and its examples as CSV: what stands there is what the run holds, at
every step.
"""

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import kpviz
from kpviz import experiment
from kpviz.engine.data import boolean, datasets
from kpviz.engine.data.datasets import Dataset
from kpviz.engine.data.tables import Choice, read_table
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.fold import alpha_after
from kpviz.experiment import Split
from kpviz.export import record
from kpviz.settings import FILE, Settings

OBJECTS = {
    "texts": {
        "data": "texts",
        "added": "+l’été à la plage;-fry 2 eggs",
        "ask": "a cup of tea",
        "held": 0.2,
    },
    "trees": {"data": "trees", "added": '+(S "a, b" $);-(S (A a))', "ask": "(S x)", "seed": 4},
    "graphs": {"data": "graphs", "rounds": 4, "added": "+CCO 1-2 2-3"},
}
SETTINGS = [
    *({"learner": name, "n": 30, "epochs": 4, "flipped": 0.1} for name in LEARNERS),
    {
        "n": 20,
        "epochs": 4,
        "eta": 0.3,
        "intercept": "radius",
        "order": "random",
        "kernel": "linear",
    },
    {"n": 20, "epochs": 6, "tie": "positive", "order": "shuffled", "kernel": "polynomial"},
    {"n": 20, "epochs": 5, "order": "hand", "sequence": "AEACAA"},
    {"n": 20, "epochs": 8, "learner": "forgetron", "budget": 3, "variant": "basic"},
    {"n": 20, "epochs": 8, "learner": "oldest", "budget": 2, "kernel": "linear"},
    {"n": 20, "epochs": 5, "learner": "norma", "nu": 0.3, "tau": 7, "schedule": "inverse-sqrt"},
    {"n": 20, "epochs": 5, "learner": "norma", "lambda": 0.09},
    {"data": "moons", "stream": "on", "n": 80, "learner": "norma", "tau": 9},
    {"n": 4, "noise": 0.0, "kernel": "linear", "tie": "correct"},
    {"data": "iris", "held": 0.3},
    {"data": "drawn", "points": "j6QY.A"},
    {"data": "drawn"},
    {"data": "bits", "function": "multiplexer", "bits": 6, "negated": "off"},
    *OBJECTS.values(),
]


def made(values):
    settings = Settings.of(**values)
    split = experiment.prepare(settings)
    return settings, split, experiment.run(settings, split)


def table_of(run):
    names, *lines = csv.reader(io.StringIO(record.to_csv(run)))
    columns = zip(*lines, strict=True) if lines else [()] * len(names)
    return dict(zip(names, columns, strict=True))


def assert_alpha(alpha, run):
    expected = np.array(
        [run.state_at(t).alpha[run.index[t - 1]] for t in range(1, run.n_steps + 1)]
    )
    if not (run.changes.shrinks or run.changes.evicts or run.start):
        assert_array_equal(alpha, expected)
    assert_allclose(alpha, expected, rtol=1e-11, atol=1e-13)
    assert_array_equal(alpha == 0, expected == 0)


@pytest.mark.parametrize("values", SETTINGS, ids=str)
def test_each_line_is_one_presentation_as_the_run_recorded_it(values):
    _, _, run = made(values)
    texts = table_of(run)
    assert list(texts) == ["step", "epoch", "example", "y", "f", "margin", "mistake", "alpha"]
    table = {name: np.array([float(text) for text in column]) for name, column in texts.items()}
    y = run.y[run.index]
    expected = {
        "step": np.arange(1, run.n_steps + 1),
        "example": run.index,
        "y": y,
        "mistake": run.mistake,
    }
    expected |= {"f": run.score, "margin": y * run.score}  # every bit
    for name, column in expected.items():
        assert_array_equal(table[name], column, err_msg=name)
    counts = np.bincount(table["epoch"].astype(int) - 1, table["mistake"], run.n_epochs)
    assert_array_equal(counts, run.mistakes_per_epoch)
    assert_alpha(table["alpha"], run)
    assert not any(
        text.startswith("-0.0") and float(text) == 0 for column in texts.values() for text in column
    )


def of_file(**given):
    """A file with a line that cannot be used, some of whose rows are held out."""
    rows = "".join(f"{7 * i % 40},{i * i % 17},{'ab'[i % 2]}\n" for i in range(30))
    table = read_table(f"width,height,kind\n1,,a\n{rows}".encode(), "rows.csv")
    settings = Settings.of(data=FILE, file="rows.csv~0", epochs=3, held=0.2, **given)
    split = experiment.prepare(settings, table)
    return settings, split, experiment.run(settings, split), rows.splitlines()


def test_each_row_of_the_run_and_of_the_examples_names_its_line_of_the_file():
    settings, split, run, rows = of_file()
    columns = (record_of(run, split, name) for name in ("example", "y", "line"))
    for i, y, line in zip(*columns, strict=True):
        assert rows[int(line) - 3].endswith("a" if y == "-1" else "b")
        assert rows[int(line) - 3].startswith(
            f"{record.in_own_units(split.source)[int(i)][0]:.0f},"
        )
    written = json.loads(record.to_json(run, settings, split))
    assert [*written["line"], *written["line_test"]] == split.lines.tolist()
    assert (len(written["line"]), len(written["line_test"])) == (24, 6)
    for row in csv.DictReader(io.StringIO(record.data_csv(split))):
        assert (
            rows[int(row["line"]) - 3]
            == f"{float(row['width']):.0f},{float(row['height']):.0f},{row['class']}"
        )


def record_of(run, split, name):
    return [row[name] for row in csv.DictReader(io.StringIO(record.to_csv(run, split.lines)))]


def test_a_training_that_goes_on_starts_from_the_alpha_it_had():
    X, y = kpviz.make_dataset("moons", 20, 0.3)
    for learner in (
        kpviz.learners.Perceptron(learning_rate=0.1),
        kpviz.learners.Forgetron(budget=4),
    ):
        first = kpviz.train(learner, X, y, kernel=kpviz.kernels.Gaussian(0.5), epochs=2)
        start = first.state_at(first.n_steps)
        run = kpviz.train(learner, X, y, kernel=kpviz.kernels.Gaussian(0.5), epochs=3, start=start)
        assert_alpha(alpha_after(run), run)


@pytest.mark.parametrize("values", SETTINGS, ids=str)
def test_json_holds_the_run_its_examples_and_where_it_ended(values):
    settings, split, run = made(values)
    found = json.loads(record.to_json(run, settings, split), parse_constant=pytest.fail)
    assert (found["kpviz"], found["version"], found["link"]) == ("run", 1, settings.link())
    assert Settings.of(**found["settings"]) == settings
    assert (found["end"], tuple(found["classes"])) == (run.end, split.source.classes)
    assert len(found["features"]) == (1 if run.X.ndim == 1 else run.X.shape[1])
    final = run.state_at(run.n_steps)
    for owner, names in (
        (split, ("X", "y", "X_test", "y_test")),
        (run, ("index", "score", "mistake", "epoch_start", "mistakes_per_epoch")),
        (final, ("alpha", "coef", "intercept")),
    ):
        for name in names:
            expected = getattr(owner, name)
            assert_array_equal(np.reshape(found[name], np.shape(expected)), expected, err_msg=name)


def test_an_infinite_score_is_refused_in_one_sentence():
    X, y = np.array([[1.0], [1.0]]) * 1e150, np.array([1.0, -1.0])
    learner = kpviz.learners.Perceptron(learning_rate=1e10)
    with np.errstate(over="ignore"):
        run = kpviz.train(learner, X, y, kernel=kpviz.kernels.Linear(), epochs=2)
    with pytest.raises(ValueError, match=r"^Some scores are too large for JSON: .*\.$"):
        record.to_json(run, Settings.of(), Split(X, y, X[:0], y[:0], Dataset(X, y)))
    assert [float(f) for f in table_of(run)["f"]] == run.score.tolist()


# ---- the examples --------------------------------------------------------------------------------


def read_again(text, source, classes=None):
    """The examples of a CSV file that was written for `source`."""
    table = read_table(text.encode())
    return table.examples(Choice(source.features, "class", classes or source.classes), limit=10**6)


@pytest.mark.parametrize("data", ["iris", "breast_cancer"])
def test_measured_examples_are_written_as_they_were_measured(data):
    _, split, _ = made({"data": data, "held": 0.2})
    text = record.data_csv(split)
    assert_array_equal(read_again(text, split.source).y, split.source.y)
    measured = {f"{value!r}" for value in datasets.real_table(data).values.ravel().tolist()}
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row[name] for row in rows for name in split.source.features} <= measured
    assert [row["held_out"] for row in rows] == ["no"] * len(split.y) + ["yes"] * len(split.y_test)


@pytest.mark.parametrize("data", ["xor", "moons", "shifted"])
def test_drawn_examples_are_written_with_every_bit(data):
    _, split, _ = made({"data": data, "epochs": 1})
    again = read_again(record.data_csv(split), split.source, ("-1", "1"))
    assert_array_equal(again.X, split.X)
    assert_array_equal(again.y, split.y)
    assert "held_out" not in record.data_csv(split)


@pytest.mark.parametrize("values", OBJECTS.values(), ids=OBJECTS)
def test_objects_are_text_and_class(values):
    _, split, _ = made(values)
    head, *rows = csv.reader(io.StringIO(record.data_csv(split)))
    held = len(split.y_test)
    assert head == ["text", "class", *["held_out"] * bool(held)]
    assert [row[0] for row in rows] == split.everything.tolist()
    assert [row[1] for row in rows] == [split.source.classes[int(y > 0)] for y in split.source.y]
    assert [row[2] for row in rows if held] == (
        ["no"] * len(split.y) + ["yes"] * held if held else []
    )


def test_the_examples_of_a_function_are_its_truth_table():
    _, split, _ = made({"data": "bits", "function": "x1 & !x2 | x3", "bits": 3})
    head, *rows = csv.reader(io.StringIO(record.data_csv(split)))
    assert head == ["x1", "x2", "x3", "class"]
    truth = [[*f"{i:03b}", boolean.CLASSES[i in (1, 3, 4, 5, 7)]] for i in range(8)]
    assert rows == truth


@example([(0.0, 988959.25), (0.0, -802820.0), (0.0, -543279.5659044725)], 1e12)
@given(
    st.lists(
        st.tuples(
            *[st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda value: value + 0.0)] * 2
        ),
        min_size=2,
        max_size=30,
    ),
    st.sampled_from([1.0, 1e-9, 1e12]),
)
def test_what_was_scaled_is_written_so_that_it_scales_to_the_same_numbers(rows, factor):
    values = np.array(rows) * factor
    values[0], values[1] = values.min(axis=0) - factor, values.max(axis=0) + factor
    X, frame = datasets.scale(values, ("a", "b"), ("no", "yes"))
    source = Dataset(
        X, np.ones(len(X)), frame.features, frame.classes, True, frame.lows, frame.highs
    )
    own = record.in_own_units(source)
    assert_allclose(own, values, rtol=1e-12, atol=1e-12 * np.abs(values).max())
    assert_array_equal(datasets.scale(own, ("a", "b"), ("no", "yes"))[0], X)


X, Y = np.array([[0.0, -1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])


@pytest.mark.parametrize(
    ("name", "written"),
    [
        *(
            (name, f"'{name}")
            for name in (
                '=HYPERLINK("http://host/")',
                "+cmd|' /C calc'!A0",
                "-2+3",
                "@SUM(A1)",
                "＝1+1",
            )
        ),
        *((name, name) for name in ("+", "+1e3", "a=b", 'the "one"', "no, never")),
    ],
)
def test_no_name_is_a_formula_to_a_spreadsheet_and_others_are_read_again(name, written):
    source = Dataset(X, Y, ('a, "b"', name), ("no", name))
    text = record.data_csv(Split(X, Y, X[:0], Y[:0], source))
    rows = list(csv.reader(io.StringIO(text)))
    assert rows == [['a, "b"', written, "class"], ["0.0", "-1.0", "no"], ["1.0", "0.0", written]]


@pytest.mark.parametrize("classes", [("", "b"), ("a", "a"), ("−1", "+1")])
def test_names_that_tell_no_classes_apart_give_way_to_the_labels(classes):
    text = record.data_csv(Split(X, Y, X[:0], Y[:0], Dataset(X, Y, ("a", "b"), classes)))
    assert text == "a,b,class\n0.0,-1.0,-1\n1.0,0.0,1\n"
