"""What is refused, and in which words: one line and the right exit code, whatever is given; nothing
is written.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest
from links import HOSTILE
from visitor import ask

from kpviz import experiment
from kpviz.lessons.file import format
from kpviz.settings import Settings, from_query

EXAMPLE = (Path(__file__).parents[1] / "lessons" / "example.kpviz.md").read_text(encoding="utf-8")
NOTHING_TO_TRAIN = {
    "nothing.csv": "There is no file 'nothing.csv'",
    "moons": "There is no file 'moons'",
    "": "There is no file ''",
    ".": "cannot be read: Is a directory",
    "data=file&file=a.csv": "does not hold the rows",
    "data=drawn": "no examples to learn from",
    "v=1&data=drawn&points=~0123456789ab": "only names its drawn points",
    "v=1&data=drawn&points=zzz": "The drawn points of this link cannot be read",
    "http://[::1/?v=1": "This link cannot be read",
    "http://localhost:8501/fisher?data=moons": "Fisher’s discriminant",
    "https://example.org/": "The link 'https://example.org/' holds no settings of kpviz: copy one "
    "from the app",
    "https://example.org/?page=2": "holds no settings of kpviz",
    "empty.csv": "is empty",
    "wrong.json": "is not JSON",
    "huge.csv": "larger than 20 MB",
    "run.json": "holds a run, not settings",
    "picture.csv": "is not a table as text",
    "compare=swm": "used: compare names a comparison that is not known (did you mean 'svm'?) "
    "(--lenient",
    "data=moons&sigma=99": "could not be used as they are: sigma=99 is outside 0.02 to 10 "
    "(--lenient goes on",
    "sigmaa=1": "sigmaa is not a setting (did you mean 'sigma'?) (--lenient goes on",
    "data=xorr": "data=xorr is unknown (did you mean 'xor'?)",
    "lesson=lesson-1&scene=2": "There is no lesson 'lesson-1' on this computer",
    "kernel=formula&formula=log(dot(u,v))": "log takes numbers above 0",
}
WRONG_IN_LINKS = [  # what is not wrong in a link, and the setting that is
    ({"data": "bits"}, "function", "x1 &", "At character 5: a bit, such as x1, is missing"),
    ({"kernel": "formula"}, "formula", "dot(u,", "At character"),
    ({"kernel": "formula"}, "formula", "u.__class__", "At character"),
    ({"data": "texts"}, "added", "goal", "begins with 'g': it must begin with its class"),
    ({"data": "texts"}, "added", "+…", "holds no word"),
    ({"data": "trees"}, "added", "+(S you", "is not a tree: at its end 1 bracket is still open"),
    ({"data": "graphs"}, "ask", "CCO 1-9", "is not a graph: edge 1-9 leads to no vertex"),
    ({"data": "texts"}, "kernel", "gaussian", "compares vectors, and these data are texts"),
    ({"data": "moons"}, "sigma", "wide", "is not a number"),
    ({}, "learner", "svn", "is unknown"),
]
WRONG = {  # exit code 1
    "train ? -o no/a.csv": "there is no folder 'no'",
    "train ? -o csv:.": "is a folder",
    f"train ? -o {300 * 'a'}.csv": "File name too long",
    "train ? -o a.csv -o ./a.csv": "Two things would be written to './a.csv'",
    "train ? -o - -o json:-": "Two things would be written to '-'",
    "train ? --set sigma=99": "Parts of --set could not be used as they are: sigma=99 is outside "
    "0.02 to 10 (--lenient",
    "train ? --set degree=3": "degree does not apply, because Gaussian has no q",
    "train data=bits --set n=9": "n does not apply, because all of these examples are shown",
    "train large.csv --set scale=none --set kernel=polynomial --set "
    "degree=8": "scale the examples down",
    "plot n=10 n=12 -o a.png": "Two things would be written to 'a.png'",
    "plot n=10 -o a.png --step 0 --step 1": "Two things would be written to 'a.png'",
    "plot n=10 -o {colour}.png": "The braces of '{colour}.png' cannot be read: use {number}, "
    "{step}, {data}",
    "plot n=10 n=12 -o -": "Two things would be written to '-'",
    "plot n=10 absent.json -o {number}.png": "There is no file 'absent.json'",
    "plot n=10&t=abc -o a.png": "t is not a step",
    "plot n=10&show=nonsense -o a.png": "show names a panel that is not known",
    "plot pins=9&p1.kernel=none -o a.png": "Parts of this link could not be used",
    "plot pins=1&p1.kernel=linear --set data=texts -o a.png": "their kernels cannot compare such "
    "examples",
    "plot n=10 --step 9999 -o a.png": "Step 9,999 is beyond the end: this run has",
    "plot n=10 --panel own -o a.png": "This learner has no panel of its own",
    "render n=20 --cues none.txt -o l.mp4": "The file of cues 'none.txt' cannot be read: No such "
    "file",
    "render n=20 --cues bytes.txt -o l.mp4": "The file of cues 'bytes.txt' is not a text: save it "
    "as UTF-8.",
    "render n=20 --cues huge.txt -o l.mp4": "larger than 0.1 MB",
    "render n=20 --cues wrong.txt -o l.mp4": "Line 2 of the cues cannot be read at 'soon'",
    "render n=20 -o nowhere/l.mp4": "there is no folder 'nowhere'",
    "render n=20 -o mp4:film": "'film' is not the name of a film: it must end in .mp4.",
    "render n=20 -o l.html --size 720p --to 9": "A page is the player itself and has no --size, "
    "--to",
    "render n=20 -o l.html --speed 20": "--speed 20 is not possible for a page: give 0.0375 to 9.",
    "render lecture.kpviz.md -o l.mp4 --cues wrong.txt --to 3": "A lesson has its own links and "
    "has no --cues, --to",
    "render lecture.kpviz.md -o l.mp4 --speed 0": "Scene 1, 'Two classes that no line splits': "
    "speed=0 must be",
    "render bad.kpviz.md -o l.mp4": "'bad.kpviz.md' is not a lesson without faults: kpviz lesson "
    "check names them.",
    "render copy.kpviz.md -o l.html": "copy without solutions",
    "render lecture.kpviz.md -o l.html --address here": "begins with http:// or https://",
    "render file.kpviz.md -o l.mp4": "Scene 1, 'S': The link does not hold the rows of a file",
    "app none.json": "There is no file 'none.json': give a link in quotation marks, a settings "
    "file or a table.",
    "app none.kpviz.md": "There is no lesson 'none.kpviz.md': kpviz lesson list names",
    "lesson check none.kpviz.md": "There is no lesson 'none.kpviz.md': kpviz lesson list names",
    "lesson check .": "Is a directory",
    "lesson check huge.kpviz.md": "is larger than 2 MB",
    "lesson students lecture.kpviz.md -o lecture.kpviz.md": "it would take the place of",
    "lesson students lecture.kpviz.md -o no/copy": "there is no folder 'no'",
    "lesson copy none -o a": "There is no lesson 'none'",
    "lesson join first:1 -o a": "There is no lesson 'first': give lesson-01-first-steps.",
    "lesson join lecture.kpviz.md:3 -o a": "'lecture.kpviz.md' has 2 scenes, and no scene 3.",
    "lesson join lecture.kpviz.md:2-1 -o a": "'lecture.kpviz.md' has no scenes 2-1: write the "
    "smaller number first.",
    "lesson join copy.kpviz.md -o a": "'copy.kpviz.md' is a copy without solutions, or cues",
    "lesson slides lecture.kpviz.md -o no/slides": "there is no folder 'no'",
    "lesson slides lecture.kpviz.md -o lecture.kpviz.md": "'lecture.kpviz.md' is a file: name a "
    "new folder.",
    "lesson slides cues.txt -o slides": "Scene 1, 'XOR': There is no link: write link: "
    "v=1&data=xor below its heading.",
    "lesson handout copy.kpviz.md": "There is nothing to write",
    "lesson handout copy.kpviz.md -o a.pdf --solutions a.pdf": "Two things would be written",
    "lesson handout copy.kpviz.md --solutions a.pdf": "copy without solutions",
    "lesson worksheet v=1": "There is nothing to write",
    "lesson worksheet v=1 -o a.pdf --from 100000": "begins after step 100,000",
    "lesson grade none": "'none' is not a folder",
    "lesson grade empty": "There are no files of results (.json) in 'empty'",
    "lesson grade . --lesson none.kpviz.md": "There is no lesson 'none.kpviz.md'",
    "lesson grade . --lesson copy.kpviz.md": "copy without solutions",
    "lesson grade . -o no/grades.csv": "there is no folder 'no'",
}
MISSPELT = {  # exit code 2
    "train": "LINK-OR-FILE",
    "train ? --set sigma": "'sigma' is not NAME=VALUE",
    "train ? --set sgima=1": "did you mean 'sigma'?",
    "train ? --set =1": "--list-settings",
    "train ? --set sigma=wide": "'wide' is not a value of 'sigma': give a number.",
    "train ? --set n=inf": "give a finite number.",
    "train ? --set learner=svn": "'svn' is not a value of 'learner': did you mean 'svm'?",
    "train ? --set order=9": "give one of cyclic, shuffled, random, first-mistake, "
    "random-mistake, hand.",
    "train ? --nonsense": "unrecognized",
    "train ? -o a.txt": "does not end in .csv, .settings.json, .json, .py or .ipynb.",
    "trian ?": "'trian' is not a command: did you mean 'train'?",
    "film ?": "'film' is not a command: give one of app, train, sweep, plot, render, lesson, "
    "site, doctor, completion.",
    "app none": "'none' is neither a link nor a file: copy a link from the app by the key Y, or "
    "name a lesson’s file",
    "app .": "'.' is a folder: kpviz app --lessons serves one of lessons.",
    "app https://example.org/": "holds no settings of kpviz",
    "app --lessons none": "'none' is not a folder: name one that holds lessons",
    "plot ?": "--out",
    "plot ? -o a.jpg": "does not end in .png, .svg or .pdf",
    "plot ? -o a.png --step -1": "is not a step",
    "plot ? -o a.png --theme blue": "invalid choice",
    "plot ? -o a.png --size 10x10": "is not a size",
    "plot ? -o a.png --panel sentence": "invalid choice",
    "render ? -o l.avi": "'l.avi' does not end in .html, .mp4, .vtt or .srt.",
    "render ? -o l.mp4 --size 641x360": "'641x360' is not a size for a film: give even numbers.",
    "render ? -o l.mp4 --fps 29": "invalid choice: 29",
    "lesson chek": "invalid choice: 'chek'",
    "lesson handout lecture.kpviz.md -o a.html": "does not end in .pdf.",
    "lesson worksheet ? --steps 25": "is not a number of steps: give 1 to 24.",
}


@pytest.fixture(autouse=True)
def files(folder):
    (folder / "empty.csv").touch()
    (folder / "empty").mkdir()
    (folder / "wrong.json").write_text("wrong")
    (folder / "run.json").write_text('{"kpviz": "run"}')
    (folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00" * 99)
    (folder / "large.csv").write_text("a,b,c\n1e90,2,x\n3,4e90,y\n")
    (folder / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    (folder / "wrong.txt").write_text("start\nsoon: now")
    (folder / "cues.txt").write_text("title: XOR\nstart: No line.\n")
    (folder / "lecture.kpviz.md").write_text(EXAMPLE, encoding="utf-8")
    (folder / "copy.kpviz.md").write_text(format.read(EXAMPLE).for_students, encoding="utf-8")
    (folder / "bad.kpviz.md").write_text("## x", encoding="utf-8")
    (folder / "file.kpviz.md").write_text(
        "---\ntitle: T\n---\n## S\nlink: v=1&data=file\n", encoding="utf-8"
    )
    for name, size in (
        ("huge.csv", 100_000_000),
        ("huge.txt", 1_000_000),
        ("huge.kpviz.md", 3_000_000),
    ):
        with open(folder / name, "wb") as file:
            file.truncate(size)


def is_one_line(text):
    return (
        text.startswith("kpviz: ")
        and text.endswith(".\n")
        and text.count("\n") == 1
        and len(text) < 500
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        *((["train", source], why) for source, why in NOTHING_TO_TRAIN.items()),
        *((a.split(), w) for a, w in WRONG.items()),
    ],
    ids=lambda each: " ".join(each)[:60] if isinstance(each, list) else "",
)
def test_what_cannot_be_is_refused_in_one_line_and_nothing_is_written(kpviz, arguments, why):
    before = sorted(os.listdir())
    code, output, complaint = kpviz(*arguments)
    assert (code, output) == (1, "")
    assert is_one_line(complaint), complaint
    assert why in complaint
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(("given", "name", "text", "why"), WRONG_IN_LINKS)
def test_what_is_wrong_in_a_link_is_named_alike_in_settings_on_the_page_and_here(
    kpviz, given, name, text, why
):
    made, (problem,) = Settings.repaired({**given, name: text})
    assert made == Settings.of(**given)
    assert problem.startswith(f"{name}={text[:20]}")
    assert why in problem
    link = urlencode({**given, name: text})
    code, output, complaint = kpviz("train", link)
    assert (code, output, is_one_line(complaint)) == (1, "", True)
    (notice,) = ask({"link": link})[0]["notices"]
    value = str(made.values[name])
    used = f", so {value} is used." if 0 < len(value) <= 24 else f"{problem}."
    for words in (complaint, notice["words"], from_query(link)[1]):
        assert f"could not be used as they are: {problem}" in words
        assert (used in words) == (words is not complaint)


@pytest.mark.parametrize(("arguments", "why"), MISSPELT.items())
def test_what_is_misspelt_leaves_with_2_and_one_line(kpviz, arguments, why):
    code, output, complaint = kpviz(*arguments.split())
    assert (code, output) == (2, "")
    assert re.match(r"kpviz( \w+)*: error: .*\n$", complaint)
    assert why in complaint


@pytest.mark.parametrize(
    "arguments",
    ["train ? -o no/a.csv", "plot ? -o a.png --step 1 --step 2", "train https://a.org/"],
)
def test_what_can_be_refused_before_the_work_is(kpviz, monkeypatch, arguments):
    monkeypatch.setattr(experiment, "run", lambda *_: pytest.fail("a run was trained"))
    assert kpviz(*arguments.split())[0] == 1


def test_lenient_goes_on_with_what_is_left_and_says_so(kpviz):
    link = "data=moons&sigma=99&nonsense=1"
    code, output, complaint = kpviz("train", link, "--lenient")
    assert (code, output.startswith("data ")) == (0, True)
    assert complaint.startswith("kpviz: Parts of this link could not be used as they are: ")
    assert "sigma=99 is outside 0.02 to 10, so 10 is used" in complaint
    assert complaint.count("\n") == 1
    assert kpviz("train", "?", "--set", "sigma=99", "--lenient", "--quiet")[::2] == (
        0,
        "kpviz: Parts of --set could not be used as they are: sigma=99 is outside 0.02 to 10, so "
        "10 is used.\n",
    )
    assert (
        kpviz(
            "plot",
            "n=10&t=abc&pins=9",
            "--lenient",
            "-o",
            "{step}.png",
            "--size=320x320",
            "--quiet",
        )[0]
        == 0
    )
    assert Path("end.png").exists()


PRINTED = [
    "train ?n=4",
    "train ?n=4 -o - --quiet",
    "train --list-settings",
    "--help",
    "--version",
    "lesson list",
    "",
]
UNBUFFERED = [
    "train ?n=4",
    "--help",
    "",
]  # what fails while it prints, and not at the end: of each printer one


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize(
    ("line", "buffered"), [*((line, "") for line in PRINTED), *((line, "1") for line in UNBUFFERED)]
)
def test_standard_output_that_is_full_is_said_in_one_line_and_one_that_is_closed_in_none(
    line, buffered
):
    command = [sys.executable, "-m", "kpviz", *line.split()]
    environment = {**os.environ, "PYTHONUNBUFFERED": buffered}
    read, closed = os.pipe()
    os.close(read)
    for number, complaint in (
        (
            os.open("/dev/full", os.O_WRONLY),
            "kpviz: The output cannot be written: No space left on device.\n",
        ),
        (closed, ""),
    ):
        done = subprocess.run(
            command, stdout=number, stderr=subprocess.PIPE, text=True, env=environment
        )
        os.close(number)
        assert (done.returncode, done.stderr) == (1, complaint)


@pytest.mark.parametrize(
    "part", ["{}", "?data={}", "?sigma={}", "data={}&points={}", "http://{}/?{}={}"]
)
@pytest.mark.parametrize("more", [(), ("--lenient",)], ids=["strict", "lenient"])
def test_whatever_is_given_the_answer_is_a_run_or_one_line(kpviz, part, more):
    for text in HOSTILE[len(more) :: 2]:  # one half strictly, one leniently
        source = part.format(*[text[:2000]] * part.count("{}"))
        if source.startswith("-") and source != "-":
            continue  # options
        source = source.encode(errors="replace").decode()
        code, _, complaint = kpviz("train", source, "--set=epochs=1", "--set=n=10", *more)
        assert code in (0, 1), source
        assert complaint == "" or is_one_line(complaint), (source, complaint)
        assert complaint or code == 0


# ---- a stream that is closed is done without, or refused -----------------------------------------

LINK = "data=xor&n=4&epochs=1"


def ran(closed, *arguments):
    """Run kpviz with streams closed, as "1>&-"; return the exit code and what it says."""
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "kpviz", *arguments]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("closed", ["1>&-", "0<&- 1>&- 2>&-"])
def test_a_run_is_written_whatever_streams_are_closed(closed, tmp_path):
    code, _, _ = ran(closed, "train", LINK, "-o", str(tmp_path / "run.csv"))
    assert code == 0
    assert (tmp_path / "run.csv").read_text().startswith("step,")


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--help"], 0), (["nonsense"], 2), (["train", "nonsense.csv"], 1)]
)
def test_help_and_refusals_do_without_a_closed_stream(arguments, code):
    assert ran("1>&- 2>&-", *arguments)[0] == code


@pytest.mark.parametrize(
    ("closed", "arguments", "expected"),
    [
        (
            "1>&-",
            ["train", LINK, "-o", "-"],
            "Standard output is closed: name a file instead of -.",
        ),
        ("1>&-", ["plot", LINK, "-o", "-"], "Standard output is closed: name a file instead of -."),
        (
            "0<&-",
            ["train", "-"],
            "Standard input is closed: give a link, a settings file or a table instead of -.",
        ),
    ],
)
def test_a_closed_stream_that_is_asked_for_is_refused_in_one_line(closed, arguments, expected):
    assert ran(closed, *arguments) == (1, "", f"kpviz: {expected}\n")


def test_what_is_complained_of_does_not_end_up_in_the_output_or_a_file(tmp_path):
    file = tmp_path / "run.json"
    code, output, _ = ran(
        "2>&-", "train", f"{LINK}&sigma=wide", "--lenient", "-o", "-", "-o", str(file), "--quiet"
    )
    assert code == 0
    assert output.startswith("step,")
    assert json.loads(file.read_text())
