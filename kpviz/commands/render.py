"""`kpviz render`: a run as a film with captions, or as a page that plays itself."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kpviz import tokens
from kpviz.commands import CommandError, go_on, output, shown, until_terminated, work
from kpviz.commands.work import Work
from kpviz.export.film import script
from kpviz.export.film.formats import SIZES
from kpviz.settings.cues import LONGEST, Cues

if TYPE_CHECKING:
    from kpviz.export.film.film import Chapters, Film
    from kpviz.export.film.lecture import FilmOptions

FILMS = (".mp4", ".webm", ".gif")
PAGE = ".html"
CAPTIONS = (".vtt", ".srt")
_OF_FILMS = {
    "captions": "--captions",
    "size": "--size",
    "fps": "--fps",
    "first": "--from",
    "last": "--to",
    "title": "--title",
    "no_title": "--no-title",
    "no_words": "--no-words",
}
_MAX_BYTES = 25 * LONGEST  # of a file, with its comments


@until_terminated()
def render(options: argparse.Namespace) -> int:
    """Write the film or the page, and its captions."""
    check_targets(options)
    is_page = _ending(options.out) == PAGE
    if is_page:
        _refuse(options)
    cues = None if options.cues is None else _cues(options.cues)
    made = work.trained(options, step=True)
    used = Cues.of_code(made.settings.cues) if cues is None else cues
    return (_page if is_page else _film)(options, made, used)


def check_targets(options: argparse.Namespace) -> None:
    """Raise a CommandError if the film or its captions cannot be written: before the work, not after it."""
    targets = [options.out, *options.captions]
    for target in targets:
        output.check(target)
    if len({Path(target).resolve() for target in targets}) < len(targets):
        raise CommandError("Two things cannot be written to the same place: give each a file of its own.")


def _refuse(options: argparse.Namespace) -> None:
    """Say which options a page has no use for."""
    given = [name for name in _OF_FILMS if getattr(options, name)]
    if given:
        names = ", ".join(_OF_FILMS[name] for name in given)
        raise CommandError(f"A page is the player itself and has no {names}: leave that out, or name a film.")
    least, most = (tokens.SPEED[end] * tokens.TIMINGS["correct"] / 1000 for end in ("slowest", "fastest"))
    if not least <= options.speed <= most:
        raise CommandError(f"--speed {options.speed:g} is not possible for a page: give {least:g} to {most:g}.")


def _cues(source: str) -> Cues:
    """Read a file of cues."""
    try:
        with Path(source).open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise CommandError(f"The cues {shown(source)} cannot be read: {error.strerror}.") from None
    if len(content) > _MAX_BYTES:
        raise CommandError(f"The cues {shown(source)} are too long: give at most {_MAX_BYTES:,} bytes.")
    try:
        return Cues.read(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise CommandError(f"The cues {shown(source)} are not a text: save them as UTF-8.") from None
    except ValueError as error:
        raise CommandError(f"{shown(source)}: {error}") from None


def _film(options: argparse.Namespace, made: Work, cues: Cues) -> int:
    from kpviz.export.film import lecture

    chosen = replace(
        film_options(options),
        first=options.first or 0,
        last=options.last,
        panels=made.given.show,
        angles=made.given.turn,
        over=made.given.over,
        title=None if options.no_title else options.title,
    )
    reel = lecture.film(made.lineup, cues, chosen)
    complain(lecture.missing(reel), strict=options.strict)
    return write_film(options, reel)


def film_options(options: argparse.Namespace) -> FilmOptions:
    """Return what the films of a run and of a lesson have in common."""
    from kpviz.export.film.lecture import FilmOptions

    width, height = options.size or SIZES["720p" if _ending(options.out) == ".gif" else "1080p"]
    return FilmOptions(
        speed=options.speed,
        width=width,
        height=height,
        fps=options.fps or 30,
        theme=options.theme or "light",
        words=not options.no_words,
    )


def write_film(options: argparse.Namespace, reel: Film | Chapters) -> int:
    """Write a film and its captions, or these alone."""
    from kpviz.export.film import captions, film, lecture

    texts = {".vtt": captions.to_vtt, ".srt": captions.to_srt}
    targets = [options.out, *options.captions]
    if _ending(options.out) not in texts:
        with work.Progress() as progress:
            film.save(reel, Path(options.out), _left(progress))
        size = f"{reel.n_frames:,} frames of {reel.width}x{reel.height}"
        say(options, f"wrote {options.out}: {size}, {reel.n_frames / reel.fps:.1f} s")
        targets = options.captions
    for target in targets:
        output.write(target, texts[_ending(target)](lecture.captions(reel)))
        say(options, f"wrote {target}")
    return 0


def _ending(name: str) -> str:
    return Path(name).suffix.lower()


def _page(options: argparse.Namespace, made: Work, cues: Cues) -> int:
    from kpviz.export.page import page

    complain(script.places(made.run).missing(cues), strict=options.strict)
    if len(cues.code) > LONGEST:
        raise CommandError(
            f"A page holds cues of {LONGEST:,} characters, and these have {len(cues.code):,}: use fewer words."
        )
    settings, view = made.settings.replace(cues=cues.code), made.given.view
    text = page.page(
        settings,
        made.split,
        made.run,
        view=view,
        pins=made.given.pins,
        theme=options.theme or "auto",
        speed=_per_second(options.speed),
    )
    output.write(options.out, text)
    say(options, f"wrote {options.out}: {len(text.encode()) / 1e6:.1f} MB")
    return 0


def say(options: argparse.Namespace, what: str) -> None:
    """Tell what was written, unless nobody wants to know."""
    if not options.quiet:
        print(what, file=sys.stderr)


def _per_second(speed: float) -> float | None:
    """Return the steps per second of a page, None for the default."""
    return None if speed == 1.0 else speed * 1000 / tokens.TIMINGS["correct"]


def complain(missing: list[str], *, strict: bool) -> None:
    """Say what cannot be shown of cues and panels."""
    if not missing:
        return
    message = f"Not everything can be shown: {'; '.join(missing[:5])}{'; and more' if missing[5:] else ''}."
    if strict:
        raise CommandError(message)
    print(f"kpviz: {message}", file=sys.stderr)


def _left(progress: work.Progress) -> Callable[[int, int], None]:
    """Return a callback that says how many frames are done, and how long the rest takes."""
    from kpviz.export.film.film import Left

    left, seen = Left(), sys.stderr.isatty()

    def show(done: int, of: int) -> None:
        go_on()
        if seen and (message := left.say(done, of)):
            progress.say(message)

    return show
