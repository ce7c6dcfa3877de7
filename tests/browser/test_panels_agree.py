"""The rule, the bounds and the order: the canvas and the pictures say the same, letter by letter, at every instant."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection

from kpviz import experiment
from kpviz.settings import BOOLEAN, Settings
from kpviz.views import board, look

SHOW = "code.bound.sequence"
LINKS = {
    "perceptron": ({}, [0, 1, 12, 61, 180]),
    "shuffled, voted, of one epoch": ({"order": "shuffled", "predictor": "voted", "epochs": 1, "n": 30}, [7]),
    "norma": ({"learner": "norma", "n": 30, "epochs": 2}, [40]),
    "bits": ({"data": BOOLEAN, "bits": 3}, [5]),
}


def spoken(player, panel):
    """The words of a panel of the canvas but for its hints, whatever its lines are broken into."""
    texts = [mark["text"] for mark in player.marks(panel, kind="text") if not mark["text"].endswith(" to reorder")]
    return " ".join(" ".join(texts).split())


def written(run, t, panel, how):
    """The words of a panel alone, from the highest to the lowest."""
    (ax,) = (figure := board.panel(run, t, panel, dpi=50, **how)).axes
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    lines = sorted(ax.texts, key=lambda text: -text.get_window_extent().y0)
    return " ".join(" ".join([ax.get_title(loc="left"), *(text.get_text() for text in lines)]).split()), ax


@pytest.mark.parametrize("name", ["perceptron", "shuffled, voted, of one epoch", "bits"])
def test_all_bounds_are_told_in_the_same_words(player, name):
    values, times = LINKS[name]
    settings = Settings.of(**values)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    player.open(f"/?{settings.query()}&show=bound").until("s.run.header.extras.bound").rest()
    player.js("(() => { s.layout.panels.bound.h = 3000; })()")  # room for all of them
    player.go(times[-1])
    assert spoken(player, "bound") == written(run, times[-1], "bound", look.options(settings, split))[0]


@pytest.mark.parametrize("name", LINKS)
def test_canvas_and_picture_say_the_same(player_with, name):
    values, times = LINKS[name]
    player = player_with(viewport={"width": 1600, "height": 1300})
    settings = Settings.of(**values)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    how = look.options(settings, split)
    player.open(f"/?{settings.query()}&show={SHOW}").until("s.run.header.extras.bound").rest()
    for t in times:
        player.go(t)
        assert spoken(player, "code") == written(run, t, "code", how)[0]
        heard, whole = spoken(player, "bound"), written(run, t, "bound", how)[0]
        assert whole.startswith(heard)
        assert len(heard) > 60
        _, ax = written(run, t, "sequence", how)
        assert [ax.get_title(loc="left")] == [mark["text"] for mark in player.marks("sequence", name="title")]
        cells = [mark for mark in player.marks("sequence") if "i" in mark]
        pale = [int(text.get_text()) for text in ax.texts if text.get_zorder() < 5]
        strong = [int(text.get_text()) for text in ax.texts if text.get_zorder() == 5]
        assert pale == [mark["i"] for mark in cells]
        assert strong == [mark["i"] for mark in cells if mark["alpha"] == 1]
        rings = [each for each in ax.collections if isinstance(each, PathCollection) and not len(each.get_facecolor())]
        assert len(rings) == len(player.marks("sequence", kind="circle", name="current")) * 2


def test_the_active_line_is_the_same(player):
    settings = Settings.of(n=20)
    run = experiment.run(settings)
    player.open(f"/?{settings.query()}&show={SHOW}")
    for t in (0, 1, run.n_steps // 2, run.n_steps):
        player.go(t)
        lit = [mark["text"] for mark in player.marks("code", kind="text") if mark.get("weight") == 600][1:]
        ax = board.panel(run, t, "code", dpi=50).axes[0]
        assert lit == [text.get_text() for text in ax.texts if text.get_fontweight() == "bold"]


def test_margins_divided_by_the_norm_and_margin_lines_are_the_same(player):
    settings = Settings.of(predictor="averaged", n=30, epochs=10)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    panels = ("margins", "normed", "lines")
    player.open(f"/?{settings.query()}&show={'.'.join(panels)}")
    for t in (0, 9, run.n_steps):
        player.go(t)
        drawn = board.describe(run, t, board.Look(panels=panels, **look.options(settings, split)))
        bins = {mark["bin"]: mark["count"] for mark in player.marks("margins", kind="rect") if mark.get("count")}
        counted = {k: count for k, count in enumerate(drawn["margins"].count.tolist()) if count}
        assert bins == (counted if t else {})
        texts = [mark["text"] for mark in player.marks("margins", kind="text")]
        assert drawn["margins"].title in texts
        margin = player.js("s.scenes().map.margin")
        assert max(margin, 0.0) == pytest.approx(drawn["map"].margin, abs=1e-6)


def test_k_of_the_current_example_is_the_same_at_corners_of_a_cube(player):
    settings = Settings.of(data=BOOLEAN, bits=3, held=0.2)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    player.open(f"/?{settings.query()}&show=similar").until("s.run.header.extras.similar").go(4)
    places = board.describe(run, 4, board.Look(panels=("similar",), **look.options(settings, split)))["map"]
    shown = player.js("(() => { const k = s.scenes().map.kernelRow; return [k.i, [...k.at], k.limit]; })()")
    assert shown == [run.index[3], pytest.approx(places.scores.tolist()), pytest.approx(places.limit)]
