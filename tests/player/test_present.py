"""A cue says its words and lights what it names."""

import pytest
from lecture import LECTURE


def test_a_cue_says_its_words_and_lights_what_it_names(player):
    t = player.open(LECTURE).js("s.cues.placed[1].t")
    player.go(t)
    assert player.sentence == "Look where the boundary goes."
    assert [mark["lit"] for mark in player.marks("map") if "lit" in mark] == [12]
    (frame,) = player.marks("light")
    panel = player.js("s.layout.panels.margins")
    assert frame["stroke"] == player.js("s.palette.accent")
    assert frame["x"] <= panel["x"] <= panel["x"] + panel["w"] <= frame["x"] + frame["w"]
    player.press("ArrowRight").rest()
    assert " is blue, " in player.sentence or " is orange, " in player.sentence
    assert player.marks("light") == []
    assert [mark for mark in player.marks("map") if "lit" in mark] == []


def test_a_cue_without_words_leaves_the_sentence_of_the_step(player):
    player.open(LECTURE)
    t = player.js("s.cues.placed[2].t")
    sentence = player.go(t).sentence
    assert "mistake" in sentence
    assert len(player.marks("light")) == 2


def test_a_cue_that_names_an_example_which_is_not_there_lights_nothing(player):
    player.open("/?v=1&cues=start%20light%20x999%2C%20own%3A%20Hello.").rest()
    assert player.sentence == "Hello."
    assert player.marks("light") == []
    assert [mark for mark in player.marks("map") if "lit" in mark] == []


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("v=1", "No straight line splits these. The first example is always a mistake, because f = 0 everywhere"),
        ("v=1&data=moons&learner=logistic", " f = 0 everywhere, so both classes"),
    ],
)
def test_before_a_class_nobody_is_told_to_press_a_key(player, link, said):
    player.open(f"/?{link}&show=remembered&stage=16x9")
    assert said in player.sentence
    assert "Press" not in player.sentence + player.words("remembered")
    assert "Press →: " in player.open(f"/?{link}").sentence


@pytest.mark.parametrize(
    ("size", "words"),
    [((1366, 768), "step 25 of 180 · epoch 1 of 3 · 5 mistakes"), ((390, 844), "step 25 · epoch 1 · 5 mistakes")],
)
def test_the_number_of_mistakes_is_not_cut(player, size, words):
    player.open("/?v=1&t=25&stage=window", {"width": size[0], "height": size[1]})
    assert player.words("words", "counter") == words
