"""What no link can hold: opened tables, and more drawn points than fit. A link names them, the browser keeps them.

A record is the command or the content that such a thing is made from: {"name": …, "value": …}. Of a command that the
page has just sent, the answer says its place alone: {"command": 0}. Names end with a hash of the content, so that a
record that is sent again makes the same thing or is refused.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from kpviz import experiment
from kpviz.engine.data.tables import Table, read_table, read_text
from kpviz.export import settings_file
from kpviz.service.caches import LruCache
from kpviz.service.question import mapping
from kpviz.settings import DRAWN, ELSEWHERE, FILE, Settings

Record = Mapping[str, Any]

_PASTED = "what was pasted"
_LONGEST_NAME = 40

_tables: LruCache[Table] = LruCache(200, 200_000_000, lambda table: table.nbytes)
_points: LruCache[str] = LruCache(1000, 4_000_000, len)


def has_table(settings: Settings) -> bool:
    """Return whether the file that the settings name is here."""
    return settings.data == FILE and _tables.get(settings.file) is not None


def table(settings: Settings) -> Table | None:
    """Return the file that the settings name, read as they say, if it is here; TableError if it cannot be read so."""
    opened = _tables.get(settings.file) if settings.data == FILE else None
    if opened is None:
        return None
    key = f"{settings.file} {settings.encoding} {settings.decimals}"
    read = _tables.get(key)
    if read is None:
        read = experiment.as_set(settings, opened)
        if read is not opened:
            _tables.put(key, read)
    return read


def points(name: str) -> str | None:
    """Return drawn points by the name that a link has for them."""
    return _points.get(name)


def missing(query: Mapping[str, str]) -> str | None:
    """Return the name of what a link needs and is not here; None: everything is."""
    if query.get("data") == FILE and query.get("file") and _tables.get(query["file"]) is None:
        return query["file"]
    named = query.get("points", "")
    if query.get("data") == DRAWN and named.startswith(ELSEWHERE) and _points.get(named) is None:
        return named
    return None


# ---- keeping --------------------------------------------------------------------------------------


def keep_table(name: str, opened: Table) -> None:
    """Keep an opened table."""
    _tables.put(name, opened)


def keep_points(settings: Settings) -> dict[str, Record]:
    """Keep drawn points if they are too many for a link; return the record for the browser."""
    name = settings.stored_name
    if name is None:
        return {}
    _points.put(name, settings.points)
    return {name: {"name": "points", "value": settings.points}}


def csv_record(name: str, text: str) -> dict[str, Record]:
    """Return the record of the table of a settings file."""
    return {name: {"name": "csv", "value": {"name": name, "text": text}}}


def bring(records: Any) -> None:
    """Make again what a browser kept, a record for each name, if it is what the name says."""
    for name, record in mapping(records).items():
        value: Any = mapping(record).get("value")
        try:
            match mapping(record).get("name"):
                case "points":
                    if Settings.of(data=DRAWN, points=str(value)).stored_name == name:
                        _points.put(name, str(value))
                    continue
                case "open":
                    found, made = opened(base64.b64decode(value["data"], validate=True), str(value["name"]))
                case "paste":
                    found, made = pasted(str(value["text"]))
                case _:
                    found, made = settings_file.table_of(str(value["text"]), str(value["name"]))
        except (ValueError, KeyError, TypeError):
            continue
        if found == name:
            _tables.put(name, made)


# ---- reading --------------------------------------------------------------------------------------


def opened(content: bytes, name: str) -> tuple[str, Table]:
    """Return the table of a file, and the name that settings have for it; ValueError of one sentence."""
    return _named(name[:_LONGEST_NAME], content), read_table(content, name)


def pasted(text: str) -> tuple[str, Table]:
    """Return the table of a text, and the name that settings have for it; ValueError of one sentence."""
    return _named(_PASTED, text.encode("utf-8", "replace")), read_text(text)


def _named(name: str, content: bytes) -> str:
    """Return the name as settings keep it: what cannot be printed is left out."""
    return str(Settings.of(data=FILE, file=f"{name}~{hashlib.sha256(content).hexdigest()[:12]}").file)
