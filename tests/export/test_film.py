"""Laws of films: what a probe and a decoder find in them, and that they are there whole or not at all."""

from __future__ import annotations

import itertools
import os
import stat
import weakref
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest

from kpviz import experiment, tokens
from kpviz.export.film import ffmpeg, film, lecture, script
from kpviz.export.film.lecture import FilmOptions
from kpviz.picture.reel import Reel
from kpviz.picture.stage import Stage
from kpviz.player.lineup import Lineup
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

SETTINGS = Settings.of(n=20)
SPLIT = experiment.prepare(SETTINGS)
RUN = experiment.run(SETTINGS, SPLIT)
LINEUP = Lineup.of(SETTINGS, SPLIT, RUN)
CUES = Cues.read("title: XOR\nby: A. Lecturer\nstart hold 1\n4 hold 0.8 light x3, margins: Look here.\n6 hold 1")


def made(cues=CUES, **choices):
    chosen = {"width": 640, "height": 360, "fps": 25, "last": 6, **choices}
    return lecture.film(LINEUP, cues, FilmOptions(**chosen))


def reel_of(film):
    size = (film.width, film.height)
    return Reel(Stage(film.lineup, film.look, size, film.cues), size)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """What a probe says of the film, and its frames."""
    path = tmp_path_factory.mktemp("films") / "lecture.mp4"
    film.save(made(), path)
    return decoded(path)


def decoded(path):
    reader = imageio_ffmpeg.read_frames(str(path))
    about = next(reader)
    width, height = about["size"]
    return about, [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader]


def test_a_probe_finds_the_frames_size_length_and_codec_that_were_asked_for(saved):
    expected, (about, frames) = made(), saved
    assert about["codec"].startswith("h264")
    assert about["size"] == (640, 360)
    assert about["fps"] == pytest.approx(25, abs=0.1)
    assert len(frames) == expected.n_frames
    assert about["duration"] == pytest.approx(expected.shots[-1].end, abs=0.05)
    assert about["pix_fmt"].startswith("yuv420p")
    assert abs(made(fps=50).n_frames - 2 * expected.n_frames) <= 1


def test_at_rest_each_frame_shows_the_still_picture_of_its_instant(saved):
    expected, (_, frames) = made(), saved
    reel = reel_of(expected)
    words = rows_of_words(expected)
    compared = 0
    for shot in expected.shots:
        if shot.t is None:
            continue
        at = int(shot.end * expected.fps) - 1  # its last frame
        if at / expected.fps < shot.start + (tokens.MOTION / 1000 if shot.happens else 0.0):
            continue
        still = reel.frame(shot.t)[..., :3].astype(int)
        away = np.abs(frames[at].astype(int) - still)
        if not shot.swift:  # of a swift step the field is still on its way, so that nothing flashes
            assert away.mean() < 3.0, shot
            assert np.quantile(away, 0.99) < 40, shot
        others = [other.t for other in expected.shots if other.t not in (None, shot.t) and abs(other.t - shot.t) > 2]
        away[words] = 0  # what is said stays for a second
        wrong = []
        for t in others:
            apart = np.abs(frames[at].astype(int) - reel.frame(t)[..., :3])
            apart[words] = 0
            wrong.append(apart.mean())
        assert away.mean() < min(wrong), shot  # it is nearer to its own picture than to that of another instant
        compared += 1
    assert compared >= 6


def rows_of_words(film):
    """The pixels of the sentence."""
    board = Stage(LINEUP, film.look, (640, 360)).board(0)
    box = next(panel.rect for panel in board.panels if panel.name == "words")
    x, y, w, h = (int(length / 2) for length in (box.x, box.y, box.w, box.h))
    return np.s_[y : y + h, x : x + w]


def test_a_film_turns_pages_at_cues_and_each_is_drawn_as_if_it_were_alone():
    names = ("code", "gram", "alpha", "margins", "norm")
    cues = Cues.read("2 light gram\n3 light alpha: Bricks.\n5 light code")
    paged = made(cues, panels=names)
    reel = reel_of(paged)
    for t in (0, 2, 3, 4, 5, 3):
        assert (reel.frame(t) == reel_of(paged).frame(t)).all()
    assert lecture.missing(paged) == []
    assert lecture.missing(made(cues, panels=names, last=2)) == ["on pages to which no cue turns: alpha, margins, norm"]


def test_what_a_cue_lights_at_once_shares_a_page_and_what_has_no_room_there_is_named():
    names = ("code", "gram", "alpha", "margins", "norm")
    both = made(Cues.read("2 light gram, alpha"), panels=names, width=720, height=720)
    assert (both.unlit, both.crowded_out) == ([], [])
    assert {"gram", "alpha"} <= {
        panel.name for panel in Stage(LINEUP, both.look, (720, 720), both.cues).board(2).panels
    }
    four = Cues.read("2 light code, gram, alpha, margins")
    assert "what is not shown cannot light up: " in " ".join(lecture.missing(made(four, panels=names)))


def test_the_film_begins_with_its_card_and_a_step_is_seen_happening(saved):
    expected, (_, frames) = made(), saved
    assert (frames[0][:60] > 250).all()
    assert (frames[0] < 100).any()
    first = next(shot for shot in expected.shots if shot.happens)
    begin = round(first.start * expected.fps)
    box = next(panel.rect for panel in Stage(LINEUP, expected.look, (640, 360)).board(0).panels if panel.name == "map")
    x, y, side = (int(length / 2) for length in (box.x, box.y, box.w))
    length = int(tokens.MOTION / 1000 * expected.fps) + 1
    around = [frame[y : y + side, x : x + side].astype(int) for frame in frames[begin : begin + length]]
    seen = [np.abs(one - other).mean() for one, other in itertools.pairwise(around)]
    assert max(seen[: length - 1]) > 0.2
    after = frames[begin + length + 1 : round(first.end * expected.fps) - 1]
    assert max(np.abs(after[0].astype(int) - frame).mean() for frame in after) < 0.5


@pytest.mark.parametrize("speed", [0.77, 1.31])
def test_every_frame_of_a_film_at_an_odd_pace_can_be_drawn(speed):
    whole = made(last=12, cues=Cues(), width=160, height=160, fps=24, speed=speed, panels=(), words=False)
    assert sum(1 for _ in whole.frames()) == whole.n_frames


def test_two_films_of_the_same_link_and_cues_are_the_same_file(tmp_path):
    for name in ("one.mp4", "again.mp4"):
        film.save(made(width=320, height=180, speed=5.0), tmp_path / name)
    assert (tmp_path / "again.mp4").read_bytes() == (tmp_path / "one.mp4").read_bytes()


def test_frames_are_drawn_one_at_a_time_and_none_is_kept():
    """Memory does not grow with the film."""
    alive: list[weakref.ref[np.ndarray]] = []
    most = 0
    for frame in made(last=3).frames():
        if not alive or alive[-1]() is not frame:
            alive.append(weakref.ref(frame))
        most = max(most, sum(each() is not None for each in alive))
    assert len(alive) > 30
    assert most <= 2


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
        film.save(made(), tmp_path / "lecture.mp4", progress)
    assert [path.name for path in tmp_path.iterdir()] == ["lecture.mp4"]
    assert (tmp_path / "lecture.mp4").read_bytes() == b"an older one"


def fake(tmp_path, monkeypatch, body):
    """Put a program in ffmpeg's place."""
    program = tmp_path / "ffmpeg"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(program))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("cat >/dev/null; echo 'av_write: No space left on device' >&2; exit 1", "no space is left on its disk."),
        ("echo \"Unknown encoder 'libx264'\" >&2; exit 1", "Unknown encoder 'libx264'."),
        ("exit 3", "no reason."),
    ],
)
def test_where_ffmpeg_fails_one_sentence_says_why_and_nothing_is_left(tmp_path, monkeypatch, body, expected):
    fake(tmp_path, monkeypatch, body)
    folder = tmp_path / "out"
    folder.mkdir()
    with pytest.raises(ValueError, match="cannot be written") as caught:
        film.save(made(width=320, height=180, speed=5.0), folder / "lecture.mp4")
    assert str(caught.value) == f"'lecture.mp4' cannot be written: {expected}"
    assert not list(folder.iterdir())


def test_where_ffmpeg_is_missing_the_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "nowhere"))
    with pytest.raises(
        ValueError, match=r"^IMAGEIO_FFMPEG_EXE names no program \(.*nowhere\): correct it, or unset it\.$"
    ):
        film.save(made(), tmp_path / "lecture.mp4")
    monkeypatch.delenv("IMAGEIO_FFMPEG_EXE")

    def none():
        raise RuntimeError("No ffmpeg exe could be found.")

    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", none)
    with pytest.raises(ValueError, match="pip install imageio-ffmpeg"):
        ffmpeg.executable()
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_or_closed_is_told(tmp_path):
    with pytest.raises(ValueError, match=r"'lecture.mp4' cannot be written: No such file or directory\."):
        film.save(made(), tmp_path / "nowhere" / "lecture.mp4")
    with pytest.raises(ValueError, match=r"^'lecture.gif' is not the name of a film: it must end in .mp4\.$"):
        film.save(made(), tmp_path / "lecture.gif")


def test_a_run_without_a_step_is_a_film_of_its_start(tmp_path):
    settings = Settings.of(n=20, tie="correct", epochs=1)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    short = lecture.film(
        Lineup.of(settings, split, run), Cues(), FilmOptions(last=0, width=320, height=180, title=None)
    )
    film.save(short, tmp_path / "start.mp4")
    _, frames = decoded(tmp_path / "start.mp4")
    assert len(frames) == short.n_frames == script.length(short.shots, 30)


@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="no /dev/full here")
def test_where_captions_find_the_disk_full_it_is_told(tmp_path):
    from kpviz.commands import output

    with pytest.raises(ValueError, match="No space left on device"):
        output.write("/dev/full", "WEBVTT\n")
    assert Path("/dev/full").exists()
