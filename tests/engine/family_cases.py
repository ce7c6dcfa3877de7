"""The classifiers, with settings that are not the default, and how tests read them."""

import numpy as np
import pytest

from kpviz.engine.sklearn import estimators
from kpviz.engine.sklearn.estimators import OnlineClassifier

FAMILY = [cls for cls in vars(estimators).values() if "learner_class" in getattr(cls, "__dict__", {})]
ONLINE = [cls for cls in FAMILY if issubclass(cls, OnlineClassifier)]
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
over_family = pytest.mark.parametrize("cls", FAMILY)
over_online = pytest.mark.parametrize("cls", ONLINE)

OTHER_SETTINGS = {
    estimators.KernelPerceptron: {"learning_rate": 0.3, "intercept": "unit", "tie": "positive"},
    estimators.ForgetronClassifier: {"budget": 4},
    estimators.RemoveOldestClassifier: {"budget": 4},
    estimators.RandomizedBudgetClassifier: {"budget": 4},
    estimators.ProjectronClassifier: {"threshold": 0.4},
    estimators.NormaClassifier: {"learning_rate": 0.3, "regularization": 0.1, "nu": 0.3, "truncation": 9},
    estimators.PassiveAggressiveClassifier: {"variant": "PA-I", "C": 0.4},
    estimators.SVMClassifier: {"C": 7.0, "tol": 1e-4},
    estimators.KernelLogisticClassifier: {"learning_rate": 0.7, "regularization": 0.05},
}
assert {*OTHER_SETTINGS} == {*FAMILY}, "each classifier needs an entry in OTHER_SETTINGS of family_cases.py"


def words(y):
    return np.where(y > 0, "yes", "no")  # "no" < "yes": classes_[1] is "yes"


def places(X, rows):
    """Where in X each of the rows is."""
    return (rows[:, None] == X[None]).all(axis=2).argmax(axis=1)


def coefficients(model, X):
    """The coefficients of a classifier in the places that its support vectors have in X."""
    coef = np.zeros(len(X))
    coef[places(X, model.support_vectors_)] = model.dual_coef_[0]
    return coef


def batches(n, size):
    return [slice(low, low + size) for low in range(0, n, size)]
