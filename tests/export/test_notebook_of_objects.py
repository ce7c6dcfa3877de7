"""Notebooks of runs on what is no point of the plane, executed: kernel PCA and weights in place of the map."""

import subprocess
import sys
from itertools import cycle

import numpy as np
import pytest
from notebooks import cells, reproduces
from numpy.testing import assert_allclose, assert_array_equal

OBJECTS = {
    "texts": {"data": "texts"},
    "trees": {"data": "trees", "normalize": "on"},
    "graphs": {"data": "graphs", "learner": "svm"},
    "bits": {"data": "bits", "bits": 5, "function": "majority"},
    "two bits": {"data": "bits", "bits": 2, "function": "parity"},
}


pytestmark = pytest.mark.usefixtures("without_a_screen")


def reproduces_and_draws(case, execute):
    """Execute the cells of code as one, and draw the figure; return their variables."""
    found = reproduces(case, execute)
    found["fig"].canvas.draw()
    return found


READ = [("last", 0.0), ("averaged", 0.2), ("voted", 0.0), ("voted", 0.2)]


@pytest.mark.parametrize(("given", "predictor", "held"), [(g, *r) for g, r in zip(OBJECTS.values(), cycle(READ))])
def test_the_run_is_reproduced_and_drawn_where_the_kernel_puts_it(given, predictor, held, cases, execute):
    case = cases.of(predictor=predictor, held=held, epochs=3, **given)
    found = reproduces_and_draws(case, execute)
    n, places = len(case.split.y), found["places"]
    aside = np.eye(n) - 1 / n
    centred = aside @ case.run.gram @ aside
    largest = np.linalg.eigvalsh(centred)[[-1, -2]]
    assert_allclose(centred @ places, places * largest, atol=1e-6 * largest[0] ** 1.5)  # directions of the spread
    assert_allclose(places.T @ places, np.diag(largest), atol=1e-6 * largest[0])
    drawn = np.concatenate([mark.get_offsets() for mark in found["ax"].collections])
    order = np.argsort(case.split.y, kind="stable")
    assert_array_equal(drawn, found["places"][order])


@pytest.mark.parametrize("given", OBJECTS.values(), ids=OBJECTS)
def test_bars_are_the_largest_weights_with_their_examples(given, cases, execute):
    case = cases.of(**given)
    found = reproduces_and_draws(case, execute)
    bars, alpha = found["bars"], case.end.alpha
    lengths = [bar.get_width() for bar in bars.patches]
    assert_allclose(lengths, sorted(np.abs(alpha[alpha != 0]))[-20:])
    names = [label.get_text() for label in bars.get_yticklabels()]
    written = [x if isinstance(x, str) else "".join(f"{bit:.0f}" for bit in x) for x in case.split.X]
    assert [case.end.alpha[[text[:40] for text in written].index(name)] for name in names] == pytest.approx(lengths)


def test_dollar_signs_of_a_tree_are_signs(cases, execute):
    case = cases.of(data="trees", added="+($x $y^{_$);-$;+($a b)", epochs=5)
    found = reproduces_and_draws(case, execute)
    assert len(found["X"]) == len(case.split.y)


@pytest.mark.parametrize("given", [{"kernel": "mixture"}, {"kernel": "density"}, {"kernel": "formula"}])
@pytest.mark.parametrize("predictor", ["last", "voted"])
def test_kernels_of_points_that_are_fitted_or_typed_keep_the_map(given, predictor, cases, execute):
    case = cases.of(n=20, epochs=3, predictor=predictor, **given)
    found = reproduces_and_draws(case, execute)
    drawn = found["f_plane"]
    case.assert_read(drawn - 0.5 if predictor == "voted" else drawn, found["plane"])


def test_it_tells_the_kernel_and_what_the_picture_shows(cases):
    words = "\n".join(cells(cases.of(data="texts", normalize="off"), "markdown"))
    assert "$$k(u, v) = 2^{|u \\cap v|}$$" in words
    assert "kernel PCA" in words


def test_it_runs_alone(cases, tmp_path):
    case = cases.of(data="texts")
    path = tmp_path / "notebook.py"
    code = "\n".join(cells(case, "code"))
    path.write_text(f"import matplotlib\nmatplotlib.use('agg')\n{code}", encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", path], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stderr == ""
    case.assert_printed(done.stdout.splitlines())
