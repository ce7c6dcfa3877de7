"""For each kernel data that it compares, and for each data set the kernels that compare its
examples.
"""

import numpy as np

from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.objects import OBJECTS
from kpviz.engine.kernels import KERNELS

NAMES = (*SOURCES, *OBJECTS)
_KIND = {name: source.kind for name, source in OBJECTS.items() if source.kind != "bits"}


def kind_of(data):
    """What the examples of a data set are: "vectors", "texts", "trees" or "graphs"."""
    return _KIND.get(data, "vectors")


def data_for(kernel):
    """The first data set whose examples a kernel, given by its name, compares."""
    return next(name for name in NAMES if kind_of(name) == KERNELS[kernel].compares)


def kernels_for(data):
    """The names of the kernels that compare the examples of a data set."""
    return [name for name, kernel in KERNELS.items() if kernel.compares == kind_of(data)]


PAIRS = [(data, kernel) for data in NAMES for kernel in kernels_for(data)]


def three_examples(kernel):
    """Three different examples that a kernel, given by its class, compares."""
    if kernel.compares == "vectors":
        return np.array([[0.3, 0.2], [-0.5, 0.1], [0.2, -0.7]])
    texts, _ = OBJECTS[kernel.compares].examples()
    return np.array(texts[:3], dtype=object)
