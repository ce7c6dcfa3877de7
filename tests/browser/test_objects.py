"""Data that are no points, in the player: the page folds what Python computes, and shows it at the examples."""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data.objects import OBJECTS
from kpviz.lessons import explain
from kpviz.settings import Settings


def opened(player, more="", **given):
    settings = Settings.of(**given)
    player.open(f"/?{settings.query()}{more}")
    split = experiment.prepare(settings)
    return experiment.run(settings, split), split


INTERCEPT, MEAN = {"intercept": "unit", "eta": 0.3}, {"predictor": "averaged"}


def test_keys_walk_through_steps_data_and_kernels(player):
    run, _ = opened(player, data="texts")
    player.press("ArrowRight").rest()
    assert player.t == 1
    mistakes = np.flatnonzero(run.mistake) + 1
    player.press("Shift+ArrowRight").rest()
    assert player.t == int(mistakes[mistakes > 1][0])
    player.press("End").rest()
    classes = tuple(player.js("s.run.header.names.classes"))
    assert (player.t, player.sentence) == (run.n_steps, explain.explain(run, run.n_steps, classes=classes).sentence)
    player.press("k").until("s.run.header.settings.query.includes('spectrum')").rest()
    assert player.settings == Settings.of(data="texts", kernel="spectrum")
    player.agrees()
    for data in ("trees", "graphs", "bits"):
        player.press("d").until("s.run.header.settings.query.includes(arg)", f"data={data}").rest()
        assert player.settings == Settings.of(data=data)
        player.agrees()
        player.until("s.run.header.extras.gram && s.run.header.extras.remembered").rest()
        assert {"gram", "remembered"} <= set(player.js("Object.keys(s.layout.panels)"))
    player.press("d").until("s.run.header.ground.kind === 'plane'").rest()
    assert player.settings == Settings.of()
    assert not {"gram", "remembered"} & set(player.js("Object.keys(s.layout.panels)"))


@pytest.mark.parametrize("data", OBJECTS)
def test_a_class_sees_the_examples_and_what_is_remembered(player, data):
    run, _ = opened(player, data=data)
    player.until("s.run.header.extras.remembered").rest().go(run.n_steps)
    player.press("w").until("s.present.on").rest()
    assert len(player.marks("map", name="halo")) == len(run.y)
    player.press("ArrowLeft").rest()
    assert player.t == run.n_steps - 1
    player.press("Escape").until("!s.present.on").rest()


def test_the_pencil_says_why_these_are_not_moved(player):
    opened(player, data="graphs")
    player.press("Shift+E").rest()
    assert player.js("s.editing.on") is False
    assert "not points" in player.js("r.textContent")
