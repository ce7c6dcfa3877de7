"""What every panel is: a frame that stands still, and marks that change from one instant to the next."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes


class Display:
    """A panel of arrays already computed; films draw its frame once, and its marks at every instant."""

    @property
    def still(self) -> Hashable:
        """What the frame depends on: while it is equal, another instant has the same frame."""
        return None

    def frame(self, ax: Axes) -> None:
        """Draw what stands still: ground, title, names of the axes."""

    def marks(self, ax: Axes) -> None:
        """Draw what changes."""

    def draw(self, ax: Axes) -> None:
        """Draw the whole panel."""
        self.frame(ax)
        self.marks(ax)


def artists(ax: Axes) -> list[Artist]:
    """Return what has been drawn on the axes and those within, but for what they have from the start."""
    found: list[Any] = []
    for each in (ax, *ax.child_axes):
        found += [*each.images, *each.patches, *each.collections, *each.lines, *each.texts]
    return found
