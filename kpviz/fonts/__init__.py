"""The app's typeface: files that the browser and matplotlib share, and how wide each character is.

`kpviz Sans` and `kpviz Code` are Source Sans and Source Code Pro in two weights; `kpviz Signs` has the characters that
kpviz draws and Source Sans lacks, cut out of DejaVu Sans. They have no kerning and no ligatures: a line is as wide as
its characters, wherever it is drawn. `scripts/fonts.py` makes all files; the licences are beside them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

SANS, CODE, SIGNS = "kpviz Sans", "kpviz Code", "kpviz Signs"
REGULAR, BOLD = 400, 600
_BOLD_FROM = 550  # the least weight that is drawn bold

# The families in which a character is looked for, one after the other.
TEXT_FAMILIES = (SANS, SIGNS)
CODE_FAMILIES = (CODE, SANS, SIGNS)


@dataclass(frozen=True)
class Face:
    """One weight of a family, as a file.

    Parameters
    ----------
    family : its name in CSS and in matplotlib.
    weight : its weight as CSS counts, `REGULAR` or `BOLD`.
    file : the stem of its files.
    weights : the least and the largest weight that it is drawn for.
    """

    family: str
    weight: int
    file: str
    weights: tuple[int, int]

    @property
    def ttf(self) -> Path:
        """The file for Python."""
        return Path(str(files(__name__) / f"{self.file}.ttf"))


FACES = (
    Face(SANS, REGULAR, "sans-400", (1, _BOLD_FROM - 1)),
    Face(SANS, BOLD, "sans-600", (_BOLD_FROM, 1000)),
    Face(CODE, REGULAR, "code-400", (1, _BOLD_FROM - 1)),
    Face(CODE, BOLD, "code-600", (_BOLD_FROM, 1000)),
    Face(SIGNS, REGULAR, "signs-400", (1, 1000)),
)


def face(weight: int = REGULAR, *, code: bool = False) -> Face:
    """Return the face that text of a weight is drawn in, whatever single characters are drawn in.

    >>> face(500).file, face(700, code=True).file
    ('sans-400', 'code-600')
    """
    family = CODE if code else SANS
    return next(one for one in FACES if one.family == family and one.weights[0] <= weight <= one.weights[1])


@cache
def advances() -> dict[str, dict[str, float]]:
    """Return the advance of each character in em, by the file of the face; characters of later families included.

    >>> advances()["code-400"]["a"]
    0.6
    >>> "∨" in advances()["sans-600"]
    True
    """
    text = (files(__name__) / "advances.json").read_text(encoding="utf-8")
    return {
        file: {sign: int(thousandths) / 1000 for thousandths, signs in widths.items() for sign in signs}
        for file, widths in json.loads(text).items()
    }


@cache
def register() -> None:
    """Make the families known to matplotlib; it then finds them by name."""
    from matplotlib.font_manager import fontManager

    for one in FACES:
        fontManager.addfont(one.ttf)
