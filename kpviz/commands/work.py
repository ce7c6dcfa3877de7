"""`kpviz train`: a run of what is given, its report, and its files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from kpviz import experiment
from kpviz.commands import CommandError, output, report
from kpviz.commands import inputs as given
from kpviz.commands.inputs import Given
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.player.lineup import Lineup
from kpviz.settings import Settings


@dataclass(frozen=True, eq=False)
class Work:
    """A run, and what it was made from."""

    given: Given
    split: Split
    run: Run

    @property
    def settings(self) -> Settings:
        """The settings of the run."""
        return self.given.settings

    @property
    def alone(self) -> Lineup:
        """The run without those that are pinned."""
        return Lineup.of(self.settings, self.split, self.run)

    @cached_property
    def lineup(self) -> Lineup:
        """The run with those that a link pins beside it, which are trained when they are first asked for."""
        with Progress() as progress:
            show = progress.show if sys.stderr.isatty() else None
            return Lineup.of(self.settings, self.split, self.run, self.given.pins, show)


def _csv(work: Work) -> str:
    from kpviz.export import record

    return record.to_csv(work.run)


def _json(work: Work) -> str:
    from kpviz.export import record

    return record.to_json(work.run, work.settings, work.split)


def _python(work: Work) -> str:
    from kpviz.export import script

    return script.numpy_script(work.settings, work.split)


def _notebook(work: Work) -> str:
    from kpviz.export import notebook

    return notebook.notebook(work.settings, work.split)


def _settings(work: Work) -> str:
    from kpviz.export import settings_file

    return settings_file.write(work.settings, work.given.table)


# What `train` can write: the option, what its file holds, and how it is made.
OUTPUTS: dict[str, tuple[str, Callable[[Work], str]]] = {
    "csv": ("the run as a table, one line for each presentation", _csv),
    "json": ("the run with its examples, scores and coefficients", _json),
    "python": ("about 30 lines of numpy that make the same run", _python),
    "sklearn": ("the same as --python: there is one script now", _python),
    "notebook": ("the same as a Jupyter notebook with a picture", _notebook),
    "save-settings": ("the settings, with drawn points or rows, as a file for the app and for kpviz", _settings),
}


def train(options: argparse.Namespace) -> int:
    """Train, report, and write what is asked for."""
    wanted = {name: getattr(options, name.replace("-", "_")) for name in OUTPUTS}
    targets = {name: target for name, target in wanted.items() if target is not None}
    if any(output.same(*pair) for pair in combinations(targets.values(), 2)):
        raise CommandError("Two things cannot be written to the same place: give each a file of its own.")
    for target in targets.values():
        output.check(target)
    work = trained(options)
    contents = {name: OUTPUTS[name][1](work) for name in targets}  # all, before the first is written
    for name, target in targets.items():
        output.write(target, contents[name])
    if not options.quiet:
        summary = report.of_run(work.settings, work.split, work.run, work.given.table)
        files = [target for target in targets.values() if target != output.STANDARD]
        stream = sys.stderr if output.STANDARD in targets.values() else sys.stdout
        stream.write(summary + report.written(files))
    return 0


def trained(options: argparse.Namespace, *, step: bool = False) -> Work:
    """Read the input, report what could not be used, and train."""
    return of_given(given.read(options.source, dict(options.set), step=step, drawn=step), strict=options.strict)


def read(options: argparse.Namespace) -> Given:
    """Read the input, and report what could not be used."""
    return _noticed(given.read(options.source, dict(options.set), drawn=False), strict=options.strict)


def _noticed(found: Given, *, strict: bool) -> Given:
    if strict and found.notices:
        raise CommandError(" ".join(found.notices))
    for notice in found.notices:
        print(f"kpviz: {notice}", file=sys.stderr)
    return found


def of_given(found: Given, *, strict: bool = False) -> Work:
    """Say what could not be used, and train."""
    _noticed(found, strict=strict)
    split = experiment.prepare(found.settings, found.table)
    if not len(split.y):
        raise CommandError("There are no examples to learn from: draw some in the app first.")
    with Progress() as progress:
        run = experiment.run(found.settings, split, progress.show if sys.stderr.isatty() else None)
    return Work(found, split, run)


class Progress:
    """One line on the terminal, which is gone afterwards."""

    def __init__(self) -> None:
        self.shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def show(self, done: int, limit: int) -> None:
        """Say how far the training is."""
        self.say(f"{done:,} of at most {limit:,} steps")

    def say(self, text: str) -> None:
        """Overwrite the progress line."""
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        self.shown = True
