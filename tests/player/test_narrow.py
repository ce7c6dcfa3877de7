"""The grid of a narrow kernel: nodes enough to see it."""

import pytest
from sent import Sent

from kpviz import tokens


@pytest.mark.parametrize(
    "given",
    [
        {"sigma": 0.02},
        {"sigma": 0.05, "kernel": "laplacian"},
        {"sigma": 0.02, "kernel": "matern32"},
        {"sigma": 0.5, "combine": "sum", "kernel2": "gaussian", "sigma2": 0.03},
        {"sigma": 0.02, "normalize": "on"},
        {"sigma": 0.05, "predictor": "voted"},
    ],
)
def test_there_are_three_nodes_for_each_width(given):
    sent = Sent(data="spirals", **given)
    low, high, *_ = sent.header["extent"]
    narrowest = min(value for name, value in given.items() if name.startswith("sigma"))
    assert 3 * (high - low) / (sent.header["grid"] - 1) <= narrowest * (1 + 1e-9)


@pytest.mark.parametrize("given", [{}, {"kernel": "linear"}, {"data": "texts"}])
def test_others_have_the_usual_number(given):
    assert Sent(**given).header["grid"] == tokens.GRID


@pytest.mark.parametrize(
    "given",
    [
        {"data": "spirals", "sigma": 0.02, "predictor": "voted"},  # which are counted at each node
        {"data": "blobs", "noise": 0.6, "n": 500, "sigma": 0.02},  # many support examples
    ],
)
def test_a_map_with_fewer_says_so(player, given):
    sent = Sent(**given)
    low, high, *_ = sent.header["extent"]
    nodes = (sent.header["grid"] - 1) * given["sigma"] / (high - low)
    assert sent.header["coarse"] == pytest.approx(nodes)
    assert nodes < 3
    player.open(f"/?{sent.settings.query()}")
    assert player.words("map", "kernel") == f"Gaussian, σ = {given['sigma']} · coarse map"
    (said,) = player.js(
        "load('model/account.js').accountOf(s.player)[0].lines.filter((line) => line.includes('coarse'))"
    )
    assert said == f"The map is coarse: {nodes:.2f} nodes of its grid for each σ."


@pytest.mark.parametrize("given", [{}, {"sigma": 0.02}, {"data": "texts"}, {"kernel": "polynomial"}])
def test_others_do_not(player, given):
    player.open(f"/?{Sent(**given).settings.query()}")
    assert "coarse" not in player.words("map", "kernel")
