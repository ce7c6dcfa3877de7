"""Ready comparisons: each is a question, what to see, and a claim that a test holds it to.

A link names its comparison, as in "compare=svm", beside the settings and pins that it is made of;
its words stand on the stage as long as these are shown as they are.

Tests: tests/test_presets.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote

from kpviz.lessons import comparison
from kpviz.lessons.comparison import MODEL, READY, Pin
from kpviz.settings import VIEW_KEYS, Settings
from kpviz.settings.properties import did_you_mean

Scale = Literal["own", "one", "norm"]


@dataclass(frozen=True)
class ReadyComparison:
    """A ready comparison: what is current, what is pinned, and what to look for.

    Parameters
    ----------
    title : what the menu calls it. question : what is asked before the runs are played; its answers
        are the runs. words : what is so, told at their end.
    right : the letter of the run that is the right answer; the current one has the last.
    current, pins : the settings, and by what the pinned models differ from the default one, as
        queries of links.
    decide : the two numbers of `Summary` under each map, those that answer the question.
    shows : panels that are switched on with it.
    scale : of the colours: each map's "own"; "one" for all; "norm": one for all of f/‖f‖.
    """

    title: str
    question: str
    words: str
    right: str
    current: str
    pins: tuple[str, ...]
    decide: tuple[str, str]
    shows: tuple[str, ...] = ()
    scale: Scale = "own"

    def settings(self) -> tuple[Settings, tuple[Pin, ...]]:
        """Return the current settings and the pins."""
        pairs = dict(parse_qsl(self.current))
        current = Settings.repaired(pairs)[0]
        shared = {name: value for name, value in pairs.items() if name not in MODEL}
        made = [Settings.repaired({**shared, **dict(parse_qsl(pin))})[0] for pin in self.pins]
        return current, tuple(Pin.of(pinned, current) for pinned in made)


PRESETS = {
    "widths": ReadyComparison(
        "Kernel widths 0.05, 0.5 and 5",
        "Which width is right?",
        "σ = 0.05 remembers single points, σ = 5 cannot bend: σ = 0.5 is best on the test "
        "examples.",
        "C",
        "data=circles&n=200&noise=0.15&flipped=0.1&seed=1&held=0.4&epochs=20&sigma=0.5",
        ("sigma=0.05", "sigma=5"),
        ("train_error", "test_error"),
    ),
    "averaged": ReadyComparison(
        "Perceptron against averaged",
        "Which is better on new points?",
        "The last f is whatever the last mistake left; the mean of all f is calmer, and here "
        "better on new points.",
        "B",
        "data=moons&n=150&noise=0.25&held=0.3&epochs=10&predictor=averaged",
        ("",),
        ("train_error", "test_error"),
        scale="one",
    ),
    "svm": ReadyComparison(
        "Perceptron against the SVM",
        "Whose margin is wider?",
        "Both separate; the perceptron stops at any boundary, the SVM seeks the widest margin: "
        "compare their margins.",
        "B",
        "data=linear&kernel=linear&learner=svm&C=1000",
        ("kernel=linear&intercept=unit",),
        ("margin", "support"),
        shows=("lines",),
        scale="norm",
    ),
    "budget": ReadyComparison(
        "Budget 10 against none",
        "Which makes fewer mistakes?",
        "That is what forgetting costs: with room for ten examples it makes three times the "
        "mistakes here.",
        "A",
        "data=moons&n=200&seed=2&held=0.3&epochs=5&learner=forgetron&budget=10",
        ("",),
        ("mistakes", "support"),
        scale="one",
    ),
    "forgetting": ReadyComparison(
        "Three ways to forget",
        "Which way of forgetting makes the fewest mistakes?",
        "Room for fifteen. Here the Forgetron makes the fewest mistakes; with another data seed "
        "it may not.",
        "C",
        "data=moons&n=200&seed=1&held=0.3&epochs=5&learner=forgetron&budget=15",
        ("learner=oldest&budget=15", "learner=randomized&budget=15"),
        ("mistakes", "support"),
        scale="one",
    ),
    "projection": ReadyComparison(
        "Perceptron against the Projectron",
        "Which has to remember less?",
        "A wide kernel makes examples alike: as many mistakes, but most are nearly sums of others "
        "and need no room.",
        "B",
        "data=circles&n=200&held=0.3&epochs=10&sigma=1&learner=projectron",
        ("sigma=1",),
        ("mistakes", "support"),
        scale="one",
    ),
    "probability": ReadyComparison(
        "Perceptron against logistic regression",
        "Which is better on new points?",
        "Overlapping classes: the perceptron’s f jumps with each mistake; σ(f) is a probability, "
        "½ where the map "
        "has no colour.",
        "B",
        "data=moons&n=120&noise=0.25&seed=2&held=0.3&epochs=10&learner=logistic",
        ("",),
        ("train_error", "test_error"),
    ),
    "drift": ReadyComparison(
        "NORMA against the perceptron, target drifting",
        "The target turns. Which follows it?",
        "The target turns. The perceptron drags its past along; NORMA lets it fade and follows.",
        "B",
        "data=moons&flipped=0&stream=on&drift=2&learner=norma",
        ("",),
        ("mistakes", "support"),
    ),
    "intercepts": ReadyComparison(
        "No, unit and radius intercept",
        "Which is the first to be clean?",
        "Data away from the origin: without b never clean, with b += y after 97 epochs, with b += "
        "y·R² after 3.",
        "C",
        "data=shifted&kernel=linear&intercept=radius&epochs=100",
        ("kernel=linear", "kernel=linear&intercept=unit"),
        ("mistakes", "epochs"),
    ),
    "literals": ReadyComparison(
        "Subsets of bits, and of literals",
        "Which learns the majority with the fewest mistakes?",
        "All three learn it, the literals with the fewest mistakes here; parity, under Data, costs "
        "them one an input, and the plain subsets hundreds.",
        "C",
        "data=bits&function=majority&epochs=20",
        ("negated=off", "kernel=linear&intercept=unit"),
        ("mistakes", "epochs"),
    ),
    "long-texts": ReadyComparison(
        "Word sets, normalized or not",
        "Which judges new sentences best?",
        "As it is, k of the longest sentence with itself is millions, of the shortest 16. "
        "Normalized, each counts "
        "alike, and here new sentences are judged better; with another data seed they may not be.",
        "C",
        "data=texts&held=0.4&seed=5",
        ("normalize=off", "kernel=spectrum&normalize=on"),
        ("mistakes", "test_error"),
    ),
    "generative": ReadyComparison(
        "Mixture against density",
        "Which makes the fewest mistakes?",
        "Mixture and density both know where examples lie; but p(x)·p(x′) has rank 1, so without "
        "an intercept the "
        "density’s f has one sign everywhere.",
        "C",
        "data=moons&kernel=mixture&components=8&epochs=5",
        ("kernel=density&components=8", ""),
        ("mistakes", "train_error"),
    ),
    "ties": ReadyComparison(
        "The four rules for a zero score",
        "Which rule learns nothing?",
        "Four readings of f = 0: only A never changes f; B, C and D end at 0 again.",
        "A",
        "data=xor&n=4&noise=0&kernel=linear&tie=mistake&epochs=10",
        ("kernel=linear&tie=correct", "kernel=linear&tie=positive", "kernel=linear&tie=negative"),
        ("mistakes", "support"),
        scale="one",
    ),
}

GROUPS = {
    "Which kernel?": ("widths", "generative", "literals", "long-texts"),
    "Which learner?": ("svm", "averaged", "probability", "drift"),
    "What to remember?": ("budget", "forgetting", "projection"),
    "Intercept, and a score of 0": ("intercepts", "ties"),
}


# ---- links -------------------------------------------------------------------------------------


def name_of(settings: Settings, pins: Sequence[Pin]) -> str:
    """Return which comparison these settings and pins are, whatever their cues; "" for none."""
    return _names().get((settings.without_cues.query(), tuple(pins)), "") if pins else ""


@cache
def _names() -> Mapping[tuple[str, tuple[Pin, ...]], str]:
    made = ((name, *preset.settings()) for name, preset in PRESETS.items())
    return {(settings.query(), pins): name for name, settings, pins in made}


def query(settings: Settings, pins: Sequence[Pin]) -> str:
    """Return the part of a link that holds the comparison, as in "compare=svm&pins=1&…"; "" for
    none.
    """
    name = name_of(settings, pins)
    return "&".join(
        filter(None, [f"{READY}={name}" if name else "", comparison.query(tuple(pins))])
    )


def whole(link: Mapping[str, str]) -> dict[str, str]:
    """Return the pairs of a link, with those of its comparison where it has only the name.

    >>> whole({"compare": "svm", "t": "3"})["learner"]
    'svm'
    """
    named = PRESETS.get(link.get(READY, ""))
    other_keys = [
        key for key in link if key not in ("v", READY, *VIEW_KEYS) and not key.startswith("embed")
    ]
    if named is None or other_keys:
        return dict(link)
    settings, pins = named.settings()
    pairs = (
        part.partition("=") for part in f"{settings.query()}&{comparison.query(pins)}".split("&")
    )
    return {**{key: unquote(value) for key, _, value in pairs}, **link}


def problems(link: Mapping[str, str]) -> list[str]:
    """Return what is wrong with the name of a link's comparison, as a phrase."""
    name = link.get(READY)
    if name in {None, *PRESETS}:
        return []
    return [f"{READY} names a comparison that is not known{did_you_mean(name, PRESETS)}"]


def plain(settings: Settings, pins: Sequence[Pin]) -> dict[str, Any] | None:
    """Return what the player needs to know of the comparison; None where it is not a ready one."""
    name = name_of(settings, pins)
    if not name:
        return None
    preset = PRESETS[name]
    return {
        "name": name,
        "question": preset.question,
        "words": preset.words,
        "right": preset.right,
        "decide": list(preset.decide),
        "shows": list(preset.shows),
        "scale": preset.scale,
    }
