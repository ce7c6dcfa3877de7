"""What the file of a lesson holds: scenes, each with a link, words, cues, notes and tasks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kpviz.lessons.file.kinds.question import Question
from kpviz.lessons.file.links import Link
from kpviz.lessons.file.words import Tree
from kpviz.settings.cues import Cues

__all__ = ["Lesson", "Link", "Scene", "Task"]


@dataclass(frozen=True)
class Task:
    """What a student does, and what tells whether it is done.

    Attributes
    ----------
    kind : a name of `kpviz.lessons.file.kinds.KINDS`. question : what its block says besides, as that kind reads it.
    ask, hints, why : Markdown of one paragraph; the hints in the order in which they are given, `why` for afterwards.
    start : what is on the stage at first. seeds : of the data at the first, second, … try; () for that of the link.
    tries : how many there are, None for as many as one likes.
    line : of the block's first line; lines : the line of each of its values, by key, "" for the keys' own order.
    """

    kind: str
    ask: str
    question: Question
    start: Link
    hints: tuple[str, ...] = ()
    why: str = ""
    tries: int | None = None
    seeds: tuple[int, ...] = ()
    line: int = 1
    lines: tuple[tuple[str, int], ...] = field(default=(), repr=False)

    def line_of(self, key: str) -> int:
        """Return the line of a value, that of the block where it has none."""
        return next((line for name, line in self.lines if name == key), self.line)

    def start_of(self, tried: int = 0) -> Link:
        """Return the link of a try, counted from 0: with the data of its seed, if the author gave seeds."""
        return self.start.with_seed(self.seeds[tried % len(self.seeds)]) if self.seeds else self.start


@dataclass(frozen=True)
class Scene:
    """One scene.

    Attributes
    ----------
    link : what is on the stage; where the file gives none, that of the scene before.
    words : a tree, see `kpviz.lessons.file.words`; {"kind": "task", "number": k} stands where task k was written.
    notes : a tree, for the lecturer alone.
    cues : as those of a link; cue_lines : the line of each.
    knobs : settings that can be turned while one presents. minutes : that it takes, None where it is not said.
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
    line: int = 1
    cue_lines: tuple[int, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Lesson:
    """A lesson or a lecture.

    Attributes
    ----------
    language : a tag such as "en" or "de-AT". objectives : what a student can do afterwards, one phrase each.
    minutes : that it takes, None where it is not said.
    students : whether it is a copy without solutions.
    text : the file. private : its lines, from 1, that are not for students.
    """

    title: str
    scenes: tuple[Scene, ...]
    author: str = ""
    language: str = "en"
    objectives: tuple[str, ...] = ()
    minutes: float | None = None
    students: bool = False
    text: str = field(default="", repr=False, compare=False)
    private: frozenset[int] = field(default=frozenset(), repr=False, compare=False)

    @property
    def tasks(self) -> Iterator[tuple[Scene, Task]]:
        """All tasks, each with its scene."""
        return ((scene, task) for scene in self.scenes for task in scene.tasks)
