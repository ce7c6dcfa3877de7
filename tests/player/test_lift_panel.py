"""The features of degree 2 in space: points, plane and side are those of Python, and the space is turned by hand."""

import numpy as np
import pytest
from lifted import SQUARE, TURNED, drawn, fits, opened, space

from kpviz import experiment, tokens
from kpviz.settings import Settings


@pytest.mark.parametrize("share", [0.02, 0.5, 1])
def test_w_is_the_sum_of_coefficients_times_features_and_cuts_the_box_where_python_does(player, share):
    split, run = opened(player, **SQUARE)
    phi, box = space(split)
    t = max(int(share * run.n_steps), 1)
    player.go(t)
    state = run.state_at(t)
    (equation,) = player.marks("lift", name="w")
    w = state.coef @ phi[: len(run.y)]
    np.testing.assert_allclose(equation["w"], w, rtol=1e-5, atol=1e-5)
    assert equation["b"] == pytest.approx(state.intercept)
    polygon = player.marks("lift", name="plane")
    expected = box.cut(np.array(equation["w"]), equation["b"])
    assert len(polygon) == (len(expected) > 0)
    if len(expected):
        np.testing.assert_allclose(polygon[0]["corners"], expected, atol=1e-5)
    look = tokens.LIFT
    assert fits(box.seen(phi, look["turn"], look["tilt"]), drawn(player))
    (ring,) = player.marks("lift", name="current")
    assert ring["i"] == run.index[t - 1]


def test_points_are_drawn_before_or_above_the_plane_as_their_f_says(player):
    split, run = opened(player, **SQUARE)
    phi, box = space(split)
    player.go(run.n_steps)
    marks = [mark for mark in player.marks("lift") if mark.get("name") in ("point", "plane")]
    at = [mark["name"] for mark in marks].index("plane")
    f = run.decision_function(np.concatenate([split.X, split.X_test]))
    sides = [{float(np.sign(f[mark["i"]])) for mark in part} for part in (marks[:at], marks[at + 1 :])]
    assert sorted(map(len, sides)) == [1, 1]
    assert sides[0] != sides[1]
    nearness = box.seen(phi, tokens.LIFT["turn"], tokens.LIFT["tilt"])[:, 2]
    for part in (marks[:at], marks[at + 1 :]):
        assert (np.diff([nearness[mark["i"]] for mark in part]) >= -1e-6).all()


def test_keys_turn_it_and_the_link_holds_how_it_is_turned(player):
    split, _ = opened(player, **SQUARE)
    phi, box = space(split)
    player.press("4").press("4").press("8").rest()
    turn, tilt = tokens.LIFT["turn"] - 20, tokens.LIFT["tilt"] + 10
    assert player.js(TURNED) == {"turn": turn, "tilt": tilt}
    query = player.js("s.query")
    assert f"turn={turn:g},{tilt:g}" in query
    player.press("5").rest()
    assert "turn=" not in player.js("s.query")
    player.open("?" + query)
    assert player.js(TURNED) == {"turn": turn, "tilt": tilt}
    assert fits(box.seen(phi, turn, tilt), drawn(player))


def test_a_point_in_space_lights_up_on_the_map(player):
    _, run = opened(player, **SQUARE)
    player.go(run.n_steps)
    places = drawn(player)
    far = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + np.diag([np.inf] * len(places))
    i = int(far.min(axis=1).argmax())
    player.point(*places[i])
    assert [mark["lit"] for mark in player.marks("map") if "lit" in mark] == [i]
    assert [mark["lit"] for mark in player.marks("lift") if "lit" in mark] == [i]


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (1366, 640)], ids=str)
@pytest.mark.parametrize("stage", ["", "&stage=window"])
def test_where_there_is_no_lift_words_say_what_it_would_show_in_type_as_large_as_there_is_room(player, size, stage):
    player.open(f"/?v=1&t=60&show=lift{stage}", {"width": size[0], "height": size[1]})
    lines = [mark for mark in player.marks("lift", kind="text") if mark.get("name") in ("why", "offer", "shows")]
    said = " ".join(mark["text"] for mark in lines if mark["name"] == "shows")
    assert "(x₁², √2·x₁x₂, x₂²)" in said
    assert said.endswith("about the origin.")
    rect, unit = player.js("[s.layout.panels.lift, s.layout.unit]")
    assert [mark["size"] for mark in lines] == pytest.approx([1.5 * 12.5 * unit] * len(lines))
    assert max(mark["y"] for mark in lines) <= rect["y"] + rect["h"]
    places = drawn(player)
    assert len(places) == 60
    assert places[:, 1].min() > max(mark["y"] for mark in lines)
    assert places[:, 1].max() < rect["y"] + rect["h"]
    assert not player.marks("lift", name="plane")
    player.open(f"/?v=1&t=60&data=texts&show=lift{stage}", {"width": size[0], "height": size[1]})
    assert player.marks("lift", name="shows") == []


def test_under_the_words_the_examples_can_be_pointed_at_and_the_words_still_offer_the_kernel(player):
    player.open("/?v=1&t=60&show=lift")
    split = experiment.prepare(Settings.of())
    phi, box = space(split)
    assert fits(box.seen(phi, tokens.LIFT["turn"], tokens.LIFT["tilt"]), drawn(player))
    places = drawn(player)
    far = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + np.diag([np.inf] * len(places))
    i = int(far.min(axis=1).argmax())
    player.point(*places[i])
    assert [mark["lit"] for mark in player.marks("map") if "lit" in mark] == [i]
    assert player.js("s.touch.ask") is None
    words = player.marks("lift", name="why")[0]
    player.point(words["x"] + 10, words["y"])
    assert player.js("[s.touch.ask, s.player.capabilities.server]") in (["square", True], [None, False])
