"""The bound on the error of the vote: true over all draws, and only for one pass."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from textbook import noisy_clouds

import kpviz
from kpviz.engine import theory
from kpviz.engine.kernels import Gaussian, Linear
from kpviz.engine.learners import Forgetron, Perceptron

CORNERS = np.array([[2.0, 1.0], [-1.0, 1.0], [0.5, -1.0]])


@pytest.mark.parametrize("labels", [(1, -1, 1), (1, -1, -1), (1, 1, 1), (-1, -1, 1)])
@pytest.mark.parametrize("m", [1, 2, 4])
def test_the_votes_error_over_all_draws_is_at_most_its_bound(labels, m):
    """The theorem itself, by enumeration: three examples, equally likely, and with the first one's label at odds."""
    X = np.vstack([CORNERS, CORNERS[:1]])
    y = np.array([*labels, -labels[0]], dtype=float)
    mistakes, errors = [], []
    for draw in itertools.product(range(4), repeat=m):
        run = kpviz.train(Perceptron(), X, y, kernel=Linear(), order=np.array([draw]), epochs=1)
        votes = run.decision_function(X, predictor="voted")
        errors.append(np.mean(np.where(votes >= 0, 1.0, -1.0) != y))
        mistakes += [run.mistake.sum() + (score <= 0) for score in y * run.decision_function(X)]
    assert np.mean(errors) <= theory.voted_bound(float(np.mean(mistakes)), m) + 1e-12


def test_the_vote_is_bounded_for_one_pass_over_separable_examples():
    X, y = noisy_clouds(4, 300, wrong=0.0)
    X = X[keep := np.abs(X @ [1.0, 0.5]) > 1.0]
    y = np.where(X @ [1.0, 0.5] > 0, 1.0, -1.0)
    assert keep.sum() > 150
    run = kpviz.train(Perceptron(), X, y, order="shuffled", epochs=2, stop_when_clean=False)
    m = len(y)
    voted, *others = theory.bounds_of(run, t=m, predictor="voted")
    assert voted.key == "voted"
    assert voted.applies
    assert not voted.vacuous
    assert_allclose(voted.value, 2 * min(bound.value for bound in others) / (m + 1))
    assert voted.value >= 2 * run.mistake[:m].sum() / (m + 1)
    late = theory.bound_of(run, t=m + 1, predictor="voted")
    assert not late.applies
    assert late.value == math.inf
    assert late.why == "The theorem is about one pass over independent examples: nothing is guaranteed for more."
    assert_allclose(late.values, [voted.value, math.inf], rtol=0.1)
    assert theory.bound_of(run, t=m, predictor="averaged").key == "plain"


def test_an_example_drawn_twice_ends_the_one_pass():
    X, y = noisy_clouds(4, 30, wrong=0.0)
    run = kpviz.train(Perceptron(), X, y, order=np.array([[0, 1, 2, 1]]))
    assert theory.bound_of(run, t=3, predictor="voted").applies
    assert not theory.bound_of(run, t=4, predictor="voted").applies


def test_the_vote_has_no_bound_where_the_mistakes_have_none_or_a_zero_is_no_mistake():
    X, y = noisy_clouds(4, 30, wrong=0.0)
    for tie in ("correct", "positive", "negative"):
        run = kpviz.train(Perceptron(tie=tie), X, y, epochs=1)
        assert "zero score" in theory.bound_of(run, predictor="voted").why
    run = kpviz.train(Forgetron(5), X, y, kernel=Gaussian(0.5), epochs=1)
    voted, mistakes = theory.bounds_of(run, predictor="voted")
    assert (voted.applies, mistakes.applies) == (False, False)
    assert voted.why == "It needs a bound on the mistakes, and none applies here."
