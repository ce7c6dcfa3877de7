"""The kernel that is a formula: what it says of itself, how it splits, and where its text comes from."""

import pickle
import tracemalloc

import numpy as np
import pytest
from covering import covering
from numpy.testing import assert_allclose
from sent import added
from textbook import random_data

from kpviz.engine.kernels import (
    AllSubsets,
    Function,
    Gaussian,
    Laplacian,
    Linear,
    Monomial,
    Polynomial,
    Sigmoid,
)
from kpviz.engine.kernels.formula import EXAMPLE, MAX_LENGTH, Formula, FormulaError, formula_of, parse
from kpviz.player import contributions

U, V = np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])

# ---- the kernel ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("u[1]*v[2]", r"^k\(u, v\) = 0 but k\(v, u\) = 1 for u = \(0, 1\) and v = \(1, 1\): a kernel is the same"),
        ("norm(u) - norm(v)", "a kernel is the same both ways"),
        ("dot(u,v) + norm(u)**1", "a kernel is the same both ways"),
        ("norm(2*u - v)", "a kernel is the same both ways"),
        ("log(u[1] + 2)*v[1]", "a kernel is the same both ways"),
        ("norm(u)", "uses u but not v"),
        ("v[1]**2", "uses v but not u"),
        ("3 - 4", "is the constant -1"),
        ("log(-1 - norm(u) - norm(v))", "no finite value"),
    ],
)
def test_what_can_be_no_kernel_at_all_is_refused_when_it_is_made(text, expected):
    with pytest.raises(FormulaError, match=expected):
        Formula(text)


@pytest.mark.parametrize(
    "text",
    ["3", "0", "u[1]*v[1]", "(u[1]-v[1])**2", "(v[1]-u[1])**2", "norm(2*u-2*v)", "dot(v,u)", "u[1]*v[2] + v[1]*u[2]"],
)
def test_what_is_symmetric_in_whatever_way_it_is_written_is_allowed(text):
    assert Formula(text).report.symmetric.startswith("Symmetric: ")


def test_symmetry_that_algebra_does_not_see_is_said_to_be_tried_only():
    report = Formula("exp(u[1] + norm(v))*exp(norm(u))*exp(v[1])").report
    assert report.symmetric == "Symmetric as far as was tried: k(u, v) = k(v, u) for 40 pairs of examples."
    assert report.derivation is None


def test_what_the_kernel_says_of_itself():
    kernel = Formula("exp(-norm(u-v)**2/2) + 0.1*dot(u,v)")
    assert kernel.tree == Formula().tree == parse(EXAMPLE)
    assert (kernel.name, kernel.psd, kernel.at_most_1, kernel.compares) == ("Formula", "yes", False, "vectors")
    assert kernel.label == "k = exp(-norm(u - v)**2/2) + …"
    assert len(kernel.label) == 30
    assert kernel.latex == r"\exp\left(-\frac{\|u - v\|^{2}}{2}\right) + 0.1\, u \cdot v"
    assert pickle.loads(pickle.dumps(kernel)) == kernel
    assert hash(kernel) == hash(Formula(kernel.text))
    assert repr(Formula("1")) == "Formula(text='1')"


WRITTEN = [
    "tanh(dot(u,v) - 1)",
    "dot(v,u)**2 + polynomial(2,1)*3",
    "normalized(dot(u,v) + 2)",
    "dot(u,v) + norm(u)*norm(v)",
    "dot(u,u)*dot(v,v)",
    "exp(-norm(u-v)**2/2) + 0.1*dot(u,v)",
    "exp(-norm1(u-v)/0.5)",
    "(dot(u,v) + 1)**3",
    "-norm(u-v)**2 + 3",
    "gaussian(0.5)*linear() - 2",
    "exp(dot(u,v) - 2)*(1 + u[1]*v[1])",
    "exp(dot(u,v) - 2)*(1 + u[1]*v[1] + u[2]*v[2])",
    "cos(u[1]-v[1])*cos(u[2]-v[2])",
    "norm(u)*dot(u,v)/(1 + u[1]**2)/(1 + v[1]**2)*norm(v)",
    "(1 + u[1]*v[1])*(1 + u[2]*v[2])",
    "(exp(dot(u,v)) + sum(min(u,v)))**2",
    "2/exp(norm(u-v)**2)",
    "sum(norm(u)*v)*sum(norm(v)*u)",
    "normalized(gaussian(1))*sigmoid(1,1)",
    "exp(norm(u-v) - sum(abs(u-v)))",
    "subsets() - exp(-(u[1]-v[1])**2)/2",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_what_each_factor_depends_on_is_found(text):
    X, x1, x2 = random_data(9, 7)[0], np.linspace(-2, 2, 6), np.linspace(-1, 3, 6)
    grid = np.array([[a, b] for b in x2 for a in x1])
    kernel = Formula(text)
    assert contributions.is_exact(kernel)
    exact = kernel(X, grid)
    for row, each in zip(exact, np.eye(7), strict=True):
        field = added(contributions.blocks(kernel, X, x1, x2), each, 6)
        assert_allclose(field.ravel(), row, rtol=1e-6, atol=1e-6 * np.abs(exact).max())


@pytest.mark.parametrize("text", ["1/(1 + norm1(u-v))", "norm(u + v)", "exp(dot(u,v)*norm(u-v))"])
def test_a_function_of_more_is_drawn_roughly(text):
    assert not contributions.is_exact(Formula(text))


@pytest.mark.parametrize(
    "kernel",
    [
        Formula("+".join(["dot(u,v)**39"] * 18)),
        Formula("+".join(["monomial(64)"] * 20)),
        Formula("gaussian(1)*(" + "+".join(["dot(u,v)**39"] * 15) + ")"),
        Formula("(" + "+".join(["norm(u-v)*dot(u,v)"] * 9) + ")**9"),
        Polynomial(20, 1.0) * Polynomial(20, 1.0),
    ],
    ids=lambda kernel: kernel.label,
)
def test_very_many_terms_take_little_room(kernel):
    X, axis = random_data(16, 200)[0], np.linspace(-1, 1, 96)
    tracemalloc.start()
    contributions.is_exact(kernel)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5_000_000
    assert (
        sum(array.nbytes for block in contributions.blocks(kernel, X, axis, axis) for array in block.values()) < 500_000
    )


@pytest.mark.parametrize("points", [30, 150])
@pytest.mark.parametrize("text", ["exp(-norm(u-v)**2)*(norm1(u-v)+1)**-1", "dot(u,v)/(1+norm1(u-v))"])
def test_a_kernel_with_a_kink_is_written_small_by_two_decompositions(text, points, monkeypatch):
    X, axis = random_data(17, points)[0], np.linspace(-2.5, 2.5, 96)
    sizes = []
    whole = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda a: sizes.append(len(a)) or whole(a))
    monkeypatch.delattr(np.linalg, "svd")
    (block,) = contributions.blocks(Formula(text), X, axis, axis)
    assert sizes == [96, 96]
    assert sum(array.nbytes for array in block.values()) <= 410_000
    grid = np.column_stack([np.tile(axis, 96), np.repeat(axis, 96)])
    exact = Formula(text)(X, grid).sum(axis=0).reshape(96, 96)
    assert np.abs(added([block], np.ones(points), 96) - exact).max() <= 0.02 * np.abs(exact).max()


OF_DISTANCE = [
    "exp(-norm(u-v))",
    "1/(1+norm(v-u))",
    "-norm(u-v)**3",
    "exp(-norm(u-v)**2)*(norm(u-v)+1)**-1",
    "exp(-5*norm(u-v)) + 0.1*dot(u,v) + u[1]*v[2] + u[2]*v[1]",
]


@pytest.mark.parametrize(("text", "points", "normalized"), covering(OF_DISTANCE, [1, 30, 300], [False, True]))
def test_functions_of_the_distance_are_sent_exactly_and_small(text, points, normalized):
    X, x1, x2 = random_data(18, points)[0], np.linspace(-2.5, 2.5, 96), np.linspace(-1.0, 4.0, 96)
    kernel = Formula(text).normalized() if normalized and "+ 0.1" not in text else Formula(text)
    found = contributions.blocks(kernel, X, x1, x2)
    assert sum(array.nbytes for block in found for array in block.values()) <= 300_000
    grid = np.column_stack([np.tile(x1, 96), np.repeat(x2, 96)])
    for coef in (np.ones(points), np.eye(points)[0], random_data(19, points)[1]):
        exact = (coef @ kernel(X, grid)).reshape(96, 96)
        sent = added(found, coef, 96)
        assert np.abs(sent - exact).max() <= 1e-6 * np.abs(kernel(X, grid)).max() * np.abs(coef).sum()


# ---- where formulas come from -------------------------------------------------------------------


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    "kernel",
    [
        Linear(),
        Polynomial(3, 0.5),
        Monomial(2),
        Gaussian(0.7),
        Laplacian(1.3),
        Sigmoid(0.5, -1.0),
        AllSubsets(),
        Gaussian(0.5) + Linear(),
        (Gaussian(0.5) + Linear()) * Monomial(3),
        Polynomial(2, 1.0).normalized(),
        Formula("dot(u,v)+1") + Linear(),
    ],
    ids=lambda kernel: kernel.label,
)
def test_a_built_in_kernel_is_written_as_a_formula_that_computes_the_same(kernel, named):
    X, Z = random_data(13, 8)[0], random_data(14, 6)[0]
    text = formula_of(kernel, named=named)
    assert_allclose(Formula(text)(X, Z), kernel(X, Z), rtol=1e-12, atol=1e-13)


def test_built_in_kernels_keep_their_names_if_one_wants_that():
    assert formula_of(Gaussian(0.5) + Sigmoid(2.0, -1.0), named=True) == "gaussian(0.5) + sigmoid(2, -1)"
    assert formula_of(Linear()) == "dot(u, v)"


@pytest.mark.parametrize("kernel", [Function(Linear()), Function(Linear()) + Linear(), AllSubsets(negated=True)])
def test_a_kernel_without_a_formula_is_refused_in_a_sentence(kernel):
    with pytest.raises(ValueError, match=r"^[^.]* has no formula: [^.]*\.$"):
        formula_of(kernel)


def test_a_formula_that_would_grow_too_long_or_too_deep_is_refused():
    long, deep = Formula("+".join(["dot(u, v)"] * 15)), Formula("sqrt(" * 29 + "gaussian(1)" + ")" * 29)
    with pytest.raises(FormulaError, match=f"^The result is not a formula any more: .*at most {MAX_LENGTH}"):
        formula_of(long + long)
    with pytest.raises(FormulaError, match=r"^The result is not a formula any more: .*more than 30 deep"):
        formula_of(deep.normalized())
