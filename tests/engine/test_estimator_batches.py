"""Batch after batch is one epoch over all of them, as the slow loops have it."""

import numpy as np
import oracles
import pytest
from family_cases import (
    OTHER_SETTINGS,
    batches,
    coefficients,
    over_online,
    places,
    quietly,
    words,
)
from numpy.testing import assert_allclose, assert_array_equal
from textbook import random_data

import kpviz
from kpviz.engine.kernels import Gaussian
from kpviz.engine.learners import Perceptron

TOLD = {
    "oldest": (kpviz.RemoveOldestClassifier, {"budget": 6}, lambda *a: oracles.remove_oldest(*a, 6)),
    "oldest 1": (kpviz.RemoveOldestClassifier, {"budget": 1}, lambda *a: oracles.remove_oldest(*a, 1)),
    "forgetron": (kpviz.ForgetronClassifier, {"budget": 6}, lambda *a: oracles.forgetron(*a, 6)),
    "forgetron 2": (kpviz.ForgetronClassifier, {"budget": 2}, lambda *a: oracles.forgetron(*a, 2)),
    "basic": (
        kpviz.ForgetronClassifier,
        {"budget": 6, "variant": "basic"},
        lambda *a: oracles.forgetron(*a, 6, "basic"),
    ),
    "projectron": (kpviz.ProjectronClassifier, {"threshold": 0.5}, lambda *a: oracles.projectron(*a, 0.5)),
    "norma": (kpviz.NormaClassifier, {}, lambda *a: oracles.norma(*a, 0.5, 0.02)),
    "slower": (
        kpviz.NormaClassifier,
        {"learning_rate": 0.8, "regularization": 0.1, "schedule": "inverse-sqrt", "fit_intercept": False},
        lambda *a: oracles.norma(*a, 0.8, 0.1, schedule="inverse-sqrt", fit_intercept=False),
    ),
    "nu": (kpviz.NormaClassifier, {"nu": 0.3}, lambda *a: oracles.norma(*a, 0.5, 0.02, nu=0.3)),
    "truncated": (kpviz.NormaClassifier, {"truncation": 9}, lambda *a: oracles.norma(*a, 0.5, 0.02, truncation=9)),
    "all of it": (
        kpviz.NormaClassifier,
        {"truncation": 12, "nu": 0.4, "schedule": "inverse-sqrt"},
        lambda *a: oracles.norma(*a, 0.5, 0.02, truncation=12, nu=0.4, schedule="inverse-sqrt"),
    ),
    "flat": (
        kpviz.NormaClassifier,
        {"regularization": 0.0, "margin": 0.4, "truncation": 5},
        lambda *a: oracles.norma(*a, 0.5, 0.0, margin=0.4, truncation=5),
    ),
    "passive-aggressive": (kpviz.PassiveAggressiveClassifier, {}, oracles.passive_aggressive),
    "damped": (
        kpviz.PassiveAggressiveClassifier,
        {"variant": "PA-II", "C": 0.3},
        lambda *a: oracles.passive_aggressive(*a, "PA-II", 0.3),
    ),
    "logistic": (kpviz.KernelLogisticClassifier, {}, lambda *a: oracles.kernel_logistic(*a, 0.5, 0.01)),
}


@pytest.mark.parametrize("size", [1, 7, 30])
@pytest.mark.parametrize("name", TOLD)
def test_batches_are_one_epoch_over_all_of_them_as_the_slow_loop_tells_it(name, size):
    cls, settings, tell = TOLD[name]
    X, y = kpviz.make_dataset("moons", n_samples=60, noise=0.3, seed=3)
    tale = tell(Gaussian(0.5)(X, X), y, [np.arange(60)])
    assert tale.nearest > 1e-9
    model = cls(gamma=2.0, **settings)
    for batch in batches(60, size):
        model.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        done = batch.start + len(X[batch])
        assert_allclose(model.run_.score, tale.score[batch], rtol=1e-8, atol=1e-10)
        coef, b = tale.states[done]
        assert_allclose(coefficients(model, X), coef, rtol=1e-8, atol=1e-11)
        assert_allclose(model.intercept_, b, rtol=1e-8, atol=1e-11)
        state = model.run_.state_at(model.run_.n_steps)
        assert state.t == done
        for detail in {"Q", "rho", "rate"} & set(tale.details) - set(tale.private):
            assert_allclose(state.details[detail], tale.details[detail][done - 1], rtol=1e-8, atol=1e-11)
        if state.entries is not None:
            assert_array_equal(state.entries.step, [step for step, *_ in tale.entries[done]])
            assert_array_equal(places(X, model.run_.X[state.entries.index]), [i for _, i, _ in tale.entries[done]])
            assert_allclose(state.entries.weight, [weight for *_, weight in tale.entries[done]], rtol=1e-8)


def test_a_randomized_budget_forgets_by_chance_and_else_is_the_slow_loop_batch_after_batch():
    X, y = random_data(4, n=80)
    model = kpviz.RandomizedBudgetClassifier(budget=5, gamma=2.0, random_state=2)
    evicted, remembered, ages, states = {}, [], set(), []
    for t in range(80):
        model.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        states.append(coefficients(model, X))
        now = model.run_.state_at(1).entries.step.tolist()
        assert len(now) <= 5
        assert len(model.run_.X) <= 6
        for step in set(remembered) - set(now):
            evicted[t] = step
            ages.add(remembered.index(step))
        remembered = now
    assert ages == set(range(5))  # a generator that began anew in each call would draw one place only
    tale = oracles.randomized_budget(Gaussian(0.5)(X, X), y, [np.arange(80)], 5, evicted)
    for ours, (coef, _) in zip(states, tale.states[1:], strict=True):
        assert_allclose(ours, coef, atol=1e-12)


def test_the_seed_decides_what_a_randomized_budget_forgets_in_batches_too():
    X, y = random_data(4, n=80)
    found = []
    for seed in (1, 1, 2):
        model = kpviz.RandomizedBudgetClassifier(budget=5, gamma=2.0, random_state=seed)
        for batch in batches(80, 8):
            model.partial_fit(X[batch], y[batch], classes=[-1, 1])
        found.append(coefficients(model, X))
    assert_array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


@quietly
@pytest.mark.parametrize("shuffle", [True, False])
@over_online
def test_a_batch_goes_on_where_fit_ended_and_fit_forgets(cls, shuffle):
    X, y = kpviz.make_dataset("moons", n_samples=50, noise=0.3, seed=5, flipped=0.1)
    model = cls(gamma=2.0, max_iter=3, shuffle=shuffle, random_state=1, **OTHER_SETTINGS[cls])
    first = model.fit(X[:30], y[:30]).decision_function(X)
    rows = np.concatenate([model.run_.index, np.arange(30, 50)])
    model.partial_fit(X[30:45], y[30:45]).partial_fit(X[45:], y[45:])
    if cls is kpviz.RandomizedBudgetClassifier:
        assert len(model.run_.state_at(5).entries.step) <= 4
    else:
        learner = cls.learner_class(**OTHER_SETTINGS[cls])
        whole = kpviz.train(learner, X, y, kernel=Gaussian(0.5), order=rows, stop_when_clean=False)
        end = whole.state_at(whole.n_steps)
        assert_allclose(coefficients(model, X), end.coef, rtol=1e-8, atol=1e-11)
        assert_allclose(model.intercept_, end.intercept, rtol=1e-8, atol=1e-11)
        assert_allclose(model.run_.score, whole.score[-5:], rtol=1e-8, atol=1e-11)
    assert not np.allclose(model.decision_function(X), first)
    assert_array_equal(model.fit(X[:30], y[:30]).decision_function(X), first)


@pytest.mark.parametrize(
    ("cls", "settings", "most"),
    [
        (kpviz.ForgetronClassifier, {"budget": 7}, 7),
        (kpviz.RemoveOldestClassifier, {"budget": 7}, 7),
        (kpviz.RandomizedBudgetClassifier, {"budget": 7}, 7),
        (kpviz.NormaClassifier, {"truncation": 7}, 7),
    ],
)
def test_what_is_kept_between_batches_does_not_grow(cls, settings, most):
    rng = np.random.default_rng(0)
    model = cls(gamma=2.0, random_state=0, **settings)
    for _ in range(30):
        X = rng.standard_normal((10, 2))
        model.partial_fit(X, rng.choice([-1, 1], 10), classes=[-1, 1])
        assert len(model.support_) <= most
        assert len(model.run_.X) <= most + 10
        assert np.abs(model.run_.state_at(model.run_.n_steps).entries.index).max() < len(model.run_.X)
    assert len(model.support_) > 1


@pytest.mark.parametrize("options", [{"predictor": "voted"}, {"predictor": "averaged"}, {"kernel": "precomputed"}])
@over_online
def test_what_needs_a_whole_run_has_no_batches(cls, options):
    assert not hasattr(cls(**options), "partial_fit")
    assert hasattr(cls(), "partial_fit")


def test_the_svm_sees_all_at_once():
    assert not hasattr(kpviz.SVMClassifier(), "partial_fit")
    with pytest.raises(TypeError):
        kpviz.SVMClassifier(shuffle=False)


@pytest.mark.parametrize(("size", "intercept"), [(1, "unit"), (7, "none"), (30, "unit")])
def test_batches_of_the_perceptron_are_one_epoch_of_training(size, intercept):
    X, y = kpviz.make_dataset("moons", n_samples=60, noise=0.15, seed=3)
    model = kpviz.KernelPerceptron(gamma=2.0, intercept=intercept, learning_rate=0.3)
    mistakes = 0
    for batch in batches(60, size):
        model.partial_fit(X[batch], words(y[batch]), classes=["no", "yes"])
        mistakes += model.run_.mistake.sum()
    run = kpviz.train(Perceptron(0.3, intercept), X, y, kernel=Gaussian(0.5), epochs=1)
    assert mistakes == run.mistake.sum()
    assert_allclose(model.decision_function(X), run.decision_function(X), rtol=1e-9, atol=1e-12)
    assert_allclose(model.run_.X[model.support_], model.support_vectors_)


def test_a_batch_goes_on_from_the_last_state_whatever_was_read_before():
    X, _ = random_data(8, n=30)
    y = np.sign(X[:, 0] * X[:, 1])
    averaging, last = (kpviz.KernelPerceptron(gamma=1.0, predictor=p, random_state=0) for p in ("averaged", "last"))
    averaging.fit(X, y).set_params(predictor="last").partial_fit(X[:5], -y[:5])
    assert_allclose(averaging.decision_function(X), last.fit(X, y).partial_fit(X[:5], -y[:5]).decision_function(X))


def test_batches_need_the_classes_first_and_keep_to_them():
    X, y = random_data(8)
    model = kpviz.KernelPerceptron()
    with pytest.raises(ValueError, match="classes=None"):
        model.partial_fit(X, y)
    model.partial_fit(X[y > 0], y[y > 0], classes=[-1, 1])  # one class is enough
    with pytest.raises(ValueError, match="y holds labels other than"):
        model.partial_fit(X, y + 5)
    with pytest.raises(ValueError, match="two classes"):
        kpviz.KernelPerceptron().partial_fit(X, y, classes=[1])
    with pytest.raises(ValueError, match="Only binary classification"):
        kpviz.KernelPerceptron().partial_fit(X, y, classes=[1, 2, 3])
