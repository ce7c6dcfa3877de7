"""The account of the board in words: what it says are Python's numbers, at every instant."""

import re

import numpy as np
import pytest
from written import read

import kpviz
from kpviz import experiment
from kpviz.engine.theory import primal
from kpviz.lessons import explain
from kpviz.lessons.sweep import values_of
from kpviz.settings import Settings

LINKS = [
    Settings.of(),
    Settings.of(noise=0.2, held=0.2, epochs=3),
    Settings.of(predictor="averaged", epochs=3),
    Settings.of(learner="svm"),
    Settings.of(data="texts"),
]


def subscripts(text):
    """The examples that a text names."""
    digits = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
    return [int(found.translate(digits)) for found in re.findall("x([₀-₉]+)", text)]


def account(player):
    parts = player.js("load('model/account.js').accountOf(s.player)")
    return {part["title"].partition(":")[0]: part["lines"] for part in parts}


def said(value):
    return f"{value:.2f}".replace("-", "−")


@pytest.mark.parametrize("settings", LINKS, ids=lambda settings: settings.query())
def test_it_says_what_python_says(player, settings):
    split, run = experiment.prepare(settings), experiment.run(settings)
    player.open(f"/?{settings.query()}&show=gram")
    for t in sorted({1, 2, run.n_steps // 3, run.n_steps}):
        parts = account(player.go(t))
        assert parts["Map"][1].startswith(f"{len(split.y)} examples: {np.sum(split.y > 0)} of class +1, ")
        i = run.index[t - 1]
        assert f"x{subscript(i)} at " in parts["Map"][2]
        score = re.search("its score was (.*?), ", parts["Map"][2])[1].replace("−", "-")
        assert float(score) == pytest.approx(run.score[t - 1], abs=6e-3, rel=6e-3)
        now = re.search(r"; it is (\S+) now\.$", parts["Map"][2])
        assert (now is not None) == (t - 1 in run.changes.step)
        if now:
            changed = run.margins_at(t)[i] * run.y[i]
            assert float(now[1].replace("−", "-")) == pytest.approx(changed, abs=6e-3, rel=6e-3)
        assert ("no mistake" in parts["Map"][2]) != run.mistake[t - 1]
        support = np.flatnonzero(run.state_at(t).alpha)
        assert subscripts(parts["α"][0]) == support[:30].tolist()
        scores = run.decision_function(split.X, t, predictor=settings.predictor)
        wrong = np.sum(split.y * scores <= 0)
        assert parts["Margins"][0].startswith(f"{wrong} of {len(split.y)} not above 0")
        assert parts["Timeline"][0].startswith(f"step {t:,} of {run.n_steps:,}, epoch ")
        assert "on average" in parts["Gram matrix"][0]


def subscript(i):
    return str(i).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def test_at_the_start_nothing_is_remembered_and_nothing_is_told_of_what_comes(player):
    parts = account(player.open("/"))
    assert parts["α"] == ["Nothing is remembered: every α is 0."]
    assert parts["Map"][-1] == "f = 0 everywhere."
    assert parts["Margins"][0] == "60 of 60 not above 0."
    assert len(parts["Timeline"]) == 1


def test_of_the_gram_matrix_it_says_the_means_within_and_between_the_classes(player):
    settings = Settings.of()
    split = experiment.prepare(settings)
    gram = experiment.run(settings).kernel(split.X, split.X)
    same = np.equal.outer(split.y, split.y)
    within, between = gram[same & ~np.eye(len(gram), dtype=bool)].mean(), gram[~same].mean()
    words = account(player.open("/?show=gram"))["Gram matrix"][0]
    assert f"k is {said(within)} on average" in words
    assert f"{said(between)} between the classes" in words


@pytest.mark.parametrize("settings", LINKS[:4], ids=lambda settings: settings.query())
def test_of_the_map_it_says_where_the_score_changes_sides(player, settings):
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}").go(run.n_steps)
    crossings = [line for line in account(player)["Map"] if line.startswith("At x₂ = ")]
    assert len(crossings) == 5
    assert any("up to" in line for line in crossings)
    left, right, *_ = player.js("s.player.run.header.extent")
    for line in crossings:
        height, *turns = (float(found.replace("−", "-")) for found in re.findall(r"= (\S+?)[:,]", line))
        sides = [1 if side == "+1" else -1 for side in re.findall(r"([+−]1)(?: up| throughout|\.$)", line)]
        edges = [left, *turns, right]
        middles = np.column_stack((np.add(edges[1:], edges[:-1]) / 2, np.full(len(sides), height)))
        wide = np.diff(edges) > 0.1
        scores = run.decision_function(middles, predictor=settings.predictor)
        assert (np.sign(scores) == sides)[wide].all()


def test_where_the_score_is_zero_all_over_it_says_that_once(player):
    words = account(player.open("/?v=1&n=4&noise=0&kernel=linear").go(4))["Map"]
    assert words[-1] == "f = 0 everywhere."
    assert not any(line.startswith("At x₂") for line in words)


def test_before_a_prediction_it_says_no_sides(player):
    player.open("/?v=1&t=30").press("q").rest()
    assert not [line for line in account(player)["Map"] if line.startswith("At x₂")]


def test_it_says_how_many_of_those_held_out_are_wrong(player):
    settings = Settings.of(noise=0.2, held=0.2, epochs=3)
    split, run = experiment.prepare(settings), experiment.run(settings)
    for t in (1, run.n_steps):
        wrong = np.sum(split.y_test * run.decision_function(split.X_test, t) <= 0)
        said = account(player.open(f"/?{settings.query()}").go(t))["Margins"][-1]
        assert said == f"Of those held out {wrong} of {len(split.y_test)} are wrong."


def test_of_bounds_that_are_shown_it_says_all_that_their_panel_says(player):
    player.open("/?show=bound").go(180)
    (first, *_) = account(player)["Mistake bounds"]
    shown = [mark["text"] for mark in player.marks("bound") if mark.get("name") != "title"]
    assert shown
    assert first.startswith(
        "Novikoff’s mistake bound: R²/γ² = 1²/0.12448² = 64.54. At most 64 mistakes; 11 made so far. R = 1, "
    )
    assert all(text in first for text in shown[:2])
    assert "Mistake bounds" not in account(player.open("/"))


def test_of_the_three_readings_it_says_their_errors(player):
    settings = Settings.of(noise=0.2, held=0.2, epochs=3)
    split, run = experiment.prepare(settings), experiment.run(settings)
    for t in (7, run.n_steps):
        lines = account(player.open(f"/?{settings.query()}&show=readings").go(t))["Last, averaged, voted"]
        for kind, line in zip(("last", "averaged", "voted"), lines, strict=True):
            sides = (run.decision_function(of, t, predictor=kind) for of in (split.X, split.X_test))
            train, test = (
                np.sum((f >= 0) != (y > 0)) if kind == "voted" else np.sum(y * f <= 0)
                for f, y in zip(sides, (split.y, split.y_test), strict=True)
            )
            assert line == f"{kind}: wrong on {train} of 48 training examples, on {test} of 12 held out."


def test_of_a_comparison_it_says_where_each_run_is(player):
    parts = account(player.open("/?pins=1&p1.kernel=linear").go(5))
    assert [line[:2] for line in parts["Runs side by side"]] == ["A,", "B,"]
    assert all("step 5 of " in line for line in parts["Runs side by side"])


def test_of_the_pseudo_code_it_says_the_lines_and_the_one_that_is_lit(player):
    run = experiment.run(Settings.of())
    player.open("/?show=code")
    for t in (0, *np.flatnonzero(run.mistake)[:2] + 1, int(np.flatnonzero(~run.mistake)[0]) + 1):
        *lines, last = account(player.go(int(t)))["Pseudo-code"]
        shown = [mark for mark in player.marks("code", kind="text") if mark.get("code")][: len(lines)]
        assert lines == [f"Line {k}: {mark['text'].strip()}." for k, mark in enumerate(shown, start=1)]
        (lit,) = [k for k, mark in enumerate(shown, start=1) if mark.get("weight", 400) > 400]
        assert last == f"At this step line {lit} is lit."


def test_of_curves_it_says_their_ends_the_least_and_what_is_set(player):
    link = "v=1&data=moons&n=30&noise=0.2&held=0.3&epochs=4&sigma=0.5"
    found = kpviz.sweep(link, "sigma", values_of(Settings.of(), "sigma")).means
    player.open(f"/?{link}&show=curve").until("s.board.panels.some((p) => p.name === 'curve')")
    first, *lines = account(player)["Curves over a setting"]
    values = found["value"]
    assert first == f"Over σ from {values[0]:g} to {values[-1]:g}, {len(values)} values."
    near = int(np.abs(np.log(values) - np.log(0.5)).argmin())
    kinds = [("Mistakes", "mistakes", 1), ("Support", "support", 1), ("Training error", "train_error", 100)]
    for (name, key, times), line in zip([*kinds, ("Held-out error", "test_error", 100)], lines, strict=True):
        assert line.startswith(f"{name}: ")
        numbers = re.findall(r"([\d.,]+)%? at σ = ([\d.]*\d)", line)
        for place, (said_there, at) in zip((0, -1, int(found[key].argmin()), near), numbers, strict=True):
            assert float(at) == pytest.approx(values[place], rel=1e-5)
            assert read(said_there) == pytest.approx(times * found[key][place], abs=0.051)


@pytest.mark.parametrize("t", [0, 1, 40])
def test_of_the_primal_form_it_says_w_both_scores_and_costs(player, t):
    settings = Settings.of(data="linear", kernel="linear", intercept="unit")
    run = experiment.run(settings)
    found, costs = primal.read(run), primal.costs(run)
    player.open(f"/?{settings.query()}&show=primal").until("s.run.header.extras.primal")
    lines = account(player.go(t))["The primal perceptron"]
    assert lines[0] == f"φ has {len(found.names)} entries."
    entries = ", ".join(f"{name} {explain.number(w)}" for name, w in zip(found.names, found.w_at(t), strict=True))
    assert lines[-2] == f"Entries of w: {entries}."
    both = [
        f"{explain.counted(int(of.stored[t]), 'number')} stored, "
        f"{explain.counted(int(of.multiplications[t]), 'multiplication')}"
        for of in (costs.primal, costs.dual)
    ]
    assert lines[-1] == f"So far the primal form: {both[0]}; the dual form: {both[1]}."
    if t:
        x = explain.example(int(run.index[t - 1]))
        assert lines[1].startswith(f"Before this step ⟨w, φ({x})⟩ + b was ")
        assert lines[1].endswith(f", and the kernel’s sum {explain.number(run.score[t - 1])}.")
        assert re.fullmatch(rf"The verdicts are the same at \d+ of {t} steps? so far\.", lines[2])


CHANGES = [
    ({"seed": 3}, "Now: Data seed 3.", "Now: Data seed 0, the default."),
    ({"order": "shuffled", "oseed": 2}, "Now: Order shuffled; Order seed 2.", "Now: Order cyclic, the default."),
    ({"tie": "correct"}, "Now: A zero score is correct.", "Now: A zero score is mistake, the default."),
    ({"eta": 0.5, "epochs": 20}, "Now: η 0.5; Epoch limit 20.", "Now: η 1, the default; Epoch limit 50, the default."),
]


@pytest.mark.parametrize(("given", "words", "back"), CHANGES)
def test_a_change_is_said_with_the_names_that_the_settings_have_on_the_screen(player, given, words, back):
    state = "load('model/account.js').stateOf(s.player)"
    before = player.open("/").js(state)
    after = player.open(f"/?{Settings.of(**given).query()}").js(state)
    change = "load('model/account.js').changeOf(...arg.map(JSON.parse))"
    assert player.js(change, [before, after]) == words
    assert player.js(change, [after, before]) == back
