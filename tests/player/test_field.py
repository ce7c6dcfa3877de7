"""The field that the browser adds up is f: at every width of a kernel, of few examples and many, however tiny f is."""

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from player_field import Both
from strategies import TYPED

from kpviz.player import contributions

NEAR = 3e-6  # of the terms of f at a node: float32, and what is interpolated in tables
AT_JUMPS = 2e-3  # where a kernel is normalized that is 0 at the origin
APART = 1e-3  # steps of the grid, by which the boundary may be off

WIDTHS = st.sampled_from([0.02, 0.03, 0.05, 0.1, 0.5, 3.0])
ALONE = ["linear", "polynomial", "monomial", "gaussian", "laplacian", "matern32", "matern52", "sigmoid", "subsets"]
NARROW = ["matern32", "matern52", "gaussian", "laplacian"]


@st.composite
def kernels(draw):
    """The settings of a kernel, narrow ones and their sums and products among them."""
    first = draw(st.sampled_from([*ALONE, *NARROW, "density", "mixture", "formula"]))
    combine = draw(st.sampled_from(["none", "sum", "product"]))
    return {
        "kernel": first,
        "sigma": draw(WIDTHS),
        "degree": draw(st.integers(1, 5)),
        "formula": draw(st.sampled_from(TYPED)),
        "normalize": draw(st.sampled_from(["off", "off", "on"])),
        "negated": draw(st.sampled_from(["off", "on"])),
        "combine": combine,
        "kernel2": draw(st.sampled_from([*ALONE, *NARROW, "mixture"])),
        "sigma2": draw(WIDTHS),
        "degree2": draw(st.integers(1, 8)),
    }


@pytest.fixture(scope="module")
def both(engine):
    return lambda **of: Both(engine, **of)


def few(second, **of):
    """A narrow Matérn kernel with another, of few examples."""
    kernel = {"kernel": "matern52", "sigma": 0.02, "sigma2": 0.02, "combine": "product", "kernel2": second, **of}
    return example(kernel=kernel, data="xor", n=10, seed=0, learner="perceptron", predictor="last")


@few("matern32", normalize="on")
@few("matern52", combine="sum")
@few("polynomial")
@few("laplacian", kernel="matern32", sigma=0.05)
@example(  # a node nearly at a right angle to the one example: the features of the kernel cancel there
    kernel={"kernel": "monomial", "degree": 5},
    data="linear",
    n=3,
    seed=3,
    learner="perceptron",
    predictor="last",
)
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    kernel=kernels(),
    data=st.sampled_from(["xor", "linear", "moons", "shifted", "spirals", "circles"]),
    n=st.sampled_from([3, 10, 40, 80]),
    seed=st.integers(0, 99),
    learner=st.sampled_from(["perceptron", "pa", "svm", "logistic"]),
    predictor=st.sampled_from(["last", "averaged"]),
)
def test_of_any_settings(both, kernel, data, n, seed, learner, predictor):
    try:
        found = both(data=data, n=n, seed=seed, learner=learner, predictor=predictor, epochs=3, **kernel)
    except ValueError as error:
        if str(error) != contributions.TOO_LARGE:  # as f may grow of what is no kernel
            raise
        reject()
    jumps = kernel.get("normalize") == "on" and found.run.kernel.kernel.diag(np.zeros((1, 2)))[0] <= 1e-6
    found.check(AT_JUMPS if jumps else NEAR, APART)


@pytest.mark.parametrize(
    "link",
    [
        "n=10&kernel=matern52&sigma=0.02&combine=product&kernel2=matern32&sigma2=0.02",
        "data=linear&n=10&kernel=matern52&sigma=0.02",
        "n=6&noise=0.3&kernel=matern52&sigma=0.02&combine=product&kernel2=matern32&sigma2=0.02&learner=svm&C=10&normalize=on&epochs=1",
    ],
)
def test_the_boundary_is_drawn_where_f_is_0(player, link):
    """Where f has no zero near a vertex of the boundary, the vertex is false."""
    player.open(f"/?v=1&{link}&t=99999")
    found = Both.of_link(player.engine, link)
    lines = player.js("load('model/view.js').contour(s.run.reading(s.t).field, s.run.header.grid, 0)")
    vertices = np.concatenate([np.reshape(line, (-1, 2)) for line in lines])
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    around = vertices[:, None] + np.column_stack([np.cos(turn), np.sin(turn)])
    f = found.f(found.at(around.reshape(-1, 2)))[0].reshape(len(vertices), -1)
    assert len(vertices) > 100
    assert ((f > 0).any(axis=1) & (f < 0).any(axis=1)).all()


def test_where_f_touches_0_there_is_no_boundary(player):
    player.open(
        "/?v=1&data=spirals&n=40&noise=0&seed=25&held=0.2&kernel=monomial&degree=4&learner=oldest&budget=5&normalize=on"
        "&order=shuffled&oseed=1&epochs=3&predictor=averaged&t=2"
    )
    field = np.array(player.js("s.run.reading(s.t).field"))
    assert field.min() < 0.0
    assert player.js("load('model/view.js').contour(s.run.reading(s.t).field, s.run.header.grid, 0)") == []


@pytest.mark.parametrize("text", ["1/(1 + norm1(u - v))", "exp(-norm(u-v)*norm1(u-v))", "-norm(u + v)"])
@pytest.mark.parametrize("normalize", ["off", "on"])
def test_whatever_else_is_typed_is_drawn_roughly(both, text, normalize):
    found = both(data="moons", n=60, noise=0.2, kernel="formula", formula=text, normalize=normalize, epochs=3)
    exact, terms = found.f(found.places)
    assert_allclose(found.shown, exact, rtol=0, atol=3e-2 * terms.max())


def test_the_coefficients_of_a_vote_are_tiny_far_from_narrow_hills(both):
    found = both(data="xor", n=10, kernel="matern52", sigma=0.02, predictor="voted")
    t = found.run.n_steps
    assert_allclose(found.shown, found.run.decision_function(found.places, t, "voted") / t, atol=1e-9)
