"""What a command is given: a link, a settings file or a table, as settings and rows."""

from __future__ import annotations

import argparse
import difflib
import hashlib
import math
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO
from urllib.parse import SplitResult, parse_qsl, urlsplit

from kpviz.commands import CommandError, shown
from kpviz.engine.data.tables import Table, read_table
from kpviz.export import settings_file
from kpviz.lessons import comparison, presets
from kpviz.lessons.comparison import Pin
from kpviz.player import envelope
from kpviz.player.envelope import ViewState
from kpviz.settings import (
    BY_NAME,
    DRAWN,
    ELSEWHERE,
    FILE,
    PROPERTIES,
    VIEW_KEYS,
    Property,
    Settings,
    conditions,
    from_query,
)

_MAX_BYTES = settings_file.MAX_BYTES
_ADDRESS = r"https?://"
_FISHER = "/fisher"
_PAGES = ("fisher", "lab")  # besides the player's


@dataclass(frozen=True)
class Given:
    """Settings, the table if they are for a file, what could not be used, and of a link its step, panels and pins.

    `turn`: by how many degrees the space of the lift is turned and tilted, None: as at first. `over`: the setting that
    curves run over, None: the first that they can.
    """

    settings: Settings
    table: Table | None = None
    t: int | None = None
    notices: tuple[str, ...] = ()
    show: tuple[str, ...] | None = None
    pins: tuple[Pin, ...] = ()
    turn: tuple[int, int] | None = None
    over: str | None = None

    @property
    def view(self) -> ViewState:
        """Where a player opens."""
        return ViewState(self.t or 0, self.show, turn=self.turn, over=self.over)


def read(source: str, changes: Mapping[str, str], *, step: bool = False, drawn: bool = True) -> Given:
    """Return what `source` holds, with some values changed.

    Parameters
    ----------
    source : a link, its query, a path, or "-" for standard input.
    changes : values by name, as a link writes them; what was the default becomes the new default.
    step : whether the step of a link is wanted.
    drawn : whether the panels and pins of a link are, so that what is wrong with them is reported.

    Raises
    ------
    ValueError
        One sentence: it cannot be read, or holds nothing to train on.
    """
    found = _of_link(source, step, drawn) if _is_link(source) else _of_file(*_content(source))
    given = _changed(found, changes, drawn)
    if given.settings.data == FILE and given.table is None:
        raise CommandError("A link does not hold the rows of a file: give a settings file or the table itself.")
    return given


def place_of(link: str) -> str:
    """Return what follows the app's address in a link: a page and a query; ValueError if it is not a link of kpviz."""
    if not _is_link(link):
        raise CommandError(f"{shown(link)} is not a link: copy one from the app by the key Y.")
    is_address = re.match(_ADDRESS, link, re.IGNORECASE) is not None
    parts = _parts(link if is_address else f"?{link.lstrip('?')}")
    page = parts.path.rstrip("/").rpartition("/")[2]
    if page in _PAGES:
        return f"/{page}?{parts.query}"
    _of_link(link, step=False, drawn=False)
    return f"/?{parts.query}"


def _is_link(source: str) -> bool:
    if source.startswith("?") or re.match(_ADDRESS, source, re.IGNORECASE):
        return True
    return "=" in source and not os.path.exists(source)


def _of_link(link: str, step: bool, drawn: bool) -> Given:
    """Read a link's settings, panels and pins, and its step if wanted."""
    query = _query(link) if re.match(_ADDRESS, link, re.IGNORECASE) else link
    pairs = presets.whole(dict(parse_qsl(query.lstrip("?"), keep_blank_values=True)))
    known = {key: value for key, value in pairs.items() if not (key.startswith("embed") or comparison.is_key(key))}
    if query is not link and not known.keys() & {"v", *BY_NAME, *VIEW_KEYS}:
        raise CommandError(f"The link {shown(link)} holds no settings of kpviz: copy one from the app by the key Y.")
    if known.get("points", "").startswith(ELSEWHERE):
        raise CommandError("This link only names its drawn points: save them as a settings file in the app first.")
    settings, notice = from_query(known)
    if known.get("data") == DRAWN and settings.data != DRAWN:  # the app shows XOR instead, where one sees it
        raise CommandError("The drawn points of this link cannot be read: copy the whole link once more.")
    view, unread = envelope.read_view({key: known[key] for key in ("show", "turn", "over") if key in known})
    pins, unpinned = comparison.read(pairs, settings)
    wrong = presets.problems(pairs) + ([*unread, *unpinned] if drawn else [])
    more = f"Parts of this link could not be used: {'; '.join(wrong)}." if wrong else None
    notices = tuple(each for each in (notice, more) if each)
    found = Given(settings, None, None, notices, view.show, pins, view.turn, view.over)
    if not step or "t" not in known:
        return found
    view, wrong = envelope.read_view({"t": known["t"]})
    if wrong:
        warning = "The step of this link is not a number, so the last one is taken."
        return replace(found, notices=(*found.notices, warning))
    return replace(found, t=view.t)


def _parts(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        raise CommandError("This link cannot be read: copy it once more.") from None


def _query(address: str) -> str:
    parts = _parts(address)
    if parts.path.rstrip("/").endswith(_FISHER):
        raise CommandError("This link is for the page of Fisher’s discriminant: give one for the perceptron’s page.")
    return parts.query


def _content(source: str) -> tuple[str, bytes]:
    """Return the name and the bytes of a file, or of standard input."""
    if source == "-":
        if sys.__stdin__ is None:
            raise CommandError("Standard input is closed: give a link, a settings file or a table instead of -.")
        return "standard input", _read(sys.stdin.buffer, "Standard input")
    path = Path(source)
    if not os.path.exists(path):
        raise CommandError(
            f"There is no file {shown(source)}: give a link in quotation marks, a settings file or a table."
        )
    try:
        with path.open("rb") as file:
            return path.name, _read(file, shown(source))
    except OSError as error:
        raise CommandError(f"{shown(source)} cannot be read: {error.strerror}.") from None


def _read(file: BinaryIO, name: str) -> bytes:
    content = file.read(_MAX_BYTES + 1)
    if len(content) > _MAX_BYTES:
        raise CommandError(f"{name} is larger than {_MAX_BYTES // 1_000_000} MB: choose a smaller file or fewer rows.")
    return content


def _of_file(name: str, content: bytes) -> Given:
    if name.lower().endswith(".json") or content.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        settings, table, notice = settings_file.read(content)
        return Given(settings, table, notices=(notice,) if notice else ())
    mark = hashlib.sha256(content).hexdigest()[:12]
    table = read_table(content, name)
    return Given(Settings.of(data=FILE, file=f"{name[:40]}~{mark}"), table)


def _changed(given: Given, changes: Mapping[str, str], drawn: bool) -> Given:
    if not changes:
        return given
    before = given.settings
    kept = {prop.name: before.values[prop.name] for prop in PROPERTIES if not before.is_default(prop.name)}
    settings, problems = Settings.repaired({**kept, **changes})
    problems = [problem for problem in problems if problem.partition("=")[0] in changes]
    for name in changes:
        if (reason := settings.reason_against(name)) is not None:
            problems.append(f"{name} does not apply, because {reason}")
    new_notices = [f"Parts of --set could not be used as they are: {'; '.join(problems)}."] if problems else []
    pins = given.pins
    if drawn and pins and conditions.compared(settings.values) != conditions.compared(before.values):
        pins = ()
        new_notices.append("The pinned runs of this link are left out: their kernels cannot compare such examples.")
    return replace(given, settings=settings, pins=pins, notices=(*given.notices, *new_notices))


def setting(text: str) -> tuple[str, str]:
    """Return name and value of what follows --set; an error for argparse where it is none."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, as in sigma=0.3.")
    if name not in BY_NAME:
        near = difflib.get_close_matches(name, BY_NAME, 1)
        advice = f"did you mean {near[0]!r}?" if near else "--list-settings lists them all."
        raise argparse.ArgumentTypeError(f"{name!r} is not a setting: {advice}")
    if (problem := _mistyped(BY_NAME[name], value)) is not None:
        raise argparse.ArgumentTypeError(f"{shown(value)} is not a value of {name!r}: {problem}")
    return name, value


def _mistyped(prop: Property, value: str) -> str | None:
    """Return what a value must be that can be none of the property, whatever the other settings are."""
    if prop.choices:
        near = difflib.get_close_matches(value, prop.choices, 1)
        allowed = f"did you mean {near[0]!r}?" if near else f"give one of {', '.join(prop.choices)}."
        return None if value in prop.choices else allowed
    if prop.range is None:
        return None
    try:
        return None if math.isfinite(float(value)) else "give a finite number."
    except ValueError:
        return "give a number."
