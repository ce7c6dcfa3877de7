"""What the controls show, as a tree of plain dicts: the browser knows how to draw fields, and no property."""

from __future__ import annotations

from collections.abc import Collection

from kpviz.service.dock import chips, compare, data, fisher, kernel, learner
from kpviz.service.dock.fields import Draft, Field, Shown

__all__ = ["Draft", "Shown", "fisher", "tree"]

_GROUPS = {"data": data.fields, "kernel": kernel.fields, "learner": learner.fields, "compare": compare.fields}


def tree(shown: Shown, wanted: Collection[str]) -> Field:
    """Return the chips, the buttons, and the groups "data", "kernel", "learner" and "compare" as far as wanted."""
    return {
        "chips": chips.of_player(shown),
        "buttons": chips.buttons(shown.settings),
        "groups": {name: fields(shown) for name, fields in _GROUPS.items() if name in wanted},
    }
