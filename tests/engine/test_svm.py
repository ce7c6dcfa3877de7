"""The SVM by sequential minimal optimisation: against libsvm, against a slow loop, and step by step."""

from itertools import product

import numpy as np
import pytest
from covering import covering, in_turn
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import dual_objective, gap_of, smo, violations
from sklearn.svm import SVC
from textbook import KERNELS, TOYS, random_data

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import SVM

POSITIVE = {name: kernel for name, kernel in KERNELS.items() if name != "sigmoid"}  # not positive semidefinite
BOXES = (0.1, 1.0, 10.0, 100.0)


def svm(X, y, kernel, C=1.0, tol=1e-8, epochs=5000):
    return kpviz.train(SVM(C=C, tol=tol), X, y, kernel=kernel, epochs=epochs)


def states(run):
    return [run.state_at(t) for t in range(run.n_steps + 1)]


def assert_reaches_libsvm(run, X, y, kernel):
    C, gram = run.learner.C, kernel(X, X)
    theirs = SVC(kernel="precomputed", C=C, tol=1e-8).fit(gram, y)
    their_coef = np.zeros(len(y))
    their_coef[theirs.support_] = theirs.dual_coef_[0]
    state = run.state_at(run.n_steps)
    assert run.end == "tolerance"
    assert run.converged
    assert_allclose(dual_objective(gram, y, state.coef), dual_objective(gram, y, their_coef), rtol=1e-6)
    Z, _ = random_data(99, n=30)
    ours = np.append(y * run.margins_at(run.n_steps), run.decision_function(Z))
    expected = np.append(theirs.decision_function(gram), theirs.decision_function(kernel(Z, X)))
    assert_allclose(ours, expected, atol=1e-3, rtol=1e-3)


@in_turn(covering(TOYS, BOXES, (0.2, 0.5, 1.0), (0.0, 0.15)), lambda toy, *_: toy)
def test_a_gaussian_svm_reaches_libsvms_objective_and_scores(toy, C, sigma, flipped):
    X, y = kpviz.make_dataset(toy, n_samples=60, noise=0.15, seed=int(flipped > 0), flipped=flipped)
    assert_reaches_libsvm(svm(X, y, Gaussian(sigma), C), X, y, Gaussian(sigma))


@in_turn(covering(POSITIVE, ("xor", "moons", "blobs", "linear"), (0.1, 1.0, 10.0), (0, 1)), lambda name, *_: name)
def test_every_kernel_reaches_libsvms_objective_and_scores(name, toy, C, seed):
    X, y = kpviz.make_dataset(toy, n_samples=30, noise=0.15, seed=seed, flipped=0.1 * seed)
    assert_reaches_libsvm(svm(X, y, POSITIVE[name], C), X, y, POSITIVE[name])


@pytest.mark.parametrize("C", BOXES)
def test_labels_without_any_rule_are_learnt_as_far_as_libsvm_does(C):
    for seed in range(6):
        X, y = random_data(seed, n=35)
        assert_reaches_libsvm(svm(X, y, Gaussian(0.6), C), X, y, Gaussian(0.6))


@pytest.mark.parametrize("C", BOXES)
def test_the_usual_tolerance_is_fine_enough(C):
    for toy in TOYS:
        X, y = kpviz.make_dataset(toy, n_samples=80, noise=0.15, seed=2, flipped=0.1)
        run = kpviz.train(SVM(C=C), X, y, kernel=Gaussian(0.5), epochs=5000)
        assert_reaches_libsvm(run, X, y, Gaussian(0.5))


def test_contradicting_labels_at_one_place_fill_the_box():
    X = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [-1.0, 0.3]])
    y = np.array([1.0, -1.0, 1.0, -1.0])
    run = svm(X, y, Gaussian(0.5), C=2.0)
    assert_array_equal(run.state_at(run.n_steps).alpha[:2], [2.0, 2.0])
    assert_reaches_libsvm(run, X, y, Gaussian(0.5))


def test_a_few_points_seen_many_times_are_solved_too():
    rng = np.random.default_rng(0)
    X = rng.integers(-1, 2, (40, 2)).astype(float)
    y = rng.choice([-1.0, 1.0], 40)
    for kernel, C in product((Linear(), Polynomial(2, 1.0), Gaussian(1.0)), (0.1, 1.0)):
        run = svm(X, y, kernel, C)
        gram = kernel(X, X)
        theirs = SVC(kernel="precomputed", C=C, tol=1e-8).fit(gram, y)
        coef = np.zeros(40)
        coef[theirs.support_] = theirs.dual_coef_[0]
        ours = run.state_at(run.n_steps).coef
        assert run.end == "tolerance"
        assert_allclose(dual_objective(gram, y, ours), dual_objective(gram, y, coef), rtol=1e-6)


def test_xor_takes_an_eighth_at_each_corner():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    X = np.sign(X)
    run = svm(X, y, Polynomial(2, 1.0))
    state = run.state_at(run.n_steps)
    assert_allclose(state.alpha, np.full(4, 0.125), rtol=1e-12)
    assert_allclose(state.intercept, 0.0, atol=1e-12)
    assert_allclose(run.margins_at(run.n_steps), np.ones(4), rtol=1e-12)
    assert_allclose(1 / np.sqrt(state.coef @ run.gram @ state.coef), np.sqrt(2), rtol=1e-12)


# -- the steps --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", POSITIVE.values(), ids=POSITIVE.keys())
@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
def test_the_path_is_the_slow_loops(kernel, C):
    for toy in ("xor", "spirals", "blobs"):
        X, y = kpviz.make_dataset(toy, n_samples=14, noise=0.15, seed=3, flipped=0.1)
        run = svm(X, y, kernel, C, tol=1e-3, epochs=20)
        pairs = list(zip(run.index.tolist(), run.details["partner"].tolist(), strict=True))
        tale = smo(kernel(X, X), y, C, 1e-3, pairs, limit=20 * 14)
        assert_array_equal(run.index, tale.index)
        assert_array_equal(run.details["partner"], tale.details["partner"])
        assert_allclose(run.details["gap"], tale.details["gap"], rtol=1e-6, atol=1e-8)
        for t, (coef, _) in enumerate(tale.states):
            assert_allclose(run.state_at(t).coef, coef, rtol=1e-7, atol=1e-9 * C)
        assert run.end == tale.end


def followed_steps(n=24, C=3.0):
    X, y = kpviz.make_dataset("moons", n_samples=n, noise=0.25, seed=5, flipped=0.1)
    run = svm(X, y, Gaussian(0.5), C, tol=1e-6)
    assert run.n_steps > 2 * n
    return run, Gaussian(0.5)(X, X), y, C


def test_each_step_is_one_change_of_the_most_violating_example_and_its_partner():
    run, gram, y, C = followed_steps()
    changes = run.changes
    assert_array_equal(changes.step, np.arange(run.n_steps))
    assert_array_equal(np.diff(changes.pointer), 2)
    pairs, deltas = changes.index.reshape(-1, 2), changes.delta.reshape(-1, 2)
    assert_array_equal(np.sort(pairs), np.sort(np.column_stack([run.index, run.details["partner"]])))
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert_allclose(deltas.sum(axis=1), 0.0, atol=1e-12 * C)
    assert (changes.shrink == 1).all()
    for t, state in enumerate(states(run)[:-1]):
        pull, may_rise, may_fall, *_ = violations(gram, y, state.coef, C)
        i, j = run.index[t], run.details["partner"][t]
        assert may_rise[i]
        assert may_fall[j]
        assert_allclose(pull[i], pull[may_rise].max(), rtol=1e-8, atol=1e-10)


def test_each_step_goes_to_the_best_place_on_its_line_within_the_box():
    run, gram, y, C = followed_steps()
    visited = states(run)
    for t in range(run.n_steps):
        i, j = run.index[t], run.details["partner"][t]
        before, after = visited[t].coef, visited[t + 1].coef
        direction = np.zeros(len(y))
        direction[i], direction[j] = 1.0, -1.0
        steps = np.linspace(-2 * C, 2 * C, 4001)[:, None]
        places = before + steps * direction
        inside = ((y * places >= 0) & (y * places <= C))[:, [i, j]].all(axis=1)
        places = places[inside]
        worth = places @ y - 0.5 * ((places @ gram) * places).sum(axis=1)
        assert dual_objective(gram, y, after) >= worth.max(initial=-np.inf) - 1e-12


def test_the_gap_is_told_before_each_step_and_closed_at_the_end():
    run, gram, y, C = followed_steps()
    visited = states(run)
    for t in range(run.n_steps):
        m, M = gap_of(gram, y, visited[t].coef, C)
        assert_allclose(run.details["gap"][t], m - M, rtol=1e-7, atol=1e-9)
    assert (run.details["gap"] >= 1e-6).all()
    m, M = gap_of(gram, y, visited[-1].coef, C)
    assert m - M < 1e-6 + 1e-10
    assert M - 1e-6 <= visited[-1].intercept <= m + 1e-6


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 25),
    C=st.sampled_from([0.1, 0.3, 1.0, 7.0, 100.0]),
    kernel=st.sampled_from([Linear(), Polynomial(2, 1.0), Gaussian(0.4), Gaussian(2.0)]),
)
@example(seed=21, n=21, C=7.0, kernel=Gaussian(0.4))  # a step that ends at both examples' bounds at once
def test_the_dual_objective_never_falls_within_the_box(seed, n, C, kernel):
    X, y = random_data(seed, n=n)
    y[:2] = 1.0, -1.0
    run = svm(X, y, kernel, C, tol=1e-4, epochs=10)
    visited = states(run)
    worth = np.array([dual_objective(run.gram, y, state.coef) for state in visited])
    assert (np.diff(worth) >= -1e-10 * (1 + np.abs(worth).max())).all()
    for state in visited:
        assert (state.alpha >= -1e-12 * C).all()
        assert (state.alpha <= C * (1 + 1e-12)).all()
        assert abs(state.coef.sum()) <= 1e-10 * C * n
        assert ((state.alpha == 0) | (state.alpha > 1e-10 * C)).all()  # who leaves the support leaves it wholly
    assert_allclose(run.details["b"], [state.intercept for state in visited[1:]], rtol=1e-10, atol=1e-12 * (1 + C))


def test_an_epoch_is_as_many_steps_as_there_are_examples():
    X, y = kpviz.make_dataset("moons", n_samples=20, noise=0.2, seed=1, flipped=0.1)
    short = svm(X, y, Gaussian(0.5), 10.0, epochs=2)
    whole = svm(X, y, Gaussian(0.5), 10.0)
    assert (short.end, short.converged, short.n_steps) == ("limit", False, 40)
    assert_array_equal(short.epoch_start, [0, 20])
    assert_array_equal(short.index, whole.index[:40])
    assert_array_equal(short.score, whole.score[:40])
    assert whole.end == "tolerance"
    assert whole.n_steps > 40
    assert_array_equal(whole.epoch_start, np.arange(0, whole.n_steps, 20))


def test_a_looser_tolerance_stops_earlier_on_the_same_path():
    X, y = kpviz.make_dataset("moons", n_samples=30, noise=0.2, seed=1, flipped=0.1)
    fine, rough = (svm(X, y, Gaussian(0.5), 10.0, tol=tol) for tol in (1e-8, 1e-2))
    assert rough.n_steps < fine.n_steps
    assert_array_equal(rough.score, fine.score[: rough.n_steps])
    assert (fine.details["gap"][: rough.n_steps] >= 1e-2).all()
    assert fine.details["gap"][rough.n_steps] < 1e-2


def test_one_class_alone_is_solved_without_a_step():
    X, _ = random_data(0, n=5)
    run = svm(X, np.ones(5), Gaussian(0.5))
    assert (run.end, run.n_steps) == ("tolerance", 0)
    assert not run.state_at(0).support.size
    assert run.details["gap"].shape == (0,)


REFUSED_ORDERS = ["shuffled", "random", [0, 1, 2, 3], np.arange(4)[None], "sorted"]


@pytest.mark.parametrize("order", REFUSED_ORDERS, ids=["shuffled", "random", "list", "array", "unknown"])
def test_the_svm_chooses_its_examples_itself(order):
    X, y = random_data(1, n=4)
    with pytest.raises(ValueError, match=r"\border\b") as caught:
        kpviz.train(SVM(C=1.0, tol=1e-3), X, y, order=order)
    assert str(caught.value).endswith(".")
    assert ". " not in str(caught.value)


def test_margin_errors_are_not_mistakes_but_wrong_signs_are():
    run, *_ = followed_steps()
    assert_array_equal(run.mistake, run.y[run.index] * run.score <= 0)


def test_the_largest_margin_is_the_box_svms_when_the_box_is_wide():
    X, y = kpviz.make_dataset("blobs", n_samples=30, noise=0.05, seed=1)
    run = svm(X, y, Gaussian(0.5), C=1e4)
    state = run.state_at(run.n_steps)
    assert state.alpha.max() < 1e4
    on_margin = state.alpha > 1e-6
    assert_allclose(run.margins_at(run.n_steps)[on_margin], 1.0, atol=1e-6)
    assert (run.margins_at(run.n_steps) >= 1 - 1e-6).all()
