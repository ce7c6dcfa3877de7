"""The command line: what can be typed.

What a command does is in kpviz/commands, loaded when it is asked for.

Tests: tests/test_cli.py, tests/commands/test_refused.py.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import kpviz
from kpviz import packages, panels
from kpviz.commands import Target, quoted, until_terminated
from kpviz.export import PICTURES, RATES, SIZES

_COMMANDS = ("app", "train", "sweep", "plot", "render", "lesson", "site", "doctor", "completion")
_FILMS = ("html", "mp4", "vtt", "srt")
_ABOUT = """
examples:
  kpviz app
  kpviz train 'data=moons&kernel=gaussian&sigma=0.3' -o run.csv
  kpviz plot 'http://localhost:8501/?v=1&data=circles&t=12' -o step-12.png
  kpviz render 'data=xor' -o xor.mp4 -o xor.srt
  kpviz lesson check perceptron.kpviz.md

kpviz COMMAND --help shows more. The extension of --out selects the format; a prefix does so for
standard output, as in json:-. The exit code is 0 if all went well, 1 if something is wrong, 2 if a
command is misspelt, 130 if Ctrl+C broke it off. Files are written whole or not at all, and never in
place of one that is read.
"""
# The examples of a command, such as `_TRAIN`, come right after it.
_SOURCE = """
LINK-OR-FILE is one of
  a link from the app, a lesson’s too, or what follows its question mark; in quotation marks,
    because of each &
  a settings file (.json), as the app and kpviz train -o NAME.settings.json write it
  a table (.csv, .tsv, .txt): a line of names, columns of numbers, a column of classes
  -, which reads a settings file or a table from standard input
what begins with ? or http is a link, what begins with ./ or / a path;
of a=b a file of that name wins

examples:
"""
_APP = """
examples:
  kpviz app
  kpviz app 'data=circles&sigma=0.3'
  kpviz app lesson-07-width
  kpviz app perceptron.kpviz.md
  kpviz app flowers.csv
  kpviz app --lan --port 8600        (the class opens the address that is printed)
  kpviz app --class https://university.example/kpviz/    (the class has that folder of pages)
"""
_TRAIN = """  kpviz train 'http://localhost:8501/?v=1&data=moons&epochs=10' -o run.csv
  kpviz train flowers.csv --set kernel=linear --set held=0.3 -o flowers.settings.json
  kpviz train flowers.settings.json -o json:- --quiet
  kpviz train measurements.csv --all-rows --set epochs=5 -o run.csv
  kpviz train 'data=bits' --set 'function=x1 & !x2 | x3' --set bits=3
"""
_SWEEP = """  kpviz sweep 'data=circles&held=0.3' sigma --values 0.05,0.5,5
  kpviz sweep flowers.csv degree --set kernel=polynomial --seeds 20 --jobs -1 -o degrees.csv
"""
_PLOT = """  kpviz plot 'http://localhost:8501/?v=1&data=circles&t=12' -o step-12.png
  kpviz plot 'data=spirals&sigma=0.1' -o spirals.pdf --theme dark
  kpviz plot 'data=xor' --step 0 --step 12 --step end --panel map -o 'xor-{step}.png'
  kpviz plot 'data=xor' --size a4 --theme print -o xor.pdf

The step is that of --step, else that of the link, else the last. In the name of --out {number},
{step}, {data}, {kernel}, {learner} and any other setting are filled in.
"""
_RENDER = """  kpviz render 'http://localhost:8501/?v=1&data=circles' -o circles.mp4
  kpviz render 'data=spirals' --cues lecture.txt -o lecture.mp4 -o lecture.vtt
  kpviz render 'data=xor' -o xor.html --vary sigma
  kpviz render perceptron.kpviz.md -o perceptron.mp4 -o perceptron.html

A line of the cues is PLACE hold SECONDS speed TIMES light NAMES: WORDS, as in
  mistake 3 hold 4 light x12, margins: Look where the boundary goes.
PLACE is a step, start, end, mistake N or epoch N; the rest may be left out. In the film of a lesson
each scene is a chapter, which plays from where its link opens to its last cue. The same link,
lesson and cues make the same film.
"""
_LESSON = """
examples:
  kpviz lesson check perceptron.kpviz.md
  kpviz lesson students perceptron.kpviz.md -o perceptron-students.kpviz.md
  kpviz lesson copy lesson-07-width -o width.kpviz.md
  kpviz lesson join perceptron.kpviz.md:1-3,5 lesson-07-width -o lecture.kpviz.md
  kpviz lesson handout perceptron.kpviz.md -o handout.pdf --solutions solutions.pdf
  kpviz lesson slides perceptron.kpviz.md -o slides.pdf
  kpviz lesson worksheet 'v=1&data=xor' -o xor.pdf --solutions xor-solution.pdf
  kpviz lesson site public        (a folder of pages for any web space)
  kpviz lesson grade handed-in --lesson perceptron.kpviz.md -o grades.csv

A lesson is a file, or the name of one that kpviz lesson list names.
A fault is named with file and line, as in
perceptron.kpviz.md:12: The scene has no heading: write it behind ##.
"""
_SHELL = """
examples:
  kpviz completion bash -o ~/.local/share/bash-completion/completions/kpviz
  kpviz completion zsh -o ~/.zfunc/_kpviz        (a folder of fpath)
"""
_SITE = """
examples:
  kpviz site public        (then put the folder on any web space)
  kpviz site public --course mine        (it opens with the lessons, and those of the folder mine)
  kpviz site public --python wasi        (nothing is fetched)
  python -m http.server --directory public        (and open http://localhost:8000/)

The pages open at once. Python comes into a page, once, when somebody turns a setting: 11 MB
(Pyodide) or 29 MB (wasi). The browser keeps what it has loaded, so that the folder opens without a
network, too.
"""
_DOCTOR = """
examples:
  kpviz doctor
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # It was closed, as by >&-: else a file would take its number.
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the program
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # A terminal may lack some characters.
    # It complains of a folder of its own that cannot be written, and does without.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    parser = _parser()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and not words[0].startswith("-") and words[0] not in _COMMANDS:
        near = difflib.get_close_matches(words[0], _COMMANDS, 1)
        advice = f"did you mean {near[0]!r}?" if near else f"give one of {', '.join(_COMMANDS)}."
        parser.error(f"{quoted(words[0])} is not a command: {advice}")
    try:
        options = _options(parser, words)
        if options.command is None:
            parser.print_help()
            sys.stdout.flush()
            return 0
        file, _, function = options.run.partition(".")
        with packages.needs("This command", options.extra):
            module = importlib.import_module(f"kpviz.commands.{file}")
        with until_terminated():
            code: int = getattr(module, function)(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except ValueError as error:
        print(f"kpviz: {' '.join(str(error).split())}", file=sys.stderr)
        return 1
    # The output cannot be written; errors of a file are sentences already, so ValueErrors.
    except OSError as error:
        # What is left would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # Where nobody reads on, we leave without a word.
        if not isinstance(error, BrokenPipeError):
            print(f"kpviz: The output cannot be written: {error.strerror}.", file=sys.stderr)
        return 1


def _options(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Return what was typed; what prints and leaves, as --help, does so once that is written."""
    try:
        return parser.parse_args(words)
    except SystemExit:
        sys.stdout.flush()
        raise


# ---- commands ------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong, and takes no option by half of its name."""

    def __init__(self, **more: Any) -> None:
        super().__init__(
            formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **more
        )

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message}\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            file.write(message)  # Argparse is silent where this fails, and leaves with 0.
        else:
            super()._print_message(message, file)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="kpviz", description="Watch a kernel perceptron learn.", epilog=_ABOUT)
    parser.add_argument("--version", action="version", version=f"kpviz {kpviz.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    app = _add(commands, "app", "serve.app", "open the player in the browser", _APP)
    app.add_argument(
        "place",
        metavar="LINK-OR-FILE",
        nargs="?",
        type=_input("place_of"),
        help="what to open: a link, in quotation marks, a lesson’s file or name, a settings file "
        "or a table",
    )
    app.add_argument(
        "--lan", action="store_true", help="let the others in this network open it too"
    )
    app.add_argument(
        "--name", metavar="HOST", help="the name by which others open it, such as a web server’s"
    )
    app.add_argument(
        "--port",
        type=_whole("a port: give a whole number from 1024 to 65535", 1024, 65535),
        help="where to listen, 1024 to 65535 (default: the first free from 8501)",
    )
    app.add_argument(
        "--base-path",
        metavar="PATH",
        type=_base_path,
        help="the path below which all pages are, as /kpviz",
    )
    app.add_argument(
        "--lessons",
        metavar="FOLDER",
        type=_folder,
        help="a folder of lessons (*.kpviz.md) to serve",
    )
    app.add_argument(
        "--notes",
        action="store_true",
        help="send the notes of these lessons too, to whoever opens one",
    )
    app.add_argument(
        "--class",
        metavar="URL",
        dest="class_folder",
        type=_course_address,
        help="the address of a folder of pages that the class has: the code on the stage (Y) leads "
        "there",
    )
    app.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    _add_runs(commands)
    what = "check lessons, copy and join them, make what is handed out, and grade what is handed in"
    _add_lessons(
        _add(commands, "lesson", "", what, _LESSON).add_subparsers(
            dest="part", metavar="PART", required=True
        )
    )
    site = _add(
        commands,
        "site",
        "site.site",
        "write the board and the lessons as a folder of pages that need no server",
        _SITE,
        "page",
    )
    site.add_argument("out", metavar="FOLDER", help="the folder to be made")
    site.add_argument(
        "--board", action="store_true", help="the board and Fisher’s page, without lessons"
    )
    which = (
        "lessons and puzzles: the folder opens with their list; those named here, by file or "
        "folder, come before those of kpviz"
    )
    _add_input(site, "--course", metavar="LESSON", nargs="*", help=which)
    _add_of_lessons(site, "the first that can be had")
    _add(commands, "doctor", "install.doctor", "check which extras are installed", _DOCTOR)
    completion = _add(
        commands, "completion", "install.completion", "print a shell completion script", _SHELL
    )
    completion.add_argument("shell", choices=("bash", "zsh"), help="the shell")
    _add_out(completion, (), "the file (-)", default="-")
    completion.set_defaults(parser=parser)
    return parser


def _add_of_lessons(parser: argparse.ArgumentParser, usual: str) -> None:
    """Add what is said of the lessons of a folder of pages, and of its Python.

    `usual` : which Python comes into the pages, where nobody says it.
    """
    secret = "leave out what answers are compared with: such tasks are answered on a server"
    parser.add_argument("--no-solutions", action="store_false", dest="has_solutions", help=secret)
    where = "the server that answers what --no-solutions leaves out"
    parser.add_argument("--address", metavar="URL", help=where)
    back = "where a link above the list of lessons leads, as ../index.html"
    parser.add_argument("--back", metavar="URL", help=back)
    for name in ("handout", "slides"):
        parser.add_argument(
            f"--{name}",
            action="append_const",
            const=name,
            dest="papers",
            default=[],
            help="beside each lesson, as PDF",
        )
    _add_python(parser, usual)
    parser.add_argument("--quiet", action="store_true", help="do not list what was written")


def _add_python(parser: argparse.ArgumentParser, usual: str) -> None:
    """Add which Python comes into the pages of a folder, and from where.

    `usual` : which one does, where nobody says it.
    """
    parser.add_argument(
        "--python",
        choices=("pyodide", "wasi"),
        help="which Python comes into a page: pyodide, which is fetched now and is the smaller "
        f"one, or wasi, which is installed and has scikit-learn ({usual})",
    )
    from_here = "take Pyodide from this folder"
    _add_input(parser, "--pyodide", metavar="FOLDER", type=_pyodide_folder, help=from_here)
    parser.add_argument(
        "--cdn",
        action="store_true",
        help="let each page load Pyodide from its host, cdn.jsdelivr.net, in place of the folder",
    )


def _add_runs(commands: Any) -> None:
    """Add what trains."""
    train = _add(
        commands,
        "train",
        "work.train",
        "train, report how it went, and write the run",
        _SOURCE + _TRAIN,
    )
    _add_source(train)
    all_rows = "train on all rows of a table, after saying how much time and memory that may take"
    train.add_argument("--all-rows", action="store_true", help=all_rows)
    kinds = ("csv", "settings.json", "json", "py", "ipynb")
    what = (
        ".csv or .json: the run, .py: as numpy, .ipynb: as a notebook, .settings.json: what "
        "makes it"
    )
    _add_out(train, kinds, what, required=False)

    sweep = _add(
        commands,
        "sweep",
        "work.sweep_values",
        "train once for each value of a setting",
        _SOURCE + _SWEEP,
    )
    _add_source(sweep)
    sweep.add_argument("name", metavar="NAME", help="the setting, as sigma")
    sweep.add_argument(
        "--values", metavar="V,V,…", type=_numbers, help="its values (about 32 of its range)"
    )
    sweep.add_argument(
        "--seeds",
        metavar="N",
        type=int,
        default=1,
        help="seeds that each value is trained with (1)",
    )
    sweep.add_argument(
        "--jobs", metavar="N", type=int, help="processes; -1: as many as processors (1)"
    )
    _add_out(sweep, (), "a table as CSV, one line for each run (-)", default="-")

    plot = _add(
        commands,
        "plot",
        "pictures.plot",
        "draw steps of runs as PNG, SVG or PDF",
        _SOURCE + _PLOT,
        "plot",
    )
    _add_source(plot, nargs="+")
    _add_out(plot, ("png", "svg", "pdf"), ".png, .svg or .pdf")
    step = "after how many examples shown, or 'end'; may be repeated"
    plot.add_argument(
        "--step", metavar="T", type=_step_or_end, action="append", default=[], help=step
    )
    plot.add_argument("--panel", choices=panels.SINGLE, help="one panel alone, with large type")
    _add_look(plot)

    render = _add(
        commands,
        "render",
        "render.render",
        "make a film, or a page that plays itself",
        _SOURCE + _RENDER,
    )
    _add_source(render)
    _add_out(render, _FILMS, ".mp4: a film, .vtt or .srt: what it says, .html: a page")
    render.add_argument(
        "--vary",
        metavar="NAME",
        help="a page has a slider of twelve values of this setting, as sigma",
    )
    _add_input(
        render,
        "--cues",
        metavar="TXT",
        help="the cues of the lecture, in place of those in the link",
    )
    render.add_argument(
        "--from", type=_step, metavar="T", dest="first", help="the step it begins at (0)"
    )
    render.add_argument(
        "--to", type=_step, metavar="T", dest="last", help="the step it ends at (the last)"
    )
    render.add_argument(
        "--title", help="of the card it begins with (that of the cues); '': no card"
    )
    render.add_argument(
        "--no-words", action="store_true", help="leave the sentences out of the picture"
    )
    size = f"{', '.join(SIZES)} or WxH (1080p)"
    render.add_argument("--size", type=_size(SIZES, even=True), metavar="SIZE", help=size)
    render.add_argument("--fps", type=int, choices=RATES, help="frames per second (30)")
    render.add_argument(
        "--speed", type=float, default=1.0, metavar="X", help="times the default speed (1)"
    )
    theme = "light; a page follows its reader’s system"
    render.add_argument("--theme", choices=("auto", "light", "dark"), default="auto", help=theme)
    render.add_argument(
        "--address", metavar="URL", help="where kpviz is, for what a lesson’s page cannot do itself"
    )


def _add_lessons(parts: Any) -> None:
    """Add what is done with lessons."""
    check = _add(
        parts, "check", "lesson.check", "try all that lessons say, and name what is wrong", _LESSON
    )
    _add_input(check, "files", metavar="LESSON", nargs="+", help="a lesson, or a file of cues")
    check.add_argument("--quiet", action="store_true", help="say nothing of files that are right")
    students = _add(
        parts, "students", "lesson.students", "write a lesson without solutions and notes", _LESSON
    )
    join = _add(parts, "join", "lesson.join", "write scenes of several lessons as one", _LESSON)
    _add_input(
        join,
        "files",
        metavar="LESSON[:N-N,N]",
        nargs="+",
        help="a lesson, and the numbers of its scenes (all)",
    )
    join.add_argument("--title", help="of what is written (that of the first)")
    listed = _add(
        parts,
        "list",
        "lesson.listed",
        "list the lessons that come with kpviz, their scenes and minutes",
        _LESSON,
    )
    listed.add_argument("--lessons", metavar="FOLDER", type=_folder, help="and those of a folder")
    copy = _add(
        parts,
        "copy",
        "lesson.copy",
        "write a lesson that comes with kpviz as a file to be changed",
        _LESSON,
    )
    handout = _add(
        parts,
        "handout",
        "sheets.handout",
        "write words, pictures and tasks as a PDF",
        _LESSON,
        "print",
    )
    slides = _add(
        parts, "slides", "sheets.slides", "draw slides of words and boards", _LESSON, "plot"
    )
    for parser in (students, copy, handout, slides):
        _add_input(parser, "file", metavar="LESSON", help="a lesson")
    for parser in (students, copy, join):
        _add_out(parser, (), "the file of the lesson")
    _add_out(handout, ("pdf",), "the handout", required=False, solutions=True)
    _add_out(slides, (), "a PDF of all (.pdf), or a folder of pictures")
    slides.add_argument(
        "--format", choices=("png", "svg", "pdf"), default="png", help="default: png"
    )
    _add_look(slides)

    what = "write steps of a run to be done by hand"
    worksheet = _add(
        parts,
        "worksheet",
        "sheets.worksheet",
        what,
        _SOURCE + "  kpviz lesson worksheet 'data=xor' -o xor.pdf",
        "print",
    )
    _add_source(worksheet)
    _add_out(worksheet, ("pdf",), "the worksheet", required=False, solutions=True)
    worksheet.add_argument(
        "--from", type=_step, metavar="T", dest="first", help="the step it begins at (the link’s)"
    )
    worksheet.add_argument(
        "--steps",
        type=_whole("a number of steps: give 1 to 24", 1, 24),
        metavar="K",
        default=8,
        help="how many steps, 1 to 24 (8)",
    )
    about = "write lessons as a folder of pages for any web space"
    site = _add(parts, "site", "site.lesson_site", about, _LESSON, "page")
    which = "lessons, or folders of them (*.kpviz.md); without any those that come with kpviz"
    _add_input(site, "sources", metavar="LESSON", nargs="*", help=which)
    site.add_argument("out", metavar="OUT", help="the folder to be made")
    site.add_argument(
        "--title", help="of the index (Lectures and lessons; Lessons where none is a lecture)"
    )
    _add_of_lessons(site, "wasi")
    grade = _add(
        parts,
        "grade",
        "grade.grade",
        "check again what students handed in, and write a table",
        _LESSON,
    )
    _add_input(grade, "folder", metavar="FOLDER", help="where the files of results (.json) are")
    _add_input(
        grade, "--lesson", metavar="LESSON", help="the lesson they are for, or a folder of lessons"
    )
    about = (
        "averages, wrong answers and own words, in Markdown (beside the table: grades.report.md)"
    )
    grade.add_argument("--report", metavar="FILE", help=about)
    _add_out(grade, (), "a table as CSV, one line for each student (-)", default="-")


def _add(
    commands: Any, name: str, run: str, does: str, about: str, extra: str = "all"
) -> argparse.ArgumentParser:
    """Add a command. `run`: a file of kpviz/commands and its function.

    `extra`: what brings what that file imports.
    """
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=does, description=f"{does[0].upper()}{does[1:]}.", epilog=about
    )
    parser.set_defaults(run=run, extra=extra, reads=())
    return parser


def _add_input(parser: argparse.ArgumentParser, *names: str, **more: Any) -> None:
    """Add an argument that names what is read: no output may take its place."""
    action = parser.add_argument(*names, **more)
    parser.set_defaults(reads=(*parser.get_default("reads"), action.dest))


def _add_source(parser: argparse.ArgumentParser, **more: Any) -> None:
    _add_input(parser, "source", metavar="LINK-OR-FILE", help="what to train, see below", **more)
    change = "change a setting; may be repeated"
    parser.add_argument(
        "--set",
        action="append",
        type=_input("setting"),
        default=[],
        metavar="NAME=VALUE",
        help=change,
    )
    parser.add_argument(
        "--lenient", action="store_true", help="replace what is wrong in a link, as the app does"
    )
    parser.add_argument(
        "--list-settings",
        action=_List,
        nargs=0,
        help="list all settings and their values, and exit",
    )


class _List(argparse.Action):
    """Print the settings and leave, as --help does."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from kpviz.commands import report

        sys.stdout.write(report.settings_list())
        parser.exit()


def _add_out(
    parser: argparse.ArgumentParser,
    kinds: Sequence[str],
    holds: str,
    *,
    required: bool = True,
    default: str | None = None,
    solutions: bool = False,
) -> None:
    """Add what is written.

    Files of some kinds are told by their endings; where there are no kinds, there is one name.
    """
    if kinds:
        several: dict[str, Any] = {"type": _target(kinds), "action": "append"}
        parser.add_argument(
            "--out", "-o", metavar="OUT", required=required, help=holds, default=[], **several
        )
        if solutions:
            parser.add_argument(
                "--solutions", metavar="OUT", help="the same with solutions", default=[], **several
            )
    else:
        parser.add_argument(
            "--out", "-o", metavar="OUT", required=default is None, help=holds, default=default
        )
    parser.add_argument("--quiet", action="store_true", help="do not list what was written")


def _add_look(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--theme", choices=("light", "dark", "print"), default="light", help="light; print: in grey"
    )
    parser.add_argument(
        "--transparent",
        action="store_true",
        help="without a background, for a slide as light or dark",
    )
    size = f"{', '.join(PICTURES)} or WxH (2560x1440)"
    parser.add_argument("--size", type=_size({**SIZES, **PICTURES}), metavar="SIZE", help=size)


# ---- what arguments may be -----------------------------------------------------------------------


def _target(kinds: Sequence[str]) -> Callable[[str], Target]:
    def read(text: str) -> Target:
        for kind in kinds:  # Kinds come before any ending: json:NAME.settings.json is a run.
            if text.startswith(f"{kind}:"):
                return Target(kind, text.removeprefix(f"{kind}:"))
        for kind in kinds:
            if text.lower().endswith(f".{kind}"):
                return Target(kind, text)
        if text == "-":
            return Target(kinds[0], text)
        *others, last = (f".{kind}" for kind in kinds)
        named = f"{', '.join(others)} or {last}" if others else last
        raise argparse.ArgumentTypeError(f"{quoted(text)} does not end in {named}.")

    return read


def _size(
    known: Mapping[str, tuple[int, int]], *, even: bool = False
) -> Callable[[str], tuple[int, int]]:
    def read(text: str) -> tuple[int, int]:
        match = re.fullmatch(r"([0-9]{3,4})x([0-9]{3,4})", text)
        width, height = known.get(text.lower()) or (
            (int(match[1]), int(match[2])) if match else (0, 0)
        )
        if min(width, height) < 320 or max(width, height) > 8000:
            of = f"of 320 to 8000 pixels, nor one of {', '.join(known)}."
            raise argparse.ArgumentTypeError(
                f"{quoted(text)} is not a size such as 1920x1080, {of}"
            )
        if even and (width % 2 or height % 2):
            raise argparse.ArgumentTypeError(
                f"{quoted(text)} is not a size for a film: give even numbers."
            )
        return width, height

    return read


def _whole(what: str, low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{quoted(text)} is not {what}.")
        return int(text)

    return read


_step = _whole("a step: give a whole number, 0 is the start", 0, 10**9)


def _step_or_end(text: str) -> int | str:
    return text if text == "end" else _step(text)


def _numbers(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} are not numbers, as in 0.1,0.5,2."
        ) from None


def _base_path(text: str) -> str:
    if not re.fullmatch(r"/?[\w.~-]+(/[\w.~-]+)*/?", text, re.ASCII):
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not a path: give letters, digits and - _ . ~, as /courses/kpviz."
        )
    return f"/{text.strip('/')}"


def _course_address(text: str) -> str:
    """Return the address of a folder of pages, behind which a place in it can be written."""
    try:
        parts = urlsplit(text)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_plain = not re.search(r"[\s?#]", text) and text.isprintable() and parts.port != 0
    except ValueError:  # Brackets may not be closed, or a port may be no number.
        is_whole = is_plain = False
    if not (is_whole and is_plain):
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not the address of a folder of pages: give one that begins with "
            "https:// and has no ? or #, as https://university.example/kpviz/."
        )
    return text if text.endswith(("/", ".html")) else f"{text}/"


def _pyodide_folder(text: str) -> Path:
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not a folder: name one that holds Pyodide."
        )
    return Path(text)


def _folder(text: str) -> Path:
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not a folder: name one that holds lessons (*.kpviz.md)."
        )
    return Path(text)


def _input(function: str) -> Callable[[str], Any]:
    """Return a reader of kpviz/commands/inputs.py, which loads the engine."""

    def read(text: str) -> Any:
        try:
            return getattr(importlib.import_module("kpviz.commands.inputs"), function)(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read
