"""Laws of films: what a probe and a decoder find in them, and that they are there whole or not at
all.
"""

from __future__ import annotations

import itertools
import os
import signal
import stat
import subprocess
import sys
import weakref

import imageio_ffmpeg
import numpy as np
import pytest
from drawing import lineup

from kpviz import tokens
from kpviz.export import ffmpeg, films, pace
from kpviz.export.films import FilmOptions
from kpviz.export.scratch import Scratch
from kpviz.lessons.comparison import Pin
from kpviz.picture.reel import Reel
from kpviz.picture.stage import Stage
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

CUES = Cues.read(
    "title: XOR\nby: A. Lecturer\nstart hold 1\n4 hold 0.8 light x3, margins: Look here.\n6 hold 1"
)
BRIEF = {"width": 320, "height": 180, "speed": 5.0}


ONE = lineup(Settings.of(n=20))
TWO = lineup(
    Settings.of(data="moons", n=24, held=0.3, epochs=6),
    (Pin.of(Settings.of(data="moons", kernel="linear")),),
)


def made(cues=CUES, runs=ONE, **choices):
    return films.film(
        runs, cues, FilmOptions(**{"width": 640, "height": 360, "fps": 25, "last": 6, **choices})
    )


def reel_of(film):
    size = (film.width, film.height)
    return Reel(Stage(film.experiments, film.look, size, film.cues), size)


def still(reel, shot, gone=None):
    """The picture of a shot's instant with what is said there."""
    return reel.painted(shot.t, reel.board(shot.t, gone, board_words=shot.board_words))


def decoded(path):
    reader = imageio_ffmpeg.read_frames(str(path))
    about = next(reader)
    width, height = about["size"]
    return about, [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """What a probe says of the film, and its frames."""
    path = tmp_path_factory.mktemp("films") / "lecture.mp4"
    films.save(made(), path)
    return decoded(path)


def place(film, name):
    """The pixels of a panel."""
    board = Stage(film.experiments, film.look, (film.width, film.height)).board(0)
    box = next(panel.rect for panel in board.panels if panel.name == name)
    zoom = film.look.scale(film.width, film.height)
    x, y, w, h = (int(zoom * length) for length in (box.x, box.y, box.w, box.h))
    return np.s_[y : y + h, x : x + w]


def test_a_probe_finds_the_frames_size_length_and_codec_that_were_asked_for(saved):
    expected, (about, frames) = made(), saved
    assert about["codec"].startswith("h264")
    assert about["pix_fmt"].startswith("yuv420p")
    assert (about["size"], about["fps"], len(frames)) == ((640, 360), 25, expected.n_frames)
    assert about["duration"] == pytest.approx(expected.shots[-1].end, abs=0.05)
    assert abs(made(fps=50).n_frames - 2 * expected.n_frames) <= 1


def test_at_rest_each_frame_shows_the_still_picture_of_its_instant(saved):
    expected, (_, frames) = made(), saved
    reel, words = reel_of(expected), place(expected, "words")
    compared = 0
    for shot in expected.shots:
        at = int(shot.end * expected.fps) - 1  # its last frame
        if shot.t is None or at / expected.fps < shot.start + (
            tokens.MOTION / 1000 if shot.happens else 0.0
        ):
            continue

        def away(other, at=at):
            return np.abs(frames[at].astype(int) - still(reel, other)[..., :3].astype(int))

        own = away(shot)
        if not shot.swift:  # of a swift step the field is still on its way, so that nothing flashes
            assert own.mean() < 3.0, shot
            assert np.quantile(own, 0.99) < 40, shot
        own[words] = 0  # what is said stays for a second
        others = [
            away(other)
            for other in expected.shots
            if other.t is not None and abs(other.t - shot.t) > 2
        ]
        for other in others:
            other[words] = 0
        assert own.mean() < min(other.mean() for other in others), (
            shot
        )  # nearer to its own picture than to another
        compared += 1
    assert compared >= 6


def test_the_film_begins_with_its_card_and_a_step_is_seen_happening(saved):
    expected, (_, frames) = made(), saved
    assert (frames[0][:60] > 250).all()
    assert (frames[0] < 100).any()
    first = next(shot for shot in expected.shots if shot.happens)
    begin = round(first.start * expected.fps)
    length = int(tokens.MOTION / 1000 * expected.fps) + 1
    around = [frame[place(expected, "map")].astype(int) for frame in frames[begin : begin + length]]
    assert max(np.abs(one - other).mean() for one, other in itertools.pairwise(around)) > 0.2
    after = frames[begin + length + 1 : round(first.end * expected.fps) - 1]
    assert max(np.abs(after[0].astype(int) - frame).mean() for frame in after) < 0.5


def test_a_faster_step_happens_in_less_time():
    film = made(speed=1.4, last=3, width=160, height=160)
    shot = next(shot for shot in film.shots if shot.happens)
    assert 0.5 < shot.pace < 1
    number = int(shot.start * film.fps) + 8
    frame = next(itertools.islice(film.frames(), number, None))
    reel, gone = reel_of(film), 1000 * (number / film.fps - shot.start)
    assert (frame == still(reel, shot, gone / shot.pace)).all()
    assert (frame != still(reel, shot, gone)).any()


def test_a_film_turns_pages_at_cues_and_names_what_it_cannot_show():
    names = ("code", "gram", "alpha", "margins", "norm")
    cues = Cues.read("2 light gram\n3 light alpha: Bricks.\n5 light code")
    paged = made(cues, panels=names)
    reel = reel_of(paged)
    for t in (0, 2, 3, 4, 5, 3):  # each is drawn as if it were alone
        assert (reel.frame(t) == reel_of(paged).frame(t)).all()
    assert films.missing(paged) == []
    assert films.missing(made(cues, panels=names, last=2)) == [
        "on pages to which no cue turns: alpha, margins, norm"
    ]
    both = made(Cues.read("2 light gram, alpha"), panels=names, width=720, height=720)
    assert (both.unlit, both.crowded_out) == ([], [])
    shown = Stage(ONE, both.look, (720, 720), both.cues).board(2).panels
    assert {"gram", "alpha"} <= {
        panel.name for panel in shown
    }  # what a cue lights at once shares a page
    four = Cues.read("2 light code, gram, alpha, margins")
    assert "what is not shown cannot light up: " in " ".join(
        films.missing(made(four, panels=names))
    )


STREAMS = lineup(
    Settings.of(data="moons", stream="on", n=12, drift=2.0, learner="norma"),
    (Pin.of(Settings.of(data="moons", stream="on")),),
)


@pytest.mark.parametrize(
    ("runs", "speed", "last"),
    [(ONE, 0.77, 12), (ONE, 1.31, 12), (STREAMS, 20.0, None)],
    ids=["slow", "fast", "streams"],
)
def test_every_frame_of_a_film_can_be_drawn_and_none_is_kept(runs, speed, last):
    film = made(
        Cues(), runs, last=last, width=160, height=160, fps=24, speed=speed, panels=(), words=False
    )
    alive: list[weakref.ref[np.ndarray]] = []
    count = most = 0
    for frame in film.frames():
        if not alive or alive[-1]() is not frame:
            alive.append(weakref.ref(frame))
        count, most = count + 1, max(most, sum(each() is not None for each in alive))
    assert (count, most <= 2) == (film.n_frames, True)


def test_a_run_that_has_ended_stays_on_its_map_while_the_other_goes_on():
    run, pinned = TWO.current.run, TWO.pinned[0].run
    film = made(
        runs=TWO, first=run.n_steps, last=run.n_steps + 12, title=None, width=320, height=180
    )
    reel, stage, inner = reel_of(film), Stage(TWO, film.look, (320, 180)), place(film, "map")
    inner = tuple(slice(side.start + 1, side.stop - 1) for side in inner)
    resting = [t for t in range(run.n_steps + 1, run.n_steps + 13) if not pinned.mistake[t - 1]]
    assert resting
    for t in resting:  # else the shade of where they disagree may change
        before, after = (reel.frame(at)[inner].copy() for at in (t - 1, t))
        np.testing.assert_array_equal(before, after)
    late = run.n_steps + 1 + int(np.flatnonzero(pinned.mistake[run.n_steps :])[0])
    changing = tokens.TIMINGS["example"] + tokens.TIMINGS["score"]
    moved = {
        panel.name: [mark.get("name") for mark in panel.moving]
        for panel in stage.board(late, changing).panels
    }
    assert ("bump" in moved["map-0"], "bump" in moved["map"]) == (True, False)


# ---- files ---------------------------------------------------------------------------------------


def test_two_films_of_the_same_link_and_cues_are_the_same_file(tmp_path):
    for name in ("one.mp4", "again.mp4"):
        films.save(made(runs=TWO, **BRIEF), tmp_path / name)
    assert (tmp_path / "again.mp4").read_bytes() == (tmp_path / "one.mp4").read_bytes()


def test_a_run_without_a_step_is_a_film_of_its_start(tmp_path):
    short = made(
        Cues(), lineup(Settings.of(n=20, tie="correct", epochs=1)), **BRIEF, last=0, title=None
    )
    films.save(short, tmp_path / "start.mp4")
    _, frames = decoded(tmp_path / "start.mp4")
    assert len(frames) == short.n_frames == pace.length(short.shots, 25)


@pytest.mark.parametrize("after", [0, 1, 40])
def test_a_cancelled_film_leaves_no_file(tmp_path, after):
    class Cancelled(BaseException):
        pass

    def progress(done, of):
        assert of == made().n_frames
        if done == after:
            raise Cancelled

    (tmp_path / "lecture.mp4").write_bytes(b"an older one")
    with pytest.raises(Cancelled):
        films.save(made(), tmp_path / "lecture.mp4", progress)
    assert [path.name for path in tmp_path.iterdir()] == ["lecture.mp4"]
    assert (tmp_path / "lecture.mp4").read_bytes() == b"an older one"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "cat >/dev/null; echo 'av_write: No space left on device' >&2; exit 1",
            "no space is left on its disk.",
        ),
        ("echo \"Unknown encoder 'libx264'\" >&2; exit 1", "Unknown encoder 'libx264'."),
        ("exit 3", "ffmpeg ended without a reason (code 3): see whether its disk is full."),
        ("kill -s XFSZ $$", "no file may be so large there."),
    ],
)
def test_where_ffmpeg_fails_one_sentence_says_why_and_nothing_is_left(
    tmp_path, monkeypatch, body, expected
):
    program, folder = tmp_path / "ffmpeg", tmp_path / "out"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(program))
    folder.mkdir()
    with pytest.raises(ValueError, match="cannot be written") as caught:
        films.save(made(**BRIEF), folder / "lecture.mp4")
    assert str(caught.value).endswith(f"lecture.mp4' cannot be written: {expected}")
    assert not list(folder.iterdir())


def test_what_is_missing_or_wrong_is_said_in_a_sentence(tmp_path, monkeypatch):
    def refused(words, name="lecture.mp4"):
        with pytest.raises(ValueError, match=words):
            films.save(made(), tmp_path / name)
        assert not list(tmp_path.iterdir())

    refused(
        r"lecture\.mp4' cannot be written: there is no folder '.*nowhere'\.$", "nowhere/lecture.mp4"
    )
    refused(r"^'lecture.gif' is not the name of a film: it must end in .mp4\.$", "lecture.gif")
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "nowhere"))
    refused(r"^IMAGEIO_FFMPEG_EXE names no program \(.*nowhere\): correct it, or unset it\.$")
    monkeypatch.delenv("IMAGEIO_FFMPEG_EXE")

    def none():
        raise RuntimeError("No ffmpeg exe could be found.")

    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", none)
    with pytest.raises(
        ValueError, match="ffmpeg does not start on this machine: set IMAGEIO_FFMPEG_EXE"
    ):
        ffmpeg.executable()
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    refused(
        r'^A film needs imageio-ffmpeg, which is not installed: run pip install "kpviz\[film\]"\.$'
    )


# ---- folders for what is being made: gone afterwards, whoever is killed --------------------------

HOLDING = """
import sys, time
from pathlib import Path
from kpviz.export.scratch import Scratch
scratch = Scratch(Path(sys.argv[1]))
(scratch.path / "film.mp4").write_bytes(b"half")
print(scratch.path.name, flush=True)
time.sleep(60)
"""


@pytest.fixture
def other(tmp_path):
    """Another process that is making something in the folder, and what it calls its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    yield process, tmp_path / process.stdout.readline().strip()
    process.kill()
    process.wait(30)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_is_hidden_and_gone_afterwards(tmp_path):
    with Scratch(tmp_path) as scratch:
        (scratch.path / "film.mp4").write_bytes(b"half")
        assert names(tmp_path) == [scratch.path.name]
        assert scratch.path.name.startswith(".")
    assert names(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no locks of folders")
def test_what_a_killed_process_left_is_removed_by_the_next_one(tmp_path, other):
    process, left = other
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    assert names(left) == ["film.mp4"]
    with Scratch(tmp_path) as scratch:
        assert names(tmp_path) == [scratch.path.name]


def test_what_another_process_is_making_is_left_alone(tmp_path, other):
    _, theirs = other
    with Scratch(tmp_path):
        assert names(theirs) == ["film.mp4"]
    assert names(theirs) == ["film.mp4"]


def test_what_is_beside_it_is_left_alone(tmp_path):
    (tmp_path / "kept").mkdir()
    (tmp_path / ".kpviz-notes").write_text("a file")
    os.symlink(tmp_path / "kept", tmp_path / ".kpviz-link")
    with Scratch(tmp_path):
        pass
    assert names(tmp_path) == [".kpviz-link", ".kpviz-notes", "kept"]


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(FileNotFoundError):
        Scratch(tmp_path / "nowhere")
