"""Each learner is its slow loop, and scikit-learn's where it has one, and keeps what it promises at every step."""

from itertools import product

import numpy as np
import pytest
from drawn_runs import ONLINE, POSITIVE, RATES, SEEDS, WHOLE, examples, trainings
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import KEEP, assert_matches, forgetron, largest_norm, slow_run, weighted_monomials
from scipy.optimize import minimize_scalar
from scipy.special import expit
from scipy.stats import chisquare
from sklearn.linear_model import SGDClassifier
from textbook import KERNELS, dual_perceptron, primal_perceptron, random_data, rows_of

import kpviz
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
from kpviz.engine.run.train import ORDERS

ROUNDING = {Projectron: 1e-6, Forgetron: 1e-7}  # least squares and a search, in the slow loops
BUDGETED = [RemoveOldest, RandomizedBudget, Forgetron, lambda budget: Forgetron(budget, "basic")]


@pytest.mark.parametrize("kind", ONLINE)
@settings(max_examples=60)
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
    unit = train.func(Perceptron(1.0, run.learner.intercept, run.learner.tie), *train.args[1:], **train.keywords)
    again = train(stop_when_clean=train.keywords["stop_when_clean"])
    for name in ("score", "coef"):  # the learning rate changes no mistake
        ours, theirs = (part.score if name == "score" else part.state_at(part.n_steps).coef for part in (again, unit))
        assert_array_equal(ours, run.learner.learning_rate * theirs)


def test_long_runs_and_measured_data_are_the_slow_loop():
    for name, n, intercept in product(("moons", "iris", "breast_cancer"), (60,), INTERCEPTS):
        X, y = kpviz.make_dataset(name, n, seed=2)
        run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=Gaussian(0.3), order="shuffled", epochs=25)
        assert_matches(run, slow_run(run))


SCIKIT = {  # a learner without and with an intercept, where it may have one, and what descends the same gradients
    "perceptron": (lambda rates, b: Perceptron(intercept="unit" if b else "none"), {"loss": "perceptron", "eta0": 1.0}),
    "norma": (lambda rates, b: Norma(*rates, fit_intercept=b), {"loss": "hinge", "penalty": "l2"}),
    "logistic": (lambda rates, b: None if b else KernelLogistic(*rates), {"loss": "log_loss", "penalty": "l2"}),
    "pa1": (lambda rates, b: None if b else PassiveAggressive("PA-I", rates[0]), {"loss": "hinge"}),
    "pa2": (lambda rates, b: None if b else PassiveAggressive("PA-II", rates[0]), {"loss": "hinge"}),
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


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 4), st.sampled_from([0.0, 1.0, 2.5]), st.sampled_from(["none", "unit"]))
def test_the_dual_is_the_primal_on_explicit_features(seed, degree, coef0, intercept):
    X, y = random_data(seed, n=30)
    features, kernel = weighted_monomials(X, degree, coef0), Polynomial(degree, coef0)
    assert_allclose(features @ features.T, kernel(X, X), rtol=1e-9, atol=1e-9)
    run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=kernel, order="shuffled", epochs=5, seed=seed)
    mistakes, w, b = primal_perceptron(features, y, rows_of(run), bias=intercept == "unit")
    assert_array_equal(run.mistake, mistakes)
    state = run.state_at(run.n_steps)
    assert_allclose(features.T @ state.coef, w, rtol=1e-8, atol=1e-8)
    assert state.intercept == b


# ---- the perceptron


def test_xor_takes_one_mistake_at_each_corner():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    run = kpviz.train(Perceptron(), X, y, kernel=Polynomial(degree=2, coef0=1.0))
    assert (run.end, run.converged, run.n_epochs, run.n_steps) == ("clean", True, 2, 8)
    assert_array_equal(run.mistakes_per_epoch, [4, 0])
    assert_array_equal(run.state_at(8).alpha, np.ones(4))
    assert_array_equal(run.margins_at(8), np.full(4, 8.0))
    longer = kpviz.train(Perceptron(), X, y, kernel=Polynomial(2, 1.0), epochs=9, stop_when_clean=False)
    assert (longer.end, longer.converged, longer.n_epochs, longer.n_steps) == ("limit", False, 9, 36)


def test_a_zero_score_counts_as_the_tie_rule_says():
    wrong = {"mistake": [True, True], "correct": [False, False], "positive": [False, True], "negative": [True, False]}
    for tie, expected in wrong.items():
        run = kpviz.train(Perceptron(tie=tie), np.eye(2), [1, -1], kernel=Linear(), epochs=1)
        assert_array_equal(run.score, [0.0, 0.0])
        assert_array_equal(run.mistake, expected)
        assert_array_equal(run.state_at(2).alpha, expected)
        vote = kpviz.train(Perceptron(tie=tie), np.eye(2), [-1, 1], kernel=Linear(), epochs=3)
        assert_array_equal(vote.decision_function([[0.0, 0.0]], predictor="voted"), [vote.n_steps])  # sign(0) = +1


@pytest.mark.parametrize("intercept", ["unit", "radius"])
@given(examples(), st.sampled_from([*KERNELS.values()]))
def test_an_intercept_is_a_constant_feature(intercept, data, kernel):
    X, y = data
    constant = 1.0 if intercept == "unit" else kernel.diag(X).max()
    run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=kernel, epochs=6)
    assume((np.abs(run.score) > 1e-9).sum() == (run.score != 0).sum())  # else rounding decides
    other = kpviz.train(Perceptron(), X, y, kernel=lambda U, V: kernel(U, V) + constant, epochs=6)
    assert_array_equal(run.mistake, other.mistake)
    assert_array_equal(run.state_at(run.n_steps).coef, other.state_at(other.n_steps).coef)
    assert_allclose(run.decision_function(X), other.decision_function(X), rtol=1e-9, atol=1e-9)


def test_the_radius_is_read_from_the_diagonal_even_if_a_larger_number_stands_beside_it():
    run = kpviz.train(Perceptron(intercept="radius"), [[2.0, 5.0], [5.0, 1.0]], [1, -1], kernel="precomputed", epochs=1)
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
                met.add(("opens upwards" if a > 0 else "opens downwards", slow.details["phi"][t] < 1))
    assert met == set(product(("opens upwards", "opens downwards"), (True, False)))


@settings(max_examples=60)
@given(st.data(), SEEDS, st.integers(2, 40), st.integers(1, 30), st.floats(0.1, 3.0), st.sampled_from(ORDERS))
def test_what_a_budget_promises_holds_at_every_instant(data, seed, n, budget, sigma, order):
    X, y = random_data(seed, n=n)
    learner = data.draw(st.sampled_from(BUDGETED))(budget)
    run = kpviz.train(learner, X, y, kernel=Gaussian(sigma), order=order, epochs=4, seed=seed)
    mistakes, victims = np.cumsum(run.mistake), run.details["victim"]
    evicted = np.full(run.n_steps, -1)
    evicted[run.changes.step] = run.changes.evicted
    assert_array_equal(victims, np.where(evicted >= 0, run.index[evicted], -1))
    assert_array_equal(victims >= 0, run.mistake & (mistakes > budget))
    for t in range(0, run.n_steps + 1, 3):
        entries, support = run.entries_at(t), run.state_at(t).support
        assert len(entries.step) == min(budget, mistakes[t - 1] if t else 0)
        assert_array_equal(np.sign(entries.weight), y[entries.index])
        assert set(support) == set(entries.index.tolist())  # the others are 0, not the rest of a subtraction
        if t < run.n_steps and evicted[t] >= 0 and not isinstance(learner, RandomizedBudget):
            assert evicted[t] == entries.step[0]
    if not isinstance(learner, Forgetron):
        return
    phi = run.details["phi"]
    assert ((phi > 0) & (phi <= 1)).all()
    assert (phi[~run.mistake] == 1).all()
    if learner.variant == "self-tuned":
        q = run.details["Q"]
        assert (q <= KEEP * mistakes + 1e-9).all()
        assert_allclose(q[phi < 1], KEEP * mistakes[phi < 1], rtol=1e-9)  # the largest phi uses up what is allowed
        return
    assert (phi[run.mistake] <= (budget + 1) ** (-1 / (2 * (budget + 1))) * (1 + 1e-12)).all()
    for t in np.flatnonzero(run.mistake & (victims < 0)).tolist():
        coef = run.state_at(t + 1).coef
        assert coef @ run.gram @ coef <= largest_norm(budget) ** 2 * (1 + 1e-9)


def test_a_budget_that_is_never_reached_leaves_the_plain_perceptron():
    X, y = kpviz.make_dataset("moons", n_samples=40, noise=0.1, seed=1)
    plain = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.5), epochs=20)
    for make in BUDGETED[:3]:
        run = kpviz.train(make(int(plain.mistake.sum())), X, y, kernel=Gaussian(0.5), epochs=20)
        assert (run.end, plain.end) == ("clean", "clean")
        assert_array_equal(run.mistake, plain.mistake)
        assert_array_equal(run.state_at(run.n_steps).coef, plain.state_at(plain.n_steps).coef)


def test_every_entry_is_equally_likely_to_be_drawn_whatever_its_age():
    n, budget = 1500, 6
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    run = kpviz.train(RandomizedBudget(budget), np.eye(n), y, kernel="precomputed", epochs=1, seed=2)
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
        run = kpviz.train(learner, np.r_[X, X], np.r_[y, -y], kernel=Gaussian(0.2), order="shuffled", epochs=5)
        small = np.flatnonzero((np.abs(run.score) < 1e-12) & (run.score != 0.0)).tolist()
        assert small
        for t in small:
            entries = run.entries_at(t)
            exact = entries.weight @ run.gram[entries.index, run.index[t]]
            assert run.score[t] == pytest.approx(exact, rel=1e-9, abs=0)


@pytest.mark.parametrize("variant", ["self-tuned", "basic"])
def test_the_forgetron_refuses_a_kernel_above_one_and_names_the_way_out(variant):
    X, y = random_data(0)
    for kernel, points, labels in ((Polynomial(2, 1.0), X, y), ("precomputed", np.diag([1.0, 1.0 + 1e-6]), [1, -1])):
        with pytest.raises(ValueError, match=r"^[^.]*[.\d]*[^.]*kernel\.normalized\(\)\.$"):
            kpviz.train(Forgetron(5, variant), points, labels, kernel=kernel)
    kpviz.train(Forgetron(5, variant), np.diag([1.0, 1.0 + 1e-12]), [1, -1], kernel="precomputed")


# ---- the Projectron


@settings(max_examples=40)
@given(trainings([Projectron], POSITIVE))
def test_a_projectron_projects_what_is_near_and_with_threshold_zero_scores_as_the_perceptron(train):
    run = train()
    projected, distance = run.details["projected"], run.details["distance"]
    assert projected.dtype == bool
    assert not (projected | (distance > 0))[~run.mistake].any()
    fresh = run.index[run.mistake & ~projected]
    assert len(set(fresh.tolist())) == len(fresh)  # an example of the support lies at distance 0
    assert set(run.state_at(run.n_steps).support) <= set(fresh.tolist())
    if run.learner.threshold == 0.0:
        slow = dual_perceptron(run.gram, run.y, rows_of(run), may_end=False)
        scale = 1 + np.abs(slow.score).max()
        assume(slow.nearest > 1e-6 * scale)
        assert_array_equal(run.mistake, slow.mistake)
        assert_allclose(run.score, slow.score, rtol=1e-6, atol=1e-6 * scale)
    else:
        assert_array_equal(projected[run.mistake], distance[run.mistake] <= max(run.learner.threshold, 1e-5))


def test_in_the_plane_a_linear_projectron_keeps_two_examples_and_is_still_the_perceptron():
    X, y = kpviz.make_dataset("blobs", n_samples=60, seed=2)
    run, plain = (kpviz.train(learner, X, y, kernel=Linear(), epochs=5) for learner in (Projectron(1e-4), Perceptron()))
    assert len(run.state_at(run.n_steps).support) == 2
    assert plain.mistake.sum() > 5
    assert_array_equal(run.mistake, plain.mistake)
    assert_allclose(run.score, plain.score, rtol=1e-7, atol=1e-9)


# ---- NORMA


@settings(max_examples=40)
@given(trainings([Perceptron], WHOLE, whole=True, epochs=8))
def test_without_margin_and_shrinking_norma_is_the_perceptron_with_unit_intercept(train):
    how = {**train.keywords, "stop_when_clean": True}
    run = kpviz.train(Norma(1.0, 0.0, margin=0.0), *train.args[1:], **how)
    plain = kpviz.train(Perceptron(intercept="unit"), *train.args[1:], **how)
    assert_array_equal(run.mistake, plain.mistake)
    assert_array_equal(run.score, plain.score)
    assert_array_equal(run.state_at(run.n_steps).coef, plain.state_at(plain.n_steps).coef)
    assert run.end == plain.end


@settings(max_examples=40)
@given(SEEDS, st.floats(0.01, 1.0), st.floats(0.0, 0.9), st.floats(0.01, 0.99), st.sampled_from(ORDERS))
def test_rho_counts_the_margin_errors_and_the_margin_is_ignored_then(seed, eta, lam, nu, order):
    X, y = random_data(seed, n=20)
    how = {"kernel": Gaussian(0.8), "order": order, "epochs": 3, "seed": seed, "stop_when_clean": False}
    run, other = (kpviz.train(Norma(eta, lam, margin, nu), X, y, **how) for margin in (1.0, 0.1))
    rho, compared = run.details["rho"], run.details["compared"]
    assert_array_equal(compared, np.append(0.0, rho[:-1]))
    errors = np.cumsum(y[run.index] * run.score <= compared)
    assert_allclose(rho, eta * (nu * np.arange(1, run.n_steps + 1) - errors), rtol=1e-9, atol=1e-9 * eta)
    assert_array_equal(rho, other.details["rho"])
    assert_array_equal(run.score, other.score)


def test_nu_is_roughly_the_share_of_margin_errors_in_the_long_run():
    X, y = kpviz.make_dataset("moons", n_samples=100, noise=0.2, seed=1)
    for nu in (0.2, 0.5):
        learner = Norma(learning_rate=0.1, regularization=0.05, nu=nu)
        run = kpviz.train(learner, X, y, kernel=Gaussian(0.5), order="random", epochs=40, seed=3)
        errors = y[run.index] * run.score <= run.details["compared"]
        assert abs(errors.mean() - nu) < 0.02


@given(SEEDS, st.sampled_from([1, 4, 17, 1000]))
def test_truncation_remembers_the_last_presentations_only(seed, truncation):
    X, y = random_data(seed, n=15)
    how = {"kernel": Gaussian(0.5), "order": "random", "epochs": 6}
    run, whole = (kpviz.train(Norma(0.4, 0.1, truncation=last), X, y, **how) for last in (truncation, None))
    for t in range(0, run.n_steps + 1, 7):
        steps = run.entries_at(t).step
        assert len(steps) <= truncation
        assert (steps >= t - truncation).all()
    assert np.array_equal(run.score, whole.score) == (truncation == 1000)


# ---- passive-aggressive and logistic


@given(SEEDS, st.sampled_from(VARIANTS))
def test_each_passive_aggressive_step_is_the_least_change_for_its_loss(seed, variant):
    C, kernel = 0.4, Polynomial(2, 1.0)
    X, y = random_data(seed, n=12)
    run = kpviz.train(PassiveAggressive(variant, C), X, y, kernel=kernel, epochs=2)
    for t in run.changes.step.tolist():
        square, margin = kernel.diag(X)[run.index[t]], run.y[run.index[t]] * run.score[t]

        def cost(tau, square=square, margin=margin):
            loss = max(0.0, 1.0 - margin - tau * square)
            weight = {"PA": 1e6 * loss, "PA-I": C * loss, "PA-II": C * loss**2}[variant]
            return 0.5 * tau**2 * square + weight

        best = minimize_scalar(cost, bounds=(0.0, 2.0 * run.details["tau"][t] + 1e-3), method="bounded")
        assert run.details["tau"][t] == pytest.approx(best.x, abs=1e-4)
        if variant == "PA":
            assert run.margins_at(t + 1)[run.index[t]] == pytest.approx(1.0)


def test_an_example_without_length_changes_nothing_and_a_wide_enough_margin_ends_training():
    for variant in VARIANTS:
        run = kpviz.train(PassiveAggressive(variant), [[0.0, 0.0], [1.0, 0.0]], [1, -1], kernel=Linear(), epochs=4)
        assert run.state_at(run.n_steps).coef[0] == 0.0
        assert (run.details["loss"][0], run.details["tau"][0]) == (1.0, 0.0)
    run = kpviz.train(PassiveAggressive(), [[2.0, 0.0], [-3.0, 0.0]], [1, -1], kernel=Linear())
    assert (run.end, run.n_epochs, run.changes.step.tolist()) == ("clean", 2, [0])


@given(SEEDS, st.sampled_from([*POSITIVE.values()]), st.sampled_from(VARIANTS))
def test_the_mistakes_stay_within_the_bounds_of_the_docstring(seed, kernel, variant):
    C = 0.5
    X, y = kpviz.make_dataset("moons", n_samples=20, noise=0.1, seed=seed, flipped=0.1)
    run = kpviz.train(PassiveAggressive(variant, C), X, y, kernel=kernel, epochs=5)
    coef = 0.3 * y
    losses = np.maximum(0.0, 1.0 - y * (run.gram @ coef))[run.index]
    squared, radius = coef @ run.gram @ coef, run.gram.diagonal().max()
    if variant == "PA-I":
        assert run.mistake.sum() <= max(radius, 1 / C) * (squared + 2 * C * losses.sum())
    elif variant == "PA-II":
        assert run.mistake.sum() <= (radius + 0.5 / C) * (squared + 2 * C * (losses**2).sum())
    elif np.linalg.eigvalsh(run.gram)[0] > 1e-6:  # a u without loss
        perfect = np.linalg.solve(run.gram, y)
        assert run.mistake.sum() <= radius * perfect @ run.gram @ perfect


def test_scores_far_from_zero_neither_overflow_nor_stop_the_logistic_learner():
    X, y = np.array([[40.0], [30.0], [-50.0]]), np.array([1.0, -1.0, 1.0])
    run = kpviz.train(KernelLogistic(1.0, 0.0), X, y, kernel=Linear(), epochs=5)
    assert np.abs(run.score).max() > 800
    assert np.isfinite(run.score).all()
    assert_allclose(run.details["probability"], expit(run.score), rtol=1e-12)
    assert_allclose(run.details["added"], expit(-run.y[run.index] * run.score), rtol=1e-12)
