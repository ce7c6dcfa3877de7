"""Laws of every learner in the registry, over kernels, data and orders."""

from dataclasses import fields
from functools import cache

import numpy as np
import pytest
from covering import covering, in_turn
from numpy.testing import assert_allclose, assert_array_equal
from textbook import KERNELS, random_data

import kpviz
from kpviz.engine.kernels import Gaussian
from kpviz.engine.learners import LEARNERS

TOYS = ["xor", "spirals", "shifted"]
ORDERS = ("cyclic", "shuffled", "random")
PREDICTORS = ("last", "averaged", "voted")

OTHER_SETTINGS = {
    "Perceptron": [{"learning_rate": 0.3, "intercept": "radius"}],
    "Forgetron": [{"budget": 3}, {"budget": 5, "variant": "basic"}],
    "RemoveOldest": [{"budget": 4}],
    "RandomizedBudget": [{"budget": 4}],
    "Projectron": [{"threshold": 0.4}],
    "Norma": [
        {"learning_rate": 0.4, "regularization": 0.1, "nu": 0.3, "schedule": "inverse-sqrt"},
        {"learning_rate": 0.7, "regularization": 0.0, "margin": 0.2},
        {"learning_rate": 0.2, "regularization": 0.3, "truncation": 7, "fit_intercept": False},
    ],
    "PassiveAggressive": [{"variant": "PA-I", "C": 0.4}, {"variant": "PA-II", "C": 2.0}],
    "SVM": [{"C": 5.0, "tol": 1e-4}],
    "KernelLogistic": [{"learning_rate": 0.5, "regularization": 0.02}],
}
BY_CLASS = {cls.__name__: cls for cls in LEARNERS.values()}
FAMILY = [cls() for cls in LEARNERS.values()]
FAMILY += [cls(**more) for name, cls in BY_CLASS.items() for more in OTHER_SETTINGS.get(name, [])]
ONLINE = [learner for learner in FAMILY if type(learner).__name__ != "SVM"]
WITHOUT_DRAWS = [learner for learner in ONLINE if type(learner).__name__ != "RandomizedBudget"]
WITH_ENTRIES = ("Forgetron", "RemoveOldest", "RandomizedBudget", "Norma")

over_family = pytest.mark.parametrize("learner", FAMILY, ids=repr)
SHOWN = list(zip(TOYS, ORDERS, strict=True))
OVER_RUNS = [(FAMILY[i], KERNELS[name], *shown) for i, name, shown in covering(range(len(FAMILY)), KERNELS, SHOWN)]
over_runs = in_turn(OVER_RUNS, lambda learner, *_: repr(learner))


def suited(learner, kernel, X):
    """The kernel, with k(x, x) = 1 where the learner asks for it."""
    too_large = type(learner).__name__ == "Forgetron" and kernel.diag(X).max() > 1
    return kernel.normalized() if too_large else kernel


def trained(learner, X, y, kernel=Gaussian(0.5), **options):  # noqa: B008 - frozen
    return kpviz.train(learner, X, y, kernel=suited(learner, kernel, np.asarray(X)), **options)


def runs_of(learner):
    for toy, order in zip(TOYS, ORDERS, strict=True):
        yield run_of(learner, Gaussian(0.5), toy, order)


@cache
def run_of(learner, kernel, toy, order):
    X, y = kpviz.make_dataset(toy, n_samples=12, noise=0.13, seed=2, flipped=0.1)
    return trained(learner, X, y, kernel, order=order if learner in ONLINE else "cyclic", epochs=3, seed=4)


def record(run):
    """All arrays that a run consists of."""
    changes = {f"changes.{column.name}": getattr(run.changes, column.name) for column in fields(run.changes)}
    details = {f"details.{name}": value for name, value in run.details.items()}
    return {"index": run.index, "score": run.score, "epoch_start": run.epoch_start, **changes, **details}


def assert_same_record(one, other):
    ours, theirs = record(one), record(other)
    assert ours.keys() == theirs.keys()
    for name, array in ours.items():
        assert_array_equal(array, theirs[name], err_msg=name)
    assert one.end == other.end


@cache
def naive_states(run):
    """Fold the changes one by one, keeping what each presentation added apart from all else."""
    changes, entries, b, c = run.changes, [], 0.0, 0
    states = [(np.zeros(len(run.y)), 0.0)]
    for t in range(run.n_steps):
        if c < len(changes) and changes.step[c] == t:
            entries = [(step, i, weight * changes.shrink[c]) for step, i, weight in entries]
            for p in range(changes.pointer[c], changes.pointer[c + 1]):
                entries.append((t, changes.index[p], changes.delta[p]))
            if changes.evicted[c] >= 0:
                assert changes.evicted[c] in {step for step, *_ in entries}
                entries = [entry for entry in entries if entry[0] != changes.evicted[c]]
            b += changes.shift[c]
            c += 1
        coef = np.zeros(len(run.y))
        for _, i, weight in entries:
            coef[i] += weight
        states.append((run.unit * coef, run.unit * b))
    assert c == len(changes)
    return states


def states_of(run):
    return [run.state_at(t) for t in range(run.n_steps + 1)]


def test_the_whole_family_is_registered():
    assert set(OTHER_SETTINGS) <= set(BY_CLASS)
    assert all(getattr(kpviz.learners, name) is cls for name, cls in BY_CLASS.items())


@over_runs
def test_a_replay_is_the_state(learner, kernel, toy, order):
    run = run_of(learner, kernel, toy, order)
    states = states_of(run)
    coef, b = (np.array(part) for part in zip(*naive_states(run), strict=True))
    scale = 1 + np.abs(coef).max()
    assert [state.t for state in states] == list(range(run.n_steps + 1))
    assert_allclose([state.coef for state in states], coef, rtol=1e-9, atol=1e-12 * scale)
    assert_allclose([state.intercept for state in states], b, rtol=1e-9, atol=1e-12 * scale)
    assert_array_equal([state.alpha for state in states], [run.y * state.coef for state in states])
    supports = [np.flatnonzero(row).tolist() for row in coef]
    assert [state.support.tolist() for state in states] == supports


@over_runs
def test_the_score_that_was_recorded_is_the_score_of_the_state(learner, kernel, toy, order):
    run = run_of(learner, kernel, toy, order)
    states = states_of(run)[:-1]
    terms = run.kernel(run.X, run.X)[run.index] * [state.coef for state in states]
    b = np.array([state.intercept for state in states])
    size = 1e-9 * (1 + np.abs(terms).max(initial=0.0))
    assert_allclose(run.score, terms.sum(axis=1) + b, atol=size)
    empty = np.array([not state.support.size for state in states])
    assert_array_equal(run.score[empty], b[empty])  # not the rest of a subtraction
    for t in range(0, run.n_steps, 5):
        i = run.index[t]
        assert_allclose(run.margins_at(t)[i], run.y[i] * run.score[t], atol=size)


@over_runs
def test_the_readings_are_a_mean_and_a_vote_over_the_states(learner, kernel, toy, order):
    Z, _ = random_data(9, n=6)
    run = run_of(learner, kernel, toy, order)
    columns = run.kernel(Z, run.X)
    after = np.array([columns @ coef + b for coef, b in naive_states(run)])
    size = 1 + np.abs(after).max()
    for t in (0, 1, run.n_steps // 2, run.n_steps):
        last, averaged, voted = (run.decision_function(Z, t=t, predictor=p) for p in PREDICTORS)
        counted = after[1 : t + 1]
        assert_allclose(last, after[t], rtol=1e-8, atol=1e-9 * size)
        assert_allclose(averaged, counted.mean(axis=0) if t else np.zeros(6), rtol=1e-8, atol=1e-9 * size)
        sure = (np.abs(counted) > 1e-9 * size) | (counted == 0)
        votes = np.where(counted >= 0, 1.0, -1.0).sum(axis=0)
        assert (np.abs(voted - votes) <= 2 * (~sure).sum(axis=0)).all()


@over_family
def test_training_leaves_its_inputs_alone_and_repeats_itself(learner):
    settings = repr(learner)
    for order in ORDERS if learner in ONLINE else ORDERS[:1]:
        X, y = kpviz.make_dataset("blobs", n_samples=25, seed=3)
        kept = X.copy(), y.copy()
        first, again = (trained(learner, X, y, order=order, epochs=4, seed=3) for _ in range(2))
        assert_same_record(first, again)
        assert_array_equal(X, kept[0])
        assert_array_equal(y, kept[1])
        assert repr(learner) == settings
    gram = Gaussian(0.5)(X, X)
    before = gram.copy()
    assert kpviz.train(learner, gram, y, kernel="precomputed", epochs=2).n_steps
    assert_array_equal(gram, before)


@over_family
def test_reading_a_run_does_not_change_it(learner):
    X, y = random_data(2, n=15)
    run = trained(learner, X, y, epochs=3)
    before = {name: array.copy() for name, array in record(run).items()}
    for t in (0, run.n_steps // 2, run.n_steps, 1):
        run.state_at(t).coef[:] = 7.0
        for predictor in PREDICTORS:
            run.decision_function(X, t=t, predictor=predictor)
    for name, array in record(run).items():
        assert_array_equal(array, before[name], err_msg=name)
    assert_allclose(run.state_at(run.n_steps).coef, naive_states(run)[-1][0], rtol=1e-9, atol=1e-12)


@over_family
def test_what_is_recorded_has_a_place_for_every_presentation(learner):
    for run in runs_of(learner):
        assert len(run.index) == len(run.score) == len(run.mistake) == run.n_steps
        assert np.isfinite(run.score).all()
        assert run.mistakes_per_epoch.sum() == run.mistake.sum()
        assert_array_equal(run.mistake, run.y[run.index] * run.score <= 0)
        for name, array in run.details.items():
            assert array.shape == (run.n_steps,), name
            assert array.dtype == bool or np.isfinite(array).all(), name
        changes = run.changes
        assert (np.diff(changes.step) > 0).all()
        assert len(changes.evicted) == len(changes)
        assert (changes.evicted < changes.step).all()


@over_family
def test_what_a_learner_says_of_its_changes_is_so(learner):
    for run in runs_of(learner):
        if learner.always_changes:
            assert_array_equal(run.changes.step, np.arange(run.n_steps))
        if learner.update_margin is not None:
            margins = (run.y[run.index] * run.score / run.unit)[run.changes.step]
            assert (margins <= learner.update_margin + 1e-9).all()
        assert learner.evicts or (run.changes.evicted == -1).all()
        held = max(len(run.entries_at(t).step) for t in range(run.n_steps + 1))
        assert learner.capacity is None or held <= learner.capacity


@over_family
def test_a_longer_training_begins_as_a_shorter_one(learner):
    X, y = kpviz.make_dataset("blobs", n_samples=20, seed=1, flipped=0.1)
    for order in ORDERS if learner in ONLINE else ORDERS[:1]:
        short, long = (trained(learner, X, y, order=order, epochs=e, seed=8, stop_when_clean=False) for e in (2, 5))
        assert_array_equal(short.score, long.score[: short.n_steps])
        assert_array_equal(short.index, long.index[: short.n_steps])
        for name, array in short.details.items():
            assert_array_equal(array, long.details[name][: short.n_steps], err_msg=name)


@over_family
def test_a_precomputed_gram_is_its_kernel(learner):
    X, y = random_data(6, n=16)
    run = trained(learner, X, y, epochs=3)
    other = kpviz.train(learner, Gaussian(0.5)(X, X), y, kernel="precomputed", epochs=3)
    assert_same_record(run, other)


@pytest.mark.parametrize("learner", ONLINE, ids=repr)
def test_swapping_the_classes_turns_every_score_round(learner):
    X, y = random_data(6, n=16)
    run, other = (trained(learner, X, labels, order="shuffled", epochs=3) for labels in (y, -y))
    assert_array_equal(run.index, other.index)
    assert_allclose(run.score, -other.score, rtol=1e-12)
    assert_allclose(run.state_at(run.n_steps).coef, -other.state_at(run.n_steps).coef, rtol=1e-12)


# -- orders and seeds -------------------------------------------------------------------------------------------------


@in_turn([(learner, order) for learner in ONLINE for order in ORDERS], lambda learner, _: repr(learner))
def test_runs_with_the_same_seed_are_shown_the_same_examples(learner, order):
    X, y = kpviz.make_dataset("moons", n_samples=20, noise=0.2, seed=1)
    for seed in (0, 5):
        options = {"order": order, "epochs": 6, "seed": seed, "stop_when_clean": False}
        run, plain = (trained(x, X, y, **options) for x in (learner, kpviz.learners.Perceptron()))
        assert_array_equal(run.index, plain.index)
        assert_array_equal(run.epoch_start, plain.epoch_start)


@pytest.mark.parametrize("learner", ONLINE, ids=repr)
def test_an_order_that_is_given_is_shown_as_given(learner):
    X, y = random_data(1, n=9)
    rows = np.random.default_rng(3).integers(0, 9, (4, 7))
    assert_array_equal(trained(learner, X, y, order=rows, stop_when_clean=False).index, rows.ravel())


@pytest.mark.parametrize("learner", WITHOUT_DRAWS, ids=repr)
def test_without_draws_of_its_own_the_seed_is_the_orders_alone(learner):
    X, y = random_data(2, n=15)
    one, other = (trained(learner, X, y, order="cyclic", epochs=4, seed=s) for s in (1, 2))
    assert_same_record(one, other)


# -- going on ---------------------------------------------------------------------------------------------------------


def assert_goes_on(whole, second, half):
    near = {"rtol": 1e-8, "atol": 1e-10 * (1 + np.abs(whole.score).max())}
    assert_allclose(second.score, whole.score[half:], **near, err_msg="does `resume` restore what the memory counts?")
    assert_array_equal([second.index, second.mistake], [whole.index[half:], whole.mistake[half:]])
    for name, array in whole.details.items():
        atol = 1e-6 if name == "distance" else 1e-10  # rounding, under a root
        assert_allclose(second.details[name], array[half:], rtol=1e-8, atol=atol, err_msg=name)
    ours, theirs = states_of(second), states_of(whole)[half:]
    for name in ("coef", "intercept"):
        expected = [getattr(state, name) for state in theirs]
        assert_allclose([getattr(state, name) for state in ours], expected, rtol=1e-8, atol=1e-10)
    assert [state.support.tolist() for state in ours] == [state.support.tolist() for state in theirs]


@pytest.mark.parametrize("kernel", ["polynomial", "gaussian", "sum"])
@pytest.mark.parametrize("learner", WITHOUT_DRAWS, ids=repr)
def test_two_halves_are_one_run(learner, kernel):
    for seed in range(2):
        X, y = random_data(seed, n=13)
        X = X / 2  # far from each other, examples score so near 0 that rounding decides
        options = {"kernel": KERNELS[kernel], "order": "cyclic", "stop_when_clean": False}
        whole = trained(learner, X, y, epochs=6, **options)
        first = trained(learner, X, y, epochs=2, **options)
        start = first.state_at(first.n_steps)
        second = trained(learner, X, y, epochs=4, start=start, **options)
        assert_goes_on(whole, second, first.n_steps)
        third = trained(learner, X, y, epochs=2, start=second.state_at(26), **options)
        assert_goes_on(whole, third, first.n_steps + 26)


@pytest.mark.parametrize("learner", WITHOUT_DRAWS, ids=repr)
def test_a_run_goes_on_from_the_middle_of_an_epoch(learner):
    X, y = random_data(7, n=13)
    rows = np.random.default_rng(1).integers(0, 13, (1, 60))
    whole = trained(learner, X, y, order=rows, stop_when_clean=False)
    for t in (0, 1, 17, 59):
        second = trained(learner, X, y, order=rows[:, t:], start=whole.state_at(t), stop_when_clean=False)
        assert_goes_on(whole, second, t)


@pytest.mark.parametrize("learner", [x for x in ONLINE if "budget" in vars(x)], ids=repr)
def test_a_budget_holds_when_a_run_goes_on(learner):
    X, y = random_data(8, n=30)
    first = trained(learner, X, y, epochs=2, order="random")
    second = trained(learner, X, y, epochs=2, order="random", start=first.state_at(first.n_steps), seed=1)
    coef = []
    for t in range(second.n_steps + 1):
        entries = second.entries_at(t)
        assert len(entries.step) <= learner.budget
        coef.append(np.bincount(entries.index, entries.weight, minlength=30))
    ours = np.array([state.coef for state in states_of(second)])
    assert_allclose(ours, coef, rtol=1e-9, atol=1e-12)
    assert_array_equal(ours != 0, np.array(coef) != 0)


@in_turn([case for case in OVER_RUNS if type(case[0]).__name__ in WITH_ENTRIES], lambda learner, *_: repr(learner))
def test_the_entries_alive_are_those_that_were_made_and_not_evicted(learner, kernel, toy, order):
    run = run_of(learner, kernel, toy, order)
    made = dict(zip(run.changes.step.tolist(), np.diff(run.changes.pointer).tolist(), strict=True))
    coef = []
    for t in range(run.n_steps + 1):
        gone = set(run.changes.evicted[run.changes.step < t].tolist())
        entries = run.entries_at(t)
        assert entries.step.tolist() == [s for s in sorted(made) if s < t and made[s] and s not in gone]
        assert entries.index.tolist() == run.index[entries.step].tolist()
        coef.append(np.bincount(entries.index, entries.weight, minlength=len(run.y)))
    assert_allclose([state.coef for state in states_of(run)], coef, rtol=1e-9, atol=1e-12)


# -- what is refused --------------------------------------------------------------------------------------------------

NOT_A_RATE = (0.0, -1.0, np.nan, np.inf, "1", True, None)
NOT_A_SHARE = (-0.1, np.nan, np.inf, "0", True, None)
NOT_A_COUNT = (0, -1, 2.5, "10", True)
REFUSED = {
    ("Forgetron", "budget"): (*NOT_A_COUNT, None),
    ("Forgetron", "variant"): ("selftuned", None, 1),
    ("RemoveOldest", "budget"): (*NOT_A_COUNT, None),
    ("RandomizedBudget", "budget"): (*NOT_A_COUNT, None),
    ("Projectron", "threshold"): NOT_A_SHARE,
    ("Norma", "learning_rate"): NOT_A_RATE,
    ("Norma", "regularization"): NOT_A_SHARE,
    ("Norma", "margin"): (np.nan, np.inf, "1", True, None),
    ("Norma", "nu"): (-0.1, 1.1, np.nan, "0.5", True),
    ("Norma", "schedule"): ("linear", None, 1),
    ("Norma", "truncation"): NOT_A_COUNT,
    ("Norma", "fit_intercept"): ("yes", None, 2),
    ("PassiveAggressive", "variant"): ("pa", None, 1),
    ("PassiveAggressive", "C"): NOT_A_RATE,
    ("SVM", "C"): NOT_A_RATE,
    ("SVM", "tol"): NOT_A_RATE,
    ("KernelLogistic", "learning_rate"): NOT_A_RATE,
    ("KernelLogistic", "regularization"): NOT_A_SHARE,
}


@pytest.mark.parametrize(("name", "argument"), REFUSED)
def test_a_setting_out_of_range_is_refused_in_one_sentence_that_names_it(name, argument):
    for bad in REFUSED[name, argument]:
        with pytest.raises(ValueError, match=rf"\b{argument}\b") as caught:
            BY_CLASS[name](**{argument: bad})
        message = str(caught.value)
        assert "\n" not in message
        assert message.endswith(".")
        assert ". " not in message


@over_family
def test_learners_are_frozen_settings_that_compare_by_value(learner):
    copy = type(learner)(**vars(learner))
    assert copy == learner
    assert hash(copy) == hash(learner)
    for name in vars(learner):
        with pytest.raises(AttributeError):
            setattr(learner, name, 1)
    for name, allowed in learner.ranges.items():
        assert allowed.low <= allowed.default <= allowed.high
        for value in (allowed.low, allowed.default, allowed.high):
            type(learner)(**{name: None if value == allowed.off else value})
