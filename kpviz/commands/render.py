"""`kpviz render`: a run or a lesson as a film with captions, or as a page that plays itself.

Tests: tests/commands/test_render.py.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace

from kpviz import packages, tokens
from kpviz.commands import CommandError, Target, inputs, lesson, output, quoted, work
from kpviz.export import pace
from kpviz.export.page import page
from kpviz.export.page.vary import variation
from kpviz.lessons.file.format import ENDING
from kpviz.service.packing import lesson_page
from kpviz.settings.cues import LONGEST_CUES, Cues

_OF_FILMS = {
    "size": "--size",
    "fps": "--fps",
    "first": "--from",
    "last": "--to",
    "title": "--title",
    "no_words": "--no-words",
}
_OF_RUNS = {
    "vary": "--vary",
    "set": "--set",
    "cues": "--cues",
    "first": "--from",
    "last": "--to",
    "title": "--title",
}


def render(options: argparse.Namespace) -> int:
    """Write what is asked for: films, captions, pages."""
    output.check(options, [target.name for target in options.out])
    pages = [target for target in options.out if target.kind == "html"]
    others = [target for target in options.out if target.kind != "html"]
    if pages and not others:
        _refuse(options, _OF_FILMS, "A page is the player itself", "name a film")
    if not pages:
        _refuse(options, {"vary": "--vary"}, "A film plays one run", "name a page (.html)")
    make = _lesson if inputs.is_lesson(options.source) else _run
    if others:
        with packages.needs("A film", "film"):
            from kpviz.commands import film
        film.check(others)
    return make(options, pages, others)


def _refuse(options: argparse.Namespace, names: dict[str, str], what: str, advice: str) -> None:
    """Raise a CommandError if an option was given that is of no use."""
    useless = [
        option for name, option in names.items() if getattr(options, name) not in (None, False, [])
    ]
    if useless:
        raise CommandError(f"{what} and has no {', '.join(useless)}: leave that out, or {advice}.")


def _run(options: argparse.Namespace, pages: Sequence[Target], others: Sequence[Target]) -> int:
    least, most = (
        tokens.SPEED[end] * tokens.TIMINGS["correct"] / 1000 for end in ("slowest", "fastest")
    )
    if pages and not least <= options.speed <= most:
        raise CommandError(
            f"--speed {options.speed:g} is not possible for a page: give {least:g} to {most:g}."
        )
    read = None if options.cues is None else _cues(options.cues)
    made = work.trained(work.read(options))
    settings = made.settings
    view = made.input.view
    cues = read or Cues.of_code(settings.cues)
    for target in pages:
        output.complain(pace.places(made.run).missing(cues))
        if len(cues.code) > LONGEST_CUES:
            raise CommandError(
                f"A page holds cues of {LONGEST_CUES:,} characters, and these have "
                f"{len(cues.code):,}."
            )
        text = page.page(
            made.comparison,
            cues,
            view=replace(view, t=made.input.t or 0),
            theme=options.theme,
            variation=options.vary
            and variation(settings.without_cues, options.vary, made.input.pins, made.input.table),
            speed=None
            if options.speed == 1.0
            else options.speed * 1000 / tokens.TIMINGS["correct"],
        )
        _write_page(options, target, text)
    if others:
        from kpviz.commands import film

        film.of_run(options, others, made, cues)
    return 0


def _cues(source: str) -> Cues:
    try:
        return Cues.read(
            inputs.content(source, "The file of cues", 25 * LONGEST_CUES).decode("utf-8")
        )
    except UnicodeDecodeError:
        raise CommandError(
            f"The file of cues {quoted(source)} is not a text: save it as UTF-8."
        ) from None
    except CommandError:
        raise
    except ValueError as error:
        raise CommandError(f"{quoted(source)}: {error}") from None


def _lesson(options: argparse.Namespace, pages: Sequence[Target], others: Sequence[Target]) -> int:
    _refuse(options, _OF_RUNS, "A lesson has its own links", "name a link")
    lesson_read = lesson.read_file(options.source)
    for target in pages:
        name = inputs.path_of(options.source).name.removesuffix(ENDING)
        called = name if re.fullmatch(r"[\w-]{1,80}", name) else lesson_read.title
        _write_page(
            options,
            target,
            lesson_page(lesson_read, called, theme=options.theme, address=options.address),
        )
    if others:
        from kpviz.commands import film

        film.of_lesson(options, others, lesson_read)
    return 0


def _write_page(options: argparse.Namespace, target: Target, text: str) -> None:
    output.write(target.name, text)
    output.say(options, target.name, f": {len(text.encode()) / 1e6:.1f} MB")
