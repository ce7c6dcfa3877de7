"""Cues of a lecture as a short text: where player and film hold, what they say and light up.

    title: XOR with a Gaussian kernel
    by: A. Lecturer
    # place, how long, how fast from there on, what lights up: the words
    start hold 4: No straight line separates these.
    mistake 3 speed 8 light x12, margins: Look where the boundary goes.
        Ask first: which side will it be on?
    end

A place is a step ("12"), "start", "end", "mistake 3" (just after the third mistake) or "epoch 2"
(at the end of the second epoch); on Fisher's page "start", "best" (where J is largest) or "angle
45" (degrees). To the next cue the run plays `speed` times as fast as without it. Without words the
sentence of the step stands; indented lines are notes for the lecturer alone; a line that begins
with # is passed over. In links a | takes the place of each line's end, > that of the indent, and ¦
that of a | among the words; so words have no ¦ of their own: it is read as |.

Tests: tests/test_cues.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kpviz.panels import LIT

if TYPE_CHECKING:  # Numpy is not needed to read cues.
    from numpy.typing import NDArray

MOST_CUES = 100  # In cues.
LONGEST_CUES = 4000  # In characters: all of them as they stand in a link.
LONGEST_HOLD = 600.0  # In seconds.
# In times of the default speed.
SLOWEST = 0.05
FASTEST = 50.0
_WORDS = 400  # In characters: one cue's words, or its notes.
# In seconds: reading takes so long at least, before it begins, and for each character.
_LEAST_READING = 2.0
_BEFORE_READING = 1.0
_READING_A_CHARACTER = 1 / 15
_PLACE = re.compile(
    r"(start|end|best|mistake [0-9]{1,7}|epoch [0-9]{1,7}|angle [0-9]{1,3}(?:\.5)?|(?:step "
    r")?[0-9]{1,9})(?= |:|$)"
)
_HOLD = re.compile(r"hold ([0-9]{1,4}(?:\.[0-9]{1,3})?) ?s?(?= |:|$)")
_SPEED = re.compile(r"speed ([0-9]{1,4}(?:\.[0-9]{1,3})?)(?= |:|$)")
_LIGHT = re.compile(r"light ((?:x[0-9]{1,4}|[a-z]+)(?: ?, ?(?:x[0-9]{1,4}|[a-z]+))*)(?= |:|$)")
_FORM = (
    "PLACE hold SECONDS speed TIMES light NAMES: WORDS, as in 'mistake 3 hold 4 light x12, "
    "margins: Look here.'"
)


@dataclass(frozen=True)
class Cue:
    """One cue.

    Parameters
    ----------
    place : "12", "start", "end", "mistake 3" or "epoch 2"; on Fisher's page "start", "best" or
        "angle 45".
    words : what is said there; "" for the sentence of the step.
    hold : how long in seconds, 0 to 600; None: as long as reading the words takes.
    light : names of examples ("x12") and of `kpviz.panels.LIT`.
    notes : what only the lecturer sees.
    speed : how many times as fast the run plays to the next cue; None: as it does without cues.
    """

    place: str
    words: str = ""
    hold: float | None = None
    light: tuple[str, ...] = ()
    notes: str = ""
    speed: float | None = None

    @property
    def line(self) -> str:
        """The cue as one line, without its notes."""
        hold = "" if self.hold is None else f" hold {self.hold:g}"
        speed = "" if self.speed is None else f" speed {self.speed:g}"
        light = f" light {', '.join(self.light)}" if self.light else ""
        return f"{self.place}{hold}{speed}{light}" + (f": {self.words}" if self.words else "")

    @property
    def examples(self) -> tuple[int, ...]:
        """Indices of the examples that light up."""
        return tuple(int(name[1:]) for name in self.light if name not in LIT)

    @property
    def panels(self) -> tuple[str, ...]:
        """The panels that light up."""
        return tuple(name for name in self.light if name in LIT)

    def seconds(self, sentence: str = "") -> float:
        """Return how long it holds, `sentence` being what is said where it has no words."""
        return reading_time(self.words or sentence) if self.hold is None else self.hold


def reading_time(words: str) -> float:
    """Return how many seconds one needs to read some words.

    >>> reading_time("Two words."), reading_time("x" * 60)
    (2.0, 5.0)
    """
    seconds = _BEFORE_READING + _READING_A_CHARACTER * len(words)
    return max(_LEAST_READING, round(seconds, 1))


@dataclass(frozen=True)
class Cues:
    r"""The cues of a lecture in the order in which they were written, with its title.

    >>> Cues.read("title: XOR\nmistake 3 hold 4 light x12: Look here.\n  Wait.").code
    'title: XOR|mistake 3 hold 4 light x12: Look here.|>Wait.'
    """

    title: str = ""
    by: str = ""
    cues: tuple[Cue, ...] = ()

    @classmethod
    def read(cls, text: str) -> Cues:
        """Read a file's text.

        Raises
        ------
        ValueError
            One sentence that names the line.
        """
        return cls._of_lines(re.split(r"\r\n|[\n\r]", text.removeprefix("\ufeff")))

    @classmethod
    def of_code(cls, code: str) -> Cues:
        """Read what a link holds; ValueError as of `read`.

        >>> Cues.of_code("title: XOR|1: The norm ¦w¦ grows.").cues[0].words
        'The norm |w| grows.'
        """
        return cls._of_lines(code.split("|"))

    @classmethod
    def _of_lines(cls, lines: Sequence[str]) -> Cues:
        head: dict[str, str] = {}
        cues: list[Cue] = []
        for number, line in enumerate(lines, 1):
            indented = line[:1] in (" ", "\t", ">")
            body = _plain(line.removeprefix(">"))
            if not body or (body.startswith("#") and not indented):
                continue
            name, colon, value = body.partition(":")
            if indented:
                if not cues:
                    raise ValueError(
                        f"Line {number} of the cues is a note, but there is no cue above it."
                    )
                notes = f"{cues[-1].notes} {body}".strip()
                cues[-1] = _checked(number, cues[-1], notes=notes)
            elif colon and name.lower() in ("title", "by"):
                head[name.lower()] = value.strip()[:_WORDS].strip()
            else:
                cues.append(_cue(number, body))
        if len(cues) > MOST_CUES:
            raise ValueError(f"There are {len(cues):,} cues: give at most {MOST_CUES}.")
        return cls(head.get("title", ""), head.get("by", ""), tuple(cues))

    @classmethod
    def of(cls, value: Any) -> Cues:
        """Return cues from plain data, as `plain` gives them; ValueError, one sentence, if these
        are none.
        """
        if not isinstance(value, Mapping) or not isinstance(value.get("cues"), list):
            raise ValueError("The cues cannot be read.")
        lines = [
            f"{name}: {_plain(str(value[name]))}" for name in ("title", "by") if value.get(name)
        ]
        for plain_cue in value["cues"]:
            if not isinstance(plain_cue, Mapping):
                raise ValueError("The cues cannot be read.")
            words, notes = (_plain(str(plain_cue.get(name) or "")) for name in ("words", "notes"))
            hold = _number(plain_cue, "hold", 0, LONGEST_HOLD)
            speed = _number(plain_cue, "speed", SLOWEST, FASTEST)
            lines.append(
                Cue(
                    _plain(str(plain_cue.get("place"))), words, hold, _light(plain_cue), speed=speed
                ).line
            )
            if notes:
                lines.append(f">{notes}")
        return cls._of_lines(lines)

    @property
    def plain(self) -> dict[str, Any]:
        """Plain data for the player; `seconds` are what a cue with words of its own holds."""
        fields = ("place", "words", "hold", "speed", "notes")
        cues = [
            {
                **{name: getattr(cue, name) for name in fields},
                "light": list(cue.light),
                "seconds": cue.seconds(),
            }
            for cue in self.cues
        ]
        return {"title": self.title, "by": self.by, "cues": cues}

    @property
    def without_notes(self) -> Cues:
        """What others than the lecturer may read."""
        return replace(self, cues=tuple(replace(cue, notes="") for cue in self.cues))

    @property
    def lines(self) -> list[str]:
        """The lines of the text, a note's beginning with >."""
        head = [
            f"{name}: {value}" for name, value in (("title", self.title), ("by", self.by)) if value
        ]
        body = [line for cue in self.cues for line in _lines_of(cue)]
        return head + body

    @property
    def code(self) -> str:
        """What a link holds."""
        return "|".join(line.replace("|", "¦") for line in self.lines)

    @property
    def text(self) -> str:
        """What a file holds."""
        return "".join(re.sub("^>", "    ", line) + "\n" for line in self.lines)


@dataclass(frozen=True)
class Places:
    """What cues of a run can name.

    Parameters
    ----------
    n_steps : the last instant. mistakes : the instants just after each mistake. epochs : those at
        which epochs end.
    examples : how many there are to learn from.
    """

    n_steps: int
    mistakes: Sequence[int]
    epochs: Sequence[int]
    examples: int

    @classmethod
    def of(cls, mistake: NDArray[Any], epoch_start: NDArray[Any], examples: int) -> Places:
        """Read the places of a run from its mistakes, (n_steps,), and the starts of its epochs."""
        ends = [*epoch_start.tolist()[1:], len(mistake)] if len(mistake) else []
        return cls(len(mistake), (mistake.nonzero()[0] + 1).tolist(), ends, examples)

    def step(self, cue: Cue) -> int | None:
        """Return the instant of a cue, None where the run has no such place."""
        kind, _, number = cue.place.partition(" ")
        if kind in ("start", "end"):
            return 0 if kind == "start" else self.n_steps
        if kind in ("best", "angle"):
            return None
        if not number:
            return int(kind) if int(kind) <= self.n_steps else None
        instants = self.mistakes if kind == "mistake" else self.epochs
        return int(instants[int(number) - 1]) if 1 <= int(number) <= len(instants) else None

    def held(self, cues: Cues) -> dict[int, Cue]:
        """Return the cues by their instants, the first of two at one; those without a place are
        left out.
        """
        cue_at: dict[int, Cue] = {}
        for cue in cues.cues:
            t = self.step(cue)
            if t is not None:
                cue_at.setdefault(t, cue)
        return cue_at

    def missing(self, cues: Cues) -> list[str]:
        """Return what of the cues the run has not, one phrase each."""
        taken = self.held(cues)
        phrases = []
        for cue in cues.cues:
            t = self.step(cue)
            if t is None:
                phrases.append(self._no_place(cue))
            elif taken[t] is not cue:
                phrases.append(f"{cue.place}: this instant has a cue already")
        lit = sorted({i for cue in cues.cues for i in cue.examples if i >= self.examples})
        last = (
            f"the last of this run is x{self.examples - 1}"
            if self.examples
            else "this run has no examples"
        )
        return [*dict.fromkeys(phrases), *(f"x{i}: {last}" for i in lit)]

    def _no_place(self, cue: Cue) -> str:
        kind = cue.place.partition(" ")[0]
        if kind in ("best", "angle"):
            return f"{cue.place}: only the page of Fisher’s discriminant has angles"
        counts = {"mistake": f"{len(self.mistakes):,}", "epoch": f"{len(self.epochs):,}"}
        return f"{cue.place}: this run has {counts.get(kind, f'{self.n_steps:,} steps')}"


def _plain(text: str) -> str:
    """Return one line without unprintable characters, and without the sign for | in links."""
    return " ".join(
        "".join(ch if ch.isprintable() else " " for ch in text).replace("¦", "|").split()
    )


def _lines_of(cue: Cue) -> list[str]:
    """Return the line of a cue, and that of its notes, where it has some."""
    return [cue.line, f">{cue.notes}"] if cue.notes else [cue.line]


def _number(plain_cue: Mapping[str, Any], name: str, least: float, most: float) -> float | None:
    """Return a number that plain data give a cue, None for none."""
    value = plain_cue.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise ValueError(
            f"The {name} of one of the cues is not a number from {least:g} to {most:g}, nor left "
            "out."
        )
    return float(value)


def _light(plain_cue: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names that plain data light up; `_checked` reports the unknown ones."""
    light = plain_cue.get("light") or []
    if not isinstance(light, (list, tuple)) or not all(
        isinstance(name, str) and name.isalnum() for name in light
    ):
        raise ValueError("What one of the cues lights up is not a list of names.")
    return tuple(light)


def _cue(number: int, body: str) -> Cue:
    """Read the line of a cue."""
    before, colon, words = body.partition(":")
    remainder = before.strip().lower()
    parts = {}
    for name, pattern in (("place", _PLACE), ("hold", _HOLD), ("speed", _SPEED), ("light", _LIGHT)):
        match = pattern.match(remainder)
        if match:
            parts[name] = match[1]
            remainder = remainder[match.end() :].strip()
    if "place" not in parts or remainder:
        raise ValueError(
            f"Line {number} of the cues {_wrong(before.strip(), remainder, parts, bool(colon))}."
        )
    light = tuple(dict.fromkeys(re.split(" ?, ?", parts["light"]))) if "light" in parts else ()
    parts["place"] = parts["place"].removeprefix("step ")
    place = " ".join(
        part.lstrip("0") or "0" if part.isdigit() else part for part in parts["place"].split()
    )
    hold, speed = (float(parts[name]) if name in parts else None for name in ("hold", "speed"))
    return _checked(number, Cue(place, words.strip(), hold, light, speed=speed))


def _wrong(before: str, remainder: str, parts: Mapping[str, str], colon: bool) -> str:
    """Say what is wrong with the part of a line before its words."""
    at = (before[len(before) - len(remainder) :] if remainder else before)[:40]
    if "place" in parts and re.match(r"hold\b", remainder):
        return f"says {at!r}: hold takes 0 to {LONGEST_HOLD:g} seconds, as in 'hold 4'"
    if "place" in parts and re.match(r"speed\b", remainder):
        return f"says {at!r}: speed takes {SLOWEST:g} to {FASTEST:g} times, as in 'hold 4 speed 8'"
    if "place" in parts and not colon:
        return f"cannot be read at {at!r}: put a colon before the words"
    return f"cannot be read at {at!r}: write {_FORM}"


def _checked(number: int, cue: Cue, *, notes: str = "") -> Cue:
    unknown = [name for name in cue.light if name not in LIT and not re.fullmatch(r"x[0-9]+", name)]
    if unknown:
        raise ValueError(
            f"Line {number} of the cues lights {unknown[0]!r}: name an example, as x12, or one of "
            f"{', '.join(LIT)}."
        )
    if cue.hold is not None and cue.hold > LONGEST_HOLD:
        raise ValueError(
            f"Line {number} of the cues holds {cue.hold:g} seconds: give at most {LONGEST_HOLD:g}."
        )
    if cue.speed is not None and not SLOWEST <= cue.speed <= FASTEST:
        raise ValueError(
            f"Line {number} of the cues has speed {cue.speed:g}: give {SLOWEST:g} to {FASTEST:g}."
        )
    if max(len(cue.words), len(notes)) > _WORDS:
        raise ValueError(
            f"Line {number} of the cues is too long: give at most {_WORDS} characters."
        )
    return replace(cue, notes=notes or cue.notes)
