"""Laws of all that commands and runs write: the old bytes are whole, and one sentence says why
nothing was written.

Every command that writes stands in these tables, which a test compares with what can be typed.
"""

import contextlib
import io
import os
import stat
import sys
from functools import cache
from pathlib import Path

import pytest
from limits import can_be_kept, files_of_at_most, permissions_kept
from parsers import commands

import kpviz
from kpviz import cli, experiment
from kpviz.api import Run
from kpviz.export import films
from kpviz.export.page import pythons

OLD = b"what was there before"
LESSON = "---\ntitle: T\n---\n## S\nlink: v=1&n=4&epochs=1\n```cues\nstart hold 0.1: A\n```\n"
RUN = "data=xor&n=4&epochs=1&cues=start%20hold%200.1%3A%20A"
FILM = ["--size", "320x320", "--fps", "24", "--title", "", "--speed", "8"]
# What is typed before the name that is written, and its prefix, with which it may have any ending.
OUTPUTS = {
    "train csv": (["train", RUN, "--quiet", "-o"], "csv:"),
    "train json": (["train", RUN, "--quiet", "-o"], "json:"),
    "train settings": (["train", RUN, "--quiet", "-o"], "settings.json:"),
    "train script": (["train", RUN, "--quiet", "-o"], "py:"),
    "train notebook": (["train", RUN, "--quiet", "-o"], "ipynb:"),
    "sweep": (["sweep", RUN, "sigma", "--values", "1,2", "-o"], ""),
    "plot png": (["plot", RUN, "--panel", "map", "--size", "320x320", "-o"], "png:"),
    "plot svg": (["plot", RUN, "--panel", "map", "--size", "320x320", "-o"], "svg:"),
    "plot pdf": (["plot", RUN, "--panel", "map", "--size", "320x320", "-o"], "pdf:"),
    "render page": (["render", RUN, "-o"], "html:"),
    "render captions": (["render", RUN, "-o"], "vtt:"),
    "render subtitles": (["render", RUN, "-o"], "srt:"),
    "render film": (["render", RUN, *FILM, "-o"], "mp4:"),
    "render lesson page": (["render", "l.kpviz.md", "-o"], "html:"),
    "lesson students": (["lesson", "students", "l.kpviz.md", "-o"], ""),
    "lesson join": (["lesson", "join", "l.kpviz.md:1", "-o"], ""),
    "lesson copy": (["lesson", "copy", "l.kpviz.md", "-o"], ""),
    "lesson handout": (["lesson", "handout", "l.kpviz.md", "-o"], "pdf:"),
    "lesson handout solutions": (["lesson", "handout", "l.kpviz.md", "--solutions"], "pdf:"),
    "lesson worksheet": (["lesson", "worksheet", RUN, "--steps", "1", "-o"], "pdf:"),
    "lesson worksheet solutions": (
        ["lesson", "worksheet", RUN, "--steps", "1", "--solutions"],
        "pdf:",
    ),
    "lesson slides": (["lesson", "slides", "l.kpviz.md", "--size", "320x320", "-o"], ""),
    "lesson grade": (
        ["lesson", "grade", "handed", "--lesson", "l.kpviz.md", "--report", "r.md", "-o"],
        "",
    ),
    "lesson grade report": (
        ["lesson", "grade", "handed", "--lesson", "l.kpviz.md", "-o", "g.csv", "--report"],
        "",
    ),
    "completion": (["completion", "bash", "-o"], ""),
    "run.page": ("page", ""),
    "run.film": ("film", ""),
}
ENDINGS = {
    "render film": ".mp4",
    "run.film": ".mp4",
    "run.page": ".html",
    "lesson slides": ".pdf",
}  # those they must have
FOLDERS = {
    "lesson slides": ["lesson", "slides", "l.kpviz.md", "--size", "320x320", "-o"],
    "lesson site": ["lesson", "site", "shelf"],
    "site": ["site", "--board", "--python", "wasi"],
}
TABLE = "a,b,c\n1,2,x\n3,4,y\n"
# A file, what it holds, and what is typed of a command that reads it, before the name of its
# output.
SOURCES = {
    "train source": ("own.csv", TABLE, "train own.csv -o csv:"),
    "train settings source": ("own.settings.json", "{}", "train own.settings.json -o json:"),
    "train lesson source": ("shelf/own.kpviz.md", LESSON, "train lesson=own&scene=1 -o csv:"),
    "sweep source": ("own.csv", TABLE, "sweep own.csv degree -o "),
    "plot source": ("own.csv", TABLE, "plot data=xor own.csv -o png:"),
    "render source": ("own.csv", TABLE, "render own.csv -o html:"),
    "render lesson source": ("own.kpviz.md", LESSON, "render own.kpviz.md -o vtt:"),
    "render cues": ("own.txt", "start: A", "render data=xor --cues own.txt -o srt:"),
    "lesson students file": ("own.kpviz.md", LESSON, "lesson students own.kpviz.md -o "),
    "lesson join files": ("own.kpviz.md", LESSON, "lesson join l.kpviz.md own.kpviz.md:1 -o "),
    "lesson copy file": ("own.kpviz.md", LESSON, "lesson copy own.kpviz.md -o "),
    "lesson handout file": ("own.kpviz.md", LESSON, "lesson handout own.kpviz.md -o pdf:"),
    "lesson handout file solutions": (
        "own.kpviz.md",
        LESSON,
        "lesson handout own.kpviz.md --solutions pdf:",
    ),
    "lesson slides file": ("own.pdf", LESSON, "lesson slides own.pdf -o "),
    "lesson worksheet source": ("own.csv", TABLE, "lesson worksheet own.csv -o pdf:"),
    "lesson worksheet source solutions": (
        "own.csv",
        TABLE,
        "lesson worksheet own.csv --solutions pdf:",
    ),
    "lesson grade folder": ("handed/own.json", "{}", "lesson grade handed -o "),
    "lesson grade folder report": (
        "handed/own.json",
        "{}",
        "lesson grade handed -o g.csv --report ",
    ),
    "lesson grade lesson": (
        "own.kpviz.md",
        LESSON,
        "lesson grade handed --lesson own.kpviz.md -o ",
    ),
    "lesson grade lesson folder": (
        "shelf/own.kpviz.md",
        LESSON,
        "lesson grade handed --lesson shelf -o ",
    ),
}
NOT_FILES = {  # what can be typed of commands that write, and is no name of a file that is read
    "address",
    "all_rows",
    "back",
    "board",
    "cdn",
    "first",
    "format",
    "fps",
    "has_solutions",
    "help",
    "jobs",
    "last",
    "lenient",
    "list_settings",
    "name",
    "no_words",
    "out",
    "panel",
    "papers",
    "python",
    "quiet",
    "report",
    "seeds",
    "set",
    "shell",
    "size",
    "solutions",
    "speed",
    "step",
    "steps",
    "theme",
    "title",
    "transparent",
    "values",
    "vary",
}


@pytest.fixture(autouse=True)
def files(folder, monkeypatch):
    (folder / "l.kpviz.md").write_text(LESSON)
    (folder / "shelf").mkdir()
    (folder / "shelf" / "own.kpviz.md").write_text(LESSON)
    (folder / "handed").mkdir()
    (folder / "handed" / "ada.json").write_text("{}")
    (folder / "here").mkdir()
    monkeypatch.setenv("KPVIZ_LESSONS", str(folder / "shelf"))


@cache
def opened():
    return kpviz.load(RUN)


def run(what, target):
    """Write `target` as the line of the table says; return the exit code and what is
    complained of.
    """
    start, prefix = OUTPUTS[what] if isinstance(what, str) else what
    complaint = io.StringIO()
    if isinstance(start, str):
        choices = {"last": 0, "title": None, "width": 320, "height": 320} if start == "film" else {}
        try:
            getattr(opened(), start)(target, **choices)
        except ValueError as error:
            return 1, f"kpviz: {error}\n"
        return 0, ""
    with contextlib.redirect_stderr(complaint), contextlib.redirect_stdout(io.StringIO()):
        try:
            code = cli.main([*start, f"{prefix}{target}"])
        except SystemExit as left:
            code = left.code
    lines = complaint.getvalue().splitlines(keepends=True)
    own = [line for line in lines if "'ada.json'" not in line and not line.startswith("wrote ")]
    return code if own or what not in ("lesson grade", "lesson grade report") else 0, "".join(own)


def state_of(folder):
    """All that is below a folder: kinds, permissions and bytes."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


def is_refused(what, target, words, code=1):
    answer, complaint = run(what, target)
    assert (answer, complaint.count("\n")) == (code, 1), complaint
    assert complaint.startswith("kpviz")
    assert complaint.endswith(".\n")
    assert words in complaint
    return complaint


every_output = pytest.mark.parametrize("what", OUTPUTS)


@pytest.fixture
def before_the_work(monkeypatch):
    opened()
    for place, name in (
        (experiment, "run"),
        (Run, "_page_text"),
        (films, "film"),
        (Path, "read_text"),
    ):
        monkeypatch.setattr(place, name, lambda *_, name=name: pytest.fail(f"{name} was called"))


def test_every_command_that_writes_is_in_these_tables():
    named, read = set(), set()
    for command, parser in commands().items():
        arguments = {action.dest for action in parser._actions}
        if not arguments & {"out", "report"}:
            continue
        reads = parser.get_default("reads")
        assert not arguments - {*reads, *NOT_FILES}, (
            "what it reads is added by _add_input of kpviz/cli.py"
        )
        written = arguments & {"solutions", "report"}
        named |= {command if command in FOLDERS else ""} - {""}
        named |= {f"{command} {name}" for name in written}
        read |= {f"{command} {name}" for name in reads}
        assert any(what.startswith(command) for what in {**OUTPUTS, **FOLDERS}), command
    assert named <= {*OUTPUTS, *FOLDERS}
    folders = {"lesson site sources", "lesson site pyodide", "site course", "site pyodide"}
    assert read - folders <= {*SOURCES}
    prefixes = {prefix for what, (_, prefix) in OUTPUTS.items() if what.startswith("render")}
    assert prefixes == {f"{kind}:" for kind in cli._FILMS}


@every_output
def test_what_is_there_is_replaced_and_stays_what_it_was(folder, what):
    name = f"here/x{ENDINGS.get(what, '.x')}"
    Path(name).write_bytes(b"" if what != "lesson copy" else LESSON.encode())
    Path(name).chmod(0o640)
    link = f"link{ENDINGS.get(what, '.x')}"
    Path(link).symlink_to(name)
    assert run(what, link) == (0, "")
    assert Path(name).read_bytes()
    assert stat.S_IMODE(Path(name).stat().st_mode) == 0o640
    assert Path(link).is_symlink()
    assert os.listdir("here") == [Path(name).name]
    assert not list(folder.rglob(".kpviz-*"))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@every_output
def test_where_it_has_no_room_the_old_one_is_whole(folder, what):
    name = f"here/x{ENDINGS.get(what, '.x')}"
    Path(name).write_bytes(OLD if what != "lesson copy" else LESSON.encode())
    Path("r.md").touch()
    Path("g.csv").touch()
    before = state_of(folder)
    with files_of_at_most(0 if what in ("render captions", "render subtitles") else 20):
        is_refused(what, name, "cannot be written: no file may be so large there.")
    after = state_of(folder)
    assert {**after, "g.csv": before["g.csv"]} == before


@every_output
def test_what_cannot_be_written_is_refused_before_the_work(folder, what, before_the_work):
    ending = ENDINGS.get(what, ".x")
    for name in ("circle", "round"):
        Path(f"{name}{ending}").symlink_to(f"{'round' if name == 'circle' else 'circle'}{ending}")
    Path(f"folder{ending}").mkdir()
    Path(f"read{ending}").write_bytes(OLD)
    Path(f"read{ending}").chmod(0o400)
    Path("closed").mkdir()
    Path("closed").chmod(0o500)
    before = state_of(folder)
    for name, words in (
        (f"circle{ending}", "its symbolic links lead in a circle"),
        (f"folder{ending}", "is a folder: name a file in it"),
        (f"none/x{ending}", "there is no folder 'none'"),
        (f"l.kpviz.md/x{ending}", "there is no folder 'l.kpviz.md'"),
        (f"{300 * 'a'}{ending}", "File name too long"),
        (f"a\0b{ending}", "no file can have this name"),
    ):
        is_refused(what, name, words)
    if can_be_kept():
        with permissions_kept():
            is_refused(what, f"read{ending}", "cannot be written: permission denied")
            is_refused(what, f"closed/new{ending}", "cannot be written: permission denied")
    assert state_of(folder) == before


def names_of(folder, own):
    """Write the names of a file, all but its first made by links."""
    ending = "".join(Path(own).suffixes)
    Path(f"link{ending}").symlink_to(own)
    Path(f"hard{ending}").hardlink_to(own)
    Path("linked").symlink_to(".")
    return [
        own,
        f"./{own}",
        f"here/../{own}",
        f"linked/{own}",
        f"link{ending}",
        f"hard{ending}",
        str(folder / own),
    ]


@pytest.mark.parametrize("what", SOURCES)
def test_no_output_takes_the_place_of_what_it_is_made_from(folder, what, before_the_work):
    own, content, line = SOURCES[what]
    Path(own).write_text(content)
    names = names_of(folder, own)
    before = state_of(folder)
    *start, prefix = line.split(" ")
    for name in names:
        complaint = is_refused((start, prefix), name, "it would take the place of '")
        assert complaint.endswith("', from which it is made: name another file.\n")
    assert state_of(folder) == before


@pytest.mark.parametrize(("own", "method"), [("own.html", "page"), ("own.mp4", "film")])
def test_no_page_or_film_takes_the_place_of_what_its_run_is_made_from(folder, own, method):
    Path(own).write_text(TABLE)
    names = names_of(folder, own)
    before = state_of(folder)
    run = kpviz.load(own)
    for name in names:
        with pytest.raises(
            ValueError,
            match=r"it would take the place of '.*', from which it is made: name another",
        ):
            getattr(run, method)(name)
    assert state_of(folder) == before


@pytest.mark.parametrize("what", FOLDERS)
def test_a_folder_that_somebody_has_filled_is_refused_before_the_work(
    folder, what, before_the_work
):
    Path("full").mkdir()
    Path("full/01.png").write_bytes(OLD)
    Path("circle").symlink_to("circle")
    Path("closed").mkdir(mode=0o500)
    before = state_of(folder)
    start = (FOLDERS[what], "")
    is_refused(
        start, "full", "'full' is there and not empty: name a new folder, or remove it first."
    )
    is_refused(start, "l.kpviz.md", "'l.kpviz.md' is a file: name a new folder.")
    is_refused(start, "none/new", "'none/new' cannot be written: there is no folder 'none'.")
    is_refused(start, "circle", "its symbolic links lead in a circle")
    is_refused(start, 300 * "a", "File name too long")
    if can_be_kept():
        with permissions_kept():
            is_refused(start, "closed/new", "permission denied")
    assert state_of(folder) == before


# It takes some seconds, and is the same in each folder.
packed_python = cache(pythons.wasi)


@pytest.mark.parametrize("what", FOLDERS)
@pytest.mark.parametrize("place", ["new", "here"])
def test_a_folder_is_written_whole_or_not_at_all(folder, what, place, monkeypatch):
    monkeypatch.setattr(pythons, "wasi", packed_python)
    before = state_of(folder)
    with files_of_at_most(20):
        is_refused(
            (FOLDERS[what], ""),
            place,
            f"{place!r} cannot be written: no file may be so large there.",
        )
    assert state_of(folder) == before
    assert run((FOLDERS[what], ""), place) == (0, "")
    assert len(os.listdir(place)) >= 2
    assert not list(folder.rglob(".kpviz-*"))


def test_a_copy_of_a_lesson_that_somebody_has_worked_on_stays(kpviz):
    copied = ("lesson", "copy", "lesson-07-width", "-o", "l.kpviz.md", "--quiet")
    before = Path("l.kpviz.md").read_bytes()
    code, _, complaint = kpviz(*copied)
    assert (code, Path("l.kpviz.md").read_bytes()) == (1, before)
    assert complaint == (
        "kpviz: 'l.kpviz.md' is there, and is no lesson as it comes with kpviz: name another "
        "file, or remove that one "
        "first.\n"
    )
    Path("l.kpviz.md").unlink()
    assert kpviz(*copied) == kpviz(*copied) == (0, "", "")
    assert kpviz("lesson", "copy", "lesson-01-first-steps", "-o", "l.kpviz.md", "--quiet") == (
        0,
        "",
        "",
    )


def test_a_table_of_grades_is_not_put_where_it_is_taken_for_results(kpviz):
    code, _, complaint = kpviz("lesson", "grade", "handed", "-o", "handed/grades.json")
    assert (code, os.listdir("handed")) == (1, ["ada.json"])
    assert "would be taken for the results of a student" in complaint
