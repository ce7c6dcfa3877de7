"""The three readings side by side, counted on from instant to instant, are those of each instant by itself."""

import numpy as np
import pytest

import kpviz
from kpviz.engine.run import grid, predictors
from kpviz.engine.run.readings import Readings, lost
from kpviz.engine.run.votes import Votes, survivals

LEARNERS = {
    "perceptron": kpviz.learners.Perceptron(),
    "forgets": kpviz.learners.Forgetron(budget=4),
    "shrinks": kpviz.learners.Norma(),
}


def trained(learner, **options):
    X, y = kpviz.make_dataset("moons", n_samples=24, noise=0.25, seed=1)
    kernel = kpviz.kernels.Gaussian(sigma=0.5)
    return kpviz.train(learner, X[:16], y[:16], kernel=kernel, epochs=3, **options), (X[16:], y[16:])


@pytest.mark.parametrize("name", LEARNERS)
def test_in_any_order_of_instants_scores_and_fields_are_those_of_the_instant(name):
    run, held = trained(LEARNERS[name])
    both, nodes = Readings(run, held), (np.linspace(-2, 2, 9), np.linspace(-1, 3, 7))
    everything = np.concatenate([run.X, held[0]])
    for t in (run.n_steps, 0, 5, 6, 30, 30, 4):
        for k, kind in enumerate(predictors.PREDICTORS):
            np.testing.assert_allclose(both.scores(t)[k], run.decision_function(everything, t, kind), atol=1e-9)
            np.testing.assert_allclose(both.field(t, *nodes, kind), grid.field(run, t, *nodes, kind), atol=1e-9)
        assert survivals(run, t).sum() == t


def test_errors_count_a_zero_as_wrong_but_a_tied_vote_as_plus_one():
    run = kpviz.train(kpviz.learners.Perceptron(), [[1.0], [0.0]], [1, -1], kernel=kpviz.kernels.Linear(), epochs=1)
    held = (np.array([[0.0], [0.0], [2.0]]), np.array([1.0, -1.0, 1.0]))
    assert Readings(run, held).wrong(1).tolist() == [[1, 2], [1, 2], [1, 1]]
    assert Readings(run).wrong(1).tolist() == [[1], [1], [1]]


def test_votes_go_on_from_where_a_run_went_on():
    first, _ = trained(LEARNERS["perceptron"])
    run, held = trained(LEARNERS["perceptron"], start=first.state_at(first.n_steps))
    both = Readings(run, held)
    for t in (7, 3):
        np.testing.assert_allclose(both.scores(t)[2, 16:], run.decision_function(held[0], t, "voted"))


def test_what_the_progress_raises_ends_the_count():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Linear(), epochs=600)
    assert len(run.changes) > 2048
    votes = Votes(run, lambda index: run.columns(X, index).T, len(X))

    def stop(done, limit):
        raise KeyboardInterrupt(done, limit)

    with pytest.raises(KeyboardInterrupt):
        votes.at(run.n_steps, stop)


def test_a_separation_is_lost_or_found_by_averaging_only_where_one_of_the_two_separates():
    assert lost(np.array([[0.0], [0.0], [0.5]]), 4) == ""
    assert lost(np.array([[0.25], [0.25], [0.0]]), 4) == ""
    assert lost(np.zeros((3, 0)), 4) == ""
    assert lost(np.array([[0.5], [0.0], [0.0]]), 4).endswith("it makes 2 errors.")
