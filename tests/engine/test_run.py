"""The record of a run: everything that is read from it, how it goes on, its order, and the two
loops that write it.
"""

import importlib
import inspect
import itertools
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from drawn_runs import (
    LEARNER,
    ONLINE,
    POSITIVE,
    SEEDS,
    WHOLE,
    assert_same_record,
    examples,
    orders_of,
    record,
    runs,
    trainings,
)
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import slow_run
from readers import Fold
from sklearn.metrics.pairwise import rbf_kernel
from textbook import contradictory, random_data, rows_of

import kpviz
from kpviz.engine.data.streams import support_sizes
from kpviz.engine.kernels import Gaussian, Linear
from kpviz.engine.learners import (
    Forgetron,
    Norma,
    PassiveAggressive,
    Perceptron,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)
from kpviz.engine.run import cycling, grid, predictors
from kpviz.engine.run.predictors import (
    PREDICTORS,
    Votes,
    all_errors_per_epoch,
    averaging_verdict,
    kernel_columns,
    scores_after,
)
from kpviz.lessons.learner_words import words_of

loops = importlib.import_module("kpviz.engine.run.train")

# ---- what is read


@settings(max_examples=60)
@given(runs(), SEEDS)
def test_all_that_is_read_from_a_run_is_what_its_changes_add_up_to(run, seed):
    Z, labels = random_data(seed, n=5)
    known = {predictor: Fold(run, predictor, Z) for predictor in PREDICTORS}
    states_are_the_sums(run, known["last"])
    scores_are_those_of_the_states(run, known["last"])
    for predictor in PREDICTORS:
        readings_are_brute_force(run, Z, labels, predictor, known[predictor])
    what_is_recorded_has_a_place_for_every_presentation(run)
    what_the_learner_says_of_its_changes_is_so(run)


def states_are_the_sums(run, known):
    states = [run.state_at(t) for t in range(run.n_steps + 1)]
    scale = 1 + np.abs(known.coefs).max() + np.abs(known.bs).max()
    near = {"rtol": 1e-9, "atol": 1e-12 * scale}
    assert_allclose([state.coef for state in states], known.coefs, **near)
    assert_allclose([state.intercept for state in states], known.bs, **near)
    assert_array_equal([state.alpha for state in states], [run.y * state.coef for state in states])
    before = 0 if run.start is None else run.start.t
    assert [state.t for state in states] == list(range(before, before + run.n_steps + 1))
    for state, instant in zip(states, known.instants, strict=True):
        if run.learner.evicts:
            assert set(state.support) <= {i for _, i, _ in instant.entries}  # the others are 0
    for t in range(0, run.n_steps + 1, 3):
        if run.learner.evicts or run.start is None:
            entries, expected = run.entries_at(t), known.instants[t].entries
            assert [list(row[:2]) for row in entries.rows()] == [row[:2] for row in expected]
            assert_allclose(entries.weight, [row[2] for row in expected], **near)
    assert_array_equal(support_sizes(run), [len(state.support) for state in states])
    after = 0 if not len(run.changes) else np.append(0, run.changes.step + 1)
    norms = np.array([states[t].coef @ run.gram @ states[t].coef for t in np.atleast_1d(after)])
    size = np.abs(run.gram).max() * np.square(np.abs(known.coefs).sum(axis=1).max())
    assert_allclose(cycling.squared_norms(run), norms, rtol=1e-9, atol=1e-10 * (1 + size))


def scores_are_those_of_the_states(run, known):
    terms = run.gram[run.index] * known.coefs[:-1]
    size = 1e-9 * (1 + np.abs(terms).max(initial=0.0))
    b = known.bs[:-1]
    assert_allclose(run.score, terms.sum(axis=1) + b, atol=size)
    empty = ~known.coefs[:-1].any(axis=1)
    assert_array_equal(run.score[empty], b[empty])  # not the rest of a subtraction
    for t in range(0, run.n_steps, 5):
        i = run.index[t]
        assert_allclose(run.margins_at(t)[i], run.y[i] * run.score[t], atol=size)
    step = run.changes.step
    after = (run.gram[run.index[step]] * known.coefs[step + 1]).sum(axis=1) + known.bs[step + 1]
    assert_allclose(scores_after(run), after, rtol=1e-8, atol=size)


def readings_are_brute_force(run, Z, labels, predictor, known):
    n = run.n_steps
    times = sorted([0, min(1, n), n // 2, n // 2, n])
    together = predictors.scores(run, Z, times, predictor)
    votes = Votes(run, lambda index: kernel_columns(run, Z, index).T, len(Z))
    for t, row in zip(
        [*times, *times[:2]], [*together, *together[:2]], strict=True
    ):  # votes go back, too
        expected, wrong = known.scores(t, 1e-9)
        shares = max(t, 1) if predictor == "voted" else 1
        assert (np.abs(run.decision_function(Z, t, predictor) / shares - expected) <= wrong).all()
        assert (np.abs(row / shares - expected) <= wrong).all()
        if predictor == "voted":
            assert (np.abs(votes.at(t) / shares - expected) <= wrong).all()
    if predictor != "voted":
        coefs, intercepts = predictors.coefficients(run, times, predictor)
        for t, coef, b in zip(times, coefs, intercepts, strict=True):
            assert_allclose(
                [*coef, b],
                [*known.coef(t)[0], known.coef(t)[1]],
                rtol=1e-9,
                atol=1e-11 * (1 + np.abs(known.coefs).max() + np.abs(known.bs).max()),
            )
    errors = all_errors_per_epoch(run, Z, labels)[PREDICTORS.index(predictor)]
    for t, error in zip(run.epoch_ends.tolist(), errors, strict=True):
        expected, wrong = known.scores(t, 1e-9)
        if (np.abs(expected) > wrong).all():
            assert error == np.mean(np.sign(expected) != labels)


def what_is_recorded_has_a_place_for_every_presentation(run):
    assert len(run.index) == len(run.score) == len(run.mistake) == run.n_steps
    assert np.isfinite(run.score).all()
    assert_array_equal(run.mistake, run.learner.mistakes(run.y[run.index], run.score))
    assert (
        run.mistakes_per_epoch.tolist()
        == [part.sum() for part in np.split(run.mistake, run.epoch_start[1:])][: run.n_epochs]
    )
    for name, array in run.details.items():
        assert array.shape == (run.n_steps,), name
        assert array.dtype == bool or np.isfinite(array).all(), name
    assert (np.diff(run.changes.step) > 0).all()
    assert (run.changes.evicted < run.changes.step).all()
    for values in (
        run.score,
        run.changes.shift,
        run.state_at(run.n_steps).coef,
        run.state_at(run.n_steps).alpha,
    ):
        assert not np.signbit(values[values == 0.0]).any()


def what_the_learner_says_of_its_changes_is_so(run):
    learner = run.learner
    if learner.always_changes:
        assert_array_equal(run.changes.step, np.arange(run.n_steps))
    if learner.update_margin is not None:
        margins = (run.y[run.index] * run.score / run.unit)[run.changes.step]
        assert (margins <= learner.update_margin + 1e-9).all()
    assert learner.evicts or (run.changes.evicted == -1).all()
    if learner.capacity is not None:
        assert max(len(run.entries_at(t).step) for t in range(run.n_steps + 1)) <= learner.capacity


def test_a_zero_is_an_error_but_a_tied_vote_predicts_plus_one():
    run = kpviz.train(Perceptron(), [[1.0], [0.0]], [1, -1], kernel=Linear(), epochs=1)
    held = np.array([[0.0], [0.0], [2.0]]), np.array([1.0, -1.0, 1.0])
    assert_allclose(all_errors_per_epoch(run, *held), [[2 / 3], [2 / 3], [1 / 3]])
    run = kpviz.train(Perceptron(), [[1.0], [2.0]], [1, -1], kernel=Linear(), epochs=1)
    assert run.decision_function([[1.0]], predictor="voted") == [0.0]  # f(1) was 1, then -1
    assert [all_errors_per_epoch(run, np.ones((1, 1)), np.array([y]))[2] for y in (1.0, -1.0)] == [
        [0.0],
        [1.0],
    ]


def test_a_separation_is_lost_or_found_by_averaging_only_where_one_of_the_two_separates():
    assert [
        averaging_verdict(np.array([[a], [b], [0.5]]), 4) for a, b in ((0.0, 0.0), (0.25, 0.25))
    ] == ["", ""]
    assert averaging_verdict(np.zeros((3, 0)), 4) == ""
    assert averaging_verdict(np.array([[0.5], [0.0], [0.0]]), 4).endswith("it makes 2 errors.")


def test_many_points_are_voted_on_in_pieces_without_seams():
    X, y = random_data(1)
    run = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.5), epochs=3)
    Z, _ = random_data(2, n=5000)
    whole = run.decision_function(Z, predictor="voted")
    assert_array_equal(whole[2040:2060], run.decision_function(Z[2040:2060], predictor="voted"))


@pytest.mark.parametrize("learner", [RemoveOldest(1), RemoveOldest(3), Forgetron(3)], ids=repr)
def test_what_was_forgotten_does_not_outvote_the_small_scores_that_are_left(learner):
    run = kpviz.train(
        learner, *kpviz.make_dataset("xor", 20), kernel=kpviz.kernels.Laplacian(0.02), epochs=3
    )
    f = np.array([run.decision_function(run.X, t) for t in range(1, run.n_steps + 1)])
    assert 0 < np.abs(f).min() < 1e-20
    assert_array_equal(
        run.decision_function(run.X, predictor="voted"), np.where(f >= 0, 1, -1).sum(axis=0)
    )


@given(trainings())
def test_kernels_functions_and_matrices_give_the_same_run(train):
    run = train()
    matrix = kpviz.train(
        run.learner, run.gram, run.y, **{**train.keywords, "kernel": "precomputed"}
    )
    function = kpviz.train(
        run.learner, run.X, run.y, **{**train.keywords, "kernel": lambda U, V: run.kernel(U, V)}
    )
    Z, _ = random_data(7, n=5)
    for other, places in ((matrix, run.kernel(Z, run.X)), (function, Z)):
        assert_same_record(run, other)
        for t in (
            0,
            run.n_steps // 2,
            run.n_steps,
        ):  # at t = 0 there is no support example to evaluate
            assert_allclose(other.margins_at(t), run.margins_at(t), rtol=1e-9, atol=1e-9)
            for predictor in PREDICTORS:
                expected = run.decision_function(Z, t, predictor)
                assert_allclose(
                    other.decision_function(places, t, predictor), expected, rtol=1e-9, atol=1e-9
                )


def test_a_function_may_refuse_an_empty_set():
    X, y = random_data(4)
    silent = kpviz.train(Perceptron(tie="correct"), X, y, kernel=rbf_kernel, epochs=4)
    assert_array_equal(silent.decision_function(X[:7], predictor="voted"), np.full(7, 20.0))


# ---- what stays as it is


@settings(max_examples=60)
@given(trainings(), SEEDS)
def test_training_and_reading_leave_all_as_it_was_and_repeat_themselves(train, seed):
    learner, X, y = train.args
    kept, said = (X.copy(), y.copy()), repr(learner)
    run = train()
    before = {name: array.copy() for name, array in record(run).items()}
    for t in (0, run.n_steps // 2, run.n_steps):
        with pytest.raises(ValueError, match="read-only"):
            run.state_at(t).coef[:] = 7.0
        for predictor in PREDICTORS:
            run.decision_function(X, t, predictor)
    for now, then in zip((X, y), kept, strict=True):
        assert_array_equal(now, then)
    assert repr(learner) == said
    for name, array in record(run).items():
        assert_array_equal(array, before[name], err_msg=name)
    assert_same_record(run, train())
    margins = run.margins_at(run.n_steps)
    X[:], y[:] = 0.0, -y  # a run does not change with the arrays that it was made from
    assert_array_equal(replace(run).margins_at(run.n_steps), margins)
    longer = kpviz.train(
        learner, *kept, **{**train.keywords, "epochs": 5, "stop_when_clean": False}
    )
    assert_array_equal(run.score, longer.score[: run.n_steps])
    for name, array in run.details.items():
        assert_array_equal(array, longer.details[name][: run.n_steps], err_msg=name)


@settings(max_examples=60)
@given(trainings(ONLINE), SEEDS)
def test_classes_are_alike_and_the_seed_is_the_orders_and_that_of_a_learners_own_draws(train, seed):
    run = train(stop_when_clean=False)
    if run.learner.tie in ("mistake", "correct") and not isinstance(run.learner, RandomizedBudget):
        assume(slow_run(run, may_end=False).nearest > 1e-9)
        turned = kpviz.train(
            run.learner, run.X, -run.y, **{**train.keywords, "stop_when_clean": False}
        )
        assert_allclose(run.score, -turned.score, rtol=1e-9, atol=1e-12)
    plain = kpviz.train(Perceptron(), run.X, run.y, **{**train.keywords, "stop_when_clean": False})
    if not run.shows_only_mistakes:  # which comes next then depends on what was learnt
        assert_array_equal(run.index, plain.index)
        assert_array_equal(run.epoch_start, plain.epoch_start)
    rows = np.random.default_rng(seed).integers(0, len(run.y), (4, 7))
    given_order, other = (
        train(order=rows, stop_when_clean=False, epochs=9, seed=s) for s in (seed, seed + 1)
    )
    assert_array_equal(given_order.index, rows.ravel())
    if not isinstance(run.learner, RandomizedBudget):
        assert_same_record(given_order, other)


def test_the_seed_draws_the_victims():
    X, y = random_data(4, n=40)
    one, again, other = (
        kpviz.train(RandomizedBudget(5), X, y, kernel=Gaussian(0.5), epochs=5, seed=seed)
        for seed in (1, 1, 2)
    )
    assert_array_equal(one.details["victim"], again.details["victim"])
    assert not np.array_equal(one.details["victim"], other.details["victim"])
    drawn = np.random.default_rng([1, 0]).integers(5, size=9)
    assert not np.array_equal(np.random.default_rng([1, 1]).integers(5, size=9), drawn)


# ---- orders


def test_orders_by_name_are_what_they_say():
    X, y = contradictory()
    n = len(y)
    cyclic = kpviz.train(Perceptron(), X, y, order="cyclic", epochs=3)
    assert_array_equal(cyclic.index, np.tile(np.arange(n), 3))
    assert_array_equal(cyclic.epoch_start, [0, 13, 26])
    for name in ("shuffled", "random"):
        first, again, other = (
            kpviz.train(Perceptron(), X, y, order=name, epochs=40, seed=s) for s in (1, 1, 2)
        )
        assert_array_equal(first.index, again.index)
        assert not np.array_equal(first.index, other.index)
        rows = rows_of(first)
        assert len({tuple(row) for row in rows}) == 40
        assert all(sorted(row) == list(range(n)) for row in rows) == (name == "shuffled")
    X, y = kpviz.make_dataset("linear", n_samples=10)
    never_clean = kpviz.train(Perceptron(), X, y, order="random", epochs=40)
    assert (never_clean.end, never_clean.n_steps) == ("limit", 400)
    assert never_clean.mistakes_per_epoch[-5:].sum() == 0


def test_an_explicit_order_caps_the_epochs_and_an_incomplete_row_is_never_a_clean_pass():
    X, y = contradictory()
    rows = np.random.default_rng(3).integers(0, len(y), (4, 7))
    run = kpviz.train(Perceptron(), X, y, order=rows, epochs=50)
    assert_array_equal(run.epoch_start, [0, 7, 14, 21])
    assert_array_equal(
        kpviz.train(Perceptron(), X, y, order=rows, epochs=2).index, rows[:2].ravel()
    )
    assert_array_equal(kpviz.train(Perceptron(), X, y, order=rows[0].tolist()).index, rows[0])
    X, y = kpviz.make_dataset("linear", n_samples=6)
    for learner in (Perceptron(), RemoveOldest(100)):  # of either loop
        ends = [
            kpviz.train(learner, X, y, order=np.tile(row, (30, 1)))
            for row in ([0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 4, 4, 5])
        ]
        assert [(run.end, run.n_epochs == 30) for run in ends] == [
            ("limit", True),
            ("clean", False),
        ]


def test_the_seed_of_the_order_is_not_the_learners():
    class Drawing(Perceptron):
        def start(self, gram, y, rng):
            drawn.append(rng.integers(0, 1000, 5))
            return super().start(gram, y, rng)

    drawn = []
    X, y = contradictory()
    plain, drawing = (
        kpviz.train(kind(), X, y, order="shuffled", seed=4, epochs=5)
        for kind in (Perceptron, Drawing)
    )
    assert_array_equal(plain.index, drawing.index)
    assert not np.array_equal(drawn[0], np.random.default_rng([4, 0]).integers(0, 1000, 5))


# ---- going on


@settings(max_examples=120)
@given(
    trainings([kind for kind in ONLINE if kind is not RandomizedBudget], POSITIVE),
    SEEDS,
    st.integers(0, 40),
)
def test_a_run_that_goes_on_is_the_rest_of_the_whole(train, seed, t):
    rows = np.random.default_rng(seed).integers(0, len(train.args[1]), (1, 40))
    whole = train(order=rows, stop_when_clean=False)
    near = 1e-6 if isinstance(whole.learner, Projectron) else 1e-8
    assume(slow_run(whole, may_end=False).nearest > 100 * near * near)
    if t == 40:
        return
    run = train(order=rows[:, t:], stop_when_clean=False, start=whole.state_at(t))
    scale = 1 + np.abs(whole.score).max()
    assume((np.abs(whole.score[t:]) > near * scale).all() or isinstance(whole.learner, Perceptron))
    assert_allclose(
        run.score,
        whole.score[t:],
        rtol=near,
        atol=near * scale,
        err_msg="does `resume` restore the memory?",
    )
    for name, array in whole.details.items():
        atol = 1e-5 if name in ("distance", "projected") else 1e-9
        assert_allclose(run.details[name], array[t:], rtol=1e-7, atol=atol * scale, err_msg=name)
    for step in (0, (40 - t) // 2, 40 - t):
        ours, theirs = run.state_at(step), whole.state_at(t + step)
        assert_allclose(ours.coef, theirs.coef, rtol=near, atol=near * scale)
        assert_allclose(ours.intercept, theirs.intercept, rtol=near, atol=near * scale)
        assert ours.t == theirs.t
        if theirs.entries is not None:
            assert [row[:2] for row in ours.entries.rows()] == [
                row[:2] for row in theirs.entries.rows()
            ]
            assert_array_equal(ours.support, theirs.support)


@given(trainings([Perceptron], WHOLE, whole=True))
def test_on_whole_numbers_a_run_goes_on_exactly(train):
    rows = np.random.default_rng(0).permuted(np.tile(np.arange(len(train.args[1])), (6, 1)), axis=1)
    whole, first = (
        train(order=order, stop_when_clean=False, epochs=6) for order in (rows, rows[:3])
    )
    half = first.n_steps
    second = train(order=rows[3:], stop_when_clean=False, start=first.state_at(half))
    assert_array_equal(whole.score, np.append(first.score, second.score))
    assert_array_equal(whole.mistake, np.append(first.mistake, second.mistake))
    assert_array_equal(second.state_at(half).coef, whole.state_at(2 * half).coef)


def test_a_projectron_takes_up_a_support_of_which_some_span_the_others():
    X, y = kpviz.make_dataset("blobs", n_samples=30, noise=0.4, seed=2, flipped=0.1)
    how = {"kernel": Linear(), "epochs": 2, "stop_when_clean": False}
    first = kpviz.train(Perceptron(), X, y, **how)
    start = first.state_at(first.n_steps)
    assert len(start.support) > 2
    plain, run = (
        kpviz.train(learner, X, y, start=start, **how)
        for learner in (Perceptron(), Projectron(0.0))
    )
    assert_allclose(run.score, plain.score, rtol=1e-7, atol=1e-9)
    assert set(run.state_at(run.n_steps).support) <= set(start.support)


def test_a_randomized_budget_holds_when_a_run_goes_on_and_a_clean_run_stays_clean():
    X, y = random_data(8, n=30)
    first = kpviz.train(RandomizedBudget(4), X, y, kernel=Gaussian(0.5), epochs=2)
    run = kpviz.train(
        first.learner, X, y, kernel=Gaussian(0.5), epochs=2, start=first.state_at(60), seed=1
    )
    assert max(len(run.entries_at(t).step) for t in range(run.n_steps + 1)) == 4
    X, y = kpviz.make_dataset("moons", n_samples=60, seed=1)
    first = kpviz.train(Perceptron(intercept="radius"), X, y, kernel=Gaussian(0.4))
    again = kpviz.train(
        first.learner, X, y, kernel=Gaussian(0.4), start=first.state_at(first.n_steps)
    )
    assert (first.end, again.end, again.n_epochs, len(again.changes)) == ("clean", "clean", 1, 0)


# ---- both loops


@settings(max_examples=60)
@given(
    st.sampled_from(
        [
            Norma(regularization=0.0, nu=0.3, truncation=3),
            Norma(nu=0.3, truncation=3),
            Norma(regularization=0.0, nu=0.7, learning_rate=0.1),
            Projectron(0.3),
        ]
    ),
    st.lists(
        st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([-1.0, 1.0])),
        min_size=2,
        max_size=8,
    ),
    st.integers(1, 23),
    st.integers(0, 23),
)
@example(Norma(regularization=0.0, nu=0.3, truncation=3), [(1, 0, 1.0), (0, 1, 1.0)], 2, 0)
def test_what_a_learner_counts_or_remembers_is_whole_after_each_resumption(
    learner, points, first, second
):
    """Margin errors of ν are counted from the first training on; a support may hold a coefficient
    of 0.
    """
    X = np.array([point[:2] for point in points], dtype=float)
    y = np.array([point[2] for point in points])
    rows = np.resize(np.arange(len(y)), (1, 24))
    whole = kpviz.train(learner, X, y, order=rows, stop_when_clean=False)
    state = None
    for begin, end in itertools.pairwise(sorted({0, first, max(first, second), 24})):
        part = kpviz.train(
            learner, X, y, order=rows[:, begin:end], stop_when_clean=False, start=state
        )
        if state is not None:
            assert part.state_at(0).details == state.details
        state = part.state_at(part.n_steps)
        expected = whole.state_at(end)
        assert state.details == pytest.approx(expected.details, abs=1e-12)
        assert_allclose(state.coef, expected.coef, atol=1e-9)
        if expected.entries is not None:
            assert_array_equal(state.entries.index, expected.entries.index)
            assert_array_equal(state.entries.step, expected.entries.step)
        if isinstance(learner, Norma):
            assert state.details["rho"] == expected.details["rho"]


FAST = st.one_of(
    LEARNER[Perceptron],
    st.builds(Norma, st.sampled_from([1.0, 0.37]), st.just(0.0), st.sampled_from([0.0, 1.0]), st.none(),
              st.sampled_from(["constant", "inverse-sqrt"]), st.none(), st.booleans()),
    LEARNER[PassiveAggressive],
)  # fmt: skip
_ROWS = st.lists(st.lists(st.integers(0, 10**6), min_size=7, max_size=7), min_size=1, max_size=6)


@settings(max_examples=150)
@given(
    FAST,
    examples(20, 1),
    examples(20, 1, whole=True),
    st.booleans(),
    _ROWS | st.sampled_from(orders_of(Norma)),
    st.booleans(),
)
def test_both_loops_give_the_same_run_bit_for_bit(
    learner, any_data, whole_data, whole, order, stop
):
    X, y = whole_data if whole else any_data
    if not isinstance(order, str):
        order = np.array(order) % len(y)
    how = {"kernel": WHOLE["polynomial"], "order": order, "epochs": 5, "stop_when_clean": stop}
    fast = kpviz.train(learner, X, y, **how)
    halfway = fast.state_at(fast.n_steps // 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            loops, "one_by_one", None
        )  # a learner that says its gains needs no loop of the textbook
        resumed = kpviz.train(learner, X, y, **how, start=halfway)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loops, "gains_of", lambda *_: None)
        pairs = (
            (fast, kpviz.train(learner, X, y, **how)),
            (resumed, kpviz.train(learner, X, y, **how, start=halfway)),
        )
    for one, other in pairs:
        assert one.end == other.end
        for ours, theirs in zip(record(one).values(), record(other).values(), strict=True):
            assert (ours.dtype, ours.tobytes()) == (theirs.dtype, theirs.tobytes())


def test_a_subclass_with_a_rule_of_its_own_is_asked_for_every_change():
    class Twice(Perceptron):
        def change(self, memory, t, i, scores, coef):
            change = super().change(memory, t, i, scores, coef)
            return change and change._replace(deltas=(2 * change.deltas[0],))

    X, y = random_data(1)
    run = kpviz.train(Twice(), X, y, kernel=Gaussian(0.5), epochs=2)
    assert set(np.abs(run.changes.delta)) == {2.0}


def test_the_loop_says_what_the_pseudo_code_says():
    source = inspect.getsource(loops.one_by_one).splitlines()
    lines = [line.partition("#")[2].strip() for line in source if "  # " in line]
    code = [
        line.strip().removeprefix("else: ") for line in words_of(Perceptron(intercept="unit")).code
    ]
    assert [line.removeprefix("else: ") for line in lines] == code


# ---- progress


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(loops, "_SECONDS_BETWEEN_PROGRESS", 0.0)


def calls_of(learner, X, y, **how):
    calls = []
    return calls, kpviz.train(learner, X, y, progress=lambda *call: calls.append(call), **how)


def test_progress_may_be_a_bar_which_a_short_training_does_not_show(capsys, monkeypatch):
    X, y = kpviz.make_dataset("xor", n_samples=40, seed=0)
    train = partial(
        kpviz.train,
        kpviz.learners.Perceptron(),
        X,
        y,
        epochs=2,
        stop_when_clean=False,
        progress=True,
    )
    monkeypatch.setattr("kpviz.engine.run.train._SECONDS_BETWEEN_PROGRESS", 60.0)
    train()
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr("kpviz.engine.run.train._SECONDS_BETWEEN_PROGRESS", 0.0)
    train()
    output, bar = capsys.readouterr()
    assert output == ""
    lines = bar.removesuffix("\n").split("\r")[1:]
    assert bar.count("\n") == 1
    for line in lines:
        filled, empty, done, limit = re.fullmatch(
            r"(█*)(░*) (\d+) of at most (\d+) examples shown", line
        ).groups()
        assert len(filled + empty) == 30
        assert int(limit) == 80
        assert len(filled) == 30 * int(done) // 80
    with pytest.raises(ValueError, match="or be True for a bar"):
        kpviz.train(kpviz.learners.Perceptron(), X, y, progress=1)


class Interrupted(kpviz.learners.Perceptron):
    def gains(self, memory):
        return None

    def change(self, memory, t, i, scores, coef):
        raise KeyboardInterrupt


def test_a_bar_that_is_interrupted_ends_its_line(capsys, monkeypatch):
    X, y = kpviz.make_dataset("xor", n_samples=8, seed=0)
    monkeypatch.setattr("kpviz.engine.run.train._SECONDS_BETWEEN_PROGRESS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        kpviz.train(Interrupted(), X, y, progress=True)
    assert capsys.readouterr().err.endswith("examples shown\n")


def test_progress_is_told_now_and_then_not_at_every_presentation():
    calls, _ = calls_of(Perceptron(), *contradictory(), epochs=3)
    assert len(calls) < 39


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "learner", [Perceptron(intercept="unit"), RemoveOldest(3)], ids=["fast", "one by one"]
)
def test_an_exception_in_progress_cancels_and_leaves_a_consistent_run(learner):
    X, y = contradictory(60)
    calls, whole = calls_of(learner, X, y, epochs=4)
    assert calls == sorted(calls)
    assert {limit for _, limit in calls} == {4 * len(y)}
    assert len(calls) >= 4
    for last in range(len(calls)):
        left = iter(range(last))
        run = kpviz.train(learner, X, y, epochs=4, progress=lambda *call, left=left: next(left))
        n = run.n_steps
        assert (run.end, run.converged, n) == ("cancelled", False, calls[last][0])
        assert len(run.index) == len(run.score) == len(run.mistake) == n
        assert_array_equal(run.score, whole.score[:n])
        assert_array_equal(run.epoch_start, np.arange(0, n, len(y)))
        assert run.mistakes_per_epoch.sum() == run.mistake.sum() == len(run.changes)
        assert_array_equal(run.state_at(n).coef, whole.state_at(n).coef)
        expected = whole.decision_function(X, n, "voted")
        assert_allclose(run.decision_function(X, predictor="voted"), expected)


def interrupt(done, limit):
    assert 0 <= done <= limit
    raise KeyboardInterrupt


@pytest.mark.usefixtures("impatient")
def test_ctrl_c_is_not_swallowed_and_ends_scores_scales_and_means():
    X, y = contradictory()
    with pytest.raises(KeyboardInterrupt):
        kpviz.train(Perceptron(), X, y, progress=interrupt)
    forgets, shrinks = (
        kpviz.train(each, X, y, kernel=Gaussian(0.5)) for each in (RemoveOldest(4), Norma())
    )
    votes = kpviz.train(
        Perceptron(), *kpviz.make_dataset("xor", 4, 0.0), kernel=Linear(), epochs=600
    )
    assert len(votes.changes) > 2048
    for call in (
        lambda: predictors.errors_per_epoch(forgets, X, y, "averaged", interrupt),
        lambda: predictors.errors_per_epoch(shrinks, X, y, "averaged", interrupt),
        lambda: grid.scales(forgets, "averaged", interrupt),
        lambda: scores_after(forgets, interrupt),
        lambda: predictors.scores(votes, votes.X, [votes.n_steps], "voted", interrupt),
    ):
        with pytest.raises(KeyboardInterrupt):
            call()


class Interrupting(Perceptron):
    """Ctrl+C while a change is noted: its step is there, its gain is not."""

    change = Perceptron.change

    def gains(self, memory):
        return super().gains(memory)._replace(gain=lambda t, i, margin: 1.0 if t < 5 else self)

    def __float__(self):
        raise KeyboardInterrupt


def test_ctrl_c_ends_a_training_wherever_it_falls():
    with pytest.raises(KeyboardInterrupt):
        kpviz.train(Interrupting(), *contradictory())


def owned(array):
    """The memory that an array keeps alive."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.nbytes


@pytest.mark.parametrize("intercept", ["none", "radius"])
def test_the_record_of_a_million_presentations_fits_in_50_megabytes_even_if_all_are_mistakes(
    intercept,
):
    n, epochs = 1000, 100
    y = np.where(
        np.arange(n) % 2, 1.0, -1.0
    )  # one point under both labels in turn: every presentation is a mistake
    run = kpviz.train(
        Perceptron(intercept=intercept), np.ones((n, n)), y, kernel="precomputed", epochs=epochs
    )
    assert run.n_steps == len(run.changes) == 100_000
    changes = run.changes
    arrays = [
        run.index,
        run.score,
        run.mistake,
        run.epoch_start,
        changes.step,
        changes.pointer,
        changes.index,
    ]
    arrays += [changes.delta, changes.shift, changes.shrink, *run.details.values()]
    assert sum(map(owned, arrays)) / run.n_steps * 1_000_000 <= 50e6
