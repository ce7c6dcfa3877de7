"""The SVM by sequential minimal optimisation: against libsvm, against a slow loop, and step by
step.
"""

import operator
from fractions import Fraction

import numpy as np
from drawn_runs import POSITIVE, SEEDS, examples
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import dual_objective, gap_of, smo, violations
from sklearn.svm import SVC
from textbook import integer_data, random_data

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import SVM

KERNELS = st.sampled_from([*POSITIVE.values()])
BOXES = st.sampled_from([0.1, 1.0, 7.0, 100.0])


def svm(X, y, kernel, C=1.0, tol=1e-8, epochs=5000):
    return kpviz.train(SVM(C=C, tol=tol), X, y, kernel=kernel, epochs=epochs)


def states(run):
    return [run.state_at(t) for t in range(run.n_steps + 1)]


@example(random_data(1, n=60), Gaussian(0.5), 7.0, 1e-8)
@example(kpviz.make_dataset("spirals", 60, 0.13, 2, flipped=0.1), Gaussian(0.3), 100.0, 1e-5)
@example(integer_data(3, 60), Polynomial(2, 1.0), 0.1, 1e-8)
@settings(max_examples=80)
@given(
    examples(25, 4) | examples(25, 4, whole=True),
    st.sampled_from([*POSITIVE.values()]),
    BOXES,
    st.sampled_from([1e-8, 1e-5]),
)
def test_it_reaches_libsvms_objective_and_scores(data, kernel, C, tol):
    X, y = data
    assume(len(set(y)) == 2)
    if (
        C * kernel.diag(X).max() > 100
    ):  # libsvm keeps its Gram matrix in single precision, and both take long
        kernel = kernel.normalized()
    run = svm(X, y, kernel, C, tol)
    gram = run.gram
    theirs = SVC(kernel="precomputed", C=C, tol=1e-8).fit(gram, y)
    their_coef = np.zeros(len(y))
    their_coef[theirs.support_] = theirs.dual_coef_[0]
    state = run.state_at(run.n_steps)
    assert run.end == "tolerance"
    best = dual_objective(gram, y, their_coef)
    assert_allclose(dual_objective(gram, y, state.coef), best, rtol=1e-6, atol=10 * tol * C)
    free = (state.alpha > 1e-6 * C) & (state.alpha < C * (1 - 1e-6))
    if tol < 1e-6 and free.any():  # else b may be anywhere between two margins
        size = 1 + np.abs(theirs.decision_function(gram)).max()
        Z, _ = random_data(99, n=30)
        ours = np.append(y * run.margins_at(run.n_steps), run.decision_function(Z))
        expected = np.append(theirs.decision_function(gram), theirs.decision_function(kernel(Z, X)))
        assert_allclose(ours, expected, atol=1e-3 * size, rtol=1e-3)
        assert_allclose(run.margins_at(run.n_steps)[free], 1.0, atol=1e-4 * size)
    if tol < 1e-6 and not free.any():  # then b is in the middle, as libsvm's
        most, least = gap_of(gram, y, state.coef, C)
        if np.isfinite(most - least):
            assert_allclose(state.intercept, (most + least) / 2, atol=1e-6)


def test_known_problems_have_their_solutions():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    run = svm(np.sign(X), y, Polynomial(2, 1.0))
    state = run.state_at(run.n_steps)
    assert_allclose(state.alpha, np.full(4, 0.125), rtol=1e-12)
    assert_allclose(state.intercept, 0.0, atol=1e-12)
    assert_allclose(run.margins_at(run.n_steps), np.ones(4), rtol=1e-12)
    assert_allclose(1 / np.sqrt(state.coef @ run.gram @ state.coef), np.sqrt(2), rtol=1e-12)
    run = svm(
        [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [-1.0, 0.3]],
        [1.0, -1.0, 1.0, -1.0],
        Gaussian(0.5),
        C=2.0,
    )
    assert_array_equal(
        run.state_at(run.n_steps).alpha[:2], [2.0, 2.0]
    )  # contradicting labels fill the box
    alone = svm(random_data(0, n=5)[0], np.ones(5), Gaussian(0.5))
    assert (alone.end, alone.n_steps, alone.state_at(0).support.size) == ("tolerance", 0, 0)
    assert alone.details["gap"].shape == (0,)


@settings(max_examples=60)
@given(SEEDS, KERNELS, BOXES, st.sampled_from(["xor", "spirals", "blobs"]))
def test_the_path_is_the_slow_loops(seed, kernel, C, toy):
    X, y = kpviz.make_dataset(toy, n_samples=14, noise=0.15, seed=seed, flipped=0.1)
    run = svm(X, y, kernel, C, tol=1e-3, epochs=20)
    pairs = list(zip(run.index.tolist(), run.details["partner"].tolist(), strict=True))
    slow = smo(run.gram, y, C, 1e-3, pairs, limit=20 * 14)
    assume(
        np.abs(np.subtract(slow.details.get("gap", [1.0]), 1e-3)).min() > 1e-9
    )  # else rounding decides
    assert_array_equal(run.index, slow.index)
    assert_array_equal(run.details["partner"], slow.details.get("partner", []))
    scale = 1 + np.abs(run.details["gap"]).max(initial=0.0)
    assert_allclose(run.details["gap"], slow.details.get("gap", []), rtol=1e-6, atol=1e-8 * scale)
    for state, (coef, _) in zip(states(run), slow.states, strict=True):
        assert_allclose(state.coef, coef, rtol=1e-6, atol=1e-8 * C)
    assert run.end == slow.end


def pairs_by_hand(X, y, C, tol, steps):
    """The pairs that are chosen for a linear kernel and tenths, of equal ones the first."""
    numbers = range(len(y))
    X = [[Fraction(int(tenths), 10) for tenths in row] for row in X]
    gram = [[sum(map(operator.mul, u, v)) for v in X] for u in X]
    low, high = ([Fraction(bound) for bound in bounds] for bounds in zip(*box(y, C), strict=True))
    coef = [Fraction(0) for _ in numbers]
    pull = [Fraction(value) for value in y]
    pairs = []
    while len(pairs) < steps:
        rising = [i for i in numbers if coef[i] < high[i]]
        falling = [j for j in numbers if coef[j] > low[j]]
        i = max(rising, key=lambda k: pull[k])
        if pull[i] - min(pull[j] for j in falling) < tol:
            break
        curves = [
            max(gram[i][i] + gram[k][k] - 2 * gram[i][k], Fraction(1, 10**12)) for k in numbers
        ]
        worse = [j for j in falling if pull[j] < pull[i]]
        j = max(worse, key=lambda k: (pull[i] - pull[k]) ** 2 / curves[k])
        step = min((pull[i] - pull[j]) / curves[j], high[i] - coef[i], coef[j] - low[j])
        coef[i] += step
        coef[j] -= step
        pull = [pull[k] - step * (gram[k][i] - gram[k][j]) for k in numbers]
        pairs.append((i, j))
    return pairs


def box(y, C):
    return [(0, C) if label > 0 else (-C, 0) for label in y]


@settings(max_examples=60)
@given(SEEDS, st.integers(4, 12), st.sampled_from([1, 7, 100]))
def test_of_what_is_equal_but_for_rounding_the_first_is_taken(seed, n, C):
    X, y = integer_data(seed, n)
    y[:2] = 1.0, -1.0
    run = svm(X / 10, y, Linear(), float(C), tol=1e-3, epochs=2)
    pairs = list(zip(run.index.tolist(), run.details["partner"].tolist(), strict=True))
    assert pairs == pairs_by_hand(X, y, C, 1e-3, 2 * n)


@settings(max_examples=60)
@given(
    SEEDS,
    st.integers(2, 25),
    BOXES,
    st.sampled_from([Linear(), Polynomial(2, 1.0), Gaussian(0.4), Gaussian(2.0)]),
)
@example(
    seed=21, n=21, C=7.0, kernel=Gaussian(0.4)
)  # a step that ends at both examples' bounds at once
def test_the_dual_objective_never_falls_within_the_box(seed, n, C, kernel):
    X, y = random_data(seed, n=n)
    y[:2] = 1.0, -1.0
    run = svm(X, y, kernel, C, tol=1e-4, epochs=10)
    visited, changes = states(run), run.changes
    worth = np.array([dual_objective(run.gram, y, state.coef) for state in visited])
    assert (np.diff(worth) >= -1e-10 * (1 + np.abs(worth).max())).all()
    assert_array_equal(changes.step, np.arange(run.n_steps))
    pairs, deltas = changes.index.reshape(-1, 2), changes.delta.reshape(-1, 2)
    assert_array_equal(
        np.sort(pairs), np.sort(np.column_stack([run.index, run.details["partner"]]))
    )
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert_allclose(deltas.sum(axis=1), 0.0, atol=1e-11 * C)
    for t, state in enumerate(visited):
        assert (state.alpha >= -1e-12 * C).all()
        assert (state.alpha <= C * (1 + 1e-12)).all()
        assert abs(state.coef.sum()) <= 1e-10 * C * n
        assert (
            (state.alpha == 0) | (state.alpha > 1e-10 * C)
        ).all()  # who leaves the support leaves it wholly
        m, M = gap_of(run.gram, y, state.coef, C)
        if t == run.n_steps:
            assert run.end != "tolerance" or m - M < 1e-4 + 1e-8 * C
            continue
        assert_allclose(run.details["gap"][t], m - M, rtol=1e-6, atol=1e-8 * (1 + C))
        assert run.details["gap"][t] >= 1e-4
        pull, may_rise, may_fall, *_ = violations(run.gram, y, state.coef, C)
        assert may_rise[run.index[t]]
        assert may_fall[run.details["partner"][t]]
        assert_allclose(pull[run.index[t]], pull[may_rise].max(), rtol=1e-6, atol=1e-8 * (1 + C))
    assert_allclose(
        run.details["b"],
        [state.intercept for state in visited[1:]],
        rtol=1e-10,
        atol=1e-12 * (1 + C),
    )


def test_an_epoch_is_n_steps_and_a_looser_tolerance_or_fewer_epochs_stop_earlier_on_the_same_path():
    X, y = kpviz.make_dataset("moons", n_samples=20, noise=0.2, seed=1, flipped=0.1)
    short, rough, fine = (
        svm(X, y, Gaussian(0.5), 10.0, tol, epochs)
        for tol, epochs in ((1e-8, 2), (1e-2, 99), (1e-8, 99))
    )
    assert (short.end, short.converged, short.n_steps) == ("limit", False, 40)
    assert_array_equal(fine.epoch_start, np.arange(0, fine.n_steps, 20))
    for part in (short, rough):
        assert part.n_steps < fine.n_steps
        assert_array_equal(part.score, fine.score[: part.n_steps])
    assert (fine.details["gap"][: rough.n_steps] >= 1e-2).all()
    assert fine.details["gap"][rough.n_steps] < 1e-2
