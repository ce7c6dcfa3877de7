"""What the controls show, as a tree of plain dicts: the browser knows how to draw fields, and no property.

Above the board stand the chips, which say what is set in few words, and the two buttons that draw anew.
"""

from __future__ import annotations

from collections.abc import Collection

from kpviz import experiment
from kpviz.engine.data import objects
from kpviz.engine.data.datasets import SOURCES
from kpviz.engine.data.drawn import Drawn
from kpviz.service.dock import data, model
from kpviz.service.dock.fields import DockState, Draft, Field, sentence
from kpviz.settings import BOOLEAN, DRAWN, FILE, MAX_POINTS, Settings, conditions

__all__ = ["DockState", "Draft", "tree"]

_GROUPS = {"data": data.fields, "kernel": model.kernel, "learner": model.learner, "compare": model.compare}


def tree(shown: DockState, wanted: Collection[str]) -> Field:
    """Return the chips, the buttons, and the groups "data", "kernel", "learner" and "compare" as far as wanted."""
    settings = shown.settings
    kernel, runs = experiment.kernel(settings).label, len(shown.pins) + 1
    compare = f"Compare · {runs} runs" if shown.pins else "Compare"
    fixed, unordered = sentence(settings.reason_against("seed")), sentence(settings.reason_against("order"))
    return {
        "chips": [
            {"group": "data", "label": _data(settings), "tip": "What to learn from"},
            {"group": "kernel", "label": kernel, "tip": "How similar two examples are"},
            {"group": "learner", "label": _learner(settings), "tip": "How it learns, and in which order"},
            {"group": "compare", "label": compare, "tip": "Runs side by side"},
        ],
        "buttons": [
            {"command": "redraw", "label": "New data", "tip": fixed or "The next data seed (N)", "disabled": fixed},
            {
                "command": "reorder",
                "label": "New order",
                "tip": unordered or "The next order (O)",
                "disabled": unordered,
            },
        ],
        "groups": {name: fields(shown) for name, fields in _GROUPS.items() if name in wanted},
    }


def _data(settings: Settings) -> str:
    """Return what the data are: their name, how many, and the seed."""
    title, seed = experiment.title(settings), f"seed {settings.seed}"
    held = f", {settings.held:.0%} held out" if settings.held else ""
    if settings.data == DRAWN:
        return f"{title} · {Drawn.read(settings.points, MAX_POINTS).n}"
    if settings.data == BOOLEAN:
        return f"{title}{held} · {seed if settings.seed else 'in order'}"
    if conditions.is_object(settings.values):
        added = len(objects.parse(settings.added, conditions.compared(settings.values)))
        return f"{title}{f' + {added} of mine' if added else ''}{held} · {seed}"
    if settings.data == FILE:  # which may hold fewer points than n
        return f"{settings.file.partition('~')[0]}{held} · {seed}"
    title = SOURCES[settings.data].title
    if settings.stream == "on":
        drift = f" · drift {settings.drift:g}" if settings.drift else ""
        return f"{title} · stream of {settings.n:,}{drift} · {seed}"
    return f"{title} · {settings.n} points{held} · {seed}"


def _learner(settings: Settings) -> str:
    """Return what learns: its name, budget, intercept, order and predictor."""
    parts = [experiment.learner(settings).about.title]
    if settings.reason_against("budget") is None:
        parts.append(f"B = {settings.budget}")
    if settings.intercept != "none":
        parts.append(f"{settings.intercept} intercept")
    if settings.reason_against("order") is None:
        drawn = settings.reason_against("oseed") is None
        parts.append(f"{settings.order}, seed {settings.oseed}" if drawn else model.ORDERS[settings.order])
    if settings.predictor != "last":
        parts.append(settings.predictor)
    return " · ".join(parts)
