"""The errors of the readings, and votes that are counted on from instant to instant."""

import numpy as np
import pytest

import kpviz
from kpviz.engine.run import grid, predictors
from kpviz.engine.run.readings import errors_per_epoch, lost
from kpviz.engine.run.score_after import scores_after
from kpviz.engine.run.votes import Votes

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
def test_votes_in_any_order_of_instants_are_those_of_the_instant(name):
    first, _ = trained(LEARNERS[name])
    for start in (None, first.state_at(first.n_steps)):
        run, (Z, _) = trained(LEARNERS[name], start=start)
        largest = float(np.abs(run.columns(Z, np.arange(len(run.y)))).max())
        votes = Votes(run, lambda index, run=run, Z=Z: run.columns(Z, index).T, len(Z), largest)
        for t in (run.n_steps, 0, 5, 6, run.n_steps // 2, run.n_steps // 2, 4):
            np.testing.assert_allclose(votes.at(t), run.decision_function(Z, t, "voted"), atol=1e-9)


def test_errors_count_a_zero_as_wrong_but_a_tied_vote_as_plus_one():
    run = kpviz.train(kpviz.learners.Perceptron(), [[1.0], [0.0]], [1, -1], kernel=kpviz.kernels.Linear(), epochs=1)
    held = np.array([[0.0], [0.0], [2.0]]), np.array([1.0, -1.0, 1.0])
    np.testing.assert_allclose(errors_per_epoch(run, *held), [[2 / 3], [2 / 3], [1 / 3]])
    np.testing.assert_allclose(errors_per_epoch(run, run.X, run.y), [[0.5], [0.5], [0.5]])
    run = kpviz.train(kpviz.learners.Perceptron(), [[1.0], [2.0]], [1, -1], kernel=kpviz.kernels.Linear(), epochs=1)
    assert run.decision_function([[1.0]], predictor="voted") == [0.0]  # f(1) was 1, then -1
    assert [errors_per_epoch(run, np.ones((1, 1)), np.array([y]))[2] for y in (1.0, -1.0)] == [[0.0], [1.0]]


def test_what_the_progress_raises_ends_the_count():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Linear(), epochs=600)
    assert len(run.changes) > 2048
    votes = Votes(run, lambda index: run.columns(X, index).T, len(X))

    def stop(done, limit):
        raise KeyboardInterrupt(done, limit)

    with pytest.raises(KeyboardInterrupt):
        votes.at(run.n_steps, stop)


@pytest.mark.parametrize("name", LEARNERS)
def test_what_the_progress_raises_ends_scores_scales_and_means(name):
    run, (X, y) = trained(LEARNERS[name])

    def stop(done, limit):
        assert 0 <= done <= limit
        raise KeyboardInterrupt

    calls = [
        lambda: predictors.errors_per_epoch(run, X, y, "averaged", stop),
        lambda: grid.scales(run, "averaged", stop),
        lambda: scores_after(run, stop),
    ]
    for call in calls if run.changes.evicts else calls[:2]:  # else the example alone changes its score
        with pytest.raises(KeyboardInterrupt):
            call()


def test_a_separation_is_lost_or_found_by_averaging_only_where_one_of_the_two_separates():
    assert lost(np.array([[0.0], [0.0], [0.5]]), 4) == ""
    assert lost(np.array([[0.25], [0.25], [0.0]]), 4) == ""
    assert lost(np.zeros((3, 0)), 4) == ""
    assert lost(np.array([[0.5], [0.0], [0.0]]), 4).endswith("it makes 2 errors.")
