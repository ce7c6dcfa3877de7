"""Products of what is looked up in a table and of what splits by axis are drawn exactly, and are small to send."""

import numpy as np
import pytest
from sent import added

import kpviz
from kpviz.engine.kernels.formula import Formula
from kpviz.player import contributions

X = np.random.default_rng(0).uniform(-1, 1, (120, 2))
AXES = np.linspace(-1.2, 1.1, 24), np.linspace(-1.0, 1.3, 24)
COEF = np.random.default_rng(1).normal(size=len(X))
KINKED = {
    "exp(-norm(u - v))*(1 + u[1]*v[1])": "table",
    "exp(-norm(u - v))*dot(u, v)**2": "table",
    "2*exp(-norm(u - v))/(1 + norm(u - v))*(dot(u, v) + 1)": "table",
    "exp(-norm(u - v))*gaussian(1)*u[2]*v[2]": "table",
    "abs(dot(u, v))*exp(-norm(u - v)**2)": "places",
    "abs(dot(u, v))*(1 + u[1]*v[1])": "places",
    "(1 + abs(dot(u, v)))*(1 + u[2]*v[2]) + exp(-norm(u - v))*u[1]*v[1]": "ridge table",
}


def drawn(kernel):
    """What the browser adds up, and the number of bytes that it is sent for it."""
    found = contributions.blocks(kernel, X, *AXES)
    return found, added(found, COEF, 24), sum(array.nbytes for block in found for array in block.values())


def field(kernel):
    nodes = np.array([(a, b) for b in AXES[1] for a in AXES[0]])
    return (COEF @ kernel(X, nodes)).reshape(24, 24)


@pytest.mark.parametrize(("text", "arrays"), KINKED.items())
def test_a_table_times_what_splits_is_exact_and_small(text, arrays):
    found, values, size = drawn(Formula(text))
    expected = field(Formula(text))
    assert np.abs(values - expected).max() <= 3e-6 * np.abs(expected).max()
    assert all(set(arrays.split()) & block.keys() for block in found)
    assert size < 400_000


@pytest.mark.parametrize("text", ["exp(-norm(u - v))*(1 + u[1]*v[1])", "exp(-norm(u - v)) + dot(u, v) + 1"])
def test_normalized_kinks_are_exact(text):
    kernel = Formula(text).normalized()
    _, values, _ = drawn(kernel)
    expected = field(kernel)
    assert np.abs(values - expected).max() <= 3e-6 * np.abs(expected).max()
    assert contributions.is_exact(kernel)


def test_products_of_kernels_that_are_chosen_are_drawn_alike():
    radial, plain = Formula("exp(-norm(u - v))"), kpviz.kernels.Polynomial(degree=2, coef0=1.0)
    _, values, _ = drawn(radial * plain)
    expected = field(radial * plain)
    assert np.abs(values - expected).max() <= 3e-6 * np.abs(expected).max()
