"""What the controls show, as a tree of plain dicts.

The browser knows how to draw fields, and no property.

`tabs` are the groups of the dock, each with what is set in it in a word or two; `quick` is the
number in the bar.

Tests: tests/service/test_dock.py.
"""

from __future__ import annotations

from collections.abc import Collection

from kpviz import experiment
from kpviz.engine.kernels import KERNELS
from kpviz.service.dock import data, model
from kpviz.service.dock.fields import DockState, Draft, Field, sentence
from kpviz.settings import FILE, Settings

__all__ = ["DockState", "Draft", "tree"]

ONLY = "only:"  # It stands before the names of settings.
_GROUPS = {
    "data": data.fields,
    "kernel": model.kernel,
    "learner": model.learner,
    "compare": model.compare,
}


def tree(state: DockState, group_names: Collection[str]) -> Field:
    """Return the tabs, the buttons, the number in the bar, and the groups that are wanted.

    These are "data", "kernel", "learner", "compare", and such as "only:sigma,kernel", which a task
    of a lesson shows.
    """
    settings = state.settings
    runs = f"{len(state.pins) + 1} runs" if state.pins else ""
    fixed = sentence(settings.reason_against("seed"))
    unordered = sentence(settings.reason_against("order"))
    return {
        "tabs": [
            {"group": "data", "label": "Data", "set": _data(settings), "tip": "What to learn from"},
            {
                "group": "kernel",
                "label": "Kernel",
                "set": KERNELS[settings.kernel].name,
                "tip": "How similar two examples are",
            },
            {
                "group": "learner",
                "label": "Learner",
                "set": experiment.learner(settings).about.title,
                "tip": "How it learns, and in which order",
            },
            {"group": "compare", "label": "Compare", "set": runs, "tip": "Runs side by side"},
        ],
        "buttons": [
            {"command": "redraw", "tip": fixed or "The next data seed (N)", "disabled": fixed},
            {"command": "reorder", "tip": unordered or "The next order (O)", "disabled": unordered},
        ],
        "quick": model.quick(settings),
        "groups": {
            **{name: fields(state) for name, fields in _GROUPS.items() if name in group_names},
            **{
                name: _only(state, name.removeprefix(ONLY).split(","))
                for name in group_names
                if name.startswith(ONLY)
            },
        },
    }


def _only(state: DockState, names: Collection[str]) -> list[Field]:
    """Return the fields of some settings, in the order of the groups."""
    fields: list[Field] = []
    waiting = [
        field for group in (data.fields, model.kernel, model.learner) for field in group(state)
    ]
    while waiting:
        field = waiting.pop(0)
        waiting[:0] = field.get("fields", ())
        if field.get("name") in names:
            fields.append(field)
    return fields


def _data(settings: Settings) -> str:
    """Return what the data are called."""
    title = settings.file.partition("~")[0] if settings.data == FILE else experiment.title(settings)
    return f"{title}, a stream" if settings.stream == "on" else title
