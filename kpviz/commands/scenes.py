"""`kpviz lesson film` and `kpviz lesson slides`: the scenes of a lesson as one film with chapters, and as pictures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kpviz.commands import CommandError, output, pictures, render, shown, until_terminated, work
from kpviz.commands.lesson import read_file
from kpviz.export.film import lecture
from kpviz.export.film.film import Chapters
from kpviz.export.film.formats import PICTURES
from kpviz.export.scenes import PLAYS, Staged, missing, missing_on_slides, stage, train
from kpviz.lessons.comparison import Pin
from kpviz.lessons.explain import counted
from kpviz.lessons.file.lesson import Scene
from kpviz.picture import figure
from kpviz.picture.render_options import RenderOptions
from kpviz.player.lineup import Lineup
from kpviz.settings import Settings


@until_terminated()
def film(options: argparse.Namespace) -> int:
    """Write the film of a lesson, and its captions."""
    render.check_targets(options)
    chosen, parts, without = render.film_options(options), [], []
    for each in _staged(options.file):
        with _named(each.number, each.scene):
            part = each.film(chosen)
            parts.append((each.scene.heading, part))
            without += missing(each.number, part)
        if (times := each.speed(chosen.speed) / chosen.speed) > 1:
            why = f"Scene {each.number} would play for more than {PLAYS / 60:g} minutes"
            render.say(options, f"kpviz: {why}, so it plays {times:.1f} times as fast: cues can have a speed instead.")
    made = Chapters(parts)
    lecture.check_length(made.n_frames / made.fps)
    render.complain(without, strict=options.strict)
    return render.write_film(options, made)


@until_terminated()
def slides(options: argparse.Namespace) -> int:
    """Write a picture for each cue, or a storyboard for each scene."""
    folder = Path(options.out)
    if not folder.is_dir():
        output.check(options.out)
    staged = _staged(options.file)
    look = RenderOptions(options.theme, transparent=options.transparent)
    size = options.size or PICTURES["16:9"]
    width, height = (side / pictures.DPI for side in size)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise CommandError(f"{shown(options.out)} cannot be made: {error.strerror}.") from None
    if not options.storyboard:
        render.complain([phrase for each in staged for phrase in missing_on_slides(each, *size)], strict=False)
    count = 0
    for each in staged:
        draw = each.storyboard if options.storyboard else each.pictures
        for name, drawn in draw(look, (width, height)):
            content = figure.save(drawn, options.format, dpi=pictures.DPI)
            output.write(str(folder / f"{name}.{options.format}"), content)
            count += 1
    render.say(options, f"wrote {counted(count, 'picture')} to {options.out}")
    return 0


def _staged(file: str) -> list[Staged]:
    """Return the scenes of a lesson with their runs."""
    found = []
    for number, scene in enumerate(read_file(file).scenes, 1):
        with _named(number, scene):
            found.append(stage(number, scene, _trained))
    return found


def _trained(settings: Settings, pins: Sequence[Pin]) -> Lineup:
    """Train, and show how far it is."""
    with work.Progress() as progress:
        return train(settings, pins, progress.show if sys.stderr.isatty() else None)


@contextmanager
def _named(number: int, scene: Scene) -> Iterator[None]:
    """Say of what is wrong in which scene it is."""
    try:
        yield
    except ValueError as error:
        raise CommandError(f"Scene {number}, {shown(scene.heading)}: {error}") from None
