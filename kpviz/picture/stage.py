"""Runs on a stage that nobody sees: the player's board of any instant, as plain data."""

from __future__ import annotations

from itertools import count
from typing import Any

from kpviz import panels
from kpviz.picture import bridge
from kpviz.picture.board import Board
from kpviz.picture.render_options import RenderOptions
from kpviz.player.lineup import Lineup
from kpviz.player.subject import Subject
from kpviz.settings.cues import Cues
from kpviz.settings.view import ViewState


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
        lineup: Lineup,
        look: RenderOptions,
        size: tuple[float, float],
        cues: Cues | None = None,
        *,
        scale: float | None = None,
    ) -> None:
        check(lineup.current, look)
        self.lineup, self.look = lineup, look
        pixel = look.scale(*size) if scale is None else scale
        width, height = (side / pixel for side in size)
        options: dict[str, Any] = {**look.options, "width": width, "height": height}
        options["openings"] = [subject.opening for subject in lineup.all]
        self._readers = count()
        engine = bridge.engine()
        packed = lineup.packed(ViewState(over=look.over), cues or Cues(), _asked(lineup.current, look))
        self._stage = engine.open(packed, options)

    def board(
        self,
        t: int,
        gone: float | None = None,
        reader: int | None = None,
        *,
        playing: tuple[float, float] | None = None,
    ) -> Board:
        """Return the board of an instant.

        Parameters
        ----------
        gone : milliseconds since the step that led to it began; None where none is shown happening.
        playing : where steps come too fast for that, so that the field follows slowly from one board to the next:
            milliseconds of the film, and milliseconds that each step stays; None where all is at rest.
        reader : whoever holds the layers of earlier boards, see `reader`; these come without marks. None: nobody.
        """
        return Board.of(self._stage.make("packed", t, gone, reader, playing))

    def reader(self) -> int:
        """Return the number of a new reader, who holds no layers yet."""
        return next(self._readers)

    def card(self, *, title: str, by: str = "", about: str = "", words: str = "", beside: bool = False) -> Board:
        """Return a title page: a title, a line below it, and what it is; or `words` below a title.

        `beside` leaves room for a picture: the place of the panel of this name.
        """
        texts = {"title": title, "by": by, "about": about, "words": words}
        return Board.of(self._stage.make("card", {**texts, "beside": beside}))

    def panels(self, t: int = 0) -> tuple[str, ...]:
        """Return what is on the board of an instant: cues turn to the page of the panel that they light."""
        return tuple(self._stage.ask("placed", t)["panels"])

    def crowded_out(self, t: int = 0) -> tuple[str, ...]:
        """Return the panels that were asked for and find no room there: default ones are left out without a word."""
        return () if self.look.panels is None else tuple(self._stage.ask("placed", t)["without"])

    @property
    def paged(self) -> tuple[str, ...]:
        """The panels beside the map that have room on any page."""
        return tuple(self._stage.ask("placed", 0)["paged"])


def check(subject: Subject, look: RenderOptions) -> None:
    """Raise a ValueError of one sentence where a run has nothing to show in the one panel."""
    if look.only == "own" and not subject.about.parts:
        raise ValueError("This learner has no panel of its own: choose another panel or another learner.")
    if look.only == "readings" and subject.stream:
        raise ValueError("A stream has no errors on a training set to compare: choose another panel than readings.")


def _asked(subject: Subject, look: RenderOptions) -> set[str]:
    """Return the panels whose numbers are needed."""
    if look.panels is None and not look.only:
        return set(panels.shown_by_default(plane=subject.where.is_plane))
    return {*(look.panels or ()), look.only}
