"""`kpviz render`: films, captions and pages of a run or of a lesson, in one command."""

import re
import signal
import sys
from pathlib import Path

import imageio_ffmpeg
import pytest
from processes import filming

from kpviz import commands
from kpviz.export import films
from kpviz.export.page import page

LINK = "http://localhost:8501/?v=1&n=20&t=7&show=margins"
LECTURE = "title: XOR\nstart hold 1: No line.\nmistake 2 hold 1 light x1: Look.\n"
LESSON = """---
title: XOR
---
## Two classes
link: v=1&n=20
```cues
start hold 0.2: No line.
mistake 2 hold 0.2 light x1: Look here.
```
## Another line
link: /fisher?v=1

F.
"""
SMALL = ("--size", "320x320", "--fps", "24")
BRIEF = (*SMALL, "--to", "2", "--title=", "--speed", "10")


@pytest.fixture(autouse=True)
def files(folder):
    (folder / "lecture.txt").write_text(LECTURE, encoding="utf-8")
    (folder / "xor.kpviz.md").write_text(LESSON, encoding="utf-8")


@pytest.fixture
def made(monkeypatch):
    """The films that would have been written."""
    found = []
    monkeypatch.setattr(films, "save", lambda reel, path, progress: found.append(reel))
    return found


@pytest.mark.parametrize(
    "source",
    [(LINK, "--cues", "lecture.txt", "--to", "4"), ("xor.kpviz.md",)],
    ids=["link", "lesson"],
)
def test_a_captioned_film_is_made_in_one_command(kpviz, source):
    names = ("l.mp4", "l.vtt", "l.srt")
    code, output, complaint = kpviz("render", *source, *(f"--out={name}" for name in names), *SMALL)
    assert (code, output) == (0, "")
    frames, seconds = imageio_ffmpeg.count_frames_and_secs("l.mp4")
    assert complaint.splitlines() == [
        f"wrote l.mp4: {frames:,} frames of 320x320, {seconds:.1f} s", "wrote l.vtt", "wrote l.srt"
    ]  # fmt: skip
    vtt, srt = (Path(name).read_text(encoding="utf-8") for name in names[1:])
    begin = 3 * (
        1 + source[0].endswith(".md")
    )  # after the title of a lesson comes that of its scene
    assert vtt.startswith(f"WEBVTT\n\n00:00:0{begin}.000 --> ")
    assert srt.startswith(f"1\n00:00:0{begin},000 --> ")
    assert "No line." in vtt
    assert "Look" in srt
    kpviz("render", *source, "-o", "alone.vtt", *SMALL)  # captions alone are those of the film
    assert Path("alone.vtt").read_text(encoding="utf-8") == vtt


def test_at_a_terminal_a_bar_grows(kpviz, monkeypatch):
    monkeypatch.setattr("kpviz.export.films._SAID_EVERY", 0.0)
    assert kpviz("render", LINK, "--to", "1", "-o", "l.mp4", "--quiet", *SMALL) == (0, "", "")
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    shown = kpviz("render", LINK, "--to", "1", "-o", "l.mp4", "--quiet", *SMALL)[2]
    bars = re.findall(r"\r\x1b\[K(█*)(░*) [\d,]+ of [\d,]+ frames, about \d+ s left", shown)
    assert {len(full + empty) for full, empty in bars} == {24}
    assert [len(full) for full, _ in bars] == sorted(len(full) for full, _ in bars)
    assert len({full for full, _ in bars}) > 12


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            (),
            {
                "width": 1920,
                "height": 1080,
                "fps": 30,
                "first": 0,
                "last": None,
                "title": "",
                "words": True,
            },
        ),
        (
            ("--from", "2", "--to", "4", "--no-words", "--title=T"),
            {"first": 2, "last": 4, "words": False, "title": "T"},
        ),
        (
            ("--title=", "--theme", "dark", "--speed", "2"),
            {"title": None, "theme": "dark", "speed": 2.0},
        ),
        (("--size", "vertical", "--fps", "60"), {"width": 1080, "height": 1920, "fps": 60}),
    ],
)
def test_a_film_is_made_with_the_options_given_and_what_the_link_shows(
    kpviz, monkeypatch, made, options, expected
):
    asked, build = [], films.film
    monkeypatch.setattr(films, "film", lambda *a: asked.append(a) or build(*a))
    assert (
        kpviz(
            "render",
            f"{LINK}&over=noise&turn=3,4&cues=2%3A%20Hi&pins=1",
            "-o=l.mp4",
            "--quiet",
            *options,
        )[0]
        == 0
    )
    ((lineup, cues, chosen),) = asked
    assert len(lineup.pins) == 1
    assert {name: getattr(chosen, name) for name in expected} == expected
    assert (chosen.panels, chosen.over, chosen.angles) == (("margins",), "noise", (3, 4))
    assert [cue.words for cue in cues.cues] == ["Hi"]


@pytest.mark.parametrize("source", [LINK, "xor.kpviz.md", "data=texts&kernel=spectrum"])
def test_a_page_that_plays_itself_is_one_file(kpviz, source):
    code, output, complaint = kpviz("render", source, "--theme", "dark", "-o", "l.html")
    text = Path("l.html").read_text(encoding="utf-8")
    assert (code, output, complaint) == (
        0,
        "",
        f"wrote l.html: {len(text.encode()) / 1e6:.1f} MB\n",
    )
    assert text.lower().startswith("<!doctype html>")
    assert source != "xor.kpviz.md" or '"name":"xor"' in text
    assert kpviz("render", source, "--theme", "dark", "-o", "-", "--quiet") == (0, text, "")


def test_a_page_opens_where_the_link_does(kpviz, monkeypatch):
    asked = []
    monkeypatch.setattr(page, "page", lambda *a, **o: asked.append((a, o)) or "")
    assert (
        kpviz(
            "render", f"{LINK}&pins=1", "--cues", "lecture.txt", "--speed=2", "-o=l.html", "--quiet"
        )[0]
        == 0
    )
    (((lineup, cues), options),) = asked
    assert (options["view"].t, options["view"].show, len(lineup.pins)) == (7, ("margins",), 1)
    assert (options["theme"], cues.cues[0].words, options["speed"] > 1) == (
        "auto",
        "No line.",
        True,
    )


@pytest.mark.parametrize(
    ("cues", "said"),
    [
        ("mistake 99: x", "mistake 99: this run has 10."),
        (
            "title: 感知器\n1 hold 0.2: " + 60 * "核",
            "the font of films has no character for 感知器核.",
        ),
        ("1 hold 0.2: The norm $\\norm{w}$ and $x_i^2$ cost $5.", ""),
    ],
)
def test_what_cannot_be_shown_is_said_and_the_film_made(kpviz, folder, made, cues, said):
    (folder / "late.txt").write_text(cues, encoding="utf-8")
    code, _, complaint = kpviz("render", LINK, "--cues", "late.txt", "-o", "l.mp4", *BRIEF)
    assert (code, len(made)) == (0, 1)
    assert complaint.startswith(
        f"kpviz: Not everything can be shown: {said}\nwrote" if said else "wrote"
    )


def test_an_interrupted_film_leaves_nothing_behind(folder):
    before = sorted(path.name for path in folder.iterdir())
    for source, number, code in (
        ("v=1&n=20", signal.SIGINT, 130),
        ("xor.kpviz.md", signal.SIGTERM, 143),
    ):
        process = filming(folder, "render", source, "-o", "long.mp4", "--speed", "0.1")
        process.send_signal(number)
        assert process.wait(timeout=30) == code
        assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.skipif(sys.platform == "win32", reason="there are no locks of folders")
def test_the_next_film_removes_what_a_killed_one_left(kpviz, folder):
    process = filming(folder, "render", "v=1&n=20", "-o", "long.mp4", "--speed", "0.1")
    process.kill()
    process.wait(30)
    assert len(list(folder.glob(".kpviz-*"))) == 1
    assert kpviz("render", LINK, "-o", "short.mp4", *BRIEF)[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "lecture.txt",
        "short.mp4",
        "xor.kpviz.md",
    ]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interruption_that_python_drops_ends_the_film_at_its_next_frame(
    kpviz, folder, monkeypatch
):
    class Dropping:
        """What is raised while it is taken away is dropped by Python."""

        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    frames = films.Film.frames

    def interrupted(self):
        for number, frame in enumerate(frames(self)):
            if number == 3:
                Dropping()
            yield frame

    monkeypatch.setattr(films.Film, "frames", interrupted)
    assert kpviz("render", LINK, "-o", "l.mp4", *BRIEF)[0] == 130
    assert sorted(path.name for path in folder.iterdir()) == ["lecture.txt", "xor.kpviz.md"]


def test_what_ends_a_program_is_put_back_after_a_command(kpviz):
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(kind) for kind in kinds]
    assert kpviz("render", LINK, "-o", "xor.html")[0] == 0
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
