"""The primal form: maps whose products are the kernel, a w that makes the same mistakes, and what a
step costs.
"""

import re
from collections import Counter
from dataclasses import replace
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from drawn_runs import LEARNER, SEEDS
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from textbook import integer_data, primal_perceptron, random_data, rows_of

import kpviz
from kpviz.engine.kernels import (
    AllSubsets,
    Function,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Monomial,
    Polynomial,
    Sigmoid,
)
from kpviz.engine.learners import Perceptron
from kpviz.engine.run.grid import Extent
from kpviz.engine.theory import primal
from kpviz.settings.kernel_words import kernel_label

MAPPED = {
    "linear": Linear(),
    "monomial 1": Monomial(1),
    "monomial 5": Monomial(5),
    "polynomial 1": Polynomial(1, 1.0),
    "polynomial 3": Polynomial(3, 0.3),
    "polynomial without constant": Polynomial(3, 0.0),
    "subsets": AllSubsets(),
    "sum": Linear() + Monomial(3),
    "product": Polynomial(2, 0.5) * AllSubsets(),
    "nested": (Linear() * Linear() + AllSubsets()) * Monomial(2),
}
UNMAPPED = [
    Gaussian(0.5),
    Laplacian(0.5),
    Sigmoid(),
    Function(lambda X, Z: X @ Z.T),
    Linear() + Gaussian(0.5),
    None,
]


def trained(kernel, X, y, learner=None, **settings):
    return kpviz.train(learner or Perceptron(), X, y, kernel=kernel, epochs=8, **settings)


# ---- maps


def test_names_are_written_as_on_a_blackboard():
    assert primal.feature_names(Monomial(2), 2) == ("u₁²", "√2·u₁u₂", "u₂²")
    assert primal.feature_names(Linear(), 11)[-1] == "u₁₁"
    assert primal.feature_names(AllSubsets(), 2) == ("1", "u₁", "u₂", "u₁u₂")
    assert primal.feature_names(Polynomial(2, 0.25), 1) == ("0.25", "0.707·u₁", "u₁²")
    assert primal.feature_names(Polynomial(2, 4.0), 1) == ("4", "√8·u₁", "u₁²")
    assert primal.feature_names(Monomial(2), ["width", "height"]) == (
        "width²",
        "√2·width·height",
        "height²",
    )


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("kernel", MAPPED.values(), ids=MAPPED)
def test_products_of_features_are_the_kernel_and_each_name_read_as_a_formula_gives_its_column(
    kernel, columns
):
    X, Z, powers = (
        random_data(1, 9, columns)[0],
        random_data(2, 6, columns)[0],
        str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"),
    )
    found, names = primal.features(kernel, X), primal.feature_names(kernel, [*"abc"[:columns]])
    assert_allclose(found @ primal.features(kernel, Z).T, kernel(X, Z), rtol=1e-10, atol=1e-10)
    assert found.shape[1] == primal.dimension(kernel, columns) == len(names)
    for name, column in zip(names, found.T, strict=True):
        value = np.ones(len(X))
        for root, factor, power in re.findall(r"(√?)([\d.]+|[abc])([⁰¹²³⁴-⁹]*)", name):
            base = X[:, "abc".index(factor)] if factor in "abc" else float(factor)
            value = value * base ** (0.5 if root else int(power.translate(powers) or 1))
        assert_allclose(column, value, rtol=2e-3)  # a factor is written with three digits


def test_dimensions_are_exact_where_no_map_could_be_built():
    assert primal.dimension(Monomial(10), 784) == comb(793, 10) > 2**53
    assert primal.dimension(Polynomial(1000, 1.0), 3) == 1003 * 1002 * 1001 // 6
    assert (
        primal.dimension(Monomial(3) + AllSubsets() * Linear(), 100) == comb(102, 3) + 2**100 * 100
    )
    for kernel, X, why in (
        (Monomial(10), np.ones((1, 784)), "would have .* columns: "),
        (AllSubsets(), np.ones((1, 784)), "would have .* columns: "),
        (Polynomial(1100, 1.0), [[1.0]], ""),
        (Monomial(3), [[1e200]], ""),
    ):
        with pytest.raises(ValueError, match=rf"^features {why}.*\.$"):
            primal.features(kernel, X)


@pytest.mark.parametrize(
    "kernel", UNMAPPED, ids=lambda kernel: kernel_label(kernel) if kernel else "precomputed"
)
def test_a_kernel_without_a_finite_map_is_refused_in_the_same_sentence_everywhere(kernel):
    sentence = primal.missing(kernel)
    assert sentence.endswith(".")
    assert ("infinitely" in sentence) == isinstance(
        kernel, Gaussian | Laplacian | type(Linear() + Linear())
    )
    for call in (
        primal.dimension,
        primal.feature_names,
        primal.map_multiplications,
        primal.features,
    ):
        with pytest.raises(ValueError, match=r"\.$") as caught:
            call(kernel, np.ones((1, 2)) if call is primal.features else 2)
        assert str(caught.value) == sentence


def test_what_has_no_primal_form_or_cannot_be_counted_is_refused():
    class Mine(Kernel):
        name = "Mine"

    assert primal.missing(Mine()) == "Mine has no feature map that kpviz can write out."
    run = trained(Gaussian(0.5), *random_data(1))
    assert primal.reading_or_why_not(run) == primal.missing(Gaussian(0.5))
    with pytest.raises(ValueError, match="infinitely many"):
        primal.read(run)
    for kernel in (Function(lambda X, Z: X @ Z.T), Sigmoid(), None):
        with pytest.raises(ValueError, match="cannot be counted"):
            primal.costs(replace(run, kernel=kernel))
    for call in (primal.read, primal.costs):
        with pytest.raises(ValueError, match="plain Perceptron"):
            call(replace(run, kernel=Linear(), learner=object()))
    with pytest.raises(ValueError, match="columns has 1 names"):
        primal.read(replace(run, kernel=Linear()), columns=["x"])
    forgetting = kpviz.train(kpviz.learners.RemoveOldest(3), *random_data(1), kernel=Linear())
    assert primal.reading_or_why_not(forgetting).startswith("Only the plain perceptron")


# ---- the weights of a run


@settings(max_examples=40, deadline=None)
@given(
    SEEDS,
    st.integers(1, 5),
    st.booleans(),
    LEARNER[Perceptron],
    st.integers(0, 200),
    st.sampled_from([1, 1 << 20]),
)
def test_a_reading_is_a_loop_that_decides_by_its_own_w(
    seed, degree, homogeneous, learner, t, block
):
    X, y = random_data(seed, n=25)
    kernel = Monomial(degree) if homogeneous else Polynomial(degree, 1.0)
    run = trained(kernel, X, y, learner, order="shuffled", seed=seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(primal, "_BLOCK", block)
        reading = primal.read(run)
    path, phi, scale = reading.path(), reading.phi, 1 + np.abs(run.score).max()
    near = {"rtol": 1e-7, "atol": 1e-9 * scale}
    assert_allclose(reading.score, run.score, **near)
    assert (
        path.shape
        == (len(run.changes) + 1, reading.dimension)
        == (len(reading.intercepts), len(reading.names))
    )
    if learner.tie == "mistake" and reading.agrees.all():
        bias = {"none": 0.0, "unit": 1.0, "radius": max(kernel.diag(X))}[learner.intercept]
        mistakes, w, b = primal_perceptron(phi, y, rows_of(run), bias=bias)
        assert run.mistake.tolist() == mistakes
        assert_allclose(path[-1], learner.learning_rate * w, **near)
        assert_allclose(reading.intercepts[-1], learner.learning_rate * b, **near)
    at = min(t, run.n_steps)
    state, done = run.state_at(at), run.changes.before(at)
    assert_allclose(path[done], state.coef @ phi, **near)
    assert_allclose(reading.w_at(at), path[done], **near)
    assert_allclose(reading.intercepts[done], state.intercept, **near)
    chosen = np.arange(reading.dimension)[-4:]
    assert_array_equal(reading.path(chosen), path[:, chosen])
    more = primal.read(trained(kernel, X, y, learner, seed=3, start=state))
    assert_allclose(more.score, more.run.score, **near)
    assert_allclose(more.path()[0], reading.w_at(at), **near)


@pytest.mark.parametrize("block", [1, 1 << 20])
def test_a_score_is_no_rounding_however_many_presentations_are_read_at_once(block, monkeypatch):
    """w is (1, 1), so 3 · 10⁻¹³ is what is left of two terms of size 1; up to 2 · 10⁻¹³ would be
    rounding.
    """
    run = trained(Linear(), np.array([[1.0, 1.0], [1.0, 3e-13 - 1.0]]), np.array([1, 1]))
    monkeypatch.setattr(primal, "_BLOCK", block)
    reading = primal.read(run)
    assert_allclose(reading.score[1], 3e-13, rtol=1e-3)
    assert reading.agrees.all()


def test_integers_and_whole_weights_give_the_same_numbers_even_at_ties():
    for seed, kernel in product(range(5), (Linear(), AllSubsets(), Polynomial(1, 4.0))):
        run = trained(kernel, *integer_data(seed), Perceptron(intercept="unit"))
        assert (run.score == 0).sum() > 1
        assert_array_equal(primal.read(run).score, run.score)


def test_root_two_breaks_a_tie_and_the_sentence_says_so():
    X, y = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([1.0, -1.0])
    reading = primal.read(trained(Monomial(2), X, y))
    assert primal_perceptron(reading.phi, y, [[0, 1]])[0] == [True, False]
    assert reading.agrees.tolist() == [True, False, *[True] * (reading.run.n_steps - 2)]
    assert reading.why == (
        "Step 2: the kernel’s score is 0, a tie, and that of w is −4.44×10⁻¹⁶. They part because "
        "√2 in φ is rounded."
    )


@pytest.mark.parametrize("tie", ["mistake", "positive", "negative"])
def test_they_part_only_where_a_score_is_zero_and_the_sentence_says_why(tie):
    met = set()
    for seed, unit, kernel in product(range(25), (1.0, 0.1), (Linear(), Polynomial(2, 1.0))):
        X, y = integer_data(seed)
        run = trained(kernel, unit * X, y, Perceptron(tie=tie))
        reading = primal.read(run)
        assert_array_equal(
            reading.agrees, run.learner.mistakes(y[run.index], reading.score) == run.mistake
        )
        assert_allclose(run.score[~reading.agrees], 0.0, atol=1e-12)
        t = reading.first_parting
        if t is not None:
            assert f"Step {t + 1:,}: " in reading.why
            assert ("0, a tie, and" in reading.why) == (run.score[t] == 0)
            assert ("√2 in φ is rounded" in reading.why) == isinstance(kernel, Polynomial)
            met.add((bool(run.score[t] == 0), isinstance(kernel, Polynomial)))
    assert (True, True) in met or tie != "mistake"
    assert all(has_roots for _, has_roots in met)  # tenths alone part nothing


# ---- costs


class Number:
    """A number that counts how often it is multiplied; additions are free."""

    multiplied = 0

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Number(self.value + getattr(other, "value", other))

    __radd__ = __add__

    def __mul__(self, other):
        Number.multiplied += 1
        return Number(self.value * getattr(other, "value", other))

    __rmul__ = __mul__

    def exp(self):
        Number.multiplied += 1
        return Number(np.exp(self.value))

    def __pow__(self, q):
        """Square and multiply, from the highest binary digit down."""
        result = self
        for digit in bin(q)[3:]:
            result = result * result
            if digit == "1":
                result = result * self
        return result


def added(numbers):
    return sum(numbers, Number(0.0))


def polynomial(q, c):
    return lambda u, v: (added(a * b for a, b in zip(u, v, strict=True)) + c) ** q


def gaussian(u, v):
    return (added((d := a + -b.value) * d for a, b in zip(u, v, strict=True)) * -2.0).exp()


def laplacian(u, v):
    return (added(Number(abs(a.value - b.value)) for a, b in zip(u, v, strict=True)) * -2.0).exp()


def subsets(u, v):
    first, *others = (1.0 + a * b for a, b in zip(u, v, strict=True))
    for other in others:
        first = first * other
    return first


def monomials(q, c):
    """φ by hand for (u·v + c)^q: each monomial from one of a degree less, then times its weight."""

    def phi(x):
        kept = {(): Number(1.0)} | {(j,): a for j, a in enumerate(x)}
        layer = [(j,) for j in range(len(x))]
        for _ in range(q - 1):
            layer = [(*m, j) for m in layer for j in range(m[-1], len(x))]
            kept |= {m: kept[m[:-1]] * x[m[-1]] for m in layer}
        ways = Counter(
            tuple(sorted(j for j in choice if j >= 0))
            for choice in product(range(-1, len(x)), repeat=q)
        )
        weights = {m: sqrt(ways[m] * c ** (q - len(m))) for m in kept}
        return [
            Number(weight) if not m else kept[m] if weight == 1.0 else kept[m] * weight
            for m, weight in weights.items()
            if weight
        ]

    return phi


def subsets_built(x):
    phi = {(): Number(1.0)} | {(j,): a for j, a in enumerate(x)}
    for size in range(2, len(x) + 1):
        phi |= {
            (*m, j): phi[m] * x[j]
            for m in phi
            if len(m) == size - 1
            for j in range(m[-1] + 1, len(x))
        }
    return list(phi.values())


COUNTED = {
    "linear": (Linear(), polynomial(1, 0.0), lambda x: x),
    "cubic": (Polynomial(3, 1.0), polynomial(3, 1.0), monomials(3, 1.0)),
    "fifth": (Monomial(5), polynomial(5, 0.0), monomials(5, 0.0)),
    "sixth": (Polynomial(6, 2.0), polynomial(6, 2.0), monomials(6, 2.0)),
    "affine": (Polynomial(1, 0.3), polynomial(1, 0.3), monomials(1, 0.3)),
    "subsets": (AllSubsets(), subsets, subsets_built),
    "gaussian": (Gaussian(0.5), gaussian, None),
    "laplacian": (Laplacian(0.5), laplacian, None),
    "sum": (
        Linear() + Monomial(2),
        lambda u, v: polynomial(1, 0.0)(u, v) + polynomial(2, 0.0)(u, v),
        lambda x: [*x, *monomials(2, 0.0)(x)],
    ),
    "product": (
        Linear() * Monomial(2),
        lambda u, v: polynomial(1, 0.0)(u, v) * polynomial(2, 0.0)(u, v),
        lambda x: [a * b for a, b in product(x, monomials(2, 0.0)(x))],
    ),
}


def counted(run, k, phi_of):
    """Both textbook algorithms on numbers that count: what each has stored, multiplied and added,
    (n_steps + 1, 6).
    """
    X, has_b = (
        [[Number(a) for a in row] for row in run.X.tolist()],
        int(run.learner.intercept != "none"),
    )
    phis = [phi_of(x) if phi_of else [] for x in X]
    support, w, spent, updated = {}, [Number(0.0)] * len(phis[0]), [0, 0], [0, 0]
    rows = [(has_b, len(w) + has_b, 0, 0, 0, 0)]
    for i, mistake in zip(run.index.tolist(), run.mistake.tolist(), strict=True):
        Number.multiplied = 0
        f = added(coef * k(X[j], X[i]) for j, coef in support.items())
        spent[0] += Number.multiplied
        if phi_of:
            Number.multiplied = 0
            g = added(a * b for a, b in zip(w, phi_of(X[i]), strict=True))
            spent[1] += Number.multiplied
            assert_allclose(f.value, g.value, rtol=1e-9, atol=1e-8)
        if mistake:
            support[i] = support.get(i, Number(0.0)) + float(run.y[i])
            w = [a + run.y[i] * b.value for a, b in zip(w, phis[i], strict=True)]
            updated[0] += 1 + has_b
            updated[1] += len(w) + has_b
        stored = sum(1 + len(X[j]) for j in support) + has_b
        rows.append((stored, len(w) + has_b, *spent, *updated))
    return np.array(rows, dtype=float).T


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.parametrize(("columns", "intercept"), [(1, "unit"), (2, "none"), (3, "unit")])
def test_costs_are_those_of_loops_whose_numbers_count(name, columns, intercept):
    kernel, k, phi_of = COUNTED[name]
    X, y = random_data(columns, n=12, columns=columns)
    run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=kernel, epochs=3)
    ours = primal.costs(run)
    stored, dim, dual, multiplied, dual_added, primal_added = counted(run, k, phi_of)
    assert_array_equal(
        [ours.dual.stored, ours.dual.multiplications, ours.dual.additions],
        [stored, dual, dual_added],
    )
    assert ours.support.tolist() == [len(run.state_at(t).support) for t in range(run.n_steps + 1)]
    if phi_of is None:
        assert (ours.primal, ours.dimension, ours.per_presentation, ours.break_even) == (
            None,
            None,
            None,
            None,
        )
        return
    assert_array_equal([ours.primal.stored, ours.primal.multiplications], [dim, multiplied])
    assert_array_equal(ours.primal.additions, primal_added)
    assert ours.dimension == dim[0] - (intercept != "none")
    assert ours.break_even == pytest.approx(ours.per_presentation / ours.per_example)
    more = kpviz.train(run.learner, X, y, kernel=kernel, epochs=1, seed=3, start=run.state_at(9))
    held = set(run.state_at(9).support)
    changed = [
        set(more.changes.index[: more.changes.before(t)].tolist()) for t in range(more.n_steps + 1)
    ]
    assert primal.costs(more).support.tolist() == [len(held | each) for each in changed]


def test_the_table_of_growth_is_exact_and_shows_what_the_kernel_saves():
    rows = primal.growth()
    assert [(row.n_features, row.degree) for row in rows] == list(
        product((2, 10, 100, 784), range(1, 11))
    )
    for row in rows:
        d, q = row.n_features, row.degree
        assert (row.exactly, row.up_to) == (comb(d + q - 1, q), comb(d + q, q))
        assert row.kernel == primal.kernel_multiplications(Polynomial(q, 1.0), d) <= d + 5
        assert row.primal == row.up_to + primal.map_multiplications(Polynomial(q, 1.0), d)
    cheap = next(row for row in rows if row.n_features == row.degree == 2)
    assert (cheap.up_to, cheap.kernel, cheap.primal) == (6, 3, 12)


def test_costs_are_counted_of_runs_on_vectors():
    with pytest.raises(ValueError, match="run=5 is not"):
        primal.costs(5)
    texts = kpviz.train(
        kpviz.learners.Perceptron(), ["a b", "b c"], [1, -1], kernel=kpviz.kernels.WordSets()
    )
    with pytest.raises(ValueError, match="run compares texts"):
        primal.costs(texts)


@given(
    low=st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
    size=st.tuples(st.floats(0.1, 5), st.floats(0.1, 5)),
    path=st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=5),
)
@settings(deadline=None)
def test_every_w_is_an_arrow_that_lies_in_the_map_wherever_the_origin_is(low, size, path):
    left, bottom = low
    right, top = left + size[0], bottom + size[1]
    arrow = primal.Arrow.of(np.array(path), Extent(left, right, bottom, top))
    shows_origin = left <= 0.0 <= right and bottom <= 0.0 <= top
    assert arrow.moved is not shows_origin
    assert left <= arrow.start[0] <= right
    assert bottom <= arrow.start[1] <= top
    longest = max(np.hypot(*w) for w in path)
    assert arrow.scale * longest <= 0.4001 * min(size)
    # It is drawn as it is where it fits and is seen.
    assert (arrow.scale == 1.0) or not 0.101 * min(size) <= longest <= 0.399 * min(size)
