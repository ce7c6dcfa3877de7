"""Novikoff's proof as a picture: its numbers are those of a fold of the run, at every instant."""

import math

import numpy as np
import pytest
from board_laws import faults

from kpviz import experiment
from kpviz.engine.theory import geometry
from kpviz.lessons import explain
from kpviz.settings import Settings

LINKS = {
    "far": {},
    "near": {"data": "bits", "function": "majority", "bits": 4},
    "far, with b": {"data": "linear", "kernel": "linear", "intercept": "unit", "eta": 0.1},
}


def opened(player, settings):
    player.open(f"/?{settings.query()}&show=proof")
    return experiment.run(settings)


@pytest.mark.parametrize("name", LINKS)
def test_the_inequality_stands_with_the_numbers_of_the_instant(player, name):
    run = opened(player, Settings.of(**LINKS[name]))
    shift = 1.0 if run.learner.intercept == "unit" else 0.0
    gram = run.gram + shift
    margin, radius = geometry.max_margin(gram, run.y), geometry.radius(gram)
    signed = gram * np.outer(run.y, run.y)
    weights = geometry.nearest_point(geometry.root(signed))
    u = weights / math.sqrt(weights @ signed @ weights)
    eta = run.learner.learning_rate
    for t in (0, 1, run.n_steps // 3, run.n_steps):
        player.go(t)
        k = int(run.mistake[:t].sum())
        counts = np.bincount(run.index[:t][run.mistake[:t]], minlength=len(run.y))
        along, norm = counts @ signed @ u, math.sqrt(counts @ signed @ counts)
        per = "" if eta == 1 else "/η"
        numbers = [explain.number(float(value)) for value in (k * margin, along, norm, math.sqrt(k) * radius)]
        below, inner, outer, above = numbers
        said = f"kγ = {below} ≤ ⟨w, u⟩{per} = {inner} ≤ ‖w‖{per} = {outer} ≤ √k·R = {above}"
        assert player.words("proof", "inequality") == said
        assert player.words("proof", "mistakes now") == f"k = {k}"
        drawn = [mark["value"] for mark in player.marks("proof", kind="circle", name="⟨w, u⟩ so far")]
        first = 1 if name.startswith("far") else 0  # logarithms
        assert len(drawn) == max(k - first + 1, 0)
        assert not drawn or drawn[-1] == pytest.approx(along, abs=1e-6)
    assert player.words("proof", "meets") == f"R²/γ² = {float(f'{(radius / margin) ** 2:.4g}'):g}"
    gamma, size = (float(each.split(" = ")[1]) for each in player.words("proof", "letters").split(",")[:2])
    assert (size / gamma) ** 2 == pytest.approx((radius / margin) ** 2, rel=1e-4)  # as by hand


@pytest.mark.parametrize("name", LINKS)
def test_what_the_run_has_lies_between_the_two_sides(player, name):
    run = opened(player, Settings.of(**LINKS[name]))
    player.go(run.n_steps)
    [below], [above] = (player.marks("proof", kind="line", name=side) for side in ("below", "above"))

    def height(curve, x):
        points = np.reshape(curve["points"], (-1, 2))
        return np.interp(x, points[:, 0], points[:, 1])

    for side in ("⟨w, u⟩ so far", "‖w‖ so far"):
        for mark in player.marks("proof", kind="circle", name=side):  # higher is a smaller y
            assert height(above, mark["x"]) - 1.5 <= mark["y"] <= height(below, mark["x"]) + 1.5
    [meet] = player.marks("proof", name="meet")
    assert height(above, meet["x"]) == pytest.approx(height(below, meet["x"]), abs=1.5)
    room = player.js("s.layout.panels.proof")
    for mark in player.marks("proof"):
        if "x" in mark and mark["kind"] == "circle":
            assert room["x"] <= mark["x"] <= room["x"] + room["w"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kernel": "linear"}, "No margin was found on these examples, so there is no direction u"),
        ({"learner": "svm"}, "Support vector machine changes w in another way"),
        ({"kernel": "sigmoid", "gamma": 2.0}, "not positive semidefinite"),
    ],
)
def test_one_sentence_says_why_there_is_no_picture(player, settings, words):
    opened(player, Settings.of(**settings))
    assert words in player.words("proof", "why")
    assert player.marks("proof", kind="circle") == []


def test_what_is_still_to_come_is_hidden_while_one_predicts(player):
    run = opened(player, Settings.of())
    player.go(5).press("q").rest()
    k = int(run.mistake[:5].sum())
    shown = player.marks("proof", kind="circle", name="‖w‖ to come")
    assert len(shown) == k  # from the first on, since the scales are logarithmic
    player.press("q").rest()
    assert len(player.marks("proof", kind="circle", name="‖w‖ to come")) == run.mistake.sum()


CROSSED = """(() => {
  const { boxOf, overlap } = load("model/measure.js");
  const { marks } = s.board.panels.find(({ name }) => name === "proof");
  const lines = marks.filter(({ name }) => ["below", "above"].includes(name)).map(({ points }) => points);
  const on = (box) => lines.some((points) =>
    points.some((x, k) => k % 2 === 0 && overlap(box, { x: x - 1, y: points[k + 1] - 1, w: 2, h: 2 })));
  const named = marks.filter(({ name }) => name === "side");
  return named.filter((mark) => on(boxOf(mark, s.palette.fonts))).map(({ text }) => text);
})()"""


@pytest.mark.parametrize("size", [(1342, 714), (1896, 1026), (1342, 586), (1000, 714)], ids=str)
@pytest.mark.parametrize("name", LINKS)
def test_no_word_of_the_picture_lies_on_another(player, name, size):
    link = f"/?{Settings.of(**LINKS[name]).query()}&show=alpha.proof"
    player.open(link, {"width": size[0], "height": size[1]})
    for t in (0, 3, 12, 30, 60, 9999):
        player.go(t)
        assert faults(player)[0] == []
        assert player.js(CROSSED) == []
    assert [mark["text"] for mark in player.marks("proof", name="side")] == ["‖w‖", "⟨w, u⟩"]


def test_the_upper_side_is_smooth_from_its_beginning_on(player):
    opened(player, Settings.of(**LINKS["near"]))
    [above] = player.marks("proof", kind="line", name="above")
    y = np.reshape(above["points"], (-1, 2))[:, 1]
    assert np.abs(np.diff(y)).max() < 0.05 * np.ptp(y)
