"""Text as outlines: each character of the app's typeface as a path, set as wide as the player measures it."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np
from matplotlib.font_manager import get_font
from matplotlib.ft2font import LoadFlags
from matplotlib.path import Path
from numpy.typing import NDArray

from kpviz import fonts
from kpviz.fonts import Face

_DRAWN = 1000.0  # size at which outlines are read: a unit of the font is one of theirs


@lru_cache(maxsize=4096)
def outlines(text: str, weight: int, code: bool) -> Path:
    """Return the outlines of a line of text of size 1, from (0, 0) along the baseline, y upwards."""
    face = fonts.face(weight, code=code)
    widths = fonts.advances()[face.name]
    vertices: list[NDArray[np.float64]] = []
    codes: list[NDArray[np.uint8]] = []
    across = 0.0
    for character in text:
        path = _glyph(character, face, code)
        if path.codes is not None:
            vertices.append(np.asarray(path.vertices) + np.array([across, 0.0]))
            codes.append(np.asarray(path.codes))
        across += widths.get(character, widths["n"])
    if not vertices:
        return Path(np.zeros((0, 2)))
    return Path(np.concatenate(vertices), np.concatenate(codes))


@lru_cache(maxsize=4096)
def width(text: str, weight: int = fonts.REGULAR, *, code: bool = False) -> float:
    """Return how wide a line of text of size 1 is."""
    widths = fonts.advances()[fonts.face(weight, code=code).name]
    return sum(widths.get(character, widths["n"]) for character in text)


def lacking(text: str) -> str:
    """Return the characters of a text that the typeface does not have.

    >>> lacking("f(x₁₂) = −0.37 ≤ 0: 漢字")
    '漢字'
    """
    known = fonts.advances()[fonts.face().name]
    return "".join(dict.fromkeys(character for character in text if character not in known and not character.isspace()))


@cache
def middle(weight: int, code: bool) -> float:
    """Return how far over the baseline the middle of a line of size 1 is, as a canvas has it."""
    font = _font(fonts.face(weight, code=code))
    return float((font.ascender + font.descender) / 2 / font.units_per_EM)


@cache
def _glyph(character: str, face: Face, code: bool) -> Path:
    """Return the outline of a character of size 1, from the first family that has it."""
    for one in _faces(face, code):
        font = _font(one)
        if number := font.get_charmap().get(ord(character)):
            return _outline(font, number)
    return Path(np.zeros((0, 2))) if character.isspace() else _outline(_font(face), 0)


def _outline(font: Any, number: int) -> Path:
    font.set_size(_DRAWN, 72.0)
    font.load_glyph(number, LoadFlags.NO_HINTING)
    vertices, codes = font.get_path()
    return Path(np.asarray(vertices) / _DRAWN, codes)


def _faces(face: Face, code: bool) -> list[Face]:
    """Return the faces in which a character is looked for, one after the other."""
    families = fonts.CODE_FAMILIES if code else fonts.TEXT_FAMILIES
    weight = face.weight
    return [one for family in families for one in fonts.FACES if one.family == family and _draws(one, weight)]


def _draws(face: Face, weight: int) -> bool:
    least, most = face.weights
    return least <= weight <= most


@cache
def _font(face: Face) -> Any:
    return get_font(str(face.ttf))
