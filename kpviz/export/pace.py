"""When a film shows and says what: the pace of the player, with holds at the cues.

Captions as WebVTT and SubRip.

Tests: tests/export/test_pace.py.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise

import numpy as np

from kpviz import tokens
from kpviz.engine.data.datasets import Dataset
from kpviz.engine.run.run import Run
from kpviz.lessons import explain
from kpviz.lessons.comparison import LETTERS
from kpviz.lessons.languages import translate
from kpviz.settings.cues import FASTEST, SLOWEST, Cue, Cues, Places, reading_time

# All but the rates are in seconds: so long the card is seen.
TITLE = 3.0
_USUAL = 1000.0 / tokens.TIMINGS["correct"]  # So many correct examples are passed in a second.
_LEAST = 0.1  # A cue holds so long at least.
_EXACT = 1e-6  # A smaller difference is a rounding error.
_FIRST = 1.5  # The first instant stays so long at least.
# It is said of several in a row, not all of which have happened.
_RIGHT = "All right: nothing changes."
_LEAST_CAPTION = tokens.TIMINGS["spoken"] / 1000  # A caption stays so long at least.
_READ = 0.1  # Nobody reads what is said for less than this.
_RATE = 20.0  # So many characters are read in a second.
# A lesson's film cuts a longer stretch without a cue to this length, by a leap that is so long.
STRETCH = tokens.TIMINGS["stretch"] / 1000
_LEAP = tokens.TIMINGS["leap"] / 1000


@dataclass(frozen=True)
class Shot:
    """What stays on the screen for a while.

    Parameters
    ----------
    start, seconds : when it begins, how long it stays.
    t : the instant, None for the title card.
    happens : whether the step that led to t is shown happening.
    swift : whether it comes too fast for that, so that the field follows slowly: nothing may flash.
    right : whether all runs were right, so that nothing was added.
    cue : what is said and lights up, None for nothing.
    words : what is said. brief : the same of a step in a few words, "" where there are none.
    board_words : what takes the place of words that are gone before one has read them, None where
        they stay.
    others : what the pinned runs say, in the order of their letters; empty where there are none or
        a cue has words, which stand alone.
    all_right : what is said of several right answers in a row.
    """

    start: float
    seconds: float
    t: int | None = None
    happens: bool = False
    swift: bool = False
    right: bool = False
    cue: Cue | None = None
    words: str = ""
    others: tuple[str, ...] = ()
    brief: str = ""
    board_words: str | None = None
    all_right: str = _RIGHT

    @property
    def pace(self) -> float:
        """How many times the default time it takes to show its step happening."""
        return min(1000 * self.seconds / tokens.TIMINGS["mistake"], 1.0)

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
    card: float = TITLE,
    opening: str | None = None,
    stream: bool = False,
    others: Sequence[Run] = (),
    openings: Sequence[str] = (),
    classes: tuple[str, str] = Dataset.classes,
    stretch: float = np.inf,
) -> list[Shot]:
    """Return the shots of a run, from the instant `first` to `last` (None: the end), both included.

    With `others` the longest run decides on the end, and a mistake of any of them on how long a
    step stays.

    Parameters
    ----------
    speed : how many times the default speed, and that of the cues; holds and card stay as they are.
        Above ten examples per second a step is not shown happening, as in the player.
    card : how many seconds a title comes first, 0 for none.
    opening : what is said before the first step (None: the run's own sentence).
    stream : whether the examples come only once, which the last sentence says.
    classes : the names of the classes −1 and +1.
    others : the pinned runs. openings : what each of them says before the first step (empty: its
        own sentence).
    stretch : how many seconds the run plays without a cue, at most: what is left is passed in one
        leap.
    """
    every = (*others, run)
    to = max(one_run.n_steps for one_run in every) if last is None else last
    placed = places(run).held(cues)
    shots = [Shot(0.0, card)] if card else []
    paces = _speeds(placed, first, to, speed)
    leaps = _leaps(
        every, paces, sorted({first, to, *(t for t in placed if first < t < to)}), first, stretch
    )
    for t, pace in zip(range(first, to + 1), paces, strict=True):
        if any(begin < t < end for begin, end in leaps):
            continue
        leapt = next((begin for begin, end in leaps if t == end), None)
        if leapt is not None:
            later = _later(run, leapt, t, stream)
            shots.append(Shot(shots[-1].end, _LEAP, t, words=later, board_words=later))
        bumps = pace * _USUAL <= tokens.SPEED["bumps_up_to"]
        hold = _pace(every, t, pace) if t > first else _FIRST
        has_time = 1000 * hold >= tokens.TIMINGS["ghost"]
        happens = (
            t > first
            and leapt is None
            and bumps
            and has_time
            and any(explain.adds(one_run, t) for one_run in every)
        )
        read = hold >= _READ or t == to or t in placed
        *sentences, sentence = (
            _sentence(one_run, t, stream, classes) if read else "" for one_run in every
        )
        if t == 0:
            sentence = sentence if opening is None else opening
            sentences = [*openings] or sentences
        if t in (first, to):
            hold = max(hold, reading_time(_once([*sentences, sentence])))
        cue = placed.get(t)
        seconds = (
            hold
            if cue is None
            else max(
                cue.seconds(_once([*sentences, sentence])), hold if t not in (first, to) else _LEAST
            )
        )
        start = shots[-1].end if shots else 0.0
        spoken = cue.words if cue else ""
        right = (
            read
            and first < t < to
            and cue is None
            and all(_is_right(one_run, t) for one_run in every)
        )
        others_said = () if spoken else tuple(sentences)
        is_told = not cue and not others and 0 < t <= run.n_steps and explain.adds(run, t)
        brief = explain.brief(run, t, classes=classes) if is_told else ""
        shots.append(
            Shot(
                start,
                seconds,
                t,
                happens,
                not has_time,
                right,
                cue,
                spoken or sentence,
                others_said,
                brief,
            )
        )
    return shots if others else list(_heard(shots))


def _leaps(
    every: Sequence[Run], paces: Sequence[float], holds: Sequence[int], first: int, stretch: float
) -> list[tuple[int, int]]:
    """Return between which instants nothing is shown.

    So no stretch between two holds plays for longer.
    """
    leaps = []
    for begin, end in pairwise(holds):
        seconds = list(accumulate(_pace(every, t, paces[t - first]) for t in range(begin + 1, end)))
        if seconds and seconds[-1] > stretch:
            leaps.append((begin + bisect_right(seconds, stretch - _LEAP), end))
    return leaps


def _later(run: Run, begin: int, end: int, stream: bool) -> str:
    """Say how much later an instant is."""
    epochs = (
        0
        if stream
        else int(np.diff(np.searchsorted(run.epoch_start, [begin, min(end, run.n_steps)]))[0])
    )
    count = explain.counted(epochs, "epoch") if epochs else explain.counted(end - begin, "example")
    return f"{count} later"


def _is_read(words: str, seconds: float) -> bool:
    return len(words) <= _RATE * seconds + _EXACT


def duration(
    run: Run, cues: Cues, first: int, last: int, speed: float, others: Sequence[Run] = ()
) -> float:
    """Return about how many seconds a range lasts, without holds."""
    speeds = _speeds(places(run).held(cues), first, last, speed)[1:]
    return sum(_pace((*others, run), t, pace) for t, pace in enumerate(speeds, first + 1))


def _speeds(placed: Mapping[int, Cue], first: int, last: int, speed: float) -> list[float]:
    """Return the speed that leads to each instant.

    `speed` times what the newest cue before it says.
    """
    at = sorted(placed)
    times = [1.0, *(placed[t].speed or 1.0 for t in at)]
    speeds = (speed * times[bisect_left(at, t)] for t in range(first, last + 1))
    return [min(max(one_speed, SLOWEST), FASTEST) for one_speed in speeds]


def places(run: Run) -> Places:
    """Return what cues of a run can name."""
    return Places.of(run.mistake, run.epoch_start, len(run.y))


def length(shots: Sequence[Shot], fps: int) -> int:
    """Return how many frames the shots make."""
    return max(round(shots[-1].end * fps), 1)


def shot_at(shots: Sequence[Shot], time: float) -> Shot:
    """Return what is on the screen at a time in seconds."""
    return shots[max(bisect_right(shots, time + _EXACT, key=lambda shot: shot.start) - 1, 0)]


def in_language(shot: Shot, language: str) -> Shot:
    """Return a shot whose short words are those of a language; long ones stay English."""
    board_words = None if shot.board_words is None else translate(shot.board_words, language)
    return replace(
        shot,
        words=translate(shot.words, language),
        brief=translate(shot.brief, language),
        board_words=board_words,
        others=tuple(translate(words, language) for words in shot.others),
        all_right=translate(shot.all_right, language),
    )


def captions(shots: Sequence[Shot]) -> list[tuple[float, float, str]]:
    """Return what is said from when to when, of several runs a line for each.

    What stays the same is one caption, and so are right answers in a row. What nobody can read so
    fast is said in a few words, or not.
    """
    told = ((same[0].start, same[-1].end, words) for same, words in _told(shots))
    return [(start, end, words) for start, end, words in told if words]


def _told(shots: Sequence[Shot]) -> Iterator[tuple[list[Shot], str]]:
    """Yield the shots that say the same, with their words; "" where there is no time for any."""
    for _, group in groupby(shots, key=lambda shot: "right" if shot.right else _spoken(shot)):
        same = list(group)
        seconds = same[-1].end - same[0].start
        row = same[0].right and len(same) > 1
        first = same[0].all_right if row else _spoken(same[0])
        written = same[0].cue and same[0].cue.words
        brief = same[0].brief if first else ""
        verdict = brief.partition(". ")[0].rstrip(".") + "."
        read = (
            text for text in (first, brief, verdict) if len(text) > 1 and _is_read(text, seconds)
        )
        yield same, first if written else next(read, "")


def _heard(shots: Sequence[Shot]) -> Iterator[Shot]:
    """Yield the shots with what the board says.

    The same as captions, which stands until something else is said.

    Only right answers in a row are counted on the board, as they come.
    """
    before = ""
    for same, words in _told(shots):
        before = "" if same[0].cue or not same[0].words else words or before
        for shot in same:
            has_own_words = (
                shot.t is None
                or shot.cue is not None
                or (words and words in (shot.words, shot.all_right))
            )
            yield shot if has_own_words or shot.board_words else replace(shot, board_words=before)


def _spoken(shot: Shot) -> str:
    """Return all that is said, after the letters of the runs where there are several.

    What all say stands alone.
    """
    letters_of: dict[str, list[str]] = {}
    for letter, words in zip(LETTERS, (*shot.others, shot.words), strict=False):
        letters_of.setdefault(words, []).append(letter)
    if len(letters_of) == 1:
        return shot.words
    return "\n".join(
        f"{', '.join(letters)}: {words}" for words, letters in letters_of.items() if words
    )


def _once(texts: Sequence[str]) -> str:
    """Return what is to be read where the same sentences stand in several texts."""
    return " ".join(
        dict.fromkeys(sentence for text in texts for sentence in re.split(r"(?<=[.:?!]) ", text))
    )


def _sentence(run: Run, t: int, stream: bool, classes: tuple[str, str]) -> str:
    return explain.explain(run, min(t, run.n_steps), stream=stream, classes=classes).sentence


def _pace(runs: Sequence[Run], t: int, speed: float) -> float:
    """Return how many seconds the step that led to t stays.

    A mistake of any run longer where it is shown happening.
    """
    mistaken = any(t <= run.n_steps and run.mistake[t - 1] for run in runs)
    slow = mistaken and speed * _USUAL <= tokens.SPEED["bumps_up_to"]
    pace = tokens.TIMINGS["mistake" if slow else "correct"] / 1000 / speed
    return max(pace, _LEAST_CAPTION) if slow else pace


def _is_right(run: Run, t: int) -> bool:
    return t > run.n_steps or not (run.mistake[t - 1] or explain.adds(run, t))


FORMATS = ("vtt", "srt")

Caption = tuple[float, float, str]  # It has its beginning and its end in seconds, and its words.


def to_vtt(captions: Sequence[Caption]) -> str:
    """Return the text of a .vtt file.

    >>> print(to_vtt([(0.0, 1.5, "f = 0 < 1")]), end="")
    WEBVTT
    <BLANKLINE>
    00:00:00.000 --> 00:00:01.500
    f = 0 &lt; 1
    """
    cues = [
        f"{_clock(start, '.')} --> {_clock(end, '.')}\n{html.escape(text, quote=False)}\n"
        for start, end, text in captions
    ]
    return "\n".join(["WEBVTT\n", *cues])


def to_srt(captions: Sequence[Caption]) -> str:
    """Return the text of a .srt file.

    An arrow --> among the words, which players take for times, becomes →.

    >>> print(to_srt([(61.25, 3600.0, "A clean epoch.")]), end="")
    1
    00:01:01,250 --> 01:00:00,000
    A clean epoch.
    """
    cues = [
        f"{number}\n{_clock(start, ',')} --> {_clock(end, ',')}\n{text.replace('-->', '→')}\n"
        for number, (start, end, text) in enumerate(captions, 1)
    ]
    return "\n".join(cues)


def _clock(seconds: float, mark: str) -> str:
    whole, thousandths = divmod(round(1000 * seconds), 1000)
    minutes, whole_seconds = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{whole_seconds:02}{mark}{thousandths:03}"
