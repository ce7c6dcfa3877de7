"""When a film shows and says what: the pace of the player, with holds at the cues; and captions,
as WebVTT and SubRip.

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

# All but the two rates are in seconds.
TITLE = 3.0  # The card with the title is seen for so long.
# At the default speed so many correct examples are passed in a second.
_CORRECT_PER_SECOND = 1000.0 / tokens.TIMINGS["correct"]
_LEAST = 0.1  # A cue holds so long at least.
_EXACT = 1e-6  # A smaller difference is a rounding error.
_FIRST = 1.5  # The first instant stays so long at least.
# A caption says this of several right answers in a row.
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
    runs = (*others, run)
    to = max(one_run.n_steps for one_run in runs) if last is None else last
    cue_at = places(run).held(cues)
    holds = sorted({first, to, *(t for t in cue_at if first < t < to)})
    speeds = _speeds(cue_at, first, to, speed)
    leaps = _leaps(runs, speeds, holds, first, stretch)

    def sentences_at(t: int) -> list[str]:
        """Return what each run says at an instant, `run` as the last."""
        sentences = [_sentence(one_run, t, stream, classes) for one_run in runs]
        if t == 0 and openings:
            sentences[:-1] = openings
        if t == 0 and opening is not None:
            sentences[-1] = opening
        return sentences

    shots = [Shot(0.0, card)] if card else []
    for t, speed_then in zip(range(first, to + 1), speeds, strict=True):
        if any(begin < t < end for begin, end in leaps):
            continue
        leap_begin = next((begin for begin, end in leaps if t == end), None)
        if leap_begin is not None:
            later = _later(run, leap_begin, t, stream)
            shots.append(Shot(shots[-1].end, _LEAP, t, words=later, board_words=later))
        cue = cue_at.get(t)
        step_seconds = _step_seconds(runs, t, speed_then) if t > first else _FIRST
        # What is gone at once is not even worked out.
        is_read = step_seconds >= _READ or t == to or cue is not None
        *others_sentences, sentence = sentences_at(t) if is_read else [""] * len(runs)
        has_time = 1000 * step_seconds >= tokens.TIMINGS["ghost"]
        may_happen = t > first and leap_begin is None and _shows_happening(speed_then) and has_time
        is_alone = cue is None and not others and 0 < t <= run.n_steps
        cue_words = cue.words if cue else ""
        shots.append(
            Shot(
                start=shots[-1].end if shots else 0.0,
                seconds=_seconds(
                    step_seconds, _once([*others_sentences, sentence]), cue, t in (first, to)
                ),
                t=t,
                happens=may_happen and any(explain.step_adds_to_f(one_run, t) for one_run in runs),
                swift=not has_time,
                right=is_read
                and first < t < to
                and cue is None
                and all(_is_right(one_run, t) for one_run in runs),
                cue=cue,
                words=cue_words or sentence,
                others=() if cue_words else tuple(others_sentences),
                brief=explain.brief(run, t, classes=classes)
                if is_alone and explain.step_adds_to_f(run, t)
                else "",
            )
        )
    return shots if others else list(_with_board_words(shots))


def _seconds(step_seconds: float, words: str, cue: Cue | None, is_end: bool) -> float:
    """Return how long an instant stays: as long as its step, and at both ends, or with a cue, until
    the words are read.
    """
    if cue is not None:
        return max(cue.seconds(words), _LEAST if is_end else step_seconds)
    return max(step_seconds, reading_time(words)) if is_end else step_seconds


def _shows_happening(speed: float) -> bool:
    """Whether steps are slow enough at a speed to be shown happening."""
    return speed * _CORRECT_PER_SECOND <= tokens.SPEED["bumps_up_to"]


def _leaps(
    runs: Sequence[Run], speeds: Sequence[float], holds: Sequence[int], first: int, stretch: float
) -> list[tuple[int, int]]:
    """Return pairs of instants between which nothing is shown, so that no stretch between two holds
    plays for longer than `stretch` seconds.

    `holds` are the instants that stay, `speeds` those from the instant `first` on.
    """
    leaps = []
    for begin, end in pairwise(holds):
        durations = (_step_seconds(runs, t, speeds[t - first]) for t in range(begin + 1, end))
        seconds_since_begin = list(accumulate(durations))
        if seconds_since_begin and seconds_since_begin[-1] > stretch:
            n_shown = bisect_right(seconds_since_begin, stretch - _LEAP)
            leaps.append((begin + n_shown, end))
    return leaps


def _later(run: Run, begin: int, end: int, stream: bool) -> str:
    """Say how much later an instant is, in epochs if any has begun in between."""
    epoch_then, epoch_now = np.searchsorted(run.epoch_start, [begin, min(end, run.n_steps)])
    epochs = 0 if stream else int(epoch_now - epoch_then)
    count = explain.counted(epochs, "epoch") if epochs else explain.counted(end - begin, "example")
    return f"{count} later"


def _can_be_read(words: str, seconds: float) -> bool:
    return len(words) <= _RATE * seconds + _EXACT


def duration(
    run: Run, cues: Cues, first: int, last: int, speed: float, others: Sequence[Run] = ()
) -> float:
    """Return about how many seconds a range lasts, without holds."""
    speeds = _speeds(places(run).held(cues), first, last, speed)[1:]
    return sum(_step_seconds((*others, run), t, then) for t, then in enumerate(speeds, first + 1))


def _speeds(cue_at: Mapping[int, Cue], first: int, last: int, speed: float) -> list[float]:
    """Return the speed that leads to each instant: `speed` times what the newest cue before it
    says.
    """
    cue_times = sorted(cue_at)
    # Before the first cue the factor is 1, after each its own.
    factors = [1.0, *(cue_at[t].speed or 1.0 for t in cue_times)]
    speeds = (speed * factors[bisect_left(cue_times, t)] for t in range(first, last + 1))
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
    return [(same[0].start, same[-1].end, words) for same, words in _captioned(shots) if words]


def _captioned(shots: Sequence[Shot]) -> Iterator[tuple[list[Shot], str]]:
    """Yield the shots that say the same, with their caption; "" where there is no time for any."""
    for _, group in groupby(shots, key=lambda shot: "right" if shot.right else _all_words(shot)):
        same = list(group)
        shot = same[0]
        seconds = same[-1].end - shot.start
        is_row = shot.right and len(same) > 1
        words = shot.all_right if is_row else _all_words(shot)
        if shot.cue and shot.cue.words:  # The shot stays until these are read.
            yield same, words
            continue
        brief = shot.brief if words else ""
        verdict = brief.partition(". ")[0].rstrip(".") + "."
        readable = (
            text
            for text in (words, brief, verdict)
            if len(text) > 1 and _can_be_read(text, seconds)
        )
        yield same, next(readable, "")


def _with_board_words(shots: Sequence[Shot]) -> Iterator[Shot]:
    """Yield the shots with what the board says: the captions, each of which stands until something
    else is said.

    A shot whose own words are the caption stays as it is; so do right answers in a row, which the
    board counts as they come.
    """
    caption = ""
    for same, words in _captioned(shots):
        if same[0].cue or not same[0].words:
            caption = ""
        elif words:
            caption = words
        for shot in same:
            is_caption = bool(words) and words in (shot.words, shot.all_right)
            if shot.t is None or shot.cue is not None or is_caption or shot.board_words:
                yield shot
            else:
                yield replace(shot, board_words=caption)


def _all_words(shot: Shot) -> str:
    """Return what all runs say, after their letters where there are several; what all of them say
    stands alone.
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
    """Return what a run says at an instant; one that is over says its end."""
    return explain.explain(run, min(t, run.n_steps), stream=stream, classes=classes).sentence


def _step_seconds(runs: Sequence[Run], t: int, speed: float) -> float:
    """Return how many seconds the step that led to t stays: longer if it is a mistake of any run
    that is shown happening.
    """
    is_mistake = any(t <= run.n_steps and run.mistake[t - 1] for run in runs)
    if is_mistake and _shows_happening(speed):
        return max(tokens.TIMINGS["mistake"] / 1000 / speed, _LEAST_CAPTION)
    return tokens.TIMINGS["correct"] / 1000 / speed


def _is_right(run: Run, t: int) -> bool:
    """Whether a run was right at the step that led to t and added nothing, or is over by then."""
    return t > run.n_steps or not (run.mistake[t - 1] or explain.step_adds_to_f(run, t))


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
    """Return a time as 00:01:01.250, with this mark before the thousandths."""
    whole, thousandths = divmod(round(1000 * seconds), 1000)
    minutes, whole_seconds = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{whole_seconds:02}{mark}{thousandths:03}"
