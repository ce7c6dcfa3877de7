"""The arguments of the commands for teachers: `kpviz lesson`, `kpviz grade`, `kpviz worksheet`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from kpviz.commands import arguments, lesson, output
from kpviz.commands.run_arguments import WHAT, work_parser

_ABOUT_LESSON = """
examples:
  kpviz lesson check perceptron.kpviz.md
  kpviz lesson check perceptron.kpviz.md --students perceptron-students.kpviz.md
  kpviz lesson handout perceptron.kpviz.md handout.pdf --solutions solutions.pdf
  kpviz lesson page perceptron.kpviz.md perceptron.html
  kpviz lesson film perceptron.kpviz.md perceptron.mp4 --captions perceptron.vtt
  kpviz lesson slides perceptron.kpviz.md slides --format pdf

A fault is named with file and line, as in perceptron.kpviz.md:12: The scene has no heading: write it behind ##.
"""
_ABOUT_PAGE = """
examples:
  kpviz lesson page perceptron.kpviz.md perceptron.html
  kpviz lesson page perceptron.kpviz.md perceptron.html --address https://kpviz.example.org/

Predict, choose, number, click and explain are answered in the page. Of perform, reach and draw the page says that they
need kpviz, and gives the command, or the link where --address says where it is. What is right is in the page, and not
locked. What a student did is kept in the browser, and saved as a file that kpviz grade reads.
"""
_ABOUT_FILM = """
examples:
  kpviz lesson film perceptron.kpviz.md perceptron.mp4
  kpviz lesson film perceptron.kpviz.md perceptron.webm --size 720p --captions perceptron.vtt
  kpviz lesson film perceptron.kpviz.md perceptron.srt

A run plays from where the scene’s link opens to its last cue; without cues to the end, or, where the link names a step,
that step is shown. Where it would play for more than three minutes it plays faster; "speed 8" in a cue says where. A
scene of the lab or of Fisher’s page is a card with its words and that page’s picture. A GIF has no chapters. The same
file makes the same film.
"""
_ABOUT_GRADE = """
examples:
  kpviz grade handed-in --lesson perceptron.kpviz.md --out grades.csv
  kpviz grade handed-in --lessons lessons --out grades.csv

Every file of results (.json) in FOLDER and its folders is one row. All answers are checked again: what a file says of
itself gives no points, and where it contradicts itself the column notes says so. Tries and times are as reported by
the file.
"""
_ABOUT_WORKSHEET = """
examples:
  kpviz worksheet 'v=1&data=xor' --out xor.pdf --solution xor-solution.pdf
  kpviz worksheet 'v=1&data=moons&kernel=linear&t=20' --steps 6 --out steps-21-26.pdf

The worksheet has the examples, the rule, a table of steps with blanks, and room to draw the boundary. It begins after
the step of --from, else of the link, else at the start. PDFs are set by typst: `pip install
'kpviz[print]'` brings it. The same link makes the same files.
"""


def add_lesson(commands: Any) -> None:
    """Add `kpviz lesson` and its parts."""
    parsers = commands.add_parser(
        "lesson",
        help="check the file of a lesson; write the copy for students, a handout, a page, a film, slides",
        description="What can be done with the files of lessons and lectures, *.kpviz.md.",
    ).add_subparsers(dest="part", metavar="PART", required=True, help="what to do")
    check = _parser(
        parsers,
        "check",
        lesson.check,
        help="name what is wrong with files, and try all that they say",
        description="Read lessons, try every link, every cue and every task’s solution, and name what is wrong.",
        epilog=_ABOUT_LESSON,
    )
    check.add_argument("files", metavar="FILE", nargs="+", help="a lesson, or cues")
    check.add_argument("--students", metavar="OUT", help="write the file without solutions (-: to standard output)")
    check.add_argument("--quiet", action="store_true", help="say nothing of files that are right")
    handout = _parser(
        parsers,
        "handout",
        _handout,
        help="write the words, pictures and tasks as a PDF",
        description="Write a lesson as a handout, and the sheet with the solutions of its tasks.",
        epilog=_ABOUT_LESSON,
    )
    handout.add_argument("file", metavar="FILE", help="a lesson")
    handout.add_argument("target", metavar="PDF", nargs="?", type=_pdf, help="the handout, without solutions")
    handout.add_argument("--out", "-o", metavar="PDF", type=_pdf, help="the same as PDF")
    handout.add_argument("--solutions", metavar="PDF", type=_pdf, help="the same with solutions")
    handout.add_argument("--quiet", action="store_true", help="do not list what was written")
    _add_page(parsers)
    _add_film(parsers)
    _add_slides(parsers)


def _add_page(parsers: Any) -> None:
    page = _parser(
        parsers,
        "page",
        _page,
        help="write a page that plays itself, without a server",
        description="Write a lesson as one HTML file: words and tasks beside the board, without server and network.",
        epilog=_ABOUT_PAGE,
    )
    page.add_argument("file", metavar="FILE", help="a lesson, with its solutions")
    page.add_argument("out", metavar="HTML", type=_html, help="the page (-: to standard output)")
    page.add_argument("--theme", choices=("auto", "light", "dark"), default="auto", help="(auto: that of the reader)")
    page.add_argument("--address", metavar="URL", help="where kpviz is, for what the page cannot do itself")
    page.add_argument("--quiet", action="store_true", help="do not say what was written")


def _add_film(parsers: Any) -> None:
    film = _parser(
        parsers,
        "film",
        _film,
        help="make one film of all scenes, each a chapter",
        description="Write a lesson as a film with a chapter for each scene: a card with its heading, then its run.",
        epilog=_ABOUT_FILM,
    )
    film.add_argument("file", metavar="FILE", help="a lesson")
    film.add_argument(
        "out", metavar="FILM", type=arguments.film, help=".mp4, .webm or .gif; .vtt or .srt: captions alone"
    )
    arguments.add_film(film)
    film.add_argument("--theme", choices=("light", "dark"), help="default: light")
    film.add_argument("--strict", action="store_true", help="refuse what can only be shown in part")


def _add_slides(parsers: Any) -> None:
    slides = _parser(
        parsers,
        "slides",
        _slides,
        help="draw a picture for each cue",
        description="Write pictures of a lesson for slides, as 01-heading-1.png: one for each cue, or of each scene.",
        epilog=_ABOUT_LESSON,
    )
    slides.add_argument("file", metavar="FILE", help="a lesson")
    slides.add_argument("out", metavar="FOLDER", help="where they are written; made if it is not there")
    slides.add_argument("--format", choices=("png", "svg", "pdf"), default="png", help="default: png")
    slides.add_argument("--storyboard", action="store_true", help="one page for each scene, with all of its cues")
    arguments.add_look(slides)


def add_grade(commands: Any) -> None:
    """Add `kpviz grade`."""
    parser = _parser(
        commands,
        "grade",
        _grade,
        help="make a table of the results that students handed in",
        description="Check the answers of a class again, and write a table of who solved what.",
        epilog=_ABOUT_GRADE,
    )
    parser.add_argument("folder", metavar="FOLDER", help="where the files of results are")
    parser.add_argument("--lesson", metavar="FILE", help="the lesson, with its solutions (by the name in the results)")
    parser.add_argument("--lessons", metavar="FOLDER", help="a folder of lessons")
    parser.add_argument("--out", metavar="CSV", default=output.STANDARD, help="the table (-, the default: print it)")
    parser.add_argument("--quiet", action="store_true", help="do not say what was written")


def add_worksheet(commands: Any) -> None:
    """Add `kpviz worksheet`."""
    parser = work_parser(
        commands,
        "worksheet",
        _worksheet,
        help="make a worksheet, and its solutions",
        description="Write steps of a run as a worksheet to be done by hand.",
        epilog=WHAT + _ABOUT_WORKSHEET,
    )
    parser.add_argument("--out", "-o", metavar="PDF", type=_pdf, help="the worksheet")
    parser.add_argument("--solution", metavar="PDF", type=_pdf, help="the same, filled in")
    parser.add_argument("--notebook", "--notebook-solution", help=argparse.SUPPRESS)  # of earlier versions
    parser.add_argument("--from", type=arguments.step, metavar="T", dest="first", help="the step that it begins after")
    parser.add_argument("--steps", type=_count, metavar="K", default=8, help="how many steps, 1 to 24 (8)")
    parser.add_argument("--quiet", action="store_true", help="do not list what was written")


def _grade(options: argparse.Namespace) -> int:
    from kpviz.commands import grade  # with all kinds of tasks, which other commands do not need

    return grade.grade(options)


def _handout(options: argparse.Namespace) -> int:
    from kpviz.commands import sheets

    return sheets.handout(options)


def _page(options: argparse.Namespace) -> int:
    from kpviz.commands import lesson_page

    return lesson_page.page(options)


def _film(options: argparse.Namespace) -> int:
    from kpviz.commands import scenes

    return scenes.film(options)


def _slides(options: argparse.Namespace) -> int:
    from kpviz.commands import scenes

    return scenes.slides(options)


def _worksheet(options: argparse.Namespace) -> int:
    from kpviz.commands import sheets

    return sheets.worksheet(options)


def _pdf(text: str) -> str:
    return _ending(text, ".pdf")


def _html(text: str) -> str:
    return _ending(text, ".html")


def _ending(text: str, ending: str) -> str:
    if text != output.STANDARD and not text.lower().endswith(ending):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in {ending}.")
    return text


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3 and 1 <= int(text) <= 24):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of steps: give 1 to 24.")
    return int(text)


def _parser(
    commands: Any, name: str, run: Callable[[argparse.Namespace], int], **words: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, formatter_class=argparse.RawDescriptionHelpFormatter, **words
    )
    parser.set_defaults(run=run)
    return parser
