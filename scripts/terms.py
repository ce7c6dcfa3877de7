"""Write the player's copy of the table of terms, from kpviz/lessons/terms.py: run by `make assets`."""

from __future__ import annotations

import json
from pathlib import Path

from kpviz.lessons.term_pictures import PICTURES
from kpviz.lessons.terms import TERMS

TABLE = Path(__file__).parent.parent / "kpviz" / "player" / "web" / "model" / "term_table.js"


def table() -> str:
    """The table as a module."""
    rows = (
        {
            "name": name,
            "title": term.title,
            "lines": [term.first, term.second],
            "link": term.link,
            "says": term.says,
            "picture": PICTURES[name],
        }
        for name, term in TERMS.items()
    )
    return "\n".join(
        [
            "// Written by `make assets` from kpviz/lessons/terms.py; a test compares them.",
            "",
            '/** @import { Term } from "../types.d.ts" */',
            "",
            "/** @type {Term[]} */",
            "// prettier-ignore",
            "export const TERMS = [",
            *(f"  {json.dumps(row, ensure_ascii=False)}," for row in rows),
            "];",
            "",
        ]
    )


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
