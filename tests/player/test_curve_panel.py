"""The curves over a setting: what is drawn are the numbers of a sweep, and a click says what is to be set."""

from urllib.parse import parse_qsl

import numpy as np
import pytest
from matplotlib.figure import Figure

import kpviz
from kpviz.lessons.sweep import values_of
from kpviz.settings import Settings, from_query

LINK = "v=1&data=moons&n=30&noise=0.2&held=0.3&epochs=4"
LINES = ("mistakes", "support", "train", "test")


def opened(player, link=LINK, size=None):
    return player.open(f"/?{link}&show=curve", size).until("s.board.panels.some((p) => p.name === 'curve')")


def line(player, name):
    (mark,) = player.marks("curve", name=name)
    return np.reshape(mark["points"], (-1, 2))


def texts(player):
    return [mark["text"] for mark in player.marks("curve", kind="text")]


def test_each_line_has_the_numbers_of_the_sweep_in_its_own_colour_and_dash(player):
    opened(player)
    found = kpviz.sweep(LINK, "sigma", values_of(Settings.of(), "sigma")).means
    drawn = {name: line(player, name) for name in LINES}
    x = np.log(found["value"])
    for name, points in drawn.items():
        measure = {"train": "train_error", "test": "test_error"}.get(name, name)
        np.testing.assert_allclose(
            np.ptp(points[:, 0]) * (x - x[0]) / np.ptp(x), points[:, 0] - points[0, 0], atol=0.01
        )
        assert np.corrcoef(points[:, 1], np.log1p(found[measure]))[0, 1] < -0.9
        assert (np.argsort(found[measure], kind="stable") == np.argsort(-points[:, 1].round(6), kind="stable")).all()
    marks = [player.marks("curve", name=name)[0] for name in LINES]
    assert len({mark["stroke"] for mark in marks}) == len({str(mark.get("dash")) for mark in marks}) == 4
    assert {"mistakes", "support", "training error", "held-out error"} <= set(texts(player))


def test_the_value_that_is_set_is_marked(player):
    for sigma in (0.02, 0.5, 10.0):
        opened(player, f"{LINK}&sigma={sigma}")
        (mark,) = player.marks("curve", name="now")
        x, _, again, _ = mark["points"]
        low, high = line(player, "mistakes")[[0, -1], 0]
        assert x == again == pytest.approx(low + (high - low) * np.log(sigma / 0.02) / np.log(500), abs=0.01)


def test_pointing_tells_the_numbers_and_offers_the_value(player):
    opened(player)
    found = kpviz.sweep(LINK, "sigma", values_of(Settings.of(), "sigma")).means
    x, y = line(player, "mistakes")[20]
    player.point(x + 1, y)
    value, errors = found["value"][20], [100 * found[name][20] for name in ("train_error", "test_error")]
    assert player.tip == [
        f"σ = {value:g}",
        f"mistakes {found['mistakes'][20]:g}",
        f"support {found['support'][20]:g}",
        f"training error {errors[0]:.3g}%",
        f"held-out error {errors[1]:.3g}%",
        "click to set it",
    ]
    assert len(player.marks("curve", name="touched")) == 4
    assert player.js("s.player.touch.act") == {"set": {"sigma": value}}
    player.away()
    assert player.marks("curve", name="touched") == []


def test_each_property_that_applies_can_be_chosen_and_a_mean_over_seeds(player):
    opened(player, f"{LINK}&learner=forgetron")
    names = player.marks("curve", name="over")
    assert [mark["text"] for mark in names] == ["σ", "B", "n", "noise", "flipped", "balance", "held out", "epochs"]
    player.point(names[1]["x"], names[1]["y"])
    assert player.js("s.player.touch.act") == {"over": "budget"}
    (seeds,) = player.marks("curve", name="seeds")
    assert seeds["text"] == "mean of 5 seeds"
    player.point(seeds["x"] + 5, seeds["y"])
    assert player.js("s.player.touch.act") == {"seeds": 5}


def test_turning_its_own_setting_asks_for_nothing_and_any_other_does(player):
    opened(player)
    key = """((query) => {
      const { curve, run } = s.player;
      curve.answer = run.header.extras.curve;
      const before = run.header.settings.query;
      run.header.settings.query = query;
      const found = curve.key;
      run.header.settings.query = before;
      return found;
    })(arg)"""
    first = player.js(key, f"{LINK}&sigma=3")
    assert player.js(key, f"{LINK}&sigma=0.1") == player.js(key, LINK) == first
    assert player.js(key, f"{LINK}&seed=1") != first
    player.js("(s.player.curve.seeds = 5, 0)")
    assert player.js(key, LINK) != first


def test_until_there_are_numbers_a_sentence_stands_in_their_place(player):
    opened(player)
    player.js("(delete s.player.run.header.extras.curve, s.player.page.redraw(), 0)")
    player.rest()
    assert "they are being trained" in " ".join(texts(player))
    player.js("(s.player.curve.take(null, 'This takes too long.'), s.player.page.redraw(), 0)")
    player.rest()
    assert texts(player)[1:] == ["This takes too long."]


def noise_in(marks):
    """The line of mistakes among some marks is that of a sweep over the noise."""
    found = kpviz.sweep(LINK, "noise", values_of(from_query(dict(parse_qsl(LINK)))[0], "noise")).means
    (mark,) = [mark for mark in marks if mark.get("name") == "mistakes"]
    x, y = np.reshape(mark["points"], (-1, 2)).T
    share = (found["value"] - found["value"][0]) / np.ptp(found["value"])
    np.testing.assert_allclose((x - x[0]) / np.ptp(x), share, atol=1e-3)
    assert (np.argsort(found["mistakes"], kind="stable") == np.argsort(-y.round(3), kind="stable")).all()
    return True


def test_pages_and_pictures_have_the_curve_that_the_link_names(player):
    assert noise_in(player.open(f"/?{LINK}&show=curve&over=noise").marks("curve"))
    (mark,) = player.marks("curve", name="now")
    low, high = line(player, "mistakes")[[0, -1], 0]
    assert mark["points"][0] == pytest.approx(
        low + (high - low) * 0.2 / values_of(Settings.of(), "noise")[-1], abs=0.01
    )
    run = kpviz.open(f"{LINK}&over=noise")
    (artist,) = [artist for artist in run.plot(panel="curve").get_children() if hasattr(artist, "board")]
    assert noise_in(marks_of(artist.board))
    ax = Figure((6, 4)).add_subplot()
    run.plot(panel="curve", ax=ax)
    (artist,) = [artist for artist in ax.get_children() if hasattr(artist, "board")]
    assert noise_in(marks_of(artist.board(6.0, 4.0)))
    board = run.plot(panels=["curve"], size=(16, 10)).get_children()
    assert noise_in(marks_of(next(artist for artist in board if hasattr(artist, "board")).board))


def marks_of(board):
    (panel,) = [panel for panel in board.panels if panel.name == "curve"]
    return [*(mark for layer in panel.layers for mark in layer.marks), *panel.moving]
