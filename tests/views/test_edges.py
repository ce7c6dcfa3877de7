"""Pictures at the edges: no examples, kernels of tiny values and of both signs, examples in one place."""

import numpy as np
import pytest
from artists import panel
from matplotlib.colors import to_hex

import kpviz
from kpviz import tokens
from kpviz.engine.formula import Formula
from kpviz.views import board, style
from kpviz.views.histogram import Histogram
from kpviz.views.map import Bump


def trained(kernel, **options):
    X, y = kpviz.make_dataset("xor", n_samples=20, seed=0)
    return kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=2, **options)


def test_bounds_of_a_kernel_of_tiny_values_are_drawn():
    run = trained(Formula("1e-200*dot(u, v)"))
    assert panel(board.panel(run, 3, "bound"), "bound").texts


@pytest.mark.parametrize("y", [1.0, -1.0])
def test_a_bump_has_the_colour_of_the_side_to_which_it_moves_f(y):
    kernel = np.array([[2.0, -2.0], [0.0, 1.0]])
    bump = Bump(kernel, kernel, y, 1.0)
    colours, table = bump.paint(bump.share, theme="light"), style.field_table("light")
    assert (colours[0, 0, :3] == table[-1 if y > 0 else 0, :3]).all()
    assert (colours[0, 1, :3] == table[0 if y > 0 else -1, :3]).all()
    assert colours[..., 3].tolist() == [[255, 255], [0, 127]]


def test_of_examples_in_one_place_the_current_one_is_seen():
    X, y = np.zeros((6, 2)), np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Gaussian(sigma=1.0), epochs=1)
    for t in (1, 4):
        ax = panel(board.figure(run, t, dpi=50), "map")
        (shapes,) = (each for each in ax.collections if len(each.get_offsets()) == 6)
        seen = tokens.MAP_POINTS[style.side(y[run.index[t - 1]])]
        assert to_hex(shapes.get_facecolors()[-1]) == seen.lower()


def test_a_title_of_the_histogram_leaves_room_for_the_count():
    run = trained(kpviz.kernels.Gaussian(sigma=0.5))
    figure = board.figure(run, 9, panels=("margins",), size=(3.2, 3.2))
    assert panel(figure, "margins").get_title(loc="left") in ("Margins y·f(x)", "Margins")
    assert Histogram.of(run, 9).title == "Margins y·f(x)"
