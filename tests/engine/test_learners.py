"""Each learner is its slow loop, and scikit-learn's where it has one, and keeps what it promises at
every step.
"""

from itertools import product

import numpy as np
import pytest
from drawn_runs import ONLINE, RATES, SEEDS, WHOLE, trainings
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import assert_matches, forgetron, slow_run
from scipy.special import expit
from scipy.stats import chisquare
from sklearn.linear_model import SGDClassifier
from textbook import random_data

import kpviz
from kpviz.engine import rounding
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import (
    Forgetron,
    KernelLogistic,
    Norma,
    PassiveAggressive,
    Perceptron,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)
from kpviz.engine.learners.passive_aggressive import VARIANTS
from kpviz.engine.learners.perceptron import INTERCEPTS

ROUNDING = {Projectron: 1e-6, Forgetron: 1e-7}  # least squares and a search, in the slow loops


@pytest.mark.parametrize("kind", ONLINE)
@settings(max_examples=30)
@given(data=st.data())
def test_a_learner_is_its_slow_loop_at_every_instant(kind, data):
    train = data.draw(trainings([kind]))
    run = train()
    slow = slow_run(run, may_end=train.keywords["stop_when_clean"])
    assume(slow.nearest > 1e-9)  # else rounding decides
    assert_matches(run, slow, ROUNDING.get(kind, 1e-8))
    assert run.n_epochs == train.keywords["epochs"] or run.end == "clean"


@settings(max_examples=60)
@given(trainings([Perceptron], WHOLE, whole=True, epochs=8))
def test_where_ties_are_exact_the_perceptron_is_its_slow_loop_mistake_by_mistake(train):
    run = train(stop_when_clean=True)
    slow = slow_run(run)
    assert_matches(run, slow)
    assert_array_equal(run.mistake, slow.mistake)
    unit = train.func(
        Perceptron(1.0, run.learner.intercept, run.learner.tie), *train.args[1:], **train.keywords
    )
    again = train(stop_when_clean=train.keywords["stop_when_clean"])
    for name in ("score", "coef"):  # the learning rate changes no mistake
        ours, theirs = (
            part.score if name == "score" else part.state_at(part.n_steps).coef
            for part in (again, unit)
        )
        assert_array_equal(ours, run.learner.learning_rate * theirs)


def test_long_runs_and_measured_data_are_the_slow_loop():
    for name, n, intercept in product(("moons", "iris", "breast_cancer"), (60,), INTERCEPTS):
        X, y = kpviz.make_dataset(name, n, seed=2)
        run = kpviz.train(
            Perceptron(intercept=intercept), X, y, kernel=Gaussian(0.3), order="shuffled", epochs=25
        )
        assert_matches(run, slow_run(run))


# A learner without and with an intercept, where it may have one, and what descends the same
# gradients.
SCIKIT = {
    "perceptron": (
        lambda rates, b: Perceptron(intercept="unit" if b else "none"),
        {"loss": "perceptron", "eta0": 1.0},
    ),
    "norma": (lambda rates, b: Norma(*rates, fit_intercept=b), {"loss": "hinge", "penalty": "l2"}),
    "logistic": (
        lambda rates, b: None if b else KernelLogistic(*rates),
        {"loss": "log_loss", "penalty": "l2"},
    ),
    "pa1": (lambda rates, b: None if b else PassiveAggressive("PA-I", rates[0]), {"loss": "hinge"}),
    "pa2": (
        lambda rates, b: None if b else PassiveAggressive("PA-II", rates[0]),
        {"loss": "hinge"},
    ),
}


@pytest.mark.parametrize("name", SCIKIT)
@settings(max_examples=20)
@given(SEEDS, RATES, st.booleans(), st.booleans(), st.sampled_from([1, 7]))
def test_with_the_linear_kernel_a_learner_is_scikit_learns(name, seed, rates, b, average, epochs):
    make, options = SCIKIT[name]
    learner = make(rates, b) or make(rates, b=False)
    b = b and make(rates, b) is not None
    X, y = random_data(seed, n=40, columns=3)
    theirs = SGDClassifier(**{
        "penalty": None, "alpha": rates[1] or 1e-300, "learning_rate": name if name.startswith("pa") else "constant",
        "eta0": rates[0], "shuffle": False, "tol": None, "max_iter": epochs, "fit_intercept": b, "average": average,
        **options,
    }).fit(X, y)  # fmt: skip
    run = kpviz.train(learner, X, y, kernel=Linear(), epochs=epochs, stop_when_clean=False)
    Z, _ = random_data(seed + 50, n=9, columns=3)
    ours = run.decision_function(Z, predictor="averaged" if average else "last")
    assert_allclose(ours, theirs.decision_function(Z), rtol=1e-9, atol=1e-9)


# ---- the perceptron


def test_the_radius_is_read_from_the_diagonal_even_if_a_larger_number_stands_beside_it():
    run = kpviz.train(
        Perceptron(intercept="radius"),
        [[2.0, 5.0], [5.0, 1.0]],
        [1, -1],
        kernel="precomputed",
        epochs=1,
    )
    assert run.state_at(1).intercept == 2.0


# ---- budgets


def test_the_search_for_phi_met_every_case_of_the_formula():
    met = set()
    for seed, budget in product(range(12), (2, 5, 20)):
        X, y = random_data(seed, n=40)
        run = kpviz.train(Forgetron(budget), X, y, kernel=Gaussian(1.5), epochs=3)
        slow = forgetron(run.gram, y, [range(40)] * 3, budget)
        assert_matches(run, slow, 1e-7)
        weights = [[abs(w) for *_, w in entries] for entries in slow.entries]
        for t, mu in enumerate(slow.details["mu"]):
            if slow.details["victim"][t] >= 0:
                a = weights[t][0] ** 2 - 2 * weights[t][0] * mu
                met.add(
                    ("opens upwards" if a > 0 else "opens downwards", slow.details["phi"][t] < 1)
                )
    assert met == set(product(("opens upwards", "opens downwards"), (True, False)))


def test_every_entry_is_equally_likely_to_be_drawn_whatever_its_age():
    n, budget = 1500, 6
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    run = kpviz.train(
        RandomizedBudget(budget), np.eye(n), y, kernel="precomputed", epochs=1, seed=2
    )
    alive, ranks = [], []
    evicted = dict(zip(run.changes.step.tolist(), run.changes.evicted.tolist(), strict=True))
    for t in range(n):  # all examples are orthogonal: each is a mistake when it is first shown
        if t >= budget:
            ranks.append(alive.index(evicted[t]))
            alive.pop(ranks[-1])
        alive.append(t)
    assert chisquare(np.bincount(ranks, minlength=budget)).pvalue > 0.001
    following = np.bincount(np.array(ranks[:-1]) * budget + ranks[1:], minlength=budget**2)
    assert chisquare(following).pvalue > 0.001


def test_a_score_near_zero_is_that_of_the_entries_left_not_what_subtracting_left():
    X, y = random_data(6, n=12)
    for learner in (RemoveOldest(1), RemoveOldest(2), RandomizedBudget(2), Forgetron(2)):
        run = kpviz.train(
            learner, np.r_[X, X], np.r_[y, -y], kernel=Gaussian(0.2), order="shuffled", epochs=5
        )
        small = np.flatnonzero(
            (np.abs(run.score) < rounding.ROUNDING) & (run.score != 0.0)
        ).tolist()
        assert small
        for t in small:
            entries = run.entries_at(t)
            exact = entries.weight @ run.gram[entries.index, run.index[t]]
            assert run.score[t] == pytest.approx(exact, rel=1e-9, abs=0)


@pytest.mark.parametrize("variant", ["self-tuned", "basic"])
def test_the_forgetron_refuses_a_kernel_above_one_and_names_the_way_out(variant):
    X, y = random_data(0)
    for kernel, points, labels in (
        (Polynomial(2, 1.0), X, y),
        ("precomputed", np.diag([1.0, 1.0 + 1e-6]), [1, -1]),
    ):
        with pytest.raises(ValueError, match=r"^[^.]*[.\d]*[^.]*kernel\.normalized\(\)\.$"):
            kpviz.train(Forgetron(5, variant), points, labels, kernel=kernel)
    kpviz.train(Forgetron(5, variant), np.diag([1.0, 1.0 + 1e-12]), [1, -1], kernel="precomputed")


# ---- passive-aggressive and logistic


def test_an_example_without_length_changes_nothing_and_a_wide_enough_margin_ends_training():
    for variant in VARIANTS:
        run = kpviz.train(
            PassiveAggressive(variant), [[0.0, 0.0], [1.0, 0.0]], [1, -1], kernel=Linear(), epochs=4
        )
        assert run.state_at(run.n_steps).coef[0] == 0.0
        assert (run.details["loss"][0], run.details["tau"][0]) == (1.0, 0.0)
    run = kpviz.train(PassiveAggressive(), [[2.0, 0.0], [-3.0, 0.0]], [1, -1], kernel=Linear())
    assert (run.end, run.n_epochs, run.changes.step.tolist()) == ("clean", 2, [0])


def test_scores_far_from_zero_neither_overflow_nor_stop_the_logistic_learner():
    X, y = np.array([[40.0], [30.0], [-50.0]]), np.array([1.0, -1.0, 1.0])
    run = kpviz.train(KernelLogistic(1.0, 0.0), X, y, kernel=Linear(), epochs=5)
    assert np.abs(run.score).max() > 800
    assert np.isfinite(run.score).all()
    assert_allclose(run.details["probability"], expit(run.score), rtol=1e-12)
    assert_allclose(run.details["added"], expit(-run.y[run.index] * run.score), rtol=1e-12)


def test_an_example_as_far_from_the_span_as_the_threshold_is_projected():
    run = kpviz.train(Projectron(threshold=1.0), np.eye(2), [1.0, 1.0], epochs=1)
    assert_array_equal(run.details["distance"], [1.0, 1.0])
    assert run.details["projected"].all()


def test_a_projectron_goes_on_from_coefficients_of_examples_that_span_each_other():
    X = np.array([[0.1, 0.1], [0.2, 0.2], [0.2, 0.5]])
    coef = np.array([1.0, 1.0, 0.0])
    start = kpviz.State(0, coef, coef, 0.0)
    run = kpviz.train(Projectron(threshold=0.0), X, [-1.0, -1.0, -1.0], start=start, order=[[2]])
    assert run.mistake[0]
    assert run.details["distance"][0] == pytest.approx(0.3 / np.sqrt(2.0))


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(st.integers(-6, 6), st.integers(-6, 6), st.sampled_from([-1.0, 1.0])),
        min_size=1,
        max_size=8,
    )
)
@example([(6, 4, -1.0), (-6, -2, -1.0), (2, 2, -1.0)])
def test_a_projectron_without_threshold_is_the_perceptron_ties_included(points):
    """Coefficients of projections are fractions: where they cancel, no rounding error is left to
    break a tie.
    """
    X = np.array([point[:2] for point in points]) / 2.0
    y = np.array([point[2] for point in points])
    run, plain = (
        kpviz.train(learner, X, y, epochs=10)
        for learner in (Projectron(threshold=0.0), Perceptron())
    )
    assert_array_equal(run.index, plain.index)
    assert_array_equal(run.mistake, plain.mistake)
    assert_allclose(run.score, plain.score, atol=1e-12)
    assert len(run.state_at(run.n_steps).support) <= 2
    for t in range(0, run.n_steps + 1, 3):
        assert_array_equal(np.sign(run.margins_at(t)), np.sign(plain.margins_at(t)))
