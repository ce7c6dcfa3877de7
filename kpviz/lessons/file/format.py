"""Reads the file of a lesson.

Text → `Lesson`. What is wrong is collected, each fault with its line.

The text is cut by lines: a header between ---, scenes that begin with ##, and in each fenced blocks
of cues and tasks, notes (a quotation that begins with `notes:`), and words, which `words` reads.

Tests: tests/lessons/test_format.py.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, NamedTuple

from kpviz.formats import FORMATS, is_newer, newer_sentence
from kpviz.lessons.file import Fault, LessonError, words
from kpviz.lessons.file.kinds import KINDS
from kpviz.lessons.file.kinds.question import Block
from kpviz.lessons.file.lesson import BREAK, Lesson, Scene, Task
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.words import Node, Tree
from kpviz.settings import BY_NAME
from kpviz.settings.cues import LONGEST_CUES, MOST_CUES, Cue, Cues

ENDING = ".kpviz.md"
LONGEST = 400_000  # In characters.
MOST_SCENES = 100
MOST_TASKS = 200
MOST_HINTS = 10
MOST_TRIES = 100
MOST_SEEDS = 50
# Some programs read them as blanks, others as ends of lines.
_SEPARATORS = re.compile("[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
# They turn round what others wrote after them.
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# In characters: a line with a link may need so many.
_LONGEST_LINE = 30_000
_MOST_HEADER_LINES = 100
_MOST_TASK_LINES = 200
_LONGEST_TITLE = 200  # In characters, as the next, which is that of a value that is not a link.
_LONGEST_VALUE = 2000
_HEADER = (
    "title",
    "author",
    "language",
    "minutes",
    "lecture",
    "picture",
    "objectives",
    "symbols",
    "for",
    "kpviz",
)
_SCENE = ("link", "knobs", "minutes", "objective")
_BLOCKS = ("task", "cues")
_TASK = ("ask", "start", "hint", "why", "tries", "seeds", "votes")  # Each kind has keys besides.
_SECRET = ("why",)
# By their values a task is told from others: these keys are in the copies of students, too.
_MARKING_KEYS = ("ask", "seeds", "count", "choice", "within")
_LINKS = ("start", "solution")
_STUDENTS = "students"
_KEY = re.compile(r"([A-Za-z]{2,20}) ?:(?: +(.*))?$")
# A slip stands between its key and what is said of it: slip 1.118: That is R.
_SLIP_KEY = re.compile(r"(slip) +([^:]{1,200}?) *:(?= |$)", re.IGNORECASE)
_HEADING = re.compile(r"##(?:[ \t]+(.*?))?[ \t]*#*[ \t]*$")
_OF_CUES = re.compile(r"Line ([0-9]+) of the cues (.*)", re.DOTALL)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(.*?)[ \t]*$")
_NOTES = re.compile(r" {0,3}> ?notes\b:? ?", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")
_BEGIN = "begin the file with --- , a line such as title: The perceptron, and --- again"


def read(text: str) -> Lesson:
    r"""Read a file's text.

    A file of cues, as films take them, is a lecture of one scene, on what is open.

    Raises
    ------
    LessonError
        All that is wrong, each fault with its line.

    >>> scene = "## Two classes\nlink: v=1&data=xor\n\nNo line splits these."
    >>> lesson = read(f"---\ntitle: XOR\n---\n{scene}")
    >>> lesson.title, lesson.scenes[0].link.query, lesson.scenes[0].words
    ('XOR', 'v=1&data=xor', ({'kind': 'paragraph', 'children': ['No line splits these.']},))
    """
    lesson, faults = _read(text)
    if faults:
        raise LessonError(faults)
    return lesson


def read_in_part(text: str) -> tuple[Lesson | None, list[Fault]]:
    """Return what can be read of a file's text, None where that is nothing, and what is wrong."""
    try:
        return _read(text)
    except LessonError as error:
        return None, list(error.faults)


def _read(text: str) -> tuple[Lesson, list[Fault]]:
    text = text.removeprefix("\ufeff")
    if len(text) > LONGEST:
        raise _refusal(
            1, f"The file has {len(text):,} characters: lessons have at most {LONGEST:,}."
        )
    lines = re.split(BREAK, _DIRECTIONS.sub(" ", _SEPARATORS.sub(" ", text)))
    # The first line that is not blank, counted from 0.
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None:
        raise _refusal(1, f"The file is empty: {_BEGIN}.")
    if lines[first].strip() != "---":
        return _of_cues(text, first + 1), []
    reader = _LessonReader(lines)
    return reader.lesson(first, text), reader.faults


def _refusal(line: int, what: str) -> LessonError:
    """Return the error of a file of which no more can be read."""
    return LessonError([Fault(line, what)])


def _of_cues(text: str, line: int) -> Lesson:
    """Read a file of cues, whose first line that is not blank is this one."""
    cues = Cues()
    wrong = Fault(line, f"This is neither a lesson nor cues: {_BEGIN}.")
    try:
        cues = Cues.read(text)
    except ValueError as error:
        wrong = _cue_fault(error, line)
    if not cues.cues:
        if re.search(r"^(##|```)", text, re.MULTILINE):
            wrong = Fault(line, f"The header of the lesson is missing: {_BEGIN}.")
        raise LessonError([wrong])
    title = cues.title or "Untitled"
    remarks = frozenset(
        number for number, text_line in enumerate(re.split(BREAK, text), 1) if _is_remark(text_line)
    )
    scene = Scene(title, Link(line=line), cues=cues, line=line)
    return Lesson(
        title,
        (scene,),
        author=cues.by,
        text=text,
        private_lines=remarks,
        lecturer_lines=remarks,
    )


def _is_remark(line: str) -> bool:
    """Whether a line of cues is for the lecturer alone: notes to the cue above it, or a comment."""
    return line[:1] in (" ", "\t", ">", "#")


class _Fenced(NamedTuple):
    """A block: the words behind ```task, the number of its first line, and its numbered lines."""

    info: Sequence[str]
    line: int
    lines: Sequence[tuple[int, str]]


@dataclass
class _SceneDraft:
    """A scene while it is read."""

    heading: str
    line: int
    link: Link | None = None
    knobs: tuple[str, ...] = ()
    minutes: float | None = None
    objectives: list[str] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    words: list[Node] = field(default_factory=list)
    notes: list[Node] = field(default_factory=list)
    cues: list[tuple[int, str]] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    # Tasks that are still to be read, each with its place in the words: a task needs the scene's
    # link, which may not be known before all keys of the scene are read.
    waiting: list[tuple[int, _Fenced]] = field(default_factory=list)


class _LessonReader:
    """The lines, and what was wrong with those that were read.

    An `index` or a `start` counts lines from 0, the `line` of a fault, scene or task from 1.
    """

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.faults: list[Fault] = []
        self._warnings: list[Fault] = []  # A file with these alone is not refused.
        self._is_for_students = False
        # Numbers of lines, from 1: those that give answers away, and those for the lecturer alone,
        # which are notes and remarks.
        self._answer_lines: set[int] = set()
        self._lecturer_lines: set[int] = set()

    def lesson(self, first: int, text: str) -> Lesson:
        """Return the lesson whose header begins at a line, counted from 0."""
        for number, line in enumerate(self._lines, 1):
            if len(line) > _LONGEST_LINE:
                raise _refusal(
                    number,
                    f"The line has {len(line):,} characters: lines have {_LONGEST_LINE:,} at most.",
                )
        header, after = self._header(first)
        starts = [
            index for index in self._outside_fences(after) if _HEADING.match(self._lines[index])
        ]
        first_start = starts[0] if starts else len(self._lines)
        stray = next(
            (index for index in range(after, first_start) if self._lines[index].strip()), None
        )
        if stray is not None:
            self._fault(
                stray, "This stands before the first scene: begin a scene by ## and its heading."
            )
        if not starts:
            self._fault(
                len(self._lines) - 1, "The lesson has no scene: begin one by ## and its heading."
            )
            raise LessonError(self.faults)
        if len(starts) > MOST_SCENES:
            self._fault(
                starts[MOST_SCENES],
                f"There are {len(starts)} scenes: a lesson has at most {MOST_SCENES}.",
            )
            raise LessonError(self.faults)
        scenes: list[Scene] = []
        for start, end in zip(starts, [*starts[1:], len(self._lines)], strict=True):
            scenes.append(self._scene(start, end, scenes[-1].link if scenes else None))
        tasks = [task for scene in scenes for task in scene.tasks]
        if len(tasks) > MOST_TASKS:
            self.faults.append(
                Fault(tasks[MOST_TASKS].line, f"A lesson has at most {MOST_TASKS} tasks.")
            )
        objectives = [
            *header.pop("objectives"),
            *(objective for scene in scenes for objective in scene.objectives),
        ]
        header["objectives"] = tuple(dict.fromkeys(objectives))  # Each once, in this order.
        return Lesson(
            scenes=tuple(scenes),
            students=self._is_for_students,
            text=text,
            private_lines=frozenset(self._answer_lines | self._lecturer_lines),
            lecturer_lines=frozenset(self._lecturer_lines),
            warnings=tuple(self._warnings),
            **header,
        )

    # ---- the header ---

    def _header(self, first: int) -> tuple[dict[str, Any], int]:
        """Return what the header says of the lesson, by the names of `Lesson`, and the first line
        after it.
        """
        end = next(
            (
                index
                for index in range(first + 1, len(self._lines))
                if self._lines[index].strip() == "---"
            ),
            None,
        )
        if end is None:
            raise _refusal(first + 1, "The header has no end: write --- below its last line.")
        if end - first > _MOST_HEADER_LINES:
            raise _refusal(
                first + 1,
                f"The header has {end - first:,} lines: write at most {_MOST_HEADER_LINES}.",
            )
        entries: dict[str, tuple[str, int]] = {}
        objectives: list[str] = []
        for index in range(first + 1, end):
            line = self._lines[index].strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("- ") and "objectives" in entries:
                objectives.append(self._short(line[2:], index))
                continue
            key, value = self._key(line, index, _HEADER, "the header", "title: …")
            if key in entries:
                self._fault(index, f"{key} stands twice in the header: write it once.")
            elif key:
                entries[key] = (self._short(value, index), index)
        if "kpviz" in entries:
            self._check_version(*entries["kpviz"])
        return self._headed(entries, objectives, first), end + 1

    def _check_version(self, version: str, index: int) -> None:
        """Note a version that does not exist; refuse one of a newer kpviz, in which all else may
        mean something else.
        """
        if is_newer("lesson", version):
            raise _refusal(index + 1, newer_sentence("lesson"))
        if version != str(FORMATS["lesson"]):
            self._fault(
                index,
                f"kpviz is the version of the file, {FORMATS['lesson']}: write that, or leave the "
                "line out.",
            )

    def _headed(
        self, entries: dict[str, tuple[str, int]], objectives: list[str], first: int
    ) -> dict[str, Any]:
        """Return what the header says, by the names of `Lesson`; each entry has its line."""
        value = {key: text for key, (text, _) in entries.items()}
        if not value.get("title"):
            self._fault(
                first, "The header has no title: write a line such as title: The perceptron."
            )
        language = value.get("language") or "en"
        if not _LANGUAGE.fullmatch(language):
            self._fault(entries["language"][1], "language is a tag such as en, de or pt-BR.")
        if value.get("for", _STUDENTS) != _STUDENTS:
            self._fault(
                entries["for"][1], "for says only that a copy is for students: leave the line out."
            )
        if value.get("symbols", "no") != "no":
            self._fault(
                entries["symbols"][1], "symbols is only no, for a board without f, y and α."
            )
        self._is_for_students = "for" in value
        if value.get("objectives"):
            objectives.insert(0, value["objectives"])
        return {
            "title": value.get("title", ""),
            "author": value.get("author", ""),
            "language": language,
            "lecture": value.get("lecture", ""),
            "symbols": value.get("symbols") != "no",
            "picture": self._picture(*entries["picture"]) if "picture" in entries else None,
            "objectives": tuple(objectives),
            "minutes": self._minutes(
                value.get("minutes", ""), entries["minutes"][1] if "minutes" in entries else first
            ),
        }

    def _key(
        self, line: str, index: int, known: Sequence[str], where: str, sample: str
    ) -> tuple[str, str]:
        """Return key and value of a line, "" for a key that is not known."""
        match = _KEY.match(line)
        if match is None:
            self._fault(index, f"{line[:40]!r} is not key: value, as in {sample}")
            return "", ""
        key = match[1].lower()
        if key not in known:
            self._fault(index, f"{key} has no meaning in {where}: {_near(key, known)}")
            return "", ""
        return key, (match[2] or "").strip()

    def _short(self, text: str, index: int) -> str:
        """Return a text that may be a title: printable, on one line and not too long."""
        if len(text) > _LONGEST_TITLE:
            self._fault(
                index, f"The line is too long: write at most {_LONGEST_TITLE} characters here."
            )
        return "".join(ch if ch.isprintable() else " " for ch in text).strip()[:_LONGEST_TITLE]

    def _picture(self, text: str, index: int) -> Link | None:
        try:
            return Link.read(text, index + 1)
        except ValueError as error:
            self._fault(index, str(error))
            return None

    def _minutes(self, text: str, index: int) -> float | None:
        if not text:
            return None
        if re.fullmatch(r"[0-9]{1,3}(\.[0-9])?", text) and float(text) > 0:
            return float(text)
        self._fault(index, f"minutes is a number above 0, and not {text[:20]!r}.")
        return None

    # ---- scenes ---

    def _outside_fences(self, first: int) -> list[int]:
        """Return the lines from one on that are in no fenced block."""
        outside: list[int] = []
        fence = ""  # The characters with which the block that is open began.
        start = 0
        for index in range(first, len(self._lines)):
            match = _FENCE.match(self._lines[index])
            if not fence:
                if match:
                    fence = match[1]
                    start = index
                else:
                    outside.append(index)
            elif _ends_block(self._lines[index], fence):
                fence = ""
            elif match and match[1] == fence and match[2].split()[0] in _BLOCKS:
                break  # Another block begins: the one before it has no end, which is said below.
        if fence:
            raise _refusal(start + 1, f"The block has no end: write {fence} below its last line.")
        return outside

    def _scene(self, start: int, end: int, before: Link | None) -> Scene:
        """Read a scene, whose link is that of the scene before unless it has its own."""
        match = _HEADING.match(self._lines[start])
        draft = _SceneDraft(
            self._short((match[1] if match else "") or "", start), start + 1, before
        )
        if not draft.heading:
            self._fault(start, "The scene has no heading: write it behind ##.")
        self._body(draft, self._scene_keys(draft, start + 1, end), end)
        if draft.link is None:
            self._fault(
                start, "The first scene has no link: write link: v=1&data=xor below its heading."
            )
            draft.link = Link(line=start + 1)
        for place, fenced in draft.waiting:
            self._task(draft, draft.link, place, fenced)
        cues, cue_lines = self._cues(draft.cues)
        return Scene(
            heading=draft.heading,
            link=draft.link,
            words=tuple(draft.words),
            cues=cues,
            notes=tuple(draft.notes),
            tasks=tuple(draft.tasks),
            line=draft.line,
            knobs=draft.knobs,
            minutes=draft.minutes,
            objectives=tuple(draft.objectives),
            cue_lines=cue_lines,
        )

    def _scene_keys(self, draft: _SceneDraft, index: int, end: int) -> int:
        """Read the lines of keys below a heading; return the first line after them."""
        while index < end and not self._lines[index].strip():
            index += 1
        while index < end:
            match = _KEY.match(self._lines[index])
            if match is None:
                break
            key = match[1].lower()
            value = (match[2] or "").strip()
            if key not in _SCENE:
                if not get_close_matches(key, _SCENE, 1):
                    break  # These are words, such as "Note: …".
                self._fault(index, f"{key} has no meaning in a scene: {_near(key, _SCENE)}")
            elif key in draft.keys and key != "objective":
                self._fault(index, f"{key} stands twice in this scene: write it once.")
            else:
                draft.keys.add(key)
                self._scene_value(draft, key, value, index)
            index += 1
        return index

    def _scene_value(self, draft: _SceneDraft, key: str, value: str, index: int) -> None:
        """Read the value of one of the keys `_SCENE`."""
        if key == "minutes":
            draft.minutes = self._minutes(value, index)
        elif key == "objective":
            if value:
                draft.objectives.append(self._short(value, index))
        elif key == "link":
            try:
                draft.link = Link.read(value, index + 1)
            except ValueError as error:
                self._fault(index, str(error))
                draft.link = Link(line=index + 1)
        else:
            draft.knobs = self._knobs(value, index)

    def _knobs(self, value: str, index: int) -> tuple[str, ...]:
        """Return the settings that are named, () if they cannot be turned."""
        knobs = tuple(part.strip() for part in value.split(","))
        numbers = [name for name, prop in BY_NAME.items() if prop.range is not None]
        wrong = [name for name in knobs if name not in numbers]
        if not wrong and len(knobs) <= 2:
            return knobs
        near = get_close_matches(wrong[0], numbers, 1) if wrong else []
        meant = f"did you mean {near[0]}?" if near else "write as in knobs: sigma, noise."
        which = f"{wrong[0][:20]!r} is none" if wrong else f"these are {len(knobs)}"
        self._fault(index, f"knobs are one or two settings that are numbers, and {which}: {meant}")
        return ()

    def _body(self, draft: _SceneDraft, index: int, end: int) -> None:
        """Read words, notes and fenced blocks."""
        start = index  # The words that are still to be read begin here.
        while index < end:
            match = _FENCE.match(self._lines[index])
            if match is None:
                index = self._after_notes(draft, index, end)
                continue
            after = self._fence_end(index, end, match[1])
            info = match[2].split()
            if not info or info[0] not in _BLOCKS:
                index = after  # A block of code is one of the words.
                continue
            self._read_words(draft.words, start, index)
            inner = [(line + 1, self._lines[line]) for line in range(index + 1, after - 1)]
            if info[0] == "cues":
                draft.cues += inner
                self._lecturer_lines.update(number for number, line in inner if _is_remark(line))
            else:
                fenced = _Fenced(info[1:], index + 1, inner)
                draft.waiting.append((len(draft.words), fenced))
                self._answer_lines.update(_secrets(fenced))
                self._lecturer_lines.update(number for number, line in inner if line[:1] == "#")
            index = after
            start = after
        self._read_words(draft.words, start, end)

    def _after_notes(self, draft: _SceneDraft, index: int, end: int) -> int:
        """Read the notes that begin in a line, and return the line after them; the next line if
        none begin there.
        """
        after = index + 1
        if self._lines[index - 1].lstrip().startswith(">"):  # It is within a quotation.
            return after
        if not _NOTES.match(self._lines[index]):
            return after
        while after < end and self._lines[after].lstrip().startswith(">"):
            after += 1
        first, *more = self._lines[index:after]
        lines = [_NOTES.sub("", first), *(re.sub(r"^ {0,3}> ?", "", line) for line in more)]
        draft.notes += self._tree("\n".join(lines), index, private=True)
        self._lecturer_lines.update(range(index + 1, after + 1))
        # They are not read as words now, and the lines below keep their numbers.
        self._lines[index:after] = [""] * (after - index)
        return after

    def _fence_end(self, index: int, end: int, fence: str) -> int:
        """Return the line after a block that begins in a line."""
        for last in range(index + 1, end):
            if _ends_block(self._lines[last], fence):
                return last + 1
        return end

    def _read_words(self, into: list[Node], start: int, end: int) -> None:
        while start < end and not self._lines[start].strip():
            start += 1
        into += self._tree("\n".join(self._lines[start:end]), start)

    def _tree(self, text: str, index: int, *, private: bool = False) -> Tree:
        try:
            return (
                words.tree(text, index + 1, self._warnings, private=private) if text.strip() else ()
            )
        except LessonError as error:
            self.faults += error.faults
            return ()

    def _task(self, draft: _SceneDraft, link: Link, place: int, fenced: _Fenced) -> None:
        """Read a task of a scene with this link, where it may stand among the words."""
        name = fenced.info[0].lower() if len(fenced.info) == 1 else ""
        if name not in KINDS:
            advice = _near(name, tuple(KINDS), "```task ")
            self.faults.append(Fault(fenced.line, f"The kind of the task is not known: {advice}"))
            return
        if len(fenced.lines) > _MOST_TASK_LINES:
            many = f"The task has {len(fenced.lines):,} lines: write at most {_MOST_TASK_LINES}."
            self.faults.append(Fault(fenced.line, many))
            return
        kind = KINDS[name]
        values = self._values(fenced, (*_TASK, *kind.keys))
        block = Block(fenced.line, values, is_for_students=self._is_for_students)
        ask = block.text("ask", needed="ask: What will happen?")
        question = kind.read(block)
        task = Task(
            kind=name,
            ask=ask,
            question=question,
            start=block.link("start") or link,
            hints=tuple(value for value, _ in block.all("hint")),
            why=block.text("why"),
            tries=block.whole("tries", 1, MOST_TRIES),
            seeds=_seeds(block),
            votes=_votes_example(block),
            line=fenced.line,
            lines=tuple((key, line) for key, _, line in values),
        )
        task = replace(task, mark=_mark(task, values))
        for key in ("ask", "hint", "why", "choice"):
            for value, line in block.all(key):
                block.check_words(value, line, self._warnings)
        if len(task.hints) > MOST_HINTS:
            block.fault(block.all("hint")[MOST_HINTS][1], f"A task has at most {MOST_HINTS} hints.")
        self.faults += block.faults
        if block.faults:
            return
        # The place was counted without the tasks before this one, which are words by now.
        draft.words.insert(place + len(draft.tasks), {"kind": "task", "number": len(draft.tasks)})
        draft.tasks.append(task)

    def _values(self, fenced: _Fenced, known: Sequence[str]) -> list[tuple[str, str, int]]:
        """Return key, value and line of each; an indented line goes on with the value above it."""
        values: list[tuple[str, str, int]] = []
        for number, line in fenced.lines:
            text = line.strip()
            if not text or line[:1] == "#":
                continue
            if line[:1] in (" ", "\t") and values:
                key, value, first = values[-1]
                values[-1] = (key, f"{value} {text}".strip(), first)
                continue
            written = _SLIP_KEY.sub(r"\1: \2:", text)
            key, value = self._key(
                written, number - 1, known, "this task", "ask: What will happen?"
            )
            if key:
                values.append((key, value, number))
        valid_values = []
        for key, value, number in values:
            if not value:
                self._fault(number - 1, f"{key} is empty: write its value, or leave the line out.")
            elif len(value) > _LONGEST_VALUE and key not in _LINKS:
                self._fault(
                    number - 1,
                    f"{key} has {len(value):,} characters: write at most {_LONGEST_VALUE:,}.",
                )
            else:
                valid_values.append((key, value, number))
        return valid_values

    def _cues(self, lines: Sequence[tuple[int, str]]) -> tuple[Cues, tuple[int, ...]]:
        """Return the cues in numbered lines, and the line of each."""
        all_cues: list[Cue] = []
        cue_lines: list[int] = []
        # A cue with the notes below it, and the number of its line.
        groups: list[tuple[int, list[str]]] = []
        for number, line in lines:
            if line[:1] in (" ", "\t", ">") and groups:
                groups[-1][1].append(line)
            else:
                groups.append((number, [line]))
        if len(groups) > 2 * MOST_CUES:
            many = f"There are {len(groups):,} lines of cues: a scene has {MOST_CUES} cues at most."
            self.faults.append(Fault(groups[0][0], many))
            return Cues(), ()
        for number, group in groups:
            try:
                read = Cues.read("\n".join(group))
            except ValueError as error:
                self.faults.append(_cue_fault(error, number, first=number))
                continue
            if read.title or read.by:
                self._fault(
                    number - 1,
                    "Title and author of the lecture stand in the header: leave this line out.",
                )
            all_cues += read.cues
            cue_lines += [number] * len(read.cues)
        cues = Cues(cues=tuple(all_cues))
        if len(all_cues) > MOST_CUES:
            self._fault(
                cue_lines[MOST_CUES] - 1,
                f"There are {len(all_cues)} cues: a scene has at most {MOST_CUES}.",
            )
            return Cues(), ()
        if len(cues.code) > LONGEST_CUES:
            long = (
                f"The cues have {len(cues.code):,} characters: those of a scene have "
                f"{LONGEST_CUES:,}."
            )
            self._fault(cue_lines[0] - 1, long)
        return cues, tuple(cue_lines)

    def _fault(self, index: int, what: str) -> None:
        """Note what is wrong with a line, counted from 0."""
        self.faults.append(Fault(index + 1, what))


def _ends_block(line: str, fence: str) -> bool:
    """Whether a line ends a block that began with these characters."""
    match = _FENCE.match(line)
    return match is not None and match[1].startswith(fence) and not match[2]


def _near(word: str, known: Sequence[str], before: str = "") -> str:
    """Return which of the known words may have been meant; `before` stands before each."""
    near = get_close_matches(word, known, 1)
    if near:
        return f"did you mean {before}{near[0]}?"
    written = "" if not before else f"{before}and "
    return f"write {written}one of {', '.join(known)}."


def _mark(task: Task, values: Sequence[tuple[str, str, int]]) -> str:
    """Return what tells a task from others: a hash of what its author asks, of which link.

    Its other values may be mended, and it is still the same task.
    """
    pairs = [[key, value] for key, value, _ in values if key in _MARKING_KEYS]
    pairs.sort(key=lambda pair: pair[0])
    written = json.dumps([task.kind, task.start.page, task.start.query, pairs])
    return hashlib.sha256(written.encode()).hexdigest()[:12]


def _secrets(fenced: _Fenced) -> list[int]:
    """Return the lines of a task's block that give answers away."""
    kind = KINDS.get(fenced.info[0].lower()) if fenced.info else None
    secret_keys = (*_SECRET, *(kind.secret if kind else ()))
    numbers = []
    is_secret = False
    for number, line in fenced.lines:
        # An indented line goes on with the value above it.
        match = _KEY.match(line.strip()) if line[:1] not in (" ", "\t") else None
        if match is not None:
            is_secret = match[1].lower() in secret_keys
        if is_secret:
            numbers.append(number)
    return numbers


def _votes_example(block: Block) -> int | None:
    """Return the number of the example whose votes are shown."""
    text = block.text("votes")
    match = re.fullmatch(r"x?([0-9]{1,4})", text)
    if match is None and text:
        block.fault(block.line_of("votes"), "votes names one example, as votes: x2.")
    return int(match[1]) if match else None


def _seeds(block: Block) -> tuple[int, ...]:
    """Return the seeds of the tries, () if there are none or they cannot be read."""
    text = block.text("seeds")
    parts = [part.strip() for part in text.split(",")] if text else []
    if len(parts) <= MOST_SEEDS and all(re.fullmatch(r"[0-9]{1,4}", part) for part in parts):
        return tuple(map(int, parts))
    block.fault(
        block.line_of("seeds"),
        f"seeds are at most {MOST_SEEDS} whole numbers from 0 to 9999, as 0, 3, 7.",
    )
    return ()


def _cue_fault(error: ValueError, line: int, *, first: int = 1) -> Fault:
    """Return what is wrong with cues whose first line has the number `first`.

    Where the error names no line, the fault is at `line`.
    """
    match = _OF_CUES.fullmatch(str(error))
    if match is None:
        return Fault(line, str(error))
    return Fault(int(match[1]) + first - 1, f"The cue {match[2]}")
