"""The curves over a setting: what is drawn are the numbers of a sweep, and a click says what is to
be set.
"""

import numpy as np
import pytest
from matplotlib.figure import Figure

import kpviz
from kpviz.lessons.sweep import values_of
from kpviz.settings import Settings

LINK = "v=1&data=moons&n=30&noise=0.2&held=0.3&epochs=4"


def opened(player, link=LINK, size=None):
    return player.open(f"/?{link}&show=curve", size).until(
        "s.board.panels.some((p) => p.name === 'curve')"
    )


def line(player, name):
    (mark,) = player.marks("curve", name=name)
    return np.reshape(mark["points"], (-1, 2))


def texts(player):
    return [mark["text"] for mark in player.marks("curve", kind="text")]


def test_the_value_that_is_set_is_marked(player):
    for sigma in (0.02, 0.5, 10.0):
        opened(player, f"{LINK}&sigma={sigma}")
        assert now(player) == pytest.approx(np.log(sigma / 0.02) / np.log(500), abs=0.001)


def test_at_the_value_that_is_set_the_lines_have_the_numbers_with_which_this_run_ends(player):
    """The dots are the run so far, and at its end they lie on the lines."""
    opened(player)
    run = kpviz.load(LINK)
    counted = [run.mistake.sum(), np.count_nonzero(run.state_at(run.n_steps).coef)]
    player.go(10)
    assert player.marks("curve", name="so far")[0]["value"] == run.mistake[:10].sum()
    player.go(run.n_steps)
    dots = player.marks("curve", name="so far")
    assert [dot["value"] for dot in dots[:2]] == counted
    for name, dot in zip(("mistakes", "support", "train", "test"), dots, strict=True):
        x, y = line(player, name).T
        at = np.abs(x - dot["x"]).argmin()
        assert (x[at], y[at]) == pytest.approx((dot["x"], dot["y"]), abs=0.01)


@pytest.mark.parametrize("size", [(844, 390), (390, 844), (1366, 768)])
def test_a_logarithmic_scale_says_so_by_its_powers_of_ten_or_in_words(player, size):
    opened(player, "v=1&t=60", dict(zip(("width", "height"), size, strict=True)))
    powers = {mark["text"] for mark in player.marks("curve", kind="text")}
    assert {"0", "10", "100", "1,000"} <= powers
    captions = player.marks("curve", name="caption")
    assert all("log scale" in mark["text"] for mark in captions if mark["text"])
    opened(player, "v=1&t=60&over=noise&epochs=1&n=8", {"width": 1366, "height": 768})
    assert all("log" not in mark["text"] for mark in player.marks("curve", name="caption"))


@pytest.mark.parametrize("size", [(320, 568), (1100, 700), (1366, 768), (1366, 900)])
def test_in_a_narrow_panel_the_title_leaves_the_seeds_their_room_and_dots_are_explained(
    player, size
):
    width, height = size
    shown = "curve" if width == 320 else "curve.alpha.margins.gram.norm"
    player.open(f"/?v=1&t=60&show={shown}", {"width": width, "height": height})
    (title,) = player.marks("curve", name="title")
    assert title["text"] == "Curves over σ"
    assert "mean of 5 seeds" in texts(player)
    (caption,) = player.marks("curve", name="caption")
    are_drawn = bool(player.marks("curve", name="so far"))
    assert are_drawn == caption["text"].startswith("dots: this run so far") == (height == 900)


def now(player):
    """How far along the line of mistakes the value that is set is marked, 0 to 1."""
    ((x, _, again, _),) = [mark["points"] for mark in player.marks("curve", name="now")]
    low, high = line(player, "mistakes")[[0, -1], 0]
    assert x == again
    return (x - low) / (high - low)


def test_pointing_tells_the_numbers_and_offers_the_value(player):
    opened(player)
    found = kpviz.sweep(LINK, "sigma").means
    x, y = line(player, "mistakes")[20]
    player.point(x + 1, y)
    value, errors = (
        found["value"][20],
        [100 * found[name][20] for name in ("train_error", "test_error")],
    )
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
    assert [mark["text"] for mark in names] == [
        "width σ",
        "B",
        "examples n",
        "noise",
        "flipped",
        "balance",
        "held out",
        "epochs",
    ]
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
    found = kpviz.sweep(LINK, "noise").means
    (mark,) = [mark for mark in marks if mark.get("name") == "mistakes"]
    x, y = np.reshape(mark["points"], (-1, 2)).T
    share = (found["value"] - found["value"][0]) / np.ptp(found["value"])
    np.testing.assert_allclose((x - x[0]) / np.ptp(x), share, atol=1e-3)
    assert (
        np.argsort(found["mistakes"], kind="stable") == np.argsort(-y.round(3), kind="stable")
    ).all()
    return True


def test_pages_and_pictures_have_the_curve_that_the_link_names(player):
    assert noise_in(player.open(f"/?{LINK}&show=curve&over=noise").marks("curve"))
    assert now(player) == pytest.approx(0.2 / values_of(Settings.of(), "noise")[-1], abs=0.001)
    run = kpviz.load(f"{LINK}&over=noise")
    assert noise_in(marks_of(board_of(run.plot(panel="curve"))))
    ax = Figure((6, 4)).add_subplot()
    run.plot(panel="curve", ax=ax)
    assert noise_in(marks_of(board_of(ax)(6.0, 4.0)))
    assert noise_in(marks_of(board_of(run.plot(panels=["curve"], size=(16, 10)))))


def board_of(drawn):
    return next(artist.board for artist in drawn.get_children() if hasattr(artist, "board"))


def marks_of(board):
    (panel,) = [panel for panel in board.panels if panel.name == "curve"]
    return [*(mark for layer in panel.layers for mark in layer.marks), *panel.moving]
