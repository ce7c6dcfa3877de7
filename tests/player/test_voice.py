"""While one plays, right answers in a row are one sentence, and none is gone before it can be read."""

import itertools

import pytest

PLAYED = """(() => {
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
    """(when it came, words) of each sentence but the last, with when it went."""
    came = [each for k, each in enumerate(said) if k == 0 or each[2] != said[k - 1][2]]
    return [(one[0], after[0], one[2]) for one, after in itertools.pairwise(came)]


SPEEDS = [1.1, 1.6, 6.67, 9, 10, 22.6, 60]
LINKS = ["", "&kernel=linear", "&learner=norma"]


@pytest.mark.parametrize(("link", "speed"), list(zip(itertools.cycle(LINKS), 2 * SPEEDS)))
def test_a_sentence_stays_while_one_plays(player, link, speed):
    player.open(f"/?v=1{link}")
    for came, went, words in sentences(player.js(PLAYED, speed))[1:]:
        assert went - came >= 975, words


def test_right_answers_in_a_row_are_counted(player):
    player.open("/?v=1")
    steps = player.js("s.run.trace.mistakeSteps")
    said = player.js(PLAYED, 1000 / 150)
    for _, t, words in said:
        if words.endswith(" right in a row."):
            before = max(step for step in steps if step < t)
            after = min(step for step in steps if step >= t)
            assert words == f"{after - before - 1} right in a row."
    assert any(words.endswith(" right in a row.") for *_, words in said)


def test_right_answers_from_the_first_one_on_are_counted(player):
    player.open("/?v=1&n=4&noise=0&kernel=linear&tie=negative")
    first = player.js("s.run.trace.mistakeSteps[0]")
    assert first > 0
    assert player.js("s.run.trace.rightAround(1)") == first


def test_who_stops_reads_what_the_step_did(player):
    player.open("/?v=1")
    player.js(PLAYED.replace("12000", "5000"), 1000 / 150)
    player.js("(s.clock.stop(), 0)")
    assert "right in a row" not in player.js("s.scenes().map.sentence")
    assert f"x{player.js('s.run.trace.index[s.t - 1]')}".translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")) in (
        player.js("s.scenes().map.sentence")
    )
