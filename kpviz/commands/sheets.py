"""`kpviz worksheet` and `kpviz lesson handout`: what is printed for a class, and its solutions."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from itertools import combinations

from kpviz.commands import CommandError, output, work
from kpviz.commands.lesson import read_file
from kpviz.export.print import typeset
from kpviz.export.print.handout import Handout
from kpviz.export.print.worksheet import Worksheet


def worksheet(options: argparse.Namespace) -> int:
    """Write a worksheet, and its solution: what is asked for."""
    if options.notebook:
        raise CommandError("There is no notebook with gaps any more: kpviz train --notebook writes a whole one.")
    _check([options.out, options.solution])
    made = work.trained(options, step=True)
    t = made.given.t or 0
    first = options.first if options.first is not None else t if t < made.run.n_steps else 0
    sheet = Worksheet(made.settings.without_cues, made.split, made.run, first, options.steps)
    contents: dict[str, Callable[[], bytes | str]] = {
        options.out: lambda: typeset.pdf(sheet.sheet()),
        options.solution: lambda: typeset.pdf(sheet.sheet(solved=True)),
    }
    return _written(contents, quiet=options.quiet)


def handout(options: argparse.Namespace) -> int:
    """Write the handout of a lesson, and the sheet with its solutions: what is asked for."""
    if options.target is not None and options.out is not None:
        raise CommandError("The handout has two names: give one, behind the lesson or by --out.")
    target = options.out if options.target is None else options.target
    _check([target, options.solutions])
    lesson = read_file(options.file)
    if lesson.students and options.solutions is not None:
        raise CommandError("This is a copy without solutions: name the lesson itself.")
    contents: dict[str, Callable[[], bytes | str]] = {
        target: lambda: typeset.pdf(Handout(lesson).sheet()),
        options.solutions: lambda: typeset.pdf(Handout(lesson, solved=True).sheet()),
    }
    return _written(contents, quiet=options.quiet)


def _check(targets: list[str | None]) -> None:
    wanted = [target for target in targets if target is not None]
    if not wanted:
        raise CommandError("There is nothing to write: name a file, as in --out sheet.pdf.")
    if any(output.same(*pair) for pair in combinations(wanted, 2)):
        raise CommandError("Two things cannot be written to the same place: give each a file of its own.")
    for target in wanted:
        output.check(target)


def _written(contents: Mapping[str, Callable[[], bytes | str]], *, quiet: bool) -> int:
    made = {
        target: make() for target, make in contents.items() if target is not None
    }  # all, before the first is written
    for target, content in made.items():
        output.write(target, content)
    files = [target for target in made if target != output.STANDARD]
    if files and not quiet:
        print(f"wrote {', '.join(files)}", file=sys.stderr if output.STANDARD in made else sys.stdout)
    return 0
