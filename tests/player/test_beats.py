"""A mistake is shown in three beats: which example; its score, as a sum; what changes. A right answer has one."""

import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.settings import Settings

EXAMPLE, SCORE = (tokens.TIMINGS[name] for name in ("example", "score"))
CHANGE = EXAMPLE + SCORE
LAST = tokens.MOTION - 1


def stepped(player, t, link="/?v=1"):
    """A player on whose board the step that leads to t begins."""
    player.open(link).go(t - 1)
    player.js("(s.step('example', 1), s.now = 0, s.draw(), 0)")
    return player


def at(player, gone, panel, name):
    player.js("(s.now = arg, 0)", gone)
    return player.marks(panel, name=name)


def bricks(player, gone):
    player.js("(s.now = arg, 0)", gone)
    return [mark for mark in player.marks("alpha") if mark["kind"] == "rect" and "i" in mark]


def bars(player, gone):
    player.js("(s.now = arg, 0)", gone)
    return {mark["bin"]: mark["count"] for mark in player.marks("margins") if "count" in mark}


@pytest.fixture
def mistaken():
    run = experiment.run(Settings.of())
    t = int(np.flatnonzero(run.mistake)[4]) + 1
    return run, t, int(run.index[t - 1])


def test_the_first_beat_shows_the_example_and_nothing_has_changed(player, mistaken):
    _, t, _ = mistaken
    player.open("/?v=1").go(t - 1)
    before = bars(player, 0), len(bricks(player, 0))
    stepped(player, t)
    assert (bars(player, EXAMPLE / 2), len(bricks(player, EXAMPLE / 2))) == before
    assert at(player, EXAMPLE / 2, "map", "term") == []
    assert at(player, EXAMPLE / 2, "margins", "dot") == []
    assert at(player, EXAMPLE / 2, "map", "current") != []


def test_the_second_beat_shows_the_largest_terms_of_the_score_and_its_margin_left_of_0(player, mistaken):
    run, t, i = mistaken
    stepped(player, t)
    terms = at(player, CHANGE - 1, "map", "term")
    state = run.state_at(t - 1)
    expected = state.coef * run.gram[i]
    assert len(terms) == min(5, np.count_nonzero(expected))
    for term in terms:
        assert term["value"] == pytest.approx(expected[term["i"]], rel=1e-5)
    shown = [abs(term["value"]) for term in terms]
    assert shown == sorted(shown, reverse=True)
    assert shown[-1] >= sorted(np.abs(expected))[-len(terms)] - 1e-6
    (dot,) = at(player, CHANGE - 1, "margins", "dot")
    rect = player.js("s.layout.panels.margins")
    assert dot["x"] < rect["x"] + rect["w"] / 2


def test_the_third_beat_lays_the_brick_and_the_dot_hops_to_where_the_margin_is_then(player, mistaken):
    _, t, _ = mistaken
    stepped(player, t)
    old = bars(player, 0)
    assert len(bricks(player, CHANGE + 1)) == len(bricks(player, CHANGE - 1)) + 1
    assert at(player, CHANGE + 1, "map", "bump") != []
    assert at(player, CHANGE + 1, "map", "term") == []
    (begin,), (end,) = (at(player, gone, "margins", "dot") for gone in (CHANGE + 1, LAST))
    assert end["x"] > begin["x"]
    assert at(player, LAST, "margins", "before") != []
    assert bars(player, LAST) != old
    player.rest()
    assert player.marks("margins", name="dot") == player.marks("margins", name="before") == []
    assert bars(player, LAST)[player.marks("margins", name="current")[0]["bin"]]


def test_a_right_answer_has_one_beat(player):
    run = experiment.run(Settings.of())
    t = int(np.flatnonzero(~run.mistake)[3]) + 1
    stepped(player, t)
    assert player.js("s.motion") is None


def test_in_slow_motion_a_mistake_has_a_beat_for_each_and_a_right_answer_has_one_after_the_look(player, mistaken):
    _, t, _ = mistaken
    beat = tokens.TIMINGS["beat"]
    player.open("/?v=1").go(t - 1)
    seen = player.js(
        "(() => { s.toggleSlow(); s.clock.start(0); const seen = [];"
        " for (let now = 0; now < 20000; now += 50) { s.now = now; s.clock.tick(now, () => s.beat());"
        " seen.push([s.t, s.looking, s.scenes().map.beat?.name ?? null]); } return seen; })()"
    )
    times = {}
    for at, looking, name in seen:
        key = (at, "look" if looking else name)
        times[key] = times.get(key, 0) + 50
    assert times[t - 1, "look"] == pytest.approx(beat, abs=51)
    assert times[t, "score"] == pytest.approx(beat, abs=51)
    assert times[t, "change"] == pytest.approx(2 * tokens.TIMINGS["ghost"], abs=51)
    right = next(at for at, *_ in seen if at > t and not player.js("s.run.trace.mistake[arg - 1]", at))
    assert times[right, None] == pytest.approx(beat, abs=51)


def test_at_a_faster_pace_a_mistake_is_shown_faster_within_the_second_that_it_stays(player):
    player.open("/?v=1")
    longest = player.js(
        "(() => { s.clock.speed = s.clock.limits.bumps_up_to; s.clock.start(0); const times = {};"
        " for (let now = 0; now < 6000; now += 10) { s.now = now; s.clock.tick(now, () => s.beat());"
        " s.draw(); if (s.motion) times[s.t] = (times[s.t] ?? 0) + 10; } return Math.max(...Object.values(times)); })()"
    )
    pause = tokens.TIMINGS["spoken"]
    assert pause > tokens.TIMINGS["mistake"] / tokens.TIMINGS["correct"] * 1000 / tokens.SPEED["bumps_up_to"]
    assert longest == pytest.approx(tokens.MOTION * pause / tokens.TIMINGS["mistake"], abs=21)


def test_who_wants_less_motion_sees_no_beats(player, mistaken):
    _, t, _ = mistaken
    player.open("/?v=1").go(t - 1)
    player.js("(s.cursor.calm = true, s.step('example', 1), s.draw(), 0)")
    assert player.js("s.motion") is None
    assert player.js("s.scenes().map.beat") is None


@pytest.mark.parametrize(
    "link",
    ["stream=on&data=moons", "data=bits", "learner=svm&data=moons", "predictor=voted", "kernel=linear&show=none"],
)
def test_every_kind_of_run_is_shown_happening(player, link):
    player.open(f"/?v=1&{link}")
    for _ in range(3):
        player.js("(s.now = 0, s.step('mistake', 1), 0)")
        for gone in (0, EXAMPLE + 1, CHANGE + 1, LAST):
            player.js("(s.now = arg, s.draw(), 0)", gone)
