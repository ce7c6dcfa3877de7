"""Laws of a film's shots: the player's pace, holds at the cues, captions that follow one another."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from kpviz import experiment
from kpviz.export.film import captions, lecture, script
from kpviz.export.film.lecture import FilmOptions
from kpviz.lessons import explain
from kpviz.player.lineup import Lineup
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

RUN = experiment.run(Settings.of())
SPLIT = experiment.prepare(Settings.of())
NONE = Cues()
FORGETFUL = experiment.run(Settings.of(learner="norma", epochs=1))
CUES = Cues.read(
    "title: XOR\nstart hold 4: No line.\nmistake 3 hold 2 light x12, map: Look.\n3 hold 0.1\nmistake 99: Never.\nend"
)


def shots(run=RUN, cues=NONE, **options):
    return script.script(run, cues, **options)


def test_shots_follow_one_another_and_show_every_instant_once():
    found = shots(card=False)
    assert [shot.t for shot in found] == list(range(RUN.n_steps + 1))
    assert found[0].start == 0
    assert all(shot.end == after.start for shot, after in itertools.pairwise(found))


def test_a_mistake_stays_as_long_as_in_the_player_and_is_shown_happening():
    found = shots(card=False)
    for shot in found[1:-1]:
        wrong = bool(RUN.mistake[shot.t - 1])
        assert shot.seconds == pytest.approx(1.2 if wrong else 0.15)
        assert shot.happens == wrong


def test_twice_the_speed_takes_half_the_time_and_above_ten_steps_a_second_nothing_is_shown_happening():
    usual, fast, fastest = (shots(card=False, speed=speed) for speed in (1.0, 1.5, 2.0))
    assert fast[30].seconds == pytest.approx(usual[30].seconds / 1.5)
    assert [shot.happens for shot in fast] == [shot.happens for shot in usual]
    assert not any(shot.happens for shot in fastest)
    assert {round(shot.seconds, 6) for shot in fastest[1:-1]} == {0.075}


def test_a_cue_says_how_fast_the_run_plays_to_the_next_one_and_no_further():
    usual, cued = (
        shots(card=False),
        shots(cues=Cues.read("5 hold 0 speed 1.5\n9 hold 0 speed 8\n20 hold 0"), card=False),
    )
    for before, shot in zip(usual[1:-1], cued[1:-1], strict=True):
        wrong, t = bool(RUN.mistake[shot.t - 1]), shot.t
        times = 1.5 if 5 < t <= 9 else 8.0 if 9 < t <= 20 else 1.0
        assert shot.seconds == pytest.approx(0.15 / 8 if times == 8 else before.seconds / times)
        assert shot.happens == (wrong and times < 8)
    twice = shots(cues=Cues.read("5 speed 50"), card=False, speed=2.0)
    assert twice[30].seconds == pytest.approx(0.15 / 50)  # as fast as films go
    assert script.duration(RUN, CUES, 0, 60, 1.0) == pytest.approx(sum(shot.seconds for shot in usual[1:61]))


def test_every_update_is_shown_happening_where_learners_update_without_a_mistake():
    coefs = [FORGETFUL.state_at(t).coef for t in range(FORGETFUL.n_steps + 1)]
    updates = {t for t in range(1, len(coefs)) if (np.abs(coefs[t]) > np.abs(coefs[t - 1])).any()}
    assert 0 < len(updates) < FORGETFUL.n_steps
    slowly = shots(FORGETFUL, card=False, speed=0.2)
    assert {shot.t for shot in slowly if shot.happens} == updates
    assert not any(shot.swift for shot in slowly[:-1])
    usual = shots(FORGETFUL, card=False)
    assert {shot.t for shot in usual if shot.happens or shot.swift} >= updates
    assert {shot.t for shot in usual if shot.happens} == {t for t in updates if FORGETFUL.mistake[t - 1]}


def test_a_cue_holds_for_its_seconds_and_says_its_words():
    found = shots(cues=CUES, card=False)
    at = {shot.t: [each for each in found if each.t == shot.t] for shot in found}
    assert (at[0][0].seconds, at[0][0].words) == (4.0, "No line.")
    third = int(np.flatnonzero(RUN.mistake)[2]) + 1
    assert third == 3
    (looks,) = at[3]  # of two cues at one instant the first
    assert (looks.seconds, looks.words, looks.happens) == (2.0, "Look.", True)
    assert (looks.cue.examples, looks.cue.panels) == ((12,), ("map",))
    assert at[RUN.n_steps][0].words == explain.explain(RUN, RUN.n_steps).sentence
    assert script.places(RUN).missing(CUES) == [
        "3: this instant has a cue already", "mistake 99: this run has 11"
    ]  # fmt: skip


def test_a_short_hold_leaves_a_step_its_time_and_every_instant_is_seen():
    found = shots(cues=Cues.read("start hold 0: Go.\nmistake 1 hold 0\n5 hold 0\nend hold 0: Done."), card=False)
    assert found[1].seconds == 1.2
    assert min(shot.seconds for shot in found) >= 0.1
    for shot in (found[0], found[-1]):
        assert any(script.shot_at(found, number / 24) is shot for number in range(script.length(found, 24)))


def test_the_same_words_on_both_sides_of_silence_are_two_captions():
    cues = Cues.read("20 hold 1: Look.\n30 hold 1: Look.")
    spoken = script.captions(shots(cues=cues, card=False, speed=20.0))
    assert [words for _, _, words in spoken].count("Look.") == 2


def test_an_example_that_there_is_not_is_told():
    assert script.places(RUN).missing(Cues.read("500 light x60, x59: x")) == [
        "500: this run has 180 steps", "x60: the last of this run is x59"
    ]  # fmt: skip


@pytest.mark.parametrize(("first", "last"), [(0, 0), (5, 5), (3, 17), (180, 180)])
def test_a_range_holds_both_its_ends(first, last):
    found = shots(first=first, last=last, card=False)
    assert [shot.t for shot in found] == list(range(first, last + 1))
    assert not found[0].happens


def test_a_card_comes_first_and_says_nothing():
    found = shots()
    assert (found[0].t, found[0].words, found[0].seconds) == (None, "", script.TITLE)
    assert found[1].start == script.TITLE


def test_the_shot_at_a_time_is_the_one_that_began_last():
    found = shots(cues=CUES)
    rng = np.random.default_rng(0)
    for time in rng.uniform(0, found[-1].end, 200):
        shot = script.shot_at(found, time)
        assert shot.start <= time < shot.end
    assert script.shot_at(found, found[-1].end + 9) is found[-1]


def film(cues=NONE, **chosen):
    return lecture.film(Lineup.of(Settings.of(), SPLIT, RUN), cues, FilmOptions(**chosen))


def test_captions_say_each_sentence_from_when_to_when_it_is_seen():
    made = film(CUES)
    spoken = lecture.captions(made)
    assert spoken[0] == (3.0, 7.0, "No line.")
    assert all(end - start >= 1 - 1e-6 for start, end, _ in spoken)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spoken))
    assert all(one[2] != other[2] for one, other in itertools.pairwise(spoken))
    for start, end, words in spoken:
        seen = [shot for shot in made.shots if shot.end > start + 1e-6 and shot.start < end - 1e-6]
        if words.endswith(" right in a row."):
            assert not any(RUN.mistake[shot.t - 1] for shot in seen)
            assert seen[0].end - start <= 1.0 + 1e-6
        else:
            assert seen[0].words == words
    assert spoken[-1][1] == pytest.approx(made.n_frames / made.fps, abs=1 / made.fps)


def test_right_answers_in_a_row_are_one_caption_and_each_stays_for_a_second():
    spoken = lecture.captions(film(last=60))
    assert all(end - start >= 1 - 1e-6 for start, end, _ in spoken)
    rows = [int(words.split()[0]) for *_, words in spoken if words.endswith(" right in a row.")]
    steps = np.flatnonzero(RUN.mistake[:60])
    lengths = np.diff([*steps, 59]) - 1  # the last sentence is the end's own
    assert rows == [length for length in lengths if length * 0.15 >= 1]
    assert len(spoken) == 1 + len(steps) + len(rows) + 1


def test_nobody_is_told_to_press_a_key():
    words = lecture.captions(film())[0][2]
    assert "Press" not in words
    assert words.startswith("No straight line splits these.")
    assert words.endswith("we count zero as a mistake.")


def test_what_flashes_by_is_no_caption():
    made = film(speed=10.0)
    assert len(lecture.captions(made)) == 2  # the opening and the end


CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)[.,](\d{3})")


def times(line):
    return [int(h) * 3600 + int(m) * 60 + int(s) + int(ms) / 1000 for h, m, s, ms in CLOCK.findall(line)]


@pytest.mark.parametrize(("write", "mark", "heads"), [(captions.to_vtt, ".", 1), (captions.to_srt, ",", 0)])
def test_files_of_captions_hold_the_same_times_and_words(write, mark, heads):
    spoken = lecture.captions(film(CUES))
    blocks = write(spoken).strip().split("\n\n")[heads:]
    assert len(blocks) == len(spoken)
    for number, (block, (start, end, words)) in enumerate(zip(blocks, spoken, strict=True), 1):
        *head, clock, text = block.split("\n")
        assert head == ([] if heads else [str(number)])
        assert clock.count(mark) == 2
        assert times(clock) == pytest.approx([start, end], abs=0.0006)
        assert text.replace("&lt;", "<").replace("&amp;", "&") == words


@pytest.mark.parametrize("write", [captions.to_vtt, captions.to_srt])
@pytest.mark.parametrize("words", ["a --> b", "-->", "f: x --->> 00:00:01,000 --> y"])
def test_only_the_line_of_times_holds_the_arrow_of_times(write, words):
    text = write([(0.0, 1.5, words), (1.5, 2.0, "fine")])
    assert text.count("-->") == 2
    assert text.endswith("fine\n")


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"first": 9, "last": 3}, "The steps from 9 to 3 are not a part of this run"),
        ({"last": 181}, "from 0 to 181 are not a part of this run, which has 180"),
        ({"speed": 0.0}, "speed=0 must be from 0.05 to 50"),
        ({"speed": float("nan")}, "speed=nan must be"),
        ({"fps": 29}, "fps=29 is not possible"),
        ({"width": 641}, "641x1080 pixels is not possible: give even numbers"),
    ],
)
def test_what_is_no_film_is_refused_in_one_sentence(chosen, expected):
    with pytest.raises(ValueError, match=re.escape(expected)):
        film(**chosen)


def test_a_film_of_a_day_is_refused():
    settings = Settings.of(kernel="linear", epochs=1000)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    with pytest.raises(
        ValueError, match=r"This film would last \d+\.\d hours: choose fewer steps, a higher speed or shorter holds"
    ):
        lecture.film(Lineup.of(settings, split, run), Cues(), FilmOptions())
    assert lecture.film(Lineup.of(settings, split, run), Cues(), FilmOptions(speed=50.0)).n_frames > 1000


def test_a_film_of_a_stream_ends_with_it_and_begins_with_what_to_look_for():
    settings = Settings.of(stream="on", n=80, drift=0.5)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    made = lecture.film(Lineup.of(settings, split, run), Cues(), FilmOptions(title=None))
    assert made.shots[-1].words == explain.explain(run, 80, stream=True).sentence
    assert made.shots[-1].words.endswith(f"The stream ends: {run.mistake.sum()} mistakes among 80 examples.")
    assert made.shots[0].words.startswith("Each example comes once, and the target turns as they come")
    assert made.lineup.current.stream
