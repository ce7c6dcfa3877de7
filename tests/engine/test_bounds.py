"""No run breaks its bound, at any step; what is shown beside it is what the formula is made of."""

import itertools
import math
import re
from dataclasses import dataclass

import numpy as np
import pytest
from drawn_runs import LEARNER, SEEDS
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from textbook import KERNELS, TOYS, integer_data, noisy_clouds, random_data

import kpviz
from kpviz.engine import theory
from kpviz.engine.kernels import Gaussian, Linear, Polynomial, Sigmoid
from kpviz.engine.learners import LEARNERS, Forgetron, Learner, PassiveAggressive, Perceptron
from kpviz.engine.learners.perceptron import INTERCEPTS
from kpviz.engine.run.train import ORDERS
from kpviz.engine.theory.applicable_bounds import proof_of
from kpviz.engine.theory.geometry import regularized

XOR, LABELS = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
ROUNDING = 1 + 1e-6
SPACES = [Linear(), Polynomial(2, 1.0), Gaussian(0.5), KERNELS["laplacian"]]
VALUE = {
    "plain": lambda q: (q["R"] / q["γ"]) ** 2,
    "unit": lambda q: (q["R"] ** 2 + 1) / q["γ"] ** 2,
    "radius": lambda q: (2 * q["R"] / q["γ"]) ** 2,
    "nonseparable": lambda q: ((q["R"] + q["D"]) / q["θ"]) ** 2,
    "forgetron": lambda q: 2 * q["‖g‖"] ** 2 + 4 * q["L"],
    "pa": lambda q: (q["R"] / q["γ"]) ** 2,
    "pa-i": lambda q: np.maximum(q["R"] ** 2, 1 / q["C"]) * (q["‖u‖"] ** 2 + 2 * q["C"] * q["L"]),
    "pa-ii": lambda q: (q["R"] ** 2 + 1 / (2 * q["C"])) * (q["‖u‖"] ** 2 + 2 * q["C"] * q["S"]),
    "voted": lambda q: 2 * q["E[M]"] / (q["m"] + 1),
}


def check(run, predictor="last"):
    """No bound is broken at any instant; each is its formula of its quantities, or says in a
    sentence why not.
    """
    so_far = np.concatenate([[0], np.cumsum(run.mistake)])
    found = theory.bounds_of(run, predictor=predictor, times=range(run.n_steps + 1))
    for bound in found:
        assert_array_equal(bound.times, np.arange(run.n_steps + 1))
        assert (bound.why == "") == (not bound.vacuous)
        assert bound.why == "" or bound.why.endswith(".")
        if not bound.applies:
            assert (bound.value, bound.vacuous) == (math.inf, True)
            continue
        shown = {
            quantity.symbol: np.array(quantity.values or quantity.value)
            for quantity in bound.quantities
        }
        with np.errstate(divide="ignore", invalid="ignore"):
            assert_allclose(
                bound.values[1:],
                np.broadcast_to(VALUE[bound.key](shown), len(so_far))[1:],
                rtol=1e-6,
            )
        assert shown["M"] == so_far[-1]
        assert bound.value == bound.values[-1]
        assert bound.vacuous == (bound.value >= (1 if bound.key == "voted" else run.n_steps))
        if bound.key != "voted":
            assert (so_far <= bound.values * ROUNDING + 1e-9).all()
            assert math.floor(bound.value) >= so_far[-1]
    return found


@settings(max_examples=150, deadline=None)
# The bound and the mistakes are 3.
@example(3, 3, 0.0, 0.0, Gaussian(0.5), kpviz.learners.Perceptron(), "cyclic", True)
@given(
    SEEDS,
    st.integers(1, 30),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.sampled_from([0.0, 3.0]),
    st.sampled_from(SPACES),
    LEARNER[Perceptron],
    st.sampled_from(ORDERS),
    st.booleans(),
)
def test_no_perceptron_breaks_any_of_its_bounds_at_any_step(
    seed, n, wrong, shift, kernel, learner, order, whole
):
    X, y = integer_data(seed, n) if whole else noisy_clouds(seed, n, wrong=wrong, shift=shift)
    run = kpviz.train(learner, X, y, kernel=kernel, order=order, epochs=12, seed=seed)
    found = check(run)
    novikoff = "plain" if learner.intercept == "none" else learner.intercept
    assert {bound.key for bound in found} == {novikoff, "nonseparable"}
    assert (found[0].key == novikoff) == found[0].applies or found[0].key == "nonseparable"
    assert next(bound for bound in found if bound.key == "nonseparable").applies


@settings(max_examples=60, deadline=None)
@given(
    SEEDS,
    st.integers(2, 25),
    st.sampled_from([0.05, 1.0]),
    st.sampled_from([0.0, -5.0]),
    st.sampled_from(ORDERS),
)
def test_with_an_intercept_novikoffs_bound_is_finite_on_what_a_shifted_plane_separates(
    seed, n, gap, offset, order
):
    X = np.random.default_rng(seed).standard_normal((n, 2))
    y = np.where(X[:, 0] >= 0, 1.0, -1.0)
    X[:, 0] += gap * y + offset
    for intercept in ("unit", "radius"):
        run = kpviz.train(Perceptron(intercept=intercept), X, y, order=order, epochs=40, seed=seed)
        bound = theory.bound_of(run)
        assert (bound.key, bound.applies) == (intercept, True)
        assert run.mistake.sum() <= bound.value * ROUNDING
    gram = X @ X.T
    assert theory.mistake_bound(gram + gram.diagonal().max(), y) <= theory.radius_mistake_bound(
        gram, y
    ) * (1 + 1e-4)


def test_bounds_worked_by_hand():
    line, y = np.array([[1.0], [3.0]]), np.array([-1.0, 1.0])
    by = {
        name: theory.bound_of(kpviz.train(Perceptron(intercept=name), line, y))
        for name in ("unit", "radius")
    }
    assert_allclose(
        by["unit"].value, 10 / (1 / 5), rtol=1e-6
    )  # hull of (-1, -1) and (3, 1): nearest is 1/√5 away
    assert_allclose(by["radius"].value, (2 * 3 / 1) ** 2, rtol=1e-5)
    one, around = np.array([[3.0]]), np.array([[3.0], [-3.0]])
    assert_allclose(theory.radius_mistake_bound(one @ one.T, [1.0]), 1.0)
    assert_allclose(theory.radius_mistake_bound(around @ around.T, [1.0, 1.0]), 4.0)
    for n in range(1, 30):  # whole numbers are not cut to the one before
        run = kpviz.train(Perceptron(), np.eye(n), np.ones(n), kernel="precomputed")
        assert math.floor(theory.bound_of(run).value) == n == run.mistake.sum()
    nothing = kpviz.train(Perceptron(), np.zeros((3, 2)), np.array([1.0, -1.0, 1.0]), epochs=2)
    assert all(bound.value >= nothing.mistake.sum() == 6 for bound in theory.bounds_of(nothing))


def shortfalls(margins, counts, margin):
    """D² and L, presentation by presentation."""
    shown = [m for m, count in zip(margins, counts, strict=True) for _ in range(count)]
    return sum(max(0.0, margin - m) ** 2 for m in shown), sum(
        max(0.0, 1 - m / margin) for m in shown
    )


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.floats(-2, 2), min_size=1, max_size=8), SEEDS, st.floats(0.01, 50), st.floats(0, 5)
)
def test_each_formula_is_its_textbook_loop(margins, seed, margin, radius):
    counts, u = np.random.default_rng(seed).integers(0, 5, len(margins)), np.array(margins)
    deviation, losses = shortfalls(margins, counts, margin)
    by_deviation = ((radius + math.sqrt(deviation)) / margin) ** 2
    assert_allclose(theory.deviation_bound(u, counts, radius, margin), by_deviation, rtol=1e-9)
    most = theory.hinge_bound(
        u, counts, radius, margin
    )  # the largest M with M <= L + (R/margin) √M
    assert_allclose(most, losses + radius / margin * math.sqrt(most), rtol=1e-9, atol=1e-9)
    assert most >= losses * (1 - 1e-9)
    assert_allclose(
        theory.forgetron_bound(u, counts, 1 / margin), 2 / margin**2 + 4 * losses, rtol=1e-9
    )


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.integers(1, 20))
def test_the_least_bound_is_one_of_its_formulas_and_near_the_least_of_all(seed, n):
    rng = np.random.default_rng(seed)
    u, counts = rng.uniform(-0.4, 1, n), rng.integers(0, 9, (3, n)).cumsum(axis=0)
    largest, grid = theory.forgetron_radius(100), np.geomspace(1e-3, 200, 300)
    for found, formula, tried in (
        (
            theory.least_deviation_bound(u, counts, 1.0),
            lambda row, m: theory.deviation_bound(u, row, 1.0, m),
            grid,
        ),
        (
            theory.least_hinge_bound(u, counts, 1.0),
            lambda row, m: theory.hinge_bound(u, row, 1.0, m),
            grid,
        ),
        (
            theory.least_forgetron_bound(u, counts, 100),
            lambda row, norm: theory.forgetron_bound(u, row, norm),
            np.linspace(0, largest, 300),
        ),
    ):
        for row, value, number in zip(counts, *found, strict=True):
            assert 0 <= number <= max(tried) * 1.5
            assert_allclose(value, formula(row, number), rtol=1e-6)
            assert value <= 1.02 * min(formula(row, each) for each in tried) + 0.02
    assert (theory.least_forgetron_bound(u, counts, 100)[1] <= largest).all()


@pytest.mark.parametrize("seed", range(4))
def test_the_comparator_is_near_the_best_that_a_general_optimiser_finds(seed):
    """The root of the deviation bound is R‖w‖ + D for w = u/margin: convex in w."""
    X, y = noisy_clouds(seed, 60, wrong=0.15)
    counts = np.random.default_rng(seed).integers(0, 30, 60)
    gram, size = X @ X.T, theory.radius(X @ X.T)

    def root(w):
        return size * np.linalg.norm(w) + math.sqrt(counts @ np.maximum(0.0, 1 - y * (X @ w)) ** 2)

    best = min(
        minimize(root, start, method="Nelder-Mead").fun for start in (np.ones(2), -np.ones(2))
    )
    w = X.T @ regularized(gram, y, counts)
    value = theory.least_deviation_bound(y * (X @ w) / np.linalg.norm(w), counts, size)[0][0]
    assert best**2 * (1 - 1e-6) <= value <= 1.01 * best**2


def test_one_epochs_shortfall_is_no_bound_for_fifty():
    run = kpviz.train(Perceptron(), XOR, LABELS, kernel=Linear(), epochs=50)
    assert run.mistake.sum() == 200
    u, once, size = LABELS * (XOR @ [1.0, 0.0]), np.ones(4, dtype=int), theory.radius(run.gram)
    for least in (theory.least_deviation_bound, theory.least_hinge_bound):
        assert least(u, once, size)[0][0] < 4.5
        assert least(u, 50 * once, size)[0][0] >= 200
    deviation, novikoff = theory.bounds_of(run)
    assert (deviation.applies, deviation.vacuous, deviation.value >= 200) == (True, True, True)
    assert novikoff.value == math.inf


@pytest.mark.parametrize("learner", [Perceptron(), PassiveAggressive(variant="PA-I")])
def test_what_is_short_by_rounding_alone_is_not_short(learner):
    run = kpviz.train(learner, XOR, LABELS, kernel=Polynomial(degree=2, coef0=1.0))
    [short] = [each for each in theory.bounds_of(run)[-1].quantities if each.symbol in ("D", "L")]
    assert short.value == 0.0


def test_where_few_labels_are_wrong_the_bound_for_any_examples_says_something():
    X, y = noisy_clouds(3, 200, wrong=0.0)
    y[:3] = -y[:3]
    run = kpviz.train(Perceptron(intercept="unit"), X, y, kernel=Linear(), epochs=20)
    bound = theory.bound_of(run)
    assert (bound.key, bound.applies, bound.vacuous) == ("nonseparable", True, False)
    assert run.mistake.sum() <= bound.value < run.n_steps
    assert (np.diff(bound.values) > 0).all()
    assert len(bound.values) == run.n_epochs


def test_the_values_are_given_for_the_end_of_each_epoch_and_now():
    run = kpviz.train(Perceptron(), *noisy_clouds(5, 20), epochs=4)
    for t, times in ((None, [20, 40, 60, 80]), (50, [20, 40, 50]), (40, [20, 40]), (0, [0])):
        assert all(bound.times.tolist() == times for bound in theory.bounds_of(run, t=t))
    whole = theory.bound_of(run)
    for t, until in ((0, 20), (7, 20), (20, 20), (61, 80), (80, 80)):
        assert whole.at(t) == theory.bound_of(run, t=until).value
    once = kpviz.train(Perceptron(), *noisy_clouds(5, 20), epochs=1)
    for each in (once, run):
        voted = theory.bound_of(each, predictor="voted")
        alone = [theory.bound_of(each, t=t, predictor="voted").value for t in range(21)]
        assert [voted.at(t) for t in range(21)] == alone
        assert alone[0] == 2.0  # of the one example to come one may be wrong
        assert len({*alone}) > 10
    assert voted.at(21) == math.inf


def test_without_an_intercept_a_letter_has_one_value_in_all_bounds_of_a_run():
    run = kpviz.train(Perceptron(), XOR, LABELS, kernel=Polynomial(degree=2, coef0=1.0))
    bounds = theory.bounds_of(run)
    assert len(bounds) == 2
    values = {(letter.symbol, letter.value) for bound in bounds for letter in bound.quantities}
    assert len({symbol for symbol, _ in values}) == len(values)


# ---- the Forgetron, the vote, and what has no theorem


def close_to_a_line(seed, n, wrong):
    """Directions near (1, 0) and (-1, 0): under the cosine kernel a short comparator has hardly any
    loss.
    """
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], n)
    angle = np.where(y > 0, 0.0, math.pi) + 0.1 * rng.standard_normal(n)
    return np.column_stack([np.cos(angle), np.sin(angle)]), np.where(rng.random(n) < wrong, -y, y)


@settings(max_examples=30, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 0.02, 0.5]), st.sampled_from([83, 100]), st.sampled_from(["self-tuned", "basic"]),
       st.sampled_from([Linear(), Gaussian(0.5)]), st.sampled_from(ORDERS))  # fmt: skip
def test_no_forgetron_breaks_its_bound_at_any_step(seed, wrong, budget, variant, kernel, order):
    X, y = close_to_a_line(seed, 60, wrong)
    (bound,) = check(
        kpviz.train(
            Forgetron(budget, variant), X, y, kernel=kernel, order=order, epochs=12, seed=seed
        )
    )
    assert (bound.key, bound.applies) == ("forgetron", True)


def test_the_forgetrons_bound_says_something_where_a_short_comparator_has_hardly_any_loss():
    run = kpviz.train(Forgetron(83), *close_to_a_line(1, 200, 0.02), kernel=Linear(), epochs=40)
    bound = theory.bound_of(run)
    assert 83 < run.mistake.sum() <= bound.value < run.n_steps  # some are forgotten
    X, y = random_data(2, n=60)
    small, large = (
        theory.bound_of(kpviz.train(Forgetron(B), X, y, kernel=Gaussian(0.3))) for B in (10, 83)
    )
    assert "at least 83: here it is 10" in small.why
    assert large.why.startswith("It says nothing")
    assert (small.applies, large.applies, large.vacuous) == (False, True, True)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 25), st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from(SPACES), LEARNER[PassiveAggressive],
       st.sampled_from(ORDERS), st.booleans())  # fmt: skip
def test_no_passive_aggressive_learner_breaks_its_bound_at_any_step(
    seed, n, wrong, kernel, learner, order, whole
):
    X, y = integer_data(seed, n) if whole else noisy_clouds(seed, n, wrong=wrong)
    run = kpviz.train(learner, X, y, kernel=kernel, order=order, epochs=6, seed=seed)
    (bound,) = check(run)
    margin = theory.max_margin(run.gram, y)
    assert (bound.key, bound.applies) == (
        learner.variant.lower(),
        learner.variant != "PA" or margin > 0,
    )
    if learner.variant == "PA" and margin > 0:
        assert_allclose(bound.value, theory.mistake_bound(run.gram, y))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("variant", ["PA-I", "PA-II"])
@pytest.mark.parametrize("C", [0.05, 2.0])
def test_the_bound_of_crammer_et_al_is_near_the_least_over_all_u(seed, variant, C):
    X, y = noisy_clouds(seed, 40, wrong=0.1)
    run = kpviz.train(PassiveAggressive(variant, C), X, y, epochs=5, order="random")
    counts, squared = np.bincount(run.index, minlength=40), (X**2).sum(axis=1).max()

    def value(u):
        losses = np.maximum(0.0, 1 - y * (X @ u))
        if variant == "PA-I":
            return max(squared, 1 / C) * (u @ u + 2 * C * counts @ losses)
        return (squared + 1 / (2 * C)) * (u @ u + 2 * C * counts @ losses**2)

    best = min(
        minimize(value, start, method="Nelder-Mead").fun
        for start in (np.ones(2), -np.ones(2), X.T @ y)
    )
    assert best * (1 - 1e-6) <= theory.bound_of(run).value <= 1.06 * best


def test_the_mistakes_that_the_vote_expects_are_those_of_one_example_more_than_were_seen():
    run = kpviz.train(Perceptron(), [[1.0, 0.01], [1.0, -0.01]], [1, -1], epochs=1)
    voted, *others = theory.bounds_of(run, t=1, predictor="voted")
    expected = min(bound.value for bound in others)
    assert 1.0 < expected < 2.0
    assert voted.value == pytest.approx(expected)  # 2 E[M] / (m + 1), not cut at one mistake


def test_the_vote_is_bounded_for_one_pass_over_separable_examples():
    X, _ = noisy_clouds(4, 300, wrong=0.0)
    X = X[np.abs(X @ [1.0, 0.5]) > 1.0]
    y = np.where(X @ [1.0, 0.5] > 0, 1.0, -1.0)
    m = len(y)
    one, two = (
        kpviz.train(Perceptron(), X, y, order="shuffled", epochs=epochs, stop_when_clean=False)
        for epochs in (1, 2)
    )
    voted, *others = check(one, "voted")
    assert (voted.key, voted.applies, voted.vacuous) == ("voted", True, False)
    assert_allclose(voted.value, 2 * min(bound.value for bound in others) / (m + 1))
    late = theory.bound_of(two, predictor="voted")
    assert (late.applies, late.value) == (False, math.inf)
    assert "one pass" in late.why
    assert (late.at(m), late.at(m + 1)) == (pytest.approx(voted.value, rel=0.1), math.inf)
    assert theory.bound_of(one, predictor="averaged").key == "plain"
    twice = kpviz.train(Perceptron(), X, y, order=np.array([[0, 1, 2, 1]]))
    assert [theory.bound_of(twice, t=t, predictor="voted").applies for t in (3, 4)] == [True, False]


def test_the_vote_has_no_bound_where_the_mistakes_have_none_or_a_zero_is_no_mistake():
    X, y = noisy_clouds(4, 30, wrong=0.0)
    for tie in ("correct", "positive", "negative"):
        run = kpviz.train(Perceptron(tie=tie), X, y, epochs=1)
        assert "zero score" in theory.bound_of(run, predictor="voted").why
    voted, mistakes = check(
        kpviz.train(Forgetron(5), X, y, kernel=Gaussian(0.5), epochs=1), "voted"
    )
    assert (voted.applies, mistakes.applies) == (False, False)
    assert voted.why == "It needs a bound on the mistakes, and none applies here."


@dataclass(frozen=True)
class Stranger(Perceptron):
    """A rule of one's own may share a perceptron's class, not its theorem."""

    about = Learner.about


def test_where_no_theorem_applies_a_sentence_says_why():
    X, y = noisy_clouds(2, 20)
    for kind in [*LEARNERS.values(), Stranger]:
        if kind not in (Perceptron, Forgetron, PassiveAggressive):
            (bound,) = check(run := kpviz.train(kind(), X, y, kernel=Gaussian(0.5), epochs=2))
            assert (bound.key, bound.applies) == (None, False)
            assert kind is Stranger or kind().about.title in proof_of(run).why
    assert bound.why == "No mistake bound is known that applies to Stranger."
    for intercept in INTERCEPTS:
        run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=Sigmoid(2.0, -1.0))
        assert all(
            "not positive semidefinite" in why
            for why in (theory.bound_of(run).why, proof_of(run).why)
        )
    first = kpviz.train(Perceptron(), X, y, epochs=2)
    again, fresh = (
        kpviz.train(Perceptron(), X, y, epochs=2, start=first.state_at(t))
        for t in (first.n_steps, 0)
    )
    assert all("earlier state" in why for why in (theory.bound_of(again).why, proof_of(again).why))
    assert theory.bound_of(fresh).applies
    thin = kpviz.train(
        Perceptron(), np.array([[1.0, 1e-8], [1.0, -1e-8]]), [1, -1], epochs=60
    )  # which is separated
    for found in (thin, kpviz.train(Perceptron(), XOR, LABELS, epochs=3)):
        whys = proof_of(found).why, theory.bounds_of(found)[1].why
        assert all(
            re.match(r"No margin above R/10⁶ .*was found on these examples", why) for why in whys
        )
    assert (
        "constant feature 1"
        in proof_of(kpviz.train(Perceptron(intercept="unit"), XOR, LABELS, epochs=3)).why
    )


# ---- Novikoff's proof


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(TOYS),
    st.sampled_from([name for name in KERNELS if name != "sigmoid"]),
    LEARNER[Perceptron],
    st.integers(2, 24),
    st.integers(0, 50),
)
@example("shifted", "monomial", Perceptron(), 8, 8)  # a margin so small that rounding is seen in it
def test_the_inequality_holds_at_each_mistake_and_its_numbers_are_those_of_w(
    toy, kernel, learner, n, seed
):
    X, y = kpviz.make_dataset(toy, n_samples=n, noise=0.05, seed=seed)
    run = kpviz.train(learner, X, y, kernel=KERNELS[kernel], epochs=8)
    proof = proof_of(run)
    if proof.why:
        assert proof.bound == np.inf
        return
    values, vectors = np.linalg.eigh(run.gram)
    feature = {"none": 0.0, "unit": 1.0, "radius": np.sqrt(run.gram.diagonal().max())}[
        learner.intercept
    ]
    phi = np.hstack([vectors * np.sqrt(np.maximum(values, 0.0)), np.full((len(y), 1), feature)])
    on = run.index[run.mistake]
    w = np.vstack([np.zeros(phi.shape[1]), np.cumsum(y[on, None] * phi[on], axis=0)])
    tolerance = 1e-7 * max(1.0, proof.radius) * len(w)
    assert_allclose(proof.norm, np.linalg.norm(w, axis=1), atol=np.sqrt(tolerance))
    assert_allclose(proof.radius, np.linalg.norm(phi, axis=1).max())
    rounding = (
        len(y) * np.finfo(float).eps * values[-1]
    )  # of the Gram matrix that the features give
    assert_allclose(
        proof.margin**2, theory.max_margin(phi @ phi.T, y) ** 2, rtol=2e-4, atol=rounding
    )
    u, *_ = np.linalg.lstsq(y[on, None] * phi[on], np.diff(proof.along), rcond=1e-9)
    assert (
        np.linalg.norm(u) <= 1 + 1e-4
    )  # the part of a unit vector that the examples of the mistakes see
    assert_allclose(w @ u, proof.along, atol=1e-5 * proof.radius * len(w))
    k = np.arange(len(w))
    inequality = [k * proof.margin, proof.along, proof.norm, np.sqrt(k) * proof.radius]
    assert all(
        (below <= above + tolerance).all() for below, above in itertools.pairwise(inequality)
    )
    assert run.mistake.sum() <= proof.bound * ROUNDING
