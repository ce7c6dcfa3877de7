"""The board in words: what each panel says are Python's numbers, at every instant, and what pointing at it tells."""

import re

import numpy as np
import pytest
from written import read

import kpviz
from kpviz import experiment
from kpviz.engine.theory import primal
from kpviz.lessons import explain
from kpviz.lessons.explain import number
from kpviz.lessons.sweep import values_of
from kpviz.settings import Settings

HELD = Settings.of(noise=0.2, held=0.2, epochs=3)
LINKS = [Settings.of(), HELD, Settings.of(predictor="averaged", epochs=3), Settings.of(learner="svm")]
SHOWN = "&show=gram.readings.code.bound"


def account(player):
    parts = player.js("load('panels/account.js').accountOf(s.player)")
    return {part["title"].partition(":")[0]: part["lines"] for part in parts}


def errors(split, run, t, predictor):
    """How many training examples, and how many held out, the predictor is wrong on."""
    parts = [(split.X, split.y), *([(split.X_test, split.y_test)] if len(split.y_test) else [])]
    sides = ((run.decision_function(X, t, predictor), y) for X, y in parts)
    return [np.sum((f >= 0) != (y > 0)) if predictor == "voted" else np.sum(y * f <= 0) for f, y in sides]


@pytest.mark.parametrize("settings", [*LINKS, Settings.of(data="texts")], ids=lambda settings: settings.query())
def test_the_panels_say_what_python_says(player, settings):
    split, run = experiment.prepare(settings), experiment.run(settings)
    n, same = len(split.y), np.equal.outer(split.y, split.y)
    gram = run.gram
    means = gram[same & ~np.eye(n, dtype=bool)].mean(), gram[~same].mean()
    player.open(f"/?{settings.query()}{SHOWN}")
    for t in sorted({1, 2, run.n_steps // 3, run.n_steps}):
        parts = account(player.go(t))
        i, state = int(run.index[t - 1]), run.state_at(t)
        scores = run.decision_function(split.X, t, predictor=settings.predictor)
        margins = split.y * scores
        wrong, *held = errors(split, run, t, settings.predictor)
        said = explain.explain(run, t, classes=split.source.classes)
        _, counts, sentence, example, *_ = parts["The map"]
        assert counts.startswith(f"{n} examples: {np.sum(split.y > 0)} of class +1 (orange, circles), ")
        assert said.sentence.startswith(sentence)
        assert example.startswith(f"{explain.example(i)}  ")
        assert f" = {number(scores[i])}  ·  margin {number(margins[i])}" in example
        remembered = [f"{explain.example(j)} ({explain.label(split.y[j])}, α = " for j in state.support[:30]]
        assert [text in parts["α"][0] for text in remembered] == [True] * len(remembered)
        assert parts["α"][0].startswith(f"{len(state.support)} remembered: ")
        assert parts["Margins"][0].startswith(f"{wrong} of {n} not above 0")
        assert parts["Margins"][1].startswith(f"The smallest is {number(margins.min())}, of ")
        assert parts["Margins"][2:] == [f"Of those held out {each} of {len(split.y_test)} are wrong." for each in held]
        assert parts["The timeline"][0] == f"{explain.counter(run, t).replace(' · ', ', ')}."
        if len(made := np.flatnonzero(run.mistake[:t])):
            latest = f"step {made[-1] + 1}: mistake on {explain.example(int(run.index[made[-1]]))}"
            assert parts["The timeline"][1] == f"The latest: {latest}."
        assert parts["Gram matrix"] == [
            f"k is {number(means[0])} on average between examples of one class, {number(means[1])} between the classes."
        ]
        for kind, line in zip(("last", "averaged", "voted"), parts.get("Last, averaged, voted", ()), strict=False):
            train, *test = errors(split, run, t, kind)
            of_test = "".join(f", on {each} of {len(split.y_test)} held out" for each in test)
            assert line == f"{kind}: wrong on {train} of {n} training examples{of_test}."
        *lines, last = parts["Pseudo-code"]
        assert lines == [f"Line {k}: {line.strip()}." for k, line in enumerate(explain.code(run), start=1)]
        assert last == f"At this step line {said.line + 1} is lit."


def test_at_the_start_nothing_is_remembered_and_nothing_is_told_of_what_comes(player):
    parts = account(player.open("/"))
    assert parts["α"] == ["Nothing is remembered: every α is 0."]
    assert parts["The map"][-1] == "f = 0 everywhere."
    assert parts["Margins"][0] == "Not started: every margin is 0."
    assert len(parts["The timeline"]) == 1
    words = account(player.open("/?v=1&n=4&noise=0&kernel=linear").go(4))["The map"]
    assert words[-1] == "f = 0 everywhere."


@pytest.mark.parametrize("settings", LINKS, ids=lambda settings: settings.query())
def test_of_the_map_it_says_where_the_score_changes_sides(player, settings):
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}").go(run.n_steps)
    crossings = [line for line in account(player)["The map"] if line.startswith("At x₂ = ")]
    assert len(crossings) == 5
    assert any("up to" in line for line in crossings)
    left, right, *_ = player.js("s.player.run.header.extent")
    for line in crossings:
        height, *turns = (float(found.replace("−", "-")) for found in re.findall(r"= (\S+?)[:,]", line))
        sides = [1 if side == "+1" else -1 for side in re.findall(r"([+−]1)(?: up| throughout|\.$)", line)]
        edges = [left, *turns, right]
        middles = np.column_stack((np.add(edges[1:], edges[:-1]) / 2, np.full(len(sides), height)))
        scores = run.decision_function(middles, predictor=settings.predictor)
        assert (np.sign(scores) == sides)[np.diff(edges) > 0.1].all()


def test_before_a_prediction_nothing_is_said_that_would_tell(player):
    player.open(f"/?v=1&t=30{SHOWN}.primal.remembered").press("q").rest()
    parts = account(player)
    assert not [line for line in parts["The map"] if line.startswith("At x₂") or "margin" in line]
    assert not parts.keys() & {"Margins", "Last, averaged, voted", "The primal perceptron", "What is remembered"}


def test_of_bounds_and_of_several_runs_it_says_what_is_shown(player):
    player.open("/?show=bound").go(180)
    (first, *_) = account(player)["Mistake bounds"]
    start = "Novikoff’s mistake bound: R²/γ² = 1²/0.12448² = 64.54. At most 64 mistakes; 11 made so far. R = 1, "
    assert first.startswith(start)
    assert "Mistake bounds" not in account(player.open("/"))
    parts = account(player.open("/?pins=1&p1.kernel=linear").go(5))
    assert [line[:2] for line in parts["Runs side by side"]] == ["A,", "B,"]
    assert all("Example 5 of " in line for line in parts["Runs side by side"])


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
def test_of_the_primal_form_it_says_both_scores_w_and_costs(player, t):
    settings = Settings.of(data="linear", kernel="linear", intercept="unit")
    run = experiment.run(settings)
    found, costs = primal.read(run), primal.costs(run)
    player.open(f"/?{settings.query()}&show=primal").until("s.run.header.extras.primal")
    lines = account(player.go(t))["The primal perceptron"]
    entries = [f"the entry of w for {name}: {number(w)}." for name, w in zip(found.names, found.w_at(t), strict=True)]
    both = [
        f"{form}: {int(of.stored[t]):,} numbers stored, {int(of.multiplications[t]):,} multiplications so far."
        for form, of in (("primal", costs.primal), ("dual", costs.dual))
    ]
    assert lines[-len(entries) - 2 :] == entries + both
    if t:
        assert lines[0].startswith(f"⟨w, {explain.example(int(run.index[t - 1]))}⟩ + b = ")
        assert f" = {number(run.score[t - 1])} from the kernel" in lines[1]
        assert lines[2].startswith("Same verdict: ")


LISTS = {"primal": "kernel=linear&data=linear", "remembered": "data=texts", "validity": "kernel=sigmoid&n=12&coef0=1"}


@pytest.mark.parametrize("name", [*LISTS, "derivation"])
def test_what_lies_in_a_panel_tells_who_points_at_it_what_is_read_out(player, name):
    player.open(f"/?v=1&{LISTS.get(name, '')}&show={name}").until(f"s.run.header.extras.{name}").go(20).rest()
    lying = player.js(f"load('panels/account.js').listedIn(s.player, '{name}')")
    said = " ".join(line for lines in account(player).values() for line in lines)
    assert lying
    texts = [mark for mark in player.marks(name, kind="text") if mark["text"]]
    for item in lying if name != "validity" else ():  # it lies where its words stand
        across, down = (item["x"] - 1, item["x"] + item["w"] + 1), (item["y"], item["y"] + item["h"])
        inside = [m["text"] for m in texts if across[0] <= m["x"] <= across[1] and down[0] <= m["y"] <= down[1]]
        assert any(text in " ".join(item["lines"]) for text in inside), item
    for item in lying[:3] + lying[-1:]:
        player.point(item["x"] + item["w"] / 2, item["y"] + item["h"] / 2)
        assert player.tip == item["lines"]
    assert lying[0]["lines"][0] in said


CHANGES = [
    ({"seed": 3}, "Now: Data seed 3.", "Now: Data seed 0, the default."),
    ({"order": "shuffled", "oseed": 2}, "Now: Order shuffled; Order seed 2.", "Now: Order cyclic, the default."),
    ({"tie": "correct"}, "Now: A zero score is correct.", "Now: A zero score is mistake, the default."),
    ({"eta": 0.5, "epochs": 20}, "Now: η 0.5; Epoch limit 20.", "Now: η 1, the default; Epoch limit 50, the default."),
]


@pytest.mark.parametrize(("given", "words", "back"), CHANGES)
def test_a_change_is_said_with_the_names_that_the_settings_have_on_the_screen(player, given, words, back):
    state = "load('model/setting_changes.js').stateOf(s.player)"
    before = player.open("/").js(state)
    after = player.open(f"/?{Settings.of(**given).query()}").js(state)
    change = "load('model/setting_changes.js').changeOf(...arg.map(JSON.parse))"
    assert player.js(change, [before, after]) == words
    assert player.js(change, [after, before]) == back
