"""Laws of films with pinned runs: the longest one decides on the end, any mistake holds, each map moves by itself."""

from functools import cache

import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.export.film import film, lecture
from kpviz.export.film.lecture import FilmOptions
from kpviz.lessons import comparison, explain
from kpviz.lessons.comparison import Pin
from kpviz.picture.reel import Reel
from kpviz.picture.stage import Stage
from kpviz.player.lineup import Lineup
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

SETTINGS = Settings.of(data="moons", n=24, held=0.3, epochs=6)
PINS = (Pin.of(Settings.of(data="moons", kernel="linear")),)
CUES = Cues.read("title: Two\n4 hold 0.8 light x3: Look here.")
SMALL = {"width": 320, "height": 180, "fps": 25}


@cache
def made():
    split = experiment.prepare(SETTINGS)
    return Lineup.of(SETTINGS, split, experiment.run(SETTINGS, split), PINS)


def runs():
    lineup = made()
    return lineup.current.run, [each.run for each in lineup.pinned]


def filmed(cues=CUES, **options):
    return lecture.film(made(), cues, FilmOptions(**{**SMALL, **options}))


def test_it_ends_with_the_longest_run_and_every_instant_is_a_shot():
    run, (pinned,) = runs()
    assert pinned.n_steps > run.n_steps
    assert [shot.t for shot in filmed(title=None).shots] == list(range(pinned.n_steps + 1))


def test_a_mistake_of_either_run_stays_and_what_neither_errs_on_goes_by():
    """A loop over the steps, with the two paces of the player."""
    run, pinned = runs()
    shots = filmed(Cues(), title=None).shots
    for shot in shots[1:-1]:
        mistake = any(shot.t <= each.n_steps and bool(each.mistake[shot.t - 1]) for each in (*pinned, run))
        assert shot.seconds == pytest.approx(tokens.TIMINGS["mistake" if mistake else "correct"] / 1000), shot.t
        assert shot.happens == mistake  # perceptrons: a mistake, and nothing else, changes f
    fast = filmed(Cues(), title=None, speed=5.0).shots
    assert {round(shot.seconds, 6) for shot in fast[1:-1]} == {round(tokens.TIMINGS["correct"] / 5000, 6)}


def test_a_cue_is_that_of_the_current_run_and_the_captions_name_the_runs():
    run, (pinned,) = runs()
    shots = filmed(title=None).shots
    assert shots[4].words == "Look here."
    captions = {start: text for start, _, text in lecture.captions(filmed(title=None))}
    assert captions[shots[4].start] == "Look here."
    assert shots[4].others == ()
    end = pinned.n_steps
    assert (shots[end].words, shots[end].others) == (
        explain.explain(run, run.n_steps).sentence,
        (explain.explain(pinned, end).sentence,),
    )
    spoken = lecture.captions(filmed(title=None))
    assert spoken[-1][2] == f"A: {shots[end].others[0]}\nB: {shots[end].words}"
    assert "Press" not in spoken[0][2]
    assert not any("\n\n" in text for _, _, text in spoken)  # which would end the caption
    both = [text for _, _, text in spoken if "\n" not in text]
    assert all(not text.startswith(("A:", "B:")) for text in both)  # what both say stands alone


def test_without_pins_nothing_is_said_of_others():
    run, _ = runs()
    alone = lecture.film(made().alone, Cues(), FilmOptions(**SMALL))
    assert all(shot.others == () for shot in alone.shots)
    assert alone.shots[-1].t == run.n_steps


def test_the_card_tells_the_models_apart():
    names = comparison.names(PINS, SETTINGS)
    assert filmed().card.about.endswith(f"A: {names[0]}  ·  B: {names[1]}")


def test_a_range_beyond_the_longest_run_is_refused_in_a_sentence():
    _, (pinned,) = runs()
    assert filmed(last=pinned.n_steps).shots[-1].t == pinned.n_steps
    with pytest.raises(ValueError, match=rf"the longest of these runs, which has {pinned.n_steps:,}"):
        filmed(last=pinned.n_steps + 1)


def test_two_renders_are_the_same_frames_and_at_rest_each_is_the_still_one(tmp_path):
    run, _ = runs()
    late = run.n_steps + 3
    options = {"first": late - 2, "last": late, "title": None}
    for name in ("a.mp4", "b.mp4"):
        film.save(filmed(**options), tmp_path / name)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    one = filmed(**options)
    *_, last = one.frames()
    reel = Reel(Stage(made(), one.look, (320, 180), CUES), (320, 180))
    np.testing.assert_array_equal(last, reel.frame(late))


def test_a_run_that_has_ended_stays_on_its_map_while_the_other_goes_on():
    run, (pinned,) = runs()
    one = filmed(first=run.n_steps, last=run.n_steps + 12, title=None)
    stage = Stage(made(), one.look, (320, 180))
    reel = Reel(stage, (320, 180))
    panels = {panel.name: panel for panel in stage.board(0).panels}
    box, zoom = panels["map"].rect, one.look.scale(320, 180)
    left, top, side = (round(zoom * length) for length in (box.x + 2, box.y + 2, box.w - 4))
    resting = [t for t in range(run.n_steps + 1, run.n_steps + 13) if not pinned.mistake[t - 1]]
    assert resting
    for t in resting:  # else the shade of where they disagree may change
        before, after = (reel.frame(at)[top : top + side, left : left + side].copy() for at in (t - 1, t))
        np.testing.assert_array_equal(before, after)
    late = run.n_steps + 1 + int(np.flatnonzero(pinned.mistake[run.n_steps :])[0])
    changing = tokens.TIMINGS["example"] + tokens.TIMINGS["score"]
    moved = {panel.name: [mark.get("name") for mark in panel.moving] for panel in stage.board(late, changing).panels}
    assert "bump" in moved["map-0"]
    assert "bump" not in moved["map"]


def test_a_film_of_a_stream_beside_another_has_a_frame_for_each_instant():
    settings = Settings.of(data="moons", stream="on", n=12, drift=2.0, learner="norma")
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    lineup = Lineup.of(settings, split, run, (Pin.of(Settings.of(data="moons", stream="on")),))
    one = lecture.film(lineup, Cues(), FilmOptions(**SMALL, title=None, speed=20.0))
    assert sum(1 for _ in one.frames()) == one.n_frames
    assert "f = 0" in one.shots[0].words
    assert "F = 0" not in one.shots[0].words
