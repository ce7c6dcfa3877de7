"""`kpviz render`: a run or a lesson as a film with captions, or as a page that plays itself."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from kpviz import tokens
from kpviz.commands import CommandError, Target, go_on, inputs, lesson, output, sheets, shown, until_terminated, work
from kpviz.commands.sheets import complain
from kpviz.export import SIZES, films, pace, scenes
from kpviz.export.films import Chapters, Film, FilmOptions
from kpviz.export.page import lesson as lesson_page
from kpviz.export.page import page, vary
from kpviz.lessons.file.format import ENDING
from kpviz.settings.cues import LONGEST, Cues

_OF_FILMS = {
    "size": "--size",
    "fps": "--fps",
    "first": "--from",
    "last": "--to",
    "title": "--title",
    "no_words": "--no-words",
}
_OF_RUNS = {"vary": "--vary", "set": "--set", "cues": "--cues", "first": "--from", "last": "--to", "title": "--title"}
_CAPTIONS = {"vtt": pace.to_vtt, "srt": pace.to_srt}


@until_terminated()
def render(options: argparse.Namespace) -> int:
    """Write what is asked for: films, captions, pages."""
    output.check([target.name for target in options.out])
    pages = [target for target in options.out if target.kind == "html"]
    others = [target for target in options.out if target.kind != "html"]
    for target in others:
        if target.kind == "mp4":
            films.check_name(Path(target.name))
    if pages and not others:
        _refuse(options, _OF_FILMS, "A page is the player itself", "name a film")
    if not pages:
        _refuse(options, {"vary": "--vary"}, "A film plays one run", "name a page (.html)")
    width, height = options.size or SIZES["1080p"]
    chosen = FilmOptions(
        speed=options.speed,
        width=width,
        height=height,
        fps=options.fps or 30,
        theme="dark" if options.theme == "dark" else "light",
        words=not options.no_words,
    )
    path = lesson.path_of(options.source)
    make = _lesson if path.name.endswith(ENDING) else _run
    return make(options, pages, others, chosen)


def _refuse(options: argparse.Namespace, names: dict[str, str], what: str, advice: str) -> None:
    """Raise a CommandError if an option was given that is of no use."""
    given = [option for name, option in names.items() if getattr(options, name) not in (None, False, [])]
    if given:
        raise CommandError(f"{what} and has no {', '.join(given)}: leave that out, or {advice}.")


def _run(options: argparse.Namespace, pages: Sequence[Target], others: Sequence[Target], chosen: FilmOptions) -> int:
    least, most = (tokens.SPEED[end] * tokens.TIMINGS["correct"] / 1000 for end in ("slowest", "fastest"))
    if pages and not least <= options.speed <= most:
        raise CommandError(f"--speed {options.speed:g} is not possible for a page: give {least:g} to {most:g}.")
    read = None if options.cues is None else _cues(options.cues)
    made = work.trained(work.read(options))
    cues, view = read or Cues.of_code(made.settings.cues), made.input.view
    for target in pages:
        complain(pace.places(made.run).missing(cues))
        if len(cues.code) > LONGEST:
            raise CommandError(f"A page holds cues of {LONGEST:,} characters, and these have {len(cues.code):,}.")
        text = page.page(
            made.comparison,
            cues,
            view=replace(view, t=made.input.t or 0),
            theme=options.theme,
            variation=None if options.vary is None else _varied(made, options.vary),
            speed=None if options.speed == 1.0 else options.speed * 1000 / tokens.TIMINGS["correct"],
        )
        _write_page(options, target, text)
    if others:
        chosen = replace(
            chosen,
            first=options.first or 0,
            last=options.last,
            panels=view.show,
            angles=view.turn,
            over=view.over,
            title="" if options.title is None else options.title or None,
        )
        reel = films.film(made.comparison, cues, chosen)
        complain(films.missing(reel))
        _write_films(options, others, reel)
    return 0


def _varied(made: work.TrainedInput, name: str) -> page.Variation:
    settings = made.settings.without_cues
    return vary.variation(settings, name, made.input.pins, made.input.table)


def _cues(source: str) -> Cues:
    try:
        return Cues.read(inputs.content(source, "The file of cues", 25 * LONGEST).decode("utf-8"))
    except UnicodeDecodeError:
        raise CommandError(f"The file of cues {shown(source)} is not a text: save it as UTF-8.") from None
    except CommandError:
        raise
    except ValueError as error:
        raise CommandError(f"{shown(source)}: {error}") from None


def _lesson(options: argparse.Namespace, pages: Sequence[Target], others: Sequence[Target], chosen: FilmOptions) -> int:
    _refuse(options, _OF_RUNS, "A lesson has its own links", "name a link")
    found = lesson.read_file(options.source)
    for target in pages:
        name = lesson.path_of(options.source).name.removesuffix(ENDING)
        called = name if re.fullmatch(r"[\w-]{1,80}", name) else found.title
        _write_page(options, target, lesson_page.page(found, called, theme=options.theme, address=options.address))
    if others:
        reel, without = scenes.film(found, chosen, sheets.trained)
        complain(without)
        _write_films(options, others, reel)
    return 0


def _write_page(options: argparse.Namespace, target: Target, text: str) -> None:
    output.write(target.name, text)
    output.say(options, target.name, f": {len(text.encode()) / 1e6:.1f} MB")


def _write_films(options: argparse.Namespace, targets: Sequence[Target], reel: Film | Chapters) -> None:
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
    """Return a callback that shows a bar of the frames that are done, and how long the remaining ones take."""
    left = films.TimeLeft()

    def show(done: int, of: int) -> None:
        go_on()
        if message := left.say(done, of):
            progress.bar(done, of, message)

    return show
