"""Runs that go on from a state: what is drawn and said begins with that state."""

from itertools import cycle, pairwise

import numpy as np
import pytest
from drawing import marks_of
from numpy.testing import assert_allclose

import kpviz
from kpviz import panels
from kpviz.lessons import explain
from kpviz.picture.stage import RenderOptions, Stage
from kpviz.player import payload
from kpviz.player.comparison import Comparison
from kpviz.player.experiment import Experiment

KERNEL = kpviz.kernels.Gaussian(0.5)
PANELS = ("alpha", "margins", "norm")


def points(seed=0, n=18):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2)).round(3)
    return X, np.where(rng.random(n) < 0.15, -1.0, 1.0) * np.where(X[:, 0] * X[:, 1] > 0, 1.0, -1.0)


def trained(learner, X, y, **options):
    return kpviz.train(learner, X, y, **{"kernel": KERNEL, "stop_when_clean": False, **options})


def goes_on(learner, X, y, **options):
    """A run, and one that goes on from its end."""
    first = trained(learner, X, y, epochs=1, **options)
    return first, trained(learner, X, y, epochs=1, start=first.state_at(first.n_steps), **options)


def stage(run, panels=(), predictor="last"):
    return Stage(
        Comparison(Experiment.from_run(run, predictor)), RenderOptions(panels=panels), (1600, 1000)
    )


def texts_at(run, predictor="last"):
    """All that the board says at the start of a run."""
    return [
        mark.get("text", "")
        for panel in stage(run, PANELS, predictor).board(0).panels
        for mark in marks_of(panel)
    ]


def test_the_start_is_told_with_what_it_began_and_not_as_if_f_were_zero():
    first, run = goes_on(kpviz.learners.Perceptron(0.5, "unit"), *points())
    state = first.state_at(first.n_steps)
    assert explain.explain(run, 0).sentence == (
        f"Press → for the first step: this run goes on from step 18 of an earlier one, with "
        f"{len(state.support)} "
        f"examples in the support and b = {explain.number(state.intercept)}."
    )
    assert Experiment.from_run(run).opening.startswith("This run goes on from step 18")
    found = texts_at(run)
    assert not [
        text for text in found if "f = 0" in text or "still 0" in text or "will lay a brick" in text
    ]
    assert any("f = 0 everywhere" in text for text in texts_at(first))


@pytest.mark.parametrize(("predictor", "sign"), [("averaged", "mean f"), ("voted", "vote")])
def test_a_mean_or_a_vote_begins_with_the_first_presentation_of_the_run(predictor, sign):
    _, run = goes_on(kpviz.learners.Perceptron(), *points())
    found = texts_at(run, predictor)
    assert f"{sign} = 0 everywhere: no boundary yet" in found


def test_an_estimator_that_goes_on_with_new_data_draws_the_points_that_it_kept():
    model = kpviz.KernelPerceptron(kernel="rbf", gamma=2.0)
    for X, y in (points(seed) for seed in range(3)):
        run = model.partial_fit(X, y, classes=[-1.0, 1.0]).run_
    (board,) = [panel for panel in stage(run).board(0).panels if panel.name == "map"]
    assert {mark["i"] for mark in marks_of(board) if mark.get("i") is not None} == set(
        range(len(run.y))
    )


@pytest.mark.parametrize(
    "kernel", [kpviz.kernels.Linear(), kpviz.kernels.Polynomial(2, 1.0)], ids=repr
)
def test_the_primal_form_goes_on_too(engine, kernel):
    _, run = goes_on(kpviz.learners.Perceptron(0.5, "unit"), *points(), kernel=kernel)
    reading, costs = kpviz.primal.read(run), kpviz.primal.costs(run)
    engine.take(payload.encode(Experiment.from_run(run), extra_names={"primal"}))
    ask = """(times) => {
      const [{ Run }, { weights, spent }] = ["run/run.js", "run/series.js"].map(load);
      const run = new Run(kpviz.bytes);
      return times.map((t) => [weights(run, t), spent(run, t)]);
    }"""
    columns = np.arange(min(reading.dimension, kpviz.primal.SHOWN))
    for t, (w, spent) in enumerate(engine.call(ask, list(range(run.n_steps + 1)))):
        wanted = reading.path(columns)[run.changes.before(t)]
        assert_allclose(w, wanted, rtol=1e-5, atol=1e-5)
        assert spent["support"] == costs.support[t]
        assert spent["dual"]["stored"] == costs.dual.stored[t]
        assert spent["dual"]["multiplications"] == costs.dual.multiplications[t]


def test_bricks_of_an_earlier_run_lead_nowhere_and_newer_ones_to_their_step(engine):
    X, y = points()
    first = trained(kpviz.learners.Perceptron(), X, y, epochs=2)
    run = trained(first.learner, X, y, epochs=2, start=first.state_at(first.n_steps))
    engine.take(payload.encode(Experiment.from_run(run)))
    ask = """() => {
      const [{ Run }, { stepOfBrick }] = ["run/run.js", "panels/alpha.js"].map(load);
      const run = new Run(kpviz.bytes);
      const stepsOn = (i) => Array.from({ length: run.trace.mistakesOn(i, run.nSteps) }, (_, brick) =>
        stepOfBrick(run, i, brick, run.nSteps));
      return Array.from({ length: run.n }, (_, i) => stepsOn(i));
    }"""
    before = first.state_at(first.n_steps).alpha.astype(int)
    steps_of_bricks = engine.value(f"({ask})()")
    for i, earlier in enumerate(before.tolist()):
        steps = steps_of_bricks[i]
        here = np.flatnonzero(run.mistake & (run.index == i)).tolist()
        assert steps == [None] * earlier + here
        assert all(a < b for a, b in pairwise(here))


DRAWN = [kpviz.learners.Perceptron(0.5, "unit"), kpviz.learners.Forgetron(4)]
OTHERS = [name for name in panels.SINGLE if name != "own"]


@pytest.mark.parametrize(
    ("learner", "panel"),
    [(DRAWN[1], "own"), (DRAWN[1], "alpha"), *zip(cycle(DRAWN), OTHERS)],
    ids=str,
)
def test_every_panel_is_drawn_and_what_it_says_of_an_example_is_that_of_two_epochs(learner, panel):
    X, y = points(4)
    options = {"kernel": kpviz.kernels.Polynomial(2, 1.0).normalized()}
    whole = trained(learner, X, y, epochs=2, **options)
    first, run = goes_on(learner, X, y, **options)
    for t in (0, 1, run.n_steps):
        found = [
            [mark for each in only(made, panel).board(at).panels for mark in marks_of(each)]
            for made, at in ((run, t), (whole, first.n_steps + t))
        ]
        for drawn in found:
            assert drawn
            numbers = [
                value for mark in drawn for value in mark.values() if isinstance(value, float)
            ]
            assert np.isfinite(numbers).all()
        for key in ("value", "weight"):
            told = [
                [(m["i"], m[key]) for m in drawn if m["kind"] == "rect" and key in m and "i" in m]
                for drawn in found
            ]
            assert_allclose(
                np.sort(told[0], axis=0), np.sort(told[1], axis=0), rtol=1e-4, atol=1e-5
            )


def only(run, panel):
    return Stage(Comparison(Experiment.from_run(run)), RenderOptions(only=panel), (1000, 700))
