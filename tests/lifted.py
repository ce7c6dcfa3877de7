"""The panel of the features in space, read with a browser or without one."""

import numpy as np

from kpviz import experiment
from kpviz.player.box import Box
from kpviz.settings import Settings

SQUARE = {"data": "circles", "kernel": "monomial", "degree": 2, "intercept": "unit", "held": 0.1}
TURNED = "s.lift.now"


def opened(player, **values):
    settings = Settings.of(**values)
    player.open(f"/?{settings.query()}&show=lift")
    player.until("s.run.header.extras.lift").rest()
    split = experiment.prepare(settings)
    return split, experiment.run(settings, split)


def space(split):
    X = np.concatenate([split.X, split.X_test])
    phi = np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2])
    return phi, Box.around(phi)


def fits(seen, places):
    """The places are those seen, up to one enlargement and where the middle is."""
    flat = np.column_stack([seen[:, 0], -seen[:, 1]])
    scale = np.std(places) / np.std(flat - flat.mean(axis=0) + places.mean(axis=0))
    middle = places.mean(axis=0) - flat.mean(axis=0)
    factor = ((places - places.mean(axis=0)) * (flat - flat.mean(axis=0))).sum() / (
        (flat - flat.mean(axis=0)) ** 2
    ).sum()
    expected = factor * (flat - flat.mean(axis=0)) + flat.mean(axis=0) + middle
    return factor > 20 and np.allclose(places, expected, atol=0.05) and scale > 0


def drawn(player):
    marks = sorted(player.marks("lift", name="point"), key=lambda mark: mark["i"])
    return np.array([[mark["x"], mark["y"]] for mark in marks])
