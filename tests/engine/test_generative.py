"""Kernels of a fitted mixture: scikit-learn's densities, ranks, one sign, and what cannot be fitted."""

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

KINDS = [Density, Mixture]


def blobs(n=60, seed=0, data="moons"):
    return kpviz.make_dataset(data, n_samples=n, seed=seed)


def parts(kernel):
    return list(zip(kernel.weights, kernel.means, kernel.covariances, strict=True))


@pytest.mark.parametrize("components", [2, 3, 8])
@pytest.mark.parametrize("data", ["moons", "xor", "iris"])
def test_the_mixture_is_that_of_scikit_learn(components, data):
    X = blobs(data=data)[0]
    kernel = Density(components).fitted(X)
    model = GaussianMixture(components, random_state=0, reg_covar=1e-3 * X.var(axis=0).mean()).fit(X)
    assert_allclose(kernel.means, model.means_)
    density = np.exp(model.score_samples(X))
    assert_allclose(kernel(X, X), np.outer(density, density), rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("components", range(1, 9))
def test_ranks_are_at_most_one_and_at_most_the_components(kind, components):
    X = blobs(80, data="checkerboard")[0]
    gram = kind(components).fitted(X)(X, X)
    assert np.linalg.matrix_rank(gram) <= (1 if kind is Density else components)
    assert np.linalg.eigvalsh(gram)[0] >= -1e-12 * np.abs(gram).max() * 80


@pytest.mark.parametrize("data", ["xor", "moons", "blobs", "spirals"])
def test_with_a_density_and_no_intercept_every_prediction_has_one_sign(data):
    X, y = blobs(40, data=data)
    Z = np.random.default_rng(1).uniform(-1.5, 1.5, size=(200, 2))
    run = kpviz.train(Perceptron(), X, y, kernel=Density(3), epochs=5)
    assert run.end == "limit"
    for t in range(run.n_steps + 1):
        signs = set(np.sign(run.decision_function(Z, t)).tolist())
        assert len(signs) == 1


def test_an_intercept_lets_the_signs_differ():
    X, y = blobs(40, data="circles")
    run = kpviz.train(Perceptron(intercept="unit"), X, y, kernel=Density(3), epochs=5)
    seen = {sign for t in range(run.n_steps + 1) for sign in [tuple(sorted(set(np.sign(run.margins_at(t) * y))))]}
    assert any(len(signs) > 1 for signs in seen)


@pytest.mark.parametrize("kind", KINDS)
def test_fitting_is_repeatable_and_leaves_the_kernel_hashable_and_its_maker_as_it_was(kind):
    X = blobs(30)[0]
    kernel = kind(3)
    first, second = kernel.fitted(X), kernel.fitted(X.copy())
    assert first == second
    assert hash(first) == hash(second)
    assert kernel == kind(3) != first
    assert first.components == 3
    assert first.psd == "yes"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "X", [[[0.3, 0.2]], [[1.0, 1.0]] * 5, [[0.0, 0.0], [1.0, 2.0]], [[0.0, 1.0], [1e3, 1.0], [0, 1]]]
)
def test_with_fewer_different_examples_there_are_fewer_components(kind, X):
    kernel = kind(8).fitted(X)
    distinct = len({tuple(x) for x in X})
    assert len(kernel.weights) == distinct
    assert kernel.label == f"{kind.__name__}, N = 8 ({distinct} fitted)"
    assert np.isfinite(kernel(np.array(X), np.array(X))).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("data", sorted(SOURCES))
def test_train_fits_the_kernel_to_the_training_examples(kind, data):
    X, y = blobs(40, data=data)
    run = kpviz.train(Perceptron(), X, y, kernel=kind(3), epochs=2)
    assert run.kernel == kind(3).fitted(X)
    assert_array_equal(run.gram, run.kernel(X, X))


@pytest.mark.parametrize("kind", KINDS)
def test_a_density_that_is_given_is_the_one_that_is_used(kind):
    p = {"weights": (0.5, 0.5), "means": ((-1.0, 0.0), (1.0, 0.0)), "covariances": (((1.0, 0.0), (0.0, 1.0)),) * 2}
    X, y = kpviz.make_dataset("moons", 30, seed=1)
    for kernel in (kind(**p), kind(components=2).fitted(X[:10])):
        run = kpviz.train(Perceptron(intercept="unit"), X, y, kernel=kernel, epochs=2)
        assert run.kernel == kernel
        assert_array_equal(run.gram, kernel(X, X))
        assert kernel.normalized().fitted(X) == kernel.normalized()


@pytest.mark.parametrize("wrap", [lambda k: k + Linear(), lambda k: Linear() * k, lambda k: k.normalized()])
def test_combined_kernels_are_fitted_within(wrap):
    X, y = blobs(30)
    run = kpviz.train(Perceptron(), X, y, kernel=wrap(Mixture(2)), epochs=2)
    assert_allclose(run.gram, wrap(Mixture(2).fitted(X))(X, X))


def test_ellipses_lie_where_the_density_has_fallen_as_it_should():
    X = blobs(60)[0]
    kernel = Mixture(3).fitted(X)
    found = kernel.ellipses((1.0, 2.0))
    assert len(found) == 6
    for place, (weight, mean, covariance) in enumerate(parts(kernel)):
        normal = multivariate_normal(mean, covariance)
        for ellipse in found[2 * place : 2 * place + 2]:
            assert ellipse.weight == weight
            assert ellipse.axes[0] >= ellipse.axes[1] > 0
            assert -90 < ellipse.angle <= 90
            turn = np.deg2rad(ellipse.angle)
            along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
            for rim in (ellipse.axes[0] * along, -ellipse.axes[0] * along, ellipse.axes[1] * across):
                fallen = normal.pdf(np.array(ellipse.centre) + rim) / normal.pdf(ellipse.centre)
                assert_allclose(fallen, np.exp(-(ellipse.sigmas**2) / 2), rtol=1e-9)


def test_kernels_of_more_features_are_fitted_but_have_no_ellipses():
    X = np.random.default_rng(0).normal(size=(40, 5))
    kernel = Mixture(3).fitted(X)
    assert np.linalg.matrix_rank(kernel(X, X)) == 3
    with pytest.raises(ValueError, match="two features"):
        kernel.ellipses()


def test_scikit_learn_is_loaded_only_when_a_mixture_is_fitted():
    code = "import sys, kpviz.engine.kernels.generative as g; g.Mixture(3); print('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
