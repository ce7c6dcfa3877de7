"""What the controls of the kernel lab show: data and kernel."""

from __future__ import annotations

from collections.abc import Collection

from kpviz.service.dock import chips, data, kernel
from kpviz.service.dock.fields import Field, Shown

_GROUPS = {"data": data.fields, "kernel": kernel.fields}
_DRAW = "draw"  # needs the player's map


def tree(shown: Shown, wanted: Collection[str]) -> Field:
    """Return the chips, and those of the groups "data" and "kernel" that are wanted."""
    return {
        "chips": chips.of_lab(shown),
        "buttons": [],
        "groups": {name: _usable(fields(shown)) for name, fields in _GROUPS.items() if name in wanted},
    }


def _usable(fields: list[Field]) -> list[Field]:
    return [field for field in fields if field.get("command") != _DRAW]
