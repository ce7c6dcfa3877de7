"""Above some examples no whole Gram matrix is made: the same runs, at a cost that grows with what
is remembered.
"""

import re
import tracemalloc
from functools import partial

import numpy as np
import pytest
from drawn_runs import LEARNER, WHOLE, assert_same_record, trainings
from hypothesis import given
from hypothesis import strategies as st
from textbook import KERNELS

import kpviz
from kpviz import kernels, learners
from kpviz.engine.kernels.validity import examine
from kpviz.engine.learners.protocol import Change, Learner
from kpviz.engine.run import blocks, gram, predictors
from kpviz.engine.theory import applicable_bounds

COUNTING = (learners.Perceptron, learners.RemoveOldest, learners.RandomizedBudget)
SMALL = gram.MOST_AT_ONCE


@pytest.fixture(autouse=True)
def sizes():
    """Put the sizes back that a test has set."""
    before = gram.MOST_AT_ONCE, blocks.BLOCK, gram._TILE, gram._CACHE
    yield
    gram.MOST_AT_ONCE, blocks.BLOCK, gram._TILE, gram._CACHE = before


def in_blocks(train, block, tile=12_000, **more):
    """Train as many examples are trained."""
    before = gram.MOST_AT_ONCE, blocks.BLOCK, gram._TILE
    gram.MOST_AT_ONCE, blocks.BLOCK, gram._TILE = 1, block, tile
    try:
        return train(**more)
    finally:
        gram.MOST_AT_ONCE, blocks.BLOCK, gram._TILE = before


BLOCKS = st.tuples(st.integers(1, 16), st.sampled_from([1, 7, 12_000]))


@given(trainings(kinds=COUNTING, kernels=WHOLE, whole=True), BLOCKS, st.data())
def test_on_whole_numbers_a_run_in_blocks_is_the_same_number_by_number(train, block, data):
    whole = train()
    assert_same_record(in_blocks(train, *block), whole)
    start = whole.state_at(data.draw(st.integers(0, whole.n_steps)))
    assert_same_record(in_blocks(train, *block, start=start), train(start=start))


@given(trainings(), BLOCKS, st.data())
def test_elsewhere_verdicts_and_changes_are_the_same_wherever_f_is_not_a_rounding_error(
    train, block, data
):
    first = train()
    initial = None
    if first.learner.takes_initial and first.X.ndim == 2:
        initial = data.draw(st.sampled_from([None, ([0.5, -1.0], 0.25), (None, -0.5)]))
    start = None
    if not first.learner.chooses:
        start = data.draw(st.sampled_from([None, first.state_at(first.n_steps // 2)]))
    whole = train(start=start, initial=initial)
    other = in_blocks(train, *block, start=start, initial=initial)
    same = min(whole.n_steps, other.n_steps)
    differs = np.flatnonzero(whole.index[:same] != other.index[:same])
    differs = np.append(differs, np.flatnonzero(whole.mistake[:same] != other.mistake[:same]))
    if len(differs):  # only a tie, or an example that is chosen by one, may be another
        assert _is_near_a_tie(whole, int(differs.min()))
        return
    if whole.n_steps != other.n_steps:
        assert whole.learner.chooses
        return
    np.testing.assert_allclose(other.score, whole.score, rtol=1e-6, atol=1e-7 * _size(whole))
    np.testing.assert_array_equal(other.changes.step, whole.changes.step)
    np.testing.assert_array_equal(other.changes.evicted, whole.changes.evicted)
    ends = other.state_at(other.n_steps), whole.state_at(whole.n_steps)
    np.testing.assert_allclose(ends[0].coef, ends[1].coef, rtol=1e-6, atol=1e-7 * _size(whole))
    assert ends[0].intercept == pytest.approx(ends[1].intercept, rel=1e-6, abs=1e-7 * _size(whole))


EVERY = [
    learners.Perceptron(0.3, intercept="radius"),
    learners.PassiveAggressive("PA-I", 0.5),
    learners.RemoveOldest(7),
    learners.RandomizedBudget(7),
    learners.Forgetron(7),
    learners.Forgetron(7, "basic"),
    learners.Projectron(0.3),
    learners.Norma(0.5, 0.3),
    learners.Norma(0.5, 0.3, nu=0.3),
    learners.Norma(0.5, 0.3, truncation=9),
    learners.KernelLogistic(0.5, 0.3),
]


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
@pytest.mark.parametrize("learner", EVERY, ids=repr)
def test_every_learner_learns_in_blocks_what_it_learns_at_once(learner, order):
    X, y = many(90)
    initial = ([0.3, -0.2], 0.1) if learner.takes_initial else None
    train = partial(
        kpviz.train,
        learner,
        X,
        y,
        kernel=kernels.Gaussian(0.5),
        order=order,
        epochs=3,
        initial=initial,
    )
    whole, other = train(), in_blocks(train, 8)
    np.testing.assert_array_equal(other.index, whole.index)
    np.testing.assert_allclose(other.score, whole.score, atol=1e-9)
    np.testing.assert_array_equal(other.changes.step, whole.changes.step)
    np.testing.assert_array_equal(other.changes.evicted, whole.changes.evicted)


def test_a_score_that_is_zero_by_hand_is_not_passed_over_as_one_that_is_only_positive():
    """Two examples of different classes are mirror images about the line of a third one, where f is
    zero.
    """
    rng = np.random.default_rng(3)
    corners = np.repeat([[8.0, 8.0], [8.0, -8.0], [-8.0, 8.0], [-8.0, -8.0]], 3, axis=0)
    y = np.tile([1.0, -1.0, 1.0], 4)
    for _ in range(30):
        places = rng.normal(size=(4, 2))
        across = np.stack([-places[:, 1], places[:, 0]], axis=1)
        X = corners + np.stack([places, -places, 0.7 * across], axis=1).reshape(12, 2)
        train = partial(
            kpviz.train, learners.Perceptron(), X, y, kernel=kernels.Gaussian(1.0), epochs=1
        )
        run = in_blocks(train, 12)
        np.testing.assert_array_equal(run.mistake, train().mistake)
        mirrored = run.mistake[0::3] & run.mistake[1::3]
        assert mirrored[0]
        assert run.mistake[2::3][mirrored].all()


def _size(run):
    return max(1.0, float(np.abs(run.score).max(initial=0.0)))


def _is_near_a_tie(run, t):
    """Whether a score up to presentation t is within rounding of a margin at which the learner
    turns.
    """
    if run.learner.chooses or run.shows_only_mistakes:
        return True
    turns = [0.0, run.learner.update_margin or 0.0, getattr(run.learner, "margin", 0.0) or 0.0]
    margins = (run.y[run.index] * run.score / run.unit)[: t + 1]
    return min(np.abs(margins - turn).min() for turn in turns) < 1e-8 * _size(run)


@given(
    st.integers(1, 16),
    st.floats(0.01, 100.0),
    st.floats(-1e6, 1e6),
    st.sampled_from([1e-6, 1.0, 1e6]),
    st.integers(0, 2**31 - 1),
)
def test_a_gaussian_as_products_is_the_gaussian_to_what_scores_are_settled_for(
    columns, width, far, unit, seed
):
    rng = np.random.default_rng(seed)
    X = unit * (rng.normal(size=(30, columns)) + far)
    kernel = kernels.Gaussian(width * unit)
    matrix = gram.KernelMatrix(kernel, X)
    rows, support = rng.permutation(30)[:20], rng.permutation(30)[:7]
    # The exponents of the kernel itself are as exact as the differences of its examples.
    exact = kernel(X[rows], X[support])
    np.testing.assert_allclose(
        matrix.values_for_scores(rows, support), exact, rtol=0, atol=2e-13 * (1 + abs(far))
    )
    weights = rng.normal(size=7)
    size = np.abs(weights).sum() * (1 + abs(far))
    for part, sums in matrix.sums(rows, support, weights):
        np.testing.assert_allclose(
            sums, kernel(X[part], X[support]) @ weights, rtol=0, atol=2e-13 * size
        )


@given(trainings(), st.integers(1, 40), st.integers(1, 5))
def test_examples_are_read_the_same_in_parts_of_any_size(train, values, places):
    run = train()
    Z = run.X[::-1]
    whole = [run.decision_function(Z, predictor=predictor) for predictor in predictors.PREDICTORS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(predictors, "_MOST_VALUES", values)
        patch.setattr(predictors, "_CHUNK", places)
        parts = [
            run.decision_function(Z, predictor=predictor) for predictor in predictors.PREDICTORS
        ]
    for one, other in zip(parts[:2], whole[:2], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9 * _size(run))
    if np.abs(run.score[run.score != 0.0]).min(initial=1.0) > 1e-9 * _size(run):
        np.testing.assert_array_equal(parts[2], whole[2])


class Counted(kernels.Kernel):
    """A kernel that counts how many values are asked for."""

    psd = "yes"

    def __init__(self, kernel):
        self.kernel, self.count = kernel, 0

    def evaluate(self, X, Z):
        self.count += len(X) * len(Z)
        return self.kernel.evaluate(X, Z)

    def diag(self, X):
        return self.kernel.diag(X)


@given(
    st.sampled_from(sorted(KERNELS)),
    st.integers(1, 6),
    st.lists(st.integers(0, 11), min_size=1, max_size=60),
)
def test_rows_are_right_in_any_order_and_only_those_that_were_used_last_are_kept(name, most, asked):
    X = np.random.default_rng(most).normal(size=(12, 2))
    kernel = Counted(KERNELS[name])
    matrix = gram.KernelMatrix(kernel, X)
    gram._CACHE = most * len(X) * 8  # in bytes
    kept = []
    for i in asked:
        before = kernel.count
        np.testing.assert_allclose(matrix[i], KERNELS[name](X, X)[i], rtol=1e-12, atol=1e-12)
        assert kernel.count - before == (0 if i in kept else len(X))
        kept = [*(other for other in kept if other != i), i][-most:]


def many(n, seed=0, features=2):
    """Examples whose classes a Gaussian separates in the end, a few labels turned."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, features))
    y = np.where(np.cos(2 * X[:, 0]) * X[:, 1] + 0.1 * rng.normal(size=n) > 0, 1.0, -1.0)
    return X, y


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_a_change_costs_a_value_of_k_for_each_example_at_most(order):
    X, y = many(6000)
    kernel = Counted(kernels.Gaussian(0.5))
    run = kpviz.train(learners.Perceptron(), X, y, kernel=kernel, order=order, epochs=3)
    support = len(run.state_at(run.n_steps).support)
    assert kernel.count <= len(run.changes) * len(X) + len(X) * support
    assert kernel.count < len(X) ** 2


def test_a_budget_costs_what_it_remembers():
    X, y = many(6000)
    kernel = Counted(kernels.Gaussian(0.5))
    kpviz.train(learners.RemoveOldest(20), X, y, kernel=kernel, epochs=2)
    assert kernel.count <= 2 * len(X) * (20 + blocks.BLOCK)


LARGE = [
    learners.Perceptron(),
    learners.PassiveAggressive(),
    learners.RemoveOldest(50),
    learners.Forgetron(50),
    learners.Projectron(0.3),
    learners.Norma(truncation=50),
    learners.KernelLogistic(),
]


@pytest.mark.parametrize("learner", LARGE, ids=lambda learner: learner.name)
def test_memory_grows_with_the_examples_not_with_their_square(learner):
    n = 4000
    X, y = many(n)
    tracemalloc.start()
    try:
        run = kpviz.train(learner, X, y, kernel=kernels.Gaussian(0.5), epochs=1)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert run.n_steps == n
    assert peak < 8_000_000 + 1000 * n  # the whole Gram matrix is 128 MB


def test_any_number_of_examples_is_read_in_bounded_memory():
    X, y = many(3000)
    run = kpviz.train(learners.Perceptron(), X, y, kernel=kernels.Gaussian(0.5), epochs=2)
    Z = many(60_000, seed=1)[0]
    support = len(run.state_at(run.n_steps).support)
    for predictor in ("last", "averaged"):
        tracemalloc.start()
        try:
            scores = run.decision_function(Z, predictor=predictor)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 120_000_000 < 8 * len(Z) * support
        some = slice(17, 60_000, 7001)
        np.testing.assert_allclose(
            scores[some], run.decision_function(Z[some], predictor=predictor), rtol=1e-9
        )
    votes = run.decision_function(Z[:3000], predictor="voted")
    np.testing.assert_array_equal(
        votes[5:50:7], run.decision_function(Z[5:50:7], predictor="voted")
    )
    np.testing.assert_allclose(
        run.margins_at(run.n_steps), run.y * run.decision_function(X), rtol=1e-9, atol=1e-9
    )


def test_what_needs_the_whole_gram_matrix_says_so_before_it_takes_the_memory(monkeypatch):
    monkeypatch.setattr("kpviz.engine.checks._LARGEST", 8 * 2400**2)
    X, y = many(2500)
    run = kpviz.train(learners.Perceptron(), X, y, kernel=kernels.Gaussian(0.5), epochs=1)
    sentence = (
        "This needs the whole Gram matrix, .* for 2,500 examples: draw a sample of at most "
        "2,400 of them"
    )
    for ask in (lambda: run.gram, partial(examine, run.kernel, X)):
        with pytest.raises(ValueError, match=sentence):
            ask()
    (bound,) = applicable_bounds.bounds_of(run)
    assert not bound.applies
    assert re.match(sentence, bound.why)


class _Looking(Learner):
    """Somebody's own learner, which looks at the scores of other examples."""

    def start(self, gram, y, rng):
        assert np.allclose(np.asarray(gram)[3], gram[3])
        assert np.allclose(gram @ np.ones(len(y)), np.sum(gram, axis=1))
        return y.tolist()

    def change(self, memory, t, i, scores, coef):
        worst = int(np.argmin(np.array(memory) * scores))
        return Change((worst,), (memory[worst],)) if memory[worst] * scores[worst] <= 0 else None


def test_somebodys_own_learner_is_given_all_scores_and_rows_of_the_gram_matrix():
    X, y = kpviz.make_dataset("xor", n_samples=40, seed=0)
    train = partial(kpviz.train, _Looking(), X, y, kernel=KERNELS["polynomial"], epochs=3)
    one, other = train(), in_blocks(train, 5)
    np.testing.assert_allclose(other.score, one.score, atol=1e-9)
    np.testing.assert_array_equal(other.changes.index, one.changes.index)


@pytest.mark.parametrize("kind", list(LEARNER), ids=lambda kind: kind.__name__)
def test_it_can_be_cancelled_at_any_time(kind):
    X, y = many(60)
    kernel = kernels.Gaussian(0.5)
    gram.MOST_AT_ONCE, blocks.BLOCK = 1, 8
    whole = kpviz.train(kind(), X, y, kernel=kernel, epochs=2)
    for after in (1, 3, 10):
        calls = []

        def progress(done, limit, calls=calls, after=after):
            calls.append(done)
            if len(calls) > after:
                raise RuntimeError

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("kpviz.engine.run.train._SECONDS_BETWEEN_PROGRESS", 0.0)
            run = kpviz.train(kind(), X, y, kernel=kernel, epochs=2, progress=progress)
        if run.end == "cancelled":
            np.testing.assert_array_equal(run.score, whole.score[: run.n_steps])
            np.testing.assert_array_equal(run.changes.step, whole.changes.step[: len(run.changes)])


def test_a_function_that_is_not_symmetric_or_not_finite_is_refused():
    X, y = many(60)
    gram.MOST_AT_ONCE = 1
    with pytest.raises(ValueError, match="kernel is not symmetric"):
        kpviz.train(learners.Perceptron(), X, y, kernel=lambda U, V: U[:, :1] * 2 + V[:, 0])
    with pytest.raises(ValueError, match="kernel is infinite or NaN on X or Z"):
        kpviz.train(learners.Perceptron(), X * 1e200, y, kernel=kernels.Polynomial(2))


def test_an_estimator_of_many_examples_keeps_those_in_f_and_goes_on_from_them():
    X, y = many(5000)
    model = kpviz.RemoveOldestClassifier(budget=30, shuffle=False, max_iter=1, gamma=2.0)
    with pytest.warns(match="Not converged"):
        model.fit(X, y)
    assert len(model.run_.X) == len(model.support_) <= 30
    np.testing.assert_array_equal(model.run_.X, X[model.support_])
    stream = kpviz.RemoveOldestClassifier(budget=30, gamma=2.0)
    for low in range(0, 5000, 700):
        stream.partial_fit(X[low : low + 700], y[low : low + 700], classes=[-1, 1])
    np.testing.assert_array_equal(
        stream.support_vectors_[np.lexsort(stream.support_vectors_.T)],
        model.support_vectors_[np.lexsort(model.support_vectors_.T)],
    )
    np.testing.assert_allclose(
        stream.decision_function(X[:50]), model.decision_function(X[:50]), atol=1e-12
    )


@pytest.mark.parametrize("predictor", ["last", "averaged", "voted"])
def test_the_readings_of_an_estimator_are_those_of_the_run(predictor):
    X, y = many(2500)
    model = kpviz.KernelPerceptron(gamma=2.0, max_iter=2, shuffle=False, predictor=predictor)
    with pytest.warns(match="Not converged"):
        model.fit(X, y)
    run = kpviz.train(learners.Perceptron(), X, y, kernel=kernels.Gaussian(0.5), epochs=2)
    expected = run.decision_function(X[:40], predictor=predictor)
    np.testing.assert_allclose(model.decision_function(X[:40]), expected, rtol=1e-9, atol=1e-9)
