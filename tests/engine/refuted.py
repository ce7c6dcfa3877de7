"""Functions that look like kernels and are none."""

import numpy as np

from kpviz.engine.kernels import Sigmoid


def squared(X, Z):
    return ((X[:, None] - Z) ** 2).sum(-1)


REFUTED = {
    "sigmoid": Sigmoid(gamma=1.0, coef0=-1.0),
    "negative distance": lambda X, Z: -squared(X, Z),
    "shifted square": lambda X, Z: (X @ Z.T - 1.0) ** 2,
    "fourth power": lambda X, Z: np.exp(-(squared(X, Z) ** 2)),
}
