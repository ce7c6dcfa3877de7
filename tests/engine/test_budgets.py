"""Budgets: the Forgetron, removing the oldest, removing at random, and the Projectron, against slow loops."""

from itertools import product

import numpy as np
import pytest
from covering import covering, in_turn
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import KEEP, assert_matches, forgetron, largest_norm, projectron, randomized_budget, remove_oldest
from scipy.stats import chisquare
from textbook import KERNELS, dual_perceptron, random_data, rows_of

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import Forgetron, Perceptron, Projectron, RandomizedBudget, RemoveOldest

TOYS = ["xor", "spirals", "blobs", "linear"]
ORDERS = ("cyclic", "shuffled", "random")
SIZES = [(1, "cyclic"), (3, "cyclic"), (7, "cyclic"), (3, "shuffled"), (7, "random"), (100, "shuffled")]
POSITIVE = {name: kernel for name, kernel in KERNELS.items() if name != "sigmoid"}  # not positive semidefinite

over_kernels = pytest.mark.parametrize("kernel", POSITIVE.values(), ids=POSITIVE.keys())
over_runs = in_turn(covering(POSITIVE, SIZES, TOYS), lambda name, *_: name)


def toy_data(toy):
    return kpviz.make_dataset(toy, n_samples=18, noise=0.13, seed=3, flipped=0.1)


def trained(learner, X, y, kernel, order, epochs=4, seed=5):
    """A run, the rows that it may have shown, and whether it may end early."""
    run = kpviz.train(learner, X, y, kernel=kernel, order=order, epochs=epochs, seed=seed)
    rows = rows_of(run) if order != "cyclic" else [range(len(y))] * epochs
    return run, rows, order != "random"


@over_runs
def test_removing_the_oldest_is_the_slow_loop(name, size, toy):
    kernel, (budget, order), (X, y) = POSITIVE[name], size, toy_data(toy)
    run, rows, may_end = trained(RemoveOldest(budget=budget), X, y, kernel, order)
    assert_matches(run, remove_oldest(kernel(X, X), y, rows, budget, may_end=may_end), entries=True)


@over_runs
def test_removing_at_random_is_the_slow_loop_told_who_was_drawn(name, size, toy):
    kernel, (budget, order), (X, y) = POSITIVE[name], size, toy_data(toy)
    run, rows, may_end = trained(RandomizedBudget(budget=budget), X, y, kernel, order)
    evicted = dict(zip(run.changes.step.tolist(), run.changes.evicted.tolist(), strict=True))
    assert_matches(run, randomized_budget(kernel(X, X), y, rows, budget, evicted, may_end=may_end), entries=True)


@over_runs
def test_the_self_tuned_forgetron_is_the_slow_loop_with_a_search_for_phi(name, size, toy):
    kernel, (budget, order), (X, y) = POSITIVE[name].normalized(), size, toy_data(toy)
    run, rows, may_end = trained(Forgetron(budget=budget), X, y, kernel, order)
    tale = forgetron(kernel(X, X), y, rows, budget, may_end=may_end)
    assert_matches(run, tale, rtol=1e-7, entries=True)


@over_runs
def test_the_basic_forgetron_is_the_slow_loop(name, size, toy):
    kernel, (budget, order), (X, y) = POSITIVE[name].normalized(), size, toy_data(toy)
    run, rows, may_end = trained(Forgetron(budget=budget, variant="basic"), X, y, kernel, order)
    assert_matches(run, forgetron(kernel(X, X), y, rows, budget, "basic", may_end=may_end), entries=True)


def test_the_search_for_phi_met_every_case_of_the_formula():
    met = set()
    for seed, budget in product(range(12), (2, 5, 20)):
        X, y = random_data(seed, n=40)
        gram = Gaussian(1.5)(X, X)
        tale = forgetron(gram, y, [range(40)] * 3, budget)
        run = kpviz.train(Forgetron(budget=budget), X, y, kernel=Gaussian(1.5), epochs=3)
        assert_matches(run, tale, rtol=1e-7)
        q, weights = 0.0, [[abs(w) for *_, w in entries] for entries in tale.entries]
        for t, mu in enumerate(tale.details["mu"]):
            if tale.details["victim"][t] >= 0:
                a = weights[t][0] ** 2 - 2 * weights[t][0] * mu
                met.add(("opens upwards" if a > 0 else "opens downwards", tale.details["phi"][t] < 1))
            q = tale.details["Q"][t]
            assert q <= KEEP * tale.details["M"][t] + 1e-9
    assert met == set(product(("opens upwards", "opens downwards"), (True, False)))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    budget=st.integers(1, 12),
    n=st.integers(2, 40),
    sigma=st.floats(0.1, 3.0),
    order=st.sampled_from(ORDERS),
)
def test_q_stays_under_its_limit_and_nothing_grows_at_every_mistake(seed, budget, n, sigma, order):
    X, y = random_data(seed, n=n)
    run = kpviz.train(Forgetron(budget=budget), X, y, kernel=Gaussian(sigma), order=order, epochs=6, seed=seed)
    mistakes = np.cumsum(run.mistake)
    q, phi = run.details["Q"], run.details["phi"]
    assert (q <= KEEP * mistakes + 1e-9).all()
    assert (phi > 0).all()
    assert (phi <= 1).all()
    assert (phi[~run.mistake] == 1).all()
    shrunk = phi < 1
    assert_allclose(q[shrunk], KEEP * mistakes[shrunk], rtol=1e-9)  # the largest phi uses up what is allowed
    assert_array_equal(run.details["victim"] >= 0, run.mistake & (mistakes > budget))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), budget=st.integers(1, 30), n=st.integers(2, 40), order=st.sampled_from(ORDERS))
def test_the_basic_forgetron_keeps_its_norm_and_shrinks_at_every_mistake(seed, budget, n, order):
    X, y = random_data(seed, n=n)
    learner = Forgetron(budget=budget, variant="basic")
    run = kpviz.train(learner, X, y, kernel=Gaussian(0.7), order=order, epochs=4, seed=seed)
    phi, victims = run.details["phi"], run.details["victim"] >= 0
    usual = (budget + 1) ** (-1 / (2 * (budget + 1)))
    assert (phi[run.mistake] <= usual * (1 + 1e-12)).all()
    assert (phi[~run.mistake] == 1).all()
    for t in np.flatnonzero(run.mistake & ~victims).tolist():
        coef = run.state_at(t + 1).coef
        assert coef @ run.gram @ coef <= largest_norm(budget) ** 2 * (1 + 1e-9)


BUDGETED = [RemoveOldest, RandomizedBudget, Forgetron, lambda budget: Forgetron(budget=budget, variant="basic")]


@settings(max_examples=40, deadline=None)
@given(
    make=st.sampled_from(BUDGETED),
    seed=st.integers(0, 10_000),
    budget=st.integers(1, 12),
    n=st.integers(2, 25),
    order=st.sampled_from(ORDERS),
)
def test_no_instant_holds_more_than_the_budget(make, seed, budget, n, order):
    X, y = random_data(seed, n=n)
    run = kpviz.train(make(budget=budget), X, y, kernel=Gaussian(0.5), order=order, epochs=4, seed=seed)
    made = np.concatenate([[0], np.cumsum(run.mistake)])
    for t in range(run.n_steps + 1):
        entries, state = run.entries_at(t), run.state_at(t)
        assert len(entries.step) == min(budget, made[t])
        assert (np.diff(entries.step) > 0).all()
        assert_array_equal(entries.index, run.index[entries.step])
        assert_array_equal(np.sign(entries.weight), y[entries.index])
        assert set(state.support) == set(entries.index.tolist())  # the others are 0, not the rest of a subtraction
        assert_allclose(np.bincount(entries.index, entries.weight, minlength=n), state.coef, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("make", BUDGETED, ids=["oldest", "random", "self-tuned", "basic"])
def test_the_victim_is_the_example_of_the_entry_that_the_change_evicts(make):
    X, y = random_data(3, n=30)
    run = kpviz.train(make(budget=4), X, y, kernel=Gaussian(0.5), order="random", epochs=4)
    evicted = np.full(run.n_steps, -1)
    evicted[run.changes.step] = run.changes.evicted
    assert (evicted >= 0).sum() > 20
    expected = np.where(evicted >= 0, run.index[evicted], -1)
    assert_array_equal(run.details["victim"], expected)
    for t in np.flatnonzero(evicted >= 0).tolist():
        alive = run.entries_at(t).step
        assert evicted[t] in alive
        assert evicted[t] not in run.entries_at(t + 1).step
        if not isinstance(run.learner, RandomizedBudget):
            assert evicted[t] == alive[0]


@pytest.mark.parametrize("make", BUDGETED[:3], ids=["oldest", "random", "self-tuned"])
def test_a_budget_that_is_never_reached_leaves_the_plain_perceptron(make):
    X, y = kpviz.make_dataset("moons", n_samples=40, noise=0.1, seed=1)
    plain = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.5), epochs=20)
    run = kpviz.train(make(budget=int(plain.mistake.sum())), X, y, kernel=Gaussian(0.5), epochs=20)
    assert (run.end, plain.end) == ("clean", "clean")
    assert_array_equal(run.mistake, plain.mistake)
    assert_array_equal(run.state_at(run.n_steps).coef, plain.state_at(plain.n_steps).coef)
    assert (run.details["victim"] == -1).all()


# -- chance -----------------------------------------------------------------------------------------------------------


def test_every_entry_is_equally_likely_to_be_drawn_whatever_its_age():
    n, budget = 1500, 6
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    run = kpviz.train(RandomizedBudget(budget=budget), np.eye(n), y, kernel="precomputed", epochs=1, seed=2)
    alive, ranks = [], []
    evicted = dict(zip(run.changes.step.tolist(), run.changes.evicted.tolist(), strict=True))
    for t in range(n):  # all examples are orthogonal: each is a mistake when it is first shown
        if t >= budget:
            ranks.append(alive.index(evicted[t]))
            alive.pop(ranks[-1])
        alive.append(t)
    counts = np.bincount(ranks, minlength=budget)
    assert counts.sum() == n - budget
    assert chisquare(counts).pvalue > 0.001
    following = np.bincount(np.array(ranks[:-1]) * budget + ranks[1:], minlength=budget**2)
    assert chisquare(following).pvalue > 0.001


@pytest.mark.parametrize("order", ["cyclic", np.tile(np.arange(40), (5, 1))], ids=["cyclic", "given"])
def test_the_seed_draws_the_victims_and_not_an_order_that_is_given(order):
    X, y = random_data(4, n=40)
    learner = RandomizedBudget(budget=5)
    one, again, other = (
        kpviz.train(learner, X, y, kernel=Gaussian(0.5), order=order, epochs=5, seed=s) for s in (1, 1, 2)
    )
    assert_array_equal(one.index, other.index)
    assert_array_equal(one.details["victim"], again.details["victim"])
    assert_array_equal(one.score, again.score)
    assert not np.array_equal(one.details["victim"], other.details["victim"])


# -- the Projectron ---------------------------------------------------------------------------------------------------


@in_turn(covering(POSITIVE, TOYS, [0.1, 0.3, 0.9], ORDERS), lambda name, *_: name)
def test_the_projectron_is_the_slow_loop_with_least_squares(name, toy, threshold, order):
    kernel, (X, y) = POSITIVE[name], toy_data(toy)
    run, rows, may_end = trained(Projectron(threshold=threshold), X, y, kernel, order)
    tale = projectron(kernel(X, X), y, rows, threshold, may_end=may_end)
    assert_matches(run, tale, rtol=1e-6)


@over_kernels
@pytest.mark.parametrize("seed", range(4))
def test_a_projectron_with_threshold_zero_scores_as_the_plain_perceptron(kernel, seed):
    X, y = random_data(seed, n=15)
    run = kpviz.train(Projectron(threshold=0.0), X, y, kernel=kernel, order="shuffled", epochs=4, seed=seed)
    story = dual_perceptron(kernel(X, X), y, rows_of(run))
    assert_array_equal(run.mistake, story.mistake)
    scale = 1 + np.abs(story.score).max()
    assert_allclose(run.score, story.score, rtol=1e-6, atol=1e-6 * scale)
    assert run.end == story.end


def test_what_the_projectron_leaves_out_is_farther_from_the_support_than_nothing():
    X, y = kpviz.make_dataset("blobs", n_samples=60, noise=0.3, seed=1, flipped=0.1)
    sizes = []
    for threshold in (0.0, 0.2, 0.5, 0.8):
        run = kpviz.train(Projectron(threshold=threshold), X, y, kernel=Gaussian(0.5), epochs=5)
        projected, distance = run.details["projected"], run.details["distance"]
        assert projected.dtype == bool
        assert not projected[~run.mistake].any()
        assert (distance[~run.mistake] == 0).all()
        assert_array_equal(projected[run.mistake], distance[run.mistake] <= threshold)
        fresh = run.index[run.mistake & ~projected]
        assert len(set(fresh.tolist())) == len(fresh)  # an example of the support lies at distance 0
        assert set(run.state_at(run.n_steps).support) <= set(fresh.tolist())
        sizes.append(len(fresh))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_in_the_plane_a_linear_projectron_keeps_two_examples_and_is_still_the_perceptron():
    X, y = kpviz.make_dataset("blobs", n_samples=60, seed=2)
    run = kpviz.train(Projectron(threshold=1e-4), X, y, kernel=Linear(), epochs=5)
    plain = kpviz.train(Perceptron(), X, y, kernel=Linear(), epochs=5)
    assert len(run.state_at(run.n_steps).support) == 2
    assert plain.mistake.sum() > 5
    assert_array_equal(run.mistake, plain.mistake)
    assert_allclose(run.score, plain.score, rtol=1e-7, atol=1e-9)


# -- k(x, x) <= 1 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["self-tuned", "basic"])
def test_the_forgetron_refuses_a_kernel_above_one_and_names_the_way_out(variant):
    X, y = random_data(0)
    learner = Forgetron(budget=5, variant=variant)
    with pytest.raises(ValueError, match=r"kernel\.normalized\(\)") as caught:
        kpviz.train(learner, X, y, kernel=Polynomial(2, 1.0))
    assert str(caught.value).endswith(".")
    assert ". " not in str(caught.value)
    with pytest.raises(ValueError, match=r"kernel\.normalized\(\)"):
        kpviz.train(learner, np.diag([1.0, 1.0 + 1e-6]), [1, -1], kernel="precomputed")
    kpviz.train(learner, np.diag([1.0, 1.0 + 1e-12]), [1, -1], kernel="precomputed")
    assert kpviz.train(learner, X, y, kernel=Polynomial(2, 1.0).normalized()).n_steps


@over_kernels
def test_a_normalized_kernel_is_the_cosine_of_its_features(kernel):
    X, _ = random_data(1)
    Z, _ = random_data(2, n=7)
    expected = [[kernel([u], [v])[0, 0] / np.sqrt(kernel([u], [u]) * kernel([v], [v]))[0, 0] for v in Z] for u in X]
    cosine = kernel.normalized()
    assert_allclose(cosine(X, Z), expected, rtol=1e-10, atol=1e-14)
    assert_allclose(cosine.diag(X), np.ones(len(X)), rtol=1e-12)
    assert_allclose(np.diag(cosine(X, X)), np.ones(len(X)), rtol=1e-12)
