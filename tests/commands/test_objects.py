"""The command line with data that are no points of the plane, and with kernels that are fitted or typed."""

import json
import re
from itertools import cycle
from pathlib import Path

import pytest

from kpviz import experiment
from kpviz.export import record, settings_file
from kpviz.export.notebook import notebook
from kpviz.export.script import numpy_script
from kpviz.settings import Settings

LINKS = {
    "texts": "?v=1&data=texts&t=5",
    "trees": "v=1&data=trees&held=0.2",
    "graphs": "data=graphs&rounds=1&t=2",
    "bits": "data=bits&function=x1%20%26%20!x2%20%7C%20x3&bits=3",
    "mixture": "kernel=mixture&components=2&n=16&epochs=3",
    "formula": "kernel=formula&formula=exp(-norm(u-v)**2)%2B1&n=16&epochs=3",
}
PANELS = ("map", "alpha", "margins", "gram", "lift", "timeline", "words")


def settings_of(link):
    from kpviz.settings import from_query

    settings, notice = from_query(link.removeprefix("?"))
    assert notice is None
    return settings


@pytest.mark.parametrize("link", LINKS.values(), ids=LINKS)
def test_train_reports_and_writes_all_that_is_taken_home(kpviz, link):
    outputs = {"csv": "a.csv", "json": "a.json", "python": "a.py", "notebook": "c.ipynb"}
    asked = [f"--{name}={file}" for name, file in outputs.items()]
    code, output, complaint = kpviz("train", link, *asked, "--save-settings=s.json", "--strict")
    settings = settings_of(link)
    split = experiment.prepare(settings)
    run = experiment.run(settings, split)
    assert (code, complaint) == (0, "")
    assert re.search(rf"^mistakes +{' '.join(map(str, run.mistakes_per_epoch))} in ", output, re.MULTILINE)
    assert Path("a.csv").read_text() == record.to_csv(run)
    assert json.loads(Path("a.json").read_text())["X"] == run.X.tolist()
    assert Path("a.py").read_text() == numpy_script(settings, split)
    assert Path("c.ipynb").read_text() == notebook(settings, split)
    assert settings_file.read(Path("s.json").read_bytes()) == (settings, None, None)
    assert kpviz("train", "s.json", "--csv=-", "--quiet") == (0, record.to_csv(run), "")


@pytest.mark.parametrize(("link", "panels"), list(zip(LINKS.values(), cycle((PANELS[::2], PANELS[1::2])))), ids=LINKS)
def test_plot_draws_the_board_panels_and_a_storyboard(kpviz, link, panels):
    board = (link, "--out=a.png", "--size=640x400", "--strict")
    assert kpviz("plot", *board) == (0, "", "wrote a.png (640x400)\n")
    for panel in panels:
        assert kpviz("plot", link, "--panel", panel, f"--out={panel}.png", "--size=640x400", "--quiet") == (0, "", "")
    assert kpviz("plot", link, "--storyboard=2", "--out=s.svg", "--quiet") == (0, "", "")
    assert len({Path(f"{panel}.png").read_bytes() for panel in panels}) == len(panels)


@pytest.mark.parametrize("name", ["texts", "bits", "graphs"])
def test_render_makes_a_page(kpviz, name):
    assert kpviz("render", LINKS[name].partition("&t=")[0], "--out=a.html", "--quiet") == (0, "", "")
    assert "<canvas" in Path("a.html").read_text()


def test_render_makes_a_film(kpviz):
    options = ("--to=2", "--size=320x320", "--no-title", "--speed=10", "--fps=25")
    link = LINKS["graphs"].partition("&t=")[0]
    code, _, complaint = kpviz("render", link, "--out=a.mp4", *options)
    assert code == 0
    assert re.fullmatch(r"wrote a\.mp4: [\d,]+ frames of 320x320, [\d.]+ s\n", complaint)


WRONG = {
    "data=bits&function=x1%20%26%20(x2%7Cx3)": "At character 9: a bracket holds one term only",
    "data=bits&function=x9": "x9 is not one of the 8 bits",
    "data=texts&added=%2Ba;b": "Added text 2 begins with 'b': it must begin with its class, + or -.",
    "data=trees&ask=(S": "What is asked is not a tree: at its end 1 bracket is still open.",
    "data=graphs&added=%2BCC 1-3": "edge 1-3 leads to no vertex: they have the numbers 1 to 2.",
    "kernel=formula&formula=nrom(u-v)": "At character 1: nrom is unknown; did you mean norm?",
    "kernel=formula&formula=__import__('os')": "formula=",
    "data=texts&kernel=gaussian": "kernel=gaussian compares vectors, and these data are texts.",
}


@pytest.mark.parametrize(("link", "expected"), WRONG.items())
def test_what_is_wrong_in_a_link_is_said_in_a_sentence_and_refused_if_strict(kpviz, link, expected):
    code, output, complaint = kpviz("train", link)
    assert code == 0
    assert expected in complaint
    assert complaint.startswith("kpviz: Parts of this link could not be used as they are and were replaced: ")
    assert complaint.count("\n") == 1
    assert output.startswith("data ")
    assert kpviz("train", link, "--strict", "--csv=a.csv")[::2] == (1, complaint)
    assert not Path("a.csv").exists()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (["formula=2 + norm(u - v) +", "kernel=formula"], "formula=2 + norm(u - v) + cannot be read: At character 18:"),
        (["data=bits", "function=x1 &"], "cannot be read: At character 5: a bit, such as x1, is missing after "),
        (["data=texts", "bits=3"], "bits does not apply"),
        (["data=bits", "n=9"], "n does not apply, because all of these examples are shown."),
        (["added=+a"], "added does not apply, because only for texts, trees and graphs."),
    ],
)
def test_what_is_wrong_in_what_is_set_is_said_in_a_sentence(kpviz, changes, expected):
    code, _, complaint = kpviz("train", "?", *(f"--set={change}" for change in changes), "--quiet")
    assert code == 0
    assert expected in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("kernel=formula&formula=log(dot(u,v))", "log takes numbers above 0"),
        (
            "data=bits&bits=3&kernel=formula&formula=u[9]*v[9]",
            "The formula asks for component 9, but each example has 3",
        ),
    ],
)
def test_a_formula_that_does_not_fit_the_examples_is_refused_in_a_sentence(kpviz, link, expected):
    for command in (("train",), ("plot", "--out=a.png")):
        code, output, complaint = kpviz(command[0], link, *command[1:])
        assert (code, output) == (1, "")
        assert expected in complaint
        assert complaint.endswith(".\n")
        assert complaint.count("\n") == 1
    assert not Path("a.png").exists()


def test_the_list_of_settings_says_what_one_writes(kpviz):
    output = kpviz("train", "--list-settings")[1]
    lines = dict(line.split(maxsplit=1) for line in output.splitlines() if line.startswith("  "))
    assert "literal, parity, majority, three*, multiplexer" in lines["function"]
    assert "exp(-norm(u - v)**2/2)" in lines["formula"] == lines["formula2"]
    assert "+what a goal;-boil the rice" in lines["added"]
    assert lines["components2"].startswith("N (")


def test_the_examples_of_the_help_work(kpviz):
    output = kpviz("train", "--help")[1]
    (line,) = re.findall(r"kpviz train 'data=bits' --set '(.*)' --set bits=3\n", output)
    assert kpviz("train", "data=bits", f"--set={line}", "--set=bits=3", "--quiet", "--strict") == (0, "", "")
    assert experiment.title(Settings.of(data="bits", function="x1 & !x2 | x3", bits=3)) == "x1 & !x2 | x3, 3 bits"
