"""Commands that are spelt as in the release before do what they did, and say in one line how they are spelt now."""

import shlex

import pytest

from kpviz import cli

SAME = {
    "train ? --csv a --json - --python=b --notebook c.ipynb --save-settings d.json --strict": (
        "train ? --out=csv:a --out=json:- --out=py:b --out=ipynb:c.ipynb --out=settings.json:d.json"
    ),
    "plot ? --t 3 --out a.png": "plot ? --step 3 --out a.png",
    "render ? --out a.mp4 --captions a.vtt --no-title": "render ? --out a.mp4 --out a.vtt --title=",
    "worksheet ? -o a.pdf --solution b.pdf": "lesson worksheet ? -o a.pdf --solutions b.pdf",
    "grade class --lessons folder": "lesson grade class --lesson folder",
    "grade class --lesson a.kpviz.md --out b.csv": "lesson grade class --lesson a.kpviz.md --out b.csv",
    "lesson check a.kpviz.md --students b": "lesson students a.kpviz.md --out b",
    "lesson page a.kpviz.md b.html --theme dark": "render a.kpviz.md --out b.html --theme dark",
    "lesson page a.kpviz.md -": "render a.kpviz.md --out -",
    "lesson film a.kpviz.md b.mp4 --captions c.srt --strict": "render a.kpviz.md --out b.mp4 --out c.srt",
    "lesson handout a.kpviz.md b.pdf --solutions c.pdf": "lesson handout a.kpviz.md --out b.pdf --solutions c.pdf",
    "lesson slides a.kpviz.md b --format pdf": "lesson slides a.kpviz.md --out b --format pdf",
}


@pytest.mark.parametrize(("before", "now"), SAME.items())
def test_an_old_spelling_is_accepted_and_named_in_one_line(capsys, before, now):
    assert cli._renewed(before.split()) == now.split()
    said = capsys.readouterr().err
    assert said == f"kpviz: Old spellings, accepted until the next release. Now: kpviz {shlex.join(now.split())}\n"
    assert cli._renewed(now.split()) == now.split()
    assert capsys.readouterr().err == ""
    cli._parser().parse_args(now.split())


def test_what_is_spelt_as_before_is_done(kpviz):
    code, output, complaint = kpviz("train", "?", "--csv", "-", "--quiet")
    assert (code, output) == kpviz("train", "?", "-o", "-", "--quiet")[:2]
    assert (
        complaint == "kpviz: Old spellings, accepted until the next release. Now: kpviz train '?' --out=csv:- --quiet\n"
    )
