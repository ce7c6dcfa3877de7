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
    ],
)
def test_there_are_three_nodes_for_each_width(given):
    sent = Sent(data="spirals", **given)
    low, high, *_ = sent.header["extent"]
    narrowest = min(value for name, value in given.items() if name.startswith("sigma"))
    assert 3 * (high - low) / (sent.header["grid"] - 1) <= narrowest * (1 + 1e-9)


@pytest.mark.parametrize("given", [{}, {"kernel": "linear"}, {"data": "texts"}, {"sigma": 0.02, "predictor": "voted"}])
def test_others_have_the_usual_number(given):
    assert Sent(**given).header["grid"] == tokens.GRID
