"""`kpviz lesson film` and `kpviz lesson slides`: what is written, and what is refused with the number of the scene."""

import signal
from pathlib import Path

import imageio_ffmpeg
import pytest
from processes import filming

LESSON = """---
title: XOR
---
## Two classes
link: v=1&n=20
```cues
start hold 0.2: No line.
mistake 2 hold 0.2 light x1: Look here.
```
## The lab
link: /lab?v=1

A kernel.
"""
SMALL = ("--size", "320x320", "--fps", "24")


@pytest.fixture(autouse=True)
def lesson(folder):
    (folder / "xor.kpviz.md").write_text(LESSON, encoding="utf-8")


def test_a_lesson_becomes_a_film_with_captions_in_one_command(kpviz):
    code, output, complaint = kpviz(
        "lesson", "film", "xor.kpviz.md", "l.mp4", "--captions", "l.vtt", "--captions", "l.srt", *SMALL
    )
    frames, seconds = imageio_ffmpeg.count_frames_and_secs("l.mp4")
    assert (code, output) == (0, "")
    assert complaint.splitlines() == [
        f"wrote l.mp4: {frames:,} frames of 320x320, {seconds:.1f} s", "wrote l.vtt", "wrote l.srt"
    ]  # fmt: skip
    assert Path("l.vtt").read_text(encoding="utf-8").startswith("WEBVTT\n\n00:00:03.000 -->")


def test_a_chapter_is_as_long_as_the_film_that_its_link_makes(kpviz, folder):
    (folder / "xor.kpviz.md").write_text(LESSON.partition("## The lab")[0], encoding="utf-8")
    (folder / "cues.txt").write_text("\n".join(LESSON.splitlines()[6:8]), encoding="utf-8")
    assert kpviz("lesson", "film", "xor.kpviz.md", "l.mp4", "--quiet", *SMALL) == (0, "", "")
    alone = ("--cues", "cues.txt", "--title", "Two classes", "--to", "2", "--out", "alone.mp4", "--quiet")
    assert kpviz("render", "v=1&n=20", *alone, *SMALL) == (0, "", "")
    lengths = [imageio_ffmpeg.count_frames_and_secs(name) for name in ("l.mp4", "alone.mp4")]
    assert lengths[0] == lengths[1]


def test_a_scene_on_which_nothing_is_drawn_yet_is_a_card(kpviz, folder):
    link = "link: v=1&data=drawn&kernel=linear"
    (folder / "xor.kpviz.md").write_text(f"---\ntitle: T\n---\n## Draw some\n{link}\n\nA point or two.\n")
    assert kpviz("lesson", "film", "xor.kpviz.md", "l.mp4", "--quiet", *SMALL) == (0, "", "")
    assert imageio_ffmpeg.count_frames_and_secs("l.mp4")[1] == pytest.approx(3.0)


def test_a_long_run_plays_faster_and_says_so(kpviz, folder, monkeypatch):
    monkeypatch.setattr("kpviz.export.scenes.PLAYS", 1.0)
    expected = "kpviz: Scene 1 would play for more than 3 minutes, so it plays "
    assert expected in kpviz("lesson", "film", "xor.kpviz.md", "l.mp4", *SMALL)[2]


def test_slides_are_numbered_and_named_by_their_headings(kpviz, folder):
    code, _, complaint = kpviz("lesson", "slides", "xor.kpviz.md", "slides", "--size", "320x320")
    assert (code, complaint) == (0, "wrote 3 pictures to slides\n")
    names = ["01-two-classes-1.png", "01-two-classes-2.png", "02-the-lab.png"]
    assert sorted(path.name for path in (folder / "slides").iterdir()) == names
    arguments = ("--storyboard", "--format", "pdf", "--theme", "print", "--quiet")
    assert kpviz("lesson", "slides", "xor.kpviz.md", "slides", *arguments) == (0, "", "")
    names += ["01-two-classes.pdf", "02-the-lab.pdf"]
    assert sorted(path.name for path in (folder / "slides").iterdir()) == sorted(names)


def test_slides_say_what_they_leave_out_as_the_film_does(kpviz, folder):
    cues = "start hold 0.2 light code: No line.\nmistake 99: Never."
    wrong = LESSON.replace("n=20", "n=20&show=alpha").replace("start hold 0.2: No line.", cues)
    (folder / "xor.kpviz.md").write_text(wrong, encoding="utf-8")
    expected = (
        "kpviz: Not everything can be shown: in scene 1, mistake 99: this run has 10; "
        "in scene 1, what is not shown cannot light up: code.\n"
    )
    for part, target, size in (("slides", "slides", "321x320"), ("film", "l.mp4", "320x320")):
        code, _, complaint = kpviz("lesson", part, "xor.kpviz.md", target, "--quiet", "--size", size)
        assert (code, complaint) == (0, expected)
    assert kpviz("lesson", "slides", "xor.kpviz.md", "slides", "--storyboard", "--quiet")[2] == ""


def test_slides_of_a_scene_begin_at_its_first_cue_so_what_stands_before_it_alone_is_left_out(kpviz, folder):
    lit = LESSON.replace("n=20", "n=20&show=code.gram.alpha.margins").replace("start hold 0.2: No line.\n", "")
    (folder / "xor.kpviz.md").write_text(lit.replace("light x1", "light gram, code"), encoding="utf-8")
    complaint = kpviz("lesson", "slides", "xor.kpviz.md", "slides", "--quiet", "--size", "640x360")[2]
    assert "in scene 1, on pages to which no cue turns: alpha, margins" in complaint


def test_captions_are_written_by_themselves(kpviz, folder, monkeypatch):
    both = ("--captions", "l.vtt", "--captions", "l.srt")
    assert kpviz("lesson", "film", "xor.kpviz.md", "l.mp4", *both, "--quiet", *SMALL)[0] == 0
    monkeypatch.setattr("kpviz.export.film.film.save", None)
    for ending in ("vtt", "srt"):
        code, output, complaint = kpviz("lesson", "film", "xor.kpviz.md", f"alone.{ending}", "--fps", "24")
        assert (code, output, complaint) == (0, "", f"wrote alone.{ending}\n")
        alone, beside = (folder / f"{name}.{ending}" for name in ("alone", "l"))
        assert alone.read_text(encoding="utf-8") == beside.read_text(encoding="utf-8")


WRONG = [
    ("link: v=1&n=20", "link: v=1&data=file", "Scene 2, 'Second': The link does not hold the rows of a file"),
    ("link: v=1&n=20", "link: v=1&sigma=soon", "Scene 2, 'Second': Parts of this link could not be used"),
    ("link: v=1&n=20", "link: nonsense", "'wrong.kpviz.md' is not a lesson without faults"),
    ("```cues", "```cues\n" + "".join(f"{t} hold 600\n" for t in range(20)), "Scene 2, 'Second': This film would last"),
    ("```cues", "```cues\nmistake 99: Never.", "in scene 2, mistake 99: this run has 10."),
]


@pytest.mark.parametrize(("part", "other", "expected"), WRONG, ids=lambda each: each[:40])
def test_what_cannot_be_made_is_refused_in_one_sentence_with_its_scene_and_nothing_is_written(
    kpviz, folder, part, other, expected
):
    scene = "## Second\nlink: v=1&n=20\n```cues\nend\n```\n"
    (folder / "wrong.kpviz.md").write_text(LESSON.partition("## The lab")[0] + scene.replace(part, other, 1))
    before = sorted(folder.iterdir())
    code, output, complaint = kpviz("lesson", "film", "wrong.kpviz.md", "l.mp4", "--strict", *SMALL)
    assert (code, output) == (1, "")
    assert expected in complaint
    assert complaint.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_cues_alone_have_no_link_to_film(kpviz, folder):
    (folder / "cues.txt").write_text("title: XOR\nstart: No line.\n")
    for part, target in (("film", "l.mp4"), ("slides", "slides")):
        complaint = kpviz("lesson", part, "cues.txt", target)[2]
        assert complaint == "kpviz: Scene 1, 'XOR': There is no link: write link: v=1&data=xor below its heading.\n"
        assert not (folder / target).exists()


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (("film", "l.html"), 2, "'l.html' does not end in .mp4, .webm, .gif, .vtt or .srt."),
        (("film", "l.gif", "--fps", "60"), 1, "A GIF of 60 frames per second plays too slowly"),
        (("film", "l.mp4", "--captions", "l.txt"), 2, "'l.txt' does not end in .vtt or .srt."),
        (("film", "l.mp4", "--speed", "0"), 1, "Scene 1, 'Two classes': speed=0 must be from 0.05 to 50."),
        (("slides", "nowhere/slides"), 1, "there is no folder 'nowhere'"),
        (("slides", "xor.kpviz.md"), 1, "'xor.kpviz.md' cannot be made: File exists."),
    ],
)
def test_a_wrong_argument_is_told(kpviz, folder, arguments, code, expected):
    part, *rest = arguments
    found = kpviz("lesson", part, "xor.kpviz.md", *rest)
    assert found[0] == code
    assert expected in found[2]
    assert [path.name for path in folder.iterdir()] == ["xor.kpviz.md"]


def test_a_terminated_film_leaves_nothing(folder):
    """Control-C is pressed in test_render.py."""
    process = filming(folder, "lesson", "film", "xor.kpviz.md", "l.mp4", "--speed", "0.1")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 143
    assert [path.name for path in folder.iterdir()] == ["xor.kpviz.md"]
