"""A record in a link: a friend's number of a puzzle, with the board that proves it.

The link holds the name of the puzzle (lesson), the number (record), who made it (by), and the board
(proof), which the page keeps to itself until the record is beaten.

Tests: tests/lessons/test_records.py.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from kpviz.lessons import shelf
from kpviz.lessons.file.kinds.puzzle import Puzzle
from kpviz.lessons.file.lesson import Lesson, Task
from kpviz.lessons.file.links import LONGEST, PLAY, Link
from kpviz.lessons.file.names import shown_as

LONGEST_NAME = 20  # In characters.
_MARKS = 2  # So many marks may stand above or below one letter.
_NUMBER = re.compile(r"[0-9−,.×⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{1,20}")
_DAMAGED = "The link of this record is damaged: copy the whole link once more."


@dataclass(frozen=True)
class SentRecord:
    """What a link claims.

    Attributes
    ----------
    puzzle : the name of its file. number : the number, as the page shows it.
    board : what proves it. by : who made it, harmless to show, "" for nobody.
    lesson : the puzzle itself; None: it is found by its name.
    """

    puzzle: str
    number: str
    board: Link
    by: str = ""
    lesson: Lesson | None = None

    @classmethod
    def read(cls, pairs: Mapping[str, str], lesson: Lesson | None = None) -> SentRecord:
        """Read the keys and values of a link; ValueError, of one sentence, where they are no
        record.
        """
        number = pairs.get("record", "")
        proof = pairs.get("proof", "")
        if not _NUMBER.fullmatch(number) or len(proof) > 2 * LONGEST:
            raise ValueError(_DAMAGED)
        try:
            padding = "=" * (-len(proof) % 4)
            query = base64.b64decode(proof + padding, b"-_", validate=True).decode()
            board = Link.read(query)
        except (binascii.Error, ValueError):
            raise ValueError(_DAMAGED) from None
        if board.page != PLAY:
            raise ValueError(_DAMAGED)
        return cls(pairs.get("lesson", ""), number, board, harmless(pairs.get("by", "")), lesson)

    @property
    def query(self) -> str:
        """The query of its link.

        >>> SentRecord("puzzle-02-repair-it", "6", Link(query="v=1&sigma=0.5"), "Anna").query
        'lesson=puzzle-02-repair-it&record=6&by=Anna&proof=dj0xJnNpZ21hPTAuNQ'
        """
        proof = base64.urlsafe_b64encode(self.board.query.encode()).decode().rstrip("=")
        by = {"by": self.by} if self.by else {}
        return urlencode({"lesson": self.puzzle, "record": self.number, **by, "proof": proof})

    def checked(self) -> float:
        """Return the number of its board; ValueError, of one sentence, where it is not the one that
        is claimed, or does not count.
        """
        task, puzzle = self._puzzle
        try:
            value = puzzle.value_of(task.start, self.board)
        except ValueError as error:
            raise ValueError(f"This record does not count. {error}") from None
        if shown_as(value) != self.number:
            raise ValueError(
                f"This record is not true: the link says {self.number}, and its board has "
                f"{puzzle.called(value)}."
            )
        return value

    def challenge(self) -> str:
        """Return what the page opens with, once the record is checked; ValueError as there.

        It says nothing of the board.
        """
        value = self.checked()
        _, puzzle = self._puzzle
        return f"{f'{self.by}: ' if self.by else ''}{puzzle.called(value)}. Beat it."

    def board_for(self, own_board: Link) -> Link:
        """Return the board to somebody whose own board is better; ValueError, of one sentence, to
        others.
        """
        value = self.checked()
        task, puzzle = self._puzzle
        own_value = puzzle.value_of(task.start, own_board)
        if puzzle.is_as_good(value, own_value):
            raise ValueError("The board is shown once the record is beaten.")
        return self.board

    @property
    def _puzzle(self) -> tuple[Task, Puzzle]:
        return puzzle_in(self.lesson or shelf.read(self.puzzle))


def record_of(name: str, board: Link, by: str = "", lesson: Lesson | None = None) -> SentRecord:
    """Return the record that a board makes; ValueError, of one sentence, where it does not count.

    Parameters
    ----------
    name : of the puzzle's file. board : what was made of its start. by : who made it.
    lesson : the puzzle itself; None: it is found by its name.
    """
    task, puzzle = puzzle_in(lesson or shelf.read(name))
    number = shown_as(puzzle.value_of(task.start, board))
    return SentRecord(name, number, board, harmless(by), lesson)


def puzzle_in(lesson: Lesson) -> tuple[Task, Puzzle]:
    """Return the puzzle that a lesson is; ValueError, of one sentence, where it is none."""
    if lesson.is_puzzle:
        (task,) = lesson.scenes[0].tasks
        if isinstance(task.question, Puzzle):
            return task, task.question
    raise ValueError(f"The lesson {lesson.title!r} is not a puzzle: a record belongs to one.")


def harmless(name: str) -> str:
    r"""Return a name as it is shown: letters, digits and few signs, of at most 20 characters.

    >>> harmless("  Anna <b>\u202eaaa "), harmless("Jean-Luc d’Arc"), harmless("🙂")
    ('Anna baaa', 'Jean-Luc d’Arc', '')
    """
    characters: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name[: 10 * LONGEST_NAME]):
        category = unicodedata.category(character)
        is_mark = category in ("Mn", "Mc")
        marks = marks + 1 if is_mark else 0
        if category[0] in "LN" or character in "-’'. " or (is_mark and marks <= _MARKS):
            characters.append(character)
    return " ".join("".join(characters).split())[:LONGEST_NAME].strip()
