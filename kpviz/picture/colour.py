"""Colours as the player writes them."""

from __future__ import annotations

import re
from functools import lru_cache

from matplotlib.colors import to_rgb

_RGB = re.compile(r"rgb\((\d+) (\d+) (\d+)\)")


@lru_cache(maxsize=1024)
def rgb(text: str) -> tuple[float, float, float]:
    """Return a colour's parts from 0 to 1.

    >>> rgb("black")
    (0.0, 0.0, 0.0)
    """
    if found := _RGB.fullmatch(text):
        red, green, blue = (int(part) / 255 for part in found.groups())
        return red, green, blue
    return to_rgb(text)
