"""kpviz: watch a kernel perceptron learn.

>>> import kpviz
>>> X, y = kpviz.make_dataset("xor", n_samples=200, noise=0.05, seed=0)
>>> run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kpviz.kernels.Gaussian(sigma=0.5))
>>> run.end
'clean'
"""

# Tests: tests/test_api.py, tests/test_public_names.py.

from __future__ import annotations

import importlib

# type checkers take it for True; without typing, importing kpviz takes a fifth of the time
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from kpviz import kernels, learners, primal, theory
    from kpviz.api import Run, train
    from kpviz.api.opened import load, sweep
    from kpviz.engine.data.datasets import make_dataset
    from kpviz.engine.data.streams import make_stream
    from kpviz.engine.run.run import State
    from kpviz.sklearn.estimators import (
        ForgetronClassifier,
        KernelLogisticClassifier,
        KernelPerceptron,
        NormaClassifier,
        PassiveAggressiveClassifier,
        ProjectronClassifier,
        RandomizedBudgetClassifier,
        RemoveOldestClassifier,
        SVMClassifier,
    )
    from kpviz.sklearn.fisher import FisherDiscriminant

__version__ = "1.0.0"
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
    "load",
    "make_dataset",
    "make_stream",
    "primal",
    "sweep",
    "theory",
    "train",
]


_LAZY = {
    "FisherDiscriminant": "sklearn.fisher",
    "Run": "api",
    "State": "engine.run.run",
    "load": "api.opened",
    "make_dataset": "engine.data.datasets",
    "make_stream": "engine.data.streams",
    "sweep": "api.opened",
    "train": "api",
}
_ESTIMATORS = "sklearn.estimators"
_MODULES = {"kernels", "learners", "primal", "theory"}


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    """Load a name when it is asked for.

    The server starts without the engine, the engine without scikit-learn.
    """
    if name in _MODULES:
        return importlib.import_module(f"kpviz.{name}")
    if name in __all__:
        from kpviz import packages

        try:
            with packages.needs(f"kpviz.{name}", "sklearn"):
                return getattr(
                    importlib.import_module(f"kpviz.{_LAZY.get(name, _ESTIMATORS)}"), name
                )
        except packages.MissingPackageError as error:
            return packages.class_in_place(name, error)
    raise AttributeError(f"module 'kpviz' has no attribute {name!r}")
