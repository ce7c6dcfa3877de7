"""The Gram matrix in the player: cells, bars and what lights up are what Python computes."""

import itertools

import numpy as np
import pytest
from gram_panel import matrix, opened
from test_assets import contrast

from kpviz import tokens

CASES = {"xor": {}, "below zero": {"kernel": "sigmoid", "noise": 0.2, "epochs": 4}, "weights": {"learner": "norma"}}


def ends(signed):
    keys = ("cell_negative", "field_zero", "cell_positive") if signed else ("similar_zero",) * 2 + ("cell",)
    return [np.array([int(tokens.THEMES["light"][key][k : k + 2], 16) for k in (1, 3, 5)]) for key in keys]


def cells(player, n):
    """The colours of the cells, (n, n, 3)."""
    mark = "s.board.panels.find((p) => p.name === 'gram').marks.find((m) => m.name === 'gram')"
    size, data = player.js(f"(({{ image }}) => [image.width, image.data])({mark})")
    return np.reshape(data, (size, size, 4))[:n, :n, :3]


@pytest.mark.parametrize("name", CASES)
def test_each_cell_has_the_colour_of_its_kernel_and_each_row_the_bar_of_its_mistakes(player, name):
    run = opened(player, **CASES[name])
    n, gram = len(run.y), run.kernel(run.X, run.X)
    order = np.argsort(-run.y, kind="stable")
    _, y, side = matrix(player)
    extra = player.js("s.run.header.extras.gram")
    low, zero, high = ends(extra["signed"])
    player.go(0).away()
    pixels = cells(player, n)
    for a, b in [(0, 0), (3, n - 2), (n - 2, 3), (n // 2, n // 3)]:
        share = gram[order[a], order[b]] / extra["limit"]
        expected = zero + abs(share) * ((high if share > 0 else low) - zero)
        np.testing.assert_allclose(pixels[a, b], expected, atol=2.5)
    for t in (1, run.n_steps // 3, run.n_steps):
        player.go(t)
        alpha = run.state_at(t).alpha
        bars = player.marks("gram", name="alpha")
        counts = player.js("s.run.header.about.counts")
        level = np.bincount(run.index[:t][run.mistake[:t]], minlength=n) if counts else alpha
        assert {bar["i"] for bar in bars} == set(np.flatnonzero(level).tolist())
        np.testing.assert_allclose([bar["value"] for bar in bars], level[[bar["i"] for bar in bars]], rtol=1e-5)
        middles = [bar["y"] + bar["h"] / 2 for bar in bars]
        places = np.argsort(order)[[bar["i"] for bar in bars]]
        np.testing.assert_allclose(middles, y + (places + 0.5) * side / n, atol=0.51)
        (current,) = player.marks("gram", name="current")
        assert current["i"] == run.index[t - 1]
        place = int(np.flatnonzero(order == run.index[t - 1])[0])
        assert current["y"] + current["h"] / 2 == pytest.approx(y + (place + 0.5) * side / n)


def test_a_cell_lights_both_its_examples_everywhere_and_tells_their_kernel(player):
    run = opened(player, "gram.alpha")
    x, y, side = matrix(player)
    order = np.argsort(-run.y, kind="stable")
    a, b = 7, 50
    i, j = int(order[a]), int(order[b])
    player.point(x + (b + 0.5) * side / 60, y + (a + 0.5) * side / 60)
    value = run.kernel(run.X[[i]], run.X[[j]])[0, 0]
    sub = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    assert player.tip[0].startswith(f"k(x{i}, x{j}) = ".translate(sub).replace("₌", "="))
    assert float(player.tip[0].rsplit(" ", 1)[1].replace("−", "-")) == pytest.approx(value, abs=0.006)
    assert player.tip[1].endswith("of two classes")
    assert {mark["lit"] for mark in player.marks("map") if "lit" in mark} == {i, j}
    assert {mark["lit"] for mark in player.marks("gram", name="row")} == {i, j}


def test_a_point_of_the_map_marks_its_row_and_its_column(player):
    run = opened(player)
    order = np.argsort(-run.y, kind="stable")
    x, y, side = matrix(player)
    i, spot = player.lonely()
    player.point(*spot)
    place = int(np.flatnonzero(order == i)[0])
    (row,), (column,) = (player.marks("gram", name=name) for name in ("row", "column"))
    assert row["lit"] == column["lit"] == i
    assert row["y"] == pytest.approx(y + place * side / 60)
    assert column["x"] == pytest.approx(x + place * side / 60)


@pytest.mark.parametrize("theme", tokens.SCREENS)
@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_of_a_kernels_values_in_a_matrix_sign_and_size_are_seen(player, kernel, theme):
    run = opened(player, kernel=kernel)
    player.js(
        "(s.player.palette = new (load('model/colors.js').Palette)(s.run.header.tokens, arg), s.arrange(), 0)",
        theme == "dark",
    )
    n = len(run.y)
    pixels = cells(player, n).reshape(-1, 3)
    order = np.argsort(-run.y, kind="stable")
    colours = ["#" + "".join(f"{c:02x}" for c in pixel) for pixel in pixels]
    shares = run.gram[np.ix_(order, order)].ravel() / np.abs(run.gram).max()
    nothing = colours[int(np.argmin(np.abs(shares)))]
    told = [contrast(colour, nothing) for colour in colours]
    for k in range(n * n):
        assert told[k] >= (3.0 if abs(shares[k]) > 0.98 else 1.6 if abs(shares[k]) > 0.5 else 1.0), shares[k]
    for sign in (1, -1):
        own = sorted((share, told[k]) for k, share in enumerate(sign * shares) if share > 0)
        assert all(b[1] >= a[1] - 0.05 for a, b in itertools.pairwise(own))
        reds = [int(colours[k][1:3], 16) - int(colours[k][5:7], 16) for k in range(n * n) if sign * shares[k] > 0.3]
        assert kernel == "gaussian" or all(sign * red > 25 for red in reds)
