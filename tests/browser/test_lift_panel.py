"""The features of degree 2 in space: points, plane and side are those of Python, and the space is turned by hand."""

import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.player.box import Box
from kpviz.settings import Settings

SQUARE = {"data": "circles", "kernel": "monomial", "degree": 2, "intercept": "unit", "held": 0.1}
TURNED = "s.lift.now"


def opened(player, **given):
    settings = Settings.of(**given)
    player.open(f"/?{settings.query()}&show=lift")
    player.until("s.run.header.extras.lift").rest()
    split = experiment.prepare(settings)
    return split, experiment.run(settings, split)


def space(split):
    X = np.concatenate([split.X, split.X_test])
    phi = np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2])
    return phi, Box.around(phi)


def fits(seen, places):
    """The places are those seen, up to one enlargement and where the middle is."""
    flat = np.column_stack([seen[:, 0], -seen[:, 1]])
    scale = np.std(places) / np.std(flat - flat.mean(axis=0) + places.mean(axis=0))
    middle = places.mean(axis=0) - flat.mean(axis=0)
    factor = ((places - places.mean(axis=0)) * (flat - flat.mean(axis=0))).sum() / (
        (flat - flat.mean(axis=0)) ** 2
    ).sum()
    expected = factor * (flat - flat.mean(axis=0)) + flat.mean(axis=0) + middle
    return factor > 20 and np.allclose(places, expected, atol=0.05) and scale > 0


def drawn(player):
    marks = sorted(player.marks("lift", name="point"), key=lambda mark: mark["i"])
    return np.array([[mark["x"], mark["y"]] for mark in marks])


def test_dragging_turns_it_and_a_double_click_turns_it_back(player):
    split, _ = opened(player, **SQUARE)
    phi, box = space(split)
    panel = player.js("s.layout.panels.lift")
    x, y = panel["x"] + 8, panel["y"] + panel["h"] / 2
    before = drawn(player)
    player.hold((x, y), (x + 40, y + 10), (x + 80, y + 30))
    player.page.mouse.up()
    now = player.rest().js(TURNED)
    assert now["turn"] == pytest.approx(tokens.LIFT["turn"] - 40)
    assert now["tilt"] == pytest.approx(tokens.LIFT["tilt"] + 15)
    assert fits(box.seen(phi, now["turn"], now["tilt"]), drawn(player))
    player.page.mouse.dblclick(*player.at(x, y))
    player.rest()
    np.testing.assert_allclose(drawn(player), before)
    assert player.errors == []


def test_another_kernel_says_which_one_it_is_for_and_a_click_chooses_that(player):
    opened(player)
    assert "(u·v)²" in player.words("lift", "why")
    panel = player.js("s.layout.panels.lift")
    player.page.mouse.click(*player.at(panel["x"] + 60, panel["y"] + 60))
    player.until("s.run.header.extras.lift?.why === ''").rest()
    assert (player.settings.kernel, player.settings.degree) == ("monomial", 2)
    assert len(player.marks("lift", name="point")) == 60
    player.press("z").until("s.run.header.extras.lift?.why !== ''")
    assert player.settings.kernel == "gaussian"
