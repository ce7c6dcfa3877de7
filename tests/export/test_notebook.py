"""The exported notebook: valid, the same each time, and executed cell by cell it makes the mistakes of the run."""

import ast
import json
import subprocess
import sys
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
import strategies
from hypothesis import HealthCheck, given, settings
from notebooks import cells, reproduces

from kpviz import experiment
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run.predictors import PREDICTORS
from kpviz.export.code.notebook import notebook
from kpviz.settings import Settings

pytestmark = pytest.mark.usefixtures("without_a_screen")


@pytest.mark.parametrize(("learner", "predictor"), list(zip(LEARNERS, cycle(PREDICTORS))))
def test_every_learner_is_reproduced_and_drawn_with_every_predictor(learner, predictor, cases, execute):
    given = {"n": 16, "epochs": 2, "held": 0.2, "kernel": "polynomial", "flipped": 0.1}
    case = cases.of(learner=learner, predictor=predictor, **given)
    found = reproduces(case, execute)
    plane, drawn = found["plane"], found["f_plane"]
    case.assert_read(drawn - 0.5 if predictor == "voted" else drawn, plane)
    _, boundary, _ = found["ax"].collections[0].levels
    assert boundary == 0


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chosen=strategies.runs(data=tuple(SOURCES)))
def test_any_settings_are_reproduced(chosen, cases, execute):
    reproduces(cases.of(**chosen), execute)


def test_every_example_is_drawn_once_and_rings_mark_the_support(cases, execute):
    case = cases.of(data="moons", n=30, held=0.2)
    found = reproduces(case, execute)
    marks = found["ax"].collections[-2:]
    drawn = np.concatenate([mark.get_offsets() for mark in marks])
    order = np.argsort(case.split.y, kind="stable")
    np.testing.assert_array_equal(drawn, case.split.X[order])
    ringed = np.concatenate([mark.get_edgecolors()[:, 3] > 0 for mark in marks])
    np.testing.assert_array_equal(ringed, np.isin(order, case.end.support))


def test_the_plane_is_the_part_that_the_app_shows(cases, execute):
    case = cases.of(n=20)
    shown, found = case.split.shown, reproduces(case, execute)
    assert found["plane"].min(axis=0).tolist() == [shown.low_1, shown.low_2]
    assert found["plane"].max(axis=0).tolist() == [shown.high_1, shown.high_2]


def test_the_same_settings_give_the_same_text_without_outputs():
    settings = Settings.of(learner="norma", n=20)
    split = experiment.prepare(settings)
    text = notebook(settings, split)
    assert text == notebook(settings, split)
    content = json.loads(text)
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in content["cells"]}) == len(content["cells"])
    assert all(cell["outputs"] == [] for cell in content["cells"] if cell["cell_type"] == "code")


@pytest.mark.parametrize("learner", LEARNERS)
def test_it_tells_the_link_the_kernel_and_the_rule_as_formulas(learner, cases):
    case = cases.of(learner=learner, n=10, epochs=1, intercept="unit")
    words = "\n".join(cells(case, "markdown"))
    assert f"`?{case.settings.query()}`" in words
    assert f"$$k(u, v) = {case.run.kernel.latex}$$" in words
    assert words.count("$$") == 6


@pytest.mark.parametrize("name", ["'''", "\\", "$x_", "$a$", "_hidden", "a\nb", "<script>", "\ud800", "", "{x}"])
def test_names_of_strangers_are_texts_and_nothing_else(name, cases, execute):
    plain = cases.of(n=10)
    source = replace(plain.split.source, features=(name, name), classes=(name, name + "2"))
    case = cases.of(replace(plain.split, source=source), n=10)
    found = reproduces(case, execute)
    found["fig"].canvas.draw()
    notebook(case.settings, case.split).encode()
    assert len(found["ax"].get_legend().get_texts()) == 2
    assert cells(case, "markdown") == cells(plain, "markdown")
    kinds = [[type(node) for node in ast.walk(ast.parse("\n".join(cells(one, "code"))))] for one in (plain, case)]
    assert kinds[0] == kinds[1]


def test_it_runs_alone(cases, tmp_path):
    case = cases.of(n=20, predictor="voted")
    path = tmp_path / "notebook.py"
    code = "\n".join(cells(case, "code"))
    path.write_text(f"import matplotlib\nmatplotlib.use('agg')\n{code}", encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stderr == ""
    case.assert_printed(done.stdout.splitlines())


def test_no_example_is_refused_in_a_sentence():
    settings = Settings.of(data="drawn")
    with pytest.raises(ValueError, match=r"^There are no examples to learn from: .*\.$"):
        notebook(settings, experiment.prepare(settings))
