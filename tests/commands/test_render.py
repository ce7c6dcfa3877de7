"""`kpviz render`: films, captions and pages from a link in one command."""

import re
import signal
import sys
from pathlib import Path

import imageio_ffmpeg
import pytest
from processes import filming

from kpviz import commands
from kpviz.export.film import film

LINK = "http://localhost:8501/?v=1&n=20&t=7&show=margins"
LECTURE = "title: XOR\nstart hold 1: No line.\nmistake 2 hold 1 light x1: Look.\n"
SMALL = ("--size", "320x320", "--fps", "24", "--to", "4")
BRIEF = ("--size", "320x320", "--fps", "24", "--to", "2", "--no-title", "--speed", "10")


@pytest.fixture(autouse=True)
def lecture(folder):
    (folder / "lecture.txt").write_text(LECTURE, encoding="utf-8")


def test_a_link_becomes_a_captioned_film_in_one_command(kpviz):
    code, output, complaint = kpviz(
        "render", LINK, "--cues", "lecture.txt", "--captions", "l.vtt", "--captions", "l.srt", "--out", "l.mp4", *SMALL
    )
    assert (code, output) == (0, "")
    frames, seconds = imageio_ffmpeg.count_frames_and_secs("l.mp4")
    assert complaint.splitlines() == [
        f"wrote l.mp4: {frames:,} frames of 320x320, {seconds:.1f} s", "wrote l.vtt", "wrote l.srt"
    ]  # fmt: skip
    captions = Path("l.vtt").read_text(encoding="utf-8")
    assert captions.startswith("WEBVTT\n\n00:00:03.000 --> 00:00:04.000\nNo line.\n")
    assert "Look." in captions
    assert Path("l.srt").read_text(encoding="utf-8").startswith("1\n00:00:03,000 --> 00:00:04,000\nNo line.\n")


def test_captions_alone_are_those_of_the_film(kpviz, monkeypatch):
    given = ("render", LINK, "--cues", "lecture.txt", "--quiet")
    assert kpviz(*given, "--captions", "l.srt", "--out", "l.mp4", *BRIEF)[0] == 0
    monkeypatch.setattr("kpviz.export.film.film.save", None)
    assert kpviz(*given, "--out", "alone.srt", *BRIEF) == (0, "", "")
    assert Path("alone.srt").read_text(encoding="utf-8") == Path("l.srt").read_text(encoding="utf-8")


def test_a_film_is_1080p_unless_it_is_a_gif(kpviz):
    for name, size in (("a.mp4", "1920x1080"), ("a.gif", "1280x720")):
        complaint = kpviz("render", "v=1&n=20&cues=start%20hold%200.2", "--to", "0", "--no-title", "--out", name)[2]
        assert f"frames of {size}" in complaint
        assert next(imageio_ffmpeg.read_frames(name))["size"] == tuple(map(int, size.split("x")))


def test_cues_of_the_link_are_used_where_no_file_is_given(kpviz):
    assert kpviz("render", "v=1&n=20&cues=2%20hold%201%3A%20From%20the%20link.", "--out", "l.vtt", *BRIEF)[0] == 0
    assert "From the link." in Path("l.vtt").read_text(encoding="utf-8")


def test_a_page_that_plays_itself_is_one_file(kpviz):
    code, _, complaint = kpviz("render", LINK, "--cues", "lecture.txt", "--out", "lecture.html")
    assert code == 0
    assert re.fullmatch(r"wrote lecture.html: (0\.\d|1\.0) MB\n", complaint)
    assert Path("lecture.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--out", "l.avi"), "'l.avi' does not end in .mp4, .webm, .gif, .vtt, .srt or .html."),
        (("--out", "l.mp4", "--captions", "l.txt"), "'l.txt' does not end in .vtt or .srt."),
        (("--out", "l.mp4", "--size", "641x360"), "'641x360' is not a size for a film: give even numbers."),
        (("--out", "l.mp4", "--size", "huge"), "'huge' is not a size"),
        (("--out", "l.mp4", "--fps", "29"), "invalid choice: 29"),
    ],
)
def test_a_misspelt_command_says_what_is_allowed(kpviz, arguments, expected):
    code, _, complaint = kpviz("render", LINK, *arguments)
    assert code == 2
    assert expected in complaint


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--cues", "nowhere.txt", "--out", "l.mp4"), "The cues 'nowhere.txt' cannot be read: No such file"),
        (("--cues", "bytes.txt", "--out", "l.mp4"), "The cues 'bytes.txt' are not a text: save them as UTF-8."),
        (("--cues", "huge.txt", "--out", "l.mp4"), "The cues 'huge.txt' are too long: give at most 100,000 bytes."),
        (("--cues", "wrong.txt", "--out", "l.mp4"), "Line 2 of the cues cannot be read at 'soon'"),
        (("--out", "nowhere/l.mp4"), "there is no folder 'nowhere'"),
        (("--out", "l.mp4", "--captions", "x.vtt", "--captions", "x.vtt"), "the same place"),
        (("--out", "l.mp4", "--from", "9", "--to", "3"), "The steps from 9 to 3 are not a part of this run"),
        (("--out", "l.mp4", "--speed", "0"), "speed=0 must be from 0.05 to 50."),
        (
            ("--out", "l.html", "--captions", "l.vtt"),
            "has no --captions: leave that out, or name a film.",
        ),
        (("--out", "l.html", "--size", "720p", "--to", "9"), "has no --size, --to"),
        (("--out", "l.html", "--speed", "20"), "--speed 20 is not possible for a page: give 0.0375 to 9."),
        (("--out", "l.gif", "--fps", "60"), "A GIF of 60 frames per second plays too slowly: give at most 50."),
        (("--strict", "--cues", "late.txt", "--out", "l.html"), "can be shown: mistake 99: this run has 10."),
        (
            ("--strict", "--cues", "late.txt", "--out", "l.mp4"),
            "Not everything can be shown: mistake 99: this run has 10.",
        ),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_sentence_and_nothing_is_written(kpviz, folder, arguments, expected):
    (folder / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    (folder / "huge.txt").write_bytes(b"# x\n" * 30_000)
    (folder / "wrong.txt").write_text("start\nsoon: now")
    (folder / "late.txt").write_text("mistake 99: x")
    before = sorted(path.name for path in folder.iterdir())
    code, printed, complaint = kpviz("render", LINK, *arguments)
    assert (code, printed) == (1, "")
    assert complaint.startswith("kpviz: ")
    assert expected in complaint
    assert complaint.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == before


def test_a_cue_without_a_place_is_told_and_the_film_made(kpviz, folder):
    (folder / "late.txt").write_text("mistake 99: x")
    code, _, complaint = kpviz("render", LINK, "--cues", "late.txt", "--out", "l.mp4", *BRIEF)
    assert code == 0
    assert complaint.startswith("kpviz: Not everything can be shown: mistake 99: this run has 10.\nwrote")


def test_an_interrupted_film_leaves_nothing_behind(folder):
    """By Control-C; a film of a lesson is terminated in test_scenes.py."""
    process = filming(folder, "render", "v=1&n=20", "--out", "long.mp4", "--speed", "0.1")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert [path.name for path in folder.iterdir()] == ["lecture.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no locks of folders")
def test_the_next_film_removes_what_a_killed_one_left(kpviz, folder):
    process = filming(folder, "render", "v=1&n=20", "--out", "long.mp4", "--speed", "0.1")
    process.kill()
    process.wait(30)
    assert len(list(folder.glob(".kpviz-*"))) == 1
    assert kpviz("render", LINK, "--out", "short.mp4", *BRIEF)[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == ["lecture.txt", "short.mp4"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interruption_that_python_drops_ends_the_film_at_its_next_frame(kpviz, folder, monkeypatch):
    class Dropping:
        """What is raised while it is taken away is dropped by Python."""

        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    frames = film.Film.frames

    def interrupted(self):
        for number, frame in enumerate(frames(self)):
            if number == 3:
                Dropping()
            yield frame

    monkeypatch.setattr(film.Film, "frames", interrupted)
    assert kpviz("render", LINK, "--out", "l.mp4", *BRIEF)[0] == 130
    assert [path.name for path in folder.iterdir()] == ["lecture.txt"]


def test_characters_that_the_font_lacks_are_named_and_shown_as_boxes(kpviz, folder):
    (folder / "far.txt").write_text("title: 感知器\n1 hold 0.2: " + 60 * "核", encoding="utf-8")
    code, _, complaint = kpviz("render", LINK, "--cues", "far.txt", "--out", "l.mp4", *BRIEF)
    assert code == 0
    assert complaint.startswith("kpviz: Not everything can be shown: the font of films has no character for 感知器核.")


def test_dollar_signs_are_signs(kpviz, folder):
    (folder / "tex.txt").write_text("1 hold 0.2: The norm $\\norm{w}$ and $x_i^2$ cost $5.", encoding="utf-8")
    assert kpviz("render", LINK, "--cues", "tex.txt", "--out", "l.mp4", *BRIEF, "--quiet") == (0, "", "")


def test_what_ends_a_program_is_put_back_after_a_command(kpviz):
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(kind) for kind in kinds]
    assert kpviz("render", LINK, "--out", "xor.html")[0] == 0
    assert [signal.getsignal(kind) for kind in kinds] == before


def test_a_second_termination_does_not_break_into_the_tidying_up_of_the_first():
    with commands.until_terminated():
        with pytest.raises(SystemExit, match="143"):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(SystemExit, match="143"):  # what Python dropped of the first is not lost
            commands.go_on()
        with pytest.raises(KeyboardInterrupt):  # a person may insist
            signal.raise_signal(signal.SIGINT)
