"""The run as CSV and JSON: what stands there is what the run holds, at every step."""

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
from kpviz.engine.data import datasets
from kpviz.engine.data.datasets import Dataset
from kpviz.engine.data.tables import Choice, read_table
from kpviz.engine.learners import LEARNERS
from kpviz.experiment import Split
from kpviz.export import record
from kpviz.settings import Settings

SETTINGS = [
    *(Settings.of(learner=name, n=30, epochs=4, flipped=0.1) for name in LEARNERS),
    Settings.of(n=20, epochs=4, eta=0.3, intercept="radius", order="random", kernel="linear"),
    Settings.of(n=20, epochs=6, tie="positive", order="shuffled", kernel="polynomial"),
    Settings.of(n=20, epochs=5, order="hand", sequence="AEACAA"),
    Settings.of(n=20, epochs=8, learner="forgetron", budget=3, variant="basic"),
    Settings.of(n=20, epochs=8, learner="oldest", budget=2, kernel="linear"),
    Settings.of(n=20, epochs=5, learner="norma", nu=0.3, tau=7, schedule="inverse-sqrt"),
    Settings.of(n=20, epochs=5, learner="norma", **{"lambda": 0.09}),
    Settings.of(data="moons", stream="on", n=80, learner="norma", tau=9),
    Settings.of(n=4, noise=0.0, kernel="linear", tie="correct"),
    Settings.of(data="drawn", points="j6QY.A"),
    Settings.of(data="drawn"),
]
over_settings = pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: settings.query())


def made(settings):
    split = experiment.prepare(settings)
    return split, experiment.run(settings, split)


def table_of(run):
    lines = csv.reader(io.StringIO(record.to_csv(run)))
    names = next(lines)
    columns = zip(*lines, strict=True)
    return dict(zip(names, columns, strict=True)) if run.n_steps else dict.fromkeys(names, ())


@over_settings
def test_each_line_is_one_presentation_as_the_run_recorded_it(settings):
    _, run = made(settings)
    table = table_of(run)
    y = run.y[run.index]
    assert list(table) == ["step", "epoch", "example", "y", "f", "margin", "mistake", "alpha"]
    assert [int(step) for step in table["step"]] == list(range(1, run.n_steps + 1))
    assert [int(i) for i in table["example"]] == run.index.tolist()
    assert_array_equal([int(label) for label in table["y"]], y)
    assert_array_equal([float(f) for f in table["f"]], run.score)  # every bit
    assert_array_equal([float(margin) for margin in table["margin"]], y * run.score)
    assert set(table["mistake"]) <= {"0", "1"}
    assert [mistake == "1" for mistake in table["mistake"]] == run.mistake.tolist()


@over_settings
def test_the_mistakes_of_each_epoch_can_be_counted_in_the_table(settings):
    _, run = made(settings)
    table = table_of(run)
    counts = [0] * run.n_epochs
    for epoch, mistake in zip(table["epoch"], table["mistake"], strict=True):
        counts[int(epoch) - 1] += int(mistake)
    assert counts == run.mistakes_per_epoch.tolist()


@over_settings
def test_alpha_is_that_of_the_shown_example_after_the_step(settings):
    _, run = made(settings)
    expected = np.array([run.state_at(t).alpha[run.index[t - 1]] for t in range(1, run.n_steps + 1)])
    alpha = np.array([float(text) for text in table_of(run)["alpha"]])
    if not (run.changes.shrinks or run.changes.evicts):
        assert_array_equal(alpha, expected)
    assert_allclose(alpha, expected, rtol=1e-11, atol=1e-13)
    assert_array_equal(alpha == 0, expected == 0)


def test_a_training_that_goes_on_starts_from_the_alpha_it_had():
    X, y = kpviz.make_dataset("moons", 20, 0.3)
    for learner in (kpviz.learners.Perceptron(learning_rate=0.1), kpviz.learners.Forgetron(budget=4)):
        kernel = kpviz.kernels.Gaussian(0.5)
        first = kpviz.train(learner, X, y, kernel=kernel, epochs=2)
        run = kpviz.train(learner, X, y, kernel=kernel, epochs=3, start=first.state_at(first.n_steps))
        expected = [run.state_at(t).alpha[run.index[t - 1]] for t in range(1, run.n_steps + 1)]
        assert_allclose(record.alpha_after(run), expected, rtol=1e-12, atol=1e-15)


def test_no_number_is_written_as_minus_zero():
    texts = [record.to_csv(made(settings)[1]) for settings in SETTINGS]
    assert any("-0." in text for text in texts)  # a small negative score is one
    assert not any(",-0.0," in text or ",-0.0\n" in text for text in texts)


@over_settings
def test_json_holds_the_run_its_examples_and_where_it_ended(settings):
    split, run = made(settings)
    found = json.loads(record.to_json(run, settings, split), parse_constant=pytest.fail)
    assert (found["kpviz"], found["version"], found["link"]) == ("run", 1, settings.link())
    assert Settings.of(**found["settings"]) == settings
    final = run.state_at(run.n_steps)
    for name, values in {
        "X": split.X,
        "y": split.y,
        "X_test": split.X_test,
        "y_test": split.y_test,
        "index": run.index,
        "score": run.score,
        "mistake": run.mistake,
        "epoch_start": run.epoch_start,
        "mistakes_per_epoch": run.mistakes_per_epoch,
        "alpha": final.alpha,
        "coef": final.coef,
        "intercept": final.intercept,
    }.items():
        assert_array_equal(np.reshape(found[name], np.shape(values)), values, err_msg=name)
    assert found["end"] == run.end


def test_held_out_examples_are_in_the_json():
    settings = Settings.of(data="iris", held=0.3)
    split, run = made(settings)
    found = json.loads(record.to_json(run, settings, split))
    assert (len(found["y"]), len(found["y_test"])) == (70, 30)
    assert found["features"] == ["petal length (cm)", "petal width (cm)"]
    assert found["classes"] == ["versicolor", "virginica"]


def test_an_infinite_score_is_refused_in_one_sentence():
    X, y = np.array([[1.0], [1.0]]) * 1e150, np.array([1.0, -1.0])
    learner = kpviz.learners.Perceptron(learning_rate=1e10)
    with np.errstate(over="ignore"):
        run = kpviz.train(learner, X, y, kernel=kpviz.kernels.Linear(), epochs=2)
    split = Split(X, y, X[:0], y[:0], Dataset(X, y))
    assert np.isinf(run.score).any()
    with pytest.raises(ValueError, match=r"^Some scores are too large for JSON: .*\.$"):
        record.to_json(run, Settings.of(), split)
    assert [float(f) for f in table_of(run)["f"]] == run.score.tolist()


# ---- the examples ---------------------------------------------------------------------------------


def read_again(text, source, classes=None):
    """The examples of a CSV file that was written for `source`."""
    table = read_table(text.encode())
    return table.examples(Choice(source.features, "class", classes or source.classes), limit=10**6)


@pytest.mark.parametrize("data", ["iris", "breast_cancer"])
def test_measured_examples_are_written_as_they_were_measured(data):
    split = experiment.prepare(Settings.of(data=data, held=0.2))
    text = record.data_csv(split)
    again = read_again(text, split.source)
    assert_array_equal(again.y, split.source.y)
    measured = {f"{value!r}" for value in datasets.real_table(data).values.ravel().tolist()}
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row[name] for row in rows for name in split.source.features} <= measured
    assert [row["held_out"] for row in rows] == ["no"] * len(split.y) + ["yes"] * len(split.y_test)


@pytest.mark.parametrize("data", ["xor", "moons", "shifted"])
def test_drawn_examples_are_written_with_every_bit(data):
    split = experiment.prepare(Settings.of(data=data))
    again = read_again(record.data_csv(split), split.source, ("-1", "1"))
    assert_array_equal(again.X, split.X)
    assert_array_equal(again.y, split.y)
    assert "held_out" not in record.data_csv(split)


@example([(0.0, 988959.25), (0.0, -802820.0), (0.0, -543279.5659044725)], 1e12)
@given(
    st.lists(
        st.tuples(*[st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda value: value + 0.0)] * 2),
        min_size=2,
        max_size=30,
    ),
    st.sampled_from([1.0, 1e-9, 1e12]),
)
def test_what_was_scaled_is_written_so_that_it_scales_to_the_same_numbers(rows, factor):
    values = np.array(rows) * factor
    values[0], values[1] = values.min(axis=0) - factor, values.max(axis=0) + factor
    X, frame = datasets.scale(values, ("a", "b"), ("no", "yes"))
    source = Dataset(X, np.ones(len(X)), frame.features, frame.classes, True, frame.lows, frame.highs)
    own = record.in_own_units(source)
    assert_allclose(own, values, rtol=1e-12, atol=1e-12 * np.abs(values).max())
    assert_array_equal(datasets.scale(own, ("a", "b"), ("no", "yes"))[0], X)


def test_names_that_tell_no_classes_apart_give_way_to_the_labels():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])
    for classes in (("", "b"), ("a", "a"), ("−1", "+1")):
        text = record.data_csv(Split(X, y, X[:0], y[:0], Dataset(X, y, ("a", "b"), classes)))
        assert text == "a,b,class\n0.0,1.0,-1\n1.0,0.0,1\n"


@pytest.mark.parametrize("name", ['=HYPERLINK("http://host/")', "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "＝1+1"])
def test_no_name_is_a_formula_to_a_spreadsheet(name):
    X, y = np.array([[0.0, -1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])
    text = record.data_csv(Split(X, y, X[:0], y[:0], Dataset(X, y, ("a", name), ("no", name))))
    header, first, second = csv.reader(io.StringIO(text))
    assert header == ["a", f"'{name}", "class"]
    assert first == ["0.0", "-1.0", "no"]
    assert second == ["1.0", "0.0", f"'{name}"]


@pytest.mark.parametrize("classes", [("-", "+"), ("-2.5", "+1e3"), ("a-b", "a=b")])
def test_names_that_are_no_formulas_are_written_as_they_are(classes):
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])
    text = record.data_csv(Split(X, y, X[:0], y[:0], Dataset(X, y, ("a", "b"), classes)))
    assert [row["class"] for row in csv.DictReader(io.StringIO(text))] == list(classes)


def test_names_with_commas_and_quotes_are_read_again():
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([-1.0, 1.0])
    source = Dataset(X, y, ('a, "b"', "c;d"), ("no, never", 'the "one"'))
    assert_array_equal(read_again(record.data_csv(Split(X, y, X[:0], y[:0], source)), source).y, y)
