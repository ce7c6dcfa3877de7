"""How a picture is rendered: its theme, the panels on it, and its size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kpviz import panels, tokens
from kpviz.engine import checks
from kpviz.settings import BY_NAME

_SHORT = 720.0  # CSS pixels of a board's shorter side
_EDGE = 24.0  # about a panel that fills a picture


@dataclass(frozen=True)
class RenderOptions:
    """What does not change from one instant to the next.

    Parameters
    ----------
    theme : "light", "dark" or "print".
    panels : those of `kpviz.panels.IN_LINKS` that are on the board, None: the default ones.
    only : the one of `kpviz.panels.SINGLE` that fills the picture, "" for the whole board.
    words : whether the sentence is shown. transparent : leave out the ground.
    angles : by how many degrees the space of "lift" is turned and tilted; None: as the player has it at first.
    over : the setting that curves run over; None: the first that they can.
    edge : CSS pixels that are free about the one panel.
    """

    theme: str = "light"
    panels: tuple[str, ...] | None = None
    only: str = ""
    words: bool = True
    transparent: bool = False
    angles: tuple[float, float] | None = None
    over: str | None = None
    edge: float = _EDGE

    def __post_init__(self) -> None:
        checks.choice("theme", self.theme, tuple(tokens.THEMES))
        if self.only:
            checks.choice("panel", self.only, panels.SINGLE)
        for name in self.panels or ():
            checks.choice("panels", name, panels.IN_LINKS)
        if self.angles is not None:
            checks.pair("angles", self.angles)
        if self.over is not None:
            checks.choice("over", self.over, [prop.name for prop in BY_NAME.values() if prop.range])

    @property
    def colours(self) -> dict[str, str]:
        """The theme's colours."""
        return tokens.THEMES[self.theme]

    def scale(self, width: float, height: float) -> float:
        """Return how many pixels of a picture make a CSS pixel."""
        if not self.only:
            return min(width, height) / _SHORT
        wide, high = natural(self.only)
        return min(width / wide, height / high)

    @property
    def options(self) -> dict[str, Any]:
        """What the player's side needs to know."""
        grey = self.theme == tokens.PRINT
        return {
            "theme": self.colours,
            "grey": grey,
            "panels": None if self.panels is None else list(self.panels),
            "only": self.only,
            "edge": self.edge,
            "words": self.words,
            "turn": None if self.angles is None else dict(zip(("turn", "tilt"), self.angles, strict=True)),
        }


def natural(panel: str) -> tuple[float, float]:
    """Return width and height in CSS pixels of a picture that a panel just fills; ValueError if there is none such."""
    wide, high = panels.BY_NAME[checks.choice("panel", panel, panels.SINGLE)].shape or (0, 0)
    return wide + 2 * _EDGE, high + 2 * _EDGE
