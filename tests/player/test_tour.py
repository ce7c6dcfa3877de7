"""The tour: what each stop says is true of the run at its instant, and it is offered only where it is."""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.settings import Settings

TOLD = [
    Settings.of(),
    Settings.of(seed=3, noise=0.2),
    Settings.of(data="circles", kernel="polynomial"),
    Settings.of(data="blobs", kernel="linear", intercept="unit"),
    Settings.of(data="moons", eta=0.5, order="shuffled"),
]
OTHERS = [
    "learner=svm",
    "learner=logistic",
    "predictor=averaged",
    "stream=on",
    "data=bits&function=parity&bits=4",
    "kernel=sigmoid",
    "tie=correct",
]
COLOURS = {1: "orange", -1: "blue"}


def stops(player, start=0, touch=False):
    return player.js("load('shell/tour.js').stopsOf(s.run, arg)", {"from": start, "touch": touch})


@pytest.mark.parametrize("settings", TOLD, ids=lambda settings: settings.query())
def test_what_it_says_is_true_of_the_run_at_that_instant(player, settings):
    player.open(f"/?{settings.query()}")
    run = experiment.run(settings)
    by_name = {stop["name"]: stop for stop in stops(player)}
    assert list(by_name) == ["f", "mistake", "brick", "margin", "turn"]

    whole = by_name["f"]
    assert whole["t"] == run.n_steps
    assert f"after {explain.counted(int(run.mistake.sum()), 'mistake')}:" in whole["lines"][0]

    t = by_name["mistake"]["t"]
    assert {by_name[name]["t"] for name in ("mistake", "brick", "margin")} == {t}
    i, score = int(run.index[t - 1]), float(run.score[t - 1])
    x, y = explain.example(i), int(run.y[i])
    assert run.mistake[t - 1]
    assert score * y < 0
    said = explain.number(score) if score < 0 else f"+{explain.number(score)}"
    first, then = by_name["mistake"]["lines"]
    assert (
        first
        == f"Back to step {t}: {x} is {COLOURS[y]}, but its score was {said}, which says {COLOURS[-y]}: a mistake."
    )
    scores = run.decision_function(run.X, t)
    assert then == f"So f moves towards {COLOURS[y]} around {x}: the score is now {explain.number(float(scores[i]))}."
    assert (scores[i] - score) * y > 0

    on_it = int((run.mistake[:t] & (run.index[:t] == i)).sum())
    alpha = f"η times the number of bricks on an example is its α: {run.unit * on_it:.2f}"
    if run.unit == 1:
        alpha = f"The number of bricks on an example is its α: {on_it}"
    assert f"{alpha} on {x}." in by_name["brick"]["lines"][0]
    counts = np.bincount(run.index[:t][run.mistake[:t]], minlength=len(run.y))
    summed = run.unit * (counts * run.y) @ run.kernel(run.X, run.X) + run.state_at(t).intercept
    assert np.allclose(summed, scores)
    adds = by_name["brick"]["lines"][1]
    assert ("η·y·k" in adds, "intercept b" in adds) == (run.unit != 1, run.learner.intercept != "none")

    wrong = int((run.y * scores <= 0).sum())
    assert by_name["margin"]["lines"][1].endswith(f"not above 0: {wrong} of {len(run.y)}.")


@pytest.mark.parametrize("settings", TOLD, ids=lambda settings: settings.query())
def test_each_stop_has_its_place_on_the_board(player, settings):
    player.open(f"/?{settings.query()}")
    for stop in stops(player)[:-1]:
        player.go(stop["t"])
        if "mark" in stop:
            (mark,) = player.marks(stop["panel"], name=stop["mark"])
            assert mark.get("r", mark.get("h", 0)) > 0
        else:
            assert player.marks(stop["panel"], name="boundary")[0]["lines"]
    player.go(stops(player)[1]["t"])
    place = player.js("((i) => [s.view.x(s.run.X[2 * i]), s.view.y(s.run.X[2 * i + 1])])(s.run.trace.index[s.t - 1])")
    (ring,) = player.marks("map", name="current")
    assert [ring["x"], ring["y"]] == pytest.approx(place)


def test_the_last_stop_is_where_the_tour_began(player):
    player.open("/?v=1")
    assert stops(player, start=33)[-1]["t"] == 33


@pytest.mark.parametrize("touch", [False, True])
def test_a_screen_that_is_touched_has_no_keys(player, touch):
    words = " ".join(stops(player.open("/?v=1"), touch=touch)[-1]["lines"])
    assert ("Press" in words, "Tap" in words) == (not touch, touch)


@pytest.mark.parametrize("link", OTHERS)
def test_of_other_runs_it_says_nothing(player, link):
    assert stops(player.open(f"/?v=1&{link}")) is None


@pytest.mark.parametrize("room", [(1366, 720), (1920, 1030), (390, 760)])
def test_a_card_leaves_its_panel_free_and_stays_inside(engine, room):
    w, h = room
    card = {"w": min(360, w), "h": 200}
    for x in range(0, w - 60, 90):
        for y in range(0, h - 60, 70):
            place = {"x": x, "y": y, "w": 40, "h": 40}
            at = engine.call(
                "(place, card, room) => load('shell/tour.js').beside(place, place, card, room)",
                place, card, {"x": 0, "y": 0, "w": w, "h": h},
            )  # fmt: skip
            assert 0 <= at["x"] <= w - card["w"]
            assert 0 <= at["y"] <= h - card["h"]
            assert at["x"] >= x + 40 or at["x"] + card["w"] <= x or at["y"] >= y + 40 or at["y"] + card["h"] <= y, place
