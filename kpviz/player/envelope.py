"""The envelope of a run: what is sent to the player along with it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from kpviz.player import payload
from kpviz.settings import Settings, names_of
from kpviz.settings.cues import Cues
from kpviz.settings.view import STAGES, ViewState, read_view

__all__ = ["STAGES", "UNASKED", "Packed", "ViewState", "data_id", "envelope", "read_view"]

_NO_CUES = Cues()
UNASKED: Mapping[str, Any] = {"n": 0, "editing": {"origin": None}}  # of runs that nobody asked for


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
    comparison: Mapping[str, Any] | None = None,
    data: str,
    view: ViewState,
    cues: Cues = _NO_CUES,
    answer: Mapping[str, Any] = UNASKED,
) -> bytes:
    """Return what the player is sent: which runs, where to open, what else was answered; then the runs.

    `runs` are the current one and the pinned ones, without bytes where the player has them; `names` are those of the
    pinned models and of the current one, `pins` their part of the link, `comparison` what is
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
            "over": view.over,
        },
        "cues": {**cues.plain, "query": f"cues={quote(cues.code, safe='~')}" if cues.cues or cues.title else ""},
        "pins": {"ids": [run.id for run in runs[1:]], "names": list(names), "query": pins, "comparison": comparison},
        "runs": [{"id": run.id, "size": len(run.data)} for run in runs],
    }
    return b"".join([payload.pack(header, {}), *(run.data for run in runs)])
