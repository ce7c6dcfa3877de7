"""The Gram matrix, the lift and k(x, ·) in pictures: what is drawn is what is computed."""

import artists
import numpy as np
import pytest
import runs
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from tidy import assert_tidy

from kpviz import experiment, tokens
from kpviz.engine.lift import AXES
from kpviz.settings import Settings
from kpviz.views import board, style
from kpviz.views.board import Look
from kpviz.views.gram import Gram
from kpviz.views.lift import Lift
from kpviz.views.reel import Reel
from kpviz.views.similar import Similar

SQUARE = experiment.run(Settings.of(data="circles", kernel="monomial", degree=2, intercept="unit"))
TIMES = [0, 1, 40, SQUARE.n_steps]


def axes(width=6.0, height=4.5):
    return Figure(figsize=(width, height)).add_axes((0.1, 0.1, 0.8, 0.8))


@pytest.mark.parametrize("name", ["default", "sigmoid", "function", "one class"])
@pytest.mark.parametrize("theme", tokens.THEMES)
def test_the_colour_of_a_cell_is_that_of_its_two_examples_kernel(name, theme):
    run = runs.run(name)
    gram = Gram.of(run, 1, theme=theme)
    largest = max(abs(run.kernel(run.X[[i]], run.X[[j]])[0, 0]) for i in range(len(run.y)) for j in range(len(run.y)))
    assert largest <= gram.scale.limit * (1 + 1e-9)
    paint = tokens.THEMES[theme]
    ends = [np.array([int(paint[key][k : k + 2], 16) for k in (1, 3, 5)]) for key in ("similar_zero", "similar")]
    for a, b in [(0, 0), (3, 7), (len(run.y) - 1, 2)]:
        i, j = gram.order[a], gram.order[b]
        share = float(run.kernel(run.X[[i]], run.X[[j]])[0, 0]) / gram.scale.limit
        expected = artists.gradient(share, theme) if gram.scale.signed else ends[0] + share * (ends[1] - ends[0])
        np.testing.assert_allclose(gram.colours[a, b, :3], expected, atol=1.5)


@pytest.mark.parametrize("t", [0, 1, 30, 180])
def test_the_bars_are_the_mistakes_on_each_example_so_far(t):
    run, ax = runs.run("default"), axes()
    gram = Gram.of(run, t)
    count = np.bincount(run.index[:t][run.mistake[:t]], minlength=len(run.y))[gram.order]
    np.testing.assert_array_equal(gram.alpha, count)
    gram.draw(ax)
    _, top, side = gram.box(ax)
    bars = [each for each in ax.collections if isinstance(each, PolyCollection)]
    if not count.any():
        assert bars == []
        return
    boxes = [path.get_extents() for path in bars[-1].get_paths()]
    rows = np.flatnonzero(count)
    np.testing.assert_allclose([box.width for box in boxes], count[rows] / gram.most * 0.42 * side)
    middle = [(box.y0 + box.y1) / 2 for box in boxes]
    np.testing.assert_allclose(middle, top + (rows + 0.5) * side / len(count))
    assert gram.order[gram.current] == run.index[t - 1]


@pytest.mark.parametrize("t", TIMES)
def test_w_is_the_sum_of_the_coefficients_times_the_features_and_each_point_stands_where_it_is_seen(t):
    lift, state = Lift.of(SQUARE, t), SQUARE.state_at(t)
    phi = np.array([[a * a, np.sqrt(2) * a * b, b * b] for a, b in SQUARE.X])
    np.testing.assert_allclose(lift.w, sum(c * each for c, each in zip(state.coef, phi, strict=True)), atol=1e-9)
    f = SQUARE.decision_function(SQUARE.X, t)
    np.testing.assert_allclose(phi @ lift.w + lift.b, f, atol=1e-9)
    ax = axes()
    with style.sheet():
        lift.draw(ax)
        expected = lift.places(ax, phi)
    drawn = np.concatenate([each.get_offsets() for each in ax.collections if len(each.get_offsets()) > 1])
    np.testing.assert_allclose(np.sort(drawn[:, 0])[-len(phi) :], np.sort(expected[:, 0]), atol=1e-6)
    assert set(AXES) <= {text.get_text() for text in ax.texts}


def test_points_on_the_side_of_whoever_looks_are_drawn_above_the_plane():
    lift = Lift.of(SQUARE, SQUARE.n_steps)
    turn, tilt = np.radians([tokens.LIFT["turn"], tokens.LIFT["tilt"]])
    eye = np.array([np.sin(turn) * np.cos(tilt), -np.cos(turn) * np.cos(tilt), np.sin(tilt)])
    for point, before in zip(lift.phi, lift.before, strict=True):
        far = point + 1000.0 * eye  # walking to the eye, one never crosses the plane
        assert before == (np.sign(point @ lift.w + lift.b) == np.sign(far @ lift.w + lift.b))


@pytest.mark.parametrize("t", [0, 1, 12])
def test_in_place_of_f_the_map_shows_k_of_the_current_example(t):
    run = runs.run("default")
    look = Look(panels=("similar",)).on(run)
    shown = board.describe(run, t, look)["map"]
    assert isinstance(shown, Similar)
    assert shown.ends == (0.0, 1.0)
    nodes = np.array([[a, b] for b in shown.x2 for a in shown.x1])
    expected = run.kernel(run.X[[run.index[t - 1]]], nodes)[0] if t else np.zeros(len(nodes))
    np.testing.assert_allclose(shown.field.ravel(), expected, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("theme", tokens.THEMES)
@pytest.mark.parametrize("size", [(12.8, 7.2), (9.6, 9.6), (7.2, 12.8)])
def test_the_board_with_them_is_tidy(theme, size):
    for run, panels in ((runs.run("default"), ("alpha", "gram", "similar")), (SQUARE, ("lift", "margins"))):
        assert_tidy(board.figure(run, 20, theme=theme, size=size, panels=panels))


def test_a_frame_of_a_film_is_the_picture_of_its_instant():
    look = Look(panels=("gram", "lift", "similar"))
    reel = Reel(SQUARE, look, 1280, 720)
    for t in (0, 3, 40, 2):
        frame = reel.frame(t).copy().astype(int)
        again = Reel(SQUARE, look, 1280, 720).frame(t).astype(int)
        assert np.abs(frame - again).max() <= 1, t


def test_alone_each_fills_its_page():
    for name in ("gram", "lift"):
        figure = board.panel(SQUARE, 40, name)
        assert [str(ax.get_label()) for ax in figure.axes] == [name]
        assert_tidy(figure)
