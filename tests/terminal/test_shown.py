"""`kpviz plot` draws the panels that a link shows, and what it shows on the map."""

from pathlib import Path

import pytest
from kpviz.views import board, storyboard

from kpviz import experiment
from kpviz.settings import Settings

SIZE = (1.6, 1.6)


@pytest.mark.parametrize("show", ["margins.lines.normed", "similar", "code.bound.sequence", "none"])
def test_a_picture_of_a_link_shows_what_the_link_shows(kpviz, show):
    code, _, told = kpviz("plot", f"n=10&t=4&show={show}", "--out=a.png", "--size=320x320", "--quiet")
    assert (code, told) == (0, "")
    run = experiment.run(Settings.of(n=10))
    panels = () if show == "none" else tuple(show.split("."))
    expected = board.figure(run, 4, size=SIZE, panels=panels, order="cyclic")
    assert Path("a.png").read_bytes() == board.save(expected, "png")


def test_so_do_one_panel_alone_and_a_storyboard(kpviz):
    run = experiment.run(Settings.of(n=10))
    link = "n=10&t=4&show=similar.lines.normed"
    kpviz("plot", link, "--out=a.png", "--panel=margins", "--size=320x320", "--quiet")
    kpviz("plot", link, "--out=b.png", "--steps=0,4", "--size=320x320", "--quiet")
    panels = ("similar", "lines", "normed")
    alone = board.panel(run, 4, "margins", size=SIZE, panels=panels)
    assert Path("a.png").read_bytes() == board.save(alone, "png")
    settings = Settings.of(n=10)
    about = {"title": experiment.title(settings), "model": experiment.about(settings, experiment.title(settings))}
    story = storyboard.figure(run, [0, 4], size=SIZE, panels=panels, **about)
    assert Path("b.png").read_bytes() == board.save(story, "png")
