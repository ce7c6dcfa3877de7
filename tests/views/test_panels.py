"""Laws of the panels: what is drawn is what is computed."""

import artists
import numpy as np
import pytest
import runs
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import kpviz
from kpviz import tokens
from kpviz.engine import grid
from kpviz.engine.readings import Readings
from kpviz.views import style, words
from kpviz.views.bricks import Bricks
from kpviz.views.errors import Errors
from kpviz.views.histogram import Histogram
from kpviz.views.lines import LevelLines, without_plateaus
from kpviz.views.map import Map
from kpviz.views.points import Points
from kpviz.views.timeline import Timeline

RUNS = ["default", "never converges", "sigmoid"]
CASES = [(name, t) for name in RUNS for t in runs.instants(runs.run(name))]
LIGHT = tokens.THEMES["light"]


def axes(width=6.0, height=6.0):
    ax = Figure(figsize=(width, height)).add_axes((0, 0, 1, 1))
    ax.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25))
    return ax


def marks(ax):
    return [artist for artist in ax.collections if isinstance(artist, PathCollection)]


@pytest.mark.parametrize(("name", "t"), CASES)
def test_every_example_is_a_mark_at_its_place_in_the_shape_colour_and_area_of_its_class_and_alpha(name, t):
    run, ax = runs.run(name), axes()
    with style.sheet():
        Points.of(run, t).draw(ax)
    drawn = marks(ax)[0]
    count = run.state_at(t).alpha / run.unit
    gain = tokens.point_gain(int(np.bincount(run.index[run.mistake]).max()))
    radius = tokens.POINT["radius"] + gain * np.sqrt(count)
    offsets, sizes, paths = np.asarray(drawn.get_offsets()), drawn.get_sizes(), drawn.get_paths()
    assert len(offsets) == len(sizes) == len(paths) == len(run.X)
    for i, x in enumerate(run.X):
        (k,) = np.flatnonzero((offsets == x).all(axis=1))
        round_ = run.y[i] > 0  # on a map of 600 x 600 pixels, 0.72 points each
        area = np.pi * (0.72 * radius[i]) ** 2
        assert sizes[k] == pytest.approx(area * 4 / np.pi if round_ else area)
        assert (len(paths[k].vertices) > 8) == round_
        assert to_hex(drawn.get_facecolor()[k]) == tokens.MAP_POINTS["positive" if round_ else "negative"]


def test_small_points_are_drawn_above_large_ones():
    ax = axes()
    Points.of(runs.run("never converges"), 3000).draw(ax)
    assert (np.diff(np.sqrt(marks(ax)[0].get_sizes())) <= 1e-9).sum() > 40


@pytest.mark.parametrize(("name", "t"), CASES)
def test_the_ring_is_on_the_example_of_the_step_and_nowhere_at_the_start(name, t):
    run, ax = runs.run(name), axes()
    Points.of(run, t).draw(ax)
    rings = marks(ax)[1:]
    assert len(rings) == (t > 0)
    for ring in rings:
        np.testing.assert_array_equal(ring.get_offsets(), run.X[[run.index[t - 1]]])


def test_held_out_examples_are_hollow():
    run, ax = runs.run("default"), axes()
    X, y = np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([1.0, -1.0])
    Points.of(run, 0, held_out=(X, y)).draw(ax)
    held = marks(ax)[0]
    np.testing.assert_array_equal(held.get_offsets(), X)
    assert len(held.get_facecolor()) == 0
    assert [to_hex(edge) for edge in held.get_edgecolor()] == list(tokens.MAP_POINTS.values())


@pytest.mark.parametrize("predictor", ["last", "averaged", "voted"])
@pytest.mark.parametrize(("name", "t"), CASES)
def test_the_map_shows_the_field_between_fixed_limits(name, t, predictor):
    run, ax = runs.run(name), axes()
    display = Map.of(run, t, predictor=predictor)
    display.draw(ax)
    nodes = np.array([[a, b] for b in display.x2[::40] for a in display.x1[::40]])
    expected = run.decision_function(nodes, t, predictor) / (max(t, 1) if predictor == "voted" else 1)
    np.testing.assert_allclose(display.field[::40, ::40].ravel(), expected, rtol=1e-9, atol=1e-12)
    limit = grid.limit(run, grid.extent(run.X), tokens.GRID, predictor)
    assert display.ends == (-limit, limit)
    assert display.colours.shape == (tokens.GRID, tokens.GRID, 4)
    assert (display.colours[..., 3] == 255).all()
    seen = display.colours[::40, ::40, :3].reshape(-1, 3)
    np.testing.assert_allclose(seen, artists.gradient(expected / limit), atol=1.01)


@pytest.mark.parametrize(("name", "t"), CASES)
def test_the_colour_of_each_pixel_is_that_of_the_score_at_its_middle(name, t):
    run, ax = runs.run(name), axes()
    Map.of(run, t).draw(ax)
    limit = grid.limit(run, grid.extent(run.X), tokens.GRID)
    colours, x1, x2 = artists.pixels(ax)
    assert colours.shape == (600, 600, 4)
    places = np.array([[a, b] for b in x2[::37] for a in x1[::37]])
    expected = artists.gradient(run.decision_function(places, t) / limit)
    np.testing.assert_allclose(colours[::37, ::37, :3].reshape(-1, 3), expected, atol=3.0)


@pytest.mark.parametrize("theme", tokens.THEMES)
def test_the_scale_of_colours_goes_evenly_from_one_end_over_zero_to_the_other(theme):
    share = np.linspace(-1.5, 1.5, 96)
    display = Map(share, share, np.tile(2.0 * share, (96, 1)), limit=2.0, theme=theme)
    np.testing.assert_allclose(display.colours[0, :, :3], artists.gradient(share, theme), atol=1.01)
    np.testing.assert_array_equal(display.colours[0], display.colours[-1])
    middle = Map(share, share, np.zeros((96, 96)), limit=2.0, theme=theme).colours[..., :3]
    np.testing.assert_array_equal(middle, np.broadcast_to(artists.gradient(0.0, theme), middle.shape))
    bar = axes(0.2, 6.0)
    display.scale.draw(bar)
    ramp = np.asarray(bar.images[0].get_array())[:, 0, :3]
    np.testing.assert_allclose(ramp, artists.gradient(np.linspace(-1, 1, len(ramp)), theme), atol=1.01)


def contours(ax):
    return [artist for artist in ax.collections if isinstance(artist, LevelLines)]


@pytest.mark.parametrize(("name", "t"), CASES)
def test_the_score_is_almost_zero_on_the_boundary(name, t):
    run, ax = runs.run(name), axes()
    display = Map.of(run, t)
    display.draw(ax)
    signs = np.sign(display.field)
    assert len(contours(ax)) == (signs.min() < 0 < signs.max())
    for contour in contours(ax):
        vertices = np.concatenate([path.vertices for path in contour.get_paths()])
        assert len(vertices)
        assert np.abs(run.decision_function(vertices, t)).max() < 0.01 * display.limit


def test_the_margin_lines_run_where_the_smallest_margin_is():
    run, ax = runs.run("default"), axes()
    Map.of(run, run.n_steps, margins=True).draw(ax)
    least = run.margins_at(run.n_steps).min()
    assert [contour.level for contour in contours(ax)] == [0.0, -least, least]
    assert Map.of(run, 1, margins=True).margin == 0.0


def test_the_rim_of_an_area_without_any_score_is_no_boundary_but_a_line_of_zeros_is():
    plateau = np.zeros((9, 9))
    plateau[:3], plateau[-2:] = 1.0, -1.0
    assert without_plateaus(plateau).mask[3:7].all()
    line = np.add.outer(np.arange(9.0), -np.arange(9.0))
    assert not without_plateaus(line).mask.any()


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.05, "0.05"), (-12.0, "−12"), (120000.0, "1.2e5"), (-1.2e-7, "−1.2e−7"), (0.0, "0"), (1e30, "1e30")],
)
def test_numbers_on_axes_are_written_in_few_characters(value, text):
    assert words.short(value) == text


@pytest.mark.parametrize(("name", "t"), CASES)
def test_columns_are_the_support_of_the_run_and_bricks_are_the_mistakes(name, t):
    run = runs.run(name)
    display = Bricks.of(run, t)
    mistakes = np.bincount(run.index[:t][run.mistake[:t]], minlength=len(run.X))
    assert set(run.state_at(t).support) <= set(display.index)
    np.testing.assert_array_equal(display.index, np.unique(run.index[run.mistake]))
    np.testing.assert_array_equal(display.count, mistakes[display.index])
    assert display.count.sum() == run.mistake[:t].sum()


def test_one_brick_is_drawn_for_each_mistake_and_the_newest_is_outlined():
    run, ax = runs.run("default"), axes()
    t = int(np.flatnonzero(run.mistake)[-1]) + 1
    display = Bricks.of(run, t)
    display.draw(ax)
    bricks, newest = (artist for artist in ax.collections if isinstance(artist, PolyCollection))
    middles = np.array([path.vertices[:4].mean(axis=0) for path in bricks.get_paths()])
    assert len(middles) == run.mistake[:t].sum()
    columns, rows = np.round(middles[:, 0]).astype(int), np.round(middles[:, 1] - 0.5).astype(int)
    for column, i in enumerate(display.index):
        assert sorted(rows[columns == column]) == list(range(int(display.count[column])))
        faces = {to_hex(face) for face in bricks.get_facecolor()[columns == column]}
        assert faces == {LIGHT["positive" if run.y[i] > 0 else "negative"]}
    place = newest.get_paths()[0].vertices[:4].mean(axis=0)
    assert display.index[round(place[0])] == run.index[t - 1]
    assert round(place[1] + 0.5) == display.count[display.index == run.index[t - 1]]


@pytest.mark.parametrize(("width", "bars"), [(0.5, True), (6.0, False)])
def test_bars_take_the_place_of_bricks_narrower_than_three_pixels(width, bars):
    ax = axes(width)
    display = Bricks(np.arange(20), np.ones(20), np.ones(20))
    with style.sheet():
        display.draw(ax)
    drawn = artists.bars(ax)
    assert bool(drawn) == bars
    if bars:
        np.testing.assert_allclose([bar.height for bar in drawn], display.count)
        np.testing.assert_allclose([bar.left for bar in drawn], np.arange(20) - 0.5)


def test_bars_show_an_alpha_that_is_no_count():
    ax = axes()
    Bricks(np.arange(2), np.array([1.0, -1.0]), np.array([0.5, -0.25])).draw(ax)
    assert [bar.height for bar in artists.bars(ax)] == [0.5, -0.25]


@pytest.mark.parametrize(("name", "t"), CASES)
def test_the_histogram_counts_all_margins_and_a_zero_is_on_the_wrong_side(name, t):
    run, ax = runs.run(name), axes()
    display = Histogram.of(run, t)
    margins = np.clip(run.margins_at(t), -display.limit, display.limit)
    away = margins[~np.isclose(np.abs(margins[:, None] - display.edges).min(axis=1), 0)]
    on_edges = len(margins) - len(away)
    assert display.count.sum() == len(margins)
    assert np.abs(display.count - np.histogram(away, display.edges)[0]).sum() == on_edges
    assert display.count[display.edges[1:] <= 1e-12].sum() == (margins <= 0).sum()
    display.draw(ax)
    drawn = artists.bars(ax)
    plain = [bar for bar in drawn if bar.edge != LIGHT["ink"]]
    assert [bar.height for bar in plain] == (display.count.tolist() if t else [])
    np.testing.assert_allclose([bar.left for bar in plain], display.edges[:-1] if t else [], atol=1e-12)
    framed = [bar for bar in drawn if bar.edge == LIGHT["ink"]]
    assert len(framed) == (t > 0)
    for bar in framed:
        assert bar.left - 1e-9 <= margins[run.index[t - 1]] <= bar.right + 1e-9
        assert bar.height == display.count[display.lit]
        assert drawn.index(bar) == len(plain)  # above all others
    for bar in drawn:
        assert bar.face == LIGHT["warning" if bar.left < -1e-9 else "good"]


@pytest.mark.parametrize("predictor", ["averaged", "voted"])
def test_the_margins_are_those_of_the_reading_that_the_map_shows(predictor):
    run = runs.run("default")
    t = 100
    scores = run.decision_function(run.X, t, predictor) / (t if predictor == "voted" else 1)
    wrong = Histogram.of(run, t, predictor=predictor).count[:25].sum()
    assert wrong == (run.y * scores <= 0).sum()


def test_the_scale_of_the_margins_stays_the_same_through_a_run():
    run = runs.run("default")
    assert len({Histogram.of(run, t).limit for t in runs.instants(run)}) == 1


def test_the_curves_are_the_errors_at_the_end_of_each_epoch():
    run, ax = runs.run("default"), axes()
    X, y = kpviz.make_dataset("xor", n_samples=30, noise=0.3, seed=5)
    Errors.of(Readings(run, (X, y))).draw(ax)
    for line, (Z, labels) in zip(ax.lines, ((run.X, run.y), (X, y)), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), [60, 120, 180])
        shares = [(run.decision_function(Z, t) * labels <= 0).mean() for t in (60, 120, 180)]
        np.testing.assert_allclose(line.get_ydata(), np.minimum(shares, 0.6) / 0.6)


@pytest.mark.parametrize(("name", "t"), CASES)
def test_the_timeline_has_a_tick_after_each_mistake_and_a_bar_for_each_epoch(name, t):
    run, ax = runs.run(name), axes(40.0, 1.0)
    display = Timeline.of(run, t)
    with style.sheet():
        display.draw(ax)
    steps = np.flatnonzero(run.mistake) + 1
    np.testing.assert_array_equal(display.mistakes, steps)
    ahead, behind = ax.lines[:2]
    np.testing.assert_array_equal(behind.get_xdata()[::3], steps[steps <= t])
    np.testing.assert_array_equal(ahead.get_xdata()[::3], steps[steps > t])
    heights, edges, floor = ax.patches[0].get_data()
    np.testing.assert_array_equal(edges, [*run.epoch_start, run.n_steps])
    share = (heights - floor) / (heights.max() - floor)
    np.testing.assert_allclose(share, run.mistakes_per_epoch / run.mistakes_per_epoch.max(), atol=1e-9)
    assert ax.lines[2].get_xdata()[0] == t


def test_a_tick_is_left_out_only_where_another_is_in_the_same_pixel():
    run, ax = runs.run("never converges"), axes(1.0, 1.0)
    with style.sheet():
        Timeline.of(run, run.n_steps).draw(ax)
    drawn = ax.lines[1].get_xdata()[::3]
    mistakes = np.flatnonzero(run.mistake) + 1
    assert len(drawn) < len(mistakes)
    assert np.abs(mistakes[:, None] - drawn).min(axis=1).max() <= run.n_steps / 100


def test_axes_of_scaled_data_show_the_features_own_unit():
    run, ax = runs.run("default"), axes()
    Map.of(run, 5, own=((10.0, -4.0), (30.0, 0.0))).draw(ax)
    for axis, low, high in ((ax.xaxis, 10, 30), (ax.yaxis, -4, 0)):
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True):
            shown = float(label.get_text().replace("−", "-"))
            assert shown == pytest.approx(low + (place + 1) / 2 * (high - low))


def test_a_panel_fits_into_a_figure_of_ones_own():
    figure = Figure(figsize=(4, 3))
    Histogram.of(runs.run("default"), 20).draw(figure.add_subplot())
    figure.draw_without_rendering()
