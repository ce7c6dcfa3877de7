"""Principal components: the projection that shows the most variance of many columns on a map."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kpviz.engine.data.csv_reader import TableError

FLAT = 1e-12  # share of the first component's variance below which a second one is rounding error


@dataclass(frozen=True, eq=False)
class Components:
    """The first two principal components of n rows of d columns, each column scaled to mean 0 and variance 1."""

    Z: NDArray[np.float64]  # shape (n, 2), the rows along the two axes, in units of the scaled columns
    axes: NDArray[np.float64]  # shape (d, 2), of length 1; the loading largest in size is positive
    share: float  # of the variance of all columns, above 0, at most 1


def principal_components(X: NDArray[np.float64]) -> Components:
    """Project on the two eigenvectors of the correlation matrix with the largest eigenvalues (Pearson, 1901).

    Parameters
    ----------
    X : shape (n, d), finite; no column is constant.

    Raises
    ------
    TableError
        The scaled rows lie on a line, as those of a single column do.

    Examples
    --------
    >>> found = principal_components(np.array([[0.0, 1.0, 5.0], [1.0, 1.0, 2.0], [2.0, 4.0, 3.0], [4.0, 3.0, 0.0]]))
    >>> found.axes.round(2).tolist()
    [[0.65, -0.11], [0.5, 0.81], [-0.58, 0.58]]
    >>> round(found.share, 2)
    0.99
    """
    scaled = X - X.min(axis=0)
    scaled /= scaled.max(axis=0)  # squares of much smaller or larger numbers would vanish or overflow
    scaled -= scaled.mean(axis=0)
    scaled /= scaled.std(axis=0)
    variances, axes = np.linalg.eigh(scaled.T @ scaled / len(X))  # ascending
    if len(variances) < 2 or variances[-2] <= FLAT * variances[-1]:
        raise TableError("The scaled rows lie on a line, so that there is one component only: choose two columns.")
    axes = _signed(axes[:, [-1, -2]])
    return Components(scaled @ axes, axes, float(variances[-2:].sum() / variances.sum()))


def _signed(axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn each axis so that the first of its largest loadings is positive, whatever the linear algebra returned."""
    sizes = np.abs(axes)
    largest = (sizes >= sizes.max(axis=0) * (1 - 1e-9)).argmax(axis=0)  # two columns load equally, up to rounding
    return np.where(axes[largest, [0, 1]] < 0, -axes, axes)
