"""The canvas and the figures that films are made of say the same: words, counts, colours and marks at every instant."""

import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.cues import Cues
from kpviz.export import script
from kpviz.settings import Settings
from kpviz.views import board, look
from kpviz.views.board import Look, Said

LINKS = {
    "xor": {},
    "linear kernel": {"kernel": "linear", "intercept": "unit", "epochs": 3},
    "norma": {"learner": "norma", "epochs": 2, "n": 40},
    "averaged": {"data": "moons", "predictor": "averaged"},
}
CUES = "mistake 3 hold 4 light x12, margins: Look where the boundary goes."


def rgb(colour):
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))


@pytest.mark.parametrize("name", LINKS)
def test_canvas_and_figure_say_the_same_and_draw_the_same_marks(player, name):
    settings = Settings.of(**LINKS[name])
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    how = Look(**look.options(settings, split))
    player.open(f"/?{settings.query()}")
    mistakes = (np.flatnonzero(run.mistake) + 1).tolist()
    for t in {1, mistakes[len(mistakes) // 2], run.n_steps - 1, run.n_steps}:
        player.go(t)
        drawn = board.describe(run, t, how)
        assert player.counter == drawn["counter"].text
        assert player.sentence == drawn["sentence"].text
        points = drawn["map/points"]
        seen = {mark["i"]: mark for mark in player.marks("map") if "i" in mark and mark.get("fill")}
        assert len(seen) == len(points.X)
        scale = player.js("s.pointScale")
        for i, mark in seen.items():
            kind = "positive" if run.y[i] > 0 else "negative"
            assert mark["kind"] == tokens.SHAPES[kind]
            assert mark["fill"] == tokens.MAP_POINTS[kind]
            assert mark["r"] / scale == pytest.approx(points.radius()[i], rel=1e-3)
        bins = {mark["bin"]: mark["count"] for mark in player.marks("margins", kind="rect") if mark.get("count")}
        assert bins == {k: count for k, count in enumerate(drawn["margins"].count.tolist()) if count}
        bricks = {mark["i"] for mark in player.marks("alpha", kind="rect") if "i" in mark}
        alpha = drawn["alpha"]
        height = alpha.count if hasattr(alpha, "count") else alpha.alpha
        assert bricks == set(alpha.index[height != 0].tolist())


def test_the_field_has_the_same_colours(player):
    settings = Settings.of()
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    player.open("/?v=1").go(run.n_steps)
    field = board.plane(run, run.n_steps, Look(**look.options(settings, split)))["map"]
    painted = player.js(
        """(() => {
          const scene = s.scenes().map, image = scene.fieldImage();
          return [...image.data];
        })()"""
    )
    canvas = np.array(painted).reshape(tokens.GRID, tokens.GRID, 4)[::-1, :, :3]  # from the lowest row
    assert np.abs(canvas - field.colours[..., :3].astype(int)).max() <= 2


def test_at_a_cue_both_say_its_words_and_light_the_same(player):
    settings = Settings.of(cues=Cues.of_code(CUES).code)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    cue = script.places(run).held(Cues.of_code(settings.cues))
    (t,) = cue
    player.open(f"/?{settings.query()}").go(t)
    said = Said(cue[t].words, cue[t].examples, cue[t].panels)
    drawn = board.describe(run, t, Look(**look.options(settings, split)), said)
    assert player.sentence == drawn["sentence"].text == "Look where the boundary goes."
    assert [mark["lit"] for mark in player.marks("map") if "lit" in mark] == list(drawn["map/points"].lit) == [12]
    assert [place for place in drawn if place.endswith("/light")] == ["margins/light"]
    (frame,) = player.js("s.board.panels.flatMap((p) => p.marks).filter((m) => m.name === 'light')")
    panel = player.js("s.layout.panels.margins")
    assert frame["stroke"] == tokens.THEMES["light"]["accent"]
    assert abs(frame["x"] + frame["w"] / 2 - panel["x"] - panel["w"] / 2) < 8
    assert abs(frame["y"] + frame["h"] / 2 - panel["y"] - panel["h"] / 2) < 8
