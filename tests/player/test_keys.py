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


def neighbour(run, t, grain, way):
    """Where a step leads: the next or previous example, instant after a mistake, or beginning of an epoch."""
    stops = {
        "example": np.arange(run.n_steps + 1),
        "mistake": np.flatnonzero(run.mistake) + 1,
        "epoch": run.epoch_start,
    }[grain]
    if way > 0:
        later = stops[stops > t]
        return int(later[0]) if len(later) else run.n_steps
    earlier = stops[stops < t]
    return int(earlier[-1]) if len(earlier) else 0


def test_three_grains_lead_where_the_record_says(player):
    settings = Settings.of(noise=0.2, epochs=8)
    player.open(f"/?{settings.query()}")
    run = experiment.run(settings)
    times = list(range(run.n_steps + 1))
    for grain in ("example", "mistake", "epoch"):
        for way in (1, -1):
            found = player.js(
                "arg[0].map((t) => { s.go(t); s.step(arg[1], arg[2]); return s.t; })", [times, grain, way]
            )
            assert found == [neighbour(run, t, grain, way) for t in times], (grain, way)
