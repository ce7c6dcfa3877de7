"""The kinds of tasks: one table."""

from __future__ import annotations

from kpviz.lessons.file.kinds.choose import Choose
from kpviz.lessons.file.kinds.click import Click
from kpviz.lessons.file.kinds.draw import Draw
from kpviz.lessons.file.kinds.free_text import Explain
from kpviz.lessons.file.kinds.number import Number
from kpviz.lessons.file.kinds.perform import Perform
from kpviz.lessons.file.kinds.predict import Predict
from kpviz.lessons.file.kinds.question import Question
from kpviz.lessons.file.kinds.reach import Reach

KINDS: dict[str, type[Question]] = {
    "predict": Predict,
    "choose": Choose,
    "number": Number,
    "click": Click,
    "reach": Reach,
    "draw": Draw,
    "perform": Perform,
    "explain": Explain,
}
