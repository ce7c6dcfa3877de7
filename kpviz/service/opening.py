"""Open what someone brings: a table as a file, dropped or pasted, or a file that kpviz wrote."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from kpviz import experiment
from kpviz.engine.data.tables import Table
from kpviz.export import settings_file
from kpviz.service import stored
from kpviz.service.dock import data
from kpviz.service.state import Notice, State, why_not
from kpviz.settings import FILE, MAX_POINTS, Settings

_JSON = (b"{", b"[")


def file(state: State, value: Any) -> State:
    """Open a file: {"name": …, "data": its bytes in base64}."""
    if not isinstance(value, Mapping) or not all(isinstance(value.get(part), str) for part in ("name", "data")):
        return state
    try:
        content = base64.b64decode(value["data"], validate=True)
    except ValueError:
        return state
    try:
        if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_JSON):
            return _settings(state, content)
        return _table(state, *stored.opened(content, value["name"]))
    except ValueError as error:
        return state.say(Notice(str(error)))


def pasted(state: State, value: Any) -> State:
    """Take a table that was pasted: {"text": …}."""
    text = value.get("text") if isinstance(value, Mapping) else None
    if not isinstance(text, str) or not text.strip():
        return state
    try:
        return _table(state, *stored.pasted(text))
    except ValueError as error:
        return state.say(Notice(str(error)))


def columns(state: State, value: Any) -> State:
    """Choose another column or class of the file, if it can be used: {"x1", "x2", "label", … : its name}."""
    table = stored.table(state.settings)
    if table is None or not isinstance(value, Mapping) or len(value) != 1:
        return state
    ((key, name),) = value.items()
    if key not in data.KEYS or name not in (
        table.columns if key in data.KEYS[:3] else table.classes(_label(state, table))
    ):
        return state
    names = data.columns_with(state.settings, table, key, name)
    candidate = state.settings.replace(cols=experiment.COLUMN_SEPARATOR.join(names))
    why = why_not(candidate)
    return state.put(candidate) if why is None else state.say(Notice(why))


def _label(state: State, table: Table) -> str:
    return experiment.choice(state.settings, table).label


def notices(settings: Settings, table: Table) -> tuple[str, ...]:
    """Return what to say about the examples of a table: how it was read, and which of its rows are shown."""
    return *table.notices, *experiment.prepare(settings, table).source.notices


def _settings(state: State, content: bytes) -> State:
    settings, table, notice = settings_file.read(content)
    store = stored.keep_points(settings)
    if table is not None:
        experiment.prepare(settings, table)
        stored.keep_table(settings.file, table)
        store = stored.csv_record(settings.file, settings_file.csv_of(content))
    message = () if table is None else notices(settings, table)
    return state.put(settings).keep(store).say(*map(Notice, filter(None, [notice, *message])))


def _table(state: State, name: str, table: Table) -> State:
    candidate = state.settings.replace(data=FILE, file=name, cols="", reduce="off", n=MAX_POINTS)
    message = notices(candidate, table)
    stored.keep_table(candidate.file, table)
    return state.put(candidate).keep({candidate.file: None}).say(*map(Notice, message))
