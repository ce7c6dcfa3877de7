"""Where examples are shown: points in their plane, bits on the corners of a cube, all others by kernel PCA."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import KernelPCA

import kpviz
from kpviz import experiment
from kpviz.engine.run import example_positions
from kpviz.settings import Settings


def shown(**given):
    """Settings, their split, their run, and where its examples are shown."""
    made = Settings.of(**given)
    split = experiment.prepare(made)
    run = experiment.run(made, split)
    return split, run, experiment.ground(made, split, run)


def beyond(where):
    """How far, in spans of the places, each side of what is shown lies beyond them."""
    low, high = where.places.min(axis=0), where.places.max(axis=0)
    part = where.shown
    sides = [low[0] - part.low_1, part.high_1 - high[0], low[1] - part.low_2, part.high_2 - high[1]]
    return np.array(sides) / (high - low).max()


# ---- the plane ------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{}, {"held": 0.3}, {"data": "iris", "held": 0.1}, {"kernel": "formula"}])
def test_points_of_a_plane_are_where_they_are(given):
    split, _, where = shown(**given)
    assert (where.kind, where.is_plane, where.caption) == (example_positions.PLANE, True, "")
    assert_array_equal(where.places, np.concatenate([split.X, split.X_test]))
    assert where.shown == split.shown
    assert where.edges.shape == (0, 2)
    assert where.outlines.shape == (0, 0, 2)


def test_of_a_mixture_the_deviations_of_its_components_are_outlined():
    _, run, where = shown(kernel="mixture", components=2)
    assert where.is_plane
    assert len(where.outlines) == 4
    for line, (mean, covariance), deviations in zip(
        where.outlines,
        [pair for pair in zip(run.kernel.means, run.kernel.covariances, strict=True) for _ in range(2)],
        [1, 2] * 2,
        strict=True,
    ):
        apart = line - np.array(mean)
        distances = np.sqrt((apart @ np.linalg.inv(np.array(covariance)) * apart).sum(axis=1))
        assert_allclose(distances, deviations, rtol=1e-9)
        assert_allclose(line[0], line[-1], atol=1e-12)
    _, _, combined = shown(kernel="gaussian", combine="sum", kernel2="mixture", components2=2)
    assert len(combined.outlines) == 4


# ---- the cube -------------------------------------------------------------------------------------


def differ_in_one_bit(X):
    """Pairs of rows, by comparing each with each."""
    return {(i, j) for i in range(len(X)) for j in range(i) if np.abs(X[i] - X[j]).sum() == 1}


@pytest.mark.parametrize("bits", range(2, 9))
@pytest.mark.parametrize(("seed", "held"), [(0, 0.0), (0, 0.3), (5, 0.0), (5, 0.5)])
def test_edges_join_exactly_the_inputs_that_differ_in_one_bit(bits, seed, held):
    split, _, where = shown(data="bits", bits=bits, seed=seed, held=held, epochs=1, function="x1 & x2")
    X = np.concatenate([split.X, split.X_test])
    assert (where.kind, where.is_plane) == (example_positions.CUBE, False)
    joined = [tuple(sorted(edge, reverse=True)) for edge in where.edges.tolist()]
    assert len(joined) == len(set(joined)) == bits * 2 ** (bits - 1)
    assert set(joined) == differ_in_one_bit(X)
    assert where.caption == f"corners that are joined differ in one bit; 2ⁿ(4l + 1) = {5 * 2**bits:,} mistakes at most"


def test_the_bound_stands_below_the_cube_only_where_it_holds():
    for given in ({"kernel": "linear"}, {"kernel": "subsets", "negated": "off"}, {"intercept": "unit"}):
        assert shown(data="bits", **given)[2].caption == "corners that are joined differ in one bit"
    assert shown(data="bits", function="majority", negated="off")[2].caption.endswith(
        "2ⁿ(4l + 1) = 272 mistakes at most"
    )


@pytest.mark.parametrize("bits", range(2, 9))
def test_each_input_has_its_own_corner_whatever_the_order_and_edges_of_one_bit_are_parallel(bits):
    first, _, where = shown(data="bits", bits=bits, function="x1", epochs=1)
    other, _, moved = shown(data="bits", bits=bits, function="x1", epochs=1, seed=9, held=0.25)
    corner = {tuple(x): at for x, at in zip(first.everything.tolist(), where.places.tolist(), strict=True)}
    assert len({tuple(at) for at in corner.values()}) == 2**bits
    assert [corner[tuple(x)] for x in other.everything.tolist()] == moved.places.tolist()
    steps = [[] for _ in range(bits)]
    for i, j in where.edges:
        (bit,) = np.flatnonzero(first.everything[i] != first.everything[j])
        steps[bit].append(where.places[j] - where.places[i])
    for of_bit in steps:
        assert_allclose(of_bit, [of_bit[0]] * len(of_bit), atol=1e-12)
    assert (beyond(where) >= 0.1).all()


def test_of_some_inputs_only_those_that_are_there_are_joined():
    X = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    where = example_positions.of_bits(X)
    assert {tuple(sorted(edge, reverse=True)) for edge in where.edges.tolist()} == differ_in_one_bit(X) == {
        (2, 0), (2, 1), (3, 1),
    }  # fmt: skip


# ---- the embedding --------------------------------------------------------------------------------


@pytest.mark.parametrize("data", ["texts", "trees", "graphs"])
@pytest.mark.parametrize("held", [0.0, 0.3])
def test_objects_are_where_kernel_pca_of_all_of_them_puts_them(data, held):
    split, run, where = shown(data=data, held=held)
    everything = [*split.X.tolist(), *split.X_test.tolist()]
    gram = run.kernel(everything, everything)
    theirs = KernelPCA(2, kernel="precomputed").fit(gram)
    places = theirs.transform(gram)
    assert_allclose(np.abs(where.places), np.abs(places), atol=1e-6 * np.abs(places).max())
    spread = KernelPCA(kernel="precomputed").fit(gram).eigenvalues_
    assert where.share == pytest.approx(theirs.eigenvalues_.sum() / spread[spread > 0].sum())
    assert where.caption == f"kernel PCA: two directions show {where.share:.0%} of the spread"
    assert (where.kind, where.is_plane, where.edges.shape) == (example_positions.EMBEDDING, False, (0, 2))
    assert (beyond(where) >= 0.1).all()
    assert where.shown.high_1 - where.shown.low_1 == pytest.approx(where.shown.high_2 - where.shown.low_2)


def test_rows_of_more_than_two_numbers_and_matrices_are_embedded_too():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 4)), np.repeat([-1.0, 1.0], 6)
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Gaussian(2.0))
    given = kpviz.train(kpviz.learners.Perceptron(), run.gram, y, kernel="precomputed")
    held = rng.normal(size=(3, 4))
    assert example_positions.of(run).kind == example_positions.of(given).kind == example_positions.EMBEDDING
    assert_allclose(example_positions.of(given).places, example_positions.of(run).places)
    assert example_positions.of(run, held).places.shape == (15, 2)
    assert example_positions.of(given, rng.normal(size=(3, 12))).places.shape == (
        12,
        2,
    )  # held-out rows of a matrix have no place


def test_examples_at_one_place_are_still_shown_with_room_about_them():
    run = kpviz.train(kpviz.learners.Perceptron(), ["a cup", "a cup"], [1.0, -1.0], kernel=kpviz.kernels.WordSets())
    where = example_positions.of(run)
    assert_allclose(where.places[0], where.places[1])
    assert where.shown.low_1 < where.places[0, 0] < where.shown.high_1
    assert where.shown.low_2 < where.places[0, 1] < where.shown.high_2


# ---- how examples are written ---------------------------------------------------------------------


def test_texts_are_written_as_they_are_bits_side_by_side_and_other_rows_not_at_all():
    assert example_positions.written("boil the rice") == "boil the rice"
    assert example_positions.written(np.array([1.0, 0.0, 1.0, 1.0])) == "1011"
    assert example_positions.written(np.array([0.0, 0.0])) == "00"
    assert example_positions.written(np.array([1.0, 0.5])) == ""
    assert example_positions.written(np.array([-1.0, 1.0])) == ""
