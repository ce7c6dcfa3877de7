"""The primal perceptron beside the dual: features, the weight vector, and what each form costs."""

from kpviz.engine.theory.primal import (
    LARGEST,
    SHOWN,
    Cost,
    Costs,
    Growth,
    PrimalReading,
    costs,
    dimension,
    feature_names,
    features,
    growth,
    kernel_multiplications,
    map_multiplications,
    missing,
    read,
)

__all__ = [
    "LARGEST",
    "SHOWN",
    "Cost",
    "Costs",
    "Growth",
    "PrimalReading",
    "costs",
    "dimension",
    "feature_names",
    "features",
    "growth",
    "kernel_multiplications",
    "map_multiplications",
    "missing",
    "read",
]
