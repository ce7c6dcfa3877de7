"""The films of `kpviz render`, and their captions: what it takes is loaded with this file.

Tests: tests/commands/test_render.py.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kpviz.commands import Target, go_on, output, sheets, work
from kpviz.export import SIZES, films, pace, scenes
from kpviz.export.films import Chapters, Film, FilmOptions
from kpviz.lessons.file.lesson import Lesson
from kpviz.settings.cues import Cues

_CAPTIONS = {"vtt": pace.to_vtt, "srt": pace.to_srt}


def check(targets: Sequence[Target]) -> None:
    """Raise a ValueError if a film cannot have its name: before the work, not after it."""
    for target in targets:
        if target.kind == "mp4":
            films.check_name(Path(target.name))


def of_run(
    options: argparse.Namespace, targets: Sequence[Target], made: work.TrainedInput, cues: Cues
) -> None:
    """Write what is asked for of the film of a run."""
    view = made.input.view
    chosen = _chosen(
        options,
        first=options.first or 0,
        last=options.last,
        panels=view.show,
        angles=view.turn,
        over=view.over,
        title="" if options.title is None else options.title or None,
    )
    reel = films.film(made.comparison, cues, chosen)
    output.complain(films.missing(reel))
    _write(options, targets, reel)


def of_lesson(options: argparse.Namespace, targets: Sequence[Target], lesson: Lesson) -> None:
    """Write what is asked for of the film of a lesson."""
    reel, without = scenes.film(lesson, _chosen(options), sheets.trained)
    output.complain(without)
    _write(options, targets, reel)


def _chosen(options: argparse.Namespace, **more: Any) -> FilmOptions:
    width, height = options.size or SIZES["1080p"]
    return FilmOptions(
        speed=options.speed,
        width=width,
        height=height,
        fps=options.fps or 30,
        theme="dark" if options.theme == "dark" else "light",
        words=not options.no_words,
        **more,
    )


def _write(options: argparse.Namespace, targets: Sequence[Target], reel: Film | Chapters) -> None:
    """Write films and their captions, or these alone."""
    for target in targets:
        if target.kind in _CAPTIONS:
            output.write(target.name, _CAPTIONS[target.kind](films.captions(reel)))
            output.say(options, target.name)
            continue
        with work.Progress() as progress:
            films.save(reel, Path(target.name), _left(progress))
        size = f"{reel.n_frames:,} frames of {reel.width}x{reel.height}"
        output.say(options, target.name, f": {size}, {reel.n_frames / reel.fps:.1f} s")


def _left(progress: work.Progress) -> Callable[[int, int], None]:
    """Return a callback that shows a bar of the frames that are done, and the time that is left."""
    left = films.TimeLeft()

    def show(done: int, of: int) -> None:
        go_on()
        message = left.say(done, of)
        if message:
            progress.bar(done, of, message)

    return show
