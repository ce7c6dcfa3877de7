"""The envelope round a run: what the player is told besides."""

from __future__ import annotations

from dataclasses import dataclass

from kpviz.canvas import payload
from kpviz.settings import Settings

PANELS = ("alpha", "own", "margins", "code", "bound", "lines", "normed")
_DATA = ("data", "n", "noise", "flipped", "balance", "seed", "held", "pair", "x", "y", "file", "cols", "scale")


@dataclass(frozen=True)
class ViewState:
    """Where the player opens: the instant, and the panels shown (None: the usual ones)."""

    t: int = 0
    show: tuple[str, ...] | None = None


def read_view(query: dict[str, str]) -> tuple[ViewState, list[str]]:
    """Return the player's part of a link, and what was wrong with it, one phrase each."""
    problems: list[str] = []
    text = query.get("t", "0")
    t = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0
    if str(t) != text.lstrip("0") and text.strip("0"):
        problems.append("t is not a step")
    show = None
    if "show" in query:
        named = [] if query["show"] == "none" else query["show"].split(".")
        show = tuple(name for name in named if name in PANELS)
        if len(show) < len(named):
            problems.append("show names a panel that is not known")
    return ViewState(t, show), problems


def data_id(settings: Settings) -> str:
    """Return what settings with the same examples have in common."""
    return repr([settings.values[name] for name in _DATA])


def envelope(run: bytes, *, run_id: str, settings: Settings, view: ViewState, ack: int) -> bytes:
    """Return what the component is sent: who the run is, where to open, which commands were carried out; the run."""
    header = {
        "id": run_id,
        "dataId": data_id(settings),
        "view": {"t": view.t, "show": None if view.show is None else list(view.show)},
        "ack": ack,
    }
    return payload.pack(header, {}) + run
