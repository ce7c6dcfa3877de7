"""Write the player's copy of the table of panels, from kpviz/panels.py; run by `make assets`, a
test compares them.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

from kpviz.panels import ABOUT, PANELS, Panel

WEB = Path(__file__).parent.parent / "kpviz" / "player" / "web"
TABLE = WEB / "board" / "panel_table.js"
INDEX = WEB / "panels" / "index.js"
_WRITTEN = "// Written by `make assets` from kpviz/panels.py"
_NAMES = {
    "on_request": "onRequest",
    "tab_height": "tabHeight",
    "stream_share": "streamShare",
    "no_plane": "noPlane",
    "in_links": "inLinks",
}
_DEFAULTS = {field.name: field.default for field in fields(Panel)}
_ONLY_PYTHON = {"file"}


def table() -> str:
    """The table as a module."""
    return "\n".join(
        [
            f"{_WRITTEN}, which explains each field; a test compares them.",
            "",
            '/** @import { PanelEntry } from "./types.d.ts" */',
            "",
            "/** @type {PanelEntry[]} */",
            "// prettier-ignore",
            "export const PANELS = [",
            *(f"  {{ {_row(panel)} }}," for panel in PANELS),
            "];",
            "",
            "/** What the panels are about: the groups in which one finds them. */",
            "export const ABOUT = {",
            *(f"  {key}: {json.dumps(words)}," for key, words in ABOUT.items()),
            "};",
            "",
            "/** @type {Record<string, PanelEntry>} */",
            "export const BY_NAME = Object.fromEntries(PANELS.map((panel) => [panel.name, "
            "panel]));",
            "",
        ]
    )


def index() -> str:
    """The panels themselves, by name, as a module."""
    drawn = [panel for panel in PANELS if panel.drawn]
    files = sorted({panel.file or panel.name for panel in drawn})
    taken = {
        file: [f"{panel.name}Panel" for panel in drawn if (panel.file or panel.name) == file]
        for file in files
    }
    return "\n".join(
        [
            f"{_WRITTEN}; a test compares them.",
            "",
            *(
                f'import {{ {", ".join(sorted(names))} }} from "./{file}.js";'
                for file, names in taken.items()
            ),
            "",
            '/** @import { PanelObject } from "../board/types.d.ts" */',
            "",
            "/** @type {Record<string, PanelObject>} */",
            "// prettier-ignore",
            "export const PANEL_OBJECTS = Object.fromEntries([",
            *(f"  {panel.name}Panel," for panel in drawn),
            "].map((panel) => [panel.name, panel]));",
            "",
        ]
    )


def _row(panel: Panel) -> str:
    """What differs from the defaults."""
    fields = {name: getattr(panel, name) for name in _DEFAULTS if name not in _ONLY_PYTHON}
    fields = {
        name: value
        for name, value in fields.items()
        if value != _DEFAULTS[name] or name == "requires"
    }
    fields |= {name: True for name in ("lights", "in_links") if getattr(panel, name)}
    return ", ".join(
        f"{_NAMES.get(name, name)}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in fields.items()
    )


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
    INDEX.write_text(index(), encoding="utf-8")
