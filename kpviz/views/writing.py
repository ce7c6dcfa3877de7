"""Lines of words, each word at a whole pixel from the first: films draw most of them from pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from kpviz.views import words


class Line(Text):
    """A line that begins at its place."""

    @property
    def parts(self) -> Iterator[tuple[str, float]]:
        """Each word, and how many whole pixels it begins to the right of the line's place."""
        return ((word, float(round(across))) for word, across in self._placed())

    def _placed(self) -> Iterator[tuple[str, float]]:
        figure: Any = self.figure
        size = self.get_fontproperties().get_size_in_points() * figure.dpi / 72
        across = 0.0
        for word in self.get_text().split(" "):
            yield word, size * across
            across += words.advance(word, str(self.get_fontweight()))

    def draw(self, renderer: Any) -> None:
        """Draw each word by itself."""
        x, y = self.get_transform().transform(self.get_position())
        parts = self.parts if hasattr(renderer, "copy_from_bbox") else self._placed()  # SVG and PDF have no pixels
        for word, across in parts:
            part = Text(x + across, y, word)
            part.update_from(self)
            part.set(transform=IdentityTransform(), figure=self.figure, parse_math=self.get_parse_math())
            part.draw(renderer)
