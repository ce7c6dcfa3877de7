"""The exported notebook: valid, the same each time, and executed cell by cell it makes the mistakes
of the run.
"""

import ast
import json
import subprocess
import sys
from dataclasses import replace
from itertools import cycle

import nbformat
import numpy as np
import pytest
import strategies
from hypothesis import HealthCheck, example, given, settings
from numpy.testing import assert_allclose, assert_array_equal

from kpviz import experiment
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.learners import LEARNERS
from kpviz.engine.run import example_positions
from kpviz.export.notebook import notebook
from kpviz.settings import Settings

OBJECTS = {
    "texts": {"data": "texts"},
    "trees": {"data": "trees", "normalize": "on"},
    "graphs": {"data": "graphs", "learner": "svm"},
    "bits": {"data": "bits", "bits": 5, "function": "majority"},
    "two bits": {"data": "bits", "bits": 2, "function": "parity"},
}

pytestmark = pytest.mark.usefixtures("without_a_screen")


def cells(case, kind):
    read = nbformat.reads(notebook(case.settings, case.split), as_version=4)
    nbformat.validate(read)
    return [cell.source for cell in read.cells if cell.cell_type == kind]


def reproduces(case, execute):
    """Execute the cells of code as one, and draw the figure; return their variables."""
    found, printed = execute("\n".join(cells(case, "code")))
    case.assert_same(found["mistakes"], found["alpha"])
    case.assert_printed(printed)
    found["fig"].canvas.draw()
    return found


def draws_f(case, execute):
    """The map is of the predictor's scores, from where the app's map begins to where it ends."""
    found = reproduces(case, execute)
    plane, drawn, shown = found["plane"], found["f_plane"], case.split.extent
    case.assert_read(drawn - 0.5 if case.settings.predictor == "voted" else drawn, plane)
    _, boundary, _ = found["ax"].collections[0].levels
    assert boundary == 0
    assert plane.min(axis=0).tolist() == [shown.low_1, shown.low_2]
    assert plane.max(axis=0).tolist() == [shown.high_1, shown.high_2]


def example_of(**given):
    return example(chosen={"n": 16, "epochs": 2, "held": 0.2, **given})


@example_of(kernel="mixture")
@example_of(kernel="density", predictor="voted")
@example_of(kernel="formula", predictor="averaged", learner="norma")
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chosen=strategies.runs(data=tuple(SOURCES)))
def test_any_settings_are_reproduced(chosen, cases, execute):
    draws_f(cases.of(**chosen), execute)


def test_every_example_is_drawn_once_and_rings_mark_the_support(cases, execute):
    case = cases.of(data="moons", n=30, held=0.2)
    marks = reproduces(case, execute)["ax"].collections[-2:]
    drawn = np.concatenate([mark.get_offsets() for mark in marks])
    order = np.argsort(case.split.y, kind="stable")
    assert_array_equal(drawn, case.split.X[order])
    ringed = np.concatenate([mark.get_edgecolors()[:, 3] > 0 for mark in marks])
    assert_array_equal(ringed, np.isin(order, case.end.support))


READ = [("last", 0.0), ("averaged", 0.2), ("voted", 0.0), ("voted", 0.2)]


@pytest.mark.parametrize(
    ("given", "predictor", "held"),
    [(g, *r) for g, r in zip(OBJECTS.values(), cycle(READ))],
    ids=OBJECTS,
)
def test_objects_are_drawn_where_the_kernel_puts_them_with_their_largest_weights(
    given, predictor, held, cases, execute
):
    case = cases.of(predictor=predictor, held=held, **given)
    found = reproduces(case, execute)
    n, places, alpha = len(case.split.y), found["places"], case.end.alpha
    centred = (np.eye(n) - 1 / n) @ case.run.gram @ (np.eye(n) - 1 / n)
    largest = np.linalg.eigvalsh(centred)[[-1, -2]]
    assert_allclose(
        centred @ places, places * largest, atol=1e-6 * largest[0] ** 1.5
    )  # directions of the spread
    assert_allclose(places.T @ places, np.diag(largest), atol=1e-6 * largest[0])
    drawn = np.concatenate([mark.get_offsets() for mark in found["ax"].collections])
    assert_array_equal(drawn, places[np.argsort(case.split.y, kind="stable")])
    lengths = [bar.get_width() for bar in found["bars"].patches]
    assert_allclose(lengths, sorted(np.abs(alpha[alpha != 0]))[-20:])
    names = [label.get_text() for label in found["bars"].get_yticklabels()]
    written = [
        x if isinstance(x, str) else "".join(f"{bit:.0f}" for bit in x) for x in case.split.X
    ]
    assert [alpha[[text[:40] for text in written].index(name)] for name in names] == pytest.approx(
        lengths
    )


def test_dollar_signs_of_a_tree_are_signs(cases, execute):
    case = cases.of(data="trees", added="+($x $y^{_$);-$;+($a b)", epochs=5)
    assert len(reproduces(case, execute)["X"]) == len(case.split.y)


def test_the_same_settings_give_the_same_text_without_outputs():
    given = Settings.of(learner="norma", n=20)
    split = experiment.prepare(given)
    text = notebook(given, split)
    assert text == notebook(given, split)
    content = json.loads(text)
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in content["cells"]}) == len(content["cells"])
    assert all(cell["outputs"] == [] for cell in content["cells"] if cell["cell_type"] == "code")


@pytest.mark.parametrize(
    "given", [*({"learner": learner, "n": 10} for learner in LEARNERS), {"data": "texts"}]
)
def test_it_tells_the_link_the_kernel_and_the_rule_as_formulas(given, cases):
    case = cases.of(epochs=1, intercept="unit", **given)
    words = "\n".join(cells(case, "markdown"))
    assert f"`?{case.settings.query()}`" in words
    assert f"$$k(u, v) = {case.run.kernel.latex}$$" in words
    assert words.count("$$") == 6
    assert ("kernel PCA" in words) == ("data" in given)


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("held", [0.0, 0.3])
def test_it_says_how_places_of_the_map_differ_from_those_of_its_picture(name, held, cases):
    case = cases.of(**OBJECTS[name], held=held)
    words = "\n".join(cells(case, "markdown"))
    where = experiment.positions(case.settings, case.split, case.run)
    assert ("corners of a cube" in words) == (where.kind == example_positions.CUBE)
    assert ("heaps of examples are widened" in words) == ("heaps widened" in where.caption)
    has_held = len(where.places) > len(case.split.y)
    assert ("also has the held-out examples" in words) == (has_held and "heaps" in where.caption)


@pytest.mark.parametrize(
    "name", ["'''", "\\", "$x_", "$a$", "_hidden", "a\nb", "<script>", "\ud800", "", "{x}"]
)
def test_names_of_strangers_are_texts_and_nothing_else(name, cases, execute):
    plain = cases.of(n=10)
    source = replace(plain.split.source, features=(name, name), classes=(name, name + "2"))
    case = cases.of(replace(plain.split, source=source), n=10)
    found = reproduces(case, execute)
    notebook(case.settings, case.split).encode()
    assert len(found["ax"].get_legend().get_texts()) == 2
    assert cells(case, "markdown") == cells(plain, "markdown")
    kinds = [
        [type(node) for node in ast.walk(ast.parse("\n".join(cells(one, "code"))))]
        for one in (plain, case)
    ]
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize("given", [{"n": 20, "predictor": "voted"}, {"data": "texts"}])
def test_it_runs_alone(given, cases, tmp_path):
    case = cases.of(**given)
    path = tmp_path / "notebook.py"
    code = "\n".join(cells(case, "code"))
    path.write_text(f"import matplotlib\nmatplotlib.use('agg')\n{code}", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, timeout=60
    )
    assert done.stderr == ""
    case.assert_printed(done.stdout.splitlines())
