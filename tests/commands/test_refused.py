"""What `kpviz train` and `kpviz plot` refuse: one line and the right exit code, whatever is given."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from links import HOSTILE

from kpviz import experiment
from kpviz.settings import from_query


def is_one_line(text):
    return text.startswith("kpviz: ") and text.endswith(".\n") and text.count("\n") == 1 and len(text) < 500


NOTHING_TO_TRAIN = {
    "nothing.csv": "There is no file 'nothing.csv'",
    "moons": "There is no file 'moons'",
    ".": "cannot be read: Is a directory",
    "data=file&file=a.csv": "does not hold the rows",
    "data=drawn": "no examples to learn from",
    "v=1&data=drawn&points=~0123456789ab": "only names its drawn points",
    "v=1&data=drawn&points=zzz": "The drawn points of this link cannot be read",
    "http://[::1/?v=1": "This link cannot be read",
    "http://localhost:8501/fisher?data=moons": "Fisher’s discriminant",
    "empty.csv": "is empty",
    "wrong.json": "is not JSON",
    "huge.csv": "larger than 20 MB",
    "run.json": "holds a run, not settings",
    "picture.csv": "is not a table as text",
}


@pytest.mark.parametrize(("source", "why"), NOTHING_TO_TRAIN.items())
@pytest.mark.parametrize("command", [["train"], ["plot", "--out=a.png"]], ids=["train", "plot"])
def test_what_holds_nothing_to_train_on_is_refused_in_one_line(kpviz, command, source, why):
    Path("empty.csv").touch()
    Path("wrong.json").write_text("wrong")
    Path("run.json").write_text('{"kpviz": "run"}')
    Path("picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00" * 99)
    with open("huge.csv", "wb") as file:
        file.truncate(100_000_000)
    code, output, complaint = kpviz(*command, source)
    assert (code, output) == (1, "")
    assert is_one_line(complaint)
    assert why in complaint


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("no/a.png", "there is no folder 'no'"),
        (".", "is a folder"),
        ("/dev/null/a.png", "no folder"),
        (f"{300 * 'a'}.png", "File name too long"),
    ],
)
def test_where_nothing_can_be_written_no_work_begins(kpviz, monkeypatch, target, why):
    monkeypatch.setattr(experiment, "run", None)
    code, output, complaint = kpviz("train", "?", f"--csv={target}")
    assert (code, output) == (1, "")
    assert is_one_line(complaint)
    assert why in complaint


def test_a_file_without_the_right_to_write_it_is_refused(kpviz, monkeypatch):
    Path("run.csv").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "run.csv")
    assert kpviz("train", "?", "--csv=run.csv") == (
        1,
        "",
        "kpviz: 'run.csv' cannot be written: permission denied.\n",
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("options", [[], ["--csv=-", "--quiet"]], ids=["report", "run"])
def test_standard_output_that_is_full_is_said_in_one_line(options):
    command = [sys.executable, "-m", "kpviz.cli", "train", "?n=4", *options]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (1, "kpviz: The output cannot be written: No space left on device.\n")


@pytest.mark.parametrize("outputs", [("--csv=a", "--json=a"), ("--csv=-", "--json=-"), ("--csv=a", "--json=./a")])
def test_two_things_in_one_place_are_refused(kpviz, outputs):
    code, _, complaint = kpviz("train", "?", *outputs)
    assert code == 1
    assert is_one_line(complaint)


def test_a_link_that_can_be_used_in_part_is_used_with_a_word_and_refused_if_strict(kpviz):
    link = "data=moons&sigma=99&nonsense=1"
    expected = f"kpviz: {from_query(link)[1]}\n"
    assert kpviz("train", link, "--quiet") == (0, "", expected)
    assert kpviz("train", link, "--quiet", "--strict") == (1, "", expected)


def test_a_comparison_that_is_not_known_is_said_and_refused_if_strict(kpviz):
    why = "Parts of this link could not be used: compare names a comparison that is not known."
    code, _, complaint = kpviz("train", "compare=swm")
    assert (code, complaint) == (0, f"kpviz: {why}\n")
    assert kpviz("train", "compare=swm", "--strict")[0] == 1


@pytest.mark.parametrize("link", ["https://example.org/", "http://localhost:8501", "https://example.org/?page=2"])
def test_an_address_without_settings_is_refused_and_trains_nothing(kpviz, monkeypatch, link):
    monkeypatch.setattr(experiment, "run", None)
    message = f"kpviz: The link {link!r} holds no settings of kpviz: copy one from the app by the key Y.\n"
    assert kpviz("train", link) == (1, "", message)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("sigma=99", "sigma=99 is outside 0.02 to 10"),
        ("degree=3", "degree does not apply, because Gaussian has no q"),
    ],
)
def test_a_value_that_cannot_be_set_is_said_and_refused_if_strict(kpviz, change, why):
    expected = f"kpviz: Parts of --set could not be used as they are: {why}.\n"
    assert kpviz("train", "?", "--quiet", "--set", change) == (0, "", expected)
    assert kpviz("train", "?", "--quiet", "--set", change, "--strict") == (1, "", expected)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("train",), "LINK-OR-FILE"),
        (("train", "?", "--set", "sigma"), "'sigma' is not NAME=VALUE"),
        (("train", "?", "--set", "sgima=1"), "did you mean 'sigma'?"),
        (("train", "?", "--set", "=1"), "--list-settings"),
        (("train", "?", "--set", "sigma=wide"), "'wide' is not a value of 'sigma': give a number."),
        (("train", "?", "--set", "n=inf"), "give a finite number."),
        (("train", "?", "--set", "learner=svn"), "'svn' is not a value of 'learner': did you mean 'svm'?"),
        (("train", "?", "--set", "order=9"), "give one of cyclic, shuffled, random, hand."),
        (("trian", "?"), "'trian' is not a command: did you mean 'train'?"),
        (
            ("film", "?"),
            "'film' is not a command: give one of app, train, sweep, plot, render, lesson, grade, worksheet.",
        ),
        (("app", "settings.json"), "'settings.json' is not a link: copy one from the app by the key Y."),
        (("app", "https://example.org/"), "holds no settings of kpviz"),
        (("train", "?", "--nonsense"), "unrecognized"),
        (("plot", "?"), "--out"),
        (("plot", "?", "--out", "a.jpg"), "does not end in .png, .svg or .pdf"),
        (("plot", "?", "--out", "a.png", "--step", "-1"), "is not a step"),
        (("plot", "?", "--out", "a.png", "--step", "1.5"), "is not a step"),
        (("plot", "?", "--out", "a.png", "--theme", "blue"), "invalid choice"),
        (("plot", "?", "--out", "a.png", "--size", "10x10"), "is not a size"),
        (("plot", "?", "--out", "a.png", "--size", "big"), "is not a size"),
    ],
)
def test_what_is_misspelt_leaves_with_2_and_says_why(kpviz, arguments, why):
    code, output, complaint = kpviz(*arguments)
    assert (code, output) == (2, "")
    assert re.match(rf"kpviz( {arguments[0]})?: error: ", complaint.splitlines()[-1])
    assert why in complaint.splitlines()[-1]


def test_numbers_that_are_too_large_for_the_kernel_are_refused_in_one_line(kpviz):
    Path("large.csv").write_text("a,b,c\n1e90,2,x\n3,4e90,y\n")
    code, _, complaint = kpviz("train", "large.csv", "--set=scale=none", "--set=kernel=polynomial", "--set=degree=8")
    assert code == 1
    assert is_one_line(complaint)


@pytest.mark.parametrize("part", ["{}", "?data={}", "?sigma={}", "data={}&points={}", "http://{}/?{}={}"])
def test_whatever_is_given_the_answer_is_a_run_or_one_line(kpviz, part):
    for text in HOSTILE:
        source = part.format(*[text[:2000]] * part.count("{}"))
        if source.startswith("-") and source != "-":
            continue  # options
        code, _, complaint = kpviz("train", source.encode(errors="replace").decode(), "--set=epochs=1", "--set=n=10")
        assert code in (0, 1), source
        assert complaint == "" or is_one_line(complaint), (source, complaint)
        assert complaint or code == 0
