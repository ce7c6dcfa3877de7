"""Pictures of examples that have no plane: a halo of f about each, edges of the cube, films and storyboards."""

import io
from dataclasses import replace
from itertools import pairwise

import artists
import numpy as np
import pytest
from covering import covering
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import imread
from numpy.testing import assert_allclose
from tidy import assert_tidy

from kpviz import experiment, explain, tokens
from kpviz.cues import Cues
from kpviz.engine import ground
from kpviz.engine.objects.sources import OBJECTS
from kpviz.export import lecture
from kpviz.export.lecture import Wishes
from kpviz.settings import Settings
from kpviz.views import board, look, storyboard, style
from kpviz.views.board import Look
from kpviz.views.map import Bump
from kpviz.views.places import Places
from kpviz.views.reel import Reel


def made(data, **given):
    """Run, and the look that the app gives it."""
    settings = Settings.of(data=data, **given)
    split = experiment.prepare(settings)
    return experiment.run(settings, split), look.options(settings, split)


def halos(ax):
    return next(each for each in ax.collections if isinstance(each, EllipseCollection))


@pytest.mark.parametrize(
    ("data", "predictor", "theme"), covering(OBJECTS, ["last", "averaged", "voted"], tokens.THEMES)
)
def test_the_colour_of_each_halo_is_that_of_f(data, predictor, theme):
    run, how = made(data, held=0.2, predictor=predictor)
    everything = np.concatenate([run.X, how["X_test"]])
    for t in (0, 3, run.n_steps):
        figure = board.figure(run, t, theme=theme, **how)
        found = halos(artists.panel(figure, "map"))
        f = run.decision_function(everything, t, predictor) / (max(t, 1) if predictor == "voted" else 1)
        limit = artists.panel(figure, "scale").get_ylim()[1]
        wanted = artists.gradient(np.rint(255 * f / limit) / 255, theme)
        assert_allclose(255 * found.get_facecolors()[:, :3], wanted, atol=1.01)
        where = ground.of(run, how["X_test"], bits=how["bits"])
        assert_allclose(found.get_offsets(), where.places)


@pytest.mark.parametrize("data", OBJECTS)
def test_the_map_has_no_field_and_says_what_the_places_mean(data):
    run, how = made(data)
    ax = artists.panel(board.figure(run, 5, **how), "map")
    assert not ax.images
    where = ground.of(run, bits=how["bits"])
    assert ax.get_xlabel() == where.told
    joined = next(each for each in ax.collections if isinstance(each, LineCollection)).get_segments()
    assert len(joined) == len(where.edges) == (32 if data == "bits" else 0)
    for segment, edge in zip(joined, where.edges, strict=True):
        assert_allclose(segment, where.places[edge])


@pytest.mark.parametrize("data", OBJECTS)
def test_the_current_example_is_written_as_it_is_unless_it_stands_beside_the_map(data):
    run, how = made(data)
    beside = artists.panel(board.figure(run, 1, **how), "map")
    assert not any(" = " in text.get_text() for text in beside.texts)
    how["panels"] = ("alpha", "margins")
    for t in (1, run.n_steps):
        i = int(run.index[t - 1])
        said = run.X[i] if isinstance(run.X[i], str) else "".join(f"{bit:.0f}" for bit in run.X[i])
        ax = artists.panel(board.figure(run, t, **how), "map")
        assert f"{explain.example(i)} = {said}" in [" ".join(text.get_text().split("\n")) for text in ax.texts]
    start = artists.panel(board.figure(run, 0, **how), "map")
    assert not any(text.get_text().startswith("x") and " = " in text.get_text() for text in start.texts)


@pytest.mark.parametrize("size", [(12.8, 7.2), (9.6, 7.2), (10.8, 10.8), (10.8, 19.2)])
@pytest.mark.parametrize("data", OBJECTS)
def test_the_board_of_objects_is_tidy_at_every_size(data, size):
    run, how = made(data, held=0.2)
    for panels in (("alpha", "margins"), ("alpha", "margins", "gram")):
        figure = board.figure(run, run.n_steps // 2, size=size, panels=panels, **how)
        assert {"map", "scale", "timeline", "counter", "sentence", *panels} <= {ax.get_label() for ax in figure.axes}
        assert_tidy(figure)


@pytest.mark.parametrize("data", OBJECTS)
def test_a_storyboard_of_objects_has_the_colours_of_the_whole_run(data):
    run, how = made(data)
    cells = [0, 4, run.n_steps // 2, run.n_steps]
    figure = storyboard.figure(run, cells, **how)
    FigureCanvasAgg(figure).draw()
    limit = look.limit(run, Look(**how))
    for number, t in enumerate(cells):
        f = run.decision_function(run.X, t)
        colours = 255 * halos(artists.panel(figure, str(number))).get_facecolors()[:, :3]
        assert_allclose(colours, artists.gradient(np.rint(255 * f / limit) / 255), atol=1.01)


@pytest.mark.parametrize("data", OBJECTS)
def test_frames_of_a_film_of_objects_are_its_still_pictures(data):
    run, how = made(data)
    how["panels"] = ("alpha", "margins")  # test_remembered.py has the others
    reel = Reel(run, Look(**how), 640, 360)
    for t in (run.n_steps, 0, 3):
        figure = board.figure(run, t, size=(6.4, 3.6), **how)
        still = np.rint(255 * imread(io.BytesIO(board.save(figure, "png", dpi=100)))).astype(int)
        away = np.abs(reel.frame(t).astype(int) - still)
        assert away.max() <= 4  # of 255, as of any reel
        assert (away.max(axis=2) > 1).mean() < 3e-3


@pytest.mark.parametrize("data", OBJECTS)
def test_while_a_step_is_shown_each_example_swells_by_its_kernel_in_the_class_of_the_new_one(data):
    run, how = made(data)
    step = int(np.flatnonzero(run.mistake)[1])
    i = int(run.index[step])
    row = np.array([float(run.kernel(run.X[[i]], run.X[[j]])[0, 0]) for j in range(len(run.y))])
    where = Look(**how).ground_of(run)
    places = replace(Places.of(run, step + 1, where, run.X[:0]), bump=Bump(row, row, run.y[i], 0.8))
    ax = Figure(figsize=(6, 6)).add_axes((0, 0, 1, 1))
    with style.sheet():
        places.draw(ax)
    _, swollen = (each for each in ax.collections if isinstance(each, EllipseCollection))
    opacity = swollen.get_facecolors()[:, 3]
    assert_allclose(opacity, 0.8 * np.abs(row) / np.abs(row).max(), atol=1 / 255)
    colour = tokens.THEMES["light"]["field_positive" if run.y[i] > 0 else "field_negative"]
    assert {to_hex(face) for face in swollen.get_facecolors()} == {colour}
    assert_allclose(swollen.get_offsets(), where.places)
    assert (swollen.get_widths() > halos(ax).get_widths()).all()


@pytest.mark.parametrize("data", OBJECTS)
def test_in_a_short_film_of_objects_a_step_is_seen_happening_and_then_stands_still(data):
    settings = Settings.of(data=data)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    film = lecture.film(settings, split, run, Cues(), Wishes(width=480, height=360, fps=24, last=1))
    frames = [frame[..., :3].astype(int) for frame in film.frames()]
    assert len(frames) == film.n_frames
    shot = next(shot for shot in film.shots if shot.happens)
    first, last = (round(at * film.fps) for at in (shot.start, shot.end))
    moved = [np.abs(one - other).max() for one, other in pairwise(frames[first:last])]
    assert moved[0] > 30
    assert moved[-1] <= 2
