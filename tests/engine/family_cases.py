"""The classifiers of the family, with settings that are not the default, and how tests read them."""

import numpy as np
import pytest

from kpviz import KernelPerceptron
from kpviz.engine.sklearn import family
from kpviz.engine.sklearn.estimators import OnlineClassifier

FAMILY = [KernelPerceptron, *(x for x in vars(family).values() if hasattr(x, "learner_class"))]
ONLINE = [cls for cls in FAMILY if issubclass(cls, OnlineClassifier)]
quietly = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
over_family = pytest.mark.parametrize("cls", FAMILY)
over_online = pytest.mark.parametrize("cls", ONLINE)

OTHER_SETTINGS = {
    KernelPerceptron: {"learning_rate": 0.3, "intercept": "unit"},
    family.ForgetronClassifier: {"budget": 4},
    family.RemoveOldestClassifier: {"budget": 4},
    family.RandomizedBudgetClassifier: {"budget": 4},
    family.ProjectronClassifier: {"threshold": 0.4},
    family.NormaClassifier: {"learning_rate": 0.3, "regularization": 0.1, "nu": 0.3, "truncation": 9},
    family.PassiveAggressiveClassifier: {"variant": "PA-I", "C": 0.4},
    family.SVMClassifier: {"C": 7.0, "tol": 1e-4},
    family.KernelLogisticClassifier: {"learning_rate": 0.7, "regularization": 0.05},
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
