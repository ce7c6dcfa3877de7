"""What is handed out or shown of runs and lessons: worksheets, handouts and slides.

Tests: tests/commands/test_outputs.py, tests/export/test_sheets.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from kpviz.commands import CommandError, output, work
from kpviz.commands.lesson import read_file
from kpviz.commands.pictures import DPI
from kpviz.export import scenes, writing
from kpviz.export.print import typeset
from kpviz.export.print.handout import Handout
from kpviz.export.print.typeset import Sheet
from kpviz.export.print.worksheet import Worksheet
from kpviz.lessons.comparison import Pin
from kpviz.lessons.explain import counted
from kpviz.picture import figure
from kpviz.picture.stage import RenderOptions
from kpviz.player.comparison import Comparison
from kpviz.settings import Settings


def worksheet(options: argparse.Namespace) -> int:
    """Write steps of a run as a worksheet, and its solutions: what is asked for."""
    _check_sheets(options)
    made = work.trained(work.read(options))
    t = made.input.t or 0
    first = options.first if options.first is not None else t if t < made.run.n_steps else 0
    sheet = Worksheet(made.settings.without_cues, made.split, made.run, first, options.steps)
    return _sheets(options, lambda solved: sheet.sheet(solved=solved))


def handout(options: argparse.Namespace) -> int:
    """Write the handout of a lesson, and the sheet with its solutions: what is asked for."""
    _check_sheets(options)
    lesson = read_file(options.file)
    if lesson.students and options.solutions:
        raise CommandError("This is a copy without solutions: name the lesson itself.")
    return _sheets(options, lambda solved: Handout(lesson, solved=solved).sheet())


def _check_sheets(options: argparse.Namespace) -> None:
    output.check(options, [target.name for target in (*options.out, *options.solutions)])


def _sheets(options: argparse.Namespace, make: Callable[[bool], Sheet]) -> int:
    sheets_asked = [(out, False) for out in options.out] + [
        (out, True) for out in options.solutions
    ]
    return output.write_all(
        options, [(target.name, typeset.pdf(make(solved))) for target, solved in sheets_asked]
    )


def slides(options: argparse.Namespace) -> int:
    """Write the slides of a lesson: one PDF, or a folder of pictures."""
    is_pdf = options.out.lower().endswith(".pdf")
    if is_pdf:
        output.check(options, [options.out])
    else:
        output.check_folder(options.out)
    lesson = read_file(options.file)
    staged = list(scenes.staged(lesson, trained))
    look = RenderOptions(options.theme, transparent=options.transparent)
    width, height = options.size or (2560, 1440)
    output.complain(
        [phrase for scene in staged for phrase in scenes.missing_on_slides(scene, width, height)]
    )
    with work.Progress() as progress:
        made = list(
            scenes.slides(lesson, progress.over(staged, "scene"), look, (width / DPI, height / DPI))
        )
    if is_pdf:
        output.write(options.out, figure.pages([drawn for _, drawn in made], lesson.title, dpi=DPI))
        output.say(options, options.out, f": {counted(len(made), 'page')}")
        return 0
    kind = options.format
    writing.write_folder(
        options.out, ((f"{name}.{kind}", figure.save(drawn, kind, dpi=DPI)) for name, drawn in made)
    )
    output.say(options, counted(len(made), "picture"), f" to {options.out}")
    return 0


def trained(settings: Settings, pins: Sequence[Pin]) -> Comparison:
    """Train, and show how far it is."""
    with work.Progress() as progress:
        return scenes.train(settings, pins, progress.training)
