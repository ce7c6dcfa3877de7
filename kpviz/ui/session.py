"""What one browser tab has set."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kpviz import experiment
from kpviz.canvas.player import ViewState
from kpviz.comparison import Pin
from kpviz.settings import FILE, Settings
from kpviz.ui.shared import table


@dataclass
class Session:
    """What one browser tab has set. `previous` is where Cancel goes back to."""

    settings: Settings
    view: ViewState = field(default_factory=ViewState)
    notice: str | None = None
    problem: str | None = None
    previous: Settings | None = None
    asked: frozenset[str] = frozenset()  # extras that panels show
    pins: tuple[Pin, ...] = ()
    lesson: str | None = None  # what to look for, said once
    picture: int | None = None
    carried_out: int = 0

    def set(self, **changes: Any) -> None:
        """Change settings; what was as usual stays as usual for the new data or kernel.

        Where a file cannot be used like that, its settings stay and a notice says why.
        """
        candidate = self.settings.replace(**changes)
        self.problem = None
        if (why := why_not(candidate)) is None:
            self.settings = candidate
        else:
            self.notice = why


def why_not(settings: Settings) -> str | None:
    """Return why a file cannot be used as the settings say, in a sentence; None if it can."""
    if settings.data != FILE:
        return None
    try:
        experiment.prepare(settings, table(settings))
    except ValueError as error:
        return str(error)
    return None
