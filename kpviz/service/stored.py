"""What no link can hold: opened tables, and more drawn points than fit.

A link names them, the browser keeps them.

A record says how such a thing is made again: {"name": "open", "value": {…}} is the command that
brought it, {"name": "points", "value": …} its content. The browser keeps records, and sends them
with a link that needs them. In an answer, {"command": 0} stands for the first command of the
question, which the browser has already. Names end with a hash of the content, so that a record that
is sent again makes the same thing or is refused.

What takes time is made by works (`making.py`): `made` looks one up, and where it is not made yet,
the function that answers the question is called again once it is.

Tests: tests/service/test_answer.py, tests/service/test_making.py.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from kpviz import experiment
from kpviz.engine.data.tables import Table, read_table, read_text
from kpviz.engine.run.predictors import Progress
from kpviz.export import settings_file
from kpviz.service.caches import LruCache
from kpviz.service.making import TextWork, made, mark, tables_of_question
from kpviz.service.question import mapping
from kpviz.settings import DRAWN, ELSEWHERE, FILE, Settings, names_of

Record = Mapping[str, Any]

_FEWER_ROWS = "choose a table of fewer rows or columns"
_MANY_ROWS = 20_000  # With so many rows, drawing some takes the server's loop too long.
_PASTED = "what was pasted"
_LONGEST_NAME = 40
_MOST_BROUGHT = 8
_JSON = (b"{", b"[")

# Up to 200 tables of 200 MB together, and 1000 drawings of 4 million characters.
_tables: LruCache[Table] = LruCache(200, 200_000_000, lambda table: table.nbytes)
_points: LruCache[str] = LruCache(1000, 4_000_000, len)


def with_command_place(store: Mapping[str, Record | None], place: int) -> dict[str, Record | None]:
    """Return a store in which a None, what a command has just brought, is the place of this command
    in its question.
    """
    return {key: {"command": place} if record is None else record for key, record in store.items()}


def has_table(settings: Settings) -> bool:
    """Return whether the file that the settings name is here."""
    return settings.data == FILE and _look_up(settings.file) is not None


def table(settings: Settings) -> Table | None:
    """Return the file that the settings name, read as they say, if it is here; TableError if it
    cannot be read so.
    """
    opened = _look_up(settings.file) if settings.data == FILE else None
    if opened is None:
        return None
    work = ReadingWork(opened, settings.file, *experiment.reading(settings))
    if opened.requested == (work.encoding, work.decimal):  # It was opened with these.
        return opened
    read = _look_up(work.id)
    if read is None:
        read = made(work)
        keep_table(work.id, read)
    return read


def split(settings: Settings, opened: Table | None = None) -> experiment.Split:
    """Return the examples of settings, of a table `opened` or of the one that they name.

    Those of a large table are drawn by a work, once for the settings of the data.
    """
    read = table(settings) if opened is None else opened
    if settings.data != FILE or read is None or read.n_rows < _MANY_ROWS:
        return experiment.prepare(settings, read)
    drawn: experiment.Split = made(SplitWork(read, settings))
    return drawn


def points(name: str) -> str | None:
    """Return drawn points by the name that a link has for them."""
    return _points.get(name)


def missing(query: Mapping[str, str]) -> str | None:
    """Return the name of what a link needs and is not here; None: everything is."""
    if query.get("data") == FILE and query.get("file") and _look_up(query["file"]) is None:
        return query["file"]
    # The points may be in the link themselves, or only their name is.
    named = query.get("points", "")
    if query.get("data") == DRAWN and named.startswith(ELSEWHERE) and _points.get(named) is None:
        return named
    return None


# ---- keeping -------------------------------------------------------------------------------------


def keep_table(name: str, opened: Table) -> None:
    """Keep an opened table: for the question that is answered in any case, and for later ones while
    there is room.
    """
    tables_of_question()[name] = opened
    _tables.put(name, opened)


def _look_up(name: str) -> Table | None:
    """Return a table, which stays until the question is answered, whatever others open."""
    tables = tables_of_question()
    opened: Table | None = tables.get(name) or _tables.get(name)
    if opened is not None:
        tables[name] = opened
    return opened


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
    """Make again what a browser kept, a record for each name, if it is what the name says.

    At most _MOST_BROUGHT are: a question names few links, and so needs few of them.
    """
    for name, record in list(mapping(records).items())[:_MOST_BROUGHT]:
        value: Any = mapping(record).get("value")
        try:
            match mapping(record).get("name"):
                case "points":
                    if Settings.of(data=DRAWN, points=str(value)).stored_name == name:
                        _points.put(name, str(value))
                    continue
                case "open":
                    content = open_file(str(value["data"]), str(value["name"]))
                case "paste":
                    content = read_pasted(str(value["text"]))
                case _:  # It is "csv".
                    content = made(CsvWork(str(value["text"]), str(value["name"])))
        except (ValueError, KeyError, TypeError):
            continue
        if isinstance(content, tuple) and content[0] == name:
            keep_table(name, content[1])


# ---- reading, by works ---------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenedSettings:
    """What a file of settings holds.

    The settings, their table if they have one, with its text, and what is to say.
    """

    settings: Settings
    table: Table | None
    csv: str
    notice: str | None


@dataclass(frozen=True)
class FileWork(TextWork):
    """A file that is opened, its bytes in base64.

    A table with the name that settings have for it, or settings.
    """

    remedy: ClassVar[str] = _FEWER_ROWS
    data: str
    name: str

    @property
    def id(self) -> str:
        return f"file?{self.name[:_LONGEST_NAME]}&{mark(self.data)}"

    def make(self, progress: Progress | None = None) -> tuple[str, Table] | OpenedSettings | None:
        try:
            content = base64.b64decode(self.data, validate=True)
        except ValueError:
            return None
        if not is_json(content):
            return _named(self.name[:_LONGEST_NAME], content), _looked_into(
                read_table(content, self.name)
            )
        settings, table, notice = settings_file.read(content)
        csv = "" if table is None else settings_file.csv_of(content)
        return OpenedSettings(settings, table, csv, notice)


@dataclass(frozen=True)
class PasteWork(TextWork):
    """A table that is pasted, with the name that settings have for it."""

    remedy: ClassVar[str] = _FEWER_ROWS
    text: str

    @property
    def id(self) -> str:
        return f"paste?{mark(self.text)}"

    def make(self, progress: Progress | None = None) -> tuple[str, Table]:
        return _named(_PASTED, self.text.encode("utf-8", "replace")), _looked_into(
            read_text(self.text)
        )


@dataclass(frozen=True)
class CsvWork(TextWork):
    """The table of a file of settings, with its name."""

    remedy: ClassVar[str] = _FEWER_ROWS
    text: str
    name: str

    @property
    def id(self) -> str:
        return f"csv?{self.name}&{mark(self.text)}"

    def make(self, progress: Progress | None = None) -> tuple[str, Table]:
        return settings_file.table_of(self.text, self.name)


@dataclass(frozen=True)
class ReadingWork(TextWork):
    """A table that is read with another encoding or decimal mark.

    `file` is the name that settings have for it.
    """

    remedy: ClassVar[str] = _FEWER_ROWS
    table: Table
    file: str
    encoding: str
    decimal: str

    @property
    def id(self) -> str:
        return f"reading?{self.file}&{self.encoding}&{self.decimal}"

    def make(self, progress: Progress | None = None) -> Table:
        return _looked_into(self.table.read_as(encoding=self.encoding, decimal=self.decimal))


@dataclass(frozen=True)
class SplitWork(TextWork):
    """The rows of a large table that are shown, as the settings of the data say."""

    remedy: ClassVar[str] = _FEWER_ROWS
    table: Table
    settings: Settings

    @property
    def id(self) -> str:
        values = [self.settings.values[name] for name in names_of("data")]
        return f"split?{self.settings.file}&{values!r}"

    def make(self, progress: Progress | None = None) -> experiment.Split:
        return experiment.prepare(self.settings, self.table)


def open_file(data: str, name: str) -> tuple[str, Table] | OpenedSettings | None:
    """Return what a file holds, its bytes in base64.

    A table with the name that settings have for it, or settings.

    None: they are no base64. ValueError, of one sentence, says what is wrong with the file.
    """
    content: tuple[str, Table] | OpenedSettings | None = made(FileWork(data, name))
    return content


def open_sent_file(value: Any) -> tuple[str, Table] | OpenedSettings | None:
    """Return what a file holds, as `open_file` does: {"name": …, "data": its bytes in base64}.

    What is wrong with it is said with its name.
    """
    name = mapping(value).get("name")
    data = mapping(value).get("data")
    if not isinstance(name, str) or not isinstance(data, str):
        return None
    try:
        return open_file(data, name)
    except ValueError as error:
        words = str(error)
        raise ValueError(words if name in words else f"{name[:_LONGEST_NAME]}: {words}") from error


def read_pasted(text: str) -> tuple[str, Table]:
    """Return the table of a text, and the name that settings have for it; ValueError of one
    sentence.
    """
    content: tuple[str, Table] = made(PasteWork(text))
    return content


def is_json(content: bytes) -> bool:
    """Whether a file is one that kpviz wrote, not a table."""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_JSON)


def _named(name: str, content: bytes) -> str:
    """Return the name that settings keep of a file: its own and a hash of its content.

    Settings leave out of it what cannot be printed.
    """
    return str(
        Settings.of(data=FILE, file=f"{name}~{hashlib.sha256(content).hexdigest()[:12]}").file
    )


def _looked_into(read: Table) -> Table:
    """Return a table that has guessed its columns, which takes long.

    What it guessed goes with it.
    """
    with suppress(ValueError):  # It is said where the table is used.
        read.guess()
    return read
