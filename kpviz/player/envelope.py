"""The envelope of a run: what is sent to the player along with it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from kpviz import panels
from kpviz.player import payload
from kpviz.settings import Settings, names_of
from kpviz.settings.cues import Cues

_NO_CUES = Cues()
_UNASKED: Mapping[str, Any] = {"n": 0, "editing": {"origin": None}}  # of runs that nobody asked for
_FORMER = ("tune",)  # panels of older links: the settings beside the board have it now
STAGES = ("window", "16x9", "4x3", "1x1", "9x16")


@dataclass(frozen=True)
class ViewState:
    """Where the player opens: the instant, the panels shown (None: the default ones), the shape if it presents.

    `turn`: by how many degrees the space of the lift is turned and tilted; None: as it is at first.
    """

    t: int = 0
    show: tuple[str, ...] | None = None
    stage: str | None = None
    turn: tuple[int, int] | None = None


def read_view(query: dict[str, str]) -> tuple[ViewState, list[str]]:
    """Return the player's part of a link, and what was wrong with it, one phrase each."""
    problems: list[str] = []
    text = query.get("t", "0")
    t = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0
    if str(t) != text.lstrip("0") and text.strip("0"):
        problems.append("t is not a step")
    show = None
    if "show" in query:
        named = [] if query["show"] == "none" else query["show"].replace(",", ".").split(".")
        show = tuple(name for name in named if name in panels.IN_LINKS)
        if len(show) < len([name for name in named if name not in _FORMER]):
            problems.append("show names a panel that is not known")
            show = show or None
    stage = query.get("stage")
    if stage is not None and stage not in STAGES:
        problems.append(f"stage is not one of {', '.join(STAGES)}")
        stage = None
    turn = _angles(query["turn"]) if "turn" in query else None
    if "turn" in query and turn is None:
        problems.append("turn is not two angles in degrees, as 30,20")
    return ViewState(t, show, stage, turn), problems


def _angles(text: str) -> tuple[int, int] | None:
    """Return turn and tilt, None if the text has none that are possible."""
    parts = text.split(",")
    if len(parts) != 2 or not all(re.fullmatch(r"-?[0-9]{1,3}", part) for part in parts):
        return None
    turn, tilt = map(int, parts)
    return (turn, tilt) if abs(turn) <= 180 and abs(tilt) < 90 else None


def data_id(settings: Settings) -> str:
    """Return what settings with the same examples have in common."""
    values = repr([settings.values[name] for name in names_of("data")])
    return hashlib.sha256(values.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Packed:
    """A run as bytes, and its identifier."""

    id: str
    data: bytes


def envelope(
    runs: Sequence[Packed],
    *,
    names: Sequence[str] = (),
    pins: str = "",
    lesson: Mapping[str, Any] | None = None,
    data: str,
    view: ViewState,
    cues: Cues = _NO_CUES,
    answer: Mapping[str, Any] = _UNASKED,
) -> bytes:
    """Return what the player is sent: which runs, where to open, what else was answered; then the runs.

    `runs` are the current one and the pinned ones, without bytes where the player has them; `names` are those of the
    pinned models and of the current one, `pins` their part of the link, `lesson` what is
    said of a ready comparison; while `data` stays the same the player keeps
    its place; `cues` are those of the lecture; `answer` is what a question was answered besides.
    """
    header = {
        **answer,
        "id": runs[0].id if runs else "",
        "dataId": data,
        "view": {
            "t": view.t,
            "show": None if view.show is None else list(view.show),
            "stage": view.stage,
            "turn": None if view.turn is None else list(view.turn),
        },
        "cues": {**cues.plain, "query": f"cues={quote(cues.code, safe='~')}" if cues.cues or cues.title else ""},
        "pins": {"ids": [run.id for run in runs[1:]], "names": list(names), "query": pins, "lesson": lesson},
        "runs": [{"id": run.id, "size": len(run.data)} for run in runs],
    }
    return b"".join([payload.pack(header, {}), *(run.data for run in runs)])
