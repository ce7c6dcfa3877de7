"""Learners for `kpviz.train`; one of your own is a subclass of `Learner` whose `change` returns a `Change` or None."""

from kpviz.engine.learners import (
    LEARNERS,
    SVM,
    Forgetron,
    KernelLogistic,
    Norma,
    PassiveAggressive,
    Perceptron,
    Projectron,
    RandomizedBudget,
    RemoveOldest,
)
from kpviz.engine.learners.protocol import Change, Learner

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
