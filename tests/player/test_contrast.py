"""What one must tell apart has three times the luminance of its ground (WCAG 1.4.11), without any preference set."""

import itertools

import numpy as np
import pytest
from gram_panel import opened
from test_assets import contrast

from kpviz import tokens

LINKS = {
    "few epochs": "/?v=1&t=20&noise=0.1&epochs=6&show=alpha.readings",
    "many epochs": "/?v=1&t=20&noise=0.3&epochs=100",
    "side by side": "/?v=1&t=20&pins=1&p1.kernel=linear",
}
DRESSED = "(s.player.palette = new (load('model/colors.js').Palette)(s.run.header.tokens, arg), s.arrange(), 0)"


def on(mark, ground):
    """The colour of a mark on its ground."""
    share = mark.get("alpha", 1)
    parts = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (mark["fill"], ground)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in zip(*parts, strict=True))


@pytest.mark.parametrize("theme", tokens.SCREENS)
@pytest.mark.parametrize("link", LINKS)
def test_what_is_still_to_come_is_seen_on_the_timeline(player, link, theme):
    player.open(LINKS[link])
    player.js(DRESSED, theme == "dark")
    colours = tokens.THEMES[theme]
    grounds = {"epoch": "panel", "edge": "panel", "ahead": "paper", "behind": "paper"}
    for name, ground in grounds.items():
        marks = player.marks("timeline", name=name)
        assert marks or link == "side by side"
        for mark in marks:
            assert contrast(on(mark, colours[ground]), colours[ground]) >= 3, (name, mark)
    bars = [mark for mark in player.marks("timeline") if mark.get("epoch") and mark["h"]]
    edges = player.marks("timeline", name="edge")
    assert [(edge["x"], edge["y"], edge["w"]) for edge in edges] == [(bar["x"], bar["y"], bar["w"]) for bar in bars]
    for mark in player.marks("votes", name="edge"):
        assert contrast(on(mark, colours["paper"]), colours["paper"]) >= 3


CELLS = """(() => {
  const { image } = s.board.panels.find(({ name }) => name === "gram").marks.find(({ name }) => name === "gram");
  return [image.width, image.data];
})()"""


@pytest.mark.parametrize("theme", tokens.SCREENS)
@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_of_a_kernels_values_in_a_matrix_sign_and_size_are_seen(player, kernel, theme):
    run = opened(player, kernel=kernel)
    player.js(DRESSED, theme == "dark")
    n, pixels = player.js(CELLS)
    order = np.argsort(-run.y, kind="stable")
    colours = ["#" + "".join(f"{c:02x}" for c in pixels[4 * at : 4 * at + 3]) for at in range(n * n)]
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
