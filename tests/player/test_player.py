"""What the player says and which keys go through a run: questions and answers, margin lines, the
end.
"""

import json
import re

import numpy as np
import pytest

from kpviz import experiment
from kpviz.engine.data.drawn import Drawn
from kpviz.engine.fisher import discriminant
from kpviz.engine.learners import LEARNERS
from kpviz.player import modules
from kpviz.settings import Settings

# ---- hardly any examples -------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_walks_through_no_one_and_two_examples_with_all_panels_shown(player, learner):
    for n in (0, 1, 2):
        code = Drawn.of(np.array([[0.5, 0.0], [-0.5, 0.0]])[:n], np.array([1.0, -1.0])[:n], 0).code
        settings = Settings.of(data="drawn", points=code, learner=learner)
        player.open(f"/?{settings.query()}&show=alpha.bound.code.margins.own.primal.readings")
        player.press("ArrowRight", "PageDown", "End")
        assert player.t == player.agrees().n_steps
        player.press("Home")
        assert player.t == 0


# ---- panels --------------------------------------------------------------------------------------


# ---- what it says, and what it keeps -------------------------------------------------------------


@pytest.mark.parametrize("compared", ["", "&pins=1&p1.kernel=linear"])
def test_the_handle_of_the_timeline_leaves_the_tick_of_its_own_step_to_be_seen(player, compared):
    player.open("/?v=1&t=12" + compared)
    assert player.js("s.player.run.trace.mistake[11]") == 1
    hand = [*player.marks("timeline", name="cursor"), *player.marks("timeline", name="head")]
    lowest = max(mark["y"] + mark.get("h", mark.get("r")) for mark in hand)
    ticks = player.marks("timeline", name="behind")
    assert len(ticks) == player.js("s.player.runs.all.length")
    assert all(min(mark["points"][1::2]) >= lowest for mark in ticks)


@pytest.mark.parametrize(
    "link", ["t=30&show=similar.alpha", "data=breast_cancer&t=60", "t=12", "t=99999"]
)
def test_a_brick_is_no_bar(player, link):
    player.open(f"/?v=1&{link}")
    bricks = [mark for mark in player.marks("alpha", kind="rect") if mark.get("i") is not None]
    assert bricks
    assert all(mark["h"] <= 1.7 * mark["w"] for mark in bricks)


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080), (1280, 720), (1024, 768)])
def test_one_row_of_bricks_fills_most_of_its_room_and_many_in_a_column_are_one_bar(player, size):
    size = dict(zip(("width", "height"), size, strict=True))
    player.open("/?v=1&t=12", size)
    panel = player.js("s.layout.panels.alpha")
    bricks = [mark for mark in player.marks("alpha", kind="rect") if mark.get("i") is not None]
    air = min(mark["y"] for mark in bricks) - panel["y"] - 24 * player.js("s.layout.unit")
    assert air <= 1.2 * max(mark["h"] for mark in bricks)
    player.open("/?v=1&kernel=linear", size).press("End").rest()
    values = {
        mark["i"]: mark["value"] for mark in player.marks("alpha", kind="rect") if "value" in mark
    }
    assert max(values.values()) > 20
    assert len(values) == player.js("s.run.trace.support.length")


@pytest.mark.parametrize(
    "link",
    [
        "t=30&show=similar.alpha",
        "t=99999&show=alpha",
        "kernel=sigmoid&gamma=2&t=200&show=gram.alpha",
        "data=texts&t=30",
    ],
)
@pytest.mark.parametrize("size", [(1342, 714), (1896, 1026)])
def test_bricks_have_use_for_most_of_the_height_of_their_panel(player, size, link):
    player.open(f"/?v=1&{link}", dict(zip(("width", "height"), size, strict=True)))
    panel, unit = player.js("[s.layout.panels.alpha, s.layout.unit]")
    end = panel["y"] + 24 * unit
    gaps = []
    for mark in sorted(player.marks("alpha", kind="rect"), key=lambda mark: mark["y"]):
        gaps.append(mark["y"] - end)
        end = max(end, mark["y"] + mark["h"])
    gaps.append(panel["y"] + panel["h"] - end)
    assert max(gaps) <= max(0.27 * panel["h"], 70 * unit)


def test_in_a_high_panel_one_class_stands_above_the_names_and_one_hangs_below_them(player):
    player.open("/?v=1&n=30&noise=0.4&show=alpha", {"width": 1342, "height": 714})
    for t in (20, 99999):
        player.go(t)
        trace = "s.run.trace"
        name = player.marks("alpha", kind="text", align="center")[0]["y"]
        marks = [mark for mark in player.marks("alpha", kind="rect") if mark.get("i") is not None]
        for mark in marks:
            assert (mark["y"] < name) == (player.js("s.run.y[arg]", mark["i"]) > 0)
        bars = [mark for mark in marks if mark.get("value", 0) > 2]
        assert bool(bars) == (t > 20)
        for bar in bars:
            part = bar["h"] / bar["value"]
            at_names = bar["y"] + (0.5 * part if bar["y"] > name else bar["h"] - 0.5 * part)
            player.point(bar["x"] + bar["w"] / 2, at_names)
            first = player.js(f"{trace}.byExample[arg][0]", bar["i"])
            assert f"step {first + 1}" in " ".join(player.tip)


# ---- words and formulas --------------------------------------------------------------------------


def test_the_formula_stands_beneath_the_words_or_before_them(player):
    player.open("/?v=1&t=25")
    words, formula = player.sentence, player.words("words", "formula")
    assert words == (
        "x₂₄ is blue, but the score +0.48 says orange: a mistake. "
        "Its blue hill is added: its score goes from +0.48 to −0.52, now right."
    )
    assert formula.startswith("f(x₂₄) = 0.48, y = −1, so y·f ≤ 0: a mistake.")
    player.js("(s.formulaFirst = true, 0)")
    player.go(24).go(25)
    assert (player.sentence, player.words("words", "formula")) == (formula, words)


def test_without_colours_the_classes_have_their_labels(player):
    player.open("/?v=1&t=25").js("(s.palette.grey = true, 0)")
    player.go(24).go(25)
    assert player.sentence.startswith(
        "x₂₄ is of class −1, but the score +0.48 says class +1: a mistake."
    )


# ---- the keys that go through a run --------------------------------------------------------------


def neighbour(run, t, grain, way):
    """Where a step leads: the next or previous example, instant after a mistake, or beginning of an
    epoch.
    """
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


KEYS = {
    "ArrowRight": ("example", 1),
    "ArrowLeft": ("example", -1),
    "PageDown": ("mistake", 1),
    "PageUp": ("mistake", -1),
    "Shift+ArrowRight": ("mistake", 1),
    "Shift+ArrowLeft": ("mistake", -1),
    "ArrowDown": ("epoch", 1),
    "ArrowUp": ("epoch", -1),
}


def test_each_key_of_time_leads_where_the_record_says(player):
    settings = Settings.of(noise=0.2, epochs=8)
    player.open(f"/?{settings.query()}")
    run = experiment.run(settings)
    times = list(range(run.n_steps + 1))
    for key, (grain, way) in KEYS.items():
        found = player.js(
            "arg[0].map((t) => { s.go(t); s.press(arg[1]); return s.t; })", [times, key]
        )
        assert found == [neighbour(run, t, grain, way) for t in times], key
    assert [player.press(key).t for key in ("End", "Home")] == [run.n_steps, 0]


# ---- words that hold for the instant, the count or the direction beside them ---------------------


def run_of(settings):
    split = experiment.prepare(settings)
    return split, experiment.run(settings, split)


def test_one_mistake_has_one_step(player):
    _, run = run_of(Settings.of())
    once = next(i for i in run.index[run.mistake] if (run.index[run.mistake] == i).sum() == 1)
    player.open("/").go(run.n_steps)
    player.point(
        *player.js("[s.view.x(s.run.X[2 * arg]), s.view.y(s.run.X[2 * arg + 1])]", int(once))
    )
    step = int(np.flatnonzero(run.mistake & (run.index == once))[0]) + 1
    assert player.tip[1] == f"α = 1  (mistake at step {step})"


@pytest.mark.parametrize("eta", [1, 0.3, 0.137])
def test_a_number_beside_many_bricks_is_that_of_its_line(player, eta):
    _, run = run_of(Settings.of(n=8, kernel="linear", epochs=1000, eta=eta))
    player.open(f"/?n=8&kernel=linear&epochs=1000&eta={eta}").go(run.n_steps)
    alphas = run.state_at(run.n_steps).alpha
    bars = [mark for mark in player.marks("alpha", kind="rect") if "value" in mark]
    lines = [
        mark["y"] + 0.5 for mark in player.marks("alpha", kind="rect") if mark.get("alpha") == 0.6
    ]
    for line, axis in zip(lines, player.marks("alpha", name="axis"), strict=True):
        for bar in bars:
            meant = (bar["y"] + bar["h"] - line) / bar["h"] * alphas[bar["i"]]
            assert float(axis["text"].replace(",", "")) == pytest.approx(meant, rel=0.005)


# ---- Fisher's J ----------------------------------------------------------------------------------


def of_fisher(engine, call, *args):
    """What a function of the panel with Fisher's numbers returns, or of what it imports."""
    script = modules.script("panels/scatter.js")
    given = ", ".join(map(json.dumps, args))
    return engine.value(f"(() => {{ {script}\nreturn ${call}({given}); }})()")


@pytest.mark.parametrize(
    ("J", "best"), [(2.571, 2.574), (0.93001, 0.93002), (1.0, 2.0), (1.5, 1.5)]
)
def test_a_j_that_is_not_the_best_is_not_written_as_it(engine, J, best):
    texts = of_fisher(engine, "run_discriminant.toldFromBest", J, best)
    assert (texts[0] == texts[1]) == (best == J)
    assert [float(text) for text in texts] == pytest.approx([J, best], abs=0.005)


def test_j_without_the_sizes_follows_by_hand_and_j_from_it(engine):
    rng = np.random.default_rng(3)
    X, labels = rng.normal(size=(30, 2)) + [[1.5, 0.0]] * 30, np.arange(30) % 3 // 2
    X[labels == 1] += 1.0
    scatter, F = discriminant.scatter(X, labels), np.array([0.6, 0.8])
    means, (counts, (_, within)) = (
        scatter.means @ F,
        (scatter.counts, discriminant.parts(scatter, F)),
    )
    reading = {"means": means.tolist(), "within": float(within), "values": (X @ F).tolist()}
    run = {"counts": counts.tolist(), "labels": labels.tolist()}
    words = of_fisher(engine, "run_discriminant.withoutSizes", run, reading)
    gap, spread, J, n0, n1, n = map(
        float,
        re.search(r"= ([\d.]+)/([\d.]+) = ([\d.]+); .* = (\d+)·(\d+)/(\d+) times", words).groups(),
    )
    assert float(f"{gap / spread:.1e}") == J
    assert n0 * n1 / n * J == pytest.approx(float(discriminant.criterion(scatter, F)), rel=0.06)
    alone = (means[1] - means[0]) ** 2 / sum(
        ((X[labels == k] @ F - means[k]) ** 2).sum() for k in (0, 1)
    )
    assert pytest.approx(alone, rel=0.06) == J
    variances = sum((X[labels == k] @ F).var() for k in (0, 1))
    with_variances = (means[1] - means[0]) ** 2 / variances
    assert float(re.search(r"in place of scatters s: ([\d.]+)\.$", words)[1]) == pytest.approx(
        with_variances, abs=0.006
    )


@pytest.mark.parametrize("playing", [False, True])
def test_another_run_is_at_its_end_where_the_one_before_was_unless_one_plays(player, playing):
    player.open("/?v=1")
    was = "(s.player.cursor.goal = { t: 7, end: true }, s.player.state.change({ t: 7 }))"
    player.js(
        f"(s.player.clock.playing = {str(playing).lower()}, {was}, s.player.cursor.keepPlace(), 0)"
    )
    assert player.t == (7 if playing else player.js("s.run.nSteps"))
