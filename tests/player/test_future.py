"""What is to come is not told: two runs that are the same up to an instant look and read the same
there.
"""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data import sequence
from kpviz.settings import from_query

PANELS = (
    "alpha.own.margins.normed.lines.code.bound.readings.primal.remembered.norm.proof"
    ".gram.validity.derivation.lift.votes"
)
SIZE = {"width": 1342, "height": 1400}
CASES = [
    "data=moons&noise=0.3&n=40&held=0.3",
    "data=linear&kernel=linear&n=30&intercept=unit",
    "data=moons&n=40&learner=forgetron&budget=6&noise=0.3",
    "data=moons&n=40&learner=norma&noise=0.3&held=0.2",
    "data=moons&n=40&learner=pa&variant=PA-I&noise=0.3&predictor=averaged",
    "data=moons&n=40&noise=0.3&held=0.3&predictor=voted",
    "data=moons&n=40&learner=projectron&held=0.3&pins=1&p1.kernel=linear",
    "data=moons&n=40&learner=logistic&held=0.3",
    "data=circles&kernel=monomial&n=40",
    "kernel=polynomial&degree=5&n=40&noise=0.2",
    "data=texts",
    "data=bits&bits=4&function=majority",
]
# The frames of drawings, which nothing can do without: the scale of colours is fixed for the run,
# so that a colour means the same at each step, and so are its ends in the strip and the length of
# the arrow of w on the map; the order is what the two runs differ in.
FRAMES = {"map", "map-0", "map-1", "strip", "sequence"}
# Places are kept for the weights to come, so that none moves, and their names have less room where
# there are more; and before the scale of a compared map its caption has less room where the numbers
# are long: there the other words are compared.
PLACES = {"alpha", "caption"}
# What is behind the cursor is clipped there; an end is one of the scale of colours.
WRITTEN_LATER = ("behind", "end")

TOLD = """({
  panels: s.board.panels.map(({ name, marks }) => ({ name, marks })),
  said: load("point/spoken.js").accountOf(s.player),
})"""


def told(player, link, order, t):
    """The marks of all panels and what is said of them, at an instant of one epoch in
    this order.
    """
    code = sequence.encode([int(i) for i in order])
    player.open(f"/?v=1&{link}&epochs=1&order=hand&sequence={code}&t={t}&show={PANELS}", SIZE)
    found = player.js(TOLD)
    panels = {}
    for panel in found["panels"]:
        seen = [
            mark
            for mark in panel["marks"]
            if mark.get("name") not in WRITTEN_LATER and "hypothesis" not in mark
        ]
        panels[panel["name"]] = seen
    return panels, found["said"]


def words(marks):
    return [mark["text"] for mark in marks if mark["kind"] == "text" and mark["text"][0] != "x"]


@pytest.mark.parametrize("link", CASES)
def test_another_future_changes_nothing_of_what_is_drawn_and_said_now(player, link):
    n = len(experiment.prepare(from_query(f"v=1&{link.partition('&pins')[0]}")[0]).y)
    order = np.random.default_rng(0).permutation(n)
    for t in (0, 1, 5, n // 2):
        other = [*order[:t], *np.random.default_rng(1).permutation(order[t:])]
        panels, said = told(player, link, order, t)
        others, said_then = told(player, link, other, t)
        for name in panels.keys() - FRAMES - PLACES:
            assert panels[name] == others[name], (t, name)
        for name in panels.keys() & PLACES:
            assert words(panels[name]) == words(others[name]), (t, name)
        assert said == said_then, t


STREAM = "data=moons&stream=on&n=120&flipped=0.2&learner=norma&show=stream"


@pytest.mark.parametrize("t", [0, 10, 40])
def test_the_scales_of_a_stream_are_those_of_what_has_come(player, t):
    """A stream twice as long has the same beginning."""
    tops = []
    for n in (120, 240):
        player.open(f"/?v=1&{STREAM.replace('120', str(n))}&t={t}", SIZE)
        tops.append([mark["text"] for mark in player.marks("stream") if mark["kind"] == "text"])
        assert not player.marks("stream", name="ahead")
    assert tops[0] == tops[1]


def decided(player):
    """The panels of the two numbers that decide, one under each map."""
    return [
        name
        for name in player.js("s.board.panels.map(({ name }) => name)")
        if name.startswith("decide")
    ]


def test_before_the_first_step_no_predictor_has_an_error_and_the_end_is_not_in_the_table(player):
    models = "pins=2&p1.predictor=voted&p2.predictor=averaged"
    player.open(
        f"/?v=1&data=moons&noise=0.3&held=0.3&{models}&show=readings",
        {"width": 1900, "height": 1900},
    )
    assert not any("%" in mark["text"] for name in decided(player) for mark in player.marks(name))
    numbers = "load('board/comparison.js').numbersOfRuns(s.player)"
    before = player.js(numbers)
    assert before
    assert "%" not in str(before)
    player.open(
        f"/?v=1&data=moons&noise=0.3&held=0.3&{models}&t=99999", {"width": 1900, "height": 1900}
    )
    assert "%" in str(player.js(numbers))
    assert any("%" in mark["text"] for name in decided(player) for mark in player.marks(name))


def test_the_words_of_a_ready_comparison_come_when_there_is_something_to_see(player):
    def words():
        return [mark["text"] for mark in player.marks("question", name="comparison")]

    player.open("/?compare=widths", {"width": 1900, "height": 1000})
    assert words() == []
    player.open("/?compare=widths&t=99999", {"width": 1900, "height": 1000})
    assert "σ = 0.5 is best" in " ".join(words())
