"""The order of the examples: a cell for each, as the epoch shows them."""

import itertools

import numpy as np
import pytest
from headless import sent

from kpviz import experiment
from kpviz.settings import HAND, Settings

N = 60  # examples of the usual data
SHAPES = ("circle", "square")


def cells(player):
    """The shapes of the panel, in the order in which they are drawn."""
    return [mark for mark in player.marks("sequence") if mark["kind"] in SHAPES and "i" in mark]


def centre(player, i):
    """The middle of the first cell of an example."""
    return next((mark["x"], mark["y"]) for mark in cells(player) if mark["i"] == i)


def epochs(player):
    """The examples of each epoch of the run."""
    return np.array(player.js("[...s.run.trace.index]")).reshape(-1, player.js("s.run.n")).tolist()


# ---- when it is there -----------------------------------------------------------------------------------------------


NUMBERS = itertools.count()


def arrives(player, query):
    """Another run of the same examples, as a setting brings it; whether the panel is then shown."""
    player.engine.take(sent(query).replace(b'"id":"run"', f'"id":"{next(NUMBERS):03}"'.encode()))
    player.js("(s.player.curve.follow = () => {})")  # it reads addresses, as browsers do
    player.js("(s.player.take(kpviz.bytes), s.arrange(), 0)")
    return player.rest().js("s.player.shown.has('sequence')")


def test_an_order_by_hand_brings_its_panel_and_takes_it_along(player):
    player.open("/?v=1")
    assert arrives(player, "v=1&order=hand")
    assert player.js("'sequence' in s.layout.panels")
    assert arrives(player, "v=1&order=hand&epochs=3")
    assert not arrives(player, "v=1")


def test_a_panel_that_was_there_before_an_order_by_hand_stays(player):
    player.open("/?v=1&show=alpha.sequence")
    assert arrives(player, "v=1&order=hand")
    assert arrives(player, "v=1")


def test_a_link_with_an_order_by_hand_brings_its_panel_unless_it_names_others(player):
    assert player.open("/?v=1&order=hand").js("'sequence' in s.layout.panels")
    assert not arrives(player, "v=1")
    assert not player.open("/?v=1&order=hand&show=alpha").js("s.player.shown.has('sequence')")


def test_whoever_closes_the_panel_of_an_order_by_hand_is_not_shown_it_again(player):
    player.open("/?v=1&order=hand&show=alpha")
    assert not arrives(player, "v=1&order=hand&epochs=3")


# ---- what the panel shows -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        Settings.of(noise=0.2),
        Settings.of(noise=0.2, order="shuffled", oseed=3),
        Settings.of(noise=0.2, order="random"),
        Settings.of(noise=0.2, order=HAND, sequence="AfABAJ"),
    ],
    ids=lambda settings: settings.order,
)
def test_the_cells_are_the_examples_of_the_epoch_and_the_strong_ones_its_mistakes(player, settings):
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}&show=sequence")
    for t in (0, 1, 7, N - 1, N, N + 1, 2 * N + 20, run.n_steps):
        player.go(t)
        start = 0 if t == 0 else N * ((t - 1) // N)  # the epoch of the step that led here
        shown = cells(player)
        assert [mark["i"] for mark in shown] == run.index[start : start + N].tolist()
        assert [mark["alpha"] == 1 for mark in shown] == [
            bool(run.mistake[step]) and step < t for step in range(start, start + N)
        ]
        kinds = {mark["kind"]: run.y[mark["i"]] for mark in shown}
        assert kinds == {"circle": 1.0, "square": -1.0}
        rings = player.marks("sequence", name="current")
        assert [(ring["x"], ring["y"]) for ring in rings] == [
            (mark["x"], mark["y"]) for mark in shown[t - 1 - start : t - start] if t
        ]
        lines = [line for mark in player.marks("sequence", name="shown") for line in mark["lines"]]
        size = np.diff([mark["x"] for mark in shown[:2]])[0]
        assert sum(line[2] - line[0] + 2 for line in lines) == pytest.approx(size * (t - start))


def test_the_title_says_which_order_it_is_and_of_which_epoch(player):
    for link, title in [
        ("v=1&t=70", "Order: cyclic"),
        ("v=1&t=70&order=shuffled", "Order: shuffled, epoch 2"),
        ("v=1&t=70&order=random", "Order: random, epoch 2"),
        ("v=1&t=70&order=hand", "Order by hand"),
    ]:
        player.open(f"/?{link}&show=sequence")
        assert player.words("sequence", "title") == title


def test_before_a_prediction_the_epoch_of_the_question_is_shown_and_no_answer(player):
    settings = Settings.of(noise=0.2, order="shuffled")
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}&t={N}&show=sequence").press("q").rest()
    shown = cells(player)
    assert [mark["i"] for mark in shown] == run.index[N : 2 * N].tolist()
    asked = shown[player.t - N]
    missed = {mark["i"] for mark in shown if mark["alpha"] == 1}
    assert missed == set(run.index[N : player.t][run.mistake[N : player.t]].tolist())
    (ring,) = player.marks("sequence", name="current")
    assert (ring["x"], ring["y"]) == (asked["x"], asked["y"])


def test_cells_and_points_light_up_together_and_the_tip_tells_of_the_example(player):
    player.open("/?v=1&t=30&order=shuffled&show=alpha.sequence")
    i = epochs(player)[0][17]
    player.point(*centre(player, i))
    assert [mark["lit"] for panel in ("map", "sequence") for mark in player.marks(panel) if "lit" in mark] == [i, i]
    digits = "".join(chr(ord("₀") + int(digit)) for digit in str(i))
    assert player.tip[0].startswith(f"x{digits} ")
    assert player.tip[-1] == "number 18 of the epoch: step 18"
    player.point(*player.spots()[i])
    (lit,) = (mark for mark in player.marks("sequence") if mark.get("lit") == i)
    assert (lit["x"], lit["y"]) == centre(player, i)


@pytest.mark.parametrize("n", [4, 60, 150, 1000])
def test_the_cells_lie_in_rows_inside_the_panel_and_carry_their_index_where_there_is_room(player, n):
    player.open(f"/?v=1&n={n}&show=alpha.margins.sequence")
    rect = player.js("s.layout.panels.sequence")
    shown = cells(player)
    places = [(mark["y"], mark["x"]) for mark in shown]
    assert len(places) == n
    assert places == sorted(places)
    assert all(
        rect["x"] <= x - mark["r"] and x + mark["r"] <= rect["x"] + rect["w"]
        for mark, (_, x) in zip(shown, places, strict=True)
    )
    assert all(
        rect["y"] + 20 < y - mark["r"] and y + mark["r"] <= rect["y"] + rect["h"]
        for mark, (y, _) in zip(shown, places, strict=True)
    )
    size = places[1][1] - places[0][1]
    labels = [mark["text"] for mark in player.marks("sequence", kind="text", baseline="middle")]
    assert labels == ([str(i) for i in range(n)] if size >= 22 else [])
    assert (n < 1000) == bool(labels)
