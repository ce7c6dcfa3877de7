"""Laws of a stream's pictures: what has arrived and is kept, its course, and the words of the player."""

from functools import cache
from itertools import pairwise

import artists
import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from numpy.testing import assert_allclose, assert_array_equal
from test_reel import assert_same, still
from tidy import assert_tidy

from kpviz import experiment, explain, tokens
from kpviz.canvas import payload
from kpviz.settings import Settings
from kpviz.views import board, look, storyboard
from kpviz.views.arrivals import Arrivals, Dial
from kpviz.views.board import Look, Said
from kpviz.views.course import Course
from kpviz.views.reel import Reel

CASES = {
    "perceptron": {"data": "moons"},
    "norma": {"learner": "norma", "data": "linear", "drift": 1, "moves": "switch", "flipped": 0.05},
    "forgetron": {"learner": "forgetron", "drift": -0.3, "n": 400},
    "logistic": {"learner": "logistic", "data": "blobs", "n": 300, "drift": 0},
    "short": {"n": 20, "learner": "oldest"},
}


@cache
def made(name):
    """Settings, split, run and look of a stream."""
    settings = Settings.of(stream="on", **CASES[name])
    split = experiment.prepare(settings)
    return settings, split, experiment.run(settings, split), look.options(settings, split)


def instants(run):
    return sorted({min(t, run.n_steps) for t in (0, 1, 45, 61, 300, 1000)})


def drawn(figure):
    """Place, opacity and whether it is hollow of each example on the map, in the order in which they are drawn."""
    found = []
    for marks in artists.panel(figure, "map").collections:
        if not isinstance(marks, PathCollection) or marks.get_path_effects():
            continue  # the ring
        faces, edges = marks.get_facecolor(), marks.get_edgecolor()
        for k, place in enumerate(marks.get_offsets()):
            paint = faces if len(faces) else edges
            found.append((tuple(place), paint[k % len(paint)][3], not len(faces)))
    return found


@pytest.mark.parametrize("name", CASES)
def test_the_map_shows_the_last_60_arrivals_fading_and_the_older_memory_as_opaque_as_it_weighs(name):
    settings, split, run, how = made(name)
    header, _ = payload.unpack(payload.encode(settings, split, run))
    for t in instants(run):
        coef = np.abs(run.state_at(t).coef)
        share = (coef > 0).astype(float) if header["about"]["counts"] else coef / header["alphaLimit"]
        old = [i for i in range(max(t - 60, 0)) if share[i] > 0.03]
        expected = [(tuple(split.X[i]), 0.35 + 0.6 * min(share[i], 1.0), True) for i in old]
        for i in range(max(t - 60, 0), t):
            expected.append((tuple(split.X[i]), 1 - 0.84 * (t - 1 - i) / 60, False))
        shown = drawn(board.figure(run, t, **how))
        assert [(place, hollow) for place, _, hollow in shown] == [(place, hollow) for place, _, hollow in expected]
        assert_allclose([alpha for _, alpha, _ in shown], [alpha for _, alpha, _ in expected], atol=1e-9)


@pytest.mark.parametrize("theme", tokens.THEMES)
def test_marks_have_the_colour_of_their_class_and_those_learnt_from_are_larger(theme):
    _, split, run, _ = made("perceptron")
    points = Arrivals.of_stream(run, 300, theme=theme)
    assert_array_equal(points.radius()[points.lately] == 6.5, run.mistake[240:300])
    assert set(points.radius()[points.lately]) == {5.0, 6.5}
    figure = board.figure(run, 300, stream=True, theme=theme)
    hollow, full, _ = artists.panel(figure, "map").collections[-3:]
    if theme != tokens.PRINT:
        for marks, those in ((hollow.get_edgecolor(), points.memory), (full.get_facecolor(), points.lately)):
            names = ["positive" if label > 0 else "negative" for label in split.y[those]]
            assert [to_hex(colour) for colour in marks] == [tokens.MAP_POINTS[name] for name in names]


def test_a_cue_lights_no_example_that_is_still_to_come():
    _, _, run, how = made("perceptron")
    points = board.plane(run, 10, Look(**how), Said(examples=(3, 9, 10, 500)))["map/points"]
    assert points.lit == (3, 9)


@pytest.mark.parametrize("name", CASES)
def test_the_dial_shows_by_how_much_the_target_has_turned_where_it_moves(name):
    settings, split, run, how = made(name)
    _, arrays = payload.unpack(payload.encode(settings, split, run))
    for t in instants(run):
        dial = board.plane(run, t, Look(**how)).get("map/dial")
        if settings.drift == 0:
            assert dial is None
            continue
        assert dial.angle == pytest.approx(arrays["angle"][max(t - 1, 0)], rel=1e-6)
        assert dial.text in [text.get_text() for text in artists.panel(board.figure(run, t, **how), "map").texts]
    assert Dial(np.radians(-89.6)).text == "target turned by -90°"


@pytest.mark.parametrize("name", CASES)
def test_the_course_is_mistakes_error_rate_and_support_of_the_run(name):
    settings, split, run, how = made(name)
    header, arrays = payload.unpack(payload.encode(settings, split, run))
    course = board.describe(run, run.n_steps, Look(**how))["margins"]
    assert_array_equal(course.support, arrays["supportSize"])
    assert course.flipped == header["stream"]["noise"]
    for t in range(run.n_steps + 1):
        assert course.mistakes[t] == run.mistake[:t].sum()
        assert course.rate[t] == pytest.approx(run.mistake[max(t - 100, 0) : t].mean() if t else 0.0)
    switched = {250, 500, 750} if settings.moves == "switch" else set()
    assert set(course.switches.tolist()) == switched
    timeline = board.describe(run, 0, Look(**how))["timeline"]
    assert set(timeline.switches.tolist()) == switched


def test_the_course_behind_the_instant_is_strong_and_ends_at_its_numbers():
    _, _, run, how = made("norma")
    figure = board.panel(run, 400, "margins", **how)
    ax = artists.panel(figure, "margins")
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in dots] == [400, 400, 400]
    behind = [line for line in ax.lines if len(line.get_xdata()) > 2 and line.get_xdata()[-1] == 400]
    assert [line.get_ydata()[-1] for line in behind] == [line.get_ydata()[0] for line in dots]
    told = [text.get_text() for text in ax.texts]
    support = len(run.state_at(400).support)
    rate = round(100 * run.mistake[300:400].mean())
    assert {str(run.mistake[:400].sum()), f"{rate} %", str(support)} <= set(told)
    assert "wrong of the last 100  (dashed: label noise 5 %)" in told


def test_a_low_panel_leaves_out_the_error_rate_and_no_strip_lies_on_another():
    _, _, run, how = made("norma")
    course = Course.of(run, 10, turned=how["turned"])
    assert [strip.name for strip in course.strips(300.0)] == ["mistakes", "rate", "support"]
    assert [strip.name for strip in course.strips(90.0)] == ["mistakes", "support"]
    assert [strip.name for strip in course.strips(50.0)] == ["mistakes"]
    for high in (50.0, 90.0, 150.0, 300.0):
        strips = course.strips(high)
        assert strips[0].bottom + strips[0].height < 1
        assert strips[-1].bottom > -1e-9
        for upper, lower in pairwise(strips):
            assert upper.bottom > lower.bottom + lower.height


@pytest.mark.parametrize("name", CASES)
def test_words_and_counter_are_those_of_a_stream(name):
    _, _, run, how = made(name)
    for t in (1, run.n_steps):
        figure = board.figure(run, t, **how)
        for place in ("counter", "sentence"):
            said = " ".join(line.get_text() for line in artists.panel(figure, place).texts)
            whole = explain.explain(run, t, stream=True).sentence
            assert said == (whole if place == "sentence" else explain.counter(run, t, stream=True))
    assert f"{len(run.state_at(run.n_steps).support)} in memory" in figure.get_label()
    assert whole.endswith(f"The stream ends: {run.mistake.sum()} mistakes among {run.n_steps:,} examples.")


def test_alpha_and_the_margins_of_examples_to_come_are_not_on_the_board():
    _, _, run, how = made("norma")
    figure = board.figure(run, 300, **how)
    assert {ax.get_label() for ax in figure.axes} == {
        *("map", "scale", "own", "margins", "timeline", "counter", "sentence")
    }
    told = {text.get_text() for ax in figure.axes for text in ax.texts}
    assert f"mistakes so far, at the end: {run.mistake.sum()}" in told
    assert not any("epoch" in text for text in told)
    legend = artists.panel(figure, "map").get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["+1", "−1", "in memory"]


@pytest.mark.parametrize("size", [(12.8, 7.2), (8, 8), (9.6, 7.2), (10.8, 19.2), (16, 6)])
@pytest.mark.parametrize("name", ["perceptron", "norma"])
def test_the_board_of_a_stream_is_tidy_at_its_start_and_end(name, size):
    _, _, run, how = made(name)
    for t in (0, run.n_steps):
        assert_tidy(board.figure(run, t, size=size, **how))


def test_a_storyboard_of_a_stream_shows_what_the_board_does():
    _, split, run, how = made("norma")
    figure = storyboard.figure(run, [0, 300, 1000], size=(12.8, 7.2), **how)
    for k, t in enumerate((0, 300, 1000)):
        places = [
            tuple(place)
            for marks in artists.panel(figure, str(k)).collections
            if isinstance(marks, PathCollection)
            for place in marks.get_offsets()
        ]
        assert set(places) == {place for place, _, _ in drawn(board.figure(run, t, **how))}
        assert set(places) <= {tuple(x) for x in split.X[:t]}
    assert_tidy(figure)


def test_the_last_picture_of_a_storyboard_says_that_the_stream_ends():
    _, _, run, how = made("perceptron")
    figure = storyboard.figure(run, [0, run.n_steps], size=(12.8, 7.2), **how)
    told = " ".join(text.get_text() for text in artists.panel(figure, "1").texts)
    assert explain.explain(run, run.n_steps, stream=True).sentence in told


@pytest.mark.parametrize("name", ["perceptron", "norma"])
def test_frames_of_a_film_are_the_still_pictures_of_a_stream_in_any_order(name):
    _, _, run, how = made(name)
    reel = Reel(run, Look(**how), 640, 360)
    for t in (1000, 0, 300, 1000):
        assert_same(reel.frame(t), still(run, t, (640, 360), **how), t)
