"""The app's typeface: files that the browser and matplotlib share, and how wide each character is.

`kpviz Sans` and `kpviz Code` are Source Sans and Source Code Pro in two weights; `kpviz Signs` has
the characters that kpviz draws and Source Sans lacks, cut out of DejaVu Sans. They have no kerning
and no ligatures: a line is as wide as its characters, wherever it is drawn. `scripts/fonts.py`
makes all files; the licences are beside them.

Tests: tests/test_fonts.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

SANS = "kpviz Sans"
CODE = "kpviz Code"
SIGNS = "kpviz Signs"
REGULAR = 400
BOLD = 600
_BOLD_FROM = 550  # From this weight on letters are drawn bold.

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
    name : the stem of its files, and its key in `advances`.
    weights : the least and the largest weight that it is drawn for.
    """

    family: str
    weight: int
    name: str
    weights: tuple[int, int]

    @property
    def ttf(self) -> Path:
        """The file for Python."""
        return Path(str(files(__name__) / f"{self.name}.ttf"))


FACES = (
    Face(SANS, REGULAR, "sans-400", (1, _BOLD_FROM - 1)),
    Face(SANS, BOLD, "sans-600", (_BOLD_FROM, 1000)),
    Face(CODE, REGULAR, "code-400", (1, _BOLD_FROM - 1)),
    Face(CODE, BOLD, "code-600", (_BOLD_FROM, 1000)),
    Face(SIGNS, REGULAR, "signs-400", (1, 1000)),
)


def face(weight: int = REGULAR, *, code: bool = False) -> Face:
    """Return the face in which text of a CSS weight is drawn.

    Single characters may come from a fallback.

    >>> face(500).name, face(700, code=True).name
    ('sans-400', 'code-600')
    """
    family = CODE if code else SANS
    return next(
        one for one in FACES if one.family == family and one.weights[0] <= weight <= one.weights[1]
    )


@cache
def advances() -> dict[str, dict[str, float]]:
    """Return the advance of each character in em, by the name of the face, with its fallbacks.

    >>> advances()["code-400"]["a"]
    0.6
    >>> "∨" in advances()["sans-600"]
    True
    """
    text = (files(__name__) / "advances.json").read_text(encoding="utf-8")
    return {
        name: {
            char: int(thousandths) / 1000 for thousandths, chars in widths.items() for char in chars
        }
        for name, widths in json.loads(text).items()
    }


@cache
def register() -> None:
    """Make the families known to matplotlib, each weight in the face drawn for it."""
    from matplotlib.font_manager import FontEntry, fontManager

    for one in FACES:
        least, most = one.weights
        # An entry for each weight: matplotlib warns of a weight that is only near.
        fontManager.ttflist += [
            FontEntry(fname=str(one.ttf), name=one.family, size="scalable", weight=weight)
            for weight in range(100, 1000, 100)
            if least <= weight <= most
        ]
        fontManager.addfont(one.ttf)  # This forgets what was looked up before.
