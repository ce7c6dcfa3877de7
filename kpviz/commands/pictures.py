"""`kpviz plot`: steps of runs as pictures, one or many, the board or one panel.

Tests: tests/commands/test_plot.py.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from typing import Any

from kpviz.commands import CommandError, Target, output, quoted, work
from kpviz.commands.inputs import Input
from kpviz.picture import figure
from kpviz.picture.figure import Picture
from kpviz.picture.stage import RenderOptions
from kpviz.player.comparison import Comparison
from kpviz.settings import PROPERTIES
from kpviz.settings.cues import Cues

DPI = 200
# It is a number, "end", or None: that of the link, else the last.
Step = int | str | None


def plot(options: argparse.Namespace) -> int:
    """Draw what is asked for; every name is checked before the first run is trained."""
    sources = [work.read(options, source) for source in options.source]
    tasks: list[tuple[Input, Step, Target]] = []
    for source_input, step, (kind, pattern) in product(
        sources, options.step or [None], options.out
    ):
        at = step if step is not None else "end" if source_input.t is None else source_input.t
        tasks.append(
            (source_input, step, Target(kind, filled(pattern, source_input, at, len(tasks) + 1)))
        )
    output.check(options, [target.name for _, _, target in tasks])
    for source_input in sources:
        made = work.trained(source_input)
        experiments = made.alone if options.panel else made.comparison
        if source_input.pins and options.panel and not options.quiet:
            print(
                "kpviz: a panel shows the current run alone, not the pinned ones.", file=sys.stderr
            )
        instants = [
            (instant(experiments, source_input, step), target)
            for other, step, target in tasks
            if other is source_input
        ]
        for t, target in instants:
            drawn = _drawn(options, source_input, experiments, t)
            output.write(target.name, figure.save(drawn, target.kind, dpi=DPI))
            width, height = (round(side * DPI) for side in drawn.get_size_inches())
            output.say(options, target.name, f" ({width}x{height})" if target.kind == "png" else "")
    return 0


def filled(pattern: str, source_input: Input, step: int | str, number: int) -> str:
    """Return a name with its placeholders filled in.

    A CommandError if it has one that there is not.
    """
    values: dict[str, Any] = {
        prop.name: source_input.settings.values[prop.name] for prop in PROPERTIES if not prop.text
    }
    texts = {
        name: f"{value:g}" if isinstance(value, float) else value for name, value in values.items()
    }
    try:
        return pattern.format(**texts, step=step, number=number)
    except (AttributeError, KeyError, IndexError, ValueError):
        usable = (
            "use {number}, {step}, {data}, {kernel}, {learner} or another setting, and {{ "
            "for a brace."
        )
        raise CommandError(f"The braces of {quoted(pattern)} cannot be read: {usable}") from None


def instant(experiments: Comparison, source_input: Input, step: Step) -> int:
    """Return the step that is asked for, else that of the link, else the last."""
    last = experiments.end
    if step is None:
        return last if source_input.t is None else min(source_input.t, last)
    if step == "end":
        return last
    if int(step) > last:
        of = "the longest of these runs has" if experiments.pinned else "this run has"
        raise CommandError(f"Step {step:,} is beyond the end: {of} {last:,} steps.")
    return int(step)


def _drawn(
    options: argparse.Namespace, source_input: Input, experiments: Comparison, t: int
) -> Picture:
    look = RenderOptions(
        options.theme,
        source_input.view.show,
        options.panel or "",
        transparent=options.transparent,
        angles=source_input.view.turn,
        over=source_input.view.over,
    )
    width, height = options.size or [round(side * DPI) for side in figure.shape(look)]
    inches = (width / DPI, height / DPI)
    if options.panel:
        return figure.draw(experiments, t, look, inches)
    crowded: list[str] = []
    drawn = figure.draw(
        experiments,
        t,
        look,
        inches,
        crowded=crowded.extend,
        cues=Cues.of_code(source_input.settings.cues),
    )
    if crowded and not options.quiet:
        print(
            f"kpviz: there is no room for {', '.join(crowded)}: show fewer panels at once.",
            file=sys.stderr,
        )
    return drawn
