"""What one browser tab has set, and the way back from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from kpviz import experiment
from kpviz.app.shared import table
from kpviz.lessons.comparison import Pin
from kpviz.player import envelope
from kpviz.player.envelope import Packed, ViewState
from kpviz.settings import DRAWN, FILE, Settings, conditions

_STEPS = 200  # that can be undone


@dataclass(frozen=True)
class Moment:
    """Settings and origin, and what tells the data from others: where it stays the same, the player keeps its place."""

    settings: Settings
    data_id: str
    origin: Settings | None


@dataclass(frozen=True)
class Draft:
    """Cues as they are written and not applied yet, those of the settings that they began with, and what is wrong."""

    text: str
    of: str
    problem: str | None = None


@dataclass
class Session:
    """What one browser tab has set. `previous` is where Cancel goes back to.

    `gesture` is the number of the drag or turn that is under way: all its changes are undone at once. `origin` are the
    settings before the points became the reader's own.
    """

    settings: Settings
    view: ViewState = field(default_factory=ViewState)
    notice: str | None = None
    problem: str | None = None
    previous: Settings | None = None
    asked: frozenset[str] = frozenset()  # extras that panels show
    pins: tuple[Pin, ...] = ()
    look_for: str | None = None  # in a comparison just opened, said once
    picture: int = 0  # the instant that dialogs are about
    dialog: str | None = None
    job: Any = None  # the film that is being made
    film: tuple[str, bytes] | None = None  # the last one made, and what it was made from
    draft: Draft | None = None  # of cues
    formulas: dict[str, str] = field(default_factory=dict)  # typed, but wrong: formulas and the like
    wrong: str | None = None  # with an object or a Boolean function that was typed
    address: str = ""  # of what is shown, as the player has it
    pencil: int = 0  # how often the pencil was asked for
    carried_out: int = 0
    data_id: str = ""
    past: list[Moment] = field(default_factory=list)
    future: list[Moment] = field(default_factory=list)
    undone: list[Moment] = field(default_factory=list)  # what the future was before the gesture
    gesture: int | None = None
    live: bool = False  # while a gesture is under way
    latest: Packed | None = None
    origin: Settings | None = None

    def __post_init__(self) -> None:
        self.data_id = self.data_id or envelope.data_id(self.settings)

    @property
    def seen(self) -> ViewState:
        """What the player shows, as it said when a dialog was opened."""
        return envelope.read_view(dict(parse_qsl(self.address, keep_blank_values=True)))[0]

    def set(self, **changes: Any) -> None:
        """Change settings; what was as usual stays as usual for the new data or kernel.

        Where a file cannot be used like that, its settings stay and a notice says why.
        """
        candidate = self.settings.replace(**changes)
        self.problem = None
        if (why := why_not(candidate)) is None:
            self.put(candidate)
        else:
            self.notice = why

    def put(self, settings: Settings, *, gesture: int | None = None, keep_instant: bool = False) -> None:
        """Put other settings in place; `keep_instant` says that the player keeps its place although the data change."""
        if gesture is None:
            self.live = False
        if settings == self.settings:
            return
        if gesture is None or gesture != self.gesture:
            self.past = [*self.past[1 - _STEPS :], self._now]
            self.undone, self.future = self.future, []
        if settings.data != DRAWN:
            self.origin = None
        elif self.settings.data != DRAWN:
            self.origin = self.settings
        if not keep_instant and envelope.data_id(settings) != envelope.data_id(self.settings):
            self.data_id = envelope.data_id(settings)
        self.gesture, self.dialog = gesture, None  # a dialog is about what was there
        self._forget_typed(settings)
        if conditions.compared(settings.values) != conditions.compared(self.settings.values):
            self.pins = ()  # their kernels cannot compare such examples
        self.settings = settings
        if gesture is not None and self.past and self.past[-1].settings == settings:
            live = self.live
            self.abandon()  # the hand is back where it began: there is nothing to undo
            self.live = live

    def _forget_typed(self, settings: Settings) -> None:
        """Let go of what was typed wrong in place of a value that is another one now."""
        self.wrong = None
        before, now = self.settings.values, settings.values
        for name in list(self.formulas):
            of_the_data = not name.startswith("formula") and before["data"] != now["data"]
            if of_the_data or before[name] != now[name]:
                del self.formulas[name]

    def abandon(self) -> None:
        """Go back to where the gesture under way began, as if it had never been."""
        self._go(self.past.pop())
        self.future = self.undone

    def retract(self) -> None:
        """Go back to what was shown last, as if the settings since had never been."""
        shown = self.previous or Settings.of()
        if self.settings == shown:
            return
        for way in (self.past, self.future):
            at = max((at for at, moment in enumerate(way) if moment.settings == shown), default=None)
            if at is not None:
                self._go(way[at])
                del way[at:]
                return
        self.settings = shown  # in the midst of a gesture: still the same data
        if self.previous is None:
            self.data_id, self.origin = envelope.data_id(shown), None

    def undo(self) -> None:
        """Go back to the settings before the last change."""
        self._travel(self.past, self.future)

    def redo(self) -> None:
        """Take back what was undone last."""
        self._travel(self.future, self.past)

    def _travel(self, to: list[Moment], back: list[Moment]) -> None:
        while to and why_not(to[-1].settings) is not None:
            to.pop()  # of a file that is gone
        if to:
            back.append(self._now)
            self._go(to.pop())

    @property
    def _now(self) -> Moment:
        return Moment(self.settings, self.data_id, self.origin)

    def _go(self, moment: Moment) -> None:
        self._forget_typed(moment.settings)
        self.settings, self.data_id, self.origin = moment.settings, moment.data_id, moment.origin
        self.gesture, self.live = None, False


def why_not(settings: Settings) -> str | None:
    """Return why a file cannot be used as the settings say, in a sentence; None if it can."""
    if settings.data != FILE:
        return None
    try:
        experiment.prepare(settings, table(settings))
    except ValueError as error:
        return str(error)
    return None
