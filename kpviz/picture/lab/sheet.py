"""A few panels side by side in one picture, for a page."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from kpviz.picture.lab import style
from kpviz.picture.lab.style import Display

_INCH = 100.0  # pixels of a page
_RIGHT, _ABOVE, _BETWEEN = 4.0, 28.0, 18.0  # pixels about the panels, besides what each has at its left
LEFT, BELOW = 48.0, 36.0  # pixels of numbers and names
SCALE = 0.8  # of the type next to that of a board: it stands beside a page's own


def figure(
    panels: Sequence[Display], width: float, height: float, theme: str, *, left: float = LEFT, below: float = BELOW
) -> Figure:
    """Return the picture of the panels, each as wide as the others, in pixels of a page.

    `left` and `below` are the pixels that each panel needs there for numbers and names.
    """
    with style.sheet(SCALE):
        found = Figure(figsize=(width / _INCH, height / _INCH), facecolor=style.colours(theme)["paper"])
        each = (width - _RIGHT - left * len(panels) - _BETWEEN * (len(panels) - 1)) / len(panels)
        for place, panel in enumerate(panels):
            start = left + place * (left + each + _BETWEEN)
            box = (start / width, below / height, each / width, (height - below - _ABOVE) / height)
            panel.draw(found.add_axes(box))
    return found
