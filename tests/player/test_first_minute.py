"""The first minute in words: what it says of a step, and of the whole run, is true of that run."""

import numpy as np
import pytest

from kpviz import experiment
from kpviz.lessons import explain
from kpviz.settings import Settings

TOLD = [
    Settings.of(),
    Settings.of(seed=3, noise=0.2),
    Settings.of(data="circles", kernel="polynomial"),
    Settings.of(kernel="linear", epochs=2),
    Settings.of(data="moons", eta=0.5, order="shuffled"),
]
OTHERS = [
    "learner=svm",
    "learner=logistic",
    "predictor=averaged",
    "stream=on",
    "data=bits&function=parity&bits=4",
    "tie=correct",
]
COLOURS = {1: "orange", -1: "blue"}
SAYS = "load('modes/first_minute_words.js')"


def said(player, name, *given):
    return player.js(f"{SAYS}[arg[0]](s.run, ...arg[1])", [name, given])


@pytest.mark.parametrize("settings", TOLD, ids=lambda settings: settings.query())
def test_what_it_says_at_the_end_are_the_numbers_of_the_run(player, settings):
    run = experiment.run(settings)
    right = int((run.y * run.decision_function(run.X, run.n_steps) > 0).sum())
    n = len(run.y)
    bricks = np.unique_counts(run.index[run.mistake]).counts
    several = bricks[bricks > 1]
    times = (
        "twice"
        if (several == 2).all()
        else f"{several[0]} times"
        if len(several) == 1
        else "more than once"
    )
    repeated = (
        f" ({'one' if len(several) == 1 else len(several)} of them {times})" if len(several) else ""
    )
    points = explain.counted(len(bricks), "point")
    of_all = f"all {n}" if right == n else f"{right} of {n}"
    made = explain.counted(int(bricks.sum()), "mistake")
    words = f"It made {made}, remembers {points}{repeated}, and is right on {of_all}."
    assert said(player.open(f"/?{settings.query()}"), "endOf") == words


@pytest.mark.parametrize("settings", TOLD, ids=lambda settings: settings.query())
def test_each_answer_is_that_of_the_step_and_a_score_of_zero_makes_any_guess_right(
    player, settings
):
    player.open(f"/?{settings.query()}")
    run = experiment.run(settings)
    for t in range(1, 40):
        score, y = float(run.score[t]), int(run.y[run.index[t]])
        for guess in (1, -1, None):
            words = said(player, "answerOf", t, guess)
            mistake = bool(run.mistake[t])
            assert ("It remembers this one, too." in words) == mistake
            assert ("Nothing to remember." in words) == (not mistake)
            if score == 0:
                assert words.startswith(
                    f"The machine cannot say: either guess counts. The point is {COLOURS[y]}."
                )
                continue
            assert words.startswith(f"The machine said {COLOURS[1 if score > 0 else -1]}")
            assert (f"But the point is {COLOURS[y]}: the machine was wrong." in words) == mistake
            assert (" and so it is." in words) == (not mistake)
            assert (", by a hair" in words) == (abs(score) < 0.05)
            assert ("You knew better" in words) == (mistake and guess == y)


def test_a_guess_counts_as_right_where_the_score_is_zero(player):
    player.open("/?v=1&data=blobs&kernel=linear")
    zero = player.js("""(() => {
      s.run.trace.score[3] = 0;
      s.standing.question.begin(s.run, [3]);
      return [1, -1].map((guess) => {
        s.standing.question.answers.clear();
        s.standing.question.take(3, guess);
        return s.standing.question.answers.get(3).right;
      });
    })()""")
    assert zero == [True, True]


@pytest.mark.parametrize("link", ["", *OTHERS])
def test_it_is_told_of_runs_that_begin_as_it_says(player, link):
    assert bool(said(player.open(f"/?v=1&{link}"), "isPlayable")) == (not link)


@pytest.mark.parametrize(
    "size",
    [
        (1366, 762),
        (1920, 1074),
        (1366, 634),
        (390, 838),
        (844, 384),
        (320, 562),
        (320, 220),
        (768, 1018),
    ],
)
def test_the_map_stays_where_it_is_and_nothing_lies_on_anything(engine, size):
    w, h = size
    script = """(width, height, say) => load('board/layout.js').layoutOf(
        new Set(["map"]), { kind: "question", width, height, say })"""
    layout = engine.call(script, w, h, 250)
    panels, at = layout["panels"], layout["say"]
    boxes = [*panels.values()]
    if panels["map"]["w"] > 100:  # What is asked flows round a map as small as an icon.
        boxes.append({"x": at["x"], "y": at["y"], "w": at["w"], "h": 250})
    for k, one in enumerate(boxes):
        assert 0 <= one["x"] <= one["x"] + one["w"] <= w
        assert 0 <= one["y"] <= one["y"] + one["h"] <= layout["height"]
        for other in boxes[:k]:
            apart = [
                one[side] >= other[side] + other[size] or other[side] >= one[side] + one[size]
                for side, size in (("x", "w"), ("y", "h"))
            ]
            assert any(apart), (one, other)
    of_map = {name: panels[name] for name in ("map", "strip", "axis", "gutter") if name in panels}
    assert engine.call(script, w, h, 180)["panels"] == of_map == panels
    board = engine.call(
        """(width, height) => load('board/layout.js').layoutOf(new Set(), { width, height })""",
        w,
        h,
    )
    assert {name: board["panels"][name] for name in of_map} == of_map or w < 800
