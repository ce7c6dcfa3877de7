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
        """Each word, and how many pixels it begins to the right of the line's place."""
        figure: Any = self.figure
        size = self.get_fontproperties().get_size_in_points() * figure.dpi / 72
        across = 0.0
        for word in self.get_text().split(" "):
            yield word, float(round(size * across))
            across += words.advance(word)

    def draw(self, renderer: Any) -> None:
        """Draw each word by itself."""
        x, y = self.get_transform().transform(self.get_position())
        for word, across in self.parts:
            part = Text(x + across, y, word)
            part.update_from(self)
            part.set(transform=IdentityTransform(), figure=self.figure, parse_math=self.get_parse_math())
            part.draw(renderer)
