"""Kernel PCA: scikit-learn's, distances, and pictures that do not depend on what an eigensolver happens to choose."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.decomposition import KernelPCA
from textbook import KERNELS, random_data

from kpviz.engine.run.embedding import kernel_pca

PSD = {name: kernel for name, kernel in KERNELS.items() if kernel.psd == "yes"}


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("kernel", PSD.values(), ids=PSD)
def test_places_are_those_of_scikit_learn(kernel, dims):
    gram = kernel(*[random_data(4, 25)[0]] * 2)
    found = kernel_pca(gram, dims)
    theirs = KernelPCA(dims, kernel="precomputed", eigen_solver="dense").fit_transform(gram)
    assert_allclose(np.abs(found.places[:, : theirs.shape[1]]), np.abs(theirs), atol=1e-7)
    assert_allclose(found.places @ found.places.T, theirs @ theirs.T, atol=1e-7)


@pytest.mark.parametrize("kernel", PSD.values(), ids=PSD)
def test_all_axes_together_keep_every_distance(kernel):
    gram = kernel(*[random_data(9, 12)[0]] * 2)
    found = kernel_pca(gram, 12)
    far = np.diag(gram)[:, None] + np.diag(gram) - 2 * gram
    ours = ((found.places[:, None] - found.places) ** 2).sum(-1)
    assert_allclose(ours, far, atol=1e-8 * np.abs(gram).max())
    assert_allclose(found.places.mean(axis=0), 0.0, atol=1e-10)
    assert_allclose(found.share, 1.0)
    assert found.lost == 0.0


@settings(max_examples=40, deadline=None)
@given(n=st.integers(2, 20), seed=st.integers(0, 10**6))
def test_the_share_is_that_of_the_spread(n, seed):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    found = kernel_pca(X @ X.T, 2)
    centred = X - X.mean(axis=0)
    spread = np.linalg.svd(centred, compute_uv=False) ** 2
    assert_allclose(found.share, spread[:2].sum() / spread.sum(), rtol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_same_examples_in_another_basis_have_the_same_picture(seed):
    """Four corners have two equal eigenvalues: any turn of the picture would be an eigenbasis as well."""
    corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    noise = 1e-13 * np.random.default_rng(seed).normal(size=(4, 4))
    plain, shaken = kernel_pca(corners @ corners.T), kernel_pca(corners @ corners.T + noise + noise.T)
    assert_allclose(plain.places, shaken.places, atol=1e-9)
    assert_allclose(np.linalg.norm(plain.places, axis=1), np.sqrt(2.0))


def test_the_farthest_of_each_axis_is_positive():
    gram = KERNELS["gaussian"](*[random_data(2, 30)[0]] * 2)
    for axis in kernel_pca(gram, 5).places.T:
        assert axis[np.abs(axis).argmax()] > 0


def test_an_indefinite_gram_loses_what_is_negative_and_says_how_much():
    gram = KERNELS["sigmoid"](*[random_data(2, 15)[0]] * 2)
    found = kernel_pca(gram, 2)
    J = np.eye(15) - 1 / 15
    values = np.linalg.eigvalsh(J @ gram @ J)
    assert_allclose(found.lost, -values[values < 0].sum() / np.abs(values).sum(), rtol=1e-9)
    assert_allclose(found.share, np.sort(values)[-2:].sum() / values[values > 0].sum(), rtol=1e-9)
    assert found.lost > 0.01
    assert "no space has such distances" in found.sentence


def test_nothing_but_negative_spread_leaves_everyone_in_one_place():
    X = random_data(1, 6)[0]
    found = kernel_pca(-(X @ X.T))
    assert not found.places.any()
    assert found.lost == 1.0


@pytest.mark.parametrize("gram", [[[3.0]], np.ones((2, 2)), np.full((5, 5), 2.0), np.zeros((3, 3))])
def test_no_spread_means_one_place(gram):
    found = kernel_pca(gram)
    assert found.places.tolist() == [[0.0, 0.0]] * len(gram)
    assert found.share == 1.0
    assert found.lost == 0.0


def test_two_examples_lie_on_one_axis():
    found = kernel_pca(np.eye(2))
    assert_allclose(found.places, [[np.sqrt(0.5), 0.0], [-np.sqrt(0.5), 0.0]])
