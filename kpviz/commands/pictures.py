"""`kpviz plot`: instants of runs as pictures, one or many, the board or one panel, or a storyboard."""

from __future__ import annotations

import argparse
import os
import string
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpviz import experiment
from kpviz.commands import CommandError, output, shown, work
from kpviz.commands import inputs as given
from kpviz.commands.inputs import Given
from kpviz.commands.work import Work
from kpviz.export.film.formats import PICTURES
from kpviz.settings import PROPERTIES
from kpviz.settings.cues import Cues

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kpviz.picture.render_options import RenderOptions

DPI = 200
END, CUES = "end", "cues"
Step = int | str | None  # a number, `END`, or None: that of the link, else the last
_WIDE = 2560  # pixels of a panel in its natural shape
_MOST_BYTES = 1_000_000
_OWN = ("number", "step")  # placeholders besides the settings'
_USUAL = ("data", "kernel", "learner")
_FILLED = tuple(prop.name for prop in PROPERTIES if not prop.text)


@dataclass(frozen=True)
class Task:
    """One picture: of which of the sources, at which step (None: the storyboard's), and where it is written."""

    source: int
    step: Step
    target: str


def plot(options: argparse.Namespace) -> int:
    """Draw what is asked for; every name is checked before the first run is trained."""
    _check(options)
    sources = [*options.source, *(_listed(options.batch) if options.batch else ())]
    if not sources:
        raise CommandError("There is nothing to draw: give a link, a settings file or a table, or --batch with a list.")
    known = [given.read(source, dict(options.set), step=not options.step) for source in sources]
    if options.strict and (notices := [notice for found in known for notice in found.notices]):
        raise CommandError(" ".join(dict.fromkeys(notices)))
    tasks = _tasks(options, known)
    _check_targets([task.target for task in tasks])
    for number, found in enumerate(known):
        own = [task for task in tasks if task.source == number]
        made = work.of_given(found)
        if found.pins and (options.panel or _is_story(options)) and not options.quiet:
            print("kpviz: a panel or a storyboard shows the current run alone, not the pinned ones.", file=sys.stderr)
        for task, draw in [(task, _drawing(options, made, task)) for task in own]:
            _write(options, task.target, draw())
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what does not go together."""
    story = options.storyboard is not None or options.steps is not None
    if options.storyboard is not None and options.steps is not None:
        raise CommandError("--storyboard chooses the steps itself: leave out --steps, or --storyboard.")
    if story and options.step:
        raise CommandError("A storyboard shows many steps: list them with --steps 0,12,40, or leave out --step.")
    if story and options.panel:
        raise CommandError("A storyboard is made of maps: leave out --panel.")


def _listed(path: str) -> list[str]:
    """Return the sources in a file, one a line; lines that begin with # are passed over."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise CommandError(f"The list {shown(path)} is longer than {_MOST_BYTES:,} bytes: split it.")
        lines = content.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise CommandError(f"The list {shown(path)} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"The list {shown(path)} is not a text: save it as UTF-8.") from None
    found = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise CommandError(f"The list {shown(path)} has no links: write one a line.")
    return found


def _tasks(options: argparse.Namespace, known: Sequence[Given]) -> list[Task]:
    """Return what is drawn, in order."""
    story = options.storyboard is not None or options.steps is not None
    tasks: list[Task] = []
    for number, found in enumerate(known):
        steps: list[Step] = [None] if story or not options.step else options.step
        for step in steps:
            at = step if step is not None else END if found.t is None else found.t
            name = filled(options.out, found, at="storyboard" if story else at, number=len(tasks) + 1)
            tasks.append(Task(number, step, name))
    return tasks


def filled(pattern: str, found: Given, *, at: int | str, number: int) -> str:
    """Return a name with its placeholders filled in; a CommandError if it has one that there is not."""
    if "{" not in pattern and "}" not in pattern:
        return pattern
    usable = f"use {{number}}, {{step}}, {', '.join(f'{{{name}}}' for name in _USUAL)} or another setting"
    try:
        fields = [field for _, field, _, _ in string.Formatter().parse(pattern) if field is not None]
        if unknown := [field for field in fields if field not in (*_OWN, *_FILLED)]:
            raise CommandError(f"--out has no {{{unknown[0]}}}: {usable}.")
        values = {name: _text(found.settings.values[name]) for name in _FILLED}
        return pattern.format(**values, step=at, number=number)
    except CommandError:
        raise
    except ValueError:
        raise CommandError(f"The braces of {shown(pattern)} cannot be read: {usable}, and {{{{ for a brace.") from None


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace("/", "-")


def _check_targets(targets: Sequence[str]) -> None:
    """Refuse, before any work, places that cannot be written or that are the same."""
    if len(targets) > 1 and output.STANDARD in targets:
        raise CommandError("Only one picture can go to standard output: give --out a name, as in 'step-{step}.png'.")
    places: set[str] = set()
    for target in targets:
        place = os.path.realpath(target)
        if place in places:
            raise CommandError(
                f"Two pictures would be written to {shown(target)}: tell them apart by {{step}} or {{number}}."
            )
        places.add(place)
    for target in targets:
        output.check(target)


def _drawing(options: argparse.Namespace, made: Work, task: Task) -> Callable[[], Figure]:
    """Return what draws a picture, its step checked."""
    from kpviz.picture import figure
    from kpviz.picture.render_options import RenderOptions

    given = made.given
    look = RenderOptions(
        options.theme,
        given.show,
        options.panel or "",
        transparent=options.transparent,
        angles=given.turn,
        over=given.over,
    )
    size = options.size or (None if options.panel else PICTURES["16:9"])
    inches = natural(look) if size is None else (size[0] / DPI, size[1] / DPI)
    if _is_story(options):
        return lambda: _storyboard(options, made, look, inches)
    if options.panel:
        t = _instant(made, task.step)
        return lambda: figure.draw(made.alone, t, look, inches)
    at = _instant(made, task.step, made.lineup.end if given.pins else None)
    cues = Cues.of_code(made.settings.cues)
    return lambda: figure.draw(made.lineup, at, look, inches, crowded=partial(_complain, options), cues=cues)


def _complain(options: argparse.Namespace, crowded: Sequence[str]) -> None:
    """Say which of the panels asked for found no room."""
    if not options.quiet:
        print(f"kpviz: there is no room for {', '.join(crowded)}: show fewer panels at once.", file=sys.stderr)


def _is_story(options: argparse.Namespace) -> bool:
    return options.storyboard is not None or options.steps is not None


def natural(look: RenderOptions) -> tuple[float, float]:
    """Return the size in inches of a panel in its natural shape."""
    from kpviz.picture import figure

    wide, high = figure.shape(look)
    return _WIDE / DPI, round(_WIDE * high / wide) / DPI


def _storyboard(options: argparse.Namespace, made: Work, look: RenderOptions, inches: tuple[float, float]) -> Figure:
    from kpviz.picture import storyboard

    cells: Sequence[Any]
    cues = Cues.of_code(made.settings.cues)
    if options.steps is not None:
        cells = [_instant(made, step) for step in options.steps]
    elif options.storyboard == CUES:
        cells = storyboard.of_cues(made.run, cues)
        if len(cells) < storyboard.FEWEST:
            raise CommandError("A storyboard of the cues needs two that have their place in this run: add some.")
    else:
        cells = storyboard.spread(made.run, options.storyboard)
    title = cues.title or experiment.title(made.settings)
    model = experiment.about(made.settings, title)
    return storyboard.draw(made.alone.current, cells, look, title=title, model=model, size=inches)


def _write(options: argparse.Namespace, target: str, drawn: Figure) -> None:
    """Write a picture, and report it."""
    from kpviz.picture import figure

    kind = Path(target).suffix[1:].lower() or figure.FORMATS[0]
    output.write(target, figure.save(drawn, kind, dpi=DPI))
    if target != output.STANDARD and not options.quiet:
        width, height = (round(side * DPI) for side in drawn.get_size_inches())
        dimensions = f" ({width}x{height})" if kind == "png" else ""
        print(f"wrote {target}{dimensions}", file=sys.stderr)


def _instant(made: Work, step: Step, end: int | None = None) -> int:
    """Return the step that is asked for, else that of the link, else the last: `end`, or that of the run."""
    last = made.run.n_steps if end is None else end
    if step == END:
        return last
    if step is None:
        return last if made.given.t is None else min(made.given.t, last)
    if int(step) > last:
        of = "this run has" if end is None else "the longest of these runs has"
        raise CommandError(f"Step {step:,} is beyond the end: {of} {last:,} steps.")
    return int(step)
