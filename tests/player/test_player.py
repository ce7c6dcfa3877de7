"""What the player says and which keys go through a run: questions and answers, margin lines, the end."""

import numpy as np
import pytest
from py_mini_racer import JSEvalException

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.learners import LEARNERS
from kpviz.lessons import explain
from kpviz.settings import Settings

# ---- hardly any examples --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_walks_through_no_one_and_two_examples_with_all_panels_shown(player, learner):
    for n in (0, 1, 2):
        code = Drawn.of(np.array([[0.5, 0.0], [-0.5, 0.0]])[:n], np.array([1.0, -1.0])[:n], 0).code
        settings = Settings.of(data="drawn", points=code, learner=learner)
        player.open(f"/?{settings.query()}&show=alpha.bound.code.margins.own.primal.readings")
        player.press("ArrowRight", "PageDown", "End")
        assert player.t == player.agrees().n_steps
        player.press("Home")
        assert player.t == 0


# ---- panels ---------------------------------------------------------------------------------------------------------


def test_margin_lines_lie_at_the_smallest_margin(player):
    player.open("/?v=1&t=180&show=lines")
    run = experiment.run(Settings.of())
    least = run.margins_at(180).min()
    assert least > 0
    marks = player.marks("map", name="margin")
    assert len(marks) == 2
    rect = player.js("s.layout.panels.map")
    for mark, level in zip(marks, (least, -least), strict=True):
        ends = np.concatenate([np.reshape(line, (-1, 2)) for line in mark["lines"]])
        assert len(ends) > 20
        x1 = (ends[:, 0] - rect["x"]) / rect["w"] * 2.5 - 1.25
        x2 = (rect["y"] + rect["h"] - ends[:, 1]) / rect["h"] * 2.5 - 1.25
        values = run.decision_function(np.column_stack([x1, x2]))
        np.testing.assert_allclose(values, level, atol=0.01)
    player.go(9)
    assert player.marks("map", name="margin") == []  # some are on the wrong side: there is no margin yet


# ---- what it says, and what it keeps --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("v=1", "A clean pass: converged after 3 epochs and 11 mistakes."),
        ("v=1&kernel=linear", "Not converged within 50 epochs: 32 mistakes in the last"),
        ("v=1&tie=correct", "Nothing learnt: a zero score counts as correct."),
    ],
)
def test_the_end_is_told_honestly(player, link, words):
    player.open(f"/?{link}").press("End").rest()
    run = experiment.run(player.settings)
    assert words in player.sentence
    assert player.sentence == explain.explain(run, run.n_steps).sentence
    assert player.counter == (
        f"step {run.n_steps:,} of {run.n_steps:,} · epoch {run.n_epochs} of {run.n_epochs} · "
        f"{explain.counted(int(run.mistake.sum()), 'mistake')}"
    )


# ---- words and formulas ---------------------------------------------------------------------------------------------


def test_the_formula_stands_beneath_the_words_or_before_them(player):
    player.open("/?v=1&t=25")
    words, formula = player.sentence, player.words("words", "formula")
    assert words == (
        "x₂₄ is blue, but the score +0.48 says orange: a mistake. "
        "Its blue hill is added: the score was +0.48, is −0.52."
    )
    assert formula.startswith("f(x₂₄) = 0.48, y = −1, so y·f ≤ 0: a mistake.")
    player.js("(s.formulaFirst = true, 0)")
    player.go(24).go(25)
    assert (player.sentence, player.words("words", "formula")) == (formula, words)


def test_the_name_of_a_class_has_its_colour_wherever_a_line_ends(player):
    player.open("/?v=1&data=iris")
    names = player.js("s.run.header.names.classes")
    said = 0
    for t in range(1, 60):
        player.go(t)
        for mark in player.marks("words", name="sentence"):
            for start, stop, colour in mark["tints"]:
                kind = "negative" if mark["text"][start:stop] == f"“{names[0]}”" else "positive"
                assert mark["text"][start:stop] == f"“{names[kind == 'positive']}”"
                assert colour == player.js(f"s.palette.{kind}")
                said += 1
        sentence = player.sentence
        assert sum(len(mark["tints"]) for mark in player.marks("words", name="sentence")) == sentence.count("“")
    assert said > 59


def test_without_colours_the_classes_have_their_labels(player):
    player.open("/?v=1&t=25").js("(s.palette.grey = true, 0)")
    player.go(24).go(25)
    assert player.sentence.startswith("x₂₄ is of class −1, but the score +0.48 says class +1: a mistake.")


def test_a_question_has_no_formula(player):
    player.open("/?v=1&t=25").press("q").rest()
    assert player.marks("words", name="formula") == []


def test_what_is_asked_for_by_a_name_that_is_not_there_is_an_error(player):
    player.open()
    for name in ("s.nothing", "s.run.nothing", "s.maps[0].nothing"):
        with pytest.raises(JSEvalException, match="There is no nothing in"):
            player.until(f"!{name}")


# ---- the keys that go through a run, and those that answer a question -----------------------------------------------


def test_every_key_of_time_works_without_a_click(player):
    run = experiment.run(Settings.of())
    mistakes = (np.flatnonzero(run.mistake) + 1).tolist()
    starts, end = run.epoch_start.tolist(), run.n_steps
    player.open()
    for key, t in [
        ("PageDown", mistakes[0]),
        ("PageDown", mistakes[1]),
        ("Shift+ArrowRight", mistakes[2]),
        ("PageUp", mistakes[1]),
        ("Shift+ArrowLeft", mistakes[0]),
        ("ArrowLeft", mistakes[0] - 1),
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowDown", starts[1]),
        ("ArrowDown", starts[2]),
        ("ArrowUp", starts[1]),
        ("ArrowUp", 0),
        ("End", end),
        ("ArrowRight", end),
        ("PageDown", end),
        ("Home", 0),
        ("PageUp", 0),
    ]:
        player.press(key)
        assert player.t == t, key


def test_q_asks_and_the_arrows_answer(player):
    player.open().press("q").rest()
    assert player.sentence == "x₁ is next. Which side will f put it on: ← blue (−1) or → orange (+1)?"
    player.press("ArrowRight").rest()
    assert player.sentence.startswith("Right.")
    player.press("q").rest()
    assert "Right." not in player.sentence


def neighbour(run, t, grain, way):
    """Where a step leads: the next or previous example, instant after a mistake, or beginning of an epoch."""
    stops = {
        "example": np.arange(run.n_steps + 1),
        "mistake": np.flatnonzero(run.mistake) + 1,
        "epoch": run.epoch_start,
    }[grain]
    if way > 0:
        later = stops[stops > t]
        return int(later[0]) if len(later) else run.n_steps
    earlier = stops[stops < t]
    return int(earlier[-1]) if len(earlier) else 0


def test_three_grains_lead_where_the_record_says(player):
    settings = Settings.of(noise=0.2, epochs=8)
    player.open(f"/?{settings.query()}")
    run = experiment.run(settings)
    times = list(range(run.n_steps + 1))
    for grain in ("example", "mistake", "epoch"):
        for way in (1, -1):
            found = player.js(
                "arg[0].map((t) => { s.go(t); s.step(arg[1], arg[2]); return s.t; })", [times, grain, way]
            )
            assert found == [neighbour(run, t, grain, way) for t in times], (grain, way)
