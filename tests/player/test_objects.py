"""Data that are no points: the player folds what Python computes, and shows it at the examples."""

import re

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from kpviz import experiment, tokens
from kpviz.engine.data.objects import OBJECTS
from kpviz.lessons import explain
from kpviz.settings import Settings

ASKED = {"texts": "a goal with salt", "trees": "(S (W who) (VP (V sang)))", "graphs": "CCO 1-2 2-3 1-3"}
SUB = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
PAINT = tokens.THEMES["light"]


def opened(player, more="", **given):
    settings = Settings.of(**given)
    player.open(f"/?{settings.query()}{more}")
    split = experiment.prepare(settings)
    return experiment.run(settings, split), split


def instants(run):
    mistakes = np.flatnonzero(run.mistake) + 1
    return [0, 1, int(mistakes[len(mistakes) // 2]), run.n_steps]


def value(text):
    return float(text.replace(explain.MINUS, "-").replace("+", ""))


def spots(player):
    """The places of all examples on the canvas."""
    place = "[s.view.x(s.run.X[2 * i]), s.view.y(s.run.X[2 * i + 1])]"
    return player.js(f"Array.from({{ length: s.run.n + s.run.nTest }}, (_, i) => {place})")


def lonely(player):
    """The training example that is farthest from the others, and its place."""
    at = np.array(spots(player))
    far = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + np.diag([np.inf] * len(at))
    i = int(far.min(axis=1)[: player.js("s.run.n")].argmax())
    return i, tuple(at[i])


FORGETTING = {"held": 0.3, "learner": "forgetron", "budget": 5}


@pytest.mark.parametrize(("data", "given"), [*((data, {}) for data in OBJECTS), ("texts", FORGETTING)], ids=str)
def test_the_player_folds_the_scores_and_colours_the_halos_by_them(player, data, given):
    run, split = opened(player, data=data, **given)
    for t in instants(run):
        player.go(t)
        _, _, _, scores = player.reading()
        f = run.decision_function(split.everything, t)
        np.testing.assert_allclose(scores, f, rtol=1e-5, atol=1e-5 * max(1.0, np.abs(f).max()))
        halos, limit = player.marks("map", name="halo"), player.js("s.run.limitAt(s.t)")
        assert [halo["i"] for halo in halos] == list(range(len(f)))
        np.testing.assert_allclose([[halo["x"], halo["y"]] for halo in halos], spots(player))
        share = np.clip(scores / limit, -1, 1)
        low, zero, high = (255 * np.array(to_rgb(PAINT[f"field_{name}"])) for name in ("negative", "zero", "positive"))
        wanted = zero + np.abs(share)[:, None] * (np.where(share[:, None] < 0, low, high) - zero)
        shown = [[int(level) for level in re.findall(r"\d+", halo["fill"])] for halo in halos]
        np.testing.assert_allclose(shown, wanted, atol=2)
        assert player.counter == explain.counter(run, t)
        said = explain.explain(run, t, classes=split.source.classes).sentence
        assert player.sentence.endswith(said)  # at the start after what to look for


@pytest.mark.parametrize("data", OBJECTS)
def test_the_panels_that_are_usual_are_there_without_a_word_in_the_link(player, data):
    run, _ = opened(player, data=data)
    player.until("s.run.header.extras.gram && s.run.header.extras.remembered").rest()
    shown = set(player.js("Object.keys(s.layout.panels)"))
    assert {"map", "alpha", "margins", "gram", "remembered"} <= shown
    assert "show=" not in player.js("s.query")
    caption = player.js("s.run.header.ground.caption")
    assert caption in [mark.get("text") for mark in player.marks("map")]
    player.go(1)
    i = int(run.index[0])
    written = run.X[i] if data != "bits" else "".join(f"{bit:.0f}" for bit in run.X[i])
    assert player.words("map", "object").replace("\n", " ") == f"x{i} = ".translate(SUB) + written
    edges = player.marks("map", name="edge")
    assert len(edges) == (32 if data == "bits" else 0)


def explained_sum(player):
    """Of whom the panel tells, what it says f is there, its terms added up, and whose they are."""
    head = re.fullmatch(
        r"(?:mean )?f\((.+)\) = (?:([+−][\d.e−]+)|0: a tie)(?: now)?", player.words("remembered", "sum")
    )
    shown = [mark["value"] for mark in player.marks("remembered", name="value")]
    left = re.findall(r"([+−][\d.e−]+) (?:from|intercept)", player.words("remembered", "rest"))
    terms = [mark["i"] for mark in player.marks("remembered", name="term")]
    return head[1], value(head[2] or "0"), sum(shown) + sum(map(value, left)), terms


def assert_explains(player, name, f):
    """It tells of that one: f to the digits that are written, and terms that add up to it."""
    explained_name, written, total, _ = explained_sum(player)
    assert explained_name == name
    assert written == pytest.approx(f, rel=0.06, abs=0.006)
    assert total == pytest.approx(f, rel=1e-3, abs=0.02)


@pytest.mark.parametrize("data", ASKED)
def test_what_is_asked_about_is_told_unless_the_pointer_is_on_another(player, data):
    run, _ = opened(player, data=data, ask=ASKED[data])
    player.until("s.run.header.extras.remembered").rest()
    new = np.array([ASKED[data]], dtype=object)
    for t in instants(run)[1:]:
        player.go(t).away()
        f = run.decision_function(new, t)[0]
        assert_explains(player, "new", f)
        assert (explained_sum(player)[3] != []) == (f != 0)
    j, spot = lonely(player)
    player.point(*spot)
    assert_explains(player, f"x{j}".translate(SUB), run.decision_function(run.X[[j]], run.n_steps)[0])
    player.away()
    assert explained_sum(player)[0] == "new"


def test_the_words_that_are_lit_are_those_that_both_texts_have(player):
    run, _ = opened(player, data="texts", ask=ASKED["texts"])
    player.until("s.run.header.extras.remembered").rest().go(run.n_steps).away()
    marks = player.marks("remembered")
    terms = [mark["i"] for mark in marks if mark.get("name") == "term"]
    words = ASKED["texts"].split()
    for place, i in enumerate(terms):
        start = next(k for k, mark in enumerate(marks) if mark.get("name") == "term" and mark["i"] == i)
        ends = [k for k, mark in enumerate(marks) if k > start and mark.get("name") in ("term", "rest")]
        row = marks[start : ends[0] if ends else len(marks)]
        lit = [row[k + 1]["text"] for k, mark in enumerate(row) if mark.get("name") == "shared"]
        text = run.X[i].split()
        assert lit == [word for word in text if word in words][: len(lit)]
        if place < 3 and "…" not in [mark.get("text") for mark in row]:
            assert len(lit) == sum(word in words for word in text)


def test_two_kernels_are_compared_on_the_same_texts(player):
    run, split = opened(player, "&pins=1&p1.kernel=spectrum", data="texts", held=0.2)
    player.until("s.maps.length === 2").rest()
    other = Settings.of(data="texts", held=0.2, kernel="spectrum")
    beside = experiment.run(other, split)
    player.go(9)
    scores = player.js("s.maps.map(({ run }) => [...run.reading(Math.min(s.t, run.nSteps)).scores])")
    for found, expected in zip(scores, (beside, run), strict=True):
        f = expected.decision_function(split.everything, min(9, expected.n_steps))
        np.testing.assert_allclose(found, f, rtol=1e-5, atol=1e-5 * max(1.0, np.abs(f).max()))
    names = player.js("s.maps.map(({ name }) => name)")
    for name in names:
        assert len(player.marks(name, name="halo")) == len(split.y) + len(split.y_test)


def test_while_a_step_is_shown_each_example_swells_by_its_kernel(player):
    run, _ = opened(player, data="texts")
    i = int(run.index[0])
    row = np.abs(run.columns(run.X, [i])[:, 0])
    player.js("(s.step('example', 1), s.draw(), s.now += arg, 0)", tokens.TIMINGS["example"] + tokens.TIMINGS["score"])
    bumps = player.marks("map", name="bump")
    alphas = np.array([bump["alpha"] for bump in bumps])
    np.testing.assert_allclose(alphas / alphas.max(), row / row.max(), atol=1e-5)
    assert {bump["fill"] for bump in bumps} == {PAINT["field_positive" if run.y[i] > 0 else "field_negative"]}
