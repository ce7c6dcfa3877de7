"""The code with which phones open what a lecturer shows.

Tests: tests/service/test_join.py.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from kpviz.engine.run.predictors import Progress
from kpviz.lessons import shelf
from kpviz.player import payload
from kpviz.service import kept_lessons
from kpviz.service.links import LONGEST_LINK
from kpviz.service.making import Makings, TextWork, made
from kpviz.service.question import Question, mapping, number, text
from kpviz.service.work import Compute

ADDRESS = "KPVIZ_ADDRESS"  # The environment of a server says here where others reach it.
CLASS = "KPVIZ_CLASS"  # And here where the class has its lessons, as a folder of pages.
_LONGEST = 900  # In characters: such a link a phone still reads from a projector.
_TOO_LONG = "A code for phones holds {} characters, and this link has {}: use fewer points."
_NO_ADDRESS = "This is not an address that a browser opens, so there is no code for it."
_TO_SCENE = "The settings are too long for a code: it leads to the scene."
_SCENE_ALONE = "The folder of the class has the scene as it opens: the code leads there."
_NOT_IN_FOLDER = (
    "A lesson that was dropped is not in the folder of the class: put it there, and start kpviz "
    "with --lessons."
)
_ONLY_HERE = ("localhost", "127.0.0.1", "::1", "")


@dataclass(frozen=True)
class CodeWork(TextWork):
    """The squares of the code of an address, as texts of 0 and 1, a row each."""

    address: str

    @property
    def id(self) -> str:
        return f"code?{self.address}"

    @property
    def seconds(self) -> float:
        """Those of a short job."""
        return 0.15

    def make(self, progress: Progress | None = None) -> list[str]:
        import segno

        try:
            rows = segno.make(self.address, error="l", micro=False).matrix
        except ValueError:  # Some characters take more room than letters do.
            raise ValueError(_TOO_LONG.format(_LONGEST, f"{len(self.address):,}")) from None
        return ["".join(map(str, row)) for row in rows]


async def answer(question: Question, compute: Compute) -> bytes:
    """Return the answer to {"join": {"address": …, "lesson": …, "scene": …, "turned": …}}.

    An address that others reach, and the squares of its code. The lesson, as `LessonSource` reads
    it, and the number of its scene, from 1, are there if the code is to lead to them; with the
    settings of the address if they were turned to others than those of the scene. Where the class
    has a folder of pages, the address is of that folder, and "step" says at which step it opens.
    """
    join_question = mapping(question["join"])
    address = text(join_question.get("address"))
    folder = os.environ.get(CLASS)
    if folder:
        answered = await Makings(compute).call(partial(_join_folder, folder, join_question))
        return payload.pack({"n": number(question), "join": answered}, {})
    scene = ""
    fault = None
    if "lesson" in join_question and why_no_code(reached(_without_settings(address))) is None:
        try:
            scene = await _scene(join_question, compute)
        except ValueError as error:
            fault = str(error)
    is_turned = join_question.get("turned") is True
    answered = await Makings(compute).call(partial(join, address, scene, is_turned=is_turned))
    answered["said"] = fault or answered["said"]
    return payload.pack({"n": number(question), "join": answered}, {})


def _join_folder(folder: str, join_question: Question) -> dict[str, Any]:
    """Return what `join` does, of a folder of pages."""
    if "lesson" not in join_question:
        query = text(join_question.get("address")).partition("?")[2]
        return join(f"{folder}?{query}")
    source = mapping(join_question["lesson"])
    if "text" in source:
        return {"address": folder, "rows": [], "why": _NOT_IN_FOLDER, "said": None}
    is_turned = join_question.get("turned") is True
    scene = join_question.get("scene")
    step = join_question.get("step")
    place = place_in_folder(
        text(source.get("name")),
        shelf.files(),
        scene if type(scene) is int else 1,
        step if type(step) is int and not is_turned else None,
    )
    return {**join(folder + place), "said": _SCENE_ALONE if is_turned else None}


def place_in_folder(name: str, names: Collection[str], scene: int, step: int | None = None) -> str:
    """Return what an address of a folder of pages says of a scene of a lesson, and of a step.

    As a code is read from the back row, a lesson is called by its first letters, up to the end of a
    word, if no other one begins so; the pages of the folder know what is meant (class_place.js).

    >>> place_in_folder("lesson-05-zero", ["lesson-05-zero", "lesson-07-width"], 2, 120)
    '#lesson-05.2.120'
    """
    others = [other for other in names if other != name]
    ends = [*(match.start() for match in re.finditer("-", name)), len(name)]
    starts = (name[:end] for end in ends)
    short = next(
        (start for start in starts if not any(other.startswith(start) for other in others)), name
    )
    return f"#{quote(short)}.{scene}" + ("" if step is None else f".{step}")


async def _scene(join_question: Question, compute: Compute) -> str:
    """Return what an address says of a scene; the text of a dropped lesson is kept for that."""
    source = mapping(join_question["lesson"])
    name = (
        await kept_lessons.keep(text(source["text"]), compute)
        if "text" in source
        else text(source.get("name"))
    )
    at = join_question.get("scene")
    return f"lesson={quote(name, safe='~')}&scene={at if type(at) is int else 1}"


def _without_settings(address: str) -> str:
    return address.partition("?")[0]


def join(address: str, scene: str = "", *, is_turned: bool = True) -> dict[str, Any]:
    """Return the address, the rows of the code as texts of 0 and 1, and why there is no code.

    With a `scene` the settings of the address are left out unless they were turned; where they are
    too long for a code, that is `said`.

    >>> found = join("http://example.org/?v=1")
    >>> found["address"], len(found["rows"]), found["why"]
    ('http://example.org/?v=1', 25, None)
    >>> join("http://example.org/?v=1", "lesson=xor&scene=2")["address"]
    'http://example.org/?v=1&lesson=xor&scene=2'
    >>> found = join(f"http://example.org/?w={'1' * 900}", "lesson=xor&scene=2")
    >>> found["address"]
    'http://example.org/?lesson=xor&scene=2'
    >>> found["said"]
    'The settings are too long for a code: it leads to the scene.'
    >>> join("http://localhost:8501/?v=1")["why"]
    'A code for phones needs an address that they reach: start kpviz with `kpviz app --lan`.'
    >>> join("http://[")["why"]
    'This is not an address that a browser opens, so there is no code for it.'
    """
    remark = None
    if scene:
        with_settings = f"{address}&{scene}"
        is_too_long = is_turned and len(reached(with_settings)) > _LONGEST
        if is_too_long:
            remark = _TO_SCENE
        is_whole = is_turned and not is_too_long
        address = with_settings if is_whole else f"{_without_settings(address)}?{scene}"
    reached_address = "" if len(address) > LONGEST_LINK else reached(address)
    try:
        why = why_no_code(reached_address)
        if why:
            raise ValueError(why)
        rows = made(CodeWork(reached_address))
        return {"address": reached_address, "rows": rows, "why": None, "said": remark}
    except ValueError as error:
        return {"address": reached_address, "rows": [], "why": str(error), "said": None}


def _parts(address: str) -> SplitResult | None:
    """Return the parts of an address, None where it is none that a browser opens."""
    try:
        parts = urlsplit(address)
        on_a_server = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        )
    except ValueError:
        # Brackets may not be closed, a port may be no number, or characters look like others.
        return None
    without_server = not parts.scheme and not parts.netloc
    return parts if (on_a_server or without_server) and address.isprintable() else None


def reached(address: str) -> str:
    """Return an address of this server as others reach it, if they do."""
    parts = _parts(address)
    known = urlsplit(os.environ.get(ADDRESS, ""))
    if parts is None or not is_only_here(address) or not known.netloc:
        return address
    return urlunsplit(parts._replace(scheme=known.scheme, netloc=known.netloc))


def is_only_here(address: str) -> bool:
    """Whether nobody on another computer reaches an address."""
    parts = _parts(address)
    return parts is None or (parts.hostname or "") in _ONLY_HERE


def why_no_code(address: str) -> str | None:
    """Return why there is no code for an address that phones could read, in a sentence; None if
    there is one.
    """
    if _parts(address) is None:
        return _NO_ADDRESS
    if is_only_here(address):
        return (
            "A code for phones needs an address that they reach: start kpviz with `kpviz app "
            "--lan`."
        )
    if len(address) > _LONGEST:
        return _TOO_LONG.format(_LONGEST, f"{len(address):,}")
    return None
