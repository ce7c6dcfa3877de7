"""The answer to a question for a lesson, or for whether the answer to one of its tasks is right.

`Question.lesson` says which lesson: {"name": …} of the server's, or of one that it keeps for a
class, or {"text": …} of a file.
`Question.task` says which task was answered: {"scene": …, "task": …, "tried": …, "answer": …};
without an answer what is right is asked for, which a class is shown after it has voted.
`Question.record` has the keys of a link that holds a record of a puzzle: {"record": …, "by": …,
"proof": …}; with "own", the query of one's own board, it asks for the board that proves it.
`Question.made` asks for the link of one's own record: {"board": …, "by": …}.

Tests: tests/service/test_lesson.py.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote

from kpviz.engine.run.predictors import Progress
from kpviz.lessons import languages, shelf
from kpviz.player import payload
from kpviz.service import kept_lessons, links
from kpviz.service.making import mark
from kpviz.service.question import Question, failed, mapping, number, text
from kpviz.service.work import Compute

if TYPE_CHECKING:  # The server itself reads no lesson, so it starts sooner without what does.
    from kpviz.lessons.file.lesson import Lesson, Task
    from kpviz.lessons.file.links import Link
    from kpviz.settings.cues import Cues

_NO_TASK = "This answer belongs to no task of this lesson."
_CHARACTERS = 40_000  # So many characters at least of a lesson's file are read in a second.


@dataclass(frozen=True)
class LessonSource:
    """Where a lesson is: the name that a server has for it, or the text of a file; "" and None
    where there is none; a dropped lesson that is kept for a class has both.
    """

    name: str
    text: str | None = None

    @classmethod
    def of(cls, question: Mapping[str, Any]) -> LessonSource:
        """Return what a page has open; ValueError, of one sentence, where it is not kept here."""
        if "text" in question:
            return cls("", text(question["text"]))
        name = text(question.get("name"))
        is_kept = name.startswith(kept_lessons.PREFIX)
        return cls(name, kept_lessons.read(name) if is_kept else None)

    @property
    def is_own_file(self) -> bool:
        """Whether who asks has the file, with its notes and solutions."""
        return self.text is not None and not self.name

    @property
    def id(self) -> str:
        """What tells it from others, for as long as nobody writes the file anew."""
        return self.name or mark(self.text or "")

    def read(self) -> Lesson:
        """Return the lesson; ValueError, of one sentence, where it cannot be read."""
        from kpviz.lessons.file import format

        return shelf.read(self.name) if self.text is None else format.read(self.text)


@dataclass(frozen=True)
class PlanWork:
    """A lesson that is read, with all its links and formulas."""

    source: LessonSource

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"lesson?{self.source.id}"

    @property
    def seconds(self) -> float:
        """Those of a short job for a lesson of the server."""
        return 0.1 + len(self.source.text or "") / _CHARACTERS

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return what a page gets, as JSON."""
        name = self.source.name
        opened = self.source.read()
        plan = plain(opened, notes=self.source.is_own_file or shelf.has_notes(name))
        following = None if self.source.text is not None else shelf.after(name)
        return _json(
            {
                **plan,
                "next": _named(following),
                "solved": may_have_solutions(self.source, opened),
                "told": tells_solutions(self.source, opened),
                **(_of_puzzle(name, opened) if opened.is_puzzle else {}),
            }
        )


@dataclass(frozen=True)
class CheckWork:
    """An answer that is to be checked.

    The lesson, the place of the task, and the answer as JSON. `is_live`: a number follows a hand.
    """

    source: LessonSource
    scene: int
    task: int
    tried: int
    answer: str
    is_live: bool = False

    @property
    def seconds(self) -> float:
        """An estimate: one run is trained, or two; of a puzzle it is a small one."""
        return 0.1 if self.is_live else 1.0

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"task?{self.source.id}&{self.scene}.{self.task}.{self.tried}&{self.answer}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Check the answer; return what is to be said of it, as JSON."""
        from kpviz.lessons.mathml import set_formulas

        lesson = self.source.read()
        task = _task(lesson, self.scene, self.task)
        verdict = task.check(json.loads(self.answer), self.tried)
        is_last = (
            task.tries is not None
            and self.tried + 1 >= task.tries
            and not verdict.detail.get("unreadable")
        )
        is_over = verdict.right is not False or is_last
        because = task.reasons(self.tried, missed=verdict.right is False) if is_over else []
        result = {
            "right": verdict.right,
            "why": verdict.why,
            "detail": dict(verdict.detail),
            "because": because,
        }
        return _json(set_formulas(languages.translate_all(result, lesson.language)))


@dataclass(frozen=True)
class SolutionWork:
    """What is right about a task, for a class, or for who asks to be shown.

    The lesson and the place of the task.
    """

    source: LessonSource
    scene: int
    task: int
    tried: int
    seconds: ClassVar[float] = 1.0

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"solution?{self.source.id}&{self.scene}.{self.task}.{self.tried}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return what answers are compared with, else a right answer; as JSON.

        It is null where nobody is told what is right.
        """
        from kpviz.lessons.mathml import set_formulas

        lesson = self.source.read()
        task = _task(lesson, self.scene, self.task)
        if not tells_solutions(self.source, lesson):
            return _json(None)
        packed = task.question.packed(task.start_of(self.tried))
        if packed is None:
            packed = {"answer": task.solve(self.tried).answer}
        solution = {**packed, "because": task.reasons(self.tried)}
        return _json(set_formulas(solution))


@dataclass(frozen=True)
class RecordWork:
    """A record of a puzzle that is to be checked: the keys of its link.

    `own_board` is the query of a board that may have beaten it, "" where that is not asked.
    """

    source: LessonSource
    pairs: tuple[tuple[str, str], ...]
    own_board: str = ""
    seconds: ClassVar[float] = 1.0  # One run is trained, or two.

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"record?{json.dumps([self.source.id, self.pairs, self.own_board])}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return what the page opens with, or the board to who has beaten it, as JSON."""
        from kpviz.lessons.file.links import Link
        from kpviz.lessons.records import SentRecord

        record = SentRecord.read(dict(self.pairs), self.source.read())
        if self.own_board:
            return _json({"board": record.board_for(Link.read(self.own_board)).query})
        value = record.checked()
        return _json({"challenge": record.challenge(), "value": value, "by": record.by})


@dataclass(frozen=True)
class MadeWork:
    """A record that somebody made: of which puzzle, on which board, and by whom."""

    source: LessonSource
    board: str
    by: str
    seconds: ClassVar[float] = 1.0  # One run is trained.

    @property
    def id(self) -> str:
        """What tells it from others."""
        return f"made?{json.dumps([self.source.id, self.board, self.by])}"

    def compute(self, progress: Progress | None = None) -> bytes:
        """Return the query of the record's link, as JSON."""
        from kpviz.lessons.file.links import Link
        from kpviz.lessons.records import record_of

        board = Link.read(self.board)
        made = record_of(self.source.name, board, self.by, self.source.read())
        return _json({"query": made.query})


async def answer(question: Question, compute: Compute) -> bytes:
    """Return the answer as bytes."""
    try:
        source = LessonSource.of(mapping(question.get("lesson")))
        if "record" in question:
            work = _record(source, mapping(question.get("record")))
            return payload.pack_json(number(question), "record", await compute(work))
        if "made" in question:
            made = mapping(question.get("made"))
            made_work = MadeWork(source, text(made.get("board")), text(made.get("by")))
            return payload.pack_json(number(question), "made", await compute(made_work))
        if "task" not in question:
            return payload.pack_json(number(question), "lesson", await compute(PlanWork(source)))
        task = mapping(question.get("task"))
        name = "checked" if "answer" in task else "solution"
        return payload.pack_json(number(question), name, await compute(_work(source, task)))
    except ValueError as error:
        return failed(question, error)


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode()


def _named(name: str | None) -> dict[str, Any] | None:
    """Return name and title of a lesson, None where there is none that can be read."""
    with contextlib.suppress(ValueError):
        return None if name is None else {"name": name, "title": shelf.read(name).title}
    return None


def _of_puzzle(name: str, lesson: Lesson) -> dict[str, Any]:
    """Return the number of a puzzle, None where it did not come along, and where it leads.

    Beside it the puzzle before it, to which a lecturer goes back.
    """
    from kpviz.lessons.records import puzzle_in

    _, puzzle = puzzle_in(lesson)
    names = list(shelf.shipped_puzzles())
    number = names.index(name) + 1 if name in names else None
    order = list(shelf.puzzles())
    previous = order[order.index(name) - 1] if name in order[1:] else None
    return {
        "puzzle": {"number": number, "lesson": _named(puzzle.lesson or None)},
        "previous": _named(previous),
    }


def plain(lesson: Lesson, *, notes: bool = False) -> dict[str, Any]:
    """Return the lesson as a page gets it: nothing in it gives an answer away.

    Links as the page writes them.

    `notes`: with those of the lecturer, who has the file, or whose server sends them.
    """
    from kpviz.lessons.mathml import set_formulas

    plain_lesson = lesson.plain(notes=notes)
    for scene, plain_scene in zip(lesson.scenes, plain_lesson["scenes"], strict=True):
        plain_scene["link"] = _link(scene.link, scene.cues if notes else scene.cues.without_notes)
        # A task may keep what is shown, a scene begins anew.
        plain_scene["link"]["show"] = scene.link.panels
        for task, plain_task in zip(scene.tasks, plain_scene["tasks"], strict=True):
            plain_task["start"] = [_link(link) for link in task.starts]
    return dict(set_formulas(plain_lesson))


def _link(link: Link, cues: Cues | None = None) -> dict[str, Any]:
    """Return a link; of the player in its canonical form, with cues, and where it opens apart."""
    from kpviz.lessons.file.links import FISHER, PLAY

    if link.page != PLAY or not link.query:
        named = (
            f"&cues={quote(cues.code, safe='~')}"
            if link.page == FISHER and cues is not None and cues.cues
            else ""
        )
        return {"page": link.page, "query": link.query + named, "t": None, "show": None}
    state = links.read(link.pairs)
    view = link.view
    if cues is not None and cues.cues:
        state = state.put(state.settings.replace(cues=cues.code))
    return {
        "page": link.page,
        "query": state.link,
        "t": view.t if "t" in link.pairs else None,
        "show": view.show,
    }


def may_have_solutions(source: LessonSource, lesson: Lesson) -> bool:
    """Whether a page may save the solutions.

    Who has the file has them, and everyone those of the shipped lessons.
    """
    return not lesson.students and (source.is_own_file or shelf.is_shipped(source.name))


def tells_solutions(source: LessonSource, lesson: Lesson) -> bool:
    """Whether a page is told what is right of a task.

    A copy for students tells nobody, one that is kept for a class none of those who have only its
    name, and of a puzzle what is best is not told before it is reached.
    """
    is_kept = source.text is not None and not source.is_own_file
    return not (lesson.students or lesson.has_puzzle or is_kept)


def opened(question: Mapping[str, Any]) -> Lesson:
    """Return the lesson that a page has open; ValueError, of one sentence, if it is unreadable."""
    return LessonSource.of(question).read()


def _work(source: LessonSource, question: Mapping[str, Any]) -> CheckWork | SolutionWork:
    scene, task, tried = (_count(question.get(name)) for name in ("scene", "task", "tried"))
    if "answer" not in question:
        return SolutionWork(source, scene, task, tried)
    is_live = question.get("live") is True
    return CheckWork(source, scene, task, tried, json.dumps(question.get("answer")), is_live)


def _record(source: LessonSource, question: Mapping[str, Any]) -> RecordWork:
    pairs = [(key, text(question.get(key))) for key in ("record", "by", "proof")]
    return RecordWork(source, tuple(pairs), text(question.get("own")))


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(_NO_TASK)
    return value


def _task(lesson: Lesson, scene: int, task: int) -> Task:
    try:
        return lesson.scenes[scene].tasks[task]
    except IndexError:
        raise ValueError(_NO_TASK) from None
