"""`kpviz train`: a run of what is given, its report and its files; `kpviz sweep`: a table of many
runs.

Tests: tests/commands/test_train.py, tests/commands/test_signals.py.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from kpviz import experiment
from kpviz.commands import CommandError, inputs, output, report
from kpviz.commands.inputs import Input
from kpviz.engine.run.run import Run
from kpviz.experiment import Split
from kpviz.export import notebook, record, script, settings_file
from kpviz.lessons import sweep
from kpviz.player.comparison import Comparison
from kpviz.settings import Settings

Item = TypeVar("Item")
_STANDARD_ERROR = 2
_NUMBERS_OF_A_STEP = 5  # A record has so many for each example shown, while it grows.
_NUMBERS_OF_AN_EXAMPLE = 20  # A training has so many besides.
# So much take the values of k that are made at once to count the errors.
_MEGABYTES_OF_A_REPORT = 100
_USUAL_COLUMNS = 80  # A terminal that does not say how many it has counts as one of so many.
_SHORTEST_BAR = 4  # In characters.
_BAR = 24  # In characters: the bar that grows.


@dataclass(frozen=True, eq=False)
class TrainedInput:
    """A run, and what it was made from."""

    input: Input
    split: Split
    run: Run

    @property
    def settings(self) -> Settings:
        """The settings of the run."""
        return self.input.settings

    @property
    def alone(self) -> Comparison:
        """The run without those that are pinned."""
        return Comparison.of(self.settings, self.split, self.run)

    @cached_property
    def comparison(self) -> Comparison:
        """The run with those that a link pins beside it, trained when they are first asked for."""
        with Progress() as progress:
            return Comparison.of(
                self.settings, self.split, self.run, self.input.pins, progress.training
            )


_FILES: dict[str, Callable[[TrainedInput], str]] = {  # `train` writes these.
    "csv": lambda work: record.to_csv(work.run, work.split.lines),
    "json": lambda work: record.to_json(work.run, work.settings, work.split),
    "py": lambda work: script.numpy_script(work.settings, work.split),
    "ipynb": lambda work: notebook.notebook(work.settings, work.split),
    "settings.json": lambda work: settings_file.write(work.settings, work.input.table),
}


def train(options: argparse.Namespace) -> int:
    """Train, report, and write what is asked for."""
    names = [target.name for target in options.out]
    if names:
        output.check(options, names)
    read_input = read(options, drawn=False)
    others = [target.name for target in options.out if target.kind != "csv"]
    if options.all_rows and others:
        raise CommandError(
            f"{others[0]} cannot hold a run of all rows: with --all-rows only .csv is written."
        )
    if options.all_rows and read_input.table is None:
        raise CommandError("--all-rows is for a table, or for a settings file that holds one.")
    work = trained(read_input, all_rows=options.all_rows)
    contents = [(target.name, _FILES[target.kind](work)) for target in options.out]
    if not options.quiet:
        stream = sys.stderr if output.STANDARD in names else sys.stdout
        stream.write(report.of_run(work.settings, work.split, work.run, work.input.table))
    return output.write_all(options, contents)


def sweep_values(options: argparse.Namespace) -> int:
    """Train for each value of a setting, and write a line for each run.

    What there is none of is left out.
    """
    output.check(options, [options.out])
    read_input = read(options, drawn=False)
    table = sweep.sweep(
        read_input.settings,
        options.name,
        options.values,
        seeds=options.seeds,
        n_jobs=options.jobs,
        table=read_input.table,
    )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(sweep.COLUMNS)
    writer.writerows([_cell(getattr(point, name)) for name in sweep.COLUMNS] for point in table)
    return output.write_all(options, [(options.out, text.getvalue())])


def _cell(value: object) -> object:
    if not isinstance(value, float):
        return value
    return "" if math.isnan(value) else int(value) if value.is_integer() else value


def read(options: argparse.Namespace, source: str | None = None, *, drawn: bool = True) -> Input:
    """Read what is given; what is wrong with it is refused, or, if `--lenient`, said."""
    read_input = inputs.read(
        options.source if source is None else source, dict(options.set), drawn=drawn
    )
    if not options.lenient:
        inputs.check_complete(read_input, "--lenient")
    for notice in read_input.notices:
        print(f"kpviz: {notice}", file=sys.stderr)
    return read_input


def trained(read_input: Input, *, all_rows: bool = False) -> TrainedInput:
    """Train what is given.

    With `all_rows` on all rows of its table, after the usual sample has shown what that costs.
    """
    split = experiment.prepare(read_input.settings, read_input.table)
    if not len(split.y):
        raise CommandError("There are no examples to learn from: draw some in the app first.")
    with Progress() as progress:
        run = experiment.run(read_input.settings, split, progress.training)
    n_shown = len(split.source.y)
    if all_rows:
        split = experiment.prepare(read_input.settings, read_input.table, all_rows=True)
    if len(split.source.y) == n_shown:  # There are no others.
        return TrainedInput(read_input, split, run)
    print(f"kpviz: {_cost(read_input.settings, run, split)}", file=sys.stderr)
    with Progress() as progress:
        return TrainedInput(
            read_input, split, experiment.run(read_input.settings, split, progress.training)
        )


def _cost(settings: Settings, sample: Run, split: Split) -> str:
    """Return how much time and memory a training on all rows may take, in a sentence.

    A change costs a value of k for every example, and of so many examples as many times more
    change; where a budget holds, an example costs what it did in the sample.
    """
    n, columns = split.X.shape
    growth = n / len(sample.y)
    work = (
        growth
        * (growth if sample.learner.capacity is None else 1.0)
        * settings.epochs
        / max(sample.n_epochs, 1)
    )
    numbers = settings.epochs * _NUMBERS_OF_A_STEP + columns + _NUMBERS_OF_AN_EXAMPLE
    megabytes = _MEGABYTES_OF_A_REPORT + 8e-6 * n * numbers
    upper = f"up to {megabytes:,.0f} MB and {sample.seconds * work:,.0f} s"
    return f"{n:,} examples may take {upper}, as {len(sample.y):,} of them tell; Ctrl+C ends it."


class Progress:
    """One line on the terminal, which is gone afterwards; nothing where standard error is none."""

    def __init__(self) -> None:
        self.has_bar = False
        self.is_terminal = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self.has_bar:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def training(self, done: int, limit: int) -> None:
        """Say how far the training is."""
        self._say(f"{done:,} of at most {limit:,} steps")

    def bar(self, done: int, of: int, text: str) -> None:
        """Show how much is done, and what there is to say about it."""
        room = min(_BAR, self._columns() - len(text) - 1)
        bar = f"{'█' * (room * done // of):░<{room}} " if room >= _SHORTEST_BAR else ""
        self._say(f"{bar}{text}")

    def over(self, items: Sequence[Item], name: str) -> Iterator[Item]:
        """Return the items one by one, and show which it is."""
        for number, item in enumerate(items):
            self.bar(number, len(items), f"{name} {number + 1} of {len(items)}")
            yield item

    def _say(self, text: str) -> None:
        if self.is_terminal:
            print(f"\r\x1b[K{text[: self._columns()]}", end="", file=sys.stderr, flush=True)
            self.has_bar = True

    @staticmethod
    def _columns() -> int:
        """Return how many characters of a line can be taken back.

        One that is full goes on in the next line.
        """
        try:
            columns = os.get_terminal_size(_STANDARD_ERROR).columns
        except OSError:  # It is not a terminal.
            columns = 0
        return (columns or _USUAL_COLUMNS) - 1
