"""When a bound applies: its conditions, what it says where they do not hold, and what is refused."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose
from textbook import noisy_clouds

import kpviz
from kpviz.engine import theory
from kpviz.engine.kernels import Gaussian, Sigmoid
from kpviz.engine.learners import LEARNERS, Forgetron, Learner, Perceptron

XOR, LABELS = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
POINTS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
SIDES = np.array([1.0, 1.0, 1.0, -1.0, -1.0])


@pytest.mark.parametrize("intercept", ["none", "unit"])
def test_without_a_feature_space_there_is_no_bound(intercept):
    run = kpviz.train(Perceptron(intercept=intercept), POINTS, SIDES, kernel=Sigmoid(1.0, -1.0))
    (bound,) = theory.bounds_of(run)
    assert not bound.applies
    assert "not positive semidefinite" in bound.why


def test_a_training_that_went_on_has_no_bound():
    X, y = noisy_clouds(2, 20)
    first = kpviz.train(Perceptron(), X, y, epochs=2)
    run = kpviz.train(Perceptron(), X, y, epochs=2, start=first.state_at(first.n_steps))
    (bound,) = theory.bounds_of(run)
    assert not bound.applies
    assert "earlier state" in bound.why
    fresh = kpviz.train(Perceptron(), X, y, epochs=2, start=first.state_at(0))
    assert theory.bound_of(fresh).applies


@dataclass(frozen=True)
class Stranger(Perceptron):
    """A rule of one's own may share a perceptron's class, not its theorem."""

    about = Learner.about


def test_a_learner_without_a_theorem_says_so_in_a_sentence():
    X, y = noisy_clouds(2, 12)
    for kind in [*LEARNERS.values(), Stranger]:
        if kind in (Perceptron, Forgetron):
            continue
        (bound,) = theory.bounds_of(kpviz.train(kind(), X, y, kernel=Gaussian(0.5), epochs=2))
        assert (bound.key, bound.applies, bound.vacuous, bound.value) == (None, False, True, math.inf)
        assert bound.why.endswith(".")
    assert bound.why == "No mistake bound is known that applies to Stranger."


def test_a_bound_that_is_a_whole_number_is_not_cut_to_the_one_before():
    for n in range(1, 30):
        run = kpviz.train(Perceptron(), np.eye(n), np.ones(n), kernel="precomputed")
        assert math.floor(theory.bound_of(run).value) == n == run.mistake.sum()


def test_zeros_and_a_single_example_have_a_bound():
    run = kpviz.train(Perceptron(), np.zeros((3, 2)), np.array([1.0, -1.0, 1.0]), epochs=2)
    for bound in theory.bounds_of(run):
        assert bound.value >= run.mistake.sum() == 6
    run = kpviz.train(Perceptron(), np.array([[2.0]]), np.array([-1.0]))
    assert_allclose(theory.bound_of(run).value, 1.0)
