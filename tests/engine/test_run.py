"""The record: every instant, every reading, against brute force."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from covering import covering, in_turn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import SGDClassifier
from sklearn.metrics.pairwise import rbf_kernel
from textbook import KERNELS, TOYS, dual_perceptron, integer_data, random_data, rows_of

import kpviz
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import Perceptron
from kpviz.engine.learners.protocol import Change, Learner
from kpviz.engine.run.predictors import coefficients, errors_per_epoch, scores

PREDICTORS = ("last", "averaged", "voted")


@dataclass(frozen=True)
class Seesaw(Learner):
    """A learner of these tests: always asked, it shrinks, raises one example, lowers another and shifts."""

    unit: float = 0.5

    def start(self, gram, y, rng):
        return {"y": y, "partner": rng.permutation(len(y)), "asked": 0}

    def change(self, memory, t, i, scores, coef):
        assert memory["asked"] == t
        memory["asked"] += 1
        if memory["y"][i] * scores[i] > 0.8:
            return None
        j = int(memory["partner"][i])
        return Change((i, j), (memory["y"][i], 0.25 * memory["y"][j]), shift=0.125 * memory["y"][i], shrink=0.9)


def seesaw(gram, y, rows, seed, start=None):
    """Do the same with whole vectors, in data units; return scores and states."""
    partner = np.random.default_rng([seed, 1]).permutation(len(y))
    coef, b = (np.zeros(len(y)), 0.0) if start is None else (start.coef.copy(), start.intercept)
    scores, states = [], [(coef.copy(), b)]
    for i in np.concatenate(rows):
        f = coef @ gram[:, i] + b
        scores.append(f)
        if y[i] * f <= 0.8 * 0.5:
            coef *= 0.9
            coef[i] += 0.5 * y[i]
            coef[partner[i]] += 0.5 * 0.25 * y[partner[i]]
            b += 0.5 * 0.125 * y[i]
        states.append((coef.copy(), b))
    return scores, states


def brute_force(states, columns, t, predictor):
    """Read the first t + 1 states; `columns` is K(Z, X)."""
    after = [columns @ coef + b for coef, b in states[: t + 1]]
    if predictor == "last":
        return after[-1]
    if t == 0:
        return np.zeros(len(columns))
    after = np.array(after[1:])
    if predictor == "averaged":
        return after.mean(axis=0)
    return np.where(after >= 0, 1, -1).sum(axis=0)


@in_turn(covering(KERNELS, TOYS, ("none", "unit", "radius")), lambda name, *_: name)
def test_every_instant_is_the_textbooks(name, toy, intercept):
    X, y = kpviz.make_dataset(toy, n_samples=15, seed=4, flipped=0.1)
    kernel = KERNELS[name]
    gram = kernel(X, X)
    learner = Perceptron(learning_rate=0.4, intercept=intercept)
    run = kpviz.train(learner, X, y, kernel=kernel, order="shuffled", epochs=4)
    story = dual_perceptron(gram, y, rows_of(run), eta=0.4, intercept=intercept)
    for t in range(run.n_steps + 1):
        state, (coef, b) = run.state_at(t), story.states[t]
        assert state.t == t
        assert_allclose(state.coef, coef, rtol=1e-12)
        assert_allclose(state.intercept, b, rtol=1e-12, atol=1e-12)
        assert_array_equal(state.alpha, y * state.coef)
        assert_array_equal(state.support, [i for i in range(15) if coef[i] != 0])
        margins = y * (gram @ coef + b)
        assert_allclose(run.margins_at(t), margins, rtol=1e-9, atol=1e-9 * (1 + np.abs(margins).max()))
        if t < run.n_steps:
            i = run.index[t]
            assert_allclose(run.score[t], gram[i] @ state.coef + state.intercept, rtol=1e-8, atol=1e-8)


def test_replaying_the_changes_by_hand_gives_the_state():
    X, y = random_data(3)
    run = kpviz.train(Seesaw(), X, y, kernel=Gaussian(1.0), epochs=4, seed=7)
    coef, b, changes = np.zeros(20), 0.0, run.changes
    for c in range(len(changes)):
        coef *= changes.shrink[c]
        for p in range(changes.pointer[c], changes.pointer[c + 1]):
            coef[changes.index[p]] += changes.delta[p]
        b += changes.shift[c]
        state = run.state_at(int(changes.step[c]) + 1)
        assert_allclose(state.coef, run.unit * coef, rtol=1e-12, atol=1e-15)
        assert_allclose(state.intercept, run.unit * b, rtol=1e-12)


def test_alpha_of_the_perceptron_is_the_learning_rate_times_the_mistakes_on_each_example():
    X, y = kpviz.make_dataset("blobs", n_samples=40, seed=1)
    run = kpviz.train(Perceptron(learning_rate=0.1), X, y, kernel=Gaussian(0.4), epochs=10)
    for t in (0, 1, 57, run.n_steps):
        counts = np.bincount(run.index[:t][run.mistake[:t]], minlength=40)
        assert_array_equal(run.state_at(t).alpha, 0.1 * counts)


def test_mistakes_per_epoch_are_counted_row_by_row():
    X, y = kpviz.make_dataset("blobs", n_samples=40, seed=2)
    run = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.4), order="random", epochs=10)
    assert_array_equal(run.mistakes_per_epoch, run.mistake.reshape(10, 40).sum(axis=1))
    ragged = kpviz.train(Perceptron(), X, y, order=[[0, 1, 2], [3, 4, 5]])
    assert_array_equal(ragged.mistakes_per_epoch, ragged.mistake.reshape(2, 3).sum(axis=1))


def test_training_leaves_its_inputs_alone_and_repeats_itself():
    X, y = kpviz.make_dataset("moons", n_samples=40, seed=3)
    rows = np.random.default_rng(0).permuted(np.tile(np.arange(40), (5, 1)), axis=1)
    kept = X.copy(), y.copy(), rows.copy()
    first, second = (kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.3), order=rows) for _ in range(2))
    state = first.state_at(20)
    coef = state.coef.copy()
    kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.3), start=state)
    first.decision_function(X, predictor="voted")
    for now, before in zip((X, y, rows, state.coef), (*kept, coef), strict=True):
        assert_array_equal(now, before)
    for name in ("index", "score", "mistake", "epoch_start"):
        assert_array_equal(getattr(first, name), getattr(second, name))
    assert_array_equal(first.changes.index, second.changes.index)


def test_a_run_does_not_change_with_the_arrays_it_was_made_from():
    X, y = kpviz.make_dataset("moons", n_samples=40, seed=3)
    Z = X[:5].copy()
    run = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.3))
    before = run.decision_function(Z), run.margins_at(10), run.mistakes_per_epoch.sum()
    X[:] = 0.0
    y *= -1.0
    after = run.decision_function(Z), run.margins_at(10), replace(run).mistake.sum()
    for one, other in zip(before, after, strict=True):
        assert_array_equal(one, other)


def test_states_do_not_share_memory_with_the_run():
    X, y = random_data(5)
    run = kpviz.train(Perceptron(), X, y, epochs=3)
    state = run.state_at(10)
    before = state.coef.copy()
    state.coef[:] = 99.0
    assert_array_equal(run.state_at(10).coef, before)


@pytest.mark.parametrize("predictor", PREDICTORS)
@pytest.mark.parametrize("intercept", ["none", "unit", "radius"])
def test_the_three_readings_are_brute_force_over_all_instants(intercept, predictor):
    for seed, kernel in enumerate((Linear(), Polynomial(2, 1.0), Gaussian(0.7), KERNELS["sigmoid"], KERNELS["sum"])):
        X, y = random_data(seed, n=12)
        Z, _ = random_data(seed + 50, n=9)
        run = kpviz.train(Perceptron(0.3, intercept), X, y, kernel=kernel, order="random", epochs=4, seed=seed)
        states = dual_perceptron(kernel(X, X), y, rows_of(run), eta=0.3, intercept=intercept, may_end=False).states
        times = [0, 1, 2, 11, 12, 30, 47, 48]
        expected = [brute_force(states, kernel(Z, X), t, predictor) for t in times]
        for t, row in zip(times, expected, strict=True):
            assert_allclose(run.decision_function(Z, t=t, predictor=predictor), row, rtol=1e-9, atol=1e-9)
        assert_allclose(run.decision_function(Z, predictor=predictor), expected[-1], rtol=1e-9, atol=1e-9)
        assert_allclose(scores(run, Z, times, predictor), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("predictor", PREDICTORS)
def test_readings_are_exact_on_whole_numbers_where_votes_meet_ties(predictor):
    for seed in range(6):
        X, y = integer_data(seed)
        Z, _ = integer_data(seed + 50)
        run = kpviz.train(Perceptron(), X, y, kernel=Linear(), order="shuffled", epochs=5, seed=seed)
        states = dual_perceptron(X @ X.T, y, rows_of(run)).states
        for t in range(0, run.n_steps + 1, 7):
            expected = brute_force(states, Z @ X.T, t, predictor)
            assert_allclose(run.decision_function(Z, t=t, predictor=predictor), expected, rtol=1e-12, atol=1e-12)


def test_a_vote_counts_a_zero_as_plus_one_whatever_the_tie_rule():
    for tie in ("mistake", "correct", "positive", "negative"):
        run = kpviz.train(Perceptron(tie=tie), np.eye(2), [-1, 1], kernel=Linear(), epochs=3)
        assert_array_equal(run.decision_function([[0.0, 0.0]], predictor="voted"), [run.n_steps])


def test_many_points_are_voted_on_in_pieces_without_seams():
    X, y = random_data(1)
    run = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.5), epochs=3)
    Z, _ = random_data(2, n=5000)
    whole = run.decision_function(Z, predictor="voted")
    assert_array_equal(whole[2040:2060], run.decision_function(Z[2040:2060], predictor="voted"))


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_averaged_is_scikit_learns_averaged_sgd_with_the_perceptrons_loss(seed, bias):
    X, y = random_data(seed, n=30, columns=3)
    theirs = SGDClassifier(
        loss="perceptron",
        average=True,
        penalty=None,
        learning_rate="constant",
        eta0=1.0,
        shuffle=False,
        tol=None,
        max_iter=6,
        fit_intercept=bias,
    ).fit(X, y)
    learner = Perceptron(intercept="unit" if bias else "none")
    run = kpviz.train(learner, X, y, kernel=Linear(), epochs=6, stop_when_clean=False)
    Z, _ = random_data(seed + 9, n=10, columns=3)
    expected = theirs.decision_function(Z)
    assert_allclose(run.decision_function(Z, predictor="averaged"), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
def test_a_learner_that_shrinks_and_changes_two_examples_is_its_own_loop(order):
    X, y = random_data(8, n=15)
    Z, _ = random_data(9, n=6)
    kernel = Gaussian(0.8)
    run = kpviz.train(Seesaw(), X, y, kernel=kernel, order=order, epochs=5, seed=3, stop_when_clean=False)
    scores, states = seesaw(kernel(X, X), y, rows_of(run), 3)
    assert_allclose(run.score, scores, rtol=1e-9, atol=1e-12)
    assert 0 < len(run.changes) < run.n_steps
    for t in (0, 1, 2, 20, 50, run.n_steps):
        assert_allclose(run.state_at(t).coef, states[t][0], rtol=1e-9, atol=1e-12)
        assert_allclose(run.state_at(t).intercept, states[t][1], rtol=1e-9, atol=1e-12)
        for predictor in PREDICTORS:
            expected = brute_force(states, kernel(Z, X), t, predictor)
            assert_allclose(run.decision_function(Z, t=t, predictor=predictor), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("learner", [Seesaw(), Perceptron(0.3, "radius")], ids=["seesaw", "perceptron"])
def test_the_three_readings_of_a_run_that_goes_on_count_its_own_presentations(learner):
    X, y = random_data(8, n=15)
    Z, _ = random_data(9, n=6)
    kernel = Polynomial(2, 1.0)
    first = kpviz.train(learner, X, y, kernel=kernel, epochs=1, seed=3)
    start = first.state_at(first.n_steps)
    run = kpviz.train(learner, X, y, kernel=kernel, epochs=3, seed=3, start=start, stop_when_clean=False)
    if isinstance(learner, Seesaw):
        _, states = seesaw(kernel(X, X), y, rows_of(run), 3, start)
    else:
        whole = kpviz.train(learner, X, y, kernel=kernel, epochs=4, stop_when_clean=False)
        states = [(s.coef, s.intercept) for s in map(whole.state_at, range(15, 61))]
    for t in (0, 1, 7, 45):
        for predictor in PREDICTORS:
            expected = brute_force(states, kernel(Z, X), t, predictor)
            assert_allclose(run.decision_function(Z, t=t, predictor=predictor), expected, rtol=1e-9, atol=1e-9)


def test_many_instants_folded_together_are_each_folded_alone():
    X, y = random_data(6)
    for learner in (Perceptron(0.2, "unit"), Seesaw()):
        run = kpviz.train(learner, X, y, kernel=Gaussian(0.6), epochs=5, stop_when_clean=False)
        for predictor in ("last", "averaged"):
            together = coefficients(run, [0, 3, 3, 40, 100], predictor)
            for row, t in enumerate([0, 3, 3, 40, 100]):
                alone = coefficients(run, [t], predictor)
                assert_allclose(together[0][row], alone[0][0], rtol=1e-12)
                assert_allclose(together[1][row], alone[1][0], rtol=1e-12)


@pytest.mark.parametrize("predictor", PREDICTORS)
def test_errors_per_epoch_are_the_shares_of_wrong_signs_when_each_epoch_ends(predictor):
    X, y = kpviz.make_dataset("blobs", n_samples=30, seed=1)
    Z, labels = kpviz.make_dataset("blobs", n_samples=50, seed=2)
    run = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.3), epochs=6)
    errors = errors_per_epoch(run, Z, labels, predictor)
    for epoch in range(run.n_epochs):
        value = run.decision_function(Z, t=30 * (epoch + 1), predictor=predictor)
        wrong = [
            (1 if v >= 0 else -1) != label if predictor == "voted" else v * label <= 0
            for v, label in zip(value, labels, strict=True)
        ]
        assert_allclose(errors[epoch], np.mean(wrong))


def test_a_function_is_a_kernel_too():
    X, y = random_data(4)
    Z, _ = random_data(5, n=7)
    run = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.5), epochs=4)
    other = kpviz.train(Perceptron(), X, y, kernel=lambda U, V: rbf_kernel(U, V, gamma=2.0), epochs=4)
    assert_array_equal(run.mistake, other.mistake)
    for t in (0, 1, run.n_steps):  # at t = 0 there is no support example to evaluate
        assert_allclose(other.margins_at(t), run.margins_at(t), rtol=1e-9)
        for predictor in PREDICTORS:
            expected = run.decision_function(Z, t=t, predictor=predictor)
            assert_allclose(other.decision_function(Z, t=t, predictor=predictor), expected, rtol=1e-9)
    silent = kpviz.train(Perceptron(tie="correct"), X, y, kernel=rbf_kernel, epochs=4)
    assert_array_equal(silent.decision_function(Z, predictor="voted"), np.full(7, 20.0))


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
def test_a_precomputed_gram_is_its_kernel(kernel):
    X, y = random_data(6)
    Z, _ = random_data(7, n=5)
    run = kpviz.train(Perceptron(intercept="radius"), X, y, kernel=kernel, epochs=4)
    other = kpviz.train(Perceptron(intercept="radius"), kernel(X, X), y, kernel="precomputed", epochs=4)
    assert_array_equal(run.score, other.score)
    assert_array_equal(run.gram, other.gram)
    for t in (0, 10, run.n_steps):
        assert_allclose(other.margins_at(t), run.margins_at(t), rtol=1e-9, atol=1e-9)
        for predictor in PREDICTORS:
            expected = run.decision_function(Z, t=t, predictor=predictor)
            value = other.decision_function(kernel(Z, X), t=t, predictor=predictor)
            assert_allclose(value, expected, rtol=1e-9, atol=1e-9)


def owned(array):
    """The memory that an array keeps alive."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.nbytes


@pytest.mark.parametrize("intercept", ["none", "radius"])
def test_the_record_of_a_million_presentations_fits_in_50_megabytes_even_if_all_are_mistakes(intercept):
    n, epochs = 1000, 100
    y = np.where(np.arange(n) % 2, 1.0, -1.0)  # one point under both labels in turn: every presentation is a mistake
    run = kpviz.train(Perceptron(intercept=intercept), np.ones((n, n)), y, kernel="precomputed", epochs=epochs)
    assert run.n_steps == len(run.changes) == 100_000
    changes = run.changes
    record = [run.index, run.score, run.mistake, run.epoch_start, changes.step, changes.pointer, changes.index]
    record += [changes.delta, changes.shift, changes.shrink, *run.details.values()]
    assert sum(map(owned, record)) / run.n_steps * 1_000_000 <= 50e6
