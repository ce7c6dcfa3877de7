"""Faster than a step can be shown happening, the field follows slowly, so that the map does not flash."""

import flashes
import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.export import pace
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

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
    return flashes.luminance(np.reshape(colours, (-1, PLACES, PLACES, 3)))


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
    assert flashes.area(played(player, speed, 4 if speed < 10 else 2), 60, (SIDE / PLACES) ** 2) < flashes.AREA


def test_steps_within_one_picture_of_the_field_change_no_bit_of_it(player):
    """What is on its way there is tiny at first: a difference in rounding would turn its boundary on and off."""
    player.open("/?v=1&data=blobs&n=60&noise=0.4&sigma=0.2")
    player.js("(s.cursor.go(0), s.clock.speed = 60, s.clock.start(0), 0)")
    fields = {}
    for now, t in ((250, 0), (255, 1), (330, 2), (340, 3), (390, 4), (400, 5)):
        fields[t] = player.js("(s.cursor.t = arg[1], s.now = arg[0], [...s.scenes().map.shownField])", [now, t])
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
        " for (let now = 0; now < 12000; now += 50) { s.now = now; s.clock.tick(now, () => s.beat());"
        " s.scenes(); seen.push([s.t, s.motion !== null, s.scenes().map.moving]); } return seen; })()"
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


def test_from_a_cue_to_the_next_one_it_plays_as_fast_as_the_cue_says_and_a_film_does_the_same(player):
    cues = "5 hold 0 speed 1.5|9 hold 0 speed 8|20 hold 0|40 hold 0 speed 0.5|60 hold 0 speed 20"
    run = experiment.run(Settings.of())
    player.open(f"/?v=1&cues={cues}")
    paces = player.js(PACES)
    filmed = pace.script(run, Cues.of_code(cues), card=False)
    fastest = 1 / tokens.SPEED["fastest"]
    for shot, (pause, _) in list(zip(filmed[1:], paces, strict=True))[:-1]:
        assert pause / 1000 == pytest.approx(max(shot.seconds, fastest)), shot.t
    assert [round(paces[t][1], 2) for t in (3, 6, 12, 25, 50, 70)] == [6.67, 10.0, 53.33, 6.67, 3.33, 60.0]


def test_the_speed_of_a_cue_is_no_longer_that_of_steps_by_hand(player):
    player.open("/?v=1&cues=start speed 20")
    player.js("(s.go(0), s.clock.start(0), s.clock.tick(0, () => s.beat()), 0)")
    assert player.js("[s.clock.rate, s.clock.bumps]") == [60, False]
    assert player.js("(s.clock.stop(), [s.clock.rate.toFixed(2), s.clock.bumps])") == ["6.67", True]
