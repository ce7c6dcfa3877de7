"""The passive-aggressive learners against a slow loop, scikit-learn, and the problem that each step solves."""

import numpy as np
import pytest
from covering import covering, in_turn
from numpy.testing import assert_allclose, assert_array_equal
from oracles import assert_matches, passive_aggressive
from scipy.optimize import minimize_scalar
from sklearn.linear_model import SGDClassifier
from textbook import KERNELS, TOYS, random_data, rows_of

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import PassiveAggressive
from kpviz.engine.learners.passive_aggressive import VARIANTS

AGGRESSIVE = (0.2, 1.0, 7.0)
POSITIVE = {name: kernel for name, kernel in KERNELS.items() if name != "sigmoid"}


@in_turn(covering(KERNELS, TOYS, VARIANTS, AGGRESSIVE, ("cyclic", "shuffled", "random")), lambda name, *_: name)
def test_it_is_the_slow_loop(name, toy, variant, C, order):
    kernel = KERNELS[name]
    X, y = kpviz.make_dataset(toy, n_samples=15, noise=0.13, seed=3, flipped=0.1)
    run = kpviz.train(PassiveAggressive(variant, C), X, y, kernel=kernel, order=order, epochs=3, seed=5)
    tale = passive_aggressive(kernel(X, X), y, rows_of(run), variant, C, may_end=order != "random")
    tale.nearest = 1.0  # the threshold of the mistakes changes nothing here, and the loss is continuous
    assert_matches(run, tale)


@pytest.mark.parametrize("epochs", [1, 8])
@pytest.mark.parametrize("C", AGGRESSIVE)
@pytest.mark.parametrize(("variant", "rate"), [("PA-I", "pa1"), ("PA-II", "pa2")])
def test_with_the_linear_kernel_it_is_scikit_learns(variant, rate, C, epochs):
    for seed in range(5):
        X, y = random_data(seed, n=40, columns=3)
        theirs = SGDClassifier(
            loss="hinge", penalty=None, learning_rate=rate, eta0=C, fit_intercept=False, shuffle=False, tol=None,
            max_iter=epochs,
        ).fit(X, y)  # fmt: skip
        run = kpviz.train(PassiveAggressive(variant, C), X, y, kernel=Linear(), epochs=epochs, stop_when_clean=False)
        assert_allclose(X.T @ run.state_at(run.n_steps).coef, theirs.coef_[0], rtol=1e-9, atol=1e-11)
        Z, _ = random_data(seed + 50, n=9, columns=3)
        assert_allclose(run.decision_function(Z), theirs.decision_function(Z), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_step_is_the_least_change_for_its_loss(variant):
    C, kernel = 0.4, Polynomial(2, 1.0)
    X, y = random_data(2, n=12)
    run = kpviz.train(PassiveAggressive(variant, C), X, y, kernel=kernel, epochs=2)
    for t in run.changes.step.tolist():
        square, margin = kernel.diag(X)[run.index[t]], run.y[run.index[t]] * run.score[t]

        def cost(tau, square=square, margin=margin):
            loss = max(0.0, 1.0 - margin - tau * square)
            weight = {"PA": 1e6 * loss, "PA-I": C * loss, "PA-II": C * loss**2}[variant]
            return 0.5 * tau**2 * square + weight

        best = minimize_scalar(cost, bounds=(0.0, 2.0 * run.details["tau"][t] + 1e-3), method="bounded")
        assert run.details["tau"][t] == pytest.approx(best.x, abs=1e-4)


def test_without_a_limit_a_margin_is_1_after_its_step():
    X, y = kpviz.make_dataset("moons", n_samples=30, noise=0.2, seed=1, flipped=0.1)
    run = kpviz.train(PassiveAggressive(), X, y, kernel=Gaussian(0.5), epochs=3)
    for t in run.changes.step.tolist():
        assert run.margins_at(t + 1)[run.index[t]] == pytest.approx(1.0)


def test_an_example_without_length_changes_nothing():
    X, y = np.array([[0.0, 0.0], [1.0, 0.0]]), np.array([1.0, -1.0])
    for variant in VARIANTS:
        run = kpviz.train(PassiveAggressive(variant), X, y, kernel=Linear(), epochs=4)
        assert run.state_at(run.n_steps).coef[0] == 0.0
        assert run.details["loss"][0] == 1.0
        assert run.details["tau"][0] == 0.0


def test_a_wide_enough_margin_ends_training():
    X, y = np.array([[2.0, 0.0], [-3.0, 0.0]]), np.array([1.0, -1.0])
    run = kpviz.train(PassiveAggressive(), X, y, kernel=Linear())
    assert (run.end, run.n_epochs) == ("clean", 2)
    assert_array_equal(run.changes.step, [0])


@pytest.mark.parametrize(("name", "variant"), covering(POSITIVE, VARIANTS))
def test_the_mistakes_stay_within_the_bounds_of_the_docstring(name, variant):
    kernel, C = POSITIVE[name], 0.5
    X, y = kpviz.make_dataset("moons", n_samples=20, noise=0.1, seed=2, flipped=0.1)
    run = kpviz.train(PassiveAggressive(variant, C), X, y, kernel=kernel, epochs=5)
    gram, coef = kernel(X, X), 0.3 * y
    losses = np.maximum(0.0, 1.0 - y * (gram @ coef))[run.index]
    squared, radius = coef @ gram @ coef, gram.diagonal().max()
    if variant == "PA-I":
        assert run.mistake.sum() <= max(radius, 1 / C) * (squared + 2 * C * losses.sum())
    elif variant == "PA-II":
        assert run.mistake.sum() <= (radius + 0.5 / C) * (squared + 2 * C * (losses**2).sum())
    elif np.linalg.eigvalsh(gram)[0] > 1e-6:  # a u without loss
        perfect = np.linalg.solve(gram, y)
        assert run.mistake.sum() <= radius * perfect @ gram @ perfect
