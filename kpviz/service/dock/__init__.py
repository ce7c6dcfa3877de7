"""What the controls show, as a tree of plain dicts: the browser knows how to draw fields, and no property."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kpviz.engine.data.tables import Table
from kpviz.service.dock import chips, compare, data, fisher, kernel, lab, learner
from kpviz.service.dock.fields import Dock
from kpviz.service.dock.shown import Draft, Shown, State

__all__ = ["Dock", "Draft", "State", "fisher", "lab", "tree"]

_GROUPS = {"data": data.fields, "kernel": kernel.fields, "learner": learner.fields, "compare": compare.fields}


def tree(
    state: State, wanted: Collection[str], *, drafts: Mapping[str, Draft] | None = None, table: Table | None = None
) -> Dock:
    """Return the chips, the buttons, and those of the groups "data", "kernel", "learner" and "compare" that are wanted.

    Parameters
    ----------
    state : settings, pins and origin
    wanted : names of groups; what is no group is passed over
    drafts : what was typed and cannot be used, by the name of its field
    table : the file that the settings name, None if it is not here
    """
    shown = Shown(state.settings, tuple(state.pins), state.origin, drafts or {}, table)
    return {
        "chips": chips.of_player(shown),
        "buttons": chips.buttons(shown.settings),
        "groups": {name: fields(shown) for name, fields in _GROUPS.items() if name in wanted},
    }
