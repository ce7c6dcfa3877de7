"""Where examples are shown: points in their plane, bits on the corners of a cube, all others by
kernel PCA.
"""

import numpy as np
import pytest
from drawn_runs import POSITIVE, SEEDS
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import KernelPCA
from textbook import KERNELS, random_data

import kpviz
from kpviz import experiment
from kpviz.engine.kernels import Gaussian, Mixture
from kpviz.engine.run import example_positions
from kpviz.engine.run.example_positions import kernel_pca
from kpviz.settings import Settings


def shown(**given):
    """The split of settings, their run, and where its examples are shown."""
    made = Settings.of(**given)
    split = experiment.prepare(made)
    run = experiment.run(made, split)
    return split, run, experiment.positions(made, split, run)


def has_room(where):
    """Whether each side of what is shown lies a tenth of the span beyond the places."""
    low, high = where.places.min(axis=0), where.places.max(axis=0)
    part = where.visible
    sides = [low[0] - part.low_1, part.high_1 - high[0], low[1] - part.low_2, part.high_2 - high[1]]
    return min(sides) >= 0.1 * ((high - low).max() or 1.0)


@pytest.mark.parametrize(
    "given", [{}, {"held": 0.3}, {"data": "iris", "held": 0.1}, {"kernel": "formula"}]
)
def test_points_of_a_plane_are_where_they_are(given):
    split, _, where = shown(**given)
    assert (where.kind, where.is_plane, where.caption) == (example_positions.PLANE, True, "")
    assert_array_equal(where.places, np.concatenate([split.X, split.X_test]))
    assert where.visible == split.extent
    assert not len(where.edges) + len(where.outlines)


def test_of_a_mixture_the_deviations_of_its_components_are_outlined():
    _, run, where = shown(kernel="mixture", components=2)
    components = [
        pair
        for pair in zip(run.kernel.means, run.kernel.covariances, strict=True)
        for _ in range(2)
    ]
    for line, (mean, covariance), deviations in zip(
        where.outlines, components, [1, 2] * 2, strict=True
    ):
        apart = line - np.array(mean)
        distances = np.sqrt((apart @ np.linalg.inv(np.array(covariance)) * apart).sum(axis=1))
        assert_allclose(distances, deviations, rtol=1e-9)
        assert_allclose(line[0], line[-1], atol=1e-12)
    split, run, _ = shown(kernel="mixture", components=2)
    both = kpviz.train(run.learner, split.X, split.y, kernel=Gaussian(0.5) + Mixture(components=2))
    assert (
        len(example_positions.of(both, split.X_test, visible=split.extent, bits=False).outlines)
        == 4
    )


def differ_in_one_bit(X):
    return {(j, i) for i in range(len(X)) for j in range(i) if np.abs(X[i] - X[j]).sum() == 1}


@pytest.mark.parametrize("bits", range(2, 9))
def test_each_input_has_its_own_corner_and_edges_join_those_that_differ_in_one_bit(bits):
    function = {"data": "bits", "bits": bits, "function": "x1 & x2", "epochs": 1}
    first, _, where = shown(**function)
    corner = {
        tuple(x): at for x, at in zip(first.everything.tolist(), where.places.tolist(), strict=True)
    }
    assert len({tuple(at) for at in corner.values()}) == 2**bits
    for more in ({}, {"held": 0.3}, {"seed": 5, "held": 0.5}):
        split, _, where = shown(**function, **more)
        X = split.everything
        assert (where.kind, where.is_plane) == (example_positions.CUBE, False)
        joined = [tuple(sorted(edge)) for edge in where.edges.tolist()]
        assert len(joined) == bits * 2 ** (bits - 1)
        assert set(joined) == differ_in_one_bit(X)
        assert where.caption == "joined corners differ in one bit"
        assert [corner[tuple(x)] for x in X.tolist()] == where.places.tolist()
        assert has_room(where)
    along = where.places[where.edges[:, 1]] - where.places[where.edges[:, 0]]
    changed = X[where.edges[:, 1]] - X[where.edges[:, 0]]
    directions, *_ = np.linalg.lstsq(changed, along, rcond=None)
    assert_allclose(changed @ directions, along, atol=1e-12)  # those of one bit are parallel


def test_only_inputs_that_are_there_are_joined():
    X = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    assert {
        tuple(sorted(edge)) for edge in example_positions.of_bits(X).edges.tolist()
    } == differ_in_one_bit(X)


@pytest.mark.parametrize("data", ["texts", "trees", "graphs"])
@pytest.mark.parametrize("held", [0.0, 0.3])
def test_objects_are_where_kernel_pca_of_all_of_them_puts_them(data, held):
    _, run, where = shown(data=data, held=held)
    X = shown(data=data, held=held)[0].everything
    components, share = kernel_pca(run.kernel(X, X))
    side = np.ptp(components, axis=0).max()
    for component, place in zip(components.T, where.places.T, strict=True):
        order = np.argsort(component)
        apart = np.diff(component[order])
        # The order along each axis stays, and what lies at one place; heaps are widened.
        assert (np.diff(place[order])[apart > 1e-6 * side] > 0).all()
        assert_allclose(np.diff(place[order])[apart < 1e-12 * side], 0.0, atol=1e-9)
        assert np.ptp(place) == pytest.approx((np.ptp(component) + side) / 2.0)
    assert where.share == pytest.approx(share)
    assert where.caption == (
        f"near means similar (kernel PCA, {share:.0%} of the spread; heaps widened)"
    )
    assert (where.kind, where.is_plane, len(where.edges)) == (example_positions.EMBEDDING, False, 0)
    assert has_room(where)
    assert where.visible.high_1 - where.visible.low_1 == pytest.approx(
        where.visible.high_2 - where.visible.low_2
    )


def test_rows_of_more_than_two_numbers_matrices_and_examples_at_one_place_are_embedded_too():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 4)), np.repeat([-1.0, 1.0], 6)
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Gaussian(2.0))
    given = kpviz.train(kpviz.learners.Perceptron(), run.gram, y, kernel="precomputed")
    assert_allclose(example_positions.of(given).places, example_positions.of(run).places)
    assert example_positions.of(run, rng.normal(size=(3, 4))).places.shape == (15, 2)
    assert (
        len(example_positions.of(given, rng.normal(size=(3, 12))).places) == 12
    )  # rows of a matrix have no place
    alike = kpviz.train(
        kpviz.learners.Perceptron(),
        ["a cup", "a cup"],
        [1.0, -1.0],
        kernel=kpviz.kernels.WordSets(),
    )
    where = example_positions.of(alike)
    assert_allclose(where.places[0], where.places[1])
    assert has_room(where)


@pytest.mark.parametrize(
    ("x", "text"),
    [
        ("boil the rice", "boil the rice"),
        ([1.0, 0.0, 1.0, 1.0], "1011"),
        ([0.0, 0.0], "00"),
        ([1.0, 0.5], ""),
    ],
)
def test_texts_are_written_as_they_are_bits_side_by_side_and_other_rows_not_at_all(x, text):
    assert example_positions.written(x if isinstance(x, str) else np.array(x)) == text


# ---- kernel PCA


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([*KERNELS]), SEEDS, st.integers(2, 25), st.integers(1, 3))
def test_places_are_those_of_scikit_learn_and_the_farthest_of_each_axis_is_positive(
    name, seed, n, dims
):
    gram = KERNELS[name](*[random_data(seed, n)[0]] * 2)
    places, share = kernel_pca(gram, dims)
    J = np.eye(n) - 1 / n
    values = np.linalg.eigvalsh(J @ gram @ J)[::-1]
    if values[0] > 1e-6 * np.abs(gram).max():
        assert_allclose(
            share, np.maximum(values[:dims], 0).sum() / values[values > 0].sum(), rtol=1e-6
        )
    for axis in places.T:
        size = np.abs(axis)
        assert axis[(size >= (1 - 1e-9) * size.max()).argmax()] >= 0
    if name in POSITIVE:
        theirs = KernelPCA(dims, kernel="precomputed", eigen_solver="dense").fit_transform(gram)
        assert_allclose(places @ places.T, theirs @ theirs.T, atol=1e-6 * np.abs(gram).max())
        everything, whole = kernel_pca(gram, n)  # all axes together keep every distance
        far = np.diag(gram)[:, None] + np.diag(gram) - 2 * gram
        assert_allclose(
            ((everything[:, None] - everything) ** 2).sum(-1), far, atol=1e-7 * np.abs(gram).max()
        )
        assert whole == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_examples_in_another_basis_have_the_same_picture(seed):
    """Four corners have two equal eigenvalues: any turn of the picture would be an eigenbasis as
    well.
    """
    corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    noise = 1e-13 * np.random.default_rng(seed).normal(size=(4, 4))
    plain, shaken = (kernel_pca(corners @ corners.T + each)[0] for each in (0.0, noise + noise.T))
    assert_allclose(plain, shaken, atol=1e-9)
    assert_allclose(np.linalg.norm(plain, axis=1), np.sqrt(2.0))


def test_no_spread_or_a_negative_one_means_one_place_and_two_examples_lie_on_one_axis():
    X = random_data(1, 6)[0]
    for gram in (np.array([[3.0]]), np.full((5, 5), 2.0), np.zeros((3, 3)), -(X @ X.T)):
        places, share = kernel_pca(gram)
        assert (places.any(), share) == (False, 1.0)
    places, _ = kernel_pca(np.eye(5), 5)  # whose axes all have the same spread
    assert_allclose(((places[:, None] - places) ** 2).sum(-1), 2.0 * (1.0 - np.eye(5)), atol=1e-12)
    assert_allclose(kernel_pca(np.eye(2))[0], [[np.sqrt(0.5), 0.0], [-np.sqrt(0.5), 0.0]])
