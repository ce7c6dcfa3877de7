"""No run breaks its bound, at any step; what is shown beside it is what the formula is made of."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from textbook import KERNELS, integer_data, noisy_clouds, random_data

import kpviz
from kpviz.engine import theory
from kpviz.engine.kernels import Gaussian, Linear, Polynomial
from kpviz.engine.learners import Forgetron, Perceptron
from kpviz.engine.learners.perceptron import INTERCEPTS, TIES
from kpviz.engine.theory.geometry import regularized

XOR, LABELS = kpviz.make_dataset("xor", n_samples=4, noise=0.0)
ROUNDING = 1 + 1e-6


def shortfalls(margins, counts, margin):
    """D² and L, presentation by presentation."""
    shown = [m for m, count in zip(margins, counts, strict=True) for _ in range(count)]
    return sum(max(0.0, margin - m) ** 2 for m in shown), sum(max(0.0, 1 - m / margin) for m in shown)


def largest_root(ratio, losses):
    """The largest M with M <= L + ratio √M, by bisection on √M."""
    low, high = 0.0, ratio + losses + 1
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle**2 <= losses + ratio * middle else (low, middle)
    return low**2


def mistakes_so_far(run):
    return np.concatenate([[0], np.cumsum(run.mistake)])


SOME_KERNELS = [Linear(), Polynomial(2, 1.0), Gaussian(0.5), KERNELS["laplacian"]]
ORDERS = ["cyclic", "shuffled", "random"]


@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 30),
    wrong=st.sampled_from([0.0, 0.1, 0.5]),
    shift=st.sampled_from([0.0, 3.0]),
    kernel=st.sampled_from(SOME_KERNELS),
    learner=st.builds(Perceptron, st.sampled_from([0.1, 1.0]), st.sampled_from(INTERCEPTS), st.sampled_from(TIES)),
    order=st.sampled_from(ORDERS),
)
def test_no_perceptron_breaks_any_of_its_bounds_at_any_step(seed, n, wrong, shift, kernel, learner, order):
    X, y = noisy_clouds(seed, n, wrong=wrong, shift=shift)
    run = kpviz.train(learner, X, y, kernel=kernel, order=order, epochs=12, seed=seed)
    found = theory.bounds_of(run, times=range(run.n_steps + 1))
    assert {bound.key for bound in found} == {
        {"none": "plain"}.get(learner.intercept, learner.intercept),
        "nonseparable",
        "hinge",
    }
    for bound in found:
        assert_array_equal(bound.times, np.arange(run.n_steps + 1))
        assert (mistakes_so_far(run) <= bound.values * ROUNDING + 1e-9).all()
        assert bound.value == bound.values[-1]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(2, 14), intercept=st.sampled_from(INTERCEPTS))
def test_exact_ties_do_not_break_a_bound_either(seed, n, intercept):
    X, y = integer_data(seed, n)
    run = kpviz.train(Perceptron(intercept=intercept), X, y, epochs=30)
    for bound in theory.bounds_of(run, times=range(run.n_steps + 1)):
        assert (mistakes_so_far(run) <= bound.values * ROUNDING + 1e-9).all()


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 25),
    gap=st.sampled_from([0.05, 0.3, 1.0]),
    offset=st.sampled_from([0.0, 2.0, -5.0]),
    intercept=st.sampled_from(["unit", "radius"]),
    order=st.sampled_from(ORDERS),
)
def test_with_an_intercept_novikoffs_bound_is_finite_on_what_a_shifted_plane_separates(
    seed, n, gap, offset, intercept, order
):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    y = np.where(X[:, 0] >= 0, 1.0, -1.0)
    X[:, 0] += gap * y + offset
    run = kpviz.train(Perceptron(intercept=intercept), X, y, order=order, epochs=40, seed=seed)
    bound = theory.bound_of(run)
    assert bound.key == intercept
    assert bound.applies
    assert math.isfinite(bound.value)
    assert run.mistake.sum() <= bound.value * ROUNDING


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 20), kernel=st.sampled_from(SOME_KERNELS))
def test_the_constant_feature_is_never_looser_than_two_r_over_the_margin(seed, n, kernel):
    X, y = noisy_clouds(seed, n, wrong=0.0)
    gram = kernel(X, X)
    loose = theory.radius_mistake_bound(gram, y)
    assume(math.isfinite(loose))
    assert theory.mistake_bound(gram + gram.diagonal().max(), y) <= loose * (1 + 1e-4)


def test_the_bounds_for_intercepts_are_those_worked_by_hand():
    line, y = np.array([[1.0], [3.0]]), np.array([-1.0, 1.0])
    by = {name: theory.bound_of(kpviz.train(Perceptron(intercept=name), line, y)) for name in ("unit", "radius")}
    assert_allclose(by["unit"].value, 10 / (1 / 5), rtol=1e-6)  # hull of (-1, -1) and (3, 1): nearest is 1/√5 away
    assert_allclose(by["radius"].value, (2 * 3 / 1) ** 2, rtol=1e-5)
    one = np.array([[3.0]])
    assert_allclose(theory.radius_mistake_bound(one @ one.T, [1.0]), 1.0)
    around = np.array([[3.0], [-3.0]])
    assert_allclose(theory.radius_mistake_bound(around @ around.T, [1.0, 1.0]), 4.0)


@settings(max_examples=80, deadline=None)
@given(
    margins=st.lists(st.floats(-2, 2), min_size=1, max_size=8),
    seed=st.integers(0, 100),
    margin=st.floats(0.01, 50),
    radius=st.floats(0, 5),
)
def test_each_formula_is_its_textbook_loop(margins, seed, margin, radius):
    counts = np.random.default_rng(seed).integers(0, 5, len(margins))
    deviation, losses = shortfalls(margins, counts, margin)
    u = np.array(margins)
    assert_allclose(
        theory.deviation_bound(u, counts, radius, margin), ((radius + math.sqrt(deviation)) / margin) ** 2, rtol=1e-9
    )
    assert_allclose(
        theory.hinge_bound(u, counts, radius, margin), largest_root(radius / margin, losses), rtol=1e-6, atol=1e-9
    )
    assert_allclose(theory.forgetron_bound(u, counts, 1 / margin), 2 / margin**2 + 4 * losses, rtol=1e-9)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 20))
def test_the_least_bound_is_one_of_its_formulas_and_near_the_least_of_all(seed, n):
    rng = np.random.default_rng(seed)
    u, counts = rng.uniform(-0.4, 1, n), rng.integers(0, 9, (3, n)).cumsum(axis=0)
    for least, formula in (
        (theory.least_deviation_bound, theory.deviation_bound),
        (theory.least_hinge_bound, theory.hinge_bound),
    ):
        values, margins = least(u, counts, 1.0)
        for row, value, margin in zip(counts, values, margins, strict=True):
            assert_allclose(value, formula(u, row, 1.0, margin), rtol=1e-6)
            best = min(formula(u, row, 1.0, m) for m in np.geomspace(1e-3, 200, 400))
            assert value <= 1.02 * best
    values, norms = theory.least_forgetron_bound(u, counts, 100)
    for row, value, norm in zip(counts, values, norms, strict=True):
        assert 0 <= norm <= theory.forgetron_radius(100)
        assert_allclose(value, theory.forgetron_bound(u, row, norm), rtol=1e-6)
        norms_tried = np.linspace(0, theory.forgetron_radius(100), 300)
        assert value <= 1.02 * min(theory.forgetron_bound(u, row, s) for s in norms_tried) + 0.02


@pytest.mark.parametrize("seed", range(4))
def test_the_comparator_is_near_the_best_that_a_general_optimiser_finds(seed):
    """The root of the deviation bound is R‖w‖ + D for w = u/margin: convex in w."""
    X, y = noisy_clouds(seed, 60, wrong=0.15)
    counts = np.random.default_rng(seed).integers(0, 30, 60)
    gram = X @ X.T
    size = theory.radius(gram)

    def root(w):
        return size * np.linalg.norm(w) + math.sqrt(counts @ np.maximum(0.0, 1 - y * (X @ w)) ** 2)

    best = min(minimize(root, start, method="Nelder-Mead").fun for start in (np.ones(2), -np.ones(2)))
    w = X.T @ regularized(gram, y, counts)
    value = theory.least_deviation_bound(y * (X @ w) / np.linalg.norm(w), counts, size)[0][0]
    assert best**2 * (1 - 1e-6) <= value <= 1.01 * best**2


def test_one_epochs_shortfall_is_no_bound_for_fifty():
    run = kpviz.train(Perceptron(), XOR, LABELS, kernel=Linear(), epochs=50)
    assert run.mistake.sum() == 200
    u = LABELS * (XOR @ [1.0, 0.0])
    once, all_of_it = np.bincount(run.index[:4], minlength=4), np.bincount(run.index, minlength=4)
    size = theory.radius(run.gram)
    for least in (theory.least_deviation_bound, theory.least_hinge_bound):
        assert least(u, once, size)[0][0] < 4.5
        assert least(u, all_of_it, size)[0][0] >= 200
    for bound in theory.bounds_of(run)[:2]:
        assert bound.applies
        assert bound.value >= 200
        assert bound.vacuous
    assert theory.bounds_of(run)[2].value == math.inf


def test_where_few_labels_are_wrong_the_bound_for_any_examples_says_something():
    X, y = noisy_clouds(3, 200, wrong=0.0)
    y[:3] = -y[:3]
    run = kpviz.train(Perceptron(intercept="unit"), X, y, kernel=Linear(), epochs=20)
    bound = theory.bound_of(run)
    assert bound.key in ("nonseparable", "hinge")
    assert bound.applies
    assert not bound.vacuous
    assert bound.why == ""
    assert run.mistake.sum() <= bound.value < run.n_steps
    assert len(bound.values) == run.n_epochs
    assert (np.diff(bound.values) > 0).all()


def test_on_separable_examples_the_other_forms_are_near_novikoffs_or_below():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    X[:, 0] += 0.5 * y
    run = kpviz.train(Perceptron(), X, y, epochs=50, stop_when_clean=False)
    plain, *others = theory.bounds_of(run)
    assert plain.key == "plain"
    assert all(bound.value <= 1.5 * plain.value for bound in others)


VALUE = {
    "plain": lambda q: (q["R"] / q["γ"]) ** 2,
    "unit": lambda q: (q["R"] ** 2 + 1) / q["γ"] ** 2,
    "radius": lambda q: (2 * q["R"] / q["γ"]) ** 2,
    "nonseparable": lambda q: ((q["R"] + q["D"]) / q["γ"]) ** 2,
    "hinge": lambda q: ((q["R"] / q["γ"] + math.sqrt((q["R"] / q["γ"]) ** 2 + 4 * q["L"])) / 2) ** 2,
    "forgetron": lambda q: 2 * q["‖g‖"] ** 2 + 4 * q["L"],
    "voted": lambda q: 2 * q["E[M]"] / (q["m"] + 1),
}


CASES = [(Perceptron(intercept=name), kernel) for name in INTERCEPTS for kernel in (Linear(), Gaussian(1.0))]


@pytest.mark.parametrize(("learner", "kernel"), [*CASES, (Forgetron(budget=90), Gaussian(1.0))])
def test_every_value_is_its_formula_of_the_quantities_shown(learner, kernel):
    X, y = noisy_clouds(1, 40, wrong=0.0, shift=1.0)
    run = kpviz.train(learner, X, y, kernel=kernel, epochs=6)
    for t in (1, 17, 40, run.n_steps):
        found = theory.bounds_of(run, t=t, predictor="voted")
        assert any(bound.applies for bound in found)
        for bound in found:
            assert bound.times[-1] == t
            assert bound.vacuous or bound.applies
            assert (bound.why == "") == (not bound.vacuous)
            if bound.applies:
                shown = {quantity.symbol: quantity.value for quantity in bound.quantities}
                assert_allclose(bound.value, VALUE[bound.key](shown), rtol=1e-6)
                assert shown["M"] == run.mistake[:t].sum()
                assert all(quantity.words for quantity in bound.quantities)
                assert bound.vacuous == (bound.value >= (1 if bound.key == "voted" else t))
            else:
                assert bound.value == math.inf


def test_the_values_are_given_for_the_end_of_each_epoch_and_now():
    X, y = noisy_clouds(5, 20)
    run = kpviz.train(Perceptron(), X, y, epochs=4)
    for t, times in ((None, [20, 40, 60, 80]), (50, [20, 40, 50]), (40, [20, 40]), (0, [0])):
        for bound in theory.bounds_of(run, t=t):
            assert bound.times.tolist() == times
            assert bound.values.shape == (len(times),)
    alone = [theory.bound_of(run, t=t).value for t in (20, 40, 60, 80)]
    together = theory.bound_of(run).values
    assert_allclose(together, alone, rtol=0.1)  # each instant has a comparator of its own


# ---- The Forgetron


def close_to_a_line(seed, n, wrong):
    """Directions near (1, 0) and (-1, 0): under the cosine kernel a short comparator has hardly any loss."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], n)
    angle = np.where(y > 0, 0.0, math.pi) + 0.1 * rng.standard_normal(n)
    return np.column_stack([np.cos(angle), np.sin(angle)]), np.where(rng.random(n) < wrong, -y, y)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    wrong=st.sampled_from([0.0, 0.02, 0.2, 0.5]),
    budget=st.sampled_from([83, 100]),
    variant=st.sampled_from(["self-tuned", "basic"]),
    kernel=st.sampled_from([Linear(), Gaussian(0.5)]),
    order=st.sampled_from(ORDERS),
)
def test_no_forgetron_breaks_its_bound_at_any_step(seed, wrong, budget, variant, kernel, order):
    X, y = close_to_a_line(seed, 60, wrong)
    run = kpviz.train(Forgetron(budget, variant), X, y, kernel=kernel, order=order, epochs=12, seed=seed)
    (bound,) = theory.bounds_of(run, times=range(run.n_steps + 1))
    assert bound.key == "forgetron"
    assert bound.applies
    assert (mistakes_so_far(run) <= bound.values * ROUNDING + 1e-9).all()


def test_the_forgetrons_bound_says_something_where_a_short_comparator_has_hardly_any_loss():
    X, y = close_to_a_line(1, 200, 0.02)
    run = kpviz.train(Forgetron(83), X, y, kernel=Linear(), epochs=40)
    bound = theory.bound_of(run)
    assert run.mistake.sum() > 83  # some are forgotten
    assert not bound.vacuous
    assert run.mistake.sum() <= bound.value < run.n_steps


def test_at_a_classrooms_budget_the_forgetron_has_no_bound_and_on_noise_an_empty_one():
    X, y = random_data(2, n=60)
    small = theory.bound_of(kpviz.train(Forgetron(10), X, y, kernel=Gaussian(0.3)))
    assert not small.applies
    assert small.vacuous
    assert "at least 83: here it is 10" in small.why
    large = theory.bound_of(kpviz.train(Forgetron(83), X, y, kernel=Gaussian(0.3)))
    assert large.applies
    assert large.vacuous
    assert large.why.startswith("It says nothing")
