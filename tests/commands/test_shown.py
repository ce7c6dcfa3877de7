"""`kpviz plot` draws the panels that a link shows, and what it shows on the map."""

from pathlib import Path

import pytest
from drawing import drawn, png, story

from kpviz.settings import Settings

SIZE = (1.6, 1.6)


@pytest.mark.parametrize("show", ["margins.lines.normed", "similar", "code.bound.sequence", "none"])
def test_a_picture_of_a_link_shows_what_the_link_shows(kpviz, show):
    code, _, complaint = kpviz("plot", f"n=10&t=4&show={show}", "--out=a.png", "--size=320x320", "--quiet")
    assert (code, complaint) == (0, "")
    panels = () if show == "none" else tuple(show.split("."))
    assert Path("a.png").read_bytes() == png(drawn(Settings.of(n=10), 4, SIZE, panels=panels))


def test_so_do_one_panel_alone_and_a_storyboard(kpviz):
    link = "n=10&t=4&show=similar.lines.normed"
    kpviz("plot", link, "--out=a.png", "--panel=margins", "--size=320x320", "--quiet")
    kpviz("plot", link, "--out=b.png", "--steps=0,4", "--size=320x320", "--quiet")
    panels = ("similar", "lines", "normed")
    settings = Settings.of(n=10)
    assert Path("a.png").read_bytes() == png(drawn(settings, 4, SIZE, panels=panels, only="margins"))
    assert Path("b.png").read_bytes() == png(story(settings, [0, 4], SIZE, panels=panels))
