"""What each example adds to the field, as it is sent: its kernel at the nodes, exactly where that
is possible.
"""

import tracemalloc
from itertools import cycle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sent import HARD, ONE, ROUGH, added

import kpviz
from kpviz import experiment
from kpviz.engine.kernels import Formula, Gaussian, Kernel, Laplacian, Linear, Polynomial
from kpviz.engine.run import grid
from kpviz.player import contributions
from kpviz.settings import Settings
from kpviz.settings.kernel_words import kernel_label

# Normalized, these jump: near the origin, or where k(x, x) is below 0.
JUMPS = {"linear", "monomial", "monomial, high", "polynomial, high, no "
    "constant", "usual × high"} | {
    "sigmoid", "sigmoid, steep", "kinks × steep", "steep + steep"
}  # fmt: skip
INEXACT = (
    "A kernel that is not `written` is rounded off: write it as a formula, or a line of "
    "ROUGH in sent.py."
)
X1, X2 = np.linspace(-1.5, 1.4, 96), np.linspace(-1.2, 1.6, 96)
NODES = np.column_stack([np.tile(X1, 96), np.repeat(X2, 96)])


def examples(n):
    return np.random.default_rng(n).normal(size=(n, 2)) * 0.6


def size(blocks):
    return sum(array.nbytes for block in blocks for array in block.values())


def check(kernel, n, near):
    """What is sent is the kernel of each example alone, and of all of them; return it."""
    X, coef = examples(n), np.random.default_rng(1).normal(size=n)
    blocks = contributions.blocks(kernel, X, X1, X2)
    exact = kernel(X, NODES)
    sums = np.array([*np.eye(n)[[0, n // 2, n - 1]], coef, np.ones(n)])
    for each, shown in zip(sums, added(blocks, sums, 96), strict=True):
        assert_allclose(
            shown.ravel(),
            each @ exact,
            rtol=0,
            atol=near * np.abs(exact).max() * np.abs(each).sum(),
            err_msg=INEXACT,
        )
    return blocks


# formulas, and what is looked up in tables for them
EXACT = {
    "tanh(dot(u,v) - 1)": "ridge",
    "dot(v,u)**2 + polynomial(2,1)*3": "weights",
    "normalized(dot(u,v) + 2)": "weights",
    "dot(u,v) + norm(u)*norm(v)": "weights",
    "dot(u,u)*dot(v,v)": "weights",
    "exp(-norm(u-v)**2/2) + 0.1*dot(u,v)": "falls_1 weights",
    "exp(-norm1(u-v)/0.5)": "falls_1",
    "-norm(u-v)**2 + 3": "weights",
    "gaussian(0.5)*linear() - 2": "falls_1 weights",
    "exp(dot(u,v) - 2)*(1 + u[1]*v[1] + u[2]*v[2])": "ridge",
    "cos(u[1]-v[1])*cos(u[2]-v[2])": "along_1 along_2",
    "norm(u)*dot(u,v)/(1 + u[1]**2)/(1 + v[1]**2)*norm(v)": "weights",
    "(exp(dot(u,v)) + sum(min(u,v)))**2": "ridge along_1",
    "2/exp(norm(u-v)**2)": "table",
    "sum(norm(u)*v)*sum(norm(v)*u)": "weights",
    "normalized(gaussian(1))*sigmoid(1,1)": "falls_1 ridge",
    "exp(norm(u-v) - sum(abs(u-v)))": "table along_1",
    "exp(norm1(u-v) - norm(u-v)**2)": "along_1 along_2",
    "subsets() - exp(-(u[1]-v[1])**2)/2": "weights along_1",
    "exp(-norm(u-v))": "table",
    "1/(1+norm(v-u))": "table",
    "-norm(u-v)**3": "table",
    "exp(-norm(u-v)**2)*(norm(u-v)+1)**-1": "table",
    "exp(-5*norm(u-v)) + 0.1*dot(u,v) + u[1]*v[2] + u[2]*v[1]": "table weights",
    "normalized(exp(-norm(u - v)) + dot(u, v) + 1)": "table rest_1",
    "exp(-norm(u - v))*(1 + u[1]*v[1])": "table",
    "2*exp(-norm(u - v))/(1 + norm(u - v))*(dot(u, v) + 1)": "table",
    "exp(-norm(u - v))*gaussian(1)*u[2]*v[2]": "table",
    "abs(dot(u, v))*exp(-norm(u - v)**2)": "ridge",
    "(1 + abs(dot(u, v)))*(1 + u[2]*v[2]) + exp(-norm(u - v))*u[1]*v[1]": "ridge table",
}


@pytest.mark.parametrize(
    ("text", "arrays", "n"), [(*case, n) for case, n in zip(EXACT.items(), cycle([1, 30, 300]))]
)
def test_what_each_factor_of_a_formula_depends_on_is_found(text, arrays, n):
    kernel = Formula(text)
    assert contributions.is_exact(kernel)
    found = check(kernel, n, 1e-6)
    assert set(arrays.split()) <= set().union(*found)
    assert size(found) <= 300_000


def test_products_of_kernels_that_are_chosen_are_multiplied_out_where_that_is_exact_and_smaller():
    for kernel in (
        Formula("exp(-norm(u-v)**2/2) + 0.1*dot(u,v)") * Laplacian(0.5),
        Formula("laplacian(0.5)*(exp(-norm(u-v)**2/2) + 0.1*dot(u,v))"),
        (Gaussian(1.0) + Linear()) * Laplacian(0.5),
    ):
        assert size(check(kernel, 180, 1e-7)) < 290_000


@pytest.mark.parametrize(
    "kernel",
    [
        *(Formula("+".join([text] * 20)) for text in ("dot(u,v)**9", "monomial(64)")),
        Formula("gaussian(1)*(" + "+".join(["dot(u,v)**39"] * 15) + ")"),
        Formula("(" + "+".join(["norm(u-v)*dot(u,v)"] * 9) + ")**9"),
        Polynomial(20, 1.0) * Polynomial(20, 1.0),
        Polynomial(100, 1.0),  # of a degree that no formula has
    ],
    ids=kernel_label,
)
def test_very_many_terms_take_little_room(kernel):
    tracemalloc.start()
    contributions.is_exact(kernel)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5_000_000
    assert size(contributions.blocks(kernel, examples(200), X1, X2)) < 500_000


# ---- what is none of these ----


def waves(X, Z):
    return np.cos(3 * np.linalg.norm(X[:, None] - Z[None], axis=2))


@pytest.mark.parametrize(
    ("kernel", "near"),
    [
        *(
            (Formula(text), 2e-2)
            for text in ("1/(1 + norm1(u-v))", "norm(u + v)", "exp(dot(u,v)*norm(u-v))")
        ),
        *(
            (Formula(text), 2e-2)
            for text in ("exp(-norm(u-v)**2)*(norm1(u-v)+1)**-1", "dot(u,v)/(1+norm1(u-v))")
        ),
        *(
            (experiment.kernel(Settings.of(**{**ONE, **HARD}[name], normalize="on")), 2e-2)
            for name in sorted(JUMPS)
        ),
        *((experiment.kernel(Settings.of(**ROUGH[name], normalize="on")), 2e-2) for name in ROUGH),
        (kpviz.kernels.as_kernel(waves), 1e-3),
    ],
    ids=lambda value: kernel_label(value) if isinstance(value, Kernel) else "",
)
def test_a_kernel_that_jumps_has_kinks_or_is_any_function_is_drawn_roughly_by_two_decompositions(
    kernel, near, monkeypatch
):
    X, coef = examples(150), np.random.default_rng(1).normal(size=150)
    coef = np.ones(150) if kernel.name == "Formula" else coef
    monkeypatch.delattr(np.linalg, "svd")
    found = contributions.blocks(kernel, X, X1, X2)
    exact = coef @ kernel(X, NODES)
    assert_allclose(added(found, coef, 96).ravel(), exact, rtol=0, atol=near * np.abs(exact).max())
    assert size(found) <= 600_000
    assert contributions.is_exact(kernel) == (
        "weights" not in found[-1] or found[-1]["weights"].dtype == np.float64
    )


IN_THE_PLAYER = """(arrays, grid) => {
  const sent = Object.entries(arrays).map(([name, values]) => [`${name}_0`, Float64Array.from(values)]);
  const out = new Float64Array(grid * grid);
  const [block] = load("run/field.js").blocksOf(Object.fromEntries(sent), grid);
  block.add(new Float64Array(arrays.tops.length / 2).fill(1), out);
  return [...out].map((value) => (Number.isFinite(value) ? value : null));
}"""


@pytest.mark.parametrize("nodes", [96, 97, 109, 133, 145])
def test_hills_reach_the_farthest_node_where_examples_lie_on_nodes_up_to_rounding(engine, nodes):
    for seed in range(8):
        X = np.random.default_rng(seed).uniform(0.0, 10.0, (8, 2)).round(1)
        x1, x2 = grid.extent(X).axes(nodes)
        (block,) = contributions.blocks(Gaussian(2.0), X, x1, x2)
        shown = engine.call(
            IN_THE_PLAYER, {name: array.ravel().tolist() for name, array in block.items()}, nodes
        )
        exact = Gaussian(2.0)(X, np.column_stack([np.tile(x1, nodes), np.repeat(x2, nodes)])).sum(
            axis=0
        )
        assert_allclose(np.array(shown, dtype=float), exact, atol=1e-9)
