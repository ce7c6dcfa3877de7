"""What one page shows: what its link says, what the browser keeps, and what is to be said.

Tests: tests/service/test_commands.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kpviz.lessons import presets
from kpviz.lessons.comparison import Pin
from kpviz.player import payload
from kpviz.service import stored
from kpviz.settings import DRAWN, FILE, Settings, conditions
from kpviz.settings.view import ViewState

_OPENING = ViewState()


@dataclass(frozen=True)
class Action:
    """A button of a notice: its label, and the settings that it changes, as one step of the
    history.
    """

    label: str
    changes: Mapping[str, str | float]


@dataclass(frozen=True)
class Notice:
    """A sentence for the reader, gone with the data of which it was said.

    Attributes
    ----------
    kind : a "hint" goes by itself, a "warning" stays until it is closed, and a "fact" is so of the
        present settings: every answer says it again, and it goes as soon as one does not.
    topic : what a fact is about, its file included: there is one of each, and one that is closed is
        not shown again.
    actions : what can be done about it.
    menu : the name of a list that holds the actions, where they are many; "": each is a button.
    """

    words: str
    kind: str = "warning"
    topic: str = ""
    actions: tuple[Action, ...] = ()
    menu: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """The notice as an answer has it."""
        made: dict[str, Any] = {"kind": self.kind, "words": self.words}
        if self.topic:
            made["topic"] = self.topic
        if self.menu:
            made["menu"] = self.menu
        if self.actions:
            made["actions"] = [
                {"label": action.label, "changes": dict(action.changes)} for action in self.actions
            ]
        return made


@dataclass(frozen=True)
class PageState:
    """What is set, and what is said of it.

    Attributes
    ----------
    origin : the settings before the points became the reader's own.
    data_id : while it stays the same, the player keeps its place.
    drafts : what was typed into the fields of these names and is not valid.
    view : where the player opens.
    notices : what is to be said.
    store : records that the page must keep, by name; None: the command that led here, which the
        page has.
    edit : whether the pencil is wanted.
    """

    settings: Settings
    pins: tuple[Pin, ...] = ()
    origin: Settings | None = None
    data_id: str = ""
    drafts: Mapping[str, str] = field(default_factory=dict)
    view: ViewState = _OPENING
    notices: tuple[Notice, ...] = ()
    store: Mapping[str, stored.Record | None] = field(default_factory=dict)
    edit: bool = False

    def __post_init__(self) -> None:
        if not self.data_id:
            object.__setattr__(self, "data_id", payload.data_id(self.settings))

    @property
    def link(self) -> str:
        """The query of a link: settings and pins."""
        return "&".join(
            part for part in (self.settings.link(), presets.query(self.settings, self.pins)) if part
        )

    def say(self, *notices: Notice) -> PageState:
        """Return the state with more to be said."""
        return replace(self, notices=(*self.notices, *notices))

    def keep(self, store: Mapping[str, stored.Record | None]) -> PageState:
        """Return the state with more that the page must keep."""
        return replace(self, store={**self.store, **store})

    def put(self, settings: Settings, *, stays: bool = False) -> PageState:
        """Return the state with other settings.

        `stays`: the player keeps its place although the data change.
        """
        if settings == self.settings:
            return self
        origin = self.origin
        if settings.data != DRAWN:
            origin = None
        elif self.settings.data != DRAWN:
            origin = self.settings
        same = stays or payload.data_id(settings) == payload.data_id(self.settings)
        # The kernels of pinned runs cannot compare other kinds of examples.
        comparable = conditions.compared(settings.values) == conditions.compared(
            self.settings.values
        )
        return replace(
            self,
            settings=settings,
            pins=tuple(pin.with_settings(self.settings, settings) for pin in self.pins)
            if comparable
            else (),
            origin=origin,
            data_id=self.data_id if same else payload.data_id(settings),
            drafts={  # What was typed stays where nothing else stands now.
                name: text
                for name, text in self.drafts.items()
                if self.settings.values.get(name) == settings.values.get(name)
                and (self.settings.data == settings.data or name.startswith("formula"))
            },
        )

    def drafted(self, name: str, text: str | None) -> PageState:
        """Return the state with what was typed into a field; None: nothing wrong is left there."""
        others = {key: value for key, value in self.drafts.items() if key != name}
        return replace(self, drafts=others if text is None else {**others, name: text})


def check_file(settings: Settings) -> None:
    """Raise the ValueError, of one sentence, why a file cannot be used as the settings say."""
    if settings.data == FILE:
        stored.split(settings)
