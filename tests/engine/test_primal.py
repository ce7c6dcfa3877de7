"""Explicit maps: products of features are the kernel, names tell the columns; without a map, one is refused."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import comb, prod, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from primal_runs import trained
from sklearn.preprocessing import PolynomialFeatures
from textbook import integer_data, random_data

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
from kpviz.engine.theory import primal

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
        expected = [[prod(value(f, x) for f in factors(name)) for name in names] for x in X]
        assert_allclose(expected, primal.features(kernel, X), rtol=1e-10)


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
    for kernel, X in ((Polynomial(1100, 1.0), [[1.0]]), (Monomial(3), [[1e200]])):
        with pytest.raises(ValueError, match=r"^features .*\.$"):
            primal.features(kernel, X)


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
    cases = set()
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
            cases.add((reading.run.score[t] == 0, isinstance(kernel, Polynomial)))
    assert {(False, False), (False, True)} <= cases
