"""`Run.plot`: any run as a figure, one panel, or axes of one's own."""

from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

import kpviz
from kpviz import panels
from kpviz.engine.kernels import Spectrum
from kpviz.picture import figure

X, Y = kpviz.make_dataset("xor", n_samples=24, noise=0.2, seed=0)
RUN = kpviz.train(
    kpviz.learners.Perceptron(), X, Y, kernel=kpviz.kernels.Gaussian(sigma=0.5), epochs=3
)
WIDE = np.random.default_rng(0).normal(size=(30, 5))
SIGNS = np.where(WIDE[:, 0] * WIDE[:, 1] > 0, 1.0, -1.0)
RUNS = {
    "plane": (X, Y, kpviz.kernels.Gaussian(sigma=0.5)),
    "five features": (WIDE, SIGNS, kpviz.kernels.Gaussian(sigma=1.5)),
    "one feature": (WIDE[:, :1], np.sign(WIDE[:, 0]), kpviz.kernels.Gaussian(sigma=1.0)),
    "a function": (X, Y, lambda U, V: (1.0 + U @ V.T) ** 3),
    "a Gram matrix": (WIDE @ WIDE.T, SIGNS, "precomputed"),
    "texts": (
        np.array(["aab", "abb", "ba", "bb"], dtype=object),
        np.array([1.0, -1.0, 1.0, -1.0]),
        Spectrum(2),
    ),
}


def saved(picture):
    return figure.save(picture, "png", dpi=40)


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("predictor", ["last", "averaged", "voted"])
def test_any_run_is_pictured_at_any_instant(name, predictor):
    X, y, kernel = RUNS[name]
    run = kpviz.train(kpviz.learners.Perceptron(), X, y, kernel=kernel, epochs=3)
    pictures = [saved(run.plot(t, predictor)) for t in (0, 2)]
    assert pictures[0] != pictures[1]
    assert saved(run.plot(predictor=predictor)) == saved(run.plot(run.n_steps, predictor))


@pytest.mark.parametrize("panel", [name for name in panels.SINGLE if name != "own"])
def test_one_panel_has_its_own_shape(panel):
    picture = RUN.plot(5, panel=panel)
    assert picture.get_size_inches()[0] == 12.8
    assert saved(picture).startswith(b"\x89PNG")


def test_size_theme_and_panels_are_those_asked_for():
    assert RUN.plot(size=(4.0, 3.0)).get_size_inches().tolist() == [4.0, 3.0]
    usual = saved(RUN.plot(5))
    assert all(
        saved(RUN.plot(5, **how)) != usual
        for how in ({"theme": "dark"}, {"theme": "print"}, {"panels": ("code",)})
    )


def test_held_out_examples_and_names_are_shown():
    plain, held = (
        RUN.plot(5),
        RUN.plot(5, X_test=X[:3] + 0.1, y_test=Y[:3], classes=("no", "yes"), features=("a", "b")),
    )
    assert saved(plain) != saved(held)


def test_a_notebook_shows_the_figure_by_itself():
    assert RUN.plot(3)._repr_png_().startswith(b"\x89PNG")


def test_a_style_of_the_notebook_changes_nothing():
    plain = saved(RUN.plot(5))
    with mpl.rc_context(
        {"font.size": 30.0, "lines.linewidth": 9.0, "path.simplify": False, "axes.grid": True}
    ):
        assert saved(RUN.plot(5)) == plain


def test_the_map_fills_axes_with_its_coordinates_so_that_more_can_be_drawn_on_it():
    own = Figure(figsize=(8, 4))
    left, right = own.subplots(1, 2)
    assert RUN.plot(9, panel="map", ax=left) is own
    RUN.plot(9, panel="margins", ax=right)
    assert left.get_xlim()[0] < X[:, 0].min() < X[:, 0].max() < left.get_xlim()[1]
    limits = (left.get_xlim(), left.get_ylim())
    before = saved(own)
    left.plot(*X[4], "k*", markersize=30)
    assert (left.get_xlim(), left.get_ylim()) == limits
    after = saved(own)
    assert after != before
    seen, was = (
        np.asarray(mpl.image.imread(__import__("io").BytesIO(each))) for each in (after, before)
    )
    where = np.argwhere(np.abs(seen - was).max(axis=2) > 0.3).mean(axis=0)
    x, y = left.transData.transform(X[4]) * 40 / own.dpi
    assert where == pytest.approx([seen.shape[0] - y, x], abs=2)
    own.set_size_inches(5, 5)
    assert saved(own) != after


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ({"panel": "hat"}, "panel='hat' is unknown"),
        ({"panels": ("code", "hat")}, "panels='hat' is unknown"),
        ({"panels": ("alpha", "code", "gram", "norm", "bound")}, "there is no room for"),
        ({"theme": "red"}, "theme='red' is unknown"),
        ({"predictor": "first"}, "predictor='first' is unknown"),
        ({"panel": "own"}, "This learner has no panel of its own"),
        ({"t": 10_000}, "t=10000"),
        ({"size": (0, 1)}, r"size=\(0, 1\) .* two numbers above 0"),
        ({"size": 3}, "size=3 .* two numbers above 0"),
        ({"size": (float("nan"), 1)}, r"size=\(nan, 1\) .* two numbers above 0"),
        ({"X_test": X}, "X_test and y_test belong together"),
        ({"ax": True}, "ax holds one panel"),
        ({"ax": True, "panel": "map", "size": (3, 3)}, "size is that of a new figure"),
        ({"panel": "map", "panels": ("norm",)}, "give one of the two"),
        ({"panel": "curve", "over": "zz"}, "over=.zz. is unknown"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(how, expected):
    if how.get("ax"):
        how = {**how, "ax": Figure().subplots()}
    with pytest.raises(ValueError, match=expected):
        RUN.plot(**how)


def test_an_argument_that_plot_does_not_have_is_refused_as_python_does():
    with pytest.raises(TypeError, match=r"^plot\(\) got an unexpected keyword argument 'pannel'"):
        RUN.plot(pannel="map")


def test_a_run_without_examples_and_one_of_thousands_are_pictured():
    n = 2000
    many, labels = kpviz.make_dataset("spirals", n_samples=n, noise=0.1, seed=0)
    run = kpviz.train(
        kpviz.learners.Perceptron(),
        many,
        labels,
        kernel=kpviz.kernels.Gaussian(sigma=0.3),
        epochs=1,
    )
    assert saved(run.plot()).startswith(b"\x89PNG")
    assert saved(replace(RUN).plot(3)) == saved(RUN.plot(3))
