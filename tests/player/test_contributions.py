"""What each example adds to the field, as it is sent: its kernel at the nodes, exactly where that is possible."""

from itertools import cycle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sent import HARD, ONE, ROUGH, added

import kpviz
from kpviz import experiment
from kpviz.engine.kernels import Formula, Gaussian, Laplacian, Linear
from kpviz.engine.run import grid
from kpviz.player import contributions
from kpviz.settings import Settings

# Normalized, these jump: near the origin, or where k(x, x) is below 0.
JUMPS = {"linear", "monomial", "monomial, high", "polynomial, high, no constant", "usual × high"} | {
    "sigmoid", "sigmoid, steep", "kinks × steep", "steep + steep"
}  # fmt: skip

INEXACT = "A kernel that is not `written` is rounded off: write it as a formula, or a line of ROUGH in sent.py."

ALONE = [(name, normalize) for normalize in ("off", "on") for name in (*ONE, *HARD)]
ALONE = [(name, normalize) for name, normalize in ALONE if normalize == "off" or name not in JUMPS]


def size(blocks):
    return sum(array.nbytes for block in blocks for array in block.values())


@pytest.mark.parametrize(
    ("name", "normalize", "n"),
    [(*case, n) for case, n in zip(ALONE, cycle([7, 60, 1, 250]))],
)
def test_each_example_alone_adds_its_kernel(name, normalize, n):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 2)) * 0.6
    kernel = experiment.kernel(Settings.of(**{**ONE, **HARD}[name], normalize=normalize)).fitted(X)
    x1, x2 = np.linspace(-1.5, 1.4, 96), np.linspace(-1.2, 1.6, 96)
    blocks = contributions.blocks(kernel, X, x1, x2)
    nodes = np.column_stack([np.tile(x1, 96), np.repeat(x2, 96)])
    largest = np.abs(kernel(X, nodes)).max()
    for i in {0, n // 2, n - 1}:
        coef = np.zeros(n)
        coef[i] = 1.0
        exact = kernel(X[[i]], nodes).reshape(96, 96)
        shown = added(blocks, coef, 96)
        assert_allclose(shown, exact, rtol=0, atol=2e-5 * largest, err_msg=INEXACT)


@pytest.mark.parametrize(
    ("name", "normalize"),
    [*((name, "on") for name in sorted(JUMPS)), *((name, on) for name in ROUGH for on in ("off", "on"))],
)
def test_a_kernel_that_jumps_or_has_kinks_is_drawn_roughly(name, normalize):
    kernel = experiment.kernel(Settings.of(**{**ONE, **HARD, **ROUGH}[name], normalize=normalize))
    X = np.random.default_rng(0).normal(size=(40, 2)) * 0.6
    x1 = np.linspace(-1.5, 1.4, 96)
    nodes = np.column_stack([np.tile(x1, 96), np.repeat(x1, 96)])
    coef = np.random.default_rng(1).normal(size=40)
    found = contributions.blocks(kernel, X, x1, x1)
    exact = (coef @ kernel(X, nodes)).reshape(96, 96)
    field = added(found, coef, 96)
    assert_allclose(field, exact, rtol=0, atol=2e-2 * np.abs(exact).max())
    assert size(found) <= 600_000


@pytest.mark.parametrize("text", ["1e-300*dot(u,v)", "1e-300*tanh(dot(u,v))", "1e-300*cos(u[1]-v[1])"])
def test_a_kernel_whose_length_is_tiny_is_normalized_for_drawing_too(text):
    kernel = Formula(text).normalized()
    X, x1 = np.random.default_rng(0).uniform(-1, 1, (20, 2)), np.linspace(-1.2, 1.3, 24)
    nodes = np.column_stack([np.tile(x1, 24), np.repeat(x1, 24)])
    field = added(contributions.blocks(kernel, X, x1, x1), np.ones(20), 24)
    assert_allclose(field.ravel(), kernel(X, nodes).sum(axis=0), atol=1e-4)


@pytest.mark.parametrize(
    "kernel",
    [
        Formula("exp(-norm(u-v)**2/2) + 0.1*dot(u,v)") * Laplacian(0.5),
        Formula("laplacian(0.5)*(exp(-norm(u-v)**2/2) + 0.1*dot(u,v))"),
        (Gaussian(1.0) + Linear()) * Laplacian(0.5),
    ],
    ids=["product", "formula", "sum"],
)
def test_a_product_of_sums_is_multiplied_out_where_that_is_exact_and_smaller(kernel):
    X, x1 = np.random.default_rng(0).uniform(-1.5, 1.5, (180, 2)), np.linspace(-2.0, 2.0, 96)
    nodes = np.column_stack([np.tile(x1, 96), np.repeat(x1, 96)])
    coef = np.random.default_rng(1).normal(size=180)
    found = contributions.blocks(kernel, X, x1, x1)
    exact = (coef @ kernel(X, nodes)).reshape(96, 96)
    assert_allclose(added(found, coef, 96), exact, rtol=0, atol=1e-7 * np.abs(exact).max())
    assert size(found) < 290_000


def test_any_other_function_is_factorised_within_its_size():
    def waves(X, Z):
        return np.cos(3 * np.linalg.norm(X[:, None] - Z[None], axis=2))

    X = np.random.default_rng(0).uniform(-1, 1, (60, 2))
    x1 = np.linspace(-1.25, 1.25, 96)
    (block,) = contributions.blocks(kpviz.kernels.as_kernel(waves), X, x1, x1)
    assert size([block]) <= 400_000
    nodes = np.column_stack([np.tile(x1, 96), np.repeat(x1, 96)])
    coef = np.random.default_rng(1).normal(size=60)
    assert_allclose(added([block], coef, 96), (coef @ waves(X, nodes)).reshape(96, 96), atol=2e-3)


IN_THE_PLAYER = """(arrays, grid) => {
  const sent = Object.entries(arrays).map(([name, values]) => [`${name}_0`, Float64Array.from(values)]);
  const out = new Float64Array(grid * grid);
  const [block] = load("model/field.js").blocksOf(Object.fromEntries(sent), grid);
  block.add(new Float64Array(arrays.tops.length / 2).fill(1), out);
  return [...out].map((value) => (Number.isFinite(value) ? value : null));
}"""


@pytest.mark.parametrize("nodes", [96, 97, 109, 133, 145])
def test_hills_reach_the_farthest_node_where_examples_lie_on_nodes_up_to_rounding(engine, nodes):
    for seed in range(8):
        X = np.random.default_rng(seed).uniform(0.0, 10.0, (8, 2)).round(1)
        x1, x2 = grid.extent(X).axes(nodes)
        (block,) = contributions.blocks(Gaussian(2.0), X, x1, x2)
        shown = engine.call(IN_THE_PLAYER, {name: array.ravel().tolist() for name, array in block.items()}, nodes)
        exact = Gaussian(2.0)(X, np.column_stack([np.tile(x1, nodes), np.repeat(x2, nodes)])).sum(axis=0)
        assert_allclose(np.array(shown, dtype=float), exact, atol=1e-9)
