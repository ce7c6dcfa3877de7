"""The figures of the kernel lab: bars, lines and points are the numbers."""

import numpy as np
import pytest
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

import kpviz
from kpviz import tokens
from kpviz.engine.kernels import Gaussian, Linear, Sigmoid, validity
from kpviz.engine.kernels.generative import Mixture
from kpviz.picture.figure import save
from kpviz.picture.lab import sheet, style
from kpviz.picture.lab.arranged import Arranged, rim
from kpviz.picture.lab.spectrum import Spectrum
from kpviz.picture.lab.weights import Weights

LIGHT = tokens.THEMES["light"]
X, Y = kpviz.make_dataset("moons", n_samples=20, seed=0)


def drawn(display):
    ax = Figure(figsize=(6.6, 3.0)).add_axes((0.1, 0.1, 0.8, 0.8))
    with style.sheet():
        display.draw(ax)
    return ax


def bars(ax):
    """(height, colour) of each bar, from left to right."""
    found = []
    for each in ax.collections:
        if isinstance(each, PolyCollection):
            for path in each.get_paths():
                corners = path.vertices
                height = corners[np.abs(corners[:, 1]).argmax(), 1]
                found.append((corners[:, 0].min(), height, to_hex(each.get_facecolor()[0])))
    return [bar[1:] for bar in sorted(found)]


@pytest.mark.parametrize("logarithmic", [False, True])
@pytest.mark.parametrize("kernel", [Sigmoid(1.0, -1.0), Gaussian(0.5), Linear()])
def test_bars_are_the_eigenvalues_and_those_below_the_tolerance_stand_out(kernel, logarithmic):
    verdict = validity.examine(kernel, X)
    ax = drawn(Spectrum.of(verdict, logarithmic=logarithmic))
    heights, colours = zip(*bars(ax), strict=True)
    expected = np.linalg.eigvalsh(kernel(X, X))[::-1]
    assert_allclose(heights, expected, atol=1e-12)
    below = expected < -verdict.tolerance
    assert list(colours) == [LIGHT["warning" if each else "accent"] for each in below]
    low, high = ax.get_ylim()
    assert low < expected.min()
    assert high > expected.max()
    assert -verdict.tolerance in [line.get_ydata()[0] for line in ax.lines]


@pytest.mark.parametrize("gram", [[[0.0]], [[2.0]], np.zeros((3, 3)), -np.eye(2)])
def test_few_and_empty_spectra_are_drawn(gram):
    size = len(gram)
    verdict = validity.examine(lambda U, V: np.asarray(gram)[: len(U), : len(V)], np.eye(size))
    for logarithmic in (False, True):
        ax = drawn(Spectrum.of(verdict, logarithmic=logarithmic))
        assert len(bars(ax)) == size


@pytest.mark.parametrize(("q", "c"), [(1, 0.0), (3, 1.0), (9, 0.3), (20, 5.0)])
def test_bars_of_weights_are_the_shares(q, c):
    ax = drawn(Weights.of(q, c))
    heights = [height for height, _ in bars(ax)]
    coefficients = np.poly1d([1.0, c]) ** q
    assert_allclose(heights, coefficients.coeffs[::-1] / coefficients(1.0), atol=1e-15)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_points_stand_where_they_are_put_on_equal_scales(theme):
    mixture = Mixture(2).fitted(X)
    ax = drawn(Arranged(X, Y, "The data", ("x₁", "x₂"), mixture.ellipses(), theme))
    offsets = np.concatenate([each.get_offsets() for each in ax.collections if isinstance(each, PathCollection)])
    assert {tuple(place) for place in offsets.tolist()} == {tuple(place) for place in X.tolist()}
    assert len(ax.lines) == 4
    assert ax.get_aspect() == 1.0
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    assert_allclose(right - left, high - low)
    everything = np.concatenate([X, *(rim(each) for each in mixture.ellipses())])
    assert (everything.min(axis=0) > [left, low]).all()
    assert (everything.max(axis=0) < [right, high]).all()


def test_points_in_one_place_are_drawn():
    assert drawn(Arranged(np.zeros((3, 2)), np.ones(3), "One place", ("a", "b"))).get_xlim()[0] < 0


def test_a_sheet_has_its_panels_side_by_side_and_is_saved():
    found = sheet.figure([Weights.of(2, 1.0), Weights.of(3, 1.0, theme="dark")], 700, 300, "light")
    first, second = (ax.get_position() for ax in found.axes)
    assert first.x1 < second.x0
    assert_allclose(first.width, second.width)
    assert save(found, "png").startswith(b"\x89PNG")
