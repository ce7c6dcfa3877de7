"""The runs that the views are tried on: usual ones, and every odd one that a notebook can make."""

from functools import cache

import numpy as np

import kpviz
from kpviz import experiment
from kpviz.engine.run import Run
from kpviz.settings import Settings


def _trained(X, y, kernel=None, **options) -> Run:
    kernel = kpviz.kernels.Gaussian(sigma=0.5) if kernel is None else kernel
    return kpviz.train(
        kpviz.learners.Perceptron(), np.asarray(X, float), np.asarray(y, float), kernel=kernel, **options
    )


def _one_class_svm() -> Run:
    """No pair may move, so there is no step."""
    return kpviz.train(kpviz.learners.SVM(), _xor()[0], np.ones(20), kernel=kpviz.kernels.Gaussian(sigma=0.5))


def _xor(n=20):
    return kpviz.make_dataset("xor", n_samples=n, noise=0.05, seed=0)


def _five_features() -> Run:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 5))
    return _trained(X, np.where(X[:, 0] > 0, 1.0, -1.0), kpviz.kernels.Linear(), epochs=5)


def _precomputed() -> Run:
    X, y = _xor()
    return _trained(X @ X.T, y, "precomputed", epochs=5)


MAKERS = {
    "default": lambda: experiment.run(Settings.of()),
    "sigmoid": lambda: _trained(*_xor(), kpviz.kernels.Sigmoid(gamma=1.0, coef0=-1.0), epochs=20),
    "function": lambda: _trained(*_xor(), lambda X, Z: (1 + X @ Z.T) ** 2),
    "never converges": lambda: experiment.run(Settings.of(kernel="linear", intercept="unit")),
    "many supports": lambda: experiment.run(Settings.of(kernel="linear", n=500, noise=0.2, epochs=10)),
    "narrow bumps": lambda: experiment.run(Settings.of(kernel="gaussian", sigma=0.02, epochs=3)),
    "huge values": lambda: experiment.run(Settings.of(data="circles", kernel="monomial", degree=7, epochs=3, eta=10)),
    "learns nothing": lambda: experiment.run(Settings.of(tie="correct")),
    "one class": lambda: _trained(_xor()[0], np.ones(20)),
    "one example": lambda: _trained([[0.3, 0.2]], [-1.0]),
    "same place": lambda: _trained([[0.3, 0.2], [0.3, 0.2]], [-1.0, 1.0], epochs=4),
    "far away": lambda: _trained(1e4 * _xor()[0] + 5e5, _xor()[1], kpviz.kernels.Gaussian(sigma=5e3)),
    "many epochs": lambda: _trained(*_xor(4), kpviz.kernels.Linear(), epochs=1000),
}
FAMILY = {
    "oldest": lambda: experiment.run(Settings.of(learner="oldest", epochs=20)),
    "randomized": lambda: experiment.run(Settings.of(learner="randomized", budget=3, epochs=5)),
    "forgetron": lambda: experiment.run(Settings.of(learner="forgetron")),
    "basic forgetron": lambda: experiment.run(Settings.of(learner="forgetron", variant="basic", epochs=5)),
    "projectron": lambda: experiment.run(Settings.of(learner="projectron")),
    "negative weights": lambda: experiment.run(Settings.of(learner="projectron", kernel="linear", delta=1.0, epochs=5)),
    "norma": lambda: experiment.run(Settings.of(learner="norma")),
    "learnt margin": lambda: experiment.run(Settings.of(learner="norma", nu=0.3, schedule="inverse-sqrt", tau=20)),
    "svm": lambda: experiment.run(Settings.of(learner="svm", data="moons")),
    "svm of one class": _one_class_svm,
    "logistic": lambda: experiment.run(Settings.of(learner="logistic")),
    "unseen examples": lambda: experiment.run(
        Settings.of(learner="logistic", kernel="sigmoid", order="random", epochs=1)
    ),
}
NO_MAP = {"five features": _five_features, "precomputed": _precomputed}


@cache
def run(name: str) -> Run:
    return {**MAKERS, **FAMILY, **NO_MAP}[name]()


def instants(run: Run) -> list[int]:
    """The start, the first step, one in the middle that is a mistake if there is one, and the end."""
    mistakes = np.flatnonzero(run.mistake) + 1
    middle = int(mistakes[len(mistakes) // 2]) if len(mistakes) else run.n_steps // 2
    return sorted({0, min(1, run.n_steps), middle, run.n_steps})
