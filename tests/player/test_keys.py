"""The keys that go through a run, and those that answer a question."""

import numpy as np

from kpviz import experiment
from kpviz.settings import Settings

# ---- on a page that was just opened ---------------------------------------------------------------------------------


def test_every_key_of_time_works_without_a_click(player):
    run = experiment.run(Settings.of())
    mistakes = (np.flatnonzero(run.mistake) + 1).tolist()
    starts, end = run.epoch_start.tolist(), run.n_steps
    player.open()
    for key, t in [
        ("PageDown", mistakes[0]),
        ("PageDown", mistakes[1]),
        ("Shift+ArrowRight", mistakes[2]),
        ("PageUp", mistakes[1]),
        ("Shift+ArrowLeft", mistakes[0]),
        ("ArrowLeft", mistakes[0] - 1),
        ("ArrowLeft", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowDown", starts[1]),
        ("ArrowDown", starts[2]),
        ("ArrowUp", starts[1]),
        ("ArrowUp", 0),
        ("End", end),
        ("ArrowRight", end),
        ("PageDown", end),
        ("Home", 0),
        ("PageUp", 0),
    ]:
        player.press(key)
        assert player.t == t, key


def test_q_asks_and_the_arrows_answer(player):
    player.open().press("q").rest()
    assert player.sentence == "x₁ is next. Which side will f put it on: ← blue (−1) or → orange (+1)?"
    player.press("ArrowRight").rest()
    assert player.sentence.startswith("Right.")
    player.press("q").rest()
    assert "Right." not in player.sentence
