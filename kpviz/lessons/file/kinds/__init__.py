"""The kinds of tasks: one table.

Tests: tests/lessons/test_tasks.py.
"""

from __future__ import annotations

from kpviz.lessons.file.kinds.board import Draw, Reach
from kpviz.lessons.file.kinds.puzzle import Puzzle
from kpviz.lessons.file.kinds.question import Question
from kpviz.lessons.file.kinds.statements import Choose, Click, Explain, Number
from kpviz.lessons.file.kinds.steps import Perform, Predict

KINDS: dict[str, type[Question]] = {
    "predict": Predict,
    "choose": Choose,
    "number": Number,
    "click": Click,
    "reach": Reach,
    "draw": Draw,
    "puzzle": Puzzle,
    "perform": Perform,
    "explain": Explain,
}
