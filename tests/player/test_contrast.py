"""What one must tell apart has three times the luminance of its ground (WCAG 1.4.11), without any preference set."""

import pytest
from test_assets import contrast

from kpviz import tokens

LINKS = {
    "few epochs": "/?v=1&t=20&noise=0.1&epochs=6&show=alpha.readings",
    "many epochs": "/?v=1&t=20&noise=0.3&epochs=100",
    "side by side": "/?v=1&t=20&pins=1&p1.kernel=linear",
}


def on(mark, ground):
    """The colour of a mark on its ground."""
    share = mark.get("alpha", 1)
    parts = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (mark["fill"], ground)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in zip(*parts, strict=True))


@pytest.mark.parametrize("theme", tokens.SCREENS)
@pytest.mark.parametrize("link", LINKS)
def test_what_is_still_to_come_is_seen_on_the_timeline(player, link, theme):
    player.open(LINKS[link])
    dark = "new (load('model/colors.js').Palette)(s.run.header.tokens, arg)"
    player.js(f"(s.player.palette = {dark}, s.arrange(), 0)", theme == "dark")
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
