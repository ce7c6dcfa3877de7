"""The film of some runs: the one door for the app and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kpviz.engine import checks
from kpviz.engine.run.run import Run
from kpviz.export.film import script
from kpviz.export.film.film import Chapters, Film
from kpviz.picture import painter
from kpviz.picture.card import Card
from kpviz.picture.render_options import RenderOptions
from kpviz.player.lineup import Lineup
from kpviz.settings.cues import FASTEST, SLOWEST, Cues

_LONGEST = 7200.0  # seconds
_UNNAMED = "A kernel machine learns"


@dataclass(frozen=True)
class FilmOptions:
    """What one may choose for a film.

    Parameters
    ----------
    first, last : the range of instants, both included; None: the end.
    speed : how many times the default speed.
    width, height, fps : of the film, in pixels and frames per second.
    theme : "light" or "dark". panels : those that are shown, see `kpviz.picture.render_options`; None: the default.
    angles : by how many degrees the space of the lift is turned and tilted; None: as the player has it at first.
    over : the setting that curves run over; None: the first that they can.
    title : of the card; "": that of the cues, else what the data are called; None: no card.
    words : whether what is said is on the picture.
    """

    first: int = 0
    last: int | None = None
    speed: float = 1.0
    width: int = 1920
    height: int = 1080
    fps: int = 30
    theme: str = "light"
    panels: tuple[str, ...] | None = None
    angles: tuple[float, float] | None = None
    over: str | None = None
    title: str | None = ""
    words: bool = True

    def __post_init__(self) -> None:
        checks.integer("first", self.first, low=0)
        if self.last is not None:
            checks.integer("last", self.last, low=0)
        if self.title is not None and not isinstance(self.title, str):
            raise ValueError(f"title={self.title!r} is not a text: give one, or None for no card.")


def film(lineup: Lineup, cues: Cues, options: FilmOptions) -> Film:
    """Return the film of some runs.

    Raises
    ------
    ValueError
        One sentence: a range, a speed or a size is not possible.
    """
    run, pinned = lineup.current.run, [each.run for each in lineup.pinned]
    _check(run, cues, options, pinned)
    title = options.title or cues.title or lineup.current.title or _UNNAMED
    shots = script.script(
        run,
        cues,
        first=options.first,
        last=options.last,
        speed=options.speed,
        card=options.title is not None,
        opening=lineup.current.opening,
        stream=lineup.current.stream,
        others=pinned,
        classes=lineup.current.split.source.classes,
        openings=[each.opening for each in lineup.pinned],
    )
    check_length(shots[-1].end)
    look = RenderOptions(options.theme, options.panels, words=options.words, angles=options.angles, over=options.over)
    card = Card(title, cues.by, _about(title, lineup))
    return Film(lineup, look, shots, options.width, options.height, options.fps, card, cues)


def missing(made: Film) -> list[str]:
    """Say what of its cues and panels a film cannot show, a phrase each."""
    cues, run = made.cues, made.lineup.current.run
    found = script.places(run).missing(cues)
    if hidden := made.unlit:
        found.append(f"what is not shown cannot light up: {', '.join(hidden)}")
    if crowded := made.crowded_out:
        found.append(f"there is no room for {', '.join(crowded)} on a page of this shape")
    if unturned := made.unturned:
        found.append(f"on pages to which no cue turns: {', '.join(unturned)}")
    all_words = "".join([made.card.title, made.card.words, cues.title, cues.by, *(cue.words for cue in cues.cues)])
    if characters := painter.lacking(all_words):
        found.append(f"the font of films has no character for {characters[:10]}")
    return found


def captions(film: Film | Chapters) -> list[tuple[float, float, str]]:
    """Return what the film says from when to when, in seconds."""
    if isinstance(film, Film):
        return script.captions(film.shots)
    parts = zip(film.marks, film.parts, strict=True)
    told = ((first / film.fps, each) for (first, _, _), (_, part) in parts for each in captions(part))
    return [(round(begin + start, 6), round(begin + end, 6), words) for begin, (start, end, words) in told]


def _about(title: str, lineup: Lineup) -> str:
    """Return data and model in one line, of several runs what distinguishes them."""
    if not lineup.pinned:
        return lineup.current.model(title)
    data = lineup.current.title
    models = [f"{letter}: {name}" for letter, name in zip(lineup.letters, lineup.names, strict=True)]
    return "  ·  ".join([*([] if title == data else [data]), *models])


def _check(run: Run, cues: Cues, options: FilmOptions, pinned: Sequence[Run]) -> None:
    end = max(each.n_steps for each in (*pinned, run))
    last = end if options.last is None else options.last
    if not 0 <= options.first <= last <= end:
        of = "the longest of these runs" if pinned else "this run"
        raise ValueError(
            f"The steps from {options.first:,} to {last:,} are not a part of {of}, which has {end:,}: "
            f"give two steps from 0 to {end:,}, the first one not after the last."
        )
    check_speed(options.speed)
    check_length(script.duration(run, cues, options.first, last, options.speed, pinned))


def check_speed(speed: float) -> None:
    """Raise a ValueError of one sentence where a film cannot be so slow or fast."""
    if not SLOWEST <= speed <= FASTEST:
        raise ValueError(f"speed={speed:g} must be from {SLOWEST:g} to {FASTEST:g}.")


def check_length(seconds: float) -> None:
    """Raise a ValueError of one sentence where a film would be too long."""
    if seconds > _LONGEST:
        raise ValueError(
            f"This film would last {seconds / 3600:.1f} hours: choose fewer steps, a higher speed or shorter holds, "
            f"for at most {_LONGEST / 3600:g}."
        )
