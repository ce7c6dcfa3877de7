"""k(x, ·) on the map in place of f: of the example pointed at, of the pinned one, or of that of the step."""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.settings import Settings

CASES = {
    "gaussian": {},
    "ridge": {"kernel": "sigmoid", "epochs": 3},
    "sum, held out": {"kernel": "linear", "combine": "sum", "kernel2": "laplacian", "held": 0.2},
    "cubic": {"kernel": "polynomial", "degree": 3},
}
SHOWN = "s.scenes().map.kernelRow"


def opened(player, **given):
    settings = Settings.of(**given)
    player.open(f"/?{settings.query()}&show=similar")
    player.until("s.run.header.extras.similar").rest()
    return settings


def field(player):
    return np.array(player.js(f"[...{SHOWN}.field]"))


def nodes(split):
    x1, x2 = split.shown.axes(96)
    return np.column_stack([np.tile(x1, 96), np.repeat(x2, 96)])


@pytest.mark.parametrize("name", CASES)
def test_the_field_of_any_example_is_its_kernel_at_the_nodes(player, name):
    settings = opened(player, **CASES[name])
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    X = np.concatenate([split.X, split.X_test])
    exact = run.kernel(X, nodes(split))
    player.away()
    never = sorted(set(range(len(run.y))) - set(run.changes.index.tolist()))
    times = [int(np.flatnonzero(run.index == i)[0]) + 1 for i in (*never[:1], int(run.changes.index[0]))]
    for t in times:
        player.go(t)
        i = int(run.index[t - 1])
        assert player.js(f"{SHOWN}.i") == i
        np.testing.assert_allclose(field(player), exact[i], rtol=1e-5, atol=2e-6 * np.abs(exact).max())
        assert player.js("s.scenes().map.scaleImage !== null")
        sub = str(i).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
        assert player.marks("map", name="scale")[0]["text"] == f"k(x{sub}, ·)"
        assert player.marks("map", name="boundary") == []
        (image,) = player.marks("map", name="similar")
        assert image["i"] == i
    if len(split.y_test):
        last = len(X) - 1
        x, y = player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", last)
        player.point(x, y)
        i = player.js(f"{SHOWN}.i")
        np.testing.assert_allclose(field(player), exact[i], rtol=1e-5, atol=2e-6 * np.abs(exact).max())


def test_pointing_shows_another_example_a_click_keeps_it_and_escape_lets_go(player):
    opened(player)
    player.go(5).away()
    of_step = player.js(f"{SHOWN}.i")
    i, spot = player.lonely()
    assert i != of_step
    player.point(*spot)
    assert player.js(f"{SHOWN}.i") == i
    player.click(*spot)
    player.away()
    assert player.js(f"{SHOWN}.i") == i
    assert i in [mark["lit"] for mark in player.marks("map") if "lit" in mark]
    player.press("Escape").rest()
    assert player.js(f"{SHOWN}.i") == of_step


def test_a_place_of_the_map_tells_its_similarity_to_the_example(player):
    settings = opened(player)
    run = experiment.run(settings)
    player.go(5)
    player.point(*player.gap())
    node = player.js("s.touch.probe")
    value = run.kernel(run.X[[run.index[4]]], np.array([[node["x1"], node["x2"]]]))[0, 0]
    assert player.tip[0].startswith("k(x")
    assert float(player.tip[0].rsplit(" ", 1)[1]) == pytest.approx(value, abs=0.006)
