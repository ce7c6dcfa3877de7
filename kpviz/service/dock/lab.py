"""What the controls of the kernel lab show: data and kernel."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kpviz.engine.data.tables import Table
from kpviz.service.dock import chips, data, kernel
from kpviz.service.dock.fields import Dock, Field
from kpviz.service.dock.shown import Draft, Shown, State

_GROUPS = {"data": data.fields, "kernel": kernel.fields}
_DRAW = "draw"  # needs the player's map


def tree(
    state: State, wanted: Collection[str], *, drafts: Mapping[str, Draft] | None = None, table: Table | None = None
) -> Dock:
    """Return the chips, and those of the groups "data" and "kernel" that are wanted; see `kpviz.service.dock.tree`."""
    shown = Shown(state.settings, (), state.origin, drafts or {}, table)
    return {
        "chips": chips.of_lab(shown),
        "buttons": [],
        "groups": {name: _usable(fields(shown)) for name, fields in _GROUPS.items() if name in wanted},
    }


def _usable(fields: list[Field]) -> list[Field]:
    return [field for field in fields if field.get("command") != _DRAW]
