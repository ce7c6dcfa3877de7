"""The film of some runs, an MP4: at the pace of the player, with holds and words at the cues.

Tests: tests/export/test_films.py.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kpviz import tokens
from kpviz.engine import checks
from kpviz.engine.run.predictors import Progress
from kpviz.engine.run.run import Run
from kpviz.export import RATES, ffmpeg, pace, writing
from kpviz.export.pace import Shot
from kpviz.picture import painter
from kpviz.picture.card import Card
from kpviz.picture.reel import Reel
from kpviz.picture.stage import Board, RenderOptions, Stage
from kpviz.player.comparison import Comparison
from kpviz.settings.cues import FASTEST, SLOWEST, Cue, Cues

_SAID_EVERY = 0.25  # In seconds.
_AHEAD = 3  # So many boards are made before they are painted.

_Made = TypeVar("_Made")
_END = object()

Frame = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Film:
    """All that a film shows.

    Where the panels beside the map have no room together they stand on pages, and a cue turns to
    the page of the panels that it lights.

    Parameters
    ----------
    shots : what is shown when, see `pace.script`. cues : what is said and lights up, with its
        places.
    width, height : of a frame in pixels, even numbers.
    fps : frames per second. card : what a shot without an instant shows.
    cards : by its cue, what a shot without an instant shows that has a cue.
    """

    experiments: Comparison
    look: RenderOptions
    shots: Sequence[Shot]
    width: int = 1920
    height: int = 1080
    fps: int = 30
    card: Card = field(default_factory=lambda: Card(""))
    cues: Cues = field(default_factory=Cues)
    cards: Mapping[Cue, Card] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.fps not in RATES:
            raise ValueError(
                f"fps={self.fps} is not possible: fps must be one of {', '.join(map(str, RATES))}."
            )
        if self.width % 2 or self.height % 2 or min(self.width, self.height) <= 0:
            raise ValueError(
                f"A film of {self.width}x{self.height} pixels is not possible: give even numbers."
            )

    @property
    def n_frames(self) -> int:
        """How many frames there are."""
        return pace.length(self.shots, self.fps)

    def frames(self) -> Iterator[Frame]:
        """Return the pictures in order, each (height, width, 4); none is kept."""
        reel = Reel(self._stage, (self.width, self.height))
        frame = np.zeros((self.height, self.width, 4), dtype=np.uint8)
        for instant_board in _ahead(self._boards(reel)):
            if instant_board is not None:
                t, board = instant_board
                frame = (
                    reel.card(board) if isinstance(board, Card) else reel.painted(t, board)
                ).copy()
            yield frame

    @property
    def crowded_out(self) -> list[str]:
        """The panels that were asked for and have room on no page."""
        return [name for name in self._never_shown if name not in self._stage.paged]

    @property
    def unturned(self) -> list[str]:
        """The panels that were asked for and stand on a page to which no cue turns."""
        return [name for name in self._never_shown if name in self._stage.paged]

    @property
    def unlit(self) -> list[str]:
        """The panels that are not on the board when a cue lights them."""
        return list(dict.fromkeys(name for names in self.unlit_by.values() for name in names))

    @property
    def unlit_by(self) -> dict[Cue, list[str]]:
        """The cues that light panels which are not on the board then, and which."""
        lit = {shot.cue: shot.t for shot in self.shots if shot.cue and shot.t is not None}
        dark = {
            cue: [name for name in cue.panels if name not in self._stage.panels(t)]
            for cue, t in lit.items()
        }
        return {cue: names for cue, names in dark.items() if names}

    @cached_property
    def _never_shown(self) -> list[str]:
        """The panels that were asked for and are never on the board.

        Pages turn at cues alone, so it is enough to look there and at the first instant.
        """
        instants = [shot.t for shot in self.shots if shot.t is not None]
        cue_instants = [shot.t for shot in self.shots if shot.cue and shot.t is not None]
        turning_instants = sorted({*instants[:1], *cue_instants})
        hidden_at_each = [self._stage.crowded_out(t) for t in turning_instants]
        if not hidden_at_each:
            return []
        return [
            name for name in hidden_at_each[0] if all(name in hidden for hidden in hidden_at_each)
        ]

    @cached_property
    def _stage(self) -> Stage:
        return Stage(self.experiments, self.look, (self.width, self.height), self.cues)

    def _boards(self, reel: Reel) -> Iterator[tuple[int, Board | Card] | None]:
        """Yield for each frame its instant and its board or card; None where nothing changes."""
        last_shot: Shot | None = None
        for number in range(self.n_frames):
            seconds = number / self.fps
            shot = pace.shot_at(self.shots, seconds)
            if shot.t is None:
                yield (
                    None
                    if last_shot is shot
                    else (0, self.cards.get(shot.cue, self.card) if shot.cue else self.card)
                )
                last_shot = shot
                continue
            # A frame may be so little early that rounding hides it. A step that is shown faster is
            # drawn as one of the default time, of which the same share has gone.
            milliseconds_gone = max(1000 * (seconds - shot.start), 0.0) / shot.pace
            moving = shot.happens and milliseconds_gone < tokens.MOTION
            if not moving and last_shot is shot:
                yield None
                continue
            # While steps come too fast to be shown, the field follows slowly, see `Stage.board`.
            playing = (1000 * seconds, 1000 * shot.seconds) if shot.swift else None
            gone = milliseconds_gone if moving else None
            board = reel.board(shot.t, gone, playing, shot.board_words)
            last_shot = None if moving or board.lively else shot  # A lively one goes on changing.
            yield shot.t, board


def _ahead(made: Iterator[_Made]) -> Iterator[_Made]:
    """Yield what is made, the next ones being made in a thread while the last one is used.

    The engine of JavaScript, which makes boards, lets Python go on meanwhile.
    """
    with ThreadPoolExecutor(1) as thread:
        coming = deque(thread.submit(next, made, _END) for _ in range(_AHEAD))
        while True:
            value = coming.popleft().result()
            if value is _END:
                return
            coming.append(thread.submit(next, made, _END))
            yield value  # type: ignore[misc]


@dataclass(eq=False)
class Chapters:
    """Films one after the other, of the same size and frame rate, each a chapter with a name."""

    parts: Sequence[tuple[str, Film]]

    def __post_init__(self) -> None:
        first = self.parts[0][1]
        self.width = first.width
        self.height = first.height
        self.fps = first.fps

    @property
    def n_frames(self) -> int:
        """How many frames there are."""
        return sum(film.n_frames for _, film in self.parts)

    @property
    def marks(self) -> list[tuple[int, int, str]]:
        """Where chapters begin and end, in frames, and their names."""
        ends = [0, *accumulate(film.n_frames for _, film in self.parts)]
        return [(*span, name) for span, (name, _) in zip(pairwise(ends), self.parts, strict=True)]

    def frames(self) -> Iterator[Frame]:
        """Return the pictures in order."""
        # A copy has a stage of its own, which is freed with it after its chapter.
        return (frame for _, film in self.parts for frame in replace(film).frames())


class TimeLeft:
    """Reports how far a film is, and how long the rest takes; "" when it has just reported."""

    def __init__(self) -> None:
        self._began = self._last = time.monotonic()

    def say(self, done: int, of: int) -> str:
        """Return what to say after `done` frames."""
        now = time.monotonic()
        if not done or now - self._last < _SAID_EVERY:
            return ""
        self._last = now
        return (
            f"{done:,} of {of:,} frames, about {(now - self._began) * (of - done) / done:.0f} "
            "s left"
        )


def check_name(path: Path) -> None:
    """Raise a ValueError of one sentence where a file is not called as a film is."""
    writing.check_ending(path, ".mp4", "a film")


def save(film: Film | Chapters, path: Path, progress: Progress = lambda done, of: None) -> None:
    """Write a film, or several as one, to a file that ends in .mp4.

    `progress` is called with the frames done and all of them; what it raises cancels, and leaves no
    file.

    Raises
    ------
    ValueError
        One sentence: ffmpeg or a font is missing, or the film cannot be written.
    """
    check_name(path)
    marks = film.marks if isinstance(film, Chapters) else ()
    with ffmpeg.Writer(path, film.width, film.height, film.fps, marks) as writer:
        for done, frame in enumerate(film.frames()):
            progress(done, film.n_frames)
            writer.write(frame)
    progress(film.n_frames, film.n_frames)


_LONGEST = 7200.0  # In seconds.
_UNNAMED = "A kernel machine learns"


@dataclass(frozen=True)
class FilmOptions:
    """What one may choose for a film.

    Parameters
    ----------
    first, last : the range of instants, both included; None: the end.
    speed : how many times the default speed.
    width, height, fps : of the film, in pixels and frames per second.
    theme : "light" or "dark". panels : those that are shown, see `kpviz.picture.stage`; None: the
        default.
    angles : by how many degrees the space of the lift is turned and tilted; None: as the player has
        it at first.
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


def film(
    experiments: Comparison,
    cues: Cues,
    options: FilmOptions,
    opening_card: Card | None = None,
    stretch: float = np.inf,
) -> Film:
    """Return the film of some runs; `opening_card`: a card in place of the title.

    `stretch`: see `pace.script`.

    Raises
    ------
    ValueError
        One sentence: a range, a speed or a size is not possible.
    """
    run = experiments.current.run
    pinned = [pinned_experiment.run for pinned_experiment in experiments.pinned]
    _check(run, cues, options, pinned)
    title = options.title or cues.title or experiments.current.title or _UNNAMED
    seconds_of_card = opening_card.seconds if opening_card else pace.TITLE
    shots = pace.script(
        run,
        cues,
        first=options.first,
        last=options.last,
        speed=options.speed,
        card=seconds_of_card if options.title is not None else 0.0,
        opening=experiments.current.opening,
        stream=experiments.current.stream,
        others=pinned,
        classes=experiments.current.split.source.classes,
        openings=[pinned_experiment.opening for pinned_experiment in experiments.pinned],
        stretch=stretch,
    )
    check_length(shots[-1].end)
    look = RenderOptions(
        options.theme, options.panels, words=options.words, angles=options.angles, over=options.over
    )
    card = opening_card or Card(title, cues.by, _about(title, experiments))
    return Film(experiments, look, shots, options.width, options.height, options.fps, card, cues)


def missing(made: Film) -> list[str]:
    """Say what of its cues and panels a film cannot show, a phrase each."""
    cues = made.cues
    run = made.experiments.current.run
    phrases = pace.places(run).missing(cues)
    hidden = made.unlit
    if hidden:
        phrases.append(f"what is not shown cannot light up: {', '.join(hidden)}")
    crowded = made.crowded_out
    if crowded:
        phrases.append(f"there is no room for {', '.join(crowded)} on a page of this shape")
    unturned = made.unturned
    if unturned:
        phrases.append(f"on pages to which no cue turns: {', '.join(unturned)}")
    all_words = "".join(
        [made.card.title, made.card.words, cues.title, cues.by, *(cue.words for cue in cues.cues)]
    )
    characters = painter.lacking(all_words)
    if characters:
        phrases.append(f"the font of films has no character for {characters[:10]}")
    return phrases


def captions(film: Film | Chapters) -> list[tuple[float, float, str]]:
    """Return what the film says from when to when, in seconds."""
    if isinstance(film, Film):
        return pace.captions(film.shots)
    parts = zip(film.marks, film.parts, strict=True)
    told = (
        (first / film.fps, caption)
        for (first, _, _), (_, part) in parts
        for caption in captions(part)
    )
    return [
        (round(begin + start, 6), round(begin + end, 6), words)
        for begin, (start, end, words) in told
    ]


def _about(title: str, experiments: Comparison) -> str:
    """Return data and model in one line, of several runs what distinguishes them."""
    if not experiments.pinned:
        return experiments.current.model(title)
    data = experiments.current.title
    models = [
        f"{letter}: {name}"
        for letter, name in zip(experiments.letters, experiments.names, strict=True)
    ]
    return "  ·  ".join([*([] if title == data else [data]), *models])


def _check(run: Run, cues: Cues, options: FilmOptions, pinned: Sequence[Run]) -> None:
    end = max(one_run.n_steps for one_run in (*pinned, run))
    last = end if options.last is None else options.last
    if not 0 <= options.first <= last <= end:
        of = "the longest of these runs" if pinned else "this run"
        raise ValueError(
            f"The steps from {options.first:,} to {last:,} are not a part of {of}, which has "
            f"{end:,}: "
            f"give two steps from 0 to {end:,}, the first one not after the last."
        )
    check_speed(options.speed)
    check_length(pace.duration(run, cues, options.first, last, options.speed, pinned))


def check_speed(speed: float) -> None:
    """Raise a ValueError of one sentence where a film cannot be so slow or fast."""
    if not SLOWEST <= speed <= FASTEST:
        raise ValueError(f"speed={speed:g} must be from {SLOWEST:g} to {FASTEST:g}.")


def check_length(seconds: float) -> None:
    """Raise a ValueError of one sentence where a film would be too long."""
    if seconds > _LONGEST:
        raise ValueError(
            f"This film would last {seconds / 3600:.1f} hours: choose fewer steps, a higher speed "
            "or shorter holds, "
            f"for at most {_LONGEST / 3600:g}."
        )
