"""Runs whose kernels have an explicit map."""

import kpviz
from kpviz.engine.learners import Perceptron


def trained(kernel, X, y, intercept="none", **settings):
    learner = Perceptron(
        intercept=intercept, learning_rate=settings.pop("eta", 1.0), tie=settings.pop("tie", "mistake")
    )
    return kpviz.train(learner, X, y, kernel=kernel, order=settings.pop("order", "shuffled"), epochs=8, **settings)
