"""What panels about the kernel are sent: the Gram matrix, k(x, ·) of every example, and the features in space."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sent import Sent, added, blocks_of

from kpviz import tokens

CASES = {
    "xor": {},
    "held out": {"kernel": "polynomial", "degree": 3, "held": 0.3},
    "below zero": {"kernel": "sigmoid", "noise": 0.2, "epochs": 3},
    "sum": {"kernel": "linear", "combine": "sum", "kernel2": "gaussian", "normalize": "on"},
    "one class first": {"data": "moons", "n": 21, "balance": 0.3},
}
SQUARE = {"data": "circles", "kernel": "monomial", "degree": 2, "epochs": 5}


@pytest.mark.parametrize("name", CASES)
def test_every_cell_of_the_gram_matrix_is_the_kernel_of_its_two_examples_by_class(name):
    sent = Sent("gram", **CASES[name])
    y, (extra,) = sent.run.y, sent.extras
    order = [*np.flatnonzero(y > 0), *np.flatnonzero(y < 0)]
    expected = sent.run.kernel(sent.run.X, sent.run.X)[np.ix_(order, order)][np.triu_indices(len(y))]
    assert sent.arrays["gramOrder"].tolist() == order
    assert sent.arrays["gramUpper"].dtype == np.float32
    assert_allclose(sent.arrays["gramUpper"], expected, rtol=1e-6, atol=1e-7)
    assert np.abs(expected).max() <= extra["limit"] * (1 + 1e-9) <= 1.011 * np.abs(expected).max() + 1e-9
    assert extra["signed"] == (expected.min() < -1e-9)


@pytest.mark.parametrize("kernel", ["gaussian", "linear"])
def test_of_many_examples_only_the_shades_are_sent_that_are_drawn(kernel):
    assert Sent("gram", n=500, kernel=kernel, epochs=1).extras[0]["shades"] == 0
    many = Sent("gram", data="circles", n=501, kernel=kernel, epochs=1)
    (extra,), upper, order = many.extras, many.arrays["gramUpper"], many.arrays["gramOrder"]
    assert extra["shades"] == (127 if extra["signed"] else 255)
    assert upper.itemsize == 1
    exact = many.run.kernel(many.run.X, many.run.X)[np.ix_(order, order)][np.triu_indices(501)]
    shade = extra["limit"] / extra["shades"]
    assert_allclose(upper * shade, exact, rtol=0, atol=0.51 * shade)


@pytest.mark.parametrize("name", CASES)
def test_every_example_held_out_or_not_has_its_k_at_every_node(name):
    sent = Sent("similar", **CASES[name])
    run, split, (extra,) = sent.run, sent.split, sent.extras
    X = np.concatenate([split.X, split.X_test])
    x1, x2 = split.shown.axes(tokens.GRID)
    nodes = np.array([[a, b] for b in x2 for a in x1])
    exact = run.kernel(X, nodes)
    blocks = blocks_of({name.removeprefix("similar_"): array for name, array in sent.arrays.items()})
    for i in (0, len(split.X) - 1, len(X) - 1):
        field = added(blocks, np.eye(len(X))[i], tokens.GRID)
        assert_allclose(field.ravel(), exact[i], rtol=1e-5, atol=2e-6 * np.abs(exact).max())
    assert extra["signed"] == (exact.min() < -1e-9)


def test_the_features_sent_give_the_kernel_and_lie_in_the_box_with_the_origin():
    sent = Sent("lift", held=0.2, **SQUARE)
    (extra,), phi = sent.extras, sent.arrays["liftPhi"]
    X = np.concatenate([sent.split.X, sent.split.X_test])
    assert_allclose(phi, [[a * a, math.sqrt(2) * a * b, b * b] for a, b in X], rtol=1e-6)
    assert_allclose(phi @ phi.T, (X @ X.T) ** 2, atol=1e-6)
    low, high = extra["low"], extra["high"]
    assert ((low <= phi) & (phi <= high)).all()
    assert all(a <= 0 <= b for a, b in zip(low, high, strict=True))
    assert extra["names"] == ["x₁²", "√2·x₁x₂", "x₂²"]


@pytest.mark.parametrize(
    "given",
    [{}, {"kernel": "monomial", "degree": 3}, {**SQUARE, "normalize": "on"}, {**SQUARE, "combine": "sum"}],
    ids=str,
)
def test_of_another_kernel_it_is_said_why_and_that_the_features_are_those_of_the_one_that_is_offered(given):
    sent = Sent("lift", **given)
    assert sent.extras[0]["offers"]
    assert_allclose(sent.arrays["liftPhi"] @ sent.arrays["liftPhi"].T, (sent.split.X @ sent.split.X.T) ** 2, atol=1e-6)
    assert sent.extras[0]["why"].endswith(".")
    assert "(u·v)²" in sent.extras[0]["why"]


def test_what_is_not_asked_for_is_not_sent_nor_anything_of_a_stream():
    streamed = Sent("gram", "similar", "lift", stream="on", n=200).extras
    assert {extra["why"] for extra in streamed} == {"The examples of a stream come only once: turn the stream off."}
    plain, asked = Sent(**SQUARE), Sent("gram", "similar", "lift", **SQUARE)
    more = set(asked.arrays) - set(plain.arrays)
    assert {"gramOrder", "gramUpper", "liftPhi"} < more
    assert all(name.startswith("similar_") for name in more - {"gramOrder", "gramUpper", "liftPhi"})
    assert_array_equal(plain.arrays["score"], asked.arrays["score"])
