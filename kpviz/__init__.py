"""kpviz: watch a kernel perceptron learn.

>>> import kpviz
>>> X, y = kpviz.make_dataset("xor", n_samples=200, noise=0.05, seed=0)
>>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Gaussian(sigma=0.5))
>>> run.end
'clean'
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from kpviz.engine import kernels, learners, theory
from kpviz.engine.data.datasets import make_dataset
from kpviz.engine.data.streams import make_stream
from kpviz.engine.run.record import State
from kpviz.engine.run.run import Run
from kpviz.engine.run.train import train
from kpviz.engine.theory import primal

if TYPE_CHECKING:
    from kpviz.engine.fisher.estimator import FisherDiscriminant
    from kpviz.engine.sklearn.estimators import KernelPerceptron
    from kpviz.engine.sklearn.family import (
        ForgetronClassifier,
        KernelLogisticClassifier,
        NormaClassifier,
        PassiveAggressiveClassifier,
        ProjectronClassifier,
        RandomizedBudgetClassifier,
        RemoveOldestClassifier,
        SVMClassifier,
    )

for _module in (kernels, learners, primal, theory):  # so that `from kpviz.kernels import Gaussian` works as well
    sys.modules[f"kpviz.{_module.__name__.rpartition('.')[2]}"] = _module

__version__ = "0.1.0"
__all__ = [
    "FisherDiscriminant",
    "ForgetronClassifier",
    "KernelLogisticClassifier",
    "KernelPerceptron",
    "NormaClassifier",
    "PassiveAggressiveClassifier",
    "ProjectronClassifier",
    "RandomizedBudgetClassifier",
    "RemoveOldestClassifier",
    "Run",
    "SVMClassifier",
    "State",
    "kernels",
    "learners",
    "make_dataset",
    "make_stream",
    "primal",
    "theory",
    "train",
]


_ESTIMATORS = {
    "FisherDiscriminant": "fisher_estimator",
    "ForgetronClassifier": "family",
    "KernelLogisticClassifier": "family",
    "KernelPerceptron": "estimators",
    "NormaClassifier": "family",
    "PassiveAggressiveClassifier": "family",
    "ProjectronClassifier": "family",
    "RandomizedBudgetClassifier": "family",
    "RemoveOldestClassifier": "family",
    "SVMClassifier": "family",
}


def __getattr__(name: str) -> Any:
    """Load the estimators, and with them scikit-learn, only when they are asked for."""
    if name in _ESTIMATORS:
        return getattr(importlib.import_module(f"kpviz.engine.{_ESTIMATORS[name]}"), name)
    raise AttributeError(f"module 'kpviz' has no attribute {name!r}")
