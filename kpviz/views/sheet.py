"""A few panels side by side in one picture, for a page."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from kpviz.views import style
from kpviz.views.display import Display

_INCH = 100.0  # pixels of a page
_LEFT, _RIGHT, _BELOW, _ABOVE, _BETWEEN = 58.0, 14.0, 46.0, 34.0, 40.0  # pixels about the panels


def figure(panels: Sequence[Display], width: float, height: float, theme: str) -> Figure:
    """Return the picture of the panels, each as wide as the others, in pixels of a page.

    Text is as large as on the board; save it with `board.save`.
    """
    with style.sheet():
        found = Figure(figsize=(width / _INCH, height / _INCH), facecolor=style.colours(theme)["paper"])
        each = (width - _LEFT - _RIGHT - _BETWEEN * (len(panels) - 1)) / len(panels)
        for place, panel in enumerate(panels):
            left = _LEFT + place * (each + _BETWEEN)
            box = (left / width, _BELOW / height, each / width, (height - _BELOW - _ABOVE) / height)
            panel.draw(found.add_axes(box))
    return found
