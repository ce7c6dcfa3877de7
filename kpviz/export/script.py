"""When a film shows what: the pace of the player, with holds at the cues."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from kpviz import explain, tokens
from kpviz.cues import Cue, Cues, Places, reading_time
from kpviz.engine.run import Run

TITLE = 3.0  # seconds of the card
SLOWEST, FASTEST = 0.05, 50.0  # times the usual pace
_USUAL = 1000.0 / tokens.TIMINGS["correct"]  # correct examples per second
_LEAST = 0.1  # seconds that a cue holds, at least
_EXACT = 1e-6  # seconds: what is rounded away
_FIRST = 1.5  # seconds that the first instant stays, at least
_READ = 0.1  # seconds below which nobody reads what is said


@dataclass(frozen=True)
class Shot:
    """What stays on the screen for a while.

    Parameters
    ----------
    start, seconds : when it begins, how long it stays.
    t : the instant, None for the title card.
    happens : whether the step that led to t is shown happening.
    cue : what is said and lights up, None for nothing.
    words : what is said.
    """

    start: float
    seconds: float
    t: int | None = None
    happens: bool = False
    cue: Cue | None = None
    words: str = ""

    @property
    def end(self) -> float:
        """When the next one begins."""
        return round(self.start + self.seconds, 6)


def script(
    run: Run,
    cues: Cues,
    *,
    first: int = 0,
    last: int | None = None,
    speed: float = 1.0,
    card: bool = True,
    opening: str | None = None,
    stream: bool = False,
) -> list[Shot]:
    """Return the shots of a run, from the instant `first` to `last` (None: the end), both included.

    Parameters
    ----------
    speed : how many times as fast as usual steps follow each other; holds and card stay as they are. Above ten
        examples per second a step is not shown happening, as in the player.
    card : whether a title comes first.
    opening : what is said before the first step (None: the run's own sentence).
    stream : whether the examples come only once, which the last sentence says.
    """
    to = run.n_steps if last is None else last
    placed = places(run).held(cues)
    shots = [Shot(0.0, TITLE)] if card else []
    for t in range(first, to + 1):
        happens = t > first and _changes(run, t) and speed * _USUAL <= tokens.SPEED["bumps_up_to"]
        stays = _pace(run, t, speed) if t > first else _FIRST
        read = stays >= _READ or t == to or t in placed
        said = opening if t == 0 and opening is not None else _sentence(run, t, stream) if read else ""
        if t in (first, to):
            stays = max(stays, reading_time(said))
        cue = placed.get(t)
        seconds = stays if cue is None else max(cue.seconds(said), stays if t not in (first, to) else _LEAST)
        start = shots[-1].end if shots else 0.0
        shots.append(Shot(start, seconds, t, happens, cue, (cue.words if cue else "") or said))
    return shots


def duration(run: Run, first: int, last: int, speed: float) -> float:
    """Return about how many seconds a range lasts, without holds."""
    return sum(float(_pace(run, t, speed)) for t in range(first + 1, last + 1))


def places(run: Run) -> Places:
    """Return what cues of a run can name."""
    return Places.of(run.mistake, run.epoch_start, len(run.y))


def length(shots: Sequence[Shot], fps: int) -> int:
    """Return how many frames the shots make."""
    return max(round(shots[-1].end * fps), 1)


def shot_at(shots: Sequence[Shot], time: float) -> Shot:
    """Return what is on the screen at a time in seconds."""
    return shots[max(bisect_right(shots, time + _EXACT, key=lambda shot: shot.start) - 1, 0)]


def captions(shots: Sequence[Shot]) -> list[tuple[float, float, str]]:
    """Return what is said from when to when; what stays the same is one caption."""
    groups = ((words, list(group)) for words, group in groupby(shots, key=lambda shot: shot.words))
    return [(said[0].start, said[-1].end, words) for words, said in groups if words]


def _sentence(run: Run, t: int, stream: bool) -> str:
    return explain.explain(run, t, stream=stream).sentence


def _pace(run: Run, t: int, speed: float) -> float:
    """Return how many seconds the step that led to t stays; a mistake longer where it is shown happening."""
    slow = bool(run.mistake[t - 1]) and speed * _USUAL <= tokens.SPEED["bumps_up_to"]
    return tokens.TIMINGS["mistake" if slow else "correct"] / 1000 / speed


def _changes(run: Run, t: int) -> bool:
    """Whether the step that led to t adds to f; a learner may shrink it at every step."""
    changes = run.changes
    at = int(np.searchsorted(changes.step, t - 1))
    if at == len(changes.step) or int(changes.step[at]) != t - 1:
        return False
    return bool(changes.pointer[at + 1] > changes.pointer[at])
