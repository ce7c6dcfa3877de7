"""Kernels of a mixture: scikit-learn's densities, ranks, and what cannot be fitted."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture

import kpviz
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.kernels import Linear
from kpviz.engine.kernels.generative import Density, Mixture
from kpviz.engine.learners import Perceptron
from kpviz.settings.kernel_words import kernel_label

over_kinds = pytest.mark.parametrize("kind", [Density, Mixture])


def blobs(n=60, data="moons"):
    return kpviz.make_dataset(data, n_samples=n, seed=0)


def normals(kernel):
    return [
        multivariate_normal(*each) for each in zip(kernel.means, kernel.covariances, strict=True)
    ]


@over_kinds
@pytest.mark.parametrize("components", [1, 2, 3, 8])
@pytest.mark.parametrize("data", ["moons", "iris", "checkerboard"])
def test_the_kernel_is_its_formula_with_the_mixture_of_scikit_learn(kind, components, data):
    X = blobs(data=data)[0]
    kernel = kind(components).fitted(X)
    model = GaussianMixture(components, random_state=0, reg_covar=1e-3 * X.var(axis=0).mean()).fit(
        X
    )
    assert_allclose(kernel.means, model.means_, atol=1e-12)
    p, weights = np.array([normal.pdf(X) for normal in normals(kernel)]).T, np.array(kernel.weights)
    gram = kernel(X, X)
    assert_allclose(
        gram,
        np.outer(p @ weights, p @ weights) if kind is Density else (p * weights) @ p.T,
        rtol=1e-8,
    )
    assert_allclose(kernel.diag(X), np.diagonal(gram), rtol=1e-12)
    assert np.linalg.matrix_rank(gram) <= (1 if kind is Density else components)
    assert np.linalg.eigvalsh(gram)[0] >= -1e-12 * np.abs(gram).max() * len(X)


@over_kinds
@pytest.mark.parametrize(
    "X",
    [[[0.3, 0.2]], [[1.0, 1.0]] * 5, [[0.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [1e3, 1.0], [0, 1]]],
)
def test_with_fewer_different_examples_there_are_fewer_components(kind, X):
    kernel, distinct = kind(8).fitted(X), len({tuple(x) for x in X})
    assert len(kernel.weights) == distinct
    assert kernel_label(kernel) == f"{kind.__name__}, N = 8 ({distinct} fitted)"
    assert np.isfinite(kernel(np.array(X), np.array(X))).all()


@over_kinds
@pytest.mark.parametrize("data", sorted(SOURCES))
def test_train_fits_the_kernel_to_the_training_examples_also_within_another_and_leaves_its_maker(
    kind, data
):
    X, y = blobs(40, data)
    maker, fitted = kind(3), kind(3).fitted(X)
    for wrap in (
        lambda k: k,
        lambda k: k + Linear(),
        lambda k: Linear() * k,
        lambda k: k.normalized(),
    ):
        run = kpviz.train(Perceptron(), X, y, kernel=wrap(maker), epochs=1)
        assert run.kernel == wrap(fitted)
        assert_array_equal(run.gram, run.kernel(X, X))
    assert (maker, hash(fitted), fitted.psd) == (kind(3), hash(kind(3).fitted(X.copy())), "yes")
    assert maker != fitted


@over_kinds
def test_a_density_that_is_given_is_the_one_that_is_used(kind):
    p = {
        "weights": (0.5, 0.5),
        "means": ((-1.0, 0.0), (1.0, 0.0)),
        "covariances": (((1.0, 0.0), (0.0, 1.0)),) * 2,
    }
    X, y = blobs(30)
    for kernel in (kind(**p), kind(components=2).fitted(X[:10])):
        assert kpviz.train(Perceptron(), X, y, kernel=kernel, epochs=2).kernel == kernel


def test_outlines_lie_where_the_density_has_fallen_as_it_should_and_only_in_the_plane():
    kernel = Mixture(3).fitted(blobs(60)[0])
    found = kernel.outlines((1.0, 2.0))
    assert found.shape == (6, 49, 2)
    for place, (normal, mean) in enumerate(zip(normals(kernel), kernel.means, strict=True)):
        for s in (1, 2):
            line = found[2 * place + s - 1]
            assert_allclose(normal.pdf(line) / normal.pdf(mean), np.exp(-(s**2) / 2), rtol=1e-9)
            assert np.linalg.norm(line - mean, axis=1).argmax() in (
                0,
                24,
                48,
            )  # it begins at its long axis
    wide = Mixture(3).fitted(np.random.default_rng(0).normal(size=(40, 5)))
    with pytest.raises(ValueError, match="two features"):
        wide.outlines()


def test_scikit_learn_is_loaded_only_when_a_mixture_is_fitted():
    code = (
        "import sys, kpviz.engine.kernels.generative as g; g.Mixture(3); print('sklearn' in "
        "sys.modules)"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )
