"""Pictures as the command line and the dialogs draw them, for tests that compare with theirs."""

from kpviz import experiment
from kpviz.picture import figure
from kpviz.picture.stage import RenderOptions
from kpviz.player.comparison import Comparison


def lineup(settings, pins=()):
    split = experiment.prepare(settings)
    return Comparison.of(settings, split, experiment.run(settings, split), pins)


def drawn(settings, t=None, size=None, pins=(), cues=None, **look):
    """The board, or the panel `only`, at an instant, None: the end."""
    runs = lineup(settings, pins)
    return figure.draw(runs, runs.end if t is None else t, RenderOptions(**look), size, cues=cues)


def marks_of(panel):
    """The marks of a panel of a board, those that stand still first."""
    return [*(mark for layer in panel.layers for mark in layer.marks), *panel.moving]


def png(picture, **how):
    return figure.save(picture, "png", **how)
