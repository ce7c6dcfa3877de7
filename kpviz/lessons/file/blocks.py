"""Fenced blocks of a lesson: tasks, `key: value` a line, and cues."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from kpviz.lessons.file import words
from kpviz.lessons.file.errors import Fault, LessonError
from kpviz.lessons.file.kinds import KINDS
from kpviz.lessons.file.kinds.question import Block, Question
from kpviz.lessons.file.lesson import Task
from kpviz.lessons.file.links import Link
from kpviz.settings.cues import LONGEST, MOST, Cue, Cues

COMMON = ("ask", "start", "hint", "why", "tries", "seeds")
SECRET = ("why",)  # besides those of each kind
MOST_HINTS, MOST_TRIES, MOST_SEEDS = 10, 100, 50
_LONGEST = 2000  # characters of a value that is not a link
_LINES = 200  # of a block
_LINKS = ("start", "solution")
_KEY = re.compile(r"([a-z]{2,20}) ?:(?: +(.*))?$", re.IGNORECASE)
_OF_CUES = re.compile(r"Line ([0-9]+) of the cues (.*)", re.DOTALL)


class Fenced(NamedTuple):
    """A block: the words behind ```task, the line of its first line, and its lines with their numbers."""

    info: Sequence[str]
    line: int
    lines: Sequence[tuple[int, str]]


def task(fenced: Fenced, link: Link, *, students: bool) -> tuple[Task | None, list[Fault]]:
    """Read a task of a scene with this link; return what is wrong with it, too."""
    kind = fenced.info[0].lower() if len(fenced.info) == 1 else ""
    if kind not in KINDS:
        near = get_close_matches(kind, KINDS, 1)
        advice = f"did you mean ```task {near[0]}?" if near else f"write ```task and one of {', '.join(KINDS)}."
        return None, [Fault(fenced.line, f"The kind of the task is not known: {advice}")]
    if len(fenced.lines) > _LINES:
        return None, [Fault(fenced.line, f"The task has {len(fenced.lines):,} lines: write at most {_LINES}.")]
    values, faults = _values(fenced, KINDS[kind])
    block = Block(fenced.line, values, students=students)
    ask = block.text("ask", needed="ask: What will happen?")
    question = KINDS[kind].read(block)
    start = block.link("start") or link
    seeds = _seeds(block)
    found = Task(
        kind,
        ask,
        question,
        start,
        tuple(value for value, _ in block.all("hint")),
        block.text("why"),
        block.whole("tries", 1, MOST_TRIES),
        seeds,
        fenced.line,
        tuple((key, line) for key, _, line in values),
    )
    for key in ("ask", "hint", "why"):
        for value, line in block.all(key):
            try:
                words.inline(value, line)
            except LessonError as error:
                faults += error.faults
    if len(found.hints) > MOST_HINTS:
        block.fault(block.all("hint")[MOST_HINTS][1], f"A task has at most {MOST_HINTS} hints.")
    return found, [*faults, *block.faults]


def _values(fenced: Fenced, kind: type[Question]) -> tuple[list[tuple[str, str, int]], list[Fault]]:
    """Return key, value and line of each; an indented line goes on with the value above it."""
    known = (*COMMON, *kind.keys)
    found: list[tuple[str, str, int]] = []
    faults: list[Fault] = []
    for number, line in fenced.lines:
        text = line.strip()
        if not text or (text.startswith("#") and line[:1] == "#"):
            continue
        if line[:1] in (" ", "\t") and found:
            key, value, first = found[-1]
            found[-1] = (key, f"{value} {text}".strip(), first)
            continue
        match = _KEY.match(text)
        if match is None:
            faults.append(Fault(number, f"{text[:40]!r} is not key: value, as in ask: What will happen?"))
        elif (key := match[1].lower()) not in known:
            near = get_close_matches(key, known, 1)
            advice = f"did you mean {near[0]}?" if near else f"write one of {', '.join(known)}."
            faults.append(Fault(number, f"{key} has no meaning in this task: {advice}"))
        else:
            found.append((key, (match[2] or "").strip(), number))
    for key, value, number in found:
        if not value:
            faults.append(Fault(number, f"{key} is empty: write its value, or leave the line out."))
        elif len(value) > _LONGEST and key not in _LINKS:
            faults.append(Fault(number, f"{key} has {len(value):,} characters: write at most {_LONGEST:,}."))
    return [each for each in found if each[1] and (len(each[1]) <= _LONGEST or each[0] in _LINKS)], faults


def private(fenced: Fenced) -> list[int]:
    """Return the lines of a task's block that give answers away, or are for the author alone."""
    kind = KINDS.get(fenced.info[0].lower()) if fenced.info else None
    found, secret = [], False
    for number, line in fenced.lines:
        match = _KEY.match(line.strip()) if line[:1] not in (" ", "\t") else None
        if match is not None:
            secret = match[1].lower() in (*SECRET, *(kind.secret if kind else ()))
        if secret or line[:1] == "#":
            found.append(number)
    return found


def _seeds(block: Block) -> tuple[int, ...]:
    text = block.text("seeds")
    if not text:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if len(parts) <= MOST_SEEDS and all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts):
        return tuple(map(int, parts))
    block.fault(block.line_of("seeds"), f"seeds are at most {MOST_SEEDS} whole numbers from 0 to 9999, as 0, 3, 7.")
    return ()


def cues(lines: Sequence[tuple[int, str]]) -> tuple[Cues, tuple[int, ...], list[Fault]]:
    """Return the cues in lines with their numbers, the line of each, and what is wrong with them."""
    found: list[Cue] = []
    at: list[int] = []
    faults: list[Fault] = []
    groups: list[tuple[int, list[str]]] = []
    for number, line in lines:
        if line[:1] in (" ", "\t", ">") and groups:
            groups[-1][1].append(line)
        else:
            groups.append((number, [line]))
    if len(groups) > 2 * MOST:
        return (
            Cues(),
            (),
            [Fault(groups[0][0], f"There are {len(groups):,} lines of cues: a scene has {MOST} cues at most.")],
        )
    for number, group in groups:
        try:
            read = Cues.read("\n".join(group))
        except ValueError as error:
            faults.append(cue_fault(error, number, first=number))
            continue
        if read.title or read.by:
            faults.append(Fault(number, "Title and author of the lecture stand in the header: leave this line out."))
        found += read.cues
        at += [number] * len(read.cues)
    whole = Cues(cues=tuple(found))
    if len(found) > MOST:
        faults.append(Fault(at[MOST], f"There are {len(found)} cues: a scene has at most {MOST}."))
    elif len(whole.code) > LONGEST:
        faults.append(Fault(at[0], f"The cues have {len(whole.code):,} characters: those of a scene have {LONGEST:,}."))
    return whole, tuple(at), faults


def cue_fault(error: ValueError, line: int, *, first: int = 1) -> Fault:
    """Return what is wrong with cues whose first line has the number `first`; `line` where the error names none."""
    match = _OF_CUES.fullmatch(str(error))
    return Fault(int(match[1]) + first - 1, f"The cue {match[2]}") if match else Fault(line, str(error))
