"""A stream in the player: what arrived lately, what is in memory, and mistakes and support over time."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kpviz import experiment
from kpviz.engine.data import streams
from kpviz.lessons import explain
from kpviz.settings import Settings

LATELY, WINDOW = 60, 100
CASES = {
    "perceptron": {},
    "norma": {"learner": "norma", "data": "linear"},
    "oldest": {"learner": "oldest", "drift": 1, "moves": "switch"},
    "forgetron": {"learner": "forgetron", "data": "moons"},
    "projectron": {"learner": "projectron", "drift": 0.2},
    "logistic": {"learner": "logistic", "data": "blobs", "n": 300},
    "averaged": {"predictor": "averaged", "learner": "norma", "n": 400},
    "voted": {"predictor": "voted", "n": 400},
}


def made(name):
    settings = Settings.of(stream="on", **CASES[name])
    split = experiment.prepare(settings)
    return settings, split, experiment.run(settings, split)


def indices(marks):
    return [mark["i"] for mark in marks]


@pytest.mark.parametrize("name", ["perceptron", "oldest", "norma"])
def test_the_map_shows_the_last_arrivals_and_the_memory_and_none_that_are_still_to_come(player, name):
    settings, split, run = made(name)
    player.open(f"/?{settings.query()}")
    for t in (0, 1, 45, 300, 1000):
        player.go(t)
        arrived = player.marks("map", name="lately")
        assert indices(arrived) == list(range(max(t - LATELY, 0), t))
        alphas = [mark["alpha"] for mark in arrived]
        assert alphas == sorted(alphas)
        state = run.state_at(t)
        kept = set(indices(player.marks("map", name="memory")))
        old = {int(i) for i in state.support if i < t - LATELY}
        if name == "norma":
            weights = np.abs(state.coef)
            old = {i for i in old if weights[i] > 0.03 * player.js("s.run.header.alphaLimit")}
        assert kept == old
        shown = {mark["i"] for mark in player.marks("map") if mark.get("i") is not None}
        assert shown <= set(range(t))
        for mark in arrived[-2:]:
            place = player.js("[s.view.x(arg[0]), s.view.y(arg[1])]", split.X[mark["i"]].tolist())
            assert (mark["x"], mark["y"]) == pytest.approx(place, abs=1e-3)


def test_the_dial_says_how_far_the_target_has_turned(player):
    for name, given in (("turn", {"drift": 0.5}), ("switch", {"drift": 1, "moves": "switch"})):
        settings = Settings.of(stream="on", **given)
        player.open(f"/?{settings.query()}")
        angle = streams.angles(1000, settings.drift, settings.moves)
        for t in (1, 249, 251, 640, 1000):
            player.go(t)
            turned, words = player.marks("map", name="turned")
            assert turned["angle"] == pytest.approx(angle[t - 1], abs=1e-6)
            assert words["text"] == f"target turned by {round(np.degrees(angle[t - 1]))}°"
        switches = player.marks("margins", name="switch")
        assert {mark["step"] for mark in switches} == ({250, 500, 750} if name == "switch" else set())
    player.open("/?v=1&stream=on&drift=0")
    assert player.marks("map", name="dial") == []


def test_a_place_of_the_course_tells_its_numbers_and_leads_there(player):
    _, _, run = made("norma")
    player.open("/?v=1&stream=on&data=linear&learner=norma&t=400")
    rect = player.js("s.layout.panels.margins")
    player.point(rect["x"] + rect["w"] * 0.7, rect["y"] + rect["h"] / 2)
    t = int(player.tip[0].removeprefix("step "))
    assert t == pytest.approx(700, abs=2)
    rate = round(100 * run.mistake[t - WINDOW : t].mean())
    size = streams.support_sizes(run)[t]
    assert player.tip[1:] == [
        f"{run.mistake[:t].sum()} mistakes",
        f"{rate}% wrong of the last 100",
        f"{size} in memory",
    ]
    player.click(rect["x"] + rect["w"] * 0.7, rect["y"] + rect["h"] / 2)
    assert player.t == t


def test_an_example_tells_when_it_came_and_what_f_was_then(player):
    _, split, run = made("norma")
    player.open("/?v=1&stream=on&data=linear&learner=norma&t=400")
    x, y = player.js("[s.view.x(arg[0]), s.view.y(arg[1])]", split.X[399].tolist())
    player.point(x, y)
    text = " ".join(player.tip)
    i = int(re.search(r"came at step (\d+)", text)[1]) - 1
    assert i >= 400 - LATELY  # the nearest that is shown
    assert explain.example(i) in player.tip[0]
    assert f"then f = {explain.number(run.score[i])}" in text
    assert ("a mistake" if run.mistake[i] else "correct") in player.tip[1]
    player.away()


def test_the_timeline_draws_mistakes_so_far_in_place_of_epochs(player):
    _, _, run = made("norma")
    player.open("/?v=1&stream=on&data=linear&learner=norma")
    (curve,) = player.marks("timeline", name="cumulative")
    assert [mark for mark in player.marks("timeline") if "epoch" in mark] == []
    heights = -np.array(curve["points"][1::2])
    assert (np.diff(heights) >= -1e-6).all()
    times = player.js("arg.map((x) => (x - 8) / (s.layout.panels.timeline.w - 16) * 1000)", curve["points"][0::2])
    cumulative = np.concatenate([[0], np.cumsum(run.mistake)])
    share = (heights - heights[0]) / (heights[-1] - heights[0])
    assert_allclose(share, cumulative[np.rint(times).astype(int)] / cumulative[-1], atol=0.01)
    assert f"at the end: {cumulative[-1]}" in player.words("timeline")
    player.press("q").rest()
    assert "at the end" not in player.words("timeline")
    player.press("q").rest()


def test_alpha_is_not_shown_since_each_example_comes_once(player):
    player.open("/?v=1&stream=on")
    assert player.js("Object.keys(s.layout.panels)") == ["map", "words", "margins", "timeline"]
    player.open("/?v=1&stream=on&learner=norma")
    assert player.js("Object.keys(s.layout.panels)") == ["map", "words", "own", "margins", "timeline"]


def test_compared_streams_have_a_course_each_on_one_scale(player):
    player.open("/?v=1&stream=on&data=linear&learner=norma&pins=1&t=640")
    norma = made("norma")[2]
    plain = experiment.run(Settings.of(stream="on", data="linear"))
    heights = {}
    for panel, run in (("margins-0", plain), ("margins", norma)):
        for strip, values in (("mistakes", run.mistake.cumsum()), ("support", streams.support_sizes(run)[1:])):
            (now,) = player.marks(panel, name="now", strip=strip)
            assert now["value"] == values[639]
            (curve,) = player.marks(panel, name="ahead", strip=strip)
            low, high = curve["points"][1], curve["points"][-1]
            heights.setdefault(strip, []).append((low - high) / values[-1])
    for first, second in heights.values():
        assert first == pytest.approx(second, rel=1e-3)
    assert indices(player.marks("map-0", name="lately")) == indices(player.marks("map", name="lately"))
    ends = f"A {plain.mistake.sum()} · B {norma.mistake.sum()}"
    assert ends in player.words("timeline")
    rect = player.js("s.layout.panels['margins-0']")
    player.point(rect["x"] + rect["w"] / 2, rect["y"] + rect["h"] / 2)
    t = int(player.tip[0].removeprefix("step "))
    assert player.tip[1] == f"{plain.mistake[:t].sum()} mistakes"
    player.away()
