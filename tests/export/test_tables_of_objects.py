"""Tables, JSON and settings files of runs on what is no point of the plane: nothing is lost on the way."""

import csv
import io
import json

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data import boolean
from kpviz.export import record, settings_file
from kpviz.settings import BY_NAME, Settings

GIVEN = {
    "texts": {"data": "texts", "added": "+l’été à la plage;-fry 2 eggs", "ask": "a cup of tea", "held": 0.2},
    "spectrum": {"data": "texts", "kernel": "spectrum", "length": 5, "normalize": "on"},
    "two of texts": {"data": "texts", "combine": "product", "length2": 2, "normalize": "off"},
    "trees": {"data": "trees", "added": '+(S "a, b" $);-(S (A a))', "ask": "(S x)", "seed": 4},
    "graphs": {"data": "graphs", "rounds": 4, "added": "+CCO 1-2 2-3", "combine": "sum", "rounds2": 0},
    "a function by name": {"data": "bits", "function": "multiplexer", "bits": 6, "negated": "off"},
    "a function of one's own": {"data": "bits", "function": "x1 & !x2 | x3", "bits": 5, "seed": 9, "held": 0.1},
    "formula": {"kernel": "formula", "formula": "exp(-norm(u - v)**2/3) + u[1]*v[1]", "n": 12},
    "two formulas": {"kernel": "formula", "combine": "sum", "kernel2": "formula", "formula2": "dot(u, v)**2"},
    "mixture": {"kernel": "mixture", "components": 5, "combine": "sum", "kernel2": "density", "components2": 1},
    "negated": {"kernel": "subsets", "negated": "on", "combine": "sum", "kernel2": "subsets", "negated2": "on"},
}


def made(given):
    """The settings, which kept every value that was given, their examples and run."""
    settings, problems = Settings.repaired(given)
    assert problems == []
    assert {name: settings.values[name] for name in given} == given
    split = experiment.prepare(settings)
    return settings, split, experiment.run(settings, split)


@pytest.fixture(params=GIVEN.values(), ids=GIVEN)
def found(request):
    return made(request.param)


def test_a_settings_file_keeps_every_setting_and_so_the_run(found):
    settings, _, run = found
    again, table, notice = settings_file.read(settings_file.write(settings))
    assert (again, table, notice) == (settings, None, None)
    np.testing.assert_array_equal(experiment.run(again).score, run.score)


def test_every_setting_that_is_not_for_points_is_among_them():
    new = {"added", "ask", "function", "bits", "formula", "formula2", "negated", "negated2", "components", "length"}
    assert new | {"components2", "length2", "rounds", "rounds2"} <= set(BY_NAME)
    assert new <= {name for given in GIVEN.values() for name in given} | {"length"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"data": "bits", "function": "x1 & (x2 | x3)"}', "At character 10: a bracket holds one term only"),
        ('{"data": "texts", "added": "+a;b"}', "Added text 2 begins with 'b'"),
        ('{"data": "graphs", "ask": "CCO 1-9"}', "edge 1-9 leads to no vertex"),
        ('{"kernel": "formula", "formula": "nrom(u - v)"}', "At character 1: nrom is unknown"),
        ('{"kernel": "words"}', "kernel=words compares texts, and these data are vectors"),
    ],
)
def test_a_settings_file_says_in_a_sentence_what_cannot_be_used(text, expected):
    settings, _, notice = settings_file.read(f'{{"kpviz": "settings", "version": 1, "settings": {text}}}')
    assert expected in notice
    assert notice.startswith("Parts of this file could not be used as they are and were replaced: ")
    assert len(experiment.prepare(settings).y) > 1


def test_the_run_as_json_holds_the_examples_as_they_are_written(found):
    settings, split, run = found
    content = json.loads(record.to_json(run, settings, split))
    assert content["X"] == run.X.tolist()
    assert content["X_test"] == split.X_test.tolist()
    assert content["alpha"] == run.state_at(run.n_steps).alpha.tolist()
    assert len(content["features"]) == (1 if run.X.ndim == 1 else run.X.shape[1])
    assert content["settings"]["kernel"] == settings.kernel
    assert Settings.of(**content["settings"]) == settings


def test_the_run_as_csv_has_a_row_for_each_step(found):
    _, _, run = found
    rows = list(csv.DictReader(io.StringIO(record.to_csv(run))))
    assert [float(row["f"]) for row in rows] == run.score.tolist()
    assert [int(row["example"]) for row in rows] == run.index.tolist()


@pytest.mark.parametrize("name", ["texts", "trees", "graphs"])
def test_the_examples_as_csv_are_text_and_class(name):
    _, split, _ = made(GIVEN[name])
    head, *rows = csv.reader(io.StringIO(record.data_csv(split)))
    held = len(split.y_test)
    assert head == ["text", "class", *(["held_out"] if held else [])]
    assert [row[0] for row in rows] == split.everything.tolist()
    classes = split.source.classes
    assert [row[1] for row in rows] == [classes[int(y > 0)] for y in split.source.y]
    if held:
        assert [row[2] for row in rows] == ["no"] * len(split.y) + ["yes"] * held


def test_the_examples_of_a_function_as_csv_are_its_truth_table():
    settings, split, _ = made({"data": "bits", "function": "x1 & !x2 | x3", "bits": 3})
    head, *rows = csv.reader(io.StringIO(record.data_csv(split)))
    assert head == ["x1", "x2", "x3", "class"]
    assert [row[:3] for row in rows] == [list(f"{i:03b}") for i in range(8)]
    true = [{"true": True, "false": False}[row[3]] for row in rows]
    assert true == [bool((a and not b) or c) for a, b, c in (map(int, row[:3]) for row in rows)]
    assert split.source.classes == boolean.CLASSES
    assert settings.bits == 3
