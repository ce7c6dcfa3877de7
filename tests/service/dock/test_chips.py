"""The line of chips says what is set, and the two buttons say why they cannot be pressed."""

import pytest
from reading import tree

from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels.formula import EXAMPLE
from kpviz.lessons.comparison import Pin
from kpviz.settings import BY_NAME, DRAWN, FILE, LEARNER_PROPERTIES, Settings

POINTS = Settings.of(data=DRAWN)


def labels(pins=(), **given):
    return {chip["group"]: chip["label"] for chip in tree(Settings.of(**given), [], pins=pins)["chips"]}


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({}, "XOR · 60 points · seed 0"),
        ({"held": 0.3, "seed": 7}, "XOR · 60 points, 30% held out · seed 7"),
        ({"data": FILE, "file": "mine.csv~12ab"}, "mine.csv · seed 0"),
        ({"data": DRAWN}, "My own points · 0"),
        ({"stream": "on"}, "XOR · stream of 1,000 · drift 0.5 · seed 0"),
        ({"stream": "on", "drift": 0.0, "n": 100}, "XOR · stream of 100 · seed 0"),
        ({"data": "texts"}, "Sentences · seed 0"),
        ({"data": "trees"}, "Parsed sentences · seed 0"),
        ({"data": "graphs", "added": "+CCO 1-2 2-3"}, "Molecules + 1 of mine · seed 0"),
        ({"data": "bits"}, "Three terms, 4 bits · in order"),
        ({"data": "bits", "seed": 3, "held": 0.25}, "Three terms, 4 bits, 25% held out · seed 3"),
        ({"data": "bits", "function": "x1 & !x2 | x6"}, "x1 & !x2 | x6, 6 bits · in order"),
    ],
)
def test_the_chip_of_the_data(given, label):
    assert labels(**given)["data"] == label


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({}, "Perceptron · cyclic"),
        ({"order": "shuffled"}, "Perceptron · shuffled, seed 0"),
        ({"order": "random", "oseed": 3}, "Perceptron · random, seed 3"),
        ({"order": "hand"}, "Perceptron · by hand"),
        ({"intercept": "radius", "predictor": "voted"}, "Perceptron · radius intercept · cyclic · voted"),
        ({"learner": "forgetron", "budget": 12}, "Forgetron · B = 12 · cyclic"),
        ({"learner": "svm"}, "Support vector machine"),
        ({"stream": "on"}, "Perceptron"),
    ],
)
def test_the_chip_of_the_learner(given, label):
    assert labels(**given)["learner"] == label


@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({}, "Gaussian, σ = 0.5"),
        ({"kernel": "polynomial", "learner": "forgetron"}, "Polynomial, q = 2, c = 1, normalized"),
        ({"kernel": "formula", "formula": "u[1]*v[1] + 1"}, "k = u[1]*v[1] + 1"),
    ],
)
def test_the_chip_of_the_kernel(given, label):
    assert labels(**given)["kernel"] == label
    assert Settings.of(kernel="formula").formula == EXAMPLE


def test_the_chip_of_the_comparison_counts_the_runs():
    assert labels()["compare"] == "Compare"
    assert labels([Pin.of(Settings.of())] * 2)["compare"] == "Compare · 3 runs"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, (None, None)),
        ({"data": DRAWN}, ("Points drawn by hand are as they are.", None)),
        ({"learner": "svm"}, (None, "Support vector machine itself chooses which examples are shown.")),
        ({"stream": "on"}, (None, "In a stream each example arrives once.")),
    ],
)
def test_a_button_that_can_do_nothing_says_why(given, why):
    found = tree(Settings.of(**given), [])["buttons"]
    assert tuple(button["disabled"] for button in found) == why
    usual = ("The next data seed (N)", "The next order (O)")
    assert tuple(button["tip"] for button in found) == tuple(a or b for a, b in zip(why, usual, strict=True))
    assert [button["label"] for button in found] == ["New data", "New order"]


def test_each_property_of_a_learner_has_a_label():
    assert all(BY_NAME[name].label for name in LEARNER_PROPERTIES)
    assert len(OBJECTS) == 4
