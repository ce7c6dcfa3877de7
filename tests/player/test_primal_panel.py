"""The primal perceptron beside the dual: w as an arrow and as numbers, both scores and costs, all as the engine's."""

import re

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.run import grid
from kpviz.engine.theory import primal
from kpviz.lessons import explain
from kpviz.settings import Settings

CASES = {
    "linear": {"data": "linear", "kernel": "linear"},
    "linear, intercept, rate": {"data": "shifted", "kernel": "linear", "intercept": "unit", "eta": 0.5, "epochs": 4},
    "polynomial": {"kernel": "polynomial", "degree": 2, "noise": 0.15, "epochs": 6},
    "more features than shown": {"kernel": "polynomial", "degree": 5, "epochs": 4},
}

ARROWS = """["w", "added"].map((name) =>
  s.board.panels.find((p) => p.name === "map").moving.filter((m) => m.name === name).map((m) => m.lines[0]))"""


def opened(player, panels="primal", **given):
    settings = Settings.of(**given)
    player.open(f"/?{settings.query()}&show={panels}")
    player.until("s.run.header.extras.primal").rest()
    return settings, experiment.run(settings)


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


def instants(run):
    mistakes = np.flatnonzero(run.mistake)
    return sorted({0, 1, run.n_steps // 2, run.n_steps, *(int(s) + d for s in mistakes[[1, -1]] for d in (0, 1))})


@pytest.fixture(params=CASES)
def case(request, player):
    return player, *opened(player, **CASES[request.param])


def test_weights_scores_verdict_and_costs_are_pythons(case):
    player, _, run = case
    reading, costs = primal.read(run), primal.costs(run)
    columns = reading.columns_shown()
    largest = np.abs(reading.path(columns)).max()
    for t in instants(run):
        player.go(t)
        names = [mark["text"] for mark in player.marks("primal", name="feature")]
        assert names == [reading.names[column] for column in columns]
        w = reading.w_at(t)[columns]
        shown = [mark["value"] for mark in player.marks("primal", name="weight")]
        np.testing.assert_allclose(shown, w, atol=1e-5 * largest)
        values = [number(mark["text"]) for mark in player.marks("primal", name="value")]
        np.testing.assert_allclose(values, w, rtol=0.06, atol=0.0051 + 1e-5 * largest)
        for form in ("primal", "dual"):
            cost = getattr(costs, form)
            stored, multiplied = (mark["text"] for mark in player.marks("primal", name=form)[-2:])
            assert (stored, multiplied) == (f"{cost.stored[t]:,.0f}", f"{cost.multiplications[t]:,.0f}"), (t, form)
        if t:
            sentence = player.words("primal", "primal")
            assert explain.number(float(np.float32(reading.score[t - 1]))) in sentence
            assert player.words("primal", "dual").startswith("Σ αⱼ yⱼ k")
            assert f"= {explain.number(run.score[t - 1])} from" in player.words("primal", "dual")
            verdict = "a mistake" if run.mistake[t - 1] else "correct"
            so_far = f"; so at all {t} steps so far" if t > 1 else ""
            assert player.words("primal", "verdict") == f"Same verdict: {verdict}{so_far}."


def test_bars_of_one_run_share_one_scale(player):
    _, run = opened(player, **CASES["polynomial"])
    longest = []
    for t in (5, 20, run.n_steps):
        player.go(t)
        bars = [bar for bar in player.marks("primal", name="weight") if abs(bar["value"]) > 1e-3]
        longest += [bar["w"] / abs(bar["value"]) for bar in bars]
    assert np.ptp(longest) < 1e-6 * max(longest)


@pytest.mark.parametrize("name", ["linear", "linear, intercept, rate"])
def test_the_arrow_is_w_and_moves_exactly_at_mistakes(player, name):
    settings, run = opened(player, **CASES[name])
    split = experiment.prepare(settings)
    shown = grid.extent(split.X)
    rect = player.js("s.layout.panels.map")
    low, span = np.array([shown.low_1, shown.low_2]), np.array([shown.high_1 - shown.low_1, shown.high_2 - shown.low_2])
    arrow = player.js("s.run.header.extras.primal.arrow")
    tips = []
    for t in range(run.n_steps + 1):
        player.js("(s.go(arg), s.draw())", t)
        lines, added = player.js(ARROWS)
        w = run.state_at(t).coef @ split.X
        place = (np.array(arrow["start"]) + arrow["scale"] * w - low) / span
        tip = np.array([rect["x"] + place[0] * rect["w"], rect["y"] + rect["h"] - place[1] * rect["h"]])
        if lines:
            assert lines[0][2:] == pytest.approx(tip, abs=0.01)
        tips.append(tip)
        if t:
            moved = np.hypot(*(tips[-1] - tips[-2])) > 1e-9
            assert moved == run.mistake[t - 1] == (len(added) == 1), t
        if added:
            assert added[0] == pytest.approx([*tips[-2], *tip], abs=0.01)


def test_where_rounding_parts_the_verdicts_it_is_said_at_which_step_and_why(player):
    _, run = opened(player, kernel="monomial", degree=2, n=4, noise=0)
    reading = primal.read(run)
    parting = reading.first_parting
    assert parting is not None
    player.go(parting)
    assert re.fullmatch(r"Same verdict: [a-z ]+(; so at all \d+ steps so far)?\.", player.words("primal", "verdict"))
    player.go(parting + 1)
    words = player.words("primal", "verdict")
    assert words.startswith("The verdicts differ here.")
    assert words.endswith(reading.why)
    player.go(run.n_steps)
    same = re.search(r"Same at (\d+) of (\d+) steps", player.words("primal", "verdict"))
    assert [int(part) for part in same.groups()] == [reading.agrees.sum(), run.n_steps]


@pytest.mark.parametrize("link", ["v=1", "v=1&learner=forgetron&kernel=linear&normalize=on"])
def test_where_there_is_no_primal_form_it_says_why_and_shows_what_it_would_cost(player, link):
    player.open(f"/?{link}&show=primal&t=20")
    player.until("s.run.header.extras.primal").rest()
    reason = player.js("s.run.header.extras.primal.why")
    assert reason
    assert player.words("primal", "why") == reason
    assert player.marks("map", name="w") == []
    cells = [mark["text"] for mark in player.marks("primal", name="growth")]
    assert len(cells) == 6 * 4
    assert "308,505" in cells
    assert "2.6×10²²" in cells


def test_the_race_of_multiplications_rises_to_what_the_numbers_say(player):
    _, run = opened(player, "primal", data="linear", kernel="linear")
    costs = primal.costs(run)
    player.go(run.n_steps)
    ends = {form: player.marks("primal", name=f"{form} line")[0]["points"] for form in ("primal", "dual")}
    heights = {form: points[1] - points[-1] for form, points in ends.items()}
    spent = {form: getattr(costs, form).multiplications[-1] for form in ends}
    assert heights["primal"] / heights["dual"] == pytest.approx(spent["primal"] / spent["dual"])
    for points in ends.values():
        assert (np.diff(points[1::2]) <= 1e-9).all()


@pytest.mark.parametrize("link", ["kernel=polynomial", "data=circles&kernel=monomial", "data=linear&kernel=linear"])
def test_the_rule_stands_there_in_both_forms(player, link):
    player.open(f"/?{link}&show=primal&t=20")
    said = player.words("primal", "rule")
    assert "w ← w + η yᵢ φ(xᵢ)" in said
    assert "αᵢ ← αᵢ + η" in said
    assert bool(player.marks("primal", name="growth")) == ("linear" not in link)
