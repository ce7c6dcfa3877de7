"""What the file of a lesson holds: scenes, each with a link, words, cues, notes and tasks.

Tests: tests/lessons/test_format.py, tests/lessons/test_tasks.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kpviz.lessons import languages
from kpviz.lessons.file import Fault, words
from kpviz.lessons.file.kinds.question import CheckResult, Question, Solution, UnreadableAnswerError
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.words import Node, Tree
from kpviz.settings.cues import Cues

BREAK = r"\r\n|[\n\r]"


def in_minutes(minutes: float | None) -> str:
    """Return how long something takes, "" where that is not said.

    >>> in_minutes(1), in_minutes(2.5), in_minutes(None)
    ('1 minute', '2.5 minutes', '')
    """
    if minutes is None:
        return ""
    return f"{minutes:g} {'minute' if minutes == 1 else 'minutes'}"


@dataclass(frozen=True)
class Task:
    """What a student does, and what tells whether it is done.

    Attributes
    ----------
    kind : a name of `kpviz.lessons.file.kinds.KINDS`. question : what its block says besides, as
        that kind reads it.
    ask, hints, why : Markdown of one paragraph; the hints in the order in which they are given,
        `why` for afterwards.
    start : what is on the stage at first. seeds : of the data at the first, second, … try; () for
        that of the link.
    tries : how many there are, None for as many as one likes.
    votes : the example on which the map shows each vote, and not their sum, until it is answered;
        None for none.
    mark : what tells it from others, whatever a newer kpviz makes of it: a hash of what its author
        wrote and asks.
    line : of the block's first line; lines : the line of each of its values, by key, "" for the
        keys' own order.
    """

    kind: str
    ask: str
    question: Question
    start: Link
    hints: tuple[str, ...] = ()
    why: str = ""
    tries: int | None = None
    seeds: tuple[int, ...] = ()
    votes: int | None = None
    line: int = 1
    lines: tuple[tuple[str, int], ...] = field(default=(), repr=False)
    mark: str = field(default="", repr=False)

    def line_of(self, key: str) -> int:
        """Return the line of a value, that of the block where it has none."""
        return next((line for name, line in self.lines if name == key), self.line)

    def start_of(self, tried: int = 0) -> Link:
        """Return the link of a try, counted from 0, with the data of its seed if the author gave
        seeds.
        """
        return (
            self.start.with_seed(self.seeds[tried % len(self.seeds)]) if self.seeds else self.start
        )

    @property
    def starts(self) -> list[Link]:
        """The links of the tries; after the last one the first comes again."""
        return [self.start_of(tried) for tried in range(max(len(self.seeds), 1))]

    def check(self, answer: Any, tried: int = 0) -> CheckResult:
        r"""Say whether an answer is right.

        Parameters
        ----------
        answer : plain data, as they come from the page: an object, by kind {"verdicts": ["mistake",
            "correct"]}, {"choices": [0]}, {"number": 0.5}, {"examples": [3]}, {"link": "v=1&…"}
            (reach, draw), {"steps": [{"verdict": "mistake", "bricks": [[3, 1]]}]} (perform; with
            "b" where b changes), {"text": "…"}. What was "typed" may come with a number, as
            "exp(-0.5)".
        tried : which try it is, from 0: another may have other data.

        Raises
        ------
        ValueError
            If the author's link has no such run, or the copy has no answers: one sentence.

        >>> from kpviz.lessons.file.format import read
        >>> task = "```task predict\nask: And the first?\n```"
        >>> text = f"---\ntitle: T\n---\n## S\nlink: v=1&data=xor\n{task}"
        >>> (_, task), = read(text).tasks
        >>> task.check({"verdicts": ["mistake"]})
        CheckResult(right=True, why='x₀ is orange, but the score is 0, which counts as a mistake.',
        detail={})
        """
        if not isinstance(answer, Mapping):
            return CheckResult(False, "The answer cannot be read.", {"unreadable": True})
        try:
            return self.question.check(self.start_of(tried), answer, tried)
        except UnreadableAnswerError as error:
            return CheckResult(False, str(error), {"unreadable": True})

    def solve(self, tried: int = 0) -> Solution:
        """Return a right answer; ValueError, of one sentence, where there is none."""
        return self.question.solve(self.start_of(tried))

    def reasons(self, tried: int = 0, *, missed: bool = False) -> list[Node]:
        """Return the author's reason.

        Where the last try `missed` what is right, that comes first.
        """
        revealed = self.question.revealed(self.start_of(tried)) if missed else ()
        items: list[Node] = [{"kind": "item", "children": [*line]} for line in revealed]
        right: list[Node] = (
            ["What is right:", {"kind": "list", "ordered": False, "children": items}]
            if items
            else []
        )
        return [*right, *(words.inline(self.why) if self.why else ())]

    @property
    def plain(self) -> dict[str, Any]:
        """What the page needs to ask, without the answer."""
        allowed_changes = self.question.allowed_changes(self.start)
        plain = self.question.plain
        if self.votes is not None:
            covers = {*plain.get("covers", ()), "sum"} - {"f"}
            plain = {**plain, "votes": self.votes, "covers": sorted(covers)}
        return {
            "kind": self.kind,
            "mark": self.mark,
            "ask": list(words.inline(self.ask)),
            "hints": [list(words.inline(hint)) for hint in self.hints],
            "start": [link.plain for link in self.starts],
            "tries": self.tries,
            **plain,
            **self.question.on_page(self.starts),
            **({"may": allowed_changes} if allowed_changes else {}),
        }


@dataclass(frozen=True)
class Scene:
    """One scene.

    Attributes
    ----------
    link : what is on the stage; where the file gives none, that of the scene before.
    words : a tree, see `kpviz.lessons.file.words`; {"kind": "task", "number": k} stands where task
        k was written.
    notes : a tree, for the lecturer alone.
    cues : as those of a link; cue_lines : the line of each.
    knobs : settings that can be turned while one presents. minutes : that it takes, None where it
        is not said.
    objectives : what a student can do after this scene, which the lesson's have, too.
    line : of its heading.
    """

    heading: str
    link: Link
    words: Tree = ()
    cues: Cues = field(default_factory=Cues)
    notes: Tree = ()
    tasks: tuple[Task, ...] = ()
    knobs: tuple[str, ...] = ()
    minutes: float | None = None
    objectives: tuple[str, ...] = ()
    line: int = 1
    cue_lines: tuple[int, ...] = field(default=(), repr=False)

    def plain(self, *, notes: bool = False) -> dict[str, Any]:
        """Return plain data for the page; `notes`: with those of the lecturer."""
        return {
            "heading": self.heading,
            "link": self.link.plain,
            "words": list(self.words),
            "cues": (self.cues if notes else self.cues.without_notes).plain,
            "asked_first": sum(task.line < min(self.cue_lines, default=0) for task in self.tasks),
            "notes": list(self.notes) if notes else [],
            "knobs": self.knobs,
            "minutes": self.minutes,
            "tasks": [task.plain for task in self.tasks],
        }


@dataclass(frozen=True)
class Lesson:
    """A lesson or a lecture.

    Attributes
    ----------
    language : a tag such as "en" or "de-AT". objectives : what a student can do afterwards, one
        phrase each.
    minutes : that it takes, None where it is not said.
    lecture : the name of the one that it goes with. picture : a link, of whose map the list of
        lessons has a picture.
    symbols : whether the board shows f, y and α. students : whether it is a copy without solutions.
    text : the file.
    private_lines : the numbers of its lines, from 1, that students do not get; lecturer_lines :
        those of them that are for the lecturer alone, and give no answer away.
    warnings : faults that do not keep the file from being read.
    """

    title: str
    scenes: tuple[Scene, ...]
    author: str = ""
    language: str = "en"
    objectives: tuple[str, ...] = ()
    minutes: float | None = None
    lecture: str = ""
    symbols: bool = True
    picture: Link | None = None
    students: bool = False
    text: str = field(default="", repr=False, compare=False)
    private_lines: frozenset[int] = field(default=frozenset(), repr=False, compare=False)
    lecturer_lines: frozenset[int] = field(default=frozenset(), repr=False, compare=False)
    warnings: tuple[Fault, ...] = field(default=(), repr=False, compare=False)

    @property
    def tasks(self) -> Iterator[tuple[Scene, Task]]:
        """All tasks, each with its scene."""
        return ((scene, task) for scene in self.scenes for task in scene.tasks)

    @property
    def for_students(self) -> str:
        r"""The file without `solution`, `why`, `answer` and `when` of the tasks, and without notes.

        >>> from kpviz.lessons.file.format import read
        >>> print(read("---\ntitle: XOR\n---\n## S\nlink: v=1\n> notes: Wait.\n").for_students)
        ---
        title: XOR
        for: students
        ---
        ## S
        link: v=1
        <BLANKLINE>
        """
        lines_kept = self._lines_without(self.private_lines)
        fences = [at for at, line in enumerate(lines_kept) if line.strip() == "---"]
        if not self.students and len(fences) > 1 and not "".join(lines_kept[: fences[0]]).strip():
            lines_kept.insert(fences[1], "for: students")
        return "\n".join(lines_kept)

    @property
    def without_notes(self) -> str:
        """The file without notes and without comments in its blocks."""
        return "\n".join(self._lines_without(self.lecturer_lines))

    def _lines_without(self, numbers: frozenset[int]) -> list[str]:
        lines_kept: list[str] = []
        for number, line in enumerate(re.split(BREAK, self.text.removeprefix("\ufeff")), 1):
            if number not in numbers:
                lines_kept.append(line)
            elif line.lstrip().startswith(">") and lines_kept and lines_kept[-1]:
                lines_kept.append("")  # What stood above notes stays apart from what stood below.
        return lines_kept

    @property
    def is_puzzle(self) -> bool:
        """Whether it is a puzzle, which has one scene with one task."""
        return [len(scene.tasks) for scene in self.scenes] == [1] and self.has_puzzle

    @property
    def has_puzzle(self) -> bool:
        """Whether one of its tasks is a puzzle."""
        return any(task.kind == "puzzle" for _, task in self.tasks)

    def plain(self, *, notes: bool = False) -> dict[str, Any]:
        """Return plain data for the page: nothing in it gives an answer away.

        `notes`: with those of the lecturer.
        """
        return {
            "title": self.title,
            "author": self.author,
            "language": self.language,
            "phrases": dict(languages.phrases(self.language)),
            "objectives": self.objectives,
            "minutes": self.minutes,
            "symbols": self.symbols,
            "scenes": [scene.plain(notes=notes) for scene in self.scenes],
        }
