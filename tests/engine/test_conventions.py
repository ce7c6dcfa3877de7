"""A textbook's conventions: orders that show mistakes alone, against loops in fractions, and sheets of other people."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import kpviz
from kpviz.engine.learners.perceptron import INTERCEPTS, TIES
from kpviz.engine.run.train import MISTAKE_ORDERS
from kpviz.lessons import explain

TENTHS = st.integers(-12, 12).map(lambda k: Fraction(k, 10))
POINTS = st.lists(st.tuples(TENTHS, TENTHS), min_size=2, max_size=7)


def is_mistake(y, f, tie):
    if f != 0:
        return y * f < 0
    return {"mistake": True, "correct": False, "positive": y < 0, "negative": y > 0}[tie]


def slow_perceptron(points, labels, *, eta, intercept, tie, order, epochs, seed):
    """The textbook's loop of the primal perceptron in fractions: steps (i, f), mistakes on each example, w, b, end."""
    n = len(points)
    rng = np.random.default_rng([seed, 0])
    radius = max(x * x + z * z for x, z in points)
    lift = {"none": 0, "unit": 1, "radius": radius}[intercept]
    w = [Fraction(0), Fraction(0)]
    b = Fraction(0)
    steps, counts = [], [0] * n

    def score(i):
        return w[0] * points[i][0] + w[1] * points[i][1] + b

    def learn(i):
        counts[i] += 1
        for axis in (0, 1):
            w[axis] += eta * labels[i] * points[i][axis]
        return eta * labels[i] * lift

    for _ in range(epochs):
        before = sum(counts)
        for place in range(n):
            i = place
            if order != "cyclic":
                wrong = [j for j in range(n) if is_mistake(labels[j], score(j), tie)]
                if not wrong:
                    return steps, counts, w, b, "clean"
                i = wrong[int(rng.integers(len(wrong))) if order == "random-mistake" else 0]
            steps.append((i, score(i)))
            if is_mistake(labels[i], score(i), tie):
                b += learn(i)
        if order == "cyclic" and sum(counts) == before:
            return steps, counts, w, b, "clean"
    left = any(is_mistake(labels[j], score(j), tie) for j in range(n))
    return steps, counts, w, b, "limit" if order == "cyclic" or left else "clean"


@settings(max_examples=120, deadline=None)
@given(
    POINTS.flatmap(lambda points: st.tuples(st.just(points), st.lists(st.sampled_from([-1, 1]), min_size=len(points),
                                                                      max_size=len(points)))),
    st.sampled_from(MISTAKE_ORDERS),
    st.sampled_from(TIES),
    st.sampled_from(INTERCEPTS),
    st.sampled_from([Fraction(1), Fraction(1, 2)]),
    st.integers(0, 99),
    st.booleans(),
)  # fmt: skip
def test_mistakes_alone_are_shown_as_in_the_textbook(examples, order, tie, intercept, eta, seed, stop):
    points, labels = examples
    points = [(10 * x, 10 * z) for x, z in points]
    slow = slow_perceptron(points, labels, eta=eta, intercept=intercept, tie=tie, order=order, epochs=4, seed=seed)
    run = kpviz.train(
        kpviz.learners.Perceptron(float(eta), intercept, tie),
        np.array(points, dtype=float),
        labels,
        order=order,
        epochs=4,
        seed=seed,
        stop_when_clean=stop,
    )
    steps, counts, _, b, end = slow
    assert run.index.tolist() == [i for i, _ in steps]
    assert run.score.tolist() == [float(f) for _, f in steps]
    assert run.mistake.all()
    state = run.state_at(run.n_steps)
    assert state.alpha.tolist() == [float(eta * count) for count in counts]
    assert (state.intercept, run.end) == (float(b), end)
    assert run.epoch_start.tolist() == list(range(0, len(steps), len(points)))  # none is empty


def test_a_run_that_is_cut_off_by_its_limit_is_clean_only_where_no_mistake_is_left():
    X, y = np.array([[1.0], [2.0]]), [1, 1]
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, order="first-mistake", epochs=1)
    assert (run.index.tolist(), run.end, run.n_epochs) == ([0], "clean", 1)
    exact = kpviz.train(kpviz.learners.Perceptron(), X[:1], y[:1], order="first-mistake", epochs=1)
    assert (exact.n_steps, exact.end) == (1, "clean")  # the last presentation that there may be
    again = kpviz.train(
        kpviz.learners.Perceptron(), X, y, order="random-mistake", start=run.state_at(1), stop_when_clean=False
    )
    assert (again.n_steps, again.n_epochs, again.end) == (0, 0, "clean")
    never = kpviz.train(kpviz.learners.Perceptron(), [[1.0], [1.0]], [1, -1], order="first-mistake", epochs=3)
    assert (never.n_steps, never.mistakes_per_epoch.tolist(), never.end) == (6, [2, 2, 2], "limit")


@pytest.mark.parametrize("order", MISTAKE_ORDERS)
@pytest.mark.parametrize(
    "learner",
    [kpviz.learners.Norma(), kpviz.learners.Norma(regularization=0.0), kpviz.learners.KernelLogistic(),
     kpviz.learners.SVM()],
    ids=repr,
)  # fmt: skip
def test_a_learner_that_acts_at_every_presentation_refuses_them(learner, order):
    with pytest.raises(ValueError, match=rf"^order='{order}' is not for {learner.name}: it .*\.$"):
        kpviz.train(learner, [[0.0], [1.0]], [-1, 1], order=order)


@pytest.mark.parametrize("order", MISTAKE_ORDERS)
@pytest.mark.parametrize(
    "learner",
    [kpviz.learners.PassiveAggressive(), kpviz.learners.RemoveOldest(4), kpviz.learners.RandomizedBudget(4),
     kpviz.learners.Forgetron(6), kpviz.learners.Projectron(0.3)],
    ids=repr,
)  # fmt: skip
def test_each_presentation_is_a_mistake_of_the_state_before_it(learner, order):
    X, y = kpviz.make_dataset("xor", n_samples=20, noise=0.1, seed=3)
    run = kpviz.train(learner, X, y, kernel=kpviz.kernels.Gaussian(0.5), order=order, epochs=5, seed=2)
    assert run.n_steps
    rng = np.random.default_rng([2, 0])
    for t in range(run.n_steps):
        wrong = np.flatnonzero(run.margins_at(t) <= 1e-12)
        place = int(rng.integers(len(wrong))) if order == "random-mistake" else 0
        assert run.index[t] == wrong[place]
    assert (run.end == "clean") == bool((run.margins_at(run.n_steps) > 0).all())


def test_a_training_of_mistakes_alone_can_be_cancelled():
    def cancel(done, limit):
        assert limit == 2000
        raise KeyError

    X, y = kpviz.make_dataset("xor", n_samples=200, noise=0.4, seed=1)
    seen = []
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, order="first-mistake", epochs=10,
                      progress=lambda *at: (seen.append(at), cancel(*at)))  # fmt: skip
    assert (run.end == "cancelled") == bool(seen)


def test_the_words_of_an_order_of_mistakes():
    X, y = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Polynomial(2, 1.0), order="first-mistake")
    words = explain
    assert_array_equal(run.index, [0, 1, 2, 3])
    assert words.ending(run) == "No mistake is left: converged after 4 mistakes."
    assert words.counter(run, 2) == "Step 2, first pass · 2 mistakes so far"
    code = words.code(run)
    assert (code[0], code[-1]) == ("repeat: show the first mistake (xᵢ, yᵢ)", "until no mistake is left")
    cut = kpviz.train(kpviz.learners.Perceptron(), X, y, order="random-mistake", epochs=2)
    assert words.ending(cut).startswith("Not converged within 2 epochs: some mistakes are left after 8 mistakes.")
    stuck = kpviz.train(kpviz.learners.Perceptron(tie="correct"), X, y, order="first-mistake")
    assert (stuck.n_steps, words.ending(stuck)) == (0, "Nothing learnt: a zero score counts as correct.")
