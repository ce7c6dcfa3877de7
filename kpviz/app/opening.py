"""Open what someone brings: a table as a file, dropped or pasted, or a file that kpviz wrote."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from kpviz import experiment
from kpviz.app import shared
from kpviz.app.session import Session
from kpviz.engine.data.tables import Table, read_table, read_text
from kpviz.export import settings_file
from kpviz.settings import FILE, MAX_POINTS, Settings

_JSON = (b"{", b"[")


def open_file(session: Session, content: bytes, name: str) -> str | None:
    """Take the settings of a file of kpviz, or the table of another; return what is wrong with it, in a sentence."""
    try:
        if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_JSON):
            _open_settings(session, content)
        else:
            _open_table(session, read_table(content, name), f"{name[:40]}~{hashlib.sha256(content).hexdigest()[:12]}")
    except ValueError as error:
        return str(error)
    return None


def open_text(session: Session, text: str) -> str | None:
    """Take a table that was pasted; return what is wrong with it, in a sentence."""
    try:
        name = f"what was pasted~{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}"
        _open_table(session, read_text(text), name)
    except ValueError as error:
        return str(error)
    return None


def dropped(session: Session, value: Any) -> None:
    """Take a file that was dropped on the board: its name, and its bytes in base 64."""
    if not isinstance(value, Mapping) or not all(isinstance(value.get(part), str) for part in ("name", "data")):
        return
    try:
        content = base64.b64decode(value["data"], validate=True)
    except ValueError:
        return
    why = open_file(session, content, value["name"])
    if why is not None:
        session.notice = why
        return
    session.problem = None
    table = shared.table(session.settings)
    if table is not None:  # the popover that would say it may be closed
        session.notice = " ".join([*filter(None, [session.notice]), *notices(session.settings, table)]) or None


def notices(settings: Settings, table: Table) -> tuple[str, ...]:
    """Return what to say about the examples of a table: how it was read, and which of its rows are shown."""
    return *table.notices, *experiment.prepare(settings, table).source.notices


def _open_settings(session: Session, content: bytes) -> None:
    settings, table, notice = settings_file.read(content)
    if table is not None:
        experiment.prepare(settings, table)
        shared.tables().put(settings.file, table)
    session.put(settings)
    session.notice = notice


def _open_table(session: Session, table: Table, name: str) -> None:
    candidate = session.settings.replace(data=FILE, file=name, cols="", reduce="off", n=MAX_POINTS)
    experiment.prepare(candidate, table)
    shared.tables().put(candidate.file, table)
    session.put(candidate)
