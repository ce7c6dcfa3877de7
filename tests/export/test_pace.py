"""Laws of a film's shots: the player's pace, holds at the cues, captions in their order; of several
runs, too.
"""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from drawing import lineup

from kpviz import tokens
from kpviz.export import films, pace
from kpviz.export.films import FilmOptions
from kpviz.lessons import comparison, explain
from kpviz.lessons.comparison import Pin
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

ONE = lineup(Settings.of())
RUN = ONE.current.run
NORMA = lineup(Settings.of(learner="norma", epochs=1))
MOONS, PIN = (
    Settings.of(data="moons", n=24, held=0.3, epochs=6),
    Pin.of(Settings.of(data="moons", kernel="linear")),
)
TWO = lineup(MOONS, (PIN,))
PINNED = TWO.pinned[0].run
CUES = Cues.read(
    "title: XOR\nstart hold 4: No line.\nmistake 3 hold 2 light x12, map: Look.\n3 hold "
    "0.1\nmistake 99: Never.\nend"
)


def film(cues="", runs=ONE, **chosen):
    return films.film(
        runs, Cues.read(cues) if isinstance(cues, str) else cues, FilmOptions(**chosen)
    )


def shots(cues="", runs=ONE, **chosen):
    return film(cues, runs, **{"title": None, **chosen}).shots


@pytest.mark.parametrize("runs", [ONE, NORMA, TWO], ids=["one", "norma", "two"])
@pytest.mark.parametrize("speed", [1.0, 1.5, 8.0])
def test_each_instant_is_seen_once_for_the_time_that_the_player_takes(runs, speed):
    """A loop over the steps: whose f changes, whether anybody errs, and the two paces of the
    player.
    """
    every, found = [each.run for each in runs.all], shots(runs=runs, speed=speed)
    assert [shot.t for shot in found] == list(range(max(run.n_steps for run in every) + 1))
    assert found[0].start == 0
    assert all(shot.end == after.start for shot, after in itertools.pairwise(found))
    slowly = speed / 0.15 <= 10.5  # steps a second
    for shot in found[1:-1]:
        there = [run for run in every if shot.t <= run.n_steps]
        mistake = slowly and any(run.mistake[shot.t - 1] for run in there)
        expected = max(
            tokens.TIMINGS["mistake" if mistake else "correct"] / 1000 / speed,
            1.0 if mistake else 0.0,
        )
        assert shot.seconds == pytest.approx(expected), shot.t
        coefs = [[run.state_at(t).coef for t in (shot.t - 1, shot.t)] for run in there]
        grows = any((np.abs(after) > np.abs(before)).any() for before, after in coefs)
        assert shot.happens == (mistake and grows)
        assert shot.happens or shot.swift or not grows


def test_a_cue_says_how_fast_the_run_plays_to_the_next_one_and_no_further():
    usual, cued = shots(), shots("5 hold 0 speed 1.5\n9 hold 0 speed 8\n20 hold 0")
    for before, shot in zip(usual[1:-1], cued[1:-1], strict=True):
        times = 1.5 if 5 < shot.t <= 9 else 8.0 if 9 < shot.t <= 20 else 1.0
        assert shot.seconds == pytest.approx(0.15 / 8 if times == 8 else before.seconds / times)
        assert shot.happens == (before.happens and times < 8)
    assert shots("5 speed 50", speed=2.0)[30].seconds == pytest.approx(
        0.15 / 50
    )  # as fast as films go
    assert pace.duration(RUN, CUES, 0, 60, 1.0) == pytest.approx(
        sum(shot.seconds for shot in usual[1:61])
    )


def test_a_cue_holds_for_its_seconds_says_its_words_and_names_what_is_not_there():
    found = shots(CUES)
    assert (found[0].seconds, found[0].words) == (4.0, "No line.")
    assert RUN.mistake[:3].all()
    looks = found[3]  # of two cues at one instant the first
    assert (looks.seconds, looks.words, looks.happens) == (2.0, "Look.", True)
    assert (looks.cue.examples, looks.cue.panels) == ((12,), ("map",))
    assert found[-1].words == explain.explain(RUN, RUN.n_steps).sentence
    assert pace.places(RUN).missing(CUES) == [
        "3: this instant has a cue already",
        "mistake 99: this run has 11",
    ]
    missing = pace.places(RUN).missing(Cues.read("500 light x60, x59: x"))
    assert missing == ["500: this run has 180 steps", "x60: the last of this run is x59"]


def test_a_short_hold_leaves_a_step_its_time_and_every_instant_is_seen():
    found = shots("start hold 0: Go.\nmistake 1 hold 0\n5 hold 0\nend hold 0: Done.")
    assert found[1].seconds == 1.2
    assert min(shot.seconds for shot in found) >= 0.1
    for shot in (found[0], found[-1]):
        assert any(
            pace.shot_at(found, number / 24) is shot for number in range(pace.length(found, 24))
        )


@pytest.mark.parametrize(("first", "last"), [(0, 0), (5, 5), (3, 17), (180, 180)])
def test_a_range_holds_both_its_ends(first, last):
    found = shots(first=first, last=last)
    assert [shot.t for shot in found] == list(range(first, last + 1))
    assert not found[0].happens


def test_a_card_comes_first_and_a_time_has_the_shot_that_began_last():
    found = film(CUES).shots
    assert (found[0].t, found[0].words, found[0].seconds, found[1].start) == (
        None,
        "",
        pace.TITLE,
        pace.TITLE,
    )
    for time in np.random.default_rng(0).uniform(0, found[-1].end, 200):
        assert pace.shot_at(found, time).start <= time < pace.shot_at(found, time).end
    assert pace.shot_at(found, found[-1].end + 9) is found[-1]


# ---- what is said --------------------------------------------------------------------------------


@pytest.mark.parametrize("runs", [ONE, TWO], ids=["one", "two"])
@pytest.mark.parametrize(
    "cues", [Cues(), CUES, Cues.read("4 hold 0.8: Look here.")], ids=["none", "many", "one"]
)
def test_captions_say_each_sentence_from_when_to_when_it_is_seen(runs, cues):
    made = film(cues, runs)
    spoken = films.captions(made)
    written = {cue.words for cue in cues.cues}  # whose time is their author's
    assert all(
        len(words) <= 20 * (end - start) + 1e-6
        for start, end, words in spoken
        if words not in written
    )
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spoken))
    assert not any(
        "Press" in words or "\n\n" in words for *_, words in spoken
    )  # an empty line would end a caption
    for start, end, words in spoken:
        seen = [shot for shot in made.shots if shot.end > start + 1e-6 and shot.start < end - 1e-6]
        if words == "All right: nothing changes.":
            assert not any(
                each.run.mistake[shot.t - 1 : shot.t].any() for shot in seen for each in runs.all
            )
        elif ": a mistake." in words and len(runs.all) == 1:
            t = seen[0].t
            assert RUN.mistake[t - 1]
            assert explain.brief(RUN, t).startswith(words)
        else:
            own = words if len(runs.all) == 1 or "\n" not in words else words.partition("\nB: ")[2]
            assert own == seen[0].words
    assert spoken[-1][1] == pytest.approx(made.n_frames / made.fps, abs=1 / made.fps)


def test_right_answers_in_a_row_are_one_caption():
    spoken = films.captions(film(last=60))
    rows = [words for *_, words in spoken if words == "All right: nothing changes."]
    steps = np.flatnonzero(RUN.mistake[:60])
    lengths = np.diff([*steps, 59]) - 1  # the last sentence is the end's own
    assert len(rows) == sum(length * 0.15 >= 1.5 for length in lengths)
    assert len(spoken) == 1 + len(steps) + len(rows) + 1
    assert all(
        " right in a row" not in words for *_, words in spoken
    )  # which would tell what is to come
    assert (
        len(films.captions(film(speed=10.0))) == 2
    )  # the opening and the end: what flashes by is no caption
    twice = films.captions(film("20 hold 1: Look.\n30 hold 1: Look.", speed=20.0))
    assert [words for *_, words in twice].count("Look.") == 2  # with silence between


def test_the_board_says_what_the_captions_say():
    made = film("20 hold 3: Look.", last=60)
    for start, end, words in films.captions(made):
        for shot in made.shots:
            if (
                start <= shot.start < end and words != "All right: nothing changes."
            ):  # which the board counts
                assert (shot.words if shot.board_words is None else shot.board_words) == words
    swift = [shot for shot in shots(speed=20.0) if not shot.words]
    assert {shot.board_words for shot in swift} == {""}  # nothing is said that nobody can read
    assert len(swift) > 100
    assert all(shot.board_words is None for shot in shots(runs=TWO))


def test_of_several_runs_the_captions_name_each_and_a_cue_speaks_alone():
    found, run = shots("4 hold 0.8 light x3: Look here.", TWO), TWO.current.run
    assert (found[4].words, found[4].others) == ("Look here.", ())
    said = (
        explain.explain(run, run.n_steps).sentence,
        (explain.explain(PINNED, PINNED.n_steps).sentence,),
    )
    assert (found[-1].words, found[-1].others) == said
    assert films.captions(film(runs=TWO))[-1][2] == f"A: {said[1][0]}\nB: {said[0]}"
    names = comparison.names(TWO.pins, MOONS)
    assert film(runs=TWO).card.about.endswith(f"A: {names[0]}  ·  B: {names[1]}")
    assert all(shot.others == () for shot in shots(runs=TWO.alone))


def test_a_film_of_a_stream_ends_with_it_and_begins_with_what_to_look_for():
    drifts = lineup(Settings.of(stream="on", n=80, drift=0.5))
    found, run = shots(runs=drifts), drifts.current.run
    assert found[-1].words == explain.explain(run, 80, stream=True).sentence
    assert found[-1].words.startswith(
        f"The stream ends: {run.mistake.sum()} mistakes among 80 examples."
    )
    assert found[0].words.startswith(
        "Each example is seen once, while the target turns as they come"
    )


CLOCK = re.compile(r"(\d\d):(\d\d):(\d\d)[.,](\d{3})")


@pytest.mark.parametrize(("write", "mark", "heads"), [(pace.to_vtt, ".", 1), (pace.to_srt, ",", 0)])
def test_files_of_captions_hold_the_same_times_and_words(write, mark, heads):
    spoken = [*films.captions(film(CUES)), (3599.9996, 3601.5, "a < b & c")]
    blocks = write(spoken).strip().split("\n\n")[heads:]
    for number, (block, (start, end, words)) in enumerate(zip(blocks, spoken, strict=True), 1):
        *head, clock, text = block.split("\n")
        assert head == ([] if heads else [str(number)])
        assert clock.count(mark) == 2
        times = [
            int(h) * 3600 + int(m) * 60 + int(s) + int(ms) / 1000
            for h, m, s, ms in CLOCK.findall(clock)
        ]
        assert times == pytest.approx([start, end], abs=0.0006)
        assert text.replace("&lt;", "<").replace("&amp;", "&") == words
    for words in ("a --> b", "-->", "f: x --->> 00:00:01,000 --> y"):
        text = write([(0.0, 1.5, words), (1.5, 2.0, "fine")])
        assert text.count("-->") == 2
        assert text.endswith("fine\n")


# ---- what is refused -----------------------------------------------------------------------------

LONG = lineup(Settings.of(kernel="linear", epochs=400))


@pytest.mark.parametrize(
    ("runs", "chosen", "expected"),
    [
        (ONE, {"first": 9, "last": 3}, "The steps from 9 to 3 are not a part of this run"),
        (ONE, {"last": 181}, "from 0 to 181 are not a part of this run, which has 180"),
        (
            TWO,
            {"last": PINNED.n_steps + 1},
            f"the longest of these runs, which has {PINNED.n_steps:,}",
        ),
        (ONE, {"speed": 0.0}, "speed=0 must be from 0.05 to 50"),
        (ONE, {"speed": float("nan")}, "speed=nan must be"),
        (ONE, {"fps": 29}, "fps=29 is not possible"),
        (ONE, {"width": 641}, "641x1080 pixels is not possible: give even numbers"),
        (LONG, {}, " hours: choose fewer steps, a higher speed or shorter holds"),
    ],
)
def test_what_is_no_film_is_refused_in_one_sentence(runs, chosen, expected):
    with pytest.raises(ValueError, match=re.escape(expected)):
        film(runs=runs, **chosen)


def test_a_long_run_is_a_film_at_a_higher_speed():
    assert film(runs=LONG, speed=50.0).n_frames > 1000
