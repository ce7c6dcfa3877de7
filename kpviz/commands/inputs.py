"""What a command or `kpviz.load` is given.

A link, a settings file or a table, as settings and rows.

Tests: tests/commands/test_sources.py.
"""

from __future__ import annotations

import difflib
import hashlib
import math
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from kpviz import experiment
from kpviz.commands import CommandError, MissingFileError, quoted
from kpviz.engine.data.tables import Table, read_table
from kpviz.export import settings_file
from kpviz.export.writing import Source
from kpviz.lessons import comparison, presets, shelf
from kpviz.lessons.comparison import Pin
from kpviz.lessons.file.links import LONGEST, PLAY
from kpviz.service import links
from kpviz.settings import (
    BY_NAME,
    DRAWN,
    ELSEWHERE,
    FILE,
    PROPERTIES,
    VIEW_KEYS,
    Settings,
    conditions,
)
from kpviz.settings.properties import did_you_mean
from kpviz.settings.view import ViewState, on_kernels

if TYPE_CHECKING:
    from kpviz.lessons.file.lesson import Scene

_FILES = (".csv", ".tsv", ".txt", ".json", ".md")  # The names of files that can be opened end so.
_ADDRESS = re.compile(r"https?://|/(?:play|lab|fisher)?/?\?", re.IGNORECASE)
_PATH = re.compile(r"\.{0,2}[/\\]")  # Only a path begins so.
_VALUE_USED = re.compile(r", so [^;]* is used(?=[;.])")  # What is refused is replaced by nothing.
_SCENES = re.compile(r"(.*):([0-9]{1,3}(?:[-,][0-9]{1,3})*)")
STANDARD = "-"
OPENED_LESSON = "~"  # Links call a lesson so that was opened from a file.
_NO_ROWS = "A link does not hold the rows of a file: give a settings file or the table itself."


@dataclass(frozen=True)
class Input:
    """Settings, their table, what could not be used, and of a link its step, view and pins.

    `sources` are the files that were read, by their real paths.
    """

    settings: Settings
    table: Table | None = None
    t: int | None = None
    notices: tuple[str, ...] = ()
    view: ViewState = field(default_factory=ViewState)
    pins: tuple[Pin, ...] = ()
    sources: tuple[Source, ...] = ()


def read(source: str, changes: Mapping[str, str] | None = None, *, drawn: bool = True) -> Input:
    """Return what `source` holds, with some values changed.

    Parameters
    ----------
    source : a link, its query, a path, or "-" for standard input.
    changes : values by name, as a link writes them; what was the default becomes the new default.
    drawn : whether step, panels and pins of a link are wanted, so that what is wrong with them is
        reported.

    Raises
    ------
    ValueError
        One sentence: it cannot be read, or holds nothing to train on.
    """
    result = _changed(
        _of_link(source, drawn) if is_link(source) else _of_file(source), changes or {}
    )
    if result.settings.data == FILE and result.table is None:
        raise CommandError(_NO_ROWS)
    return replace(result, sources=tuple(files_of(source)))


def check_complete(read_input: Input, way_out: str) -> None:
    """Raise a CommandError if something could not be used.

    `way_out` is what goes on without it, as "--lenient".
    """
    if read_input.notices:
        wrong = _VALUE_USED.sub("", " ".join(read_input.notices)).removesuffix(".")
        raise CommandError(f"{wrong} ({way_out} goes on with what is left).")


def place_of(link: str) -> str | Path:
    """Return page and query of a link, or of a lesson that comes with kpviz.

    Of a file, which need not be there, it is the path. ValueError if it is none of these.
    """
    if not is_link(link):
        if os.path.isfile(link) or link.lower().endswith(_FILES):
            return Path(link)
        if link in shelf.paths():
            return f"/?lesson={link}"
        if os.path.isdir(link):
            raise CommandError(
                f"{quoted(link)} is a folder: kpviz app --lessons serves one of lessons."
            )
        raise CommandError(
            f"{quoted(link)} is neither a link nor a file: copy a link from the app by the key Y, "
            "or name a lesson’s "
            "file, a settings file or a table."
        )
    parts = _parts(link if _ADDRESS.match(link) else f"?{link.lstrip('?')}")
    page = parts.path.rstrip("/").rpartition("/")[2]
    if page == "fisher":
        return f"/fisher?{parts.query}"
    if page == "lab":
        return f"/?{on_kernels(parts.query)}"
    if "lesson" not in links.pairs(parts.query):  # The app itself looks for a lesson.
        _pairs(link)
    return f"/?{parts.query}"


def content(source: str, what: str, most: int) -> bytes:
    """Return the bytes of a file, at most so many.

    A CommandError that begins with `what` if it cannot be read.
    """
    try:
        with Path(source).open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        kind = MissingFileError if isinstance(error, FileNotFoundError) else CommandError
        raise kind(f"{what} {quoted(source)} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise MissingFileError(
            f"{what} {quoted(source)} cannot be read: no file can have this name."
        ) from None
    if len(data) > most:
        raise CommandError(f"{what} {quoted(source)} is larger than {most / 1e6:g} MB.")
    return data


def is_link(source: str) -> bool:
    """Whether what was typed is a link, and not the name of a file.

    What begins with a question mark or an address is a link, whatever files there are. What begins
    as only a path does, with / or ./, is none. Of anything else with an equals sign a file of that
    name wins, a folder does not.
    """
    if source.startswith("?") or _ADDRESS.match(source):
        return True
    return "=" in source and not _PATH.match(source) and not _is_file(source)


def _is_file(name: str) -> bool:
    """Whether something can be read there.

    A file, a pipe or a device, however long or odd its name is.
    """
    return os.path.exists(name) and not os.path.isdir(name)


def path_of(name: str) -> Path:
    """Return the file of a lesson, given by its path or, if it comes with kpviz, by its name."""
    return Path(name) if _is_file(name) else shelf.files().get(name, Path(name))


def is_lesson(source: str) -> bool:
    """Whether what was typed is a lesson, by its file or its name."""
    return not is_link(source) and path_of(source).name.lower().endswith(shelf.SUFFIX)


def scenes_of(text: str) -> tuple[str, str]:
    """Return a lesson, and the numbers of its scenes behind a colon, "" for all."""
    match = None if _is_file(str(path_of(text))) else _SCENES.fullmatch(text)
    return (match[1], match[2]) if match else (text, "")


def files_of(name: str) -> list[Source]:
    """Return the files that are read for what was typed: none for a link, unless it names a lesson.

    Standard input is the number of its file.
    """
    if name == STANDARD:
        return [0]
    if is_link(name):
        parts = _parts(name) if _ADDRESS.match(name) else None
        lesson = links.pairs(parts.query if parts else name).get("lesson")
        return [os.path.realpath(path) for path in [shelf.paths().get(lesson or "")] if path]
    try:
        return [os.path.realpath(path_of(scenes_of(name)[0]))]
    except ValueError:  # No file can have this name, as who reads it says.
        return []


def _parts(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        raise CommandError("This link cannot be read: copy it once more.") from None


def _pairs(link: str) -> dict[str, str]:
    """Return the keys and values of a link for the player."""
    query = link
    if _ADDRESS.match(link):
        parts = _parts(link)
        if parts.path.rstrip("/").endswith("/fisher"):
            raise CommandError(
                "This link is for the page of Fisher’s discriminant: give one for the "
                "perceptron’s page."
            )
        query = on_kernels(parts.query) if parts.path.rstrip("/").endswith("/lab") else parts.query
    if len(query) > LONGEST:
        raise CommandError(
            f"This link has {len(query):,} characters, and none of kpviz has more than {LONGEST:,}."
        )
    link_pairs = links.pairs(query)
    pairs = presets.whole(_with_scene(link_pairs) if "lesson" in link_pairs else link_pairs)
    if query is not link and not pairs.keys() & {"v", *BY_NAME, *VIEW_KEYS}:
        raise CommandError(
            f"The link {quoted(link)} holds no settings of kpviz: copy one from the app by the key "
            "Y."
        )
    return {key: value for key, value in pairs.items() if key != "stage"}


def _with_scene(link_pairs: Mapping[str, str]) -> dict[str, str]:
    """Return what a link shows that was copied beside a lesson: its own settings if it has some,
    else its scene.
    """
    pairs = {key: value for key, value in link_pairs.items() if key not in ("lesson", "scene")}
    if "scene" in link_pairs and pairs.keys() - {"v", *VIEW_KEYS}:
        return pairs
    scene = _scene(link_pairs["lesson"], link_pairs.get("scene", "1"))
    shown_there = scene.link.pairs
    if scene.cues.cues:
        shown_there["cues"] = scene.cues.code
    return shown_there | pairs


def _scene(name: str, number: str) -> Scene:
    """Return the scene of a number, from 1, of a lesson of this computer."""
    if name.startswith(OPENED_LESSON):
        raise CommandError(
            "This link names a lesson that was opened from a file: give a link of its scenes."
        )
    known = shelf.paths()
    if name not in known:
        near = did_you_mean(name, known)
        raise CommandError(
            f"There is no lesson {quoted(name)} on this computer{near}: kpviz lesson list names "
            "them."
        )
    lesson = shelf.read(name)
    count = len(lesson.scenes)
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= count):
        raise CommandError(f"scene={number[:9]} is not a scene of {name!r}: give 1 to {count}.")
    scene = lesson.scenes[int(number) - 1]
    if scene.link.page != PLAY or not scene.link.query:
        raise CommandError(f"Scene {number} of {name!r} has no run: give another scene.")
    return scene


def _of_link(link: str, drawn: bool) -> Input:
    """Read a link's settings, and, if wanted, its step, panels and pins."""
    pairs = _pairs(link)
    if pairs.get("points", "").startswith(ELSEWHERE):
        raise CommandError(
            "This link only names its drawn points: save them as a settings file in the app first."
        )
    if pairs.get("data") == FILE:
        raise CommandError(_NO_ROWS)
    if not drawn:
        others = [
            key
            for key in pairs
            if key in VIEW_KEYS or (comparison.is_key(key) and key != comparison.READY)
        ]
        pairs = {key: value for key, value in pairs.items() if key not in others}
    state = links.read(pairs)
    # The app shows XOR instead, where one sees it.
    if pairs.get("data") == DRAWN and state.settings.data != DRAWN:
        raise CommandError(
            "The drawn points of this link cannot be read: copy the whole link once more."
        )
    t = state.view.t if pairs.get("t", "").isdecimal() else None
    return Input(
        state.settings,
        None,
        t,
        tuple(notice.words for notice in state.notices),
        state.view,
        state.pins,
    )


def _of_file(source: str) -> Input:
    """Read a settings file or a table, from a file or from standard input."""
    name = "standard input" if source == STANDARD else Path(source).name
    if source == STANDARD:
        if sys.__stdin__ is None:
            raise CommandError(
                "Standard input is closed: give a link, a settings file or a table instead of -."
            )
        data = sys.stdin.buffer.read(settings_file.MAX_BYTES + 1)
        if len(data) > settings_file.MAX_BYTES:
            raise CommandError(
                f"Standard input is larger than {settings_file.MAX_BYTES / 1e6:g} MB."
            )
    elif is_lesson(source) and os.path.lexists(path_of(source)):
        name = path_of(source).name[: -len(shelf.SUFFIX)]
        link = f", as lesson={name}&scene=1" if name in shelf.paths() else ""
        raise CommandError(
            f"{quoted(source)} is a lesson: give the link of one of its scenes{link}."
        )
    elif not os.path.lexists(source):
        advice = "give a link in quotation marks, a settings file or a table."
        raise MissingFileError(f"There is no file {quoted(source)}: {advice}")
    else:
        data = content(source, "The file", settings_file.MAX_BYTES)
    if name.lower().endswith(".json") or data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(
        b"{"
    ):
        settings, table, notice = settings_file.read(data)
        return Input(settings, table, notices=(notice,) if notice else ())
    mark = hashlib.sha256(data).hexdigest()[:12]
    return Input(Settings.of(data=FILE, file=f"{name[:40]}~{mark}"), read_table(data, name))


def _changed(read_input: Input, changes: Mapping[str, str]) -> Input:
    if not changes:
        return read_input
    before = read_input.settings
    chosen = {
        prop.name: before.values[prop.name]
        for prop in PROPERTIES
        if not before.is_default(prop.name)
    }
    settings, problems = Settings.repaired({**chosen, **changes})
    problems = [
        settings.with_value_used(problem)
        for problem in problems
        if problem.partition("=")[0] in changes
    ]
    for name in changes:
        reason = settings.reason_against(name)
        if reason is not None and not any(problem.startswith(f"{name}=") for problem in problems):
            problems.append(f"{name} does not apply, because {reason}")
    notices = (
        [f"Parts of --set could not be used as they are: {'; '.join(problems)}."]
        if problems
        else []
    )
    pins = tuple(pin.with_settings(before, settings) for pin in read_input.pins)
    if pins and conditions.compared(settings.values) != conditions.compared(before.values):
        pins = ()
        notices.append(
            "The pinned runs of this link are left out: their kernels cannot compare such examples."
        )
    table = None if read_input.table is None else experiment.as_set(settings, read_input.table)
    return replace(
        read_input,
        settings=settings,
        table=table,
        pins=pins,
        notices=(*read_input.notices, *notices),
    )


def setting(text: str) -> tuple[str, str]:
    """Return name and value of what follows --set."""
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"{text!r} is not NAME=VALUE, as in sigma=0.3.")
    if name not in BY_NAME:
        advice = _near(name, BY_NAME) or "--list-settings lists them all."
        raise CommandError(f"{name!r} is not a setting: {advice}")
    prop = BY_NAME[name]
    wrong = ""
    if prop.choices and value not in prop.choices:
        wrong = _near(value, prop.choices) or f"give one of {', '.join(prop.choices)}."
    elif prop.range is not None:
        try:
            wrong = "" if math.isfinite(float(value)) else "give a finite number."
        except ValueError:
            wrong = "give a number."
    if wrong:
        raise CommandError(f"{quoted(value)} is not a value of {name!r}: {wrong}")
    return name, value


def _near(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word, known, 1)
    return f"did you mean {near[0]!r}?" if near else ""
