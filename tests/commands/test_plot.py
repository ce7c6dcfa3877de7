"""`kpviz plot`: many pictures in one command, slide sizes, one panel, storyboards, and what is refused."""

import io
import os
import re
import struct
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from drawing import drawn, png, story

from kpviz import experiment
from kpviz.commands import pictures
from kpviz.export.film.formats import PICTURES
from kpviz.picture import figure, render_options, storyboard
from kpviz.settings import Settings
from kpviz.settings.cues import Cues

SMALL = "--size=320x320"
CUES = "title: Two moons|start: Look.|mistake 2: It bends.|end: Done."


def size(path):
    return struct.unpack(">II", Path(path).read_bytes()[16:24])


def run_of(**values):
    return experiment.run(Settings.of(**values))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_the_slide_size_that_is_named(kpviz, monkeypatch, name):
    asked = []
    draw = figure.draw
    monkeypatch.setattr(figure, "draw", lambda *a, **o: asked.append(a[3]) or draw(*a[:3], (2, 2)))
    assert kpviz("plot", "n=10", "--out=a.png", f"--size={name.upper()}", "--quiet")[0] == 0
    assert [round(side * pictures.DPI) for side in asked[0]] == list(PICTURES[name])


def test_a_picture_says_what_the_cue_of_its_instant_says(kpviz):
    kpviz("plot", f"n=10&cues={CUES}", "--out=a.png", "--step=0", SMALL)
    kpviz("plot", "n=10", "--out=b.png", "--step=0", SMALL)
    settings = Settings.of(n=10)
    cued = drawn(settings, 0, (1.6, 1.6), cues=Cues.of_code(CUES))
    assert Path("a.png").read_bytes() == png(cued)
    assert Path("b.png").read_bytes() == png(drawn(settings, 0, (1.6, 1.6))) != png(cued)


def test_a_page_of_a4_has_its_size_in_a_pdf(kpviz):
    kpviz("plot", "n=10", "--out=a.pdf", "--size=a4")
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", Path("a.pdf").read_bytes())
    assert [float(side) / 72 * 25.4 for side in box.groups()] == pytest.approx([297, 210], abs=0.5)


def test_many_links_and_steps_are_as_many_pictures_each_named_after_what_it_is(kpviz):
    code, output, complaint = kpviz(
        "plot", "data=xor&n=10", "data=moons&n=10", "--out={data}-{kernel}-{step}.png",
        "--step=0", "--step=3", "--step=end", SMALL,
    )  # fmt: skip
    names = [f"{data}-gaussian-{step}.png" for data in ("xor", "moons") for step in ("0", "3", "end")]
    assert (code, output) == (0, "")
    assert complaint == "".join(f"wrote {name} (320x320)\n" for name in names)
    assert sorted(os.listdir()) == sorted(names)
    for data in ("xor", "moons"):
        made = run_of(data=data, n=10)
        for step, t in (("0", 0), ("3", 3), ("end", made.n_steps)):
            expected = png(drawn(Settings.of(data=data, n=10), t, (1.6, 1.6)))
            assert Path(f"{data}-gaussian-{step}.png").read_bytes() == expected


def test_a_link_without_a_step_is_named_by_its_own_or_by_the_end(kpviz):
    kpviz("plot", "n=10&t=2", "n=10", "--out={number:02}-{step}.png", SMALL)
    assert sorted(os.listdir()) == ["01-2.png", "02-end.png"]


def test_a_list_of_links_may_have_comments_and_empty_lines(kpviz):
    Path("links.txt").write_text(
        "# the first week\n\nn=10&sigma=0.3\n  n=10&sigma=0.5  \n# the end\n", encoding="utf-8"
    )
    assert kpviz("plot", "--batch=links.txt", "--out=s-{sigma}.png", SMALL, "--quiet") == (0, "", "")
    assert sorted(os.listdir()) == ["links.txt", "s-0.3.png", "s-0.5.png"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("n=10", "n=12", "--out=a.png"), "Two pictures would be written to 'a.png': tell them apart by"),
        (("n=10", "--out=a.png", "--step=0", "--step=1"), "Two pictures would be written to 'a.png'"),
        (("n=10", "n=12", "--out=./a-{step}.png"), "Two pictures would be written to './a-end.png'"),
        (("n=10", "--out={colour}.png"), "--out has no {colour}: use {number}, {step}, {data}, {kernel}, {learner} or"),
        (("n=10", "--out={}.png"), "--out has no {}: use"),
        (("n=10", "--out={step.real}.png"), "--out has no {step.real}: use"),
        (("n=10", "--out=a{.png"), "The braces of 'a{.png' cannot be read"),
        (("n=10", "--out={data:x}.png"), "The braces of '{data:x}.png' cannot be read"),
        (("n=10", "n=12", "--out=-"), "Only one picture can go to standard output"),
        (("n=10", "--out=nowhere/{step}.png"), "there is no folder 'nowhere'"),
        (("--out=a.png",), "There is nothing to draw"),
        (("--batch=none.txt", "--out=a.png"), "The list 'none.txt' cannot be read: No such file"),
        (("--batch=empty.txt", "--out=a.png"), "The list 'empty.txt' has no links"),
        (("--batch=binary.txt", "--out=a.png"), "The list 'binary.txt' is not a text"),
        (("n=10", "absent.json", "--out={number}.png"), "There is no file 'absent.json'"),
        (("n=10", "n=-3", "--strict", "--out={number}.png"), "Parts of this link"),
        (("n=10", "--storyboard=4", "--steps=0,1", "--out=a.png"), "--storyboard chooses the steps itself"),
        (("n=10", "--storyboard=4", "--step=1", "--out=a.png"), "A storyboard shows many steps"),
        (("n=10", "--steps=0,1", "--panel=map", "--out=a.png"), "A storyboard is made of maps"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_sentence_before_any_work(kpviz, monkeypatch, arguments, sentence):
    Path("empty.txt").write_text("# nothing\n", encoding="utf-8")
    Path("binary.txt").write_bytes(b"\xff\xfe\x00")
    before = sorted(os.listdir())
    monkeypatch.setattr(pictures.work.experiment, "run", lambda *_: pytest.fail("a run was trained"))
    code, output, complaint = kpviz("plot", *arguments)
    assert (code, output) == (1, "")
    assert complaint.startswith("kpviz: ")
    assert sentence in complaint
    assert complaint.count("\n") == 1
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--storyboard=1",), "give 2 to 24, or 'cues'"),
        (("--storyboard=25",), "give 2 to 24, or 'cues'"),
        (("--steps=3",), "are not 2 to 24 steps"),
        (("--steps=0,-1",), "is not a step"),
        (("--panel=sentence",), "invalid choice"),
        (("--size=16:10",), "is not a size"),
    ],
)
def test_a_misspelt_option_is_refused_with_2(kpviz, arguments, words):
    code, _, complaint = kpviz("plot", "n=10", "--out=a.png", *arguments)
    assert code == 2
    assert words in complaint


def test_a_step_beyond_the_end_writes_none_of_the_pictures_of_its_run(kpviz):
    code, _, complaint = kpviz("plot", "n=10", "--out={step}.png", "--step=0", "--step=9999", SMALL)
    assert (code, os.listdir()) == (1, [])
    assert complaint.startswith("kpviz: Step 9,999 is beyond the end: this run has ")


def test_a_picture_goes_to_standard_output_without_a_word(capfdbinary):
    from kpviz import cli

    assert cli.main(["plot", "n=10", "--out=-", SMALL]) == 0
    out, err = capfdbinary.readouterr()
    assert out.startswith(b"\x89PNG")
    assert err == b""


def test_one_panel_has_its_natural_shape_or_the_size_asked_for(kpviz):
    kpviz("plot", "n=10", "--panel=margins", "--out=a.png", "--quiet")
    expected = drawn(
        Settings.of(n=10), size=pictures.natural(render_options.RenderOptions(only="margins")), only="margins"
    )
    assert Path("a.png").read_bytes() == png(expected)
    assert size("a.png")[0] == 2560
    assert size("a.png")[0] > 1.8 * size("a.png")[1]
    kpviz("plot", "n=10", "--panel=map", "--out=b.png", "--size=640x480", "--theme=print", "--quiet")
    assert Path("b.png").read_bytes() == png(drawn(Settings.of(n=10), size=(3.2, 2.4), only="map", theme="print"))


def test_a_learner_without_a_panel_of_its_own_is_named(kpviz):
    code, _, complaint = kpviz("plot", "n=10", "--panel=own", "--out=a.png")
    assert code == 1
    assert complaint == ("kpviz: This learner has no panel of its own: choose another panel or another learner.\n")
    assert os.listdir() == []


def test_a_transparent_picture_has_no_ground_and_text_of_its_theme(kpviz):
    kpviz("plot", "n=10", "--out=a.png", "--transparent", "--theme=dark", "--quiet", "--size=1280x720")
    picture = matplotlib.image.imread(io.BytesIO(Path("a.png").read_bytes()))
    assert (picture[:, [0, -1], 3] == 0).all()
    opaque = picture[..., 3] == 1
    assert 0.3 < opaque.mean() < 0.95
    words = picture[60:200, 800:][opaque[60:200, 800:]]  # of the sentence
    assert np.median(words[:, :3]) > 0.7


def test_a_storyboard_shows_the_steps_asked_for_under_the_title(kpviz):
    settings, made, how = Settings.of(n=10), run_of(n=10), {"size": (1.6, 1.6), "theme": "print"}
    kpviz("plot", "n=10", "--steps=0, 3,end", "--out=a.png", SMALL, "--theme=print", "--quiet")
    expected = story(settings, [0, 3, made.n_steps], **how)
    assert Path("a.png").read_bytes() == png(expected)
    kpviz("plot", "n=10", "--storyboard=4", "--out=b.png", SMALL, "--theme=print", "--quiet")
    expected = story(settings, storyboard.spread(made, 4), **how)
    assert Path("b.png").read_bytes() == png(expected)


def test_a_storyboard_of_the_cues_has_their_title_and_words(kpviz, monkeypatch):
    asked = []
    draw = storyboard.draw
    monkeypatch.setattr(storyboard, "draw", lambda *a, **o: asked.append((a[1], o)) or draw(*a, **o))
    assert kpviz("plot", "data=moons&n=20", "--set", f"cues={CUES}", "--storyboard=cues", "--out=a.pdf")[0] == 0
    ((cells, options),) = asked
    assert [cell.words for cell in cells] == ["Look.", "It bends.", "Done."]
    assert options["title"] == "Two moons"
    code, _, complaint = kpviz("plot", "n=10", "--storyboard=cues", "--out=b.pdf")
    assert code == 1
    assert "A storyboard of the cues needs two" in complaint
