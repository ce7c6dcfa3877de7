"""A textbook's conventions: orders that show mistakes alone, against loops in fractions, and sheets
of other people.
"""

import re
from fractions import Fraction

import numpy as np
import pytest
from drawn_runs import LEARNER, trainings
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from textbook import random_data

import kpviz
from kpviz.engine.learners.perceptron import INTERCEPTS, TIES
from kpviz.engine.run import predictors
from kpviz.engine.run.train import MISTAKE_ORDERS
from kpviz.lessons import explain

TENTHS = st.integers(-12, 12).map(lambda k: Fraction(k, 10))
POINTS = st.lists(st.tuples(TENTHS, TENTHS), min_size=2, max_size=7)


def is_mistake(y, f, tie):
    if f != 0:
        return y * f < 0
    return {"mistake": True, "correct": False, "positive": y < 0, "negative": y > 0}[tie]


def slow_perceptron(points, labels, *, eta, intercept, tie, order, epochs, seed, w0=(0, 0), b0=0):
    """The textbook's loop of the primal perceptron in fractions: steps (i, f), mistakes on each
    example, w, b, end.
    """
    n = len(points)
    rng = np.random.default_rng([seed, 0])
    radius = max(x * x + z * z for x, z in points)
    lift = {"none": 0, "unit": 1, "radius": radius}[intercept]
    w = [Fraction(w0[0]), Fraction(w0[1])]
    b = Fraction(b0)
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
def test_mistakes_alone_are_shown_as_in_the_textbook(
    examples, order, tie, intercept, eta, seed, stop
):
    points, labels = examples
    points = [(10 * x, 10 * z) for x, z in points]
    slow = slow_perceptron(
        points, labels, eta=eta, intercept=intercept, tie=tie, order=order, epochs=4, seed=seed
    )
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
        kpviz.learners.Perceptron(),
        X,
        y,
        order="random-mistake",
        start=run.state_at(1),
        stop_when_clean=False,
    )
    assert (again.n_steps, again.n_epochs, again.end) == (0, 0, "clean")
    never = kpviz.train(
        kpviz.learners.Perceptron(), [[1.0], [1.0]], [1, -1], order="first-mistake", epochs=3
    )
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
    run = kpviz.train(
        learner, X, y, kernel=kpviz.kernels.Gaussian(0.5), order=order, epochs=5, seed=2
    )
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
    run = kpviz.train(
        kpviz.learners.Perceptron(),
        X,
        y,
        kernel=kpviz.kernels.Polynomial(2, 1.0),
        order="first-mistake",
    )
    words = explain
    assert_array_equal(run.index, [0, 1, 2, 3])
    assert words.ending(run) == "No mistake is left: converged after 4 mistakes."
    assert words.counter(run, 2) == "Step 2, first epoch · 2 mistakes so far"
    code = words.code(run)
    assert (code[0], code[-1]) == (
        "repeat: show the first mistake (xᵢ, yᵢ)",
        "until no mistake is left",
    )
    cut = kpviz.train(kpviz.learners.Perceptron(), X, y, order="random-mistake", epochs=2)
    assert words.ending(cut).startswith(
        "Not converged within 2 epochs: some mistakes are left after 8 mistakes."
    )
    stuck = kpviz.train(kpviz.learners.Perceptron(tie="correct"), X, y, order="first-mistake")
    assert (stuck.n_steps, words.ending(stuck)) == (
        0,
        "Nothing learnt: a zero score counts as correct.",
    )


# ---- a fixed f₀


LABELLED = POINTS.flatmap(
    lambda points: st.tuples(
        st.just(points),
        st.lists(st.sampled_from([-1, 1]), min_size=len(points), max_size=len(points)),
    )
)
QUARTERS = st.integers(-8, 8).map(lambda k: Fraction(k, 4))


@settings(max_examples=120, deadline=None)
@given(
    LABELLED,
    st.sampled_from(("cyclic", *MISTAKE_ORDERS)),
    st.sampled_from(TIES),
    st.sampled_from(INTERCEPTS),
    st.sampled_from([Fraction(1), Fraction(1, 2)]),
    st.tuples(QUARTERS, QUARTERS, QUARTERS),
)
def test_starting_weights_are_those_of_the_textbook(examples, order, tie, intercept, eta, start):
    points, labels = examples
    points = [(10 * x, 10 * z) for x, z in points]
    how = {"order": order, "epochs": 5, "seed": 3}
    steps, counts, w, b, end = slow_perceptron(
        points, labels, eta=eta, intercept=intercept, tie=tie, w0=start[:2], b0=start[2], **how
    )
    X = np.array(points, dtype=float)
    initial = [float(weight) for weight in start[:2]], float(start[2])
    run = kpviz.train(
        kpviz.learners.Perceptron(float(eta), intercept, tie), X, labels, initial=initial, **how
    )
    assert run.index.tolist() == [i for i, _ in steps]
    assert run.score.tolist() == [float(f) for _, f in steps]
    assert run.end == end
    state = run.state_at(run.n_steps)
    assert state.alpha.tolist() == [float(eta * count) for count in counts]
    assert_allclose(state.coef @ X + initial[0], [float(weight) for weight in w], atol=1e-9)
    assert_allclose(state.intercept + initial[1], float(b), atol=1e-9)
    assert_allclose(
        run.decision_function([[0.0, 0.0], [1.0, 0.0]]), [float(b), float(w[0] + b)], atol=1e-9
    )


@settings(max_examples=60, deadline=None)
@given(trainings(kinds=tuple(kind for kind in LEARNER if kind.takes_initial)), st.booleans())
def test_f0_is_added_to_every_score_and_every_reading(train, resumed):
    initial = ((0.3, -0.7), 0.25)
    run = train(initial=initial)
    if resumed:
        run = train(initial=initial, start=run.state_at(run.n_steps // 2))
    Z, _ = random_data(5, n=6)
    f0 = Z @ initial[0] + initial[1]
    columns = run.gram if run.kernel is None else run.kernel(Z, run.X)

    def at(t):
        state = run.state_at(t)
        return columns @ state.coef + state.intercept + f0

    states = [at(t) for t in range(run.n_steps + 1)]
    scale = 1.0 + np.abs(states).max()
    t = run.n_steps
    assert_allclose(run.decision_function(Z, t), states[t], atol=1e-9 * scale)
    if t:
        assert_allclose(
            run.decision_function(Z, t, "averaged"), np.mean(states[1:], axis=0), atol=1e-9 * scale
        )
        sure = (np.abs(states[1:]) > 1e-9 * scale).all(axis=0)
        votes = np.where(np.array(states[1:]) >= 0, 1, -1).sum(axis=0)
        assert_array_equal(run.decision_function(Z, t, "voted")[sure], votes[sure])
    for step in range(t):
        i = run.index[step]
        f = run.margins_at(step)[i] * run.y[i]
        assert abs(run.score[step] - f) <= 1e-9 * scale
    after = predictors.scores_after(run)
    for change, step in enumerate(run.changes.step):
        i = run.index[step]
        assert abs(after[change] - run.margins_at(step + 1)[i] * run.y[i]) <= 1e-9 * scale


def test_a_passive_aggressive_step_counts_the_loss_with_f0():
    X, y = [[1.0, 2.0], [2.0, -1.0]], [1, -1]
    run = kpviz.train(
        kpviz.learners.PassiveAggressive(), X, y, initial=((0.5, 0.0), -0.25), epochs=1
    )
    first = Fraction(3, 4) / 5  # the loss 1 - (1/2 - 1/4), over k(x, x)
    second = (
        Fraction(7, 4) / 5
    )  # the two are at right angles, so the first step leaves f of the second at 3/4
    assert_allclose(run.score, [0.25, 0.75])
    assert_allclose(run.state_at(2).alpha, [float(first), float(second)])


@pytest.mark.parametrize(
    "learner", [kpviz.learners.SVM(), kpviz.learners.KernelLogistic()], ids=repr
)
def test_a_learner_that_begins_at_zero_refuses_f0(learner):
    says = rf"^initial is not for {learner.name}: it learns all of f itself, from zero\.$"
    with pytest.raises(ValueError, match=says):
        kpviz.train(learner, [[0.0], [1.0]], [-1, 1], initial=(None, 1.0))


@pytest.mark.parametrize(
    ("initial", "says"),
    [
        (0.3, "initial=0.3 is not a pair: it must be (w0, b0), weights and a number, or None."),
        (((1.0,), 0.0), "w0 of initial is (1.0,): it must have one number for each of 2 features."),
        ((("a", "b"), 0.0), "w0 of initial holds text: every entry must be a real number."),
        (
            ((np.nan, 1.0), 0.0),
            "w0 of initial holds NaN or infinity: every weight must be a finite number.",
        ),
        (
            (None, np.inf),
            "b0 of initial=inf is out of range: b0 of initial must be a finite number.",
        ),
    ],
)
def test_what_is_no_f0_is_refused_in_a_sentence(initial, says):
    with pytest.raises(ValueError, match=f"^{re.escape(says)}$"):
        kpviz.train(kpviz.learners.Perceptron(), [[0.0, 1.0], [1.0, 0.0]], [-1, 1], initial=initial)


def test_examples_without_features_take_b0_alone():
    gram = np.eye(2)
    run = kpviz.train(
        kpviz.learners.Perceptron(), gram, [-1, 1], kernel="precomputed", initial=(None, 0.5)
    )
    assert run.score.tolist() == [0.5, 0.5, -0.5, 0.5]
    assert run.decision_function([[0.0, 0.0]]).tolist() == [0.5]
    with pytest.raises(ValueError, match=r"^initial has weights for features, which a precomp"):
        kpviz.train(
            kpviz.learners.Perceptron(),
            gram,
            [-1, 1],
            kernel="precomputed",
            initial=((1.0, 0.0), 0.5),
        )


def test_what_assumes_a_start_at_zero_says_so():
    X, y = kpviz.make_dataset("linear", n_samples=20, seed=0)
    for learner in (kpviz.learners.Perceptron(), kpviz.learners.PassiveAggressive()):
        run = kpviz.train(learner, X, y, initial=((0.5, 0.5), 0.0))
        (bound,) = kpviz.theory.bounds_of(run)
        assert (bound.applies, bound.why) == (
            False,
            "A fixed f₀ is added to every score, and the theorem is about a start at f = 0.",
        )
    assert explain.start_words(run) == (
        "Nothing is learnt yet: f is the fixed f₀(u) = 0.5·u₁ + 0.5·u₂. Press → for the first "
        "example."
    )
    assert explain.code(run)[1] == "  f ← f₀(xᵢ) + Σⱼ αⱼ yⱼ k(xⱼ, xᵢ)"


def test_the_primal_form_begins_with_the_weights():
    X, y = kpviz.make_dataset("linear", n_samples=20, seed=0)
    run = kpviz.train(
        kpviz.learners.Perceptron(intercept="unit"), X, y, initial=((0.5, -1.0), 0.25)
    )
    reading = kpviz.primal.read(run)
    assert reading.w_at(0).tolist() == [0.5, -1.0]
    assert reading.intercepts[0] == 0.25
    assert_allclose(reading.path()[-1], reading.w_at(run.n_steps))
    assert reading.agrees.all()


# ---- sheets of other people


def test_weights_that_start_at_tenths():
    """Burch, Machine Learning at PGSS 2001, assignment 1: rate 0.1, weights (0, 0.1, 0.1, −0.2), a
    constant first.
    """
    X = np.array([[1, 1, 1, 0.5], [1, -1, 1, 0.5], [1, 1, 0, 0], [1, -1, -0.5, -0.5]])
    start = np.array([0, 0.1, 0.1, -0.2])
    learner = kpviz.learners.Perceptron(learning_rate=0.1)
    run = kpviz.train(learner, X, [1, -1, -1, 1], initial=(start, 0.0), epochs=1)
    assert_allclose(run.score, [0.1, -0.1, 0.1, -0.05], atol=1e-15)
    assert run.mistake.tolist() == [False, False, True, True]
    weights = [start + run.state_at(t).coef @ X for t in range(1, 5)]
    assert_allclose(
        weights, [start, start, [-0.1, 0, 0.1, -0.2], [0, -0.1, 0.05, -0.25]], atol=1e-15
    )
    assert_allclose(
        run.decision_function([[1, -0.5, 0, 1]]), [-0.2], atol=1e-15
    )  # the fifth, who is asked about


OR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def test_or_from_minus_two():
    """A workshop at City, University of London (INM427): OR from (−2, −2, 0), the first Θ: w (0, 1,
    2) in 4 epochs.
    """
    learner = kpviz.learners.Perceptron(intercept="unit", tie="negative")
    run = kpviz.train(learner, OR, [-1, 1, 1, 1], initial=((-2.0, 0.0), -2.0))
    end = run.state_at(run.n_steps)
    assert (run.n_epochs, run.end) == (4, "clean")
    assert (end.intercept - 2.0, *(end.coef @ OR + [-2.0, 0.0])) == (0.0, 1.0, 2.0)
    points = "data=drawn&points=" + run.link.partition("points=")[2].partition("&")[0]
    linked = kpviz.load(f"{points}&kernel=linear&intercept=unit&tie=negative&w0=-2,0&b0=-2")
    assert_array_equal(linked.X, OR)
    assert_array_equal(linked.score, run.score)
    assert "&w0=-2,0&b0=-2" in run.link
    assert_array_equal(kpviz.load(run.link).score, run.score)


def test_one_step_of_a_learnt_threshold():
    """A question on wizedu: w (0.5, −0.2), θ 0.3, rate 0.5, one step on (0, 1) with output 1; by
    hand.
    """
    learner = kpviz.learners.Perceptron(learning_rate=0.5, intercept="unit")
    run = kpviz.train(learner, [[0.0, 1.0]], [1], initial=((0.5, -0.2), -0.3), epochs=1)
    assert_allclose(run.score, [-0.5])
    end = run.state_at(1)
    assert_allclose([*(end.coef @ run.X + [0.5, -0.2]), -(end.intercept - 0.3)], [0.5, 0.3, -0.2])


@pytest.mark.parametrize("labels", [[-1, 1, 1, 1], [-1, -1, -1, 1]], ids=["or", "and"])
def test_a_threshold_that_is_not_learnt(labels):
    """Indiana's Q350: output 1 above a fixed threshold of 0.4, weights from (−0.1, 0.4); by
    fractions.
    """
    points = [(0, 0), (0, 1), (1, 0), (1, 1)]
    exact = {
        "eta": Fraction(1, 4),
        "intercept": "none",
        "tie": "negative",
        "order": "cyclic",
        "seed": 0,
    }
    start = {"w0": (Fraction(-1, 10), Fraction(2, 5)), "b0": Fraction(-2, 5)}
    steps, counts, w, _, end = slow_perceptron(points, labels, epochs=20, **exact, **start)
    learner = kpviz.learners.Perceptron(learning_rate=0.25, tie="negative")
    run = kpviz.train(learner, OR, labels, initial=((-0.1, 0.4), -0.4), epochs=20)
    assert run.score.tolist() == pytest.approx([float(f) for _, f in steps], abs=1e-12)
    assert_array_equal(run.score == 0, [f == 0 for _, f in steps])  # 0.4 - 0.4 is a tie
    assert (run.state_at(run.n_steps).alpha / 0.25).tolist() == counts
    assert run.end == end == "clean"
    assert_allclose(
        run.state_at(run.n_steps).coef @ OR + [-0.1, 0.4], [float(weight) for weight in w]
    )
