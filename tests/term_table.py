"""The player's table of terms, as tests read it: by name."""

import json
from pathlib import Path

import kpviz

TABLE = Path(kpviz.__file__).parent / "player" / "web" / "board" / "term_table.js"
TERMS = {
    row["name"]: row
    for row in json.loads(TABLE.read_text(encoding="utf-8").partition("TERMS = ")[2].rstrip(";\n"))
}
