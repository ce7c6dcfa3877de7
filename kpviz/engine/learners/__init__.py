"""Learners: each answers one question, *what changes?*, for the example just scored.

A new learner is one file here and one line in LEARNERS; what is said of it stands in
`kpviz.lessons.learner_words`.

Tests: tests/engine/test_learners.py, tests/test_extension.py.
"""

from __future__ import annotations

from kpviz.engine.learners.budgets import RandomizedBudget, RemoveOldest
from kpviz.engine.learners.forgetron import Forgetron
from kpviz.engine.learners.kernel_logistic import KernelLogistic
from kpviz.engine.learners.norma import Norma
from kpviz.engine.learners.passive_aggressive import PassiveAggressive
from kpviz.engine.learners.perceptron import Perceptron
from kpviz.engine.learners.projectron import Projectron
from kpviz.engine.learners.protocol import Change, Learner
from kpviz.engine.learners.svm import SVM

LEARNERS: dict[str, type[Learner]] = {
    "perceptron": Perceptron,
    "oldest": RemoveOldest,
    "randomized": RandomizedBudget,
    "forgetron": Forgetron,
    "projectron": Projectron,
    "norma": Norma,
    "svm": SVM,
    "logistic": KernelLogistic,
    "pa": PassiveAggressive,
}

__all__ = [
    "LEARNERS",
    "SVM",
    "Change",
    "Forgetron",
    "KernelLogistic",
    "Learner",
    "Norma",
    "PassiveAggressive",
    "Perceptron",
    "Projectron",
    "RandomizedBudget",
    "RemoveOldest",
]
