"""The kernels made of a mixture of Gaussians as Python: with the mixture that was fitted, number by number."""

from __future__ import annotations

import numpy as np

from kpviz.engine.generative import Density, Mixture
from kpviz.export import literals
from kpviz.export.kernel_forms import Form

_DENSITIES = '''\
def densities(X, means, covariances):
    """p(x|m) of each row x of X and each component m."""
    return np.array([normal(X, *each) for each in zip(means, covariances)]).T'''

_MIXTURE = '''\
def mixture(U, V, weights, means, covariances):
    """The sum of p(u|m) p(v|m) p(m) over the components m, of all rows u and v."""
    F = densities(U, means, covariances) * np.sqrt(weights)
    G = F if V is U else densities(V, means, covariances) * np.sqrt(weights)
    return F @ G.T'''

_NORMAL = '''\
def normal(X, mean, covariance):
    """The density of a Gaussian at each row of X."""
    factor = np.linalg.cholesky(covariance)
    apart = np.linalg.solve(factor, (X - mean).T)
    scale = X.shape[1] / 2 * math.log(2 * math.pi) + np.log(np.diagonal(factor)).sum()
    return np.exp(-0.5 * (apart**2).sum(axis=0) - scale)'''


def form(kernel: Density | Mixture, suffix: str) -> Form:
    """Return the form of a kernel that is fitted; `suffix` ends the names of its numbers."""
    weights, means, covariances = (f"{name}{suffix}" for name in ("weights", "means", "covariances"))
    numbers = "\n".join(
        [
            "# The mixture that scikit-learn's GaussianMixture fitted to X; y had no part in it.",
            literals.array(weights, np.array(kernel.weights)),
            literals.array(means, np.array(kernel.means)),
            literals.array(covariances, np.array(kernel.covariances)),
        ]
    )
    helpers: tuple[str, ...] = (numbers, _NORMAL, _DENSITIES)
    of_u, of_v = (f"densities({side}, {means}, {covariances})" for side in "UV")
    if isinstance(kernel, Density):
        formula, matrix = "p(u) p(v)", f"np.outer({of_u} @ {weights}, {of_v} @ {weights})"
        diagonal = f"({of_u} @ {weights}) ** 2"
    else:
        formula, matrix = "Σ_m p(u|m) p(v|m) p(m)", f"mixture(U, V, {weights}, {means}, {covariances})"
        diagonal = f"{of_u} ** 2 @ {weights}"
        helpers += (_MIXTURE,)
    return Form(formula, matrix, diagonal, modules=("import math",), helpers=helpers)
