"""The film of some settings: the one door for the app and the command line."""

from __future__ import annotations

from dataclasses import dataclass

from kpviz import experiment, explain
from kpviz.cues import Cues
from kpviz.engine.run import Run
from kpviz.export import script
from kpviz.export.film import Film
from kpviz.settings import Settings
from kpviz.views import look, words
from kpviz.views.board import Look
from kpviz.views.card import Card

_PRESS = "Press →"
_LONGEST = 7200.0  # seconds


@dataclass(frozen=True)
class Wishes:
    """What one may choose for a film.

    Parameters
    ----------
    first, last : the range of instants, both included; None: the end.
    speed : how many times as fast as usual steps follow each other.
    width, height, fps : of the film, in pixels and frames per second.
    theme : "light" or "dark". panels : those that are shown, of which `kpviz.views.board.Look` tells; None: the usual.
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
    title: str | None = ""
    words: bool = True


def film(settings: Settings, split: experiment.Split, run: Run, cues: Cues, wishes: Wishes) -> Film:
    """Return the film of a run.

    Raises
    ------
    ValueError
        One sentence: a range, a speed or a size is not possible.
    """
    _check(run, wishes)
    title = wishes.title or cues.title or experiment.title(settings)
    card = Card(title, cues.by, experiment.about(settings, title), wishes.theme)
    shots = script.script(
        run,
        cues,
        first=wishes.first,
        last=wishes.last,
        speed=wishes.speed,
        card=wishes.title is not None,
        opening=opening(settings, run),
        stream=settings.stream == "on",
    )
    if shots[-1].end > _LONGEST:
        raise ValueError(_too_long(shots[-1].end))
    how = Look(theme=wishes.theme, panels=wishes.panels, words=wishes.words, **look.options(settings, split))
    return Film(run, how, shots, wishes.width, wishes.height, wishes.fps, card)


def opening(settings: Settings, run: Run) -> str:
    """Return what is said before the first step, where nobody has a key to press."""
    said = explain.explain(run, 0).sentence
    if said.startswith(_PRESS):
        _, colon, rest = said.partition(": ")
        said = rest[:1].upper() + rest[1:] if colon else ""
    return f"{experiment.look_for(settings)} {said}".strip()


def missing(run: Run, cues: Cues, title: str = "") -> list[str]:
    """Say what of the cues a film of this run cannot show, a phrase each."""
    found = script.places(run).missing(cues)
    said = "".join([title, cues.title, cues.by, *(cue.words for cue in cues.cues)])
    if signs := words.lacking(said):
        found.append(f"the font of films has no sign for {signs[:10]}")
    return found


def captions(film: Film) -> list[tuple[float, float, str]]:
    """Return what the film says from when to when, in seconds."""
    return script.captions(film.shots)


def _check(run: Run, wishes: Wishes) -> None:
    last = run.n_steps if wishes.last is None else wishes.last
    if not 0 <= wishes.first <= last <= run.n_steps:
        raise ValueError(
            f"The steps from {wishes.first:,} to {last:,} are not a part of this run, which has {run.n_steps:,}: "
            f"give two steps from 0 to {run.n_steps:,}, the first one not after the last."
        )
    if not script.SLOWEST <= wishes.speed <= script.FASTEST:
        raise ValueError(f"speed={wishes.speed:g} must be from {script.SLOWEST:g} to {script.FASTEST:g}.")
    if (seconds := script.duration(run, wishes.first, last, wishes.speed)) > _LONGEST:
        raise ValueError(_too_long(seconds))


def _too_long(seconds: float) -> str:
    return (
        f"This film would last {seconds / 3600:.1f} hours: choose fewer steps, a higher speed or shorter holds, for at "
        f"most {_LONGEST / 3600:g}."
    )
