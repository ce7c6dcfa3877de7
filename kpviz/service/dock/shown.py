"""What the controls are generated from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kpviz.engine.data.tables import Table
from kpviz.lessons.comparison import Pin
from kpviz.settings import Settings


@dataclass(frozen=True)
class Draft:
    """A text that was typed and cannot be used: `why` is a sentence, `at` the index of the wrong character if known."""

    text: str
    why: str
    at: int | None = None


@dataclass(frozen=True)
class Shown:
    """What a page has set; `origin` are the settings before the points became the reader's own.

    `drafts` is what was typed and cannot be used, by the name of its field; `table` the file that the settings name.
    """

    settings: Settings
    pins: tuple[Pin, ...] = ()
    origin: Settings | None = None
    drafts: Mapping[str, Draft] = field(default_factory=dict)
    table: Table | None = None
