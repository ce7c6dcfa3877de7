"""Masked values are refused wherever examples, labels and Gram matrices come in: NumPy would take
what they hide.
"""

import numpy as np
import pytest

import kpviz
from kpviz import kernels, learners, primal, theory

X = np.array([[1.0, 2.0], [3.0, 4.0], [-1.0, 0.5], [0.3, -2.0]])
y = np.array([1.0, -1.0, 1.0, -1.0])
GRAM = X @ X.T + np.eye(4)
COEF = 0.5 * y
WORDS = np.array(["a b", "b c", "c", "a"], dtype=object)
run = kpviz.train(learners.Perceptron(), X, y, kernel=kernels.Gaussian(0.5))
model = kpviz.KernelPerceptron().fit(X, y)
fisher = kpviz.FisherDiscriminant().fit(X, y)


def masked(values):
    mask = np.zeros(np.shape(values), dtype=bool)
    mask.flat[-1] = True
    return np.ma.array(values, mask=mask)


REFUSE = {
    "train X": lambda: kpviz.train(learners.Perceptron(), masked(X), y),
    "train rows": lambda: kpviz.train(learners.Perceptron(), list(masked(X)), y),
    "train y": lambda: kpviz.train(learners.Perceptron(), X, masked(y)),
    "train gram": lambda: kpviz.train(learners.Perceptron(), masked(GRAM), y, kernel="precomputed"),
    "train words": lambda: kpviz.train(
        learners.Perceptron(), masked(WORDS), y, kernel=kernels.WordSets()
    ),
    "train order": lambda: kpviz.train(learners.Perceptron(), X, y, order=masked(np.arange(4))),
    "train function": lambda: kpviz.train(
        learners.Perceptron(), X, y, kernel=lambda U, V: masked(U @ V.T)
    ),
    "kernel X": lambda: kernels.Gaussian(0.5)(masked(X), X),
    "kernel Z": lambda: kernels.Gaussian(0.5)(X, masked(X)),
    "kernel diag": lambda: kernels.Linear().diag(masked(X)),
    "run Z": lambda: run.decision_function(masked(X)),
    "run predict": lambda: run.predict(masked(X)),
    "run plot": lambda: run.plot(X_test=masked(X), y_test=y),
    "run plot y": lambda: run.plot(X_test=X, y_test=masked(y)),
    "features": lambda: primal.features(kernels.Linear(), masked(X)),
    "margins gram": lambda: theory.margins(masked(GRAM), y, COEF),
    "margins y": lambda: theory.margins(GRAM, masked(y), COEF),
    "margins coef": lambda: theory.margins(GRAM, y, masked(COEF)),
    "norm gram": lambda: theory.rkhs_norm(masked(GRAM), COEF),
    "norm coef": lambda: theory.rkhs_norm(GRAM, masked(COEF)),
    "radius": lambda: theory.radius(masked(GRAM)),
    "max_margin": lambda: theory.max_margin(masked(GRAM), y),
    "max_margin y": lambda: theory.max_margin_with_intercept(GRAM, masked(y)),
    "mistake_bound": lambda: theory.mistake_bound(masked(GRAM), y),
    "radius_mistake_bound": lambda: theory.radius_mistake_bound(masked(GRAM), y),
    "logistic": lambda: theory.logistic_optimum(masked(GRAM), y, 1.0),
    "is_separable": lambda: theory.is_separable(masked(GRAM), y),
    "estimator X": lambda: kpviz.KernelPerceptron().fit(masked(X), y),
    "estimator y": lambda: kpviz.KernelPerceptron().fit(X, masked(y)),
    "estimator partial": lambda: kpviz.NormaClassifier().partial_fit(masked(X), y, classes=[-1, 1]),
    "estimator scores": lambda: model.decision_function(masked(X)),
    "estimator predict": lambda: model.predict(masked(X)),
    "fisher fit": lambda: kpviz.FisherDiscriminant().fit(masked(X), y),
    "fisher y": lambda: kpviz.FisherDiscriminant().fit(X, masked(y)),
    "fisher transform": lambda: fisher.transform(masked(X)),
    "fisher predict": lambda: fisher.predict(masked(X)),
}


@pytest.mark.parametrize("name", REFUSE)
def test_masked_values_are_refused_in_a_sentence(name):
    with pytest.raises(ValueError, match=r"^\w+ (holds|returned) masked values: [^.]+\.$"):
        REFUSE[name]()


def test_a_masked_array_that_masks_nothing_is_an_array():
    plain = kpviz.train(learners.Perceptron(), np.ma.array(X), np.ma.array(y))
    assert np.array_equal(plain.score, kpviz.train(learners.Perceptron(), X, y).score)
