"""The Matérn kernels against scikit-learn's, and as formulas, fields and scripts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.gaussian_process.kernels import Matern as Theirs
from textbook import random_data

import kpviz
from kpviz.engine.kernels import Gaussian, Matern32, Matern52, validity
from kpviz.engine.kernels.formula import Formula, formula_of
from kpviz.player import contributions

SMOOTHNESS = {Matern32: 1.5, Matern52: 2.5}
over_both = pytest.mark.parametrize("kind", SMOOTHNESS)


@over_both
@pytest.mark.parametrize("sigma", [0.05, 0.5, 7.0])
def test_it_is_scikit_learns(kind, sigma):
    for seed, columns in ((0, 2), (1, 5)):
        X, Z = (random_data(s, n=20, columns=columns)[0] for s in (seed, seed + 9))
        theirs = Theirs(length_scale=sigma, nu=SMOOTHNESS[kind])
        assert_allclose(kind(sigma)(X, Z), theirs(X, Z), rtol=1e-11, atol=1e-300)
        assert_array_equal(np.diag(kind(sigma)(X, X)), kind(sigma).diag(X))


@over_both
def test_it_is_positive_semidefinite_and_proven_so_by_name(kind):
    X, _ = random_data(3, n=40)
    assert validity.examine(kind(0.4), X).refuted is False
    formula = Formula(formula_of(kind(0.4), named=True))
    assert formula.psd == "yes"
    assert formula.derivation.rule == "Matérn"
    assert_allclose(formula(X, X), kind(0.4)(X, X), rtol=1e-14)
    assert_allclose(Formula(formula_of(kind(0.4)))(X, X), kind(0.4)(X, X), rtol=1e-12)


@over_both
def test_its_field_is_looked_up_by_distance(kind):
    X = np.array([[0.1, -0.3], [0.9, 0.2], [-1.0, 1.0]])
    side = np.linspace(-1.5, 1.5, 33)
    (block,) = contributions.blocks(kind(0.3), X, side, side)
    assert block.keys() == {"table", "tops", "scales"}


@over_both
def test_its_width_is_refused_like_the_gaussians(kind):
    for wrong in (0.0, -1.0, np.nan, "1"):
        with pytest.raises(ValueError, match="sigma"):
            kind(wrong)


def test_smoother_kernels_come_nearer_to_the_gaussian():
    X, _ = random_data(5, n=30)
    gaussian = Gaussian(1.0)(X, X)
    apart = [np.abs(kind(1.0)(X, X) - gaussian).max() for kind in SMOOTHNESS]
    assert apart[0] > apart[1] > 0.0


@over_both
def test_each_further_feature_costs_one_multiplication(kind):
    assert kind(0.5).multiplications(7) == kind(0.5).multiplications(2) + 5


@over_both
def test_it_trains(kind):
    X, y = kpviz.make_dataset("spirals", n_samples=60, seed=0)
    assert kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kind(0.2)).end == "clean"


@over_both
def test_points_very_far_apart_have_nothing_in_common(kind):
    far = np.array([[1e152, 1e152], [-1e300, 1e300], [0.76, 0.0]])
    assert kind(1e-3)(np.zeros((1, 2)), far).tolist() == [[0.0, 0.0, 0.0]]
    assert kind(1e-3)(np.zeros((1, 2)), np.array([[0.1, 0.0]])) > 0.0
