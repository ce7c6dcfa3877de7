"""Links of the former kernel lab: each opens the board, with the kernel and the examples that it names."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from kpviz import experiment
from kpviz.commands.inputs import place_of
from kpviz.engine.kernels import Sigmoid
from kpviz.engine.kernels.formula import REFUTED, Formula
from kpviz.engine.kernels.validity import FIVE, HALVED
from kpviz.lessons import shelf
from kpviz.lessons.file.links import Link
from kpviz.service import links
from kpviz.settings import Settings, lab_link
from kpviz.settings.lab_link import board


def opened(query):
    state = links.read(links.pairs(board(query)))
    assert state.notices == ()
    return state


@pytest.mark.parametrize("name", REFUTED)
@pytest.mark.parametrize("rest", ["", "data=moons&n=20", "kernel=laplacian&combine=sum&kernel2=linear", "data=texts"])
def test_the_functions_that_are_no_kernels_have_the_panels_and_no_other_kernel_with_them(name, rest):
    state = opened(f"{rest}&of={name}")
    kernel = experiment.kernel(state.settings)
    assert kernel == (Sigmoid(1.0, -1.0) if name == "sigmoid" else Formula(REFUTED[name]))
    assert state.view.show == ("gram", "validity", "derivation")
    assert state.settings.data == ("moons" if "moons" in rest else "drawn" if "texts" in rest else "xor")


@pytest.mark.parametrize(("on", "points"), [("five", FIVE), ("halved", HALVED)])
@pytest.mark.parametrize("of", ["current", "sigmoid", "formula&text=dot(u,v)-2"])
def test_the_five_points_are_drawn(on, points, of):
    assert_array_equal(experiment.prepare(opened(f"v=1&of={of}&on={on}").settings).X, np.array(points))


@pytest.mark.parametrize(
    ("query", "settings", "show"),
    [
        ("v=1&tab=build&data=moons&kernel=laplacian", {"data": "moons", "kernel": "laplacian"}, "derivation"),
        ("tab=build&text=gaussian(1)%2B1", {"kernel": "formula", "formula": "gaussian(1)+1"}, "derivation"),
        ("of=current&text=gaussian(1)", {}, "validity"),
        ("of=formula", {}, "validity"),
        ("data=texts&kernel=spectrum&on=five", {"data": "texts", "kernel": "spectrum"}, "gram"),
        ("tab=space&features=784&power=7&constant=0.5&data=circles", {"data": "circles"}, "primal"),
        ("log=on", {}, "validity"),
    ],
)
def test_other_links_keep_their_settings(query, settings, show):
    state = opened(query)
    assert state.settings == Settings.of(**settings)
    assert show in state.view.show


@pytest.mark.parametrize("query", ["tab=nowhere", "of=nobody", "on=paper"])
def test_what_made_no_sense_there_is_told(query):
    (notice,) = links.read(links.pairs(board(query))).notices
    assert f"{query.partition('=')[0]} is not a setting" in notice.words


def test_the_slips_are_a_lesson():
    assert board("v=1&tab=slips&data=moons") == f"v=1&lesson={lab_link.SLIPS}"
    assert lab_link.SLIPS in shelf.paths()


def test_lessons_and_commands_read_them_too():
    query = "v=1&of=square&on=five"
    link = Link.read(f"https://kpviz.example/k/lab?{query}")
    assert (link.page, link.query, link.problems) == ("play", board(query), [])
    assert place_of(f"http://localhost:8501/lab?{query}") == f"/?{board(query)}"
