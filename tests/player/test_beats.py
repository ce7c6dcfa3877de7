"""What is seen while one plays: a mistake in three beats, sentences that can be read, and no
flashes.
"""

import itertools

import flashes
import numpy as np
import pytest
from contrast import luminance

from kpviz import experiment, tokens
from kpviz.export import pace
from kpviz.lessons import explain
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

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


def test_the_second_beat_shows_the_largest_terms_of_the_score_and_its_margin_left_of_0(
    player, mistaken
):
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


def test_the_third_beat_lays_the_brick_and_the_dot_hops_to_where_the_margin_is_then(
    player, mistaken
):
    _, t, _ = mistaken
    stepped(player, t)
    old = bars(player, 0)
    assert len(bricks(player, LAST)) == len(bricks(player, CHANGE - 1)) + 1
    assert at(player, CHANGE + 1, "map", "bump") != []
    assert at(player, CHANGE + 1, "map", "term") == []
    (begin,), (end,) = (at(player, gone, "margins", "dot") for gone in (CHANGE + 1, LAST))
    assert end["x"] > begin["x"]
    assert at(player, LAST, "margins", "before") != []
    assert bars(player, LAST) != old
    player.rest()
    assert player.marks("margins", name="dot") == player.marks("margins", name="before") == []
    assert bars(player, LAST)[player.marks("margins", name="current")[0]["bin"]]


def center(mark):
    return np.array([mark["x"] + mark["w"] / 2, mark["y"] + mark["h"] / 2])


def test_the_brick_flies_from_its_point_to_its_place_and_is_seen_once(player, mistaken):
    _, t, i = mistaken
    stepped(player, t)
    before = len(bricks(player, CHANGE - 1))
    assert at(player, CHANGE - 1, "flight", "newest") == []
    (begins,) = at(player, CHANGE, "flight", "newest")
    point = player.js(
        "s.maps[0].view && [s.maps[0].view.x(s.run.X[2 * arg]), "
        "s.maps[0].view.y(s.run.X[2 * arg + 1])]",
        i,
    )
    assert center(begins) == pytest.approx(point)
    assert len(bricks(player, CHANGE)) == before
    (place,) = at(player, LAST, "alpha", "newest")
    assert at(player, LAST, "flight", "newest") == []
    gaps = [
        np.linalg.norm(center(mark) - center(place))
        for gone in range(CHANGE, LAST, 20)
        for mark in at(player, gone, "flight", "newest")
    ]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.05 * gaps[0]
    run_of_bricks = [len(bricks(player, gone)) for gone in (CHANGE, LAST)]
    assert run_of_bricks == [before, before + 1]


@pytest.mark.parametrize("link", ["", "&show=alpha.code", "&kernel=linear"])
def test_the_sentence_comes_in_two_halves_with_the_picture(player, mistaken, link):
    _, t, _ = mistaken
    stepped(player, t, f"/?v=1{link}")
    if player.js("s.motion") is None:
        player.js("(s.step('mistake', 1), s.now = 0, s.draw(), 0)")
    halves = [
        " ".join(mark["text"] for mark in at(player, gone, "words", "sentence"))
        for gone in (0, CHANGE + 1, LAST)
    ]
    whole = player.js("s.scenes().map.sentence")
    assert halves[0] == halves[1] == whole.partition(": a mistake.")[0] + ": a mistake."
    assert halves[2] == whole
    places = [
        [(mark["x"], mark["y"], mark["size"]) for mark in at(player, gone, "words", "sentence")]
        for gone in (0, LAST)
    ]
    assert places[0] == places[1][: len(places[0])]  # Nothing jumps.
    assert at(player, 0, "words", "formula") == []


def test_a_right_answer_has_one_beat(player):
    run = experiment.run(Settings.of())
    t = int(np.flatnonzero(~run.mistake)[3]) + 1
    stepped(player, t)
    assert player.js("s.motion") is None


def test_in_slow_motion_a_mistake_has_a_beat_for_each_and_a_right_answer_has_one_after_the_look(
    player, mistaken
):
    _, t, _ = mistaken
    beat = tokens.TIMINGS["beat"]
    player.open("/?v=1").go(t - 1)
    seen = player.js(
        "(() => { s.toggleSlow(); s.clock.start(0); const seen = [];"
        " for (let now = 0; now < 20000; now += 50) { s.now = now; s.clock.tick(now, () => "
        "s.beat());"
        " seen.push([s.t, s.looking, s.scenes().map.beat?.name ?? null]); } return seen; })()"
    )
    times = {}
    for at, looking, name in seen:
        key = (at, "look" if looking else name)
        times[key] = times.get(key, 0) + 50
    assert times[t - 1, "look"] == pytest.approx(beat, abs=51)
    assert times[t, "score"] == pytest.approx(beat, abs=51)
    assert times[t, "change"] == pytest.approx(2 * tokens.TIMINGS["ghost"], abs=51)
    right = next(
        at for at, *_ in seen if at > t and not player.js("s.run.trace.mistake[arg - 1]", at)
    )
    assert times[right, None] == pytest.approx(beat, abs=51)


def test_at_a_faster_pace_a_mistake_is_shown_faster_within_the_second_that_it_stays(player):
    player.open("/?v=1")
    longest = player.js(
        "(() => { s.clock.speed = s.clock.limits.bumps_up_to; s.clock.start(0); const times = {};"
        " for (let now = 0; now < 6000; now += 10) { s.now = now; s.clock.tick(now, () => "
        "s.beat());"
        " s.draw(); if (s.motion) times[s.t] = (times[s.t] ?? 0) + 10; } return "
        "Math.max(...Object.values(times)); })()"
    )
    pause = tokens.TIMINGS["spoken"]
    assert (
        pause
        > tokens.TIMINGS["mistake"] / tokens.TIMINGS["correct"] * 1000 / tokens.SPEED["bumps_up_to"]
    )
    assert longest == pytest.approx(tokens.MOTION * pause / tokens.TIMINGS["mistake"], abs=21)


def test_who_wants_less_motion_sees_no_beats(player, mistaken):
    _, t, _ = mistaken
    player.open("/?v=1").go(t - 1)
    player.js("(s.cursor.reducedMotion = true, s.step('example', 1), s.draw(), 0)")
    assert player.js("s.motion") is None
    assert player.js("s.scenes().map.beat") is None
    assert player.marks("flight") == []
    assert player.sentence == player.js("s.scenes().map.sentence")


@pytest.mark.parametrize(
    "link",
    [
        "stream=on&data=moons",
        "data=bits",
        "learner=svm&data=moons",
        "predictor=voted",
        "kernel=linear&show=none",
    ],
)
def test_every_kind_of_run_is_shown_happening(player, link):
    player.open(f"/?v=1&{link}")
    for _ in range(3):
        player.js("(s.now = 0, s.step('mistake', 1), 0)")
        for gone in (0, EXAMPLE + 1, CHANGE + 1, LAST):
            player.js("(s.now = arg, s.draw(), 0)", gone)


# ---- while one plays, no sentence is gone before it can be read ----------------------------------

SAID = """(() => {
  s.clock.speed = arg;
  s.clock.start(0);
  const said = [];
  for (let now = 0; now < 12000; now += 25) {
    s.now = now;
    s.clock.tick(now, () => s.beat());
    if (!s.clock.playing) break;
    said.push([now, s.t, s.scenes().map.sentence]);
  }
  return said;
})()"""


def sentences(said):
    """(when it came, words) of each sentence but the last, with when it went; one that counts
    stays.
    """
    said = [
        (
            now,
            t,
            "right in a row" if words == "Right." or words.endswith(" right in a row.") else words,
        )
        for now, t, words in said
    ]
    came = [each for k, each in enumerate(said) if k == 0 or each[2] != said[k - 1][2]]
    return [(one[0], after[0], one[2]) for one, after in itertools.pairwise(came)]


LINKS_IN_BRIEF = [
    "",
    "&kernel=linear",
    "&learner=projectron",
    "&data=iris",
    "&learner=svm",
    "&learner=norma",
    "&stream=on",
    "&n=4&noise=0",
]


@pytest.mark.parametrize("link", LINKS_IN_BRIEF[:4])
def test_what_is_said_of_a_mistake_while_one_plays_is_short_and_the_remainder_comes_when_it_pauses(
    player, link
):
    player.open(f"/?v=1{link}")
    asked = experiment.run(Settings.of())
    said = player.js(SAID, 1000 / 150)
    of_mistakes = {t: words for _, t, words in said if "a mistake" in words}
    assert len(of_mistakes) > 3
    for words in of_mistakes.values():
        assert len(words) <= 48
        assert "score" not in words
    t, words = list(of_mistakes.items())[-1]
    player.js("(s.clock.stop(), s.go(arg), 0)", t)
    assert "score" in player.js("s.scenes().map.sentence")
    if not link:
        assert {
            t: explain.brief(asked, t) for t in of_mistakes if asked.mistake[t - 1]
        }.items() <= (of_mistakes.items())


def test_what_can_be_read_while_one_plays_is_said_in_full(player):
    player.open("/?v=1")
    assert any("its score goes" in words for *_, words in player.js(SAID, 1.1))


@pytest.mark.parametrize("link", LINKS_IN_BRIEF)
def test_the_short_sentence_of_a_tiny_window_is_a_line_that_is_whole(player, link):
    player.open(f"/?v=1{link}", {"width": 304, "height": 206})
    rect = player.js("s.layout.panels.short")
    last = player.js("s.run.nSteps")
    for t in {*range(0, last, max(last // 40, 1)), last}:
        player.go(t)
        (line,) = player.marks("short", kind="text")
        assert "…" not in line["text"], t
        assert line["size"] >= 12
        assert rect["y"] < line["y"] < rect["y"] + rect["h"]


SPEEDS = [1.1, 1.6, 6.67, 9, 10, 22.6, 60]
LINKS = ["", "&kernel=linear", "&learner=norma"]


@pytest.mark.parametrize(("link", "speed"), list(zip(itertools.cycle(LINKS), 2 * SPEEDS)))
def test_a_sentence_stays_while_one_plays(player, link, speed):
    player.open(f"/?v=1{link}")
    for came, went, words in sentences(player.js(SAID, speed))[1:]:
        assert went - came >= 975, words


def test_right_answers_in_a_row_are_counted(player):
    player.open("/?v=1")
    steps = player.js("s.run.trace.mistakeSteps")
    said = player.js(SAID, 1000 / 150)
    for _, t, words in said:
        if words.endswith(" right in a row."):
            before = max(step for step in steps if step < t)
            assert words in [f"{n} right in a row." for n in range(2, t - before)]
    assert any(words.endswith(" right in a row.") for *_, words in said)


def test_right_answers_from_the_first_one_on_are_counted(player):
    player.open("/?v=1&n=4&noise=0&kernel=linear&tie=negative")
    first = player.js("s.run.trace.mistakeSteps[0]")
    assert first > 0
    assert player.js("s.run.trace.rightAround(1)") == [1, first]


def test_who_stops_reads_what_the_step_did(player):
    player.open("/?v=1")
    player.js(SAID.replace("12000", "5000"), 1000 / 150)
    player.js("(s.clock.stop(), 0)")
    assert "right in a row" not in player.js("s.scenes().map.sentence")
    assert f"x{player.js('s.run.trace.index[s.t - 1]')}".translate(
        str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
    ) in (player.js("s.scenes().map.sentence"))


# ---- faster than a step can be shown happening ---------------------------------------------------

PLACES, SIDE = 24, 600  # along an axis of the map, and its px
PLAYED = """(() => {
  const { clock, cursor, player } = s;
  cursor.go(0);
  clock.speed = arg.speed;
  clock.start(0);
  const frames = [];
  for (let frame = 0; frame < arg.seconds * 60; frame++) {
    const now = (1000 * frame) / 60;
    s.now = now;
    clock.tick(now, () => cursor.beat());
    const { image } = s.board.panels.find(({ name }) => name === "map").marks.find(({ kind }) => kind === "image");
    const places = [];
    for (let row = 0; row < 24; row++)
      for (let column = 0; column < 24; column++) {
        const at = 4 * ((4 * row + 2) * image.width + 4 * column + 2);
        places.push(...image.data.slice(at, at + 3));
      }
    frames.push(places);
  }
  return frames;
})()"""


def played(player, speed, seconds=4):
    colours = player.js(PLAYED, {"speed": speed, "seconds": seconds})
    return luminance(np.reshape(colours, (-1, PLACES, PLACES, 3)))


@pytest.mark.parametrize(
    ("link", "speed"),
    [
        ("kernel=linear", 22.6),
        ("kernel=linear", 60),
        ("learner=norma&kernel=linear", 6.67),
        ("learner=norma&kernel=linear", 60),
        ("kernel=linear&show=similar", 6.67),
        ("kernel=linear&show=similar", 22.6),
    ],
)
def test_the_map_does_not_flash_at_any_speed(player, link, speed):
    player.open(f"/?v=1&{link}")
    assert (
        flashes.area(played(player, speed, 4 if speed < 10 else 2), 60, (SIDE / PLACES) ** 2)
        < flashes.AREA
    )


def test_steps_within_one_picture_of_the_field_change_no_bit_of_it(player):
    """What is on its way there is tiny at first: a difference in rounding would turn its boundary
    on and off.
    """
    player.open("/?v=1&data=blobs&n=60&noise=0.4&sigma=0.2")
    player.js("(s.cursor.go(0), s.clock.speed = 60, s.clock.start(0), 0)")
    fields = {}
    for now, t in ((250, 0), (255, 1), (330, 2), (340, 3), (390, 4), (400, 5)):
        fields[t] = player.js(
            "(s.player.state.change({ t: arg[1] }), s.now = arg[0], [...s.scenes().map.shownField])",
            [now, t],
        )
    assert fields[2] == fields[3] == fields[4]
    assert fields[4] != fields[5]
    assert 0 < min(map(abs, fields[2])) < 1e-30


def test_who_stops_sees_the_field_itself_at_once(player):
    player.open("/?v=1&kernel=linear")
    played(player, 60, 1)
    assert player.js("s.scenes().map.moving")
    assert player.js("s.scenes().map.shownField") != player.js("s.run.reading(s.t).field")
    player.js("(s.clock.stop(), 0)")
    assert player.js("s.scenes().map.shownField") == player.js("s.run.reading(s.t).field")
    assert not player.js("s.scenes().map.moving")


def test_a_field_that_does_not_change_stands_still(player):
    player.open("/?v=1&t=170")
    player.js("(s.clock.speed = 60, s.clock.start(0), s.clock.tick(0, () => s.beat()), 0)")
    assert not player.js("s.scenes().map.moving")


def test_at_the_default_speed_a_mistake_is_shown_happening_and_right_answers_stand_still(player):
    player.open("/?v=1")
    shown = player.js(
        "(() => { s.clock.start(0); const seen = [];"
        " for (let now = 0; now < 12000; now += 50) { s.now = now; s.clock.tick(now, () => "
        "s.beat());"
        " s.scenes(); seen.push([s.t, s.motion !== null, s.scenes().map.moving]); } return seen; "
        "})()"
    )
    mistakes = {step + 1 for step in player.js("s.run.trace.mistakeSteps")}
    assert {t for t, happens, _ in shown if happens} == {t for t, *_ in shown if t in mistakes}
    assert not any(moving and not happens for _, happens, moving in shown)


PACES = """(() => {
  const { clock, cursor } = s;
  cursor.go(0);
  const paces = [];
  while (s.t < s.run.nSteps) {
    clock.start(0); // each cue stopped it
    const long = cursor.beat();
    clock.playing = true;
    paces.push([clock.pause(long), clock.rate]);
  }
  return paces;
})()"""


def test_from_a_cue_to_the_next_one_it_plays_as_fast_as_the_cue_says_and_a_film_does_the_same(
    player,
):
    cues = "5 hold 0 speed 1.5|9 hold 0 speed 8|20 hold 0|40 hold 0 speed 0.5|60 hold 0 speed 20"
    run = experiment.run(Settings.of())
    player.open(f"/?v=1&cues={cues}")
    paces = player.js(PACES)
    filmed = pace.script(run, Cues.of_code(cues), card=False)
    fastest = 1 / tokens.SPEED["fastest"]
    for shot, (pause, _) in list(zip(filmed[1:], paces, strict=True))[:-1]:
        assert pause / 1000 == pytest.approx(max(shot.seconds, fastest)), shot.t
    assert [round(paces[t][1], 2) for t in (3, 6, 12, 25, 50, 70)] == [
        6.67,
        10.0,
        53.33,
        6.67,
        3.33,
        60.0,
    ]


def test_the_speed_of_a_cue_is_no_longer_that_of_steps_by_hand(player):
    player.open("/?v=1&cues=start speed 20")
    player.js("(s.go(0), s.clock.start(0), s.clock.tick(0, () => s.beat()), 0)")
    assert player.js("[s.clock.rate, s.clock.bumps]") == [60, False]
    assert player.js("(s.clock.stop(), [s.clock.rate.toFixed(2), s.clock.bumps])") == ["6.67", True]


STANDING = """(() => {
  const { describe } = load("panels/board.js");
  const { layout } = s.player;
  const told = ({ panels }) => panels.map(({ name, still }) => [name, still.map((layer) =>
    JSON.stringify(layer.marks(), (key, value) => (key === "image" ? undefined : value)))]);
  let before = null;
  const stale = new Set();
  for (let t = 0; t <= Math.min(s.run.nSteps, 150); t++) {
    s.cursor.put(t);
    const now = describe(s.scenes(), layout, s.size.width, before);
    const fresh = Object.fromEntries(told(describe(s.scenes(), layout, s.size.width)));
    for (const [name, layers] of told(now)) {
      if (layers.some((layer, k) => layer !== fresh[name][k])) stale.add(name);
    }
    before = now;
  }
  return [...stale];
})()"""


@pytest.mark.parametrize(
    "link",
    [
        "",
        "&predictor=averaged",
        "&stream=on",
        "&stream=on&predictor=averaged",
    ],
)
def test_what_stands_still_is_what_would_be_drawn_anew(player, link):
    player.open(f"/?v=1{link}")
    assert player.js(STANDING) == []
