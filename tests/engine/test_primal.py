"""The primal perceptron: feature maps by enumeration, the run by a loop that decides by itself, costs by counting."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import comb, prod, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import PolynomialFeatures
from textbook import integer_data, primal_perceptron, random_data, rows_of

import kpviz
from kpviz.engine import primal
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

MAPPED = {
    "linear": Linear(),
    "monomial 1": Monomial(1),
    "monomial 2": Monomial(2),
    "monomial 5": Monomial(5),
    "polynomial 1": Polynomial(1, 1.0),
    "polynomial 2": Polynomial(2, 1.0),
    "polynomial 3": Polynomial(3, 0.3),
    "polynomial 5": Polynomial(5, 2.0),
    "polynomial without constant": Polynomial(3, 0.0),
    "subsets": AllSubsets(),
    "sum": Linear() + Monomial(3),
    "product": Polynomial(2, 0.5) * AllSubsets(),
    "nested": (Linear() * Linear() + AllSubsets()) * Monomial(2),
}
UNMAPPED = [Gaussian(0.5), Laplacian(0.5), Sigmoid(), Function(lambda X, Z: X @ Z.T), Linear() + Gaussian(0.5), None]


def ordered_products(x, q, c):
    """φ for (u·v + c)^q from the formula: all products of q entries of (√c, x), one for each ordered choice."""
    entries = [sqrt(c), *x]
    return {choice: prod(entries[j] for j in choice) for choice in product(range(len(entries)), repeat=q)}


def merged(x, q, c):
    """Ordered products of the same entries joined to one: their common value times √(how many), by monomial."""
    values = ordered_products(x, q, c)
    ways = Counter(tuple(sorted(choice)) for choice in values)
    return {chosen: sqrt(count) * values[chosen] for chosen, count in ways.items()}


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("kernel", MAPPED.values(), ids=MAPPED)
def test_products_of_features_are_the_kernel(kernel, columns):
    X, Z = random_data(1, 9, columns)[0], random_data(2, 6, columns)[0]
    assert_allclose(primal.features(kernel, X) @ primal.features(kernel, Z).T, kernel(X, Z), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
@pytest.mark.parametrize("kernel", MAPPED.values(), ids=MAPPED)
def test_dimension_is_the_number_of_columns_and_of_names(kernel, columns):
    found = primal.features(kernel, np.ones((2, columns)))
    names = primal.feature_names(kernel, columns)
    assert found.shape == (2, len(names)) == (2, primal.dimension(kernel, columns))


@pytest.mark.parametrize(("q", "c", "columns"), [(1, 1.0, 2), (2, 1.0, 2), (3, 0.3, 3), (4, 2.0, 2), (5, 0.7, 1)])
def test_features_are_the_ordered_products_merged(q, c, columns):
    for x in random_data(q, 4, columns)[0]:
        vector = np.array(list(ordered_products(x, q, c).values()))
        assert_allclose(vector @ vector, (x @ x + c) ** q)
        ours = primal.features(Polynomial(q, c), x[None])[0]
        by_monomial = merged(x, q, c)  # with 0 standing for the constant, the most zeros come first
        assert_allclose(ours, [by_monomial[chosen] for chosen in sorted(by_monomial)])
        homogeneous = [value for chosen, value in sorted(by_monomial.items()) if 0 not in chosen]
        assert_allclose(primal.features(Monomial(q), x[None])[0], homogeneous)


@pytest.mark.parametrize(("q", "columns"), [(1, 3), (2, 2), (3, 4), (5, 2)])
def test_monomials_are_those_of_scikit_learn_in_its_order(q, columns):
    X = random_data(q, 6, columns)[0]
    theirs = PolynomialFeatures(q).fit(X)
    weights = primal.features(Polynomial(q, 1.0), np.ones((1, columns)))
    assert_allclose(primal.features(Polynomial(q, 1.0), X), theirs.transform(X) * weights)
    of_degree_q = theirs.powers_.sum(axis=1) == q
    weights = primal.features(Monomial(q), np.ones((1, columns)))
    assert_allclose(primal.features(Monomial(q), X), theirs.transform(X)[:, of_degree_q] * weights)


def test_names_say_what_the_columns_hold():
    """Each name, read as a formula, gives its column."""
    X = random_data(3, 5, 3)[0]
    signs = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

    def value(name, x):
        if name.startswith("√"):
            return sqrt(float(name[1:]))
        base = name.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹")
        power = name[len(base) :].translate(signs)
        return (x["abc".index(base)] if base in "abc" else float(base)) ** int(power or 1)

    for kernel in (Linear(), Monomial(3), Polynomial(4, 1.0), Polynomial(2, 4.0), AllSubsets(), Linear() * Monomial(2)):
        names = primal.feature_names(kernel, ["a", "b", "c"])
        told = [[prod(value(f, x) for f in factors(name)) for name in names] for x in X]
        assert_allclose(told, primal.features(kernel, X), rtol=1e-10)


def factors(name):
    """Split "√12·a²b" into its factors."""
    found = []
    for part in name.split("·"):
        if part.startswith("√") or part.isdecimal():
            found.append(part)
            continue
        for sign in part:
            if sign in "⁰¹²³⁴⁵⁶⁷⁸⁹":
                found[-1] += sign
            else:
                found.append(sign)
    return found


def test_names_are_written_as_on_a_blackboard():
    assert primal.feature_names(Monomial(2), 2) == ("x₁²", "√2·x₁x₂", "x₂²")
    assert primal.feature_names(Linear(), 11)[-1] == "x₁₁"
    assert primal.feature_names(AllSubsets(), 2) == ("1", "x₁", "x₂", "x₁x₂")
    assert primal.feature_names(Polynomial(2, 0.25), 1) == ("0.25", "0.707·x₁", "x₁²")
    assert primal.feature_names(Polynomial(2, 4.0), 1) == ("4", "√8·x₁", "x₁²")
    assert primal.feature_names(Monomial(2), ["width", "height"]) == ("width²", "√2·width·height", "height²")


def test_dimensions_are_exact_where_no_map_could_be_built():
    assert primal.dimension(Monomial(10), 784) == comb(793, 10) > 2**53
    assert primal.dimension(Polynomial(1000, 1.0), 3) == 1003 * 1002 * 1001 // 6
    assert primal.dimension(AllSubsets(), 200) == 2**200
    assert primal.dimension(Monomial(3) + AllSubsets() * Linear(), 100) == comb(102, 3) + 2**100 * 100
    for kernel in (Monomial(10), AllSubsets()):
        with pytest.raises(ValueError, match=r"features would have .* columns: .*\.$"):
            primal.features(kernel, np.ones((1, 784)))


@pytest.mark.parametrize("kernel", UNMAPPED, ids=lambda kernel: kernel.label if kernel else "precomputed")
def test_a_kernel_without_a_finite_map_is_refused_in_the_same_sentence_everywhere(kernel):
    sentence = primal.missing(kernel)
    assert sentence.endswith(".")
    for call in (
        lambda: primal.dimension(kernel, 2),
        lambda: primal.features(kernel, np.ones((1, 2))),
        lambda: primal.feature_names(kernel, 2),
        lambda: primal.map_multiplications(kernel, 2),
    ):
        with pytest.raises(ValueError, match=r"\.$") as caught:
            call()
        assert str(caught.value) == sentence
    assert ("infinitely" in sentence) == isinstance(kernel, Gaussian | Laplacian | type(Linear() + Linear()))


def test_what_overflows_is_refused():
    for kernel, X in ((Polynomial(4000, 1.0), [[1.0]]), (Monomial(3), [[1e200]])):
        with pytest.raises(ValueError, match=r"^features .*\.$"):
            primal.features(kernel, X)


def trained(kernel, X, y, intercept="none", **settings):
    learner = Perceptron(
        intercept=intercept, learning_rate=settings.pop("eta", 1.0), tie=settings.pop("tie", "mistake")
    )
    return kpviz.train(learner, X, y, kernel=kernel, order=settings.pop("order", "shuffled"), epochs=8, **settings)


@pytest.mark.parametrize("intercept", ["none", "unit", "radius"])
@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
def test_a_loop_that_decides_by_its_own_w_makes_the_same_mistakes(degree, intercept):
    for seed, kernel in enumerate([Monomial(degree), Polynomial(degree, 1.0)]):
        X, y = random_data(10 * degree + seed, n=30)
        run = trained(kernel, X, y, intercept, eta=0.3, seed=seed)
        phi = primal.features(kernel, X)
        bias = {"none": 0.0, "unit": 1.0, "radius": max(kernel.diag(X))}[intercept]
        mistakes, w, b = primal_perceptron(phi, y, rows_of(run), bias=bias)
        assert run.mistake.tolist() == mistakes
        reading = primal.read(run)
        assert reading.agrees.all()
        assert reading.first_parting is None
        assert reading.why == ""
        assert_allclose(reading.score, run.score, rtol=1e-7, atol=1e-9 * np.abs(run.score).max())
        assert_allclose(reading.w_at(run.n_steps), 0.3 * w, rtol=1e-8, atol=1e-9 * np.abs(w).max())
        assert_allclose(reading.intercepts[-1], 0.3 * b)


@pytest.mark.parametrize("block", [1, 64, 1 << 20])
def test_w_and_its_scores_are_those_of_every_instant(block, monkeypatch):
    monkeypatch.setattr(primal, "_BLOCK", block)
    X, y = random_data(5, n=25)
    run = trained(Polynomial(3, 1.0), X, y, "radius", eta=0.5)
    reading = primal.read(run)
    path, phi = reading.path(), reading.phi
    assert path.shape == (len(run.changes) + 1, reading.dimension) == (len(reading.intercepts), len(reading.names))
    chosen = reading.columns_shown(4)
    assert_array_equal(reading.path(chosen), path[:, chosen])
    last = np.abs(reading.w_at(run.n_steps))
    assert len(chosen) == 4
    assert last[chosen].min() >= np.delete(last, chosen).max()
    for t in range(run.n_steps):
        state, done = run.state_at(t), run.changes.before(t)
        w = sum((a * row for a, row in zip(state.coef, phi, strict=True)), np.zeros(len(path[0])))
        assert_allclose(path[done], w, rtol=1e-9, atol=1e-9)
        assert_allclose(reading.w_at(t), w, rtol=1e-9, atol=1e-9)
        assert_allclose(reading.intercepts[done], state.intercept)
        assert_allclose(reading.score[t], w @ phi[run.index[t]] + state.intercept, rtol=1e-9, atol=1e-8)


def test_a_run_that_goes_on_is_read_from_where_it_began():
    X, y = random_data(8, n=25)
    first = trained(Polynomial(2, 1.0), X, y, "unit", eta=0.5)
    more = trained(Polynomial(2, 1.0), X, y, "unit", eta=0.5, start=first.state_at(40), seed=3)
    assert len(more.changes)
    reading = primal.read(more)
    assert reading.agrees.all()
    assert_allclose(reading.score, more.score, rtol=1e-9, atol=1e-8)
    assert_allclose(reading.path()[0], primal.read(first).w_at(40))
    assert_allclose(reading.path()[-1], reading.w_at(more.n_steps))
    held = set(first.state_at(40).support)
    told = primal.costs(more).support
    for t in range(more.n_steps + 1):
        assert told[t] == len(held | set(more.changes.index[: more.changes.before(t)].tolist()))


@pytest.mark.parametrize("seed", range(5))
def test_integers_and_whole_weights_give_the_same_numbers_even_at_ties(seed):
    X, y = integer_data(seed)
    for kernel in (Linear(), AllSubsets(), Polynomial(1, 1.0), Polynomial(1, 4.0)):
        run = trained(kernel, X, y, "unit", order="cyclic")
        assert (run.score == 0).sum() > 1
        assert_array_equal(primal.read(run).score, run.score)


def test_root_two_breaks_a_tie_and_the_sentence_says_so():
    X, y = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([1.0, -1.0])
    run = kpviz.train(Perceptron(), X, y, kernel=Monomial(2))
    assert run.mistake.tolist()[:2] == [True, True]
    assert run.score[1] == 0.0
    reading = primal.read(run)
    mistakes, _, _ = primal_perceptron(reading.phi, y, [[0, 1]])
    assert mistakes == [True, False]
    assert reading.agrees.tolist() == [True, False, *[True] * (run.n_steps - 2)]
    assert reading.first_parting == 1
    assert -1e-15 < reading.score[1] < 0
    assert reading.why == (
        "Step 2: the kernel's score is 0, a tie, and that of w is −4.44e−16. They part because √2 in φ is rounded."
    )


@pytest.mark.parametrize("tie", ["mistake", "positive", "negative"])
def test_they_part_only_where_a_score_is_zero(tie):
    parted = 0
    for seed in range(30):
        X, y = integer_data(seed)
        run = trained(Polynomial(2, 1.0), X, y, tie=tie, order="cyclic")
        reading = primal.read(run)
        assert_array_equal(run.score[~reading.agrees], 0.0)
        assert_array_equal(reading.agrees, run.learner.mistakes(y[run.index], reading.score) == run.mistake)
        assert_allclose(reading.score, run.score, atol=1e-11 * max(1.0, np.abs(run.score).max()))
        parted += (~reading.agrees).sum()
    assert parted > 0


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


def to_the_power(a, q):
    """Square and multiply, from the highest binary digit down."""
    result = a
    for digit in bin(q)[3:]:
        result = result * result
        if digit == "1":
            result = result * a
    return result


def added(numbers):
    return sum(numbers, Number(0.0))


def multiplied(numbers):
    first, *others = numbers
    for other in others:
        first = first * other
    return first


def polynomial(q, c):
    return lambda u, v: to_the_power(added(a * b for a, b in zip(u, v, strict=True)) + c, q)


def gaussian(u, v):
    return (added((d := a + -b.value) * d for a, b in zip(u, v, strict=True)) * -2.0).exp()


def laplacian(u, v):
    return (added(Number(abs(a.value - b.value)) for a, b in zip(u, v, strict=True)) * -2.0).exp()


def subsets(u, v):
    return multiplied([1.0 + a * b for a, b in zip(u, v, strict=True)])


def monomials_built(x, q, c):
    """φ by hand for (u·v + c)^q: each monomial from one of a degree less, then times its weight."""
    kept = {(): Number(1.0)} | {(j,): a for j, a in enumerate(x)}
    layer = [(j,) for j in range(len(x))]
    for _ in range(q - 1):
        layer = [(*m, j) for m in layer for j in range(m[-1], len(x))]
        for m in layer:
            kept[m] = kept[m[:-1]] * x[m[-1]]
    ways = Counter(tuple(sorted(j for j in choice if j >= 0)) for choice in product(range(-1, len(x)), repeat=q))
    phi = []
    for m, value in kept.items():
        weight = sqrt(ways[m] * c ** (q - len(m)))
        if weight:
            phi.append(Number(weight) if not m else value if weight == 1.0 else value * weight)
    return phi


def subsets_built(x):
    phi = {(): Number(1.0)} | {(j,): a for j, a in enumerate(x)}
    for m in list(phi)[1:]:
        grow = [m]
        while grow:
            m = grow.pop()
            for j in range(m[-1] + 1, len(x)):
                phi[*m, j] = phi[m] * x[j]
                grow.append((*m, j))
    return list(phi.values())


COUNTED = {
    "linear": (Linear(), polynomial(1, 0.0), lambda x: x),
    "quadratic": (Monomial(2), polynomial(2, 0.0), lambda x: monomials_built(x, 2, 0.0)),
    "cubic": (Polynomial(3, 1.0), polynomial(3, 1.0), lambda x: monomials_built(x, 3, 1.0)),
    "fifth": (Monomial(5), polynomial(5, 0.0), lambda x: monomials_built(x, 5, 0.0)),
    "sixth": (Polynomial(6, 2.0), polynomial(6, 2.0), lambda x: monomials_built(x, 6, 2.0)),
    "affine": (Polynomial(1, 1.0), polynomial(1, 1.0), lambda x: monomials_built(x, 1, 1.0)),
    "affine 2": (Polynomial(1, 0.3), polynomial(1, 0.3), lambda x: monomials_built(x, 1, 0.3)),
    "subsets": (AllSubsets(), subsets, subsets_built),
    "gaussian": (Gaussian(0.5), gaussian, None),
    "laplacian": (Laplacian(0.5), laplacian, None),
    "sum": (
        Linear() + Monomial(2),
        lambda u, v: polynomial(1, 0.0)(u, v) + polynomial(2, 0.0)(u, v),
        lambda x: [*x, *monomials_built(x, 2, 0.0)],
    ),
    "product": (
        Linear() * Monomial(2),
        lambda u, v: polynomial(1, 0.0)(u, v) * polynomial(2, 0.0)(u, v),
        lambda x: [a * b for a, b in product(x, monomials_built(x, 2, 0.0))],
    ),
}


def counted(run, k, phi_of):
    """Both textbook algorithms on numbers that count: (n_steps + 1,) rows of stored and multiplied, dual and primal."""
    X = [[Number(a) for a in row] for row in run.X.tolist()]
    has_b = run.learner.intercept != "none"
    support, w = {}, None
    spent, rows = [0, 0], []
    dim = len(phi_of(X[0])) if phi_of else 0
    w = [Number(0.0)] * dim
    added_up = [0, 0]
    rows.append((has_b, dim + has_b, 0, 0, 0, 0))
    for i, mistake in zip(run.index.tolist(), run.mistake.tolist(), strict=True):
        Number.multiplied = 0
        f = added(coef * k(X[j], X[i]) for j, coef in support.items())
        spent[0] += Number.multiplied
        if phi_of:
            Number.multiplied = 0
            phi = phi_of(X[i])
            g = added(a * b for a, b in zip(w, phi, strict=True))
            spent[1] += Number.multiplied
            assert_allclose(f.value, g.value, rtol=1e-9, atol=1e-8)
        if mistake:
            y = float(run.y[i])
            support[i] = support.get(i, Number(0.0)) + y
            added_up[0] += 1 + has_b
            if phi_of:
                w = [a + y * b.value for a, b in zip(w, phi, strict=True)]
                added_up[1] += len(w) + has_b
        stored = sum(1 + len(X[j]) for j in support) + has_b
        rows.append((stored, dim + has_b, *spent, *added_up))
    return np.array(rows, dtype=float).T


@pytest.mark.parametrize("intercept", ["none", "unit"])
@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("name", COUNTED)
def test_costs_are_those_of_loops_whose_numbers_count(name, columns, intercept):
    kernel, k, phi_of = COUNTED[name]
    X, y = random_data(columns, n=12, columns=columns)
    run = kpviz.train(Perceptron(intercept=intercept), X, y, kernel=kernel, epochs=3)
    ours = primal.costs(run)
    stored, dim, dual, multiplied, dual_added, primal_added = counted(run, k, phi_of)
    assert_array_equal(ours.dual.stored, stored)
    assert_array_equal(ours.dual.multiplications, dual)
    assert_array_equal(ours.dual.additions, dual_added)
    assert ours.support.tolist() == [len(run.state_at(t).support) for t in range(run.n_steps + 1)]
    if phi_of is None:
        assert (ours.primal, ours.dimension, ours.per_presentation, ours.break_even) == (None, None, None, None)
        return
    assert ours.primal is not None
    assert_array_equal(ours.primal.stored, dim)
    assert_array_equal(ours.primal.multiplications, multiplied)
    assert_array_equal(ours.primal.additions, primal_added)
    assert ours.dimension == dim[0] - (intercept != "none")
    assert ours.break_even == pytest.approx(ours.per_presentation / ours.per_example)


def test_the_table_of_growth_is_exact_and_shows_what_the_kernel_saves():
    rows = primal.growth()
    assert [(row.n_features, row.degree) for row in rows] == list(product((2, 10, 100, 784), range(1, 11)))
    for row in rows:
        d, q = row.n_features, row.degree
        assert (row.exactly, row.up_to) == (comb(d + q - 1, q), comb(d + q, q))
        assert row.kernel == primal.kernel_multiplications(Polynomial(q, 1.0), d) <= d + 5
        assert row.primal == row.up_to + primal.map_multiplications(Polynomial(q, 1.0), d)
    cheap = next(row for row in rows if row.n_features == row.degree == 2)
    assert (cheap.up_to, cheap.kernel, cheap.primal) == (6, 3, 12)


def test_what_has_no_primal_form_or_cannot_be_counted_is_refused():
    X, y = random_data(1)
    run = kpviz.train(Perceptron(), X, y, kernel=Gaussian(0.5), epochs=1)
    with pytest.raises(ValueError, match="infinitely many"):
        primal.read(run)
    for kernel in (Function(lambda X, Z: X @ Z.T), Sigmoid(), None):
        with pytest.raises(ValueError, match="cannot be counted"):
            primal.costs(replace(run, kernel=kernel))
    other = replace(run, kernel=Linear(), learner=object())
    for call in (primal.read, primal.costs):
        with pytest.raises(ValueError, match="plain Perceptron"):
            call(other)
    with pytest.raises(ValueError, match="columns has 1 names"):
        primal.read(replace(run, kernel=Linear()), columns=["x"])


def test_reading_writes_to_nothing():
    X, y = random_data(2)
    run = trained(Polynomial(2, 1.0), X, y)
    kept = X.copy(), run.score.copy(), run.changes.index.copy()
    primal.read(run)
    primal.costs(run)
    for before, after in zip(kept, (run.X, run.score, run.changes.index), strict=True):
        assert_array_equal(before, after)


def test_a_kernel_that_is_not_known_here_has_no_map():
    class Mine(Kernel):
        name = "Mine"

    assert primal.missing(Mine()) == "Mine has no feature map that kpviz can write out."


def test_tenths_make_ties_that_only_rounding_decides_and_the_sentence_says_so():
    told = set()
    for seed in range(60):
        X, y = integer_data(seed)
        for kernel in (Linear(), Polynomial(2, 1.0)):
            reading = primal.read(trained(kernel, 0.1 * X, y, order="cyclic"))
            t = reading.first_parting
            if t is None:
                continue
            scale = np.abs(reading.path()).max() * np.abs(reading.phi).max()
            assert abs(reading.run.score[t]) + abs(reading.score[t]) < 1e-13 * scale
            assert f"Step {t + 1:,}: " in reading.why
            assert ("0, a tie, and" in reading.why) == (reading.run.score[t] == 0)
            assert ("√2 in φ is rounded" in reading.why) == isinstance(kernel, Polynomial)
            told.add((reading.run.score[t] == 0, isinstance(kernel, Polynomial)))
    assert {(False, False), (False, True)} <= told
