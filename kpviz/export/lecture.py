"""The film of some settings: the one door for the app and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kpviz import experiment, explain
from kpviz.cues import Cues
from kpviz.engine.run import Run
from kpviz.export import script
from kpviz.export.film import Film
from kpviz.settings import Settings
from kpviz.views import look, words
from kpviz.views.card import Card
from kpviz.views.comparing import Others
from kpviz.views.look import Look

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
    theme : "light" or "dark". panels : those that are shown, of which `kpviz.views.look.Look` tells; None: the usual.
    angles : by how many degrees the space of the lift is turned and tilted; None: as the player has it at first.
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
    title: str | None = ""
    words: bool = True


def film(
    settings: Settings,
    split: experiment.Split,
    run: Run,
    cues: Cues,
    wishes: Wishes,
    others: Others | None = None,
) -> Film:
    """Return the film of a run, beside `others` if there are any, see `kpviz.views.look.others`.

    Raises
    ------
    ValueError
        One sentence: a range, a speed or a size is not possible.
    """
    pinned = () if others is None else others.runs
    _check(run, wishes, pinned)
    title = wishes.title or cues.title or experiment.title(settings)
    card = Card(title, cues.by, _about(settings, title, others), wishes.theme)
    shots = script.script(
        run,
        cues,
        first=wishes.first,
        last=wishes.last,
        speed=wishes.speed,
        card=wishes.title is not None,
        opening=opening(settings, run),
        stream=settings.stream == "on",
        others=pinned,
        openings=[opening(settings, each) for each in pinned],
    )
    if shots[-1].end > _LONGEST:
        raise ValueError(_too_long(shots[-1].end))
    shown: dict[str, Any] = {"theme": wishes.theme, "panels": wishes.panels, "words": wishes.words, "others": others}
    shown["angles"] = wishes.angles
    how = Look(**shown, **look.options(settings, split))
    return Film(run, how, shots, wishes.width, wishes.height, wishes.fps, card)


def opening(settings: Settings, run: Run) -> str:
    """Return what is said before the first step, where nobody has a key to press."""
    said = explain.explain(run, 0).sentence
    if said.startswith(_PRESS):
        _, colon, rest = said.partition(": ")
        capital = rest[:1] if rest.startswith("f ") else rest[:1].upper()  # f is no F
        said = capital + rest[1:] if colon else ""
    return f"{experiment.look_for(settings)} {said}".strip()


def missing(run: Run, cues: Cues, title: str = "", look: Look | None = None) -> list[str]:
    """Say what of the cues a film of this run cannot show, a phrase each; with a `look`, which panels are not there."""
    found = script.places(run).missing(cues)
    if look is not None:
        lit = dict.fromkeys(name for cue in cues.cues for name in cue.panels)
        hidden = [name for name in lit if name not in look.page(run).boxes]
        found += [f"what is not shown cannot light up: {', '.join(hidden)}"] if hidden else []
        if crowded := look.crowded_out(run):
            found.append(f"there is no room for {', '.join(crowded)} on a page of this shape")
    said = "".join([title, cues.title, cues.by, *(cue.words for cue in cues.cues)])
    if signs := words.lacking(said):
        found.append(f"the font of films has no sign for {signs[:10]}")
    return found


def captions(film: Film) -> list[tuple[float, float, str]]:
    """Return what the film says from when to when, in seconds."""
    return script.captions(film.shots)


def _about(settings: Settings, title: str, others: Others | None) -> str:
    """Return data and model in one line, of several runs what tells each from the others."""
    if others is None:
        return experiment.about(settings, title)
    data = experiment.title(settings)
    models = [f"{letter}: {name}" for letter, name in zip(others.letters, others.names, strict=True)]
    return "  ·  ".join([*([] if title == data else [data]), *models])


def _check(run: Run, wishes: Wishes, pinned: Sequence[Run]) -> None:
    end = max(each.n_steps for each in (*pinned, run))
    last = end if wishes.last is None else wishes.last
    if not 0 <= wishes.first <= last <= end:
        of = "the longest of these runs" if pinned else "this run"
        raise ValueError(
            f"The steps from {wishes.first:,} to {last:,} are not a part of {of}, which has {end:,}: "
            f"give two steps from 0 to {end:,}, the first one not after the last."
        )
    if not script.SLOWEST <= wishes.speed <= script.FASTEST:
        raise ValueError(f"speed={wishes.speed:g} must be from {script.SLOWEST:g} to {script.FASTEST:g}.")
    if (seconds := script.duration(run, wishes.first, last, wishes.speed, pinned)) > _LONGEST:
        raise ValueError(_too_long(seconds))


def _too_long(seconds: float) -> str:
    return (
        f"This film would last {seconds / 3600:.1f} hours: choose fewer steps, a higher speed or shorter holds, for at "
        f"most {_LONGEST / 3600:g}."
    )
