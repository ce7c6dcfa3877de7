"""The features of degree 2 in space: points, plane and side are those of Python, and the space is turned by hand."""

import numpy as np
import pytest
from lifted import SQUARE, TURNED, drawn, fits, opened, space

from kpviz import tokens


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
