"""What is remembered, in pictures: the terms of the sum as a slow loop finds them, and what they have in common lit."""

import io
from functools import cache
from itertools import combinations

import artists
import numpy as np
import pytest
import runs
from covering import covering
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.transforms import Bbox
from tidy import assert_tidy

from kpviz import experiment, explain, tokens
from kpviz.cues import Cues
from kpviz.export import lecture
from kpviz.settings import Settings
from kpviz.views import board, look, page, style
from kpviz.views.reel import Reel
from kpviz.views.remembered import EMPTY, SHORT, TITLE, Remembered

ASKED = {"texts": "the keeper stirs the soup", "trees": "(S (W who) (VP (V sang)))", "graphs": "CCO 1-2 2-3"}
DATA = [*ASKED, "bits"]
SIZES = [(12.8, 7.2), (9.6, 7.2), (10.8, 10.8), (10.8, 19.2), (16, 6), (8.27, 11.69)]


@cache
def made(data, **more):
    settings = Settings.of(data=data, **more)
    split = experiment.prepare(settings)
    return experiment.run(settings, split), look.options(settings, split)


def terms(run, t, x, i):
    """Of each example that a mistake was made on, y times the number of mistakes times k, in a slow loop."""
    found = {}
    for step in range(t):
        j = int(run.index[step])
        if run.mistake[step]:
            found[j] = found.get(j, 0.0) + float(run.y[j])
    values = {j: c * float(run.kernel(run.X[[j]], x if i is None else run.X[[i]])[0, 0]) for j, c in found.items()}
    return sorted(values.items(), key=lambda pair: (-abs(pair[1]), pair[0]))


def drawn(display, width=6.0, height=4.2):
    ax = Figure(figsize=(width, height)).add_axes((0.05, 0.05, 0.9, 0.85))
    with style.sheet():
        display.draw(ax)
    return ax


@pytest.mark.parametrize("data", [*DATA, "moons"])
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_the_terms_are_those_of_a_slow_loop_the_largest_first(data, share):
    run, how = made(data)
    t = max(int(share * run.n_steps), 1)
    found, expected = Remembered.of(run, t, bits=how["bits"]), terms(run, t, None, int(run.index[t - 1]))
    np.testing.assert_allclose(found.value, [value for _, value in expected], atol=1e-12)
    assert sorted(found.index.tolist()) == sorted(i for i, _ in expected)
    assert found.f == pytest.approx(float(run.decision_function(run.X[run.index[[t - 1]]], t)[0]), abs=1e-9)
    assert found.told.startswith(f"f({explain.example(int(run.index[t - 1]))}) = ")


@pytest.mark.parametrize("data", ASKED)
def test_of_what_is_asked_about_the_sum_is_told_from_the_start_on(data):
    run, how = made(data, ask=ASKED[data])
    assert how["ask"] == ASKED[data]
    start = Remembered.of(run, 0, ask=how["ask"])
    assert start.told == "f(new) = 0: a tie"
    assert len(start.index) == 0
    found = Remembered.of(run, run.n_steps, ask=how["ask"])
    x = np.array([ASKED[data]], dtype=object)
    np.testing.assert_allclose(found.value, [value for _, value in terms(run, run.n_steps, x, None)], atol=1e-12)
    assert found.f == pytest.approx(float(run.decision_function(x)[0]))


def test_the_mean_and_the_intercept_are_told_and_a_vote_has_no_terms():
    run, _ = made("texts", intercept="unit")
    mean = Remembered.of(run, run.n_steps, predictor="averaged")
    i = int(run.index[-1])
    assert mean.f == pytest.approx(float(run.decision_function(run.X[[i]], run.n_steps, "averaged")[0]))
    assert mean.f == pytest.approx(mean.value.sum() + mean.b)
    assert mean.told.startswith("mean f(")
    t = next(t for t in range(8, run.n_steps) if run.state_at(t).intercept)
    last = Remembered.of(run, t)
    assert last.b == run.state_at(t).intercept
    assert last.rest(2).endswith("intercept b")
    assert "vote" in Remembered.of(run, 5, predictor="voted").why
    assert Remembered.of(run, 0).why == EMPTY


def test_a_word_is_lit_where_both_texts_have_it():
    run, how = made("texts", ask="the cat lifts the cup zzz")
    display = Remembered.of(run, run.n_steps, ask=how["ask"])
    ax = drawn(display, width=16.0)
    theirs, own = [run.X[i].split() for i in display.index], how["ask"].split()
    lit = [patch for patch in ax.patches if patch.get_gid() == "shared"]
    shown = len([text for text in ax.texts if text.get_gid() == "value"])
    assert 2 < shown <= len(theirs)
    assert not any(text.get_text() == "…" for text in ax.texts)
    expected = sum(word in theirs[0] for word in own) + sum(word in own for row in theirs[:shown] for word in row)
    assert len(lit) == expected
    accent = tokens.THEMES["light"]["accent"]
    assert {to_hex(patch.get_facecolor()) for patch in lit} == {accent.lower()}


@pytest.mark.parametrize("data", ["trees", "graphs"])
def test_the_ground_of_a_node_is_as_strong_as_the_share_of_its_parts_that_is_common(data):
    run, _ = made(data)
    display = Remembered.of(run, run.n_steps)
    ax = drawn(display, 6.0, 6.0)
    shown = len([text for text in ax.texts if text.get_gid() == "value"])
    expected = [(display.one, display.best), *((other, display.one) for other in display.others[:shown])]
    strengths = []
    for sketch, other in expected:
        ids = {i for node in other.nodes for i in node.ids}
        strengths += [
            0.18 + 0.4 * len(ids & {*node.ids}) / len({*node.ids}) for node in sketch.nodes if ids & {*node.ids}
        ]
    lit = [patch.get_alpha() for patch in ax.patches if patch.get_gid() == "shared"]
    np.testing.assert_allclose(lit, strengths)


def test_bars_are_as_long_as_their_terms_and_point_to_the_side_of_their_sign():
    run, _ = made("trees")
    display = Remembered.of(run, run.n_steps)
    ax = drawn(display, 6.0, 6.0)
    (bars,) = [each for each in ax.collections if isinstance(each, PolyCollection)]
    ends = np.array([path.vertices[1, 0] - path.vertices[0, 0] for path in bars.get_paths()])
    np.testing.assert_allclose(ends / ends[0], display.value[: len(ends)] / display.value[0])
    assert np.array_equal(np.sign(ends), np.sign(display.value[: len(ends)]))
    colours = [to_hex(colour) for colour in bars.get_facecolors()]
    assert colours == [tokens.THEMES["light"]["positive" if end > 0 else "negative"].lower() for end in ends]


def test_points_are_written_with_their_coordinates_in_their_own_unit():
    run, how = made("iris")
    display = Remembered.of(run, run.n_steps, own=how["own"])
    low, high = np.array(how["own"])
    for i, text in zip(display.index, display.others, strict=False):
        x = low + (run.X[i] + 1) / 2 * (high - low)
        assert text == f"({explain.number(x[0])}, {explain.number(x[1])})"
    precomputed = Remembered.of(runs.run("precomputed"), 5)
    assert set(precomputed.others) <= {""}


@pytest.mark.parametrize(
    ("size", "data", "learner", "end"), covering(SIZES, DATA, ["perceptron", "forgetron", "svm"], [False, True])
)
def test_a_board_without_a_plane_has_the_players_panels_and_is_tidy(size, data, learner, end):
    run, how = made(data, learner=learner)
    figure = board.figure(run, run.n_steps if end else 0, size=size, **how)
    own = {"own"} if explain.about_of(run).parts else set()
    names = {str(ax.get_label()) for ax in figure.axes}
    assert names == {"map", "scale", "counter", "sentence", "timeline", *page.usual(plane=False)} - {"own"} | own
    assert_tidy(figure)
    for one, other in combinations(figure.axes, 2):
        common = Bbox.intersection(one.bbox, other.bbox)
        assert common is None or min(common.size) < 1e-6, (one.get_label(), other.get_label())


CHOSEN = [
    ("graphs", ("remembered",)),
    ("graphs", ("gram", "remembered", "margins")),
    ("graphs", ("alpha", "remembered")),
    ("moons", ("alpha", "gram", "remembered")),
]


@pytest.mark.parametrize(("size", "chosen", "theme"), covering(SIZES, CHOSEN, tokens.THEMES))
def test_other_choices_of_panels_are_tidy_too(size, chosen, theme):
    data, panels = chosen
    run, how = made(data, ask=ASKED.get(data, ""))
    assert_tidy(board.figure(run, 40, theme=theme, size=size, **{**how, "panels": panels}))


@pytest.mark.parametrize("size", SIZES)
def test_with_all_panels_at_once_there_is_still_room_for_the_map(size):
    run, how = made("circles", kernel="monomial", degree=2, learner="forgetron")
    every = (*page.PANELS, *page.ASKED)
    figure = board.figure(run, 30, size=size, **{**how, "panels": every})
    boxes = {str(ax.get_label()): ax.bbox for ax in figure.axes}
    assert boxes.keys() >= {*every, "map"}
    assert min(boxes["map"].size) >= 0.2 * 100 * min(size)
    assert min(min(box.size) for name, box in boxes.items() if name in every) > 0.02 * 100 * min(size)
    for one, other in combinations(boxes.values(), 2):
        common = Bbox.intersection(one, other)
        assert common is None or min(common.size) < 1e-6


def test_alone_it_fills_its_page():
    run, how = made("texts")
    figure = board.panel(run, 40, "remembered", **how)
    assert [str(ax.get_label()) for ax in figure.axes] == ["remembered"]
    assert artists.panel(figure, "remembered").get_title(loc="left") in (TITLE, SHORT)
    assert_tidy(figure)


def test_what_is_usual_is_decided_in_one_place():
    run, how = made("trees")
    usual = board.Look(**how).on(run).page(run).shown
    assert usual == ("alpha", "margins", "gram", "remembered")
    assert board.Look().on(runs.run("default")).page(runs.run("default")).shown == ("alpha", "margins")
    settings = Settings.of(data="trees")
    film = lecture.film(settings, experiment.prepare(settings), run, Cues(), lecture.Wishes())
    assert film.look.on(run).page(run).shown == usual


@pytest.mark.parametrize("data", DATA)
def test_a_frame_of_a_film_is_the_still_picture_of_its_instant(data):
    run, how = made(data)
    reel = Reel(run, board.Look(**how), 640, 360)
    for t in (run.n_steps, 0, 30):
        figure = board.figure(run, t, size=(6.4, 3.6), **how)
        still = np.rint(255 * imread(io.BytesIO(board.save(figure, "png", dpi=100)))).astype(int)
        away = np.abs(reel.frame(t).astype(int) - still)
        assert away.max() <= 4  # of 255, as of any reel
        assert (away.max(axis=2) > 1).mean() < 3e-3


def test_a_film_of_texts_shows_the_picture_of_each_instant():
    settings = Settings.of(data="texts", ask=ASKED["texts"], epochs=1)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    wishes = lecture.Wishes(0, 6, 4.0, 640, 360, 24, title=None)
    film = lecture.film(settings, split, run, Cues(), wishes)
    frames = list(film.frames())
    assert len(frames) == film.n_frames
    assert all(frame.shape == (360, 640, 4) for frame in frames)
    reel = Reel(run, film.look, 640, 360)
    alone = reel.frame(6).astype(int)
    assert np.abs(frames[-1].astype(int) - alone).mean() < 1.0
    assert np.abs(frames[-1].astype(int) - frames[0]).mean() > 0.5
