"""What the controls are generated from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from kpviz.engine.data.tables import Table
from kpviz.lessons.comparison import Pin
from kpviz.settings import Settings


@dataclass(frozen=True)
class Draft:
    """A text that was typed and cannot be used: `why` is a sentence, `at` the index of the wrong character if known."""

    text: str
    why: str
    at: int | None = None


class State(Protocol):
    """What a page has set; `origin` are the settings before the points became the reader's own."""

    @property
    def settings(self) -> Settings: ...

    @property
    def pins(self) -> tuple[Pin, ...]: ...

    @property
    def origin(self) -> Settings | None: ...


@dataclass(frozen=True)
class Shown:
    """A state, with what was typed wrong by the name of its field, and the opened file if there is one."""

    settings: Settings
    pins: tuple[Pin, ...] = ()
    origin: Settings | None = None
    drafts: Mapping[str, Draft] = field(default_factory=dict)
    table: Table | None = None
