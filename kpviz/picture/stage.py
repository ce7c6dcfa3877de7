"""Runs on a stage that nobody sees.

How a picture is rendered, and the player's board of any instant as plain data.

It is laid out as the stage of a lecture is: larger type, fewer panels; what finds no room is named.

Tests: tests/player/test_stage.py, tests/picture/test_painter.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from kpviz import panels, tokens
from kpviz.engine import checks
from kpviz.picture import bridge
from kpviz.picture.bridge import PackedBoard
from kpviz.player.comparison import Comparison
from kpviz.player.experiment import Experiment
from kpviz.settings import BY_NAME
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState

_SHORT = 720.0  # CSS pixels of a board's shorter side
_EDGE = 24.0  # So much is free about a panel that fills a picture.


@dataclass(frozen=True)
class RenderOptions:
    """What does not change from one instant to the next.

    Parameters
    ----------
    theme : "light", "dark" or "print".
    panels : those of `kpviz.panels.IN_LINKS` that are on the board, None: the default ones.
    only : the one of `kpviz.panels.SINGLE` that fills the picture, "" for the whole board.
    words : whether the sentence is shown. transparent : leave out the background.
    angles : by how many degrees the space of "lift" is turned and tilted; None: as the player has
        it at first.
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
            "turn": None
            if self.angles is None
            else dict(zip(("turn", "tilt"), self.angles, strict=True)),
        }


def natural(panel: str) -> tuple[float, float]:
    """Return width and height in CSS pixels of a picture that a panel just fills; ValueError if
    there is none such.
    """
    wide, high = panels.BY_NAME[checks.choice("panel", panel, panels.SINGLE)].shape or (0, 0)
    return wide + 2 * _EDGE, high + 2 * _EDGE


Mark = dict[str, Any]


@dataclass(frozen=True)
class Rect:
    """A rectangle in CSS pixels from the upper left corner."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, eq=False)
class Layer:
    """Marks under those that move; None where they are those of the board before.

    It ends at x = `up_to`.
    """

    name: str
    marks: list[Mark] | None
    up_to: float | None = None


@dataclass(frozen=True, eq=False)
class PlacedPanel:
    """A panel: its layers from the lowest to the highest, the marks above them, and their clip.

    `lively`: while a step happens it changes from one frame to the next.
    """

    name: str
    rect: Rect | None
    clip: Rect | None
    layers: tuple[Layer, ...]
    moving: list[Mark]
    lively: bool = False


@dataclass(frozen=True, eq=False)
class Board:
    """All panels of an instant, from the lowest to the highest, on a background of one colour;
    None: a clear one.
    """

    width: float
    height: float
    background: str | None
    panels: tuple[PlacedPanel, ...]

    @property
    def lively(self) -> bool:
        """Whether the next frame is another one, of the same instant too."""
        return any(panel.lively for panel in self.panels)

    @classmethod
    def of(cls, packed: PackedBoard) -> Board:
        """Read a packed board; points and images become arrays."""
        plain = packed.plain
        panels = tuple(_panel(plain_panel, packed) for plain_panel in plain["panels"])
        return cls(plain["width"], plain["height"], plain.get("background"), panels)


def _panel(plain: dict[str, Any], packed: PackedBoard) -> PlacedPanel:
    layers = tuple(
        Layer(still["name"], _marks(still["marks"], packed), still["upTo"])
        for still in plain["still"]
    )
    moving = _marks(plain["moving"], packed) or []
    return PlacedPanel(
        plain["name"], _rect(plain["rect"]), _rect(plain["clip"]), layers, moving, plain["lively"]
    )


def _rect(plain: dict[str, float] | None) -> Rect | None:
    return None if plain is None else Rect(plain["x"], plain["y"], plain["w"], plain["h"])


def _marks(marks: list[Mark] | None, packed: PackedBoard) -> list[Mark] | None:
    for mark in marks or ():
        points = mark.get("points")
        if points:
            mark["points"] = _points(points, packed)
        lines = mark.get("lines")
        if lines:
            mark["lines"] = [_points(line, packed) for line in lines]
        image = mark.get("image")
        if image:
            first, wide, high = image
            mark["image"] = packed.pixels[first : first + 4 * wide * high].reshape(high, wide, 4)
    return marks


def _points(place: list[int], packed: PackedBoard) -> Any:
    first, length = place
    return packed.numbers[first : first + length].reshape(-1, 2)


class Stage:
    """The boards of some runs.

    Parameters
    ----------
    size : of a picture, in any unit: its shape decides how many CSS pixels a board has.
    cues : what is said and lights up at which step.
    scale : the size of a CSS pixel in that unit; None: what suits the look.
    """

    def __init__(
        self,
        experiments: Comparison,
        look: RenderOptions,
        size: tuple[float, float],
        cues: Cues | None = None,
        *,
        scale: float | None = None,
    ) -> None:
        check(experiments.current, look)
        self.experiments = experiments
        self.look = look
        pixel = look.scale(*size) if scale is None else scale
        width, height = (side / pixel for side in size)
        options: dict[str, Any] = {**look.options, "width": width, "height": height}
        options["openings"] = [experiment.opening for experiment in experiments.all]
        self._readers = count()
        engine = bridge.engine()
        packed = experiments.packed(
            ViewState(over=look.over), cues or Cues(), _needed_panels(experiments.current, look)
        )
        self._stage = engine.open(packed, options)

    def board(
        self,
        t: int,
        gone: float | None = None,
        reader: int | None = None,
        *,
        playing: tuple[float, float] | None = None,
        board_words: str | None = None,
    ) -> Board:
        """Return the board of an instant.

        Parameters
        ----------
        gone : milliseconds since the step that led to it began; None where none is shown happening.
        playing : where steps come too fast for that, so that the field follows slowly from one
            board to the next: milliseconds of the film, and milliseconds that each step stays; None
            where all is at rest.
        board_words : what takes the place of the sentence, None for nothing.
        reader : whoever holds the layers of earlier boards, see `reader`; these come without marks.
            None: nobody.
        """
        return Board.of(self._stage.make("packed", t, gone, reader, playing, board_words))

    def reader(self) -> int:
        """Return the number of a new reader, who holds no layers yet."""
        return next(self._readers)

    def card(
        self,
        *,
        title: str,
        by: str = "",
        about: str = "",
        words: str = "",
        formulas: Sequence[dict[str, Any]] = (),
        has_board: bool = False,
    ) -> Board:
        """Return a title page: a title, a line below it, and what it is; or `words` below a title.

        `formulas` are those for which characters of `card.FORMULAS` stand in the words.
        `has_board` leaves room for a picture: the place of the panel of this name.
        """
        texts = {"title": title, "by": by, "about": about, "words": words}
        formulas = list(formulas)
        return Board.of(
            self._stage.make("card", {**texts, "formulas": formulas, "hasBoard": has_board})
        )

    def panels(self, t: int = 0) -> tuple[str, ...]:
        """Return what is on the board of an instant.

        Cues turn to the page of the panel that they light.
        """
        return tuple(self._stage.ask("placed", t)["panels"])

    def crowded_out(self, t: int = 0) -> tuple[str, ...]:
        """Return the panels that were asked for and find no room there.

        Default ones are left out without a word.
        """
        return () if self.look.panels is None else tuple(self._stage.ask("placed", t)["without"])

    @property
    def paged(self) -> tuple[str, ...]:
        """The panels beside the map that have room on any page."""
        return tuple(self._stage.ask("placed", 0)["paged"])


def check(experiment: Experiment, look: RenderOptions) -> None:
    """Raise a ValueError of one sentence where a run has nothing to show in the one panel."""
    if look.only == "own" and not experiment.about.parts:
        raise ValueError(
            "This learner has no panel of its own: choose another panel or another learner."
        )
    if look.only == "readings" and experiment.stream:
        raise ValueError(
            "A stream has no errors on a training set to compare: choose another panel than "
            "readings."
        )


def _needed_panels(experiment: Experiment, look: RenderOptions) -> set[str]:
    """Return the panels whose numbers are needed."""
    if look.panels is None and not look.only:
        return set(panels.shown_by_default(plane=experiment.where.is_plane))
    return {*(look.panels or ()), look.only}
