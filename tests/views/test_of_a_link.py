"""What a link shows on and beside the map arrives in pictures: margin lines, margins divided by ‖f‖, k(x, ·)."""

from itertools import pairwise

import numpy as np
import pytest
import runs
from artists import panel
from tidy import texts

from kpviz import experiment, tokens
from kpviz.cues import Cues
from kpviz.engine import ground
from kpviz.export import lecture
from kpviz.settings import BOOLEAN, Settings
from kpviz.views import board, look, storyboard
from kpviz.views.board import Look
from kpviz.views.histogram import Histogram
from kpviz.views.map import Map
from kpviz.views.places import Places
from kpviz.views.similar import BEGIN, Similar

ALL = ("margins", "lines", "normed", "similar")


def f_of(run, t, x):
    """f(x) without b after t presentations, term by term, and b."""
    state = run.state_at(t)
    terms = [float(state.coef[i] * run.kernel(run.X[[i]], x[None])[0, 0]) for i in state.support]
    return sum(terms), state.intercept


@pytest.mark.parametrize("t", [40, 180])
def test_lines_lie_at_the_smallest_margin_of_what_the_map_shows(t):
    run = runs.run("default")
    for predictor in ("last", "averaged", "voted"):
        states = range(1, t + 1) if predictor != "last" else [t]
        scores = np.array([run.decision_function(run.X, s) for s in states])
        f = np.where(scores >= 0, 1.0, -1.0).mean(axis=0) if predictor == "voted" else scores.mean(axis=0)
        least = max(float((run.y * f).min()), 0.0)
        asked, without = (
            board.describe(run, t, Look(panels=panels, predictor=predictor).on(run))["map"].margin
            for panels in (("lines",), ())
        )
        assert asked == pytest.approx(least, abs=1e-12)
        assert without == 0.0
    assert board.describe(run, 180, Look(panels=("lines",)).on(run))["map"].margin > 0.01


@pytest.mark.parametrize("name", ["default", "never converges"])
def test_normed_margins_are_those_of_the_unit_vector(name):
    run = runs.run(name)
    t = run.n_steps // 2
    histogram = Histogram.of(run, t, normed=True)
    state = run.state_at(t)
    parts = [f_of(run, t, x) for x in run.X]
    norm = np.sqrt(sum(float(state.coef[i]) * parts[i][0] for i in state.support))
    margins = np.array([y * (f + b) / norm for y, (f, b) in zip(run.y, parts, strict=True)])
    edges = histogram.edges
    held = [sum(low < m <= high for m in margins) for low, high in pairwise(edges)]
    assert histogram.count[1:-1].tolist() == held[1:-1]
    assert histogram.count.sum() == len(run.y)
    assert histogram.title == "Margins y·f(x) / ‖f‖"
    assert Histogram.of(run, 0, normed=True).count.sum() == len(run.y)  # f = 0 has no direction
    usual, voted = Histogram.of(run, t), Histogram.of(run, t, normed=True, predictor="voted")
    assert usual.limit != histogram.limit
    assert (voted.title, voted.limit) == ("Margins y·vote(x)", 1.0)


def test_without_a_plane_each_example_has_the_colour_of_its_similarity():
    settings = Settings.of(data=BOOLEAN, bits=3, held=0.25)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    how = Look(panels=("similar",), **look.options(settings, split)).on(run)
    places = board.describe(run, 3, how)["map"]
    x, everything = run.X[run.index[2]], np.concatenate([split.X, split.X_test])
    expected = [float(run.kernel(x[None], z[None])[0, 0]) for z in everything]
    np.testing.assert_allclose(places.scores, expected)
    assert (places.scale.low, places.scale.name) == (0.0, "k(x, ·)")
    assert places.scale.high >= ground.similar(run, split.X_test).max()
    start = board.describe(run, 0, how)["map"]
    assert (start.current, start.limit, start.scores.any()) == (BEGIN, places.limit, False)
    f = board.describe(run, 3, Look(**look.options(settings, split)).on(run))["map"]
    np.testing.assert_allclose(f.scores, run.decision_function(everything, 3))
    assert isinstance(f, Places)
    assert f.scale.low < 0 < f.scale.high


def test_a_storyboard_has_the_colour_bar_of_what_its_maps_show():
    run = runs.run("default")
    for panels, name, key in ((("similar",), "k(x, ·)  0", "similar_zero"), (None, "f  ", "field_negative")):
        figure = storyboard.figure(run, [3, 40], panels=panels, dpi=50)
        bar = panel(figure, "scale")
        assert any(text.get_text().startswith(name) for text in bar.texts)
        first = bar.images[0].get_array()[0, 0, :3]
        assert "#" + bytes(first.tolist()).hex() == tokens.THEMES["light"][key].lower()
        titles = {text.get_text() for text in texts(figure)}
        assert {"k(x₂, ·)", "k(x₃₉, ·)"} <= titles or panels is None


def test_a_film_of_a_link_shows_what_it_says():
    settings = Settings.of(n=20)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    shown = {}
    for panels in (("margins", "lines", "normed"), ("similar",), None):
        film = lecture.film(settings, split, run, Cues(), lecture.Wishes(panels=panels))
        shown[panels] = board.describe(run, run.n_steps, film.look.on(run))
    one, two, three = shown.values()
    assert one["map"].margin > 0
    assert one["margins"].normed
    assert isinstance(two["map"], Similar)
    assert isinstance(three["map"], Map)
    assert three["map"].margin == 0
    assert not three["margins"].normed


def test_a_stream_has_neither_lines_nor_similarities():
    settings = Settings.of(data="moons", stream="on", n=100)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    drawn = board.describe(run, 50, Look(panels=ALL, **look.options(settings, split)).on(run))["map"]
    assert not isinstance(drawn, Similar)
    assert drawn.margin == 0
