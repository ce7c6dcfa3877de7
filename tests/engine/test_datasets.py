"""Data sets: their geometry, counts, seeds and errors."""

from typing import get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_iris
from textbook import TOYS

import kpviz
from kpviz import make_dataset
from kpviz.engine.data.datasets import SOURCES, DatasetName, load
from kpviz.engine.kernels import Gaussian
from kpviz.engine.learners import Perceptron
from kpviz.engine.theory import max_margin

REAL = {"iris": (load_iris, 100), "breast_cancer": (load_breast_cancer, 569)}
SEEDS = range(4)


def test_every_source_is_tested_here():
    assert all(source.title and source.look_for.endswith(".") for source in SOURCES.values())
    assert {name for name, source in SOURCES.items() if source.is_real} == set(REAL)


@pytest.mark.parametrize("name", SOURCES)
def test_the_seed_decides_on_points_of_the_plane_in_a_mixed_order_and_global_randomness_has_no_say(
    name,
):
    X, y = first = make_dataset(name, n_samples=50, seed=7)
    assert (X.shape, y.shape, X.dtype, y.dtype) == ((50, 2), (50,), np.float64, np.float64)
    assert np.isfinite(X).all()
    assert set(y) == {-1.0, 1.0}
    assert (np.diff(y) != 0).sum() > 8
    np.random.seed(0)  # noqa: NPY002 - the state that must not matter
    again, other = (
        make_dataset(name, n_samples=50, seed=7),
        make_dataset(name, n_samples=50, seed=8),
    )
    assert_array_equal(first[0], again[0])
    assert_array_equal(first[1], again[1])
    assert not np.array_equal(first[0], other[0])


@pytest.mark.parametrize("name", TOYS)
def test_the_share_of_plus_one_is_the_balance(name):
    for n, balance, positive in [
        (200, None, 100),
        (200, 0.25, 50),
        (40, 0.05, 2),
        (10, 0.05, 1),
        (2, 0.95, 1),
    ]:
        _, y = make_dataset(name, n_samples=n, balance=balance)
        assert (len(y), (y == 1).sum()) == (n, positive)


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_the_share_of_flipped_labels_is_exact_and_moves_no_point(name, share):
    X, y = make_dataset(name, n_samples=60, seed=3)
    Z, flipped = make_dataset(name, n_samples=60, seed=3, flipped=share)
    assert_array_equal(X, Z)
    assert (y != flipped).sum() == round(share * 60)


@pytest.mark.parametrize("name", TOYS)
def test_a_toy_spans_about_minus_one_to_one(name):
    for seed in SEEDS:
        X, _ = make_dataset(name, n_samples=400, seed=seed, noise=0.0 if name != "blobs" else None)
        centre = 3.0 if name == "shifted" else 0.0
        reach = np.abs(X - centre).max(axis=0)
        assert (reach > 0.45).all()
        assert (reach < 1.6 if name == "blobs" else reach < 1.45).all()


# -- geometry ---------------------------------------------------------------------------------------------------------


def test_xor_at_four_points_is_the_four_corners_in_the_order_of_the_books():
    for seed in SEEDS:
        X, y = make_dataset("xor", n_samples=4, noise=0.0, seed=seed)
        assert_array_equal(X, [[1, 1], [1, -1], [-1, 1], [-1, -1]])
        assert_array_equal(y, [-1, 1, 1, -1])


def test_a_spiral_is_the_other_turned_by_half_a_circle():
    X, y = make_dataset("spirals", n_samples=400, noise=0.0)
    way, angle = np.linalg.norm(X, axis=1), np.arctan2(X[:, 1], X[:, 0])
    turned = np.where(y == 1, np.pi, 0.0)
    assert_allclose(np.cos(angle), np.cos(1.6 * 2 * np.pi * way + turned), atol=1e-9)
    assert way.max() <= 1.0


@pytest.mark.parametrize("seed", range(3))
def test_a_narrow_gaussian_follows_the_arms_of_spirals_within_a_few_epochs_and_a_wide_one_does_not(
    seed,
):
    X, y = make_dataset("spirals", SOURCES["spirals"].n, SOURCES["spirals"].noise, seed)
    runs = [
        kpviz.train(Perceptron(), X, y, kernel=Gaussian(sigma), epochs=400) for sigma in (0.2, 1.0)
    ]
    assert runs[0].converged
    assert runs[0].n_epochs <= 5
    assert not runs[1].converged


# The label that belongs to a place of the geometry, without noise.
TARGETS = {
    "xor": lambda a, b: -np.sign(a * b),
    "linear": lambda a, b: np.sign(0.6 * a + 0.8 * b),
    "shifted": lambda a, b: np.sign(a - 3.0),
    "circles": lambda a, b: np.sign(0.7 - np.hypot(a, b)),
    "checkerboard": lambda a, b: np.where((np.floor(2 * a) + np.floor(2 * b)) % 2 == 0, 1.0, -1.0),
}


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("n", [5, 300])
def test_the_label_is_that_of_the_place_and_noise_moves_the_points_from_it(name, n):
    X, y = make_dataset(name, n_samples=n, noise=0.0, seed=2)
    assert_array_equal(TARGETS[name](*X.T), y)
    moved, same = make_dataset(name, n_samples=n, noise=0.05, seed=2)
    assert_array_equal(same, y)
    assert 0.0 < np.abs(moved - X).max() < 0.05 * 5


def test_some_geometries_keep_away_from_where_the_label_changes():
    X, _ = make_dataset("xor", n_samples=400, noise=0.0, seed=1)
    assert 0.1 <= np.abs(X).min() <= np.abs(X).max() <= 1.0
    X, y = make_dataset("circles", n_samples=300, noise=0.0)
    assert [np.ptp(np.linalg.norm(X[y == label], axis=1)) < 1e-12 for label in (1, -1)] == [
        True
    ] * 2
    X, _ = make_dataset("checkerboard", n_samples=1000, noise=0.0)
    assert len({tuple(cell) for cell in np.floor((X + 1) * 2)}) == 16


def test_moons_are_half_circles_that_reach_into_each_other():
    X, y = make_dataset("moons", n_samples=300, noise=0.0)
    for label, side in ((-1, 1.0), (1, -1.0)):
        centre = side * np.array([-0.5, -0.25]) / 1.5
        assert_allclose(np.linalg.norm(X[y == label] - centre, axis=1), 1 / 1.5)
        assert (side * (X[y == label] - centre)[:, 1] >= 0).all()
    assert X[y == -1][:, 0].max() > X[y == 1][:, 0].min()


def test_blobs_lie_about_two_opposite_centres():
    X, y = make_dataset("blobs", n_samples=1000, noise=0.2)
    assert_allclose(X[y == 1].mean(axis=0), -X[y == -1].mean(axis=0), atol=0.03)
    assert (X[y == 1].mean(axis=0) > 0.4).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_linear_is_separable_through_the_origin_and_xor_is_not(seed):
    X, y = make_dataset("linear", n_samples=100, seed=seed)
    assert max_margin(X @ X.T, y) >= 0.1 - 1e-9
    run = kpviz.train(Perceptron(), X, y)
    assert run.end == "clean"
    X, y = make_dataset("xor", n_samples=100, seed=seed)
    assert max_margin(X @ X.T, y) == max_margin(X @ X.T + 1.0, y) == 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_shifted_needs_an_intercept_and_the_radius_is_the_better_one(seed):
    X, y = make_dataset("shifted", seed=seed)
    runs = {
        intercept: kpviz.train(
            Perceptron(intercept=intercept), X, y, epochs=200 if intercept == "none" else 2000
        )
        for intercept in ("none", "unit", "radius")
    }
    assert [runs[name].end for name in ("none", "unit", "radius")] == ["limit", "clean", "clean"]
    assert max_margin(X @ X.T, y) == 0.0
    assert runs["unit"].mistake.sum() >= 3 * runs["radius"].mistake.sum()


# -- measured data ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("features", [None, (1, 0), (0, 3)])
def test_measured_values_are_scikit_learns_after_the_scaling_is_undone(name, features):
    loader, n = REAL[name]
    bunch = loader()
    data = load(name, features=features, noise=0.0)
    first, second = features or {"iris": (2, 3), "breast_cancer": (0, 1)}[name]
    assert data.features == (bunch.feature_names[first], bunch.feature_names[second])
    lows, highs = np.array(data.lows), np.array(data.highs)
    values = lows + (data.X + 1) / 2 * (highs - lows)
    labels = [
        list(bunch.target_names).index(data.classes[0 if label < 0 else 1]) for label in data.y
    ]
    expected = [
        (row[first], row[second], label)
        for row, label in zip(bunch.data, bunch.target, strict=True)
        if label in set(labels)
    ]
    found = [(a, b, label) for (a, b), label in zip(values, labels, strict=True)]
    assert len(found) == n
    assert_allclose(sorted(found), sorted(expected), atol=1e-9)
    assert data.scaled
    assert np.abs(data.X).max() <= 1.0 + 1e-12


def test_iris_offers_every_pair_of_classes():
    bunch = load_iris()
    for negative, positive in [(0, 1), (2, 0), (1, 2)]:
        data = load("iris", classes=(negative, positive))
        assert data.classes == (bunch.target_names[negative], bunch.target_names[positive])
        assert_array_equal(data.y.sum(), 0.0)
    X, y = make_dataset("iris", classes=(0, 1))
    assert max_margin(X @ X.T + 1.0, y) > 0


@pytest.mark.parametrize("name", REAL)
def test_measured_data_keep_their_balance_unless_told_otherwise(name):
    _, y = make_dataset(name)
    _, few = make_dataset(name, n_samples=60)
    assert abs((few == 1).mean() - (y == 1).mean()) < 0.01
    _, chosen = make_dataset(name, n_samples=60, balance=0.25)
    assert (chosen == 1).sum() == 15


def test_indices_may_come_in_an_array():
    expected = make_dataset("iris", features=(0, 2), classes=(0, 2))
    found = make_dataset("iris", features=np.array([0, 2]), classes=np.array([0, 2]))
    assert_array_equal(found[0], expected[0])


def test_the_type_of_a_name_has_all_names():
    assert get_args(DatasetName) == tuple(SOURCES)
